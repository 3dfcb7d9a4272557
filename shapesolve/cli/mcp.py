"""``shapesolve mcp``: tools for assistants, on standard input and output."""

from __future__ import annotations

import argparse

from shapesolve.cli.servers import require_standard_streams, started


def run(arguments: argparse.Namespace) -> int:
    """Serve until the client ends the session."""
    del arguments
    require_standard_streams("mcp")
    started("mcp", "shapesolve.servers.context_server").run("stdio")
    return 0
