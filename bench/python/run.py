"""The command line: measures, prints tables, writes JSON, a picture and Markdown."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.python import command, report, results, schedule, workloads
from bench.python.command import chosen_names
from bench.python.malloc import STATES
from bench.python.modes import BY_NAME, MODES
from bench.python.peers import PEERS, installed

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

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


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = command.parser(
        "python -m bench.python",
        "Measures JSON libraries for Python, each pair in its own process.",
    )
    add = parser.add_argument
    add("--workloads", default=None, help="comma-separated, wildcards allowed")
    add("--modes", default=None, help="comma-separated, wildcards allowed")
    add("--malloc", default=None, help="heap, mmap (default: both)")
    add("--quick", action="store_true", help="fewer rows, one round: below 2 minutes")
    add(
        "--data",
        type=Path,
        default=os.environ.get("DATA") or None,
        help="folder of JSON files (default: $DATA, else generated documents)",
    )
    add("--compare", type=Path, help="show changes since this earlier result")
    add("--list", action="store_true", help="list workloads and modes")
    return parser.parse_args(arguments)


def _list(folder: Path) -> None:
    for workload in workloads.every(folder):
        print(f"{workload.name:16} {workload.about}")
    for mode in MODES:
        print(f"{mode.name:16} {mode.title}")


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
    settings = command.settings(options, QUICK_SECONDS)
    sizes = {work.name: len(work.compact) for work in known if work.name in chosen.workloads}
    records = [work.name for work in known if work.records]
    every = schedule.pairs(sizes, chosen.modes, chosen.peers, chosen.states, records)
    found = results.Results(results.describe(chosen.peers, settings))
    command.visit(
        found,
        every,
        chosen.peers,
        lambda pair: schedule.measure(pair, options.data, settings["seconds"]),
    )
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
        found = _measure(options)
        out = command.saved(found, options)
    _present(found, options)
    command.draw("bench.python.picture", found, options, out)
    return command.status(found)


if __name__ == "__main__":
    sys.exit(main())
