"""Test that trusting a true contract in place of a body gives no verdict that the body contradicts."""

from __future__ import annotations

from itertools import product

import pytest

from shapesolve.api import check, prune
from shapesolve.checker.report import FunctionReport
from shapesolve.options import Options
from shapesolve.solver.verdicts import Proved, Refuted, Undecided

HEAD = "func.func private @helper(%x: tensor<?xf32>, %n: index) -> (tensor<?xf32>, index)"

BODIES = {
    "a slice": (
        """{
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %l = arith.subi %d, %n : index
  %r = tensor.extract_slice %x[%n] [%l] [1] : tensor<?xf32> to tensor<?xf32>
  return %r, %l : tensor<?xf32>, index
}""",
        ["n >= 0", "n <= x[0]"],
        ["result0[0] == x[0] - n", "result1 == result0[0]"],
    ),
    "an empty one": (
        """{
  %c2 = arith.constant 2 : index
  %m = arith.muli %n, %c2 : index
  %r = tensor.empty(%m) : tensor<?xf32>
  return %r, %c2 : tensor<?xf32>, index
}""",
        ["n >= 0"],
        ["result0[0] % 2 == 0", "result0[0] >= n", "result1 == 2"],
    ),
    "a third": (
        """{
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %k = arith.divui %d, %c3 : index
  %r = tensor.empty(%k) : tensor<?xf32>
  return %r, %k : tensor<?xf32>, index
}""",
        ["x[0] % 3 == 0"],
        ["result1 == result0[0]", "3*result0[0] == x[0]"],
    ),
    "one of two": (
        """{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %low = arith.cmpi slt, %d, %c1 : index
  %k = arith.select %low, %c1, %d : index
  %r = tensor.empty(%k) : tensor<?xf32>
  return %r, %k : tensor<?xf32>, index
}""",
        [],
        ["result0[0] == max(x[0], 1)", "result1 >= 1"],
    ),
}

QUESTIONS = {
    "as long": "arith.cmpi eq, %d, %a0 : index",
    "some": "arith.cmpi ne, %d, %c0 : index",
    "not more": "arith.cmpi sle, %d, %a0 : index",
    "at least the number": "arith.cmpi sge, %d, %m : index",
    "the second is positive": "arith.cmpi sgt, %r#1, %c0 : index",
    "the second is the length": "arith.cmpi eq, %r#1, %d : index",
    "even": "arith.cmpi eq, %half, %c0 : index",
}


def listed(texts: list[str], positional: bool) -> str:
    """The texts; in the names of a declaration, which are positions, where that is what they are for."""
    names = {"x[0]": "arg0[0]", " n": " arg1", "n ": "arg1 "} if positional else {}
    for name, other in names.items():
        texts = [f" {each} ".replace(name, other).strip() for each in texts]
    return ", ".join(f'"{each}"' for each in texts)


def program(body: str, question: str, *, followed: bool) -> str:
    text, requires, ensures = BODIES[body]
    stated = f"shapesolve.requires = [{listed(requires, not followed)}]"
    stated += f", shapesolve.ensures = [{listed(ensures, not followed)}]"
    helper = f"{HEAD} attributes {{{stated}}} {text if followed else ''}\n"
    if not followed:
        helper = helper.replace("%x: ", "").replace("%n: ", "")
    return (
        helper
        + f"""
func.func @main(%a: tensor<?xf32>, %m: index) {{
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %a0 = tensor.dim %a, %c0 : tensor<?xf32>
  %r:2 = func.call @helper(%a, %m) : (tensor<?xf32>, index) -> (tensor<?xf32>, index)
  %d = tensor.dim %r#0, %c0 : tensor<?xf32>
  %half = arith.remui %d, %c2 : index
  %ok = {QUESTIONS[question]}
  cf.assert %ok, "{question}"
  return
}}
"""
    )


def judged(text: str) -> FunctionReport:
    (function,) = check(text, options=Options(execute=False, functions=("main",))).functions
    return function


def verdicts(function: FunctionReport, op: str) -> list[object]:
    """The verdicts on operations of a name, those inside of the callee apart."""
    return [j.verdict for j in function.checked_obligations if j.obligation.op.name == op and not j.obligation.calls]


@pytest.mark.slow
@pytest.mark.parametrize(("body", "question"), list(product(BODIES, QUESTIONS)))
def test_contracts_are_not_contradicted_by_the_body(body: str, question: str) -> None:
    trusted, followed = (judged(program(body, question, followed=each)) for each in (False, True))
    # The body keeps its contract: whatever is required holds, for it is claimed first.
    kept = [
        j.verdict for j in followed.checked_obligations if j.obligation.op.name == "func.return" and j.obligation.calls
    ]
    assert kept and all(isinstance(each, Proved) for each in kept)
    assert [type(each) for each in verdicts(trusted, "func.call")] == [
        type(each) for each in verdicts(followed, "func.call")
    ]
    (by_contract,), (by_body,) = verdicts(trusted, "cf.assert"), verdicts(followed, "cf.assert")
    if isinstance(by_contract, Proved):
        assert isinstance(by_body, Proved)
    elif isinstance(by_contract, Refuted):
        assert isinstance(by_body, Refuted)
    else:
        assert isinstance(by_contract, Undecided)


@pytest.mark.slow
def test_most_questions_are_answered_by_the_contract() -> None:
    """The contracts above are worth stating."""
    open_ones = [
        (body, question)
        for body, question in product(BODIES, QUESTIONS)
        if isinstance(verdicts(judged(program(body, question, followed=False)), "cf.assert")[0], Undecided)
    ]
    assert len(open_ones) <= 5, open_ones


@pytest.mark.slow
@pytest.mark.parametrize(("body", "question"), list(product(BODIES, QUESTIONS)))
def test_pruning_by_a_contract_removes_nothing_that_the_body_lets_fail(body: str, question: str) -> None:
    removed = [each.removed for each in prune(program(body, question, followed=False)).checks]
    followed = judged(program(body, question, followed=True))
    assert removed != [True] or isinstance(verdicts(followed, "cf.assert")[0], Proved)
