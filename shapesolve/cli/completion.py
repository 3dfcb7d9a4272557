"""``shapesolve completion``: a script by which a shell completes commands, options, values and files."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from shapesolve import __version__
from shapesolve.cli.arguments import make_parser
from shapesolve.cli.command_tree import arguments_of, commands
from shapesolve.errors import InputError

FILES = ("FILE", "FILE.py", "FILE.toml", "FILE:LINE[:COL]", "FILE[:LINE[:COL]]", "OUT", "PATH", "SOURCE", "TARGET")
FOLDERS = ("DIR",)


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    try:
        shtab = import_module("shtab")
    except ModuleNotFoundError as error:
        raise InputError(
            f'{error.name} is not installed: pip install "shapesolve[completion]"', where="completion"
        ) from None
    parser = make_parser(__version__)
    for each in (parser, *commands(parser).values()):
        for argument in arguments_of(each):
            if argument.metavar in (*FILES, *FOLDERS):
                # shtab reads this attribute of an action.
                vars(argument)["complete"] = shtab.FILE if argument.metavar in FILES else shtab.DIRECTORY
    sys.stdout.write(f"{shtab.complete(parser, arguments.shell).rstrip()}\n")
    return 0
