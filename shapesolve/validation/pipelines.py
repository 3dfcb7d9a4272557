"""Textual pass pipelines, split into steps of one pass each.

A step keeps the operations that its pass is anchored on: of ``builtin.module(cse,func.func(a,b))`` the steps are
``builtin.module(cse)``, ``builtin.module(func.func(a))`` and ``builtin.module(func.func(b))``.
"""

from __future__ import annotations

from collections.abc import Iterator

from shapesolve.errors import InputError
from shapesolve.records import value_record

WHERE = "--pipeline"
_OUTERMOST = ("builtin.module", "any")


@value_record
class PassStep:
    """One pass of a pipeline.

    Attributes:
        number: The position in the pipeline, from 1.
        name: The name of the pass, without its options.
        pipeline: The pipeline that runs this pass alone.
    """

    number: int
    name: str
    pipeline: str


def split_pipeline(text: str) -> tuple[PassStep, ...]:
    """Return the passes of a pipeline in the order in which they run.

    Raises:
        InputError: Brackets do not match, or an operation that passes are anchored on is missing; with the column.
    """
    passes = [(name, pipeline) for name, pipeline in _elements(_Text(text), ()) if name]
    return tuple(PassStep(number, name, pipeline) for number, (name, pipeline) in enumerate(passes, 1))


class _Text:
    """A pipeline and the position up to which it is parsed."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def next(self) -> str:
        """The next character, or an empty text at the end."""
        return self.text[self.position : self.position + 1]

    def take_until(self, ends: str) -> str:
        """Take the characters before one of ``ends``, or before the end of the text."""
        start = self.position
        while self.next() and self.next() not in ends:
            self.position += 1
        return self.text[start : self.position].strip()

    def take_options(self) -> str:
        """Take options in braces, which may hold braces and quotes.

        Raises:
            InputError: A brace is not closed.
        """
        start, depth, quote = self.position, 0, ""
        while character := self.next():
            self.position += 1
            if quote:
                quote = "" if character == quote else quote
            elif character in "'\"":
                quote = character
            else:
                depth += (character == "{") - (character == "}")
                if not depth:
                    return self.text[start : self.position]
        raise self.error("a brace is not closed", start)

    def error(self, message: str, position: int) -> InputError:
        """Return an error with a caret under a position."""
        return InputError(message, where=f"{WHERE}:1:{position + 1}", excerpt=f"{self.text}\n{' ' * position}^")


def _elements(text: _Text, anchors: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the name and the pipeline of each pass up to the closing bracket, with an empty name for no pass."""
    while True:
        start = text.position
        name = text.take_until("{(),")
        if text.next() == "(":
            opening = text.position
            if not anchors and name not in _OUTERMOST:
                raise text.error("a file is a module: write builtin.module(...) around it", start)
            text.position += 1
            yield from _elements(text, (*anchors, name))
            if text.next() != ")":
                raise text.error("a bracket is not closed", opening)
            text.position += 1
            text.take_until(",)")
        else:
            options = text.take_options() if text.next() == "{" else ""
            if name and not anchors:
                raise text.error("a pass stands outside of an operation: write builtin.module(...) around it", start)
            yield name, _anchored(anchors, name + options)
            text.take_until(",)")
        if text.next() != ",":
            break
        text.position += 1
    if text.next() == ")" and not anchors:
        raise text.error("a bracket is closed that was not opened", text.position)


def _anchored(anchors: tuple[str, ...], inside: str) -> str:
    return "(".join((*anchors, inside)) + ")" * len(anchors)
