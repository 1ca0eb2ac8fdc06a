"""Types of the native module; docs/options.md says what the options mean."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Set
from typing import Any, Literal, Protocol, TypeAlias, final, overload

from typing_extensions import Self, disjoint_base

__all__ = [
    "ChunkIterator",
    "DecodeError",
    "Decoder",
    "EncodeError",
    "Encoder",
    "ValueIterator",
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

class _Chunked(Protocol):
    def read(self, size: int, /) -> str | bytes | bytearray | memoryview: ...

class _Receiver(Protocol):
    def recv(self, size: int, /) -> bytes: ...

_Text: TypeAlias = str | bytes | bytearray | memoryview
_Source: TypeAlias = (
    _Text
    | os.PathLike[str]
    | os.PathLike[bytes]
    | _Chunked
    | _Receiver
    | Iterable[str]
    | Iterable[bytes]
    | Iterable[bytearray]
    | Iterable[memoryview]
)
_Errors: TypeAlias = Literal["raise", "skip"] | Callable[[DecodeError], object]
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

class DecodeError(json.JSONDecodeError):
    offset: int
    """Characters before the error, in all of the text; of text in pieces only."""

@final
class ChunkIterator(Iterator[bytes]):
    def __iter__(self) -> Self: ...
    def __next__(self) -> bytes: ...
    def close(self) -> None: ...

@final
class ValueIterator(Iterator[Any]):
    def __iter__(self) -> Self: ...
    def __next__(self) -> Any: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *args: object) -> None: ...
    def close(self) -> None: ...

@disjoint_base
class Decoder:
    def __new__(
        cls,
        *,
        object_hook: Callable[[dict[str, Any]], Any] | None = None,
        object_pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None = None,
        parse_float: Callable[[str], Any] | None = None,
        parse_int: Callable[[str], Any] | None = None,
        max_depth: int = 1024,
        strict: bool = True,
        allow_nan: bool = False,
        surrogates: Literal["pass", "strict"] = "pass",
    ) -> Self: ...
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, Any]]: ...
    def loads(self, text: _Text, /) -> Any: ...
    def load(self, fp: _Reader, /) -> Any: ...
    def decode_lines(
        self, source: _Source, /, *, errors: _Errors = "raise", chunk_size: int = 65536
    ) -> ValueIterator: ...
    def iter_items(
        self, source: _Source, /, path: str, *, chunk_size: int = 65536
    ) -> ValueIterator: ...

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
    text: _Text,
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
def decode_lines(
    source: _Source,
    /,
    *,
    errors: _Errors = "raise",
    chunk_size: int = 65536,
    object_hook: Callable[[dict[str, Any]], Any] | None = None,
    object_pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None = None,
    parse_float: Callable[[str], Any] | None = None,
    parse_int: Callable[[str], Any] | None = None,
    max_depth: int = 1024,
    strict: bool = True,
    allow_nan: bool = False,
    surrogates: Literal["pass", "strict"] = "pass",
) -> ValueIterator: ...
def iter_items(
    source: _Source,
    /,
    path: str,
    *,
    chunk_size: int = 65536,
    object_hook: Callable[[dict[str, Any]], Any] | None = None,
    object_pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None = None,
    parse_float: Callable[[str], Any] | None = None,
    parse_int: Callable[[str], Any] | None = None,
    max_depth: int = 1024,
    strict: bool = True,
    allow_nan: bool = False,
    surrogates: Literal["pass", "strict"] = "pass",
) -> ValueIterator: ...
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
