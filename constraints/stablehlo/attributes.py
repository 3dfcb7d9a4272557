"""Attributes of the stablehlo dialect, parsed from the text that the reader keeps of them."""

from __future__ import annotations

import re

from shapesolve.ir.program import DenseIntegers, OpaqueAttribute, Operation
from shapesolve.records import value_record
from shapesolve.semantics.context import UnknownValueError

_ENTRY = re.compile(r"(?P<key>\w+) = (?:\[(?P<list>[^\]]*)\]|(?P<number>-?\d+))")
_LAYOUT = re.compile(r"\[([^\]]*)\]x\[([^\]]*)\]->\[([^\]]*)\]")


def parse_structure(op: Operation, attribute: str) -> dict[str, tuple[int, ...]]:
    """Parse the fields of an attribute such as ``#stablehlo.dot<..>``.

    Returns:
        A list of integers per field; a number is a list of one.

    Raises:
        UnknownValueError: The attribute is missing.
    """
    found = op.attributes.get(attribute)
    if not isinstance(found, OpaqueAttribute):
        raise UnknownValueError(f"its attribute {attribute} is missing")
    fields: dict[str, tuple[int, ...]] = {}
    for entry in _ENTRY.finditer(found.text):
        text = entry["list"] if entry["number"] is None else entry["number"]
        fields[entry["key"]] = tuple(int(number) for number in text.split(",") if number.strip())
    return fields


def keyword(op: Operation, attribute: str) -> str:
    """Return the keyword of an attribute such as ``#stablehlo<comparison_direction LT>``; "" if it is absent."""
    found = op.attributes.get(attribute)
    return found.text.rstrip(">").split()[-1] if isinstance(found, OpaqueAttribute) else ""


@value_record
class ConvolutionLayout:
    """Dimension numbers of a convolution: the role of each dimension of input, kernel and output."""

    input_batch: int
    input_feature: int
    input_spatial: tuple[int, ...]
    kernel_input_feature: int
    kernel_output_feature: int
    kernel_spatial: tuple[int, ...]
    output_batch: int
    output_feature: int
    output_spatial: tuple[int, ...]


def convolution_layout(op: Operation) -> ConvolutionLayout:
    """Parse the dimension numbers of a convolution, such as ``[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]``.

    Raises:
        UnknownValueError: The attribute is missing, or of another form.
    """
    found = op.attributes.get("dimension_numbers")
    match = _LAYOUT.search(found.text) if isinstance(found, OpaqueAttribute) else None
    if match is None:
        raise UnknownValueError("the layout of the convolution is not known")
    source, kernel, result = ([name.strip() for name in group.split(",")] for group in match.groups())
    spatial = [name for name in source if name.isdigit()]
    return ConvolutionLayout(
        source.index("b"),
        source.index("f"),
        tuple(source.index(str(number)) for number in range(len(spatial))),
        kernel.index("i"),
        kernel.index("o"),
        tuple(kernel.index(str(number)) for number in range(len(spatial))),
        result.index("b"),
        result.index("f"),
        tuple(result.index(str(number)) for number in range(len(spatial))),
    )


def integers(op: Operation, attribute: str, count: int, otherwise: int) -> tuple[int, ...]:
    """Return an attribute that is a list of integers.

    Args:
        attribute: The name of the attribute.
        count: The required length; 0 for any.
        otherwise: The value of all entries if the attribute is absent or empty.

    Raises:
        UnknownValueError: The attribute is no list of integers, or has another length.
    """
    found = op.attributes.get(attribute, ())
    if isinstance(found, DenseIntegers) and found.values is not None:
        listed = found.values
    elif isinstance(found, tuple):
        listed = tuple(int(entry) for entry in found if isinstance(entry, int))
    else:
        raise UnknownValueError(f"its attribute {attribute} is not a list of integers")
    if count and not listed:
        return (otherwise,) * count
    if count and len(listed) != count:
        raise UnknownValueError(f"its attribute {attribute} has {len(listed)} entries where {count} are needed")
    return listed


def paddings(op: Operation, count: int) -> tuple[tuple[int, int], ...]:
    """Return the padding before and behind each dimension; zeros if the attribute is absent."""
    flat = integers(op, "padding", 2 * count, 0)
    return tuple((flat[2 * index], flat[2 * index + 1]) for index in range(count))
