"""`linecaster.json` has every name of `json`, and its command-line tool."""

import importlib
import inspect
import json
import pickle
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import linecaster.json as ours
import pytest


@pytest.mark.parametrize("name", ["", ".decoder", ".encoder", ".scanner", ".tool"])
def test_names(name: str) -> None:
    theirs = importlib.import_module("json" + name)
    mine = importlib.import_module("linecaster.json" + name)
    for attribute, value in vars(theirs).items():
        if isinstance(value, ModuleType) and attribute == "tool":
            continue
        if attribute.startswith("__") and attribute not in ("__all__", "__author__"):
            continue
        assert hasattr(mine, attribute), attribute
        if not isinstance(value, ModuleType):
            assert type(getattr(mine, attribute)) is not ModuleType
    assert sorted(getattr(mine, "__all__", [])) == sorted(getattr(theirs, "__all__", []))
    with pytest.raises(AttributeError):
        mine.nothing  # noqa: B018


@pytest.mark.parametrize("name", ["dump", "dumps", "load", "loads"])
def test_functions(name: str) -> None:
    mine, theirs = getattr(ours, name), getattr(json, name)
    assert mine.__name__ == name
    assert mine.__module__ == "linecaster.json"
    assert inspect.signature(mine) == inspect.signature(theirs)
    assert pickle.loads(pickle.dumps(mine)) is mine


def test_classes() -> None:
    assert issubclass(ours.JSONEncoder, json.JSONEncoder)
    assert issubclass(ours.JSONDecoder, json.JSONDecoder)
    assert ours.JSONDecodeError is json.JSONDecodeError
    for mine, theirs in [
        (ours.JSONEncoder, json.JSONEncoder),
        (ours.JSONDecoder, json.JSONDecoder),
    ]:
        assert inspect.signature(mine) == inspect.signature(theirs)
        for method in ("encode", "iterencode", "default", "decode", "raw_decode"):
            if hasattr(theirs, method):
                names = [
                    list(inspect.signature(getattr(c, method)).parameters) for c in (mine, theirs)
                ]
                assert names[0] == names[1]


def run(*command: str, text: str = "", cwd: Path | None = None) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, *command],
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={"PYTHONPATH": str(Path(ours.__file__).parents[2]), "PYTHONIOENCODING": "utf-8"},
        cwd=cwd,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ([], '{"b": 1, "a": [1.5, "é", {}]}'),
        (["--sort-keys", "--compact"], '{"b": 1, "a": 2}'),
        (["--json-lines", "--tab", "--no-ensure-ascii"], '{"a": "é"}\n[1]\n'),
        ([], "[1,"),
        (["--indent", "x"], "1"),
    ],
    ids=str,
)
def test_tool(options: list[str], text: str) -> None:
    if sys.version_info >= (3, 14) and "x" in options:
        pytest.skip("the usage says how the program was called")
    assert run("-m", "linecaster.json.tool", *options, text=text) == run(
        "-m", "json.tool", *options, text=text
    )


def test_tool_files(tmp_path: Path) -> None:
    (tmp_path / "in.json").write_text('{"b": [1, 2]}', encoding="utf-8")
    for module in ("linecaster.json.tool", "json.tool"):
        assert run("-m", module, "in.json", module, cwd=tmp_path) == (0, "", "")
    texts = [(tmp_path / module).read_text() for module in ("linecaster.json.tool", "json.tool")]
    assert texts[0] == texts[1]
    assert run("-m", "linecaster.json", "in.json", cwd=tmp_path)[:2] == (0, texts[0])
