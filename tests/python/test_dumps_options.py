"""Options: what each takes, what it refuses, and that the documents agree."""

import inspect
import pathlib
import re

import linecaster
import pytest
from trees import plain

ENCODERS = ("dumps", "encode", "dump", "encode_into")
FLAGS = (
    "ensure_ascii",
    "sort_keys",
    "skip_keys",
    "non_str_keys",
    "iterables",
    "naive_utc",
    "utc_z",
    "omit_microseconds",
)
DEFAULTS = {
    "default": None,
    "ensure_ascii": False,
    "indent": None,
    "separators": None,
    "sort_keys": False,
    "skip_keys": False,
    "allow_nan": "raise",
    "non_str_keys": False,
    "big_int": "exact",
    "decimal": "number",
    "surrogates": None,
    "max_depth": 1024,
    "iterables": False,
    "naive_utc": False,
    "utc_z": False,
    "omit_microseconds": False,
    "passthrough": None,
}


class Sink:
    def write(self, text):
        self.text = text


def call(name, value, **options):
    """Call any of the four functions."""
    if name == "dump":
        return linecaster.dump(value, Sink(), **options)
    if name == "encode_into":
        return linecaster.encode_into(value, bytearray(), **options)
    return getattr(linecaster, name)(value, **options)


@pytest.mark.parametrize("name", ENCODERS)
def test_signature(name):
    parameters = inspect.signature(getattr(linecaster, name)).parameters.values()
    options = {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}
    assert options == DEFAULTS
    first = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
    assert first == {"dump": ["obj", "fp"], "encode_into": ["obj", "buffer", "offset"]}.get(
        name, ["obj"]
    )


@pytest.mark.parametrize("name", ENCODERS)
def test_defaults_are_what_the_signature_says(name):
    value = {"é": [1.5, None]}
    if name in ("dumps", "encode"):
        assert call(name, value, **DEFAULTS) == call(name, value)
    else:
        call(name, value, **DEFAULTS)


@pytest.mark.parametrize("name", ENCODERS)
def test_docstring_names_every_option(name):
    text = inspect.getdoc(getattr(linecaster, name))
    assert text is not None
    part = text.partition("Options:\n")[2].partition("\n\n")[0]
    assert re.findall(r"^  (\w+):", part, re.MULTILINE) == list(DEFAULTS)
    assert "\\uXXXX" in part


def options_page():
    path = pathlib.Path(__file__).parents[2] / "docs" / "options.md"
    return path.read_text(encoding="utf-8")


def rows(section):
    return re.findall(r"^\| `(\w+)` \| ([^|]*?) \|", section, re.MULTILINE)


def test_page_agrees_with_the_signatures():
    page = options_page()
    encoding, decoding = page.split("## Encoding")[1].split("## Decoding")
    shown = dict(rows(encoding.split("What each type")[0]))
    assert list(shown) == list(DEFAULTS)
    for name, default in DEFAULTS.items():
        assert shown[name] == ("by function" if name == "surrogates" else spelled(default))
    parameters = inspect.signature(linecaster.loads).parameters.values()
    options = {p.name: spelled(p.default) for p in parameters if p.kind is p.KEYWORD_ONLY}
    assert dict(rows(decoding)) == options


def spelled(value):
    return f'`"{value}"`' if isinstance(value, str) else f"`{value}`"


UNKNOWN = ["skipkeys", "cls", "Indent", "option", "é", "x" * 300, ""]


@pytest.mark.parametrize(
    ("name", "option"),
    [
        *((name, option) for name in ENCODERS for option in UNKNOWN),
        # The other two take it by name.
        ("dumps", "obj"),
        ("encode", "obj"),
    ],
)
def test_unknown_options(name, option):
    with pytest.raises(
        TypeError, match=f"{name}\\(\\) got an unexpected keyword argument"
    ) as caught:
        call(name, 1, **{option: None})
    assert type(caught.value) is TypeError
    assert f"'{option}'" in str(caught.value)


def test_arguments_by_position():
    for function in (linecaster.dumps, linecaster.encode):
        with pytest.raises(TypeError, match="missing required argument: 'obj'"):
            function()
        with pytest.raises(TypeError, match="missing required argument: 'obj'"):
            function(indent=1)
        with pytest.raises(TypeError, match="unexpected keyword argument 'obj'"):
            function(obj=1)
        with pytest.raises(TypeError, match=r"takes at most 1 positional argument \(2 given\)"):
            function(1, None)
        with pytest.raises(TypeError, match="at most 1 positional"):
            function(1, None, indent=2)
    with pytest.raises(TypeError, match="missing required argument: 'fp'"):
        linecaster.dump(1)
    with pytest.raises(TypeError, match="missing required argument: 'obj'"):
        linecaster.dump(fp=Sink())
    with pytest.raises(TypeError, match="at most 2 positional arguments"):
        linecaster.dump(1, Sink(), None)
    with pytest.raises(TypeError, match="missing required argument: 'buffer'"):
        linecaster.encode_into(1)
    with pytest.raises(TypeError, match="at most 3 positional arguments"):
        linecaster.encode_into(1, bytearray(), 0, None)
    with pytest.raises(TypeError, match="multiple values for argument 'fp'"):
        linecaster.dump(1, Sink(), fp=Sink())
    sink = Sink()
    linecaster.dump(fp=sink, obj=[1])
    assert sink.text == "[1]"


@pytest.mark.parametrize("option", FLAGS)
def test_flags_take_any_truth(option):
    class Undecided:
        def __bool__(self):
            raise ZeroDivisionError

    value = {"b": "é", "a": [1]}
    for truth in (True, 1, "yes", [0]):
        assert linecaster.dumps(value, **{option: truth}) == linecaster.dumps(
            value, **{option: True}
        )
    for untruth in (False, 0, "", None):
        assert linecaster.dumps(value, **{option: untruth}) == linecaster.dumps(value)
    with pytest.raises(ZeroDivisionError):
        linecaster.dumps(value, **{option: Undecided()})


CHOICES = {
    "allow_nan": ["raise", "keep", "null"],
    "big_int": ["exact", "string", "raise"],
    "decimal": ["number", "string"],
    "surrogates": ["strict", "pass"],
}


WRONG = ["", "Raise", "exac", "é", 1, None, object(), b"raise", ["raise"]]


@pytest.mark.parametrize(
    ("option", "wrong"),
    # None is what `surrogates` is when it is not given.
    [(o, w) for o in CHOICES for w in WRONG if o != "surrogates" or w is not None],
)
def test_wrong_choices(option, wrong):
    with pytest.raises(ValueError, match=f"option '{option}' must be one of"):
        linecaster.dumps(1, **{option: wrong})


@pytest.mark.parametrize("option", CHOICES)
def test_choices_may_be_of_subclasses(option):
    for choice in CHOICES[option]:
        assert linecaster.dumps(1, **{option: type("S", (str,), {})(choice)}) == "1"


@pytest.mark.parametrize(
    ("option", "wrong", "error", "text"),
    [
        ("default", 5, TypeError, "option 'default' must be a callable or None"),
        ("default", "x", TypeError, "option 'default' must be a callable or None"),
        ("indent", 1.5, TypeError, "option 'indent' must be an int, a str or None"),
        ("indent", b" ", TypeError, "option 'indent' must be an int, a str or None"),
        ("indent", [2], TypeError, "option 'indent' must be an int, a str or None"),
        ("indent", 65537, ValueError, "option 'indent' must be at most 65536"),
        ("indent", 2**80, OverflowError, "int"),
        ("separators", ",:", TypeError, "option 'separators' must be a pair of str"),
        ("separators", (",",), TypeError, "option 'separators' must be a pair of str"),
        ("separators", (",", ":", ""), TypeError, "option 'separators' must be a pair of str"),
        ("separators", (",", b":"), TypeError, "option 'separators' must be a pair of str"),
        ("separators", (None, ":"), TypeError, "option 'separators' must be a pair of str"),
        ("separators", {",": ":"}, TypeError, "option 'separators' must be a pair of str"),
        ("max_depth", 0, ValueError, "option 'max_depth' must be at least 1"),
        ("max_depth", -5, ValueError, "option 'max_depth' must be at least 1"),
        ("max_depth", -(2**90), ValueError, "option 'max_depth' must be at least 1"),
        ("max_depth", "9", TypeError, "option 'max_depth' must be an int"),
        ("max_depth", 9.0, TypeError, "option 'max_depth' must be an int"),
        ("max_depth", None, TypeError, "option 'max_depth' must be an int"),
    ],
)
@pytest.mark.parametrize("name", ENCODERS)
def test_wrong_values(name, option, wrong, error, text):
    with pytest.raises(error, match=text) as caught:
        call(name, [], **{option: wrong})
    assert type(caught.value) is error


def test_indent():
    value = {"a": [1, {"b": []}, {}], "é": (None, [2])}
    for indent in (None, 0, 1, 2, 7, 300, -1, -(2**70), True, "", "\t", " - ", "é€😀"):
        if indent == -(2**70):
            continue
        assert linecaster.dumps(value, indent=indent) == plain(value, indent=indent)
        assert linecaster.encode(value, indent=indent) == plain(value, indent=indent).encode()
    assert linecaster.dumps([1], indent=65536) == "[\n" + " " * 65536 + "1\n]"


def test_separators():
    value = {"a": [1, {"b": []}, {}], "é": (None, [2])}
    for item in (",", "", "," * 5, "," * 6, "," * 7, ", " * 50, '"', "\\", "\n", "é", "€", "😀"):
        for key in (":", ": ", "", "=" * 5, "=" * 6, "=" * 7, "=" * 99, '"', "é", "€", "😀"):
            for indent in (None, 1):
                options = {"separators": (item, key), "indent": indent}
                assert linecaster.dumps(value, **options) == plain(value, **options)
                assert linecaster.encode(value, **options) == plain(value, **options).encode()
    assert linecaster.dumps([1, 2], separators=["; ", "="]) == "[1; 2]"
    text = type("S", (str,), {})
    assert linecaster.dumps([1, 2], separators=(text(" , "), text(":"))) == "[1 , 2]"


@pytest.mark.parametrize("options", [{"separators": ("\ud800", ":")}, {"indent": "\udc00"}])
def test_layout_with_surrogates(options):
    assert linecaster.dumps([1, 2], **options) == plain([1, 2], **options)
    passed = linecaster.encode([1, 2], surrogates="pass", **options)
    assert passed == plain([1, 2], **options).encode("utf-8", "surrogatepass")
    for refuse in (linecaster.encode, lambda v, **o: linecaster.dumps(v, surrogates="strict", **o)):
        with pytest.raises(ValueError, match="surrogate"):
            refuse([1, 2], **options)


def test_max_depth_without_limit():
    assert linecaster.dumps([[1]], max_depth=2**100) == "[[1]]"


def test_sequence_of_options_is_read_even_if_nothing_needs_them():
    with pytest.raises(ValueError, match="big_int"):
        linecaster.dumps(None, big_int="no")
