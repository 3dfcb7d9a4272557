"""Recurrent layers of ONNX."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Assumes, Claim, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import TRUE
from shapesolve.symbolic.formulas import at_least, conjunction, equal

from ..torch.operands import always_raises, check, extent_pairs
from .nodes import has_attribute, integer_attribute, operand, text_attribute

EXAMPLE = "tests/cases/onnx/recurrent.mlir"

TAKES_NO_STEPS = "the runtime takes sequences without steps in onnx.RNN and onnx.LSTM, as onnxruntime does"

_GATES = {"onnx.RNN": 1, "onnx.GRU": 3, "onnx.LSTM": 4}
_PEEPHOLES = 3
_BIAS, _LENGTHS, _STATE, _CELL, _PEEPHOLE = 3, 4, 5, 6, 7
"""Positions of the optional operands."""


@rule("onnx.RNN", "onnx.GRU", "onnx.LSTM", example=EXAMPLE, effects=STOPS)
def recurrent(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A recurrent layer over the steps of a sequence, in one direction or in both.

    ONNX does not say whether a sequence may have no steps. Its reference implementation raises an error; onnxruntime
    returns the empty results of RNN and LSTM, which is assumed of the runtime, and is ended by GRU. Lengths of single
    sequences are not followed.

    (C1) The sequence and both tensors of weights have rank 3.
    (C2) The weights are those of each direction, of each gate, of the size of an input and of the hidden size.
    (C3) Biases and peepholes have one row for each direction, with one element for each gate and hidden element.
    (C4) An initial state has the directions, the batch and the hidden size.
    (C5) In a GRU, some step is there.
    (R1) The results are the states of all steps in each direction, the last of these, and in an LSTM the last cell.
    """
    if operand(op, ctx, _LENGTHS) is not None:
        raise UnknownValueError("lengths of sequences are not followed")
    gates, directions = _GATES[op.name], 2 if text_attribute(op, "direction", "forward") == "bidirectional" else 1
    is_batch_first = bool(integer_attribute(op, "layout", 0))
    sequence, inward, again = (ctx.dims(each) for each in op.operands[:3])
    if not len(sequence) == len(inward) == len(again) == 3:
        return always_raises(op, "C1", "the sequence or the weights have another rank than 3")
    steps, batch = (sequence[1], sequence[0]) if is_batch_first else (sequence[0], sequence[1])
    hidden = dim(integer_attribute(op, "hidden_size", 0)) if has_attribute(op, "hidden_size") else again[2]
    claims = [
        _sizes("C2", "the weights of inputs", inward, (dim(directions), hidden * gates, sequence[2])),
        _sizes("C2", "the weights of states", again, (dim(directions), hidden * gates, hidden)),
    ]
    wanted: dict[int, tuple[str, str, tuple[Dim, ...]]] = {}
    wanted[_BIAS] = ("C3", "the biases", (dim(directions), hidden * (2 * gates)))
    state = (batch, dim(directions), hidden) if is_batch_first else (dim(directions), batch, hidden)
    wanted[_STATE] = ("C4", "the initial state", state)
    if op.name == "onnx.LSTM":
        wanted[_CELL] = ("C4", "the initial cell", state)
        wanted[_PEEPHOLE] = ("C3", "the peepholes", (dim(directions), hidden * _PEEPHOLES))
    for position, (clause, name, sizes) in wanted.items():
        given = operand(op, ctx, position)
        if given is not None:
            found = ctx.dims(given)
            if len(found) != len(sizes):
                return always_raises(op, clause, f"{name} have rank {len(found)}, not {len(sizes)}")
            claims.append(_sizes(clause, name, found, sizes))
    every = (batch, steps, dim(directions), hidden) if is_batch_first else (steps, dim(directions), batch, hidden)
    results = (Tensor.of(every), Tensor.of(state), Tensor.of(state))
    some = at_least(steps, 1)
    if op.name == "onnx.GRU":
        claims.append(check("C5", some, "the sequence has no steps", (("steps", steps),)))
    assumed = () if op.name == "onnx.GRU" or some is TRUE else (TAKES_NO_STEPS,)
    return OpSemantics(results[: len(op.results)], requires=claims, assumes=Assumes(assumed))


def _sizes(clause: str, name: str, found: Sequence[Dim], wanted: Sequence[Dim]) -> Claim:
    """Return the claim that a tensor has certain extents."""
    formula = conjunction(equal(a, b) for a, b in zip(found, wanted, strict=True))
    return check(clause, formula, f"{name} have other sizes than the layer", extent_pairs(name, found))
