"""Workers that end early, and the protocol between them and their parent."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shapesolve.execution import protocol, runner, sandbox
from shapesolve.execution.execution import Execution, Outcome, ScalarInput, TensorInput, clean_assertion
from shapesolve.execution.runner import execute_many

REQUEST = protocol.Request(b"", "f", ((),), True, 1, 30.0, 1 << 20, 60.0)


def judged(events: bytes, status: int) -> Execution:
    """The parent's verdict on a child that said ``events`` and ended with ``status``."""
    (execution,) = runner._executions_of(REQUEST, protocol.decode_events(events), status)
    return execution


def test_a_crash_of_mlir_is_not_a_crash_of_the_program() -> None:
    output = protocol.encode_event("step", name="parsing") + protocol.encode_event("step", name="one-shot-bufferize")
    execution = judged(output, -signal.SIGSEGV)
    assert execution.outcome is Outcome.NOT_EXECUTABLE
    assert execution.message == "MLIR crashed while lowering, in one-shot-bufferize (SIGSEGV)"
    assert judged(output, -signal.SIGABRT).outcome is Outcome.NOT_EXECUTABLE


@pytest.mark.skipif(sys.platform == "win32", reason="no alarms there")
def test_lowering_has_its_own_time() -> None:
    execution = judged(protocol.encode_event("step", name="parsing"), -signal.SIGALRM)
    assert (execution.outcome, execution.message) == (
        Outcome.NOT_EXECUTABLE,
        "lowering took longer than 60 seconds",
    )


def test_a_child_without_a_message_did_not_start() -> None:
    assert judged(b"", 1).message == "the process that runs programs did not start (exit code 1)"
    assert judged(b'{"event": "lowe', 1).outcome is Outcome.NOT_EXECUTABLE


def test_without_forks_the_child_ends_with_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "can_fork", False)
    lowered = protocol.encode_event("step", name="compiling") + protocol.encode_event("lowered")
    assert judged(lowered, -signal.SIGSEGV).outcome is Outcome.CRASHED
    assert judged(lowered, 1).outcome is Outcome.NOT_EXECUTABLE


@pytest.mark.process
@pytest.mark.skipif(not sandbox.can_fork, reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_only_faults_of_the_program_count_as_crashes() -> None:
    def end_by(number: int) -> sandbox.Ending:
        return sandbox.run_forked(lambda _: os.kill(os.getpid(), number), timeout_seconds=5, memory_bytes=1 << 20)

    assert end_by(signal.SIGTRAP).crashed
    killed = end_by(signal.SIGKILL)
    assert not killed.crashed and not killed.timed_out
    assert end_by(signal.SIGXCPU).timed_out


@given(
    st.lists(
        st.one_of(
            st.integers(-(1 << 63), (1 << 63) - 1).map(ScalarInput),
            st.builds(
                TensorInput,
                st.lists(st.integers(0, 9), max_size=4).map(tuple),
                st.none() | st.lists(st.integers(-9, 9), max_size=4).map(tuple),
            ),
        ),
        max_size=4,
    ).map(tuple)
)
def test_requests_arrive_as_sent(run: tuple[ScalarInput | TensorInput, ...]) -> None:
    request = protocol.Request("ä".encode(), "f", (run, ()), False, 0, 1.5, 10, 2.0)
    assert protocol.decode_request(protocol.encode_request(request)) == request


def test_executions_arrive_as_sent() -> None:
    sent = Execution(Outcome.ABORTED, ((1, 2), 3, None), "m", (4, 5), True, "a.b", ((1,), None, None))
    (event,) = protocol.decode_events(protocol.encode_event("execution", **protocol.encode_execution(sent)))
    assert protocol.decode_execution(event) == sent


@pytest.mark.parametrize(
    ("message", "original", "expected"),
    [
        ("plain \n words", "cf.assert", "plain words"),
        (
            "ERROR: Runtime op verification failed\n%1:2 = linalg.generic {a = 1}\n^ too  small\nLocation: loc(x)",
            "tosa.add",
            "tosa.add (as linalg.generic): too small",
        ),
        (
            'ERROR: Runtime op verification failed\n"memref.store"(%0) : () -> ()\n^ bad\nLocation: loc(x)',
            "",
            "memref.store: bad",
        ),
    ],
)
def test_messages_are_cleaned_for_people(message: str, original: str, expected: str) -> None:
    assert clean_assertion(message, original) == expected


WITHOUT_FORK = """
from shapesolve.execution import worker, sandbox
sandbox.can_fork = False
worker.main()
"""


@pytest.mark.process
def test_a_child_without_forks_gives_the_same_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "can_fork", False)
    monkeypatch.setattr(runner, "_CHILD", ("-c", WITHOUT_FORK))
    text = """func.func @f(%a: tensor<?xi8>, %n: index) -> i8 {
      %c2 = arith.constant 7 : index
      %p = arith.cmpi ult, %n, %c2 : index
      cf.assert %p, "too large"
      %0 = tensor.extract %a[%n] : tensor<?xi8>
      return %0 : i8
    }"""
    bytes_of_a = TensorInput((3,), (7, 8, 9))
    runs = [[bytes_of_a, ScalarInput(position)] for position in (2, 7, 3)]
    returned, aborted, crashed = execute_many(text, "f", runs, runtime_checks=False)
    assert (returned.outcome, returned.result_extents) == (Outcome.RETURNED, (9,))
    assert (aborted.outcome, aborted.message) == (Outcome.ABORTED, "too large")
    assert crashed.outcome is Outcome.CRASHED


@pytest.mark.process
@pytest.mark.skipif(not sandbox.can_fork, reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_only_time_that_a_run_gets_counts() -> None:
    """The limit counts processor time: only a run that computes for longer is ended, not one that waits for a
    processor.
    """

    def computing(_: int) -> None:
        while True:
            pass

    def ended(work: Callable[[int], None]) -> sandbox.Ending:
        return sandbox.run_forked(work, timeout_seconds=0.2, memory_bytes=1 << 20)

    def waiting(answers: int) -> None:
        time.sleep(0.4)
        os.write(answers, b"done")

    assert ended(waiting).written == b"done"
    assert ended(computing).timed_out
    assert ended(lambda _: time.sleep(60)).timed_out
