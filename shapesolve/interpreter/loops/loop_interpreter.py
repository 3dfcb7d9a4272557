"""Loops: what a body carries from one iteration to the next.

A body that runs a known number of times is walked once for each. Any other is walked for one iteration that stands for
all, on what can be said of the values that every iteration carries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from shapesolve.domain.fresh_variables import Mark, Unknowns, variables_of
from shapesolve.domain.values import Abstract
from shapesolve.domain.widening import Part, Place, made_inside, widen
from shapesolve.interpreter.loops.closed_forms import on_rounds
from shapesolve.interpreter.loops.invariants import Carried, InvariantCandidate, Names
from shapesolve.interpreter.loops.iterations import Iteration, LastRound, RoundAt, exit_facts, generic, invariant, there
from shapesolve.interpreter.loops.trip_counts import (
    at_round,
    has_ranking_function,
    last_values,
    trip_count,
    where_it_goes_on,
)
from shapesolve.interpreter.state import MAX_LOOP_FORMS, MAX_LOOP_GUESSES, MAX_LOOP_TRIALS
from shapesolve.interpreter.undefined_behavior import UbWeakening
from shapesolve.ir.program import Operation, Value
from shapesolve.reasons import Reason
from shapesolve.semantics.regions import (
    MAX_TRIPS,
    AtMostOnce,
    CfgLoop,
    ForLoop,
    IterationSpace,
    Pass,
    UnrolledLoop,
    WhileLoop,
)
from shapesolve.semantics.rule_errors import RuleFailure, call_rule_part
from shapesolve.semantics.rulebook import RuleRegistry
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import ONE, ZERO, Dim
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, less_than, negation
from shapesolve.symbolic.limits import TooLarge
from shapesolve.symbolic.normal_forms import choose
from shapesolve.symbolic.visitors import Instantiation
from shapesolve.trace.events import Approximation, Enter, Event, Fact, Leave, MayNotReturn, Source

Made = TypeVar("Made")

_Start = tuple[int, int, dict[Operation, int], dict[Operation, int], Mark]
"""How much a walk had said at some point."""

_Run = ForLoop | WhileLoop | CfgLoop
Run = TypeVar("Run", bound=_Run)

VARIES = "a value that changes from iteration to iteration is not followed"


class InterpreterState(Protocol):
    """What of a walk the loops in it need."""

    events: list[Event]
    approximations: list[Approximation]
    reached: dict[Operation, int]
    reused: dict[Operation, int]
    unknowns: Unknowns
    rulebook: RuleRegistry
    defence: UbWeakening

    def run_region(self, op: Operation, run: Pass) -> tuple[Abstract, ...] | None: ...

    def approximate(
        self, op: Operation, reason: Reason, free: frozenset[Variable], *, demands_known: bool = False
    ) -> None: ...

    def failed(self, op: Operation, failure: RuleFailure) -> None: ...


class Loops:
    """Runs the bodies of loops; each method gives what the loop yields, None where nobody knows."""

    def __init__(self, walk: InterpreterState) -> None:
        self._walk = walk

    def unrolled(self, op: Operation, run: UnrolledLoop) -> tuple[Abstract, ...] | None:
        """Run a body a known number of times, each time on what it yielded the time before."""
        carried = run.carries
        for leading in run.trips:
            trip = AtMostOnce(region=run.region, arguments=(*leading, *carried), runs=run.runs)
            yielded = self._walk.run_region(op, trip)
            if yielded is None or len(yielded) < len(carried):
                return None
            carried = yielded[len(yielded) - len(carried) :]
        return carried

    def carrying(self, op: Operation, run: ForLoop | WhileLoop) -> tuple[Abstract, ...] | None:
        """Run a body that carries values from one iteration to the next.

        Guess how the carried values change, try, and correct the guess, until an iteration keeps what is guessed. What
        the loop yields is given in the same form, afresh where nobody knows how it varies.
        """
        before = self._walk.unknowns.mark()
        leading = () if isinstance(run, WhileLoop) else run.arguments
        guess = InvariantCandidate(run.carries, run.region.blocks[0].arguments[len(leading) :])
        settled = self._settled(
            op, run, guess, frozenset(each.name for value in leading for each in variables_of(value))
        )
        if settled is None:
            return None
        run, iteration = settled
        made = self._walk.unknowns.made_since(before)
        if not self._keep(op, guess, iteration):
            return None
        self._end(op, run)
        return self._yielded(op, run, guess, iteration, made)

    def turning(self, op: Operation, run: CfgLoop) -> LastRound | None:
        """Go round between blocks, of which the first ends with an operation; None: nobody knows how."""
        guess, mark = InvariantCandidate(run.carries, run.likes), self._mark()
        settled = self._settled(op, run, guess, frozenset())
        if settled is None:
            return None
        run, iteration = settled
        count = run.course.count.constant if run.course is not None and run.course.count.is_constant else MAX_TRIPS + 1
        if run.is_short and 0 < count <= MAX_TRIPS and any(guess.loose):
            self._rewind(mark)
            return self._one_by_one(run, count)
        if not self._keep(op, guess, iteration):
            return None
        self._end(op, run)
        return LastRound(self._at_the_end(op, run, guess) if count else run.carries, run.course is not None)

    def _one_by_one(self, run: CfgLoop, count: int) -> LastRound | None:
        """Go round so many times, each time with what the last one gave; None: nobody knows what that is."""
        values = run.carries
        for _ in range(count):
            given, _ = run.turn(values)
            if given is None:
                return None
            values = given
        return LastRound(values, True)

    def trying(self, follow: Callable[[], Made | None]) -> Made | None:
        """What following something gives; where that is nothing, or too large to be said, nothing of it is kept."""
        mark = self._mark()
        try:
            made = follow()
        except TooLarge:
            made = None
        if made is None:
            self._rewind(mark)
        return made

    def _settled(
        self, op: Operation, run: Run, guess: InvariantCandidate, outside: Names
    ) -> tuple[Run, Iteration] | None:
        """The iteration that keeps what is guessed, where it can be with the course of the loop; None: there is none.

        ``outside`` are names that vary from iteration to iteration, though they were given before.
        """
        before, mark = self._walk.unknowns.mark(), self._mark()

        def inside() -> Names:
            return self._walk.unknowns.made_since(before) | outside

        iteration = self._lasting(op, run, guess, inside)
        if iteration is not None:
            iteration = self._solved(op, run, guess, iteration, mark, inside)
        if iteration is None or isinstance(run, ForLoop) or run.course is not None:
            return None if iteration is None else (run, iteration)
        last = trip_count(iteration.goes_on, iteration.round, self._walk.unknowns.made_since(before))
        if last is None:
            return run, iteration
        count = choose(last.comes, last.at, guess.last_round + 1)
        self._rewind(mark)  # the same iteration again, where it is known how many there are
        round = self._walk.unknowns.every("iteration", (ZERO, count + 1, ONE), 0, guess.last_round, op)
        run = replace(run, course=IterationSpace(round=round, count=count, ends=last.comes))
        return run, self._iteration(op, run, self._carried(op, guess, round, is_exact=True), round)

    def _solved(
        self,
        op: Operation,
        run: _Run,
        guess: InvariantCandidate,
        iteration: Iteration,
        start: _Start,
        inside: Callable[[], Names],
    ) -> Iteration:
        """The iteration on all that can be said of what it carries, once more where that is more than was guessed."""
        for _ in range(MAX_LOOP_FORMS):
            round = on_rounds(iteration.round, self._walk.unknowns.ranges)
            if round is None or iteration.closing is None or not any(guess.loose):
                break
            known = run.condition if isinstance(run, ForLoop) else iteration.goes_on
            names = inside() - {each.name for each in round}
            if not guess.solve(iteration.given, iteration.closing, Instantiation(round), known, names):
                break
            self._rewind(start)
            again = self._round(run, guess)
            carried = self._carried(op, guess, again, is_exact=run.course is not None)
            iteration = self._iteration(op, run, carried, again)
        return iteration

    def _round(self, run: _Run, guess: InvariantCandidate) -> Dim:
        """The number of an iteration that stands for all."""
        if run.course is not None:
            return run.course.round
        return self._walk.unknowns.size("iteration", 0, guess.last_round)

    def _lasting(
        self, op: Operation, run: _Run, guess: InvariantCandidate, inside: Callable[[], Names]
    ) -> Iteration | None:
        """The iteration that keeps what is guessed; the guess is corrected until there is one. None: there is none.

        ``inside`` gives the names that nobody knows outside of one iteration.
        """
        for trial in range(MAX_LOOP_GUESSES + MAX_LOOP_TRIALS + 1):
            mark = self._mark()
            is_last = trial == MAX_LOOP_GUESSES + MAX_LOOP_TRIALS
            if trial == MAX_LOOP_GUESSES:
                guess.be_cautious()
            if is_last:
                guess.let_go()
            round = self._round(run, guess)
            carried = self._carried(op, guess, round, is_exact=run.course is not None)
            iteration = self._iteration(op, run, carried, round)
            if iteration.closing is None:
                if not is_last:
                    guess.let_go()  # nobody knows what the next iteration is given
                    self._rewind(mark)
                    self._iteration(op, run, self._carried(op, guess, ZERO, is_exact=True), ZERO)
                return None
            round_and_inside = inside() | {each.name for each in round.variables}
            if not guess.corrected(iteration.given, iteration.closing, round_and_inside):
                return iteration
            self._rewind(mark)
        return None

    def _keep(self, op: Operation, guess: InvariantCandidate, iteration: Iteration) -> bool:
        """Say what every iteration keeps; whether that is known."""
        if iteration.closing is None:  # the time was over before the iteration was
            return False
        guess.observe(iteration.given, iteration.closing, iteration.goes_on)
        for entered in iteration.entered:
            self._add_inside(op, entered, guess.kept_of(iteration.given))
        return True

    def _yielded(
        self, op: Operation, run: ForLoop | WhileLoop, guess: InvariantCandidate, iteration: Iteration, made: Names
    ) -> tuple[Abstract, ...]:
        """What the loop yields. ``made`` are the names that were given in the iteration."""
        if isinstance(run, ForLoop) or run.passes_on:
            return self._at_the_end(op, run, guess)
        yielded = iteration.yielded
        if run.course is not None:
            last = dict(zip(map(id, iteration.given), self._at_the_end(op, run, guess), strict=True))
            round, count = run.course.round, run.course.count
            last[id(iteration.goes_on)] = FALSE
            yielded = tuple(last[id(each)] if id(each) in last else at_round(each, round, count) for each in yielded)
        else:
            yielded = self._some_time(op, run, guess, iteration, made)
        likes = run.region.blocks[0].operations[-1].operands
        return self._loosened(op, yielded, [made_inside(value, made) for value in yielded], likes)

    def _some_time(
        self, op: Operation, run: WhileLoop, guess: InvariantCandidate, iteration: Iteration, made: Names
    ) -> tuple[Abstract, ...]:
        """What a loop yields that ends nobody knows when. What is known of that is said."""
        closing, count = iteration.closing or (), self._walk.unknowns.size("iterations")
        ended = last_values(iteration.goes_on, guess.initial, iteration.given, closing, iteration.varying)
        carried = self._carried(op, guess, count, is_exact=False)
        self._say(op, carried)
        pairs = list(zip(iteration.given, carried.values, strict=True))
        last = tuple(ended.get(id(now), value) for now, value in pairs)
        if run.runs is TRUE:
            previous = self._carried(op, guess, count - 1, is_exact=False)
            known = exit_facts(iteration, guess, count, last, previous, made)
            self._walk.events.extend(invariant(each, op) for each in known)
        there, of_given = RoundAt(iteration, count, last), dict(zip(map(id, iteration.given), last, strict=True))
        return tuple(of_given[id(each)] if id(each) in of_given else there.value(each) for each in iteration.yielded)

    def _carried(self, op: Operation, guess: InvariantCandidate, rounds: Dim, *, is_exact: bool) -> Carried:
        """What the loop carries after so many iterations; not ``is_exact``: how many these are, nobody knows."""
        carried = guess.after(rounds, self._walk.unknowns)
        if carried.free:
            self._walk.approximate(op, VARIES, carried.free, demands_known=True)
        if (guess.growing or guess.forms) and not is_exact:
            self._walk.approximate(op, "how often a loop runs is not followed", rounds.variables, demands_known=True)
        doubted = self._walk.defence.unknown
        values = (
            doubted(value) if wholly else value for value, wholly in zip(carried.values, carried.wholly, strict=True)
        )
        return replace(carried, values=tuple(values))

    def _add_inside(self, op: Operation, entered: int, kept: Formula) -> None:
        """Say what every iteration keeps in the region that was entered at this position."""
        assert isinstance(self._walk.events[entered], Enter)
        self._walk.events[entered + 1] = invariant(kept, op)

    def _at_the_end(self, op: Operation, run: _Run, guess: InvariantCandidate) -> tuple[Abstract, ...]:
        """What the loop carries when it ends."""
        count = run.course.count if run.course is not None else self._walk.unknowns.size("iterations")
        carried = self._carried(op, guess, count, is_exact=run.course is not None)
        self._say(op, carried)
        return carried.values

    def _say(self, op: Operation, carried: Carried) -> None:
        """Say what holds of what a loop carries."""
        because = f"every iteration of {op.name} keeps it"
        self._walk.events.extend(Fact(each, Source.DEFINITION, because, op.location) for each in carried.facts)
        self._walk.events.append(invariant(carried.kept, op))

    def _iteration(self, op: Operation, run: _Run, carried: Carried, round: Dim) -> Iteration:
        """The iteration that stands for all, on what it carries."""
        if isinstance(run, CfgLoop):
            return self._turn(op, run, carried, round)
        before, entered, count = self._walk.unknowns.mark(), len(self._walk.events), len(carried.values)
        yielded = self._walk.run_region(op, generic(run, carried))
        if isinstance(run, WhileLoop):
            begun = Iteration(round, carried.values, yielded or (), None, TRUE, (entered,))
            return self._going_on(op, run, carried, begun, before)
        closing = yielded[len(yielded) - count :] if yielded is not None and len(yielded) >= count else None
        return Iteration(round, carried.values, yielded or (), closing, TRUE, (entered,))

    def _turn(self, op: Operation, run: CfgLoop, carried: Carried, round: Dim) -> Iteration:
        """A round between blocks that stands for all, on what it carries."""
        entered, condition = len(self._walk.events), there(run.course, carried)
        fact = Fact(condition, Source.BRANCH, "inside the loop", op.location) if condition is not TRUE else None
        self._walk.events += [Enter(fact, repeats=True, of=op, in_order=True), invariant(carried.kept, op)]
        before = self._walk.unknowns.mark()
        closing, goes_on = run.turn(carried.values)
        self._walk.events.append(Leave(TRUE))
        if closing is not None:
            closing = where_it_goes_on(closing, goes_on)
        if run.course is None:
            self._may_go_on(op, goes_on, carried, closing, self._varying(carried, round, before), round)
        return Iteration(round, carried.values, (), closing, goes_on, (entered,))

    def _going_on(self, op: Operation, run: WhileLoop, carried: Carried, begun: Iteration, before: Mark) -> Iteration:
        """The rest of an iteration whose first region has yielded: the second one, where the loop goes on.

        What was named since ``before`` is known inside of the iteration alone.
        """
        rule = self._walk.rulebook.get(op.name)
        assert rule is not None
        try:
            second = call_rule_part(rule, lambda: run.follow(begun.yielded, carried.values)) if begun.yielded else None
        except RuleFailure as failure:
            self._walk.failed(op, failure)
            second = None
        if second is None:
            self._may_go_on(op, TRUE, carried, None, frozenset(), begun.round)
            return begun
        goes_on, entered = second.condition, len(self._walk.events)
        before_last = [less_than(run.course.round, run.course.count)] if run.course is not None else []
        where = conjunction((goes_on, *before_last, *carried.facts))
        second = replace(second, condition=where, kept=carried.kept, in_order=True)
        closing = self._walk.run_region(op, second)
        if closing is not None and len(closing) >= len(carried.values):
            closing = where_it_goes_on(closing[len(closing) - len(carried.values) :], goes_on)
        else:
            closing = None
        varying = self._varying(carried, begun.round, before)
        if run.course is None:
            self._may_go_on(op, goes_on, carried, closing, varying, begun.round)
        if closing is None:
            return begun
        return replace(begun, closing=closing, goes_on=goes_on, entered=(*begun.entered, entered), varying=varying)

    def _varying(self, carried: Carried, round: Dim, before: Mark) -> Names:
        """The names of what may be another number in every iteration."""
        return self._walk.unknowns.made_since(before) | {each.name for each in (*carried.free, *round.variables)}

    def _may_go_on(
        self,
        op: Operation,
        condition: Formula,
        carried: Carried,
        closing: Sequence[Abstract] | None,
        varying: Names,
        round: Dim,
    ) -> None:
        """Say that a loop which goes on while something holds may never end, where it goes on at all."""
        if closing is not None and has_ranking_function(condition, carried.values, closing, varying, round):
            return
        self._walk.events.append(Enter(Fact(condition, Source.BRANCH, "the loop goes on", op.location)))
        self._walk.events.append(MayNotReturn(op, "the loop may never end"))
        self._walk.events.append(Leave(condition))

    def _end(self, op: Operation, run: _Run) -> None:
        """Say when a loop never ends of which it is known, and that it has ended behind it."""
        if run.course is None or run.course.ends is TRUE:
            return
        never = Fact(negation(run.course.ends), Source.BRANCH, "the loop never ends", op.location)
        self._walk.events += [Enter(never), MayNotReturn(op, "the loop never ends", is_sure=True), Leave(None)]
        self._walk.events.append(Fact(run.course.ends, Source.BRANCH, "the loop ends", op.location))

    def _loosened(
        self, op: Operation, values: Sequence[Abstract], loose: Sequence[set[Place]], likes: Sequence[Value]
    ) -> tuple[Abstract, ...]:
        widened: list[Abstract] = []
        for value, places, like in zip(values, loose, likes, strict=True):
            kept, free = widen(value, places, like, self._walk.unknowns)
            if free:
                self._walk.approximate(op, VARIES, free, demands_known=True)
            widened.append(self._walk.defence.unknown(kept) if Part.WHOLE in places else kept)
        return tuple(widened)

    def _mark(self) -> _Start:
        return (
            len(self._walk.events),
            len(self._walk.approximations),
            dict(self._walk.reached),
            dict(self._walk.reused),
            self._walk.unknowns.mark(),
        )

    def _rewind(self, mark: _Start) -> None:
        events, approximations, self._walk.reached, self._walk.reused, unknowns = mark
        del self._walk.events[events:]
        del self._walk.approximations[approximations:]
        self._walk.unknowns.rewind(unknowns)
