"""Matrix products, distances, attention, and sums of products (einsum)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation, Value
from shapesolve.records import value_record
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import ANY_RESULT, STOPS
from shapesolve.semantics.op_semantics import Claim, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim, dim, floordiv
from shapesolve.symbolic.formula_kinds import FALSE, TRUE
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, divides, equal
from shapesolve.symbolic.normal_forms import choose

from ..transfer.extent_tensors import extent_product
from .operands import (
    always_fails,
    always_raises,
    argument_claims,
    broadcast_extents,
    check,
    constant,
    constants,
    extent_pairs,
    is_expandable,
    is_present,
    is_probability,
    nonscalar_axis_of,
    ratio,
    tensor_extents,
    text,
)

EXAMPLE = "tests/cases/torch/products.mlir"
ATTENTION = "tests/cases/torch/attention.mlir"

Extents = Sequence[Dim]


def _inner_extents_claim(clause: str, a: tuple[Value, Extents, int], b: tuple[Value, Extents, int]) -> Claim:
    """Return the claim that two contracted extents are equal; dimensions count from the end."""
    shown = tuple((f"extent {len(extents) + at} of {value.name}", extents[at]) for value, extents, at in (a, b))
    return check(clause, equal(a[1][a[2]], b[1][b[2]]), "the inner sizes differ", shown)


def _rank_claims(op: Operation, ctx: RuleContext, wanted: Sequence[int]) -> tuple[Claim, ...]:
    """Return the violated clause C1 unless the first operands have these ranks."""
    found = [len(ctx.dims(operand)) for operand in op.operands[: len(wanted)]]
    if found == list(wanted):
        return ()
    names = ", ".join(f"{operand.name} of rank {rank}" for operand, rank in zip(op.operands, found, strict=False))
    return (check("C1", FALSE, f"the operands are {names}"),)


_RANKS = {"torch.aten.mm": (2, 2), "torch.aten.bmm": (3, 3), "torch.aten.mv": (2, 1), "torch.aten.dot": (1, 1)}


@rule(*_RANKS, "torch.aten._int_mm", example=EXAMPLE, effects=STOPS)
def product_of_matrices(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A product of two matrices, of two batches of them, of a matrix and a vector, or of two vectors.

    (C1) The operands have the ranks that the operator takes.
    (C2) Batches are of equal size.
    (C3) The columns of the first are the rows of the second.
    (R1) The result has the batch, the rows of the first and the columns of the second, as far as there are any.
    """
    ranks = _RANKS.get(op.name, (2, 2))
    a, b = ctx.dims(op.operands[0]), ctx.dims(op.operands[1])
    wrong = _rank_claims(op, ctx, ranks)
    if wrong:
        return always_fails(op, wrong[0])
    claims = [_inner_extents_claim("C3", (op.operands[0], a, -1), (op.operands[1], b, -min(len(b), 2)))]
    if len(a) == 3:
        shown = ((f"extent 0 of {op.operands[0].name}", a[0]), (f"extent 0 of {op.operands[1].name}", b[0]))
        claims.append(check("C2", equal(a[0], b[0]), "the batch sizes differ", shown))
    return OpSemantics((Tensor.of(_product_extents(a, b)),), requires=claims)


def _product_extents(a: Extents, b: Extents) -> list[Dim]:
    """Return the extents of a product of matrices, vectors or batches that agree."""
    batch = [y if y.is_constant else x for x, y in zip(a[:-2], b[:-2], strict=True)] if len(a) == len(b) == 3 else []
    return [*batch, *a[len(batch) : -1], *(b[-1:] if len(b) > 1 else ())]


@rule("torch.aten.outer", example=EXAMPLE, effects=STOPS)
def outer(op: Operation, ctx: RuleContext) -> OpSemantics:
    """All products of an element of one vector and one of another.

    (C1) Both operands are vectors.
    (R1) The result has both extents.
    """
    a, b = ctx.dims(op.operands[0]), ctx.dims(op.operands[1])
    wrong = _rank_claims(op, ctx, (1, 1))
    return always_fails(op, wrong[0]) if wrong else OpSemantics((Tensor.of((*a, *b)),))


_ADDED = {"torch.aten.addmm": 2, "torch.aten.baddbmm": 3, "torch.aten.addbmm": 3}


@rule(*_ADDED, example=EXAMPLE, effects=STOPS)
def product_added(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A product of two matrices, or of two batches of them (which `addbmm` sums up), and a tensor that is added.

    (C1) The factors have the ranks that the operator takes.
    (C2) Batches are of equal size.
    (C3) The columns of the first factor are the rows of the second.
    (C4) The first operand expands to the shape of the product.
    (R1) The result has the shape of the product.
    """
    first, left, right = op.operands[:3]
    added, a, b = (ctx.dims(each) for each in (first, left, right))
    rank = _ADDED[op.name]
    if len(a) != rank or len(b) != rank:
        return always_raises(op, "C1", f"a factor has not rank {rank}")
    claims = [_inner_extents_claim("C3", (left, a, -1), (right, b, -2))]
    if rank == 3:
        shown = ((f"extent 0 of {left.name}", a[0]), (f"extent 0 of {right.name}", b[0]))
        claims.append(check("C2", equal(a[0], b[0]), "the batch sizes differ", shown))
    result = _product_extents(a, b)[1 if op.name == "torch.aten.addbmm" else 0 :]
    shown = (*extent_pairs(first.name, added), *extent_pairs("the product", result))
    claims.append(check("C4", is_expandable(added, result), "the first operand does not expand to the product", shown))
    return OpSemantics((Tensor.of(result),), requires=claims)


def _broadcast_batches(clause: str, a: Extents, b: Extents) -> tuple[list[Dim], Claim]:
    """Return the joint extents of two batches, and the claim that they broadcast."""
    shown = (*extent_pairs("the first batch", a), *extent_pairs("the second batch", b))
    return broadcast_extents((a, b), clause, "the batches do not broadcast", shown)


@rule("torch.aten.cdist", "torch.aten._cdist_forward", example=EXAMPLE, effects=STOPS)
def distances(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The distances between the rows of the first operand and the rows of the second.

    (C1) Both operands have rows and columns.
    (C2) All other extents broadcast.
    (C3) Both have as many columns.
    (C4) The exponent of the norm is not negative, and there is such a way to compute it.
    (R1) The result has what the other extents broadcast to, the rows of the first, and the rows of the second.
    """
    first, second = op.operands[:2]
    a, b = ctx.dims(first), ctx.dims(second)
    if min(len(a), len(b)) < 2:
        return always_raises(op, "C1", "an operand has fewer than two dimensions")
    leading, broadcasts = _broadcast_batches("C2", a[:-2], b[:-2])
    columns = _inner_extents_claim("C3", (first, a, -1), (second, b, -1))
    return OpSemantics(
        (Tensor.of([*leading, a[-2], b[-2]]),), requires=(broadcasts, columns, *argument_claims(op, ctx, "C4"))
    )


@rule("torch.aten._pdist_forward", example=EXAMPLE, effects=STOPS)
def distances_within(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The distances between each row of a matrix and those that follow it.

    (R1) The result has an element for each pair of rows.
    """
    extents = ctx.dims(op.operands[0])
    if len(extents) != 2:
        raise UnknownValueError(f"{op.operands[0].name} is no matrix")
    rows, _ = extents
    return OpSemantics((Tensor.of([floordiv(rows * (rows - 1), dim(2))]),))


@rule("torch.aten.matmul", example=EXAMPLE, effects=STOPS)
def matmul(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A product of matrices, vectors, or batches of matrices that broadcast.

    (C1) Neither operand is a scalar.
    (C2) The batches broadcast together.
    (C3) The columns of the first are the rows of the second.
    (R1) The result has the joint batch, the rows of the first and the columns of the second, as far as there are any.
    """
    a, b = ctx.dims(op.operands[0]), ctx.dims(op.operands[1])
    if not a or not b:
        return always_raises(op, "C1", "a scalar has no rows and columns")
    inner = _inner_extents_claim("C3", (op.operands[0], a, -1), (op.operands[1], b, -min(len(b), 2)))
    batch, broadcasts = _broadcast_batches("C2", a[:-2], b[:-2])
    rows, columns = a[-2:-1], (b[-1:] if len(b) > 1 else ())
    return OpSemantics((Tensor.of([*batch, *rows, *columns]),), requires=(broadcasts, inner))


@rule("torch.aten.linear", example=EXAMPLE, effects=STOPS)
def linear(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Rows multiplied by the transposed weights, with a bias.

    (C1) The rows are no scalar, and the weights are a matrix or a vector; a vector and a bias are not followed.
    (C3) The last extent is that of the weights.
    (C4) The bias expands to the shape of the result.
    (R1) The result has the weights' rows, if there are any, as its last extent.
    """
    source, weight, bias = op.operands[:3]
    extents, weights = ctx.dims(source), ctx.dims(weight)
    if len(weights) not in (1, 2) or not extents:
        return always_raises(op, "C1", "the rows are a scalar, or the weights no matrix")
    claims = [_inner_extents_claim("C3", (source, extents, -1), (weight, weights, -1))]
    result = [*extents[:-1], *weights[:-1]]
    if is_present(ctx, bias):
        added = ctx.dims(bias)
        if len(weights) == 1 or (len(added) > 1 and len(extents) != 2):
            raise UnknownValueError("a bias that is no vector is added to some layouts of rows only")
        shown = (*extent_pairs(bias.name, added), *extent_pairs("the product", result))
        claims.append(check("C4", is_expandable(added, result), "the bias does not expand to the product", shown))
    return OpSemantics((Tensor.of(result),), requires=claims)


@rule("torch.transformers.grouped_mm_fallback", example=EXAMPLE, effects=STOPS)
def grouped_product(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Groups of rows multiplied by a matrix each: what the library `transformers` makes of experts.

    The claims are what its own shape function demands where a model is exported. Where groups end is not looked at.

    (C1) The rows are a matrix, the weights a batch of matrices, and the ends of the groups a list.
    (C2) There is one end for each matrix.
    (C3) The columns of the first are the rows of the second.
    (R1) The result has the rows of the first and the columns of the second.
    """
    rows, weights, ends = op.operands[:3]
    a, b, listed = ctx.dims(rows), ctx.dims(weights), ctx.dims(ends)
    if (len(a), len(b), len(listed)) != (2, 3, 1):
        return always_raises(op, "C1", "the rows are no matrix, the weights no batch, or the ends no list")
    shown = (*extent_pairs(ends.name, listed), *extent_pairs(weights.name, b))
    each = check("C2", equal(listed[0], b[0]), "there is not one end for each matrix", shown)
    return OpSemantics(
        (Tensor.of([a[0], b[2]]),), requires=(each, _inner_extents_claim("C3", (rows, a, -1), (weights, b, -2)))
    )


# Attention -----------------------------------------------------------------------------------------------------------


@rule("torch.aten.scaled_dot_product_attention", example=ATTENTION, effects=STOPS | ANY_RESULT)
def attention(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Values weighted by how queries and keys agree.

    Nothing of C2 to C4 is demanded where there is no query, or where the values have no elements.

    (C1) Queries, keys and values are matrices or batches of them.
    (C2) The batches broadcast together; where heads are grouped, the heads of keys and values divide those of queries.
    (C3) Queries and keys have the same last extent, and there are as many keys as values.
    (C4) The mask expands to one number for each query and key, or of batches of matrices to one batch of them.
    (C5) There is no mask where keys behind the query are masked anyway, unless there are no values or no queries.
    (R1) The result has the joint batch, one row a query, and the last extent of the values.
    """
    query, key, value, mask = op.operands[:4]
    q, k, v = (list(ctx.dims(each)) for each in (query, key, value))
    if min(len(q), len(k), len(v)) < 2:
        return always_raises(op, "C1", "queries, keys and values have at least rank 2")
    nothing = disjunction((equal(extent_product(v), 0), equal(q[-2], 0)))
    claims = [
        _inner_extents_claim("C3", (query, q, -1), (key, k, -1)),
        _inner_extents_claim("C3", (key, k, -2), (value, v, -2)),
    ]
    if any(constant(ctx, each) for each in op.operands[7:8]):
        claims += _repeat_heads(q, k, v)
    batch, broadcasts = _broadcast_batches("C2", q[:-2], k[:-2])
    weights = [*batch, q[-2], k[-2]]
    if is_present(ctx, mask):
        given = ctx.dims(mask)
        if len(given) < 2 and len(weights) == 4:
            raise UnknownValueError("a mask without rows is taken by some of PyTorch's kernels only")
        shown = (*extent_pairs(mask.name, given), *extent_pairs("the weights", weights))
        whole = [dim(1), *weights] if len(weights) == 3 else weights
        claims.append(check("C4", is_expandable(given, whole), "the mask does not expand to the weights", shown))
    result, with_values = _broadcast_batches("C2", weights[:-2], v[:-2])
    if len(result) != len(q) - 2:
        raise UnknownValueError("the batch of the queries has a smaller rank than another")
    result = [
        choose(nothing, own, joint) if own is not joint else own for own, joint in zip(q[:-2], result, strict=True)
    ]
    claims = [
        replace(each, formula=disjunction((nothing, each.formula))) for each in (broadcasts, with_values, *claims)
    ]
    if is_probability(*ratio(ctx, op.operands[4])) is not TRUE:
        raise UnknownValueError("a chance of a drop that is none is taken by some of PyTorch's kernels only")
    if is_present(ctx, mask) and constant(ctx, op.operands[5]):
        claims.append(check("C5", nothing, "there is a mask besides the causal one"))
    return OpSemantics((Tensor.of([*result, q[-2], v[-1]]),), requires=claims)


def _repeat_heads(q: list[Dim], k: list[Dim], v: list[Dim]) -> list[Claim]:
    """Repeat the heads of keys and values in place up to the heads of the queries; return clause C2 of each."""
    if min(len(q), len(k), len(v)) < 3:
        raise UnknownValueError("grouped heads are numbered by the third dimension from the end")
    heads = q[-3]
    claims: list[Claim] = []
    for each in (k, v):
        shown = (("heads of the queries", heads), ("heads of the keys or values", each[-3]))
        whole = conjunction((at_least(each[-3], 1), divides(each[-3], heads)))
        claims.append(check("C2", whole, "the heads cannot be grouped", shown))
        each[-3] = each[-3] * floordiv(heads, each[-3])
    return claims


_REST = "..."
_TERM = r"[A-Za-z ]*(?:\.\.\.[A-Za-z ]*)?"
_EQUATION = re.compile(rf"({_TERM}(?:,{_TERM})*)(?:->({_TERM}))?")


@value_record
class _Equation:
    """Parsed equation of a sum of products, with a letter per dimension.

    Attributes:
        terms: The letters of each operand; `_REST` stands for the dimensions under an ellipsis.
        result: The letters of the result.
    """

    terms: tuple[tuple[str, ...], ...]
    result: tuple[str, ...]


def _parse_equation(equation: str) -> _Equation:
    """Parse an equation; an implicit result has the letters that occur once, in alphabetical order.

    Raises:
        UnknownValueError: The equation is not of the known form.
    """
    found = _EQUATION.fullmatch(equation)
    if found is None:
        raise UnknownValueError(f"the equation {equation} is not followed")
    terms = tuple(map(_letters, found[1].split(",")))
    if found[2] is not None:
        return _Equation(terms, _letters(found[2]))
    every = [letter for term in terms for letter in term]
    rest = (_REST,) if _REST in every else ()
    return _Equation(terms, (*rest, *sorted(each for each in set(every) - {_REST} if every.count(each) == 1)))


def _letters(term: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[A-Za-z]|\.\.\.", term))


_BILINEAR = ((1, 3), (0,), (1, 2), (2, 3), (1,))
"""Dimensions that each factor of a bilinear form lacks, those that are summed, and the one that is taken in slices."""


@rule("torch.aten._trilinear", example="tests/cases/torch/equations.mlir", effects=STOPS)
def bilinear_form(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The bilinear form of the rows of two matrices for each of several matrices of weights, as `bilinear` has it.

    (C1) Unless a factor is empty, the columns of the first are the rows of the weights, or one of them is 1.
    (C2) Unless a factor is empty, the columns of the last are the columns of the weights, or one of them is 1.
    (C3) Unless a factor is empty, the first has as many rows as the last, or 1.
    (R1) The result has the rows of the last, and a column for each matrix of weights.
    """
    if tuple(tuple(sorted(constants(ctx, each))) for each in op.operands[3:8]) != _BILINEAR:
        raise UnknownValueError("this is not the form that bilinear has")
    first, weights, last = op.operands[:3]
    a, w, b = ctx.dims(first), ctx.dims(weights), ctx.dims(last)
    if (len(a), len(w), len(b)) != (2, 3, 2):
        raise UnknownValueError("this is not the form that bilinear has")
    is_empty = [equal(each, 0) for each in (*a, *w, *b)]

    def fits(clause: str, one: tuple[Value, Extents, int], other: tuple[Value, Extents, int], ones: Extents) -> Claim:
        x, y = one[1][one[2]], other[1][other[2]]
        shown = tuple((f"extent {at} of {value.name}", extents[at]) for value, extents, at in (one, other))
        formula = disjunction([equal(x, y), *(equal(each, 1) for each in ones), *is_empty])
        return check(clause, formula, "the sizes differ", shown)

    claims = (
        fits("C1", (first, a, 1), (weights, w, 1), (a[1], w[1])),
        fits("C2", (last, b, 1), (weights, w, 2), (b[1], w[2])),
        fits("C3", (first, a, 0), (last, b, 0), (a[0],)),
    )
    return OpSemantics((Tensor.of((b[0], w[0])),), requires=claims)


@rule("torch.aten.einsum", example="tests/cases/torch/equations.mlir", effects=STOPS)
def sum_of_products(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Products of elements of tensors, summed over the letters that the result has not.

    (C1) There is a tensor, and the equation has a term for each; each letter of the result occurs once, and in a term.
    (C2) A tensor has as many dimensions as its term has letters, or, with an ellipsis, at least as many.
    (C3) The dimensions of one letter in one term are equal.
    (C4) The dimensions of one letter in several terms, and those of ellipses, broadcast.
    (R1) The result has what the dimensions of its letters broadcast to.
    """
    equation, every = text(ctx, op.operands[0]), tensor_extents(ctx, op.operands[1])
    if is_present(ctx, op.operands[2]):
        raise UnknownValueError("the order of the products is given")
    return equation_semantics(op, equation, every)


def equation_semantics(op: Operation, equation_text: str, every: Sequence[Sequence[Dim]]) -> OpSemantics:
    """Return the semantics of an equation over tensors, in the clauses of `sum_of_products`.

    Raises:
        UnknownValueError: The equation is not of the known form.
    """
    equation = _parse_equation(equation_text)
    known = {letter for term in equation.terms for letter in term}
    if not every or len(every) != len(equation.terms):
        return always_raises(op, "C1", f"{len(every)} tensors for {len(equation.terms)} terms")
    if len(set(equation.result)) != len(equation.result) or not set(equation.result) <= known | {_REST}:
        return always_raises(op, "C1", "a letter of the result occurs twice, or in no term")
    claims: list[Claim] = []
    found: defaultdict[str, list[Sequence[Dim]]] = defaultdict(list)
    for at, (term, extents) in enumerate(zip(equation.terms, every, strict=True)):
        more = len(extents) - sum(letter != _REST for letter in term)
        if more < 0 or (more > 0 and _REST not in term):
            return always_raises(op, "C2", f"tensor {at} has rank {len(extents)} for {''.join(term)}")
        for letter, extent in _extents_by_letter(term, extents, more).items():
            if letter != _REST:
                claims.append(_repeated_letter_claim(at, letter, extent))
            found[letter].append(extent if letter == _REST else extent[:1])
    joint: dict[str, list[Dim]] = {}
    for letter, extents in found.items():
        shown = tuple((f"{letter}, {at}", each) for at, listed in enumerate(extents) for each in listed)
        joint[letter], claim = broadcast_extents(extents, "C4", f"the dimensions {letter} do not broadcast", shown)
        claims.append(claim)
    result = [each for letter in equation.result for each in joint.get(letter, ())]
    return OpSemantics((Tensor.of(result),), requires=claims)


def _extents_by_letter(term: Sequence[str], extents: Sequence[Dim], ellipsis_rank: int) -> dict[str, list[Dim]]:
    """Return the extents of an operand by letter; an ellipsis has ``ellipsis_rank`` of them."""
    named: defaultdict[str, list[Dim]] = defaultdict(list)
    at = 0
    for letter in term:
        count = ellipsis_rank if letter == _REST else 1
        named[letter] += extents[at : at + count]
        at += count
    return named


def _repeated_letter_claim(number: int, letter: str, extents: Sequence[Dim]) -> Claim:
    """Return clause C3: the dimensions of an operand with the same letter have equal extents."""
    same = conjunction(equal(extents[0], each) for each in extents[1:])
    shown = tuple((f"{letter} {at} of tensor {number}", each) for at, each in enumerate(extents))
    return check("C3", same, f"the dimensions {letter} of tensor {number} differ", shown)


@rule("torch.aten.linalg_cross", example=EXAMPLE, effects=STOPS)
def cross_product(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The cross products of vectors along a dimension.

    (C1) Both operands have the same rank.
    (C2) The dimension, which may count from the end, has extent 3 in both.
    (C3) The operands broadcast together.
    (R1) The result has the extents to which they broadcast.
    """
    left, right = op.operands[:2]
    shapes = [ctx.dims(each) for each in (left, right)]
    shown = (*extent_pairs(left.name, shapes[0]), *extent_pairs(right.name, shapes[1]))
    if len(shapes[0]) != len(shapes[1]):
        return always_raises(op, "C1", "the ranks of the operands differ", shown)
    at = nonscalar_axis_of(ctx, op.operands[2], shapes[0])
    three = conjunction(equal(each[at], 3) for each in shapes)
    vectors = check("C2", three, f"dimension {at} does not have 3 places", shown)
    extents, claim = broadcast_extents(shapes, "C3", "the operands do not broadcast together", shown)
    return OpSemantics((Tensor.of(extents),), requires=(vectors, claim))
