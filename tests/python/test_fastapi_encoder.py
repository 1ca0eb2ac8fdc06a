"""`linecaster.fastapi` against FastAPI's encoder and Starlette's response."""

import collections
import dataclasses
import datetime as dt
import decimal
import enum
import ipaddress
import math
import pathlib
import re
import sys
import types
import uuid
from typing import Any

import pytest
from frameworks import need
from hypothesis import given
from hypothesis import strategies as st

encoders = need("fastapi.encoders")
responses = need("starlette.responses")
pydantic = need("pydantic")
networks = need("pydantic.networks")
pydantic_core = need("pydantic_core")

from linecaster.fastapi import encode, jsonable_encoder  # noqa: E402


class Color(enum.Enum):
    RED = "red"
    WHEN = dt.date(2026, 1, 2)
    NEST = {"a": {1}}


class Number(enum.IntEnum):
    ONE = 1


class Word(str, enum.Enum):
    A = "a"


class Own(str):
    pass


class Whole(int):
    pass


class Rows(list):
    pass


class Table(dict):
    pass


class Fewer(dict):
    def keys(self):
        return ["a"]


class Other(dict):
    def items(self):
        return [("b", 2), ["a", {1}]]


class Odd(dict):
    def items(self):
        return [(1, 2, 3)]


class Attributes(dict):
    """A dict whose members are its attributes, which hide its methods."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.__dict__ = self


class Pair(collections.namedtuple("Pair", "x y")):
    pass


@dataclasses.dataclass
class Point:
    x: int = 1
    y: Any = None


@dataclasses.dataclass(frozen=True)
class Key:
    x: int = 1


class Copied:
    def __deepcopy__(self, memo):
        return "copied"


class Plain:
    def __init__(self, **members):
        self.__dict__.update(members)


class Slotted:
    __slots__ = ("a",)


class Mapping:
    def keys(self):
        return ["a", "b"]

    def __getitem__(self, key):
        return key * 2


class Pairs:
    def __iter__(self):
        return iter([("a", 1), ("b", {2})])


class Lying:
    @property
    def __class__(self):
        return int


class Dynamic:
    def __getattr__(self, name):
        raise AttributeError(name)


class Failing:
    def __getattribute__(self, name):
        raise KeyError(name)


class Endless:
    @property
    def __dict__(self):
        return self


class Noisy(Exception):
    pass


class Broken:
    def __iter__(self):
        raise Noisy("no items")

    @property
    def __dict__(self):
        raise Noisy("no members")


class Item(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(arbitrary_types_allowed=True)

    name: str = pydantic.Field(default="é", alias="Name")
    when: dt.datetime | None = None
    price: decimal.Decimal = decimal.Decimal("1.10")
    tags: set[str] = set()
    private: Any = None


class Root(pydantic.RootModel):
    root: list[int] = [1, 2]


class Written(pydantic.BaseModel):
    a: int = 1

    @pydantic.field_serializer("a")
    def spell_a(self, value):
        return f"<{value}>"

    @pydantic.computed_field
    @property
    def b(self) -> str:
        return "b"


class Extra(pydantic.BaseModel, extra="allow"):
    _hidden: int = 1


class Deaf(pydantic.BaseModel):
    def model_dump(self, **options):
        return {"_sa_x": 1, "options": sorted(options), "none": None, "set": {1}}


@pydantic.dataclasses.dataclass
class Checked:
    x: int = 1


ITEM = Item(Name="n", when=dt.datetime(2026, 1, 2, 3), tags={"t"}, private={"_sa_a": 1, "b": None})


def values():
    """Values of every kind, made anew."""
    return [
        None, True, False, 0, -1, 10**30, 1.5, "", "é€😀", [], {}, (), set(), frozenset(),
        math.inf, [1, [2, [3, []]]], {"a": {"b": {"c": {}}}}, [[], {}, ()], (1, "a", [None]),
        {"_sa_x": 1, "_sb": 2, "_sa": 3, "_s": 4, "sa": 5}, {"_saé": 1, "é": 2, "_sa\u20ac": 3},
        {"_sa😀": 1, "😀": [1]}, {"a": None, "b": [None]}, [None, {"a": None}], {1: 2, None: 3},
        {True: 1, 1.5: [2]}, {"a": 1, 2: {"b": (1,)}}, {(1, 2): 3}, {"a": {(1,): 2}},
        {uuid.UUID(int=1): uuid.UUID(int=2)}, {pathlib.PurePosixPath("/a"): 1}, {Color.RED: 1},
        {Color.NEST: 1}, {Key(): 1}, {frozenset({1}): 2}, {Own("_sa_a"): 1, Own("b"): Own("c")},
        {b"k": 1}, {dt.date(2026, 1, 1): dt.date(2026, 1, 2)}, {Own("k"): [1, {2}]},
        Own("x"), Whole(3), Number.ONE, Word.A, Color.RED, Color.WHEN, Color.NEST, [Color.NEST],
        {"a": Color.WHEN}, uuid.UUID(int=7), dt.date(2026, 1, 2), dt.time(1, 2, 3, 4),
        dt.datetime(2026, 1, 2), dt.datetime(2026, 1, 2, tzinfo=dt.timezone.utc),
        dt.datetime(2026, 1, 2, 3, 4, 5, 6, dt.timezone(dt.timedelta(hours=5, minutes=30))),
        dt.timedelta(days=1, microseconds=5), dt.timedelta(0),
        *map(decimal.Decimal, ["1E+3", "1", "1.0", "-0", "0.1", "1E-400", "1E400", "NaN",
                               "Infinity", "-12345678901234567890.5", "9" * 40, "1E+40"]),
        b"bytes", b"\xff", bytearray(b"x"), memoryview(b"x"), range(3), map(str, [1]), 1j, object(),
        {"a": 1}.keys(), {"a": 1}.items(), {"a": 1}.values(), zip("ab", "cd", strict=True),
        iter([1]), (x for x in (1, {2}, "a")), collections.deque([1, {2}]), {"a"}, frozenset({1.5}),
        pathlib.PurePosixPath("/a/b"), pathlib.Path("x"), pathlib.PureWindowsPath("c:\\x"),
        ipaddress.ip_address("1.2.3.4"), ipaddress.ip_network("::/64"),
        ipaddress.ip_interface("1.2.3.4/5"), re.compile("a+"), pydantic.SecretStr("s"),
        pydantic.SecretBytes(b"s"), pydantic.SecretStr(""), networks.AnyUrl("http://a.b/c"),
        networks.HttpUrl("http://a.b"), pydantic_core.Url("http://x.y/"),
        pydantic_core.PydanticUndefined, [pydantic_core.PydanticUndefined],
        Rows([1, {2}]), Table(a=1, _sa_b=2, c=None), Fewer(a=1, b=2), Other(b=1, a=2, c=3),
        Odd(a=1), Attributes(a=1), Attributes(items=[1]), collections.OrderedDict(b=1, a={2}),
        collections.defaultdict(list, a=[1]), collections.Counter("aab"),
        collections.ChainMap({"a": 1}), types.MappingProxyType({"a": {1}}),
        types.SimpleNamespace(a=1, _sa_b=2, c={3}), Pair(1, {2}), Point(), Point(y={"a": {1, 2}}),
        Point(y=[Point(), (Point(),), Pair(1, Point()), {"k": Point()}, {Key(): 1}]),
        Point(y=Copied()), Point(y=uuid.UUID(int=3)), Point(y=Color.RED), Point(y=ITEM),
        Point(y=Table(a=Point())), Point(y=collections.defaultdict(list, a=[Point()])),
        Key(), Checked(), [Point()] * 3, {"a": Point()}, Point, Plain, Item, Color, int,
        Copied(), Plain(a=1, _sa_b={2}, c=Plain(d=None)), Plain(), Slotted(), Mapping(), Pairs(),
        Plain(keys=lambda: ["a"]), Plain(keys=1), Lying(), Dynamic(), Failing(), Broken(),
        Noisy("x"), lambda: 1, len, math, types, ITEM, [ITEM, ITEM], {"item": ITEM, "n": None},
        Root(), {"r": Root()}, Written(), Extra(a=1, b={2}, _sa_c=3), Deaf(), [Deaf()],
        Item(), {"a": [{"b": (Item(), {"c": Point(), "d": uuid.UUID(int=1)})}], "e": None},
        [{"a": 1, "b": [1, 2]}, {"a": 2, "b": [{"c": ()}]}], [[1, 2], [3, [4]], "x"],
        {"a": [1], "b": 2, "c": {"d": [3]}, "e": "f"}, {str(i): [i] for i in range(50)},
        {str(i): i for i in range(200)}, [str(i) for i in range(300)], "\ud800", ["\udfff"],
        {"\ud800": 1}, [b"\xff", math.nan], [math.nan, b"\xff"], {"a": math.nan, "b": 1j},
    ]  # fmt: skip


OPTIONS: list[dict[str, Any]] = [
    {},
    {"exclude_none": True},
    {"sqlalchemy_safe": False},
    {"exclude_unset": True},
    {"exclude_defaults": True},
    {"by_alias": False},
    {"include": {"a", "name", "x"}},
    {"exclude": {"a", "name", "y"}},
    {"include": {"a", "b"}, "exclude": {"b"}},
    {"include": set()},
    {"include": ["a", "Name"]},
    {"exclude": ("a", "root")},
    {"include": {"a": {"b"}, "private": {"b"}, "y": True}},
    {"exclude": {"y": {"x"}, "private": {"b": True}}},
    {"include": {"a": ...}, "by_alias": False, "exclude_none": True},
    {"include": frozenset({"a"}), "exclude_none": 1},
    {"exclude": {1}},
    {"include": 3},
    {"exclude": [[]]},
    {"exclude": iter(())},
    {"by_alias": None, "exclude_unset": True, "exclude_none": True},
    {"custom_encoder": {}},
    {"custom_encoder": {int: lambda value: f"int {value}"}},
    {"custom_encoder": {str: str.upper}},
    {"custom_encoder": {dict: len, list: lambda value: [value]}},
    {"custom_encoder": {object: lambda value: type(value).__name__}},
    {"custom_encoder": {uuid.UUID: lambda value: value.int, enum.Enum: lambda value: value.name}},
    {"custom_encoder": {dt.date: repr, pydantic.BaseModel: lambda value: {"model": {1}}}},
    {"custom_encoder": {set: sorted, decimal.Decimal: str}, "include": {"a"}},
    {"custom_encoder": {(int, str): repr}},
    {"custom_encoder": {bool: repr}},
    {"custom_encoder": {type(None): repr}},
    {"custom_encoder": {Plain: vars, Point: dataclasses.astuple}},
    {"custom_encoder": {collections.abc.Mapping: len}},
    {"custom_encoder": {uuid.UUID: str, 3: 4}},
    {"custom_encoder": {tuple: sum, Table: dict}},
    {"custom_encoder": {dt.datetime: str}, "exclude_none": True},
    {"custom_encoder": {"a": repr}},
    {"custom_encoder": collections.OrderedDict({int: str, object: repr})},
    {"custom_encoder": {str: lambda value: 1 / 0}, "include": 3},
    {"sqlalchemy_safe": False, "exclude_none": True, "exclude_unset": True},
]


def told(error):
    """An error with what led to it."""
    if error is None:
        return None
    args = [told(part) if isinstance(part, BaseException) else part for part in error.args]
    if args and isinstance(args[0], list):
        args[0] = [told(part) for part in args[0]]
    return type(error), re.sub("0x[0-9a-f]+", "0x", repr(args)), told(error.__cause__)


def shape(value):
    """A value that compares by type and order, too; NaN equals NaN."""
    if type(value) is dict:
        return [dict, [(shape(key), shape(item)) for key, item in value.items()]]
    if type(value) is list:
        return [list, [shape(item) for item in value]]
    return [type(value), re.sub("0x[0-9a-f]+", "0x", repr(value))]


def outcome(function, *args, **kwargs):
    try:
        return shape(function(*args, **kwargs))
    except Exception as error:
        return told(error)


def body(value, **options):
    return responses.JSONResponse(encoders.jsonable_encoder(value, **options)).body


def same(make, **options):
    expected = outcome(encoders.jsonable_encoder, make(), **options)
    assert outcome(jsonable_encoder, make(), **options) == expected
    expected = outcome(body, make(), **options)
    assert outcome(encode, make(), **options) == expected


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@pytest.mark.parametrize("options", OPTIONS, ids=repr)
def test_values(options):
    for wrap in (lambda value: value, lambda value: [value], lambda value: {"a": value}):
        for alike in zip(values(), values(), values(), values(), strict=True):
            fresh = map(wrap, alike)
            same(lambda fresh=fresh: next(fresh), **options)


def test_signature():
    for args, kwargs in [
        ((), {}),
        ((1, 2, 3, 4, 5, 6, 7, 8, 9, 10), {}),
        ((1,), {"obj": 2}),
        ((1,), {"unknown": 2}),
        ((), {"obj": {"a": None}, "exclude_none": True}),
        (({"a": 1, "b": 2}, {"a"}, None, True, False, False, False, None, True), {}),
    ]:
        expected = outcome(encoders.jsonable_encoder, *args, **kwargs)
        assert outcome(jsonable_encoder, *args, **kwargs) == expected


def test_what_stands_for_itself_is_returned():
    for value in (Own("x"), Whole(3), 10**30, "text", 1.5, math.nan):
        assert jsonable_encoder(value) is value
        assert jsonable_encoder([value])[0] is value
    assert jsonable_encoder(Color.NEST) is Color.NEST.value


def test_two_places_two_copies():
    inner = [1]
    made = jsonable_encoder([inner, inner, {"a": inner}])
    assert made[0] is not made[1]
    assert made[0] is not inner
    assert made[2]["a"] is not inner
    original = {"a": 1, "b": "x"}
    made = jsonable_encoder(original)
    made["c"] = 2
    assert "c" not in original


def test_results_are_ordinary_containers():
    made = jsonable_encoder({"a": [1, 2, [3]], "b": {"c": {4}}})
    made["a"].append(5)
    made["a"].extend(range(10))
    made["b"].update(d=1, e=2, f=3)
    del made["a"][0]
    made["g"] = 1
    assert made == {"a": [2, [3], 5, *range(10)], "b": {"c": [4], "d": 1, "e": 2, "f": 3}, "g": 1}


def test_encoders_by_type_is_read_live(monkeypatch):
    class Late:
        pass

    class Later(Late):
        pass

    def check():
        for value in (Late(), [Later()], {"a": Late()}, uuid.UUID(int=1), {1}, Color.RED):
            same(lambda value=value: value)

    check()
    monkeypatch.setitem(encoders.ENCODERS_BY_TYPE, Late, lambda value: {"late": {1}})
    check()
    monkeypatch.setitem(encoders.ENCODERS_BY_TYPE, uuid.UUID, lambda value: value.int)
    monkeypatch.setitem(encoders.ENCODERS_BY_TYPE, set, lambda value: "never")
    check()
    monkeypatch.delitem(encoders.ENCODERS_BY_TYPE, uuid.UUID)
    check()
    monkeypatch.setattr(encoders, "ENCODERS_BY_TYPE", {Later: repr, Late: lambda value: 1})
    check()


def test_a_class_that_changes():
    class Changing:
        pass

    value = Changing()
    same(lambda: value)
    Changing.__iter__ = lambda self: iter([("a", 1)])
    same(lambda: value)
    Changing.__dataclass_fields__ = {}
    same(lambda: value)


def nested(depth, wrap, inner):
    for _ in range(depth):
        inner = wrap(inner)
    return inner


WRAPS = [
    lambda inner: [inner],
    lambda inner: (inner,),
    lambda inner: {"a": inner},
    lambda inner: {"a": 1, 2: inner},
    lambda inner: Plain(a=inner),
    lambda inner: collections.deque([inner]),
]


@pytest.mark.parametrize("wrap", WRAPS)
def test_depth(wrap):
    limit = sys.getrecursionlimit()
    frames = 0
    frame = sys._getframe()
    while frame is not None:
        frame, frames = frame.f_back, frames + 1
    for inner in (1, [], [1]):
        value = nested((limit - frames) // 4, wrap, inner)
        same(lambda value=value: value)
        value = nested(2 * limit, wrap, inner)
        expected = outcome(encoders.jsonable_encoder, value)
        assert expected[0] is RecursionError
        assert outcome(jsonable_encoder, value)[0] is RecursionError
        assert outcome(encode, value)[0] is RecursionError


def deepest(function, wrap):
    low, high = 0, 2000
    while low < high:
        middle = (low + high + 1) // 2
        try:
            function(nested(middle, wrap, []))
            low = middle
        except RecursionError:
            high = middle - 1
    return low


def test_depth_to_the_level():
    for wrap in WRAPS[:3]:
        expected = deepest(encoders.jsonable_encoder, wrap)
        assert abs(deepest(jsonable_encoder, wrap) - expected) <= 30


def test_the_text_of_too_deep():
    value = nested(5000, WRAPS[0], [])
    expected = outcome(encoders.jsonable_encoder, value)
    assert outcome(jsonable_encoder, value) == expected


def test_circles():
    items: list[Any] = [1]
    items.append({"a": (items,)})
    members: dict[str, Any] = {}
    members["self"] = members
    circle = Plain()
    circle.self = circle
    for value in (items, members, circle, Endless()):
        assert outcome(encoders.jsonable_encoder, value)[0] is RecursionError
        assert outcome(jsonable_encoder, value)[0] is RecursionError
        assert outcome(encode, value)[0] is RecursionError


def test_no_depth_ends_the_process():
    limit = sys.getrecursionlimit()
    value = nested(100_000, WRAPS[0], 1)
    keyed: Any = ()
    for _ in range(10_000):
        keyed = Plain(k={Hashed(keyed): 1})
    sys.setrecursionlimit(1_000_000)
    try:
        made = jsonable_encoder(value)
        for _ in range(100_000):
            (made,) = made
        assert made == 1
    finally:
        sys.setrecursionlimit(limit)
    with pytest.raises((RecursionError, TypeError)):
        jsonable_encoder(keyed)


class Hashed:
    def __init__(self, inner):
        self.inner = inner


class Meddling:
    """Changes a container while it is encoded."""

    def __init__(self, change):
        self.change = change

    def keys(self):
        self.change()
        return []

    def __getitem__(self, key):
        raise AssertionError


def clear_or_grow(kind):
    """Containers that change while they are encoded, and how."""

    def changing(change, make):
        container = make(Meddling(lambda: change(container)))
        return container

    lists = [
        lambda value: value.clear(),
        lambda value: value.append([9]) if len(value) < 6 else None,
        lambda value: value.__setitem__(slice(2, None), []),
        lambda value: value.__setitem__(2, {"new": {1}}),
        lambda value: value.insert(0, 0) if len(value) < 8 else None,
    ]
    dicts = [
        lambda value: value.clear(),
        lambda value: value.update(new=1),
        lambda value: value.update(c={"new": {1}}),
        lambda value: value.update(a=2),
        lambda value: value.pop("c", None),
        lambda value: [value.pop("c", None), value.setdefault("d", [5])],
        lambda value: [value.pop("a", None), value.setdefault("z", [5])],
    ]
    if kind == "list":
        return [
            changing(change, lambda meddling, make=make: make(meddling))
            for change in lists
            for make in (lambda m: [1, m, 2, [3]], lambda m: [m, [1], m, 4], lambda m: [1, 2, 3, m])
        ]
    return [
        changing(change, lambda meddling, make=make: make(meddling))
        for change in dicts
        for make in (
            lambda m: {"a": 1, "b": m, "c": [3]},
            lambda m: {"a": m, "b": [1], "c": m},
            lambda m: {"a": 1, "b": 2, "c": m},
            lambda m: {"a": 1, "b": m, "c": None, "_sa": 4},
            lambda m: {1: 2, "a": m, "c": 3},
        )
    ]


@pytest.mark.parametrize("kind", ["list", "dict"])
def test_containers_that_change(kind):
    for i in range(len(clear_or_grow(kind))):
        for options in ({}, {"exclude_none": True}, {"include": {"a", "b", "c"}}):
            expected = outcome(encoders.jsonable_encoder, clear_or_grow(kind)[i], **options)
            assert outcome(jsonable_encoder, clear_or_grow(kind)[i], **options) == expected


def test_generators_that_fail():
    def failing():
        yield 1
        raise Noisy("stop")

    same(lambda: [failing()])
    same(lambda: {"a": failing(), "b": 2})


def test_a_filter_that_is_used_up():
    expected = encoders.jsonable_encoder([{"a": 1, "b": 2}] * 3, include=iter("a"))
    assert expected == [{"a": 1}] * 3
    assert jsonable_encoder([{"a": 1, "b": 2}] * 3, include=iter("a")) == [{"a": 1}] * 3


def test_old_models_are_refused():
    if sys.version_info >= (3, 14):
        pytest.skip("no pydantic.v1")
    v1 = need("pydantic.v1")

    class Old(v1.BaseModel):
        a: int = 1

    for value in (Old(), [Old()], {"a": Old()}):
        same(lambda value=value: value)


def test_custom_encoder_that_grows():
    def make():
        table: dict[Any, Any] = {}
        table[uuid.UUID] = lambda value: table.setdefault(list, len) and "first"
        return table

    value = [uuid.UUID(int=1), [1], {"a": [uuid.UUID(int=1)], "b": [2]}]
    expected = outcome(encoders.jsonable_encoder, value, custom_encoder=make())
    assert outcome(jsonable_encoder, value, custom_encoder=make()) == expected


def test_custom_encoder_that_changes_itself():
    def make():
        table: dict[Any, Any] = {}
        table[int] = lambda value: table.clear() or "gone"
        return table

    expected = outcome(encoders.jsonable_encoder, [1, 2, {3}], custom_encoder=make())
    assert outcome(jsonable_encoder, [1, 2, {3}], custom_encoder=make()) == expected


def odd():
    """Values that end the walk in one way or another, each made anew."""
    return [
        Plain(a=1), ITEM, math.nan, "\ud800", b"\xff", Color.WHEN, {1: "é"}, object(), Broken(),
        {uuid.UUID(int=1): [math.inf]}, {"\udfff": 1}, 10**5000, Point(y=Copied()),
        (x for x in "ab"), Own("\ud800"), Plain(a="\ud800", b="é"), [[[math.nan]]],
        {"a": {"b": {1, 2}}}, 10**30,
    ]  # fmt: skip


ODD = len(odd())


@pytest.mark.parametrize("first", range(ODD))
def test_which_error_wins(first):
    for second in range(ODD):
        for third in (0, 2, 3, 7, second):
            for wrap in (
                lambda a, b, c: [a, 1, b, [c]],
                lambda a, b, c: {"a": a, "_sa": c, "b": {"x": [b], "y": 1}, "c": (c, 2)},
                lambda a, b, c: [[{"a": [a]}], {"b": b}, c],
            ):

                def make(wrap=wrap, second=second, third=third):
                    return wrap(*[odd()[index] for index in (first, second, third)])

                same(make)


def test_deep_after_code_has_run():
    for depth in (100, 190, 210, 300):
        for wrap in WRAPS[:3]:
            value = [Plain(a=1), nested(depth, wrap, 1), math.nan]
            same(lambda value=value: value)
            same(lambda value=value: value[:2])
    circle = [Plain(a=1)]
    circle.append(circle)
    assert outcome(encode, circle)[0] is outcome(body, circle)[0] is RecursionError


def test_long_strings_and_many_members():
    for text in ("é" * 100_000, "€" * 100_000, "😀" * 70_000, "x" * 200_000 + "\ud800"):
        same(lambda text=text: {"a": [text, Plain(a=text)], text: text})
    same(lambda: {f"key {i}é": [i, {"_sa": 1, "n": None}] for i in range(20_000)})
    same(lambda: {f"{i}": None for i in range(5_000)}, exclude_none=True)
    same(lambda: {f"_sa{i}": {"_sa": 1} for i in range(5_000)})


ATOMS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.uuids(),
    st.datetimes(), st.dates(), st.times(), st.timedeltas(), st.decimals(), st.binary(max_size=4),
    st.sampled_from([Color.RED, Color.WHEN, Number.ONE, Word.A, Own("_sa"), Whole(2), Copied(),
                     ITEM, Root(), Written(), pathlib.PurePosixPath("/x"), Key(), object()]),
)  # fmt: skip
NAMES = st.one_of(
    st.text(max_size=4), st.sampled_from(["a", "b", "x", "_sa", "_sa_x", "_s", "root", "name"])
)
KEYS = st.one_of(
    NAMES, NAMES, NAMES, st.integers(), st.none(), st.uuids(),
    st.sampled_from([Color.RED, Number.ONE, Word.A, Own("_sa"), Own("k"), (1,), Key()]),
)  # fmt: skip
TREES = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.lists(inner, max_size=3).map(collections.deque),
        st.dictionaries(NAMES, inner, max_size=4),
        st.dictionaries(NAMES, inner, max_size=4),
        st.dictionaries(KEYS, inner, max_size=3),
        st.dictionaries(NAMES, inner, max_size=3).map(collections.OrderedDict),
        st.dictionaries(NAMES, inner, max_size=3).map(lambda members: Plain(**members)),
        st.builds(Point, x=inner, y=inner),
        st.builds(lambda private: Item(private=private), inner),
        st.builds(Pair, inner, inner),
        st.sets(st.integers(), max_size=3),
    ),
    max_leaves=12,
)
CHOICES = st.fixed_dictionaries(
    {},
    optional={
        "include": st.one_of(st.none(), st.sets(NAMES), st.lists(NAMES)),
        "exclude": st.one_of(st.none(), st.sets(NAMES), st.dictionaries(NAMES, st.just(True))),
        "by_alias": st.booleans(),
        "exclude_unset": st.booleans(),
        "exclude_defaults": st.booleans(),
        "exclude_none": st.booleans(),
        "sqlalchemy_safe": st.booleans(),
        "custom_encoder": st.sampled_from(
            [None, {}, {int: str}, {dict: list, str: len}, {uuid.UUID: repr, enum.Enum: repr}]
        ),
    },
)


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@given(TREES, CHOICES)
def test_trees(value, options):
    same(lambda: value, **options)


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@given(TREES)
def test_trees_without_options(value):
    same(lambda: value)
