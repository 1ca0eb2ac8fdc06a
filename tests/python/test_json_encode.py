"""`linecaster.json` writes what `json` writes, and raises what it raises."""

import datetime as dt
import enum
import json
import sys
from collections import Counter, OrderedDict, defaultdict, namedtuple
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import linecaster.json as ours
import pytest
from hypothesis import given
from hypothesis import strategies as st
from json_outcomes import Writer, outcome
from strategies import leaves, texts, trees

nan, inf = float("nan"), float("inf")


class Color(enum.IntEnum):
    RED = 1


class Loud(int):
    def __repr__(self) -> str:
        return "loud"


class LoudFloat(float):
    def __repr__(self) -> str:
        return "loud"


class Name(str):
    __slots__ = ()


class Reversed(list):  # type: ignore[type-arg]
    def __iter__(self) -> Iterator[Any]:
        return reversed([*super().__iter__()])


class Items(dict):  # type: ignore[type-arg]
    def items(self) -> Any:
        return [("x", 1), ("y", 2)]


class NoPairs(dict):  # type: ignore[type-arg]
    def items(self) -> Any:
        return [(1, 2, 3)]


class NotIterable(dict):  # type: ignore[type-arg]
    def items(self) -> Any:
        return 5


class Failing(list):  # type: ignore[type-arg]
    def __iter__(self) -> Iterator[Any]:
        raise KeyError("iter")


Point = namedtuple("Point", "x y")


def moved() -> OrderedDict[str, int]:
    ordered = OrderedDict(a=1, b=2, c=3)
    ordered.move_to_end("a")
    return ordered


def circular() -> list[Any]:
    items: list[Any] = [1]
    items.append({"x": items})
    return items


def nested(depth: int, *, key: str | None = None) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value] if key is None else {key: value}
    return value


VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    2**63,
    2**64,
    -(2**70),
    10**400,
    1.5,
    -0.0,
    1e16,
    1e-5,
    nan,
    inf,
    -inf,
    "",
    "a",
    "é",
    "漢",
    "😀",
    "\ud800",
    '\x7f\x00"\\/\u2028',
    [],
    {},
    (),
    [[]],
    [{}],
    {"a": []},
    {"a": {}},
    [1, [2, [3, {"a": [None, True, 1.5]}]]],
    {"é": "ü", "漢": ["😀"]},
    Color.RED,
    Loud(5),
    Loud(2**70),
    LoudFloat(2.5),
    LoudFloat(nan),
    Name("é"),
    [Name("x")],
    Reversed([1, 2, 3]),
    Reversed(),
    Items(a=1),
    Items(),
    Point(1, [2]),
    moved(),
    Counter("abca"),
    defaultdict(int, a=1),
    {"d": defaultdict(list, b=[1])},
    {1: 1, 1.5: 2, False: 3, None: 4, "x": 5},
    {nan: 1},
    {inf: [1]},
    {Color.RED: 1, Loud(7): 2},
    {LoudFloat(1.5): 1},
    {Name("k"): 1},
    {2**70: 1},
    {False: 0},
    {(1, 2): 3},
    {"a": {(1,): 2}},
    {b"x": 1},
    {dt.date(2020, 1, 1): 1},
    {1j: 1},
    {"b": 1, "a": {"d": 1, "c": 2}},
    {1: 1, "a": 2},
    {2: 1, 1: 2, 10: 3},
    {None: 1, True: 2},
    [object()],
    {"a": object()},
    b"x",
    {1},
    1j,
    Decimal("1.5"),
    dt.datetime(2020, 1, 1),
    [1, (2, [{"a": object()}])],
    circular(),
    {"k": circular()},
    NoPairs(a=1),
    NotIterable(a=1),
    [Failing([1])],
    {"k": Failing([1])},
    10**5000,
    {10**5000: 1},
    [{"a": 10**5000}],
    nested(300),
    nested(300, key="k"),
    nested(700),
    nested(100_000),
    nested(100_000, key="k"),
]

OPTIONS: list[dict[str, Any]] = [
    {},
    {"ensure_ascii": False},
    {"indent": 2},
    {"indent": 0},
    {"indent": -1},
    {"indent": "\t"},
    {"indent": "é", "ensure_ascii": False},
    {"indent": True},
    {"indent": "漢"},
    {"separators": (",", ":")},
    {"separators": [" , ", " : "]},
    {"separators": ("→", "←")},
    {"separators": ("é", "漢"), "ensure_ascii": False},
    {"indent": 1, "separators": (", ", ":")},
    {"sort_keys": True},
    {"sort_keys": True, "indent": 1},
    {"skipkeys": True},
    {"skipkeys": True, "indent": 1},
    {"allow_nan": False},
    {"allow_nan": False, "indent": 1},
    {"check_circular": False},
    {"default": str},
    {"default": str, "indent": 1},
    {"default": lambda o: [str(type(o))]},
    {"default": lambda o: {"o": [1]}, "sort_keys": True},
    {"default": lambda o: OrderedDict(o=1)},
    {"default": lambda o: Point(1, "é")},
    {"default": lambda o: None},
    {"cls": json.JSONEncoder},
    {"cls": None, "indent": None, "default": None},
]


def ids(values: list[Any]) -> list[str]:
    return [str(i) for i in range(len(values))]


def dump(module: Any, value: Any, **options: Any) -> tuple[Any, str]:
    file = Writer()
    return outcome(module.dump, value, file, **options), file.text


# A failure in `default` cannot be found out by asking json again, and what
# goes on the stack differs.
def same(mine: Any, theirs: Any) -> bool:
    if isinstance(theirs, tuple) and theirs and theirs[0] is RecursionError:
        return isinstance(mine, tuple) and mine[0] is RecursionError
    return bool(mine == theirs)


@pytest.mark.parametrize("options", OPTIONS, ids=ids(OPTIONS))
def test_dumps(options: dict[str, Any]) -> None:
    for value in VALUES:
        if options.get("check_circular") is False and "circular" in repr(type(value)):
            continue
        assert same(outcome(ours.dumps, value, **options), outcome(json.dumps, value, **options))


@pytest.mark.parametrize("options", OPTIONS[::2], ids=ids(OPTIONS[::2]))
def test_dump(options: dict[str, Any]) -> None:
    for value in VALUES[:-5]:
        mine, theirs = dump(ours, value, **options), dump(json, value, **options)
        assert same(mine[0], theirs[0])
        assert mine[1] == theirs[1] or (theirs[0] is not None and theirs[0][0] is RecursionError)


@pytest.mark.parametrize("options", OPTIONS[1::3], ids=ids(OPTIONS[1::3]))
def test_encoder(options: dict[str, Any]) -> None:
    options = {name: value for name, value in options.items() if name != "cls"}
    mine, theirs = ours.JSONEncoder(**options), json.JSONEncoder(**options)
    for value in VALUES[:-5]:
        assert same(outcome(mine.encode, value), outcome(theirs.encode, value))
        chunks = [outcome(lambda e=e, v=value: "".join(e.iterencode(v))) for e in (mine, theirs)]
        assert same(*chunks)


@given(
    trees(surrogates=True), st.booleans(), st.sampled_from([None, 0, 3, "\t", "é"]), st.booleans()
)
def test_trees(value: Any, ensure_ascii: bool, indent: Any, sort_keys: bool) -> None:
    options = {"ensure_ascii": ensure_ascii, "indent": indent, "sort_keys": sort_keys}
    assert outcome(ours.dumps, value, **options) == outcome(json.dumps, value, **options)


KEYS = st.one_of(
    texts(surrogates=True), st.integers(), st.floats(), st.booleans(), st.none(), st.binary()
)


@given(
    st.dictionaries(
        KEYS, st.one_of(leaves(), st.dictionaries(KEYS, leaves(), max_size=3)), max_size=5
    ),
    st.fixed_dictionaries(
        {},
        optional={
            "skipkeys": st.booleans(),
            "sort_keys": st.booleans(),
            "allow_nan": st.booleans(),
            "indent": st.integers(-1, 3),
            "ensure_ascii": st.booleans(),
        },
    ),
)
def test_keys(value: Any, options: dict[str, Any]) -> None:
    assert outcome(ours.dumps, value, **options) == outcome(json.dumps, value, **options)


@pytest.mark.parametrize(
    "options",
    [
        {"indent": 1.5},
        {"indent": []},
        {"indent": 10**30},
        {"separators": 5},
        {"separators": (",",)},
        {"separators": (1, 2)},
        {"separators": ",:"},
        {"separators": (",", ":", ";")},
        {"foo": 1},
        {"default": 5},
        {"cls": 5},
        {"cls": dict},
        {"sort_keys": None},
        {"skipkeys": [1]},
        {"cls": json.JSONEncoder, "foo": 1},
    ],
    ids=str,
)
@pytest.mark.parametrize("value", [[1, "a"], {"a": object()}, "é"], ids=["list", "object", "str"])
def test_odd_options(value: Any, options: dict[str, Any]) -> None:
    assert outcome(ours.dumps, value, **options) == outcome(json.dumps, value, **options)
    assert dump(ours, value, **options) == dump(json, value, **options)


def test_odd_calls() -> None:
    for args in [(), (1, 2), (1, 2, 3)]:
        assert outcome(ours.dumps, *args) == outcome(json.dumps, *args)
    assert outcome(ours.dump, 1) == outcome(json.dump, 1)
    assert outcome(ours.dump, 1, 2) == outcome(json.dump, 1, 2)
    assert outcome(ours.dump, [object()], 2) == outcome(json.dump, [object()], 2)
    assert outcome(ours.dumps, 1, obj=2) == outcome(json.dumps, 1, obj=2)
    assert ours.dumps(obj=[1]) == "[1]"
    file = Writer()
    ours.dump(fp=file, obj=[1])
    assert file.text == "[1]"


class Boom(Exception):
    pass


def boom(value: Any) -> Any:
    raise Boom(value.__class__.__name__)


DEFAULTS: list[Any] = [
    boom,
    lambda o: o,
    lambda o: [o],
    lambda o: {"o": o},
    lambda o: {1j: 2},
    lambda o: nan,
    lambda o: [nan],
    lambda o: 10**5000,
    lambda o: {"a": [1, {"b": 10**5000}]},
    lambda o: circular(),
    lambda o: Failing([1]),
    lambda o: {2: 1, "a": 2},
    lambda o: b"x" if type(o) is object else "y",
    lambda o: Items(a=[{}]),
    lambda o: {},
    lambda o: [],
    lambda o: Name("é"),
    lambda o: Loud(2**80),
]


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("default", DEFAULTS, ids=ids(DEFAULTS))
def test_default(default: Any, indent: int | None) -> None:
    values = [
        object(),
        [object()],
        {"a": [1, (2, object())], "b": 3},
        [object(), "é", {"x": object()}],
    ]
    for value in values:
        for options in ({}, {"allow_nan": False}, {"sort_keys": True}, {"ensure_ascii": False}):
            options = {"default": default, "indent": indent, **options}
            mine, theirs = (
                outcome(ours.dumps, value, **options),
                outcome(json.dumps, value, **options),
            )
            assert same(mine, theirs)
            mine, theirs = dump(ours, value, **options), dump(json, value, **options)
            assert same(mine[0], theirs[0])


@pytest.mark.parametrize("check_circular", [True, False])
def test_endless_default(check_circular: bool) -> None:
    class Endless(ours.JSONEncoder):
        def default(self, o: Any) -> Any:
            return [object()]

    with pytest.raises(RecursionError):
        Endless(check_circular=check_circular).encode(object())


def test_default_is_called_as_often() -> None:
    for value in ([object()] * 3, {"a": object(), "b": [object()]}):
        calls: list[list[Any]] = [[], []]
        for module, made in zip((ours, json), calls, strict=True):

            def default(o: Any, made: list[Any] = made) -> Any:
                made.append(type(o))
                return 1.5 if type(o) is object else o

            module.dumps(value, default=default)
        assert calls[0] == calls[1]


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("gaps", [False, True])
def test_mutation(indent: int | None, gaps: bool) -> None:
    def add(value: dict[str, Any]) -> None:
        value.update(q=1, r=2, s=3)

    def swap(value: dict[str, Any]) -> None:
        value.pop("z", None)
        value["q"] = 1

    def clear(value: dict[str, Any]) -> None:
        value.clear()

    def replace(value: dict[str, Any]) -> None:
        value["z"] = "new"

    for change in (add, swap, clear, replace):
        results = []
        for module in (ours, json):
            inner: dict[str, Any] = {f"k{i}": i for i in range(6)} if gaps else {}
            inner.update({"a": object(), "b": 1, "z": 2})
            for i in range(0, 6, 2) if gaps else ():
                del inner[f"k{i}"]

            def default(_: Any, inner: dict[str, Any] = inner, change: Any = change) -> str:
                change(inner)
                return "m"

            results.append(outcome(module.dumps, [inner], default=default, indent=indent))
        assert results[0] == results[1]


def test_list_mutation() -> None:
    results = []
    for module in (ours, json):
        items = [object()] * 10

        def crasher(_: Any, items: list[Any] = items) -> None:
            del items[-1]

        results.append(module.dumps(items, default=crasher))
    assert results[0] == results[1] == "[null, null, null, null, null]"


def pair(**members: Any) -> tuple[Any, Any]:
    """A subclass of either encoder with these members."""
    return tuple(type("Own", (m.JSONEncoder,), dict(members)) for m in (ours, json))  # type: ignore[return-value]


SUBCLASSES: list[dict[str, Any]] = [
    {"default": lambda self, o: "d"},
    {"item_separator": ";", "key_separator": "="},
    {"encode": lambda self, o: "encoded"},
    {"iterencode": lambda self, o, _one_shot=False: iter(["a", "b"])},
    {"iterencode": lambda self, o, _one_shot=False: iter([str(_one_shot)])},
    {"__init__": lambda self, **options: None},
    {"default": staticmethod(lambda o: "s")},
]


@pytest.mark.parametrize("members", SUBCLASSES, ids=ids(SUBCLASSES))
def test_subclasses(members: dict[str, Any]) -> None:
    mine, theirs = pair(**members)
    for value in ({"a": [1, 2]}, [object()], "é", {"x": object(), "y": nan}):
        for options in ({}, {"indent": 1}, {"sort_keys": True, "ensure_ascii": False}):
            a = outcome(ours.dumps, value, cls=mine, **options)
            assert a == outcome(json.dumps, value, cls=theirs, **options)
            assert a == outcome(ours.dumps, value, cls=theirs, **options)
            assert dump(ours, value, cls=mine, **options) == dump(
                json, value, cls=theirs, **options
            )
        assert outcome(lambda v=value: mine().encode(v)) == outcome(
            lambda v=value: theirs().encode(v)
        )


def test_super() -> None:
    class Own(ours.JSONEncoder):
        def __init__(self, *, mark: str = "", **options: Any) -> None:
            super().__init__(**options)
            self.mark = mark

        def default(self, o: Any) -> Any:
            if isinstance(o, set):
                return sorted(o)
            return super().default(o)

        def encode(self, o: Any) -> str:
            return self.mark + super().encode(o)

        def iterencode(self, o: Any, _one_shot: bool = False) -> Iterator[str]:
            yield from super().iterencode(o, _one_shot)
            yield "!"

    assert ours.dumps({1: {3, 2}}, cls=Own, mark="> ") == '> {"1": [2, 3]}!'
    with pytest.raises(TypeError, match="Object of type complex is not JSON serializable"):
        ours.dumps([1j], cls=Own)


def test_attributes_count() -> None:
    for name, value in [
        ("ensure_ascii", False),
        ("indent", 2),
        ("sort_keys", True),
        ("item_separator", ";"),
        ("key_separator", " = "),
        ("skipkeys", True),
        ("allow_nan", False),
        ("default", lambda o: "d"),
        ("check_circular", False),
        ("indent", 1.5),
        ("item_separator", 5),
    ]:
        encoders = ours.JSONEncoder(), json.JSONEncoder()
        for sample in ({"b": "é", "a": [1]}, {1j: 2}, [nan], [object()]):
            for encoder in encoders:
                setattr(encoder, name, value)
            mine, theirs = (outcome(encoder.encode, sample) for encoder in encoders)
            assert mine == theirs
    encoder = ours.JSONEncoder()
    del encoder.indent
    with pytest.raises(AttributeError):
        encoder.encode([1])


def test_iterencode_is_lazy() -> None:
    calls = []
    chunks = ours.JSONEncoder(default=calls.append).iterencode([object()])
    assert calls == []
    assert iter(chunks) is chunks
    assert "".join(chunks) == "[null]"
    assert next(chunks, None) is None
    assert len(calls) == 1
    for encoder in (ours.JSONEncoder(), json.JSONEncoder()):
        seen = []
        with pytest.raises(TypeError):
            seen.extend(chunk for chunk in encoder.iterencode([1, object()]))


def test_int_digits() -> None:
    before = sys.get_int_max_str_digits()
    try:
        sys.set_int_max_str_digits(0)
        assert ours.dumps([10**5000]) == json.dumps([10**5000])
    finally:
        sys.set_int_max_str_digits(before)
