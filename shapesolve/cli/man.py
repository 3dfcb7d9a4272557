"""``shapesolve man``: the manual page, in the macros of man(7), from the same parser as ``--help``."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator

from shapesolve import __version__
from shapesolve.cli.arguments import EXIT_CODES, make_parser
from shapesolve.cli.command_page import command_page
from shapesolve.cli.command_tree import argument_groups, commands, help_text, value_text
from shapesolve.reports.json_versions import json_schema_text

_ENVIRONMENT = (
    ("COLUMNS", "the width of reports"),
    ("NO_COLOR", "no colors, whatever its value"),
    ("SHAPESOLVE_LOG", "a level of Python's logging (INFO, DEBUG): stages say on standard error what they do"),
)
_FILES = (
    ("shapesolve.toml, pyproject.toml", "the configuration of a project (shapesolve init writes one)"),
    (".shapesolve_cache", "reports on several files, which can be deleted at any time"),
)
_SEE_ALSO = "The pages in docs/ of the source. mlir-opt(1)"


def run(arguments: argparse.Namespace) -> int:
    """Print the page, or the schema of the JSON documents."""
    if arguments.json_schema:
        sys.stdout.write(json_schema_text())
        return 0
    page = command_page if arguments.markdown else manual_page
    sys.stdout.write(page(make_parser(__version__)))
    return 0


def manual_page(parser: argparse.ArgumentParser) -> str:
    """Return the page of a parser and its commands."""
    return "\n".join(_lines(parser)) + "\n"


def _lines(parser: argparse.ArgumentParser) -> Iterator[str]:
    known = commands(parser)
    yield f'.TH {parser.prog.upper()} 1 "" "{parser.prog} {__version__}" "User Commands"'
    yield from (".SH NAME", rf"{parser.prog} \- prove or refute the shape safety of MLIR programs, for all sizes")
    yield ".SH SYNOPSIS"
    for name in known:
        yield from (f".B {parser.prog} {_escaped(name)}", _usage(known[name]), ".br")
    yield from (".SH DESCRIPTION", _text(parser.description or ""))
    yield ".SH OPTIONS"
    yield from _arguments(parser)
    yield ".SH COMMANDS"
    for name, command in known.items():
        yield from (f".SS {parser.prog} {_escaped(name)}", _text(command.description or ""))
        yield from _arguments(command)
        if command.epilog and command.epilog != EXIT_CODES:
            yield from (".PP", ".nf", _text(command.epilog), ".fi")
    yield from (".SH EXIT STATUS", ".nf", _text(EXIT_CODES.partition("\n")[2]), ".fi")
    for heading, entries in (("ENVIRONMENT", _ENVIRONMENT), ("FILES", _FILES)):
        yield f".SH {heading}"
        for term, words in entries:
            yield from (".TP", f".B {_escaped(term)}", _text(words))
    yield from (".SH SEE ALSO", _text(_SEE_ALSO))


def _usage(parser: argparse.ArgumentParser) -> str:
    """Return the positional arguments of a command, after a word for its options."""
    positional = [each for group in argument_groups(parser) for each in group.arguments if not each.option_strings]
    return _text(" ".join(("[options]", *map(value_text, positional))))


def _arguments(parser: argparse.ArgumentParser) -> Iterator[str]:
    for group in argument_groups(parser):
        for each in group.arguments:
            if isinstance(each.choices, dict):
                continue
            yield from (".TP", _term(each), _text(help_text(each, parser.prog)))


def _term(argument: argparse.Action) -> str:
    """Return the line that names an argument: option strings bold, values slanted."""
    value = value_text(argument)
    if not argument.option_strings:
        return rf"\fI{_escaped(value)}\fR"
    shown = rf" \fI{_escaped(value)}\fR" if value else ""
    return ", ".join(rf"\fB{_escaped(each)}\fR{shown}" for each in argument.option_strings)


def _escaped(text: str) -> str:
    """Return text in which backslashes and hyphens stand for themselves."""
    return text.replace("\\", r"\e").replace("-", r"\-")


def _text(text: str) -> str:
    """Return lines of text, none of which is a request or empty."""
    lines = _escaped(text.strip("\n")).splitlines()
    return "\n".join(re.sub(r"^([.'])", r"\\&\1", line) or ".sp" for line in lines)
