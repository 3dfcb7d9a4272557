"""Test that reading a command in one match gives the same names as reading it token by token."""

from __future__ import annotations

from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from shapesolve.certificates.reader import DEPTH, command_names, commands_of
from shapesolve.errors import InputError

HERE = Path("here.smt2")
PIECES = (
    "(",
    ")",
    "(assert ",
    "(check-sat)",
    "(exit)",
    " ",
    "\n",
    "x",
    "|a;(|",
    "|",
    '"',
    '""',
    '"(a""b"',
    "; ( |\n",
    ";",
)


def _by_tokens(text: str) -> list[str] | str:
    try:
        return [command[1:].split(None, 1)[0].rstrip(")") for command in commands_of(text, HERE)]
    except InputError as error:
        return error.message


def _at_once(text: str) -> list[str] | str:
    try:
        return list(command_names(text, HERE))
    except InputError as error:
        return error.message


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@example("(check-sat)(exit)")
@example("( check-sat)")
@example("(;\ncheck-sat)")
@example("(assert|x|)")
@example("(assert(= x 1))")
@example('(echo ")")(exit)')
@example('(echo "(a"")(exit)')
@example("(assert x ;)\n)(exit)")
@example("()")
@example("(\x1cexit\x85)\xa0(exit)")
@example("(assert " + "(" * DEPTH + ")" * DEPTH + ")(exit)")
@example("(assert " + "(" * 2 * DEPTH + ")" * 2 * DEPTH + ")(exit)")
def test_names_are_those_of_the_commands(text: str) -> None:
    assert _at_once(text) == _by_tokens(text)
