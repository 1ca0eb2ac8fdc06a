"""The benchmark harness: its order, its statistics, and that it catches wrong answers."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from bench.python import (  # noqa: E402
    malloc,
    memory,
    report,
    results,
    run,
    schedule,
    timing,
    worker,
    workloads,
)
from bench.python.modes import BY_NAME  # noqa: E402
from bench.python.peers import ADAPTED, OURS, Call, load  # noqa: E402
from bench.python.schedule import Pair  # noqa: E402
from bench.python.workloads import GENERATED, Workload, documents, from_folder  # noqa: E402

PEERS = ["linecaster", "orjson", "json"]
TINY = Workload("tiny", "", lambda: {"a": [1, 2.0, True, "é€😀"], "b": None})


def times(**cpu: float) -> results.Results:
    """Make a result with one row of the given times."""
    about = {
        "date": "2026-01-01T00:00:00+00:00",
        "revision": "abc",
        "python": "CPython 3.11",
        "machine": dict.fromkeys(("processor", "cores", "system", "libc", "load"), "x"),
        "versions": dict.fromkeys(cpu, "1.0"),
        "settings": {"rounds": 1},
    }
    found = results.Results(about)
    for peer, least in cpu.items():
        answer = {"cpu_min": least, "memcpy": 50.0, "bytes": 100, "malloc": "heap"}
        found.add(Pair("heap", "encode-fresh", "tiny", peer), answer)
    return found


def test_every_pair_is_visited_once_in_each_round() -> None:
    every = schedule.pairs({"big": 10**6, "tiny": 10}, ["encode-fresh"], PEERS, ["heap", "mmap"])
    visits = schedule.in_turn(every, PEERS, 3)
    assert len(every) == 9  # the tiny one is not repeated with mmap
    assert sorted(visits) == sorted(every * 3)


def test_each_round_begins_with_another_peer() -> None:
    every = schedule.pairs({"tiny": 10}, ["encode-fresh"], PEERS, ["heap"])
    visits = schedule.in_turn(every, PEERS, 3)
    assert [pair.peer for pair in visits[::3]] == PEERS
    assert [pair.peer for pair in visits[3:6]] == ["orjson", "json", "linecaster"]


def test_memory_is_looked_at_for_large_documents_only() -> None:
    every = schedule.pairs({"big": 10**6, "tiny": 10}, ["memory-encode"], PEERS, ["heap"])
    assert {pair.workload for pair in every} == {"big"}


def test_rounds_are_brought_together_by_the_minimum() -> None:
    found = times(json=100.0)
    pair = Pair("heap", "encode-fresh", "tiny", "json")
    found.add(pair, {"cpu_min": 90.0, "memcpy": 60.0, "bytes": 100, "malloc": "heap"})
    assert found.rows[pair]["cpu_min"] == 90.0
    assert found.rows[pair]["memcpy"] == 50.0
    assert found.rows[pair]["rounds"] == 2
    assert found.unpinned() == []


def test_a_failure_in_any_round_stays_a_failure() -> None:
    pair = Pair("heap", "encode-fresh", "tiny", "json")
    failed: dict[str, Any] = {"error": "no"}
    timed: dict[str, Any] = {"cpu_min": 1.0, "bytes": 1}
    for answers in ([failed, timed], [timed, failed]):
        found = times(json=100.0)
        for answer in answers:
            found.add(pair, answer)
        assert found.rows[pair] == {"rounds": 3, "error": "no"}


def test_another_state_of_malloc_than_asked_for_is_reported() -> None:
    found = times(json=100.0)
    pair = Pair("heap", "encode-fresh", "tiny", "json")
    found.add(pair, {"cpu_min": 90.0, "bytes": 100, "malloc": "mmap"})
    assert found.unpinned() == [pair]
    assert "malloc was not pinned" in report.text(found, "cpu_min")


def test_results_survive_being_saved(tmp_path: Path) -> None:
    found = times(linecaster=80.0, json=100.0)
    path = tmp_path / "deep" / "run.json"
    found.save(path)
    assert results.load(path) == found
    path.write_text("{}")
    with pytest.raises(ValueError, match="not a result"):
        results.load(path)


@pytest.mark.parametrize(
    ("nanoseconds", "shown"),
    [
        (7.25, "7.25 ns"),
        (99.97, "100 ns"),
        (790, "790 ns"),
        (999.6, "1.00 us"),
        (62_100, "62.1 us"),
        (1_030_000, "1.03 ms"),
        (2.5e9, "2.50 s"),
        (2.5e12, "2500 s"),
    ],
)
def test_durations_have_three_digits(nanoseconds: float, shown: str) -> None:
    assert report.duration(nanoseconds) == shown


def test_wins_and_losses_are_plainly_marked() -> None:
    assert report.verdict(100, 130) == "win 1.30x"
    assert report.verdict(100, 102) == "level 1.02x"
    assert report.verdict(100, 80) == "LOSS 0.80x"


def test_a_table_marks_the_best_and_relates_to_memcpy() -> None:
    found = times(linecaster=100.0, orjson=130.0, json=80.0)
    (table,) = report.tables(found, "cpu_min")
    assert table.rows == [
        [
            *("tiny", "100 ns 1.25", "130 ns 1.62", "*80.0 ns 1.00"),
            *("win 1.30x", "LOSS 0.80x", "50.0 ns", "1.60"),
        ]
    ]
    assert "**80.0 ns 1.00**" in table.markdown()
    assert "**LOSS 0.80x**" in table.markdown()
    summary = report.summary(found, "cpu_min")
    assert "to orjson: 1 wins, 0 level, 0 losses" in summary
    assert "encode-fresh tiny (heap) 0.80x" in summary


def test_a_failure_is_shown_instead_of_a_time() -> None:
    found = times(linecaster=100.0, json=80.0)
    found.add(Pair("heap", "encode-fresh", "tiny", "linecaster"), {"error": "wrong"})
    (table,) = report.tables(found, "cpu_min")
    assert table.rows[0][1] == "fails"
    assert table.remarks == ["linecaster on tiny: wrong"]


def test_comparison_names_what_became_slower() -> None:
    old, new = times(linecaster=100.0, json=80.0), times(linecaster=125.0, json=80.0)
    table = report.comparison(new, old, "cpu_min")
    assert table.rows == [["encode-fresh tiny (heap)", "100 ns", "125 ns", "SLOWER 0.80x"]]
    assert "1.00x" in table.remarks[0]


def test_markdown_goes_between_the_marks(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n")
    for least in (80.0, 90.0):
        found = times(json=least)
        report.write_markdown(found.about, report.tables(found, "cpu_min"), path)
    text = path.read_text()
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert "old" not in text
    assert "80.0 ns" not in text
    assert text.count("90.0 ns") == 1
    path.write_text("no marks")
    with pytest.raises(ValueError, match="between"):
        report.write_markdown(found.about, [], path)


@pytest.mark.parametrize(
    "wrong",
    [
        b'{"a":[1,2,true,"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"],"b":null}',  # 2 for 2.0
        b'{"a":[1,2.0,1,"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"],"b":null}',  # 1 for true
        b'{"b":null,"a":[1,2.0,true,"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"]}',  # order
        b'{"a":[1,2.0,true,"e"],"b":null}',
    ],
)
def test_a_wrong_answer_is_caught(wrong: bytes) -> None:
    encode, loads = BY_NAME["encode-fresh"], BY_NAME["loads-bytes"]
    with pytest.raises(worker.WrongAnswerError):
        worker.verify(Call(lambda _: wrong), encode, TINY)
    with pytest.raises(worker.WrongAnswerError):
        worker.verify(Call(lambda _: json.loads(wrong)), loads, TINY)


def test_str_for_bytes_is_a_wrong_answer() -> None:
    with pytest.raises(worker.WrongAnswerError, match="str for bytes"):
        worker.verify(Call(json.dumps), BY_NAME["encode-fresh"], TINY)


@pytest.mark.parametrize("mode", [mode for mode in BY_NAME.values() if not mode.memory])
def test_json_is_right_in_every_mode(mode: Any) -> None:
    for call in load("json")[mode.operation]:
        worker.verify(call, mode, TINY)


def test_adapted_calls_are_named_in_the_report() -> None:
    for peer in ("json", "ujson", "orjson", "msgspec"):
        if peer != "json":
            pytest.importorskip(peer)
        for operation, calls in load(peer).items():
            assert {call.then for call in calls} == {ADAPTED[operation].get(peer, "")}


def test_fresh_gives_each_object_once() -> None:
    made: list[list[int]] = []
    used: list[int] = []

    def make() -> list[int]:
        made.append([len(made)])
        return made[-1]

    samples = timing.fresh(Call(lambda value: used.append(value[0])), make, 0.01)
    assert used == list(range(len(made)))
    assert len(samples.cpu) >= timing.FEWEST_SAMPLES
    assert samples.calls <= len(used)


def test_repeated_samples_are_long_enough() -> None:
    samples = timing.repeated(Call(abs), -1, 0.01)
    assert samples.calls / len(samples.cpu) * min(samples.cpu) > timing.SAMPLE_NS / 4
    assert min(samples.cpu) > 0


def test_the_faster_way_is_taken() -> None:
    slow = Call(lambda value: [value] * 50_000)
    quick = Call(abs)
    assert timing.fastest([slow, quick], 1) is quick


@pytest.mark.parametrize("workload", GENERATED, ids=lambda workload: workload.name)
def test_generated_workloads_are_what_they_say(workload: Workload) -> None:
    assert repr(workload.fresh()) == repr(workload.value)
    if workload.name.endswith("-1mb"):
        assert len(workload.value.encode()) == 1_000_000
    if workload.name.endswith("x10k"):
        assert len(workload.value) == 10_000


def test_documents_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text('{\n "a": 1\n}')
    (tmp_path / "note.txt").write_text("no")
    (one,) = from_folder(tmp_path)
    assert (one.name, one.text, one.compact) == ("one", b'{\n "a": 1\n}', b'{"a":1}')
    (tmp_path / "floats.json").write_text("[0.5]")
    assert [workload.name for workload in from_folder(tmp_path)] == ["floats.json", "one"]
    assert documents(tmp_path) == tmp_path
    with pytest.raises(SystemExit, match="no"):
        documents(tmp_path / "absent")


def test_documents_are_made_where_none_are_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workloads, "MADE", tmp_path / "made")
    made = from_folder(documents(None))
    assert "messages" in {workload.name for workload in made}


def test_sizes_count_code_units() -> None:
    assert [worker.text_width(text) for text in ("", "a", "ÿ", "Ā", "😀")] == [1, 1, 1, 2, 4]


def test_the_environment_is_pinned() -> None:
    inherited = {"PATH": "/bin", "MALLOC_ARENA_MAX": "1", "PYTHONMALLOC": "debug"}
    pinned = malloc.environment("heap", inherited)
    assert pinned == {"PATH": "/bin", "PYTHONHASHSEED": "0", **malloc.STATES["heap"]}


@pytest.mark.skipif(malloc.observed() == "unknown", reason="malloc is not glibc's")
@pytest.mark.parametrize("state", malloc.STATES)
def test_a_worker_measures_with_malloc_pinned(state: str) -> None:
    pair = Pair(state, "dumps-fresh", "clean-1mb", "json")
    answer = schedule.measure(pair, None, 0.01)
    assert answer["malloc"] == state
    assert 0 < answer["memcpy"] < answer["cpu_min"] <= answer["cpu_median"]


@pytest.mark.skipif(not memory.measurable(), reason="the peak cannot be reset here")
def test_memory_of_a_large_result() -> None:
    pair = Pair("mmap", "memory-encode", "clean-1mb", "json")
    answer = schedule.measure(pair, None, 0.01)
    assert answer["peak"] > 1_500_000  # the str and the bytes
    assert answer["retained"] < 500_000


def test_an_error_in_a_worker_is_an_answer() -> None:
    answer = schedule.measure(Pair("heap", "encode-fresh", "absent", "json"), None, 0.01)
    assert "error" in answer


def test_the_command_measures_shows_and_compares(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run.json"
    options = ["--workloads", "small-dict", "--peers", "json", "--rounds", "1"]
    options += ["--seconds", "0.01", "--out", str(out), "--malloc", "heap"]
    assert run.main([*options, "--modes", "*-fresh"]) == 0
    assert run.main(["--from", str(out), "--modes", "dumps-*", "--compare", str(out)]) == 0
    shown = capsys.readouterr().out
    assert shown.count("dumps to str, fresh") == 2
    assert shown.count("encode to bytes, fresh") == 1
    assert f"{OURS} was not measured" in shown
    with pytest.raises(SystemExit, match="no mode 'nonsense'"):
        run.main([*options, "--modes", "nonsense"])
