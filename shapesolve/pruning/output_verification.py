"""Verification of the pruned program: it has lost no proof, and every removed check was redundant.

Three questions, each on text that was printed and read again: is the output the original with only checks removed
(`rewriting.correspondence`); does every removed check hold where it stood, given only what remains; is every claim that
was proved still proved.

What the operations of the output claim is found by interpreting it. Those that are the same as in the original, and
read the same values, repeat what they did there (`carried_effects`). Nothing that was proved of the original is shared.

Where nothing else was removed, the place of a check among the remaining events is found by `trace_alignment`: the
output is checked once, and the removed claims are asked on the way. Otherwise the program is checked in which the
operations to be removed are marked, unless that is the original itself, which was checked like that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial

from shapesolve.checker.check import trace_of
from shapesolve.checker.checked_obligation import CheckedObligation, may_become_fact
from shapesolve.checker.obligation_checker import never
from shapesolve.domain.values import Tensor
from shapesolve.errors import InputError
from shapesolve.interpreter.operation_effects import KeptEffects
from shapesolve.interpreter.undefined_behavior import NO_UNDEFINED_OPS, UndefinedOps
from shapesolve.ir.program import Operation, Program
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.preconditions.functions import argument_name
from shapesolve.pruning.carried_effects import EffectsCarrier
from shapesolve.pruning.recheck import AcceptedVerdicts, FunctionRecheck, only_whether_proved, recheck, which_verdict
from shapesolve.pruning.trace_alignment import PrunedEntry, TraceAlignment, align_traces, with_claims
from shapesolve.pruning.trace_cache import Interpretation, ProgramTraces, TraceCache
from shapesolve.pruning.undefined_operations import (
    WeakerAssumptions,
    held_or_never_reached,
    recheck_to_fixpoint,
    weaker_assumption_sets,
)
from shapesolve.rewriting.assumption_attributes import options_for_recorded
from shapesolve.rewriting.checks import MARK, RewriteError
from shapesolve.rewriting.correspondence import Correspondence
from shapesolve.shape_functions.registries import registry_for
from shapesolve.solver.prover import Prover
from shapesolve.solver.verdicts import Proved, Refuted, Unreachable
from shapesolve.symbolic.dims import of_atom
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.shapes import same_shape
from shapesolve.symbolic.visitors import Instantiation
from shapesolve.trace.events import Kind, Obligation, Trace

Claimed = tuple[int, str]
"""A claim of the original: the operation's number and the clause."""


class OutputVerifier:
    """Verifies pruned forms of an original whose entry points were checked already."""

    def __init__(
        self, original: Program, entries: Sequence[FunctionRecheck], options: Options, interpret: ProgramTraces
    ) -> None:
        self._original = original
        self._source_ops = list(original.operation.walk())
        self._entries = entries
        # What always fails cuts off what follows, more of it where the branch around it was taken apart.
        answers = None if options.answers is None else options.answers.without_proofs()
        given = options_for_recorded([each.trace.function for each in entries], options)
        self._options = replace(given, tolerant=True, answers=answers)
        self._proved = {each: _Proved(each) for each in entries}
        self._known_effects = interpret.effects
        self._traces = TraceCache(self._interpret)

    def read(self, text: str, origins: Sequence[int]) -> Program:
        """Read printed text as any other file is read.

        Values are named as in the original, so that queries about them are the same to the letter.

        Args:
            origins: Numbers of the text's operations in the original; negative for new ones.
        """
        like = [self._source_ops[number] if number >= 0 else None for number in origins]
        try:
            return read_text(text, self._original.file, like)
        except InputError as error:
            raise RewriteError(f"the pruned program cannot be read again: {error}") from error

    def interpreter_of(self, program: Program) -> ProgramTraces:
        """Return an interpreter of a program read here under its stated assumptions, each function done once."""
        return ProgramTraces(self._traces, program)

    def check_removed(self, opened: Program, origins: Sequence[int]) -> None:
        """Prove every marked check of the opened program. None is believed before it is proved there."""
        numbers = _Numbers(dict(zip(opened.operation.walk(), origins, strict=True)))
        walked: set[Operation] = set()
        for before in self._entries:
            again = self._proved_again(before, opened, numbers)
            for op in again.checked_obligations:
                if MARK in op.attributes and len(again.checks(op)) == again.trace.reached[op]:
                    walked.add(op)
            walked |= self._folded_ops(again, before, opened)
        for op in opened.operation.walk():
            if MARK in op.attributes and op.operands and op not in walked:
                raise RewriteError(f"{op.name} would go, and was not judged again")

    def check_pruned(
        self, pruned: Program, correspondence: Correspondence, gone: AbstractSet[int]
    ) -> list[PrunedEntry]:
        """Check the pruned program, and the removed checks where they stood.

        Raises:
            RewriteError: The results have other shapes.
        """
        numbers = _Numbers({op: origin.number for op, origin in correspondence.original_of.items()})
        self._carry_effects(pruned, correspondence)
        return [self._left(each, pruned, correspondence, numbers, gone) for each in self._entries]

    def _carry_effects(self, pruned: Program, correspondence: Correspondence) -> None:
        """Have the interpretation of the pruned program repeat what the same operations did in the original.

        That needs the same rules, so there is none of it for a program with shape functions of its own.
        """
        if registry_for(self._original, self._options) is not registry_for(pruned, self._options):
            return
        carrier = EffectsCarrier(self._original, pruned, correspondence.original_of)
        for before in self._entries:
            name = before.trace.function.name
            self._traces.carry((name, pruned, False), lambda name=name: carrier.carried(self._known_effects(name)))

    def _left(
        self, before: FunctionRecheck, pruned: Program, same: Correspondence, numbers: _Numbers, gone: AbstractSet[int]
    ) -> PrunedEntry:
        alignment: TraceAlignment | None = None

        def asked(trace: Trace) -> Trace:
            nonlocal alignment
            alignment = align_traces(before.trace, trace, same.original_of, same.left_of, gone, same.folds)
            return trace if alignment is None or same.folds else with_claims(trace, alignment.removed_claims)

        def may_fold(op: Operation) -> bool:
            origin = same.original_of.get(op)
            if alignment is None or origin is None or origin not in alignment.choosing:
                return False
            return not before.always(origin)

        again = self._again(before, pruned, numbers, compares=True, asked=asked, may_fold=may_fold)
        removed_claims = None if alignment is None or same.folds else alignment.removed_claims
        return PrunedEntry(before, again, alignment, removed_claims)

    def check_remaining(self, found: Sequence[PrunedEntry], pruned: Program, correspondence: Correspondence) -> None:
        """Require that every claim that was proved is still proved, or unreachable.

        Raises:
            RewriteError: A claim that runs reach is no longer proved.
        """
        numbers = {op: origin.number for op, origin in correspondence.original_of.items()}
        for left in found:
            proved = self._proved[left.before]
            lost = [
                each
                for each in left.found.all
                if (numbers.get(each.obligation.op, -1), each.obligation.clause) in proved.always
                and not isinstance(each.verdict, Proved)
            ]
            accepted = self._held_or_never_reached(left, pruned) if lost else frozenset[str]()
            for each in lost:
                if each.obligation.identity not in accepted:
                    claim_text = each.obligation.label
                    raise RewriteError(f"{claim_text} was proved, and is {each.verdict.word} in the pruned program")

    def _held_or_never_reached(self, left: PrunedEntry, pruned: Program) -> frozenset[str]:
        interpret = partial(self._trace, left.before, pruned)
        return held_or_never_reached(interpret, self._options, left.found.undefined_ops)

    def _again(
        self,
        before: FunctionRecheck,
        program: Program,
        numbers: _Numbers,
        *,
        becomes_fact: Callable[[CheckedObligation, Options], bool] = may_become_fact,
        compares: bool = False,
        asked: Callable[[Trace], Trace] = lambda trace: trace,
        may_fold: Callable[[Operation], bool] = never,
    ) -> FunctionRecheck:
        """Recheck an entry point, with the same possibly undefined operations and others if need be.

        Args:
            asked: Returns the trace to check for a trace.
            may_fold: Operations whose folding is decided, beside the marked ones.
        """

        def recheck_trace(trace: Trace, may_hold: Callable[[Obligation], bool]) -> FunctionRecheck:
            def at_end(prover: Prover) -> None:
                if compares:
                    _compare_results(prover, before.trace, trace)

            proved = self._proved[before]
            whole = asked(trace)
            return recheck(
                whole,
                self._options,
                should_check=lambda each: (
                    may_hold(each)
                    and (
                        _is_marked(each) or is_from_original(each.op) or proved.may_be_proved(numbers.of(each.op), each)
                    )
                ),
                ask=False,
                compares=lambda op: MARK in op.attributes or may_fold(op),
                becomes_fact=lambda checked_obligation, options: (
                    not is_from_original(checked_obligation.obligation.op) and becomes_fact(checked_obligation, options)
                ),
                at_end=at_end,
                detail=lambda each: only_whether_proved(each) if is_from_original(each.op) else which_verdict(each),
            )

        def is_from_original(op: Operation) -> bool:
            return op in before.trace.reached  # no proof may rest on a claim of the original

        if self._options.trust_ub:
            return recheck_trace(self._trace(before, program, NO_UNDEFINED_OPS), lambda each: True)
        undefined_ops = UndefinedOps(numbers.those_of(before.undefined_ops.ops), before.undefined_ops.misfits)
        return recheck_to_fixpoint(
            lambda undefined_ops: self._trace(before, program, undefined_ops), recheck_trace, undefined_ops
        )

    def _proved_again(self, before: FunctionRecheck, opened: Program, numbers: _Numbers) -> FunctionRecheck:
        """Prove all marked checks, one after the other, some under weaker assumptions if need be."""
        proved: frozenset[Operation] = frozenset()
        while True:
            again = self._again(before, opened, numbers, becomes_fact=_fact_predicate(proved))
            if not before.contradiction:  # nothing is written down where nothing is pruned
                _require_same_facts(before.trace, again.trace)
            still_open = _open_checks(again) - proved
            if not still_open:
                return again
            known = len(proved)
            for less in weaker_assumption_sets(self._options, [before.trace]):
                left = still_open and still_open & _open_checks(
                    self._recheck_weaker(before, opened, proved, still_open, less), less
                )
                proved, still_open = proved | (still_open - left), left
            if still_open and len(proved) == known:
                proved, still_open = self._with_never_reached(before, opened, proved, still_open, again)
            if len(proved) == known:
                first = min(still_open, key=lambda op: op.number)
                (left, *_) = [each for each in again.checks(first) if not isinstance(each.verdict, Proved)]
                raise RewriteError(f"{first.name} does not follow from what is left: {left.verdict.word}")

    def _with_never_reached(
        self,
        before: FunctionRecheck,
        opened: Program,
        proved: frozenset[Operation],
        still_open: frozenset[Operation],
        again: FunctionRecheck,
    ) -> tuple[frozenset[Operation], frozenset[Operation]]:
        """Move the checks that no run reaches under the assumptions from the open ones to the proved ones.

        Each was proved in the original, perhaps from the condition of a branch to which only assumptions lead: where
        that branch was taken apart, its condition is known no more.
        """
        accepted = held_or_never_reached(
            partial(self._trace, before, opened), self._options, again.undefined_ops, _fact_predicate(proved)
        )
        open_claims = [each.obligation for op in still_open for each in again.checks(op)]
        left = frozenset(each.op for each in open_claims if each.identity not in accepted)
        return proved | (still_open - left), left

    def _recheck_weaker(
        self,
        before: FunctionRecheck,
        opened: Program,
        proved: frozenset[Operation],
        wanted: frozenset[Operation],
        less: WeakerAssumptions,
    ) -> FunctionRecheck:
        return less.recheck(
            lambda undefined_ops: self._trace(
                before, opened, undefined_ops, separate_names=less.options.separate_names
            ),
            should_check=lambda each: each.kind is not Kind.CHECK or _is_marked(each),
            matters=wanted.__contains__,
            ask=False,
            becomes_fact=_fact_predicate(frozenset() if less.late else proved),
            may_fold=wanted.__contains__,
        )

    def _folded_ops(self, again: FunctionRecheck, before: FunctionRecheck, opened: Program) -> frozenset[Operation]:
        """Return the operations that fold to their marked alternative, perhaps under weaker assumptions."""
        marked = frozenset(op for op in again.fold_verdicts if isinstance(op.attributes.get(MARK), int))
        left = _unfolded(again, marked)
        for less in weaker_assumption_sets(self._options, [before.trace]):
            if left:
                left = _unfolded(self._recheck_weaker(before, opened, frozenset(), left, less), left, less)
        if left:
            first = min(left, key=lambda op: op.number)
            raise RewriteError(f"{first.location}: {first.name} does not come down to what would be left of it")
        return marked

    def _trace(
        self, before: FunctionRecheck, program: Program, undefined_ops: UndefinedOps, *, separate_names: bool = False
    ) -> Trace:
        return self._traces.trace((before.trace.function.name, program, separate_names), undefined_ops)

    def _interpret(self, where: Interpretation, undefined_ops: UndefinedOps, kept: KeptEffects) -> Trace:
        name, program, separate_names = where
        if name not in program.functions:
            raise RewriteError(f"@{name} is lost")
        try:
            options = replace(self._options, separate_names=True) if separate_names else self._options
            return trace_of(program, program.functions[name], options, undefined_ops, kept=kept)
        except InputError as error:
            raise RewriteError(f"the assumptions cannot be read again: {error}") from error


class _Numbers:
    """Maps the operations of a program to those of the original, by number."""

    def __init__(self, numbers: Mapping[Operation, int]) -> None:
        self._numbers = numbers
        self._there = {number: op for op, number in numbers.items() if number >= 0}

    def of(self, op: Operation) -> int:
        """Return the number of an operation in the original, negative for a new one."""
        return self._numbers.get(op, -1)

    def those_of(self, ops: Iterable[Operation]) -> frozenset[Operation]:
        """Return the operations of the program that stem from these of the original."""
        return frozenset(self._there[op.number] for op in ops if op.number in self._there)


class _Proved:
    """The proved claims of an entry point: claims that ``always`` were, and those that may be proved again.

    A claim that the original does not raise holds by its normal form there. The claim in its place, where an operation
    was folded to one of its alternatives, may need a proof: were it left open, everything that depends on the operation
    would be possibly undefined.
    """

    def __init__(self, found: FunctionRecheck) -> None:
        verdicts: dict[Claimed, list[bool]] = defaultdict(list)
        self._met: set[tuple[Claimed, int]] = set()
        self._sometimes: set[tuple[Claimed, int]] = set()
        for each in found.all:
            claimed = each.obligation.op.number, each.obligation.clause
            is_proved = isinstance(each.verdict, Proved)
            verdicts[claimed].append(is_proved)
            one = claimed, each.obligation.ordinal
            self._met.add(one)
            if is_proved:
                self._sometimes.add(one)
        self.always = {claimed for claimed, proved in verdicts.items() if all(proved)}
        self._never = {claimed for claimed, proved in verdicts.items() if not any(proved)}

    def may_be_proved(self, number: int, obligation: Obligation) -> bool:
        """Return whether a claim was proved or held implicitly; what was not proved cannot get weaker."""
        claimed = number, obligation.clause
        one = claimed, obligation.ordinal
        return one in self._sometimes or (one not in self._met and claimed not in self._never)


def _unfolded(
    found: FunctionRecheck, marked: frozenset[Operation], less: WeakerAssumptions | None = None
) -> frozenset[Operation]:
    """Return the marked operations that do not fold to their marked alternative."""
    accepted = _accepted_verdicts(less)
    return frozenset(
        op for op in marked if not any(each.number == op.attributes[MARK] for each in found.always(op, accepted))
    )


def _open_checks(found: FunctionRecheck, less: WeakerAssumptions | None = None) -> frozenset[Operation]:
    """Return the marked checks that were not proved."""
    accepted = _accepted_verdicts(less)
    return frozenset(
        each.obligation.op
        for each in found.all
        if _is_marked(each.obligation) and not isinstance(each.verdict, accepted)
    )


def _accepted_verdicts(less: WeakerAssumptions | None) -> AcceptedVerdicts:
    """Return the verdicts that allow a removal: under no assumptions, no run reaches what is unreachable.

    A check that always fails may stand before it in a branch that was taken apart, to which only assumptions lead.
    """
    is_bare = less is not None and less.bare and not less.options.trust_ub
    return (Proved, Unreachable) if is_bare else (Proved,)


def _is_marked(obligation: Obligation) -> bool:
    return obligation.kind is Kind.CHECK and MARK in obligation.op.attributes


def _fact_predicate(proved: frozenset[Operation]) -> Callable[[CheckedObligation, Options], bool]:
    """Return a predicate: a removed check is a fact for what follows only once it is proved, here or before.

    One that is never proved fails the verification anyway; until then, no proof rests on it.
    """

    def becomes_fact(checked_obligation: CheckedObligation, options: Options) -> bool:
        if _is_marked(checked_obligation.obligation):
            return checked_obligation.obligation.op in proved or isinstance(checked_obligation.verdict, Proved)
        return may_become_fact(checked_obligation, options)

    return becomes_fact


def _require_same_facts(before: Trace, after: Trace) -> None:
    """Require that the output states exactly the assumptions on the inputs."""
    if _argument_names(before) != _argument_names(after):  # arguments that numbers named are called arg0 now
        return
    if _assumed(before) != set(map(_in_names_of(before, after), _assumed(after))):
        raise RewriteError("the assumptions are not those of the original any more")


def _argument_names(trace: Trace) -> list[str]:
    return [argument_name(trace.function, index) for index, _ in enumerate(trace.function.arguments)]


def _assumed(trace: Trace) -> set[Formula]:
    return {fact.formula for fact in trace.assumptions if fact.formula is not TRUE}


def _in_names_of(before: Trace, after: Trace) -> Callable[[Formula], Formula]:
    """Return a renaming of formulas over the inputs of one trace to the equally named inputs of another.

    The inputs may differ in their bounds: a removed operation may have been what bounded them.
    """
    named = {each.name: each for each in before.input_variables}
    others = {
        each: of_atom(named[each.name]) for each in after.input_variables if named.get(each.name, each) is not each
    }
    return Instantiation(others).formula if others else lambda formula: formula


def _compare_results(prover: Prover, before: Trace, after: Trace) -> None:
    """Require equal result shapes, as far as these depend on the inputs alone."""
    if before.results is None or after.results is None:
        return
    inputs = set(before.input_variables) & set(after.input_variables)
    for old, new in zip(before.results, after.results, strict=True):
        if not isinstance(old, Tensor) or not isinstance(new, Tensor):
            continue
        claim = same_shape(old.shape, new.shape)
        if claim.variables <= inputs and isinstance(prover.verdict_on(claim, name="results"), Refuted):
            raise RewriteError("the pruned program has results of other shapes")
