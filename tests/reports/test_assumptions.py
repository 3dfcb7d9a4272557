"""Test that a report states each assumption once, and that an omitted trusted statement follows from the others."""

from __future__ import annotations

from itertools import product

import pytest

from shapesolve import check
from shapesolve.checker.report import FunctionReport
from shapesolve.diagnosis.assumptions import listed_assumptions, shortened_trust, stated_assumptions
from shapesolve.symbolic.evaluation import holds
from shapesolve.trace.events import Source

EXPORTED = """
func.func @f(%x: tensor<?x?xi8> {shapesolve.shape = "[N, M]"}) attributes {
    shapesolve.assume = [CLAIMS], shapesolve.stated_by = "torch.export"} {
  return
}
"""


def report_of(claims: list[str], *assume: str) -> FunctionReport:
    stated = ", ".join(f'"{each}"' for each in claims)
    (function,) = check(EXPORTED.replace("CLAIMS", stated), assume=list(assume), execute=False).functions
    return function


def trusted(function: FunctionReport) -> str:
    """The one sentence that lists what the exporter is trusted with."""
    (words,) = (each for each in map(str, shortened_trust(function)) if each.startswith("torch.export is trusted"))
    return words


LISTS = [
    (["N >= 1", "N >= 2", "M == N"], ["N >= 2", "M == N"]),
    (["N >= 3", "M >= N", "M >= 2"], ["N >= 3", "M >= N"]),
    (["N % 4 == 0", "N % 2 == 0", "M <= 9"], ["N % 4 == 0", "M <= 9"]),
    (["N >= 2", "M >= 2"], ["N >= 2", "M >= 2"]),
    (["N >= 2", "N > 1"], ["N >= 2"]),
]


@pytest.mark.parametrize(("claims", "left"), LISTS, ids=str)
def test_implied_assumptions_are_left_out(claims: list[str], left: list[str]) -> None:
    function = report_of(claims)
    words = trusted(function)
    assert words.endswith(f"%x is [N, M], {', '.join(left)}")
    assert any(each.endswith(f"%x is [N, M], {', '.join(claims)}") for each in function.trace.modeling_texts)


@pytest.mark.parametrize(("claims", "left"), LISTS, ids=str)
def test_reduced_assumptions_admit_no_other_sizes(claims: list[str], left: list[str]) -> None:
    function = report_of(claims)
    facts = {each.because.partition(": ")[2]: each.formula for each in stated_assumptions(function)}
    assert facts.keys() == {*claims}
    n, m = function.trace.input_variables
    for sizes in product(range(14), repeat=2):
        known = dict(zip((n, m), sizes, strict=True))
        assert all(holds(facts[each], known) for each in left) == all(holds(each, known) for each in facts.values())


def test_assumptions_of_others_are_printed_apart() -> None:
    function = report_of(["N >= 1"], "N >= 5", "M >= 2")
    assert [str(each.formula) for each in listed_assumptions(function)] == ["N >= 5", "M >= 2"]
    assert [str(each.formula) for each in stated_assumptions(function)] == ["N >= 1", "N >= 5", "M >= 2"]
    assert trusted(function).endswith("N >= 1")  # that the option says more is not said here


def test_nothing_that_is_assumed_is_lost() -> None:
    function = report_of(["N >= 1", "N >= 2"], "M >= 2")
    output = " ".join([trusted(function), *(str(each.formula) for each in listed_assumptions(function))])
    stated = [each for each in function.assumptions if each.source is not Source.TYPE]
    assert {str(each.formula) for each in stated if str(each.formula) not in output} == {"N >= 1"}
