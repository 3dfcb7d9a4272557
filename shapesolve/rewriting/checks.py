"""Checks of a program: operations that can stop it, and the structure removed together with them.

The rules say which operations stop a program. Removing structure together with a check is an edit of its own kind for
each operation named here: a region replaces the operation around it, or an operation that only combines witnesses
becomes a witness that passes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Protocol

from shapesolve.ir.analyses import program_analysis
from shapesolve.ir.program import WITNESS_TYPE, OpaqueType, Operation, Program
from shapesolve.preconditions.functions import entry_points, library_operations
from shapesolve.records import value_record
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.registry import RuleRegistry
from shapesolve.trace.events import Alternative

ASSUMING = "shape.assuming"
ASSUMING_ALL = "shape.assuming_all"
GUARD = "scf.if"
LOOP = "scf.for"
CONST_WITNESS = "shape.const_witness"
WITNESS_USERS = (ASSUMING, ASSUMING_ALL)
OF_MANY_SHAPES = ("shape.cstr_broadcastable", "shape.cstr_eq")
"""Constraints of any number of shapes, which on fewer of them claim no more than on all."""
STRUCTURE = (*WITNESS_USERS, GUARD)

MARK = "shapesolve.pruned"
"""Attribute of operations that will be removed; for a fold, the number of the alternative."""


class RewriteError(Exception):
    """The rewritten program was not proved equivalent: a fault of shapesolve. Nothing is written."""


@value_record
class Fold:
    """Alternative that an operation folds to, and the justification as a phrase."""

    alternative: Alternative
    because: str


class Edits(Protocol):
    """Edits of one program, by operation number.

    Attributes:
        proved: Checks whose claims always hold.
        taken: Guards with a constant condition, and its value.
        passing: `shape.assuming` operations whose witness is defined outside and proved.
        folds: Operations that fold to one of their alternatives.
        replacements: Replacement witnesses for the users of a proved witness.
    """

    @property
    def proved(self) -> AbstractSet[int]: ...

    @property
    def taken(self) -> Mapping[int, bool]: ...

    @property
    def passing(self) -> AbstractSet[int]: ...

    @property
    def folds(self) -> Mapping[int, Fold]: ...

    @property
    def replacements(self) -> Mapping[int, tuple[Operation, ...]]: ...


def makes_witness(op: Operation) -> bool:
    """Return whether a witness is all that an operation gives."""
    return len(op.results) == 1 and isinstance(kind := op.results[0].type, OpaqueType) and str(kind) == WITNESS_TYPE


def is_passing(op: Operation) -> bool:
    """Return whether an operation makes a witness that always passes."""
    return op.name == CONST_WITNESS and op.attributes.get("passing") is True


def has_needless_witness(program: Program) -> bool:
    """Return whether a witness always passes, or joins one with itself."""
    return any(
        is_passing(op) or (op.name == ASSUMING_ALL and len(dict.fromkeys(op.operands)) < 2)
        for op in program.operation.walk()
    )


def check_name(op: Operation, registry: RuleRegistry) -> str | None:
    """Return the name of a check in a report, with the callee if it calls one; None for what is no check."""
    if op.name in STRUCTURE:
        return op.name
    if not _stops(op, registry):
        return None
    called = op.attributes.get("call_target_name")
    return f"{op.name} @{called}" if isinstance(called, str) else op.name


def can_be_asked(op: Operation, registry: RuleRegistry) -> bool:
    """Return whether the operation itself stops the program if its claim is false."""
    return op.name not in STRUCTURE and _stops(op, registry)


def _stops(op: Operation, registry: RuleRegistry) -> bool:
    """Return whether the operation only stops the program and gives a witness: what computes is no check."""
    return _may_only_stop(op) and registry.effects(op) == STOPS


def _may_only_stop(op: Operation) -> bool:
    return not op.regions and (not op.results or makes_witness(op))


@program_analysis
def possible_checks(program: Program) -> tuple[Operation, ...]:
    """Return the operations of a program, in order, that are checks if their effects are those of one."""
    return tuple(op for op in program.operation.walk() if op.name in STRUCTURE or _may_only_stop(op))


def checks_of(program: Program, registry: RuleRegistry) -> Iterator[Operation]:
    """Yield every check in program order; checks of shape functions only if the program holds nothing else."""
    library = library_operations(program)
    described = library if any(function.operation not in library for function in entry_points(program)) else ()
    found = (op for op in possible_checks(program) if check_name(op, registry) is not None)
    return (op for op in found if op not in described)


def counted(program: Program, registry: RuleRegistry) -> dict[str, int]:
    """Return the number of checks of each kind."""
    counts: dict[str, int] = {}
    for op in checks_of(program, registry):
        name = check_name(op, registry)
        assert name is not None
        counts[name] = counts.get(name, 0) + 1
    return counts


def message_of(op: Operation) -> str:
    """Return the message of a failing check; "" if it has none."""
    for key in ("msg", "error_message", "error"):
        message = op.attributes.get(key)
        if isinstance(message, str) and message:
            return message
    return ""
