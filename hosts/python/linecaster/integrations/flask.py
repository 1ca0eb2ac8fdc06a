"""Flask's JSON provider: `flask.json` and every response in JSON.

    from linecaster.integrations.flask import JSONProvider

    class App(Flask):
        json_provider_class = JSONProvider

It takes what Flask's own provider takes and gives the same bytes. Where
Linecaster refuses a value or a text, Flask's own provider is asked: so errors,
too, are Flask's own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask.json.provider import DefaultJSONProvider
from werkzeug.sansio.response import Response

import linecaster

__all__ = ["JSONProvider"]

# What Flask's `default` spells in another way than Linecaster, or not at all.
# Left are dataclasses, Decimal and UUID: objects and strings to both.
_FOR_FLASK = (
    "date",
    "datetime",
    "enum",
    "mapping",
    "path",
    "pydantic",
    "time",
    "timedelta",
)
_UNDERSTOOD = frozenset(
    ("allow_nan", "default", "ensure_ascii", "indent", "separators", "sort_keys")
)


class JSONProvider(DefaultJSONProvider):
    """`DefaultJSONProvider`, with its attributes, by Linecaster."""

    def dumps(self, obj: Any, **kwargs: Any) -> str:
        """Encode as `str`; takes the keywords of `json.dumps`."""
        options = self._options(kwargs)
        if options is not None:
            try:
                return linecaster.dumps(obj, **options)
            except TypeError:
                pass
        return super().dumps(obj, **kwargs)

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        """Decode; takes the keywords of `json.loads`."""
        if not kwargs:
            try:
                return linecaster.loads(s, allow_nan=True)
            except (TypeError, ValueError):
                pass
        return super().loads(s, **kwargs)

    def response(self, *args: Any, **kwargs: Any) -> Response:
        """Make a response of one value, or of a list or dict of the arguments."""
        if type(self).dumps is JSONProvider.dumps:
            options = self._options(self._layout())
            obj = self._prepare_response_obj(args, kwargs)
            try:
                # Not a `str` first, which the response would have to encode.
                body = linecaster.encode(obj, **options or {})
            except TypeError:
                pass
            else:
                make: Callable[..., Response] = self._app.response_class
                return make(body + b"\n", mimetype=self.mimetype)
        return super().response(*args, **kwargs)

    def _layout(self) -> dict[str, Any]:
        if (self.compact is None and self._app.debug) or self.compact is False:
            return {"indent": 2}
        return {"separators": (",", ":")}

    def _options(self, given: dict[str, Any]) -> dict[str, Any] | None:
        """Linecaster's options for keywords of `json.dumps`, if it has them all."""
        if not _UNDERSTOOD.issuperset(given):
            return None
        default = given.get("default", self.default)
        is_own = default is DefaultJSONProvider.default
        indent = given.get("indent")
        separators = given.get("separators")
        if separators is None:
            separators = (", ", ": ") if indent is None else (",", ": ")
        return {
            "default": default,
            "ensure_ascii": given.get("ensure_ascii", self.ensure_ascii),
            "sort_keys": given.get("sort_keys", self.sort_keys),
            "allow_nan": bool(given.get("allow_nan", True)),
            "indent": indent,
            "separators": separators,
            "non_str_keys": True,
            "decimal": "string",
            "passthrough": _FOR_FLASK if is_own else "all",
        }
