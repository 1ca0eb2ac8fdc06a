"""Run stages side by side and tell how each went.

Stages stand in lanes: those of a lane run one after another, lanes run at the
same time, as many as the machine has cores (`JOBS=1`: one), the first ones
first. Every stage runs, also after another has failed, so that one run tells
all; only what needs the failed one is left out, and named. A stage that has
company prints all that it has to say when it ends.
"""

from __future__ import annotations

import fnmatch
import os
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Callable, List, NamedTuple, Sequence

import steps
from steps import StepError

# More would hardly be faster: the compiler and the Rust tests use all cores.
MOST_LANES = 4


class Stage(NamedTuple):
    """One stage: what it is called, what it does and which stages it needs."""

    name: str
    action: Callable[[], None]
    needs: Sequence[str] = ()


class Result(NamedTuple):
    """How a stage went; `cpu` is the time of the programs that it ran."""

    name: str
    outcome: str
    seconds: float
    cpu: float


class Stages:
    """The stages of one make target."""

    def __init__(self, chosen: Sequence[str], always: Sequence[str]) -> None:
        """Prepare to run all, or only the chosen ones and those that are always needed."""
        self.chosen = [*chosen, *always] if chosen else []
        self.always = always
        self.results: List[Result] = []
        self.began = time.monotonic()
        self._lock = threading.Lock()

    def is_chosen(self, name: str) -> bool:
        """Say whether the stage is one of those that are to run."""
        return not self.chosen or any(fnmatch.fnmatchcase(name, one) for one in self.chosen)

    def run(self, *lanes: Sequence[Stage], side_by_side: bool = True) -> None:
        """Run the chosen stages of all lanes; return when all have ended."""
        chosen = [[stage for stage in lane if self.is_chosen(stage.name)] for lane in lanes]
        chosen = [lane for lane in chosen if lane]
        at_once = min(len(chosen), lanes_at_once() if side_by_side else 1)
        if at_once < 2:
            for lane in chosen:
                self._run_lane(lane, alone=True)
            return
        with ThreadPoolExecutor(at_once) as pool:
            under_way = [pool.submit(self._run_lane, lane, alone=False) for lane in chosen]
            try:
                for lane in under_way:
                    lane.result()
            except BaseException:
                # Such as Ctrl-C: what has not begun does not begin.
                for lane in under_way:
                    lane.cancel()
                raise

    def _run_lane(self, lane: Sequence[Stage], alone: bool) -> None:
        for stage in lane:
            missing = [name for name in stage.needs if self.outcome(name) != "passed"]
            if missing:
                self.skip(stage.name, f"it needs {', '.join(missing)}")
            elif alone:
                print(f"\n=== {stage.name}", flush=True)
                self._run_stage(stage)
            else:
                print(f"... {stage.name}", flush=True)
                self._run_recorded(stage)

    def _run_recorded(self, stage: Stage) -> None:
        with tempfile.TemporaryFile("w+", errors="replace") as log:
            with steps.recording(log):
                self._run_stage(stage)
            log.seek(0)
            with self._lock:
                print(f"\n=== {stage.name}\n{log.read().rstrip()}", flush=True)

    def _run_stage(self, stage: Stage) -> None:
        began, used = time.monotonic(), steps.cpu_seconds()
        try:
            stage.action()
            outcome = "passed"
        except (StepError, OSError) as failure:
            steps.say(f"--- {stage.name} failed: {failure}")
            outcome = "FAILED"
        seconds, cpu = time.monotonic() - began, steps.cpu_seconds() - used
        self.results.append(Result(stage.name, outcome, seconds, cpu))

    def outcome(self, name: str) -> str:
        """Say how a stage went; empty if it has not run."""
        return next((one.outcome for one in self.results if one.name == name), "")

    def skip(self, name: str, reason: str) -> None:
        """Note what is left out, and why."""
        if self.is_chosen(name):
            print(f"\n=== {name}: skipped: {reason}", flush=True)
            self.results.append(Result(name, f"skipped: {reason}", 0.0, 0.0))

    def summary(self, target: str) -> int:
        """Print the table; return the exit status."""
        minutes = (time.monotonic() - self.began) / 60
        cpu = sum(one.cpu for one in self.results) / 60
        print(f"\nmake {target}: {minutes:.1f} minutes, {cpu:.1f} of CPU time")
        print(f"  {'stage':24} minutes  of CPU")
        for one in self.results:
            print(f"  {one.name:24} {one.seconds / 60:7.2f} {one.cpu / 60:7.2f}  {one.outcome}")
        failed = [one.name for one in self.results if one.outcome == "FAILED"]
        if failed:
            print(f"FAILED: {', '.join(failed)}")
            return 1
        known = [one.name for one in self.results]
        unknown = [one for one in self.chosen if not fnmatch.filter(known, one)]
        unknown = [one for one in unknown if one not in self.always]
        if unknown:
            print(f"FAILED: no such stage: {', '.join(unknown)}")
            return 1
        print("all passed")
        return 0


def lanes_at_once() -> int:
    """Return how many lanes may run at the same time."""
    given = os.environ.get("JOBS", "")
    if not given:
        return min(MOST_LANES, os.cpu_count() or 1)
    if not given.isdigit() or int(given) < 1:
        sys.exit(f"error: JOBS={given} is not a number of lanes")
    return int(given)
