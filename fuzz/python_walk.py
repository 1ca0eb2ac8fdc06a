"""What the fuzz target `python_walk` does with one input.

Bytes become a document, options and hostile callbacks. Documents that `json`
knows must come out as it writes them and be read back as it reads them;
whatever else there is may raise what the documentation names, and nothing more.
`fuzz_targets/python_walk.rs` calls `one` in an embedded interpreter.
"""

from __future__ import annotations

import collections
import dataclasses
import datetime as dt
import decimal
import enum
import json
import pathlib
import sys
import types
import uuid
from collections.abc import Callable
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests" / "python"))

import linecaster
from trees import Source, plain, text_of, tree_of

EXPECTED = (TypeError, ValueError, RuntimeError, AttributeError, KeyError, ZeroDivisionError)


class Odd:
    """A value for `default`."""


class Color(enum.Enum):
    """Members of several types."""

    TEXT = "é€"
    PAIR = (1, 2)


@dataclasses.dataclass
class Record:
    """Fields by name."""

    a: Any
    é: Any = 1


class Text(str):
    """A `str` that is not compact."""

    __slots__ = ()


def layout_of(source: Source) -> dict[str, Any]:
    """Choose options that `json` has, too."""
    options: dict[str, Any] = {}
    choice = source.take(1)[0]
    if choice & 1:
        options["indent"] = (0, 1, 2, 7, "\t", "é", "€ ", "😀")[source.below(8)]
    if choice & 2:
        options["separators"] = (
            text_of(source, surrogates=True) or ",",
            text_of(source, surrogates=True) or ":",
        )
    options["sort_keys"] = bool(choice & 4)
    options["ensure_ascii"] = bool(choice & 8)
    return options


def compare(source: Source) -> None:
    """Encode a document that `json` knows; read it, and a damaged copy, back."""
    options = layout_of(source)
    tree = tree_of(source)
    expected = plain(tree, **options)
    made = linecaster.dumps(tree, **options)
    assert made == expected
    assert hash(made) == hash(expected)
    data = linecaster.encode(tree, **options, surrogates="pass")
    assert data == expected.encode("utf-8", "surrogatepass")
    buffer = bytearray(b"x" * source.below(5000))
    linecaster.encode_into(tree, buffer, -1, **options, surrogates="pass")
    assert buffer.endswith(data)
    text = plain(tree, ensure_ascii=bool(source.below(2)))
    assert linecaster.loads(text) == json.loads(text)
    damaged = list(text)
    for _ in range(1 + source.below(3)):
        at = source.below(len(damaged) + 1)
        damaged[at : at + source.below(3)] = '[]{}",:\\u019.eE-+tfn é€😀\x01\ud800'[
            source.below(25)
        ]
    same_reading("".join(damaged))


def same_reading(text: str) -> None:
    """Both read it alike, or both refuse it at the same place."""

    def read(loads: Callable[..., Any], **options: Any) -> Any:
        try:
            return repr(loads(text, **options))
        except json.JSONDecodeError as error:
            return error.pos
        except RecursionError:
            return None

    def refuse(_: str) -> Any:
        raise json.JSONDecodeError("constant", text, -1)

    theirs, ours = read(json.loads, parse_constant=refuse), read(linecaster.loads)
    if "inf" not in str(theirs):
        assert isinstance(theirs, str) == isinstance(ours, str), (text, theirs, ours)
        assert not isinstance(ours, str) or ours == theirs, (text, theirs, ours)


def hostile_of(source: Source, depth: int = 0) -> Any:
    """Make a value of any type, with callbacks in it."""

    def inner() -> Any:
        return hostile_of(source, depth + 1)

    kinds: tuple[Callable[[], Any], ...] = (
        lambda: tree_of(source, depth=9),
        lambda: [inner() for _ in range(source.below(5))],
        lambda: {text_of(source, surrogates=True): inner() for _ in range(source.below(5))},
        lambda: {Text(text_of(source, surrogates=True)): inner(), source.below(9): inner()},
        lambda: types.MappingProxyType({"m": inner(), "é": inner()}),
        lambda: collections.OrderedDict(a=inner(), b=inner()),
        lambda: (inner() for _ in range(source.below(4))),
        lambda: Record(inner(), inner()),
        lambda: Text(text_of(source, surrogates=True)),
        lambda: tuple(Color)[source.below(2)],
        Odd,
        Odd,
        lambda: decimal.Decimal(source.below(70000)).scaleb(source.below(9) - 4),
        lambda: uuid.UUID(bytes=source.take(16)),
        lambda: dt.datetime(1 + source.below(9999), 1 + source.below(12), 5),
        lambda: dt.timedelta(microseconds=int.from_bytes(source.take(5), "little")),
        lambda: {1.5: inner(), None: 1, True: inner(), (1, 2): inner()},
        lambda: float("nan"),
    )
    if depth > 6 or source.spent:
        return Odd() if source.below(4) == 0 else source.below(100)
    return kinds[source.below(len(kinds))]()


def wreck(source: Source) -> None:
    """Encode anything, while `default` changes what is encoded."""
    root = [hostile_of(source) for _ in range(1 + source.below(4))]
    seen: list[Any] = [root, *root]

    def default(_: Any) -> Any:
        victim = seen[source.below(len(seen))]
        action = source.below(8)
        if isinstance(victim, list) and action < 3:
            (victim.clear, lambda: victim.extend("é€" * 9), lambda: victim.append(victim))[action]()
        if isinstance(victim, dict) and action < 3:
            (victim.clear, victim.popitem, lambda: victim.update({f"k{source.below(9)}": 1}))[
                action
            ]()
        if action == 3:
            linecaster.loads(linecaster.encode({"a": ["é"] * source.below(50)}))
        if action == 4:
            return {"x": root if source.below(4) == 0 else "😀", "y": [1.5]}
        if action == 5:
            raise ZeroDivisionError
        return hostile_of(source, 5)

    names = ("sort_keys", "ensure_ascii", "non_str_keys", "skip_keys", "iterables", "utc_z")
    bits = source.take(2)
    options: dict[str, Any] = {name: bits[0] >> i & 1 for i, name in enumerate(names)}
    options["allow_nan"] = ("raise", "keep", "null")[bits[1] % 3]
    options["max_depth"] = (1024, 3, 2**62)[bits[1] // 3 % 3]
    try:
        if bits[1] & 64:
            json.loads(
                linecaster.encode(root, default=default, surrogates="pass", **options).decode(
                    "utf-8", "surrogatepass"
                )
            )
        else:
            json.loads(linecaster.dumps(root, default=default, **options))
    except EXPECTED:
        pass


def one(data: bytes) -> None:
    """Run one input."""
    source = Source(data)
    (compare if source.below(3) else wreck)(source)
