"""``shapesolve reduce``: a program made smaller while a command keeps succeeding on it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from shapesolve.cli.option_values import seconds, whole
from shapesolve.errors import InputError

REDUCE_WORDS = "make a program smaller while a command still exits with 0 on it, as creduce does"
_FILE = "reduced.mlir"
_EPILOG = """\
example:
  shapesolve reduce model.mlir --keep 'mlir-opt --canonicalize {} 2>&1 | grep -q "error"' -o small.mlir

The command is run by the shell for every candidate, with {} replaced by its
path, or the path added at the end. Exit code 0 keeps the candidate. To keep
what a command rejects, write '! command {}'.

exit codes:
  0  the program is written, reduced or not
  2  usage, input or tool error: such as a command that fails on FILE itself
"""


def add_reduce(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``reduce``."""
    parser.epilog = _EPILOG
    parser.add_argument("file", metavar="FILE", help="MLIR as text or bytecode (- is standard input)")
    parser.add_argument(
        "--keep", metavar="COMMAND", required=True, help="a command that exits with 0 on programs to keep"
    )
    parser.add_argument(
        "--output", "-o", metavar="PATH", default="-", help="write the program to PATH (default: print it)"
    )
    parser.add_argument("--force", action="store_true", help="replace the file that --output names if it exists")
    parser.add_argument(
        "--attempts", metavar="N", type=_attempts, default=3000, help="largest number of candidates (default: 3000)"
    )
    parser.add_argument(
        "--timeout", metavar="SECONDS", type=seconds, help="stop after so many seconds with the smallest program so far"
    )
    parser.add_argument(
        "--run-seconds",
        metavar="SECONDS",
        type=seconds,
        default=60.0,
        help="a run of the command that takes longer counts as failed",
    )


def run(arguments: argparse.Namespace) -> int:
    """Reduce the program, write it and return the exit code."""
    import tempfile

    from shapesolve.cli.output_files import check_target, write
    from shapesolve.cli.program_text import read_with_text
    from shapesolve.options import Options
    from shapesolve.reducer import reduce

    check_target(arguments.output, "--output", inputs=[arguments.file], force=arguments.force)
    text = read_with_text(arguments.file, Options()).text or ""
    runs = 0
    with tempfile.TemporaryDirectory(prefix="shapesolve-") as folder:
        path = Path(folder) / _FILE

        def keeps(candidate: str) -> bool:
            nonlocal runs
            runs += 1
            path.write_text(candidate, encoding="utf-8", newline="\n")
            return _succeeds(arguments.keep, path, arguments.run_seconds)

        if not keeps(text):
            raise InputError(f"`{arguments.keep}` does not exit with 0 on the program itself", where=arguments.file)
        small = reduce(text, keeps, attempts=arguments.attempts, deadline=arguments.deadline)
    write(arguments.output, small if small.endswith("\n") else f"{small}\n", "--output")
    sys.stderr.write(f"{_lines(text)} -> {_lines(small)} lines, {runs} runs of the command\n")
    return 0


def _succeeds(command: str, path: Path, limit: float) -> bool:
    import shlex
    import subprocess

    quoted = shlex.quote(str(path))
    line = command.replace("{}", quoted) if "{}" in command else f"{command} {quoted}"
    try:
        ended = subprocess.run(
            line,
            shell=True,  # the user's own command, with pipes and negations
            cwd=path.parent,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return ended.returncode == 0


def _lines(text: str) -> int:
    return sum(bool(line.strip()) for line in text.splitlines())


def _attempts(text: str) -> int:
    return whole(text, 1, 2**31 - 1)
