"""Strings: every code point, every length around blocks, every representation."""

import ctypes
import sys

import linecaster
import pytest
from trees import KINDS, SAMPLES, plain

SURROGATES = range(0xD800, 0xE000)
FILLERS = {"ascii": "a", "latin1": "é", "ucs2": "漢", "ucs4": "😀"}


def every(top=sys.maxunicode + 1):
    return [chr(c) for c in range(top)]


@pytest.mark.parametrize("ensure_ascii", [False, True])
@pytest.mark.parametrize("top", [0x80, 0x100, 0x10000, sys.maxunicode + 1])
def test_every_code_point(top, ensure_ascii):
    chars = every(top)
    expected = plain(chars, ensure_ascii=ensure_ascii)
    assert linecaster.dumps(chars, ensure_ascii=ensure_ascii) == expected
    assert linecaster.dumps(chars[::-1], ensure_ascii=ensure_ascii) == plain(
        chars[::-1], ensure_ascii=ensure_ascii
    )
    whole = "".join(chars)
    expected = plain(whole, ensure_ascii=ensure_ascii)
    assert linecaster.dumps(whole, ensure_ascii=ensure_ascii) == expected
    passed = linecaster.encode(whole, ensure_ascii=ensure_ascii, surrogates="pass")
    assert passed == expected.encode("utf-8", "surrogatepass")


@pytest.mark.parametrize("ensure_ascii", [False, True])
def test_every_code_point_as_key(ensure_ascii):
    chars = every()
    for start in range(0, len(chars), 4096):
        members = dict.fromkeys(chars[start : start + 4096])
        expected = plain(members, ensure_ascii=ensure_ascii)
        assert linecaster.dumps(members, ensure_ascii=ensure_ascii) == expected
        passed = linecaster.encode(members, ensure_ascii=ensure_ascii, surrogates="pass")
        assert passed == expected.encode("utf-8", "surrogatepass")


def test_every_scalar_value_as_bytes():
    scalars = [c for c in every() if ord(c) not in SURROGATES]
    assert linecaster.encode(scalars) == plain(scalars).encode()
    assert linecaster.encode("".join(scalars)) == plain("".join(scalars)).encode()


def test_every_surrogate_is_refused_by_encode():
    for c in SURROGATES:
        with pytest.raises(linecaster.EncodeError, match="surrogate"):
            linecaster.encode(chr(c))


@pytest.mark.parametrize(
    "text", ["\ud800", "a\udfff", "x" * 70 + "\udc00é", "😀\ud83d", "\ud800" * 9]
)
def test_surrogates(text):
    for document in (text, [text], {text: 1}, {"a": {"b": text}}):
        assert linecaster.dumps(document) == plain(document)
        assert linecaster.dumps(document, surrogates="pass") == plain(document)
        escaped = plain(document, ensure_ascii=True)
        assert linecaster.dumps(document, ensure_ascii=True) == escaped
        for refuse in (
            linecaster.encode,
            lambda d: linecaster.encode(d, surrogates="strict"),
            lambda d: linecaster.encode(d, surrogates="strict", ensure_ascii=True),
            lambda d: linecaster.dumps(d, surrogates="strict"),
            lambda d: linecaster.dumps(d, surrogates="strict", ensure_ascii=True),
        ):
            with pytest.raises(linecaster.EncodeError, match="lone surrogate"):
                refuse(document)


def test_adjacent_surrogates_of_a_pair_stay_two():
    text = "\ud83d\ude00"
    assert linecaster.dumps(text) == f'"{text}"'
    assert linecaster.dumps(text, ensure_ascii=True) == '"\\ud83d\\ude00"'
    with pytest.raises(linecaster.EncodeError):
        linecaster.encode(text)


@pytest.mark.parametrize("kind", KINDS)
def test_every_length_and_place_of_an_escape(kind):
    filler = FILLERS[kind]
    for length in range(131):
        texts = [filler * length]
        for mark in ('"', "\x01", SAMPLES[kind][-1]):
            texts += [filler * at + mark + filler * (length - at - 1) for at in range(length)]
        for ensure_ascii in (False, True):
            expected = plain(texts, ensure_ascii=ensure_ascii)
            assert linecaster.dumps(texts, ensure_ascii=ensure_ascii) == expected
            assert linecaster.encode(texts, ensure_ascii=ensure_ascii) == expected.encode()


@pytest.mark.parametrize("outer", KINDS)
@pytest.mark.parametrize("inner", KINDS)
def test_every_length_of_each_text_in_each_output(outer, inner):
    lead = FILLERS[outer]
    texts = [FILLERS[inner] * n + '"' * (n % 3) for n in range(131)]
    document = [lead, texts, {text: text for text in texts}, 12345678901234567890, 1.25e-300]
    assert linecaster.dumps(document) == plain(document)
    for text in texts:
        assert linecaster.dumps([lead, text]) == plain([lead, text])


@pytest.mark.parametrize("kind", KINDS)
def test_dense_and_sparse_escapes(kind):
    filler = FILLERS[kind]
    for gap in (0, 1, 2, 3, 5, 7, 9, 15, 16, 17, 31, 33):
        for mark in ("\\", "\x1f", "\n", "é", "漢", "😀"):
            text = (filler * gap + mark) * 300
            assert linecaster.dumps(text) == plain(text)
            assert linecaster.encode(text) == plain(text).encode()
            escaped = plain(text, ensure_ascii=True)
            assert linecaster.dumps(text, ensure_ascii=True) == escaped


class Text(str):
    """A `str` that is not compact, although its ASCII bit is set."""

    __slots__ = ()


class Rich(str):
    """A `str` with a `__dict__`."""

    def __str__(self) -> str:
        return "a lie"


@pytest.mark.parametrize("cls", [Text, Rich])
@pytest.mark.parametrize("kind", KINDS)
def test_subclasses(cls, kind):
    for length in (0, 1, 5, 30, 200, 5000):
        text = cls(FILLERS[kind] * length + '"')
        for document in (text, [text, text], {text: text}, {"a": [text]}):
            assert linecaster.dumps(document) == plain(document)
            assert linecaster.encode(document) == plain(document).encode()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("kind", KINDS if sys.version_info < (3, 12) else ["none"])
def test_strings_that_are_not_ready(kind):
    if kind == "none":  # They are gone from 3.12 on, with the function that makes them.
        assert not hasattr(ctypes.pythonapi, "PyUnicode_FromUnicode")
        return
    make = ctypes.pythonapi.PyUnicode_FromUnicode
    make.argtypes = [ctypes.c_void_p, ctypes.c_ssize_t]
    make.restype = ctypes.py_object

    def unready(text):
        made = make(None, len(text))
        # Behind the head of three words, the state, and `wstr` itself.
        wide = ctypes.c_void_p.from_address(id(made) + 40).value
        assert wide is not None
        ctypes.memmove(wide, text.encode("utf-32-le"), 4 * len(text))
        return made

    for text in (FILLERS[kind], FILLERS[kind] * 50 + '"', "a" * 20 + SAMPLES[kind]):
        assert linecaster.dumps(unready(text)) == plain(text)
        assert linecaster.encode([unready(text)]) == plain([text]).encode()
        assert linecaster.dumps({"k": unready(text)}) == plain({"k": text})


def test_short_results():
    assert linecaster.dumps(1) == "1"
    assert linecaster.dumps("") == '""'
    assert sys.intern(linecaster.dumps(7)) == "7"
    assert {linecaster.dumps(0): 1}["0"] == 1
    assert linecaster.encode(3) == b"3"
    assert linecaster.dumps([]) == "[]"
    assert linecaster.dumps({}) == "{}"
    assert linecaster.dumps(()) == "[]"
