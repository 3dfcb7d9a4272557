"""Contents that may be undefined: memory that was never written, poison that was stored, and whoever reads either.

Memory is told apart by the allocation that it comes from, all other memory is one. A mark says where the undefined
contents came from (its origins): equal operations on operands of equal origins give results of equal origins. Marks
only grow; where one is set behind a use of it, as in a loop, the program is interpreted again with the known marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import prod

from shapesolve.ir.control_flow import Places
from shapesolve.ir.program import Operation, Region, ShapedType, Value, is_buffer
from shapesolve.semantics.effects import Effects

Origins = frozenset[str]
NO_ORIGINS: Origins = frozenset()

MOST_RUNS = 6
"""Most interpretations in which origins are told apart; after it, no two values have undefined contents of one origin.

Origins are named after what was interpreted with earlier ones, so that their names may grow forever.
"""

OF_SHAPES = frozenset(
    ("tensor.dim", "tensor.rank", "memref.dim", "memref.rank", "shape.shape_of", "stablehlo.get_dimension_size")
)
STORES = {"memref.store", "affine.store"}


@dataclass(slots=True, eq=False)
class UndefinedContents:
    """The values and the memory of one program whose contents may be undefined.

    Attributes:
        grew: Whether something was marked behind a use of it, so that the program has to be interpreted again.
        marks: The origins of marked values: of scalars and vectors themselves, of tensors and buffers for what they
            hold.
    """

    _places: Places
    grew: bool = False
    marks: dict[Value, Origins] = field(default_factory=dict[Value, Origins])
    _strict: set[Value] = field(default_factory=set[Value])
    _asked: set[Value] = field(default_factory=set[Value])
    _allocations: set[str] = field(default_factory=set[str])
    """The origins that are new memory, or new tensors."""
    _memory: Origins = NO_ORIGINS
    _asked_memory: bool = False
    _runs: int = 0
    _side: str = ""
    _own: int = 0
    _cleared: set[Value] = field(default_factory=set[Value])
    _ever_cleared: set[Value] = field(default_factory=set[Value])
    _kept: set[Value] = field(default_factory=set[Value])
    _written: dict[Value, set[tuple[int, ...]]] = field(default_factory=dict[Value, set[tuple[int, ...]]])

    def start(self, side: str) -> None:
        """Begin another interpretation of a program, on this side of the comparison."""
        self.grew = False
        self._runs += 1
        if self._runs == MOST_RUNS:
            self._side = side
            self._memory |= {side} if self._memory else NO_ORIGINS
            self.marks.update({value: origins | self._own_origin() for value, origins in self.marks.items()})
        self._asked.clear()
        self._asked_memory = False
        self._written.clear()
        self._cleared.clear()

    def mark_of(self, value: Value) -> Origins:
        """Return where a value's undefined contents may come from; nothing if it is defined."""
        self._asked.add(value)
        return self.marks.get(value, NO_ORIGINS)

    def is_only_read(self, value: Value) -> bool:
        """Return whether a marked value is undefined only if what was read from memory is."""
        return value not in self._strict

    def mark(self, value: Value, origins: Origins, *, only_read: bool = True) -> None:
        """Mark a value."""
        if not origins:
            return
        known = self.marks.get(value, NO_ORIGINS)
        if self._side and not known:
            origins |= self._own_origin()
        is_new = self._are_new(origins, known) or (not only_read and value not in self._strict)
        if value in self._cleared:
            self._kept.add(value)
        if is_new and value in self._asked and value in self._ever_cleared:
            self._kept.add(value)  # else it would grow and be cleared in every run
        self.marks[value] = known | origins
        if not only_read:
            self._strict.add(value)
        self.grew = self.grew or (is_new and value in self._asked)

    def _own_origin(self) -> Origins:
        """Return an origin that nothing else has."""
        self._own += 1
        return frozenset((f"{self._side} {self._own}",))

    def _are_new(self, origins: Origins, known: Origins) -> bool:
        """Return whether origins make a difference: only the first ones do once those of a value are its own."""
        return not known if self._side else not origins <= known

    def contents(self, value: Value) -> Origins:
        """Return where undefined contents of a tensor or a buffer may come from."""
        if not is_container(value):
            return NO_ORIGINS
        if is_buffer(value.type):
            self._asked_memory = True
            return self.mark_of(value) | self.mark_of(self._root(value)) | self._memory
        return self.mark_of(value)

    def read_operands(self, op: Operation) -> Iterator[Value]:
        """Yield the operands whose elements an operation uses."""
        if op.name == "memref.copy":
            yield op.operands[0]
            return
        unread = _unread(op) if _overwrites(op) else frozenset[int]()
        yield from (each for place, each in enumerate(op.operands) if place not in unread)

    def read_contents(self, op: Operation, effects: Effects) -> Origins:
        """Return where undefined elements that an operation uses may come from."""
        read = [each for each in self.read_operands(op) if not is_buffer(each.type) or effects.reads]
        return NO_ORIGINS.union(*map(self.contents, read))

    def read(self, op: Operation, effects: Effects, number: str) -> None:
        """Mark the results of an operation that uses undefined contents, or has some of them in its results."""
        if op.name in OF_SHAPES or not op.results:
            return
        found = self.read_contents(op, effects)
        for result in op.results:
            if is_buffer(result.type):
                views = [self.mark_of(each) for each in op.operands if is_buffer(each.type)]
                self.mark(result, found.union(*views))
            elif found:
                self.mark(result, found if is_container(result) else found | {number})

    def allocate(self, op: Operation, number: str) -> None:
        """Mark new memory, or a new tensor, whose elements may be anything."""
        for each in op.results:
            if is_container(each):
                origin = f"new {number}"
                self._allocations.add(origin)
                self.mark(each, frozenset((origin,)))

    def write(self, op: Operation, origins: Origins) -> None:
        """Mark the memory that an operation may write undefined contents to; note memory that is wholly written."""
        for place, each in enumerate(op.operands):
            if not is_buffer(each.type):
                continue
            if origins:
                root = self._root(each)
                if self._is_allocated(root):
                    self.mark(root, origins)
                else:
                    grows = self._are_new(origins, self._memory)
                    self.grew = self.grew or (grows and self._asked_memory)
                    self._memory |= origins | ({self._side} if self._side else NO_ORIGINS)
            elif self._is_wholly_written(op, place) and each not in self._kept and each in self.marks:
                del self.marks[each]
                self._cleared.add(each)
                self._ever_cleared.add(each)

    def enter(self, op: Operation, regions: Iterable[Region], own: Sequence[tuple[Value, Origins, bool]]) -> None:
        """Mark the arguments of regions that get marked operands.

        Args:
            own: For each operand: the operand, its origins, and whether it is only read.
        """
        for region in regions:
            if region.blocks:
                self._pass_on(own, region.blocks[0].arguments)
        for block in op.successors:
            given = NO_ORIGINS.union(*(origins for _, origins, _ in own))
            only_read = all(each for _, origins, each in own if origins)
            for argument in block.arguments:
                self.mark(argument, given, only_read=only_read)

    def hand_on(self, op: Operation, regions: Iterable[Region], own: Sequence[tuple[Value, Origins, bool]]) -> None:
        """Mark results, and arguments of the next iteration, by what a region hands on; see `enter`."""
        if op.results:
            self._pass_on(own, op.results)
        for region in regions:
            if region.blocks and region in op.regions:
                self._pass_on(own, region.blocks[0].arguments)

    def _pass_on(self, own: Sequence[tuple[Value, Origins, bool]], arguments: Sequence[Value]) -> None:
        """Mark arguments by the operands at the same places from the end on; by all of them where types differ."""
        least = min(len(own), len(arguments))
        pairs = list(zip(arguments[len(arguments) - least :], own[len(own) - least :], strict=True))
        if all(_may_pass(operand, argument) for argument, (operand, _, _) in pairs):
            for argument, (_, origins, only_read) in pairs:
                self.mark(argument, origins, only_read=only_read)
            return
        given = NO_ORIGINS.union(*(origins for _, origins, _ in own))
        for argument in arguments:
            if str(argument.type) != "index":
                self.mark(argument, given, only_read=all(each for _, origins, each in own if origins))

    def _root(self, value: Value) -> Value:
        while True:
            op = self._places.makers.get(value)
            views = [each for each in op.operands if is_buffer(each.type)] if op is not None else []
            if op is None or len(views) != 1 or op.regions or self._is_allocated(value):
                return value
            value = views[0]

    def _is_allocated(self, value: Value) -> bool:
        return not self._allocations.isdisjoint(self.marks.get(value, NO_ORIGINS)) or value in self._written

    def _is_wholly_written(self, op: Operation, place: int) -> bool:
        value = op.operands[place]
        maker = self._places.makers.get(value)
        if maker is None or self._places.blocks[maker][0] is not self._places.blocks[op][0]:
            return False
        self._written.setdefault(value, set())
        if op.name in STORES:
            return place == 1 and self._is_last_element(op, value)
        if op.name == "memref.copy":
            return place == 1
        return _overwrites(op) and place in _unread(op)

    def _is_last_element(self, op: Operation, value: Value) -> bool:
        indices = [self._constant(each) for each in op.operands[2:]]
        extents = value.type.extents if isinstance(value.type, ShapedType) else None
        if op.name != "memref.store" or extents is None or None in extents:
            return False
        known = tuple(each for each in indices if each is not None)
        if len(known) != len(indices):
            return all(each == 1 for each in extents)
        self._written[value].add(known)
        return len(self._written[value]) == prod(each for each in extents if each is not None)

    def _constant(self, value: Value) -> int | None:
        op = self._places.makers.get(value)
        found = op.attributes.get("value") if op is not None and op.name == "arith.constant" else None
        return found if isinstance(found, int) else None


def is_container(value: Value) -> bool:
    """Return whether a value is a tensor or a buffer, whose contents are told apart from itself."""
    return isinstance(value.type, ShapedType) and value.type.container != "vector"


def _may_pass(operand: Value, argument: Value) -> bool:
    """Return whether an argument can be an operand, or an element of it."""
    type = operand.type
    return type == argument.type or (isinstance(type, ShapedType) and type.element == argument.type)


def _overwrites(op: Operation) -> bool:
    """Return whether a structured operation writes every element of its outputs."""
    maps = op.indexing_maps
    if maps is None or len(maps) != len(op.operands):
        return False
    unread = _unread(op)
    return all(
        all(each.kind == "dim" for each in maps[place].results)
        and len({each.value for each in maps[place].results}) == len(maps[place].results)
        for place in unread
    )


def _unread(op: Operation) -> frozenset[int]:
    """Return the tensors and buffers among the operands whose elements the region gets and does not use."""
    if len(op.regions) != 1 or len(op.regions[0].blocks) != 1:
        return frozenset()
    arguments = op.regions[0].blocks[0].arguments
    if len(arguments) != len(op.operands):
        return frozenset()
    used = {operand for inner in op.walk() for operand in inner.operands}
    return frozenset(
        place for place, each in enumerate(arguments) if is_container(op.operands[place]) and each not in used
    )
