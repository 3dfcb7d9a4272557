"""Entry guards on elements of tensors and on extents of shapes of unknown rank, run at small sizes."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Literal

import pytest
from guards.changed_programs import Way, changed
from support.refined_pairs import refined

from shapesolve.execution.execution import Input, Outcome, ScalarInput, TensorInput
from shapesolve.execution.runner import execute_many
from shapesolve.options import Options

SHAPES = [(), (0,), (1,), (2,), (3,), (1, 1), (1, 3), (3, 1), (2, 0), (3, 3), (1, 2, 3), (3, 2, 1)]
NUMBERS = (-(2**63), -4, -1, 0, 1, 3)
LISTS = [each for length in range(3) for each in product(NUMBERS, repeat=length)]
FEW_LISTS = [each for each in LISTS if len(each) < 2 or not {-4, 0, 1} & {*each}]

PREAMBLE = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %m1 = arith.constant -1 : index
"""
FIRST_IS_ONE = """
  %d = tensor.dim %x, %c0 : tensor<*xf32>
  %ok = arith.cmpi eq, %d, %c1 : index
"""
UNRANKED = {
    "first is one": FIRST_IS_ONE,
    "second is three": FIRST_IS_ONE.replace("%c0", "%c2").replace("%c1", "%c3").replace("%c2", "%c1"),
    "last is three": """
  %r = tensor.rank %x : tensor<*xf32>
  %last = arith.subi %r, %c1 : index
  %d = tensor.dim %x, %last : tensor<*xf32>
  %ok = arith.cmpi eq, %d, %c3 : index
""",
    "last but one is not three": """
  %r = tensor.rank %x : tensor<*xf32>
  %p = arith.subi %r, %c2 : index
  %d = tensor.dim %x, %p : tensor<*xf32>
  %ok = arith.cmpi ne, %d, %c3 : index
""",
    "as many as the rank": """
  %r = tensor.rank %x : tensor<*xf32>
  %d = tensor.dim %x, %c0 : tensor<*xf32>
  %ok = arith.cmpi eq, %d, %r : index
""",
    "first and second": """
  %d = tensor.dim %x, %c0 : tensor<*xf32>
  %e = tensor.dim %x, %c1 : tensor<*xf32>
  %ok = arith.cmpi sle, %d, %e : index
""",
    "at a position": """
  %d = tensor.dim %x, %n : tensor<*xf32>
  %ok = arith.cmpi sge, %d, %c2 : index
""",
    "from an extent tensor": """
  %s = shape.shape_of %x : tensor<*xf32> -> tensor<?xindex>
  %d = tensor.extract %s[%c1] : tensor<?xindex>
  %ok = arith.cmpi eq, %d, %c3 : index
""",
}
ELEMENTS = {
    "first is three": """
  %d = tensor.extract %s[%c0] : tensor<?xindex>
  %ok = arith.cmpi eq, %d, %c3 : index
""",
    "first is -4": """
  %m4 = arith.constant -4 : index
  %d = tensor.extract %s[%c0] : tensor<?xindex>
  %ok = arith.cmpi eq, %d, %m4 : index
""",
    "second is no padding": """
  %d = tensor.extract %s[%c1] : tensor<?xindex>
  %ok = arith.cmpi ne, %d, %m1 : index
""",
    "last is not negative": """
  %r = tensor.dim %s, %c0 : tensor<?xindex>
  %last = arith.subi %r, %c1 : index
  %d = tensor.extract %s[%last] : tensor<?xindex>
  %ok = arith.cmpi sge, %d, %c0 : index
""",
    "rising": """
  %d = tensor.extract %s[%c0] : tensor<?xindex>
  %e = tensor.extract %s[%c1] : tensor<?xindex>
  %ok = arith.cmpi slt, %d, %e : index
""",
    "at a position": """
  %d = tensor.extract %s[%n] : tensor<?xindex>
  %ok = arith.cmpi sle, %d, %c1 : index
""",
}

USUAL_ELEMENTS = ("second is no padding", "last is not negative", "rising", "at a position")
"""Cases of `ELEMENTS` that go all ways through the code that the others go, on few lists."""


def program(argument: str, body: str) -> str:
    return f"""func.func @f({argument}, %n: index) -> index {{{PREAMBLE}{body}
  cf.assert %ok, "as wanted"
  return %c1 : index
}}"""


def calls_of(argument: str, body: str, *, few: bool) -> list[list[Input]]:
    if "*" in argument:
        tensors = [TensorInput(each) for each in SHAPES]
    else:
        tensors = [TensorInput((len(each),), each) for each in (FEW_LISTS if few else LISTS)]
    numbers = (-1, 0, 1, 2) if "%n" in body else (0,)
    return [[each, ScalarInput(number)] for each in tensors for number in numbers]


@cache
def outcomes(argument: str, body: str, *, few: bool) -> list[Outcome]:
    """Return how each call of the program itself ends."""
    calls = calls_of(argument, body, few=few)
    return [each.outcome for each in execute_many(program(argument, body), "f", calls, runtime_checks=True)]


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("way", ["at_entry", "harden"])
@pytest.mark.parametrize(
    ("argument", "body", "few"),
    [
        *(pytest.param("%x: tensor<*xf32>", body, True, id=name) for name, body in UNRANKED.items()),
        *(
            pytest.param("%s: tensor<?xindex>", body, few, id=f"element {name} of {lists}", marks=marks)
            for name, body in ELEMENTS.items()
            for few, lists, marks in (
                (True, "few", () if name in USUAL_ELEMENTS else pytest.mark.exhaustive),
                (False, "all", pytest.mark.exhaustive),
            )
        ),
    ],
)
def test_guards_stop_exactly_the_calls_that_would_fail(argument: str, body: str, few: bool, way: Way) -> None:
    text = program(argument, body)
    result = changed(text, way)
    assert result.written and not result.still_open
    assert not any("cannot be written" in note for note in result.notes)
    assert refined(text, result.text, Options(execute=False)).word == "proved"
    after = execute_many(result.text, "f", calls_of(argument, body, few=few), runtime_checks=False)
    stopped = [each.outcome for each in after]
    assert set(stopped) == {Outcome.RETURNED, Outcome.ABORTED}
    assert stopped == outcomes(argument, body, few=few)


SHAPE_ARGUMENTS = {
    "the last extent of a value shape": (
        "%v: !shape.value_shape",
        """%s = shape.shape_of %v : !shape.value_shape -> !shape.shape
  %three = shape.const_shape [3] : !shape.shape
  %m = arith.constant -1 : index
  %h, %t = "shape.split_at"(%s, %m) : (!shape.shape, index) -> (!shape.shape, !shape.shape)
  %w = shape.cstr_eq %t, %three : !shape.shape, !shape.shape""",
        ["v[-1] == 3"],
    ),
    "the first extent of a shape": (
        "%s: !shape.shape",
        """%c0 = arith.constant 0 : index
  %e = shape.get_extent %s, %c0 : !shape.shape, index -> !shape.size
  %i = shape.size_to_index %e : !shape.size
  %ok = arith.cmpi eq, %i, %c0 : index
  cf.assert %ok, "empty" """,
        ["s[0] == 0"],
    ),
    "an extent at a size": (
        "%s: !shape.shape, %k: !shape.size",
        """%c2 = arith.constant 2 : index
  %e = shape.get_extent %s, %k : !shape.shape, !shape.size -> !shape.size
  %i = shape.size_to_index %e : !shape.size
  %ok = arith.cmpi eq, %i, %c2 : index
  cf.assert %ok, "two" """,
        ["s[k] == 2"],
    ),
    "a buffer of unknown rank": (
        "%x: memref<*xf32>",
        """%c1 = arith.constant 1 : index
  %d = memref.dim %x, %c1 : memref<*xf32>
  %ok = arith.cmpi eq, %d, %c1 : index
  cf.assert %ok, "one" """,
        ["rank(x) >= 2", "x[1] == 1"],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("style", ["cf", "shape"])
@pytest.mark.parametrize("name", SHAPE_ARGUMENTS)
def test_extents_of_shapes_are_checked_at_the_entry(name: str, style: Literal["cf", "shape"]) -> None:
    arguments, body, wanted = SHAPE_ARGUMENTS[name]
    text = f"func.func @f({arguments}) {{\n  {body}\n  return\n}}"
    result = changed(text, "at_entry", style)
    assert [each.condition for each in result.written] == wanted
    assert not result.still_open and not result.kept
    assert refined(text, result.text, Options(execute=False)).word == "proved"


MAY_BE_NO_SHAPE = {
    "a check stands before": """
  %first = tensor.extract %s[%c0] : tensor<?xindex>
  %natural = arith.cmpi sge, %first, %c0 : index
  cf.assert %natural, "negative"
  %p = shape.num_elements %s : tensor<?xindex> -> index
  %ok = arith.cmpi eq, %p, %first : index
  cf.assert %ok, "as wanted"
""",
    "a check of another number stands before": """
  %natural = arith.cmpi sge, %n, %c0 : index
  cf.assert %natural, "negative"
  %p = shape.num_elements %s : tensor<?xindex> -> index
  %ok = arith.cmpi eq, %p, %n : index
  cf.assert %ok, "as wanted"
""",
    "on one way only": """
  %first = tensor.extract %s[%c0] : tensor<?xindex>
  %negative = arith.cmpi slt, %first, %c0 : index
  %p = scf.if %negative -> (index) {
    scf.yield %c0 : index
  } else {
    %q = shape.num_elements %s : tensor<?xindex> -> index
    %ok = arith.cmpi eq, %q, %c3 : index
    cf.assert %ok, "as wanted"
    scf.yield %q : index
  }
""",
}


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("way", ["at_entry", "harden"])
@pytest.mark.parametrize("case", MAY_BE_NO_SHAPE)
def test_a_guard_assumes_of_no_tensor_that_it_holds_sizes(case: str, way: Way) -> None:
    body = PREAMBLE + MAY_BE_NO_SHAPE[case]
    text = f"func.func @f(%s: tensor<?xindex>, %n: index) -> index {{{body}  return %p : index\n}}"
    lists = [each for length in (1, 2) for each in product((-3, -1, 0, 1, 3), repeat=length)]
    calls: list[list[Input]] = [
        [TensorInput((len(each),), each), ScalarInput(number)] for each in lists for number in (-3, 3)
    ]
    before = execute_many(text, "f", calls, runtime_checks=False)
    after = execute_many(changed(text, way).text, "f", calls, runtime_checks=False)
    assert {each.outcome for each in before} == {Outcome.RETURNED, Outcome.ABORTED}
    assert [(each.outcome, each.result_extents) for each in after] == [
        (each.outcome, each.result_extents) for each in before
    ]
