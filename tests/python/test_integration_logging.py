"""`linecaster.integrations.logging` in `logging` itself."""

import collections
import dataclasses
import datetime as dt
import io
import json
import logging
import logging.config
import sys
import threading
import time
import uuid

import pytest
from linecaster.integrations.logging import JSONFormatter


class Odd:
    def __repr__(self):
        return "<odd é>"


class Hostile:
    def __repr__(self):
        raise ZeroDivisionError

    __str__ = __repr__


@dataclasses.dataclass
class Point:
    x: int = 1


@pytest.fixture
def log():
    """Make a logger with a formatter, and read back what it wrote."""
    name = "linecaster.tests"
    logger = logging.getLogger(name)
    logger.propagate = False
    logger.setLevel(logging.DEBUG)

    class Log:
        stream = io.StringIO()
        lines: list[str]

        def use(self, **options):
            handler = logging.StreamHandler(self.stream)
            handler.setFormatter(JSONFormatter(**options))
            logger.handlers[:] = [handler]
            return logger

        def read(self):
            text = self.stream.getvalue()
            assert text.endswith("\n")
            self.stream.seek(0)
            self.stream.truncate()
            return [json.loads(line) for line in text.split("\n")[:-1]]

    yield Log()
    logger.handlers.clear()


@pytest.fixture(autouse=True)
def faults_are_errors(monkeypatch):
    def handle(self, record):
        raise AssertionError(record.msg)

    monkeypatch.setattr(logging.Handler, "handleError", handle)


def record_of(message="m", *args, **attributes):
    made = logging.LogRecord("app.é", logging.WARNING, "/a/b.py", 7, message, args, None, "f")
    made.created = 1767323045.678901
    vars(made).update(attributes)
    return made


def test_line(log):
    log.use().warning("sold %d %s", 3, "téa", extra={"item": {"id": 5}})
    (line,) = log.read()
    when = dt.datetime.fromisoformat(line.pop("time").replace("Z", "+00:00"))
    assert abs(when.timestamp() - time.time()) < 60
    expected = {
        "level": "WARNING", "logger": "linecaster.tests", "message": "sold 3 téa",
        "item": {"id": 5},
    }  # fmt: skip
    assert line == expected
    assert list(line) == list(expected)


def test_exact_text():
    formatter = JSONFormatter(static={"service": "s"})
    assert formatter.format(record_of("%s", "é", item=[1, 2.5])) == (
        '{"time":"2026-01-02T03:04:05.678901Z","level":"WARNING","logger":"app.é","message":"é",'
        '"item":[1,2.5],"service":"s"}'
    )
    text = JSONFormatter(ensure_ascii=True, sort_keys=True, indent=1).format(record_of("é"))
    assert text == json.dumps(
        {"level": "WARNING", "logger": "app.é", "message": "é",
         "time": "2026-01-02T03:04:05.678901Z"}, indent=1,
    )  # fmt: skip


def test_fields():
    fields = {
        "@timestamp": "time", "severity": "levelname", "line": "lineno", "file": "pathname",
        "function": "funcName", "thread": "threadName", "process": "process", "none": "absent",
        "again": "message", "when": "asctime",
    }  # fmt: skip
    line = json.loads(JSONFormatter(fields).format(record_of()))
    assert list(line) == list(fields)
    assert line["line"] == 7
    assert line["thread"] == threading.current_thread().name
    assert line["none"] is None
    assert line["again"] == "m"
    assert line["when"] == line["@timestamp"]
    assert json.loads(JSONFormatter({}).format(record_of())) == {}


def test_every_attribute_of_a_record_is_known():
    """What `logging` itself puts into a record is not taken for an extra."""
    handled = []

    class Handler(logging.Handler):
        def emit(self, record):
            logging.Formatter("%(asctime)s %(message)s").format(record)
            handled.append(JSONFormatter({}, exc_info=None).format(record))

    logger = logging.Logger("own")
    logger.addHandler(Handler())
    try:
        raise KeyError
    except KeyError:
        logger.exception("x %s", 1, stack_info=False)
    assert handled == ["{}"]


@pytest.mark.parametrize(
    ("time_format", "expected"),
    [
        ("rfc3339", "2026-01-02T03:04:05.678901Z"),
        ("epoch", 1767323045.678901),
        ("epoch_ms", 1767323045678),
        ("%Y", time.strftime("%Y", time.localtime(1767323045))),
    ],
)
def test_time(time_format, expected):
    formatter = JSONFormatter({"t": "time"}, time_format=time_format)
    assert json.loads(formatter.format(record_of())) == {"t": expected}


def test_local_time():
    text = json.loads(JSONFormatter({"t": "time"}, time_format="local").format(record_of()))["t"]
    moment = dt.datetime.fromtimestamp(1767323045.678901, dt.timezone.utc).astimezone()
    assert text == moment.isoformat().replace("+00:00", "Z")


def test_unknown_time_format():
    with pytest.raises(ValueError, match="time_format"):
        JSONFormatter(time_format="iso")


def test_extra():
    record = record_of(level="mine", user=1, service="hidden?", time=5)
    assert json.loads(JSONFormatter(static={"service": "s"}).format(record)) == {
        "time": "2026-01-02T03:04:05.678901Z", "level": "WARNING", "logger": "app.é",
        "message": "m", "extra_level": "mine", "user": 1, "extra_service": "hidden?",
        "extra_time": 5, "service": "s",
    }  # fmt: skip
    assert json.loads(JSONFormatter({}, extra="context").format(record)) == {
        "context": {"level": "mine", "user": 1, "service": "hidden?", "time": 5}
    }
    assert JSONFormatter({}, extra="context").format(record_of()) == "{}"
    assert JSONFormatter({}, extra=False).format(record) == "{}"


def test_traceback_and_stack(log):
    logger = log.use()
    try:
        raise ValueError("é\n")
    except ValueError:
        logger.exception("failed", stack_info=True)
        expected = logging.Formatter().formatException(sys.exc_info())
    (line,) = log.read()
    assert line["exc_info"] == expected
    assert line["exc_info"].startswith("Traceback (most recent call last):\n")
    assert line["stack_info"].startswith("Stack (most recent call last):\n")
    assert JSONFormatter({}, exc_info=None).format(record_of(exc_text="t")) == "{}"
    assert JSONFormatter({}, exc_info="error").format(record_of(exc_text="t")) == '{"error":"t"}'
    logger.error("no exception", exc_info=True)
    assert log.read()[0]["exc_info"] == "NoneType: None"


def test_traceback_is_formatted_once():
    record = record_of(exc_info=(ValueError, ValueError("x"), None))
    first = JSONFormatter().format(record)
    assert record.exc_text == "ValueError: x"
    assert JSONFormatter().format(record) == first


VALUES = [
    (dt.date(2026, 1, 2), "2026-01-02"), (uuid.UUID(int=0), str(uuid.UUID(int=0))),
    (Point(), {"x": 1}), ({3}, [3]), (frozenset(), []), (b"a\xff", "a\\xff"), (Odd(), "<odd é>"),
    (float("nan"), None), (10**30, 10**30), ({1: 2, None: 3}, {"1": 2, "null": 3}),
    ({(1, 2): 3, "a": 1}, {"a": 1}), ([Odd(), Odd], ["<odd é>", repr(Odd)]),
    (ValueError("x"), "ValueError('x')"), (collections.deque([1]), "deque([1])"),
    ("\ud800é", "\ud800é"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "expected"), VALUES, ids=lambda value: repr(value)[:20])
def test_values(value, expected):
    text = JSONFormatter({}).format(record_of(value=value))
    assert json.loads(text) == {"value": expected}
    assert text.encode()


def circle():
    items: list = [1]
    items.append(items)
    return items


def deep():
    value: list = []
    for _ in range(2000):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [circle(), deep(), Hostile(), [Hostile()], {Hostile(): 1}, 10**6000,
     [{"a": "\ud800", "b": 10**6000}]],
    ids=["circle", "deep", "hostile", "in list", "key", "digits", "both"],
)  # fmt: skip
def test_no_value_stops_a_record(log, value):
    log.use(static={"s": value}).info("still here", extra={"v": value, "w": [1]})
    (line,) = log.read()
    assert line["message"] == "still here"
    assert line["w"] == [1]
    assert "v" in line


def test_default():
    def default(value):
        if isinstance(value, Odd):
            return ["odd"]
        if isinstance(value, Hostile):
            raise ZeroDivisionError
        raise TypeError

    formatter = JSONFormatter({}, default=default)
    assert json.loads(formatter.format(record_of(a=Odd(), b={1}, c=1j))) == {
        "a": ["odd"], "b": [1], "c": "1j",
    }  # fmt: skip
    assert "Hostile object" in json.loads(formatter.format(record_of(a=Hostile())))["a"]


def test_messages(log):
    logger = log.use()
    logger.info({"event": "é", "n": [1]})
    logger.info("%d", "no number")
    logger.info("too %s %s", 1)  # noqa: PLE1206
    logger.info(Odd())
    logger.info("%(a)s", {"a": 1})
    assert [line["message"] for line in log.read()] == [
        {"event": "é", "n": [1]}, ["%d", ["no number"]], ["too %s %s", [1]], "<odd é>", "1",
    ]  # fmt: skip
    logger.info(Hostile())
    assert len(log.read()) == 1


def test_one_line_each(log):
    log.use().info("a\nb\u2028c\r", extra={"d": "e\n"})
    assert log.stream.getvalue().count("\n") == 1
    assert log.read()[0]["message"] == "a\nb\u2028c\r"


def test_configuration_by_dict():
    stream = io.StringIO()
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {
                "json": {
                    "()": "linecaster.integrations.logging.JSONFormatter",
                    "fields": {"m": "message"},
                    "static": {"service": "shop"},
                }
            },
            "handlers": {
                "json": {"class": "logging.StreamHandler", "formatter": "json", "stream": stream}
            },
            "loggers": {"linecaster.dict": {"handlers": ["json"], "propagate": False}},
        }
    )
    logging.getLogger("linecaster.dict").error("é")
    logging.getLogger("linecaster.dict").handlers.clear()
    assert stream.getvalue() == '{"m":"é","service":"shop"}\n'
