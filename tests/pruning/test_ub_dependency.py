"""Test that undefined behavior neither justifies nor prevents the removal of a check: it must hold for every value."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from support.pruned_programs import gone, prune

from shapesolve.execution.execution import Outcome, ScalarInput, TensorInput
from shapesolve.execution.runner import execute_many

HEAD = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.dim %b, %c0 : tensor<?xf32>
"""
ARGUMENTS = "%a: tensor<?xf32>, %b: tensor<?xf32>, %m: memref<?xf32>, %n: index"


def body(text: str) -> str:
    """A function of these operations."""
    return f"func.func @f({ARGUMENTS}) {{{HEAD}{text}\n  return\n}}"


def asserting(left: str, predicate: str, right: str) -> str:
    """An assertion that compares two indices."""
    return f'  %p = arith.cmpi {predicate}, {left}, {right} : index\n  cf.assert %p, "check"'


NOT_TAINTED = {
    "a quotient that is not chosen": """
  %q = arith.divsi %d, %n : index
  %neg = arith.cmpi slt, %d, %c0 : index
  %s = arith.select %neg, %q, %d : index
  %p = arith.cmpi eq, %s, %d : index""",
    "a claim in which a quotient cancels": """
  %q = arith.divui %d, %n : index
  %s = arith.addi %q, %d : index
  %t = arith.subi %s, %q : index
  %p = arith.cmpi eq, %t, %d : index""",
    "any extent is at least 0": """
  %r = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %x = tensor.dim %r, %c0 : tensor<?xf32>
  %p = arith.cmpi sge, %x, %c0 : index""",
    "a quotient where its divisor was compared before": """
  %q = arith.divsi %d, %n : index
  %o = arith.cmpi sgt, %n, %c0 : index
  %l = arith.cmpi sle, %q, %d : index
  %true = arith.constant true
  %not = arith.xori %o, %true : i1
  %p = arith.ori %l, %not : i1""",
    "the sum that tensors are joined to": """
  %j = tensor.concat dim(0) %y, %z : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %x = tensor.dim %j, %c0 : tensor<?x?xf32>
  %s = arith.addi %d, %e : index
  %p = arith.cmpi eq, %x, %s : index""",
    "the size of a buffer that is expanded": """
  %o = memref.expand_shape %m [[0, 1]] output_shape [%n, 2] : memref<?xf32> into memref<?x2xf32>
  %x = memref.dim %o, %c0 : memref<?x2xf32>
  %p = arith.cmpi eq, %x, %n : index""",
}
MATRICES = """
  %y = tensor.empty(%d, %n) : tensor<?x?xf32>
  %z = tensor.empty(%e, %d) : tensor<?x?xf32>"""


@pytest.mark.slow
@pytest.mark.parametrize("what", NOT_TAINTED)
def test_checks_true_under_any_undefined_result_go(what: str) -> None:
    head = MATRICES if "%y" in NOT_TAINTED[what] else ""
    assert gone(prune(body(f'{head}{NOT_TAINTED[what]}\n  cf.assert %p, "check"'))) == ["check"]


LICENCES = {
    "a buffer cast there and back": """
  %s = memref.cast %m : memref<?xf32> to memref<4xf32>
  %t = memref.cast %s : memref<4xf32> to memref<?xf32>
  %x = memref.dim %t, %c0 : memref<?xf32>""",
    "a tensor cast there and back": """
  %s = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
  %t = tensor.cast %s : tensor<4xf32> to tensor<?xf32>
  %x = tensor.dim %t, %c0 : tensor<?xf32>""",
    "a tensor cast, chosen, and cast back": """
  %s = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
  %u = tensor.empty() : tensor<4xf32>
  %o = arith.cmpi eq, %n, %c0 : index
  %w = arith.select %o, %s, %u : tensor<4xf32>
  %t = tensor.cast %w : tensor<4xf32> to tensor<?xf32>
  %x = tensor.dim %t, %c0 : tensor<?xf32>""",
    "a tensor cast in a branch, and cast back behind it": """
  %o = arith.cmpi eq, %n, %c0 : index
  %w = scf.if %o -> tensor<4xf32> {
    %s = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    %u = tensor.empty() : tensor<4xf32>
    scf.yield %u : tensor<4xf32>
  }
  %t = tensor.cast %w : tensor<4xf32> to tensor<?xf32>
  %x = tensor.dim %t, %c0 : tensor<?xf32>""",
    "a tensor cast in one iteration, and cast back behind the loop": """
  %u = tensor.empty() : tensor<4xf32>
  %w = scf.for %i = %c0 to %d step %c1 iter_args(%v = %u) -> tensor<4xf32> {
    %s = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  %t = tensor.cast %w : tensor<4xf32> to tensor<?xf32>
  %x = tensor.dim %t, %c0 : tensor<?xf32>""",
    "a tensor cast, filled, and cast back": """
  %z = arith.constant 0.0 : f32
  %s = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
  %w = linalg.fill ins(%z : f32) outs(%s : tensor<4xf32>) -> tensor<4xf32>
  %t = tensor.cast %w : tensor<4xf32> to tensor<?xf32>
  %x = tensor.dim %t, %c0 : tensor<?xf32>""",
    "a tensor cast, handed to a function, and cast back": """
  %s = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
  %w = func.call @same(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = tensor.cast %w : tensor<4xf32> to tensor<?xf32>
  %x = tensor.dim %t, %c0 : tensor<?xf32>""",
    "an extent that is asked for by a number": """
  %s = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
  %k = arith.subi %n, %n : index
  %l = arith.minsi %n, %c0 : index
  %x = tensor.dim %s, %l : tensor<4xf32>""",
    "a sum whose type says too much": """
  %r = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<4xf32>
  %t = tensor.cast %r : tensor<4xf32> to tensor<?xf32>
  %x = tensor.dim %t, %c0 : tensor<?xf32>""",
}
SAME = "\nfunc.func private @same(%t: tensor<4xf32>) -> tensor<4xf32> {\n  return %t : tensor<4xf32>\n}"


@pytest.mark.slow
@pytest.mark.parametrize("what", LICENCES)
def test_an_extent_that_a_cast_claims_without_proof_is_no_fact(what: str) -> None:
    text = body(f"{LICENCES[what]}\n{asserting('%x', 'eq', '%c4')}") + SAME
    careful = prune(text)
    assert gone(careful) == []
    (check,) = (each for each in careful.kept if each.op == "cf.assert")
    assert "redundant only if" in check.reason
    assert "--trust-ub would remove it" in check.reason
    assert gone(prune(text, trust_ub=True)) == ["check"]


def test_consequences_of_a_proved_claim_are_believed() -> None:
    text = body(f"{LICENCES['a tensor cast there and back']}\n{asserting('%x', 'eq', '%c4')}")
    assert gone(prune(text, assumptions=("a[0] == 4",))) == ["check"]


def test_a_function_that_is_undefined_for_all_admitted_sizes_is_named() -> None:
    """A check removed without the assumptions is removed with them, even behind a cast that always fails."""
    text = body(f"""
  %s = tensor.cast %a : tensor<?xf32> to tensor<1xf32>
  %r = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %x = tensor.dim %r, %c0 : tensor<?xf32>
{asserting("%x", "sge", "%c0")}""")
    for options in ({}, {"trust_ub": True}, {"min_size": 2}, {"min_size": 2, "trust_ub": True}):
        result = prune(text, **options)
        assert gone(result) == ["check"], options
        never = [(each.function, each.op, each.location.line) for each in result.certain_failures]
        assert never == ([("f", "tensor.cast", 9)] if "min_size" in options else []), options


# Any program ---------------------------------------------------------------------------------------------------------

SOURCES = {
    "quotient": "  %x{n} = arith.divsi {i}, {j} : index",
    "share": "  %x{n} = arith.ceildivsi {i}, {j} : index",
    "rest": "  %x{n} = arith.remui {i}, {j} : index",
    "sum of tensors": """
  %t{n} = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %x{n} = tensor.dim %t{n}, %c0 : tensor<?xf32>""",
    "cast": """
  %s{n} = tensor.cast %a : tensor<?xf32> to tensor<2xf32>
  %t{n} = tensor.cast %s{n} : tensor<2xf32> to tensor<?xf32>
  %x{n} = tensor.dim %t{n}, %c0 : tensor<?xf32>""",
    "buffer cast": """
  %s{n} = memref.cast %m : memref<?xf32> to memref<2xf32>
  %t{n} = memref.cast %s{n} : memref<2xf32> to memref<?xf32>
  %x{n} = memref.dim %t{n}, %c0 : memref<?xf32>""",
    "static": """
  %s{n} = memref.cast %m : memref<?xf32> to memref<2xf32>
  %x{n} = memref.dim %s{n}, %c0 : memref<2xf32>""",
    "joined": """
  %y{n} = tensor.empty({i}, {j}) : tensor<?x?xf32>
  %z{n} = tensor.empty(%d, %e) : tensor<?x?xf32>
  %t{n} = tensor.concat dim(0) %y{n}, %z{n} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %x{n} = tensor.dim %t{n}, %c{axis} : tensor<?x?xf32>""",
    "expanded": """
  %t{n} = memref.expand_shape %m [[0, 1]] output_shape [{i}, 2] : memref<?xf32> into memref<?x2xf32>
  %x{n} = memref.dim %t{n}, %c0 : memref<?x2xf32>""",
    "slice": """
  %t{n} = tensor.extract_slice %a[0] [{i}] [1] : tensor<?xf32> to tensor<?xf32>
  %x{n} = tensor.dim %t{n}, %c0 : tensor<?xf32>""",
    "chosen": """
  %q{n} = arith.divsi {i}, {j} : index
  %o{n} = arith.cmpi sgt, {j}, %c0 : index
  %x{n} = arith.select %o{n}, %q{n}, {i} : index""",
    "guarded": """
  %o{n} = arith.cmpi sgt, {j}, %c0 : index
  %x{n} = scf.if %o{n} -> index {{
    %q{n} = arith.divsi {i}, {j} : index
    scf.yield %q{n} : index
  }} else {{
    scf.yield {i} : index
  }}""",
}


def _right_of(source: str, numbers: list[str]) -> list[str]:
    """Return the right operands to draw from: no divisor that LLVM knows to be 0, which makes later code dead."""
    return ["%c1", "%c2", "%d", "%e", "%n"] if re.search("(div|rem)", source) else numbers


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Numbers of operations that may be undefined, and assertions about them."""
    numbers = ["%c0", "%c1", "%c2", "%d", "%e", "%n"]
    lines: list[str] = []
    for n in range(draw(st.integers(1, 4))):
        source = SOURCES[draw(st.sampled_from(sorted(SOURCES)))]
        left, right = draw(st.sampled_from(numbers)), draw(st.sampled_from(_right_of(source, numbers)))
        lines.append(source.format(n=n, i=left, j=right, axis=draw(st.integers(0, 1))))
        numbers += [f"%x{n}"] * 3
        for k in range(draw(st.integers(1, 2))):
            one, two = draw(st.sampled_from(numbers)), draw(st.sampled_from(numbers))
            predicate = draw(st.sampled_from(("eq", "sle", "sge", "ne")))
            weaker = draw(st.sampled_from(("%c0", "%c1", "%d", "%n")))
            lines.append(f"  %p{n}{k} = arith.cmpi {predicate}, {one}, {two} : index")
            lines.append(f"  %w{n}{k} = arith.cmpi sge, {one}, {weaker} : index")
            lines.append(f"  %v{n}{k} = arith.ori %p{n}{k}, %w{n}{k} : i1")
            lines.append(f'  cf.assert %v{n}{k}, "check {n}.{k}"')
    return body("\n".join(lines))


@pytest.mark.exhaustive
@examples(8)
@given(programs())
def test_removed_checks_never_stopped_the_program(text: str) -> None:
    """Executed as it is lowered, with the operations undefined now and then: no check fires that was removed."""
    removed = set(gone(prune(text)))
    sizes = (0, 1, 2, 3, 4)
    runs = [
        [TensorInput((a,)), TensorInput((b,)), TensorInput((m,)), ScalarInput(n)]
        for a, b, m, n in product(sizes, (0, 1, 3), (0, 2, 3), (-1, 0, 2))
    ]
    for execution in execute_many(text, "f", runs, runtime_checks=False):
        assert not (execution.outcome is Outcome.ABORTED and execution.message in removed), execution


@pytest.mark.slow
@examples(8)
@given(programs())
def test_more_facts_never_keep_more_checks(text: str) -> None:
    kept = [
        {check.identity for check in prune(text, **options).kept}
        for options in ({}, {"min_size": 1}, {"min_size": 2}, {"min_size": 2, "trust_ub": True})
    ]
    assert kept[0] >= kept[1] >= kept[2] >= kept[3]
    assert kept[0] >= {check.identity for check in prune(text, trust_ub=True).kept}


HARDER = """
  %x = arith.divsi %n, %d : index
  %o = arith.cmpi sgt, %n, %c0 : index
  %v = arith.cmpi sge, %x, %d : index
  cf.assert %v, "not less than the divisor"
  %y = scf.if %o -> index {
    %q = arith.divsi %x, %n : index
    scf.yield %q : index
  } else {
    scf.yield %x : index
  }
  %w = arith.cmpi sge, %y, %n : index
  cf.assert %w, "not less than the dividend"
  %r = arith.divsi %n, %n : index
  %z = arith.select %o, %r, %n : index
  %s = arith.cmpi eq, %z, %x : index
  %t = arith.cmpi sge, %z, %n : index
  %u = arith.ori %s, %t : i1
  cf.assert %u, "one of both"
"""


@pytest.mark.slow
def test_larger_least_sizes_keep_no_more_checks_where_a_check_always_fails() -> None:
    kept = [{check.identity for check in prune(body(HARDER), min_size=size).kept} for size in (1, 2)]
    assert kept[0] >= kept[1]


BEHIND_WHAT_ALWAYS_FAILS = """
func.func @f(%a: tensor<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %empty = arith.cmpi sge, %c0, %d : index
  cf.assert %empty, "not empty"
  %asked = arith.cmpi CONDITION : index
  %x = scf.if %asked -> index {
    scf.yield %n : index
  } else {
    scf.yield OTHER : index
  }
  return %x : index
}
"""


@pytest.mark.parametrize(("condition", "other"), [("sgt, %c1, %c0", "%d"), ("sgt, %n, %c0", "%n")])
def test_a_guard_behind_what_always_fails_goes_as_it_does_without_that(condition: str, other: str) -> None:
    """The guard's condition is decided, or its branches are equal: with more facts, no fold is asked for there."""
    text = BEHIND_WHAT_ALWAYS_FAILS.replace("CONDITION", condition).replace("OTHER", other)
    for options in ({}, {"min_size": 1}, {"min_size": 1, "trust_ub": True}):
        assert [check.op for check in prune(text, **options).kept] == ["cf.assert"], options
