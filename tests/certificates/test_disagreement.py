"""Test that certificates expose faults: a broken normal form, an unsound prover, facts that outlive a scope."""

from __future__ import annotations

import math
import re
from collections.abc import Generator, Iterable
from pathlib import Path

import pytest

pytest.importorskip("cvc5")

from support.certificates_asked import ROOT, asked, reports_of, unconfirmed

from shapesolve.certificates.checkers import Word
from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.solver.prover import Generalize, Prover
from shapesolve.solver.verdicts import Proved
from shapesolve.symbolic import formulas, normal_forms
from shapesolve.symbolic.dims import ZERO, Dim
from shapesolve.symbolic.formula_kinds import Formula

pytestmark = pytest.mark.slow

UNET = ROOT / "examples" / "unet.mlir"

BRANCH = """\
func.func @f(%n: index, %c: i1) {
  %zero = arith.constant 0 : index
  %four = arith.constant 4 : index
  scf.if %c {
    %less = arith.cmpi slt, %n, %four : index
    cf.assert %less, "inside"
  }
  %again = arith.cmpi slt, %n, %four : index
  cf.assert %again, "outside"
  return
}
"""

HALVES = """\
func.func @f(%n: index) {
  %two = arith.constant 2 : index
  %half = arith.floordivsi %n, %two : index
  %whole = arith.muli %half, %two : index
  %equal = arith.cmpi eq, %n, %whole : index
  cf.assert %equal, "even"
  return
}
"""

BIGGER = """\
func.func @f(%n: index, %m: index) {
  %larger = arith.maxsi %n, %m : index
  %holds = arith.cmpi sge, %n, %larger : index
  cf.assert %holds, "the first is the larger one"
  return
}
"""

TWO_ASSERTIONS = """\
func.func @f(%n: index, %m: index) {
  %two = arith.constant 2 : index
  %four = arith.constant 4 : index
  %small = arith.cmpi slt, %n, %two : index
  cf.assert %small, "n is small"
  %other = arith.cmpi slt, %m, %two : index
  cf.assert %other, "m is small"
  %again = arith.cmpi slt, %n, %four : index
  cf.assert %again, "n is not large"
  return
}
"""


@pytest.fixture(autouse=True)
def nothing_is_remembered() -> Generator[None]:
    """Clear the cached divisions before and after each fault is injected."""
    normal_forms._by_constant.cache_clear()
    yield
    normal_forms._by_constant.cache_clear()


def _disagreements(path: Path) -> tuple[int, int]:
    """Return the disagreements in proofs and in lemmas."""
    checked = asked([each for report in reports_of(path) for each in report.certificates], seconds=10)
    found = [
        sum(a.word is Word.DISAGREES for each in checked if each.script.is_proof is p for a in each.answers)
        for p in (True, False)
    ]
    return found[0], found[1]


def _written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "program.mlir"
    path.write_text(text)
    return path


@pytest.mark.parametrize("text", [BRANCH, HALVES, BIGGER])
def test_nothing_disagrees_where_nothing_is_broken(tmp_path: Path, text: str) -> None:
    checked = asked([each for report in reports_of(_written(tmp_path, text)) for each in report.certificates])
    assert not unconfirmed(checked)


def test_a_normal_form_that_divides_exactly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _written(tmp_path, HALVES)

    def nothing_left(a: Dim, divisor: int) -> Dim:
        return ZERO

    monkeypatch.setattr(normal_forms, "_remainder_by", nothing_left)
    proofs, lemmas = _disagreements(path)
    assert proofs == 1
    assert lemmas


def test_a_maximum_that_forgets_a_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _written(tmp_path, BIGGER)

    def first(kind: object, groups: list[list[Dim]]) -> list[Dim]:
        return groups[0][:1]

    monkeypatch.setattr(normal_forms, "_undominated", first)
    proofs, lemmas = _disagreements(path)
    assert proofs == 1
    assert lemmas


def test_a_common_factor_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:

    def larger(terms: Iterable[tuple[object, int]]) -> int:
        return math.gcd(*(coefficient for _, coefficient in terms)) + 1

    monkeypatch.setattr(formulas, "common_factor", larger)
    _, lemmas = _disagreements(UNET)
    assert lemmas


def test_a_ledger_that_agrees_with_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _written(tmp_path, HALVES)

    def prove(self: Propagator, claim: Formula) -> tuple[()]:
        return ()

    def is_false_somewhere(self: Prover, claim: Formula) -> bool:
        """Do not see sizes that make a claim false, for then the ledger is not asked."""
        return False

    monkeypatch.setattr(Propagator, "prove", prove)
    monkeypatch.setattr(Prover, "_is_false_somewhere", is_false_somewhere)
    proofs, lemmas = _disagreements(path)
    assert proofs == 1
    assert lemmas == 0


def test_a_prover_whose_facts_outlive_their_scope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _written(tmp_path, BRANCH)
    leave = Prover.leave

    def forgetful(self: Prover, runs: Formula | None, generalize: Generalize | None = None) -> None:
        inside = [self.facts[number] for number in self._scopes[-1].raised]
        leave(self, runs, generalize)
        for fact in inside:
            self.assume(fact)

    monkeypatch.setattr(Prover, "leave", forgetful)
    proofs, _ = _disagreements(path)
    assert proofs == 1


def test_a_sum_that_drops_its_constant(monkeypatch: pytest.MonkeyPatch) -> None:
    make = Dim.__add__

    def careless(self: Dim, other: Dim | int) -> Dim:
        return self if isinstance(other, Dim) and other.is_constant and other.constant == 2 else make(self, other)

    monkeypatch.setattr(Dim, "__add__", careless)
    _, lemmas = _disagreements(UNET)
    assert lemmas


def test_a_false_lemma_is_seen_even_where_a_proof_leans_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lemma is an assumption of the proof, and a query of its own."""
    make = Dim.__mul__

    def careless(self: Dim, other: Dim | int) -> Dim:
        return self if isinstance(other, Dim) and other.is_constant else make(self, other)

    monkeypatch.setattr(Dim, "__mul__", careless)
    _, lemmas = _disagreements(UNET)
    assert lemmas


def test_a_fact_that_is_used_and_not_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _written(tmp_path, TWO_ASSERTIONS)
    assert _disagreements(path) == (0, 0)
    monkeypatch.setattr(Proved, "facts", property(lambda _: ()))
    proofs, _ = _disagreements(path)
    assert proofs == 1


def test_a_proof_states_what_it_needs(tmp_path: Path) -> None:
    """Each proof states only the facts it needs, so that all proofs of a program grow linearly with its length."""
    (report,) = reports_of(_written(tmp_path, TWO_ASSERTIONS))
    (proof,) = (each.text for each in report.certificates if each.is_proof)
    named = re.findall(r":named \|(.*?)\|", proof)
    assert [each for each in named if "cf.assert" in each] == [
        "line 5: cf.assert [cf-assert-condition]",
        "the claim of cf.assert [cf-assert-condition] fails",
    ]
