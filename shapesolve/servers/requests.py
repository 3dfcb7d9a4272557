"""Answers to single requests about a text: the verdicts at a line, the facts behind them, and the text rewritten."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from io import StringIO
from typing import Literal, TypeVar

from shapesolve import api
from shapesolve.checker.report import Report
from shapesolve.diagnosis.explanation import Explained, explained
from shapesolve.errors import InputError, NoFunctionError, plural
from shapesolve.ir.program import Location
from shapesolve.ir.split_files import MARKER, Part, split_text
from shapesolve.options import Options
from shapesolve.reports.explanation import (
    Place,
    at_place,
    errors_at_place,
    print_explanation,
    print_nothing_here,
    print_returned_errors,
)
from shapesolve.reports.page import Page
from shapesolve.solver.verdicts import Proved, Unreachable

Answer = TypeVar("Answer")

Rewriting = Literal["prune", "harden"]
"""Without the runtime checks that are proved; or with one before each operation that may fail."""

CHECKS = re.compile(r"\b(cf\.assert|shape\.cstr_\w+|shape\.assuming\w*|shape_assertion)\b")
"""Text of operations that `prune` may remove."""

_FUNCTION = re.compile(r"^\s*(?:func\.)?func\b[^@\n]*@([\w$.\-]+)")


def source_text(program: str) -> str:
    """Return a text with a line break, without which it would be taken for a path."""
    return program if program.endswith("\n") else f"{program}\n"


def by_module(program: str, answer: Callable[[str], Answer]) -> Iterator[tuple[int, Answer | InputError]]:
    """Yield the answers about the modules of a text that lines ``// -----`` separate, each with its first line.

    The answer about one that cannot be read is its error. Those without a function are left out, unless there is no
    other.

    Raises:
        InputError: The text is one module, and cannot be read; or no module has a function.
    """
    parts = [each for each in split_text(program) if each.text.strip()] or [Part(program, 0)]
    if len(parts) == 1:
        yield _first_line(parts[0]), answer(source_text(parts[0].padded))
        return
    is_any = False
    for each in parts:
        try:
            found: Answer | InputError = answer(source_text(each.padded))
        except NoFunctionError:
            continue
        except InputError as error:
            found = error
        is_any = True
        yield _first_line(each), found
    if not is_any:
        raise NoFunctionError("no module of this text has a function, so there is nothing to check")


def by_module_pair(
    source: str, target: str, answer: Callable[[str, str], Answer]
) -> Iterator[tuple[int, Answer | InputError]]:
    """Yield the answers about the modules of two texts, pair after pair, each with the first line of the source's.

    Raises:
        InputError: The texts have different numbers of modules, or one each, of which one cannot be read.
    """
    ours, theirs = ([each for each in split_text(text) if each.text.strip()] for text in (source, target))
    if len(ours) < 2 and len(theirs) < 2:
        yield 1, answer(source, target)
        return
    if len(ours) != len(theirs):
        counts = f"{plural(len(ours), 'module')}, and the target {plural(len(theirs), 'module')}"
        raise InputError(f"the source has {counts}; modules are compared one by one, in their order")
    for a, b in zip(ours, theirs, strict=True):
        try:
            found: Answer | InputError = answer(a.padded, b.padded)
        except InputError as error:
            found = error
        yield _first_line(a), found


def _first_line(part: Part) -> int:
    """Return the line of a part's first text, counted from 1."""
    text = part.padded
    return text.count("\n", 0, len(text) - len(text.lstrip())) + 1


def explain_line(program: str, line: int, assume: Sequence[str] = (), *, width: int = 100) -> str:
    """Return the explanation of the verdicts at a line: the facts of a proof, or a counterexample step by step.

    Raises:
        InputError: For a text that cannot be read.
    """
    options = Options(assumptions=tuple(assume), execute=False, keep_derivations=True)
    report = _report(program, line, options)
    place = Place(report.program.file, line)
    found: list[Explained] = []
    for function in report.functions:
        here = [obligation for owner, obligation in at_place(report, place) if owner is function]
        found += explained(report, function, here, [None] * len(here))
    stream = StringIO()
    page = Page(stream, color="never", width=width)
    errors = errors_at_place(report, place)
    print_returned_errors(report, errors, page)
    if found:
        print_explanation(report, found, page)
    elif not errors:
        print_nothing_here(report, place, page)
    return stream.getvalue()


def locations_of_facts(program: str, line: int) -> list[Location]:
    """Return where the facts stand that decide the claims at a line, in the order of the lines.

    Raises:
        InputError: For a text that cannot be read.
    """
    report = _report(program, line, Options(execute=False))
    found: dict[tuple[int, int], Location] = {}
    for _, each in at_place(report, Place(report.program.file, line)):
        if isinstance(each.verdict, Proved | Unreachable):
            for fact in each.verdict.facts:
                if fact.location is not None and fact.has_line and fact.location.line != line:
                    found.setdefault((fact.location.line, fact.location.column), fact.location)
    return [found[each] for each in sorted(found)]


def rewritten(program: str, how: Rewriting, options: Options | None = None, *, is_partial: bool = False) -> str:
    """Return a program pruned or hardened; the text itself if that changes nothing.

    A module of several that has no function, or if is_partial that cannot be read, stays as it is.

    Raises:
        InputError: For a text that cannot be read.
    """
    parts = split_text(program)
    if len(parts) == 1:
        return api.prune(source_text(program), harden=how == "harden", options=options).text
    texts = [_rewritten_part(each, how, options, is_partial=is_partial) for each in parts]
    if texts == [each.text for each in parts]:
        return program
    return f"{MARKER}\n".join([*map(source_text, texts[:-1]), texts[-1]])


def _rewritten_part(part: Part, how: Rewriting, options: Options | None, *, is_partial: bool) -> str:
    given = source_text(part.padded)
    try:
        found = api.prune(given, harden=how == "harden", options=options).text
    except NoFunctionError:
        return part.text
    except InputError:
        if is_partial or not part.text.strip():
            return part.text
        raise
    return part.text if found == given else found


def _part_at(program: str, line: int) -> str:
    """Return the module of a text that a line stands in, at its lines."""
    parts = split_text(program)
    return next(each for each in (*reversed(parts[1:]), parts[0]) if each is parts[0] or each.line < line).padded


def _report(program: str, line: int, options: Options) -> Report:
    """Check the function that a line stands in; all of them, where it is not known which one that is."""
    program = _part_at(program, line)
    above = program.split("\n")[:line]
    names = [found[1] for each in reversed(above) if (found := _FUNCTION.match(each)) is not None]
    text = source_text(program)
    return api.check(text, options=replace(options, functions=tuple(names[:1])) if names else options)
