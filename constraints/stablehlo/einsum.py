"""Operations of the stablehlo dialect that its specification left behind: sums of products, and lookups by index.

MLIR's verifier takes them with any shapes; the claims are those of their lowering to linalg.
"""

from __future__ import annotations

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import Approximations, Claim, Ensures, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, equal, less_than

from ..transfer.extent_tensors import Shown, check_indices, extent_product
from ..transfer.integers import unsigned_reading
from ..transfer.shape_checks import equal_extents
from ..transfer.strided_slices import integer_of

EXAMPLE = "tests/cases/stablehlo/einsum.mlir"


@rule("stablehlo.einsum", "stablehlo.unary_einsum", example=EXAMPLE, effects=PURE)
def einsum(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The product of its operands, summed over the letters that the result does not have.

    (C1) Dimensions of one letter have the same extent.
    (R1) The result has the extents of its letters.
    """
    inputs, arrow, outputs = str(op.attributes.get("einsum_config")).replace(" ", "").partition("->")
    letters = inputs.split(",")
    if (
        not arrow
        or len(letters) != len(op.operands)
        or not all(each.isalpha() or not each for each in (*letters, outputs))
    ):
        raise UnknownValueError("which dimensions belong together is not known")
    places: dict[str, tuple[Value, int, Dim]] = {}
    claims: list[Claim] = []
    for operand, own in zip(op.operands, letters, strict=True):
        extents = ctx.dims(operand)
        if len(own) != len(extents):
            raise UnknownValueError(f"{operand.name} is not of the rank that its letters say")
        for index, (letter, extent) in enumerate(zip(own, extents, strict=True)):
            place = (operand, index, extent)
            claim = equal_extents("C1", f"the extents of {letter} differ", places.setdefault(letter, place), place)
            if claim.formula is not TRUE:
                claims.append(claim)
            if extent.is_constant:
                places[letter] = place
    if not set(outputs) <= set(places):
        raise UnknownValueError("the result has a letter that no operand has")
    return OpSemantics((Tensor.of([places[each][2] for each in outputs]),), requires=tuple(claims))


@rule("stablehlo.torch_index_select", example=EXAMPLE, effects=PURE)
def torch_index_select(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The parts of a tensor at the indices along dimension `dim`, batch by batch.

    (C1) The first `batch_dims` extents of both operands are equal.
    (C2) Every index is at least 0 and less than the extent along `dim`, unless no element is read.
    (R1) The result has the operand's extents, with those of the indices behind the batch in the place of that one.
    """
    operand, indices = op.operands
    extents, others = ctx.dims(operand), ctx.dims(indices)
    along, batches = integer_of(op, "dim"), integer_of(op, "batch_dims")
    along += len(extents) if along < 0 else 0
    batches += len(others) if batches < 0 else 0
    if not 0 <= batches <= along < len(extents) or batches > len(others):
        raise UnknownValueError("which dimension the indices are about is not known")
    claims = [
        equal_extents("C1", "the batch extents differ", (operand, i, extents[i]), (indices, i, others[i]))
        for i in range(batches)
    ]
    rest = (*extents[:along], *extents[along + 1 :])
    number = unsigned_reading(indices)

    def inside(index: Dim) -> Formula:
        return conjunction((at_least(number(index), 0), less_than(number(index), extents[along])))

    def required(formula: Formula, shown: Shown) -> Claim:
        extent = (f"extent {along} of {operand.name}", extents[along])
        return Claim("C2", formula, f"an index in {indices.name} is out of the bounds", shown=(extent, *shown))

    nothing = equal(extent_product(rest), 0)
    found = check_indices(ctx, indices, ctx.tensor(indices), inside, required, unless=nothing)
    result = Tensor.of((*extents[:along], *others[batches:], *extents[along + 1 :]))
    return OpSemantics(
        (result,),
        requires=tuple(claim for claim in (*claims, found.claim) if claim.formula is not TRUE),
        ensures=Ensures(operand_facts=found.known, are_invariants=True),
        approximations=Approximations(found.reasons, found.free),
    )
