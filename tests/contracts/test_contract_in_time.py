"""Contracts under a deadline: what was not decided in time is claimed by none."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest

from shapesolve.checker.obligation_checker import Progress
from shapesolve.contracts import inference
from shapesolve.contracts.contract import ContractReport
from shapesolve.contracts.inference import contracts_of_program
from shapesolve.deadline import NEVER, TIME_LIMIT, Deadline, current, until
from shapesolve.diagnosis.contracts import diagnose_contracts
from shapesolve.ir.program import Function, Program
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.reports.contract import contract_document, print_contracts
from shapesolve.reports.contract_html import contract_page
from shapesolve.reports.page import Page
from shapesolve.solver.entailment import entails, prove
from shapesolve.solver.verdicts import Undecided, UndecidedReason
from shapesolve.symbolic.dims import variable
from shapesolve.symbolic.formulas import at_least

PAST = Deadline.after(-1)
TWO_SUMS = """\
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  %k = tensor.dim %c, %c0 : tensor<?xf32>
  %s = arith.cmpi ne, %n, %m : index
  cf.assert %s, "first"
  %t = arith.cmpi ule, %m, %k : index
  cf.assert %t, "second"
  return
}
"""


def _contracts(deadline: Deadline = NEVER) -> ContractReport:
    return contracts_of_program(read_text(TWO_SUMS), Options(execute=False, deadline=deadline))


def _printed(report: ContractReport) -> str:
    stream = StringIO()
    print_contracts(diagnose_contracts(report), Page(stream, width=120))
    return " ".join(stream.getvalue().split())


@pytest.fixture
def late_evidence(monkeypatch: pytest.MonkeyPatch) -> ContractReport:
    """The contracts, found and verified in time; the deadline passes before the evidence."""
    in_time = inference.with_evidence

    def late(*given: Any) -> object:
        with until(PAST):
            return in_time(*given)

    monkeypatch.setattr(inference, "with_evidence", late)
    return _contracts()


def test_evidence_that_is_in_time_is_whole() -> None:
    (function,) = _contracts().functions
    assert function.exact
    assert function.exit_code == 0
    assert all(each.needed_by and each.is_in_time for each in function.conditions)


def test_evidence_that_is_late_is_not_claimed(late_evidence: ContractReport) -> None:
    (function,) = late_evidence.functions
    assert function.texts == ("a[0] != b[0]", "c[0] >= b[0]")
    assert function.sufficient
    assert not function.exact
    assert function.exit_code == 3
    for each in function.conditions:
        assert (each.needed_by, each.witness, each.is_in_time) == ((), None, False)


def test_a_report_says_that_evidence_was_late(late_evidence: ContractReport) -> None:
    text = _printed(late_evidence)
    assert "safe when all of these hold (whether all of them are needed is open):" in text
    assert re.search(rf"what needs it,? was not verified in time: {TIME_LIMIT}", text)
    assert "needed by" not in text
    assert "without any one of them" not in text
    page = contract_page(diagnose_contracts(late_evidence))
    assert "needed by" not in page
    assert "was not verified in time" in page
    document = json.loads(json.dumps(contract_document(diagnose_contracts(late_evidence), "0")))
    assert [each["in_time"] for each in document["functions"][0]["conditions"]] == [False, False]


def test_conditions_that_were_not_verified_in_time_are_not_said_to_prove_more(monkeypatch: pytest.MonkeyPatch) -> None:
    checks: list[Options] = []
    check = inference.check_function

    def first_in_time(program: Program, function: Function, options: Options, progress: Progress | None) -> object:
        checks.append(options)
        return check(program, function, replace(options, deadline=NEVER if len(checks) == 1 else PAST), progress)

    def not_shown(*_: object) -> bool:
        return False

    monkeypatch.setattr(inference, "check_function", first_in_time)
    monkeypatch.setattr(inference, "_is_necessary", not_shown)
    report = _contracts()
    (function,) = report.functions
    assert len(checks) == 2
    assert len(function.conditions) == 2
    assert not function.sufficient
    assert function.exit_code == 3
    text = _printed(report)
    assert f"not verified in time: whether it is safe when all of these hold ({TIME_LIMIT}):" in text
    assert "more is proved" not in text


def test_what_was_not_judged_in_time_adds_no_conditions() -> None:
    report = _contracts(deadline=PAST)
    (function,) = report.functions
    assert function.conditions == ()
    reasons = {each.verdict.reason_kind for each in function.open if isinstance(each.verdict, Undecided)}
    assert reasons == {UndecidedReason.COMMAND}
    assert function.exit_code == 3
    assert "no condition was found in time under which everything is proved" in _printed(report)


def test_claims_after_the_deadline_are_undecided_and_not_remembered() -> None:
    n = variable("deadline_n", 0, None)
    claim, premise = at_least(n * n * n, 8), at_least(n, 2)
    with until(PAST):
        assert current() is PAST
        verdict = prove(claim, premise)
        assert not entails(claim, premise)
    assert isinstance(verdict, Undecided)
    assert verdict.reason_kind is UndecidedReason.COMMAND
    assert entails(claim, premise)
    assert not current().passed
