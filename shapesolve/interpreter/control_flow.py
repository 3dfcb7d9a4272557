"""Control flow between blocks: path conditions and block arguments.

Blocks are interpreted in reverse postorder, each under its path condition, with its arguments joined over the incoming
edges. A natural loop is interpreted for a generic iteration, and then for the last one, which control leaves. In
irreducible control flow no edge is known but the entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from shapesolve.domain.join import join, same
from shapesolve.domain.values import Abstract, Unmodeled
from shapesolve.interpreter.loops.loop_interpreter import LoopInterpreter
from shapesolve.interpreter.state import InterpreterState
from shapesolve.ir.control_flow import (
    LoopBody,
    NaturalLoop,
    Node,
    always_passes,
    loop_body_of,
    reachable_blocks,
    used_before_definition,
)
from shapesolve.ir.program import Block, Location, Operation, Region, Value
from shapesolve.records import value_record
from shapesolve.semantics.regions import CfgLoop
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, conjuncts, disjunction
from shapesolve.symbolic.limits import TooLarge
from shapesolve.trace.events import Enter, Fact, Leave, MayNotReturn, Source

NOT_MODELLED = "control flow between blocks is not modeled"
ENDLESS = "control may go round between blocks for ever"
DEAD = "no branch leads here"
WAY = "control gets to this block"
LAST = "the loop ends"


@value_record
class _Edge:
    """An edge to a block, or out of the region.

    Attributes:
        condition: The condition under which it is taken.
        end: The terminator that it begins at.
        arguments: The SSA values given to the target.
        values: Their abstract values.
    """

    condition: Formula
    end: Operation
    arguments: tuple[Value, ...]
    values: tuple[Abstract, ...]


_Edges = list[_Edge] | None
"""None if their conditions or arguments are unknown."""


class _OutgoingEdges:
    """Edges that leave the nodes of one loop body: to its nodes, to blocks out of it or back, and out of the region."""

    def __init__(self, level: LoopBody) -> None:
        self.level = level
        self.inside: dict[Node, _Edges] = {node: [] for node in level.nodes}
        self.out: dict[Block, _Edges] = {}
        self.exits: _Edges = []

    def add(self, target: Block, edge: _Edge | None) -> None:
        """Add an edge to a block. None stands for a branch whose condition is unknown."""
        node = self.level.node_for(target)
        arriving = self.out.setdefault(target, []) if node is None else self.inside[node]
        if edge is not None and arriving is not None:
            arriving.append(edge)
        elif node is None:
            self.out[target] = None
        else:
            self.inside[node] = None


class CfgInterpreter:
    """Interpreter of regions, block by block."""

    def __init__(self, state: InterpreterState, loops: LoopInterpreter) -> None:
        self._state = state
        self._loops = loops

    def region(self, region: Region, arguments: Sequence[Abstract]) -> tuple[Abstract, ...] | None:
        """Interpret a region on these arguments. Return what its terminators yield, or None if that is unknown."""
        if not region.blocks:
            return None
        reached, dead = reachable_blocks(region)
        first = reached[0]
        self._set_arguments(first, arguments)
        yielded: tuple[Abstract, ...] | None
        if len(reached) == 1:
            yielded = self._state.block(first)
        else:
            level = loop_body_of(reached)
            yielded = (
                self._interpret_irreducible(reached)
                if level is None
                else self._region_results(self._interpret_nodes(level, level.nodes).exits)
            )
        self.interpret_dead_blocks(dead)
        return yielded

    def interpret_dead_blocks(self, blocks: list[Block]) -> None:
        """Interpret blocks that no branch leads to, under a false condition."""
        state = self._state
        for value in (*used_before_definition(blocks), *(argument for block in blocks for argument in block.arguments)):
            state.values[value] = state.ub_weakening.unknown(
                state.unknowns.of_type(value.type, value.name, contents=True)
            )
        for block in blocks:
            state.events.append(Enter(Fact(FALSE, Source.BRANCH, DEAD)))
            state.block(block)
            state.events.append(Leave(None))

    def _interpret_irreducible(self, blocks: Sequence[Block]) -> None:
        """Interpret blocks with unknown path conditions and havoced arguments (irreducible control flow)."""
        first, *others = blocks
        self._state.block(first)
        for block in others:
            self._interpret_unconditionally(block, first.operations[-1])
        self._state.events.append(MayNotReturn(first.operations[-1], ENDLESS))

    def _interpret_unconditionally(self, block: Block, end: Operation) -> None:
        state = self._state
        state.events.append(Enter(None, approximate=NOT_MODELLED))
        for argument in block.arguments:
            state.values[argument] = state.havoc(argument, end, NOT_MODELLED)
        state.block(block)
        state.events.append(Leave(None))

    def _interpret_nodes(self, level: LoopBody, nodes: Sequence[Node]) -> _OutgoingEdges:
        """Interpret nodes of a loop body in an order in which all edges to a node come from earlier ones."""
        first = nodes[0]
        conditions: dict[Node, Formula | None] = {}
        ends = _OutgoingEdges(level)
        for node in nodes:
            arriving = ends.inside[node]
            condition = TRUE if node is first else self._path_condition(node, arriving, level, conditions)
            conditions[node] = condition
            if isinstance(node, NaturalLoop):
                self._interpret_loop(node, condition, arriving, ends)
            else:
                self._interpret_block(node, condition, arriving, ends)
        return ends

    def _path_condition(
        self, node: Node, arriving: _Edges, level: LoopBody, conditions: dict[Node, Formula | None]
    ) -> Formula | None:
        """Return the condition under which control reaches a node, or None if it is unknown or too large."""
        above = level.immediate_dominators[node]
        if arriving is None or conditions[above] is None:
            return None
        if always_passes(above, node, level.following):
            return conditions[above]
        try:
            return disjunction(edge.condition for edge in arriving)
        except TooLarge:
            return None

    def _interpret_block(self, block: Block, condition: Formula | None, arriving: _Edges, ends: _OutgoingEdges) -> None:
        """Interpret a block and record its outgoing edges."""
        end = block.operations[-1] if block.operations else None
        if end is not None:
            self._state.branches.pop(end, None)
        if condition is None or arriving is None:
            self._interpret_unconditionally(block, ends.level.first.operations[-1])
            yielded = None
        else:
            yielded = self._interpret_under_condition(block, condition, arriving)
        if end is not None and end.successors:
            self._add_outgoing_edges(end, condition, ends)
        elif end is None or condition is None or yielded is None:
            ends.exits = None
        elif ends.exits is not None:
            ends.exits.append(_Edge(condition, end, end.operands, yielded))

    def _interpret_under_condition(
        self, block: Block, condition: Formula, arriving: Sequence[_Edge]
    ) -> tuple[Abstract, ...] | None:
        state = self._state
        if arriving:
            self._set_arguments(block, self._block_arguments(block, condition, arriving))
        if condition is TRUE:
            return state.block(block)
        state.events.append(Enter(Fact(condition, Source.BRANCH, WAY, _sole_location(arriving))))
        yielded = state.block(block)
        state.events.append(Leave(condition))
        return yielded

    def _add_outgoing_edges(self, end: Operation, condition: Formula | None, ends: _OutgoingEdges) -> None:
        """Record the edges of the terminator of a block."""
        branches = self._state.branches.get(end, ())
        is_known = condition is not None and len(branches) == len(end.successors)
        for number, successor in enumerate(end.successors):
            edge = None
            if condition is not None and is_known:
                branch = branches[number]
                try:
                    taken = conjunction((condition, branch.condition))
                    edge = _Edge(
                        taken, end, branch.arguments, tuple(self._state.values[each] for each in branch.arguments)
                    )
                except TooLarge:
                    pass
            ends.add(successor, edge)

    # Loops -------------------------------------------------------------------------------------------------------

    def _interpret_loop(
        self, loop: NaturalLoop, condition: Formula | None, arriving: _Edges, ends: _OutgoingEdges
    ) -> None:
        """Interpret a natural loop and record the edges that leave it."""
        left: list[tuple[Block, _Edge | None]] | None = None
        if condition is None or arriving is None or self._state.limits.is_over:
            self._interpret_unknown_loop(loop)
        else:
            if condition is not TRUE:
                self._state.events.append(Enter(Fact(condition, Source.BRANCH, WAY, _sole_location(arriving))))
            with self._state.ub_weakening.inside_loop():
                left = self._loops.attempt(lambda: self._interpret_iterations(loop, condition, arriving))
            if left is None:
                self._interpret_unknown_loop(loop)
            if condition is not TRUE:
                self._state.events.append(Leave(condition))
        for target, edge in [(each, None) for each in loop.targets] if left is None else left:
            ends.add(target, None if edge is None or condition is None else _restricted(condition, edge))

    def _interpret_unknown_loop(self, loop: NaturalLoop) -> None:
        """Interpret the blocks of a loop with unknown iterations."""
        end = loop.header.operations[-1]
        for block in loop.blocks:
            self._interpret_unconditionally(block, end)
        self._state.events.append(MayNotReturn(end, ENDLESS))

    def _interpret_iterations(
        self, loop: NaturalLoop, condition: Formula, arriving: Sequence[_Edge]
    ) -> list[tuple[Block, _Edge | None]] | None:
        """Interpret the generic and the last iteration of a loop; return the exit edges, or None if unknown."""
        header, end = loop.header, loop.header.operations[-1]
        run = CfgLoop(
            carries=self._block_arguments(header, condition, arriving),
            likes=header.arguments,
            turn=lambda carried: self._interpret_iteration(loop, carried),
            is_short=loop.is_short,
        )
        last = self._loops.interpret_cfg_loop(end, run)
        if last is None:
            return None
        self._set_arguments(header, last.values)
        out = self._interpret_nodes(loop.body, loop.exiting_nodes).out if loop.targets else {}
        edges = [(target, edge) for target in loop.targets for edge in out[target] or (None,)]
        known = [edge for _, edge in edges if edge is not None]
        ended = disjunction(edge.condition for edge in known)
        if not edges or len(known) < len(edges):
            return edges
        if len(edges) > 1 or not last.is_counted:
            self._state.events.append(Fact(ended, Source.BRANCH, LAST, end.location))
        return edges if len(edges) > 1 else [(target, replace(edge, condition=TRUE)) for target, edge in edges if edge]

    def _interpret_iteration(
        self, loop: NaturalLoop, carried: tuple[Abstract, ...]
    ) -> tuple[tuple[Abstract, ...] | None, Formula]:
        """Interpret an iteration on carried values.

        Returns the values that the next one begins with, or None if unknown, and the condition under which there is a
        next one.
        """
        self._set_arguments(loop.header, carried)
        back = self._interpret_nodes(loop.body, loop.body.nodes).out[loop.header]
        if back is None:
            return None, TRUE
        goes_on = disjunction(edge.condition for edge in back)
        return self._block_arguments(loop.header, goes_on, back), goes_on

    # Values ------------------------------------------------------------------------------------------------------

    def _set_arguments(self, block: Block, values: Sequence[Abstract]) -> None:
        """Set the abstract values of the arguments of a block."""
        for argument, value in zip(block.arguments, values, strict=True):
            self._state.values[argument] = value

    def _block_arguments(self, block: Block, condition: Formula, edges: Sequence[_Edge]) -> tuple[Abstract, ...]:
        """Return the arguments of a block joined over edges, where the condition holds that one of them is taken."""
        for number, argument in enumerate(block.arguments):
            self._state.poison.passed(argument, (edge.arguments[number] for edge in edges))
        return tuple(self._merged(each, number, condition, edges) for number, each in enumerate(block.arguments))

    def _merged(self, like: Value, number: int, condition: Formula, edges: Sequence[_Edge]) -> Abstract:
        """Return the join over edges of the values in one position."""
        known = frozenset(conjuncts(condition))
        *others, last = edges
        merged = last.values[number]
        for edge in reversed(others):
            value = edge.values[number]
            if same(value, merged):
                continue
            taken = conjunction(each for each in conjuncts(edge.condition) if each not in known)
            try:
                merged = join(taken, value, merged)
            except TooLarge as limit:
                merged = Unmodeled(limit.message)
            if isinstance(merged, Unmodeled):
                return self._state.havoc(like, edge.end, merged.reason)
        return merged

    def _region_results(self, exits: _Edges) -> tuple[Abstract, ...] | None:
        """Return what a region yields.

        A terminator that gives nothing where others give something ends no run of it.
        """
        if not exits:
            return None
        most = max(len(edge.arguments) for edge in exits)
        ends = [edge for edge in exits if len(edge.arguments) == most]
        return tuple(self._merged(like, number, TRUE, ends) for number, like in enumerate(ends[-1].arguments))


def _restricted(condition: Formula, edge: _Edge) -> _Edge | None:
    """Return an edge that is taken only where a condition holds, or None if its condition is too large."""
    try:
        return replace(edge, condition=conjunction((condition, edge.condition)))
    except TooLarge:
        return None


def _sole_location(edges: Iterable[_Edge]) -> Location | None:
    """Return the location of the only edge to a block, or None if there are several."""
    places = [edge.end.location for edge in edges]
    return places[0] if len(places) == 1 else None
