"""The `affine` dialect: maps of index values, accesses at mapped places, and branches by integer sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapesolve.language.dims import ONE, ZERO, Dim, floordiv, remainder
from shapesolve.language.extremes import maximum, minimum
from shapesolve.language.formulas import TRUE, at_least, less_than
from shapesolve.language.recording import unrecorded
from shapesolve.reading.program import AffineMap, IntegerSet, Operation, ScalarType, ShapedType, Value
from shapesolve.walking.effects import PURE, READS, WRITES
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, Simpler, rule
from shapesolve.walking.values import Abstract, Opaque, Unmodelled

from .affine_maps import applied, divisors_positive
from .affine_sets import membership
from .extents import within
from .integers import NO_WRAP, fit, in_word
from .operand_lists import mixed, segment
from .reassociation import product
from .scf import branches
from .vector_accesses import is_one_element, with_all_inside

EXAMPLE = "tests/cases/affine/maps.mlir"
ACCESS = "tests/cases/affine/access.mlir"
MEMORY = "the contents of memory are not followed"


def results_of(
    op: Operation, attribute: str, operands: Sequence[Value], see: RuleContext
) -> tuple[tuple[Dim, ...], Claim]:
    """The results of the map in an attribute, and the claim (C1) that it divides by positive numbers only."""
    map = op.attributes.get(attribute)
    if not isinstance(map, AffineMap):
        raise CannotSee("the affine map cannot be read")
    sizes = [see.integer(operand) for operand in operands]
    if len(sizes) != map.dims + map.symbols:
        raise CannotSee("the affine map has other dimensions than its operands")
    claim = Claim("C1", divisors_positive(map, sizes), "the affine map divides by a number that is not positive")
    return tuple(in_word(result)[0] for result in applied(map, sizes)), claim


@rule("affine.apply", example=EXAMPLE, effects=PURE)
def apply(op: Operation, see: RuleContext) -> Meaning:
    """The value of an affine map.

    (C1) Every divisor in the map is positive.
    (R1) The result is the map's result; divisions round down, or up for ceildiv.
    """
    results, claim = results_of(op, "map", op.operands, see)
    return Meaning(results, claims=_open(claim), leans_on=(NO_WRAP,), presumes=fit(results))


@rule("affine.min", "affine.max", example=EXAMPLE, effects=PURE)
def extremes(op: Operation, see: RuleContext) -> Meaning:
    """The least or the greatest result of an affine map.

    (C1) Every divisor in the map is positive.
    (R1) The result is the least or the greatest of the map's results.
    """
    results, claim = results_of(op, "map", op.operands, see)
    least = op.name == "affine.min"
    result = minimum(*results) if least else maximum(*results)
    chosen = (_given(op, position) for position in range(len(results)))
    with unrecorded():
        reached = [(at_least(result, each) if least else at_least(each, result)) for each in results]
    chooses = tuple((each, where) for each, where in zip(chosen, reached, strict=True) if each is not None)
    return Meaning(
        (result,), claims=_open(claim), leans_on=(NO_WRAP,), presumes=fit(results), simpler=Simpler(chooses=chooses)
    )


def _given(op: Operation, position: int) -> Value | int | None:
    """The operand or the constant that a result of the map is; None where it is computed."""
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
def branch(op: Operation, see: RuleContext) -> Meaning:
    """One of two regions, by whether index values lie in an integer set.

    (C1) Every divisor in the set is positive.
    (R1) The results are what the first region yields inside of the set, else what the second yields.
    """
    given = op.attributes.get("condition")
    if not isinstance(given, IntegerSet):
        raise CannotSee("the integer set cannot be read")
    operands = [see.integer(operand) for operand in op.operands]
    found = membership(given, operands)
    claim = Claim("C1", divisors_positive(given.computed, operands), "the integer set divides by what is not positive")
    meaning = branches(op, found.holds)
    return replace(meaning, claims=_open(claim), leans_on=(NO_WRAP,), presumes=fit(found.results))


@rule("affine.load", "affine.vector_load", example=ACCESS, effects=READS)
def load(op: Operation, see: RuleContext) -> Meaning:
    """Reads an element, or a vector of elements, at the place that an affine map gives.

    (C1) Every divisor in the map is positive.
    (C2) The place lies inside of the memref; for a vector, that of its first element.
    (C3) The rest of a vector lies inside as well. Reading beyond the end is up to the machine, so that this is not
    refuted.
    (R1) The result is whatever stands there.
    """
    results, claim = results_of(op, "map", op.operands[1:], see)
    claims = (*_open(claim), *_within(op.operands[0], results, see))
    read = Meaning(tuple(_read(result) for result in op.results), claims=claims, presumes=fit(results))
    return _wholly_inside(read, op.results[0], op.operands[0], results, see)


@rule("affine.store", "affine.vector_store", example=ACCESS, effects=WRITES)
def store(op: Operation, see: RuleContext) -> Meaning:
    """Writes an element, or a vector of elements, at the place that an affine map gives.

    (C1) Every divisor in the map is positive.
    (C2) The place lies inside of the memref; for a vector, that of its first element.
    (C3) The rest of a vector lies inside as well. Writing beyond the end is up to the machine, so that this is not
    refuted.
    """
    results, claim = results_of(op, "map", op.operands[2:], see)
    claims = (*_open(claim), *_within(op.operands[1], results, see))
    return _wholly_inside(Meaning(claims=claims, presumes=fit(results)), op.operands[0], op.operands[1], results, see)


def _wholly_inside(meaning: Meaning, part: Value, memref: Value, place: Sequence[Dim], see: RuleContext) -> Meaning:
    """A meaning with clause C3, where an access at a place is one of several elements."""
    if not isinstance(part.type, ShapedType) or is_one_element(memref, part):
        return meaning
    return with_all_inside(meaning, "C3", part, memref, place, see)


@rule("affine.prefetch", example=ACCESS, effects=WRITES)
def prefetch(op: Operation, see: RuleContext) -> Meaning:
    """A hint that a place will be read or written soon; it demands nothing."""
    return Meaning()


def _read(result: Value) -> Abstract:
    type = result.type
    if isinstance(type, ShapedType):
        return Unmodelled(MEMORY)
    return Opaque() if isinstance(type, ScalarType) and type.kind == "float" else Unmodelled(MEMORY)


def _within(memref: Value, place: Sequence[Dim], see: RuleContext) -> tuple[Claim, ...]:
    return within(place, see.dims(memref), memref.name, "C2")


@rule("affine.delinearize_index", example="tests/cases/affine/linearize.mlir", effects=PURE)
def delinearize_index(op: Operation, see: RuleContext) -> Meaning:
    """A place in row-major order as one index for each dimension.

    (C1) The sizes of the basis are positive.
    (R1) The results are quotients and remainders, rounded down, by the sizes of the inner dimensions; the outermost
    size is not used.
    """
    basis = mixed(op, see, "static_basis", op.operands[1:])
    claims = tuple(
        Claim("C1", at_least(size, 1), f"the size of dimension {index} is not positive", shown=(("size", size),))
        for index, size in enumerate(basis)
    )
    used = basis[1:] if len(basis) == len(op.results) else basis
    strides = [product(used[index:]) for index in range(len(used))]
    rest = see.integer(op.operands[0])
    reversed_results: list[Dim] = []
    for size in reversed(used):
        reversed_results.append(remainder(rest, size))
        rest = floordiv(rest, size)
    results: tuple[Abstract, ...] = (rest, *reversed(reversed_results))
    return Meaning(results, claims=claims, leans_on=(NO_WRAP,), presumes=fit(strides))


@rule("affine.linearize_index", example="tests/cases/affine/linearize.mlir", effects=PURE)
def linearize_index(op: Operation, see: RuleContext) -> Meaning:
    """The place in row-major order of one index for each dimension.

    (C1) With ``disjoint``, no size of the basis is negative, and every index lies inside of its size, except that the
    first may be negative.
    (R1) The result is the sum of the indices, each multiplied by the sizes of the inner dimensions.
    """
    indices = [see.integer(operand) for operand in segment(op, 0)]
    basis = mixed(op, see, "static_basis", segment(op, 1))
    bounded = len(basis) == len(indices)
    used = basis[1:] if bounded else basis
    total, stride = ZERO, ONE
    for index, size in zip(reversed(indices), (*reversed(used), ONE), strict=False):
        total = total + index * stride
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
    result, fits = in_word(total)
    return Meaning((result,), claims=tuple(claims), leans_on=(NO_WRAP,), presumes=fits)
