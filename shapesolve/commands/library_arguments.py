"""The command line of shape functions: ``--library`` and ``--rules`` everywhere, and ``shapesolve shape-of``."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from shapesolve.commands.model_arguments import FILE_HELP
from shapesolve.commands.parser import add_color

SHAPE_OF_EXIT_CODES = """\
exit codes:
  0  the shapes were inferred
  2  wrong usage, unusable input, or an error of the tool
"""

SHAPE_OF_WORDS = "the symbolic shape of every value, and the program with the types that follow from it"


def add_library_options(group: argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage] (has no other name)
    """What gives meaning to operations without a rule."""
    group.add_argument(
        "--library",
        metavar="FILE",
        action="append",
        default=[],
        help="MLIR with a shape.function_library for operations that have no rule (repeatable); those that the file "
        "itself lists in shape.lib are used anyway",
    )
    group.add_argument(
        "--rules",
        metavar="FILE.py",
        action="append",
        default=[],
        help="Python with rules for operations that have none (repeatable). It is run: any code in it is. To install "
        "rules for good, make them an entry point of the group shapesolve.rules",
    )
    group.add_argument(
        "--carrier",
        metavar="OP[=TRAIT]",
        action="append",
        default=[],
        help="an operation without a rule carries a trait: Broadcastable (the default), SameOperandsAndResultShape, "
        "SameOperandsShape, Elementwise or as-operand-N (repeatable); it is believed, and listed as assumed",
    )


def add_shape_of(parser: argparse.ArgumentParser, add_options: Callable[[argparse.ArgumentParser], None]) -> None:
    """The arguments of ``shape-of``. ``add_options`` adds those that say what is checked, common to all."""
    parser.epilog = SHAPE_OF_EXIT_CODES
    parser.add_argument("file", metavar="FILE", help=FILE_HELP)
    parser.add_argument("value", metavar="VALUE", nargs="?", help="only the values of this name, such as %%0")
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="write the program with refined types; - is standard output"
    )
    parser.add_argument("--force", action="store_true", help="replace OUT where it exists (never the input)")
    parser.add_argument(
        "--signatures",
        action="store_true",
        help="refine what functions take and return, too, unless something calls them",
    )
    parser.add_argument(
        "--trust-ub", action="store_true", help="believe that operations before a value had no undefined behaviour"
    )
    add_options(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--verbose", "-v", action="store_true", help="why each number is known")
    add_color(parser)
