"""Explanations of obligations: their requirement, the path to them, and the values of a counterexample in order."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.report import FunctionReport, Report
from shapesolve.diagnosis.diagnosis import FunctionDiagnosis, diagnose_obligations
from shapesolve.diagnosis.needed_conditions import path_conditions
from shapesolve.ir.control_flow import places_in
from shapesolve.ir.program import Location, Operation, Program, Value
from shapesolve.records import record, value_record
from shapesolve.shape_inference.value_shapes import abstract_text
from shapesolve.simplification.readable import readable_claim
from shapesolve.solver.verdicts import Proved, Refuted, Undecided
from shapesolve.symbolic.derivation_text import DerivationText
from shapesolve.symbolic.evaluation import Sizes
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.trace.concretization import value_at, with_source_names
from shapesolve.trace.events import IterationNumber, Obligation, Trace
from shapesolve.trace.visitor import enclosing_regions

_NAMES = re.compile(r"(%[\w.$-]+)(?:'\d+)?")
"""A name of a value, with the number that tells it apart from others of that name."""


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
        exactly: The claim by the names of the source, "" where the requirement says the same.
        path: The condition under which it is reached; None where that is not modeled exactly.
        raised: The claim as the rule of its operation raised it, if the report keeps derivations.
        steps: The values on the way to its operation at the sizes of its counterexample, if it has one.
        values: The values on the way to its operation in terms of the inputs, if it is proved.
        query: The first query to the solver, if it was requested.
        iterations: The iterations that it is raised in, the outermost first, of loops whose bodies are interpreted
            once for each.
    """

    diagnosis: FunctionDiagnosis
    checked_obligation: CheckedObligation
    exactly: str
    path: Formula | None
    raised: str | None
    steps: tuple[Step, ...]
    values: tuple[Step, ...]
    query: str | None = None
    iterations: tuple[IterationNumber, ...] = ()


def explained(
    report: Report,
    function: FunctionReport,
    checked_obligations: Sequence[CheckedObligation],
    queries: Sequence[str | None],
) -> list[Explained]:
    """Explain some obligations of one function, each with the query that its claim came to."""
    diagnosis = diagnose_obligations(report, function, checked_obligations)
    paths = path_conditions(function.trace)
    iterations = iterations_of(function.trace)
    texts = None if function.derivations is None else DerivationText(function.derivations)
    found: list[Explained] = []
    for each, query in zip(checked_obligations, queries, strict=True):
        obligation = each.obligation
        raised = None if texts is None else texts.raised(obligation.claim, obligation.built_by)
        is_proved = isinstance(each.verdict, Proved)
        is_last = _is_of_last_visit(function.trace, obligation, iterations)
        values = tuple(symbolic_steps(report.program, function.trace, obligation.op)) if is_proved and is_last else ()
        steps = _steps(report.program, function.trace, each) if is_last else ()
        inside = iterations[obligation]
        claim, requirement = with_source_names(obligation.claim, function.trace), diagnosis.requirements[each]
        exactly = "" if requirement in (str(claim), readable_claim(claim)) else str(claim)
        found.append(Explained(diagnosis, each, exactly, paths[obligation], raised, steps, values, query, inside))
    return found


def iterations_of(trace: Trace) -> dict[Obligation, tuple[IterationNumber, ...]]:
    """Return for every obligation the iterations that it is raised in, the outermost first."""
    return {
        obligation: tuple(each.enter.iteration for each in around if each.enter.iteration is not None)
        for obligation, around in enclosing_regions(trace).items()
    }


def _is_of_last_visit(
    trace: Trace, obligation: Obligation, iterations: Mapping[Obligation, tuple[IterationNumber, ...]]
) -> bool:
    """Return whether the values that a trace has of an operation are those at its obligation, not of a later visit."""
    if trace.reached.get(obligation.op, 1) <= 1:
        return True
    last = next(each for each in reversed(trace.obligations) if each.op is obligation.op)
    return last.calls == obligation.calls and iterations[last] == iterations[obligation]


def _steps(program: Program, trace: Trace, checked_obligation: CheckedObligation) -> tuple[Step, ...]:
    verdict = checked_obligation.verdict
    refuted = verdict.candidate if isinstance(verdict, Undecided) else verdict
    if not isinstance(refuted, Refuted):
        return ()
    return tuple(steps_to(program, trace, checked_obligation.obligation.op, refuted.sizes))


def steps_to(program: Program, trace: Trace, op: Operation, sizes: Sizes) -> list[Step]:
    """Return the values that an operation's operands come from, in program order, as far as the sizes decide them."""
    return _steps_with(program, trace, op, lambda value: value_at(value.type, trace.values[value], sizes))


def symbolic_steps(program: Program, trace: Trace, op: Operation) -> list[Step]:
    """Return the computed values that an operation's operands come from, in terms of the inputs, in program order."""
    found = _steps_with(program, trace, op, lambda value: abstract_text(value, trace.values[value]))
    return _with_plain_names([each for each in found if each.op])


def _with_plain_names(steps: Sequence[Step]) -> list[Step]:
    """Return the steps with `%x` for the third value of that name, `%x'3`, where no other `%x` is in them."""
    versions: dict[str, set[str]] = {}
    for each in steps:
        for found in _NAMES.finditer(each.value):
            versions.setdefault(found[1], set()).add(found[0])
    return [
        replace(each, value=_NAMES.sub(lambda found: found[1 if len(versions[found[1]]) == 1 else 0], each.value))
        for each in steps
    ]


def _steps_with(program: Program, trace: Trace, op: Operation, shown: Callable[[Value], str | None]) -> list[Step]:
    makers = places_in(program).makers
    steps: list[tuple[int, Step]] = []
    for value in _needed(op, makers):
        text = shown(value) if value in trace.values else None
        if text is None:
            continue
        maker = makers.get(value)
        number = -1 if maker is None else maker.number
        where = None if maker is None else maker.location
        steps.append((number, Step(value.name, text, "" if maker is None else maker.name, where)))
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
