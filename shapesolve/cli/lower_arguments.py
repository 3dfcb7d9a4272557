"""Arguments of ``lower``."""

from __future__ import annotations

import argparse

from shapesolve.cli.options import FILE_HELP, add_level

LOWER_WORDS = "the program that reports on a model speak of, as MLIR"


def add_lower(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``shapesolve lower``."""
    parser.epilog = """\
exit codes:
  0  the program is written
  2  wrong usage, a file that is no model, a model that cannot be exported, or an error of the tool
"""
    parser.add_argument("file", metavar="FILE", help=FILE_HELP)
    parser.add_argument("-o", "--output", metavar="OUT", default="-", help="where to write (default: standard output)")
    parser.add_argument("--force", action="store_true", help="replace OUT where it exists (never the input)")
    add_level(parser)
