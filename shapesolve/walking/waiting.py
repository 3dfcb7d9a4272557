"""Which assertions a value waits for: those that guard it, and those that guard what it is computed from."""

from __future__ import annotations

from shapesolve.language.formulas import TRUE, Formula, conjunction
from shapesolve.reading.program import Operation, Value
from shapesolve.walking.rulebook import Meaning


class Waiting:
    """The assertions that the values of one walk wait for; ``here`` are those that everything at this place does."""

    def __init__(self) -> None:
        self.here: Formula = TRUE
        self._guards: dict[Value, Formula] = {}

    def given(self, op: Operation) -> Formula:
        """The assertions that an operation waits for: those that its operands wait for."""
        if not self._guards:
            return self.here
        guards = [self._guards[operand] for operand in op.operands if operand in self._guards]
        return conjunction((self.here, *guards)) if guards else self.here

    def guard(self, op: Operation, meaning: Meaning) -> None:
        """Where the results of an operation exist, its guard and all that it waits for has held."""
        guard = self.given(op)
        if meaning.guard is not TRUE:
            guard = conjunction((meaning.guard, guard))
        if self._guards:
            ends = (block.operations[-1] for run in meaning.regions for block in run.region.blocks if block.operations)
            guard = conjunction((guard, *map(self.given, ends)))
        if guard is not TRUE:
            self._guards.update(dict.fromkeys(op.results, guard))

    def guard_of(self, value: Value) -> Formula:
        """The assertions that a value waits for."""
        return self._guards.get(value, TRUE)

    def set_guard(self, value: Value, guard: Formula) -> None:
        """The value waits for these assertions."""
        if guard is TRUE:
            self.forget(value)
        else:
            self._guards[value] = guard

    def forget(self, value: Value) -> None:
        """The value waits for nothing, as far as is known."""
        self._guards.pop(value, None)
