"""Names of the extents of a function's arguments, as attributes, options and files of facts give them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from shapesolve.domain.fresh_variables import FreshVariables
from shapesolve.domain.values import Abstract, Size, Tensor
from shapesolve.errors import InputError, placed
from shapesolve.ir.assumptions import UNNAMED, ShapeName, StatedAssumption
from shapesolve.ir.own_attributes import SHAPE
from shapesolve.ir.program import SIZE_TYPE, Function
from shapesolve.preconditions.attributes import names_of_sizes
from shapesolve.preconditions.functions import argument_name, position_called, positional, source_of, texts_about
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, equal
from shapesolve.symbolic.parser import names_in, parse_size
from shapesolve.symbolic.scope import Scope
from shapesolve.symbolic.shape_kinds import RankedShape, Shape
from shapesolve.trace.events import Fact, Source


def shape_names(function: Function, texts: Sequence[str]) -> list[ShapeName]:
    """Names of extents from ``arg0=[B, T, 8]`` texts; those for arguments that the function lacks are an error."""
    found: list[ShapeName] = []
    for text in texts_about(function, texts):
        given = source_of(text, "--shape")
        name, separator, sizes = text.partition("=")
        sizes = sizes.strip()
        position = position_called(function, name.strip().lstrip("%"))
        if position is None:
            known = ", ".join(argument_name(function, index) for index, _ in enumerate(function.arguments)) or "none"
            raise InputError(f"{function.name} has no argument `{name.strip()}`; it has: {known}", where=given)
        is_size = str(function.arguments[position].type) == SIZE_TYPE
        if not separator or not (is_size or (sizes.startswith("[") and sizes.endswith("]"))):
            raise InputError(f"`{text}` does not have the form arg0=[B, T, 8]", where=given)
        names = names_of_sizes(sizes, is_size)
        found.append(ShapeName(position, names, function.arguments[position], function.location, "--shape", given))
    return found


def require_other_names(function: Function, chosen: Iterable[ShapeName]) -> None:
    """Raise InputError if a size has the name of an argument: texts could mean either."""
    taken = {*positional(function), *(argument_name(function, index) for index, _ in enumerate(function.arguments))}
    for name in chosen:
        with placed(statement_place(function, name)):
            used = [new for text in name.names if text != UNNAMED for new in names_in(text)]
        for each in (new for new in used if new in taken):
            sizes = ", ".join("_" if text == UNNAMED else text for text in name.names)
            raise InputError(
                f"`{each}` in [{sizes}] is the name of an argument: give the size another name",
                where=name.stated_by or str(name.location),
            )


def of_stated_rank(
    function: Function, values: Sequence[Abstract], names: Sequence[ShapeName], unknowns: FreshVariables
) -> tuple[tuple[Abstract, ...], tuple[str, ...]]:
    """Return the arguments, those of unknown rank with their stated rank, and the assumptions that this makes."""
    found = list(values)
    assumed: list[str] = []
    for name in names:
        position = name.argument
        value = None if position is None else found[position]
        shape = value.shape if isinstance(value, Tensor) else value
        if position is None or not isinstance(shape, Shape) or isinstance(shape, RankedShape):
            continue
        shown = argument_name(function, position)
        extents = [unknowns.size(f"{shown}[{i}]", 0, unknowns.largest) for i, _ in enumerate(name.names)]
        ranked = RankedShape.of(extents, shape.valid)
        found[position] = Tensor(ranked) if isinstance(value, Tensor) else ranked
        assumed.append(f"%{shown} has rank {len(extents)} ({name.stated_by or name.origin})")
    return tuple(found), tuple(assumed)


class NamedArguments:
    """Arguments of a function, whose extents get the names (or expressions over names) that the user chose.

    Args:
        separate: Whether an extent is a variable of its own, too, where its name is not its alone.

    Attributes:
        values: The arguments.
        sizes: The sizes, by name.
        facts: What the names state.
    """

    def __init__(
        self, function: Function, values: tuple[Abstract, ...], unknowns: FreshVariables, separate: bool
    ) -> None:
        self.values = values
        self.sizes: dict[str, Dim] = {}
        self.facts: list[Fact] = []
        self._function = function
        self._unnamed = values
        self._unknowns = unknowns
        self._separate = separate

    def add(self, name: ShapeName) -> None:
        """Name the extents of an argument; one that has a name already is equal to what a second one says."""
        position = self._function.arguments.index(name.value)
        value = self.values[position]
        shown = argument_name(self._function, position)
        before, unnamed_before = nameable(value), nameable(self._unnamed[position])
        if before is None or unnamed_before is None:
            if name.origin not in (SHAPE, "--shape"):  # an exporter's statement about a type that is not read
                return
            raise InputError(f"{shown} has no shape to name", where=name.stated_by or str(self._function.location))
        if len(name.names) != len(before):
            count = "1 name was" if len(name.names) == 1 else f"{len(name.names)} names were"
            message = f"{shown} has rank {len(before)}, but {count} given: [{', '.join(name.names)}]"
            raise InputError(message, where=name.stated_by or str(self._function.location))
        extents = [
            extent if text == UNNAMED else self._extent(name, text, shown, extent, is_named=extent is not unnamed)
            for text, extent, unnamed in zip(name.names, before, unnamed_before, strict=True)
        ]
        self.values = (*self.values[:position], _renamed(value, extents), *self.values[position + 1 :])

    def _extent(self, name: ShapeName, text: str, shown: str, extent: Dim, *, is_named: bool) -> Dim:
        is_shared = text in self.sizes or not text.isidentifier()
        largest = self._unknowns.largest
        for new in names_in(text):
            if new not in self.sizes:
                self.sizes[new] = self._unknowns.size(new, 0, largest)
        with placed(statement_place(self._function, name)):
            size = parse_size(text, Scope.closed(self.sizes, {}))
        is_kept = extent.is_constant or is_named or (self._separate and is_shared)
        if (is_kept and size is not extent) or is_shared:  # that an extent has the name of another is assumed, too
            named_extent = equal(size, extent) if is_kept else TRUE
            self.facts.append(Fact(named_extent, Source.ASSUMPTION, f"{shown} is named [{', '.join(name.names)}]"))
        if is_kept:
            return extent
        is_size = _is_size(size, largest)
        if is_size is FALSE and name.origin in (SHAPE, "--shape"):
            where = statement_place(self._function, name)
            raise InputError(f"{text} is no size: sizes are from 0 to {largest}", where=where)
        if is_size is not TRUE:
            self.facts.append(Fact(is_size, Source.TYPE, f"{text} is a size", name.location))
        return size


def nameable(value: Abstract) -> tuple[Dim, ...] | None:
    """Return the sizes that can be given names: the extents of a shape of known rank, or a size itself."""
    shape = value.shape if isinstance(value, Tensor) else value
    if isinstance(shape, RankedShape):
        return shape.dims
    return (shape.value,) if isinstance(shape, Size) else None


def _renamed(value: Abstract, sizes: Sequence[Dim]) -> Abstract:
    """Return the value with other sizes in place of those of `nameable`."""
    match value:
        case Tensor():
            return replace(value, shape=RankedShape.of(sizes, value.shape.valid))
        case Size():
            return Size(sizes[0], value.valid)
        case _:
            assert isinstance(value, Shape)
            return RankedShape.of(sizes, value.valid)


def _is_size(size: Dim, largest: int) -> Formula:
    """Return the condition under which an expression over sizes is a size itself."""
    least, most = size.bounds()
    below = TRUE if most is not None and most <= largest else at_least(dim(largest), size)
    return conjunction((below, TRUE if least == 0 else at_least(size, 0)))


def statement_place(function: Function, stated: StatedAssumption | ShapeName) -> str:
    """Return the place and the attribute or operation of a statement; the option or file for one given besides."""
    if not stated.stated_by:
        return f"{stated.location}: {stated.origin} of @{function.name}"
    return f"{stated.stated_by}: {stated.value.name}" if isinstance(stated, ShapeName) else stated.stated_by
