"""Runs every case against the implementation under test and says what differs.

    python tests/jsonnet/check.py [--report FILE] [--await] [PATTERN …]

`--report` appends what differs to a file, grouped by how it differs and by the
messages; `--await` writes the list of the cases that do not pass yet. A pattern
chooses case files by a part of their path.
"""

from __future__ import annotations

import argparse
import collections
import re
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import candidate
from cases import PROGRAMS, Case, every, message, spell
from comparing import AWAITING, LEVELS, TEST, awaited_tests, difference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracles import Outcome

HEAD = """\
# The cases of programs/ that do not pass yet, each with how it differs:
# dead, kind (value or error), value, message, trace. It is written by
# `check.py --await`, shrinks to nothing, and may hold no case that passes. Lines
# with `test` are beginnings of names of other tests, written by hand.
"""

Failure = tuple[Case, "Outcome"]


def run(patterns: Sequence[str]) -> tuple[int, dict[str, list[Failure]]]:
    """Run the chosen cases; return how many there were, and those that differ, by level."""
    tested = candidate.find()
    if tested is None:
        sys.exit(f"nothing to test: set {candidate.SERVER} or {candidate.COMMAND}")
    failures: dict[str, list[Failure]] = {level: [] for level in LEVELS}
    count = 0
    for case in every():
        path = str(case.file.relative_to(PROGRAMS))
        if patterns and not any(pattern in path for pattern in patterns):
            continue
        count += 1
        outcome = tested.evaluate(case.program())
        level = difference(outcome, case.expected)
        if level is not None:
            failures[level].append((case, outcome))
    tested.stop()
    return count, failures


def cause(failure: Failure) -> str:
    """Name what a failure has in common with others: the messages, without their details."""
    case, outcome = failure
    lines = spell(outcome)
    found, wanted = message(lines), message(case.expected)
    texts = [
        re.sub(r"\d+(:\d+)?(-\d+)?", "N", text or "(a value)")[:70] for text in (found, wanted)
    ]
    return f"{texts[0]}  instead of  {texts[1]}"


def report(count: int, failures: dict[str, list[Failure]], examples: int = 6) -> str:
    """Write the failures, grouped."""
    total = sum(map(len, failures.values()))
    lines = [f"=== {datetime.now():%H:%M}: {count - total} of {count} cases pass"]
    for level, found in failures.items():
        lines.append(f"\n== {level}: {len(found)}")
        groups = collections.defaultdict(list)
        for failure in found:
            groups[cause(failure)].append(failure)
        for name, members in sorted(groups.items(), key=lambda pair: -len(pair[1])):
            lines.append(f"\n-- {len(members)} x {name}")
            for case, outcome in members[:examples]:
                lines.append(f"{case.place}")
                lines += [f"    {line}" for line in case.lines()][:14]
                lines += [f"    GOT {line}" for line in spell(outcome)[:8]]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description="run the case files")
    parser.add_argument("patterns", nargs="*")
    parser.add_argument("--report", type=Path)
    parser.add_argument("--await", dest="awaiting", action="store_true")
    options = parser.parse_args(arguments)
    count, failures = run(options.patterns)
    for level, found in failures.items():
        print(f"{level:8} {len(found)}")
    print(f"{count - sum(map(len, failures.values()))} of {count} cases pass")
    if options.report:
        with options.report.open("a", encoding="utf-8") as file:
            file.write(report(count, failures))
    if options.awaiting:
        names = [f"{level} {case.name}" for level in LEVELS for case, _ in failures[level]]
        names += [f"{TEST} {beginning}" for beginning in awaited_tests()]
        AWAITING.write_text(HEAD + "".join(f"{name}\n" for name in names), encoding="utf-8")
    return int(any(failures.values()))


if __name__ == "__main__":
    sys.exit(main())
