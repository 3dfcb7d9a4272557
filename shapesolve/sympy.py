"""Sizes, claims and shapes as sympy objects, and back.

    n, m = sympy.symbols("n m", integer=True, nonnegative=True)
    from_sympy(sympy.floor(n / 2))              # the size n//2
    to_sympy(ceildiv(dim("N"), 4))              # -floor(-N/4)
    prove(sympy.Eq(2 * sympy.floor(n / 2), n))  # Refuted: n = 3

The two languages differ in three places. A symbol of which sympy is told nothing is taken for a size, an integer from
0 to 2^63-1. Division by 0 has no value in sympy and is 0 here (a remainder is its dividend), so a quotient whose
divisor may be 0 becomes a function of its own, `FloorDiv`, and a remainder a `FloorMod`. sympy knows fractions: what is
converted must be an integer, which is proved where it cannot be seen. The parts of `and` and `or` come back in sympy's
order, and what sympy simplifies stays so; a second round trip changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from importlib import import_module
from typing import Any, cast

from shapesolve.int64 import MAX_SIZE
from shapesolve.symbolic import formulas
from shapesolve.symbolic.atoms import (
    Atom,
    BroadcastExtent,
    Choice,
    Maximum,
    Minimum,
    Quotient,
    Remainder,
    ShapeSymbol,
    Variable,
)
from shapesolve.symbolic.dims import ONE, Dim, ceildiv, dim, floordiv, remainder, variable
from shapesolve.symbolic.evaluation import broadcast_sizes
from shapesolve.symbolic.formula_kinds import TRUE, And, Compatible, Constant, Formula, IsNonNegative, IsZero, Not, Or
from shapesolve.symbolic.formulas import conjunction, disjunction, equivalent, implies, negation, sides, truth
from shapesolve.symbolic.normal_forms import broadcast_extent, choose, maximum, minimum
from shapesolve.symbolic.shape_kinds import RankedShape, Shape
from shapesolve.symbolic.shapes import same_shape, shape
from shapesolve.symbolic.visitors import Visitor

__all__ = ["BroadcastSize", "CompatibleSizes", "FloorDiv", "FloorMod", "Select", "from_sympy", "to_sympy"]

sympy: Any = import_module("sympy")
_boolalg: Any = import_module("sympy.logic.boolalg")

Expression = Any
"""Any sympy object: the library carries no types."""


class FloorDiv(sympy.Function):
    """A quotient rounded down, which is 0 where the divisor is 0."""

    is_integer = True

    @classmethod
    def eval(cls, a: Expression, b: Expression) -> Expression | None:
        """Return the value where the divisor is a number."""
        if b.is_Integer:
            return sympy.floor(a / b) if b else sympy.Integer(0)
        return None


class FloorMod(sympy.Function):
    """A remainder with the sign of the divisor, which is the dividend where the divisor is 0."""

    is_integer = True

    @classmethod
    def eval(cls, a: Expression, b: Expression) -> Expression | None:
        """Return the value of numbers."""
        if b.is_zero:
            return a
        return sympy.Integer(int(a) % int(b)) if a.is_Integer and b.is_Integer else None


class Select(sympy.Function):
    """A choice of two sizes: the first where a condition holds.

    Not a `Piecewise`: sympy 1.14 takes conditions apart that hold one, and `Mod(Piecewise((2, c), (20, True)), 6)`
    is 0 there, whatever ``c`` is. ``rewrite(sympy.Piecewise)`` makes one.
    """

    is_integer = True

    @classmethod
    def eval(cls, condition: Expression, a: Expression, b: Expression) -> Expression | None:
        """Return the chosen size where the condition is known."""
        if condition in (sympy.true, sympy.false):
            return a if condition else b
        return None

    def _eval_rewrite_as_Piecewise(  # noqa: N802 (sympy's name)
        self, condition: Expression, a: Expression, b: Expression, **_: Expression
    ) -> Expression:
        return sympy.Piecewise((a, condition), (b, True))


class BroadcastSize(sympy.Function):
    """The extent of a broadcast column: the least argument that is not 1, or 1."""

    is_integer = True

    @classmethod
    def eval(cls, *parts: Expression) -> Expression | None:
        """Return the value for integers and the sorted call otherwise; None where the call is in normal form."""
        if all(part.is_Integer for part in parts):
            return sympy.Integer(broadcast_sizes([int(part) for part in parts]))
        return _in_order(cls, parts)


class CompatibleSizes(_boolalg.BooleanFunction):
    """A column of sizes broadcasts: all of them that are not 1 are equal."""

    @classmethod
    def eval(cls, *parts: Expression) -> Expression | None:
        """Return the truth for integers and the sorted call otherwise; None where the call is in normal form."""
        if all(part.is_Integer for part in parts):
            return sympy.true if len({int(part) for part in parts} - {1}) <= 1 else sympy.false
        return _in_order(cls, parts)


def _in_order(call: Callable[..., Expression], parts: tuple[Expression, ...]) -> Expression | None:
    ordered = tuple(sympy.ordered(set(parts)))
    return None if ordered == parts else call(*ordered)


def to_sympy(value: Dim | Formula | Shape) -> Expression:
    """Convert a size, a formula or a shape of known rank to sympy.

    Variables become symbols that are integers and, if they are sizes, nonnegative. A shape becomes a `Tuple`.

    Raises:
        TypeError: for a shape of unknown rank, or one that is valid only under a condition.
        ValueError: for a variable within bounds that no assumption of sympy states.
    """
    match value:
        case Dim():
            return _Writer().size(value)
        case Formula():
            return _Writer().formula(value)
        case RankedShape(dims=extents) if value.valid is TRUE:
            return sympy.Tuple(*map(_Writer().size, extents))
        case Shape():
            raise TypeError(
                f"sympy has no counterpart of the shape {value}: convert its extents and `valid` by themselves"
            )
        case _:
            raise TypeError(f"to_sympy takes a Dim, a Formula or a Shape, not {type(value).__name__}")


def from_sympy(value: Expression) -> Dim | Formula | Shape:
    """Convert a sympy expression, relation or tuple to a size, a formula or a shape.

    A symbol stands for an integer: of any sign if sympy knows only that it is an integer, else for a size.

    Raises:
        TypeError: for what is no integer, has no counterpart, or rests on an assumption that a size cannot carry.
    """
    reader = Reader()
    result = reader.read(value)
    if reader.facts:
        text = ", ".join(map(str, reader.facts))
        raise TypeError(f"the assumptions of the symbols say more than a size can carry: state {text} as a fact")
    return result


class _Writer(Visitor[Expression, Expression]):
    """Converts sizes and formulas to sympy."""

    def read_size(self, size: Dim) -> Expression:
        terms = [
            sympy.Mul(coefficient, *(self.atom(atom) ** power for atom, power in monomial.factors))
            for monomial, coefficient in size.terms
        ]
        return sympy.Add(*terms, size.constant)

    def read_atom(self, atom: Atom) -> Expression:
        match atom:
            case ShapeSymbol():
                pass
            case Variable():
                return _symbol(atom)
            case Quotient(parts=(a, b)):
                x, y = self.size(a), self.size(b)
                return sympy.floor(x / y) if _is_nonzero(b) else FloorDiv(x, y)
            case Remainder(parts=(a, b)):
                x, y = self.size(a), self.size(b)
                # Mod of sympy 1.14 divides by a greatest common divisor that is wrong for these.
                is_safe = _is_nonzero(b) and not x.has(sympy.Min, sympy.Max, Select, BroadcastSize)
                return (sympy.Mod if is_safe else FloorMod)(x, y)
            case Minimum(parts=parts):
                return sympy.Min(*map(self.size, parts))
            case Maximum(parts=parts):
                return sympy.Max(*map(self.size, parts))
            case BroadcastExtent(parts=parts):
                return BroadcastSize(*map(self.size, parts))
            case Choice(parts=(condition, a, b)):
                return Select(self.formula(condition), self.size(a), self.size(b))
            case _:
                pass
        raise TypeError(f"sympy has no counterpart of {atom}: it speaks of a shape of unknown rank")

    def read_formula(self, formula: Formula) -> Expression:
        match formula:
            case Constant():
                return sympy.true if formula is TRUE else sympy.false
            case IsZero(size=size):
                return sympy.Eq(*self._sides(size))
            case IsNonNegative(size=size):
                return sympy.Ge(*self._sides(size))
            case Compatible(parts=parts):
                return CompatibleSizes(*map(self.size, parts))
            case And(parts=parts):
                return sympy.And(*map(self.formula, parts))
            case Or(parts=parts):
                return sympy.Or(*map(self.formula, parts))
            case Not(parts=(part,)):
                return sympy.Not(self.formula(part))
            case _:
                raise TypeError(f"sympy has no counterpart of {formula}: it speaks of a shape of unknown rank")

    def _sides(self, size: Dim) -> tuple[Expression, Expression]:
        added, subtracted = sides(size)
        return self.size(added + size.constant), self.size(subtracted)


def _is_nonzero(divisor: Dim) -> bool:
    low, high = divisor.bounds()
    return (low is not None and low > 0) or (high is not None and high < 0)


_ASSUMPTIONS: Mapping[tuple[int | None, int | None], dict[str, bool]] = {
    (0, MAX_SIZE): {"nonnegative": True},
    (1, MAX_SIZE): {"positive": True},
    (None, None): {},
    (None, 0): {"nonpositive": True},
    (None, -1): {"negative": True},
}
"""The assumption of sympy for each pair of bounds that has one."""


def _symbol(atom: Variable) -> Expression:
    stated = _ASSUMPTIONS.get((atom.lower, atom.upper))
    if stated is None:
        raise ValueError(f"no assumption of sympy says that {atom.name} is from {atom.lower} to {atom.upper}")
    return sympy.Symbol(atom.name, integer=True, **stated)


class Reader:
    """Converts sympy objects, one name being one variable throughout.

    Attributes:
        facts: What assumptions of the symbols say beyond the bounds of variables, such as being even.
    """

    def __init__(self) -> None:
        self.facts: list[Formula] = []
        self._symbols: dict[str, Expression] = {}
        self._variables: dict[Expression, Dim] = {}

    def read(self, value: Expression) -> Dim | Formula | Shape:
        """Convert an expression, a relation or a tuple."""
        if isinstance(value, sympy.Tuple | tuple | list):
            return self.shape(value)
        if not isinstance(value, sympy.Basic):
            raise TypeError(f"a sympy object is needed here, not {type(value).__name__}")
        if isinstance(value, _boolalg.Boolean) and not isinstance(value, sympy.Symbol):
            return self.formula(value)
        return self.size(value)

    def shape(self, extents: Expression) -> Shape:
        """Convert a tuple of extents."""
        return shape([self.size(sympy.sympify(extent)) for extent in extents])

    # Sizes -------------------------------------------------------------------------------------------------------

    def size(self, value: Expression) -> Dim:
        """Convert an expression whose value is an integer."""
        numerator, denominator = self.ratio(value)
        if denominator is ONE:
            return numerator
        from shapesolve.solver.entailment import entails

        if not entails(formulas.divides(denominator, numerator), self.facts):
            raise TypeError(f"{value} need not be an integer; write floor or ceiling around it")
        return floordiv(numerator, denominator)

    def ratio(self, value: Expression) -> tuple[Dim, Dim]:
        """Convert an expression to a numerator and a denominator, which is 1 where no division is written."""
        if value.is_Add or value.is_Mul or value.is_Pow or value.is_Rational:
            top, bottom = sympy.fraction(value if _is_integral(value) else sympy.together(value))
            return self._polynomial(top), self._polynomial(bottom)
        return self._polynomial(value), ONE

    def _polynomial(self, value: Expression) -> Dim:
        if value.is_Integer:
            return dim(int(value))
        if value.is_Symbol:
            return self._variable(value)
        if value.is_Add:
            return sum(map(self.size, value.args), dim(0))
        if value.is_Mul:
            return reduce(Dim.__mul__, map(self.size, value.args))
        if value.is_Pow:
            base, exponent = value.args
            if not (exponent.is_Integer and exponent >= 0):
                raise TypeError(f"the exponent of {value} is not a constant of at least 0")
            return self.size(base) ** int(exponent)
        convert = _FUNCTIONS.get(type(value).__name__)
        if convert is None:
            raise TypeError(f"a size has no counterpart of {value} ({type(value).__name__})")
        return convert(self, *value.args)

    def _variable(self, symbol: Expression) -> Dim:
        known = self._variables.get(symbol)
        if known is not None:
            return known
        if symbol.name in self._symbols:
            raise TypeError(f"two different symbols are called {symbol.name}: give them one set of assumptions")
        if symbol.is_integer is False or symbol.is_extended_real is False:
            raise TypeError(f"the symbol {symbol} is assumed to be no integer")
        if symbol.is_extended_real and symbol.is_integer is symbol.is_nonnegative is symbol.is_nonpositive is None:
            raise TypeError(f"the symbol {symbol} may be any real number: give it the assumption integer=True")
        lower, upper = _bounds(symbol)
        made = variable(symbol.name, lower, upper)
        self._symbols[symbol.name] = symbol
        self._variables[symbol] = made
        self.facts += _other_assumptions(symbol, made)
        return made

    def floor(self, value: Expression) -> Dim:
        """Convert the greatest integer that is not above a fraction."""
        return floordiv(*self.ratio(value))

    def ceiling(self, value: Expression) -> Dim:
        """Convert the least integer that is not below a fraction."""
        return ceildiv(*self.ratio(value))

    def digit(self, a: Expression, b: Expression, c: Expression) -> Dim:
        """Convert ``(a // b) % c``."""
        return remainder(floordiv(self.size(a), self.size(b)), self.size(c))

    def magnitude(self, value: Expression) -> Dim:
        """Convert an absolute value."""
        size = self.size(value)
        return maximum(size, -size)

    def select(self, condition: Expression, a: Expression, b: Expression) -> Dim:
        """Convert a choice of two sizes."""
        return choose(self.formula(condition), self.size(a), self.size(b))

    def piecewise(self, *cases: Expression) -> Dim:
        """Convert a choice among cases, the last of which holds always."""
        *others, (last, always) = cases
        if always != sympy.true:
            raise TypeError(f"a Piecewise without a last case that holds always has no value where {always} is false")
        result = self.size(last)
        for value, condition in reversed(others):
            result = choose(self.formula(condition), self.size(value), result)
        return result

    # Formulas ----------------------------------------------------------------------------------------------------

    def formula(self, value: Expression) -> Formula:
        """Convert a relation or a combination of relations."""
        if value in (sympy.true, sympy.false):
            return truth(bool(value))
        if isinstance(value, CompatibleSizes):
            return formulas.compatible(map(self.size, value.args))
        if value.is_Relational:
            return self._relation(value)
        connective = _CONNECTIVES.get(type(value).__name__)
        if connective is None or not isinstance(value, _boolalg.Boolean):
            raise TypeError(f"a formula has no counterpart of {value} ({type(value).__name__})")
        return connective([self.formula(part) for part in value.args])

    def _relation(self, value: Expression) -> Formula:
        compare = _RELATIONS[value.rel_op]
        left, right = value.args
        if isinstance(left, sympy.Tuple) and isinstance(right, sympy.Tuple):
            same = same_shape(self.shape(left), self.shape(right))
            return same if value.rel_op == "==" else negation(same)
        (a, b), (c, d) = self.ratio(left), self.ratio(right)
        for divisor in (b, d):
            low, _ = divisor.bounds()
            if low is None or low <= 0:
                raise TypeError(f"{value} divides by {divisor}, which may be 0 or less")
        return compare(a * d, c * b)


def _of_sizes(operation: Callable[..., Dim]) -> Callable[..., Dim]:
    """Return the conversion of a function whose arguments are sizes."""

    def convert(reader: Reader, *parts: Expression) -> Dim:
        return operation(*map(reader.size, parts))

    return convert


_FUNCTIONS: dict[str, Callable[..., Dim]] = {
    "floor": Reader.floor,
    "ceiling": Reader.ceiling,
    "Mod": _of_sizes(remainder),
    "Min": _of_sizes(minimum),
    "Max": _of_sizes(maximum),
    "Abs": Reader.magnitude,
    "Piecewise": Reader.piecewise,
    "BroadcastSize": _of_sizes(broadcast_extent),
    "FloorMod": _of_sizes(remainder),
    "Select": Reader.select,
    # The functions that PyTorch's symbolic sizes are made of (the first is ours, too).
    "FloorDiv": _of_sizes(floordiv),
    "CleanDiv": _of_sizes(floordiv),
    "CeilDiv": _of_sizes(ceildiv),
    "PythonMod": _of_sizes(remainder),
    "ModularIndexing": Reader.digit,
    "Where": Reader.select,
    "Identity": Reader.size,
}
"""The conversion of each function by the name of its class."""

_CONNECTIVES: dict[str, Callable[[list[Formula]], Formula]] = {
    "And": conjunction,
    "Or": disjunction,
    "Not": lambda parts: negation(parts[0]),
    "Implies": lambda parts: implies(*parts),
    "Equivalent": lambda parts: conjunction([equivalent(parts[0], part) for part in parts[1:]]),
    "Xor": lambda parts: reduce(lambda a, b: negation(equivalent(a, b)), parts),
    "ITE": lambda parts: formulas.either(*parts),
}

_RELATIONS: dict[str, Callable[[Dim, Dim], Formula]] = {
    "==": formulas.equal,
    "!=": formulas.unequal,
    ">=": formulas.at_least,
    "<=": lambda a, b: formulas.at_least(b, a),
    ">": lambda a, b: formulas.less_than(b, a),
    "<": formulas.less_than,
}


def _is_integral(value: Expression) -> bool:
    """Return whether no fraction is added or multiplied in an expression, inside functions left out."""
    if value.is_Add or value.is_Mul:
        return all(map(_is_integral, value.args))
    if value.is_Pow:
        return bool(value.exp.is_Integer and value.exp >= 0) and _is_integral(value.base)
    return not value.is_Rational or bool(value.is_Integer)


def _bounds(symbol: Expression) -> tuple[int | None, int | None]:
    if symbol.is_negative:
        return None, -1
    if symbol.is_nonpositive and not symbol.is_nonnegative:
        return None, 0
    if symbol.is_positive:
        return 1, MAX_SIZE
    if symbol.is_nonnegative or symbol.is_integer is None:
        return 0, MAX_SIZE
    return None, None


_STATED: dict[str, Callable[[Dim], Formula]] = {
    "even": lambda size: formulas.divides(2, size),
    "odd": lambda size: formulas.equal(size % 2, 1),
    "zero": formulas.is_zero,
    "nonzero": lambda size: negation(formulas.is_zero(size)),
}
"""The assumptions beyond signs that a formula can state."""


def _other_assumptions(symbol: Expression, size: Dim) -> Iterator[Formula]:
    assumed = symbol.assumptions0
    for name in ("prime", "composite"):
        if assumed.get(name):
            raise TypeError(f"no claim about sizes says that {symbol} is {name}")
    for name, stated in _STATED.items():
        fact = stated(size) if assumed.get(name) else TRUE
        if fact is not TRUE:
            yield fact


def latex(value: Dim | Formula | Shape) -> str:
    """Return LaTeX of a size, a formula or a shape; its text in typewriter where sympy has no counterpart."""
    try:
        return cast("str", sympy.latex(to_sympy(value)))
    except (TypeError, ValueError):
        text = str(value).replace("_", r"\_").replace("%", r"\%").replace("#", r"\#")
        return rf"\mathtt{{{text}}}"
