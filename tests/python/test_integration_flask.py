"""`linecaster.integrations.flask` against Flask's own provider."""

import collections
import dataclasses
import datetime as dt
import decimal
import enum
import io
import json
import pathlib
import types
import uuid

import attrs
import pytest
from frameworks import need, outcome
from hypothesis import given
from hypothesis import strategies as st
from trees import Source, tree_of

flask = need("flask")
markupsafe = need("markupsafe")

from flask.json.provider import DefaultJSONProvider  # noqa: E402
from linecaster.integrations.flask import JSONProvider  # noqa: E402


@dataclasses.dataclass
class Point:
    b: int
    a: object = None


@dataclasses.dataclass
class Shown:
    x: int = 1

    def __html__(self):
        return "never"


class Html:
    def __html__(self):
        return "<b>é</b>"


class Text(str, enum.Enum):
    A = "a"


class Number(enum.IntEnum):
    ONE = 1


class Plain(enum.Enum):
    A = "a"


UTC = dt.timezone.utc
ZONE = dt.timezone(dt.timedelta(hours=5, minutes=30, seconds=7))
WRITTEN = [
    None, True, [], {}, (), [[]], {"a": {}}, 1, -1.5, 1e16, 1e-7, 10**30, "é€😀\x7f</script>\u2028",
    "\ud800", float("nan"), float("inf"), [-float("inf")],
    {"b": 1, "a": [1, {"d": 2, "c": 3}]}, {10: 1, 9: 2}, {1.5: 1, -2.0: 2}, {True: 1, False: 0},
    {None: 1}, {Number.ONE: 1}, {Text.A: 1, "b": 2}, {float("nan"): 1},
    dt.date(2026, 1, 2), dt.datetime(2026, 1, 2, 3, 4, 5, 6), dt.datetime(2026, 1, 2, tzinfo=UTC),
    dt.datetime(1, 1, 1, 12, tzinfo=ZONE), dt.datetime(9999, 12, 31, tzinfo=ZONE),
    uuid.UUID(int=77), decimal.Decimal("1.10"), decimal.Decimal("NaN"), decimal.Decimal("1E+5"),
    Point(1, [Point(2, dt.date(2026, 1, 1))]), Point(1, {"k": Shown()}), Shown(),
    Html(), markupsafe.Markup("<i>"), Text.A, Number.ONE,
    collections.OrderedDict(z=1, a=2), collections.Counter("abca"),
    collections.namedtuple("Pair", "x y")(1, "é"),
]  # fmt: skip
REFUSED = [
    dt.time(1), dt.timedelta(1), {1}, b"x", object(), Plain.A, pathlib.PurePosixPath("/"),
    types.MappingProxyType({}), Point, (x for x in ()), 1j, {b"x": 1}, {"a": 1, 1: 2},
    [1, {"a": object()}], {(1, 2): 3}, Point(1, object()),
]  # fmt: skip


def circle():
    items: list = []
    items.append(items)
    return items


def deep(levels=3000):
    value: list = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.fixture(params=[False, True], ids=["plain", "debug"])
def both(request):
    """An application with our provider, and one with its own."""
    made = []
    for provider in (JSONProvider, DefaultJSONProvider):
        app = flask.Flask(__name__)
        app.json = provider(app)
        app.debug = request.param
        made.append(app)
    return made


@pytest.mark.parametrize("value", [*WRITTEN, *REFUSED], ids=lambda value: repr(value)[:30])
@pytest.mark.parametrize(
    "attributes",
    [{}, {"ensure_ascii": False}, {"sort_keys": False}, {"compact": False}, {"compact": True},
     {"mimetype": "application/vnd.api+json"}],
    ids=str,
)  # fmt: skip
def test_value(both, value, attributes):
    answers = []
    for app in both:
        for name, setting in attributes.items():
            setattr(app.json, name, setting)
        answers.append(
            [
                outcome(app.json.dumps, value),
                outcome(app.json.dumps, [value], indent=None),
                outcome(lambda app=app: bytes(app.json.response(value).data)),
                outcome(lambda app=app: list(app.json.response([value], 1).headers)),
            ]
        )
    assert answers[0] == answers[1]


def test_all_values_are_of_the_kind_that_they_are_said_to_be(both):
    for value in WRITTEN:
        assert isinstance(both[0].json.dumps(value), str)
    for value in REFUSED:
        with pytest.raises(TypeError):
            both[0].json.dumps(value)


@pytest.mark.parametrize("value", [circle(), deep()], ids=["circle", "deep"])
def test_without_end(both, value):
    with both[0].app_context():
        assert outcome(both[0].json.dumps, value) == outcome(both[1].json.dumps, value)


@pytest.mark.parametrize(
    "options",
    [{"indent": 4}, {"indent": "\t"}, {"indent": 0}, {"indent": -1}, {"indent": True},
     {"indent": 1.5}, {"separators": (",", ":")}, {"separators": ("; ", " = ")},
     {"separators": ["a"]}, {"indent": 2, "separators": ("é", ":")}, {"sort_keys": False},
     {"sort_keys": 1}, {"ensure_ascii": 0}, {"allow_nan": False}, {"allow_nan": 0},
     {"skipkeys": True}, {"check_circular": False}, {"default": repr}, {"default": None},
     {"cls": json.JSONEncoder}, {"unknown": 1}],
    ids=str,
)  # fmt: skip
def test_keywords(both, options):
    value = {"b": [1, "é", {}], "a": {"z": None, "y": 1.5}, "e": Point(3)}
    special = [float("nan"), {(1, 2): 3, "a": 1}, Point(1), uuid.UUID(int=1), [[], {}, [1]]]
    for one in [value, *special]:
        ours, theirs = (outcome(app.json.dumps, one, **options) for app in both)
        assert ours == theirs
        files = io.StringIO(), io.StringIO()
        for app, file in zip(both, files, strict=True):
            outcome(app.json.dump, one, file, **options)
        assert files[0].getvalue() == files[1].getvalue()


def test_default_of_the_application(both):
    def spell(value):
        return f"<{type(value).__name__}>"

    for app in both:
        app.json.default = spell
    for value in [*WRITTEN, *REFUSED]:
        ours, theirs = (outcome(app.json.dumps, [value]) for app in both)
        assert ours == theirs


@pytest.mark.parametrize(
    "text",
    ['{"a": [1, 2.5, null]}', "NaN", "-Infinity", "1e999", '"\\ud800"', "", "{", "[1,]", "01",
     '"\t"', "\ufeff1", b"[1]", b'"\xc3\xa9"', b'"\xff"', b"\xef\xbb\xbf[1]",
     '["x"]'.encode("utf-16"), '["x"]'.encode("utf-32-be"), b'"\xed\xa0\x80"', bytearray(b"[1]"),
     "[" * 3000 + "]" * 3000, 5, "1" * 5000],
    ids=lambda text: repr(text)[:30],
)  # fmt: skip
def test_loads(both, text):
    def check(function):
        return repr(outcome(function, text))

    assert check(both[0].json.loads) == check(both[1].json.loads)


def test_loads_with_keywords(both):
    text = '{"a": 1.5}'
    for options in ({"parse_float": str}, {"object_hook": list}, {"cls": json.JSONDecoder}):
        assert both[0].json.loads(text, **options) == both[1].json.loads(text, **options)
    assert both[0].json.load(io.BytesIO(b"[1]")) == [1]


def test_application(both):
    bodies = []
    for app in both:
        app.config["TESTING"] = True

        @app.route("/<name>", methods=["GET", "POST"])
        def view(name):
            if name == "echo":
                return flask.request.get_json()
            if name == "jsonify":
                return flask.jsonify(b=1, a=dt.date(2026, 1, 2))
            if name == "html":
                return flask.render_template_string("{{ v|tojson }}", v={"a": "<é'&>", "b": [1]})
            return {"z": "é", "a": [uuid.UUID(int=3)]}

        client = app.test_client()
        answers = [client.get(f"/{name}") for name in ("jsonify", "html", "dict")]
        answers.append(client.post("/echo", json={"k": ["é", 1.5]}))
        answers.append(client.post("/echo", data=b"{", content_type="application/json"))
        bodies.append([(one.status, one.data, one.headers.get("Content-Type")) for one in answers])
        if not app.debug:
            assert bodies[-1][2][1] == (
                b'{"a":["00000000-0000-0000-0000-000000000003"],"z":"\\u00e9"}\n'
            )
    assert bodies[0] == bodies[1]


def test_a_subclass_may_redefine_dumps():
    class Own(JSONProvider):
        def dumps(self, obj, **kwargs):
            return "own"

    class App(flask.Flask):
        json_provider_class = Own

    app = App(__name__)
    assert app.json.response({}).data == b"own\n"


def test_response_takes_either_kind_of_arguments(both):
    for app in both:
        with pytest.raises(TypeError, match="either args or kwargs"):
            app.json.response(1, a=1)
    assert both[0].json.response().data == both[1].json.response().data


@given(st.binary(max_size=400), st.booleans(), st.sampled_from([None, 1, "\t"]))
def test_documents(data, sort, indent):
    value = tree_of(Source(data))
    app = flask.Flask(__name__)
    options = {"sort_keys": sort, "indent": indent}
    ours = JSONProvider(app).dumps(value, **options)
    assert ours == DefaultJSONProvider(app).dumps(value, **options)


def test_what_is_written_is_written_by_linecaster(monkeypatch):
    def never(*args, **kwargs):
        raise AssertionError

    app = flask.Flask(__name__)
    app.json = JSONProvider(app)
    monkeypatch.setattr("flask.json.provider.json", types.SimpleNamespace(dumps=never, loads=never))
    for value in WRITTEN:
        app.json.dumps(value)
        app.json.response(value)
    assert app.json.loads(b'{"a": [NaN]}')
    with pytest.raises(AssertionError):
        app.json.dumps(object())


def test_beyond_flask(both):
    @attrs.define
    class Point:
        x: int = 1

    for value, text in [
        (Point(), '{"x": 1}'),
        ({uuid.UUID(int=0): 1}, '{"00000000-0000-0000-0000-000000000000": 1}'),
        ({dt.date(2026, 1, 2): 1}, '{"2026-01-02": 1}'),
    ]:
        assert both[0].json.dumps(value) == text
        with pytest.raises(TypeError):
            both[1].json.dumps(value)
