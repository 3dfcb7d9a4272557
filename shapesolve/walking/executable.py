"""Which operations may be executed: those that the rulebook's own rules understand, and say nothing against.

What a user's file of rules, a library or somebody's package registers has a meaning for proofs. Whether running it is
harmless only our own rules can say, which were written beside the lowering.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from shapesolve.records import value_record
from shapesolve.walking.rulebook import Rulebook, load_rules

_OWN = "shapesolve.constraints."


@value_record
class Executable:
    """What may be executed. ``families`` are beginnings of names, up to a dot.

    ``only`` allows an operation for some values of an attribute: the attribute, and the values. ``outside`` says of
    operations that are known and not allowed why that is.
    """

    names: frozenset[str]
    families: tuple[str, ...] = ()
    only: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict[str, tuple[str, tuple[str, ...]]])
    outside: Mapping[str, str] = field(default_factory=dict[str, str])

    def allows(self, op: str) -> bool:
        """Whether an operation may be executed, whatever its attributes are."""
        return op in self.names or op.startswith(self.families)

    @property
    def dialects(self) -> frozenset[str]:
        """Dialects of which something may be executed."""
        return frozenset(name.partition(".")[0] for name in (*self.names, *self.families))


def executable(rulebook: Rulebook | None = None) -> Executable:
    """What may be executed, by the rulebook's own rules."""
    book = load_rules() if rulebook is None else rulebook
    rules = [each for each in book.rules() if each.module.startswith(_OWN)]
    harmless = [op for op, module in book.harmless().items() if module.startswith(_OWN)]
    outside = {each.op: each.outside for each in rules if each.outside is not None}
    names = {each.op for each in rules if each.outside is None} | {op for op in harmless if not op.endswith(".*")}
    return Executable(
        frozenset(names),
        tuple(sorted(op.removesuffix("*") for op in harmless if op.endswith(".*"))),
        {op: each.unless for op, each in outside.items() if each.unless is not None},
        {op: each.because for op, each in outside.items()},
    )
