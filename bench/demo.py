"""The main job of `make demo`: real documents, every answer checked, a table.

Each library works in a process of its own: in a shared one, libraries read the
UTF-8 copies that others left inside the strings. A process takes the documents
one after the other; it checks the library's answers against `json`, then times
encoding to bytes and decoding from bytes. Each encoding gets objects that were
never encoded before, as in a server: some libraries leave a UTF-8 copy in every
string and are quick the second time. A wrong answer of Linecaster fails
the demo; one of another library is marked in the table.

    python -m bench.demo FILE.json …
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

OURS = "linecaster"
LIBRARIES = (OURS, "json", "ujson", "orjson", "msgspec", "ssrjson")
SECONDS_EACH = 0.2
LEAST_RUNS = 3
COMPACT = (",", ":")


@dataclass
class Answer:
    """What one library did with one document."""

    library: str
    document: str
    checked: int
    differs: str
    encoded_bytes: int
    encode_seconds: float
    text_bytes: int
    loads_seconds: float


def load_library(name: str) -> tuple[Callable[[Any], bytes], Callable[[bytes], Any]]:
    """Import a library; return how it encodes to compact bytes and how it decodes."""
    if name == OURS:
        import linecaster

        return linecaster.encode, linecaster.loads
    if name == "json":
        encoder = json.JSONEncoder(ensure_ascii=False, separators=COMPACT)
        return lambda value: encoder.encode(value).encode(), json.loads
    if name == "ujson":
        import ujson

        return (
            lambda value: ujson.dumps(
                value, ensure_ascii=False, escape_forward_slashes=False
            ).encode(),
            ujson.loads,
        )
    if name == "orjson":
        import orjson

        return orjson.dumps, orjson.loads
    if name == "msgspec":
        import msgspec

        return msgspec.json.Encoder().encode, msgspec.json.Decoder().decode
    import ssrjson

    return ssrjson.dumps_to_bytes, ssrjson.loads


def difference(ours: Any, theirs: Any) -> str:
    """Say where two values part, types and order of keys included, or say nothing."""
    pairs = [("$", ours, theirs)]
    while pairs:
        path, left, right = pairs.pop()
        if type(left) is not type(right):
            return f"{path}: {type(left).__name__} is not {type(right).__name__}"
        if isinstance(left, dict):
            if list(left) != list(right):
                return f"{path}: other keys"
            pairs += [(f"{path}.{key}", value, right[key]) for key, value in left.items()]
        elif isinstance(left, list):
            if len(left) != len(right):
                return f"{path}: other length"
            pairs += [
                (f"{path}[{n}]", *pair) for n, pair in enumerate(zip(left, right, strict=True))
            ]
        elif isinstance(left, float):
            if left != right or math.copysign(1, left) != math.copysign(1, right):
                return f"{path}: {left!r} is not {right!r}"
        elif left != right:
            return f"{path}: {left!r:.60} is not {right!r:.60}"
    return ""


def checks_of_linecaster(text: bytes, value: Any) -> Iterator[tuple[str, bool]]:
    """Hold every door of Linecaster against what `json` answers, byte for byte."""
    import linecaster

    for ascii_only in (True, False):
        for separators in (COMPACT, (", ", ": "), (" ,", " :")):
            options: dict[str, Any] = {"ensure_ascii": ascii_only, "separators": separators}
            for layout in ({}, {"indent": 2}, {"indent": "\t", "sort_keys": True}):
                expected = json.dumps(value, **options, **layout)
                name = f"dumps({options | layout})"
                yield name, linecaster.dumps(value, **options, **layout) == expected
    compact = json.dumps(value, ensure_ascii=False, separators=COMPACT)
    yield "dumps", linecaster.dumps(value) == compact
    yield "encode", linecaster.encode(value) == compact.encode()
    for name, source in (
        ("str", text.decode()),
        ("ASCII str", json.dumps(value)),
        ("bytes", text),
        ("bytearray", bytearray(text)),
        ("memoryview", memoryview(text)),
    ):
        found = difference(linecaster.loads(source), value)
        yield f"loads of {name}: {found}", not found


def check(library: str, text: bytes, value: Any) -> tuple[int, str]:
    """Count the checked answers, and name the first that differs from `json`'s."""
    encode, loads = load_library(library)
    found = difference(loads(text), value)
    if found:
        return 1, f"loads: {found}"
    encoded = encode(value)
    if library == "ujson":  # spells some floats in another way: compare what they mean
        found = difference(json.loads(encoded), value)
    elif encoded != json.dumps(value, ensure_ascii=False, separators=COMPACT).encode():
        found = difference(json.loads(encoded), value) or "spelled in another way"
    if found:
        return 2, f"encode: {found}"
    checked = 2
    if library == OURS:
        for name, equal in checks_of_linecaster(text, value):
            checked += 1
            if not equal:
                return checked, name
    return checked, ""


def best_time(action: Callable[[Any], object], argument: Callable[[], Any]) -> float:
    """Return the least processor time of several runs, each with an argument of its own."""
    best, runs, end = math.inf, 0, time.perf_counter() + SECONDS_EACH
    while runs < LEAST_RUNS or time.perf_counter() < end:
        made = argument()
        began = time.thread_time()
        action(made)
        best = min(best, time.thread_time() - began)
        runs += 1
    return best


def timed(library: str, text: bytes) -> tuple[float, float]:
    """Return the times for encoding and for decoding."""
    encode, loads = load_library(library)
    gc.collect()
    gc.disable()
    try:
        return best_time(encode, lambda: json.loads(text)), best_time(loads, lambda: text)
    finally:
        gc.enable()


def work(library: str, paths: list[Path]) -> None:
    """Be the process of one library: print an answer per document, as JSON lines."""
    for path in paths:
        text = path.read_bytes()
        value = json.loads(text)
        size = len(json.dumps(value, ensure_ascii=False, separators=COMPACT).encode())
        checked, seconds = 1, (math.nan, math.nan)
        try:
            checked, differs = check(library, text, value)
            seconds = timed(library, text)
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            differs = f"{type(error).__name__}: {error}"
        answer = Answer(
            library, path.stem, checked, differs, size, seconds[0], len(text), seconds[1]
        )
        print(json.dumps(asdict(answer)), flush=True)


class Progress:
    """A bar on a terminal, a line per library elsewhere."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = 0
        self.bar = sys.stderr.isatty()

    def advance(self, library: str, document: str) -> None:
        """Show that a library is through with a document."""
        self.done += 1
        if self.bar:
            filled = 30 * self.done // self.total
            bar = "#" * filled + "." * (30 - filled)
            line = f"[{bar}] {self.done}/{self.total} {library} {document}"
            print(f"\r{line:78.78}", end="", file=sys.stderr, flush=True)

    def finish(self, library: str, documents: int) -> None:
        """Show that a library is through with all documents."""
        if not self.bar:
            print(f"{library}: {documents} documents done", flush=True)
        elif self.done == self.total:
            print(f"\r{'':78}\r", end="", file=sys.stderr, flush=True)


def installed(library: str) -> bool:
    """Say whether a library can be imported, asked in a process of its own."""
    command = [sys.executable, "-c", f"import {library}"]
    return subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0


def run_library(library: str, paths: list[Path], progress: Progress) -> list[Answer]:
    """Let a process of its own take the documents through one library."""
    command = [sys.executable, "-m", "bench.demo", "--library", library, *map(str, paths)]
    answers = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            answers.append(Answer(**json.loads(line)))
            progress.advance(library, answers[-1].document)
    if process.returncode != 0:
        sys.exit(f"error: the process of {library} ended with status {process.returncode}")
    progress.finish(library, len(paths))
    return answers


def speed(size: int, seconds: float) -> float:
    """Return MB/s."""
    return size / seconds / 1e6


def cell(answer: Answer, ours: Answer, encode: bool) -> str:
    """Write one library's speed, and how many times as fast Linecaster is."""
    if encode:
        rate = speed(answer.encoded_bytes, answer.encode_seconds)
        base = speed(ours.encoded_bytes, ours.encode_seconds)
    else:
        rate = speed(answer.text_bytes, answer.loads_seconds)
        base = speed(ours.text_bytes, ours.loads_seconds)
    mark = "*" if answer.differs else " "
    if math.isnan(rate):
        return f"failed{mark}"
    if answer is ours or math.isnan(base):
        return f"{rate:.0f}{mark}"
    return f"{rate:.0f} {f'({base / rate:.1f}x)':>7}{mark}"


def table(title: str, answers: dict[tuple[str, str], Answer], encode: bool) -> str:
    """Write a table: a row per document, a column per library."""
    libraries = list(dict.fromkeys(library for library, _ in answers))
    documents = list(dict.fromkeys(document for _, document in answers))
    lines = [title, f"{'document':<16}{'MB':>6}" + "".join(f"{name:>15}" for name in libraries)]
    for document in documents:
        ours = answers[OURS, document]
        size = (ours.encoded_bytes if encode else ours.text_bytes) / 1e6
        cells = (cell(answers[library, document], ours, encode) for library in libraries)
        lines.append(f"{document:<16.16}{size:>6.2f}" + "".join(f"{one:>15}" for one in cells))
    return "\n".join(lines)


def refuse_constant(name: str) -> None:
    """Refuse NaN and Infinity, as RFC 8259 does."""
    raise ValueError(f"has {name}, which is not JSON")


def usable(paths: list[Path]) -> list[Path]:
    """Keep the files that are JSON in UTF-8; name the others."""
    kept = []
    for path in paths:
        try:
            json.loads(path.read_bytes().decode(), parse_constant=refuse_constant)
        except (ValueError, RecursionError, OSError) as error:
            print(f"passed over: {path}: {error}", flush=True)
        else:
            kept.append(path)
    return kept


def main() -> int:
    """Run the libraries over the documents, print the tables, judge the answers."""
    parser = argparse.ArgumentParser(prog="bench.demo", description="the main job of make demo")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--library", choices=LIBRARIES, help="be the process of one library")
    arguments = parser.parse_args()
    if arguments.library:
        work(arguments.library, arguments.files)
        return 0
    paths = usable(arguments.files)
    if not paths:
        sys.exit("error: no JSON document to work on")
    libraries = [library for library in LIBRARIES if installed(library)]
    if OURS not in libraries:
        sys.exit(f"error: {OURS} is not installed in this Python")
    progress = Progress(len(libraries) * len(paths))
    answers = [one for name in libraries for one in run_library(name, paths, progress)]
    return report(answers, [name for name in LIBRARIES if name not in libraries])


def report(answers: list[Answer], absent: list[str]) -> int:
    """Print the tables and the notes; return the exit status."""
    by_pair = {(one.library, one.document): one for one in answers}
    how = "MB/s, (how many times as fast Linecaster is)"
    print()
    print(
        table(f"encode: objects never encoded before to compact bytes, {how}", by_pair, encode=True)
    )
    print()
    print(table(f"loads: bytes to objects, {how}", by_pair, encode=False))
    print()
    for name in absent:
        print(f"absent: {name} (no package for this Python)")
    for one in answers:
        if one.differs and one.library != OURS:
            print(f"* {one.library} on {one.document}: not as json: {one.differs:.90}")
    ours = [one for one in answers if one.library == OURS]
    wrong = [one for one in ours if one.differs]
    for one in wrong:
        print(f"WRONG: {one.document}: {one.differs}")
    checked = sum(one.checked for one in ours)
    if not wrong:
        print(f"{checked} answers of Linecaster checked against json: all equal")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
