"""`make fuzz`: run the fuzz targets of fuzz/, each for some seconds.

Installs cargo-fuzz into build/ at the first run; corpora and findings stay in
ignored folders of fuzz/. `SECONDS_EACH=600` sets the time per target,
`TARGETS="escape parse"` chooses among them. `python_walk` embeds Python: it is
linked with the shared library of the main interpreter.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Dict, List, Optional

import environments
import interpreters
import prerequisites
from environments import BUILD, ROOT, StepError

CARGO_FUZZ = "0.13.2"
PYTHON_WALK = "python_walk"

LIBRARY = """
import json, sysconfig
names = ("Py_ENABLE_SHARED", "LIBDIR", "LDLIBRARY")
print(json.dumps([sysconfig.get_config_var(name) for name in names]))
"""


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
    unknown = [name for name in chosen if name not in answer]
    if unknown or not answer:
        raise StepError(f"no such fuzz target: {unknown or 'none at all'}; there are {answer}")
    return chosen or answer


def shared_library(interpreter: interpreters.Interpreter) -> Optional[Path]:
    """Return the library to link with the interpreter, if it is installed."""
    answer = subprocess.check_output([interpreter.path, "-c", LIBRARY])
    enabled, folder, name = json.loads(answer.decode())
    library = Path(folder or "", name or "")
    return library if enabled and library.is_file() else None


def with_python(interpreter: interpreters.Interpreter, variables: Dict[str, str]) -> Dict[str, str]:
    """Add to the environment what a target that embeds Python needs."""
    library = shared_library(interpreter)
    if library is None:
        package = "libpython{}.{}-dev".format(*interpreter.version)
        raise StepError(
            f"{PYTHON_WALK} links the shared library of {interpreter}, which is not installed: "
            f"apt-get install {package}, or choose the other targets by TARGETS"
        )
    folders = [str(library.parent), variables.get("LD_LIBRARY_PATH", "")]
    return {
        **variables,
        "LD_LIBRARY_PATH": os.pathsep.join(filter(None, folders)),
        # Python's own allocator would hide from the sanitizer where an object ends.
        "PYTHONMALLOC": "malloc",
        "PYTHONDONTWRITEBYTECODE": "1",
        # An interpreter keeps much of what it allocates until it ends.
        "ASAN_OPTIONS": "detect_leaks=0",
    }


def fuzz(program: str, target: str, seconds: str, interpreter: interpreters.Interpreter) -> None:
    """Run one target for its time."""
    variables = {**environments.build_environment(interpreter), "RUSTUP_TOOLCHAIN": "nightly"}
    command = [program, "run", target]
    options = [f"-max_total_time={seconds}", "-print_final_stats=1"]
    if target == PYTHON_WALK:
        variables = with_python(interpreter, variables)
        command += ["--features", "python"]
        # Trees of any size from the start on: an input grows slowly otherwise.
        options += ["-max_len=4000", "-len_control=0"]
    environments.run([*command, "--", *options], env=variables)


def main() -> int:
    """Run each target for its time; fail if one finds something."""
    prerequisites.require("fuzz")
    interpreter = interpreters.find_main()
    if interpreter is None:
        return interpreters.main()
    seconds = os.environ.get("SECONDS_EACH", "60")
    try:
        program = install()
        for target in targets(program):
            print(f"\n=== fuzz {target}, {seconds} seconds", flush=True)
            fuzz(program, target, seconds, interpreter)
    except StepError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
