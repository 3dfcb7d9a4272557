"""Differential test of the shape dialect's rules against numpy's broadcasting and MLIR's constant folding."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.claims_at_sizes import broken, result_shapes, shared_context, trace_of

from shapesolve.domain.values import Size, Tensor
from shapesolve.ir import bindings
from shapesolve.symbolic.evaluation import evaluate, evaluate_shape, holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.shape_kinds import Shape
from shapesolve.trace.events import Kind, Trace

EXTENTS = st.lists(st.sampled_from([0, 1, 1, 2, 3]), max_size=3)


def _tensor(extents: list[int]) -> str:
    return f"tensor<{'?x' * len(extents)}f32>"


def _sizes(**shapes: list[int]) -> dict[str, int]:
    return {f"{name}[{index}]": size for name, extents in shapes.items() for index, size in enumerate(extents)}


def _numpy(*shapes: list[int]) -> tuple[int, ...] | None:
    try:
        return np.broadcast_shapes(*map(tuple, shapes))
    except ValueError:
        return None


@pytest.mark.slow
@given(EXTENTS, EXTENTS, EXTENTS)
def test_broadcast_is_numpys(a: list[int], b: list[int], c: list[int]) -> None:
    read = "\n".join(
        f"  %{each} = shape.shape_of %{name} : {_tensor(extents)} -> !shape.shape"
        for name, each, extents in (("a", "s", a), ("b", "t", b), ("c", "u", c))
    )
    three = "!shape.shape, !shape.shape, !shape.shape"
    trace = trace_of(
        f"func.func @f(%a: {_tensor(a)}, %b: {_tensor(b)}, %c: {_tensor(c)}) -> (!shape.shape, i1) {{\n{read}\n"
        f"  %0 = shape.broadcast %s, %t, %u : {three} -> !shape.shape\n"
        f"  %1 = shape.is_broadcastable %s, %t, %u : {three}\n"
        f"  %w = shape.cstr_broadcastable %s, %t, %u : {three}\n"
        "  return %0, %1 : !shape.shape, i1\n}"
    )
    assert trace.results is not None
    shape, fits = trace.results
    assert isinstance(shape, Shape)
    assert isinstance(fits, Formula)
    sizes = _sizes(a=a, b=b, c=c)
    assignment = {variable: sizes[variable.name] for variable in trace.input_variables}
    wanted = _numpy(a, b, c)
    assert evaluate_shape(shape, assignment) == wanted
    assert holds(fits, assignment) == (wanted is not None)
    assert bool(broken(trace, sizes)) == (wanted is None)


@pytest.mark.slow
@given(
    st.integers(0, 3).flatmap(lambda rank: st.tuples(*[st.lists(st.integers(0, 3), min_size=rank, max_size=rank)] * 2))
)
def test_tosa_broadcasts_as_numpy_does(pair: tuple[list[int], list[int]]) -> None:
    a, b = pair
    type = _tensor(a)
    trace = trace_of(
        f"func.func @f(%a: {type}, %b: {type}) -> {type} {{\n"
        f"  %0 = tosa.maximum %a, %b : ({type}, {type}) -> {type}\n  return %0 : {type}\n}}"
    )
    sizes, wanted = _sizes(a=a, b=b), _numpy(a, b)
    assert bool(broken(trace, sizes)) == (wanted is None)
    if wanted is not None:
        assert result_shapes(trace, sizes) == (wanted,)


# Constant folding --------------------------------------------------------------------------------------------------

S, Z, I1 = "!shape.shape", "!shape.size", "i1"
NUMBERS = st.integers(0, 5)
SHAPES = st.lists(NUMBERS, max_size=3)


def _constants(shapes: list[list[int]], numbers: list[int]) -> str:
    lines = [f"  %s{index} = shape.const_shape {shape} : {S}" for index, shape in enumerate(shapes)]
    lines += [f"  %z{index} = shape.const_size {number}" for index, number in enumerate(numbers)]
    return "\n".join(lines)


def _folded(text: str) -> list[str]:
    """Return MLIR's canonical form of each returned value: the printed constant, or "" if it is none."""
    with shared_context(), bindings.without_dialect_classes():
        module = bindings.ir().Module.parse(text)
        bindings.passmanager().PassManager.parse("builtin.module(canonicalize)").run(module.operation)
    function = module.body.operations[0]
    returned = list(function.regions[0].blocks[0].operations)[-1]
    return [_constant(operand.owner) for operand in returned.operands]


def _constant(owner: bindings.Bindings) -> str:
    name = owner.name
    if name == "shape.const_shape":
        return str([int(number) for number in bindings.ir().DenseIntElementsAttr(owner.attributes["shape"])])
    if name in ("shape.const_size", "arith.constant"):
        return str(owner.attributes["value"]).split(" : ")[0]
    return ""


def _ours(trace: Trace) -> list[str]:
    assert trace.results is not None
    found: list[str] = []
    for result in trace.results:
        if isinstance(result, Shape):
            extents = evaluate_shape(result, {})
            found.append("error" if extents is None else str(list(extents)))
        elif isinstance(result, Size):
            found.append(str(evaluate(result.value, {})) if holds(result.valid, {}) else "error")
        elif isinstance(result, Formula):
            found.append("true" if holds(result, {}) else "false")
        else:
            assert not isinstance(result, Tensor)
            found.append(str(result))
    return found


OPERATIONS = {
    "broadcast": (f"%0 = shape.broadcast %s0, %s1 : {S}, {S} -> {S}", S),
    "concat": (f"%0 = shape.concat %s0, %s1 : {S}, {S} -> {S}", S),
    "shape_eq": (f"%0 = shape.shape_eq %s0, %s1 : {S}, {S}", I1),
    "is_broadcastable": (f"%0 = shape.is_broadcastable %s0, %s0 : {S}, {S}", I1),
    "any": (f"%0 = shape.any %s0, %s0 : {S}, {S} -> {S}", S),
    "num_elements": (f"%0 = shape.num_elements %s0 : {S} -> {Z}", Z),
    "rank": (f"%0 = shape.rank %s0 : {S} -> {Z}", Z),
    "get_extent": (f"%0 = shape.get_extent %s0, %z0 : {S}, {Z} -> {Z}", Z),
    "add": (f"%0 = shape.add %z0, %z1 : {Z}, {Z} -> {Z}", Z),
    "mul": (f"%0 = shape.mul %z0, %z1 : {Z}, {Z} -> {Z}", Z),
    "div": (f"%0 = shape.div %z0, %z1 : {Z}, {Z} -> {Z}", Z),
    "min": (f"%0 = shape.min %z0, %z0 : {Z}, {Z} -> {Z}", Z),
    "max": (f"%0 = shape.max %z0, %z0 : {Z}, {Z} -> {Z}", Z),
    "from_extents": (f"%0 = shape.from_extents %z0, %z1 : {Z}, {Z}", S),
    "split_at": (f'%0, %1 = "shape.split_at"(%s0, %z0) : ({S}, {Z}) -> ({S}, {S})', f"{S}, {S}"),
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", OPERATIONS)
def test_constants_are_folded_as_mlir_folds_them(name: str) -> None:
    operation, types = OPERATIONS[name]
    compared: set[str] = set()

    @given(SHAPES, SHAPES, NUMBERS, NUMBERS)
    def check(a: list[int], b: list[int], n: int, m: int) -> None:
        if name == "div" and m == 0:
            return
        names = "%0, %1" if "%1 =" in operation else "%0"
        text = (
            f"func.func @f() -> ({types}) {{\n{_constants([a, b], [n, m])}\n  {operation}\n"
            f"  return {names} : {types}\n}}"
        )
        theirs, ours = _folded(text), _ours(trace_of(text))
        for folded, computed in zip(theirs, ours, strict=True):
            if folded:
                assert computed == folded
                compared.add(folded)

    check()
    assert compared or name in ("min", "max", "from_extents", "is_broadcastable"), "nothing was folded"


# Witnesses ---------------------------------------------------------------------------------------------------------


def _checks(text: str) -> list[str]:
    return [f"{each.op.name} {each.clause}" for each in trace_of(text).obligations if each.kind is Kind.CHECK]


def test_a_witness_of_an_assertion_is_asked_for_once() -> None:
    text = (
        'func.func @f(%p: i1, %w: !shape.witness) {\n  %a = shape.cstr_require %p, "p"\n'
        "  %b = shape.assuming_all %a, %w\n  shape.assuming %a {\n  }\n  shape.assuming %b {\n  }\n  return\n}"
    )
    assert _checks(text) == ["shape.cstr_require C1", "shape.assuming C1"]


def test_an_assertion_about_unknown_extents_is_still_there() -> None:
    text = (
        "func.func @f(%s: tensor<?xindex>, %t: tensor<?xindex>) {\n"
        "  %w = shape.cstr_eq %s, %t : tensor<?xindex>, tensor<?xindex>\n  return\n}"
    )
    assert _checks(text) == ["shape.cstr_eq C1"]


def test_facts_of_a_region_hold_behind_it() -> None:
    text = (
        "func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) {\n"
        "  %s = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>\n"
        "  %t = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>\n"
        "  %w = shape.cstr_eq %s, %t : tensor<1xindex>, tensor<1xindex>\n"
        "  %r = shape.assuming %w -> (tensor<1xindex>) {\n    shape.assuming_yield %s : tensor<1xindex>\n  }\n"
        "  %v = shape.cstr_eq %r, %s : tensor<1xindex>, tensor<1xindex>\n  return\n}"
    )
    *_, last = trace_of(text).obligations
    assert str(last.claim) == "true"
