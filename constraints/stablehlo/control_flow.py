"""Control flow of the stablehlo dialect, and its operations on other values than arrays."""

from __future__ import annotations

from shapesolve.domain.values import UnknownValue, Unmodeled
from shapesolve.ir.program import Operation, SymbolRef, TupleType
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import Approximations, OpSemantics, Results
from shapesolve.semantics.regions import AtMostOnce
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.formulas import conjunction, equal, negation

from ..transfer.control_flow import carried_results, condition_of, join_region_results, while_loop_semantics
from ..transfer.shape_checks import contents
from ..transfer.strided_slices import integer_of

CONTROL = "tests/cases/stablehlo/control.mlir"
PASSING = "tests/cases/stablehlo/passing.mlir"


@rule("stablehlo.if", example=CONTROL, effects=PURE)
def if_(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Runs one of two regions.

    (R1) The results are what the first region yields where the predicate holds, else what the second yields.
    """
    found = condition_of(ctx, op.operands[0])
    condition = found.formula
    return OpSemantics(
        Results(compute=lambda yields: join_region_results(op, [condition], yields)),
        regions=(
            AtMostOnce.where(condition, f"{op.operands[0].name} is true", region=op.regions[0]),
            AtMostOnce.where(negation(condition), f"{op.operands[0].name} is false", region=op.regions[1]),
        ),
        approximations=Approximations(found.reasons, found.free),
    )


@rule("stablehlo.case", example=CONTROL, effects=PURE)
def case(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Runs one of several regions.

    (R1) The results are what the region of that number yields; an index that is out of range means the last region.
    """
    held = contents(ctx, op.operands[0], 1)
    index = held.values[0]
    conditions = [equal(index, number) for number in range(len(op.regions) - 1)]
    otherwise = conjunction(negation(condition) for condition in conditions)
    name = op.operands[0].name
    runs = [
        AtMostOnce.where(condition, f"{name} is {number}", region=region)
        for number, (region, condition) in enumerate(zip(op.regions, [*conditions, otherwise], strict=True))
    ]
    return OpSemantics(
        Results(compute=lambda yields: join_region_results(op, conditions, yields)),
        regions=tuple(runs),
        approximations=Approximations(held.reasons, held.free),
    )


@rule("stablehlo.while", example=CONTROL, effects=PURE)
def while_(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Runs its second region again and again while the first yields true.

    (R1) The results are the operands after the last run: followed as what `scf.while` carries is.
    """
    return while_loop_semantics(op, ctx)


@rule("stablehlo.composite", example=CONTROL)
def composite(op: Operation, ctx: RuleContext) -> OpSemantics:
    """An operation that a function of the same module spells out.

    (R1) The results are what the function returns for these operands; its demands are made here.
    """
    callee = op.attributes.get("decomposition")
    function = ctx.callee(op, callee) if isinstance(callee, SymbolRef) else None
    if function is None or function.body is None:
        raise UnknownValueError("the function that spells it out has no body here")
    run = AtMostOnce(region=function.body, arguments=tuple(ctx.value(operand) for operand in op.operands))
    return OpSemantics(Results(compute=lambda yields: carried_results(op, yields[0])), regions=(run,))


@rule("stablehlo.return", example=CONTROL, effects=PURE)
def returns(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Ends a region with its results."""
    return OpSemantics()


# Values that pass through --------------------------------------------------------------------------------------------


@rule("stablehlo.optimization_barrier", example=PASSING, effects=PURE)
def barrier(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Hands its operands on.

    (R1) The results have the operands' shapes.
    """
    return OpSemantics(tuple(ctx.value(operand) for operand in op.operands))


@rule("stablehlo.create_token", "stablehlo.after_all", "stablehlo.tuple", example=PASSING, effects=PURE)
def opaque(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A token, or a tuple: a value without a shape.

    (R1) Nothing is known of the result.
    """
    return OpSemantics(tuple(UnknownValue() for _ in op.results))


@rule("stablehlo.get_tuple_element", example=PASSING, effects=PURE)
def get_tuple_element(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One value out of a tuple.

    (R1) The result has the declared shape; what the tuple was made of is not followed.
    """
    held = op.operands[0].type
    if not isinstance(held, TupleType) or held.parts[integer_of(op, "index")] != op.results[0].type:
        raise UnknownValueError("the tuple holds a value of another type")
    return OpSemantics(tuple(Unmodeled("tuples are not followed") for _ in op.results))
