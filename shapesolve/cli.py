"""The command line's door: sub-commands, exit codes, and the promise that nothing ends in a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, TextIO

from shapesolve import __version__

if TYPE_CHECKING:
    import argparse

USAGE_OR_INPUT = 2
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line (without the program's name) and return its exit code."""
    try:
        _print_anything(sys.stdout)
        _print_anything(sys.stderr)
        return _flushed(_parsed_and_run(list(sys.argv[1:] if argv is None else argv)))
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return INTERRUPTED


def _parsed_and_run(given: list[str]) -> int:
    from shapesolve.commands.arguments import make_parser, with_json_apart

    try:
        arguments = make_parser(__version__).parse_args(with_json_apart(given))
    except SystemExit as ended:  # argparse has said what there is to say
        return ended.code if isinstance(ended.code, int) else USAGE_OR_INPUT
    return run(arguments)


def run(arguments: argparse.Namespace) -> int:
    """Run a parsed command line; whatever goes wrong becomes a line on standard error and an exit code.

    KeyboardInterrupt alone goes on to the caller.
    """
    from shapesolve.commands.failures import described

    try:
        command = import_module(f"shapesolve.commands.{arguments.command.replace('-', '_')}")
        code: int = command.run(arguments)
        return code
    except BrokenPipeError:
        _close_output()
        return USAGE_OR_INPUT
    except Exception as error:
        print(described(error, with_traceback=arguments.traceback), file=sys.stderr)
        return USAGE_OR_INPUT


def _flushed(code: int) -> int:
    """The exit code, once the output has really been written: a reader that went away is not an error to shout."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _close_output()
        return code or USAGE_OR_INPUT
    except OSError as error:
        print(f"error: the output could not be written: {error.strerror or error}", file=sys.stderr)
        _close_output()
        return USAGE_OR_INPUT
    except ValueError:  # closed already
        return code
    return code


def _close_output() -> None:
    """Let the interpreter's own flush at exit go nowhere, instead of failing again."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):  # standard output is no real file
        return


def _print_anything(stream: TextIO | None) -> None:
    """A character that the terminal's encoding lacks is escaped, not an error."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    sys.exit(main())
