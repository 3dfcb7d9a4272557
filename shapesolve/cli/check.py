"""``shapesolve check``: every obligation of some files with its verdict.

Files are checked one after the other or, with ``-j``, several at a time in processes of their own. A rendered report
consists of text and plain values, so that another process can print it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from shapesolve.checker.exporter_findings import Outside
from shapesolve.checker.report import Failure, FunctionReport, Report
from shapesolve.cli.arguments import models_in, options_of
from shapesolve.cli.environment import error_text
from shapesolve.cli.fail_on import FailOn
from shapesolve.cli.output_files import STDOUT, check_target, write
from shapesolve.cli.progress import ProgressBar, WaitingLine, json_text
from shapesolve.cli.worker_pool import CrashedWorker, can_fork_loaded, map_in_processes
from shapesolve.errors import InputError
from shapesolve.execution import fork_server
from shapesolve.execution.runner import use_fork_server
from shapesolve.gc_control import collect_between_files, collector_paused
from shapesolve.interpreter.inputs import ADMITTED
from shapesolve.ir.program import Program
from shapesolve.options import Options
from shapesolve.preconditions.functions import GivenText
from shapesolve.records import value_record
from shapesolve.solver.verdicts import Refuted

if TYPE_CHECKING:
    from shapesolve.certificates.writer import Certificate
    from shapesolve.diagnosis.diagnosis import Diagnosis, Request
    from shapesolve.reports.sarif import Part


REFUTED, UNUSABLE, UNDECIDED = 1, 2, 3


def run(arguments: argparse.Namespace) -> int:
    """Check the files, print the reports and return the exit code."""
    arguments.files = [each for file in arguments.files for each in models_in(file)]
    options = options_of(arguments)
    _refuse_bad_targets(arguments, options)
    to_stdout = STDOUT in (arguments.json, arguments.sarif)
    said: list[tuple[int, RenderedReport]] = []
    with closing(reports(arguments, options, printed=not to_stdout)) as found:
        for number, each in found:
            _print(each, first=not said or arguments.quiet or each.continues)
            said.append((number, each))
    code = combined_exit_code([each.code for _, each in said])
    _write_reports([each for _, each in said], code, arguments)
    if arguments.reproducer is not None:
        _write_reproducer(said, arguments.files, arguments.reproducer)
    if arguments.certify is not None:
        _write_certificates(said, arguments.files, arguments.certify, quiet=to_stdout or arguments.quiet)
    return code


def _print(said: RenderedReport, *, first: bool) -> None:
    if said.failed:
        sys.stdout.flush()
        sys.stderr.write(said.text)
    elif said.text:
        sys.stdout.write(said.text if first else f"\n{said.text}")


def combined_exit_code(codes: Sequence[int]) -> int:
    """Return one exit code for several files: 2 beats 1, 1 beats 3, 3 beats 0."""
    return next((code for code in (UNUSABLE, REFUTED, UNDECIDED) if code in codes), 0)


def _refuse_bad_targets(arguments: argparse.Namespace, options: Options) -> None:
    from shapesolve.reports.certificates import CHECK, SARIF_SCHEMA

    if arguments.json == STDOUT and arguments.sarif == STDOUT:
        raise InputError("standard output takes one of --json and --sarif; give the other a file")
    if arguments.files.count(STDIN) > 1:
        raise InputError("standard input can be read once only", where="-")
    for path, option, ours in ((arguments.json, "--json", CHECK), (arguments.sarif, "--sarif", SARIF_SCHEMA)):
        if path is not None:
            check_target(path, option, inputs=arguments.files, ours=ours.encode(), force=arguments.force)
    if arguments.reproducer is not None:
        check_target(arguments.reproducer, "--reproducer", inputs=arguments.files, force=arguments.force)
    files = [Path(path).resolve() for path in (arguments.json, arguments.sarif) if path not in (None, STDOUT)]
    if len(files) == 2 and files[0] == files[1]:
        raise InputError("the same file is given to --json", where="--sarif")
    if options.dump_directory is not None:
        try:
            options.dump_directory.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            reason = f": {error.strerror}" if isinstance(error, OSError) else f": {error}"
            if isinstance(error, FileExistsError | NotADirectoryError):
                reason = " is not a directory"
            raise InputError(f"{options.dump_directory}{reason}", where="--dump-queries") from None
    if arguments.certify is not None:
        from shapesolve.cli.output_files import check_directory

        check_directory(arguments.certify, force=arguments.force)


def _write_reports(said: Sequence[RenderedReport], code: int, arguments: argparse.Namespace) -> None:
    if arguments.json is not None:
        from shapesolve.reports.check_json import document_of

        objects = [each.object for each in said if each.object is not None]
        write(arguments.json, json_text(document_of(objects, code)) + "\n", "--json")
    if arguments.sarif is not None:
        from shapesolve.reports.sarif import sarif_log

        parts = [each.sarif for each in said if each.sarif is not None]
        write(arguments.sarif, json.dumps(sarif_log(parts), indent=2) + "\n", "--sarif")


def _write_reproducer(said: Sequence[tuple[int, RenderedReport]], files: Sequence[str], path: str) -> None:
    from shapesolve.cli.reproducer_script import script
    from shapesolve.frontends.open import model_in

    for number, each in said:
        source = model_in(files[number])
        if each.failing_call is not None and source is not None:
            write(path, script(source, *each.failing_call), "--reproducer")
            return
    print(f"no call of a model of PyTorch was seen to raise, and so {path} is not written", file=sys.stderr)


def _write_certificates(
    said: Sequence[tuple[int, RenderedReport]], files: Sequence[str], place: Path, *, quiet: bool
) -> None:
    from shapesolve.cli.output_files import write_certificates

    alone = len(said) == 1
    groups = [
        ("" if alone else folder(number, files) + (f"-{each.level}" if each.level else ""), each.certificates)
        for number, each in said
        if each.certificates is not None
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


STDIN = "-"

Checked = Report | Failure


def checked_file(
    number: int, options: Options, arguments: argparse.Namespace, *, with_progress: bool = True
) -> Iterator[Checked]:
    """Yield the reports on a file of the command line by its number, one for each level of a model."""
    file = arguments.files[number]
    options = _for_file(options, number, arguments.files)
    yield from _checked(file, options, arguments, with_progress=with_progress and not arguments.quiet)


def crash_failure(file: str, how: str) -> Failure:
    """Return the failure of a file whose process crashed."""
    text = f"error: {how}"
    return Failure(file, f"{file}: {text}", file, text, "")


def _for_file(options: Options, number: int, files: Sequence[str]) -> Options:
    """Return options with a directory of its own for the queries of one of several files.

    Queries of different files may have the same names.
    """
    if options.dump_directory is None or len(files) == 1:
        return options
    return replace(options, dump_directory=options.dump_directory / folder(number, files))


def folder(number: int, files: Sequence[str]) -> str:
    """Return the name of the folder for what is written about one of several files."""
    return f"{number + 1}-{Path(files[number]).stem}"


def _checked(file: str, options: Options, arguments: argparse.Namespace, *, with_progress: bool) -> Iterator[Checked]:
    """Yield the report on a file; on a model of PyTorch or in ONNX, one for each level."""
    from shapesolve.frontends.open import model_in, open_levels

    try:
        is_model = model_in(file) is not None
        waiting = WaitingLine(f"exporting {file}", wanted=with_progress and is_model, logged=_is_alone(arguments))
        with waiting, collector_paused():
            programs = open_levels(file, options)
        model: Report | None = None
        for number, program in enumerate(programs):
            is_last = number == len(programs) - 1
            chosen = _for_level(options, program, len(programs))
            if model is not None:
                chosen = where_safe(model, chosen)
                chosen = replace(chosen, assumptions=(*chosen.assumptions, *_admitted(model)))
            result = _of_program(file, program, chosen, arguments, with_progress)
            if model is not None:
                yield replace(result, lowering_of=model)
                continue
            if isinstance(result, Report) and not is_last:
                model = result = replace(result, lowering_follows=not fails_for_all_sizes(result))
            yield result
            if model is not None and not model.lowering_follows:
                return
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception as error:
        yield _failure(file, error, arguments)


def _admitted(before: Report) -> tuple[str, ...]:
    """Return the conditions under which an export equals its model, as assumptions for the lowered program."""
    found = [each.guard for each in before.exporter if each.outside is not Outside.FAILS]
    return tuple(GivenText.given(each.shown, ADMITTED) for each in found if not each.is_specialization)


def _of_program(
    file: str, program: Program | InputError, options: Options, arguments: argparse.Namespace, with_progress: bool
) -> Checked:
    from shapesolve.pipeline import check_program

    if isinstance(program, InputError):
        return _failure(file, program, arguments)
    try:
        with ProgressBar(wanted=with_progress) as progress, collector_paused():
            report = check_program(program, options, progress)
        is_run = bool(program.level) and report.count(Refuted) > 0 and (options.execute or arguments.execute_original)
        words = f"running {file} at the sizes that fail"
        with WaitingLine(words, wanted=with_progress and is_run, logged=_is_alone(arguments)):
            return _with_originals(report, file, options, asked=arguments.execute_original)
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception as error:
        return _failure(file, error, arguments)


def _with_originals(report: Report, file: str, options: Options, *, asked: bool) -> Report:
    """Run the model itself at failing sizes if it is requested, or if it is possible and execution is on."""
    from shapesolve.checker.reference_runs import with_originals, with_originals_if_possible

    if asked:
        return with_originals(report, file, options)
    return with_originals_if_possible(report, file, options) if options.execute else report


def fails_for_all_sizes(model: Report) -> bool:
    """Return whether no sizes at all are left for which the model is safe."""
    from shapesolve.diagnosis.suggestions import suggestions

    return any(suggestions(each).hopeless for each in model.functions if _is_refuted(each))


def where_safe(model: Report, options: Options) -> Options:
    """Return options for a model's lowering that admit only the sizes at which the model itself is safe.

    Failures of the lowered program are then failures that the lowering adds.
    """
    from shapesolve.diagnosis.suggestions import suggestions

    conditions = [
        f"@{each.name}: {text}"
        for each in model.functions
        if _is_refuted(each)
        for text in suggestions(each).assumptions
    ]
    return replace(options, assumptions=(*options.assumptions, *conditions))


def _is_refuted(function: FunctionReport) -> bool:
    return any(isinstance(each.verdict, Refuted) for each in function.judgements)


def _failure(file: str, error: Exception, arguments: argparse.Namespace) -> Failure:
    if isinstance(error, InputError):
        where = error.where if error.where.startswith(file) or file == STDIN else f"{file}: {error.where}".rstrip(": ")
        placed = InputError(error.message, where=where, excerpt=error.excerpt)
        return Failure(file, error_text(placed), where, error.message, error.excerpt)
    text = error_text(error, with_traceback=arguments.traceback)
    return Failure(file, f"{file}: {text}", file, text, "")


def _for_level(options: Options, program: Program | InputError, count: int) -> Options:
    """Return options with a directory for the queries of one level of a model."""
    if options.dump_directory is None or count == 1 or isinstance(program, InputError):
        return options
    return replace(options, dump_directory=options.dump_directory / program.level)


def reports(arguments: argparse.Namespace, options: Options, *, printed: bool) -> Generator[tuple[int, RenderedReport]]:
    """Yield the reports in the order of the files, each with the number of its file."""
    count = len(arguments.files)
    processes = min(options.jobs, count) if may_fork(arguments) else 1
    with use_fork_server(at_once=options.execute and options.jobs > 1, places=processes):
        if processes > 1:
            yield from _in_parallel(arguments, options, processes, printed=printed)
            return
        for number in range(count):
            if number:
                collect_between_files()
            for each in checked_file(number, options, arguments):
                yield number, rendered_report(each, arguments, printed=printed)


def may_fork(arguments: argparse.Namespace) -> bool:
    """Return whether this process belongs to the command alone and measures no statistics."""
    return can_fork_loaded and _is_alone(arguments) and not arguments.stats


def _is_alone(arguments: argparse.Namespace) -> bool:
    """Return whether this process belongs to the command alone."""
    return bool(getattr(arguments, "alone", False))


def _in_parallel(
    arguments: argparse.Namespace, options: Options, processes: int, *, printed: bool
) -> Generator[tuple[int, RenderedReport]]:
    preload()
    inside = replace(options, jobs=max(1, options.jobs // processes))

    def work(number: int, place: int) -> list[RenderedReport]:
        fork_server.use_socket(place)
        found = checked_file(number, inside, arguments, with_progress=False)
        return [rendered_report(each, arguments, printed=printed) for each in found]

    with closing(map_in_processes(work, len(arguments.files), processes)) as results:
        for number, found in enumerate(results):
            if isinstance(found, CrashedWorker):
                found = [rendered_report(crash_failure(arguments.files[number], found.how), arguments, printed=printed)]
            for each in found:
                yield number, each


PRELOADED = ("shapesolve.frontends.open", "shapesolve.pipeline", "shapesolve.reports.check_text")
"""Modules that every check imports, loaded before processes are forked."""


def preload() -> None:
    """Load the modules, rules and libraries of a check once for all processes. Errors are left to the processes."""
    with suppress(Exception):
        for name in PRELOADED:
            import_module(name)
        from shapesolve.ir import bindings
        from shapesolve.semantics.registry import load_rules
        from shapesolve.solver.z3 import adapter

        load_rules()
        bindings.ir()
        adapter.load()


FAILED = 2


@value_record
class RenderedReport:
    """Report on one file or level, ready to be written.

    Attributes:
        code: Exit code.
        text: Text to print; on standard error if the file could not be checked.
        failed: Whether the file could not be checked.
        level: Level of a model, or an empty text.
        object: Object for the JSON document, if requested.
        sarif: Contribution to the SARIF log, if requested.
        certificates: Certificates of the proofs; None if nothing was checked.
        continues: Whether the text continues that of the report before.
        failing_call: A Python expression that calls the model so that it raises, and the error.
    """

    code: int
    text: str
    failed: bool
    level: str
    object: Mapping[str, object] | None
    sarif: Part | None
    certificates: tuple[Certificate, ...] | None
    continues: bool = False
    failing_call: tuple[str, str] | None = None


def rendered_report(checked: Report | Failure, arguments: argparse.Namespace, *, printed: bool) -> RenderedReport:
    """Diagnose a report and render it; its text only if it is ``printed``."""
    code, failed = _code(checked, arguments.fail_on), isinstance(checked, Failure) and checked.lowering_of is None
    if isinstance(checked, Failure):
        found, level, certificates = checked, "", None
    else:
        from shapesolve.diagnosis.diagnosis import diagnose

        found = diagnose(checked, _request(arguments, printed=printed))
        level = checked.program.level
        certificates = tuple(each for function in checked.functions for each in function.certificates)
    document, part = None, None
    if arguments.json is not None:
        from shapesolve.reports.check_json import file_object

        document = file_object(found)
    if arguments.sarif is not None:
        from shapesolve.reports.sarif import sarif_part

        part = sarif_part(found)
    text = _printed(found, checked.lowering_of, arguments) if printed or failed else ""
    return RenderedReport(
        code, text, failed, level, document, part, certificates, checked.lowering_of is not None, _failing_call(checked)
    )


def _failing_call(checked: Report | Failure) -> tuple[str, str] | None:
    if isinstance(checked, Failure):
        return None
    return next(((each.reproducer, each.original) for each in checked.judgements if each.reproducer), None)


def _request(arguments: argparse.Namespace, *, printed: bool) -> Request:
    """Return the parts of a diagnosis that the wanted reports show."""
    from shapesolve.diagnosis.diagnosis import GROUPS

    request = GROUPS
    if printed:
        from shapesolve.reports.check_text import text_request

        request |= text_request(verbose=arguments.verbose, quiet=arguments.quiet)
    if arguments.json is not None:
        from shapesolve.reports import check_json

        request |= check_json.REQUEST
    if arguments.sarif is not None:
        from shapesolve.reports import sarif

        request |= sarif.REQUEST
    return request


def _code(checked: Report | Failure, fail_on: FailOn) -> int:
    """Return the exit code of a report under --fail-on."""
    counts = fail_on.model if checked.lowering_of is None else fail_on.lowering
    if isinstance(checked, Failure):
        return FAILED if counts or checked.lowering_of is None else 0
    if not counts:
        return 0
    if fail_on.always:
        return 1 if checked.fails_for_all else 0
    return checked.exit_code


def _printed(found: Diagnosis | Failure, model: Report | None, arguments: argparse.Namespace) -> str:
    if model is None and isinstance(found, Failure):
        return found.text + "\n"
    from shapesolve.reports.page import CapturedText, Page

    kept = CapturedText(sys.stdout)
    page = Page(kept, color=arguments.color)
    if model is not None:
        from shapesolve.diagnosis.diagnosis import GROUPS, diagnose
        from shapesolve.reports.lowering_text import print_with_lowering

        own = diagnose(model, GROUPS)
        print_with_lowering(own, found, page, verbose=arguments.verbose, quiet=arguments.quiet)
    elif not isinstance(found, Failure):
        from shapesolve.reports.check_text import print_report

        print_report(found, page, verbose=arguments.verbose, quiet=arguments.quiet)
    return kept.getvalue()
