"""The order in which equalities rewrite: from what is large to what is small, so that rewriting ends."""

from __future__ import annotations

from shapesolve.language.atoms import BroadcastExtent, Choice, Quotient, Remainder, Variable
from shapesolve.language.dims import Dim
from shapesolve.language.formulas import Formula
from shapesolve.language.monomials import Monomial


def weight(term: tuple[Monomial, int]) -> tuple[int, int, str]:
    monomial = term[0]
    single = monomial.single
    return (monomial.degree, 0 if isinstance(single, Variable) else len(monomial.text), monomial.text)


def holds_as_large(atom: object, monomial: Monomial) -> bool:
    """Whether a monomial could bring the atom back: it holds an atom as large."""
    text = str(atom)
    return any(
        not isinstance(other, Variable) and (len(other.text), other.text) >= (len(text), text)
        for other, _ in monomial.factors
    )


def hides_any(product: Monomial, monomial: Monomial) -> bool:
    """Whether a monomial holds a variable of the product inside another atom, where the product could come back."""
    return any(
        not isinstance(atom, Variable) and not atom.variables.isdisjoint(product.variables)
        for atom, _ in monomial.factors
    )


def first_condition(claim: Formula) -> Formula | None:
    """The condition of the first choice in a claim, to split cases by."""
    stack: list[object] = [claim]
    while stack:
        item = stack.pop()
        if isinstance(item, Formula):
            stack.extend(reversed(item.parts))
        elif isinstance(item, Dim):
            for atom in item.atoms():
                if isinstance(atom, Choice):
                    return atom.parts[0]
                if isinstance(atom, Quotient | Remainder | BroadcastExtent):
                    stack.extend(atom.parts)
    return None
