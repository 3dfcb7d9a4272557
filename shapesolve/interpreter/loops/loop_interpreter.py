"""Interpretation of loops and their loop-carried values.

A body that runs a known number of times is interpreted once for each. Any other is interpreted for a generic iteration,
under an invariant of the carried values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from shapesolve.domain.fresh_variables import Mark, variables_of
from shapesolve.domain.values import Abstract, Unmodeled
from shapesolve.domain.widening import Part, Place, places_depending_on, widen
from shapesolve.interpreter.loops.changes import inner_invariants
from shapesolve.interpreter.loops.closed_forms import iteration_variable
from shapesolve.interpreter.loops.invariants import CarriedValues, InvariantCandidate, Names
from shapesolve.interpreter.loops.iteration_shapes import is_known_outside, keep_shapes, shape_claim, split_yields
from shapesolve.interpreter.loops.iterations import (
    Iteration,
    IterationInstance,
    LastIteration,
    exit_facts,
    generic,
    generic_iteration_condition,
    invariant,
)
from shapesolve.interpreter.loops.trip_counts import (
    at_last_iteration,
    has_ranking_function,
    last_values,
    trip_count,
    without_wraparound,
)
from shapesolve.interpreter.state import MAX_LOOP_FORMS, MAX_LOOP_GUESSES, MAX_LOOP_TRIALS, InterpreterState
from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.regions import (
    MAX_TRIPS,
    AtMostOnce,
    CfgLoop,
    ForLoop,
    IterationSpace,
    UnrolledLoop,
    WhileLoop,
)
from shapesolve.semantics.rule_errors import RuleFailure, call_rule_part
from shapesolve.symbolic.dims import ONE, ZERO, Dim
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, less_than, negation
from shapesolve.symbolic.limits import TooLarge
from shapesolve.symbolic.normal_forms import choose
from shapesolve.symbolic.visitors import Instantiation
from shapesolve.trace.events import Enter, Fact, IterationNumber, Leave, MayNotReturn, Source

Made = TypeVar("Made")

_Checkpoint = tuple[int, int, dict[Operation, int], dict[Operation, int], Mark]
"""Lengths of the events and approximations, visits of operations, and names of variables at some point."""

_Run = ForLoop | WhileLoop | CfgLoop
Run = TypeVar("Run", bound=_Run)

VARIES = "a value that changes from iteration to iteration is not followed"


class LoopInterpreter:
    """Interpreter of loop bodies. Each method returns the results of the loop, or None if they are unknown."""

    def __init__(self, state: InterpreterState) -> None:
        self._state = state

    def interpret_unrolled(self, op: Operation, run: UnrolledLoop) -> tuple[Abstract, ...] | None:
        """Run a body a known number of times, each time on what it yielded the time before."""
        carried = run.carries
        first: tuple[Abstract, ...] | None = None
        for number, leading in enumerate(run.trips, 1):
            iteration = IterationNumber(op, number, len(run.trips))
            arguments = (*leading, *carried, *run.elements)
            trip = AtMostOnce(region=run.region, arguments=arguments, runs=run.runs, iteration=iteration)
            yielded = self._state.run_region(op, trip)
            parts = None if yielded is None else split_yields(run, yielded)
            if parts is None:
                return None
            closing, collected = parts
            first = collected if first is None else first
            self._require_shapes(op, run, (carried, closing), (first, collected))
            carried = keep_shapes(run, carried, closing)
        return (*carried, *(first or ()))

    def interpret_carrying(self, op: Operation, run: ForLoop | WhileLoop) -> tuple[Abstract, ...] | None:
        """Interpret a loop that carries values from one iteration to the next.

        An invariant candidate is tried and corrected until an iteration keeps it. The results have the same form, with
        fresh variables where it is unknown how they vary.
        """
        before = self._state.unknowns.mark()
        leading = () if isinstance(run, WhileLoop) else run.arguments
        likes = run.region.blocks[0].arguments[len(leading) : len(leading) + len(run.carries)]
        candidate = InvariantCandidate(run.carries, likes)
        outside = frozenset(each.name for value in leading for each in variables_of(value))
        settled = self._find_iteration(op, run, candidate, outside)
        if settled is None:
            return None
        run, iteration = settled
        made = self._state.unknowns.names_since(before)
        if not self._record_invariant(op, run, candidate, iteration, made | outside):
            return None
        collected = self._collect(op, run, iteration, made | outside) if isinstance(run, ForLoop) else ()
        self._add_loop_end(op, run)
        return (*self._loop_results(op, run, candidate, iteration, made), *collected)

    def _collect(self, op: Operation, run: ForLoop, iteration: Iteration, inside: Names) -> tuple[Abstract, ...]:
        """Require that values have the same shape in each iteration; return those that the first one yields."""
        parts = split_yields(run, iteration.yielded)
        if run.shapes is None or parts is None:
            return ()
        closing, collected = parts
        first = tuple(map(IterationInstance(iteration, ZERO, run.carries).value, collected))
        first = tuple(each if is_known_outside(each, inside) else Unmodeled(VARIES) for each in first)
        leave = self._state.events.pop()  # what is required belongs to the iteration
        self._require_shapes(op, run, (iteration.initial, closing), (first, collected))
        self._state.events.append(leave)
        return first

    def _require_shapes(
        self,
        op: Operation,
        run: ForLoop | UnrolledLoop,
        carried: tuple[Sequence[Abstract], Sequence[Abstract]],
        collected: tuple[Sequence[Abstract], Sequence[Abstract]],
    ) -> None:
        """Require that the values yielded in an iteration have the shapes of those that they are paired with."""
        if run.shapes is None:
            return
        for before, now in [
            *(zip(*carried, strict=True) if run.shapes.keeps_carried else ()),
            *zip(*collected, strict=True),
        ]:
            claim = shape_claim(run, before, now)
            if claim is None:
                reason = f"whether each iteration of {op.name} yields the same shape is not followed"
                self._state.add_unknown_requirement(op, reason, run.shapes.clause)
            else:
                self._state.add_obligation(op, claim)

    def interpret_cfg_loop(self, op: Operation, run: CfgLoop) -> LastIteration | None:
        """Interpret a loop between blocks; return its last iteration, or None if unknown.

        ``op`` is the terminator of the header.
        """
        candidate, mark = InvariantCandidate(run.carries, run.likes), self._checkpoint()
        before = self._state.unknowns.mark()
        settled = self._find_iteration(op, run, candidate, frozenset())
        if settled is None:
            return None
        run, iteration = settled
        count = (
            run.iteration_space.count.constant
            if run.iteration_space is not None and run.iteration_space.count.is_constant
            else MAX_TRIPS + 1
        )
        if run.is_short and 0 < count <= MAX_TRIPS and any(candidate.loose):
            self._roll_back(mark)
            return self._interpret_each_iteration(run, count)
        if not self._record_invariant(op, run, candidate, iteration, self._state.unknowns.names_since(before)):
            return None
        self._add_loop_end(op, run)
        return LastIteration(
            self._exit_values(op, run, candidate) if count else run.carries, run.iteration_space is not None
        )

    def _interpret_each_iteration(self, run: CfgLoop, count: int) -> LastIteration | None:
        """Interpret a known number of iterations, each on what the last one gave; None if that is unknown."""
        values = run.carries
        for _ in range(count):
            given, _ = run.turn(values)
            if given is None:
                return None
            values = given
        return LastIteration(values, True)

    def attempt(self, follow: Callable[[], Made | None]) -> Made | None:
        """Return the result of an attempt; roll back its effects if it is None or too large."""
        mark = self._checkpoint()
        try:
            made = follow()
        except TooLarge:
            made = None
        if made is None:
            self._roll_back(mark)
        return made

    def _find_iteration(
        self, op: Operation, run: Run, candidate: InvariantCandidate, outside: Names
    ) -> tuple[Run, Iteration] | None:
        """Return the run, with its iteration space if found, and the iteration that keeps the candidate; or None.

        ``outside`` are names that vary from iteration to iteration, though they were given before.
        """
        before, mark = self._state.unknowns.mark(), self._checkpoint()

        def inside() -> Names:
            return self._state.unknowns.names_since(before) | outside

        iteration = self._find_invariant(op, run, candidate, inside)
        if iteration is not None:
            iteration = self._refine_with_closed_forms(op, run, candidate, iteration, mark, inside)
        if iteration is None or isinstance(run, ForLoop) or run.iteration_space is not None:
            return None if iteration is None else (run, iteration)
        last = trip_count(iteration.goes_on, iteration.round, self._state.unknowns.names_since(before))
        if last is None:
            return run, iteration
        count = choose(last.exists, last.at, candidate.max_iteration + 1)
        self._roll_back(mark)  # the same iteration again, where it is known how many there are
        round = self._state.unknowns.any_of_range("iteration", (ZERO, count + 1, ONE), 0, candidate.max_iteration, op)
        run = replace(run, iteration_space=IterationSpace(round=round, count=count, ends=last.exists))
        return run, self._iteration(op, run, self._carried(op, candidate, round, is_exact=True), round)

    def _refine_with_closed_forms(
        self,
        op: Operation,
        run: _Run,
        candidate: InvariantCandidate,
        iteration: Iteration,
        start: _Checkpoint,
        inside: Callable[[], Names],
    ) -> Iteration:
        """Return the iteration, interpreted again on closed forms of what it carries as long as more are found."""
        for _ in range(MAX_LOOP_FORMS):
            round = iteration_variable(iteration.round, self._state.unknowns.ranges)
            if round is None or iteration.closing is None or not any(candidate.loose):
                break
            known = run.condition if isinstance(run, ForLoop) else iteration.goes_on
            names = inside() - {each.name for each in round}
            if not candidate.solve(iteration.initial, iteration.closing, Instantiation(round), known, names):
                break
            self._roll_back(start)
            again = self._generic_iteration_number(run, candidate)
            carried = self._carried(op, candidate, again, is_exact=run.iteration_space is not None)
            iteration = self._iteration(op, run, carried, again)
        return iteration

    def _generic_iteration_number(self, run: _Run, candidate: InvariantCandidate) -> Dim:
        """Return the number of the generic iteration."""
        if run.iteration_space is not None:
            return run.iteration_space.round
        return self._state.unknowns.size("iteration", 0, candidate.max_iteration)

    def _find_invariant(
        self, op: Operation, run: _Run, candidate: InvariantCandidate, inside: Callable[[], Names]
    ) -> Iteration | None:
        """Return an iteration that keeps the candidate, which is corrected until there is one; or None.

        ``inside`` gives the names that mean nothing outside of one iteration.
        """
        for trial in range(MAX_LOOP_GUESSES + MAX_LOOP_TRIALS + 1):
            mark = self._checkpoint()
            is_last = trial == MAX_LOOP_GUESSES + MAX_LOOP_TRIALS
            if trial == MAX_LOOP_GUESSES:
                candidate.keep_only_unchanged()
            if is_last:
                candidate.drop_all()
            round = self._generic_iteration_number(run, candidate)
            carried = self._carried(op, candidate, round, is_exact=run.iteration_space is not None)
            iteration = self._iteration(op, run, carried, round)
            if iteration.closing is None:
                if not is_last:
                    candidate.drop_all()  # the arguments of the next iteration are unknown
                    self._roll_back(mark)
                    self._iteration(op, run, self._carried(op, candidate, ZERO, is_exact=True), ZERO)
                return None
            round_and_inside = inside() | {each.name for each in round.variables}
            if not candidate.correct(iteration.initial, iteration.closing, round_and_inside):
                return iteration
            self._roll_back(mark)
        return None

    def _record_invariant(
        self, op: Operation, run: _Run, candidate: InvariantCandidate, iteration: Iteration, inside: Names
    ) -> bool:
        """Record the invariant at the beginning of the regions; return whether it is known.

        ``inside`` are the names that mean nothing outside of one iteration.
        """
        if iteration.closing is None:  # the time was over before the iteration was
            return False
        known = inner_invariants(self._state.events, iteration.entered)
        varying = inside | {each.name for each in iteration.round.variables}
        candidate.observe(iteration.initial, iteration.closing, iteration.goes_on, known, varying)
        rounds = iteration.round if run.iteration_space is not None else None
        for entered in iteration.entered:
            self._add_inside(op, entered, candidate.invariant_of(iteration.initial, rounds))
        return True

    def _loop_results(
        self, op: Operation, run: ForLoop | WhileLoop, candidate: InvariantCandidate, iteration: Iteration, made: Names
    ) -> tuple[Abstract, ...]:
        """Return what the loop yields. ``made`` are the names that were given in the iteration."""
        if isinstance(run, ForLoop) or run.passes_on:
            return self._exit_values(op, run, candidate)
        yielded = iteration.yielded
        if run.iteration_space is not None:
            last = dict(zip(map(id, iteration.initial), self._exit_values(op, run, candidate), strict=True))
            round, count = run.iteration_space.round, run.iteration_space.count
            last[id(iteration.goes_on)] = FALSE
            yielded = tuple(
                last[id(each)] if id(each) in last else at_last_iteration(each, round, count) for each in yielded
            )
        else:
            yielded = self._results_after_unknown_count(op, run, candidate, iteration, made)
        likes = run.region.blocks[0].operations[-1].operands
        return self._widened(op, yielded, [places_depending_on(value, made) for value in yielded], likes)

    def _results_after_unknown_count(
        self, op: Operation, run: WhileLoop, candidate: InvariantCandidate, iteration: Iteration, made: Names
    ) -> tuple[Abstract, ...]:
        """Return what a loop with unknown trip count yields, and record its exit facts."""
        closing, count = iteration.closing or (), self._state.unknowns.size("iterations")
        ended = last_values(iteration.goes_on, candidate.initial, iteration.initial, closing, iteration.varying)
        carried = self._carried(op, candidate, count, is_exact=False)
        self._add_exit_facts(op, carried)
        pairs = list(zip(iteration.initial, carried.values, strict=True))
        last = tuple(ended.get(id(now), value) for now, value in pairs)
        if run.runs is TRUE:
            previous = self._carried(op, candidate, count - 1, is_exact=False)
            known = exit_facts(iteration, candidate, count, last, previous, made)
            self._state.events.extend(invariant(each, op) for each in known)
        there, of_given = (
            IterationInstance(iteration, count, last),
            dict(zip(map(id, iteration.initial), last, strict=True)),
        )
        return tuple(of_given[id(each)] if id(each) in of_given else there.value(each) for each in iteration.yielded)

    def _carried(self, op: Operation, candidate: InvariantCandidate, rounds: Dim, *, is_exact: bool) -> CarriedValues:
        """Return the carried values after a number of iterations; ``is_exact`` is False if that number is unknown."""
        carried = candidate.values_after(rounds, self._state.unknowns, is_exact=is_exact)
        if carried.free:
            self._state.approximate(op, VARIES, carried.free, demands_known=True)
        if (candidate.growing or candidate.forms) and not is_exact:
            self._state.approximate(op, "how often a loop runs is not followed", rounds.variables, demands_known=True)
        weaken = self._state.ub_weakening.unknown
        values = (
            weaken(value) if wholly else value for value, wholly in zip(carried.values, carried.wholly, strict=True)
        )
        return replace(carried, values=tuple(values))

    def _add_inside(self, op: Operation, entered: int, kept: Formula) -> None:
        """Record the invariant in the region that was entered at this position."""
        assert isinstance(self._state.events[entered], Enter)
        self._state.events[entered + 1] = invariant(kept, op)

    def _exit_values(self, op: Operation, run: _Run, candidate: InvariantCandidate) -> tuple[Abstract, ...]:
        """Return what the loop carries when it ends, and record the facts about it."""
        count = (
            run.iteration_space.count if run.iteration_space is not None else self._state.unknowns.size("iterations")
        )
        carried = self._carried(op, candidate, count, is_exact=run.iteration_space is not None)
        self._add_exit_facts(op, carried)
        return carried.values

    def _add_exit_facts(self, op: Operation, carried: CarriedValues) -> None:
        """Record what holds of carried values."""
        because = f"every iteration of {op.name} keeps it"
        self._state.events.extend(Fact(each, Source.DEFINITION, because, op.location) for each in carried.facts)
        self._state.events.append(invariant(carried.kept, op))

    def _iteration(self, op: Operation, run: _Run, carried: CarriedValues, round: Dim) -> Iteration:
        """Interpret the generic iteration on carried values."""
        if isinstance(run, CfgLoop):
            return self._interpret_cfg_iteration(op, run, carried, round)
        before, entered = self._state.unknowns.mark(), len(self._state.events)
        yielded = self._state.run_region(op, generic(run, carried))
        if isinstance(run, WhileLoop):
            begun = Iteration(round, carried.values, yielded or (), None, TRUE, (entered,))
            return self._interpret_second_region(op, run, carried, begun, before)
        parts = None if yielded is None else split_yields(run, yielded)
        closing = None if parts is None else keep_shapes(run, carried.values, parts[0])
        return Iteration(round, carried.values, yielded or (), closing, TRUE, (entered,))

    def _interpret_cfg_iteration(self, op: Operation, run: CfgLoop, carried: CarriedValues, round: Dim) -> Iteration:
        """Interpret the generic iteration of a loop between blocks on carried values."""
        entered, condition = len(self._state.events), generic_iteration_condition(run.iteration_space, carried)
        fact = Fact(condition, Source.BRANCH, "inside the loop", op.location) if condition is not TRUE else None
        self._state.events += [Enter(fact, repeats=True, of=op, is_sequential=True), invariant(carried.kept, op)]
        before = self._state.unknowns.mark()
        closing, goes_on = run.turn(carried.values)
        self._state.events.append(Leave(TRUE))
        if closing is not None:
            closing = without_wraparound(closing, goes_on)
        if run.iteration_space is None:
            self._add_may_not_end(op, goes_on, carried, closing, self._varying(carried, round, before), round)
        return Iteration(round, carried.values, (), closing, goes_on, (entered,))

    def _interpret_second_region(
        self, op: Operation, run: WhileLoop, carried: CarriedValues, begun: Iteration, before: Mark
    ) -> Iteration:
        """Interpret the second region of an iteration, which runs where the loop goes on.

        The names given since ``before`` are known inside of the iteration alone.
        """
        rule = self._state.registry.get(op.name)
        assert rule is not None
        try:
            second = call_rule_part(rule, lambda: run.follow(begun.yielded, carried.values)) if begun.yielded else None
        except RuleFailure as failure:
            self._state.add_rule_failure(op, failure)
            second = None
        if second is None:
            self._add_may_not_end(op, TRUE, carried, None, frozenset(), begun.round)
            return begun
        goes_on, entered = second.condition, len(self._state.events)
        before_last = (
            [less_than(run.iteration_space.round, run.iteration_space.count)] if run.iteration_space is not None else []
        )
        where = conjunction((goes_on, *before_last, *carried.facts))
        second = replace(second, condition=where, kept=carried.kept, in_order=True)
        closing = self._state.run_region(op, second)
        if closing is not None and len(closing) >= len(carried.values):
            closing = without_wraparound(closing[len(closing) - len(carried.values) :], goes_on)
        else:
            closing = None
        varying = self._varying(carried, begun.round, before)
        if run.iteration_space is None:
            self._add_may_not_end(op, goes_on, carried, closing, varying, begun.round)
        if closing is None:
            return begun
        return replace(begun, closing=closing, goes_on=goes_on, entered=(*begun.entered, entered), varying=varying)

    def _varying(self, carried: CarriedValues, round: Dim, before: Mark) -> Names:
        """Return the names of variables that may differ from iteration to iteration."""
        return self._state.unknowns.names_since(before) | {each.name for each in (*carried.free, *round.variables)}

    def _add_may_not_end(
        self,
        op: Operation,
        condition: Formula,
        carried: CarriedValues,
        closing: Sequence[Abstract] | None,
        varying: Names,
        round: Dim,
    ) -> None:
        """Record that a loop with this continue condition may never end, unless it has a ranking function."""
        if closing is not None and has_ranking_function(condition, carried.values, closing, varying, round):
            return
        self._state.events.append(Enter(Fact(condition, Source.BRANCH, "the loop goes on", op.location)))
        self._state.events.append(MayNotReturn(op, "the loop may never end"))
        self._state.events.append(Leave(condition))

    def _add_loop_end(self, op: Operation, run: _Run) -> None:
        """Record where a loop is known never to end, and that it has ended behind it."""
        if run.iteration_space is None or run.iteration_space.ends is TRUE:
            return
        never = Fact(negation(run.iteration_space.ends), Source.BRANCH, "the loop never ends", op.location)
        self._state.events += [Enter(never), MayNotReturn(op, "the loop never ends", is_sure=True), Leave(None)]
        self._state.events.append(Fact(run.iteration_space.ends, Source.BRANCH, "the loop ends", op.location))

    def _widened(
        self, op: Operation, values: Sequence[Abstract], loose: Sequence[set[Place]], likes: Sequence[Value]
    ) -> tuple[Abstract, ...]:
        widened: list[Abstract] = []
        for value, places, like in zip(values, loose, likes, strict=True):
            kept, free = widen(value, places, like, self._state.unknowns)
            if free:
                self._state.approximate(op, VARIES, free, demands_known=True)
            widened.append(self._state.ub_weakening.unknown(kept) if Part.WHOLE in places else kept)
        return tuple(widened)

    def _checkpoint(self) -> _Checkpoint:
        return (
            len(self._state.events),
            len(self._state.approximations),
            dict(self._state.reached),
            dict(self._state.reused),
            self._state.unknowns.mark(),
        )

    def _roll_back(self, mark: _Checkpoint) -> None:
        events, approximations, self._state.reached, self._state.reused, unknowns = mark
        del self._state.events[events:]
        del self._state.approximations[approximations:]
        self._state.unknowns.roll_back(unknowns)
