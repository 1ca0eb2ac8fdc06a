"""`linecaster.ujson.loads` and `load` against ujson itself."""

import array
import io
import random
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linecaster import ujson as ours
from outcomes import outcome
from strategies import trees

theirs = pytest.importorskip("ujson")

DOCUMENTS = [
    '{"a": [1, 2.5, -3e5, true, false, null, "x\\u00e9\\n"], "b": {"c": {}, "d": []}}',
    "[NaN, Infinity, -Infinity, -, 1., -.5, 007, -0, 0.0, -0.0, 1e5, 1E+5, 1e-5]",
    '"\\ud83d\\ude00\\ud800\\ud83d é日😀\x7f\x01\n"',
    "[18446744073709551615,18446744073709551616,-9223372036854775808,-9223372036854775809]",
    '{"k": {"k": [["a"], {"b": "c"}]}, "k": 2}',
    '{["a"]:1, {"b":"c"}:2, [1]:3}',
    " \t[ 1 , 2 ] \r\n",
    '"' + "x" * 40 + "\\n" + "y" * 40 + '\\"\\\\\\/\\b\\f\\r\\t"',
    "[0.1,1.7976931348623157e308,5e-324,1e999,-1e999,123456789.123456789e-20,0000.1]",
]
PIECES = [
    *'{}[]:,"\\/ \n\t09.eE+-INatfnx\x00\x01\x1f\x7fé日😀', "\ud800", "\udc00", "\\u", "\\ud83d",
    "\\ude00", "\\u12", "\\u00g", "NaN", "Infinity", "true", "null", "00", "1.", "-.", '""', "[]",
    "{}", "\ufeff",
]  # fmt: skip
TOKENS = [
    "{", "}", "[", "]", ":", ",", '"a"', '""', "1", "-", "-1", "1.5", "1.", "-.5", "NaN",
    "Infinity", "-Infinity", "true", "false", "null", " ", "\n", "00", "e5", ".", "\x00",
    '"\\u12"', '"\\u1234"', '"\\x"', "9" * 5000,
]  # fmt: skip
ODD_BYTES = bytes.fromhex("80 bf c0 c1 c3 e0 ed ef f0 f4 f5 f8 fe ff a0 90 00 22 5c")


def check(*args: Any, **kwargs: Any) -> None:
    assert outcome(ours.loads, *args, **kwargs) == outcome(theirs.loads, *args, **kwargs), args


def check_text(text: str) -> None:
    """Compare a document as str and as bytes."""
    check(text)
    check(text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_single_change(document: str) -> None:
    for at in range(len(document) + 1):
        check_text(document[:at])
        check_text(document[at:])
        for piece in PIECES:
            check_text(document[:at] + piece + document[at:])
            check(document[:at] + piece + document[at + 1 :])


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_odd_byte(document: str) -> None:
    text = document.encode()
    for at in range(len(text) + 1):
        for byte in ODD_BYTES:
            check(text[:at] + bytes([byte]) + text[at:])
            check(bytearray(text[:at] + bytes([byte]) + text[at + 1 :]))


def test_tokens_in_any_order() -> None:
    chance = random.Random(2)
    for _ in range(20_000):
        check_text("".join(chance.choices(TOKENS, k=chance.randint(1, 7))))


def test_numbers() -> None:
    chance = random.Random(3)
    for _ in range(20_000):
        check("".join(chance.choices("0123456789.-+eEIN", k=chance.randint(1, 8))))
    for _ in range(10_000):
        sign = chance.choice(["", "-"])
        digits = "".join(chance.choices("0123456789", k=chance.randint(0, 40)))
        fraction = "." + "0" * 30 + "7e30"
        rest = chance.choice(["", ".", f".{chance.getrandbits(70)}", "e5", ".e-3", fraction])
        check(sign + digits + rest)
    for digits in (4300, 4301):
        for text in (
            "{}",
            "-{}",
            "[{}]",
            "{}.5",
            "{}e-5",
            '{{"a":{}}}',
            "{{{}:1}}",
            '{{["a"]:{}}}',
        ):
            check(text.format("1" * digits))
    check("0" * 5000 + "1")


def test_unhashable_keys_and_what_follows() -> None:
    for key in ('["a"]', '{"a":"b"}', '[1,["a"]]', "[[]]", "[]", "{}", '{"a":1}', '[{"a":"b"}]'):
        for rest in (":1}", ":1", " 1}", ":1,}", ":x}", ':1,"b":2}', ":" + "1" * 5000 + "}"):
            check_text("{" + key + rest)
            check_text('[1,{"a":{' + key + rest + "}}]")


def kept(loads: Any, text: str) -> Any:
    try:
        value, depth = loads(text), 0
        while value and not isinstance(value, int):
            value = value[0] if isinstance(value, list) else value["a"]
            depth += 1
        return depth, value
    except ValueError as error:
        return type(error).__name__, str(error)


def test_depth() -> None:
    for levels in (1022, 1023, 1024, 1025, 1026, 100_000):
        for opening, closing in (("[", "]"), ('{"a":', "}"), ("{", ""), ('{["a"],', "")):
            for leaf in ("1", "[]", "{}", '"x', ""):
                text = opening * levels + leaf + closing * levels
                assert kept(ours.loads, text) == kept(theirs.loads, text)


class Bytes(bytes):
    pass


class Str(str):
    pass


def test_inputs() -> None:
    for value in (
        None, 1, 1.5, [], object(), memoryview(b"1"), memoryview(b"1234")[::2],
        array.array("b", [49]), Bytes(b"[1]"), bytearray(b"1"), Str('["日"]'), b"", "", bytearray(),
        b"\xef\xbb\xbf1", "\ufeff1", "[1".encode("utf-16"),
    ):  # fmt: skip
        check(value)
        assert outcome(ours.decode, value) == outcome(theirs.decode, value)
    for args, kwargs in (
        ((), {}), (("1", "2"), {}), (("1",), {"obj": "2"}), ((), {"obj": "[1]"}),
        (("1",), {"x": 2}), ((), {"x": 1}),
    ):  # fmt: skip
        check(*args, **kwargs)


class File:
    def __init__(self, text: Any) -> None:
        self.text = text

    def read(self, *args: Any) -> Any:
        if isinstance(self.text, Exception):
            raise self.text
        return self.text


class Broken:
    read = 5


class Raising:
    @property
    def read(self) -> Any:
        raise AttributeError("r")


def test_load() -> None:
    for text in ("[1]", b"[1]", bytearray(b"{}"), None, 3, "[", KeyError("x"), memoryview(b"1")):
        for kwargs in ({}, {"x": 1}, {"obj": 1}, {"fp": 1}):
            got = outcome(ours.load, File(text), **kwargs)
            assert got == outcome(theirs.load, File(text), **kwargs)
    for file in (None, 3, Broken(), Raising()):
        assert outcome(ours.load, file) == outcome(theirs.load, file)
    assert ours.load(io.StringIO('{"a": [1.]}')) == {"a": [1.0]}
    assert ours.load(io.BytesIO(b'{"a": [1.]}')) == {"a": [1.0]}
    for args in ((), (1, 2)):
        assert outcome(ours.load, *args) == outcome(theirs.load, *args)
    assert outcome(ours.load, fp=1) == outcome(theirs.load, fp=1)


def test_errors_are_value_errors() -> None:
    with pytest.raises(ours.JSONDecodeError, match=r"^Trailing data$") as caught:
        ours.loads("1 2")
    assert isinstance(caught.value, ValueError)
    assert caught.value.args == ("Trailing data",)
    assert type(caught.value).__module__ == "linecaster.ujson"


@given(trees(surrogates=True))
def test_trees(tree: Any) -> None:
    check_text(theirs.dumps(tree))
    check_text(theirs.dumps(tree, ensure_ascii=False, indent=1))


@given(st.text(st.sampled_from("".join(p for p in PIECES if len(p) == 1)), max_size=20))
def test_any_text(text: str) -> None:
    check_text(text)
    check_text(f'["{text}"]')


@given(st.binary(max_size=20))
def test_any_bytes(text: bytes) -> None:
    check(text)
    check(b'"' + text + b'"')


def test_nothing_leaks() -> None:
    counts = []
    for _ in range(2):
        for text in ('{"a": [1, 2', '{["a"]: 1}', '["' + "é" * 50 + '\\x"]', "[-.]"):
            for _ in range(200):
                outcome(ours.loads, text)
        counts.append(sys.getallocatedblocks())
    assert abs(counts[1] - counts[0]) < 100
