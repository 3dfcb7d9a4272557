"""PyTorch's convolutions."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.dims import ZERO, Dim, dim, floordiv
from shapesolve.language.extremes import choose
from shapesolve.language.formulas import FALSE, at_least, conjunction, disjunction, divides, equal
from shapesolve.reading.program import Operation, Value
from shapesolve.records import value_record
from shapesolve.walking.effects import STOPS
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule

from .torch_values import check, constant, constants, extent_pairs, is_given, of_extents, refused, text

EXAMPLE = "tests/cases/torch/convolutions.mlir"


@value_record
class _Setting:
    """How a window moves, one number a dimension."""

    strides: Sequence[int]
    padding: Sequence[int] | None  # as much as lets every place of the input be one of the window, where it is None
    dilations: Sequence[int]
    more: Sequence[int]
    groups: int
    transposed: bool


def per_dimension(numbers: Sequence[int], rank: int) -> tuple[int, ...]:
    """One number a dimension; one alone is that of all."""
    if len(numbers) not in (1, rank):
        raise CannotSee(f"there are {len(numbers)} numbers for {rank} dimensions")
    return tuple(numbers) * (rank if len(numbers) == 1 else 1)


def _setting(op: Operation, see: RuleContext, rank: int, positions: Sequence[int], transposed: bool) -> _Setting:
    strides, padding, dilations = (
        per_dimension(constants(see, op.operands[position]), rank) for position in positions[:3]
    )
    more = per_dimension(constants(see, op.operands[positions[3]]), rank) if positions[3] else (0,) * rank
    groups = constant(see, op.operands[positions[4]])
    if min(strides) < 1 or min(padding) < 0 or min(dilations) < 1 or groups < 1 or min(more) < 0:
        raise CannotSee("the window moves by steps that are not positive")
    if any(added >= max(stride, gap) for added, stride, gap in zip(more, strides, dilations, strict=True)):
        raise CannotSee("more is added to the output than a step")
    return _Setting(strides, padding, dilations, more, groups, transposed)


_DIRECT = {"torch.aten.conv1d": 1, "torch.aten.conv2d": 2, "torch.aten.conv3d": 3}
_BY_TEXT = {f"{name}.padding": rank for name, rank in _DIRECT.items()}
_TRANSPOSED = {
    "torch.aten.conv_transpose1d": 1,
    "torch.aten.conv_transpose2d.input": 2,
    "torch.aten.conv_transpose3d.input": 3,
}


@rule(
    "torch.aten.convolution",
    "torch.aten._convolution",
    *_DIRECT,
    *_BY_TEXT,
    *_TRANSPOSED,
    example=EXAMPLE,
    effects=STOPS,
)
def convolution(op: Operation, see: RuleContext) -> Meaning:
    """A window of weights that moves over the input, or, transposed, is put down at every place of it.

    (C1) The input has as many dimensions as the weights (or one less, without a batch, where the operator takes that).
    (C2) The input has the channels that the weights of all groups have, and these are divided into the groups.
    (C3) The bias has one element an output channel.
    (C4) The window, spread out, fits into the padded input; of a transposed one something is left, where some of
    PyTorch's libraries would give an empty image instead, as all do without a batch.
    (C5) The window and the input have elements: only the batch, or the channels, may be none; of a transposed one, not
    the output channels. Without input channels the window may be empty too.
    (R1) The result has the batch, the output channels, and as many places as the window has; where the input has no
    channels, it has none either.
    """
    source, weight, bias = op.operands[:3]
    extents, weights = see.dims(source), see.dims(weight)
    fixed = _DIRECT.get(op.name) or _BY_TEXT.get(op.name) or _TRANSPOSED.get(op.name)
    rank = fixed or len(weights) - 2
    batched = len(extents) == rank + 2
    if len(weights) != rank + 2 or rank < 1 or not (batched or (fixed and len(extents) == rank + 1)):
        message = f"the input has rank {len(extents)}, the weights have rank {len(weights)}"
        return refused(op, check("C1", FALSE, message))
    setting = _settings(op, see, rank)
    full = extents if batched else (dim(1), *extents)
    places, claims = _places(source, full, weights[2:], setting)
    channels, made = _channels(source, full[1], weight, weights, setting)
    claims += made
    some = disjunction((equal(full[0], 0), equal(full[1], 0), *[conjunction(at_least(each, 1) for each in full[2:])]))
    window = conjunction(at_least(each, 1) for each in weights[1 if setting.transposed else 2 :])
    some = conjunction((some, window if setting.transposed else disjunction((equal(full[1], 0), window))))
    shown = (*extent_pairs(source.name, extents), *extent_pairs(weight.name, weights))
    claims.append(check("C5", some, "the image or the window is empty", shown))
    if is_given(see, bias):
        claims.append(_bias(bias, see.dims(bias), channels))
    result = [full[0], _made(full[1], weights[1], channels, setting), *places]
    return Meaning((of_extents(result if batched else result[1:]),), claims=tuple(claims))


def _made(have: Dim, wanted: Dim, channels: Dim, setting: _Setting) -> Dim:
    """Return the channels of the result: without input channels none, though the weights have some."""
    if setting.transposed:  # which has input channels, or is refused
        return channels
    return choose(equal(wanted if wanted.is_constant else have, 0), ZERO, channels)


def _settings(op: Operation, see: RuleContext, rank: int) -> _Setting:
    if op.name in _BY_TEXT:
        return _padded_by_text(op, see, rank)
    if op.name in _DIRECT:
        return _setting(op, see, rank, (3, 4, 5, 0, 6), False)
    if op.name in _TRANSPOSED:
        return _setting(op, see, rank, (3, 4, 7, 5, 6), True)
    return _setting(op, see, rank, (3, 4, 5, 7, 8), bool(constant(see, op.operands[6])))


def _padded_by_text(op: Operation, see: RuleContext, rank: int) -> _Setting:
    strides, gaps = (per_dimension(constants(see, op.operands[at]), rank) for at in (3, 5))
    groups, how = constant(see, op.operands[6]), text(see, op.operands[4])
    if min(*strides, *gaps, groups) < 1 or how not in ("valid", "same"):
        raise CannotSee("the window moves by steps that are not positive, or there is no such padding")
    if how == "same" and max(strides) > 1:
        raise CannotSee("places are left out of what has the extents of the input")
    padding = (0,) * rank if how == "valid" else None
    return _Setting(strides, padding, gaps, (0,) * rank, groups, transposed=False)


def _places(
    source: Value, full: Sequence[Dim], window: Sequence[Dim], setting: _Setting
) -> tuple[list[Dim], list[Claim]]:
    places: list[Dim] = []
    claims: list[Claim] = []
    offset = 2
    for at, (extent, size) in enumerate(zip(full[2:], window, strict=True)):
        if setting.padding is None:
            places.append(extent)
            shown = ((f"extent {offset + at} of {source.name}", extent),)
            claims.append(check("C4", at_least(extent, 1), f"dimension {offset + at} is empty", shown))
            continue
        stride, padding, gap = setting.strides[at], setting.padding[at], setting.dilations[at]
        spread = (size - 1) * gap + 1
        shown = ((f"extent {offset + at} of {source.name}", extent), ("the window", spread), ("padding", dim(padding)))
        if setting.transposed:
            room = (extent - 1) * stride - 2 * padding + spread + setting.more[at]
            some = disjunction((at_least(room, 1), conjunction((equal(full[0], 0), equal(room, 0)))))
            claims.append(check("C4", some, f"nothing is left in dimension {offset + at}", shown))
        else:
            room = floordiv(extent + 2 * padding - spread, dim(stride)) + 1
            fits = at_least(extent + 2 * padding, spread)
            claims.append(check("C4", fits, f"the window does not fit in dimension {offset + at}", shown))
        places.append(room)
    return places, claims


def _channels(
    source: Value, have: Dim, weight: Value, weights: Sequence[Dim], setting: _Setting
) -> tuple[Dim, list[Claim]]:
    groups = dim(setting.groups)
    names = (f"extent 1 of {source.name}", f"extent {0 if setting.transposed else 1} of {weight.name}")
    if setting.transposed:
        made, wanted = weights[1] * setting.groups, weights[0]
        divided = weights[0]
    else:
        made, wanted = weights[0], weights[1] * setting.groups
        divided = weights[0]
    shown = ((names[0], have), (names[1], wanted))
    message = "the input has not the channels that the weights have"
    claims = [check("C2", equal(have, wanted), message, shown)]
    whole = conjunction((divides(groups, divided), at_least(divided, groups)))
    shown = ((f"extent 0 of {weight.name}", divided), ("groups", groups))
    claims.append(check("C2", whole, "the weights are not divided into the groups", shown))
    return made, claims


def _bias(bias: Value, extents: Sequence[Dim], channels: Dim) -> Claim:
    fits = equal(extents[0], channels) if len(extents) == 1 else FALSE
    shown = (*extent_pairs(bias.name, extents), ("output channels", channels))
    return check("C3", fits, "the bias has not one element an output channel", shown)
