"""The linter and the list of imports beside jsonnet-lint and jsonnet-deps.

What those print is recorded in the folders `expected`; of the paths that
jsonnet-deps prints, the part below the folder.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from go_programs import Answer, ours, run, theirs

LINT = Path(__file__).resolve().parent / "lint"
DEPS = LINT / "deps"
CASES = [
    *(("jsonnet-lint", file, ()) for file in sorted(LINT.glob("*.jsonnet"))),
    *(("jsonnet-deps", file, ("-J", "vendor")) for file in sorted(DEPS.glob("*.jsonnet"))),
]
Tool = tuple[str, Path, tuple[str, ...]]


def spell(answer: Answer, folder: Path) -> str:
    output = answer.output.replace(f"{folder}/", "")
    return f"{output}--- errors\n{answer.errors}--- status {answer.status}\n"


def ask(which: object, tool: Tool) -> str:
    name, file, options = tool
    command = which(name)  # type: ignore[operator]
    if command is None:
        pytest.skip(f"awaiting {name}")
    return spell(run([*command, *options, file.name], file.parent), file.parent)


def expected(tool: Tool) -> Path:
    file = tool[1]
    return file.parent / "expected" / f"{file.stem}.txt"


def ids(tool: Tool) -> str:
    return f"{tool[0]}-{tool[1].stem}"


@pytest.mark.parametrize("tool", CASES, ids=ids)
def test_recorded(tool: Tool) -> None:
    assert ask(ours, tool) == expected(tool).read_text(encoding="utf-8")


@pytest.mark.parametrize("tool", CASES, ids=ids)
def test_records_are_what_go_jsonnet_answers(tool: Tool) -> None:
    assert ask(theirs, tool) == expected(tool).read_text(encoding="utf-8")
