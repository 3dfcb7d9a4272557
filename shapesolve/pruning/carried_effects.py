"""Effects of a program's operations, carried over to its pruned form.

The output is read again from its text and compared with the original, operation by operation
(`rewriting.correspondence`). Nearly all of its operations are those of the original then, and where such an operation
is given the same values it does the same: interpreting it anew applies the same rule to the same terms. So the effects
that it had in the original are carried over, with the values, operations and locations of the output in them, and the
interpreter of the output repeats them under its own conditions (`interpreter.operation_effects`): everything that the
operation reads must have been found to be the same in the output, value by value.

An operation is the same if it and all that is nested in it have the same attributes and operands, and nothing else that
its rule may look at differs: whether results are used, and whether others may write its tensors. What asked the program
for more, such as the operation that makes a value, is interpreted anew. Claims and facts are carried over, proofs are
not: the output is proved from them by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from shapesolve.interpreter.fold_queries import FoldState, shares_memory
from shapesolve.interpreter.operation_effects import KeptEffects, OperationEffects
from shapesolve.interpreter.poison import PoisonState
from shapesolve.ir.data_flow import aliased
from shapesolve.ir.program import Location, Operation, Program, ShapedType, Type, Value
from shapesolve.records import replacer
from shapesolve.rewriting.correspondence import matched_values
from shapesolve.trace.events import (
    Alternative,
    Approximation,
    Enter,
    Event,
    Fact,
    FoldQuery,
    IterationNumber,
    Leave,
    MayNotReturn,
    Obligation,
    OverflowAssumption,
)

_obligation_at = replacer(Obligation, "op", "location")
_fact_at = replacer(Fact, "location")
_query_at = replacer(FoldQuery, "op", "alternative")
_overflow_at = replacer(OverflowAssumption, "location")
_approximation_at = replacer(Approximation, "location")
_enter_at = replacer(Enter, "condition", "of", "iteration")


class EffectsCarrier:
    """Carries effects from the operations of a program to the same operations of another one.

    Args:
        origins: The source's operation for each operation of the target that is not new. They correspond
            (`rewriting.correspondence`).
    """

    def __init__(self, source: Program, target: Program, origins: Mapping[Operation, Operation]) -> None:
        self._is_alike = source.computes_sizes_exactly == target.computes_sizes_exactly and (
            shares_memory(source) == shares_memory(target)
        )
        self._ops = {origin: op for op, origin in origins.items()}
        self._values: dict[Value, Value] = {}
        self._places: dict[Location, Location | None] = {}
        self._aliased = aliased(source), aliased(target)
        types: dict[tuple[int, int], bool] = {}  # types are shared by the values of a program
        for op, origin in origins.items():
            for value, same in matched_values(op, origin):
                key = id(value.type), id(same.type)
                if key not in types:
                    types[key] = _are_same(value.type, same.type)
                if types[key] and value.name == same.name:
                    self._values[same] = value
            is_known = origin.location in self._places and self._places[origin.location] != op.location
            self._places[origin.location] = None if is_known else op.location

    def carried(self, kept: KeptEffects) -> KeptEffects:
        """Return the effects of a source's function as those of the target's; without operations that differ."""
        if not self._is_alike:
            return KeptEffects()
        found = ((self._ops.get(origin), effects) for origin, effects in kept.by_operation.items())
        return kept.of_others({op: self._carried(op, effects) for op, effects in found if op is not None})

    def _carried(self, op: Operation, effects: OperationEffects) -> OperationEffects:
        inside, poison = tuple(op.walk()), self._poison(effects.poison)
        if self._is_same_with_nested(inside, effects):
            try:
                return self._translated(effects, inside, poison)
            except KeyError:  # it tells of an operation or a value that is gone
                pass
        return replace(effects, may_recur=False, differs=True, poison=poison)

    def _is_same_with_nested(self, inside: tuple[Operation, ...], effects: OperationEffects) -> bool:
        if any(effects.branches.values()) or len(inside) != len(effects.inside):
            return False
        return all(map(self._is_same, inside, effects.inside)) and all(map(self._is_aliased_alike, effects.read))

    def _is_same(self, op: Operation, origin: Operation) -> bool:
        """Return whether an operation is the one that it stems from, apart from what is nested in it."""
        values = self._values
        if self._ops.get(origin) is not op or tuple(map(values.get, origin.operands)) != op.operands:
            return False
        if op.attributes != origin.attributes or op.segments != origin.segments or op.successors or origin.successors:
            return False
        if op.indexing_maps != origin.indexing_maps:
            return False
        return all(
            values.get(same) is value and (not value.uses) == (not same.uses) and self._is_aliased_alike(same)
            for value, same in matched_values(op, origin)
        )

    def _is_aliased_alike(self, value: Value) -> bool:
        here, there = self._aliased
        return (value in here) == (self._values.get(value) in there)

    def _translated(
        self, effects: OperationEffects, inside: tuple[Operation, ...], poison: PoisonState
    ) -> OperationEffects:
        ops, values = self._ops, self._values
        return replace(
            effects,
            inside=inside,
            read=frozenset([values[each] for each in effects.read]),
            may_recur=effects.may_recur and not effects.asked_program,
            values={values[each]: known for each, known in effects.values.items()},
            guards={values[each]: guard for each, guard in effects.guards.items()},
            folds=tuple(map(self._fold, effects.folds)),
            poison=poison,
            ordinals=tuple([(ops[op], ordinal) for op, ordinal in effects.ordinals]),
            events=tuple(map(self._event, effects.events)),
            approximations=tuple(
                [_approximation_at(each, self._place(each.location)) for each in effects.approximations]
            ),
            reached={ops[op]: count for op, count in effects.reached.items()},
            positions={ops[op]: position for op, position in effects.positions.items()},
            branches={ops[op]: branches for op, branches in effects.branches.items()},  # nothing branches
        )

    def _place(self, location: Location | None) -> Location | None:
        """Return the location in the target of a location in the source."""
        if location is None:
            return None
        place = self._places[location]
        if place is None:  # several operations share it
            raise KeyError(location)
        return place

    def _poison(self, state: PoisonState) -> PoisonState:
        """Return what is poison of the operations and values that are left."""
        values, names, sources = state
        left = {self._values[each] for each in values if each in self._values}
        return left, names, {self._ops[each] for each in sources if each in self._ops}

    def _fold(self, state: FoldState) -> FoldState:
        op, demands, copied = state
        steps = copied and [(self._values[value], where) for value, where in copied]
        return self._ops[op], demands, steps

    def _event(self, event: Event) -> Event:
        match event:
            case Obligation():
                if event.calls:
                    raise KeyError(event)
                return _obligation_at(event, self._ops[event.op], self._place(event.location))
            case Fact():
                return _fact_at(event, self._place(event.location))
            case FoldQuery():
                return _query_at(event, self._ops[event.op], self._alternative(event.alternative))
            case OverflowAssumption():
                return _overflow_at(event, self._place(event.location))
            case Enter():
                condition = event.condition and _fact_at(event.condition, self._place(event.condition.location))
                return _enter_at(event, condition, event.of and self._ops[event.of], self._iteration(event.iteration))
            case Leave():
                return event
            case MayNotReturn():
                return replace(event, op=self._ops[event.op])
            case _:
                assert_never(event)

    def _alternative(self, alternative: Alternative | None) -> Alternative | None:
        if alternative is None or not isinstance(alternative.gives, Value):
            return alternative
        return alternative._replace(gives=self._values[alternative.gives])

    def _iteration(self, iteration: IterationNumber | None) -> IterationNumber | None:
        return iteration and iteration._replace(loop=self._ops[iteration.loop])


def _are_same(ours: Type, theirs: Type) -> bool:
    """Return whether types are the same, with the layouts of buffers, which they are not compared by."""
    if ours != theirs:
        return False
    if not isinstance(ours, ShapedType) or not isinstance(theirs, ShapedType):
        return True
    layouts: list[tuple[object, ...]] = [(each.is_injective, each.layout, each.places) for each in (ours, theirs)]
    return layouts[0] == layouts[1]
