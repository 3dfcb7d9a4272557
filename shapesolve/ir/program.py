"""Our own small frozen picture of the IR: what the walk needs of a module, and nothing of the bindings.

A `Program` is made by `mlir_reader` and lives on without the MLIR context that it came from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from shapesolve.ir.analyses import ProgramAnalyses
from shapesolve.records import record, value_record

if TYPE_CHECKING:
    from shapesolve.ir.assumptions import Preconditions
    from shapesolve.ir.declarations import Declarations
    from shapesolve.ir.symbol_table import Symbols


@value_record
class Location:
    """A place in the user's file: 1-based line and column, 0 where MLIR knew none."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


@value_record
class Origin:
    """Where an operation comes from in the model that its file was made of.

    ``file``, ``line`` and ``column`` (1-based) are a place in its source, "" and 0 where none is known; ``module`` is
    the part of the model that it belongs to ("encoder.layers.3.attn"), "" where that is not said. ``callers`` are the
    lines of the model from which that place was called, the innermost first.
    """

    file: str
    line: int
    column: int
    module: str = ""
    callers: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        place = ":".join(str(each) for each in (self.file, self.line, self.column) if each)
        return " in ".join(filter(None, (place, self.module)))


# Types -----------------------------------------------------------------------------------------------------------


@value_record
class ShapedType:
    """A tensor, memref or vector type. ``extents`` is None when unranked; an extent is None where the type says `?`."""

    container: str  # "tensor", "memref" or "vector"
    extents: tuple[int | None, ...] | None
    element: ScalarType | OpaqueType

    @property
    def rank(self) -> int | None:
        return None if self.extents is None else len(self.extents)

    def __str__(self) -> str:
        sizes = "*x" if self.extents is None else "".join(f"{'?' if e is None else e}x" for e in self.extents)
        return f"{self.container}<{sizes}{self.element}>"


@value_record
class ScalarType:
    """``index``, an integer or a float; ``width`` in bits (64 for index)."""

    kind: str  # "index", "integer" or "float"
    width: int
    text: str  # as MLIR prints it: "index", "i32", "si8", "bf16"

    @property
    def is_boolean(self) -> bool:
        return self.kind == "integer" and self.width == 1

    def __str__(self) -> str:
        return self.text


@value_record
class OpaqueType:
    """Any other type, by its MLIR spelling: ``!shape.shape``, ``!shape.witness``, ``complex<f32>``, function types."""

    text: str

    def __str__(self) -> str:
        return self.text


@value_record
class TupleType(OpaqueType):
    """A tuple, with the types of its parts: these may share so much that no two tuples are compared by them."""

    parts: tuple[Type, ...] = field(default=(), compare=False, repr=False)


Type = ShapedType | ScalarType | OpaqueType

# Attributes ------------------------------------------------------------------------------------------------------


@value_record
class SymbolRef:
    """``@name`` (nested references keep their full path, joined by ``::@``); ``parts`` are the names of a path."""

    name: str
    parts: tuple[str, ...] = field(default=(), compare=False, repr=False)

    @property
    def path(self) -> tuple[str, ...]:
        """The names from the outermost symbol table on, one for a flat reference."""
        return self.parts or (self.name,)


@value_record
class AffineExpression:
    """One result of an affine map.

    ``kind`` is "dim", "symbol", "constant" (then ``value`` is the position or number) or "add", "mul", "mod",
    "floordiv", "ceildiv" (then ``left`` and ``right`` are set).
    """

    kind: str
    value: int = 0
    left: AffineExpression | None = None
    right: AffineExpression | None = None


@value_record
class AffineMap:
    """``affine_map<(d0, ..)[s0, ..] -> (..)>``."""

    dims: int
    symbols: int
    results: tuple[AffineExpression, ...]


@value_record
class IntegerSet:
    """``affine_set<(d0, ..)[s0, ..] : (..)>``: each result of ``computed`` is at least 0, or 0 if it is an equality."""

    computed: AffineMap
    equalities: tuple[bool, ...]


@value_record
class DenseIntegers:
    """An integer, index or i1 elements attribute; ``values`` row-major, or None where it is too large to keep."""

    type: ShapedType
    values: tuple[int, ...] | None
    splat: int | None


@value_record
class OpaqueAttribute:
    """Any other attribute. ``text`` is its MLIR spelling, shortened where it is long; ``symbols`` all that it names."""

    text: str
    symbols: tuple[SymbolRef, ...] = field(default=(), compare=False, repr=False)


@value_record
class DenseFloats(OpaqueAttribute):
    """An elements attribute of floats; ``values`` row-major, or None where they are many or have no number."""

    values: tuple[float, ...] | None = None


@value_record
class DictAttribute:
    """A dictionary attribute."""

    entries: Mapping[str, Attribute]


Attribute = (
    bool
    | int
    | float
    | str
    | SymbolRef
    | AffineMap
    | IntegerSet
    | DenseIntegers
    | OpaqueAttribute
    | DictAttribute
    | ShapedType
    | ScalarType
    | OpaqueType
    | tuple["Attribute", ...]
)

# Structure -------------------------------------------------------------------------------------------------------


@record
class Value:
    """An SSA value. Identity is equality. ``name`` is its SSA name as printed (``%0``, ``%arg1``)."""

    name: str
    type: Type
    uses: int  # how many operands refer to it


@record
class Block:
    """A block: its arguments and its operations in order."""

    arguments: tuple[Value, ...]
    operations: tuple[Operation, ...]


@record
class Region:
    """A region of blocks; most here have one."""

    blocks: tuple[Block, ...]


@record
class Operation:
    """One operation.

    ``number`` is its position in a pre-order walk of the module, the same for every reading of the same text: it is
    how a rewriter finds the live operation again. ``indexing_maps`` is filled for linalg structured ops (named ones
    included) from MLIR's own interface. ``segments`` are the operand segment sizes where the op has them, else ().
    """

    name: str
    operands: tuple[Value, ...]
    results: tuple[Value, ...]
    attributes: Mapping[str, Attribute]
    regions: tuple[Region, ...]
    successors: tuple[Block, ...]
    location: Location
    number: int
    indexing_maps: tuple[AffineMap, ...] | None = None
    segments: tuple[int, ...] = ()
    origin: Origin | None = None

    def walk(self) -> Iterator[Operation]:
        """This operation and all below it, in program order."""
        yield self
        for region in self.regions:
            for block in region.blocks:
                for inner in block.operations:
                    yield from inner.walk()


@record
class Function:
    """A function with a body (``func.func``, ``shape.func``): ``argument_attributes`` holds one mapping an argument.

    ``short_name`` is what it is called without the modules around it, if no other one is called so.
    """

    name: str
    operation: Operation
    arguments: tuple[Value, ...]
    argument_attributes: tuple[Mapping[str, Attribute], ...]
    result_types: tuple[Type, ...]
    body: Region | None  # None for a declaration
    short_name: str = ""

    @property
    def location(self) -> Location:
        return self.operation.location


@record
class Program:
    """A whole module. ``text`` is the source as given (None for bytecode or a live module), for carets.

    ``functions`` holds those of nested symbol tables by their path from the outermost one in, joined by ``::@``;
    ``symbols`` says which function a name means somewhere. ``executable`` is the same module as text or bytecode whose
    places are those of ``operation``, for replay. ``model`` is the file of the
    model that this was exported from, "" where the program is a file itself; ``level`` is the dialect that it was
    lowered to, where there was a choice; ``lines`` are lines of the model's source, by file and number. ``asserted`` is
    what functions are believed to be called with because an exporter's own assertions at their entries check it.
    ``analyses`` are those of this very program: a copy begins with none.
    ``declarations`` are what the user declared of a model's sizes, beside what its exporter found.
    """

    file: str
    operation: Operation
    functions: Mapping[str, Function]
    text: str | None
    executable: str | bytes = field(repr=False)
    symbols: Symbols = field(repr=False)
    notes: tuple[str, ...] = field(default=())  # warnings the reader wants shown
    model: str = ""
    level: str = ""
    lines: Mapping[tuple[str, int], str] = field(default_factory=dict[tuple[str, int], str], repr=False)
    declarations: Declarations | None = field(default=None, repr=False)
    asserted: Mapping[Function, Preconditions] = field(default_factory=dict["Function", "Preconditions"], repr=False)
    refused_text: str | None = field(default=None, repr=False)
    """The text of the file, where MLIR refuses its old spellings: then ``text`` is that in today's."""
    analyses: ProgramAnalyses = field(default_factory=ProgramAnalyses, init=False, repr=False)

    @property
    def shown_text(self) -> str | None:
        """The text that places are lines and columns of."""
        return self.text if self.refused_text is None else self.refused_text

    @property
    def title(self) -> str:
        """What it is called in reports: ``net.mlir``, ``model.py:make_model (linalg)``."""
        return f"{self.file} ({self.level})" if self.level else self.file

    @property
    def size(self) -> int:
        """How many operations there are, the module included."""
        last = self.operation
        while inside := [
            block.operations[-1] for region in last.regions for block in region.blocks if block.operations
        ]:
            last = inside[-1]
        return last.number + 1

    def owners(self) -> dict[Operation, Function]:
        """The function that each operation stands in, those with a body themselves included."""
        return {
            op: function
            for function in self.functions.values()
            if function.body is not None
            for op in self.symbols.operations(function)
        }

    def source_line(self, location: Location) -> str | None:
        """The line of the source that a location points at, without its line break."""
        if self.shown_text is None or location.line < 1 or location.file != self.file:
            return None
        lines = self.shown_text.split("\n")  # MLIR counts nothing else as the end of a line
        return lines[location.line - 1].rstrip("\r") if location.line <= len(lines) else None
