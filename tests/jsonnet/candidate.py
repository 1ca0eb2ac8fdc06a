"""The implementation under test, in a process that may die.

`LINECASTER_JSONNET_SERVER` names a program that answers requests without end:
`crates/jsonnet/examples/serve.rs`. `LINECASTER_JSONNET` names a command line as
go-jsonnet's, one process for each program; go-jsonnet's own can be put there to
test the tests. Without either, the server that Cargo has built is taken.

A request to the server is a number of texts, name and value in turn (`folder`,
`code`, `ext-str` with `name=text`, …), the answer three of them (`value` or
`error`, its text, what `std.trace` wrote). Numbers and lengths are four bytes,
the least significant first.
"""

from __future__ import annotations

import os
import select
import struct
import subprocess
from pathlib import Path
from typing import Protocol

from oracles import DEAD, ERROR, PATIENCE, ROOT, VALUE, Outcome, Program

SERVER, COMMAND = "LINECASTER_JSONNET_SERVER", "LINECASTER_JSONNET"
EXAMPLE = "serve"
STDIN = "<stdin>"


class Candidate(Protocol):
    """What evaluates programs."""

    def evaluate(self, program: Program) -> Outcome:
        """Return what comes of a program."""

    def stop(self) -> None:
        """End what was started."""


class Server:
    """A process that answers one program after another."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.process: subprocess.Popen[bytes] | None = None

    def evaluate(self, program: Program) -> Outcome:
        """Ask the process, which is started if there is none."""
        if self.process is None:
            pipe = subprocess.PIPE
            self.process = subprocess.Popen([self.path], stdin=pipe, stdout=pipe, bufsize=0)
        texts = ["folder", str(program.folder), "jpath", "library", "code", program.code]
        for option, value in program.options:
            texts += [option, value]
        try:
            self._send(texts)
            kind, text, trace = (self._receive() for _ in range(3))
        except (BrokenPipeError, EOFError, TimeoutError) as error:
            self.stop()
            return Outcome(DEAD, f"the process died: {type(error).__name__}")
        return Outcome(VALUE if kind == VALUE else ERROR, text, trace)

    def _send(self, texts: list[str]) -> None:
        parts = [struct.pack("<I", len(texts))]
        for text in texts:
            data = text.encode("utf-8", "surrogatepass")
            parts += [struct.pack("<I", len(data)), data]
        assert self.process is not None
        assert self.process.stdin is not None
        self.process.stdin.write(b"".join(parts))
        self.process.stdin.flush()

    def _receive(self) -> str:
        (size,) = struct.unpack("<I", self._read(4))
        return self._read(size).decode("utf-8", "replace")

    def _read(self, size: int) -> bytes:
        assert self.process is not None
        assert self.process.stdout is not None
        data = b""
        while len(data) < size:
            if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
                raise TimeoutError
            part = self.process.stdout.read(size - len(data))
            if not part:
                raise EOFError
            data += part
        return data

    def stop(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


class Command:
    """A command line that is run for each program."""

    def __init__(self, words: list[str]) -> None:
        self.words = words

    def evaluate(self, program: Program) -> Outcome:
        """Run the command with the program as its standard input."""
        command = [*self.words, "-J", "library"]
        for option, value in program.options:
            command += [f"--{option}", value]
        try:
            done = subprocess.run(
                [*command, "-"],
                input=program.code.encode("utf-8", "surrogatepass"),
                capture_output=True,
                cwd=program.folder,
                timeout=PATIENCE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Outcome(DEAD, "no answer in time")
        if done.returncode not in (0, 1):
            return Outcome(DEAD, f"exit status {done.returncode}")
        errors = done.stderr.decode("utf-8", "replace").replace(STDIN, "program")
        lines = errors.split("\n")
        # `std.trace` writes whole lines before anything goes wrong.
        last = max((n for n, line in enumerate(lines, 1) if line.startswith("TRACE: ")), default=0)
        trace = "".join(line + "\n" for line in lines[:last])
        if done.returncode:
            return Outcome(ERROR, "\n".join(lines[last:]), trace)
        return Outcome(
            VALUE, done.stdout.decode("utf-8", "replace").replace(STDIN, "program"), trace
        )

    def stop(self) -> None:
        """Nothing is left running."""


def find() -> Candidate | None:
    """Return the implementation under test, or nothing if none was built."""
    if SERVER in os.environ:
        return Server(os.environ[SERVER])
    if COMMAND in os.environ:
        return Command(os.environ[COMMAND].split())
    built = newest(Path("examples") / EXAMPLE)
    return Server(str(built)) if built else None


def newest(program: Path) -> Path | None:
    """Return what Cargo has built last of a program, in whichever profile."""
    target = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")
    built = [path for path in target.glob(f"*/{program}") if path.is_file()]
    return max(built, key=lambda path: path.stat().st_mtime, default=None)
