"""The JSON serializer of kombu, and so of Celery.

    from linecaster.integrations import celery

    celery.register()

takes the place of the serializer `json`: the messages are the same to the
byte, so workers and senders may go over one by one. `register("linecaster")`
adds it under a name of its own, for `task_serializer = "linecaster"`; such
messages are `application/json`, too.

Types that are made known by `kombu.utils.json.register_type` are used, and
objects with `__json__`. Where Linecaster refuses something, kombu's own
functions are asked: so errors are kombu's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from kombu import serialization
from kombu.utils import json

import linecaster

__all__ = ["dumps", "loads", "register", "unregister"]

CONTENT_TYPE = "application/json"
_DEFAULT: Callable[[Any], Any] = json.JSONEncoder().default
_ENCODER = linecaster.Encoder(
    default=_DEFAULT,
    ensure_ascii=True,
    separators=(", ", ": "),
    allow_nan=True,
    non_str_keys=True,
    passthrough="all",
)
# How the escape of a character of `__type__` begins.
_SPELLED = re.compile(r"\\u00[567]")
_SPELLED_BYTES = re.compile(rb"\\u00[567]")


def dumps(value: Any) -> str:
    """Encode the body of a message."""
    try:
        return _ENCODER.dumps(value)
    except TypeError:
        pass
    text: str = json.dumps(value)
    return text


def loads(text: str | bytes | bytearray | memoryview) -> Any:
    """Decode the body of a message."""
    try:
        hook = json.object_hook if _may_hold_types(text) else None
        return linecaster.loads(text, object_hook=hook, allow_nan=True)
    except (TypeError, ValueError):
        pass
    return json.loads(text)


def _may_hold_types(text: str | bytes | bytearray | memoryview) -> bool:
    """Whether an object of the text may have a key `__type__`.

    The name stands in the text as it is, unless a character of it is spelled
    as an escape. Without it no object needs the hook, which is most of the
    time that decoding takes.
    """
    if isinstance(text, str):
        return "__type__" in text or _SPELLED.search(text) is not None
    if isinstance(text, memoryview):
        return True
    return b"__type__" in text or _SPELLED_BYTES.search(text) is not None


def register(name: str = "json") -> None:
    """Add the serializer to kombu's registry, by default in the place of its own."""
    serialization.register(name, dumps, loads, content_type=CONTENT_TYPE, content_encoding="utf-8")
    _renew_default(name)


def unregister(name: str = "json") -> None:
    """Take the serializer out of kombu's registry, and put kombu's own back."""
    serialization.unregister(name)
    serialization.register_json()
    _renew_default("json")


def _renew_default(name: str) -> None:
    # The registry keeps the default's functions, not its name.
    if name == "json" and serialization.registry._default_content_type == CONTENT_TYPE:
        serialization.registry._set_default_serializer(name)
