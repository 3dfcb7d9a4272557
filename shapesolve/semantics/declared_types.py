"""Comparison of computed results with the declared types."""

from __future__ import annotations

from dataclasses import replace

from shapesolve.domain.values import MAX_ELEMENTS, Abstract, Float, Tensor, UnknownValue
from shapesolve.ir.program import ScalarType, ShapedType, Value
from shapesolve.semantics.op_semantics import Claim
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import FALSE, Formula
from shapesolve.symbolic.formulas import equal, negation
from shapesolve.symbolic.normal_forms import as_number
from shapesolve.symbolic.shape_kinds import RankedShape, Shape
from shapesolve.trace.events import Kind


def check_declared_type(value: Value, result: Abstract) -> tuple[Abstract, list[Claim]]:
    """Return the result in the form the interpreter keeps, and claims that its declared rank and extents are right.

    Where a claim holds, the declared extents are those that the operation computes.
    """
    type = value.type
    if isinstance(type, ShapedType):
        return _shaped(value, type, result)
    if isinstance(type, ScalarType):
        if type.is_boolean:
            return (negation(equal(result, 0)) if isinstance(result, Dim) else result), []
        if type.kind == "float":
            return (result if isinstance(result, Float) else UnknownValue()), []
        return (as_number(result) if isinstance(result, Formula) else result), []
    return result, []


def _shaped(value: Value, type: ShapedType, result: Abstract) -> tuple[Abstract, list[Claim]]:
    if isinstance(result, Shape):
        result = Tensor(result)
    if not isinstance(result, Tensor) or type.extents is None:
        return result, []
    elements = result.elements if result.elements is None or len(result.elements) <= MAX_ELEMENTS else None
    shape = result.shape
    claims: list[Claim] = []
    if isinstance(shape, RankedShape):
        if len(shape.dims) != len(type.extents):
            message = f"the result has rank {len(shape.dims)} where its type says {len(type.extents)}"
            return result, [Claim("T1", FALSE, message, Kind.TYPE, of_type=True)]
        computed = shape.dims
    else:
        rank = len(type.extents)
        message = f"the result's rank is not the declared {rank}"
        claims.append(Claim("T1", equal(shape.rank, rank), message, Kind.UB, of_type=True))
        computed = tuple(shape.column(rank - 1 - index) for index in range(rank))
    extents: list[Dim] = []
    for index, (extent, declared) in enumerate(zip(computed, type.extents, strict=True)):
        if declared is None or (extent.is_constant and extent.constant == declared):
            extents.append(extent)
            continue
        message = f"extent {index} of the result is not the declared {declared}"
        shown = ((f"extent {index} of {value.name}", extent),)
        claims.append(Claim("T2", equal(extent, declared), message, Kind.UB, shown, of_type=True))
        extents.append(dim(declared))
    return replace(result, shape=RankedShape.of(extents), elements=elements), claims
