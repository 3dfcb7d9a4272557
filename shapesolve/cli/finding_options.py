"""Options on findings: which of them count, and in which format they are printed."""

from __future__ import annotations

import argparse

from shapesolve.cli.option_values import whole
from shapesolve.cli.shared_options import (
    FILE_HELP,
    SEARCH_HELP,
    SPLIT_HELP,
    add_execution,
    add_options,
    add_repeatable,
    add_search,
)

FORMATS = ("full", "concise", "json", "sarif", "github", "gitlab", "junit")
BASELINE_WORDS = "write the findings of files to a baseline, so that check --baseline reports only new ones"
TEST_WORDS = "test that programs get the verdicts that their comments expect: // expect: refuted tosa-matmul-inner"
SERVE_WORDS = "run the playground, an editor in the browser that shows findings and shapes as you type"
COMPLETION_WORDS = "print a script with which a shell completes commands, options and files"
MAN_WORDS = "print the manual page, for man"
INIT_WORDS = "write a configuration for the project, with everything commented out"
BASELINE_FILE = "shapesolve-baseline.json"


def add_findings(parser: argparse.ArgumentParser) -> None:
    """Add the options that select findings."""
    add_repeatable(
        parser,
        "--select",
        metavar="CODE",
        help="report only findings of this code (tosa-matmul-inner) or of codes that begin with it (tosa); "
        "repeatable, or with commas; huge-sizes stands for findings that only sizes of 2^30 "
        "and more show, wraps for those of --check-wraps",
    )
    add_repeatable(parser, "--ignore", metavar="CODE", help="leave out findings of this code (as for --select)")


def add_configuration(parser: argparse.ArgumentParser) -> None:
    """Add the options on the configuration of a project."""
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="read this configuration instead of shapesolve.toml, or [tool.shapesolve] of pyproject.toml, here "
        "or in a folder above",
    )
    parser.add_argument("--no-config", action="store_true", help="read no configuration")


def add_init(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``init``."""
    parser.epilog = """\
exit codes:
  0  the configuration is written
  2  there is one already, or an error of the tool
"""
    parser.add_argument("--pyproject", action="store_true", help="add a table to pyproject.toml instead")


def add_completion(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``completion``."""
    parser.epilog = "exit codes:\n  0  the script is printed\n  2  usage error, or a package is missing"
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell that reads the script")


def add_serve(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``serve``."""
    parser.epilog = "exit codes:\n  0  interrupted\n  2  usage error, a package is missing, or the port is taken"
    parser.add_argument("--host", metavar="ADDRESS", default="127.0.0.1", help="where to listen (default: 127.0.0.1)")
    parser.add_argument("--port", metavar="N", type=_port, default=8033, help="the port (default: 8033)")
    parser.add_argument(
        "-j", "--jobs", metavar="N", type=_count, help="requests answered at a time (default: one for each core)"
    )


def _port(text: str) -> int:
    return whole(text, 1, 65535)


def _count(text: str) -> int:
    return whole(text, 1, 256)


def add_test(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``test``."""
    parser.epilog = """\
example:
  shapesolve test model.mlir

exit codes:
  0  everything is as expected
  1  something is not as expected, or nothing expects it
  2  wrong usage, unusable input, a file that expects nothing, or an error of the tool
"""
    parser.add_argument("files", metavar="FILE", nargs="+", help=f"MLIR as text, {SEARCH_HELP}")
    add_search(parser)
    parser.add_argument("--split-input-file", action="store_true", help=SPLIT_HELP)
    add_options(parser)


def add_baseline(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``baseline``."""
    parser.epilog = """\
example:
  shapesolve baseline model.mlir

exit codes:
  0  the baseline is written
  2  wrong usage, unusable input, or an error of the tool; nothing is written
  3  the baseline is written, but the assumptions of a function admit no input
"""
    parser.add_argument("files", metavar="FILE", nargs="+", help=f"{FILE_HELP}; {SEARCH_HELP}")
    parser.add_argument(
        "-o", "--output", metavar="OUT", default=BASELINE_FILE, help=f"where to write (default: {BASELINE_FILE})"
    )
    parser.add_argument("--force", action="store_true", help="replace OUT even if it is no baseline (never the input)")
    add_search(parser)
    add_findings(parser)
    add_configuration(parser)
    parser.add_argument("--split-input-file", action="store_true", help=SPLIT_HELP)
    add_options(parser)
    add_execution(parser)
