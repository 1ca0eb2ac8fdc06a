"""`python -m linecaster.compat`: what is compared, how it is said, what it exits with."""

import importlib
import importlib.util
import json
import math
import os
import subprocess
import sys
import types

import pytest
from linecaster import compat
from linecaster._comparison import Difference, Outcome, compare, run


class Own(Exception):
    pass


def twin(name):
    return type(name, (ValueError,), {})


DEEP_A: list = [1]
DEEP_B: list = [2]
for _ in range(3000):
    DEEP_A, DEEP_B = [DEEP_A], [DEEP_B]

SAME = [
    1, True, None, "é", b"\xff", [], {}, (1,), [math.nan], {"a": [1.5, {"b": None}]}, DEEP_A,
    {math.inf: 1},
]  # fmt: skip


@pytest.mark.parametrize("value", SAME, ids=lambda value: type(value).__name__)
def test_same_values(value):
    assert compare(Outcome(value), Outcome(value)) is None


def test_nan_from_two_sides():
    assert compare(Outcome([float("nan")]), Outcome([float("nan")])) is None


@pytest.mark.parametrize(
    ("original", "other", "text", "position"),
    [
        ("abc", "abX", "character 2: 'abX' instead of 'abc'", 2),
        ("abc", "ab", "character 2: 'ab' instead of 'abc'", 2),
        (b"\xff", b"\xfe", r"byte 0: b'\xfe' instead of b'\xff'", 0),
        ("x" * 100 + "a" + "y" * 50, "x" * 100 + "b" + "y" * 50,
         f"character 100: '{'x' * 16}b{'y' * 15}' instead of '{'x' * 16}a{'y' * 15}'", 100),
        ("a", b"a", "$: bytes b'a' instead of str 'a'", "$"),
        (1, 1.0, "$: float 1.0 instead of int 1", "$"),
        (1, True, "$: bool True instead of int 1", "$"),
        (0.0, -0.0, "$: float -0.0 instead of float 0.0", "$"),
        ([1, {"a": [1, 2]}], [1, {"a": [1, 3]}], "$[1].a[1]: int 3 instead of int 2", "$[1].a[1]"),
        ({"a b": 1}, {"a b": 2}, "$['a b']: int 2 instead of int 1", "$['a b']"),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, "$: key str 'b' instead of str 'a'", "$"),
        ([1, 2], [1], "$: 1 items instead of 2", "$"),
        ([1], (1,), "$: tuple (1,) instead of list [1]", "$"),
        ([[1, 2], [3]], [[1, 5], [4]], "$[0][1]: int 5 instead of int 2", "$[0][1]"),
    ],
    ids=repr,
)  # fmt: skip
def test_different_values(original, other, text, position):
    assert compare(Outcome(original), Outcome(other)) == Difference(text, position)


def test_different_far_down():
    found = compare(Outcome(DEEP_A), Outcome(DEEP_B))
    assert found.position == "$" + "[0]" * 3001


def raising(error):
    def function(value):
        raise error

    return run(function, lambda: None, {})


def test_errors():
    one = raising(twin("JSONDecodeError")("Expecting: line 1"))
    assert one == Outcome(None, "JSONDecodeError", "Expecting: line 1")
    assert compare(one, raising(twin("JSONDecodeError")("Expecting: line 1"))) is None
    assert compare(one, raising(Own("x"))).text == "Own instead of JSONDecodeError"
    assert compare(one, Outcome(1)).text == "a value instead of JSONDecodeError"
    assert compare(Outcome(1), one).text == "JSONDecodeError instead of a value"
    other = compare(one, raising(twin("JSONDecodeError")("Expecting: line 2")))
    assert other.position == 16
    assert other.text.startswith("the message, character 16: ")


def module(name, **content):
    made = types.ModuleType(name)
    vars(made).update(content)
    return made


def compact(value, **options):
    return json.dumps(value, **{"separators": (",", ":"), **options})


def as_bytes(value, **options):
    return compact(value, **options).encode()


@pytest.fixture
def stand_ins(monkeypatch):
    """Three pairs: one equal, one without an original, one that differs."""
    equal = {"dumps": json.dumps, "loads": json.loads}
    monkeypatch.setitem(sys.modules, "linecaster.json", module("linecaster.json", **equal))
    orjson = module("linecaster.orjson", dumps=as_bytes, loads=json.loads, OPT_ONE=1, OPT_TWO=2)
    monkeypatch.setitem(sys.modules, "linecaster.orjson", orjson)
    monkeypatch.setitem(sys.modules, "orjson", None)
    ours = module("linecaster.ujson", dumps=compact, loads=json.loads)
    monkeypatch.setitem(sys.modules, "linecaster.ujson", ours)

    def loads(text):
        return json.loads(text, parse_float=str)

    theirs = module("ujson", dumps=json.dumps, loads=loads, __version__="0.1")
    monkeypatch.setitem(sys.modules, "ujson", theirs)


def said(capsys, *arguments):
    status = compat.main(arguments)
    return status, capsys.readouterr().out


def test_plain_answers(stand_ins, capsys):
    version = ".".join(map(str, sys.version_info[:3]))
    status, text = said(capsys, "-e", "[1, 2]")
    assert status == 1
    assert [line.split(maxsplit=4) for line in text.splitlines()] == [
        ["[1,", "2]"],
        ["json", version, "dumps", "equal", "'[1, 2]'"],
        ["orjson", "not", "installed", "dumps", "not compared  b'[1,2]'"],
        ["ujson", "0.1", "dumps", "DIFFERENT"],
        ["original", "'[1,", "2]'"],
        ["linecaster", "'[1,2]'"],
        ["first", "difference:", "character", "3:", "'[1,2]' instead of '[1, 2]'"],
        ["1", "of", "2", "differ"],
    ]
    status, text = said(capsys, "-e", "[1]")
    assert (status, text.splitlines()[-1]) == (0, "all 2 equal")


def test_machine_answers(stand_ins, capsys):
    arguments = ["-e", "[1, 2]", "--json", "-t", "[1.5", "--only=ujson", "-o", "json"]
    status, text = said(capsys, *arguments)
    answer = json.loads(text)
    assert (status, answer["equal"]) == (1, False)
    decoded, encoded = answer["inputs"]
    message = "Expecting ',' delimiter: line 1 column 5 (char 4)"
    error = {"error": "JSONDecodeError", "message": message}
    assert decoded["input"] == "'[1.5'"
    assert [one["drop_in"] for one in decoded["results"]] == ["linecaster.json", "linecaster.ujson"]
    assert decoded["results"][1] == {
        "drop_in": "linecaster.ujson", "original_version": "0.1", "call": "loads", "equal": True,
        "original": error, "linecaster": error, "difference": None,
    }  # fmt: skip
    assert encoded["results"][1] == {
        "drop_in": "linecaster.ujson", "original_version": "0.1", "call": "dumps", "equal": False,
        "original": {"type": "str", "text": "[1, 2]"},
        "linecaster": {"type": "str", "text": "[1,2]"},
        "difference": {"text": "character 3: '[1,2]' instead of '[1, 2]'", "position": 3},
    }  # fmt: skip


def test_machine_answers_without_an_original(stand_ins, capsys):
    status, text = said(capsys, "-e", "['é', b'x'.hex()]", "--json", "-o", "orjson", "-o", "json")
    one = json.loads(text)["inputs"][0]["results"][1]
    assert status == 0
    assert (one["equal"], one["original"], one["original_version"]) == (None, None, None)
    assert one["linecaster"] == {"type": "bytes", "text": '["\\u00e9","78"]'}


def test_files(stand_ins, capsys, tmp_path, monkeypatch):
    path = tmp_path / "é.json"
    path.write_text('{"a": [1.5, 2]}', "utf-8")
    status, text = said(capsys, str(path), "-o", "ujson")
    assert status == 1
    assert "first difference: $.a[0]: float 1.5 instead of str '1.5'" in text
    assert "first difference: character 5:" in text
    status, text = said(capsys, str(path), "-o", "json")
    assert (status, text.count("equal")) == (0, 3)
    path.write_bytes(b"[")
    status, text = said(capsys, str(path), str(path), "-o", "json")
    assert (status, text.splitlines()[-1]) == (0, "all 2 equal")
    monkeypatch.setattr(sys, "stdin", types.SimpleNamespace(buffer=path.open("rb")))
    status, text = said(capsys, "-", "-o", "json")
    sys.stdin.buffer.close()
    assert (status, text.splitlines()[0]) == (0, "-")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--ensure-ascii", "false"], '["é", 1]'),
        (["--ensure-ascii=False"], '["é", 1]'),
        (["--ensure_ascii", "0"], '["é", 1]'),
        (["--kwargs", "ensure_ascii=False, separators=(',', ': ')"], '["é",1]'),
        (["--separators", "['; ', '']"], '["\\u00e9"; 1]'),
        (["--indent", "null"], '["\\u00e9", 1]'),
        (["--indent", "--"], '[\n--"\\u00e9",\n--1\n]'),
        (["--indent=-1"], '[\n"\\u00e9",\n1\n]'),
        (["--indent", "string"], '[\nstring"\\u00e9",\nstring1\n]'),
        (["--kwargs", "indent=1", "--indent", "0"], '[\n"\\u00e9",\n1\n]'),
        (["--default", "str", "-e", "[datetime.date(2026, 1, 2)]"], '["2026-01-02"]'),
        (["--default", "lambda v: [uuid.UUID(int=0).hex[0]]", "-e", "{1}"], '["0"]'),
        (["--sort-keys", "true", "-e", "{'b': 1, 'a': OPT_ONE | OPT_TWO}"], '{"a": 3, "b": 1}'),
        (["-e", "[collections.OrderedDict(a=x) for x in range(1)]"], '[{"a": 0}]'),
        (["-e", "-1"], "-1"),
        (["-e", " 1"], "1"),
    ],
    ids=str,
)
def test_keywords(stand_ins, capsys, arguments, expected):
    given = ["-e", "['é', 1]"] if "-e" not in arguments else []
    status, text = said(capsys, "--json", "-o", "json", *given, *arguments)
    (one,) = json.loads(text)["inputs"][0]["results"]
    assert (status, one["linecaster"]) == (0, {"type": "str", "text": expected})


def test_keywords_of_loads(stand_ins, capsys):
    arguments = ["--json", "-o", "json", "-t", "[1.5]", "--loads-kwargs", "parse_float=str"]
    _, text = said(capsys, *arguments)
    assert json.loads(text)["inputs"][0]["results"][0]["original"] == {
        "type": "list", "value": "['1.5']",
    }  # fmt: skip


def test_every_call_has_a_value_of_its_own(stand_ins, capsys):
    status, text = said(
        capsys, "-o", "json", "-e", "iter([1, 2])", "--default", "list", "-e", "(x for x in '')"
    )
    assert (status, text.splitlines()[-1]) == (0, "all 2 equal")


def test_large_values_are_shown_in_brief(stand_ins, capsys):
    _, text = said(capsys, "-o", "json", "-e", "'é' * 10**6")
    assert text.splitlines()[1].endswith("… (6000002 characters)")
    assert max(map(len, text.splitlines())) < 170
    _, text = said(capsys, "-o", "json", "-t", "[" * 500 + "]" * 500)
    assert max(map(len, text.splitlines())) < 170


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "nothing to compare: give a file"),
        (["--indent", "2"], "nothing to compare: give a file"),
        (["/nonexistent/é.json"], "No such file"),
        (["-e", "1/0"], "expression: ZeroDivisionError"),
        (["-e", "nothing"], "expression: NameError"),
        (["-e", "1 +"], "expression: SyntaxError"),
        (["-e", "1", "--kwargs", "indent"], "--kwargs: "),
        (["-e", "1", "--loads-kwargs", "a=("], "--loads-kwargs: SyntaxError"),
        (["-e", "1", "--indent"], "--indent needs a value"),
        (["-e"], "--expression needs a value"),
        (["-e", "1", "--indent", "1/0"], "ZeroDivisionError"),
        (["-e", "1", "-o", "orjson"], "orjson is not installed"),
    ],
    ids=str,
)
def test_bad_usage(stand_ins, capsys, arguments, message):
    assert compat.main(arguments) == 2
    given = capsys.readouterr()
    assert given.out == ""
    assert message in given.err


@pytest.mark.parametrize("arguments", [["-e", "1", "--only", "simplejson"], ["-x", "1"]], ids=str)
def test_bad_usage_that_argparse_finds(stand_ins, capsys, arguments):
    with pytest.raises(SystemExit) as caught:
        compat.main(arguments)
    assert caught.value.code == 2


def command(*arguments, **variables):
    return subprocess.run(
        [sys.executable, "-m", "linecaster.compat", *arguments],
        capture_output=True,
        check=False,
        env={**os.environ, **variables},
    )


def test_help():
    answer = command("--help", COLUMNS="100")
    assert answer.returncode == 0
    for part in (b"usage: python -m linecaster.compat", b"--ensure-ascii false", b"Exit status"):
        assert part in answer.stdout


def is_there(name):
    return importlib.util.find_spec(name) is not None


@pytest.mark.parametrize("name", compat.DROP_INS)
def test_drop_ins(name, tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"a/b": [1, -2.5, 1e300, "é\\u20ac\\n", true, null, {}, []]}', "utf-8")
    answer = command(str(path), "-e", "{'a': [1, 'é']}", "-t", "[1,]", "-t", "", "--only", name)
    if is_there(name):
        assert answer.stdout.splitlines()[-1] == b"all 5 equal", answer.stdout.decode()
        assert answer.returncode == 0
    else:
        assert answer.returncode == 2


def test_keywords_of_orjson():
    options = ["--option", "OPT_INDENT_2 | OPT_SORT_KEYS", "--default", "str"]
    answer = command("-e", "{'b': 1j, 'a': None}", *options, "-o", "orjson")
    if is_there("orjson"):
        assert answer.returncode == 0, answer.stdout.decode()
        assert rb"""equal         b'{\n  "a": null,\n  "b": "1j"\n}'""" in answer.stdout
    else:
        assert answer.returncode == 2


def test_a_stream_without_the_characters():
    answer = command("-e", "'é'", "--ensure-ascii", "false", "-o", "json", PYTHONIOENCODING="ascii")
    assert answer.returncode == 0, answer.stderr
    assert b"\\xe9" in answer.stdout
