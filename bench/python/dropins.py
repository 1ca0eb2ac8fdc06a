"""The drop-ins beside what they stand in for: `python -m bench.python.dropins`.

The same call on the same value, ours and the original's, each in a process of
its own with malloc pinned, as in the rest of the harness. Both answers must be
the same to the byte, else the row has no time. To add a drop-in, add it to
`DROPINS`; names on the command line choose drop-ins (by what they stand in
for), cases or workloads, and `--markdown FILE` puts the tables between the marks
of a file.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from bench.python import report, results, timing, workloads
from bench.python.malloc import environment
from bench.python.peers import Call, installed
from bench.python.report import Table, duration
from bench.python.schedule import ROOT, TIMEOUT
from bench.python.workloads import Workload

Function = Callable[[Any], Any]


@dataclass(frozen=True)
class Case:
    """One way to call a library."""

    name: str
    call: Callable[[ModuleType], Function]
    # The text is given, not the value.
    reads: bool = False
    # A value that is not of JSON's own types, by its name in `OWN`.
    own: str = ""
    # Both answers are the same to the byte; else they only mean the same.
    same_text: bool = True


@dataclass(frozen=True)
class DropIn:
    """A drop-in, its original and how many times as fast it is meant to be."""

    ours: str
    original: str
    goal: float
    cases: tuple[Case, ...]


def _dumps(**options: Any) -> Callable[[ModuleType], Function]:
    return lambda library: partial(library.dumps, **options) if options else library.dumps


UJSON = DropIn(
    "linecaster.ujson",
    "ujson",
    5.0,
    (
        Case("dumps", _dumps()),
        Case("dumps ensure_ascii=False", _dumps(ensure_ascii=False)),
        Case("dumps escape_forward_slashes=False", _dumps(escape_forward_slashes=False)),
        Case("dumps indent=2", _dumps(indent=2)),
        Case("dumps sort_keys=True", _dumps(sort_keys=True)),
        Case("dumps default=vars", _dumps(default=vars), own="objects"),
        Case("loads", lambda library: library.loads, reads=True),
    ),
)
ORJSON = DropIn(
    "linecaster.orjson",
    "orjson",
    1.0,
    (
        Case("dumps", _dumps()),
        Case("dumps OPT_INDENT_2", _dumps(option=1)),
        Case("dumps OPT_SORT_KEYS", _dumps(option=32)),
        Case("dumps OPT_NON_STR_KEYS", _dumps(option=4)),
        Case("dumps default=vars", _dumps(default=vars), own="objects"),
        Case("dumps OPT_SERIALIZE_NUMPY", _dumps(option=16), own="float-array"),
        Case("dumps OPT_SERIALIZE_NUMPY", _dumps(option=16), own="int-array"),
        Case("loads", lambda library: library.loads, reads=True),
    ),
)
# What the drop-in costs more than our own function: at most a twentieth.
ORJSON_AND_ENCODE = DropIn(
    "linecaster.orjson",
    "linecaster",
    round(1 / 1.05, 2),
    (
        # They spell floats differently.
        Case(
            "encode",
            lambda library: getattr(library, "encode", library.dumps),
            same_text=False,
        ),
    ),
)


def _by_class(library: ModuleType) -> Function:
    class Encoder(library.JSONEncoder):  # type: ignore[misc, name-defined]
        def default(self, o: Any) -> Any:
            return vars(o)

    return partial(library.dumps, cls=Encoder)


JSON = DropIn(
    "linecaster.json",
    "json",
    8.0,
    (
        Case("dumps", _dumps()),
        Case("dumps ensure_ascii=False", _dumps(ensure_ascii=False)),
        Case("dumps indent=2", _dumps(indent=2)),
        Case("dumps sort_keys=True", _dumps(sort_keys=True)),
        Case("dumps separators", _dumps(separators=(",", ":"))),
        Case("dumps default=vars", _dumps(default=vars), own="objects"),
        Case("dumps cls", _by_class),
        Case("dumps cls of objects", _by_class, own="objects"),
        Case("loads", lambda library: library.loads, reads=True),
        Case(
            "loads object_hook",
            lambda library: partial(library.loads, object_hook=dict),
            reads=True,
        ),
    ),
)
DROPINS: tuple[DropIn, ...] = (UJSON, ORJSON, ORJSON_AND_ENCODE, JSON)

WORKLOADS = (
    "a10x100",
    "small-dict",
    "cjk20x10k",
    "latin30x10k",
    "ascii12x10k",
    "small-ints",
    "floats",
    "nested",
    "twitter",
    "citm_catalog",
    "canada",
    "messages",
)


def _array(kind: str) -> Any:
    numpy = import_module("numpy")
    numbers = numpy.random.default_rng(1)
    if kind == "float":
        return numbers.random((100, 100))
    return numbers.integers(-(2**40), 2**40, (100, 100))


OWN = (
    Workload(
        "objects",
        "300 objects that `default` makes dicts of",
        lambda: [SimpleNamespace(id=n, name=f"name {n}", tags=["a", "b"]) for n in range(300)],
    ),
    Workload("float-array", "a numpy array of 100 by 100 floats", lambda: _array("float")),
    Workload("int-array", "a numpy array of 100 by 100 integers", lambda: _array("int")),
)


def _value(case: Case, workload: Workload) -> Any:
    return workload.text if case.reads else workload.value


def _digest(result: Any) -> str:
    text = result if isinstance(result, bytes) else repr(result).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()


def _work(request: dict[str, Any]) -> dict[str, Any]:
    """Answer one request, in this process and no other."""
    cases = (case for one in DROPINS if one.ours == request["dropin"] for case in one.cases)
    case = next(case for case in cases if case.name == request["case"])
    folder = Path(request["data"])
    name = request["workload"]
    own = [one for one in OWN if one.name == name]
    (workload,) = own or workloads.named([name], folder)
    call = Call(case.call(import_module(request["library"])))
    value = _value(case, workload)
    gc.collect()
    gc.disable()
    result = call.once(value)
    digest = _digest(result if case.same_text else json.loads(result))
    return {
        "digest": digest,
        "cpu_min": min(timing.repeated(call, value, request["seconds"]).cpu),
    }


def _measure(request: dict[str, Any]) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "bench.python.dropins", "--worker"],
        input=json.dumps(request),
        env=environment("heap", os.environ),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or [""])[-1]
        return {"error": f"exit status {done.returncode}: {last}"[:200]}
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def _pair(dropin: DropIn, case: Case, workload: str, rounds: int, seconds: float) -> list[str]:
    """Measure ours and the original in turn; the cells of the row."""
    least: dict[str, float] = {}
    digests = set()
    for _ in range(rounds):
        for library in (dropin.ours, dropin.original):
            request = {
                "dropin": dropin.ours,
                "case": case.name,
                "workload": workload,
                "library": library,
                "data": str(workloads.documents(_folder())),
                "seconds": seconds,
            }
            answer = _measure(request)
            if "error" in answer:
                return [f"{case.name}, {workload}", f"{library}: {answer['error']}", "", "", ""]
            digests.add(answer["digest"])
            least[library] = min(answer["cpu_min"], least.get(library, answer["cpu_min"]))
    if len(digests) > 1:
        return [f"{case.name}, {workload}", "the answers differ", "", "", ""]
    ours, theirs = least[dropin.ours], least[dropin.original]
    reached = "reached" if theirs / ours >= dropin.goal else "below"
    label = f"{case.name}, {workload}"
    return [label, duration(ours), duration(theirs), f"{theirs / ours:.2f}x", reached]


def _folder() -> Path | None:
    return Path(os.environ["DATA"]) if os.environ.get("DATA") else None


def _wanted(names: Sequence[str], *candidates: str) -> bool:
    """Say whether every name on the command line fits one of the row's."""
    return all(any(fnmatch(one, name) for one in candidates) for name in names)


def table(dropin: DropIn, names: Sequence[str], rounds: int, seconds: float) -> Table:
    """Measure a drop-in: one row for each case and workload."""
    header = ["repeated", dropin.ours, dropin.original, "times as fast", "goal"]
    found = Table(f"{dropin.ours} and {dropin.original} (goal: {dropin.goal:g} times)", header)
    known = [one.name for one in workloads.every(workloads.documents(_folder()))]
    for case in dropin.cases:
        chosen = [case.own] if case.own else [name for name in WORKLOADS if name in known]
        for workload in chosen:
            if _wanted(names, dropin.original, case.name, workload):
                found.rows.append(_pair(dropin, case, workload, rounds, seconds))
    return found


def _arguments(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.python.dropins",
        description="Measures the drop-ins beside what they stand in for.",
    )
    add = parser.add_argument
    add("names", nargs="*", help="drop-ins, cases or workloads, wildcards allowed")
    add("--rounds", type=int, default=2, help="visits of each pair")
    add("--seconds", type=float, default=0.1, help="of sampling in each visit")
    add("--markdown", type=Path, help="put the tables between the marks of this file")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Measure what the names choose, or answer one request; 1 if a row has no time."""
    if arguments == ["--worker"]:
        json.dump(_work(json.load(sys.stdin)), sys.stdout)
        return 0
    options = _arguments(arguments)
    settings = {"rounds": options.rounds, "seconds": options.seconds}
    libraries = [one for one in ("linecaster", "ujson", "orjson", "json") if installed(one)]
    about = results.describe(libraries, settings)
    made = []
    for dropin in DROPINS:
        measured = table(dropin, options.names, options.rounds, options.seconds)
        if measured.rows:
            print(measured.text(), flush=True)
            made.append(measured)
    if options.markdown:
        report.write_markdown(about, made, options.markdown)
        print(f"tables: {options.markdown}")
    return int(not made or any(not row[-1] for one in made for row in one.rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
