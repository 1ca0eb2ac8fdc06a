"""`examples/fastapi_app.py` runs, briefly, and its bodies are the same before and after."""

import re
import subprocess
import sys
from pathlib import Path

from frameworks import need

need("uvicorn")
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "fastapi_app.py"


def test_the_example_compares_whole_requests():
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), "--requests", "2"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    head, *rows, foot = done.stdout.splitlines()
    assert head.split() == ["path", "bytes", "before", "after"]
    assert [row.split()[0] for row in rows] == ["/catalogue", "/customers", "/orders", "/cities"]
    assert all(re.search(r" ms +[\d.]+ times as fast$", row) for row in rows)
    assert all(int(row.split()[1]) > 100 for row in rows)
    assert foot == "medians of 2 whole requests, the query included"
