"""`encode` of instances of dataclasses: text at once, or as FastAPI does it."""

import collections
import dataclasses
import datetime as dt
import decimal
import enum
import math
import uuid
from typing import Any

import pytest
from frameworks import need
from hypothesis import given, settings
from hypothesis import strategies as st

encoders = need("fastapi.encoders")
responses = need("fastapi.responses")

from linecaster.fastapi import encode, jsonable_encoder  # noqa: E402


class Color(enum.Enum):
    RED = "red"
    NONE = None
    ODD = (1, 2)


class Copied:
    def __deepcopy__(self, memo):
        return "copied"


class Copying(enum.Enum):
    ONE = 1

    def __deepcopy__(self, memo):
        return "a copy"


class Whole(int):
    pass


Pair = collections.namedtuple("Pair", "x y")


@dataclasses.dataclass
class Inner:
    x: Any = 1
    y: Any = None


@dataclasses.dataclass
class Outer:
    a: Any = 1
    b: Any = "text"
    _sa_c: Any = 2
    d: Any = dataclasses.field(default_factory=list)


@dataclasses.dataclass(slots=True)
class Slotted:
    a: Any = 1
    b: Any = None


@dataclasses.dataclass
class Defaulted:
    a: int = 1
    b: Any = None


@dataclasses.dataclass
class Getting:
    a: int = 1

    @property
    def b(self):
        return 2


@dataclasses.dataclass
class Empty:
    pass


VALUES = [
    1,
    True,
    None,
    1.5,
    math.nan,
    2**63,
    10**30,
    "text",
    "é\n",
    "\ud800",
    Whole(3),
    [],
    {},
    (),
    [1, [2, (3, None)]],
    {"k": {"l": [1]}, "_sa": 1, "n": None},
    {1: 2},
    {"é": 1},
    {1, 2},
    frozenset(["a"]),
    Pair(1, 2),
    collections.deque([1]),
    Color.RED,
    Color.NONE,
    Color.ODD,
    Copying.ONE,
    Copied(),
    object(),
    Inner(),
    Inner(y=Inner(y=[Inner()])),
    Slotted(),
    Defaulted(),
    Getting(),
    Empty(),
    dt.date(2026, 1, 2),
    dt.datetime(2026, 1, 2, 3, 4, 5, 6),
    dt.datetime(2026, 1, 2, tzinfo=dt.timezone.utc),
    dt.datetime(2026, 1, 2, tzinfo=dt.timezone(dt.timedelta(hours=5))),
    dt.time(1, 2),
    dt.timedelta(1, 2, 3),
    uuid.UUID(int=5),
    decimal.Decimal("1.50"),
    decimal.Decimal("1E+3"),
    decimal.Decimal("NaN"),
    b"bytes",
    b"\xff",
    complex(1),
    lambda: None,
]
OPTIONS = [
    {},
    {"exclude_none": True},
    {"sqlalchemy_safe": False},
    {"exclude_none": True, "exclude_defaults": True, "by_alias": False},
    {"include": {"a", "x"}},
    {"exclude": {"a"}},
    {"custom_encoder": {Inner: lambda value: {"inner": value.x}}},
    {"custom_encoder": {dt.date: str, int: lambda value: -value}},
]


def shape(value):
    if isinstance(value, dict):
        return type(value), [(shape(key), shape(item)) for key, item in value.items()]
    if isinstance(value, (list, tuple)):
        return type(value), [shape(item) for item in value]
    return type(value), repr(value)


def outcome(function, value, **options):
    try:
        return shape(function(value, **options))
    except Exception as error:
        return type(error), str(error)


def body(value, **options):
    return responses.JSONResponse(encoders.jsonable_encoder(value, **options)).body


def check(value, **options):
    for one in (value, [value, value, 1], {"k": value}):
        for theirs, ours in ((encoders.jsonable_encoder, jsonable_encoder), (body, encode)):
            expected = outcome(theirs, one, **options)
            # Twice: the first instance of a class takes another way.
            assert outcome(ours, one, **options) == expected
            assert outcome(ours, one, **options) == expected


@pytest.mark.parametrize("options", OPTIONS, ids=repr)
def test_every_value_in_a_field(options):
    for value in VALUES:
        check(Outer(a=value), **options)
        check(Outer(d=[value, {"k": value}]), **options)
        check(Outer(d=Inner(y=value)), **options)


@pytest.mark.parametrize("options", OPTIONS, ids=repr)
def test_instances_that_differ_from_their_class(options):
    changed = Defaulted(b=3)
    del changed.a
    check(changed, **options)
    changed.other = 1
    check(changed, **options)
    changed.a = Inner()
    check(changed, **options)
    bare = object.__new__(Outer)
    check(bare, **options)
    for value in (Slotted(b=Inner()), Getting(), Empty(), Outer, [Outer]):
        check(value, **options)


def test_instances_larger_than_the_room():
    for count in (1, 90, 1000, 20_000):
        for text in ("x", "\n", "é", "ж", "\U0001f600", "x\ud800"):
            check(Inner(x=text * count))
            check(Inner(x={text * count: 1, "k": text * count}))
    check(Inner(x=[1, 2**63 - 1, 2**63, -(2**63), 1.5, 1e300] * 3000))
    check([Inner(x=[Inner(x="w" * n)] * n) for n in range(60)])


def test_nesting():
    value = Inner()
    for _ in range(70):
        value = Inner(y=value)
        check(value)
    value.x = value
    assert outcome(encode, value)[0] is outcome(body, value)[0] is RecursionError


def test_order_of_errors():
    for value in (
        [Inner(x=math.nan), object()],
        [Inner(x=math.nan), Inner(x=Copied()), object()],
        [Inner(x=Copied()), math.nan, lambda: None],
        [Inner(x=object()), math.nan],
        [Inner(x="\ud800"), math.nan],
        [math.nan, Inner(x=b"\xff")],
    ):
        check(value)


LEAVES = st.sampled_from(VALUES) | st.integers() | st.text() | st.floats()
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.text(max_size=3) | st.just("_sa"), inner, max_size=3),
        st.tuples(inner, inner),
        st.builds(Inner, inner, inner),
        st.builds(Outer, inner, inner, inner, inner),
        st.builds(Slotted, inner, inner),
    ),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(TREES, st.sampled_from(OPTIONS))
def test_generated(value, options):
    check(Outer(a=value), **options)
