"""Who answers, and how each is called in its fastest equivalent way.

FastAPI's own function is the original; what the others make shows what is
possible with the same value: `msgspec.to_builtins` for dicts and dataclasses,
Pydantic's serializer where the model's type is known beforehand, `orjson.dumps`
for bytes and, handed out by the route as a ready response, for requests.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import partial
from importlib import import_module
from typing import Any

from fastapi.encoders import jsonable_encoder
from fastapi.responses import JSONResponse, Response

from bench.python.fastapi.application import application, requesting
from bench.python.fastapi.inputs import Input, Mode
from bench.python.peers import OURS

Function = Callable[[Any], Any]
ORIGINAL = "fastapi"
PEERS = (ORIGINAL, OURS, "msgspec", "pydantic", "orjson")

# What each peer is in the heading of a mode's table.
CALLED: dict[Mode, dict[str, str]] = {
    "tree": {
        ORIGINAL: "fastapi jsonable_encoder",
        OURS: "linecaster jsonable_encoder",
        "msgspec": "msgspec to_builtins",
        "pydantic": "pydantic dump_python",
    },
    "bytes": {
        ORIGINAL: "fastapi jsonable_encoder + render",
        OURS: "linecaster encode",
        "pydantic": "pydantic dump_json",
        "orjson": "orjson dumps",
    },
    "request": {
        ORIGINAL: "fastapi",
        OURS: "fastapi with install()",
        "orjson": "Response(orjson.dumps())",
    },
}


def answers(one: Input, mode: Mode, peer: str) -> bool:
    """Tell whether the peer has a way to do this."""
    if peer not in CALLED[mode]:
        return False
    if peer == "pydantic":
        return one.model is not None
    return one.common or peer in (ORIGINAL, OURS)


def _plain(value: Any) -> Any:
    """Stand in as orjson's `default` for what FastAPI's encoder knows as well."""
    if type(value) is Decimal:
        return float(value)
    if type(value) is set:
        return list(value)
    raise TypeError


def _dumps() -> Function:
    return partial(import_module("orjson").dumps, default=_plain)


def _tree(one: Input, peer: str) -> Function:
    if peer == "msgspec":
        to_builtins: Function = import_module("msgspec").to_builtins
        return to_builtins
    if peer == "pydantic" and one.model:
        return partial(one.model.dump_python, mode="json")
    encoder = jsonable_encoder if peer == ORIGINAL else _ours().jsonable_encoder
    return partial(encoder, **one.options) if one.options else encoder


def _bytes(one: Input, peer: str) -> Function:
    if peer == "orjson":
        return _dumps()
    if peer == "pydantic" and one.model:
        return one.model.dump_json
    if peer == OURS:
        encode: Function = _ours().encode
        return partial(encode, **one.options) if one.options else encode
    encoder, render = _tree(one, peer), JSONResponse(None).render
    return lambda value: render(encoder(value))


def _request(peer: str, value: Any) -> Function:
    if peer == "orjson":
        dumps = _dumps()
        ready = partial(Response, media_type="application/json")
        return requesting(application(lambda value: ready(dumps(value)), value))
    if peer == OURS:
        _ours().install()
    return requesting(application(lambda value: value, value))


def _ours() -> Any:
    return import_module("linecaster.fastapi")


def load(one: Input, mode: Mode, peer: str, value: Any) -> Function:
    """Return what is timed on the value; for requests it may change FastAPI for good."""
    if mode == "tree":
        return _tree(one, peer)
    return _bytes(one, peer) if mode == "bytes" else _request(peer, value)
