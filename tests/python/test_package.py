"""The package as it is installed: it imports, and says which version it is."""

import importlib.metadata
import pathlib
import sys

import linecaster


def test_native_module_belongs_to_this_python() -> None:
    native = importlib.import_module("linecaster._linecaster")
    assert native.__file__ is not None
    assert sys.implementation.cache_tag in pathlib.Path(native.__file__).name


def test_version_is_the_workspace_version() -> None:
    manifest = pathlib.Path(__file__).parents[2] / "Cargo.toml"
    version = importlib.metadata.version("linecaster")
    assert f'\nversion = "{version}"\n' in manifest.read_text()


def test_typing_marker_is_installed() -> None:
    folder = pathlib.Path(linecaster.__file__).parent
    assert (folder / "py.typed").is_file()
