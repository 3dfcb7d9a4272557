"""What can go wrong with what a user gives us. Every one ends a command with exit code 2 and no traceback."""

from __future__ import annotations


class InputError(Exception):
    """The input cannot be used: ``where`` says the place (``file:line:column``, an option), if one is known."""

    def __init__(self, message: str, *, where: str = "", excerpt: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.excerpt = excerpt  # the offending source line with a caret below, ready to print

    def __str__(self) -> str:
        head = f"{self.where}: {self.message}" if self.where else self.message
        return f"{head}\n{self.excerpt}" if self.excerpt else head
