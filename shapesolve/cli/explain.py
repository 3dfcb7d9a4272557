"""``shapesolve explain FILE[:LINE[:COL]]``: everything about the obligations at one place, or a list of all."""

from __future__ import annotations

import argparse
import re
import tempfile
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.confirmation import confirmed
from shapesolve.checker.reference_runs import runner_of
from shapesolve.checker.report import FunctionReport, Report, ReturnedError
from shapesolve.cli.accepted_program import exit_code_for, open_accepted
from shapesolve.cli.check import REFUTED, UNDECIDED
from shapesolve.cli.parsed_options import options_of
from shapesolve.cli.progress import ProgressBar, json_text
from shapesolve.diagnosis.explanation import Explained, explained
from shapesolve.errors import InputError
from shapesolve.frontends.levels import OWN
from shapesolve.frontends.python_files import models_in
from shapesolve.gc_control import collector_paused
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.reports.explanation import (
    Place,
    at_place,
    errors_at_place,
    print_explanation,
    print_list,
    print_nothing_here,
    print_returned_errors,
)
from shapesolve.reports.explanation_json import explanation_document
from shapesolve.reports.page import Page

_PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d{1,9})(?::(?P<column>\d{1,9}))?", re.DOTALL)
_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")


def run(arguments: argparse.Namespace) -> int:
    """Explain the obligations at a place and return the exit code for them alone, or 3 if nothing was checked.

    Without a line all obligations are listed, or with ``--json`` explained.
    """
    place = parse_place(arguments.place)
    report, found = None, list[Explained]()
    with tempfile.TemporaryDirectory(prefix="shapesolve-") if arguments.query else nullcontext() as directory:
        options = replace(
            options_of(arguments), keep_derivations=True, dump_directory=None if directory is None else Path(directory)
        )
        with ProgressBar() as progress:
            for file in models_in(place.file, arguments.inputs):
                report = _checked(file, options, progress)
                if place.line is None and not arguments.json:
                    break
                if found := _explained(report, place, options):
                    break
    assert report is not None, "there is a file at least"
    errors = errors_at_place(report, place)
    code = exit_code_for(report.program, _exit_code(report, place, found, has_errors=bool(errors)))
    if arguments.json:
        print(json_text(explanation_document(report, found, code), arguments.json_version))
    else:
        _print(report, place, found, errors, Page(color=arguments.color), verbose=arguments.verbose)
    return code


def _exit_code(report: Report, place: Place, found: list[Explained], *, has_errors: bool) -> int:
    if has_errors:
        return REFUTED
    if place.line is None:
        shown = report
    elif found:
        here = [replace(each.diagnosis.report, checked_obligations=(each.checked_obligation,)) for each in found]
        shown = replace(report, functions=tuple(here))
    else:
        return 0 if report.functions else UNDECIDED
    return shown.verdict_code or (UNDECIDED if shown.admits_no_input else 0)


def _print(
    report: Report,
    place: Place,
    found: list[Explained],
    errors: list[tuple[FunctionReport, ReturnedError]],
    page: Page,
    *,
    verbose: bool,
) -> None:
    print_returned_errors(report, errors, page)
    if place.line is None and report.functions:
        print_list(report, page)
        page.line(f"shapesolve explain {place.file}:LINE explains one of them")
    elif found:
        print_explanation(report, found, page, verbose=verbose)
    elif not errors:
        print_nothing_here(report, place, page)


def parse_place(text: str) -> Place:
    """Return ``model.mlir:42:7`` in its parts; a file alone, or a function of a model, is a place without a line.

    Raises:
        InputError: The text has another form.
    """
    match = _PLACE.fullmatch(text)
    if match is None:
        model, _, function = text.rpartition(":")
        if ":" not in text or Path(text).is_file() or (model.endswith(".py") and function.isidentifier()):
            return Place(text)
        raise InputError("a place has the form FILE:LINE or FILE:LINE:COL, or is a file", where=text)
    column = match["column"]
    return Place(match["file"], int(match["line"]), None if column is None else int(column))


def _checked(file: str, options: Options, progress: ProgressBar) -> Report:
    """Return the report on a whole file, with no counterexample executed.

    A model is run all the same, unless nothing may be executed: what its exporter admits is decided by that.
    """
    with collector_paused():
        opened = open_accepted(file, options, OWN)
        program, options = opened.program, opened.options
        run = runner_of(program, options) if options.execute and program.declarations is not None else None
        return check_program(program, replace(options, execute=False), progress, run)


def _explained(report: Report, place: Place, options: Options) -> list[Explained]:
    chosen: dict[FunctionReport, list[CheckedObligation]] = {}
    for function, checked_obligation in at_place(report, place):
        chosen.setdefault(function, []).append(checked_obligation)
    found: list[Explained] = []
    for function, checked_obligations in chosen.items():
        queries = [_query(checked_obligation, options.dump_directory) for checked_obligation in checked_obligations]
        seen = tuple(checked_obligations)
        if options.execute:
            seen = confirmed(report.program, function.trace, seen)
        found += explained(report, function, seen, queries)
    return found


def _query(checked_obligation: CheckedObligation, directory: Path | None) -> str | None:
    """Return the first query to the solver for a claim."""
    if directory is None:
        return None
    name = _UNSAFE.sub("-", checked_obligation.obligation.identity).strip("-")[:80]
    for path in sorted(directory.glob(f"[0-9]*-{name}.smt2")):
        if path.name.partition("-")[2] == f"{name}.smt2":
            return path.read_text(encoding="utf-8")
    return "the solver was not asked: the claim was settled without it"
