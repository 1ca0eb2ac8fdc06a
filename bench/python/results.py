"""What a run found: the rounds brought together, with everything about the machine.

Each pair's figure is the minimum over the rounds (for a median: the least
median, that of the quietest round). A pair that failed in any round is a
failure: a wrong answer has no time.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.python.peers import version
from bench.python.schedule import ROOT, Pair

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FORMAT = 1
_LEAST = (
    "cpu_min",
    "cpu_median",
    "wall_min",
    "wall_median",
    "memcpy",
    "peak",
    "with_result",
    "retained",
)
_SUMMED = ("samples", "calls")


@dataclass
class Results:
    """The rows of one run and where they come from."""

    about: dict[str, Any]
    rows: dict[Pair, dict[str, Any]] = field(default_factory=dict)

    def add(self, pair: Pair, answer: dict[str, Any]) -> None:
        """Bring one visit together with the earlier ones of the same pair."""
        row = self.rows.setdefault(pair, {"rounds": 0})
        row["rounds"] += 1
        if "error" in answer or "error" in row:
            error = row.get("error", answer.get("error"))
            self.rows[pair] = {"rounds": row["rounds"], "error": error}
            return
        for name in _LEAST:
            if name in answer:
                row[name] = min(answer[name], row.get(name, answer[name]))
        for name in _SUMMED:
            if name in answer:
                row[name] = answer[name] + row.get(name, 0)
        row["bytes"] = answer["bytes"]
        if "malloc" in answer:
            seen = row.setdefault("malloc_seen", [])
            if answer["malloc"] not in seen:
                seen.append(answer["malloc"])

    def unpinned(self) -> list[Pair]:
        """List the pairs for which malloc was not in the state that was asked for."""
        return [
            pair
            for pair, row in self.rows.items()
            if row.get("malloc_seen", [pair.malloc]) != [pair.malloc]
        ]

    def workloads(self, state: str, mode: str) -> list[str]:
        """List the workloads of one table, in order of measuring."""
        found = (pair.workload for pair in self.rows if (pair.malloc, pair.mode) == (state, mode))
        return list(dict.fromkeys(found))

    def tables(self) -> list[tuple[str, str]]:
        """List every (state of malloc, mode) that was measured, in order."""
        return list(dict.fromkeys((pair.malloc, pair.mode) for pair in self.rows))

    def peers(self) -> list[str]:
        """List the libraries that were measured, in the order of the columns."""
        return list(self.about["versions"])

    def save(self, path: Path) -> None:
        """Write JSON, one row on each line."""
        path.parent.mkdir(parents=True, exist_ok=True)
        head = json.dumps({"format": FORMAT, "about": self.about}, indent=1)
        rows = ",\n".join(
            json.dumps(pair._asdict() | row, sort_keys=True) for pair, row in self.rows.items()
        )
        path.write_text(f'{head[:-2]},\n "rows": [\n{rows}\n]}}\n')


def load(path: Path) -> Results:
    """Read what `save` wrote."""
    content = json.loads(path.read_text())
    if content.get("format") != FORMAT:
        raise ValueError(f"{path}: not a result of this benchmark (format {FORMAT})")
    results = Results(content["about"])
    for row in content["rows"]:
        pair = Pair(*(row.pop(name) for name in Pair._fields))
        results.rows[pair] = row
    return results


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = [line.split(":", 1)[1] for line in lines if line.startswith("model name")]
    return names[0].strip() if names else platform.machine()


def _revision() -> str:
    """Name the commit that is checked out, marked where the tree differs from it."""
    try:
        return subprocess.run(
            ["git", "describe", "--always", "--dirty"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def machine() -> dict[str, Any]:
    """Describe the machine."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "libc": " ".join(platform.libc_ver()),
        "load": round(os.getloadavg()[0], 2),
    }


def describe(peers: Sequence[str], settings: dict[str, Any]) -> dict[str, Any]:
    """Describe the machine, the versions and the date, for the record."""
    now = datetime.now(timezone.utc)
    return {
        "date": now.isoformat(timespec="seconds"),
        "revision": _revision(),
        "machine": machine(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "versions": {peer: version(peer) for peer in peers},
        "settings": settings,
    }


def best(rows: Iterable[dict[str, Any]], metric: str) -> float | None:
    """Return the least value of a metric among rows that have one."""
    return min((row[metric] for row in rows if metric in row), default=None)
