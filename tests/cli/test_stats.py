"""``--stats`` on every command, and what the stages say to a log."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from shapesolve.statistics import current, measuring, stage

from .conftest import Command

COMMANDS = {
    "check": ["check", "{add}"],
    "prune": ["prune", "{add}", "-o", "{out}"],
    "explain": ["explain", "{add}:2"],
    "rules": ["rules", "tosa.add"],
    "shape-of": ["shape-of", "{add}"],
    "refine": ["refine", "{add}", "{add}"],
    "contract": ["contract", "{add}"],
    "verify": ["verify", "{add}"],
    "theorems": ["theorems", "inference-is-symmetric"],
}


def words(name: str, add: Path, out: Path) -> list[str]:
    return [each.format(add=add, out=out) for each in COMMANDS[name]]


def counts_in(err: str) -> dict[str, float]:
    """The numbers that stand on standard error, by name."""
    lines = [line.rsplit(maxsplit=1) for line in err.splitlines() if line.strip()]
    return {name.strip(): float(number) for name, number in lines}


@pytest.mark.process
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_where_its_time_went(name: str, add: Path, tmp_path: Path, command: Command) -> None:
    plain = command(*words(name, add, tmp_path / "plain.mlir"))
    measured = command(*words(name, add, tmp_path / "plain.mlir2"), "--stats")
    assert measured.code == plain.code
    assert measured.out.replace("plain.mlir2", "plain.mlir") == plain.out
    found = counts_in(measured.err)
    assert {"seconds", "other", "claims", "queries", "executions"} <= found.keys()
    named = {"read", "walk", "prove", "shrink", "execute", "certify", "rewrite", "diagnose", "report", "other"}
    stages = named & found.keys()
    assert found["seconds"] == pytest.approx(sum(found[each] for each in stages), abs=0.01)
    assert current() is None


@pytest.mark.process
@pytest.mark.parametrize("name", COMMANDS)
def test_json_says_it_too(name: str, add: Path, tmp_path: Path, command: Command) -> None:
    result = command(*words(name, add, tmp_path / "out.mlir"), "--json", "--stats")
    stats = json.loads(result.out)["stats"]
    seconds = stats["seconds"]
    assert seconds["total"] == pytest.approx(sum(seconds.values()) - seconds["total"], abs=1e-4)
    without = command(*words(name, add, tmp_path / "out2.mlir"), "--json")
    assert "stats" not in json.loads(without.out)


def test_certificates_are_asked_in_a_stage_of_their_own(add: Path, tmp_path: Path, command: Command) -> None:
    assert command("check", str(add), "--assume", "x[0] == y[0]", "--certify", str(tmp_path / "c"), "-q").code == 0
    seconds = json.loads(command("certify", str(tmp_path / "c"), "--json", "--stats").out)["stats"]["seconds"]
    assert seconds["certify"] > 0


@pytest.mark.process
def test_claims_queries_and_executions_are_counted(add: Path, command: Command) -> None:
    document = json.loads(command("check", str(add), "--json", "--stats").out)
    stats = document["stats"]
    assert sum(stats["claims"].values()) > document["files"][0]["summary"]["obligations"]  # suggestions are judged too
    proved = json.loads(command("check", str(add), "--assume", "x[0] == y[0]", "--json", "--stats").out)
    assert sum(proved["stats"]["claims"].values()) == proved["files"][0]["summary"]["obligations"]
    assert sum(stats["queries"].values()) > 0
    assert stats["executions"].keys() <= {"returned", "aborted", "crashed"} and sum(stats["executions"].values()) >= 1
    assert list(stats["seconds"])[:3] == ["total", "other", "read"]
    unexecuted = json.loads(command("check", str(add), "--json", "--stats", "--no-execute").out)["stats"]
    assert unexecuted["executions"] == {} and "execute" not in unexecuted["seconds"]


def test_failing_commands_are_measured_too(tmp_path: Path, command: Command) -> None:
    result = command("check", str(tmp_path / "missing.mlir"), "--stats")
    assert result.code == 2 and "seconds" in result.err and "missing.mlir" in result.err


def test_a_stage_does_not_count_what_is_inside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("shapesolve.statistics.perf_counter", lambda: now[0])

    def wait(seconds: float) -> None:
        now[0] += seconds

    @stage("prove")
    def inner(fails: bool) -> None:
        wait(2)
        if fails:
            raise ValueError

    @stage("walk")
    def outer() -> None:
        wait(1)
        inner(fails=False)
        wait(4)
        with pytest.raises(ValueError):
            inner(fails=True)
        wait(8)

    with measuring() as found:
        wait(16)
        outer()
        wait(32)
    assert found.seconds == {"other": 48, "walk": 13, "prove": 4}


def logged(level: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "shapesolve", *arguments]
    return subprocess.run(
        line, capture_output=True, text=True, env={**os.environ, "SHAPESOLVE_LOG": level}, check=False
    )


@pytest.mark.process
def test_the_stages_speak_to_a_log(add: Path) -> None:
    result = logged("debug", "check", str(add), "-q")
    assert result.returncode == 1
    for name in ("ir", "interpreter", "solver", "execution"):
        assert f"shapesolve.{name}: " in result.stderr
    summaries = logged("info", "check", str(add), "-q", "--no-execute").stderr
    assert "shapesolve.interpreter: @add: " in summaries and "shapesolve.solver" not in summaries


@pytest.mark.process
def test_a_level_that_there_is_not(add: Path) -> None:
    result = logged("loud", "check", str(add))
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "error: SHAPESOLVE_LOG: `loud` is none of debug, info, warning\n"


def test_programs_listen_through_logging(add: Path, command: Command, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "shapesolve"):
        command("check", str(add), "--no-execute", "-q")
    assert {each.name for each in caplog.records} == {"shapesolve.ir", "shapesolve.interpreter", "shapesolve.solver"}
