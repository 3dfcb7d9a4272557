"""Loops that hand on a value more than once, or for no use, as loops that do so once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from shapesolve.ir.copies import copied_region, substituted
from shapesolve.ir.program import Block, Operation, Region, Value


def without_repeated_values(region: Region) -> Region:
    """Return a region of one block in which each `scf.while` hands on different values that are used; else itself."""
    if len(region.blocks) != 1:
        return region
    operations = (op for each in region.blocks[0].operations for op in each.walk())
    merging = _Merging(Counter(value for op in operations for value in op.operands))
    found = merging.region(region)
    return found if merging.has_merged else region


class _Merging:
    """Merges what loops hand on, in program order, inner loops first."""

    def __init__(self, uses: Counter[Value]) -> None:
        self._uses = uses
        self.has_merged = False
        self._values: dict[Value, Value] = {}

    def region(self, region: Region) -> Region:
        """Merge in a region."""
        if len(region.blocks) != 1:
            return copied_region(region, self._values)
        return Region(tuple(Block(each.arguments, self._all(each.operations)) for each in region.blocks))

    def _all(self, operations: Iterable[Operation]) -> tuple[Operation, ...]:
        return tuple(map(self._merged, operations))

    def _merged(self, op: Operation) -> Operation:
        operands = substituted(op.operands, self._values)
        if op.name != "scf.while" or any(len(each.blocks) != 1 for each in op.regions):
            return replace(op, operands=operands, regions=tuple(map(self.region, op.regions)))
        before, after = op.regions[0].blocks[0], op.regions[1].blocks[0]
        *tested, end = self._all(before.operations)
        condition, *handed_on = end.operands
        first: dict[Value, int] = {}
        for place, (value, result, argument) in enumerate(zip(handed_on, op.results, after.arguments, strict=True)):
            if not (self._uses[result] or self._uses[argument]):
                continue
            same = first.setdefault(value, place)
            if same != place:
                self._values[result], self._values[argument] = op.results[same], after.arguments[same]
        kept = list(first.values())
        self.has_merged |= len(kept) < len(handed_on)
        end = replace(end, operands=(condition, *(handed_on[each] for each in kept)))
        first_region = Region((Block(before.arguments, (*tested, end)),))
        arguments = tuple(after.arguments[each] for each in kept)
        second_region = Region((Block(arguments, self._all(after.operations)),))
        results = tuple(op.results[each] for each in kept)
        return replace(op, operands=operands, results=results, regions=(first_region, second_region))
