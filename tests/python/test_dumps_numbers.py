"""Integers of every layout, floats, Decimal, and what is not a number."""

import decimal
import json
import math
import random
import struct
import sys
from decimal import Decimal
from enum import IntEnum

import linecaster
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import FLOATS, INTS, plain


class Int(int):
    """An `int` that says something else."""

    def __str__(self):
        return "lie"

    __repr__ = __str__
    __int__ = __index__ = lambda self: 42


class Float(float):
    """A `float` that says something else."""

    def __str__(self):
        return "lie"

    __repr__ = __str__


@pytest.mark.parametrize("cls", [int, Int])
def test_integers_at_the_borders(cls):
    for bits in (*range(130), 149, 150, 151, 1000):
        for around in (-2, -1, 0, 1, 2):
            for value in ((1 << bits) + around, -(1 << bits) + around):
                assert linecaster.dumps(cls(value)) == str(value)
                assert linecaster.encode([cls(value)]) == f"[{value}]".encode()
                assert linecaster.dumps(["€", cls(value)]) == f'["€",{value}]'
                assert linecaster.dumps(["😀", cls(value)]) == f'["😀",{value}]'


def test_integers_of_every_decimal_length():
    for digits in range(1, 80):
        for value in (
            10**digits - 1,
            10**digits,
            10**digits + 1,
            int("123456789" * 9) % 10**digits,
        ):
            assert linecaster.encode([value, -value]) == f"[{value},{-value}]".encode()


@given(st.lists(st.integers()))
def test_integers(values):
    assert linecaster.dumps(values) == plain(values)


def test_beyond_the_limit_of_digits():
    limit = sys.get_int_max_str_digits() if hasattr(sys, "get_int_max_str_digits") else 4300
    assert linecaster.dumps(10 ** (limit - 1)) == "1" + "0" * (limit - 1)
    if hasattr(sys, "get_int_max_str_digits"):
        with pytest.raises(ValueError, match="digits"):
            linecaster.dumps([10**limit])


def test_big_int():
    big = [2**63 - 1, -(2**63), 2**64 - 1]
    for choice in ("exact", "string", "raise"):
        assert linecaster.dumps(big, big_int=choice) == plain(big)
    for value in (2**64, -(2**63) - 1, 10**40, Int(-(2**64))):
        text = int.__repr__(value)
        assert linecaster.dumps(value, big_int="exact") == text
        assert linecaster.dumps(["é", value], big_int="string") == f'["é","{text}"]'
        with pytest.raises(linecaster.EncodeError, match="64 bits"):
            linecaster.dumps(value, big_int="raise")


def test_bool_is_no_number():
    assert linecaster.dumps([True, False, None]) == "[true,false,null]"
    assert linecaster.dumps(["€", True, False, None]) == '["€",true,false,null]'


@pytest.mark.parametrize("cls", [float, Float])
def test_floats_at_the_borders(cls):
    for value in FLOATS:
        for one in (value, -value, math.nextafter(value, 1e300), math.nextafter(value, -1e300)):
            if math.isfinite(one):
                assert linecaster.dumps(cls(one)) == float.__repr__(one)
                assert linecaster.dumps(["😀", cls(one)]) == f'["😀",{one!r}]'


def test_floats_of_random_bits():
    chance = random.Random(5)
    values = struct.unpack("<20000d", chance.randbytes(160000))
    values = [value for value in values if math.isfinite(value)]
    values += [
        float(f"{chance.random():.{n}g}") * 10.0**e for n in range(1, 18) for e in range(-9, 22)
    ]
    assert linecaster.dumps(values) == plain(values)
    assert linecaster.dumps(["€", *values]) == plain(["€", *values])


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, -math.nan])
@pytest.mark.parametrize("cls", [float, Float])
def test_what_is_not_a_number(cls, value):
    value = cls(value)
    for options in ({}, {"allow_nan": False}, {"allow_nan": "raise"}):
        with pytest.raises(linecaster.EncodeError, match="is not JSON") as caught:
            linecaster.dumps({"a": [0, value]}, **options)
        assert caught.value.path == "$.a[1]"
    spelled = json.dumps(float(value))
    for keep in (True, "keep"):
        assert linecaster.dumps([value, "€", value], allow_nan=keep) == f'[{spelled},"€",{spelled}]'
    assert linecaster.encode([value], allow_nan="null") == b"[null]"


DECIMALS = """0 -0 1 1.10 0.1 -0.10 1E+3 1E-30 0E+5 -0E-5 123456789012345678901234567890.123456789
    1E+999999 1E-999999 0.0000001 1.5E-7""".split()


@pytest.mark.parametrize("text", DECIMALS)
def test_decimal(text):
    value = Decimal(text)
    assert linecaster.dumps([value]) == f"[{value}]"
    assert linecaster.dumps(["€", value]) == f'["€",{value}]'
    assert linecaster.encode(value, decimal="number") == str(value).encode()
    assert linecaster.encode(value, decimal="string") == f'"{value}"'.encode()
    assert Decimal(json.loads(f'"{value}"')) == value
    json.loads(linecaster.dumps(value), parse_float=Decimal, parse_int=Decimal)


@pytest.mark.parametrize(
    "text", ["NaN", "-NaN", "sNaN", "NaN123", "sNaN42", "Infinity", "-Infinity"]
)
def test_decimal_that_is_not_a_number(text):
    value = Decimal(text)
    with pytest.raises(linecaster.EncodeError, match="is not JSON"):
        linecaster.dumps(value)
    assert linecaster.dumps(value, allow_nan="null") == "null"
    kept = linecaster.dumps(value, allow_nan=True)
    assert kept == (text if "Inf" in text else "NaN")
    assert linecaster.dumps(value, decimal="string") == f'"{value}"'


def test_decimal_subclass_that_lies():
    class Liar(Decimal):
        def __str__(self):
            return '1, "injected": 2'

        __repr__ = __str__

    assert linecaster.dumps([Liar("1.50")]) == "[1.50]"
    assert linecaster.dumps({Liar("1.50"): 1}, non_str_keys=True) == '{"1.50":1}'


def test_decimal_takes_the_context_for_its_letter():
    with decimal.localcontext() as context:
        context.capitals = 0
        assert linecaster.dumps(Decimal("1E+3")) == "1e+3"


def test_a_replaced_decimal_class_is_no_trap(monkeypatch):
    class Stranger(Decimal):
        pass

    value = Decimal("2.50")
    assert linecaster.dumps(value) == "2.50"
    monkeypatch.setattr(decimal, "Decimal", str)
    assert linecaster.dumps(value) == "2.50"
    monkeypatch.setattr(decimal, "Decimal", Stranger)
    assert linecaster.dumps(Stranger("1.0")) == "1.0"


class Level(IntEnum):
    LOW = 1
    HUGE = 2**70


def test_int_enum():
    assert linecaster.dumps(list(Level)) == f"[1,{2**70}]"
    assert linecaster.dumps([Level.HUGE], big_int="string") == f'["{2**70}"]'


@pytest.mark.parametrize("value", INTS)
def test_ints_as_json(value):
    assert linecaster.dumps({"a": [value]}) == plain({"a": [value]})
