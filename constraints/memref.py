"""Buffers: making them, their sizes, loads and stores. Their contents are not followed."""

from __future__ import annotations

from math import ceil

from shapesolve.language.formulas import equal
from shapesolve.language.shapes import RankedShape, same_shape
from shapesolve.reading.program import Operation, ScalarType, ShapedType, Value
from shapesolve.walking.effects import ANY_RESULT, PURE, READS, WRITES
from shapesolve.walking.region_runs import Once
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, Memory, Outside, Yields, rule
from shapesolve.walking.unknowns import variables_of
from shapesolve.walking.values import Abstract, Tensor, Unmodelled

from .extents import extent_of, not_negative, within
from .operand_lists import declared_with, segment
from .tensor_elements import data


@rule("memref.alloc", "memref.alloca", example="tests/cases/memref/alloc.mlir", effects=ANY_RESULT)
def alloc(op: Operation, see: RuleContext) -> Meaning:
    """A new buffer.

    (C1) Every size is at least 0.
    (R1) The result has these sizes.
    """
    extents = declared_with(see, op.results[0], segment(op, 0))
    memory = Memory(allocates=True, is_scoped=op.name == "memref.alloca")
    results = (Tensor(RankedShape.of(extents)),)
    return Meaning(results, claims=not_negative(extents), is_undefined=True, memory=memory, bears=())


@rule("memref.realloc", example="tests/cases/memref/alloc.mlir", effects=READS | WRITES | ANY_RESULT)
def realloc(op: Operation, see: RuleContext) -> Meaning:
    """A buffer of one dimension with another size.

    (C1) The size is at least 0.
    (R1) The result has this size.
    """
    extents = declared_with(see, op.results[0], op.operands[1:])
    memory = Memory(frees=op.operands[:1], allocates=True)
    return Meaning((Tensor(RankedShape.of(extents)),), claims=not_negative(extents), memory=memory, bears=())


@rule("memref.dealloc", example="tests/cases/memref/alloc.mlir", effects=WRITES)
def dealloc(op: Operation, see: RuleContext) -> Meaning:
    """Frees a buffer. Demands nothing of sizes; that it is freed once and not used afterwards is followed where two
    programs are compared, and only there."""
    return Meaning(memory=Memory(frees=op.operands))


@rule("memref.atomic_yield", "memref.alloca_scope.return", example="tests/cases/memref/alloc.mlir", effects=PURE)
@rule("memref.global", "memref.prefetch", example="tests/cases/memref/alloc.mlir")
def nothing(op: Operation, see: RuleContext) -> Meaning:
    """Demands nothing of sizes."""
    return Meaning()


@rule("memref.get_global", example="tests/cases/memref/alloc.mlir", effects=PURE)
def get_global(op: Operation, see: RuleContext) -> Meaning:
    """A buffer of the module.

    (R1) The result has the declared shape, which is static.
    """
    return Meaning((Tensor(RankedShape.of(declared_with(see, op.results[0], ()))),))


@rule("memref.dim", example="tests/cases/memref/load_store.mlir", effects=PURE)
def extent(op: Operation, see: RuleContext) -> Meaning:
    """The size of one dimension.

    (C1) The index is at least 0 and below the rank.
    (R1) The result is the extent of that dimension.
    """
    return extent_of(op, see)


@rule("memref.rank", example="tests/cases/memref/load_store.mlir", effects=PURE)
def rank(op: Operation, see: RuleContext) -> Meaning:
    """The number of dimensions.

    (R1) The result is the rank.
    """
    return Meaning((see.shape(op.operands[0]).rank,))


@rule("memref.load", example="tests/cases/memref/load_store.mlir", effects=READS)
def load(op: Operation, see: RuleContext) -> Meaning:
    """Reads one element.

    (C1) Every index is at least 0 and below the extent of its dimension.
    """
    source, *indices = op.operands
    claims = within([see.integer(index) for index in indices], see.dims(source), source.name)
    return Meaning((data(op.results[0], source, see),), claims=claims, unchecked=unknown_alignment(op, source))


def unknown_alignment(op: Operation, buffer: Value) -> str:
    """Why it is not known that an access is aligned as the operation says; nothing where all elements are."""
    wanted = op.attributes.get("alignment")
    if not isinstance(wanted, int):
        return ""
    element = buffer.type.element if isinstance(buffer.type, ShapedType) else None
    stored = ceil(element.width / 8) if isinstance(element, ScalarType) else 0
    return "" if stored and stored % wanted == 0 else "the alignment of addresses is not followed"


@rule("memref.store", example="tests/cases/memref/load_store.mlir", effects=WRITES)
def store(op: Operation, see: RuleContext) -> Meaning:
    """Writes one element.

    (C1) Every index is at least 0 and below the extent of its dimension.
    """
    into, *indices = op.operands[1:]
    claims = within([see.integer(index) for index in indices], see.dims(into), into.name)
    return Meaning(claims=claims, unchecked=unknown_alignment(op, into))


@rule("memref.atomic_rmw", example="tests/cases/memref/load_store.mlir", effects=READS | WRITES)
def atomic_rmw(op: Operation, see: RuleContext) -> Meaning:
    """Reads and writes one element.

    (C1) Every index is at least 0 and below the extent of its dimension.
    """
    into, *indices = op.operands[1:]
    claims = within([see.integer(index) for index in indices], see.dims(into), into.name)
    return Meaning((data(op.results[0], into, see),), claims=claims)


@rule("memref.generic_atomic_rmw", example="tests/cases/memref/load_store.mlir", effects=READS | WRITES)
def generic_atomic_rmw(op: Operation, see: RuleContext) -> Meaning:
    """Reads and writes one element; the region computes the new one from the old.

    (C1) Every index is at least 0 and below the extent of its dimension.
    """
    into, *indices = op.operands
    claims = within([see.integer(index) for index in indices], see.dims(into), into.name)
    region = op.regions[0]
    current = see.unknown(region.blocks[0].arguments[0])
    why = (see.why_unknown(into),) if variables_of(current) else ()
    run = Once(region=region, arguments=(current,))
    return Meaning(
        (data(op.results[0], into, see),), claims=claims, regions=(run,), approximations=why, free=variables_of(current)
    )


@rule("memref.copy", example="tests/cases/memref/copy.mlir", effects=READS | WRITES)
def copy(op: Operation, see: RuleContext) -> Meaning:
    """Copies one buffer into another.

    (C1) Both have the same shape.
    """
    return Meaning(claims=same_shapes(op, see))


def same_shapes(op: Operation, see: RuleContext) -> tuple[Claim, ...]:
    """Clause C1: the first two operands have the same shape."""
    source, into = op.operands[:2]
    a, b = see.shape(source), see.shape(into)
    if not isinstance(a, RankedShape) or not isinstance(b, RankedShape) or len(a.dims) != len(b.dims):
        return (Claim("C1", same_shape(a, b), f"{source.name} and {into.name} differ in shape"),)
    return tuple(
        Claim(
            "C1",
            equal(x, y),
            f"extent {number} of {into.name} is not that of {source.name}",
            shown=((f"extent {number} of {source.name}", x), (f"extent {number} of {into.name}", y)),
        )
        for number, (x, y) in enumerate(zip(a.dims, b.dims, strict=True))
    )


@rule("memref.alloca_scope", example="tests/cases/memref/alloc.mlir", effects=PURE)
def alloca_scope(op: Operation, see: RuleContext) -> Meaning:
    """A scope for buffers on the stack.

    (R1) The results are what the region returns.
    """

    def finish(yields: Yields) -> tuple[Abstract, ...]:
        returned = yields[0]
        return returned if returned is not None else tuple(Unmodelled("the scope is not followed") for _ in op.results)

    return Meaning(regions=(Once(region=op.regions[0]),), finish=finish)


@rule("memref.extract_strided_metadata", example="tests/cases/memref/views.mlir", effects=PURE)
def extract_strided_metadata(op: Operation, see: RuleContext) -> Meaning:
    """What a buffer is made of.

    (R1) The results are the base buffer of rank 0, the offset, the sizes and the strides; of these only the sizes are
    followed.
    """
    sizes = see.dims(op.operands[0])
    why = "offsets and strides of buffers are not followed"
    strides = tuple(Unmodelled(why) for _ in sizes)
    return Meaning((Tensor(RankedShape.of(())), Unmodelled(why), *sizes, *strides))


@rule(
    "memref.extract_aligned_pointer_as_index",
    example="tests/cases/memref/views.mlir",
    effects=PURE,
    outside=Outside("it hands out an address of the process"),
)
def pointer(op: Operation, see: RuleContext) -> Meaning:
    """The address of a buffer."""
    return Meaning((Unmodelled("addresses are not followed"),))


@rule(
    "memref.assume_alignment",
    "memref.memory_space_cast",
    "memref.distinct_objects",
    example="tests/cases/memref/views.mlir",
    effects=PURE,
)
def same_buffer(op: Operation, see: RuleContext) -> Meaning:
    """The same buffers. What is said of them is believed: how they are aligned, or that they do not overlap.

    (R1) The results have the shapes of the operands.
    """
    believed = () if op.name == "memref.memory_space_cast" else (f"{op.name} says what is so of memory",)
    return Meaning(tuple(Tensor(see.shape(operand)) for operand in op.operands), leans_on=believed)
