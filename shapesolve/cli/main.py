"""Entry point of the command line: sub-commands, exit codes, and no traceback that was not requested."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr
from importlib import import_module
from io import StringIO
from typing import TYPE_CHECKING

from shapesolve import __version__
from shapesolve.cli.environment import insufficient_limits, prepare_streams, print_error

if TYPE_CHECKING:
    import argparse

    from shapesolve.cli.configuration import Configuration

USAGE_OR_INPUT = 2
INTERRUPTED = 130

CONFIGURED = ("check", "baseline")
"""Commands that a project's configuration has options for."""

GRACE_SECONDS = 30.0
"""Seconds beyond ``--timeout`` that a command may spend without progress on reporting its results."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line (without the program's name) and return its exit code.

    Without ``argv``, run the command line of this process, in a process of its own, which may crash.
    """
    try:
        prepare_streams()
        return _finished(lambda: _parsed_and_run(list(sys.argv[1:]), alone=True) if argv is None else _run_here(argv))
    except KeyboardInterrupt:
        return _interrupted()


def _run_here(argv: Sequence[str]) -> int:
    return _parsed_and_run(list(argv), alone=False)


def _parsed_and_run(given: list[str], *, alone: bool) -> int:
    from shapesolve.cli.arguments import parse_command_line, separate_bare_documents

    configured, configuration = given, None
    if any(each in given for each in CONFIGURED) and not {"-h", "--help"} & set(given):
        from shapesolve.cli.configuration import configuration_of, with_options
        from shapesolve.errors import InputError

        try:
            configuration = configuration_of(given)
            configured = given if configuration is None else with_options(given, configuration)
        except InputError as error:
            print_error(f"error: {error}")
            return USAGE_OR_INPUT
    said = StringIO()
    try:
        with redirect_stderr(said):
            arguments = parse_command_line(__version__, separate_bare_documents(configured))
    except SystemExit as ended:  # argparse has said what there is to say
        if text := said.getvalue().rstrip("\n"):
            print_error(_with_places(text, configuration))
        return ended.code if isinstance(ended.code, int) else USAGE_OR_INPUT
    if text := said.getvalue().rstrip("\n"):
        print_error(text)
    arguments.configuration = configuration
    if alone:
        return _run_supervised(arguments)
    return run(arguments)


def _run_supervised(arguments: argparse.Namespace) -> int:
    from shapesolve.cli.supervisor import Terminated, supervise

    if lacking := insufficient_limits():
        print_error(f"error: {lacking}")
        return USAGE_OR_INPUT
    # numpy comes with models; a thread of its algebra for every core would take memory that is not used.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

    arguments.alone = True
    timeout: float | None = getattr(arguments, "timeout", None)

    def command() -> int:
        from shapesolve.cli.rule_interruption import interrupting_rules
        from shapesolve.gc_control import collect_seldom
        from shapesolve.ir import bindings

        collect_seldom()
        bindings.assume_exclusive_process()
        try:
            with interrupting_rules(getattr(arguments, "rules", ()), arguments.deadline):
                return _finished(lambda: run(arguments))
        except KeyboardInterrupt:
            return _interrupted()
        except Terminated as asked:
            print_error("\nterminated")
            return asked.code

    grace = 0.0 if arguments.command == "verify" else GRACE_SECONDS
    return supervise(command, seconds=None if timeout is None else timeout + grace, grace=grace)


def _interrupted() -> int:
    print_error("\ninterrupted")
    return INTERRUPTED


def run(arguments: argparse.Namespace) -> int:
    """Run a parsed command line; any error becomes a line on standard error and an exit code.

    KeyboardInterrupt alone is left to the caller.
    """
    try:
        command = import_module(f"shapesolve.cli.{arguments.command.replace('-', '_')}")
        if level := os.environ.get("SHAPESOLVE_LOG"):
            from shapesolve.cli.progress import log_to_stderr

            log_to_stderr(level)
        if arguments.stats:
            from shapesolve.cli.progress import with_statistics

            return with_statistics(lambda: command.run(arguments))
        code: int = command.run(arguments)
        return code
    except BrokenPipeError:
        _close_output()
        return USAGE_OR_INPUT
    except Exception as error:
        text = _described(error, with_traceback=arguments.traceback)
        print_error(_with_places(text, getattr(arguments, "configuration", None)))
        return USAGE_OR_INPUT


def _with_places(text: str, configuration: Configuration | None) -> str:
    """Return the text of an error with the lines of the configuration that it is about."""
    if configuration is None:
        return text
    from shapesolve.cli.configuration import places_in

    return "\n".join(each for each in (text, places_in(text, configuration)) if each)


def _described(error: Exception, *, with_traceback: bool = False) -> str:
    try:
        from shapesolve.cli.environment import error_text

        return error_text(error, with_traceback=with_traceback)
    except Exception as another:  # no file can be opened any more, or there is no memory for a sentence
        return f"error: {type(error).__name__}: {error} (and no more can be said: {type(another).__name__})"


def _finished(work: Callable[[], int]) -> int:
    """Return the exit code once the output is written. A closed pipe is no error to report."""
    code = 0
    try:
        code = work()
        sys.stdout.flush()
    except BrokenPipeError:
        _close_output()
        return code or USAGE_OR_INPUT
    except Exception as error:
        if code != USAGE_OR_INPUT:  # else what went wrong has been said
            print_error(_described(error))
        _close_output()
        return USAGE_OR_INPUT
    return code


def _close_output() -> None:
    """Redirect standard output to nowhere, so that the flush at exit cannot fail again."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):  # standard output is no real file
        return


if __name__ == "__main__":
    sys.exit(main())
