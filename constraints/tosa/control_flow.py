"""Control flow and variables of the tosa dialect."""

from __future__ import annotations

from shapesolve.domain.values import Unmodeled
from shapesolve.ir.program import DenseIntegers, Operation, ShapedType, SymbolRef, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE, READS, WRITES
from shapesolve.semantics.op_semantics import Approximations, Claim, OpSemantics, Results
from shapesolve.semantics.regions import AtMostOnce
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.formula_kinds import TRUE
from shapesolve.symbolic.formulas import equal

from ..transfer.control_flow import check_region_types, condition_of, join_region_results, while_loop_semantics
from ..transfer.extent_tensors import extent_product

CONTROL = "tests/cases/tosa/control.mlir"


@rule("tosa.cond_if", example=CONTROL, effects=PURE)
def cond_if(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Runs one of two regions on its inputs.

    (C1) The condition has one element.
    (R1) The results are what the first region yields where the condition holds, else what the second yields.
    """
    for region in op.regions:
        if region.blocks[0].arguments:
            check_region_types(op.operands[1:], region.blocks[0].arguments)
    found = condition_of(ctx, op.operands[0])
    inputs = tuple(ctx.value(operand) for operand in op.operands[1:])
    name, holds, fails = op.operands[0].name, found.formula, ~found.formula
    taken = [inputs if region.blocks[0].arguments else () for region in op.regions]
    return OpSemantics(
        Results(compute=lambda yields: join_region_results(op, [holds], yields)),
        requires=_single_element_claims("C1", op.operands[0], ctx),
        regions=(
            AtMostOnce.where(holds, f"{name} is true", region=op.regions[0], arguments=taken[0]),
            AtMostOnce.where(fails, f"{name} is false", region=op.regions[1], arguments=taken[1]),
        ),
        approximations=Approximations(found.reasons, found.free),
    )


def _single_element_claims(clause: str, condition: Value, ctx: RuleContext) -> tuple[Claim, ...]:
    """Return the claim that the condition has one element; none if it always has."""
    extents = ctx.dims(condition)
    shown = tuple((f"extent {index} of {condition.name}", extent) for index, extent in enumerate(extents))
    claim = Claim(clause, equal(extent_product(extents), 1), f"{condition.name} has not one element", shown=shown)
    return () if claim.formula is TRUE else (claim,)


@rule("tosa.while_loop", example=CONTROL, effects=PURE)
def while_loop(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Runs its second region again and again while the first yields true.

    (R1) The results are the inputs after the last run: followed as what `scf.while` carries is.
    """
    (goes_on,) = op.regions[0].blocks[-1].operations[-1].operands
    if not isinstance(goes_on.type, ShapedType) or goes_on.type.extents is None or {*goes_on.type.extents} - {1}:
        raise UnknownValueError("its condition may have another number of elements than one")
    return while_loop_semantics(op, ctx)


@rule("tosa.yield", example=CONTROL, effects=PURE)
def yields(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Ends a region with its results."""
    return OpSemantics()


@rule("tosa.variable_read", example=CONTROL, effects=READS)
def variable_read(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The value of a variable.

    (R1) The result has the shape that the variable has; what was written is not followed.
    """
    type = op.results[0].type
    stated = _extents(op, ctx)
    declared = type.extents if isinstance(type, ShapedType) and type.extents is not None else ()
    if any(extent is not None and extent != known for extent, known in zip(declared, stated, strict=False)):
        raise UnknownValueError("the variable's type does not state all extents that the result's does")
    return OpSemantics((Unmodeled("what a variable holds is not followed"),))


@rule("tosa.variable_write", example=CONTROL, effects=WRITES)
def variable_write(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Gives a variable a value.

    (C1) The value has the extents that the variable's type states.
    """
    (value,), stated = op.operands, _extents(op, ctx)
    given = ctx.dims(value)
    if len(given) != len(stated):
        raise UnknownValueError("the value and the variable differ in rank")
    claims: list[Claim] = []
    for index, (extent, declared) in enumerate(zip(given, stated, strict=True)):
        if declared is not None and (formula := equal(extent, declared)) is not TRUE:
            shown = ((f"extent {index} of {value.name}", extent),)
            message = f"extent {index} of {value.name} is not the {declared} of the variable"
            claims.append(Claim("C1", formula, message, shown=shown))
    return OpSemantics(requires=claims)


def _extents(op: Operation, ctx: RuleContext) -> tuple[int | None, ...]:
    """Return the extents in the declared type of a variable; None for each dynamic one.

    Raises:
        UnknownValueError: The declaration is not found, or has no shape.
    """
    name = op.attributes.get("name")
    variable = ctx.declaration(op, SymbolRef(name)) if isinstance(name, str) else None
    shape = None if variable is None else variable.attributes.get("var_shape")
    if not isinstance(shape, DenseIntegers) or shape.values is None:
        raise UnknownValueError("the shape of the variable is not known")
    return tuple(None if extent < 0 else extent for extent in shape.values)
