"""`include`, `exclude` and `custom_encoder` in `encode`: one walk, or as FastAPI does it.

What a user's encoder may do to the values, to the options and to its own
results while they are under way is tried here, and which error wins.
"""

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
pydantic = need("pydantic")

from linecaster.fastapi import encode  # noqa: E402


class Color(enum.Enum):
    RED = "red"
    NONE = None


class Mark:
    def __init__(self, value=1):
        self.value = value

    def __repr__(self):
        return "Mark"


class Word(str):
    pass


class Copied:
    def __deepcopy__(self, memo):
        return "copied"


@dataclasses.dataclass
class Point:
    a: Any = 1
    b: Any = None
    _sa_c: Any = 3


class Inner(pydantic.BaseModel):
    a: int = 1
    b: Any = None


class Item(pydantic.BaseModel):
    a: Any = 1
    b: Any = None
    inner: Inner = Inner()


class Spelled(Item):
    @pydantic.field_serializer("a")
    def spell(self, value):
        return f"<{value}>"


class Deaf(pydantic.BaseModel):
    def model_dump(self, **options):
        return {"a": Mark(), "b": [None, {"a": dt.date(2026, 1, 2)}], "_sa": 1}


class Listed(pydantic.BaseModel):
    def model_dump(self, **options):
        return [{"a": 1, "b": 2}, {"c": None}]


class Root(pydantic.RootModel):
    root: Any = 1


def body(value, **options):
    return responses.JSONResponse(encoders.jsonable_encoder(value, **options)).body


def outcome(function, make):
    value, options = make()
    try:
        return "made", function(value, **options)
    except Exception as error:
        return type(error), str(error)


def same(make):
    """Hold the bytes against FastAPI's; `make` gives new values and options."""
    for wrap in (lambda value: value, lambda value: [1, value, 2], lambda value: {"a": value}):

        def made(wrap=wrap):
            value, options = make()
            return wrap(value), options

        expected = outcome(body, made)
        assert outcome(encode, made) == expected
        assert outcome(encode, made) == expected


def rows():
    return [
        {"a": 1, "b": [1, {"a": 2, "b": 3}], "_sa_a": 4, "c": None},
        {"b": uuid.UUID(int=1), "a": dt.datetime(2026, 1, 2), "c": decimal.Decimal("1.5")},
        {"a": {1, 2}, "b": Color.RED, "é": "\n", "😀": Color.NONE},
        ({"a": Point(), "b": Item(b=1), "c": Spelled()}, {}, []),
        {1: 2, "a": 3}, Point(b=[Point(), uuid.UUID(int=2)]), Point(b=Copied()), Item(),
        Item(b={"a": 1, "_sa": 2, "n": None}), Spelled(b="\ud800"), Deaf(), Listed(),
        Root([{"a": 1, "b": 2}]), Root(1), Root({"a": 1, "b": 2}), Root([[Item()]]),
        collections.OrderedDict(a=1, b=2), collections.deque([{"a": 1, "b": 2}]), Mark({"a": 1}),
        {"a": 2**70, "b": "x" * 9000}, Word("x"), 1.5, None, [[[{"a": 1, "b": 2}]]],
        {"a": "\ud800", "b": 1}, {"\ud800": 1, "a": [Mark()]},
    ]  # fmt: skip


FILTERS = [
    {"include": {"a"}},
    {"include": {"b", "é", "_sa_a"}},
    {"exclude": {"a"}},
    {"include": {"a", "b"}, "exclude": {"b"}},
    {"include": set()},
    {"exclude": set()},
    {"include": ["a", "\ud800"]},
    {"include": {"a": {"b"}, "inner": {"a"}}, "exclude_none": True},
    {"exclude": {"inner": {"a"}, "c": True}, "sqlalchemy_safe": False},
    {"include": frozenset("ab"), "exclude_defaults": True},
    {"include": {"a", 1}},
    {"exclude": ("b",), "by_alias": False, "exclude_unset": True},
]
ENCODERS = [
    {dt.datetime: dt.datetime.isoformat, decimal.Decimal: str},
    {dt.date: repr, uuid.UUID: lambda value: value.int},
    {enum.Enum: lambda value: value.name, set: sorted},
    {Mark: lambda value: value.value},
    {Mark: lambda value: {"_sa": 1, "n": None, 1: [value.value]}},
    {Mark: lambda value: Mark(), Point: lambda value: (1, value.b)},
    {Mark: lambda value: math.nan, Word: Word},
    {Mark: lambda value: 1 / 0},
    {Mark: lambda value: "\ud800", Word: lambda value: "é"},
    {Point: dataclasses.asdict, collections.OrderedDict: list},
    {dict: lambda value: sorted(map(str, value)), uuid.UUID: str},
    {str: str.upper},
    {Inner: lambda value: "inner"},
]


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@pytest.mark.parametrize("custom", [None, *ENCODERS])
def test_every_row(custom):
    for filters in [{}, *FILTERS]:
        options = {**filters, "custom_encoder": custom}
        for index in range(len(rows())):
            same(lambda index=index, options=options: (rows()[index], options))
        same(lambda options=options: (rows(), options))


def failing():
    return [
        math.nan, "\ud800", b"\xff", object(), Mark(), Mark(math.inf), lambda: None, Point(),
        {"a": math.nan, "b": object()}, {"a": object(), "b": math.nan}, Point(b=lambda: None),
        Item(b=math.nan), Spelled(a=math.inf), Spelled(b="\ud800"), [{"b": b"\xff"}], Copied(),
    ]  # fmt: skip


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@pytest.mark.parametrize("filters", FILTERS[:4])
def test_which_error_wins(filters):
    for custom in (None, *ENCODERS[3:8]):
        options = {**filters, "custom_encoder": custom}
        for first in range(len(failing())):
            for second in range(len(failing())):

                def make(first=first, second=second, options=options):
                    one, other = failing()[first], failing()[second]
                    return [{"a": one, "b": 1}, one, {"b": [other]}, {"a": other}], options

                same(make)


def test_encoders_that_change_their_table():
    def table(change):
        custom = {}
        custom[Mark] = lambda value: change(custom) or value.value
        return custom

    changes = [
        lambda custom: custom.setdefault(int, str),
        lambda custom: custom.setdefault(str, lambda text: text.upper() + "!"),
        lambda custom: custom.setdefault(dict, list),
        lambda custom: custom.setdefault(list, len),
        lambda custom: custom.setdefault(uuid.UUID, lambda value: value.int),
        lambda custom: custom.clear(),
        lambda custom: custom.update({Mark: lambda value: "another"}),
        lambda custom: custom.popitem() and custom.setdefault(int, float),
        lambda custom: custom.setdefault(type(None), lambda value: 0 * custom.clear()),
        lambda custom: custom.setdefault(bool, lambda value: math.nan),
    ]
    for change in changes:
        for filters in ({}, {"include": {"a", "b"}}, {"exclude": {"b"}, "exclude_none": True}):

            def make(change=change, filters=filters):
                value = [
                    1, "x", {"a": Mark(), "b": [1, "x", None, True, {"k": 1}], "é": "ж"},
                    [1, [2, Mark([3, {"z": 4}])], "x"], {"a": [2], "b": uuid.UUID(int=5)},
                    Item(b="model"), Point(b="y"), (3, {4}), {"a": 5, 6: "seven"}, [], {},
                ]  # fmt: skip
                return value, {**filters, "custom_encoder": table(change)}

            same(make)


def test_encoders_that_hold_on_to_their_results():
    def make_with(made, change):
        kept = made()
        custom = {Mark: lambda value: (change(kept), kept)[1]}
        return [1, {"a": Mark(), "b": [Mark(), 2]}, {"a": Point(), "b": Mark()}, "z"], {
            "custom_encoder": custom
        }

    for made, change in (
        (list, lambda kept: kept.append(len(kept))),
        (dict, lambda kept: kept.update({str(len(kept)): 1, "_sa": None})),
        (lambda: ([],), lambda kept: kept[0].append("é")),
        (lambda: {"k": {}}, lambda kept: kept["k"].update({str(len(kept["k"])): "\ud800"})),
        (lambda: [[]], lambda kept: kept[0].append(math.nan)),
        (Mark, lambda kept: None),
    ):
        same(lambda made=made, change=change: make_with(made, change))


def test_encoders_that_change_what_is_under_way():
    changes = [
        lambda top, row, options: row.update(c=["new"], b="changed"),
        lambda top, row, options: row.update(another=1),
        lambda top, row, options: row.pop("b"),
        lambda top, row, options: (row.pop("c"), row.update(d=1)),
        lambda top, row, options: top.append({"a": 1, "b": "appended"}),
        lambda top, row, options: top.clear(),
        lambda top, row, options: top.pop(),
        lambda top, row, options: options.add("b"),
        lambda top, row, options: options.discard("c"),
        lambda top, row, options: options.clear(),
        lambda top, row, options: options.add(Word("c")),
    ]
    for change in changes:
        for names in ({"a", "c"}, {"a", "b", "c"}, {"a"}):
            for name in ("include", "exclude"):
                for nested in (False, True):

                    def make(change=change, names=names, name=name, nested=nested):
                        chosen = set(names)
                        first = {"x": 0, "a": 1, "c": [2]}
                        row = {"a": 0, "b": 1, "c": 2}
                        top = [first, row, {"a": 3, "b": 4, "c": {"b": 5}}]
                        mark = Mark()
                        row["a"] = row["b"] = [mark] if nested else mark
                        custom = {Mark: lambda value: change(top, row, chosen) and None}
                        return top, {name: chosen, "custom_encoder": custom}

                    made = outcome(body, make)
                    assert outcome(encode, make) == made


def test_deep_lists_and_cycles():
    for depth in (30, 190, 210, 400):
        value = {"a": 1, "b": 2}
        for _ in range(depth):
            value = [value]
        same(lambda value=value: (value, {"include": {"a"}}))
        same(lambda value=value: ([Mark(), value], {"custom_encoder": {Mark: vars}}))
    circle: list[Any] = []
    circle.append(circle)
    for options in ({"include": {"a"}}, {"custom_encoder": {Mark: vars}}):
        assert outcome(encode, lambda options=options: (circle, options))[0] is RecursionError


LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.uuids(),
    st.datetimes(), st.decimals(),
    st.sampled_from([Mark(), Mark([1]), Word("w"), Color.RED, Color.NONE, Copied(), Item()]),
)  # fmt: skip
NAMES = st.sampled_from(["a", "b", "inner", "é", "_sa_x"])
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(NAMES, inner, max_size=4),
        st.dictionaries(NAMES, inner, max_size=4).map(lambda members: [members] * 2),
        st.tuples(inner, inner),
        st.builds(Point, inner, inner),
        st.builds(Item, a=inner, b=inner),
        st.builds(Spelled, a=inner, b=inner),
    ),
    max_leaves=12,
)


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@settings(max_examples=400, deadline=None)
@given(TREES, st.sampled_from([{}, *FILTERS]), st.sampled_from([None, *ENCODERS]))
def test_generated(value, filters, custom):
    options = {**filters, "custom_encoder": custom}
    same(lambda: (value, options))
