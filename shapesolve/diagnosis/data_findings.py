"""Findings on data that one operation of a model makes several times, such as once for each part of a loss."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace

from shapesolve.checker.report import FunctionReport
from shapesolve.diagnosis.findings import Finding
from shapesolve.ir.program import Operation
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, of_atom
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.visitors import Instantiation


def joined_by_data(function: FunctionReport, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Join findings that require the same of data at one operation of the model.

    The values that they speak of count as the same where one operation of the model makes them.
    """
    makers = {result.name: op for op in function.trace.function.operation.walk() for result in op.results}
    joined: dict[Hashable, Finding] = {}
    for number, finding in enumerate(findings):
        key = _requirement(finding, makers) or number
        before = joined.get(key)
        joined[key] = finding if before is None else _union(before, finding)
    return tuple(joined.values())


def _requirement(finding: Finding, makers: Mapping[str, Operation]) -> Hashable | None:
    """Return the operation of the model and what it requires of data; None for another finding."""
    origin, data = finding.first.obligation.op.origin, finding.data
    if data is None or origin is None or not origin.file or data.covered != len(finding.checked_obligations):
        return None

    def place(name: str) -> str:
        op = makers.get(name)
        return name if op is None or op.origin is None else f"{op.origin} {op.origin.operation}"

    whose = replace(data.data, arguments=tuple(map(place, data.data.arguments)), value=place(data.data.value))
    condition = None if data.condition is None else _with_places(data.condition, place)
    return origin, replace(data, data=whose, condition=condition, tensor=place(data.tensor), covered=0)


def _with_places(condition: Formula, place: Callable[[str], str]) -> Formula:
    """Return a condition with values named by their places; different values of one place stay apart."""
    named: dict[Variable, Dim] = {}
    for number, each in enumerate(sorted(condition.variables, key=lambda each: each.text)):
        if (name := place(each.name)) != each.name:
            named[each] = of_atom(each.renamed(f"{name} {number}"))
    return Instantiation(named).formula(condition)


def _union(finding: Finding, other: Finding) -> Finding:
    assert finding.data is not None and other.data is not None
    together = (*finding.checked_obligations, *other.checked_obligations)
    return replace(finding, checked_obligations=together, data=replace(finding.data, covered=len(together)))
