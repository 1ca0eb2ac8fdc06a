"""The JSON response: both steps, encoder and `json.dumps`, in one walk.

`Ready` carries bytes that are finished already to the `render` of a response.
Starlette's `JSONResponse.render` is replaced by `render` while FastAPI is
rebound, so that a response of exactly the class that a route asked for can be
made from such bytes; anything else it hands to the original.
"""

from __future__ import annotations

import functools
from typing import Any

from starlette import responses

from ._native import encode

__all__ = ["JSONResponse", "Ready", "extras_of", "is_fused", "render"]

# Those that have to do with a content alone.
_EXTRAS = ("numpy", "rows", "relationships")
_INIT = responses.JSONResponse.__init__
_RENDER = responses.JSONResponse.render


class Ready:
    """The finished body of a response."""

    __slots__ = ("body",)

    def __init__(self, body: bytes) -> None:
        self.body = body


class JSONResponse(responses.JSONResponse):
    """A response of whatever FastAPI's `jsonable_encoder` takes.

    What Starlette's `JSONResponse` accepts is written to the same bytes; models,
    dataclasses, dates and the like as `jsonable_encoder` writes them. A subclass
    asks for extras by attributes of their names:

        class Table(JSONResponse):
            numpy = True
    """

    numpy = False
    rows = False
    relationships = False

    def render(self, content: Any) -> bytes:
        """Encode the content of the response."""
        if type(content) is Ready:
            return content.body
        # All keys stay, also those that the encoder takes for SQLAlchemy's.
        return encode(content, sqlalchemy_safe=False, **extras_of(type(self)))


@functools.wraps(_RENDER)
def render(self: responses.JSONResponse, content: Any) -> bytes:
    """Encode the content of a response as Starlette does, unless it is ready."""
    if type(content) is Ready:
        return content.body
    return _RENDER(self, content)


def extras_of(response_class: Any) -> dict[str, Any]:
    """Return the extras that a class of responses asks for."""
    if not (isinstance(response_class, type) and issubclass(response_class, JSONResponse)):
        return {}
    return {name: True for name in _EXTRAS if getattr(response_class, name)}


def is_fused(response_class: Any) -> bool:
    """Whether nothing but `render` will see the content given to the class."""
    if not isinstance(response_class, type):
        return False
    return (
        getattr(response_class, "render", None) in _RENDERERS
        and getattr(response_class, "__init__", None) is _INIT
        and getattr(response_class, "__new__", None) is object.__new__
        and type(response_class).__call__ is type.__call__
    )


_RENDERERS = (render, JSONResponse.render)
