"""Old spellings of MLIR, and what they are called today: hints for text that no longer parses."""

from __future__ import annotations

import re


def spelling_hint(message: str, line: str, text: str) -> str | None:
    """What to write instead, if the message or the line it points at shows a spelling we know."""
    return None
