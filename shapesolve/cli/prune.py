"""``shapesolve prune``: write the program without the runtime checks that are proved to be redundant."""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from shapesolve import __version__
from shapesolve.cli.check import UNDECIDED, combined_exit_code
from shapesolve.cli.checked_files import MOST_IN_ONE_PROCESS, may_fork, preload
from shapesolve.cli.environment import error_text, print_error
from shapesolve.cli.fail_on import KEPT
from shapesolve.cli.file_discovery import Source, find_sources
from shapesolve.cli.growing_documents import JsonDocument
from shapesolve.cli.options import check_prune
from shapesolve.cli.output_files import STDOUT, check_target, write, write_pieces
from shapesolve.cli.parsed_options import options_of
from shapesolve.cli.program_text import read_with_text
from shapesolve.cli.progress import ProgressBar, json_text
from shapesolve.cli.supervisor import Terminated, report_progress
from shapesolve.cli.worker_pool import CrashedWorker, map_in_processes
from shapesolve.deadline import TIME_LIMIT
from shapesolve.errors import InputError, NoFunctionError
from shapesolve.frontends.open import model_in
from shapesolve.gc_control import collect_between_files, collector_paused
from shapesolve.ir.input_files import load
from shapesolve.ir.program import Program
from shapesolve.ir.reader import read_text
from shapesolve.ir.split_files import MARKER, Part, load_parts
from shapesolve.options import Options
from shapesolve.preconditions.functions import entry_points
from shapesolve.pruning.assumption_notes import merged_notes
from shapesolve.pruning.prune import prune_program
from shapesolve.pruning.result import CheckStatus, PruneResult
from shapesolve.records import value_record
from shapesolve.reports.page import CapturedText, Page
from shapesolve.reports.phrases import NO_BODIES
from shapesolve.reports.prune import FORMAT_OF_FILES, MOST_LISTED, print_pruning, pruning_documents, pruning_object
from shapesolve.rewriting.checks import RewriteError
from shapesolve.solver.limits import DEFAULT_BUDGET

if TYPE_CHECKING:
    from shapesolve.checker.obligation_checker import Progress


IN_PLACE = "--in-place"


@value_record
class PrunedFile:
    """Outcome for one file, ready to be written and printed by another process.

    Attributes:
        code: Exit code; None for a file that is left out.
        text: Program to write; None if nothing is written.
        read: Digest of the content that was pruned.
        report: Text about every check, or of the error.
        document: The same for JSON; None after an error.
    """

    code: int | None
    text: str | None = None
    read: str = ""
    report: str = ""
    document: dict[str, object] | None = None


def run(arguments: argparse.Namespace) -> int:
    """Write the pruned programs and print the outcome of every check."""
    check_prune(arguments)
    options = options_of(arguments)
    sources = find_sources(arguments.files, arguments.exclude, gitignore=arguments.gitignore)
    several = len(sources) > 1 or sources[0].searched
    targets = output_paths(sources, arguments.output, several=several)
    _refuse_bad_targets(sources, targets, arguments)
    with ExitStack() as spools:
        document = None
        if arguments.json and several:
            document = JsonDocument(FORMAT_OF_FILES, arguments.json_version)
            spools.callback(document.spool.close)
        with closing(_outcomes(sources, targets, arguments, options, several=several)) as outcomes:
            return _written(zip(sources, targets, outcomes, strict=True), arguments, document, several=several)


def _written(
    outcomes: Iterable[tuple[Source, str, PrunedFile]],
    arguments: argparse.Namespace,
    document: JsonDocument | None,
    *,
    several: bool,
) -> int:
    """Write and print each outcome, and return the exit code."""
    codes: list[int] = []
    stopped: KeyboardInterrupt | Terminated | None = None
    try:
        for source, target, found in outcomes:
            outcome = _after_writing(source, target, found, arguments, several=several)
            if outcome.code is None:
                continue
            if outcome.document is None:
                sys.stdout.flush()
                print_error(outcome.report)
            elif document is not None:
                document.add(outcome.document)
            elif arguments.json:
                stream = sys.stderr if arguments.output == STDOUT else sys.stdout
                print(json_text(outcome.document, arguments.json_version), file=stream)
            else:
                _print(outcome.report, target, is_first=not codes)
            codes.append(outcome.code)
    except (KeyboardInterrupt, Terminated) as signaled:  # what was written is said
        if document is None:
            raise
        stopped = signaled
    if document is not None:
        write_pieces(STDOUT, document.pieces(pruning_documents([])), "--json")
    if stopped is not None:
        raise stopped
    return combined_exit_code(codes)


def _after_writing(
    source: Source, target: str, outcome: PrunedFile, arguments: argparse.Namespace, *, several: bool
) -> PrunedFile:
    """Write a pruned program, and return the outcome or the failure to write it."""
    try:
        if outcome.text is not None:
            _write(source.name, target, outcome, arguments)
    except InputError as error:
        if not several:
            raise
        return PrunedFile(2, report=error_text(error.at(source.name)))
    return outcome


def _outcomes(
    sources: Sequence[Source], targets: Sequence[str], arguments: argparse.Namespace, options: Options, *, several: bool
) -> Generator[PrunedFile]:
    """Yield the outcomes for files in their order, from as many processes as ``--jobs`` says."""
    processes = min(options.jobs, len(sources)) if may_fork(arguments) else 1
    inside = replace(options, jobs=1)
    if processes == 1 and (len(sources) <= MOST_IN_ONE_PROCESS or not may_fork(arguments)):
        for place, (source, target) in enumerate(zip(sources, targets, strict=True)):
            if place:
                collect_between_files()
            attempt = _attempt if several else _pruned_file
            yield attempt(source, target, arguments, inside, with_progress=True)
        return
    preload()

    def in_process(number: int, _: int) -> PrunedFile:
        return _attempt(sources[number], targets[number], arguments, inside, with_progress=False)

    with closing(map_in_processes(in_process, len(sources), processes, report_progress)) as results:
        for source, found in zip(sources, results, strict=True):
            if isinstance(found, CrashedWorker):
                found = PrunedFile(2, report=f"{source.name}: error: {found.how}")
            yield found


def _attempt(
    source: Source, target: str, arguments: argparse.Namespace, options: Options, *, with_progress: bool
) -> PrunedFile:
    """Return the outcome for one of several files, whose error does not end the others."""
    try:
        return _pruned_file(source, target, arguments, options, with_progress=with_progress)
    except InputError as error:
        if isinstance(error, NoFunctionError) and source.searched:
            return PrunedFile(None)
        return PrunedFile(2, report=error_text(error.at(source.name)))
    except Exception as error:
        return PrunedFile(2, report=f"{source.name}: {error_text(error, with_traceback=arguments.traceback)}")


def _pruned_file(
    source: Source, target: str, arguments: argparse.Namespace, options: Options, *, with_progress: bool
) -> PrunedFile:
    """Prune a file. Raises InputError if it cannot be read, or its pruned program was not proved."""
    in_place = target == source.name and target != STDOUT
    read = load(source.name) if in_place else None
    result = _of_file(source.name, arguments, options, with_progress=with_progress)
    is_open = bool(result.still_open)
    fates = [(check.removed, check.verdict) for check in result.checks]
    code = exit_code(fates, is_open=is_open) if arguments.fail_on == KEPT else 0
    text = None if read is not None and result.text == read.text else result.text
    document, report = _report(source.name, target, result, arguments, is_written=text is not None)
    if not result.is_checked or result.admits_no_input:
        code = code or UNDECIDED
    return PrunedFile(code, text, "" if read is None else _digest(read.data), report, document)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def output_paths(sources: Sequence[Source], output: str | None, *, several: bool) -> list[str]:
    """Return the path to write for each input: the input itself without an output.

    Raises:
        InputError: Several programs would be written to one file.
    """
    if output is None:
        return [each.name for each in sources]
    if not several and not os.path.isdir(output):
        return [output]
    is_name_of_file = output.endswith(".mlir") and not os.path.isdir(output)
    if output == STDOUT or os.path.isfile(output) or is_name_of_file:
        raise InputError("several files are written into a directory, or --in-place", where="-o")
    found: dict[str, str] = {}
    for each in sources:
        if each.name == STDOUT:
            raise InputError("standard input has no name in a directory: give -o a file", where="-o")
        # Text is written whatever was read, and a model's function is part of its name.
        stem = os.path.splitext(each.relative.replace(".py:", "_"))[0]
        path = os.path.join(output, f"{stem}.mlir")
        if path in found:
            raise InputError(f"{path} would be written for both {found[path]} and {each.name}", where="-o")
        found[path] = each.name
    return list(found)


def _refuse_bad_targets(sources: Sequence[Source], targets: Sequence[str], arguments: argparse.Namespace) -> None:
    for source, target in zip(sources, targets, strict=True):
        if arguments.output is None:
            if source.name == STDOUT or not os.path.isfile(source.name):
                raise InputError(f"{source.name} is no file that could be written over", where=IN_PLACE)
            if model_in(source.name) is not None or load(source.name).text is None:
                raise InputError(f"{source.name} is no MLIR text; give -o", where=IN_PLACE)
            continue
        if target != arguments.output:
            try:
                Path(target).parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise InputError(f"{target}: {error.strerror or error}", where="-o") from None
        check_target(target, "-o", inputs=[each.name for each in sources], force=arguments.force)


def _write(source: str, target: str, outcome: PrunedFile, arguments: argparse.Namespace) -> None:
    """Write a pruned program, but never over changes of the input that were made meanwhile."""
    assert outcome.text is not None
    if outcome.read and _digest(load(source).data) != outcome.read:
        raise InputError(f"{source} has changed while it was pruned, so nothing is written", where=IN_PLACE)
    write(target, outcome.text, IN_PLACE if arguments.output is None else "-o")


def _print(report: str, target: str, *, is_first: bool) -> None:
    # Where the program itself goes to standard output, what is said about it goes to standard error.
    stream = sys.stderr if target == STDOUT else sys.stdout
    if report:
        stream.write(report if is_first else f"\n{report}")
        stream.flush()


def _of_file(file: str, arguments: argparse.Namespace, options: Options, *, with_progress: bool) -> PruneResult:
    """Return a pruned file; one that is split is pruned part by part.

    Raises:
        InputError: It cannot be read, or its pruned program was not proved.
    """
    try:
        if not arguments.split_input_file or model_in(file) is not None:
            with ProgressBar(wanted=with_progress) as progress, collector_paused():
                return _pruned(read_with_text(file, options), arguments, options, progress)
        name, parts = load_parts(file)
        return joined_result([_part_result(part, name, arguments, options) for part in parts])
    except RewriteError as error:
        if options.deadline.passed:
            words = f"{TIME_LIMIT} before the pruned program was proved, so nothing is written"
        else:
            hint = f" (a budget of {options.budget:,} may be too small)" if options.budget < DEFAULT_BUDGET else ""
            words = f"the pruned program was not proved to be as good, so nothing is written: {error}{hint}"
        raise InputError(words) from None


def _part_result(part: Part, file: str, arguments: argparse.Namespace, options: Options) -> PruneResult:
    """Return the result for a part of a file, whose text is the part's own if nothing changes."""
    unchanged = PruneResult(part.text, (), {}, ())
    if not part.text.strip():
        return unchanged
    try:
        with ProgressBar() as progress, collector_paused():
            program = read_text(part.padded, file)
            result = _pruned(program, arguments, options, progress)
    except NoFunctionError:
        return unchanged
    return replace(result, text=part.text if result.text == program.text else result.text)


def joined_result(results: Sequence[PruneResult]) -> PruneResult:
    """Return the results for the parts of a file as one."""
    counts: dict[str, tuple[int, int]] = {}
    for result in results:
        for name, (before, after) in result.counts.items():
            had, has = counts.get(name, (0, 0))
            counts[name] = had + before, has + after
    texts = [each.text if each.text.endswith("\n") else f"{each.text}\n" for each in results]
    texts[-1] = results[-1].text
    return PruneResult(
        f"{MARKER}\n".join(texts),
        tuple(check for each in results for check in each.checks),
        counts,
        merged_notes(note for each in results for note in each.noted),
        written=tuple(check for each in results for check in each.written),
        still_open=tuple(words for each in results for words in each.still_open),
        simplified=tuple(check for each in results for check in each.simplified),
        may_be_undefined=tuple(place for each in results for place in each.may_be_undefined),
        certain_failures=tuple(failure for each in results for failure in each.certain_failures),
        is_checked=any(each.is_checked for each in results),
        admits_no_input=any(each.admits_no_input for each in results),
    )


def _report(
    file: str, target: str, result: PruneResult, arguments: argparse.Namespace, *, is_written: bool
) -> tuple[dict[str, object], str]:
    """Return the outcome of every check, as a document if one is requested, otherwise as text."""
    if arguments.json:
        return {**pruning_object(file, target, result), "shapesolve": __version__}, ""
    text = CapturedText(sys.stderr if target == STDOUT else sys.stdout)
    page = Page(text, color=arguments.color)
    is_model = model_in(file) is not None
    print_pruning(file, target if is_written else None, result, page, verbose=arguments.verbose, is_model=is_model)
    return {}, text.getvalue()


def _pruned(program: Program, arguments: argparse.Namespace, options: Options, progress: Progress) -> PruneResult:
    result = _rewritten(program, arguments, options, progress)
    if entry_points(program):
        return result
    return replace(result, noted=(*result.noted, f"nothing was checked: {NO_BODIES}"), is_checked=False)


def _rewritten(program: Program, arguments: argparse.Namespace, options: Options, progress: Progress) -> PruneResult:
    if arguments.at_entry:
        from shapesolve.guards.entry_guards import prune_at_entry

        return prune_at_entry(program, options, arguments.style or "cf", progress)
    if arguments.harden:
        from shapesolve.guards.in_place_guards import harden

        return harden(program, options, arguments.style or "cf", progress)
    lists_all = arguments.json or arguments.verbose or arguments.split_input_file
    most_shown = None if lists_all else MOST_LISTED
    return prune_program(program, options, progress, fewest=arguments.fewest, most_shown=most_shown)


def exit_code(fates: list[tuple[bool, CheckStatus]], *, is_open: bool = False) -> int:
    """Return 1 if a remaining check can fail, 3 if one is undecided or something ``is_open``, else 0."""
    found = {verdict for removed, verdict in fates if not removed}
    if CheckStatus.REFUTED in found:
        return 1
    return 3 if found & {CheckStatus.UNDECIDED, CheckStatus.NOT_REACHED} or is_open else 0
