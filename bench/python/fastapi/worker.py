"""One (input, mode, peer), verified and measured in this process and no other.

FastAPI's own answer is made in a forked child, so that it leaves nothing here.
Ours must equal it exactly: for a tree types and order count, so `repr` is
compared. The libraries that know nothing of FastAPI must mean the same: they
spell a Decimal as a string.
"""

from __future__ import annotations

import gc
import json
import sys
from decimal import Decimal, InvalidOperation
from typing import Any

from bench.python import malloc, timing
from bench.python.fastapi.inputs import BY_NAME, Input, Mode
from bench.python.fastapi.peers import ORIGINAL, load
from bench.python.peers import OURS, Call
from bench.python.worker import WrongAnswerError, made_elsewhere


def _written(answer: Any) -> bytes:
    return answer if isinstance(answer, bytes) else repr(answer).encode()


def _numbers(value: Any) -> Any:
    """Read the numbers of a document, also those in strings, as decimals."""
    if isinstance(value, dict):
        return {key: _numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_numbers(item) for item in value]
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return value
    try:
        return Decimal(str(value)).normalize()
    except InvalidOperation:
        return value


def _meaning(answer: Any) -> bytes:
    document = answer if isinstance(answer, bytes) else json.dumps(answer)
    return repr(_numbers(json.loads(document))).encode()


def verify(one: Input, mode: Mode, peer: str, value: Any) -> tuple[Call, int]:
    """Return the peer's call, once its answer is right, and the answer's size."""
    seen = _written if peer in (ORIGINAL, OURS) else _meaning

    def original() -> bytes:
        return seen(load(one, mode, ORIGINAL, value)(value))

    expected = made_elsewhere(original)
    call = Call(load(one, mode, peer, value))
    # Twice: what a call leaves behind must not change the next.
    for answer in (call.once(value), call.once(value)):
        if seen(answer) != expected:
            raise WrongAnswerError(f"not what FastAPI makes of {one.name}")
    return call, len(_written(call.once(value)))


def measured(request: dict[str, Any]) -> dict[str, Any]:
    """Verify and measure; the answer is ready for JSON."""
    one = BY_NAME[request["input"]]
    value = one.build()
    gc.disable()
    call, size = verify(one, request["mode"], request["peer"], value)
    gc.collect()
    samples = timing.repeated(call, value, request["seconds"])
    return {
        **samples.summary(),
        "malloc": malloc.observed(),
        "bytes": size,
    }


def main() -> int:
    """Answer one request; an error is an answer as well."""
    request = json.load(sys.stdin)
    try:
        answer = measured(request)
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"[:300]}
    json.dump(answer, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
