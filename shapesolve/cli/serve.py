"""``shapesolve serve``: the playground, in a browser."""

from __future__ import annotations

import argparse
import errno
import os
import socket
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
    if not host:
        raise InputError("the name of the host is empty", where="--host")
    jobs = arguments.jobs or max(2, os.cpu_count() or 1)
    if host not in playground.LOOPBACK:
        print(f"note: {host} is no loopback address: others may reach the playground", file=sys.stderr)
    with _listening(host, port) as listening:
        shown = f"[{host}]" if ":" in host else host
        print(f"http://{shown}:{port}/ (Ctrl-C ends it)", flush=True)
        application = playground.make_application(host=host, jobs=jobs)
        configuration = uvicorn.Config(
            application, log_level="error", access_log=False, server_header=False,
            limit_concurrency=MOST_CONNECTIONS, timeout_keep_alive=5, timeout_graceful_shutdown=1,
        )  # fmt: skip
        with suppress(KeyboardInterrupt):
            try:
                uvicorn.Server(configuration).run(sockets=[listening])
            except SystemExit:  # the server has said why
                return 2
    return 0


def _listening(host: str, port: int) -> socket.socket:
    """Return a bound socket, so that the printed address is usable.

    Raises:
        InputError: The address is not to be had.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)
    except OSError as error:
        raise InputError(f"{host}: {error.strerror or error}", where="--host") from None
    try:
        if sys.platform != "win32":  # there it would share a port that is taken
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen()
    except OSError as error:
        bound.close()
        if error.errno == errno.EADDRINUSE:
            raise InputError(f"{port} is taken by another process; give another port", where="--port") from None
        raise InputError(f"{host}, port {port}: {error.strerror or error}", where="--host") from None
    return bound
