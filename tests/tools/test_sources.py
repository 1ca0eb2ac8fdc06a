"""The source check can fail: a missing doc and a file that is too long are found."""

from pathlib import Path

import pytest
import sources


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.rs", "//! What it is.\n\nfn f() {}\n"),
        ("a.rs", "#![no_std]\n\n//! What it is.\n"),
        ("a.py", '#!/usr/bin/env python3\n"""What it is."""\n'),
        ("a.sh", "#!/bin/sh\n# What it is.\n"),
    ],
)
def test_doc_is_seen(name: str, text: str) -> None:
    assert sources.check_file(Path(name), text) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.rs", "fn f() {}\n"),
        ("a.rs", "/// Of the function.\nfn f() {}\n\n//! Too late.\n"),
        ("a.rs", ""),
        ("a.py", "import os\n"),
        ("a.py", '"""   """\n'),
        ("a.sh", "#!/bin/sh\nset -eu\n"),
    ],
)
def test_missing_doc_is_found(name: str, text: str) -> None:
    (fault,) = sources.check_file(Path(name), text)
    assert "does not begin with a doc" in fault


def lines(count: int) -> str:
    return "//! Doc.\n" + "// line\n" * (count - 1)


def test_longest_file_passes_and_one_line_more_does_not() -> None:
    assert sources.check_file(Path("src/a.rs"), lines(600)) == []
    assert sources.check_file(Path("src/a.rs"), lines(601)) == [
        "src/a.rs: 601 lines, more than 600"
    ]


def test_tests_may_be_longer() -> None:
    assert sources.check_file(Path("tests/a.rs"), lines(900)) == []
    module = "#[cfg(test)]\nmod tests {\n" + "// line\n" * 300 + "}\n"
    assert sources.check_file(Path("src/a.rs"), lines(600) + module) == []


def test_tree_is_searched(tmp_path: Path) -> None:
    (tmp_path / "crates/kernel/src").mkdir(parents=True)
    (tmp_path / "crates/kernel/src/lib.rs").write_text("mod a;\n")
    (fault,) = sources.check(tmp_path)
    assert fault.startswith("crates/kernel/src/lib.rs")


def test_this_repository_passes() -> None:
    assert sources.check(sources.ROOT) == []
