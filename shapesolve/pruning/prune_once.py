"""One pruning iteration: check, decide, rewrite, print, and verify the output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial

from shapesolve.checker.check import trace_of
from shapesolve.checker.checked_obligation import CheckedObligation, may_become_fact
from shapesolve.checker.obligation_checker import Progress
from shapesolve.interpreter.operation_effects import KeptEffects
from shapesolve.interpreter.undefined_behavior import NO_UNDEFINED_OPS, UndefinedOps
from shapesolve.ir import bindings
from shapesolve.ir.bindings import Bindings
from shapesolve.ir.program import Location, Operation, Program
from shapesolve.options import Options
from shapesolve.preconditions.functions import chosen
from shapesolve.pruning.assumption_notes import PruningNote
from shapesolve.pruning.call_coverage import CallCoverage
from shapesolve.pruning.certain_failures import certain_failures
from shapesolve.pruning.decisions import Decisions, Evidence, ResultsByEntry, WeakerRecheck, decide
from shapesolve.pruning.justifications import Justifications
from shapesolve.pruning.notes import assumptions, warnings
from shapesolve.pruning.outcomes import assume_no_ub, outcomes_of
from shapesolve.pruning.output_verification import OutputVerifier
from shapesolve.pruning.recheck import FunctionRecheck, recheck, with_sizes_that_reach
from shapesolve.pruning.reported_detail import ReportedDetail
from shapesolve.pruning.result import CertainFailure, CheckOutcome
from shapesolve.pruning.trace_alignment import (
    PreviousResults,
    PrunedEntry,
    are_proved,
    proved_in_original,
    removed_checks_hold,
    reuse_analysis,
)
from shapesolve.pruning.trace_cache import Interpretation, ProgramTraces, TraceCache
from shapesolve.pruning.undefined_operations import UndefinedOpsAnalysis, WeakerAssumptions, weaker_assumption_sets
from shapesolve.pruning.witness_replacement import WitnessReplacements
from shapesolve.records import value_record
from shapesolve.rewriting.assumption_attributes import RECORDED, check_recordable, record
from shapesolve.rewriting.checks import GUARD, has_needless_witness
from shapesolve.rewriting.correspondence import Correspondence
from shapesolve.rewriting.dead_code import erase_dead_code
from shapesolve.rewriting.printer import printed_generic, written
from shapesolve.rewriting.rewriter import Rewriter
from shapesolve.semantics.registry import RuleRegistry
from shapesolve.shape_functions.registries import registry_for
from shapesolve.solver.verdicts import Detail, Proved, Unreachable
from shapesolve.statistics import stage
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.trace.events import Kind, Obligation, Trace


@value_record
class PruneIteration:
    """Result of one pruning iteration.

    Attributes:
        text: The new text.
        pruned: The program read from it; None if nothing was removed.
        originals: For each operation of the new program its number in the old one; negative for new ones.
        outcomes: The outcomes of checks, by number.
        notes: Notes for the report.
        contradictory: Entry points with contradictory assumptions.
        is_last: Whether it is known that another iteration would find nothing.
        known: Results that another iteration need not find again.
        interpret: Interprets the new program, with remembered traces.
        not_shrunk: Numbers of the checks whose failing sizes, if any, were not made small.
        may_be_undefined: Locations in the new program of operations with unproved requirements; of those with the same
            requirement, the first.
        certain_failures: The first claims that fail in every call, with their locations in the original.
    """

    text: str
    pruned: Program | None
    originals: tuple[int, ...]
    outcomes: Mapping[int, CheckOutcome]
    notes: tuple[PruningNote, ...]
    contradictory: frozenset[str]
    is_last: bool = False
    known: PreviousResults | None = None
    interpret: ProgramTraces | None = None
    not_shrunk: frozenset[int] = frozenset()
    may_be_undefined: tuple[Location, ...] = ()
    certain_failures: tuple[CertainFailure, ...] = ()


@stage("rewrite")
@bindings.without_dialect_classes()
def prune_once(
    program: Program,
    options: Options,
    progress: Progress | None,
    place: Callable[[Location], Location] = lambda location: location,
    left_alone: frozenset[str] = frozenset(),
    added: Mapping[Location, str] | None = None,
    known: PreviousResults | None = None,
    interpret: ProgramTraces | None = None,
    *,
    shown: bool = True,
    most_shown: int | None = None,
) -> PruneIteration:
    """Remove the checks of a program that are proved, and verify the program without them.

    Args:
        place: Returns the location in the original of a location in this program, for messages.
        left_alone: Entry points; nothing that they reach is changed.
        added: Phrases for the checks that the original does not have, by location.
        known: The results of the previous iteration.
        interpret: The interpreter of the previous iteration.
        shown: Whether the reasons for keeping checks are printed.
        most_shown: Number of kept checks whose reasons are printed, the first ones; None prints all.
    """
    assert program.text is not None
    functions = chosen(program, options.functions)
    registry = registry_for(program, options)
    check_recordable(functions, options)
    interpret = interpret or _interpreter(program, options)
    most_shown = most_shown if len(functions) == 1 else None
    plain = [
        _baseline(interpret(each, NO_UNDEFINED_OPS), options, progress, shown=shown, most_shown=most_shown)
        for each in functions
    ]
    if not shown and _changes_nothing(
        _check_entries(program, options, registry, interpret, plain, plain, left_alone), known
    ):
        return PruneIteration(program.text, None, (), {}, (), left_alone)
    weakened = [_weakened(interpret, each, options) for each in plain]
    wanted: frozenset[Operation] = frozenset()
    while True:
        entries = [each if isinstance(each, FunctionRecheck) else each.result(wanted) for each in weakened]
        checked = _check_entries(program, options, registry, interpret, plain, entries, left_alone, place, added)
        done = _apply(checked, left_alone, shown=shown)
        if isinstance(done, PruneIteration):
            left = None if done.pruned is None else frozenset(done.originals)
            undefined = _may_be_undefined(plain, left) if shown else ()
            not_shrunk = frozenset(op.number for each in plain for op in each.not_shrunk)
            return replace(
                done,
                not_shrunk=not_shrunk,
                may_be_undefined=tuple(dict.fromkeys(map(place, undefined))),
                certain_failures=certain_failures(plain, options, place) if shown else (),
            )
        wanted |= done


def _baseline(
    trace: Trace, options: Options, progress: Progress | None, *, shown: bool, most_shown: int | None
) -> FunctionRecheck:
    """Check a trace under the assumption that every operation is defined."""
    if not shown:
        return recheck(trace, options, progress)
    wanted = ReportedDetail(trace, most_shown)
    found = recheck(trace, options, progress, detail=wanted.detail, becomes_fact=wanted.becomes_fact)
    return with_sizes_that_reach(replace(found, not_shrunk=frozenset(wanted.not_shrunk)), options)


def _may_be_undefined(entries: Iterable[FunctionRecheck], left: AbstractSet[int] | None) -> tuple[Location, ...]:
    """Return the locations of the operations in ``left`` (None: all) with unproved requirements.

    A run past a requirement has met it, so an equal one is not reported again.
    """
    found: dict[Location, None] = {}
    for entry in entries:
        claims: set[Formula] = set()
        for checked_obligation in entry.all:
            obligation = checked_obligation.obligation
            is_open = not isinstance(checked_obligation.verdict, Proved | Unreachable)
            if obligation.kind is Kind.CHECK or not is_open or obligation.claim in claims:
                continue
            claims.add(obligation.claim)
            if left is None or obligation.op.number in left:
                found[obligation.location] = None
    return tuple(found)


@value_record
class _CheckedProgram:
    """Checked entry points of a program: with every operation defined (``plain``), and what may be acted on."""

    program: Program
    options: Options
    registry: RuleRegistry
    interpret: ProgramTraces
    plain: list[FunctionRecheck]
    entries: list[FunctionRecheck]
    coverage: CallCoverage
    justifications: Justifications

    def decisions(self) -> Decisions:
        """Decide the edits."""
        traces = [each.trace for each in self.entries]
        weaker_rechecks = [
            partial(self._recheck_weaker, less)
            for less in (weaker_assumption_sets(self.options, traces) if self.is_cut_off else ())
        ]
        known = _by_name(self.entries), _by_name(self.plain), weaker_rechecks
        replacements = WitnessReplacements(self.program, self.entries, self.coverage)
        return decide(self.program, Evidence(*known, self.coverage, self.justifications, self.registry, replacements))

    @property
    def is_cut_off(self) -> bool:
        """True if assumptions make facts contradict each other somewhere, so that nothing is proved there."""
        return any(
            not each.contradiction and (each.trace.assumed or self.options.trust_ub) and each.has_unreachable
            for each in dict.fromkeys((*self.plain, *self.entries))
        )

    def _recheck_weaker(
        self, less: WeakerAssumptions, wanted: AbstractSet[Operation], going: AbstractSet[Operation]
    ) -> ResultsByEntry:
        """Recheck some checks under weaker assumptions, except where the inputs' assumptions contradict.

        Checks in ``going`` become facts only if they are proved like that: the pruned program has no others.
        """

        def should_check(obligation: Obligation) -> bool:
            return obligation.kind is not Kind.CHECK or obligation.op in wanted or obligation.op in going

        def becomes_fact(checked_obligation: CheckedObligation, options: Options) -> bool:
            is_left = checked_obligation.obligation.op not in going or isinstance(checked_obligation.verdict, Proved)
            return is_left and may_become_fact(checked_obligation, options)

        interpret = self.interpret if less.options is self.options else _interpreter(self.program, less.options)
        cut_off = frozenset[Operation]().union(*(each.out_of_reach for each in self.plain))

        def found(entry: FunctionRecheck) -> FunctionRecheck:
            return less.recheck(
                partial(interpret, entry.trace.function),
                should_check=should_check,
                matters=lambda op: op in wanted,
                ask=any(op.name == GUARD for op in wanted),
                becomes_fact=becomes_fact,
                may_fold=(wanted & cut_off).__contains__,
                undefined_ops=entry.undefined_ops if interpret is self.interpret else NO_UNDEFINED_OPS,
            )

        return _by_name([each if each.contradiction else found(each) for each in self.entries])


def _by_name(entries: Iterable[FunctionRecheck]) -> ResultsByEntry:
    return {each.trace.function.name: each for each in entries}


def _check_entries(
    program: Program,
    options: Options,
    registry: RuleRegistry,
    interpret: ProgramTraces,
    plain: list[FunctionRecheck],
    entries: list[FunctionRecheck],
    left_alone: frozenset[str],
    place: Callable[[Location], Location] = lambda location: location,
    added: Mapping[Location, str] | None = None,
) -> _CheckedProgram:
    coverage = CallCoverage(program, [each.trace for each in entries], left_alone)
    return _CheckedProgram(
        program, options, registry, interpret, plain, entries, coverage, Justifications(entries, place, added)
    )


def _changes_nothing(checked: _CheckedProgram, known: PreviousResults | None) -> bool:
    """Return whether nothing would be removed even if every operation were defined."""
    if has_needless_witness(checked.program):
        return False
    if checked.is_cut_off:  # Weakening semantics may leave fewer contradictions.
        return known is not None and known.covers(checked.coverage) and known.matches(checked.plain)
    return checked.decisions().is_empty


def _apply(
    checked: _CheckedProgram, left_alone: frozenset[str], *, shown: bool
) -> PruneIteration | frozenset[Operation]:
    """Apply the decisions; return the result, or the operations whose definedness must be decided first."""
    program, options, entries = checked.program, checked.options, checked.entries
    registry, coverage, decisions = checked.registry, checked.coverage, checked.decisions()
    source = program.text
    assert source is not None
    warned = warnings(checked.plain, checked.justifications)
    traces = [each.trace for each in checked.plain] if shown else []
    contradictory = left_alone | {each.trace.function.name for each in entries if each.contradiction}
    justifications = checked.justifications
    trusted = assume_no_ub(checked.plain, decisions, justifications, options) if shown else dict[Operation, str]()

    def unchanged(outcomes: dict[int, CheckOutcome]) -> PruneIteration:
        # Without removals, nothing but a check that is said to fail always rests on assumptions.
        of_arithmetic = bool(warned) or any(each.always_fails for each in outcomes.values())
        notes = (*warned, *assumptions(traces, justifications.place, of_arithmetic=of_arithmetic))
        return PruneIteration(source, None, (), outcomes, notes, contradictory)

    if decisions.is_empty and not has_needless_witness(program):
        return unchanged(outcomes_of(program, decisions, coverage, trusted, set(), {}, registry))
    rewriter = _opened(program, decisions, coverage)
    satisfiable = [each.trace.function for each in entries if not each.contradiction]
    recorded = [record(rewriter.live[each.operation.number], each, options) for each in satisfiable]
    opened, opened_order = rewriter.unnumbered(), rewriter.order()
    rewriter.erase_marked()
    dead_code = _DeadCode(registry, entries)
    dead = erase_dead_code(rewriter, dead_code.may_go)
    if dead_code.not_asked:
        return frozenset(dead_code.not_asked)
    order = rewriter.order()
    gone = (decisions.proved | decisions.passing | rewriter.opened | dead) - set(order)
    outcomes = outcomes_of(program, decisions, coverage, trusted, gone, rewriter.dropped, registry)
    if not any(outcome.removed for outcome in outcomes.values()):
        return unchanged(outcomes)
    notes = (*warned, *assumptions(traces, justifications.place))
    if any(recorded):
        notes = (*notes, RECORDED)
    if options.trust_ub:
        notes = (*notes, "operations are trusted not to be undefined (--trust-ub)")
    edited = _Edited(rewriter, decisions, opened, opened_order, order, gone)
    return replace(_verified(checked, edited, contradictory), outcomes=outcomes, notes=notes)


@value_record
class _Edited:
    """A program without what was decided to go.

    Attributes:
        rewriter: What edited it.
        decisions: The decisions.
        opened: The program with the operations to erase marked, and ``opened_order`` the numbers of its operations.
        order: The numbers of the operations that are left.
        gone: The numbers of those that were erased.
    """

    rewriter: Rewriter
    decisions: Decisions
    opened: Bindings
    opened_order: list[int]
    order: list[int]
    gone: set[int]


def _verified(checked: _CheckedProgram, edited: _Edited, contradictory: frozenset[str]) -> PruneIteration:
    """Return the iteration that ends with the edited program, which is read again and verified."""
    program, options, entries = checked.program, checked.options, checked.entries
    rewriter, decisions, order, gone = edited.rewriter, edited.decisions, edited.order, edited.gone
    text = written(rewriter, program)
    verifier = OutputVerifier(program, entries, options, checked.interpret)
    pruned = verifier.read(text, order)
    taken = {number: truth for number, truth in decisions.taken.items() if number in rewriter.opened}
    folds = {number: each for number, each in decisions.folds.items() if number in rewriter.opened}
    correspondence = Correspondence(program, pruned, order, taken, gone, folds, decisions.replacements)
    correspondence.check()
    left = verifier.check_pruned(pruned, correspondence, gone) if not (taken or folds or rewriter.dropped) else []
    source_ops = rewriter.source_ops
    checks = [each for number in sorted(decisions.proved | decisions.passing) if (each := source_ops[number]).operands]
    ways = {source_ops[number]: each.alternative for number, each in decisions.folds.items()}
    is_proved = removed_checks_hold(left, checks)
    left = left or verifier.check_pruned(pruned, correspondence, gone)
    is_written_down = _is_written_down(options) or all(each.assumes_the_same for each in left)
    is_untouched = edited.opened_order == [each.number for each in source_ops] and is_written_down
    if not is_proved and not (
        is_untouched
        and proved_in_original(entries, [[*each.values()] for each in decisions.weaker_results], checks, ways)
    ):
        marked = printed_generic(edited.opened, program.operation)
        verifier.check_removed(verifier.read(marked, edited.opened_order), edited.opened_order)
    verifier.check_remaining(left, pruned, correspondence)
    # Folds rest on assumptions, and without some of these more may be known of what they leave.
    is_alike = not (checked.is_cut_off and (decisions.folds or decisions.taken))
    known = (
        PreviousResults(checked.plain, checked.coverage, correspondence.original_of)
        if is_written_down and is_alike
        else None
    )
    is_last = known is not None and _is_fixpoint(
        known, correspondence.left_of, checked, decisions, pruned, left, contradictory
    )
    return PruneIteration(
        text, pruned, tuple(order), {}, (), contradictory, is_last, known, verifier.interpreter_of(pruned)
    )


def _is_written_down(options: Options) -> bool:
    """Return whether the program itself states all assumptions."""
    return not (options.assumptions or options.shapes or options.min_size)


def _opened(program: Program, decisions: Decisions, coverage: CallCoverage) -> Rewriter:
    """Return a rewriter with the decided edits opened.

    Edits in functions that become unreachable are postponed: there they could not be proved again. These functions are
    entry points of the next iteration.
    """
    while True:
        rewriter = Rewriter.of(program)
        rewriter.open(decisions)
        lost = coverage.unreachable_without(rewriter.dropped)
        ops = {op for name in lost for op in program.functions[name].operation.walk()}
        if not decisions.postpone(ops, "nothing leads to it any more"):
            return rewriter


def _is_fixpoint(
    known: PreviousResults,
    left_of: Mapping[Operation, Operation],
    checked: _CheckedProgram,
    decisions: Decisions,
    pruned: Program,
    left: list[PrunedEntry],
    contradictory: frozenset[str],
) -> bool:
    """Return whether the results carried over to the pruned program show that nothing else can be removed."""
    if has_needless_witness(pruned):
        return False
    for each in left:
        alignment, name = each.alignment, each.before.trace.function.name
        if alignment is None:
            return False
        carried_over = (*checked.plain, *checked.entries, *(found[name] for found in decisions.weaker_results))
        for op in alignment.choosing:
            if not all(are_proved(found, op) for found in carried_over) and (
                checked.is_cut_off or not each.folds_no_further(op, left_of[op])
            ):
                return False
    traces = {each.before.trace.function.name: each.found.trace for each in left}

    def carried(found: FunctionRecheck) -> FunctionRecheck:
        return reuse_analysis(found, traces[found.trace.function.name], left_of)

    coverage = CallCoverage(pruned, [*traces.values()], contradictory)
    if checked.is_cut_off and not known.covers(coverage):  # of some it was not asked what holds with less assumed
        return False
    plain, entries = ([carried(each) for each in found] for found in (checked.plain, checked.entries))
    weaker_rechecks = [_known(_by_name(carried(each) for each in found.values())) for found in decisions.weaker_results]
    registry = registry_for(pruned, checked.options)
    replacements = WitnessReplacements(pruned, entries, coverage)
    evidence = Evidence(
        _by_name(entries), _by_name(plain), weaker_rechecks, coverage, Justifications(entries), registry, replacements
    )
    return decide(pruned, evidence).is_empty


def _known(found: ResultsByEntry) -> WeakerRecheck:
    return lambda wanted, going: found


class _DeadCode:
    """Decides which operations are dead.

    Attributes:
        not_asked: Operations whose definedness must be decided first.
    """

    def __init__(self, registry: RuleRegistry, entries: list[FunctionRecheck]) -> None:
        self.not_asked: set[Operation] = set()
        self._registry = registry
        self._entries: dict[Operation, list[FunctionRecheck]] = {}
        for each in entries:
            for op in each.trace.reached:
                self._entries.setdefault(op, []).append(each)
        self._open = frozenset[Operation]().union(*(each.not_asked for each in entries))

    def may_go(self, op: Operation) -> bool:
        """Return whether no run can tell that the operation is erased, as far as is known."""
        there = self._entries.get(op)
        if there is None or not self._registry.effects(op).is_erasable:
            return False
        if all(each.is_defined(op) for each in there):
            return True
        if op in self._open:
            self.not_asked.add(op)
        return op in self._open


def _interpreter(program: Program, options: Options) -> ProgramTraces:
    """Return an interpreter of the functions of a program, each done once."""

    def interpret(where: Interpretation, undefined_ops: UndefinedOps, kept: KeptEffects) -> Trace:
        return trace_of(program, program.functions[where[0]], options, undefined_ops, kept=kept)

    return ProgramTraces(TraceCache(interpret), program)


def _weakened(
    interpret: ProgramTraces, plain: FunctionRecheck, options: Options
) -> FunctionRecheck | UndefinedOpsAnalysis:
    """Return the recheck of an entry point under weakening semantics."""
    if options.trust_ub:
        return plain
    alike = {op: ways for op in plain.fold_verdicts if (ways := plain.always(op))}

    def check_trace(
        trace: Trace, may_hold: Callable[[Obligation], bool], detail: Callable[[Obligation], Detail]
    ) -> FunctionRecheck:
        return recheck(
            trace, options, should_check=may_hold, detail=detail, compares=alike.__contains__, folds_to=alike
        )

    return UndefinedOpsAnalysis(partial(interpret, plain.trace.function), check_trace, plain)
