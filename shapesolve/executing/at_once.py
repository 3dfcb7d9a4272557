"""Executions several at a time, while other work goes on.

What waits for executions is a generator: it yields what it wants to have executed, all of it at the same time, and is
sent what came of each. All generators run in one thread, for sizes are hash-consed without locks; other threads only
wait for children. So what comes out does not depend on how many children there are at a time.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import replace
from types import TracebackType
from typing import Generic, TypeVar, cast

from shapesolve.deadline import NEVER, TIME_LIMIT, Deadline
from shapesolve.executing import standby
from shapesolve.executing.execution import Execution, Outcome
from shapesolve.executing.protocol import Request
from shapesolve.executing.runner import performed, told
from shapesolve.measuring import stage
from shapesolve.records import value_record

R = TypeVar("R")


@value_record
class Wanted:
    """A request, and when nothing shall run any more."""

    request: Request
    deadline: Deadline = NEVER


Work = Generator[Sequence[Wanted], Sequence[list[Execution]], R]
"""What wants executions, and makes something of them."""


class Begun(Generic[R]):
    """Work that has begun; what it waits for, and what came out."""

    def __init__(self, work: Work[R]) -> None:
        self.work = work
        self.wanted: Sequence[Wanted] = ()
        self.awaited: list[Future[list[Execution]]] = []
        self.ended = False
        self._result: R | None = None

    def go_on(self, executions: Sequence[list[Execution]] | None) -> None:
        """Send what was executed, None at the beginning."""
        try:
            self.wanted = self.work.send(cast("Sequence[list[Execution]]", executions))
        except StopIteration as end:
            self._result = end.value
            self.ended = True

    @property
    def result(self) -> R:
        """What the work came to; it has ended."""
        return cast("R", self._result)


class Workers:
    """Does work with so many children at a time; with one, each work is done before the next begins."""

    def __init__(self, jobs: int = 1) -> None:
        self._pool = ThreadPoolExecutor(jobs, "executing") if jobs > 1 else None
        self._open: list[Begun[object]] = []

    def begin(self, work: Work[R]) -> Begun[R]:
        """Do work as far as it goes without waiting."""
        begun = Begun(work)
        begun.go_on(None)
        if self._pool is None:
            _done_here(begun)
        elif not begun.ended:
            self._open.append(cast("Begun[object]", begun))
            self._submit(self._pool, begun)
        self._go_on()
        return begun

    def finish(self, begun: Begun[R]) -> R:
        """Wait until work has ended."""
        while not begun.ended:
            _any_of([future for each in self._open for future in each.awaited])
            self._go_on()
        return begun.result

    def _go_on(self) -> None:
        """Take every work further whose executions have ended."""
        for each in list(self._open):
            if all(future.done() for future in each.awaited):
                assert self._pool is not None
                each.go_on([_heard(*pair) for pair in zip(each.wanted, each.awaited, strict=True)])
                if each.ended:
                    self._open.remove(each)
                else:
                    self._submit(self._pool, each)

    @staticmethod
    def _submit(pool: ThreadPoolExecutor, begun: Begun[R]) -> None:
        with suppress(OSError):
            standby.current()  # started here, for it ends with the thread that starts it
        begun.awaited = [pool.submit(_executed, each) for each in begun.wanted]

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is waited for: where children come from a process in waiting, they end with it."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def finished(work: Work[R]) -> R:
    """What work comes to, with one child at a time."""
    begun = Begun(work)
    begun.go_on(None)
    _done_here(begun)
    return begun.result


def _done_here(begun: Begun[R]) -> None:
    while not begun.ended:
        begun.go_on([_executed_here(each) for each in begun.wanted])


@stage("execute")
def _executed_here(wanted: Wanted) -> list[Execution]:
    return told(wanted.request, _executed(wanted))


def _executed(wanted: Wanted) -> list[Execution]:
    """What came of a request. Threads do this at the same time."""
    request, left = wanted.request, wanted.deadline.seconds
    if left <= 0:
        return [Execution(Outcome.NOT_EXECUTABLE, (), TIME_LIMIT, None, request.runtime_checks)] * len(request.runs)
    limited = replace(
        request,
        timeout_seconds=min(request.timeout_seconds, left),
        lowering_seconds=min(request.lowering_seconds, left),
    )
    return performed(limited)


@stage("execute")
def _any_of(futures: Sequence[Future[list[Execution]]]) -> None:
    wait(futures, return_when=FIRST_COMPLETED)


def _heard(wanted: Wanted, future: Future[list[Execution]]) -> list[Execution]:
    return told(wanted.request, future.result())
