"""The grammar of sizes, shapes and claims: text to tokens and to a syntax tree, in which names have no kind yet.

Loosest first: ``->`` (or ``implies``), ``or``, ``and``, ``not``, comparisons (chained as in Python), ``+ -``,
``* / // %``, unary minus, ``**``, then ``a[1]``, ``a.rank`` and calls. ``/`` is allowed inside ``floor`` and
``ceiling`` only. Errors show the text with carets under the mistake.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import field
from enum import Enum, auto
from typing import Literal

from shapesolve.errors import InputError
from shapesolve.int64 import MAX_SIZE
from shapesolve.records import value_record

MAX_NESTING = 100
"""Brackets nested deeper are refused."""

MAX_HEIGHT = 100
"""Trees higher than this are refused."""


class Form(Enum):
    """Kind of a node of the syntax tree."""

    NUMBER = auto()
    NAME = auto()
    TRUTH = auto()
    INVALID = auto()
    SHAPE = auto()
    INDEX = auto()
    SLICE = auto()
    CALL = auto()
    NEGATIVE = auto()
    POWER = auto()
    PRODUCT = auto()
    SUM = auto()
    COMPARISON = auto()
    ERROR = auto()
    NOT = auto()
    AND = auto()
    OR = auto()
    IMPLICATION = auto()


@value_record
class Tree:
    """Node of the syntax tree: a piece of text and its parts.

    ``words`` holds the tokens of the form beside its parts: the operators between them, the name, the digits, the
    function.
    """

    form: Form
    start: int
    end: int
    parts: tuple[Tree, ...] = ()
    words: tuple[str, ...] = ()
    height: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "height", 1 + max((part.height for part in self.parts), default=0))

    @property
    def word(self) -> str:
        return self.words[0]


_LEVELS = {
    **dict.fromkeys(("->", "implies"), 1),
    "or": 2,
    "and": 3,
    **dict.fromkeys(("==", "!=", "<=", ">=", "<", ">"), 5),
    **dict.fromkeys("+-", 6),
    **dict.fromkeys(("*", "/", "//", "%"), 7),
    "**": 9,
}
_NOT_LEVEL = 4
_FORMS = {1: Form.IMPLICATION, 2: Form.OR, 3: Form.AND, 5: Form.COMPARISON, 6: Form.SUM, 7: Form.PRODUCT, 9: Form.POWER}
_CLOSING = {"(": ")", "[": "]"}


def tree(text: str) -> Tree:
    """Parse a whole text.

    Raises:
        InputError: The text has a mistake; the error shows the first one.
    """
    parser = _Parser(text)
    if parser.next.kind == "end":
        raise mistake("the text is empty", text, 0, 1)
    whole = parser.expression(1)
    parser.expect_end()
    return whole


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.place = 0
        self.open: list[Token] = []

    @property
    def next(self) -> Token:
        return self.tokens[self.place]

    def take(self) -> Token:
        token = self.tokens[self.place]
        self.place += 1
        return token

    def at(self, sign: str) -> bool:
        return self.next.kind in ("sign", "word") and self.next.text == sign

    def wrong(self, message: str, token: Token | None = None) -> InputError:
        token = token or self.next
        return mistake(message, self.text, token.start, token.end)

    def tree(self, form: Form, start: int, end: int, parts: tuple[Tree, ...] = (), words: tuple[str, ...] = ()) -> Tree:
        made = Tree(form, start, end, parts, words)
        if made.height > MAX_HEIGHT:
            raise mistake("this is nested too deep", self.text, start, end)
        return made

    def expect_end(self) -> None:
        token = self.next
        if token.kind == "end":
            return
        if token.text in (")", "]"):
            raise self.wrong(f"no bracket is open for this `{token.text}`")
        raise self.wrong(f"the text should end before `{token.text}`, or a sign is missing between the two")

    # Expressions -------------------------------------------------------------------------------------------------

    def expression(self, level: int) -> Tree:
        """Parse the longest expression whose operators bind at least as tightly as ``level``."""
        left = self.prefixed(level)
        while (binding := self.binding()) >= level:
            parts, words = [left], list[str]()
            while self.binding() == binding:
                words.append(self.take().text)
                parts.append(self.expression(binding + 1))
            left = self.tree(_FORMS[binding], left.start, parts[-1].end, tuple(parts), tuple(words))
        return left

    def binding(self) -> int:
        return _LEVELS.get(self.next.text, 0) if self.next.kind in ("sign", "word") else 0

    def prefixed(self, level: int) -> Tree:
        start = self.next.start
        if self.at("not"):
            if level > _NOT_LEVEL:
                raise self.wrong("`not` needs parentheses here: `(not ...)`")
            odd = self.signs("not")
            operand = self.expression(_NOT_LEVEL + 1)
            return self.tree(Form.NOT, start, operand.end, (operand,)) if odd else operand
        if self.at("-") or self.at("+"):
            odd = self.signs("-", "+")
            operand = self.expression(9)
            return self.tree(Form.NEGATIVE, start, operand.end, (operand,)) if odd else operand
        return self.postfixed()

    def signs(self, counted: str, ignored: str = "") -> bool:
        """Consume a run of prefixes, and return whether the counted one comes an odd number of times."""
        odd = False
        while self.at(counted) or (ignored and self.at(ignored)):
            odd ^= self.take().text == counted
        return odd

    def postfixed(self) -> Tree:
        found = self.primary()
        while self.at("[") or self.at("."):
            if self.at("["):
                found = self.subscript(found)
            else:
                self.take()
                word = self.take()
                found = self.attribute(found, word.text, word)
        return found

    def subscript(self, owner: Tree) -> Tree:
        """Parse ``[i]`` behind a shape, or ``[i:j]``, where either end may be left out."""
        opening = self.next
        ends, end = self.items("one index", may_slice=True)
        if end is not None:
            return self.tree(Form.INDEX, owner.start, end, (owner, *ends))
        self.take()
        words = ("start",) * len(ends)
        if not self.at("]"):
            ends, words = (*ends, self.expression(1)), (*words, "stop")
        if not self.at("]"):
            raise self.unclosed(opening, "]")
        self.open.pop()
        return self.tree(Form.SLICE, owner.start, self.take().end, (owner, *ends), words)

    def attribute(self, owner: Tree, word: str, token: Token) -> Tree:
        if word == "shape":
            return owner
        if word == "rank":
            return self.tree(Form.CALL, owner.start, token.end, (owner,), ("rank",))
        raise self.wrong("only `.rank` and `.shape` can stand behind a shape", token)

    def primary(self) -> Tree:
        token = self.next
        if token.kind == "number":
            self.take()
            return self.tree(Form.NUMBER, token.start, token.end, words=(token.text,))
        if token.kind == "name":
            return self.name()
        if token.text in ("true", "false", "invalid"):
            self.take()
            form = Form.INVALID if token.text == "invalid" else Form.TRUTH
            return self.tree(form, token.start, token.end, words=(token.text,))
        if self.at("["):
            items, end = self.enclosed()
            return self.tree(Form.SHAPE, token.start, end, items)
        if self.at("("):
            (inner,), _ = self.enclosed("one expression")
            return inner
        raise self.wrong(self.missing(token))

    def missing(self, token: Token) -> str:
        before = self.tokens[self.place - 1].text if self.place else ""
        if token.kind == "end":
            return f"something is missing after `{before}`"
        if before:
            return f"something is missing between `{before}` and `{token.text}`"
        return f"something is missing before `{token.text}`"

    def name(self) -> Tree:
        token = self.take()
        if self.at("("):
            arguments, end = self.enclosed()
            return self.tree(Form.CALL, token.start, end, arguments, (token.text,))
        owner, suffixes = token.text, list[str]()
        while owner.endswith((".rank", ".shape")):
            owner, _, suffix = owner.rpartition(".")
            suffixes.append(suffix)
        found = self.tree(Form.NAME, token.start, token.start + len(owner), words=(owner,))
        for suffix in reversed(suffixes):
            found = self.attribute(found, suffix, token)
        return self.error(found) if self.next.kind == "name" and self.next.text == "is" else found

    def error(self, name: Tree) -> Tree:
        """Parse ``is an error`` or ``is not an error`` behind a name."""
        words = self.take().text
        while self.next.text in ("not", "an", "error") and not words.endswith("error"):
            words += f" {self.take().text}"
        if words not in ("is an error", "is not an error"):
            raise self.wrong(f"after `is` comes `an error` or `not an error`: `{name.word} is an error`")
        found = self.tree(Form.ERROR, name.start, self.tokens[self.place - 1].end, (name,))
        return found if words == "is an error" else self.tree(Form.NOT, name.start, found.end, (found,))

    def enclosed(self, wanted: str = "") -> tuple[tuple[Tree, ...], int]:
        """Parse a list in brackets, and return its items and its end; ``wanted`` names the item if there must be 1."""
        found, end = self.items(wanted)
        assert end is not None
        return found, end

    def items(self, wanted: str, *, may_slice: bool = False) -> tuple[tuple[Tree, ...], int | None]:
        """Parse items up to the closing bracket; or up to a ``:``, where a slice may stand: then there is no end."""
        opening = self.take()
        closing = _CLOSING[opening.text]
        self.open.append(opening)
        if len(self.open) > MAX_NESTING:
            raise self.wrong(f"brackets are nested deeper than {MAX_NESTING}", opening)
        found: list[Tree] = []
        while not self.at(closing):
            if not (may_slice and self.at(":")):
                found.append(self.expression(1))
            if may_slice and self.at(":"):
                return tuple(found), None
            if not self.at(","):
                break
            if wanted:
                raise self.wrong(f"`{opening.text}...{closing}` holds {wanted} here")
            self.take()
        if not self.at(closing):
            raise self.unclosed(opening, closing)
        if wanted and not found:
            raise self.wrong(f"`{opening.text}...{closing}` is empty; it should hold {wanted}", opening)
        self.open.pop()
        return tuple(found), self.take().end

    def unclosed(self, opening: Token, closing: str) -> InputError:
        token = self.next
        if token.kind == "end":
            return self.wrong(f"this `{opening.text}` is never closed", opening)
        return self.wrong(f"`{closing}` or `,` is missing before `{token.text}`")


MAX_TEXT = 10_000
"""Longer texts, in characters, are refused."""

_SHOWN = 100  # characters of a long line around the mistake

TokenKind = Literal["number", "name", "word", "sign", "end"]

WORDS = frozenset({"and", "or", "not", "implies", "true", "false", "invalid"})
"""Reserved words; they name no size and no shape."""

_NUMBER = re.compile(r"[0-9][0-9_]*")
_NAME = re.compile(r"%?[A-Za-z_][A-Za-z0-9_$]*(?:\.[A-Za-z0-9_$]+)*|%[0-9]+(?:#[0-9]+)?")
_SIGN = re.compile(r"\*\*|//|==|!=|<=|>=|->|[-+*/%<>()\[\],.:]")

# What people write in other languages or typeset, longest first, and what it is called here.
_FOREIGN = {
    "===": "==",
    "!==": "!=",
    "<=>": "==",
    ":=": "==",
    "=>": ">=` or, for an implication, `->",
    "=<": "<=",
    "<>": "!=",
    "&&": "and",
    "||": "or",
    "=": "==",
    "&": "and",
    "|": "or",
    "!": "not",
    "~": "not",
    "^": "**",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "\N{MULTIPLICATION SIGN}": "*",
    "·": "*",
    "÷": "//",
    "\N{MINUS SIGN}": "-",
    "\N{EN DASH}": "-",
    "—": "-",
    "∧": "and",
    "\N{LOGICAL OR}": "or",
    "¬": "not",
    "→": "->",
    "⇒": "->",
    "⟹": "->",
}
_FOREIGN_SIGN = re.compile("|".join(map(re.escape, sorted(_FOREIGN, key=len, reverse=True))))
_PYTHON_WORDS = {"True": "true", "False": "false", "AND": "and", "OR": "or", "NOT": "not", "TRUE": "true"}


@value_record
class Token:
    """Lexical token: the text from ``start`` to ``end``."""

    kind: TokenKind
    text: str
    start: int
    end: int


def mistake(message: str, text: str, start: int, end: int) -> InputError:
    """Return the error that shows the line of ``text`` with carets under ``start`` to ``end``."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", start)
    last = len(text) if last < 0 else last
    if last - first > _SHOWN:
        first = max(first, start - _SHOWN // 2)
        last = min(last, first + _SHOWN)
    line = "".join(letter if letter.isprintable() else " " for letter in text[first:last])
    width = max(1, min(end, last) - start)
    return InputError(message, excerpt=f"{line}\n{' ' * (start - first)}{'^' * width}")


def tokens(text: str) -> list[Token]:
    """Return the tokens of a text, ending with an empty one of the kind "end".

    Raises:
        InputError: A character begins no token.
    """
    if len(text) > MAX_TEXT:
        raise mistake(f"the text has {len(text):,} characters; at most {MAX_TEXT:,} are read", text, 0, 1)
    found: list[Token] = []
    place = 0
    while place < len(text):
        if text[place].isspace():
            place += 1
            continue
        token = _token(text, place, after_operand=bool(found) and _ends_operand(found[-1]))
        found.append(token)
        place = token.end
    found.append(Token("end", "", place, place))
    return found


def check_name(name: str) -> str:
    """Return a name that a text can use for a size or a shape.

    Raises:
        InputError: The text cannot be such a name.
    """
    if name in WORDS or name == "None" or name in _PYTHON_WORDS:
        raise mistake(f"`{name}` is a word of the language; a size needs another name", name, 0, len(name))
    if not _NAME.fullmatch(name):
        raise mistake(
            "a name is letters, digits, `_`, `$` and `.`, and begins with a letter or `_`", name, 0, len(name)
        )
    return name


def is_name(text: str) -> bool:
    """Return whether a text as it stands is the name of a size or a shape, and can be nothing else."""
    try:
        found = tokens(text)
    except InputError:
        return False
    return [each.kind for each in found] == ["name", "end"] and not text.endswith((".rank", ".shape"))


def _ends_operand(token: Token) -> bool:
    """Return whether a `%` behind this token is a remainder; elsewhere it begins a name such as `%arg0`."""
    return token.kind in ("number", "name") or token.text in (")", "]", "true", "false", "invalid")


def _token(text: str, place: int, *, after_operand: bool) -> Token:
    if match := _NUMBER.match(text, place):
        return _number(text, match)
    if not (after_operand and text[place] == "%") and (match := _NAME.match(text, place)):
        return _name(text, match)
    foreign = _FOREIGN_SIGN.match(text, place)
    match = _SIGN.match(text, place)
    if match and not (foreign and len(foreign.group()) > len(match.group())):
        return Token("sign", match.group(), place, match.end())
    if foreign:
        raise mistake(
            f"`{foreign.group()}` is not used here; write `{_FOREIGN[foreign.group()]}`", text, place, foreign.end()
        )
    raise mistake(_unknown_character(text[place]), text, place, place + 1)


def _number(text: str, match: re.Match[str]) -> Token:
    place, end, digits = match.start(), match.end(), match.group()
    after = text[end : end + 2]
    if digits.endswith("_") or "__" in digits:
        raise mistake("an underscore in a number stands between two digits", text, place, end)
    if after[:1] == "." and (len(after) == 1 or not after[1].isalpha()):
        raise mistake("sizes are integers; this is not one", text, place, end + 1)
    if after[:1].isalpha():
        word = _NAME.match(text, end)
        stop = word.end() if word else end + 1
        raise mistake(f"a product needs its sign: `{digits}*{text[end:stop]}`", text, place, stop)
    plain = digits.replace("_", "").lstrip("0") or "0"
    if len(plain) > len(str(MAX_SIZE)) or int(plain) > MAX_SIZE:
        raise mistake(f"no size is larger than {MAX_SIZE} (2**63 - 1)", text, place, end)
    return Token("number", plain, place, end)


def _name(text: str, match: re.Match[str]) -> Token:
    word, place, end = match.group(), match.start(), match.end()
    if word in _PYTHON_WORDS:
        raise mistake(f"`{word}` is written `{_PYTHON_WORDS[word]}` here", text, place, end)
    if word == "None":
        raise mistake("`None` is no size; give an unknown size a name", text, place, end)
    return Token("word" if word in WORDS else "name", word, place, end)


def _unknown_character(character: str) -> str:
    if character == "?":
        return "`?` says nothing about a size; give it a name"
    code = f"U+{ord(character):04X} {unicodedata.name(character, 'without a name')}"
    shown = f"`{character}`" if character.isascii() and character.isprintable() else f"the character {code}"
    plain = unicodedata.normalize("NFKC", character)
    if plain != character and len(plain) == 1 and plain.isascii() and plain.isprintable():
        return f"{shown} is not used here; write a plain `{plain}`"
    if character.isalpha():
        return f"{shown} is not used here; names are made of plain letters, digits, `_` and `.`"
    return f"{shown} is not used here"
