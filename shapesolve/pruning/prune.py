"""Removal of the runtime checks that are proved."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import cycle

from shapesolve.checker.entry_assertions import with_entry_assertions
from shapesolve.checker.obligation_checker import Progress
from shapesolve.deadline import TIME_LIMIT
from shapesolve.errors import InputError
from shapesolve.int64 import MAX_SIZE
from shapesolve.ir.program import Program
from shapesolve.options import Options
from shapesolve.preconditions.functions import check_addressed, chosen
from shapesolve.pruning.assumption_notes import PruningNote, merged_notes
from shapesolve.pruning.hoisting import apply_hoists, find_hoists
from shapesolve.pruning.joining import apply_joins, find_joins
from shapesolve.pruning.narrowing import apply_narrowings, find_narrowings
from shapesolve.pruning.prune_once import PruneIteration, prune_once
from shapesolve.pruning.result import CheckOutcome, Prepared, PruneResult
from shapesolve.records import value_record
from shapesolve.rewriting.assumption_attributes import options_for_recorded
from shapesolve.rewriting.checks import RewriteError, check_name, counted, possible_checks
from shapesolve.semantics.registry import RuleRegistry
from shapesolve.shape_functions.registries import registry_for
from shapesolve.solver.query_cache import QueryCache

MOST_ROUNDS = 8
"""Largest number of iterations: what one removes may let the next one prove more."""


def prune_program(
    program: Program,
    options: Options,
    progress: Progress | None = None,
    *,
    fewest: bool = False,
    most_shown: int | None = None,
) -> PruneResult:
    """Prune a program that was read from text.

    Args:
        fewest: Hoist checks before earlier ones that follow from them, also where a run that fails says so by another
            message then.
        most_shown: Number of kept checks that are printed, the first ones: sizes at which only others fail need not be
            small. None prints all.

    Raises:
        InputError: The program cannot be pruned.
        RewriteError: The verification of the output fails.
    """
    require_prunable(program, options)
    options = replace(options, answers=options.answers or QueryCache())
    result = _to_fixpoint(_pruned(Prepared.untouched(program), options, progress, most_shown), silent=not fewest).result
    if any(each.number in result.not_shrunk for each in result.kept[:most_shown]):
        assert options.answers is not None
        return prune_program(program, replace(options, answers=options.answers.without_proofs()), fewest=fewest)
    return result


@value_record
class _PruneState:
    """A result, and what a further pruning needs.

    Attributes:
        result: The result.
        left: The pruned program.
        options: Options that assume of it what was assumed of the original.
    """

    result: PruneResult
    left: Prepared
    options: Options


def _to_fixpoint(found: _PruneState, *, silent: bool) -> _PruneState:
    """Hoist, join and narrow checks until none of these changes anything: each may let another one do more.

    A hoisted check may stand before others that follow from it there, or before what cut it off; a narrowed one may
    move where a shape that it compared no more is not made yet.
    """
    steps = (partial(_hoisted_once, silent=silent), _joined_once, _narrowed_once)
    idle = 0
    for step in cycle(steps):
        changed = None if found.options.deadline.passed else step(found)
        found, idle = (found, idle + 1) if changed is None else (changed, 0)
        if idle == len(steps):
            break
    return found


def _hoisted_once(found: _PruneState, *, silent: bool) -> _PruneState | None:
    """Return the result after the moves that pay; None if none does."""
    prepared, kept = found.left, {each.number for each in found.result.kept}
    standing = frozenset(number for number, origin in enumerate(prepared.originals) if origin in kept)
    moves = find_hoists(prepared.program, standing, found.options, silent=silent) if len(kept) > 1 else []
    while moves and not found.options.deadline.passed:
        again = _pruned(apply_hoists(prepared, moves), found.options)
        stay = {each.number for each in again.result.kept}
        idle = [each for each in moves if not stay.isdisjoint(prepared.originals[op.number] for op in each.implied)]
        if not idle:
            return replace(again, result=again.result.after(found.result)) if len(stay) < len(kept) else None
        moves = [each for each in moves if each not in idle]
    return None


def _joined_once(found: _PruneState) -> _PruneState | None:
    """Return the result after joins of constraints; None if none reduces their number."""
    prepared, kept = found.left, {each.number for each in found.result.kept}
    standing = {number for number, origin in enumerate(prepared.originals) if origin in kept}
    joins = find_joins(prepared, standing, found.options, _pruned_silently) if len(kept) > 1 else []
    if not joins:
        return None
    again = _pruned(apply_joins(prepared, joins), found.options)
    if len(again.result.kept) > len(kept) - len(joins):
        return None
    return replace(again, result=again.result.after(found.result))


def _narrowed_once(found: _PruneState) -> _PruneState | None:
    """Return the result after constraints were narrowed; None if none can be."""
    narrowings = find_narrowings(found.left.program, found.options, _pruned_silently)
    if not narrowings:
        return None
    again = _pruned(apply_narrowings(found.left, narrowings), found.options)
    if len(again.result.kept) < len(found.result.kept):
        return replace(again, result=again.result.after(found.result))
    noted = merged_notes((*found.result.noted, *again.result.noted))
    simplified = again.result.after(found.result).simplified
    return replace(again, result=replace(found.result, text=again.result.text, noted=noted, simplified=simplified))


def require_prunable(program: Program, options: Options) -> None:
    """Require a program with text, sizes without bounds, and no contracts outside the program.

    Raises:
        InputError: One of these is violated.
    """
    if program.text is None:
        raise InputError("only what was read from text can be pruned: print the module first", where=program.file)
    if options.contracts:
        raise InputError("what is pruned states its contracts itself, as attributes", where="--facts")
    if options.max_size != MAX_SIZE:
        raise InputError("checks may only go for all sizes: write the bound as an assumption", where="--max-size")


def prune_prepared(prepared: Prepared, options: Options) -> PruneResult:
    """Prune a program into which checks were inserted. The result refers to the original."""
    return _pruned(prepared, options).result


def _pruned_silently(prepared: Prepared, options: Options) -> PruneResult:
    """Prune a program of trials. Why checks are kept is not asked."""
    return _pruned(prepared, options, shown=False).result


class _Iterations:
    """Result of some pruning iterations of a program.

    Attributes:
        last: The latest iteration.
        text: The text of the program that they leave.
        left: That program, and ``origins`` the numbers of its operations in the original.
        outcomes: The outcomes of the original's checks, by number.
    """

    def __init__(self, prepared: Prepared, program: Program, first: PruneIteration) -> None:
        self._source_ops = list(prepared.original.operation.walk())
        self.text, self.left, self.origins = first.text, program, prepared.originals
        self.outcomes = prepared.outcomes(first.outcomes)
        self._note(first)

    def add(self, iteration: PruneIteration) -> None:
        """Add an iteration on the program that is left."""
        for number, outcome in iteration.outcomes.items():
            origin = self.origins[number]
            if outcome.removed and origin >= 0:
                there = self.outcomes.get(origin) or outcome.at(self._source_ops[origin].location, origin)
                self.outcomes[origin] = there.removed_as(outcome)
        self._note(iteration)

    def _note(self, iteration: PruneIteration) -> None:
        self.last = iteration
        if iteration.pruned is not None:
            self.text, self.left = iteration.text, iteration.pruned
            self.origins = tuple(self.origins[each] if each >= 0 else each for each in iteration.originals)

    def outcomes_of(self, registry: RuleRegistry, *, are_checks: bool) -> tuple[CheckOutcome, ...]:
        """Return the outcomes of the operations that are checks by the registry, or of the others, in program order."""
        return tuple(
            outcome
            for number, outcome in sorted(self.outcomes.items())
            if (check_name(self._source_ops[number], registry) is not None) is are_checks
        )


def _pruned(
    prepared: Prepared,
    options: Options,
    progress: Progress | None = None,
    most_shown: int | None = None,
    *,
    shown: bool = True,
) -> _PruneState:
    original, program = prepared.original, with_entry_assertions(prepared.program, options, from_words=False)
    check_addressed(program, (*options.assumptions, *options.shapes))
    options = replace(options, answers=options.answers or QueryCache())
    registry = registry_for(original, options)
    before = counted(original, registry)
    places = prepared.places(program, prepared.originals)
    around = places.original, prepared.left_alone, places.added
    first = prune_once(program, options, progress, *around, shown=shown, most_shown=most_shown)
    found = _Iterations(prepared, program, first)
    written_down = options_for_recorded(chosen(program, options.functions), options)
    for _ in range(MOST_ROUNDS - 1):
        last = found.last
        if last.pruned is None or last.is_last or options.deadline.passed:
            break
        places = prepared.places(last.pruned, found.origins)
        try:
            alike = last.contradictory, places.added, last.known, last.interpret
            found.add(prune_once(last.pruned, written_down, None, places.original, *alike, shown=False))
        except RewriteError:
            if options.deadline.passed:  # what the rounds before wrote is proved
                break
            raise
    notes: list[PruningNote] = [*original.notes, *prepared.notes, *first.notes]
    if options.deadline.passed:
        notes.append(f"{TIME_LIMIT}: more checks might go")
    if found.text != original.text and "//" in (original.text or ""):
        notes.append("comments are not kept")
    standing = [(op, found.origins[op.number]) for op in possible_checks(found.left)]
    after = Counter(check_name(op, registry) for op, number in standing if number >= 0)
    written = [(op, prepared.written[number]) for op, number in standing if number in prepared.written]
    result = PruneResult(
        found.text,
        found.outcomes_of(registry, are_checks=True),
        {name: (count, after[name]) for name, count in before.items()},
        merged_notes(notes),
        tuple(each.standing(op) for op, each in written if check_name(op, registry) is not None),
        simplified=found.outcomes_of(registry, are_checks=False),
        may_be_undefined=first.may_be_undefined,
        certain_failures=first.certain_failures,
        admits_no_input=bool(first.contradictory),
        not_shrunk=first.not_shrunk,
    )
    if found.left is program:
        return _PruneState(result, prepared, options)
    return _PruneState(result, prepared.after(found.left, found.origins, found.last.contradictory), written_down)
