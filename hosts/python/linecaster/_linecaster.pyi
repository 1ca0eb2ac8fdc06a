"""Types of the native module; docs/options.md says what the options mean."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Set
from typing import Any, Literal, Protocol, TypeAlias, final, overload

from typing_extensions import Self, disjoint_base

__all__ = [
    "ChunkIterator",
    "DecodeError",
    "EncodeError",
    "Encoder",
    "__version__",
    "implementation",
    "implementations",
]

__version__: str

class _Writer(Protocol):
    """A file of text or of bytes; which of them, the file says itself."""

    def write(self, data: Any, /) -> object: ...

class _Socket(Protocol):
    def sendall(self, data: bytes, /) -> object: ...

_Target: TypeAlias = _Writer | _Socket | os.PathLike[str] | os.PathLike[bytes]

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

@final
class ChunkIterator(Iterator[bytes]):
    def __iter__(self) -> Self: ...
    def __next__(self) -> bytes: ...
    def close(self) -> None: ...

@disjoint_base
class Encoder:
    def __new__(
        cls,
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
    ) -> Self: ...
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, Any]]: ...
    def encode(self, obj: Any, /) -> bytes: ...
    def dumps(self, obj: Any, /) -> str: ...
    def encode_into(self, obj: Any, buffer: bytearray, offset: int = 0) -> None: ...
    def dump(self, obj: Any, fp: _Target) -> None: ...
    def iterencode(self, obj: Any, /, *, chunk_size: int = 65536) -> ChunkIterator: ...
    @overload
    def encode_lines(self, iterable: Iterable[Any], /, fp: None = None) -> bytes: ...
    @overload
    def encode_lines(self, iterable: Iterable[Any], /, fp: _Target) -> int: ...
    def iterencode_lines(
        self, iterable: Iterable[Any], /, *, chunk_size: int = 65536
    ) -> ChunkIterator: ...

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
    fp: _Target,
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
def iterencode(
    obj: Any,
    /,
    *,
    chunk_size: int = 65536,
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
) -> ChunkIterator: ...
@overload
def encode_lines(
    iterable: Iterable[Any],
    /,
    fp: None = None,
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
@overload
def encode_lines(
    iterable: Iterable[Any],
    /,
    fp: _Target,
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
) -> int: ...
def iterencode_lines(
    iterable: Iterable[Any],
    /,
    *,
    chunk_size: int = 65536,
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
) -> ChunkIterator: ...
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
