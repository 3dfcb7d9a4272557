"""The conditions that a report or a contract says a function is safe under, on vectors of sizes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from fuzz.machine import Array, Ending, Run

from shapesolve.checker.report import FunctionReport
from shapesolve.contracts.contract import FunctionContract
from shapesolve.diagnosis.suggestions import suggestions
from shapesolve.interpreter.inputs import scope_of
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.parser import parse_formula

NAME = re.compile(r"(?P<argument>\w+)(?:\.values)?(?:\[(?P<index>\d+)\])?")


def exact_conditions(function: FunctionReport) -> list[Formula] | None:
    """The conditions that all hold exactly where the function is safe, typed back; None where nothing is said."""
    suggested = suggestions(function)
    if not suggested.exact:
        return None
    scope = scope_of(function.trace)
    return [parse_formula(text, scope) for text in suggested.assumptions]


def assignment(function: FunctionReport, vector: Sequence[Any]) -> dict[Variable, int] | None:
    """The sizes and numbers of a vector, by the variables of the inputs; None where one of them is not among these."""
    by_name = dict(zip((each.name.lstrip("%") for each in function.trace.function.arguments), vector, strict=True))
    found: dict[Variable, int] = {}
    for variable in function.trace.input_variables:
        match = NAME.fullmatch(variable.name)
        if match is None or match["argument"] not in by_name:
            return None
        given = by_name[match["argument"]]
        if isinstance(given, Array) and match["index"] is not None:
            source = given.elements() if ".values" in variable.name else given.shape
            if source is None:
                return None
            given = source[int(match["index"])]
        if not isinstance(given, int):
            return None
        found[variable] = given
    return found


def broken(function: FunctionReport, conditions: Sequence[Formula], vector: Sequence[Any], run: Run) -> str:
    """Return the difference of a run from the conditions; empty for none."""
    sizes = assignment(function, vector)
    if sizes is None or run.ending is Ending.OUTSIDE:
        return ""
    safe = all(holds(each, sizes) for each in conditions)
    if safe == (run.ending is Ending.RETURNED):
        return ""
    output = " and ".join(map(str, conditions))
    return f"{output} is {'true' if safe else 'false'}, and it {run.ending.value} at {run.place}"


def contradicts(contract: FunctionContract, vector: Sequence[Any], run: Run) -> str:
    """Return the difference of a run from a contract; empty for none."""
    sizes = assignment(contract.report, vector)
    if sizes is None or run.ending is Ending.OUTSIDE:
        return ""
    returned = run.ending is Ending.RETURNED
    if contract.hopeless:
        return "no sizes are safe, and it returned" if returned else ""
    safe = all(holds(each.formula, sizes) for each in contract.conditions)
    if contract.sufficient and safe and not returned:
        return f"{' and '.join(contract.texts)} is enough, and it {run.ending.value} at {run.place}"
    if contract.exact and not safe and returned:
        return f"{' and '.join(contract.texts)} is needed, and it returned"
    return ""
