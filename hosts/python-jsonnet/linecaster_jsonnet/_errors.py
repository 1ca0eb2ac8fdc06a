"""What the native module raises, and what it raises it with."""

from __future__ import annotations

from typing import Any, NamedTuple


class TraceFrame(NamedTuple):
    """A line of a trace: where the evaluation was, or what it did."""

    location: str
    """`file:line:columns`, or what was done, such as `During evaluation`."""
    context: str
    """What surrounds the place, such as `function <f>`."""
    file: str | None
    line: int | None
    column: int | None


class JsonnetError(RuntimeError):
    """A program is wrong, or its evaluation failed.

    Its text is the whole message with its trace, as go-jsonnet writes it. The
    exception of a callback is its `__cause__`.
    """

    def __init__(
        self,
        text: str,
        message: str | None = None,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        trace: tuple[TraceFrame, ...] = (),
    ) -> None:
        super().__init__(text)
        self.message = text if message is None else message
        self.file = file
        self.line = line
        self.column = column
        self.trace = trace

    def __reduce__(self) -> tuple[Any, ...]:
        place = (self.file, self.line, self.column)
        return type(self), (str(self), self.message, *place, self.trace)
