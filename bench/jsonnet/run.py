"""The command line: whole processes in turn, their CPU time and peak memory."""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import datetime
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.jsonnet import answers, peers, rows
from bench.python.report import Table, duration, verdict
from bench.python.results import machine

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).resolve().parent
RESULTS = rows.ROOT / "bench" / "results"
BEGIN, END = "<!-- tables: begin -->", "<!-- tables: end -->"
# A peer that is slower than this is asked only once.
SLOW_NS = 3_000_000_000
LIMIT_SECONDS = 60
# Rows below this are about the start of a process, not about Jsonnet.
START_NS = 10_000_000


class Launcher:
    """The process that starts the measured ones."""

    def __init__(self) -> None:
        command = [sys.executable, "-I", "-S", str(HERE / "launcher.py")]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def run(self, row: rows.Row, command: list[str], output: Path) -> dict[str, int]:
        """Run a command once; return what was counted."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        words = [str(LIMIT_SECONDS), str(row.folder), str(output), *command, *row.arguments()]
        print("\0".join(words), file=self.process.stdin, flush=True)
        status, cpu, memory, wall = map(int, self.process.stdout.readline().split())
        return {"status": status, "cpu": cpu, "memory": memory, "wall": wall}


@dataclass
class Found:
    """The figures of a run: row, then peer."""

    about: dict[str, Any]
    rows: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)

    def save(self, path: Path) -> None:
        """Write JSON."""
        path.parent.mkdir(parents=True, exist_ok=True)
        content = {"about": self.about, "rows": self.rows}
        path.write_text(json.dumps(content, indent=1) + "\n")


def load(path: Path) -> Found:
    """Read what `save` wrote."""
    content = json.loads(path.read_text())
    return Found(content["about"], content["rows"])


def first_runs(launcher: Launcher, row: rows.Row, commands: dict[str, list[str]]) -> dict[str, Any]:
    """Run every peer once and hold its answer against the first peer's."""
    cells: dict[str, dict[str, Any]] = {}
    outputs: dict[str, Path] = {}
    for name, command in commands.items():
        output = rows.DATA / f"output-{name}"
        found: dict[str, Any] = launcher.run(row, command, output)
        status = found.pop("status")
        cells[name] = {"error": f"status {status}"} if status else found
        if not status:
            outputs[name] = output
    reference = next(iter(outputs.values()), None)
    for name, output in outputs.items():
        assert reference is not None
        cells[name]["bytes"] = output.stat().st_size
        cells[name]["answer"] = answers.compare(row, reference, output)
    return cells


def measure(
    chosen: Sequence[rows.Row], commands: dict[str, list[str]], rounds: int, found: Found
) -> None:
    """Fill in the figures, the peers in turn."""
    launcher = Launcher()
    for row in chosen:
        print(f"{row.name}: {row.about}", file=sys.stderr, flush=True)
        cells = first_runs(launcher, row, commands)
        for _ in range(rounds - 1):
            for name, cell in cells.items():
                if "error" in cell or cell["cpu"] > SLOW_NS:
                    continue
                again = launcher.run(row, commands[name], rows.DATA / "output-again")
                for figure in ("cpu", "wall", "memory"):
                    cell[figure] = min(cell[figure], again[figure])
        found.rows[row.name] = cells


def _cell(cell: dict[str, Any], least: float, figure: str) -> str:
    if "error" in cell:
        return cell["error"].replace("status -9", f"over {LIMIT_SECONDS} s")
    value = cell[figure]
    shown = duration(value) if figure == "cpu" else f"{value / 1e6:.0f} MB"
    marks = {"same": "", "spelled": "'", "different": " differs"}
    return ("*" if value == least else "") + shown + marks[cell["answer"]]


def table(found: Found, figure: str, title: str) -> Table:
    """Make the table of CPU time or of memory."""
    names = list(found.about["versions"])
    about = {row.name: row for row in rows.ROWS}
    made = Table(title, ["program", *names, "ours to the best", "goal"])
    ratios = []
    for name, cells in found.rows.items():
        usable = {peer: cell[figure] for peer, cell in cells.items() if "error" not in cell}
        least = min(usable.values(), default=0)
        others = [value for peer, value in usable.items() if peer != peers.OURS]
        ours = usable.get(peers.OURS)
        shown = "-"
        if ours and others:
            shown = verdict(ours, min(others))
            if min(others) > START_NS:
                ratios.append(min(others) / ours)
        goal = f"{about[name].goal:g}x" if figure == "cpu" and name in about else ""
        cells_shown = [
            _cell(cells[peer], least, figure) if peer in cells else "-" for peer in names
        ]
        made.rows.append([name, *cells_shown, shown, goal])
    if ratios and figure == "cpu":
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        made.remarks.append(f"geometric mean over rows above 10 ms: {mean:.2f}x the best other")
    made.remarks.append("': same values, other bytes than the first column's")
    return made


def write_markdown(made: Sequence[Table], path: Path) -> None:
    """Put the tables between the marks of a file."""
    text = path.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    tables = "\n".join(one.markdown() for one in made)
    path.write_text(f"{before}{BEGIN}\n{tables}{END}{after}", encoding="utf-8")


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.jsonnet",
        description="Measures implementations of Jsonnet, each program in its own process.",
    )
    add = parser.add_argument
    add("--rows", default="*", help="comma-separated, wildcards allowed")
    add("--peers", default="*", help="comma-separated, wildcards allowed")
    add("--rounds", type=int, default=7, help="runs of each pair (default 7)")
    add("--out", type=Path, default=None, help="JSON file (default: bench/results/…)")
    add("--picture", type=Path, default=None, help="PNG file (default: beside --out)")
    add("--markdown", type=Path, help="put the tables between the marks of this file")
    add("--from", type=Path, dest="earlier", help="show this result, measure nothing")
    add("--no-install", action="store_true", help="take only peers that are there")
    add("--list", action="store_true", help="list the rows")
    return parser.parse_args(arguments)


def _chosen(patterns: str, name: str) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns.split(","))


def _measured(options: argparse.Namespace) -> Found:
    if not options.no_install:
        peers.install()
    rows.prepare()
    commands = {
        name: command
        for name, command in peers.commands().items()
        if name == peers.OURS or _chosen(options.peers, name)
    }
    versions = {name: peers.version(name, command) for name, command in commands.items()}
    now = datetime.now().astimezone().isoformat(timespec="seconds")
    found = Found({"date": now, "machine": machine(), "versions": versions})
    chosen = [row for row in rows.ROWS if _chosen(options.rows, row.name)]
    measure(chosen, commands, options.rounds, found)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 1 if an answer of ours was wrong."""
    options = _arguments(arguments)
    if options.list:
        for row in rows.ROWS:
            print(f"{row.name:20} {row.about}")
        return 0
    found = load(options.earlier) if options.earlier else _measured(options)
    made = [
        table(found, "cpu", "CPU time of the whole process"),
        table(found, "memory", "Peak memory"),
    ]
    print("\n".join(one.text() for one in made))
    if options.markdown:
        write_markdown(made, options.markdown)
    out = options.earlier or options.out or RESULTS / f"{datetime.now():%Y%m%d-%H%M%S}.json"
    if not options.earlier:
        found.save(out)
        print(f"results: {out}")
    if options.picture or not options.earlier:
        draw(found, options.picture or out.with_suffix(".png"))
    return int(any(map(wrong, found.rows.values())))


def wrong(cells: dict[str, dict[str, Any]]) -> bool:
    """Say whether we failed on a row, or go-jsonnet's answer is a different one.

    Others differ here and there; the tables say so.
    """
    ours, reference = (cells.get(name, {}) for name in (peers.OURS, peers.REFERENCE))
    return "error" in ours or reference.get("answer") == "different"


def draw(found: Found, path: Path) -> None:
    """Draw the picture, if matplotlib is there."""
    try:
        from bench.jsonnet.picture import draw as drawn
    except ImportError as error:
        print(f"no picture: {error}", file=sys.stderr)
        return
    drawn(found, path)
    print(f"picture: {path}")
