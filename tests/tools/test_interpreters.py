"""Interpreters are found by running them; what does not run is not one."""

import sys
from pathlib import Path

import interpreters
import pytest

SAYS = """#!/bin/sh
echo '{{"version": [{major}, {minor}, 1], "implementation": "{kind}",
 "free_threaded": {free}, "venv": {venv}, "executable": "{path}"}}'
"""


def pretender(
    path: Path,
    version: tuple[int, int] = (3, 12),
    kind: str = "CPython",
    free: str = "false",
    venv: str = "true",
) -> Path:
    """Write a script that answers the probe like an interpreter."""
    path.parent.mkdir(parents=True, exist_ok=True)
    major, minor = version
    path.write_text(
        SAYS.format(major=major, minor=minor, kind=kind, free=free, venv=venv, path=path)
    )
    path.chmod(0o755)
    return path


def broken(path: Path) -> Path:
    """Write a program that fails, as a pyenv shim without a version does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\nexit 127\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a machine with an empty PATH folder and an empty pyenv."""
    monkeypatch.delenv("PYTHONS", raising=False)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    return tmp_path


def test_real_interpreter_is_found(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONS", sys.executable)
    (found,) = interpreters.find().usable
    assert found.version == sys.version_info[:3]


def test_failing_shim_is_passed_over_without_fault(machine: Path) -> None:
    shims = machine / "pyenv/shims"
    broken(shims / "python3")
    inner = pretender(machine / "pyenv/versions/3.12.1/bin/python")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(shims))
        found = interpreters.find()
    assert [one.path for one in found.usable] == [str(inner)]
    assert [one.reason for one in found.passed] == ["does not start"]
    assert found.faults() == []


def test_installed_interpreter_that_fails_is_a_fault(machine: Path) -> None:
    pretender(machine / "bin/python3")
    broken(machine / "pyenv/versions/3.13.0/bin/python")
    assert len(interpreters.find().faults()) == 1


def test_ci_fails_for_a_fault_and_a_user_does_not(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretender(machine / "bin/python3")
    broken(machine / "bin/python3.13")
    assert interpreters.main() == 0
    monkeypatch.setenv("CI", "true")
    assert interpreters.main() == 1


def test_nothing_usable_is_an_error(machine: Path) -> None:
    assert interpreters.main() == 1


def test_first_of_each_minor_version_is_taken(machine: Path) -> None:
    first = pretender(machine / "bin/python3", (3, 12))
    pretender(machine / "bin/python3.12", (3, 12))
    other = pretender(machine / "bin/python3.13", (3, 13))
    found = interpreters.find()
    assert [one.path for one in found.usable] == [str(first), str(other)]
    assert interpreters.find_main() == found.usable[0]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"version": (3, 9)}, "older than 3.10"),
        ({"version": (3, 16)}, "newer than 3.15"),
        ({"kind": "PyPy"}, "only CPython"),
        ({"free": "true"}, "free-threaded"),
        ({"venv": "false"}, "has no venv"),
    ],
)
def test_what_cannot_be_used_is_named(machine: Path, arguments: dict, reason: str) -> None:
    pretender(machine / "bin/python3", **arguments)
    found = interpreters.find()
    assert found.usable == []
    assert reason in found.passed[0].reason


def test_lack_of_venv_counts_unless_another_stands_in(machine: Path) -> None:
    pretender(machine / "bin/python3", (3, 12), venv="false")
    assert len(interpreters.find().faults()) == 1
    pretender(machine / "pyenv/versions/3.12.1/bin/python", (3, 12))
    assert interpreters.find().faults() == []


def test_pythons_overrides_the_search(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretender(machine / "bin/python3", (3, 12))
    listed = pretender(machine / "elsewhere/python", (3, 11))
    monkeypatch.setenv("PYTHONS", f"{listed} {machine / 'missing'}")
    found = interpreters.find()
    assert [one.path for one in found.usable] == [str(listed)]
    assert len(found.faults()) == 1
