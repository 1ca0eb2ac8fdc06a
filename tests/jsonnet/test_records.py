"""The case files themselves: recorded truly, named once, differences explained."""

from __future__ import annotations

import collections
import re

import pytest
from bless import stale
from cases import PROGRAMS, Case, every, files, read, write
from comparing import awaited
from oracles import ROOT, Oracle

DIFFERENCES = ROOT / "docs" / "jsonnet-differences.md"


def reasons() -> list[str]:
    """Return the names of the differences in the table of the documentation."""
    return re.findall(r"^\| `([a-z0-9-]+)` \|", DIFFERENCES.read_text(), re.MULTILINE)


def test_records_are_what_go_jsonnet_answers(go: Oracle) -> None:
    wrong = [place for file in files() for place in stale(read(file), go)]
    assert not wrong, f"{len(wrong)} records are stale; bless them:\n" + "\n".join(wrong[:20])


def test_reading_and_writing_keeps_files(tmp_path) -> None:
    for file in files():
        copy = tmp_path / "copy.txt"
        write(copy, read(file))
        assert copy.read_text(encoding="utf-8") == file.read_text(encoding="utf-8"), file


def test_no_case_twice() -> None:
    names = collections.Counter(case.name for case in every())
    assert [name for name, count in names.items() if count > 1] == []


def test_every_function_has_cases(go: Oracle) -> None:
    from oracles import Program

    listed = 'std.filter(function(f) f[0] != "$" && f[:2] != "__", std.objectFieldsAll(std))'
    answer = go.ask(Program(listed)).text
    names = set(re.findall(r'"(\w+)"', answer))
    assert len(names) >= 156
    used = set(re.findall(r"\bstd\.(\w+)", "\n".join(case.code for case in every())))
    assert names - used == set()


def test_awaited_cases_exist() -> None:
    assert set(awaited()) - {case.name for case in every()} == set()


def test_differences_are_explained_and_shown() -> None:
    known = reasons()
    shown = {case.differs for case in every() if case.differs}
    assert len(known) == len(set(known))
    assert shown - set(known) == set()
    assert [case.place for case in every() if bool(case.differs) != bool(case.ours)] == []


@pytest.mark.parametrize("text", ["", "# only a comment\n", ">>> 1\n", "@tla-str x=1\n>>> 1\n1\n"])
def test_small_files(tmp_path, text: str) -> None:
    file = PROGRAMS / "language" / "literals.cases"
    copy = tmp_path / file.name
    copy.write_text(text)
    parts = read(copy)
    assert sum(isinstance(part, Case) for part in parts) == text.count(">>>")
    write(copy, parts)
    assert copy.read_text() == text
