"""Functions of which every call fails: pruning says so wherever `check` does, with the same operation."""

from __future__ import annotations

import io

import pytest

from shapesolve import check, prune
from shapesolve.reports.page import Page
from shapesolve.reports.prune import print_pruning

HEAD = """func.func @f(%t: tensor<?xf32>, %s: tensor<3xf32>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %k = arith.cmpi sge, %d, %c0 : index
  cf.assert %k, "not negative"
"""

FAILING = {
    "an assertion contradicts slices before it": """
  %x = tensor.extract_slice %t[0] [4] [1] : tensor<?xf32> to tensor<4xf32>
  %e = arith.cmpi eq, %d, %c1 : index
  cf.assert %e, "one element"
""",
    "two bounds of one slice contradict each other": """
  %x = tensor.extract_slice %s[%n] [4] [1] : tensor<3xf32> to tensor<4xf32>
""",
    "a slice contradicts an assertion before it": """
  %e = arith.cmpi eq, %d, %c1 : index
  cf.assert %e, "one element"
  %x = tensor.extract_slice %t[0] [4] [1] : tensor<?xf32> to tensor<4xf32>
""",
    "two casts contradict each other": """
  %x = tensor.cast %t : tensor<?xf32> to tensor<2xf32>
  %y = tensor.cast %t : tensor<?xf32> to tensor<3xf32>
""",
    "the second assertion contradicts two others": """
  %e = arith.cmpi sgt, %n, %d : index
  cf.assert %e, "more than the elements"
  %i = arith.cmpi slt, %n, %c0 : index
  cf.assert %i, "negative"
  %x = tensor.cast %t : tensor<?xf32> to tensor<2xf32>
""",
    "two calls of one function contradict each other": """
  func.call @long(%t, %c0) : (tensor<?xf32>, index) -> ()
  func.call @long(%t, %c1) : (tensor<?xf32>, index) -> ()
""",
    "a region that always runs": """
  scf.execute_region {
    %x = tensor.extract_slice %s[%n] [4] [1] : tensor<3xf32> to tensor<4xf32>
    scf.yield
  }
""",
}

PASSING = {
    "two calls that agree": """
  func.call @long(%t, %c1) : (tensor<?xf32>, index) -> ()
  func.call @long(%t, %c1) : (tensor<?xf32>, index) -> ()
""",
    "a call of a function that fails on one way": """
  func.call @never_with(%c) : (i1) -> ()
""",
    "one slice": """
  %x = tensor.extract_slice %t[%n] [4] [1] : tensor<?xf32> to tensor<4xf32>
""",
    "a branch around the slice": """
  scf.if %c {
    %x = tensor.extract_slice %s[%n] [4] [1] : tensor<3xf32> to tensor<4xf32>
  }
""",
    "casts in two branches": """
  scf.if %c {
    %x = tensor.cast %t : tensor<?xf32> to tensor<2xf32>
  } else {
    %y = tensor.cast %t : tensor<?xf32> to tensor<3xf32>
  }
""",
    "a loop that may not end before the slice": """
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  %x = tensor.extract_slice %s[%n] [4] [1] : tensor<3xf32> to tensor<4xf32>
""",
}

CALLEES = {
    "@long": """
func.func private @long(%t: tensor<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %k = arith.cmpi eq, %d, %n : index
  cf.assert %k, "as long as n"
  return
}
""",
    "@never_with": """
func.func private @never_with(%c: i1) {
  cf.cond_br %c, ^yes, ^no
^yes:
  %false = arith.constant false
  cf.assert %false, "never with c"
  return
^no:
  return
}
""",
}


def text_of(body: str) -> str:
    return f"{HEAD}{body}  return\n}}\n{''.join(text for name, text in CALLEES.items() if name in body)}"


@pytest.mark.parametrize("body", [*FAILING.values(), *PASSING.values()], ids=[*FAILING, *PASSING])
def test_pruning_says_what_check_says(body: str) -> None:
    (function,) = check(text_of(body), execute=False).functions
    failing = function.fails_for_all
    assert (failing is not None) == (body in FAILING.values())
    found = [(each.op, each.location.line, each.message) for each in prune(text_of(body)).certain_failures]
    assert found == (
        []
        if failing is None
        else [(failing.obligation.op.name, failing.obligation.location.line, failing.obligation.message)]
    )


def test_the_failure_is_the_first_line_and_is_not_called_possible() -> None:
    result = prune(text_of(FAILING["two bounds of one slice contradict each other"]))
    stream = io.StringIO()
    print_pruning("f.mlir", "g.mlir", result, Page(stream, width=200))
    assert stream.getvalue().splitlines()[1].startswith("   EVERY CALL FAILS of @f: none of the sizes that are allowed")
    assert "may be undefined" not in stream.getvalue()


def test_under_an_assumption_that_excludes_all_inputs_nothing_is_said_of_calls() -> None:
    text = text_of(FAILING["two casts contradict each other"])
    assert prune(text, assume=["t[0] == 1", "t[0] == 2"]).certain_failures == ()
