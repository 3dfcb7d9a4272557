"""Sizes that refuted one entailment, tried on the next before a solver is asked."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.solver.entailment import entails
from shapesolve.solver.models import in_bounds
from shapesolve.solver.refuting_sizes import RefutingSizes
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dims, variable
from shapesolve.symbolic.formula_kinds import Formula


def _element(name: str) -> Dim:
    return variable(name, None, None)


def _atom(size: Dim) -> Variable:
    atom = size.atom
    assert isinstance(atom, Variable)
    return atom


def test_the_sizes_of_one_claim_refute_the_next_but_for_its_variable() -> None:
    n, m = dims("n m")
    x, y = _element("x"), _element("y")
    far = n * m // 3 >= 1000
    kept = RefutingSizes()
    assert not entails((x <= 100), (far | (x <= n % 7),), refuting=kept)
    assert kept.refute((y <= 200), (far | (y <= n % 7),))
    assert kept.refute((y >= -5), (far | (y <= n % 7),))


def test_a_premise_is_satisfied_by_a_variable_that_was_not_asked_about() -> None:
    n = dims("n")[0]
    x, y = _element("x"), _element("y")
    kept = RefutingSizes()
    kept.keep({_atom(n): 5000, _atom(x): 101})
    assert kept.refute((x <= 100), ((y >= n + 17), n >= 1000))
    assert not kept.refute((x <= 100), ((y >= n + 17), (y <= n)))  # no sizes satisfy these


def test_what_holds_is_never_refuted() -> None:
    n = dims("n")[0]
    x = _element("x")
    low = variable("low", 0, 9)
    kept = RefutingSizes()
    kept.keep({_atom(n): 10, _atom(x): 10, _atom(low): 9})
    assert not kept.refute((x <= n), ((x <= n - 1),))
    assert not kept.refute((low <= 9 + n), ())
    assert in_bounds(_atom(low), 9) and not kept.refute((low <= 20), ((n >= 1),))  # 21 is no `low`
    assert entails((x <= n), ((x <= n - 1),), refuting=kept)


class _Recorded(RefutingSizes):
    def __init__(self) -> None:
        super().__init__()
        self.answers: list[bool] = []

    def refute(self, claim: Formula, premises: Sequence[Formula]) -> bool:
        self.answers.append(super().refute(claim, premises))
        return self.answers[-1]


def test_similar_claims_cost_one_question() -> None:
    n = dims("n")[0]
    kept = _Recorded()
    for number in range(8):
        x = _element(f"x{number}")
        assert not entails(x <= 100 + number, ((n * n >= 5000) | (x <= n * n % 5),), refuting=kept)
    assert kept.answers == [False] + [True] * 7
