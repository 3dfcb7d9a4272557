"""The order in which the blocks of a region are walked: no value is met before it is computed, as far as that goes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from shapesolve.reading.program import Block, Region, Value

Node = TypeVar("Node")


def by_control(region: Region) -> tuple[list[Block], list[Block]]:
    """The blocks that control reaches, each after all that dominate it; and the others, as they are listed."""
    if not region.blocks:
        return [], []
    reached = in_order(region.blocks[0], successors)
    seen = set(reached)
    return reached, [block for block in region.blocks if block not in seen]


def in_order(first: Node, following: Callable[[Node], Sequence[Node]]) -> list[Node]:
    """What a way leads to from the first, each after all that dominate it, and, without ways back, after all before it.

    Of what does not depend on each other, what follows first comes first.
    """
    finished: list[Node] = []
    seen = {first}
    stack: list[tuple[Node, Iterator[Node]]] = [(first, iter(following(first)[::-1]))]
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
    """The blocks to which a branch leads from a block."""
    return block.operations[-1].successors if block.operations else ()


def used_before(blocks: Iterable[Block]) -> list[Value]:
    """The results that an operation uses before the one that computes them is walked.

    Only code that is never reached, and regions where order means nothing, hold such uses.
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


def dominators(nodes: Sequence[Node], following: Callable[[Node], Iterable[Node]]) -> dict[Node, Node]:
    """The last node that all ways to a node pass before it; of the first, itself.

    The nodes are those that ways lead to from the first, as `in_order` gives them; ways back count for nothing.
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


def always_leads(start: Node, target: Node, following: Mapping[Node, Sequence[Node | None]]) -> bool:
    """Whether every way from a node passes a later one, where no way comes back; None is somewhere else."""
    seen = {target}
    waiting: list[Node | None] = [start]
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
