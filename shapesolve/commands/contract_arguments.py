"""What ``contract`` can be told."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from shapesolve.commands.model_arguments import FILE_HELP
from shapesolve.commands.parser import add_color

CONTRACT_WORDS = "for which sizes each function is safe: the fewest and shortest conditions, verified"

CONTRACT_EXIT_CODES = """\
exit codes:
  0  every contract is exact: a function is safe where its conditions hold, and nowhere else
  1  some function is safe for no sizes at all
  2  wrong usage, unusable input, or an error of the tool
  3  something is open: whether the conditions are enough, or whether all of them are needed
"""


def add_contract(parser: argparse.ArgumentParser, add_options: Callable[[argparse.ArgumentParser], None]) -> None:
    """The arguments of the sub-command. ``add_options`` adds those that say what is checked, common to all."""
    parser.epilog = CONTRACT_EXIT_CODES
    parser.add_argument("file", metavar="FILE", help=FILE_HELP)
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="write the program with the conditions as shapesolve.assume attributes; - is standard output",
    )
    parser.add_argument("--force", action="store_true", help="replace OUT where it exists (never the input)")
    add_options(parser)
    parser.add_argument(
        "--as",
        dest="form",
        choices=("text", "assume", "torch", "jax"),
        default="text",
        help="print something else instead: assume: arguments for the other commands, one line a function; torch: Dims "
        "for torch.export; jax: shapes and constraints for jax.export, which take every size for at least 1",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--verbose", "-v", action="store_true", help="leave nothing out")
    add_color(parser)
