"""Options of ``shapesolve hunt``."""

from __future__ import annotations

import argparse

from shapesolve.cli.option_values import jobs_number, seconds, seed_number, whole
from shapesolve.cli.parser import add_json
from shapesolve.cli.shared_options import add_no_execution, add_printing, add_shapes_only
from shapesolve.cli.validate_options import add_pass_seconds, add_reduce_seconds
from shapesolve.solver.limits import DEFAULT_BUDGET

HUNT_WORDS = "search for programs on which passes go wrong, generated or given, sorted by cause"
SECONDS = 60.0
REDUCE_SECONDS = 30.0
MOST_PROGRAMS = 10**9

_EPILOG = """\
examples:
  shapesolve hunt --passes canonicalize,cse --seconds 60
  shapesolve hunt models/ --passes 'linalg-fold-unit-extent-dims' --save found
  shapesolve hunt --resume found --seconds 600

Every pass is given the program itself, in a process of its own, and its output
is compared with the program, as `validate` does. The same seed gives the same
programs. After Ctrl-C, what is done is reported and kept.

exit codes:
  0  every output refines its program, in all that was compared
  1  a pass does not refine a program, crashes, takes too long, or returns what
     MLIR's verifier rejects
  2  usage, input or tool error
  3  no pass is at fault, but some pass gave up, or its output was not compared
     or undecided
"""


def add_hunt(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``hunt``."""
    parser.epilog = _EPILOG
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="programs to try first: MLIR as text, or a directory of such files; `// -----` separates modules",
    )
    parser.add_argument(
        "--passes",
        "-p",
        metavar="PASSES",
        help="the passes to try, with commas, by name or as in a pipeline: 'canonicalize,func.func(tosa-infer-shapes)' "
        "(default: the passes that change tensors, shapes, buffers or control flow)",
    )
    parser.add_argument(
        "--tool",
        metavar="PROGRAM",
        help="run the passes with this program, which takes the options of mlir-opt (default: the MLIR that is "
        "installed with shapesolve). It is not sandboxed",
    )
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=seconds,
        default=SECONDS,
        help=f"stop after so many seconds (default: {SECONDS:g})",
    )
    parser.add_argument(
        "--programs", metavar="N", type=_count, help="stop after so many more programs (default: no limit)"
    )
    parser.add_argument("--seed", metavar="N", type=seed_number, help="seed of the generated programs (default: 0)")
    parser.add_argument("--no-generate", dest="generate", action="store_false", help="try the files only")
    parser.add_argument(
        "--save",
        metavar="DIR",
        help="write into DIR a page (report.md), the record (hunt.json) and a folder for each cause: its program, the "
        "output, the pass, and a command that shows it",
    )
    parser.add_argument(
        "--resume", metavar="DIR", help="continue the hunt that --save DIR keeps, with its passes, files and seed"
    )
    add_pass_seconds(parser)
    add_reduce_seconds(parser, REDUCE_SECONDS)
    parser.add_argument(
        "--min-size", metavar="N", type=_count, default=0, help="the smallest size to consider (default: 0)"
    )
    parser.add_argument(
        "--budget", metavar="N", type=_count, default=DEFAULT_BUDGET, help="solver steps for one question"
    )
    add_shapes_only(parser, "compare sizes and checks only")
    add_no_execution(parser)
    parser.add_argument(
        "--jobs", "-j", metavar="N", type=jobs_number, default=1, help="programs at a time (default: 1)"
    )
    add_json(parser, words="print the record as JSON")
    add_printing(parser, "print the program and the evidence of each cause")


def _count(text: str) -> int:
    return whole(text, 0, MOST_PROGRAMS)
