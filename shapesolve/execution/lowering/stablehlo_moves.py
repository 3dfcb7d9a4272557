"""Executable forms of StableHLO's reverse, of its dynamic updates, and of padding with interior or negative amounts."""

from __future__ import annotations

from typing import Any

from shapesolve.execution.lowering.builder import GREATER, Builder, descendants
from shapesolve.ir import bindings


def make_moves_executable(module: Any) -> None:
    """Rewrite reverses, updates and paddings that StableHLO's own lowering to linalg leaves as they are."""
    for op in list(descendants(module.operation)):
        if op.name == "stablehlo.reverse":
            _reverse(op)
        elif op.name == "stablehlo.pad" and _is_unusual(op):
            _pad(op)
        elif op.name == "stablehlo.dynamic_update_slice":
            _update(op)


def _update(op: Any) -> None:
    """Insert the update at its start, which is clamped into the operand."""
    build = Builder(op)
    operand, update, *starts = op.operands
    extents: list[Any] = []
    offsets: list[Any] = []
    for dimension, start in enumerate(starts):
        extents.append(build.extent(update, dimension))
        number = build.value("tensor.extract", [start], start.type.element_type)
        is_unsigned = str(start.type.element_type).startswith("ui")
        place = build.value("arith.index_castui" if is_unsigned else "arith.index_cast", [number], "index")
        last = build.value("arith.subi", [build.extent(operand, dimension), extents[-1]], "index")
        positive = build.value("arith.maxsi", [place, build.index(0)], "index")
        offsets.append(build.value("arith.minsi", [positive, last], "index"))
    sizes = list(update.type.shape)
    dynamic = [extent for extent, declared in zip(extents, sizes, strict=True) if declared < 0]
    attributes = {
        "static_offsets": _array([_DYNAMIC] * len(starts)),
        "static_sizes": _array([_DYNAMIC if each < 0 else each for each in sizes]),
        "static_strides": _array([1] * len(starts)),
        "operandSegmentSizes": f"array<i32: 1, 1, {len(starts)}, {len(dynamic)}, 0>",
    }
    values = [update, operand, *offsets, *dynamic]
    op.results[0].replace_all_uses_with(build.value("tensor.insert_slice", values, operand.type, attributes))
    op.erase()


_DYNAMIC = -(2**63)


def _array(numbers: list[int]) -> str:
    return f"array<i64: {', '.join(map(str, numbers))}>" if numbers else "array<i64>"


def _reverse(op: Any) -> None:
    """Read every element from the opposite end of the reversed dimensions."""
    ir = bindings.ir()
    build = Builder(op)
    (operand,) = op.operands
    reversed_dimensions = {int(each) for each in op.attributes["dimensions"]}
    rank = len(operand.type.shape)
    extents = [build.extent(operand, each) for each in range(rank)]
    one = build.index(1)
    last = [build.value("arith.subi", [each, one], "index") for each in extents]
    dynamic = [extent for extent, declared in zip(extents, op.results[0].type.shape, strict=True) if declared < 0]
    generate = build.build("tensor.generate", dynamic, [op.results[0].type], regions=1)
    index = ir.IndexType.get(op.context)
    body = generate.regions[0].blocks.append(*[index] * rank, arg_locs=[op.location] * rank)
    with ir.InsertionPoint(body), op.location:
        places = [
            ir.Operation.create("arith.subi", results=[index], operands=[end, place]).results[0]
            if dimension in reversed_dimensions
            else place
            for dimension, (end, place) in enumerate(zip(last, body.arguments, strict=True))
        ]
        read = ir.Operation.create(
            "tensor.extract", results=[operand.type.element_type], operands=[operand, *places]
        ).results[0]
        ir.Operation.create("tensor.yield", operands=[read])
    op.results[0].replace_all_uses_with(generate.results[0])
    op.erase()


def _amounts(op: Any) -> list[tuple[int, int, int]]:
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    low, high, gaps = ([int(each) for each in op.attributes[name]] for name in names)
    return list(zip(low, high, gaps, strict=True))


def _is_unusual(op: Any) -> bool:
    return any(low < 0 or high < 0 or gap > 0 for low, high, gap in _amounts(op))


def _pad(op: Any) -> None:
    """Insert the operand with strides into a tensor that is full of the value, and cut off what negative amounts do."""
    build = Builder(op)
    operand, value = op.operands
    amounts = _amounts(op)
    extents = [build.extent(operand, each) for each in range(len(amounts))]
    wide = [
        _wide_extent(build, extent, max(low, 0) + max(high, 0), gap)
        for extent, (low, high, gap) in zip(extents, amounts, strict=True)
    ]
    element = operand.type.element_type
    scalar = build.value("tensor.extract", [value], element)
    dynamic = build.type(f"tensor<{'?x' * len(wide)}{element}>")
    if operand.type != dynamic:
        operand = build.value("tensor.cast", [operand], dynamic)
    full = build.value("tensor.splat", [scalar, *wide], dynamic)
    inserted = _slice(
        build,
        "tensor.insert_slice",
        [operand, full],
        dynamic,
        ([max(low, 0) for low, _, _ in amounts], extents, [gap + 1 for _, _, gap in amounts]),
    )
    kept = [
        build.value("arith.addi", [extent, build.index(min(low, 0) + min(high, 0))], "index")
        for extent, (low, high, _) in zip(wide, amounts, strict=True)
    ]
    cut = ([max(-low, 0) for low, _, _ in amounts], kept, [1] * len(amounts))
    found = _slice(build, "tensor.extract_slice", [inserted], dynamic, cut)
    result = op.results[0].type
    op.results[0].replace_all_uses_with(found if result == dynamic else build.value("tensor.cast", [found], result))
    op.erase()


def _wide_extent(build: Builder, extent: Any, edges: int, gap: int) -> Any:
    """Build the extent with its gaps and edges; an empty one has no gaps."""
    if gap:
        before = build.value("arith.subi", [extent, build.index(1)], "index")
        has_gaps = build.compare(GREATER, before, build.index(0))
        between = build.value("arith.select", [has_gaps, before, build.index(0)], "index")
        gaps = build.value("arith.muli", [between, build.index(gap)], "index")
        extent = build.value("arith.addi", [extent, gaps], "index")
    return build.value("arith.addi", [extent, build.index(edges)], "index")


def _slice(
    build: Builder, name: str, tensors: list[Any], result: Any, parts: tuple[list[int], list[Any], list[int]]
) -> Any:
    offsets, sizes, strides = parts
    attributes = {
        "static_offsets": _array(offsets),
        "static_sizes": _array([_DYNAMIC] * len(sizes)),
        "static_strides": _array(strides),
        "operandSegmentSizes": f"array<i32: {', '.join(['1'] * len(tensors))}, 0, {len(sizes)}, 0>",
    }
    return build.value(name, [*tensors, *sizes], result, attributes)
