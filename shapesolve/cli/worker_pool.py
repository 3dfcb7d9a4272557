"""Worker pool: several jobs at a time, each in a process that is forked for it from this one."""

from __future__ import annotations

import gc
import os
import pickle
import select
import signal
import sys
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, NoReturn, TypeVar, cast

from shapesolve.cli.environment import error_text
from shapesolve.cli.supervisor import exit_description, exit_with_parent, fork
from shapesolve.records import value_record

R = TypeVar("R")

can_fork_loaded = sys.platform.startswith("linux")
"""Whether a process may fork that has loaded what checks need: elsewhere libraries of the system forbid it."""

TICK_SECONDS = 1.0


@value_record
class CrashedWorker:
    """Process that ended without a result. ``how`` describes its end, or the error that ended the job."""

    how: str


@dataclass(slots=True)
class _Process:
    number: int
    slot: int
    id: int
    output: bytearray


def map_in_processes(
    work: Callable[[int, int], R], count: int, jobs: int, tick: Callable[[], None] | None = None
) -> Generator[R | CrashedWorker]:
    """Yield the results of jobs 0 to ``count - 1`` in order, from at most ``jobs`` processes at a time.

    ``work`` is called with the number of the job and a slot below ``jobs`` that no other process has at the same
    time; its result is pickled. This process must have no threads. Closing the generator ends the processes.
    ``tick`` is called every second or so while results are awaited.
    """
    gc.collect()
    gc.freeze()  # pages of what is loaded stay shared
    return _WorkerPool(work, count, jobs, tick).results()


class _WorkerPool(Generic[R]):
    """Processes that run jobs, and the results that have arrived."""

    def __init__(self, work: Callable[[int, int], R], count: int, jobs: int, tick: Callable[[], None] | None) -> None:
        self._work = work
        self._count = count
        self._tick = tick
        self._begun = 0
        self._running: dict[int, _Process] = {}  # by the descriptor that it is heard through
        self._slots = list(range(jobs))
        # Results that wait for one before them stay pickled: the objects would be the largest part of the memory.
        self._found: dict[int, bytes | CrashedWorker] = {}

    def results(self) -> Generator[R | CrashedWorker]:
        """Yield all results in order, each as soon as the earlier ones have arrived."""
        try:
            for number in range(self._count):
                while number not in self._found:
                    self._begin_more()
                    self._listen()
                found = self._found.pop(number)
                yield found if isinstance(found, CrashedWorker) else cast("R", pickle.loads(found))
        finally:
            for process in self._running.values():
                with suppress(ProcessLookupError):
                    os.kill(process.id, signal.SIGKILL)
                os.waitpid(process.id, 0)

    def _begin_more(self) -> None:
        while self._slots and self._begun < self._count:
            try:
                self._begin(self._begun, self._slots[-1])
            except OSError:  # no process or no pipe is to be had
                if self._running:
                    return
                self._found[self._begun] = pickle.dumps(self._work(self._begun, self._slots[-1]))
            else:
                self._slots.pop()
            self._begun += 1

    def _begin(self, number: int, slot: int) -> None:
        process, reading = fork(lambda writing, parent: self._work_and_exit(number, slot, writing, parent))
        self._running[reading] = _Process(number, slot, process, bytearray())

    def _work_and_exit(self, number: int, slot: int, writing: int, parent: int) -> NoReturn:
        code = 1
        try:
            for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(each, signal.SIG_DFL)
            exit_with_parent(parent)
            with open(writing, "wb") as pipe:
                pickle.dump(self._result(number, slot), pipe)
            code = 0
        finally:
            os._exit(code)

    def _result(self, number: int, slot: int) -> R | CrashedWorker:
        try:
            return self._work(number, slot)
        except Exception as error:  # the other jobs go on
            return CrashedWorker(error_text(error).removeprefix("error: "))

    def _listen(self) -> None:
        if not self._running:
            return
        pause = None if self._tick is None else TICK_SECONDS
        for reading in select.select(list(self._running), [], [], pause)[0]:
            piece = os.read(reading, 1 << 16)
            process = self._running[reading]
            process.output += piece
            if not piece:
                self._end(reading, process)
        if self._tick is not None:
            self._tick()

    def _end(self, reading: int, process: _Process) -> None:
        os.close(reading)
        _, status = os.waitpid(process.id, 0)
        del self._running[reading]
        self._slots.append(process.slot)
        well = status == 0 and process.output
        self._found[process.number] = bytes(process.output) if well else CrashedWorker(exit_description(status))
