"""`evaluate_file` and `evaluate_snippet` beside those of the package `jsonnet`.

`_jsonnet` is the C++ implementation, `_gojsonnet` the Go one with the same
interface. Values are those of both; texts of errors are Go's, but for those of
callbacks, where Go's are broken.
"""

import sys

import linecaster_jsonnet as ours
import pytest
from linecaster_jsonnet import JsonnetError, install

cpp = pytest.importorskip("_jsonnet")
go = pytest.importorskip("_gojsonnet")


def outcome(module, *args, name="evaluate_snippet", **kwargs):
    """Return the text, or which kind of exception there was."""
    try:
        return getattr(module, name)(*args, **kwargs)
    except RuntimeError as error:
        return RuntimeError, str(error)
    except Exception as error:
        return type(error)


def kind(result):
    return result[0] if isinstance(result, tuple) else result


def first(x):
    return x


def importer(folder, name):
    return folder + name, b"{a: 'from " + folder.encode() + b"'}"


def refuse(*_):
    raise ValueError("hey")


FIRST = {"native_callbacks": {"n": (("x",), first)}}
CALLS = [
    (("a", "{a: 1, b: [1.5, 'x', null, true, {}, []]}"), {}),
    (("a", "'é\\u0000\\u007f'"), {}),
    (("a", "std.thisFile"), {}),
    (("d/a", "std.thisFile"), {}),
    ((), {"filename": "a", "src": "1"}),
    (("a", "1", ["x", "y"], 100, 1000, 2.0, {}, {}, {}, {}, 20, importer, {}), {}),
    (("a", "1"), {"jpathdir": "x"}),
    (("a", "1"), {"gc_min_objects": 5, "gc_growth_trigger": 3.5}),
    (("a", "1"), {"max_trace": 3}),
    (("a", "std.extVar('x')"), {"ext_vars": {"x": "1 + 1"}}),
    (("a", "std.extVar('x')"), {"ext_codes": {"x": "1 + 1"}}),
    (("a", "function(x) x"), {"tla_vars": {"x": "1 + 1"}}),
    (("a", "function(x) x"), {"tla_codes": {"x": "1 + 1"}}),
    (("d/a", "import 'q'"), {"import_callback": importer}),
    (("a", "[import 'q', importstr 'q']"), {"import_callback": importer}),
    *((("a", f"std.native('n')({x})"), FIRST) for x in ("1", "1.5", "'x'", "null", "true", "1e20")),
    (("a", "std.native('n')(x=1)"), FIRST),
    (("a", "std.native('m')"), FIRST),
    *(
        (("a", "std.native('n')()"), {"native_callbacks": {"n": ((), lambda value=value: value)}})
        for value in (1, 1.5, None, True, "é", [1, 2], (1, (2,)), {"b": 1, "a": [{}]}, b"x", [[]])
    ),
    # Wrong calls.
    (("a",), {}),
    (("a", None), {}),
    ((None, "1"), {}),
    (("a", b"1"), {}),
    (("a", "1"), {"max_stack": "x"}),
    (("a", "1"), {"bogus": 1}),
    (("a", "1"), {"ext_vars": {"x": 1}}),
    (("a", "1"), {"import_callback": 3}),
    (("a", "1"), {"native_callbacks": {"n": (["x"], first)}}),
    (("a", "1"), {"native_callbacks": {"n": first}}),
    (("a", "1"), {"native_callbacks": {"n": (("x",), 3)}}),
    (("a", "1"), {"native_callbacks": {"n": ((3,), first)}}),
    # Wrong programs.
    (("a", "error 'x'"), {}),
    (("a", "{a: error 'x'}"), {}),
    (("a", "{a:"), {}),
    (("a", "x"), {}),
    (("a", "function(x) x"), {}),
    (("a", "std.extVar('x')"), {}),
    (("a", "import 'none'"), {}),
    (("a", "std.native('n')(1, 2)"), FIRST),
    (("a", "std.native('n')()"), FIRST),
    (("a", "local f(x) = 1 + f(x); f(1)"), {"max_trace": 4}),
    (("a", "local f(x) = 1 + f(x); f(1)"), {"max_stack": 20}),
    (("a", "import 'q'"), {"import_callback": refuse}),
    (("a", "import 'q'"), {"import_callback": lambda *_: 3}),
    (("a", "import 'q'"), {"import_callback": lambda *_: ("q", "text")}),
    (("a", "std.native('n')()"), {"native_callbacks": {"n": ((), refuse)}}),
    (("a", "std.native('n')()"), {"native_callbacks": {"n": ((), lambda: {1: 2})}}),
    (("a", "std.native('n')()"), {"native_callbacks": {"n": ((), object)}}),
]


def from_callback(kwargs):
    """Whether a callback says what is wrong."""
    return ("import_callback" in kwargs or "native_callbacks" in kwargs) and kwargs is not FIRST


@pytest.mark.parametrize(("args", "kwargs"), CALLS)
def test_snippets(args, kwargs):
    mine = outcome(ours, *args, **kwargs)
    assert kind(mine) == kind(outcome(cpp, *args, **kwargs))
    if isinstance(mine, tuple) and from_callback(kwargs):
        # Go's message is undecodable now and then, or says only "code: 0".
        text = outcome(cpp, *args, **kwargs)[1]
        assert mine[1].splitlines()[0] == text.splitlines()[0]
    else:
        assert mine == outcome(go, *args, **kwargs)


@pytest.mark.parametrize("code", ["[1, std.thisFile]", "error 'x'", "import 'beside'", "{a:"])
def test_files(tmp_path, code, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jsonnet").write_text(code)
    (tmp_path / "beside").write_text("importstr 'lib'")
    (tmp_path / "d").mkdir()
    (tmp_path / "d/lib").write_text("text")
    for name in ("a.jsonnet", str(tmp_path / "a.jsonnet"), "none", "d"):
        options = {"name": "evaluate_file", "jpathdir": ["d"]}
        mine = outcome(ours, name, **options)
        assert mine == outcome(go, name, **options)
        if name != "d":  # The C++ implementation aborts the process.
            assert kind(mine) == kind(outcome(cpp, name, **options))


def test_callbacks_get_what_the_originals_give():
    seen = []

    def find(folder, name):
        seen.append((folder, name))
        return folder + "x/" + name, b"(if std.length('%s') == 1 then import 'b' else 1)" % (
            name.encode() if name == "a" else b""
        )

    def show(*args):
        seen.extend((type(arg), arg) for arg in args)

    traces = []
    for module in (cpp, go, ours):
        seen.clear()
        module.evaluate_snippet("d/f", "import 'a'", import_callback=find)
        module.evaluate_snippet(
            "f",
            "[std.native('s')(a, 'x') for a in [1, 0.5, -0, true, null, 'é']]",
            native_callbacks={"s": (("a", "b"), show)},
        )
        traces.append(list(seen))
    assert traces[0] == traces[1] == traces[2]


def test_natives_get_what_the_originals_refuse():
    code = "std.native('n')([1, {a: 'x'}])"
    assert ours.evaluate_snippet("a", code, **FIRST) == (
        '[\n   1,\n   {\n      "a": "x"\n   }\n]\n'
    )
    assert kind(outcome(cpp, "a", code, **FIRST)) is RuntimeError


def test_errors_are_more_than_the_originals():
    with pytest.raises(JsonnetError) as caught:
        ours.evaluate_snippet("a", "import 'q'", import_callback=refuse)
    assert isinstance(caught.value.__cause__, ValueError)


def test_install_takes_the_name(monkeypatch):
    monkeypatch.setitem(sys.modules, "_jsonnet", cpp)
    install()
    import _jsonnet

    assert _jsonnet is ours
    assert _jsonnet.version == cpp.version
    for name in dir(cpp):
        assert hasattr(_jsonnet, name)
