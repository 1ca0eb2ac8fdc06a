"""What goes wrong: the class, the message, the path; depth and cycles."""

import sys
import threading
from types import MappingProxyType

import linecaster
import pytest


class Odd:
    """A value that has no JSON form."""


def path_of(value, **options):
    with pytest.raises(linecaster.EncodeError) as caught:
        linecaster.dumps(value, **options)
    error = caught.value
    assert type(error) is linecaster.EncodeError
    assert isinstance(error, TypeError)
    assert str(error).endswith(f" at {error.path}")
    with pytest.raises(linecaster.EncodeError) as again:
        linecaster.encode(value, **options)
    assert again.value.path == error.path
    return error.path


def test_paths():
    odd = Odd()
    assert path_of(odd) == "$"
    assert path_of([odd]) == "$[0]"
    assert path_of({"items": [0, 1, 2, {"when": odd}]}) == "$.items[3].when"
    assert path_of({"a b": [odd]}) == '$["a b"][0]'
    assert path_of({"": odd}) == '$[""]'
    assert path_of({"1a": odd}) == '$["1a"]'
    assert path_of({'q"\\': odd}) == '$["q\\"\\\\"]'
    assert path_of({"é": {"漢字": odd}}) == "$.é.漢字"
    assert path_of({"😀": (1, odd)}) == '$["😀"][1]'
    assert path_of({"a": {}, "b": {"c": 1}, "d": [[1], [2, 3], odd]}) == "$.d[2]"
    assert path_of(["é", {"x": "€", "y": ["😀", odd]}]) == "$[1].y[1]"
    assert path_of({"\ud800": odd}) == '$["\ufffd"]'
    assert path_of({"x" * 101: odd}) == '$["' + "x" * 100 + '…"]'


def test_paths_through_everything_that_holds_values():
    odd = Odd()
    assert path_of({"b": 1, "a": {"d": 2, "c": odd}}, sort_keys=True) == "$.a.c"
    assert path_of(MappingProxyType({"x": 1, "m": [odd]})) == "$.m[0]"
    assert path_of([{0: [odd]}], non_str_keys=True) == "$[0][?][0]"


def test_path_of_a_generator():
    with pytest.raises(linecaster.EncodeError) as caught:
        linecaster.dumps({"g": (x for x in (1, [2, Odd()]))}, iterables=True)
    assert caught.value.path == "$.g[1][1]"


def test_path_in_deep_nesting_is_short():
    value = Odd()
    for i in range(500):
        value = [value] if i % 2 else {"k": value}
    path = path_of(value)
    assert path.startswith("$...(468 levels)...[0].k[0].k")
    assert len(path) < 150


def test_path_of_what_default_returns():
    def default(value):
        return {"inner": [1j]} if isinstance(value, Odd) else value

    assert path_of({"a": Odd()}, default=default) == "$.a.inner[0]"


def test_message_names_the_type():
    with pytest.raises(linecaster.EncodeError, match=r"type is not JSON serializable: .*Odd at \$"):
        linecaster.dumps(Odd())


@pytest.mark.parametrize("limit", [1, 2, 3, 31, 1024, 1025, 3000])
def test_depth_is_exact(limit):
    wraps = {
        "list": lambda inner: [inner],
        "tuple": lambda inner: (inner,),
        "dict": lambda inner: {"k": inner},
        "mapping": lambda inner: MappingProxyType({"k": inner}),
        "generator": lambda inner: iter((inner,)),
        "subclass": lambda inner: type("L", (list,), {})([inner]),
    }
    empties = {"list": list, "tuple": tuple, "dict": dict, "mapping": lambda: MappingProxyType({})}
    for name, wrap in wraps.items():
        for innermost in (None, *empties):
            if limit > 100 and (name == "subclass" or innermost not in (None, "dict")):
                continue
            for levels, fits in ((limit, True), (limit + 1, False)):
                value = 1 if innermost is None else empties[innermost]()
                for _ in range(levels - (innermost is not None)):
                    value = wrap(value)
                if fits:
                    linecaster.encode(value, max_depth=limit, iterables=True)
                else:
                    with pytest.raises(linecaster.EncodeError, match=f"max_depth={limit}"):
                        linecaster.encode(value, max_depth=limit, iterables=True)


def test_depth_is_1024_by_default():
    value = []
    for _ in range(1023):
        value = [value]
    assert linecaster.dumps(value) == "[" * 1024 + "]" * 1024
    with pytest.raises(linecaster.EncodeError, match="deeper than max_depth=1024") as caught:
        linecaster.dumps([value])
    assert caught.value.path.startswith("$...(992 levels)")


def nested(levels, kind):
    value = None
    for _ in range(levels):
        value = [value] if kind is list else {"k": value}
    return value


@pytest.mark.parametrize("kind", [list, dict])
def test_hundred_thousand_levels(kind):
    levels = 100_000
    value = nested(levels, kind)
    left, right = ("[", "]") if kind is list else ('{"k":', "}")
    expected = left * levels + "null" + right * levels
    assert linecaster.dumps(value, max_depth=levels) == expected
    assert linecaster.encode(value, max_depth=2**70) == expected.encode()
    assert linecaster.dumps(["€", value], max_depth=levels + 1) == f'["€",{expected}]'
    assert linecaster.dumps(value, max_depth=levels, sort_keys=True) == expected
    with pytest.raises(linecaster.EncodeError, match="max_depth"):
        linecaster.dumps([value], max_depth=levels)


def test_deep_nesting_on_a_small_stack():
    value = nested(100_000, list)
    results = []

    def work():
        results.append(len(linecaster.dumps(value, max_depth=100_000)))
        results.append(len(linecaster.encode(value, max_depth=100_000, indent=0)))
        try:
            linecaster.dumps(value)
        except linecaster.EncodeError as error:
            results.append(error.path[:4])

    before = threading.stack_size(64 * 1024)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert results == [200_004, 400_004, "$..."]


def cycles():
    straight: list = []
    straight.append(straight)
    yield straight
    members: dict = {"a": 1}
    members["self"] = [0, (members,)]
    yield members
    late: list = []
    tail = late
    for _ in range(50):
        tail.append([])
        tail = tail[0]
    tail.append(tail)
    yield late
    inner: dict = {}
    inner["m"] = MappingProxyType(inner)
    yield inner


@pytest.mark.parametrize("which", range(4))
def test_cycles(which):
    value = list(cycles())[which]
    for max_depth in (1024, 3, 5000, 2**62):
        for options in ({}, {"sort_keys": True}, {"indent": 1}):
            with pytest.raises(linecaster.EncodeError) as caught:
                linecaster.dumps(value, max_depth=max_depth, **options)
            if max_depth > 1000:
                assert "circular reference" in str(caught.value)


def test_cycles_through_iterators_and_default():
    class Loop:
        def __iter__(self):
            return iter([self])

    with pytest.raises(linecaster.EncodeError, match="circular"):
        linecaster.dumps(Loop(), iterables=True, max_depth=2**62)
    odd = Odd()
    holder = [odd]
    with pytest.raises(linecaster.EncodeError, match="circular"):
        linecaster.dumps(holder, default=lambda value: holder, max_depth=2**62)
    with pytest.raises(linecaster.EncodeError, match="max_depth"):
        linecaster.dumps(odd, default=lambda value: [value])
    with pytest.raises(linecaster.EncodeError, match="times in a row"):
        linecaster.dumps(odd, default=lambda value: value)
    with pytest.raises(linecaster.EncodeError, match="times in a row"):
        linecaster.dumps(odd, default=lambda value: Odd())


def test_the_same_object_often_is_no_cycle():
    shared = [1]
    assert linecaster.dumps([shared] * 3 + [{"a": shared, "b": [shared]}]) == (
        '[[1],[1],[1],{"a":[1],"b":[[1]]}]'
    )
    value = [1]
    for _ in range(12):
        value = [value, value]
    assert linecaster.dumps(value, max_depth=13).count("1") == 4096


def test_equal_objects_deep_down_are_no_cycle():
    value = nested(9000, list)
    assert len(linecaster.dumps(value, max_depth=9000)) == 18004


def test_wide_objects_made_deep_down_are_no_cycle():
    """Each is gone when the next one takes its place, maybe at its address."""

    class Fresh:
        def __init__(self, left):
            self.left = left

        def __iter__(self):
            return iter([Fresh(self.left - 1)] if self.left else [])

    assert linecaster.dumps(Fresh(5000), iterables=True, max_depth=6000) == "[" * 5001 + "]" * 5001


def test_endless_calls_into_itself_end():
    """Each level takes C stack: Python's limit must come first."""

    def default(value):
        return linecaster.loads(linecaster.dumps([value], default=default))

    with pytest.raises(RecursionError):
        linecaster.dumps(Odd(), default=default)

    def default_bytes(value):
        return linecaster.encode({"a": [value]}, default=default_bytes, indent=1)

    limit = sys.getrecursionlimit()
    with pytest.raises(RecursionError):
        linecaster.encode(Odd(), default=default_bytes)
    assert sys.getrecursionlimit() == limit


@pytest.mark.parametrize("function", [linecaster.dumps, linecaster.encode])
def test_exceptions_of_callbacks_come_through(function):
    class Own(Exception):
        pass

    raised = Own("as it is")

    def fail(*_):
        raise raised

    lazy = type("Lazy", (), {"__iter__": fail})
    stepping = type("Stepping", (), {"__iter__": lambda self: self, "__next__": fail})
    mapping = type("M", (dict,), {"items": fail})
    for value in (
        Odd(),
        [Odd()],
        {"a": (1, Odd())},
        lazy(),
        stepping(),
        mapping(a=1),
        (fail() for _ in "a"),
    ):
        with pytest.raises(Own) as caught:
            function(value, default=fail, iterables=True)
        assert caught.value is raised
        assert not hasattr(raised, "path")


def test_base_exceptions_come_through():
    def stop(value):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        linecaster.dumps([Odd()], default=stop)


def test_errors_of_inner_calls_keep_their_path():
    with pytest.raises(linecaster.EncodeError) as caught:
        linecaster.dumps({"outer": Odd()}, default=lambda value: linecaster.dumps([1, 1j]))
    assert caught.value.path == "$[1]"
