"""Jsonnet programs to Python objects and text: the distribution `linecaster-jsonnet`.

It comes with `linecaster[jsonnet]` and is loaded when this module is. What is
here is described there: `help(linecaster_jsonnet)`.
"""

from __future__ import annotations

try:
    from linecaster_jsonnet import (
        VM,
        JsonnetError,
        TraceFrame,
        __version__,
        evaluate,
        evaluate_file,
        evaluate_snippet,
        install,
        manifest,
        version,
    )
except ModuleNotFoundError as _error:
    if _error.name != "linecaster_jsonnet":
        raise
    raise ModuleNotFoundError(
        "linecaster.jsonnet is a distribution of its own: pip install 'linecaster[jsonnet]'",
        name="linecaster_jsonnet",
    ) from None

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
