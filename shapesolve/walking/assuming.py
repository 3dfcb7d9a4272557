"""Whether a function was walked for everything that it may be called with, as far as types tell."""

from __future__ import annotations

from shapesolve.language.atoms import Variable
from shapesolve.language.shapes import RankedShape
from shapesolve.reading.program import ShapedType
from shapesolve.walking.obligations import Source, Trace
from shapesolve.walking.values import Tensor


def assumes(trace: Trace) -> bool:
    """Whether something is assumed of a function's arguments beyond what their types say, be it by names of sizes."""
    if any(each.source is Source.ASSUMPTION for each in trace.assumptions):
        return True
    extents = [
        extent.atom
        for argument, value in zip(trace.function.arguments, trace.inputs, strict=True)
        if isinstance(argument.type, ShapedType) and isinstance(value, Tensor) and isinstance(value.shape, RankedShape)
        for stated, extent in zip(argument.type.extents or (), value.shape.dims, strict=False)
        if stated is None
    ]
    return len(set(extents)) < len(extents) or not all(isinstance(each, Variable) for each in extents)
