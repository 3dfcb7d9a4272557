"""Several elements of a buffer read or written at once, which a vector has beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapesolve.language.dims import ZERO, Dim, dim
from shapesolve.language.extremes import choose, minimum
from shapesolve.language.formulas import (
    FALSE,
    TRUE,
    Formula,
    IsNonNegative,
    at_least,
    conjunction,
    disjunction,
    equal,
    implies,
    less_than,
)
from shapesolve.reading.program import Operation, ShapedType, Value
from shapesolve.walking.effects import READS, WRITES
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule

from .extents import within
from .integers import as_truth
from .memref import unknown_alignment
from .vector import MASKED, SCALABLE, declared, unrefuted

EXAMPLE = "tests/cases/vector/accesses.mlir"
BEYOND = "what the machine does beyond the end of a buffer is not known"


@rule("vector.load", example=EXAMPLE, effects=READS)
def load(op: Operation, see: RuleContext) -> Meaning:
    """Reads as many elements as a vector has, along the last dimensions of a buffer.

    (C1) The whole vector lies inside. Reading outside is up to the machine, so that this is not refuted. Where the
    vector is one element of the buffer, every index is at least 0 and below the extent of its dimension.
    (R1) The result has the declared shape.
    """
    into, *indices = op.operands
    return _access(op, see, into, indices, op.results[0])


@rule("vector.store", example=EXAMPLE, effects=WRITES)
def store(op: Operation, see: RuleContext) -> Meaning:
    """Writes the elements of a vector, along the last dimensions of a buffer.

    (C1) The whole vector lies inside. Writing outside is up to the machine, so that this is not refuted. Where the
    vector is one element of the buffer, every index is at least 0 and below the extent of its dimension.
    """
    vector, into, *indices = op.operands
    return _access(op, see, into, indices, vector)


@rule("vector.maskedload", "vector.expandload", example=EXAMPLE, effects=READS)
def masked_load(op: Operation, see: RuleContext) -> Meaning:
    """Reads the elements that a mask selects (maskedload), or as many as it selects, one after the other (expandload).

    (C1) Every element that is read lies inside. Of a mask that is not known this is proved where all do that it could
    select, and not refuted.
    (R1) The result has the declared shape.
    """
    into, *indices = op.operands[:-2]
    return _masked(op, see, into, indices, op.results[0])


@rule("vector.maskedstore", "vector.compressstore", example=EXAMPLE, effects=WRITES)
def masked_store(op: Operation, see: RuleContext) -> Meaning:
    """Writes the elements that a mask selects, to their places (maskedstore) or one after the other (compressstore).

    (C1) Every element that is written lies inside. Of a mask that is not known this is proved where all do that it
    could select, and not refuted.
    """
    into, *indices = op.operands[:-2]
    return _masked(op, see, into, indices, op.operands[-1])


def _access(op: Operation, see: RuleContext, buffer: Value, indices: Sequence[Value], vector: Value) -> Meaning:
    place = [see.integer(index) for index in indices]
    meaning = _of_results(op, buffer)
    if is_one_element(buffer, vector):
        return replace(meaning, claims=within(place, see.dims(buffer), buffer.name))
    return with_all_inside(meaning, "C1", vector, buffer, place, see)


def _masked(op: Operation, see: RuleContext, buffer: Value, indices: Sequence[Value], vector: Value) -> Meaning:
    place, extents = [see.integer(index) for index in indices], see.dims(buffer)
    mask, meaning = op.operands[-2], _of_results(op, buffer)
    selected = see.elements(mask) if isinstance(mask.type, ShapedType) and len(mask.type.extents or ()) == 1 else None
    if selected is None:
        return with_all_inside(meaning, "C1", vector, buffer, place, see, MASKED)
    inside = _selected_inside(op, list(map(as_truth, selected)), place, extents)
    return replace(meaning, claims=(Claim("C1", inside, f"an element that is selected lies outside of {buffer.name}"),))


def _selected_inside(op: Operation, mask: Sequence[Formula], place: Sequence[Dim], extents: Sequence[Dim]) -> Formula:
    """All elements that a mask selects lie inside."""
    end = _end(mask)
    if end is not None:
        return disjunction((at_least(0, end), _inside(place, extents, [minimum(end, len(mask))])))
    if op.name in ("vector.expandload", "vector.compressstore"):
        count = sum((choose(each, 1, 0) for each in mask), ZERO)
        return disjunction((equal(count, 0), _inside(place, extents, [count])))
    lanes = [_inside([*place[:-1], place[-1] + lane], extents, []) for lane in range(len(mask))]
    return conjunction(map(implies, mask, lanes))


def _end(mask: Sequence[Formula]) -> Dim | None:
    """The number below which a mask is true, as `vector.create_mask` makes it; None where it is not seen to be one."""
    if all(each is TRUE or each is FALSE for each in mask):
        end = dim(sum(each is TRUE for each in mask))
    elif isinstance(mask[0], IsNonNegative):
        end = mask[0].size + 1
    else:
        return None
    return end if all(each is less_than(lane, end) for lane, each in enumerate(mask)) else None


def _of_results(op: Operation, buffer: Value) -> Meaning:
    return Meaning(tuple(declared(result) for result in op.results), unchecked=unknown_alignment(op, buffer))


def is_one_element(buffer: Value, part: Value) -> bool:
    """Whether a buffer has such elements as this value is."""
    whole = buffer.type
    return isinstance(whole, ShapedType) and str(whole.element) == str(part.type)


def with_all_inside(
    meaning: Meaning,
    clause: str,
    vector: Value,
    buffer: Value,
    place: Sequence[Dim],
    see: RuleContext,
    why: str = BEYOND,
) -> Meaning:
    """A meaning with the claim that a vector at a place lies inside of a buffer; ``why`` it is not refuted."""
    type = vector.type
    extents = type.extents if isinstance(type, ShapedType) else None
    lengths = [extent for extent in extents or () if extent is not None]
    if extents is None or len(lengths) != len(extents):
        return replace(meaning, unchecked=SCALABLE)
    inside = _inside(place, see.dims(buffer), lengths)
    claim = Claim(clause, inside, f"the vector is not known to lie inside of {buffer.name}")
    return unrefuted(meaning, [claim], f"{buffer.name}.beyond", see, why)


def _inside(place: Sequence[Dim], extents: Sequence[Dim], lengths: Sequence[int | Dim]) -> Formula:
    """All elements of a vector of these lengths lie inside, which is about the last dimensions."""
    counts = [*(1 for _ in extents[len(lengths) :]), *lengths]
    dimensions = zip(place, extents, counts, strict=True)
    return conjunction(conjunction((at_least(at, 0), at_least(extent, at + count))) for at, extent, count in dimensions)
