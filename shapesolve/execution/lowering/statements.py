"""Statements about values, which a run has no use for."""

from __future__ import annotations

from typing import Any

from shapesolve.execution.lowering.builder import descendants

_HAND_ON = {"util.assume.int"}
"""Operations whose results are their operands."""


def erase_statements(module: Any) -> None:
    """Put the operands of statements in place of their results."""
    for op in list(descendants(module.operation)):
        if op.name in _HAND_ON:
            for result, operand in zip(op.results, op.operands, strict=True):
                result.replace_all_uses_with(operand)
            op.erase()
