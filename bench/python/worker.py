"""One (workload, mode, peer) pair, measured in this process and no other.

Reads a request as JSON from standard input and answers on standard output. A
process of its own matters: libraries read UTF-8 copies that others left in the
strings, and inherit the state in which others left malloc.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.python import malloc, memory, timing
from bench.python.modes import BY_NAME, Mode
from bench.python.peers import Call, load
from bench.python.workloads import Workload, named

if TYPE_CHECKING:
    from collections.abc import Callable


class WrongAnswerError(Exception):
    """A library's answer is not what `json` makes of the same input."""


@dataclass(frozen=True)
class Request:
    """What to measure."""

    workload: str
    mode: str
    peer: str
    data: str | None = None
    seconds: float = 0.25
    # Instead of measuring: make so many calls and stop, or, idle, make only the
    # arguments of so many calls (for `instructions.py`).
    calls: int | None = None
    idle: bool = False


def text_width(text: str) -> int:
    """Return how many bytes CPython spends on each character of a string."""
    highest = max(text, default="\0")
    return 1 if highest < "\u0100" else 2 if highest < "\U00010000" else 4


def output_size(workload: Workload, mode: Mode) -> int:
    """Return the bytes of the result (for loads, the input) that must be moved."""
    if mode.source == "lines" or mode.operation == "encode-lines":
        return len(workload.lines)
    if mode.operation in ("encode", "iterencode"):
        return len(workload.compact)
    text = (workload.compact if mode.operation == "dumps" else workload.text).decode()
    return len(workload.text) if mode.source == "bytes" else len(text) * text_width(text)


def source(workload: Workload, mode: Mode) -> Callable[[], Any]:
    """Return how each argument of the call is made; repeated modes make only one."""
    if mode.source == "value":
        return workload.fresh if mode.fresh else lambda: workload.value
    text = workload.lines if mode.source == "lines" else workload.text
    return text.decode if mode.source == "str" else lambda: text


def verify(call: Call, mode: Mode, workload: Workload) -> None:
    """Compare the answer with that of `json`; the types and order as well.

    `repr` tells 1 from 1.0 and from True, and keeps the order of keys.
    """
    if mode.source != "value":
        actual, expected = call.once(source(workload, mode)()), json.loads(workload.text)
    else:
        output = call.once(workload.fresh())
        wanted = str if mode.operation == "dumps" else bytes
        if type(output) is not wanted:
            raise WrongAnswerError(f"{type(output).__name__} for {wanted.__name__}")
        if mode.operation == "encode-lines":
            actual = [json.loads(line) for line in output.splitlines()]
        else:
            actual = json.loads(output)
        expected = workload.value
    if repr(actual) != repr(expected):
        raise WrongAnswerError(f"not what json reads or writes for {workload.name}")


def made_elsewhere(make: Callable[[], bytes]) -> bytes:
    """Let a forked child build something, so that no free memory is left here."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        failed = 1
        try:
            with open(writing, "wb") as pipe:
                pipe.write(make())
            failed = 0
        finally:
            # Whatever happened: the rest of the program is the parent's.
            os._exit(failed)
    os.close(writing)
    with open(reading, "rb") as pipe:
        made = pipe.read()
    if os.waitpid(child, 0)[1] != 0:
        raise RuntimeError("the child could not make it")
    return made


# Takes a library through its code for every kind of value, so that pages of code
# are not counted as memory of the call.
_WARM = {
    "strings": [piece * count for count in (1, 5, 500) for piece in ("a", "é", "中", "😀", "\n")],
    "numbers": [0, -1, 1 << 62, 0.1, 1e300],
    "others": [True, False, None, [], {}, {"a": {"b": [1]}}],
}


def _memory(call: Call, mode: Mode, workload: Workload) -> dict[str, Any]:
    if not memory.measurable():
        raise OSError("this system does not let a process reset its peak")
    for _ in range(2):
        text = json.dumps(_WARM, ensure_ascii=False).encode()
        call.once(text if mode.operation == "loads" else json.loads(text))
    if mode.operation == "loads":
        return asdict(memory.of_one_call(call, made_elsewhere(lambda: workload.text)))
    compact = made_elsewhere(lambda: workload.compact)
    return asdict(memory.of_one_call(call, json.loads(compact)))


def _time(call: Call, mode: Mode, workload: Workload, seconds: float) -> dict[str, Any]:
    make = source(workload, mode)
    gc.collect()
    (gc.enable if mode.gc else gc.disable)()
    if mode.fresh:
        samples = timing.fresh(call, make, seconds)
    else:
        samples = timing.repeated(call, make(), seconds)
    gc.disable()
    return {
        **samples.summary(),
        "memcpy": timing.copying(output_size(workload, mode)),
    }


def _nothing(_: Any) -> None:
    """Stand in for a library where only the making of arguments is looked at."""


def run(request: Request) -> dict[str, Any]:
    """Verify and measure; the answer is ready for JSON."""
    gc.disable()
    mode = BY_NAME[request.mode]
    folder = Path(request.data) if request.data else None
    (workload,) = named([request.workload], folder)
    calls = load(request.peer)[mode.operation]
    if request.calls is not None:
        call = Call(_nothing) if request.idle else calls[0]
        timing.run(call, source(workload, mode), request.calls, fresh=mode.fresh)
        return {}
    if mode.memory:
        answer = _memory(calls[-1], mode, workload)
        verify(calls[-1], mode, workload)
    else:
        for call in calls:
            verify(call, mode, workload)
        call = timing.fastest(calls, source(workload, mode)())
        answer = _time(call, mode, workload, request.seconds)
        answer["malloc"] = malloc.observed()
    answer["bytes"] = len(workload.compact)
    return answer


def main() -> int:
    """Answer one request; an error is an answer as well."""
    request = Request(**json.load(sys.stdin))
    try:
        answer = run(request)
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"[:300]}
    json.dump(answer, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
