"""An executable form of ``stablehlo.dynamic_broadcast_in_dim``.

StableHLO's own lowering needs to know which dimensions expand; here the size that is there at run time decides.
"""

from __future__ import annotations

from typing import Any

from shapesolve.reading import bindings

from .operations import EQUAL, Builder, descendants

_NAME = "stablehlo.dynamic_broadcast_in_dim"


def lower_broadcasts(module: Any, *, runtime_checks: bool) -> None:
    """Rewrite each to a ``tensor.generate`` that reads position 0 of every dimension of size 1."""
    for op in [each for each in descendants(module.operation) if each.name == _NAME]:
        _lower(op, runtime_checks)


def _lower(op: Any, runtime_checks: bool) -> None:
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
            ir.Operation.create("arith.select", results=[index], operands=[alone, zero, body.arguments[axis]]).results[0]
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
            build.demand(same, f"{_NAME}: dimension {dimension} of the result is not {size}")
    for dimension, axis in enumerate(axes):
        size = build.extent(operand, dimension)
        alone = build.compare(EQUAL, size, build.index(1))
        same = build.compare(EQUAL, size, extents[axis])
        build.demand(
            build.either(alone, same), f"{_NAME}: dimension {dimension} of the operand is neither 1 nor that of the result"
        )
