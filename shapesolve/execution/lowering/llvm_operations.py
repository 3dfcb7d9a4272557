"""Operations of the LLVM dialect on numbers, replaced by those that `ir.llvm_forms` reads them as.

So they are checked while running, and lowered, as others are; no operation of that dialect is executed as written.
"""

from __future__ import annotations

from typing import Any

from shapesolve.execution.lowering.builder import Builder, descendants
from shapesolve.ir import bindings
from shapesolve.ir.attributes import Converter, plain_properties
from shapesolve.ir.llvm_forms import PREFIX, counterpart
from shapesolve.ir.program import OpaqueAttribute, Value


def replace_llvm_operations(module: Any) -> None:
    """Replace each operation of the LLVM dialect that has a counterpart."""
    converter = Converter()
    for op in list(descendants(module.operation)):
        if op.name.startswith(PREFIX):
            _replace(op, converter)


def _replace(op: Any, converter: Converter) -> None:
    operands, results = (
        [Value("", converter.type(each.type), 0) for each in values] for values in (op.operands, op.results)
    )
    same = counterpart(op.name, operands, results, converter.attributes(op, plain_properties(op)))
    if same is None:
        return
    ir = bindings.ir()
    attributes: dict[str, Any] = {}
    for name, value in same.attributes.items():
        if name in op.attributes:
            attributes[name] = op.attributes[name]
        elif isinstance(value, OpaqueAttribute):
            attributes[name] = ir.Attribute.parse(value.text, op.context)
    number: Any = attributes.get("value")
    if isinstance(number, ir.IntegerAttr):  # of type index, as lowerings write it, or of another integer type
        attributes["value"] = ir.IntegerAttr.get(op.results[0].type, number.value)
    made = Builder(op).build(
        same.name, list(op.operands), [each.type for each in op.results], attributes, successors=list(op.successors)
    )
    for old, new in zip(op.results, made.results, strict=True):
        old.replace_all_uses_with(new)
    op.erase()
