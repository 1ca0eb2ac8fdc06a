"""`linecaster.integrations.celery` against kombu's own serializer."""

import collections
import dataclasses
import datetime as dt
import decimal
import enum
import gc
import pathlib
import types
import uuid

import pytest
from frameworks import need, outcome
from hypothesis import given
from hypothesis import strategies as st
from trees import Source, tree_of

kombu = need("kombu")
celery = need("celery")

from kombu import serialization  # noqa: E402
from kombu.utils import json as kombu_json  # noqa: E402
from linecaster.integrations import celery as ours  # noqa: E402


class Text(str, enum.Enum):
    A = "a"


class Plain(enum.Enum):
    A = 1


@dataclasses.dataclass
class Point:
    x: int = 1


@dataclasses.dataclass
class WithJson:
    x: int = 1

    def __json__(self):
        return {"y": [self.x]}


class JsonText(str):
    def __json__(self):
        return "never"


class Registered:
    def __eq__(self, other):
        return isinstance(other, Registered)

    __hash__ = object.__hash__

    def __repr__(self):
        return type(self).__name__


class Bare(Registered):
    pass


WRITTEN = [
    None, True, [], {}, 1, -1.5, 1e16, 10**30, "é€😀\x7f", "\ud800", float("nan"), [float("inf")],
    {"b": 1, "a": {2: 1}}, {1.5: 1, None: 2, True: 3}, (1, [2]),
    dt.datetime(2026, 1, 2, 3, 4, 5, 6), dt.datetime(2026, 1, 2, tzinfo=dt.timezone.utc),
    dt.datetime(2026, 1, 2, tzinfo=dt.timezone(dt.timedelta(minutes=17, seconds=30))),
    dt.date(2026, 1, 2), dt.time(1, 2, 3), dt.time(1, tzinfo=dt.timezone.utc),
    decimal.Decimal("1.10"), decimal.Decimal("NaN"), uuid.UUID(int=7),
    b"text", "é".encode(), b"\xff\x00", Text.A, WithJson(2), [WithJson()], JsonText("a"),
    collections.OrderedDict(z=1, a=2), {"nested": [{"when": dt.date(2026, 1, 2), "id": None}]},
    Registered(), [Bare()],
]  # fmt: skip
REFUSED = [
    object(), Plain.A, Point(), pathlib.PurePosixPath("/"), dt.timedelta(1), {1}, bytearray(b""),
    types.MappingProxyType({}), {(1,): 2}, 1j,
]  # fmt: skip


@pytest.fixture(autouse=True)
def own_type():
    """A type that is made known to kombu."""
    before = dict(kombu_json._encoders), dict(kombu_json._decoders)
    kombu_json.register_type(Bare, None, lambda value: ["bare"])
    kombu_json.register_type(
        Registered, "registered", lambda value: {"é": 1}, lambda value: Registered()
    )
    yield
    for registry, content in zip((kombu_json._encoders, kombu_json._decoders), before, strict=True):
        registry.clear()
        registry.update(content)


@pytest.fixture
def registered():
    ours.register()
    yield
    ours.unregister()


@pytest.mark.parametrize("value", [*WRITTEN, *REFUSED], ids=lambda value: repr(value)[:30])
def test_value(value):
    theirs = outcome(kombu_json.dumps, value)
    assert outcome(ours.dumps, value) == theirs
    assert isinstance(theirs, str) is any(value is one for one in WRITTEN)
    if isinstance(theirs, str):
        data = theirs.encode()
        for text in (theirs, data, bytearray(data), memoryview(data)):
            assert repr(outcome(ours.loads, text)) == repr(outcome(kombu_json.loads, text))


def test_types_come_back():
    for value in (dt.datetime(2026, 1, 2), dt.date(2026, 1, 2), dt.time(1), b"\xff", b"a",
                  decimal.Decimal("1.10"), uuid.UUID(int=7), Registered()):  # fmt: skip
        assert ours.loads(ours.dumps([value])) == [value]


@pytest.mark.parametrize(
    "text",
    ['{"__type__": "uuid", "__value__": {"hex": "00000000000000000000000000000007"}}',
     '{"__type__": "unknown", "__value__": 1}', '{"__type__": "uuid", "__value__": 1}',
     '{"__type__": "date", "__value__": "2026-01-02", "x": 1}', '["__type__"]',
     '{"\\u005f_type__": "date", "__value__": "2026-01-02"}',
     '{"__typ\\u0065__": "date", "__value__": "2026-01-02"}',
     '{"__t\\u0079pe__": "date", "\\u005F_value__": "2026-01-02"}', '{"a": [{"b": "\\u20ac"}]}',
     "NaN", "[-Infinity]", "1e999", "", "{", "[1,]", "01", '"\t"', "\ufeff1", "1" * 5000,
     b'"\xff"', b"\xef\xbb\xbf[1]", '["x"]'.encode("utf-16"), b'"\xed\xa0\x80"',
     "[" * 3000 + "]" * 3000, 5, None],
    ids=lambda text: repr(text)[:50],
)  # fmt: skip
def test_loads(text):
    assert repr(outcome(ours.loads, text)) == repr(outcome(kombu_json.loads, text))


@given(st.binary(max_size=400))
def test_documents(data):
    value = tree_of(Source(data))
    text = ours.dumps(value)
    assert text == kombu_json.dumps(value)
    assert ours.loads(text) == kombu_json.loads(text)


def test_what_is_written_is_written_by_linecaster(monkeypatch):
    def never(*args, **kwargs):
        raise AssertionError

    texts = [kombu_json.dumps(value) for value in WRITTEN]
    monkeypatch.setattr(kombu_json, "dumps", never)
    monkeypatch.setattr(kombu_json, "loads", never)
    for value, text in zip(WRITTEN, texts, strict=True):
        assert ours.dumps(value) == text
        ours.loads(text)
    with pytest.raises(AssertionError):
        ours.dumps(object())


def test_registry(registered):
    value = {"id": uuid.UUID(int=7), "é": [1]}
    for name in ("json", None):
        content_type, encoding, text = serialization.dumps(value, serializer=name)
        assert (content_type, encoding) == ("application/json", "utf-8")
        assert text == kombu_json.dumps(value)
        assert serialization.loads(text, content_type, encoding, accept={content_type}) == value
    assert serialization.registry._encoders["json"].encoder is ours.dumps
    assert serialization.registry._default_encode is ours.dumps
    with pytest.raises(kombu.exceptions.EncodeError, match="not JSON serializable"):
        serialization.dumps(object(), serializer="json")
    with pytest.raises(kombu.exceptions.DecodeError, match="Expecting value"):
        serialization.loads("[", "application/json", "utf-8")


def test_a_name_of_its_own():
    before = dict(serialization.registry._encoders), dict(serialization.registry._decoders)
    ours.register("linecaster")
    try:
        content_type, _, text = serialization.dumps([1], serializer="linecaster")
        assert (content_type, text) == ("application/json", "[1]")
        assert serialization.registry._encoders["json"].encoder is kombu_json.dumps
        assert serialization.registry._default_encode is kombu_json.dumps
    finally:
        ours.unregister("linecaster")
    assert before == (serialization.registry._encoders, serialization.registry._decoders)
    assert serialization.loads("[1]", "application/json", "utf-8") == [1]


def test_unregister_restores(registered):
    ours.unregister()
    try:
        assert serialization.registry._encoders["json"].encoder is kombu_json.dumps
        assert serialization.registry._default_encode is kombu_json.dumps
    finally:
        ours.register()


def test_messages(registered):
    value = {"when": dt.datetime(2026, 1, 2), "names": ["é"]}
    with kombu.Connection("memory://linecaster") as connection:
        queue = connection.SimpleQueue("linecaster")
        queue.put(value, serializer="json")
        message = queue.get(timeout=5)
        assert message.payload == value
        message.ack()
        queue.close()


@pytest.mark.parametrize("name", ["json", "linecaster"])
def test_tasks(name):
    ours.register(name)
    try:
        app = celery.Celery("linecaster", broker="memory://", backend="cache+memory://")
        app.conf.update(
            task_serializer=name,
            result_serializer=name,
            accept_content=[name],
            task_always_eager=True,
            task_store_eager_result=True,
        )

        @app.task
        def double(numbers, at):
            return {"doubled": [2 * one for one in numbers], "at": at}

        moment = dt.datetime(2026, 1, 2, tzinfo=dt.timezone.utc)
        result = double.delay([1, 2.5], moment)
        assert app.AsyncResult(result.id).get(timeout=5) == {"doubled": [2, 5.0], "at": moment}
        app.close()
    finally:
        ours.unregister(name)
    gc.collect()
