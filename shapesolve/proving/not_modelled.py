"""What is not modelled in the way of a failure: then sizes against a claim are a candidate, and no refutation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from shapesolve.language.atoms import Variable
from shapesolve.language.formulas import Formula
from shapesolve.proving.ledger import Ledger
from shapesolve.proving.reasons import Why, facts_of
from shapesolve.walking.obligations import Fact, Source
from shapesolve.walking.reasons import Reason


class NotModelled:
    """``causes`` says of variables that stand for anything why they do. ``facts`` are all by number, and may grow."""

    def __init__(self, ledger: Ledger, facts: Sequence[Fact], causes: Mapping[Variable, Reason]) -> None:
        self._ledger = ledger
        self._facts = facts
        self._causes = causes
        self._proved = set[int]()

    def prove(self, fact: int) -> None:
        """A fact, by its number, follows from those before it, so that it keeps out nothing that these do not."""
        self._proved.add(fact)

    def is_proved(self, fact: int) -> bool:
        """Whether a fact was told to follow from those before it."""
        return fact in self._proved

    def decisive(self, facts: Iterable[tuple[Formula, Why]]) -> list[Formula]:
        """The facts without those that follow from invariants alone, which hold of whatever they speak of."""
        return [formula for formula, why in facts if not self._is_kept_anyway(why)]

    def _is_kept_anyway(self, why: Why) -> bool:
        numbers = facts_of(why)
        return bool(numbers) and all(self._facts[number].source is Source.INVARIANT for number in numbers)

    def involved(
        self, formulas: Iterable[Formula], ways: Iterable[frozenset[Variable]], active: Sequence[int]
    ) -> frozenset[Variable]:
        """What decides whether a claim is reached and fails, by what is asked and by the ways to it.

        ``active`` are the numbers of the facts that hold there.
        """
        found = frozenset[Variable]().union(*(each.variables for each in formulas), *ways)
        return found | self._replaced_in(found, active)

    def _replaced_in(self, involved: frozenset[Variable], active: Sequence[int]) -> set[Variable]:
        """What is not modelled in facts about some variables, and no longer shows because the facts eliminated it."""
        found: set[Variable] = set()
        for number in active if self._causes else ():
            if self._facts[number].source is Source.INVARIANT or number in self._proved:
                continue
            variables = self._facts[number].formula.variables
            if not self._causes.keys().isdisjoint(variables) and self._ledger.left_of(variables) & involved:
                found |= variables
        return found

    def reasons(self, involved: frozenset[Variable]) -> tuple[Reason, ...]:
        """List why some of these stand for anything, each reason once."""
        ordered = sorted(involved, key=lambda each: each.text)
        return tuple(dict.fromkeys(self._causes[each] for each in ordered if each in self._causes))
