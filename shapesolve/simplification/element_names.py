"""Names for the elements of integer tensors of unknown length, in conditions that people read and type.

An element is a size with a sign (`IntegerList`). Where a condition is said of either, this says it of the element.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from shapesolve.solver.entailment import entails
from shapesolve.symbolic.atoms import Column
from shapesolve.symbolic.dims import Dim, of_atom, variable
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, conjuncts, equal
from shapesolve.symbolic.integer_lists import IntegerList
from shapesolve.symbolic.visitors import With, atoms_within, on_comparisons


def with_element_names(conditions: Sequence[Formula], lists: Mapping[str, IntegerList]) -> list[Formula]:
    """Return conditions whose conjunction means the same, with elements of the lists as variables of their names."""
    named = list(conditions)
    for name, integers in lists.items():
        for sign in _signs(named, integers):
            position = sign.parts[1]
            extent, whole = integers.extents.column(position), integers.from_the_right(position)
            element = variable(f"{name}[{_index_text(integers, position)}]", None, None)
            for atom in whole.atoms() if integers.signs is not None else ():
                named = [With(atom, element).formula(each) for each in named]
            is_size = at_least(of_atom(sign), 1) in conjuncts(conjunction(named))
            named = [_in_terms_of_element(each, of_atom(sign), element) for each in named]
            if is_size:
                (atom,) = extent.atoms()
                named = [With(atom, element).formula(each) for each in named]
    return named


def with_joined_signs(conditions: Sequence[Formula], lists: Mapping[str, IntegerList]) -> list[Formula]:
    """Return the conditions with those that an element is not negative joined to one on the element that says so."""
    named, left = with_element_names(conditions, lists), list(conditions)
    signs = {at_least(of_atom(sign), 1) for each in lists.values() for sign in _signs(conditions, each)}
    for place, condition in enumerate(conditions):
        if condition not in signs:
            continue
        for other, stronger in enumerate(named):
            if other != place and stronger.variables >= named[place].variables and entails(named[place], [stronger]):
                left[other], left[place] = conjunction((left[other], condition)), TRUE
                break
    return [each for each in left if each is not TRUE]


def number_with_element_names(number: Dim, lists: Mapping[str, IntegerList]) -> Dim:
    """Return a number with elements of the lists, and lengths of their tensors, as variables of their names."""
    for name, integers in lists.items():
        for sign in _signs([number], integers):
            element = variable(f"{name}[{_index_text(integers, sign.parts[1])}]", None, None)
            for atom in integers.from_the_right(sign.parts[1]).atoms():
                number = With(atom, element).size(number)
        length = variable(f"{name.removesuffix('.values')}[0]")
        for atom in integers.extents.rank.atoms():
            number = With(atom, length).size(number)
    return number


def _signs(terms: Sequence[Formula | Dim], integers: IntegerList) -> Iterator[Column]:
    """Yield the signs that some terms are about, each once."""
    atoms = (atom for each in terms for atom in atoms_within(each))
    yield from dict.fromkeys(atom for atom in atoms if isinstance(atom, Column) and atom.parts[0] is integers.signs)


def _in_terms_of_element(condition: Formula, sign: Dim, element: Dim) -> Formula:
    """Return the condition with comparisons of a sign to 0 said of the element."""
    element_claims = {equal(sign, 0): at_least(-1 - element, 0), at_least(sign, 1): at_least(element, 0)}
    return on_comparisons(condition, lambda part: element_claims.get(part, part))


def _index_text(integers: IntegerList, position: Dim) -> Dim:
    """Return the index of an element, counted from the left if the rank is known, otherwise from the right."""
    from_left = integers.extents.rank - 1 - position
    return -1 - position if position.is_constant else from_left
