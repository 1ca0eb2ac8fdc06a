"""Holds the answers of two implementations against each other, as parsed values."""

from __future__ import annotations

import importlib
import json
import math
from pathlib import Path
from typing import Any

from bench.jsonnet.rows import JSON, TOML, Row

CLOSE = 1e-12


def parse(row: Row, text: bytes) -> Any:
    """Parse an output, or return its text if nothing here can parse it."""
    if row.output == JSON:
        return json.loads(text)
    try:
        if row.output == TOML:
            return importlib.import_module("tomllib").loads(text.decode())
        yaml = importlib.import_module("yaml")
        return yaml.load(text, yaml.CSafeLoader)
    except ImportError:
        return text


def same(ours: Any, theirs: Any) -> bool:
    """Say whether two values are equal, but for the last digits of numbers."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(same(ours[k], theirs[k]) for k in ours)
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    if isinstance(ours, float | int) and isinstance(theirs, float | int):
        return ours == theirs or math.isclose(ours, theirs, rel_tol=CLOSE)
    return bool(ours == theirs)


def compare(row: Row, ours: Path, theirs: Path) -> str:
    """Return `same` to the byte, `spelled` if only the bytes differ, or `different`."""
    texts = ours.read_bytes(), theirs.read_bytes()
    if texts[0] == texts[1]:
        return "same"
    values = [parse(row, text) for text in texts]
    return "spelled" if same(*values) else "different"
