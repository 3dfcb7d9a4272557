"""What ``prune`` can be told."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from shapesolve.commands.model_arguments import FILE_HELP
from shapesolve.errors import InputError

PRUNE_WORDS = "the same program without the runtime checks that are proved"

PRUNE_EXIT_CODES = """\
exit codes:
  0  no check stays that can fail, besides those that were put in
  1  a check that stays can fail
  2  wrong usage, unusable input, or an error of the tool; nothing is written
  3  no check that stays is known to fail, but one is undecided, or something may still be undefined
"""

STYLES = ("cf", "shape", "stablehlo")


def add_prune(parser: argparse.ArgumentParser, add_options: Callable[[argparse.ArgumentParser], None]) -> None:
    """The arguments of the sub-command but those of printing. ``add_options`` adds those that say what is checked."""
    parser.epilog = PRUNE_EXIT_CODES
    parser.add_argument("file", metavar="FILE", help=FILE_HELP)
    parser.add_argument("-o", "--output", metavar="OUT", required=True, help="where to write; - is standard output")
    parser.add_argument("--force", action="store_true", help="replace OUT where it exists (never the input)")
    parser.add_argument(
        "--trust-ub", action="store_true", help="believe that operations before a check had no undefined behaviour"
    )
    parser.add_argument(
        "--at-entry",
        action="store_true",
        help="check what a function needs once, at its entry, undefined behaviour included: what would fail fails "
        "earlier, and every check goes that follows",
    )
    parser.add_argument(
        "--harden",
        action="store_true",
        help="put a check before each operation that may be undefined, as few as suffice, so that nothing can be",
    )
    parser.add_argument(
        "--fewest",
        action="store_true",
        help="let a check move up to earlier ones in its block that follow from it, which then go: a run that fails "
        "still fails, perhaps with another message",
    )
    parser.add_argument(
        "--as",
        dest="style",
        choices=STYLES,
        help="in which terms checks are put in: cf.assert (default), a stablehlo.custom_call @shape_assertion, or, at "
        "the entry, shape.cstr_require with the body in a shape.assuming",
    )
    add_options(parser)
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")


def check_prune(arguments: argparse.Namespace) -> None:
    """Raises InputError for what cannot be asked for together."""
    if arguments.at_entry and arguments.harden:
        raise InputError("give one of --at-entry and --harden", where="--harden")
    if arguments.fewest and (arguments.at_entry or arguments.harden):
        raise InputError("it is about checks that are there: give it without --at-entry and --harden", where="--fewest")
    if not (arguments.at_entry or arguments.harden):
        if arguments.style is not None:
            raise InputError("it says how checks are put in: give --at-entry or --harden as well", where="--as")
        return
    if arguments.harden and arguments.style == "shape":
        raise InputError("a witness guards what stands inside of it: with --harden, give cf or stablehlo", where="--as")
    if arguments.trust_ub:
        raise InputError("what may be undefined is checked, so nothing is trusted", where="--trust-ub")
