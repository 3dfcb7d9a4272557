"""The runtime behavior of an operation, against NumPy on all small sizes."""

from __future__ import annotations

from itertools import product

import numpy
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.evaluation import Sizes, holds
from shapesolve.symbolic.shape_kinds import RankedShape, Shape
from shapesolve.symbolic.shapes import unranked
from shapesolve.traits.inference_tables import TypeShape, shape_of_text
from shapesolve.traits.runtime_behavior import Kind, defined_condition, runtime_behavior, runtime_shape

EXTENTS = st.sampled_from(("?", "0", "1", "2", "3"))
TYPES = st.lists(EXTENTS, max_size=2).map(lambda parts: "x".join(parts) or "()")


def _runs(shapes: list[tuple[int, ...]], result: TypeShape) -> bool:
    try:
        whole = numpy.broadcast_shapes(*shapes)
    except ValueError:
        return False
    if result is None:
        return True
    modeled = [None if extent.dynamic else extent.size.value for extent in result]
    return len(whole) == len(modeled) and all(n is None or n == m for n, m in zip(modeled, whole, strict=True))


def _sizes_of(shape: Shape, sizes: dict[Variable, int]) -> tuple[int, ...]:
    """The extents at these sizes; a size that is not among them does not matter, and is taken as 3."""
    assert isinstance(shape, RankedShape)
    return tuple(size.value if size.is_constant else sizes.get(next(iter(size.variables)), 3) for size in shape.dims)


@examples(80)
@given(operands=st.lists(TYPES, min_size=1, max_size=3), result=st.one_of(TYPES, st.just("*")))
def test_the_meaning_is_numpys(operands: list[str], result: str) -> None:
    shapes = [runtime_shape(f"v{place}", shape_of_text(text)) for place, text in enumerate(operands)]
    declared = shape_of_text(result)
    condition = defined_condition(shapes, declared)
    variables = sorted({v for shape in shapes for v in shape.variables}, key=lambda each: each.text)
    if len(variables) > 5:
        return
    outcomes: set[bool] = set()
    for values in product(range(5), repeat=len(variables)):
        sizes = dict(zip(variables, values, strict=True))
        expected = _runs([_sizes_of(shape, sizes) for shape in shapes], declared)
        assert holds(condition, sizes) == expected
        outcomes.add(expected)
    meaning = runtime_behavior(shapes, declared)
    assert meaning.kind is (Kind.SOMETIMES if len(outcomes) == 2 else Kind.ALWAYS if True in outcomes else Kind.NEVER)
    for at, expected in ((meaning.works, True), (meaning.fails, False)):
        if at is not None:
            assert _runs([_sizes_of(shape, _numbers(at)) for shape in shapes], declared) is expected


def _numbers(sizes: Sizes) -> dict[Variable, int]:
    return {variable: size for variable, size in sizes.items() if isinstance(size, int)}


def test_an_operand_twice_is_one_operand() -> None:
    shape = runtime_shape("a", shape_of_text("?x?"))
    assert runtime_behavior([shape, shape], shape_of_text("?x?")).kind is Kind.ALWAYS


def test_unknown_ranks_are_decided_for_all_ranks() -> None:
    a, b = unranked("a"), unranked("b")
    assert runtime_behavior([a, a], None).kind is Kind.ALWAYS
    both = runtime_behavior([a, b], shape_of_text("2"))
    assert both.kind is Kind.SOMETIMES
    assert both.works is not None
    assert both.fails is not None
    extents = [size for size in both.works.values() if isinstance(size, tuple)]
    assert numpy.broadcast_shapes(*extents) == (2,)
