"""Jsonnet programs to Python objects and text.

`evaluate` returns a program's value as Python objects, `manifest` as a document
in one of several formats. `VM` keeps settings and parsed files for many
evaluations. `evaluate_file` and `evaluate_snippet` are those of the package
`jsonnet`; `install` makes this module what `import _jsonnet` finds.

This is also `linecaster.jsonnet`.
"""

from __future__ import annotations

import sys

from linecaster_jsonnet._errors import JsonnetError, TraceFrame
from linecaster_jsonnet._linecaster_jsonnet import (
    VM,
    __version__,
    evaluate,
    evaluate_file,
    evaluate_snippet,
    manifest,
)

__all__ = [
    "VM",
    "JsonnetError",
    "TraceFrame",
    "__version__",
    "evaluate",
    "evaluate_file",
    "evaluate_snippet",
    "install",
    "manifest",
    "version",
]

version = "v0.22.0"
"""The version of Jsonnet that this is, as `_jsonnet.version` has it."""


def install() -> None:
    """Make this module what `import _jsonnet` gives, here and in libraries."""
    sys.modules["_jsonnet"] = sys.modules[__name__]
