"""``shapesolve serve`` and its port: the address is printed where it can be used, and only there."""

from __future__ import annotations

import socket
import subprocess
import sys
from urllib.request import urlopen

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from shapesolve.cli.main import main

pytestmark = pytest.mark.process


def test_a_printed_address_answers() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "shapesolve", "serve", "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            shown = process.stdout.readline()
            assert shown == f"http://127.0.0.1:{port}/ (Ctrl-C ends it)\n"
            with urlopen(f"http://127.0.0.1:{port}/examples", timeout=60) as found:
                assert found.status == 200
        finally:
            process.terminate()


def test_a_taken_port_is_an_error_without_an_address(capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 2
    result = capfd.readouterr()
    assert result.out == ""
    assert result.err == f"error: --port: {port} is taken by another process; give another port\n"


@pytest.mark.parametrize("host", ["nowhere.invalid", "192.0.2.1"])
def test_an_address_of_another_machine_is_an_error(host: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--host", host, "--port", "8033"]) == 2
    result = capfd.readouterr()
    assert result.out == ""
    assert "error: --host: " in result.err and host in result.err and "Traceback" not in result.err
