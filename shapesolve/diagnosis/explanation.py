"""Explanations of obligations: their requirement, the path to them, and the values of a counterexample in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.report import FunctionReport, Report
from shapesolve.diagnosis.diagnosis import FunctionDiagnosis, diagnose_obligations
from shapesolve.diagnosis.suggestions import path_conditions
from shapesolve.ir.control_flow import places_in
from shapesolve.ir.program import Location, Operation, Program, Value
from shapesolve.records import record, value_record
from shapesolve.solver.verdicts import Refuted, Undecided
from shapesolve.symbolic.evaluation import Sizes
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.trace.concretization import value_at
from shapesolve.trace.events import Trace


@value_record
class Step:
    """Value computed at the sizes of a counterexample.

    Attributes:
        name: SSA name.
        value: The value, as text.
        op: Name of the defining operation; empty for an argument.
        location: Location of the defining operation.
    """

    name: str
    value: str
    op: str
    location: Location | None


@record
class Explained:
    """Explanation of one obligation.

    Attributes:
        diagnosis: The requirements of the obligations of its function that are explained.
        checked_obligation: The obligation with its verdict.
        path: The condition under which it is reached; None where that is not modeled exactly.
        steps: The values on the way to its operation at the sizes of its counterexample, if it has one.
        query: The first query to the solver, if it was requested.
    """

    diagnosis: FunctionDiagnosis
    checked_obligation: CheckedObligation
    path: Formula | None
    steps: tuple[Step, ...]
    query: str | None = None


def explained(
    report: Report,
    function: FunctionReport,
    checked_obligations: Sequence[CheckedObligation],
    queries: Sequence[str | None],
) -> list[Explained]:
    """Explain some obligations of one function, each with the query that its claim came to."""
    diagnosis = diagnose_obligations(report, function, checked_obligations)
    paths = path_conditions(function.trace)
    return [
        Explained(diagnosis, each, paths[each.obligation], _steps(report.program, function.trace, each), query)
        for each, query in zip(checked_obligations, queries, strict=True)
    ]


def _steps(program: Program, trace: Trace, checked_obligation: CheckedObligation) -> tuple[Step, ...]:
    verdict = checked_obligation.verdict
    refuted = verdict.candidate if isinstance(verdict, Undecided) else verdict
    if not isinstance(refuted, Refuted):
        return ()
    return tuple(steps_to(program, trace, checked_obligation.obligation.op, refuted.sizes))


def steps_to(program: Program, trace: Trace, op: Operation, sizes: Sizes) -> list[Step]:
    """Return the values that an operation's operands come from, in program order, as far as the sizes decide them."""
    makers = places_in(program).makers
    needed = _needed(op, makers)
    steps: list[tuple[int, Step]] = []
    for value in needed:
        if value not in trace.values:
            continue
        shown = value_at(value.type, trace.values[value], sizes)
        if shown is None:
            continue
        maker = makers.get(value)
        number = -1 if maker is None else maker.number
        where = None if maker is None else maker.location
        steps.append((number, Step(value.name, shown, "" if maker is None else maker.name, where)))
    return [step for _, step in sorted(steps, key=lambda each: each[0])]


def _needed(op: Operation, makers: Mapping[Value, Operation]) -> list[Value]:
    """Return all values that an operation's operands come from, with those used inside its regions."""
    found: dict[Value, None] = {}
    waiting = [operand for inner in op.walk() for operand in inner.operands]
    while waiting:
        value = waiting.pop()
        if value in found:
            continue
        found[value] = None
        maker = makers.get(value)
        if maker is not None:
            waiting.extend(operand for inner in maker.walk() for operand in inner.operands)
    return list(found)
