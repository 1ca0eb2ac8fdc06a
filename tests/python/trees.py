"""Values to encode: awkward ones, and trees made of bytes.

`tree_of` needs nothing but a string of bytes, and this file nothing but the
standard library, so that a fuzzer can drive it.
"""

import json
import struct
from typing import Any

SAMPLES = {
    "ascii": 'az"\\/\x00\x1f\x7f\t\n ',
    "latin1": "é\x80\xffÿ\xa0",
    "ucs2": "Ж€漢\u0100\u07ff\u0800\uffff\u2028",
    "ucs4": "😀\U00010000\U0010ffff",
    "surrogate": "\ud800\udbff\udc00\udfff",
}
KINDS = ("ascii", "latin1", "ucs2", "ucs4")

INTS = tuple(
    sign * (1 << bits) + step
    for bits in (0, 1, 7, 30, 31, 32, 59, 60, 61, 62, 63, 64, 65, 89, 90, 91, 128, 400)
    for sign in (1, -1)
    for step in (-1, 0, 1)
)
FLOATS = (0.0, -0.0, 1.0, -1.5, 0.1, 1e16, 1e15, 123456789012345680.0, 1e-4, 1e-5, 5e-324,
          1.7976931348623157e308, 2.2250738585072014e-308, 1 / 3, 1e22, 1e23)  # fmt: skip


def plain(value: Any, **options: Any) -> str:
    """Encode as `json` does, with our defaults."""
    options.setdefault("ensure_ascii", False)
    if options.get("indent") is None:
        options.setdefault("separators", (",", ":"))
    return json.dumps(value, **options)


class Source:
    """Choices read from bytes; zero when they are used up."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, n: int) -> bytes:
        part = self.data[self.at : self.at + n]
        self.at += n
        return part.ljust(n, b"\0")

    def below(self, n: int) -> int:
        return int.from_bytes(self.take(2), "little") % n

    @property
    def spent(self) -> bool:
        return self.at >= len(self.data)


def text_of(source: Source, *, surrogates: bool) -> str:
    """Make a string: runs of plain characters, and awkward ones between them."""
    kinds = KINDS + (("surrogate",) if surrogates else ())
    parts = []
    for _ in range(source.below(4)):
        shape = source.take(1)[0]
        sample = SAMPLES[kinds[shape % len(kinds)]]
        parts.append(sample[(shape >> 3) % len(sample)] * (1 + (shape >> 6)))
        parts.append("plain text "[: shape % 11] * source.below(9))
    return "".join(parts)


def leaf_of(source: Source, *, surrogates: bool) -> Any:
    """Make a value that holds no others."""
    choice = source.below(8)
    if choice == 0:
        return (None, True, False)[source.below(3)]
    if choice == 1:
        return INTS[source.below(len(INTS))]
    if choice == 2:
        return int.from_bytes(source.take(source.below(20)), "little", signed=True)
    if choice == 3:
        value = struct.unpack("<d", source.take(8))[0]
        return value if value - value == 0 else 0.5
    if choice == 4:
        return FLOATS[source.below(len(FLOATS))]
    return text_of(source, surrogates=surrogates)


def tree_of(source: Source, *, surrogates: bool = True, depth: int = 0) -> Any:
    """Make a document."""
    shape = source.below(6) if depth < 12 and not source.spent else 5
    if shape > 3:
        return leaf_of(source, surrogates=surrogates)
    count = source.below((0, 3, 8, 40)[source.below(4)] + 1)
    items = [tree_of(source, surrogates=surrogates, depth=depth + 1) for _ in range(count)]
    if shape == 0:
        return items
    if shape == 1:
        return tuple(items)
    return {text_of(source, surrogates=surrogates): item for item in items}
