"""Run the stages of `make test` (and `make lint`, `make test-all`).

Every stage runs, also after another has failed, so that one run tells all; at
the end comes a table with each stage's time and result. What a stage leaves out
(a SIMD implementation that the machine lacks, a peer without a wheel) is named
in the table. `STAGES="clippy python-3.*"` runs only these.
"""

from __future__ import annotations

import fnmatch
import os
import shutil
import subprocess
import sys
import time
from typing import Callable, Dict, List, NamedTuple, Optional

import environments
import interpreters
import prerequisites
from environments import BUILD, ROOT, Environment, StepError

IMPLEMENTATIONS = ("swar", "sse2", "avx2", "avx512")
PACKAGE = ROOT / "hosts" / "python" / "linecaster"
ALWAYS = ("set-up", "implementations")
DEBUGGING = {"debug": "python3-dbg", "valgrind": "valgrind"}
CHECKED_PYTHON = ("hosts", "tests", "tools", "bench", "fuzz", "examples")


class Stage(NamedTuple):
    """One stage: what it is called and what it does."""

    name: str
    action: Callable[[], None]


class Result(NamedTuple):
    """How a stage went."""

    name: str
    outcome: str
    seconds: float


class Suite:
    """The stages for one make target."""

    def __init__(self, target: str, chosen: List[str]) -> None:
        """Prepare to run `target`, or only the chosen stages of it."""
        self.target = target
        self.chosen = chosen
        self.results: List[Result] = []
        self.environments: List[Environment] = []
        self.present: List[str] = []

    def stage(self, name: str, action: Callable[[], None]) -> bool:
        """Run one stage, note how it went, say whether it passed."""
        if self.chosen and name not in ALWAYS and not self.is_chosen(name):
            return True
        print(f"\n=== {name}", flush=True)
        began = time.monotonic()
        try:
            action()
            outcome = "passed"
        except (StepError, OSError) as failure:
            print(f"--- {name} failed: {failure}", flush=True)
            outcome = "FAILED"
        self.results.append(Result(name, outcome, time.monotonic() - began))
        return outcome == "passed"

    def is_chosen(self, name: str) -> bool:
        """Say whether one of the chosen names or patterns fits."""
        return any(fnmatch.fnmatchcase(name, pattern) for pattern in self.chosen)

    def skip(self, name: str, reason: str) -> None:
        """Note what is left out, and why."""
        print(f"\n=== {name}: skipped: {reason}", flush=True)
        self.results.append(Result(name, f"skipped: {reason}", 0.0))

    def set_up(self) -> None:
        """Find the interpreters and make their environments."""
        found = interpreters.find()
        for interpreter in found.usable:
            print(f"uses {interpreter}")
        for one in found.passed:
            print(f"passed over: {one.path}: {one.reason}")
        if not found.usable:
            raise StepError("no usable CPython: apt-get install python3 python3-venv")
        if interpreters.in_ci() and found.faults():
            raise StepError("CI needs every interpreter that is installed here")
        wanted = found.usable[:1] if self.target == "lint" else found.usable
        self.environments = environments.prepare(wanted, ["test"], ["lint"])

    @property
    def main(self) -> Environment:
        """Return the environment that runs the whole suite and the linters."""
        return self.environments[0]

    def cargo(self, *arguments: str, **variables: str) -> None:
        """Run Cargo with the main interpreter for PyO3."""
        environment = environments.build_environment(self.main.interpreter)
        environments.run(["cargo", *arguments], env={**environment, **variables})

    def run_static_checks(self) -> None:
        """Run formatters, linters, types, stubs and the checks of the tree."""
        main = self.main
        run = environments.run
        python = checked_python()
        ruff = main.program("ruff")
        self.stage("rustfmt", lambda: self.cargo("fmt", "--all", "--check"))
        self.stage(
            "clippy",
            lambda: self.cargo(
                "clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"
            ),
        )
        self.stage("layers", lambda: run([sys.executable, "tools/layers.py"]))
        self.stage("sources", lambda: run([sys.executable, "tools/sources.py"]))
        self.stage("ruff", lambda: run([ruff, "check", *python]))
        self.stage("ruff-format", lambda: run([ruff, "format", "--check", *python]))
        self.stage("mypy", lambda: run([main.program("mypy"), "--strict", str(PACKAGE)]))
        stubs = [main.python, "-m", "mypy.stubtest", "linecaster"]
        stubs += ["--mypy-config-file", "pyproject.toml"]
        # Django REST framework cannot be imported without settings.
        settings = {**os.environ, "DJANGO_SETTINGS_MODULE": "django.conf.global_settings"}
        self.stage("stubs", lambda: run(stubs, env=settings))

    def run_tests(self) -> None:
        """Run the Rust tests and the Python suite, everywhere that it has to run."""
        self.stage("rust", self.rust_tests)
        tools = [self.main.python, "-m", "pytest", "-q", "tests/tools"]
        self.stage("tools", lambda: environments.run(tools))
        if not self.stage("implementations", self.ask_implementations):
            return
        for name in IMPLEMENTATIONS:
            stage = f"python-{self.main.interpreter.tag}-{name}"
            if name in self.present:
                self.stage(stage, lambda name=name: self.pytest(self.main, name))  # type: ignore[misc]
            else:
                self.skip(stage, "this machine lacks it")
        for environment in self.environments[1:]:
            tag = environment.interpreter.tag
            self.stage(f"python-{tag}", lambda one=environment: self.pytest(one))  # type: ignore[misc]

    def run_debugging_tests(self) -> None:
        """Run the Python suite on a debug build of Python, and a part under valgrind."""
        for mode in DEBUGGING:
            reason = lacks(DEBUGGING[mode])
            if reason is None:
                self.stage(f"python-{mode}", lambda mode=mode: self.debug_python(mode))  # type: ignore[misc]
            else:
                self.skip(f"python-{mode}", reason)

    def debug_python(self, mode: str) -> None:
        """Run `tools/debug_python.sh`, which installs what is missing if it may."""
        variables = {**os.environ, "PYTHON": self.main.interpreter.path}
        environments.run(["tools/debug_python.sh", mode], env=variables)

    def rust_tests(self) -> None:
        """Run the Rust tests; all of them, optimised, for test-all."""
        if self.target == "test-all":
            self.cargo("test", "--workspace", "--release", "--quiet", "--", "--include-ignored")
        else:
            self.cargo("test", "--workspace", "--quiet")

    def ask_implementations(self) -> None:
        """Ask the module which implementations this machine can run."""
        question = "import linecaster._linecaster as m; print(*m.implementations())"
        command = [self.main.python, "-c", question]
        answer = subprocess.run(command, cwd=str(BUILD), stdout=subprocess.PIPE)
        self.present = answer.stdout.decode().split()
        if answer.returncode != 0 or not set(self.present) <= set(IMPLEMENTATIONS):
            raise StepError(f"answered {self.present}, known are {IMPLEMENTATIONS}")
        print("this machine runs:", *self.present)

    def pytest(self, environment: Environment, forced: Optional[str] = None) -> None:
        """Run the Python suite, with one implementation forced if it is named."""
        variables: Dict[str, str] = dict(os.environ)
        variables["HYPOTHESIS_PROFILE"] = "long" if self.target == "test-all" else "ci"
        if forced is not None:
            variables["LINECASTER_FORCE"] = forced
        command = [environment.python, "-m", "pytest", "-q", "-rs", "tests/python"]
        if self.target == "test-all":
            command += ["-m", ""]
        environments.run(command, env=variables)

    def summary(self) -> int:
        """Print the table; return the exit status."""
        print(f"\nmake {self.target}: {sum(one.seconds for one in self.results) / 60:.1f} minutes")
        for one in self.results:
            print(f"  {one.name:24} {one.seconds / 60:5.2f} min  {one.outcome}")
        failed = [one.name for one in self.results if one.outcome == "FAILED"]
        if failed:
            print(f"FAILED: {', '.join(failed)}")
            return 1
        known = [one.name for one in self.results]
        unknown = [pattern for pattern in self.chosen if not fnmatch.filter(known, pattern)]
        if unknown:
            print(f"FAILED: no such stage: {', '.join(unknown)}")
            return 1
        print("all passed")
        return 0


def checked_python() -> List[str]:
    """Return the folders with Python sources that are there."""
    return [name for name in CHECKED_PYTHON if (ROOT / name).exists()]


def lacks(program: str) -> Optional[str]:
    """Say why a Debian program cannot be run; root may install it at its first use."""
    if shutil.which(program) or (os.geteuid() == 0 and shutil.which("apt-get")):
        return None
    return f"no {program} here: apt-get install {program}"


def main(target: str) -> int:
    """Run the target's stages."""
    prerequisites.require("lint" if target == "lint" else "test")
    suite = Suite(target, os.environ.get("STAGES", "").split())
    if suite.stage("set-up", suite.set_up):
        suite.run_static_checks()
        if target != "lint":
            suite.run_tests()
        if target == "test-all":
            suite.run_debugging_tests()
    return suite.summary()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
