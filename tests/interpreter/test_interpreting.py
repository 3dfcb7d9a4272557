"""Test of the trace visitor: every event once and in order, with its enclosing regions."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from shapesolve.checker.check import trace_of
from shapesolve.ir.program import Operation
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.symbolic.formula_kinds import FALSE, TRUE
from shapesolve.trace.events import (
    Enter,
    Event,
    Fact,
    FoldQuery,
    Leave,
    MayNotReturn,
    Obligation,
    OverflowAssumption,
    Source,
    Trace,
)
from shapesolve.trace.visitor import Around, Handler, Scope, enclosing_regions, handled_events

PROGRAM = """
func.func @f(%n: index, %c: i1, %a: tensor<?xf32>) -> index {
  %0 = scf.if %c -> index {
    %1 = arith.divsi %n, %n : index
    scf.yield %1 : index
  } else {
    %2 = tensor.dim %a, %n : tensor<?xf32>
    scf.yield %2 : index
  }
  return %0 : index
}
"""
PARSED = read_text(PROGRAM)
TRACE = trace_of(PARSED, PARSED.functions["f"], Options())
(OBLIGATION, *_) = TRACE.obligations
OP = OBLIGATION.op


class Noting(Handler[tuple[object, tuple[Scope, ...]]]):
    """Gives back what it is shown."""

    def fact(self, fact: Fact, around: Around) -> tuple[object, tuple[Scope, ...]]:
        return fact, tuple(around)

    def obligation(self, obligation: Obligation, around: Around) -> tuple[object, tuple[Scope, ...]]:
        return obligation, tuple(around)

    def fold_query(self, question: FoldQuery, around: Around) -> tuple[object, tuple[Scope, ...]]:
        return question, tuple(around)

    def overflow_assumption(self, assumption: OverflowAssumption, around: Around) -> tuple[object, tuple[Scope, ...]]:
        return assumption, tuple(around)

    def may_not_return(self, stop: MayNotReturn, around: Around) -> tuple[object, tuple[Scope, ...]]:
        return stop, tuple(around)

    def enter(self, scope: Scope, around: Around) -> tuple[object, tuple[Scope, ...]]:
        return scope.enter, tuple(around)

    def leave(self, scope: Scope, around: Around) -> tuple[object, tuple[Scope, ...]]:
        return scope.leave, tuple(around)


def simple_events() -> st.SearchStrategy[list[Event]]:
    return st.sampled_from(["fact", "obligation", "question", "presumption", "stop"]).map(lambda kind: [_made(kind)])


def _made(kind: str) -> Event:
    match kind:
        case "fact":
            return Fact(TRUE, Source.DEFINITION, "made")
        case "question":
            return FoldQuery(TRUE, OP)
        case "presumption":
            return OverflowAssumption(TRUE, "made")
        case "stop":
            return MayNotReturn(OP, "made")
        case _:
            return replace(OBLIGATION)


def _region(inside: list[Event], approximate: str, is_known: bool) -> list[Event]:
    return [Enter(None, approximate), *inside, Leave(TRUE if is_known else None)]


def regions(inside: st.SearchStrategy[list[Event]]) -> st.SearchStrategy[list[Event]]:
    joined = st.lists(inside, max_size=4).map(lambda parts: [event for part in parts for event in part])
    return st.builds(_region, joined, st.sampled_from(["", "not modeled"]), st.booleans()) | joined


EVENTS = st.recursive(simple_events(), regions, max_leaves=20)


def traced(events: list[Event]) -> Trace:
    return replace(TRACE, events=tuple(events), assumed=0, positions={})


def test_the_events_drawn_are_all_there_are() -> None:
    drawn = {Fact, Obligation, FoldQuery, OverflowAssumption, MayNotReturn, Enter, Leave}
    assert drawn == set(get_args(Event))


@given(EVENTS)
def test_every_event_is_met_once_and_in_order(events: list[Event]) -> None:
    met = [event for event, _ in handled_events(traced(events), Noting())]
    assert len(met) == len(events)
    assert all(one is other for one, other in zip(met, events, strict=True))


@given(EVENTS)
def test_the_regions_around_are_those_that_began_and_have_not_ended(events: list[Event]) -> None:
    for position, (event, around) in enumerate(handled_events(traced(events), Noting())):
        before = events[:position]
        begun = [each for each in before if isinstance(each, Enter)]
        depth = len(begun) - sum(isinstance(each, Leave) for each in before) - isinstance(event, Leave)
        assert len(around) == depth
        for scope in around:
            first = next(number for number, each in enumerate(events) if each is scope.enter)
            last = next(number for number, each in enumerate(events) if each is scope.leave)
            assert first < position < last
            inside = events[first + 1 : last]
            assert sum(isinstance(e, Enter) for e in inside) == sum(isinstance(e, Leave) for e in inside)


@given(EVENTS)
def test_surroundings_are_those_of_the_obligations(events: list[Event]) -> None:
    found = {
        event: around for event, around in handled_events(traced(events), Noting()) if isinstance(event, Obligation)
    }
    asked = enclosing_regions(traced(events))
    assert {each: [scope.enter for scope in around] for each, around in asked.items()} == {
        each: [scope.enter for scope in around] for each, around in found.items()
    }


def test_unhandled_events_make_nothing() -> None:
    assert list(handled_events(TRACE, Handler[None]())) == []


def test_reading_ends_when_the_handler_is_done() -> None:
    class First(Handler[Obligation]):
        met = 0

        @property
        def done(self) -> bool:
            return self.met == 1

        def obligation(self, obligation: Obligation, around: Around) -> Obligation:
            self.met += 1
            return obligation

    assert len(TRACE.obligations) > 1
    assert list(handled_events(TRACE, First())) == [OBLIGATION]


def test_assumptions_are_not_read() -> None:
    program = read_text("func.func @f(%n: index) { return }")
    trace = trace_of(program, program.functions["f"], Options(assumptions=("n >= 3",)))
    assert [str(fact.formula) for fact in trace.assumptions] and trace.assumed == len(trace.assumptions)
    assert list(handled_events(trace, Noting())) == []


def test_operations_are_finished_after_what_they_raise_and_before_what_follows() -> None:
    log: list[object] = []

    class Logging(Handler[None]):
        def obligation(self, obligation: Obligation, around: Around) -> None:
            log.append(obligation)

    def finished(op: Operation) -> None:
        log.append(op)

    list(handled_events(TRACE, Logging(), finished=finished))
    for obligation in TRACE.obligations:
        assert log.index(obligation) < log.index(obligation.op)
    finished_ops = [each for each in log if isinstance(each, Operation)]
    assert {each.name for each in finished_ops} >= {"scf.if", "arith.divsi", "tensor.dim"}
    assert finished_ops.index(OP) < next(n for n, each in enumerate(finished_ops) if each.name == "scf.if")


def test_whether_what_is_known_inside_is_known_afterwards() -> None:
    assert Scope(Enter(None), Leave(TRUE)).is_kept
    assert not Scope(Enter(None), Leave(None)).is_kept
    assert not Scope(Enter(None, "not modeled"), Leave(TRUE)).is_kept
    assert Scope(Enter(Fact(FALSE, Source.BRANCH, "never")), Leave(TRUE)).condition is FALSE
    assert Scope(Enter(None), Leave(TRUE)).condition is TRUE
