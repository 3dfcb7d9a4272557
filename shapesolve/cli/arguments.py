"""Parser of the command line, and the `Options` that a command line means."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from shapesolve.cli.fail_on import FailOn, fail_on
from shapesolve.cli.finding_options import (
    BASELINE_WORDS,
    COMPLETION_WORDS,
    FORMATS,
    INIT_WORDS,
    MAN_WORDS,
    SERVE_WORDS,
    TEST_WORDS,
    add_baseline,
    add_completion,
    add_configuration,
    add_findings,
    add_init,
    add_serve,
    add_test,
)
from shapesolve.cli.hunt_options import HUNT_WORDS, add_hunt
from shapesolve.cli.options import (
    CERTIFY_HELP,
    CERTIFY_WORDS,
    CONTRACT_WORDS,
    FACTS_WORDS,
    FILE_HELP,
    LOWER_WORDS,
    PRUNE_WORDS,
    REFINE_WORDS,
    SEARCH_HELP,
    SHAPE_OF_WORDS,
    SIZES_WORDS,
    SPLIT_HELP,
    THEOREMS_WORDS,
    VERIFY_WORDS,
    add_certify,
    add_check_wraps,
    add_contract,
    add_facts,
    add_lower,
    add_prune,
    add_refine,
    add_search,
    add_shape_of,
    add_sizes,
    add_theorems,
    add_verify,
)
from shapesolve.cli.parser import Parser, add_json, add_json_version
from shapesolve.cli.reduce import REDUCE_WORDS, add_reduce
from shapesolve.cli.shared_options import add_execution, add_options, add_printing
from shapesolve.cli.validate_options import VALIDATE_WORDS, add_validate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


EXIT_CODES = """\
exit codes:
  0  everything is proved, or cannot be reached
  1  something is refuted: there are sizes that break it
  2  wrong usage, unusable input, or an error of the tool
  3  nothing is refuted, but something stays undecided, what some operation demands is not known,
     no function has a body, or the assumptions of one admit no input
130 after Ctrl-C, 143 after SIGTERM.
"""

CHECK_EXIT_CODES = f"""\
examples:
  shapesolve check model.mlir
  shapesolve check model.mlir --assume 'x[1] == w[0]'

{EXIT_CODES}\
With --fail-on always, the code is 1 only if every call of some function fails; with --fail-on refuted, only if
something is refuted; with --exit-zero, never. Otherwise it is 0. Errors exit with 2 all the same.
Findings that are proved to need sizes of 2^30 and more, or as many elements in one argument, do not count, except with
--select, --check-wraps, or --fail-on huge-sizes.
For a model the code is that of the model itself; with --fail-on model,lowering that of its lowered form counts, too.
With several files: 2 if any could not be used (the others are reported all the same), else 1, else 3, else 0.
A file without a function is no error if it was found by a directory or pattern. After Ctrl-C, what is done is reported.
"""


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Formatter of help that keeps the table of exit codes unwrapped."""


def parse_command_line(version: str, line: list[str]) -> argparse.Namespace:
    """Parse a command line. Where it begins with a command, no arguments of other commands are made.

    The command's deadline counts from here.
    """
    only = [each for each in _commands() if line[:1] == [each[0]]]
    parser = _parser(version, only or _commands())
    parser.whole = partial(make_parser, version) if only else None
    arguments = parser.parse_args(line)
    from shapesolve.deadline import Deadline  # after parsing: --help ends there, and imports next to nothing

    arguments.deadline = Deadline.after(getattr(arguments, "timeout", None))
    return arguments


def make_parser(version: str) -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    return _parser(version, _commands())


def _parser(version: str, commands: Sequence[tuple[str, Callable[[argparse.ArgumentParser], None], str]]) -> Parser:
    parser = Parser(
        prog="shapesolve",
        description="Proves for all sizes that a dynamic-shape MLIR program is safe, or shows the smallest sizes that "
        "break it.",
        epilog=EXIT_CODES,
        formatter_class=Formatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"shapesolve {version}")
    traceback_help = "if shapesolve itself fails, print where in its code, for a bug report"
    parser.add_argument("--traceback", action="store_true", help=traceback_help)
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, add, words in commands:
        command = subparsers.add_parser(
            name,
            help=words,
            description=f"{words[0].upper()}{words[1:]}.",
            epilog=EXIT_CODES,
            formatter_class=Formatter,
            allow_abbrev=False,
        )
        add(command)
        command.add_argument(
            "--stats", action="store_true", help="print on standard error, and in JSON, what the time was spent on"
        )
        command.add_argument("--traceback", action="store_true", default=argparse.SUPPRESS, help=traceback_help)
    return parser


def _commands() -> tuple[tuple[str, Callable[[argparse.ArgumentParser], None], str], ...]:
    """Return the name of each command, the function that adds its arguments, and its description."""
    return (
        (
            "check",
            _check,
            "find every way a size could go wrong: each is proved impossible, or shown with sizes that do it",
        ),
        ("prune", add_prune, PRUNE_WORDS),
        ("baseline", add_baseline, BASELINE_WORDS),
        ("init", add_init, INIT_WORDS),
        ("test", add_test, TEST_WORDS),
        ("explain", _explain, "explain a verdict: the facts it rests on, the query, the counterexample step by step"),
        ("rules", _rules, "print what each operation demands and computes"),
        ("shape-of", add_shape_of, SHAPE_OF_WORDS),
        ("refine", add_refine, REFINE_WORDS),
        ("validate", add_validate, VALIDATE_WORDS),
        ("hunt", add_hunt, HUNT_WORDS),
        ("reduce", add_reduce, REDUCE_WORDS),
        ("contract", add_contract, CONTRACT_WORDS),
        ("sizes", add_sizes, SIZES_WORDS),
        ("facts", add_facts, FACTS_WORDS),
        ("lower", add_lower, LOWER_WORDS),
        ("certify", add_certify, CERTIFY_WORDS),
        ("verify", add_verify, VERIFY_WORDS),
        ("theorems", add_theorems, THEOREMS_WORDS),
        ("lsp", _lsp, "run a language server for editors, on standard input and output"),
        ("serve", add_serve, SERVE_WORDS),
        ("completion", add_completion, COMPLETION_WORDS),
        ("man", _man, MAN_WORDS),
        (
            "mcp",
            _no_arguments,
            "run a server of tools for assistants (model context protocol), on standard input and output",
        ),
    )


def _no_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "exit codes:\n  0  the client ended the session\n  2  usage error, or a package is missing"


def _lsp(parser: argparse.ArgumentParser) -> None:
    _no_arguments(parser)
    parser.add_argument(
        "--models",
        action="store_true",
        help="when a Python file is opened or saved, run it for the models that the key `models` of the project's "
        "configuration names in it",
    )
    parser.add_argument(
        "--stdio", action="store_true", help="talk over standard input and output, as without it; some clients ask"
    )


def _man(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "exit codes:\n  0  the page is printed\n  2  usage error"
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true", help="print the page of the documentation on commands")
    form.add_argument(
        "--json-schema",
        action="store_true",
        help="print the JSON schema of what --json writes",
    )


def _check(parser: argparse.ArgumentParser) -> None:
    parser.epilog = CHECK_EXIT_CODES
    parser.add_argument("files", metavar="FILE", nargs="+", help=f"{FILE_HELP}; {SEARCH_HELP}")
    add_search(parser)
    add_options(parser)
    add_execution(parser)
    add_check_wraps(parser, "; list the operations that can, with sizes")
    parser.add_argument(
        "--json",
        metavar="PATH",
        nargs="?",
        const="-",
        help="write the report as JSON to PATH (a name that ends in .json; any other as --json=PATH), "
        "or to standard output instead of text",
    )
    add_json_version(parser)
    parser.add_argument(
        "--fail-on",
        metavar="WHAT",
        type=fail_on,
        default=FailOn(),
        help="model, lowering or both (model,lowering): whether failures of a model, of what torch-mlir lowers it to, "
        "or of either count for the exit code (default: model); and one of always: only where every call of a function "
        "fails, refuted: where some sizes fail, undecided (the default; possible is the same): also where something is "
        "undecided; wraps: also where an operation can wrap around, with --check-wraps; huge-sizes: also where only "
        "sizes of 2^30 and more fail; join words with commas (always,lowering): of repeated options only the last "
        "counts",
    )
    add_findings(parser)
    add_configuration(parser)
    parser.add_argument(
        "--exit-zero", action="store_true", help="exit with 0 whatever is found; errors still exit with 2"
    )
    parser.add_argument("--split-input-file", action="store_true", help=SPLIT_HELP)
    _add_report_formats(parser)
    add_printing(parser)
    parser.add_argument(
        "--quiet", "-q", action="store_true", help="print one line for each file, and one for all of them"
    )


def _add_report_formats(parser: argparse.ArgumentParser) -> None:
    """Add the options for what is reported, where, and in which format."""
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="full",
        help="concise: one line for each finding; json and sarif: on standard output; github: annotations of GitHub "
        "Actions; gitlab: code quality; junit: XML (default: full)",
    )
    parser.add_argument(
        "--no-cache",
        dest="cache",
        action="store_false",
        help="check unchanged files again, and do not use .shapesolve_cache, which keeps reports of several files",
    )
    parser.add_argument(
        "--baseline", metavar="FILE", help="report only findings that are not in FILE, which shapesolve baseline wrote"
    )
    parser.add_argument(
        "--execute-original",
        action="store_true",
        help="also run the model itself, in its framework, at the sizes that fail; it is not sandboxed",
    )
    parser.add_argument(
        "--reproducer", metavar="FILE.py", help="write a script that calls the PyTorch model so that it raises"
    )
    parser.add_argument(
        "--scheduler",
        metavar="tcp://HOST:PORT",
        help="check the files on the workers of the Dask cluster with this scheduler; the output is the same "
        "(docs/fleet.md says what is trusted then)",
    )
    parser.add_argument("--html", metavar="PATH", help="write the reports as one self-contained HTML page")
    parser.add_argument(
        "--sarif",
        metavar="PATH",
        nargs="?",
        const="-",
        help="write a SARIF 2.1.0 report to PATH, or to standard output instead of text",
    )
    parser.add_argument(
        "--dump-queries", metavar="DIR", type=_path, help="write every query of the solver into DIR, as SMT-LIB"
    )
    parser.add_argument("--certify", metavar="DIR", type=_path, help=CERTIFY_HELP)
    parser.add_argument(
        "--force",
        action="store_true",
        help="let --json, --sarif and --html replace files that are not such reports, and --certify write beside "
        "other files",
    )


def _explain(parser: argparse.ArgumentParser) -> None:
    parser.epilog = f"example:\n  shapesolve explain model.mlir:2\n\n{EXIT_CODES}"
    parser.add_argument(
        "place",
        metavar="FILE[:LINE[:COL]]",
        help="the place of an operation; without a line, all operations are listed",
    )
    add_options(parser)
    add_execution(parser)
    parser.add_argument("--query", action="store_true", help="print the query to the solver, as SMT-LIB")
    add_json(parser)
    add_printing(parser)


def _rules(parser: argparse.ArgumentParser) -> None:
    parser.epilog = """\
examples:
  shapesolve rules linalg.matmul
  shapesolve rules tosa-matmul-inner

exit codes:
  0  the rules, or the coverage, are printed
  2  wrong usage, an operation that no rule describes, or an error of the tool
"""
    parser.add_argument(
        "op",
        metavar="OP",
        nargs="?",
        help="an operation (tosa.matmul), a dialect (tosa), a trait (Broadcastable), or the code of a finding "
        "(tosa-matmul-inner)",
    )
    parser.add_argument(
        "--coverage",
        action="store_true",
        help="print what the source documents ask for, what meets it, and which tests show it",
    )
    parser.add_argument("--markdown", action="store_true", help="print the coverage as a page")
    add_json(parser)
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help=argparse.SUPPRESS)


def _path(text: str) -> Path:
    from pathlib import Path

    return Path(text)


_INPUTS = (".mlir", ".mlirbc", ".bc", ".pt2", ".onnx", ".py")


def separate_bare_documents(arguments: list[str]) -> list[str]:
    """Return arguments of `check` in which a bare ``--json`` or ``--sarif`` takes no file of the input for its value.

    Thus ``check --json a.mlir b.mlir`` never takes ``a.mlir`` for the file to write: ``--json`` takes a .json file or
    ``-``, and ``--sarif`` all but the kinds of files that are checked.
    """
    apart: list[str] = []
    for number, each in enumerate(arguments):
        follower = arguments[number + 1].lower() if number + 1 < len(arguments) else ""
        is_path = follower == "-" or (
            follower.endswith(".json") if each == "--json" else not follower.endswith(_INPUTS)
        )
        before = arguments[:number]
        is_bare = each in ("--json", "--sarif") and not is_path and "check" in before and "--" not in before
        apart.append(f"{each}=-" if is_bare else each)
    return apart
