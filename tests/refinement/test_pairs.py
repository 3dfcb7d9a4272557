"""Tests of delicate pairs of programs, one aspect each."""

from __future__ import annotations

import pytest

from shapesolve.errors import InputError
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.outcome import Ending, Refinement
from shapesolve.refinement.refine import refine_programs
from shapesolve.solver.verdicts import Refuted, Undecided, UndecidedReason

CONSTANTS = "  %0 = arith.constant 0 : index\n  %1 = arith.constant 1 : index\n  %2 = arith.constant 2 : index\n"


def function(body: str, arguments: str = "%n: index, %m: index", results: str = "index") -> str:
    return f"func.func @f({arguments}) -> {results} {{\n{CONSTANTS}{body}\n}}"


def compared(source: str, target: str, *, allow_lost_checks: bool = False, execute: bool = False) -> Refinement:
    options = Options(execute=execute)
    (found,) = refine_programs(read_text(source), read_text(target), options, allow_lost_checks=allow_lost_checks)
    return found


def endings(found: Refinement) -> tuple[Ending, Ending]:
    return found.refuted[0].source.ending, found.refuted[0].target.ending


LESS = "  %p = arith.cmpi ult, %n, %m : index\n"
CHECK = '  cf.assert %p, "n is less"\n'
DIVIDE = "  %q = arith.divui %n, %m : index\n"
END = "  return %n : index"


def test_a_lost_check_is_refuted_unless_allowed() -> None:
    source, target = function(LESS + CHECK + END), function(END)
    assert endings(compared(source, target)) == (Ending.ABORTS, Ending.RETURNS)
    assert compared(source, target, allow_lost_checks=True).word == "proved"


def test_an_added_check_is_refuted() -> None:
    source, target = function(END), function(LESS + CHECK + END)
    assert endings(compared(source, target)) == (Ending.RETURNS, Ending.ABORTS)
    assert endings(compared(source, target, allow_lost_checks=True)) == (Ending.RETURNS, Ending.ABORTS)


def test_checks_in_another_order() -> None:
    other = '  %o = arith.cmpi ult, %m, %n : index\n  cf.assert %o, "m is less"\n'
    assert compared(function(LESS + CHECK + other + END), function(LESS + other + CHECK + END)).word == "proved"


def test_undefined_before_a_check_permits_more_than_after_it() -> None:
    first = function(DIVIDE + LESS + CHECK + END)
    last = function(LESS + CHECK + DIVIDE + END)
    assert compared(first, last).word == "proved"
    swapped = function("  %p = arith.cmpi ne, %m, %0 : index\n" + CHECK + DIVIDE + END)
    undefined = function(DIVIDE + "  %p = arith.cmpi ne, %m, %0 : index\n" + CHECK + END)
    assert compared(undefined, swapped).word == "proved"
    found = compared(swapped, undefined)
    assert endings(found) == (Ending.ABORTS, Ending.UNDEFINED)
    assert compared(swapped, undefined, allow_lost_checks=True).word == "proved"


def test_undefined_made_defined() -> None:
    safe = "  %z = arith.cmpi eq, %m, %0 : index\n  %d = arith.select %z, %1, %m : index\n"
    safe += "  %q = arith.divui %n, %d : index\n"
    source, target = function(DIVIDE + "  return %q : index"), function(safe + "  return %q : index")
    assert compared(source, target).word == "proved"
    assert endings(compared(target, source)) == (Ending.RETURNS, Ending.UNDEFINED)


@pytest.mark.process
def test_a_size_that_changes_for_0_only() -> None:
    arguments, results = "%a: tensor<?xf32>", "tensor<?xf32>"
    source = "  %d = tensor.dim %a, %0 : tensor<?xf32>\n"
    made = "  %t = tensor.empty({}) : tensor<?xf32>\n  return %t : tensor<?xf32>"
    grown = "  %e = arith.maxui %d, %1 : index\n"
    found = compared(
        function(source + made.format("%d"), arguments, results),
        function(source + grown + made.format("%e"), arguments, results),
        execute=True,
    )
    assert (found.word, found.from_size) == ("refuted", 1)
    finding = found.refuted[0]
    assert isinstance(finding.verdict, Refuted)
    assert finding.verdict.needs == "some size is 0"
    assert finding.executed is not None
    assert finding.executed.confirms
    assert finding.executed.source.result_extents == ((0,),)
    assert finding.executed.target.result_extents == ((1,),)


def test_dead_code_changes_nothing() -> None:
    dead = "  %f = arith.constant false\n  scf.if %f {\n" + "  " + '    cf.assert %f, "never"\n  }\n'
    assert compared(function(END), function(dead + END)).word == "proved"
    assert compared(function(dead + END), function(END)).word == "proved"


def test_a_source_that_is_always_undefined_permits_anything_and_says_so() -> None:
    never = "  %q = arith.divui %n, %0 : index\n"
    found = compared(function(never + END), function("  return %m : index"))
    assert found.word == "proved"
    assert not found.source_returns
    assert found.notes == ("the source never returns",)


LOOP = """  scf.for %i = %0 to %n step %1 {{
    %p = arith.cmpi {}, %i, %m : index
    cf.assert %p, "in range"
  }}
"""


def test_a_check_in_a_loop() -> None:
    inside = LOOP.format("ult")
    outside = '  %fits = arith.cmpi ule, %n, %m : index\n  cf.assert %fits, "all in range"\n'
    # A check of the last iteration alone decides for all of them: the loop can be proved away ...
    arguments = "%a: tensor<?xf32>, %b: tensor<?xf32>"
    sizes = "  %n = tensor.dim %a, %0 : tensor<?xf32>\n  %m = tensor.dim %b, %0 : tensor<?xf32>\n"
    found = compared(function(sizes + outside + END, arguments), function(sizes + outside + inside + END, arguments))
    assert found.word == "proved"
    # ... and a check that is lost inside one is seen.
    lost = compared(function(sizes + inside + END, arguments), function(sizes + END, arguments))
    assert endings(lost) == (Ending.ABORTS, Ending.RETURNS)
    # Nobody claims more of another loop than is known: an iteration here is not one there.
    other = compared(function(sizes + inside + END, arguments), function(sizes + LOOP.format("ule") + END, arguments))
    assert other.word != "proved"


def test_iterations_of_different_loops_are_not_confused() -> None:
    arguments = "%a: tensor<?xf32>, %b: tensor<?xf32>"
    sizes = "  %n = tensor.dim %a, %0 : tensor<?xf32>\n  %m = tensor.dim %b, %0 : tensor<?xf32>\n"
    short, long = LOOP.format("ult"), LOOP.format("ult").replace("to %n", "to %more")
    more = "  %more = arith.addi %n, %1 : index\n"
    found = compared(function(sizes + short + END, arguments), function(sizes + more + long + END, arguments))
    assert found.word != "proved"


def test_unknown_data_is_the_same_only_where_it_is_computed_in_the_same_way() -> None:
    arguments = "%a: tensor<?xf32>, %x: f32, %y: f32"
    test = "  %p = arith.cmpf {}, %x, %y : f32\n" + CHECK + "  return %0 : index"
    same = function(test.format("olt"), arguments)
    assert compared(same, function("  %unused = arith.addi %0, %1 : index\n" + test.format("olt"), arguments)).word == (
        "proved"
    )
    found = compared(same, function(test.format("ogt"), arguments))
    assert found.word == "undecided"
    assert isinstance(found.undecided[0].verdict, Undecided)
    assert found.undecided[0].verdict.reason_kind is UndecidedReason.APPROXIMATION


def test_two_readings_of_a_buffer_may_differ() -> None:
    arguments = "%a: memref<?xindex>, %n: index"
    read = "  %v = memref.load %a[%0] : memref<?xindex>\n  return %v : index"
    written = "  memref.store %n, %a[%0] : memref<?xindex>\n"
    assert compared(function(read, arguments), function(read, arguments)).word == "proved"
    assert compared(function(read, arguments), function(written + read, arguments)).word == "undecided"


def test_an_unknown_operation_is_undecided_on_either_side() -> None:
    odd = '  "test.odd"(%n) : (index) -> ()\n'
    assert compared(function(END), function(odd + END)).word == "undecided"
    assert compared(function(odd + END), function(END)).word == "undecided"
    assert compared(function(odd + END), function("  %u = arith.addi %n, %1 : index\n" + odd + END)).word == "proved"
    dropped = compared(function(odd + END), function(END), allow_lost_checks=True)  # nobody knows what it does besides
    assert [each.question for each in dropped.undecided] == ["the effects are the same, in the same order"]


def test_a_branch_that_is_not_followed_refutes_nothing() -> None:
    """The sum stands where the sizes are equal; where that is computed in a way that is not followed, nobody knows."""
    arguments, results = "%a: tensor<?xf32>, %b: tensor<?xf32>", "tensor<?xf32>"
    head = (
        "  %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"
        "  %m = stablehlo.get_dimension_size %b, dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"
    )
    followed = "  %p = stablehlo.compare EQ, %n, %m, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    generic = (
        "  %into = tensor.empty() : tensor<i1>\n"
        "  %p = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>],\n"
        "      iterator_types = []} ins(%n, %m : tensor<i32>, tensor<i32>) outs(%into : tensor<i1>) {\n"
        "  ^bb0(%x: i32, %y: i32, %old: i1):\n"
        "    %e = arith.cmpi eq, %x, %y : i32\n"
        "    linalg.yield %e : i1\n"
        "  } -> tensor<i1>\n"
    )
    mapped = (
        '  %p = "stablehlo.map"(%n, %m) <{dimensions = array<i64>}> ({\n'
        "  ^bb0(%x: tensor<i32>, %y: tensor<i32>):\n"
        "    %e = stablehlo.compare EQ, %x, %y, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        "    stablehlo.return %e : tensor<i1>\n"
        "  }) : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    )
    end = (
        '  %r = "stablehlo.if"(%p) ({\n'
        "    %s = stablehlo.add %a, %b : tensor<?xf32>\n"
        "    stablehlo.return %s : tensor<?xf32>\n"
        "  }, {\n"
        "    stablehlo.return %a : tensor<?xf32>\n"
        "  }) : (tensor<i1>) -> tensor<?xf32>\n"
        "  return %r : tensor<?xf32>"
    )
    source = function(head + followed + end, arguments, results)
    assert compared(source, function(head + mapped + end, arguments, results)).word == "undecided"
    assert compared(source, function(head + generic + end, arguments, results)).word == "proved"


def test_names_of_arguments_do_not_matter_but_their_order_does() -> None:
    source = "func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {\n" + CONSTANTS
    target = "func.func @f(%b: tensor<?xf32>, %a: tensor<?xf32>) -> index {\n" + CONSTANTS
    size = "  %d = tensor.dim {}, %0 : tensor<?xf32>\n  return %d : index\n}}"
    assert compared(source + size.format("%a"), target + size.format("%b")).word == "proved"
    assert endings(compared(source + size.format("%a"), target + size.format("%a"))) == (Ending.RETURNS, Ending.RETURNS)


@pytest.mark.parametrize(
    ("type", "reason"),
    [
        ("tensor<?x?xf32>", "argument 0 is tensor<?xf32> in the source and tensor<?x?xf32> in the target"),
        ("tensor<?xf64>", "argument 0 is tensor<?xf32> in the source"),
        ("tensor<?xf32>, %more: index", "@f has 1 argument, @f has 2"),
    ],
)
def test_signatures_that_differ_are_an_input_error(type: str, reason: str) -> None:
    source, target = (f"func.func @f(%a: {each}) {{\n  return\n}}" for each in ("tensor<?xf32>", type))
    with pytest.raises(InputError) as error:
        compared(source, target)
    assert reason in str(error.value)


def test_a_target_with_more_static_types_takes_less() -> None:
    wide = "func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {\n  return %a : tensor<?xf32>\n}"
    narrow = "func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {\n  return %a : tensor<2xf32>\n}"
    assert compared(narrow, wide).word == "proved"
    found = compared(wide, narrow)
    assert endings(found) == (Ending.RETURNS, Ending.UNDEFINED)
    assert "extent 0 of %a is 2" in found.refuted[0].target.words


def test_a_function_that_the_target_lacks_is_an_input_error() -> None:
    two = "func.func @f() {\n  return\n}\nfunc.func @g() {\n  return\n}"
    one = "func.func @g() {\n  return\n}\nfunc.func @h() {\n  return\n}"
    with pytest.raises(InputError, match="no function @f; it has: @g, @h"):
        compared(two, one)


def test_unranked_arguments_are_compared_for_all_ranks() -> None:
    source = "func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>) -> tensor<*xf32> {\n"
    assertion = (
        "  %s = shape.shape_of %a : tensor<*xf32> -> tensor<?xindex>\n"
        "  %t = shape.shape_of %b : tensor<*xf32> -> tensor<?xindex>\n"
        "  %w = shape.cstr_broadcastable {} : tensor<?xindex>, tensor<?xindex>\n"
        "  return %a : tensor<*xf32>\n}}"
    )
    ordered, turned = (source + assertion.format(each) for each in ("%s, %t", "%t, %s"))
    assert compared(ordered, turned).word == "proved"
    assert endings(compared(ordered, source + "  return %a : tensor<*xf32>\n}")) == (Ending.ABORTS, Ending.RETURNS)


def _stated(extent: str, body: str) -> str:
    return f"""func.func @f(%x: tensor<?xf32> {{shapesolve.shape = "[{extent}]"}}) -> index {{
{CONSTANTS}  %d = tensor.dim %x, %0 : tensor<?xf32>
{body}
}}"""


def test_names_of_sizes_are_found_again_in_expressions() -> None:
    source = _stated("2*s + 1", "  return %d : index")
    target = _stated(
        "2*k + 1", "  %o = arith.remui %d, %2 : index\n  %r = arith.muli %o, %d : index\n  return %r : index"
    )
    assert compared(source, target).word == "proved"
    assert compared(target, source).word == "proved"
    # What the target states goes beyond what the source does: there are even sizes.
    assert compared(_stated("k", "  return %d : index"), target).word == "refuted"
    assert compared(_stated("4*s + 1", "  return %d : index"), target).word == "proved"
    assert compared(source, _stated("4*s + 1", "  return %d : index")).word == "refuted"


def _calling(states: str) -> str:
    return (
        f"func.func private @h(%n: index) -> index attributes {{shapesolve.requires = [{states}]}}\n"
        "func.func @f(%n: index) -> index {\n  %r = func.call @h(%n) : (index) -> index\n  return %r : index\n}"
    )


def test_a_target_may_require_less_of_what_it_calls_and_no_more() -> None:
    some, all = _calling('"arg0 >= 1"'), _calling("")
    assert compared(some, some).identical
    assert compared(some, all).word == "proved"
    found = compared(all, some)
    assert found.word == "refuted"
    assert endings(found) == (Ending.RETURNS, Ending.UNDEFINED)
