"""Case files: small programs, and under each what comes of it.

    # A comment: everything that is no case is kept as it is.

    @ext-str who=world
    >>> local greeting = "hello ";
    ... greeting + std.extVar("who")
    "hello world"

    >>> error "no"
    ! RUNTIME ERROR: no
    !   program:1:1-11  $
    !   During evaluation

A case begins with options (`@ext-str`, `@ext-code`, `@tla-str`, `@tla-code`,
`@max-stack`) and ends with an empty line. The outcome is written by `bless.py`
from go-jsonnet's answer:

    text      the value as the main output writes it
    | text    a value that is a string of several lines, unquoted
    ! text    the message and trace of an error
    ~ text    what std.trace wrote
    c++ text  what C++ makes of it, if that is another value, or one fails (of
              its error only the message)
    ours text after `@differs NAME`: what Linecaster makes of it instead; the
              reason stands under that name in docs/jsonnet-differences.md

`!` without a value means a difference in kind. Trailing white space is dropped
everywhere, tabs in traces are three spaces, other control characters escapes.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from oracles import DEAD, ERROR, VALUE, Outcome, Program

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
FIRST, NEXT = ">>> ", "... "
CPP, OURS = "c++ ", "ours "
DIFFERS = "differs"
CRASH = "INTERNAL ERROR"
# A string is shown as a block only if nothing in it could get lost on the way.
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
_PLAIN_BLOCK = re.compile(
    r"(?:[^\x00-\x1f\x7f-\x9f\ufffd\u2028\u2029]*[^\s\x00-\x1f\x7f-\x9f])?", re.DOTALL
)


@dataclass
class Case:
    """A program, its options and the recorded outcome, line by line."""

    file: Path
    line: int
    code: str
    options: list[tuple[str, str]] = field(default_factory=list)
    outcome: list[str] = field(default_factory=list)
    cpp: list[str] = field(default_factory=list)
    ours: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Name the case by its file and its program: lines move, programs do not."""
        shown = "".join(f" @{option} {value}" for option, value in self.program_options())
        return f"{self.file.relative_to(PROGRAMS)}{shown} {json.dumps(self.code)}"

    @property
    def place(self) -> str:
        """Say where the case stands."""
        return f"{self.file.relative_to(HERE)}:{self.line}"

    @property
    def differs(self) -> str | None:
        """Return the name of the known difference that the case shows."""
        return dict(self.options).get(DIFFERS)

    @property
    def expected(self) -> list[str]:
        """Return what Linecaster has to answer."""
        return self.ours if self.differs else self.outcome

    def program_options(self) -> tuple[tuple[str, str], ...]:
        """Return the options that matter to the program."""
        return tuple(pair for pair in self.options if pair[0] != DIFFERS)

    def program(self) -> Program:
        """Return what is evaluated."""
        return Program(self.code, self.file.parent, self.program_options())

    def lines(self) -> Iterator[str]:
        """Write the case as it stands in its file."""
        for option, value in self.options:
            yield f"@{option} {value}".rstrip()
        for number, line in enumerate(self.code.split("\n")):
            yield ((NEXT if number else FIRST) + line).rstrip()
        yield from self.outcome
        yield from (CPP + line for line in self.cpp)
        yield from (OURS + line for line in self.ours)


def spell(outcome: Outcome) -> list[str]:
    """Write an outcome as lines of a case file."""
    written = outcome.trace.split("\n")
    lines = [f"~ {_visible(line)}".rstrip() for line in written if line]
    if outcome.kind == DEAD:
        return [*lines, "! (no answer)"]
    if outcome.kind == ERROR:
        text = _visible(outcome.text.rstrip().replace("\t", "   "))
        if text.startswith(CRASH):
            # What follows has addresses of memory.
            text = text.split("\n")[0]
        return [*lines, *(f"! {line}".rstrip() for line in text.split("\n"))]
    return lines + (_block(outcome.text) or outcome.text.rstrip("\n").split("\n"))


def _visible(text: str) -> str:
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _block(text: str) -> list[str]:
    """Write a string of several lines without quotes, or nothing if that would lose something."""
    if not text.startswith('"'):
        return []
    try:
        string = json.loads(text)
    except ValueError:
        return []
    again = json.dumps(string, ensure_ascii=False) + "\n"
    parts = string.split("\n")
    plain = len(parts) > 1 and all(_PLAIN_BLOCK.fullmatch(part) for part in parts)
    return [f"| {part}".rstrip() for part in parts] if plain and text == again else []


def message(lines: Sequence[str]) -> str | None:
    """Return the first line of a recorded error, or nothing for a value."""
    for line in lines:
        if line.startswith("!"):
            return line[2:]
        if not line.startswith("~"):
            return None
    return None


def spell_cpp(outcome: Outcome, go: Outcome) -> list[str]:
    """Write what C++ makes of a program if that differs from what Go makes of it."""
    if outcome.kind == go.kind and (outcome.kind != VALUE or outcome.text == go.text):
        return []
    if outcome.kind == ERROR:
        return [f"! {outcome.text.splitlines()[0]}"]
    return spell(Outcome(outcome.kind, outcome.text))


def read(file: Path) -> list[str | Case]:
    """Read a case file: cases, and the lines between them."""
    parts: list[str | Case] = []
    case: Case | None = None
    options: list[tuple[str, str]] = []
    for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1):
        if case is None and line.startswith("@"):
            option, _, value = line[1:].partition(" ")
            options.append((option, value))
        elif case is None and line.startswith(FIRST):
            case = Case(file, number, line[len(FIRST) :], options)
            parts.append(case)
            options = []
        elif case is not None and not line:
            case = None
            parts.append(line)
        elif case is None:
            if options:
                raise ValueError(f"{file}:{number}: options without a program")
            parts.append(line)
        else:
            _continue(case, line)
    return parts


def _continue(case: Case, line: str) -> None:
    if not case.outcome and (line.startswith(NEXT) or line == NEXT.rstrip()):
        case.code += "\n" + line[len(NEXT) :]
    elif line.startswith(CPP):
        case.cpp.append(line[len(CPP) :])
    elif line.startswith(OURS):
        case.ours.append(line[len(OURS) :])
    else:
        case.outcome.append(line)


def write(file: Path, parts: Sequence[str | Case]) -> None:
    """Write a case file."""
    lines: list[str] = []
    for part in parts:
        lines.extend([part] if isinstance(part, str) else part.lines())
    file.write_text("\n".join(lines), encoding="utf-8")


def files() -> list[Path]:
    """Return every case file."""
    return sorted(PROGRAMS.rglob("*.cases"))


def every() -> list[Case]:
    """Return the cases of all files."""
    return [part for file in files() for part in read(file) if isinstance(part, Case)]
