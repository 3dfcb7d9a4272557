"""Constants that were printed without what they hold, weights mostly: something must stand in for it when they run."""

from __future__ import annotations

import re
from typing import Any

from shapesolve.executing.lowering.operations import descendants
from shapesolve.reading import bindings

_ELIDED = re.compile(r"dense_resource<__elided__\w*> : (.+)")


def fill(module: Any, *, zeros: bool) -> None:
    """Let every elided constant hold ones, or ``zeros``, everywhere."""
    ir = bindings.ir()
    with ir.Location.unknown(module.context):
        _fill(module, zeros)


def _fill(module: Any, zeros: bool) -> None:
    ir = bindings.ir()
    for op in descendants(module.operation):
        for name in list(op.attributes):
            elided = _ELIDED.fullmatch(str(op.attributes[name]))
            if elided:
                type = ir.ShapedType(ir.Type.parse(elided[1]))
                number = _number(type.element_type, 0 if zeros else 1)
                op.attributes[name] = ir.DenseElementsAttr.get_splat(type, number)


def _number(type: Any, value: int) -> Any:
    ir = bindings.ir()
    if isinstance(type, ir.IntegerType | ir.IndexType):
        return ir.IntegerAttr.get(type, value)
    return ir.FloatAttr.get(type, float(value))
