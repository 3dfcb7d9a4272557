"""The grammar of sizes, shapes and claims: text to a tree, not yet knowing which name is a size and which a shape.

Loosest first: ``->`` (or ``implies``), ``or``, ``and``, ``not``, comparisons (chained as in Python), ``+ -``,
``* / // %``, unary minus, ``**``, then ``a[1]``, ``a.rank`` and calls. ``/`` has a meaning inside ``floor`` and
``ceiling`` only.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum, auto

from shapesolve.errors import InputError
from shapesolve.language.tokens import Token, mistake, tokens
from shapesolve.records import value_record

MAX_NESTING = 100
"""Brackets nested deeper are refused."""

MAX_HEIGHT = 100
"""Trees higher than this are refused."""


class Form(Enum):
    """What a tree is."""

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
    """A piece of text and its parts.

    ``words`` holds what the form needs beside its parts: the signs between them, the name, the digits, the function.
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
_FORMS = {
    1: Form.IMPLICATION,
    2: Form.OR,
    3: Form.AND,
    5: Form.COMPARISON,
    6: Form.SUM,
    7: Form.PRODUCT,
    9: Form.POWER,
}
_CLOSING = {"(": ")", "[": "]"}


def tree(text: str) -> Tree:
    """The tree of a whole text. Raises InputError with the place of the first mistake."""
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

    def made(self, form: Form, start: int, end: int, parts: tuple[Tree, ...] = (), words: tuple[str, ...] = ()) -> Tree:
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
        """The longest expression whose signs bind at least as tight as ``level``."""
        left = self.prefixed(level)
        while (binding := self.binding()) >= level:
            parts, words = [left], list[str]()
            while self.binding() == binding:
                words.append(self.take().text)
                parts.append(self.expression(binding + 1))
            left = self.made(_FORMS[binding], left.start, parts[-1].end, tuple(parts), tuple(words))
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
            return self.made(Form.NOT, start, operand.end, (operand,)) if odd else operand
        if self.at("-") or self.at("+"):
            odd = self.signs("-", "+")
            operand = self.expression(9)
            return self.made(Form.NEGATIVE, start, operand.end, (operand,)) if odd else operand
        return self.postfixed()

    def signs(self, counted: str, ignored: str = "") -> bool:
        """Take a run of prefixes; whether the counted one comes an odd number of times."""
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
        """Read ``[i]`` behind a shape, or ``[i:j]``, where either end may be left out."""
        opening = self.next
        ends, end = self.items("one index", may_slice=True)
        if end is not None:
            return self.made(Form.INDEX, owner.start, end, (owner, *ends))
        self.take()
        words = ("start",) * len(ends)
        if not self.at("]"):
            ends, words = (*ends, self.expression(1)), (*words, "stop")
        if not self.at("]"):
            raise self.unclosed(opening, "]")
        self.open.pop()
        return self.made(Form.SLICE, owner.start, self.take().end, (owner, *ends), words)

    def attribute(self, owner: Tree, word: str, token: Token) -> Tree:
        if word == "shape":
            return owner
        if word == "rank":
            return self.made(Form.CALL, owner.start, token.end, (owner,), ("rank",))
        raise self.wrong("only `.rank` and `.shape` can stand behind a shape", token)

    def primary(self) -> Tree:
        token = self.next
        if token.kind == "number":
            self.take()
            return self.made(Form.NUMBER, token.start, token.end, words=(token.text,))
        if token.kind == "name":
            return self.name()
        if token.text in ("true", "false", "invalid"):
            self.take()
            form = Form.INVALID if token.text == "invalid" else Form.TRUTH
            return self.made(form, token.start, token.end, words=(token.text,))
        if self.at("["):
            items, end = self.enclosed()
            return self.made(Form.SHAPE, token.start, end, items)
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
            return self.made(Form.CALL, token.start, end, arguments, (token.text,))
        owner, suffixes = token.text, list[str]()
        while owner.endswith((".rank", ".shape")):
            owner, _, suffix = owner.rpartition(".")
            suffixes.append(suffix)
        found = self.made(Form.NAME, token.start, token.start + len(owner), words=(owner,))
        for suffix in reversed(suffixes):
            found = self.attribute(found, suffix, token)
        return self.error(found) if self.next.kind == "name" and self.next.text == "is" else found

    def error(self, name: Tree) -> Tree:
        """``s is an error`` and ``s is not an error``, where a name is read already."""
        said = self.take().text
        while self.next.text in ("not", "an", "error") and not said.endswith("error"):
            said += f" {self.take().text}"
        if said not in ("is an error", "is not an error"):
            raise self.wrong(f"after `is` comes `an error` or `not an error`: `{name.word} is an error`")
        found = self.made(Form.ERROR, name.start, self.tokens[self.place - 1].end, (name,))
        return found if said == "is an error" else self.made(Form.NOT, name.start, found.end, (found,))

    def enclosed(self, wanted: str = "") -> tuple[tuple[Tree, ...], int]:
        """What stands in brackets, separated by commas, and where the brackets end; ``wanted`` if it must be one."""
        found, end = self.items(wanted)
        assert end is not None
        return found, end

    def items(self, wanted: str, *, may_slice: bool = False) -> tuple[tuple[Tree, ...], int | None]:
        """Read what stands in brackets up to their end; or up to a ``:``, where a slice may stand: then no end."""
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
