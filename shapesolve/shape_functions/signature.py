"""Signature attributes of a shape function: attributes as arguments, bounds, folds, element types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shapesolve.ir.own_attributes import AT_MOST, ATTRIBUTE, ELEMENT, FOLD
from shapesolve.ir.program import Attribute, DictAttribute, Function, Operation, Program, ScalarType, ShapedType, Type
from shapesolve.records import record
from shapesolve.semantics.op_semantics import Claim
from shapesolve.shape_functions.argument_passing import SHAPE, VALUE_SHAPE, gives_shape
from shapesolve.shape_functions.locations import error_at
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
        bounded: For each result, the indices of the extents of which the function gives an upper bound only.
        folds: Whether the function describes two operands, and an operation of more by being applied again.
        operand_elements: The element type that each operand must have.
        result_elements: The element type that each result has.
    """

    attributes: tuple[str | None, ...]
    bounded: tuple[tuple[int, ...], ...]
    folds: bool
    operand_elements: tuple[ElementRule, ...]
    result_elements: tuple[ElementRule, ...]

    def element_claims(self, op: Operation) -> list[Claim]:
        """Return what the element types of an operation's operands and results must be, as a verifier would say it."""
        rules = list(zip(self.operand_elements, op.operands, strict=False))
        if self.folds:
            rules = [(self.operand_elements[min(number, 1)], each) for number, each in enumerate(op.operands)]
        claims: list[Claim] = []
        for clause, owner, values in (
            ("E1", "operand", rules),
            ("E2", "result", list(zip(self.result_elements, op.results, strict=True))),
        ):
            for number, (rule, value) in enumerate(values):
                if rule is None:
                    continue
                wanted = _element(op.operands[rule].type) if isinstance(rule, int) else rule
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
    operands = [
        (position, given)
        for position, (given, taken) in enumerate(zip(function.argument_attributes, attributes, strict=True))
        if taken is None
    ]
    stated = _of_results(function)
    folds = function.operation.attributes.get(FOLD, False) is not False
    if folds:
        _check_fold(program, name, function, [position for position, _ in operands])
    return Signature(
        tuple(attributes),
        tuple(_bounded(program, name, function, position, given) for position, given in enumerate(stated)),
        folds,
        tuple(_rule(program, name, function, f"argument {at}", given, len(operands)) for at, given in operands),
        tuple(_rule(program, name, function, f"result {at}", given, len(operands)) for at, given in enumerate(stated)),
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


def _bounded(
    program: Program, name: str, function: Function, position: int, given: Mapping[str, Attribute]
) -> tuple[int, ...]:
    if AT_MOST not in given:
        return ()
    stated = given[AT_MOST]
    indices = stated if isinstance(stated, tuple) else ()
    numbers = [each for each in indices if isinstance(each, int) and not isinstance(each, bool) and each >= 0]
    if not gives_shape(function.result_types[position]) or (
        stated is not True and (not numbers or len(numbers) != len(indices))
    ):
        message = f"{AT_MOST} on result {position} of {name} stands alone or lists extents of a shape: {AT_MOST} = [0]"
        raise error_at(program, function.location, message)
    return tuple(numbers) or (EVERY_EXTENT,)


def _rule(
    program: Program, name: str, function: Function, owner: str, given: Mapping[str, Attribute], operands: int
) -> ElementRule:
    stated = given.get(ELEMENT)
    if stated is None:
        return None
    if isinstance(stated, ScalarType):
        return stated
    if isinstance(stated, int) and not isinstance(stated, bool) and 0 <= stated < operands:
        return stated
    message = f"{ELEMENT} on {owner} of {name} wants an element type, or the number of the operand that has it"
    raise error_at(program, function.location, message)


def _check_fold(program: Program, name: str, function: Function, operands: Sequence[int]) -> None:
    types = [function.arguments[position].type for position in operands]
    is_fitting = len(types) == 2 and len(function.result_types) == 1
    if not is_fitting or not all(str(type) in (SHAPE, VALUE_SHAPE) for type in (*types, *function.result_types)):
        message = f"{FOLD} on {name} wants a function of two shapes (and attributes) that returns one shape"
        raise error_at(program, function.location, message)


def _element(type: Type) -> Type:
    return type.element if isinstance(type, ShapedType) else type
