"""Isolation of the function that will be called, and its signature."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from shapesolve.execution.allow_list import OUTSIDE, at, refuse
from shapesolve.execution.execution import NotExecutableError
from shapesolve.execution.lowering.builder import descendants, symbol_of
from shapesolve.int64 import DYNAMIC
from shapesolve.ir import bindings

_MODULE = "builtin.module"
_OF_FUNCTIONS = frozenset(("sym_name", "function_type", "arg_attrs", "res_attrs", "sym_visibility"))
_BUFFER = "memref.global"


@dataclass(frozen=True)
class Port:
    """The type of one argument or result, as far as calling needs it.

    Attributes:
        extents: None for a scalar and if the rank is unknown (then ``ranked`` is false); one extent is None if the type
            says ``?``.
        strides: The strides and, last, the offset of a buffer that are fixed by its type; None where the type leaves
            one open. None for a tensor, and empty for a layout without strides.
    """

    element: str
    extents: tuple[int | None, ...] | None
    ranked: bool = True
    strides: tuple[int | None, ...] | None = None

    def is_row_major(self, extents: Sequence[int]) -> bool:
        """Return whether the type allows the elements of a buffer to lie one after the other."""
        if self.strides is None:
            return True
        expected = (*(prod(extents[number + 1 :]) for number in range(len(extents))), 0)
        counts = (*extents, 2)  # a single element has no stride
        return len(self.strides) == len(expected) and all(
            stride in (None, its) or count <= 1
            for stride, its, count in zip(self.strides, expected, counts, strict=True)
        )

    @property
    def is_scalar(self) -> bool:
        """Return whether this is neither a tensor nor a memref."""
        return self.extents is None and self.ranked


@dataclass(frozen=True)
class Signature:
    """Argument and result types of a function."""

    arguments: tuple[Port, ...]
    results: tuple[Port, ...]


def lift(module: Any, function: str) -> str:
    """Put the contents of the nested module of a function's path in place of ``module``'s own.

    Returns the function's name there. A path that leads through anything but named modules is returned as it is.
    """
    *path, name = function.split("::@")
    if not path or function in _symbols_of(module.operation):
        return function
    inner = module.operation
    for part in path:
        inner = _symbols_of(inner).get(part)
        if inner is None:
            return function
        if inner.name != "builtin.module":
            raise NotExecutableError(f"@{function} is in a {inner.name}, which is not run")
    top = list(module.body.operations)
    for op in list(inner.regions[0].blocks[0].operations):
        op.operation.move_before(top[0])
    for op in top:
        op.operation.erase()
    return name


def isolate(module: Any, function: str) -> str:
    """Erase all of ``module`` that ``function`` does not need; return the function's new name.

    The symbols that remain get names that no library has, so that a program cannot replace what it is linked with.
    """
    symbols = _symbols_of(module.operation)
    if function not in symbols:
        known = ", ".join(f"@{name}" for name, op in symbols.items() if op.name == "func.func")
        raise NotExecutableError(f"there is no function @{function}; the module has {known or 'no functions'}")
    entry = symbols[function]
    if entry.name != "func.func":
        raise NotExecutableError(f"@{function} is a {entry.name}, and only func.func can be called")
    _drop_the_rest(module, _reachable(function, symbols))
    return _rename(module, symbols, entry)


def _drop_the_rest(module: Any, needed: set[str]) -> None:
    for op in [each.operation for each in module.body.operations]:
        name = symbol_of(op)
        # What acts without being called, such as a list of constructors, has no name, or one that LLVM keeps to itself.
        if (name is None and op.name != _MODULE) or (name is not None and name.startswith("llvm.")):
            raise refuse(op)
    for op in [each.operation for each in module.body.operations]:
        name = symbol_of(op)
        if name is None or name not in needed:
            op.erase()
        elif _is_declared(op):
            lacks = "body to run" if "function_type" in op.attributes else "value"
            raise NotExecutableError(f"{OUTSIDE}: @{name} is declared, but has no {lacks} ({at(op)})")


def _is_declared(op: Any) -> bool:
    """Return whether a symbol is an external declaration: a function without a body, a buffer without a value."""
    if "function_type" in op.attributes:
        return not op.regions[0].blocks
    return op.name == _BUFFER and "initial_value" not in op.attributes


def _rename(module: Any, symbols: dict[str, Any], entry: Any) -> str:
    """Rename all symbols, and return the new name of ``entry``. Only symbols with names may be left."""
    ir = bindings.ir()
    prefix = "shapesolve_program"
    while any(name.startswith(prefix) for name in symbols):
        prefix += "_"
    called = ""
    for number, op in enumerate([each.operation for each in module.body.operations]):
        old, new = str(op.attributes["sym_name"].value), f"{prefix}_{number}"
        ir.SymbolTable.replace_all_symbol_uses(old, new, module.operation)
        op.attributes["sym_name"] = ir.StringAttr.get(new, op.context)
        if op == entry:
            called = new
        _forget_other_attributes(op)
    return called


def _forget_other_attributes(op: Any) -> None:
    """Remove the discardable attributes of a function: those without a dialect may become LLVM's."""
    if "function_type" in op.attributes:
        for name in [each if isinstance(each, str) else each.name for each in op.attributes]:
            if "." not in name and name not in _OF_FUNCTIONS:
                del op.attributes[name]


def expose(module: Any, function: str) -> None:
    """Make a function callable from C."""
    entry = find_function(module, function)
    if "sym_visibility" in entry.attributes:
        del entry.attributes["sym_visibility"]
    entry.attributes["llvm.emit_c_interface"] = bindings.ir().UnitAttr.get(entry.context)


def _symbols_of(table: Any) -> dict[str, Any]:
    operations = table.regions[0].blocks[0].operations
    return {symbol: op.operation for op in operations if (symbol := symbol_of(op)) is not None}


def _reachable(function: str, symbols: dict[str, Any]) -> set[str]:
    needed: set[str] = set()
    waiting = [function]
    while waiting:
        name = waiting.pop()
        if name in needed or name not in symbols:
            continue
        needed.add(name)
        for op in descendants(symbols[name]):
            for named in op.attributes:
                waiting.extend(_symbols_in(named.attr if hasattr(named, "attr") else op.attributes[named]))
    return needed


def _symbols_in(attribute: Any) -> Iterator[str]:
    ir = bindings.ir()
    if isinstance(attribute, ir.FlatSymbolRefAttr):
        yield str(attribute.value)
    elif isinstance(attribute, ir.SymbolRefAttr):
        yield str(attribute.value[0])
    elif isinstance(attribute, ir.ArrayAttr):
        for part in attribute:
            yield from _symbols_in(part)
    elif isinstance(attribute, ir.DictAttr):
        for position in range(len(attribute)):
            yield from _symbols_in(attribute[position].attr)


def find_function(module: Any, function: str) -> Any:
    """Return the function's operation, which must exist."""
    return next(op.operation for op in module.body.operations if symbol_of(op) == function)


def signature_of(module: Any, function: str) -> Signature:
    """Return the signature of a function whose types are builtin."""
    kind = find_function(module, function).attributes["function_type"].value
    return Signature(
        tuple(_port(each, f"argument {position}") for position, each in enumerate(kind.inputs)),
        tuple(_port(each, f"result {position}") for position, each in enumerate(kind.results)),
    )


def _port(kind: Any, who: str) -> Port:
    ir = bindings.ir()
    if isinstance(kind, ir.RankedTensorType | ir.MemRefType):
        extents = tuple(None if extent < 0 else int(extent) for extent in kind.shape)
        return Port(str(kind.element_type), extents, strides=_fixed_strides(kind))
    if isinstance(kind, ir.UnrankedTensorType | ir.UnrankedMemRefType):
        return Port(str(kind.element_type), None, ranked=False)
    if isinstance(kind, ir.IndexType | ir.IntegerType | ir.FloatType):
        return Port(str(kind), None)
    raise NotExecutableError(f"{who} has type {kind}, which has no values to pass or return")


def _fixed_strides(kind: Any) -> tuple[int | None, ...] | None:
    """Return the strides and the offset that a type fixes, as :class:`Port` has them."""
    if not isinstance(kind, bindings.ir().MemRefType):
        return None
    try:
        strides, offset = kind.get_strides_and_offset()
    except RuntimeError:
        return ()
    return tuple(None if each == DYNAMIC else int(each) for each in (*strides, offset))
