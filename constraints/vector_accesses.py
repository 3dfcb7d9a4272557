"""Several elements of a buffer read or written at once, which a vector has beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapesolve.language.dims import Dim
from shapesolve.language.formulas import Formula, at_least, conjunction, disjunction, equal, less_than
from shapesolve.reading.program import Operation, ShapedType, Value
from shapesolve.walking.effects import READS, WRITES
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule

from .extents import within
from .memref import unknown_alignment
from .vector import SCALABLE, declared

EXAMPLE = "tests/cases/vector/accesses.mlir"
BEYOND = "what the machine does beyond the end of a buffer is not known"
MASKED = "which elements its mask selects is not followed"


@rule("vector.load", example=EXAMPLE, effects=READS)
def load(op: Operation, see: RuleContext) -> Meaning:
    """Reads as many elements as a vector has, along the last dimensions of a buffer.

    (C1) The whole vector lies inside. Reading outside is up to the machine, so that this is not refuted. Where the
    vector is one element of the buffer, every index is at least 0 and below the extent of its dimension.
    (R1) The result has the declared shape.
    """
    into, *indices = op.operands
    return _access(op, see, into, indices, op.results[0], BEYOND)


@rule("vector.store", example=EXAMPLE, effects=WRITES)
def store(op: Operation, see: RuleContext) -> Meaning:
    """Writes the elements of a vector, along the last dimensions of a buffer.

    (C1) The whole vector lies inside. Writing outside is up to the machine, so that this is not refuted. Where the
    vector is one element of the buffer, every index is at least 0 and below the extent of its dimension.
    """
    vector, into, *indices = op.operands
    return _access(op, see, into, indices, vector, BEYOND)


@rule("vector.maskedload", "vector.expandload", example=EXAMPLE, effects=READS)
def masked_load(op: Operation, see: RuleContext) -> Meaning:
    """Reads the elements that a mask selects (maskedload), or as many as it selects, one after the other (expandload).

    (C1) Every element that is read lies inside. This is proved where all do that the mask could select, and is not
    refuted.
    (R1) The result has the declared shape.
    """
    into, *indices = op.operands[:-2]
    return _access(op, see, into, indices, op.results[0], MASKED)


@rule("vector.maskedstore", "vector.compressstore", example=EXAMPLE, effects=WRITES)
def masked_store(op: Operation, see: RuleContext) -> Meaning:
    """Writes the elements that a mask selects, to their places (maskedstore) or one after the other (compressstore).

    (C1) Every element that is written lies inside. This is proved where all do that the mask could select, and not
    refuted.
    """
    into, *indices = op.operands[:-2]
    return _access(op, see, into, indices, op.operands[-1], MASKED)


def _access(
    op: Operation, see: RuleContext, buffer: Value, indices: Sequence[Value], vector: Value, why: str
) -> Meaning:
    place = [see.integer(index) for index in indices]
    results = tuple(declared(result) for result in op.results)
    meaning = Meaning(results, unchecked=unknown_alignment(op, buffer))
    if is_one_element(buffer, vector) and why is BEYOND:
        return replace(meaning, claims=within(place, see.dims(buffer), buffer.name))
    return with_all_inside(meaning, "C1", vector, buffer, place, see, why)


def is_one_element(buffer: Value, part: Value) -> bool:
    """Whether a buffer has such elements as this value is."""
    whole = buffer.type
    return isinstance(whole, ShapedType) and str(whole.element) == str(part.type)


def with_all_inside(
    meaning: Meaning, clause: str, vector: Value, buffer: Value, place: Sequence[Dim], see: RuleContext, why: str
) -> Meaning:
    """A meaning with the claim that a vector at a place lies inside of a buffer; ``why`` it is not refuted."""
    type = vector.type
    extents = type.extents if isinstance(type, ShapedType) else None
    lengths = [extent for extent in extents or () if extent is not None]
    if extents is None or len(lengths) != len(extents):
        return replace(meaning, unchecked=SCALABLE)
    inside = _inside(place, see.dims(buffer), lengths)
    beyond = see.fresh(f"{buffer.name}.beyond", 0, 1)
    claim = Claim(
        clause, disjunction((inside, equal(beyond, 1))), f"the vector is not known to lie inside of {buffer.name}"
    )
    return replace(meaning, claims=(*meaning.claims, claim), approximations=(why,), free=beyond.variables)


def _inside(place: Sequence[Dim], extents: Sequence[Dim], lengths: Sequence[int]) -> Formula:
    """All elements of a vector of these lengths lie inside, which is about the last dimensions."""
    counts = [1] * (len(extents) - len(lengths)) + list(lengths)
    dimensions = zip(place, extents, counts, strict=True)
    return conjunction(
        conjunction((at_least(at, 0), less_than(at + (count - 1), extent))) for at, extent, count in dimensions
    )
