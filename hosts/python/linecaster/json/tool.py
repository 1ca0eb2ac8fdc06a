"""`json.tool`: check and lay out JSON on the command line.

    python -m linecaster.json.tool [options] [infile [outfile]]

It is the tool of the running interpreter, with the functions of
`linecaster.json` in the place of those of `json`.
"""

import json.tool
import sys
from types import FunctionType
from typing import Any

import linecaster.json

_tool: Any = json.tool


def _own(function: FunctionType) -> Any:
    """Make the same function, which finds our `json`."""
    names = {**function.__globals__, "json": linecaster.json}
    return FunctionType(function.__code__, names, function.__name__, function.__defaults__)


main = _own(_tool.main)


def __getattr__(name: str) -> Any:
    return getattr(_tool, name)


def _run() -> None:
    """Run the tool; a reader that went away is an exit status."""
    try:
        main()
    except BrokenPipeError as error:
        sys.exit(error.errno)


if __name__ == "__main__":
    _run()
