"""Possibly undefined operations, decided on demand, and rechecks under weaker assumptions.

The interpreter gives the result of `a / b` the meaning of a quotient. Where b may be 0 there is no quotient, but an
arbitrary value, and a check may only be removed if it holds for every such value. So the program is interpreted again
with the possibly undefined operations weakened, until no other requirement is unproved: what holds there relies on no
requirement that may be false.

Definedness must be known where a check depends on a result, or where an operation may be erased. Of thousands of
requirements few are like that, and under weakening semantics requirements are hard to prove. So a requirement that is
not proved syntactically counts as open first, which is sound: its operation is possibly undefined. Where something is
lost by that, the requirements that come before it are decided.

What holds under weaker assumptions holds even where assumptions contradict what the program says. And a claim that no
run reaches needs no proof: where a loop or a branch is taken apart, or a check is removed that follows from what
contradicts an assumption, a claim that was proved may stand behind contradictory facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace

from shapesolve.checker.checked_obligation import CheckedObligation, may_become_fact
from shapesolve.checker.obligation_checker import always, never
from shapesolve.interpreter.undefined_behavior import NO_UNDEFINED_OPS, UndefinedOps
from shapesolve.ir.program import Location, Operation
from shapesolve.options import Options
from shapesolve.pruning.recheck import FunctionRecheck, only_whether_proved, recheck
from shapesolve.pruning.trace_cache import with_assumed_undefined
from shapesolve.records import value_record
from shapesolve.rewriting.checks import GUARD
from shapesolve.solver.verdicts import NOT_SEEN, Detail, Proved, Unreachable
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.trace.events import Fact, FoldQuery, Kind, Obligation, Trace
from shapesolve.trace.visitor import Around, Handler, Scope, handle_events, handled_events

CheckTraceAs = Callable[[Trace, Callable[[Obligation], bool], Callable[[Obligation], Detail]], FunctionRecheck]
"""Checks the selected obligations of a trace, each at its level of detail."""


def at_sight(obligation: Obligation) -> Detail:
    """Ask for syntactic proofs only of requirements: no solver decides whether an operation may be undefined."""
    return Detail.PROOF if obligation.kind is Kind.CHECK else Detail.SIGHT


class UndefinedOpsAnalysis:
    """Recheck of one entry point that does not rely on the absence of undefined behavior.

    Operations whose requirements are not proved syntactically count as possibly undefined; their requirements are sent
    to the solver only if an edit depends on them. Results for operations that do not ``matter`` may be lost.

    Attributes:
        at_sight: The recheck before any requirement was sent to the solver.
    """

    def __init__(
        self,
        interpret: Callable[[UndefinedOps], Trace],
        check_trace: CheckTraceAs,
        plain: FunctionRecheck,
        matters: Callable[[Operation], bool] = always,
    ) -> None:
        self._interpret = interpret
        self._check_trace = check_trace
        self._plain = plain
        self._matters = matters
        self._asked: set[Operation] = set()
        self.at_sight = self._found = self._recheck_weakened()

    def result(self, wanted: AbstractSet[Operation] = frozenset()) -> FunctionRecheck:
        """Return the recheck in which the definedness of the ``wanted`` operations is decided."""
        while True:
            more = self._undecided_relevant(wanted) - self._asked
            if not more:
                return self._found
            self._asked |= more
            self._found = self._recheck_weakened()

    def _recheck_weakened(self) -> FunctionRecheck:
        undefined_ops = undefined_ops_of(self._plain)
        if not undefined_ops:
            return self._plain

        not_asked: set[Operation] = set()

        def detail(obligation: Obligation) -> Detail:
            return Detail.PROOF if obligation.op in self._asked else at_sight(obligation)

        def check_trace(trace: Trace, may_hold: Callable[[Obligation], bool]) -> FunctionRecheck:
            return self._check_trace(trace, may_hold, detail)

        def accept(found: FunctionRecheck) -> None:
            not_asked.update(each.obligation.op for each in found.all if each.verdict is NOT_SEEN)

        found = recheck_to_fixpoint(self._interpret, check_trace, undefined_ops, self._plain, accept)
        return replace(found, not_asked=frozenset(not_asked))

    def _undecided_relevant(self, wanted: AbstractSet[Operation]) -> set[Operation]:
        """Return the operations whose definedness matters and is not decided."""
        open = self._found.not_asked
        if not open:
            return set()
        needed = {op for op in weakened_ops(self._plain, self._found) if self._matters(op)} | (wanted & open)
        if not needed:
            return set()
        if _has_branches(self._found.trace):
            return set(open)
        before = _ops_before(self._found.trace, needed)
        if not undefined_ops_of(self._plain).misfits:  # one of them anywhere makes every type doubtful
            before |= {each.obligation.op for each in self._found.all if each.obligation.of_type}
        return before & open


def weakened_ops(before: FunctionRecheck, after: FunctionRecheck) -> set[Operation]:
    """Return the operations for which the second recheck supports fewer edits than the first."""
    found = {op for op in before.checked_obligations if _checks_hold(before, op) and not _checks_hold(after, op)}
    found |= {op for op in before.answers if _truths(before, op) != _truths(after, op)}
    for op in before.fold_verdicts:
        ways = before.always(op)
        if not set(ways) <= set(after.always(op)):
            found.add(op)
        elif ways and op.name == GUARD:  # its branches must be known to be defined
            found |= {inner for inner in op.walk() if before.is_defined(inner) and not after.is_defined(inner)}
    return found


def _checks_hold(found: FunctionRecheck, op: Operation) -> bool:
    return all(isinstance(each.verdict, Proved) for each in found.checks(op))


def _truths(found: FunctionRecheck, op: Operation) -> set[bool | None]:
    return {each.truth for each in found.answers.get(op, ())}


def _has_branches(trace: Trace) -> bool:
    """Return whether there are branches between blocks: what comes later in the text may run before."""
    regions = (region for op in (trace.function.operation, *trace.reached) for region in op.regions)
    return any(len(region.blocks) > 1 for region in regions)


def _ops_before(trace: Trace, last: AbstractSet[Operation]) -> set[Operation]:
    """Return the operations that may run before some others, be it in another iteration of a loop around these."""
    reader = _OpsBefore(last)
    handle_events(trace, reader)
    return reader.before


class _OpsBefore(Handler[None]):
    """Collects the operations that come before some others, up to the end of the outermost region around them."""

    def __init__(self, last: AbstractSet[Operation]) -> None:
        self.before: set[Operation] = set()
        self._last = last
        self._met: list[Operation] = []
        self._is_due = False

    def obligation(self, obligation: Obligation, around: Around) -> None:
        self._met.append(obligation.op)
        self._meet(obligation.op, around)

    def fold_query(self, question: FoldQuery, around: Around) -> None:
        self._meet(question.op, around)

    def leave(self, scope: Scope, around: Around) -> None:
        self._take(around)

    def _meet(self, op: Operation, around: Around) -> None:
        if op in self._last:
            self._is_due = True
            self._take(around)

    def _take(self, around: Around) -> None:
        if self._is_due and not around:
            self.before.update(self._met)
            self._met.clear()
            self._is_due = False


@value_record
class WeakerAssumptions:
    """A recheck under weaker assumptions.

    Attributes:
        options: The options of the recheck.
        bare: Whether to drop all assumptions that the options or the file make.
        late: Whether to believe these assumptions after the checks, as far as they agree with them.
    """

    options: Options
    bare: bool
    late: bool = False

    def recheck(
        self,
        interpret: Callable[[UndefinedOps], Trace],
        *,
        should_check: Callable[[Obligation], bool],
        matters: Callable[[Operation], bool],
        ask: bool,
        becomes_fact: Callable[[CheckedObligation, Options], bool],
        may_fold: Callable[[Operation], bool] = never,
        undefined_ops: UndefinedOps = NO_UNDEFINED_OPS,
    ) -> FunctionRecheck:
        """Recheck the operations that ``matter``, and the folds of those that ``may_fold`` accepts.

        Args:
            undefined_ops: The possibly undefined operations under stronger assumptions; tried first in case they cost
                nothing.
        """

        def check_trace(
            trace: Trace, may_hold: Callable[[Obligation], bool], detail: Callable[[Obligation], Detail]
        ) -> FunctionRecheck:
            return recheck(
                trace,
                self.options,
                should_check=lambda each: may_hold(each) and should_check(each),
                ask=ask,
                becomes_fact=becomes_fact,
                bare=self.bare,
                late=self.late,
                detail=detail,
                compares=may_fold,
            )

        plain = check_trace(interpret(NO_UNDEFINED_OPS), lambda each: True, only_whether_proved)
        known = {op for op in plain.checked_obligations if matters(op) and plain.holds(op)}
        known |= {op for op in plain.fold_verdicts if plain.always(op)}
        if self.options.trust_ub or not (ask or known or plain.has_unreachable):
            return plain  # Weakening semantics can prove more only if the facts are inconsistent.
        if undefined_ops and not plain.has_unreachable:
            undefined_ops = undefined_ops_of(plain, undefined_ops)
            seen = replace(
                check_trace(interpret(undefined_ops), provable(plain), at_sight), undefined_ops=undefined_ops
            )
            if undefined_ops_of(seen, undefined_ops) == undefined_ops and not any(
                map(matters, weakened_ops(plain, seen))
            ):
                return seen
        return UndefinedOpsAnalysis(interpret, check_trace, plain, matters).result()


def weaker_assumption_sets(options: Options, traces: Iterable[Trace]) -> tuple[WeakerAssumptions, ...]:
    """Return all assumption sets that are weaker than those of the options.

    Args:
        traces: Traces of the program; where no extents share a name, no set has them apart.
    """
    careful = replace(options, trust_ub=False)
    named, careful_named = (replace(each, separate_names=True) for each in (options, careful))
    ways = (
        WeakerAssumptions(options, bare=True),
        WeakerAssumptions(options, bare=False, late=True),
        WeakerAssumptions(named, bare=False, late=True),
        WeakerAssumptions(careful, bare=False),
        WeakerAssumptions(careful, bare=True),
        WeakerAssumptions(careful, bare=False, late=True),
        WeakerAssumptions(careful_named, bare=False, late=True),
    )
    may_share_names = any(fact.formula is TRUE for each in traces for fact in each.assumptions)
    ways = ways if options.trust_ub else ways[:3]
    return tuple(each for each in ways if may_share_names or not each.options.separate_names)


CheckTrace = Callable[[Trace, Callable[[Obligation], bool]], FunctionRecheck]
"""Checks the selected obligations of a trace."""


def recheck_to_fixpoint(
    interpret: Callable[[UndefinedOps], Trace],
    check_trace: CheckTrace,
    undefined_ops: UndefinedOps = NO_UNDEFINED_OPS,
    last: FunctionRecheck | None = None,
    accept: Callable[[FunctionRecheck], None] = lambda found: None,
) -> FunctionRecheck:
    """Repeat interpretation and check until all operations taken as defined have proved requirements.

    An operation that requires something of an arbitrary value seldom has its requirements proved: the interpreter takes
    it as possibly undefined in advance. Where one of these is proved all the same, the round is done without.

    Args:
        last: A recheck with fewer possibly undefined operations. What it did not prove is not tried again.
        accept: Called with the recheck of each round.
    """
    assumes_undefined = True
    while True:
        trace = interpret(
            replace(undefined_ops, assumes_undefined=assumes_undefined) if undefined_ops else undefined_ops
        )
        found = check_trace(trace, always if last is None else provable(last))
        if not _are_open(found, trace.assumed_undefined):
            assumes_undefined = False
            continue
        accept(found)
        assumes_undefined, last, undefined_ops = True, found, with_assumed_undefined(undefined_ops, trace)
        more = undefined_ops_of(last, undefined_ops)
        if more == undefined_ops:
            return replace(last, undefined_ops=undefined_ops)
        undefined_ops = more


def _are_open(found: FunctionRecheck, assumed_undefined: Mapping[Operation, AbstractSet[Formula]]) -> bool:
    """Return whether each operation assumed undefined was reached once and has a requirement that is not proved.

    Then it is not open because the operation itself was taken as possibly undefined.
    """
    open = {
        op
        for op, requirements in assumed_undefined.items()
        for each in found.checked_obligations.get(op, ())
        if each.obligation.claim in requirements and not isinstance(each.verdict, Proved)
    }
    return open == set(assumed_undefined) and all(found.trace.reached.get(op) == 1 for op in assumed_undefined)


def provable(found: FunctionRecheck) -> Callable[[Obligation], bool]:
    """Return a predicate for the obligations that can be proved with more possibly undefined operations.

    Those that were unreachable can be, too, if a requirement that is false no longer counts.
    """
    accepted = (each.obligation for each in found.all if isinstance(each.verdict, Proved | Unreachable))
    identities = {each.identity for each in accepted}
    return lambda obligation: obligation.identity in identities


def undefined_ops_of(found: FunctionRecheck, known: UndefinedOps = NO_UNDEFINED_OPS) -> UndefinedOps:
    """Return the operations with an unproved requirement, and those that were possibly undefined already."""
    open_demands = [
        each.obligation
        for each in found.all
        if each.obligation.kind is not Kind.CHECK and not isinstance(each.verdict, Proved)
    ]
    ops = known.ops | {each.op for each in open_demands}
    return UndefinedOps(frozenset(ops), known.misfits or any(each.of_type for each in open_demands))


def ub_dependency(found: FunctionRecheck, obligations: Iterable[Obligation], facts: Iterable[Fact]) -> Operation | None:
    """Return the first possibly undefined operation that claims, or statements at the facts' locations, depend on.

    Args:
        found: A recheck under weakening semantics.
        obligations: Obligations of its trace.
        facts: Facts, perhaps of another trace.
    """
    made = found.trace.arbitrary_values
    places = {fact.location for fact in facts if fact.location is not None}
    formulas = [each.claim for each in obligations]
    formulas += [formula for place, formula in handled_events(found.trace, _FormulaCollector()) if place in places]
    ops = {made[variable] for formula in formulas for variable in formula.variables if variable in made}
    return min(ops, key=lambda op: op.number, default=None)


LocatedFormula = tuple[Location | None, Formula]
"""A formula stated at a location of the program."""


class _FormulaCollector(Handler[LocatedFormula]):
    """Collects the formulas of facts and obligations with their locations."""

    def fact(self, fact: Fact, around: Around) -> LocatedFormula:
        return fact.location, fact.formula

    def obligation(self, obligation: Obligation, around: Around) -> LocatedFormula:
        return obligation.location, obligation.claim


def held_or_never_reached(
    interpret: Callable[[UndefinedOps], Trace],
    options: Options,
    undefined_ops: UndefinedOps,
    becomes_fact: Callable[[CheckedObligation, Options], bool] = may_become_fact,
) -> frozenset[str]:
    """Return the identities of the claims that hold or that no run reaches.

    Assumptions and earlier checks exclude runs. Requirements of earlier operations do only if they are proved, or
    trusted.

    Args:
        becomes_fact: Which raised claims become facts.
    """
    strict = replace(options, tolerant=False)

    def check_trace(trace: Trace, may_hold: Callable[[Obligation], bool]) -> FunctionRecheck:
        return recheck(trace, strict, should_check=may_hold, ask=False, compares=never, becomes_fact=becomes_fact)

    # Unreachable operations counted as possibly undefined, too, and their claims were not decided any more.
    found = recheck_to_fixpoint(interpret, check_trace, undefined_ops)
    again = check_trace(found.trace, always)
    accepted = {each.obligation.identity for each in again.all}
    accepted -= {each.obligation.identity for each in again.all if not isinstance(each.verdict, Proved | Unreachable)}
    return frozenset(accepted)
