"""Python objects to JSON text and back, at the speed of copying.

`dumps` makes a `str`, `encode` makes `bytes`, `loads` takes either; `dump`
and `load` work with files, `encode_into` with a `bytearray`.
"""

from linecaster._linecaster import (
    DecodeError,
    EncodeError,
    Encoder,
    __version__,
    dump,
    dumps,
    encode,
    encode_into,
    encode_lines,
    iterencode,
    iterencode_lines,
    load,
    loads,
)

__all__ = [
    "DecodeError",
    "EncodeError",
    "Encoder",
    "__version__",
    "dump",
    "dumps",
    "encode",
    "encode_into",
    "encode_lines",
    "iterencode",
    "iterencode_lines",
    "load",
    "loads",
]
