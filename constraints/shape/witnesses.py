"""Constraints, assertions and witnesses of the shape dialect, and its reductions and functions.

An assertion is where the program stops, so it carries the obligation. A witness remembers the assertion that it comes
from. If it comes from elsewhere (a constant, an argument), the region that assumes it carries the obligation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shapesolve.domain.values import Abstract, Size, Unmodeled, Witness
from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE, STOPS
from shapesolve.semantics.op_semantics import Approximations, Assumes, Claim, Ensures, OpSemantics, Results, Yields
from shapesolve.semantics.regions import AtMostOnce, GenericIteration, RegionRun, UnrolledLoop, loop
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, equal
from shapesolve.symbolic.shape_kinds import RankedShape, Shape
from shapesolve.symbolic.shapes import broadcastable, same_shape
from shapesolve.trace.events import Kind
from shapesolve.trace.trust import NO_WRAP

from ..transfer.extent_tensors import as_result_size, authors_messages, is_error_free, read_shapes, shown_extents
from .folds import Folding

QUESTIONS = "tests/cases/shape/questions.mlir"
ASSERTIONS = "tests/cases/shape/assertions.mlir"


def _all_same(*shapes: Shape) -> Formula:
    return conjunction(same_shape(shapes[0], other) for other in shapes[1:])


@rule("shape.is_broadcastable", example=QUESTIONS, effects=PURE)
def is_broadcastable(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Compatibility of shapes under broadcasting, aligned from the right.

    (R1) True where in every column all extents that are not 1 are equal, and no operand is an error.
    """
    read = read_shapes(ctx, *op.operands)
    return read.semantics(broadcastable(*read.shapes))


@rule("shape.shape_eq", example=QUESTIONS, effects=PURE)
def shape_eq(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Equality of shapes.

    (R1) True where all ranks and extents are; an error equals only an error.
    """
    read = read_shapes(ctx, *op.operands)
    return read.semantics(_all_same(*read.shapes))


@rule("shape.cstr_broadcastable", example=ASSERTIONS, effects=STOPS)
def cstr_broadcastable(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Asserts that shapes broadcast together, aligned from the right.

    (C1) In every column all extents that are not 1 are equal.
    (R1) The witness passes where they are.
    """
    return _assertion(op, ctx, broadcastable, "the shapes do not broadcast")


@rule("shape.cstr_eq", example=ASSERTIONS, effects=STOPS)
def cstr_eq(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Asserts that shapes are equal.

    (C1) All ranks and extents are equal.
    (R1) The witness passes where they are.
    """
    return _assertion(op, ctx, _all_same, "the shapes are not equal")


def _assertion(op: Operation, ctx: RuleContext, claim: Callable[..., Formula], message: str) -> OpSemantics:
    if not op.operands:
        return OpSemantics(results=(Witness(TRUE, asserted=True),))
    try:
        read = read_shapes(ctx, *op.operands)
    except UnknownValueError as reason:
        # An assertion on unknown operands has an unknown outcome, so that the report still lists it.
        outcome = ctx.fresh(op.results[0].name, 0, 1)
        unknown = equal(outcome, 1)
        return OpSemantics(
            results=(Witness(unknown, asserted=True),),
            requires=(Claim("C1", unknown, message, Kind.CHECK, is_barrier=False),),
            approximations=Approximations((str(reason),), outcome.variables),
        )
    formula = claim(*read.shapes)
    asserted = Claim("C1", formula, message, Kind.CHECK, shown_extents(op, read.shapes), is_barrier=False)
    return read.semantics(Witness(formula, asserted=True), claims=(asserted,))


@rule("shape.cstr_require", example=ASSERTIONS, effects=STOPS)
def cstr_require(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Asserts a condition.

    (C1) The condition holds.
    (R1) The witness passes where it does.
    """
    condition = ctx.truth(op.operands[0])
    messages = authors_messages(op, "msg")
    claim = Claim("C1", condition, "the requirement fails", Kind.CHECK, is_barrier=False, authors_messages=messages)
    return OpSemantics(results=(Witness(condition, asserted=True),), requires=(claim,))


@rule("shape.const_witness", example=ASSERTIONS, effects=PURE)
def const_witness(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A witness that is known to pass, or known not to.

    (R1) The witness passes where the constant is true. Nothing stops here when it is false.
    """
    passing = op.attributes.get("passing") is True
    return OpSemantics(results=(Witness(TRUE, asserted=True) if passing else Witness(~TRUE),))


@rule("shape.assuming_all", example=ASSERTIONS, effects=PURE)
def assuming_all(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Several witnesses as one.

    (R1) The witness passes where all do.
    """
    found = [ctx.value(operand) for operand in op.operands]
    passing = conjunction(ctx.witness(operand) for operand in op.operands)
    return OpSemantics(results=(Witness(passing, all(isinstance(w, Witness) and w.asserted for w in found)),))


@rule("shape.assuming", example=ASSERTIONS, effects=STOPS)
def assuming(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Runs its region where a witness passes, and stops the program where it does not.

    (C1) The witness passes. (That of a `shape.cstr_*` is judged there, once; it is not asked for again.)
    (R1) The results are what the region yields. Whatever is computed from them happens only where the witness passes;
    other operations may run before the assertion is looked at, and may not rely on it.
    """
    witness = ctx.value(op.operands[0])
    if not isinstance(witness, Witness):
        raise UnknownValueError(f"the witness {op.operands[0].name} is not known")
    claims: tuple[Claim, ...] = ()
    if not witness.asserted:
        claims = (Claim("C1", witness.passing, f"the witness {op.operands[0].name} does not pass", Kind.CHECK),)

    def finish(yields: Yields) -> tuple[Abstract, ...]:
        yielded = yields[0]
        if yielded is None:
            return tuple(Unmodeled("what the region yields is not known") for _ in op.results)
        return yielded

    run = AtMostOnce.where(witness.passing, f"the witness {op.operands[0].name} passes", region=op.regions[0])
    return OpSemantics(Results(compute=finish, guard=witness.passing), requires=claims, regions=(run,))


@rule("shape.assuming_yield", example=ASSERTIONS, effects=PURE)
def assuming_yield(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Ends the region of shape.assuming with its results."""
    return OpSemantics()


REDUCE = "tests/cases/shape/reduce.mlir"


@rule("shape.reduce", example=REDUCE, effects=PURE)
def reduce(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Folds the extents of a shape, from the left.

    (R1) The results are what the region yields for the last extent; the initial values for a scalar's shape.
    (R2) A result that is a size is an error where the shape is.
    (R3) Of a shape of unknown rank a product, sum, greatest or least of the extents, the last one, the rank times a
    number, and whether all or any extents compare so with a number are known for all ranks; other results may be
    anything.
    """
    read = read_shapes(ctx, op.operands[0])
    shape, region = read.first, op.regions[0]
    initial = tuple(ctx.value(operand) for operand in op.operands[1:])
    _, extent_argument, *accumulators = region.blocks[0].arguments
    folding = None if isinstance(shape, RankedShape) else Folding(op, ctx, shape)
    known: list[Abstract | None] = [None for _ in initial] if folding is None else folding.results()
    if isinstance(shape, RankedShape):
        trips = tuple(
            (dim(index), as_result_size(extent_argument, extent, shape.valid))
            for index, extent in enumerate(shape.dims)
        )
        run: RegionRun = UnrolledLoop(region=region, trips=trips, carries=initial, runs=shape.valid)
    else:
        # The rank is unknown, so the body runs on a generic extent.
        index = ctx.fresh(region.blocks[0].arguments[0].name)
        extent = as_result_size(extent_argument, ctx.fresh(extent_argument.name), shape.valid)
        why = "a shape of unknown rank is folded"
        if known and None not in known:
            carried = (_any_like(value, argument, ctx) for value, argument in zip(known, accumulators, strict=True))
            run = GenericIteration(region=region, arguments=(index, extent, *carried), approximate=why, in_order=True)
        else:
            run = loop(region=region, arguments=(index, extent), carries=initial, approximate=why)

    def finish(yields: Yields) -> tuple[Abstract, ...]:
        steps: Sequence[Abstract] = yields[0] or [Unmodeled("what the region yields is not known") for _ in known]
        found = (step if value is None else value for value, step in zip(known, steps, strict=True))
        return tuple(
            Size(value.value, conjunction((value.valid, shape.valid)))
            if isinstance(value, Size) and not is_error_free(result)
            else value
            for result, value in zip(op.results, found, strict=True)
        )

    fits = conjunction(folding.fits) if folding is not None else TRUE
    modeling = read.modeling if fits is TRUE else (*read.modeling, NO_WRAP)
    return OpSemantics(
        Results(compute=finish),
        ensures=Ensures(operand_facts=read.known),
        regions=(run,),
        assumes=Assumes(modeling, fits),
    )


def _any_like(value: Abstract | None, argument: Value, ctx: RuleContext) -> Abstract:
    """Return an accumulator before any extent: an arbitrary value of its kind."""
    if isinstance(value, Formula):
        return equal(ctx.fresh(argument.name, 0, 1), 1)
    number = ctx.fresh(argument.name, None, None)
    return Size(number, ctx.validity(argument.name)) if isinstance(value, Size) else number


@rule("shape.yield", example=REDUCE, effects=PURE)
def yields(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Ends the region of shape.reduce with the values for the next extent."""
    return OpSemantics()


@rule("shape.return", example="tests/cases/shape/function.mlir", effects=PURE)
def returns(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Ends a shape.func with its results."""
    return OpSemantics()
