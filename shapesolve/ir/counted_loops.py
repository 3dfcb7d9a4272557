"""Loops that count, as `scf.for`: an `scf.while` that goes on while a counter is less than a bound.

The counter grows by a positive constant in each iteration, and is not used behind the loop; the bound is the same in
all iterations. An index does not wrap; a counter of another type takes steps of 1, which do not wrap below a bound of
its type. On demand, an index may also take steps that are not known: an `scf.for` is undefined where such a step is not
positive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from shapesolve.ir.copies import copied_region, substituted
from shapesolve.ir.program import Block, Operation, Region, ScalarType, Value
from shapesolve.records import record

_SIGNED_LESS, _SIGNED_GREATER = 2, 4
"""Predicates of `arith.cmpi`."""


@record
class _Counting:
    """Counter of a loop.

    Attributes:
        place: The place of the counter among the arguments of its first region.
        bound: The first number that the counter does not reach.
        step: The number that is added in each iteration.
        addition: The operation that adds it.
    """

    place: int
    bound: Value
    step: Value
    addition: Operation


def with_counted_loops(region: Region, *, any_step: bool = False) -> Region:
    """Return a region of one block with an `scf.for` for each `scf.while` in it that counts.

    Args:
        any_step: Whether steps may be unknown numbers, for which the region does not do the same where they are not
            positive.
    """
    if len(region.blocks) != 1 or not any(op.name == "scf.while" for op in _operations_in(region)):
        return region
    return _Conversion(region, any_step).region(region)


def _operations_in(region: Region) -> Iterator[Operation]:
    for block in region.blocks:
        for op in block.operations:
            yield from op.walk()


class _Conversion:
    """Converts the loops of a region, in program order."""

    def __init__(self, region: Region, any_step: bool) -> None:
        self._any_step = any_step
        operations = list(_operations_in(region))
        self._uses = Counter(value for op in operations for value in op.operands)
        self._constants = {op.results[0]: op.attributes["value"] for op in operations if op.name == "arith.constant"}
        self._values: dict[Value, Value] = {}

    def region(self, region: Region) -> Region:
        """Convert the loops of a region."""
        if len(region.blocks) > 1:
            return copied_region(region, self._values)
        return Region(tuple(Block(each.arguments, self._all(each.operations)) for each in region.blocks))

    def _all(self, operations: Iterable[Operation]) -> tuple[Operation, ...]:
        return tuple(map(self._converted, operations))

    def _converted(self, op: Operation) -> Operation:
        counting = self._counting(op) if op.name == "scf.while" else None
        if counting is not None:
            return self._counted(op, counting)
        return replace(op, operands=self._current(op.operands), regions=tuple(map(self.region, op.regions)))

    def _current(self, values: Iterable[Value]) -> tuple[Value, ...]:
        return substituted(values, self._values)

    def _counting(self, op: Operation) -> _Counting | None:
        """Return how a loop counts; None if it does not, or not so."""
        if any(len(region.blocks) != 1 for region in op.regions):
            return None
        before, after = (region.blocks[0] for region in op.regions)
        if len(before.operations) != 2:
            return None
        (test, condition), end = before.operations, after.operations[-1]
        predicate = test.attributes.get("predicate")
        if test.name != "arith.cmpi" or predicate not in (_SIGNED_LESS, _SIGNED_GREATER):
            return None
        if condition.operands[0] is not test.results[0] or self._uses[test.results[0]] != 1:
            return None
        counter, bound = test.operands if predicate == _SIGNED_LESS else test.operands[::-1]
        if counter not in before.arguments or bound in before.arguments:
            return None
        counters = [place for place, each in enumerate(condition.operands[1:]) if each is counter]
        place = before.arguments.index(counter)
        addition = next((each for each in after.operations if end.operands[place] in each.results), None)
        if addition is None or any(self._uses[op.results[each]] for each in counters):
            return None
        step = self._step(addition, [after.arguments[each] for each in counters])
        is_outside = step is not None and not any(step in each.results for each in op.walk())
        return _Counting(place, bound, step, addition) if step is not None and is_outside else None

    def _step(self, addition: Operation, counters: list[Value]) -> Value | None:
        """Return the number that an operation adds to a counter; None if it does something else, or may wrap."""
        if addition.name != "arith.addi" or "nuw" in str(addition.attributes.get("overflowFlags", "")):
            return None
        first, second = addition.operands
        step = second if first in counters else first
        if not (first in counters or second in counters) or step in counters:
            return None
        number = self._constants.get(step, None if self._any_step else 0)
        if number == 1 and type(number) is int:
            return step
        is_index = isinstance(step.type, ScalarType) and step.type.kind == "index"
        may_be_step = number is None or (type(number) is int and number > 1)
        has_flags = "nsw" in str(addition.attributes.get("overflowFlags", ""))
        return step if is_index and may_be_step and not has_flags else None

    def _counted(self, op: Operation, counting: _Counting) -> Operation:
        before, after = (region.blocks[0] for region in op.regions)
        forwarded = before.operations[-1].operands[1:]
        counter = before.arguments[counting.place]
        number = Value(counter.name, counter.type, 0)
        carried = [each for each in before.arguments if each is not counter]
        arguments, results = (tuple(Value(each.name, each.type, 0) for each in carried) for _ in range(2))
        inside, behind = dict(zip(carried, arguments, strict=True)), dict(zip(carried, results, strict=True))
        inside[counter] = number
        for argument, result, value in zip(after.arguments, op.results, forwarded, strict=True):
            (outer,) = self._current((value,))
            self._values[argument] = inside.get(value, outer)
            self._values[result] = behind.get(value, outer)
        inits = self._current(op.operands)
        others = inits[: counting.place] + inits[counting.place + 1 :]
        *inner, end = after.operations
        if self._uses[counting.addition.results[0]] == 1:
            inner.remove(counting.addition)
        operations = self._all(inner)
        yielded = self._current(end.operands)
        kept = yielded[: counting.place] + yielded[counting.place + 1 :]
        body = Block((number, *arguments), (*operations, replace(end, operands=kept)))
        operands = (inits[counting.place], *self._current((counting.bound, counting.step)), *others)
        return replace(op, name="scf.for", operands=operands, results=results, regions=(Region((body,)),))
