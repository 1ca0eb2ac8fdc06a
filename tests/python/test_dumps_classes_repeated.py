"""Classes whose instances are written inside of the inner loop."""

import dataclasses
import datetime as dt
import enum
import json
import uuid

import linecaster
import linecaster.orjson
import pytest

DOORS = [linecaster.encode, linecaster.orjson.dumps]


def twice(door, *values):
    """The values written three times over in one document."""
    found = json.loads(door([*values] * 3))
    assert found == found[: len(values)] * 3
    return found[: len(values)]


@pytest.mark.parametrize("door", DOORS)
def test_enum_with_a_value_of_its_own(door):
    class Shouted(enum.Enum):
        A = "a"

        @property
        def value(self):
            return "A!"

    class Plain(enum.Enum):
        A = "a"
        B = 2
        C = None

    assert twice(door, Shouted.A) == ["A!"]
    assert twice(door, *Plain) == ["a", 2, None]


@pytest.mark.parametrize("door", DOORS)
def test_enum_that_changes_between_two_calls(door):
    class Changing(enum.Enum):
        A = "a"

    assert twice(door, Changing.A) == ["a"]
    type.__setattr__(Changing, "value", property(lambda self: "later"))
    assert twice(door, Changing.A) == ["later"]


@pytest.mark.parametrize("door", DOORS)
def test_dataclasses(door):
    @dataclasses.dataclass
    class Point:
        x: int
        y: object = None

    points = [Point(1, Point(2)), Point(3, [Point(4, {"a": Point(5)})])]
    expected = [dataclasses.asdict(point) for point in points]
    assert twice(door, *points) == expected
    assert twice(door, {"p": points[0]}) == [{"p": expected[0]}]


def test_dataclass_with_attributes_besides_its_fields():
    @dataclasses.dataclass
    class Point:
        x: int

    point = Point(1)
    point.extra = 2
    assert twice(linecaster.encode, Point(0), point) == [{"x": 0}, {"x": 1}]


def test_dataclass_with_a_property_before_its_field():
    @dataclasses.dataclass
    class Point:
        x: int

    point = Point(1)
    assert twice(linecaster.encode, point) == [{"x": 1}]
    Point.x = property(lambda self: 7)
    assert twice(linecaster.encode, point) == [{"x": 7}]


@pytest.mark.parametrize("door", DOORS)
def test_dates_of_all_zones(door):
    hours = dt.timezone(dt.timedelta(hours=-2, minutes=-30))
    moment = dt.datetime(2026, 1, 31, 12, 0, 1, 20)
    values = [
        moment,
        moment.replace(tzinfo=dt.timezone.utc),
        moment.replace(tzinfo=hours),
        moment.date(),
        moment.time(),
    ]
    assert twice(door, *values) == [value.isoformat() for value in values]


@pytest.mark.parametrize("door", DOORS)
def test_uuids_and_subclasses(door):
    class Text(str):
        __slots__ = ()

    class Number(int):
        pass

    value = uuid.UUID(int=0x0123456789ABCDEF << 60)
    values = [value, Text("é\n"), Text(""), Number(-5), Number(2**63)]
    assert twice(door, *values) == [str(value), "é\n", "", -5, 2**63]


@pytest.mark.parametrize("door", DOORS)
def test_where_the_room_ends(door):
    value = uuid.UUID(int=1)
    for count in range(1, 200):
        text = door([value] * count)
        assert json.loads(text) == [str(value)] * count
