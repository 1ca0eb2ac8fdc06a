"""The drop-in and the original side by side: what a call gives, or how it fails."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from linecaster import orjson as ours

theirs = pytest.importorskip("orjson")


def failure(error: BaseException | None) -> object:
    """What can be seen of an exception, with those that led to it."""
    if error is None:
        return None
    seen = [type(error).__name__, str(error)]
    if isinstance(error, json.JSONDecodeError):
        seen += [error.msg, error.doc, error.pos, error.lineno, error.colno]
    return [*seen, failure(error.__cause__), failure(error.__context__)]


def outcome(call: Callable[..., Any], *args: Any, **options: Any) -> object:
    """The result of a call, or its failure."""
    try:
        return call(*args, **options)
    except Exception as error:
        return failure(error)


def same_dumps(value: object, *args: Any, **options: Any) -> object:
    """Hold `dumps` against the original's, and give what both gave."""
    expected = outcome(theirs.dumps, value, *args, **options)
    assert outcome(ours.dumps, value, *args, **options) == expected
    return expected


def same_loads(text: Any) -> object:
    """Hold `loads` against the original's, and give what both gave."""
    expected = outcome(theirs.loads, text)
    found = outcome(ours.loads, text)
    # By their text: NaN differs from itself, and 1 is 1.0.
    assert repr(found) == repr(expected)
    return expected
