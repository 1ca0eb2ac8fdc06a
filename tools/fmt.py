"""Format Rust and Python sources (`make fmt`)."""

from __future__ import annotations

import sys

import environments
import interpreters
import prerequisites
from suite import checked_python


def main() -> int:
    """Format everything in place."""
    prerequisites.require("fmt")
    interpreter = interpreters.find_main()
    if interpreter is None:
        return interpreters.main()
    environment = environments.Environment(interpreter)
    environment.install("lint")
    ruff = environment.program("ruff")
    environments.run(["cargo", "fmt", "--all"])
    environments.run([ruff, "check", "--quiet", "--fix", *checked_python()])
    environments.run([ruff, "format", "--quiet", *checked_python()])
    return 0


if __name__ == "__main__":
    sys.exit(main())
