"""Cut a module down to the function that will be called, and read what it takes and gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from shapesolve.reading import bindings

from .failures import NotExecutableError
from .operations import descendants, symbol_of


@dataclass(frozen=True)
class Port:
    """The type of one argument or result, as far as calling needs it.

    ``extents`` is None for a scalar and where the rank is unknown (then ``ranked`` is false); one extent is None where
    the type says ``?``.
    """

    element: str
    extents: tuple[int | None, ...] | None
    ranked: bool = True

    @property
    def is_scalar(self) -> bool:
        """Neither a tensor nor a memref."""
        return self.extents is None and self.ranked


@dataclass(frozen=True)
class Signature:
    """What a function takes and gives."""

    arguments: tuple[Port, ...]
    results: tuple[Port, ...]


def isolate(module: Any, function: str) -> None:
    """Erase every symbol of ``module`` that ``function`` does not need, and make the function callable from C."""
    ir = bindings.ir()
    symbols = {symbol: op.operation for op in module.body.operations if (symbol := symbol_of(op)) is not None}
    if function not in symbols:
        known = ", ".join(f"@{name}" for name, op in symbols.items() if op.name == "func.func")
        raise NotExecutableError(f"there is no function @{function}; the module has {known or 'no functions'}")
    entry = symbols[function]
    if entry.name != "func.func":
        raise NotExecutableError(f"@{function} is a {entry.name}, and only func.func can be called")
    needed = _reachable(function, symbols)
    for name, op in symbols.items():
        if name not in needed:
            op.erase()
        elif op.name == "func.func" and not op.regions[0].blocks:
            raise NotExecutableError(f"@{name} is declared, but has no body to run")
    if "sym_visibility" in entry.attributes:
        del entry.attributes["sym_visibility"]
    entry.attributes["llvm.emit_c_interface"] = ir.UnitAttr.get(entry.context)


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


def find_function(module: Any, function: str) -> Any:
    """The function's operation. It must be there."""
    return next(op.operation for op in module.body.operations if symbol_of(op) == function)


def signature_of(module: Any, function: str) -> Signature:
    """What the function takes and gives, once it is written with builtin types only."""
    kind = find_function(module, function).attributes["function_type"].value
    return Signature(
        tuple(_port(each, f"argument {position}") for position, each in enumerate(kind.inputs)),
        tuple(_port(each, f"result {position}") for position, each in enumerate(kind.results)),
    )


def _port(kind: Any, who: str) -> Port:
    ir = bindings.ir()
    if isinstance(kind, ir.RankedTensorType | ir.MemRefType):
        extents = tuple(None if extent < 0 else int(extent) for extent in kind.shape)
        return Port(str(kind.element_type), extents)
    if isinstance(kind, ir.UnrankedTensorType | ir.UnrankedMemRefType):
        return Port(str(kind.element_type), None, ranked=False)
    if isinstance(kind, ir.IndexType | ir.IntegerType | ir.FloatType):
        return Port(str(kind), None)
    raise NotExecutableError(f"{who} has type {kind}, which has no values to pass or return")
