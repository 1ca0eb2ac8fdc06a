"""Which pairs are measured, in which order, and the processes that do it.

Pairs are visited in turn and several times: the peers of one workload and mode
follow each other, so that they meet the machine in the same mood, and each
round begins with another peer, so that none is always first.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.python.malloc import environment
from bench.python.modes import BY_NAME
from bench.python.worker import Request

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT = 300
# Below this the state of malloc makes no difference: no block is that large,
# even where a library reserves several times the length.
SMALL = 16_000
# Memory is looked at for documents that fill many pages.
LARGE = 250_000


class Pair(NamedTuple):
    """One cell of one table."""

    malloc: str
    mode: str
    workload: str
    peer: str


def pairs(
    sizes: dict[str, int],
    modes: Sequence[str],
    peers: Sequence[str],
    states: Sequence[str],
    records: Container[str] = (),
) -> list[Pair]:
    """List every pair worth measuring, given the size of each workload's text.

    `records` are the workloads that streams are made of, and nothing else.
    """
    found = []
    for mode in modes:
        memory, stream = BY_NAME[mode].memory, BY_NAME[mode].stream
        for state in ("mmap",) if memory else states:
            for workload, size in sizes.items():
                if (memory and size < LARGE) or (workload in records) != stream:
                    continue
                if state == "mmap" and "heap" in states and size < SMALL:
                    continue
                found += [Pair(state, mode, workload, peer) for peer in peers]
    return found


def in_turn(every: Sequence[Pair], peers: Sequence[str], rounds: int) -> list[Pair]:
    """Order the visits: all pairs once in each round, the peers rotated by the round."""
    visits: list[Pair] = []
    for number in range(rounds):
        turn = {peer: (place - number) % len(peers) for place, peer in enumerate(peers)}
        group: list[Pair] = []
        for pair in every:
            if group and pair[:3] != group[0][:3]:
                visits += sorted(group, key=lambda one: turn[one.peer])
                group = []
            group.append(pair)
        visits += sorted(group, key=lambda one: turn[one.peer])
    return visits


def measure(pair: Pair, data: Path | None, seconds: float) -> dict[str, Any]:
    """Run one worker of the JSON libraries."""
    request = Request(pair.workload, pair.mode, pair.peer, str(data) if data else None, seconds)
    memory = BY_NAME[pair.mode].memory
    return answer_of("bench.python.worker", asdict(request), pair.malloc, memory=memory)


def answer_of(
    module: str, request: dict[str, Any], state: str, *, memory: bool = False
) -> dict[str, Any]:
    """Run a worker on one request; a crash or a time-out is an answer with an `error`."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", module],
            input=json.dumps(request),
            env=environment(state, os.environ, memory=memory),
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"error": f"no answer within {TIMEOUT} s"}
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or [""])[-1]
        return {"error": f"exit status {done.returncode}: {last}"[:300]}
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer
