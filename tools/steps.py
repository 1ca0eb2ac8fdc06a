"""Run the programs that a step consists of, and add up what they cost.

Steps may run side by side, each in a thread. What a thread says, and what the
programs print that it runs, goes to the log that it was given with `recording`,
or else straight to the terminal.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, Iterator, List, Optional

ROOT = Path(__file__).resolve().parent.parent


class StepError(Exception):
    """A step failed; its own output has said why."""


class _Thread(threading.local):
    """What belongs to the thread's step."""

    log: Optional[IO[str]] = None
    cpu = 0.0


_thread = _Thread()


def say(text: str) -> None:
    """Print a line, to the step's log if it has one."""
    print(text, file=_thread.log or sys.stdout, flush=True)


def cpu_seconds() -> float:
    """Return the CPU time of the programs that this thread has run so far."""
    return _thread.cpu


@contextlib.contextmanager
def recording(log: Optional[IO[str]]) -> Iterator[None]:
    """Send to this log, if there is one, what this thread's steps print."""
    _thread.log = log
    try:
        yield
    finally:
        _thread.log = None


def run(command: List[str], **options: object) -> None:
    """Run a program at the repository's root; `StepError` if it fails."""
    options.setdefault("cwd", str(ROOT))
    output = _thread.log
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=None if output is None else subprocess.STDOUT,
        **options,  # type: ignore[call-overload]
    )
    # Not `process.wait()`: the time is told only to who waits for the process.
    _, status, used = os.wait4(process.pid, 0)
    _thread.cpu += used.ru_utime + used.ru_stime
    signalled = os.WIFSIGNALED(status)
    process.returncode = -os.WTERMSIG(status) if signalled else os.WEXITSTATUS(status)
    if process.returncode != 0:
        raise StepError(" ".join(str(part) for part in command))
