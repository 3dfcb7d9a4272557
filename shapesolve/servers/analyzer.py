"""Analyzer of the text in an editor, which analyzes a function again only if something that it depends on has changed.

A function depends on its own lines, on those before the first function, and on aliases (``#map``, ``!type``). One that
refers to a symbol, or that a symbol refers to, depends on the whole text.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from shapesolve import api
from shapesolve.checker.report import Report
from shapesolve.diagnosis.diagnosis import Request, diagnose, suggestions_of
from shapesolve.diagnosis.fixes import precondition_insertions
from shapesolve.diagnosis.requirements import Requirements
from shapesolve.errors import InputError, NoFunctionError
from shapesolve.gc_control import collector_paused
from shapesolve.ir.program import Function, Program
from shapesolve.ir.split_files import Part, split_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.preconditions.functions import chosen
from shapesolve.records import value_record
from shapesolve.reports.finding_line import FindingLine, report_lines
from shapesolve.servers.analysis import Analysis, Change, Counterexample, error_line
from shapesolve.shape_inference.known_extents import infer
from shapesolve.shape_inference.value_shapes import ValueShape, value_shapes
from shapesolve.solver.verdicts import Refuted
from shapesolve.trace.concretization import arguments_in_short

REQUEST = Request(None, 0, data=False, obligations=False, suggestions=False, fixes=False, trust=False)
"""Parts of a diagnosis that an editor shows at once. Changes take as long as all of them, and are computed later."""

OPTIONS = Options(execute=False)
"""Options of an analysis while a text is typed: nothing is executed."""

_NOTHING = re.compile(r"^\s*(//.*)?$")
_ALIAS = re.compile(r"^\s*[#!]")
_SYMBOL = re.compile(r"@(\"[^\"]*\"|[\w$.\-]+)")
_SHARED = ("{-#", "dense_resource")
"""Text of what stands at the end of a file and is used in functions."""


@value_record
class _Lines:
    """Lines of a function.

    Attributes:
        name: Its name.
        first: Its first line, counted from 1.
        end: The line behind its last one.
        key: Everything that its analysis depends on.
    """

    name: str
    first: int
    end: int
    key: tuple[str, ...]


@value_record
class _Function:
    """A function, the program that it is of, and its lines."""

    program: Program
    function: Function
    lines: _Lines


@value_record
class _Read:
    """Functions of a text, and the reasons why parts of it cannot be read."""

    functions: tuple[_Function, ...]
    errors: tuple[FindingLine, ...]


@value_record
class _Part:
    """Analysis of one function that began at a line.

    Attributes:
        first: The line.
        analysis: Its findings, and its changes once its shapes are known.
        report: Report for its changes, until they are known or the text has changed.
        shapes: The shapes of its values; None until they are known.
    """

    first: int
    analysis: Analysis
    report: Report | None
    shapes: tuple[ValueShape, ...] | None = None


class Analyzer:
    """Analyses of the functions of one document, as far as they are up to date."""

    def __init__(self) -> None:
        self._parts: dict[tuple[str, ...], _Part] = {}

    def analyze(self, text: str) -> Generator[Analysis]:
        """Yield the analysis of a text of MLIR as it grows function by function; the last one has the shapes of values.

        A text that cannot be read has one finding, which says why. Nothing is executed. Where the analysis is closed
        before its end, the functions that are finished by then are kept.
        """
        with TemporaryDirectory() as folder:  # changes are offered for files only
            read = _read(text, Path(folder))
            if read.functions:
                yield from self._analyses(read)
            else:
                yield Analysis(read.errors)

    def _analyses(self, read: _Read) -> Iterator[Analysis]:
        before = self._parts
        self._parts = dict(before) if read.errors else {}
        parts: dict[int, _Part] = {}
        for number, each in enumerate(read.functions):
            kept = before.get(each.lines.key)
            if kept is not None:
                parts[number] = self._parts[each.lines.key] = _moved(kept, each.lines.first - kept.first)
        for number, each in enumerate(read.functions):
            if number in parts:
                continue
            parts[number] = _Part(each.lines.first, *_function_analysis(each.program, each.function))
            self._keep(each.lines, parts[number])
            if len(parts) < len(read.functions):
                yield _together([parts[n] for n in sorted(parts)], read.errors, is_checked=False)
        yield (checked := _together([parts[n] for n in sorted(parts)], read.errors))
        for number, each in enumerate(read.functions):
            part = parts[number]
            if part.shapes is None:
                with collector_paused():
                    shapes = tuple(value_shapes(infer(each.program, each.function, OPTIONS)))
                    changes = _changes(part.report or _report(each.program, each.function))
                analysis = replace(part.analysis, changes=changes)
                parts[number] = replace(part, analysis=analysis, report=None, shapes=shapes)
                self._keep(each.lines, parts[number])
                yield checked
        yield _together([parts[n] for n in sorted(parts)], read.errors)

    def _keep(self, lines: _Lines, part: _Part) -> None:
        """Keep the analysis of a function, unless it speaks of lines elsewhere, which move otherwise."""
        found = part.analysis
        places = [each.line for each in (*found.findings, *found.counterexamples)]
        places += [each.insertion.line for each in found.changes]
        places += [each.location.line for each in part.shapes or ()]
        if all(lines.first <= each < lines.end for each in places):
            self._parts[lines.key] = part
        else:
            self._parts.pop(lines.key, None)


def _read(text: str, folder: Path) -> _Read:
    """Return the functions of a text, whose parts at lines ``// -----`` are modules of their own."""
    parts = [each for each in split_text(text) if each.text.strip()] or [Part(text, 0)]
    functions: list[_Function] = []
    errors: list[FindingLine] = []
    without: list[FindingLine] = []
    for number, part in enumerate(parts):
        path = folder / str(number) / "text.mlir"
        path.parent.mkdir()
        path.write_text(part.padded, encoding="utf-8", errors="surrogatepass")
        try:
            with collector_paused():
                program = api.read(path, OPTIONS)
                found = chosen(program, ())
                lines = _lines_of(part.padded, program, [each.name for each in found])
        except InputError as error:
            (without if isinstance(error, NoFunctionError) else errors).append(error_line(error, part.line + 1))
            continue
        functions += [_Function(program, *each) for each in zip(found, lines, strict=True)]
    return _Read(tuple(functions), tuple(errors if functions or errors else without[:1]))


def _lines_of(text: str, program: Program, names: Sequence[str]) -> list[_Lines]:
    """Return the lines of some functions of a program."""
    lines = text.split("\n")
    starts = sorted({each.location.line for each in program.functions.values()})
    is_plain = 0 not in starts and len(starts) == len(program.functions) and not any(each in text for each in _SHARED)
    before = [each for each in lines[: starts[0] - 1] if not _NOTHING.match(each)] if starts else []
    shared = "\n".join((*before, *(each for each in lines if _ALIAS.match(each))))
    symbols = [each.group(1).strip('"') for each in _SYMBOL.finditer(text)]
    found: list[_Lines] = []
    for name in names:
        first = program.functions[name].location.line
        end = next((each for each in starts if each > first), len(lines) + 1)
        last = end - 1
        while last > first and _NOTHING.match(lines[last - 1]):
            last -= 1
        own = "\n".join(lines[first - 1 : last])
        is_alone = is_plain and own.count("@") == 1 and symbols.count(name) == 1
        found.append(_Lines(name, first, end, (name, shared, own) if is_alone else (name, str(first), text)))
    return found


def _function_analysis(program: Program, function: Function) -> tuple[Analysis, Report]:
    """Check one function, and return its findings, and the report for its changes."""
    with collector_paused():
        report = _report(program, function)
        diagnosis = diagnose(report, REQUEST)
    examples: list[Counterexample] = []
    for each in report.checked_obligations:
        if isinstance(each.verdict, Refuted):
            place = each.obligation.location
            sizes = arguments_in_short(report.functions[0].trace, each.verdict.sizes)
            examples.append(Counterexample(place.line, place.column, sizes))
    return Analysis(tuple(report_lines(diagnosis)), tuple(examples)), report


def _report(program: Program, function: Function) -> Report:
    return check_program(program, replace(OPTIONS, functions=(function.name,)))


def _changes(report: Report) -> tuple[Change, ...]:
    """Return the changes that can be offered for the functions of a report."""
    stated = {each.name: suggestions_of(report, each, Requirements(each)).assumptions for each in report.functions}
    fixes = precondition_insertions(report.program, stated)
    return tuple(Change(name, stated[name], fix) for name, fix in fixes.items())


def _moved(part: _Part, by: int) -> _Part:
    """Return an analysis for the same text so many lines below, in another file."""
    if not by:
        return replace(part, report=None)
    found, shapes = part.analysis, part.shapes
    moved = Analysis(
        tuple(replace(each, line=each.line + by) for each in found.findings),
        tuple(replace(each, line=each.line + by) for each in found.counterexamples),
        changes=tuple(
            replace(each, insertion=replace(each.insertion, line=each.insertion.line + by)) for each in found.changes
        ),
    )
    if shapes is not None:
        shapes = tuple(replace(each, location=replace(each.location, line=each.location.line + by)) for each in shapes)
    return _Part(part.first + by, moved, None, shapes)


def _together(parts: Sequence[_Part], errors: Sequence[FindingLine], *, is_checked: bool = True) -> Analysis:
    """Return the analyses of functions as one, with the reasons why other parts cannot be read."""
    found = [each.analysis for each in parts]
    return Analysis(
        (*errors, *(each for some in found for each in some.findings)),
        tuple(each for some in found for each in some.counterexamples),
        tuple(sorted((each.first, each.shapes) for each in parts if each.shapes is not None)),
        tuple(each for some in found for each in some.changes),
        is_checked,
    )
