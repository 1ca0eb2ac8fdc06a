"""Write what go-jsonnet's formatter, linter and list of imports answer.

python tests/jsonnet/bless_tools.py

fills the folders `expected` of format/, lint/ and lint/deps/.
"""

from __future__ import annotations

import sys

import test_format
import test_lint_deps
from go_programs import run, theirs


def main() -> int:
    """Write all of them."""
    for file in test_format.FILES:
        answer = run([*(theirs("jsonnetfmt") or []), file.name], file.parent)
        folder = file.parent / "expected"
        folder.mkdir(exist_ok=True)
        (folder / file.name).write_bytes((answer.output + answer.errors).encode())
    for tool in test_lint_deps.CASES:
        path = test_lint_deps.expected(tool)
        path.parent.mkdir(exist_ok=True)
        path.write_text(test_lint_deps.ask(theirs, tool), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
