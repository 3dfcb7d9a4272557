"""``shapesolve lower FILE``: the program that reports on a model refer to, as text."""

from __future__ import annotations

import argparse

from shapesolve.cli.output_files import STDOUT, check_target, write
from shapesolve.errors import InputError
from shapesolve.frontends.levels import OWN
from shapesolve.frontends.open import open_program
from shapesolve.options import Options


def run(arguments: argparse.Namespace) -> int:
    """Print the program, or write it into a file."""
    output: str = arguments.output
    if output != STDOUT:
        check_target(output, "-o", inputs=(arguments.file,), force=arguments.force)
    program = open_program(arguments.file, Options(level=arguments.level, decompose=arguments.decompose), OWN)
    if not program.model or program.text is None:
        raise InputError("this is no model of PyTorch, JAX or ONNX: there is nothing to export", where=arguments.file)
    write(output, program.text, "-o")
    return 0
