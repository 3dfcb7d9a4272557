"""Gather, scatter and sort: the same operation on equal tensors, and operations that resemble it."""

from __future__ import annotations

import pytest

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.refine import refine_programs
from shapesolve.solver.verdicts import VerdictKind

V, M, I = "tensor<?xf32>", "tensor<?x4xf32>", "tensor<?x1xi32>"  # noqa: E741
ADDED = "%s = stablehlo.add %x, %y : tensor<f32>\n  stablehlo.return %s : tensor<f32>"
LAST = "stablehlo.return %y : tensor<f32>"


def gather(data: str = "%m", places: str = "%i", *, is_sorted: str = "false") -> str:
    return f"""%r = "stablehlo.gather"({data}, {places}) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1],
    collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>,
    indices_are_sorted = {is_sorted}}}> : ({M}, {I}) -> {M}
  return %r : {M}"""


def scatter(data: str = "%a", updates: str = "%b", *, unique: str = "false", body: str = ADDED) -> str:
    return f"""%r = "stablehlo.scatter"({data}, %i, {updates}) <{{scatter_dimension_numbers = #stablehlo.scatter<
    update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>,
    indices_are_sorted = false, unique_indices = {unique}}}> ({{
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
  {body}
  }}) : ({V}, {I}, {V}) -> {V}
  return %r : {V}"""


def sort(data: str = "%a", direction: str = "LT", stable: str = "true", operands: str = "%x, %y") -> str:
    return f"""%r = "stablehlo.sort"({data}) <{{dimension = 0 : i64, is_stable = {stable}}}> ({{
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.compare {direction}, {operands}, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }}) : ({V}) -> {V}
  return %r : {V}"""


def turned(value: str, name: str, type: str) -> str:
    return f"{name} = stablehlo.reverse {value}, dims = [0] : {type}\n  "


def twice(value: str, name: str, type: str) -> str:
    return turned(value, f"{name}0", type) + turned(f"{name}0", name, type)


def carried(place: str, read: str) -> str:
    """Return a loop that inserts row %k of what it gathers from ``read``."""
    taken = gather(read).replace("%r =", "%g =").split("\n  return")[0]
    return f"""%c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %i, %c0 : {I}
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%t = %m) -> ({M}) {{
    {taken}
    %s = tensor.extract_slice %g[{place}, 0] [1, 4] [1, 1] : {M} to tensor<1x4xf32>
    %u = tensor.insert_slice %s into %t[%k, 0] [1, 4] [1, 1] : tensor<1x4xf32> into {M}
    scf.yield %u : {M}
  }}
  return %r : {M}"""


RIGHT = {
    "gathered": (gather(), twice("%i", "%j", I) + gather(places="%j")),
    "data gathered": (twice("%m", "%d", M) + gather("%d"), gather()),
    "scattered": (scatter(), twice("%a", "%d", V) + twice("%b", "%u", V) + scatter("%d", "%u")),
    "sorted": (sort(), twice("%a", "%d", V) + sort("%d")),
    "gathered in a loop": (carried("%k", "%m"), carried("%k", "%d").replace("%c0", twice("%m", "%d", M) + "%c0", 1)),
}
WRONG = {
    "other places": (gather(), turned("%i", "%j", I) + gather(places="%j")),
    "other data": (gather(), turned("%m", "%d", M) + gather("%d")),
    "a promise": (gather(), gather(is_sorted="true")),
    "a promise of uniqueness": (scatter(), scatter(unique="true")),
    "another combination": (scatter(), scatter(body=LAST)),
    "operands exchanged": (scatter(), scatter("%b", "%a")),
    "the other direction": (sort(), sort(direction="GT")),
    "ties the other way": (sort(), sort(direction="LE")),
    "an order that is open": (twice("%a", "%d", V) + sort("%d", stable="false"), sort(stable="false")),
    "another row in a loop": (carried("%k", "%m"), carried("%c0", "%m")),
    "what the loop wrote": (carried("%k", "%m"), carried("%k", "%t")),
    "what both loops wrote, and another row": (carried("%k", "%t"), carried("%c0", "%t")),
}


def is_proved(source: str, target: str) -> bool:
    result = M if f"return %r : {M}" in source else V
    programs = [
        read_text(f"func.func @f(%a: {V}, %b: {V}, %m: {M}, %i: {I}) -> {result} {{\n  {body}\n}}")
        for body in (source, target)
    ]
    (found,) = refine_programs(programs[0], programs[1], Options(execute=False))
    return found.word is VerdictKind.PROVED and not found.omissions


@pytest.mark.parametrize("name", RIGHT)
def test_the_same_function_of_equal_tensors(name: str) -> None:
    assert is_proved(*RIGHT[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
def test_a_function_of_other_tensors_or_another_function(name: str) -> None:
    assert not is_proved(*WRONG[name])
