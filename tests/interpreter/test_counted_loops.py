"""Differential test of exit facts of while loops against a plain interpreter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import ge, gt, le, lt, ne

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.claims_at_sizes import trace_of
from support.examples import examples

from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import evaluate, holds
from shapesolve.trace.events import Enter, MayNotReturn, Obligation, Trace

COMPARED: dict[str, Callable[[int, int], bool]] = {"slt": lt, "sle": le, "sgt": gt, "sge": ge, "ne": ne}
MOST = 600
"""Rounds after which a loop of 8-bit numbers has been everywhere."""


@dataclass(frozen=True)
class Loop:
    """Counts an integer of some bits by ``step`` while it, times ``factor``, compares with n; j grows beside it."""

    width: int
    first: int
    step: int
    factor: int
    predicate: str
    twisted: bool
    early: bool

    @property
    def text(self) -> str:
        left, right = ("%n", "%x") if self.twisted else ("%x", "%n")
        t = f"i{self.width}"
        return f"""
        func.func @f(%n: {t}) -> ({t}, index) {{
          %first = arith.constant {self.first} : {t}
          %step = arith.constant {self.step} : {t}
          %factor = arith.constant {self.factor} : {t}
          %c0 = arith.constant 0 : index
          %c3 = arith.constant 3 : index
          %r:2 = scf.while (%i = %first, %j = %c0) : ({t}, index) -> ({t}, index) {{
            %x = arith.muli %i, %factor : {t}
            %next = arith.addi %i, %step : {t}
            %more = arith.cmpi {self.predicate}, {left}, {right} : {t}
            scf.condition(%more) {"%next" if self.early else "%i"}, %j : {t}, index
          }} do {{
          ^bb0(%i: {t}, %j: index):
            %next = arith.addi %i, %step : {t}
            %more = arith.addi %j, %c3 : index
            scf.yield {"%i" if self.early else "%next"}, %more : {t}, index
          }}
          return %r#0, %r#1 : {t}, index
        }}"""

    def run(self, n: int) -> tuple[int, int] | None:
        """Return the loop's final values, or None if it does not end."""
        i, j = self.first, 0
        for _ in range(MOST):
            x, following = self._wrapped(i * self.factor), self._wrapped(i + self.step)
            a, b = (n, x) if self.twisted else (x, n)
            if not COMPARED[self.predicate](a, b):
                return (following if self.early else i), j
            i, j = following, j + 3
        return None

    def _wrapped(self, number: int) -> int:
        half = 2 ** (self.width - 1)
        return (number + half) % (2 * half) - half


def loops() -> st.SearchStrategy[Loop]:
    few = st.integers(-3, 3)
    predicates = st.sampled_from(sorted(COMPARED))
    return st.builds(Loop, st.sampled_from([8, 64]), few, few, few, predicates, st.booleans(), st.booleans())


def ends(trace: Trace, n: int) -> list[int] | None:
    """Return the final values by the trace, or None if they are not known as numbers."""
    known = dict.fromkeys(trace.input_variables, n)
    assert trace.results is not None
    numbers = [each for each in trace.results if isinstance(each, Dim) and each.variables <= known.keys()]
    return [evaluate(each, known) for each in numbers] if len(numbers) == len(trace.results) else None


def is_counted(trace: Trace) -> bool:
    return not any(isinstance(each, MayNotReturn) for each in trace.events)


@examples(100)
@given(loops())
def test_a_counted_loop_has_its_trip_count(loop: Loop) -> None:
    trace = trace_of(loop.text)
    if not is_counted(trace):
        return
    for n in (*range(-6, 7), 100, 125, 126, 127, -126, -127, -128):
        really = loop.run(n)
        assert really is not None, f"it does not end for {n}"
        said = ends(trace, n)
        assert said is None or said == list(really), n


@pytest.mark.parametrize("width", [8, 32, 64])
@pytest.mark.parametrize(("predicate", "twisted"), [("slt", False), ("sgt", True)])
def test_a_counter_below_a_bound_counts(width: int, predicate: str, twisted: bool) -> None:
    trace = trace_of(Loop(width, 0, 1, 1, predicate, twisted, early=False).text)
    assert is_counted(trace)
    assert not trace.approximations
    assert [ends(trace, n) for n in (-1, 0, 5)] == [[0, 0], [0, 0], [5, 15]]


def test_a_counter_may_fall_and_be_computed_before_it_is_compared() -> None:
    trace = trace_of(Loop(64, 3, -2, 3, "sgt", twisted=False, early=True).text)
    assert is_counted(trace)
    assert [ends(trace, n) for n in (8, 9, -4)] == [[-1, 3], [1, 0], [-5, 9]]


def test_a_counter_that_wraps_before_its_bound_has_no_trip_count() -> None:
    trace = trace_of(Loop(8, 0, 2, 1, "slt", twisted=False, early=False).text)  # 126 + 2 is -128
    assert not is_counted(trace)


def test_both_regions_are_walked_for_each_round_that_there_is() -> None:
    text = Loop(64, 0, 1, 1, "slt", twisted=False, early=False).text.replace(
        "scf.condition", '%inside = arith.cmpi sle, %i, %n : i64\ncf.assert %inside, ""\nscf.condition'
    )
    trace = trace_of(text)
    enter = next(each for each in trace.events if isinstance(each, Enter))
    claim = next(each.claim for each in trace.events if isinstance(each, Obligation))
    assert enter.condition is not None
    (n,) = trace.input_variables
    (round,) = claim.variables - {n}
    for count in range(-2, 5):
        rounds = [k for k in range(8) if holds(enter.condition.formula, {n: count, round: k})]
        assert rounds == list(range(max(0, count) + 1))
