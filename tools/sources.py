"""The source check: what no linter looks at.

Every Rust file has a module doc (`//!`), every Python file and shell script
says what it is, and no source file is longer than 600 lines. Files of tests may
be longer, and a `mod tests` at the end of a file does not count.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import List

ROOT = Path(__file__).resolve().parent.parent

FOLDERS = ("crates", "hosts", "bench", "fuzz", "tools", "tests", ".ci")
LONGEST = 600
TEST_MODULE = re.compile(r"^#\[cfg\(test\)\]\n(?:#\[.*\]\n)*mod \w+ \{", re.MULTILINE)
OPENINGS = {
    ".rs": re.compile(r"(?:#!\[[^\]]*\]\n|//[^!].*\n|\s*\n)*//! ?\S"),
    ".py": re.compile(r'(?:#.*\n|\s*\n)*r?"""\s*[^\s"]'),
    ".pyi": re.compile(r'(?:#.*\n|\s*\n)*r?"""\s*[^\s"]'),
    ".sh": re.compile(r"#!.*\n# ?\S"),
}


def is_test(path: Path) -> bool:
    """Say whether a file holds tests only."""
    return "tests" in path.parts or path.stem in ("tests", "conftest")


def length(text: str) -> int:
    """Count the lines before the test module."""
    found = TEST_MODULE.search(text)
    return text.count("\n", 0, found.start() if found else len(text))


def check_file(path: Path, text: str) -> List[str]:
    """Return the faults of one file, whose path is relative to the root."""
    faults = []
    opening = OPENINGS[path.suffix]
    if not opening.match(text):
        faults.append(f"{path}: does not begin with a doc that says what it is")
    if not is_test(path) and length(text) > LONGEST:
        faults.append(f"{path}: {length(text)} lines, more than {LONGEST}")
    return faults


def sources(root: Path) -> List[Path]:
    """List the source files, relative to the root."""
    found = []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            relative = path.relative_to(root)
            if path.suffix in OPENINGS and path.is_file() and "target" not in relative.parts:
                found.append(relative)
    return found


def check(root: Path) -> List[str]:
    """Return every fault of the tree at `root`."""
    faults = []
    for path in sources(root):
        faults += check_file(path, (root / path).read_text(encoding="utf-8"))
    return faults


def main() -> int:
    """Print the faults of this repository; fail if there is one."""
    faults = check(ROOT)
    for fault in faults:
        print(f"sources: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
