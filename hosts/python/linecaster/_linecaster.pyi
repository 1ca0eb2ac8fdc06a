"""Types of the native module; docs/options.md says what the options mean."""

import json
from collections.abc import Callable, Set
from typing import Any, Literal, Protocol, TypeAlias

__all__ = ["DecodeError", "EncodeError", "__version__", "implementation", "implementations"]

__version__: str

class _Writer(Protocol):
    def write(self, text: str, /) -> object: ...

class _Reader(Protocol):
    def read(self) -> str | bytes | bytearray | memoryview: ...

_Kind: TypeAlias = Literal[
    "dataclass",
    "date",
    "datetime",
    "decimal",
    "enum",
    "mapping",
    "path",
    "pydantic",
    "time",
    "timedelta",
    "uuid",
]
_Kinds: TypeAlias = tuple[_Kind, ...] | list[_Kind] | Set[_Kind]

class EncodeError(TypeError):
    path: str

class DecodeError(json.JSONDecodeError): ...

def implementations() -> tuple[str, ...]: ...
def implementation() -> str: ...
def dumps(
    obj: Any,
    /,
    *,
    default: Callable[[Any], Any] | None = None,
    ensure_ascii: bool = False,
    indent: int | str | None = None,
    separators: tuple[str, str] | list[str] | None = None,
    sort_keys: bool = False,
    skip_keys: bool = False,
    allow_nan: bool | Literal["raise", "keep", "null"] = "raise",
    non_str_keys: bool = False,
    big_int: Literal["exact", "string", "raise"] = "exact",
    decimal: Literal["number", "string"] = "number",
    surrogates: Literal["pass", "strict"] | None = None,
    max_depth: int = 1024,
    iterables: bool = False,
    naive_utc: bool = False,
    utc_z: bool = False,
    omit_microseconds: bool = False,
    passthrough: Literal["all"] | _Kinds | None = None,
) -> str: ...
def encode(
    obj: Any,
    /,
    *,
    default: Callable[[Any], Any] | None = None,
    ensure_ascii: bool = False,
    indent: int | str | None = None,
    separators: tuple[str, str] | list[str] | None = None,
    sort_keys: bool = False,
    skip_keys: bool = False,
    allow_nan: bool | Literal["raise", "keep", "null"] = "raise",
    non_str_keys: bool = False,
    big_int: Literal["exact", "string", "raise"] = "exact",
    decimal: Literal["number", "string"] = "number",
    surrogates: Literal["pass", "strict"] | None = None,
    max_depth: int = 1024,
    iterables: bool = False,
    naive_utc: bool = False,
    utc_z: bool = False,
    omit_microseconds: bool = False,
    passthrough: Literal["all"] | _Kinds | None = None,
) -> bytes: ...
def dump(
    obj: Any,
    fp: _Writer,
    *,
    default: Callable[[Any], Any] | None = None,
    ensure_ascii: bool = False,
    indent: int | str | None = None,
    separators: tuple[str, str] | list[str] | None = None,
    sort_keys: bool = False,
    skip_keys: bool = False,
    allow_nan: bool | Literal["raise", "keep", "null"] = "raise",
    non_str_keys: bool = False,
    big_int: Literal["exact", "string", "raise"] = "exact",
    decimal: Literal["number", "string"] = "number",
    surrogates: Literal["pass", "strict"] | None = None,
    max_depth: int = 1024,
    iterables: bool = False,
    naive_utc: bool = False,
    utc_z: bool = False,
    omit_microseconds: bool = False,
    passthrough: Literal["all"] | _Kinds | None = None,
) -> None: ...
def encode_into(
    obj: Any,
    buffer: bytearray,
    offset: int = 0,
    *,
    default: Callable[[Any], Any] | None = None,
    ensure_ascii: bool = False,
    indent: int | str | None = None,
    separators: tuple[str, str] | list[str] | None = None,
    sort_keys: bool = False,
    skip_keys: bool = False,
    allow_nan: bool | Literal["raise", "keep", "null"] = "raise",
    non_str_keys: bool = False,
    big_int: Literal["exact", "string", "raise"] = "exact",
    decimal: Literal["number", "string"] = "number",
    surrogates: Literal["pass", "strict"] | None = None,
    max_depth: int = 1024,
    iterables: bool = False,
    naive_utc: bool = False,
    utc_z: bool = False,
    omit_microseconds: bool = False,
    passthrough: Literal["all"] | _Kinds | None = None,
) -> None: ...
def loads(
    text: str | bytes | bytearray | memoryview,
    /,
    *,
    object_hook: Callable[[dict[str, Any]], Any] | None = None,
    object_pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None = None,
    parse_float: Callable[[str], Any] | None = None,
    parse_int: Callable[[str], Any] | None = None,
    max_depth: int = 1024,
    strict: bool = True,
    allow_nan: bool = False,
    surrogates: Literal["pass", "strict"] = "pass",
) -> Any: ...
def load(
    fp: _Reader,
    /,
    *,
    object_hook: Callable[[dict[str, Any]], Any] | None = None,
    object_pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None = None,
    parse_float: Callable[[str], Any] | None = None,
    parse_int: Callable[[str], Any] | None = None,
    max_depth: int = 1024,
    strict: bool = True,
    allow_nan: bool = False,
    surrogates: Literal["pass", "strict"] = "pass",
) -> Any: ...
