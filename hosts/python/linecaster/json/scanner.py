"""`json.scanner`: what a decoder's `scan_once` is made by."""

import importlib
import json.scanner
from typing import Any

__all__ = ["make_scanner"]

_scanner: Any = json.scanner

NUMBER_RE = _scanner.NUMBER_RE

py_make_scanner = _scanner.py_make_scanner
Scanner: Any = importlib.import_module("linecaster._linecaster.json").Scanner
c_make_scanner = Scanner
make_scanner = c_make_scanner


def __getattr__(name: str) -> Any:
    return getattr(_scanner, name)
