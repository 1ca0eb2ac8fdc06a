"""Find the CPython interpreters that Linecaster can be built for.

A candidate counts only after it has been *run*: a pyenv shim on PATH may exist
and fail. Candidates are the paths in `PYTHONS`, or else `python3` and every
`python3.N` on PATH and the interpreters in pyenv's `versions/` folder. The
first usable one of each minor version is taken; the first of all is the main
one, on which the whole suite runs.

Without `CI` one interpreter is enough. With `CI=true` every one that the
machine has is required: one that is installed and does not start, or that has
no `venv`, is an error. Runs on any Python from 3.8 on, standard library only.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Iterable, List, NamedTuple, Optional, Tuple, Union

OLDEST = (3, 10)
NEWEST = (3, 15)

# Understood by Python 2.7 as well, so that an old one is called old, not broken.
PROBE = """
import json, platform, sys, sysconfig
try:
    import ensurepip, venv
    has_venv = True
except ImportError:
    has_venv = False
print(json.dumps({
    "version": list(sys.version_info[:3]),
    "implementation": platform.python_implementation(),
    "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    "venv": has_venv,
    # Inside a virtual environment: the interpreter that it was made from.
    "executable": getattr(sys, "_base_executable", None) or sys.executable,
}))
"""


class Interpreter(NamedTuple):
    """A CPython that Linecaster can be built for."""

    path: str
    version: Tuple[int, int, int]

    @property
    def tag(self) -> str:
        """Names the folders made for this interpreter, such as `3.11`."""
        return "{}.{}".format(*self.version)

    def __str__(self) -> str:
        """Give the version and the path, as lists of interpreters show them."""
        return "CPython {}.{}.{}  {}".format(*self.version, self.path)


class Candidate(NamedTuple):
    """A path that may be an interpreter; `installed` if its failing is a fault."""

    path: str
    installed: bool


class Passed(NamedTuple):
    """A candidate that was passed over, and why.

    `fault` says that it is installed, in our range as far as is known, and does
    not work; `tag` is its minor version if it could be asked for it.
    """

    path: str
    reason: str
    fault: bool = False
    tag: str = ""


class Found(NamedTuple):
    """What a search brought."""

    usable: List[Interpreter]
    passed: List[Passed]

    def faults(self) -> List[Passed]:
        """Name installed interpreters that do not work and have no stand-in."""
        tags = {one.tag for one in self.usable}
        return [one for one in self.passed if one.fault and one.tag not in tags]


def in_ci() -> bool:
    """Say whether `CI` asks for every interpreter that the machine has."""
    return os.environ.get("CI", "").lower() not in ("", "0", "false")


def is_shim(path: str, pyenv_root: Path) -> bool:
    """Say whether the path is one of pyenv's shims, which only point elsewhere."""
    return Path(path).parent == pyenv_root / "shims"


def candidates() -> Iterable[Candidate]:
    """Yield the paths to try, best first."""
    listed = os.environ.get("PYTHONS", "").replace(",", " ").replace(os.pathsep, " ").split()
    if listed:
        for name in listed:
            yield Candidate(shutil.which(name) or name, installed=True)
        return
    pyenv_root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    folders = [Path(one) for one in os.environ.get("PATH", "").split(os.pathsep) if one]
    names = ["python3"] + ["python3.%d" % minor for minor in range(OLDEST[1], NEWEST[1] + 1)]
    for name in names:
        for folder in folders:
            path = str(folder / name)
            if os.access(path, os.X_OK):
                yield Candidate(path, installed=not is_shim(path, pyenv_root))
    for path in sorted(pyenv_root.glob("versions/*/bin/python")):
        yield Candidate(str(path), installed=True)


def probe(path: str) -> Optional[dict]:
    """Run the interpreter and return what it says about itself, or None."""
    try:
        answer = subprocess.run(
            [path, "-E", "-s", "-c", PROBE],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=60,
            check=True,
        )
        return json.loads(answer.stdout.decode())
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def judge(candidate: Candidate) -> Union[Interpreter, Passed]:
    """Run one candidate: an interpreter to use, or the reason for passing it over."""
    facts = probe(candidate.path)
    if facts is None:
        return Passed(candidate.path, "does not start", candidate.installed)
    version = tuple(facts["version"])
    name = "{} {}.{}.{}".format(facts["implementation"], *version)
    if facts["implementation"] != "CPython":
        return Passed(candidate.path, f"{name}: only CPython is supported")
    if version[:2] < OLDEST:
        return Passed(candidate.path, "%s: older than %d.%d" % (name, *OLDEST))
    if version[:2] > NEWEST:
        reason = "%s: newer than %d.%d, its string layout is not known here"
        return Passed(candidate.path, reason % (name, *NEWEST))
    if facts["free_threaded"]:
        return Passed(candidate.path, f"{name}: a free-threaded build")
    if not facts["venv"]:
        reason = f"{name}: has no venv (Debian: apt-get install python3-venv)"
        tag = "{}.{}".format(*version)
        return Passed(candidate.path, reason, candidate.installed, tag)
    # A shim's own answer names the interpreter behind it.
    return Interpreter(facts["executable"] or candidate.path, version)


def verdicts() -> Iterable[Union[Interpreter, Passed]]:
    """Run the candidates one after the other, each interpreter once."""
    seen = set()
    for candidate in candidates():
        real = os.path.realpath(candidate.path)
        if real in seen:
            continue
        seen.add(real)
        verdict = judge(candidate)
        if isinstance(verdict, Interpreter):
            seen.add(os.path.realpath(verdict.path))
        yield verdict


def find() -> Found:
    """Run every candidate; take the first usable one of each minor version."""
    found = Found([], [])
    for verdict in verdicts():
        if isinstance(verdict, Passed):
            found.passed.append(verdict)
        elif all(one.tag != verdict.tag for one in found.usable):
            found.usable.append(verdict)
    return found


def find_main() -> Optional[Interpreter]:
    """Run candidates until one can be used: the main interpreter."""
    return next((one for one in verdicts() if isinstance(one, Interpreter)), None)


def main() -> int:
    """Print the list; fail if there is none, or in CI if one does not work."""
    found = find()
    for interpreter in found.usable:
        print(interpreter)
    for one in found.passed:
        print(f"passed over: {one.path}: {one.reason}")
    if not found.usable:
        print("error: no CPython from %d.%d to %d.%d with venv was found." % (OLDEST + NEWEST))
        print("  Debian and Ubuntu: apt-get install python3 python3-venv")
        return 1
    return 1 if in_ci() and found.faults() else 0


if __name__ == "__main__":
    sys.exit(main())
