"""The names of values that texts about a function may use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from shapesolve.language.dims import Dim
from shapesolve.language.formulas import Formula
from shapesolve.language.parsing import Scope
from shapesolve.language.shapes import Shape
from shapesolve.walking.values import Abstract, Size, Tensor, as_size, held_by


def scope_of_values(named: Iterable[tuple[str, Abstract]], sizes: Mapping[str, Dim] | None = None) -> Scope:
    """Sizes and shapes by the names of values; what comes first under a name counts, ``sizes`` before all.

    A truth or a witness that is not known is the number that it is: 0 or 1.
    """
    known: dict[str, Dim] = dict(sizes or {})
    shapes: dict[str, Shape] = {}
    valid: dict[str, Formula] = {}
    for name, value in named:
        if name in known or name in shapes:
            continue
        if isinstance(value, Tensor):
            shapes[name] = value.shape
            shapes.update({each: held for each, held in held_by(name, value).items() if each not in shapes})
        elif isinstance(value, Shape):
            shapes[name] = value
        elif (number := as_size(value)) is not None:
            known[name] = number
            if isinstance(value, Size):
                valid[name] = value.valid
    return Scope.closed(known, shapes, valid)
