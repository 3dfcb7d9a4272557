"""``shapesolve validate``: the passes of a pipeline, each compared with its input."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

from shapesolve.checker.report import Failure
from shapesolve.cli.check import UNUSABLE, combined_exit_code, exit_code_when_stopped
from shapesolve.cli.checked_files import MOST_IN_ONE_PROCESS, may_fork, preload
from shapesolve.cli.environment import error_text
from shapesolve.cli.growing_documents import JsonDocument, SarifDocument
from shapesolve.cli.output_files import STDOUT, check_target, write_pieces
from shapesolve.cli.parsed_options import options_of
from shapesolve.cli.supervisor import Terminated
from shapesolve.cli.worker_pool import CrashedWorker, map_in_processes
from shapesolve.errors import InputError
from shapesolve.execution import fork_server
from shapesolve.execution.runner import use_fork_server
from shapesolve.frontends.open import open_program
from shapesolve.gc_control import collect_between_files, collector_paused
from shapesolve.options import Options
from shapesolve.records import value_record
from shapesolve.reports.certificates import SARIF_SCHEMA
from shapesolve.reports.check_json import failure_object
from shapesolve.reports.page import CapturedText, Page
from shapesolve.reports.sarif import Part
from shapesolve.reports.validation import FORMAT, print_validation, validate_document, validation_object
from shapesolve.reports.validation_sarif import failed_part, validation_part
from shapesolve.validation.outcome import Validation
from shapesolve.validation.reduction import reduce_step
from shapesolve.validation.saved import make_folder, remove_if_empty, save_finding
from shapesolve.validation.validate import Request, request_for, validate_program


@value_record
class _Rendered:
    """Result of one file, ready to be written; ``failed``: the file could not be used."""

    code: int
    text: str
    object: dict[str, object]
    sarif: Part
    failed: bool = False


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
    new_folder: str | None = None
    if arguments.save is not None:
        new_folder = None if Path(arguments.save).exists() else arguments.save
        make_folder(arguments.save)
    options = options_of(arguments)
    request = request_for(
        arguments.pipeline,
        tool=arguments.tool,
        pass_seconds=arguments.pass_seconds,
        end_to_end=arguments.end_to_end,
        allow_lost_checks=arguments.allow_lost_checks,
    )
    with ExitStack() as spools:
        if new_folder is not None:
            spools.callback(remove_if_empty, new_folder)
        document = JsonDocument(FORMAT, arguments.json_version) if arguments.json else None
        log = SarifDocument() if arguments.sarif is not None else None
        for each in (document, log):
            if each is not None:
                spools.callback(each.spool.close)
        return _validated(arguments, request, options, document, log)


def _validated(
    arguments: argparse.Namespace,
    request: Request,
    options: Options,
    document: JsonDocument | None,
    log: SarifDocument | None,
) -> int:
    printed = document is None and arguments.sarif != STDOUT
    codes: list[int] = []
    stopped: KeyboardInterrupt | Terminated | None = None
    try:
        with closing(_rendered(arguments, request, options)) as results:
            for each in results:
                if document is not None:
                    document.add(each.object)
                if each.failed:
                    sys.stdout.flush()
                    sys.stderr.write(each.text)
                elif printed:
                    sys.stdout.write(f"\n{each.text}" if codes else each.text)
                    sys.stdout.flush()
                codes.append(each.code)
                if log is not None:
                    log.add(each.sarif)
    except (KeyboardInterrupt, Terminated) as signaled:  # what is done is kept
        if len(arguments.files) == 1:
            raise
        stopped = signaled
    code = combined_exit_code(codes) if stopped is None else exit_code_when_stopped(stopped)
    if document is not None:
        write_pieces(STDOUT, document.pieces(validate_document([], code)), "--json")
    if log is not None:
        write_pieces(arguments.sarif, log.pieces(code), "--sarif")
    if stopped is not None:
        raise stopped
    return code


def _rendered(arguments: argparse.Namespace, request: Request, options: Options) -> Generator[_Rendered]:
    """Yield the results in the order of the files."""
    count = len(arguments.files)
    processes = min(options.jobs, count) if may_fork(arguments) else 1
    with use_fork_server(places=processes):
        if processes <= 1 and (count <= MOST_IN_ONE_PROCESS or not may_fork(arguments)):
            for number in range(count):
                if number:
                    collect_between_files()
                yield _attempt(number, arguments, request, options)
            return
        preload()
        inside = replace(options, jobs=1)

        def work(number: int, place: int) -> _Rendered:
            fork_server.use_socket(place)
            return _attempt(number, arguments, request, inside)

        with closing(map_in_processes(work, count, processes)) as results:
            for number, found in enumerate(results):
                if isinstance(found, CrashedWorker):
                    found = _failed(
                        arguments.files[number], f"{arguments.files[number]}: error: {found.how}", InputError(found.how)
                    )
                yield found


def _attempt(number: int, arguments: argparse.Namespace, request: Request, options: Options) -> _Rendered:
    """Return the result of one file, whose error does not end the others."""
    try:
        return _of_file(number, arguments, request, options)
    except BrokenPipeError:
        raise
    except Exception as error:
        text = error_text(error, with_traceback=arguments.traceback)
        file = arguments.files[number]
        return _failed(file, f"{file}: {text}", InputError(text.removeprefix("error: ")))


def _failed(file: str, text: str, error: InputError) -> _Rendered:
    document = failure_object(Failure(file, text, error.where, error.message, error.excerpt))
    return _Rendered(UNUSABLE, f"{text}\n", document, failed_part(file, error.message), failed=True)


def _of_file(number: int, arguments: argparse.Namespace, request: Request, options: Options) -> _Rendered:
    file = arguments.files[number]
    folders: list[str] = []
    try:
        with collector_paused():
            program = open_program(file, options)
            found = validate_program(program, request, options)
            if arguments.save is not None:
                folders = list(_saved(found, arguments, request, options))
    except InputError as error:
        return _failed(file, error_text(error.at(file)), error.at(file))
    kept = CapturedText(sys.stdout)
    print_validation(found, Page(kept, color=arguments.color), verbose=arguments.verbose)
    for folder in folders:
        kept.write(f"saved in {folder}\n")
    document = {**validation_object(found), "saved": folders}
    return _Rendered(found.exit_code, kept.getvalue(), document, validation_part(found))


def _saved(found: Validation, arguments: argparse.Namespace, request: Request, options: Options) -> Iterator[str]:
    """Write the files of every finding, reduced, and yield the folders."""
    for result in found.findings:
        reduced = reduce_step(result, request, options, seconds=arguments.reduce_seconds)
        yield save_finding(arguments.save, found.file, result, reduced, request)
