"""Shape inference and verification of the trait, shared by types with numbers and types with symbols."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

from shapesolve.records import value_record
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, implies, negation, truth
from shapesolve.traits.inference_tables import LITERAL, STATIC_ONE, InferenceTable, TypeExtent, TypeShape, infer_dim
from shapesolve.traits.profiles import Rules


class Effect(Enum):
    """The effect of a violated requirement."""

    REJECTED = "rejected"
    UNSPECIFIED = "unspecified"
    CRASHED = "crashed"


@value_record
class ExtentRequirement:
    """One requirement on the types. ``words`` says where it is checked."""

    clause: str
    holds: Formula
    words: str = ""
    effect: Effect = Effect.REJECTED


@value_record
class TypedValue:
    """The type of a value: its extents, its kind of container ("" for none) and its element type."""

    shape: TypeShape
    container: str = "tensor"
    element: str = ""


@value_record
class Inferred:
    """The shape that operands broadcast to, and its requirements; the shape is None if no operand is ranked."""

    shape: TypeShape
    requirements: tuple[ExtentRequirement, ...] = ()

    @property
    def fits(self) -> Formula:
        """The formula that every requirement holds."""
        return conjunction(demand.holds for demand in self.requirements)


@value_record
class Verification:
    """All requirements on one operation, in the order in which they are checked."""

    requirements: tuple[ExtentRequirement, ...]
    inferred: TypeShape
    remarks: tuple[str, ...] = ()

    @property
    def accepted(self) -> Formula:
        """The formula that the operation verifies."""
        return conjunction(demand.holds for demand in self.requirements)

    @property
    def broken(self) -> ExtentRequirement | None:
        """Return the first violated requirement, or None. Only for types without symbols."""
        return next((demand for demand in self.requirements if not demand.holds), None)


def infer_shape(first: tuple[TypeExtent, ...], second: tuple[TypeExtent, ...], table: InferenceTable) -> Inferred:
    """Return the broadcast of two ranked shapes: the shorter is padded with 1 in front, then column by column."""
    rank = max(len(first), len(second))
    columns = zip(_expanded(first, rank), _expanded(second, rank), strict=True)
    extents: list[TypeExtent] = []
    demands: list[ExtentRequirement] = []
    for index, (a, b) in enumerate(columns):
        inferred = infer_dim(a, b, table)
        words = f"{a} and {b} meet in extent {index} of the broadcast"
        demands.append(ExtentRequirement("C4", inferred.covered, words, Effect.UNSPECIFIED))
        demands.append(ExtentRequirement("C5", inferred.fits, words))
        extents.append(inferred.extent)
    return Inferred(tuple(extents), tuple(demands))


def _expanded(shape: tuple[TypeExtent, ...], rank: int) -> tuple[TypeExtent, ...]:
    return (STATIC_ONE,) * (rank - len(shape)) + shape


def infer_result_shape(operands: Iterable[TypeShape], table: InferenceTable) -> Inferred:
    """Return the result shape: operands of known rank broadcast from left to right; the others are ignored."""
    ranked = [shape for shape in operands if shape is not None]
    if not ranked:
        return Inferred(None)
    found, *others = ranked
    demands: tuple[ExtentRequirement, ...] = ()
    for other in others:
        step = infer_shape(found, other, table)
        assert step.shape is not None
        found, demands = step.shape, demands + step.requirements
    return Inferred(found, demands)


def verify(operands: Sequence[TypedValue], results: Sequence[TypedValue], rules: Rules) -> Verification:
    """Return the requirements on an operation under these rules."""
    demands = [ExtentRequirement("C14", truth(rules.exists))]
    demands += _on_values(operands, results, rules)
    part = list(operands)[: rules.taking_part]
    shapes = [value.shape for value in part if rules.vectors_broadcast or value.container == "tensor"]
    inferred = Inferred(None) if rules.table is None else infer_result_shape(shapes, rules.table)
    demands += inferred.requirements
    containers = {value.container for value in (*operands, *results)}
    remarks = [rules.may_mix] if rules.may_mix and {"tensor", "vector"} <= containers else []
    for result in results:
        if inferred.shape is not None and result.shape is not None and _counts(result, rules):
            demands += result_requirements(inferred.shape, result.shape, rules)
            if rules.listed_as_incorrect and _static_for_dynamic(inferred.shape, result.shape) is TRUE:
                remarks.append(rules.listed_as_incorrect)
    demands += _on_ranks(part, results, rules)
    demands += _on_one_shape(part, results, rules)
    if rules.infers_again:
        demands += _on_second_inference(shapes, results, rules)
    return Verification(tuple(demands), inferred.shape, tuple(remarks))


def _counts(value: TypedValue, rules: Rules) -> bool:
    return rules.vectors_broadcast or value.container == "tensor"


def _on_values(operands: Sequence[TypedValue], results: Sequence[TypedValue], rules: Rules) -> list[ExtentRequirement]:
    values = [*operands, *results]
    containers = {value.container for value in values}
    alien = sorted({value.container or "something without a shape" for value in values} - rules.containers)
    demands: list[ExtentRequirement] = []
    if rules.counts:
        words = f"{len(operands)} operands, {len(results)} results"
        demands.append(ExtentRequirement("C1", truth(bool(operands) and len(results) == 1), words))
    demands.append(ExtentRequirement("C2", truth(containers <= rules.containers), f"there is {' and '.join(alien)}"))
    if rules.no_mix:
        demands.append(ExtentRequirement("C3", truth(not {"tensor", "vector"} <= containers)))
    if rules.no_zero:
        demands += [
            ExtentRequirement("C9", extent.dynamic | at_least(extent.size, 1), "a type says 0")
            for value in values
            for extent in value.shape or ()
        ]
    if rules.same_elements:
        compared = operands if rules.same_elements == "operands" else values
        elements = dict.fromkeys(value.element for value in compared if value.element)
        demands.append(ExtentRequirement("C12", truth(len(elements) <= 1), " and ".join(elements)))
    return demands


def rank_requirement(inferred: Dim | int, actual: Dim | int, rules: Rules) -> Formula:
    """Return the requirement on the rank of a ranked result."""
    if rules.result_rank == "any":
        return TRUE
    return equal(inferred, actual) if rules.result_rank == "equal" else at_least(actual, inferred)


def result_requirements(
    inferred: Sequence[TypeExtent], actual: Sequence[TypeExtent], rules: Rules
) -> list[ExtentRequirement]:
    """Return the requirements on a ranked result for which a shape was inferred."""
    ranks = f"rank {len(inferred)} is inferred, the result has rank {len(actual)}"
    demands = [ExtentRequirement("C6", rank_requirement(len(inferred), len(actual), rules), ranks)]
    if len(actual) < len(inferred):
        return demands
    # MLIR's trait looks only at as many extents from the right as are inferred.
    kept = list(actual)[len(actual) - len(inferred) :]
    for index, (expected, declared) in enumerate(zip(inferred, kept, strict=True), len(actual) - len(inferred)):
        words = f"{expected} is inferred, extent {index} of the result is {declared}"
        demands += [
            ExtentRequirement(clause, formula, words)
            for clause, formula in result_extent_requirements(expected, declared, rules).items()
        ]
    return demands


def result_extent_requirements(inferred: TypeExtent, actual: TypeExtent, rules: Rules) -> dict[str, Formula]:
    """Return the requirements on one extent of the result, by clause."""
    demands: dict[str, Formula] = {}
    if not rules.static_for_dynamic:
        demands["C7"] = negation(inferred.dynamic & actual.static)
    if rules.result_extents:
        agree = disjunction((inferred.dynamic, actual.dynamic, equal(inferred.size, actual.size)))
        demands["C8"] = agree | inferred.says(1) if rules.any_for_one else agree
    return demands


def _static_for_dynamic(inferred: Sequence[TypeExtent], actual: Sequence[TypeExtent]) -> Formula:
    if len(inferred) != len(actual):
        return FALSE
    return disjunction(a.dynamic & b.static for a, b in zip(inferred, actual, strict=True))


def _on_ranks(operands: Sequence[TypedValue], results: Sequence[TypedValue], rules: Rules) -> list[ExtentRequirement]:
    if not rules.equal_ranks:
        return []
    ranks = [len(value.shape) for value in operands if value.shape is not None]
    of_results = [len(value.shape) for value in results if value.shape is not None]
    words = f"the ranks are {', '.join(map(str, ranks))}"
    return [
        ExtentRequirement("C10", truth(len(set(ranks)) <= 1), words),
        ExtentRequirement("C11", truth(len({*ranks[:1], *of_results}) <= 1), f"{words}; of the result {of_results}"),
    ]


def _on_one_shape(
    operands: Sequence[TypedValue], results: Sequence[TypedValue], rules: Rules
) -> list[ExtentRequirement]:
    ranked = [value.shape for value in (*operands, *results) if value.shape is not None]
    if not rules.same_shape or not ranked:
        return []
    demands = [ExtentRequirement("C13", _agree(ranked[0], other)) for other in ranked[1:]]
    if rules.result_is_operand and operands:
        shape = operands[0].shape
        demands += [ExtentRequirement("C15", _same_type(shape, result.shape)) for result in results]
    return demands


def _on_second_inference(
    shapes: Sequence[TypeShape], results: Sequence[TypedValue], rules: Rules
) -> list[ExtentRequirement]:
    """Return the requirements of a second inference of the result type, in which `?` is a size like any other."""
    inferred = infer_result_shape(shapes, LITERAL)
    ranked = truth(all(shape is not None for shape in shapes))
    made = ranked & inferred.fits
    demands: list[ExtentRequirement] = []
    if rules.infers_again == "crashing":
        demands.append(ExtentRequirement("C16", made, "the operands have no literally common shape", Effect.CRASHED))
    for result in results:
        if result.shape is not None and inferred.shape is not None:
            demands.append(ExtentRequirement("C15", implies(made, _agree(inferred.shape, result.shape))))
    return demands


def _same_type(first: TypeShape, second: TypeShape) -> Formula:
    """Return the formula that two types are spelled alike: an unknown rank or extent equals only an unknown one."""
    if first is None or second is None or len(first) != len(second):
        return truth(first is None and second is None)
    pairs = zip(first, second, strict=True)
    return conjunction((a.dynamic & b.dynamic) | (a.static & b.static & equal(a.size, b.size)) for a, b in pairs)


def _agree(first: tuple[TypeExtent, ...], second: tuple[TypeExtent, ...]) -> Formula:
    """Return the formula that two types have one rank, and equal numbers wherever both are static."""
    if len(first) != len(second):
        return FALSE
    pairs = zip(first, second, strict=True)
    return conjunction(disjunction((a.dynamic, b.dynamic, equal(a.size, b.size))) for a, b in pairs)
