"""PyTorch's losses: how far a prediction is from what was wanted."""

from __future__ import annotations

from shapesolve.reading.program import Operation
from shapesolve.walking.effects import STOPS
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Meaning, rule
from shapesolve.walking.values import Tensor

from .torch_parameters import parameters
from .torch_values import constant, joint_shape, of_extents, split_names

_LOSSES = split_names("mse_loss l1_loss smooth_l1_loss huber_loss kl_div")
_NOT_FOLDED, _FOLDED = 0, (1, 2)


@rule(*(f"torch.aten.{name}" for name in _LOSSES), example="tests/cases/torch/losses.mlir", effects=STOPS)
def loss(op: Operation, see: RuleContext) -> Meaning:
    """A loss of each pair of elements, all of them, or their mean or sum.

    (C1) The operands broadcast together.
    (C2) Other numbers are what the operator takes.
    (R1) The result has the shape that the operands broadcast to, or is a scalar.
    """
    folds = constant(see, op.operands[2])
    if folds not in (_NOT_FOLDED, *_FOLDED):
        raise CannotSee("there is no such way to fold a loss")
    shape, claims = joint_shape(see, op.operands[:2])
    result = Tensor(shape) if folds == _NOT_FOLDED else of_extents(())
    return Meaning((result,), claims=(*claims, *parameters(op, see, "C2")))
