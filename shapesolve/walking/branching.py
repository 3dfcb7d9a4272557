"""Blocks: when control gets to each, and what it is given there.

Blocks are walked one after the other, each where one of the ways to it is taken, on what it is given on that way. A
loop among them is walked for an iteration that stands for all, and then for the last one, which control leaves. Where
control gets into a loop by several ways, nothing is known of the ways to any block but the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from shapesolve.language.formulas import FALSE, TRUE, Formula, conjunction, conjuncts, disjunction
from shapesolve.language.limits import TooLarge
from shapesolve.reading.program import Block, Location, Operation, Region, Value
from shapesolve.records import value_record
from shapesolve.walking.block_order import always_leads, by_control, used_before
from shapesolve.walking.defending import Defence
from shapesolve.walking.joining import join, same
from shapesolve.walking.limits import Limits
from shapesolve.walking.loops import Loops
from shapesolve.walking.natural_loops import Circle, Level, Node, level_of
from shapesolve.walking.obligations import Enter, Event, Fact, Leave, Source, Stop
from shapesolve.walking.reasons import Reason
from shapesolve.walking.region_runs import Turning
from shapesolve.walking.rulebook import Branch
from shapesolve.walking.undefined import Undefined
from shapesolve.walking.unknowns import Unknowns
from shapesolve.walking.values import Abstract, Unmodelled

NOT_MODELLED = "control flow between blocks is not modelled"
ENDLESS = "control may go round between blocks for ever"
DEAD = "no branch leads here"
WAY = "control gets to this block"
LAST = "the loop ends"


class Walking(Protocol):
    """What of a walk its blocks need."""

    events: list[Event]
    values: dict[Value, Abstract]
    unknowns: Unknowns
    undefined: Undefined
    defence: Defence
    branches: dict[Operation, tuple[Branch, ...]]
    loops: Loops
    limits: Limits

    def block(self, block: Block) -> tuple[Abstract, ...] | None: ...

    def havoc(self, value: Value, op: Operation, reason: Reason) -> Abstract: ...


@value_record
class _Way:
    """A way to a block, or out of the region: when it is taken, from where, and what is given."""

    condition: Formula
    end: Operation
    given: tuple[Value, ...]
    values: tuple[Abstract, ...]


_Ways = list[_Way] | None
"""None: nobody knows when they are taken, or what is given."""


class _Ends:
    """Where the ways lead that begin on a level: to its nodes, to blocks out of it or back, and out of the region."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.inside: dict[Node, _Ways] = {node: [] for node in level.nodes}
        self.out: dict[Block, _Ways] = {}
        self.exits: _Ways = []

    def leads(self, target: Block, way: _Way | None) -> None:
        """A way leads to a block; None: nobody knows when."""
        node = self.level.to(target)
        arriving = self.out.setdefault(target, []) if node is None else self.inside[node]
        if way is not None and arriving is not None:
            arriving.append(way)
        elif node is None:
            self.out[target] = None
        else:
            self.inside[node] = None


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
        self._set(first, arguments)
        yielded: tuple[Abstract, ...] | None
        if len(reached) == 1:
            yielded = self._walk.block(first)
        else:
            level = level_of(reached)
            yielded = self._anyhow(reached) if level is None else self._yielded(self._forward(level, level.nodes).exits)
        self.dead(dead)
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

    def _anyhow(self, blocks: Sequence[Block]) -> None:
        """Walk blocks between which control goes round in ways that are not followed."""
        first, *others = blocks
        self._walk.block(first)
        for block in others:
            self._unknown_way(block, first.operations[-1])
        self._walk.events.append(Stop(first.operations[-1], ENDLESS))

    def _unknown_way(self, block: Block, end: Operation) -> None:
        walk = self._walk
        walk.events.append(Enter(None, approximate=NOT_MODELLED))
        for argument in block.arguments:
            walk.values[argument] = walk.havoc(argument, end, NOT_MODELLED)
        walk.block(block)
        walk.events.append(Leave(None))

    def _forward(self, level: Level, nodes: Sequence[Node]) -> _Ends:
        """Walk nodes of a level, to each of which all ways come from those before it."""
        first = nodes[0]
        conditions: dict[Node, Formula | None] = {}
        ends = _Ends(level)
        for node in nodes:
            arriving = ends.inside[node]
            condition = TRUE if node is first else self._condition(node, arriving, level, conditions)
            conditions[node] = condition
            if isinstance(node, Circle):
                self._circle(node, condition, arriving, ends)
            else:
                self._block(node, condition, arriving, ends)
        return ends

    def _condition(
        self, node: Node, arriving: _Ways, level: Level, conditions: dict[Node, Formula | None]
    ) -> Formula | None:
        """When control gets to a node; None where nobody knows, or where that is too large to be said."""
        above = level.above[node]
        if arriving is None or conditions[above] is None:
            return None
        if always_leads(above, node, level.following):
            return conditions[above]
        try:
            return disjunction(way.condition for way in arriving)
        except TooLarge:
            return None

    def _block(self, block: Block, condition: Formula | None, arriving: _Ways, ends: _Ends) -> None:
        """Walk a block, and note where the ways lead that begin at its end."""
        end = block.operations[-1] if block.operations else None
        if end is not None:
            self._walk.branches.pop(end, None)
        if condition is None or arriving is None:
            self._unknown_way(block, ends.level.first.operations[-1])
            yielded = None
        else:
            yielded = self._on_a_way(block, condition, arriving)
        if end is not None and end.successors:
            self._leads_on(end, condition, ends)
        elif end is None or condition is None or yielded is None:
            ends.exits = None
        elif ends.exits is not None:
            ends.exits.append(_Way(condition, end, end.operands, yielded))

    def _on_a_way(self, block: Block, condition: Formula, arriving: Sequence[_Way]) -> tuple[Abstract, ...] | None:
        walk = self._walk
        if arriving:
            self._set(block, self._given(block, condition, arriving))
        if condition is TRUE:
            return walk.block(block)
        walk.events.append(Enter(Fact(condition, Source.BRANCH, WAY, _place(arriving))))
        yielded = walk.block(block)
        walk.events.append(Leave(condition))
        return yielded

    def _leads_on(self, end: Operation, condition: Formula | None, ends: _Ends) -> None:
        """Note the ways that begin at the end of a block."""
        branches = self._walk.branches.get(end, ())
        is_known = condition is not None and len(branches) == len(end.successors)
        for number, successor in enumerate(end.successors):
            way = None
            if condition is not None and is_known:
                branch = branches[number]
                try:
                    taken = conjunction((condition, branch.condition))
                    way = _Way(taken, end, branch.given, tuple(self._walk.values[each] for each in branch.given))
                except TooLarge:
                    pass
            ends.leads(successor, way)

    # Loops -------------------------------------------------------------------------------------------------------

    def _circle(self, circle: Circle, condition: Formula | None, arriving: _Ways, ends: _Ends) -> None:
        """Walk a loop, and note where the ways lead by which control leaves it."""
        left: list[tuple[Block, _Way | None]] | None = None
        if condition is None or arriving is None or self._walk.limits.is_over:
            self._anyhow_round(circle)
        else:
            if condition is not TRUE:
                self._walk.events.append(Enter(Fact(condition, Source.BRANCH, WAY, _place(arriving))))
            left = self._walk.loops.trying(lambda: self._rounds(circle, condition, arriving))
            if left is None:
                self._anyhow_round(circle)
            if condition is not TRUE:
                self._walk.events.append(Leave(condition))
        for target, way in [(each, None) for each in circle.targets] if left is None else left:
            ends.leads(target, None if way is None or condition is None else _where(condition, way))

    def _anyhow_round(self, circle: Circle) -> None:
        """Walk the blocks of a loop that is not followed."""
        end = circle.header.operations[-1]
        for block in circle.blocks:
            self._unknown_way(block, end)
        self._walk.events.append(Stop(end, ENDLESS))

    def _rounds(
        self, circle: Circle, condition: Formula, arriving: Sequence[_Way]
    ) -> list[tuple[Block, _Way | None]] | None:
        """Walk the rounds of a loop where control gets to it; where the last one leads, None where nobody knows."""
        header, end = circle.header, circle.header.operations[-1]
        run = Turning(
            carries=self._given(header, condition, arriving),
            likes=header.arguments,
            turn=lambda carried: self._round(circle, carried),
            is_short=circle.is_short,
        )
        last = self._walk.loops.turning(end, run)
        if last is None:
            return None
        self._set(header, last.values)
        out = self._forward(circle.inside, circle.on_the_way_out).out if circle.targets else {}
        ways = [(target, way) for target in circle.targets for way in out[target] or (None,)]
        known = [way for _, way in ways if way is not None]
        ended = disjunction(way.condition for way in known)
        if not ways or len(known) < len(ways):
            return ways
        if len(ways) > 1 or not last.is_counted:
            self._walk.events.append(Fact(ended, Source.BRANCH, LAST, end.location))
        return ways if len(ways) > 1 else [(target, replace(way, condition=TRUE)) for target, way in ways if way]

    def _round(self, circle: Circle, carried: tuple[Abstract, ...]) -> tuple[tuple[Abstract, ...] | None, Formula]:
        """Walk a round on what it carries; what it hands to the next one, None where nobody knows, and when it does."""
        self._set(circle.header, carried)
        back = self._forward(circle.inside, circle.inside.nodes).out[circle.header]
        if back is None:
            return None, TRUE
        goes_on = disjunction(way.condition for way in back)
        return self._given(circle.header, goes_on, back), goes_on

    # Values ------------------------------------------------------------------------------------------------------

    def _set(self, block: Block, values: Sequence[Abstract]) -> None:
        """Say what the arguments of a block are."""
        for argument, value in zip(block.arguments, values, strict=True):
            self._walk.values[argument] = value

    def _given(self, block: Block, condition: Formula, ways: Sequence[_Way]) -> tuple[Abstract, ...]:
        """What the arguments of a block are given where the condition holds: that one of the ways is taken."""
        for number, argument in enumerate(block.arguments):
            self._walk.undefined.passed(argument, (way.given[number] for way in ways))
        return tuple(self._merged(each, number, condition, ways) for number, each in enumerate(block.arguments))

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

    def _yielded(self, exits: _Ways) -> tuple[Abstract, ...] | None:
        """What a region yields. A terminator that gives nothing where others give something ends no run of it."""
        if not exits:
            return None
        most = max(len(way.given) for way in exits)
        ends = [way for way in exits if len(way.given) == most]
        return tuple(self._merged(like, number, TRUE, ends) for number, like in enumerate(ends[-1].given))


def _where(condition: Formula, way: _Way) -> _Way | None:
    """A way that is taken where a condition holds besides; None where that is too large to be said."""
    try:
        return replace(way, condition=conjunction((condition, way.condition)))
    except TooLarge:
        return None


def _place(ways: Iterable[_Way]) -> Location | None:
    """Where the only way to a block begins."""
    places = [way.end.location for way in ways]
    return places[0] if len(places) == 1 else None
