"""Fold queries: where an operation has a simpler form, because its alternatives cannot differ.

A branch yields what the other would, a choice is settled, a loop runs once or never. Each becomes a query for a
rewriter; it requires nothing, and nothing follows from it. Values are equal if they are the same number, copies of one
value, or computed alike from the same values: the rules say what copies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from shapesolve.domain.values import Abstract, Element, Tensor
from shapesolve.ir.analyses import program_analysis
from shapesolve.ir.attributes import is_whole
from shapesolve.ir.program import Block, Operation, Program, Region, ScalarType, ShapedType, Value
from shapesolve.semantics.effects import touches_buffers
from shapesolve.semantics.op_semantics import Claim, OpSemantics
from shapesolve.semantics.registry import RuleRegistry
from shapesolve.symbolic.derivations import current
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, disjunction, equal, equivalent, implies
from shapesolve.symbolic.limits import TooLarge
from shapesolve.symbolic.shapes import same_shape
from shapesolve.trace.events import Alternative, Event, FoldQuery, Kind, MayNotReturn, OverflowAssumption

LONGEST_CHAIN = 12
"""The most copies of copies that are followed."""
MAX_COMPARED_DEPTH = 6
"""The depth to which computations are compared."""

Step = tuple[Value, Formula]

FoldState = tuple[Operation, Formula, Sequence[Step] | None]
"""An operation that has run, the condition under which it computes what its rule says, and what it copies."""


class FoldQueries:
    """Known equalities of values in one function, and the fold queries that use them."""

    def __init__(
        self, program: Program, values: Mapping[Value, Abstract], registry: RuleRegistry, events: Sequence[Event]
    ) -> None:
        self._values = values
        self._rulebook = registry
        self._events = events
        self._are_values = not shares_memory(program)
        self._alike: dict[Value, Sequence[Step]] = {}
        self._makers: dict[Value, Operation] = {}
        self._demands: dict[Operation, Formula] = {}
        self._erasable: dict[Operation, bool] = {}

    def before(self, op: Operation, semantics: OpSemantics) -> Sequence[FoldQuery]:
        """Return the fold queries before the regions run: no check in them has stopped the program yet."""
        self.forget(op)
        if not semantics.folds.runs or current() is not None:
            return ()
        try:
            demands = self._demanded(op, semantics.requires.claims)
            ways = ((Alternative(number), formula) for number, formula in enumerate(semantics.folds.runs))
            return _asked(op, ways, demands)
        except TooLarge:
            return ()

    def after(
        self, op: Operation, semantics: OpSemantics, declared: Sequence[Claim], since: int
    ) -> Sequence[FoldQuery]:
        """Return the fold queries of an operation that has run.

        ``declared`` are the claims on what its types state; ``since`` is the number of events before it.
        """
        if current() is not None:  # certificates are about what is claimed
            return ()
        try:
            self._note(op, semantics, declared)
            if not semantics.folds.chooses and not semantics.folds.branches:
                return ()
            return _asked(op, self._alternatives(op, semantics, since), self._demands[op])
        except TooLarge:
            return ()

    def states_of(self, ops: Iterable[Operation]) -> tuple[FoldState, ...]:
        """Return what is known of operations that have run."""
        return tuple(
            [
                (op, self._demands[op], self._alike.get(op.results[0]) if op.results else None)
                for op in ops
                if op in self._demands
            ]
        )

    def repeat(self, states: Iterable[FoldState]) -> None:
        """Note what was known of operations after they had run another time."""
        for op, demands, same in states:
            self._demands[op] = demands
            for result in op.results:
                self._makers[result] = op
            if same is not None:
                self._alike[op.results[0]] = same

    def forget(self, op: Operation) -> None:
        """Forget what was known of the operation when it ran last."""
        for result in op.results:
            self._makers.pop(result, None)
            self._alike.pop(result, None)

    def _note(self, op: Operation, semantics: OpSemantics, declared: Sequence[Claim]) -> None:
        self._demands[op] = demands = self._demanded(op, (*semantics.requires.claims, *declared))
        for result in op.results:
            self._makers[result] = op
        same = (*semantics.folds.chooses, *semantics.folds.copies)
        if op.results and same:
            steps = [(value, conjunction((where, demands))) for value, where in same if isinstance(value, Value)]
            self._alike[op.results[0]] = [step for step in steps if step[1] is not FALSE]

    def _demanded(self, op: Operation, claims: Iterable[Claim]) -> Formula:
        """Return the condition under which the operation computes what its rule says."""
        shaped = [self._values.get(value) for value in op.operands]
        demands = [each.fits for each in shaped if isinstance(each, Tensor) and each.fits is not TRUE]
        demands += [each.formula for each in claims if each.kind is not Kind.CHECK]
        return conjunction(demands) if demands else TRUE

    def _alternatives(self, op: Operation, semantics: OpSemantics, since: int) -> Iterator[tuple[Alternative, Formula]]:
        chooses = [(value, where) for value, where in semantics.folds.chooses if _can_stand_for(op, value)]
        for number, (value, formula) in enumerate(self._choice(chooses)):
            yield Alternative(number, value), formula
        if semantics.folds.branches and _yields_results(op, semantics.folds.branches) and self._is_quiet(op, since):
            for number, _ in enumerate(op.regions):
                same = self._branch(op, semantics.folds.branches, number, since)
                if same is not None:
                    yield Alternative(number), same

    def _choice(self, chooses: Sequence[tuple[Value | int, Formula]]) -> Iterator[tuple[Value | int, Formula]]:
        values = [(value, where) for value, where in chooses if isinstance(value, Value)]
        covered = disjunction(where for _, where in values)
        for value, where in chooses:
            if not isinstance(value, Value):
                yield value, where
                continue
            others = [(self._same(value, other), there) for other, there in values if other is not value]
            if any(same is None for same, _ in others):
                yield value, where
            else:
                agree = conjunction(implies(there, same) for same, there in others if same is not None)
                yield value, disjunction((where, conjunction((covered, agree))))

    def _branch(self, op: Operation, alternatives: Sequence[Formula], way: int, since: int) -> Formula | None:
        """Return the condition under which the other regions, when they run, yield what this one would."""
        parts: list[Formula] = []
        kept = _yielded(op.regions[way])
        no_overflow = self._no_overflow(op.regions[way], since)
        for other, runs in zip(op.regions, alternatives, strict=True):
            if other is op.regions[way]:
                continue
            where = conjunction((runs, *(self._no_overflow(other, since) if no_overflow else ())))
            parts += [implies(where, each) for each in no_overflow]
            for result, ours, theirs in zip(op.results, kept, _yielded(other), strict=False):
                if not result.uses:
                    continue
                same = self._same(ours, theirs)
                if same is None:
                    return None
                parts.append(implies(runs, same))
        return conjunction(parts)

    def _no_overflow(self, region: Region, since: int) -> list[Formula]:
        """Return the overflow assumptions of a region, which it needs to yield the same where it did not run before."""
        ops = (inner for block in region.blocks for each in block.operations for inner in each.walk())
        places = {op.location for op in ops}
        facts = (
            each for each in self._events[since:] if isinstance(each, OverflowAssumption) and each.location in places
        )
        return list(dict.fromkeys(each.formula for each in facts))

    def _is_quiet(self, op: Operation, since: int) -> bool:
        """Return whether skipping the regions of an operation is unobservable."""
        if any(len(region.blocks) > 1 for region in op.regions):
            return False
        inside = (each for region in op.regions for block in region.blocks for each in block.operations)
        return all(map(self._is_erasable, inside)) and not any(
            isinstance(each, MayNotReturn) for each in self._events[since:]
        )

    def _is_erasable(self, op: Operation) -> bool:
        found = self._erasable.get(op)
        if found is None:
            found = self._erasable[op] = all(self._rulebook.effects(each).is_erasable for each in op.walk())
        return found

    # Sameness ----------------------------------------------------------------------------------------------------

    def _same(self, a: Value, b: Value) -> Formula | None:
        """Return the condition under which two values of one type are equal, or None if that is never known."""
        if a is b:
            return TRUE
        found = [each for each in (self._as_numbers(a, b), self._as_copies(a, b)) if each is not None]
        return disjunction(found) if found else None

    def _as_numbers(self, a: Value, b: Value) -> Formula | None:
        match self._values.get(a), self._values.get(b):
            case Dim() as x, Dim() as y:
                return equal(x, y)
            case Formula() as x, Formula() as y:
                return equivalent(x, y)
            case Tensor() as x, Tensor() as y if self._are_values and _holds_integers(a):
                if x.elements is None or y.elements is None or len(x.elements) != len(y.elements):
                    return None
                pairs = zip(x.elements, y.elements, strict=True)
                return conjunction((x.fits, y.fits, same_shape(x.shape, y.shape), *(_equal(*pair) for pair in pairs)))
            case _:
                return None

    def _as_copies(self, a: Value, b: Value) -> Formula | None:
        ours, theirs = self._copied_values(a), self._copied_values(b)
        found = [conjunction((where, theirs[value])) for value, where in ours.items() if value in theirs]
        if not found:
            for value, where in ours.items():
                for other, there in theirs.items():
                    same = self._computed_alike(value, other, MAX_COMPARED_DEPTH)
                    if same is not None:
                        found.append(conjunction((where, there, same)))
        return disjunction(found) if found else None

    def _copied_values(self, value: Value) -> dict[Value, Formula]:
        """Return the values that this one is a copy of, each with its condition."""
        found: dict[Value, Formula] = {value: TRUE}
        waiting = [value]
        while waiting and len(found) < LONGEST_CHAIN:
            last = waiting.pop(0)
            self._read(last)
            for origin, where in self._alike.get(last, ()):
                if origin not in found and (self._are_values or not isinstance(origin.type, ShapedType)):
                    found[origin] = conjunction((found[last], where))
                    waiting.append(origin)
        return found

    def _read(self, value: Value) -> None:
        """Have it noted that what is known of a value is read, if the effects of operations are kept."""
        self._values.get(value)

    def _computed_alike(self, a: Value, b: Value, depth: int) -> Formula | None:
        """Return the condition under which two values result from the same computation on the same values, or None."""
        if a is b:
            return TRUE
        self._read(a)
        self._read(b)
        one, other = self._makers.get(a), self._makers.get(b)
        if one is None or other is None or not depth or not self._is_the_same(one, other):
            return None
        if one.results.index(a) != other.results.index(b) or a.type != b.type:
            return None
        parts = [self._demands[one], self._demands[other]]
        for x, y in zip(one.operands, other.operands, strict=True):
            same = self._computed_alike(x, y, depth - 1)
            if same is None:
                return None
            parts.append(same)
        return conjunction(parts)

    def _is_the_same(self, one: Operation, other: Operation) -> bool:
        if one.name != other.name or len(one.operands) != len(other.operands) or one.segments != other.segments:
            return False
        if one.regions or other.regions or one.successors or touches_buffers(one):
            return False
        effects = self._rulebook.effects(one)
        if not effects.is_function or not effects.is_erasable or effects.asks_where:
            return False
        return _spelled(one) is not None and _spelled(one) == _spelled(other)


def _asked(op: Operation, ways: Iterable[tuple[Alternative, Formula]], demands: Formula) -> Sequence[FoldQuery]:
    whole = ((way, conjunction((formula, demands))) for way, formula in ways)
    return tuple(FoldQuery(formula, op, way) for way, formula in whole if formula is not FALSE)


@program_analysis
def shares_memory(program: Program) -> bool:
    """Return whether tensors may share memory with buffers: then a copy need not stay equal to its original."""
    return any(_kinds(op) >= {"tensor", "memref"} for op in program.operation.walk())


def _kinds(op: Operation) -> AbstractSet[str]:
    return {each.type.container for each in (*op.operands, *op.results) if isinstance(each.type, ShapedType)}


def _can_stand_for(op: Operation, value: Value | int) -> bool:
    """Return whether the result of an operation can be replaced by a value."""
    if len(op.results) != 1 or op.regions:
        return False
    type = op.results[0].type
    if isinstance(value, Value):
        return value in op.operands and value.type == type
    return isinstance(type, ScalarType) and type.kind != "float"


def _yields_results(op: Operation, alternatives: Sequence[Formula]) -> bool:
    """Return whether there is one condition for each region, and each yields the results, as far as there are any."""
    counts = {len(_yielded(region)) for region in op.regions if op.results}
    return len(alternatives) == len(op.regions) and counts <= {len(op.results)}


def _yielded(region: Region) -> tuple[Value, ...]:
    blocks: tuple[Block, ...] = region.blocks
    return blocks[0].operations[-1].operands if blocks and blocks[0].operations else ()


def _holds_integers(value: Value) -> bool:
    element = value.type.element if isinstance(value.type, ShapedType) else None
    return isinstance(element, ScalarType) and element.kind != "float"


def _equal(a: Element, b: Element) -> Formula:
    if isinstance(a, Dim) and isinstance(b, Dim):
        return equal(a, b)
    return equivalent(a, b) if isinstance(a, Formula) and isinstance(b, Formula) else FALSE


def _spelled(op: Operation) -> str | None:
    """Return the attributes as text, or None if these are not whole."""
    if not all(map(is_whole, op.attributes.values())):
        return None
    return repr(sorted((name, repr(each)) for name, each in op.attributes.items()))
