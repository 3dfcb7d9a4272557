"""The rules for ONNX operators against ONNX's shape inference and its reference implementation, on random shapes.

Both must agree on an answer before it is one: an error of the reference implementation alone may be a flaw of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

import pytest
from support.onnx_calls import CALLS, OLDER, Call, older
from support.torch_oracle import RAISES, Outcome
from support.torch_rules import NOT_SEEN, said

onnx: Any = pytest.importorskip("onnx")
reference: Any = pytest.importorskip("onnx.reference")
numpy: Any = pytest.importorskip("numpy")

pytestmark = pytest.mark.frontends

OPSET = 23
COUNT = 60
OUTPUTS = {"Attention": 3, "Split": 3, "TopK": 2, "GRU": 2, "LSTM": 3, "RNN": 2}
FAILING = ("Add", "Max", "Reshape", "Concat", "Expand", "MatMul", "Squeeze")
"""Operators whose errors both oracles see."""
PREFIX = "torch.onnx."


def model_of(name: str, operands: list[Any], attributes: Mapping[str, Any], opset: int) -> tuple[Any, dict[str, Any]]:
    """Return a model of one node, and the inputs to run it on."""
    helper, kinds = onnx.helper, onnx.TensorProto
    values, inputs, constants, names = {}, [], [], []
    for at, each in enumerate(operands):
        names.append("" if each is None else f"x{at}")
        if each is None:
            continue
        if "v" in each:
            held = numpy.array(each["v"], numpy.int64).reshape(each["t"])
            constants.append(onnx.numpy_helper.from_array(held, f"x{at}"))
        else:
            values[f"x{at}"] = numpy.ones(each["t"], numpy.float32)
            inputs.append(helper.make_tensor_value_info(f"x{at}", kinds.FLOAT, each["t"]))
    outputs = [f"y{at}" for at in range(OUTPUTS.get(name, 1))]
    node = helper.make_node(name, names, outputs, **attributes)
    results = [helper.make_empty_tensor_value_info(each) for each in outputs]
    graph = helper.make_graph([node], "one", inputs, results, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10), values


def inferred(model: Any) -> Outcome | None:
    """Return what shape inference says; None where an extent is left open."""
    try:
        found = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)
    except onnx.shape_inference.InferenceError:
        return RAISES
    shapes: list[Any] = []
    for each in found.graph.output:
        dims = each.type.tensor_type.shape.dim
        if not each.type.tensor_type.HasField("shape") or any(one.WhichOneof("value") != "dim_value" for one in dims):
            return None
        shapes.append([one.dim_value for one in dims])
    return shapes


def computed(model: Any, values: Mapping[str, Any]) -> Outcome:
    """Return the shapes of the results of the reference implementation, or that it raises."""
    try:
        results = reference.ReferenceEvaluator(model).run(None, dict(values))
    except Exception:
        return RAISES
    return [list(numpy.shape(each)) for each in results]


def answer(model: Any, values: Mapping[str, Any]) -> Outcome | None:
    """Return what both oracles say, None where they differ or do not know."""
    first, second = inferred(model), computed(model, values)
    return second if first is None and second != RAISES else first if first == second else None


def compared(name: str, calls: Iterable[tuple[int, Call]]) -> tuple[list[str], Counter[bool]]:
    """Return where the rule differs from both oracles, and how many answers are results (False) and errors (True)."""
    seen, differing = Counter[bool](), list[str]()
    for opset, (operands, attributes) in calls:
        wanted = answer(*model_of(name, operands, attributes, opset))
        if wanted is None:
            continue
        given = {f"{PREFIX}{key}": tuple(each) if isinstance(each, list) else each for key, each in attributes.items()}
        for symbolic in (False, True):
            known = wanted if isinstance(wanted, list) else [None] * OUTPUTS.get(name, 1)
            ours, why = said(f"onnx.{name}", operands, known, symbolic=symbolic, attributes=given)
            if ours == NOT_SEEN:
                continue
            seen[wanted == RAISES] += 1
            if ours != wanted:
                differing.append(f"{operands} {attributes} symbolic={symbolic}: ONNX {wanted}, the rule {ours} {why}")
    return differing, seen


@pytest.mark.parametrize("name", CALLS)
def test_rules_agree_with_both_oracles(name: str) -> None:
    dice = Random(f"onnx {name}")
    differing, seen = compared(name, ((OPSET, CALLS[name](dice)) for _ in range(COUNT)))
    assert not differing, "\n".join(differing[:8])
    assert seen[False] >= COUNT // 3, seen
    assert name not in FAILING or seen[True] >= COUNT // 10, seen


@pytest.mark.parametrize("name", OLDER)
def test_rules_agree_in_older_opsets(name: str) -> None:
    dice = Random(f"older {name}")
    differing, seen = compared(name, (older(name, CALLS[name](dice)) for _ in range(COUNT)))
    assert not differing, "\n".join(differing[:8])
    assert seen[False] >= COUNT // 4, seen
