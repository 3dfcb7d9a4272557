"""Job of a fleet: one file of a ``check`` with all inputs of its report, for a process on another machine."""

from __future__ import annotations

import argparse
import os
import pickle
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import replace
from io import StringIO

from shapesolve.cli.checked_files import configured, rendered_reports
from shapesolve.cli.rendered_report import RenderedReport
from shapesolve.deadline import NEVER, Deadline
from shapesolve.errors import InputError
from shapesolve.ir.input_files import LARGEST_FILE, contents_from
from shapesolve.options import Options
from shapesolve.records import value_record
from shapesolve.reports.page import width_of

_OF_A_TERMINAL = ("COLORTERM", "FORCE_COLOR", "NO_COLOR", "TERM")
"""Variables of the environment that colors depend on."""


@value_record
class Terminal:
    """Standard output of the command.

    Attributes:
        is_terminal: Whether it is a terminal.
        variables: Variables that say which colors it has and how wide it is; None where one is not set.
    """

    is_terminal: bool
    variables: tuple[tuple[str, str | None], ...]

    @classmethod
    def of_this_process(cls) -> Terminal:
        """Return what standard output of this process is."""
        found = [(name, os.environ.get(name)) for name in _OF_A_TERMINAL]
        return cls(sys.stdout.isatty(), (*found, ("COLUMNS", str(width_of(sys.stdout)))))


@value_record
class FleetJob:
    """Check of one file.

    Attributes:
        arguments: The command line, with this file alone.
        options: Options of this file.
        contents: Contents of the file and of libraries, by path; what is not here is read where the job runs.
        seconds: Seconds until the deadline of the command; None without one.
        directory: Working directory of the command.
        terminal: Where the report is printed.
        printed: Whether its text is wanted.
    """

    arguments: argparse.Namespace
    options: Options
    contents: tuple[tuple[str, bytes], ...]
    seconds: float | None
    directory: str
    terminal: Terminal
    printed: bool


def packed_job(
    number: int, arguments: argparse.Namespace, options: Options, terminal: Terminal, *, printed: bool
) -> bytes | None:
    """Return the job of a file by its number; None if the file cannot be read, or its settings cannot.

    Models are read where the job runs, and what the configuration says of the file is read here.
    """
    file = arguments.files[number]
    try:
        options = configured(options, file, arguments)
        contents = [(path, _content(path)) for path in (file, *options.libraries) if _is_sent(path)]
    except (OSError, ValueError, InputError):  # the check says what is wrong, in this process
        return None
    seconds = None if options.deadline is NEVER else options.deadline.seconds
    rules = tuple(os.path.abspath(each) for each in options.rules)
    job = FleetJob(
        _for_one_file(arguments, file),
        replace(options, deadline=NEVER, jobs=1, rules=rules),
        tuple(contents),
        seconds,
        os.getcwd(),
        terminal,
        printed,
    )
    return pickle.dumps(job)


def _is_sent(path: str) -> bool:
    from shapesolve.frontends.open import model_in

    return path == "-" or model_in(path) is None


def _content(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read(LARGEST_FILE + 1)
    with open(path, "rb") as stream:
        return stream.read(LARGEST_FILE + 1)


def _for_one_file(arguments: argparse.Namespace, file: str) -> argparse.Namespace:
    """Return a command line with one file, and nothing that is said of others."""
    own = argparse.Namespace(**vars(arguments))
    own.files = [file]
    own.searched = arguments.searched & {file}
    name = arguments.names.get(file)
    own.names = {} if name is None else {file: name}
    known = arguments.selection.known
    if known is not None:
        own.selection = replace(arguments.selection, known={name: known[name]} if name in known else {})
    if arguments.configuration is not None:  # its facts are among the options already
        settings = tuple(replace(each, assume=(), shape=(), facts=()) for each in arguments.configuration.per_file)
        own.configuration = replace(arguments.configuration, per_file=settings)
    return own


def reports_of(packed: bytes) -> bytes:
    """Return the reports of a job. They are printed elsewhere; this process must have no other use for its state."""
    job: FleetJob = pickle.loads(packed)
    with suppress(OSError):  # models, and files of rules, are found where every machine has the same folders
        os.chdir(job.directory)
    options = replace(job.options, deadline=Deadline.after(job.seconds))
    with _printing_for(job.terminal), contents_from(dict(job.contents)):
        return pickle.dumps(list(rendered_reports(0, options, job.arguments, printed=job.printed, with_progress=False)))


def unpacked_reports(packed: bytes) -> list[RenderedReport]:
    """Return the reports that `reports_of` packed."""
    return pickle.loads(packed)


@contextmanager
def _printing_for(terminal: Terminal) -> Generator[None]:
    for name, value in terminal.variables:
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    before, sys.stdout = sys.stdout, _Elsewhere(terminal.is_terminal)
    try:
        yield
    finally:
        sys.stdout = before


class _Elsewhere(StringIO):
    """Standard output of another process."""

    def __init__(self, is_terminal: bool) -> None:
        super().__init__()
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal
