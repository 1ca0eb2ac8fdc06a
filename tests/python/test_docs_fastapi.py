"""The examples of docs/fastapi.md run and print what they say; its tables name what is there."""

import inspect
import re
from pathlib import Path

import pytest
from frameworks import need

need("fastapi")

import linecaster.fastapi as package  # noqa: E402

TEXT = (Path(__file__).parents[2] / "docs/fastapi.md").read_text("utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize("code", EXAMPLES)
def test_example(code, capsys):
    try:
        exec(compile(code, "docs/fastapi.md", "exec"), {"__name__": "__main__"})
    finally:
        package.uninstall()
    expected = re.findall(r"^# (.*)$", code, re.MULTILINE)
    assert capsys.readouterr().out.splitlines() == expected


def test_every_name_and_option_is_described():
    assert len(EXAMPLES) == 3
    section = TEXT.split("## What is there")[1].split("```")[0]
    assert set(package.__all__) == set(re.findall(r"`(\w+)(?:\([^`]*\))?`", section)) & set(
        dir(package)
    )
    options = TEXT.split("## Options")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in options.splitlines() if line.startswith("| `")]
    names = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert names == list(inspect.signature(package.encode).parameters)[1:]
