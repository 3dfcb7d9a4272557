"""Custom calls by target name: those that JAX emits for what StableHLO cannot express of unknown sizes.

The semantics are those in JAX's sources (``jax/_src/lax``, ``jax/_src/interpreters/mlir.py``), and of the operation
that the call becomes once all sizes are known (``stablehlo/dialect/ExperimentalOps.h``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import ANY_RESULT, PURE, STOPS, UNSTATED, Effects
from shapesolve.semantics.op_semantics import Approximations, Claim, OpSemantics, Successors
from shapesolve.semantics.registry import ExternalEffect, rule
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction
from shapesolve.trace.events import Kind

from ..transfer.control_flow import condition_of
from ..transfer.extent_tensors import ranked_dims
from ..transfer.shape_checks import (
    Contents,
    all_non_negative,
    contents,
    dilated_extent,
    equal_shapes,
    padded_extent,
    semantics_of_reading,
    window_count,
)
from .attributes import integers
from .reshapes import state_claims, unknown_state_requirement

CALLS = "tests/cases/stablehlo/custom_calls.mlir"

_SHAPE_OPERANDS = "indices_of_shape_operands"
_PLACEHOLDER = re.compile(r"\{(\d+)\}")
SHARDING = ("Sharding", "annotate_device_placement")
_BY_NAME = ExternalEffect("it calls code by its name", unless=("call_target_name", ("shape_assertion", *SHARDING)))


_EFFECTS = {
    "shape_assertion": STOPS,
    "stablehlo.dynamic_reduce_window": PURE,
    "stablehlo.dynamic_top_k": PURE,
    "stablehlo.dynamic_rng_bit_generator": ANY_RESULT,
    "stablehlo.dynamic_approx_top_k": ANY_RESULT,
}


def _effects_of_target(op: Operation) -> Effects:
    """Return the effects of a custom call by its target; unstated for an unknown one."""
    target = op.attributes.get("call_target_name")
    return _EFFECTS.get(target, UNSTATED) if isinstance(target, str) else UNSTATED


@rule("stablehlo.custom_call", example=CALLS, effects=_effects_of_target, outside=_BY_NAME)
def custom_call(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A call of something outside StableHLO. Of these, what JAX writes for unknown sizes is known, and annotations are.

    (C1) @shape_assertion: the first operand is true.
    (C2) @stablehlo.dynamic_reduce_window: all inputs have the same shape.
    (C3) @stablehlo.dynamic_reduce_window: windows, strides and dilations are at least 1.
    (C4) @stablehlo.dynamic_top_k: the last dimension has as many elements, and the number is not negative.
    (C5) @stablehlo.dynamic_rng_bit_generator, and where (R5) gives the results: no size of a result is negative.
    (C6) @stablehlo.dynamic_rng_bit_generator: the state has as many elements as its algorithm demands.
    (R1) @Sharding: the results are the operands.
    (R2) @stablehlo.dynamic_reduce_window: an extent of the results is how many windows fit into the dilated and padded
    input.
    (R3) @stablehlo.dynamic_top_k: the results have so many in the last dimension, and the operand's other extents.
    (R4) @stablehlo.dynamic_rng_bit_generator: the next state has the shape of the state, and the bits have the extents
    that the second operand holds.
    (R5) @stablehlo.dynamic_approx_top_k, and any call that is not known: the results have the extents that the operands
    hold of which the attribute indices_of_shape_operands says so. StableHLO refines types by it as well
    (``stablehlo/dialect/Base.cpp``, getShapeRefinements). What else a call that is not known demands stays open.
    """
    target = op.attributes.get("call_target_name")
    if target in SHARDING and len(op.results) == len(op.operands):
        return OpSemantics(tuple(ctx.value(operand) for operand in op.operands))
    means = _TARGETS.get(target) if isinstance(target, str) else None
    if means is None and _SHAPE_OPERANDS in op.attributes:
        return _unknown_target(op, ctx, f"what @{target} does is not known")
    if means is None or not op.operands:
        raise UnknownValueError(f"what @{target} does is not known")
    return means(op, ctx)


def _shape_assertion(op: Operation, ctx: RuleContext) -> OpSemantics:
    condition = condition_of(ctx, op.operands[0])
    claim = _assertion_claim(op, ctx, condition.formula)
    return OpSemantics(requires=(claim,), approximations=Approximations(condition.reasons, condition.free))


def _assertion_claim(op: Operation, ctx: RuleContext, condition: Formula) -> Claim:
    """Return the claim of a shape assertion, with sizes in place of the numbered placeholders of its message."""
    stated = op.attributes.get("error_message")
    message = stated if isinstance(stated, str) and stated else "the shape assertion fails"
    values: list[tuple[str, Dim]] = []
    words: dict[str, str] = {}
    for number, operand in enumerate(op.operands[1:]):
        elements = ctx.elements(operand)
        if elements is not None and len(elements) == 1 and isinstance(elements[0], Dim):
            values.append((operand.name, elements[0]))
            text = str(elements[0])
            words[f"{{{number}}}"] = text if len(text) <= LONGEST_SIZE else operand.name
        else:
            words[f"{{{number}}}"] = operand.name
    message = _PLACEHOLDER.sub(lambda place: words.get(place[0], place[0]), message.partition(_ADVICE)[0].rstrip())
    return Claim("C1", condition, message, Kind.CHECK, tuple(dict.fromkeys(values)))


_ADVICE = "Using the following polymorphic shapes specifications"
"""Start of the advice in JAX's messages: the names of all sizes, which reports list anyway, and a link."""

LONGEST_SIZE = 40
"""Longest expression that a message quotes; a longer one is replaced by a name, and shown beside the message."""


# Operations with computed attributes ----------------------------------------------------------------------------------


def _reduce_window(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Return the semantics of a window reduction whose window is given by operands.

    The operands are inputs, as many initial values, then window, strides, dilations of input and window, and padding.
    """
    count = len(op.results)
    if len(op.operands) != 2 * count + 5:
        raise UnknownValueError("its operands are not those of a window reduction")
    shape, same = equal_shapes(ctx, op.operands[:count], "C2", "the inputs' shapes differ")
    extents = ranked_dims(shape, op.operands[0].name)
    rank = len(extents)
    held = [contents(ctx, operand, rank) for operand in op.operands[2 * count : -1]]
    held.append(contents(ctx, op.operands[-1], 2 * rank))
    window, strides, base, gaps, padding = (each.values for each in held)
    result = [
        window_count(
            padded_extent(dilated_extent(extent, base[index]), padding[2 * index], padding[2 * index + 1]),
            dilated_extent(window[index], gaps[index]),
            strides[index],
        )
        for index, extent in enumerate(extents)
    ]
    names = ("window", "stride", "dilation of the input", "dilation of the window")
    shown = tuple(
        (f"{name} in dimension {index}", size)
        for name, each in zip(names, held[:-1], strict=True)
        for index, size in enumerate(each.values)
        if not size.is_constant or size.constant < 1
    )
    positive = conjunction(at_least(size, 1) for _, size in shown)
    claim = Claim("C3", positive, "a window, stride or dilation is less than 1", shown=shown)
    return semantics_of_reading(held, (Tensor.of(result),) * count, (*same, *((claim,) if shown else ())))


def _top_k(op: Operation, ctx: RuleContext) -> OpSemantics:
    *rest, last = ctx.dims(op.operands[0])
    held = contents(ctx, op.operands[1], 1)
    (count,) = held.values
    name = op.operands[0].name
    shown = ((f"last extent of {name}", last), ("number of elements", count))
    enough = conjunction((at_least(count, 0), at_least(last, count)))
    claim = Claim("C4", enough, f"{name} has fewer elements", shown=shown)
    return semantics_of_reading([held], (Tensor.of((*rest, count)),) * len(op.results), (claim,))


def _shape_operand(ctx: RuleContext, result: Value, operand: Value) -> tuple[Contents, Tensor]:
    held = contents(ctx, operand, len(ctx.declared_dims(result)))
    return held, Tensor.of(held.values)


def _random_bits(op: Operation, ctx: RuleContext) -> OpSemantics:
    held, bits = _shape_operand(ctx, op.results[1], op.operands[1])
    claims = (*_size_claims("C5", [held]), *state_claims("C6", op, ctx))
    semantics = semantics_of_reading([held], (Tensor(ctx.shape(op.operands[0])), bits), claims)
    return replace(semantics, requires=replace(semantics.requires, unknown=unknown_state_requirement(op, ctx)))


def _results_of_shape_operands(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Return the semantics of a call whose results have the shapes in the operands that an attribute lists.

    Raises:
        UnknownValueError: The attribute does not list an operand for each result.
    """
    holding = integers(op, _SHAPE_OPERANDS, 0, 0)
    if len(holding) != len(op.results) or not all(0 <= index < len(op.operands) for index in holding):
        raise UnknownValueError("the operands that hold the shapes of its results are not known")
    found = [_shape_operand(ctx, *pair) for pair in zip(op.results, [op.operands[i] for i in holding], strict=True)]
    sizes = [held for held, _ in found]
    return semantics_of_reading(sizes, tuple(tensor for _, tensor in found), _size_claims("C5", sizes))


def _unknown_target(op: Operation, ctx: RuleContext, otherwise: str) -> OpSemantics:
    """Return the semantics of an unknown target whose result shapes are operands.

    That the results have these shapes is a modeling assumption. What else the target requires, and whether it returns,
    is unknown: ``otherwise`` says why.
    """
    semantics = _results_of_shape_operands(op, ctx)
    believed = f"results of {op.name} have the extents that {_SHAPE_OPERANDS} says"
    return replace(
        semantics,
        requires=replace(semantics.requires, unknown=otherwise),
        successors=Successors(may_not_return=otherwise),
        assumes=replace(semantics.assumes, modeling=(*semantics.assumes.modeling, believed)),
    )


def _size_claims(clause: str, held: Sequence[Contents]) -> tuple[Claim, ...]:
    return all_non_negative(clause, (size for each in held for size in each.values), "a size of the result is negative")


_TARGETS: dict[str, Callable[[Operation, RuleContext], OpSemantics]] = {
    "shape_assertion": _shape_assertion,
    "stablehlo.dynamic_reduce_window": _reduce_window,
    "stablehlo.dynamic_top_k": _top_k,
    "stablehlo.dynamic_rng_bit_generator": _random_bits,
    "stablehlo.dynamic_approx_top_k": _results_of_shape_operands,
}
