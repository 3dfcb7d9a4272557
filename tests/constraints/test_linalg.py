"""Differential test of the linalg rules against MLIR's verifier and plain loops."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from support.claims_at_sizes import Sketch, broken, trace_of, verifier_accepts

from shapesolve.domain.values import Tensor
from shapesolve.symbolic.dims import Dim
from shapesolve.trace.events import Enter

TRIALS = 120

NAMED = {
    "matmul": Sketch(
        {"a": "nk", "b": "lm", "c": "pq"},
        "  %0 = linalg.matmul ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}",
    ),
    "batch_matmul": Sketch(
        {"a": "bnk", "b": "dlm", "c": "epq"},
        "  %0 = linalg.batch_matmul ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}",
    ),
    "matvec": Sketch(
        {"a": "nk", "b": "l", "c": "p"}, "  %0 = linalg.matvec ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}"
    ),
    "dot": Sketch({"a": "n", "b": "m", "c": ""}, "  %0 = linalg.dot ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}"),
    "mmt4d": Sketch(
        {"a": "nk12", "b": "ml32", "c": "pq13"},
        "  %0 = linalg.mmt4d ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}",
    ),
    "exp": Sketch({"a": "nk", "c": "pq"}, "  %0 = linalg.exp ins(%a : {a}) outs(%c : {c}) -> {c}"),
    "add": Sketch({"a": "nk", "b": "lm", "c": "pq"}, "  %0 = linalg.add ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}"),
    "transpose": Sketch(
        {"a": "nkl", "c": "pqr"}, "  %0 = linalg.transpose ins(%a : {a}) outs(%c : {c}) permutation = [1, 2, 0]"
    ),
    "broadcast": Sketch(
        {"a": "nk", "c": "pqr"}, "  %0 = linalg.broadcast ins(%a : {a}) outs(%c : {c}) dimensions = [1]"
    ),
    "reduce": Sketch(
        {"a": "nkl", "c": "pq"}, "  %0 = linalg.reduce { arith.addf } ins(%a : {a}) outs(%c : {c}) dimensions = [1]"
    ),
    "map": Sketch(
        {"a": "nk", "b": "lm", "c": "pq"},
        "  %0 = linalg.map { arith.addf } ins(%a, %b : {a}, {b}) outs(%c : {c})",
    ),
    "conv_2d_nhwc_hwcf": Sketch(
        {"a": "ihwc", "b": "xydf", "c": "jpqg"},
        "  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : "
        "tensor<2xi64>} ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}",
    ),
    "conv_1d": Sketch(
        {"a": "n", "b": "k", "c": "p"}, "  %0 = linalg.conv_1d ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}"
    ),
    "pooling_nchw_max": Sketch(
        {"a": "nchw", "b": "xy", "c": "mdpq"},
        "  %0 = linalg.pooling_nchw_max {strides = dense<[2, 3]> : tensor<2xi64>, "
        "dilations = dense<1> : tensor<2xi64>} ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}",
    ),
    "softmax": Sketch({"a": "nk", "c": "pq"}, "  %0 = linalg.softmax dimension(1) ins(%a : {a}) outs(%c : {c}) -> {c}"),
}


def generic(maps: str, loops: int, operands: str) -> Sketch:
    names = "abc"[: len(operands.split())]
    *inputs, output = names
    types = ", ".join(f"{{{name}}}" for name in inputs)
    values = ", ".join(f"%{name}" for name in inputs)
    arguments = ", ".join(f"%x{name}: f32" for name in names)
    kinds = ", ".join(['"parallel"'] * loops)
    body = (
        f"  %0 = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
        f"ins({values} : {types}) outs(%{output} : {{{output}}}) {{\n"
        f"  ^bb0({arguments}):\n    linalg.yield %x{inputs[0]} : f32\n  }} -> {{{output}}}"
    )
    return Sketch(dict(zip(names, operands.split(), strict=True)), body)


def affine(*maps: str) -> str:
    return ", ".join(f"affine_map<{each}>" for each in maps)


GENERIC = {
    "element-wise": generic(affine("(i, j) -> (i, j)", "(i, j) -> (i, j)", "(i, j) -> (i, j)"), 2, "nk lm pq"),
    "transposed": generic(affine("(i, j) -> (j, i)", "(i, j) -> (i, j)"), 2, "nk pq"),
    "first row": generic(affine("(i, j) -> (0, j)", "(i, j) -> (i, j)"), 2, "nk pq"),
    "third row": generic(affine("(i, j) -> (2, j)", "(i, j) -> (i, j)"), 2, "nk pq"),
    "window": generic(affine("(i, j) -> (2 * i + j)", "(i, j) -> (i, j)"), 2, "n pq"),
    "reversed": generic(affine("(i) -> (3 - i)", "(i) -> (i)"), 1, "n p"),
    "shifted": generic(affine("(i) -> (i + 2)", "(i) -> (i)"), 1, "n p"),
    "halved": generic(affine("(i) -> (i floordiv 2)", "(i) -> (i)"), 1, "n p"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*NAMED, *GENERIC])
def test_claims_are_those_of_the_verifier(name: str) -> None:
    """Sizes make no loop empty, since the verifier compares extents of empty loops, too."""
    sketch = NAMED.get(name) or GENERIC[name]
    trace = trace_of(sketch.dynamic())
    chosen = random.Random(name)
    letters = sorted({letter for extents in sketch.tensors.values() for letter in extents if letter.isalpha()})
    equal_often = [dict.fromkeys(letters, size) for size in (1, 2, 3)]
    verdicts: set[bool] = set()
    for trial in range(TRIALS):
        sizes = {letter: chosen.choice((1, 2, 3, 4)) for letter in letters}
        if trial % 3:  # nearly equal sizes, or hardly any would fit
            sizes = chosen.choice(equal_often) | {letter: chosen.randint(1, 5) for letter in chosen.sample(letters, 1)}
        if trial % 5 == 0:
            sizes |= fitting(sketch, sizes)
        accepted = verifier_accepts(sketch.static(sizes))
        assert accepted == (not broken(trace, sketch.inputs(sizes))), sizes
        verdicts.add(accepted)
    assert verdicts == {True, False}


def fitting(sketch: Sketch, sizes: dict[str, int]) -> dict[str, int]:
    """Sizes at which windows fit: a large input, equal batches and channels."""
    return (
        {"h": 9, "w": 9, "x": 2, "y": 2, "p": 2, "q": 2, "i": 2, "j": 2, "c": 2, "d": 2, "f": 3, "g": 3}
        | {letter: 2 for letter in sizes if letter in "mnkl"}
        if "h" in sizes
        else {}
    )


def difference(i: int, j: int) -> int:
    return i - j


def odd(i: int, j: int) -> int:
    return i % 2


def wrapped(i: int, j: int) -> int:
    return i % 3 + j


def halves(i: int, j: int) -> int:
    return i // 2 + (j + 1) // 2


def backwards(i: int, j: int) -> int:
    return 3 - i - 2 * j


@pytest.mark.parametrize(
    ("expression", "place"),
    [
        ("i - j", difference),
        ("i mod 2", odd),
        ("i mod 3 + j", wrapped),
        ("i floordiv 2 + j ceildiv 2", halves),
        ("3 - i - 2 * j", backwards),
    ],
)
def test_every_access_lies_in_the_operand(expression: str, place: Callable[[int, int], int]) -> None:
    """The claim must cover every access of the loops; the verifier looks at the first and last iterations only."""
    sketch = generic(affine(f"(i, j) -> ({expression})", "(i, j) -> (i, j)"), 2, "n pq")
    trace = trace_of(sketch.dynamic())
    verdicts: set[bool] = set()
    for n, p, q in product(range(4), repeat=3):
        touched = [place(i, j) for i in range(p) for j in range(q)]
        inside = all(0 <= each < n for each in touched)
        sizes = {"n": n, "p": p, "q": q}
        assert (not broken(trace, sketch.inputs(sizes))) == inside, sizes
        verdicts.add(inside)
    assert verdicts == {True, False}


def test_empty_loops_demand_nothing_and_results_have_the_shape_of_outputs() -> None:
    sketch = NAMED["matmul"]
    trace = trace_of(sketch.dynamic())
    for n, k, m in product(range(3), repeat=3):
        sizes = {"n": n, "k": k, "l": k + 1, "m": m, "p": n, "q": m}
        claims = broken(trace, sketch.inputs(sizes))
        assert bool(claims) == (n > 0 and k > 0 and m > 0)
    text = (
        "func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {\n"
        "  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) "
        "-> tensor<?x?xf32>\n  return %0 : tensor<?x?xf32>\n}"
    )
    walked = trace_of(text)
    assert walked.results is not None and isinstance(walked.results[0], Tensor)
    assert str(walked.results[0].shape) == "[c[0], c[1]]"


def test_the_index_of_a_loop_is_below_its_range() -> None:
    trace = trace_of(
        "func.func @f(%a: tensor<?x?xf32>, %t: tensor<?xf32>) {\n"
        "  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], "
        'iterator_types = ["parallel", "parallel"]} outs(%a : tensor<?x?xf32>) {\n  ^bb0(%x: f32):\n'
        "    %j = linalg.index 1 : index\n    %k = linalg.index 1 : index\n"
        "    %y = tensor.extract %t[%j] : tensor<?xf32>\n    %same = arith.cmpi eq, %j, %k : index\n"
        '    cf.assert %same, "same"\n    linalg.yield %y : f32\n  } -> tensor<?x?xf32>\n  return\n}'
    )
    extract, same = (o for o in trace.obligations if o.op.name in ("tensor.extract", "cf.assert"))
    assert str(extract.claim) == "t[0] >= loop1 + 1"
    assert str(same.claim) == "true"
    entered = [event.condition for event in trace.events if isinstance(event, Enter)]
    conditions = [str(condition.formula) for condition in entered if condition is not None]
    assert conditions == ["a[0] >= loop0 + 1 and a[1] >= loop1 + 1"]


def test_claims_that_depend_on_data_are_marked() -> None:
    trace = trace_of(
        "func.func @f(%i: tensor<?xindex>, %t: tensor<?xf32>, %c: tensor<?xf32>) {\n"
        "  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], "
        'iterator_types = ["parallel"]} ins(%i : tensor<?xindex>) outs(%c : tensor<?xf32>) {\n'
        "  ^bb0(%x: index, %o: f32):\n    %y = tensor.extract %t[%x] : tensor<?xf32>\n    linalg.yield %y : f32\n"
        "  } -> tensor<?xf32>\n  return\n}"
    )
    (extract,) = (o for o in trace.obligations if o.op.name == "tensor.extract")
    (approximation,) = trace.approximations
    assert approximation.reason == "depends on the data of %i"
    assert extract.claim.variables & approximation.free


def test_moved_elements_are_numpys() -> None:
    array = np.arange(6).reshape(2, 3)
    constants = "".join(f"  %v{k} = arith.constant {value} : index\n" for k, value in enumerate(array.flat))
    source = f"{constants}  %a = tensor.from_elements {', '.join(f'%v{k}' for k in range(6))} : tensor<2x3xindex>\n"

    def elements(body: str, result: str) -> list[int]:
        trace = trace_of(
            f"func.func @f() -> {result} {{\n{source}  %e = tensor.empty() : {result}\n{body}\n"
            f"  return %r : {result}\n}}"
        )
        assert trace.results is not None
        (tensor,) = trace.results
        assert isinstance(tensor, Tensor) and tensor.elements is not None
        return [element.value for element in tensor.elements if isinstance(element, Dim)]

    transposed = "  %r = linalg.transpose ins(%a : tensor<2x3xindex>) outs(%e : tensor<3x2xindex>) permutation = [1, 0]"
    assert elements(transposed, "tensor<3x2xindex>") == array.T.flatten().tolist()
    broadcast = "  %r = linalg.broadcast ins(%a : tensor<2x3xindex>) outs(%e : tensor<2x4x3xindex>) dimensions = [1]"
    assert elements(broadcast, "tensor<2x4x3xindex>") == np.broadcast_to(array[:, None], (2, 4, 3)).flatten().tolist()
    fill = "  %r = linalg.fill ins(%v4 : index) outs(%e : tensor<2xindex>) -> tensor<2xindex>"
    assert elements(fill, "tensor<2xindex>") == [4, 4]


PACK = (
    "func.func @f(%a: tensor<?x?xf32>, %c: tensor<?x?x?x?xf32>, %t: index, %u: index, %p: f32) {{\n"
    "  %0 = linalg.pack %a {padding} outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [%t, %u] into %c : "
    "tensor<?x?xf32> -> tensor<?x?x?x?xf32>\n  return\n}}"
)


@pytest.mark.parametrize("padding", ["padding_value(%p : f32)", ""])
def test_pack_agrees_with_the_verifier(padding: str) -> None:
    trace = trace_of(PACK.format(padding=padding))
    verdicts: set[bool] = set()
    for n, m, p, q, t, u in product((3, 4), (2, 6), (1, 2, 3), (1, 2), (2,), (2, 3)):
        sizes = {"a[0]": n, "a[1]": m, "c[0]": p, "c[1]": q, "c[2]": t, "c[3]": u, "t": t, "u": u}
        packed, source = f"tensor<{p}x{q}x{t}x{u}xf32>", f"tensor<{n}x{m}xf32>"
        static = (
            PACK.format(padding=padding).replace("tensor<?x?x?x?xf32>", packed).replace("tensor<?x?xf32>", source)
        ).replace("[%t, %u]", f"[{t}, {u}]")
        accepted = verifier_accepts(static)
        assert accepted == (not broken(trace, sizes)), static
        verdicts.add(accepted)
    assert verdicts == {True, False}


UNPACK = (
    "func.func @f(%a: tensor<?x?x?x?xf32>, %c: tensor<?x?xf32>, %t: index) {\n"
    "  %0 = linalg.unpack %a inner_dims_pos = [0, 1] inner_tiles = [%t, 3] into %c : "
    "tensor<?x?x?x?xf32> -> tensor<?x?xf32>\n  return\n}"
)


@pytest.mark.slow
def test_unpack_agrees_with_the_verifier() -> None:
    text = UNPACK.replace("?x?x?x?", "?x?x?x3")
    trace = trace_of(text)
    verdicts: set[bool] = set()
    for n, m, p, q in product((1, 2, 3), (1, 2), range(1, 8), range(1, 8)):
        sizes = {"a[0]": n, "a[1]": m, "a[2]": 2, "c[0]": p, "c[1]": q, "t": 2}
        packed, result = f"tensor<{n}x{m}x2x3xf32>", f"tensor<{p}x{q}xf32>"
        static = (
            text.replace("tensor<?x?x?x3xf32>", packed).replace("tensor<?x?xf32>", result).replace("[%t, 3]", "[2, 3]")
        )
        accepted = verifier_accepts(static)
        assert accepted == (not broken(trace, sizes)), static
        verdicts.add(accepted)
    assert verdicts == {True, False}
