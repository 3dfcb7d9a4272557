"""Property tests: earlier proofs, and facts that wait, change no verdict."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from shapesolve.solver.known_proofs import KnownProofs
from shapesolve.solver.prover import Prover
from shapesolve.solver.verdicts import Detail, Proved, Unreachable, Verdict
from shapesolve.solver.z3.adapter import Z3Solver
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dim, dims
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least, compatible, disjunction, equal, implies, unequal
from shapesolve.trace.events import Fact, OverflowAssumption, Source

A, B, C = dims("A B C")
SYMBOLS: list[Variable] = sorted(A.variables | B.variables | C.variables, key=lambda each: each.text)
TABLE = [dict(zip(SYMBOLS, numbers, strict=True)) for numbers in product(range(6), repeat=3)]

leaves = st.one_of(st.sampled_from([A, B, C]), st.integers(0, 3).map(dim))
sizes: st.SearchStrategy[Dim] = st.one_of(
    leaves,
    st.tuples(leaves, leaves).map(lambda two: two[0] + two[1]),
    st.tuples(leaves, leaves).map(lambda two: two[0] * two[1]),
    st.tuples(leaves, st.integers(2, 3)).map(lambda two: two[0] // two[1]),
)
simple = st.one_of(
    st.tuples(sizes, sizes).map(lambda two: equal(*two)),
    st.tuples(sizes, sizes).map(lambda two: at_least(*two)),
    st.tuples(sizes, sizes).map(lambda two: unequal(*two)),
    st.lists(sizes, min_size=2, max_size=2).map(compatible),
)
formulas = st.one_of(simple, st.lists(simple, min_size=2, max_size=2).map(disjunction))
Step = tuple[str, Formula]
steps = st.lists(
    st.tuples(st.sampled_from(["fact", "fact", "ask", "ask", "ask", "enter", "leave", "overflow"]), formulas),
    max_size=14,
)


@cache
def solver() -> Z3Solver:
    return Z3Solver()


def _fact(formula: Formula) -> Fact:
    return Fact(formula, Source.CHECK, "stated")


class _Run:
    """The verdicts of a sequence of steps; with each, the formulas that hold where it was asked."""

    def __init__(self, program: Sequence[Step], known: KnownProofs | None) -> None:
        self.prover = Prover(solver(), inputs=SYMBOLS, known=known)
        self.verdicts: list[tuple[Formula, Verdict, list[Formula]]] = []
        active: list[Formula] = []
        opened: list[tuple[int, Formula]] = []
        for kind, formula in program:
            if kind == "fact":
                self.prover.assume(_fact(formula))
                active.append(formula)
            elif kind == "ask":
                verdict = self.prover.verdict_on(formula, detail=Detail.PROOF)
                self.verdicts.append((formula, verdict, list(active)))
            elif kind == "overflow":
                self.prover.assume_no_overflow(OverflowAssumption(formula, "wraps"))
            elif kind == "enter":
                opened.append((len(active), formula))
                self.prover.enter(_fact(formula))
                active.append(formula)
            elif opened:
                first, condition = opened.pop()
                inside = active[first + 1 :]
                del active[first:]
                active += [implies(condition, each) for each in inside]
                self.prover.leave(condition)


def _kinds(run: _Run) -> list[type[Verdict]]:
    return [type(verdict) for _, verdict, _ in run.verdicts]


@pytest.mark.exhaustive
@examples(300)
@given(steps, st.sets(st.integers(0, 13)))
def test_earlier_proofs_change_no_verdict(program: list[Step], dropped: set[int]) -> None:
    known = KnownProofs()
    first = _Run(program, None)
    waiting = _Run(program, known)
    assert _kinds(waiting) == _kinds(first)
    known.learn(waiting.prover.proved)
    assert _kinds(_Run(program, known)) == _kinds(first)
    less = [each for number, each in enumerate(program) if number not in dropped or each[0] not in ("fact", "overflow")]
    again, anew = _Run(less, known), _Run(less, None)
    for (claim, verdict, active), other in zip(again.verdicts, _kinds(anew), strict=True):
        if isinstance(verdict, Proved):
            assert other is Proved
            assert all(holds(claim, each) for each in TABLE if all(holds(fact, each) for fact in active))
            assert {fact.formula for fact in verdict.facts} <= {*active}
        else:
            assert isinstance(verdict, other)


def _rerun(program: Sequence[Step], before: Sequence[Step]) -> _Run:
    known = KnownProofs()
    known.learn(_Run(before, known).prover.proved)
    return _Run(program, known)


PROOF: list[Step] = [("fact", equal(A, B + 1)), ("fact", at_least(B, 2)), ("ask", at_least(A, 3))]


def test_a_known_proof_needs_all_facts_that_it_used() -> None:
    ((_, verdict, _),) = _rerun(PROOF, PROOF).verdicts
    assert isinstance(verdict, Proved)
    assert len(verdict.facts) == 2
    ((_, verdict, _),) = _rerun(PROOF[1:], PROOF).verdicts
    assert not isinstance(verdict, Proved)


def test_a_known_proof_is_none_where_facts_contradict_each_other() -> None:
    program: list[Step] = [("fact", at_least(C, 1)), *PROOF[:2], ("fact", equal(C, 0)), PROOF[2]]
    ((_, verdict, _),) = _rerun(program, PROOF).verdicts
    assert isinstance(verdict, Unreachable)


def test_facts_of_a_closed_scope_prove_nothing() -> None:
    program: list[Step] = [("enter", at_least(C, 1)), *PROOF, ("leave", TRUE), PROOF[2]]
    verdicts = [verdict for _, verdict, _ in _rerun(program, PROOF).verdicts]
    assert [isinstance(each, Proved) for each in verdicts] == [True, False]


def test_facts_that_waited_are_there_when_a_solver_is_asked() -> None:
    program: list[Step] = [*PROOF, ("fact", at_least(C, A)), ("ask", at_least(C, 3)), ("ask", at_least(C, 4))]
    verdicts = [verdict for _, verdict, _ in _rerun(program, PROOF).verdicts]
    assert [isinstance(each, Proved) for each in verdicts] == [True, True, False]


def test_contradictions_without_wrapping_are_found() -> None:
    program: list[Step] = [*PROOF[:2], ("overflow", equal(B, 0)), PROOF[2]]
    ((_, verdict, _),) = _rerun(program, PROOF).verdicts
    assert not isinstance(verdict, Proved)
