"""Operations that MLIR folds or lowers to another result, written in a way in which it does not.

A conversion folds what it converts: `tosa.negate` of `tosa.negate` to its operand, although both saturate, and
`tosa.mul` by zero to zero, although a factor may be NaN. So a run would show the result of the fold.
"""

from __future__ import annotations

from typing import Any

from shapesolve.execution.lowering.builder import Builder, descendants
from shapesolve.ir import bindings

_ROUNDED_DIVISIONS = {"index.ceildivs": "arith.ceildivsi", "index.floordivs": "arith.floordivsi"}
"""Divisions whose fold negates the least integer, and whose lowering divides it by -1 for a result it drops."""
_FOLDED = {
    **{f"tosa.{each}": 2 for each in ("add", "maximum", "minimum", "mul", "pow", "sub")},
    **{f"tosa.{each}": 1 for each in ("abs", "ceil", "clamp", "exp", "floor", "log", "negate", "reciprocal")},
}
"""Operations with as many operands that are elements, by which they are folded."""


def avoid_wrong_folds(module: Any) -> None:
    """Replace divisions of indices by those of `arith`, and hide from folds where the operands of TOSA come from."""
    for op in list(descendants(module.operation)):
        if op.name in _ROUNDED_DIVISIONS:
            made = Builder(op).value(_ROUNDED_DIVISIONS[op.name], list(op.operands), "index")
            op.results[0].replace_all_uses_with(made)
            op.erase()
            continue
        for place in range(_FOLDED.get(op.name, 0)):
            operand = op.operands[place]
            if not isinstance(operand.owner, bindings.ir().Block):
                op.operands[place] = Builder(op).value("tosa.identity", [operand], operand.type)
