"""Operators of PyTorch that slice and pad tensors."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.domain.values import Element, Tensor
from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Claim, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import ZERO, Dim, ceildiv, dim, floordiv
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, divides, equal, less_than, unequal
from shapesolve.symbolic.normal_forms import maximum, minimum

from .operands import (
    LARGEST,
    Shown,
    always_fails,
    always_raises,
    axis_of,
    check,
    constant,
    extent_pairs,
    index_from_front,
    integers,
    interval_of_some,
    is_present,
    is_valid_index,
    nonscalar_axis_of,
    ratio,
    same_shape_claim,
    text,
)
from .versions import by_version

EXAMPLE = "tests/cases/torch/slices.mlir"


def _clamped_index(number: Dim, extent: Dim) -> Dim:
    """Return an index, which may count from the end, clamped to [0, extent]."""
    if number.is_constant and number.constant >= LARGEST:
        return extent
    if number.is_constant and number.constant == 0:
        return number
    return maximum(minimum(index_from_front(number, extent), extent), 0)


def _slice_bounds(op: Operation, ctx: RuleContext, first: int, extent: Dim) -> tuple[Dim, Dim, int]:
    """Return start, number of elements and step of a slice whose operands begin at position ``first``.

    Raises:
        UnknownValueError: The step is not a positive constant.
    """
    given = [ctx.integer(each) if is_present(ctx, each) else None for each in op.operands[first : first + 2]]
    start = dim(0) if given[0] is None else _clamped_index(given[0], extent)
    end = extent if given[1] is None else _clamped_index(given[1], extent)
    step = constant(ctx, op.operands[first + 2])
    if step < 1:
        raise UnknownValueError("the step is not positive")
    return start, maximum(ceildiv(end - start, dim(step)), 0), step


@rule("torch.aten.slice.Tensor", "torch.aten.slice_copy.Tensor", example=EXAMPLE, effects=STOPS)
def slice_(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Every so many elements of one dimension from a place to another; places outside are moved to the ends.

    (R1) The result has as many there as lie between these places.
    """
    extents = list(ctx.dims(op.operands[0]))
    at = nonscalar_axis_of(ctx, op.operands[1], extents)
    start, count, step = _slice_bounds(op, ctx, 2, extents[at])
    known = ctx.elements(op.operands[0])
    elements: Sequence[Element] | None = None
    if known is not None and len(extents) == 1 and start.is_constant and count.is_constant:
        elements = known[start.constant : start.constant + count.constant * step : step]
    extents[at] = count
    between = interval_of_some(ctx, op.operands[0])
    return OpSemantics((Tensor.of(extents, None if elements is None else tuple(elements), between=between),))


@rule("torch.aten.slice_scatter", example=EXAMPLE, effects=STOPS)
def slice_scatter(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor with a slice of it replaced.

    (C1) The second tensor has the shape of the slice.
    (R1) The result has the first operand's shape.
    """
    extents, source = ctx.dims(op.operands[0]), ctx.dims(op.operands[1])
    at = nonscalar_axis_of(ctx, op.operands[2], extents)
    wanted = list(extents)
    _, wanted[at], _ = _slice_bounds(op, ctx, 3, extents[at])
    return OpSemantics((Tensor.of(extents),), requires=(_replaced_shape_claim(op.operands[1], source, wanted),))


def _replaced_shape_claim(value: Value, extents: Sequence[Dim], wanted: Sequence[Dim]) -> Claim:
    message = f"{value.name} has not the shape of what it replaces"
    return same_shape_claim("C1", value, extents, wanted, "the part that is replaced", message)


@rule("torch.aten.select.int", "torch.aten.select_copy.int", example=EXAMPLE, effects=STOPS)
def select(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One place of a dimension; negative places count from the end.

    (C1) The dimension has the place.
    (R1) The result has the other extents.
    """
    extents = ctx.dims(op.operands[0])
    at, claims = _selected_axis(op, ctx, extents, 1, "C1")
    place = ctx.integer(op.operands[2])
    known = ctx.elements(op.operands[0])
    elements: tuple[Element, ...] | None = None
    if known is not None and len(extents) == 1 and place.is_constant and -len(known) <= place.constant < len(known):
        elements = (known[place.constant],)
    rest = [each for index, each in enumerate(extents) if index != at]
    between = interval_of_some(ctx, op.operands[0])
    return OpSemantics((Tensor.of(rest, elements, between=between),), requires=claims)


def _selected_axis(
    op: Operation, ctx: RuleContext, extents: Sequence[Dim], first: int, clause: str
) -> tuple[int, tuple[Claim, ...]]:
    """Return the dimension that a select names, and the claim that its index is in bounds."""
    at, place = nonscalar_axis_of(ctx, op.operands[first], extents), ctx.integer(op.operands[first + 1])
    shown = (("index", place), (f"extent {at} of {op.operands[0].name}", extents[at]))
    claim = check(
        clause, is_valid_index(place, extents[at]), f"the index is out of the bounds of dimension {at}", shown
    )
    return at, (claim,)


@rule("torch.aten.select_scatter", example=EXAMPLE, effects=STOPS)
def select_scatter(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor with one place of a dimension replaced.

    (C1) The second tensor has the shape of what is at the place.
    (C2) The dimension has the place.
    (R1) The result has the first operand's shape.
    """
    extents, source = ctx.dims(op.operands[0]), ctx.dims(op.operands[1])
    at, claims = _selected_axis(op, ctx, extents, 2, "C2")
    wanted = [each for index, each in enumerate(extents) if index != at]
    return OpSemantics((Tensor.of(extents),), requires=(_replaced_shape_claim(op.operands[1], source, wanted), *claims))


@rule("torch.aten.narrow", "torch.aten.narrow_copy", example=EXAMPLE, effects=STOPS)
def narrow(op: Operation, ctx: RuleContext) -> OpSemantics:
    """So many elements of one dimension from a place on; a negative place counts from the end.

    (C1) The number of elements is not negative.
    (C2) The dimension has the place, or ends there, and has so many elements behind it.
    (R1) The result has that many.
    """
    extents = list(ctx.dims(op.operands[0]))
    at = nonscalar_axis_of(ctx, op.operands[1], extents)
    extent = extents[at]
    start, count = ctx.integer(op.operands[2]), ctx.integer(op.operands[3])
    first = index_from_front(start, extent)
    shown = (("start", start), ("elements", count), (f"extent {at} of {op.operands[0].name}", extent))
    inside = conjunction((at_least(start + extent, 0), at_least(extent, start), at_least(extent, first + count)))
    claims = (
        check("C1", at_least(count, 0), "the number of elements is negative", shown[1:2]),
        check("C2", inside, "the part runs past the tensor", shown),
    )
    extents[at] = count
    return OpSemantics((Tensor.of(extents),), requires=claims)


@rule("torch.aten.unfold", "torch.aten.unfold_copy", example=EXAMPLE, effects=STOPS)
def unfold(op: Operation, ctx: RuleContext) -> OpSemantics:
    """All windows of a size along a dimension, some steps apart.

    (C1) The window is not larger than the extent.
    (R1) The result has one place a window there, and the windows' size as a last extent.
    """
    extents = list(ctx.dims(op.operands[0])) or [dim(1)]
    at = axis_of(ctx, op.operands[1], len(extents))
    size, step = ctx.integer(op.operands[2]), constant(ctx, op.operands[3])
    if step < 1:
        raise UnknownValueError("the step is not positive")
    shown = ((f"extent {at} of {op.operands[0].name}", extents[at]), ("window", size))
    fits = conjunction((at_least(size, 0), at_least(extents[at], size)))
    places = (extents[at] - size) // step + 1
    rest = [places if index == at else each for index, each in enumerate(extents) if ctx.dims(op.operands[0])]
    return OpSemantics(
        (Tensor.of([*rest, size]),), requires=(check("C1", fits, "the window is larger than the extent", shown),)
    )


_DIAGONALS = ("torch.aten.diagonal", "torch.aten.diagonal_copy")


@rule(*_DIAGONALS, example=EXAMPLE, effects=STOPS)
def diagonal(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The diagonal of two dimensions, or one beside it.

    (R1) The result has the other extents, and the length of the diagonal last.
    """
    extents = ctx.dims(op.operands[0])
    offset = ctx.integer(op.operands[1])
    a, b = (axis_of(ctx, each, len(extents)) for each in op.operands[2:4])
    if a == b:
        raise UnknownValueError("a diagonal has two dimensions")
    down, right = extents[a] + minimum(offset, 0), extents[b] - maximum(offset, 0)
    rest = [each for index, each in enumerate(extents) if index not in (a, b)]
    return OpSemantics((Tensor.of([*rest, maximum(minimum(down, right), 0)]),))


@rule("torch.aten.glu", example=EXAMPLE, effects=STOPS)
def gated_linear_unit(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One half of a dimension, weighted by the other.

    (C1) The tensor has a dimension.
    (C2) The extent is even.
    (R1) The result has half the extent.
    """
    extents = list(ctx.dims(op.operands[0]))
    if not extents:
        return always_raises(op, "C1", f"{op.operands[0].name} has no dimension")
    at = axis_of(ctx, op.operands[1], len(extents))
    shown = ((f"extent {at} of {op.operands[0].name}", extents[at]),)
    claim = check("C2", divides(dim(2), extents[at]), f"extent {at} is odd", shown)
    extents[at] = floordiv(extents[at], dim(2))
    return OpSemantics((Tensor.of(extents),), requires=(claim,))


PADDING_EXAMPLE = "tests/cases/torch/padding.mlir"

_Pads = dict[int, tuple[Dim, Dim]]
"""Padding before and behind each padded dimension."""


def _padding(listed: Sequence[Dim], rank: int) -> _Pads:
    """Return the padding before and behind each padded dimension; PyTorch lists the last dimension first.

    Raises:
        UnknownValueError: The padding does not fit the rank.
    """
    if len(listed) % 2 or len(listed) // 2 > rank:
        raise UnknownValueError("the padding does not fit the rank")
    return {rank - 1 - at: (listed[2 * at], listed[2 * at + 1]) for at in range(len(listed) // 2)}


@rule("torch.aten.constant_pad_nd", example=PADDING_EXAMPLE, effects=STOPS)
def constant_pad(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor with constant elements put around it; negative padding takes elements away.

    (C1) No more elements are taken away than there are.
    (R1) The result has the extents with what is put before and behind.
    """
    return _pad_with_constants(op, ctx, "C1")


def _pad_with_constants(op: Operation, ctx: RuleContext, clause: str) -> OpSemantics:
    """Return the semantics of padding with constants; negative padding crops."""
    extents = list(ctx.dims(op.operands[0]))
    claims: list[Claim] = []
    for at, (before, behind) in _padding(integers(ctx, op.operands[1]), len(extents)).items():
        shown = ((f"extent {at} of {op.operands[0].name}", extents[at]), ("before", before), ("behind", behind))
        left = extents[at] + minimum(before, 0) + minimum(behind, 0)
        claims.append(check(clause, at_least(left, 0), "more is taken away than there is", shown))
        extents[at] = extents[at] + before + behind
    return OpSemantics((Tensor.of(extents),), requires=claims)


_SPATIAL = {f"torch.aten.{kind}_pad{rank}d": rank for kind in ("reflection", "replication") for rank in (1, 2, 3)}


@rule(*_SPATIAL, example=PADDING_EXAMPLE, effects=STOPS)
def mirrored_pad(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor with its own elements put around it: mirrored, or the outermost repeated.

    (C1) The tensor has one or two dimensions besides those that are padded, for each of which there are two numbers.
    (C2) What is mirrored is smaller than the extent.
    (C3) Something is left in each of the padded dimensions; before PyTorch 2.15, in one of them, and the others may
    be empty. The installed version is judged, else 2.15.
    (C4) No extent but that of the batch is 0.
    (R1) The result has the extents with what is put before and behind.
    """
    return _pad_with_own_elements(op, ctx, _SPATIAL[op.name], "reflect" if "reflection" in op.name else "replicate")


def _pad_with_own_elements(op: Operation, ctx: RuleContext, spatial: int, mode: str) -> OpSemantics:
    """Return the semantics of padding with the tensor's own elements: "reflect", "replicate" or "circular"."""
    source = ctx.dims(op.operands[0])
    extents = list(source)
    name, rank = op.operands[0].name, len(extents)
    if rank not in (spatial + 1, spatial + 2):
        claim = check("C1", FALSE, f"{name} has rank {rank} where {spatial} dimensions are padded")
        return always_fails(op, claim)
    numbers = integers(ctx, op.operands[1])
    if len(numbers) != 2 * spatial:
        return always_raises(op, "C1", f"{len(numbers)} numbers pad {spatial} dimensions")
    claims: list[Claim] = []
    modeling: dict[str, None] = {}
    pads = _padding(numbers, rank)
    for at, (before, behind) in pads.items():
        shown = ((f"extent {at} of {name}", source[at]), ("before", before), ("behind", behind))
        if mode != "replicate":
            claims.append(_padding_fits_claim(mode, source[at], (before, behind), at, shown))
        extents[at] = source[at] + before + behind
        left, assumed = _nonempty_requirement(
            extents[at], [source[each] + sum(pads[each], ZERO) for each in pads], mode
        )
        claims.append(check("C3", left, f"nothing is left of extent {at}", shown))
        modeling.update(dict.fromkeys(assumed))
    if mode != "circular":
        rest = conjunction(unequal(each, 0) for each in source[rank - spatial - 1 :])
        claims.append(check("C4", rest, "an extent besides that of the batch is 0", extent_pairs(name, source)))
    return OpSemantics((Tensor.of(extents),), requires=claims, assumes=tuple(modeling))


def _nonempty_requirement(extent: Dim, padded: Sequence[Dim], mode: str) -> tuple[Formula, tuple[str, ...]]:
    """Return clause C3 for one of the padded extents, and the version that it is assumed for."""
    if mode == "circular":
        return at_least(extent, 0), ()
    since = at_least(extent, 1)
    if len(padded) == 1:
        return since, ()
    before = conjunction((at_least(extent, 0), disjunction(at_least(each, 1) for each in padded)))
    return by_version((2, 15), TRUE if since is TRUE else before, since)


def _padding_fits_claim(mode: str, extent: Dim, pads: Sequence[Dim], at: int, shown: Shown) -> Claim:
    """Return clause C2: the padding needs no element twice; a reflection skips the outermost one.

    Raises:
        UnknownValueError: Circular padding that extends one end may crop the other.
    """
    if mode == "reflect":
        fits = conjunction(less_than(each, extent) for each in pads)
        return check("C2", fits, f"the padding is not smaller than extent {at}", shown)
    lows, highs = zip(*(each.bounds() for each in pads), strict=True)
    if any(low is None or low < 0 for low in lows) and any(high is None or high > 0 for high in highs):
        raise UnknownValueError("what is continued over an end that is taken away is not followed")
    fits = conjunction(at_least(extent, each) for each in pads)
    return check("C2", fits, f"the padding is larger than extent {at}", shown)


_OWN = ("reflect", "replicate", "circular")


@rule("torch.aten.pad", example="tests/cases/torch/padding_modes.mlir", effects=STOPS)
def pad(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor with constants, or with its own elements, put around it, as a text says.

    (C1) For its own elements, the tensor has one or two dimensions besides those that are padded, up to three.
    (C2) What is mirrored is smaller than the extent, and what is continued from the other end is not larger.
    (C3) Something is left of each dimension that is padded, before PyTorch 2.15 of one of them; no less than nothing
    of what is continued or constant.
    (C4) No extent but that of the batch is 0, unless it is continued from the other end or padded with constants.
    (C5) Only for constants is a value given that is not 0.
    (R1) The result has the extents with what is put before and behind.
    """
    mode = text(ctx, op.operands[2])
    if mode == "constant":
        return _pad_with_constants(op, ctx, "C3")
    if mode not in _OWN:
        raise UnknownValueError(f"there is no such padding as {mode}")
    listed, rank = integers(ctx, op.operands[1]), len(ctx.dims(op.operands[0]))
    if is_present(ctx, op.operands[3]):
        claim = check("C5", equal(ratio(ctx, op.operands[3])[0], 0), "a value is given where none is used")
        if claim.formula is FALSE:
            return always_fails(op, claim)
    if len(listed) not in (2, 4, 6) or rank not in (len(listed) // 2 + 1, len(listed) // 2 + 2):
        return always_raises(op, "C1", f"{len(listed)} numbers pad {rank} dimensions")
    return _pad_with_own_elements(op, ctx, len(listed) // 2, mode)
