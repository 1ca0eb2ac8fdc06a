"""The documents under measurement, all made from fixed seeds.

A workload has a value (what is encoded) and its text (what is decoded). The
repeated modes use the value itself; the fresh modes decode the text anew for
each call, so that every string is an object of its own.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.documents import write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MB = 1_000_000
MADE = Path(__file__).resolve().parents[2] / "build" / "documents"


@dataclass(frozen=True)
class Workload:
    """One document: its name, what it is like, and how to get it."""

    name: str
    about: str
    build: Callable[[], Any]
    path: Path | None = None
    # A list of many, for streams.
    records: bool = False

    @cached_property
    def value(self) -> Any:
        """The value that repeated modes encode."""
        return self.build()

    @cached_property
    def text(self) -> bytes:
        """What is decoded: the file as it is, or the compact text."""
        if self.path is not None:
            return self.path.read_bytes()
        return self.compact

    @cached_property
    def compact(self) -> bytes:
        """The output that is expected, by `json`; sizes are taken from it."""
        text = json.dumps(self.value, ensure_ascii=False, separators=(",", ":"))
        return text.encode()

    @cached_property
    def lines(self) -> bytes:
        """The records of the value, one on each line."""
        texts = (
            json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"
            for record in self.value
        )
        return "".join(texts).encode()

    def fresh(self) -> Any:
        """Decode an equal value whose strings are new objects."""
        return json.loads(self.compact)


def _filled(piece: Callable[[random.Random], str], size: int) -> str:
    """Make a tenth of `size` bytes of UTF-8 from pieces, ten times over."""
    source = random.Random(1)
    parts: list[str] = []
    room = size // 10
    while room > 0:
        part = piece(source)
        room -= len(part.encode())
        parts.append(part)
    # What the last piece has too much is taken off, and filled up with spaces.
    block = "".join(parts).encode()[: size // 10].decode(errors="ignore")
    block += " " * (size // 10 - len(block.encode()))
    return block * 10


_WORDS = ("the", "engine", "writes", "lines", "of", "text", "as", "fast", "as", "memory")
_ACCENTED = ("Zoë", "naïve", "café", "Müller", "größer", "été", "señor", "déjà", "vu", "à", "la")
_EMOJI = [chr(point) for point in range(0x1F600, 0x1F640)]


_IDEOGRAPHS = [chr(point) for point in range(0x4E00, 0x9FA6)]


def _cjk(source: random.Random) -> str:
    return "".join(source.choices(_IDEOGRAPHS, k=20))


def _short_strings(make: Callable[[random.Random], str]) -> list[str]:
    source = random.Random(2)
    return [make(source) for _ in range(10_000)]


def _letters(source: random.Random, count: int) -> str:
    return "".join(source.choices("abcdefghijklmnopqrstuvwxyz_", k=count))


def _latin1(source: random.Random) -> str:
    words = " ".join(source.choices(_ACCENTED, k=12))
    return words[:29] + "é"


def _nested(source: random.Random, number: int) -> dict[str, Any]:
    return {
        "id": number,
        "name": _letters(source, 12),
        "active": number % 3 == 0,
        "score": round(source.uniform(0, 100), 3),
        "tags": [_letters(source, 5) for _ in range(3)],
        "address": {
            "city": _letters(source, 9),
            "zip": str(source.randrange(10000, 99999)),
            "place": {"lat": source.uniform(-90, 90), "lon": source.uniform(-180, 180)},
        },
        "manager": None,
    }


def _numbers(make: Callable[[random.Random], Any]) -> list[Any]:
    source = random.Random(3)
    return [make(source) for _ in range(10_000)]


def _event(source: random.Random, number: int) -> dict[str, Any]:
    return {
        "time": f"2026-01-{number % 28 + 1:02}T12:{number % 60:02}:07Z",
        "level": source.choice(("debug", "info", "error")),
        "user": source.randrange(1_000_000),
        "took": round(source.uniform(0, 2), 6),
        "path": "/" + "/".join(_letters(source, 7) for _ in range(3)),
        "message": " ".join(source.choices(_WORDS + _ACCENTED, k=6)),
    }


def _events(count: int) -> list[dict[str, Any]]:
    source = random.Random(5)
    return [_event(source, number) for number in range(count)]


def _nested_dicts() -> list[dict[str, Any]]:
    source = random.Random(4)
    return [_nested(source, number) for number in range(300)]


GENERATED: tuple[Workload, ...] = (
    Workload("a10x100", '["a" * 10] * 100, the UltraJSON case', lambda: ["a" * 10] * 100),
    Workload(
        "small-dict",
        "a dict of 3 keys",
        lambda: {"id": 12345, "name": "Ada Lovelace", "active": True},
    ),
    Workload(
        "clean-1mb",
        "one ASCII string of 1 MB without escapes",
        lambda: _filled(lambda source: source.choice(_WORDS) + " ", MB),
    ),
    Workload(
        "escape10-1mb",
        "one ASCII string of 1 MB, every 10th byte a quote, backslash or newline",
        lambda: _filled(lambda s: _letters(s, 9) + s.choice('"\\\n'), MB),
    ),
    Workload(
        "escape2-1mb",
        "the same with every 2nd byte escaped",
        lambda: _filled(lambda s: _letters(s, 1) + s.choice('"\\\n'), MB),
    ),
    Workload("cjk-1mb", "one string of CJK, 1 MB of UTF-8", lambda: _filled(_cjk, MB)),
    Workload(
        "latin1-1mb",
        "one string of accented words, 1 MB of UTF-8",
        lambda: _filled(lambda source: source.choice(_ACCENTED) + " ", MB),
    ),
    Workload(
        "emoji-1mb",
        "one string of words and emoji in turn, 1 MB of UTF-8",
        lambda: _filled(lambda s: s.choice(_WORDS) + " " + s.choice(_EMOJI), MB),
    ),
    Workload(
        "cjk20x10k",
        "10,000 strings of 20 CJK characters",
        lambda: _short_strings(_cjk),
    ),
    Workload(
        "latin30x10k",
        "10,000 strings of 30 characters, accented words",
        lambda: _short_strings(_latin1),
    ),
    Workload(
        "ascii12x10k",
        "10,000 strings of 12 ASCII characters",
        lambda: _short_strings(lambda s: _letters(s, 12)),
    ),
    Workload(
        "small-ints",
        "10,000 integers from 0 to 999",
        lambda: _numbers(lambda s: s.randrange(1000)),
    ),
    Workload(
        "big-ints",
        "10,000 integers of 63 bits",
        lambda: _numbers(lambda s: s.getrandbits(62) | 1 << 62),
    ),
    Workload(
        "floats",
        "10,000 floats from 0 to 1, all digits",
        lambda: _numbers(lambda s: s.random()),
    ),
    Workload("bools", "10,000 booleans", lambda: _numbers(lambda s: s.random() < 0.5)),
    Workload("nested", "300 nested dicts", _nested_dicts),
    Workload(
        "events",
        "20,000 records of six members, for streams",
        lambda: _events(20_000),
        records=True,
    ),
)


def _from_file(path: Path) -> Workload:
    taken = any(path.stem == workload.name for workload in GENERATED)
    name = path.name if taken else path.stem
    return Workload(name, f"the file {path.name}", lambda: json.loads(path.read_bytes()), path)


def from_folder(folder: Path) -> list[Workload]:
    """List the JSON documents of a folder, in order of name."""
    return [_from_file(path) for path in sorted(folder.glob("*.json"))]


def documents(folder: Path | None) -> Path:
    """Return the folder of documents: the given one, else what the generator makes."""
    if folder is None:
        write(MADE)
        return MADE
    if not any(folder.glob("*.json")):
        raise SystemExit(f"{folder} has no *.json files")
    return folder.resolve()


def every(folder: Path | None) -> list[Workload]:
    """List all workloads: the generated ones, then the documents."""
    return [*GENERATED, *(from_folder(folder) if folder else ())]


def named(names: Iterable[str], folder: Path | None) -> list[Workload]:
    """List the workloads with these names, in the order of `every`."""
    wanted = set(names)
    return [workload for workload in every(folder) if workload.name in wanted]
