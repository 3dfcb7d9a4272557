"""PyTorch's padding: something is put around a tensor, or taken from its borders."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.dims import ZERO, Dim
from shapesolve.language.extremes import minimum
from shapesolve.language.formulas import (
    FALSE,
    TRUE,
    Formula,
    at_least,
    conjunction,
    disjunction,
    equal,
    less_than,
    unequal,
)
from shapesolve.reading.program import Operation
from shapesolve.walking.effects import STOPS
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule

from .torch_parameters import ratio
from .torch_values import Shown, check, extent_pairs, integers, is_given, of_extents, refused, text
from .torch_versions import by_version

EXAMPLE = "tests/cases/torch/padding.mlir"

_Pads = dict[int, tuple[Dim, Dim]]
"""What is put before and behind each dimension."""


def _padding(listed: Sequence[Dim], rank: int) -> _Pads:
    """PyTorch lists the last dimension first."""
    if len(listed) % 2 or len(listed) // 2 > rank:
        raise CannotSee("the padding does not fit the rank")
    return {rank - 1 - at: (listed[2 * at], listed[2 * at + 1]) for at in range(len(listed) // 2)}


@rule("torch.aten.constant_pad_nd", example=EXAMPLE, effects=STOPS)
def constant_pad(op: Operation, see: RuleContext) -> Meaning:
    """A tensor with constant elements put around it; negative padding takes elements away.

    (C1) No more elements are taken away than there are.
    (R1) The result has the extents with what is put before and behind.
    """
    return _with_constants(op, see, "C1")


def _with_constants(op: Operation, see: RuleContext, clause: str) -> Meaning:
    extents = list(see.dims(op.operands[0]))
    claims: list[Claim] = []
    for at, (before, behind) in _padding(integers(see, op.operands[1]), len(extents)).items():
        shown = ((f"extent {at} of {op.operands[0].name}", extents[at]), ("before", before), ("behind", behind))
        left = extents[at] + minimum(before, 0) + minimum(behind, 0)
        claims.append(check(clause, at_least(left, 0), "more is taken away than there is", shown))
        extents[at] = extents[at] + before + behind
    return Meaning((of_extents(extents),), claims=tuple(claims))


_SPATIAL = {f"torch.aten.{kind}_pad{rank}d": rank for kind in ("reflection", "replication") for rank in (1, 2, 3)}


@rule(*_SPATIAL, example=EXAMPLE, effects=STOPS)
def mirrored_pad(op: Operation, see: RuleContext) -> Meaning:
    """A tensor with its own elements put around it: mirrored, or the outermost repeated.

    (C1) The tensor has one or two dimensions besides those that are padded, for each of which there are two numbers.
    (C2) What is mirrored is smaller than the extent.
    (C3) Something is left in each of the padded dimensions; before PyTorch 2.15, in one of them, and the others may
    be empty. The installed version is judged, else 2.15.
    (C4) No extent but that of the batch is 0.
    (R1) The result has the extents with what is put before and behind.
    """
    return _with_own(op, see, _SPATIAL[op.name], "reflect" if "reflection" in op.name else "replicate")


def _with_own(op: Operation, see: RuleContext, spatial: int, mode: str) -> Meaning:
    """Padding with elements of the tensor itself."""
    source = see.dims(op.operands[0])
    extents = list(source)
    name, rank = op.operands[0].name, len(extents)
    if rank not in (spatial + 1, spatial + 2):
        claim = check("C1", FALSE, f"{name} has rank {rank} where {spatial} dimensions are padded")
        return refused(op, claim)
    numbers = integers(see, op.operands[1])
    if len(numbers) != 2 * spatial:
        return refused(op, check("C1", FALSE, f"{len(numbers)} numbers pad {spatial} dimensions"))
    claims: list[Claim] = []
    leans_on: dict[str, None] = {}
    pads = _padding(numbers, rank)
    for at, (before, behind) in pads.items():
        shown = ((f"extent {at} of {name}", source[at]), ("before", before), ("behind", behind))
        if mode != "replicate":
            claims.append(_repeats_once(mode, source[at], (before, behind), at, shown))
        extents[at] = source[at] + before + behind
        left, assumed = _some_left(extents[at], [source[each] + sum(pads[each], ZERO) for each in pads], mode)
        claims.append(check("C3", left, f"nothing is left of extent {at}", shown))
        leans_on.update(dict.fromkeys(assumed))
    if mode != "circular":
        rest = conjunction(unequal(each, 0) for each in source[rank - spatial - 1 :])
        claims.append(check("C4", rest, "an extent besides that of the batch is 0", extent_pairs(name, source)))
    return Meaning((of_extents(extents),), claims=tuple(claims), leans_on=tuple(leans_on))


def _some_left(extent: Dim, padded: Sequence[Dim], mode: str) -> tuple[Formula, tuple[str, ...]]:
    """Return clause C3 for one of the padded extents, and the version that it is assumed for."""
    if mode == "circular":
        return at_least(extent, 0), ()
    since = at_least(extent, 1)
    if len(padded) == 1:
        return since, ()
    before = conjunction((at_least(extent, 0), disjunction(at_least(each, 1) for each in padded)))
    return by_version((2, 15), TRUE if since is TRUE else before, since)


def _repeats_once(mode: str, extent: Dim, pads: Sequence[Dim], at: int, shown: Shown) -> Claim:
    """Clause C2: what is mirrored leaves out the outermost element, and nothing is repeated twice."""
    if mode == "reflect":
        fits = conjunction(less_than(each, extent) for each in pads)
        return check("C2", fits, f"the padding is not smaller than extent {at}", shown)
    lows, highs = zip(*(each.bounds() for each in pads), strict=True)
    if any(low is None or low < 0 for low in lows) and any(high is None or high > 0 for high in highs):
        raise CannotSee("what is continued over an end that is taken away is not followed")
    fits = conjunction(at_least(extent, each) for each in pads)
    return check("C2", fits, f"the padding is larger than extent {at}", shown)


_OWN = ("reflect", "replicate", "circular")


@rule("torch.aten.pad", example="tests/cases/torch/padding_modes.mlir", effects=STOPS)
def pad(op: Operation, see: RuleContext) -> Meaning:
    """A tensor with constants, or with its own elements, put around it, as a text says.

    (C1) For its own elements, the tensor has one or two dimensions besides those that are padded, up to three.
    (C2) What is mirrored is smaller than the extent, and what is continued from the other end is not larger.
    (C3) Something is left of each dimension that is padded, before PyTorch 2.15 of one of them; no less than nothing
    of what is continued or constant.
    (C4) No extent but that of the batch is 0, unless it is continued from the other end or padded with constants.
    (C5) Only for constants is a value given that is not 0.
    (R1) The result has the extents with what is put before and behind.
    """
    mode = text(see, op.operands[2])
    if mode == "constant":
        return _with_constants(op, see, "C3")
    if mode not in _OWN:
        raise CannotSee(f"there is no such padding as {mode}")
    listed, rank = integers(see, op.operands[1]), len(see.dims(op.operands[0]))
    if is_given(see, op.operands[3]):
        claim = check("C5", equal(ratio(see, op.operands[3])[0], 0), "a value is given where none is used")
        if claim.formula is FALSE:
            return refused(op, claim)
    if len(listed) not in (2, 4, 6) or rank not in (len(listed) // 2 + 1, len(listed) // 2 + 2):
        return refused(op, check("C1", FALSE, f"{len(listed)} numbers pad {rank} dimensions"))
    return _with_own(op, see, len(listed) // 2, mode)
