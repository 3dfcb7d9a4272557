"""Symbol tables: the function that a symbol resolves to at an operation, and the functions that an attribute may name.

A symbol is resolved as MLIR does it: in the nearest enclosing operation that is a symbol table (itself, if it is one),
and no further out; the part behind ``::`` is resolved in the result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from shapesolve.ir.program import (
    Attribute,
    DictAttribute,
    Function,
    OpaqueAttribute,
    OpaqueType,
    Operation,
    Region,
    SymbolRef,
)

_PART = r'@(?:"(?:[^"\\]|\\.)*"|[\w$.\-]+)'
_REFERENCE = re.compile(rf"{_PART}(?:::{_PART})*")


def spelled_references(text: str) -> tuple[SymbolRef, ...]:
    """Return the symbols in MLIR's text of an attribute."""
    if "@" not in text:
        return ()
    found: list[SymbolRef] = []
    for reference in _REFERENCE.findall(text):
        parts = tuple(_name(part) for part in re.findall(_PART, reference))
        found.append(SymbolRef("::@".join(parts), parts))
    return tuple(dict.fromkeys(found))


def _name(spelled: str) -> str:
    name = spelled[1:]
    if not name.startswith('"'):
        return name
    return re.sub(r"\\([0-9A-Fa-f]{2})|\\(.)", lambda m: chr(int(m[1], 16)) if m[1] else m[2], name[1:-1])


def references(attributes: Iterable[Attribute]) -> Iterator[SymbolRef]:
    """Yield the symbols in attributes, at any depth."""
    for each in attributes:
        match each:
            case SymbolRef():
                yield each
            case DictAttribute(entries=entries):
                yield from references(entries.values())
            case OpaqueAttribute(symbols=symbols):
                yield from symbols
            case OpaqueType(text=text):
                yield from spelled_references(text)
            case tuple():
                yield from references(each)
            case _:
                pass


class Symbols:
    """Symbol tables of a program.

    Args:
        tables: The names of the operations that are symbol tables.
        unknown: The names of operations for which that is not known, so that no symbol is resolved inside one that has
            a single region.
    """

    def __init__(
        self, root: Operation, functions: Iterable[Function], tables: frozenset[str], unknown: frozenset[str]
    ) -> None:
        self._root = root
        self._functions = {function.operation: function for function in functions}
        self._by_body = {each.body: each for each in self._functions.values() if each.body is not None}
        self._tables = tables
        self._unknown = unknown
        self._around: dict[Operation, Operation | None] = {}  # the operations around, for those that mention something
        self._names: dict[Operation, Mapping[str, Operation]] = {}
        self._mentions: dict[Operation, Sequence[Function]] | None = None

    def of_copy(self, root: Operation, functions: Iterable[Function]) -> Symbols:
        """Return the symbol tables of a copy of the program."""
        return Symbols(root, functions, self._tables, self._unknown)

    def function(self, op: Operation, symbol: SymbolRef) -> Function | None:
        """Return the function that a symbol resolves to at an operation; None if it is no function or not known."""
        found = self.operation(op, symbol)
        return None if found is None else self._functions.get(found)

    def function_with(self, body: Region) -> Function | None:
        """Return the function with this body; None for any other region."""
        return self._by_body.get(body)

    def operation(self, op: Operation, symbol: SymbolRef) -> Operation | None:
        """Return the operation that a symbol resolves to at another one; None if that is not known."""
        table = self._nearest(op)
        return None if table is None else self._in(table, symbol.path)

    def operations(self, function: Function) -> Iterator[Operation]:
        """Yield the operations of a function, itself first, without those of functions inside it."""
        waiting = [function.operation]
        while waiting:
            op = waiting.pop()
            yield op
            inside = [each for region in op.regions for block in region.blocks for each in block.operations]
            waiting += [each for each in reversed(inside) if each not in self._functions]

    def mentions(self) -> Mapping[Operation, Sequence[Function]]:
        """Return the functions that the attributes of each operation may name.

        A name that is found in several enclosing tables may mean any of them, since operations may look names up as
        they like; a name that is found in none may mean every function of that name anywhere. Only calls that are
        resolved otherwise are certain.
        """
        if self._mentions is None:
            self._mentions = {}
            for op in self._root.walk():
                found = self.named(op, op.attributes.values())
                if found:
                    self._mentions[op] = found
        return self._mentions

    def named(self, op: Operation, attributes: Iterable[Attribute]) -> tuple[Function, ...]:
        """Return the functions that some attributes of an operation may name."""
        meant = (self._meant(op, symbol) for symbol in references(attributes))
        return tuple(dict.fromkeys(function for functions in meant for function in functions))

    def _meant(self, op: Operation, symbol: SymbolRef) -> list[Function]:
        found: list[Function] = []
        around: Operation | None = op
        while around is not None:
            there = self._in(around, symbol.path) if around.name in self._tables else None
            if there is not None and there in self._functions:
                found.append(self._functions[there])
            around = self._parents.get(around)
        if found:
            return found
        last = symbol.path[-1]
        return [each for each in self._functions.values() if each.operation.attributes.get("sym_name") == last]

    def _nearest(self, op: Operation) -> Operation | None:
        around: Operation | None = op
        while around is not None and around.name not in self._tables:
            if around.name in self._unknown and len(around.regions) == 1:
                return None
            around = self._parents.get(around)
        return around

    def _in(self, table: Operation, path: Sequence[str]) -> Operation | None:
        found: Operation | None = table
        for part in path:
            if found is None or found.name not in self._tables:
                return None
            found = self._symbols_of(found).get(part)
        return found

    def _symbols_of(self, table: Operation) -> Mapping[str, Operation]:
        known = self._names.get(table)
        if known is None:
            inside = [op for region in table.regions for block in region.blocks for op in block.operations]
            known = {name: op for op in inside if isinstance(name := op.attributes.get("sym_name"), str)}
            self._names[table] = known
        return known

    @property
    def _parents(self) -> Mapping[Operation, Operation | None]:
        if not self._around:
            self._around = {self._root: None}
            waiting = [self._root]
            while waiting:
                outer = waiting.pop()
                for region in outer.regions:
                    for block in region.blocks:
                        for op in block.operations:
                            self._around[op] = outer
                            if op.regions:
                                waiting.append(op)
        return self._around
