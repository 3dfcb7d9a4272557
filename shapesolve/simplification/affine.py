"""Sizes as affine functions of independent sizes with ranges: what ``torch.export.Dim`` can express of a contract.

A condition such as ``H % 4 == 0`` makes ``H`` four times another size, ``y[0] == 2*x[0] + 1`` makes one size a
function of another, and ``N <= 512`` is a range. Every other condition is not expressible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import gcd

from shapesolve.int64 import MAX_SIZE
from shapesolve.records import value_record
from shapesolve.symbolic.atoms import Remainder, ShapeSymbol, Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import Formula, IsNonNegative, IsZero, Not
from shapesolve.symbolic.formulas import conjuncts


@dataclass(slots=True, eq=False)
class Root:
    """An independent size."""

    name: str
    lower: int
    upper: int | None

    @property
    def is_empty(self) -> bool:
        return self.upper is not None and self.upper < self.lower


@value_record
class Affine:
    """The size ``factor * root + offset`` with a positive factor; ``root`` is None for a number."""

    factor: int
    root: Root | None
    offset: int

    @staticmethod
    def number(value: int) -> Affine:
        return Affine(0, None, value)

    def of(self, factor: int, offset: int) -> Affine:
        """Return ``factor * self + offset``."""
        return Affine(factor * self.factor, self.root if factor else None, factor * self.offset + offset)


@dataclass(slots=True)
class AffineSizes:
    """Affine forms of sizes, and the conditions that they do not express.

    Together they are equivalent to the conditions.
    """

    sizes: dict[Variable, Affine] = field(default_factory=dict[Variable, Affine])
    inexpressible: list[Formula] = field(default_factory=list[Formula])

    def expression(self, size: Dim) -> Affine | None:
        """Return an extent as an affine function of a root, or None if it is no increasing one."""
        terms = _linear(size)
        if terms is None or len(terms) > 1:
            return None
        if not terms:
            return Affine.number(size.constant)
        ((variable, factor),) = terms.items()
        found = self.sizes.get(variable)
        return None if found is None or factor < 0 else found.of(factor, size.constant)

    def learn(self, condition: Formula) -> bool:
        """Add a condition. Return whether affine sizes express it."""
        match condition:
            case IsZero():
                return self._zero(condition.size)
            case IsNonNegative():
                terms = _linear(condition.size)
                return terms is not None and len(terms) == 1 and self._bound(terms, condition.size.constant)
            case Not(parts=(IsZero() as inner,)):  # a size that is not 0 is positive
                terms = _linear(inner.size)
                is_size = terms is not None and list(terms.values()) == [1] and inner.size.constant == 0
                return terms is not None and is_size and self._bound(terms, -1)
            case _:
                return False

    def _zero(self, size: Dim) -> bool:
        atom = (size - size.constant).atom
        if isinstance(atom, Remainder):
            whole, divisor = atom.parts
            here = self.expression(whole)
            if here is None or not divisor.is_constant or not 0 <= -size.constant < divisor.constant:
                return False
            return self._divisible(here.of(1, size.constant), divisor.constant)
        terms = _linear(size)
        if terms is None or any(each not in self.sizes for each in terms):
            return False
        # Over the roots: the sum of factor * root, plus a constant, is zero.
        total, constant = dict[Root, int](), size.constant
        for variable, factor in terms.items():
            here = self.sizes[variable]
            constant += factor * here.offset
            if here.root is not None:
                total[here.root] = total.get(here.root, 0) + factor * here.factor
        factors = {root: factor for root, factor in total.items() if factor}
        if len(factors) > 2:
            return False
        if len(factors) == 2:
            return self._related(factors, constant)
        return self._settled(factors, constant) if factors else constant == 0

    def _divisible(self, here: Affine, divisor: int) -> bool:
        """Require that ``factor*root + offset`` is a multiple of the divisor: the root becomes ``step*new + rest``."""
        if here.root is None:
            return here.offset % divisor == 0
        common = gcd(here.factor, divisor)
        if here.offset % common:
            return False
        step = divisor // common
        if step == 1:
            return True
        rest = (-here.offset // common * pow(here.factor // common, -1, step)) % step
        return self._replace(here.root, step, Root(f"_{here.root.name}", 0, None), rest)

    def _related(self, factors: dict[Root, int], constant: int) -> bool:
        """Require ``a*x + b*y + constant == 0``: one of the two roots becomes an affine function of the other."""
        for (x, a), (y, b) in ((p, q) for p in factors.items() for q in factors.items() if p is not q):
            if a * b < 0 and b % a == 0 and constant % a == 0 and x is not y:
                return self._replace(x, -b // a, y, -constant // a)
        return False

    def _settled(self, factors: dict[Root, int], constant: int) -> bool:
        ((root, factor),) = factors.items()
        if constant % factor:
            return False
        value = -constant // factor
        if value < root.lower or (root.upper is not None and value > root.upper):
            return False
        self._put(root, Affine.number(value))
        return True

    def _bound(self, terms: dict[Variable, int], constant: int) -> bool:
        """Require ``factor*size + constant >= 0``."""
        ((variable, factor),) = terms.items()
        here = self.sizes.get(variable)
        if here is None or here.root is None:
            return here is not None and factor * here.offset + constant >= 0
        slope, rest = factor * here.factor, factor * here.offset + constant
        root = here.root
        before = root.lower, root.upper
        if slope > 0:
            root.lower = max(root.lower, -(rest // slope))
        else:
            most = rest // -slope
            root.upper = most if root.upper is None else min(root.upper, most)
        if root.is_empty:
            root.lower, root.upper = before
            return False
        return True

    def _replace(self, root: Root, step: int, new: Root, rest: int) -> bool:
        """Replace the root by ``step*new + rest`` and keep its bounds."""
        lower = max(new.lower, -((rest - root.lower) // step))
        upper = new.upper
        if root.upper is not None:
            most = (root.upper - rest) // step
            upper = most if upper is None else min(upper, most)
        if upper is not None and upper < lower:
            return False
        new.lower, new.upper = lower, upper
        self._put(root, Affine(step, new, rest))
        return True

    def _put(self, root: Root, value: Affine) -> None:
        for variable, here in self.sizes.items():
            if here.root is root:
                self.sizes[variable] = value.of(here.factor, here.offset)


def affine_sizes(variables: Sequence[Variable], conditions: Sequence[Formula]) -> AffineSizes:
    """Return the sizes under the conditions; beside those that no size expresses."""
    found = AffineSizes()
    for variable in variables:
        if not isinstance(variable, ShapeSymbol) and variable.lower is not None and variable.lower >= 0:
            upper = None if variable.upper is None or variable.upper >= MAX_SIZE else variable.upper
            found.sizes[variable] = Affine(1, Root(variable.name, variable.lower, upper), 0)
    # Bounds last: they then speak of what is left.
    parts = list(dict.fromkeys(part for each in conditions for part in conjuncts(each)))
    for part in sorted(parts, key=lambda each: not isinstance(each, IsZero)):
        if not found.learn(part):
            found.inexpressible.append(part)
    return found


def _linear(size: Dim) -> dict[Variable, int] | None:
    """Return the variables of a linear sum and their factors, without its constant, or None."""
    found: dict[Variable, int] = {}
    for monomial, coefficient in size.terms:
        atom = monomial.single
        if not isinstance(atom, Variable):
            return None
        found[atom] = coefficient
    return found
