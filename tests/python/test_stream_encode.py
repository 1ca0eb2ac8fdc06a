"""Encoding in pieces: `iterencode`, `dump`, and documents by the line."""

import gc
import io
import json
import os
import random
import socket
import sys
import threading
import tracemalloc
import weakref

import linecaster
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees
from trees import plain

SIZES = (1, 2, 7, 64, 1000, 65_536, sys.maxsize, 10**30)
OPTIONS = (
    {},
    {"indent": 2},
    {"sort_keys": True},
    {"ensure_ascii": True},
    {"separators": (" ,  ", " : ")},
    {"separators": ("\u2028", "é"), "indent": "漢"},
)
ONE_LINE = tuple(options for options in OPTIONS if "indent" not in options)


class Odd:
    pass


class Text(list):
    """A file that says nothing of itself."""

    def write(self, text):
        assert type(text) is str
        self.append(text)


@given(trees(), st.sampled_from(OPTIONS))
def test_chunks_are_the_text(value, options):
    whole = linecaster.encode(value, **options)
    encoder = linecaster.Encoder(**options)
    for size in SIZES:
        chunks = list(linecaster.iterencode(value, chunk_size=size, **options))
        assert all(type(chunk) is bytes and chunk for chunk in chunks)
        assert b"".join(chunks) == whole
        assert list(encoder.iterencode(value, chunk_size=size)) == chunks


@given(st.lists(trees(), max_size=5), st.sampled_from(ONE_LINE))
def test_lines_are_the_documents(values, options):
    lines = [linecaster.encode(value, **options) + b"\n" for value in values]
    encoder = linecaster.Encoder(**options)
    assert linecaster.encode_lines(values, **options) == b"".join(lines)
    assert encoder.encode_lines(iter(values)) == b"".join(lines)
    assert list(linecaster.iterencode_lines(values, chunk_size=1, **options)) == lines
    assert b"".join(encoder.iterencode_lines(values)) == b"".join(lines)
    text = Text()
    assert linecaster.encode_lines(values, text, **options) == len(values)
    assert "".join(text).encode() == b"".join(lines)


@given(trees(surrogates=True), st.sampled_from(OPTIONS))
def test_dump_is_dumps(value, options):
    text, binary, typed = Text(), io.BytesIO(), io.StringIO(newline="")
    linecaster.dump(value, text, **options)
    linecaster.Encoder(**options).dump(value, typed)
    assert "".join(text) == typed.getvalue() == linecaster.dumps(value, **options)
    linecaster.dump(value, binary, surrogates="pass", **options)
    assert binary.getvalue() == linecaster.encode(value, surrogates="pass", **options)


def test_dump_widens_each_piece_for_itself():
    parts = ["x" * 70_000, "é", "x" * 70_000, "漢", "x" * 70_000, "😀", "x" * 70_000]
    text = Text()
    linecaster.dump(parts, text)
    assert "".join(text) == plain(parts)
    assert len(text) >= 4
    assert text[0].isascii()


def test_sizes_of_chunks():
    value = [{"id": i, "name": f"name {i}"} for i in range(100_000)]
    for size in (100, 5000, 65_536, 1 << 20):
        chunks = list(linecaster.iterencode(value, chunk_size=size))
        # A token more at the end, and half as much again to spare.
        assert all(size <= len(chunk) <= 2 * size + 100 for chunk in chunks[:-1])
    long = "x" * 300_000
    assert [len(c) for c in linecaster.iterencode([long, 1, long])] == [300_003, 300_005, 1]


@pytest.mark.parametrize("size", [0, -1, "1", 1.5, None])
def test_chunk_size_is_checked(size):
    for function in (linecaster.iterencode, linecaster.iterencode_lines):
        with pytest.raises((ValueError, TypeError), match="chunk_size"):
            function([], chunk_size=size)
        with pytest.raises(TypeError, match="positional"):
            function([], size)


def test_generators_are_consumed_as_the_text_is():
    taken = 0

    def numbers():
        nonlocal taken
        for i in range(1, 1_000_001):
            taken = i
            yield i

    chunks = linecaster.iterencode({"n": numbers()}, iterables=True, chunk_size=1000)
    assert taken == 0
    assert next(chunks).startswith(b'{"n":[1,2,3,')
    assert 100 < taken < 500
    chunks.close()
    assert list(chunks) == []
    lines = linecaster.iterencode_lines(numbers(), chunk_size=1)
    assert [next(lines), next(lines), taken] == [b"1\n", b"2\n", 2]


def test_memory_is_bounded():
    def items():
        for i in range(300_000):
            yield {"id": i, "text": "x" * 50, "更": "é"}

    def peak(run):
        tracemalloc.start()
        run()
        highest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return highest

    class Null:
        size = 0

        def write(self, text):
            self.size += len(text)

    for run in (
        lambda null: [null.write(c) for c in linecaster.iterencode(items(), iterables=True)][:0],
        lambda null: linecaster.dump(items(), null, iterables=True),
        lambda null: linecaster.encode_lines(items(), null),
    ):
        null = Null()
        # A list of small results; a chunk is 64 KiB.
        assert peak(lambda run=run, null=null: run(null)) < 1_000_000
        assert null.size > 20_000_000


def test_failures_in_the_middle():
    chunks = linecaster.iterencode({"a": ["x" * 1000, {"b": Odd()}]}, chunk_size=100)
    assert next(chunks) == b'{"a":["' + b"x" * 1000 + b'"'
    with pytest.raises(linecaster.EncodeError) as raised:
        next(chunks)
    assert raised.value.path == "$.a[1].b"
    assert list(chunks) == []

    def numbers():
        yield from range(1000)
        raise ZeroDivisionError

    chunks = linecaster.iterencode(numbers(), iterables=True, chunk_size=100)
    with pytest.raises(ZeroDivisionError):
        list(chunks)
    assert list(chunks) == []


def test_lines_before_a_failure_come_out():
    def numbers():
        yield from range(3)
        raise ZeroDivisionError

    lines = linecaster.iterencode_lines(numbers())
    assert next(lines) == b"0\n1\n2\n"
    with pytest.raises(ZeroDivisionError):
        next(lines)
    assert list(lines) == []
    binary = io.BytesIO()
    with pytest.raises(linecaster.EncodeError) as raised:
        linecaster.encode_lines([1, {"a": "é" * 5}, {"a": ["漢", Odd()]}], binary)
    assert raised.value.path == "$[2].a[1]"
    assert binary.getvalue() == b'1\n{"a":"' + "é".encode() * 5 + b'"}\n'
    text = Text()
    with pytest.raises(linecaster.EncodeError):
        linecaster.encode_lines(["é", "漢", Odd()], text)
    assert text == ['"é"\n"漢"\n']
    with pytest.raises(linecaster.EncodeError):
        linecaster.encode_lines(["é", Odd()])
    with pytest.raises(TypeError, match="iterable"):
        linecaster.encode_lines(1)


def test_a_document_is_a_line():
    for options in ({"indent": 1}, {"indent": ""}, {"separators": ("\n", ":")}):
        with pytest.raises(ValueError, match="one line"):
            linecaster.encode_lines([1], **options)
        with pytest.raises(ValueError, match="one line"):
            linecaster.Encoder(**options).iterencode_lines([1])
    assert linecaster.encode_lines([]) == b""
    assert linecaster.encode_lines(["\n\r"]) == b'"\\n\\r"\n'


def test_changes_in_between():
    value = {str(i): "x" * 100 for i in range(100)}
    chunks = linecaster.iterencode(value, chunk_size=500)
    next(chunks)
    value["new"] = 1
    with pytest.raises(RuntimeError, match="changed size"):
        list(chunks)
    items = list(range(10_000))
    chunks = linecaster.iterencode(items, chunk_size=100)
    first = next(chunks)
    items.clear()
    assert json.loads(b"".join([first, *chunks])) == list(range(first.count(b",") + 1))


def test_any_change_in_between():
    """What comes out means nothing then, but all that is read must be alive."""
    for seed in range(300):
        rnd = random.Random(seed)

        def make(depth=0, rnd=rnd):
            kind = rnd.randrange(5 if depth < 4 else 2)
            if kind < 2:
                return ["x" * rnd.randrange(40), rnd.randrange(10**9), None, "é漢"][
                    rnd.randrange(4)
                ]
            inner = [make(depth + 1) for _ in range(rnd.randrange(6))]
            if kind == 2:
                return tuple(inner)
            return inner if kind == 3 else {f"{i}" * 5: value for i, value in enumerate(inner)}

        root = [make() for _ in range(10)]
        places = [root]
        for place in places:
            values = place.values() if isinstance(place, dict) else place
            places += [value for value in values if isinstance(value, (list, dict, tuple))]
        places = [place for place in places if not isinstance(place, tuple)]
        try:
            for _ in linecaster.iterencode(root, chunk_size=rnd.choice([1, 10, 40])):
                place = rnd.choice(places)
                if isinstance(place, dict):
                    key = rnd.choice([*place, "new"])
                    place.pop(key, None)
                    place[key + rnd.choice(["", "x"])] = make(3)
                elif rnd.random() < 0.5:
                    place.clear()
                else:
                    place[:] = [make(3)] * rnd.randrange(9)
        except RuntimeError as error:
            assert "changed size" in str(error)  # noqa: PT017


def test_used_while_it_runs():
    def items():
        yield 1
        yield next(chunks).decode()

    for make in (
        lambda: linecaster.iterencode(items(), iterables=True),
        lambda: linecaster.iterencode_lines(items(), chunk_size=1000),
    ):
        chunks = make()
        with pytest.raises(ValueError, match="already executing"):
            b"".join(chunks)

    def closing():
        chunks.close()
        yield 1

    chunks = linecaster.iterencode(closing(), iterables=True)
    with pytest.raises(ValueError, match="already executing"):
        next(chunks)


def test_threads_share_an_iterator():
    chunks = linecaster.iterencode(["x" * 50] * 20_000, chunk_size=100)
    found = []

    def consume():
        for chunk in chunks:
            found.append(len(chunk))  # noqa: PERF401

    threads = [threading.Thread(target=consume) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(found) == 20_000 * 53 + 1


def test_cycles_are_collected():
    class Holder:
        pass

    def alive(make):
        holder = Holder()
        holder.chunks = make(holder)
        next(holder.chunks)
        return weakref.ref(holder)

    def generator(holder):
        yield "x" * 1000
        yield holder

    for make in (
        lambda holder: linecaster.iterencode(
            ["x" * 100, holder], chunk_size=10, default=lambda _: holder
        ),
        lambda holder: linecaster.iterencode(generator(holder), iterables=True, chunk_size=10),
        lambda holder: linecaster.iterencode_lines(generator(holder), chunk_size=10),
    ):
        reference = alive(make)
        gc.collect()
        assert reference() is None


def test_nothing_leaks():
    def generator():
        yield from range(5)
        raise KeyError

    def once():
        value = {"a": ["x" * 50, {"b": [1.5, "é"]}], "c": {"d": ("漢",)}}
        chunks = linecaster.iterencode(value, chunk_size=10)
        next(chunks)
        del chunks
        list(linecaster.iterencode(value, chunk_size=10))
        for bad in (Odd, generator):
            for function in (linecaster.iterencode, linecaster.iterencode_lines):
                with pytest.raises((linecaster.EncodeError, KeyError)):
                    list(function([value, bad()], chunk_size=10, iterables=True))
        linecaster.Encoder(default=lambda o: o, indent=2).iterencode(value)

    def grown():
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(200):
            once()
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before

    once()
    gc.collect()
    tracemalloc.start()
    # What leaks does so each time; a table that grows for others' sake, once.
    assert min(grown() for _ in range(3)) < 20_000
    tracemalloc.stop()


def test_files(tmp_path):
    values = [{"a": i, "é": "漢"} for i in range(20_000)]
    lines = linecaster.encode_lines(values)
    path = tmp_path / "a.ndjson"
    assert linecaster.encode_lines(values, path) == 20_000
    assert path.read_bytes() == lines
    linecaster.dump(values, path, indent=1)
    assert path.read_bytes() == linecaster.encode(values, indent=1)
    with path.open("wb") as fp:
        linecaster.encode_lines(values, fp)
    assert path.read_bytes() == lines
    with path.open("wb", buffering=0) as fp:
        linecaster.encode_lines(values, fp)
    assert path.read_bytes() == lines
    with path.open("w", encoding="utf-16") as fp:
        linecaster.encode_lines(values, fp)
    assert path.read_text("utf-16").encode() == lines
    with pytest.raises(FileNotFoundError):
        linecaster.encode_lines(values, tmp_path / "none" / "a")
    with pytest.raises(linecaster.EncodeError):
        linecaster.encode_lines([1, Odd()], path)
    assert path.read_bytes() == b"1\n"


def test_files_that_are_not_of_io():
    class Said(list):
        write = list.append

    for attributes, kind in (
        ({"mode": "wb"}, bytes),
        ({"mode": "w"}, str),
        ({"mode": 1}, str),
        ({}, str),
        ({"mode": "wb", "encoding": "utf-8"}, str),
    ):
        file = type("File", (Said,), attributes)()
        linecaster.dump([1], file)
        assert [type(chunk) for chunk in file] == [kind]

    class Broken:
        @property
        def encoding(self):
            raise KeyError("encoding")

    with pytest.raises(KeyError):
        linecaster.dump(1, Broken())


def test_raw_files_take_a_part():
    class Raw(io.RawIOBase):
        def __init__(self, answer):
            self.data = bytearray()
            self.answer = answer

        def write(self, data):
            taken = self.answer(len(data))
            self.data += data[:taken]
            return taken

    raw = Raw(lambda n: min(n, 7))
    linecaster.dump(list(range(100)), raw)
    assert raw.data == linecaster.encode(list(range(100)))
    for answer, error in (
        (lambda n: None, BlockingIOError),
        (lambda n: n + 1, ValueError),
        (lambda n: -1, ValueError),
        (lambda n: "x", TypeError),
    ):
        with pytest.raises(error):
            linecaster.dump([1], Raw(answer))


def test_sockets_and_pipes():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        thread = threading.Thread(
            target=lambda: (linecaster.encode_lines(range(50_000), ours), ours.close())
        )
        thread.start()
        with theirs.makefile("rb") as file:
            assert file.read() == b"".join(b"%d\n" % i for i in range(50_000))
        thread.join()
    read, write = os.pipe()
    with open(write, "wb") as fp:
        linecaster.dump([1, 2], fp)
    with open(read, "rb") as fp:
        assert fp.read() == b"[1,2]"


def test_async_writer():
    import asyncio

    async def send():
        received = bytearray()

        async def take(reader, writer):
            received.extend(await reader.read())
            writer.close()

        server = await asyncio.start_server(take, "127.0.0.1", 0)
        async with server:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            for chunk in linecaster.iterencode(list(range(100_000))):
                writer.write(chunk)
                await writer.drain()
            writer.write_eof()
            await reader.read()
            writer.close()
            await writer.wait_closed()
        return received

    assert asyncio.run(send()) == linecaster.encode(list(range(100_000)))
