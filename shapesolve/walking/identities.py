"""Names of claims that stay the same when the file is edited elsewhere."""

from __future__ import annotations

from shapesolve.reading.program import Operation


class Identities:
    """Hands out the names of the claims of one function's walk."""

    def __init__(self, function: str) -> None:
        self._function = function
        self._ordinals: dict[Operation, int] = {}
        self._counts: dict[str, int] = {}
        self._claimed: dict[Operation, dict[str, int]] = {}  # how many claims of each clause this visit has raised

    def visit(self, op: Operation) -> None:
        """The operation is visited, perhaps again."""
        self._claimed[op] = {}

    def of(self, op: Operation, clause: str, visit: int) -> str:
        """Function, operation, its ordinal among those of its name, clause; then which visit and which claim."""
        ordinal = self._ordinals.get(op)
        if ordinal is None:
            ordinal = self._ordinals[op] = self._counts[op.name] = self._counts.get(op.name, 0) + 1
        base = f"{self._function}/{op.name}.{ordinal}/{clause}" + (f"@{visit}" if visit > 1 else "")
        here = self._claimed[op]
        claims = here[clause] = here.get(clause, 0) + 1
        return base if claims == 1 else f"{base}.{claims}"
