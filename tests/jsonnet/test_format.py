"""The formatter beside jsonnetfmt: the same output, with every option.

What jsonnetfmt makes of each file by default is recorded in format/expected/;
with the other options it is asked.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from cases import Case, every
from go_programs import Answer, leaves, ours, run, theirs

HERE = Path(__file__).resolve().parent
FILES = sorted((HERE / "format").glob("*.jsonnet"))
OPTIONS = """
-n 4
-n 1
-n 0
--max-blank-lines 1
--max-blank-lines 0
--string-style d
--string-style l
--comment-style h
--comment-style l
--no-pretty-field-names
--pad-arrays
--no-pad-objects
--no-sort-imports
--no-use-implicit-plus
-n 4 --string-style d --comment-style h --pad-arrays --no-pad-objects --max-blank-lines 1
-n 0 --string-style l --comment-style l --no-pretty-field-names --no-sort-imports
""".strip().split("\n")


def ask(command: list[str] | None, folder: Path, *arguments: str, text: bytes = b"") -> Answer:
    if command is None:
        pytest.skip("awaiting one of the two formatters")
    return run([*command, *arguments], folder, text)


def expected(file: Path) -> str:
    return (file.parent / "expected" / file.name).read_bytes().decode()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_recorded(file: Path) -> None:
    answer = ask(ours("jsonnetfmt"), file.parent, file.name)
    assert answer.output + answer.errors == expected(file)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_records_are_what_jsonnetfmt_answers(file: Path) -> None:
    answer = ask(theirs("jsonnetfmt"), file.parent, file.name)
    assert answer.output + answer.errors == expected(file)


@pytest.mark.parametrize("options", OPTIONS)
def test_options(options: str) -> None:
    for file in FILES:
        found = ask(ours("jsonnetfmt"), file.parent, *options.split(), file.name)
        assert found == ask(theirs("jsonnetfmt"), file.parent, *options.split(), file.name), file


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_formatting_again_changes_nothing_else_than_theirs(file: Path) -> None:
    once = expected(file).encode()
    found = ask(ours("jsonnetfmt"), file.parent, "-", text=once)
    assert found == ask(theirs("jsonnetfmt"), file.parent, "-", text=once)


@pytest.mark.parametrize("arguments", ["-i {}", "--test {}", "-o out.jsonnet {}", "-i --test {}"])
def test_where_it_goes(tmp_path: Path, arguments: str) -> None:
    for name in ("good", "cramped", "broken"):
        answers = []
        for which in (ours, theirs):
            folder = tmp_path / which.__name__ / name
            folder.mkdir(parents=True)
            shutil.copy(HERE / "format" / f"{name}.jsonnet", folder / "a.jsonnet")
            answer = ask(which("jsonnetfmt"), folder, *arguments.format("a.jsonnet").split())
            answers.append((answer, leaves(folder)))
        assert answers[0] == answers[1], name


def test_programs_of_the_cases(tmp_path: Path) -> None:
    found = [case for case in every() if "language" in case.file.parts]
    paths = []
    for number, case in enumerate(found):
        assert isinstance(case, Case)
        paths.append(tmp_path / f"{number}.jsonnet")
        paths[-1].write_text(case.code + "\n", encoding="utf-8")
    wrong = []
    for path in paths:
        mine = ask(ours("jsonnetfmt"), tmp_path, path.name)
        if mine != ask(theirs("jsonnetfmt"), tmp_path, path.name):
            wrong.append(path.read_text(encoding="utf-8"))
    assert not wrong, f"{len(wrong)} of {len(paths)}:\n" + "\n---\n".join(wrong[:20])
