"""Blocks: when control gets to each, and what it is given there.

Blocks are walked one after the other, each where one of the ways to it is taken, on what it is given on that way. A
loop among them is walked for an iteration that stands for all, and then for the last one, which control leaves. Where
control gets into a loop by several ways, nothing is known of the ways to any block but the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from shapesolve.domain.fresh_variables import Unknowns
from shapesolve.domain.join import join, same
from shapesolve.domain.values import Abstract, Unmodelled
from shapesolve.interpreter.loops.loop_interpreter import Loops
from shapesolve.interpreter.state import Limits
from shapesolve.interpreter.undefined_behavior import UbWeakening, Undefined
from shapesolve.ir.control_flow import LoopBody, NaturalLoop, Node, always_leads, by_control, level_of, used_before
from shapesolve.ir.program import Block, Location, Operation, Region, Value
from shapesolve.reasons import Reason
from shapesolve.records import value_record
from shapesolve.semantics.regions import CfgLoop
from shapesolve.semantics.rulebook import Branch
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, conjuncts, disjunction
from shapesolve.symbolic.limits import TooLarge
from shapesolve.trace.events import Enter, Event, Fact, Leave, MayNotReturn, Source

NOT_MODELLED = "control flow between blocks is not modelled"
ENDLESS = "control may go round between blocks for ever"
DEAD = "no branch leads here"
WAY = "control gets to this block"
LAST = "the loop ends"


class InterpreterState(Protocol):
    """What of a walk its blocks need."""

    events: list[Event]
    values: dict[Value, Abstract]
    unknowns: Unknowns
    undefined: Undefined
    defence: UbWeakening
    branches: dict[Operation, tuple[Branch, ...]]
    loops: Loops
    limits: Limits

    def block(self, block: Block) -> tuple[Abstract, ...] | None: ...

    def havoc(self, value: Value, op: Operation, reason: Reason) -> Abstract: ...


@value_record
class _Edge:
    """A way to a block, or out of the region: when it is taken, from where, and what is given."""

    condition: Formula
    end: Operation
    given: tuple[Value, ...]
    values: tuple[Abstract, ...]


_Ways = list[_Edge] | None
"""None: nobody knows when they are taken, or what is given."""


class _OutgoingEdges:
    """Where the ways lead that begin on a level: to its nodes, to blocks out of it or back, and out of the region."""

    def __init__(self, level: LoopBody) -> None:
        self.level = level
        self.inside: dict[Node, _Ways] = {node: [] for node in level.nodes}
        self.out: dict[Block, _Ways] = {}
        self.exits: _Ways = []

    def leads(self, target: Block, way: _Edge | None) -> None:
        """A way leads to a block; None: nobody knows when."""
        node = self.level.to(target)
        arriving = self.out.setdefault(target, []) if node is None else self.inside[node]
        if way is not None and arriving is not None:
            arriving.append(way)
        elif node is None:
            self.out[target] = None
        else:
            self.inside[node] = None


class CfgInterpreter:
    """Walks the regions of one walk, block by block."""

    def __init__(self, walk: InterpreterState) -> None:
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
        self._walk.events.append(MayNotReturn(first.operations[-1], ENDLESS))

    def _unknown_way(self, block: Block, end: Operation) -> None:
        walk = self._walk
        walk.events.append(Enter(None, approximate=NOT_MODELLED))
        for argument in block.arguments:
            walk.values[argument] = walk.havoc(argument, end, NOT_MODELLED)
        walk.block(block)
        walk.events.append(Leave(None))

    def _forward(self, level: LoopBody, nodes: Sequence[Node]) -> _OutgoingEdges:
        """Walk nodes of a level, to each of which all ways come from those before it."""
        first = nodes[0]
        conditions: dict[Node, Formula | None] = {}
        ends = _OutgoingEdges(level)
        for node in nodes:
            arriving = ends.inside[node]
            condition = TRUE if node is first else self._condition(node, arriving, level, conditions)
            conditions[node] = condition
            if isinstance(node, NaturalLoop):
                self._circle(node, condition, arriving, ends)
            else:
                self._block(node, condition, arriving, ends)
        return ends

    def _condition(
        self, node: Node, arriving: _Ways, level: LoopBody, conditions: dict[Node, Formula | None]
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

    def _block(self, block: Block, condition: Formula | None, arriving: _Ways, ends: _OutgoingEdges) -> None:
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
            ends.exits.append(_Edge(condition, end, end.operands, yielded))

    def _on_a_way(self, block: Block, condition: Formula, arriving: Sequence[_Edge]) -> tuple[Abstract, ...] | None:
        walk = self._walk
        if arriving:
            self._set(block, self._given(block, condition, arriving))
        if condition is TRUE:
            return walk.block(block)
        walk.events.append(Enter(Fact(condition, Source.BRANCH, WAY, _place(arriving))))
        yielded = walk.block(block)
        walk.events.append(Leave(condition))
        return yielded

    def _leads_on(self, end: Operation, condition: Formula | None, ends: _OutgoingEdges) -> None:
        """Note the ways that begin at the end of a block."""
        branches = self._walk.branches.get(end, ())
        is_known = condition is not None and len(branches) == len(end.successors)
        for number, successor in enumerate(end.successors):
            way = None
            if condition is not None and is_known:
                branch = branches[number]
                try:
                    taken = conjunction((condition, branch.condition))
                    way = _Edge(taken, end, branch.given, tuple(self._walk.values[each] for each in branch.given))
                except TooLarge:
                    pass
            ends.leads(successor, way)

    # Loops -------------------------------------------------------------------------------------------------------

    def _circle(self, circle: NaturalLoop, condition: Formula | None, arriving: _Ways, ends: _OutgoingEdges) -> None:
        """Walk a loop, and note where the ways lead by which control leaves it."""
        left: list[tuple[Block, _Edge | None]] | None = None
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

    def _anyhow_round(self, circle: NaturalLoop) -> None:
        """Walk the blocks of a loop that is not followed."""
        end = circle.header.operations[-1]
        for block in circle.blocks:
            self._unknown_way(block, end)
        self._walk.events.append(MayNotReturn(end, ENDLESS))

    def _rounds(
        self, circle: NaturalLoop, condition: Formula, arriving: Sequence[_Edge]
    ) -> list[tuple[Block, _Edge | None]] | None:
        """Walk the rounds of a loop where control gets to it; where the last one leads, None where nobody knows."""
        header, end = circle.header, circle.header.operations[-1]
        run = CfgLoop(
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

    def _round(self, circle: NaturalLoop, carried: tuple[Abstract, ...]) -> tuple[tuple[Abstract, ...] | None, Formula]:
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

    def _given(self, block: Block, condition: Formula, ways: Sequence[_Edge]) -> tuple[Abstract, ...]:
        """What the arguments of a block are given where the condition holds: that one of the ways is taken."""
        for number, argument in enumerate(block.arguments):
            self._walk.undefined.passed(argument, (way.given[number] for way in ways))
        return tuple(self._merged(each, number, condition, ways) for number, each in enumerate(block.arguments))

    def _merged(self, like: Value, number: int, condition: Formula, ways: Sequence[_Edge]) -> Abstract:
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


def _where(condition: Formula, way: _Edge) -> _Edge | None:
    """A way that is taken where a condition holds besides; None where that is too large to be said."""
    try:
        return replace(way, condition=conjunction((condition, way.condition)))
    except TooLarge:
        return None


def _place(ways: Iterable[_Edge]) -> Location | None:
    """Where the only way to a block begins."""
    places = [way.end.location for way in ways]
    return places[0] if len(places) == 1 else None
