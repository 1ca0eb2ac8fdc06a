"""Holds an outcome against the recorded one, and says how far it is from it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from cases import Case, spell
from oracles import DEAD, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

HERE = Path(__file__).resolve().parent
AWAITING = HERE / "awaiting.txt"
# How an outcome differs, the worst first.
TEST = "test"
LEVELS = ("dead", "kind", "value", "message", "trace")
CROPPED = "!    ..."
OVERFLOW = "! RUNTIME ERROR: max stack frames exceeded."
_LIBRARY_FRAME = re.compile(r"!    <std>:")


def frames(lines: Iterable[str]) -> list[str]:
    """Return what is compared of a record.

    go-jsonnet has part of its library in Jsonnet, so its traces have frames
    from there, and frames without place and name; a native library has neither.
    Where a long trace was cropped depends on the frames that were left out, and
    where the stack ran out on how soon a loop was seen: of those only the
    message is compared.
    """
    kept = [line for line in lines if line != "!" and not _LIBRARY_FRAME.match(line)]
    if CROPPED in kept or OVERFLOW in kept:
        return [line for line in kept if not line.startswith("!    ")]
    return kept


def _first_error(lines: Sequence[str]) -> str | None:
    return next((line for line in lines if line.startswith("!")), None)


def difference(outcome: Outcome, expected: Sequence[str]) -> str | None:
    """Return how the outcome differs from the recorded lines, or nothing."""
    found = spell(outcome)
    if outcome.kind == DEAD:
        return "dead"
    if list(found) == list(expected):
        return None
    error, wanted = _first_error(found), _first_error(expected)
    if (error is None) != (wanted is None):
        return "kind"
    if error is None:
        return "value"
    if error != wanted:
        return "message"
    ours, theirs = frames(found), frames(expected)
    if CROPPED in expected:
        ours = [line for line in ours if not line.startswith("!    ")]
    return None if ours == theirs else "trace"


def awaited() -> dict[str, str]:
    """Read the list of cases that do not pass yet: name and how they differ."""
    pairs = (line.split(" ", 1) for line in AWAITING.read_text(encoding="utf-8").splitlines())
    return {name: level for level, name in pairs if level in LEVELS}


def awaited_tests() -> list[str]:
    """Read the beginnings of the names of other tests that do not pass yet."""
    lines = AWAITING.read_text(encoding="utf-8").splitlines()
    return [line.split(" ", 1)[1] for line in lines if line.startswith(f"{TEST} ")]


def shown(case: Case, found: Outcome) -> str:
    """Show a case with both outcomes."""
    lines = [case.place, *case.lines(), "--- but came:", *spell(found)]
    return "\n".join(lines)
