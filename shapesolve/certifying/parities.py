"""Whole numbers are even or odd: what a solver must be reminded of where powers of sizes are halved.

That ``n**2 + n`` is even follows from that and from nothing less; by itself cvc5 does not look at the two cases.
"""

from __future__ import annotations

from collections.abc import Iterator

from shapesolve.language.atoms import Atom, Quotient, Remainder
from shapesolve.language.dims import Dim
from shapesolve.language.folding import atoms_within
from shapesolve.language.formulas import Formula
from shapesolve.language.recording import Step


def halved_powers(step: Step) -> list[Atom]:
    """The atoms of which a power is divided by an even number, in what a step is given, does, or gives."""
    found: dict[Atom, None] = {}
    for numerator in _halved(step):
        for monomial, _ in numerator.terms:
            found.update((atom, None) for atom, power in monomial.factors if power > 1)
    return list(found)


def even_or_odd(term: str) -> str:
    """What is true of every whole number, in SMT-LIB."""
    half = f"(* 2 (div {term} 2))"
    return f"(or (= {term} {half}) (= {term} (+ {half} 1)))"


def _halved(step: Step) -> Iterator[Dim]:
    match step.operation, step.arguments:
        case ("floordiv" | "remainder", (Dim() as a, Dim() as b)) if _is_even(b):
            yield a
        case "divides", (Dim() as b, Dim() as a) if _is_even(b):
            yield a
        case _:
            pass
    for thing in (*step.arguments, step.result):
        if isinstance(thing, Dim | Formula):
            for atom in atoms_within(thing):
                if isinstance(atom, Quotient | Remainder) and _is_even(atom.parts[1]):
                    yield atom.parts[0]


def _is_even(divisor: Dim) -> bool:
    return divisor.is_constant and divisor.constant != 0 and divisor.constant % 2 == 0
