"""Blocks: when control gets to each, and what it is given there.

Where control never comes back to a block that it has left, blocks are walked one after the other, each where one of
the ways to it is taken, on what it is given on that way. Else nothing is known of the ways to any block but the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from shapesolve.language.formulas import FALSE, TRUE, Formula, conjunction, conjuncts, disjunction
from shapesolve.language.limits import TooLarge
from shapesolve.reading.program import Block, Location, Operation, Region, Value
from shapesolve.walking.block_order import always_leads, by_control, dominators, may_repeat, used_before
from shapesolve.walking.defending import Defence
from shapesolve.walking.joining import join, same
from shapesolve.walking.obligations import Enter, Event, Fact, Leave, Source, Stop
from shapesolve.walking.rulebook import Branch
from shapesolve.walking.undefined import Undefined
from shapesolve.walking.unknowns import Unknowns
from shapesolve.walking.values import Abstract, Unmodelled

NOT_MODELLED = "control flow between blocks is not modelled"
DEAD = "no branch leads here"
WAY = "control gets to this block"


class Walking(Protocol):
    """What of a walk its blocks need."""

    events: list[Event]
    values: dict[Value, Abstract]
    unknowns: Unknowns
    undefined: Undefined
    defence: Defence
    branches: dict[Operation, tuple[Branch, ...]]

    def block(self, block: Block) -> tuple[Abstract, ...] | None: ...

    def havoc(self, value: Value, op: Operation, reason: str) -> Abstract: ...


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to a block, or out of the region: when it is taken, from where, and what is given."""

    condition: Formula
    end: Operation
    given: tuple[Value, ...]
    values: tuple[Abstract, ...]


class Branching:
    """Walks the regions of one walk, block by block."""

    def __init__(self, walk: Walking) -> None:
        self._walk = walk

    def region(self, region: Region, arguments: Sequence[Abstract]) -> tuple[Abstract, ...] | None:
        """Walk a region on these arguments; what its terminators yield, None where nobody knows."""
        if not region.blocks:
            return None
        reached, dead = by_control(region)
        first = reached[0]
        for argument, value in zip(first.arguments, arguments, strict=True):
            self._walk.values[argument] = value
        yielded: tuple[Abstract, ...] | None
        if len(reached) == 1:
            yielded = self._walk.block(first)
        elif may_repeat(region):
            self._walk.block(first)
            for block in reached[1:]:
                self._unknown_way(block, first.operations[-1])
            yielded = None
        else:
            yielded = self._forward(reached)
        self.dead(dead)
        if may_repeat(region):
            stop = Stop(first.operations[-1], "control may go round between blocks for ever")
            self._walk.events.append(stop)
        return yielded

    def dead(self, blocks: list[Block]) -> None:
        """Walk blocks to which no branch leads."""
        walk = self._walk
        for value in (*used_before(blocks), *(argument for block in blocks for argument in block.arguments)):
            walk.values[value] = walk.defence.unknown(walk.unknowns.of_type(value.type, value.name, contents=True))
        for block in blocks:
            walk.events.append(Enter(Fact(FALSE, Source.BRANCH, DEAD)))
            walk.block(block)
            walk.events.append(Leave(None))

    def _unknown_way(self, block: Block, end: Operation) -> None:
        walk = self._walk
        walk.events.append(Enter(None, approximate=NOT_MODELLED))
        for argument in block.arguments:
            walk.values[argument] = walk.havoc(argument, end, NOT_MODELLED)
        walk.block(block)
        walk.events.append(Leave(None))

    def _forward(self, blocks: list[Block]) -> tuple[Abstract, ...] | None:
        """Walk blocks in an order in which all ways to a block come before it."""
        first = blocks[0]
        above = dominators(blocks)
        conditions: dict[Block, Formula | None] = {}
        ways: dict[Block, list[_Way] | None] = {block: [] for block in blocks}
        exits: list[_Way] | None = []
        for block in blocks:
            arriving = ways[block]
            condition = TRUE if block is first else self._condition(block, arriving, above[block], conditions)
            conditions[block] = condition
            if condition is None or arriving is None:
                self._unknown_way(block, first.operations[-1])
                yielded = None
            else:
                yielded = self._on_a_way(block, condition, arriving)
            end = block.operations[-1] if block.operations else None
            if end is None:
                exits = None
            elif end.successors:
                self._leads_on(end, condition, ways)
            elif condition is None or yielded is None:
                exits = None
            elif exits is not None:
                exits.append(_Way(condition, end, end.operands, yielded))
        return None if exits is None else self._yielded(exits)

    def _condition(
        self, block: Block, arriving: list[_Way] | None, above: Block, conditions: dict[Block, Formula | None]
    ) -> Formula | None:
        """When control gets to a block; None where nobody knows, or where that is too large to be said."""
        if arriving is None or conditions[above] is None:
            return None
        if always_leads(above, block):
            return conditions[above]
        try:
            return disjunction(way.condition for way in arriving)
        except TooLarge:
            return None

    def _on_a_way(self, block: Block, condition: Formula, arriving: Sequence[_Way]) -> tuple[Abstract, ...] | None:
        walk = self._walk
        for number, argument in enumerate(block.arguments if arriving else ()):
            walk.values[argument] = self._merged(argument, number, condition, arriving)
            walk.undefined.passed(argument, (way.given[number] for way in arriving))
        if condition is TRUE:
            return walk.block(block)
        walk.events.append(Enter(Fact(condition, Source.BRANCH, WAY, _place(arriving))))
        yielded = walk.block(block)
        walk.events.append(Leave(condition))
        return yielded

    def _leads_on(self, end: Operation, condition: Formula | None, ways: dict[Block, list[_Way] | None]) -> None:
        """Note the ways that begin at the end of a block."""
        branches = self._walk.branches.get(end, ())
        for number, successor in enumerate(end.successors):
            arriving = ways[successor]
            try:
                if condition is None or arriving is None or len(branches) != len(end.successors):
                    ways[successor] = None
                    continue
                branch = branches[number]
                taken = conjunction((condition, branch.condition))
            except TooLarge:
                ways[successor] = None
                continue
            values = tuple(self._walk.values[each] for each in branch.given)
            arriving.append(_Way(taken, end, branch.given, values))

    def _merged(self, like: Value, number: int, condition: Formula, ways: Sequence[_Way]) -> Abstract:
        """What is given in one position, whichever way is taken."""
        known = frozenset(conjuncts(condition))
        *others, last = ways
        merged = last.values[number]
        for way in reversed(others):
            value = way.values[number]
            if same(value, merged):
                continue
            taken = conjunction(each for each in conjuncts(way.condition) if each not in known)
            try:
                merged = join(taken, value, merged)
            except TooLarge as limit:
                merged = Unmodelled(limit.message)
            if isinstance(merged, Unmodelled):
                return self._walk.havoc(like, way.end, merged.reason)
        return merged

    def _yielded(self, exits: Sequence[_Way]) -> tuple[Abstract, ...]:
        """What a region yields. A terminator that gives nothing where others give something ends no run of it."""
        most = max((len(way.given) for way in exits), default=0)
        ends = [way for way in exits if len(way.given) == most]
        likes = ends[-1].given if ends else ()
        return tuple(self._merged(like, number, TRUE, ends) for number, like in enumerate(likes))


def _place(ways: Iterable[_Way]) -> Location | None:
    """Where the only way to a block begins."""
    places = [way.end.location for way in ways]
    return places[0] if len(places) == 1 else None
