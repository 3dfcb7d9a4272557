"""The IR: a small frozen copy of an MLIR module, independent of the bindings.

A `Program` is built by `reader` and outlives the MLIR context that it came from.
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
    """Position in the user's file: 1-based line and column, 0 if MLIR has none."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


@value_record
class Origin:
    """Origin of an operation in the model that its file was exported from.

    Attributes:
        file, line, column: A 1-based position in the model's source, "" and 0 if none is known.
        module: The part of the model that it belongs to ("encoder.layers.3.attn"), "" if that is not known.
        callers: The lines of the model from which that position was called, the innermost first.
        operation: The operation in the user's words ("layer_norm"), "" if that is not known.
    """

    file: str
    line: int
    column: int
    module: str = ""
    callers: tuple[tuple[str, int], ...] = ()
    operation: str = ""

    def __str__(self) -> str:
        place = ":".join(str(each) for each in (self.file, self.line, self.column) if each)
        return " in ".join(filter(None, (place, self.module)))


# Types -----------------------------------------------------------------------------------------------------------


@value_record
class ShapedType:
    """Tensor, memref or vector type. ``extents`` is None when unranked; an extent is None where the type has `?`.

    ``is_injective`` says whether each element has a place of its own in memory; None where strides or an encoding leave
    that open. A layout that is no strided one counts as one that has not. ``layout`` holds the strides of a buffer and
    then its offset, None where the type has `?`; it is None of a row-major one from offset 0, and without strides.
    ``places`` is the map from indices to places, as text, of a buffer without strides, else "". ``space`` is the memory
    space of a buffer, as text, or "" for the default one.
    """

    container: str  # "tensor", "memref" or "vector"
    extents: tuple[int | None, ...] | None
    element: ScalarType | OpaqueType
    is_injective: bool | None = field(default=True, compare=False)
    layout: tuple[int | None, ...] | None = field(default=None, compare=False)
    places: str = field(default="", compare=False)
    space: str = field(default="", compare=False)

    @property
    def rank(self) -> int | None:
        return None if self.extents is None else len(self.extents)

    def __str__(self) -> str:
        sizes = "*x" if self.extents is None else "".join(f"{'?' if e is None else e}x" for e in self.extents)
        return f"{self.container}<{sizes}{self.element}>"


@value_record
class ScalarType:
    """Scalar type: ``index``, an integer or a float; ``width`` in bits (64 for index)."""

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
    """Any other type, as MLIR's text: ``!shape.shape``, ``!shape.witness``, ``complex<f32>``, function types."""

    text: str

    def __str__(self) -> str:
        return self.text


@value_record
class TupleType(OpaqueType):
    """Tuple type, compared by its text, since nested tuples may share their parts exponentially often."""

    parts: tuple[Type, ...] = field(default=(), compare=False, repr=False)


SHAPE_TYPE, VALUE_SHAPE_TYPE, SIZE_TYPE = "!shape.shape", "!shape.value_shape", "!shape.size"
WITNESS_TYPE = "!shape.witness"
SHAPE_TYPES = (SHAPE_TYPE, VALUE_SHAPE_TYPE)
TYPES_WITH_ERRORS = (*SHAPE_TYPES, SIZE_TYPE)
"""The types of the shape dialect whose values may be errors."""

Type = ShapedType | ScalarType | OpaqueType


def is_buffer(type: Type) -> bool:
    """Return whether a type is that of a buffer, ranked or not."""
    return isinstance(type, ShapedType) and type.container == "memref"


# Attributes ------------------------------------------------------------------------------------------------------


@value_record
class SymbolRef:
    """Symbol reference ``@name``; nested ones keep their full path, joined by ``::@``, with its names in ``parts``."""

    name: str
    parts: tuple[str, ...] = field(default=(), compare=False, repr=False)

    @property
    def path(self) -> tuple[str, ...]:
        """The names from the outermost symbol table on, one for a flat reference."""
        return self.parts or (self.name,)


@value_record
class AffineExpression:
    """Result of an affine map, or one of its subexpressions.

    Attributes:
        kind: "dim", "symbol", "constant", "add", "mul", "mod", "floordiv" or "ceildiv".
        value: The position or number of the first three kinds.
        left, right: The operands of the others.
    """

    kind: str
    value: int = 0
    left: AffineExpression | None = None
    right: AffineExpression | None = None


@value_record
class AffineMap:
    """Affine map ``affine_map<(d0, ..)[s0, ..] -> (..)>``."""

    dims: int
    symbols: int
    results: tuple[AffineExpression, ...]


@value_record
class IntegerSet:
    """Integer set ``affine_set<(d0, ..)[s0, ..] : (..)>``.

    Each result of ``computed`` is at least 0, or 0 if it is an equality.
    """

    computed: AffineMap
    equalities: tuple[bool, ...]


@value_record
class DenseIntegers:
    """Elements attribute of integers, index or i1; ``values`` row-major, or None if it is too large to keep."""

    type: ShapedType
    values: tuple[int, ...] | None
    splat: int | None


@value_record
class OpaqueAttribute:
    """Any other attribute. ``text`` is MLIR's text, shortened if it is long; ``symbols`` all symbols in it."""

    text: str
    symbols: tuple[SymbolRef, ...] = field(default=(), compare=False, repr=False)


@value_record
class DenseFloats(OpaqueAttribute):
    """Elements attribute of floats; ``values`` row-major, or None if they are many or have no number."""

    values: tuple[float, ...] | None = None


class NotANumber(float):
    """A NaN with its spelling, as its sign and payload can be observed; equal to one that is spelled alike."""

    __slots__ = ("spelling",)
    spelling: str

    def __new__(cls, spelling: str) -> NotANumber:
        """Make the NaN that MLIR spells so, such as ``0x7FC00000``."""
        made = super().__new__(cls, "nan")
        made.spelling = spelling
        return made

    def __eq__(self, other: object) -> bool:
        """Compare spellings."""
        return isinstance(other, NotANumber) and self.spelling == other.spelling

    def __hash__(self) -> int:
        """Return a hash of the spelling."""
        return hash(self.spelling)

    def __repr__(self) -> str:
        """Return the spelling."""
        return self.spelling


@value_record
class DictAttribute:
    """Dictionary attribute."""

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
    """SSA value, compared by identity. ``name`` is its SSA name as printed (``%0``, ``%arg1``)."""

    name: str
    type: Type
    uses: int  # how many operands refer to it


def is_float(value: Value) -> bool:
    """Return whether a value is a float or has float elements."""
    found = value.type.element if isinstance(value.type, ShapedType) else value.type
    return isinstance(found, ScalarType) and found.kind == "float"


@record
class Block:
    """Block: its arguments and its operations in order."""

    arguments: tuple[Value, ...]
    operations: tuple[Operation, ...]


@record
class Region:
    """Region of blocks; most have one."""

    blocks: tuple[Block, ...]


@record
class Operation:
    """Operation.

    Attributes:
        number: Its position in a pre-order walk of the module, the same for every import of the same text: a rewriter
            finds the live operation by it.
        indexing_maps: For linalg structured ops (named ones included), from MLIR's own interface.
        segments: The operand segment sizes if the op has them, else ().
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

    _walked: tuple[Operation, ...] | None = field(default=None, init=False, repr=False)

    def walk(self) -> Iterator[Operation]:
        """Yield this operation and all operations nested in it, in program order."""
        if not self.regions:
            return iter((self,))
        if self._walked is None:  # blocks are filled before there is an operation around them, and never change
            found: list[Operation] = [self]  # in a list: each would pass through as many generators as it is deep
            _add_nested(self, found)
            object.__setattr__(self, "_walked", tuple(found))
        assert self._walked is not None
        return iter(self._walked)

    def nested_blocks(self) -> Iterator[Block]:
        """Yield the blocks of this operation and of all operations nested in it, in program order."""
        for op in self.walk():
            for region in op.regions:
                yield from region.blocks


def _add_nested(op: Operation, found: list[Operation]) -> None:
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                found.append(inner)
                if inner.regions:
                    _add_nested(inner, found)


@record
class Function:
    """Function (``func.func``, ``shape.func``).

    Attributes:
        argument_attributes: One mapping per argument.
        short_name: The name without the path of enclosing modules, if no other function has it.
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
    """Whole module.

    Attributes:
        functions: All functions; the name of one in a nested symbol table is its path from the outermost one in, joined
            by ``::@``.
        text: The source as given (None for bytecode or a live module), for carets.
        executable: The same module as text or bytecode whose locations are those of ``operation``, for execution.
        symbols: Resolves symbol references to functions.
        model: The file of the model that this was exported from, "" if the program is a file itself.
        level: The dialect that the model was lowered to, if there was a choice.
        lines: Lines of the model's source, by file and number.
        asserted: Preconditions of functions that an exporter's own assertions at their entries check.
        analyses: Analyses of this very program: a copy begins with none.
        declarations: The declared sizes of the model, and its exporter's guards.
        computes_sizes_exactly: Whether the program stands for a model whose framework computes sizes without a limit;
            then 32-bit arithmetic on sizes, which its exporter adds, is assumed not to wrap.
        refused: Names of functions of the file that MLIR refuses; the program only declares them, or lacks them.
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
    refused: tuple[str, ...] = ()
    computes_sizes_exactly: bool = False
    analyses: ProgramAnalyses = field(default_factory=ProgramAnalyses, init=False, repr=False)

    @property
    def shown_text(self) -> str | None:
        """The text that locations are lines and columns of."""
        return self.text if self.refused_text is None else self.refused_text

    @property
    def title(self) -> str:
        """The name in reports: ``net.mlir``, ``model.py:make_model (linalg)``."""
        return f"{self.file} ({self.level})" if self.level else self.file

    @property
    def size(self) -> int:
        """The number of operations, the module included."""
        last = self.operation
        while inside := [
            block.operations[-1] for region in last.regions for block in region.blocks if block.operations
        ]:
            last = inside[-1]
        return last.number + 1

    def owners(self) -> dict[Operation, Function]:
        """Return the function that each operation belongs to; functions with a body themselves included."""
        return {
            op: function
            for function in self.functions.values()
            if function.body is not None
            for op in self.symbols.operations(function)
        }
