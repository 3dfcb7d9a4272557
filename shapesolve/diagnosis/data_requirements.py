"""Requirements of obligations that nothing but data decides, as conditions on each element ``x`` of a tensor."""

from __future__ import annotations

import math
from collections.abc import Sequence

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.report import FunctionReport
from shapesolve.domain.fresh_variables import element_of, is_named_value
from shapesolve.domain.values import Tensor
from shapesolve.errors import InputError
from shapesolve.interpreter.element_bounds import CONTENTS, ElementBounds
from shapesolve.interpreter.inputs import scope_of
from shapesolve.preconditions.functions import argument_name
from shapesolve.reasons import DataDependence, merged
from shapesolve.records import value_record
from shapesolve.simplification.readable import readable_claim
from shapesolve.solver import budgets
from shapesolve.solver.entailment import entails_each_part, not_implied
from shapesolve.solver.verdicts import Undecided
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import ONE, Dim, variable
from shapesolve.symbolic.formula_kinds import TRUE, Formula, Or
from shapesolve.symbolic.formulas import conjunction, conjuncts, disjunction, equal, negation
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.symbolic.visitors import Instantiation


@value_record
class DataRequirement:
    """Requirement on data.

    Attributes:
        data: The data that decides it.
        condition: The required condition, if it has names for all that it is about; ``x`` is each element.
        is_of_elements: Whether the condition is one on each element of a tensor.
        tensor: The name of that tensor, if it is not named by ``data``.
        covered: Number of obligations, from the first one on, that it covers.
        assumption: The text for ``--assume`` that states it of all elements of an argument; "" if there is none.
    """

    data: DataDependence
    condition: Formula | None = None
    is_of_elements: bool = False
    tensor: str = ""
    covered: int = 1
    assumption: str = ""

    @property
    def text(self) -> str:
        """The requirement: ``depends on the data of %ids: needs x >= 0 for each element x``."""
        whose = f" of {self.tensor}" if self.tensor else ""
        needs = "" if self.condition is None else f": needs {readable_claim(self.condition)}"
        return f"{self.data}{needs}{f' for each element x{whose}' if self.is_of_elements else ''}"


def data_requirement(function: FunctionReport, checked_obligations: Sequence[CheckedObligation]) -> DataRequirement:
    """Return the requirement on data that decides the first of some claims, and as many after it as it covers."""
    first = checked_obligations[0]
    assert isinstance(first.verdict, Undecided)
    whose = merged(each for each in first.verdict.unmodeled if isinstance(each, DataDependence))
    element = _element(function, first)
    if element is None:
        claim = first.obligation.claim
        others = claim.variables - set(function.trace.input_variables)
        condition = claim if others and all(map(is_named_value, others)) else None
        return DataRequirement(whose, condition, assumption=_stated_of_extracted(function, condition))
    selected: list[CheckedObligation] = []
    for each in checked_obligations:
        if _element(function, each) is not element:
            break
        selected.append(each)
    known = [fact.formula for fact in function.assumptions]
    parts = [part for each in selected for part in conjuncts(_of_each(function, each.obligation.claim, element))]
    whole = conjunction(not_implied([_under(part, known, element) for part in parts], known, budgets.BRIEF))
    named = Instantiation({element: variable("x", element.lower, element.upper)}).formula(whole)
    name = _tensor_name_of(element)
    arguments = [argument_name(function.trace.function, index) for index, _ in enumerate(function.trace.inputs)]
    if name in arguments:  # `unknown_contents_reason` also names tensors whose data may make something fail before
        text = _stated_of_all(function, name, whole, element)
        return DataRequirement(DataDependence((f"%{name}",)), named, True, covered=len(selected), assumption=text)
    return DataRequirement(whose, named, is_of_elements=True, tensor=f"%{name}", covered=len(selected))


def _under(part: Formula, known: Sequence[Formula], element: Variable) -> Formula:
    """Return a disjunction without the cases that the known facts exclude."""
    if not isinstance(part, Or):
        return part
    kept = [
        each
        for each in part.parts
        if element in each.variables or not entails_each_part(negation(each), known, budgets.BRIEF)
    ]
    return disjunction(kept) if kept else part


def _stated_of_all(function: FunctionReport, name: str, condition: Formula, element: Variable) -> str:
    """Return the text for ``--assume`` that states a condition of all elements of an argument, or "" if none does."""
    trace = function.trace
    every = variable(f"{name}{CONTENTS}", element.lower, element.upper)
    text = readable_claim(Instantiation({element: every}).formula(condition))
    try:
        stated = ElementBounds(trace.function, trace.inputs, {}).stated(text, scope_of(trace), InputError(text))
    except InputError:
        return ""
    return text if stated is TRUE else ""


def _stated_of_extracted(function: FunctionReport, condition: Formula | None) -> str:
    """Return such a text for a condition on a number that is read from an argument, or "" if none does."""
    if condition is None:
        return ""
    others = condition.variables - set(function.trace.input_variables)
    if len(others) != 1:
        return ""
    (number,) = others
    arguments = function.trace.function.arguments
    for op in function.trace.function.operation.walk():
        if op.name == "tensor.extract" and op.results[0].name == number.name and op.operands[0] in arguments:
            name = argument_name(function.trace.function, arguments.index(op.operands[0]))
            return _stated_of_all(function, name, condition, number)
    return ""


def _tensor_name_of(element: Variable) -> str:
    """Return the name of the tensor that an element belongs to, without its sigil."""
    return (element_of(element) or "").lstrip("%")


def _element(function: FunctionReport, checked_obligation: CheckedObligation) -> Variable | None:
    """Return the element that is the only variable of a claim besides the inputs, or None."""
    others = checked_obligation.obligation.claim.variables - set(function.trace.input_variables)
    found = next(iter(others)) if len(others) == 1 else None
    return found if found is not None and element_of(found) is not None else None


def _of_each(function: FunctionReport, claim: Formula, element: Variable) -> Formula:
    """Return a claim on an element of an argument, without the case that the argument is empty."""
    count = _count(function, element)
    if count is None or not isinstance(claim, Or):
        return claim
    nothing = equal(count, 0)
    parts = [
        each
        for each in claim.parts
        if element in each.variables or not entails_each_part(nothing, [each], budgets.BRIEF)
    ]
    return disjunction(parts) if any(element in each.variables for each in parts) else claim


def _count(function: FunctionReport, element: Variable) -> Dim | None:
    """Return the number of elements of the argument that an element belongs to, or None if it is not known."""
    for index, value in enumerate(function.trace.inputs):
        name = argument_name(function.trace.function, index)
        if name == _tensor_name_of(element) and isinstance(value, Tensor) and isinstance(value.shape, RankedShape):
            return math.prod(value.shape.dims, start=ONE)
    return None
