"""Obligations of claims, with identifiers that are stable under edits."""

from __future__ import annotations

from collections.abc import Iterable

from shapesolve.ir.program import Operation
from shapesolve.semantics.codes import code
from shapesolve.semantics.op_semantics import Claim
from shapesolve.semantics.registry import RuleRegistry
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.trace.events import CallSite, Obligation


class ObligationBuilder:
    """Builds the obligations of one function, with identifiers that edits elsewhere in the file do not change."""

    def __init__(self, function: str, registry: RuleRegistry) -> None:
        self._function = function
        self._registry = registry
        self._ordinals: dict[Operation, int] = {}
        self._counts: dict[str, int] = {}
        self._claimed: dict[Operation, dict[str, int]] = {}  # how many claims of each clause this visit has raised

    def visit(self, op: Operation) -> None:
        """Note that an operation is interpreted, perhaps again."""
        self._claimed[op] = {}

    def obligation(
        self, op: Operation, claim: Claim, visit: int, guard: Formula, calls: tuple[CallSite, ...]
    ) -> Obligation:
        """Return the obligation of a claim that the rule of an operation makes.

        Args:
            visit: How often the operation has been interpreted, this time included.
            guard: The assertions that guard it.
            calls: The calls that lead to it.
        """
        identity, ordinal = self._identity(op, claim.clause, visit)
        words = self._registry.clause_text(op.name, claim.clause)
        return Obligation(
            claim=claim.formula,
            kind=claim.kind,
            op=op,
            clause=claim.clause,
            message=claim.whole_message + claim.here,
            requirement=claim.message,
            shown=claim.shown,
            location=op.location,
            identity=identity,
            ordinal=ordinal,
            words=words,
            code=code(op.name, claim.clause, words),
            is_barrier=claim.is_barrier,
            guard=guard,
            built_by=claim.built_by,
            of_type=claim.of_type,
            may_be_dropped=claim.may_be_dropped,
            calls=calls,
            of_shape_function=claim.of_shape_function,
            authors_messages=claim.authors_messages,
        )

    def _identity(self, op: Operation, clause: str, visit: int) -> tuple[str, int]:
        """Return the identifier of the next obligation of a clause, and its ordinal.

        The identifier consists of the function, the operation, its ordinal among those of its name, and the clause;
        then which visit and which claim.
        """
        ordinal = self._ordinals.get(op)
        if ordinal is None:
            ordinal = self._ordinals[op] = self._counts[op.name] = self._counts.get(op.name, 0) + 1
        base = f"{self._function}/{op.name}.{ordinal}/{clause}" + (f"@{visit}" if visit > 1 else "")
        here = self._claimed[op]
        claims = here[clause] = here.get(clause, 0) + 1
        return (base if claims == 1 else f"{base}.{claims}"), claims

    def ordinals_of(self, ops: Iterable[Operation]) -> tuple[tuple[Operation, int], ...]:
        """Return the operations that have an ordinal, with it."""
        return tuple([(op, self._ordinals[op]) for op in ops if op in self._ordinals])

    def are_next(self, ordinals: Iterable[tuple[Operation, int]]) -> bool:
        """Return whether these are the ordinals that the operations would get now."""
        counts: dict[str, int] = {}
        for op, ordinal in ordinals:
            if counts.get(op.name, self._counts.get(op.name, 0)) + 1 != ordinal:
                return False
            counts[op.name] = ordinal
        return True

    def repeat(self, ordinals: Iterable[tuple[Operation, int]]) -> None:
        """Give operations the ordinals that come next."""
        for op, ordinal in ordinals:
            self._ordinals[op] = self._counts[op.name] = ordinal
