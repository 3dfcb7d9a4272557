"""``shapesolve man --markdown``: the page of the documentation on commands, from the same parser as ``--help``."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

from shapesolve.cli.arguments import EXIT_CODES
from shapesolve.cli.command_tree import argument_groups, commands, help_text, value_text

_OPENING = """\
# Commands and options

After this page you know every command and every option of `shapesolve`. `shapesolve man --markdown` makes it, from
the parser that reads the options; `shapesolve COMMAND --help`
prints the same for one command. Options that commands share are [explained together](options.md).
"""


def command_page(parser: argparse.ArgumentParser) -> str:
    """Return the page of a parser and its commands, in Markdown."""
    return "\n".join(_lines(parser))


def _lines(parser: argparse.ArgumentParser) -> Iterator[str]:
    known = commands(parser)
    yield _OPENING
    yield from ("| command | in short |", "|---|---|")
    for name, command in known.items():
        yield f"| [`{name}`](#{parser.prog}-{name}) | {_cell(_first_sentence(command))} |"
    yield ""
    yield from ("## Exit codes", "", "| code | meaning |", "|---|---|")
    for number, words in re.findall(r"^ +(\d) +(.*(?:\n {4,}\D.*)*)", EXIT_CODES, re.MULTILINE):
        yield f"| {number} | {_cell(words)} |"
    yield ""
    for name, command in known.items():
        yield from _command(f"{parser.prog} {name}", command)


def _command(title: str, command: argparse.ArgumentParser) -> Iterator[str]:
    groups = argument_groups(command)
    positional = [value_text(each) for group in groups for each in group.arguments if not each.option_strings]
    yield from (f"## {title}", "", _prose(command.description or ""), "")
    yield from ("```text", " ".join([title, "[options]", *positional]), "```", "")
    for group in groups:
        heading = group.heading.rstrip(":")
        yield from (f"| {'option' if heading in ('options', '') else _cell(heading)} | meaning |", "|---|---|")
        for each in group.arguments:
            yield f"| {_term(each)} | {_cell(help_text(each, command.prog))} |"
        yield ""
    if command.epilog and command.epilog != EXIT_CODES:
        yield from ("```text", command.epilog.strip("\n"), "```", "")


def _term(argument: argparse.Action) -> str:
    value = value_text(argument)
    if not argument.option_strings:
        return f"`{_cell(value)}`"
    return ", ".join(f"`{each}{f' {_cell(value)}' if value else ''}`" for each in argument.option_strings)


def _first_sentence(command: argparse.ArgumentParser) -> str:
    return re.split(r"(?<=[.]) ", (command.description or "").strip().replace("\n", " "))[0].rstrip(".")


def _prose(text: str) -> str:
    """Return text in which nothing is a tag of HTML, or emphasis."""
    return re.sub(r"([<*])", r"\\\1", text.strip())


def _cell(text: str) -> str:
    """Return text for a cell of a table: in one line, without columns of its own."""
    return re.sub(r"([|<])", r"\\\1", re.sub(r"\s+", " ", text.strip()))
