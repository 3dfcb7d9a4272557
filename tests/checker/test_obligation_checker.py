"""Tests of the obligation checker's policies: the claims it checks, the facts it uses, and the ones it leaves out."""

from __future__ import annotations

from shapesolve.checker.check import trace_of
from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.obligation_checker import (
    CHECK_ALL,
    NOT_CHECKED,
    ObligationChecker,
    Policy,
    assume_inputs,
    check_obligations,
    prover_of,
    solver_of,
)
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.solver.verdicts import Detail, Proved, Refuted
from shapesolve.symbolic.formula_kinds import TRUE
from shapesolve.trace.events import (
    Kind,
    Trace,
    facts_for_non_checks,
    guarding_premise,
    has_facts_for_checks_only,
    may_use_facts_for_checks,
)

TWICE = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %x = tensor.dim %a, %c0 : tensor<?xf32>
  %y = tensor.dim %b, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %x, %y : index
  cf.assert %same, "once"
  cf.assert %same, "twice"
  return
}
"""

STATED = """
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %positive = arith.cmpi sgt, %n, %c0 : index
  %large = arith.cmpi sgt, %n, %c9 : index
  cf.assert %large, "large"
  cf.assert %positive, "positive"
  return
}
"""

WITNESS = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  %x = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %y = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  %w = shape.cstr_eq %x, %y : tensor<1xindex>, tensor<1xindex>
  %again = shape.cstr_eq %x, %y : tensor<1xindex>, tensor<1xindex>
  %inside = shape.assuming %w -> tensor<?xf32> {
    %sum = arith.addf %a, %b : tensor<?xf32>
    shape.assuming_yield %sum : tensor<?xf32>
  }
  %waits = arith.mulf %inside, %b : tensor<?xf32>
  %outside = arith.subf %a, %b : tensor<?xf32>
  return
}
"""


def traced(text: str, options: Options | None = None) -> Trace:
    program = read_text(text)
    return trace_of(program, program.functions["f"], options or Options())


def run(trace: Trace, policy: Policy = CHECK_ALL, *, with_two_accounts: bool = False) -> list[CheckedObligation]:
    provers = [prover_of(trace, solver_of(Options()), Options()) for _ in range(1 + with_two_accounts)]
    for each in provers:
        assume_inputs(each, trace)
    return list(
        check_obligations(trace, ObligationChecker(provers[0], policy, provers[1] if with_two_accounts else None))
    )


def checks(checked_obligations: list[CheckedObligation]) -> list[str]:
    return [each.verdict.word for each in checked_obligations if each.obligation.kind is Kind.CHECK]


def test_a_raised_claim_is_a_fact_for_what_follows() -> None:
    assert checks(run(traced(TWICE))) == ["refuted", "proved"]


def test_nothing_follows_from_what_is_not_believed() -> None:
    believed = Policy(becomes_fact=lambda checked_obligation: isinstance(checked_obligation.verdict, Proved))
    assert checks(run(traced(TWICE), believed)) == ["refuted", "refuted"]


def test_policy_may_believe_claims_that_it_does_not_judge() -> None:
    trace = traced(TWICE)
    first = next(each for each in trace.obligations if each.kind is Kind.CHECK)
    checked_obligations = run(trace, Policy(should_check=lambda obligation: obligation is not first))
    (skipped,) = [each for each in checked_obligations if each.obligation is first]
    assert skipped.verdict is NOT_CHECKED
    assert checks(checked_obligations) == ["undecided", "proved"]


def test_the_detail_is_that_of_the_policy() -> None:
    (found, *_) = [each.verdict for each in run(traced(TWICE)) if isinstance(each.verdict, Refuted)]
    assert found.floor is not None
    checked_obligations = run(traced(TWICE), Policy(detail=lambda obligation: Detail.VERDICT))
    (bare, *_) = [each.verdict for each in checked_obligations if isinstance(each.verdict, Refuted)]
    assert bare.floor is None


def test_a_tolerant_judge_leaves_out_what_contradicts() -> None:
    trace = traced(STATED, Options(assumptions=("n <= 5", "n >= 1")))
    assert checks(run(trace)) == ["refuted", "unreachable"]
    assert checks(run(trace, Policy(tolerant=True))) == ["refuted", "proved"]


def test_a_witness_is_a_fact_for_checks_and_for_what_waits_for_it() -> None:
    trace = traced(WITNESS)
    assert has_facts_for_checks_only(trace)
    found = run(trace, with_two_accounts=True)
    assert [(each.obligation.op.name, each.verdict.word) for each in found] == [
        ("shape.cstr_eq", "refuted"),
        ("shape.cstr_eq", "proved"),
        ("arith.addf", "proved"),
        ("arith.mulf", "proved"),
        ("arith.subf", "refuted"),
    ]


def test_one_account_lets_a_witness_speak_to_all() -> None:
    assert [each.verdict.word for each in run(traced(WITNESS))] == ["refuted", *["proved"] * 4]


def test_guarding_witnesses_decide_which_facts_may_be_used() -> None:
    trace = traced(WITNESS)
    assertion, _, _, waits, outside = trace.obligations
    assert may_use_facts_for_checks(assertion) and facts_for_non_checks(assertion) is None
    assert not may_use_facts_for_checks(outside) and facts_for_non_checks(outside) is not None
    assert guarding_premise(outside) is TRUE and guarding_premise(waits) is assertion.claim


def test_progress_counts_every_obligation() -> None:
    trace = traced(TWICE)
    calls: list[tuple[str, int, int]] = []
    prover = prover_of(trace, solver_of(Options()), Options())
    list(
        check_obligations(trace, ObligationChecker(prover), lambda name, done, total: calls.append((name, done, total)))
    )
    count = len(trace.obligations)
    assert calls == [("f", done, count) for done in range(1, count + 1)]
