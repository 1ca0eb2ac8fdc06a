"""Hypothesis profiles and options for the whole Python suite.

`HYPOTHESIS_PROFILE` names the profile: `ci` is small and the same in every run,
`default` is for work at the desk, `long` for `make test-all`.
"""

import importlib
import os
from types import ModuleType

import pytest
from hypothesis import HealthCheck, settings

slow = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile(
    "ci",
    max_examples=60,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=slow,
)
settings.register_profile(
    "default", max_examples=200, deadline=None, database=None, suppress_health_check=slow
)
settings.register_profile(
    "long", max_examples=5000, deadline=None, database=None, suppress_health_check=slow
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture
def orjson() -> ModuleType:
    """Give the library that many answers are held against, where there is one."""
    try:
        return importlib.import_module("orjson")
    except ImportError:
        pytest.skip("no orjson for this Python")
