"""Arguments of the commands in groups, as their help has them."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import cast

from shapesolve.records import value_record


@value_record
class ArgumentGroup:
    """Group of arguments under a heading."""

    heading: str
    arguments: tuple[argparse.Action, ...]


class _Recorder(argparse.HelpFormatter):
    """Help formatter that records its input instead of formatting it."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        self.groups: list[ArgumentGroup] = []
        self._heading = ""

    def start_section(self, heading: str | None) -> None:
        self._heading = heading or ""

    def end_section(self) -> None:
        self._heading = ""

    def add_arguments(self, actions: Iterable[argparse.Action]) -> None:
        shown = tuple(each for each in actions if each.help != argparse.SUPPRESS)
        if shown:
            self.groups.append(ArgumentGroup(self._heading, shown))


def argument_groups(parser: argparse.ArgumentParser) -> list[ArgumentGroup]:
    """Return the arguments of a parser in their groups, without hidden ones."""
    recorder = _Recorder(parser.prog)

    def same(prog: str) -> argparse.HelpFormatter:
        return recorder

    before, parser.formatter_class = parser.formatter_class, same
    try:
        parser.format_help()
    finally:
        parser.formatter_class = before
    return recorder.groups


def arguments_of(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return the arguments of a parser, without hidden ones."""
    return [each for group in argument_groups(parser) for each in group.arguments]


def commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the commands of a parser by their names."""
    choices = [cast("object", each.choices) for each in arguments_of(parser)]
    several = [cast("dict[str, argparse.ArgumentParser]", each) for each in choices if isinstance(each, dict)]
    return {name: each for found in several for name, each in found.items()}


def value_text(argument: argparse.Action) -> str:
    """Return the value of an argument as its help names it; empty if it takes none."""
    if argument.nargs == 0:
        return ""
    if argument.metavar is not None:
        name = str(argument.metavar)
    elif argument.choices is not None:
        name = "{" + ",".join(map(str, argument.choices)) + "}"
    else:
        name = argument.dest.upper() if argument.option_strings else argument.dest
    return {"?": f"[{name}]", "*": f"[{name} ...]", "+": f"{name} ..."}.get(str(argument.nargs), name)


def help_text(argument: argparse.Action, program: str) -> str:
    """Return the help of an argument, with its default and so on filled in."""
    return (argument.help or "") % {**vars(argument), "prog": program}
