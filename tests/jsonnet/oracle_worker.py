"""A process that asks one oracle, `_gojsonnet` or `_jsonnet`, until its input ends.

Each line of the input is a JSON object with the request, each line of the
output the answer to it. The process may die at any request (C++ aborts on some
programs); `oracles.py` starts another one. What the oracle writes to standard
error (`std.trace`) is caught and becomes a part of the answer.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys
import tempfile
from typing import IO, Any

MEMORY = 6 << 30
NAME = "program"


def caught(errors: IO[bytes]) -> str:
    """Return what has been written to the file, and empty it."""
    errors.seek(0)
    text = errors.read().decode(errors="replace")
    errors.seek(0)
    errors.truncate()
    return text


def evaluate(module: Any, request: dict[str, Any]) -> dict[str, str]:
    """Evaluate a program; return its value as text, or its error."""
    os.chdir(request["folder"])
    options = {
        "ext_vars": request.get("ext-str", {}),
        "ext_codes": request.get("ext-code", {}),
        "tla_vars": request.get("tla-str", {}),
        "tla_codes": request.get("tla-code", {}),
        "max_trace": 20,
    }
    if "max-stack" in request:
        options["max_stack"] = int(request["max-stack"])
    try:
        text = module.evaluate_snippet(NAME, request["code"], jpathdir="library", **options)
    except (RuntimeError, UnicodeError) as error:
        return {"error": str(error)}
    return {"value": text}


def main() -> None:
    """Answer every request."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    module = importlib.import_module(sys.argv[1])
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    with tempfile.TemporaryFile() as errors:
        os.dup2(errors.fileno(), 2)
        os.dup2(errors.fileno(), 1)
        for line in sys.stdin:
            answer = evaluate(module, json.loads(line))
            answer["trace"] = caught(errors)
            print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
