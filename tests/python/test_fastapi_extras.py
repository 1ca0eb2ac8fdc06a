"""Extras of `linecaster.fastapi`: `numpy` against numpy, `deep` against Pydantic; how to ask."""

import asyncio
import dataclasses
import datetime as dt
import subprocess
import sys
from collections import OrderedDict, deque
from typing import Any

import pytest
from frameworks import need, outcome
from hypothesis import given
from hypothesis import strategies as st

fastapi = need("fastapi")
encoders = need("fastapi.encoders")
pydantic = need("pydantic")
np = need("numpy")

import linecaster.fastapi  # noqa: E402
from fastapi_outcomes import check, rendered, same, shown  # noqa: E402
from linecaster import orjson as engine  # noqa: E402
from linecaster.fastapi import encode, jsonable_encoder  # noqa: E402

ANY = pydantic.TypeAdapter(Any)


# numpy


NUMBERS = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]
SHAPES = [(0,), (1,), (7,), (2, 3), (3, 0), (2, 0, 3), (2, 3, 4), ()]


@pytest.mark.parametrize("name", NUMBERS)
def test_arrays_of_numbers_are_what_tolist_gives(name):
    rng = np.random.default_rng(1)
    for shape in SHAPES:
        count = int(np.prod(shape))
        array = np.frombuffer(rng.bytes(8 * count), np.uint8)[: count * np.dtype(name).itemsize]
        array = array.view(name) if name != "?" else array % 2 == 0
        if np.dtype(name).kind == "f":
            array = np.where(np.isfinite(array), array, 1).astype(name)
        array = array.reshape(shape)
        check(array.tolist(), array, numpy=True)
        check(array.T.tolist(), array.T, numpy=True)
        check(
            array[::-1].tolist() if shape else array.tolist(),
            array[::-1] if shape else array,
            numpy=True,
        )
        swapped = array.astype(array.dtype.newbyteorder())
        check(swapped.tolist(), swapped, numpy=True)
        for item in array.flat:
            check(item.item(), item, numpy=True)


def test_large_arrays():
    array = np.linspace(0, 1, 30_000).reshape(100, -1)
    check(array.tolist(), array, numpy=True)
    check(array.astype("f4").tolist(), array.astype("f4"), numpy=True)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", ["f2", "f4", "f8", "g"])
def test_numbers_that_json_does_not_have(name, value):
    for obj in (np.array([1, value], name), np.array(value, name)[()]):
        assert repr(jsonable_encoder(obj, numpy=True)) == repr(obj.astype("f8").tolist())
        tree = jsonable_encoder([obj], numpy=True)
        assert outcome(encode, [obj], numpy=True) == outcome(rendered, tree)


@pytest.mark.parametrize(
    "array",
    [
        np.array(["a", "é", ""]),
        np.array([b"a", b"\xc3\xa9"]),
        np.array([(1, 2.5, "a")], dtype=[("x", "i4"), ("y", "f8"), ("z", "U3")]),
        np.ma.array([1, 2, 3], mask=[0, 1, 0]),
        np.array([{"a": 1}, [2], None, "x"], object),
        np.rec.array([(1, "a")], dtype=[("x", "i4"), ("y", "U3")]),
    ],
    ids=lambda array: str(array.dtype),
)
def test_other_arrays_are_what_tolist_gives(array):
    expected = encoders.jsonable_encoder(array.tolist())
    check(expected, array, numpy=True)
    if type(array) is np.ndarray:
        for i in range(len(array)):
            check(expected[i], array[i], numpy=True)


def test_object_arrays_are_walked():
    inner = {"a": np.int8(3), np.int64(2): [np.arange(2)], "when": dt.date(2026, 1, 2)}
    array = np.array([inner, np.float32(0.5), np.str_("x")], object)
    expected = [{"a": 3, 2: [[0, 1]], "when": "2026-01-02"}, 0.5, "x"]
    assert shown(jsonable_encoder(array, numpy=True)) == shown(expected)
    assert encode(array, numpy=True) == rendered(expected)


def test_long_and_complex_numbers():
    check([1.5, 2.0], np.array([1.5, 2], np.longdouble), numpy=True)
    check(1.5, np.longdouble(1.5), numpy=True)
    for obj in (np.array([1j]), np.complex64(1j), np.clongdouble(1j)):
        expected = outcome(encoders.jsonable_encoder, 1j)
        assert outcome(jsonable_encoder, obj, numpy=True) == expected
        assert outcome(encode, obj, numpy=True) == expected


@pytest.mark.parametrize("unit", ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps"])
def test_instants_are_the_text_of_the_engine(unit):
    texts = ["1970-02-03T04:05:06.123456", "1970-01-01", "1969-12-31T23:59:59.999999"]
    array = np.array(texts, f"M8[{unit}]")
    coarse = array.astype("M8[s]" if unit in tuple("YMWDhms") else "M8[us]")
    expected = engine.loads(engine.dumps(coarse, option=engine.OPT_SERIALIZE_NUMPY))
    assert expected[0].startswith("1970-0")
    assert expected[1] == "1970-01-01T00:00:00"
    check(expected, array, numpy=True)
    check([expected], array.astype(f">M8[{unit}]")[np.newaxis], numpy=True)
    check(expected[::-1], array[::-1], numpy=True)
    for item, text in zip(array, expected, strict=False):
        check(text, item, numpy=True)
    check([None], np.array(["NaT"], f"M8[{unit}]"), numpy=True)
    check(None, np.datetime64("NaT", unit), numpy=True)
    check([None, *expected[1:]], np.ma.array(array, mask=[1, 0, 0]), numpy=True)


def test_microseconds_are_isoformat():
    array = np.array(
        ["2021-01-02T03:04:05.000006", "0001-01-01", "1969-12-31T23:59:59.9"], "M8[us]"
    )
    check([item.isoformat() for item in array.tolist()], array, numpy=True)


def test_instants_beyond_the_calendar():
    for array in (np.array([10**17], "M8[s]"), np.array([-(10**12)], "M8[s]")):
        with pytest.raises(ValueError, match=r"unrepresentable numpy\.datetime64"):
            jsonable_encoder(array, numpy=True)
        with pytest.raises(ValueError, match=r"unrepresentable numpy\.datetime64"):
            encode(array, numpy=True)


def test_durations_are_those_of_timedelta():
    check([90.0, 0.5, None], np.array([90_000, 500, "NaT"], "m8[ms]"), numpy=True)
    check(1.5, np.timedelta64(1_500_000_000, "ns"), numpy=True)


def test_arrays_under_options():
    array = np.arange(4.0).reshape(2, 2)
    check([["0.0", "1.0"], ["2.0", "3.0"]], array, numpy=True, custom_encoder={float: str})
    check("array", array, numpy=True, custom_encoder={np.ndarray: lambda _: "array"})
    nested = {"a": array, "b": 1}
    assert jsonable_encoder(nested, numpy=True, exclude={"b"}) == {"a": array.tolist()}
    assert jsonable_encoder(nested, numpy=True, deep=True, include={"a": {1: {0}}}) == {
        "a": [[2.0]]
    }


def test_encoders_of_the_user_come_first(monkeypatch):
    monkeypatch.setitem(encoders.ENCODERS_BY_TYPE, np.ndarray, lambda array: array.shape)
    monkeypatch.setitem(encoders.ENCODERS_BY_TYPE, np.float32, str)
    array = np.zeros((2, 3))
    assert jsonable_encoder([array, np.float32(1)], numpy=True) == [(2, 3), "1.0"]
    assert encode([array, np.float32(1), np.int8(1)], numpy=True) == b'[[2,3],"1.0",1]'


@dataclasses.dataclass
class Holder:
    array: Any
    other: int = 1


def test_arrays_in_other_values():
    array = np.arange(3)
    check({"array": [0, 1, 2], "other": 1}, Holder(array), numpy=True)
    check([[0, 1, 2]], (array,), numpy=True)
    check([[0, 1, 2]], deque([array]), numpy=True)
    plain = type("Plain", (), {})()
    plain.array = array
    check({"array": [0, 1, 2]}, plain, numpy=True)


class Arrays(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(arbitrary_types_allowed=True)
    array: np.ndarray
    any: Any = None
    name: str = "n"


def test_arrays_in_models():
    array = np.arange(3)
    tree = {"array": [0, 1, 2], "any": [{"a": 3}], "name": "n"}
    model = Arrays(array=array, any=[{"a": np.int8(3)}])
    check(tree, model, numpy=True)
    check({"any": [{"a": 3}], "name": "n"}, model, numpy=True, exclude={"array"})
    check({"array": [0, 1, 2], "name": "n"}, Arrays(array=array), numpy=True, exclude_none=True)
    check({"array": [0, 1, 2]}, Arrays(array=array), numpy=True, exclude_unset=True)
    same(model)
    opaque = Arrays(array=array, any=object())
    error, text = outcome(jsonable_encoder, opaque, numpy=True)
    assert (error, text) == outcome(opaque.model_dump, mode="json", exclude={"array"})
    assert outcome(encode, [opaque], numpy=True) == (error, text)


def test_without_numpy_all_is_as_in_fastapi():
    for obj in (
        np.arange(3),
        np.zeros((2, 2)),
        np.int8(1),
        np.float64(1),
        np.str_("a"),
        np.bool_(1),
    ):
        same(obj)
        same([obj])
        same({"a": obj}, exclude_none=True)
    assert type(jsonable_encoder(np.float64(1))) is np.float64


# deep


DATA = {
    "a": {"b": 1, "c": {"d": [1, 2, 3], "e": None}},
    "l": [{"x": 1, "y": [1, 2]}, {"x": 2, "y": []}, {"x": 3}],
    "t": ({"x": 1}, {"x": 2, "z": 0}),
    3: "three",
}
FILTERS = [
    {"a"},
    {"a": {"b"}},
    {"a": {"c": {"d": {0, -1}}}},
    {"a": ..., "l": {0}},
    {"a": True, "t": {"__all__": {"x"}}},
    {"a": None},
    {"l": {"__all__": {"x"}}},
    {"l": {"__all__": {"x"}, 0: {"y"}}},
    {"l": {"__all__": {"x"}, -1: ..., 1: {"y": {0}}}},
    {"l": {0: {"y": {"__all__"}}, "__all__": {"y": {1}}}},
    {"l": {-1: {"x"}, 2: {"y"}}},
    {"l": {5}, "t": {-5}},
    {"__all__": {"b", 0}},
    {"__all__"},
    {3},
    {"a": {}, "l": set(), "t": []},
    {"l": ["x", 0], "t": frozenset({0})},
    {"a": False},
    {"l": "x"},
    {"l": {"__all__": ["x"], 0: {"y"}}},
    {"l": {"__all__": {"x"}, 0: ["y"]}},
    set(),
    {},
]


def narrowed(obj, **options):
    """What Pydantic leaves of it, in lists and dicts."""
    return encoders.jsonable_encoder(ANY.dump_python(obj, **options))


@pytest.mark.parametrize("exclude", [None, *FILTERS], ids=repr)
@pytest.mark.parametrize("include", [None, *FILTERS], ids=repr)
def test_filters_mean_what_they_mean_to_pydantic(include, exclude):
    for obj in (DATA, [DATA, DATA], (DATA["l"],), DATA["l"]):
        options = {"include": include, "exclude": exclude}
        assert outcome(jsonable_encoder, obj, **options, deep=True) == outcome(
            narrowed, obj, **options
        )


class Item(pydantic.BaseModel):
    x: int = 1
    y: list[int] = [1, 2]


class Whole(pydantic.BaseModel):
    a: dict[str, Any] = {"b": 1, "c": {"d": [1, 2, 3], "e": None}}
    items: list[Item] = [Item(), Item(x=2)]
    row: tuple[Item, int] = (Item(), 3)
    names: set[str] = {"n"}


@pytest.mark.parametrize(
    "given_filter",
    [
        {"items": {"__all__": {"x"}}},
        {"items": {0: {"y": {0}}}, "a": {"c": {"e"}}},
        {"row": {0: {"x"}, 1: ...}, "names": {0}},
        {"items", "row"},
    ],
    ids=repr,
)
@pytest.mark.parametrize("name", ["include", "exclude"])
def test_a_dict_is_filtered_as_an_equal_model(name, given_filter):
    model = Whole()
    options = {name: given_filter}
    as_dict = {"a": model.a, "items": model.items, "row": model.row, "names": model.names}
    expected = model.model_dump(mode="json", **options)
    for obj in (model, model.model_dump(), as_dict, OrderedDict(as_dict)):
        check(expected, obj, deep=True, **options)
    check([expected], [model], deep=True, **{name: {"__all__": given_filter}})


def test_deep_filters_and_other_options():
    obj = {"a": {"b": None, "_sa_c": 1, "d": dt.date(2026, 1, 2), 7: {"e": 1, "f": 2}}, "g": 1}
    options = {"deep": True, "include": {"a": {"b", "d", "_sa_c", 7}}, "exclude": {"a": {7: {"f"}}}}
    check({"a": {"b": None, "d": "2026-01-02", 7: {"e": 1}}}, obj, **options)
    check({"a": {"d": "2026-01-02", 7: {"e": 1}}}, obj, exclude_none=True, **options)
    expected = {"a": {"b": None, "_sa_c": 1, "d": "2026-01-02", 7: {"e": 1}}}
    check(expected, obj, sqlalchemy_safe=False, **options)
    custom = {dt.date: lambda day: day.day}
    check({"a": {"b": None, "d": 2, 7: {"e": 1}}}, obj, custom_encoder=custom, **options)
    check({"array": [1]}, Holder([1, 2]), deep=True, include={"array": {0}})
    assert jsonable_encoder((i for i in [1, 2, 3]), deep=True, exclude={1}) == [1, 3]
    check([1, 3], deque([1, 2, 3]), deep=True, exclude={1})
    check([{"a": [5]}], [{"a": {5}}], deep=True, include={0: {"a": {9}}})


trees = st.recursive(
    st.none() | st.integers(0, 3) | st.sampled_from("ab"),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["a", "b", "__all__", 0, 1]), inner, max_size=4)
        | st.tuples(inner, inner)
    ),
    max_leaves=12,
)
keys = st.sampled_from(["a", "b", "__all__", 0, 1, -1, 2, -3])
filters = st.recursive(
    st.sampled_from([..., True, None, False]) | st.sets(keys, max_size=3),
    lambda inner: st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)
outer = st.none() | st.sets(keys, max_size=3) | st.dictionaries(keys, filters, max_size=3)


@given(trees, outer, outer)
def test_any_filters(tree, include, exclude):
    options = {"include": include, "exclude": exclude}
    expected = outcome(narrowed, tree, **options)
    assert outcome(jsonable_encoder, tree, deep=True, **options) == expected


@given(trees, outer, outer)
def test_without_deep_all_is_as_in_fastapi(tree, include, exclude):
    same(tree, include=include, exclude=exclude)


def test_filters_that_contain_themselves():
    loop: dict[str, Any] = {}
    loop["a"] = loop
    obj: Any = 1
    for _ in range(20):
        obj = {"a": obj, "b": 1}
    made = jsonable_encoder(obj, include=loop, deep=True)
    for _ in range(19):
        made = made["a"]
    assert made == {"a": 1}
    with pytest.raises(RecursionError):
        cyclic: dict[str, Any] = {"b": 1}
        cyclic["a"] = cyclic
        jsonable_encoder(cyclic, include=loop, deep=True)


# how to ask


@pytest.fixture
def door():
    yield linecaster.fastapi
    linecaster.fastapi.uninstall()


def body(app):
    """The body of the answer to `GET /`."""
    sent = []
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": []}

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    assert sent[0]["status"] == 200
    return b"".join(message["body"] for message in sent[1:])


def app_with_arrays(**options):
    app = fastapi.FastAPI()

    @app.get("/", **options)
    def root():
        return {"array": np.arange(3)}

    return app


def test_install_with_extras(door):
    app, other = app_with_arrays(), app_with_arrays()
    assert door.install(app, numpy=True)
    assert body(app) == b'{"array":[0,1,2]}'
    with pytest.raises(ValueError, match=r"vars\(\) argument"):
        body(other)
    door.install(numpy=True)
    assert body(other) == b'{"array":[0,1,2]}'
    assert encoders.jsonable_encoder(np.int8(1)) == 1
    door.install()
    with pytest.raises(ValueError, match=r"vars\(\) argument"):
        body(other)
    assert body(app) == b'{"array":[0,1,2]}'
    door.install(app)
    with pytest.raises(ValueError, match=r"vars\(\) argument"):
        body(app)


def test_a_response_class_with_extras(door):
    class Table(door.JSONResponse):
        numpy = True

    assert Table({"array": np.arange(3)}).body == b'{"array":[0,1,2]}'

    class Wrapped(Table):
        def render(self, content):
            return super().render({"data": content})

    app, wrapped = app_with_arrays(response_class=Table), app_with_arrays(response_class=Wrapped)
    door.install()
    assert body(app) == b'{"array":[0,1,2]}'
    assert body(wrapped) == b'{"data":{"array":[0,1,2]}}'
    with pytest.raises(ValueError, match=r"vars\(\) argument"):
        door.JSONResponse(np.arange(3))


def test_extras_are_given_by_name():
    with pytest.raises(TypeError):
        jsonable_encoder(1, None, None, True, False, False, False, None, True, True)
    with pytest.raises(TypeError, match="unexpected keyword argument 'other'"):
        jsonable_encoder(1, numpy=True, other=1)
    with pytest.raises(TypeError):
        encode(1, None, None, True, False, False, False, None, True, True)


def test_nothing_is_imported():
    code = (
        "import sys; from linecaster.fastapi import encode;"
        "asked = {'numpy': True, 'rows': True, 'relationships': True};"
        "encode([{1}, type('A', (), {})()], **asked);"
        "assert not {'numpy', 'sqlalchemy', 'sqlmodel'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
