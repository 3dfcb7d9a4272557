"""``shapesolve check``: every obligation of some files with its verdict."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from shapesolve.collecting import collector_paused
from shapesolve.commands.arguments import options_of
from shapesolve.commands.failures import described
from shapesolve.commands.progress import ProgressBar
from shapesolve.commands.statistics import json_text
from shapesolve.commands.writing import STDOUT, check_target, write
from shapesolve.errors import InputError
from shapesolve.judging.report import Failure, Report
from shapesolve.options import Options
from shapesolve.proving.verdicts import Refuted
from shapesolve.reading.program import Program

REFUTED, UNUSABLE, UNDECIDED = 1, 2, 3
STDIN = "-"

LOWERED = "all that the model's own operators demand is proved, so what fails here was brought in by their lowering"

Checked = Report | Failure


def run(arguments: argparse.Namespace) -> int:
    """Check the files and report; the exit code."""
    options = options_of(arguments)
    _refuse_bad_targets(arguments, options)
    checked: list[Checked] = []
    sources: list[str] = []
    to_stdout = STDOUT in (arguments.json, arguments.sarif)
    for number, file in enumerate(arguments.files):
        for result in _checked(file, _for_file(options, number, arguments.files), arguments):
            if isinstance(result, Failure):
                sys.stdout.flush()
                print(result.text, file=sys.stderr)
            elif not to_stdout:
                _print(result, arguments, first=not checked)
            checked.append(result)
            sources.append(file)
    code = worst([UNUSABLE if isinstance(each, Failure) else each.exit_code for each in checked])
    _write_reports(checked, code, arguments)
    if arguments.certify is not None:
        _write_certificates(checked, sources, arguments.certify, quiet=to_stdout or arguments.quiet)
    return code


def _for_file(options: Options, number: int, files: Sequence[str]) -> Options:
    """Queries of several files go into directories of their own, for their names may be the same."""
    if options.dump_directory is None or len(files) == 1:
        return options
    return replace(options, dump_directory=options.dump_directory / _folder(number, files))


def _folder(number: int, files: Sequence[str]) -> str:
    return f"{number + 1}-{Path(files[number]).stem}"


def worst(codes: Sequence[int]) -> int:
    """One exit code for several files: 2 beats 1, 1 beats 3, 3 beats 0."""
    return next((code for code in (UNUSABLE, REFUTED, UNDECIDED) if code in codes), 0)


def _refuse_bad_targets(arguments: argparse.Namespace, options: Options) -> None:
    from shapesolve.reporting.json_report import FORMAT
    from shapesolve.reporting.sarif import DRIVER

    if arguments.json == STDOUT and arguments.sarif == STDOUT:
        raise InputError("standard output takes one of --json and --sarif; give the other a file")
    if arguments.files.count(STDIN) > 1:
        raise InputError("standard input can be read once only", where="-")
    for path, option, ours in ((arguments.json, "--json", FORMAT), (arguments.sarif, "--sarif", DRIVER)):
        if path is not None:
            check_target(path, option, inputs=arguments.files, ours=ours.encode(), force=arguments.force)
    files = [Path(path).resolve() for path in (arguments.json, arguments.sarif) if path not in (None, STDOUT)]
    if len(files) == 2 and files[0] == files[1]:
        raise InputError("the same file is given to --json", where="--sarif")
    if options.dump_directory is not None:
        try:
            options.dump_directory.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise InputError(f"{options.dump_directory}: {reason}", where="--dump-queries") from None
    if arguments.certify is not None:
        from shapesolve.commands.certificate_directory import check_directory

        check_directory(arguments.certify, force=arguments.force)


def _checked(file: str, options: Options, arguments: argparse.Namespace) -> Iterator[Checked]:
    """One report on a file; on a model of PyTorch or in ONNX, one for each level where it is looked at."""
    from shapesolve.doors.opening import open_levels

    try:
        with collector_paused():
            programs = open_levels(file, options)
        before: Checked | None = None
        for program in programs:
            result = _of_program(file, program, _for_level(options, program, len(programs)), arguments)
            yield _compared(result, before)
            before = result
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception as error:
        yield _failure(file, error, arguments)


def _of_program(file: str, program: Program | InputError, options: Options, arguments: argparse.Namespace) -> Checked:
    from shapesolve.originals import with_originals
    from shapesolve.pipeline import check_program

    if isinstance(program, InputError):
        return _failure(file, program, arguments)
    try:
        with ProgressBar(wanted=not arguments.quiet) as progress, collector_paused():
            report = check_program(program, options, progress)
        return with_originals(report, file, options) if arguments.execute_original else report
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception as error:
        return _failure(file, error, arguments)


def _compared(result: Checked, before: Checked | None) -> Checked:
    """The report on what a model is lowered to, with a word on where its failures come from if the model has none."""
    if not isinstance(before, Report) or not isinstance(result, Report):
        return result
    if before.exit_code or not before.judgements or not result.count(Refuted):
        return result
    notes = (*result.program.notes, LOWERED)
    return replace(result, program=replace(result.program, notes=notes))


def _failure(file: str, error: Exception, arguments: argparse.Namespace) -> Failure:
    if isinstance(error, InputError):
        where = error.where if error.where.startswith(file) or file == STDIN else f"{file}: {error.where}".rstrip(": ")
        placed = InputError(error.message, where=where, excerpt=error.excerpt)
        return Failure(file, described(placed), where, error.message, error.excerpt)
    text = described(error, with_traceback=arguments.traceback)
    return Failure(file, f"{file}: {text}", file, text, "")


def _for_level(options: Options, program: Program | InputError, count: int) -> Options:
    """Queries about a model go into a directory for each level."""
    if options.dump_directory is None or count == 1 or isinstance(program, InputError):
        return options
    return replace(options, dump_directory=options.dump_directory / program.level)


def _print(report: Report, arguments: argparse.Namespace, *, first: bool) -> None:
    from shapesolve.reporting.terminal import print_report
    from shapesolve.wording.page import Page

    page = Page(color=arguments.color)
    if not first and not arguments.quiet:
        page.line()
    print_report(report, page, verbose=arguments.verbose, quiet=arguments.quiet)


def _write_reports(checked: Sequence[Checked], code: int, arguments: argparse.Namespace) -> None:
    if arguments.json is not None:
        from shapesolve.reporting.json_report import check_document

        write(arguments.json, json_text(check_document(checked, code)) + "\n", "--json")
    if arguments.sarif is not None:
        from shapesolve.reporting.sarif import sarif_document

        write(arguments.sarif, json.dumps(sarif_document(checked), indent=2) + "\n", "--sarif")


def _write_certificates(checked: Sequence[Checked], sources: Sequence[str], place: Path, *, quiet: bool) -> None:
    from shapesolve.commands.certificate_directory import write_certificates

    alone = len(checked) == 1
    groups = [
        (
            "" if alone else _folder(number, sources) + (f"-{report.program.level}" if report.program.level else ""),
            [each for function in report.functions for each in function.certificates],
        )
        for number, report in enumerate(checked)
        if isinstance(report, Report)
    ]
    write_certificates(place, [(folder, some) for folder, some in groups if some])
    if quiet:
        return
    proofs = sum(each.is_proof for _, some in groups for each in some)
    print()
    if proofs:
        print(f"{proofs} proofs are in {place}; another solver confirms them: shapesolve certify {place}")
    else:
        print(f"nothing was proved, and so there is no certificate in {place}")
