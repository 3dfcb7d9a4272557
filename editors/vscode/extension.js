// Client of `shapesolve lsp`: the server decides what is shown, this starts and stops it.
"use strict";
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const INSTALL = 'pip install "shapesolve[lsp]", or set shapesolve.command to where it is installed';
let client;
let failed = false;

function runsModels(settings) {
  return settings.get("models") === true && vscode.workspace.isTrusted;
}

// The server is started for Python only where it may run models.
function isServed(document, settings) {
  return document.languageId === "mlir" || (document.languageId === "python" && runsModels(settings));
}

async function start() {
  const settings = vscode.workspace.getConfiguration("shapesolve");
  if (!settings.get("enable") || client !== undefined || failed) return;
  if (!vscode.workspace.textDocuments.some((each) => isServed(each, settings))) return;
  const command = settings.get("command");
  const models = runsModels(settings);
  const args = models ? [...settings.get("arguments"), "--models"] : settings.get("arguments");
  const documentSelector = [{ language: "mlir", scheme: "file" }, { language: "mlir", scheme: "untitled" }];
  if (models) documentSelector.push({ language: "python", scheme: "file" });
  // Without a transport the client talks over standard input and output, and adds no argument for it.
  const server = { command, args };
  const begun = new LanguageClient("shapesolve", "shapesolve", server, { documentSelector });
  client = begun;
  try {
    await begun.start();
  } catch (error) {
    client = undefined;
    failed = true; // said once, and tried again on request
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
    failed = false;
    await start();
  };
  context.subscriptions.push(
    vscode.commands.registerCommand("shapesolve.restart", restart),
    vscode.workspace.onDidOpenTextDocument(start),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration((change) =>
      ["enable", "command", "arguments", "models"].some((each) => change.affectsConfiguration(`shapesolve.${each}`))
        ? restart()
        : undefined,
    ),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
