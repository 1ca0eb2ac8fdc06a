"""Random programs, held against go-jsonnet: the same value, or both fail.

`LINECASTER_SEEDS=from:to` chooses other programs, `make test-all` takes many
more. A program that differs is made smaller before it is shown.
"""

from __future__ import annotations

import os

import pytest
from candidate import Candidate
from cases import CRASH
from grammar import program, smaller
from oracles import DEAD, ERROR, VALUE, Oracle, Program

SEEDS = range(1, 6001)
LONG = range(6001, 400_001)
SHOWN = 10
STACK = "max stack frames exceeded"


def chosen(usual: range) -> range:
    """Return the seeds that the environment asks for, or the usual ones."""
    first, _, last = os.environ.get("LINECASTER_SEEDS", "").partition(":")
    return range(int(first), int(last) + 1) if last else usual


def differs(tested: Candidate, go: Oracle, code: str) -> str | None:
    """Say how the two answers differ, or nothing."""
    wanted = go.evaluate(Program(code))
    if wanted.kind == DEAD or (wanted.kind == ERROR and CRASH in wanted.text):
        # A crash of the interpreter is no answer.
        return None
    found = tested.evaluate(Program(code))
    if found.kind == wanted.kind and (found.kind == ERROR or found.text == wanted.text):
        return None
    if found.kind == VALUE and STACK in wanted.text:
        # A program that runs out of go-jsonnet's stack may well have a value here.
        return None
    return f"{found.kind}: {found.text[:400]}\n  instead of {wanted.kind}: {wanted.text[:400]}"


def run(tested: Candidate, go: Oracle, seeds: range) -> None:
    """Compare the programs of the seeds."""
    shown = []
    for seed in seeds:
        if differs(tested, go, str(program(seed))):
            made = str(smaller(program(seed), lambda code: bool(differs(tested, go, code))))
            shown.append(f"seed {seed}: {made}\n  {differs(tested, go, made)}")
            if len(shown) == SHOWN:
                break
    assert not shown, "\n\n".join(shown)


def test_random_programs(tested: Candidate, go: Oracle) -> None:
    run(tested, go, chosen(SEEDS))


@pytest.mark.slow
def test_more_random_programs(tested: Candidate, go: Oracle) -> None:
    run(tested, go, chosen(LONG))


def test_programs_repeat_and_mostly_evaluate(go: Oracle) -> None:
    made = [str(program(seed)) for seed in range(300)]
    assert made == [str(program(seed)) for seed in range(300)]
    kinds = [go.evaluate(Program(code)).kind for code in made]
    assert kinds.count(VALUE) > 200


def test_smaller_keeps_what_fails() -> None:
    large = next(made for seed in range(1000) if "std.sort" in str(made := program(seed)))
    made = str(smaller(large, lambda code: "std.sort" in code))
    assert "std.sort" in made
    assert len(made) <= len("(std.sort([]))") + 20
