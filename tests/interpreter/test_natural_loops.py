"""Test of natural loops in random control-flow graphs against reachability after removing blocks."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from shapesolve.ir.control_flow import LoopBody, NaturalLoop, loop_body_of, reachable_blocks
from shapesolve.ir.program import Block, Region
from shapesolve.ir.reader import read_text

Graph = list[list[int]]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Draw the successors of each block; the first one has no predecessor."""
    count = draw(st.integers(2, 7))
    targets = st.lists(st.integers(1, count - 1), max_size=3)
    return [draw(targets) for _ in range(count)]


def _blocks(graph: Graph) -> list[Block]:
    lines = []
    for number, targets in enumerate(graph):
        spelled = ", ".join(f"^b{each}" for each in targets)
        lines += [f"^b{number}:", f'  "foo.goes"()[{spelled}] : () -> ()' if targets else '  "foo.ends"() : () -> ()']
    text = '"foo.around"() ({\n' + "\n".join(lines) + "\n}) : () -> ()"
    program = read_text(f"func.func @f() {{\n{text}\nreturn\n}}")
    (around,) = [op for op in program.operation.walk() if op.name == "foo.around"]
    return list(around.regions[0].blocks)


def _reached(graph: Graph, without: int | None = None) -> set[int]:
    found, waiting = set[int](), [0]
    while waiting:
        number = waiting.pop()
        if number not in found and number != without:
            found.add(number)
            waiting += graph[number]
    return found


def _comes_down_to_one(graph: Graph) -> bool:
    """Return whether removing self-loops and merging blocks into their only predecessors leaves one block."""
    reached = _reached(graph)
    ways = {number: {each for each in graph[number] if each != number} for number in reached}
    while True:
        before = {number: [each for each in ways if number in ways[each]] for number in ways}
        single = next((number for number, those in before.items() if number and len(those) == 1), None)
        if single is None:
            return len(ways) == 1
        (above,) = before[single]
        ways[above] = (ways[above] | ways.pop(single)) - {above, single}


def _circles(level: LoopBody) -> Iterator[NaturalLoop]:
    for node in level.nodes:
        if isinstance(node, NaturalLoop):
            yield node
            yield from _circles(node.body)


@given(graphs())
def test_loops_are_those_that_control_enters_by_one_block(graph: Graph) -> None:
    blocks = _blocks(graph)
    number = {block: index for index, block in enumerate(blocks)}
    reached, _ = reachable_blocks(Region(tuple(blocks)))
    level = loop_body_of(reached)
    assert (level is not None) == _comes_down_to_one(graph)
    if level is None:
        return
    for circle in _circles(level):
        inside, header = {number[block] for block in circle.blocks}, number[circle.header]
        assert not inside & _reached(graph, without=header)
        assert {number[each] for each in circle.targets} == {to for each in inside for to in graph[each]} - inside
    ends = {(each, to) for each in _reached(graph) for to in graph[each] if each not in _reached(graph, without=to)}
    assert {number[each.header] for each in _circles(level)} == {to for _, to in ends}
    _ways_lead_on(level)


def _ways_lead_on(level: LoopBody) -> None:
    position = {node: index for index, node in enumerate(level.nodes)}
    for node, following in level.following.items():
        assert all(each is None or position[each] > position[node] for each in following)
    for node in level.nodes:
        if isinstance(node, NaturalLoop):
            _ways_lead_on(node.body)
