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
const [language, models, isTrusted] = JSON.parse(process.argv[1]);
const registered = [];
const started = [];
const TransportKind = { stdio: 0, ipc: 1, pipe: 2, socket: 3 };
const settings = { enable: true, command: "shapesolve", arguments: ["lsp"], models };
const known = {
  commands: { registerCommand: (name) => (registered.push(name), { dispose() {} }) },
  workspace: {
    isTrusted,
    textDocuments: [{ languageId: language }],
    getConfiguration: () => ({ get: (name) => settings[name] }),
    onDidChangeConfiguration: () => ({ dispose() {} }),
    onDidOpenTextDocument: () => ({ dispose() {} }),
    onDidGrantWorkspaceTrust: () => ({ dispose() {} }),
  },
};
class Anything {}
const vscode = new Proxy(known, { get: (_, name) => known[name] ?? Anything });
const load = Module._load;
class LanguageClient {
  constructor(_id, _name, server, client) {
    // As vscode-languageclient does, of which a server that does not know the argument says nothing but that it ended.
    const args = server.transport === TransportKind.stdio ? [...server.args, "--stdio"] : server.args;
    started.push([args, client.documentSelector.map((each) => each.language)]);
  }
  async start() {}
  async dispose() {}
}
const given = { vscode, "vscode-languageclient/node": { LanguageClient, TransportKind } };
Module._load = (name, ...more) => given[name] ?? load(name, ...more);
const extension = require("./extension.js");
const activated = extension.activate({ subscriptions: [] });
activated.then(() => extension.deactivate()).then(() => console.log(JSON.stringify({ registered, started })));
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
    assert used == {"enable", "command", "arguments", "models"}
    assert {f"shapesolve.{each}" for each in used} | {"shapesolve.trace.server"} == set(PROPERTIES)


def test_an_untrusted_folder_can_neither_choose_the_command_nor_run_models() -> None:
    restricted = MANIFEST["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    assert set(restricted) == {"shapesolve.command", "shapesolve.arguments", "shapesolve.models"}
    assert PROPERTIES["shapesolve.models"]["default"] is False


MLIR = ["mlir", "mlir"]


@pytest.mark.process
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize(
    ("language", "models", "is_trusted", "started"),
    [
        ("mlir", False, True, [[["lsp"], MLIR]]),
        ("mlir", True, True, [[["lsp", "--models"], [*MLIR, "python"]]]),
        ("mlir", True, False, [[["lsp"], MLIR]]),
        ("python", True, True, [[["lsp", "--models"], [*MLIR, "python"]]]),
        ("python", False, True, []),
        ("python", True, False, []),
    ],
)
def test_the_client_starts_the_server_for_what_it_serves(
    language: str, models: bool, is_trusted: bool, started: list[object]
) -> None:
    given = json.dumps([language, models, is_trusted])
    run = subprocess.run(["node", "-e", LOADED, given], cwd=FOLDER, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    recorded = json.loads(run.stdout)
    assert recorded["registered"] == [each["command"] for each in MANIFEST["contributes"]["commands"]]
    assert recorded["started"] == started
    parser = make_parser(__version__)
    assert all(parser.parse_args(arguments).command for arguments, _ in recorded["started"])


def test_options_that_clients_add_are_known() -> None:
    """Clients made with vscode-languageclient, coc.nvim and lsp-mode start servers with ``--stdio``."""
    assert make_parser(__version__).parse_args(["lsp", "--stdio", "--models"]).models
