"""Rebind the encoder inside FastAPI, for the process or for one app.

The names in FastAPI's own modules that refer to `jsonable_encoder` are bound to
the native one, and `fastapi.routing.serialize_response` to a function that goes
to bytes at once where nothing could see the tree in between: no response model,
and a response class that renders as Starlette's `JSONResponse` does.

`serialize_response` is not told the response class. It reads it from the frame
of the handler that awaits it, once that frame's code is known for FastAPI's
handler. So routes and routers made before and after `install` work alike, in
whatever way they are included, and no handler has to be wrapped or rebuilt;
it costs about a microsecond. A caller of any other kind gets the tree.

For one app, the outermost layer of its middleware marks the request in a
context variable, which the rebound functions look at. Functions that run in
threads and tasks of the request see it, too.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys
import threading
import warnings
import weakref
from collections.abc import Callable
from contextvars import ContextVar
from types import FrameType
from typing import Any

from fastapi import encoders, exception_handlers, routing
from fastapi.openapi import docs
from fastapi.openapi import utils as openapi
from fastapi.types import IncEx
from starlette import responses
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from . import _response
from ._native import encode, jsonable_encoder
from ._versions import KNOWN, digest

__all__ = ["install", "uninstall"]

_original_encoder = encoders.jsonable_encoder
_original_serialize = routing.serialize_response
_ORIGINALS: dict[str, Any] = {
    "jsonable_encoder": _original_encoder,
    "serialize_response": _original_serialize,
    "render": responses.JSONResponse.render,
}


# The extras that are asked for, by name; `None` where nothing is installed.
_Extras = dict[str, Any] | None


class _Process:
    """What `install()` asks for in all apps."""

    extras: _Extras = None


_process = _Process()
_lock = threading.RLock()
_replaced: dict[tuple[Any, str], Any] = {}
_in_app: ContextVar[_Extras] = ContextVar("linecaster.fastapi", default=None)
_layers: weakref.WeakSet[_Layer] = weakref.WeakSet()


def install(
    app: Starlette | None = None,
    *,
    numpy: bool = False,
    deep: bool = False,
    rows: bool = False,
    relationships: bool = False,
) -> bool:
    """Have FastAPI encode with Linecaster: in the whole process, or in one app.

    What is mounted in the app belongs to it. Routes, routers and mounted apps
    may be made before or after, and the app may run already. Names that were
    imported from `fastapi.encoders` earlier stay what they are. A FastAPI that
    is not known stays as it is, with a `RuntimeWarning`; the result says
    whether Linecaster is in use.

    The other arguments are the extras of `jsonable_encoder`; those of the last
    call count, and in an app those of a call for it.
    """
    if app is not None and not isinstance(app, Starlette):
        raise TypeError(f"install() takes the FastAPI app, not {type(app).__name__}")
    given = {"numpy": numpy, "deep": deep, "rows": rows, "relationships": relationships}
    extras = {name: True for name, is_on in given.items() if is_on}
    with _lock:
        if not _replaced:
            reason = _unknown()
            if reason is not None:
                warnings.warn(
                    f"{reason}, so FastAPI stays as it is. Use FastAPI 0.140 to 0.165 or a newer "
                    "linecaster; linecaster.fastapi.encode can be called without install().",
                    RuntimeWarning,
                    stacklevel=2,
                )
                return False
        if app is None:
            _process.extras = extras
        else:
            layer = next((layer for layer in _layers if layer.owner is app), None)
            if layer is None:
                _layers.add(_Layer(app, extras))
            else:
                layer.extras = extras
        _rebind()
    return True


def uninstall(app: Starlette | None = None) -> None:
    """Undo `install(app)`; without an app, undo every `install`.

    No other thread should be in the midst of a request.
    """
    with _lock:
        if app is None:
            _process.extras = None
        for layer in list(_layers):
            if app is None or layer.owner is app:
                layer.leave()
                _layers.discard(layer)
        _rebind()


class _Layer:
    """The outermost layer of an app's middleware: marks its requests."""

    # Only the app itself keeps its layer alive.

    def __init__(self, owner: Starlette, extras: dict[str, Any]) -> None:
        """Be around what the app has built, or what it will build."""
        self.owner = owner
        self.extras = extras
        self.app = owner.middleware_stack
        self.is_on = True
        self._build = owner.build_middleware_stack
        self._own_build = owner.__dict__.get("build_middleware_stack")
        owner.__dict__["build_middleware_stack"] = self.build
        if self.app is not None:
            owner.middleware_stack = self

    def build(self) -> ASGIApp:
        """Build the app's middleware and be the layer around it."""
        self.app = self._build()
        return self if self.is_on else self.app

    def leave(self) -> None:
        """Take the layer away; where something is around it, let it do nothing."""
        self.is_on = False
        attributes = self.owner.__dict__
        if attributes.get("build_middleware_stack") == self.build:
            del attributes["build_middleware_stack"]
            if self._own_build is not None:
                attributes["build_middleware_stack"] = self._own_build
        if self.owner.middleware_stack is self:
            self.owner.middleware_stack = self.app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert self.app is not None
        if not self.is_on:
            return await self.app(scope, receive, send)
        token = _in_app.set(self.extras)
        try:
            await self.app(scope, receive, send)
        finally:
            # A request that is given up may be closed in another context.
            with contextlib.suppress(ValueError):
                _in_app.reset(token)


def _encode_tree(
    obj: Any,
    include: IncEx | None = None,
    exclude: IncEx | None = None,
    by_alias: bool = True,
    exclude_unset: bool = False,
    exclude_defaults: bool = False,
    exclude_none: bool = False,
    custom_encoder: dict[Any, Callable[[Any], Any]] | None = None,
    sqlalchemy_safe: bool = True,
) -> Any:
    extras = _asked()
    encoder = _original_encoder if extras is None else jsonable_encoder
    return encoder(
        obj,
        include,
        exclude,
        by_alias,
        exclude_unset,
        exclude_defaults,
        exclude_none,
        custom_encoder,
        sqlalchemy_safe,
        **(extras or {}),
    )


def _asked() -> _Extras:
    """Return the extras that hold here."""
    extras = _in_app.get()
    return _process.extras if extras is None else extras


async def _serialize_response(
    *,
    field: Any = None,
    response_content: Any,
    include: IncEx | None = None,
    exclude: IncEx | None = None,
    by_alias: bool = True,
    exclude_unset: bool = False,
    exclude_defaults: bool = False,
    exclude_none: bool = False,
    is_coroutine: bool = True,
    endpoint_ctx: Any = None,
    dump_json: bool = False,
) -> Any:
    extras = _asked()
    if field or extras is None:
        return await _original_serialize(
            field=field,
            response_content=response_content,
            include=include,
            exclude=exclude,
            by_alias=by_alias,
            exclude_unset=exclude_unset,
            exclude_defaults=exclude_defaults,
            exclude_none=exclude_none,
            is_coroutine=is_coroutine,
            endpoint_ctx=endpoint_ctx,
            dump_json=dump_json,
        )
    # While a coroutine is awaited, the frame below is the one that awaits it.
    frame = sys._getframe(1)
    if _is_handler(frame):
        response_class = frame.f_locals.get("actual_response_class")
        extras = {**extras, **_response.extras_of(response_class)}
        if _response.is_fused(response_class):
            return _response.Ready(encode(response_content, **extras))
    return jsonable_encoder(response_content, **extras)


functools.update_wrapper(_encode_tree, _original_encoder)
functools.update_wrapper(_serialize_response, _original_serialize)


def _is_handler(frame: FrameType) -> bool:
    """Whether the frame is a handler's that `get_request_handler` made."""
    code = frame.f_code
    return (
        frame.f_globals is routing.__dict__
        and code.co_name == "app"
        and "actual_response_class" in code.co_freevars
    )


_OURS: dict[tuple[Any, str], Any] = {
    (responses.JSONResponse, "render"): _response.render,
    (routing, "serialize_response"): _serialize_response,
    (encoders, "jsonable_encoder"): _encode_tree,
    (routing, "jsonable_encoder"): _encode_tree,
    (exception_handlers, "jsonable_encoder"): _encode_tree,
    (docs, "jsonable_encoder"): _encode_tree,
    (openapi, "jsonable_encoder"): _encode_tree,
}


def _rebind() -> None:
    """Bind every name as the present state wants it."""
    for place, ours in _OURS.items():
        holder, name = place
        # FastAPI's encoder calls itself by its name, as often as there are
        # values: where other apps use it, that name stays.
        is_wanted = _process.extras is not None or (bool(_layers) and holder is not encoders)
        if is_wanted and place not in _replaced:
            _replaced[place] = getattr(holder, name)
            setattr(holder, name, ours)
        elif not is_wanted and place in _replaced:
            theirs = _replaced.pop(place)
            # What somebody has put around ours since then stays.
            if getattr(holder, name) is ours:
                setattr(holder, name, theirs)


def _unknown() -> str | None:
    """Say what is there that this module does not know, if anything is."""
    for (module_name, name), known in KNOWN.items():
        module = sys.modules[module_name]
        try:
            found = digest(inspect.getsource(module), name)
        except (OSError, TypeError):
            return f"There is no source of {module_name} to tell its version by"
        if found not in known:
            package = sys.modules[module_name.partition(".")[0]]
            return f"linecaster does not know {module_name}.{name} of version {package.__version__}"
    for holder, name in _OURS:
        if getattr(holder, name) is not _ORIGINALS[name]:
            return f"{holder.__name__}.{name} has been replaced by something else"
    for original in _ORIGINALS.values():
        if original.__code__.co_filename != sys.modules[original.__module__].__file__:
            return f"{original.__module__}.{original.__name__} has been replaced by something else"
    return None
