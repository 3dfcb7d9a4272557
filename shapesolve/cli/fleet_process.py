"""Process of a fleet's worker that checks files: one job after the other, each in a process forked for it.

Jobs arrive on standard input and reports leave on standard output.
"""

from __future__ import annotations

import os
import signal
from contextlib import closing

from shapesolve.cli.checked_files import preload
from shapesolve.cli.fleet_job import reports_of
from shapesolve.cli.fleet_worker import read_message, write_message
from shapesolve.cli.supervisor import exit_with_parent
from shapesolve.cli.worker_pool import CrashedWorker, can_fork_loaded, map_in_processes
from shapesolve.execution import fork_server
from shapesolve.execution.runner import use_fork_server
from shapesolve.gc_control import collect_seldom
from shapesolve.ir import bindings


def main() -> None:
    """Answer jobs until standard input ends."""
    given, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.dup2(2, 1)  # what a library prints is no answer
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    exit_with_parent(os.getppid())
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    collect_seldom()
    bindings.assume_exclusive_process()
    preload()
    with use_fork_server(at_once=True, places=1):
        while (job := read_message(given)) is not None:
            found = _reports(job[1])
            if isinstance(found, CrashedWorker):
                write_message(answers, found.how.encode(), crashed=True)
            else:
                write_message(answers, found)


def _reports(job: bytes) -> bytes | CrashedWorker:
    if not can_fork_loaded:
        return reports_of(job)

    def work(_: int, slot: int) -> bytes:
        fork_server.use_socket(slot)
        return reports_of(job)

    with closing(map_in_processes(work, 1, 1)) as results:
        return next(results)


if __name__ == "__main__":
    main()
