"""Tables of a run, as plain text and as Markdown; wins and losses plainly marked."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bench.python.modes import BY_NAME, Mode
from bench.python.peers import ADAPTED, OURS
from bench.python.results import Results, best

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from bench.python.schedule import Pair

# Differences below this are called level: runs differ by as much.
LEVEL = 0.03
BEGIN, END = "<!-- tables: begin -->", "<!-- tables: end -->"


@dataclass
class Table:
    """Rows of cells under a title, with remarks below."""

    title: str
    header: list[str]
    rows: list[list[str]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def text(self) -> str:
        """Align the columns: the first to the left, the others to the right."""
        widths = [max(map(len, column)) for column in zip(self.header, *self.rows, strict=True)]
        lines = [self.title, _aligned(self.header, widths)]
        lines.append("  ".join("-" * width for width in widths))
        lines += [_aligned(row, widths) for row in self.rows]
        return "\n".join(line.rstrip() for line in lines + self.remarks) + "\n"

    def markdown(self) -> str:
        """Make a table with a heading; the best cell of a row is bold."""
        rules = ["---"] + ["--:"] * (len(self.header) - 1)
        lines = [f"### {self.title}", "", _piped(self.header), _piped(rules)]
        lines += [_piped([_bold(cell) for cell in row]) for row in self.rows]
        if self.remarks:
            lines += ["", *(f"- {remark}" for remark in self.remarks)]
        return "\n".join(lines) + "\n"


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    first = cells[0].ljust(widths[0])
    return "  ".join([first, *map(str.rjust, cells[1:], widths[1:])])


def _piped(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _bold(cell: str) -> str:
    if cell.startswith("*"):
        return f"**{cell[1:]}**"
    return f"**{cell}**" if cell.startswith(("win", "LOSS")) else cell


def duration(nanoseconds: float) -> str:
    """Show three significant digits with a unit."""
    value, unit = nanoseconds, "ns"
    for larger in ("us", "ms", "s"):
        if value < 999.5:
            break
        value, unit = value / 1000, larger
    digits = 0 if value >= 99.95 else 1 if value >= 9.995 else 2
    return f"{value:.{digits}f} {unit}"


def verdict(ours: float, theirs: float) -> str:
    """Say `win`, `level` or `LOSS`, and how many times as fast as theirs we are."""
    ratio = theirs / ours
    if abs(ratio - 1) <= LEVEL:
        return f"level {ratio:.2f}x"
    return f"{'win' if ratio > 1 else 'LOSS'} {ratio:.2f}x"


def _column(peer: str, mode: Mode) -> str:
    return peer + ADAPTED[mode.operation].get(peer, "")


def _geometric_mean(values: Sequence[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))


def _rows(results: Results, state: str, mode: str) -> dict[str, dict[str, Any]]:
    """Map workload to peer to row."""
    found: dict[str, dict[str, Any]] = {}
    for pair, row in results.rows.items():
        if (pair.malloc, pair.mode) == (state, mode):
            found.setdefault(pair.workload, {})[pair.peer] = row
    return found


def _times(cells: dict[str, dict[str, Any]], metric: str) -> dict[str, float]:
    return {peer: row[metric] for peer, row in cells.items() if metric in row}


def _failures(rows: dict[str, dict[str, Any]]) -> list[str]:
    return [
        f"{peer} on {workload}: {row['error']}"
        for workload, cells in rows.items()
        for peer, row in cells.items()
        if "error" in row
    ]


def _time_cells(
    times: dict[str, float], peers: Sequence[str], cells: dict[str, dict[str, Any]]
) -> list[str]:
    """Make a cell for each peer: the time and how many times the best it is."""
    least = min(times.values(), default=math.inf)
    made = []
    for peer in peers:
        if peer in times:
            mark = "*" if times[peer] == least else ""
            made.append(f"{mark}{duration(times[peer])} {times[peer] / least:.2f}")
        else:
            made.append("fails" if peer in cells else "-")
    return made


def _standing(times: dict[str, float]) -> list[str]:
    """Say how we stand to orjson and to the best of the others."""
    others = [time for peer, time in times.items() if peer != OURS]
    ours = times.get(OURS)
    to_orjson = verdict(ours, times["orjson"]) if ours and "orjson" in times else "-"
    return [to_orjson, verdict(ours, min(others)) if ours and others else "-"]


def _mean_row(rows: Sequence[dict[str, float]], peers: Sequence[str]) -> list[str]:
    """Average each peer's ratios to the best, where all have one."""
    whole = [times for times in rows if all(peer in times for peer in peers)]
    if len(whole) < 2:
        return []
    ratios = [
        _geometric_mean([times[peer] / min(times.values()) for times in whole]) for peer in peers
    ]
    return ["geometric mean", *(f"{ratio:.2f}" for ratio in ratios)]


def timing_table(results: Results, state: str, mode: str, metric: str) -> Table:
    """Tabulate the times of one mode: a row for each workload, a column for each peer."""
    peers = results.peers()
    about = BY_NAME[mode]
    ours = [f"{OURS} to orjson", "to the best other"] if OURS in peers else []
    header = ["workload", *(_column(peer, about) for peer in peers), *ours]
    table = Table(f"{about.title} ({state} malloc)", [*header, "memcpy", "best / memcpy"])
    rows = _rows(results, state, mode)
    every = []
    for workload, cells in rows.items():
        times = _times(cells, metric)
        every.append(times)
        row = [workload, *_time_cells(times, peers, cells)]
        row += _standing(times) if ours else []
        copy = best(cells.values(), "memcpy")
        row.append(duration(copy) if copy else "-")
        row.append(f"{min(times.values()) / copy:.2f}" if copy and times else "-")
        table.rows.append(row)
    mean = _mean_row(every, peers)
    if mean:
        table.rows.append(mean + [""] * (len(table.header) - len(mean)))
    table.remarks = _failures(rows)
    return table


def _megabytes(size: float) -> str:
    return f"{size / 1e6:.2f}"


def memory_table(results: Results, state: str, mode: str) -> Table:
    """Tabulate peak and retained memory: a row for each document, a column for each peer."""
    peers = results.peers()
    title = f"{BY_NAME[mode].title}, MB: peak / still held once the result is gone"
    header = [_column(peer, BY_NAME[mode]) for peer in peers]
    table = Table(title, ["workload", "text", *header])
    rows = _rows(results, state, mode)
    for workload, cells in rows.items():
        size = next((row["bytes"] for row in cells.values() if "bytes" in row), 0)
        peaks = _times(cells, "peak")
        row = [workload, _megabytes(size)]
        for peer in peers:
            if peer not in peaks:
                row.append("fails" if peer in cells else "-")
                continue
            mark = "*" if peaks[peer] == min(peaks.values()) else ""
            held = _megabytes(cells[peer]["retained"])
            row.append(f"{mark}{_megabytes(peaks[peer])} / {held}")
        table.rows.append(row)
    table.remarks = _failures(rows)
    return table


def tables(results: Results, metric: str) -> list[Table]:
    """Make every table of a run."""
    return [
        memory_table(results, state, mode)
        if BY_NAME[mode].memory
        else timing_table(results, state, mode, metric)
        for state, mode in results.tables()
    ]


def _against(
    results: Results, metric: str, theirs: Callable[[dict[str, float]], float | None]
) -> str:
    counts = {"win": 0, "level": 0, "LOSS": 0}
    lost = []
    for state, mode in results.tables():
        for workload, cells in _rows(results, state, mode).items():
            times = _times(cells, metric)
            other = theirs(times)
            if OURS not in times or other is None:
                continue
            word, ratio = verdict(times[OURS], other).split()
            counts[word] += 1
            if word == "LOSS":
                lost.append(f"  {mode} {workload} ({state}) {ratio}")
    text = f"{counts['win']} wins, {counts['level']} level, {counts['LOSS']} losses"
    return "\n".join([text, *lost])


def summary(results: Results, metric: str) -> str:
    """Count our wins and losses over all tables; name each loss."""
    if OURS not in results.peers():
        return f"{OURS} was not measured.\n"

    def best_other(times: dict[str, float]) -> float | None:
        return min((t for peer, t in times.items() if peer != OURS), default=None)

    to_orjson = _against(results, metric, lambda times: times.get("orjson"))
    to_best = _against(results, metric, best_other)
    return f"{OURS} to orjson: {to_orjson}\n{OURS} to the best other: {to_best}\n"


def provenance(about: dict[str, Any]) -> str:
    """Say where the figures come from, in one paragraph."""
    machine, rounds = about["machine"], about["settings"]["rounds"]
    versions = ", ".join(f"{name} {number}" for name, number in about["versions"].items())
    return (
        f"{about['date']}, revision {about['revision']}, {about['python']}, {versions}; "
        f"{machine['processor']}, {machine['cores']} cores, {machine['system']}, "
        f"{machine['libc']}, load {machine['load']} at the start; "
        f"{rounds} round{'s' if rounds > 1 else ''}."
    )


def comparison(new: Results, old: Results, metric: str) -> Table:
    """Tabulate what changed in our rows, and how much the others moved."""
    table = Table("changes since the earlier run", ["row", "before", "now", "speed"])
    drift = []
    for pair, row in new.rows.items():
        earlier = old.rows.get(pair, {})
        if metric not in row or metric not in earlier:
            continue
        ratio = earlier[metric] / row[metric]
        if pair.peer != OURS:
            drift.append(ratio)
            continue
        word = "" if abs(ratio - 1) <= LEVEL else "faster " if ratio > 1 else "SLOWER "
        before, now = duration(earlier[metric]), duration(row[metric])
        table.rows.append([_label(pair), before, now, f"{word}{ratio:.2f}x"])
    if drift:
        mean = _geometric_mean(drift)
        table.remarks.append(f"the other libraries moved by {mean:.2f}x (the machine)")
    return table


def _label(pair: Pair) -> str:
    return f"{pair.mode} {pair.workload} ({pair.malloc})"


def text(results: Results, metric: str) -> str:
    """Make everything that is printed after a run."""
    parts = [table.text() for table in tables(results, metric)]
    for pair in results.unpinned():
        seen = ", ".join(results.rows[pair]["malloc_seen"])
        parts.append(f"malloc was not pinned: {_label(pair)}, {pair.peer}: {seen}\n")
    return "\n".join([provenance(results.about) + "\n", *parts, summary(results, metric)])


def write_markdown(about: dict[str, Any], made: Sequence[Table], path: Path) -> None:
    """Put tables between the marks of a file, or make a file of them."""
    text = "\n".join(table.markdown() for table in made)
    block = f"{BEGIN}\n{provenance(about)}\n\n{text}{END}"
    content = path.read_text() if path.exists() else f"{BEGIN}\n{END}\n"
    if BEGIN not in content or END not in content:
        raise ValueError(f"{path}: no {BEGIN} and {END} to put the tables between")
    before, rest = content.split(BEGIN, 1)
    path.write_text(before + block + rest.split(END, 1)[1])
