"""`shape.any`: the best known extent of each operand where they are equal, anything elsewhere."""

from __future__ import annotations

import pytest

from shapesolve import check
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.preconditions.functions import entry_points
from shapesolve.shape_inference.known_extents import infer
from shapesolve.shape_inference.value_shapes import result_shapes


def result(types: list[str], *assumptions: str) -> str:
    names = "pqrs"[: len(types)]
    lines = [
        f"  %s{name} = shape.shape_of %{name} : {type} -> !shape.shape" for name, type in zip(names, types, strict=True)
    ]
    arguments = ", ".join(f"%{name}: {type}" for name, type in zip(names, types, strict=True))
    values, each = ", ".join(f"%s{name}" for name in names), ", ".join(["!shape.shape"] * len(names))
    text = "\n".join(
        (
            f"func.func @f({arguments}) -> !shape.shape {{",
            *lines,
            f"  %x = shape.any {values} : {each} -> !shape.shape",
            "  return %x : !shape.shape\n}",
        )
    )
    program = read_text(text)
    (shape,) = result_shapes(infer(program, entry_points(program)[0], Options(assumptions=assumptions)))
    return shape


@pytest.mark.covers("shape.any")
@pytest.mark.parametrize(
    ("types", "shape"),
    [
        (["tensor<2x?xf32>", "tensor<?x3xf32>"], "[2, 3] where q[0] == 2 and p[1] == 3"),
        (["tensor<?x?xf32>", "tensor<1x2xf32>"], "[1, 2] where p[0] == 1 and p[1] == 2"),
        (["tensor<?xf32>", "tensor<?xf32>"], "[p[0]] where p[0] == q[0]"),
        (["tensor<?xf32>", "tensor<?xf32>", "tensor<7xf32>"], "[7] where p[0] == 7 and p[0] == q[0]"),
    ],
)
def test_the_best_known_extents(types: list[str], shape: str) -> None:
    found = result(types)
    assert found.partition(" where ")[0] == shape.partition(" where ")[0]
    assert set(found.partition(" where ")[2].split(" and ")) == set(shape.partition(" where ")[2].split(" and "))


def test_shapes_of_two_ranks_give_no_extents() -> None:
    assert "[" not in result(["tensor<?x?xf32>", "tensor<?xf32>"])


def test_operands_that_are_known_to_be_equal_need_no_condition() -> None:
    assert result(["tensor<2x?xf32>", "tensor<?x3xf32>"], "q[0] == 2", "p[1] == 3") == "[2, 3]"
    assert result(["tensor<?xf32>", "tensor<?xf32>"], "p[0] == q[0]") == "[p[0]]"
    assert result(["tensor<?xf32>", "tensor<?xf32>"], "p[0] == 4", "q[0] == 4") in ("[p[0]]", "[q[0]]", "[4]")


def test_nothing_is_known_where_the_operands_differ() -> None:
    text = """
func.func @f(%p: tensor<2x?xf32>, %q: tensor<?x3xf32>) {
  %a = shape.shape_of %p : tensor<2x?xf32> -> tensor<2xindex>
  %b = shape.shape_of %q : tensor<?x3xf32> -> tensor<2xindex>
  %x = shape.any %a, %b : tensor<2xindex>, tensor<2xindex> -> tensor<2xindex>
  %i = arith.constant 0 : index
  %e = tensor.extract %x[%i] : tensor<2xindex>
  %two = arith.constant 2 : index
  %c = arith.cmpi eq, %e, %two : index
  cf.assert %c, "two"
  return
}
"""
    assert [each.verdict.word for each in check(text, execute=False).checked_obligations][-1] != "proved"
    known = check(text, execute=False, assume=("q[0] == 2", "p[1] == 3"))
    assert [each.verdict.word for each in known.checked_obligations][-1] == "proved"
