"""Run the stages of `make test` (and `make lint`, `make test-all`).

Stages run side by side, also after another has failed; at the end comes a table
with each stage's time, CPU time and result. What is left out (a SIMD
implementation that the machine lacks, a peer without a wheel) is named in the
table. `STAGES="clippy python-3.*"` runs only these, and what they stand on.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import Dict, List, Optional

import environments
import interpreters
import jsonnet_suite
import prerequisites
import steps
from environments import BUILD, ROOT, Environment
from stages import Stage, Stages
from steps import StepError

IMPLEMENTATIONS = ("swar", "sse2", "avx2", "avx512")
PACKAGES = (
    ROOT / "hosts" / "python" / "linecaster",
    ROOT / "hosts" / "python-jsonnet" / "linecaster_jsonnet",
)
SET_UP_JSONNET = "set-up-jsonnet"
ALWAYS = ("set-up*", "implementations")
DEBUGGING = {"debug": "python3-dbg", "valgrind": "valgrind"}
CHECKED_PYTHON = ("hosts", "tests", "tools", "bench", "fuzz", "examples")


class Suite:
    """The stages for one make target."""

    def __init__(self, target: str, chosen: List[str]) -> None:
        """Prepare to run `target`, or only the chosen stages of it."""
        self.target = target
        self.stages = Stages(chosen, ALWAYS)
        self.environments: List[Environment] = []
        self.present: List[str] = []

    def run(self) -> int:
        """Run everything; return the exit status."""
        self.stages.run([Stage("set-up", self.set_up)])
        if self.stages.outcome("set-up") == "passed":
            self.stages.run(*self.checks())
            if self.target != "lint":
                # The tests that only `test-all` has may need most of the memory.
                self.stages.run(*self.python_suites(), side_by_side=self.target == "test")
            if self.target == "test-all":
                self.stages.run(*self.debugging_suites())
        return self.stages.summary(self.target)

    def set_up(self) -> None:
        """Find the interpreters; prepare what the others and the checks need."""
        found = interpreters.find()
        for interpreter in found.usable:
            steps.say(f"uses {interpreter}")
        for one in found.passed:
            steps.say(f"passed over: {one.path}: {one.reason}")
        if not found.usable:
            raise StepError("no usable CPython: apt-get install python3 python3-venv")
        if interpreters.in_ci() and found.faults():
            raise StepError("CI needs every interpreter that is installed here")
        wanted = found.usable[:1] if self.target == "lint" else found.usable
        self.environments = [Environment(interpreter) for interpreter in wanted]
        self.main.install("build", "lint", "test")

    @property
    def main(self) -> Environment:
        """Return the environment that runs the whole suite and the linters."""
        return self.environments[0]

    def checks(self) -> List[List[Stage]]:
        """Return the lanes of the builds, static checks and Rust tests."""
        run = steps.run
        main = self.main
        mypy = [main.program("mypy"), "--strict", *map(str, PACKAGES)]
        lanes = [
            [
                self.set_up_of(main),
                Stage("mypy", lambda: run(mypy)),
                self.set_up_jsonnet(),
                self.stubs(),
                *([] if self.target == "lint" else [self.jsonnet()]),
            ],
            [
                Stage("rustfmt", lambda: self.cargo("fmt", "--all", "--check")),
                Stage("clippy", self.clippy),
                *([] if self.target == "lint" else [Stage("rust", self.rust_tests)]),
            ],
            *([self.set_up_of(other)] for other in self.environments[1:]),
            self.static_checks(),
        ]
        if self.target != "lint":
            tools = [main.python, "-m", "pytest", "-q", *cache("tools"), "tests/tools"]
            lanes.append([Stage("tools", lambda: run(tools))])
        return lanes

    def static_checks(self) -> List[Stage]:
        """Return the checks of the tree and of the Python sources."""
        run = steps.run
        python = checked_python()
        ruff = self.main.program("ruff")
        return [
            Stage("layers", lambda: run([sys.executable, "tools/layers.py"])),
            Stage("sources", lambda: run([sys.executable, "tools/sources.py"])),
            Stage("ruff", lambda: run([ruff, "check", *python])),
            Stage("ruff-format", lambda: run([ruff, "format", "--check", *python])),
        ]

    def set_up_of(self, environment: Environment) -> Stage:
        """Return the stage that builds and installs Linecaster for an interpreter."""
        maturin = self.main.program("maturin")

        def action() -> None:
            environment.install("test")
            environments.complete(environment, maturin)

        return Stage(set_up_name(environment), action)

    def set_up_jsonnet(self) -> Stage:
        """Return the stage that builds and installs the distribution for Jsonnet."""
        main = self.main

        def action() -> None:
            main.install_jsonnet(main.program("maturin"))

        return Stage(SET_UP_JSONNET, action, [set_up_name(main)])

    def jsonnet(self) -> Stage:
        """Return the stage of Jsonnet's tests."""
        return Stage("jsonnet", lambda: jsonnet_suite.run(self.main), [SET_UP_JSONNET])

    def cargo(self, *arguments: str) -> None:
        """Run Cargo with the main interpreter for PyO3."""
        environment = environments.build_environment(self.main.interpreter)
        steps.run(["cargo", *arguments], env=environment)

    def clippy(self) -> None:
        """Run Clippy on everything, warnings denied."""
        self.cargo("clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings")

    def stubs(self) -> Stage:
        """Return the stage that holds the stubs against the modules."""
        command = [self.main.python, "-m", "mypy.stubtest", "linecaster", "linecaster_jsonnet"]
        command += ["--mypy-config-file", "pyproject.toml"]
        # Django REST framework cannot be imported without settings.
        settings = {**os.environ, "DJANGO_SETTINGS_MODULE": "django.conf.global_settings"}
        needs = [SET_UP_JSONNET]
        return Stage("stubs", lambda: steps.run(command, env=settings), needs)

    def rust_tests(self) -> None:
        """Run the Rust tests; all of them, optimised, for test-all."""
        if self.target == "test-all":
            self.cargo("test", "--workspace", "--release", "--quiet", "--", "--include-ignored")
        else:
            self.cargo("test", "--workspace", "--quiet")

    def python_suites(self) -> List[List[Stage]]:
        """Return the lanes of the Python suite, everywhere that it has to run.

        It runs whole on each interpreter, on the main one under the
        implementation that this machine chooses. The others are forced, for the
        tests that reach them; for all tests in `test-all`.
        """
        main = self.main
        asking = Stage("implementations", self.ask_implementations, [set_up_name(main)])
        self.stages.run([asking])
        lanes = [[self.pytest(environment)] for environment in self.environments]
        for name in IMPLEMENTATIONS:
            stage = self.pytest(main, name)
            if self.stages.outcome(asking.name) != "passed":
                self.stages.skip(stage.name, f"it needs {asking.name}")
            elif name not in self.present:
                self.stages.skip(stage.name, "this machine lacks it")
            elif name != self.present[-1]:
                lanes.append([stage])
        return lanes

    def ask_implementations(self) -> None:
        """Ask the module which implementations this machine can run; it chooses the last."""
        question = "import linecaster._linecaster as m; print(*m.implementations())"
        command = [self.main.python, "-c", question]
        answer = subprocess.run(command, cwd=str(BUILD), stdout=subprocess.PIPE)
        self.present = answer.stdout.decode().split()
        if answer.returncode != 0 or not set(self.present) <= set(IMPLEMENTATIONS):
            raise StepError(f"answered {self.present}, known are {IMPLEMENTATIONS}")
        steps.say(f"this machine runs: {' '.join(self.present)}")

    def pytest(self, environment: Environment, forced: Optional[str] = None) -> Stage:
        """Return the stage of the Python suite, with one implementation forced if named."""
        everything = self.target == "test-all"
        tag = f"python-{environment.interpreter.tag}"
        variables: Dict[str, str] = dict(os.environ)
        variables.pop("LINECASTER_FORCE", None)
        variables["HYPOTHESIS_PROFILE"] = "long" if everything else "ci"
        if forced is not None:
            variables["LINECASTER_FORCE"] = forced
            tag = f"{tag}-{forced}"
        command = [environment.python, "-m", "pytest", "-q", "-rs", *cache(tag), "tests/python"]
        if everything:
            command += ["-m", ""]
        elif forced is not None:
            command += ["-m", "not slow and not any_implementation"]
        needs = [set_up_name(environment)]
        return Stage(tag, lambda: steps.run(command, env=variables), needs)

    def debugging_suites(self) -> List[List[Stage]]:
        """Return the Python suite on a debug build of Python, and a part under valgrind.

        One lane, as both install Debian's packages.
        """
        lane = []
        for mode in DEBUGGING:
            reason = lacks(DEBUGGING[mode])
            if reason is None:
                lane.append(self.debug_python(mode))
            else:
                self.stages.skip(f"python-{mode}", reason)
        return [lane]

    def debug_python(self, mode: str) -> Stage:
        """Return the stage of `tools/debug_python.sh`, which installs what is missing."""
        variables = {**os.environ, "PYTHON": self.main.interpreter.path}
        command = ["tools/debug_python.sh", mode]
        return Stage(f"python-{mode}", lambda: steps.run(command, env=variables))


def set_up_name(environment: Environment) -> str:
    """Name the stage that completes an environment."""
    return f"set-up-{environment.interpreter.tag}"


def cache(name: str) -> List[str]:
    """Return pytest's option for a cache of its own, as others run at the same time."""
    return ["-o", f"cache_dir=build/pytest/{name}"]


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
    return Suite(target, os.environ.get("STAGES", "").split()).run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
