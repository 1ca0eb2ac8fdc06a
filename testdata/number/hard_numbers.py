"""Make the numbers that are hardest to write and to read, with their answers.

    python testdata/number/hard_numbers.py

A float is hard to write if its digits turn on a distance of less than 2^-60
(in units of the last place but one): to the end of its rounding interval, or to
a tie between two last digits. A decimal is hard to read if it lies that near to
the point halfway between two floats. Both are found without trying: they are
the x for which `a * x mod m` falls into a narrow range, and Euclid's algorithm
finds the least of them. The answers are Python's `repr` and `float`, which are
exact.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Precision of the fractions: far beyond the 2^-64 that matter.
ONE = 1 << 240


def least(a: int, m: int, low: int, high: int) -> int:
    """Return the least x >= 0 with low <= a * x mod m <= high, or -1."""
    if low == 0:
        return 0
    if a == 0:
        return -1
    if 2 * a > m:
        return least(m - a, m, m - high, m - low)
    x = -(-low // a)
    if x * a <= high:
        return x
    y = least(m % a, a, -high % a, -low % a)
    return y if y < 0 else -(-(low + m * y) // a)


def near(slope: Fraction, target: Fraction, width: int, start: int, end: int) -> Iterator[int]:
    """Yield some x of the range with slope * x mod 1 within 2^-width of the target."""
    a = int(slope % 1 * ONE)
    low = int(target % 1 * ONE) - (ONE >> width)
    span = (ONE >> width) * 2
    x, found = start, 0
    while x < end and found < 2:
        first = (low - a * x) % ONE
        # The range may reach over the end, and then holds 0.
        step = 0 if first + span >= ONE else least(a, ONE, first, first + span)
        if step < 0:
            return
        x += step
        if x < end:
            yield x
            found += 1
        x += 1


def hard_to_write() -> Iterator[float]:
    """Yield floats of every binary exponent."""
    for exponent in range(-1074, 972):
        unit = Fraction(2) ** exponent
        power = exponent * 315653 >> 20  # floor(log10(unit))
        slope = unit / Fraction(10) ** (power + 1)
        targets = [Fraction(2 * digit + 1, 20) for digit in range(10)]
        targets += [slope / 2, 1 - slope / 2]
        start = 1 if exponent == -1074 else 1 << 52
        for target in targets:
            for significand in near(slope, target, 60, start, 1 << 53):
                yield float(significand * unit)


def hard_to_read() -> Iterator[tuple[int, int]]:
    """Yield decimals of 19 and of 17 digits for every power of ten."""
    for power in range(-342, 309):
        ten = Fraction(10) ** power
        for digits, width in ((19, 65), (17, 58)):
            start, end = 10 ** (digits - 1), 10**digits
            binade = (start * ten).numerator.bit_length() - (start * ten).denominator.bit_length()
            for top in range(binade - 1, binade + 5):
                # The decimals between 2^top and 2^(top + 1).
                low = max(start, int(Fraction(2) ** top / ten) + 1)
                high = min(end, int(Fraction(2) ** (top + 1) / ten))
                unit = Fraction(2) ** max(top - 52, -1074)
                if top > 1023 or low >= high:
                    continue
                for mantissa in near(ten / unit, Fraction(1, 2), width, low, high):
                    yield mantissa, power


def write(name: str, head: str, lines: list[str]) -> None:
    """Write a file of vectors."""
    text = "".join(f"# {line}\n" for line in head.splitlines())
    (HERE / name).write_text(text + "".join(f"{line}\n" for line in lines))
    print(f"{name}: {len(lines)}")


def main() -> None:
    """Write both files."""
    origin = f"made by hard_numbers.py; answers by CPython {sys.version.split()[0]}"
    seen: set[float] = set(hard_to_write())
    floats = [f"{struct.pack('>d', v).hex()} {v!r}" for v in sorted(seen)]
    write("hard-floats.txt", f"bits of a float, its shortest digits; {origin}", floats)
    decimals = []
    for mantissa, power in hard_to_read():
        text = f"{mantissa}e{power}"
        decimals.append(f"{text} {struct.pack('>d', float(text)).hex()}")
    write("hard-decimals.txt", f"a decimal, the bits of the nearest float; {origin}", decimals)


if __name__ == "__main__":
    main()
