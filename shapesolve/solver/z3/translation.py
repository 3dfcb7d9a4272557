"""Translation of division-free formulas to z3 terms.

The z3 module comes in from `solver.z3.adapter`, which alone imports it; z3 has no type annotations, so its terms are
`Any`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, cast

from shapesolve.solver.preprocessing.division import EveryColumn, PureFormula
from shapesolve.symbolic.atoms import (
    Atom,
    BroadcastExtent,
    Choice,
    Column,
    Largest,
    Maximum,
    Minimum,
    Product,
    Quotient,
    Rank,
    Remainder,
    Smallest,
    Total,
    Variable,
)
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import AnyAtom
from shapesolve.symbolic.formula_kinds import (
    TRUE,
    And,
    Compatible,
    CompatibleShapes,
    Constant,
    Formula,
    IsNonNegative,
    IsZero,
    Not,
    Or,
    SameShape,
)
from shapesolve.symbolic.shape_kinds import Shape, UnrankedShape
from shapesolve.symbolic.visitors import Visitor, atoms_within, unhandled

Term = Any
Make = Callable[..., Any]
"""A function of z3's C interface."""


class Translation(Visitor[Term, Term]):
    """Translates each formula once. With ``real`` sizes range over the reals: a relaxation."""

    def __init__(self, z3: Any, context: Any, *, real: bool = False) -> None:
        super().__init__()
        self._z3 = z3
        self._context = context
        self._reference = context.ref()
        self._numbers: dict[int, Term] = {}
        self._real = real
        self._variables: dict[Variable, Term] = {}
        self._names: set[str] = set()
        self._shapes: dict[Shape, tuple[Term, Term]] = {}

    def number(self, value: int) -> Term:
        """Return a numeral."""
        found = self._numbers.get(value)
        if found is None:
            make = self._z3.RealVal if self._real else self._z3.IntVal
            found = self._numbers[value] = make(value, self._context)
        return found

    def variable(self, variable: Variable) -> Term:
        """Return the constant that stands for a variable."""
        found = self._variables.get(variable)
        if found is None:
            make = self._z3.Real if self._real else self._z3.Int
            found = self._variables[variable] = make(self._unused(variable.name), self._context)
        return found

    def value(self, model: Term, variable: Variable) -> int:
        """Return the value of an integer variable in a z3 model."""
        return int(model.eval(self.variable(variable), model_completion=True).as_long())

    def _unused(self, name: str) -> str:
        # Variables of one name and different bounds are different variables.
        unused, number = name, 1
        while unused in self._names:
            number += 1
            unused = f"{name}!{number}"
        self._names.add(unused)
        return unused

    def read_size(self, size: Dim) -> Term:
        terms = [self.number(size.constant)] if size.constant or not size.terms else []
        for monomial, coefficient in size.terms:
            factors = [self.atom(atom) for atom, power in monomial.factors for _ in range(power)]
            if coefficient != 1:
                factors.insert(0, self.number(coefficient))
            terms.append(factors[0] if len(factors) == 1 else self._arithmetic(self._z3.Z3_mk_mul, factors))
        return terms[0] if len(terms) == 1 else self._arithmetic(self._z3.Z3_mk_add, terms)

    # z3's own operators find out about sorts and numbers again and again, which takes longer than making a term.

    def _arithmetic(self, make: Make, terms: Sequence[Term]) -> Term:
        return self._z3.ArithRef(make(self._reference, len(terms), self._array(terms)), self._context)

    def _all(self, terms: Sequence[Term]) -> Term:
        return self._z3.BoolRef(self._z3.Z3_mk_and(self._reference, len(terms), self._array(terms)), self._context)

    def _any(self, terms: Sequence[Term]) -> Term:
        return self._z3.BoolRef(self._z3.Z3_mk_or(self._reference, len(terms), self._array(terms)), self._context)

    def _array(self, terms: Sequence[Term]) -> Any:
        return (self._z3.Ast * len(terms))(*(term.ast for term in terms))

    def _compared(self, make: Make, a: Term, b: Term) -> Term:
        return self._z3.BoolRef(make(self._reference, a.ast, b.ast), self._context)

    def _equal(self, a: Term, b: Term) -> Term:
        return self._compared(self._z3.Z3_mk_eq, a, b)

    def at_least(self, a: Term, b: Term) -> Term:
        """Return ``a >= b``."""
        return self._compared(self._z3.Z3_mk_ge, a, b)

    def implies(self, a: Term, b: Term) -> Term:
        """Return ``a`` implies ``b``."""
        return self._compared(self._z3.Z3_mk_implies, a, b)

    def _when(self, condition: Term, a: Term, b: Term) -> Term:
        return self._z3.ArithRef(self._z3.Z3_mk_ite(self._reference, condition.ast, a.ast, b.ast), self._context)

    def read_atom(self, atom: Atom) -> Term:
        kind = cast("AnyAtom", atom)
        when = self._when
        match kind:
            case Variable():
                return self.variable(kind)
            case BroadcastExtent(parts=parts):
                return reduce(self._broadcast, map(self.size, parts))
            case Maximum(parts=parts):
                return reduce(lambda a, b: when(self.at_least(a, b), a, b), map(self.size, parts))
            case Minimum(parts=parts):
                return reduce(lambda a, b: when(self.at_least(b, a), a, b), map(self.size, parts))
            case Choice(parts=(condition, a, b)):
                return when(self.formula(condition), self.size(a), self.size(b))
            case Rank(parts=(shape,)):
                return self.shape(shape)[0]
            case Column(parts=(shape, index)):
                return self.shape(shape)[1](self.size(index))
            case Product() | Total() | Largest() | Smallest():
                raise TypeError(f"`{kind}` is a fold, which is no part of a pure formula")
            case Quotient() | Remainder():
                raise TypeError(f"`{kind}` is a division, which is no part of a pure formula")
            case _:
                raise unhandled(kind, "the translation to z3")

    def _broadcast(self, a: Term, b: Term) -> Term:
        equal, one = self._equal, self.number(1)
        return self._when(equal(a, one), b, self._when(self._any((equal(b, one), self.at_least(b, a))), a, b))

    def shape(self, shape: Shape) -> tuple[Term, Term]:
        """Return the rank of a shape of unknown rank, and the function from its columns to extents."""
        found = self._shapes.get(shape)
        if found is None:
            name = self._unused(shape.text)
            integers = self._z3.IntSort(self._context)
            rank = self._z3.Int(f"rank({name})", self._context)
            found = self._shapes[shape] = (rank, self._z3.Function(f"column({name})", integers, integers))
        return found

    def shape_axioms(self, shape: Shape) -> list[Term]:
        """Return the axioms of a rank and a column function: no negative extent, and 1 beyond the rank.

        Nothing of a shape made of segments: what it is follows from their definitions.
        """
        if not isinstance(shape, UnrankedShape):
            return []
        rank, column = self.shape(shape)
        index = self._z3.Int("column!", self._context)
        extent = column(index)
        within = self._z3.And(index >= 0, index < rank)
        body = self._z3.And(extent >= 0, self._z3.Or(within, extent == 1))
        return [self._z3.And(rank >= 0, self._z3.ForAll([index], body, patterns=[extent]))]

    def read_formula(self, formula: Formula) -> Term:
        kind = cast("PureFormula", formula)
        z3 = self._z3
        match kind:
            case Constant():
                return z3.BoolVal(kind is TRUE, self._context)
            case IsZero(parts=(size,)):
                return self._equal(self.size(size), self.number(0))
            case IsNonNegative(parts=(size,)) if self._real and size.constant == -1 and not size.is_linear:
                # p >= 1 is p > 0 for integers; the weaker one often has one degree only, which the reals like better.
                return self.size(size + 1) > self.number(0)
            case IsNonNegative(parts=(size,)):
                return self.at_least(self.size(size), self.number(0))
            case Compatible(parts=parts):
                return self._compatible([self.size(part) for part in parts])
            case And(parts=parts):
                return self._all([self.formula(part) for part in parts])
            case Or(parts=parts):
                return self._any([self.formula(part) for part in parts])
            case Not(parts=(IsZero(parts=(size,)),)) if self._real:
                # The same for integers, and closer to them for reals.
                return z3.Or(self.size(size) >= self.number(1), self.size(size) <= self.number(-1))
            case Not(parts=(part,)):
                return z3.Not(self.formula(part))
            case EveryColumn(parts=(index, body)):
                return self._every_column(index, body)
            case SameShape() | CompatibleShapes():
                raise TypeError(f"`{kind}` is about whole shapes, which are no part of a pure formula")
            case _:
                raise unhandled(kind, "the translation to z3")

    def _compatible(self, sizes: list[Term]) -> Term:
        equal, one = self._equal, self.number(1)
        pairs = [(a, b) for number, a in enumerate(sizes) for b in sizes[:number]]
        return self._all([self._any((equal(a, b), equal(a, one), equal(b, one))) for a, b in pairs])

    def _every_column(self, index: Variable, body: Formula) -> Term:
        bound = self.variable(index)
        patterns = [self.shape(shape)[1](bound) for shape in shapes_at(index, body)]
        return self._z3.ForAll([bound], self.formula(body), patterns=patterns)


def shapes_at(index: Variable, body: Formula) -> list[Shape]:
    """Return the shapes that a formula mentions at the column ``index``: the patterns that instantiate a quantifier."""
    columns = (atom for atom in atoms_within(body) if isinstance(atom, Column))
    return list(dict.fromkeys(atom.parts[0] for atom in columns if atom.parts[1].atom is index))
