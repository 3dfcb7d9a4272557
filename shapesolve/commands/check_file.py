"""One file of a check: the reports on it, and what goes wrong instead."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from shapesolve.collecting import collector_paused
from shapesolve.commands.failures import described
from shapesolve.commands.progress import ProgressBar, WaitingLine
from shapesolve.errors import InputError
from shapesolve.judging.exporter_findings import Outside
from shapesolve.judging.report import Failure, FunctionReport, Report
from shapesolve.options import Options
from shapesolve.proving.verdicts import Refuted
from shapesolve.reading.addressed import GivenText
from shapesolve.reading.program import Program
from shapesolve.walking.inputs import ADMITTED

STDIN = "-"

Checked = Report | Failure


def checked_file(
    number: int, options: Options, arguments: argparse.Namespace, *, with_progress: bool = True
) -> Iterator[Checked]:
    """The reports on a file of the command line by its number, one for each level where a model is looked at."""
    file = arguments.files[number]
    options = _for_file(options, number, arguments.files)
    yield from _checked(file, options, arguments, with_progress=with_progress and not arguments.quiet)


def lost(file: str, how: str) -> Failure:
    """What is said of a file in whose process something else went wrong."""
    text = f"error: {how}"
    return Failure(file, f"{file}: {text}", file, text, "")


def _for_file(options: Options, number: int, files: Sequence[str]) -> Options:
    """Queries of several files go into directories of their own, for their names may be the same."""
    if options.dump_directory is None or len(files) == 1:
        return options
    return replace(options, dump_directory=options.dump_directory / folder(number, files))


def folder(number: int, files: Sequence[str]) -> str:
    return f"{number + 1}-{Path(files[number]).stem}"


def _checked(file: str, options: Options, arguments: argparse.Namespace, *, with_progress: bool) -> Iterator[Checked]:
    """One report on a file; on a model of PyTorch or in ONNX, one for each level where it is looked at."""
    from shapesolve.doors.kinds import model_in
    from shapesolve.doors.opening import open_levels

    try:
        is_model = model_in(file) is not None
        with WaitingLine(f"exporting {file}", wanted=with_progress and is_model), collector_paused():
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
    """Return the conditions under which alone an export is the model, for what it is lowered to."""
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
        return _with_originals(report, file, options, asked=arguments.execute_original)
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception as error:
        return _failure(file, error, arguments)


def _with_originals(report: Report, file: str, options: Options, *, asked: bool) -> Report:
    """Run the model itself at the sizes that fail, at its own level also where nobody asked."""
    from shapesolve.originals import with_originals, with_originals_if_possible

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
        return Failure(file, described(placed), where, error.message, error.excerpt)
    text = described(error, with_traceback=arguments.traceback)
    return Failure(file, f"{file}: {text}", file, text, "")


def _for_level(options: Options, program: Program | InputError, count: int) -> Options:
    """Queries about a model go into a directory for each level."""
    if options.dump_directory is None or count == 1 or isinstance(program, InputError):
        return options
    return replace(options, dump_directory=options.dump_directory / program.level)
