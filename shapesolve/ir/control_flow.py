"""Control flow: call graph, order of blocks, dominators, natural loops, and the position of operations and uses.

A natural loop is its header, which dominates the sources of all back edges to it, and the blocks from which such a
source is reached without passing the header. Two loops are nested or disjoint. Outside of a loop, the loop is one node,
so that the graph of a loop body has no cycle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from shapesolve.ir.analyses import program_analysis
from shapesolve.ir.data_flow import producers
from shapesolve.ir.program import Attribute, Block, Function, Operation, Program, Region, SymbolRef, Value
from shapesolve.records import record

_CALLEE = {"func.call": "callee", "stablehlo.composite": "decomposition"}
"""The operations that run a function of the module with their operands, and the attribute that names it."""


def called_function(program: Program, op: Operation) -> Function | None:
    """Return the callee of a call; None for an operation that is no call or whose callee is not known."""
    callee = op.attributes.get(_CALLEE.get(op.name, ""))
    return program.symbols.function(op, callee) if isinstance(callee, SymbolRef) else None


def non_callee_symbols(op: Operation) -> Mapping[str, Attribute]:
    """Return the attributes of a call other than the one that names its callee."""
    return {name: each for name, each in op.attributes.items() if name != _CALLEE.get(op.name)}


def call_graph(program: Program, bodies: Sequence[Function]) -> Mapping[Function, Sequence[Function]]:
    """Return the call graph: the callees of each function."""
    found: dict[Function, list[Function]] = {}
    for function in bodies:
        for op in program.symbols.operations(function):
            callee = called_function(program, op) if op.name in _CALLEE else None
            if callee is not None:
                found.setdefault(function, []).append(callee)
    return found


def reachable_functions(functions: set[Function], called: Mapping[Function, Sequence[Function]]) -> set[Function]:
    """Return the functions reachable in the call graph from these, themselves included."""
    found: set[Function] = set()
    waiting = list(functions)
    while waiting:
        function = waiting.pop()
        if function not in found:
            found.add(function)
            waiting += called.get(function, ())
    return found


def recursive_functions(program: Program) -> frozenset[Function]:
    """Return the functions that call themselves, directly or indirectly."""
    bodies = [function for function in program.functions.values() if function.body is not None]
    called = call_graph(program, bodies)
    return frozenset(each for each in bodies if each in reachable_functions(set(called.get(each, ())), called))


NodeT = TypeVar("NodeT")


def reachable_blocks(region: Region) -> tuple[list[Block], list[Block]]:
    """Return the blocks that control reaches, in reverse postorder, and the others, in their textual order."""
    if not region.blocks:
        return [], []
    reached = reverse_postorder(region.blocks[0], successors)
    seen = set(reached)
    return reached, [block for block in region.blocks if block not in seen]


def reverse_postorder(first: NodeT, following: Callable[[NodeT], Sequence[NodeT]]) -> list[NodeT]:
    """Return the nodes reachable from the first in reverse postorder.

    A node comes after its dominators and, in an acyclic graph, after all its predecessors. Independent nodes keep the
    order of the edges.
    """
    finished: list[NodeT] = []
    seen = {first}
    stack: list[tuple[NodeT, Iterator[NodeT]]] = [(first, iter(following(first)[::-1]))]
    while stack:
        node, left = stack[-1]
        other = next(left, None)
        if other is None:
            finished.append(node)
            stack.pop()
        elif other not in seen:
            seen.add(other)
            stack.append((other, iter(following(other)[::-1])))
    return finished[::-1]


def successors(block: Block) -> tuple[Block, ...]:
    """Return the successors of a block."""
    return block.operations[-1].successors if block.operations else ()


def used_before_definition(blocks: Iterable[Block]) -> list[Value]:
    """Return the results that are used in these blocks before their definition is interpreted.

    Only unreachable code and graph regions have such uses.
    """
    blocks = tuple(blocks)
    waiting = {result for block in blocks for op in block.operations for result in op.results}
    found: dict[Value, None] = {}
    for block in blocks:
        for op in block.operations:
            for inner in op.walk():
                found.update((operand, None) for operand in inner.operands if operand in waiting)
            waiting.difference_update(op.results)
    return list(found)


def dominators(nodes: Sequence[NodeT], following: Callable[[NodeT], Iterable[NodeT]]) -> dict[NodeT, NodeT]:
    """Return the immediate dominator of each node; the first node is its own.

    The nodes are in reverse postorder, as `reverse_postorder` returns them. Back edges are ignored.
    """
    position = {node: number for number, node in enumerate(nodes)}
    above = {nodes[0]: nodes[0]}
    for node in nodes:
        for target in following(node):
            if position[target] <= position[node]:
                continue
            known, other = above.get(target), node
            if known is None:
                above[target] = node
                continue
            while known is not other:
                if position[known] > position[other]:
                    known = above[known]
                else:
                    other = above[other]
            above[target] = known
    return above


def always_passes(start: NodeT, target: NodeT, following: Mapping[NodeT, Sequence[NodeT | None]]) -> bool:
    """Return whether every path from a node of an acyclic graph passes the target; None is an exit."""
    seen = {target}
    waiting: list[NodeT | None] = [start]
    while waiting:
        node = waiting.pop()
        if node is None:
            return False
        if node in seen:
            continue
        seen.add(node)
        if not following[node]:
            return False
        waiting.extend(following[node])
    return True


@record
class NaturalLoop:
    """Natural loop of a control-flow graph.

    Attributes:
        blocks: Its blocks, the header first.
        targets: The blocks outside to which control leaves the loop.
        inside: Its body.
    """

    blocks: tuple[Block, ...]
    targets: tuple[Block, ...]
    body: LoopBody

    @property
    def header(self) -> Block:
        """The only block through which control enters the loop."""
        return self.body.first

    @property
    def is_short(self) -> bool:
        """Return whether it has no inner loop and at most `MAX_BODY` operations."""
        if any(isinstance(each, NaturalLoop) for each in self.body.nodes):
            return False
        return sum(1 for block in self.blocks for op in block.operations for _ in op.walk()) <= MAX_BODY

    @property
    def exiting_nodes(self) -> list[Node]:
        """The nodes of the body from which control can leave the loop without another iteration, in order."""
        level = self.body
        leave = {level.node_of[each] for each in self.blocks if any(to in self.targets for to in successors(each))}
        found: set[Node] = set()
        for node in reversed(level.nodes):
            if node in leave or any(each in found for each in level.following[node]):
                found.add(node)
        return [node for node in level.nodes if node in found]


Node = Block | NaturalLoop


@record
class LoopBody:
    """Blocks and inner loops of a loop or region, in reverse postorder.

    Attributes:
        first: The block at which control begins.
        nodes: The blocks and inner loops.
        following: The successors of each node; None is a back edge to the first block, or an exit.
        above: The immediate dominator of each node.
        node_of: The node that each block is or is part of.
    """

    first: Block
    nodes: tuple[Node, ...]
    following: Mapping[Node, Sequence[Node | None]]
    immediate_dominators: Mapping[Node, Node]
    node_of: Mapping[Block, Node]

    def node_for(self, block: Block) -> Node | None:
        """Return the node to which a branch to a block leads; None is a back edge to the first block, or an exit."""
        return None if block is self.first else self.node_of.get(block)


def loop_body_of(blocks: Sequence[Block]) -> LoopBody | None:
    """Return the blocks that control reaches, in the order of `reachable_blocks`, with their natural loops as nodes.

    None if the control flow is irreducible or loops are nested deeper than `MAX_LOOP_DEPTH`.
    """
    loops = natural_loops(blocks)
    return None if loops is None else _level(blocks, loops)


def natural_loops(blocks: Sequence[Block]) -> dict[Block, set[Block]] | None:
    """Return the blocks of each natural loop by its header, the outer loops first; None as for `loop_body_of`."""
    position = {block: number for number, block in enumerate(blocks)}
    above = dominators(blocks, successors)
    before: dict[Block, list[Block]] = {block: [] for block in blocks}
    ends: dict[Block, list[Block]] = {}
    for block in blocks:
        for target in successors(block):
            before[target].append(block)
            if position[target] > position[block]:
                continue
            if not _dominates(target, block, above):
                return None
            ends.setdefault(target, []).append(block)
    loops = {header: _blocks_of(header, ends[header], before) for header in blocks if header in ends}
    depth = Counter(block for inside in loops.values() for block in inside)
    return loops if all(each <= MAX_LOOP_DEPTH for each in depth.values()) else None


def _dominates(block: Block, other: Block, above: Mapping[Block, Block]) -> bool:
    while other is not block and other is not above[other]:
        other = above[other]
    return other is block


def _blocks_of(header: Block, ends: Sequence[Block], before: Mapping[Block, Sequence[Block]]) -> set[Block]:
    """Return the blocks of the natural loop with this header and these sources of back edges."""
    found = {header}
    waiting = list(ends)
    while waiting:
        block = waiting.pop()
        if block not in found:
            found.add(block)
            waiting.extend(before[block])
    return found


def _level(blocks: Sequence[Block], loops: Mapping[Block, Collection[Block]]) -> LoopBody:
    """Build the body of blocks that the first one dominates, given all loops by header, the outer first."""
    first, node_of = blocks[0], dict[Block, Node]()
    for block in blocks:
        if block in node_of:
            continue
        if block is first or block not in loops:
            node_of[block] = block
            continue
        inside = [each for each in blocks if each in loops[block]]
        targets = dict.fromkeys(to for each in inside for to in successors(each) if to not in loops[block])
        circle = NaturalLoop(tuple(inside), tuple(targets), _level(inside, loops))
        node_of.update(dict.fromkeys(inside, circle))
    following: dict[Node, list[Node | None]] = {node: [] for node in node_of.values()}
    for block in blocks:
        node = node_of[block]
        for target in successors(block):
            other = None if target is first else node_of.get(target)
            if other is None or other is not node:
                following[node].append(other)

    def onwards(node: Node) -> list[Node]:
        return [each for each in following[node] if each is not None]

    nodes = reverse_postorder(node_of[first], onwards)
    return LoopBody(first, tuple(nodes), following, dominators(nodes, onwards), node_of)


@record
class Places:
    """Positions and uses: the inverse of the tree of regions and of the operands.

    Attributes:
        regions: The region of each operation.
        around: The operation that holds each block.
    """

    regions: Mapping[Operation, Region]
    blocks: Mapping[Operation, tuple[Block, int]]
    """The block that an operation stands in, and how many stand there before it."""
    around: Mapping[Block, Operation]
    makers: Mapping[Value, Operation]
    """The operations that values are results of; arguments have none."""
    users: Mapping[Value, list[Operation]]
    """Users of each value, each once, even if several of its operands are that value."""

    def above(self, op: Operation) -> Operation | None:
        """Return the operation around another one; None for the outermost."""
        place = self.blocks.get(op)
        return None if place is None else self.around[place[0]]

    def stands_around(self, maker: Operation, op: Operation) -> bool:
        """Return whether an operation stands in a block with another one, or with one around that."""
        block = self.blocks[maker][0]
        above: Operation | None = op
        while above is not None:
            if above in self.blocks and self.blocks[above][0] is block:
                return True
            above = self.above(above)
        return False


@program_analysis
def places_in(program: Program) -> Places:
    """Find the position of every operation, block and value of a program."""
    regions: dict[Operation, Region] = {}
    blocks: dict[Operation, tuple[Block, int]] = {}
    around: dict[Block, Operation] = {}
    users: dict[Value, list[Operation]] = {}
    for op in program.operation.walk():
        for operand in dict.fromkeys(op.operands):
            users.setdefault(operand, []).append(op)
        for region in op.regions:
            for block in region.blocks:
                around[block] = op
                regions.update(dict.fromkeys(block.operations, region))
                blocks.update((each, (block, number)) for number, each in enumerate(block.operations))
    return Places(regions, blocks, around, producers(program), users)


MAX_DEPTH = 128
"""Maximum nesting depth of calls and regions that is interpreted."""
MAX_LOOP_DEPTH = 32
"""Maximum nesting depth of loops between blocks that is interpreted."""
MAX_BODY = 48
"""Largest number of operations of a loop between blocks that is interpreted iteration by iteration."""
