"""`evaluate`, `manifest` and `VM`: values, errors, callbacks, limits."""

import gc
import json
import math
import pathlib
import pickle
import re
import resource
import signal
import subprocess
import sys
import threading
import time

import pytest
from linecaster_jsonnet import (
    VM,
    JsonnetError,
    TraceFrame,
    evaluate,
    evaluate_snippet,
    manifest,
)

VALUES = [
    "null",
    "true",
    "[true, false]",
    "0",
    "-0",
    "1",
    "-1.0",
    "1.5",
    "1e-7",
    "0.1 + 0.2",
    "9007199254740993",
    "1e15",
    "1e16",
    "1e17",
    "1e22",
    "-1e100",
    "1.7976931348623157e308",
    "5e-324",
    "123456789.25",
    "''",
    "'a\\u0000b\"\\\\\\n'",
    "'é漢😀\\u007f\\u0085'",
    "'\\ud83d\\ude00'",
    "[]",
    "{}",
    "[[], {}, [[]], [{}]]",
    "{a: 1, b: {c: [1, 2, {d: null}]}}",
    "{b: 1, a: 2, 'é': 3, '': 4, hidden:: 5}",
    "[{id: i, name: 'x' + i, f: i / 3} for i in std.range(0, 300)]",
    "{['k' + i]: i for i in std.range(0, 300)}",
    "std.makeArray(10, function(i) i * i)",
    "std.range(1, 10)",
    "std.repeat([1], 5)",
    "{a: 1} + {a+: 2, b: $.a}",
    "std.encodeUTF8('é')",
]


def same(one, other):
    """Compare values and types at every depth."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    return one == other


@pytest.mark.parametrize("code", VALUES)
def test_equals_the_text_read_back(code):
    expected = json.loads(evaluate_snippet("a", code))
    assert same(evaluate(code), expected)


def test_numbers_of_every_size_are_as_read_back():
    numbers = [s * m * 2.0**e for e in range(-1074, 1024, 7) for m in (1, 1.5) for s in (1, -1)]
    numbers = [number for number in numbers if math.isfinite(number)]
    code = json.dumps(numbers)
    assert same(evaluate(code), json.loads(evaluate_snippet("a", code)))


def test_deep_values():
    depth = 100_000
    value = evaluate(
        f"std.foldl(function(a, i) [a], std.range(1, {depth}), 0)", max_stack=10 * depth
    )
    for _ in range(depth):
        (value,) = value
    assert value == 0


def test_code_path_and_library(tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/inc.libsonnet").write_text("{x: importstr 'text'}")
    (tmp_path / "lib/text").write_text("words")
    root = tmp_path / "root.jsonnet"
    root.write_text("(import 'inc.libsonnet') + {file: std.thisFile}")
    expected = {"x": "words", "file": str(root)}
    assert evaluate(path=root, jpath=tmp_path / "lib") == expected
    assert evaluate(path=str(root), jpath=[str(tmp_path / "lib")]) == expected
    assert evaluate("import 'inc.libsonnet'", path=tmp_path / "lib/none") == {"x": "words"}
    with pytest.raises(JsonnetError, match=r"^Failed to read input file: .*no such file"):
        evaluate(path=tmp_path / "none")
    with pytest.raises(JsonnetError, match="is a directory"):
        evaluate(path=tmp_path)
    with pytest.raises(TypeError):
        evaluate()


def test_variables_and_arguments():
    code = "function(a, b, c=3) [std.extVar('s'), std.extVar('c'), a, b, c]"
    given = {
        "ext_vars": {"s": "1 + 1"},
        "ext_codes": {"c": "1 + 1"},
        "tlas": {"a": "1 + 1"},
        "tla_codes": {"b": "1 + 1"},
    }
    assert evaluate(code, **given) == ["1 + 1", 2, "1 + 1", 2, 3]
    assert VM(**given).evaluate(code, tlas={"c": "x"}) == ["1 + 1", 2, "1 + 1", 2, "x"]
    with pytest.raises(TypeError, match=re.escape("ext_vars['x'] must be str, not int")):
        evaluate("1", ext_vars={"x": 1})
    with pytest.raises(TypeError, match="a name in tlas must be str, not int"):
        evaluate("1", tlas={1: "x"})


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("json", '{\n   "a": {\n      "b": "1"\n   }\n}\n'),
        ("json-minified", '{"a":{"b":"1"}}\n'),
        ("yaml", 'a:\n  b: "1"\n'),
        ("toml", '[a]\nb = "1"\n'),
        ("python", '{"a": {"b": "1"}}\n'),
    ],
)
def test_formats(format, text):
    assert manifest("{a: {b: '1'}}", format=format) == text
    assert VM().manifest("{a: {b: '1'}}", format=format) == text


def test_documents_have_integers():
    numbers = "{a: [0, -1, 1.5, 9007199254740993, 1e18]}"
    expected = "[0, -1, 1.5, 9007199254740992, 1000000000000000000]"
    assert manifest(numbers, format="toml") == f"a = {expected}\n"
    listed = "".join(f"- {number}\n" for number in expected[1:-1].split(", "))
    assert manifest(numbers, format="yaml") == "a:\n" + listed


def test_formats_of_other_shapes():
    assert manifest("'text'", format="string") == "text"
    assert manifest("{main: {a: 1}, sections: {s: {b: 2}}}", format="ini") == "a = 1\n[s]\nb = 2\n"
    assert manifest("['a', {b: 'c'}, 'd']", format="xml") == '<a b="c">d</a>\n'
    with pytest.raises(ValueError, match="there are json, "):
        manifest("1", format="none")
    with pytest.raises(JsonnetError):
        manifest("1", format="string")


def test_errors_have_places():
    with pytest.raises(JsonnetError) as caught:
        evaluate("local f(x) =\n  error 'no ' + x;\nf(1)", path="dir/a.jsonnet")
    error = caught.value
    assert isinstance(error, RuntimeError)
    assert error.message == "no 1"
    assert (error.file, error.line, error.column) == ("dir/a.jsonnet", 2, 3)
    assert error.trace[0] == TraceFrame(
        "dir/a.jsonnet:2:3-18", "function <f>", "dir/a.jsonnet", 2, 3
    )
    assert error.trace[-1] == TraceFrame("During evaluation", "", None, None, None)
    assert str(error).startswith("RUNTIME ERROR: no 1\n\tdir/a.jsonnet:2:3-18\tfunction <f>\n")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.line, again.trace) == (str(error), 2, error.trace)


def test_errors_of_the_text_have_places():
    with pytest.raises(JsonnetError) as caught:
        evaluate("{\n  a: }")
    error = caught.value
    assert (error.file, error.line, error.column, error.trace) == ("<code>", 2, 6, ())
    with pytest.raises(JsonnetError, match="Unknown variable: x"):
        evaluate("x")


def test_native_functions():
    seen = []

    def show(*args):
        seen.extend(args)
        return args[0] if args else None

    natives = {"show": (("x", "y"), show), "none": ((), show)}
    code = "[std.native('show')(%s, 2), std.native('none')(), std.native('other')]"
    for text, value in [
        ("1", 1),
        ("1.5", 1.5),
        ("'é'", "é"),
        ("[1, [true, null], {a: {b: []}}]", [1, [True, None], {"a": {"b": []}}]),
    ]:
        seen.clear()
        assert same(evaluate(code % text, native_callbacks=natives), [value, None, None])
        assert same(seen, [value, 2])


@pytest.mark.parametrize(
    ("returned", "value"),
    [
        ((1, [2, (3,)]), [1, [2, [3]]]),
        ({"b": 1, "a": {"c": []}}, {"a": {"c": []}, "b": 1}),
        (b"\x00\xff", [0, 255]),
        (2**60, 2**60),
        (True, True),
        ([], []),
        ({}, {}),
        ([{"a": [1, {"b": 2}]}, {"a": 3}], [{"a": [1, {"b": 2}]}, {"a": 3}]),
    ],
)
def test_native_functions_return(returned, value):
    natives = {"f": ((), lambda: returned)}
    assert evaluate("std.native('f')()", native_callbacks=natives) == value


@pytest.mark.parametrize(
    ("returned", "kind"),
    [
        (object(), TypeError),
        ({1, 2}, TypeError),
        ({1: 2}, TypeError),
        (math.nan, ValueError),
        (math.inf, ValueError),
        (10**400, OverflowError),
        ("\ud800", UnicodeEncodeError),
    ],
)
def test_native_functions_cannot_return(returned, kind):
    natives = {"f": ((), lambda: returned)}
    with pytest.raises(JsonnetError) as caught:
        evaluate("std.native('f')()", native_callbacks=natives)
    assert type(caught.value.__cause__) is kind


def test_native_functions_return_what_is_deep():
    value = []
    for _ in range(100_000):
        value = [value]
    natives = {"f": ((), lambda: value)}
    code = "std.length(std.native('f')())"
    assert evaluate(code, native_callbacks=natives) == 1
    endless = []
    endless.append(endless)
    with pytest.raises(JsonnetError, match="nested too deeply"):
        evaluate(code, native_callbacks={"f": ((), lambda: endless)})


def test_callbacks_have_room_on_any_depth():
    def deep(n):
        value = []
        for _ in range(900):
            value = [value]
        return len(json.dumps(value)) + n

    code = "local f(x) = if x == 0 then std.native('deep')(1) else 1 + f(x - 1); [f(%s)]"
    for depth in (10, 5_000, 20_000, 50_001):
        natives = {"deep": (("n",), deep)}
        value = evaluate(code % depth, native_callbacks=natives, max_stack=1_000_000)
        assert value == [depth + 1 + 1802]


def test_exceptions_of_callbacks_are_the_cause():
    failure = KeyError("hey")

    def fail(*_):
        raise failure

    with pytest.raises(JsonnetError) as caught:
        evaluate("{a: std.native('f')()}", native_callbacks={"f": ((), fail)})
    assert caught.value.__cause__ is failure
    assert caught.value.message == "'hey'"
    assert caught.value.line == 1
    with pytest.raises(JsonnetError, match="couldn't open import \"x\": 'hey'") as caught:
        evaluate("import 'x'", import_callback=fail)
    assert caught.value.__cause__ is failure


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
def test_what_is_no_exception_passes_through(kind):
    def leave(*_):
        raise kind

    with pytest.raises(kind):
        evaluate("std.native('f')()", native_callbacks={"f": ((), leave)})
    with pytest.raises(kind):
        evaluate("import 'x'", import_callback=leave)


def test_callbacks_may_evaluate():
    def nested(n):
        return evaluate(f"{n} + 1") + machine.evaluate("1")

    machine = VM(native_callbacks={"f": (("n",), nested)})
    assert machine.evaluate("std.native('f')(1)") == 3


def test_imports_are_asked_for_once():
    asked = []

    def find(folder, name):
        asked.append((folder, name))
        return "/virtual/" + name, files[name]

    files = {
        "a": b"{b: import 'b', c: import 'b', s: importstr 's', n: importbin 's'}",
        "b": b"1",
        "s": "é\n".encode(),
    }
    value = {"b": 1, "c": 1, "s": "é\n", "n": [0xC3, 0xA9, 10]}
    assert evaluate("import 'a'", path="dir/x", import_callback=find) == value
    assert asked == [("dir/", "a"), ("/virtual/", "b"), ("/virtual/", "s")]


def test_a_machine_keeps_what_it_parsed(tmp_path):
    library = tmp_path / "lib.libsonnet"
    root = tmp_path / "root.jsonnet"
    library.write_text("1")
    root.write_text("[import 'lib.libsonnet', 1]")
    machine = VM()
    assert machine.evaluate(path=root) == [1, 1]
    library.write_text("2")
    assert machine.evaluate(path=root) == [1, 1]
    root.write_text("[import 'lib.libsonnet', 2]")
    assert machine.evaluate(path=root) == [1, 2]
    machine.clear()
    assert machine.evaluate(path=root) == [2, 2]


def test_a_machine_belongs_to_no_thread():
    machine = VM(ext_vars={"x": "y"})
    results = []

    def work():
        results.extend(
            machine.evaluate("std.length(std.range(1, 1000)) + " + str(i)) for i in range(50)
        )

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == sorted(list(range(1000, 1050)) * 4)


def test_a_machine_in_a_cycle_is_collected():
    class Owner:
        alive = 0

        def __init__(self):
            Owner.alive += 1
            self.machine = VM(native_callbacks={"f": ((), self.call)})

        def call(self):
            return 1

        def __del__(self):
            Owner.alive -= 1

    owner = Owner()
    assert owner.machine.evaluate("std.native('f')()") == 1
    del owner
    gc.collect()
    assert Owner.alive == 0


ENDLESS = "local f(x) = if x < 0 then x else f(x + 1) tailstrict; f(0)"


def test_limits():
    with pytest.raises(JsonnetError, match="max stack frames exceeded"):
        evaluate("local f(x) = 1 + f(x); f(1)")
    with pytest.raises(JsonnetError, match="step limit exceeded"):
        evaluate(ENDLESS, max_steps=1_000_000)
    with pytest.raises(JsonnetError, match="memory limit exceeded"):
        evaluate(
            "std.foldl(function(a, i) a + [[i]], std.range(1, 10000000), [])", max_memory=10_000_000
        )
    assert evaluate("1", max_steps=1_000_000, max_memory=10_000_000) == 1
    assert (
        evaluate("local f(x) = if x == 0 then 0 else 1 + f(x - 1); f(50000)", max_stack=200_000)
        == 50_000
    )


def interrupted(delay):
    """Press the interrupt key after a while; return how long the end took."""
    # Whoever starts the tests in the background may have it ignored.
    key = signal.signal(signal.SIGINT, signal.default_int_handler)
    alarm = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    signal.setitimer(signal.ITIMER_REAL, delay)
    began = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            evaluate(ENDLESS, max_steps=2_000_000_000)
    finally:
        signal.signal(signal.SIGALRM, alarm)
        signal.signal(signal.SIGINT, key)
    return time.monotonic() - began - delay


def test_the_interrupt_key_ends_an_evaluation():
    # The machine may be busy with something else now and then.
    assert min(interrupted(0.2) for _ in range(4)) < 0.2


def test_the_lock_is_released():
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        with pytest.raises(JsonnetError, match="step limit"):
            evaluate(ENDLESS, max_steps=3_000_000)
    finally:
        stop.set()
        thread.join()
    assert len(ticks) > 3


def test_memory_stays_flat():
    def run(count):
        for i in range(count):
            evaluate(f"{{a: [1, 2.5, 'x' + {i % 100}], b: std.map(function(x) x, [1])}}")
        with pytest.raises(JsonnetError):
            evaluate("error 'x'")

    def peak():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    run(2000)
    before = peak()
    run(10_000)
    assert peak() - before < 4_000


def test_the_command_line(tmp_path):
    file = tmp_path / "a.jsonnet"
    file.write_text("{a: std.extVar('x')}")
    for module in (["linecaster_jsonnet"], ["linecaster", "jsonnet"]):
        command = [sys.executable, "-m", *module, "-V", "x=1", str(file)]
        done = subprocess.run(command, capture_output=True, check=True)
        assert done.stdout == b'{\n   "a": "1"\n}\n'
    command = [sys.executable, "-m", "linecaster", "jsonnet", "-e", "error 'no'"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(b"RUNTIME ERROR: no\n")


def test_the_base_package_loads_it_at_its_first_use():
    code = (
        "import sys, linecaster; print('linecaster_jsonnet' in sys.modules);"
        "print(linecaster.jsonnet.evaluate('1 + 1'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.split() == [b"False", b"2"]


def test_the_base_package_says_what_is_missing():
    code = (
        "import sys; sys.modules['linecaster_jsonnet'] = None\n"
        "try:\n    from linecaster import jsonnet\nexcept ImportError as e: print(e)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert b"pip install 'linecaster[jsonnet]'" in done.stdout


def test_version_is_the_workspace_version():
    import linecaster_jsonnet

    manifest = pathlib.Path(__file__).parents[2] / "Cargo.toml"
    assert f'\nversion = "{linecaster_jsonnet.__version__}"\n' in manifest.read_text()
