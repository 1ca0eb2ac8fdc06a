"""The JSON response of Starlette and FastAPI.

    from linecaster.integrations.starlette import JSONResponse

Whatever Starlette's own `JSONResponse` writes is written by this one, to the
byte. Beyond that it takes what `linecaster.encode` takes: dataclasses, dates
and times, UUID, Decimal, enums, paths, mappings, Pydantic models.
"""

from __future__ import annotations

import enum
from typing import Any

from starlette import responses

import linecaster

__all__ = ["JSONResponse"]


class JSONResponse(responses.JSONResponse):
    """`starlette.responses.JSONResponse` by Linecaster.

    A subclass may define `default` for further types.
    """

    def render(self, content: Any) -> bytes:
        """Encode the content of the response.

        NaN and infinities are a `ValueError`, as in Starlette; what has no JSON
        form is an `EncodeError`, a `TypeError` that names the place.
        """
        try:
            # Enums of str and int are strings and numbers as they are, all
            # others are their values.
            return linecaster.encode(
                content, default=self._spell, non_str_keys=True, passthrough=("enum",)
            )
        except TypeError:
            pass
        try:
            return super().render(content)
        except TypeError:
            pass
        # Raises again: an error that names the place.
        is_own = type(self).default is not JSONResponse.default
        return linecaster.encode(
            content, default=self.default if is_own else None, non_str_keys=True
        )

    def default(self, value: Any) -> Any:
        """Return what stands for a value without a JSON form, or raise `TypeError`."""
        raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")

    def _spell(self, value: Any) -> Any:
        return value.value if isinstance(value, enum.Enum) else self.default(value)
