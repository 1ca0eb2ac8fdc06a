"""`json.encoder`: the encoder, and the parts that it is made of."""

import json.encoder
from typing import TYPE_CHECKING, Any

_encoder: Any = json.encoder

ESCAPE = _encoder.ESCAPE
ESCAPE_ASCII = _encoder.ESCAPE_ASCII
ESCAPE_DCT = _encoder.ESCAPE_DCT
HAS_UTF8 = _encoder.HAS_UTF8
INFINITY = _encoder.INFINITY

c_encode_basestring = _encoder.c_encode_basestring
c_encode_basestring_ascii = _encoder.c_encode_basestring_ascii
c_make_encoder = _encoder.c_make_encoder
encode_basestring = _encoder.encode_basestring
encode_basestring_ascii = _encoder.encode_basestring_ascii
py_encode_basestring = _encoder.py_encode_basestring
py_encode_basestring_ascii = _encoder.py_encode_basestring_ascii


class JSONEncoder(json.encoder.JSONEncoder):
    """As `json.JSONEncoder`, of which it is a subclass.

    A subclass may override `default`, and is as fast as this class; where it
    overrides `encode` or `iterencode`, these are called.
    """

    if not TYPE_CHECKING:
        from linecaster._linecaster.json import encode, iterencode


def __getattr__(name: str) -> Any:
    return getattr(_encoder, name)
