"""Options of the sub-commands."""

from __future__ import annotations

import argparse
from pathlib import Path

from shapesolve.cli.option_values import seconds
from shapesolve.cli.parser import add_color, add_json
from shapesolve.cli.shared_options import (
    FILE_HELP,
    SEARCH_HELP,
    SPLIT_HELP,
    add_facts_files,
    add_jobs,
    add_level,
    add_no_execution,
    add_options,
    add_printing,
    add_repeatable,
    add_search,
    add_shapes_only,
    add_size_options,
)
from shapesolve.errors import InputError

SHAPE_OF_EXIT_CODES = """\
example:
  shapesolve shape-of model.mlir

exit codes:
  0  the shapes were inferred
  1  every call of some function fails, or a result of it is an error in every call; not where VALUE is given
  2  wrong usage, unusable input, or an error of the tool
  3  no function has a body, or the assumptions of one admit no input
"""

SHAPE_OF_WORDS = "print the symbolic shape of every value, and write the program with the types that follow from it"


def add_shape_of(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``shape-of``."""
    parser.epilog = SHAPE_OF_EXIT_CODES
    parser.add_argument("file", metavar="FILE", help=FILE_HELP)
    parser.add_argument("value", metavar="VALUE", nargs="?", help="only the values of this name, such as %%0")
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="write the program with refined types; - is standard output"
    )
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists (never the input)")
    parser.add_argument(
        "--signatures",
        action="store_true",
        help="also refine the types of arguments and results of functions that are never called",
    )
    parser.add_argument(
        "--trust-ub", action="store_true", help="believe that operations before a value had no undefined behavior"
    )
    add_options(parser)
    add_json(parser)
    add_printing(parser, "also print why each number is known")


VERIFY_EXIT_CODES = """\
examples:
  shapesolve verify model.mlir
  shapesolve verify model.mlir --profile page-2023

exit codes:
  0  every operation with the trait is accepted
  1  some operation is rejected
  2  wrong usage, unusable input, or an error of the tool
  3  none is rejected, but the profile does not say, or what happens at run
     time is undecided, or no operation carries the trait, so that nothing was
     checked
"""

THEOREMS_EXIT_CODES = """\
exit codes:
  0  every theorem came out as expected
  1  some theorem did not
  2  wrong usage, or an error of the tool
"""


def add_verify(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``verify``."""
    parser.epilog = VERIFY_EXIT_CODES
    parser.add_argument("file", metavar="FILE", help="MLIR as text, even where a verifier rejects it, or bytecode")
    parser.add_argument(
        "--profile",
        metavar="P",
        default="mlir-22",
        help="page-2023, page-today, mlir-16, mlir-19 or mlir-22 (the default; mlir-24 is the same)",
    )
    add_repeatable(
        parser,
        "--carrier",
        metavar="OP",
        help="an operation that carries the trait, besides test.broadcastable and those of TOSA (repeatable)",
    )
    group = parser.add_argument_group("what is known of the sizes")
    add_size_options(group)
    add_facts_files(group)
    add_json(parser)
    parser.add_argument("--timeout", metavar="SECONDS", type=seconds, help="stop after so many seconds")
    add_color(parser)


def add_theorems(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``theorems``."""
    parser.epilog = THEOREMS_EXIT_CODES
    parser.add_argument("name", metavar="NAME", nargs="?", help="one theorem (default: all)")
    form = parser.add_mutually_exclusive_group()
    add_json(parser, form)
    form.add_argument("--markdown", action="store_true", help="print the page of the documentation")
    add_color(parser)


VERIFY_WORDS = (
    "print what a verifier of the Broadcastable trait says about each operation, and what happens at run time"
)

THEOREMS_WORDS = "print statements about the specification, each proved for all sizes or refuted"


PRUNE_WORDS = "write the program without the runtime checks that are proved to be redundant"


PRUNE_EXIT_CODES = """\
example:
  shapesolve prune model.mlir -o pruned.mlir

exit codes:
  0  the program is written
  2  wrong usage, unusable input, or an error of the tool; nothing is written for the input at fault
  3  the program is written, but no function has a body, or the assumptions of one admit no input
With --fail-on kept, where the program is written:
  0  no check of the input stays that can fail
  1  a check that stays can fail
  3  no check that stays is known to fail, but one is undecided, or something may still be undefined
With several files: 2 if any could not be pruned (the others are written all the same), else 1, else 3, else 0.
"""

STYLES = ("cf", "shape", "stablehlo")


def add_prune(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``prune``."""
    parser.epilog = PRUNE_EXIT_CODES
    parser.add_argument("files", metavar="FILE", nargs="+", help=f"{FILE_HELP}; {SEARCH_HELP}")
    target = parser.add_mutually_exclusive_group(required=True)
    target.add_argument(
        "-o", "--output", metavar="OUT", help="where to write: a file, a directory, or - for standard output"
    )
    target.add_argument(
        "--in-place",
        action="store_true",
        help="overwrite each file that changes; comments between operations are lost, as with mlir-opt",
    )
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists (never the input)")
    add_search(parser)
    parser.add_argument("--split-input-file", action="store_true", help=SPLIT_HELP)
    parser.add_argument(
        "--fail-on", choices=("kept",), help="kept: exit with 1 or 3 if a check stays that can fail or is undecided"
    )
    parser.add_argument(
        "--trust-ub", action="store_true", help="believe that operations before a check had no undefined behavior"
    )
    parser.add_argument(
        "--at-entry",
        action="store_true",
        help="insert checks of all that a function needs at its entry, also against undefined behavior, and "
        "remove the checks that follow from it: a run that would fail then fails at the entry",
    )
    parser.add_argument(
        "--harden", action="store_true", help="insert as few checks as suffice so that no operation can be undefined"
    )
    parser.add_argument(
        "--fewest",
        action="store_true",
        help="move a check up in its block to remove earlier checks that follow from it: a run that fails still "
        "fails, perhaps with another message",
    )
    parser.add_argument(
        "--as",
        dest="style",
        choices=STYLES,
        help="the operation of inserted checks: cf.assert (default), stablehlo.custom_call @shape_assertion, or, "
        "at the entry, shape.cstr_require with the body in a shape.assuming",
    )
    add_options(parser)
    add_json(parser, words="print the summary as JSON")
    add_jobs(parser, "number of files to prune at a time; the output is the same")
    add_printing(parser)


def check_prune(arguments: argparse.Namespace) -> None:
    """Raise InputError for options that exclude each other."""
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


CONTRACT_WORDS = "find for which sizes each function is safe: the fewest and shortest conditions, verified"

CONTRACT_EXIT_CODES = """\
example:
  shapesolve contract model.mlir

exit codes:
  0  every contract is exact: a function is safe where its conditions hold, and nowhere else
  1  some function is safe for no sizes at all
  2  wrong usage, unusable input, or an error of the tool
  3  something is open: whether the conditions are enough, or whether all of them are needed; or no function has
     a body, or the assumptions of one admit no input
"""


def add_check_wraps(parser: argparse.ArgumentParser, more: str = "") -> None:
    """Add the option that lets 64-bit arithmetic wrap around; ``more`` is what else the command does then."""
    parser.add_argument(
        "--check-wraps",
        action="store_true",
        help="let index and i64 arithmetic wrap around where it is not proved not to, instead of assuming that it does "
        f"not{more}",
    )


def add_contract(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``contract``."""
    parser.epilog = CONTRACT_EXIT_CODES
    parser.add_argument("file", metavar="FILE", help=FILE_HELP)
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="write the program with the conditions as shapesolve.assume attributes; - is standard output",
    )
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists (never the input)")
    add_options(parser)
    add_check_wraps(parser)
    parser.add_argument(
        "--as",
        dest="form",
        choices=("text", "assume", "torch", "jax", "jaxtyping", "pyrefly"),
        default="text",
        help="print the conditions in another form: assume: options for other commands, one line for each "
        "function; torch: Dims for torch.export; jax: shapes and constraints for jax.export, "
        "where every size is at least 1; jaxtyping, pyrefly: a Python signature with shapes "
        "in its annotations",
    )
    add_json(parser)
    parser.add_argument("--html", metavar="PATH", help="write the contracts as one self-contained HTML page")
    add_printing(parser)


SIZES_WORDS = "find the few sizes worth testing at: just inside and just outside each branch, guard and border"

SIZES_EXIT_CODES = """\
example:
  shapesolve sizes model.py:make --pytest -o test_sizes.py

exit codes:
  0  there are sizes for every branch, guard and border, or a proof that no sizes reach it
  2  wrong usage, unusable input, or an error of the tool
  3  for some branch, guard or border, sizes were neither found nor proved not to exist, or a run did not end as proved;
     or no function has a body, or the assumptions of one admit no input
"""


def add_sizes(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``sizes``."""
    parser.epilog = SIZES_EXIT_CODES
    parser.add_argument("file", metavar="FILE", help=FILE_HELP)
    parser.add_argument("-o", "--output", metavar="OUT", help="write to this file instead of standard output")
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists (never the input)")
    add_options(parser)
    form = parser.add_mutually_exclusive_group()
    add_json(parser, form)
    form.add_argument(
        "--pytest",
        action="store_true",
        help="print a pytest test with these sizes as parameters; for FILE.py:FUNCTION it calls the model",
    )
    add_no_execution(parser, "do not run the function or the model at the sizes")
    add_printing(parser, "for each vector, print everything that it covers")


REFINE_WORDS = "prove or refute that one program may replace another: the same sizes, checks, integers and effects"
EXIT_CODES = """\
example:
  shapesolve refine source.mlir target.mlir

Elements of tensors are the same where both programs compute them alike, or
where the same scalar functions of the same elements of the arguments stand at
every index ("sizes, checks and elements refine"). Elsewhere they, and what
buffers hold, are not compared, and the verdict says so: "sizes and checks
proved, contents not compared".

exit codes:
  0  everything is proved (with --shapes-only, sizes and checks)
  1  refuted
  2  usage, input or tool error
  3  undecided, as where one program has an effect that the other is not
     known to have; or contents were not compared; or no function has a body;
     or the assumptions admit no input of two that differ
"""


def add_refine(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``refine``."""
    parser.epilog = EXIT_CODES
    parser.add_argument("source", metavar="SOURCE", help="the program that defines what should happen")
    parser.add_argument("target", metavar="TARGET", help="the program that should do the same; - is standard input")
    parser.add_argument(
        "--allow-lost-checks", action="store_true", help="where a check of the source fails, the target may do anything"
    )
    add_options(parser)
    add_shapes_only(parser)
    add_no_execution(parser)
    add_json(parser, words="print the report as JSON")
    parser.add_argument("--sarif", metavar="PATH", help="write what is not proved as SARIF 2.1.0")
    parser.add_argument("--force", action="store_true", help="replace the file that --sarif names if it exists")
    add_printing(parser)


FACTS_WORDS = "print what a program or its exporter states about sizes, as a file for --facts that you can edit"


def add_facts(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``shapesolve facts``."""
    parser.epilog = """\
example:
  shapesolve facts model.mlir

exit codes:
  0  the facts are printed or, for a program that states nothing of sizes, a
     template in which all is commented out
  2  wrong usage, unusable input, a program without open sizes, or an error of
     the tool
"""
    _add_model_and_output(parser)


def _add_model_and_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help=FILE_HELP)
    parser.add_argument("-o", "--output", metavar="OUT", default="-", help="where to write (default: standard output)")
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists (never the input)")
    add_level(parser)


CERTIFY_WORDS = "let another solver confirm the proofs that check --certify wrote"
CERTIFY_HELP = "write every proof into DIR, as questions that shapesolve certify or any other SMT solver can answer"


def add_certify(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``shapesolve certify``."""
    parser.epilog = """\
example, behind check model.mlir --certify proofs:
  shapesolve certify proofs

exit codes:
  0  every proof is confirmed
  1  the solver disagrees: it found sizes where something proved is false
  2  wrong usage, unusable input, or no solver
  3  the solver left something open
"""
    parser.add_argument("directory", metavar="DIR", type=Path, help="the directory that check --certify wrote")
    parser.add_argument(
        "--timeout", metavar="SECONDS", type=_seconds, default=60.0, help="time limit of each question (default: 60)"
    )
    parser.add_argument("--proofs", metavar="OUT", type=Path, help="keep cvc5's own proofs in the directory OUT")
    parser.add_argument(
        "--solver",
        metavar="PROGRAM",
        help="a solver for SMT-LIB files to use instead of cvc5, which the extra shapesolve[certify] installs",
    )
    add_json(parser)
    add_printing(parser, "also list what is confirmed")


def _seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"`{text[:40]}` is not a number of seconds") from None
    if not 0 < number <= 86_400:
        raise argparse.ArgumentTypeError(f"{text[:40]} is not more than 0 and at most 86400 seconds")
    return number


LOWER_WORDS = "print the MLIR that a model is exported to, which reports on the model refer to"


def add_lower(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``shapesolve lower``."""
    parser.epilog = """\
example:
  shapesolve lower model.py:make -o model.mlir

exit codes:
  0  the program is written
  2  wrong usage, a file that is no model, a model that cannot be exported, or
     an error of the tool
"""
    _add_model_and_output(parser)
