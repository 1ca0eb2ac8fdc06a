"""What is done with a workload, and under which conditions.

A mode says which call is timed, what it is given and whether every object is
given only once. *Repeated* modes give the same object again and again.
*Fresh* modes give each object once, as servers do: libraries that leave a
UTF-8 copy in the strings that they meet gain nothing from it there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Operation = Literal[
    "encode", "dumps", "loads", "encode-lines", "decode-lines", "iterencode", "iter-items"
]
Source = Literal["value", "bytes", "str", "lines"]


@dataclass(frozen=True)
class Mode:
    """One kind of measurement; every table of the report shows one mode."""

    name: str
    title: str
    operation: Operation
    source: Source
    fresh: bool = False
    gc: bool = False
    memory: bool = False
    # Of many records, one after the other, and of nothing else.
    stream: bool = False


MODES: tuple[Mode, ...] = (
    Mode("encode-repeated", "encode to bytes, repeated", "encode", "value"),
    Mode("encode-fresh", "encode to bytes, fresh", "encode", "value", fresh=True),
    Mode("dumps-repeated", "dumps to str, repeated", "dumps", "value"),
    Mode("dumps-fresh", "dumps to str, fresh", "dumps", "value", fresh=True),
    Mode("loads-bytes", "loads from bytes", "loads", "bytes"),
    Mode(
        "loads-bytes-gc",
        "loads from bytes, garbage collector on",
        "loads",
        "bytes",
        gc=True,
    ),
    Mode("loads-str", "loads from str, fresh", "loads", "str", fresh=True),
    Mode(
        "loads-str-gc",
        "loads from str, fresh, garbage collector on",
        "loads",
        "str",
        fresh=True,
        gc=True,
    ),
    Mode("memory-encode", "memory of encode to bytes", "encode", "value", memory=True),
    Mode("memory-dumps", "memory of dumps to str", "dumps", "value", memory=True),
    Mode("memory-loads", "memory of loads from bytes", "loads", "bytes", memory=True),
    Mode(
        "stream-encode-lines",
        "records to a file by the line, fresh",
        "encode-lines",
        "value",
        fresh=True,
        stream=True,
    ),
    Mode(
        "stream-decode-lines",
        "records from a file by the line",
        "decode-lines",
        "lines",
        stream=True,
    ),
    Mode(
        "stream-iterencode",
        "an array of records to a file, in chunks if there are any, fresh",
        "iterencode",
        "value",
        fresh=True,
        stream=True,
    ),
    Mode(
        "stream-iter-items",
        "records from a file with an array, one by one if that can be",
        "iter-items",
        "bytes",
        stream=True,
    ),
)

BY_NAME: dict[str, Mode] = {mode.name: mode for mode in MODES}
