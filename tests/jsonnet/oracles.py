"""The real implementations, in processes that may die.

`Oracle("go")` is go-jsonnet through the package `gojsonnet`, `Oracle("c++")`
the C++ one through `jsonnet`. Answers are kept in `build/jsonnet/`, by a digest
of the program, its options, the files that it may import and the oracle's
version, so that C++, which needs 30 ms for every call, is asked only once.

An oracle that dies or does not answer in time gives an outcome of its own kind,
`DEAD`, which is recorded and never compared.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import select
import sqlite3
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CACHE = ROOT / "build" / "jsonnet" / "oracles.sqlite"
PATIENCE = 20.0

VALUE, ERROR, DEAD = "value", "error", "dead"
# The Python module of each oracle, and the distribution that holds it.
MODULES = {"go": ("_gojsonnet", "gojsonnet"), "c++": ("_jsonnet", "jsonnet")}


@dataclass(frozen=True)
class Program:
    """A program and all that its outcome depends on."""

    code: str
    folder: Path = HERE
    options: tuple[tuple[str, str], ...] = ()

    def request(self) -> dict[str, Any]:
        """Return what a worker is sent."""
        request: dict[str, Any] = {"code": self.code, "folder": str(self.folder)}
        for option, value in self.options:
            name, equals, text = value.partition("=")
            if equals:
                request.setdefault(option, {})[name] = text
            else:
                request[option] = value
        return request

    def digest(self, version: str) -> str:
        """Name the question; files matter only to a program that imports."""
        files = ""
        if "import" in self.code or any("import" in value for _, value in self.options):
            inside = sorted(path for path in self.folder.rglob("*") if path.is_file())
            marks = (f"{path}:{hashlib.sha256(path.read_bytes()).hexdigest()}" for path in inside)
            files = "\n".join(marks)
        text = json.dumps([version, self.code, self.options, files])
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class Outcome:
    """What a program came to: a value's text, an error's text, or a dead process."""

    kind: str
    text: str
    trace: str = ""


@dataclass
class Oracle:
    """One implementation; its worker is started at the first question."""

    name: str
    worker: subprocess.Popen[str] | None = None
    version: str = field(init=False)

    def __post_init__(self) -> None:
        module, distribution = MODULES[self.name]
        self.version = f"{module} {importlib.metadata.version(distribution)}"
        CACHE.parent.mkdir(parents=True, exist_ok=True)
        self.cache = sqlite3.connect(CACHE)
        self.cache.execute("CREATE TABLE IF NOT EXISTS answers (question PRIMARY KEY, answer)")

    def ask(self, program: Program, *, keep: bool = True) -> Outcome:
        """Return the outcome, from the cache if it is there."""
        question = program.digest(self.version)
        found = self.cache.execute(
            "SELECT answer FROM answers WHERE question = ?", (question,)
        ).fetchone()
        if found:
            return Outcome(*json.loads(found[0]))
        outcome = self.evaluate(program)
        if keep:
            answer = json.dumps([outcome.kind, outcome.text, outcome.trace])
            with self.cache:
                self.cache.execute(
                    "INSERT OR REPLACE INTO answers VALUES (?, ?)", (question, answer)
                )
        return outcome

    def evaluate(self, program: Program) -> Outcome:
        """Let the worker evaluate; start another one next time if it does not survive."""
        worker = self.worker or self._start()
        assert worker.stdin is not None
        assert worker.stdout is not None
        line = ""
        try:
            print(json.dumps(program.request()), file=worker.stdin, flush=True)
            if select.select([worker.stdout], [], [], PATIENCE)[0]:
                line = worker.stdout.readline()
        except BrokenPipeError:
            pass
        if not line:
            self.stop()
            return Outcome(DEAD, f"{self.name} died or gave no answer in {PATIENCE:.0f} s")
        answer = json.loads(line)
        kind = VALUE if VALUE in answer else ERROR
        return Outcome(kind, answer[kind], answer["trace"])

    def _start(self) -> subprocess.Popen[str]:
        command = [sys.executable, str(HERE / "oracle_worker.py"), MODULES[self.name][0]]
        pipe = subprocess.PIPE
        self.worker = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, text=True, encoding="utf-8"
        )
        return self.worker

    def stop(self) -> None:
        """End the worker."""
        if self.worker is not None:
            self.worker.kill()
            self.worker.communicate()
            self.worker = None


def available(name: str) -> bool:
    """Say whether the package of an oracle is installed."""
    try:
        importlib.metadata.version(MODULES[name][1])
    except importlib.metadata.PackageNotFoundError:
        return False
    return True
