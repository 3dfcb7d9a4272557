"""Executable forms of StableHLO operations with dynamic sizes, where its own lowering has none.

Convolutions and window reductions become structured operations on the padded input. Not rewritten are negative padding,
dilated inputs, reversed windows, batch groups, reductions by anything but one operation, and elements that are neither
floats nor signless integers of one type throughout.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from shapesolve.execution.lowering.builder import AT_LEAST, EQUAL, Builder, descendants
from shapesolve.ir import bindings

_BROADCAST = "stablehlo.dynamic_broadcast_in_dim"
_RESHAPE = "stablehlo.dynamic_reshape"
_EXTENT = "stablehlo.get_dimension_size"
_CALL = "stablehlo.custom_call"
_ASSERTION = "shape_assertion"


def make_dynamism_executable(module: Any, *, runtime_checks: bool) -> None:
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
    """Lower an exporter's shape assertion. The placeholders in its message stay as they are."""
    build = Builder(op)
    message = str(op.attributes["error_message"].value) if "error_message" in op.attributes else _ASSERTION
    build.require(build.value("tensor.extract", [op.operands[0]], "i1"), message)
    op.erase()


def _broadcast(op: Any, runtime_checks: bool) -> None:
    """Lower a broadcast that reads position 0 of every dimension whose size is 1 at run time."""
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


_CONVOLUTION = "stablehlo.convolution"
_REDUCTION = "stablehlo.reduce_window"

_LAYOUT = re.compile(r"<\[(.*?)\]x\[(.*?)\]->\[(.*?)\]>")

_COMBINED = {
    "stablehlo.add": ("arith.addi", "arith.addf"),
    "stablehlo.multiply": ("arith.muli", "arith.mulf"),
    "stablehlo.maximum": ("arith.maxsi", "arith.maximumf"),
    "stablehlo.minimum": ("arith.minsi", "arith.minimumf"),
}
"""Operations that combine two signed integers and two floats."""

_PARALLEL, _REDUCED = "parallel", "reduction"


def make_windows_executable(module: Any, *, runtime_checks: bool) -> None:
    """Rewrite operations that slide a window over an input of dynamic sizes."""
    rewrites = {_CONVOLUTION: _convolution, _REDUCTION: _reduction}
    for op in list(descendants(module.operation)):
        if op.name in rewrites and len(op.operands) == 2 and _is_dynamic(op) and _has_numbers(op):
            rewrites[op.name](op, runtime_checks)


def _is_dynamic(op: Any) -> bool:
    return any(extent < 0 for each in (*op.operands, *op.results) for extent in each.type.shape)


def _has_numbers(op: Any) -> bool:
    """Return whether all elements have one type, a float or a signless integer other than i1, whose sum is no sum."""
    ir = bindings.ir()
    kinds = {each.type.element_type for each in (*op.operands, *op.results)}
    kind = kinds.pop()
    is_integer = isinstance(kind, ir.IntegerType) and kind.is_signless and kind.width > 1
    return not kinds and (is_integer or isinstance(kind, ir.FloatType))


@dataclass(frozen=True)
class _Slide:
    """The movement of a window along one dimension."""

    stride: int
    dilation: int
    low: int
    high: int

    def read(self, place: str, inside: str) -> str:
        """Return the position that is read, as an affine expression."""
        return f"{place} * {self.stride} + {inside} * {self.dilation}"

    def places(self, build: Builder, room: Any, window: Any) -> Any:
        """Build the number of windows in the padded extent: 0 if it is smaller than the dilated window."""
        reach = _plus(build, _times(build, _plus(build, window, -1), self.dilation), 1)
        left = build.value("arith.subi", [room, reach], "index")
        quotient = build.value("arith.floordivsi", [left, build.index(self.stride)], "index")
        fits = build.compare(AT_LEAST, left, build.index(0))
        return build.value("arith.select", [fits, _plus(build, quotient, 1), build.index(0)], "index")


def _slides(op: Any, rank: int) -> list[_Slide] | None:
    """Return one slide for each dimension; None if the form is not supported."""
    if any(each != 1 for name in ("lhs_dilation", "base_dilations") for each in _numbers(op, name, rank)):
        return None
    if any(_numbers(op, "window_reversal", rank, 0)):
        return None
    flat = [int(each) for each in op.attributes["padding"]] if "padding" in op.attributes else []
    flat = flat if len(flat) == 2 * rank else [0] * (2 * rank)
    if any(each < 0 for each in flat):
        return None
    dilations = _numbers(op, "rhs_dilation" if op.name == _CONVOLUTION else "window_dilations", rank)
    strides = _numbers(op, "window_strides", rank)
    pads = zip(flat[::2], flat[1::2], strict=True)
    return [_Slide(stride, by, *pad) for stride, by, pad in zip(strides, dilations, pads, strict=True)]


def _numbers(op: Any, name: str, count: int, default: int = 1) -> list[int]:
    return [int(each) for each in op.attributes[name]] if name in op.attributes else [default] * count


# Convolutions ----------------------------------------------------------------------------------------------------


def _convolution(op: Any, runtime_checks: bool) -> None:
    layout = _LAYOUT.search(str(op.attributes["dimension_numbers"]))
    assert layout is not None
    source, kernel, result = ([name.strip() for name in part.split(",")] for part in layout.groups())
    count = len(source) - 2
    slides = _slides(op, count)
    channel = _channel(op, kernel)
    if slides is None or channel is None or int(op.attributes["batch_group_count"].value) != 1:
        return
    build = Builder(op)
    zero = _number(build, op.results[0].type.element_type, 0)
    around = {str(number): slide for number, slide in enumerate(slides)}
    pads = [(around[name].low, around[name].high) if name in around else (0, 0) for name in source]
    padded, image, weights = _padded(build, op.operands[0], pads, zero), op.operands[0], op.operands[1]
    extents = {"b": build.extent(image, source.index("b")), "f": build.extent(weights, kernel.index("o"))}
    for name, slide in around.items():
        room = build.extent(padded, source.index(name))
        extents[name] = slide.places(build, room, build.extent(weights, kernel.index(name)))
    loops = ["b", "f", *around, "i", *(f"k{name}" for name in around)]
    reads = {"b": "b", "f": channel, **{name: slide.read(f"s{name}", f"k{name}") for name, slide in around.items()}}
    held = {"o": "f", "i": "i", **{name: f"k{name}" for name in around}}
    given = {"b": "b", "f": "f", **{name: f"s{name}" for name in around}}
    names = [f"s{loop}" if loop in around else loop for loop in loops]
    maps = [
        _map(names, [reads[name] for name in source]),
        _map(names, [held[name] for name in kernel]),
        _map(names, [given[name] for name in result]),
    ]
    target = _filled(build, op, [extents[name] for name in result], zero, runtime_checks)
    kinds = [_PARALLEL] * (2 + count) + [_REDUCED] * (1 + count)
    _replace(op, build, [padded, weights], target, maps, kinds, "stablehlo.add", product=True)


def _channel(op: Any, kernel: Sequence[str]) -> str | None:
    """Return the input feature that is read, as an affine expression; None if the groups may be uneven."""
    groups = int(op.attributes["feature_group_count"].value)
    outputs, inputs = (int(op.operands[1].type.shape[kernel.index(name)]) for name in "oi")
    if groups == 1:
        return "i"
    if outputs <= 0 or inputs <= 0 or outputs % groups:
        return None
    return f"(f floordiv {outputs // groups}) * {inputs} + i"


# Reductions ------------------------------------------------------------------------------------------------------


def _reduction(op: Any, runtime_checks: bool) -> None:
    image, initial = op.operands
    combined = _combined(op)
    rank = len(image.type.shape)
    slides = _slides(op, rank)
    if slides is None or combined is None:
        return
    build = Builder(op)
    element = image.type.element_type
    start = build.value("tensor.extract", [initial], element)
    padded = _padded(build, image, [(each.low, each.high) for each in slides], start)
    sizes = _numbers(op, "window_dimensions", rank)
    window = build.value("tensor.empty", [], f"tensor<{'x'.join(map(str, sizes))}x{element}>")
    extents = [
        slide.places(build, build.extent(padded, dimension), build.index(size))
        for dimension, (slide, size) in enumerate(zip(slides, sizes, strict=True))
    ]
    places, inside = [f"s{each}" for each in range(rank)], [f"k{each}" for each in range(rank)]
    names = [*places, *inside]
    reads = [slide.read(*each) for slide, each in zip(slides, zip(places, inside, strict=True), strict=True)]
    maps = [_map(names, reads), _map(names, inside), _map(names, places)]
    target = _filled(build, op, extents, start, runtime_checks)
    kinds = [_PARALLEL] * rank + [_REDUCED] * rank
    _replace(op, build, [padded, window], target, maps, kinds, combined, product=False)


def _combined(op: Any) -> str | None:
    """Return the one operation that a reduction combines its two arguments by, or None."""
    (block,) = op.regions[0].blocks
    body = [each.operation for each in block.operations]
    if len(body) != 2 or body[0].name not in _COMBINED or list(body[1].operands) != list(body[0].results):
        return None
    return str(body[0].name) if set(body[0].operands) == set(block.arguments) else None


# Both ------------------------------------------------------------------------------------------------------------


def _map(loops: Sequence[str], read: Sequence[str]) -> str:
    return f"affine_map<({', '.join(loops)}) -> ({', '.join(read)})>"


def _padded(build: Builder, tensor: Any, pads: Sequence[tuple[int, int]], value: Any) -> Any:
    """Build the tensor padded with ``value``, by so many elements in front of and behind each dimension."""
    if not any(low or high for low, high in pads):
        return tensor
    ir = bindings.ir()
    kind = tensor.type
    extents = [
        str(extent + low + high) if extent >= 0 else "?" for extent, (low, high) in zip(kind.shape, pads, strict=True)
    ]
    lows, highs = (", ".join(str(pad[side]) for pad in pads) for side in (0, 1))
    attributes = {
        "static_low": f"array<i64: {lows}>",
        "static_high": f"array<i64: {highs}>",
        "operandSegmentSizes": "array<i32: 1, 0, 0>",
    }
    result = f"tensor<{'x'.join(extents)}x{kind.element_type}>"
    pad = build.build("tensor.pad", [tensor], [result], attributes, regions=1)
    index = ir.IndexType.get(pad.context)
    body = pad.regions[0].blocks.append(*[index] * len(pads), arg_locs=[pad.location] * len(pads))
    with ir.InsertionPoint(body), pad.location:
        ir.Operation.create("tensor.yield", operands=[value])
    return pad.results[0]


def _filled(build: Builder, op: Any, extents: Sequence[Any], value: Any, runtime_checks: bool) -> Any:
    """Build a tensor of the result type of ``op``, filled with ``value``."""
    ir = bindings.ir()
    kind = op.results[0].type
    dynamic: list[Any] = []
    for dimension, (extent, declared) in enumerate(zip(extents, kind.shape, strict=True)):
        if declared < 0:
            dynamic.append(extent)
        elif runtime_checks:
            same = build.compare(EQUAL, extent, build.index(declared))
            build.verify(same, op.name, f"dimension {dimension} of the result is not {declared}")
    empty = build.value("tensor.empty", dynamic, kind)
    attributes = {"operandSegmentSizes": "array<i32: 1, 1>"}
    fill = build.build("linalg.fill", [value, empty], [kind], attributes, regions=1)
    element = kind.element_type
    body = fill.regions[0].blocks.append(element, element, arg_locs=[op.location] * 2)
    with ir.InsertionPoint(body), op.location:
        ir.Operation.create("linalg.yield", operands=[body.arguments[0]])
    return fill.results[0]


def _replace(
    op: Any,
    build: Builder,
    inputs: Sequence[Any],
    target: Any,
    maps: Sequence[str],
    kinds: Sequence[str],
    combined: str,
    *,
    product: bool,
) -> None:
    """Replace ``op`` by a structured operation that combines the first input, or the product, into a target."""
    ir = bindings.ir()
    element = op.results[0].type.element_type
    attributes = {
        "indexing_maps": f"[{', '.join(maps)}]",
        "iterator_types": f"[{', '.join(f'#linalg.iterator_type<{kind}>' for kind in kinds)}]",
        "operandSegmentSizes": f"array<i32: {len(inputs)}, 1>",
    }
    generic = build.build("linalg.generic", [*inputs, target], [target.type], attributes, regions=1)
    types = [each.type.element_type for each in inputs]
    body = generic.regions[0].blocks.append(*types, element, arg_locs=[op.location] * (len(types) + 1))
    is_float = isinstance(element, ir.FloatType)
    with ir.InsertionPoint(body), op.location:

        def binary(name: str, left: Any, right: Any) -> Any:
            operation = _COMBINED[name][is_float]
            return ir.Operation.create(operation, results=[element], operands=[left, right]).results[0]

        first, second, before = body.arguments
        read = binary("stablehlo.multiply", first, second) if product else first
        ir.Operation.create("linalg.yield", operands=[binary(combined, before, read)])
    op.results[0].replace_all_uses_with(generic.results[0])
    op.erase()


def _number(build: Builder, element: Any, value: int) -> Any:
    spelled = f"{float(value)}" if isinstance(element, bindings.ir().FloatType) else str(value)
    return build.value("arith.constant", [], element, {"value": f"{spelled} : {element}"})


def _plus(build: Builder, value: Any, number: int) -> Any:
    return build.value("arith.addi", [value, build.index(number)], "index")


def _times(build: Builder, value: Any, number: int) -> Any:
    return build.value("arith.muli", [value, build.index(number)], "index")
