"""Peak and retained memory of one call, from the kernel's own account.

Linux keeps the highest resident size of a process, and lets the process reset
it. So the peak of one call includes everything that it touched, in whichever
allocator, and nothing that was there before.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bench.python.peers import Call

_STATUS = Path("/proc/self/status")
_CLEAR_REFS = Path("/proc/self/clear_refs")


@dataclass(frozen=True)
class Memory:
    """Bytes of resident memory above what there was before the call."""

    peak: int
    with_result: int
    retained: int


def measurable() -> bool:
    """Tell whether this system can reset and read the highest resident size."""
    return sys.platform == "linux" and _CLEAR_REFS.exists()


def _kib(field: str) -> int:
    for line in _STATUS.read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1])
    raise LookupError(field)


def _settle() -> None:
    """Give free memory back to the system, so that residue stands out."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(ctypes.c_size_t(0))


def of_one_call(call: Call, value: Any) -> Memory:
    """Measure the first call on a value; the library has been warmed up before."""
    _settle()
    before = _kib("VmRSS")
    _CLEAR_REFS.write_text("5")
    result = call.once(value)
    peak = _kib("VmHWM")
    _settle()
    with_result = _kib("VmRSS")
    del result
    _settle()
    after = _kib("VmRSS")
    return Memory(
        peak=max(0, peak - before) << 10,
        with_result=max(0, with_result - before) << 10,
        retained=max(0, after - before) << 10,
    )
