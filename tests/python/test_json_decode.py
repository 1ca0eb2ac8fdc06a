"""`linecaster.json` reads what `json` reads, and raises what it raises."""

import gc
import io
import json
import re
import sys
import weakref
from decimal import Decimal
from typing import Any

import linecaster.json as ours
import pytest
from hypothesis import given
from hypothesis import strategies as st
from json_outcomes import outcome
from strategies import trees

DOCUMENTS = [
    "null",
    "true",
    " false ",
    "0",
    "-0",
    "1",
    "-1",
    "123456789012345678901234567890",
    "1.5",
    "-1.5e10",
    "1e400",
    "-1e400",
    "1E5",
    "1e-400",
    "NaN",
    "Infinity",
    "-Infinity",
    "[NaN, -Infinity]",
    '""',
    '"a"',
    '"é"',
    '"漢😀"',
    r'"\u00e9\ud83d\ude00\ud800\n\/\b"',
    "[]",
    "{}",
    "[1, 2, [3]]",
    '{"a": {"b": [1, 2.5, null]}}',
    '{"a": 1, "a": 2, "b": 3}',
    "\t\n\r [1 ,\n2 ] ",
    '{"a":1}\n',
    '{"é": 1, "漢": 2}',
    "",
    " ",
    "nul",
    "tru",
    "nan",
    "Inf",
    "-",
    "-Inf",
    "+1",
    "01",
    "1.",
    ".5",
    "1e",
    "1e+",
    "--1",
    "[",
    "]",
    "[1",
    "[1,",
    "[1,]",
    "[,]",
    "[1 2]",
    "[1,,2]",
    "{",
    "}",
    "{1:2}",
    '{"a"',
    '{"a" 1}',
    '{"a":',
    '{"a":}',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    "{,}",
    "{'a': 1}",
    '{"a":1 "b":2}',
    '"',
    '"abc',
    '"\\',
    '"\\x"',
    '"\\u12"',
    '"\\u12',
    '"\\ud83d\\u12"',
    '"a\x01b"',
    '"a\nb"',
    '"\t',
    "1 2",
    "[] []",
    "\ufeff1",
    "\ufeff",
    "[1]x",
    '{"a": [1, {"b": tru}]}',
    "é",
    "[é]",
    "\x00",
    "\xa01",
    "\u2028[1]",
    "[" * 300 + "]" * 300,
    "[" * 700 + "]" * 700,
    '{"a":' * 700 + "1" + "}" * 700,
    "[" * 100_000 + "]" * 100_000,
    '{"a":' * 100_000 + "1" + "}" * 100_000,
    "[" * 100_000,
    "[" + "1" * 5000 + "]",
    '{"a": ' + "1" * 5000 + "}",
]

HOOKS: list[dict[str, Any]] = [
    {},
    {"strict": False},
    {"strict": 0},
    {"object_hook": sorted},
    {"object_pairs_hook": list},
    {"object_pairs_hook": tuple, "object_hook": len},
    {"parse_float": Decimal},
    {"parse_int": float},
    {"parse_int": str},
    {"parse_constant": str},
    {"parse_constant": lambda c: [c]},
    {"parse_float": float, "parse_int": int},
    {"parse_float": 0, "parse_int": ""},
    {"object_hook": None, "parse_float": None, "parse_constant": None},
    {"cls": json.JSONDecoder},
    {"cls": ours.JSONDecoder},
    {"cls": ours.JSONDecoder, "object_hook": len, "strict": False},
]


def ids(values: list[Any]) -> list[str]:
    return [str(i) for i in range(len(values))]


def shown(value: Any) -> Any:
    """Distinguish what compares equal: 1, 1.0, True; and NaN from NaN not."""
    if isinstance(value, tuple) and len(value) == 5 and isinstance(value[0], type):
        return value
    try:
        return repr(value)
    except RecursionError:
        return type(value)


@pytest.mark.parametrize("options", HOOKS, ids=ids(HOOKS))
def test_loads(options: dict[str, Any]) -> None:
    for document in DOCUMENTS:
        mine = outcome(ours.loads, document, **options)
        theirs = outcome(json.loads, document, **options)
        assert shown(mine) == shown(theirs), document[:40]


@pytest.mark.parametrize("options", HOOKS[:3], ids=ids(HOOKS[:3]))
@pytest.mark.parametrize(
    "encoding",
    [
        "utf-8",
        "utf-8-sig",
        "utf-16",
        "utf-16-le",
        "utf-16-be",
        "utf-32",
        "utf-32-le",
        "utf-32-be",
        "latin-1",
    ],
)
def test_bytes(encoding: str, options: dict[str, Any]) -> None:
    for document in DOCUMENTS[:-8]:
        data = document.encode(encoding, "replace")
        for kind in (bytes, bytearray):
            mine, theirs = (outcome(m.loads, kind(data), **options) for m in (ours, json))
            assert shown(mine) == shown(theirs), data[:40]


@given(st.binary(max_size=12), st.booleans())
def test_any_bytes(data: bytes, hooked: bool) -> None:
    options = {"object_hook": len} if hooked else {}
    assert shown(outcome(ours.loads, data, **options)) == shown(
        outcome(json.loads, data, **options)
    )


@given(st.text(alphabet='[]{}",:\\u0123d8e.-+ntNaIf é漢\t\n', max_size=14))
def test_any_text(text: str) -> None:
    assert shown(outcome(ours.loads, text)) == shown(outcome(json.loads, text))
    hook = {"object_pairs_hook": list}
    assert shown(outcome(ours.loads, text, **hook)) == shown(outcome(json.loads, text, **hook))


@given(trees(surrogates=True))
def test_trees(value: Any) -> None:
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False, indent=1)):
        assert shown(ours.loads(text)) == shown(json.loads(text))
        data = text.encode("utf-8", "surrogatepass")
        assert shown(ours.loads(data)) == shown(json.loads(data))


@pytest.mark.parametrize(
    "options",
    [
        {"foo": 1},
        {"strict": True, "foo": 1},
        {"cls": 5},
        {"cls": dict},
        {"object_hook": 5},
        {"parse_int": 5},
        {"parse_constant": 5},
        {"cls": json.JSONDecoder, "foo": 1},
        {"array_hook": len},
    ],
    ids=str,
)
def test_odd_options(options: dict[str, Any]) -> None:
    for document in ("[1, 2.5, NaN]", '{"a": [1]}', "[", b"[1]"):
        mine, theirs = (outcome(m.loads, document, **options) for m in (ours, json))
        assert shown(mine) == shown(theirs)
        files = (io.StringIO('{"a": [1]}') for _ in range(2))
        mine, theirs = (
            outcome(m.load, f, **options) for m, f in zip((ours, json), files, strict=True)
        )
        assert mine == theirs


def test_odd_arguments() -> None:
    for value in (None, 5, memoryview(b"1"), [], object):
        assert outcome(ours.loads, value) == outcome(json.loads, value)
        assert outcome(ours.load, value) == outcome(json.load, value)
        assert outcome(ours.JSONDecoder().decode, value) == outcome(
            json.JSONDecoder().decode, value
        )
    for args in [(), ("1", 2)]:
        assert outcome(ours.loads, *args) == outcome(json.loads, *args)
        assert outcome(ours.load, *args) == outcome(json.load, *args)
    assert ours.loads(s="[1]") == [1]
    assert ours.load(fp=io.BytesIO(b"[1]"), parse_int=str) == ["1"]
    assert ours.load(io.StringIO("[1.5]"), parse_float=str, strict=True) == ["1.5"]


class Boom(Exception):
    pass


def boom(_: Any) -> Any:
    raise Boom


@pytest.mark.parametrize(
    "name", ["object_hook", "object_pairs_hook", "parse_float", "parse_int", "parse_constant"]
)
def test_hooks_raise(name: str) -> None:
    document = '{"a": [1, 2.5, NaN, {"b": 1}]}'
    with pytest.raises(Boom):
        ours.loads(document, **{name: boom})
    for text in (document[:-1], document[:-3] + "x", document + "x"):
        seen: list[list[Any]] = [[], []]
        results = [
            outcome(m.loads, text, **{name: lambda v, s=s: s.append(repr(v))})
            for m, s in zip((ours, json), seen, strict=True)
        ]
        assert results[0] == results[1]
        assert seen[0] == seen[1]


def test_raw_decode() -> None:
    mine, theirs = ours.JSONDecoder(), json.JSONDecoder()
    texts = [
        "[1] x",
        "1 2",
        '{"a": 1}{"b": 2}',
        " 1",
        "x1",
        '"é" "漢"',
        "",
        "[1,",
        "NaN",
        "-",
        "漢 [1]",
        "12.5e",
        "nullx",
    ]
    for text in texts:
        for idx in (*range(-2, len(text) + 3), True, 10**30, "a", None, 1.5):
            assert shown(outcome(mine.raw_decode, text, idx)) == shown(
                outcome(theirs.raw_decode, text, idx)
            )
            a, b = outcome(mine.scan_once, text, idx), outcome(theirs.scan_once, text, idx)
            assert shown(a) == shown(b)
    for value in (b"1", None, 5):
        assert outcome(mine.raw_decode, value) == outcome(theirs.raw_decode, value)
    assert mine.raw_decode(s="[1]", idx=0) == ([1], 3)
    assert mine.scan_once(string="[1]", idx=0) == ([1], 3)


def test_calls_of_decoders() -> None:
    mine, theirs = ours.JSONDecoder(), json.JSONDecoder()
    calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
        ("raw_decode", ("[1]",), {"idx": 0}),
        ("raw_decode", ("x [1]",), {"idx": 2}),
        ("raw_decode", (), {}),
        ("raw_decode", ("1", 0, 0), {}),
        ("raw_decode", ("1",), {"s": "1"}),
        ("raw_decode", ("1",), {"start": 0}),
        ("decode", ("[1]",), {"_w": lambda s, at: re.match("", s)}),
        ("decode", (), {"s": " [1] "}),
        ("decode", (), {}),
        ("decode", (b"1",), {}),
        ("decode", (None,), {}),
        ("decode", ("1", None), {}),
        ("scan_once", (), {}),
        ("scan_once", ("1",), {}),
        ("scan_once", ("1", 0, 0), {}),
        ("scan_once", (b"1", 0), {}),
        ("scan_once", ("1",), {"idx": 0}),
        ("scan_once", ("1",), {"at": 0}),
    ]
    for name, args, options in calls:
        a = outcome(getattr(mine, name), *args, **options)
        assert shown(a) == shown(outcome(getattr(theirs, name), *args, **options))
    with pytest.raises(TypeError):
        ours.JSONDecoder.raw_decode(5, "1")  # type: ignore[arg-type]
    for decoder in (mine, theirs):
        decoder.raw_decode = lambda s, idx=0: ("instance", len(s))  # type: ignore[method-assign]
        assert decoder.decode("[1]") == "instance"
    with pytest.raises(TypeError, match="context"):
        ours.scanner.make_scanner()
    with pytest.raises(AttributeError):
        ours.scanner.make_scanner(5)
    scan = ours.scanner.make_scanner(theirs)
    with pytest.raises(AttributeError):
        scan.strict = False
    assert scan.strict is True
    assert scan.object_hook is None


def test_hooks_that_stop() -> None:
    def stops(_: Any) -> Any:
        raise StopIteration(2)

    def stops_without(_: Any) -> Any:
        raise StopIteration

    for hook in (stops, stops_without):
        mine, theirs = (m.JSONDecoder(object_hook=hook) for m in (ours, json))
        for name in ("decode", "raw_decode"):
            a, b = (outcome(getattr(d, name), '[1, {"a": 1}]') for d in (mine, theirs))
            assert shown(a) == shown(b)
        a, b = (outcome(d.scan_once, '[1, {"a": 1}]', 0) for d in (mine, theirs))
        assert shown(a) == shown(b)


def test_scanners_are_collected() -> None:
    class Hook:
        def __call__(self, value: Any) -> Any:
            return value

    hook = Hook()
    hook.decoder = ours.JSONDecoder(object_hook=hook)  # type: ignore[attr-defined]
    hook.scan = hook.decoder.scan_once  # type: ignore[attr-defined]
    mark = weakref.ref(hook)
    del hook
    gc.collect()
    assert mark() is None


def test_a_bytearray_in_place() -> None:
    document = bytearray(b'[{"a": 1}, "\xc3\xa9", "\xed\xa0\x80"]')
    assert ours.loads(document) == [{"a": 1}, "é", "\ud800"]
    document.append(32)
    for wrong in (b"[1", b"\xff", b"[\xff]", b"", b"\xef\xbb\xbf[1]", b"[1]\x00"):
        given = bytearray(wrong)
        assert shown(outcome(ours.loads, given)) == shown(outcome(json.loads, bytearray(wrong)))
        given.append(32)

    def clears(value: Any) -> Any:
        document.clear()
        return value

    assert ours.loads(document, object_hook=clears) == [{"a": 1}, "é", "\ud800"]
    assert document == b""

    class Own(bytearray):
        def decode(self, *_: Any, **__: Any) -> str:
            return "[5]"

    assert ours.loads(Own(b"[1]")) == json.loads(Own(b"[1]")) == [5]


def test_decoder_attributes() -> None:
    mine, theirs = ours.JSONDecoder(), json.JSONDecoder()
    for name in vars(theirs):
        if name != "scan_once":
            assert getattr(mine, name).__class__ is getattr(theirs, name).__class__
    hooked = ours.JSONDecoder(object_hook=len, strict=False, parse_int=str)
    scan: Any = hooked.scan_once
    assert (scan.object_hook, scan.strict, scan.parse_int) == (len, False, str)
    # As with json, the scanner has taken what it needs.
    hooked.object_hook = None
    assert hooked.decode('{"a": 1}') == 1


def test_decoder_subclasses() -> None:
    for base in (ours.JSONDecoder, json.JSONDecoder):

        class Raw(base):  # type: ignore[misc, valid-type]
            def raw_decode(self, s: str, idx: int = 0) -> Any:
                return "raw", len(s)

        class Own(base):  # type: ignore[misc, valid-type]
            def __init__(self, *args: Any, **options: Any) -> None:
                super().__init__(*args, object_hook=sorted, **options)

        class Decode(base):  # type: ignore[misc, valid-type]
            def decode(self, s: str, *args: Any) -> Any:
                return ["own", super().decode(s)]

        assert ours.loads(" [1]", cls=Raw) == "raw"
        assert ours.loads(b'[{"b": 1, "a": 2}]', cls=Own) == [["a", "b"]]
        assert ours.loads("[1]", cls=Decode) == ["own", [1]]
        decoder = base()
        decoder.scan_once = lambda s, idx: ("scanned", len(s))
        assert decoder.decode("[1]") == "scanned"


def test_pure_python_scanner() -> None:
    decoder = ours.JSONDecoder(parse_float=Decimal)
    decoder.parse_string = lambda s, end, strict: ("own", s.index('"', end) + 1)
    decoder.scan_once = ours.scanner.py_make_scanner(decoder)
    assert decoder.decode('["a", 1.50]') == ["own", Decimal("1.50")]


def test_keys_are_shared() -> None:
    (a, b), (c, d) = (
        list(item) for item in ours.loads('[{"a_key": 1, "b_é": 2}, {"a_key": 3, "b_é": 4}]')
    )
    assert a is c
    assert b is d


def test_int_digits() -> None:
    before = sys.get_int_max_str_digits()
    try:
        sys.set_int_max_str_digits(0)
        assert ours.loads("1" * 5000) == int("1" * 5000)
    finally:
        sys.set_int_max_str_digits(before)


def test_error_class() -> None:
    with pytest.raises(json.JSONDecodeError) as caught:
        ours.loads("[1,\n 2 3]")
    assert type(caught.value) is json.JSONDecodeError is ours.JSONDecodeError
    assert (caught.value.lineno, caught.value.colno) == (2, 4)
