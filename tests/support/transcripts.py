"""Transcripts on pages: commands, files and what is printed.

``...`` in an excerpt stands for lines that are left out; every other line has to be there, in its order.
"""

from __future__ import annotations

import re


def shown(page: str) -> list[tuple[str, str]]:
    """Return the commands of the ``console`` blocks of a page, and what it shows of what each prints."""
    return [each for block in re.findall(r"```console\n(.*?)```", page, re.DOTALL) for each in commands(block)]


def commands(block: str) -> list[tuple[str, str]]:
    """Return the commands of one block, and what it shows of what each prints."""
    parts = re.split(r"^\$ ", block.replace("\\\n", " "), flags=re.MULTILINE)[1:]
    return [(command, excerpt) for command, _, excerpt in (part.partition("\n") for part in parts)]


def assert_printed(excerpt: str, printed: str) -> None:
    """Assert that each line of an excerpt was printed, in its order."""
    rest = printed.splitlines()
    for line in excerpt.splitlines():
        if line.strip() == "...":
            continue
        assert line in rest, f"not printed, or not in this order: {line!r}\n{printed}"
        rest = rest[rest.index(line) + 1 :]
