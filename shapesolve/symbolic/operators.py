"""Sizes and formulas computed by Python's operators, such as those of the symbolic sizes of PyTorch and JAX."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from shapesolve.symbolic.atoms import Atom, Maximum, Minimum, Quotient, Remainder, Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import And, Constant, Formula, IsNonNegative, IsZero, Not, Or
from shapesolve.symbolic.formulas import sides
from shapesolve.symbolic.visitors import Visitor


class ByOperators(Visitor[Any, Any]):
    """Computes with values for the variables, by name.

    Args:
        values: A value for every variable.
        minimum: The minimum of two values.
        maximum: The maximum of two values.
        negation: The negation of a truth value.
    """

    def __init__(
        self,
        values: Mapping[str, Any],
        minimum: Callable[[Any, Any], Any],
        maximum: Callable[[Any, Any], Any],
        negation: Callable[[Any], Any],
    ) -> None:
        super().__init__()
        self._values = values
        self._minimum = minimum
        self._maximum = maximum
        self._negation = negation

    def read_size(self, size: Dim) -> Any:
        total: Any = size.constant
        for monomial, coefficient in size.terms:
            product: Any = coefficient
            for atom, power in monomial.factors:
                for _ in range(power):
                    product = product * self.atom(atom)
            total = total + product
        return total

    def read_atom(self, atom: Atom) -> Any:
        match atom:
            case Variable():
                if atom.name not in self._values:
                    raise KeyError(atom.name)
                return self._values[atom.name]
            case Quotient(parts=(a, b)):
                return self.size(a) // self._divisor(b)
            case Remainder(parts=(a, b)):
                return self.size(a) % self._divisor(b)
            case Minimum(parts=parts):
                return reduce(self._minimum, map(self.size, parts))
            case Maximum(parts=parts):
                return reduce(self._maximum, map(self.size, parts))
            case _:
                raise TypeError(f"no operator computes {atom}")

    def _divisor(self, size: Dim) -> Any:
        low, high = size.bounds()
        if (low is None or low <= 0) and (high is None or high >= 0):
            raise TypeError(f"dividing by {size} has no value there where it is 0, and is 0 here: bound it from below")
        return self.size(size)

    def read_formula(self, formula: Formula) -> Any:
        match formula:
            case Constant():
                return bool(formula)
            case IsZero(size=size):
                one, other = self._sides(size)
                return one == other
            case IsNonNegative(size=size):
                one, other = self._sides(size)
                return one >= other
            case And(parts=parts):
                return reduce(lambda one, other: one & other, map(self.formula, parts))
            case Or(parts=parts):
                return reduce(lambda one, other: one | other, map(self.formula, parts))
            case Not(parts=(part,)):
                return self._negation(self.formula(part))
            case _:
                raise TypeError(f"no operator computes {formula}")

    def _sides(self, size: Dim) -> tuple[Any, Any]:
        added, subtracted = sides(size)
        return self.size(added + size.constant), self.size(subtracted)
