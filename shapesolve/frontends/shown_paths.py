"""Format of paths in reports."""

from __future__ import annotations

import os


def relative(file: str) -> str:
    """Return a path relative to the current directory where it lies below it."""
    try:
        found = os.path.relpath(file)
    except ValueError:  # another drive
        return file
    return file if found.startswith("..") else found
