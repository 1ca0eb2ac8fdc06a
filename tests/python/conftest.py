"""Hypothesis profiles and options for the whole Python suite.

`HYPOTHESIS_PROFILE` names the profile: `ci` is small and the same in every run,
`default` is for work at the desk, `long` for `make test-all`.
"""

import gc
import importlib
import os
from fnmatch import fnmatch
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


# Files that are not about text: whichever SIMD code runs, they test the same.
# Where one implementation is forced after another, they are left out.
ANY_IMPLEMENTATION = (
    "test_bench*",
    "test_command_line",
    "test_compat",
    "test_docs_*",
    "test_dumps_threads",
    "test_example_*",
    "test_fastapi_install",
    "test_integration_*",
    "test_json_module",
    "test_package",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if any(fnmatch(item.path.stem, pattern) for pattern in ANY_IMPLEMENTATION):
            item.add_marker(pytest.mark.any_implementation)


@pytest.fixture(autouse=True, scope="module")
def _collector() -> None:
    """Keep what is there already out of the collector's way: many tests run it, and often."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def orjson() -> ModuleType:
    """Give the library that many answers are held against, where there is one."""
    try:
        return importlib.import_module("orjson")
    except ImportError:
        pytest.skip("no orjson for this Python")
