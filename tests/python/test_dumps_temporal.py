"""Dates, times and durations: as orjson writes them, and ISO 8601."""

import datetime as dt
import itertools
import zoneinfo
from datetime import date, datetime, time, timedelta, timezone

import linecaster
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

OPTIONS = ("naive_utc", "utc_z", "omit_microseconds")
CHOICES = [chosen for n in range(len(OPTIONS) + 1) for chosen in itertools.combinations(OPTIONS, n)]


@pytest.fixture
def same_as_orjson(orjson):
    """Compare a value's bytes under every combination of options."""

    def check(value):
        for chosen in CHOICES:
            bits = orjson.OPT_NON_STR_KEYS
            for name in chosen:
                bits |= getattr(orjson, f"OPT_{name.upper()}")
            expected = orjson.dumps(value, option=bits)
            options = dict.fromkeys(chosen, True)
            assert linecaster.encode(value, non_str_keys=True, **options) == expected
            assert linecaster.dumps(value, non_str_keys=True, **options) == expected.decode()

    return check


def offset(**parts):
    return timezone(timedelta(**parts))


ZONES = [
    None,
    timezone.utc,
    offset(hours=1),
    offset(hours=-5),
    offset(hours=5, minutes=45),
    offset(hours=-3, minutes=-30),
    offset(hours=23, minutes=59),
    offset(hours=-23, minutes=-59),
    offset(minutes=1),
    offset(minutes=-1),
]


@pytest.mark.parametrize("zone", ZONES, ids=str)
def test_datetime(same_as_orjson, zone):
    for parts in (
        (1, 1, 1),
        (1, 1, 1, 0, 0, 0, 1),
        (999, 12, 31, 23, 59, 59, 999999),
        (1000, 1, 1, 1, 1, 1),
        (1970, 1, 1),
        (2000, 2, 29, 12, 30, 5, 120),
        (2026, 7, 8, 9, 10, 11, 100000),
        (9999, 12, 31, 23, 59, 59, 999999),
    ):
        value = datetime(*parts, tzinfo=zone)
        same_as_orjson(value)
        same_as_orjson({"k": [value], value: 1})


@pytest.mark.parametrize("name", ["Europe/Berlin", "America/New_York", "Asia/Kathmandu", "UTC"])
def test_named_zones(same_as_orjson, name):
    try:
        zone = zoneinfo.ZoneInfo(name)
    except zoneinfo.ZoneInfoNotFoundError:
        pytest.skip("no time zone data on this machine")
    for month in range(1, 13):
        for fold in (0, 1):
            value = datetime(2025, month, 26, 2, 30, tzinfo=zone, fold=fold)
            same_as_orjson(value)
            assert linecaster.dumps(value) == f'"{value.isoformat()}"'


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=st.datetimes(timezones=st.sampled_from(ZONES)))
def test_any_datetime(same_as_orjson, value):
    same_as_orjson(value)


@pytest.mark.parametrize("seconds", [*range(-95, 96, 5), 29, 30, 31, -29, -30, -31, 3569, -3569])
def test_offsets_with_seconds(same_as_orjson, seconds):
    """RFC 3339 has whole minutes only: as orjson does, they are rounded."""
    value = datetime(1890, 1, 1, tzinfo=offset(seconds=seconds))
    same_as_orjson(value)


def test_offset_rounded_to_a_full_hour():
    """Where orjson 3.13 writes +00:60."""
    for seconds, text in (
        (3570, "+01:00"),
        (-3599, "-01:00"),
        (86399, "+23:59"),
        (86340, "+23:59"),
    ):
        value = datetime(1890, 1, 1, tzinfo=offset(seconds=seconds))
        assert linecaster.dumps(value) == f'"1890-01-01T00:00:00{text}"'


def test_offset_with_microseconds():
    value = datetime(2020, 1, 1, tzinfo=offset(hours=1, microseconds=5))
    assert linecaster.dumps(value) == '"2020-01-01T00:00:00+01:00"'


def zone_of(answer):
    class Zone(dt.tzinfo):
        def utcoffset(self, when):
            return answer()

        def dst(self, when):
            return None

        def tzname(self, when):
            return "x"

    return Zone()


def test_zone_without_an_offset_is_naive():
    value = datetime(2020, 1, 1, tzinfo=zone_of(lambda: None))
    assert linecaster.dumps(value) == '"2020-01-01T00:00:00"'
    assert linecaster.dumps(value, naive_utc=True) == '"2020-01-01T00:00:00+00:00"'


def test_zone_that_raises():
    with pytest.raises(ZeroDivisionError):
        linecaster.dumps([datetime(2020, 1, 1, tzinfo=zone_of(lambda: 1 // 0))])


@pytest.mark.parametrize("answer", [5, "x", timedelta(days=2), timedelta(days=-1)])
def test_zone_that_lies(answer):
    with pytest.raises((TypeError, ValueError)):
        linecaster.dumps([datetime(2020, 1, 1, tzinfo=zone_of(lambda: answer))])


def test_datetime_that_lies():
    class Liar(datetime):
        answer = None

        def utcoffset(self):
            return Liar.answer

    value = Liar(2020, 1, 1, tzinfo=timezone.utc)
    Liar.answer = timedelta(days=999999999)
    assert linecaster.dumps(value) == '"2020-01-01T00:00:00+23:59"'
    Liar.answer = 7
    with pytest.raises(linecaster.EncodeError, match="timedelta"):
        linecaster.dumps(value)


def test_date(same_as_orjson):
    for value in (date.min, date.max, date(2024, 2, 29), date(987, 6, 5)):
        same_as_orjson(value)
        same_as_orjson({value: value})


def test_time(same_as_orjson):
    for value in (time(), time.max, time(1, 2, 3), time(1, 2, 3, 4), time(23, 0, 0, 120000)):
        same_as_orjson(value)
        same_as_orjson([{value: value}])
    with pytest.raises(linecaster.EncodeError, match=r"must not have tzinfo set at \$\.a\[0\]"):
        linecaster.dumps({"a": [time(1, tzinfo=timezone.utc)]})
    with pytest.raises(linecaster.EncodeError, match="tzinfo"):
        linecaster.dumps({time(1, tzinfo=timezone.utc): 1}, non_str_keys=True)


DURATIONS = {
    "PT0S": timedelta(),
    "P1D": timedelta(days=1),
    "PT1H": timedelta(hours=1),
    "PT1M": timedelta(minutes=1),
    "PT1S": timedelta(seconds=1),
    "PT0.000001S": timedelta(microseconds=1),
    "PT0.5S": timedelta(milliseconds=500),
    "P1DT2H3M4.000005S": timedelta(1, 4, 5, 0, 3, 2),
    "-PT0.000001S": -timedelta(microseconds=1),
    "-P1D": -timedelta(days=1),
    "P1DT2.5S": timedelta(days=1, seconds=2.5),
    "P999999999DT23H59M59.999999S": timedelta.max,
    "-P999999999D": timedelta.min,
}


@pytest.mark.parametrize("text", DURATIONS)
def test_timedelta(text):
    value = DURATIONS[text]
    assert linecaster.dumps([value]) == f'["{text}"]'
    assert linecaster.dumps(["€", value]) == f'["€","{text}"]'
    assert linecaster.dumps({value: 0}, non_str_keys=True) == f'{{"{text}":0}}'


@given(st.timedeltas())
def test_any_timedelta(value):
    text = linecaster.loads(linecaster.dumps(value))
    sign = -1 if text.startswith("-") else 1
    days, _, clock = text.lstrip("-").removeprefix("P").partition("T")
    total = timedelta(days=int(days.rstrip("D") or 0))
    for unit, name in (("H", "hours"), ("M", "minutes"), ("S", "seconds")):
        part, found, rest = clock.partition(unit)
        if found:
            whole, _, micro = part.partition(".")
            total += timedelta(**{name: int(whole)})
            total += timedelta(microseconds=int(micro.ljust(6, "0") or 0))
            clock = rest
    assert sign * total == value
    assert clock == ""


def test_subclasses():
    class Day(date):
        pass

    class Moment(datetime):
        def isoformat(self, *args):
            return "lie"

    class Clock(time):
        pass

    class Span(timedelta):
        pass

    values = [Day(2020, 1, 2), Moment(2020, 1, 2, 3), Clock(4, 5), Span(hours=1)]
    assert linecaster.dumps(values) == ('["2020-01-02","2020-01-02T03:00:00","04:05:00","PT1H"]')


def test_a_stand_in_for_datetime_is_no_trap(monkeypatch):
    """Tests that freeze the time put another class into the module."""

    class AnyMeta(type):
        def __subclasscheck__(cls, other):
            return True

    class Anything(metaclass=AnyMeta):
        pass

    class Fake(datetime):
        pass

    class Own:
        pass

    for stand_in in (Fake, Anything):
        monkeypatch.setattr(dt, "datetime", stand_in)
        monkeypatch.setattr(dt, "timedelta", stand_in)

        class Moment(datetime):
            pass

        for cls in (datetime, Moment, Fake):
            assert linecaster.dumps(cls(2020, 1, 2)) == '"2020-01-02T00:00:00"'
        assert linecaster.dumps(Own(), default=lambda own: 5) == "5"
