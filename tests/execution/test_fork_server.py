"""Test of the fork server's children: same answers, same confinement, and no process left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import pytest

from shapesolve.execution import fork_server, protocol, runner, sandbox
from shapesolve.execution.execution import Execution, ExecutionLimits, Outcome, ScalarInput
from shapesolve.execution.fork_server import ForkServer, ForkServerGoneError
from shapesolve.execution.lowering import pass_pipeline
from shapesolve.execution.runner import execute_many
from shapesolve.semantics.registry import executable

pytestmark = [pytest.mark.process, pytest.mark.skipif(not sandbox.can_fork, reason="needs fork")]

PROGRAM = """
func.func @f(%n: index) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %is_zero = arith.cmpi eq, %n, %zero : index
  cf.cond_br %is_zero, ^forever, ^checked
^forever:
  cf.br ^forever
^checked:
  %is_one = arith.cmpi ne, %n, %one : index
  cf.assert %is_one, "it is one"
  return %n : index
}
"""
CALLS = ([ScalarInput(1)], [ScalarInput(2)], [ScalarInput(0)], [ScalarInput(3)])
OUTCOMES = [Outcome.ABORTED, Outcome.RETURNED, Outcome.TIMED_OUT, Outcome.RETURNED]


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> Generator[ForkServer]:
    """A process in waiting of this test's own, from which all children come."""
    found = ForkServer(runner.child_environment())
    monkeypatch.setattr(fork_server, "current", lambda: found)
    yield found
    found.close()


def run(calls: tuple[list[ScalarInput], ...] = CALLS, seconds: float = 1.0) -> list[Execution]:
    return execute_many(PROGRAM, "f", calls, runtime_checks=False, limits=ExecutionLimits(timeout_seconds=seconds))


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


def until(what: Callable[[], object]) -> bool:
    """Return whether something comes true within a minute."""
    end = monotonic() + 60
    while not what() and monotonic() < end:
        sleep(0.05)
    return bool(what())


def children(process: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


@pytest.mark.exhaustive
def test_the_answers_are_those_of_children_that_start_anew(
    waiting: ForkServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, again = run(), run()
    monkeypatch.setattr(fork_server, "current", lambda: None)
    assert first == again == run()
    assert [each.outcome for each in first] == OUTCOMES


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_it_has_no_threads_that_a_fork_would_lose(waiting: ForkServer) -> None:
    assert run(CALLS[1:2])[0].outcome is Outcome.RETURNED  # whatever is prepared was prepared
    assert os.listdir(f"/proc/{waiting._process.pid}/task") == [str(waiting._process.pid)]


def test_no_program_is_lowered_where_another_was() -> None:
    pass_pipeline.prepare()
    first, second = pass_pipeline.take(), pass_pipeline.take()
    assert first is not second and first != second


def test_threads_share_the_fork_server(waiting: ForkServer) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(run, [([ScalarInput(number)],) for number in range(1, 9)]))
    outcomes = [execution.outcome for (execution,) in found]
    assert outcomes == [Outcome.ABORTED] + 7 * [Outcome.RETURNED]


def test_without_it_children_are_started_anew(waiting: ForkServer) -> None:
    waiting._process.kill()
    waiting._process.wait()
    with pytest.raises(ForkServerGoneError):
        waiting.run_worker(b"", "/", 5.0)
    assert run(CALLS[:2])[1].outcome is Outcome.RETURNED


def test_a_child_that_dies_is_reported_and_harms_no_other(waiting: ForkServer, tmp_path: Path) -> None:
    answer, status = waiting.run_worker(b"no request", str(tmp_path), 30.0)
    assert (answer, status) == (b"", 1)
    assert run(CALLS[:1])[0].outcome is Outcome.ABORTED


def test_no_directory_no_answer(waiting: ForkServer, tmp_path: Path) -> None:
    assert waiting.run_worker(b"", str(tmp_path / "missing"), 30.0) == (b"", 1)


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_child_that_takes_too_long_is_killed(waiting: ForkServer, monkeypatch: pytest.MonkeyPatch) -> None:
    run(CALLS[:1])
    request = protocol.Request(PROGRAM.encode(), "f", (), True, 1, 300.0, 1 << 28, 300.0, executable=executable())
    document = protocol.encode_request(replace(request, runs=(tuple(CALLS[2]),)))
    with pytest.raises(subprocess.TimeoutExpired) as raised:
        waiting.run_worker(document, "/", 3.0)
    assert b"lowered" in raised.value.output
    assert until(lambda: not children(waiting._process.pid))


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_closing_it_ends_its_children(waiting: ForkServer) -> None:
    found: list[Execution] = []
    thread = Thread(target=lambda: found.extend(run(CALLS[2:3], 300.0)))
    thread.start()
    assert until(lambda: children(waiting._process.pid))
    (child,) = children(waiting._process.pid)
    waiting.close()
    thread.join(20)
    assert not thread.is_alive()
    assert until(lambda: not is_alive(child))  # its pipes are closed a moment before it has ended
    assert found[0].outcome is Outcome.NOT_EXECUTABLE


ENDS_AT_ONCE = """
import os, signal, sys
from shapesolve.execution import runner
with runner.use_fork_server(at_once=True):
    print(runner.fork_server.current()._process.pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_it_ends_with_the_process_that_started_it() -> None:
    run = subprocess.run([sys.executable, "-c", ENDS_AT_ONCE], capture_output=True, check=False)
    assert run.returncode == -signal.SIGKILL
    assert until(lambda: not is_alive(int(run.stdout)))


SEEN = """
import json, os, sys
import shapesolve.execution.worker as child
def main():
    document = sys.stdin.buffer.read()
    seen = {"environment": sorted(os.environ), "directory": os.getcwd(), "files": sorted(os.listdir("/proc/self/fd"))}
    os.write(1, json.dumps(seen | {"read": document.decode()}).encode())
child.main = main
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_child_sees_nothing_that_it_should_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SECRET", "of the user's")
    (tmp_path / "sitecustomize.py").write_text(SEEN)
    environment = runner.child_environment()
    environment["PYTHONPATH"] = f"{tmp_path}{os.pathsep}{environment['PYTHONPATH']}"
    own = tmp_path / "own"
    own.mkdir()
    with open(tmp_path / "open", "w"):
        waiting = ForkServer(environment)
        try:
            answer, status = waiting.run_worker(b"a request", str(own), 60.0)
        finally:
            waiting.close()
    assert status == 0
    seen = json.loads(answer)
    assert seen["read"] == "a request" and seen["directory"] == str(own)
    assert not {"A_SECRET", "HOME", "PATH"} & set(seen["environment"])
    assert set(seen["files"]) <= {"0", "1", "2", "3"}  # the last is that of the list itself
