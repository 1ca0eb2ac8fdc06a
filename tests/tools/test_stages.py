"""Stages side by side: what runs, what is left out, what is printed and reported."""

import sys
import threading
import time

import pytest
import steps
from stages import Stage, Stages, lanes_at_once


def program(code: str) -> list[str]:
    return [sys.executable, "-c", code]


@pytest.fixture(params=["1", "2"])
def jobs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setenv("JOBS", request.param)
    return int(request.param)


def outcomes(stages: Stages) -> dict[str, str]:
    return {one.name: one.outcome for one in stages.results}


@pytest.mark.usefixtures("jobs")
def test_all_run_and_what_a_failure_spoils_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    ran = []
    stages = Stages([], [])
    stages.run(
        [
            Stage("bad", lambda: steps.run(program("print('seen'); raise SystemExit(3)"))),
            Stage("after", lambda: ran.append("after")),
            Stage("spoilt", lambda: ran.append("spoilt"), ["bad"]),
        ],
        [Stage("good", lambda: steps.say("said")), Stage("last", lambda: None, ["good"])],
    )
    assert stages.summary("test") == 1
    assert ran == ["after"]
    assert outcomes(stages) == {
        "bad": "FAILED",
        "after": "passed",
        "spoilt": "skipped: it needs bad",
        "good": "passed",
        "last": "passed",
    }
    printed = capfd.readouterr().out
    assert "=== bad\nseen\n--- bad failed:" in printed
    assert "=== good\nsaid\n" in printed
    assert printed.endswith("FAILED: bad\n")


def test_lanes_run_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOBS", "2")
    meeting = threading.Barrier(2, timeout=60)
    stages = Stages([], [])
    stages.run([Stage("one", meeting.wait)], [Stage("two", meeting.wait)])
    assert outcomes(stages) == {"one": "passed", "two": "passed"}


@pytest.mark.usefixtures("jobs")
def test_lanes_run_one_after_another_where_asked_to() -> None:
    under_way = []

    def action() -> None:
        under_way.append(1)
        time.sleep(0.05)
        assert len(under_way) == 1
        under_way.clear()

    stages = Stages([], [])
    stages.run(*([Stage(name, action)] for name in "abc"), side_by_side=False)
    assert list(outcomes(stages)) == ["a", "b", "c"]


@pytest.mark.usefixtures("jobs")
def test_only_the_chosen_stages_run() -> None:
    stages = Stages(["py*"], ["set-up"])
    lane = [Stage(name, lambda: None) for name in ("set-up", "lint", "python-3.11", "pypy")]
    stages.run(lane)
    assert list(outcomes(stages)) == ["set-up", "python-3.11", "pypy"]
    assert stages.summary("test") == 0


def test_choosing_what_is_not_there_fails(capsys: pytest.CaptureFixture[str]) -> None:
    stages = Stages(["lint", "tests"], ["set-up", "extra"])
    stages.run([Stage("set-up", lambda: None)], [Stage("lint", lambda: None)])
    assert stages.summary("test") == 1
    assert capsys.readouterr().out.endswith("FAILED: no such stage: tests\n")


@pytest.mark.usefixtures("jobs")
def test_time_of_programs_is_told_for_each_stage() -> None:
    busy = program("import time\nwhile time.process_time() < 0.2: pass")
    stages = Stages([], [])
    stages.run([Stage("busy", lambda: steps.run(busy))], [Stage("idle", lambda: None)])
    cpu = {one.name: one.cpu for one in stages.results}
    assert cpu["busy"] >= 0.2
    assert cpu["idle"] == 0


def test_a_program_that_is_killed_fails() -> None:
    with pytest.raises(steps.StepError):
        steps.run(program("import os; os.kill(os.getpid(), 9)"))


@pytest.mark.parametrize("given", ["0", "two", "-1"])
def test_jobs_is_a_number(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    monkeypatch.setenv("JOBS", given)
    with pytest.raises(SystemExit, match="JOBS"):
        lanes_at_once()
