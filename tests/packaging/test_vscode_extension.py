"""The extension for VS Code: its manifest, its client and the language server speak of the same things."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from shapesolve import __version__
from shapesolve.cli.arguments import make_parser
from shapesolve.cli.command_tree import commands

FOLDER = Path(__file__).parents[2] / "editors" / "vscode"
MANIFEST = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
CLIENT = (FOLDER / "extension.js").read_text(encoding="utf-8")
PROPERTIES = MANIFEST["contributes"]["configuration"]["properties"]

LOADED = """
const Module = require("node:module");
const registered = [];
const known = {
  commands: { registerCommand: (name) => (registered.push(name), { dispose() {} }) },
  workspace: {
    getConfiguration: () => ({ get: () => false }),
    onDidChangeConfiguration: () => ({ dispose() {} }),
  },
};
class Anything {}
const vscode = new Proxy(known, { get: (_, name) => known[name] ?? Anything });
const load = Module._load;
class LanguageClient {}
const given = { vscode, "vscode-languageclient/node": { LanguageClient, TransportKind: {} } };
Module._load = (name, ...more) => given[name] ?? load(name, ...more);
const extension = require("./extension.js");
const activated = extension.activate({ subscriptions: [] });
activated.then(() => extension.deactivate()).then(() => console.log(registered.join()));
"""


def test_the_manifest_starts_the_server_of_this_version() -> None:
    assert MANIFEST["version"] == __version__
    assert PROPERTIES["shapesolve.command"]["default"] == "shapesolve"
    assert PROPERTIES["shapesolve.arguments"]["default"] == ["lsp"]
    assert "lsp" in commands(make_parser(__version__))
    (language,) = MANIFEST["contributes"]["languages"]
    assert (language["id"], language["extensions"]) == ("mlir", [".mlir"])
    json.loads((FOLDER / language["configuration"]).read_text(encoding="utf-8"))


def test_settings_of_the_client_are_those_of_the_manifest() -> None:
    used = set(re.findall(r'settings\.get\("(\w+)"\)', CLIENT))
    assert used == {"enable", "command", "arguments"}
    assert {f"shapesolve.{each}" for each in used} | {"shapesolve.trace.server"} == set(PROPERTIES)


def test_an_untrusted_folder_cannot_choose_the_command() -> None:
    restricted = MANIFEST["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    assert set(restricted) == {"shapesolve.command", "shapesolve.arguments"}


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_client_loads_and_registers_its_commands() -> None:
    run = subprocess.run(["node", "-e", LOADED], cwd=FOLDER, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip().split(",") == [each["command"] for each in MANIFEST["contributes"]["commands"]]
