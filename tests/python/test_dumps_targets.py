"""`encode_into` and `dump`: where the text goes, and what stays as it was."""

import io

import linecaster
import pytest
from trees import plain


class Odd:
    pass


VALUE = {"é": [1, "€", "😀" * 30]}
TEXT = plain(VALUE).encode()


def test_encode_into_replaces():
    buffer = bytearray(b"before")
    assert linecaster.encode_into(VALUE, buffer) is None
    assert buffer == TEXT
    linecaster.encode_into([1], buffer)
    assert buffer == b"[1]"
    linecaster.encode_into("x" * 100_000, buffer)
    assert buffer == b'"' + b"x" * 100_000 + b'"'


def test_encode_into_from_an_offset():
    for length in (0, 1, 5, 100, 5000):
        for offset in {0, 1, length // 2, length} & set(range(length + 1)):
            for given in (offset, type("Index", (), {"__index__": lambda self, o=offset: o})()):
                buffer = bytearray(b"a" * length)
                linecaster.encode_into(VALUE, buffer, given)
                assert buffer == b"a" * offset + TEXT
                buffer = bytearray(b"a" * length)
                linecaster.encode_into(VALUE, buffer=buffer, offset=given, indent=None)
                assert buffer == b"a" * offset + TEXT


def test_encode_into_appends():
    buffer = bytearray()
    for _ in range(5):
        linecaster.encode_into(VALUE, buffer, -1)
        buffer += b"\n"
    assert buffer == (TEXT + b"\n") * 5


@pytest.mark.parametrize(
    ("offset", "error", "text"),
    [
        (7, ValueError, "beyond the buffer's end"),
        (2**62, ValueError, "beyond the buffer's end"),
        (-2, ValueError, "at least -1"),
        (2**64, OverflowError, "int"),
        ("1", TypeError, "integer"),
        (1.0, TypeError, "integer"),
        (None, TypeError, "integer"),
    ],
)
def test_encode_into_refuses_offsets(offset, error, text):
    buffer = bytearray(b"before")
    with pytest.raises(error, match=text):
        linecaster.encode_into(VALUE, buffer, offset)
    assert buffer == b"before"


@pytest.mark.parametrize("buffer", [b"x", memoryview(bytearray(b"x")), [], "x", None, io.BytesIO()])
def test_encode_into_takes_a_bytearray_only(buffer):
    with pytest.raises(TypeError, match="argument 'buffer' must be a bytearray"):
        linecaster.encode_into(1, buffer)


def test_encode_into_a_subclass():
    class Own(bytearray):
        def __len__(self):
            return 999

    buffer = Own(b"abc")
    linecaster.encode_into(VALUE, buffer, -1)
    assert bytes(buffer) == b"abc" + TEXT


def test_encode_into_a_buffer_that_somebody_looks_at():
    buffer = bytearray(b"before")
    with memoryview(buffer):
        for offset in (0, 3, -1):
            with pytest.raises(BufferError):
                linecaster.encode_into(VALUE, buffer, offset)
            assert buffer == b"before"
    linecaster.encode_into(VALUE, buffer)
    assert buffer == TEXT


def test_errors_leave_the_buffer_alone():
    buffer = bytearray(b"before")
    for value in (Odd(), ["x" * 100_000, Odd()], "\ud800", {1: 2}, [float("nan")]):
        for offset in (0, 3, -1):
            with pytest.raises(linecaster.EncodeError):
                linecaster.encode_into(value, buffer, offset)
            assert buffer == b"before"


def test_default_that_changes_the_buffer():
    buffer = bytearray(b"before")

    def clear(odd):
        buffer.clear()
        return 1

    linecaster.encode_into([Odd()], buffer, -1, default=clear)
    assert buffer == b"[1]"
    buffer[:] = b"before"
    with pytest.raises(ValueError, match="beyond"):
        linecaster.encode_into([Odd()], buffer, 6, default=clear)
    assert buffer == b""

    def inner(odd):
        linecaster.encode_into("inner", buffer)
        return 2

    linecaster.encode_into([Odd()], buffer, -1, default=inner)
    assert buffer == b'"inner"[2]'


class Writes(list):
    def write(self, text):
        self.append(text)
        return len(text)


def test_dump_writes_what_is_small_once():
    for options in ({}, {"indent": 2}, {"ensure_ascii": True}, {"sort_keys": True}):
        fp = Writes()
        assert linecaster.dump({"b": "é" * 10_000, "a": ["\ud800"]}, fp, **options) is None
        assert fp == [linecaster.dumps({"b": "é" * 10_000, "a": ["\ud800"]}, **options)]
        assert fp == [plain({"b": "é" * 10_000, "a": ["\ud800"]}, **options)]


def test_dump_into_files(tmp_path):
    buffer = io.StringIO()
    linecaster.dump(VALUE, buffer)
    linecaster.dump(fp=buffer, obj=1)
    assert buffer.getvalue() == plain(VALUE) + "1"
    with (tmp_path / "a.json").open("w", encoding="utf-8") as fp:
        linecaster.dump(VALUE, fp, indent=1)
    with (tmp_path / "a.json").open(encoding="utf-8") as fp:
        assert linecaster.load(fp) == VALUE


def test_dump_writes_nothing_of_what_fails_early():
    fp = Writes()
    with pytest.raises(linecaster.EncodeError):
        linecaster.dump(["x" * 60_000, Odd()], fp)
    with pytest.raises(ValueError, match="max_depth"):
        linecaster.dump(1, fp, max_depth=0)
    assert fp == []


def test_dump_needs_a_writer():
    with pytest.raises(AttributeError, match="write"):
        linecaster.dump(1, object())
    with pytest.raises(TypeError, match="str"):
        linecaster.dump(1, type("Binary", (), {"write": bytearray().extend})())

    class Broken:
        def write(self, text):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        linecaster.dump(1, Broken())
