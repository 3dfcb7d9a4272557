"""Long conditions: parts that repeat, or that are long themselves, get names that are explained below.

``max(2*((a + 1)//2), b) == max(2*((a + 1)//2), c)`` reads ``max(2*C1, b) == max(2*C1, c)``, where ``C1 = (a + 1)//2``.
This is about text alone: a name stands for a call or for what parentheses hold, and so for one value.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from shapesolve.records import value_record
from shapesolve.reports.page import LABEL_WIDTH, LONGEST_LINE, Page
from shapesolve.reports.phrases import shortened

LONGEST_UNNAMED = LONGEST_LINE
"""Characters of a condition none of whose parts gets a name."""
LONGEST_SHOWN = 600
"""Characters that are shown of one part without ``--verbose``."""
MOST_DEFINITIONS = 8
"""Names that are explained without ``--verbose``."""
_SHORTEST_REPEATED = 14
_SHORTEST_SINGLE = 40
_LONGEST_SINGLE = 150
_MOST_NAMES = 60
_LONGEST_TEXT = 20_000
_LONG_ALTERNATIVES = 80
_MOST_IN_FULL = 2
"""Long conditions that are printed in full though they share alternatives."""
_LETTERS = "CDEGHPQRSTUVW"
_IN_WORDS = "_.%#@"


@value_record
class NamedCondition:
    """Condition with names for some of its parts.

    Attributes:
        text: The condition.
        definitions: Every name with what it stands for, which may have further names, in the order in which they are
            met.
    """

    text: str
    definitions: tuple[tuple[str, str], ...] = ()


def with_names(text: str, room: int = LONGEST_UNNAMED) -> NamedCondition:
    """Return a condition with names for parts of it if it is longer than the room."""
    if len(text) <= room or len(text) > _LONGEST_TEXT or not (letter := _free_letter(text)):
        return NamedCondition(text)
    parts = [text]
    while len(parts) <= _MOST_NAMES:
        group = _repeated(parts) or _single(parts, room)
        if group is None:
            break
        name = f"{letter}<{len(parts)}>"
        parts = [each.replace(group, name) for each in parts]
        parts.append(group[1:-1] if group.startswith("(") else group)
    return _numbered(parts, letter)


def with_shared_alternatives(texts: Sequence[str]) -> tuple[list[str], tuple[tuple[str, str], ...]]:
    """Return conditions with a name for the alternatives that all long ones share, and its definition.

    ``a == 0 or b == 0 or x == y``, ``a == 0 or b == 0 or x == z`` become ``C1 or x == y``, ``C1 or x == z``.
    """
    long = [each for each in map(_alternatives, texts) if len(each) > 1 and len(" or ".join(each)) > _LONG_ALTERNATIVES]
    shared = [each for each in long[0] if all(each in other for other in long)] if len(long) > _MOST_IN_FULL else []
    letter = _free_letter(" ".join(texts))
    if len(shared) < 2 or not letter or any(len(each) == len(shared) for each in long):
        return list(texts), ()
    name, named = f"{letter}1", list[str]()
    for text in texts:
        found = _alternatives(text)
        rest = [each for each in found if each not in shared]
        named.append(" or ".join((name, *rest)) if found in long else text)
    return named, ((name, " or ".join(shared)),)


def _alternatives(text: str) -> list[str]:
    """Return the parts of a disjunction; the text itself if it is none, or joins its parts with "and" too."""
    parts, depth, start = list[str](), 0, 0
    for at, each in enumerate(text):
        depth += (each in "([") - (each in ")]")
        if depth == 0 and text.startswith(" and ", at):
            return [text]
        if depth == 0 and text.startswith(" or ", at):
            parts.append(text[start:at])
            start = at + len(" or ")
    return [*parts, text[start:]]


def _free_letter(text: str) -> str:
    """Return a letter such that no name in a text consists of it and a number; empty if there is none."""
    return next((each for each in _LETTERS if not re.search(rf"(?<!\w){each}(\d|<)", text)), "")


def _groups(text: str) -> list[str]:
    """Return the calls and the parenthesized parts of a text, inner ones first; none of one that is no condition."""
    found: list[str] = []
    begun: list[tuple[str, int]] = []
    word = 0  # where the word begins that ends here
    for at, each in enumerate(text):
        if each == '"':
            return []
        if each in "([":
            begun.append((each, word))
        elif each in ")]":
            if not begun or begun[-1][0] + each not in ("()", "[]"):
                return []
            opening, start = begun.pop()
            if opening == "(":
                found.append(text[start : at + 1])
        if not (each.isalnum() or each in _IN_WORDS):
            word = at + 1
    return [] if begun else [each for each in found if ": " not in each and "->" not in each]


def _repeated(parts: Sequence[str]) -> str | None:
    """Return the repeated group that saves most characters if it gets a name."""
    counts = Counter[str](group for part in parts for group in _groups(part) if group != part)
    saved = {
        group: (count - 1) * len(group) for group, count in counts.items() if count > 1 and _is_worth(group, count)
    }
    return max(saved, key=lambda group: saved[group], default=None)


def _is_worth(group: str, count: int) -> bool:
    return len(group) >= _SHORTEST_REPEATED and (count - 1) * len(group) > 2 * _SHORTEST_REPEATED


def _single(parts: Sequence[str], room: int) -> str | None:
    """Return the longest group that fits a line, of the first part that does not."""
    for part in parts:
        if len(part) > room:
            inner = [each for each in _groups(part) if each != part]
            fitting = [each for each in inner if _SHORTEST_SINGLE <= len(each) <= _LONGEST_SINGLE]
            if fitting:
                return max(fitting, key=len)
    return None


def _numbered(parts: Sequence[str], letter: str) -> NamedCondition:
    """Number the names in the order in which a reader meets them."""
    marks = re.compile(rf"{letter}<(\d+)>")
    order = [0]
    for place in order:  # it grows
        order += [each for each in dict.fromkeys(map(int, marks.findall(parts[place]))) if each not in order]
    names = {place: f"{letter}{number}" for number, place in enumerate(order)}
    expanded = [marks.sub(lambda mark: names[int(mark[1])], parts[place]) for place in order]
    return NamedCondition(
        expanded[0], tuple((names[place], text) for place, text in zip(order, expanded, strict=True))[1:]
    )


def print_condition(page: Page, label: str, text: str, style: str = "", *, verbose: bool = False) -> None:
    """Print a condition beside its label, and below it the definitions of the names in it.

    Args:
        page: Where to print.
        text: The condition.
        style: Style of the condition.
        verbose: Whether nothing is left out. Otherwise the place of the whole is printed.
    """
    named = with_names(text)
    page.field(label, _shown(named.text, verbose), style, indent=3)
    print_names(page, named, len(text), indent=3, verbose=verbose)


def print_conditions(page: Page, rows: Sequence[tuple[str, str]], *, verbose: bool) -> None:
    """Print conditions, each with its label, and below them the definition of their shared alternatives."""
    texts, definitions = with_shared_alternatives([text for _, text in rows])
    for (label, _), text in zip(rows, texts, strict=True):
        print_condition(page, label, text, "bold", verbose=verbose)
    for name, part in definitions:
        print_condition(page, "where", f"{name} = {part}", verbose=verbose)


def print_names(page: Page, named: NamedCondition, length: int, *, indent: int, verbose: bool) -> None:
    """Print the definitions of the names in a condition, given the length of the condition without them."""
    shown = named.definitions if verbose else named.definitions[:MOST_DEFINITIONS]
    widest = max((len(name) for name, _ in shown), default=0)
    for number, (name, part) in enumerate(shown):
        definition = f"{name.ljust(widest)} = {_shown(part, verbose)}"
        page.field("" if number else "where", definition, indent=indent, hanging=widest + 3)
    is_cut = any(len(each) > LONGEST_SHOWN for each in (named.text, *(part for _, part in shown)))
    if not verbose and (is_cut or len(shown) < len(named.definitions)):
        page.line(f"in full it has {length:,} characters, which --verbose shows", indent=indent + LABEL_WIDTH)


def _shown(text: str, verbose: bool) -> str:
    return text if verbose else shortened(text, LONGEST_SHOWN)
