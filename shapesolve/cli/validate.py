"""``shapesolve validate``: the passes of a pipeline, each compared with its input."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import replace

from shapesolve.cli.check import combined_exit_code
from shapesolve.cli.checked_files import may_fork, preload
from shapesolve.cli.environment import error_text
from shapesolve.cli.output_files import STDOUT, check_target, write
from shapesolve.cli.parsed_options import options_of
from shapesolve.cli.progress import json_text
from shapesolve.cli.worker_pool import CrashedWorker, map_in_processes
from shapesolve.errors import InputError
from shapesolve.execution import fork_server
from shapesolve.execution.runner import use_fork_server
from shapesolve.gc_control import collector_paused
from shapesolve.options import Options
from shapesolve.records import value_record
from shapesolve.reports.certificates import SARIF_SCHEMA
from shapesolve.reports.json_versions import VERSION
from shapesolve.reports.sarif import Part
from shapesolve.reports.validation_sarif import failed_part, validation_part
from shapesolve.validation.outcome import Validation
from shapesolve.validation.validate import Request, request_for

UNUSABLE = 2


@value_record
class _Rendered:
    """Result of one file, ready to be written. ``object`` is None if the file could not be used."""

    code: int
    text: str
    object: dict[str, object] | None
    sarif: Part | None = None


def run(arguments: argparse.Namespace) -> int:
    """Validate the passes on every file, print the results and return the exit code."""
    if arguments.files.count("-") > 1:
        raise InputError("standard input can be read once only", where="-")
    if arguments.sarif is not None:
        check_target(
            arguments.sarif, "--sarif", inputs=arguments.files, ours=SARIF_SCHEMA.encode(), force=arguments.force
        )
        if arguments.sarif == STDOUT and arguments.json:
            raise InputError("standard output takes one of --json and --sarif; give the other a file")
    options = options_of(arguments)
    request = request_for(
        arguments.pipeline,
        tool=arguments.tool,
        pass_seconds=arguments.pass_seconds,
        end_to_end=arguments.end_to_end,
        allow_lost_checks=arguments.allow_lost_checks,
    )
    codes: list[int] = []
    objects: list[dict[str, object]] = []
    parts: list[Part] = []
    for each in _rendered(arguments, request, options):
        if each.object is not None:
            objects.append(each.object)
        if each.object is None:
            sys.stdout.flush()
            sys.stderr.write(each.text)
        elif not arguments.json and arguments.sarif != STDOUT:
            sys.stdout.write(f"\n{each.text}" if codes else each.text)
        codes.append(each.code)
        parts.append(each.sarif or Part({}))
    code = combined_exit_code(codes)
    if arguments.json:
        from shapesolve.reports.validation import validate_document

        print(json_text(validate_document(objects, code), arguments.json_version))
    if arguments.sarif is not None:
        from shapesolve.reports.sarif import sarif_log

        write(arguments.sarif, f"{json_text(sarif_log(parts), VERSION)}\n", "--sarif")
    return code


def _rendered(arguments: argparse.Namespace, request: Request, options: Options) -> Generator[_Rendered]:
    """Yield the results in the order of the files."""
    count = len(arguments.files)
    processes = min(options.jobs, count) if may_fork(arguments) else 1
    with use_fork_server(places=processes):
        if processes <= 1:
            for number in range(count):
                yield _of_file(number, arguments, request, options)
            return
        preload()
        inside = replace(options, jobs=1)

        def work(number: int, place: int) -> _Rendered:
            fork_server.use_socket(place)
            return _of_file(number, arguments, request, inside)

        with closing(map_in_processes(work, count, processes)) as results:
            for number, found in enumerate(results):
                if isinstance(found, CrashedWorker):
                    file = arguments.files[number]
                    found = _Rendered(UNUSABLE, f"{file}: error: {found.how}\n", None, failed_part(file, found.how))
                yield found


def _of_file(number: int, arguments: argparse.Namespace, request: Request, options: Options) -> _Rendered:
    from shapesolve.frontends.open import open_program
    from shapesolve.reports.page import CapturedText, Page
    from shapesolve.reports.validation import print_validation, validation_object
    from shapesolve.validation.validate import validate_program

    file = arguments.files[number]
    folders: list[str] = []
    try:
        with collector_paused():
            program = open_program(file, options)
            found = validate_program(program, request, options)
            if arguments.save is not None:
                folders = list(_saved(found, arguments, request, options))
    except InputError as error:
        placed = error if error.where else InputError(error.message, where=file, excerpt=error.excerpt)
        return _Rendered(UNUSABLE, f"{error_text(placed)}\n", None, failed_part(file, placed.message))
    kept = CapturedText(sys.stdout)
    print_validation(found, Page(kept, color=arguments.color), verbose=arguments.verbose)
    for folder in folders:
        kept.write(f"saved in {folder}\n")
    document = {**validation_object(found), "saved": folders}
    return _Rendered(found.exit_code, kept.getvalue(), document, validation_part(found))


def _saved(found: Validation, arguments: argparse.Namespace, request: Request, options: Options) -> Iterator[str]:
    """Write the files of every finding, reduced, and yield the folders."""
    from shapesolve.validation.reduction import reduce_step
    from shapesolve.validation.saved import save_finding

    for result in found.findings:
        reduced = reduce_step(result, request, options, seconds=arguments.reduce_seconds)
        yield save_finding(arguments.save, found.file, result, reduced, request)
