"""Undefined behavior: weakening semantics and arbitrary values.

A possibly undefined operation is not known to compute anything: where a claim of undefined behavior is false, each
result is some value of its type. So its results are fresh variables, equal to what the rule computes where the claims
hold, and everything else that the rule states is stated under the same condition. The same applies to operations on a
value that a cast gave a wrong type.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar, assert_never

from shapesolve.domain.fresh_variables import FreshVariables, integer_range, variables_of
from shapesolve.domain.values import (
    Abstract,
    Element,
    Float,
    NoneValue,
    Size,
    StringValue,
    Tensor,
    UnknownValue,
    Unmodeled,
    Witness,
)
from shapesolve.int64 import MAX_SIZE
from shapesolve.ir.program import Operation, ShapedType, Value
from shapesolve.records import value_record
from shapesolve.semantics.op_semantics import Claim, OpSemantics
from shapesolve.semantics.regions import (
    AtMostOnce,
    ForLoop,
    GenericIteration,
    Pass,
    RegionRun,
    UnrolledLoop,
    WhileLoop,
    loop,
)
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, either, equal, equivalent, implies
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.trace.events import Kind

P = TypeVar("P", bound=Pass)

Statement = tuple[Formula, str]
"""A fact and the phrase that says where it comes from."""


@value_record
class UndefinedOps:
    """The possibly undefined operations.

    Attributes:
        misfits: Whether one may give a value a type that it does not have.
        assumes_undefined: Whether the interpreter adds the operations that require something of arbitrary values, as it
            meets them outside of loops. The trace names them.
    """

    ops: AbstractSet[Operation] = frozenset()
    misfits: bool = False
    assumes_undefined: bool = False

    def __bool__(self) -> bool:
        return bool(self.ops)


NO_UNDEFINED_OPS = UndefinedOps()


@dataclass(slots=True, eq=False)
class UbWeakening:
    """Weakening of op semantics by possibly undefined operations.

    Attributes:
        undefined_ops: The possibly undefined operations.
        unknowns: The source of fresh variables.
        values: The abstract values of the function.
        arbitrary: For every variable of an arbitrary value, the operation that it belongs to.
        assumed_undefined: The operations that were added to the possibly undefined ones, each with its requirements on
            arbitrary values.
        has_effect: Whether anything was changed since this was last reset.
    """

    undefined_ops: UndefinedOps
    unknowns: FreshVariables
    values: Mapping[Value, Abstract]
    arbitrary: dict[Variable, Operation] = field(default_factory=dict[Variable, Operation])
    assumed_undefined: dict[Operation, frozenset[Formula]] = field(default_factory=dict[Operation, frozenset[Formula]])
    has_effect: bool = False
    _loops: int = 0
    _taken_as_defined: set[Operation] = field(default_factory=set[Operation])

    def may_be_undefined(self, op: Operation) -> bool:
        """Return whether an operation is one of the possibly undefined ones."""
        return op in self.undefined_ops.ops or op in self.assumed_undefined

    def weaken_semantics(self, op: Operation, semantics: OpSemantics) -> tuple[OpSemantics, Formula]:
        """Return the reliable part of op semantics, and the condition under which all of them are reliable."""
        fits, claims = self._fit(op.operands), semantics.requires.claims
        here = ArbitraryValues(op, self.unknowns, self.arbitrary)
        if fits is not TRUE:
            claims = tuple(replace(each, formula=here.unless(fits, each.formula)) for each in claims)
        if self.undefined_ops.assumes_undefined:
            self._assume_undefined(op, claims)
        may_be_undefined = self.may_be_undefined(op)
        if fits is TRUE and not may_be_undefined:
            return semantics, TRUE
        self.has_effect = True
        defined = conjunction((fits, *(_requirements(claims) if may_be_undefined else ())))
        regions = tuple(self._region(here, run, defined) for run in semantics.regions)
        facts = (*_under(defined, semantics.ensures.facts), *here.facts)
        queries = tuple(here.unless(defined, condition) for condition in semantics.folds.queries)
        no_overflow = implies(defined, semantics.assumes.no_overflow)
        known, declared = _under(fits, semantics.ensures.operand_facts), _under(fits, semantics.ensures.declared)
        weakened = replace(
            semantics,
            requires=replace(semantics.requires, claims=claims),
            ensures=replace(semantics.ensures, facts=facts, operand_facts=known, declared=declared),
            regions=regions,
            folds=replace(semantics.folds, queries=queries),
            assumes=replace(semantics.assumes, no_overflow=no_overflow),
        )
        return weakened, defined

    def weaken_results(
        self,
        op: Operation,
        semantics: OpSemantics,
        defined: Formula,
        results: Sequence[Abstract],
        declared: Sequence[Sequence[Claim]],
    ) -> tuple[list[Abstract], list[Statement]]:
        """Return the weakened results and the facts about them.

        ``declared`` are the claims on the declared extents of each.
        """
        may_be_undefined = self.may_be_undefined(op)
        if defined is TRUE and not may_be_undefined:
            return list(results), []
        self.has_effect = True
        here = ArbitraryValues(op, self.unknowns, self.arbitrary)
        if may_be_undefined:
            defined = conjunction((defined, *(part for claims in declared for part in _requirements(claims))))
        given = defined if semantics.results.shape_operands is None else self._fit(semantics.results.shape_operands)
        origins = op.operands if semantics.results.shape_operands is None else semantics.results.shape_operands
        kept: list[Abstract] = []
        for value, result, claims in zip(op.results, results, declared, strict=True):
            of_type = (
                [each for each in (*semantics.requires.claims, *claims) if each.of_type] if may_be_undefined else []
            )
            fits = conjunction((self._fit(origins), *_requirements(of_type)))
            kept.append(here.value(value, result, defined, given, fits))
        return kept, here.facts

    def unknown(self, value: Abstract) -> Abstract:
        """Return an unknown value whose type may be one that it was wrongly given."""
        if not isinstance(value, Tensor):
            return value
        self.has_effect = True  # with `misfits` or without
        if not self.undefined_ops.misfits:
            return value
        return replace(value, fits=self.unknowns.unmodeled_truth("an unknown value fits its type"))

    def has_no_effect_on(self, ops: Sequence[Operation], required: Callable[[], frozenset[Variable]]) -> bool:
        """Return whether operations are weakened no more than when this had no effect on them.

        Args:
            required: Returns the variables of their requirements.
        """
        if not self.undefined_ops.ops.isdisjoint(ops):
            return False
        return (
            not self.undefined_ops.assumes_undefined
            or not self.arbitrary
            or self.arbitrary.keys().isdisjoint(required())
        )

    def note_defined(self, ops: Iterable[Operation]) -> None:
        """Note that operations were taken as defined."""
        if self.undefined_ops.assumes_undefined:
            self._taken_as_defined.update(ops)

    @contextmanager
    def inside_loop(self) -> Generator[None]:
        """Assume no operation undefined while a loop is interpreted, whose iterations may depend on each other."""
        self._loops += 1
        try:
            yield
        finally:
            self._loops -= 1

    def _assume_undefined(self, op: Operation, claims: Sequence[Claim]) -> None:
        """Add an operation that requires something of arbitrary values, unless it was taken as defined before."""
        if op in self._taken_as_defined:
            return
        self._taken_as_defined.add(op)
        if self._loops or not self.arbitrary:
            return
        arbitrary = self.arbitrary.keys()
        if found := [each for each in _requirements(claims) if not arbitrary.isdisjoint(each.variables)]:
            self.assumed_undefined[op] = frozenset(found)

    def _fit(self, values: Iterable[Value]) -> Formula:
        """Return the condition under which values have the extents that their types state."""
        found = (self.values.get(each) for each in values)
        return conjunction(each.fits for each in found if isinstance(each, Tensor))

    def _region(self, here: ArbitraryValues, run: RegionRun, defined: Formula) -> RegionRun:
        if defined is TRUE:
            return run
        match run:
            case AtMostOnce() | GenericIteration():
                return self._pass(here, run, defined)
            case ForLoop():
                first, carried, last = _split(run)
                return replace(
                    run,
                    arguments=here.values(first, run.arguments, defined),
                    carries=here.values(carried, run.carries, defined),
                    elements=here.values(last, run.elements, defined),
                    condition=implies(defined, run.condition),
                    runs=_where(defined, run.runs),
                    iteration_space=None,
                )
            case UnrolledLoop():  # the trip count is unknown where the operation may be undefined
                first, carried, last = _split(run)
                return loop(
                    region=run.region,
                    arguments=tuple(self.unknown(here.fresh(each)) for each in first),
                    carries=here.values(carried, run.carries, defined),
                    elements=here.values(last, run.elements, defined),
                    shapes=run.shapes,
                    because="inside the loop",
                    runs=_where(defined, run.runs),
                )
            case WhileLoop():
                return self._while(here, run, defined)
            case _:
                assert_never(run)

    def _pass(self, here: ArbitraryValues, run: P, defined: Formula) -> P:
        inside = run.region.blocks[0].arguments if run.region.blocks else ()
        return replace(
            run,
            arguments=here.values(inside, run.arguments, defined),
            condition=implies(defined, run.condition),
            runs=_where(defined, run.runs),
        )

    def _while(self, here: ArbitraryValues, run: WhileLoop, defined: Formula) -> WhileLoop:
        def followed(yielded: tuple[Abstract, ...], carried: tuple[Abstract, ...]) -> GenericIteration:
            return self._pass(here, run.follow(yielded, carried), defined)

        carries = here.values(_split(run)[1], run.carries, defined)
        return replace(run, carries=carries, follow=followed, runs=conjunction((defined, run.runs)))


def _split(run: ForLoop | WhileLoop | UnrolledLoop) -> tuple[Sequence[Value], Sequence[Value], Sequence[Value]]:
    """Return the arguments of a body that belong to the iteration, those that are carried, and those behind."""
    inside = run.region.blocks[0].arguments if run.region.blocks else ()
    last = len(inside) - (0 if isinstance(run, WhileLoop) else len(run.elements))
    first = last - len(run.carries)
    return inside[:first], inside[first:last], inside[last:]


def _where(defined: Formula, runs: Formula | None) -> Formula | None:
    return None if runs is None else conjunction((defined, runs))


def _requirements(claims: Sequence[Claim]) -> tuple[Formula, ...]:
    return tuple(claim.formula for claim in claims if claim.kind is not Kind.CHECK)


def _under(condition: Formula, statements: Sequence[Statement]) -> tuple[Statement, ...]:
    return tuple((implies(condition, formula), because) for formula, because in statements)


SIZES = (0, MAX_SIZE)
UNBOUNDED = (-(2**128), 2**128)
"""Bounds for computed values, which may lie outside of those of their type."""


@dataclass(slots=True, eq=False)
class ArbitraryValues:
    """Arbitrary values for the results of one operation; ``facts`` relate them to what the rule computes."""

    op: Operation
    unknowns: FreshVariables
    operations: dict[Variable, Operation]
    facts: list[tuple[Formula, str]] = field(default_factory=list[tuple[Formula, str]])

    def unless(self, condition: Formula, formula: Formula) -> Formula:
        """Return the formula where the condition holds, else an unknown truth value."""
        if condition is TRUE or formula is TRUE:
            return formula
        return either(
            condition,
            formula,
            self._noted(self.unknowns.unmodeled_truth(f"what {self.op.name} takes for an undefined value passes")),
        )

    def fresh(self, like: Value) -> Abstract:
        """Return an arbitrary value of the type."""
        found = self.unknowns.of_type(like.type, like.name, contents=True)
        self.operations.update(dict.fromkeys(variables_of(found), self.op))
        return found

    def values(self, likes: Sequence[Value], values: Sequence[Abstract], defined: Formula) -> tuple[Abstract, ...]:
        """Return arbitrary values with the types and the names of others."""
        return tuple(
            self.value(like, value, defined, defined, defined) for like, value in zip(likes, values, strict=True)
        )

    def value(self, like: Value, value: Abstract, defined: Formula, given: Formula, fits: Formula) -> Abstract:
        """Return the value if it is ``defined``, with its extents or number if ``given``; otherwise any value.

        Any value of the type, that is; a tensor has the extents of its type only where it ``fits``.
        """
        match value:
            case UnknownValue() | NoneValue() | StringValue() | Unmodeled():
                return value
            case Tensor():
                return self._tensor(like, value, defined, given, conjunction((fits, value.fits)))
            case _ if given is TRUE:
                return value
            case Float():
                return value.where(given)
            case Dim():
                return self._number(like.name, value, given, integer_range(like.type))
            case Formula():
                return self._truth(like.name, value, given)
            case Size():
                number = self._number(like.name, value.value, given, SIZES)
                return Size(number, self._truth(f"{like.name}.valid", value.valid, given))
            case Witness():
                return Witness(self._truth(like.name, value.passing, given), value.asserted)
            case _:
                return self.fresh(like)

    def _tensor(self, like: Value, value: Tensor, defined: Formula, given: Formula, fits: Formula) -> Tensor:
        shape = value.shape
        if given is not TRUE:
            if not isinstance(shape, RankedShape) or shape.valid is not TRUE:
                fresh = self.fresh(like)
                return replace(fresh, fits=fits) if isinstance(fresh, Tensor) else Tensor(shape, fits=fits)
            shape = RankedShape.of(
                self._number(f"{like.name}[{number}]", extent, given, SIZES) if _is_open(like, number) else extent
                for number, extent in enumerate(shape.dims)
            )
        if defined is TRUE:
            return Tensor(shape, value.elements, value.spells, fits, signs=value.signs)
        elements = value.elements
        if elements is not None:
            elements = tuple(self._element(like, number, each, defined) for number, each in enumerate(elements))
        return Tensor(shape, elements, None, fits)

    def _element(self, like: Value, number: int, value: Element, defined: Formula) -> Element:
        name = f"{like.name}.values[{number}]"
        if isinstance(value, Formula):
            return self._truth(name, value, defined)
        if isinstance(value, Float):
            return value.where(defined)
        type = like.type.element if isinstance(like.type, ShapedType) else like.type
        return self._number(name, value, defined, integer_range(type))

    def _number(self, name: str, value: Dim, defined: Formula, bounds: tuple[int, int]) -> Dim:
        fresh = self.unknowns.size(name, *UNBOUNDED)
        self.operations.update(dict.fromkeys(fresh.variables, self.op))
        within = conjunction((at_least(fresh, bounds[0]), at_least(bounds[1], fresh)))
        self._add_fact(either(defined, equal(fresh, value), within))
        return fresh

    def _truth(self, name: str, value: Formula, defined: Formula) -> Formula:
        fresh = self._noted(self.unknowns.truth(name))
        self._add_fact(implies(defined, equivalent(fresh, value)))
        return fresh

    def _noted(self, fresh: Formula) -> Formula:
        self.operations.update(dict.fromkeys(fresh.variables, self.op))
        return fresh

    def _add_fact(self, formula: Formula) -> None:
        self.facts.append((formula, f"{self.op.name}, where it is not undefined"))


def _is_open(like: Value, number: int) -> bool:
    """Return whether the type leaves an extent open."""
    extents = like.type.extents if isinstance(like.type, ShapedType) else None
    return extents is None or number >= len(extents) or extents[number] is None
