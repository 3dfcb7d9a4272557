"""Closed forms of folds over the extents of a shape of unknown rank, by induction over the rank.

A body has a closed form if it updates an accumulator by one operation on the accumulator and the extent (or a multiple
of it), by a condition on the extent alone, or by the extent itself. The fold is then a term of the size language: a
product, a sum or difference, a minimum or maximum, the rank times a number, a claim about the least and the greatest
extent, or the last extent.
"""

from __future__ import annotations

from collections.abc import Mapping

from shapesolve.domain.values import Abstract, Size
from shapesolve.int64 import MAX_SIZE
from shapesolve.ir.program import SIZE_TYPE, Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.symbolic.atoms import Largest, Product, Smallest, Total
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, implies, less_than, negation
from shapesolve.symbolic.normal_forms import choose, maximum, minimum
from shapesolve.symbolic.segments import folded
from shapesolve.symbolic.shape_kinds import Shape, extent_bounds

from ..arith.conversions import PREDICATES
from ..transfer.integers import word_result

_PRODUCTS = {"shape.mul", "arith.muli", "index.mul"}
_SUMS = {"shape.add", "arith.addi", "index.add"}
_DIFFERENCES = {"arith.subi", "index.sub"}
_GREATEST = {"shape.max": True, "arith.maxsi": True, "index.maxs": True, "arith.maxui": False, "index.maxu": False}
_LEAST = {"shape.min": True, "arith.minsi": True, "index.mins": True, "arith.minui": False, "index.minu": False}
_CONVERSIONS = {"shape.size_to_index", "shape.index_to_size"}
_CONSTANTS = {"arith.constant", "shape.const_size", "index.constant"}
_OPPOSITE = {"eq": "ne", "lt": "ge", "le": "gt", "gt": "le", "ge": "lt", "ne": "eq"}
_MIRRORED = {"eq": "eq", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "ne": "ne"}


class Folding:
    """The folds of one ``shape.reduce`` over a shape of unknown rank."""

    def __init__(self, op: Operation, ctx: RuleContext, shape: Shape) -> None:
        (block,) = op.regions[0].blocks
        self._ctx = ctx
        self._shape = shape
        self._extent = block.arguments[1]
        self._accumulators = block.arguments[2:]
        self._initial = op.operands[1:]
        self._yielded = block.operations[-1].operands
        self._inside = frozenset(block.arguments)
        self._makers: Mapping[Value, Operation] = {result: each for each in block.operations for result in each.results}
        self.fits: list[Formula] = []
        """The formulas under which the results are within 64 bits."""

    def results(self) -> list[Abstract | None]:
        """Return the closed form of each accumulator, None if it has none."""
        low = extent_bounds(self._shape)[0]
        if low is None or low < 0:
            return [None for _ in self._accumulators]
        return [self._result(place) for place in range(len(self._accumulators))]

    def _result(self, place: int) -> Abstract | None:
        accumulator = self._accumulators[place]
        if self._is_extent(self._yielded[place]):
            return self._last(place)
        maker = self._makers.get(self._yielded[place])
        if maker is None or len(maker.operands) != 2 or accumulator not in maker.operands:
            return None
        a, b = maker.operands
        other = b if a is accumulator else a
        if other is accumulator:
            return None
        try:
            if str(accumulator.type) == "i1":
                return self._of_claims(maker.name, place, other)
            if str(accumulator.type) not in ("index", SIZE_TYPE):
                return None
            initial = self._ctx.value(self._initial[place])
            start = initial.value if isinstance(initial, Size) else self._ctx.integer(self._initial[place])
            value = self._number(maker.name, start, other, comes_first=a is accumulator)
        except UnknownValueError:
            return None
        if value is None:
            return None
        return Size(value, initial.valid) if isinstance(initial, Size) else value

    def _last(self, place: int) -> Abstract | None:
        """Return the last extent; the initial value for a scalar's shape."""
        initial, is_scalar = self._ctx.value(self._initial[place]), equal(self._shape.rank, 0)
        start = initial.value if isinstance(initial, Size) else initial
        if not isinstance(start, Dim):
            return None
        value = choose(is_scalar, start, self._shape.column(0))
        return Size(value, implies(is_scalar, initial.valid)) if isinstance(initial, Size) else value

    def _number(self, name: str, start: Dim, other: Value, *, comes_first: bool) -> Dim | None:
        """Return the fold by an operation, in which the accumulator ``comes_first`` or not."""
        if name in _SUMS or (name in _DIFFERENCES and comes_first):
            added = self._sum_of(other)
            return None if added is None else self._in_word(start + added if name in _SUMS else start - added)
        if not self._is_extent(other):
            return None
        if name in _PRODUCTS:
            return self._in_word(start * folded(Product, self._shape))
        is_signed = _GREATEST.get(name, _LEAST.get(name))
        if is_signed is None or not (is_signed or at_least(start, 0) is TRUE):
            return None
        if name in _LEAST:
            return minimum(start, folded(Smallest, self._shape)) if at_least(MAX_SIZE, start) is TRUE else None
        greatest = maximum(start, folded(Largest, self._shape))
        return greatest if at_least(start, 0) is TRUE else choose(equal(self._shape.rank, 0), start, greatest)

    def _sum_of(self, value: Value) -> Dim | None:
        """Return the sum of a value over all extents, None if it is neither a constant nor a multiple of the extent."""
        if self._is_constant(value):
            return self._shape.rank * self._constant(value)
        if self._is_extent(value):
            return folded(Total, self._shape)
        maker = self._makers.get(value)
        if maker is None or maker.name not in _PRODUCTS:
            return None
        a, b = maker.operands
        if self._is_extent(a) is self._is_extent(b):
            return None
        return folded(Total, self._shape) * self._constant(b if self._is_extent(a) else a)

    def _in_word(self, exact: Dim) -> Dim:
        value, fits = word_result(exact)
        self.fits.append(fits)
        return value

    def _of_claims(self, name: str, place: int, other: Value) -> Formula | None:
        """Return the fold of a condition on each extent by and (all) or or (any), including its initial value."""
        if name not in ("arith.andi", "arith.ori"):
            return None
        maker = self._makers.get(other)
        predicate = maker.attributes.get("predicate") if maker is not None and maker.name == "arith.cmpi" else None
        if maker is None or not isinstance(predicate, int) or not 0 <= predicate < len(PREDICATES):
            return None
        a, b = maker.operands
        if self._is_extent(a) is self._is_extent(b):
            return None
        bound = self._constant(b if self._is_extent(a) else a)
        asked = PREDICATES[predicate]
        if asked[0] == "u" and at_least(bound, 0) is not TRUE:
            return None
        asked = asked.removeprefix("u") if asked[0] == "u" else asked.removeprefix("s")
        if not self._is_extent(a):
            asked = _MIRRORED[asked]
        started = self._ctx.truth(self._initial[place])
        if name == "arith.andi":
            passes = self._all(asked, bound)
            return None if passes is None else conjunction((started, passes))
        fails = self._all(_OPPOSITE[asked], bound)
        return None if fails is None else disjunction((started, negation(fails)))

    def _all(self, asked: str, bound: Dim) -> Formula | None:
        """Return whether every extent compares so with a number, or None if minimum and maximum cannot tell."""
        least, greatest = folded(Smallest, self._shape), folded(Largest, self._shape)
        claims = {
            "eq": lambda: conjunction((equal(least, bound), equal(greatest, bound))),
            "ge": lambda: at_least(least, bound),
            "gt": lambda: less_than(bound, least),
            "le": lambda: at_least(bound, greatest),
            "lt": lambda: less_than(greatest, bound),
            "ne": lambda: at_least(least, 1),
        }
        if asked == "ne" and not (bound.is_constant and bound.constant == 0):
            return None
        return disjunction((equal(self._shape.rank, 0), claims[asked]()))

    def _is_extent(self, value: Value) -> bool:
        maker = self._makers.get(value)
        if maker is not None and maker.name in _CONVERSIONS:
            value = maker.operands[0]
        return value is self._extent

    def _is_constant(self, value: Value) -> bool:
        maker = self._makers.get(value)
        return value not in self._inside and (maker is None or maker.name in _CONSTANTS)

    def _constant(self, value: Value) -> Dim:
        """Return a number that is the same for all extents.

        Raises:
            UnknownValueError: It may vary.
        """
        maker = self._makers.get(value)
        if not self._is_constant(value):
            raise UnknownValueError(f"{value.name} may vary from extent to extent")
        if maker is None:
            return self._ctx.integer(value)
        number = maker.attributes.get("value")
        if not isinstance(number, int) or isinstance(number, bool):
            raise UnknownValueError(f"{value.name} is not an integer")
        return dim(number)
