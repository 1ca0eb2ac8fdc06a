"""Threads, sub-interpreters, small stacks, and the module imported again."""

import importlib
import json
import subprocess
import sys
import textwrap
import threading
import time

import linecaster
import pytest
from trees import plain


class Odd:
    """Its encoding lets other threads run."""

    def __init__(self, name):
        self.name = name


def default(odd):
    time.sleep(0)
    inner = linecaster.dumps({"é": odd.name}, default=default)
    return [linecaster.loads(inner), "😀" * 10]


@pytest.fixture
def eager_switches():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def run_in_threads(work, count=8):
    failures = []

    def guarded(i):
        try:
            work(i)
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=guarded, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


@pytest.mark.usefixtures("eager_switches")
def test_threads_with_shared_objects():
    shared = {
        "odd": [Odd(i) for i in range(5)],
        "text": ["x" * 5000, "é" * 500, "€" * 500],
        "€": {"deep": [[[{"a": 1.5}]]]},
    }
    expected = linecaster.dumps(shared, default=default)
    as_bytes = linecaster.encode(shared, default=default, indent=1)

    def work(i):
        for _ in range(40):
            assert linecaster.dumps(shared, default=default) == expected
            assert linecaster.encode(shared, default=default, indent=1) == as_bytes

    run_in_threads(work)


@pytest.mark.usefixtures("eager_switches")
def test_threads_that_change_what_others_encode():
    shared: list = [Odd(0), {"k": Odd(1)}, ["x"] * 100]
    members: dict = {"a": Odd(2)}
    stop = threading.Event()

    def change():
        turn = 0
        while not stop.is_set():
            turn += 1
            shared.append("é" * (turn % 50))
            members[f"k{turn % 30}"] = ["€" * (turn % 40)]
            if turn % 7 == 0:
                del shared[1:]
                members.clear()
                members["a"] = Odd(3)
            time.sleep(0)

    changer = threading.Thread(target=change)
    changer.start()

    def work(i):
        for _ in range(100):
            try:
                json.loads(linecaster.dumps([shared, members], default=default))
                json.loads(linecaster.encode({"m": members, "s": shared}, default=default))
            except RuntimeError as error:
                assert "changed size" in str(error)  # noqa: PT017

    try:
        run_in_threads(work)
    finally:
        stop.set()
        changer.join()


def test_new_classes_in_many_threads():
    def work(i):
        for turn in range(100):
            cls = type(f"C{i}_{turn}", (int,), {})
            assert linecaster.dumps([cls(turn)] * 3) == plain([turn] * 3)

    run_in_threads(work)


def test_calls_while_a_thread_ends():
    """Thread-local memory may be gone already."""

    class Last:
        def __del__(self):
            seen.append(linecaster.dumps([[["é"]]]))

    seen: list = []
    local = threading.local()

    def work():
        local.value = Last()
        linecaster.dumps([[1]])

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == ['[[["é"]]]']


def test_small_stacks():
    """The least that Python allows, with calls in calls."""
    results = []

    def nest(odd):
        if odd.name == 0:
            return "end"
        return linecaster.dumps([Odd(odd.name - 1)], default=nest)

    def work():
        results.append(linecaster.dumps({"a": Odd(3)}, default=nest))

    # From 3.14 on the interpreter itself keeps more of a stack in reserve.
    size = 64 if sys.version_info < (3, 14) else 512
    before = threading.stack_size(size * 1024)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert results == [plain({"a": plain([plain([plain(["end"])])])})]


SECOND_INTERPRETER = """
    try:
        import _interpreters as interpreters
    except ImportError:
        import _xxsubinterpreters as interpreters
    import linecaster

    script = '''if True:
        try:
            import linecaster
        except ImportError as error:
            print(error, flush=True)
        else:
            print("imported", flush=True)
    '''
    for isolated in (True, False):
        try:
            one = interpreters.create("isolated" if isolated else "legacy")
        except TypeError:
            one = interpreters.create(isolated=isolated)
        interpreters.run_string(one, script)
        interpreters.destroy(one)
    print(linecaster.dumps([1, "still works"]))
"""


def test_second_interpreter_is_refused():
    if sys.version_info >= (3, 13):
        pytest.importorskip("_interpreters")
    else:
        pytest.importorskip("_xxsubinterpreters")
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(SECOND_INTERPRETER)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    *refusals, last = done.stdout.splitlines()
    assert len(refusals) == 2
    for refusal in refusals:
        assert "linecaster" in refusal
        assert "interpreter" in refusal
    assert last == '[1,"still works"]'


def test_imported_again():
    first = linecaster.EncodeError
    names = [name for name in sys.modules if name.partition(".")[0] == "linecaster"]
    kept = {name: sys.modules.pop(name) for name in names}
    try:
        again = importlib.import_module("linecaster")
        assert again.dumps(["é"]) == '["é"]'
        assert again.EncodeError is first
        with pytest.raises(first):
            again.dumps(Odd(1))
        with pytest.raises(first):
            kept["linecaster"].dumps(Odd(1))
    finally:
        for name in list(sys.modules):
            if name.partition(".")[0] == "linecaster":
                del sys.modules[name]
        sys.modules.update(kept)
