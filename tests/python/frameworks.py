"""The frameworks whose own answers the integrations are held against."""

import importlib
import sys
from types import ModuleType

import pytest


def need(name: str) -> ModuleType:
    """Import a framework; only on a Python too new for it may it be missing."""
    try:
        return importlib.import_module(name)
    except ImportError:
        if sys.version_info < (3, 15):
            raise
        pytest.skip(f"no {name} for this Python", allow_module_level=True)


def outcome(function, *args, **kwargs):
    """What a call gives: its value, or the class and the text of its error."""
    try:
        return function(*args, **kwargs)
    except Exception as error:
        return type(error), str(error)
