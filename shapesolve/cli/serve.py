"""``shapesolve serve``: the playground, in a browser."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import suppress
from importlib import import_module

from shapesolve.errors import InputError

MOST_CONNECTIONS = 128


def run(arguments: argparse.Namespace) -> int:
    """Serve until interrupted."""
    try:
        uvicorn = import_module("uvicorn")
        playground = import_module("shapesolve.servers.playground")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("shapesolve"):
            raise
        raise InputError(f'{error.name} is not installed: pip install "shapesolve[serve]"', where="serve") from None
    host, port = arguments.host, arguments.port
    jobs = arguments.jobs or max(2, os.cpu_count() or 1)
    if host not in playground.LOOPBACK:
        print(f"note: {host} is no loopback address: others may reach the playground", file=sys.stderr)
    shown = f"[{host}]" if ":" in host else host
    print(f"http://{shown}:{port}/ (Ctrl-C ends it)", flush=True)
    application = playground.make_application(host=host, jobs=jobs)
    with suppress(KeyboardInterrupt):
        try:
            uvicorn.run(
                application, host=host, port=port, log_level="error", access_log=False, server_header=False,
                limit_concurrency=MOST_CONNECTIONS, timeout_keep_alive=5, timeout_graceful_shutdown=1,
            )  # fmt: skip
        except SystemExit:  # the server has said why
            return 2
    return 0
