"""Documents by the line and in pieces, each library used as its users use it.

Most libraries know one document at a time: theirs are loops over lines, with
the file's `write` or lines taken from the file. Where a library has a function
of its own for lines, both ways are tried, and the faster one is taken. What
has no streams writes or reads the whole document in one piece. All write into
a file in memory, and keep what they read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from io import BytesIO
from typing import Any

Function = Callable[[Any], Any]
Functions = dict[str, tuple[Function, ...]]


def _lines_by(encode: Callable[[Any], bytes], values: Iterable[Any]) -> bytes:
    file = BytesIO()
    write = file.write
    for value in values:
        write(encode(value) + b"\n")
    return file.getvalue()


def _values_by(loads: Function, text: bytes) -> list[Any]:
    return [loads(line) for line in BytesIO(text)]


def _whole_by(encode: Callable[[Any], bytes], value: Any) -> bytes:
    file = BytesIO()
    file.write(encode(value))
    return file.getvalue()


def _items_by(loads: Function, text: bytes) -> list[Any]:
    return list(loads(BytesIO(text).read()))


def one_at_a_time(encode: Callable[[Any], bytes], loads: Function) -> Functions:
    """Make the ways of a library that knows one document at a time."""
    return {
        "encode-lines": (partial(_lines_by, encode),),
        "decode-lines": (partial(_values_by, loads),),
        "iterencode": (partial(_whole_by, encode),),
        "iter-items": (partial(_items_by, loads),),
    }


def linecaster() -> Functions:
    """Make the ways of our own streams."""
    library = import_module("linecaster")

    def encode_lines(values: Iterable[Any]) -> bytes:
        file = BytesIO()
        library.encode_lines(values, file)
        return file.getvalue()

    def iterencode(value: Any) -> bytes:
        file = BytesIO()
        for chunk in library.iterencode(value):
            file.write(chunk)
        return file.getvalue()

    return {
        "encode-lines": (encode_lines,),
        "decode-lines": (lambda text: list(library.decode_lines(BytesIO(text))),),
        "iterencode": (iterencode,),
        "iter-items": (lambda text: list(library.iter_items(BytesIO(text), "item")),),
    }


def orjson() -> Functions:
    """Make the ways of orjson, which ends a line itself."""
    library = import_module("orjson")

    def encode_lines(values: Iterable[Any]) -> bytes:
        file = BytesIO()
        write, dumps, option = file.write, library.dumps, library.OPT_APPEND_NEWLINE
        for value in values:
            write(dumps(value, option=option))
        return file.getvalue()

    return {
        **one_at_a_time(library.dumps, library.loads),
        "encode-lines": (encode_lines,),
    }


def msgspec() -> Functions:
    """Make the ways of msgspec, which has functions for lines that are all there."""
    library = import_module("msgspec.json")
    encoder, decoder = library.Encoder(), library.Decoder()
    ways = one_at_a_time(encoder.encode, decoder.decode)

    def encode_lines(values: Iterable[Any]) -> bytes:
        file = BytesIO()
        file.write(encoder.encode_lines(values))
        return file.getvalue()

    return {
        **ways,
        "encode-lines": (encode_lines, *ways["encode-lines"]),
        "decode-lines": (
            lambda text: decoder.decode_lines(BytesIO(text).read()),
            *ways["decode-lines"],
        ),
    }


def standard() -> Functions:
    """Make the ways of `json`."""
    encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))

    def iterencode(value: Any) -> bytes:
        file = BytesIO()
        for chunk in encoder.iterencode(value):
            file.write(chunk.encode())
        return file.getvalue()

    return {
        **one_at_a_time(lambda value: encoder.encode(value).encode(), json.loads),
        "iterencode": (iterencode,),
    }
