"""Which operations compute nothing but a function of their operands, so far as that can be told by their names."""

from __future__ import annotations

from shapesolve.reading.program import Operation, ShapedType

_VALUE_DIALECTS = frozenset(
    (
        "affine",
        "arith",
        "builtin",
        "chlo",
        "complex",
        "index",
        "linalg",
        "math",
        "quant",
        "scf",
        "shape",
        "stablehlo",
        "tensor",
        "tosa",
        "vector",
    )
)
"""Dialects whose operations, on values only, read and change nothing else."""

_OTHERS = frozenset(("func.return", "func.constant", "cf.assert"))

_STATEFUL = frozenset(("tosa.variable", "tosa.variable_read", "tosa.variable_write", "stablehlo.custom_call"))

_ANY_RESULT = frozenset(
    (
        "bufferization.alloc_tensor",
        "linalg.fill_rng_2d",
        "memref.alloc",
        "memref.alloca",
        "shape.any",
        "stablehlo.infeed",
        "stablehlo.recv",
        "stablehlo.rng",
        "stablehlo.rng_bit_generator",
        "tensor.empty",
        "tosa.custom",
        "ub.poison",
    )
)
"""Operations of which two runs on the same operands may give different results."""


def gives_any_result(op: Operation) -> bool:
    """Whether two runs of the operation on the same operands, in the same state, may differ."""
    return op.name in _ANY_RESULT


def is_function_of_operands(op: Operation) -> bool:
    """Whether the operation, its regions included, depends on nothing but values and changes nothing."""
    return all(_is_pure(each) for each in op.walk())


def _is_pure(op: Operation) -> bool:
    if op.name in _STATEFUL or gives_any_result(op):
        return False
    if op.name not in _OTHERS and op.name.partition(".")[0] not in _VALUE_DIALECTS:
        return False
    return not any(
        isinstance(value.type, ShapedType) and value.type.container == "memref" for value in (*op.operands, *op.results)
    )
