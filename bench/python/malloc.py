"""The two states in which the C library's malloc is pinned.

glibc moves its mmap threshold while a program runs: after the first large block
is freed, the next ones come from the heap. So a 1 MB result costs ten times
more or less depending on what the process happened to free before. Each state
is set through the environment before the process starts, which also stops the
moving, and the worker checks afterwards where a large block really comes from.
"""

from __future__ import annotations

import ctypes
import platform
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_GIB = str(1 << 30)

STATES: dict[str, dict[str, str]] = {
    # Large blocks on the heap, nothing given back: pages are warm.
    "heap": {
        "MALLOC_MMAP_MAX_": "0",
        "MALLOC_MMAP_THRESHOLD_": _GIB,
        "MALLOC_TRIM_THRESHOLD_": _GIB,
        "MALLOC_TOP_PAD_": str(64 << 20),
    },
    # Blocks of 128 KiB and more mapped and unmapped one by one: pages are new.
    "mmap": {
        "MALLOC_MMAP_THRESHOLD_": str(128 << 10),
        "MALLOC_TRIM_THRESHOLD_": str(128 << 10),
    },
}

# What would change the allocator or the interpreter behind our back.
_CLEARED = ("MALLOC_", "GLIBC_TUNABLES", "LD_PRELOAD", "PYTHONMALLOC", "PYTHONDEVMODE")


def environment(
    state: str, inherited: Mapping[str, str], *, memory: bool = False
) -> dict[str, str]:
    """Return the environment for a worker with malloc in the named state.

    Where `memory` is looked at, small objects come from malloc too: CPython's own
    arenas keep a whole megabyte for one living object, which hides what a
    library retains.
    """
    kept = {name: value for name, value in inherited.items() if not name.startswith(_CLEARED)}
    pinned = {**kept, **STATES[state], "PYTHONHASHSEED": "0"}
    return {**pinned, "PYTHONMALLOC": "malloc"} if memory else pinned


def observed() -> str:
    """Look where malloc takes 1 MiB from now: `heap`, `mmap`, or `unknown`."""
    if platform.libc_ver()[0] != "glibc":
        return "unknown"
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    libc.malloc.argtypes = [ctypes.c_size_t]
    libc.free.argtypes = [ctypes.c_void_p]
    block: int | None = libc.malloc(1 << 20)
    if block is None:
        return "unknown"
    try:
        with open("/proc/self/maps", encoding="utf-8") as maps:
            for line in maps:
                if not line.rstrip().endswith("[heap]"):
                    continue
                start, end = line.split(" ", 1)[0].split("-")
                if int(start, 16) <= block < int(end, 16):
                    return "heap"
        return "mmap"
    finally:
        libc.free(block)
