"""Shapes of the lines of a model: of each line, the value that the last of its operations makes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Location, Operation
from shapesolve.shape_inference.known_extents import Inferred
from shapesolve.shape_inference.value_shapes import value_shapes
from shapesolve.symbolic.dims import Dim

SCALAR = "[]"

Line = tuple[str, int]
"""A file, and a line of it, counted from 1."""

MOST_SHAPES = 3
"""Different shapes that are shown of a line that runs several times."""


def line_shapes(inferred: Iterable[Inferred]) -> dict[Line, str]:
    """Return the shape of the value of each line of a model, as text.

    A line that calls others has the value that the call makes. One that runs several times has the different shapes,
    in their order; one that makes no tensor but a size has that.
    """
    found: dict[Line, dict[str, bool]] = {}
    for each in inferred:
        for line, text, is_tensor in _line_values(each):
            found.setdefault(line, {})[text] = is_tensor
    return {line: _together(texts) for line, texts in found.items()}


def _together(texts: Mapping[str, bool]) -> str:
    """Return different shapes of one line as one text: numbers only where there is nothing of a rank."""
    tensors = [text for text, is_tensor in texts.items() if is_tensor]
    shown = [each for each in tensors if each != SCALAR] or tensors or list(texts)
    return " | ".join([*shown[:MOST_SHAPES], *(["..."] if len(shown) > MOST_SHAPES else [])])


def _line_values(inferred: Inferred) -> Iterator[tuple[Line, str, bool]]:
    """Yield each run of a line with its value: what the last operation makes before other lines go on."""
    texts = {(each.name, each.location): each.shape for each in value_shapes(inferred)}
    running: dict[tuple[Line, ...], tuple[str, bool]] = {}
    for op in inferred.trace.function.operation.walk():
        if op.origin is None or not op.origin.file:
            continue
        stack = (*reversed(op.origin.callers), (op.origin.file, op.origin.line))
        calls = [stack[: depth + 1] for depth in range(len(stack))]
        for ended in [each for each in running if each not in calls]:
            yield (ended[-1], *running.pop(ended))
        value = _value(op, inferred, texts)
        for each in calls if value is not None else ():
            if value is not None and (value[1] or not running.get(each, ("", False))[1]):
                running[each] = value
    for each, value in running.items():
        yield (each[-1], *value)


def _value(op: Operation, inferred: Inferred, texts: Mapping[tuple[str, Location], str]) -> tuple[str, bool] | None:
    """Return the shapes that an operation makes, or else its sizes but constants; and whether they are shapes."""
    made = [(inferred.trace.values.get(each), texts.get((each.name, op.location))) for each in op.results]
    shapes = [text for value, text in made if isinstance(value, Tensor) and text is not None]
    sizes = [text for value, text in made if isinstance(value, Dim) and not value.is_constant and text is not None]
    if not shapes and not sizes:
        return None
    return ", ".join(shapes or sizes), bool(shapes)
