"""The process that analyzes one configured model for an editor, as ``check`` does, and the shapes of its lines.

The answer is one JSON object on standard output. The model itself is run by further processes, as ever.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from shapesolve import __version__
from shapesolve.cli.arguments import parse_command_line
from shapesolve.cli.check import prepare_findings
from shapesolve.cli.checked_files import configured
from shapesolve.cli.configuration import with_configuration
from shapesolve.cli.environment import error_text
from shapesolve.cli.finding_filter import filtered
from shapesolve.cli.parsed_options import options_of
from shapesolve.deadline import NEVER, Deadline
from shapesolve.diagnosis.diagnosis import Request, diagnose
from shapesolve.errors import InputError
from shapesolve.execution import sandbox
from shapesolve.frontends.levels import OWN
from shapesolve.frontends.open import open_program
from shapesolve.gc_control import collector_paused
from shapesolve.ir.program import Function, Program, SymbolRef
from shapesolve.pipeline import check_program
from shapesolve.preconditions.functions import chosen
from shapesolve.shape_inference.known_extents import infer
from shapesolve.shape_inference.line_shapes import line_shapes

SECONDS = 120.0
"""Time limit of an analysis, unless the configuration has another one."""

REQUEST = Request(None, 0, data=False, obligations=False, suggestions=False, fixes=False, trust=False)


def analysis(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the findings of the first file of a command line of ``check``, a model, and the shapes of its lines.

    Each finding has the lines of the model that lead to it, the innermost first.

    Raises:
        InputError: The model cannot be made or exported.
    """
    source: str = arguments.files[0]
    prepare_findings(arguments)
    options = configured(options_of(arguments), source, arguments)
    if options.deadline is NEVER:
        options = replace(options, deadline=Deadline.after(SECONDS))
    with collector_paused():
        program = open_program(source, options, OWN)
        report = check_program(program, options)
        found = filtered(diagnose(report, REQUEST), source, arguments.selection, with_unused=False).findings
        entries = [*chosen(program, options.functions), *_called_once(program)]
        inferred = [infer(program, each, options) for each in dict.fromkeys(entries)]
    origins = [each.obligation.op.origin for each in report.checked_obligations]
    callers = {(each.file, each.line): each.callers for each in reversed(origins) if each is not None}
    findings: list[dict[str, Any]] = []
    for each in (finding.line for finding in found):
        places = [(each.file, each.line), *callers.get((each.file, each.line), ())]
        findings.append(_finding(each.level, each.message, each.code, places))
    shapes: dict[str, list[tuple[int, str]]] = {}
    for (file, line), text in line_shapes(inferred).items():
        if os.path.isfile(file):  # some code of frameworks is in none
            shapes.setdefault(os.path.realpath(file), []).append((line, text))
    return {"findings": findings, "shapes": shapes}


def _called_once(program: Program) -> Iterator[Function]:
    """Yield the private functions with a single call, in whose sizes the lines of JAX models are."""
    calls = Counter(
        symbol.name
        for function in program.functions.values()
        for op in function.operation.walk()
        for symbol in op.attributes.values()
        if isinstance(symbol, SymbolRef)
    )
    for name, function in program.functions.items():
        if calls[name] == 1 and function.body is not None:
            yield function


def _finding(level: str, message: str, code: str, places: Sequence[tuple[str, int]]) -> dict[str, Any]:
    lines = [(os.path.realpath(file), line) for file, line in places]
    return {"level": level, "message": message, "code": code, "places": lines}


def main(path: str, source: str, *inputs: str) -> int:
    """Write the analysis of a model under a configuration, or the error that prevents it."""
    sandbox.end_with_parent()
    writing = os.dup(1)
    os.dup2(2, 1)  # an answer is all that standard output may hold
    try:
        command = with_configuration(["check", f"--config={path}", *(f"--inputs={each}" for each in inputs), source])
        answer = analysis(parse_command_line(__version__, command))
    except InputError as error:
        answer = {"error": str(error)}
    except Exception as error:
        answer = {"error": error_text(error)}
    with os.fdopen(writing, "wb") as stream:
        stream.write(json.dumps(answer).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
