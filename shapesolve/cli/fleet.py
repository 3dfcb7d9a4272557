"""Fleet: the files of a ``check`` on the workers of a Dask cluster, with the reports in the order of the files.

Every worker has as many jobs as it has threads and none that waits, so that the loss of a worker tells which files it
was busy with. These are done again, each as the only job of some worker: a file that loses its second worker alone is
reported, and no other file with it.
"""

from __future__ import annotations

import argparse
import logging
import socket
from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, Protocol
from urllib.parse import urlsplit

from shapesolve.cli.checked_files import crash_failure
from shapesolve.cli.fleet_job import Terminal, packed_job, unpacked_reports
from shapesolve.cli.fleet_worker import Answer, answer, versions
from shapesolve.cli.rendered_report import RenderedReport, rendered_report
from shapesolve.errors import InputError
from shapesolve.gc_control import collector_for_answers
from shapesolve.options import Options

OPTION = "--scheduler"
CONNECT_SECONDS = 10.0
EMPTY_SECONDS = 60.0
"""Seconds that a fleet may be without any worker: a lost one may come back."""
POLL_SECONDS = 0.5
TRIES = 2
_KEEP_NO_MESSAGES = {"distributed.admin.low-level-log-length": 0}
"""Dask's own log of the last 1,000 messages holds the files that were sent."""


class Future(Protocol):
    """Part of a future of Dask that is used here; Dask has no types."""

    status: str

    def result(self) -> Any: ...
    def exception(self) -> Exception: ...
    def add_done_callback(self, fn: Callable[[Future], None], /) -> None: ...


class Client(Protocol):
    """Part of a client of Dask that is used here."""

    def submit(self, fn: Callable[..., Answer], *args: object, **options: object) -> Future: ...
    def cancel(self, futures: Sequence[Future]) -> None: ...
    def nthreads(self) -> dict[str, int]: ...
    def close(self, timeout: float) -> None: ...


@dataclass(slots=True)
class _Running:
    number: int
    worker: str
    alone: bool


def check_on_fleet(
    arguments: argparse.Namespace,
    options: Options,
    numbers: Sequence[int],
    work: Callable[[int, Options], list[RenderedReport]],
    keep: Callable[[int, Sequence[RenderedReport]], None],
    *,
    printed: bool,
    tick: Callable[[], None],
) -> Generator[tuple[int, list[RenderedReport]]]:
    """Yield the reports on files by their numbers, in their order.

    Args:
        arguments: The command line.
        numbers: Numbers of the files to check.
        work: Check of one file in this process, for what no worker can read.
        keep: Called with the reports of a worker.
        printed: Whether texts of reports are wanted.
        tick: Called now and then.

    Raises:
        InputError: There is no scheduler, or no worker that can do this.
    """
    terminal = Terminal.of_this_process()

    def job(number: int) -> bytes | None:
        return packed_job(number, arguments, options, terminal, printed=printed)

    with (
        _connected(arguments.scheduler, tick) as client,
        collector_for_answers(),
        closing(_Fleet(client, numbers, job, tick)) as fleet,
    ):
        for number in numbers:
            found = fleet.result(number)
            if found is None:
                yield number, work(number, options)
            elif isinstance(found, str):
                failure = crash_failure(arguments.files[number], found)
                yield number, [rendered_report(failure, arguments, printed=printed)]
            else:
                reports = unpacked_reports(found)
                keep(number, reports)
                yield number, reports


class _Fleet:
    """Jobs of a fleet: running, waiting and finished ones."""

    def __init__(
        self, client: Client, numbers: Sequence[int], job: Callable[[int], bytes | None], tick: Callable[[], None]
    ) -> None:
        self._client = client
        self._job = job
        self._tick = tick
        self._waiting = deque(numbers)
        self._again: deque[int] = deque()
        self._running: dict[Future, _Running] = {}
        self._losses: dict[int, list[str]] = {}
        self._found: dict[int, bytes | str | None] = {}
        self._ended: SimpleQueue[Future] = SimpleQueue()
        self._places: dict[str, int] = {}
        self._polled = 0.0
        self._seen = monotonic()

    def result(self, number: int) -> bytes | str | None:
        """Return reports, or how the processes of a file ended, or None if it has to be checked in this process."""
        while number not in self._found:
            self._poll()
            self._begin_more()
            self._listen()
            self._tick()
        return self._found.pop(number)

    def close(self) -> None:
        """Give up what has not begun."""
        with suppress(Exception):
            self._client.cancel(list(self._running))

    def _poll(self) -> None:
        """Learn which workers there are, and which are no more."""
        now = monotonic()
        if now - self._polled < POLL_SECONDS:
            return
        self._polled = now
        self._places = _workers(self._client)
        if self._places:
            self._seen = now
        elif now - self._seen > EMPTY_SECONDS:
            raise InputError(f"the scheduler has had no worker for {EMPTY_SECONDS:.0f} s", where=OPTION)
        for future, each in list(self._running.items()):
            if each.worker not in self._places:
                self._lose(future, f"its worker was lost ({each.worker})")

    def _lose(self, future: Future, how: str) -> None:
        """Do a file again whose process ended, or report it if that has happened too often."""
        lost = self._running.pop(future)
        with suppress(Exception):
            self._client.cancel([future])
        losses = self._losses.setdefault(lost.number, [])
        losses.append(how)
        if len(losses) < TRIES:
            self._again.append(lost.number)
        else:
            self._found[lost.number] = _description(losses)

    def _begin_more(self) -> None:
        for worker, count in self._places.items():
            own = [each for each in self._running.values() if each.worker == worker]
            if self._again and not own:
                self._begin(self._again.popleft(), worker, alone=True)
                continue
            # A file that lost its worker waits for one without a job.
            while self._waiting and len(own) < count and not self._again and not any(each.alone for each in own):
                if (begun := self._begin(self._waiting.popleft(), worker, alone=False)) is not None:
                    own.append(begun)

    def _begin(self, number: int, worker: str, *, alone: bool) -> _Running | None:
        job = self._job(number)
        if job is None:
            self._found[number] = None
            return None
        future = self._client.submit(
            answer, job, versions(), workers=[worker], allow_other_workers=False, pure=False, retries=0
        )
        running = self._running[future] = _Running(number, worker, alone)
        future.add_done_callback(self._ended.put)
        return running

    def _listen(self) -> None:
        """Wait for the next job that ends."""
        with suppress(Empty):
            self._take(self._ended.get(timeout=POLL_SECONDS))
            while True:
                self._take(self._ended.get_nowait())

    def _take(self, future: Future) -> None:
        running = self._running.get(future)
        if running is None:  # given up before
            return
        if future.status != "finished":
            if future.status == "error" and type(future.exception()).__name__ == "KilledWorker":
                self._lose(future, f"its worker was lost ({running.worker})")
                return
            raise InputError(_reason(future), where=OPTION)
        found: Answer = future.result()
        if found[0] == "unfit":
            raise InputError(f"a worker cannot do this: {found[1]}", where=OPTION)
        if found[0] == "crashed":
            self._lose(future, found[1])
            return
        del self._running[future]
        self._found[running.number] = found[1]


def _description(losses: Sequence[str]) -> str:
    """Return how the tries of a file ended, in one sentence."""
    once = dict.fromkeys(losses)
    return f"{' and then '.join(once)}; tried {'twice' if len(losses) == TRIES else len(losses)}"


def _reason(future: Future) -> str:
    """Return why a job neither ended nor lost its worker."""
    if future.status == "error":
        error = future.exception()
        if isinstance(error, ImportError) or "deserialization" in str(error):
            return f"the scheduler and the workers need {versions()}, and one of them has not"
        return f"a worker cannot do this: {type(error).__name__}: {' '.join(str(error).split())[:300]}"
    return "the scheduler was lost"


def _workers(client: Client) -> dict[str, int]:
    """Return the number of threads of every worker, by its address."""
    try:
        return dict(client.nthreads())
    except Exception:
        raise InputError("the scheduler was lost", where=OPTION) from None


@contextmanager
def _connected(address: str, tick: Callable[[], None]) -> Generator[Client]:
    """Connect to a scheduler.

    Raises:
        InputError: The package is missing, or there is no scheduler at the address.
    """
    try:
        distributed, configuration = import_module("distributed"), import_module("dask.config")
    except ModuleNotFoundError as error:
        raise InputError(f'{error.name} is not installed: pip install "shapesolve[fleet]"', where=OPTION) from None
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":  # some of its loggers have a level of their own
            logging.getLogger(name).setLevel(logging.CRITICAL)  # errors are reported here
    _check_address(address)
    with configuration.set(_KEEP_NO_MESSAGES):
        client = _client(distributed, address, tick)
        try:
            yield client
        finally:
            with suppress(Exception):
                client.close(timeout=1)


def _client(distributed: Any, address: str, tick: Callable[[], None]) -> Client:
    """Return a client of the scheduler at an address.

    Raises:
        InputError: None answers there.
    """
    made: SimpleQueue[Client | Exception] = SimpleQueue()

    def connect() -> None:
        try:
            made.put(distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False))
        except Exception as error:
            made.put(error)

    # Dask waits for ever for an answer of a server that speaks another protocol.
    Thread(target=connect, daemon=True).start()
    try:
        client = made.get(timeout=CONNECT_SECONDS + 2)
    except Empty:
        client = None
    tick()
    if client is None or isinstance(client, Exception):
        reason = "" if client is None else f" ({' '.join(str(client).split())[:200]})"
        raise InputError(f"no Dask scheduler answers at {address}{reason}", where=OPTION) from None
    return client


def _check_address(address: str) -> None:
    """Raise InputError unless something listens at an address ``tcp://HOST:PORT`` or ``tls://HOST:PORT``."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, None
    if parts is None or parts.scheme not in ("tcp", "tls") or not host or not port or parts.path not in ("", "/"):
        raise InputError(f"{address} is no address of a scheduler, such as tcp://127.0.0.1:8786", where=OPTION)
    try:
        socket.create_connection((host, port), timeout=CONNECT_SECONDS).close()
    except OSError as error:
        raise InputError(f"nothing listens at {address}: {error.strerror or error}", where=OPTION) from None
