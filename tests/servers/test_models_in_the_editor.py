"""Python files with configured models, shown to a client of the language server in another process."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

pytest.importorskip("pygls")
from lsprotocol import types
from pygls.lsp.client import LanguageClient

from shapesolve.servers.model_runs import ConfiguredModel, run

pytestmark = pytest.mark.process

SERVER = "import sys; from shapesolve.cli.main import main; sys.exit(main())"
WAIT = 240
MODEL = """\
import torch
from block import Block


class Scorer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x, bias):
        hidden = self.block(x)
        pairs = hidden.reshape(x.shape[0], 2, 4)
        twice = torch.cat([pairs, pairs], dim=0)
        return twice.sum(dim=1) + bias


def make():
    n, m = torch.export.Dim("n"), torch.export.Dim("m")
    return Scorer(), (torch.randn(3, 16), torch.randn(6, 4)), ({0: n}, {0: m})
"""
BLOCK = """\
import torch


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(16, 8)

    def forward(self, x):
        left, right = self.linear(x).chunk(2, dim=1)
        return torch.cat([right, left], dim=1)
"""


class Session:
    """A session with the server in a project, which stores the diagnostics that it publishes."""

    def __init__(self, client: LanguageClient, folder: Path) -> None:
        self.client = client
        self.folder = folder
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.refreshed = asyncio.Event()

        def store(params: types.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(params)

        def refresh(_: None) -> None:
            self.refreshed.set()

        client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(store)
        client.feature(types.WORKSPACE_INLAY_HINT_REFRESH)(refresh)

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str) -> None:
        item = types.TextDocumentItem(self.uri(name), "python", 1, (self.folder / name).read_text())
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def type(self, name: str, text: str, version: int) -> None:
        document = types.VersionedTextDocumentIdentifier(version, self.uri(name))
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))

    def save(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)
        document = types.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(document))

    async def hints(self, name: str) -> list[tuple[int, Any]]:
        whole = types.Range(types.Position(0, 0), types.Position(1000, 0))
        document = types.TextDocumentIdentifier(self.uri(name))
        asked = self.client.text_document_inlay_hint_async(types.InlayHintParams(document, whole))
        return [(each.position.line, each.label) for each in await asyncio.wait_for(asked, WAIT) or ()]

    async def diagnostics(self, name: str) -> list[types.Diagnostic]:
        """Return the next diagnostics of a file."""
        while True:
            published = await asyncio.wait_for(self.published.get(), WAIT)
            if published.uri == self.uri(name):
                return list(published.diagnostics)


def in_session(folder: Path, talk: Callable[[Session], Awaitable[None]], *options: str) -> None:
    async def main() -> None:
        client = LanguageClient("tests", "1")
        session = Session(client, folder)
        await client.start_io(sys.executable, "-c", SERVER, "lsp", *options)
        refresh = types.InlayHintWorkspaceClientCapabilities(refresh_support=True)
        capabilities = types.ClientCapabilities(types.WorkspaceClientCapabilities(inlay_hint=refresh))
        await client.initialize_async(types.InitializeParams(capabilities=capabilities))
        client.initialized(types.InitializedParams())
        await talk(session)
        await client.shutdown_async(None)
        client.exit(None)
        await asyncio.wait_for(client.stop(), 30)

    asyncio.run(main())


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "shapesolve.toml").write_text('models = ["model.py:make"]\n')
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "block.py").write_text(BLOCK)
    return tmp_path


@pytest.mark.frontends
def test_findings_and_shapes_stand_at_the_lines_of_forward(project: Path) -> None:
    pytest.importorskip("torch")

    async def talk(session: Session) -> None:
        session.open("model.py")
        found, export = await session.diagnostics("model.py")
        assert (found.severity, found.source) == (types.DiagnosticSeverity.Error, "shapesolve")
        assert found.message == "add needs compatible(2*n, m)"
        assert (found.range.start.line, found.range.start.character) == (13, 8)
        assert export.severity is types.DiagnosticSeverity.Information
        assert "this export only admits m == 2*n" in export.message
        shapes = [(10, "[n, 8]"), (11, "[n, 2, 4]"), (12, "[2*n, 2, 4]"), (13, "[broadcast(2*n, m), 4]")]
        assert await session.hints("model.py") == shapes
        await asyncio.wait_for(session.refreshed.wait(), WAIT)

        # Of text that is not saved nothing is known.
        mended = MODEL.replace("twice.sum(dim=1) + bias", "twice.sum(dim=1) + bias.sum(dim=0)")
        session.type("model.py", mended, 2)
        assert await session.hints("model.py") == []
        session.save("model.py", MODEL + "\n")
        session.save("model.py", mended)
        assert await session.hints("model.py") == [*shapes[:3], (13, "[2*n, 4]")]
        assert await session.diagnostics("model.py") == []
        assert session.published.empty()

        # A module in another file belongs to the model once that has run.
        session.open("block.py")
        assert await session.hints("block.py") == [(9, "[n, 4], [n, 4]"), (10, "[n, 8]")]
        session.type("block.py", BLOCK.replace("dim=1)\n", "dim=0)\n"), 2)
        session.save("block.py", BLOCK.replace("chunk(2, dim=1)", "chunk(3, dim=1)"))
        (error,) = await session.diagnostics("model.py")
        assert (error.code, error.range.start.line) == ("input", 0)
        assert "too many values to unpack" in error.message

    in_session(project, talk, "--models")


JAX_MODEL = """\
import jax
import jax.numpy as jnp


def layer(x, w):
    h = jnp.tanh(x @ w)
    return h / h.sum(axis=-1, keepdims=True)


def model(x, w):
    y = layer(x, w)
    return jnp.concatenate([y, y], axis=0)


def make():
    n, m = jax.export.symbolic_shape("n, m")
    struct = jax.ShapeDtypeStruct
    return jax.jit(model), struct((n, 16), jnp.float32), struct((16, m), jnp.float32)
"""


@pytest.mark.frontends
def test_lines_of_a_jax_model_have_the_sizes_of_its_arguments(project: Path) -> None:
    pytest.importorskip("jax")
    (project / "model.py").write_text(JAX_MODEL)

    async def talk(session: Session) -> None:
        session.open("model.py")
        layer = "[x[0], w[1]]"
        assert await session.hints("model.py") == [(5, layer), (6, layer), (10, layer), (11, "[2*x[0], w[1]]")]

    in_session(project, talk, "--models")


def test_nothing_runs_unless_it_is_configured_and_asked_for(project: Path) -> None:
    mark = project / "mark"
    (project / "model.py").write_text(f"open({str(mark)!r}, 'w')\ndef make(): pass\ndef other(): pass\n")

    async def talk(session: Session) -> None:
        session.open("model.py")
        assert await session.diagnostics("model.py") == []
        assert await session.hints("model.py") == []

    in_session(project, talk)
    (project / "shapesolve.toml").write_text("models = []\n")
    in_session(project, talk, "--models")
    assert not mark.exists()


def test_errors_are_one_diagnostic_at_the_first_line(project: Path) -> None:
    text = "# a model\nimport nothing_of_that_name\ndef make(): pass\n"
    (project / "model.py").write_text(text)

    async def talk(session: Session) -> None:
        session.open("model.py")
        (found,) = await session.diagnostics("model.py")
        assert (found.range.start.line, found.severity, found.code) == (0, types.DiagnosticSeverity.Error, "input")
        assert "model.py:2: it imports `nothing_of_that_name`, which is not installed" in found.message
        session.save("model.py", "def make():\n    raise ValueError('no weights')\n")
        (found,) = await session.diagnostics("model.py")
        assert "model.py:2: it raises ValueError: no weights" in found.message
        (project / "shapesolve.toml").write_text("models = 'model.py:make'\n")
        session.save("model.py", text)
        (found,) = await session.diagnostics("model.py")
        assert "shapesolve.toml:1: models is a list: " in found.message

    in_session(project, talk, "--models")


def is_running(number: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return False


def test_a_run_that_is_cancelled_leaves_no_process(tmp_path: Path) -> None:
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import os, time; "
    code += 'open("pid", "w").write(str(os.getpid())); time.sleep(600)\'])'
    model = ConfiguredModel("m.py:make", str(tmp_path / "m.py"), str(tmp_path), (sys.executable, "-c", code))

    async def cancelled() -> int:
        running = asyncio.create_task(run(model))
        while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
            await asyncio.sleep(0.05)
        running.cancel()
        await asyncio.wait([running])
        return int((tmp_path / "pid").read_text())

    number = asyncio.run(asyncio.wait_for(cancelled(), WAIT))
    if sys.platform == "linux":
        deadline = monotonic() + 30
        while is_running(number):
            assert monotonic() < deadline
            sleep(0.02)


def test_a_process_that_ends_early_is_an_error(tmp_path: Path) -> None:
    model = ConfiguredModel("m.py:make", "m.py", str(tmp_path), (sys.executable, "-c", "import os; os._exit(7)"))
    assert "ended with exit code 7" in asyncio.run(run(model)).error
    nowhere = ConfiguredModel("m.py:make", "m.py", str(tmp_path), (str(tmp_path / "none"),))
    assert "no process can be started" in asyncio.run(run(nowhere)).error
