"""Worker process: lowers one function, calls it with each set of inputs, and reports events line by line.

``python -m shapesolve.execution.worker``, a request on standard input, events on what was standard output at the start.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from shapesolve.execution import protocol, sandbox
from shapesolve.execution.allow_list import ALLOCATE, FREE
from shapesolve.execution.execution import Execution, Input, NotExecutableError, Outcome
from shapesolve.execution.invocation import (
    Call,
    GuardedMemory,
    NegativeSizeError,
    NoMemoryError,
    OutOfBudgetError,
    input_mismatch,
)
from shapesolve.execution.lowering import pass_pipeline
from shapesolve.execution.lowering.pass_pipeline import Lowered, lower
from shapesolve.execution.lowering.runtime_checks import REPORTER, CheckSite
from shapesolve.ir import bindings


def main() -> None:
    """Serve one request."""
    request = protocol.decode_request(sys.stdin.buffer.read())
    events = _take_over_stdout()
    _confine(request)

    def send_event(kind: str, **fields: object) -> None:
        os.write(events, protocol.encode_event(kind, **fields))

    sandbox.set_alarm(request.lowering_seconds)
    try:
        lowered = lower(
            request.text,
            request.function,
            request.executable,
            with_checks=request.runtime_checks,
            announce=lambda step: send_event("step", name=step),
            zeros=request.zero_floats,
            last=request.last,
            first=request.first,
            vectors=request.vectors,
        )
        send_event("step", name="compiling")
        program = Program(lowered, request, send_event)
    except NotExecutableError as error:
        send_event("refused", reason=str(error))
        return
    except Exception as error:
        # A rewrite met something it was not written for: no answer, and the reason is for whoever mends it.
        send_event("refused", reason=f"preparing the program failed: {type(error).__name__}: {error}")
        return
    sandbox.set_alarm(0)
    send_event("lowered")
    patience = _MOST_TIMED_OUT
    for index, inputs in enumerate(request.runs):
        execution = program.execute(inputs) if patience else program.not_executed(_NO_PATIENCE)
        patience -= execution.outcome is Outcome.TIMED_OUT
        send_event("execution", index=index, **protocol.encode_execution(execution))


_LOWERING_BYTES = 4 << 30

#: A function that took all of its time this often is not called again.
_MOST_TIMED_OUT = 2
_NO_PATIENCE = "not called: two calls before took all of their time"


def _confine(request: protocol.Request) -> None:
    """Give up the rights that lowering and compiling do not need, before the program is read."""
    sandbox.watch_address_space()
    sandbox.end_with_parent()
    pass_pipeline.prepare()
    # The processes that run the program take their memory from what this one may have.
    memory = max(_LOWERING_BYTES, 3 * request.memory_limit_bytes)
    sandbox.limit(max(request.lowering_seconds, request.timeout_seconds), memory, open_files=64)
    # MLIR's bindings import the module of a dialect when its first operation is met.
    sandbox.confine_lowering([*sys.path, sys.prefix, sys.base_prefix])


def _take_over_stdout() -> int:
    """Keep the parent's pipe for events, and discard what the program prints."""
    events = os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    return events


def confined(work: Callable[[int], None]) -> Callable[[int], None]:
    """Wrap ``work`` to run confined: it may write to the descriptor it is handed, and reach nothing else."""

    def confined_work(writing: int) -> None:
        sandbox.close_all_but(writing)
        sandbox.confine_run(writing)
        work(writing)

    return confined_work


class Program:
    """A compiled function, ready to be called."""

    def __init__(self, lowered: Lowered, request: protocol.Request, send_event: Callable[..., None]) -> None:
        self._send_event = send_event
        self._lowered = lowered
        self._request = request
        self._answer: Callable[[protocol.Answer], None] = lambda answer: None
        self._memory = GuardedMemory(0)
        self._callbacks = self._runtime()
        try:
            self._engine = bindings.execution_engine().ExecutionEngine(lowered.module, opt_level=0)
            for name, callback in self._callbacks.items():
                self._engine.raw_register_runtime(name, ctypes.cast(callback, ctypes.c_void_p))
            self._address = int(self._engine.raw_lookup(f"_mlir_ciface_{lowered.function}") or 0)
        except RuntimeError as error:
            raise NotExecutableError(f"the compiler refused the program: {error}") from None
        if not self._address:
            raise NotExecutableError("the compiler left no function to call: a routine that it needs is not there")

    def execute(self, inputs: Sequence[Input]) -> Execution:
        """Call the function once, in a process of its own if the platform can fork."""
        try:
            problem = input_mismatch(self._lowered.signature, inputs, self._request.memory_limit_bytes)
        except NotExecutableError as error:
            problem = str(error)
        if problem:
            return self._ended(Outcome.NOT_EXECUTABLE, problem)
        if not sandbox.can_fork:
            return self._call_here(inputs)
        ending = sandbox.run_forked(
            confined(lambda answers: self._call_and_answer(inputs, answers)),
            timeout_seconds=self._request.timeout_seconds,
            memory_bytes=self._request.memory_limit_bytes + self._lowered.constant_bytes,
        )
        return self._executions_of(ending)

    def not_executed(self, why: str) -> Execution:
        """Return the execution of a run that was not called."""
        return self._ended(Outcome.NOT_EXECUTABLE, why)

    def _executions_of(self, ending: sandbox.Ending) -> Execution:
        try:
            # A program that writes where it must not may have written this, too.
            answers = [self._execution(each) for each in protocol.decode_answers(ending.written)]
        except (protocol.UnreadableError, IndexError):
            return self._ended(Outcome.CRASHED, "the process ended with an answer that cannot be read")
        if answers:
            return answers[-1]
        if ending.timed_out:
            seconds = self._request.timeout_seconds
            return self._ended(Outcome.TIMED_OUT, f"still running after {seconds:g} seconds")
        if ending.crashed:
            return self._ended(Outcome.CRASHED, f"it crashed ({sandbox.signal_name(ending.signal)})")
        how = f" ({sandbox.signal_name(ending.signal)})" if ending.signal else ""
        return self._ended(Outcome.NOT_EXECUTABLE, f"the process ended without an answer{how}")

    def _execution(self, answer: protocol.Answer) -> Execution:
        if answer.check is not None:
            site = self._lowered.sites[answer.check]
            return self._ended(site.outcome, site.message, site)
        checks = self._request.runtime_checks
        return Execution(
            answer.outcome,
            answer.sizes,
            answer.message,
            None,
            checks,
            result_values=answer.values,
            argument_values=answer.left,
        )

    def _call_and_answer(self, inputs: Sequence[Input], answers: int) -> None:
        def answer(reply: protocol.Answer) -> None:
            os.write(answers, protocol.encode_answer(reply))

        def last_answer(reply: protocol.Answer) -> None:
            answer(reply)
            os._exit(0)

        self._answer = last_answer
        call = self._prepared()
        call.run(self._address, inputs)
        # First without the contents: reading them follows descriptors that may lie, and may end the process.
        sizes = call.result_sizes()
        answer(protocol.Answer(sizes=sizes, values=(None,) * len(sizes)))
        values, left = call.result_values(), call.argument_values()
        if left or any(each is not None for each in values):
            answer(protocol.Answer(sizes=sizes, values=values, left=left))

    def _call_here(self, inputs: Sequence[Input]) -> Execution:
        """Call the function in this process: a failing check answers from inside the call and ends everything."""

        def answer_and_end(reply: protocol.Answer) -> None:
            self._send_event("execution", index=0, **protocol.encode_execution(self._execution(reply)))
            os._exit(0)

        self._answer = answer_and_end
        call = self._prepared()
        call.run(self._address, inputs)
        sizes = call.result_sizes()
        return self._execution(protocol.Answer(sizes=sizes, values=(None,) * len(sizes)))

    def _prepared(self) -> Call:
        self._memory = GuardedMemory(self._request.memory_limit_bytes + self._lowered.constant_bytes)
        return Call(self._lowered.signature, self._memory, self._request.integer_fill, self._request.zero_floats)

    def _ended(self, outcome: Outcome, message: str, site: CheckSite | None = None) -> Execution:
        return Execution(
            outcome,
            (),
            message,
            site.place if site else None,
            self._request.runtime_checks,
            failing_op=site.op if site else "",
            lowered_op=site.lowered_op if site else "",
        )

    def _runtime(self) -> dict[str, Any]:
        """Return the functions that the compiled program calls."""

        def failed(number: int) -> None:
            self._answer(protocol.Answer(check=number))

        def allocate(size: int) -> int:
            try:
                return self._memory.allocate(size)
            except OutOfBudgetError:
                limit = self._request.memory_limit_bytes
                reply = protocol.Answer(
                    outcome=Outcome.NOT_EXECUTABLE, message=f"needs more than {limit:,} bytes of memory"
                )
            except NoMemoryError:
                reply = protocol.Answer(outcome=Outcome.NOT_EXECUTABLE, message="the system had no memory left for it")
            except NegativeSizeError:
                reply = protocol.Answer(outcome=Outcome.CRASHED, message="asked for a buffer of a negative size")
            self._answer(reply)
            return 0

        def free(_: int) -> None:
            """Buffers live until the process ends."""

        return {
            REPORTER: ctypes.CFUNCTYPE(None, ctypes.c_int64)(failed),
            ALLOCATE: ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int64)(allocate),
            FREE: ctypes.CFUNCTYPE(None, ctypes.c_void_p)(free),
        }


if __name__ == "__main__":
    main()
