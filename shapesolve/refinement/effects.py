"""Effects of two programs beside their results: printing, calls of unknown functions, writes to variables.

Two programs have the same effects if their effectful operations have the same value numbers, one after the other: such
a number covers the operands, the regions around and every operation of the kind that ran before.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from shapesolve.ir.control_flow import called_function, places_in
from shapesolve.ir.program import Operation, Value
from shapesolve.preconditions.stated_contracts import declared
from shapesolve.refinement.loops import guarded_events
from shapesolve.refinement.paired_interpreter import Interpretation
from shapesolve.semantics.effects import touches_buffers
from shapesolve.symbolic.formula_kinds import TRUE
from shapesolve.trace.events import Kind, MayNotReturn, Obligation


def effect_difference(source: Interpretation, target: Interpretation) -> str:
    """Return the first effect that the other program is not known to have, in a sentence; "" if there is none."""
    pairs = zip_longest(_effects(source), _effects(target))
    for ours, theirs in pairs:
        if ours is None or theirs is None or not _are_the_same(source, ours, target, theirs):
            side, op = (target, theirs) if theirs is not None and ours is None else (source, ours)
            assert op is not None
            line = f"line {op.location.line} of " if op.location.line else ""
            if ours is not None and theirs is not None and ours.name == theirs.name == PRINTING:
                there = f", line {theirs.location.line} of the target" if theirs.location.line else ""
                return f"whether {ours.name} ({line}the source{there}) prints the same value is not known"
            other = "the target" if side is source else "the source"
            return f"whether {other} does what {op.name} ({line}the {side.side}) does is not known"
    return ""


PRINTING = "vector.print"


def printed_values(source: Interpretation, target: Interpretation) -> list[tuple[Value, Value]]:
    """Return what both programs print, pair by pair; empty if they have other effects, or print conditionally.

    All pairs have the same type and are printed with the same punctuation.
    """
    ours, theirs = list(_effects(source)), list(_effects(target))
    printing = [(source, each) for each in ours] + [(target, each) for each in theirs]
    if len(ours) != len(theirs) or not all(_prints_once(interpretation, op) for interpretation, op in printing):
        return []
    pairs = [(a.operands[0], b.operands[0]) for a, b in zip(ours, theirs, strict=True)]
    alike = all(a.attributes == b.attributes for a, b in zip(ours, theirs, strict=True))
    return pairs if alike and all(a.type == b.type for a, b in pairs) else []


def _prints_once(interpretation: Interpretation, op: Operation) -> bool:
    """Return whether an operation of the function's only block prints one value."""
    body = interpretation.trace.function.operation.regions
    blocks = [block for region in body for block in region.blocks]
    is_here = len(blocks) == 1 and op in blocks[0].operations
    return is_here and op.name == PRINTING and len(op.operands) == 1


def may_have_effects_without_returning(source: Interpretation) -> bool:
    """Return whether a run may abort, or go on forever, so that its effects count although it never returns."""
    return any(
        isinstance(each.event, MayNotReturn)
        or (isinstance(each.event, Obligation) and each.event.kind is Kind.CHECK and each.event.claim is not TRUE)
        for each in guarded_events(source.trace)
    )


def same_before_checks(source: Interpretation, target: Interpretation) -> bool:
    """Return whether the same effects come before the same checks, so that a run that is stopped has had the same."""
    return not any(_effects(source)) or _checks_between(source) == _checks_between(target)


def _checks_between(interpretation: Interpretation) -> list[set[tuple[str, str]]]:
    """Return the checks before, between and behind the effects; one that was passed before is none."""
    checks: dict[Operation, list[tuple[str, str]]] = {}
    for each in guarded_events(interpretation.trace):
        if isinstance(each.event, Obligation) and each.event.kind is Kind.CHECK and each.event.claim is not TRUE:
            checks.setdefault(each.event.op, []).append((str(each.guard), str(each.event.claim)))
    effects, passed = set(_effects(interpretation)), set[tuple[str, str]]()
    between: list[set[tuple[str, str]]] = [set()]
    for op in interpretation.trace.positions:
        if op in effects:
            between.append(set())
        between[-1].update(set(checks.get(op, ())) - passed)
        passed.update(checks.get(op, ()))
    return between


def same_writes(source: Interpretation, target: Interpretation) -> bool:
    """Return whether both programs write the same to the same buffers, in the same order."""
    return all(
        ours is not None and theirs is not None and _are_the_same(source, ours, target, theirs)
        for ours, theirs in zip_longest(_writes(source), _writes(target))
    )


def unfollowed_calls(interpretation: Interpretation) -> Iterator[Operation]:
    """Yield the calls of functions that were not inlined."""
    alone = declared(interpretation.program).is_inductive
    for op in interpretation.trace.positions:
        called = called_function(interpretation.program, op)
        if called is not None and (called.body is None or alone(called) or op in interpretation.trace.not_interpreted):
            yield op


def _effects(interpretation: Interpretation) -> Iterator[Operation]:
    """Yield the operations with observable effects in program order, writes to buffers aside."""
    not_interpreted = set(unfollowed_calls(interpretation))
    for op in interpretation.trace.positions:
        is_other = (
            called_function(interpretation.program, op) is not None or op.successors or op in interpretation.freeing
        )
        if op in not_interpreted or (not is_other and not touches_buffers(op) and interpretation.effects(op).writes):
            yield op


def _writes(interpretation: Interpretation) -> Iterator[Operation]:
    not_interpreted = set(unfollowed_calls(interpretation))
    for op in interpretation.trace.positions:
        if op in not_interpreted or (touches_buffers(op) and interpretation.effects(op).writes):
            yield op


def _are_the_same(source: Interpretation, ours: Operation, target: Interpretation, theirs: Operation) -> bool:
    """Return whether the operations have the same numbers, and no branch between blocks decides about them."""
    numbers = source.own_numbers(ours)
    in_order = all(_is_in_one_block(interpretation, op) for interpretation, op in ((source, ours), (target, theirs)))
    return in_order and bool(numbers) and numbers == target.own_numbers(theirs)


def _is_in_one_block(interpretation: Interpretation, op: Operation) -> bool:
    places = places_in(interpretation.program)
    here: Operation | None = op
    while here is not None:
        region = places.regions.get(here)
        if region is None:
            return True
        if len(region.blocks) != 1:
            return False
        here = places.around.get(region.blocks[0])
    return True
