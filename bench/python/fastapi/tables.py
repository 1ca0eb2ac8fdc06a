"""Tables of a run: a row for each input, FastAPI's ratio to each peer in the cells."""

from __future__ import annotations

from typing import Any

from bench.python.fastapi.inputs import BY_NAME, MODES, Goal, Mode
from bench.python.fastapi.peers import CALLED, ORIGINAL
from bench.python.peers import OURS
from bench.python.report import Table, duration
from bench.python.results import Results

Cells = dict[str, dict[str, Any]]


def rows(found: Results, mode: str) -> dict[str, Cells]:
    """Map input to peer to row."""
    made: dict[str, Cells] = {}
    for pair, row in found.rows.items():
        if pair.mode == mode:
            made.setdefault(pair.workload, {})[pair.peer] = row
    return made


def ratio(cells: Cells, peer: str, metric: str) -> float | None:
    """Say how many times as fast as FastAPI a peer is, where both have a time."""
    if metric in cells.get(peer, {}) and metric in cells.get(ORIGINAL, {}):
        return float(cells[ORIGINAL][metric] / cells[peer][metric])
    return None


def times(many: float) -> str:
    """Show a ratio to two or three digits."""
    return f"{many:.0f}x" if many >= 20 else f"{many:.1f}x" if many >= 3 else f"{many:.2f}x"


def _cell(cells: Cells, peer: str, metric: str) -> str:
    row = cells.get(peer, {})
    if metric not in row:
        return "fails" if row else "-"
    many = ratio(cells, peer, metric)
    shown = duration(row[metric])
    return shown if peer == ORIGINAL or many is None else f"{shown} ({times(many)})"


def _standing(cells: Cells, goal: Goal | None, metric: str) -> str:
    many = ratio(cells, OURS, metric)
    if goal is None or many is None:
        return "-"
    limit = f"{goal.times:g}x" if goal.times else duration(goal.within or 0)
    reached = goal.reached(cells[OURS][metric], cells[ORIGINAL][metric])
    return f"{'reached' if reached else 'below'} ({limit})"


def _failures(found: dict[str, Cells]) -> list[str]:
    return [
        f"{peer} on {name}: {row['error']}"
        for name, cells in found.items()
        for peer, row in cells.items()
        if "error" in row
    ]


def _table(found: Results, mode: Mode, metric: str) -> Table:
    every = rows(found, mode)
    measured = {peer for cells in every.values() for peer in cells}
    peers = [peer for peer in CALLED[mode] if peer in measured]
    table = Table(MODES[mode], ["input", *(CALLED[mode][peer] for peer in peers), "goal"])
    for name, cells in every.items():
        goal = BY_NAME[name].goals.get(mode)
        row = [_cell(cells, peer, metric) for peer in peers]
        table.rows.append([name, *row, _standing(cells, goal, metric)])
    table.remarks = _failures(every)
    return table


def tables(found: Results, metric: str) -> list[Table]:
    """Make the table of each mode that was measured."""
    measured = {pair.mode for pair in found.rows}
    return [_table(found, mode, metric) for mode in MODES if mode in measured]
