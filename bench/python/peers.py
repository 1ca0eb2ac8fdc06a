"""The libraries under measurement, each called in its fastest equivalent way.

All are asked for compact text. Where a library keeps its settings in an object
that may be reused, that object is made once, outside of what is timed; where a
library can be called in two ways of which now one and now the other is faster,
the faster one is taken for each workload. A library that offers only `bytes` is
followed by ``.decode()`` where a `str` is asked for, one that offers only `str`
by ``.encode()`` where `bytes` are: that is what its users must do.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any, Literal

from bench.python import streams
from bench.python.modes import Operation

Then = Literal["", ".decode()", ".encode()"]


@dataclass(frozen=True)
class Call:
    """What is timed: a function of one argument and what must follow it."""

    function: Callable[[Any], Any]
    then: Then = ""

    def once(self, value: Any) -> Any:
        """Return the result for one value, as the timed loops would make it."""
        result = self.function(value)
        if self.then == ".decode()":
            return result.decode()
        if self.then == ".encode()":
            return result.encode()
        return result


Calls = Mapping[Operation, tuple[Call, ...]]


def _streams(ways: streams.Functions) -> dict[Any, tuple[Call, ...]]:
    return {name: tuple(map(Call, functions)) for name, functions in ways.items()}


def _linecaster() -> Calls:
    linecaster = import_module("linecaster")
    return {
        "encode": (Call(linecaster.encode),),
        "dumps": (Call(linecaster.dumps),),
        "loads": (Call(linecaster.loads),),
        **_streams(streams.linecaster()),
    }


def _orjson() -> Calls:
    orjson = import_module("orjson")
    return {
        "encode": (Call(orjson.dumps),),
        "dumps": (Call(orjson.dumps, ".decode()"),),
        "loads": (Call(orjson.loads),),
        **_streams(streams.orjson()),
    }


def _ssrjson() -> Calls:
    ssrjson = import_module("ssrjson")
    return {
        "encode": (Call(ssrjson.dumps_to_bytes),),
        "dumps": (Call(ssrjson.dumps),),
        "loads": (Call(ssrjson.loads),),
        **_streams(streams.one_at_a_time(ssrjson.dumps_to_bytes, ssrjson.loads)),
    }


def _msgspec() -> Calls:
    msgspec_json = import_module("msgspec.json")
    encode = msgspec_json.Encoder().encode
    return {
        "encode": (Call(encode),),
        "dumps": (Call(encode, ".decode()"),),
        "loads": (Call(msgspec_json.Decoder().decode),),
        **_streams(streams.msgspec()),
    }


def _ujson() -> Calls:
    ujson = import_module("ujson")
    # Keywords cost a third of a microsecond a call, which is much for a small
    # document; without them a large one becomes longer (ASCII-only, `\\/`).
    same_text = partial(ujson.dumps, ensure_ascii=False, escape_forward_slashes=False)
    ways = (ujson.dumps, same_text)
    return {
        "encode": tuple(Call(way, ".encode()") for way in ways),
        "dumps": tuple(Call(way) for way in ways),
        "loads": (Call(ujson.loads),),
        **_streams(streams.one_at_a_time(lambda value: same_text(value).encode(), ujson.loads)),
    }


def _json() -> Calls:
    dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    return {
        "encode": (Call(dumps, ".encode()"),),
        "dumps": (Call(dumps),),
        "loads": (Call(json.loads),),
        **_streams(streams.standard()),
    }


_LOADERS: dict[str, Callable[[], Calls]] = {
    "linecaster": _linecaster,
    "orjson": _orjson,
    "ssrjson": _ssrjson,
    "msgspec": _msgspec,
    "ujson": _ujson,
    "json": _json,
}

OURS = "linecaster"
PEERS: tuple[str, ...] = tuple(_LOADERS)

# How each (operation, peer) that is not one call is named in the report.
ADAPTED: dict[Operation, dict[str, Then]] = {
    "encode": {"ujson": ".encode()", "json": ".encode()"},
    "dumps": {"orjson": ".decode()", "msgspec": ".decode()"},
    "loads": {},
    "encode-lines": {},
    "decode-lines": {},
    "iterencode": {},
    "iter-items": {},
}


def load(peer: str) -> Calls:
    """Import a library and return its calls by operation."""
    return _LOADERS[peer]()


def installed(peer: str) -> bool:
    """Tell whether the library can be found, without importing it here."""
    return importlib.util.find_spec(peer) is not None


def version(peer: str) -> str:
    """Return the version of the installed library; json's is that of Python."""
    if peer == "json":
        return platform.python_version()
    return importlib.metadata.version(peer)
