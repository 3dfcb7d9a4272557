"""Functions of the size language: ``min(a, b)``, ``broadcastable(s, t)`` and so on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from shapesolve.records import value_record
from shapesolve.symbolic import formulas
from shapesolve.symbolic.atoms import Largest, Product, Smallest, Total
from shapesolve.symbolic.dims import Dim, ceildiv, floordiv, remainder
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.normal_forms import broadcast_extent, choose, maximum, minimum
from shapesolve.symbolic.scope import Kind
from shapesolve.symbolic.segments import choose_shape, folded
from shapesolve.symbolic.shape_kinds import Shape
from shapesolve.symbolic.shapes import broadcast, broadcastable, concat, same_extents, same_shape

_SIZE, _SHAPE, _CLAIM = Kind.SIZE, Kind.SHAPE, Kind.CLAIM


@value_record
class Call:
    """Signature and implementation of a function of the size language.

    Attributes:
        kind: The kind of its result.
        parameters: The kinds of its parameters.
        usage: A call as an error message shows it.
        implementation: The implementation.
    """

    kind: Kind
    parameters: tuple[Kind, ...]
    usage: str
    implementation: Callable[..., Dim | Shape | Formula]
    repeats: bool = False
    """Whether the last parameter takes one or more arguments."""

    def wanted(self, position: int) -> Kind:
        """Return the kind of the parameter at a position."""
        return self.parameters[min(position, len(self.parameters) - 1)]

    def takes(self, count: int) -> bool:
        """Return whether it can be called with this many arguments."""
        return count >= len(self.parameters) if self.repeats else count == len(self.parameters)


def _compatible(*sizes: Dim) -> Formula:
    return formulas.compatible(sizes)


def _magnitude(size: Dim) -> Dim:
    return maximum(size, -size)


def _rank(whole: Shape) -> Dim:
    return whole.rank


def _column(whole: Shape, index: Dim) -> Dim:
    return whole.column(index)


# Named by what they make of sizes; `broadcast` and `select` of shapes are in `OF_SHAPES`.
CALLS: dict[str, Call] = {
    "min": Call(_SIZE, (_SIZE,), "min(a, b, ...)", minimum, repeats=True),
    "max": Call(_SIZE, (_SIZE,), "max(a, b, ...)", maximum, repeats=True),
    "ceildiv": Call(_SIZE, (_SIZE, _SIZE), "ceildiv(a, b)", ceildiv),
    "abs": Call(_SIZE, (_SIZE,), "abs(a)", _magnitude),
    "select": Call(_SIZE, (_CLAIM, _SIZE, _SIZE), "select(claim, a, b)", choose),
    "rank": Call(_SIZE, (_SHAPE,), "rank(s)", _rank),
    "column": Call(_SIZE, (_SHAPE, _SIZE), "column(s, i)", _column),
    **{
        kind.word: Call(_SIZE, (_SHAPE,), f"{kind.word}(s)", partial(folded, kind))
        for kind in (Product, Total, Largest, Smallest)
    },
    "concat": Call(_SHAPE, (_SHAPE,), "concat(s, t, ...)", concat, repeats=True),
    "broadcast": Call(_SIZE, (_SIZE,), "broadcast(a, b, ...)", broadcast_extent, repeats=True),
    "compatible": Call(_CLAIM, (_SIZE,), "compatible(a, b, ...)", _compatible, repeats=True),
    "divides": Call(_CLAIM, (_SIZE, _SIZE), "divides(divisor, size)", formulas.divides),
    "broadcastable": Call(_CLAIM, (_SHAPE,), "broadcastable(s, t, ...)", broadcastable, repeats=True),
    "same_shape": Call(_CLAIM, (_SHAPE, _SHAPE), "same_shape(s, t)", same_shape),
    "same_extents": Call(_CLAIM, (_SHAPE, _SHAPE), "same_extents(s, t)", same_extents),
}

# Names that sympy and other libraries have for some of these.
_OTHER_NAMES: dict[str, Call] = {
    "product": CALLS["numel"],
    "Min": CALLS["min"],
    "Max": CALLS["max"],
    "Abs": CALLS["abs"],
    "Mod": Call(_SIZE, (_SIZE, _SIZE), "Mod(a, b)", remainder),
}

ROUNDED: dict[str, Call] = {
    "floor": Call(_SIZE, (_SIZE,), "floor(a / b)", floordiv),
    "ceiling": Call(_SIZE, (_SIZE,), "ceiling(a / b)", ceildiv),
}
"""The calls whose argument is a fraction: their meaning takes a numerator and a denominator."""

CALLS.update(_OTHER_NAMES | ROUNDED)

OF_SHAPES: dict[str, Call] = {
    "broadcast": Call(_SHAPE, (_SHAPE,), "broadcast(s, t, ...)", broadcast, repeats=True),
    "select": Call(_SHAPE, (_CLAIM, _SHAPE, _SHAPE), "select(claim, s, t)", choose_shape),
}
"""The calls that take shapes and make a shape where the function of that name in `CALLS` takes and makes sizes."""
