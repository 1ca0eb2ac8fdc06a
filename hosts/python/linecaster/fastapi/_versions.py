"""Which FastAPI may be rebound: digests of the source that the rebinding relies on.

The table is made by `tools/fastapi_digests.py` from the released wheels, which
have been read: in each of them `get_request_handler` gives what
`serialize_response` returns to the response class and to nothing else. The
source is looked at and not the functions, so that tools that wrap
`get_request_handler` (tracing does) are no obstacle.
"""

from __future__ import annotations

import hashlib
import re

__all__ = ["KNOWN", "digest"]

# What is relied on, and the digests of the source that are known, oldest first.
KNOWN: dict[tuple[str, str], tuple[str, ...]] = {
    ("fastapi.encoders", "jsonable_encoder"): (
        "978f90c3714179c4",  # 0.140.0 to 0.140.8
        "500a52c1b13cd178",  # 0.140.9 to 0.165.0
    ),
    ("fastapi.routing", "serialize_response"): (
        "35c8771dbaf91b1a",  # 0.140.0 to 0.165.0
    ),
    ("fastapi.routing", "get_request_handler"): (
        "7714f4aaf5c89b6e",  # 0.140.0 to 0.140.12
        "1e74beb60417a3f9",  # 0.140.13 to 0.141.1
        "82606a4b39fa1947",  # 0.142.0 to 0.143.2
        "962962436732d0d6",  # 0.143.3 to 0.150.0
        "2150ebf144a3e077",  # 0.151.0 to 0.163.2
        "0fd9735c0b9428c3",  # 0.164.0 to 0.164.0
        "905a02f19fbaf30a",  # 0.165.0 to 0.165.0
    ),
    ("starlette.responses", "JSONResponse"): (
        "522bb5b8338f5c89",  # 0.46.0 to 0.46.0
        "5280bda6fcf35120",  # 0.50.0 to 1.10.0
    ),
}


def digest(source: str, name: str) -> str | None:
    """Return the digest of a definition at the top level of a module's source."""
    # A line that starts without indentation, other than the end of a signature
    # and the string's lines, is the next definition.
    pattern = rf"^(?:(?:async )?def|class) {name}\b.*?(?=^[^\s)]|\Z)"
    found = re.search(pattern, source, re.MULTILINE | re.DOTALL)
    if found is None:
        return None
    return hashlib.sha256(found[0].rstrip().encode()).hexdigest()[:16]
