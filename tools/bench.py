"""`make bench`: all the set-up, then the benchmarks of the kernel and of Python.

`PART=kernel` or `PART=python` runs one of the two, `PART=dropins` the drop-ins
beside what they stand in for, `PART=fastapi` FastAPI's encoder and requests,
`PART=jsonnet` programs of Jsonnet beside other implementations.
Arguments for the Python harness come in `BENCH="…"`, a folder of documents in
`DATA`. Results go to bench/results/.
"""

from __future__ import annotations

import os
import shlex
import sys

import environments
import go_tools
import interpreters
import prerequisites
from environments import ROOT, StepError


def run_kernel() -> None:
    """Run the kernel's rows against memcpy."""
    results = ROOT / "bench" / "results" / "kernel.json"
    package = ["--package", "linecaster-bench-kernel"]
    environments.run(["cargo", "run", "--release", "--quiet", "--locked", *package, str(results)])


def run_python(module: str = "bench.python", *purposes: str) -> None:
    """Set up the main interpreter's environment and run the harness in it."""
    interpreter = interpreters.find_main()
    if interpreter is None:
        raise StepError("no usable CPython: apt-get install python3 python3-venv")
    environment = environments.prepare(interpreter, "bench", *purposes)
    arguments = shlex.split(os.environ.get("BENCH", ""))
    environments.run([environment.python, "-m", module, *arguments])


def run_dropins() -> None:
    """Run the harness of the drop-ins."""
    run_python("bench.python.dropins")


def run_jsonnet() -> None:
    """Run the harness of Jsonnet, beside peers that are built first."""
    go_tools.build()
    environments.run(["cargo", "build", "--release", "--quiet", "--locked", "--bins"])
    run_python("bench.jsonnet")


def run_fastapi() -> None:
    """Run the harness of FastAPI's door; FastAPI is among the packages of the tests."""
    run_python("bench.python.fastapi", "test")


PARTS = {
    "kernel": run_kernel,
    "python": run_python,
    "dropins": run_dropins,
    "fastapi": run_fastapi,
    "jsonnet": run_jsonnet,
}
USUAL = ("kernel", "python")


def main() -> int:
    """Run the chosen part, or the usual ones."""
    prerequisites.require("bench")
    part = os.environ.get("PART", "")
    if part and part not in PARTS:
        sys.exit(f"error: PART={part}: there are {', '.join(PARTS)}")
    try:
        for name, run_part in PARTS.items():
            if part == name or (not part and name in USUAL):
                run_part()
    except StepError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
