"""Python objects to JSON text and back, at the speed of copying.

`dumps` makes a `str`, `encode` makes `bytes`, `loads` takes either; `dump`
and `load` work with files, `encode_into` with a `bytearray`. `Encoder` and
`Decoder` keep a set of options. In pieces, for what is larger than memory:
`iterencode` and `iter_items` for documents, `encode_lines`, `iterencode_lines`
and `decode_lines` for a document on each line.
"""

from linecaster._linecaster import (
    DecodeError,
    Decoder,
    EncodeError,
    Encoder,
    __version__,
    decode_lines,
    dump,
    dumps,
    encode,
    encode_into,
    encode_lines,
    iter_items,
    iterencode,
    iterencode_lines,
    load,
    loads,
)

__all__ = [
    "DecodeError",
    "Decoder",
    "EncodeError",
    "Encoder",
    "__version__",
    "decode_lines",
    "dump",
    "dumps",
    "encode",
    "encode_into",
    "encode_lines",
    "iter_items",
    "iterencode",
    "iterencode_lines",
    "load",
    "loads",
]


def __getattr__(name: str) -> object:
    """Load a door that is a distribution of its own at its first use."""
    if name == "jsonnet":
        from importlib import import_module

        return import_module("linecaster.jsonnet")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
