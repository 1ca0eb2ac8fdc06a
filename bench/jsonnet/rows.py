"""What is measured: our own programs, one row each, and the files that they read."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from bench.jsonnet import configuration

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAMS = Path(__file__).resolve().parent / "programs"
DATA = ROOT / "build" / "bench" / "jsonnet"
JSON, YAML, TOML = "json", "yaml", "toml"


@dataclass(frozen=True)
class Row:
    """A program, and what its output is."""

    name: str
    about: str
    # How many times as fast as the best other we want to be.
    goal: float
    output: str = JSON
    folder: Path = PROGRAMS

    @property
    def program(self) -> str:
        """Return the file's name."""
        return "main.jsonnet" if self.folder == DATA else f"{self.name}.jsonnet"

    def arguments(self) -> list[str]:
        """Return the words after the program's name, which all peers understand."""
        string = [] if self.output == JSON else ["-S"]
        return [*string, "-J", str(DATA), "-s", "10000", self.program]


ROWS = (
    Row("configuration", "monitoring of a cluster: 6 MB in 148 files, 6 MB out", 2.2, folder=DATA),
    Row("nested", "large nested objects", 4.3),
    Row("inheritance", "deep inheritance, function calls", 3.2),
    Row("import", "7 MB of JSON imported and written", 3.8),
    Row("import_yaml", "the same to YAML", 2.5, YAML),
    Row("import_toml", "the same to TOML", 2.8, TOML),
    Row("import_escape", "escapeStringJson of its text", 2.8),
    Row("import_fields", "its fields read again and again", 3.7),
    Row("lazy_comprehension", "a long array of which few elements are wanted", 4.5),
    Row("range_sum_avg", "sums over ranges", 8.6),
    Row("array_comparison", "long arrays compared", 2.8),
    Row("fibonacci", "calls", 2.0),
    Row("format_loop", "formatting", 2.0),
    Row("sort_strings", "strings sorted", 2.0),
    Row("start", "the start of the process", 1.0),
    *(
        Row(f"library/{name}", f"the functions on {name}, in bulk", 2.0)
        for name in (
            "strings arrays objects sets numbers encodings manifests parsing".split()
        )
    ),
)  # fmt: skip


def prepare() -> None:
    """Make the files that the programs read, unless they are there."""
    made = DATA / ".made"
    mark = hashlib.sha256(Path(configuration.__file__).read_bytes()).hexdigest()
    if not made.is_file() or made.read_text() != mark:
        configuration.make(DATA)
        made.write_text(mark)
