"""The command line: measures, prints tables, writes JSON, a picture and Markdown."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from bench.python import report, results, schedule
from bench.python.fastapi.inputs import INPUTS, MODES
from bench.python.fastapi.peers import ORIGINAL, PEERS, answers
from bench.python.fastapi.tables import tables
from bench.python.peers import installed
from bench.python.run import METRICS, RESULTS, ROUNDS, SECONDS, Progress, chosen_names
from bench.python.schedule import Pair

QUICK_SECONDS = 0.05


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.python.fastapi",
        description="Measures FastAPI's encoder and requests, each pair in its own process.",
    )
    add = parser.add_argument
    add("--peers", default="*", help="comma-separated, wildcards allowed")
    add("--inputs", default="*", help="comma-separated, wildcards allowed")
    add("--modes", default="*", help="tree, bytes, request")
    add("--rounds", type=int, default=None, help=f"visits of each pair (default {ROUNDS})")
    add("--seconds", type=float, default=None, help="of sampling in each visit")
    add("--quick", action="store_true", help="one short round")
    add("--out", type=Path, default=None, help="JSON file (default: bench/results/…)")
    add("--picture", type=Path, default=None, help="PNG file (default: beside --out)")
    add("--markdown", type=Path, help="put the tables between the marks of this file")
    add("--metric", choices=METRICS, default="cpu_min", help="what the tables show")
    add("--from", type=Path, dest="earlier", help="show this result, measure nothing")
    add("--list", action="store_true", help="list inputs and modes")
    return parser.parse_args(arguments)


def _list() -> None:
    for one in INPUTS:
        print(f"{one.name:20} {one.about}")
    for mode, title in MODES.items():
        print(f"{mode:20} {title}")


def _pairs(options: argparse.Namespace) -> list[Pair]:
    peers = chosen_names(options.peers, PEERS, "peer")
    names = chosen_names(options.inputs, [one.name for one in INPUTS], "input")
    modes = chosen_names(options.modes, list(MODES), "mode")
    for peer in peers:
        if not installed(peer):
            print(f"{peer} is not installed: left out", file=sys.stderr)
    return [
        Pair("heap", mode, one.name, peer)
        for mode in MODES
        for one in INPUTS
        for peer in peers
        if mode in modes and one.name in names and mode in one.modes
        if answers(one, mode, peer) and installed(peer)
    ]


def _measure(options: argparse.Namespace) -> results.Results:
    every = _pairs(options)
    peers = [peer for peer in PEERS if any(pair.peer == peer for pair in every)]
    rounds = options.rounds or (1 if options.quick else ROUNDS)
    seconds = options.seconds or (QUICK_SECONDS if options.quick else SECONDS)
    settings = {"rounds": rounds, "seconds": seconds, "quick": options.quick}
    # Pydantic decides what a model costs FastAPI, so its version is always told.
    told = list(dict.fromkeys([ORIGINAL, "pydantic", *peers]))
    found = results.Results(results.describe(told, settings))
    visits = schedule.in_turn(every, peers, rounds)
    progress = Progress(len(visits))
    for done, pair in enumerate(visits, 1):
        request = {
            "input": pair.workload,
            "mode": pair.mode,
            "peer": pair.peer,
            "seconds": seconds,
        }
        answer = schedule.answer_of("bench.python.fastapi.worker", request, pair.malloc)
        found.add(pair, answer)
        progress.show(done, f"{pair.mode} {pair.workload} {pair.peer}")
    found.rows = {pair: found.rows[pair] for pair in every}
    return found


def _draw(found: results.Results, metric: str, path: Path) -> None:
    try:
        from bench.python.fastapi.picture import draw
    except ImportError as error:
        print(f"no picture: {error}", file=sys.stderr)
        return
    draw(found, metric, path)
    print(f"picture: {path}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 1 if any peer gave a wrong answer or none."""
    options = _arguments(arguments)
    if options.list:
        _list()
        return 0
    if options.earlier:
        found, out = results.load(options.earlier), options.earlier
    else:
        stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
        out = options.out or RESULTS / f"fastapi-{stamp}.json"
        found = _measure(options)
        found.save(out)
        print(f"results: {out}")
    made = tables(found, options.metric)
    print("\n".join([report.provenance(found.about) + "\n", *(one.text() for one in made)]))
    if options.markdown:
        report.write_markdown(found.about, made, options.markdown)
        print(f"tables: {options.markdown}")
    if options.picture or not options.earlier:
        _draw(found, options.metric, options.picture or out.with_suffix(".png"))
    return int(any("error" in row for row in found.rows.values()))


if __name__ == "__main__":
    sys.exit(main())
