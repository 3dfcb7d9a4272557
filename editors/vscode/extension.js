// Client of `shapesolve lsp`: the server decides what is shown, this starts and stops it.
"use strict";
const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

const INSTALL = 'pip install "shapesolve[lsp]", or set shapesolve.command to where it is installed';
let client;

async function start() {
  const settings = vscode.workspace.getConfiguration("shapesolve");
  if (!settings.get("enable")) return;
  const command = settings.get("command");
  const server = { command, args: settings.get("arguments"), transport: TransportKind.stdio };
  const begun = new LanguageClient("shapesolve", "shapesolve", server, {
    documentSelector: [{ language: "mlir", scheme: "file" }, { language: "mlir", scheme: "untitled" }],
  });
  client = begun;
  try {
    await begun.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(`${command} does not start (${error.message}): ${INSTALL}`);
  }
}

async function stop() {
  const ended = client;
  client = undefined;
  if (ended !== undefined) await ended.dispose();
}

async function activate(context) {
  const restart = async () => {
    await stop();
    await start();
  };
  context.subscriptions.push(
    vscode.commands.registerCommand("shapesolve.restart", restart),
    vscode.workspace.onDidChangeConfiguration((change) =>
      ["enable", "command", "arguments"].some((each) => change.affectsConfiguration(`shapesolve.${each}`))
        ? restart()
        : undefined,
    ),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
