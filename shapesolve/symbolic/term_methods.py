"""Methods that sizes, formulas and shapes share: evaluation, substitution and their variables.

The terms call them late, when a user asks: the modules of terms cannot import what traverses them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from shapesolve.symbolic import evaluation
from shapesolve.symbolic.atoms import ShapeSymbol, Variable
from shapesolve.symbolic.dims import Dim, dim, of_atom
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.named_sizes import Size, assignment, name_of
from shapesolve.symbolic.shape_kinds import RankedShape, Shape, UnrankedShape, restricted
from shapesolve.symbolic.shapes import shape
from shapesolve.symbolic.visitors import Instantiation, with_sizes


def evaluated(term: Dim | Formula | Shape, sizes: Mapping[Any, Size]) -> int | bool | tuple[int, ...] | None:
    """Return the number, the truth value or the extents of a term; None for an invalid shape.

    Raises:
        KeyError: A variable has no number.
    """
    given = assignment(sizes)
    if isinstance(term, Dim):
        return evaluation.evaluate(term, given)
    return evaluation.holds(term, given) if isinstance(term, Formula) else evaluation.evaluate_shape(term, given)


def substituted(term: Dim | Formula | Shape, replacements: tuple[Any, ...]) -> Dim | Formula | Shape:
    """Return a term with variables replaced, all at once.

    Args:
        term: A size, a formula or a shape.
        replacements: A variable and its replacement, or one mapping or list of pairs of these. A variable is given as
            a size, as a shape of unknown rank or by name; a replacement is a size or an integer, for a shape a list
            of these.

    Raises:
        TypeError: The replacements are of no such form.
        ValueError: A number is out of the bounds of its variable.
    """
    given = {name_of(key): value for key, value in _pairs(replacements)}
    sizes: dict[Variable, Dim] = {}
    shapes: dict[Variable, RankedShape] = {}
    for variable in term.variables:
        if variable.name not in given:
            continue
        value = given[variable.name]
        if isinstance(variable, ShapeSymbol):
            whole = shape(value)
            if not isinstance(whole, RankedShape):
                raise TypeError(f"the shape {variable} is replaced by a list of sizes, not by {value!r}")
            shapes[variable] = whole
        else:
            sizes[variable] = _in_bounds(variable, dim(value))
    by = Instantiation(sizes, shapes)
    if isinstance(term, Dim):
        return by.size(term)
    if isinstance(term, Formula):
        return by.formula(term)
    return restricted(with_sizes(term, by.size, by.unranked), by.formula(term.valid))


def _pairs(replacements: tuple[Any, ...]) -> Iterable[tuple[Any, Any]]:
    if len(replacements) == 2:
        return [(replacements[0], replacements[1])]
    if len(replacements) == 1:
        (only,) = replacements
        if isinstance(only, Mapping):
            return cast("Mapping[Any, Any]", only).items()
        if isinstance(only, list | tuple):
            return cast("list[tuple[Any, Any]]", only)
    raise TypeError("subs takes a variable and its replacement, or a mapping of these")


def _in_bounds(variable: Variable, size: Dim) -> Dim:
    low, high = size.bounds()
    is_below = variable.lower is not None and high is not None and high < variable.lower
    is_above = variable.upper is not None and low is not None and low > variable.upper
    if is_below or is_above:
        raise ValueError(f"{variable} is a size from {variable.lower} to {variable.upper}, and cannot be {size}")
    return size


def free_symbols(term: Dim | Formula | Shape) -> set[Dim | UnrankedShape]:
    """Return the variables of a term as sizes and as shapes of unknown rank."""
    return {UnrankedShape.of(each.name) if isinstance(each, ShapeSymbol) else of_atom(each) for each in term.variables}
