"""Regions of an operation that a shape function describes: how often they run, on which values, and what they yield."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.domain.fresh_variables import variables_of
from shapesolve.domain.values import Abstract
from shapesolve.ir.control_flow import used_before_definition
from shapesolve.ir.own_attributes import REGIONS, YIELDS
from shapesolve.ir.program import Attribute, DictAttribute, Function, Operation, Program, Region, Value
from shapesolve.records import value_record
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.op_semantics import Approximations, Yields
from shapesolve.semantics.regions import AtMostOnce, GenericIteration, Pass
from shapesolve.shape_functions.locations import error_at

ONCE, ANY = "once", "any"
UNKNOWN = -1


@value_record
class RegionStatement:
    """A statement about one region.

    Attributes:
        is_once: Whether the region runs exactly once; else it runs any number of times.
        arguments: For each argument of its block, the number of the operand that it is, or `UNKNOWN`; None if unstated.
    """

    is_once: bool = False
    arguments: tuple[int, ...] | None = None


def region_statements(program: Program, name: str, function: Function) -> tuple[RegionStatement, ...]:
    """Return what a shape function states of each region, or nothing if it states nothing.

    Raises:
        InputError: if the attribute has another form.
    """
    stated = function.operation.attributes.get(REGIONS, ())
    found = [_statement(each) for each in stated] if isinstance(stated, tuple) else [None]
    statements = tuple(each for each in found if each is not None)
    if len(statements) != len(found) or (REGIONS in function.operation.attributes and not found):
        message = (
            f'{REGIONS} on {name} lists for each region how often it runs, "{ONCE}" or "{ANY}", and which operands '
            f'the arguments of its block are, {UNKNOWN} for others: [{{runs = "{ONCE}", arguments = [0]}}]'
        )
        raise error_at(program, function.location, message)
    return statements


def _statement(stated: Attribute) -> RegionStatement | None:
    if not isinstance(stated, DictAttribute) or not stated.entries.keys() <= {"runs", "arguments"}:
        return None
    runs = stated.entries.get("runs", ANY)
    arguments = _integers(stated.entries["arguments"]) if "arguments" in stated.entries else None
    if runs not in (ONCE, ANY) or ("arguments" in stated.entries and arguments is None):
        return None
    return RegionStatement(runs == ONCE, arguments)


def _integers(stated: Attribute) -> tuple[int, ...] | None:
    listed = stated if isinstance(stated, tuple) else (stated,)
    numbers = tuple(each for each in listed if isinstance(each, int) and not isinstance(each, bool) and each >= UNKNOWN)
    return numbers if len(numbers) == len(listed) else None


def yielded_value(
    program: Program, name: str, function: Function, position: int, regions: Sequence[RegionStatement]
) -> tuple[int, int] | None:
    """Return the region and the position of the yielded value that an argument takes, or None if it takes none.

    Raises:
        InputError: if there is no such region, or it is not stated to run once.
    """
    given = function.argument_attributes[position]
    if YIELDS not in given:
        return None
    numbers = _integers(given[YIELDS]) or ()
    region, index = (*numbers, 0)[:2] if numbers else (UNKNOWN, 0)
    if len(numbers) > 2 or min(region, index) < 0:
        message = f"{YIELDS} on argument {position} of {name} wants the number of a region, or [region, value]"
        raise error_at(program, function.location, message)
    if region >= len(regions) or not regions[region].is_once:
        message = (
            f"{YIELDS} on argument {position} of {name} wants a region that runs once, as {REGIONS} states: what one "
            "of any number of runs yields is not the same in all of them"
        )
        raise error_at(program, function.location, message)
    return region, index


def misfit(name: str, statements: Sequence[RegionStatement], op: Operation) -> str | None:
    """Return the reason for which the statements of a shape function do not describe an operation's regions."""
    if statements and len(statements) != len(op.regions):
        return f"{op.name} has {len(op.regions)} regions here, and @{name} speaks of {len(statements)}"
    for number, (statement, region) in enumerate(zip(statements, op.regions, strict=False)):
        if statement.arguments is None:
            continue
        wanted = region.blocks[0].arguments if region.blocks else ()
        if len(statement.arguments) != len(wanted):
            return (
                f"region {number} of {op.name} has {len(wanted)} arguments here, and @{name} gives it "
                f"{len(statement.arguments)}"
            )
        for argument, operand in zip(wanted, statement.arguments, strict=True):
            if operand == UNKNOWN:
                continue
            if operand >= len(op.operands) or str(op.operands[operand].type) != str(argument.type):
                return f"argument {argument.name} of region {number} of {op.name} cannot be operand {operand}"
    return None


def yielded_operands(region: Region, index: int) -> list[Value] | None:
    """Return the values of that index that the terminators of a region yield; None if one yields fewer."""
    ends = [block.operations[-1] for block in region.blocks if block.operations and not block.operations[-1].successors]
    if not ends or any(len(end.operands) <= index for end in ends):
        return None
    return [end.operands[index] for end in ends]


def region_runs(
    name: str, statements: Sequence[RegionStatement], op: Operation, ctx: RuleContext
) -> tuple[tuple[Pass, ...], Approximations]:
    """Return the region executions of an operation, and what of their arguments is not known.

    Raises:
        UnknownValueError: The order in which a region runs is unknown: it uses values before they are defined.
    """
    runs: list[Pass] = []
    unknown: dict[str, Abstract] = {}
    for number, region in enumerate(op.regions):
        if used_before_definition(region.blocks):
            raise UnknownValueError(f"the order of the operations in region {number} of {op.name} is not known")
        statement = statements[number] if statements else RegionStatement()
        arguments = region.blocks[0].arguments if region.blocks else ()
        operands = statement.arguments or (UNKNOWN,) * len(arguments)
        values: list[Abstract] = []
        for argument, operand in zip(arguments, operands, strict=True):
            values.append(ctx.unknown(argument) if operand == UNKNOWN else ctx.value(op.operands[operand]))
            if operand == UNKNOWN:
                unknown[argument.name] = values[-1]
        if statement.is_once:
            runs.append(AtMostOnce(region=region, arguments=tuple(values)))
        else:
            why = f"how often {op.name} runs its region is not known"
            runs.append(GenericIteration(region=region, arguments=tuple(values), approximate=why))
    variables = frozenset(variable for each in unknown.values() for variable in variables_of(each))
    if not variables:
        return tuple(runs), Approximations()
    names = ", ".join(each for each, value in unknown.items() if variables_of(value))
    return tuple(runs), Approximations((f"@{name} does not say what {names} in a region of {op.name} is",), variables)


def yielded(yields: Yields, region: int, index: int) -> Abstract:
    """Return a value that a region yielded.

    Raises:
        UnknownValueError: It is not known.
    """
    values = yields[region]
    if values is None or len(values) <= index:
        raise UnknownValueError(f"what region {region} yields is not known")
    return values[index]
