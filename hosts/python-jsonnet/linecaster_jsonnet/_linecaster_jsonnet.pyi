"""Types of the native module; docs/jsonnet-python.md says what the arguments mean."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Literal, TypeAlias, final

__all__ = [
    "VM",
    "__version__",
    "command",
    "evaluate",
    "evaluate_file",
    "evaluate_snippet",
    "manifest",
]

__version__: str

_Path: TypeAlias = str | PathLike[str]
_Paths: TypeAlias = _Path | list[_Path] | list[str] | tuple[_Path, ...]
_Import: TypeAlias = Callable[[str, str], tuple[str, bytes]]
_Natives: TypeAlias = dict[str, tuple[tuple[str, ...], Callable[..., Any]]]
_Format: TypeAlias = Literal[
    "json", "json-minified", "yaml", "toml", "ini", "xml", "python", "string"
]

def evaluate(
    code: str | None = None,
    *,
    path: _Path | None = None,
    ext_vars: dict[str, str] | None = None,
    ext_codes: dict[str, str] | None = None,
    tlas: dict[str, str] | None = None,
    tla_codes: dict[str, str] | None = None,
    jpath: _Paths | None = None,
    import_callback: _Import | None = None,
    native_callbacks: _Natives | None = None,
    max_stack: int = 500,
    max_memory: int | None = None,
    max_steps: int | None = None,
) -> Any: ...
def manifest(
    code: str | None = None,
    *,
    format: _Format = "json",  # noqa: A002
    path: _Path | None = None,
    ext_vars: dict[str, str] | None = None,
    ext_codes: dict[str, str] | None = None,
    tlas: dict[str, str] | None = None,
    tla_codes: dict[str, str] | None = None,
    jpath: _Paths | None = None,
    import_callback: _Import | None = None,
    native_callbacks: _Natives | None = None,
    max_stack: int = 500,
    max_memory: int | None = None,
    max_steps: int | None = None,
) -> str: ...
def evaluate_file(
    filename: _Path,
    jpathdir: _Paths | None = None,
    max_stack: int = 500,
    gc_min_objects: int = 1000,
    gc_growth_trigger: float = 2.0,
    ext_vars: dict[str, str] | None = None,
    ext_codes: dict[str, str] | None = None,
    tla_vars: dict[str, str] | None = None,
    tla_codes: dict[str, str] | None = None,
    max_trace: int = 20,
    import_callback: _Import | None = None,
    native_callbacks: _Natives | None = None,
) -> str: ...
def evaluate_snippet(
    filename: str,
    src: str,
    jpathdir: _Paths | None = None,
    max_stack: int = 500,
    gc_min_objects: int = 1000,
    gc_growth_trigger: float = 2.0,
    ext_vars: dict[str, str] | None = None,
    ext_codes: dict[str, str] | None = None,
    tla_vars: dict[str, str] | None = None,
    tla_codes: dict[str, str] | None = None,
    max_trace: int = 20,
    import_callback: _Import | None = None,
    native_callbacks: _Natives | None = None,
) -> str: ...
def command(arguments: Sequence[str]) -> int: ...

@final
class VM:
    def __new__(
        cls,
        *,
        ext_vars: dict[str, str] | None = None,
        ext_codes: dict[str, str] | None = None,
        tlas: dict[str, str] | None = None,
        tla_codes: dict[str, str] | None = None,
        jpath: _Paths | None = None,
        import_callback: _Import | None = None,
        native_callbacks: _Natives | None = None,
        max_stack: int = 500,
        max_memory: int | None = None,
        max_steps: int | None = None,
    ) -> VM: ...
    def evaluate(
        self,
        code: str | None = None,
        *,
        path: _Path | None = None,
        ext_vars: dict[str, str] | None = None,
        ext_codes: dict[str, str] | None = None,
        tlas: dict[str, str] | None = None,
        tla_codes: dict[str, str] | None = None,
    ) -> Any: ...
    def manifest(
        self,
        code: str | None = None,
        *,
        path: _Path | None = None,
        format: _Format = "json",  # noqa: A002
        ext_vars: dict[str, str] | None = None,
        ext_codes: dict[str, str] | None = None,
        tlas: dict[str, str] | None = None,
        tla_codes: dict[str, str] | None = None,
    ) -> str: ...
    def clear(self) -> None: ...
