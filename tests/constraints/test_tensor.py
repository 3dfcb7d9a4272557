"""The rules of the tensor dialect against MLIR's verifier and numpy."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from support.claims_at_sizes import Sketch, broken, result_shapes, trace_of, verifier_accepts

from shapesolve.domain.values import Tensor
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import holds


def agree(sketch: Sketch, sizes: dict[str, int], claims: list[str]) -> None:
    """The verifier refuses the static program exactly where the dynamic one breaks a claim."""
    assert verifier_accepts(sketch.static(sizes)) == (not claims), (sizes, claims, sketch.static(sizes))


def tried(sketch: Sketch, **values: range) -> list[tuple[dict[str, int], list[str]]]:
    trace = trace_of(sketch.dynamic())
    found: list[tuple[dict[str, int], list[str]]] = []
    for numbers in product(*values.values()):
        sizes = dict(zip(values, numbers, strict=True))
        found.append((sizes, broken(trace, sketch.inputs(sizes))))
    assert any(claims for _, claims in found), "no size breaks a claim: the test would prove nothing"
    assert any(not claims for _, claims in found)
    return found


SLICE = Sketch({"a": "n"}, "  %0 = tensor.extract_slice %a[{o}] [{s}] [{t}] : {a} to {:s}", indices=("o", "s", "t"))


@pytest.mark.slow
def test_extract_slice_agrees_with_the_verifier() -> None:
    for sizes, claims in tried(SLICE, n=range(5), o=range(-1, 5), s=range(1, 4), t=range(4)):
        agree(SLICE, sizes, claims)


def test_every_element_of_a_slice_lies_in_the_source() -> None:
    # The static verifier misses a negative last position (strides below 0), and refuses an empty slice at the end,
    # which the runtime verification of the same MLIR allows.
    for sizes, claims in tried(SLICE, n=range(5), o=range(-1, 6), s=range(-1, 4), t=range(-2, 4)):
        n, o, s, t = (sizes[name] for name in "nost")
        inside = s >= 0 and 0 <= o <= n and all(0 <= o + number * t < n for number in range(s))
        assert (not claims) == inside, sizes


@pytest.mark.slow
def test_insert_slice_agrees_with_the_verifier() -> None:
    sketch = Sketch(
        {"b": "r", "a": "n"},
        "  %0 = tensor.insert_slice %b into %a[{o}] [{s}] [1] : {b} into {a}",
        indices=("o", "s"),
    )
    for sizes, claims in tried(sketch, r=range(4), n=range(4), o=range(-1, 4), s=range(1, 4)):
        agree(sketch, sizes, claims)


def test_concat_agrees_with_the_verifier() -> None:
    sketch = Sketch(
        {"a": ("n", "k"), "b": ("m", "l")},
        "  %0 = tensor.concat dim(0) %a, %b : ({a}, {b}) -> {:p,q}",
    )
    trace = trace_of(sketch.dynamic())
    for n, k, m, width in product(range(3), repeat=4):
        sizes = {"n": n, "k": k, "m": m, "l": width, "p": n + m, "q": k}
        agree(sketch, sizes, broken(trace, sketch.inputs(sizes)))


@pytest.mark.covers("inference.declared_types")
def test_declared_extents_of_concat_and_pad_are_claims() -> None:
    joined = (
        "func.func @f(%a: tensor<?xf32>) {\n %0 = tensor.concat dim(0) %a, %a : "
        "(tensor<?xf32>, tensor<?xf32>) -> tensor<6xf32>\n return\n}"
    )
    padded = (
        "func.func @f(%a: tensor<?xf32>, %c: f32) {\n %0 = tensor.pad %a low[1] high[2] {\n ^bb0(%i: index):\n"
        " tensor.yield %c : f32 } : tensor<?xf32> to tensor<6xf32>\n return\n}"
    )
    for n in range(7):
        assert broken(trace_of(joined), {"a[0]": n}) == ([] if 2 * n == 6 else ["tensor.concat T2"])
        assert broken(trace_of(padded), {"a[0]": n}) == ([] if n + 3 == 6 else ["tensor.pad T2"])
        for text in (joined, padded):
            assert verifier_accepts(
                text.replace("%a: tensor<?", f"%a: tensor<{n}").replace("tensor<?", f"tensor<{n}")
            ) == (not broken(trace_of(text), {"a[0]": n}))


def test_expand_shape_agrees_with_the_verifier() -> None:
    sketch = Sketch(
        {"a": "n"},
        "  %0 = tensor.expand_shape %a [[0, 1]] output_shape [{p}, {q}] : {a} into {:p,q}",
        indices=("p", "q"),
    )
    for sizes, claims in tried(sketch, n=range(7), p=range(4), q=range(4)):
        agree(sketch, sizes, claims)


def test_collapse_shape_multiplies() -> None:
    trace = trace_of(
        "func.func @f(%a: tensor<?x3x?x?xf32>) -> tensor<?x?xf32> {\n"
        "  %0 = tensor.collapse_shape %a [[0, 1], [2, 3]] : tensor<?x3x?x?xf32> into tensor<?x?xf32>\n"
        "  return %0 : tensor<?x?xf32>\n}"
    )
    assert trace.results is not None
    (result,) = trace.results
    assert isinstance(result, Tensor)
    assert str(result.shape) == "[3*a[0], a[2]*a[3]]"
    assert not trace.obligations


def test_rank_reduced_slices() -> None:
    trace = trace_of(
        "func.func @f(%a: tensor<?x?x?xf32>, %n: index) -> (tensor<?xf32>, tensor<?x1xf32>) {\n"
        "  %0 = tensor.extract_slice %a[0, 0, 0] [1, %n, 1] [1, 1, 1] : tensor<?x?x?xf32> to tensor<?xf32>\n"
        "  %1 = tensor.extract_slice %a[0, 0, 0] [1, %n, 1] [1, 1, 1] : tensor<?x?x?xf32> to tensor<?x1xf32>\n"
        "  return %0, %1 : tensor<?xf32>, tensor<?x1xf32>\n}"
    )
    assert trace.results is not None
    assert [str(r.shape) for r in trace.results if isinstance(r, Tensor)] == ["[n]", "[n, 1]"]


def elements_of(body: str, result: str) -> list[object]:
    trace = trace_of(f"func.func @f() -> {result} {{\n{body}\n  return %r : {result}\n}}")
    assert trace.results is not None
    (tensor,) = trace.results
    assert isinstance(tensor, Tensor) and tensor.elements is not None
    return [element.value if isinstance(element, Dim) else element for element in tensor.elements]


def filled(name: str, array: np.ndarray) -> str:
    """An integer tensor with these contents."""
    type = f"tensor<{'x'.join(map(str, array.shape))}xindex>"
    text = "".join(f"  %{name}{k} = arith.constant {value} : index\n" for k, value in enumerate(array.flat))
    operands = ", ".join(f"%{name}{k}" for k in range(array.size))
    return f"{text}  %{name} = tensor.from_elements {operands} : {type}\n"


def test_elements_of_slices_are_numpys() -> None:
    array = np.arange(32).reshape(4, 8) * 7
    for (o, p), (s, q), (t, u) in product([(0, 0), (1, 2)], [(2, 3), (3, 1), (0, 2)], [(1, 1), (1, 2)]):
        body = filled("a", array) + (
            f"  %r = tensor.extract_slice %a[{o}, {p}] [{s}, {q}] [{t}, {u}] : "
            f"tensor<4x8xindex> to tensor<{s}x{q}xindex>"
        )
        expected = array[o : o + s * t : t, p : p + q * u : u][:s, :q]
        assert elements_of(body, f"tensor<{s}x{q}xindex>") == expected.flatten().tolist()


def test_elements_of_insert_slice_concat_and_reshapes_are_numpys() -> None:
    whole, part = np.arange(12).reshape(3, 4), np.arange(4).reshape(2, 2) + 100
    body = filled("a", whole) + filled("b", part)
    inserted = whole.copy()
    inserted[1:3, 0:4:2] = part
    insert = "  %r = tensor.insert_slice %b into %a[1, 0] [2, 2] [1, 2] : tensor<2x2xindex> into tensor<3x4xindex>"
    assert elements_of(body + insert, "tensor<3x4xindex>") == inserted.flatten().tolist()
    other = np.arange(6).reshape(3, 2) - 50
    body = filled("a", whole) + filled("b", other)
    join = "  %r = tensor.concat dim(1) %a, %b : (tensor<3x4xindex>, tensor<3x2xindex>) -> tensor<3x6xindex>"
    assert elements_of(body + join, "tensor<3x6xindex>") == np.concatenate([whole, other], 1).flatten().tolist()
    reshape = (
        filled("a", whole)
        + filled("s", np.array([2, 6]))
        + ("  %r = tensor.reshape %a(%s) : (tensor<3x4xindex>, tensor<2xindex>) -> tensor<2x6xindex>")
    )
    assert elements_of(reshape, "tensor<2x6xindex>") == list(range(12))
    collapse = filled("a", whole) + "  %r = tensor.collapse_shape %a [[0, 1]] : tensor<3x4xindex> into tensor<12xindex>"
    assert elements_of(collapse, "tensor<12xindex>") == list(range(12))


@pytest.mark.parametrize("index", range(-1, 6))
def test_extract_at_an_unknown_place(index: int) -> None:
    values = np.array([[3, 1, 4], [1, 5, 9]])
    text = (
        "func.func @f(%i: index, %j: index) -> index {\n"
        + filled("a", values)
        + "  %r = tensor.extract %a[%i, %j] : tensor<2x3xindex>\n  return %r : index\n}"
    )
    trace = trace_of(text)
    for i in range(3):
        sizes = {"i": i, "j": index}
        wrong = not (0 <= i < 2 and 0 <= index < 3)
        assert bool(broken(trace, sizes)) == wrong
        if not wrong:
            assert result_shapes(trace, sizes) == (values[i, index],)


def test_reshape_counts_elements() -> None:
    trace = trace_of(
        "func.func @f(%a: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {\n"
        "  %s = tensor.from_elements %n, %m : tensor<2xindex>\n"
        "  %0 = tensor.reshape %a(%s) : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>\n"
        "  return %0 : tensor<?x?xf32>\n}"
    )
    for p, q, n, m in product(range(4), range(4), range(-2, 5), range(-2, 5)):
        fits = n >= 0 and m >= 0 and p * q == n * m
        assert (not broken(trace, {"a[0]": p, "a[1]": q, "n": n, "m": m})) == fits


def test_dim_and_cast_of_unranked_tensors() -> None:
    trace = trace_of(
        "func.func @f(%a: tensor<*xf32>) -> tensor<?x3xf32> {\n"
        "  %0 = tensor.cast %a : tensor<*xf32> to tensor<?x3xf32>\n"
        "  return %0 : tensor<?x3xf32>\n}"
    )
    assert [obligation.clause for obligation in trace.obligations] == ["C1", "C2"]
    (symbol,) = trace.input_variables
    for extents in [(), (3,), (2, 3), (0, 3), (3, 2), (1, 2, 3)]:
        true = all(holds(obligation.claim, {symbol: extents}) for obligation in trace.obligations)
        assert true == (len(extents) == 2 and extents[1] == 3)
