"""The picture of a run: CPU time of every program, as multiples of the fastest."""

from __future__ import annotations

import matplotlib as mpl

mpl.use("Agg")

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter

from bench.jsonnet.peers import OURS

if TYPE_CHECKING:
    from pathlib import Path

    from bench.jsonnet.run import Found

COLOURS = {
    OURS: "#d7301f",
    "jrsonnet": "#2b6ca3",
    "rsjsonnet": "#5aa469",
    "go-jsonnet": "#9a9a9a",
}
OTHER = "#6a51a3"


def draw(found: Found, path: Path) -> None:
    """Write a PNG with bars for each row on a logarithmic scale."""
    names = list(found.rows)
    peers = list(found.about["versions"])
    height = 0.84 / len(peers)
    figure, axes = plt.subplots(figsize=(9, max(3.5, 0.5 * len(names))))
    for place, peer in enumerate(peers):
        offset = (place - (len(peers) - 1) / 2) * height
        times = [found.rows[name].get(peer, {}).get("cpu", 0) / 1e6 for name in names]
        axes.barh(
            [row + offset for row in range(len(names))],
            times,
            height,
            color=COLOURS.get(peer, OTHER),
            label=f"{peer} {found.about['versions'][peer]}",
        )
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlabel("ms of CPU time, whole process, log scale (shorter is better)", fontsize=9)
    axes.set_title(
        f"{found.about['machine']['processor']}, {found.about['date'][:10]}", fontsize=9, loc="left"
    )
    axes.tick_params(labelsize=9)
    axes.grid(axis="x", which="major", color="#d0d0d0", linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.legend(fontsize=9, frameon=False, loc="lower right")
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)
    plt.close(figure)
