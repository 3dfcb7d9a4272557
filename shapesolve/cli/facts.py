"""``shapesolve facts FILE``: the stated facts about sizes of a program or its exporter, as an editable file."""

from __future__ import annotations

import argparse
import sys

from shapesolve.checker.entry_assertions import with_entry_assertions
from shapesolve.cli.accepted_program import exit_code_for, open_accepted
from shapesolve.cli.output_files import STDOUT, check_target, write
from shapesolve.errors import InputError
from shapesolve.interpreter.inputs import make_inputs
from shapesolve.options import Options
from shapesolve.preconditions.attributes import stated_in
from shapesolve.preconditions.fact_files import facts_template, facts_text
from shapesolve.preconditions.functions import entry_points


def run(arguments: argparse.Namespace) -> int:
    """Print the facts, or write them into a file."""
    output: str = arguments.output
    if output != STDOUT:
        check_target(output, "-o", inputs=(arguments.file,), force=arguments.force)
    options = Options(level=arguments.level, decompose=arguments.decompose)
    opened = open_accepted(arguments.file, options)
    program = opened.program
    program = with_entry_assertions(program, options)
    for note in program.notes:
        print(f"note: {note}", file=sys.stderr)
    for function in entry_points(program):
        make_inputs(function, asserted=program.asserted.get(function))  # raises where --facts would refuse the file
    text = facts_text([(function, stated_in(program, function)) for function in entry_points(program)])
    if not text:
        text = facts_template(entry_points(program), program.file)
        if not text:
            words = "nothing is stated of the sizes of any argument, and none is open"
            raise InputError(words, where=program.file)
        print("note: the program states nothing of sizes: this is a template", file=sys.stderr)
    write(output, text, "-o")
    return exit_code_for(opened.program, 0)
