"""Claims that sizes and integer arguments decide, by the data flow of the program.

A run passes arbitrary contents. What it shows of such a claim it shows for all contents.
"""

from __future__ import annotations

from collections.abc import Iterable

from shapesolve.ir.control_flow import places_in
from shapesolve.ir.data_flow import SHAPE_ONLY
from shapesolve.ir.program import Function, Operation, Program, ScalarType, ShapedType, Value

_ALLOCATIONS = ("memref.alloc", "memref.alloca")
_SCALAR_FUNCTIONS = ("affine.apply", "affine.max", "affine.min", "arith.", "index.", "shape.")
_OF_CONTENTS = ("shape.any", "shape.value_as_shape", "shape.value_of")
_STRUCTURED = frozenset(
    (
        *(f"affine.{each}" for each in ("for", "if", "parallel")),
        *(f"scf.{each}" for each in ("execute_region", "for", "forall", "if", "index_switch", "parallel", "while")),
        *("func.func", "shape.assuming", "shape.reduce", "tensor.generate"),
    )
)
"""Operations whose operands, and the ends of whose regions, say what runs and which values their regions get."""
_COUNTED = ("affine.for", "scf.for")
_PARALLEL = ("affine.parallel", "scf.parallel", "tensor.generate")
_SIZED_BY_OPERANDS = (
    *("arith.", "linalg.", "math."),
    *(f"memref.{each}" for each in ("alloc", "alloca", "cast", "collapse_shape", "expand_shape", "subview")),
    *(f"tensor.{each}" for each in ("cast", "collapse_shape", "concat", "empty", "expand_shape", "extract_slice")),
    *(f"tensor.{each}" for each in ("from_elements", "insert", "insert_slice", "pad", "splat")),
)
"""Operations, or dialects, of which the shapes of results depend on the shapes of operands and on integers only."""


class SizeDependence:
    """The data flow of a function, asked for what its sizes and integer arguments decide."""

    def __init__(self, program: Program, function: Function) -> None:
        self._places = places_in(program)
        self._function = function.operation
        self._arguments = frozenset(function.arguments)
        self._holders = {
            argument: self._places.around[block]
            for block in function.operation.nested_blocks()
            for argument in block.arguments
        }

    def is_decided_by_sizes(self, op: Operation) -> bool:
        """Return whether sizes and integer arguments decide if control reaches an operation, and what it is given.

        False where that is not seen: something reads contents, memory or floats, or is not known.
        """
        waiting = list(op.operands)
        inner = op
        while inner is not self._function:
            block, _ = self._places.blocks[inner]
            inner = self._places.around[block]
            if inner.name not in _STRUCTURED:  # the module, for an operation of another function
                return False
            waiting += _deciding(inner) if _repeats_or_branches(inner) else inner.operands
        seen: set[Value] = set()
        while waiting:
            value = waiting.pop()
            if value in seen or _is_scalar_float(value):
                continue  # an integer made of a float is seen where it is made
            seen.add(value)
            depended_on = self._depended_on(value)
            if depended_on is None:
                return False
            waiting += depended_on
        return True

    def _depended_on(self, value: Value) -> Iterable[Value] | None:
        """Return the values on which a number, or the shape of a tensor, depends; None if something else decides it."""
        if value in self._arguments:
            return ()
        maker = self._places.makers.get(value)
        op = maker or self._holders[value]
        if op.name in _STRUCTURED:
            return op.operands if _is_counter(value, op) else _deciding(op)
        if maker is None:
            return None
        if isinstance(value.type, ShapedType):
            return op.operands if op.name.startswith(_SIZED_BY_OPERANDS) else None
        if op.name in SHAPE_ONLY and op.name not in _ALLOCATIONS:
            return op.operands
        is_known = op.name.startswith(_SCALAR_FUNCTIONS) and op.name not in _OF_CONTENTS
        return op.operands if is_known and not any(map(_is_scalar_float, op.operands)) else None


def _deciding(op: Operation) -> list[Value]:
    """Return the operands of a structured operation and those of the ends of its blocks."""
    ends = [block.operations[-1] for region in op.regions for block in region.blocks if block.operations]
    return [*op.operands, *(value for each in ends if each.name != "func.return" for value in each.operands)]


def _is_counter(value: Value, op: Operation) -> bool:
    """Return whether a value is an index over which a loop runs, so that only its bounds and steps decide it."""
    arguments = op.regions[0].blocks[0].arguments
    return value in (arguments[:1] if op.name in _COUNTED else arguments if op.name in _PARALLEL else ())


def _repeats_or_branches(op: Operation) -> bool:
    """Return whether the ends of blocks decide what runs inside an operation."""
    return op.name == "scf.while" or any(len(region.blocks) > 1 for region in op.regions)


def _is_scalar_float(value: Value) -> bool:
    return isinstance(value.type, ScalarType) and value.type.kind == "float"
