"""Control-flow structuring: blocks and branches of functions as `scf.if` and `scf.while`.

Code is emitted along the paths of control: from a block to where control certainly goes, with the two sides of a branch
as the regions of an `scf.if`, and a natural loop that is left by one edge as an `scf.while`, whose first region ends
with that edge. Each block is emitted once. A function for which that does not succeed stays as it is: several returns,
loops that are left in several places or entered in several places, `cf.switch`, blocks without predecessors.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from shapesolve.ir.control_flow import dominators, natural_loops, reachable_blocks, successors
from shapesolve.ir.copies import Values, copied
from shapesolve.ir.program import Block, Operation, Region, Value
from shapesolve.records import record

_MOST_BLOCKS = 400
"""Largest number of blocks of a region that is structured."""
_MOST_NESTED = 48
"""Deepest nesting that is made: blocks in a row that may all go to the same one are nested in each other."""


class _NotStructuredError(Exception):
    """Raised where control does not go as that of structured operations."""


@record
class _Edge:
    """An edge to a block.

    Attributes:
        target: The block.
        arguments: The values that it is given.
    """

    target: Block
    arguments: tuple[Value, ...]


def structured_region(region: Region) -> Region | None:
    """Return a region of one block that does the same; None if control in it is not followed.

    The operations that stay are copied, and have the same results.
    """
    if not 1 < len(region.blocks) <= _MOST_BLOCKS:
        return None
    blocks, dead = reachable_blocks(region)
    loops = None if dead else natural_loops(blocks)
    if loops is None:
        return None
    try:
        operations = _Structuring(blocks, loops).function()
    except _NotStructuredError:
        return None
    return Region((Block(blocks[0].arguments, operations),))


class _Structuring:
    """Emits the blocks of a region.

    Args:
        blocks: The blocks in reverse postorder.
        loops: The blocks of each natural loop, by header.
    """

    def __init__(self, blocks: Sequence[Block], loops: Mapping[Block, Collection[Block]]) -> None:
        self._blocks = blocks
        self._loops = loops
        self._above = dominators(blocks, successors)
        self._order = {block: place for place, block in enumerate(blocks)}
        self._emitted: set[Block] = set()
        self._ends: list[Block] = []  # blocks at which the regions that are being emitted end
        self._exiting: set[Block] = set()
        self._merges = self._merges_of(blocks)

    def function(self) -> tuple[Operation, ...]:
        """Emit all blocks, to the only return."""
        first, found = self._blocks[0], list[Operation]()
        self._follow(_Edge(first, first.arguments), {}, first.operations[-1], found)
        if len(self._emitted) != len(self._blocks):
            raise _NotStructuredError
        return tuple(found)

    def _merges_of(self, blocks: Sequence[Block]) -> dict[Block, Block]:
        """Return for each block the last one that it alone decides whether control gets to, by several ways."""
        ways: dict[Block, int] = {}
        for block in blocks:
            for target in successors(block):
                if self._order[target] > self._order[block]:
                    ways[target] = ways.get(target, 0) + 1
        return {self._above[block]: block for block in blocks if ways.get(block, 0) > 1}

    def _follow(
        self, edge: _Edge, values: Values, end: Operation, found: list[Operation], exiting: Block | None = None
    ) -> tuple[tuple[Value, ...], Values, Operation]:
        """Emit what control does from an edge on, to the end of the region or the function.

        Args:
            values: What stands for the values of the blocks.
            end: The branch that the edge belongs to.
            found: Takes the operations.
            exiting: For a loop, to whose header the edge leads, the block that is to be the end instead.

        Returns:
            The values that are handed on; what stands for the values of the blocks; and the last branch.
        """
        is_header = exiting is not None
        while True:
            while edge.target in self._loops and edge.target not in self._ends:
                edge, values = self._loop(edge, values, found)
            if edge.target in self._ends and not is_header:
                if edge.target is not self._ends[-1] or exiting is not None:
                    raise _NotStructuredError
                return edge.arguments, values, end
            is_header, block = False, edge.target
            if block in self._emitted:
                raise _NotStructuredError
            self._emitted.add(block)
            values = {**values, **dict(zip(block.arguments, edge.arguments, strict=True))}
            *inner, end = block.operations
            found.extend(copied(op, values) for op in inner)
            if block is exiting:
                return (), values, end
            if end.name == "func.return" and not self._ends:
                found.append(copied(end, values))
                return (), values, end
            if block in self._exiting or end.name not in ("cf.br", "cf.cond_br"):
                raise _NotStructuredError
            edges = _edges(end, values)
            edge = edges[0] if len(edges) == 1 else self._branch(block, end, edges, values, found)

    def _branch(
        self, block: Block, end: Operation, edges: Sequence[_Edge], values: Values, found: list[Operation]
    ) -> _Edge:
        """Emit a branch, to the block where both sides go."""
        merge = self._merges.get(block)
        if merge is None or merge in self._ends:
            if not self._ends:
                raise _NotStructuredError
            merge = self._ends[-1]
        if len(self._ends) >= _MOST_NESTED:
            raise _NotStructuredError
        self._ends.append(merge)
        regions = [self._side(edge, values, end) for edge in edges]
        self._ends.pop()
        results = tuple(Value(each.name, each.type, 0) for each in merge.arguments)
        if not results and len(regions[1].blocks[0].operations) == 1:
            regions[1] = Region(())
        condition = (values.get(end.operands[0], end.operands[0]),)
        found.append(_replacement("scf.if", condition, results, end, tuple(regions)))
        return _Edge(merge, results)

    def _side(self, edge: _Edge, values: Values, end: Operation) -> Region:
        operations: list[Operation] = []
        yielded, _, end = self._follow(edge, values, end, operations)
        return Region((Block((), (*operations, _replacement("scf.yield", yielded, (), end))),))

    # Loops -------------------------------------------------------------------------------------------------------

    def _loop(self, edge: _Edge, values: Values, found: list[Operation]) -> tuple[_Edge, Values]:
        """Emit a loop; return the edge that leaves it, and what stands for the values of the blocks behind it."""
        header, inside = edge.target, self._loops[edge.target]
        exits = [block for block in inside for target in successors(block) if target not in inside]
        if len(exits) != 1 or exits[0].operations[-1].name != "cf.cond_br":
            raise _NotStructuredError
        (exiting,) = exits
        end = exiting.operations[-1]
        if end.successors[0] not in inside:  # it goes on where the condition does not hold
            raise _NotStructuredError
        self._exiting.add(exiting)
        self._ends.append(header)
        before, earlier = list[Operation](), set(self._emitted)
        _, at_end, _ = self._follow(_Edge(header, header.arguments), values, end, before, exiting)
        handed_on = self._used_outside(self._emitted - earlier, end)
        given = [at_end.get(each, each) for each in (end.operands[0], *handed_on)]
        before.append(_replacement("scf.condition", tuple(given), (), end))
        arguments, results = (tuple(Value(each.name, each.type, 0) for each in handed_on) for _ in range(2))
        inner, outer = ({**values, **dict(zip(handed_on, its, strict=True))} for its in (arguments, results))
        after: list[Operation] = []
        yielded, _, last = self._follow(_edges(end, inner)[0], inner, end, after)
        self._ends.pop()
        after.append(_replacement("scf.yield", yielded, (), last))
        regions = (Region((Block(header.arguments, tuple(before)),)), Region((Block(arguments, tuple(after)),)))
        found.append(_replacement("scf.while", edge.arguments, results, end, regions))
        return _edges(end, outer)[1], outer

    def _used_outside(self, tested: Collection[Block], end: Operation) -> list[Value]:
        """Return the values of the blocks of a loop's first region that others use, or the edges out of it."""
        used = dict.fromkeys(end.operands[1:])
        for block in self._blocks:
            if block not in tested:
                for op in block.operations:
                    for inner in op.walk():
                        used.update(dict.fromkeys(inner.operands))
        defined = [
            value
            for block in self._blocks
            if block in tested
            for value in (*block.arguments, *(each for op in block.operations for each in op.results))
        ]
        return [each for each in defined if each in used]


def _edges(end: Operation, values: Values) -> list[_Edge]:
    """Return the edges of a branch, that of a condition that holds first."""
    given = [values.get(each, each) for each in end.operands]
    if end.name == "cf.br":
        return [_Edge(end.successors[0], tuple(given))]
    then = 1 + len(end.successors[0].arguments)
    return [_Edge(end.successors[0], tuple(given[1:then])), _Edge(end.successors[1], tuple(given[then:]))]


def _replacement(
    name: str,
    operands: tuple[Value, ...],
    results: tuple[Value, ...],
    like: Operation,
    regions: tuple[Region, ...] = (),
) -> Operation:
    """Return an operation in place of a branch."""
    return Operation(name, operands, results, {}, regions, (), like.location, like.number, origin=like.origin)
