"""What one program does for given sizes, iteration by iteration in the order in which they run.

A walk asks about one iteration that stands for all. Where it is known what numbers them, and what a program does is
decided by the sizes and these numbers alone, the first thing that fails is found by going through all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from shapesolve.language.atoms import Variable
from shapesolve.language.evaluation import evaluate, holds
from shapesolve.language.formulas import Formula
from shapesolve.proving.verdicts import Sizes
from shapesolve.reading.program import Operation
from shapesolve.refining.iterations import Iterations, Loop, Loops
from shapesolve.refining.outcome import Behaviour, Ending
from shapesolve.refining.paired_walk import Walked
from shapesolve.walking.interpreting import Around, Handler, Scope, interpret
from shapesolve.walking.obligations import Obligation, Presumption, Stop

_MOST_STEPS = 20_000
"""So many events are looked at for one run."""

_Numbers = Mapping[Variable, "int | tuple[int, ...]"]


class _NotKnown(Exception):
    """What a program does is not decided by the sizes."""


@dataclass(slots=True, eq=False)
class _Part:
    """A region that is run, with what happens in it in program order; without a region, the whole program."""

    scope: Scope | None
    inside: list[_Part | Obligation | Presumption | Stop] = field(
        default_factory=list["_Part | Obligation | Presumption | Stop"]
    )

    @property
    def loop(self) -> Operation | None:
        """The loop that the region is of, if it is of one."""
        return self.scope.enter.of if self.scope is not None and self.scope.enter.repeats else None


class OneByOne:
    """A program that is run for one size after the other."""

    def __init__(self, walked: Walked) -> None:
        whole = _Nesting()
        interpret(walked.trace, whole)
        self._whole = whole.parts[0].inside
        self._iterations = walked.iterations
        self._loops = Loops(walked.trace, walked.iterations)

    def behaviour(self, sizes: Sizes) -> Behaviour | None:
        """How the program ends for these sizes of its inputs; None where that is not certain.

        A model has a number for every variable, so that only the inputs' own are taken from it.
        """
        try:
            found = _Run(self._iterations, self._loops).all_of(self._whole, dict(sizes))
        except _NotKnown:
            return None
        return found or Behaviour(Ending.RETURNS)


class _Nesting(Handler[None]):
    """Puts events into the regions that they are in."""

    def __init__(self) -> None:
        self.parts = [_Part(None)]

    def obligation(self, obligation: Obligation, around: Around) -> None:
        self.parts[-1].inside.append(obligation)

    def presumption(self, presumption: Presumption, around: Around) -> None:
        self.parts[-1].inside.append(presumption)

    def stop(self, stop: Stop, around: Around) -> None:
        self.parts[-1].inside.append(stop)

    def enter(self, scope: Scope, around: Around) -> None:
        part = _Part(scope)
        self.parts[-1].inside.append(part)
        self.parts.append(part)

    def leave(self, scope: Scope, around: Around) -> None:
        self.parts.pop()


class _Run:
    """One run of a program."""

    def __init__(self, iterations: Mapping[Variable, Iterations], loops: Loops) -> None:
        self._iterations = iterations
        self._loops = loops
        self._steps = 0

    def all_of(self, parts: Sequence[_Part | Obligation | Presumption | Stop], known: _Numbers) -> Behaviour | None:
        """How the run ends among these; None where it gets past them."""
        position = 0
        while position < len(parts):
            self._step()
            here = parts[position]
            position += 1
            match here:
                case Obligation():
                    ended = self._demanded(here, known)
                case Presumption():
                    _require(_holds(here.formula, known))
                    ended = None
                case Stop():
                    raise _NotKnown
                case _Part() if here.loop is None:
                    ended = self._inside(here, known)
                case _Part():
                    regions = [here]
                    while position < len(parts) and _is_of(parts[position], here.loop):
                        regions.append(parts[position])  # pyright: ignore[reportArgumentType]
                        position += 1
                    ended = self._repeated(regions, known)
            if ended is not None:
                return ended
        return None

    def _step(self) -> None:
        self._steps += 1
        _require(self._steps <= _MOST_STEPS)

    def _demanded(self, obligation: Obligation, known: _Numbers) -> Behaviour | None:
        """How the run ends where an operation demands something, of every position that it works on itself."""
        own = self._loops.of(obligation.op)
        places = [known]
        if own is not None and not obligation.claim.variables.isdisjoint(set(own.numbers) - known.keys()):
            places = list(self._all(own, known))
        for each in places:
            self._step()
            if not _holds(obligation.claim, each):
                return Behaviour.of(obligation)
        return None

    def _inside(self, part: _Part, known: _Numbers) -> Behaviour | None:
        """How the run ends in a region; None where it gets past it, or does not come there."""
        assert part.scope is not None
        enter, runs = part.scope.enter, part.scope.leave.runs
        if not _holds(part.scope.condition, known):
            return None
        if enter.approximate or runs is None:
            raise _NotKnown
        return self.all_of(part.inside, known) if _holds(runs, known) else None

    def _repeated(self, regions: Sequence[_Part], known: _Numbers) -> Behaviour | None:
        """How the run ends in a loop, each iteration of which runs these regions.

        Where iterations have no order, the run may be undefined if one of them is, and is if the first that ends it is.
        """
        loop = self._loops.of(regions[0].loop)
        if loop is None:
            raise _NotKnown
        in_order = all(each.scope is not None and each.scope.enter.in_order for each in regions)
        ends: list[Behaviour] = []
        for numbers in self._all(loop, known):
            for region in regions:
                ended = self._inside(region, numbers)
                if ended is not None:
                    ends.append(ended)
                    break
            if ends and (in_order or ends[0].ending is Ending.UNDEFINED):
                return ends[0]
        _require(len({each.ending for each in ends}) <= 1)  # else the order decides, and there is none
        return ends[0] if ends else None

    def _all(self, loop: Loop, known: _Numbers) -> Iterator[_Numbers]:
        """The numbers of all iterations of a loop, in their order."""
        ranges: list[range] = []
        for number in loop.numbers:
            of = self._iterations[number]
            try:
                first, end, step = (evaluate(each, known) for each in (of.first, of.end, of.step))
            except KeyError:
                raise _NotKnown from None
            _require(step > 0)
            ranges.append(range(first, end, step))
            _require(len(ranges[-1]) <= _MOST_STEPS)
        for chosen in product(*ranges):
            self._step()
            yield {**known, **dict(zip(loop.numbers, chosen, strict=True))}


def _is_of(part: _Part | Obligation | Presumption | Stop, loop: Operation | None) -> bool:
    return isinstance(part, _Part) and part.loop is loop


def _holds(formula: Formula, known: _Numbers) -> bool:
    """Whether a formula holds; not known where it is about more than the numbers."""
    try:
        return holds(formula, known)
    except KeyError:
        raise _NotKnown from None


def _require(certain: bool) -> None:
    if not certain:
        raise _NotKnown
