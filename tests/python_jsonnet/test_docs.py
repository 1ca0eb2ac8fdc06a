"""The examples of docs/jsonnet-python.md run, and print what they say."""

import pathlib
import re

import pytest

TEXT = (pathlib.Path(__file__).parents[2] / "docs/jsonnet-python.md").read_text("utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize("code", EXAMPLES)
def test_example(code, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "docs/jsonnet-python.md", "exec"), {"__name__": "example"})
    expected = re.findall(r"^ *# (.*)$", code, re.MULTILINE)
    assert capsys.readouterr().out.splitlines() == expected


def test_there_are_examples():
    assert len(EXAMPLES) > 4
