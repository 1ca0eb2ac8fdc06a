"""go-jsonnet's programs, built by tools/go_tools.py, and ours beside them.

`LINECASTER_GO_TOOLS` names another folder with them. Ours are the words in
`LINECASTER_JSONNET`, `LINECASTER_JSONNETFMT`, `LINECASTER_JSONNET_LINT` and
`LINECASTER_JSONNET_DEPS`, or else subcommands of the `linecaster` that Cargo
has built.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from candidate import newest
from oracles import ROOT

TOOLS = Path(os.environ.get("LINECASTER_GO_TOOLS") or ROOT / "build" / "jsonnet" / "bin")
# The program of go-jsonnet, and the words that follow `linecaster`.
PROGRAMS = {
    "jsonnet": ("jsonnet",),
    "jsonnetfmt": ("jsonnet", "fmt"),
    "jsonnet-lint": ("jsonnet", "lint"),
    "jsonnet-deps": ("jsonnet", "deps"),
}


@dataclass(frozen=True)
class Answer:
    """What a program did: its status, what it printed, the files that it left."""

    status: int
    output: str
    errors: str
    files: tuple[tuple[str, bytes], ...] = ()


def theirs(name: str) -> list[str] | None:
    """Return the command of go-jsonnet, or nothing if it was not built."""
    program = TOOLS / name
    return [str(program)] if program.is_file() else None


def ours(name: str) -> list[str] | None:
    """Return our command, or nothing if there is none yet."""
    words = os.environ.get(f"LINECASTER_{name.upper().replace('-', '_')}")
    if words:
        return words.split()
    built = newest(Path("linecaster"))
    return [str(built), *PROGRAMS[name]] if built else None


def run(
    command: Sequence[str],
    folder: Path,
    text: bytes = b"",
    variables: dict[str, str] | None = None,
) -> Answer:
    """Run a command in a folder."""
    done = subprocess.run(
        command,
        input=text,
        cwd=folder,
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, **(variables or {})},
    )
    output, errors = (part.decode("utf-8", "replace") for part in (done.stdout, done.stderr))
    return Answer(done.returncode, output, errors)


def leaves(folder: Path) -> tuple[tuple[str, bytes], ...]:
    """Return every file of a folder with its content."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return tuple((str(path.relative_to(folder)), path.read_bytes()) for path in paths)
