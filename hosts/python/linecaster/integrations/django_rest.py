"""Renderer and parser for Django REST framework.

    REST_FRAMEWORK = {
        "DEFAULT_RENDERER_CLASSES": ["linecaster.integrations.django_rest.JSONRenderer"],
        "DEFAULT_PARSER_CLASSES": ["linecaster.integrations.django_rest.JSONParser"],
    }

Both follow the same settings (`UNICODE_JSON`, `COMPACT_JSON`, `STRICT_JSON`)
and class attributes as the framework's own, which are asked where Linecaster
refuses something: so errors are the framework's own.
"""

from __future__ import annotations

import codecs
import io
import json
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from rest_framework import compat, parsers, renderers
from rest_framework.utils import encoders

import linecaster

__all__ = ["JSONParser", "JSONRenderer"]

# What the framework's encoder spells in another way than Linecaster, or not at
# all. Left are date, datetime, time and UUID: the same strings to both.
_FOR_FRAMEWORK = (
    "dataclass",
    "decimal",
    "enum",
    "mapping",
    "path",
    "pydantic",
    "timedelta",
)
_OWN_DEFAULT: Callable[[Any], Any] = encoders.JSONEncoder().default


class _Readable(Protocol):
    def read(self) -> bytes: ...


class JSONRenderer(renderers.JSONRenderer):
    """`rest_framework.renderers.JSONRenderer` by Linecaster.

    An `encoder_class` of its own may define `default`; one that redefines more
    of `json.JSONEncoder` is used as it is, without Linecaster.
    """

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Encode the data of a response."""
        if data is None:
            return b""
        indent = self.get_indent(accepted_media_type, renderer_context or {})
        options = self._options()
        if options is not None:
            try:
                text = linecaster.dumps(
                    data, indent=indent, separators=self._separators(indent), **options
                )
            except TypeError:
                pass
            else:
                if not text.isascii():
                    text = text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
                return text.encode()
        rendered: bytes = super().render(data, accepted_media_type, renderer_context)
        return rendered

    def _separators(self, indent: object) -> tuple[str, str]:
        pair: tuple[str, str]
        if indent is not None:
            pair = compat.INDENT_SEPARATORS
        else:
            pair = compat.SHORT_SEPARATORS if self.compact else compat.LONG_SEPARATORS
        return pair

    def _options(self) -> dict[str, Any] | None:
        """Linecaster's options; `None` if the encoder is more than a `default`."""
        options: dict[str, Any] = {
            "ensure_ascii": self.ensure_ascii,
            "allow_nan": not self.strict,
            "non_str_keys": True,
            "utc_z": True,
        }
        encoder: type[json.JSONEncoder] = self.encoder_class
        if encoder is encoders.JSONEncoder:
            return {**options, "default": _OWN_DEFAULT, "passthrough": _FOR_FRAMEWORK}
        if (
            encoder.__init__ is not json.JSONEncoder.__init__
            or encoder.encode is not json.JSONEncoder.encode
            or encoder.iterencode is not json.JSONEncoder.iterencode
        ):
            return None
        return {**options, "default": encoder().default, "passthrough": "all"}


class JSONParser(parsers.JSONParser):
    """`rest_framework.parsers.JSONParser` by Linecaster."""

    renderer_class = JSONRenderer

    def parse(
        self,
        stream: _Readable,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Decode the body of a request; `ParseError` if it is not JSON."""
        encoding = parsers.get_encoding(parser_context or {})
        if codecs.lookup(encoding).name != "utf-8":
            return super().parse(stream, media_type, parser_context)
        data = stream.read()
        try:
            return linecaster.loads(data, allow_nan=not self.strict)
        except (TypeError, ValueError):
            return super().parse(io.BytesIO(data), media_type, parser_context)
