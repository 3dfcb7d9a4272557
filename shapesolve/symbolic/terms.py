"""The base class of sizes, formulas and shapes: methods that users call and nothing inside needs.

Their imports run only then: the modules of terms cannot import what traverses terms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, cast

from shapesolve.symbolic.interning import HashConsed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from shapesolve.symbolic.dims import Dim
    from shapesolve.symbolic.formula_kinds import Formula
    from shapesolve.symbolic.shape_kinds import Shape, UnrankedShape


class Term(HashConsed):
    """A size, a formula or a shape.

    Functions bring terms into normal form and keep each only once. They call ``new``; a class is not called.
    """

    __slots__ = ()

    maker_words: ClassVar[str]
    """Words on what makes terms of the class, for the error of a call of it."""

    is_truth_value: ClassVar[bool] = False

    @property
    def is_leaf(self) -> bool:
        """Return whether no operation builds the term: a number, a variable, or a truth value."""
        return self.is_truth_value

    @property
    def pieces(self) -> tuple[Dim | Formula, ...]:
        """The sizes and formulas that the term is a list of; none for a term that is no list."""
        return ()

    def __init__(self, *_: object, **__: object) -> NoReturn:
        raise TypeError(f"{type(self).__name__} is only the name of a type: {self.maker_words}")

    def evaluate(self, sizes: Mapping[Any, int | tuple[int, ...]]) -> Any:
        """Return the number of a size, the truth of a formula, or the extents of a shape (None if it is invalid).

        Args:
            sizes: A number for every variable, by name or by the variable itself; a tuple of extents for a shape.

        Raises:
            KeyError: A variable has no number.
        """
        from shapesolve.symbolic.term_methods import evaluated

        return evaluated(self._term, sizes)

    def subs(self, *replacements: Any) -> Self:
        """Return the term with variables replaced, all at once: ``.subs(N, 3)`` or ``.subs({"N": M + 1})``.

        A size is taken to stay within the bounds of the variable that it replaces.

        Raises:
            ValueError: A replacement is out of these bounds for all sizes.
        """
        from shapesolve.symbolic.term_methods import substituted

        return cast("Self", substituted(self._term, replacements))

    @property
    def free_symbols(self) -> set[Dim | UnrankedShape]:
        """The variables, as sizes and as shapes of unknown rank."""
        from shapesolve.symbolic.term_methods import free_symbols

        return free_symbols(self._term)

    def _sympy_(self) -> object:
        """Convert the term for sympy, which calls this when it meets one in an expression."""
        from shapesolve.sympy import to_sympy

        return to_sympy(self._term)

    def _repr_latex_(self) -> str:
        from shapesolve.sympy import latex

        return f"${latex(self._term)}$"

    @property
    def _term(self) -> Dim | Formula | Shape:
        return cast("Dim", self)
