"""Elementwise operations on scalars and on shaped values of equal extents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from shapesolve.domain.fresh_variables import integer_range
from shapesolve.domain.values import Abstract, Element, Tensor, UnknownValue, Unmodeled
from shapesolve.ir.program import Operation, ScalarType, ShapedType, Value
from shapesolve.reasons import Reason
from shapesolve.records import record
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.op_semantics import (
    Approximations,
    Assumes,
    Claim,
    Ensures,
    Explained,
    OpSemantics,
    PoisonFlow,
    Requires,
    Results,
    Successors,
)
from shapesolve.symbolic.atoms import variables_in
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, equal
from shapesolve.symbolic.shape_kinds import RankedShape, Shape
from shapesolve.symbolic.shapes import same_extents
from shapesolve.trace.trust import NO_SIZE_WRAPS, NO_WRAP

from .integers import element_type

UNKNOWN_ELEMENTS = "the elements of a tensor are not followed"


@record
class Computed:
    """The results of an operation for one element of each operand.

    Attributes:
        results: The elements of the results, None for one that is not modeled.
        claims: The requirements on these elements.
        reason: The reason why a result is not modeled.
        bounded: The bounds of an unmodeled result, if known.
        invariant: Further bounds of an unmodeled result in terms of the operands, in symbols and in words, if any.
        through: Variables of the invariant for numbers that the operands determine, and that are not modeled either.
        known: What is known of these: stated first, for a result to be replaced by them, and not an operand.
        no_overflow: The overflow assumption under which the results are right.
        flags_hold: The condition under which overflow flags make no poison, where that is not claimed.
        unchecked: The reason why the claims may not be all requirements.
    """

    results: tuple[Element | None, ...]
    claims: tuple[Claim, ...] = ()
    reason: Reason = ""
    bounded: tuple[int, int] | None = None
    invariant: Callable[[Dim], Explained] | None = None
    through: tuple[Dim, ...] = ()
    known: tuple[Explained, ...] = ()
    no_overflow: Formula = TRUE
    flags_hold: Formula = TRUE
    unchecked: str = ""


Compute = Callable[[tuple[Element, ...]], Computed]


def elementwise(
    op: Operation, ctx: RuleContext, compute: Compute, *, poison_flow: PoisonFlow = PoisonFlow.ANY_OPERAND
) -> OpSemantics:
    """Return the semantics of an integer operation; its clause C1 requires shaped operands of equal extents."""
    semantics = _elementwise(op, ctx, compute)
    return replace(semantics, results=replace(semantics.results, poison_flow=poison_flow))


def _elementwise(op: Operation, ctx: RuleContext, compute: Compute) -> OpSemantics:
    if not any(isinstance(operand.type, ShapedType) for operand in op.operands):
        return _on_numbers(op, ctx, compute)
    shape, claims = common_shape(op.operands, ctx, "C1")
    rows = element_rows([ctx.elements(operand) for operand in op.operands])
    if rows is None:
        return _on_unknown_elements(op, ctx, compute, shape, claims)
    computed = [compute(row) for row in rows]
    results: list[Abstract] = []
    for position in range(len(op.results)):
        column = tuple(each.results[position] for each in computed)
        known = tuple(element for element in column if element is not None)
        results.append(Tensor(shape, known if len(known) == len(column) else None))
    demands = _combined(claim for each in computed for claim in each.claims)
    return OpSemantics(
        tuple(results),
        requires=Requires((*claims, *demands), unknown=_unchecked(computed)),
        successors=Successors(may_not_return=_unchecked(computed)),
        assumes=_assumes(op, computed),
    )


def on_floats(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Return the semantics of a float operation whose elements are unknown: results have the shape of the operands.

    Raises:
        UnknownValueError: A result has a shape and no operand has one.
    """
    shaped = [operand for operand in op.operands if isinstance(operand.type, ShapedType)]
    shape, claims = common_shape(shaped, ctx, "C1") if shaped else (None, ())
    results: list[Abstract] = []
    for result in op.results:
        if isinstance(result.type, ShapedType):
            if shape is None:
                raise UnknownValueError("the result has a shape and no operand has one")
            results.append(Tensor(shape))
        elif isinstance(result.type, ScalarType) and result.type.kind != "float":
            results.append(Unmodeled(ctx.reason_floats_unknown(op)))
        else:
            results.append(UnknownValue())
    return OpSemantics(Results(tuple(results), poison_flow=PoisonFlow.ANY_OPERAND), requires=claims)


def common_shape(operands: Sequence[Value], ctx: RuleContext, clause: str) -> tuple[Shape, tuple[Claim, ...]]:
    """Return the shape of operands that must have equal extents, and the claims that they do.

    Vectors of one type always agree, scalable ones too.
    """
    shapes = [ctx.shape(operand) for operand in operands]
    first = shapes[0]
    if isinstance(operands[0].type, ShapedType) and operands[0].type.container == "vector":
        return first, ()
    claims: dict[Formula, Claim] = {}
    for operand, shape in zip(operands[1:], shapes[1:], strict=True):
        for claim in _same(operands[0], first, operand, shape, clause):
            claims.setdefault(claim.formula, claim)
    return _most_constant(shapes), tuple(claims.values())


def _same(a: Value, first: Shape, b: Value, second: Shape, clause: str) -> list[Claim]:
    if (
        isinstance(first, RankedShape)
        and isinstance(second, RankedShape)
        and first.valid is TRUE
        and second.valid is TRUE
        and len(first.dims) == len(second.dims)
    ):
        return [
            Claim(
                clause,
                equal(x, y),
                f"the operands differ in extent {index}",
                shown=((f"extent {index} of {a.name}", x), (f"extent {index} of {b.name}", y)),
            )
            for index, (x, y) in enumerate(zip(first.dims, second.dims, strict=True))
            if _declared(a, index) is None or _declared(a, index) != _declared(b, index)
        ]
    return [Claim(clause, same_extents(first, second), "the operands differ in shape")]


def _declared(value: Value, index: int) -> int | None:
    """Return the declared extent, or None if it is dynamic.

    Types of operands may disagree: of three operands, the verifier compares only some.
    """
    extents = value.type.extents if isinstance(value.type, ShapedType) else None
    return extents[index] if extents is not None and index < len(extents) else None


def _most_constant(shapes: list[Shape]) -> Shape:
    ranked = [shape for shape in shapes if isinstance(shape, RankedShape)]
    if len(ranked) != len(shapes) or len({len(shape.dims) for shape in ranked}) != 1:
        return ranked[0] if ranked else shapes[0]
    columns = zip(*(shape.dims for shape in ranked), strict=True)
    return RankedShape.of(next((extent for extent in column if extent.is_constant), column[0]) for column in columns)


def _on_numbers(op: Operation, ctx: RuleContext, compute: Compute) -> OpSemantics:
    computed = compute(tuple(_element(operand, ctx) for operand in op.operands))
    results: list[Abstract] = []
    free: list[Dim] = []
    for value, result in zip(op.results, computed.results, strict=True):
        if result is not None:
            results.append(result)
        elif computed.bounded is not None:
            free.append(ctx.fresh(value.name, *computed.bounded))
            results.append(free[-1])
        else:
            results.append(Unmodeled(computed.reason))
    found = map(computed.invariant, free) if computed.invariant else ()
    invariants = Ensures((*computed.known, *found), are_invariants=True)
    return OpSemantics(
        tuple(results),
        requires=Requires(tuple(claim for claim in computed.claims), unknown=computed.unchecked),
        successors=Successors(may_not_return=computed.unchecked),
        ensures=invariants,
        approximations=Approximations(
            (computed.reason,) if free else (), variables_in((*free, *computed.through)) if free else frozenset()
        ),
        assumes=_assumes(op, [computed]),
    )


def _on_unknown_elements(
    op: Operation, ctx: RuleContext, compute: Compute, shape: Shape, claims: tuple[Claim, ...]
) -> OpSemantics:
    """Apply an operation to one unknown element of each operand, which stands for all of them."""
    row: list[Element] = []
    for operand in op.operands:
        type = operand.type.element if isinstance(operand.type, ShapedType) else operand.type
        if not isinstance(type, ScalarType) or type.kind == "float":
            raise UnknownValueError(f"the elements of {operand.name} are no integers")
        element = ctx.fresh(f"{operand.name}.element", *((0, 1) if type.is_boolean else integer_range(type)))
        row.append(equal(element, 1) if type.is_boolean else element)
    computed = compute(tuple(row))
    open_claims = tuple(claim for claim in computed.claims if claim.formula is not TRUE)
    free = frozenset(variable for element in row for variable in element.variables)
    return OpSemantics(
        tuple(Tensor(shape) for _ in op.results),
        requires=Requires((*claims, *open_claims), unknown=computed.unchecked),
        successors=Successors(may_not_return=computed.unchecked),
        approximations=Approximations((UNKNOWN_ELEMENTS,) if open_claims else (), free if open_claims else frozenset()),
        assumes=_no_poison(op, computed),
    )


def _no_poison(op: Operation, computed: Computed) -> Assumes:
    """Return the overflow assumption on unknown elements: they may be anything, but poison only by a flag."""
    spelled = str(op.attributes.get("overflowFlags", ""))
    has_flags = "nsw" in spelled or "nuw" in spelled
    return Assumes((NO_WRAP,), computed.no_overflow, flags_hold=computed.flags_hold) if has_flags else Assumes()


def _assumes(op: Operation, computed: Sequence[Computed]) -> Assumes:
    flags_hold = conjunction(each.flags_hold for each in computed)
    return Assumes(assumption_texts(op, computed), overflow_assumption(computed), flags_hold=flags_hold)


def element_rows(columns: Sequence[tuple[Element, ...] | None]) -> list[tuple[Element, ...]] | None:
    """Return one element of each operand for every position, or None if an operand's elements are not known."""
    known = [column for column in columns if column is not None]
    if len(known) != len(columns) or len({len(column) for column in known}) != 1:
        return None
    return list(zip(*known, strict=True))


def _element(operand: Value, ctx: RuleContext) -> Element:
    found = ctx.value(operand)
    if not isinstance(found, Dim | Formula):
        raise UnknownValueError(f"the value of {operand.name} is not known")
    return found


def _combined(claims: Iterable[Claim]) -> list[Claim]:
    """Join the claims about single elements that have one clause and message."""
    alike: dict[tuple[str, str], list[Claim]] = {}
    for claim in claims:
        alike.setdefault((claim.clause, claim.message), []).append(claim)
    joined: list[Claim] = []
    for group in alike.values():
        first_open = next((claim for claim in group if claim.formula is not TRUE), group[0])
        joined.append(replace(first_open, formula=conjunction(claim.formula for claim in group)))
    return joined


def assumption_texts(op: Operation, computed: Sequence[Computed]) -> tuple[str, ...]:
    """Return the assumptions of the results, in words."""
    if all(each.no_overflow is TRUE for each in computed):
        return ()
    return (NO_SIZE_WRAPS,) if element_type(op.results[0].type).width == 32 else (NO_WRAP,)


def overflow_assumption(computed: Sequence[Computed]) -> Formula:
    """Return the overflow assumption under which the results are right."""
    return conjunction(each.no_overflow for each in computed)


def _unchecked(computed: Sequence[Computed]) -> str:
    return next((each.unchecked for each in computed if each.unchecked), "")
