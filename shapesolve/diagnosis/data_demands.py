"""Demands on data, as text: on each element ``x`` of a tensor, whatever the sizes are."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.report import FunctionReport
from shapesolve.domain.fresh_variables import ELEMENT
from shapesolve.domain.values import Tensor
from shapesolve.preconditions.functions import argument_name
from shapesolve.reasons import DataDependence, merged
from shapesolve.records import value_record
from shapesolve.simplification.readable import readable_claim
from shapesolve.solver.entailment import each_part_follows, not_implied
from shapesolve.solver.verdicts import Undecided
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import ONE, Dim, variable
from shapesolve.symbolic.formula_kinds import Formula, Or
from shapesolve.symbolic.formulas import conjunction, conjuncts, disjunction, equal, negation
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.symbolic.visitors import Instantiation

_BUDGET = 20_000
_NAMED = re.compile(r"%[\w$]+")


@value_record
class DataDemand:
    """A demand on data, as text. ``covered`` counts the obligations, from the first one on, that it speaks of."""

    text: str
    covered: int = 1


def data_demand(function: FunctionReport, judgements: Sequence[CheckedObligation]) -> DataDemand:
    """Return the demand on the data that decides the first of some claims, and as many after it as it covers."""
    first = judgements[0]
    assert isinstance(first.verdict, Undecided)
    whose = merged(each for each in first.verdict.not_modelled if isinstance(each, DataDependence))
    element = _element(function, first)
    if element is None:
        return DataDemand(f"{whose}{_of_named(function, first.obligation.claim)}")
    said: list[CheckedObligation] = []
    for each in judgements:
        if _element(function, each) is not element:
            break
        said.append(each)
    known = [fact.formula for fact in function.assumptions]
    parts = [part for each in said for part in conjuncts(_of_each(function, each.obligation.claim, element))]
    whole = conjunction(not_implied([_under(part, known, element) for part in parts], known, _BUDGET))
    named = Instantiation({element: variable("x", element.lower, element.upper)}).formula(whole)
    argument = _argument_of(function, element)
    if argument is not None:  # that something else fails before, for other data, is not what is needed here
        return DataDemand(f"{DataDependence((argument,))}: needs {readable_claim(named)} for each element x", len(said))
    text = f"{whose}: needs {readable_claim(named)} for each element x of %{_held_by(element)}"
    return DataDemand(text, len(said))


def _of_named(function: FunctionReport, claim: Formula) -> str:
    """What a claim needs of values that the program has names for; "" where it is about others, too."""
    others = claim.variables - set(function.trace.input_variables)
    is_named = others and all(_NAMED.fullmatch(each.text) for each in others)
    return f": needs {readable_claim(claim)}" if is_named else ""


def _under(part: Formula, known: Sequence[Formula], element: Variable) -> Formula:
    """What a demand comes to where the known holds: without the cases that this excludes."""
    if not isinstance(part, Or):
        return part
    kept = [
        each
        for each in part.parts
        if element in each.variables or not each_part_follows(negation(each), known, _BUDGET)
    ]
    return disjunction(kept) if kept else part


def _argument_of(function: FunctionReport, element: Variable) -> str | None:
    """The argument that an element is of, if it is of one."""
    arguments = (argument_name(function.trace.function, index) for index, _ in enumerate(function.trace.inputs))
    return next((f"%{name}" for name in arguments if name == _held_by(element)), None)


def _held_by(element: Variable) -> str:
    """The name of the tensor that an element is of."""
    return element.text.partition(ELEMENT)[0].lstrip("%")


def _element(function: FunctionReport, judgement: CheckedObligation) -> Variable | None:
    """The one element that a claim is about, if it is about one, and no more is unknown."""
    others = judgement.obligation.claim.variables - set(function.trace.input_variables)
    found = next(iter(others)) if len(others) == 1 else None
    return found if found is not None and ELEMENT in found.text else None


def _of_each(function: FunctionReport, claim: Formula, element: Variable) -> Formula:
    """A claim on an element of an argument, without the words that there is one."""
    count = _count(function, element)
    if count is None or not isinstance(claim, Or):
        return claim
    nothing = equal(count, 0)
    parts = [
        each for each in claim.parts if element in each.variables or not each_part_follows(nothing, [each], _BUDGET)
    ]
    return disjunction(parts) if any(element in each.variables for each in parts) else claim


def _count(function: FunctionReport, element: Variable) -> Dim | None:
    """How many elements the argument has that an element is of."""
    for index, value in enumerate(function.trace.inputs):
        name = argument_name(function.trace.function, index)
        meant = element.text.lstrip("%").startswith(f"{name}{ELEMENT}")
        if meant and isinstance(value, Tensor) and isinstance(value.shape, RankedShape):
            return math.prod(value.shape.dims, start=ONE)
    return None
