"""Write into the case files what the real implementations answer.

    python tests/jsonnet/bless.py [FILE …]

asks go-jsonnet and C++ for every program (of the given files, or of all) and
records the outcomes. `--check` writes nothing and fails if a record is not what
go-jsonnet says. What `ours` says stands for itself and is written by hand.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cases import Case, files, read, spell, spell_cpp, write
from oracles import Oracle

if TYPE_CHECKING:
    from collections.abc import Sequence


def bless(parts: Sequence[str | Case], go: Oracle, cpp: Oracle) -> int:
    """Record the outcomes of a file's cases; return how many there are."""
    count = 0
    for case in parts:
        if isinstance(case, Case):
            program = case.program()
            answer = go.ask(program)
            case.outcome = spell(answer)
            case.cpp = spell_cpp(cpp.ask(program), answer)
            count += 1
    return count


def stale(parts: Sequence[str | Case], go: Oracle) -> list[str]:
    """Return the places whose record is not what go-jsonnet says."""
    return [
        case.place
        for case in parts
        if isinstance(case, Case) and case.outcome != spell(go.ask(case.program()))
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description="record the outcomes of the case files")
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args(arguments)
    go, cpp = Oracle("go"), Oracle("c++")
    wrong, count = [], 0
    for file in [file.resolve() for file in options.files] or files():
        parts = read(file)
        if options.check:
            wrong += stale(parts, go)
        else:
            count += bless(parts, go, cpp)
            write(file, parts)
    go.stop()
    cpp.stop()
    print("\n".join(wrong) if options.check else f"{count} cases")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
