"""Memory: nothing kept, nothing leaked, and what happens when there is no more."""

import collections
import contextlib
import datetime as dt
import decimal
import enum
import gc
import pathlib
import subprocess
import sys
import textwrap
import uuid
from types import MappingProxyType

import linecaster
import pytest


def run(script, timeout=120):
    """Run a script in a process of its own; return what it prints."""
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout.split()


@pytest.mark.parametrize("text", ["é", "漢", "😀", "a", "é" * 1000, "漢字" * 1000, "😀" * 1000])
def test_nothing_is_cached_on_the_strings(text):
    text = "".join([text, "x"])
    other = type("S", (str,), {})(text)
    before = sys.getsizeof(text), sys.getsizeof(other)
    for value in (text, other, [text], {text: text}, {other: other}):
        for options in ({}, {"ensure_ascii": True}, {"sort_keys": True}, {"indent": text}):
            linecaster.dumps(value, **options)
            linecaster.encode(value, **options)
            linecaster.encode_into(value, bytearray(), **options)
    assert (sys.getsizeof(text), sys.getsizeof(other)) == before


MILLION = """
    import ctypes, gc, linecaster

    def resident():
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)
        return int(open("/proc/self/statm").read().split()[1]) * 4096

    count = {count}
    texts = [chr(0x4E00 + i % 20000) * 15 + str(i) for i in range(count)]
    keys = dict.fromkeys(texts)
    linecaster.encode(texts[:1000])
    before = resident()
    for _ in range(2):
        assert len(linecaster.dumps(texts)) > 15 * count
        assert len(linecaster.encode(texts)) > 45 * count
        assert len(linecaster.encode(keys)) > 45 * count
    grown = resident() - before
    # UTF-8 copies in the strings would take 45 bytes each, at least.
    assert grown < 45 * count / 2, grown
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="measures as Linux does")
@pytest.mark.parametrize("count", [100_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_memory_returns_to_where_it_was(count):
    run(MILLION.format(count=count))


class Odd:
    pass


class Color(enum.Enum):
    RED = "réd"


def fail(*_):
    raise ZeroDivisionError


Record = collections.namedtuple("Record", "a b")
ODD = Odd()
DEEP: list = []
for _ in range(50):
    DEEP = [DEEP]
CYCLE: dict = {}
CYCLE["é"] = [CYCLE]

CALLS = {
    "plain": lambda: linecaster.dumps({"a": [1, 2.5, None, True, "é€😀", 2**70]}),
    "bytes": lambda: linecaster.encode({"a": [1, 2.5, None, True, "é€😀", 2**70]}),
    "grows": lambda: linecaster.dumps(["x" * 3000, "é" * 3000, "€" * 3000, "😀"]),
    "grows in bytes": lambda: linecaster.encode(["x" * 3000, "é" * 3000, "€" * 3000, "😀"]),
    "separators": lambda: linecaster.dumps([1, {"a": 2}], separators=("€", "😀"), indent="é"),
    "pretty": lambda: linecaster.dumps([1, {"a": 2}], indent=2, sort_keys=True),
    "classes": lambda: linecaster.dumps(
        [
            Record(1, 2),
            Color.RED,
            dt.datetime(2020, 1, 1, tzinfo=dt.timezone.utc),
            dt.timedelta(1),
            decimal.Decimal("1.5"),
            uuid.UUID(int=5),
            pathlib.PurePosixPath("/é"),
            MappingProxyType({"a": 1}),
        ]
    ),
    "keys": lambda: linecaster.dumps(
        {1: 2, 2.5: 1, None: 3, Color.RED: 4, uuid.UUID(int=5): 1}, non_str_keys=True
    ),
    "skipped": lambda: linecaster.dumps({(1, 2): [ODD]}, skip_keys=True),
    "iterables": lambda: linecaster.dumps(({i} for i in range(3)), iterables=True),
    "default": lambda: linecaster.dumps({"a": ODD}, default=lambda odd: {"é": ["€"]}),
    "into": lambda: linecaster.encode_into({"a": "é" * 5000}, bytearray(b"abc"), -1),
    "no type": lambda: linecaster.dumps({"a": [ODD]}),
    "no key": lambda: linecaster.encode({"a": {(1, 2): 3}}),
    "surrogate": lambda: linecaster.encode({"a": ["€" * 5000, "\ud800"]}),
    "nan": lambda: linecaster.encode([float("nan")]),
    "depth": lambda: linecaster.dumps(DEEP, max_depth=20),
    "cycle": lambda: linecaster.dumps(CYCLE),
    "raises": lambda: linecaster.dumps(["😀" * 3000, ODD], default=fail),
    "iterator raises": lambda: linecaster.dumps([(fail() for _ in "ab")], iterables=True),
    "unsortable": lambda: linecaster.dumps([{1: 2, "a": 3}], sort_keys=True),
    "endless": lambda: linecaster.dumps([ODD], default=lambda odd: odd),
    "option": lambda: linecaster.dumps(1, allow_nan="maybe"),
    "unknown": lambda: linecaster.dumps(1, nothing=1),
    "separator": lambda: linecaster.dumps(1, separators=("€", 5)),
    "offset": lambda: linecaster.encode_into("é" * 5000, bytearray(), 5),
    "writer": lambda: linecaster.dump([1], ODD),
}


@pytest.mark.parametrize("name", CALLS)
def test_no_reference_leaks(name):
    """Counts the interpreter's blocks, and its references where it counts them."""
    call = CALLS[name]
    count = 200 if name in ("cycle", "endless") else 2000
    references = getattr(sys, "gettotalrefcount", lambda: 0)

    def repeat():
        for _ in range(count):
            with contextlib.suppress(TypeError, ValueError, AttributeError, ZeroDivisionError):
                call()
        gc.collect()
        return sys.getallocatedblocks(), references()

    repeat()
    before = repeat()
    after = repeat()
    odd = sys.getrefcount(ODD)
    grown = [b - a for a, b in zip(before, after, strict=True)]
    assert max(grown) < count / 10, grown
    assert sys.getrefcount(ODD) == odd


EXHAUSTED = """
    import resource, linecaster

    class Odd: pass

    def default(odd):
        raise AssertionError("no code of a user may run once memory has run out")

    def exhaust(call):
        try:
            call()
        except MemoryError:
            return
        raise AssertionError("no MemoryError")

    mega = "x" * 2**20
    wide = ["é" * 2**20, "€" * 2**19, "😀" * 2**18]
    tail = [Odd(), {Odd(): 1}, {1: 2}, [10**100], (x for x in [1])]
    options = dict(default=default, iterables=True, non_str_keys=True)
    buffer = bytearray(b"before")
    written = []

    class File:
        def write(self, text): written.append(text)

    long = ("é" * 2**23, "x" * 2**23)
    nested = None
    for _ in range(300_000):
        nested = [nested]
    most = int(open("/proc/self/statm").read().split()[0]) * 4096 + 2**24
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    for strings in ([mega] * 30, wide * 15, [mega] * 5 + wide * 15):
        for value in (strings + tail, {f"{i:03}": v for i, v in enumerate(strings + tail)}):
            for extra in ({}, {"indent": 1, "sort_keys": True}, {"ensure_ascii": True}):
                exhaust(lambda: linecaster.dumps(value, **options, **extra))
                exhaust(lambda: linecaster.encode(value, **options, **extra))
            exhaust(lambda: linecaster.encode_into(value, buffer, **options))
            # What is written in pieces takes memory because the file keeps it.
            exhaust(lambda: linecaster.dump(value, File(), **options))
            assert written
            written.clear()
    assert buffer == b"before"
    for text in long:
        exhaust(lambda: linecaster.dumps([1, 2], separators=(text, ":")))
        exhaust(lambda: linecaster.encode([1, 2], indent=text))
    exhaust(lambda: linecaster.dumps([1] * 1000, separators=("," * 2**20, ":")))
    exhaust(lambda: linecaster.dumps([[1] * 1000], indent=" " * 2**20))
    exhaust(lambda: linecaster.dumps(nested, max_depth=2**60))
    while nested:
        nested = nested[0]
    assert linecaster.dumps([mega, 1]) == '["' + mega + '",1]'
    assert linecaster.encode(wide) == ('["' + '","'.join(wide) + '"]').encode()
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits memory as Linux does")
def test_out_of_memory():
    run(EXHAUSTED)


@pytest.mark.slow
def test_strings_of_a_gigabyte():
    n = 2**30
    text = "x" * n
    made = linecaster.dumps(text)
    assert len(made) == n + 2
    assert made[1:-1] == text
    del made, text
    data = linecaster.encode("é" * (n // 2))
    assert len(data) == n + 2
    assert data.count("é".encode()) == n // 2
    del data
    data = linecaster.encode("\x01" * (n // 4))
    assert len(data) == 6 * (n // 4) + 2
    assert data[1:-1] == rb"\u0001" * (n // 4)
    del data
    made = linecaster.dumps(["é" * (n // 2), "😀"])
    assert len(made) == n // 2 + 8
    assert made[-5:] == '","😀"]'[-5:]
