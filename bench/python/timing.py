"""Sampling of one call: thread CPU time and wall time, scaled inner loops.

A sample is the mean over enough calls to last about two milliseconds; the
minimum over many samples is what the machine needs when nothing disturbs it,
the median what it mostly did. Both clocks are read around every inner loop.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from time import perf_counter_ns, thread_time_ns
from typing import Any

from bench.python.peers import Call

SAMPLE_NS = 2_000_000
# Fresh objects are made just before they are used, in batches of at least this
# duration, so that reading the clocks (about 0.3 us) stays below one per cent
# and the objects are still as warm in the cache as a server's are.
BATCH_NS = 50_000
MIN_SAMPLES = 5
# Slow calls get fewer samples, but never less than this.
FEWEST_SAMPLES = 3

Loop = Callable[[Iterable[Any], Callable[[Any], Any]], None]


def _plain(values: Iterable[Any], call: Callable[[Any], Any]) -> None:
    for value in values:
        call(value)


def _then_decode(values: Iterable[Any], call: Callable[[Any], Any]) -> None:
    for value in values:
        call(value).decode()


def _then_encode(values: Iterable[Any], call: Callable[[Any], Any]) -> None:
    for value in values:
        call(value).encode()


_LOOPS: dict[str, Loop] = {
    "": _plain,
    ".decode()": _then_decode,
    ".encode()": _then_encode,
}


@dataclass
class Samples:
    """Nanoseconds per call, one entry for each sample."""

    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    calls: int = 0

    def add(self, cpu: int, wall: int, calls: int) -> None:
        """Record a sample that took the given times for so many calls."""
        self.cpu.append(cpu / calls)
        self.wall.append(wall / calls)
        self.calls += calls

    def summary(self) -> dict[str, float]:
        """Return the figures that a worker answers with."""
        return {
            "cpu_min": min(self.cpu),
            "cpu_median": statistics.median(self.cpu),
            "wall_min": min(self.wall),
            "wall_median": statistics.median(self.wall),
            "samples": len(self.cpu),
            "calls": self.calls,
        }


def _clocked(loop: Loop, values: Iterable[Any], call: Call) -> tuple[int, int]:
    wall = perf_counter_ns()
    cpu = thread_time_ns()
    loop(values, call.function)
    cpu_after = thread_time_ns()
    return cpu_after - cpu, perf_counter_ns() - wall


def _enough(samples: Samples, started: int, seconds: float) -> bool:
    count = len(samples.cpu)
    spent = (perf_counter_ns() - started) / 1e9
    if spent < seconds:
        return False
    return count >= MIN_SAMPLES or (spent > 2 * seconds and count >= FEWEST_SAMPLES)


def repeated(call: Call, value: Any, seconds: float) -> Samples:
    """Time the call on the same value again and again."""
    loop = _LOOPS[call.then]
    calls = 1
    while True:
        cpu, _ = _clocked(loop, repeat(value, calls), call)
        if cpu >= SAMPLE_NS:
            break
        calls = max(calls + 1, min(calls * 10, round(calls * SAMPLE_NS * 1.1 / cpu)))
    samples = Samples()
    started = perf_counter_ns()
    while not _enough(samples, started, seconds):
        cpu, wall = _clocked(loop, repeat(value, calls), call)
        samples.add(cpu, wall, calls)
    return samples


def fresh(call: Call, make: Callable[[], Any], seconds: float) -> Samples:
    """Time the call on values that `make` builds, each used exactly once.

    Building and dropping the values is outside of what is timed.
    """
    loop = _LOOPS[call.then]
    size = 1
    while True:
        values = [make() for _ in range(size)]
        cpu, _ = _clocked(loop, values, call)
        if cpu >= BATCH_NS:
            break
        size = max(size + 1, min(size * 10, round(size * BATCH_NS * 1.1 / cpu)))
    samples = Samples()
    started = perf_counter_ns()
    while not _enough(samples, started, seconds):
        cpu_sum = wall_sum = calls = 0
        began = perf_counter_ns()
        # A sample that takes long to build is cut short.
        while cpu_sum < SAMPLE_NS and perf_counter_ns() - began < seconds * 2e8:
            values = [make() for _ in range(size)]
            cpu, wall = _clocked(loop, values, call)
            values.clear()
            cpu_sum += cpu
            wall_sum += wall
            calls += size
        samples.add(cpu_sum, wall_sum, calls)
    return samples


def fastest(calls: Sequence[Call], value: Any) -> Call:
    """Choose the call that takes least time for the value."""
    if len(calls) == 1:
        return calls[0]

    def least(call: Call) -> int:
        loop = _LOOPS[call.then]
        return min(_clocked(loop, repeat(value, 20), call)[0] for _ in range(5))

    return min(calls, key=least)


def copying(size: int, seconds: float = 0.02) -> float:
    """Take the least CPU nanoseconds to allocate `size` bytes and `memcpy` into them.

    ``bytes(bytearray)`` is one allocation and one copy under the same state of
    malloc as the call beside which it stands: the floor for making any output
    of that size.
    """
    return min(repeated(Call(bytes), bytearray(size), seconds).cpu)


def run(call: Call, make: Callable[[], Any], calls: int, *, fresh: bool) -> None:
    """Make so many calls without looking at a clock."""
    values: Iterable[Any]
    values = [make() for _ in range(calls)] if fresh else repeat(make(), calls)
    _LOOPS[call.then](values, call.function)
