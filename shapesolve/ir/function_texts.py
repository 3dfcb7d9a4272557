"""Texts of functions in a module that MLIR refuses as a whole.

Lines stay lines: what is taken out of a text is replaced by spaces, so that places in the rest are those of the file.
"""

from __future__ import annotations

import re

from shapesolve.records import value_record

_TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|[(){}\[\]]')
_FUNCTION = re.compile(
    r"^[ \t]*(?P<op>func\.func|shape\.func)[ \t]+(?:(?P<visibility>public|private|nested)[ \t]+)?"
    r'@(?P<name>[\w$.\-]+|"[^"\n]*")',
    re.MULTILINE,
)
_TRAILING_LOCATION = re.compile(r"[ \t]*loc\(")
_ATTRIBUTES = re.compile(r"attributes\s*$")
_VISIBLE = re.compile(r"[^\s]")


@value_record
class FunctionText:
    """Text of one function with a body, as offsets into the text of its module.

    Attributes:
        name: The name as it is written.
        start: Offset of the operation's name.
        body: Offset of the bracket that opens the body.
        end: Offset behind the function.
        head: Text of a declaration of the function.
        lines: First and last line.
    """

    name: str
    start: int
    body: int
    end: int
    head: str
    lines: tuple[int, int]


def function_around(text: str, line: int) -> FunctionText | None:
    """Return the function with a body that a 1-based line belongs to, or None."""
    first, counted, behind = 1, 0, 0
    for match in _FUNCTION.finditer(text):
        first, counted = first + text.count("\n", counted, match.start("op")), match.start("op")
        if first > line:
            return None
        if counted < behind:
            continue
        function = _function(text, match, first)
        if function is not None and line <= function.lines[1]:
            return function
        behind = behind if function is None else function.end
    return None


def declared(text: str, function: FunctionText) -> str:
    """Return the text with a declaration in place of a function."""
    rest = _blank(text[function.body : function.end])
    return f"{text[: function.start]}{function.head}{rest}{text[function.end :]}"


def without_declaration(text: str, function: FunctionText) -> str | None:
    """Return the text without the declaration that `declared` put in; None if it is not found."""
    offset = 0
    for _ in range(function.lines[0] - 1):
        offset = text.find("\n", offset) + 1
    place = text.find(function.head, offset)
    if place < 0:
        return None
    return f"{text[:place]}{_blank(function.head)}{text[place + len(function.head) :]}"


def _blank(text: str) -> str:
    return _VISIBLE.sub(" ", text)


def _function(text: str, match: re.Match[str], first: int) -> FunctionText | None:
    """Return the function that begins at a match, or None if it has no body or its brackets do not close."""
    start = match.start("op")
    body = _opening_of_body(text, match.end("name"))
    if body is None:
        return None
    end = _behind_closing(text, body)
    if end is None:
        return None
    location = _TRAILING_LOCATION.match(text, end)
    if location is not None:
        end = _behind_closing(text, location.end() - 1) or end
    head = f"{match['op']} private {text[match.start('name') - 1 : body]}"
    return FunctionText(match["name"], start, body, end, head, (first, first + text.count("\n", start, end)))


def _opening_of_body(text: str, place: int) -> int | None:
    """Return the offset of the bracket that opens the body of the function whose name ends at ``place``."""
    while (token := _TOKEN.search(text, place)) is not None:
        # Behind a declaration another operation begins.
        if "@" in text[place : token.start()] or token[0][0] in ')]}"':
            return None
        place = token.end()
        if token[0] == "{" and not _ATTRIBUTES.search(text, max(0, token.start() - 40), token.start()):
            return token.start()
        if token[0] in "([{":
            behind = _behind_closing(text, token.start())
            if behind is None:
                return None
            place = behind
    return None


def _behind_closing(text: str, opening: int) -> int | None:
    """Return the offset behind the bracket that closes the one at an offset, or None if they do not match."""
    depth: list[str] = []
    for token in _TOKEN.finditer(text, opening):
        bracket = token[0]
        if bracket in "([{":
            depth.append({"(": ")", "[": "]", "{": "}"}[bracket])
        elif bracket in ")]}":
            if not depth or depth.pop() != bracket:
                return None
            if not depth:
                return token.end()
    return None
