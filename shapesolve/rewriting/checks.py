"""What a check is: the operations that stop a program, and the structure around them that can go with them.

Which operations stop a program is said at their rules. How structure goes with a check is surgery on the IR, of which
there is one kind for each of the operations named here: a region takes the place of the operation around it, or what
only hands witnesses on becomes a witness that passes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Protocol

from shapesolve.ir.program import Operation, Program
from shapesolve.records import value_record
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.rulebook import RuleRegistry
from shapesolve.trace.events import Way

ASSUMING = "shape.assuming"
ASSUMING_ALL = "shape.assuming_all"
GUARD = "scf.if"
LOOP = "scf.for"
CONST_WITNESS = "shape.const_witness"
STRUCTURE = (ASSUMING, ASSUMING_ALL, GUARD)

MARK = "shapesolve.pruned"
"""The attribute of what will go; of what comes down to one of its alternatives, the number of that."""

_WITNESS = "!shape.witness"


class RewriteError(Exception):
    """The rewritten program was not proved to be as good as the original: a fault of shapesolve. Nothing is written."""


@value_record
class Fold:
    """Alternative that an operation folds to, and the justification as a phrase."""

    way: Way
    because: str


class Edits(Protocol):
    """Edits of one program, by operation number.

    Attributes:
        proved: Checks whose claims always hold.
        taken: Guards with a constant condition, and its value.
        passing: `shape.assuming` operations whose witness is defined outside and proved.
        shortcuts: Operations that fold to one of their alternatives.
        stand_ins: Replacement witnesses for the users of a proved witness.
    """

    @property
    def proved(self) -> AbstractSet[int]: ...

    @property
    def taken(self) -> Mapping[int, bool]: ...

    @property
    def passing(self) -> AbstractSet[int]: ...

    @property
    def shortcuts(self) -> Mapping[int, Fold]: ...

    @property
    def stand_ins(self) -> Mapping[int, tuple[Operation, ...]]: ...


def check_name(op: Operation, rulebook: RuleRegistry) -> str | None:
    """What a check is called in a report, by its name and by what it calls; None for what is no check."""
    if op.name in STRUCTURE:
        return op.name
    if not _stops(op, rulebook):
        return None
    called = op.attributes.get("call_target_name")
    return f"{op.name} @{called}" if isinstance(called, str) else op.name


def can_be_asked(op: Operation, rulebook: RuleRegistry) -> bool:
    """Whether the operation itself stops the program when its claim is false."""
    return op.name not in STRUCTURE and _stops(op, rulebook)


def _stops(op: Operation, rulebook: RuleRegistry) -> bool:
    """Whether the operation does nothing but stop the program, and give a witness: what computes is no check."""
    computes = op.results and [str(each.type) for each in op.results] != [_WITNESS]
    return not op.regions and not computes and rulebook.effects(op) == STOPS


def checks_of(program: Program, rulebook: RuleRegistry) -> Iterator[Operation]:
    """Every check of a program, in program order."""
    return (op for op in program.operation.walk() if check_name(op, rulebook) is not None)


def counted(program: Program, rulebook: RuleRegistry) -> dict[str, int]:
    """How many checks there are of each kind."""
    counts: dict[str, int] = {}
    for op in checks_of(program, rulebook):
        name = check_name(op, rulebook)
        assert name is not None
        counts[name] = counts.get(name, 0) + 1
    return counts


def message_of(op: Operation) -> str:
    """What the check says when it fails; "" where it says nothing."""
    for key in ("msg", "error_message", "error"):
        said = op.attributes.get(key)
        if isinstance(said, str) and said:
            return said
    return ""
