"""The classes of formulas, and how each is rebuilt from other parts.

Do not call the classes directly; `formulas` has functions that first bring the parts into normal form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from shapesolve.symbolic.derivations import record_methods
from shapesolve.symbolic.limits import MAX_CLAIM_CHARACTERS, check_height, check_length
from shapesolve.symbolic.terms import Term

if TYPE_CHECKING:
    from collections.abc import Mapping

    from shapesolve.symbolic.atoms import Variable
    from shapesolve.symbolic.dims import Dim
    from shapesolve.symbolic.shape_kinds import Shape
    from shapesolve.symbolic.visitors import Transformer


class Formula(Term):
    """Claim about sizes. Combine with ``&``, ``|`` and ``~``; decide with `shapesolve.prove`."""

    __slots__ = ("__weakref__", "_negation", "_written", "height", "parts", "text", "variables")

    loose: ClassVar[bool] = False
    """Whether the printed form needs parentheses inside a conjunction or negation."""

    maker_words = "formulas come from comparisons of sizes or shapes, and from functions such as divides and negation"

    @classmethod
    def new(
        cls, parts: tuple[Dim | Formula | Shape | Variable, ...], text: str, variables: frozenset[Variable]
    ) -> Self:
        made = cls.__new__(cls)
        made._fill(parts, text, variables)
        return made

    def _fill(
        self, parts: tuple[Dim | Formula | Shape | Variable, ...], text: str, variables: frozenset[Variable]
    ) -> None:
        self.height = 1 + max((part.height for part in parts), default=-1)
        check_height(self.height)
        check_length(len(text), MAX_CLAIM_CHARACTERS)
        self.parts = parts
        self.text = text
        self.variables = variables
        self._negation: Formula | None = None
        self._written: tuple[object, str, object] | None = None

    def rebuilt(self, by: Transformer) -> Formula:
        """Return the normal form of this formula with its parts transformed."""
        raise NotImplementedError

    def __init_subclass__(cls) -> None:
        if cls.rebuilt is Formula.rebuilt:
            raise TypeError(f"the formula {cls.__name__} does not say how it is made again of other parts: `rebuilt`")

    def __and__(self, other: Formula) -> Formula:
        from shapesolve.symbolic.formulas import conjunction

        return conjunction((self, other)) if isinstance(other, Formula) else NotImplemented  # pyright: ignore[reportUnnecessaryIsInstance]

    def __or__(self, other: Formula) -> Formula:
        from shapesolve.symbolic.formulas import disjunction

        return disjunction((self, other)) if isinstance(other, Formula) else NotImplemented  # pyright: ignore[reportUnnecessaryIsInstance]

    def __invert__(self) -> Formula:
        if self._negation is None:  # kept, for a deep formula asks for the negations of its parts again and again
            from shapesolve.symbolic.formulas import negated

            self._negation = negated(self)
        return self._negation

    def __bool__(self) -> bool:
        if self is TRUE or self is FALSE:
            return self is TRUE
        raise TypeError(f"the formula `{self.spelling}` has no truth value; use prove()")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.spelling

    def written_as(self, left: object, sign: str, right: object) -> Formula:
        """Remember the comparison that gave the formula, for messages; the last one counts."""
        self._written = (left, sign, right)
        return self

    @property
    def written(self) -> tuple[Any, str, Any] | None:
        """The comparison that an operator made it of, if one did: two sides and the sign between them."""
        return self._written

    @property
    def spelling(self) -> str:
        """The comparison as it was written, if an operator made the formula; else the normal form."""
        if self._written is None or isinstance(self, Constant):
            return self.text
        left, sign, right = self._written
        return f"{left} {sign} {right}"

    if TYPE_CHECKING:

        def evaluate(self, sizes: Mapping[Any, int | tuple[int, ...]]) -> bool: ...

    def wrapped(self) -> str:
        """The printed form, in parentheses where it would be misread."""
        return f"({self.text})" if self.loose else self.text


record_methods(Formula, {"__invert__": "negation"})


class Constant(Formula):
    """Truth value: `TRUE` or `FALSE`."""

    __slots__ = ()
    is_truth_value = True

    def rebuilt(self, by: Transformer) -> Formula:
        return self


class Comparison(Formula):
    """Comparison of a size with 0."""

    __slots__ = ()
    parts: tuple[Dim]

    @property
    def size(self) -> Dim:
        return self.parts[0]

    def rebuilt(self, by: Transformer) -> Formula:
        return by.comparison(type(self), by.size(self.size))


class IsZero(Comparison):
    """Equation ``size == 0``; the leading coefficient is positive and the coefficients have no common factor."""

    __slots__ = ()


class IsNonNegative(Comparison):
    """Inequality ``size >= 0``; the coefficients have no common factor."""

    __slots__ = ()


class Compatible(Formula):
    """Compatibility of one column of sizes: all that are not 1 are equal. 0 is a size like any other."""

    __slots__ = ()
    parts: tuple[Dim, ...]

    def rebuilt(self, by: Transformer) -> Formula:
        return by.compatible(map(by.size, self.parts))


class SameShape(Formula):
    """Equality of two shapes in rank and extents, at least one of them of unknown rank."""

    __slots__ = ()
    parts: tuple[Shape, Shape]

    def rebuilt(self, by: Transformer) -> Formula:
        return by.same_shape(self)


class CompatibleShapes(Formula):
    """Compatibility of shapes aligned from the right, at least one of them of unknown rank."""

    __slots__ = ()
    parts: tuple[Shape, ...]

    def rebuilt(self, by: Transformer) -> Formula:
        return by.compatible_shapes(self)


class And(Formula):
    """Conjunction."""

    __slots__ = ()
    loose = True
    parts: tuple[Formula, ...]

    def rebuilt(self, by: Transformer) -> Formula:
        return by.conjunction(map(by.formula, self.parts))


class Or(Formula):
    """Disjunction."""

    __slots__ = ()
    loose = True
    parts: tuple[Formula, ...]

    def rebuilt(self, by: Transformer) -> Formula:
        return by.disjunction(map(by.formula, self.parts))


class Not(Formula):
    """Negation of an `IsZero`, a `Compatible` or a formula about shapes of unknown rank."""

    __slots__ = ()
    parts: tuple[Formula]

    def rebuilt(self, by: Transformer) -> Formula:
        return ~by.formula(self.parts[0])


AnyFormula = Constant | IsZero | IsNonNegative | Compatible | SameShape | CompatibleShapes | And | Or | Not
"""Every kind of formula, for a `match` that leaves none out."""

TRUE = Constant.new((), "true", frozenset())
FALSE = Constant.new((), "false", frozenset())
