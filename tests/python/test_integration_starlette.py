"""`linecaster.integrations.starlette` against Starlette's and FastAPI's own class."""

import collections
import dataclasses
import datetime as dt
import decimal
import enum
import types
import uuid

import linecaster
import pytest
from frameworks import need, outcome
from hypothesis import given
from hypothesis import strategies as st
from trees import Source, tree_of

responses = need("starlette.responses")
applications = need("starlette.applications")
routing = need("starlette.routing")
testclient = need("starlette.testclient")
fastapi = need("fastapi")
pydantic = need("pydantic")

from linecaster.integrations.starlette import JSONResponse  # noqa: E402


class Text(str, enum.Enum):
    A = "a"

    def __new__(cls, value):
        member = str.__new__(cls, value.upper())
        member._value_ = value
        return member


class Number(enum.IntEnum):
    ONE = 1


class Plain(enum.Enum):
    A = ("a", 1)


@dataclasses.dataclass
class Point:
    x: int = 1


class Model(pydantic.BaseModel):
    when: dt.datetime
    name: str = "é"


WRITTEN = [
    None, True, [], {}, (), [[], {}], 1, -1.5, 1e16, 1e-7, 10**30, "é€😀\x7f</script>\u2028",
    {"b": 1, "a": [1, {"d": 2, "c": 3}]}, {10: 1, 9: 2}, {1.5: 1, -2.0: 2}, {True: 1, None: 0},
    {Number.ONE: 1}, {Text.A: 1}, Text.A, [Number.ONE], collections.OrderedDict(z=1, a=2),
    collections.defaultdict(list, a=[1]), collections.namedtuple("Pair", "x y")(1, "é"),
]  # fmt: skip
REFUSED_BY_BOTH = [
    object(), {(1, 2): 3}, b"x", {1}, 1j, float("nan"), [float("inf")], {"a": -float("inf")},
    {float("nan"): 1}, "\ud800", {"\udfff": 1}, (x for x in ()),
]  # fmt: skip
BEYOND = [
    (dt.date(2026, 1, 2), b'"2026-01-02"'),
    (dt.datetime(2026, 1, 2, tzinfo=dt.timezone.utc), b'"2026-01-02T00:00:00+00:00"'),
    (uuid.UUID(int=1), b'"00000000-0000-0000-0000-000000000001"'),
    (decimal.Decimal("1.10"), b"1.10"),
    (Point(), b'{"x":1}'),
    (Plain.A, b'["a",1]'),
    (types.MappingProxyType({"a": 1}), b'{"a":1}'),
    (Model(when=dt.datetime(2026, 1, 2)), '{"when":"2026-01-02T00:00:00","name":"é"}'.encode()),
]


def theirs(value):
    return responses.JSONResponse(value).body


def ours(value):
    return JSONResponse(value).body


@pytest.mark.parametrize("value", WRITTEN, ids=lambda value: repr(value)[:30])
def test_value(value):
    assert ours(value) == theirs(value)
    assert JSONResponse(value).raw_headers == responses.JSONResponse(value).raw_headers


@pytest.mark.parametrize("value", REFUSED_BY_BOTH, ids=lambda value: repr(value)[:30])
def test_refused(value):
    error, text = outcome(theirs, value)
    our_error, our_text = outcome(ours, value)
    assert issubclass(our_error, error)
    if error is not TypeError:
        assert our_text == text


def test_the_error_names_the_place():
    with pytest.raises(linecaster.EncodeError, match=r"at \$\.a\[1\]$"):
        ours({"when": dt.date(2026, 1, 1), "a": [1, {2}]})


def test_circle_and_depth():
    circle: list = []
    circle.append(circle)
    deep: list = []
    for _ in range(5000):
        deep = [deep]
    for value in (circle, deep):
        assert outcome(ours, value) == outcome(theirs, value)


@pytest.mark.parametrize(("value", "expected"), BEYOND, ids=lambda value: repr(value)[:30])
def test_beyond(value, expected):
    assert ours(value) == expected
    assert outcome(theirs, value)[0] is TypeError


def test_default():
    class Own(JSONResponse):
        def default(self, value):
            if isinstance(value, set):
                return sorted(value)
            raise TypeError("unknown")

    assert Own([{2, 1}, Plain.A]).body == b'[[1,2],["a",1]]'
    with pytest.raises(TypeError, match="unknown"):
        Own([object()])


@given(st.binary(max_size=400))
def test_documents(data):
    value = tree_of(Source(data), surrogates=False)
    assert ours(value) == theirs(value)


def answers(client, paths):
    given = []
    for path in paths:
        answer = client.get(path)
        given.append((answer.status_code, answer.content, sorted(answer.headers.items())))
    return given


def test_starlette_application():
    def application(kind):
        def plain(request):
            return kind({"é": [1, 2.5], "path": request.url.path}, status_code=201)

        def problem(request):
            return kind(None, 404, {"X-A": "b"}, "application/problem+json")

        routes = [routing.Route("/a", plain), routing.Route("/b", problem)]
        return testclient.TestClient(applications.Starlette(routes=routes))

    given = answers(application(JSONResponse), ["/a", "/b"])
    assert given == answers(application(responses.JSONResponse), ["/a", "/b"])
    assert given[0][:2] == (201, '{"é":[1,2.5],"path":"/a"}'.encode())


def test_fastapi_application():
    def application(kind):
        app = fastapi.FastAPI(default_response_class=kind)

        @app.get("/model")
        def model() -> Model:
            return Model(when=dt.datetime(2026, 1, 2, tzinfo=dt.timezone.utc))

        @app.get("/any")
        def any_value():
            return {"when": dt.date(2026, 1, 2), "id": uuid.UUID(int=5), "l": [Number.ONE, 1e16]}

        @app.get("/own")
        def own():
            return kind({"é": None})

        return testclient.TestClient(app)

    paths = ["/model", "/any", "/own", "/absent", "/openapi.json"]
    given = answers(application(JSONResponse), paths)
    assert given == answers(application(responses.JSONResponse), paths)
    assert given[1][1].startswith(b'{"when":"2026-01-02"')
