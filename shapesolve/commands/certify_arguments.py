"""What ``certify`` can be told."""

from __future__ import annotations

import argparse
from pathlib import Path

from shapesolve.commands.parser import add_color

CERTIFY_WORDS = "let another solver confirm the proofs that check --certify wrote"
CERTIFY_HELP = "write every proof into DIR, as questions that shapesolve certify or any other SMT solver can answer"


def add_certify(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``shapesolve certify``."""
    parser.epilog = """\
exit codes:
  0  every proof is confirmed
  1  the solver disagrees: it found sizes where something proved is false
  2  wrong usage, unusable input, or no solver
  3  the solver left something open
"""
    parser.add_argument("directory", metavar="DIR", type=Path, help="what shapesolve check FILE --certify DIR wrote")
    parser.add_argument(
        "--timeout", metavar="SECONDS", type=_seconds, default=60.0, help="for each question (default: 60)"
    )
    parser.add_argument("--proofs", metavar="OUT", type=Path, help="keep cvc5's own proofs in the directory OUT")
    parser.add_argument(
        "--solver",
        metavar="PROGRAM",
        help="any program that answers an SMT-LIB file, instead of the cvc5 of the extra shapesolve[certify]",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--verbose", "-v", action="store_true", help="name what is confirmed, too")
    add_color(parser)


def _seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"`{text[:40]}` is not a number of seconds") from None
    if not 0 < number <= 86_400:
        raise argparse.ArgumentTypeError(f"{text[:40]} is not more than 0 and at most 86400 seconds")
    return number
