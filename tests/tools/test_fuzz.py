"""The fuzz runner finds the library to link, and says what to install without one."""

from pathlib import Path

import interpreters
import pytest
from environments import StepError

import fuzz

INTERPRETER = interpreters.Interpreter("/nowhere/python3", (3, 12, 1))


def answer(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(fuzz.subprocess, "check_output", lambda _: text.encode())


def test_library_is_found_and_its_folder_searched(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "libpython3.12.so").touch()
    answer(monkeypatch, f'[1, "{tmp_path}", "libpython3.12.so"]')
    variables = fuzz.with_python(INTERPRETER, {"LD_LIBRARY_PATH": "/other", "KEPT": "1"})
    assert variables["LD_LIBRARY_PATH"] == f"{tmp_path}:/other"
    assert variables["KEPT"] == "1"
    assert fuzz.with_python(INTERPRETER, {})["LD_LIBRARY_PATH"] == str(tmp_path)


@pytest.mark.parametrize("said", ['[1, "/nowhere", "libpython3.12.so"]', "[0, null, null]"])
def test_missing_library_is_named(monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    answer(monkeypatch, said)
    with pytest.raises(StepError, match=r"apt-get install libpython3\.12-dev"):
        fuzz.with_python(INTERPRETER, {})
