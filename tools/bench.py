"""`make bench`: all the set-up, then the benchmarks of bench/python.

Arguments for the harness come in `BENCH="…"`, a folder of documents in `DATA`.
"""

from __future__ import annotations

import os
import shlex
import sys

import environments
import interpreters
import prerequisites
from environments import ROOT, StepError


def main() -> int:
    """Set up the main interpreter's environment and run the harness in it."""
    prerequisites.require("bench")
    interpreter = interpreters.find_main()
    if interpreter is None:
        return interpreters.main()
    try:
        (environment,) = environments.prepare([interpreter], ["bench"])
    except StepError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    sys.stdout.flush()
    os.chdir(str(ROOT))
    arguments = shlex.split(os.environ.get("BENCH", ""))
    os.execv(environment.python, [environment.python, "-m", "bench.python", *arguments])


if __name__ == "__main__":
    sys.exit(main())
