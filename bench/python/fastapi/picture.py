"""The picture of a run: how many times as fast as FastAPI, on a logarithmic scale."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter

from bench.python.fastapi.inputs import MODES, Mode
from bench.python.fastapi.peers import CALLED, ORIGINAL
from bench.python.fastapi.tables import ratio, rows, times
from bench.python.picture import COLOURS, OTHER

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bench.python.results import Results


def _panel(axes: Axes, found: Results, mode: Mode, metric: str) -> None:
    every = rows(found, mode)
    peers = [peer for peer in CALLED[mode] if peer != ORIGINAL]
    height = 0.84 / len(peers)
    for row, cells in enumerate(every.values()):
        there = [peer for peer in peers if ratio(cells, peer, metric)]
        for place, peer in enumerate(there):
            many = ratio(cells, peer, metric) or 1.0
            at = row + (place - (len(there) - 1) / 2) * height
            axes.barh(at, many - 1, height, left=1, color=COLOURS.get(peer, OTHER))
            axes.text(many * 1.04, at, times(many), va="center", fontsize=7)
    for peer in peers:
        axes.barh(0, 0, color=COLOURS.get(peer, OTHER), label=CALLED[mode][peer])
    axes.set_xscale("log")
    best = max(ratio(cells, peer, metric) or 1 for cells in every.values() for peer in peers)
    axes.set_xlim(1, max(10, best * 3))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda many, _: f"{many:,.0f}x"))
    axes.set_yticks(range(len(every)), list(every))
    axes.set_ylim(len(every) - 0.5, -0.5)
    axes.set_title(MODES[mode], fontsize=10, loc="left")
    axes.tick_params(labelsize=9)
    axes.grid(axis="x", which="major", color="#d0d0d0", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.legend(fontsize=8, frameon=False, loc="lower right")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def draw(found: Results, metric: str, path: Path) -> None:
    """Write a PNG with a panel for each mode that was measured."""
    modes = [mode for mode in MODES if rows(found, mode)]
    deep = [0.42 * len(rows(found, mode)) + 1 for mode in modes]
    total = sum(deep) + 0.35
    figure, grid = plt.subplots(
        len(modes), 1, figsize=(9, total), squeeze=False, height_ratios=deep
    )
    for axes, mode in zip(grid[:, 0], modes, strict=True):
        _panel(axes, found, mode, metric)
    grid[-1, 0].set_xlabel("times as fast as FastAPI's own, log scale (longer is better)")
    about = found.about
    figure.text(
        0.5,
        1 - 0.2 / total,
        f"FastAPI {about['versions'][ORIGINAL]}, {about['python']}, "
        f"{about['machine']['processor']}, {about['date'][:10]}; {metric}",
        fontsize=9,
        ha="center",
        va="center",
    )
    figure.tight_layout(rect=(0, 0, 1, 1 - 0.35 / total))
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)
    plt.close(figure)
