"""Statements of a file about its own sizes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from shapesolve.errors import InputError
from shapesolve.ir.assumptions import Preconditions
from shapesolve.ir.reader import read_text
from shapesolve.preconditions.attributes import stated_preconditions


def preconditions(text: str) -> Preconditions:
    (function,) = read_text(text, "my.mlir").functions.values()
    return stated_preconditions(function)


def test_nothing_is_stated() -> None:
    assert preconditions("func.func @f(%a: tensor<?xf32>) { return }") == Preconditions()


@pytest.mark.parametrize(
    ("given", "texts"), [('"N >= 2"', ["N >= 2"]), ('["N >= 2", "H % 16 == 0"]', ["N >= 2", "H % 16 == 0"]), ("[]", [])]
)
def test_assumptions_of_the_function(given: str, texts: list[str]) -> None:
    found = preconditions(f"\nfunc.func @f() attributes {{shapesolve.assume = {given}}} {{ return }}")
    assert [each.text for each in found.assumptions] == texts
    assert all(str(each.location) == "my.mlir:2:1" for each in found.assumptions)
    assert all(each.origin == "shapesolve.assume" for each in found.assumptions)


@pytest.mark.parametrize(
    ("kind", "given", "names"),
    [
        ("tensor<?x?x8xf32>", "[B, T, 8]", ("B", "T", "8")),
        ("tensor<?x?xf32>", " [ 2*min(A, B) , _ ] ", ("2*min(A, B)", "?")),
        ("tensor<?xf32>", "[?]", ("?",)),
        ("tensor<f32>", "[]", ()),
        ("tensor<*xf32>", "[A, B]", ("A", "B")),
        ("memref<?xf32>", "[N // 2]", ("N // 2",)),
    ],
)
def test_named_sizes_of_an_argument(kind: str, given: str, names: tuple[str, ...]) -> None:
    found = preconditions(f'func.func @f(%i: index, %a: {kind} {{shapesolve.shape = "{given}"}}) {{ return }}')
    (shape,) = found.shapes
    assert (shape.argument, shape.names, shape.value.name) == (1, names, "%a")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(%a: tensor<?xf32> {shapesolve.shape = 3})", 'wants a string such as "[B, T, 8]"'),
        ('(%a: tensor<?xf32> {shapesolve.shape = "B"})', 'wants a string such as "[B, T, 8]"'),
        ('(%a: tensor<?xf32> {shapesolve.shape = "[B,]"})', "has an empty size"),
        ('(%a: tensor<?xf32> {shapesolve.shape = "[B, T]"})', "names 2 sizes of tensor<?xf32>"),
        ('(%a: index {shapesolve.shape = "[B]"})', "which is no tensor but index"),
        ("() attributes {shapesolve.assume = 3}", "wants a string or an array of strings"),
        ('() attributes {shapesolve.assume = ["N > 1", " "]}', "wants a string or an array of strings"),
    ],
)
def test_a_malformed_statement_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=r"my\.mlir:1:1: ") as caught:
        preconditions(f"func.func @f{text} {{ return }}")
    assert message in caught.value.message


TORCH = """func.func @main(%x: !torch.vtensor<[?,?,3],f32>) -> !torch.vtensor<[?,?,3],f32> {
  %0 = torch.symbolic_int "s0" {min_val = 2, max_val = 9} : !torch.int
  %1 = torch.symbolic_int "s1" {min_val = 0, max_val = 9223372036854775807} : !torch.int
  torch.bind_symbolic_shape %x, [%0, %1], affine_map<()[s0, s1] -> (s0, s1 * 2 + 1, 3)> : !torch.vtensor<[?,?,3],f32>
  %y = torch.aten.relu %x : !torch.vtensor<[?,?,3],f32> -> !torch.vtensor<[?,?,3],f32>
  torch.bind_symbolic_shape %y, [%1, %0], affine_map<()[s0, s1] -> (EXPRESSION, s0, 3)> : !torch.vtensor<[?,?,3],f32>
  return %y : !torch.vtensor<[?,?,3],f32>
}"""


def test_symbols_of_pytorch_and_their_bounds() -> None:
    found = preconditions(TORCH.replace("EXPRESSION", "s1"))
    assert [(each.text, each.location.line) for each in found.assumptions] == [("s0 >= 2", 2), ("s0 <= 9", 2)]
    first, second = found.shapes
    assert (first.argument, first.names) == (0, ("s0", "s1 * 2 + 1", "3"))
    assert (second.argument, second.value.name, second.names) == (None, "%y", ("s0", "s1", "3"))
    assert second.origin == "torch.bind_symbolic_shape"
    assert second.location.line == 6


# `a` is what the map calls s0, and `b` what it calls s1.
MEANINGS: dict[str, Callable[[int, int], int]] = {
    "s0 * 3 - 1": lambda a, b: 3 * a - 1,
    "(s0 + s1) * 2": lambda a, b: (b + a) * 2,
    "(s0 + 1) floordiv 2": lambda a, b: (a + 1) // 2,
    "(s0 + s1) ceildiv 3": lambda a, b: -(-(b + a) // 3),
    "(s0 ceildiv 3) * 2": lambda a, b: -(-a // 3) * 2,
    "(s0 floordiv 3) * 2 - s1 mod 4": lambda a, b: a // 3 * 2 - b % 4,
    "(s0 * 2) floordiv 3": lambda a, b: a * 2 // 3,
    "s0 * -3 + s1 * -1": lambda a, b: -3 * a - b,
    "(s0 mod 5) floordiv 2": lambda a, b: a % 5 // 2,
    "-s0 - 4": lambda a, b: -a - 4,
}


@pytest.mark.parametrize("expression", MEANINGS)
def test_expressions_in_the_size_language_mean_what_the_map_says(expression: str) -> None:
    (text, *_) = preconditions(TORCH.replace("EXPRESSION", expression)).shapes[1].names
    for a in range(7):
        for b in range(7):
            # The map's s0 is bound to %1, which is the symbol s1. The size language reads as Python here.
            assert eval(text, {"s1": a, "s0": b}) == MEANINGS[expression](a, b), text
