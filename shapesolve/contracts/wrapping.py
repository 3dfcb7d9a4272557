"""Claims on integers that wrap around, said by cases: a size ``n`` read without its sign is ``n`` where ``n >= 0``.

Where nobody knows how often a number wraps around, as of a size as 16 bits, it stays a remainder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from shapesolve.contracts.alternatives import Alternative, alternatives, multiples
from shapesolve.language.atoms import Atom, Quotient, Remainder, Variable
from shapesolve.language.dims import of_atom
from shapesolve.language.folding import atoms_within
from shapesolve.language.formulas import (
    Formula,
    IsNonNegative,
    conjunction,
    conjuncts,
    disjunction,
    negation,
)
from shapesolve.language.substitution import Instantiation
from shapesolve.proving.joined_bounds import joined_bounds


def without_wrapping(claim: Formula) -> Formula:
    """The claim where what wraps around is said by cases; as it is where these are too many."""
    return conjunction(_by_cases(part) if _is_wrapped(part) else part for part in conjuncts(claim))


def _by_cases(claim: Formula) -> Formula:
    failing = _taken_apart((negation(claim),))
    if failing is None:
        return claim
    return joined_bounds(conjunction(disjunction(negation(part) for part in parts) for parts in failing))


def _taken_apart(parts: Alternative) -> list[Alternative] | None:
    """The alternatives of some parts in which nothing wraps around that can be said by cases; None: too many."""
    several = alternatives(conjunction(parts), _is_wrapped, _wraps)
    found: list[Alternative] = []
    for each in several or ():
        closer = {variable: by for part in each for variable, by in _closer(part)} if any(map(_divides, each)) else {}
        inner = _taken_apart(_put(closer, each)) if closer else [each]
        if inner is None:
            return None
        signs = tuple(part for part in each if any(True for _ in _closer(part)))
        back = {by: variable for variable, by in closer.items()}
        found += [(*signs, *_put(back, some)) for some in inner] if closer else inner
    return None if several is None else found


def _put(variables: Mapping[Variable, Variable], parts: Alternative) -> Alternative:
    """The parts with other variables in them."""
    put = Instantiation({each: of_atom(by) for each, by in variables.items()})
    return tuple(map(put.formula, parts))


def _closer(part: Formula) -> Iterator[tuple[Variable, Variable]]:
    """A variable whose sign a part says, with one that has it by its bounds."""
    if not isinstance(part, IsNonNegative) or len(part.size.terms) != 1:
        return
    variable, pace = part.size.terms[0][0].single, part.size.terms[0][1]
    if not isinstance(variable, Variable) or variable.lower is None or variable.upper is None:
        return
    if pace == 1 and -part.size.constant > variable.lower:
        yield variable, Variable.of(f"{variable.name} up", -part.size.constant, variable.upper)
    if pace == -1 and part.size.constant < variable.upper:
        yield variable, Variable.of(f"{variable.name} down", variable.lower, part.size.constant)


def _divides(part: Formula) -> bool:
    return any(isinstance(atom, Quotient | Remainder) for atom in atoms_within(part))


def _is_wrapped(part: Formula) -> bool:
    return any(map(_wraps, atoms_within(part)))


def _wraps(atom: Atom) -> bool:
    return isinstance(atom, Quotient | Remainder) and multiples(*atom.parts) is not None
