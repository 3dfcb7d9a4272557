"""Runtime checks: assertions that MLIR's own runtime verification leaves out, and the reports of failed ones.

It says nothing on ``insert_slice``, ``expand_shape``, ``reshape``, ``concat``, ``pad``, ``empty`` and division, nor on
negative sizes of ``extract_slice``. It verifies a structured operation only if none of its loops is empty: right for
one that the program itself contains, which then touches nothing; one that an operation of another dialect became must
fit always.

This is an independent oracle, on purpose: it states the requirements of operations a second time, from what MLIR does
and not from the rules, and reads none of them, so that a mistake in a rule is contradicted by an execution.

Every ``cf.assert`` becomes a call that reports the number of the assertion. MLIR's own lowering prints the message to a
stream that may never be flushed and calls ``abort``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shapesolve.execution.execution import Outcome, Place, clean_assertion, place_of, verified_op
from shapesolve.execution.lowering.builder import (
    AT_LEAST,
    AT_MOST,
    BEYOND_EXECUTION,
    EQUAL,
    LESS,
    NOT_EQUAL,
    Builder,
    descendants,
)
from shapesolve.int64 import DYNAMIC
from shapesolve.ir import bindings


def insert_checks(module: Any, ops_by_place: Mapping[Place, str]) -> None:
    """Insert assertions before the operations of ``module`` that need them. Expects tensors, not buffers.

    ``ops_by_place`` are the operations that the program had before it was lowered.
    """
    for op in list(descendants(module.operation)):
        check = _CHECKS.get(op.name)
        if check is not None:
            check(op, Builder(op))
        elif "indexing_maps" in op.attributes and op.name.startswith("linalg."):
            place = place_of(op.location)
            if place is None or not ops_by_place.get(place, "").startswith("linalg."):
                _structured(op, Builder(op))


def insert_source_checks(module: Any) -> None:
    """Insert assertions for mistakes that lowering would hide. Expects the dialects of the source."""
    for op in list(descendants(module.operation)):
        axis = _CONCATENATIONS.get(op.name)
        if axis is not None:
            _concatenation(op, Builder(op), int(op.attributes[axis].value))


def _mixed(op: Any, build: Builder, static: str, dynamic: Sequence[Any]) -> list[Any]:
    """Return the values of a list written half as an attribute, half as operands."""
    rest = iter(dynamic)
    numbers = [int(number) for number in op.attributes[static]]
    return [next(rest) if number == DYNAMIC else build.index(number) for number in numbers]


def _segments(op: Any, build: Builder, *named: str) -> list[list[Any]]:
    """Return the operands of ``op`` by segment; ``named`` only documents their order."""
    sizes = [int(size) for size in op.attributes["operandSegmentSizes"]]
    assert len(sizes) == len(named)
    operands = list(op.operands)
    parts: list[list[Any]] = []
    for size in sizes:
        parts.append(operands[:size])
        operands = operands[size:]
    return parts


def _insert_slice(op: Any, build: Builder) -> None:
    source, target, *_ = parts = _segments(op, build, "source", "dest", "offsets", "sizes", "strides")
    offsets, sizes, strides = (
        _mixed(op, build, name, part)
        for name, part in zip(("static_offsets", "static_sizes", "static_strides"), parts[2:], strict=True)
    )
    zero, one = build.index(0), build.index(1)
    for dimension, (offset, size, stride) in enumerate(zip(offsets, sizes, strides, strict=True)):
        last = build.value(
            "arith.addi", [offset, _times(build, build.value("arith.subi", [size, one], "index"), stride)], "index"
        )
        bound = build.extent(target[0], dimension)
        starts = _all(build, build.compare(AT_LEAST, offset, zero), build.compare(AT_MOST, offset, bound))
        ends = _all(
            build,
            build.compare(LESS, offset, bound),
            build.compare(AT_LEAST, last, zero),
            build.compare(LESS, last, bound),
        )
        inside = _all(build, starts, build.either(build.compare(EQUAL, size, zero), ends))
        build.verify(inside, op.name, f"runs out of bounds in dimension {dimension}")
    if len(source[0].type.shape) == len(sizes):
        for dimension, size in enumerate(sizes):
            same = build.compare(EQUAL, build.extent(source[0], dimension), size)
            build.verify(same, op.name, f"dimension {dimension} of the source differs from the size of the slice")
    else:
        counts = [_product(build, each) for each in (_extents(build, source[0]), sizes)]
        build.verify(build.compare(EQUAL, *counts), op.name, "the source differs from the size of the slice")


def _extract_slice(op: Any, build: Builder) -> None:
    _, _, sizes, _ = _segments(op, build, "source", "offsets", "sizes", "strides")
    _not_negative(op, build, sizes)


def _extents(build: Builder, tensor: Any) -> list[Any]:
    return [build.extent(tensor, dimension) for dimension in range(len(tensor.type.shape))]


def _all(build: Builder, *conditions: Any) -> Any:
    holds = conditions[0]
    for condition in conditions[1:]:
        holds = build.value("arith.andi", [holds, condition], "i1")
    return holds


def _times(build: Builder, left: Any, right: Any) -> Any:
    return build.value("arith.muli", [left, right], "index")


def _product(build: Builder, factors: Sequence[Any]) -> Any:
    product = build.index(1)
    for factor in factors:
        product = _times(build, product, factor)
    return product


def _sum(build: Builder, terms: Sequence[Any]) -> Any:
    total = build.index(0)
    for term in terms:
        total = build.value("arith.addi", [total, term], "index")
    return total


def _expand_shape(op: Any, build: Builder) -> None:
    source, *rest = list(op.operands)
    extents = _mixed(op, build, "static_output_shape", rest)
    for dimension, group in enumerate(op.attributes["reassociation"]):
        product = _product(build, [extents[int(position)] for position in group])
        same = build.compare(EQUAL, product, build.extent(source, dimension))
        build.verify(same, "tensor.expand_shape", f"dimension {dimension} is not the product of those it becomes")
    _not_negative(op, build, rest)


def _reshape(op: Any, build: Builder) -> None:
    source, shape = op.operands
    result = op.results[0].type
    if not hasattr(source.type, "shape") or not result.has_rank or not source.type.has_rank:
        return
    extents: list[Any] = []
    for dimension, declared in enumerate(result.shape):
        given = build.value("tensor.extract", [shape, build.index(dimension)], shape.type.element_type)
        if str(given.type) != "index":
            given = build.value("arith.index_cast", [given], "index")
        extents.append(given)
        if declared >= 0:
            same = build.compare(EQUAL, given, build.index(declared))
            build.verify(same, "tensor.reshape", f"dimension {dimension} of the result is not {declared}")
    counts = [_product(build, each) for each in (_extents(build, source), extents)]
    build.verify(build.compare(EQUAL, *counts), "tensor.reshape", "the number of elements changes")
    _not_negative(op, build, extents)


def _concat(op: Any, build: Builder) -> None:
    _concatenation(op, build, int(op.attributes["dim"].value))


def _concatenation(op: Any, build: Builder, axis: int) -> None:
    first, *others = list(op.operands)
    if not all(hasattr(each.type, "shape") for each in (*op.operands, op.results[0])):
        return
    for number, other in enumerate(others, start=1):
        for dimension in range(len(first.type.shape)):
            if dimension != axis:
                same = build.compare(EQUAL, build.extent(first, dimension), build.extent(other, dimension))
                build.verify(same, op.name, f"dimension {dimension} of operand {number} differs from operand 0")
    total = _sum(build, [build.extent(operand, axis) for operand in op.operands])
    for dimension, extent in enumerate(op.results[0].type.shape):
        if extent >= 0:
            actual = total if dimension == axis else build.extent(first, dimension)
            same = build.compare(EQUAL, actual, build.index(extent))
            build.verify(same, op.name, f"dimension {dimension} of the result is not {extent}")


def _pad(op: Any, build: Builder) -> None:
    (source,), low, high = _segments(op, build, "source", "low", "high")
    lows, highs = _mixed(op, build, "static_low", low), _mixed(op, build, "static_high", high)
    for dimension, declared in enumerate(op.results[0].type.shape):
        total = _sum(build, [lows[dimension], build.extent(source, dimension), highs[dimension]])
        if declared >= 0:
            same = build.compare(EQUAL, total, build.index(declared))
            build.verify(same, "tensor.pad", f"dimension {dimension} of the result is not {declared}")
        else:
            build.verify(
                build.compare(AT_LEAST, total, build.index(0)), "tensor.pad", f"dimension {dimension} becomes negative"
            )
    _not_negative(op, build, [*low, *high], "padding")


def _sized(op: Any, build: Builder) -> None:
    _not_negative(op, build, list(op.operands))


def _not_negative(op: Any, build: Builder, sizes: Sequence[Any], what: str = "size") -> None:
    for number, size in enumerate(sizes):
        build.verify(build.compare(AT_LEAST, size, build.index(0)), op.name, f"{what} number {number + 1} is negative")


def _division(op: Any, build: Builder) -> None:
    divisor = op.operands[1]
    kind = divisor.type
    if str(kind) != "index" and not hasattr(kind, "width"):
        return
    zero = build.value("arith.constant", [], kind, {"value": f"0 : {kind}"})
    build.verify(build.compare(NOT_EQUAL, divisor, zero), op.name, "division by zero")


def _structured(op: Any, build: Builder) -> None:
    """Assert that dimensions of the same loop have the same extent, also where a loop is empty."""
    ir = bindings.ir()
    first: dict[int, tuple[Any, int]] = {}
    maps = [
        each.value if hasattr(each, "value") else ir.AffineMapAttr(each).value
        for each in op.attributes["indexing_maps"]
    ]
    for number, (operand, indexing) in enumerate(zip(op.operands, maps, strict=False)):
        if not hasattr(operand.type, "shape"):
            continue
        for dimension, expression in enumerate(indexing.results):
            if not isinstance(expression, ir.AffineDimExpr):
                continue
            leader, leading = first.setdefault(int(expression.position), (operand, dimension))
            if leader == operand and leading == dimension:
                continue
            same = build.compare(EQUAL, build.extent(leader, leading), build.extent(operand, dimension))
            build.verify(
                same, op.name, f"dimension {dimension} of operand {number} differs from the extent its loop runs over"
            )


_DIVISIONS = (
    *(f"arith.{name}" for name in ("divsi", "divui", "remsi", "remui", "ceildivsi", "ceildivui", "floordivsi")),
    *(f"index.{name}" for name in ("divs", "divu", "rems", "remu", "ceildivs", "ceildivu", "floordivs")),
)

#: Operations that join tensors, and the attribute that names the axis.
_CONCATENATIONS = {"tosa.concat": "axis", "stablehlo.concatenate": "dimension"}

_CHECKS: dict[str, Callable[[Any, Builder], None]] = {
    "tensor.extract_slice": _extract_slice,
    "tensor.insert_slice": _insert_slice,
    "tensor.expand_shape": _expand_shape,
    "tensor.reshape": _reshape,
    "tensor.concat": _concat,
    "tensor.pad": _pad,
    "tensor.empty": _sized,
    "tensor.generate": _sized,
    **dict.fromkeys(_DIVISIONS, _division),
}


#: The function that a failing assertion calls with its number.
REPORTER = "shapesolve_report_failed_check"

_CONSTANTS = frozenset(("arith.constant", "index.bool.constant"))


@dataclass(frozen=True)
class CheckSite:
    """One assertion of the lowered program.

    Attributes:
        outcome: The outcome of an execution in which it fails.
        message: The message of that execution.
        place: The place of the assertion in the text, if it is known.
        op: The operation of the original program at that place; empty if not known.
        lowered_op: The lowered operation that the assertion verifies; empty for an assertion of the program.
    """

    outcome: Outcome
    message: str
    place: Place | None
    op: str
    lowered_op: str = ""


def remove_marks(module: Any) -> None:
    """Remove the mark of assertions that end an execution from the user's operations: only a lowering may set it."""
    for op in descendants(module.operation):
        if BEYOND_EXECUTION in op.attributes:
            del op.attributes[BEYOND_EXECUTION]


def original_ops(module: Any) -> dict[Place, str]:
    """Return the operation at each place of the text, as the user wrote it."""
    names: dict[Place, str] = {}
    for op in descendants(module.operation):
        place = place_of(op.location)
        if place is not None:
            names.setdefault(place, str(op.name))
    return names


def report_failures(module: Any, ops_by_place: dict[Place, str]) -> list[CheckSite]:
    """Rewrite all assertions of ``module``; their numbers are positions in the list returned.

    Expects structured control flow to be legal still: each becomes an ``scf.if`` around the call.
    """
    ir = bindings.ir()
    assertions = [op for op in descendants(module.operation) if op.name == "cf.assert"]
    if not assertions:
        return []
    sites: list[CheckSite] = []
    for assertion in assertions:
        sites.append(_site(assertion, ops_by_place))
        _replace(assertion, len(sites) - 1)
    with ir.InsertionPoint.at_block_begin(module.body), module.operation.location:
        declaration = f"func.func private @{REPORTER}(i64)"
        ir.Operation.parse(declaration, context=module.context).clone()
    return sites


def drop_repeated(operation: Any) -> None:
    """Remove assertions below ``operation`` that always hold or repeat earlier ones.

    Each would become a branch, and runtime verification writes ten where one is enough.
    """
    _drop_repeated(operation, frozenset())


def _drop_repeated(operation: Any, before: frozenset[Any]) -> None:
    """Remove repeated assertions; ``before`` are the conditions that hold wherever the operation is run."""
    for region in operation.regions:
        for block in region.blocks:
            hold = set(before)
            for op in [each.operation for each in block.operations]:
                if op.name != "cf.assert":
                    _drop_repeated(op, frozenset(hold) if op.regions else before)
                elif op.operands[0] in hold or _is_true(op.operands[0]):
                    op.erase()
                else:
                    hold.add(op.operands[0])


def _is_true(condition: Any) -> bool:
    maker = condition.owner.operation if hasattr(condition.owner, "operation") else None
    return maker is not None and maker.name in _CONSTANTS and str(maker.attributes["value"]) == "true"


def _site(assertion: Any, ops_by_place: dict[Place, str]) -> CheckSite:
    message = str(assertion.attributes["msg"].value)
    place = place_of(assertion.location)
    original = ops_by_place.get(place, "") if place else ""
    if BEYOND_EXECUTION in assertion.attributes:
        return CheckSite(Outcome.NOT_EXECUTABLE, message, place, original)
    return CheckSite(Outcome.ABORTED, clean_assertion(message, original), place, original, verified_op(message))


def _replace(assertion: Any, number: int) -> None:
    ir = bindings.ir()
    builder = Builder(assertion)
    failed = builder.value("arith.xori", [assertion.operands[0], builder.boolean(True)], "i1")
    branch = builder.build("scf.if", [failed], regions=2)
    body = branch.regions[0].blocks.append()
    with ir.InsertionPoint(body), assertion.location:
        end = ir.Operation.create("scf.yield")
    inside = Builder(end)
    which = inside.value("arith.constant", [], "i64", {"value": f"{number} : i64"})
    inside.build("func.call", [which], [], {"callee": f"@{REPORTER}"})
    assertion.erase()
