"""The build refuses each interpreter whose layouts it does not know, and says why.

PyO3 is told of interpreters that are not here by a configuration file; only the
build scripts run. Variables that switch PyO3's own checks off must not help.
"""

import os
import subprocess
from pathlib import Path

import environments
import pytest

NEWER = "is newer than any that this version of Linecaster knows"
CONFIGURATION = """\
implementation={implementation}
version={version}
shared=true
target_abi={implementation}-{kind}-{version}
pointer_width=64
build_flags=
suppress_build_script_link_lines=true
"""


@pytest.fixture(scope="module")
def target() -> Path:
    return environments.cargo_target() / "refusals"


def build(target: Path, configuration: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["cargo", "check", "--quiet", "--locked", "-p", "linecaster-python"],
        cwd=environments.ROOT,
        env={
            **os.environ,
            "PYO3_CONFIG_FILE": str(configuration),
            "CARGO_TARGET_DIR": str(target),
            **variables,
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        text=True,
    )


@pytest.mark.parametrize(
    ("implementation", "kind", "version", "variables", "message"),
    [
        ("CPython", "gil_enabled", "3.16", {}, NEWER),
        ("CPython", "gil_enabled", "3.16", {"UNSAFE_PYO3_SKIP_VERSION_CHECK": "1"}, NEWER),
        ("CPython", "gil_enabled", "3.99", {"UNSAFE_PYO3_SKIP_VERSION_CHECK": "1"}, NEWER),
        ("CPython", "gil_enabled", "3.17", {"PYO3_USE_ABI3_FORWARD_COMPATIBILITY": "1"}, NEWER),
        (
            "CPython",
            "gil_enabled",
            "3.17",
            {"PYO3_USE_STABLE_ABI_FORWARD_COMPATIBILITY": "1"},
            NEWER,
        ),
        ("CPython", "gil_enabled", "3.9", {}, "Python 3.9 is too old"),
        ("CPython", "free_threaded", "3.14", {}, "the free-threaded build of Python 3.14"),
        ("PyPy", "gil_enabled", "3.11", {}, "PyPy 3.11 lays out its objects in its own way"),
    ],
)
def test_unknown_interpreter_is_refused(
    tmp_path: Path,
    target: Path,
    implementation: str,
    kind: str,
    version: str,
    variables: dict[str, str],
    message: str,
) -> None:
    configuration = tmp_path / "python.txt"
    configuration.write_text(
        CONFIGURATION.format(implementation=implementation, kind=kind, version=version)
    )
    answer = build(target, configuration, **variables)
    assert answer.returncode != 0
    assert "linecaster cannot be built for this Python" in answer.stderr, answer.stderr
    assert message in answer.stderr


def test_newest_known_interpreter_is_not_refused(tmp_path: Path, target: Path) -> None:
    configuration = tmp_path / "python.txt"
    configuration.write_text(
        CONFIGURATION.format(implementation="CPython", kind="gil_enabled", version="3.15")
    )
    answer = build(target, configuration)
    assert answer.returncode == 0, answer.stderr


def test_newest_known_version_is_the_same_everywhere() -> None:
    import interpreters

    newest = interpreters.NEWEST[1]
    build_script = (environments.ROOT / "hosts/python/build.rs").read_text()
    assert f"const NEWEST: u8 = {newest};" in build_script
    project = (environments.ROOT / "pyproject.toml").read_text()
    assert f'requires-python = ">=3.{interpreters.OLDEST[1]},<3.{newest + 1}"' in project
