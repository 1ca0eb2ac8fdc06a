"""Types of the drop-in for ujson 6.1; docs/ujson.md says where it differs."""

from collections.abc import Callable
from typing import Any, Final, Protocol

__all__ = ["JSONDecodeError", "__version__", "decode", "dump", "dumps", "encode", "load", "loads"]

__version__: Final[str]

class _Writer(Protocol):
    def write(self, text: str, /) -> object: ...

class _Reader(Protocol):
    def read(self) -> str | bytes | bytearray: ...

class JSONDecodeError(ValueError): ...

def dumps(
    obj: Any,
    ensure_ascii: bool = True,
    encode_html_chars: bool = False,
    escape_forward_slashes: bool = True,
    sort_keys: bool = False,
    indent: int = 0,
    allow_nan: bool = True,
    reject_bytes: bool = True,
    default: Callable[[Any], Any] | None = None,
    separators: tuple[str, str] | None = None,
) -> str: ...
def encode(
    obj: Any,
    ensure_ascii: bool = True,
    encode_html_chars: bool = False,
    escape_forward_slashes: bool = True,
    sort_keys: bool = False,
    indent: int = 0,
    allow_nan: bool = True,
    reject_bytes: bool = True,
    default: Callable[[Any], Any] | None = None,
    separators: tuple[str, str] | None = None,
) -> str: ...
def dump(
    obj: Any,
    fp: _Writer,
    /,
    *,
    ensure_ascii: bool = True,
    encode_html_chars: bool = False,
    escape_forward_slashes: bool = True,
    sort_keys: bool = False,
    indent: int = 0,
    allow_nan: bool = True,
    reject_bytes: bool = True,
    default: Callable[[Any], Any] | None = None,
    separators: tuple[str, str] | None = None,
) -> None: ...
def loads(obj: str | bytes | bytearray) -> Any: ...
def decode(obj: str | bytes | bytearray) -> Any: ...
def load(fp: _Reader, /) -> Any: ...
