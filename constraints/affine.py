"""The `affine` dialect: maps of index values, accesses at mapped indices, branches by integer sets, and loops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapesolve.domain.values import Abstract, UnknownValue, Unmodeled
from shapesolve.ir.program import AffineMap, DenseIntegers, IntegerSet, Operation, ScalarType, ShapedType, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE, READS, WRITES
from shapesolve.semantics.op_semantics import Assumes, Claim, Folds, OpSemantics, Requires, Results
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.derivations import unrecorded
from shapesolve.symbolic.dims import ONE, ZERO, Dim, dim, floordiv, remainder
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, less_than
from shapesolve.symbolic.normal_forms import maximum, minimum
from shapesolve.trace.trust import NO_WRAP

from .scf import UNORDERED, branches, loop_results
from .transfer.affine_maps import apply_map, computed_before, divisors_positive, membership
from .transfer.control_flow import counted_loop, counter_ends_fit, induction_variable, nested_loop_body, positive_step
from .transfer.extent_tensors import extent_product
from .transfer.integers import fit_word, word_result
from .transfer.shape_checks import within
from .transfer.strided_slices import mixed_integers, segment
from .vector import is_one_element, with_all_inside

EXAMPLE = "tests/cases/affine/maps.mlir"
ACCESS = "tests/cases/affine/access.mlir"
MEMORY = "the contents of memory are not followed"


def results_of(
    op: Operation, attribute: str, operands: Sequence[Value], ctx: RuleContext
) -> tuple[tuple[Dim, ...], Claim, Formula]:
    """Return the results of the map in an attribute, the claim (C1) that its divisors are positive, and what fits.

    The last is the overflow assumption for the results and for what is computed on the way to them.

    Raises:
        UnknownValueError: There is no such map, or its dimensions do not match the operands.
    """
    map = op.attributes.get(attribute)
    if not isinstance(map, AffineMap):
        raise UnknownValueError("the affine map cannot be read")
    sizes = [ctx.integer(operand) for operand in operands]
    if len(sizes) != map.dims + map.symbols:
        raise UnknownValueError("the affine map has other dimensions than its operands")
    claim = Claim("C1", divisors_positive(map, sizes), "the affine map divides by a number that is not positive")
    results = tuple(word_result(result)[0] for result in apply_map(map, sizes))
    return results, claim, fit_word((*computed_before(map, sizes), *results))


@rule("affine.apply", example=EXAMPLE, effects=PURE)
def apply(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The value of an affine map.

    (C1) Every divisor in the map is positive.
    (R1) The result is the map's result; divisions round down, or up for ceildiv.
    """
    results, claim, fits = results_of(op, "map", op.operands, ctx)
    return OpSemantics(results, requires=_open(claim), assumes=Assumes((NO_WRAP,), fits))


@rule("affine.min", "affine.max", example=EXAMPLE, effects=PURE)
def min_max(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The least or the greatest result of an affine map.

    (C1) Every divisor in the map is positive.
    (R1) The result is the least or the greatest of the map's results.
    """
    results, claim, fits = results_of(op, "map", op.operands, ctx)
    least = op.name == "affine.min"
    result = minimum(*results) if least else maximum(*results)
    chosen = (_operand_or_constant(op, position) for position in range(len(results)))
    with unrecorded():
        reached = [(at_least(result, each) if least else at_least(each, result)) for each in results]
    chooses = tuple((each, where) for each, where in zip(chosen, reached, strict=True) if each is not None)
    return OpSemantics(
        (result,), requires=_open(claim), folds=Folds(chooses=chooses), assumes=Assumes((NO_WRAP,), fits)
    )


def _operand_or_constant(op: Operation, position: int) -> Value | int | None:
    """Return the operand or constant that a result of the map is, or None if it is computed."""
    map = op.attributes["map"]
    assert isinstance(map, AffineMap)
    result = map.results[position]
    match result.kind:
        case "dim":
            return op.operands[result.value]
        case "symbol":
            return op.operands[map.dims + result.value]
        case "constant":
            return result.value
        case _:
            return None


def _open(claim: Claim) -> tuple[Claim, ...]:
    return () if claim.formula is TRUE else (claim,)


@rule("affine.if", example="tests/cases/affine/if.mlir", effects=PURE)
def branch(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One of two regions, by whether index values lie in an integer set.

    (C1) Every divisor in the set is positive.
    (R1) The results are what the first region yields inside of the set, else what the second yields.
    """
    given = op.attributes.get("condition")
    if not isinstance(given, IntegerSet):
        raise UnknownValueError("the integer set cannot be read")
    operands = [ctx.integer(operand) for operand in op.operands]
    found = membership(given, operands)
    claim = Claim("C1", divisors_positive(given.computed, operands), "the integer set divides by what is not positive")
    semantics = branches(op, found.holds)
    return replace(semantics, requires=Requires(_open(claim)), assumes=Assumes((NO_WRAP,), fit_word(found.results)))


@rule("affine.load", "affine.vector_load", example=ACCESS, effects=READS)
def load(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Reads an element, or a vector of elements, at the place that an affine map gives.

    (C1) Every divisor in the map is positive.
    (C2) The place lies inside of the memref; for a vector, that of its first element.
    (C3) The rest of a vector lies inside as well. Reading beyond the end is up to the machine, so that this is not
    refuted.
    (R1) The result is whatever stands there.
    """
    results, claim, fits = results_of(op, "map", op.operands[1:], ctx)
    claims = (*_open(claim), *_within(op.operands[0], results, ctx))
    read = OpSemantics(
        tuple(_read(result) for result in op.results), requires=claims, assumes=Assumes(no_overflow=fits)
    )
    return _wholly_inside(read, op.results[0], op.operands[0], results, ctx)


@rule("affine.store", "affine.vector_store", example=ACCESS, effects=WRITES)
def store(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Writes an element, or a vector of elements, at the place that an affine map gives.

    (C1) Every divisor in the map is positive.
    (C2) The place lies inside of the memref; for a vector, that of its first element.
    (C3) The rest of a vector lies inside as well. Writing beyond the end is up to the machine, so that this is not
    refuted.
    """
    results, claim, fits = results_of(op, "map", op.operands[2:], ctx)
    claims = (*_open(claim), *_within(op.operands[1], results, ctx))
    return _wholly_inside(
        OpSemantics(requires=claims, assumes=Assumes(no_overflow=fits)), op.operands[0], op.operands[1], results, ctx
    )


def _wholly_inside(
    semantics: OpSemantics, part: Value, memref: Value, place: Sequence[Dim], ctx: RuleContext
) -> OpSemantics:
    """Return the semantics with clause C3 if an access covers several elements."""
    if not isinstance(part.type, ShapedType) or is_one_element(memref, part):
        return semantics
    return with_all_inside(semantics, "C3", part, memref, place, ctx)


@rule("affine.prefetch", example=ACCESS, effects=WRITES)
def prefetch(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A hint that a place will be read or written soon; it demands nothing."""
    return OpSemantics()


def _read(result: Value) -> Abstract:
    type = result.type
    if isinstance(type, ShapedType):
        return Unmodeled(MEMORY)
    return UnknownValue() if isinstance(type, ScalarType) and type.kind == "float" else Unmodeled(MEMORY)


def _within(memref: Value, place: Sequence[Dim], ctx: RuleContext) -> tuple[Claim, ...]:
    return within(place, ctx.dims(memref), memref.name, "C2")


@rule("affine.delinearize_index", example="tests/cases/affine/linearize.mlir", effects=PURE)
def delinearize_index(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A place in row-major order as one index for each dimension.

    (C1) The sizes of the basis are positive.
    (R1) The results are quotients and remainders, rounded down, by the sizes of the inner dimensions; the outermost
    size is not used.
    """
    basis = mixed_integers(op, ctx, "static_basis", op.operands[1:])
    claims = tuple(
        Claim("C1", at_least(size, 1), f"the size of dimension {index} is not positive", shown=(("size", size),))
        for index, size in enumerate(basis)
    )
    used = basis[1:] if len(basis) == len(op.results) else basis
    strides = [extent_product(used[index:]) for index in range(len(used))]
    rest = ctx.integer(op.operands[0])
    reversed_results: list[Dim] = []
    for size in reversed(used):
        reversed_results.append(remainder(rest, size))
        rest = floordiv(rest, size)
    results: tuple[Abstract, ...] = (rest, *reversed(reversed_results))
    return OpSemantics(results, requires=claims, assumes=Assumes((NO_WRAP,), fit_word(strides)))


@rule("affine.linearize_index", example="tests/cases/affine/linearize.mlir", effects=PURE)
def linearize_index(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The place in row-major order of one index for each dimension.

    (C1) With ``disjoint``, no size of the basis is negative, and every index lies inside of its size, except that the
    first may be negative.
    (R1) The result is the sum of the indices, each multiplied by the sizes of the inner dimensions.
    """
    indices = [ctx.integer(operand) for operand in segment(op, 0)]
    basis = mixed_integers(op, ctx, "static_basis", segment(op, 1))
    bounded = len(basis) == len(indices)
    used = basis[1:] if bounded else basis
    total, stride = ZERO, ONE
    strides: list[Dim] = []
    for index, size in zip(reversed(indices), (*reversed(used), ONE), strict=False):
        total = total + index * stride
        strides.append(stride)
        stride = stride * size
    claims: list[Claim] = []
    if op.attributes.get("disjoint"):
        sizes: list[Dim | None] = [*basis] if bounded else [None, *basis]
        for number, (index, size) in enumerate(zip(indices, sizes, strict=True)):
            if size is None:
                continue
            below = less_than(index, size) & at_least(size, 0)
            formula = below if number == 0 else at_least(index, 0) & below
            shown = (("index", index), ("size", size))
            message = f"the index in dimension {number} is not below the size of that dimension"
            claims.append(Claim("C1", formula, message, shown=shown))
    result, fits = word_result(total)
    fits = conjunction((fit_word(strides), fits))
    return OpSemantics((result,), requires=claims, assumes=Assumes((NO_WRAP,), fits))


@rule("affine.for", example="tests/cases/affine/for.mlir", effects=PURE)
def for_loop(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A loop from the greatest result of one affine map up to, not including, the least result of another.

    (C1) Every divisor in the maps is positive.
    (R1) The results are what the last iteration yields, or the initial values: followed as what `scf.for`
    carries is.
    """
    lowers, first, low_fits = results_of(op, "lowerBoundMap", segment(op, 0), ctx)
    uppers, second, high_fits = results_of(op, "upperBoundMap", segment(op, 1), ctx)
    step = op.attributes.get("step", 1)
    if not isinstance(step, int):
        raise UnknownValueError("the step cannot be read")
    count = induction_variable(op.regions[0].blocks[0].arguments[0], maximum(*lowers), minimum(*uppers), dim(step), ctx)
    carried = tuple(ctx.value(operand) for operand in segment(op, 2))
    run = counted_loop(op.regions[0], count, count.value, carried)
    return OpSemantics(
        Results(compute=lambda yields: loop_results(op, yields)),
        requires=tuple(claim for claim in (first, second) if claim.formula is not TRUE),
        regions=(run,),
        assumes=Assumes((NO_WRAP,), conjunction((low_fits, high_fits, counter_ends_fit([count])))),
    )


@rule("affine.parallel", example="tests/cases/affine/parallel.mlir", effects=PURE)
def parallel(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Nested loops between affine bounds whose iterations run in any order.

    (C1) Every divisor in the maps is positive.
    (C2) Every step is positive.
    (R1) The results are reductions in no particular order, which are not followed.
    """
    lower_map, upper_map = (op.attributes.get(name) for name in ("lowerBoundsMap", "upperBoundsMap"))
    if not isinstance(lower_map, AffineMap) or not isinstance(upper_map, AffineMap):
        raise UnknownValueError("the bounds cannot be read")
    split = lower_map.dims + lower_map.symbols
    lowers, first, low_fits = results_of(op, "lowerBoundsMap", op.operands[:split], ctx)
    uppers, second, high_fits = results_of(op, "upperBoundsMap", op.operands[split:], ctx)
    steps = op.attributes.get("steps")
    arguments = op.regions[0].blocks[0].arguments
    if not isinstance(steps, tuple) or len(steps) != len(arguments):
        raise UnknownValueError("the steps cannot be read")
    lengths = [dim(int(str(step))) for step in steps]
    counters = [
        induction_variable(argument, maximum(*low), minimum(*high), step, ctx)
        for argument, low, high, step in zip(
            arguments, _grouped(op, "lower", lowers), _grouped(op, "upper", uppers), lengths, strict=True
        )
    ]
    results = tuple(_reduced(result) for result in op.results)
    return OpSemantics(
        Results(compute=lambda _: results),
        requires=tuple(
            claim
            for claim in (first, second, *(positive_step(step, "C2") for step in lengths))
            if claim.formula is not TRUE
        ),
        regions=(nested_loop_body(op.regions[0], counters),),
        assumes=Assumes((NO_WRAP,), conjunction((low_fits, high_fits, counter_ends_fit(counters)))),
    )


def _grouped(op: Operation, which: str, bounds: Sequence[Dim]) -> list[Sequence[Dim]]:
    """Return the bounds of each loop: the greatest lower bound and the least upper bound apply."""
    sizes = op.attributes.get(f"{which}BoundsGroups")
    if not isinstance(sizes, DenseIntegers) or sizes.values is None:
        raise UnknownValueError("the groups of bounds cannot be read")
    left = iter(bounds)
    return [[next(left) for _ in range(size)] for size in sizes.values]


def _reduced(result: Value) -> Abstract:
    type = result.type
    return UnknownValue() if isinstance(type, ScalarType) and type.kind == "float" else Unmodeled(UNORDERED)
