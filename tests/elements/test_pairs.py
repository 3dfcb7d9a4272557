"""Pairs of programs that differ, or do not, in the elements of their results only; numpy says which."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.outcome import Refinement
from shapesolve.refinement.refine import refine_programs
from shapesolve.solver.verdicts import VerdictKind

Array = npt.NDArray[np.float64]
T2, T1, S = "tensor<?x?xf32>", "tensor<?xf32>", "tensor<4x4xf32>"


class Program(NamedTuple):
    """A program that computes %r, and the expression of numpy for it."""

    body: str
    meaning: str

    def compute(self, arrays: list[Array]) -> Array:
        """Return the result for these arguments."""
        result: Array = eval(self.meaning, {"np": np, "a": arrays[0], "b": arrays[-1]})
        return result


class Pair(NamedTuple):
    """A source, programs that compute the same, and programs that do not."""

    arguments: str
    result: str
    source: Program
    right: tuple[Program, ...]
    wrong: tuple[Program, ...]
    shapes: tuple[tuple[int, ...], ...]


def slice_of(value: str, offsets: str, sizes: str, strides: str, types: str, name: str = "%r") -> str:
    return f"{name} = tensor.extract_slice {value}[{offsets}] [{sizes}] [{strides}] : {types}"


def generic(maps: tuple[str, str, str], kinds: str, inputs: str, init: str, type: str, body: str) -> str:
    names = ", ".join(f"affine_map<{each}>" for each in maps)
    iterators = ", ".join(f'"{each}"' for each in kinds.split())
    return f"""%r = linalg.generic {{indexing_maps = [{names}], iterator_types = [{iterators}]}}
      ins({inputs}) outs({init} : {type}) {{
      ^bb0(%x: f32, %y: f32, %o: f32):
        {body}
    }} -> {type}"""


def reduced(value: str, axis: int) -> str:
    return (
        "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
        f"%r = stablehlo.reduce({value} init: %z) applies stablehlo.add across dimensions = [{axis}] : "
        f"({S}, tensor<f32>) -> tensor<4xf32>"
    )


def padded(low: int, high: int, value: str = "%z") -> str:
    return f"""%z = arith.constant 0.5 : f32
    %m = arith.constant 1.5 : f32
    %p = tensor.pad %a low[{low}] high[{high}] {{
    ^bb0(%i: index):
      tensor.yield {value} : f32
    }} : {T1} to {T1}"""


SIZE = "%c0 = arith.constant 0 : index\n%n = tensor.dim %a, %c0 : tensor<?xf32>\n"
FILLED = """%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%m = tensor.dim %a, %c0 : tensor<?x?xf32>
%k = tensor.dim %b, %c1 : tensor<?x?xf32>
%z = arith.constant 0.0 : f32
%e = tensor.empty(%m, %k) : tensor<?x?xf32>
%i = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
"""
MATMUL = (
    "%r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%i : tensor<?x?xf32>) -> tensor<?x?xf32>"
)
PRODUCT = "%p = arith.mulf %x, %y : f32\n%s = arith.addf %o, %p : f32\nlinalg.yield %s : f32"
BOTH = "%a, %b : tensor<?x?xf32>, tensor<?x?xf32>"
SQUARE = "%a, %b : tensor<4x4xf32>, tensor<4x4xf32>"
EMPTY = "%e = tensor.empty() : tensor<4x4xf32>\n"


def pad_of(low: int, high: int) -> str:
    return f"np.pad(a, ({low}, {high}), constant_values=0.5)"


def sliced(type: str, start: int) -> str:
    return f"""%s = stablehlo.constant dense<{start}> : tensor<{type}>
    %r = stablehlo.dynamic_slice %a, %s, sizes = [4] : (tensor<8xf32>, tensor<{type}>) -> tensor<4xf32>"""


PAIRS: dict[str, Pair] = {
    "slice of a slice": Pair(
        "%a: tensor<9x9xf32>",
        "tensor<2x3xf32>",
        Program(
            slice_of("%a", "2, 1", "4, 6", "1, 1", "tensor<9x9xf32> to tensor<4x6xf32>", "%s")
            + "\n"
            + slice_of("%s", "1, 0", "2, 3", "1, 2", "tensor<4x6xf32> to tensor<2x3xf32>"),
            "a[2:6, 1:7][1:3, 0:6:2]",
        ),
        (Program(slice_of("%a", "3, 1", "2, 3", "1, 2", "tensor<9x9xf32> to tensor<2x3xf32>"), "a[3:5, 1:7:2]"),),
        (
            Program(slice_of("%a", "3, 2", "2, 3", "1, 2", "tensor<9x9xf32> to tensor<2x3xf32>"), "a[3:5, 2:8:2]"),
            Program(
                slice_of("%a", "3, 1", "2, 3", "2, 2", "tensor<9x9xf32> to tensor<2x3xf32>"),
                "a[3:7:2, 1:7:2]",
            ),
        ),
        ((9, 9),),
    ),
    "slice of a padded tensor": Pair(
        f"%a: {T1}",
        T1,
        Program(f"{SIZE}{padded(3, 2)}\n{slice_of('%p', '3', '%n', '1', f'{T1} to {T1}')}", "a"),
        (Program("%c0 = arith.constant 0 : index\n%r = tensor.cast %a : tensor<?xf32> to tensor<?xf32>", "a"),),
        (
            Program(
                f"{SIZE}{padded(3, 2)}\n{slice_of('%p', '2', '%n', '1', f'{T1} to {T1}')}",
                "np.pad(a, (3, 2), constant_values=0.5)[2:2 + len(a)]",
            ),
        ),
        ((5,),),
    ),
    "padding twice": Pair(
        f"%a: {T1}",
        T1,
        Program(
            padded(1, 0)
            + """
    %r = tensor.pad %p low[0] high[2] {
    ^bb0(%i: index):
      tensor.yield %z : f32
    } : tensor<?xf32> to tensor<?xf32>""",
            pad_of(1, 2),
        ),
        (Program(padded(1, 2).replace("%p =", "%r ="), pad_of(1, 2)),),
        (
            Program(padded(2, 1).replace("%p =", "%r ="), pad_of(2, 1)),
            Program(padded(1, 2, "%m").replace("%p =", "%r ="), "np.pad(a, (1, 2), constant_values=1.5)"),
        ),
        ((3,),),
    ),
    "transposes": Pair(
        f"%a: {S}",
        S,
        Program(
            f"%s = stablehlo.transpose %a, dims = [1, 0] : ({S}) -> {S}\n%r = stablehlo.reverse %s, dims = [0] : {S}",
            "a.T[::-1]",
        ),
        (
            Program(
                f"%s = stablehlo.reverse %a, dims = [1] : {S}\n"
                f"%r = stablehlo.transpose %s, dims = [1, 0] : ({S}) -> {S}",
                "a[:, ::-1].T",
            ),
            Program(
                f"%e = tensor.empty() : {S}\n%s = stablehlo.reverse %a, dims = [1] : {S}\n"
                f"%t = linalg.transpose ins(%s : {S}) outs(%e : {S}) permutation = [1, 0]\n"
                f"%r = tensor.cast %t : {S} to {S}",
                "a[:, ::-1].T",
            ),
        ),
        (
            Program(f"%r = stablehlo.reverse %a, dims = [1] : {S}", "a[:, ::-1]"),
            Program(
                f"%s = stablehlo.reverse %a, dims = [0] : {S}\n"
                f"%r = stablehlo.transpose %s, dims = [1, 0] : ({S}) -> {S}",
                "a[::-1].T",
            ),
        ),
        ((4, 4),),
    ),
    "slice of a concatenation": Pair(
        "%a: tensor<?xf32>, %b: tensor<3xf32>",
        "tensor<3xf32>",
        Program(
            f"{SIZE}%s = tensor.concat dim(0) %a, %b : (tensor<?xf32>, tensor<3xf32>) -> tensor<?xf32>\n"
            + slice_of("%s", "%n", "3", "1", "tensor<?xf32> to tensor<3xf32>"),
            "np.concatenate([a, b])[len(a):len(a) + 3]",
        ),
        (Program(f"{SIZE}%r = tensor.cast %b : tensor<3xf32> to tensor<3xf32>", "b"),),
        (
            Program(
                f"{SIZE}%s = tensor.concat dim(0) %b, %a : (tensor<3xf32>, tensor<?xf32>) -> tensor<?xf32>\n"
                + slice_of("%s", "%n", "3", "1", "tensor<?xf32> to tensor<3xf32>"),
                "np.concatenate([b, a])[len(a):len(a) + 3]",
            ),
        ),
        ((5,), (3,)),
    ),
    "swapped operands": Pair(
        f"%a: {S}, %b: {S}",
        S,
        Program(f"%s = arith.addf %a, %b : {S}\n%r = arith.subf %s, %b : {S}", "a + b - b"),
        (
            Program(f"%s = stablehlo.add %b, %a : {S}\n%r = stablehlo.subtract %s, %b : {S}", "b + a - b"),
            Program(
                EMPTY
                + generic(
                    ("(i, j) -> (i, j)", "(i, j) -> (i, j)", "(i, j) -> (i, j)"),
                    "parallel parallel",
                    SQUARE,
                    "%e",
                    S,
                    "%s = arith.addf %x, %y : f32\n%d = arith.subf %s, %y : f32\nlinalg.yield %d : f32",
                ),
                "a + b - b",
            ),
        ),
        (
            Program(f"%s = arith.addf %a, %b : {S}\n%r = arith.subf %b, %s : {S}", "b - (a + b)"),
            Program(f"%s = arith.addf %a, %b : {S}\n%r = arith.subf %s, %a : {S}", "a + b - a"),
        ),
        ((4, 4), (4, 4)),
    ),
    "broadcast": Pair(
        "%a: tensor<4xf32>, %b: tensor<4xf32>",
        S,
        Program(
            "%s = stablehlo.subtract %a, %b : tensor<4xf32>\n"
            f"%r = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<4xf32>) -> {S}",
            "np.repeat((a - b)[:, None], 4, 1)",
        ),
        (
            Program(
                f"%s = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<4xf32>) -> {S}\n"
                f"%t = stablehlo.broadcast_in_dim %b, dims = [0] : (tensor<4xf32>) -> {S}\n"
                f"%r = stablehlo.subtract %s, %t : {S}",
                "np.repeat((a - b)[:, None], 4, 1)",
            ),
        ),
        (
            Program(
                "%s = stablehlo.subtract %a, %b : tensor<4xf32>\n"
                f"%r = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<4xf32>) -> {S}",
                "np.repeat((a - b)[None, :], 4, 0)",
            ),
        ),
        ((4,), (4,)),
    ),
    "select": Pair(
        f"%a: {S}, %b: {S}",
        S,
        Program(
            f"%p = stablehlo.compare LT, %a, %b : ({S}, {S}) -> tensor<4x4xi1>\n"
            f"%r = stablehlo.select %p, %a, %b : tensor<4x4xi1>, {S}",
            "np.where(a < b, a, b)",
        ),
        (
            Program(
                f"%s = stablehlo.reverse %a, dims = [0, 1] : {S}\n%t = stablehlo.reverse %b, dims = [0, 1] : {S}\n"
                f"%p = stablehlo.compare LT, %s, %t : ({S}, {S}) -> tensor<4x4xi1>\n"
                f"%u = stablehlo.select %p, %s, %t : tensor<4x4xi1>, {S}\n"
                f"%r = stablehlo.reverse %u, dims = [0, 1] : {S}",
                "np.where(a < b, a, b)",
            ),
        ),
        (
            Program(
                f"%p = stablehlo.compare LT, %a, %b : ({S}, {S}) -> tensor<4x4xi1>\n"
                f"%r = stablehlo.select %p, %b, %a : tensor<4x4xi1>, {S}",
                "np.where(a < b, b, a)",
            ),
            Program(
                f"%p = stablehlo.compare GT, %a, %b : ({S}, {S}) -> tensor<4x4xi1>\n"
                f"%r = stablehlo.select %p, %a, %b : tensor<4x4xi1>, {S}",
                "np.where(a > b, a, b)",
            ),
        ),
        ((4, 4), (4, 4)),
    ),
    "matrix products": Pair(
        f"%a: {T2}, %b: {T2}",
        T2,
        Program(FILLED + MATMUL, "a @ b"),
        (
            Program(
                FILLED
                + generic(
                    ("(k, i, j) -> (i, k)", "(k, i, j) -> (k, j)", "(k, i, j) -> (i, j)"),
                    "reduction parallel parallel",
                    BOTH,
                    "%i",
                    T2,
                    PRODUCT,
                ),
                "a @ b",
            ),
        ),
        (
            Program(
                FILLED
                + generic(
                    ("(i, j, k) -> (i, k)", "(i, j, k) -> (k, j)", "(i, j, k) -> (i, j)"),
                    "parallel parallel reduction",
                    BOTH,
                    "%i",
                    T2,
                    PRODUCT.replace("mulf", "subf"),
                ),
                "(a[:, :, None] - b[None, :, :]).sum(1)",
            ),
            Program(FILLED.replace("0.0 : f32", "1.0 : f32") + MATMUL, "1 + a @ b"),
        ),
        ((3, 2), (2, 5)),
    ),
    "reductions": Pair(
        f"%a: {S}",
        "tensor<4xf32>",
        Program(reduced("%a", 1), "a.sum(1)"),
        (
            Program(
                f"%s = stablehlo.transpose %a, dims = [1, 0] : ({S}) -> {S}\n{reduced('%s', 0)}",
                "a.T.sum(0)",
            ),
        ),
        (
            Program(reduced("%a", 0), "a.sum(0)"),
            Program(reduced("%a", 1).replace("dense<0.0>", "dense<1.0>"), "1 + a.sum(1)"),
        ),
        ((4, 4),),
    ),
    "insertion": Pair(
        f"%a: {S}, %b: tensor<2x2xf32>",
        "tensor<2x2xf32>",
        Program(
            "%s = tensor.insert_slice %b into %a[1, 2] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x4xf32>\n"
            + slice_of("%s", "1, 2", "2, 2", "1, 1", f"{S} to tensor<2x2xf32>"),
            "b",
        ),
        (Program("%r = tensor.cast %b : tensor<2x2xf32> to tensor<2x2xf32>", "b"),),
        (
            Program(slice_of("%a", "1, 2", "2, 2", "1, 1", f"{S} to tensor<2x2xf32>"), "a[1:3, 2:4]"),
            Program(
                "%s = tensor.insert_slice %b into %a[1, 1] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x4xf32>\n"
                + slice_of("%s", "1, 2", "2, 2", "1, 1", f"{S} to tensor<2x2xf32>"),
                "np.stack([[b[0, 1], a[1, 3]], [b[1, 1], a[2, 3]]])",
            ),
        ),
        ((4, 4), (2, 2)),
    ),
    "reshapes": Pair(
        "%a: tensor<2x6xf32>",
        "tensor<3x4xf32>",
        Program(
            "%s = stablehlo.reshape %a : (tensor<2x6xf32>) -> tensor<12xf32>\n"
            "%r = stablehlo.reshape %s : (tensor<12xf32>) -> tensor<3x4xf32>",
            "a.reshape(3, 4)",
        ),
        (
            Program("%r = stablehlo.reshape %a : (tensor<2x6xf32>) -> tensor<3x4xf32>", "a.reshape(3, 4)"),
            Program(
                "%s = tensor.collapse_shape %a [[0, 1]] : tensor<2x6xf32> into tensor<12xf32>\n"
                "%r = tensor.expand_shape %s [[0, 1]] output_shape [3, 4] : tensor<12xf32> into tensor<3x4xf32>",
                "a.reshape(3, 4)",
            ),
        ),
        (
            Program(
                "%t = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x6xf32>) -> tensor<6x2xf32>\n"
                "%r = stablehlo.reshape %t : (tensor<6x2xf32>) -> tensor<3x4xf32>",
                "a.T.reshape(3, 4)",
            ),
        ),
        ((2, 6),),
    ),
    "interior padding": Pair(
        "%a: tensor<3xf32>, %b: tensor<f32>",
        "tensor<3xf32>",
        Program(
            "%p = stablehlo.pad %a, %b, low = [1], high = [2], interior = [1] : "
            "(tensor<3xf32>, tensor<f32>) -> tensor<8xf32>\n"
            "%r = stablehlo.slice %p [1:6:2] : (tensor<8xf32>) -> tensor<3xf32>",
            "a",
        ),
        (Program("%r = stablehlo.reshape %a : (tensor<3xf32>) -> tensor<3xf32>", "a"),),
        (
            Program(
                "%r = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<f32>) -> tensor<3xf32>",
                "np.repeat(b, 3)",
            ),
        ),
        ((3,), ()),
    ),
    "contractions": Pair(
        f"%a: {S}, %b: {S}",
        S,
        Program(
            f"%t = stablehlo.transpose %b, dims = [1, 0] : ({S}) -> {S}\n"
            f"%r = stablehlo.dot_general %a, %t, contracting_dims = [1] x [0] : ({S}, {S}) -> {S}",
            "a @ b.T",
        ),
        (
            Program(
                f"%r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1] : ({S}, {S}) -> {S}",
                "a @ b.T",
            ),
            Program(
                f"%s = stablehlo.dot_general %b, %a, contracting_dims = [1] x [1] : ({S}, {S}) -> {S}\n"
                f"%r = stablehlo.transpose %s, dims = [1, 0] : ({S}) -> {S}",
                "(b @ a.T).T",
            ),
        ),
        (
            Program(
                f"%r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({S}, {S}) -> {S}",
                "a @ b",
            ),
            Program(
                f"%r = stablehlo.dot_general %b, %a, contracting_dims = [1] x [1] : ({S}, {S}) -> {S}",
                "b @ a.T",
            ),
        ),
        ((4, 4), (4, 4)),
    ),
    "unsigned places": Pair(
        "%a: tensor<8xf32>",
        "tensor<4xf32>",
        Program(sliced("ui8", 190), "a[4:8]"),
        (Program(sliced("i16", 190), "a[4:8]"), Program(sliced("ui8", 4), "a[4:8]")),
        (Program(sliced("i8", -66), "a[0:4]"), Program(sliced("ui8", 3), "a[3:7]")),
        ((8,),),
    ),
    "operands of a greatest element": Pair(
        "%a: tensor<4xf32>, %b: tensor<4xf32>",
        "tensor<4xf32>",
        Program("%r = arith.maximumf %a, %b : tensor<4xf32>", "np.maximum(a, b)"),
        (Program("%r = arith.maximumf %b, %a : tensor<4xf32>", "np.maximum(b, a)"),),
        (Program("%r = arith.minimumf %b, %a : tensor<4xf32>", "np.minimum(b, a)"),),
        ((4,), (4,)),
    ),
}
CASES = [
    (name, is_right, number)
    for name, pair in PAIRS.items()
    for is_right, programs in ((True, pair.right), (False, pair.wrong))
    for number in range(len(programs))
]


def text(pair: Pair, program: Program) -> str:
    return f"func.func @f({pair.arguments}) -> {pair.result} {{\n{program.body}\nreturn %r : {pair.result}\n}}"


def refined(source: str, target: str, *, shapes_only: bool = False) -> Refinement:
    options = Options(execute=False, shapes_only=shapes_only)
    (found,) = refine_programs(read_text(source), read_text(target), options)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("name", "is_right", "number"), CASES)
def test_a_pair_of_programs_is_proved_if_right_and_refuted_if_wrong(name: str, is_right: bool, number: int) -> None:
    pair = PAIRS[name]
    target = (pair.right if is_right else pair.wrong)[number]
    random = np.random.default_rng(1)
    arrays = [random.integers(-50, 50, shape).astype(np.float64) for shape in pair.shapes]
    assert np.array_equal(pair.source.compute(arrays), target.compute(arrays)) is is_right
    found = refined(text(pair, pair.source), text(pair, target))
    assert found.word is VerdictKind.PROVED
    assert ("contents" not in found.not_compared) is is_right
    assert found.compares_elements is is_right


def test_only_shapes_may_be_compared() -> None:
    pair = PAIRS["transposes"]
    found = refined(text(pair, pair.source), text(pair, pair.right[0]), shapes_only=True)
    assert "contents" in found.not_compared
    assert not found.compares_elements
