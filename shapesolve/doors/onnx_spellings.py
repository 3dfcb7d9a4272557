"""What torch-mlir's importer of ONNX writes that PyTorch would refuse, as PyTorch has it."""

from __future__ import annotations

from typing import Any

from shapesolve.reading import bindings

_INTERPOLATION = "torch.aten.__interpolate.size_list_scale_list"
_MEANS = {"torch.aten.avg_pool1d": 1, "torch.aten.avg_pool2d": 2, "torch.aten.avg_pool3d": 3}


def spell_as_pytorch(module: Any) -> None:
    """Say nothing of corners where the nearest element is taken, and as many strides as a window has dimensions.

    The importer says that corners are not aligned, and gives strides of 1 behind those of a window.
    """

    def respell(op: Any) -> Any:
        operation = op.operation
        if operation.name == _INTERPOLATION:
            _say_nothing_of_corners(operation)
        elif operation.name in _MEANS:
            _cut_strides(operation, _MEANS[operation.name])
        return bindings.ir().WalkResult.ADVANCE

    module.operation.walk(respell)


def _say_nothing_of_corners(op: Any) -> None:
    mode, aligned, again = (_maker(op.operands[number]) for number in (3, 4, 5))
    names = [None if each is None else each.name for each in (mode, aligned, again)]
    expected = ["torch.constant.str", "torch.constant.bool", "torch.constant.none"]
    if names == expected and mode.attributes["value"].value == "nearest":
        op.operands[4] = again.results[0]


def _cut_strides(op: Any, dimensions: int) -> None:
    listed = _maker(op.operands[2])
    if listed is None or listed.name != "torch.prim.ListConstruct" or len(listed.operands) <= dimensions:
        return
    ones = [_maker(each) for each in list(listed.operands)[dimensions:]]
    if all(each is not None and each.name == "torch.constant.int" and _number(each) == 1 for each in ones):
        kept = list(listed.operands)[:dimensions]
        ir = bindings.ir()
        made = ir.Operation.create(
            listed.name, results=[listed.results[0].type], operands=kept, loc=listed.location, ip=ir.InsertionPoint(op)
        )
        op.operands[2] = made.results[0]


def _number(constant: Any) -> int:
    return int(constant.attributes["value"].value)


def _maker(value: Any) -> Any:
    """The operation that makes a value; None for an argument."""
    return None if isinstance(value.owner, bindings.ir().Block) else value.owner.operation
