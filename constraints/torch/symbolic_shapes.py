"""Symbolic sizes that PyTorch's exporter states; taken as facts, since nothing in the program checks them."""

from __future__ import annotations

from shapesolve.domain.values import Tensor, Unmodeled
from shapesolve.int64 import MAX_SIZE
from shapesolve.ir.program import AffineMap, Operation
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import Ensures, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import equal

from ..transfer.affine_maps import apply_map

EXAMPLE = "tests/cases/func/torch_symbols.mlir"


@rule("torch.symbolic_int", example=EXAMPLE)
def symbolic_int(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A size by name.

    (R1) The result is a size between the stated bounds.
    """
    least, most = op.attributes.get("min_val"), op.attributes.get("max_val")
    name = op.attributes.get("symbol_name")
    low = max(least, 0) if isinstance(least, int) else 0
    high = most if isinstance(most, int) and low <= most < MAX_SIZE else MAX_SIZE
    return OpSemantics((ctx.fresh(name if isinstance(name, str) else op.results[0].name, low, high),))


@rule("torch.bind_symbolic_shape", example=EXAMPLE)
def bind_symbolic_shape(op: Operation, ctx: RuleContext) -> OpSemantics:
    """States the extents of a value as expressions over named sizes.

    (R1) Each extent is the stated expression, from here on.
    """
    value, *symbols = op.operands
    map = op.attributes.get("shape_expressions")
    found = ctx.value(value)
    if not isinstance(map, AffineMap) or not isinstance(found, Tensor):
        return OpSemantics()
    sizes: list[Dim] = []
    for symbol in symbols:
        size = ctx.value(symbol)
        if not isinstance(size, Dim):
            return OpSemantics()
        sizes.append(size)
    if len(sizes) != map.dims + map.symbols:
        raise UnknownValueError("the statement has other symbols than its operands")
    extents = apply_map(map, sizes)
    rank = equal(found.shape.rank, len(extents))
    facts: list[Formula] = [rank, *(equal(found.shape.extent(i), extent) for i, extent in enumerate(extents))]
    because = "what torch.bind_symbolic_shape states"
    return OpSemantics(ensures=Ensures(declared=tuple((fact, because) for fact in facts if fact is not TRUE)))


@rule("torch_c.to_builtin_tensor", "torch_c.from_builtin_tensor", example=EXAMPLE)
def convert(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The same tensor as a type of PyTorch's dialect, or as a builtin one.

    (R1) The result has the shape and the elements of the operand.
    """
    found = ctx.value(op.operands[0])
    return OpSemantics(
        (found if isinstance(found, Tensor) else Unmodeled("a tensor of PyTorch's dialect is not known"),)
    )


@rule("torch_c.to_i64", "torch_c.from_i64", example=EXAMPLE, effects=PURE)
def convert_integer(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The same integer as a type of PyTorch's dialect, or as a builtin one.

    (R1) The result is the same number.
    """
    found = ctx.value(op.operands[0])
    return OpSemantics(
        (found if isinstance(found, Dim) else Unmodeled("an integer of PyTorch's dialect is not known"),)
    )
