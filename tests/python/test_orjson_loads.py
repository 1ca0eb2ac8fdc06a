"""`linecaster.orjson.loads` against the original: values, and what is no document."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orjson_twins import failure, ours, outcome, same_loads, theirs
from strategies import trees

DOCUMENTS = [
    "-0", "-0.0", "0", "1.5e3", "1E5", "1e-400", "18446744073709551615", "18446744073709551616",
    "-9223372036854775808", "-9223372036854775809", "123456789012345678901234567890", "1" * 308,
    "1" * 400, "1e400", "-1e400", "1e999999999999999999999", "0e999", "0.0e-99999999999999999999",
    "1e-99999999999999999999999", "0." + "0" * 400 + "1e401", "[]", "{}", '""', " [ ] ", "\t{\n}\r",
    '{"a":1,"b":2,"a":3}', '["\\ud83d\\ude00"]', '"\\u0000"', '["\x7f"]', '"\\/\\b\\f\\n\\r\\t\\""',
    "", " ", "\n\n", "NaN", "[NaN]", "nan", "Infinity", "-Infinity", "tru", "truex", "t", "[t]",
    "[tru", "nul", "fals", "falsy", "[nulll]", "[1,]", "[,]", "[1 , \n ]", "{,}", '{"a":1,}',
    '{"a":1 , }', '{"a"}', '{"a":}', "{1:2}", '{"a" 1}', '{"a', '{"a":1', '{"a":1]', "[1}", "01",
    "-01", "00", "1.", "[1.]", "1.e1", "1e", "1e+", "[0e]", "[1e-]", ".5", "+1", "-", "[-]", "--1",
    "1 2", "[1 2]", "[1", '["a', '["\\x"]', '["\\', '"\\', '["\\u12"]', '["\\u12', '"\\uzzzz"',
    '["\\ud800"]', '"\\ud800', '"\\ud800\\', '"\\ud800\\u', '"\\ud800\\ud', '"\\ud800\\udc0',
    '"\\ud800\\u00', '["\\ud800\\u0041"]', '["\\ud800\\uzzzz"]', '["\\udc00"]', '"\\udc00',
    '"\\ud800x"', '"\\ud800\\n"', '["\n"]', '["\x00"]', "/* */1", "'a'", "[1,,2]", "]", "}", "{",
    "[", '"', "é", "[é]", '["é" é]', "\u2028[]", "\xa0[]", "\x0b[]", "\x0c1", "0x10", "1_000",
    "[]\x00", "\x00", "[1\x00]", "\ufeff[]", " \ufeff[]", "\ufeff", "\ud800", '"\ud800"',
    "[\udc00]",
    "{\"a\": [1, {\"é\": \"😀\" x}]}", '["😀",\n"é"\n,]', "[1]]", "[[]", "{}}", '{"a":{}', "[{]",
]  # fmt: skip


@pytest.mark.parametrize("text", DOCUMENTS)
def test_documents(text):
    same_loads(text)
    data = text.encode("utf-8", "surrogatepass")
    same_loads(data)
    same_loads(bytearray(data))
    same_loads(memoryview(data))


def test_depth():
    def fate(module, text):
        return outcome(lambda: type(module.loads(text)))

    for opening, closing in [("[", "]"), ('{"a":', "}")]:
        inner = "" if opening == "[" else "1"
        for depth in (1, 1023, 1024, 1025):
            whole = opening * depth + inner + closing * depth
            for text in (whole, opening * depth, " " + whole.replace(opening, opening + "\n")):
                # The original's memory is a multiple of the document's length, and runs out
                # for such as these if they are short.
                padded = text + " " * 10000
                assert fate(ours, padded) == fate(theirs, padded)
    deep = "[" * 1025 + "]" * 1025
    assert same_loads(deep)[1] == "depth limit exceeded: line 1 column 1026 (char 1025)"


class Str(str):
    __slots__ = ()


class Bytes(bytes):
    pass


@pytest.mark.parametrize(
    "value",
    [
        None, 1, 1.5, [], {}, object, Str("[]"), Bytes(b"[]"), b"\xff", b'"\xff"', b"[1\xff]",
        b'"\xed\xa0\x80"', b"\xff\xfe[\x00]\x00", b"\xef\xbb\xbf[]", b"\xef\xbb", b'"\xc3',
        memoryview(b"[1]x1")[::2], memoryview(b"[11]").cast("H"),
    ],
)  # fmt: skip
def test_inputs(value):
    same_loads(value)


def test_the_error_class():
    with pytest.raises(json.JSONDecodeError) as caught:
        ours.loads("[1,\n é]")
    error = caught.value
    assert type(error) is ours.JSONDecodeError
    assert (error.msg, error.doc) == ("unexpected character, expected a JSON value", "[1,\n é]")
    assert (error.pos, error.lineno, error.colno) == (5, 2, 2)
    assert ours.JSONDecodeError.__mro__[1:] == theirs.JSONDecodeError.__mro__[1:]
    with pytest.raises(TypeError, match=r"loads\(\) takes exactly one argument"):
        ours.loads()
    with pytest.raises(TypeError, match="takes no keyword arguments"):
        ours.loads(obj="1")


def test_handled_exceptions_are_the_context():
    def context(module):
        try:
            raise KeyError(1)
        except KeyError:
            try:
                module.loads("x")
            except ValueError as error:
                return failure(error)

    assert context(ours) == context(theirs)
    assert context(ours)[-1][0] == "KeyError"


@given(trees(surrogates=True))
def test_values(value):
    for options in ({}, {"indent": 1}, {"ensure_ascii": False}):
        text = json.dumps(value, **options)
        same_loads(text)
        same_loads(text.encode("utf-8", "surrogatepass"))


ALPHABET = '[]{}:,"\\ \n\t0123456789.-+eEtruefalsn/bdcu\x00\x1fé😀\u20ac\ufeff'


@given(st.text(ALPHABET, max_size=30))
def test_any_text(text):
    same_loads(text)
    same_loads(text.encode())


SEEDS = [
    '{"id": 12, "name": "Zoë \\ud83d\\ude00 \\n", "tags": ["a", "", true, null], "x": -1.5e-7}',
    '[\n  [1, 2.25, 1e10],\n  {"é": {"k": [false]}},\n  "\\u00e9\\\\"\n]',
    '["\\ud800\\udc00", 0, -0, 123456789012345678901, [], {}]',
]


def test_mutated_documents():
    chance = random.Random(20)
    for _ in range(6000):
        text = list(chance.choice(SEEDS))
        for _ in range(chance.choice([1, 1, 1, 2, 4])):
            at = chance.randrange(len(text) + 1)
            match chance.randrange(5):
                case 0:
                    del text[at : at + chance.choice([1, 1, 3])]
                case 1:
                    text.insert(at, chance.choice(ALPHABET))
                case 2 if at < len(text):
                    text[at] = chance.choice(ALPHABET)
                case 3:
                    del text[at:]
                case 4:
                    other = chance.choice(SEEDS)
                    start = chance.randrange(len(other))
                    text[at:at] = other[start : start + chance.randrange(8)]
        same_loads("".join(text))


def test_broken_utf8():
    chance = random.Random(21)
    for _ in range(2000):
        data = bytearray(chance.choice(SEEDS).encode())
        for _ in range(chance.choice([1, 2])):
            data[chance.randrange(len(data))] = chance.randrange(256)
        same_loads(bytes(data))
