"""Attention of ONNX, and the rotation of what it compares by positions."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation
from shapesolve.records import value_record
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Assumes, Claim, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim, dim, floordiv
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, divides, equal

from ..torch.indexing import index_claims, lookup_semantics
from ..torch.operands import always_raises, check, extent_pairs, same_shape_claim
from .nodes import integer_attribute, left_to_the_runtime, operand

EXAMPLE = "tests/cases/onnx/attention.mlir"

TAKES_NOTHING = "the runtime takes empty batches, sequences and heads in onnx.Attention, which onnxruntime does not"

_MASK, _PAST_KEY, _PAST_VALUE, _LENGTHS = 3, 4, 5, 6
"""Positions of the optional operands."""


@value_record
class _Heads:
    """The sizes of queries, keys or values.

    Attributes:
        batch: The size of the batch.
        heads: The number of heads.
        steps: The length of the sequence.
        size: The size of a head.
        claims: The claim that the heads divide the last extent, if these are in one extent.
    """

    batch: Dim
    heads: Dim
    steps: Dim
    size: Dim
    claims: tuple[Claim, ...] = ()


def _heads(name: str, extents: Sequence[Dim], heads: int) -> _Heads:
    if len(extents) == 4:
        return _Heads(extents[0], extents[1], extents[2], extents[3])
    batch, steps, width = extents
    shown = (("width", width), ("heads", dim(heads)))
    claim = check("C2", divides(heads, width), f"the heads do not divide the last extent of {name}", shown)
    return _Heads(batch, dim(heads), steps, floordiv(width, dim(heads)), (claim,))


@rule("onnx.Attention", example=EXAMPLE, effects=STOPS)
def attention(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The mean of values, weighted by how well their keys fit each query; keys and values of the past come first.

    (C1) Queries, keys and values all have rank 4, or all rank 3 with the heads in the last dimension.
    (C2) Heads that are in the last dimension divide it.
    (C3) All have one batch; there is a value of a key's heads for each key, and a key is as long as a query.
    (C4) The heads of the queries are a multiple of those of the keys.
    (C5) What comes first has the same batch, heads and sizes, and as many keys as values.
    (C6) The mask has at least rank 2, and broadcasts to the batch, the heads, the queries and the keys; it may leave
    out the last keys.
    (C7) Some key is there.
    (C8) The mask has a row for each query and an element for each key, unless the runtime takes others.
    (R1) The first result is a value for each query and head, in the form of the queries; the next two are the keys
    and values with the past ones, the last one has a number for each query and key.
    """
    if operand(op, ctx, _LENGTHS) is not None:
        raise UnknownValueError("lengths of padded sequences are not followed")
    given = [ctx.dims(each) for each in op.operands[:3]]
    ranks = [len(each) for each in given]
    counts = [integer_attribute(op, f"{each}_num_heads", 0) for each in ("q", "kv", "kv")]
    if ranks not in ([4, 4, 4], [3, 3, 3]) or (ranks[0] == 3 and min(counts) < 1):
        found = ", ".join(map(str, ranks))
        return always_raises(op, "C1", f"the queries, keys and values have ranks {found}, or heads are not given")
    if ranks[0] == 4 and any(count and given[at][1] != dim(count) for at, count in enumerate(counts)):
        raise UnknownValueError("whether its numbers of heads must be those of its attributes depends on the runtime")
    names = [each.name for each in op.operands[:3]]
    query, key, value = (_heads(*each) for each in zip(names, given, counts, strict=True))
    claims = [*query.claims, *key.claims, *value.claims]
    shown = tuple(pair for name, extents in zip(names, given, strict=True) for pair in extent_pairs(name, extents))
    fits = conjunction(
        equal(a, b)
        for a, b in (
            (query.batch, key.batch),
            (key.batch, value.batch),
            (key.heads, value.heads),
            (key.steps, value.steps),
            (query.size, key.size),
        )
    )
    claims.append(check("C3", fits, "the queries, keys and values do not fit each other", shown))
    claims.append(check("C4", divides(key.heads, query.heads), "the heads of the queries are no multiple", shown))
    total = key.steps
    past = [operand(op, ctx, at) for at in (_PAST_KEY, _PAST_VALUE)]
    if past[0] is not None and past[1] is not None:
        before = [ctx.dims(each) for each in past if each is not None]
        if any(len(each) != 4 for each in before):
            return always_raises(op, "C5", "the keys or values of the past have another rank than 4")
        if len(op.results) < 3:
            raise UnknownValueError("whether the keys and values that come first may be left out of the results")
        total = total + before[0][2]
        for source, extents, now in zip(past, before, (key, value), strict=True):
            if source is not None:
                wanted = (now.batch, now.heads, before[0][2], now.size)
                claims.append(same_shape_claim("C5", source, extents, wanted, "the past"))
    elif past[0] is not None or past[1] is not None:
        return always_raises(op, "C5", "there are keys or values of the past alone")
    claims.append(check("C7", at_least(total, 1), "there is no key", (("keys", total),)))
    scores = (query.batch, query.heads, query.steps, total)
    first = (query.batch, query.heads, query.steps, value.size)
    if ranks[0] == 3:
        first = (query.batch, query.steps, query.heads * value.size)
    results = [first, (key.batch, key.heads, total, key.size), (key.batch, key.heads, total, value.size), scores]
    sizes = [query.batch, query.heads, query.steps, query.size, value.size]
    if total is not key.steps:  # else C7 demands a key
        sizes.append(key.steps)
    some = conjunction(at_least(each, 1) for each in sizes)
    semantics = OpSemantics(
        tuple(map(Tensor.of, results[: len(op.results)])),
        requires=claims,
        assumes=Assumes(() if some is TRUE else (TAKES_NOTHING,)),
    )
    return _masked(op, ctx, semantics, scores)


def _masked(op: Operation, ctx: RuleContext, semantics: OpSemantics, scores: Sequence[Dim]) -> OpSemantics:
    """Return the semantics with the clauses on the mask, if there is one."""
    mask = operand(op, ctx, _MASK)
    if mask is None:
        return semantics
    extents = ctx.dims(mask)
    if not 2 <= len(extents) <= len(scores):
        return always_raises(op, "C6", f"the mask has rank {len(extents)}")
    shown = (*extent_pairs(mask.name, extents), *extent_pairs("the scores", scores))
    rest = list(zip(extents[:-1], scores[len(scores) - len(extents) : -1], strict=True))
    fits: list[Formula] = [disjunction((equal(have, 1), equal(have, wanted))) for have, wanted in rest]
    within = at_least(scores[-1], extents[-1])
    claim = check("C6", conjunction((*fits, within)), f"{mask.name} does not broadcast to the scores", shown)
    rows = conjunction((*fits[:-1], equal(extents[-2], scores[-2]), equal(extents[-1], scores[-1])))
    words = (
        "the mask has not an element for each query and key, which some refuse",
        "the runtime takes other masks",
        "a mask may have fewer rows or elements",
    )
    return left_to_the_runtime(semantics.with_claims(claim), ctx, "C8", rows, words, shown)


@rule("onnx.RotaryEmbedding", example=EXAMPLE, effects=STOPS)
def rotation(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Rotates pairs of elements by angles of their position, given for each step or looked up by number.

    (C1) The tensor has rank 4, or rank 3 with the heads in the last dimension; they divide it.
    (C2) The cosines and sines have an element for each pair that is rotated.
    (C3) They are given for each step of the batch, or for each position, of which each step has the number.
    (C4) No more elements are rotated than a head has. These are pairs, unless the runtime takes another number.
    (C9) Each number is that of a position.
    (R1) The result has the tensor's shape.
    """
    source, *tables = op.operands[:3]
    extents, positions = ctx.dims(source), operand(op, ctx, 3)
    heads = integer_attribute(op, "num_heads", 0)
    if len(extents) not in (3, 4) or (len(extents) == 3 and heads < 1):
        return always_raises(op, "C1", f"{source.name} has rank {len(extents)}, or the number of heads is not given")
    claims: list[Claim] = []
    batch, steps, size = extents[0], extents[-2], extents[-1]
    if len(extents) == 3:
        shown = (("width", size), ("heads", dim(heads)))
        claims.append(check("C1", divides(heads, size), "the heads do not divide the last extent", shown))
        size = floordiv(size, dim(heads))
    part = integer_attribute(op, "rotary_embedding_dim", 0)
    rotated = dim(part) if part else size
    shown = (("size of a head", size), ("rotated", rotated))
    claims.append(check("C4", at_least(size, rotated), "a head has not so many elements", shown))
    pairs = divides(2, rotated)
    first = ctx.dims(tables[0])
    for table in tables:
        have = ctx.dims(table)
        if len(have) != (3 if positions is None else 2):
            return always_raises(op, "C3", f"{table.name} has rank {len(have)}")
        fits = equal(have[-1], floordiv(rotated, dim(2)))
        shown = (*extent_pairs(table.name, have), ("rotated", rotated))
        claims.append(check("C2", fits, f"{table.name} has not an element for each pair", shown))
        wanted = (batch, steps) if positions is None else first[:1]
        same = conjunction(equal(a, b) for a, b in zip(have, wanted, strict=False))
        claims.append(check("C3", same, f"{table.name} is not given for each step", extent_pairs(table.name, have)))
    semantics = OpSemantics((Tensor.of(extents),), requires=claims)
    if positions is not None:
        numbers = ctx.dims(positions)
        claims.append(same_shape_claim("C3", positions, numbers, (batch, steps), "the steps"))
        found = index_claims(ctx, positions, ctx.tensor(positions), first[0], from_end=False)
        semantics = lookup_semantics((Tensor.of(extents),), claims, [found])
    words = (
        "an odd number of elements is rotated, which some refuse",
        "the runtime leaves out the last of an odd number of elements",
        "an odd number of elements may be rotated",
    )
    return left_to_the_runtime(semantics, ctx, "C4", pairs, words, (("rotated", rotated),))
