"""Decisions about checks, from what was proved of every run of them.

A check is removed if its claim was proved wherever and however often it runs. An operation is folded to one of its
alternatives if that was proved: a branch that gives what the other gives, a select, a loop of one iteration.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.undecided_reasons import remedies
from shapesolve.ir.own_attributes import DECLARED
from shapesolve.ir.program import Operation, Program, Region
from shapesolve.pruning.call_coverage import CallCoverage
from shapesolve.pruning.justifications import PRODUCTS, Justifications
from shapesolve.pruning.recheck import FunctionRecheck
from shapesolve.pruning.result import CheckStatus
from shapesolve.pruning.undefined_operations import ub_dependency
from shapesolve.pruning.witness_replacement import WitnessReplacements
from shapesolve.records import value_record
from shapesolve.rewriting.checks import ASSUMING, ASSUMING_ALL, GUARD, LOOP, Fold, checks_of
from shapesolve.semantics.registry import RuleRegistry
from shapesolve.solver.verdicts import Proved, Refuted, Verdict
from shapesolve.symbolic.formula_kinds import FALSE, TRUE
from shapesolve.trace.events import Alternative, Fact, Obligation

ResultsByEntry = Mapping[str, FunctionRecheck]
"""Results by entry point."""

WeakerRecheck = Callable[[AbstractSet[Operation], AbstractSet[Operation]], ResultsByEntry]
"""Recheck under weaker assumptions of the first operations, where the second ones are removed."""


@value_record
class Decision:
    """Decision about one check.

    Attributes:
        is_removed: Whether the check is removed.
        verdict: The status that decided it.
        reason: Why, as a phrase.
        always_fails: Whether all sizes that reach the check fail it.
        remedies: What may decide the check, if it is undecided.
    """

    is_removed: bool
    verdict: CheckStatus
    reason: str
    always_fails: bool = False
    remedies: tuple[str, ...] = ()


@dataclass(slots=True)
class Decisions:
    """Edits to make, by operation number.

    Attributes:
        all: The decision about each check.
        proved: Checks whose claims always hold.
        taken: For a guard, whether its condition always holds or never does.
        passing: `shape.assuming` operations whose witness comes from outside and was proved.
        folds: Operations that fold to one of their alternatives.
        replacements: For a witness among the ``proved``, the replacement witnesses that its users wait for.
        weaker_results: Results under weaker assumptions.
    """

    all: dict[Operation, Decision] = field(default_factory=dict[Operation, Decision])
    proved: set[int] = field(default_factory=set[int])
    taken: dict[int, bool] = field(default_factory=dict[int, bool])
    passing: set[int] = field(default_factory=set[int])
    folds: dict[int, Fold] = field(default_factory=dict[int, Fold])
    replacements: dict[int, tuple[Operation, ...]] = field(default_factory=dict[int, tuple[Operation, ...]])
    weaker_results: list[ResultsByEntry] = field(default_factory=list[ResultsByEntry])

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to edit."""
        return not (self.proved or self.taken or self.passing or self.folds)

    def keep_region(self, region: Region) -> None:
        """Keep the branches in a region that is removed as a whole: inlining them would invalidate the comparison."""
        for op in (inner for block in region.blocks for each in block.operations for inner in each.walk()):
            self.taken.pop(op.number, None)
            self.passing.discard(op.number)

    def postpone(self, ops: Container[Operation], reason: str) -> bool:
        """Postpone the edits of some operations; return whether there were any."""
        found = [op for op, each in self.all.items() if each.is_removed and op in ops]
        for op in found:
            self.all[op] = Decision(False, CheckStatus.NOT_REACHED, reason)
            for numbers in (self.proved, self.passing):
                numbers.discard(op.number)
            self.taken.pop(op.number, None)
            self.folds.pop(op.number, None)
            self.replacements.pop(op.number, None)
        return bool(found)


@value_record
class Evidence:
    """Results that the decisions rest on.

    Attributes:
        entries: Results that may be acted on, by entry point.
        plain: The same under the assumption that every operation is defined; they say why a check stays.
        weaker_rechecks: Rechecks of some checks, each under weaker assumptions: what is proved there goes as well.
            Nothing relies there on what goes already, which relied on more.
        coverage: The coverage of calls.
        justifications: The justifications of facts.
        registry: The registry that says which operations are checks.
        replacements: The search for replacement witnesses.
    """

    entries: ResultsByEntry
    plain: ResultsByEntry
    weaker_rechecks: Sequence[WeakerRecheck]
    coverage: CallCoverage
    justifications: Justifications
    registry: RuleRegistry
    replacements: WitnessReplacements

    def decide_kept(
        self, op: Operation, claims: Sequence[tuple[FunctionRecheck, CheckedObligation]], *, several: bool
    ) -> Decision:
        """Decide to keep a check, given its unproved claims; ``several`` entry points may reach it."""
        entries = dict.fromkeys(entry for entry, _ in claims)
        facts: list[Fact] = []
        for entry in entries:
            for checked_obligation in self.plain[entry.trace.function.name].checks(op):
                if isinstance(checked_obligation.verdict, Proved):
                    facts += checked_obligation.verdict.facts
                    continue
                called = f"from @{entry.trace.function.name} " if several else ""
                trace = self.plain[entry.trace.function.name].trace
                reason = self.justifications.unproved(checked_obligation.verdict, trace)
                ways = tuple(remedies(trace.approximations, [checked_obligation.verdict]))
                status = CheckStatus(checked_obligation.verdict.word)
                always = (
                    isinstance(checked_obligation.verdict, Refuted)
                    and checked_obligation.verdict.always
                    and not several
                )
                return Decision(False, status, f"{called}{reason}", always, ways)
        return self.decide_ub_dependent(
            [(entry, [checked_obligation.obligation]) for entry, checked_obligation in claims], facts
        )

    def decide_ub_dependent(
        self, open: Sequence[tuple[FunctionRecheck, Sequence[Obligation]]], facts: Sequence[Fact]
    ) -> Decision:
        """Decide to keep what would be proved if an operation were not undefined."""
        culprits = [ub_dependency(entry, obligations, self.justifications.of(facts)) for entry, obligations in open]
        return Decision(
            False, CheckStatus.PROVED, self.justifications.ub_reason(next((each for each in culprits if each), None))
        )


def decide(program: Program, evidence: Evidence) -> Decisions:
    """Decide about every check of a program. What follows from the structure alone is left to the rewriter."""
    decisions = Decisions()
    for op in checks_of(program, evidence.registry):
        decision = _decide(op, evidence.entries, evidence, decisions)
        if decision is not None:
            decisions.all[op] = decision
    for less in evidence.weaker_rechecks:
        stay = [op for op, each in decisions.all.items() if not each.is_removed]
        wanted = {op for op in stay if evidence.coverage.missing(op) is None}
        if not wanted:
            break
        entries = less(wanted, decisions.all.keys() - stay)
        decisions.weaker_results.append(entries)
        for op in (op for op in stay if op in wanted):
            again = _decide(op, entries, evidence, decisions)
            if again is not None and again.is_removed:
                decisions.all[op] = again
    _decide_folds(evidence, decisions)
    return decisions


def _decide_folds(evidence: Evidence, decisions: Decisions) -> None:
    """Decide the folds, inner ones first: a branch in which something changes is not what was compared."""
    ways_found = (evidence.entries, *decisions.weaker_results)
    asked = {op for found in ways_found for entry in found.values() for op in entry.fold_verdicts}
    changed = {*decisions.proved, *decisions.taken, *decisions.passing}
    for op in sorted(asked, key=lambda each: each.number, reverse=True):
        if op.number in changed or evidence.coverage.missing(op) is not None:
            continue
        names = [trace.function.name for trace in evidence.coverage.entries(op)]
        for there in ways_found:
            entries = [there[name] for name in names]
            found = common_fold(op, entries, changed)
            if found is not None and _holds_in_64_bits(found, op, entries, evidence.justifications):
                changed.add(op.number)
                _record_fold(op, found, entries, evidence.justifications, decisions)
                break


def _holds_in_64_bits(
    found: Fold, op: Operation, entries: Sequence[FunctionRecheck], justifications: Justifications
) -> bool:
    verdicts = ((entry, each) for entry in entries for each in entry.fold_verdicts[op][found.alternative])
    return all(
        justifications.hold_in_64_bits(FALSE, _facts(each), entry.trace.function.name) for entry, each in verdicts
    )


def _record_fold(
    op: Operation, found: Fold, entries: Sequence[FunctionRecheck], justifications: Justifications, decisions: Decisions
) -> None:
    decisions.folds[op.number] = found
    if op.name == GUARD:
        decisions.keep_region(op.regions[1 - found.alternative.number])
    elif op.name == LOOP and not found.alternative.number:
        decisions.keep_region(op.regions[0])
    verdicts = [each for entry in entries for each in entry.fold_verdicts[op][found.alternative]]
    decisions.all[op] = Decision(True, CheckStatus.PROVED, justifications.proved_sentence(found.because, verdicts))


def _decide(op: Operation, entries: ResultsByEntry, evidence: Evidence, decisions: Decisions) -> Decision | None:
    if op.name == ASSUMING_ALL:
        return None
    there = [entries[trace.function.name] for trace in evidence.coverage.entries(op)]
    return _decided(op, there, evidence, decisions)


def _decided(
    op: Operation, entries: Sequence[FunctionRecheck], evidence: Evidence, decisions: Decisions
) -> Decision | None:
    obstacle = evidence.coverage.missing(op)
    if op.name == GUARD:
        return _guard(op, entries, obstacle, evidence, decisions)
    claims = [(entry, checked_obligation) for entry in entries for checked_obligation in entry.checks(op)]
    if op.name == ASSUMING and not claims:
        return None  # its witness was asked for where it was made
    if obstacle is not None:
        is_stated = evidence.coverage.is_guard(op)
        return Decision(False, CheckStatus.STATED if is_stated else CheckStatus.NOT_REACHED, obstacle)
    open_claims = [each for each in claims if not isinstance(each[1].verdict, Proved)]
    if open_claims:
        return evidence.decide_kept(op, open_claims, several=len(entries) > 1)
    if not claims and all(_compares_nothing(op, each) for each in entries):
        decisions.proved.add(op.number)
        return Decision(True, CheckStatus.PROVED, "it compares nothing")
    if any(len(entry.checks(op)) != entry.trace.reached[op] for entry in entries):
        if DECLARED in op.attributes:
            return Decision(False, CheckStatus.STATED, "it checks what the model states, which all else is judged with")
        return Decision(False, CheckStatus.UNDECIDED, "what it demands is not known")
    proofs = ((each.obligation.claim, _facts(each.verdict), entry.trace.function.name) for entry, each in claims)
    if not all(evidence.justifications.hold_in_64_bits(*each) for each in proofs):
        return Decision(False, CheckStatus.PROVED, PRODUCTS)
    verdicts = [checked_obligation.verdict for _, checked_obligation in claims]
    rests_on = evidence.justifications.of(fact for each in verdicts for fact in _facts(each))
    replacements = evidence.replacements.of(op, rests_on, decisions.replacements)
    hidden = [each for each in replacements if not evidence.replacements.is_seen(each, op)]
    if hidden:
        return Decision(False, CheckStatus.PROVED, evidence.justifications.out_of_scope(hidden[0]))
    if replacements:
        decisions.replacements[op.number] = tuple(replacements)
    if op.name == ASSUMING:
        decisions.passing.add(op.number)
    else:
        decisions.proved.add(op.number)
    return Decision(True, CheckStatus.PROVED, evidence.justifications.proved(verdicts))


def _facts(verdict: Verdict) -> tuple[Fact, ...]:
    return verdict.facts if isinstance(verdict, Proved) else ()


def _compares_nothing(op: Operation, entry: FunctionRecheck) -> bool:
    """Return whether the operation is known to make a witness of nothing."""
    if op.operands or not op.results:
        return False
    return all((each.op, each.location) != (op.name, op.location) for each in entry.trace.approximations)


def _guard(
    op: Operation, entries: Sequence[FunctionRecheck], obstacle: str | None, evidence: Evidence, decisions: Decisions
) -> Decision:
    if obstacle is not None:
        return Decision(False, CheckStatus.OPEN, obstacle)
    answers = [(entry, answer) for entry in entries for answer in entry.answers.get(op, ())]
    truths = {answer.truth for _, answer in answers}
    # A rule asks each time that it is applied; where it was not applied, nothing is known of what stands here.
    if any(len(entry.answers.get(op, ())) != entry.trace.reached[op] for entry in entries):
        return Decision(False, CheckStatus.OPEN, "its condition is not known")
    if len(truths) != 1 or None in truths:
        plain = [each for entry in entries for each in evidence.plain[entry.trace.function.name].answers.get(op, ())]
        if plain and len({each.truth for each in plain}) == 1 and plain[0].truth is not None:
            facts = [fact for each in plain if isinstance(each.verdict, Proved) for fact in each.verdict.facts]
            return evidence.decide_ub_dependent([(entry, ()) for entry in entries], facts)
        is_compared = any(op in evidence.plain[each.trace.function.name].fold_verdicts for each in entries)
        compared = ", and its branches are not proved to give the same" if is_compared else ""
        return Decision(False, CheckStatus.OPEN, f"its condition may be true or false{compared}")
    (truth,) = truths
    assert truth is not None
    verdicts = [answer.verdict for _, answer in answers]
    if not all(
        evidence.justifications.hold_in_64_bits(FALSE, _facts(each.verdict), entry.trace.function.name)
        for entry, each in answers
    ):
        return Decision(False, CheckStatus.OPEN, PRODUCTS)
    decisions.taken[op.number] = truth
    sentence = f"its condition is always {str(truth).lower()}"
    return Decision(True, CheckStatus.PROVED, evidence.justifications.proved_sentence(sentence, verdicts))


def common_fold(op: Operation, entries: Sequence[FunctionRecheck], changed: AbstractSet[int]) -> Fold | None:
    """Return the fold of an operation that holds wherever it runs; None if it needs all of its alternatives.

    Args:
        changed: Numbers of the operations that other edits change.
    """
    first, *others = (each.always(op) for each in entries)
    for way in reversed([each for each in first if all(each in other for other in others)]):
        because = _because(op, way, entries, changed)
        if because:
            return Fold(way, because)
    return None


def _because(op: Operation, way: Alternative, entries: Sequence[FunctionRecheck], changed: AbstractSet[int]) -> str:
    """Return the phrase for an alternative that suffices alone; "" for one that does not."""
    if op.name == GUARD:
        is_safe = _can_go(op.regions[1 - way.number], entries)
        if not is_safe or not _can_always_run(op, way.number, entries, changed):
            return ""
        is_unused = bool(op.results) and not any(each.uses for each in op.results)
        return "nothing uses what it gives" if is_unused else "its branches give the same"
    if not all(each.is_defined(op) or op in each.undefined_ops.ops for each in entries):
        return ""  # its requirements are assumed, and later proofs may rely on them
    if op.name == LOOP:
        return "its loop runs once" if way.number else "its loop never runs"
    if way.gives is None:
        return ""
    return f"it is always {way.gives if isinstance(way.gives, int) else way.gives.name}"


def _inside(region: Region) -> Iterable[Operation]:
    return (op for block in region.blocks for op in block.operations)


def _can_go(region: Region, entries: Sequence[FunctionRecheck]) -> bool:
    """Return whether every operation in a region is defined: later proofs may rely on that."""
    return all(each.is_defined(inner) for op in _inside(region) for inner in op.walk() for each in entries)


def _can_always_run(guard: Operation, way: int, entries: Sequence[FunctionRecheck], changed: AbstractSet[int]) -> bool:
    """Return whether a branch may run even if its condition is false.

    It may if what it does was compared and requires nothing.
    """
    for op in _inside(guard.regions[way]):
        if op.regions or op.number in changed:
            return False
        claims = (
            checked_obligation.obligation.claim
            for each in entries
            for checked_obligation in each.checked_obligations.get(op, ())
        )
        if any(claim is not TRUE for claim in claims):
            return False
    return True
