"""What the native walk calls for its extras: numpy and SQLAlchemy are not imported here."""

from __future__ import annotations

import inspect
import sys
import weakref
from typing import Any

from pydantic_core import PydanticSerializationError

from ._native import stamps

__all__ = ["dump", "plain", "related"]

# Units of datetime64 that are whole seconds.
_COARSE = frozenset(["Y", "M", "W", "D", "h", "m", "s"])


def plain(op: Any) -> Any:
    """Return what stands for an array or scalar of numpy: what `tolist` gives, in Python's types.

    Instants become the text of their date and time, durations `timedelta`.
    """
    numpy = sys.modules["numpy"]
    kind, size = op.dtype.kind, op.dtype.itemsize
    if kind == "M":
        unit = numpy.datetime_data(op.dtype)[0]
        if hasattr(op, "filled"):
            op = op.filled(numpy.datetime64("NaT", unit))
        whole = "s" if unit in _COARSE else "us"
        return stamps(numpy.array(op, f"=M8[{whole}]", order="C", copy=True, subok=False))
    if kind == "m":
        op = op.astype("m8[us]")
    elif kind == "f" and size > 8:
        op = op.astype("f8")
    elif kind == "c" and size > 16:
        op = op.astype("c16")
    return op.tolist()


# Whether `model_dump` of a class takes a `fallback` (since Pydantic 2.11).
_HAS_FALLBACK: weakref.WeakKeyDictionary[type, bool] = weakref.WeakKeyDictionary()


def _fallback(value: Any) -> Any:
    """Return what stands for a value that Pydantic does not know, or raise its error."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic)):
        return plain(value)
    raise PydanticSerializationError(f"Unable to serialize unknown type: {type(value)}")


def dump(
    model: Any,
    include: Any,
    exclude: Any,
    by_alias: Any,
    exclude_unset: Any,
    exclude_none: Any,
    exclude_defaults: Any,
) -> Any:
    """Dump a model that may hold arrays."""
    cls = type(model)
    has_fallback = _HAS_FALLBACK.get(cls)
    if has_fallback is None:
        has_fallback = "fallback" in inspect.signature(cls.model_dump).parameters
        _HAS_FALLBACK[cls] = has_fallback
    return model.model_dump(
        mode="json",
        include=include,
        exclude=exclude,
        by_alias=by_alias,
        exclude_unset=exclude_unset,
        exclude_none=exclude_none,
        exclude_defaults=exclude_defaults,
        **({"fallback": _fallback} if has_fallback else {}),
    )


# Of each mapped class: the names of its relationships, and what leads back from each.
_RELATIONS: weakref.WeakKeyDictionary[type, dict[str, frozenset[str]]] = weakref.WeakKeyDictionary()


def _relations(cls: Any) -> dict[str, frozenset[str]]:
    """Return the relationships of a mapped class, and what leads back from each."""
    mapper = cls.__mapper__
    found = {}
    for key, relation in mapper.relationships.items():
        back = {
            other.key
            for other in relation.mapper.relationships
            if other.back_populates == key and other.mapper.common_parent(mapper)
        }
        if relation.back_populates:
            back.add(relation.back_populates)
        found[key] = frozenset(back)
    _RELATIONS[cls] = found
    return found


def related(obj: Any) -> tuple[Any, tuple[tuple[str, Any, frozenset[str]], ...]]:
    """Return what a mapped object has without its relationships, and those that are loaded.

    The former is `None` for a model, which can be dumped. Nothing is loaded by
    this: what is there is in the object's own dict.
    """
    cls = type(obj)
    relations = _RELATIONS.get(cls)
    if relations is None:
        relations = _relations(cls)
    own = obj.__dict__
    loaded = tuple((key, own[key], back) for key, back in relations.items() if key in own)
    if hasattr(cls, "model_dump"):
        return None, loaded
    return {key: value for key, value in own.items() if key not in relations}, loaded
