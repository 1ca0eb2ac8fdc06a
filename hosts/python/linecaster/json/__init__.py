"""The standard `json`, in the native walk: change the import, keep every byte.

Everything that `json` of the running interpreter has is here under the same
name, with the same defaults, errors and texts. docs/json.md lists what differs.
"""

import codecs as codecs
import json as _json
from typing import TYPE_CHECKING, Any

from . import decoder as decoder
from . import encoder as encoder
from . import scanner as scanner
from .decoder import JSONDecodeError, JSONDecoder
from .encoder import JSONEncoder

__all__ = [
    "JSONDecodeError",
    "JSONDecoder",
    "JSONEncoder",
    "dump",
    "dumps",
    "load",
    "loads",
]

if TYPE_CHECKING:
    from json import detect_encoding, dump, dumps, load, loads
else:
    from linecaster._linecaster.json import dump, dumps, load, loads

    detect_encoding = _json.detect_encoding

_default_encoder = JSONEncoder()
_default_decoder = JSONDecoder()


def __getattr__(name: str) -> Any:
    if name in ("__version__", "__author__"):
        return getattr(_json, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
