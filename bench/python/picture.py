"""The picture of a run: bars per workload on a logarithmic scale, by mode."""

from __future__ import annotations

import math

import matplotlib as mpl

mpl.use("Agg")

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter

from bench.python.modes import BY_NAME
from bench.python.peers import OURS
from bench.python.schedule import Pair

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes

    from bench.python.results import Results

# The modes that are drawn, as far as they were measured.
_DRAWN = ("encode-fresh", "dumps-fresh", "encode-repeated", "loads-bytes")
COLOURS = {
    OURS: "#d7301f",
    "orjson": "#2b6ca3",
    "ssrjson": "#7fb3d8",
    "msgspec": "#5aa469",
    "ujson": "#c9a227",
    "json": "#9a9a9a",
}
OTHER = "#6a51a3"


def _throughputs(found: Results, pair: tuple[str, str], metric: str, peer: str) -> list[float]:
    """Return MB/s of JSON text for each workload; not a number where there is none."""
    state, mode = pair
    speeds = []
    for workload in found.workloads(state, mode):
        row = found.rows.get(Pair(state, mode, workload, peer), {})
        known = metric in row
        speeds.append(row["bytes"] / row[metric] * 1000 if known else math.nan)
    return speeds


def _panel(axes: Axes, found: Results, pair: tuple[str, str], metric: str) -> None:
    names = found.workloads(*pair)
    peers = found.peers()
    height = 0.84 / len(peers)
    for place, peer in enumerate(peers):
        offset = (place - (len(peers) - 1) / 2) * height
        axes.barh(
            [row + offset for row in range(len(names))],
            _throughputs(found, pair, metric, peer),
            height,
            color=COLOURS.get(peer, OTHER),
            label=f"{peer} {found.about['versions'][peer]}",
        )
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda speed, _: f"{speed:,.0f}"))
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_title(BY_NAME[pair[1]].title, fontsize=11, loc="left")
    axes.set_xlabel("MB/s of JSON text, log scale (longer is better)", fontsize=9)
    axes.tick_params(labelsize=9)
    axes.grid(axis="x", which="major", color="#d0d0d0", linewidth=0.6)
    axes.set_axisbelow(True)
    for line in range(1, len(names)):
        axes.axhline(line - 0.5, color="#ececec", linewidth=0.6)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def draw(found: Results, metric: str, path: Path) -> None:
    """Write a PNG with a panel for each mode that is worth a picture."""
    timed = [pair for pair in found.tables() if not BY_NAME[pair[1]].memory]
    state = timed[0][0] if timed else ""
    shown = [(state, mode) for mode in _DRAWN if (state, mode) in timed] or timed[:4]
    if not shown:
        return
    rows = max(len(found.workloads(*pair)) for pair in shown)
    deep = math.ceil(len(shown) / 2)
    wide = min(2, len(shown))
    inches = max(3.5, 0.62 * rows)
    total = inches * deep + 0.7
    figure, grid = plt.subplots(deep, wide, figsize=(6.5 * wide, total), squeeze=False)
    panels = [axes for line in grid for axes in line]
    for axes, pair in zip(panels, shown, strict=False):
        _panel(axes, found, pair, metric)
    for axes in panels[len(shown) :]:
        axes.set_visible(False)
    about = found.about
    handles, labels = panels[0].get_legend_handles_labels()
    processor, day = about["machine"]["processor"], about["date"][:10]
    origin = f"{about['python']}, {processor}, {day}; {metric}, {state} malloc"
    figure.text(0.5, 1 - 0.2 / total, origin, fontsize=9, ha="center", va="center")
    figure.legend(
        handles,
        labels,
        loc="center",
        ncols=len(labels),
        fontsize=9,
        frameon=False,
        bbox_to_anchor=(0.5, 1 - 0.5 / total),
    )
    figure.tight_layout(rect=(0, 0, 1, 1 - 0.7 / total))
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)
    plt.close(figure)
