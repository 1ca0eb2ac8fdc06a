"""What is not JSON: refused where `json` refuses it, with its words and places."""

import json
import sys
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linecaster import DecodeError, loads

SAMPLE = (
    '{"name": "Zoë \\"the\\" \\u00e9\\ud83d\\ude00 漢字", "list": [1, -2.5e3, true, null],\n'
    ' "nested": {"a": {"b": [[], {}]}}, "text": "line\\n\\ttwo"}'
)


def outcome(function: object, document: object) -> object:
    try:
        return function(document)  # type: ignore[operator]
    except json.JSONDecodeError as error:
        return (error.msg, error.doc, error.pos, error.lineno, error.colno, str(error))


def agrees(document: str) -> None:
    expected = outcome(json.loads, document)
    found = outcome(loads, document)
    # `json` reads it as an infinity, whatever comes behind it.
    if isinstance(found, tuple) and found[0].startswith("Number out of range"):
        assert outcome(partial(loads, allow_nan=True), document) == expected
        return
    # `json` says so since 3.13 only.
    trailing = isinstance(found, tuple) and found[0].startswith("Illegal trailing comma")
    if trailing and sys.version_info < (3, 13):
        assert isinstance(expected, tuple)
        return
    # Until 3.13 `json` finds fault with an escape that nothing follows, from
    # 3.14 on with the string that does not end.
    cut = isinstance(found, tuple) and found[0].startswith("Invalid \\uXXXX escape")
    if cut and sys.version_info >= (3, 14):
        assert isinstance(expected, tuple)
        return
    assert found == expected
    encoded = document.encode()
    assert outcome(loads, encoded) == found
    if isinstance(found, tuple):
        for error in (DecodeError, ValueError):
            with pytest.raises(error):
                loads(encoded)


def test_every_beginning_and_end_of_a_document() -> None:
    for at in range(len(SAMPLE)):
        agrees(SAMPLE[:at])
        agrees(SAMPLE[at:])


def test_every_character_replaced() -> None:
    for at in range(len(SAMPLE)):
        for character in '"\\[]{},:x9 \x00é漢':
            agrees(SAMPLE[:at] + character + SAMPLE[at + 1 :])


@given(
    st.lists(
        st.sampled_from(
            [
                *list('[]{},:"\\0123456789.-+eE tnfu\n\x01é漢😀'),
                *["null", "true", "false", '"a"', '"k":', "\\u00", "\\ud83d", "12", "e5", "[1,2]"],
            ]
        ),
        max_size=14,
    )
)
def test_near_json(parts: list[str]) -> None:
    agrees("".join(parts))


@pytest.mark.parametrize(
    ("document", "pos"),
    [
        (b'"\x80"', 1),
        (b'"\xc0\xaf"', 1),
        (b'"\xc1\xbf"', 1),
        (b'"abc\xc3"', 4),
        (b'"\xe0\x80\xaf"', 1),
        (b'"\xe0\x9f\xbf"', 1),
        (b'"\xe2\x82"', 1),
        (b'"\xed\xa0\x80"', 1),
        (b'"\xed\xbf\xbf"', 1),
        (b'"\xf0\x80\x80\xaf"', 1),
        (b'"\xf0\x9f\x98"', 1),
        (b'"\xf4\x90\x80\x80"', 1),
        (b'"\xf5\x80\x80\x80"', 1),
        (b'"\xff"', 1),
        ('["é漢😀", "'.encode() + b'\xfe"]', 9),
        ('{"é\\n": "'.encode() + b'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xfe"}', 47),
        (b'["' + b"x" * 100 + b'\xc3", "', 102),
        (b"\xff", 0),
    ],
)
def test_ill_formed_utf8(document: bytes, pos: int) -> None:
    with pytest.raises(DecodeError) as caught:
        loads(document)
    error = caught.value
    assert (error.msg, error.pos) == ("Invalid UTF-8", pos)
    assert error.doc == document.decode(errors="replace")
    with pytest.raises(ValueError):
        loads(bytearray(document))


@given(st.binary(max_size=60))
def test_any_bytes(content: bytes) -> None:
    document = b'["' + content.replace(b'"', b"'") + b'"]'
    try:
        expected = json.loads(document.decode())
    except ValueError:
        with pytest.raises(DecodeError):
            loads(document)
    else:
        assert loads(document) == expected


@pytest.mark.parametrize(
    "document", ["NaN", "Infinity", "-Infinity", "[1, NaN]", "1e999", "-1e999"]
)
def test_not_finite(document: str) -> None:
    for given_as in (document, document.encode()):
        with pytest.raises(DecodeError, match="allow_nan"):
            loads(given_as)
        assert repr(loads(given_as, allow_nan=True)) == repr(json.loads(document))


@pytest.mark.parametrize("document", ["nan", "inf", "-NaN", "Inf", "-Inf", "+1", "-", "NaNs"])
def test_never_numbers(document: str) -> None:
    with pytest.raises(DecodeError):
        loads(document, allow_nan=True)


def test_byte_order_mark() -> None:
    for document in ("\ufeff[]", "\ufeff[]".encode()):
        with pytest.raises(DecodeError, match="BOM"):
            loads(document)


def test_raw_control_characters() -> None:
    for code in range(32):
        document = f'["a{chr(code)}b\\n"]'
        with pytest.raises(DecodeError, match="Invalid control character at"):
            loads(document)
        for given_as in (document, document.encode()):
            assert loads(given_as, strict=False) == json.loads(document, strict=False)


def test_lone_surrogates() -> None:
    for escaped in ("\\ud800", "\\udfff", "a\\udc00b", "\\ud800\\ud800\\udc00", "\\ud800\\n"):
        document = f'"{escaped}"'
        assert loads(document) == loads(document.encode()) == json.loads(document)
        for given_as in (document, document.encode()):
            with pytest.raises(DecodeError, match="Lone surrogate"):
                loads(given_as, surrogates="strict")
    raw = '"\ud800"'
    assert loads(raw) == "\ud800"
    with pytest.raises(DecodeError, match="Lone surrogate"):
        loads(raw, surrogates="strict")
    assert loads('"\\ud83d\\ude00"', surrogates="strict") == "😀"


def test_depth() -> None:
    assert loads("[" * 1024 + "]" * 1024)
    for opening in ("[", '{"a":'):
        for document in (opening * 1025, opening * 100_000):
            with pytest.raises(DecodeError, match="max_depth") as caught:
                loads(document)
            assert caught.value.pos == len(opening) * 1024
    assert loads("[[1]]", max_depth=2) == [[1]]
    with pytest.raises(DecodeError, match="max_depth"):
        loads("[[1]]", max_depth=1)
    assert loads("1", max_depth=0) == 1


def test_a_hundred_thousand_levels() -> None:
    value = loads("[" * 100_000 + "]" * 100_000, max_depth=100_000)
    for _ in range(99_999):
        (value,) = value
    assert value == []
    value = loads('{"a":' * 100_000 + "1" + "}" * 100_000, max_depth=100_000)
    for _ in range(100_000):
        value = value["a"]
    assert value == 1


def test_wrong_options() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'cls'"):
        loads("1", cls=None)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="positional"):
        loads("1", None)  # type: ignore[misc]
    with pytest.raises(TypeError, match="text"):
        loads()  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="max_depth"):
        loads("1", max_depth=-1)
    with pytest.raises(TypeError):
        loads("1", max_depth=1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'pass' or 'strict'"):
        loads("1", surrogates="ignore")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="'pass' or 'strict'"):
        loads("1", surrogates=1)  # type: ignore[arg-type]
