"""Test that arguments of too large a rank are not executed, and the verdict stands."""

from __future__ import annotations

from shapesolve import check
from shapesolve.checker.checked_obligation import Shown
from shapesolve.solver.verdicts import Refuted


def test_a_large_rank_is_not_executed() -> None:
    extents = "x".join(["?"] * 40)
    type = f"tensor<{extents}xf32>"
    text = f"func.func @f(%a: {type}, %b: {type}) -> {type} {{\n"
    text += f"  %0 = arith.addf %a, %b : {type}\n  return %0 : {type}\n}}\n"
    refuted = [each for each in check(text).checked_obligations if isinstance(each.verdict, Refuted)]
    assert refuted
    for each in refuted:
        assert each.confirmation is not None
        assert each.confirmation.shown is Shown.NOT_EXECUTED
        assert each.confirmation.text == "an argument has a rank above 32"
