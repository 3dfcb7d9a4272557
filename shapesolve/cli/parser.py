"""Parser of command lines on top of argparse's."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn, cast

from shapesolve.reports.json_versions import READABLE, VERSION

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

_UNKNOWN = re.compile(r"(?:unrecognized arguments: |invalid choice: ')(?P<word>[^\s'=]+)")

_GIVEN_TO_A_SWITCH = re.compile("ignored explicit argument ('.*')")


class Parser(argparse.ArgumentParser):
    """Parser whose files may stand between options (``check a.mlir -q b.mlir``), with suggestions for misspelled words.

    It also reports text that cannot be written, which argparse ignores.
    """

    whole: Callable[[], argparse.ArgumentParser] | None = None
    """Make the parser with all commands, of which this one has the one that is used; None if it has them all."""

    _is_mixing = False
    _command_line: Sequence[str] = ()

    def parse_known_args(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse as argparse does or, if that leaves files or values, once more with the options taken out first."""
        self._command_line = sys.argv[1:] if args is None else args
        found, left = super().parse_known_args(args, argparse.Namespace() if namespace is None else namespace)
        named = left[: left.index("--")] if "--" in left else left
        unknown = any(each.startswith("-") and each != "-" for each in named)
        if self._is_mixing or self._subparsers is not None or not left or unknown:
            return found, left
        self._is_mixing = True
        try:
            return self.parse_known_intermixed_args(args, argparse.Namespace())
        finally:
            self._is_mixing = False

    def parse_args(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        """Parse as argparse does; what is left over is an error of the command that is used."""
        found, left = self.parse_known_args(args, namespace)
        if left:
            used = _commands(self).get(getattr(found, "command", ""), self)
            used.whole = self.whole or (lambda: self)
            used.error(f"unrecognized arguments: {' '.join(left)}")
        return found

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        if message:
            (sys.stderr if file is None else file).write(message)

    def error(self, message: str) -> NoReturn:
        """End with a message, and with a suggestion for an unknown word."""
        message = _GIVEN_TO_A_SWITCH.sub(r"takes no value, and \1 is given", message)
        unknown = _UNKNOWN.search(message)
        hint = _suggestion(unknown["word"], self) if unknown else ""
        dashed = next((each for each in self._command_line if each.startswith("-") and os.path.isfile(each)), "")
        if dashed and not hint:
            hint = f"; a file whose name begins with - is given as ./{dashed}"
        self.exit(2, f"{self.prog}: error: {message}{hint}\n{self.prog} --help says what there is\n")


def add_color(parser: argparse.ArgumentParser) -> None:
    """Add the option for colors."""
    parser.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="color (default: on a terminal)"
    )


def _suggestion(word: str, parser: Parser) -> str:
    """Return the commands that have an option or, if none has, the most similar word that the parser knows."""
    from difflib import get_close_matches

    commands = _commands(parser.whole() if parser.whole else parser)
    owners = [f"`{name}`" for name, each in commands.items() if word.startswith("-") and word in _words(each)]
    if owners:
        from shapesolve.reasons import listed

        return f"; it is an option of {listed(owners)}"
    alike = get_close_matches(word, _words(parser), n=1, cutoff=0.7)
    return f"; did you mean `{alike[0]}`?" if alike else ""


def _commands(parser: argparse.ArgumentParser) -> dict[str, Parser]:
    """Return the commands of a parser by name."""
    actions = parser._actions  # there is no other way to them
    several = [choices for each in actions if isinstance(choices := _choices(each), Mapping)]
    return {name: each for found in several for name, each in found.items() if isinstance(each, Parser)}


def _words(parser: argparse.ArgumentParser) -> list[str]:
    """Return the commands and options of a parser and of its commands."""
    own = [word for each in parser._actions for word in (*each.option_strings, *map(str, _choices(each) or ()))]
    return own + [word for each in _commands(parser).values() for word in _words(each)]


def _choices(action: argparse.Action) -> Mapping[str, object] | Sequence[object] | None:
    return cast("Mapping[str, object] | Sequence[object] | None", action.choices)


def add_json(
    parser: argparse.ArgumentParser,
    group: argparse._ActionsContainer | None = None,  # pyright: ignore[reportPrivateUsage] (has no other name)
    *,
    words: str = "print JSON",
) -> None:
    """Add ``--json`` to a group, which is the parser if none is given, and ``--json-version`` to the parser."""
    (group or parser).add_argument("--json", action="store_true", help=words)
    add_json_version(parser)


def add_json_version(parser: argparse.ArgumentParser) -> None:
    """Add the option that asks for an earlier form of the JSON documents."""
    parser.add_argument(
        "--json-version",
        metavar="N",
        type=int,
        choices=READABLE,
        default=VERSION,
        help=f"the version of the JSON documents, {READABLE[0]} or {VERSION} (default: {VERSION})",
    )
