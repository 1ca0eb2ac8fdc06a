"""Two calls held against each other: what they give, and where it parts.

Values are equal here when nobody could tell them apart: `1`, `1.0` and `True`
are three values, NaN equals NaN, `-0.0` is not `0.0`, and the members of a dict
have an order. Of errors the class's name and the text count.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["Difference", "Outcome", "brief", "compare", "run"]

# How much is shown before and after a difference.
AROUND = 16

_BRIEF = reprlib.Repr()
_BRIEF.maxother = _BRIEF.maxstring = _BRIEF.maxlong = 60


class Outcome(NamedTuple):
    """What a call gave: a value, or an error by class and text."""

    value: Any = None
    error: str = ""
    message: str = ""


class Difference(NamedTuple):
    """Where two outcomes part.

    `position` is an index into two texts, or the path of an item, such as
    `$.a[1]`; `None` if the outcomes differ as a whole.
    """

    text: str
    position: int | str | None = None


def run(function: Callable[..., Any], make: Callable[[], Any], keywords: dict[str, Any]) -> Outcome:
    """Call a function with a fresh value."""
    value = make()
    try:
        return Outcome(function(value, **keywords))
    except Exception as error:
        return Outcome(None, type(error).__name__, str(error))


def compare(original: Outcome, other: Outcome) -> Difference | None:
    """Say where two outcomes part, or `None` if they do not."""
    if original.error or other.error:
        return _compare_errors(original, other)
    if isinstance(original.value, (str, bytes)) and type(original.value) is type(other.value):
        return _compare_texts(original.value, other.value)
    return _compare_values(original.value, other.value)


def _compare_errors(original: Outcome, other: Outcome) -> Difference | None:
    if not original.error:
        return Difference(f"{other.error} instead of a value")
    if not other.error:
        return Difference(f"a value instead of {original.error}")
    if original.error != other.error:
        return Difference(f"{other.error} instead of {original.error}")
    if original.message != other.message:
        found = _compare_texts(original.message, other.message)
        return found and Difference(f"the message, {found.text}", found.position)
    return None


def _compare_texts(original: str | bytes, other: str | bytes) -> Difference | None:
    if original == other:
        return None
    at = _first_difference(original, other)
    unit = "character" if isinstance(original, str) else "byte"
    begin, end = max(at - AROUND, 0), at + AROUND
    return Difference(f"{unit} {at}: {other[begin:end]!r} instead of {original[begin:end]!r}", at)


def _first_difference(a: Any, b: Any) -> int:
    """Return the first index at which two texts differ, halving what is equal."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


# The way to an item: that of its container, and its key or index.
_Path = tuple[Any, Any] | None


def _compare_values(original: Any, other: Any) -> Difference | None:
    """Compare without recursion: documents may be deeper than Python's stack."""
    left: list[tuple[_Path, Any, Any]] = [(None, original, other)]
    while left:
        path, a, b = left.pop()
        if type(a) is not type(b) or not isinstance(a, (dict, list, tuple)):
            if not _is_same(a, b):
                return _difference(path, f"{_typed(b)} instead of {_typed(a)}")
            continue
        if len(a) != len(b):
            return _difference(path, f"{len(b)} items instead of {len(a)}")
        if not isinstance(a, dict):
            items = [((path, i), x, y) for i, (x, y) in enumerate(zip(a, b, strict=True))]
        else:
            for its, mine in zip(a, b, strict=True):
                if not _is_same(its, mine):
                    return _difference(path, f"key {_typed(mine)} instead of {_typed(its)}")
            items = [((path, key), a[key], b[key]) for key in a]
        left.extend(reversed(items))
    return None


def _difference(path: _Path, text: str) -> Difference:
    steps = []
    while path is not None:
        path, key = path
        is_name = isinstance(key, str) and key.isidentifier()
        steps.append(f".{key}" if is_name else f"[{key!r}]")
    place = "".join(["$", *reversed(steps)])
    return Difference(f"{place}: {text}", place)


def _is_same(a: Any, b: Any) -> bool:
    if type(a) is not type(b):
        # Classes of the same name, such as each side's own, may stand for each other.
        return type(a).__name__ == type(b).__name__ and repr(a) == repr(b)
    if isinstance(a, float):
        return repr(a) == repr(b)
    return bool(a == b)


def brief(value: Any) -> str:
    """Spell a value; of a large or deep one the beginning."""
    return _BRIEF.repr(value)


def _typed(value: Any) -> str:
    return f"{type(value).__name__} {brief(value)}"
