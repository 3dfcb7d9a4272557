"""Whether two runs return results of the same sizes.

Sizes are the extents of tensors, and what is used as one: numbers of type ``index``, ``!shape.size`` and
``!shape.shape``, and the elements of tensors of ``index`` and of ``!tosa.shape``. Other integers are compared as far
as the rules follow them; further contents are not (`left_out`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from shapesolve.language.dims import Dim
from shapesolve.language.formulas import Formula, conjunction, equal, equivalent, implies
from shapesolve.language.shapes import RankedShape, Shape, same_shape
from shapesolve.reading.program import ScalarType, ShapedType, Type
from shapesolve.records import record
from shapesolve.refining.outcome import Compared
from shapesolve.walking.obligations import Trace
from shapesolve.walking.values import Abstract, Size, Tensor, Witness


@record
class Agreement:
    """A claim that some part of the results is the same; without one, ``obstacle`` says why.

    ``compared``: both of that part, where it is a number. ``is_content``: where it is neither proved nor refuted, it
    counts as left out.
    """

    words: str
    claim: Formula | None
    obstacle: str = ""
    compared: Compared | None = None
    is_content: bool = False


def _same_number(words: str, ours: Dim, theirs: Dim) -> Agreement:
    return Agreement(words, equal(ours, theirs), compared=Compared(words, ours, theirs))


def agreements(source: Trace, target: Trace) -> list[Agreement]:
    """What has to be equal for the results to have the same sizes."""
    types = source.function.result_types
    given = [each.results for each in (source, target)]
    if source.results is None or target.results is None or any(len(each or ()) != len(types) for each in given):
        return [Agreement("the results", None, "where the function returns is not known")]
    found: list[Agreement] = []
    for position, (ours, theirs) in enumerate(zip(source.results, target.results, strict=True)):
        type = types[position]
        found.extend(_agreements(f"result {position}", type, ours, theirs))
    return found


def _agreements(name: str, type: Type, ours: Abstract, theirs: Abstract) -> Iterator[Agreement]:
    match ours, theirs:
        case Tensor(), Tensor():
            yield from _shapes(name, ours.shape, theirs.shape)
            if holds_sizes(type):
                yield _contents(name, ours, theirs)
        case Shape(), Shape():
            yield Agreement(f"the shape in {name}", same_shape(ours, theirs))
        case Size(), Size():
            same = implies(ours.valid, equal(ours.value, theirs.value))
            yield Agreement(f"the size in {name}", conjunction((equivalent(ours.valid, theirs.valid), same)))
        case Witness(), Witness():
            yield Agreement(f"whether the witness {name} passes", equivalent(ours.passing, theirs.passing))
        case Dim(), Dim():
            if isinstance(type, ScalarType) and type.kind == "index":
                yield _same_number(f"the value of {name}", ours, theirs)
            elif isinstance(type, ScalarType):
                yield replace(_same_number(f"the value of {name}", ours, theirs), is_content=True)
        case Formula(), Formula():
            if isinstance(type, ScalarType):
                yield Agreement(f"the value of {name}", equivalent(ours, theirs), is_content=True)
        case _:
            if isinstance(type, ShapedType) or str(type).startswith("!shape."):
                yield Agreement(name, None, f"{name} is not modelled")


def holds_sizes(type: Type) -> bool:
    """Whether the elements of a type are sizes."""
    if isinstance(type, ShapedType):
        return str(type.element) == "index" and type.container != "memref"
    return str(type).startswith("!tosa.shape")


def _shapes(name: str, ours: Shape, theirs: Shape) -> Iterator[Agreement]:
    if isinstance(ours, RankedShape) and isinstance(theirs, RankedShape) and len(ours.dims) == len(theirs.dims):
        for index, (a, b) in enumerate(zip(ours.dims, theirs.dims, strict=True)):
            yield _same_number(f"extent {index} of {name}", a, b)
    else:
        yield Agreement(f"the shape of {name}", same_shape(ours, theirs))


def _contents(name: str, ours: Tensor, theirs: Tensor) -> Agreement:
    words = f"what {name} holds"
    a, b = _held(ours), _held(theirs)
    if a is None or b is None:
        return Agreement(words, None, f"the elements of {name} are not followed")
    if ours.signs is not theirs.signs:
        return Agreement(words, None, f"whether {name} holds sizes is not known")
    return Agreement(words, same_shape(a, b))


def _held(tensor: Tensor) -> Shape | None:
    elements = tensor.elements
    if elements is not None and all(isinstance(each, Dim) for each in elements):
        return RankedShape.of(each for each in elements if isinstance(each, Dim))
    return tensor.spells
