"""Rows and mapped objects of SQLAlchemy.

    from linecaster.integrations import sqlalchemy as rows

    rows.dumps(session.execute(select(User.id, User.name)).all())
    rows.encode(session.scalars(select(User)).all())

A `Row` becomes an object of its columns, and so does a `RowMapping`; an object
of a mapped class becomes an object of its column attributes. For calls of
one's own: `linecaster.dumps(value, default=rows.default)`, with
`passthrough=("dataclass",)` if mapped classes are dataclasses.

`json_serializer` and `json_deserializer` are for `create_engine`: columns of
type JSON are then written and read by Linecaster, in the same bytes.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import Any

from sqlalchemy import inspect
from sqlalchemy.engine import Row
from sqlalchemy.orm import InstanceState

import linecaster

__all__ = [
    "column_values",
    "default",
    "dumps",
    "encode",
    "json_deserializer",
    "json_serializer",
    "make_default",
]

# What `json.dumps` gives.
_LIKE_JSON = linecaster.Encoder(
    ensure_ascii=True,
    separators=(", ", ": "),
    allow_nan=True,
    non_str_keys=True,
    passthrough="all",
)


def column_values(instance: object) -> dict[str, Any]:
    """Return the column attributes of an object of a mapped class, by name.

    Relationships are left out, since reading one may run a query or lead back.
    So are columns that the query or the flush did not load; expired ones, as all
    are after a commit, are loaded again, as reading them does anywhere.
    """
    state: InstanceState[Any] = inspect(instance)
    loaded = state.dict
    # Without an identity there is nothing to load: reading gives None.
    is_stored = state.key is not None
    values = {}
    for attribute in state.mapper.column_attrs:
        name = attribute.key
        if name in loaded:
            values[name] = loaded[name]
        elif not is_stored or (name in state.expired_attributes and not attribute.deferred):
            values[name] = getattr(instance, name)
    return values


def default(value: Any) -> Any:
    """Say what stands for a row or a mapped object; for the option `default`."""
    if isinstance(value, Row):
        return value._mapping
    if isinstance(inspect(value, raiseerr=False), InstanceState):
        return column_values(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        # Here because of `passthrough`: one that is not mapped.
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def make_default(fallback: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Make a `default` that asks `fallback` for what SQLAlchemy does not know."""

    def row_or_fallback(value: Any) -> Any:
        try:
            return default(value)
        except TypeError:
            return fallback(value)

    return row_or_fallback


def _options(options: dict[str, Any]) -> dict[str, Any]:
    fallback = options.pop("default", None)
    chosen = default if fallback is None else make_default(fallback)
    # Mapped dataclasses would be read by all their fields, relationships too.
    return {"default": chosen, "passthrough": ("dataclass",), **options}


def dumps(value: Any, **options: Any) -> str:
    """`linecaster.dumps`, for values with rows and mapped objects in them."""
    return linecaster.dumps(value, **_options(options))


def encode(value: Any, **options: Any) -> bytes:
    """`linecaster.encode`, for values with rows and mapped objects in them."""
    return linecaster.encode(value, **_options(options))


def json_serializer(value: Any) -> str:
    """Encode the value of a JSON column: what `json.dumps` gives, to the byte."""
    try:
        return _LIKE_JSON.dumps(value)
    except TypeError:
        pass
    return json.dumps(value)


def json_deserializer(text: str | bytes) -> Any:
    """Decode the value of a JSON column, as `json.loads` does."""
    try:
        return linecaster.loads(text, allow_nan=True)
    except (TypeError, ValueError):
        pass
    return json.loads(text)
