"""What others say where they fail, in one line that is worth reading."""

from __future__ import annotations

import re

LONGEST = 800
"""Characters of somebody else's complaint."""

RETURNS = "returns"
"""How it begins what is said of a model that its framework ran to the end."""

_ADVICE = re.compile(
    r'For more information, run with TORCH_LOGS="[^"\n]*"\.?'
    r"|^(consider using data-dependent friendly|Caused by: |For more information|For extended logs"
    r"|If you suspect the guard was triggered from C\+\+|For more debugging help|For C\+\+ stack trace).*$"
    r"|The error above occurred when calling torch\.export[\s\S]*",
    re.MULTILINE,
)
"""What PyTorch adds to its complaints for those who run it themselves. What forced a size, and how that is mended,
stands between."""


def said_by(error: BaseException) -> str:
    """The kind of an exception and its message, on one line and without advice."""
    message = one_line(str(error))
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def one_line(text: str) -> str:
    """A message on one line; a long one ends with an ellipsis."""
    line = " ".join(_ADVICE.sub("", text).split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST].rpartition(' ')[0]} ..."


def whole_message(error: BaseException) -> str:
    """Return the kind of an exception and all lines of its message, without advice."""
    lines = [line.rstrip() for line in _ADVICE.sub("", str(error)).splitlines() if line.strip()]
    return "\n".join([f"{type(error).__name__}: {lines[0]}", *lines[1:]]) if lines else type(error).__name__


def last_words(output: str) -> str:
    """What a process that ended said last: of a traceback, the exception."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    if not lines:
        return ""
    in_traceback = any(line.startswith("Traceback (most recent call last)") for line in lines)
    return one_line(lines[-1] if in_traceback else " ".join(lines[-3:]))
