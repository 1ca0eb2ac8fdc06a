"""`passthrough`: what goes to `default` although it has a form of its own."""

import collections
import dataclasses
import datetime as dt
import decimal
import enum
import json
import pathlib
import types
import uuid

import linecaster
import pytest


@dataclasses.dataclass
class Point:
    x: int = 1


class Plain(enum.Enum):
    A = "a"


class Text(str, enum.Enum):
    A = "a"

    def __new__(cls, value):
        member = str.__new__(cls, value.upper())
        member._value_ = value
        return member


class Number(enum.IntEnum):
    ONE = 1


class ByItems(dict):
    def items(self):
        return [("other", 1)]


VALUES = {
    "dataclass": Point(),
    "date": dt.date(2026, 1, 2),
    "datetime": dt.datetime(2026, 1, 2),
    "decimal": decimal.Decimal("1.0"),
    "enum": Plain.A,
    "mapping": types.MappingProxyType({"a": 1}),
    "path": pathlib.PurePosixPath("/a"),
    "time": dt.time(1),
    "timedelta": dt.timedelta(1),
    "uuid": uuid.UUID(int=1),
}
JSON_ITSELF = [Text.A, Number.ONE, collections.OrderedDict(a=1), ByItems(a=1), (1,), True, None]


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("collection", [tuple, list, set, frozenset])
def test_each(kind, collection):
    chosen = collection([kind])
    for name, value in VALUES.items():
        text = linecaster.dumps([value], default=lambda _: "asked", passthrough=chosen)
        assert (text == '["asked"]') is (name == kind), name


@pytest.mark.parametrize("encode", [linecaster.dumps, linecaster.encode])
def test_all_is_what_json_asks_for(encode):
    values = [*VALUES.values(), *JSON_ITSELF, {"k": Point(), "l": [Plain.A]}, {1}, b""]
    asked, expected = [], []

    def ask(value):
        asked.append(value)
        return [repr(value)]

    def ask_json(value):
        expected.append(value)
        return [repr(value)]

    text = encode(values, default=ask, passthrough="all")
    oracle = json.dumps(values, default=ask_json, separators=(",", ":"))
    assert (text if isinstance(text, str) else text.decode()) == oracle
    assert asked == expected


def test_without_default():
    with pytest.raises(linecaster.EncodeError, match="not JSON serializable: Point at") as caught:
        linecaster.dumps([Point()], passthrough=("dataclass",))
    assert caught.value.path == "$[0]"


def test_what_is_not_passed_stays():
    assert linecaster.dumps(Text.A) == '"a"'
    assert linecaster.dumps(Text.A, passthrough=["enum"]) == '"A"'
    assert linecaster.dumps(Point(), passthrough=()) == '{"x":1}'
    assert linecaster.dumps({uuid.UUID(int=0): 1}, passthrough="all", non_str_keys=True) == (
        '{"00000000-0000-0000-0000-000000000000":1}'
    )


@pytest.mark.parametrize(
    ("value", "error"),
    [("date", ValueError), (("dates",), ValueError), ((1,), ValueError), (("é",), ValueError),
     (1, TypeError), (iter(["date"]), TypeError), ({"date": 1}, TypeError)],
)  # fmt: skip
def test_what_the_option_refuses(value, error):
    with pytest.raises(error, match="'passthrough'"):
        linecaster.dumps(1, passthrough=value)
