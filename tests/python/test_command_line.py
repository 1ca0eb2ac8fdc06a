"""The command line, `python -m linecaster`."""

import gzip
import io
import json
import os
import pty
import subprocess
import sys

import linecaster
import pytest

VALUES = [{"id": i, "é": ["漢", None], "a": 1.5} for i in range(1000)]


def run(*arguments, stdin=b"", status=0):
    """Run a command; return what it writes to stdout and stderr."""
    done = subprocess.run(
        [sys.executable, "-m", "linecaster", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == status, done.stderr.decode()
    return done.stdout, done.stderr.decode()


def test_lines(tmp_path):
    data = linecaster.encode_lines(VALUES)
    assert run("lines", stdin=data.replace(b":", b" : ")) == (data, "")
    (tmp_path / "a.ndjson").write_bytes(data)
    out = tmp_path / "b.ndjson"
    assert run("lines", tmp_path / "a.ndjson", "-o", out, "--sort-keys", "--ascii") == (b"", "")
    assert out.read_bytes() == linecaster.encode_lines(VALUES, sort_keys=True, ensure_ascii=True)
    assert run("lines", "--array", stdin=data)[0] == linecaster.encode(VALUES) + b"\n"
    laid_out = b"".join(linecaster.encode(value, indent="\t") + b"\n" for value in VALUES)
    assert run("lines", "--indent", "tab", stdin=data)[0] == laid_out


def test_bad_lines():
    data = b"1\nx\n[2\n3\n"
    out, err = run("lines", stdin=data, status=1)
    assert out == b"1\n"
    assert err == "linecaster: Expecting value: line 2 column 1 (char 2)\n"
    out, err = run("lines", "--skip", stdin=data, status=1)
    assert out == b"1\n3\n"
    assert err.splitlines()[1:] == [
        "Expecting ',' delimiter: line 3 column 3 (char 6)",
        "2 lines are not JSON",
    ]
    out, err = run("lines", "--skip", "-q", stdin=data, status=1)
    assert (out, err) == (b"1\n3\n", "2 lines are not JSON\n")


def test_gzip(tmp_path):
    packed, out = tmp_path / "a.gz", tmp_path / "b.gz"
    packed.write_bytes(gzip.compress(linecaster.encode({"results": VALUES})))
    run("items", packed, "-p", "results.item", "-o", out)
    assert gzip.decompress(out.read_bytes()) == linecaster.encode_lines(VALUES)


def test_items():
    data = linecaster.encode(VALUES, indent=1)
    assert run("items", stdin=data)[0] == linecaster.encode_lines(VALUES)
    ids = linecaster.encode_lines(range(1000))
    assert run("items", "--path", "$[*].id", stdin=data)[0] == ids
    err = run("items", "-p", "$[", stdin=b"[]", status=1)[1]
    assert err == "linecaster: a path has a bracket that is not closed\n"


def test_format():
    data = linecaster.encode(VALUES)
    assert run("format", stdin=data)[0] == linecaster.encode(VALUES, indent=2) + b"\n"
    ours = run("format", "--indent", "4", "--ascii", "--sort-keys", stdin=data)[0]
    assert ours.decode() == json.dumps(VALUES, indent=4, sort_keys=True) + "\n"
    assert run("format", "--allow-nan", stdin=b"[NaN]")[0] == b"[\n  NaN\n]\n"
    assert run("format", stdin=b"[NaN]", status=1)[0] == b""
    assert run("format", "--indent", "65", status=2)[0] == b""


def test_failures(tmp_path):
    err = run("lines", tmp_path / "none", status=1)[1]
    assert "No such file" in err
    run(status=2)
    run("lines", "--what", status=2)
    assert run("--version")[0].decode().strip() == linecaster.__version__


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a terminal as Linux has it")
def test_progress_on_a_terminal(tmp_path):
    data = tmp_path / "a.ndjson"
    linecaster.encode_lines(VALUES * 10, data)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "linecaster", "lines", str(data), "-o", os.devnull]
    subprocess.run(command, stderr=theirs, check=True, timeout=60)
    shown = os.read(ours, 100_000).decode()
    os.close(theirs)
    os.close(ours)
    assert "[##############################] 100%  10,000 values" in shown.replace("\r", "")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a pipe as Linux has it")
def test_output_that_nobody_reads():
    command = [sys.executable, "-m", "linecaster", "lines"]
    data = linecaster.encode_lines(VALUES * 20)
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.close()
        try:
            process.stdin.write(data)
            process.stdin.close()
        except BrokenPipeError:
            pass
        assert process.stderr.read() == b""
        assert process.wait(60) == 1


def test_called_from_python(capsysbinary, tmp_path):
    from linecaster.__main__ import Progress, main

    (tmp_path / "a").write_bytes(b"[1,2]")
    assert main(["items", str(tmp_path / "a")]) == 0
    assert capsysbinary.readouterr().out == b"1\n2\n"
    progress = Progress(None, io.BytesIO(b"abc").tell, shown=True)
    assert list(progress.count([1, 2])) == [1, 2]
    progress.end()
    assert b"2 values" in capsysbinary.readouterr().err
