"""The implementation that is asked for is the one that runs."""

import os
import subprocess
import sys

import pytest
from linecaster import _linecaster


def test_forced_implementation_is_the_one_that_runs() -> None:
    forced = os.environ.get("LINECASTER_FORCE") or _linecaster.implementations()[-1]
    assert _linecaster.implementation() == forced


def test_swar_runs_everywhere() -> None:
    assert _linecaster.implementations()[0] == "swar"


def import_forced(name: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "import linecaster._linecaster as m; print(m.implementation())"],
        env={**os.environ, "LINECASTER_FORCE": name},
        capture_output=True,
        check=False,
        text=True,
    )


@pytest.mark.parametrize("name", _linecaster.implementations())
def test_each_can_be_forced(name: str) -> None:
    assert import_forced(name).stdout.split() == [name]


def test_unknown_name_is_an_error() -> None:
    answer = import_forced("abacus")
    assert answer.returncode != 0
    assert "ImportError: LINECASTER_FORCE=abacus: no such implementation" in answer.stderr
