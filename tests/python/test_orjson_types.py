"""What `linecaster.orjson.dumps` makes of each type, against the original."""

import collections
import contextlib
import dataclasses
import datetime as dt
import decimal
import enum
import functools
import itertools
import types
import typing
import uuid
import zoneinfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orjson_twins import ours, outcome, same_dumps, theirs

NON_STR, SORT, INDENT = theirs.OPT_NON_STR_KEYS, theirs.OPT_SORT_KEYS, theirs.OPT_INDENT_2
DATES = [theirs.OPT_NAIVE_UTC, theirs.OPT_UTC_Z, theirs.OPT_OMIT_MICROSECONDS]
PASS = [
    theirs.OPT_PASSTHROUGH_DATACLASS,
    theirs.OPT_PASSTHROUGH_DATETIME,
    theirs.OPT_PASSTHROUGH_SUBCLASS,
]


def combined(bits):
    for chosen in itertools.product([0, 1], repeat=len(bits)):
        yield sum(bit for bit, take in zip(bits, chosen, strict=True) if take)


def everywhere(value, default=None):
    """As a document, inside of containers, as a key, and passed through."""
    for option in (0, INDENT, SORT, NON_STR, NON_STR | SORT, *PASS, sum(PASS), sum(PASS) | NON_STR):
        for held in (value, [value, value], {"a": value, "b": 1}, (value,)):
            same_dumps(held, option=option)
            if default is not None:
                same_dumps(held, default, option)
        with contextlib.suppress(TypeError):
            same_dumps({value: 1, "a": 2}, option=option)


class Str(str):
    __slots__ = ()


class Int(int):
    pass


class Float(float):
    pass


class List(list):
    def __iter__(self):
        return iter(["lie"])

    def __len__(self):
        return 7


class Tuple(tuple):
    __slots__ = ()


class Dict(dict):
    def items(self):
        return [("lie", 1)]

    keys = __iter__ = lambda self: iter(["lie"])


class Named(typing.NamedTuple):
    x: int = 1


class Typed(typing.TypedDict):
    x: int


ordered = collections.OrderedDict(a=1, b=2)
ordered.move_to_end("a")


@pytest.mark.parametrize(
    "value",
    [
        Str("é"), Str(), Int(7), Int(2**64), Float(1.5), List([1, [2]]), List(), Dict(a=1), Dict(),
        Tuple([1]), Named(), Typed(x=1), ordered, collections.defaultdict(int, a=1),
        collections.Counter("aab"), collections.UserDict(a=1), collections.deque([1]), {1}, b"a",
        frozenset(), bytearray(), memoryview(b""), 1j, decimal.Decimal(1), range(3), iter([]),
        object, int, print, Ellipsis, NotImplemented, types.SimpleNamespace(a=1), (x for x in "a"),
        dt.timedelta(1), types.MappingProxyType({}), uuid.SafeUUID.safe, zoneinfo.ZoneInfo,
    ],
)  # fmt: skip
def test_subclasses_and_strangers(value):
    everywhere(value, default=lambda value: [type(value).__name__])


class Plain(enum.Enum):
    ONE = 1
    TEXT = "é"
    LIST = (1, "a")
    NONE = None
    SET = frozenset()
    SURROGATE = "\ud800"


class Number(enum.IntEnum):
    ONE = 1


class Text(str, enum.Enum):
    A = "a"


class Flag(enum.Flag):
    A = 1
    B = 2


class Real(float, enum.Enum):
    HALF = 0.5


class Inner(enum.Enum):
    OUTER = Plain.ONE


class Meta(enum.EnumMeta):
    pass


class Other(enum.Enum, metaclass=Meta):
    A = 1


class Computed(enum.Enum):
    A = 1

    @property
    def value(self):
        return [self.name]


@pytest.mark.parametrize(
    "value",
    [*Plain, Number.ONE, Text.A, Flag.A, Flag.A | Flag.B, *Real, *Inner, *Other, Computed.A],
)
def test_enums(value):
    everywhere(value, default=lambda value: "default")


UUIDS = [uuid.UUID(int=0), uuid.UUID(int=2**128 - 1), uuid.uuid5(uuid.NAMESPACE_URL, "a")]
UUIDS += [uuid.UUID(int=1 << n) for n in range(0, 128, 7)]


class SubUUID(uuid.UUID):
    pass


def test_uuids():
    for value in [*UUIDS, SubUUID(int=1)]:
        everywhere(value, default=str)


def dataclass(**options):
    return dataclasses.dataclass(**options)


@dataclass()
class Point:
    x: int
    y: typing.Any = None
    _private: int = 3
    kept: typing.ClassVar[int] = 4
    given: dataclasses.InitVar[int] = 5
    made: list = dataclasses.field(default_factory=lambda: [1])
    hidden: int = dataclasses.field(default=6, repr=False, compare=False)
    unset: int = dataclasses.field(init=False, default=7)

    @functools.cached_property
    def cached(self):
        return "cached"

    @property
    def shown(self):
        return "never"


@dataclass(slots=True)
class Slots:
    b: int
    a: typing.Any = None
    _private: int = 3
    kept: typing.ClassVar[int] = 4
    given: dataclasses.InitVar[int] = 5


@dataclass(frozen=True)
class Frozen:
    x: int = 1


@dataclass()
class Empty:
    pass


@dataclass()
class Private:
    _a: int = 1


@dataclass(slots=True)
class EmptySlots:
    pass


@dataclass(slots=True)
class PrivateSlots:
    _a: int = 1


class Derived(Point):
    """No dataclass by itself."""


@dataclass()
class DerivedToo(Point):
    z: int = 8


class SlotsWithDict(Slots):
    pass


@dataclass()
class SlotsAbove(Slots):
    c: int = 9


@dataclass()
class Given(dict):
    x: int = 1


@dataclass()
class HasDict:
    __slots__ = ("__dict__", "x")
    x: int


def dataclasses_to_write():
    point = Point(1)
    point.cached  # noqa: B018 - kept in the dict from now on
    point.more = {"é": 1}
    point.__dict__["_more"] = 1
    keyed = Point(2)
    keyed.__dict__[3] = 4
    surrogate = Point(2)
    surrogate.__dict__["\ud800"] = 1
    less = Point(1)
    del less.y
    return [
        point, keyed, surrogate, less, Point(1, Point(2, Point(3))), Point({1}), Slots(1, Slots(2)),
        Slots({1}), Frozen(), Empty(), Private(), EmptySlots(), PrivateSlots(), Derived(1),
        DerivedToo(1), SlotsWithDict(1), SlotsAbove(1), Given(2), HasDict(1), Point, Slots,
        [Empty(), Private(), [PrivateSlots()]], Point("\ud800"), Point((1, Point("b" * 100))),
    ]  # fmt: skip


def test_dataclasses():
    for value in dataclasses_to_write():
        with contextlib.suppress(TypeError):
            hash(value)
        for option in (0, INDENT, SORT, NON_STR, *PASS):
            for held in (value, [value], {"a": value, "b": 1}):
                same_dumps(held, option=option)
                same_dumps(held, lambda value: {"type": type(value).__name__}, option)
    same_dumps({Frozen(): 1}, option=NON_STR)


def test_dataclasses_made_at_run_time():
    for options in ({}, {"slots": True}, {"frozen": True}):
        for count in (1, 5, 40):
            fields = [(f"{'_' * (n % 4 == 3)}f{n}", typing.Any) for n in range(count)]
            made = dataclasses.make_dataclass("Made", fields, **options)
            same_dumps([made(*range(count)), made(*"x" * count)], option=INDENT)


def test_deep_dataclasses():
    for make in (Frozen, Point, Slots):
        for depth in (252, 253, 254, 255, 256):
            value = 1
            for _ in range(depth):
                value = make(value)
            same_dumps(value)
            same_dumps([value])
    loop = Point(1)
    loop.x = loop
    assert same_dumps(loop)[1] == "Recursion limit reached"


class Odd(dt.tzinfo):
    def __init__(self, **offset):
        self.offset = dt.timedelta(**offset)

    def utcoffset(self, _):
        return self.offset

    def dst(self, _):
        return None


class Pendulum(Odd):
    def convert(self, value):
        return value


class Pytz(Odd):
    def normalize(self, value):
        return value.replace(tzinfo=Odd(hours=3))


ZONES = [None, dt.timezone.utc, zoneinfo.ZoneInfo("UTC")]
ZONES += [dt.timezone(dt.timedelta(minutes=n)) for n in range(-1439, 1440, 97)]
ZONES += [zoneinfo.ZoneInfo(name) for name in ("Europe/Amsterdam", "Asia/Kathmandu",
          "America/New_York", "Australia/Adelaide", "Africa/Monrovia")]  # fmt: skip
ZONES += [Odd(hours=19, minutes=32, seconds=s) for s in (0, 1, 29, 30, 31, 59)]
ZONES += [Odd(hours=-5, minutes=59, seconds=s) for s in (0, 1, 29, 30, 31, 59)]
ZONES += [Odd(seconds=n) for n in (-86399, -1, 1, 29, 30, 86399)]
ZONES += [Odd(minutes=59, seconds=40, microseconds=5), Pendulum(hours=-3), Pytz(hours=9)]

MOMENTS = [
    dt.datetime(2026, 3, 29, 1, 59, 59, 999999),
    dt.datetime(1, 1, 1),
    dt.datetime(9, 2, 3, 4, 5, 6, 7),
    dt.datetime(99, 12, 31),
    dt.datetime(999, 10, 20, 11, 12, 13, 100),
    dt.datetime(1937, 1, 1, 12, 0, 27, 87),
    dt.datetime(2000, 2, 29, 23, 0, 0, 100000),
    dt.datetime(9999, 12, 31, 12, 59, 59, 10),
    dt.datetime(2026, 10, 25, 2, 30, fold=1),
]


def test_datetimes():
    for moment, zone in itertools.product(MOMENTS, ZONES):
        if isinstance(zone, Pytz) and moment.year == 9999:
            continue
        value = moment.replace(tzinfo=zone)
        for option in combined(DATES):
            same_dumps([value], option=option)
        same_dumps({value: value}, option=NON_STR)


def test_zones_of_other_libraries():
    zones = []
    with contextlib.suppress(ImportError):
        from dateutil import tz

        zones += [tz.tzutc(), tz.gettz("Europe/Amsterdam"), tz.tzoffset("x", -3601), tz.tzlocal()]
    with contextlib.suppress(ImportError):
        import pytz

        zones += [pytz.utc, pytz.timezone("Asia/Shanghai"), pytz.FixedOffset(-90)]
    for moment, zone in itertools.product(MOMENTS[2:6], zones):
        same_dumps(moment.replace(tzinfo=zone))


def test_dates_and_times():
    for moment in MOMENTS:
        for value in (moment.date(), moment.time()):
            for option in combined(DATES):
                same_dumps(value, option=option)
            everywhere(value, default=str)
        timed = moment.time().replace(tzinfo=dt.timezone.utc)
        assert same_dumps(timed)[1] == "datetime.time must not have tzinfo set"
        everywhere(timed, default=str)
        everywhere(moment, default=str)


class Stamp(dt.datetime):
    pass


class Day(dt.date):
    pass


def test_subclasses_of_datetimes_are_refused():
    for value in (Stamp(2020, 1, 1), Day(2020, 1, 1)):
        everywhere(value, default=str)


@given(st.datetimes(timezones=st.none() | st.timezones()), st.sampled_from(list(combined(DATES))))
def test_any_datetime(value, option):
    same_dumps(value, option=option)
    same_dumps({value: 1}, option=option | NON_STR)


@given(st.dates() | st.times() | st.uuids())
def test_any_date(value):
    same_dumps([value])
    same_dumps({value: 1}, option=NON_STR)


def test_what_raises_inside():
    class Broken(dt.tzinfo):
        def utcoffset(self, _):
            raise ZeroDivisionError

    class Wrong(enum.Enum):
        A = 1

        @property
        def value(self):
            raise ZeroDivisionError

    # The original crashes on these.
    for value in (dt.datetime(2020, 1, 1, tzinfo=Broken()), Wrong.A):
        with pytest.raises(ZeroDivisionError):
            ours.dumps([value])
    assert outcome(ours.dumps, dt.datetime(2020, 1, 1, tzinfo=dt.tzinfo()))[0] == (
        "NotImplementedError"
    )


def test_changes_under_way():
    def default(_):
        value.append(1) if len(value) < 50 else None
        return len(value)

    value = [{1}]
    assert ours.dumps(value, default)
    table = {"a": {1}, "b": 1}

    def change(_):
        table[len(table)] = 1

    with pytest.raises(RuntimeError, match="changed size"):
        ours.dumps(table, change)
