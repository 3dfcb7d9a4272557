"""Sizes, formulas and shapes as SMT-LIB terms, with the declarations that they need.

`Terms.normal` translates a normal form; `Terms.built` states the operations of a record, in the order of the record.
The semantics of atoms is written here once more on purpose, with `semantics`: a certificate shares with the prover how
terms are traversed, but nothing of their semantics. An atom without semantics here is stated as an unknown integer:
what follows for every integer follows for the value of the atom.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from shapesolve.certificates import semantics
from shapesolve.certificates.semantics import ShapeTerm, Term, number
from shapesolve.int64 import MAX_SIZE
from shapesolve.symbolic.atoms import (
    Atom,
    BroadcastExtent,
    Choice,
    Column,
    Maximum,
    Minimum,
    Quotient,
    Rank,
    Remainder,
    Variable,
)
from shapesolve.symbolic.derivations import DerivationStep, Maker, Record
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import (
    TRUE,
    And,
    AnyFormula,
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
from shapesolve.symbolic.shape_kinds import (
    AnyShape,
    BroadcastShape,
    ConcatShape,
    InvalidShape,
    RankedShape,
    Shape,
    SliceShape,
    UnrankedShape,
)
from shapesolve.symbolic.visitors import Visitor, unhandled

if TYPE_CHECKING:
    from shapesolve.symbolic.derivations import Term as Object

INLINE = 60
"""A normal form that takes more characters gets a name."""


class Terms(Visitor[str, str]):
    """The terms of one file. ``declarations`` and ``definitions`` are lines; ``domains`` named assertions."""

    def __init__(self, record: Record) -> None:
        super().__init__()
        self._record = record
        self.declarations: list[str] = []
        self.domains: list[tuple[str, str]] = []
        self.definitions: list[str] = []
        self._names: dict[str, int] = {}
        self._bodies: dict[str, str] = {}
        self._variables: dict[Variable, str] = {}
        self._shapes: dict[Shape, ShapeTerm] = {}
        self._steps: dict[int, Term] = {}

    # Names -------------------------------------------------------------------------------------------------------

    def unused(self, wished: str) -> str:
        """Return a quoted symbol that is not in use."""
        clean = wished.replace("|", "!").replace("\\", "!")
        if not (clean.isascii() and clean.isprintable()):
            clean = "".join(
                character if character.isprintable() and character.isascii() else "?" for character in clean
            )
        count = self._names[clean] = self._names.get(clean, 0) + 1
        return f"|{clean}|" if count == 1 else self.unused(f"{clean} #{count}")

    def _defined(self, sort: str, body: str, prefix: str) -> str:
        if len(body) <= INLINE and prefix == "n":
            return body
        name = self._bodies.get(body)
        if name is None:
            name = self._bodies[body] = f"{prefix}{len(self.definitions) + 1}"
            self.definitions.append(f"(define-fun {name} () {sort} {body})")
        return name

    def variable(self, variable: Variable) -> str:
        """Return the constant that stands for a size variable, within its bounds."""
        found = self._variables.get(variable)
        if found is None:
            name = found = self._variables[variable] = self.unused(variable.name)
            self.declarations.append(f"(declare-const {name} Int)")
            self._bounded(name, variable)
        return found

    def _symbol(self, symbol: Variable) -> ShapeTerm:
        rank = self.unused(f"rank({symbol.name})")
        column = self.unused(f"column({symbol.name})")
        self.declarations += [f"(declare-const {rank} Int)", f"(declare-fun {column} (Int) Int)"]
        extent = f"({column} i)"
        within = f"(and (<= 0 {extent}) (<= {extent} {MAX_SIZE}) (or (and (<= 0 i) (< i {rank})) (= {extent} 1)))"
        self.domains.append((f"domain of rank({symbol.name})", f"(and (<= 0 {rank}) (<= {rank} {MAX_SIZE}))"))
        self.domains.append((f"domain of column({symbol.name})", f"(forall ((i Int)) {within})"))
        return ShapeTerm(rank, lambda index: f"({column} {index})", "true")

    # Normal forms ------------------------------------------------------------------------------------------------

    def normal(self, thing: Object) -> Term:
        """Return the term of a normal form."""
        if isinstance(thing, int):
            return number(thing)
        if isinstance(thing, Shape):
            return self._shape_term(thing)
        return self._text(thing)

    def _text(self, thing: Dim | Formula) -> str:
        return self.size(thing) if isinstance(thing, Dim) else self.formula(thing)

    def read_size(self, size: Dim) -> str:
        return self._defined("Int", self.sum_of(size), "n")

    def read_formula(self, formula: Formula) -> str:
        return self._defined("Bool", self.claim_of(formula), "n")

    def read_atom(self, atom: Atom) -> str:
        return self.variable(atom) if isinstance(atom, Variable) else self._defined("Int", self._read(atom), "n")

    def sum_of(self, size: Dim) -> str:
        """Return the term of a sum in normal form."""
        terms: list[str] = []
        for monomial, coefficient in size.terms:
            factors = [self.atom(atom) for atom, power in monomial.factors for _ in range(power)]
            if coefficient != 1:
                factors.insert(0, number(coefficient))
            terms.append(factors[0] if len(factors) == 1 else f"(* {' '.join(factors)})")
        if size.constant or not terms:
            terms.append(number(size.constant))
        return terms[0] if len(terms) == 1 else f"(+ {' '.join(terms)})"

    def _read(self, atom: Atom) -> str:
        match atom:
            case Quotient(parts=(a, b)):
                return semantics.divided("quotient", self._text(a), self._text(b))
            case Remainder(parts=(a, b)):
                return semantics.divided("remainder", self._text(a), self._text(b))
            case BroadcastExtent(parts=parts):
                return semantics.joint([self._text(part) for part in parts])
            case Maximum(parts=parts):
                return semantics.folded("greatest", [self._text(part) for part in parts])
            case Minimum(parts=parts):
                return semantics.folded("least", [self._text(part) for part in parts])
            case Choice(parts=(condition, a, b)):
                return f"(ite {self._text(condition)} {self._text(a)} {self._text(b)})"
            case Rank(parts=(whole,)):
                return self._shape_term(whole).rank
            case Column(parts=(whole, index)):
                return self._shape_term(whole).column(self._text(index))
            case _:
                return self._unknown(atom)

    def _unknown(self, atom: Atom) -> str:
        """Declare an integer that stands for an atom without a definition here, within its bounds."""
        name = self.unused(atom.text + semantics.UNDEFINED)
        self.declarations.append(f"(declare-const {name} Int)")
        self._bounded(name, atom)
        return name

    def _bounded(self, name: str, atom: Atom) -> None:
        bounds = [f"(<= {number(atom.lower)} {name})"] if atom.lower is not None else []
        bounds += [f"(<= {name} {number(atom.upper)})"] if atom.upper is not None else []
        if bounds:
            self.domains.append((f"domain of {atom.text}", semantics.all_of(bounds)))

    def claim_of(self, formula: Formula) -> str:
        """Return the term of a formula in normal form."""
        kind = cast("AnyFormula", formula)
        match kind:
            case Constant():
                return "true" if kind is TRUE else "false"
            case IsZero(parts=(size,)):
                return f"(= {self._text(size)} 0)"
            case IsNonNegative(parts=(size,)):
                return f"(>= {self._text(size)} 0)"
            case Compatible(parts=parts):
                return semantics.agreeing([self._text(part) for part in parts])
            case SameShape(parts=(a, b)):
                return semantics.same_extents(self._shape_term(a), self._shape_term(b))
            case CompatibleShapes(parts=parts):
                return semantics.shapes_agree([self._shape_term(part) for part in parts])
            case And(parts=parts):
                return semantics.all_of([self._text(part) for part in parts])
            case Or(parts=parts):
                return semantics.any_of([self._text(part) for part in parts])
            case Not(parts=(part,)):
                return f"(not {self._text(part)})"
            case _:
                raise unhandled(kind, "the certificate")

    def _shape_term(self, shape: Shape) -> ShapeTerm:
        found = self._shapes.get(shape)
        if found is None:
            found = self._shapes[shape] = self._shape(shape)
        return found

    def _shape(self, shape: Shape) -> ShapeTerm:
        kind = cast("AnyShape", shape)
        match kind:
            case RankedShape(dims=extents):
                return self._ranked([self._text(extent) for extent in extents], self._text(kind.valid))
            case UnrankedShape(symbol=symbol):
                return self._symbol(symbol)
            case BroadcastShape(parts=parts):
                terms = [self._shape_term(part) for part in parts]
                return self.named(semantics.broadcast_shape(terms, self._text(kind.valid)))
            case ConcatShape(parts=parts):
                terms = [self._shape_term(part) for part in parts]
                return self.named(semantics.concatenation(terms, self._text(kind.valid)))
            case SliceShape(whole=whole, start=start, stop=stop):
                ends = (self._text(start), self._text(stop))
                return self.named(semantics.slice_of(self._shape_term(whole), *ends, self._text(kind.valid)))
            case InvalidShape():
                return ShapeTerm("0", lambda _: "1", "false", ())
            case _:
                raise unhandled(kind, "the certificate")

    def named(self, shape: ShapeTerm) -> ShapeTerm:
        """Return the shape with a named function of the column as its extents."""
        body = shape.column("i")  # which may define what it needs
        name = f"c{len(self.definitions) + 1}"
        self.definitions.append(f"(define-fun {name} ((i Int)) Int {body})")
        return ShapeTerm(shape.rank, lambda index: f"({name} {index})", shape.valid, shape.extents)

    def _ranked(self, extents: list[str], valid: str) -> ShapeTerm:
        """Return a shape of known rank; its columns get a name when they are first used."""
        made: list[ShapeTerm] = []

        def column(index: str) -> str:
            if not made:
                body = "1"
                for number, extent in enumerate(extents):
                    body = f"(ite (= i {len(extents) - 1 - number}) {extent} {body})"
                made.append(self.named(ShapeTerm("", lambda _: body, "")))
            return made[0].column(index)

        return ShapeTerm(str(len(extents)), column, valid, tuple(extents))

    # As it was built ---------------------------------------------------------------------------------------------

    def built(self, thing: Object, made_by: Maker) -> Term:
        """Return the term of the recorded operations that made it; that of the normal form if none did."""
        for step in sorted(self._needed(thing, made_by)):
            if step not in self._steps:
                self._steps[step] = self._stated(self._record.steps[step])
        return self._term_of(thing, made_by)

    def maker(self, thing: Formula) -> int | None:
        """Return the last step of the record that made a formula, or None."""
        return self._record.latest(thing)

    def _term_of(self, thing: Object, made_by: Maker) -> Term:
        if isinstance(thing, RankedShape) and isinstance(made_by, tuple):
            parts = (*thing.dims, thing.valid)
            texts = [cast("str", self._term_of(part, maker)) for part, maker in zip(parts, made_by, strict=True)]
            return self._ranked(texts[:-1], texts[-1])
        return self._steps[made_by] if isinstance(made_by, int) else self.normal(thing)

    def _needed(self, thing: Object, made_by: Maker) -> set[int]:
        """Return the steps that compute an object and have no term yet."""
        found: set[int] = set()
        waiting: list[tuple[Object, Maker]] = [(thing, made_by)]
        while waiting:
            thing, maker = waiting.pop()
            if isinstance(thing, RankedShape) and isinstance(maker, tuple):
                waiting += zip((*thing.dims, thing.valid), maker, strict=True)
            elif isinstance(maker, int) and maker not in found and maker not in self._steps:
                found.add(maker)
                step = self._record.steps[maker]
                waiting += zip(step.arguments, step.built_by, strict=True)
        return found

    def lemmas(self) -> list[str]:
        """Return the equalities of every built size and formula with its normal form; each has a lemma of its own."""
        found: dict[str, None] = {}
        for step, term in self._steps.items():
            result = self._record.steps[step].result
            if isinstance(term, str) and isinstance(result, Dim | Formula):
                normal = cast("str", self.normal(result))
                if self._bodies.get(normal) != term:
                    found[f"(= {term} {normal})"] = None
        return list(found)

    def _stated(self, step: DerivationStep) -> Term:
        arguments = [self._term_of(each, maker) for each, maker in zip(step.arguments, step.built_by, strict=True)]
        term = self.step_term(step, arguments)
        if isinstance(term, ShapeTerm):
            return self.named(term)
        return self._defined("Bool" if isinstance(step.result, Formula) else "Int", term, "t")

    def step_term(self, step: DerivationStep, arguments: list[Term]) -> Term:
        """Return the term of a recorded operation on other terms."""
        chosen = self.normal(step.result) if step.operation == "vouched_broadcast_extent" else ""
        return semantics.operation_term(step.operation, arguments, chosen)
