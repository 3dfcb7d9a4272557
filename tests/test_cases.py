"""Test that the checker's answers for every file of tests/cases are the expectations beside the input."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.case_files import CaseFile, Expectation, read_case

from shapesolve.checker.check import check_function
from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.report import FunctionReport
from shapesolve.domain.values import Size, Tensor
from shapesolve.ir.reader import read_file
from shapesolve.options import Options
from shapesolve.preconditions.functions import entry_points
from shapesolve.solver.verdicts import Proved, Refuted, Undecided
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.shape_kinds import Shape

CASES = sorted((Path(__file__).parent / "cases").rglob("*.mlir"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_verdicts_are_those_expected_in_the_case_file(path: Path) -> None:
    case = read_case(path)
    program = read_file(str(path))
    reports = [
        check_function(
            program,
            function,
            Options(
                assumptions=tuple(case.assumptions.get(function.name, ())),
                execute=False,
                check_wraps=case.check_wraps,
            ),
        )
        for function in entry_points(program)
    ]
    checked_obligations = [
        checked_obligation for report in reports for checked_obligation in report.checked_obligations
    ]
    problems = _unexpected(case, checked_obligations) + _approximations(case, reports)
    for expectation in case.expectations:
        problem = _broken(expectation, checked_obligations, reports)
        if expectation.is_gap and problem is None:
            problems.append(f"line {expectation.line}: the gap `{expectation.what}` is closed: make it an expectation")
        elif not expectation.is_gap and problem is not None:
            problems.append(f"line {expectation.line}: {problem}")
    assert not problems, "\n".join([str(path), *problems])


def _unexpected(case: CaseFile, checked_obligations: list[CheckedObligation]) -> list[str]:
    covered = {(each.line, each.clause) for each in case.expectations}
    return [
        f"line {each.obligation.location.line}: {each.obligation.op.name} {each.obligation.clause} "
        f"`{each.obligation.claim}` is {_described(each)}, and nothing says so"
        for each in checked_obligations
        if not isinstance(each.verdict, Proved)
        and (each.obligation.location.line, each.obligation.clause) not in covered
        and (each.obligation.location.line, "") not in covered
    ]


def _approximations(case: CaseFile, reports: list[FunctionReport]) -> list[str]:
    lines = {each.line for each in case.expectations if each.what == "approximated"}
    return [
        f"line {each.location.line}: {each.op} is approximated ({each.reason}), and nothing says so"
        for report in reports
        for each in report.approximations
        if each.location.line not in lines
    ]


def _broken(
    expected: Expectation, checked_obligations: list[CheckedObligation], reports: list[FunctionReport]
) -> str | None:
    if expected.what in ("shape", "value"):
        return _broken_result(expected, reports)
    if expected.what == "approximated":
        reasons = [a.reason for r in reports for a in r.approximations if a.location.line == expected.line]
        found = any(expected.clause in reason for reason in reasons)
        return None if found else f"no approximation with `{expected.clause}` in {reasons}"
    here = [
        each
        for each in checked_obligations
        if each.obligation.location.line == expected.line and expected.clause in ("", each.obligation.clause)
    ]
    if not here:
        return f"no obligation {expected.clause}".rstrip()
    if expected.what in ("refuted", "undecided"):  # one failing column is enough: the others may be fine
        fitting = [each for each in here if _fits(expected, each)]
        return None if fitting else f"expected {expected.what}, found {'; '.join(map(_described, here))}"
    wrong = [each for each in here if each.verdict.word != expected.what]
    return f"expected {expected.what}, found {'; '.join(map(_described, wrong))}" if wrong else None


def _fits(expected: Expectation, checked_obligation: CheckedObligation) -> bool:
    verdict = checked_obligation.verdict
    if verdict.word != expected.what:
        return False
    if isinstance(verdict, Undecided):
        return expected.detail.removeprefix("because ") in f"{verdict.reason_kind.value}; {verdict.reason}"
    assert isinstance(verdict, Refuted)
    sizes = {variable.name: value for variable, value in verdict.sizes.items()}
    pairs = re.findall(r"([^\s,=]+(?:\[\d+\])?)\s*=\s*(-?\d+)", expected.detail.removeprefix("with "))
    return all(sizes.get(name) == int(value) for name, value in pairs)


def _broken_result(expected: Expectation, reports: list[FunctionReport]) -> str | None:
    for report in reports:
        for op in report.trace.reached:
            if op.location.line == expected.line and op.results:
                value = report.trace.values[op.results[0]]
                shown = value.shape if isinstance(value, Tensor) else value.value if isinstance(value, Size) else value
                if not isinstance(shown, Dim | Formula | Shape) or str(shown) != expected.clause:
                    return f"expected {expected.what} {expected.clause}, found {shown}"
                return None
    return "no operation with a result"


def _described(checked_obligation: CheckedObligation) -> str:
    verdict = checked_obligation.verdict
    text = f"{checked_obligation.obligation.op.name} {checked_obligation.obligation.clause} {verdict.word}"
    if isinstance(verdict, Refuted):
        return f"{text} with {', '.join(f'{v} = {n}' for v, n in verdict.sizes.items())}"
    return f"{text}: {verdict.reason}" if isinstance(verdict, Undecided) else text
