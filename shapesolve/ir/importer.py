"""Import of a live MLIR module as a `Program`: structure, names and locations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from shapesolve.errors import InputError
from shapesolve.gc_control import collector_paused
from shapesolve.ir import bindings
from shapesolve.ir.attributes import Converter, plain_properties
from shapesolve.ir.bindings import Bindings
from shapesolve.ir.llvm_forms import FUNCTION, LLVM_FUNCTION, PREFIX, counterpart, result_types
from shapesolve.ir.locations import SourceText
from shapesolve.ir.old_forms import OLD_FORMS, current_name
from shapesolve.ir.program import (
    AffineMap,
    Attribute,
    Block,
    DictAttribute,
    Function,
    Location,
    Operation,
    Origin,
    Region,
    Type,
    Value,
)
from shapesolve.ir.symbol_table import Symbols

DEEPEST_REGION = 128
KERNEL, LAUNCH = "gpu.func", "gpu.launch_func"
FUNCTIONS = ("func.func", "shape.func", KERNEL)
"""Functions that are checked: a kernel where nothing in its module launches any, since no call passes it arguments."""
LIVE_FUNCTIONS = (*FUNCTIONS, LLVM_FUNCTION)
"""The names that functions, and those of the LLVM dialect that are read as such, have in a live module."""
_BY_NAME = "torch.operator"
TEXT_FILE = "-"  # what MLIR calls the file when it is given a string


def resolved(live: Bindings) -> tuple[str, int, int] | None:
    """Return the first file location in a live location, looking through names, fusions and calls, or None."""
    kind = type(live).__name__
    if kind == "FileLineColLoc":
        return live.filename, live.start_line, live.start_col
    if kind == "NameLoc":
        return resolved(live.child_loc)
    if kind == "FusedLoc":
        return next((place for inner in live.locations if (place := resolved(inner))), None)
    if kind == "CallSiteLoc":
        return resolved(live.callee) or resolved(live.caller)
    return None


class Conversion:
    """Conversion of one live module.

    Args:
        source: The module's text if MLIR parsed it from a string, for names and columns.
        origins: One origin (or None) per operation, in pre-order, for `Operation.origin`.
        like: One operation (or None) per operation, whose value names are taken over, except for the arguments of
            functions.
    """

    def __init__(
        self,
        module: Bindings,
        file: str,
        source: SourceText | None,
        origins: Sequence[Origin | None] = (),
        like: Sequence[Operation | None] = (),
    ) -> None:
        self._module = module
        self._file = file
        self._source = source
        self._origins = origins
        self._like = like
        self._converter = Converter()
        self._values: dict[Bindings, Value] = {}
        self._blocks: dict[Bindings, Block] = {}  # of the region at hand
        self._state: Bindings = None
        self.names: set[str] = set()  # of the operations met
        self.read_as: list[str] = []  # what operations under names of the past were taken for
        self._is_llvm_read = False
        self._results_of: dict[int, tuple[Type, ...]] = {}  # of LLVM functions, by number
        self._numbered = 0
        self._inserted = 0
        self._modules = 0
        self._scopes: dict[str, bool | None] = {}  # by operation: whether it is a symbol table; None: unknown
        self._path: list[str] = []
        self._functions: list[tuple[tuple[str, ...], Function]] = []
        self._nowhere = Location(file, 0, 0)

    def run(self) -> tuple[Operation, Mapping[str, Function], Symbols]:
        """Return the module's own operation, its functions by name, and its symbol tables.

        Raises:
            InputError: Regions are nested deeper than `DEEPEST_REGION`.
        """
        with collector_paused():  # all that is made here stays
            root = self._operation(self._module, 0)
        if LAUNCH in self.names:
            self._functions = [each for each in self._functions if each[1].operation.name != KERNEL]
        functions = self._named_functions()
        tables = frozenset(name for name, is_table in self._scopes.items() if is_table)
        unknown = frozenset(name for name, is_table in self._scopes.items() if is_table is None)
        return root, functions, Symbols(root, functions.values(), tables, unknown)

    # Operations ------------------------------------------------------------------------------------------------------

    def _operation(self, live: Bindings, depth: int, parent: Location | None = None) -> Operation:
        number = self._numbered
        self._numbered = number + 1
        name = operation_name(live)
        self.names.add(name)
        location = self._location(live.location, parent)
        operands = tuple([self._values.get(operand) or self._early(operand) for operand in live.operands])
        like = self._like[number] if number < len(self._like) else None
        results = self._results(live, location, parent, like) if len(live.results) else ()
        attributes = self._converter.attributes(live, plain_properties(live))
        if name in OLD_FORMS and (today := current_name(name, operands, results, attributes)) != name:
            self.read_as.append(f"{location}: `{name}` is read as `{today}`, which it is called today")
            name = today
        elif name.startswith(PREFIX) and (same := counterpart(name, operands, results, attributes)) is not None:
            if not self._is_llvm_read:
                self._is_llvm_read = True
                self.read_as.append(
                    f"{location}: operations of the LLVM dialect are read as those of arith, math, cf and ub that "
                    f"compute the same: `{name}` as `{same.name}`"
                )
            name, attributes = same.name, same.attributes
        maps = self._indexing_maps(live) if name.startswith("linalg.") else None
        regions: tuple[Region, ...] = ()
        if len(live.regions):
            lending = None if name in LIVE_FUNCTIONS else like
            regions = self._regions(live, name, location, attributes, depth, lending)
        if name == LLVM_FUNCTION and (types := result_types(attributes, regions)) is not None:
            self._results_of[number] = types
            name = FUNCTION
        successors: tuple[Block, ...] = ()
        if len(live.successors):
            successors = tuple([self._blocks[block] for block in live.successors])
        segments = attributes.get("operandSegmentSizes", ())
        operation = Operation(
            name,
            operands,
            results,
            attributes,
            regions,
            successors,
            location,
            number,
            maps,
            tuple([size for size in segments if isinstance(size, int)]) if isinstance(segments, tuple) else (),
            self._origins[number] if number < len(self._origins) else None,
        )
        if name in FUNCTIONS:
            self._functions.append((tuple(self._path), self._function(live, operation)))
        return operation

    def _regions(
        self,
        live: Bindings,
        name: str,
        location: Location,
        attributes: Mapping[str, Attribute],
        depth: int,
        like: Operation | None,
    ) -> tuple[Region, ...]:
        if depth >= DEEPEST_REGION:
            raise InputError(f"regions are nested more than {DEEPEST_REGION} deep", where=str(location))
        if name not in self._scopes:
            self._scopes[name] = _is_symbol_table(live, name)
        is_scope = depth > 0 and (name == "builtin.module" or "sym_name" in attributes)
        if is_scope:
            self._modules += 1
            symbol = attributes.get("sym_name")
            self._path.append(symbol if isinstance(symbol, str) else f"module{self._modules}")
        lending: Sequence[Region | None] = [None] * len(live.regions)
        if like is not None and len(like.regions) == len(lending):
            lending = like.regions
        pairs = zip(live.regions, lending, strict=True)
        regions = tuple([self._region(region, location, depth + 1, same) for region, same in pairs])
        if is_scope:
            self._path.pop()
        return regions

    def _region(self, live: Bindings, parent: Location, depth: int, like: Region | None) -> Region:
        live_blocks = list(live.blocks)
        lending: Sequence[Block | None] = [None] * len(live_blocks)
        if like is not None and len(like.blocks) == len(lending):
            lending = like.blocks
        pairs = zip(live_blocks, lending, strict=True)
        blocks = tuple([Block(self._arguments(block, same), ()) for block, same in pairs])
        outer = self._blocks
        self._blocks = dict(zip(live_blocks, blocks, strict=True))
        for live_block, block in zip(live_blocks, blocks, strict=True):
            operations = tuple([self._operation(each.operation, depth, parent) for each in live_block.operations])
            # A branch refers to its target before the target's operations exist, so a block is filled once, here.
            object.__setattr__(block, "operations", operations)
        self._blocks = outer
        return Region(blocks)

    def _indexing_maps(self, live: Bindings) -> tuple[AffineMap, ...] | None:
        maps = bindings.linalg().get_indexing_maps(live)
        if maps is None:
            return None
        converted = self._converter.attribute(maps)
        assert isinstance(converted, tuple)
        return tuple([each for each in converted if isinstance(each, AffineMap)])

    # Values ----------------------------------------------------------------------------------------------------------

    def _results(
        self, live: Bindings, location: Location, parent: Location | None, like: Operation | None = None
    ) -> tuple[Value, ...]:
        live_results = list(live.results)
        known = [self._values.get(result) for result in live_results]
        if known[0] is not None:
            return tuple([value for value in known if value is not None])
        names = _lent(like.results if like is not None else (), len(live_results))
        names = names or self._written_names(len(live_results), location, parent)
        results = tuple([self._value(result, name) for result, name in zip(live_results, names, strict=True)])
        self._values.update(zip(live_results, results, strict=True))
        return results

    def _written_names(self, count: int, location: Location, parent: Location | None) -> Sequence[str | None]:
        # An operation that is not in the text (an implicit terminator, the body of a named op) has its parent's place.
        if self._source is None or location.file != self._file or location == parent:
            return [None] * count
        if self._source.argument_name(location.line, location.column) is not None:
            # The place is that of a result: the operation was inserted for an old spelling.
            self._inserted += count
            return [f"%inserted.{number}" for number in range(self._inserted - count, self._inserted)]
        names: list[str | None] = []
        for name, size in self._source.result_names(location.line, location.column):
            names += [name] if size == 1 else [f"{name}#{position}" for position in range(size)]
        return names if len(names) == count else [None] * count

    def _arguments(self, live: Bindings, like: Block | None) -> tuple[Value, ...]:
        arguments: list[Value] = []
        live_arguments = list(live.arguments)
        names = _lent(like.arguments if like is not None else (), len(live_arguments))
        for position, argument in enumerate(live_arguments):
            name = names[position] if names else None
            if name is None and self._source is not None:
                place = self._location(argument.location)
                if place.file == self._file:
                    name = self._source.argument_name(place.line, place.column)
            value = self._values[argument] = self._value(argument, name)
            arguments.append(value)
        return tuple(arguments)

    def _value(self, live: Bindings, name: str | None) -> Value:
        if name is None:
            if self._state is None:
                # One state for all: naming a value without it numbers the whole function again.
                self._state = bindings.ir().AsmState(self._module)
            name = str(live.get_name(self._state))
        return Value(name, self._converter.type(live.type), sum(1 for _ in live.uses))

    def _early(self, live: Bindings) -> Value:
        """Convert a value that is used before its definition: blocks need not be in the order of dominance."""
        owner = live.owner.operation
        location = self._location(owner.location)
        above = owner.parent
        self._results(owner, location, self._location(above.operation.location) if above is not None else None)
        return self._values[live]

    # Places ----------------------------------------------------------------------------------------------------------

    def _location(self, live: Bindings, parent: Location | None = None) -> Location:
        place = resolved(live)
        if place is None:  # not in the text: it belongs to the operation around it
            return parent or self._nowhere
        file, line, column = place
        if self._source is None or file != TEXT_FILE:
            return Location(file, line, column)
        return Location(self._file, line, self._source.column(line, column))

    # Functions -------------------------------------------------------------------------------------------------------

    def _function(self, live: Bindings, operation: Operation) -> Function:
        body = operation.regions[0] if operation.regions and operation.regions[0].blocks else None
        results = self._results_of.get(operation.number)
        if results is None:
            signature = live.attributes["function_type"].value
            results = tuple([self._converter.type(each) for each in signature.results])
        if body is None:
            inputs: list[Type] = [self._converter.type(each) for each in live.attributes["function_type"].value.inputs]
            arguments = tuple([Value(f"%arg{position}", each, 0) for position, each in enumerate(inputs)])
        else:
            arguments = body.blocks[0].arguments
        listed = operation.attributes.get("arg_attrs", ())
        nothing: Mapping[str, Attribute] = {}
        attributes = [each.entries if isinstance(each, DictAttribute) else nothing for each in _elements(listed)]
        attributes += [nothing] * (len(arguments) - len(attributes))
        return Function(
            str(operation.attributes["sym_name"]),
            operation,
            arguments,
            tuple(attributes),
            results,
            body,
        )

    def _named_functions(self) -> Mapping[str, Function]:
        named: dict[str, Function] = {}
        bearers = Counter(function.name for _, function in self._functions)
        for path, function in self._functions:
            name = "::@".join([*path, function.name])
            if bearers[function.name] == 1:
                function = replace(function, short_name=function.name)
            attempt = 2
            chosen = name
            while chosen in named:
                chosen, attempt = f"{name}#{attempt}", attempt + 1
            if chosen != function.name:
                function = replace(function, name=chosen)
            named[chosen] = function
        return named


def _lent(values: Sequence[Value], count: int) -> Sequence[str | None]:
    """Return the names of the values if their number is as expected, else none."""
    return [value.name for value in values] if len(values) == count else []


def operation_name(live: Bindings) -> str:
    """Return the name of an operation; for a PyTorch operator without an operation in torch-mlir, the operator's."""
    name: str = live.name
    if name == _BY_NAME and "name" in live.attributes:
        return str(live.attributes["name"].value)
    return name


def _is_symbol_table(live: Bindings, name: str) -> bool | None:
    try:
        bindings.ir().SymbolTable(live)
    except TypeError:
        try:
            live.context.get_dialect_descriptor(name.partition(".")[0])
        except ValueError:
            return None
        return False
    return True


def _elements(attribute: Attribute) -> Sequence[Attribute]:
    return attribute if isinstance(attribute, tuple) else ()
