"""Bags of embeddings: rows of a table, folded from one offset to the next."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from shapesolve.domain.values import Tensor, Unmodeled
from shapesolve.int64 import MAX_SIZE, MIN_INDEX
from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Claim, Ensures, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.atoms import Variable, variables_in
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import FALSE
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, less_than

from ..transfer.extent_tensors import IndexCheck
from .creation import range_step
from .indexing import approximations_of, index_claims
from .operands import always_raises, check, constant, extent_pairs, is_present, is_valid_index

EXAMPLE = "tests/cases/torch/bags.mlir"
_SUM, _GREATEST, _MODES = 0, 2, (0, 1, 2)
_NO_OFFSETS = "the offsets are out of order or out of bounds"


@rule("torch.aten._embedding_bag", "torch.aten.embedding_bag.padding_idx", example=EXAMPLE, effects=STOPS)
def embedding_bag(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The sum, the mean or the greatest of the rows of a table that each bag of integers numbers.

    A bag begins at an offset and ends at the next; where the last offset is only an end, there is one bag less.

    (C1) The table is a matrix, the offsets are a list, and there is such a way to fold rows.
    (C2) Where the last offset is only an end, there is one; and where there is an integer, there is a bag (else PyTorch
    ends with a segmentation fault), and, unless the greatest of rows are taken, rows have elements.
    (C3) Weights of the integers are one for each, and only for sums.
    (C4) The offsets begin with 0, do not fall (for the greatest: are not negative), and do not exceed the number of
    integers.
    (C5) The number of the row that is left out, if it is stated, is less than that of the rows; `embedding_bag`, which
    counts negative ones from the end, demands that there is such a row.
    (C9) Every integer is the number of a row.
    (R1) The first result has a row for each bag; the others are not followed.
    """
    table, numbers, offsets = op.operands[:3]
    rows, listed, begins = (ctx.dims(each) for each in (table, numbers, offsets))
    mode = constant(ctx, op.operands[4])
    if len(listed) != 1:
        raise UnknownValueError("bags of integers that are no list are not followed")
    if len(rows) != 2 or len(begins) != 1 or mode not in _MODES:
        return always_raises(op, "C1", "the table is no matrix, the offsets no list, or there is no such fold")
    is_ended = bool(constant(ctx, op.operands[7]))
    found = index_claims(ctx, numbers, ctx.tensor(numbers), rows[0], from_end=False)
    bounds = _offset_check(ctx, offsets, listed[0], are_ordered=mode != _GREATEST, is_ended=is_ended)
    claims: list[Claim] = []
    if is_ended:
        claims.append(
            check("C2", at_least(begins[0], 1), "there is no last offset", extent_pairs(offsets.name, begins))
        )
    if is_present(ctx, op.operands[6]):
        claims.append(_weights_claim(op.operands[6], ctx.dims(op.operands[6]), listed[0], mode))
    bags = begins[0] - is_ended
    some = disjunction((at_least(bags, 1), equal(listed[0], 0)))
    claims.append(check("C2", some, "there is no bag", extent_pairs(offsets.name, begins)))
    if mode != _GREATEST:
        some = disjunction((at_least(rows[1], 1), equal(listed[0], 0)))
        claims.append(check("C2", some, "the rows have no elements", extent_pairs(table.name, rows)))
    if is_present(ctx, op.operands[8]):
        left_out = ctx.integer(op.operands[8])
        is_row = is_valid_index(left_out, rows[0]) if op.name.endswith(".padding_idx") else less_than(left_out, rows[0])
        claims.append(check("C5", is_row, "what is left out is no row", extent_pairs(table.name, rows)))
    others = (Unmodeled("what a bag of embeddings keeps for its gradient") for _ in op.results[1:])
    return OpSemantics(
        (Tensor.of([bags, rows[1]]), *others),
        requires=(*claims, bounds.claim, found.claim),
        ensures=Ensures(operand_facts=(*bounds.known, *found.known), are_invariants=True),
        approximations=approximations_of((bounds, found)),
    )


def _offset_check(ctx: RuleContext, offsets: Value, count: Dim, *, are_ordered: bool, is_ended: bool) -> IndexCheck:
    """Return clause C4: the offsets of bags begin with 0, do not fall, and end in bounds.

    Where all are one number, that is 0. Where they are counted, that is of the first, the step and the last. Where they
    are not known, the claim is about four of them: the first, any two that follow each other, the last.
    """
    held, bounds = ctx.elements(offsets), ctx.tensor(offsets).between
    length = ctx.dims(offsets)[0]
    none = equal(length, 0)
    maker = ctx.producer(offsets)
    counted = None if maker is None else range_step(maker, ctx)
    if held is None and counted is not None and are_ordered:
        first, step = counted
        last = first + (length - 1) * step
        fits = conjunction((equal(first, 0), disjunction((equal(length, 1), at_least(step, 0))), at_least(count, last)))
        shown = (("integers", count), ("the first offset", first), ("the step", step), ("the last offset", last))
        return IndexCheck(check("C4", disjunction((none, fits)), _NO_OFFSETS, shown))
    number = None if bounds is None else bounds.single_value
    if held is None and number is not None:
        return IndexCheck(check("C4", disjunction((none, equal(number, 0))), _NO_OFFSETS, (("every offset", number),)))
    known = [each for each in held or () if isinstance(each, Dim)]
    is_known = held is not None and len(known) == len(held)
    free: frozenset[Variable] = frozenset()
    if not is_known:
        known = [
            ctx.fresh(f"{offsets.name}.{place}", MIN_INDEX, MAX_SIZE) for place in ("first", "one", "next", "last")
        ]
        free = variables_in(known)
    inner = pairwise(known) if is_known else [(known[1], known[2])]
    if are_ordered:
        between = [at_least(b, a) for a, b in inner]
    else:
        between = [
            each
            for number in (known[:-1] if is_ended else known)
            for each in (at_least(number, 0), at_least(count, number))
        ]
    ends = [equal(known[0], 0), at_least(count, known[-1])] if known else []
    formula = conjunction((*ends, *between))
    if is_known:
        shown = tuple((f"offset {at}", each) for at, each in enumerate(known))
        return IndexCheck(check("C4", formula, _NO_OFFSETS, (("integers", count), *shown)))
    why = f"all elements of {offsets.name} lie between these"
    facts = () if bounds is None else tuple((disjunction((none, bounds.contains(each))), why) for each in known)
    claim = check("C4", disjunction((none, formula)), _NO_OFFSETS, (("integers", count),))
    return IndexCheck(claim, (ctx.reason_unknown(offsets),), free, facts)


def _weights_claim(weights: Value, extents: Sequence[Dim], count: Dim, mode: int) -> Claim:
    """Return clause C3: there is one weight per index, and bags are summed."""
    fits = equal(extents[0], count) if mode == _SUM and len(extents) == 1 else FALSE
    shown = (*extent_pairs(weights.name, extents), ("integers", count))
    return check("C3", fits, "there is not one weight for each integer, or no sum is taken", shown)
