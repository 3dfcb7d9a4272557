"""The order in which the blocks of a region are walked: no value is met before it is computed, as far as that goes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from shapesolve.reading.program import Block, Region, Value


def by_control(region: Region) -> tuple[list[Block], list[Block]]:
    """The blocks that control reaches, each after all that dominate it; and the others, as they are listed."""
    if not region.blocks:
        return [], []
    first = region.blocks[0]
    finished: list[Block] = []
    seen = {first}
    stack: list[tuple[Block, Iterator[Block]]] = [(first, iter(_successors(first)))]
    while stack:
        block, left = stack[-1]
        following = next(left, None)
        if following is None:
            finished.append(block)
            stack.pop()
        elif following not in seen:
            seen.add(following)
            stack.append((following, iter(_successors(following))))
    return finished[::-1], [block for block in region.blocks if block not in seen]


def may_repeat(region: Region) -> bool:
    """Whether control may come back to a block that it has left."""
    if len(region.blocks) < 2:
        return False
    order = {block: position for position, block in enumerate(by_control(region)[0])}
    return any(order[following] <= position for block, position in order.items() for following in _successors(block))


def _successors(block: Block) -> tuple[Block, ...]:
    # Backwards: then blocks that do not depend on each other come out as they are listed.
    return block.operations[-1].successors[::-1] if block.operations else ()


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


def dominators(blocks: Sequence[Block]) -> dict[Block, Block]:
    """The last block that all ways to a block pass before it; of the first block, itself.

    The blocks are those that control reaches, each after all from which a branch leads to it.
    """
    position = {block: number for number, block in enumerate(blocks)}
    above = {blocks[0]: blocks[0]}
    for block in blocks:
        for following in _successors(block):
            known, other = above.get(following), block
            if known is None:
                above[following] = block
                continue
            while known is not other:
                if position[known] > position[other]:
                    known = above[known]
                else:
                    other = above[other]
            above[following] = known
    return above


def always_leads(start: Block, target: Block) -> bool:
    """Whether every way from a block passes a later one, where no way comes back."""
    seen: set[Block] = {target}
    waiting = [start]
    while waiting:
        block = waiting.pop()
        if block in seen:
            continue
        seen.add(block)
        following = _successors(block)
        if not following:
            return False
        waiting.extend(following)
    return True
