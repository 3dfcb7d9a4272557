"""Helpers that traverse and build operations through MLIR's bindings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from shapesolve.ir import bindings


def descendants(operation: Any) -> Iterator[Any]:
    """Yield every operation below ``operation``, in program order, outer ones first. Do not erase while iterating."""
    for region in operation.regions:
        for block in region.blocks:
            for child in block.operations:
                yield child.operation
                yield from descendants(child.operation)


def values_below(operation: Any) -> Iterator[Any]:
    """Yield every result and block argument below ``operation``."""
    for region in operation.regions:
        for block in region.blocks:
            yield from block.arguments
            for child in block.operations:
                yield from child.operation.results
                yield from values_below(child.operation)


def dialect_of(operation: Any) -> str:
    """Return the dialect of an operation."""
    return str(operation.name).partition(".")[0]


def symbol_of(operation: Any) -> str | None:
    """Return the symbol an operation defines, or None."""
    attributes = operation.attributes
    return str(attributes["sym_name"].value) if "sym_name" in attributes else None


class Builder:
    """Builds operations in front of ``anchor``, all carrying its location."""

    def __init__(self, anchor: Any) -> None:
        ir = bindings.ir()
        self._ir = ir
        self._context = anchor.context
        self._location = anchor.location
        self._point = ir.InsertionPoint(anchor)
        self._constants: dict[int, Any] = {}

    def type(self, spelled: str) -> Any:
        """Parse a type."""
        return self._ir.Type.parse(spelled, self._context)

    def attribute(self, spelled: str) -> Any:
        """Parse an attribute."""
        return self._ir.Attribute.parse(spelled, self._context)

    def string(self, text: str) -> Any:
        """Return a string attribute."""
        return self._ir.StringAttr.get(text, self._context)

    def build(
        self,
        name: str,
        operands: Sequence[Any],
        results: Sequence[str | Any] = (),
        attributes: dict[str, Any] | None = None,
        regions: int = 0,
        successors: Sequence[Any] = (),
    ) -> Any:
        """Build the operation ``name``. Result types and attributes may be given as text."""
        types = [self.type(each) if isinstance(each, str) else each for each in results]
        parsed = {
            key: self.attribute(each) if isinstance(each, str) else each for key, each in (attributes or {}).items()
        }
        return self._ir.Operation.create(
            name,
            results=types,
            operands=list(operands),
            attributes=parsed,
            regions=regions,
            successors=list(successors),
            loc=self._location,
            ip=self._point,
        )

    def value(
        self, name: str, operands: Sequence[Any], result: str | Any, attributes: dict[str, Any] | None = None
    ) -> Any:
        """Build the operation ``name`` and return its one result."""
        return self.build(name, operands, [result], attributes).results[0]

    def index(self, number: int) -> Any:
        """Build a constant of type index."""
        if number not in self._constants:
            self._constants[number] = self.value("arith.constant", [], "index", {"value": f"{number} : index"})
        return self._constants[number]

    def boolean(self, truth: bool) -> Any:
        """Build a constant of type i1."""
        return self.value("arith.constant", [], "i1", {"value": "true" if truth else "false"})

    def compare(self, predicate: int, left: Any, right: Any) -> Any:
        """Build ``arith.cmpi`` with the predicate's number (see :data:`EQUAL` and its neighbors)."""
        return self.value("arith.cmpi", [left, right], "i1", {"predicate": f"{predicate} : i64"})

    def either(self, left: Any, right: Any) -> Any:
        """Build a logical or."""
        return self.value("arith.ori", [left, right], "i1")

    def extent(self, tensor: Any, dimension: int) -> Any:
        """Build the size of one dimension of a tensor; a constant if the type is static."""
        known = tensor.type.shape[dimension]
        if known >= 0:
            return self.index(known)
        return self.value("tensor.dim", [tensor, self.index(dimension)], "index")

    def require(self, condition: Any, message: str, *, ends_execution: bool = False) -> None:
        """Build an assertion that aborts with ``message``.

        With ``ends_execution``, its failure says nothing about the program: execution cannot follow it any further.
        """
        mark = {BEYOND_EXECUTION: "unit"} if ends_execution else {}
        self.build("cf.assert", [condition], [], {"msg": self.string(message), **mark})

    def verify(self, condition: Any, op_name: str, detail: str) -> None:
        """Build an assertion with a message in the form of MLIR's own runtime verification."""
        self.require(condition, f"ERROR: Runtime op verification failed\n{op_name}\n^ {detail}\nLocation: above")


EQUAL, NOT_EQUAL, LESS, AT_MOST, GREATER, AT_LEAST = range(6)

BEYOND_EXECUTION = "shapesolve.beyond_execution"
"""Mark of an assertion whose failure means that execution cannot follow the program any further."""
