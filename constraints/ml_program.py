"""The `ml_program` dialect: global variables of exported programs (random seeds, state)."""

from __future__ import annotations

from shapesolve.domain.values import Abstract, Tensor, UnknownValue, Unmodeled
from shapesolve.ir.program import Operation, ScalarType, ShapedType, Value
from shapesolve.semantics.context import RuleContext
from shapesolve.semantics.effects import PURE, READS, WRITES
from shapesolve.semantics.op_semantics import OpSemantics
from shapesolve.semantics.registry import rule

EXAMPLE = "tests/cases/func/globals.mlir"


@rule(
    "ml_program.global_load",
    "ml_program.global_load_const",
    "ml_program.global_load_graph",
    example=EXAMPLE,
    effects=READS,
)
def global_load(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The value of a global variable.

    (R1) The result has the extents that its type declares; the contents are not followed.
    """
    return OpSemantics(tuple(_loaded(result) for result in op.results))


def _loaded(result: Value) -> Abstract:
    type = result.type
    if isinstance(type, ShapedType) and type.extents is not None and None not in type.extents:
        return Tensor.of(extent for extent in type.extents if extent is not None)
    if not isinstance(type, ShapedType | ScalarType) or (isinstance(type, ScalarType) and type.kind == "float"):
        return UnknownValue()
    return Unmodeled("global variables are not followed")


@rule("ml_program.global_store", "ml_program.global_store_graph", example=EXAMPLE, effects=WRITES)
def global_store(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Sets a global variable."""
    return OpSemantics(tuple(UnknownValue() for _ in op.results))


@rule("ml_program.token", "ml_program.output", "ml_program.return", example=EXAMPLE, effects=PURE)
def bookkeeping(op: Operation, ctx: RuleContext) -> OpSemantics:
    """An ordering token, or the end of a program's function."""
    return OpSemantics(tuple(UnknownValue() for _ in op.results))
