"""Types of the native part."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

from fastapi.types import IncEx

__all__ = ["adopt", "adopt_extras", "adopt_models", "encode", "jsonable_encoder", "stamps"]

def adopt(
    encoders: ModuleType,
    members: Callable[[Any], Any],
    pair: Callable[[Any], tuple[Any, Any]],
    defaults_in_dicts: bool,
    /,
) -> None: ...
def adopt_models(
    plan: Callable[[type], Any],
    model_dump: Callable[..., Any],
    shorts: tuple[Callable[[Any], Any] | None, ...],
    /,
) -> None: ...
def adopt_extras(
    plain: Callable[[Any], Any],
    dump: Callable[..., Any],
    related: Callable[[Any], tuple[Any, tuple[tuple[str, Any, frozenset[str]], ...]]],
    /,
) -> None: ...
def stamps(array: Any, /) -> Any: ...
def jsonable_encoder(
    obj: Any,
    include: IncEx | None = None,
    exclude: IncEx | None = None,
    by_alias: bool = True,
    exclude_unset: bool = False,
    exclude_defaults: bool = False,
    exclude_none: bool = False,
    custom_encoder: dict[Any, Callable[[Any], Any]] | None = None,
    sqlalchemy_safe: bool = True,
    *,
    numpy: bool = False,
    deep: bool = False,
    rows: bool = False,
    relationships: bool = False,
) -> Any: ...
def encode(
    obj: Any,
    include: IncEx | None = None,
    exclude: IncEx | None = None,
    by_alias: bool = True,
    exclude_unset: bool = False,
    exclude_defaults: bool = False,
    exclude_none: bool = False,
    custom_encoder: dict[Any, Callable[[Any], Any]] | None = None,
    sqlalchemy_safe: bool = True,
    *,
    numpy: bool = False,
    deep: bool = False,
    rows: bool = False,
    relationships: bool = False,
) -> bytes: ...
