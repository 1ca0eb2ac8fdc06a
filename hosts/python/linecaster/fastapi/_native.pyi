"""Types of the native part."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

from fastapi.types import IncEx

__all__ = ["adopt", "adopt_models", "encode", "jsonable_encoder"]

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
    short: Callable[[Any], Any] | None,
    short_none: Callable[[Any], Any] | None,
    /,
) -> None: ...
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
) -> bytes: ...
