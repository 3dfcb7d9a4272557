"""Programs of StableHLO, written as expressions of Python: types of results follow from those of operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import cast

Extents = tuple[int | None, ...]
Place = tuple["Tensor", int] | int


def type_of(extents: Extents, element: str) -> str:
    """Return the type of a tensor; an extent of None is dynamic."""
    return "tensor<" + "".join(f"{'?' if each is None else each}x" for each in extents) + f"{element}>"


def parsed(text: str) -> tuple[Extents, str]:
    """Return the extents and the type of the elements of ``?x4xf32``."""
    *extents, element = text.strip().split("x")
    return tuple(None if each == "?" else int(each) for each in extents), element


@dataclass(frozen=True)
class Product:
    """An extent that is the product of others."""

    places: tuple[Place, ...]


@dataclass
class Writer:
    """The lines of a function."""

    lines: list[str] = field(default_factory=list[str])

    def add(self, text: str) -> str:
        """Add an operation with one result; return the name of the result."""
        name = f"%{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name


@dataclass(frozen=True, eq=False)
class Tensor:
    """A value of a program under construction."""

    writer: Writer
    name: str
    extents: Extents
    element: str

    @property
    def type(self) -> str:
        return type_of(self.extents, self.element)

    @property
    def rank(self) -> int:
        return len(self.extents)

    def apply(
        self,
        name: str,
        others: Sequence[Tensor] = (),
        extents: Extents | None = None,
        element: str = "",
        suffix: str = "",
        prefix: str = "",
    ) -> Tensor:
        """Return an operation of StableHLO on this tensor and others."""
        operands = (self, *others)
        result = self.extents if extents is None else extents
        type = type_of(result, element or self.element)
        names = ", ".join(each.name for each in operands)
        types = ", ".join(each.type for each in operands)
        text = f"stablehlo.{name} {prefix}{names}{suffix} : ({types}) -> {type}"
        return Tensor(self.writer, self.writer.add(text), result, element or self.element)

    # Scalar functions ------------------------------------------------------------------------------------------------

    def __add__(self, other: Tensor) -> Tensor:
        return self.apply("add", [other])

    def __sub__(self, other: Tensor) -> Tensor:
        return self.apply("subtract", [other])

    def __mul__(self, other: Tensor) -> Tensor:
        return self.apply("multiply", [other])

    def __truediv__(self, other: Tensor) -> Tensor:
        return self.apply("divide", [other])

    def __mod__(self, other: Tensor) -> Tensor:
        return self.apply("remainder", [other])

    def __and__(self, other: Tensor) -> Tensor:
        return self.apply("and", [other])

    def __or__(self, other: Tensor) -> Tensor:
        return self.apply("or", [other])

    def __xor__(self, other: Tensor) -> Tensor:
        return self.apply("xor", [other])

    def __neg__(self) -> Tensor:
        return self.apply("negate")

    def __invert__(self) -> Tensor:
        return self.apply("not")

    def __abs__(self) -> Tensor:
        return self.apply("abs")

    def maximum(self, other: Tensor) -> Tensor:
        return self.apply("maximum", [other])

    def minimum(self, other: Tensor) -> Tensor:
        return self.apply("minimum", [other])

    def compare(self, direction: str, other: Tensor) -> Tensor:
        """Return ``LT``, ``LE``, ``GT``, ``GE``, ``EQ`` or ``NE`` of the elements."""
        return self.apply("compare", [other], element="i1", prefix=f"{direction}, ")

    def select(self, then: Tensor, otherwise: Tensor) -> Tensor:
        """Return ``then`` where this is true."""
        return self.apply("select", [then, otherwise], then.extents, then.element)

    def clamp(self, least: Tensor, most: Tensor) -> Tensor:
        return least.apply("clamp", [self, most], self.extents)

    def convert(self, element: str) -> Tensor:
        return self.apply("convert", element=element)

    def full(self, value: str) -> Tensor:
        """Return a tensor like this one, with the same element everywhere."""
        return self.scalar(value).broadcast_like((), self)

    def scalar(self, value: str, element: str = "") -> Tensor:
        element = element or self.element
        name = self.writer.add(f"stablehlo.constant dense<{value}> : tensor<{element}>")
        return Tensor(self.writer, name, (), element)

    # Moves -----------------------------------------------------------------------------------------------------------

    def transpose(self, *permutation: int) -> Tensor:
        extents = tuple(self.extents[each] for each in permutation)
        return self.apply("transpose", extents=extents, suffix=f", dims = {list(permutation)}")

    def reverse(self, *dimensions: int) -> Tensor:
        text = f"stablehlo.reverse {self.name}, dims = {list(dimensions)} : {self.type}"
        return Tensor(self.writer, self.writer.add(text), self.extents, self.element)

    def slice(self, *ranges: tuple[int, ...]) -> Tensor:
        """Return the elements from start to limit, every so many: ``(start, limit)`` or ``(start, limit, stride)``."""
        parts = [(*each, 1)[:3] for each in ranges]
        extents = tuple(-(-(limit - start) // stride) for start, limit, stride in parts)
        bounds = ", ".join(f"{start}:{limit}:{stride}" for start, limit, stride in parts)
        return self.apply("slice", extents=extents, suffix=f" [{bounds}]")

    def pad(self, value: Tensor, low: Sequence[int], high: Sequence[int], interior: Sequence[int] = ()) -> Tensor:
        gaps = list(interior) or [0] * self.rank
        extents = tuple(
            None if extent is None else before + after + extent + max(extent - 1, 0) * gap
            for extent, before, after, gap in zip(self.extents, low, high, gaps, strict=True)
        )
        suffix = f", low = {list(low)}, high = {list(high)}, interior = {gaps}"
        return self.apply("pad", [value], extents, suffix=suffix)

    def concat(self, axis: int, *others: Tensor) -> Tensor:
        known = [each.extents[axis] for each in (self, *others)]
        whole = None if None in known else sum(each or 0 for each in known)
        extents = (*self.extents[:axis], whole, *self.extents[axis + 1 :])
        return self.apply("concatenate", others, extents, suffix=f", dim = {axis}")

    def broadcast(self, dimensions: Sequence[int], *places: Place) -> Tensor:
        """Return the tensor stretched to extents that are numbers, or those of other tensors."""
        extents = _known(places)
        if None in extents:
            shape = self.shape(*places)
            suffix = f", dims = {list(dimensions)}"
            return self.apply("dynamic_broadcast_in_dim", [shape], extents, suffix=suffix)
        return self.apply("broadcast_in_dim", extents=extents, suffix=f", dims = {list(dimensions)}")

    def broadcast_like(self, dimensions: Sequence[int], other: Tensor) -> Tensor:
        return self.broadcast(dimensions, *((other, each) for each in range(other.rank)))

    def reshape(self, *places: Place | Product) -> Tensor:
        """Return the tensor with other extents."""
        factors: list[tuple[Place, ...]] = [_factors(each) for each in places]
        extents = tuple(None if None in _known(each) else prod(k or 0 for k in _known(each)) for each in factors)
        if None in extents:
            return self.apply("dynamic_reshape", [self._shape(factors)], extents)
        return self.apply("reshape", extents=extents)

    def shape(self, *places: Place) -> Tensor:
        """Return a tensor of extents."""
        return self._shape([(each,) for each in places])

    def _shape(self, factors: Sequence[tuple[Place, ...]]) -> Tensor:
        names: list[str] = []
        for group in factors:
            found = [self._size(each) for each in group]
            name = found[0]
            for other in found[1:]:
                name = self.writer.add(f"arith.muli {name}, {other} : index")
            names.append(name)
        type = f"tensor<{len(names)}xindex>"
        name = self.writer.add(f"tensor.from_elements {', '.join(names)} : {type}")
        return Tensor(self.writer, name, (len(names),), "index")

    def _size(self, place: Place) -> str:
        if isinstance(place, int):
            return self.writer.add(f"arith.constant {place} : index")
        tensor, axis = place
        if (extent := tensor.extents[axis]) is not None:
            return self._size(extent)
        number = self.writer.add(f"arith.constant {axis} : index")
        return self.writer.add(f"tensor.dim {tensor.name}, {number} : {tensor.type}")

    def iota(self, axis: int, *places: Place, element: str = "i32") -> Tensor:
        """Return the index along an axis, in a tensor of these extents."""
        extents = _known(places)
        type = type_of(extents, element)
        if None in extents:
            shape = self.shape(*places)
            text = f"stablehlo.dynamic_iota {shape.name}, dim = {axis} : ({shape.type}) -> {type}"
        else:
            text = f"stablehlo.iota dim = {axis} : {type}"
        return Tensor(self.writer, self.writer.add(text), extents, element)

    def dynamic_slice(self, starts: Sequence[Tensor], *sizes: int) -> Tensor:
        return self.apply("dynamic_slice", starts, tuple(sizes), suffix=f", sizes = {list(sizes)}")

    def update(self, part: Tensor, *starts: Tensor) -> Tensor:
        return self.apply("dynamic_update_slice", [part, *starts])

    # Reductions and contractions -------------------------------------------------------------------------------------

    def reduce(self, function: str, initial: Tensor, *dimensions: int) -> Tensor:
        extents = tuple(each for place, each in enumerate(self.extents) if place not in dimensions)
        type = type_of(extents, self.element)
        text = (
            f"stablehlo.reduce({self.name} init: {initial.name}) applies stablehlo.{function} across dimensions = "
            f"{list(dimensions)} : ({self.type}, {initial.type}) -> {type}"
        )
        return Tensor(self.writer, self.writer.add(text), extents, self.element)

    def sum(self, *dimensions: int) -> Tensor:
        return self.reduce("add", self.scalar("0.0" if self.element.startswith("f") else "0"), *dimensions)

    def dot(
        self,
        other: Tensor,
        contracting: tuple[Sequence[int], Sequence[int]],
        batching: tuple[Sequence[int], Sequence[int]] = ((), ()),
    ) -> Tensor:
        """Return sums of products along the contracting dimensions; batching dimensions come first."""
        extents = [self.extents[each] for each in batching[0]]
        for tensor, mine in ((self, 0), (other, 1)):
            used = {*batching[mine], *contracting[mine]}
            extents += [each for place, each in enumerate(tensor.extents) if place not in used]
        bounds = f", batching_dims = {list(batching[0])} x {list(batching[1])}" if batching[0] else ""
        bounds += f", contracting_dims = {list(contracting[0])} x {list(contracting[1])}"
        return self.apply("dot_general", [other], tuple(extents), suffix=bounds)

    def cast(self, extents: Extents) -> Tensor:
        """Return the tensor with another static type."""
        if extents == self.extents:
            return self
        text = f"tensor.cast {self.name} : {self.type} to {type_of(extents, self.element)}"
        return Tensor(self.writer, self.writer.add(text), extents, self.element)


def _factors(place: Place | Product) -> tuple[Place, ...]:
    return place.places if isinstance(place, Product) else (place,)


def _known(places: Sequence[Place]) -> Extents:
    return tuple(each if isinstance(each, int) else each[0].extents[each[1]] for each in places)


Expression = (
    Callable[[Tensor], Tensor]
    | Callable[[Tensor, Tensor], Tensor]
    | Callable[[Tensor, Tensor, Tensor], Tensor]
    | Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]
    | Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]
)


def function(arguments: str, expression: Expression, result: Extents | None = None) -> tuple[str, Extents]:
    """Return a function as MLIR, and the extents of its result.

    Args:
        arguments: Their types without ``tensor<>``, separated by commas; they are named a, b, c and so on.
        expression: Returns the result, given the arguments.
        result: The extents of the result's type, if they are given.
    """
    writer = Writer()
    tensors = [
        Tensor(writer, f"%{name}", *parsed(text)) for name, text in zip("abcdefgh", arguments.split(","), strict=False)
    ]
    found = cast(Callable[..., Tensor], expression)(*tensors)
    found = found if result is None else found.cast(result)
    given = ", ".join(f"{each.name}: {each.type}" for each in tensors)
    lines = [f"func.func @f({given}) -> {found.type} {{", *writer.lines, f"  return {found.name} : {found.type}", "}"]
    return "\n".join(lines) + "\n", found.extents
