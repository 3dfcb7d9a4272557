"""``shapesolve lsp``: the language server, on standard input and output."""

from __future__ import annotations

import argparse

from shapesolve.cli.servers import started


def run(arguments: argparse.Namespace) -> int:
    """Serve until the editor ends the session."""
    del arguments
    started("lsp", "shapesolve.servers.language_server").start_io()
    return 0
