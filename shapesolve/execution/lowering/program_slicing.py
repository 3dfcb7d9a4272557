"""Program slicing: unused loops, elided constants, and the part of a function after a place.

Loops whose results nothing reads, such as the convolutions of a model in question for its sizes, are removed. The
result of a structured operation has the size of its destination, which replaces it. That is done where no check, size,
index, branch or returned integer depends on the contents, and the body can do nothing but compute. The sizes are
verified as before: the verification stands in front of the operation by then.

Constants that were printed without their contents, weights mostly, are filled. A function is cut off after an operation
to see whether it fails there: nothing that follows has to be lowered.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Sequence
from itertools import count, takewhile
from math import prod
from random import Random
from typing import Any

from shapesolve.execution.execution import Place, place_of
from shapesolve.execution.lowering.builder import Builder, descendants, symbol_of
from shapesolve.ir import bindings

_YIELD = "linalg.yield"

_COMPUTING = frozenset(
    (
        *(f"arith.{name}" for name in ("constant", "select", "cmpi", "cmpf", "index_cast", "index_castui", "bitcast")),
        *(f"arith.{name}" for name in ("addi", "subi", "muli", "andi", "ori", "xori", "shli", "shrsi", "shrui")),
        *(f"arith.{name}" for name in ("maxsi", "maxui", "minsi", "minui", "extsi", "extui", "trunci")),
        *(f"arith.{name}" for name in ("sitofp", "uitofp", "fptosi", "fptoui", "extf", "truncf")),
        *(f"arith.{name}" for name in ("addf", "subf", "mulf", "divf", "remf", "negf")),
        *(f"arith.{name}" for name in ("maximumf", "minimumf", "maxnumf", "minnumf")),
        "linalg.index",
        _YIELD,
    )
)
"""Operations that may occur in the body of a removed operation: they neither end the program nor read anything but
their operands.

Integer division and reads of other tensors are excluded: they may end the program."""

_MOVING: dict[str, int] = {
    "bufferization.alloc_tensor": 0,
    "tensor.cast": 1,
    "tensor.collapse_shape": 1,
    "tensor.concat": 1 << 16,
    "tensor.empty": 0,
    "tensor.expand_shape": 1,
    "tensor.extract": 1,
    "tensor.extract_slice": 1,
    "tensor.insert": 2,
    "tensor.insert_slice": 2,
    "tensor.pad": 1,
    "tensor.reshape": 1,
    "tensor.splat": 0,
}
"""Operations that pass elements on without reading them, with the number of leading operands that hold these elements.
"""

_SIZES_ONLY = frozenset(("tensor.dim", "tensor.rank", "shape.shape_of"))

_OF_NO_EFFECT = frozenset(("arith.constant", *_MOVING, *_SIZES_ONLY))


_LARGE_BYTES = 1 << 16
"""Size in bytes from which a constant gets a buffer of its own: the compiler would emit it element by element."""


def remove_unused_loops(
    module: Any, function: str, *, until: Callable[[Any], bool] | None, results_are_seen: bool
) -> int:
    """Remove loops of ``module`` whose results are not read, and what was computed only for them.

    Args:
        function: The function that is called.
        until: Limits the removal to the body of ``function`` in front of the first operation for which it holds;
            None for all of the module.
        results_are_seen: Whether the integers that ``function`` returns are read.

    Returns:
        The bytes of the large unread constants of ``function`` that became buffers.
    """
    everything = list(descendants(module.operation))
    entry = next(op for op in everything if op.name == "func.func" and symbol_of(op) == function)
    may_go = everything if until is None else _in_front(entry, until)
    contents = _Contents(everything)
    seen = contents.seen(entry, results_are_seen=results_are_seen)
    unread = [op for op in may_go if op in contents.computed and seen.isdisjoint(op.results)]
    for op in unread:
        for result, target in zip(op.results, _targets(op), strict=True):
            result.replace_all_uses_with(target)
    gone = set(unread)
    for op in reversed([each for each in may_go if each in gone or each.name in _OF_NO_EFFECT] if unread else []):
        if not any(True for result in op.results for _ in result.uses):
            op.erase()
    constants = [each.operation for each in entry.regions[0].blocks[0].operations if each.name == "arith.constant"]
    return sum(_as_buffer(op) for op in constants if op.results[0] not in seen)


def _as_buffer(constant: Any) -> int:
    """Replace a large constant tensor by an uninitialized buffer; return its bytes, or 0 if it is small."""
    (value,) = constant.results
    if not _is_tensor(value) or not value.type.has_static_shape:
        return 0
    element = value.type.element_type
    size = prod(value.type.shape) * -(-getattr(element, "width", 64) // 8)
    if size < _LARGE_BYTES:
        return 0
    value.replace_all_uses_with(Builder(constant).value("tensor.empty", [], value.type))
    constant.erase()
    return size


def _in_front(entry: Any, until: Callable[[Any], bool]) -> list[Any]:
    """Return the operations in the first block of a function before the first one for which ``until`` holds."""
    operations = [each.operation for each in entry.regions[0].blocks[0].operations]
    return list(takewhile(lambda op: not until(op), operations))


class _Contents:
    """Dataflow of tensor contents through the operations of a program."""

    def __init__(self, operations: Sequence[Any]) -> None:
        self._operations = operations
        self._structured = {op for op in operations if _is_structured(op)}
        self.computed = {op for op in self._structured if all(map(_computes, descendants(op)))}

    def seen(self, entry: Any, *, results_are_seen: bool) -> set[Any]:
        """Return the values whose contents are read; with ``results_are_seen`` also those of returned integers."""
        waiting: list[Any] = []
        for op in self._operations:
            if op.name == "func.return" and op.parent == entry:
                waiting += [each for each in op.operands if results_are_seen and not _is_of_floats(each)]
            else:
                waiting += self._looked_at(op)
        seen: set[Any] = set()
        while waiting:
            value = waiting.pop()
            if value not in seen:
                seen.add(value)
                waiting += self._sources_of(value)
        return seen

    def _looked_at(self, op: Any) -> list[Any]:
        """Return the operands whose contents an operation reads, whether or not its results are used."""
        if op in self._structured or (op.name == _YIELD and op.parent.operation in self._structured):
            return []
        if op.name != _YIELD and _computes(op):
            return []
        return list(op.operands)[_MOVING.get(op.name, op.name in _SIZES_ONLY) :]

    def _sources_of(self, value: Any) -> list[Any]:
        """Return the values from which the contents of one are computed by an operation that reads none itself."""
        if not hasattr(value.owner, "operation"):  # an argument of a block
            owner = value.owner.owner.operation
            return [owner.operands[value.arg_number]] if owner in self._structured else []
        owner = value.owner.operation
        if owner in self._structured:
            # What is written into stays as it is where the loops are empty.
            number = value.result_number
            return [list(owner.regions[0].blocks[0].operations)[-1].operands[number], _targets(owner)[number]]
        return list(owner.operands)[: None if _computes(owner) else _MOVING.get(owner.name, 0)]


def _is_structured(op: Any) -> bool:
    """Return whether an operation loops over elements of tensors, and returns tensors."""
    if not op.name.startswith("linalg.") or not len(op.results) or not len(op.regions):
        return False
    return all(map(_is_tensor, op.results)) and len(_targets(op)) == len(op.results)


def _computes(op: Any) -> bool:
    return op.name in _COMPUTING or op.name.startswith("math.")


def _targets(op: Any) -> list[Any]:
    """Return the destinations of a structured operation: its last operands, one for every result, of the same types."""
    targets = list(op.operands)[-len(op.results) :]
    return [target for target, result in zip(targets, op.results, strict=False) if target.type == result.type]


def _is_tensor(value: Any) -> bool:
    return isinstance(value.type, bindings.ir().RankedTensorType)


def _is_of_floats(value: Any) -> bool:
    kind = value.type.element_type if _is_tensor(value) else value.type
    return isinstance(kind, bindings.ir().FloatType)


_ELIDED = re.compile(r"dense_resource<__elided__\w*> : (.+)")


def fill_elided_constants(module: Any, *, zeros: bool) -> None:
    """Fill every elided constant with unequal floats or with ones if they are integers; or all with ``zeros``.

    One number everywhere would fold away what reads it, out of its bounds too.
    """
    ir = bindings.ir()
    with ir.Location.unknown(module.context):
        _fill(module, zeros)


def _fill(module: Any, zeros: bool) -> None:
    ir = bindings.ir()
    seed = count()
    for op in descendants(module.operation):
        for name in list(op.attributes):
            elided = _ELIDED.fullmatch(str(op.attributes[name]))
            if elided:
                type = ir.ShapedType(ir.Type.parse(elided[1]))
                unequal = None if zeros else _unequal_floats(type, next(seed))
                number = _number(type.element_type, 0 if zeros else 1)
                op.attributes[name] = unequal or ir.DenseElementsAttr.get_splat(type, number)


_MOST_UNEQUAL = 1 << 20
"""Largest number of elements of a constant that are made unequal; a larger constant holds ones."""
_PERIOD = 4099
"""Number of different values in one constant, a prime."""


def _unequal_floats(type: Any, seed: int) -> Any:
    """Return an attribute of floats from 0.5 to 1.5, None for other element types and very large tensors.

    numpy is not used: its import takes longer than most executions.
    """
    ir = bindings.ir()
    code = "f" if isinstance(type.element_type, ir.F32Type) else "d"
    is_known = code == "f" or isinstance(type.element_type, ir.F64Type)
    extents = [type.get_dim_size(each) for each in range(type.rank)]
    elements = prod(extents)
    if not is_known or not 1 < elements <= _MOST_UNEQUAL:
        return None
    draw = Random(seed).random
    numbers = array(code, (0.5 + draw() for _ in range(min(elements, _PERIOD)))) * -(-elements // _PERIOD)
    return ir.DenseElementsAttr.get(numbers[:elements], type=type.element_type, shape=extents)


def _number(type: Any, value: int) -> Any:
    ir = bindings.ir()
    if isinstance(type, ir.IntegerType | ir.IndexType):
        return ir.IntegerAttr.get(type, value)
    return ir.FloatAttr.get(type, float(value))


_RETURN = "func.return"


def cut_off(module: Any, function: str, last: Place) -> bool:
    """End ``function`` after its last operation in, or around, the line of ``last``, with arbitrary results.

    Returns False, and changes nothing, for a function of several blocks, or without such an operation.
    """
    found = [op.operation for op in module.body.operations if symbol_of(op) == function and op.operation.regions]
    blocks = list(found[0].regions[0].blocks) if found else []
    if len(blocks) != 1:
        return False
    body = [op.operation for op in blocks[0].operations]
    if not body or body[-1].name != _RETURN:
        return False
    positions = [number for number, op in enumerate(body[:-1]) if _is_in_line(op, last[0])]
    if not positions:
        return False
    _end_after(found[0], body, positions[-1])
    return True


def _is_in_line(op: Any, line: int) -> bool:
    return any((place := place_of(each.location)) is not None and place[0] == line for each in (op, *descendants(op)))


def is_at_or_behind(op: Any, line: int) -> bool:
    """Return whether an operation, or one in it, was written in a line or behind it.

    Constants do not count, for they are moved.
    """
    if op.name == "arith.constant":
        return False
    return any((place := place_of(each.location)) is not None and place[0] >= line for each in (op, *descendants(op)))


def _end_after(function: Any, body: list[Any], position: int) -> None:
    """Return the values that the removed operations used, so that computing them does not become dead code.

    Values computed from no operands are left out: they fail for no sizes, and may be all the weights of a model.
    """
    ir = bindings.ir()
    kept, rest = body[: position + 1], body[position + 1 :]
    made = [result for op in kept if list(op.operands) for result in op.results]
    uses = [_uses(result) for result in made]
    for op in reversed(rest):
        op.erase()
    live = [each for each, before in zip(made, uses, strict=True) if _uses(each) < before and _can_be_returned(each)]
    with ir.InsertionPoint(kept[-1].block), kept[-1].location:
        ir.Operation.create(_RETURN, operands=live)
    kind = function.attributes["function_type"].value
    function.attributes["function_type"] = ir.TypeAttr.get(
        ir.FunctionType.get(kind.inputs, [each.type for each in live], context=function.context)
    )
    if "res_attrs" in function.attributes:
        del function.attributes["res_attrs"]


def _uses(value: Any) -> int:
    return sum(1 for _ in value.uses)


def _can_be_returned(value: Any) -> bool:
    ir = bindings.ir()
    kind = value.type
    if isinstance(kind, ir.RankedTensorType | ir.UnrankedTensorType | ir.MemRefType):
        kind = kind.element_type
    return isinstance(kind, ir.IndexType | ir.IntegerType | ir.FloatType)
