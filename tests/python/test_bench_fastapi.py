"""The harness of FastAPI's door: its inputs, that it catches wrong answers, one row."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from frameworks import need

need("fastapi")

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from bench.python import results  # noqa: E402
from bench.python.fastapi import peers, run, worker  # noqa: E402
from bench.python.fastapi.inputs import BY_NAME, INPUTS, MODES, Goal, Input  # noqa: E402
from bench.python.fastapi.tables import tables, times  # noqa: E402
from bench.python.peers import OURS  # noqa: E402
from bench.python.schedule import Pair  # noqa: E402
from bench.python.worker import WrongAnswerError, made_elsewhere  # noqa: E402

ABOUT = {"versions": {"fastapi": "1", OURS: "1"}}


@pytest.mark.parametrize("one", INPUTS, ids=lambda one: one.name)
@pytest.mark.parametrize("mode", ["tree", "bytes"])
def test_every_answer_is_right(one: Input, mode: Any) -> None:
    value = one.build()
    asked = []
    for peer in peers.PEERS:
        if peers.answers(one, mode, peer):
            if peer in ("msgspec", "orjson"):
                pytest.importorskip(peer)
            call, size = worker.verify(one, mode, peer, value)
            assert size > 10
            asked.append(call.function)
    assert len(asked) >= 2


def test_a_request_gives_what_fastapi_makes() -> None:
    one = BY_NAME["large"]
    value = one.build()
    call, size = worker.verify(one, "request", peers.ORIGINAL, value)
    assert len(call.once(value)) == size


@pytest.mark.parametrize("mode", list(MODES))
def test_a_wrong_answer_is_caught(mode: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {"name": "foo", "value": True}

    def load(one: Input, mode: Any, peer: str, value: Any) -> peers.Function:
        if peer == peers.ORIGINAL:
            return peers.load(one, mode, peer, value)
        made = peers.load(one, mode, peers.ORIGINAL, wrong)
        return lambda _: made(wrong)

    monkeypatch.setattr(worker, "load", load)
    for peer in (OURS, "orjson"):
        with pytest.raises(WrongAnswerError):
            worker.verify(BY_NAME["small"], mode, peer, {"name": "foo", "value": 1})


def test_an_error_in_a_child_is_not_an_answer() -> None:
    with pytest.raises(RuntimeError, match="could not make it"):
        made_elsewhere(lambda: b"" + 1 // 0)  # type: ignore[operator]


def test_options_are_not_for_routes() -> None:
    assert [one.name for one in INPUTS if "request" not in one.modes] == [
        "include",
        "exclude",
        "include-models",
        "exclude-none",
        "exclude-none-models",
        "custom-encoder",
    ]


def test_goals() -> None:
    assert Goal(10).reached(1.0, 10.0)
    assert not Goal(10).reached(1.0, 9.9)
    assert Goal(within=300.0).reached(300.0, 1.0)
    assert not Goal(within=300.0).reached(300.1, 1e9)


def test_tables_show_ratios_goals_and_failures() -> None:
    found = results.Results(ABOUT)
    for peer, least in (("fastapi", 8000.0), (OURS, 100.0)):
        found.add(Pair("heap", "tree", "small", peer), {"cpu_min": least, "bytes": 1})
    found.add(Pair("heap", "tree", "large", "fastapi"), {"cpu_min": 1.0, "bytes": 1})
    found.add(Pair("heap", "tree", "large", OURS), {"error": "no"})
    (table,) = tables(found, "cpu_min")
    assert table.rows == [
        ["small", "8.00 us", "100 ns (80x)", "reached (15x)"],
        ["large", "1.00 ns", "fails", "-"],
    ]
    assert table.remarks == ["linecaster on large: no"]
    assert [times(many) for many in (123.4, 12.34, 1.234)] == ["123x", "12.3x", "1.23x"]


def test_the_command_measures_shows_and_writes_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, page = tmp_path / "run.json", tmp_path / "page.md"
    options = ["--inputs", "small", "--peers", "fastapi,linecaster", "--modes", "tree"]
    options += ["--rounds", "1", "--seconds", "0.01", "--out", str(out)]
    assert run.main(options) == 0
    assert run.main(["--from", str(out), "--markdown", str(page)]) == 0
    assert capsys.readouterr().out.count("linecaster jsonable_encoder") == 2
    text = page.read_text()
    assert "| small |" in text
    assert "pydantic" in text
    rows = results.load(out).rows
    assert set(rows) == {Pair("heap", "tree", "small", peer) for peer in ("fastapi", OURS)}
    with pytest.raises(SystemExit, match="no input 'nonsense'"):
        run.main([*options, "--inputs", "nonsense"])


def test_all_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["--list"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(INPUTS) + len(MODES)
