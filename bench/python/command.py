"""What the command lines of the benchmarks have in common.

Each chooses its own pairs and makes its own tables; here are the options that
mean the same everywhere, the visits with their progress, and what is written.
"""

from __future__ import annotations

import argparse
import sys
import time
from datetime import datetime
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.python import results, schedule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bench.python.schedule import Pair

RESULTS = schedule.ROOT / "bench" / "results"
METRICS = ("cpu_min", "cpu_median", "wall_min", "wall_median")
SECONDS, ROUNDS = 0.25, 3


def chosen_names(patterns: str, names: Sequence[str], what: str) -> list[str]:
    """Choose the names that match any of the comma-separated patterns."""
    wanted = patterns.split(",")
    for pattern in wanted:
        if not any(fnmatch(name, pattern) for name in names):
            raise SystemExit(f"no {what} {pattern!r}; there are: {', '.join(names)}")
    return [name for name in names if any(fnmatch(name, one) for one in wanted)]


def parser(prog: str, description: str) -> argparse.ArgumentParser:
    """Return a parser with the options that all command lines have."""
    made = argparse.ArgumentParser(prog=prog, description=description)
    add = made.add_argument
    add("--peers", default="*", help="comma-separated, wildcards allowed")
    add("--rounds", type=int, default=None, help=f"visits of each pair (default {ROUNDS})")
    add("--seconds", type=float, default=None, help="of sampling in each visit")
    add("--out", type=Path, default=None, help="JSON file (default: bench/results/…)")
    add("--picture", type=Path, default=None, help="PNG file (default: beside --out)")
    add("--markdown", type=Path, help="put the tables between the marks of this file")
    add("--metric", choices=METRICS, default="cpu_min", help="what the tables show")
    add("--from", type=Path, dest="earlier", help="show this result, measure nothing")
    return made


def settings(options: argparse.Namespace, quick_seconds: float) -> dict[str, Any]:
    """Return how often and how long each pair is measured."""
    quick = options.quick
    return {
        "rounds": options.rounds or (1 if quick else ROUNDS),
        "seconds": options.seconds or (quick_seconds if quick else SECONDS),
        "quick": quick,
    }


class Progress:
    """A bar on a terminal, else a line for every tenth of the way."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.started = time.monotonic()
        self.tenths = 0

    def show(self, done: int, what: str) -> None:
        """Say how far it is and how long it will take."""
        spent = time.monotonic() - self.started
        left = spent / done * (self.total - done)
        line = f"{done}/{self.total}, about {left:.0f} s left"
        if sys.stderr.isatty():
            bar = "#" * (30 * done // self.total)
            end = "\n" if done == self.total else ""
            print(f"\r\x1b[K[{bar:30}] {line}: {what[:40]}", end=end, file=sys.stderr)
            sys.stderr.flush()
        elif 10 * done // self.total > self.tenths:
            self.tenths = 10 * done // self.total
            print(line, file=sys.stderr, flush=True)


def visit(
    found: results.Results,
    every: Sequence[Pair],
    peers: Sequence[str],
    answer: Callable[[Pair], dict[str, Any]],
) -> None:
    """Ask for an answer to each pair, in turn, as often as the settings of `found` say."""
    visits = schedule.in_turn(every, peers, found.about["settings"]["rounds"])
    progress = Progress(len(visits))
    for done, pair in enumerate(visits, 1):
        found.add(pair, answer(pair))
        progress.show(done, f"{pair.mode} {pair.workload} {pair.peer}")
    # The tables follow the order of the pairs, whoever was visited first.
    found.rows = {pair: found.rows[pair] for pair in every}


def saved(found: results.Results, options: argparse.Namespace, prefix: str = "") -> Path:
    """Write the results to the file that was asked for or is named by the time."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    out: Path = options.out or RESULTS / f"{prefix}{stamp}.json"
    found.save(out)
    print(f"results: {out}")
    return out


def draw(module: str, found: results.Results, options: argparse.Namespace, out: Path) -> None:
    """Draw by this module, unless an earlier result is shown and no picture asked for."""
    if options.earlier and not options.picture:
        return
    path = options.picture or out.with_suffix(".png")
    try:
        picture = import_module(module)
    except ImportError as error:
        print(f"no picture: {error}", file=sys.stderr)
        return
    picture.draw(found, options.metric, path)
    print(f"picture: {path}")


def status(found: results.Results) -> int:
    """Return 1 if any row has an error instead of a time."""
    return int(any("error" in row for row in found.rows.values()))
