"""The process that answers one request of the playground: confined before it reads the text, ended after its answer.

Nothing is executed, no file is read but those of Python, and none is written. The request is one JSON object on
standard input, and so is the answer on standard output.
"""

from __future__ import annotations

import difflib
import json
import os
import sys
from collections.abc import Callable, Iterator
from io import StringIO
from itertools import zip_longest
from typing import Any, TypeVar

from shapesolve import api
from shapesolve.deadline import Deadline
from shapesolve.diagnosis.diagnosis import FunctionDiagnosis, diagnose
from shapesolve.errors import InputError
from shapesolve.execution import sandbox
from shapesolve.ir.program import Program
from shapesolve.ir.reader import read_text
from shapesolve.ir.split_files import split_text
from shapesolve.options import Options
from shapesolve.reports.evidence_text import sizes_text
from shapesolve.reports.finding_line import FindingLine, function_lines
from shapesolve.reports.page import Page
from shapesolve.reports.refinement import print_refinements
from shapesolve.rewriting.printer import written
from shapesolve.rewriting.rewriter import Rewriter
from shapesolve.servers.analysis import error_line
from shapesolve.servers.requests import by_module, rewritten, source_text
from shapesolve.solver.verdicts import Refuted
from shapesolve.trace.concretization import arguments_at

Answer = TypeVar("Answer")

SECONDS = 12.0
"""Processor time of a request."""
DEADLINE_SECONDS = 8.0
"""Time after which claims are left undecided, so that there is an answer within the limits."""
MEMORY_BYTES = 1 << 30
OPEN_FILES = 64

WARM_UP = """func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %holds = arith.cmpi sge, %d, %c0 : index
  cf.assert %holds, "not negative"
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
"""A program that loads what an answer needs, while nobody waits for it."""


def _options() -> Options:
    return Options(execute=False, deadline=Deadline.after(DEADLINE_SECONDS))


def check(text: str) -> dict[str, Any]:
    """Return the findings, the verdict of every obligation, and the report as text.

    The finding about a module that cannot be read says why, if others can be.
    """
    options = _options()
    found = _by_module(text, lambda module: _check_module(module, options))
    answer: dict[str, Any] = {"findings": [], "marks": [], "suggestions": []}
    reports: list[str] = []
    for line, each in found:
        if isinstance(each, InputError):
            answer["findings"].append(_finding(error_line(each, line)))
            reports.append(f"error: {each}\n")
            continue
        reports.append(each["report"])
        for name, values in answer.items():
            values += each[name]
    return answer | {"report": "\n".join(reports)}


def _by_module(text: str, work: Callable[[str], Answer]) -> list[tuple[int, Answer | InputError]]:
    """Return the answers about the modules of a text, with their first lines.

    Raises:
        InputError: None can be read; the first error.
    """
    found = list(by_module(text, work))
    if all(isinstance(each, InputError) for _, each in found):
        raise next(each for _, each in found if isinstance(each, InputError))
    return found


def _finding(each: FindingLine) -> dict[str, Any]:
    place = {"line": each.line, "column": each.column}
    shown = {"level": each.level, "message": each.message, "code": each.code}
    return place | shown | {"fails_at": "", "counterexample": []}


def _findings(program: Program, function: FunctionDiagnosis) -> Iterator[dict[str, Any]]:
    """Yield what is said of a function, with the sizes that break it: in short, and argument by argument."""
    trace, verdicts = function.report.trace, [each.verdict for each in function.findings]
    for line, verdict in zip_longest(function_lines(program, function), verdicts):
        found = _finding(line)
        if isinstance(verdict, Refuted):
            given = arguments_at(trace, verdict.sizes)
            found["fails_at"] = sizes_text(trace, verdict)
            found["counterexample"] = [{"name": name, "value": str(value)} for name, value in given]
        yield found


def _check_module(text: str, options: Options) -> dict[str, Any]:
    report = api.check(text, options=options)
    diagnosis = diagnose(report)
    marks: list[dict[str, Any]] = []
    for function in report.functions:
        own = function.trace.function.location.file
        for each in function.checked_obligations:
            place = each.obligation.location
            line = place.line if place.file == own else 0
            verdict = type(each.verdict).__name__.lower()
            marks.append({"line": line, "verdict": verdict, "claim": each.obligation.message})
    findings = [found for each in diagnosis.functions for found in _findings(report.program, each)]
    suggestions = [
        {"function": each.name, "assumptions": list(each.suggestions.complete)}
        for each in diagnosis.functions
        if each.suggestions.assumptions
    ]
    return {"findings": findings, "marks": marks, "suggestions": suggestions, "report": report.text()}


def shapes(text: str) -> dict[str, Any]:
    """Return the symbolic shape of every value, with the line that makes it."""
    options = _options()
    found = [
        {"line": each.location.line, "name": each.name, "shape": each.shape}
        for _, answer in _by_module(text, lambda module: api.shape_of(module, options=options))
        if not isinstance(answer, InputError)
        for values in answer.values()
        for each in values
    ]
    return {"shapes": found}


def contract(text: str) -> dict[str, Any]:
    """Return the conditions under which each function is safe, as text; of several modules, with their first lines."""
    options = _options()
    found = _by_module(text, lambda module: api.contract(module, options=options).text())
    reports = [f"error: {each}\n" if isinstance(each, InputError) else each for _, each in found]
    if len(found) > 1:
        reports = [f"module at line {line}:\n{each}" for (line, _), each in zip(found, reports, strict=True)]
    return {"report": "\n".join(reports)}


def prune(text: str) -> dict[str, Any]:
    """Return the program without the checks that are proved, and the difference to the given one."""
    pruned = rewritten(text, "prune", _options())
    given = text if pruned == text else _as_printed(text)
    lines = difflib.unified_diff(given.splitlines(), pruned.splitlines(), "given", "pruned", lineterm="")
    return {"text": pruned, "diff": list(lines)}


def _as_printed(text: str) -> str:
    """Return a program in the form in which pruned ones are printed, so that only what is pruned differs.

    Of several modules those without a check stay as they are, so the text is returned as it is.
    """
    if len(split_text(text)) > 1:
        return text
    program = read_text(text)
    return written(Rewriter.of(program), program)


def refine(text: str, target: str) -> dict[str, Any]:
    """Return whether the second program refines the first, as text; an error names the one that cannot be read."""
    stream = StringIO()
    try:
        print_refinements(api.refine(text, target, options=_options()), Page(stream, color="never", width=90))
    except InputError as error:
        unreadable = next((name for name, each in (("text", text), ("target", target)) if not _is_readable(each)), "")
        return _error(error) | {"of": unreadable}
    return {"report": stream.getvalue()}


def _is_readable(text: str) -> bool:
    try:
        read_text(text)
    except InputError:
        return False
    return True


def _error(error: InputError) -> dict[str, Any]:
    return {"error": error.message, "where": error.where}


ACTIONS: dict[str, Callable[..., dict[str, Any]]] = {
    "check": check,
    "shapes": shapes,
    "contract": contract,
    "prune": prune,
    "refine": refine,
}


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Answer one request, whose texts the server has looked at; an input error is an answer, too."""
    action = ACTIONS[request["action"]]
    texts = [source_text(request[each]) for each in ("text", "target") if each in request]
    try:
        return action(*texts)
    except InputError as error:
        return _error(error)
    except MemoryError:
        return {"error": "the answer needs more memory than a request may have", "where": ""}


def _confine() -> None:
    sandbox.end_with_parent()
    sandbox.limit(SECONDS, MEMORY_BYTES, open_files=OPEN_FILES)
    files = [each.__file__ for each in list(sys.modules.values()) if hasattr(each, "__file__")]
    own = {os.path.dirname(each) for each in files if each is not None}
    sandbox.confine_lowering([each for each in (*sys.path, sys.base_prefix, sys.prefix, *own) if os.path.isdir(each)])


def main() -> int:
    """Load everything, confine this process, read the request and write its answer."""
    writing = os.dup(1)
    os.dup2(2, 1)  # an answer is all that standard output may hold
    for each in (check, shapes, contract, prune):
        each(WARM_UP)
    refine(WARM_UP, WARM_UP)
    _confine()
    given = sys.stdin.buffer.read()
    if given:
        with os.fdopen(writing, "wb") as stream:
            stream.write(json.dumps(answer(json.loads(given))).encode())
            stream.flush()
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
