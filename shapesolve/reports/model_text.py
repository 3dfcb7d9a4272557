"""Operations and values of an exported program in the words of its model: the user's operation, line and arguments."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from shapesolve.ir.program import Function, Location, Operation, Program
from shapesolve.trace.events import Obligation

_NAME = re.compile(r"(?P<name>%[\w$]+(?:#\d+)?)(?P<element>\.element(?:'\d+)?)?")


class ModelText:
    """Words for the operations of one function, where it is a model's own program; otherwise those of the program.

    Attributes:
        is_own: Whether it is.
    """

    def __init__(self, program: Program, function: Function) -> None:
        self.is_own = program.level == "torch" or (bool(program.model) and not program.level)  # JAX has only one level
        self._function = function
        self._program = program

    def is_placed(self, op: Operation) -> bool:
        """Return whether the line of the model is known that an operation of its own program comes from."""
        return self.is_own and op.origin is not None and bool(op.origin.file)

    def place(self, obligation: Obligation) -> str:
        """Return where an obligation arises: a line of the model, or else one of the program."""
        if self.is_placed(obligation.op):
            return str(obligation.op.origin)
        return str(obligation.location)

    def short_place(self, obligation: Obligation) -> str:
        """Return the place of an obligation for a list of several, with the call where names are those of a callee."""
        if self.is_placed(obligation.op):
            return self.place(obligation)
        here = f"line {obligation.location.line}"
        if not obligation.calls:
            return here
        called = obligation.calls[0].op.location.line
        return f"{here} in @{obligation.calls[-1].function.name}{f', called in line {called}' if called else ''}"

    def line(self, location: Location) -> str:
        """Return the line of the model that an operation at a location comes from, or else that of the program."""
        op = self._at.get(location)
        return str(op.origin) if op is not None and self.is_placed(op) else f"line {location.line}"

    def operation(self, op: Operation) -> str:
        """Return the operation of the user's model, or that of the program if there is none."""
        return op.origin.operation or op.name if self.is_placed(op) and op.origin is not None else op.name

    def words(self, text: str, within: Operation | None = None) -> str:
        """Return a text with values called after the operations that make them: ``the result of chunk (line 23)``.

        Values that belong to the same operation of the model as ``within`` are not results of it.
        """
        if not self.is_own or "%" not in text:
            return text
        return _NAME.sub(lambda match: self._value(match, within), text)

    def _value(self, match: re.Match[str], within: Operation | None) -> str:
        name = match["name"]
        if name in self._arguments:
            value = name.removeprefix("%")
        elif (op := self._makers.get(name)) is not None and self.is_placed(op) and op.origin is not None:
            if within is not None and op is not within and op.origin == within.origin:
                value = f"a value inside of {self.operation(op)}"
            else:
                value = f"the result of {self.operation(op)} (line {op.origin.line})"
        else:
            return match[0]
        return f"an element of {value}" if match["element"] else value

    @cached_property
    def _arguments(self) -> frozenset[str]:
        return frozenset(each.name for each in self._function.arguments)

    @cached_property
    def _at(self) -> Mapping[Location, Operation]:
        return {op.location: op for op in self._program.operation.walk()} if self.is_own else {}

    @cached_property
    def _makers(self) -> Mapping[str, Operation]:
        return {result.name: op for op in self._function.operation.walk() for result in op.results}
