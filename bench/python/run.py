"""The command line: measures, prints tables, writes JSON, a picture and Markdown."""

from __future__ import annotations

import argparse
import os
import sys
import time
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from bench.python import report, results, schedule, workloads
from bench.python.malloc import STATES
from bench.python.modes import BY_NAME, MODES
from bench.python.peers import PEERS, installed

if TYPE_CHECKING:
    from collections.abc import Sequence

RESULTS = schedule.ROOT / "bench" / "results"
METRICS = ("cpu_min", "cpu_median", "wall_min", "wall_median")
# `--quick`: rows that show every kind of work, in less than two minutes.
QUICK_WORKLOADS = (
    "a10x100",
    "small-dict",
    "clean-1mb",
    "escape10-1mb",
    "cjk20x10k",
    "latin30x10k",
    "small-ints",
    "floats",
    "nested",
    "twitter",
    "messages",
)
QUICK_MODES = "encode-repeated,encode-fresh,dumps-fresh,loads-bytes"
QUICK_SECONDS = 0.06
SECONDS, ROUNDS = 0.25, 3


def chosen_names(patterns: str, names: Sequence[str], what: str) -> list[str]:
    """Choose the names that match any of the comma-separated patterns."""
    wanted = patterns.split(",")
    for pattern in wanted:
        if not any(fnmatch(name, pattern) for name in names):
            raise SystemExit(f"no {what} {pattern!r}; there are: {', '.join(names)}")
    return [name for name in names if any(fnmatch(name, one) for one in wanted)]


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.python",
        description="Measures JSON libraries for Python, each pair in its own process.",
    )
    add = parser.add_argument
    add("--peers", default="*", help="comma-separated, wildcards allowed")
    add("--workloads", default=None, help="comma-separated, wildcards allowed")
    add("--modes", default=None, help="comma-separated, wildcards allowed")
    add("--malloc", default=None, help="heap, mmap (default: both)")
    add("--rounds", type=int, default=None, help="visits of each pair (default 3)")
    add("--seconds", type=float, default=None, help="of sampling in each visit")
    add("--quick", action="store_true", help="fewer rows, one round: below 2 minutes")
    add(
        "--data",
        type=Path,
        default=os.environ.get("DATA") or None,
        help="folder of JSON files (default: $DATA, else generated documents)",
    )
    add("--out", type=Path, default=None, help="JSON file (default: bench/results/…)")
    add("--picture", type=Path, default=None, help="PNG file (default: beside --out)")
    add("--markdown", type=Path, help="put the tables between the marks of this file")
    add("--metric", choices=METRICS, default="cpu_min", help="what the tables show")
    add("--from", type=Path, dest="earlier", help="show this result, measure nothing")
    add("--compare", type=Path, help="show changes since this earlier result")
    add("--list", action="store_true", help="list workloads and modes")
    return parser.parse_args(arguments)


def _list(folder: Path) -> None:
    for workload in workloads.every(folder):
        print(f"{workload.name:16} {workload.about}")
    for mode in MODES:
        print(f"{mode.name:16} {mode.title}")


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


@dataclass(frozen=True)
class _Selection:
    """The names that the command line leaves."""

    peers: list[str]
    workloads: list[str]
    modes: list[str]
    states: list[str]


def _selection(
    options: argparse.Namespace, peers: Sequence[str], names: Sequence[str]
) -> _Selection:
    quick = options.quick
    quick_names = ",".join(name for name in QUICK_WORKLOADS if name in names)
    return _Selection(
        chosen_names(options.peers, peers, "library"),
        chosen_names(options.workloads or (quick_names if quick else "*"), names, "workload"),
        chosen_names(options.modes or (QUICK_MODES if quick else "*"), list(BY_NAME), "mode"),
        chosen_names(options.malloc or ("heap" if quick else "*"), list(STATES), "state"),
    )


def _available() -> list[str]:
    for peer in PEERS:
        if not installed(peer):
            print(f"{peer} is not installed: left out", file=sys.stderr)
    return [peer for peer in PEERS if installed(peer)]


def _measure(options: argparse.Namespace) -> results.Results:
    known = workloads.every(options.data)
    chosen = _selection(options, _available(), [workload.name for workload in known])
    rounds = options.rounds or (1 if options.quick else ROUNDS)
    seconds = options.seconds or (QUICK_SECONDS if options.quick else SECONDS)
    sizes = {work.name: len(work.compact) for work in known if work.name in chosen.workloads}
    records = [work.name for work in known if work.records]
    every = schedule.pairs(sizes, chosen.modes, chosen.peers, chosen.states, records)
    visits = schedule.in_turn(every, chosen.peers, rounds)
    settings = {"rounds": rounds, "seconds": seconds, "quick": options.quick}
    found = results.Results(results.describe(chosen.peers, settings))
    progress = Progress(len(visits))
    for done, pair in enumerate(visits, 1):
        found.add(pair, schedule.measure(pair, options.data, seconds))
        progress.show(done, f"{pair.mode} {pair.workload} {pair.peer}")
    # The tables follow the order of the schedule, whoever was visited first.
    found.rows = {pair: found.rows[pair] for pair in every}
    return found


def _recall(options: argparse.Namespace) -> results.Results:
    """Load an earlier result, reduced to what the command line chooses."""
    found = results.load(options.earlier)
    names = list(dict.fromkeys(pair.workload for pair in found.rows))
    chosen = _selection(options, found.peers(), names)
    found.rows = {
        pair: row
        for pair, row in found.rows.items()
        if pair.peer in chosen.peers
        and pair.workload in chosen.workloads
        and pair.mode in chosen.modes
        and pair.malloc in chosen.states
    }
    versions = found.about["versions"]
    found.about["versions"] = {peer: versions[peer] for peer in chosen.peers}
    return found


def _present(found: results.Results, options: argparse.Namespace) -> None:
    """Print the tables and write the Markdown that was asked for."""
    print(report.text(found, options.metric))
    if options.compare:
        earlier = results.load(options.compare)
        print(report.comparison(found, earlier, options.metric).text())
    if options.markdown:
        made = report.tables(found, options.metric)
        report.write_markdown(found.about, made, options.markdown)
        print(f"tables: {options.markdown}")


def _draw(found: results.Results, metric: str, path: Path) -> None:
    try:
        from bench.python.picture import draw
    except ImportError as error:
        print(f"no picture: {error}", file=sys.stderr)
        return
    draw(found, metric, path)
    print(f"picture: {path}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 1 if any library gave a wrong answer or none."""
    options = _arguments(arguments)
    if not options.earlier:
        options.data = workloads.documents(options.data)
    if options.list:
        _list(options.data)
        return 0
    if options.earlier:
        found, out = _recall(options), options.earlier
    else:
        stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
        out = options.out or RESULTS / f"{stamp}.json"
        found = _measure(options)
        found.save(out)
    _present(found, options)
    if not options.earlier:
        print(f"results: {out}")
    if options.picture or not options.earlier:
        _draw(found, options.metric, options.picture or out.with_suffix(".png"))
    return int(any("error" in row for row in found.rows.values()))


if __name__ == "__main__":
    sys.exit(main())
