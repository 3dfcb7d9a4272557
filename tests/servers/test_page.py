"""Test that docs/editor.md lists exactly the existing commands, tools and features."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from shapesolve.cli.arguments import make_parser
from shapesolve.cli.main import main

PAGE = (Path(__file__).parents[2] / "docs" / "editor.md").read_text(encoding="utf-8")


def block(language: str, containing: str = "") -> str:
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (found,) = (each for each in blocks if containing in each)
    return found


def test_commands_that_clients_start_are_commands() -> None:
    helix = tomllib.loads(block("toml", "language-server"))["language-server"]["shapesolve"]
    assistant = json.loads(block("json"))["mcpServers"]["shapesolve"]
    for started in (helix, assistant):
        assert started["command"] == "shapesolve"
        make_parser("").parse_args(started["args"])
    for arguments in (["lsp"], ["lsp", "--models"]):
        spelled = ", ".join(f'"{each}"' for each in ("shapesolve", *arguments))
        assert block("lua", f"{{ {spelled} }}")
        make_parser("").parse_args(arguments)


@pytest.mark.slow
def test_tools_are_those_of_the_page() -> None:
    pytest.importorskip("mcp")
    from shapesolve.servers.context_server import TOOLS

    (sentence,) = re.findall(r"with the tools (.*)\.$", PAGE, re.MULTILINE)
    assert re.findall(r"`(\w+)`", sentence) == [each.__name__ for each in TOOLS]


@pytest.mark.parametrize(("command", "package"), [("lsp", "lsprotocol"), ("mcp", "mcp")])
def test_a_missing_package_is_named(
    command: str, package: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import sys

    for name in [each for each in sys.modules if each.startswith("shapesolve.servers.")]:
        monkeypatch.delitem(sys.modules, name)
    for name in [package, *(each for each in sys.modules if each.startswith(f"{package}."))]:
        monkeypatch.setitem(sys.modules, name, None)
    assert main([command]) == 2
    assert f'pip install "shapesolve[{command}]"' in capsys.readouterr().err
