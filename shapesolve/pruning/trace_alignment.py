"""Alignment of the traces of an original and its pruned program, event for event.

Every event of the pruned program's trace must be an event of the original's, in the same order and inside the same
regions; what the original has besides may only stem from removed operations. Then the claims of the removed checks can
be asked where they stood, given only what remains; and the results for the rest answered the same questions with no
less known. So where a program says the same after checks went as it said before, nothing more follows there: the
results carry over, and the pruned program need not be interpreted and checked once more to see that nothing else can be
removed.

Where an operation was folded to one of its operands, the terms of the original are compared with the chosen one in
place of the choice. That both are equal was proved where the operation stood, so nothing else is known there, but a
claim may be easier to prove for being shorter: then all claims that mention a choice must have been proved. This
decides only whether to look for more removals; no proof of the output rests on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TypeVar, assert_never

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.domain.values import Abstract
from shapesolve.interpreter.undefined_behavior import UndefinedOps
from shapesolve.ir.program import Location, Operation, Value
from shapesolve.pruning.call_coverage import CallCoverage
from shapesolve.pruning.recheck import FunctionRecheck
from shapesolve.records import record, value_record
from shapesolve.rewriting.checks import Fold
from shapesolve.rewriting.correspondence import NO_FOLDS
from shapesolve.semantics.context import terms_of
from shapesolve.solver.verdicts import Proved, Unreachable
from shapesolve.symbolic.atoms import Atom, Variable
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.shape_kinds import Shape
from shapesolve.symbolic.visitors import Instantiation, with_sizes
from shapesolve.trace.events import (
    Alternative,
    Enter,
    Event,
    Fact,
    FoldQuery,
    Kind,
    Leave,
    MayNotReturn,
    Obligation,
    OverflowAssumption,
    Trace,
)

Term = Dim | Formula | Shape

RemovedClaim = tuple[int, Obligation]
"""The claim of a removed check, and how many of the remaining events came before it."""


@record
class TraceAlignment:
    """Places of the original's events among those of the pruned program.

    Attributes:
        removed_claims: The claims of the removed checks.
        choosing: The original's operations with claims that mention a choice that was folded.
    """

    removed_claims: Sequence[RemovedClaim]
    choosing: AbstractSet[Operation]


def with_claims(left: Trace, removed_claims: Sequence[RemovedClaim]) -> Trace:
    """Return the pruned program's trace with the claims of the removed checks where they stood."""
    events: list[Event] = []
    done = 0
    for position, claim in removed_claims:
        events += left.events[done:position]
        events.append(claim)
        done = position
    return replace(left, events=(*events, *left.events[done:]))


def align_traces(
    before: Trace,
    left: Trace,
    origins: Mapping[Operation, Operation],
    left_of: Mapping[Operation, Operation],
    removed: AbstractSet[int],
    folds: Mapping[int, Fold] = NO_FOLDS,
) -> TraceAlignment | None:
    """Return the alignment; None if the traces differ by more than removed operations' events.

    Args:
        origins: The original's operation for every operation of the pruned program that is not new.
        left_of: The inverse.
        removed: Numbers of the removed operations.
        folds: Folds of removed operations, by number.
    """
    alike = {op: left_of[op] for op in before.reached if op in left_of}
    alike |= {origins[there]: there for there in left.reached if there in origins}
    chosen = _ChosenTerms(before, folds)
    if not all(_is_known_alike(before, op, left, there, chosen) for op, there in alike.items()):
        return None
    places = {op.location for op in before.reached if op.number in removed}
    return _Alignment(origins, removed, places, chosen).of(before.events, left.events)


class _ChosenTerms(Instantiation):
    """Substitution of the terms of chosen operands for those of the folded operations."""

    def __init__(self, before: Trace, folds: Mapping[int, Fold]) -> None:
        super().__init__({})
        self._chosen_sizes: dict[Atom, Dim] = {}
        self._chosen_truths: dict[Formula, Formula] = {}
        for op in before.reached:
            gives = folds[op.number].alternative.gives if op.number in folds else None
            if gives is not None:
                self._choose(
                    before.values.get(op.results[0]), before.values.get(gives) if isinstance(gives, Value) else gives
                )

    def _choose(self, term: Abstract | None, chosen: Abstract | int | None) -> None:
        """Have a chosen term, in which those chosen before are substituted, stand for another."""
        match term, chosen:
            case Dim(atom=Atom() as atom), Dim() | int():
                self._chosen_sizes[atom] = self.size(dim(chosen))
            case Formula(), Formula() | int():
                truth = chosen if isinstance(chosen, Formula) else TRUE if chosen else FALSE
                self._chosen_truths[term] = self.formula(truth)
            case _:
                pass

    def read_atom(self, atom: Atom) -> Dim:
        chosen = self._chosen_sizes.get(atom)
        return super().read_atom(atom) if chosen is None else chosen

    def read_formula(self, formula: Formula) -> Formula:
        chosen = self._chosen_truths.get(formula)
        return super().read_formula(formula) if chosen is None else chosen

    def are_same(self, terms: Sequence[Term], others: Sequence[Term]) -> bool:
        """Return whether terms with the chosen ones in them are the others."""
        return len(terms) == len(others) and all(map(self.is_same, terms, others))

    def is_same(self, term: Term, other: Term) -> bool:
        """Return whether a term with the chosen ones in it is another."""
        if term is other:  # equal terms are one object
            return True
        match term:
            case Dim():
                return self.size(term) is other
            case Formula():
                return self.formula(term) is other
            case _:
                return with_sizes(term, self.size) is other


def _is_known_alike(before: Trace, op: Operation, left: Trace, there: Operation, chosen: _ChosenTerms) -> bool:
    """Return whether an operation's results are the same terms, so that variables mean the same in both traces."""
    if before.reached.get(op) != left.reached.get(there) or (op in before.not_interpreted) != (
        there in left.not_interpreted
    ):
        return False
    return all(
        chosen.are_same(_terms(before, value), _terms(left, same))
        for value, same in zip(op.results, there.results, strict=True)
    )


def _terms(trace: Trace, value: Value) -> list[Term]:
    known = trace.values.get(value)
    return [] if known is None else list(terms_of(known))


class _Alignment:
    """Lays two sequences of events side by side."""

    def __init__(
        self,
        origins: Mapping[Operation, Operation],
        removed: AbstractSet[int],
        places: AbstractSet[Location],
        chosen: _ChosenTerms,
    ) -> None:
        self._origins = origins
        self._removed = removed
        self._places = places
        self._chosen = chosen
        self._choosing: set[Operation] = set()

    def of(self, before: Sequence[Event], left: Sequence[Event]) -> TraceAlignment | None:
        removed_claims: list[RemovedClaim] = []
        regions: list[bool] = []  # of those that are open in the first trace: whether they are in the second
        done = 0
        for event in before:
            is_same = done < len(left) and self._is_same(event, left[done])
            if isinstance(event, Leave) and not regions.pop():
                continue
            if not is_same and not self._is_from_removed(event):
                return None
            if isinstance(event, Enter):
                regions.append(is_same)
            if is_same:
                done += 1
            elif isinstance(event, Obligation) and event.kind is Kind.CHECK:
                removed_claims.append((done, event))
        return TraceAlignment(removed_claims, self._choosing) if done == len(left) else None

    def _is_same(self, event: Event, there: Event) -> bool:
        match event, there:
            case Enter(), Enter():
                is_same_kind = event.approximate == there.approximate and event.repeats is there.repeats
                return is_same_kind and self._is_same_formula(_condition(event), _condition(there))
            case Leave(), Leave():
                return self._is_same_formula(event.runs, there.runs)
            case Fact(), Fact():
                return self._is_same_formula(event.formula, there.formula) and event.source is there.source
            case OverflowAssumption(), OverflowAssumption():
                return self._is_same_formula(event.formula, there.formula)
            case Obligation(), Obligation():
                is_same_clause = event.clause == there.clause and event.kind is there.kind
                return is_same_clause and self._is_same_claim(event.op, event.claim, there.op, there.claim)
            case FoldQuery(), FoldQuery():
                is_same_way = _alternative(event) == _alternative(there)
                return is_same_way and self._is_same_claim(event.op, event.condition, there.op, there.condition)
            case MayNotReturn(), MayNotReturn():
                return event.because == there.because and self._is_at(event.op, there.op)
            case _:
                return False

    def _is_same_claim(self, op: Operation, claim: Formula, there: Operation, other: Formula) -> bool:
        if not self._is_at(op, there) or not self._is_same_formula(claim, other):
            return False
        if claim is not other:
            self._choosing.add(op)
        return True

    def _is_same_formula(self, formula: Formula | None, other: Formula | None) -> bool:
        return formula is other or (formula is not None and other is not None and self._chosen.is_same(formula, other))

    def _is_at(self, op: Operation, there: Operation) -> bool:
        return self._origins.get(there) is op

    def _is_from_removed(self, event: Event) -> bool:
        """Return whether an event stems from a removed operation."""
        match event:
            case Enter():
                is_plain = not event.approximate and not event.repeats
                return is_plain and (event.condition is None or event.condition.location in self._places)
            case Fact() | OverflowAssumption():
                return event.location in self._places
            case Obligation() | FoldQuery() | MayNotReturn():
                return event.op.number in self._removed
            case Leave():
                return False
            case _:
                assert_never(event)


def _condition(enter: Enter) -> Formula | None:
    return None if enter.condition is None else enter.condition.formula


def _alternative(question: FoldQuery) -> tuple[int, int | None] | None:
    """Return a key of the alternative that a query is about: values are those of one program."""
    if question.alternative is None:
        return None
    number, gives = question.alternative
    return number, gives if isinstance(gives, int) else None


@record
class PrunedEntry:
    """An entry point of the original, and its recheck in the pruned program.

    Attributes:
        before: The recheck in the original.
        found: The recheck in the pruned program.
        alignment: The alignment of their traces; None if there is none.
        removed_claims: The claims of the removed checks, if these were decided as well.
    """

    before: FunctionRecheck
    found: FunctionRecheck
    alignment: TraceAlignment | None
    removed_claims: Sequence[RemovedClaim] | None

    @property
    def holds(self) -> bool:
        """True if every removed check was decided where it stood, and proved there."""
        return self.removed_claims is not None and all(
            isinstance(each.verdict, Proved)
            for op in {claim.op for _, claim in self.removed_claims}
            for each in self.found.checked_obligations[op]
        )

    @property
    def assumes_the_same(self) -> bool:
        """True if the inputs and the assumptions on them are the same as before."""
        return _assumed(self.before.trace) == _assumed(self.found.trace)

    def folds_no_further(self, op: Operation, there: Operation) -> bool:
        """Return whether only folding an operation was asked, and the output was asked, too: it folds to nothing else.

        ``there`` is the operation in the output.
        """
        is_asked = there in self.found.fold_verdicts and not self.found.always(there)
        return is_asked and op not in self.before.checked_obligations and op not in self.before.answers

    def asks(self, op: Operation) -> bool:
        """Return whether a removed check was decided as often as it was reached."""
        return bool(self.removed_claims) and len(self.found.checks(op)) == self.before.trace.reached.get(op)


def _assumed(trace: Trace) -> tuple[list[int], set[Formula], tuple[Variable, ...]]:
    terms = [id(term) for value in trace.inputs for term in terms_of(value)]  # equal terms are one object
    return terms, {fact.formula for fact in trace.assumptions} - {TRUE}, trace.input_variables


def removed_checks_hold(found: Iterable[PrunedEntry], checks: Iterable[Operation]) -> bool:
    """Return whether the removed checks were proved given only what remains."""
    known = list(found)
    if not known or not all(left.holds for left in known):
        return False
    return all(any(left.asks(op) for left in known) for op in checks)


def proved_in_original(
    entries: Sequence[FunctionRecheck],
    weaker_results: Sequence[Sequence[FunctionRecheck]],
    checks: Iterable[Operation],
    ways: Mapping[Operation, Alternative],
) -> bool:
    """Return whether the removals were proved in the original, or in it ``weaker_results`` assumed.

    That is proof enough where nothing was opened, and the program states its assumptions, or the pruned one makes the
    same. Then the program with its checks marked is the original, and the check of it has been done: the proof of a
    check relies on what comes before it, so on no other removed check unless that was proved before. Under weaker
    assumptions, nothing relied on those that were not proved like that.
    """
    if not all(any(_held(found, op) for found in (entries, *weaker_results)) for op in checks):
        return False
    return all(any(_was_folded(found, op, way) for found in (entries, *weaker_results)) for op, way in ways.items())


def _was_folded(found: Sequence[FunctionRecheck], op: Operation, way: Alternative) -> bool:
    there = [each for each in found if op in each.fold_verdicts]
    return bool(there) and all(way in each.always(op) for each in there)


def _held(found: Sequence[FunctionRecheck], op: Operation) -> bool:
    there = [each for each in found if op in each.checked_obligations]
    verdicts = [checked_obligation.verdict for each in there for checked_obligation in each.checks(op)]
    if not verdicts or not all(isinstance(each, Proved) for each in verdicts):
        return False
    return any(len(each.checks(op)) == each.trace.reached.get(op) for each in there)


@value_record
class PreviousResults:
    """Results of an iteration that decided everything it could.

    Attributes:
        entries: The entry points, with every operation taken as defined.
        coverage: The operations that these results cover.
        originals: The iteration's operation for each operation of the program that it wrote.
    """

    entries: Sequence[FunctionRecheck]
    coverage: CallCoverage
    originals: Mapping[Operation, Operation]

    def covers(self, coverage: CallCoverage) -> bool:
        """Return whether the results cover all operations that can be covered in the pruned program."""
        return not any(
            coverage.missing(op) is None and self.coverage.missing(origin) for op, origin in self.originals.items()
        )

    def matches(self, now: Sequence[FunctionRecheck]) -> bool:
        """Return whether the results for the pruned program are the same.

        Then the same operations are possibly undefined, the same facts contradict, and what was not proved under
        weakening semantics or weaker assumptions is not proved now. A fold may have added something: a requirement that
        is proved now.
        """
        before = {each.trace.function.name: each for each in self.entries}
        return all(
            each.trace.function.name in before and self._has_same_signatures(before[each.trace.function.name], each)
            for each in now
        )

    def _has_same_signatures(self, before: FunctionRecheck, now: FunctionRecheck) -> bool:
        return all(
            (origin := self.originals.get(op)) is not None and _signature_of(before, origin) == _signature_of(now, op)
            for op in now.trace.reached
            if op in now.checked_obligations or op in now.answers or op in now.fold_verdicts
        )


_Signature = tuple[list[tuple[str, type | None]], list[bool | None], list[tuple[int, bool]]]


def _signature_of(found: FunctionRecheck, op: Operation) -> _Signature:
    """Return which claims of an operation are proved or unreachable, and what is known of its alternatives."""
    always: list[Alternative] = found.always(op)
    return (
        [(each.obligation.clause, _decisive(each)) for each in found.checked_obligations.get(op, ())],
        [each.truth for each in found.answers.get(op, ())],
        [(way.number, way in always) for way in found.fold_verdicts.get(op, {})],
    )


def _decisive(checked_obligation: CheckedObligation) -> type | None:
    """Return the kind of a verdict that allows a removal or cuts off; None for others."""
    return next((kind for kind in (Proved, Unreachable) if isinstance(checked_obligation.verdict, kind)), None)


Found = TypeVar("Found")


def are_proved(found: FunctionRecheck, op: Operation) -> bool:
    """Return whether everything that was asked about an operation is proved."""
    asked = (*found.checked_obligations.get(op, ()), *found.answers.get(op, ()))
    folds = (each for all in found.fold_verdicts.get(op, {}).values() for each in all)
    return all(isinstance(each, Proved) for each in (*(each.verdict for each in asked), *folds))


def reuse_analysis(found: FunctionRecheck, left: Trace, left_of: Mapping[Operation, Operation]) -> FunctionRecheck:
    """Carry results over to the pruned program; ``left_of`` maps the operations that remain."""

    def there(by_operation: Mapping[Operation, Found]) -> dict[Operation, Found]:
        return {left_of[op]: each for op, each in by_operation.items() if op in left_of}

    def these(ops: Iterable[Operation]) -> frozenset[Operation]:
        return frozenset(left_of[op] for op in ops if op in left_of)

    return replace(
        found,
        trace=left,
        checked_obligations=there(found.checked_obligations),
        answers=there(found.answers),
        undefined_ops=UndefinedOps(these(found.undefined_ops.ops), found.undefined_ops.misfits),
        fold_verdicts=there(found.fold_verdicts),
        not_asked=these(found.not_asked),
    )
