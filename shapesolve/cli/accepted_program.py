"""Programs of commands that only read: functions that MLIR refuses are reported, and the others are answered."""

from __future__ import annotations

from dataclasses import replace

from shapesolve.cli.environment import error_text, print_error
from shapesolve.cli.supervisor import UNUSABLE
from shapesolve.frontends.levels import LEVELS
from shapesolve.frontends.open import open_program
from shapesolve.ir.program import Program
from shapesolve.ir.reader import AcceptedFunctions, RefusedText, accepted_or_none
from shapesolve.options import Options
from shapesolve.preconditions.functions import chosen, is_private
from shapesolve.preconditions.stated_contracts import add_contracts
from shapesolve.records import value_record


@value_record
class AcceptedProgram:
    """A program without the functions that MLIR refuses.

    Attributes:
        program: The program.
        options: The options, which choose among the functions that can be answered.
    """

    program: Program
    options: Options


def exit_code_for(program: Program, code: int) -> int:
    """Return the exit code of a command with this code for the functions that are not left out of a program."""
    return UNUSABLE if program.refused else code


def open_accepted(source: str, options: Options, level: str = LEVELS[0], *, writes: bool = False) -> AcceptedProgram:
    """Return the program of a source with the functions that MLIR accepts; print the errors of the others.

    A program that is written again must be whole, so nothing is left out of it.

    Args:
        source: A file of MLIR or of a model.
        options: How to read it.
        level: The level of a model if the options name none.
        writes: Whether the program is written again.

    Raises:
        InputError: The source cannot be read, or none of its functions.
    """
    try:
        return AcceptedProgram(open_program(source, options, level), options)
    except RefusedText as refused:
        found = None if writes else accepted_or_none(refused)
        if found is None or found.program is None:
            raise
        accepted = only_entries(found, options)
        if accepted is None:
            raise
        for each in found.refusals:
            print_error(error_text(each))
        return accepted


def only_entries(accepted: AcceptedFunctions, options: Options) -> AcceptedProgram | None:
    """Return a program with the choice of its functions that can be answered; None if there are none.

    A private function that refused code calls may be called with fewer arguments than any.

    Raises:
        InputError: The options name a function that is not accepted.
    """
    assert accepted.program is not None, "some function is accepted"
    program = add_contracts(accepted.program, options.contracts)
    entries = chosen(program, options.functions)
    apart = [each.name for each in entries if is_private(each) and each.name.rpartition("@")[2] in accepted.named]
    names = tuple(each.name for each in entries if each.name not in apart)
    if not names:
        return None
    notes = tuple(f"@{each} is not checked: a function that MLIR refuses names it" for each in apart)
    program = replace(program, notes=(*program.notes, *notes))
    return AcceptedProgram(program, replace(options, functions=names))
