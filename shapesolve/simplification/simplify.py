"""Shortest proved equivalents of conditions, each a text that can be parsed again.

Includes sufficient bounds for conditions that are too long to read: 32-bit integers that may wrap make conditions of
thousands of characters, which every realistic size satisfies.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from itertools import combinations, permutations

from shapesolve.errors import InputError
from shapesolve.simplification.arithmetic import as_upper_bound, simplified
from shapesolve.simplification.boolean_minimization import shorter
from shapesolve.simplification.comparisons import canonical
from shapesolve.simplification.context import under_premises, without_idle_alternatives, without_settled_cases
from shapesolve.simplification.element_names import with_element_names, with_joined_signs
from shapesolve.simplification.readable import joined, readable_claim
from shapesolve.simplification.residues import remainder_condition
from shapesolve.solver import budgets
from shapesolve.solver.entailment import entails, entails_each_part, not_implied
from shapesolve.solver.models import in_bounds
from shapesolve.symbolic.atoms import BroadcastExtent, Monomial, ShapeSymbol, Variable
from shapesolve.symbolic.dims import Dim, of_atom, of_monomial, variable, weighted_sum
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Compatible, Formula, IsZero
from shapesolve.symbolic.formulas import (
    at_least,
    broadcast_parts,
    compatible,
    conjunction,
    conjuncts,
    disjunction,
    equal,
)
from shapesolve.symbolic.limits import TooLarge
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope
from shapesolve.symbolic.visitors import Instantiation, sizes_within

_MOST_TEXT = 6_000
"""Largest number of characters of conditions and premises together; longer ones are unreadable and left as they are."""

_MOST_PAIRS = 500
"""Largest number of pairs of compatible sizes that are merged."""

_OF_A_BROADCAST, _BROADCAST = (
    20,
    re.compile(r"\bbroadcast\(|\bcompatible\((?![\w.]+(?:\[\d+\])?, [\w.]+(?:\[\d+\])?\))"),
)
"""Characters of a comparison that are as hard to read as a broadcast; compatibility of two named sizes is not."""

_MOST_PASSES = 3
"""Largest number of passes in which conditions are shortened."""


def shortest(needed: Sequence[Formula], known: Sequence[Formula], scope: Scope) -> list[Formula]:
    """Return the conditions in short form, without those that the size language cannot express (beyond 2^63, say)."""
    return shortest_and_inexpressible(needed, known, scope)[0]


def shortest_and_inexpressible(
    needed: Sequence[Formula], known: Sequence[Formula], scope: Scope
) -> tuple[list[Formula], list[Formula]]:
    """Return the conditions in short form, and those that the size language cannot express."""
    settled = without_settled_cases(needed, known)
    parts = list(dict.fromkeys(as_upper_bound(part, known) for each in settled for part in conjuncts(canonical(each))))
    is_long = sum(len(each.text) for each in (*parts, *known)) > _MOST_TEXT
    try:
        short = _with_joined_compatibility(parts) if is_long else _shortened(parts, known)
    except TooLarge:  # on the way, not necessarily the conditions themselves
        short = parts
    found, inexpressible = _readable_and_others(short, scope)
    if inexpressible:  # the parts may be sayable as they were, or where the rest holds
        missing = [part for part in parts if not entails_each_part(part, [*known, *found], budgets.MEDIUM)]
        more, inexpressible = _readable_and_others(missing, scope, [*known, *found])
        found = list(dict.fromkeys((*found, *more)))
    return with_joined_signs(found, scope.lists) if scope.lists else found, inexpressible


def _readable_and_others(
    conditions: Sequence[Formula], scope: Scope, premises: Sequence[Formula] = ()
) -> tuple[list[Formula], list[Formula]]:
    """Return conditions whose texts mean them where the premises hold, and those without such a text."""
    found = [_read_back(each, scope, premises) for each in conditions]
    inexpressible = [each for each, read in zip(conditions, found, strict=True) if read is None]
    return list(dict.fromkeys(each for each in found if each is not None)), inexpressible


def _shortened(parts: Sequence[Formula], known: Sequence[Formula]) -> list[Formula]:
    short = _with_whole_columns(joined(without_idle_alternatives(_in_passes(parts, known), known)))
    by_cases = list(short)
    for place, each in enumerate(short):
        by_cases[place] = _by_cases(each, [*known, *by_cases[:place], *by_cases[place + 1 :]])
    whole = [_over_product(each, lambda condition: conjunction(_shortened([condition], ()))) for each in by_cases]
    whole = _by_remainders(whole, known)
    return short if whole == short else _shorter(whole, known)


def _by_remainders(conditions: Sequence[Formula], known: Sequence[Formula]) -> list[Formula]:
    """Return the conditions with those on one size as one on its remainder, if that is shorter."""
    groups: dict[frozenset[Variable], list[Formula]] = {}
    for each in conditions:
        groups.setdefault(each.variables, []).append(each)
    found = list(conditions)
    for group in groups.values():
        candidate = remainder_condition(group, known)
        if candidate is None or reading_cost(candidate) >= reading_cost(conjunction(group)):
            continue
        if _same(candidate, conjunction(group), known):
            found[found.index(group[0])] = candidate
            found = [each for each in found if each not in group]
    return found


def reading_cost(condition: Formula) -> int:
    """Return the characters of a condition, with more for each broadcast, which a reader has to take apart."""
    text = readable_claim(condition)
    return len(text) + _OF_A_BROADCAST * len(_BROADCAST.findall(text))


def _in_passes(parts: Sequence[Formula], known: Sequence[Formula]) -> list[Formula]:
    """Return the conditions shortened until nothing changes: a shorter one may be a premise that shortens another."""
    short = _shorter(parts, known)
    for _ in range(_MOST_PASSES):
        before, short = short, under_premises(short, known)
        if short == before:
            break
        short = _shorter(short, known)
    return short


def _with_joined_compatibility(conditions: Sequence[Formula]) -> list[Formula]:
    """Return equivalent conditions; one for sizes that are compatible with the broadcast of those before them.

    ``compatible(a, b)`` and ``compatible(broadcast(a, b), c)`` together are ``compatible(a, b, c)``: a chain of
    operations on many arguments has one condition for each column, not one for each argument.
    """
    places: dict[frozenset[Dim], int] = {}
    found: list[Formula] = []
    for each in conditions:
        if not isinstance(each, Compatible):
            found.append(each)
            continue
        joint = next((key for part in each.parts if (key := frozenset(broadcast_parts(part))) in places), None)
        place = len(found) if joint is None else places.pop(joint)
        sizes = frozenset(each.parts)
        if joint is None:
            found.append(each)
        else:
            sizes = joint.union(part for part in each.parts if frozenset(broadcast_parts(part)) != joint)
            found[place] = compatible(sizes)
        places[sizes] = place
    return found


def _with_whole_columns(conditions: Sequence[Formula]) -> list[Formula]:
    """Return equivalent conditions with sizes that are compatible two by two in as few conditions as possible.

    Compatibility is a claim about pairs: ``compatible(a, b)``, ``compatible(b, c)`` and ``compatible(a, c)`` together
    are ``compatible(a, b, c)``.
    """
    whole = [each for each in conditions if isinstance(each, Compatible)]
    pairs = {frozenset(pair) for each in whole for pair in combinations(each.parts, 2)}
    if len(whole) < 3 or len(pairs) > _MOST_PAIRS:
        return list(conditions)
    order = list(dict.fromkeys(part for each in whole for part in each.parts))
    found: list[Formula] = []
    covered = set[frozenset[Dim]]()
    for each in conditions:
        if not isinstance(each, Compatible):
            found.append(each)
            continue
        own = {frozenset(pair) for pair in combinations(each.parts, 2)}
        if own <= covered:
            continue
        column = dict.fromkeys(each.parts)
        for size in order:
            if size not in column and all(frozenset((size, other)) in pairs for other in column):
                column[size] = None
        covered |= {frozenset(pair) for pair in combinations(column, 2)}
        found.append(compatible(column))
    return found


def _by_cases(condition: Formula, known: Sequence[Formula]) -> Formula:
    """Return a condition on a broadcast of two extents as a condition on these, if that is shorter.

    ``compatible(2*(L//4), L//2)`` is ``L % 4 <= 1`` where both extents exceed 1.
    """
    by_cases = _cases(condition)
    if by_cases is None or (not isinstance(condition, Compatible) and not _same(condition, by_cases, known)):
        return condition
    equal_parts = without_idle_alternatives([canonical(by_cases)], known)
    shorter_form = conjunction(_in_passes(equal_parts, known))
    return shorter_form if reading_cost(shorter_form) < reading_cost(condition) else condition


def _cases(condition: Formula) -> Formula | None:
    """Return what a condition on a broadcast of two extents says of these; None for other conditions.

    That ``a`` is the broadcast of ``a`` and ``b`` is the disjunction for compatible extents alone.
    """
    if isinstance(condition, Compatible) and len(condition.parts) == 2:
        a, b = condition.parts
        if all(isinstance(atom, Variable) for size in (a, b) for atom in size.atoms()):
            return None
        return disjunction((equal(a, b), equal(a, 1), equal(b, 1)))
    if isinstance(condition, IsZero):
        for atom in condition.size.atoms():
            if isinstance(atom, BroadcastExtent) and len(atom.parts) == 2:
                for whole, other in permutations(atom.parts):
                    if equal(of_atom(atom), whole) is condition:
                        return disjunction((equal(whole, other), equal(other, 1)))
    return None


def _shorter(conditions: Sequence[Formula], known: Sequence[Formula]) -> list[Formula]:
    short = shorter(simplified(conditions, known), known)
    return list(conjuncts(conjunction(canonical(each) for each in short)))


def condition_text(condition: Formula, scope: Scope) -> str:
    """Return the text of a condition: the readable form if it parses back, else the normal form."""
    return _readable(condition, scope)[0]


def condition_texts(conditions: Sequence[Formula], scope: Scope) -> list[str]:
    """Return the texts of conditions that hold together; only all of them are equivalent to the conditions."""
    texts = [condition_text(each, scope) for each in conditions]
    if not scope.lists:
        return texts
    named = with_element_names(conditions, scope.lists)
    if all(map(operator.is_, named, conditions)):
        return texts
    named = [conjunction(not_implied(conjuncts(each), (), budgets.BRIEF)) for each in named]
    readable_texts = [readable_claim(each) for each in named]
    meant = [parse_in(each, scope) for each in readable_texts]
    read = [each for each in meant if each is not None]
    return (
        readable_texts
        if len(read) == len(readable_texts) and _same(conjunction(read), conjunction(conditions))
        else texts
    )


def conjunction_text(conditions: Sequence[Formula], scope: Scope) -> str:
    """Return the text of a conjunction; disjunctions among several parts stand in parentheses."""
    return condition_texts([conjunction(conditions)], scope)[0]


def _readable(condition: Formula, scope: Scope) -> tuple[str, Formula | None]:
    """Return the text of a condition, and its meaning if it was parsed."""
    text = readable_claim(condition)
    read = parse_in(text, scope)
    return (text, read) if read is not None and read.variables <= condition.variables else (str(condition), None)


def parse_in(text: str, scope: Scope) -> Formula | None:
    """Parse a text in a scope, once for each of them; None if it is not of the size language."""
    if text not in scope.parsed_claims:
        try:
            claim = parse_formula(text, scope)
        except InputError:
            claim = None
        scope.parsed_claims[text] = claim
    return scope.parsed_claims[text]


def _read_back(condition: Formula, scope: Scope, premises: Sequence[Formula] = ()) -> Formula | None:
    """Return a formula that means the condition, and its text too; None if there is none.

    It means the condition where the premises hold: ``a == b`` in a text says that neither shape is an error.
    """
    text, read = _readable(condition, scope)
    if read is not None and (read is condition or _same(read, condition, premises)):
        return min((read, condition), key=lambda each: len(each.text))
    plain = str(condition)
    meant = None if read is not None and text == plain else parse_in(plain, scope)
    if meant is None or not (meant is condition or _same(meant, condition, premises)):
        return None
    return min((meant, condition), key=lambda each: len(each.text)) if read is None else meant


def _same(a: Formula, b: Formula, premises: Sequence[Formula] = ()) -> bool:
    return all(entails(x, [*premises, y]) for x, y in ((a, b), (b, a)))


LONGEST = 150
"""Characters of a condition that is short enough to read."""

_HUGE = 24
"""Sizes whose product is 2 to this power are huge: a tensor of them has that many elements."""
_MOST = 31


def huge_for(condition: Formula) -> int | None:
    """Return a bound whose power has as many elements as a huge tensor; None for shapes of unknown rank.

    None also for so many sizes that the bound would be 1.
    """
    number = len(condition.variables)
    if not 1 <= number <= _HUGE or any(isinstance(each, ShapeSymbol) for each in condition.variables):
        return None
    return 2 ** (_HUGE // number)


def bounded_by(condition: Formula, bound: int) -> list[Formula]:
    """Return the conditions that no size exceeds a number, in both directions if it may be negative."""
    variables = sorted(condition.variables, key=lambda each: each.text)
    small = [at_least(bound, of_atom(each)) for each in variables]
    negative = [each for each in variables if each.lower is None or each.lower < -bound]
    return [*small, *(at_least(of_atom(each), -bound) for each in negative)]


_PATTERNS = ((2, 3), (2, 0))
"""The size of all variables, and that of a single one, for which a bound is seen not to suffice."""


def sufficient_bound(condition: Formula, known: Sequence[Formula]) -> Formula | None:
    """Return the largest power of two that suffices as a bound of all sizes; None for small ones.

    Sizes that satisfy what is ``known`` are meant.
    """
    least = huge_for(condition)
    if least is None:
        return None
    if not _holds(condition, bounded_by(condition, least), known):  # most conditions end here, without a solver
        return None
    good, bad = least.bit_length() - 1, _MOST + 1
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if _holds(condition, bounded_by(condition, 2**middle), known) else (good, middle)
    return conjunction(bounded_by(condition, 2**good))


def _fails_for_some(condition: Formula, premises: Sequence[Formula]) -> bool:
    """Return whether sizes that are equal but for one satisfy the premises and not the condition."""
    variables = condition.variables.union(*(each.variables for each in premises))
    if any(isinstance(each, ShapeSymbol) for each in variables):
        return False
    return any(
        not holds(condition, sizes)
        and all(map(in_bounds, sizes, sizes.values()))
        and all(holds(each, sizes) for each in premises)
        for usual, other in _PATTERNS
        for sizes in ({**dict.fromkeys(variables, usual), each: other} for each in condition.variables)
    )


def _holds(condition: Formula, small: Sequence[Formula], known: Sequence[Formula]) -> bool:
    premises = [*known, *small]
    return not _fails_for_some(condition, premises) and entails(condition, premises, budget=budgets.LARGE)


def _over_product(condition: Formula, shorten: Callable[[Formula], Formula]) -> Formula:
    """Return an equivalent condition, shortened with its one product of variables as a single variable.

    The condition is returned as it is if its variables occur outside of the product, too.
    """
    product = _product(condition)
    if product is None:
        return condition
    lower, _ = of_monomial(product).bounds()
    single = variable(f"({product})", lower, None)
    (atom,) = single.variables
    try:
        lifted = _WithoutProduct(product, single).formula(condition)
        if lifted.variables != single.variables:
            return condition
        return Instantiation({atom: of_monomial(product)}).formula(shorten(lifted))
    except ValueError:  # shapes of unknown rank
        return condition


def _product(condition: Formula) -> Monomial | None:
    """Return the first product of variables in a condition."""
    for size in sizes_within(condition):
        for monomial, _ in size.terms:
            if monomial.single is None and all(isinstance(atom, Variable) for atom, _ in monomial.factors):
                return monomial
    return None


class _WithoutProduct(Instantiation):
    """Replaces a product by a size."""

    def __init__(self, product: Monomial, single: Dim) -> None:
        super().__init__({})
        self._product, self._single = product, single

    def read_size(self, size: Dim) -> Dim:
        coefficient = sum(count for monomial, count in size.terms if monomial is self._product)
        rest = weighted_sum((each for each in size.terms if each[0] is not self._product), size.constant)
        return super().read_size(rest) + coefficient * self._single
