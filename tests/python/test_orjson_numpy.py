"""Arrays and scalars of numpy in `linecaster.orjson`, against the original."""

import itertools
import random
import subprocess
import sys

import pytest
from orjson_twins import ours, same_dumps, theirs

np = pytest.importorskip("numpy")

NUMPY, INDENT = theirs.OPT_SERIALIZE_NUMPY, theirs.OPT_INDENT_2
OPTIONS = [NUMPY, NUMPY | INDENT, NUMPY | theirs.OPT_SORT_KEYS, NUMPY | theirs.OPT_NON_STR_KEYS]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "intp"]
FLOATS = ["float16", "float32", "float64"]


def everywhere(value):
    for option in (0, *OPTIONS):
        for held in (value, [value, 1], {"a": value, "b": [value]}):
            same_dumps(held, option=option)
            same_dumps(held, lambda value: repr(type(value)), option)
    same_dumps({"a": {(): 1}, 1: value}, option=OPTIONS[-1])


@pytest.mark.parametrize("name", INTEGERS)
def test_integers(name):
    limits = np.iinfo(name)
    values = [0, 1, 9, 10, 99, 100, limits.min, limits.max, limits.max // 2, limits.min // 3]
    for value in values:
        everywhere(np.array([value], name)[0])
    everywhere(np.array(values, name))
    everywhere(np.arange(100).astype(name).reshape(2, 5, 10))
    same_dumps(np.full(20000, limits.max, name), option=NUMPY)


@pytest.mark.parametrize("name", FLOATS)
def test_floats(name):
    chance = random.Random(1)
    size = np.dtype(name).itemsize
    edges = np.array([0, -0.0, 1, 0.1, np.nan, np.inf, -np.inf, 1e-7, 65504, 3], name)
    everywhere(edges)
    for value in edges:
        everywhere(value)
    with np.errstate(over="ignore"):
        powers = np.array([10.0**n for n in range(-50, 50)]).astype(name)
    same_dumps(powers, option=NUMPY)
    count = 65536 if size == 2 else 30000
    data = (
        np.arange(65536, dtype="uint16").tobytes() if size == 2 else chance.randbytes(count * size)
    )
    same_dumps(np.frombuffer(data, name), option=NUMPY)
    for value in np.frombuffer(data[: 200 * size], name):
        same_dumps(value, option=NUMPY)


def test_bools():
    everywhere(np.array([True, False]))
    everywhere(np.True_)
    everywhere(np.False_)
    everywhere(np.array([2, 0, 255], "uint8").view("bool"))


UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"]
DATES = [theirs.OPT_NAIVE_UTC, theirs.OPT_UTC_Z, theirs.OPT_OMIT_MICROSECONDS]


@pytest.mark.parametrize("unit", UNITS)
def test_datetimes(unit):
    chance = random.Random(2)
    numbers = [0, 1, -12, 1234567890, 253402207199, 253402207200, 253402207201, -62135596800]
    numbers += [-62167219200, -62167219201, -(2**63), 2**63 - 1, -(2**63) + 1]
    numbers += [n * 10**k for n in (253402207200, -62167219200) for k in (3, 6)]
    numbers += [n + d for n in list(numbers) for d in (-1, 1) if -(2**63) < n < 2**63 - 1]
    numbers += [chance.randrange(-(2 ** chance.randrange(63)), 2**62) >> 9 for _ in range(200)]
    # In months, the original crashes on one before a January of the years before 1970.
    numbers = [n for n in numbers if unit != "M" or n >= 0 or n % 12 != 11]
    for number, option in itertools.product(numbers, (0, DATES[0], DATES[0] | DATES[1], DATES[2])):
        array = np.array([number], "int64").view(f"datetime64[{unit}]")
        same_dumps(array, option=NUMPY | option)
        same_dumps(array[0], option=NUMPY | option)
    good = np.arange(6).astype(f"datetime64[{unit}]") if unit in UNITS[:10] else np.array(1)
    everywhere(good)
    same_dumps(good.reshape(2, -1) if good.ndim else good, option=NUMPY)


@pytest.mark.filterwarnings("ignore:The 'generic' unit:DeprecationWarning")
def test_times_without_a_unit():
    everywhere(np.datetime64("NaT"))
    everywhere(np.array(["NaT"], "datetime64"))
    everywhere(np.array([1], "timedelta64[s]"))
    assert ours.dumps(np.array([], "datetime64[s]"), option=NUMPY) == b"[]"


def test_faults_in_rows_of_times():
    # The original leaves off in the middle of such a row and goes on: "[[,]]".
    rows = np.array([[0], [2**62]], "int64").view("datetime64[s]")
    with pytest.raises(
        TypeError, match=r"unrepresentable numpy\.datetime64: 4611686018427387904 s"
    ):
        ours.dumps(rows, option=NUMPY)


def test_months_before_a_january():
    month = np.datetime64("1969-12")
    with pytest.raises(TypeError, match=r"unrepresentable numpy\.datetime64: -1 months"):
        ours.dumps(month, option=NUMPY)


@pytest.mark.parametrize(
    "shape",
    [(0,), (1,), (2, 0), (0, 2), (2, 0, 3), (3, 1, 0), (2, 2, 0), (1,) * 32, (2, 3, 4, 5)],
)
def test_shapes(shape):
    for name in ("int32", "float64", "bool"):
        everywhere(np.ones(shape, name))


def test_faults():
    base = np.arange(24, dtype="int64").reshape(4, 6)
    swapped = base.astype(base.dtype.newbyteorder())
    for value in (
        np.array(1), np.array(1.5, "float32"), base.T, base[:, ::2], base[::2], base[:, 1:],
        base[1:], np.asfortranarray(base), swapped, swapped[:, ::2], swapped[0], np.array(["a"]),
        np.array([1j]), np.array([None]), np.array([b"a"]), np.array([(1, 2)], "i4,i4"),
        np.array([], "longdouble"),
        np.array([1], "longlong"), np.array([1], "ulonglong"), np.array(["a"], object), base[0:0],
        base.view(np.matrix), np.ma.array([1, 2], mask=[0, 1]), np.rec.array([(1,)]), base.flat,
        np.ndarray, np.int64, np.dtype("int8"), np.broadcast_to(np.arange(3), (2, 3)),
        np.lib.stride_tricks.as_strided(base, (2, 2), (0, 0)),
    ):  # fmt: skip
        everywhere(value)


def test_other_scalars():
    for value in (
        np.longlong(1), np.ulonglong(1), np.longdouble(1), np.str_("é"), np.bytes_(b"a"),
        np.complex64(1), np.timedelta64(1, "s"), np.void(b"a"), np.clongdouble(1),
    ):  # fmt: skip
        everywhere(value)


def test_scalars_as_keys():
    for key in (np.int64(1), np.float64(1.5), np.str_("a"), np.bool_(True), np.datetime64(1, "s")):
        for option in OPTIONS:
            same_dumps({key: 1}, option=option)


def test_the_middle_of_a_document():
    value = {"x": np.arange(5), "y": [np.float32(0.1), np.zeros((2, 2)), "é" * 5000], "z": None}
    for option in OPTIONS:
        same_dumps([value] * 20, option=option)


def test_numpy_is_not_imported():
    program = (
        "import sys; from linecaster import orjson;"
        "orjson.dumps([1], default=str, option=orjson.OPT_SERIALIZE_NUMPY);"
        "orjson.dumps([{1}], default=str, option=orjson.OPT_SERIALIZE_NUMPY);"
        "assert 'numpy' not in sys.modules; import numpy;"
        "assert orjson.dumps(numpy.arange(2), option=orjson.OPT_SERIALIZE_NUMPY) == b'[0,1]'"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
