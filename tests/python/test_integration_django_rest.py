"""`linecaster.integrations.django_rest` against Django REST framework's own."""

import collections
import dataclasses
import datetime as dt
import decimal
import enum
import io
import ipaddress
import json
import pathlib
import types
import uuid
import zoneinfo

import pytest
from frameworks import need, outcome
from hypothesis import given
from hypothesis import strategies as st
from trees import Source, tree_of

need("django")

import django.conf  # noqa: E402

if not django.conf.settings.configured:
    django.conf.settings.configure(
        ALLOWED_HOSTS=["*"],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework"],
        ROOT_URLCONF=types.SimpleNamespace(urlpatterns=[]),
        SECRET_KEY="for tests",
        USE_TZ=True,
    )
    django.setup()

need("rest_framework")

from django.contrib.auth.models import Group  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.utils.functional import SimpleLazyObject  # noqa: E402
from django.utils.safestring import mark_safe  # noqa: E402
from django.utils.translation import gettext_lazy  # noqa: E402
from linecaster.integrations.django_rest import JSONParser, JSONRenderer  # noqa: E402
from rest_framework import (  # noqa: E402
    exceptions,
    parsers,
    renderers,
    response,
    serializers,
    views,
)
from rest_framework.test import APIRequestFactory  # noqa: E402
from rest_framework.utils import encoders  # noqa: E402

numpy_like = types.SimpleNamespace(tolist=lambda: [1, 2])


class Choice(models.TextChoices):
    A = "a", "label"


class Number(models.IntegerChoices):
    ONE = 1, "label"


class Plain(enum.Enum):
    A = 1


@dataclasses.dataclass
class Point:
    x: int = 1


class Pairs:
    """As Pydantic models are: an iterable of pairs."""

    def __iter__(self):
        return iter([("a", 1)])


class ByIndex:
    def __getitem__(self, index):
        return [("a", 1), ("b", "é")][index]


class BrokenIndex:
    def __getitem__(self, index):
        raise ZeroDivisionError


class Nested(serializers.Serializer):
    name = serializers.CharField(max_length=3)
    amount = serializers.DecimalField(max_digits=5, decimal_places=2)


def serialized():
    one = Nested(data={"name": "Zoë", "amount": "1.5"})
    one.is_valid(raise_exception=True)
    return one.data


def errors():
    bad = Nested(data={"name": "too long"})
    bad.is_valid()
    return bad.errors


UTC = dt.timezone.utc
WRITTEN = {
    "tree": {"b": [1, -1.5, None, True, {"é": "€😀"}], "a": {}, "c": [], "d": ()},
    "text": "\u2028<>&\x7f\u2029é",
    "separators in keys": {"\u2028": "\u2029" * 3},
    "int keys": {2: 1, 1: 2, None: 3, 1.5: 4, False: 5},
    "big": 10**40,
    "floats": [1e16, 1e-7, 0.1],
    "lazy": gettext_lazy("text é"),
    "safe": mark_safe("<b>"),
    "error": exceptions.ErrorDetail("é", code="c"),
    "errors": errors,
    "data": serialized,
    "naive": dt.datetime(2026, 1, 2, 3, 4, 5),
    "datetime": dt.datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=UTC),
    "zone": dt.datetime(2026, 7, 2, tzinfo=zoneinfo.ZoneInfo("Asia/Kolkata")),
    "west": dt.datetime(2026, 7, 2, tzinfo=dt.timezone(-dt.timedelta(hours=3, minutes=30))),
    "date": dt.date(1, 2, 3),
    "time": dt.time(1, 2, 3, 4),
    "zoned time without offset": dt.time(1, tzinfo=zoneinfo.ZoneInfo("Asia/Kolkata")),
    "delta": dt.timedelta(days=1, milliseconds=1),
    "decimal": decimal.Decimal("1.10"),
    "uuid": uuid.UUID(int=8),
    "addresses": [ipaddress.ip_address("::1"), ipaddress.ip_network("10.0.0.0/8")],
    "bytes": "é".encode(),
    "numpy": numpy_like,
    "generator": lambda: (one for one in ("a", 1)),
    "set": {1},
    "proxy": types.MappingProxyType({"a": [1]}),
    "chain": collections.ChainMap({"a": 1}, {"b": 2}),
    "ordered": collections.OrderedDict(z=1, a=2),
    "default": collections.defaultdict(list, a=[1]),
    "pair": collections.namedtuple("Pair", "x y")(1, 2),
    "deque": collections.deque([("a", 1)]),
    "choices": [Choice.A, Number.ONE],
    "pairs": Pairs(),
    "by index": ByIndex(),
}
REFUSED = {
    "object": object(),
    "enum": Plain.A,
    "path": pathlib.PurePosixPath("/a"),
    "point": Point(),
    "aware time": dt.time(1, tzinfo=UTC),
    "nan": float("nan"),
    "infinity": [float("inf")],
    "decimal nan": decimal.Decimal("NaN"),
    "broken": BrokenIndex(),
    "no utf-8": b"\xff",
    "tuple key": {(1,): 2},
    "surrogate": "\ud800",
    "lazy object": SimpleLazyObject(lambda: "x"),
}
MEDIA_TYPES = [
    None, "application/json", "application/json; indent=4", "application/json; indent=0",
    "application/json; indent=99", "application/json; indent=-3", "application/json; indent=x",
    "application/json;indent=2; q=0.5",
]  # fmt: skip


def made(value):
    return value() if isinstance(value, types.FunctionType) else value


def both(**attributes):
    for kind in (JSONRenderer, renderers.JSONRenderer):
        renderer = kind()
        for name, setting in attributes.items():
            setattr(renderer, name, setting)
        yield renderer


@pytest.mark.parametrize("name", [*WRITTEN, *REFUSED])
@pytest.mark.parametrize(
    "attributes",
    [{}, {"ensure_ascii": True}, {"compact": False}, {"strict": False},
     {"ensure_ascii": True, "compact": False, "strict": False}],
    ids=str,
)  # fmt: skip
def test_value(name, attributes):
    value = {**WRITTEN, **REFUSED}[name]
    for media_type in MEDIA_TYPES[:3]:
        ours, theirs = (
            outcome(renderer.render, [made(value)], media_type) for renderer in both(**attributes)
        )
        assert ours == theirs
        assert isinstance(ours, bytes) or name in REFUSED


@pytest.mark.parametrize("media_type", MEDIA_TYPES, ids=str)
@pytest.mark.parametrize("context", [None, {}, {"indent": 3}, {"indent": None}], ids=str)
def test_indentation(media_type, context):
    value = {"a": [1, {"é": []}, {}], "b": None}
    ours, theirs = (one.render(value, media_type, context) for one in both())
    assert ours == theirs


def test_none_is_an_empty_body():
    assert JSONRenderer().render(None) == b""


def test_offsets_with_seconds_are_rounded():
    moment = dt.datetime(2026, 1, 1, tzinfo=dt.timezone(dt.timedelta(minutes=17, seconds=30)))
    ours, theirs = (one.render(moment) for one in both())
    assert (ours, theirs) == (b'"2026-01-01T00:00:00+00:18"', b'"2026-01-01T00:00:00+00:17:30"')


def test_queryset(tmp_path):
    with connection.schema_editor() as editor:
        editor.create_model(Group)
    try:
        for name in ("é", "b"):
            Group.objects.create(name=name)
        for query in (Group.objects.values("name"), Group.objects.values_list("id", "name")):
            ours, theirs = (one.render({"groups": query.order_by("id")}) for one in both())
            assert ours == theirs
        assert ours == '{"groups":[[1,"é"],[2,"b"]]}'.encode()
        ours, theirs = (outcome(one.render, Group.objects.all()) for one in both())
        assert ours == theirs
    finally:
        with connection.schema_editor() as editor:
            editor.delete_model(Group)


def test_encoder_class():
    class Own(encoders.JSONEncoder):
        def default(self, obj):
            return "own" if isinstance(obj, (uuid.UUID, Point)) else super().default(obj)

    class More(json.JSONEncoder):
        def iterencode(self, o, _one_shot=False):
            yield "more"

        encode = None

    for value in (uuid.UUID(int=1), Point(), dt.date(2026, 1, 1), Plain.A):
        ours, theirs = (outcome(one.render, [value]) for one in both(encoder_class=Own))
        assert ours == theirs
    ours, theirs = (outcome(one.render, [1]) for one in both(encoder_class=More))
    assert ours == theirs


@given(st.binary(max_size=400), st.booleans())
def test_documents(data, ascii_only):
    value = tree_of(Source(data))
    ours, theirs = (outcome(one.render, [value]) for one in both(ensure_ascii=ascii_only))
    assert ours == theirs


def test_what_is_written_is_written_by_linecaster(monkeypatch):
    def never(*args, **kwargs):
        raise AssertionError

    monkeypatch.setattr("rest_framework.renderers.json.dumps", never)
    for name, value in WRITTEN.items():
        if name != "zoned time without offset":
            JSONRenderer().render([made(value)])
    with pytest.raises(AssertionError):
        JSONRenderer().render(object())


TEXTS = [
    b'{"a": [1, 2.5, "\xc3\xa9"]}', b"", b"{", b"[1,]", b"01", b"NaN", b"[Infinity]", b"1e999",
    b'"\xff"', b'"a"\xc3', b"\xef\xbb\xbf[]", b'"\\ud800"', b'"\t"', b"1" * 5000,
    b"[" * 3000 + b"]" * 3000, '["x"]'.encode("utf-16"), '"é"'.encode("latin-1"),
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: repr(text)[:30])
@pytest.mark.parametrize("encoding", [None, "utf-8", "UTF8", "latin-1", "utf-16", "bz2", "none"])
@pytest.mark.parametrize("strict", [True, False])
def test_parse(text, encoding, strict):
    context = {} if encoding is None else {"encoding": encoding}
    answers = []
    for kind in (JSONParser, parsers.JSONParser):
        parser = kind()
        parser.strict = strict
        answers.append(repr(outcome(parser.parse, io.BytesIO(text), None, context)))
    assert answers[0] == answers[1]


def test_parse_without_context():
    assert JSONParser().parse(io.BytesIO(b"[1]")) == [1]
    with pytest.raises(exceptions.ParseError, match="JSON parse error - Expecting"):
        JSONParser().parse(io.BytesIO(b"["))


def test_view():
    def view_of(renderer, parser):
        class View(views.APIView):
            renderer_classes = (renderer,)
            parser_classes = (parser,)

            def post(self, request):
                return response.Response({"got": request.data, "at": dt.date(2026, 1, 2)})

        return View.as_view()

    answers = []
    for kinds in ((JSONRenderer, JSONParser), (renderers.JSONRenderer, parsers.JSONParser)):
        view = view_of(*kinds)
        given = []
        for body in (b'{"\xc3\xa9": 1}', b"{", b""):
            for accept in ("application/json", "application/json; indent=2"):
                request = APIRequestFactory().post(
                    "/", body, content_type="application/json", HTTP_ACCEPT=accept
                )
                answer = view(request).render()
                given.append((answer.status_code, answer.content, answer["Content-Type"]))
        answers.append(given)
    assert answers[0] == answers[1]
    assert answers[0][0][:2] == (200, '{"got":{"é":1},"at":"2026-01-02"}'.encode())
