"""`make fuzz`: run the fuzz targets of fuzz/, each for some seconds.

The target `python_walk` is driven from Python, the others by cargo-fuzz.
Installs cargo-fuzz into build/ at the first run; corpora and findings stay in
ignored folders of fuzz/. `SECONDS_EACH=600` sets the time per target,
`TARGETS="escape parse"` chooses among them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import List

import environments
import interpreters
import prerequisites
from environments import BUILD, ROOT, StepError

CARGO_FUZZ = "0.13.2"
PYTHON_WALK = "python_walk"


def install() -> str:
    """Install cargo-fuzz if it is not in build/ yet; return its path."""
    program = BUILD / "cargo-fuzz" / "bin" / "cargo-fuzz"
    if not program.is_file():
        print(f"make: cargo-fuzz {CARGO_FUZZ}", flush=True)
        place = str(program.parents[1])
        command = ["cargo", "install", "--quiet", "--locked", "--root", place]
        environments.run([*command, "cargo-fuzz", "--version", CARGO_FUZZ])
    return str(program)


def targets(program: str) -> List[str]:
    """Return the chosen targets, or all that there are."""
    chosen = os.environ.get("TARGETS", "").split()
    answer = subprocess.check_output([program, "list"], cwd=str(ROOT)).decode().split()
    answer.append(PYTHON_WALK)
    unknown = [name for name in chosen if name not in answer]
    if unknown or not answer:
        raise StepError(f"no such fuzz target: {unknown or 'none at all'}; there are {answer}")
    return chosen or answer


def fuzz_python_walk(interpreter: interpreters.Interpreter, seconds: str) -> None:
    """Run the target that encodes Python objects."""
    (environment,) = environments.prepare([interpreter], ["test"])
    script = str(ROOT / "fuzz" / f"{PYTHON_WALK}.py")
    environments.run([environment.python, "-X", "faulthandler", script, seconds])


def main() -> int:
    """Run each target for its time; fail if one finds something."""
    prerequisites.require("fuzz")
    interpreter = interpreters.find_main()
    if interpreter is None:
        return interpreters.main()
    seconds = os.environ.get("SECONDS_EACH", "60")
    variables = {**environments.build_environment(interpreter), "RUSTUP_TOOLCHAIN": "nightly"}
    try:
        program = install()
        for target in targets(program):
            print(f"\n=== fuzz {target}, {seconds} seconds", flush=True)
            if target == PYTHON_WALK:
                fuzz_python_walk(interpreter, seconds)
                continue
            limit = f"-max_total_time={seconds}"
            command = [program, "run", target, "--", limit, "-print_final_stats=1"]
            environments.run(command, env=variables)
    except StepError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
