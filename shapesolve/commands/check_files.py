"""The files of a check: one after the other, or several at a time, each in a process of its own."""

from __future__ import annotations

import argparse
from collections.abc import Generator
from contextlib import closing, suppress
from dataclasses import replace
from importlib import import_module

from shapesolve.collecting import collect_what_is_left
from shapesolve.commands.apart import Lost, can_fork_loaded, each_apart
from shapesolve.commands.check_file import checked_file, lost
from shapesolve.commands.reported import Reported, reported
from shapesolve.executing import standby
from shapesolve.executing.runner import standing_by
from shapesolve.options import Options


def reports(arguments: argparse.Namespace, options: Options, *, printed: bool) -> Generator[tuple[int, Reported]]:
    """The reports in the order of the files, each with the number of its file."""
    count = len(arguments.files)
    processes = min(options.jobs, count) if _may_fork(arguments) else 1
    with standing_by(at_once=options.execute and options.jobs > 1, places=processes):
        if processes > 1:
            yield from _apart(arguments, options, processes, printed=printed)
            return
        for number in range(count):
            if number:
                collect_what_is_left()
            for each in checked_file(number, options, arguments):
                yield number, reported(each, arguments, printed=printed)


def _may_fork(arguments: argparse.Namespace) -> bool:
    """Whether this process is the command's alone; what is measured is measured in one."""
    return can_fork_loaded and getattr(arguments, "alone", False) and not arguments.stats


def _apart(
    arguments: argparse.Namespace, options: Options, processes: int, *, printed: bool
) -> Generator[tuple[int, Reported]]:
    _load()
    inside = replace(options, jobs=max(1, options.jobs // processes))

    def work(number: int, place: int) -> list[Reported]:
        standby.take_place(place)
        found = checked_file(number, inside, arguments, with_progress=False)
        return [reported(each, arguments, printed=printed) for each in found]

    with closing(each_apart(work, len(arguments.files), processes)) as results:
        for number, found in enumerate(results):
            if isinstance(found, Lost):
                found = [reported(lost(arguments.files[number], found.how), arguments, printed=printed)]
            for each in found:
                yield number, each


def _load() -> None:
    """Load what every check needs, once for all processes. What cannot be loaded is said by each."""
    with suppress(Exception):
        for name in ("doors.opening", "pipeline", "reporting.terminal"):
            import_module(f"shapesolve.{name}")
        from shapesolve.proving import z3_solver
        from shapesolve.reading import bindings
        from shapesolve.walking.rulebook import load_rules

        load_rules()
        bindings.ir()
        z3_solver.load()
