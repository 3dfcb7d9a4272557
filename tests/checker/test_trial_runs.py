"""Runs at a few small sizes, for claims about values that loops change in a way that is not followed."""

from __future__ import annotations

import pytest

from shapesolve import check
from shapesolve.checker.check import trace_of
from shapesolve.checker.confirmation import MOST_TRIED, trial_sizes
from shapesolve.checker.size_dependence import SizeDependence
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.solver.verdicts import Refuted, Undecided, Verdict
from shapesolve.symbolic.evaluation import holds_if_determined
from shapesolve.symbolic.named_sizes import NamedSizes

CARRIED = """func.func @f(%x: tensor<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c1) -> (index) {
    INSIDE
    scf.yield %b : index
  }
  AFTER
  return %r : index
}
"""
DOUBLED = "%b = arith.muli %a, %c2 : index"
BELOW = '%ok = arith.cmpi ult, VALUE, %d : index cf.assert %ok, "below"'

PLACE = """func.func @f(%x: tensor<?xf32>, %n: index, %zero: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c1, %s = %zero) -> (index, f32) {
    %e = tensor.extract %x[%a] : tensor<?xf32>
    %t = arith.addf %s, %e : f32
    %b = arith.muli %a, %c2 : index
    scf.yield %b, %t : index, f32
  }
  return %r#1 : f32
}
"""

COUNT_OF_DATA = """func.func @f(%ids: tensor<?xi64>, %x: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %least = arith.constant 1 : i64
  %d = tensor.dim %ids, %c0 : tensor<?xi64>
  %dx = tensor.dim %x, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %d step %c1 iter_args(%a = %c0) -> (index) {
    %e = tensor.extract %ids[%i] : tensor<?xi64>
    %p = arith.cmpi sge, %e, %least : i64
    %more = arith.addi %a, %c1 : index
    %b = arith.select %p, %more, %a : index
    scf.yield %b : index
  }
  %ok = arith.cmpi ule, %r, %dx : index
  cf.assert %ok, "no more large elements than places"
  return %r : index
}
"""


FOLD = """func.func @f(%s: !shape.shape) {
  %c0 = arith.constant 0 : index
  %r = shape.reduce(%s, %c0) : !shape.shape -> index {
  ^bb0(%i: index, %e: !shape.size, %a: index):
    %n = arith.subi %a, %i : index
    shape.yield %n : index
  }
  %ok = arith.cmpi eq, %r, %c0 : index
  cf.assert %ok, "no rank above 1"
  return
}
"""


def program(inside: str, after: str = "") -> str:
    """Return a loop that carries an index, with operations inside and behind it."""
    return CARRIED.replace("INSIDE", inside).replace("AFTER", after)


def verdict(text: str, line: str, **options: object) -> Verdict:
    """Return the only verdict on an operation of one line of a program."""
    number = next(at for at, each in enumerate(text.splitlines(), 1) if line in each)
    report = check(text, **options)  # type: ignore[arg-type]
    (function,) = report.functions
    found = [each for each in function.checked_obligations if each.obligation.op.location.line == number]
    return found[-1].verdict


def numbers(sizes: NamedSizes) -> dict[str, int]:
    """Return the sizes that are numbers, by name."""
    return {each.name: size for each, size in sizes.items() if isinstance(size, int)}


@pytest.mark.process
@pytest.mark.parametrize(
    ("text", "line", "sizes"),
    [
        (program(f"{BELOW.replace('VALUE', '%a')} {DOUBLED}"), '"below"', {"x[0]": 2, "n": 2}),
        (program(DOUBLED, BELOW.replace("VALUE", "%r")), '"below"', {"x[0]": 2, "n": 2}),
        (PLACE, "tensor.extract", {"x[0]": 2, "n": 2}),
    ],
    ids=["check inside", "check behind", "place"],
)
def test_carried_value_is_refuted_at_the_first_sizes_of_a_failing_run(
    text: str, line: str, sizes: dict[str, int]
) -> None:
    found = verdict(text, line)
    assert isinstance(found, Refuted)
    assert found.strategy == "execution"
    assert numbers(found.sizes) == sizes


@pytest.mark.process
def test_shape_of_unknown_rank_is_tried_at_a_few_ranks() -> None:
    found = verdict(FOLD, "cf.assert")
    assert isinstance(found, Refuted)
    assert list(found.sizes.values()) == [(2, 2)]


@pytest.mark.process
def test_runs_keep_to_what_is_assumed() -> None:
    found = verdict(program(DOUBLED, BELOW.replace("VALUE", "%r")), '"below"', assume=["n <= 2", "x[0] >= 4"])
    assert isinstance(found, Refuted)
    sizes = numbers(found.sizes)
    assert sizes["x[0]"] >= 4
    assert sizes["n"] <= 2


@pytest.mark.process
def test_check_that_holds_in_all_runs_stays_undecided() -> None:
    text = program(DOUBLED, BELOW.replace("VALUE", "%r"))
    assert isinstance(verdict(text, '"below"', assume=["n <= 2", "x[0] >= 5"]), Undecided)


@pytest.mark.process
def test_count_of_data_is_not_tried() -> None:
    assert isinstance(verdict(COUNT_OF_DATA, "cf.assert"), Undecided)
    parsed = read_text(COUNT_OF_DATA)
    (function,) = parsed.functions.values()
    dependence = SizeDependence(parsed, function)
    decided = {op.name: dependence.is_decided_by_sizes(op) for op in function.operation.walk()}
    assert decided["tensor.extract"]
    assert not decided["cf.assert"]


READS = {
    "buffer": "%m = memref.alloc() : memref<index> %b = memref.load %m[] : memref<index>",
    "float": (
        "%w = arith.index_cast %a : index to i64 %h = arith.sitofp %w : i64 to f64 "
        "%g = arith.fptosi %h : f64 to i64 %b = arith.index_cast %g : i64 to index"
    ),
    "call": "%b = func.call @other(%a) : (index) -> index",
    "one of several shapes": (
        "%k = shape.const_size 2 %s = shape.index_to_size %a %l = shape.from_extents %s : !shape.size "
        "%y = shape.any %l, %l : !shape.shape, !shape.shape -> !shape.shape "
        "%g = shape.get_extent %y, %k : !shape.shape, !shape.size -> !shape.size "
        "%b = shape.size_to_index %g : !shape.size"
    ),
    "contents": "%t = tensor.from_elements %a : tensor<1xindex> %b = tensor.extract %t[%c0] : tensor<1xindex>",
}


@pytest.mark.parametrize("inside", READS.values(), ids=READS)
def test_what_reads_contents_floats_or_another_function_is_not_decided_by_sizes(inside: str) -> None:
    text = program(inside, BELOW.replace("VALUE", "%r")) + "func.func private @other(index) -> index"
    parsed = read_text(text)
    function = parsed.functions["f"]
    asserted = next(op for op in function.operation.walk() if op.name == "cf.assert")
    assert not SizeDependence(parsed, function).is_decided_by_sizes(asserted)


def test_branch_on_contents_decides_what_it_holds() -> None:
    text = program(
        "%m = memref.alloc() : memref<i1> %p = memref.load %m[] : memref<i1> "
        f"scf.if %p {{ {BELOW.replace('VALUE', '%a')} }} {DOUBLED}"
    )
    parsed = read_text(text)
    function = parsed.functions["f"]
    asserted = next(op for op in function.operation.walk() if op.name == "cf.assert")
    assert not SizeDependence(parsed, function).is_decided_by_sizes(asserted)


def test_sizes_of_trials_are_few_and_admitted() -> None:
    text = program(DOUBLED)
    parsed = read_text(text)
    (function,) = parsed.functions.values()
    trace = trace_of(parsed, function, Options(assumptions=("n % 2 == 1", "x[0] >= n")))
    known = NamedSizes(dict.fromkeys(trace.input_variables, 1))
    found = trial_sizes(trace, known)
    assert 1 < len(found) <= MOST_TRIED
    assert len({str(each) for each in found}) == len(found)
    for each in found:
        assert all(holds_if_determined(fact.formula, each) for fact in trace.assumptions)
        sizes = numbers(each)
        assert sizes["n"] % 2 == 1
        assert sizes["x[0]"] >= sizes["n"]


def test_flags_are_true_or_false() -> None:
    text = program(DOUBLED).replace("%n: index)", "%n: index, %flag: i1, %byte: i8)")
    parsed = read_text(text)
    (function,) = parsed.functions.values()
    trace = trace_of(parsed, function, Options(min_size=3))
    found = [numbers(each) for each in trial_sizes(trace, NamedSizes(dict.fromkeys(trace.input_variables, 3)))]
    assert {each["flag"] for each in found} == {0, 1}
    assert {each["x[0]"] for each in found} == {3, 4, 5}


def test_a_function_without_arguments_is_tried_once() -> None:
    """Its extents are contents of memory; the sizes of nothing were compared."""
    parsed = read_text("func.func @f() { return }")
    (function,) = parsed.functions.values()
    assert [dict(each) for each in trial_sizes(trace_of(parsed, function, Options()), NamedSizes({}))] == [{}]
