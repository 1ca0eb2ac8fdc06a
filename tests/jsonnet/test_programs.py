"""Every case file, held against the implementation under test."""

from __future__ import annotations

from pathlib import Path

import pytest
from candidate import Candidate
from cases import PROGRAMS, Case, files, read
from comparing import awaited, difference, shown


@pytest.mark.parametrize("file", files(), ids=lambda file: str(file.relative_to(PROGRAMS)))
def test_programs(file: Path, tested: Candidate) -> None:
    waiting = awaited()
    wrong, passed = [], []
    for case in read(file):
        if not isinstance(case, Case):
            continue
        outcome = tested.evaluate(case.program())
        level = difference(outcome, case.expected)
        if level is not None and case.name not in waiting:
            wrong.append(f"{level}: {shown(case, outcome)}")
        if level is None and case.name in waiting:
            passed.append(case.name)
    assert not wrong, f"{len(wrong)} cases differ:\n\n" + "\n\n".join(wrong[:20])
    assert not passed, "these pass, take them from awaiting.txt:\n" + "\n".join(passed)
