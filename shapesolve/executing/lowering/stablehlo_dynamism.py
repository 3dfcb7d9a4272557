"""Executable forms of StableHLO's operations with sizes known only at run time, where its own lowering has none."""

from __future__ import annotations

from typing import Any

from shapesolve.executing.lowering.operations import EQUAL, Builder, descendants
from shapesolve.reading import bindings

_BROADCAST = "stablehlo.dynamic_broadcast_in_dim"
_RESHAPE = "stablehlo.dynamic_reshape"
_EXTENT = "stablehlo.get_dimension_size"
_CALL = "stablehlo.custom_call"
_ASSERTION = "shape_assertion"


def make_executable(module: Any, *, runtime_checks: bool) -> None:
    """Rewrite broadcasts, reshapes, extents and shape assertions, and leave the rest to StableHLO's own lowering."""
    for op in list(descendants(module.operation)):
        if op.name == _BROADCAST:
            _broadcast(op, runtime_checks)
        elif op.name == _RESHAPE:
            _reshape(op)
        elif op.name == _EXTENT:
            _extent_of(op)
        elif op.name == _CALL and str(op.attributes["call_target_name"].value) == _ASSERTION:
            _assertion(op)


def _reshape(op: Any) -> None:
    reshaped = Builder(op).value("tensor.reshape", list(op.operands), op.results[0].type)
    op.results[0].replace_all_uses_with(reshaped)
    op.erase()


def _extent_of(op: Any) -> None:
    build = Builder(op)
    extent = build.extent(op.operands[0], int(op.attributes["dimension"].value))
    number = build.value("arith.index_cast", [extent], op.results[0].type.element_type)
    op.results[0].replace_all_uses_with(build.value("tensor.from_elements", [number], op.results[0].type))
    op.erase()


def _assertion(op: Any) -> None:
    """What the exporter wants to hold of the sizes. Its message has places for numbers, which stay as they are."""
    build = Builder(op)
    message = str(op.attributes["error_message"].value) if "error_message" in op.attributes else _ASSERTION
    build.demand(build.value("tensor.extract", [op.operands[0]], "i1"), message)
    op.erase()


def _broadcast(op: Any, runtime_checks: bool) -> None:
    """Position 0 is read of every dimension of size 1: the size that is there at run time decides."""
    ir = bindings.ir()
    build = Builder(op)
    operand, shape = list(op.operands)[:2]
    axes = [int(axis) for axis in op.attributes["broadcast_dimensions"]]
    result = op.results[0].type
    extents = [_extent(build, shape, dimension) for dimension in range(len(result.shape))]
    if runtime_checks:
        _check(build, operand, axes, extents, list(result.shape))
    dynamic = [extent for extent, declared in zip(extents, result.shape, strict=True) if declared < 0]
    generate = build.build("tensor.generate", dynamic, [result], regions=1)
    index = ir.IndexType.get(op.context)
    body = generate.regions[0].blocks.append(*[index] * len(extents), arg_locs=[op.location] * len(extents))
    stretched = [build.compare(EQUAL, build.extent(operand, axis), build.index(1)) for axis in range(len(axes))]
    zero = build.index(0)
    with ir.InsertionPoint(body), op.location:
        positions = [
            ir.Operation.create("arith.select", results=[index], operands=[alone, zero, body.arguments[axis]]).results[
                0
            ]
            for alone, axis in zip(stretched, axes, strict=True)
        ]
        element = ir.Operation.create(
            "tensor.extract", results=[operand.type.element_type], operands=[operand, *positions]
        )
        ir.Operation.create("tensor.yield", operands=[element.results[0]])
    # Constants made for the body must stand before the operation that holds it.
    generate.move_before(op)
    op.results[0].replace_all_uses_with(generate.results[0])
    op.erase()


def _extent(build: Builder, shape: Any, dimension: int) -> Any:
    element = shape.type.element_type
    extent = build.value("tensor.extract", [shape, build.index(dimension)], element)
    return extent if str(element) == "index" else build.value("arith.index_cast", [extent], "index")


def _check(build: Builder, operand: Any, axes: list[int], extents: list[Any], declared: list[int]) -> None:
    for dimension, size in enumerate(declared):
        if size >= 0:
            same = build.compare(EQUAL, extents[dimension], build.index(size))
            build.verify(same, _BROADCAST, f"dimension {dimension} of the result is not {size}")
    for dimension, axis in enumerate(axes):
        size = build.extent(operand, dimension)
        alone = build.compare(EQUAL, size, build.index(1))
        same = build.compare(EQUAL, size, extents[axis])
        build.verify(
            build.either(alone, same),
            _BROADCAST,
            f"dimension {dimension} of the operand is neither 1 nor that of the result",
        )
