"""The command line beside go-jsonnet's: status, output, errors, files.

Each line of commands.txt is run by both in a fresh copy of command/.
"""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from cases import spell
from comparing import frames
from go_programs import Answer, leaves, ours, run, theirs
from oracles import ERROR, Outcome

HERE = Path(__file__).resolve().parent
LINES = [
    line
    for line in (HERE / "commands.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
# What a program says of itself is its own affair.
OWN_WORDS = ("--version", "-h", "--help")
VARIABLE = re.compile(r"(\w+)=(.*)")


def answer(command: list[str] | None, folder: Path, line: str) -> Answer:
    """Run a line of commands.txt with one of the programs."""
    if command is None:
        pytest.skip("awaiting one of the two programs")
    shutil.copytree(HERE / "command", folder)
    written, _, text = line.partition(" < ")
    words = shlex.split(written)
    variables = {}
    while words and (found := VARIABLE.fullmatch(words[0])):
        variables[found[1]] = found[2]
        words.pop(0)
    found_answer = run([*command, *words], folder, text.encode(), variables)
    return Answer(found_answer.status, found_answer.output, found_answer.errors, leaves(folder))


@pytest.mark.parametrize("line", LINES)
def test_command_line(tmp_path: Path, line: str) -> None:
    # The same folder name for both, because messages may have it.
    mine = answer(ours("jsonnet"), tmp_path / "ours" / "command", line)
    original = answer(theirs("jsonnet"), tmp_path / "theirs" / "command", line)
    assert mine.status == original.status
    if any(word in line for word in OWN_WORDS):
        return
    assert mine.output == original.output
    assert mine.files == original.files
    errors = [spell(Outcome(ERROR, one.errors)) for one in (mine, original)]
    assert frames(errors[0]) == frames(errors[1])
