"""Tokens of the text in which people write sizes, shapes and claims, and the caret under what is wrong with it."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

from shapesolve.errors import InputError
from shapesolve.language.atoms import MAX_SIZE
from shapesolve.records import value_record

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
    """A piece of the text from ``start`` to ``end``."""

    kind: TokenKind
    text: str
    start: int
    end: int


def mistake(message: str, text: str, start: int, end: int) -> InputError:
    """The error that shows the line of ``text`` with carets under ``start`` to ``end``."""
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
    """The tokens of a text, ending with an empty one of the kind "end". Raises InputError for what is not a token."""
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
    """Return a name that a text can use for a size or a shape. Raises InputError for any other."""
    if name in WORDS or name == "None" or name in _PYTHON_WORDS:
        raise mistake(f"`{name}` is a word of the language; a size needs another name", name, 0, len(name))
    if not _NAME.fullmatch(name):
        raise mistake(
            "a name is letters, digits, `_`, `$` and `.`, and begins with a letter or `_`", name, 0, len(name)
        )
    return name


def is_name(text: str) -> bool:
    """Whether a text as it stands is the name of a size or a shape, and can be nothing else."""
    try:
        found = tokens(text)
    except InputError:
        return False
    return [each.kind for each in found] == ["name", "end"] and not text.endswith((".rank", ".shape"))


def _ends_operand(token: Token) -> bool:
    """Whether a `%` behind this token means a remainder; elsewhere it begins a name such as `%arg0`."""
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
