"""PyTorch's views of memory: where the elements of a tensor lie is not followed, their number is."""

from __future__ import annotations

from shapesolve.language.dims import dim
from shapesolve.language.formulas import FALSE, at_least, conjunction, disjunction, equal
from shapesolve.reading.program import Operation
from shapesolve.walking.effects import STOPS
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Meaning, rule
from shapesolve.walking.values import Unmodelled

from .torch_values import check, integers, is_given, of_extents, own_axis_of, product, refused

EXAMPLE = "tests/cases/torch/memory.mlir"
_MEMORY = "where the elements of a tensor lie in memory is not followed"


@rule("torch.aten.as_strided", "torch.aten.as_strided_copy", example=EXAMPLE, effects=STOPS)
def strided_view(op: Operation, see: RuleContext) -> Meaning:
    """Elements of the memory behind a tensor, some steps apart, from an offset on.

    (C1) There is a step for each size.
    (C2) No size and no step is negative, nor is the offset.
    (C3) Where there are elements, they lie in the memory, which may be larger or smaller than the tensor.
    (R1) The result has the sizes.
    """
    sizes, steps = integers(see, op.operands[1]), integers(see, op.operands[2])
    if len(sizes) != len(steps):
        return refused(op, check("C1", FALSE, f"there are {len(steps)} steps for {len(sizes)} sizes"))
    numbers = [*sizes, *steps]
    last = sum(((size - 1) * step for size, step in zip(sizes, steps, strict=True)), dim(0))
    held = see.fresh(f"{op.operands[0].name} memory")
    unknown = held.variables
    if is_given(see, op.operands[3]):
        offset = see.integer(op.operands[3])
        numbers.append(offset)
    else:
        offset = see.fresh(f"{op.operands[0].name} offset")
        unknown |= offset.variables
    valid = conjunction(at_least(each, 0) for each in numbers)
    inside = disjunction((equal(product(sizes), 0), at_least(held, offset + last + 1)))
    shown = (
        *((f"size {at}", each) for at, each in enumerate(sizes)),
        *((f"step {at}", e) for at, e in enumerate(steps)),
    )
    claims = (
        check("C2", valid, "a size, a step or the offset is negative", shown),
        check("C3", inside, "the elements lie outside of the memory", shown),
    )
    return Meaning((of_extents(sizes),), claims=claims, approximations=(_MEMORY,), free=unknown)


@rule(
    "torch.aten.sym_stride.int",
    "torch.aten.stride.int",
    "torch.aten.sym_storage_offset",
    example=EXAMPLE,
    effects=STOPS,
)
def place_in_memory(op: Operation, see: RuleContext) -> Meaning:
    """How far elements lie apart in memory, or where the first lies.

    (R1) The result is not followed.
    """
    if len(op.operands) > 1:
        own_axis_of(see, op.operands[1], see.dims(op.operands[0]))
    return Meaning((Unmodelled(_MEMORY),))
