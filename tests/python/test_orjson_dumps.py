"""`linecaster.orjson.dumps` against the original: values, options and errors."""

import inspect
import itertools
import random
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orjson_twins import failure, ours, outcome, same_dumps, theirs
from strategies import texts, trees

INDENT, NON_STR, SORT = theirs.OPT_INDENT_2, theirs.OPT_NON_STR_KEYS, theirs.OPT_SORT_KEYS
STRICT = theirs.OPT_STRICT_INTEGER


def test_names():
    assert ours.__all__ == theirs.__all__
    assert ours.__version__ == theirs.__version__
    for name in ours.__all__:
        if name.startswith("OPT_"):
            assert getattr(ours, name) == getattr(theirs, name)
    assert ours.JSONEncodeError is theirs.JSONEncodeError is TypeError
    for name in ("dumps", "loads"):
        mine, other = getattr(ours, name), getattr(theirs, name)
        assert inspect.signature(mine) == inspect.signature(other)
        assert (mine.__name__, mine.__doc__) == (other.__name__, other.__doc__)
        assert mine.__module__ == "linecaster.orjson"


@given(trees(surrogates=True), st.integers(0, 4095))
def test_trees(value, option):
    same_dumps(value)
    same_dumps(value, option=option)


@given(st.dictionaries(texts(surrogates=True), st.integers(), max_size=40))
def test_keys(value):
    for option in (0, SORT, NON_STR, SORT | NON_STR, SORT | INDENT):
        same_dumps(value, option=option)


def test_every_character():
    for start in range(0, 0x110000, 0x200):
        text = "".join(map(chr, range(start, start + 0x200)))
        same_dumps([text, *text] if start < 0x400 else text)


def test_floats():
    chance = random.Random(7)
    floats = [0.0, -0.0, 1.0, 5e-324, 1.7976931348623157e308, float("nan"), float("inf")]
    floats += [sign * 10.0**n for n in range(-323, 309) for sign in (1, -1)]
    floats += [n / 100 for n in range(-300, 300)]
    floats += [float(f"{n}e{power}") for n in (1, 15, 123456789) for power in range(-30, 30)]
    floats += [struct.unpack("d", chance.randbytes(8))[0] for _ in range(20000)]
    floats += [round(chance.uniform(-1e6, 1e6), chance.randrange(8)) for _ in range(5000)]
    same_dumps(floats)
    for value in floats[:10]:
        same_dumps(value)
        same_dumps({value: value}, option=NON_STR)


INTS = [0, 1, -1, 2**53 - 1, 2**53, -(2**53) + 1, -(2**53), 2**63 - 1, 2**63, -(2**63), 2**64 - 1]
INTS += [2**64, -(2**63) - 1, 10**30, 2**31, 2**32, -(2**31), 2**60, 2**30]


class Int(int):
    pass


@pytest.mark.parametrize("value", INTS)
def test_integers(value):
    for option in (0, STRICT, STRICT | INDENT, STRICT | NON_STR | SORT):
        for held in (value, Int(value), [1, value, 2], {"a": value}, [[value]], [{"a": [value]}]):
            same_dumps(held, option=option)
        same_dumps({value: 1, "x": 2}, option=option | NON_STR)
        same_dumps({Int(value): 1}, option=option | NON_STR)


def test_layouts():
    value = {"a": [1, [], {}, [2, {"b": (), "c": (3,)}]], "d": {"e": {}}, "f": ""}
    for option in range(4096):
        same_dumps(value, option=option)
    for scalar in (1, "a", None, [], {}):
        for option in (INDENT, theirs.OPT_APPEND_NEWLINE, INDENT | theirs.OPT_APPEND_NEWLINE):
            same_dumps(scalar, option=option)


@pytest.mark.parametrize(
    "option", [-1, 4096, 1 << 16, 2**30 + 1, 2**64 - 1, True, False, 1.0, "1", []]
)
def test_invalid_options(option):
    assert same_dumps(1, option=option)[1] == "Invalid opts"
    same_dumps(1, None, option)


def arguments():
    for count in range(8):
        for names in ((), ("default",), ("option",), ("option", "default"), ("obj",), ("x",)):
            yield count, names


@pytest.mark.parametrize(("count", "names"), list(arguments()))
def test_arguments(count, names):
    values = {"default": str, "option": INDENT, "obj": 1, "x": 1}
    given = ([{1: 2}], repr, INDENT, 4, 5, 6, 7)[:count]
    for positional in (given, ([frozenset()], *given[1:])[:count]):
        named = {name: values[name] for name in names}
        assert outcome(ours.dumps, *positional, **named) == outcome(
            theirs.dumps, *positional, **named
        )


def nested(kinds, depth, inner=1):
    value = inner
    for kind, _ in zip(itertools.cycle(kinds), range(depth), strict=False):
        value = {"list": lambda v: [v], "tuple": lambda v: (v,), "dict": lambda v: {"a": v}}[kind](
            value
        )
    return value


@pytest.mark.parametrize(
    "kinds", [["list"], ["dict"], ["tuple"], ["list", "dict"], ["tuple", "list"], ["dict", "tuple"]]
)
def test_depth(kinds):
    for inner in (1, [], {}, (), "é"):
        for depth in (252, 253, 254, 255, 256, 257, 300):
            for option in (0, SORT, INDENT):
                same_dumps(nested(kinds, depth, inner), option=option)


def test_cycles():
    loop = []
    loop.append(loop)
    ring = {"a": [1, {}]}
    ring["a"][1]["b"] = ring
    for value in (loop, ring):
        assert same_dumps(value)[1] == "Recursion limit reached"
        same_dumps(value, option=SORT)
    # The original does not count tuples, and crashes.
    mixed = ([],)
    mixed[0].append(mixed)
    for value in (mixed, mixed[0], [mixed], ([mixed],)):
        with pytest.raises(TypeError, match="Recursion limit reached"):
            ours.dumps(value)


class Key:
    pass


class Str(str):
    __slots__ = ()


@pytest.mark.parametrize(
    "value",
    [
        {1: 1}, {"a": 1, 2: frozenset()}, {"a": frozenset(), 2: 1}, {None: 1}, {Str("a"): 1},
        {"\ud800": 1}, {"a": "\ud800"}, ["\udfff"], "\ud800", {"é": 1, "\ud800": frozenset()},
        {"b": 1, "a": 2, "é": 3, "😀": 4, "\uffff": 5}, {Key(): 1}, {b"a": 1}, {(1, 2): 1},
        {Str("é"): 1, "é": 2, "a": 3}, {Str("\ud800"): 1}, {frozenset(): 1},
        {True: 1, False: 2, None: 3, 1.5: 4, float("nan"): 5, float("-inf"): 6, -3: 7, 2**64: 8},
        {True: 1, "true": 2, None: 3, "null": 4, 2: 5, "2": 6, 1e16: 7, "1e+16": 8},
        Str("é"), [Str("a"), Str("\ud800")],
    ],
)  # fmt: skip
def test_rare_keys_and_strings(value):
    for option in (0, NON_STR, SORT, NON_STR | SORT, NON_STR | INDENT):
        same_dumps(value, option=option)
        same_dumps([value], option=option)


def test_equal_keys_when_sorted():
    chance = random.Random(3)
    for size in (2, 5, 20, 21, 50, 100, 1000):
        numbers = [chance.randrange(size) for _ in range(size)]
        value = {}
        for i, n in enumerate(numbers):
            value[chance.choice([n, str(n), Str(n), float(n)])] = i
        same_dumps(value, option=NON_STR | SORT)
        same_dumps(value, option=NON_STR)


class Thing:
    """Something for `default`."""

    def __init__(self, value=None):
        self.value = value


def give(thing):
    if isinstance(thing, Thing):
        return thing.value
    raise KeyError(thing)


def test_default():
    for value in (1, "a", [1], {"a": Thing(2)}, None, (), Thing(3), [Thing([Thing(4)])], {1}):
        same_dumps(Thing(value), default=give)
        same_dumps([Thing(value), Thing(value)], give)
        same_dumps({"a": Thing(value)}, give, INDENT | SORT | NON_STR)
    for default in (None, 1, give, lambda: 1, ZeroDivisionError):
        for value in ({1}, [{1}], {"a": object}, Ellipsis, Thing):
            same_dumps(value, default)
            same_dumps(value, default=default)
    assert same_dumps({1})[2] is None
    assert same_dumps({1}, None)[2][0] == "TypeError"


def test_default_calls():
    def chain(length, inner):
        for _ in range(length):
            inner = Thing(inner)
        return inner

    for length in (1, 100, 253, 254, 255, 256, 257):
        for inner in (1, [], {1}, [Thing(1)], {"a": Thing([Thing(2)])}):
            same_dumps(chain(length, inner), give)
            same_dumps([chain(length, inner)], give)
    for wrap in (lambda v: Thing([v]), lambda v: Thing({"a": v}), lambda v: [Thing(v), Thing(1)]):
        for length in (120, 252, 253, 254, 255, 256):
            value = 1
            for _ in range(length):
                value = wrap(value)
            same_dumps(value, give)
    # Calls that are over do not count.
    assert len(same_dumps([Thing([Thing(1)])] * 1000, give)) == 4001
    forever = Thing()
    forever.value = forever
    assert same_dumps(forever, give)[1] == "default serializer exceeds recursion limit"


def test_handled_exceptions_are_the_context():
    def context(module):
        try:
            raise KeyError(1)
        except KeyError:
            try:
                module.dumps({1}, default=give)
            except TypeError as error:
                return failure(error)

    assert context(ours) == context(theirs)


def test_fragments():
    for content in (b"", b"1", b"{x", "é", "a", "😀", "\ud800", b"\xff", 1, None, bytearray(b"1"),
                    Str("a"), []):  # fmt: skip
        for option in (0, INDENT, SORT):
            for held in (
                lambda f: f, lambda f: [f, 1], lambda f: {"a": f, "b": f}, lambda f: [[f]]
            ):  # fmt: skip
                expected = outcome(theirs.dumps, held(theirs.Fragment(content)), option=option)
                assert outcome(ours.dumps, held(ours.Fragment(content)), option=option) == expected
    same = outcome(theirs.dumps, {theirs.Fragment("1"): 1}, option=NON_STR)
    assert outcome(ours.dumps, {ours.Fragment("1"): 1}, option=NON_STR) == same
    for args, named in (((), {}), ((1, 2), {}), ((), {"contents": b"1"}), ((b"1",), {"x": 1})):
        expected = outcome(theirs.Fragment, *args, **named)
        assert outcome(ours.Fragment, *args, **named) == expected
    assert "linecaster.orjson.Fragment object at" in repr(ours.Fragment(b"1"))
    with pytest.raises(AttributeError):
        ours.Fragment(b"1").contents = 1


def test_a_large_document():
    value = [{"id": i, "name": "x" * (i % 50), "é": [i / 3, None, True]} for i in range(3000)]
    for option in (0, INDENT, SORT, NON_STR, theirs.OPT_APPEND_NEWLINE):
        same_dumps(value, option=option)
