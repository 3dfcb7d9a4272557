"""Extents of a function's values that are proved constant, and the shape of every value.

An extent is known where its value is made: from types, preconditions, branches and the checks that stand before. That
an operation was defined is assumed only of those that made the value, for without them there is no value; of others
only on request.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass

from shapesolve.checker.check import trace_of
from shapesolve.checker.checked_obligation import CheckedObligation, may_become_fact
from shapesolve.checker.obligation_checker import ObligationChecker, Policy, assume_inputs, prover_of, solver_of
from shapesolve.checker.report import ReturnedError, first_certain_failure
from shapesolve.checker.returned_errors import returned_errors
from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Function, Operation, Program, ShapedType, Value
from shapesolve.options import Options
from shapesolve.records import record
from shapesolve.solver.overflow_proofs import find_overflow_proofs
from shapesolve.solver.prover import Prover
from shapesolve.solver.verdicts import Proved
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.evaluation import evaluate
from shapesolve.symbolic.formulas import equal, negation
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.trace.events import Fact, Source, Trace
from shapesolve.trace.visitor import Around, Scope, handled_events


@record
class KnownExtent:
    """An extent that is one number for all sizes that reach the definition of its value.

    Attributes:
        value: The value.
        position: The dimension.
        number: The extent.
        facts: The facts that prove it.
    """

    value: Value
    position: int
    number: int
    facts: tuple[Fact, ...]


@record
class Inferred:
    """One function with the shapes of its values.

    Attributes:
        trace: Its trace.
        extents: The extents of every shaped value of known rank, simplified under what holds where it is made.
        known: The dynamic extents that are one number, outermost first.
        checked_obligations: The checked obligations.
        contradiction: Contradictory assumptions, if no sizes satisfy them.
        errors: The results that are errors in every call.
    """

    trace: Trace
    extents: Mapping[Value, tuple[Dim, ...]]
    known: Mapping[Value, tuple[KnownExtent, ...]]
    checked_obligations: tuple[CheckedObligation, ...]
    contradiction: tuple[Fact, ...]
    errors: tuple[ReturnedError, ...]

    @property
    def fails_for_all(self) -> CheckedObligation | None:
        """The first claim that fails for all sizes that reach it, if every admitted call must reach it."""
        return first_certain_failure(self.trace, self.checked_obligations)


def infer(program: Program, function: Function, options: Options) -> Inferred:
    """Infer the shapes of one function.

    Raises:
        InputError: The assumptions cannot be read.
    """
    trace = trace_of(program, function, options)
    find_overflow_proofs(trace)
    prover = prover_of(trace, solver_of(options), options)
    return _Inference(trace, prover, options).run()


@dataclass(slots=True, eq=False)
class _UnprovedClaim:
    """A claim that is neither a check nor proved: a fact only for the results of its operation."""

    op: Operation
    fact: Fact


class _UnprovedClaims:
    """Unproved claims in program order, collected while obligations are decided."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._open: list[_UnprovedClaim] = []
        self._depths: list[int] = []  # number of unproved claims when each region began
        self.about: set[Operation] = set()

    def becomes_fact(self, checked_obligation: CheckedObligation) -> bool:
        if may_become_fact(checked_obligation, self._options):
            return True
        obligation = checked_obligation.obligation
        self._open.append(_UnprovedClaim(obligation.op, obligation.as_fact()))
        self.about.add(obligation.op)
        return False

    def enter(self) -> None:
        self._depths.append(len(self._open))

    def leave(self) -> None:
        del self._open[self._depths.pop() :]

    def of(self, operations: Container[Operation]) -> list[Fact]:
        """Return the unproved claims that hold where these operations returned."""
        return [each.fact for each in self._open if each.op in operations]


class _Inference(ObligationChecker):
    def __init__(self, trace: Trace, prover: Prover, options: Options) -> None:
        self.unproved = _UnprovedClaims(options)  # apart, so that no cycle keeps the solver when this is done
        super().__init__(prover, Policy(becomes_fact=self.unproved.becomes_fact))
        self.trace = trace
        self.prover = prover
        self.extents: dict[Value, tuple[Dim, ...]] = {}
        self.known: dict[Value, tuple[KnownExtent, ...]] = {}
        self.upstream: dict[Value, frozenset[Operation]] = {}
        self.own = set(trace.function.operation.walk())  # and not of a function that it calls

    def run(self) -> Inferred:
        contradiction = assume_inputs(self.prover, self.trace)
        for argument in self.trace.function.arguments:
            self._infer_value(argument, is_own=True)
        checked_obligations = tuple(handled_events(self.trace, self, finished=self._visited))
        known = {} if contradiction else self.known
        errors = () if contradiction else returned_errors(self.trace)
        return Inferred(self.trace, self.extents, known, checked_obligations, contradiction, errors)

    def enter(self, scope: Scope, around: Around) -> None:
        super().enter(scope, around)
        self.unproved.enter()

    def leave(self, scope: Scope, around: Around) -> None:
        super().leave(scope, around)
        self.unproved.leave()

    def _visited(self, op: Operation) -> None:
        above = frozenset[Operation]().union(*(self.upstream.get(operand, frozenset()) for operand in op.operands))
        if op in self.unproved.about:
            above |= {op}
        is_own = op in self.own and self.trace.reached.get(op) == 1
        for result in op.results:
            self.upstream[result] = above
        self.prover.enter(None)
        for fact in self.unproved.of(above):
            self.prover.assume(fact)
        for result in op.results:
            self._infer_value(result, is_own=is_own)
        self.prover.leave(None)

    def _infer_value(self, value: Value, *, is_own: bool) -> None:
        """Determine the shape of a value.

        Args:
            is_own: Whether the result holds however the function is called.
        """
        found = self.trace.values.get(value)
        if not isinstance(found, Tensor) or not isinstance(found.shape, RankedShape):
            return
        if self.prover.reachable() is not None:
            self.extents[value] = found.shape.dims
            return
        extents: list[Dim] = []
        known: list[KnownExtent] = []
        for position, extent in enumerate(found.shape.dims):
            number = self._number(extent)
            if number is None:
                extents.append(self.prover.simplified_size(extent))
                continue
            extents.append(dim(number[0]))
            known.append(KnownExtent(value, position, *number))
        self.extents[value] = tuple(extents)
        if is_own:
            self.known[value] = tuple(known)

    def _number(self, extent: Dim) -> tuple[int, tuple[Fact, ...]] | None:
        """Return the one number that an extent can be here, with the facts; None if there are several."""
        if extent.is_constant:
            return (extent.constant, ()) if extent.constant >= 0 else None
        number = evaluate(extent, self.prover.sample())
        if number < 0 or self._may_differ(extent, number):
            return None
        verdict = self.prover.verdict_on(equal(extent, number), name=f"{extent} is {number}")
        return (number, verdict.facts) if isinstance(verdict, Proved) else None

    def _may_differ(self, extent: Dim, number: int) -> bool:
        """Return whether sizes that reach this point are found with another number for the extent."""
        self.prover.enter(None)
        self.prover.assume(Fact(negation(equal(extent, number)), Source.DEFINITION, "asked"))
        different = self.prover.reachable() is None
        self.prover.leave(None)
        return different


def is_open(value: Value, position: int) -> bool:
    """Return whether a value's type leaves an extent dynamic."""
    extents = value.type.extents if isinstance(value.type, ShapedType) else None
    return extents is None or extents[position] is None
