"""Processes for the requests of the playground: one a request, started ahead, and ended with it."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from typing import Any

from shapesolve.process_groups import end_group

MOST_WAITING = 32
"""Requests that may wait for a process; more are refused."""
LONGEST_ANSWER = 8 << 20
KEPT_VARIABLES = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "LANG")
"""Environment variables that a worker inherits; tokens and user names are dropped."""


class Overloaded(Exception):
    """Too many requests wait."""


class Unanswered(Exception):
    """A request ended without an answer; the message says why."""


class Workers:
    """Processes that answer requests.

    Attributes:
        jobs: How many requests are answered at a time.
        seconds: Time limit of a request.
    """

    def __init__(self, jobs: int, seconds: float) -> None:
        self.jobs = jobs
        self.seconds = seconds
        self._waiting = 0
        self._slots = asyncio.Semaphore(jobs)
        self._ready: asyncio.Task[Process] | None = None

    def prepare(self) -> None:
        """Start a process that the next request finds ready."""
        if self._ready is None:
            self._ready = asyncio.create_task(_start())

    async def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a request; where this is cancelled, its process is killed.

        Raises:
            Overloaded: Too many requests wait already.
            Unanswered: The time limit passed, or the process ended.
        """
        if self._waiting >= MOST_WAITING:
            raise Overloaded
        self._waiting += 1
        try:
            async with self._slots:
                return await self._answered(request)
        finally:
            self._waiting -= 1

    async def _answered(self, request: dict[str, Any]) -> dict[str, Any]:
        taken, self._ready = self._ready or asyncio.create_task(_start()), None
        self.prepare()
        process: Process | None = None
        try:
            process = await taken
            try:
                output = await asyncio.wait_for(_exchange(process, json.dumps(request).encode()), self.seconds)
            except TimeoutError:
                raise Unanswered(f"no answer within {self.seconds:g} s") from None
        finally:
            if process is not None:
                await end_group(process)
            else:
                taken.cancel()
        if len(output) > LONGEST_ANSWER:
            raise Unanswered("the answer is too long")
        try:
            return json.loads(output)
        except ValueError:
            raise Unanswered("the process ended, most likely for want of memory or time") from None

    async def close(self) -> None:
        """End the process that waits for a request."""
        if self._ready is not None:
            with suppress(OSError):
                await end_group(await self._ready)
            self._ready = None


async def _start() -> Process:
    kept = {each: os.environ[each] for each in KEPT_VARIABLES if each in os.environ}
    # -P: a folder that the server was started in is not searched for modules.
    command = (sys.executable, "-P", "-m", "shapesolve.servers.playground_request")
    return await asyncio.create_subprocess_exec(
        *command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=kept, start_new_session=True
    )


async def _exchange(process: Process, given: bytes) -> bytes:
    assert process.stdin is not None and process.stdout is not None
    with suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(given)
        await process.stdin.drain()
    process.stdin.close()
    found = bytearray()
    while len(found) <= LONGEST_ANSWER and (part := await process.stdout.read(1 << 16)):
        found += part
    return bytes(found)
