"""Control flow of ONNX: branches and loops, whose graphs use values of the graph around them."""

from __future__ import annotations

from dataclasses import replace

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import Approximations, OpSemantics, Results, Successors
from shapesolve.semantics.regions import AtMostOnce
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import negation

from ..torch.control_flow import always_continues, count_up
from ..transfer.control_flow import condition_of, join_region_results
from .nodes import operand

EXAMPLE = "tests/cases/onnx/control.mlir"
_WITHIN = (0, 2**63 - 1)


@rule("torch.operator_terminator", example=EXAMPLE, effects=PURE)
def ends(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Ends a graph inside a node with its results; in a loop, the condition to go on comes first."""
    return OpSemantics()


@rule("onnx.If", example=EXAMPLE, effects=PURE)
def branch(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One of two graphs, by a condition. The importer orders them by name: `else_branch`, `then_branch`.

    (R1) The results are those of the second graph where the condition holds, else those of the first.
    """
    found = condition_of(ctx, op.operands[0])
    otherwise = negation(found.formula)
    return OpSemantics(
        Results(compute=lambda yields: join_region_results(op, [otherwise], yields)),
        regions=(
            AtMostOnce.where(otherwise, "the condition does not hold", region=op.regions[0]),
            AtMostOnce.where(found.formula, "the condition holds", region=op.regions[1]),
        ),
        approximations=Approximations(found.reasons, found.free),
    )


@rule("onnx.Loop", example=EXAMPLE, effects=PURE)
def counted_loop(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A loop that counts from 0 up to, not including, a number, as long as a condition holds.

    (R1) The results are what the last iteration yields behind the condition, or the initial values where there is none:
    followed as those of `scf.for` where the condition is always true. Else some iterations may be left out. Results
    that collect a value of each iteration are not followed.
    """
    initial = op.operands[2:]
    if len(op.results) != len(initial):
        raise UnknownValueError("results that collect a value of each iteration are not followed")
    block = op.regions[0].blocks[0]
    most, goes_on = operand(op, ctx, 0), operand(op, ctx, 1)
    begins = TRUE if goes_on is None else condition_of(ctx, goes_on).formula
    if most is None:
        upper = ctx.fresh(f"{op.results[0].name}.trips" if op.results else "trips", 0, _WITHIN[1])
    else:
        (upper,) = ctx.integers(most)
    is_counted = most is not None and begins is TRUE
    always = is_counted and always_continues(block, lambda each: condition_of(ctx, each).formula, block.arguments[1])
    counted = count_up(
        op, ctx, upper, begins, initial, always=always, arguments=lambda number: (_scalar(number), _scalar(TRUE))
    )
    behind = Successors(may_not_return="" if most is not None else "whether a loop ends is not followed")
    return replace(counted, successors=behind)


def _scalar(held: Dim | Formula) -> Tensor:
    return Tensor.of((), (held,))
