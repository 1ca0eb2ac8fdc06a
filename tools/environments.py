"""Make the virtual environments and build the extension for each interpreter.

Everything lands in ignored folders: `build/venv/<tag>/` per interpreter and
Cargo's target folder. Each step leaves a stamp with a fingerprint of what went
into it (lock files, sources), so that a second run does nothing. The extension
is built as a wheel by maturin, in release, and installed from the wheel: what
is tested is what a user gets. Cargo's target folder is one per interpreter,
because PyO3 and all that stands on it is recompiled whenever the interpreter
changes, and so that builds can run side by side.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Iterable, List

from interpreters import Interpreter, in_ci
from steps import ROOT, StepError, run, say

BUILD = ROOT / "build"
REQUIREMENTS = ROOT / "tools" / "requirements"
SOURCES = ("crates", "hosts", "Cargo.toml", "Cargo.lock", "pyproject.toml")
MADE = {"__pycache__", "target"}


def fingerprint(paths: Iterable[Path], *words: str) -> str:
    """Digest the content of files and folders, and the given words."""
    digest = hashlib.sha256("\0".join(words).encode())
    for path in paths:
        files = [path] if path.is_file() else sorted(path.rglob("*"))
        for file in files:
            if not file.is_file() or MADE & set(file.parts) or file.suffix in (".so", ".pyc"):
                continue
            digest.update(str(file.relative_to(ROOT)).encode() + b"\0")
            digest.update(file.read_bytes())
    return digest.hexdigest()


def cargo_target() -> Path:
    """Return the folder that Cargo builds in."""
    return Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target").resolve()


def build_environment(interpreter: Interpreter) -> dict:
    """Return the process environment for Cargo builds against this interpreter."""
    return {**os.environ, "PYO3_PYTHON": interpreter.path}


class Environment:
    """The virtual environment of one interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        """Describe the environment; nothing is made yet."""
        self.interpreter = interpreter
        self.folder = BUILD / "venv" / interpreter.tag
        self.python = str(self.folder / "bin" / "python")

    def program(self, name: str) -> str:
        """Return the path of a program that is installed in the environment."""
        return str(self.folder / "bin" / name)

    def _stamp(self, name: str) -> Path:
        return self.folder / f".stamp-{name}"

    def _is_current(self, name: str, mark: str) -> bool:
        stamp = self._stamp(name)
        return stamp.is_file() and stamp.read_text() == mark

    def create(self) -> None:
        """Make the environment, afresh if its interpreter is another one now."""
        mark = str(self.interpreter)
        if self._is_current("venv", mark):
            return
        say(f"make: virtual environment for {self.interpreter}")
        shutil.rmtree(self.folder, ignore_errors=True)
        run([self.interpreter.path, "-m", "venv", str(self.folder)])
        self._stamp("venv").write_text(mark)

    def install(self, *purposes: str) -> None:
        """Install the locked packages of these purposes."""
        self.create()
        for purpose in purposes:
            lock = REQUIREMENTS / f"{purpose}.txt"
            mark = fingerprint([lock])
            if not self._is_current(purpose, mark):
                say(f"make: {purpose} packages for Python {self.interpreter.tag}")
                self._pip("--require-hashes", "-r", str(lock))
                self._stamp(purpose).write_text(mark)

    def install_peers(self) -> List[str]:
        """Install the libraries to compare with; return the names of those not to be had.

        Only ready wheels are taken. In CI the lack of one is an error on every
        Python for which its makers publish wheels today.
        """
        self.create()
        lock = REQUIREMENTS / "peers.txt"
        mark = fingerprint([lock])
        if not self._is_current("peers", mark):
            say(f"make: peer libraries for Python {self.interpreter.tag}")
            absent = [name for name, part in split_lock(lock) if not self._install_peer(name, part)]
            self._stamp("peers-absent").write_text("\n".join(absent))
            self._stamp("peers").write_text(mark)
        absent = self._stamp("peers-absent").read_text().split()
        if absent and in_ci() and self.interpreter.version < (3, 14):
            raise StepError(f"no {', '.join(absent)} for Python {self.interpreter.tag}")
        return absent

    def _install_peer(self, name: str, requirement: str) -> bool:
        part = self.folder / f"peer-{name}.txt"
        part.write_text(requirement)
        try:
            self._pip("--require-hashes", "--only-binary", ":all:", "-r", str(part))
        except StepError:
            return False
        return True

    def _pip(self, *arguments: str) -> None:
        command = [self.python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        run([*command, "--no-input", *arguments])

    def install_linecaster(self, maturin: str) -> None:
        """Build the extension in release and install it, if its sources changed."""
        self._install_built(maturin, "linecaster")

    def install_jsonnet(self, maturin: str) -> None:
        """Do the same with the distribution for Jsonnet."""
        self._install_built(maturin, "linecaster-jsonnet", "-m", "hosts/python-jsonnet/Cargo.toml")

    def _install_built(self, maturin: str, name: str, *where: str) -> None:
        self.create()
        sources = [ROOT / source for source in SOURCES]
        mark = fingerprint(sources, str(self.interpreter), rustc_version())
        if self._is_current(name, mark):
            return
        say(f"make: {name} for Python {self.interpreter.tag}, release build")
        wheels = BUILD / "wheels" / self.interpreter.tag / name
        shutil.rmtree(wheels, ignore_errors=True)
        target = cargo_target() / f"python-{self.interpreter.tag}"
        command = [maturin, "build", "--release", "--locked", "--quiet", "--out", str(wheels)]
        run(
            [*command, *where, "--interpreter", self.interpreter.path, "--target-dir", str(target)],
            env=build_environment(self.interpreter),
        )
        (wheel,) = wheels.glob("*.whl")
        self._pip("--force-reinstall", "--no-deps", "--no-index", str(wheel))
        self._stamp(name).write_text(mark)


def rustc_version() -> str:
    """Return what the compiler says about its version."""
    return subprocess.check_output(["rustc", "--version"], cwd=str(ROOT)).decode().strip()


def split_lock(lock: Path) -> List[tuple]:
    """Split a lock file into (name, requirement with its hashes)."""
    parts = re.split(r"^(?=[A-Za-z0-9])", lock.read_text(), flags=re.MULTILINE)
    return [(part.split("==")[0], part) for part in parts if "==" in part.split("\n")[0]]


def prepare(interpreter: Interpreter, *purposes: str) -> Environment:
    """Make an environment with Linecaster in release, its peers and some packages."""
    environment = Environment(interpreter)
    environment.install("build", *purposes)
    complete(environment, environment.program("maturin"))
    return environment


def complete(environment: Environment, maturin: str) -> None:
    """Add Linecaster, built by this maturin, and the peers that are to be had."""
    for name in environment.install_peers():
        say(f"make: absent on Python {environment.interpreter.tag}: {name} (no wheel)")
    environment.install_linecaster(maturin)


if __name__ == "__main__":
    sys.exit("this file is a part of make test and make demo")
