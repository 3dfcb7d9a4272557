"""``shapesolve lsp``: the language server, on standard input and output."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from shapesolve.cli.configuration import find, read
from shapesolve.cli.servers import require_standard_streams, started
from shapesolve.servers.model_runs import ConfiguredModel


def run(arguments: argparse.Namespace) -> int:
    """Serve until the editor ends the session."""
    require_standard_streams("lsp")
    configured = (configured_models,) if arguments.models else ()
    server = started("lsp", "shapesolve.servers.language_server", *configured)
    # The server closes what it writes to; standard output is flushed when the command ends.
    with open(os.dup(sys.stdout.fileno()), "wb") as output:
        server.start_io(stdout=output)
    return 0


def configured_models(file: str) -> list[ConfiguredModel]:
    """Return the models that the project of a Python file names, whichever of its files they are in.

    Raises:
        InputError: The configuration is not of its form.
    """
    found = find(Path(file).parent)
    if found is None:
        return []
    path = os.path.abspath(found)
    directory = os.path.dirname(path)
    models: list[ConfiguredModel] = []
    for each in read(path).models:
        name, _, _ = each.source.rpartition(":")
        # -P: the project's folder is not searched for the modules of this package.
        command = (sys.executable, "-P", "-m", "shapesolve.cli.model_analysis", path, each.source, *each.inputs)
        models.append(ConfiguredModel(each.source, os.path.realpath(os.path.join(directory, name)), directory, command))
    return models
