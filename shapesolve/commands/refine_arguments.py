"""What ``shapesolve refine`` can be told."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from shapesolve.commands.parser import add_color

REFINE_WORDS = "whether sizes, checks, integers and effects of one program are those of another, for all sizes"
EXIT_CODES = """\
Elements and what buffers hold count as the same where both programs compute
them alike. Elsewhere they are not compared, and the verdict says so: "sizes
and checks refine; contents not compared".

exit codes:
  0  proved, of all that the verdict does not name as not compared; or
     unreachable: no arguments are as is assumed of them
  1  refuted
  2  usage, input or tool error
  3  undecided, as where one program has an effect that the other is not
     known to have
"""


def add_refine(parser: argparse.ArgumentParser, add_options: Callable[[argparse.ArgumentParser], None]) -> None:
    """The arguments of the sub-command. ``add_options`` adds those that say what is compared, common to all."""
    parser.epilog = EXIT_CODES
    parser.add_argument("source", metavar="SOURCE", help="the program that says what should happen")
    parser.add_argument("target", metavar="TARGET", help="the program that should do the same; - is standard input")
    parser.add_argument(
        "--allow-lost-checks",
        action="store_true",
        help="where a check of the source fails, let the target do anything",
    )
    add_options(parser)
    parser.add_argument(
        "--no-execute", dest="execute", action="store_false", help="do not run the counterexamples for real"
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("--verbose", "-v", action="store_true", help="leave nothing out")
    add_color(parser)
