"""What a function makes of its arguments, for comparing `linecaster.json` with `json`."""

from collections.abc import Callable
from typing import Any


def outcome(function: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Return what a call returns, or what its exception says."""
    try:
        return function(*args, **options)
    except Exception as error:
        return said(error)


def said(error: BaseException | None) -> Any:
    """Everything that an exception says."""
    if error is None:
        return None
    places = {name: getattr(error, name, None) for name in ("msg", "doc", "pos", "lineno", "colno")}
    notes = getattr(error, "__notes__", None)
    return type(error), str(error), places, notes, said(error.__cause__)


class Writer:
    """A file that takes anything."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def write(self, part: object) -> None:
        self.parts.append(str(part))

    @property
    def text(self) -> str:
        return "".join(self.parts)
