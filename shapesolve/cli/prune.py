"""``shapesolve prune``: the same program without the runtime checks that are proved."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from shapesolve import __version__
from shapesolve.cli.arguments import options_of
from shapesolve.cli.options import check_prune
from shapesolve.cli.output_files import STDOUT, check_target, write
from shapesolve.cli.program_text import read_with_text
from shapesolve.cli.progress import ProgressBar, json_text
from shapesolve.deadline import TIME_LIMIT
from shapesolve.gc_control import collector_paused
from shapesolve.ir.program import Program
from shapesolve.options import Options
from shapesolve.preconditions.functions import entry_points
from shapesolve.pruning.result import CheckStatus, PruneResult
from shapesolve.reports.page import Page
from shapesolve.reports.phrases import NO_BODIES
from shapesolve.reports.prune import print_pruning, pruning_object
from shapesolve.rewriting.checks import RewriteError
from shapesolve.solver.limits import DEFAULT_BUDGET

if TYPE_CHECKING:
    from shapesolve.checker.obligation_checker import Progress


def run(arguments: argparse.Namespace) -> int:
    """Write the pruned program and print the outcome of every check."""
    check_prune(arguments)
    options = options_of(arguments)
    check_target(arguments.output, "-o", inputs=(arguments.file,), force=arguments.force)
    try:
        with ProgressBar() as progress, collector_paused():
            program = read_with_text(arguments.file, options)
            result = _pruned(program, arguments, options, progress)
    except RewriteError as error:
        if options.deadline.passed:
            print(f"error: {TIME_LIMIT} before the pruned program was proved, so nothing is written", file=sys.stderr)
            return 2
        hint = f" (a budget of {options.budget:,} may be too small)" if options.budget < DEFAULT_BUDGET else ""
        print(
            f"error: the pruned program was not proved to be as good, so nothing is written: {error}{hint}",
            file=sys.stderr,
        )
        return 2
    has_bodies = bool(entry_points(program))
    if not has_bodies:
        result = replace(result, notes=(*result.notes, f"nothing was checked: {NO_BODIES}"))
    write(arguments.output, result.text, "-o")
    # Where the program itself goes to standard output, what is said about it goes to standard error.
    stream = sys.stderr if arguments.output == STDOUT else sys.stdout
    if arguments.json:
        document = pruning_object(arguments.file, arguments.output, result)
        print(json_text({**document, "shapesolve": __version__}), file=stream)
    else:
        page = Page(stream, color=arguments.color)
        print_pruning(arguments.file, arguments.output, result, page, verbose=arguments.verbose)
    is_open = bool(result.still_open) or not has_bodies
    return exit_code([(check.removed, check.verdict) for check in result.checks], is_open=is_open)


def _pruned(program: Program, arguments: argparse.Namespace, options: Options, progress: Progress) -> PruneResult:
    from shapesolve.pruning.prune import prune_program

    if arguments.at_entry:
        from shapesolve.guards.entry_guards import prune_at_entry

        return prune_at_entry(program, options, arguments.style or "cf", progress)
    if arguments.harden:
        from shapesolve.guards.in_place_guards import harden

        return harden(program, options, arguments.style or "cf", progress)
    return prune_program(program, options, progress, fewest=arguments.fewest)


def exit_code(fates: list[tuple[bool, CheckStatus]], *, is_open: bool = False) -> int:
    """Return 1 if a remaining check can fail, 3 if one is undecided or something ``is_open``, else 0."""
    found = {verdict for removed, verdict in fates if not removed}
    if CheckStatus.REFUTED in found:
        return 1
    return 3 if found & {CheckStatus.UNDECIDED, CheckStatus.NOT_REACHED} or is_open else 0
