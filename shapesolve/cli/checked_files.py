"""Check of the files of a command line, one after the other or several at a time in processes of their own."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from time import monotonic

from shapesolve.checker.report import Failure, FunctionReport, Report
from shapesolve.cli.accepted_program import only_entries
from shapesolve.cli.configuration import places_in, settings_of
from shapesolve.cli.environment import error_text
from shapesolve.cli.parsed_options import read_fact_files
from shapesolve.cli.progress import ProgressBar, WaitingLine
from shapesolve.cli.rendered_report import RenderedReport, rendered_report
from shapesolve.cli.report_cache import ReportCache
from shapesolve.cli.rule_interruption import interrupting_rules
from shapesolve.cli.worker_pool import CrashedWorker, can_fork_loaded, map_in_processes
from shapesolve.errors import InputError, NoFunctionError
from shapesolve.execution import fork_server
from shapesolve.execution.runner import use_fork_server
from shapesolve.gc_control import collect_between_files, collector_paused
from shapesolve.interpreter.inputs import ADMITTED
from shapesolve.ir.program import Program
from shapesolve.ir.reader import RefusedText, accepted_or_none
from shapesolve.ir.split_files import read_parts
from shapesolve.options import Options
from shapesolve.preconditions.functions import SourcedText
from shapesolve.preconditions.stated_contracts import add_contracts
from shapesolve.solver.verdicts import Refuted

STDIN = "-"

Checked = Report | Failure

Work = Callable[..., list[RenderedReport]]

CheckElsewhere = Callable[..., Iterator[tuple[int, list[RenderedReport]]]]
"""Check of files by other machines: :func:`.fleet.check_on_fleet`."""


def checked_file(
    number: int, options: Options, arguments: argparse.Namespace, *, with_progress: bool = True
) -> Iterator[Checked]:
    """Yield the reports on a file of the command line by its number, one for each level of a model."""
    file = arguments.files[number]
    options = _for_file(options, number, arguments.files)
    try:
        options = configured(options, file, arguments)
    except InputError as error:
        yield _failure(file, error, arguments)
        return
    yield from _checked(file, options, arguments, with_progress=with_progress and not arguments.quiet)


def configured(options: Options, file: str, arguments: argparse.Namespace) -> Options:
    """Return options with what the configuration says of a file.

    Raises:
        InputError: A file of facts cannot be read.
    """
    for each in settings_of(file, arguments.configuration):
        facts = read_fact_files(each.facts)
        options = replace(
            options,
            assumptions=(*options.assumptions, *each.assume, *(t for f in facts for t in f.about_it(f.assumptions))),
            shapes=(*options.shapes, *each.shape, *(t for f in facts for t in f.about_it(f.shapes))),
            contracts=(*options.contracts, *(f.contract for f in facts if f.contract is not None)),
        )
    return options


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
        if arguments.split_input_file and not is_model:
            yield from _checked_parts(file, options, arguments, with_progress)
            return
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
                model = result = replace(result, has_lowering=not fails_for_all_sizes(result))
            yield result
            if model is not None and not model.has_lowering:
                return
    except RefusedText as error:
        yield from _accepted(file, error, options, arguments, with_progress=with_progress)
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception as error:
        yield _failure(file, error, arguments)


def _accepted(
    file: str, refused: RefusedText, options: Options, arguments: argparse.Namespace, *, with_progress: bool
) -> Iterator[Checked]:
    """Yield a failure for each function that MLIR refuses, and the report on the others."""
    accepted = accepted_or_none(refused)
    if accepted is None:
        yield _failure(file, refused, arguments)
        return
    for each in accepted.refusals:
        yield _failure(file, each, arguments)
    if accepted.program is None:
        return
    try:
        found = only_entries(accepted, options)
    except InputError as error:
        yield _failure(file, error, arguments)
        return
    if found is not None:
        yield _of_program(file, found.program, found.options, arguments, with_progress)


def _checked_parts(
    file: str, options: Options, arguments: argparse.Namespace, with_progress: bool
) -> Iterator[Checked]:
    """Yield the reports on the modules of a file that is split."""
    with collector_paused():
        parts = read_parts(file)
    for number, program in enumerate(parts, 1):
        given = options
        if options.dump_directory is not None and len(parts) > 1:
            given = replace(options, dump_directory=options.dump_directory / f"part-{number}")
        if isinstance(program, RefusedText):
            yield from _accepted(file, program, given, arguments, with_progress=with_progress)
            continue
        if isinstance(program, Program):
            here = [each for each in options.contracts if each.function in program.functions]
            program = add_contracts(program, here)
        yield _of_program(file, program, given, arguments, with_progress)


def _admitted(before: Report) -> tuple[str, ...]:
    """Return the conditions outside of which an export is not its model, or that fails, to assume of the lowering."""
    found = [each.guard for each in before.exporter]
    return tuple(SourcedText.of(each.shown, ADMITTED) for each in found if not each.is_specialization)


def _of_program(
    file: str, program: Program | InputError, options: Options, arguments: argparse.Namespace, with_progress: bool
) -> Checked:
    from shapesolve.pipeline import check_program

    if isinstance(program, InputError):
        return _failure(file, program, arguments)
    try:
        with ProgressBar(wanted=with_progress) as progress, collector_paused():
            report = check_program(program, options, progress)
        is_run = bool(program.model) and report.count(Refuted) > 0 and (options.execute or arguments.execute_original)
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
    is_model = bool(report.program.model) and options.execute
    return with_originals_if_possible(report, file, options) if is_model else report


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
    return any(isinstance(each.verdict, Refuted) for each in function.checked_obligations)


def _failure(file: str, error: Exception, arguments: argparse.Namespace) -> Failure:
    if isinstance(error, InputError):
        where = error.where if error.where.startswith(file) or file == STDIN else f"{file}: {error.where}".rstrip(": ")
        text = error_text(InputError(error.message, where=where, excerpt=error.excerpt))
        configured = places_in(text, arguments.configuration, file)
        return Failure(
            file,
            f"{text}\n{configured}" if configured else text,
            where,
            error.message,
            error.excerpt,
            no_function=isinstance(error, NoFunctionError),
            position=(error.position if where.startswith(f"{file}:") else None) or (0, 0),
        )
    text = error_text(error, with_traceback=arguments.traceback)
    return Failure(file, f"{file}: {text}", file, text, "")


def _for_level(options: Options, program: Program | InputError, count: int) -> Options:
    """Return options with a directory for the queries of one level of a model."""
    if options.dump_directory is None or count == 1 or isinstance(program, InputError):
        return options
    return replace(options, dump_directory=options.dump_directory / program.level)


def reports(
    arguments: argparse.Namespace,
    options: Options,
    *,
    printed: bool,
    tick: Callable[[], None],
    cache: ReportCache | None = None,
    elsewhere: CheckElsewhere | None = None,
) -> Generator[tuple[int, RenderedReport]]:
    """Yield the reports in the order of the files, each with the number of its file.

    ``tick`` is called now and then while other processes work. Reports in the cache take no process. If ``elsewhere``
    is given, it checks the files.
    """
    keys = [None if cache is None else cache.key(each) for each in arguments.files]
    kept = [cache is not None and key is not None and cache.holds(key) for key in keys]
    numbers = [number for number, is_kept in enumerate(kept) if not is_kept]
    count = len(numbers)
    processes = min(options.jobs, max(1, count)) if may_fork(arguments) else 1

    def keep(number: int, found: Sequence[RenderedReport]) -> None:
        key = keys[number]
        if cache is not None and key is not None:
            cache.store(key, found)

    def work(number: int, inside: Options, *, with_progress: bool = False) -> list[RenderedReport]:
        found = list(rendered_reports(number, inside, arguments, printed=printed, with_progress=with_progress))
        keep(number, found)
        return [replace(each, layouts={}) for each in found]

    runs_here = bool(numbers) and options.execute and elsewhere is None
    with use_fork_server(at_once=runs_here and options.jobs > 1, places=processes):
        if elsewhere is not None and numbers:
            checked = elsewhere(arguments, options, numbers, work, keep, printed=printed, tick=tick)
        elif processes > 1 or (count > MOST_IN_ONE_PROCESS and may_fork(arguments)):
            checked = _in_parallel(arguments, options, processes, numbers, work, printed, tick)
        elif len(kept) == 1 and cache is None:  # levels of a model are printed as they come
            checked = (
                (0, [each]) for each in rendered_reports(0, options, arguments, printed=printed, with_progress=True)
            )
            yield from ((number, each) for number, found in checked for each in found)
            return
        else:
            checked = _one_by_one(numbers, options, work, with_progress=len(kept) == 1)
        for number, key in enumerate(keys):
            found = cache.load(key, printed=printed) if cache is not None and key is not None and kept[number] else None
            if found is None:  # a damaged entry of the cache is done again
                found = work(number, options) if kept[number] else next(checked)[1]
            for each in found:  # what is for the cache alone is not printed
                yield number, each if printed or each.failed else replace(each, text="")


MOST_IN_ONE_PROCESS = 500
"""Files that one process checks; of more each has a process of its own, so that memory does not grow with them."""


def _one_by_one(
    numbers: Sequence[int], options: Options, work: Work, *, with_progress: bool
) -> Iterator[tuple[int, list[RenderedReport]]]:
    for place, number in enumerate(numbers):
        if place:
            collect_between_files()
        yield number, work(number, options, with_progress=with_progress)


def rendered_reports(
    number: int, options: Options, arguments: argparse.Namespace, *, printed: bool, with_progress: bool
) -> Iterator[RenderedReport]:
    """Yield the reports on a file by its number, with the seconds that each took."""
    started = monotonic()
    for each in checked_file(number, options, arguments, with_progress=with_progress):
        rendered = rendered_report(each, arguments, printed=printed)
        yield replace(rendered, seconds=monotonic() - started)
        started = monotonic()


def may_fork(arguments: argparse.Namespace) -> bool:
    """Return whether this process belongs to the command alone and measures no statistics."""
    return can_fork_loaded and _is_alone(arguments) and not arguments.stats


def _is_alone(arguments: argparse.Namespace) -> bool:
    """Return whether this process belongs to the command alone."""
    return bool(getattr(arguments, "alone", False))


def _in_parallel(
    arguments: argparse.Namespace,
    options: Options,
    processes: int,
    numbers: Sequence[int],
    work: Work,
    printed: bool,
    tick: Callable[[], None],
) -> Iterator[tuple[int, list[RenderedReport]]]:
    preload()
    inside = replace(options, jobs=max(1, options.jobs // processes))

    def in_process(place: int, slot: int) -> list[RenderedReport]:
        fork_server.use_socket(slot)
        with interrupting_rules(inside.rules, inside.deadline):
            return work(numbers[place], inside)

    with closing(map_in_processes(in_process, len(numbers), processes, tick)) as results:
        for number, found in zip(numbers, results, strict=True):
            if isinstance(found, CrashedWorker):
                found = [rendered_report(crash_failure(arguments.files[number], found.how), arguments, printed=printed)]
            yield number, found


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
