"""Data flow: which tensors may be aliased by a buffer, where data comes from, and which operation defines a value.

A tensor is a value and never changes, until an operation turns it into a buffer, or a buffer into it, without a copy.
Whether there is a copy and who writes when is not known, so nothing is assumed about the contents of such tensors, nor
of those in the same computations on integers, or on floats of the same type.

Data provenance is the arguments or weights that the contents of a value come from; contents that come from sizes alone
have none. Contents with a provenance cannot be known from the program; all others are merely not modeled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from shapesolve.ir.analyses import program_analysis
from shapesolve.ir.program import (
    Block,
    DenseFloats,
    DenseIntegers,
    OpaqueAttribute,
    Operation,
    Program,
    Region,
    ScalarType,
    ShapedType,
    SymbolRef,
    Value,
    is_buffer,
)
from shapesolve.reasons import WEIGHTS, DataDependence, Reason


@program_analysis
def aliased(program: Program) -> frozenset[Value]:
    """Return the tensors of numbers whose contents may change."""
    operations = list(program.operation.walk())
    shared = [value for op in operations if not op.regions for value in _shared(op)]
    if not shared:
        return frozenset()
    groups = _Groups()
    for op in operations:
        alike: dict[str, list[Value]] = {}
        for value in _connected(op, program):
            kind = _kind(value)
            if kind:
                alike.setdefault(kind, []).append(value)
        for values in alike.values():
            groups.join(values)
    chosen = {groups.leader(value) for value in shared}
    return frozenset(value for value in groups.members() if groups.leader(value) in chosen)


def _shared(op: Operation) -> Iterator[Value]:
    for ours, theirs in ((op.operands, op.results), (op.results, op.operands)):
        if any(is_buffer(value.type) for value in theirs):
            yield from filter(_kind, ours)


def _kind(value: Value) -> str:
    """Return the kind of a tensor's elements: "integers", or the type of its floats; empty for any other value."""
    type = value.type
    if not isinstance(type, ShapedType) or type.container != "tensor" or not isinstance(type.element, ScalarType):
        return ""
    return str(type.element) if type.element.kind == "float" else "integers"


def _connected(op: Operation, program: Program) -> Iterator[Value]:
    """Yield the values of an operation: operands, results, and those of its regions or of functions it names."""
    yield from op.operands
    yield from op.results
    for region in op.regions:
        yield from _handed(region)
    if op.regions:
        return
    named = {each.name.rpartition("::@")[2] for each in op.attributes.values() if isinstance(each, SymbolRef)}
    for function in program.functions.values() if named else ():
        if function.body is not None and function.name.rpartition("::@")[2].partition("#")[0] in named:
            yield from _handed(function.body)


def _handed(region: Region) -> Iterator[Value]:
    for block in region.blocks:
        yield from block.arguments
        yield from block.operations[-1].operands if block.operations else ()


class _Groups:
    """Disjoint sets of values (union-find)."""

    def __init__(self) -> None:
        self._above: dict[Value, Value] = {}

    def leader(self, value: Value) -> Value:
        while (above := self._above.setdefault(value, value)) is not value:
            self._above[value] = value = self._above[above]
        return value

    def join(self, values: Iterable[Value]) -> None:
        leaders = [self.leader(value) for value in values]
        for other in leaders[1:]:
            self._above[self.leader(other)] = self.leader(leaders[0])

    def members(self) -> Iterable[Value]:
        return tuple(self._above)


Provenance = frozenset[str]

_FROM_SIZES: Provenance = frozenset()
"""Provenance of contents that come from sizes alone."""
_MOST_NAMED = 4

SHAPE_ONLY = frozenset(
    (
        *(f"tensor.{name}" for name in ("dim", "rank", "empty")),
        *("memref.dim", "memref.rank", "memref.alloc", "shape.shape_of", "stablehlo.get_dimension_size"),
        *(f"torch.aten.{name}" for name in ("size", "size.int", "dim", "numel", "len.t", "_shape_as_tensor")),
        *(f"torch.aten.{name}_like" for name in ("zeros", "ones", "empty")),
        *(f"torch.aten.new_{name}" for name in ("zeros", "ones", "empty")),
    )
)
"""Operations that look at the shapes of tensors, and not at what these hold."""


def unknown_contents_reason(origins: Provenance, name: str = "") -> Reason:
    """Return the reason for which the contents of a value are unknown. Without a name it is about floats."""
    if not origins:
        return f"what {name} holds is not followed" if name else "floats are not followed"
    names, others = sorted(origins - {WEIGHTS}), 0
    if len(names) > _MOST_NAMED:
        names, others = names[: _MOST_NAMED - 1], len(names) - _MOST_NAMED + 1
    return DataDependence(tuple(names), others, WEIGHTS in origins, "" if name in origins else name)


@program_analysis
def data_provenance(program: Program) -> Mapping[Value, Provenance]:
    """Return the data provenance of every value."""
    found = _ProvenanceAnalysis()
    found.visit_regions(program.operation)
    return found.known


class _ProvenanceAnalysis:
    def __init__(self) -> None:
        self.known: dict[Value, Provenance] = {}

    def visit_regions(self, op: Operation) -> None:
        for region in op.regions:
            for block in region.blocks:
                for inner in block.operations:
                    self._operation(inner)

    def _operation(self, op: Operation) -> None:
        given = self._of(op.operands)
        if op.regions:
            self._enter(op, given)
            self.visit_regions(op)
            given = self._yielded(op, given)
        elif op.name in SHAPE_ONLY:
            given = _FROM_SIZES
        elif not op.operands and _holds_weights(op):
            given = frozenset({WEIGHTS})
        self.known.update(dict.fromkeys(op.results, given))

    def _enter(self, op: Operation, given: Provenance) -> None:
        """Set the provenance of the block arguments of an operation's regions."""
        is_function = op.name in ("func.func", "shape.func", "gpu.func")
        for block in _blocks(op.regions):
            if is_function:
                self.known.update((each, frozenset({each.name})) for each in block.arguments)
            elif op.name.startswith("linalg."):
                inputs = op.segments[0] if len(op.segments) == 2 else len(op.operands) - len(op.results)
                for number, (argument, operand) in enumerate(zip(block.arguments, op.operands, strict=False)):
                    # What an output held before may be what another position has written.
                    self.known[argument] = self.known.get(operand, _FROM_SIZES) if number < inputs else given
            else:
                # What a loop carries is made of what is used anywhere inside.
                inside = self._of(each for one in block.operations for inner in one.walk() for each in inner.operands)
                self.known.update(dict.fromkeys(block.arguments, given | inside))

    def _yielded(self, op: Operation, given: Provenance) -> Provenance:
        ends = [block.operations[-1] for block in _blocks(op.regions) if block.operations]
        yielded = self._of(value for each in ends for value in each.operands)
        return yielded if op.name.startswith("linalg.") else yielded | given

    def _of(self, values: Iterable[Value]) -> Provenance:
        found = {self.known.get(value, _FROM_SIZES) for value in values}
        return next(iter(found)) if len(found) == 1 else _FROM_SIZES.union(*found)


def _blocks(regions: Iterable[Region]) -> list[Block]:
    return [block for region in regions for block in region.blocks]


def _holds_weights(op: Operation) -> bool:
    """Return whether an operation is a constant with elided contents, or with too many floats to keep."""
    for each in op.attributes.values():
        if isinstance(each, DenseFloats | DenseIntegers):
            if each.values is None and not (isinstance(each, DenseIntegers) and each.splat is not None):
                return True
        elif isinstance(each, OpaqueAttribute) and ("resource" in each.text or "elided" in each.text):
            return True
    return False


@program_analysis
def producers(program: Program) -> Mapping[Value, Operation]:
    """Return the defining operation of each result; block arguments have none."""
    return {result: op for op in program.operation.walk() for result in op.results}
