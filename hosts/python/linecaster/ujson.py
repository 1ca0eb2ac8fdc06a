"""A drop-in for ujson 6.1: the same functions, the same text, the same errors.

Change the import and keep the rest: `from linecaster import ujson`.
docs/ujson.md says where the two differ on purpose.
"""

from linecaster._linecaster.ujson import (
    JSONDecodeError,
    __version__,
    decode,
    dump,
    dumps,
    encode,
    load,
    loads,
)

__all__ = ["JSONDecodeError", "__version__", "decode", "dump", "dumps", "encode", "load", "loads"]
