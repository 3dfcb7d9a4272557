"""Signature attributes of a shape function: attributes and yields as arguments, bounds, folds, element types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shapesolve.ir.own_attributes import AT_MOST, ATTRIBUTE, ELEMENT, FOLD, VARIADIC, YIELDS
from shapesolve.ir.program import (
    SHAPE_TYPES,
    SIZE_TYPE,
    Attribute,
    DictAttribute,
    Function,
    Operation,
    Program,
    ScalarType,
    ShapedType,
    Type,
)
from shapesolve.records import record
from shapesolve.semantics.op_semantics import Claim
from shapesolve.shape_functions.argument_passing import describes_shape
from shapesolve.shape_functions.locations import error_at
from shapesolve.shape_functions.operand_groups import OperandGroups, is_group
from shapesolve.shape_functions.region_statements import RegionStatement, region_statements, yielded_value
from shapesolve.symbolic.formula_kinds import FALSE
from shapesolve.trace.events import Kind

EVERY_EXTENT = -1
"""Stands for all extents of a result in a list of the bounded ones."""

ElementRule = Type | int | None
"""An element type, or the number of the operand that has it; None where nothing is said."""


@record
class Signature:
    """The attributes of a shape function, checked.

    Attributes:
        attributes: For each argument, the name of the operation's attribute that it takes instead of an operand.
        yields: For each argument, the region and the position of the yielded value that it takes instead of an operand.
        groups: How many operands the others take.
        regions: For each region of the operation, how it runs; empty if nothing is stated.
        bounded: For each result, the indices of the extents of which the function gives an upper bound only.
        operand_elements: The element type that each operand must have.
        result_elements: The element type that each result has.
    """

    attributes: tuple[str | None, ...]
    yields: tuple[tuple[int, int] | None, ...]
    groups: OperandGroups
    regions: tuple[RegionStatement, ...]
    bounded: tuple[tuple[int, ...], ...]
    operand_elements: tuple[ElementRule, ...]
    result_elements: tuple[ElementRule, ...]

    def element_claims(self, op: Operation) -> list[Claim]:
        """Return what the element types of an operation's operands and results must be, as a verifier would say it."""
        groups = self.groups.of(op) or []
        rules = [(rule, each) for rule, group in zip(self.operand_elements, groups, strict=False) for each in group]
        claims: list[Claim] = []
        for clause, owner, values in (
            ("E1", "operand", rules),
            ("E2", "result", list(zip(self.result_elements, op.results, strict=True))),
        ):
            for number, (rule, value) in enumerate(values):
                if rule is None:
                    continue
                wanted = _element(groups[rule][0].type) if isinstance(rule, int) else rule
                if str(_element(value.type)) != str(wanted):
                    found = f"{owner} {number} has elements of type {_element(value.type)}, not {wanted}"
                    claims.append(Claim(clause, FALSE, found, Kind.TYPE))
        return claims


def signature_of(program: Program, name: str, function: Function) -> Signature:
    """Return the signature of a shape function that messages call ``name``.

    Raises:
        InputError: if an attribute says nothing that could be meant.
    """
    attributes = [_attribute(program, name, function, position) for position in range(len(function.arguments))]
    regions = region_statements(program, name, function)
    yields = [yielded_value(program, name, function, position, regions) for position in range(len(attributes))]
    operands = [
        (position, given)
        for position, given in enumerate(function.argument_attributes)
        if attributes[position] is None and yields[position] is None
    ]
    groups = OperandGroups(
        tuple(_is_variadic(program, name, function, position) for position, _ in operands),
        function.operation.attributes.get(FOLD, False) is not False,
    )
    if groups.folds:
        _check_fold(program, name, function, groups, [position for position, _ in operands])
    for position in set(range(len(attributes))) - {position for position, _ in operands}:
        _check_no_operand(program, name, function, position)
    stated = _of_results(function)
    numbers = [number for number, variadic in enumerate(groups.variadic) if not variadic]
    return Signature(
        tuple(attributes),
        tuple(yields),
        groups,
        regions,
        tuple(_bounded(program, name, function, position, given) for position, given in enumerate(stated)),
        tuple(_rule(program, name, function, f"argument {at}", given, numbers) for at, given in operands),
        tuple(_rule(program, name, function, f"result {at}", given, numbers) for at, given in enumerate(stated)),
    )


def _of_results(function: Function) -> list[Mapping[str, Attribute]]:
    """Return the attributes of each result."""
    listed = function.operation.attributes.get("res_attrs", ())
    nothing: Mapping[str, Attribute] = {}
    found = [
        each.entries if isinstance(each, DictAttribute) else nothing
        for each in (listed if isinstance(listed, tuple) else ())
    ]
    return found + [nothing] * (len(function.result_types) - len(found))


def _attribute(program: Program, name: str, function: Function, position: int) -> str | None:
    attribute = function.argument_attributes[position].get(ATTRIBUTE)
    if attribute is not None and (not isinstance(attribute, str) or not attribute):
        message = f"{ATTRIBUTE} on argument {position} of {name} wants the name of an attribute as a string"
        raise error_at(program, function.location, message)
    return attribute


def _is_variadic(program: Program, name: str, function: Function, position: int) -> bool:
    stated = function.argument_attributes[position].get(VARIADIC, False)
    type = function.arguments[position].type
    if stated is not False and (stated is not True or not is_group(type)):
        message = (
            f"{VARIADIC} on argument {position} of {name} stands alone, on a tensor of any length that takes numbers: "
            f"tensor<?xindex> {{{VARIADIC}}}; for any number of shapes there is {FOLD}"
        )
        raise error_at(program, function.location, message)
    return stated is not False


def _check_no_operand(program: Program, name: str, function: Function, position: int) -> None:
    given = function.argument_attributes[position]
    for other in (VARIADIC, ELEMENT, *((ATTRIBUTE,) if YIELDS in given else ())):
        if other in given:
            message = f"{other} on argument {position} of {name} says nothing, because the argument takes no operand"
            raise error_at(program, function.location, message)


def _bounded(
    program: Program, name: str, function: Function, position: int, given: Mapping[str, Attribute]
) -> tuple[int, ...]:
    if AT_MOST not in given:
        return ()
    stated = given[AT_MOST]
    indices = stated if isinstance(stated, tuple) else ()
    numbers = [each for each in indices if isinstance(each, int) and not isinstance(each, bool) and each >= 0]
    type = function.result_types[position]
    is_number = str(type) == SIZE_TYPE or (isinstance(type, ScalarType) and not type.is_boolean)
    is_list = bool(numbers) and len(numbers) == len(indices) and describes_shape(type)
    if not is_list and not (stated is True and (is_number or describes_shape(type))):
        message = (
            f"{AT_MOST} on result {position} of {name} stands alone or lists extents of a shape: {AT_MOST} = [0]; a "
            "number has no extents"
        )
        raise error_at(program, function.location, message)
    return tuple(numbers) or (EVERY_EXTENT,)


def _rule(
    program: Program, name: str, function: Function, owner: str, given: Mapping[str, Attribute], operands: Sequence[int]
) -> ElementRule:
    stated = given.get(ELEMENT)
    if stated is None:
        return None
    if isinstance(stated, ScalarType):
        return stated
    if isinstance(stated, int) and not isinstance(stated, bool) and stated in operands:
        return stated
    message = f"{ELEMENT} on {owner} of {name} wants an element type, or the number of the operand that has it"
    raise error_at(program, function.location, message)


def _check_fold(
    program: Program, name: str, function: Function, groups: OperandGroups, operands: Sequence[int]
) -> None:
    types = [function.arguments[position].type for position in operands[-2:]]
    is_simple = not any(groups.variadic) and not any(YIELDS in given for given in function.argument_attributes)
    is_fitting = len(types) == 2 and len(function.result_types) == 1 and is_simple
    if not is_fitting or not all(str(type) in SHAPE_TYPES for type in (*types, *function.result_types)):
        message = f"{FOLD} on {name} wants a function whose last two operands are shapes and which returns one shape"
        raise error_at(program, function.location, message)


def _element(type: Type) -> Type:
    return type.element if isinstance(type, ShapedType) else type
