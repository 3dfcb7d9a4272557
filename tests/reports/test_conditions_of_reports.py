"""Test over all cases that every printed condition on the inputs can be parsed, and has the same meaning."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shapesolve.checker.report import FunctionReport
from shapesolve.diagnosis.requirements import Requirements, required
from shapesolve.errors import InputError
from shapesolve.interpreter.inputs import scope_of
from shapesolve.ir.reader import read_file
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.simplification.readable import readable_claim
from shapesolve.solver.verdicts import Refuted
from shapesolve.symbolic.atoms import ShapeSymbol
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.parser import parse_formula

ROOT = Path(__file__).parents[1] / "cases"
EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = sorted(ROOT.glob("*/*.mlir"))


def _agree(text: Formula, claim: Formula) -> bool:
    numbers = [(number, 3 - number % 2, 2) for number in range(6)]
    order = sorted(claim.variables | text.variables, key=lambda each: each.text)
    if any(isinstance(each, ShapeSymbol) for each in order):
        return True
    tried = ({each: row[place % 3] for place, each in enumerate(order)} for row in numbers)
    return all(holds(text, sizes) == holds(claim, sizes) for sizes in tried)


def _wrong(function: FunctionReport) -> list[str]:
    """Return the conditions that cannot be parsed or have another meaning."""
    scope, inputs = scope_of(function.trace), set(function.trace.input_variables)
    wrong: list[str] = []
    for checked_obligation in function.checked_obligations:
        claim = checked_obligation.obligation.claim
        if not claim.variables <= inputs:
            continue
        try:
            parse_formula(required(checked_obligation.obligation, checked_obligation.verdict, function.trace), scope)
            read = [parse_formula(text, scope) for text in (str(claim), readable_claim(claim))]
        except InputError as error:
            wrong.append(str(error))
            continue
        wrong += [f"{text} is not {claim}" for text in read if not _agree(text, claim)]
    return wrong


def _held_where_it_fails(function: FunctionReport) -> Iterator[str]:
    """Yield the printed requirements that hold at the sizes of a counterexample."""
    scope, requirements = scope_of(function.trace), Requirements(function)
    for checked_obligation in function.checked_obligations:
        verdict = checked_obligation.verdict
        if not isinstance(verdict, Refuted):
            continue
        text = requirements.text(checked_obligation)
        try:
            needed = parse_formula(text, scope)
        except InputError:  # not of the arguments alone
            continue
        if needed.variables <= verdict.sizes.keys() and holds(needed, verdict.sizes):
            yield f"{checked_obligation.obligation.location}: {text}, at {verdict.sizes}"


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_conditions_can_be_typed_back(path: Path) -> None:
    functions = check_program(read_file(str(path)), Options(execute=False)).functions
    assert [text for each in functions for text in _wrong(each)] == []
    assert [text for each in functions for text in _held_where_it_fails(each)] == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.mlir")), ids=lambda path: path.stem)
def test_requirements_are_false_where_the_claim_fails(path: Path) -> None:
    functions = check_program(read_file(str(path)), Options(execute=False)).functions
    assert [text for each in functions for text in _held_where_it_fails(each)] == []
