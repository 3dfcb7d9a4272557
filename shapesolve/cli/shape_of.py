"""``shapesolve shape-of``: symbolic shape inference, and the program with the inferred types."""

from __future__ import annotations

import argparse
import sys
from difflib import get_close_matches

from shapesolve import __version__
from shapesolve.cli.accepted_program import exit_code_for, open_accepted
from shapesolve.cli.check import UNDECIDED
from shapesolve.cli.output_files import STDOUT, check_target, write
from shapesolve.cli.parsed_options import options_of
from shapesolve.cli.progress import json_text
from shapesolve.diagnosis.assumptions import independent_conditions, shape_conditions
from shapesolve.errors import InputError
from shapesolve.gc_control import collector_paused
from shapesolve.ir.program import Program
from shapesolve.options import Options
from shapesolve.preconditions.functions import chosen
from shapesolve.reports.json_versions import VERSION
from shapesolve.reports.page import STYLES, Page
from shapesolve.reports.phrases import NO_BODIES
from shapesolve.reports.shapes import FORMAT, function_object, print_shapes
from shapesolve.shape_functions.registries import library_notes
from shapesolve.shape_inference.known_extents import Inferred, infer
from shapesolve.shape_inference.refine_types import RefineError, RefineResult, refine_program
from shapesolve.shape_inference.value_shapes import ValueShape, value_shapes


def run(arguments: argparse.Namespace) -> int:
    """Print the shapes of a program's values; write the refined program if requested.

    Returns 0; 1 if all values of a function were asked for that fails, or returns an error, in every call; 3 if no
    function has a body or the assumptions exclude all inputs of one; 2 if MLIR refuses a function.
    """
    options = options_of(arguments)
    output: str | None = arguments.output
    if output is not None:
        check_target(output, "-o", inputs=(arguments.file,), force=arguments.force)
    try:
        with collector_paused():
            program, inferred, refined = _inferred(arguments, options)
    except RefineError as error:
        print(f"error: the refined program is not as good, so nothing is written: {error}", file=sys.stderr)
        return 2
    chosen = [(each, _chosen(value_shapes(each), arguments.value)) for each in inferred]
    if arguments.value is not None and not any(values for _, values in chosen):
        raise InputError(_unknown(arguments.value, inferred), where=program.file)
    if refined is not None and output is not None:
        write(output, refined.text, "-o")
    # Where the program itself goes to standard output, what is said about it goes to standard error.
    stream = sys.stderr if arguments.output == STDOUT else sys.stdout
    if arguments.json:
        print(json_text(_document(arguments, program, chosen, refined), arguments.json_version), file=stream)
    else:
        _print(arguments, program, chosen, refined, Page(stream, color=arguments.color))
    if arguments.value is None and any(each.errors or each.fails_for_all for each in inferred):
        code = 1
    else:
        code = UNDECIDED if not inferred or any(each.contradiction for each in inferred) else 0
    return exit_code_for(program, code)


def _inferred(
    arguments: argparse.Namespace, options: Options
) -> tuple[Program, tuple[Inferred, ...], RefineResult | None]:
    opened = open_accepted(arguments.file, options, writes=arguments.output is not None)
    program, options = opened.program, opened.options
    for note in (*program.notes, *library_notes(program, options)):
        print(f"note: {note}", file=sys.stderr)
    if arguments.output is not None:
        refined = refine_program(program, options, signatures=arguments.signatures)
        return program, refined.inferred, refined
    return program, tuple(infer(program, each, options) for each in chosen(program, options.functions)), None


def _chosen(values: list[ValueShape], name: str | None) -> list[ValueShape]:
    if name is None:
        return values
    wanted = name if name.startswith("%") else f"%{name}"
    return [each for each in values if each.name in (wanted, f"{wanted}#0") or each.name.partition("#")[0] == wanted]


def _unknown(name: str, inferred: tuple[Inferred, ...]) -> str:
    names = [value.name for each in inferred for value in value_shapes(each)]
    alike = get_close_matches(name if name.startswith("%") else f"%{name}", names, n=3)
    hint = f"; did you mean {' or '.join(alike)}?" if alike else ""
    return f"no value `{name}` has a shape{hint}"


Chosen = list[tuple[Inferred, list[ValueShape]]]


def _print(
    arguments: argparse.Namespace, program: Program, chosen: Chosen, refined: RefineResult | None, page: Page
) -> None:
    whole = arguments.value is None
    if not chosen:
        page.line(f"{program.file}: nothing was inferred: {NO_BODIES}", STYLES["undecided"])
    shown = [(each, values) for each, values in chosen if values or whole]
    for number, (each, values) in enumerate(shown):
        if number:
            page.line()
        conditions = independent_conditions(each) if whole else None
        print_shapes(each, values, conditions, page, arguments.verbose)
    if refined is None:
        return
    page.line()
    for each in refined.refinements:
        page.line(f"{each.location}: {each.value}: {each.before} is {each.after}")
    count = len(refined.refinements)
    page.line(f"{count} {'type' if count == 1 else 'types'} refined in {arguments.output}")
    for note in refined.notes:
        page.line(f"note: {note}")


def _document(
    arguments: argparse.Namespace, program: Program, chosen: Chosen, refined: RefineResult | None
) -> dict[str, object]:
    document: dict[str, object] = {
        "format": FORMAT,
        "version": VERSION,
        "shapesolve": __version__,
        "file": program.file,
        "functions": [function_object(each, values, shape_conditions(each)) for each, values in chosen],
    }
    if refined is not None:
        document["output"] = arguments.output
        document["refinements"] = [
            {"value": each.value, "line": each.location.line, "before": each.before, "after": each.after}
            for each in refined.refinements
        ]
        document["notes"] = list(refined.notes)
    return document
