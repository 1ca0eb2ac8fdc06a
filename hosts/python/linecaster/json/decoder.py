"""`json.decoder`: the decoder, and the parts that it is made of."""

import functools
import json.decoder
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any

from . import scanner

__all__ = ["JSONDecodeError", "JSONDecoder"]

_decoder: Any = json.decoder

BACKSLASH = _decoder.BACKSLASH
FLAGS = _decoder.FLAGS
STRINGCHUNK = _decoder.STRINGCHUNK
WHITESPACE = _decoder.WHITESPACE
WHITESPACE_STR = _decoder.WHITESPACE_STR
NaN = _decoder.NaN
NegInf = _decoder.NegInf
PosInf = _decoder.PosInf

JSONArray = _decoder.JSONArray
JSONObject = _decoder.JSONObject
c_scanstring = _decoder.c_scanstring
py_scanstring = _decoder.py_scanstring
scanstring = _decoder.scanstring


class JSONDecoder(json.decoder.JSONDecoder):
    """As `json.JSONDecoder`, of which it is a subclass."""

    scan_once: Any

    if TYPE_CHECKING:

        def decode(self, s: str, _w: Any = None) -> Any:
            """The Python objects of the document that `s` is."""

    else:

        @functools.wraps(json.decoder.JSONDecoder.__init__)
        def __init__(self, **options):
            super().__init__(**options)
            self.scan_once = scanner.make_scanner(self)

        from linecaster._linecaster.json import decode, raw_decode


def __getattr__(name: str) -> Any:
    return getattr(_decoder, name)
