"""Loops among blocks: the natural ones, each with one block through which alone control gets in.

A loop is its header, which dominates all ends of the ways back to it, and the blocks from which such a way begins
without passing the header. Of two loops one is inside the other, or they share nothing. Seen from around it, a loop is
one node, and nothing comes back to a node that it has left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from shapesolve.reading.program import Block
from shapesolve.records import record
from shapesolve.walking.block_order import dominators, in_order, successors
from shapesolve.walking.limits import MAX_BODY, MAX_LOOP_DEPTH


@record
class Circle:
    """A loop among blocks, of which the first is the header; ``targets`` are the blocks for which control leaves it."""

    blocks: tuple[Block, ...]
    targets: tuple[Block, ...]
    inside: Level

    @property
    def header(self) -> Block:
        """The block through which alone control gets into the loop."""
        return self.inside.first

    @property
    def is_short(self) -> bool:
        """Whether there is no loop inside, and not much else."""
        if any(isinstance(each, Circle) for each in self.inside.nodes):
            return False
        return sum(1 for block in self.blocks for op in block.operations for _ in op.walk()) <= MAX_BODY

    @property
    def on_the_way_out(self) -> list[Node]:
        """The nodes inside that control passes in the round in which it leaves, in order."""
        level = self.inside
        leave = {level.node_of[each] for each in self.blocks if any(to in self.targets for to in successors(each))}
        found: set[Node] = set()
        for node in reversed(level.nodes):
            if node in leave or any(each in found for each in level.following[node]):
                found.add(node)
        return [node for node in level.nodes if node in found]


Node = Block | Circle


@record
class Level:
    """Blocks, and the loops among them, each after all from which a way leads to it; control begins at the first.

    ``following`` says where ways lead: None is back to the first, or out of here. ``above`` is the last node that all
    ways to one pass, and ``node_of`` says which one a block is, or is part of.
    """

    first: Block
    nodes: tuple[Node, ...]
    following: Mapping[Node, Sequence[Node | None]]
    above: Mapping[Node, Node]
    node_of: Mapping[Block, Node]

    def to(self, block: Block) -> Node | None:
        """The node to which a branch to a block leads; None is back to the first, or out of here."""
        return None if block is self.first else self.node_of.get(block)


def level_of(blocks: Sequence[Block]) -> Level | None:
    """The blocks that control reaches, in the order of `by_control`, with the loops among them.

    None where control gets into some loop by two ways, or loops are nested very deep.
    """
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
    return _level(blocks, loops) if all(each <= MAX_LOOP_DEPTH for each in depth.values()) else None


def _dominates(block: Block, other: Block, above: Mapping[Block, Block]) -> bool:
    while other is not block and other is not above[other]:
        other = above[other]
    return other is block


def _blocks_of(header: Block, ends: Sequence[Block], before: Mapping[Block, Sequence[Block]]) -> set[Block]:
    """The blocks of the loop with a header, and ends of the ways back to it."""
    found = {header}
    waiting = list(ends)
    while waiting:
        block = waiting.pop()
        if block not in found:
            found.add(block)
            waiting.extend(before[block])
    return found


def _level(blocks: Sequence[Block], loops: Mapping[Block, Collection[Block]]) -> Level:
    """Blocks of which the first dominates the others. ``loops`` are those around them and inside, the outer first."""
    first, node_of = blocks[0], dict[Block, Node]()
    for block in blocks:
        if block in node_of:
            continue
        if block is first or block not in loops:
            node_of[block] = block
            continue
        inside = [each for each in blocks if each in loops[block]]
        targets = dict.fromkeys(to for each in inside for to in successors(each) if to not in loops[block])
        circle = Circle(tuple(inside), tuple(targets), _level(inside, loops))
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

    nodes = in_order(node_of[first], onwards)
    return Level(first, tuple(nodes), following, dominators(nodes, onwards), node_of)
