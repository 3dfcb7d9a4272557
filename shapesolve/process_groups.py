"""Groups of processes that end together, and with their parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from time import sleep
from typing import TYPE_CHECKING, Any

from shapesolve.deadline import NEVER, Deadline

if TYPE_CHECKING:
    from asyncio.subprocess import Process

_PAUSE_SECONDS = 0.01


def kill_group(leader: int) -> None:
    """Kill a process that was started in a session of its own, and those of its group.

    What has moved to another group, as daemons do, goes on.
    """
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            os.kill(leader, signal.SIGTERM)
        else:
            os.killpg(leader, signal.SIGKILL)


async def end_group(process: Process) -> None:
    """Kill the group of a process, and wait for the process."""
    kill_group(process.pid)
    await process.wait()


def wait_unreaped(process: subprocess.Popen[Any], deadline: Deadline) -> None:
    """Wait for the end of a process without reaping it: until then no other process or group gets its number.

    Raises:
        TimeoutExpired: The deadline passed before.
    """
    if not hasattr(os, "waitid"):
        process.wait(None if deadline is NEVER else max(deadline.seconds, 0.0))
        return
    with suppress(ChildProcessError):  # reaped by the system, where SIGCHLD is ignored
        while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            if deadline.passed:
                raise subprocess.TimeoutExpired(process.args, 0.0)
            sleep(_PAUSE_SECONDS)


def end_group_at_end_of(pipe: int) -> None:
    """Kill the group of this process when the other end of a pipe is closed, as at the end of a parent that holds it.

    The descriptor has to stay open, and nothing may be written to the pipe any more.
    """
    try:
        # The kernel sends the signal to the whole group, whatever native code this process is in.
        from fcntl import F_GETFL, F_SETFL, F_SETOWN, F_SETSIG, fcntl

        fcntl(pipe, F_SETOWN, -os.getpgrp())
        fcntl(pipe, F_SETSIG, signal.SIGKILL)
        fcntl(pipe, F_SETFL, fcntl(pipe, F_GETFL) | os.O_ASYNC)
    except (ImportError, OSError):  # not on Linux
        from threading import Thread

        Thread(target=_kill_group_at_end_of, args=(pipe,), daemon=True).start()


def _kill_group_at_end_of(pipe: int) -> None:
    os.read(pipe, 1)
    kill_group(os.getpid())
