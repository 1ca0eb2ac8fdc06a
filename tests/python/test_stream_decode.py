"""Decoding in pieces: `decode_lines` and `iter_items`."""

import bz2
import gc
import gzip
import io
import json
import lzma
import mmap
import os
import socket
import sys
import tempfile
import threading
import tracemalloc
import weakref

import linecaster
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees
from trees import plain

DOCUMENT = {
    "meta": {"count": 3, 'no"te\\': "br{ack}[ets]", "item": [[1], {"item": 2}]},
    "results": [
        {"id": 1, "name": "Zoë", "tags": ["漢字", "😀"], "esc": '"\\"\\\\'},
        "a string",
        -12.5e3,
        None,
        [[], {}, [[["deep"]]]],
        {"a.b": [True, False, {"item": "x"}]},
    ],
    "ré": {"a": [1, 2], "b": [3]},
    "empty": [],
    "end": 7,
}
PATHS = {
    "": "$",
    "item": None,
    "meta": "$.meta",
    "meta.count": "$.meta.count",
    "meta.item.item": None,
    "meta.item.item.item": None,
    "results": "$['results']",
    "results.item": "$.results[*]",
    "results.item.name": "$.results[*].name",
    "results.item.item": None,
    "results.item.tags.item": "$.results[*].tags[*]",
    "ré.a.item": '$["ré"].a[*]',
    'meta.no"te\\': '$["meta"]["no\\"te\\\\"]',
    "empty.item": "$.empty[*]",
    "none.item": "$.none[*]",
    "end": "$.end",
    "end.item": "$.end[*]",
}


def oracle(value, parts):
    """All values at a path of ijson's form, one after the other."""
    if not parts:
        yield value
        return
    first, rest = parts[0], parts[1:]
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == first:
                yield from oracle(inner, rest)
    elif isinstance(value, list) and first == "item":
        for inner in value:
            yield from oracle(inner, rest)


def at(value, path):
    return list(oracle(value, path.split(".") if path else []))


def pieces(data, size):
    return [data[i : i + size] for i in range(0, len(data), size)]


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("path", PATHS)
def test_items(path, indent):
    text = json.dumps(DOCUMENT, ensure_ascii=False, indent=indent)
    data = text.encode()
    expected = at(DOCUMENT, path)
    for source in (text, data, bytearray(data), memoryview(data), [data], iter([text])):
        assert list(linecaster.iter_items(source, path)) == expected
    assert list(linecaster.iter_items(io.BytesIO(data), path)) == expected
    assert list(linecaster.iter_items(io.StringIO(text), path, chunk_size=3)) == expected
    if PATHS[path] is not None:
        assert list(linecaster.iter_items(data, PATHS[path])) == expected
    ascii_only = json.dumps(DOCUMENT, indent=indent)
    assert list(linecaster.iter_items(ascii_only, path)) == expected


def test_dollar_paths():
    text = plain({"a": [[1, 2], {"b": 3, "*": 4}], "b": {"c": {"d": 5}}, "item": 6, "": 7})

    def items(path):
        return list(linecaster.iter_items(text, path))

    assert items("$.a[0]") == [[1, 2]]
    assert items("$.a[0][1]") == [2]
    assert items("$.a[9]") == []
    assert items("$.a.b") == []
    assert items("$.a[1].*") == [3, 4]
    assert items("$.a[*].*") == [1, 2, 3, 4]
    assert items("$[*][*]") == [[1, 2], {"b": 3, "*": 4}, {"d": 5}]
    assert items('$.a[1]["*"]') == [4]
    assert items("$.item") == items("item") == [6]
    assert items('$[""]') == [7]
    assert items("$.*.c.d") == [5]
    for bad in (
        "$a",
        "$.",
        "$.a.",
        "$[",
        "$[x]",
        "$[-1]",
        "$[1",
        '$["a]',
        "$['a'",
        "$['a\\",
        "$[]",
    ):
        with pytest.raises(ValueError, match="path"):
            items(bad)
    for bad in (None, 1, b"item", ["item"]):
        with pytest.raises(TypeError, match="path"):
            items(bad)


def test_borders_at_every_byte():
    for indent in (None, 2):
        text = json.dumps(DOCUMENT, ensure_ascii=False, indent=indent)
        data = text.encode()
        for cut in range(len(data) + 1):
            for path in ("results.item", "", 'meta.no"te\\'):
                chunks = [data[:cut], data[cut:]]
                assert list(linecaster.iter_items(chunks, path)) == at(DOCUMENT, path)
        for size in (1, 2, 3, 5, 63, 64, 65):
            for path in PATHS:
                assert list(linecaster.iter_items(pieces(data, size), path)) == at(DOCUMENT, path)
                assert list(linecaster.iter_items(pieces(text, size), path)) == at(DOCUMENT, path)


LINES = [{"a": "é\u2028"}, [1, 2.5], "漢", 7, None, {"b": "x" * 300}, {}, "\n\r"]


def test_lines_borders_at_every_byte():
    for end, last in (("\n", "\n"), ("\r\n", ""), ("\n\n \t\n", "  "), ("\n", "")):
        text = end.join(plain(line) for line in LINES) + last
        data = text.encode()
        for source in (text, data, bytearray(data), memoryview(data), io.BytesIO(data)):
            assert list(linecaster.decode_lines(source)) == LINES
        assert list(linecaster.decode_lines(io.StringIO(text, newline=""))) == LINES
        for cut in range(len(data) + 1):
            assert list(linecaster.decode_lines([data[:cut], data[cut:]])) == LINES
        for size in (1, 2, 3, 7, 64):
            assert list(linecaster.decode_lines(pieces(data, size))) == LINES
            assert list(linecaster.decode_lines(pieces(text, size))) == LINES
            assert list(linecaster.decode_lines(io.BytesIO(data), chunk_size=size)) == LINES


@given(st.lists(trees(surrogates=True), max_size=4), st.integers(1, 100), st.booleans())
def test_round_trips(values, size, text):
    lines = "".join(linecaster.dumps(value) + "\n" for value in values)
    document = linecaster.dumps(values)
    if not text:
        lines = "".join(linecaster.dumps(value, ensure_ascii=True) + "\n" for value in values)
        lines, document = lines.encode(), linecaster.encode(values, ensure_ascii=True)
    expected = json.loads(json.dumps(values))
    assert list(linecaster.decode_lines(pieces(lines, size))) == expected
    if values:
        assert list(linecaster.iter_items(pieces(lines, size), "")) == expected
    assert list(linecaster.iter_items(pieces(document, size), "item")) == expected


@given(trees(), st.sampled_from([None, 0, 3]), st.integers(1, 50), st.data())
def test_any_path(value, indent, size, data):
    value = json.loads(json.dumps(value))
    path = []
    inner = value
    while isinstance(inner, (dict, list)) and inner and data.draw(st.booleans()):
        if isinstance(inner, list):
            path.append("item")
            inner = data.draw(st.sampled_from(inner))
        else:
            key = data.draw(st.sampled_from(sorted(inner)))
            if "." in key or not key or (not path and key.startswith("$")):
                break
            path.append(key)
            inner = inner[key]
    text = json.dumps(value, indent=indent).encode()
    expected = list(oracle(value, path))
    assert list(linecaster.iter_items(pieces(text, size), ".".join(path))) == expected


def test_documents_one_after_the_other():
    text = '{"a":1}\n[2] 3 "4"5 true\n\t null[]{}"'
    chunks = pieces(text, 1)[:-1]
    expected = [{"a": 1}, [2], 3, "4", 5, True, None, [], {}]
    assert list(linecaster.iter_items(chunks, "")) == expected
    assert list(linecaster.iter_items('[1,2][3]\n[{"a":[4]}]', "item")) == [1, 2, 3, {"a": [4]}]
    assert list(linecaster.iter_items("12", "")) == [12]
    assert list(linecaster.decode_lines("")) == list(linecaster.decode_lines([])) == []


def test_duplicate_names():
    assert list(linecaster.iter_items('{"a":[1],"b":2,"a":[3],"\\u0061":[4]}', "a.item")) == [
        1,
        3,
        4,
    ]


BAD = [
    ("", "", "Expecting value", 0),
    ("  ", "", "Expecting value", 2),
    ("[1,2", "item", "Expecting ',' delimiter", 4),
    ("[1 2]", "item", "Expecting ',' delimiter", 3),
    ("[1,]", "item", "Illegal trailing comma before end of array", 3),
    ("[,1]", "item", "Expecting value", 1),
    ("[", "item", "Expecting value", 1),
    ("[1,", "item", "Expecting value", 3),
    ('{"a":1,}', "a", "Illegal trailing comma before end of object", 7),
    ('{"a" 1}', "a", "Expecting ':' delimiter", 5),
    ('{"a"', "a", "Expecting ':' delimiter", 4),
    ('{"a":', "a", "Expecting value", 5),
    ("{1:2}", "a", "Expecting property name enclosed in double quotes", 1),
    ("{", "a", "Expecting property name enclosed in double quotes", 1),
    ('{"a":1', "a", "Expecting ',' delimiter", 6),
    ('{"a', "a", "Unterminated string starting at", 1),
    ('{"a":[1,[2', "a", "Expecting ',' delimiter", 10),
    ('{"b":[1,[2', "a", "Expecting ',' delimiter", 10),
    ("[{},{]]", "item", "Expecting property name enclosed in double quotes", 5),
    ("[1]]", "item", "Expecting value", 3),
    ("[1] x", "item", "Expecting value", 4),
    ("[tru]", "item", "Expecting value", 1),
    ("[01]", "item", "Extra data", 2),
    ('{"\\x":1}', "a", "Invalid \\escape", 2),
    ('["é\n"]', "item", "Invalid control character at", 3),
]


@pytest.mark.parametrize(("text", "path", "message", "offset"), BAD)
def test_errors_of_items(text, path, message, offset):
    for before in ("", "\n", '[{"é":\n[]}]\n  '):
        data = (before + text).encode()
        if before == "\n" and not text.strip():
            continue
        for source in (data, data.decode(), pieces(data, 1), pieces(data, 3)):
            if not text.strip() and before.startswith("["):
                assert len(list(linecaster.iter_items(source, "none"))) == 0
                continue
            items = linecaster.iter_items(source, path)
            with pytest.raises(linecaster.DecodeError) as raised:
                list(items)
            error = raised.value
            whole = json.JSONDecodeError(message, before + text, len(before) + offset)
            assert str(error) == str(whole)
            assert (error.msg, error.offset) == (message, whole.pos)
            assert (error.lineno, error.colno) == (whole.lineno, whole.colno)
            assert list(items) == []


def test_errors_in_a_long_document():
    values = [{"id": i, "text": "é漢\n" * 50} for i in range(3000)]
    text = json.dumps(values, ensure_ascii=False, indent=1)
    place = text.index('"id": 2500')
    text = text[:place] + "!" + text[place:]
    expected = None
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        expected = error
    for source in (text, text.encode(), pieces(text.encode(), 1000)):
        items = linecaster.iter_items(source, "item")
        got = []
        with pytest.raises(linecaster.DecodeError) as raised:
            got.extend(item["id"] for item in items)
        assert got == list(range(2500))
        assert str(raised.value) == str(expected)
        assert raised.value.offset == expected.pos
        assert raised.value.doc[raised.value.pos :].startswith('!"id": 2500')


def test_errors_of_lines():
    text = '{"é": 1}\n\n[1,\r\n2\n"漢", x\n\n3\n"\x01"'
    for source in (text, text.encode(), pieces(text.encode(), 1), pieces(text, 4)):
        lines = linecaster.decode_lines(source)
        found, told = [], []
        while True:
            try:
                found.append(next(lines))
            except StopIteration:
                break
            except linecaster.DecodeError as error:
                found.append((error.msg, error.doc, error.pos, error.lineno, error.colno))
                told.append((str(error), str(json.JSONDecodeError(error.msg, text, error.offset))))
        assert all(ours == theirs for ours, theirs in told)
        assert found == [
            {"é": 1},
            ("Expecting value", "[1,\r", 4, 3, 5),
            2,
            ("Extra data", '"漢", x', 3, 5, 4),
            3,
            ("Invalid control character at", '"\x01"', 1, 8, 2),
        ]
        bad = []
        assert list(linecaster.decode_lines(text, errors="skip")) == [{"é": 1}, 2, 3]
        assert list(linecaster.decode_lines(text, errors=bad.append)) == [{"é": 1}, 2, 3]
        assert [(type(error), error.lineno) for error in bad] == [
            (linecaster.DecodeError, n) for n in (3, 5, 8)
        ]


def test_errors_option():
    def refuse(error):
        raise KeyError(error.lineno)

    lines = linecaster.decode_lines("1\nx\n2", errors=refuse)
    assert next(lines) == 1
    with pytest.raises(KeyError, match="2"):
        next(lines)
    assert next(lines) == 2
    for bad, error in (("ignore", ValueError), (1, TypeError), (None, TypeError)):
        with pytest.raises(error, match="errors"):
            linecaster.decode_lines("", errors=bad)


def test_byte_order_mark():
    data = b"\xef\xbb\xbf[1]\n[2]"
    for source in (data, pieces(data, 1), pieces(data, 2), data.decode(), pieces(data.decode(), 1)):
        assert list(linecaster.decode_lines(source)) == [[1], [2]]
        assert list(linecaster.iter_items(source, "item")) == [1, 2]
    for source in (b"\xef\xbb", [b"\xef", b"x"], b"\xef\xbb[1]", b"[1]\n\xef\xbb\xbf[2]"):
        with pytest.raises(linecaster.DecodeError):
            list(linecaster.decode_lines(source))
        with pytest.raises(linecaster.DecodeError):
            list(linecaster.iter_items(source, ""))


def test_surrogates():
    text = '["\ud800", "\\udc00", "\ud83d\ude00"]\n'
    for source in (text, pieces(text, 1)):
        assert list(linecaster.decode_lines(source)) == [json.loads(text)]
        assert list(linecaster.iter_items(source, "item")) == json.loads(text)
        with pytest.raises(linecaster.DecodeError):
            list(linecaster.decode_lines(source, surrogates="strict"))
    data = text.encode("utf-8", "surrogatepass")
    with pytest.raises(linecaster.DecodeError):
        list(linecaster.decode_lines(data))
    assert list(linecaster.iter_items('{"\ud800": 1, "a": 2}', "$['\ud800']")) == [1]


def test_options_are_those_of_loads():
    text = '{"a": [1.5, 2]}\n{"b": "\t"}\n'
    options = {
        "object_pairs_hook": tuple,
        "parse_float": str,
        "parse_int": lambda digits: -int(digits),
        "strict": False,
    }
    expected = [(("a", ["1.5", -2]),), (("b", "\t"),)]
    decoder = linecaster.Decoder(**options)
    for function in (linecaster.decode_lines, decoder.decode_lines):
        extra = {} if function == decoder.decode_lines else options
        assert list(function(text, **extra)) == expected
    for function in (linecaster.iter_items, decoder.iter_items):
        extra = {} if function == decoder.iter_items else options
        assert list(function(text, "", **extra)) == expected
    assert list(linecaster.iter_items("[[[1]]]", "item", max_depth=2)) == [[[1]]]
    with pytest.raises(linecaster.DecodeError, match="max_depth"):
        list(linecaster.iter_items("[[[1]]]", "item", max_depth=1))
    assert [str(v) for v in linecaster.decode_lines("NaN", allow_nan=True)] == ["nan"]
    for call in (
        linecaster.decode_lines,
        lambda: linecaster.decode_lines("", "skip"),
        lambda: linecaster.decode_lines("", indent=1),
        lambda: linecaster.iter_items(""),
        lambda: linecaster.iter_items(source="", path=""),
        lambda: decoder.iter_items("", "", strict=True),
        lambda: decoder.decode_lines("", chunk_size="1"),
    ):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(ValueError, match="chunk_size"):
        linecaster.iter_items("", "", chunk_size=0)


def test_files(tmp_path):
    values = [{"id": i, "text": "é漢" * 20} for i in range(5000)]
    path = tmp_path / "a.ndjson"
    linecaster.encode_lines(values, path)
    data = path.read_bytes()
    assert list(linecaster.decode_lines(path)) == values
    assert list(linecaster.iter_items(path, "")) == values
    for mode in ("r", "rb"):
        with path.open(mode, **({"encoding": "utf-8"} if mode == "r" else {})) as fp:
            assert list(linecaster.decode_lines(fp)) == values
            assert not fp.closed
    with path.open("rb", buffering=0) as fp:
        assert list(linecaster.decode_lines(fp)) == values
    with path.open("rb") as fp, mmap.mmap(fp.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert list(linecaster.decode_lines(mapped)) == values
    for module in (gzip, bz2, lzma):
        with module.open(tmp_path / "a.packed", "wb") as fp:
            linecaster.encode_lines(values, fp)
        with module.open(tmp_path / "a.packed", "rb") as fp:
            assert list(linecaster.decode_lines(fp)) == values
        with module.open(tmp_path / "a.packed", "rt", encoding="utf-8") as fp:
            assert list(linecaster.iter_items(fp, "")) == values
    with tempfile.TemporaryFile() as fp:
        linecaster.dump(values, fp)
        fp.seek(0)
        assert list(linecaster.iter_items(fp, "item")) == values
    with pytest.raises(FileNotFoundError):
        linecaster.decode_lines(tmp_path / "none")
    assert path.read_bytes() == data


def test_a_file_that_was_opened_is_closed(tmp_path):
    path = tmp_path / "a.ndjson"
    path.write_text("1\n2\n3\nx\n")
    # An open file would be a ResourceWarning, and that an error.
    for finish in (
        lambda lines: lines.close(),
        lambda lines: [next(lines), lines.close(), lines.close()],
        lambda lines: None,
    ):
        finish(linecaster.decode_lines(path))
        gc.collect()
    with linecaster.decode_lines(path) as lines:
        assert next(lines) == 1
    assert list(lines) == []
    with pytest.raises(linecaster.DecodeError):
        list(linecaster.iter_items(path, ""))
    gc.collect()
    before = len(os.listdir("/proc/self/fd")) if sys.platform.startswith("linux") else 0
    lines = [linecaster.decode_lines(path) for _ in range(10)]
    del lines
    gc.collect()
    if sys.platform.startswith("linux"):
        assert len(os.listdir("/proc/self/fd")) == before


def test_sockets_and_pipes():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        lines = linecaster.decode_lines(theirs)
        for i in range(5):
            ours.sendall(b'{"n":%d}\n[' % i)
            # It is there before anything else comes.
            assert next(lines) == {"n": i}
            ours.sendall(b"]\n")
            assert next(lines) == []
        ours.shutdown(socket.SHUT_WR)
        assert list(lines) == []
    for mode in ("r", "rb"):
        read, write = os.pipe()
        with open(read, mode) as source, open(write, "wb", buffering=0) as target:
            lines = linecaster.decode_lines(source)
            for i in range(5):
                target.write(b"%d\n" % i)
                assert next(lines) == i
            target.close()
            assert list(lines) == []


def test_sources_that_are_none():
    for bad in (1, None, object()):
        with pytest.raises(TypeError, match="iterable"):
            linecaster.decode_lines(bad)
    for bad in ([1], [None], [b"1\n", "2\n"], ["1\n", b"2\n"], [["1"]]):
        with pytest.raises(TypeError, match="chunks of JSON text"):
            list(linecaster.decode_lines(bad))

    class Reads:
        def __init__(self, answer):
            self.answer = answer

        def read(self, size):
            return self.answer

    with pytest.raises(BlockingIOError):
        list(linecaster.decode_lines(Reads(None)))
    with pytest.raises(TypeError, match="chunks of JSON text"):
        list(linecaster.decode_lines(Reads(1)))
    assert list(linecaster.decode_lines([b"", b"1", b"", bytearray(b"2\n"), memoryview(b"3")])) == [
        12,
        3,
    ]


def test_failures_of_the_source():
    def chunks():
        yield b"1\n2\n3"
        raise ZeroDivisionError

    lines = linecaster.decode_lines(chunks())
    assert [next(lines), next(lines)] == [1, 2]
    with pytest.raises(ZeroDivisionError):
        next(lines)
    items = linecaster.iter_items(chunks(), "")
    assert [next(items), next(items)] == [1, 2]
    with pytest.raises(ZeroDivisionError):
        next(items)
    assert list(items) == []

    def hook(pairs):
        raise KeyError("hook")

    lines = linecaster.decode_lines("{}\n1", object_hook=hook)
    with pytest.raises(KeyError):
        next(lines)
    assert list(lines) == [1]


def test_lazy():
    taken = 0

    def chunks():
        nonlocal taken
        for _ in range(1000):
            taken += 1
            yield b"1\n2\n"

    lines = linecaster.decode_lines(chunks())
    assert taken == 0
    assert [next(lines) for _ in range(4)] == [1, 2, 1, 2]
    assert taken == 2
    lines.close()
    assert list(lines) == []
    assert taken == 2


def test_used_while_it_runs():
    def hook(_):
        return next(lines)

    def close(_):
        lines.close()

    for make in (
        lambda: linecaster.decode_lines("{}\n{}", object_hook=hook),
        lambda: linecaster.iter_items("[{}]", "item", object_hook=hook),
        lambda: linecaster.decode_lines("{}", object_hook=close),
    ):
        lines = make()
        with pytest.raises(ValueError, match="already executing"):
            next(lines)


def test_a_buffer_that_is_written_to():
    data = bytearray(b'{"a":1}\n{"b":[2,3]}\n')

    def hook(value):
        data[:] = b"x" * len(data)
        with pytest.raises(BufferError):
            data.clear()
        return value

    lines = linecaster.decode_lines(data, object_hook=hook)
    assert next(lines) == {"a": 1}
    with pytest.raises(linecaster.DecodeError):
        next(lines)
    lines.close()
    data.clear()


def test_threads_share_an_iterator():
    lines = linecaster.decode_lines(b"1\n" * 100_000)
    found = []

    def consume():
        found.append(sum(lines))

    threads = [threading.Thread(target=consume) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(found) == 100_000


def test_cycles_are_collected():
    class Holder(list):
        pass

    def alive(make):
        holder = Holder()
        holder.lines = make(holder)
        next(holder.lines)
        return weakref.ref(holder)

    def chunks(holder):
        yield b"1\n{}\n"
        yield holder

    for make in (
        lambda holder: linecaster.decode_lines(chunks(holder)),
        lambda holder: linecaster.decode_lines("1\n2", errors=holder.append),
        lambda holder: linecaster.iter_items("1 2", "", object_hook=holder.append),
        lambda holder: linecaster.Decoder(parse_int=lambda _: holder and 1).iter_items("1 2", ""),
    ):
        reference = alive(make)
        gc.collect()
        assert reference() is None


def test_nothing_leaks():
    def once():
        text = '{"a":[1,{"b":"é"}]}\n[2]\nx\n{"a":[1,{"\\u0061":"é"}]}\n' * 3
        for source in (text, text.encode(), pieces(text, 7), io.StringIO(text)):
            list(linecaster.decode_lines(source, errors="skip"))
            for path in ("a.item", "a.item.a"):
                with pytest.raises(linecaster.DecodeError):
                    list(linecaster.iter_items(source, path))
        lines = linecaster.decode_lines(pieces(text, 3), parse_int=str)
        next(lines)
        del lines
        for bad in (lambda: linecaster.iter_items("", "$["), lambda: linecaster.decode_lines(1)):
            with pytest.raises((ValueError, TypeError)):
                bad()

    once()
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(100):
        once()
    gc.collect()
    assert tracemalloc.get_traced_memory()[0] - before < 20_000
    tracemalloc.stop()


def test_memory_is_bounded():
    def document():
        yield b'{"skipped": ["' + b"y" * 100_000
        for _ in range(100):
            yield b"[{" * 50_000
        yield b'"], "results": ['
        for i in range(100_000):
            yield b'{"id": %d, "text": "%s"}, ' % (i, b"x" * 100)
        yield b"{}]}"

    def lines():
        for i in range(200_000):
            yield b'{"id": %d, "text": "%s"}\n' % (i, b"x" * 100)

    for make, count in (
        (lambda: linecaster.iter_items(document(), "results.item"), 100_001),
        (lambda: linecaster.decode_lines(lines()), 200_000),
    ):
        tracemalloc.start()
        number = sum(1 for _ in make())
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert number == count
        assert peak < 1_000_000
