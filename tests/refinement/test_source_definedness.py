"""Test that no claim is refuted at sizes for which the source may be undefined."""

from __future__ import annotations

from itertools import product

import pytest

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.outcome import Ending, Refinement
from shapesolve.refinement.refine import refine_programs
from shapesolve.solver.verdicts import Refuted, Undecided

SCALARS = """func.func @f(%x: index, %d: index) -> index {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %5 = arith.constant 5 : index
  %7 = arith.constant 7 : index
  BODY
}
"""
SEVEN = "return %7 : index"


def compared(source: str, target: str, frame: str = SCALARS) -> Refinement:
    ours, theirs = (read_text(frame.replace("BODY", body)) for body in (source, target))
    (found,) = refine_programs(ours, theirs, Options(execute=False))
    return found


def chosen(condition: str, first: str = "%5", second: str = "%7") -> str:
    return f"""%v = arith.andi %x, %d : index
  %q = arith.remui %x, %v : index
  %c = arith.cmpi {condition} : index
  %r = arith.select %c, {first}, {second} : index
  return %r : index"""


def test_a_difference_where_the_source_divides_by_zero_is_none() -> None:
    found = compared(chosen("eq, %x, %0").replace("arith.andi %x, %d", "math.ctpop %x"), SEVEN)
    (finding,) = found.undecided
    assert found.word == "undecided" and isinstance(finding.verdict, Undecided)
    assert (
        "the source's arith.remui at line 7 is defined there is not known [arith-remui-zero-divisor]"
        in finding.verdict.reason
    )
    assert "bits of an unknown number are not counted" in finding.verdict.reason


@pytest.mark.parametrize("name", ["andi", "shrui"])
def test_a_source_that_divides_by_a_part_of_zero_is_undefined(name: str) -> None:
    assert compared(chosen("eq, %x, %0").replace("andi", name), SEVEN).word == "proved"


@pytest.mark.slow
@pytest.mark.parametrize("condition", ["ne, %x, %0", "eq, %x, %d", "ugt, %d, %x", "eq, %x, %5"])
def test_a_refutation_is_at_sizes_for_which_the_source_is_defined(condition: str) -> None:
    found = compared(chosen(condition), SEVEN)
    for finding in found.refuted:
        assert isinstance(finding.verdict, Refuted)
        x, d = (finding.verdict.sizes[each] for each in found.source.trace.input_variables)
        assert isinstance(x, int) and isinstance(d, int) and x & d
        assert finding.source.ending is Ending.RETURNS


def test_operations_without_a_rule_are_run_for_a_counterexample() -> None:
    """The result is compared at the sizes that were found, from which the rule computes it."""
    or_ = "%v = arith.ori %x, %d : index\n  return %v : index"
    assert compared(or_, or_.replace("ori", "xori")).word in ("refuted", "undecided")
    found = compared("%v = arith.ori %x, %1 : index\n  return %v : index", SEVEN)
    assert found.word == "refuted"


def test_a_demand_in_a_loop_is_open_as_well() -> None:
    loop = """%s = scf.for %i = %0 to %x step %1 iter_args(%a = %7) -> index {
    %v = arith.andi %i, %d : index
    %q = arith.remui %x, %v : index
    scf.yield %5 : index
  }
  return %s : index"""
    # The first iteration divides by 0 & d, so that the source is defined where the loop does not run, and there only.
    assert compared(loop, SEVEN).word != "refuted"


@pytest.mark.slow
def test_a_demand_in_a_branch_is_asked_where_it_is_reached() -> None:
    branch = """%c = arith.cmpi eq, %x, %0 : index
  %r = scf.if %c -> index {
    %v = arith.andi %x, %d : index
    %q = arith.remui %d, %v : index
    scf.yield %5 : index
  } else {
    scf.yield %1 : index
  }
  return %r : index"""
    found = compared(branch, '%c = arith.cmpi eq, %x, %0 : index\n  cf.assert %c, "0"\n  return %1 : index')
    assert found.word == "refuted"  # at x = 1 the source returns without dividing
    assert compared(branch, "return %1 : index").word == "proved"  # 0 & d is 0, so it is never divided where x is 0


def test_differences_that_depend_on_data_are_not_refuted() -> None:
    frame = "func.func @f(%a: tensor<?xf32>, %t: tensor<4xindex>, %n: index) -> index {\nBODY\n}"
    body = """%0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %e = tensor.extract %t[%0] : tensor<4xindex>
  %x = tensor.extract %a[%e] : tensor<?xf32>
  return %n : index"""
    found = compared(body, "%0 = arith.constant 0 : index\n  return %0 : index", frame)
    for finding in found.refuted:
        assert isinstance(finding.verdict, Refuted)
        by_name = {each.name: value for each, value in finding.verdict.sizes.items()}
        assert by_name["a[0]"] != 0


GENERIC = """"builtin.module"() ({
"func.func"() <{function_type = (index) -> index, sym_name = "f"}> ({
^bb0(%n: index):
  %c = "arith.constant"() <{value = 1 : index}> : () -> index
  BODY
}) : () -> ()
}) : () -> ()
"""

ENDS = (
    '"my.end"(%n, %n, %n) : (index, index, index) -> ()',
    '"my.fin"(%n) : (index) -> ()',
    '"my.fin"(%c) : (index) -> ()',
    '"my.nothing"() : () -> ()',
    '"my.way"(%n)[^a, ^b] : (index) -> ()\n ^a:\n "func.return"(%n) : (index) -> ()\n ^b:\n "my.end"() : () -> ()',
    '"my.held"(%n) ({\n "my.inner"(%n) : (index) -> ()\n }) : (index) -> ()',
    '%r = "my.op"(%n) : (index) -> index\n "func.return"(%r) : (index) -> ()',
    '"func.return"(%n) : (index) -> ()',
)


@pytest.mark.slow
@pytest.mark.parametrize(("source", "target"), list(product(ENDS, repeat=2)))
def test_unknown_ends_are_not_followed(source: str, target: str) -> None:
    found = compared(source, target, GENERIC)
    assert found.word == ("proved" if source == target else "undecided")
