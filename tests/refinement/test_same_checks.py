"""Test of refinement where a check of the source has its like in the target, which need not be walked for each."""

from __future__ import annotations

import pytest
from support.refined_pairs import refined

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.obligation_checker import ObligationChecker
from shapesolve.options import Options
from shapesolve.refinement.outcome import Refinement
from shapesolve.solver.verdicts import VerdictKind
from shapesolve.trace.events import Obligation
from shapesolve.trace.visitor import Around


def compared(source: str, target: str) -> Refinement:
    return refined(source, target, Options(execute=False))


def chain(depth: int, *, swapped: bool) -> str:
    """A function that calls a chain of functions, each of which has a check and calls the next one twice."""
    order = ("%b", "%a") if swapped else ("%a", "%b")
    functions = [
        f"""func.func private @f{level}(%a: index) -> index {{
  %one = arith.constant 1 : index
  %b = arith.addi %a, %one : index
  %c = arith.constant {10 * level + 3} : index
  %p = arith.cmpi ne, {"%c, %a" if swapped else "%a, %c"} : index
  cf.assert %p, "not this number"
  %x = call @f{level + 1}({order[0]}) : (index) -> index
  %y = call @f{level + 1}({order[1]}) : (index) -> index
  %s = arith.addi %x, %y : index
  return %s : index
}}"""
        for level in range(depth)
    ]
    return f"""func.func @main(%n: index) -> index {{
  %r = call @f0(%n) : (index) -> index
  return %r : index
}}
{"".join(functions)}
func.func private @f{depth}(%a: index) -> index {{
  return %a : index
}}"""


def test_the_target_is_walked_a_fixed_number_of_times(monkeypatch: pytest.MonkeyPatch) -> None:
    met = 0
    ask = ObligationChecker.obligation

    def counted(self: ObligationChecker, obligation: Obligation, around: Around) -> CheckedObligation:
        nonlocal met
        met += 1
        return ask(self, obligation, around)

    monkeypatch.setattr(ObligationChecker, "obligation", counted)
    found: dict[int, int] = {}
    for depth in (4, 8):
        met = 0
        result = compared(chain(depth, swapped=False), chain(depth, swapped=True))
        assert result.word is VerdictKind.PROVED
        found[depth] = met
    assert found[8] <= 5 * found[4]  # four times the checks: each is asked at the numbers n to n + level


HEAD = "func.func @f(%n: index, %m: index, %b: i1) -> index {\n  %one = arith.constant 1 : index\n"
POSITIVE = '  %p = arith.cmpi sge, %n, %one : index\n  cf.assert %p, "positive"\n'
OTHER = '  %q = arith.cmpi sge, %m, %one : index\n  cf.assert %q, "other"\n'
DIVISION = "  %r = arith.divui %m, %n : index\n"
TAIL = "  return %one : index\n}"


def inside(body: str) -> str:
    return f"  scf.if %b {{\n{body}  }}\n"


@pytest.mark.parametrize(
    ("source", "target", "kind"),
    [
        (POSITIVE + OTHER, OTHER + POSITIVE, VerdictKind.PROVED),
        (POSITIVE + OTHER + DIVISION, POSITIVE + DIVISION + OTHER, VerdictKind.PROVED),
        (POSITIVE + OTHER + DIVISION, OTHER + DIVISION + POSITIVE, VerdictKind.REFUTED),
        (POSITIVE + OTHER, POSITIVE + inside(OTHER), VerdictKind.REFUTED),
        (POSITIVE + inside(OTHER), POSITIVE + inside(OTHER), VerdictKind.PROVED),
        (POSITIVE + OTHER, POSITIVE, VerdictKind.REFUTED),
    ],
)
def test_checks_in_another_order_and_place(source: str, target: str, kind: VerdictKind) -> None:
    assert compared(HEAD + source + TAIL, HEAD + target + TAIL).word is kind
