"""Queries as SMT-LIB files whose assertions have names: unsat cores then speak of the lines of the program."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shapesolve.records import value_record

LONGEST_NAME = 80
LONGEST_COMMENT = 160
_NO_WORD = re.compile(r"[^A-Za-z0-9]+")


@value_record
class Assertion:
    """A term that holds in a query. ``name`` need not be unique; ``comment`` says the same for people."""

    name: str
    term: str
    comment: str = ""


def simple(words: str) -> str:
    """Words as a symbol that needs no quotes: ``line 12: cf.assert`` is ``line_12_cf_assert``."""
    text = _NO_WORD.sub("_", words)[:LONGEST_NAME].strip("_") or "fact"
    return f"_{text}" if text[0].isdigit() else text


def query_text(title: str, declarations: Sequence[str], assertions: Sequence[Assertion]) -> str:
    """The text of a file. ``declarations`` are whole commands."""
    taken = {symbol for line in declarations for symbol in re.findall(r"\(declare-fun (\|[^|]*\||\S+)", line)}
    lines = [
        f"; {_line(title)}",
        "; The assertions are named after where they come from: (get-unsat-core) speaks of lines of the program.",
        "(set-option :produce-unsat-cores true)",
        "(set-logic ALL)",
        *declarations,
    ]
    for each in assertions:
        name = _unused(each.name, taken)
        lines += [f"; {_line(each.comment)}"] if each.comment else []
        lines.append(f"(assert (! {each.term} :named {name}))")
    return "\n".join([*lines, "(check-sat)", ""])


def _unused(words: str, taken: set[str]) -> str:
    wished = name = simple(words)
    number = 1
    while name in taken:
        number += 1
        name = f"{wished}_{number}"
    taken.add(name)
    return name


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_COMMENT else f"{line[: LONGEST_COMMENT - 3]}..."
