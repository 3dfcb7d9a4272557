"""``shapesolve init``: a configuration in which everything is commented out."""

from __future__ import annotations

import argparse
from pathlib import Path

from shapesolve.cli.configuration import OWN_FILE, SHARED_FILE, template
from shapesolve.cli.output_files import write
from shapesolve.errors import InputError


def run(arguments: argparse.Namespace) -> int:
    """Write shapesolve.toml or, with --pyproject, add a table to pyproject.toml."""
    if not arguments.pyproject:
        if Path(OWN_FILE).exists():
            raise InputError("the file exists already; it is never overwritten", where=OWN_FILE)
        write(OWN_FILE, template(shared=False), OWN_FILE)
        print(f"{OWN_FILE} written")
        return 0
    path = Path(SHARED_FILE)
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"it cannot be read: {error}", where=SHARED_FILE) from None
    if "tool.shapesolve" in text:
        raise InputError("it has a table [tool.shapesolve] already", where=SHARED_FILE)
    write(SHARED_FILE, f"{text.rstrip()}\n\n{template(shared=True)}", SHARED_FILE)
    print(f"[tool.shapesolve] added to {SHARED_FILE}")
    return 0
