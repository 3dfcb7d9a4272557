"""Control flow of the torch dialect: what torch-mlir makes of branches and loops of TorchScript and ONNX."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shapesolve.domain.values import Abstract
from shapesolve.ir.program import Block, Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import OpSemantics, Results
from shapesolve.semantics.regions import ShapesOfIterations, UnrolledLoop, loop
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import conjunction

from ..scf import branches, loop_results, should_unroll
from ..transfer.control_flow import induction_variable, known_trips

EXAMPLE = "tests/cases/torch/control.mlir"
_WITHIN = (-(2**63), 2**63 - 1)


@rule("torch.prim.If.yield", "torch.prim.Loop.condition", example=EXAMPLE, effects=PURE)
def ends(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Ends a region with its results; in a loop, the condition to continue comes first."""
    return OpSemantics()


@rule("torch.prim.If", example=EXAMPLE, effects=PURE)
def branch(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One of two regions, by a condition.

    (R1) The results are what the first region yields where the condition holds, else what the second yields.
    """
    return branches(op, ctx.truth(op.operands[0]))


@rule("torch.prim.Loop", example=EXAMPLE, effects=PURE)
def counted_loop(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A loop that counts from 0 up to, not including, a number, as long as a condition holds.

    (R1) The results are what the last iteration yields behind the condition, or the initial values where there is none:
    followed as those of `scf.for` where the condition is always true. Else some iterations may be left out.
    """
    most, goes_on, *initial = op.operands
    block = op.regions[0].blocks[0]
    upper, begins = ctx.integer(most), ctx.truth(goes_on)
    always = begins is TRUE and always_continues(block, ctx.truth)
    return count_up(op, ctx, upper, begins, initial, always=always, arguments=lambda number: (number,))


def count_up(
    op: Operation,
    ctx: RuleContext,
    upper: Dim,
    begins: Formula,
    initial: Sequence[Value],
    *,
    always: bool,
    arguments: Callable[[Dim], tuple[Abstract, ...]],
    elements: tuple[Abstract, ...] = (),
    shapes: ShapesOfIterations | None = None,
) -> OpSemantics:
    """Return the semantics of a loop that counts from 0 up to, not including, a number.

    Args:
        op: The loop.
        upper: The number.
        begins: The condition under which there is a first iteration, if the number is not 0.
        initial: The operands that are carried.
        always: Whether the number alone decides how often it runs.
        arguments: Makes the arguments of the block before those that are carried, from the number of the iteration.
        elements: The arguments of the block behind those.
        shapes: The values whose shapes must agree, and how many are collected.
    """
    block = op.regions[0].blocks[0]
    carried = tuple(ctx.value(operand) for operand in initial)
    trips = known_trips(dim(0), upper, dim(1)) if always and should_unroll(block) else None
    if trips is not None:
        run = UnrolledLoop(
            region=op.regions[0],
            trips=tuple(map(arguments, trips)),
            carries=carried,
            elements=elements,
            shapes=shapes,
            runs=TRUE,
        )
    else:
        count = induction_variable(block.arguments[0], dim(0), upper, dim(1), ctx, _WITHIN, whole=always)
        run = loop(
            region=op.regions[0],
            arguments=arguments(count.value),
            carries=carried,
            elements=elements,
            shapes=shapes,
            condition=conjunction((count.condition, begins)),
            because="inside the loop",
            runs=count.runs if always else None,
            approximate="" if always else "when the condition of the loop ends it is not followed",
            iteration_space=count.iteration_space if always else None,
        )
    return OpSemantics(Results(compute=lambda yields: loop_results(op, yields)), regions=(run,))


def always_continues(block: Block, truth: Callable[[Value], Formula], condition: Value | None = None) -> bool:
    """Return whether the condition that a loop's block yields first is always true, once the loop has begun.

    Args:
        block: The body of the loop.
        truth: Reads a boolean that is defined outside of the block.
        condition: The argument of the block that is the condition of this iteration, if it has one.
    """
    value = block.operations[-1].operands[0]
    producers = {result: each for each in block.operations for result in each.results}
    while (op := producers.get(value)) is not None and op.name == "onnx.Identity":
        value = op.operands[0]
    if op is not None:
        return op.name == "torch.constant.bool" and op.attributes.get("value") is True
    if value in block.arguments:
        return value is condition
    try:
        return truth(value) is TRUE
    except UnknownValueError:
        return False
