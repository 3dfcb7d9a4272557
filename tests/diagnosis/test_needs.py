"""Requirements that a report states together: none that others imply, and never less than all of them."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from shapesolve.diagnosis.diagnosis import diagnose
from shapesolve.diagnosis.needs import without_implied
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.reports.finding_line import report_lines
from shapesolve.solver.entailment import holds
from shapesolve.symbolic.dims import variable
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjuncts, disjunction, equal, unequal

A, B = variable("a", 0), variable("b", 0)
SIZES = (A, B, A // B, A % B, A + B, A * B, A - 1, 2 * B, B // 2, A // 3)
SMALL = [{"a": a, "b": b} for a, b in product(range(7), repeat=2)]


def _comparison(random: Random) -> Formula:
    compare = random.choice((at_least, at_least, equal, unequal))
    return compare(random.choice(SIZES), random.choice((*SIZES, 0, 1, 2)))


def _condition(random: Random) -> Formula:
    several = random.random() < 0.2
    return disjunction([_comparison(random), _comparison(random)]) if several else _comparison(random)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(each, marks=pytest.mark.exhaustive) for each in range(2, 8))])
def test_remaining_conditions_mean_the_same_at_every_small_size(seed: int) -> None:
    random, dropped = Random(seed), 0
    for _ in range(25):
        parts = [each for _ in range(random.randint(2, 5)) for each in conjuncts(_condition(random))]
        known = [_comparison(random)] if random.random() < 0.3 else []
        kept = without_implied(parts, known)
        dropped += len(kept) < len(set(parts))
        assert set(kept) <= set(parts)
        for sizes in SMALL:
            if all(holds(each, sizes) for each in known):
                kept_holds, meant = (all(holds(each, sizes) for each in conditions) for conditions in (kept, parts))
                assert kept_holds == meant, (sizes, parts, kept)
    assert dropped >= 5, "these conditions hardly imply each other"


MEAN = """func.func @mean(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %q = arith.divui %n, %m : index
  %e = tensor.empty(%q) : tensor<?xf32>
  %d = arith.subi %m, %c1 : index
  %s = tensor.extract_slice %e[%d] [%c1] [1] : tensor<?xf32> to tensor<?xf32>
  return %s : tensor<?xf32>
}"""


def test_a_line_states_no_condition_that_its_others_imply() -> None:
    """``x[1] <= x[0]//x[1] + 1``, which the offset needs, follows from what the end of the slice needs."""
    lines = report_lines(diagnose(check_program(read_text(MEAN, "m.mlir"), Options(execute=False))))
    assert [each.message for each in lines] == [
        "arith.divui needs x[1] != 0",
        "tensor.extract_slice needs 1 <= x[1] <= x[0]//x[1]",
    ]


CORNERS = """func.func @corners(%x: tensor<?xf32>, %v: f32, %s: index) -> tensor<?x?xf32> {{
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.splat %v[%n, %n] : tensor<?x?xf32>
  %p = arith.cmpi slt, %s, %c0 : index
  %q = arith.cmpi {other}, %s, %c0 : index
  %i = arith.select %p, %c0, %c8 : index
  %j = arith.select %q, %c8, %c0 : index
  %t = tensor.extract_slice %e[0, 0] [%i, %j] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  return %t : tensor<?x?xf32>
}}"""


@pytest.mark.parametrize(
    ("other", "needed"), [("slt", "x[0] >= 8"), ("eq", "s <= -1 or x[0] >= 8")], ids=["all cases", "not all cases"]
)
def test_cases_that_cover_all_sizes_are_joined(other: str, needed: str) -> None:
    program = read_text(CORNERS.format(other=other), "m.mlir")
    (line,) = report_lines(diagnose(check_program(program, Options(execute=False))))
    assert line.message == f"tensor.extract_slice needs {needed}"


def test_a_bit_that_is_0_is_no_empty_tensor() -> None:
    text = """func.func @f(%c: i1, %s: !shape.shape, %t: !shape.shape, %u: !shape.shape) {
  %x = arith.select %c, %s, %t : !shape.shape
  %w = shape.cstr_eq %x, %u : !shape.shape, !shape.shape
  return
}"""
    (function,) = diagnose(check_program(read_text(text), Options(execute=False))).functions
    assert function.suggestions.assumptions == ("c == 0 or s == u", "c == 1 or t == u")
    assert function.suggestions.texts == function.suggestions.assumptions
    assert function.suggestions.sufficient == ()
