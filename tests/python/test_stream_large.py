"""Documents larger than the memory that they are read and written in."""

import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="measures memory as Linux does"
)

SCRIPT = """
    import json, pathlib, resource, sys, linecaster

    size, folder = int(sys.argv[1]), pathlib.Path(sys.argv[2])
    text = "x" * 400 + "é漢😀" * 10
    row = {"id": 10**9, "text": text, "tags": ["a", {"b": [1.5, None]}]}
    count = size // (len(linecaster.encode(row)) + 1)

    def rows():
        for i in range(count):
            row["id"] = i
            yield row

    def peak():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

    def check(values):
        found = 0
        for found, value in enumerate(values, 1):
            assert value["id"] == found - 1
        assert value == row and found == count

    # Once, small, so that everything is loaded.
    linecaster.dump([row], folder / "small", iterables=True)
    list(linecaster.decode_lines(folder / "small"))
    list(linecaster.iter_items(folder / "small", "item"))
    before = peak()

    document, lines = folder / "document.json", folder / "lines.ndjson"
    linecaster.dump({"skipped": rows(), "rows": rows()}, document, iterables=True)
    assert document.stat().st_size > 1.8 * size
    check(linecaster.iter_items(document, "rows.item"))
    check(linecaster.iter_items(document, "$.skipped[*]"))
    document.unlink()
    assert linecaster.encode_lines(rows(), lines) == count
    check(linecaster.decode_lines(lines))
    with lines.open(encoding="utf-8") as file:
        check(linecaster.iter_items(file, ""))
    with lines.open("r+b") as file:
        file.seek(-4, 2)
        file.write(b"!")
    last = None
    try:
        for value in linecaster.decode_lines(lines):
            last = value
    except linecaster.DecodeError as error:
        assert error.lineno == count and error.offset > 0.9 * lines.stat().st_size - 40 * count
    assert last["id"] == count - 2
    print(peak() - before)
"""


@pytest.mark.parametrize("size", [30_000_000, pytest.param(2_300_000_000, marks=pytest.mark.slow)])
def test_memory_does_not_grow_with_the_document(size, tmp_path):
    command = [sys.executable, "-c", textwrap.dedent(SCRIPT), str(size), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1200)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 6_000_000
