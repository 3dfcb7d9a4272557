"""Test of conditions that are enough for sums that wrap around, against the numbers themselves."""

from __future__ import annotations

from itertools import product

import pytest

from shapesolve import check
from shapesolve.simplification.readable import readable_claim
from shapesolve.simplification.unwrapped import unwrapped, wraps
from shapesolve.symbolic.dims import Dim, variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction

M, N = variable("m", -(2**31), 2**31 - 1), variable("n", -(2**31), 2**31 - 1)
S, T = variable("s"), variable("t")


def wrapped(size: Dim, width: int) -> Dim:
    """Return a size as a signed integer of a width holds it."""
    return (size + 2 ** (width - 1)) % 2**width - 2 ** (width - 1)


def between(low: int, size: Dim, high: Dim) -> Formula:
    return conjunction([at_least(size, low), at_least(high, size)])


CASES = [
    (at_least(wrapped(M * N, 32), 0), "0 <= m*n <= 2147483647"),
    (at_least(wrapped(M - N, 32), 0), "0 <= m - n <= 2147483647"),
    (at_least(wrapped(2 * M - 2 * N, 32), 0), "0 <= m - n <= 1073741823"),
    (at_least(wrapped(N - wrapped(2 * M, 32), 32), 0), "-2147483647 <= 2*m - n <= 0 and m >= -1073741824"),
    (at_least(S - 1, (N - wrapped(2 * M, 32) - 2) % 2**32), "2*m + s + 1 >= n and m >= -1073741824 and n >= 2*m + 2"),
    (at_least(wrapped(S * T, 32), 1), "1 <= s*t <= 2147483647"),
    (at_least(wrapped(S * T, 16), 0), "s*t <= 32767"),
    (between(0, wrapped(M * N + 5, 32), S - 1), "-5 <= m*n <= 2147483642 and s >= m*n + 6"),
]
NUMBERS = (-(2**31), -(2**16), -5, -1, 0, 1, 2, 3, 2**14, 2**15, 2**16 - 1, 2**16, 2**30, 2**31 - 1)


@pytest.mark.parametrize(("condition", "text"), CASES, ids=[text for _, text in CASES])
def test_what_is_enough_holds_nowhere_else_and_is_read_easily(condition: Formula, text: str) -> None:
    found = unwrapped(condition)
    assert found is not None and wraps(condition) and not wraps(found)
    assert readable_claim(found) == text
    names = sorted(condition.variables, key=str)
    seen = set[bool]()
    for numbers in product(NUMBERS, repeat=len(names)):
        sizes = dict(zip(names, numbers, strict=True))
        if all(each.lower is None or each.lower <= number for each, number in sizes.items()):
            is_enough = holds(found, sizes)
            assert holds(condition, sizes) or not is_enough
            seen.add(is_enough)
    assert seen == {True, False}


def test_sums_that_wrap_on_purpose_or_never_stay() -> None:
    assert unwrapped(at_least(wrapped(1103515245 * M, 32), 0)) is None
    assert unwrapped(at_least(M % 1000, 3)) is None
    assert unwrapped(at_least(M * N, 3)) is None


def test_what_holds_for_no_usual_sizes_is_not_enough() -> None:
    condition = at_least(wrapped(S * T, 16), 0)
    assert unwrapped(condition, (), [at_least(S, 2**15), at_least(T, 1)]) is None
    assert unwrapped(condition, (), [at_least(S, 2**14), at_least(T, 1)]) is not None


TEXT = """
func.func @gather(%m: i32, %n: i32, %b: memref<?xf32>) -> f32 {
  %p = arith.muli %m, %n : i32
  %i = arith.index_cast %p : i32 to index
  %v = memref.load %b[%i] : memref<?xf32>
  return %v : f32
}
"""


@pytest.mark.process
def test_a_report_says_what_is_enough_and_what_it_suggests_proves_all() -> None:
    report = check(TEXT)
    text = report.text()
    assert "memref.load is safe if 0 <= m*n <= 2147483647, b[0] > m*n" in text
    assert "--assume '0 <= m*n <= 2147483647' --assume 'b[0] > m*n'" in text and "perhaps less would do" in text
    assert "% 4294967296" not in text and "% 4294967296" in report.text(verbose=True)
    assert "2147483648 <= (m*n + 2147483648) % 4294967296 <= b[0] + 2147483647" in report.to_json()
    assert not check(TEXT, assume="0 <= m*n <= 2147483647 and b[0] > m*n").refuted


DIFFERENCE = """
func.func @offset(%t: tensor<?xf32>, %a: i32, %b: i32) -> f32 {
  %d = arith.subi %a, %b : i32
  %i = arith.index_cast %d : i32 to index
  %v = tensor.extract %t[%i] : tensor<?xf32>
  return %v : f32
}
"""


def test_a_difference_that_wraps_is_not_told_case_by_case() -> None:
    text = check(DIFFERENCE, execute=False).text()
    assert "tensor.extract is safe if 0 <= a - b <= 2147483647, b + t[0] > a" in text
    assert "--assume '0 <= a - b <= 2147483647' --assume 'b + t[0] > a'" in text
    assert not check(DIFFERENCE, assume=["0 <= a - b <= 2147483647", "b + t[0] > a"], execute=False).refuted


BEHIND_A_FLAG = """
func.func @next(%m: i32, %n: i32, %c: i1, %b: memref<?xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = scf.if %c -> f32 {
    %one = arith.constant 1 : i32
    %p = arith.muli %m, %n : i32
    %q = arith.addi %p, %one : i32
    %i = arith.index_cast %q : i32 to index
    %v = memref.load %b[%i] : memref<?xf32>
    scf.yield %v : f32
  } else {
    scf.yield %z : f32
  }
  return %r : f32
}
"""


UNSIGNED = """
func.func @sevens(%n: i64) {
  %c0 = arith.constant 0 : i64
  %by = arith.constant 7 : i64
  %r = arith.remui %n, %by : i64
  %p = arith.cmpi eq, %r, %c0 : i64
  cf.assert %p, "a multiple without a sign"
  return
}
"""


def test_what_is_needed_exactly_is_suggested_where_it_can_be_read() -> None:
    text = check(UNSIGNED, execute=False).text()
    assert "--assume 'n <= -1 or n % 7 == 0'" in text and "perhaps less" not in text


def test_a_flag_is_no_size_that_is_too_small() -> None:
    text = check(BEHIND_A_FLAG, execute=False).text()
    assert "is safe if -1 <= m*n <= 2147483646, b[0] >= m*n + 2" in text
