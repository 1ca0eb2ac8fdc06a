"""The command line: measures, prints tables, writes JSON, a picture and Markdown."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from bench.python import command, report, results, schedule
from bench.python.command import chosen_names
from bench.python.fastapi.inputs import INPUTS, MODES
from bench.python.fastapi.peers import ORIGINAL, PEERS, answers
from bench.python.fastapi.tables import tables
from bench.python.peers import installed
from bench.python.schedule import Pair

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

QUICK_SECONDS = 0.05


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = command.parser(
        "python -m bench.python.fastapi",
        "Measures FastAPI's encoder and requests, each pair in its own process.",
    )
    add = parser.add_argument
    add("--inputs", default="*", help="comma-separated, wildcards allowed")
    add("--modes", default="*", help="tree, bytes, request")
    add("--quick", action="store_true", help="one short round")
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
    settings = command.settings(options, QUICK_SECONDS)
    # Pydantic decides what a model costs FastAPI, so its version is always told.
    told = list(dict.fromkeys([ORIGINAL, "pydantic", *peers]))
    found = results.Results(results.describe(told, settings))

    def answer(pair: Pair) -> dict[str, Any]:
        request = {
            "input": pair.workload,
            "mode": pair.mode,
            "peer": pair.peer,
            "seconds": settings["seconds"],
        }
        return schedule.answer_of("bench.python.fastapi.worker", request, pair.malloc)

    command.visit(found, every, peers, answer)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 1 if any peer gave a wrong answer or none."""
    options = _arguments(arguments)
    if options.list:
        _list()
        return 0
    if options.earlier:
        found, out = results.load(options.earlier), options.earlier
    else:
        found = _measure(options)
        out = command.saved(found, options, "fastapi-")
    made = tables(found, options.metric)
    print("\n".join([report.provenance(found.about) + "\n", *(one.text() for one in made)]))
    if options.markdown:
        report.write_markdown(found.about, made, options.markdown)
        print(f"tables: {options.markdown}")
    command.draw("bench.python.fastapi.picture", found, options, out)
    return command.status(found)


if __name__ == "__main__":
    sys.exit(main())
