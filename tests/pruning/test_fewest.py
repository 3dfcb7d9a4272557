"""Tests of hoisting a check to one that follows from it: removed and kept checks, and runs of both programs."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from shapesolve import refine
from shapesolve.errors import InputError
from shapesolve.execution.execution import Execution, Outcome, TensorInput
from shapesolve.execution.runner import execute_many
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pruning.prune import prune_program
from shapesolve.pruning.result import PruneResult

HEAD = """func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index, %m: memref<?xindex>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.dim %b, %c0 : tensor<?xf32>
"""
WEAK = '  %weak = arith.cmpi uge, %d, %c1 : index\n  cf.assert %weak, "weak"\n'
STRONG = '  %strong = arith.cmpi uge, %d, %c5 : index\n  cf.assert %strong, "strong"\n'


def body(text: str) -> str:
    return f"{HEAD}{text}\n  return %d : index\n}}"


def fewest(text: str, **options: object) -> PruneResult:
    """Prune, and require that nothing more goes when that is done again."""
    chosen = Options(**options)  # pyright: ignore[reportArgumentType]
    result = prune_program(read_text(text, "model.mlir"), chosen, fewest=True)
    again = prune_program(read_text(result.text, "model.mlir"), Options(), fewest=True)
    assert again.text == result.text
    return result


def gone(result: PruneResult) -> list[str]:
    return [each.message for each in result.removed]


MOVED = {
    "what makes the operand stands between": body(WEAK + STRONG),
    "what cannot fail stands between": body(WEAK + "  %s = arith.muli %d, %e : index\n" + STRONG),
    "what may be undefined stands between": body(WEAK + "  %q = arith.divsi %n, %d : index\n" + STRONG),
    "another check stands between": body(
        WEAK + '  %p = arith.cmpi eq, %e, %n : index\n  cf.assert %p, "other"\n' + STRONG
    ),
    "a read stands between": body(WEAK + "  %r = memref.load %m[%d] : memref<?xindex>\n" + STRONG),
    "what is known before is needed": body(
        '  %p = arith.cmpi eq, %d, %e : index\n  cf.assert %p, "other"\n'
        + WEAK
        + '  %q = arith.cmpi uge, %e, %c5 : index\n  cf.assert %q, "strong"\n'
    ),
}


MOVED["what makes it cannot wrap around"] = body(
    "  %big = arith.constant 1000000 : index\n"
    '  %few = arith.cmpi ult, %d, %big : index\n  cf.assert %few, "few"\n'
    + WEAK
    + "  %x = arith.muli %d, %c5 : index\n"
    '  %strong = arith.cmpi ugt, %x, %c5 : index\n  cf.assert %strong, "strong"\n'
)


@pytest.mark.slow
@pytest.mark.parametrize("case", MOVED)
def test_a_check_moves_up_to_one_that_follows_from_it(case: str) -> None:
    result = fewest(MOVED[case])
    assert gone(result) == ["weak"]
    assert any("moves up" in note for note in result.notes)
    (compared,) = refine(MOVED[case], result.text, execute=False)
    assert compared.word == "proved"


AGAIN = {
    "what moved stands before another one that it implies": (
        WEAK
        + '  %never = arith.cmpi ugt, %d, %d : index\n  cf.assert %never, "never"\n'
        + '  %middle = arith.cmpi uge, %d, %c2 : index\n  cf.assert %middle, "middle"\n'
        + STRONG,
        ["weak", "middle"],
    ),
    "what moves cuts off what was proved": (
        '  %p0 = arith.cmpi sle, %e, %d : index\n  cf.assert %p0, "least"\n  %s = arith.addi %d, %e : index\n'
        "  %t = arith.muli %d, %c2 : index\n"
        '  %p1 = arith.cmpi sge, %d, %s : index\n  cf.assert %p1, "empty"\n'
        '  %p2 = arith.cmpi eq, %c1, %d : index\n  cf.assert %p2, "one"\n'
        '  %p3 = arith.cmpi eq, %s, %s : index\n  cf.assert %p3, "always"\n'
        '  %p4 = arith.cmpi sle, %t, %e : index\n  cf.assert %p4, "twice"\n',
        ["empty", "always"],
    ),
}


@pytest.mark.parametrize("case", AGAIN)
def test_remaining_checks_are_decided_again(case: str) -> None:
    text, expected = AGAIN[case]
    assert gone(fewest(body(text))) == expected


def test_one_check_spares_several() -> None:
    middle = '  %two = arith.cmpi uge, %d, %c2 : index\n  cf.assert %two, "middle"\n'
    assert gone(fewest(body(WEAK + middle + STRONG))) == ["weak", "middle"]


def test_it_stands_where_the_first_of_them_stood() -> None:
    text = body(WEAK + "  %q = arith.divsi %n, %d : index\n" + STRONG + '  "x.use"(%q) : (index) -> ()')
    result = fewest(text)
    assert gone(result) == ["weak"]
    assert result.text.index('"strong"') < result.text.index("arith.divsi")


STAYS = {
    "a write stands between": body(WEAK + "  memref.store %d, %m[%c0] : memref<?xindex>\n" + STRONG),
    "what nobody knows stands between": body(WEAK + '  "x.y"() : () -> ()\n' + STRONG),
    "something is printed between": body(WEAK + "  vector.print %d : index\n" + STRONG),
    "a loop stands between": body(WEAK + "  scf.for %i = %c0 to %n step %c1 {\n  }\n" + STRONG),
    "a call stands between": "func.func private @g()\n" + body(WEAK + "  call @g() : () -> ()\n" + STRONG),
    "its operand may be undefined where the other failed": body(
        WEAK
        + "  %q = arith.divui %n, %d : index\n  %z = arith.muli %q, %c0 : index\n  %t = arith.addi %d, %z : index\n"
        + '  %strong = arith.cmpi uge, %t, %c5 : index\n  cf.assert %strong, "strong"\n'
    ),
    "its operand is read": body(
        WEAK
        + "  %r = memref.load %m[%c0] : memref<?xindex>\n  %s = arith.maxui %r, %c5 : index\n"
        + '  %strong = arith.cmpi uge, %d, %s : index\n  cf.assert %strong, "strong"\n'
    ),
    "it would follow from a product that wraps around where the other failed": body(
        "  %big = arith.constant 2305843009213693952 : index\n"
        '  %few = arith.cmpi ult, %d, %big : index\n  cf.assert %few, "weak"\n'
        "  %x = arith.muli %d, %c5 : index\n"
        '  %fewer = arith.cmpi ule, %x, %c5 : index\n  cf.assert %fewer, "strong"\n'
    ),
    "it stands in a branch": body(
        WEAK
        + "  %p = arith.cmpi eq, %e, %n : index\n  scf.if %p {\n"
        + '    %strong = arith.cmpi uge, %d, %c5 : index\n    cf.assert %strong, "strong"\n  }\n'
    ),
    "neither follows": body(WEAK + '  %p = arith.cmpi uge, %e, %c5 : index\n  cf.assert %p, "other"\n'),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", STAYS)
def test_programs_whose_checks_may_not_move_stay_as_they_are(case: str) -> None:
    result = fewest(STAYS[case])
    assert gone(result) == []
    assert result.text == STAYS[case]


def test_by_default_nothing_moves() -> None:
    text = body(WEAK + STRONG)
    assert prune_program(read_text(text, "model.mlir"), Options()).text == text


def test_checks_reachable_by_another_caller_do_not_move() -> None:
    """An operation defined for one caller's arguments need not be defined for another caller's."""
    text = """func.func private @helper(%n: index, %d: index) {
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %weak = arith.cmpi uge, %n, %c1 : index
  cf.assert %weak, "weak"
  %q = arith.divui %c5, %d : index
  %z = arith.subi %q, %q : index
  %t = arith.addi %n, %z : index
  %strong = arith.cmpi uge, %t, %c5 : index
  cf.assert %strong, "strong"
  return
}
func.func @f(%n: index) {
  %c5 = arith.constant 5 : index
  call @helper(%n, %c5) : (index, index) -> ()
  return
}"""
    assert gone(fewest(text)) == ["weak"]  # it is always divided by 5
    other = """
func.func @g(%n: index, %m: index) {
  call @helper(%n, %m) : (index, index) -> ()
  return
}"""
    assert gone(fewest(text + other, functions=("f",))) == []
    assert gone(fewest(text + other)) == []


def test_a_check_of_something_else_does_not_move() -> None:
    """Only a check that makes another one redundant moves."""
    other = '  %p = arith.cmpi eq, %e, %n : index\n  cf.assert %p, "other"\n'
    result = fewest(body(WEAK + other + STRONG))
    assert result.text.index('"strong"') < result.text.index('"other"')
    assert result.text.index("cf.assert %p") < result.text.index("return")


def test_witnesses_of_the_shape_dialect_move_too() -> None:
    text = """func.func @f(%a: tensor<2xindex>, %b: tensor<2xindex>) -> index {
  %w = shape.cstr_broadcastable %a, %b : tensor<2xindex>, tensor<2xindex>
  %v = shape.cstr_eq %a, %b : tensor<2xindex>, tensor<2xindex>
  %both = shape.assuming_all %w, %v
  %r = shape.assuming %both -> (index) {
    %c = arith.constant 1 : index
    shape.assuming_yield %c : index
  }
  return %r : index
}"""
    result = fewest(text)
    assert [each.op for each in result.removed][:1] == ["shape.cstr_broadcastable"]


def test_it_is_not_asked_for_with_checks_put_in() -> None:
    from shapesolve import prune

    with pytest.raises(InputError, match="give one of"):
        prune(body(WEAK + STRONG), fewest=True, harden=True)
    assert gone(prune(body(WEAK + STRONG), fewest=True)) == ["weak"]


# Executed --------------------------------------------------------------------------------------------------------

SIZED = ("%d", "%e", "%c1", "%c2", "%s", "%t")
SMALL = """func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.dim %b, %c0 : tensor<?xf32>
  %s = arith.addi %d, %e : index
  %t = arith.muli %d, %c2 : index
  %kept = memref.alloc() : memref<1xindex>
"""


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Functions that check their sizes, and compute and store between the checks."""
    lines: list[str] = []
    for number in range(draw(st.integers(2, 6))):
        left, right = draw(st.sampled_from(SIZED)), draw(st.sampled_from(SIZED))
        match draw(st.sampled_from(("check", "check", "check", "compute", "store"))):
            case "check":
                predicate = draw(st.sampled_from(("eq", "sle", "sge", "sgt")))
                lines.append(f"  %p{number} = arith.cmpi {predicate}, {left}, {right} : index")
                lines.append(f'  cf.assert %p{number}, "check {number}"')
            case "compute":
                lines.append(f"  %x{number} = arith.addi {left}, {right} : index")
            case _:
                lines.append(f"  memref.store {left}, %kept[%c0] : memref<1xindex>")
    return SMALL + "\n".join(lines) + "\n  return %s : index\n}"


def ran(text: str) -> list[Execution]:
    runs = [[TensorInput((size,)) for size in each] for each in product(range(4), repeat=2)]
    return execute_many(text, "f", runs, runtime_checks=False)


@pytest.mark.exhaustive
@examples(25)
@given(programs())
def test_a_program_with_moved_checks_ends_as_the_original_does(text: str) -> None:
    result = fewest(text)
    if result.text == text:
        return
    before, after = ran(text), ran(result.text)
    assert all(each.outcome in (Outcome.RETURNED, Outcome.ABORTED) for each in before), before[0]
    assert [(each.outcome, each.result_extents) for each in after] == [
        (each.outcome, each.result_extents) for each in before
    ]


def test_assumptions_on_one_function_prevent_no_wrapping_in_another() -> None:
    """Both call their argument %n; 2^24 times 2^40 is 0, which the second check of @g does not notice."""
    text = """func.func @f(%n: index) -> index attributes {shapesolve.assume = ["n <= 100", "n >= 0"]} {
  return %n : index
}
func.func @g(%n: index) -> index {
  %factor = arith.constant 1099511627776 : index
  %limit = arith.constant 549755813888000 : index
  %k = arith.constant 1000 : index
  %few = arith.cmpi ule, %n, %k : index
  cf.assert %few, "few"
  %m = arith.muli %n, %factor : index
  %small = arith.cmpi ule, %m, %limit : index
  cf.assert %small, "small"
  return %n : index
}"""
    assert gone(fewest(text)) == []


NATURAL_BEFORE = """func.func @f(%s: tensor<?xindex>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %t = shape.shape_of %x : tensor<?xf32> -> tensor<1xindex>
  %u = shape.shape_of %y : tensor<?xf32> -> tensor<1xindex>
  %v = shape.cstr_broadcastable %t, %u : tensor<1xindex>, tensor<1xindex>
  %d = tensor.extract %s[%c0] : tensor<?xindex>
  %natural = arith.cmpi sge, %d, %c0 : index
  cf.assert %natural, "negative"
  %w = shape.cstr_broadcastable %s, %t, %u : tensor<?xindex>, tensor<1xindex>, tensor<1xindex>
  return %d : index
}"""


@pytest.mark.slow
def test_what_takes_a_tensor_for_a_shape_stays_behind_a_check_of_its_elements() -> None:
    """A tensor of -1 does broadcast at run time."""
    assert '"negative"' in fewest(NATURAL_BEFORE).text
