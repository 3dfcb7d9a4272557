"""The command line of ``shapesolve verify`` and ``shapesolve theorems``."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from shapesolve.commands.model_arguments import add_facts_files
from shapesolve.commands.parser import add_color


def seconds(text: str) -> float:
    """A time limit from a command line. Raises ArgumentTypeError."""
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"`{text[:40]}` is not a number of seconds") from None
    if not 0 < number <= 10**6:
        raise argparse.ArgumentTypeError(f"{text[:40]} is not more than 0 and at most {10**6:,}")
    return number


VERIFY_EXIT_CODES = """\
exit codes:
  0  every operation with the trait is accepted
  1  some operation is rejected
  2  wrong usage, unusable input, or an error of the tool
  3  none is rejected, but the profile does not say, or how an accepted one fares could not be decided, or no
     operation carries the trait, so that nothing was checked
"""

THEOREMS_EXIT_CODES = """\
exit codes:
  0  every theorem came out as expected
  1  some theorem did not
  2  wrong usage, or an error of the tool
"""


def add_verify(parser: argparse.ArgumentParser, add_size_options: Callable[[argparse._ArgumentGroup], None]) -> None:  # pyright: ignore[reportPrivateUsage] (has no other name)
    """The arguments of ``verify``. ``add_size_options`` adds what can be said of sizes, common to all commands."""
    parser.epilog = VERIFY_EXIT_CODES
    parser.add_argument("file", metavar="FILE", help="MLIR as text, even where a verifier rejects it, or bytecode")
    parser.add_argument(
        "--profile",
        metavar="P",
        default="mlir-22",
        help="page-2023, page-today, mlir-16, mlir-19 or mlir-22 (the default; mlir-24 is the same)",
    )
    parser.add_argument(
        "--carrier",
        metavar="OP",
        action="append",
        default=[],
        help="an operation that carries the trait, beside test.broadcastable and TOSA's (repeatable)",
    )
    group = parser.add_argument_group("what is known of the sizes")
    add_size_options(group)
    add_facts_files(group)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--timeout", metavar="SECONDS", type=seconds, help="give up after so many seconds")
    add_color(parser)


def add_theorems(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``theorems``."""
    parser.epilog = THEOREMS_EXIT_CODES
    parser.add_argument("name", metavar="NAME", nargs="?", help="one theorem (default: all)")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--markdown", action="store_true", help="print the page of the documentation")
    add_color(parser)


VERIFY_WORDS = "what the Broadcastable trait's verifier says of each operation, and what that means"

THEOREMS_WORDS = "statements about the specification, each proved for all sizes or refuted"
