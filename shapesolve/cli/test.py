"""``shapesolve test``: programs whose comments say which verdicts they expect."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from shapesolve.cli.check import combined_exit_code
from shapesolve.cli.environment import error_text
from shapesolve.cli.expectations import broken_expectations, read_expectations
from shapesolve.cli.file_discovery import find_sources
from shapesolve.cli.parsed_options import options_of
from shapesolve.errors import InputError, NoFunctionError, plural
from shapesolve.gc_control import collector_paused
from shapesolve.ir.input_files import load
from shapesolve.ir.program import Program
from shapesolve.ir.reader import read_text
from shapesolve.ir.split_files import Part, load_parts
from shapesolve.options import Options

BROKEN, UNUSABLE = 1, 2


def run(arguments: argparse.Namespace) -> int:
    """Compare each file with its expectations, print what differs and return the exit code."""
    options = replace(options_of(arguments), execute=False)
    sources = find_sources(arguments.files, arguments.exclude, gitignore=arguments.gitignore)
    codes: list[int] = []
    for source in sources:
        try:
            codes.append(_test_file(source.name, options, arguments))
        except NoFunctionError as error:
            if not source.searched:
                codes.append(_report(error, source.name))
        except InputError as error:
            codes.append(_report(error, source.name))
    if len(sources) > 1:
        failed = sum(each != 0 for each in codes)
        print(f"{plural(len(codes), 'file')}, {failed} with broken expectations or errors")
    return combined_exit_code(codes)


def _report(error: InputError, file: str) -> int:
    sys.stdout.flush()
    print(error_text(error.at(file)), file=sys.stderr)
    return UNUSABLE


def _test_file(file: str, options: Options, arguments: argparse.Namespace) -> int:
    """Print what differs in a file, and return its exit code."""
    count, problems = 0, list[str]()
    if arguments.split_input_file:
        name, parts = load_parts(file)
    else:
        content = load(file)
        if content.text is None:
            raise InputError("bytecode has no comments that could expect something")
        name, parts = content.file, [Part(content.text, 0)]
    for part in parts:
        if part.text.strip():
            number, some = _compare(part, name, options, is_alone=len(parts) == 1)
            count += number
            problems += some
    for each in problems:
        print(each)
    if not count:
        raise InputError("the file expects nothing: write `// expect: proved` above a line, say", where=name)
    if problems:
        print(f"{name}: {len(problems)} broken, {plural(count, 'expectation')}")
    else:
        print(f"{name}: {plural(count, 'expectation')}, all as expected")
    return BROKEN if problems else 0


def _compare(part: Part, file: str, options: Options, *, is_alone: bool) -> tuple[int, list[str]]:
    """Return the number of expectations of a part, and what differs from them."""
    from shapesolve.diagnosis.diagnosis import EVERYTHING, diagnose
    from shapesolve.pipeline import check_program

    expectations = read_expectations(part.padded, file)
    try:
        with collector_paused():
            program: Program = read_text(part.padded, file)
    except NoFunctionError:
        if is_alone or expectations.expected:
            raise
        return 0, []
    with collector_paused():
        chosen = replace(options, assumptions=(*options.assumptions, *expectations.assumptions))
        found = diagnose(check_program(program, chosen), EVERYTHING)
    return len(expectations.expected), broken_expectations(found, expectations.expected)
