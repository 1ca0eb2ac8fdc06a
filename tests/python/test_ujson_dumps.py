"""`linecaster.ujson.dumps` and `dump` against ujson itself."""

import collections
import decimal
import enum
import inspect
import io
import itertools
import math
import pickle
import random
import struct
import sys
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linecaster import ujson as ours
from outcomes import outcome
from strategies import trees
from trees import SAMPLES

theirs = pytest.importorskip("ujson")


def check(*args: Any, **kwargs: Any) -> None:
    assert outcome(ours.dumps, *args, **kwargs) == outcome(theirs.dumps, *args, **kwargs)


def everywhere(value: Any, **kwargs: Any) -> None:
    """Compare a value alone, in a list, and in a dict, beside a wider string."""
    for tree in (value, ["é", value, "日"], {"kéy": value, "z/": 1}):
        check(tree, **kwargs)


class Int(int):
    pass


class Str(str):
    pass


class Float(float):
    pass


class Bytes(bytes):
    pass


class Dict(dict):  # type: ignore[type-arg]
    def items(self) -> Any:
        raise AssertionError("ujson does not ask")


class List(list):  # type: ignore[type-arg]
    def __iter__(self) -> Any:
        raise AssertionError("ujson does not ask")


class Tuple(tuple):  # type: ignore[type-arg]
    pass


Named = collections.namedtuple("Named", "a b")


class IntEnum(enum.IntEnum):
    ONE = 1
    HUGE = 2**70


class PlainEnum(enum.Enum):
    ONE = 1


class StrEnum(str, enum.Enum):
    X = "x/é"


class ToDict:
    def __init__(self, value: Any) -> None:
        self.value = value

    def toDict(self) -> Any:
        if isinstance(self.value, Exception):
            raise self.value
        return self.value


class Json:
    def __init__(self, value: Any) -> None:
        self.value = value

    def __json__(self) -> Any:
        if isinstance(self.value, Exception):
            raise self.value
        return self.value


class Both(ToDict, Json):
    pass


class Key:
    def __init__(self, text: Any) -> None:
        self.text = text

    def __str__(self) -> Any:
        if isinstance(self.text, Exception):
            raise self.text
        return self.text


class Shown:
    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


class LikeDecimal:
    @property
    def __class__(self) -> Any:
        return decimal.Decimal

    def __float__(self) -> float:
        return 1.5


class Unsure:
    def __bool__(self) -> bool:
        raise KeyError("unsure")


PLAIN = [
    None, True, False, 0, -1, 2**31, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1,
    10**50, Int(5), Int(2**80), IntEnum.ONE, IntEnum.HUGE,
    1.5, Float(0.1), Float("nan"), math.inf, -math.inf, math.nan, -0.0, 1e16, 1e-5,
    decimal.Decimal("1.10"), decimal.Decimal("1e400"), decimal.Decimal("NaN"),
    decimal.Decimal("sNaN"), decimal.Decimal("-Infinity"), LikeDecimal(),
    "", "a/b", "<&>", "\x7f", "\x00\x1f\"\\\b\f\n\r\t", "é", "日本", "😀", "\ud800", "a\udfff😀",
    "\ud83d\ude00", "\u2028\u2029", "é" * 300 + "日", Str("a/é"), StrEnum.X,
    Dict(a=1), List([1]), Tuple((1, 2)), Named(1, "x"), (), [], {}, [[], {}, [{}], ()],
]  # fmt: skip

BYTES = [
    b"abc", b"/<>&\n\x00", Bytes(b"x"), b"\xc3\xa9/", b"\xed\xa0\x80", b"\xff", b"\x80a", b"a\xc3",
    b"\xc3(", b"\xc0\x80", b"\xe0\x80\x80", b"\xe2(\x80", b"\xe2\x82", b"\xf0\x82\x82\xac",
    b"\xf0\x9f\x98\x80", b"\xf0\x9f(\x80", b"\xf0\x9f", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80",
    b"\xf8\x80\x80\x80\x80", b"\xfd", b"\xfe", bytearray(b"x"), memoryview(b"x"),
]  # fmt: skip

KEYS = [
    1, 1.5, None, True, False, (1, 2), math.nan, 2**70, Int(7), IntEnum.ONE, PlainEnum.ONE,
    StrEnum.X, Str("k/é"), b"k/<", b"\xff", b"\xc3\xa9", b"\xc3", Key("ké/"), Key(ValueError("x")),
    decimal.Decimal("1.10"),
]  # fmt: skip

METHODS = [
    ToDict({"a": 1}), ToDict({"b": ToDict({"c": [1]}), "a": 2}), ToDict(Dict(a=1)), ToDict([1]),
    ToDict(None), ToDict(KeyError("q")), Both({"a": 1}), ToDict,
    Json("[1,  2]"), Json(b"[1]"), Json('"é"'), Json("日"), Json("😀\ud800"), Json(""), Json(b""),
    Json(Str("not JSON")), Json(Bytes(b"x")), Json(b"\xff"), Json(b"\xc3"), Json(b"\xc3\xa9"),
    Json(3), Json(None), Json(KeyError("z")), Json,
]  # fmt: skip

UNKNOWN = [
    object, PlainEnum.ONE, {1, 2}, 1j, range(3), ..., len, Shown("r\0x"), Shown("r\ud800"),
    Shown("é"),
]  # fmt: skip

SWITCHES = ("ensure_ascii", "encode_html_chars", "escape_forward_slashes")
DIALECTS = [
    dict(zip(SWITCHES, values, strict=True))
    for values in itertools.product((True, False), repeat=3)
]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_values(dialect: dict[str, bool]) -> None:
    for value in [*PLAIN, *BYTES, *METHODS, *UNKNOWN]:
        everywhere(value, **dialect)
        everywhere(value, **dialect, reject_bytes=False, indent=1)
        everywhere(value, **dialect, reject_bytes=False, separators=("é<", " : /"))
    for key in KEYS:
        check({key: "x/", "é": 1}, **dialect)
        check({"a": [{key: 1}]}, **dialect, indent=3, separators=("", "日😀"))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_bytes_that_others_complete(dialect: dict[str, bool]) -> None:
    halves = [Json(b"\xc3"), Json(b"\xa9")]
    check(halves, **dialect, separators=("", ""))
    check(["日", *halves, "😀"], **dialect, separators=("", ""))
    check([b"\xc3", "日", {b"\xff": "é"}], **dialect, reject_bytes=False)
    check([Json("é"), "日", Json(b"\xff"), Json("😀"), "y"], **dialect)


def test_large_values() -> None:
    for value in (10**4299, 10**4300, -(10**4300), "x" * 70_000 + "é", ["é" * 3000, "日" * 30_000]):
        everywhere(value)
        check(value, ensure_ascii=False, escape_forward_slashes=False)
    check({10**4300: 1})


def test_every_character() -> None:
    ascii_only = "".join(map(chr, range(128)))
    wide = [chr(c) for c in [*range(0x80, 0x300), *range(0xD7F0, 0xE010), *range(0xFFF0, 0x10010)]]
    for dialect in DIALECTS:
        check(ascii_only, **dialect)
        check(wide, **dialect)
        check({text: text for kind in SAMPLES.values() for text in kind}, **dialect)


def test_floats() -> None:
    chance = random.Random(1)
    bits = [struct.pack("Q", chance.getrandbits(64)) for _ in range(20_000)]
    floats = [value for piece in bits for (value,) in [struct.unpack("d", piece)]]
    floats += [chance.random() * 10.0 ** chance.randint(-12, 25) for _ in range(20_000)]
    floats += [sign * 10.0**power for power in range(-320, 309) for sign in (1, -1)]
    for start in range(0, len(floats), 1000):
        check(floats[start : start + 1000])


def test_layouts() -> None:
    tree = {"a": [1, [], {}, [2, {"b": None}]], "c": {"d": {"e": [[["f"]]]}}, "g": ()}
    for indent in (-7, -1, 0, 1, 4, 1000, 1001, 2**31, -(2**31) - 1, True, Int(3), None, "x", 1.5):
        check(tree, indent=indent)
        check(tree, indent=indent, sort_keys=True, separators=("; ", " = "))
    pairs = [(",", ":"), ("", ""), ("\ud800", "\udc00"), ("é", "日"), ("long separators", "😀" * 9)]
    for separators in [*pairs, (Str(","), Str(":")), None]:
        for dialect in DIALECTS:
            check(tree, separators=separators, **dialect)
            check([], separators=separators, **dialect)
    for wrong in (["a", "b"], ("a",), (1, "a"), ("a", 1), "ab", ("a", "b", "c")):
        check(tree, separators=wrong)


def test_sorted_keys() -> None:
    for tree in (
        {"b": 1, "a": {"z": 1, "y": {"é": 1, "e": 2, "😀": 3, "\uffff": 4}}},
        {3: 1, 2: 2, 2.5: 3, True: 4},
        {b"b": 1, b"a": 2},
        {1: 1, "a": 2},
        {None: 1, "a": 2},
        {(2, 1): 1, (1, 2): 2},
        Dict(b=1, a=2),
        ToDict({"b": 1, "a": 2}),
    ):
        check(tree, sort_keys=True)
        check([tree], sort_keys=True, indent=2, ensure_ascii=False)


def test_not_finite() -> None:
    for value in (math.nan, math.inf, -math.inf, Float("nan"), decimal.Decimal("Infinity")):
        everywhere(value, allow_nan=False)
        everywhere(value, allow_nan=True)


def test_default() -> None:
    for default in (
        None, str, repr, 5, lambda value: value, lambda value: [1, "é"], lambda value: {"a": 1},
        lambda value: 1 / 0, lambda value: Json("é"), lambda value: ToDict({"q": 1}),
        lambda value: b"x", lambda value: math.nan, lambda value: Str("s"), lambda value: None,
        lambda value: decimal.Decimal(1), lambda value: [object],
    ):  # fmt: skip
        for value in (*UNKNOWN, b"x"):
            everywhere(value, default=default)


@pytest.mark.parametrize("steps", range(6))
def test_default_is_called_three_times(steps: int) -> None:
    calls: list[Any] = []

    def default(value: Any) -> Any:
        calls.append(value)
        return "done" if len(calls) % 10 > steps else object

    outcomes = []
    for library in (ours, theirs):
        calls.clear()
        outcomes.append((outcome(library.dumps, [object], default=default), len(calls)))
    assert outcomes[0] == outcomes[1]


def test_depth() -> None:
    for levels in (1022, 1023, 1024, 1025, 1026, 5000):
        for leaf in (1, [], {}, (), {"a": 1}, [1], ToDict({}), ToDict({"a": 1}), Json("1")):
            as_list = as_dict = leaf
            for _ in range(levels):
                as_list, as_dict = [as_list], {"a": as_dict}
            for sort_keys in (False, True):
                assert kept(ours, as_list, sort_keys) == kept(theirs, as_list, sort_keys)
                assert kept(ours, as_dict, sort_keys) == kept(theirs, as_dict, sort_keys)


def kept(library: ModuleType, tree: Any, sort_keys: bool) -> Any:
    try:
        return library.dumps(tree, sort_keys=sort_keys)
    except OverflowError as error:
        return str(error)


def test_cycles() -> None:
    items: list[Any] = []
    items.append(items)
    members: dict[str, Any] = {}
    members["a"] = members
    itself = ToDict(None)
    itself.value = {"t": itself}
    for value in (items, members, itself, [{"a": items}]):
        check(value)
        check(value, sort_keys=True, default=str)


def test_arguments() -> None:
    tree = [{"b": "é/<", "a": 1.5}]
    for args in (
        (), (tree, False), (tree, False, True), (tree, False, True, False),
        (tree, True, False, True, True), (tree, 1, 0, 1, 0, 2), (math.nan, 1, 1, 1, 1, 1, 0),
        ([b"x"], 1, 1, 1, 1, 0, 1, 0), ([object], 1, 1, 1, 1, 0, 1, 1, str),
        (tree, 1, 1, 1, 1, 0, 1, 1, None, ("; ", ":")), (1,) * 10, (1,) * 11,
    ):  # fmt: skip
        check(*args)
        check(*args, ensure_ascii=False)
        check(*args, sort_keys=True, nope=1)
    check(obj=tree)
    check(obj=tree, default=None)
    check(ensure_ascii=True)
    for name in ("ensure_ascii", "sort_keys", "allow_nan", "reject_bytes"):
        for value in (Unsure(), None, "", "x", 0, [1]):
            check(tree, **{name: value})


class Writer:
    def __init__(self) -> None:
        self.written: list[str] = []

    def write(self, text: str) -> int:
        self.written.append(text)
        return 5


class Failing:
    def write(self, text: str) -> None:
        raise KeyError("w")


class Broken:
    write = 5
    read = 5


class Raising:
    @property
    def write(self) -> Any:
        raise AttributeError("w")


def test_dump() -> None:
    for args, kwargs in (
        (([1, "é/"],), {}),
        (([1, "é/"],), {"ensure_ascii": False, "indent": 2}),
        (([object],), {}),
        (([1],), {"nope": 1}),
        (([1],), {"obj": 1}),
        (([1],), {"fp": 1}),
    ):
        writers = Writer(), Writer()
        got = outcome(ours.dump, *args, writers[0], **kwargs)
        assert got == outcome(theirs.dump, *args, writers[1], **kwargs)
        assert writers[0].written == writers[1].written
    for args in (
        (), (1,), (1, 2, 3), (1, None), (1, Broken()), (1, Raising()), (1, Failing()),
        (object, Failing()), (1, io.BytesIO()),
    ):  # fmt: skip
        assert outcome(ours.dump, *args) == outcome(theirs.dump, *args)
    for kwargs in ({"obj": 1, "fp": io.StringIO()}, {"fp": io.StringIO()}):
        assert outcome(ours.dump, **kwargs) == outcome(theirs.dump, **kwargs)
        assert outcome(ours.dump, 1, **kwargs) == outcome(theirs.dump, 1, **kwargs)


def test_the_module() -> None:
    assert ours.__version__ == theirs.__version__
    names = {name for name in dir(theirs) if not name.startswith("_")}
    assert set(ours.__all__) == names | {"__version__"}
    assert ours.JSONDecodeError.__mro__[1:] == theirs.JSONDecodeError.__mro__[1:]
    for name in names - {"JSONDecodeError"}:
        function, original = getattr(ours, name), getattr(theirs, name)
        assert function.__name__ == original.__name__ == name
        assert function.__qualname__ == original.__qualname__
        assert function.__module__ == ours.__name__
        assert pickle.loads(pickle.dumps(function)) is function
        assert type(function) is type(original)
        with pytest.raises(ValueError, match="no signature"):
            inspect.signature(function)


@given(
    trees(surrogates=True),
    st.fixed_dictionaries(
        {},
        optional={
            **{name: st.booleans() for name in (*SWITCHES, "sort_keys", "allow_nan")},
            "indent": st.integers(-2, 5),
            "separators": st.none() | st.tuples(st.text(max_size=8), st.text(max_size=8)),
        },
    ),
)
def test_trees(tree: Any, options: dict[str, Any]) -> None:
    check(tree, **options)


class TestOnPurpose:
    """Where it differs: see docs/ujson.md."""

    def test_members_from_default_are_sorted_and_kept(self) -> None:
        members = {"b": 1, "a": 2}
        assert theirs.dumps(object, default=lambda value: members, sort_keys=True) == "{}"
        got = ours.dumps(object, default=lambda value: members, sort_keys=True)
        assert got == '{"a":2,"b":1}'

    def test_nothing_runs_after_an_error(self) -> None:
        key = Key(3)
        if not hasattr(sys, "gettotalrefcount"):
            # A debug build of Python ends the process there.
            with pytest.raises(SystemError):
                theirs.dumps([{key: 1}, {key: 1}])
        # The interpreter's own message: it has another one from 3.15 on.
        with pytest.raises(TypeError, match=r"returned non-string|must return a str"):
            ours.dumps([{key: 1}, {key: 1}])

    def test_a_dict_that_changes_meanwhile(self) -> None:
        members: dict[str, Any] = {"a": object, "b": 1}

        def default(value: Any) -> int:
            members[str(len(members))] = 1
            return 1

        with pytest.raises(RuntimeError, match="changed size"):
            ours.dumps(members, default=default)
