"""Behavior of one program for given sizes: by a solver over its trace, or iteration by iteration.

A counterexample of a comparison is one assignment, in which an iteration of a loop is a generic one; here each program
is asked for all of its iterations at once. Where the iteration space is known, and the sizes and loop variables alone
decide what a program does, the first failure is found by enumerating the iterations in execution order. `SmallSizes`
enumerates small sizes in that way until two programs end differently.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, product

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.obligation_checker import ObligationChecker, Policy
from shapesolve.ir.program import Operation
from shapesolve.records import record
from shapesolve.refinement.loops import Iterations, Loop, Loops
from shapesolve.refinement.outcome import Behavior, Ending
from shapesolve.refinement.paired_interpreter import Interpretation
from shapesolve.refinement.signatures import Entry
from shapesolve.solver.prover import Prover
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, Unreachable
from shapesolve.symbolic.atoms import ShapeSymbol, Variable
from shapesolve.symbolic.dims import of_atom
from shapesolve.symbolic.evaluation import Sizes, evaluate, holds
from shapesolve.symbolic.formula_kinds import FALSE, Formula
from shapesolve.symbolic.formulas import conjunction, equal, negation
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.symbolic.shapes import same_shape, unranked
from shapesolve.trace.events import Fact, MayNotReturn, Obligation, OverflowAssumption, Source, Trace
from shapesolve.trace.visitor import Around, Handler, Scope, handle_events


def fix_inputs(prover: Prover, sizes: Sizes) -> None:
    """Assume these sizes of the inputs."""
    for variable, value in sizes.items():
        prover.assume(Fact(_is(variable, value), Source.ASSUMPTION, "the counterexample"))


def _is(variable: Variable, value: int | tuple[int, ...]) -> Formula:
    if isinstance(value, tuple):
        assert isinstance(variable, ShapeSymbol)
        return same_shape(unranked(variable.name), RankedShape.of(value))
    return equal(of_atom(variable), value)


def behavior(prover: Prover, trace: Trace, entries: tuple[Entry, ...] = ()) -> Behavior | None:
    """Return what a program does for the inputs that the prover knows; None if that is not certain.

    Afterwards the prover knows everything that the program computes.
    """
    for entry in entries:
        if not isinstance(prover.verdict_on(entry.holds), Proved):
            return Behavior(Ending.UNDEFINED, detail=entry.broken)
    checker = _Ending(prover, frozenset(trace.input_variables))
    handle_events(trace, checker)
    return checker.behavior


def undecided_requirement(prover: Prover, trace: Trace) -> str:
    """Return the first requirement that the prover's inputs do not decide, in a sentence; "" if there is none."""
    checker = _Ending(prover, frozenset(trace.input_variables))
    handle_events(trace, checker)
    if checker.open is None:
        return ""
    demand, verdict = checker.open.obligation, checker.open.verdict
    line = f" at line {demand.location.line}" if demand.location.line else ""
    reason = f": {verdict.reason}" if isinstance(verdict, Undecided) else ""
    return f"whether the source's {demand.op.name}{line} is defined there is not known [{demand.code}]{reason}"


class _Ending(ObligationChecker):
    """Checks one program until it is known how it ends. What does not fail is a fact for what follows it."""

    def __init__(self, prover: Prover, fixed: frozenset[Variable]) -> None:
        super().__init__(
            prover,
            Policy(
                becomes_fact=lambda checked_obligation: isinstance(checked_obligation.verdict, Proved | Unreachable)
            ),
        )
        self._prover = prover
        self._fixed = fixed
        self._failed: list[Obligation] = []
        self.open: CheckedObligation | None = None
        self._certain = True
        self._ended = False

    @property
    def done(self) -> bool:
        return self._ended or not self._certain

    def leave(self, scope: Scope, around: Around) -> None:
        super().leave(scope, around)
        self._ended = bool(self._failed) and not around

    def may_not_return(self, stop: MayNotReturn, around: Around) -> None:
        self._certain = isinstance(self._prover.reachable(), Unreachable)

    def obligation(self, obligation: Obligation, around: Around) -> CheckedObligation:
        checked_obligation = super().obligation(obligation, around)
        if isinstance(checked_obligation.verdict, Refuted):
            self._failed.append(obligation)
            # There is only one iteration, and this is the first thing in it that fails, or there are no iterations.
            needed = obligation.claim.variables.union(*(each.condition.variables for each in around))
            self._ended = not around or (len(self._failed) == 1 and needed <= self._fixed)
        elif not isinstance(checked_obligation.verdict, Proved | Unreachable):
            self._certain = False
            self.open = checked_obligation
        return checked_obligation

    @property
    def behavior(self) -> Behavior | None:
        """The program's ending; None if several iterations may end it in different ways."""
        if not self._certain:
            return None
        if not self._failed:
            return Behavior(Ending.RETURNS)
        found = [Behavior.of(each) for each in self._failed]
        return found[0] if len({each.ending for each in found}) == 1 else None


def is_false_for_all(prover: Prover, claims: list[Formula]) -> bool:
    """Return whether some claim is false for all other inputs."""
    return isinstance(prover.verdict_on(negation(conjunction(claims) if claims else FALSE)), Proved)


_MOST_STEPS = 20_000
"""Largest number of events of one run."""

_Numbers = Mapping[Variable, "int | tuple[int, ...]"]


class _NotKnown(Exception):
    """The sizes do not decide what a program does."""


@dataclass(slots=True, eq=False)
class _Part:
    """A region that is run, or the whole program.

    Attributes:
        scope: The region; None for the whole program.
        inside: What happens in it, in program order.
    """

    scope: Scope | None
    inside: list[_Part | Obligation | OverflowAssumption | MayNotReturn] = field(
        default_factory=list["_Part | Obligation | OverflowAssumption | MayNotReturn"]
    )

    @property
    def loop(self) -> Operation | None:
        """The loop of which the region is the body; None if it is of none."""
        return self.scope.enter.of if self.scope is not None and self.scope.enter.repeats else None


class IterationRunner:
    """A program whose iterations are run one by one for given sizes."""

    def __init__(self, interpretation: Interpretation) -> None:
        whole = _Nesting()
        handle_events(interpretation.trace, whole)
        self._whole = whole.parts[0].inside
        self._iterations = interpretation.iterations
        self._loops = Loops(interpretation.trace, interpretation.iterations)

    def behavior(self, sizes: Sizes) -> Behavior | None:
        """Return how the program ends for these sizes of its inputs; None if that is not certain.

        A model has a number for every variable, so that only the inputs' own are taken from it.
        """
        try:
            found = _Run(self._iterations, self._loops).all_of(self._whole, dict(sizes))
        except _NotKnown:
            return None
        return found or Behavior(Ending.RETURNS)


class _Nesting(Handler[None]):
    """Sorts events into the regions around them."""

    def __init__(self) -> None:
        self.parts = [_Part(None)]

    def obligation(self, obligation: Obligation, around: Around) -> None:
        self.parts[-1].inside.append(obligation)

    def overflow_assumption(self, assumption: OverflowAssumption, around: Around) -> None:
        self.parts[-1].inside.append(assumption)

    def may_not_return(self, stop: MayNotReturn, around: Around) -> None:
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

    def all_of(
        self, parts: Sequence[_Part | Obligation | OverflowAssumption | MayNotReturn], known: _Numbers
    ) -> Behavior | None:
        """Return how the run ends among these parts; None if it gets past them."""
        position = 0
        while position < len(parts):
            self._step()
            here = parts[position]
            position += 1
            match here:
                case Obligation():
                    ended = self._demanded(here, known)
                case OverflowAssumption():
                    _require(_holds(here.formula, known))
                    ended = None
                case MayNotReturn():
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

    def _demanded(self, obligation: Obligation, known: _Numbers) -> Behavior | None:
        """Return how the run ends at an obligation, for every position that its operation works on."""
        own = self._loops.of(obligation.op)
        places = [known]
        if own is not None and not obligation.claim.variables.isdisjoint(set(own.numbers) - known.keys()):
            places = list(self._all(own, known))
        for each in places:
            self._step()
            if not _holds(obligation.claim, each):
                return Behavior.of(obligation)
        return None

    def _inside(self, part: _Part, known: _Numbers) -> Behavior | None:
        """Return how the run ends in a region; None if it gets past it, or does not enter it."""
        assert part.scope is not None
        enter, runs = part.scope.enter, part.scope.leave.runs
        if not _holds(part.scope.condition, known):
            return None
        if enter.approximate or runs is None:
            raise _NotKnown
        return self.all_of(part.inside, known) if _holds(runs, known) else None

    def _repeated(self, regions: Sequence[_Part], known: _Numbers) -> Behavior | None:
        """Return how the run ends in a loop, each iteration of which runs these regions.

        If iterations have no order, the run may be undefined if one of them is, and is if the first that ends it is.
        """
        loop = self._loops.of(regions[0].loop)
        if loop is None:
            raise _NotKnown
        in_order = all(each.scope is not None and each.scope.enter.is_sequential for each in regions)
        ends: list[Behavior] = []
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
        """Yield the loop variables' values of all iterations of a loop, in their order."""
        ranges: list[range] = []
        for number in loop.numbers:
            of = self._iterations[number]
            try:
                first, end, step = (evaluate(each, known) for each in (of.first, of.end, of.step))
            except KeyError:
                raise _NotKnown from None
            _require(step > 0 and end - first <= _MOST_STEPS * step)  # the length of a long range is no C integer
            ranges.append(range(first, end, step))
        for chosen in product(*ranges):
            self._step()
            yield {**known, **dict(zip(loop.numbers, chosen, strict=True))}


def _is_of(part: _Part | Obligation | OverflowAssumption | MayNotReturn, loop: Operation | None) -> bool:
    return isinstance(part, _Part) and part.loop is loop


def _holds(formula: Formula, known: _Numbers) -> bool:
    """Return whether a formula holds.

    Raises:
        _NotKnown: It mentions variables without a number.
    """
    try:
        return holds(formula, known)
    except KeyError:
        raise _NotKnown from None


def _require(certain: bool) -> None:
    if not certain:
        raise _NotKnown


_MOST_INPUTS = 4
_LARGEST = 5
_MOST_TRIED = 600


@record
class Difference:
    """Sizes for which the programs end in these ways."""

    sizes: Sizes
    source: Behavior
    target: Behavior


class SmallSizes:
    """Search for a difference among small sizes.

    Args:
        asked: The ways for the source to end that are compared.
    """

    def __init__(
        self, source: Interpretation, target: Interpretation, entries: Sequence[Entry], asked: frozenset[Ending]
    ) -> None:
        self.source = IterationRunner(source)
        self.target = IterationRunner(target)
        self._asked = asked
        self._inputs = source.trace.input_variables
        assumed = (*source.trace.assumptions, *target.trace.assumptions)
        self._assumed = [*(each.formula for each in assumed), *(each.holds for each in entries)]

    @cached_property
    def difference(self) -> Difference | None:
        """The first difference, sizes without one below 2 first and small ones first; None if none is found."""
        for sizes in islice(self._candidates(), _MOST_TRIED):
            ours = self.source.behavior(sizes)
            if ours is None or ours.ending not in self._asked:
                continue
            theirs = self.target.behavior(sizes)
            if theirs is not None and theirs.ending is not ours.ending:
                return Difference(sizes, ours, theirs)
        return None

    def _candidates(self) -> Iterator[dict[Variable, int]]:
        if len(self._inputs) > _MOST_INPUTS or any(isinstance(each, ShapeSymbol) for each in self._inputs):
            return
        choices = product(*map(_small, self._inputs))
        for chosen in sorted(choices, key=lambda each: (min(each, default=2) < 2, sum(map(abs, each)))):
            sizes = dict(zip(self._inputs, chosen, strict=True))
            if all(is_known_to_hold(each, sizes) for each in self._assumed):
                yield sizes


def _small(variable: Variable) -> range:
    low = -1 if variable.lower is None else max(-1, variable.lower)
    high = low + _LARGEST if variable.upper is None else min(variable.upper, max(low, 0) + _LARGEST)
    return range(low, high + 1)


def is_known_to_hold(formula: Formula, sizes: Sizes) -> bool:
    """Return whether a formula holds at sizes that assign all its variables."""
    try:
        return holds(formula, sizes)
    except KeyError:
        return False
