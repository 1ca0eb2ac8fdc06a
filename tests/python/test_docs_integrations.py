"""The examples of docs/integrations.md run, and print what they say."""

import logging
import pathlib
import re
import subprocess
import sys

import pytest
from frameworks import need

TEXT = (pathlib.Path(__file__).parents[2] / "docs/integrations.md").read_text("utf-8")
SECTIONS = TEXT.split("\n## ")[1:]
EXAMPLES = [
    pytest.param(code, id=f"{section.splitlines()[0]}-{number}")
    for section in SECTIONS
    for number, code in enumerate(re.findall(r"```python\n(.*?)```", section, re.DOTALL))
]


@pytest.mark.parametrize("code", EXAMPLES)
def test_example(code, capsys):
    need("sqlalchemy")
    log = logging.getLogger("shop")
    try:
        exec(compile(code, "docs/integrations.md", "exec"), {"__name__": "example"})
    finally:
        log.handlers.clear()
    expected = re.findall(r"^ *# (.*)$", code, re.MULTILINE)
    assert capsys.readouterr().out.splitlines() == expected


def test_every_module_has_an_example():
    import linecaster.integrations as package

    modules = {path.stem for path in pathlib.Path(package.__file__).parent.glob("[a-z]*.py")}
    assert modules == set(re.findall(r"\| \[`(\w+)`\]", TEXT))
    assert len(EXAMPLES) > len(SECTIONS)


def test_the_package_imports_none_of_them():
    code = "import sys, linecaster; print([m for m in sys.modules if 'integrations' in m])"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert answer.stdout.split() == [b"[]"]
