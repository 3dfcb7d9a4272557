"""Check of 64-bit arithmetic that wraps (`--check-wraps`), instead of the assumption that it does not.

Operations that are not proved not to wrap are looked at twice. Each is asked for sizes for which it is the first
to wrap. Then the function is interpreted anew, with results of these operations modulo 2^64, as those of narrower
integers always are: a claim that is proved there needs no assumption, and one that is refuted only there fails only
where something wraps. Operations that MLIR does not define to wrap, such as the counter of a loop, stay assumed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.obligation_checker import FactRecorder, assume_inputs, prover_of, solver_of
from shapesolve.checker.report import WrappingOperation
from shapesolve.ir.program import Location, Operation
from shapesolve.options import Options
from shapesolve.records import record
from shapesolve.solver.overflow_proofs import find_overflow_proofs
from shapesolve.solver.prover import Prover
from shapesolve.solver.verdicts import Detail, Proved, Refuted, Undecided, UndecidedReason, Verdict
from shapesolve.statistics import stage
from shapesolve.symbolic.evaluation import Sizes, holds_if_determined
from shapesolve.trace.assumed_overflow import OverflowProofs, overflow_proofs
from shapesolve.trace.events import Obligation, OverflowAssumption, Trace
from shapesolve.trace.visitor import Around, handled_events

MOST_ROUNDS = 3
"""Most interpretations with arithmetic that wraps: what earlier results bounded is followed in the next one."""

MOST_ASKED = 32
"""Most operations of a function that are asked for sizes for which they wrap."""

MOST_SMALL = 8
"""Most operations of a function for which the smallest such sizes are looked for: as many as reports show."""

Place = tuple[str, Location]
"""The name and the location of an operation."""

NOT_ASKED = f"only the first {MOST_ASKED} operations of a function are looked at"


@record
class WrappingCheck:
    """Result of checking a function with arithmetic that wraps.

    Attributes:
        trace: The trace in which the operations wrap that may.
        checked_obligations: Its checked obligations, in program order.
        operations: The operations that are not proved not to wrap.
    """

    trace: Trace
    checked_obligations: tuple[CheckedObligation, ...]
    operations: tuple[WrappingOperation, ...]


@stage("prove")
def check_wrapping(
    trace: Trace,
    checked_obligations: Sequence[CheckedObligation],
    options: Options,
    interpret: Callable[[frozenset[Place]], Trace],
    check: Callable[[Trace], Sequence[CheckedObligation]],
) -> WrappingCheck | None:
    """Check a function with arithmetic that wraps; None if all of it is proved not to.

    Args:
        trace: The trace in which nothing wraps.
        checked_obligations: The checked obligations of that trace.
        options: How to check.
        interpret: Interprets the function anew, with operations that wrap.
        check: Decides the obligations of a trace.
    """
    find_overflow_proofs(trace)
    assumed = [each for each in overflow_proofs(trace).assumed if not each.rounds]
    if not assumed:
        return None
    operations = tuple(_operations_that_wrap(trace, options, assumed))
    wrapping = frozenset(_places(assumed))
    wrapped = interpret(wrapping)
    for _ in range(MOST_ROUNDS):
        find_overflow_proofs(wrapped)
        more = wrapping.union(_places(overflow_proofs(wrapped).assumed))
        if more == wrapping:
            break
        wrapping = more
        wrapped = interpret(wrapping)
    find_overflow_proofs(wrapped)
    found, assumes = _joined(checked_obligations, check(wrapped), assumed)
    if assumes:
        proofs = _with_assumed(overflow_proofs(wrapped), overflow_proofs(trace))
        wrapped = replace(wrapped, overflow_proofs=proofs)
    return WrappingCheck(wrapped, found, operations)


def _places(assumptions: Iterable[OverflowAssumption]) -> Iterator[Place]:
    for each in assumptions:
        if each.operation and each.location is not None and not each.rounds:
            yield each.operation, each.location


def _joined(
    usual: Sequence[CheckedObligation], wrapped: Sequence[CheckedObligation], assumed: Sequence[OverflowAssumption]
) -> tuple[tuple[CheckedObligation, ...], bool]:
    """Return the obligations of the second check, and whether a verdict on them still assumes that nothing wraps.

    Sizes for which nothing wraps refute a claim in both and are easier to believe. A proof that is lost stays one under
    the assumption.
    """
    before = dict(zip(_keys(usual), usual, strict=True))
    found: list[CheckedObligation] = []
    assumes = False
    for key, each in zip(_keys(wrapped), wrapped, strict=True):
        old = before.get(key)
        verdict: Verdict = each.verdict
        if old is not None and isinstance(old.verdict, Refuted):
            found.append(replace(each, verdict=old.verdict))
        elif old is not None and isinstance(old.verdict, Proved) and isinstance(verdict, Undecided):
            assumes = True
            found.append(replace(each, verdict=old.verdict))
        elif isinstance(verdict, Refuted) and (wraps := _first_to_wrap(assumed, verdict.sizes)):
            found.append(replace(each, wraps=wraps))
        else:
            found.append(each)
    return tuple(found), assumes


def _keys(checked_obligations: Sequence[CheckedObligation]) -> Iterator[tuple[Operation, str, int]]:
    seen: Counter[tuple[Operation, str]] = Counter()
    for each in checked_obligations:
        key = each.obligation.op, each.obligation.clause
        seen[key] += 1
        yield *key, seen[key]


def _first_to_wrap(assumed: Sequence[OverflowAssumption], sizes: Sizes) -> str:
    """Return the first operation that wraps for some sizes, with its line; "" if none is known to."""
    for each in assumed:
        if holds_if_determined(each.formula, sizes) is False:
            line = 0 if each.location is None else each.location.line
            return f"{each.operation} (line {line})" if line else each.operation
    return ""


def _with_assumed(proofs: OverflowProofs, usual: OverflowProofs) -> OverflowProofs:
    known = set(_places(proofs.assumed))
    more = tuple(each for each in usual.assumed if known.isdisjoint(_places([each])))
    return OverflowProofs(
        (*proofs.assumed, *more), proofs.of_empty | usual.of_empty, max(proofs.max_bytes, usual.max_bytes)
    )


def _operations_that_wrap(
    trace: Trace, options: Options, assumed: Sequence[OverflowAssumption]
) -> Iterator[WrappingOperation]:
    """Yield each operation of some overflow assumptions, refuted if it wraps on one of the ways to it."""
    prover = prover_of(trace, solver_of(options), options)
    if assume_inputs(prover, trace):
        return
    verdicts: dict[Place, Refuted | Undecided] = {}
    for place, verdict in handled_events(trace, _WrapFinder(prover, assumed)):
        if not isinstance(verdicts.get(place), Refuted):
            verdicts[place] = verdict
    for (name, location), verdict in verdicts.items():
        yield WrappingOperation(name, location, verdict)


class _WrapFinder(FactRecorder[tuple[Place, Refuted | Undecided]]):
    """Asks overflow assumptions for sizes that violate them and none before."""

    def __init__(self, prover: Prover, assumed: Iterable[OverflowAssumption]) -> None:
        super().__init__(prover)
        self._prover = prover
        self._assumed = set(assumed)
        self._found = set[Place]()
        self._left = MOST_ASKED

    def obligation(self, obligation: Obligation, around: Around) -> None:
        self._prover.assume(obligation.as_fact())

    def overflow_assumption(
        self, assumption: OverflowAssumption, around: Around
    ) -> tuple[Place, Refuted | Undecided] | None:
        verdict = self._verdict(assumption) if assumption in self._assumed else None
        super().overflow_assumption(assumption, around)
        return verdict

    def _verdict(self, assumption: OverflowAssumption) -> tuple[Place, Refuted | Undecided] | None:
        for place in _places([assumption]):
            if place in self._found:
                return None
            if not self._left:
                return place, Undecided(UndecidedReason.BUDGET, NOT_ASKED)
            self._left -= 1
            name, location = place
            detail = Detail.SIZES if self._left >= MOST_ASKED - MOST_SMALL else Detail.VERDICT
            verdict = self._prover.verdict_on(
                assumption.formula, name=f"{name} wraps", line=location.line, detail=detail
            )
            if isinstance(verdict, Refuted):
                self._found.add(place)
            return (place, verdict) if isinstance(verdict, Refuted | Undecided) else None
        return None
