"""A shape function of a library: applied to values of a walk, it is the meaning of an operation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any, cast

from shapesolve.domain.fresh_variables import FreshVariables, integer_range, variables_of
from shapesolve.domain.values import Abstract, Size, Tensor, Unmodeled
from shapesolve.errors import InputError, plural
from shapesolve.interpreter.function_interpreter import interpret
from shapesolve.interpreter.inputs import Inputs
from shapesolve.ir.own_attributes import EFFECTS
from shapesolve.ir.program import Attribute, Function, Location, Operation, Program, Type, Value
from shapesolve.reasons import Reason
from shapesolve.records import record
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE, UNSTATED, Effects
from shapesolve.semantics.op_semantics import (
    Approximations,
    Assumes,
    Claim,
    Ensures,
    OpSemantics,
    Requires,
    Results,
    Yields,
)
from shapesolve.semantics.registry import Rule, RuleRegistry
from shapesolve.shape_functions.argument_passing import (
    accepts,
    as_tensor,
    attribute_value,
    described,
    fits,
    in_form_of,
    is_extent_tensor,
    passed,
)
from shapesolve.shape_functions.compiled import (
    ANY_NUMBER,
    MAX_KEPT,
    Answer,
    CompiledAnswer,
    Kept,
    attribute_key,
    compiled,
    key_of,
    key_with_numbers,
    numbers_in,
)
from shapesolve.shape_functions.inlining import Followed, error_claims, error_words, followed
from shapesolve.shape_functions.operand_groups import accepts_in_group, grouped
from shapesolve.shape_functions.python_operands import Operand, check_sizes, number_of, value_of
from shapesolve.shape_functions.region_statements import misfit, region_runs, yielded, yielded_operands
from shapesolve.shape_functions.signature import EVERY_EXTENT, Signature
from shapesolve.shape_functions.static_shapes import can_lose_static_shapes
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, implies
from shapesolve.symbolic.shape_kinds import RankedShape, Shape
from shapesolve.trace.trust import ModelingAssumption


@record
class Applied:
    """A shape function on given arguments.

    ``results`` are sizes of results where all ``claims`` hold; ``valid`` says where they do. ``approximations`` are
    what of the function was not modeled; ``free`` the variables that stand for it, ``bounded`` those that stand for
    what the function gives only a bound of.
    """

    results: tuple[Abstract, ...]
    claims: tuple[Claim, ...]
    facts: tuple[tuple[Formula, str], ...] = ()
    stated: tuple[tuple[Formula, str], ...] = ()
    approximations: tuple[Reason, ...] = ()
    free: frozenset[Variable] = frozenset()
    bounded: frozenset[Variable] = frozenset()
    modeling: tuple[ModelingAssumption, ...] = ()
    no_overflow: Formula = TRUE

    @property
    def valid(self) -> Formula:
        """The condition under which all claims hold and no result is an error."""
        return conjunction(claim.formula for claim in self.claims)

    @property
    def message(self) -> str | None:
        """The message of the first claim that never holds, or None."""
        return next((claim.message for claim in self.claims if claim.formula is FALSE), None)


@record
class ShapeFunction:
    """A `shape.func` that a library maps operations to.

    A function without a body describes results that only the run time knows.

    Attributes:
        program: The library's file with the functions of this library alone, so that calls find their callees.
        registry: The rules of the operations in the body.
        signature: What attributes state of arguments and results.
    """

    name: str
    function: Function
    program: Program
    library: str
    registry: RuleRegistry
    signature: Signature
    _compiled: dict[Kept, CompiledAnswer | None] = field(default_factory=dict[Kept, "CompiledAnswer | None"])

    @property
    def location(self) -> Location:
        return self.function.location

    @property
    def attributes(self) -> tuple[str | None, ...]:
        """For each argument, the name of the operation's attribute that it takes instead of an operand."""
        return self.signature.attributes

    @property
    def effects(self) -> Effects:
        """The effects of the operations that it describes."""
        return PURE if EFFECTS in self.function.operation.attributes else UNSTATED

    @property
    def is_opaque(self) -> bool:
        """Return whether only the run time knows the results: the function has no body."""
        return self.function.body is None

    @property
    def may_lose_static_shapes(self) -> bool:
        """Return whether results may have unknown extents although those of all operands are known.

        That is so if the function has no body, gives upper bounds only, or depends on numbers or contents of operands.
        """
        if self.is_opaque or any(self.signature.bounded):
            return True
        return can_lose_static_shapes(self, self._types_of_operands)

    def misfit(self, op: Operation) -> str | None:
        """Return the reason for which this function does not describe an operation, or None if it does."""
        groups = self.signature.groups.of(op)
        if groups is None:
            has = f"{op.name} has {plural(len(op.operands), 'operand')} here"
            return f"{has}, and @{self.name} takes {self.signature.groups.count}"
        if len(op.results) != len(self.function.result_types):
            return (
                f"{op.name} has {plural(len(op.results), 'result')} here, and @{self.name} returns "
                f"{len(self.function.result_types)}"
            )
        return self._misfit_of_arguments(op, groups) or self._misfit_of_results(op)

    def _misfit_of_arguments(self, op: Operation, groups: Sequence[tuple[Value, ...]]) -> str | None:
        given = zip(self.signature.groups.variadic, groups, strict=True)
        for position, (argument, named) in enumerate(zip(self.function.arguments, self.attributes, strict=True)):
            if named is not None:
                if attribute_value(argument.type, op.attributes.get(named)) is None:
                    there = f"its attribute `{named}`" if named in op.attributes else f"an attribute `{named}`"
                    return f"argument {position} of @{self.name} wants {there} as {argument.type}"
                continue
            wanted = self.signature.yields[position]
            variadic, values = next(given) if wanted is None else (False, _yielded_by(op, *wanted))
            if not values and wanted is not None:
                return f"region {wanted[0]} of {op.name} yields no value {wanted[1]}, which @{self.name} takes"
            owner = "operand" if wanted is None else "value"
            for value in values:
                if not (accepts_in_group if variadic else accepts)(argument.type, value.type):
                    return (
                        f"argument {position} of @{self.name} has type {argument.type}, which does not take the "
                        f"{owner} {value.name} of type {value.type}"
                    )
        return misfit(self.name, self.signature.regions, op)

    def _misfit_of_results(self, op: Operation) -> str | None:
        for position, (result, returned) in enumerate(zip(op.results, self.function.result_types, strict=True)):
            if not fits(returned, result.type):
                return (
                    f"result {position} of {op.name} has type {result.type}, which the {returned} that @{self.name} "
                    "returns does not describe"
                )
        return None

    def rule(self, op: str) -> Rule:
        """Return the rule that the function gives an operation."""
        words = (
            f"What the shape function @{self.name} of the library @{self.library} says ({self.location}).\n\n"
            f"(V1) @{self.name} gives no error.\n(V2) No extent is negative.\n"
            "(E1) The operands have the element types that it states.\n(E2) So have the results."
        )
        return Rule(op, self.op_semantics, str(self.location), f"@{self.library}", words, effects=self.effects)

    def op_semantics(self, op: Operation, ctx: RuleContext) -> OpSemantics:
        """Return the op semantics of an operation that the function describes."""
        elements = tuple(self.signature.element_claims(op))
        runs, unknown = region_runs(self.name, self.signature.regions, op, ctx)
        if self.is_opaque:
            results = tuple(map(ctx.unknown, op.results))
            free = variables_of(*results)
            unknown = unknown.joined(self._may_be_equal(op, ctx, free))
            return OpSemantics(results, requires=elements, regions=runs, approximations=unknown)
        types = [
            value.type
            for wanted in self.signature.yields
            if wanted is not None
            for value in _yielded_by(op, *wanted)[:1]
        ]
        later = [ctx.unknowns.of_type(type, "yielded", contents=False) for type in types]
        applied = self.applied(self._operands(op, ctx, later), op.attributes, ctx.unknowns)
        if not later:
            return OpSemantics(
                _in_forms_of(op, applied.results),
                requires=(*elements, *applied.claims),
                ensures=Ensures(applied.facts, declared=applied.stated),
                regions=runs,
                approximations=unknown.joined(Approximations(applied.approximations, applied.free)).joined(
                    self._may_be_equal(op, ctx, applied.bounded)
                ),
                assumes=Assumes(applied.modeling, applied.no_overflow),
            )
        found = self._behind_regions(op, ctx, applied, variables_of(*later))
        demands = replace(found.requires, claims=(*elements, *found.requires.claims))
        return replace(found, requires=demands, regions=runs, approximations=unknown)

    def _may_be_equal(self, op: Operation, ctx: RuleContext, bounded: frozenset[Variable]) -> Approximations:
        """Return the approximation that the unknowns of a pure function on the same data are equal, and taken for any.

        A failure for which two of them differ may be none.
        """
        if self.effects is not PURE or not bounded:
            return Approximations()
        data = ctx.provenance(op)
        earlier = ctx.unknowns.given_for_data.setdefault(self, [])
        alike = [variables for other, variables in earlier if not data.isdisjoint(other) or data == other]
        earlier.append((data, bounded))
        if not alike:
            return Approximations()
        reason = f"@{self.name} gives the same again on the same data, which is not followed"
        return Approximations((reason,), bounded.union(*alike))

    def _operands(self, op: Operation, ctx: RuleContext, yielded_values: Sequence[Abstract]) -> list[Abstract]:
        """Return a value for each argument that takes no attribute, and for each further operand of a fold."""
        groups = iter(zip(self.signature.groups.variadic, self.signature.groups.of(op) or (), strict=True))
        later = iter(yielded_values)
        found: list[Abstract] = []
        for named, wanted in zip(self.attributes, self.signature.yields, strict=True):
            if wanted is not None:
                found.append(next(later))
            elif named is None:
                variadic, group = next(groups)
                values = [ctx.value(each) for each in group]
                found += [grouped(values)] if variadic else values
        return found

    def _behind_regions(
        self, op: Operation, ctx: RuleContext, before: Applied, unknown: frozenset[Variable]
    ) -> OpSemantics:
        """Return the op semantics if the results depend on what regions yield.

        Args:
            before: The function applied to unknown values in the place of the yielded ones.
            unknown: The variables of those.
        """
        demands = tuple(each for each in before.claims if unknown.isdisjoint(each.formula.variables))
        is_followed = len(demands) == len(before.claims)
        why_not = f"what @{self.name} makes of what a region yields is not followed"

        def compute(yields: Yields) -> tuple[Abstract, ...]:
            values = [yielded(yields, *wanted) for wanted in self.signature.yields if wanted is not None]
            made = self.applied(self._operands(op, ctx, values), op.attributes, ctx.unknowns)
            known = {each.formula for each in demands}
            has_more = made.facts or made.stated or made.approximations or made.no_overflow is not TRUE
            if not is_followed or has_more or any(each.formula not in known for each in made.claims):
                raise UnknownValueError(why_not)
            return _in_forms_of(op, made.results)

        return OpSemantics(
            Results(compute=compute),
            requires=Requires(
                demands, "" if is_followed else f"what @{self.name} demands of yielded values is not followed"
            ),
            assumes=Assumes(before.modeling),
        )

    def applied(
        self, operands: Sequence[Abstract], attributes: Mapping[str, Attribute], unknowns: FreshVariables
    ) -> Applied:
        """Apply the function to values of any walk: its results, and everything that must hold for them."""
        if self.is_opaque:
            return Applied((Unmodeled(f"only the run time knows what @{self.name} returns"),) * len(self.results), ())
        if not self.signature.groups.folds:
            return self._applied(operands, attributes, unknowns)
        first = len(self.signature.groups.variadic) - 2
        steps: list[Applied] = []
        result: Abstract = _shape_in(operands[first])
        for operand in operands[first + 1 :]:
            if not isinstance(result, Shape):
                break
            steps.append(self._applied([*operands[:first], as_tensor(result), operand], attributes, unknowns))
            (result,) = steps[-1].results
        return _joined(steps, result)

    def _applied(
        self, operands: Sequence[Abstract], attributes: Mapping[str, Attribute], unknowns: FreshVariables
    ) -> Applied:
        arguments = self._arguments(operands, attributes)
        trace = interpret(self.program, Inputs(self.function, arguments, (), (), unknowns), self.registry)
        made = followed(trace, self.name, unknowns.truth)
        results: list[Abstract] = []
        returned = trace.results or [Unmodeled(f"what @{self.name} returns is not known")] * len(self.results)
        for value, type, indices in zip(returned, self.results, self.signature.bounded, strict=True):
            result, valid, positive = described(value, type)
            results.append(result if not indices else _at_most(result, type, indices, made, self.name, unknowns))
            made.add(error_claims(trace, self.name, valid))
            message = error_words(trace, self.name, self.location, valid)
            made.add([Claim("V1", valid, message, of_shape_function=True)])
            message = f"@{self.name} gives a negative extent ({self.location})"
            made.add([Claim("V2", positive, message, shown=_shown(result), of_shape_function=True)])
        return Applied(
            tuple(results),
            tuple(made.claims),
            tuple(made.facts),
            tuple(made.stated),
            tuple(made.approximations),
            frozenset(made.free),
            frozenset(made.bounded),
            made.modeling,
            conjunction(made.no_overflow),
        )

    def on(self, *operands: Operand, attributes: Mapping[str, Attribute] | None = None) -> Applied:
        """The function on shapes of known or unknown sizes, and on numbers; nothing is reported.

        Raises InputError for operands that it does not take.
        """
        operands = self._with_group(operands)
        types = self._operand_types(len(operands))
        values = [value_of(operand, type) for operand, type in zip(operands, types, strict=True)]
        if None in values:
            raise InputError(f"@{self.name} does not take operand {values.index(None)}", where=str(self.location))
        return self.applied([each for each in values if each is not None], attributes or {}, FreshVariables())

    def at(self, *operands: Sequence[int] | int, attributes: Mapping[str, Attribute] | None = None) -> Answer:
        """Return what the function gives for concrete shapes and numbers; None where it fails or gives an error.

        A result that the operands do not determine is None. The function is compiled to Python for each combination of
        ranks and attributes, so that a launch of an operation can ask.

        Raises:
            TypeError: An extent is no integer.
            ValueError: An extent of a shape is no size.
            InputError: The function does not take these operands or attributes.
        """
        operands = self._with_group(operands)
        given = attribute_key(attributes)
        if given is not None:
            key = key_of(operands)
            known = self._compiled_for((key, given), attributes)
            if known is None and ANY_NUMBER in key:
                key = key_with_numbers(operands)
                known = self._compiled_for((key, given), attributes)
            if known is not None:
                numbers = numbers_in(operands, key)
                if known.takes(numbers):
                    truths, results = known.compute(*numbers)
                    if truths[-1]:
                        return results if all(truths) else None
        return self._interpreted(operands, attributes)

    def _with_group(self, operands: tuple[Any, ...]) -> tuple[Any, ...]:
        return operands if any(self.signature.yields) else self.signature.groups.with_group(operands)

    def _compiled_for(self, kept: Kept, attributes: Mapping[str, Attribute] | None) -> CompiledAnswer | None:
        if kept not in self._compiled and len(self._compiled) < MAX_KEPT:
            key, _ = kept
            self._compiled[kept] = compiled(self, self._operand_types(len(key)), key, attributes)
        return self._compiled.get(kept)

    def _interpreted(
        self, operands: Sequence[Sequence[int] | int], attributes: Mapping[str, Attribute] | None
    ) -> Answer:
        for operand, type in zip(operands, self._operand_types(len(operands)), strict=True):
            if not isinstance(operand, int) and not is_extent_tensor(type):
                check_sizes(operand)
        applied = self.on(*operands, attributes=attributes)
        if any(claim.formula is FALSE for claim in applied.claims):
            return None
        return tuple(number_of(each) for each in applied.results)

    @property
    def results(self) -> tuple[Type, ...]:
        """The result types of the function."""
        return self.function.result_types

    @property
    def _types_of_operands(self) -> list[Type]:
        """The types of the arguments that take operands or what regions yield."""
        named = zip(self.function.arguments, self.attributes, strict=True)
        return [argument.type for argument, name in named if not name]

    def _operand_types(self, count: int) -> list[Type]:
        """Return the types of the arguments that take operands. Raises InputError if they are not so many."""
        types = self._types_of_operands
        if self.signature.groups.folds and count > len(types) - 2:
            return types[:-1] + types[-1:] * (count - len(types) + 1)
        if count != len(types):
            is_grouped = any(self.signature.groups.variadic)
            words = f"{plural(len(types), 'operand')}{' or sequences of them' if is_grouped else ''}"
            raise InputError(f"@{self.name} takes {words}, not {count}", where=str(self.location))
        return types

    def _arguments(self, operands: Sequence[Abstract], attributes: Mapping[str, Attribute]) -> tuple[Abstract, ...]:
        given = iter(operands)
        arguments: list[Abstract] = []
        for argument, named in zip(self.function.arguments, self.attributes, strict=True):
            if named is None:
                arguments.append(passed(argument.type, next(given)))
                continue
            value = attribute_value(argument.type, attributes.get(named))
            if value is None:
                raise InputError(
                    f"@{self.name} wants an attribute `{named}` as {argument.type}", where=str(self.location)
                )
            arguments.append(value)
        return tuple(arguments)


def _yielded_by(op: Operation, region: int, index: int) -> list[Value]:
    return (yielded_operands(op.regions[region], index) if region < len(op.regions) else None) or []


def _in_forms_of(op: Operation, values: Sequence[Abstract]) -> tuple[Abstract, ...]:
    """Return described results in the forms of the types that an operation declares."""
    return tuple(in_form_of(result.type, value) for result, value in zip(op.results, values, strict=True))


def _shape_in(value: Abstract) -> Shape:
    return value.shape if isinstance(value, Tensor) else cast("Shape", value)


def _joined(steps: Sequence[Applied], result: Abstract) -> Applied:
    """Return what several applications in a row demand and establish, with the result of the last."""
    return Applied(
        (result,),
        tuple(claim for step in steps for claim in step.claims),
        tuple(fact for step in steps for fact in step.facts),
        tuple(fact for step in steps for fact in step.stated),
        tuple(reason for step in steps for reason in step.approximations),
        frozenset[Variable]().union(*(step.free for step in steps)),
        frozenset[Variable]().union(*(step.bounded for step in steps)),
        tuple(dict.fromkeys(each for step in steps for each in step.modeling)),
        conjunction(step.no_overflow for step in steps),
    )


def _at_most(
    result: Abstract, type: Type, indices: Sequence[int], made: Followed, name: str, unknowns: FreshVariables
) -> Abstract:
    """Return a result that is unknown, or whose extents of these indices are, and not above what the function gives."""
    because = f"@{name} gives at most this"
    if isinstance(result, Size):
        size = unknowns.size(f"{name}.result")
        made.bounded |= size.variables
        made.facts.append((implies(at_least(result.value, 0), at_least(result.value, size)), because))
        return Size(size)
    if isinstance(result, Dim):
        number = unknowns.size(f"{name}.result", *integer_range(type))
        made.bounded |= number.variables
        made.facts.append((at_least(result, number), because))
        return number
    if not isinstance(result, RankedShape):
        return Unmodeled(f"@{name} gives an upper bound of a shape whose rank is not known")
    extents = list(result.dims)
    for index, bound in enumerate(result.dims):
        if index in indices or EVERY_EXTENT in indices:
            extents[index] = unknowns.size(f"{name}.extent{index}")
            made.bounded |= extents[index].variables
            made.facts.append((implies(at_least(bound, 0), at_least(bound, extents[index])), f"{because} extent"))
    return RankedShape.of(extents)


def _shown(value: Abstract) -> tuple[tuple[str, Dim], ...]:
    if not isinstance(value, RankedShape):
        return ()
    return tuple((f"extent {index} of the result", extent) for index, extent in enumerate(value.dims))
