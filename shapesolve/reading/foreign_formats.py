"""Files that people hand over by mistake: what they look like, and how to get MLIR from them."""

from __future__ import annotations


def foreign_binary(data: bytes) -> str | None:
    """What a file that is not MLIR looks like by its first bytes, and what to do about it; None for text."""
    return None


def foreign_text(text: str) -> str | None:
    """What a text that is not MLIR looks like by its first lines, and what to do about it; None where it may be MLIR."""
    return None
