"""``shapesolve rules --coverage``: the items of the source documents with their rules and tests."""

from __future__ import annotations

import argparse
import sys

from shapesolve.cli.progress import json_text
from shapesolve.coverage.table import coverage, markdown, print_table, table_object
from shapesolve.errors import InputError
from shapesolve.reports.json_versions import VERSION
from shapesolve.reports.page import Page

FORMAT = "shapesolve-coverage"


def run(arguments: argparse.Namespace) -> int:
    """Print the coverage as text, as a page (``--markdown``) or as JSON."""
    if arguments.op is not None:
        raise InputError("the coverage is of everything: it takes no operation", where="--coverage")
    if arguments.markdown and arguments.json:
        raise InputError("it is --markdown or --json", where="--coverage")
    whole = coverage()
    if arguments.json:
        print(json_text({"format": FORMAT, "version": VERSION, "items": table_object(whole)}, arguments.json_version))
    elif arguments.markdown:
        sys.stdout.write(markdown(whole))
    else:
        print_table(whole, Page(color=arguments.color))
    return 0
