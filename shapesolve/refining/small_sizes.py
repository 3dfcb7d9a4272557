"""Small sizes for which two programs end in different ways, found by going through all iterations of both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice, product

from shapesolve.language.atoms import ShapeSymbol, Variable
from shapesolve.language.evaluation import holds
from shapesolve.language.formulas import Formula
from shapesolve.proving.verdicts import Sizes
from shapesolve.records import record
from shapesolve.refining.one_by_one import OneByOne
from shapesolve.refining.outcome import Behaviour, Ending
from shapesolve.refining.paired_walk import Walked
from shapesolve.refining.signatures import Entry

_MOST_INPUTS = 4
_LARGEST = 5
_MOST_TRIED = 600


@record
class Difference:
    """Sizes for which the programs end in these ways."""

    sizes: Sizes
    source: Behaviour
    target: Behaviour


class SmallSizes:
    """The first difference among small sizes, of runs of the source that end in a way that is ``asked`` about."""

    def __init__(self, source: Walked, target: Walked, entries: Sequence[Entry], asked: frozenset[Ending]) -> None:
        self.source = OneByOne(source)
        self.target = OneByOne(target)
        self._asked = asked
        self._inputs = source.trace.input_variables
        assumed = (*source.trace.assumptions, *target.trace.assumptions)
        self._assumed = [*(each.formula for each in assumed), *(each.holds for each in entries)]

    @cached_property
    def difference(self) -> Difference | None:
        """The sizes of which none is below 2 come first, and there those that are small; None where none are found."""
        for sizes in islice(self._candidates(), _MOST_TRIED):
            ours = self.source.behaviour(sizes)
            if ours is None or ours.ending not in self._asked:
                continue
            theirs = self.target.behaviour(sizes)
            if theirs is not None and theirs.ending is not ours.ending:
                return Difference(sizes, ours, theirs)
        return None

    def _candidates(self) -> Iterator[dict[Variable, int]]:
        if len(self._inputs) > _MOST_INPUTS or any(isinstance(each, ShapeSymbol) for each in self._inputs):
            return
        choices = product(*map(_small, self._inputs))
        for chosen in sorted(choices, key=lambda each: (min(each, default=2) < 2, sum(map(abs, each)))):
            sizes = dict(zip(self._inputs, chosen, strict=True))
            if all(_is_known_to_hold(each, sizes) for each in self._assumed):
                yield sizes


def _small(variable: Variable) -> range:
    low = -1 if variable.lower is None else max(-1, variable.lower)
    high = low + _LARGEST if variable.upper is None else min(variable.upper, max(low, 0) + _LARGEST)
    return range(low, high + 1)


def _is_known_to_hold(formula: Formula, sizes: dict[Variable, int]) -> bool:
    try:
        return holds(formula, sizes)
    except KeyError:
        return False
