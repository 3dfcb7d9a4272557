"""Options of ``shapesolve validate``."""

from __future__ import annotations

import argparse

from shapesolve.cli.option_values import seconds
from shapesolve.cli.parser import add_json
from shapesolve.cli.shared_options import add_execution, add_options, add_printing, add_shapes_only

VALIDATE_WORDS = "prove or refute that each pass of a pipeline keeps a program's sizes, checks and undefined behavior"
PASS_SECONDS = 60.0
REDUCE_SECONDS = 60.0

_EPILOG = """\
example:
  shapesolve validate model.mlir --pipeline 'builtin.module(func.func(canonicalize),cse)'

Elements of tensors are the same where input and output compute them alike, or
where the same scalar functions of the same elements of the arguments stand at
every index. Elsewhere they, and what buffers hold, are not compared, and the
headline says so.

exit codes:
  0  every pass refines its input (with --shapes-only, in sizes and checks)
  1  a pass does not refine its input, crashes, takes too long, or returns what
     MLIR's verifier rejects
  2  usage, input or tool error
  3  no pass is at fault, but some pass gave up, or its output is undecided or
     was not compared in full
With several files: 2 if any could not be used, else 1, else 3, else 0.
"""


def add_validate(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``validate``."""
    parser.epilog = _EPILOG
    parser.add_argument("files", metavar="FILE", nargs="+", help="MLIR as text or bytecode (- is standard input)")
    parser.add_argument(
        "--pipeline",
        "-p",
        metavar="PASSES",
        required=True,
        help="the passes, as mlir-opt --pass-pipeline takes them: 'builtin.module(canonicalize,cse)'",
    )
    parser.add_argument(
        "--tool",
        metavar="PROGRAM",
        help="run the passes with this program, which takes the options of mlir-opt; it may have options of its "
        "own: 'mlir-opt-19 --allow-unregistered-dialect' (default: the MLIR that is installed with shapesolve). "
        "It is not sandboxed",
    )
    parser.add_argument(
        "--end-to-end", action="store_true", help="compare only the input of the first pass with the output of the last"
    )
    add_pass_seconds(parser)
    parser.add_argument(
        "--allow-lost-checks",
        action="store_true",
        help="where a check of a pass's input fails, its output may do anything",
    )
    add_shapes_only(parser)
    parser.add_argument(
        "--save",
        metavar="DIR",
        help="for each pass at fault, write into a folder in DIR the program before it, that program made small while "
        "the pass still goes wrong in the same way, its output, and a command that shows it",
    )
    add_reduce_seconds(parser, REDUCE_SECONDS)
    add_options(parser)
    add_execution(parser)
    add_json(parser, words="print the report as JSON")
    parser.add_argument(
        "--sarif", metavar="PATH", help="write the passes at fault, and the undecided ones, as SARIF 2.1.0"
    )
    parser.add_argument("--force", action="store_true", help="replace the file that --sarif names if it exists")
    add_printing(parser)


def add_pass_seconds(parser: argparse.ArgumentParser) -> None:
    """Add the limit of one pass."""
    parser.add_argument(
        "--pass-seconds",
        metavar="SECONDS",
        type=seconds,
        default=PASS_SECONDS,
        help=f"a pass that takes longer is a finding (default: {PASS_SECONDS:g})",
    )


def add_reduce_seconds(parser: argparse.ArgumentParser, default: float) -> None:
    """Add the limit of one reduction."""
    parser.add_argument(
        "--reduce-seconds",
        metavar="SECONDS",
        type=seconds,
        default=default,
        help=f"time for making one program small (default: {default:g})",
    )
