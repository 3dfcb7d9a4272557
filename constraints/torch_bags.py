"""PyTorch's bags of embeddings: rows of a table that integers number, folded together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from shapesolve.language.dims import Dim
from shapesolve.language.formulas import FALSE, at_least, conjunction, disjunction, equal, less_than
from shapesolve.reading.program import Operation, Value
from shapesolve.walking.effects import STOPS
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule
from shapesolve.walking.values import Unmodelled

from .torch_indexing import places
from .torch_values import check, constant, extent_pairs, indexes, is_given, of_extents, refused

EXAMPLE = "tests/cases/torch/bags.mlir"
_SUM, _GREATEST, _MODES = 0, 2, (0, 1, 2)


@rule("torch.aten._embedding_bag", "torch.aten.embedding_bag.padding_idx", example=EXAMPLE, effects=STOPS)
def embedding_bag(op: Operation, see: RuleContext) -> Meaning:
    """The sum, the mean or the greatest of the rows of a table that each bag of integers numbers.

    A bag begins at an offset and ends at the next; where the last offset is only an end, there is one bag less.

    (C1) The table is a matrix, the offsets are a list, and there is such a way to fold rows.
    (C2) Where the last offset is only an end, there is one; and where there is an integer, there is a bag (else PyTorch
    ends with a segmentation fault), and, unless the greatest of rows are taken, rows have elements.
    (C3) Weights of the integers are one for each, and only for sums.
    (C4) The offsets begin with 0, do not fall, and do not exceed the number of integers.
    (C5) The number of the row that is left out, if it is stated, is less than that of the rows; `embedding_bag`, which
    counts negative ones from the end, demands that there is such a row.
    (C9) Every integer is the number of a row.
    (R1) The first result has a row for each bag; the others are not followed.
    """
    table, numbers, offsets = op.operands[:3]
    rows, listed, begins = (see.dims(each) for each in (table, numbers, offsets))
    mode = constant(see, op.operands[4])
    if len(listed) != 1:
        raise CannotSee("bags of integers that are no list are not followed")
    if len(rows) != 2 or len(begins) != 1 or mode not in _MODES:
        return refused(op, check("C1", FALSE, "the table is no matrix, the offsets no list, or there is no such fold"))
    is_ended = bool(constant(see, op.operands[7]))
    found = places(see, numbers, see.tensor(numbers), rows[0], from_end=False)
    claims = [*_offsets(see, offsets, listed[0]), found.claim]
    if is_ended:
        claims.append(
            check("C2", at_least(begins[0], 1), "there is no last offset", extent_pairs(offsets.name, begins))
        )
    if is_given(see, op.operands[6]):
        claims.append(_weights(op.operands[6], see.dims(op.operands[6]), listed[0], mode))
    bags = begins[0] - is_ended
    some = disjunction((at_least(bags, 1), equal(listed[0], 0)))
    claims.append(check("C2", some, "there is no bag", extent_pairs(offsets.name, begins)))
    if mode != _GREATEST:
        some = disjunction((at_least(rows[1], 1), equal(listed[0], 0)))
        claims.append(check("C2", some, "the rows have no elements", extent_pairs(table.name, rows)))
    if is_given(see, op.operands[8]):
        left_out = see.integer(op.operands[8])
        is_row = indexes(left_out, rows[0]) if op.name.endswith(".padding_idx") else less_than(left_out, rows[0])
        claims.append(check("C5", is_row, "what is left out is no row", extent_pairs(table.name, rows)))
    others = (Unmodelled("what a bag of embeddings keeps for its gradient") for _ in op.results[1:])
    return Meaning(
        (of_extents([bags, rows[1]]), *others),
        claims=tuple(claims),
        approximations=found.reasons,
        free=found.free,
        known=found.known,
        only_bounds=True,
    )


def _offsets(see: RuleContext, offsets: Value, count: Dim) -> Sequence[Claim]:
    held = see.elements(offsets)
    known = [each for each in held or () if isinstance(each, Dim)]
    if held is None or len(known) != len(held):
        raise CannotSee(f"what {offsets.name} holds is not known")
    rising = [at_least(b, a) for a, b in pairwise(known)]
    ends = [equal(known[0], 0), at_least(count, known[-1])] if known else []
    shown = (("integers", count), *((f"offset {at}", each) for at, each in enumerate(known)))
    return [check("C4", conjunction((*ends, *rising)), "the offsets are none", shown)]


def _weights(weights: Value, extents: Sequence[Dim], count: Dim, mode: int) -> Claim:
    fits = equal(extents[0], count) if mode == _SUM and len(extents) == 1 else FALSE
    shown = (*extent_pairs(weights.name, extents), ("integers", count))
    return check("C3", fits, "there is not one weight for each integer, or no sum is taken", shown)
