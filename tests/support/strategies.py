"""Hypothesis strategies for sizes, shapes, claims, and numbers to try them with."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, ceildiv, dim, floordiv, remainder, variable
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import (
    at_least,
    compatible,
    conjunction,
    disjunction,
    equal,
    implies,
    less_than,
    negation,
    unequal,
)
from shapesolve.symbolic.normal_forms import broadcast_extent, choose, maximum, minimum
from shapesolve.symbolic.scope import Scope
from shapesolve.symbolic.shape_kinds import Shape
from shapesolve.symbolic.shapes import broadcast, broadcastable, same_shape, shape, unranked

SIZES: dict[str, Dim] = {
    "H": variable("H"),
    "M": variable("M"),
    "N": variable("N"),
    "P": variable("P", 1),  # at least 1
    "Q": variable("Q", 2, 5),  # a small range
    "Z": variable("Z", -4, 4),  # an integer that may be negative
    "W": variable("W", None, None),  # any integer
}
"""The variables that the strategies use, by name."""

SHAPES: dict[str, Shape] = {"s": unranked("s"), "t": unranked("t")}
"""The shapes of unknown rank that the strategies use, by name."""

SCOPE = Scope.closed(SIZES, SHAPES)
"""Scope in which the printed form of a strategy's expression is parsed."""


def _symbol(size: Dim) -> Variable:
    (found,) = size.variables
    return found


SIZE_VARIABLES: dict[str, Variable] = {name: _symbol(size) for name, size in SIZES.items()}
SHAPE_VARIABLES: dict[str, Variable] = {name: next(iter(whole.variables)) for name, whole in SHAPES.items()}

extents: SearchStrategy[int] = st.one_of(st.integers(0, 4), st.integers(0, 20))
"""Values of a size: mostly small, where 0 and 1 make a difference."""

extent_tuples: SearchStrategy[tuple[int, ...]] = st.lists(st.integers(0, 3), max_size=3).map(tuple)
"""Shapes as plain tuples."""


def _number(symbol: Variable) -> SearchStrategy[int]:
    if symbol.lower == 0:
        return extents
    low = -12 if symbol.lower is None else symbol.lower
    return st.integers(low, 12 if symbol.upper is None else min(symbol.upper, 12))


assignments: SearchStrategy[dict[Variable, int | tuple[int, ...]]] = st.fixed_dictionaries(
    {symbol: _number(symbol) for symbol in SIZE_VARIABLES.values()}
    | dict.fromkeys(SHAPE_VARIABLES.values(), extent_tuples)
)
"""Numbers and extents for all variables, within their bounds."""

variables: SearchStrategy[Dim] = st.sampled_from(list(SIZES.values()))
constants: SearchStrategy[Dim] = st.integers(-6, 12).map(dim)
leaves: SearchStrategy[Dim] = st.one_of(variables, variables, constants)


def _combined(parts: SearchStrategy[Dim]) -> SearchStrategy[Dim]:
    pairs = st.tuples(parts, parts)
    divisors = st.one_of(st.integers(2, 6).map(dim), st.integers(-3, 3).map(dim), parts)
    few = st.lists(parts, min_size=1, max_size=3)
    return st.one_of(
        pairs.map(lambda two: two[0] + two[1]),
        pairs.map(lambda two: two[0] - two[1]),
        pairs.map(lambda two: two[0] * two[1]),
        st.tuples(parts, st.integers(-4, 4)).map(lambda two: two[0] * two[1]),
        st.tuples(parts, divisors).map(lambda two: floordiv(*two)),
        st.tuples(parts, divisors).map(lambda two: remainder(*two)),
        st.tuples(parts, divisors).map(lambda two: ceildiv(*two)),
        few.map(lambda some: minimum(*some)),
        few.map(lambda some: maximum(*some)),
        few.map(lambda some: broadcast_extent(*some)),
    )


arithmetic: SearchStrategy[Dim] = st.recursive(leaves, _combined, max_leaves=6)
"""Sizes without claims inside, over variables of all sorts."""

polynomials: SearchStrategy[Dim] = st.recursive(
    leaves,
    lambda parts: st.one_of(
        st.tuples(parts, parts).map(lambda two: two[0] + two[1]),
        st.tuples(parts, parts).map(lambda two: two[0] - two[1]),
        st.tuples(parts, parts).map(lambda two: two[0] * two[1]),
    ),
    max_leaves=6,
)
"""Sizes made of sums and products only."""

ranked_shapes: SearchStrategy[Shape] = st.lists(st.one_of(leaves, arithmetic), max_size=3).map(shape)
"""Valid shapes of known rank. Their extents may be negative: an expression is not always a size."""


def _conditional(parts: SearchStrategy[Shape]) -> SearchStrategy[Shape]:
    return st.lists(parts, min_size=1, max_size=3).map(lambda some: broadcast(*some))


shapes: SearchStrategy[Shape] = st.one_of(
    st.sampled_from(list(SHAPES.values())),
    ranked_shapes,
    _conditional(st.one_of(st.sampled_from(list(SHAPES.values())), ranked_shapes)),
    _conditional(_conditional(st.one_of(st.sampled_from(list(SHAPES.values())), ranked_shapes))),
)
"""Shapes of known and unknown rank, valid always, sometimes or never."""

comparisons: SearchStrategy[Formula] = st.one_of(
    *(
        st.tuples(arithmetic, arithmetic).map(lambda two, make=make: make(*two))
        for make in (equal, unequal, at_least, less_than)
    ),
    st.lists(arithmetic, min_size=1, max_size=3).map(compatible),
)
"""Claims about sizes without connectives."""

shape_claims: SearchStrategy[Formula] = st.one_of(
    st.tuples(shapes, shapes).map(lambda two: same_shape(*two)),
    st.lists(shapes, min_size=1, max_size=3).map(lambda some: broadcastable(*some)),
    shapes.map(lambda one: one.valid),
    st.tuples(shapes, st.integers(0, 3), arithmetic).map(lambda three: equal(three[0].column(three[1]), three[2])),
    st.tuples(shapes, arithmetic).map(lambda two: equal(two[0].rank, two[1])),
)
"""Claims about shapes."""


def _connected(parts: SearchStrategy[Formula]) -> SearchStrategy[Formula]:
    some = st.lists(parts, min_size=2, max_size=3)
    return st.one_of(
        some.map(conjunction),
        some.map(disjunction),
        parts.map(negation),
        st.tuples(parts, parts).map(lambda two: implies(*two)),
    )


formulas: SearchStrategy[Formula] = st.recursive(
    st.one_of(comparisons, comparisons, shape_claims, st.sampled_from([TRUE, FALSE])), _connected, max_leaves=5
)
"""Claims of every form."""

choices: SearchStrategy[Dim] = st.tuples(formulas, arithmetic, arithmetic).map(lambda three: choose(*three))
"""Sizes that depend on a claim."""

sizes: SearchStrategy[Dim] = st.one_of(
    arithmetic,
    arithmetic,
    choices,
    st.tuples(choices, arithmetic).map(lambda two: two[0] * 2 + two[1]),
    st.tuples(choices, arithmetic).map(lambda two: floordiv(two[0], two[1])),
    shapes.map(lambda one: one.rank + 1),
    st.tuples(shapes, arithmetic).map(lambda two: two[0].column(two[1])),
    st.tuples(shapes, st.integers(0, 2)).map(lambda two: two[0].extent(two[1])),
)
"""Sizes of every form."""


def _quotient_term(coefficient: int, size: Dim, divisor: int, sign: str) -> Dim:
    if sign == "*":
        return coefficient * size * divisor
    return coefficient * (floordiv(size, dim(divisor)) if sign == "//" else remainder(size, dim(divisor)))


_quotient_terms: SearchStrategy[Dim] = st.builds(
    _quotient_term,
    st.integers(-7, 7),
    st.one_of(variables, polynomials),
    st.integers(2, 6),
    st.sampled_from(["//", "%", "*"]),
)

quotient_sums: SearchStrategy[Dim] = st.lists(_quotient_terms, min_size=1, max_size=4).map(
    lambda terms: sum(terms, start=dim(0))
)
"""Sums of multiples of quotients and remainders by constants, where the normal form does the most."""
