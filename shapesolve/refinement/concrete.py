"""Concrete interpretation of a program: the same rules, applied to constants.

Rules that have no symbolic result (bitwise operations on two unknown numbers, 64-bit arithmetic that wraps) often have
a constant one. That settles whether a counterexample of a comparison is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapesolve.domain.values import Abstract, Element, Size, Tensor, Witness
from shapesolve.interpreter.inputs import Inputs
from shapesolve.records import record
from shapesolve.refinement.concrete_runs import IterationRunner
from shapesolve.refinement.outcome import Behavior, Ending
from shapesolve.refinement.paired_interpreter import Interpretation
from shapesolve.refinement.results import Agreement, agreements
from shapesolve.refinement.signatures import Entry
from shapesolve.symbolic.atoms import ShapeSymbol, Variable
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.evaluation import Sizes, holds
from shapesolve.symbolic.formula_kinds import FALSE, Formula
from shapesolve.symbolic.shape_kinds import RankedShape, Shape, UnrankedShape
from shapesolve.symbolic.visitors import Instantiation


def concrete_inputs(inputs: Inputs, sizes: Sizes) -> Inputs:
    """Return the inputs with a constant for every variable that the sizes assign."""
    numbers: dict[Variable, Dim] = {}
    shapes: dict[Variable, RankedShape] = {}
    for each, value in dict(sizes).items():
        if isinstance(value, tuple):
            ranked = RankedShape.of(value)
            assert isinstance(each, ShapeSymbol) and isinstance(ranked, RankedShape)
            shapes[each] = ranked
        else:
            numbers[each] = dim(value)
    fixed = Instantiation(numbers, shapes)
    return replace(
        inputs,
        values=tuple(_fixed(value, fixed) for value in inputs.values),
        facts=tuple(replace(fact, formula=fixed.formula(fact.formula), built_by=None) for fact in inputs.facts),
        in_memory=(),
    )


def _fixed(value: Abstract, fixed: Instantiation) -> Abstract:
    match value:
        case Dim():
            return fixed.size(value)
        case Formula():
            return fixed.formula(value)
        case Shape():
            return _shape(value, fixed)
        case Size():
            return Size(fixed.size(value.value), fixed.formula(value.valid))
        case Witness():
            return Witness(fixed.formula(value.passing))
        case Tensor():
            elements = None if value.elements is None else tuple(_element(each, fixed) for each in value.elements)
            spells, signs = (None if each is None else _shape(each, fixed) for each in (value.spells, value.signs))
            shape, fits = _shape(value.shape, fixed), fixed.formula(value.fits)
            return replace(value, shape=shape, elements=elements, spells=spells, signs=signs, fits=fits)
        case _:
            return value


def _element(element: Element, fixed: Instantiation) -> Element:
    match element:
        case Dim():
            return fixed.size(element)
        case Formula():
            return fixed.formula(element)
        case _:
            return element


def _shape(shape: Shape, fixed: Instantiation) -> Shape:
    match shape:
        case RankedShape(dims=extents):
            return RankedShape.of(map(fixed.size, extents))
        case UnrankedShape():
            return fixed.unranked(shape)
        case _:
            return shape


@record
class Concrete:
    """Behavior of both programs at certain sizes.

    Attributes:
        source, target: How each program ends.
        difference: A certain difference of the results; None if there is none.
    """

    source: Behavior
    target: Behavior
    difference: Agreement | None = None


def compared_at(
    source: Interpretation, target: Interpretation, entries: Sequence[Entry], sizes: Sizes
) -> Concrete | None:
    """Return how two programs end that were interpreted at the sizes; None if the rules do not decide it."""
    ours = IterationRunner(source).behavior({})
    theirs = _broken(entries, sizes) or IterationRunner(target).behavior({})
    if ours is None or theirs is None:
        return None
    if ours.ending is not Ending.RETURNS or theirs.ending is not Ending.RETURNS:
        return Concrete(ours, theirs)
    differing = (each for each in agreements(source, target) if each.claim is FALSE)
    return Concrete(ours, theirs, next(differing, None))


def _broken(entries: Sequence[Entry], sizes: Sizes) -> Behavior | None:
    broken = (each for each in entries if each.holds.variables <= sizes.keys() and not holds(each.holds, sizes))
    return next((Behavior(Ending.UNDEFINED, detail=each.broken) for each in broken), None)
