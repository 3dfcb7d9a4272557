"""Tensors and numbers in the types of PyTorch's dialect, which the bindings know by their spelling only."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from shapesolve.reading.program import OpaqueType, ScalarType, ShapedType, Type

_TENSOR = re.compile(r"!torch\.vtensor(?:<(?P<sizes>\*|\[[?\d,]*\])(?:,(?P<element>[^,]+))?.*>)?")
_NUMBERS = {
    "!torch.int": ScalarType("integer", 64, "!torch.int"),
    "!torch.bool": ScalarType("integer", 1, "!torch.bool"),
    "!torch.float": ScalarType("float", 64, "!torch.float"),
}
_UNKNOWN = OpaqueType("unk")


def foreign_type(text: str, element_type: Callable[[str], Type]) -> Type | None:
    """A tensor that is a value, an integer, a truth value or a float of PyTorch's dialect; None for any other type.

    ``element_type`` reads the spelling of a type that may be an element. Signed integers are those without a sign
    elsewhere, so that a tensor has one type before and after it is lowered.
    """
    if text in _NUMBERS:
        return _NUMBERS[text]
    found = _TENSOR.fullmatch(text)
    if found is None:
        return None
    sizes = found["sizes"]
    extents = None
    if sizes is not None and sizes != "*":
        extents = tuple(None if each == "?" else int(each) for each in sizes[1:-1].split(",") if each)
    return ShapedType("tensor", extents, _element(found["element"], element_type))


def _element(text: str | None, element_type: Callable[[str], Type]) -> ScalarType | OpaqueType:
    if text is None or text == "unk":
        return _UNKNOWN
    found = element_type(text)
    if isinstance(found, ShapedType):
        return OpaqueType(text)
    signed = isinstance(found, ScalarType) and text.startswith("si")
    return replace(found, text=text[1:]) if signed else found
