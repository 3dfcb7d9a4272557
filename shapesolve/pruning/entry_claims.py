"""Claims, requirements and overflow assumptions of the operations of all entry points."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.checker.check import trace_of
from shapesolve.domain.values import Tensor
from shapesolve.ir.control_flow import call_graph, called_function, reachable_functions
from shapesolve.ir.program import Function, Location, Operation, Program, Value
from shapesolve.options import Options
from shapesolve.preconditions.functions import chosen
from shapesolve.pruning.call_coverage import CallCoverage
from shapesolve.solver import budgets
from shapesolve.solver.entailment import entails
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.trace.events import Kind, OverflowAssumption, Trace


def _rerun_functions(program: Program, trace: Trace) -> set[Function]:
    """Return the functions that run more often than they were interpreted: one trace covers several calls."""
    again = {called_function(program, op) for op, times in trace.reused.items() if times}
    bodies = [each for each in program.functions.values() if each.body is not None]
    return (
        reachable_functions({each for each in again if each is not None}, call_graph(program, bodies))
        if again
        else set()
    )


class EntryClaims:
    """Claims, requirements and overflow assumptions of operations that are interpreted exactly once."""

    def __init__(self, program: Program, options: Options) -> None:
        traces = [trace_of(program, each, options) for each in chosen(program, options.functions)]
        self._completeness = CallCoverage(program, traces)
        self._times: dict[Operation, int] = {}
        self._checks: dict[Operation, list[Formula]] = {}
        self._demands: dict[Operation, list[Formula]] = {}
        self._no_overflow: dict[Location, list[Formula]] = {}
        self._unknown = {(each.op, each.location) for trace in traces for each in trace.approximations}
        self._traces = traces
        for trace in traces:
            for op, times in trace.reached.items():
                self._times[op] = self._times.get(op, 0) + times
            for function in _rerun_functions(program, trace):
                for op in program.symbols.operations(function):
                    self._times[op] = self._times.get(op, 0) + 1
            for each in trace.obligations:
                kind = self._checks if each.kind is Kind.CHECK else self._demands
                kind.setdefault(each.op, []).append(each.claim)
            for event in trace.events:
                if isinstance(event, OverflowAssumption) and event.location is not None:
                    self._no_overflow.setdefault(event.location, []).append(event.formula)

    def assumed(self, op: Operation) -> list[Formula]:
        """Return the assumptions on the inputs wherever an operation runs; other functions may use the same names."""
        (trace,) = (each for each in self._traces if op in each.reached)
        return [fact.formula for fact in trace.assumptions]

    def claims(self, op: Operation) -> list[Formula] | None:
        """Return the claims of a check; None if they are not known, or the operation has other requirements."""
        if not self._is_seen_once(op) or op in self._demands:
            return None
        return self._checks.get(op)

    def may_run(self, op: Operation, facts: Sequence[Formula]) -> bool:
        """Return whether an operation is always defined, and does not wrap around where the facts hold."""
        if not self._is_seen_once(op) or op in self._checks:
            return False
        if not all(each is TRUE or entails(each, budget=budgets.MEDIUM) for each in self._demands.get(op, ())):
            return False
        return all(entails(each, facts, budget=budgets.MEDIUM) for each in self._no_overflow.get(op.location, ()))

    def may_be_no_shapes(self, op: Operation) -> frozenset[Value]:
        """Return the operands that hold sizes only as is assumed where an operation takes them for shapes."""
        held = {each: trace.values.get(each) for trace in self._traces if op in trace.reached for each in op.operands}
        return frozenset(
            each for each, value in held.items() if isinstance(value, Tensor) and value.holds_sizes is not TRUE
        )

    def _is_seen_once(self, op: Operation) -> bool:
        """Return whether one interpretation of an operation says all that is known of every run of it."""
        is_known = (op.name, op.location) not in self._unknown
        return self._times.get(op) == 1 and is_known and self._completeness.missing(op) is None
