"""What ``facts`` can be told."""

from __future__ import annotations

import argparse

from shapesolve.commands.model_arguments import FILE_HELP, add_level

FACTS_WORDS = "what a program or its exporter states of the sizes, as a file for --facts that a person can edit"


def add_facts(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``shapesolve facts``."""
    parser.epilog = """\
exit codes:
  0  the facts are printed
  2  wrong usage, unusable input, a program that states nothing of sizes, or an error of the tool
"""
    parser.add_argument("file", metavar="FILE", help=FILE_HELP)
    parser.add_argument("-o", "--output", metavar="OUT", default="-", help="where to write (default: standard output)")
    parser.add_argument("--force", action="store_true", help="replace OUT where it exists (never the input)")
    add_level(parser)
