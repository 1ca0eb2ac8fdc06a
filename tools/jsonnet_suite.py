"""The tests of the Jsonnet door: `jsonnet_suite.py`, a stage of `make test`.

Installs the Python packages with the real implementations, builds go-jsonnet's
programs, our server of programs and the command line, then runs tests/jsonnet and
tests/python_jsonnet. The environment has our distribution for Jsonnet already.
"""

from __future__ import annotations

import os
import sys

import environments
import go_tools
import interpreters
import steps
from environments import Environment
from steps import StepError

BUILD = ("cargo", "build", "--quiet", "--locked", "-p")
SERVER = [*BUILD, "linecaster-jsonnet", "--example", "serve"]
COMMAND = [*BUILD, "linecaster-cli"]


def run(environment: Environment, *options: str) -> None:
    """Set up and run the tests in an environment that has the packages of the tests."""
    environment.install("jsonnet")
    go_tools.build()
    steps.run(SERVER)
    steps.run(COMMAND)
    variables = {**os.environ, "CARGO_TARGET_DIR": str(environments.cargo_target())}
    pytest = [
        environment.python,
        "-m",
        "pytest",
        "-q",
        "-rs",
        "-o",
        "cache_dir=build/pytest/jsonnet",
    ]
    for folder in ("tests/jsonnet", "tests/python_jsonnet"):
        steps.run([*pytest, folder, *options], env=variables)


def main() -> int:
    """Run the command in the main interpreter's environment."""
    try:
        interpreter = interpreters.find_main()
        if interpreter is None:
            raise StepError("no usable CPython: apt-get install python3 python3-venv")
        environment = environments.prepare(interpreter, "test")
        environment.install_jsonnet(environment.program("maturin"))
        run(environment, *sys.argv[1:])
    except StepError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
