"""Operations of the stablehlo dialect that several devices run together."""

from __future__ import annotations

from collections.abc import Callable

from shapesolve.domain.fresh_variables import ELEMENT
from shapesolve.domain.values import Tensor
from shapesolve.ir.program import DenseIntegers, OpaqueAttribute, Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import READS, WRITES
from shapesolve.semantics.op_semantics import Approximations, Claim, OpSemantics, Results
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim, dim, floordiv
from shapesolve.symbolic.formula_kinds import TRUE
from shapesolve.symbolic.formulas import divides

from ..transfer.strided_slices import integer_of
from .attributes import parse_structure
from .reductions import scalar_region

PASSING = "tests/cases/stablehlo/passing.mlir"
EXAMPLE = "tests/cases/stablehlo/collectives.mlir"

HOW_MANY = "how many devices take part is not known"


@rule("stablehlo.collective_permute", "stablehlo.collective_broadcast", example=PASSING, effects=READS | WRITES)
@rule("stablehlo.cross-replica-sum", example=EXAMPLE, effects=READS | WRITES)
def passing(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Hands a tensor on from another device, or the sum of those of all.

    (R1) The results have the operands' shapes.
    """
    return OpSemantics(tuple(Tensor(ctx.shape(operand)) for operand in op.operands))


@rule("stablehlo.all_reduce", example=PASSING, effects=READS | WRITES)
def all_reduce(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Folds the same tensor of several devices.

    (R1) The results have the operands' shapes.
    """
    runs = (scalar_region(ctx, op.regions[0]),)
    return OpSemantics(tuple(Tensor(ctx.shape(operand)) for operand in op.operands), regions=runs)


@rule("stablehlo.partition_id", "stablehlo.replica_id", example=PASSING, effects=READS)
def device_number(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The number of the device that runs the program.

    (R1) The result is any number. Asked for again, it is not known to be the same, so that no failure may follow.
    """
    number = ctx.fresh(f"{op.results[0].name}{ELEMENT}", 0, 2**31 - 1)
    unknown = Approximations(("which device runs the program is not known",), number.variables)
    return OpSemantics((Tensor.of((), (number,)),), approximations=unknown)


@rule("stablehlo.all_gather", example=EXAMPLE, effects=READS | WRITES)
def all_gather(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The same tensor of several devices, one behind the other.

    (R1) Extent `all_gather_dim` of a result is that of its operand, times the number of devices in a group; the others
    are the operand's.
    """
    along, count = integer_of(op, "all_gather_dim"), _devices(op, ctx)
    results = tuple(_resized(ctx, operand, along, lambda extent: extent * count) for operand in op.operands)
    return OpSemantics(Results(results, shape_operands=op.operands), approximations=_unknown(count))


@rule("stablehlo.reduce_scatter", example=EXAMPLE, effects=READS | WRITES)
def reduce_scatter(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Folds the same tensor of several devices, each of which gets a part.

    (C1) Extent `scatter_dimension` of the operand is a multiple of the number of devices in a group.
    (R1) The result has that extent divided by the number of devices; the others are the operand's.
    """
    (operand,) = op.operands
    along, count = integer_of(op, "scatter_dimension"), _devices(op, ctx)
    claims = _divides(ctx, operand, along, count)
    result = _resized(ctx, operand, along, lambda extent: floordiv(extent, count))
    runs = (scalar_region(ctx, op.regions[0]),)
    return OpSemantics((result,), requires=claims, regions=runs, approximations=_unknown(count))


@rule("stablehlo.all_to_all", example=EXAMPLE, effects=READS | WRITES)
def all_to_all(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Parts of the same tensor of several devices, one from each, one behind the other.

    (C1) Extent `split_dimension` of an operand is a multiple of `split_count`.
    (R1) Extent `split_dimension` of a result is that of its operand divided by `split_count`, and then extent
    `concat_dimension` is that many times as large.
    """
    split, concat = integer_of(op, "split_dimension"), integer_of(op, "concat_dimension")
    count = dim(integer_of(op, "split_count"))
    claims = tuple(claim for operand in op.operands for claim in _divides(ctx, operand, split, count))
    results: list[Tensor] = []
    for operand in op.operands:
        extents = _extents(ctx, operand, split, concat)
        extents[split] = floordiv(extents[split], count)
        extents[concat] = extents[concat] * count
        results.append(Tensor.of(extents))
    return OpSemantics(tuple(results), requires=claims)


def _devices(op: Operation, ctx: RuleContext) -> Dim:
    """Return how many devices a group has: a fresh number if all take part, or each group stands for more."""
    groups = op.attributes.get("replica_groups")
    extents = groups.type.extents if isinstance(groups, DenseIntegers) else None
    if extents is None or len(extents) != 2:
        raise UnknownValueError("the groups of devices are not known")
    size = extents[1]
    handle = op.attributes.get("channel_handle")
    is_channel = (
        isinstance(handle, OpaqueAttribute) and parse_structure(op, "channel_handle").get("handle", (0,))[0] > 0
    )
    counts_partitions = is_channel and "use_global_device_ids" not in op.attributes
    return dim(size) if size and not counts_partitions else ctx.fresh("number of devices", 1)


def _resized(ctx: RuleContext, operand: Value, index: int, change: Callable[[Dim], Dim]) -> Tensor:
    """Return a tensor of the operand's shape but for one extent."""
    extents = _extents(ctx, operand, index)
    extents[index] = change(extents[index])
    return Tensor.of(extents)


def _extents(ctx: RuleContext, operand: Value, *indices: int) -> list[Dim]:
    """Return the extents of an operand with some dimensions, which MLIR verifies of the first operand alone."""
    extents = list(ctx.dims(operand))
    missing = [index for index in indices if not 0 <= index < len(extents)]
    if missing:
        raise UnknownValueError(f"{operand.name} has no dimension {missing[0]}")
    return extents


def _unknown(count: Dim) -> Approximations:
    return Approximations() if count.is_constant else Approximations((HOW_MANY,), count.variables)


def _divides(ctx: RuleContext, operand: Value, index: int, count: Dim) -> tuple[Claim, ...]:
    extent = _extents(ctx, operand, index)[index]
    formula = divides(count, extent)
    shown = ((f"extent {index} of {operand.name}", extent), ("parts", count))
    claim = Claim("C1", formula, "the tensor does not divide into equal parts", shown=shown)
    return () if formula is TRUE else (claim,)
