"""Instructions per call of one workload, to tell small changes apart.

    python -m bench.python.instructions --workload small-dict --mode encode-repeated

Times differ by a few per cent from run to run; counts of instructions hardly at
all. A worker is run twice with different numbers of calls, and the difference
is divided by the difference of the numbers, so that start and set-up fall out.
Counted by ``perf stat`` where the machine lets it, else by valgrind's callgrind,
which knows AVX2 but not AVX-512: libraries choose their code accordingly. In
fresh modes, making the objects (by `json`) is measured apart and taken off.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from bench.python.malloc import environment
from bench.python.modes import BY_NAME
from bench.python.peers import PEERS, installed
from bench.python.schedule import ROOT
from bench.python.worker import Request
from bench.python.workloads import documents, named

_PERF = ["perf", "stat", "-x", ",", "-e", "instructions:u"]
_CALLGRIND = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]

Counter = Callable[[Request], int]


def _output(command: Sequence[str], request: Request) -> str:
    done = subprocess.run(
        [*command, sys.executable, "-m", "bench.python.worker"],
        input=json.dumps(asdict(request)),
        env=environment("heap", os.environ),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    if '"error"' in done.stdout:
        raise SystemExit(done.stdout)
    return done.stderr


def by_perf(request: Request) -> int:
    """Count a worker's instructions in user space by the processor's counter."""
    return int(_output(_PERF, request).splitlines()[-1].split(",")[0])


def by_callgrind(request: Request) -> int:
    """Count a worker's instructions by simulation."""
    found = re.search(r"Collected : (\d+)", _output(_CALLGRIND, request))
    if found is None:
        raise SystemExit("callgrind did not say how many instructions there were")
    return int(found.group(1))


def counter() -> tuple[str, Counter]:
    """Choose what can count on this machine."""
    if shutil.which("perf"):
        probe = subprocess.run([*_PERF, "true"], capture_output=True, text=True, check=False)
        if probe.returncode == 0 and probe.stderr.strip().split(",")[0].isdigit():
            return "perf", by_perf
    if shutil.which("valgrind"):
        return "callgrind", by_callgrind
    raise SystemExit("neither perf (with hardware counters) nor valgrind is here")


def per_call(request: Request, count: Counter, calls: int) -> float:
    """Return the instructions of one call: the slope between few and many calls."""
    few, many = calls, 3 * calls
    slope = _slope(request, count, few, many)
    if BY_NAME[request.mode].fresh:
        slope -= _slope(replace(request, idle=True), count, few, many)
    return slope


def _slope(request: Request, count: Counter, few: int, many: int) -> float:
    least = count(replace(request, calls=few))
    most = count(replace(request, calls=many))
    return (most - least) / (many - few)


def _calls(workload: str, data: Path) -> int:
    """Choose enough calls for the interpreter to have specialised."""
    (known,) = named([workload], data)
    return min(2000, max(4, 1_000_000 // len(known.compact)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the instructions per call for each library."""
    parser = argparse.ArgumentParser(prog="python -m bench.python.instructions")
    parser.add_argument("--workload", required=True)
    parser.add_argument("--mode", default="encode-repeated", choices=list(BY_NAME))
    parser.add_argument("--peers", default=",".join(PEERS), help="comma-separated")
    parser.add_argument("--calls", type=int, help="the fewer of the two numbers")
    parser.add_argument("--data", type=Path, default=os.environ.get("DATA") or None)
    options = parser.parse_args(arguments)
    name, count = counter()
    print(f"instructions per call, {options.mode} {options.workload}, by {name}")
    data = documents(options.data)
    calls = options.calls or _calls(options.workload, data)
    for peer in filter(installed, options.peers.split(",")):
        request = Request(options.workload, options.mode, peer, str(data))
        print(f"{peer:12} {per_call(request, count, calls):14,.0f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
