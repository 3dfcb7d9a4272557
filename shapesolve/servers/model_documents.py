"""Python files in an editor: the findings of configured models at their lines, and the shapes of these.

A model runs when a file that it is made of is opened or saved, never while one types. Of several saves only the last
one counts: what runs for an older one is killed.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from shapesolve.errors import InputError
from shapesolve.servers.model_runs import ConfiguredModel, ModelAnalysis, ModelFinding, run
from shapesolve.servers.text_ranges import SEVERITIES, rest_of_line, shape_hint

SAVE_QUIET_SECONDS = 0.3
"""Time without another save after which a model runs."""

Configured = Callable[[str], Sequence[ConfiguredModel]]
"""Models of the project of a file; raises InputError for a configuration that cannot be read."""


def no_models(file: str) -> Sequence[ConfiguredModel]:
    """Return no models, so that nothing of the user's runs: the default of `Configured`."""
    del file
    return ()


def is_python(uri: str) -> bool:
    """Return whether a document is a Python file."""
    return uri.endswith(".py")


class ModelDocuments:
    """The open Python files, and the analyses of the models that these are made of."""

    def __init__(self, server: LanguageServer, configured: Configured) -> None:
        self._server = server
        self._configured = configured
        self._opened: dict[str, str] = {}  # URIs by path
        self._saved: dict[str, str] = {}
        self._errors: dict[str, str] = {}
        self._analyses: dict[ConfiguredModel, ModelAnalysis] = {}
        self._running: dict[ConfiguredModel, asyncio.Task[None]] = {}
        self._turn = asyncio.Lock()  # one at a time: a framework takes much memory

    def opened(self, uri: str) -> None:
        """Run the models of a file that was opened, unless they ran with this very text."""
        path = _path(uri)
        if path is not None:
            self._opened[path] = uri
            self._run_models_of(path, 0.0, was_changed=self._saved.get(path) != _content(path))

    def saved(self, uri: str) -> None:
        """Run the models of a file that was saved, and those that use it."""
        path = _path(uri)
        if path is not None:
            self._run_models_of(path, SAVE_QUIET_SECONDS)

    def closed(self, uri: str) -> None:
        """Forget a file, and end what runs for no other one."""
        path = _path(uri)
        if path is None:
            return
        self._opened.pop(path, None)
        self._errors.pop(path, None)
        for each in [each for each in {*self._running, *self._analyses} if each.file == path]:
            self._drop(each)
        self._publish_to(uri, [])

    def close(self) -> None:
        """End everything that runs."""
        for each in list(self._running):
            self._drop(each)

    async def hints(self, uri: str, first: int, last: int) -> list[types.InlayHint]:
        """Return the shapes of some lines once the models have run; none while the text differs from the saved one."""
        path = _path(uri)
        if path not in self._opened:
            return []
        while waiting := [task for each, task in self._running.items() if self._uses(each, path)]:
            await asyncio.wait(waiting)  # not cancelled with the request
        text = self._server.workspace.get_text_document(uri).source
        if text != self._saved.get(path):
            return []
        lines = text.split("\n")
        return [
            shape_hint(line, lines, " | ".join(shapes))
            for line, shapes in sorted(self._shapes(path).items())
            if first <= line <= last and line < len(lines)
        ]

    def _shapes(self, path: str) -> dict[int, list[str]]:
        """Return the different shapes of the lines of a file, counted from 0."""
        found: dict[int, list[str]] = {}
        for each in self._analyses.values():
            for line, shape in (each.shapes or {}).get(path, ()):
                shapes = found.setdefault(line - 1, [])
                if shape not in shapes:
                    shapes.append(shape)
        return found

    def _uses(self, model: ConfiguredModel, path: str) -> bool:
        found = self._analyses.get(model)
        return model.file == path or (found is not None and path in found.files)

    def _run_models_of(self, path: str, quiet: float, *, was_changed: bool = True) -> None:
        self._saved[path] = _content(path)
        self._errors.pop(path, None)
        try:
            models = list(self._configured(path))
        except InputError as error:
            self._errors[path] = str(error)
            models = []
        for each in {*self._running, *self._analyses}:
            if each.file == path and each not in models:
                self._drop(each)
        known = () if was_changed else (*self._running, *self._analyses)
        chosen = [each for each in models if each not in known and self._uses(each, path)]
        for each in chosen:
            self._restart(each, quiet)
        if not chosen:  # else the editor moves what is published with its lines until the models have run
            self._publish(path)

    def _restart(self, model: ConfiguredModel, quiet: float) -> None:
        running = self._running.pop(model, None)
        if running is not None:
            running.cancel()
        if model in self._analyses:
            self._analyses[model] = self._analyses[model].without_results()
        self._running[model] = asyncio.get_running_loop().create_task(self._run(model, quiet))

    def _drop(self, model: ConfiguredModel) -> None:
        self._analyses.pop(model, None)
        running = self._running.pop(model, None)
        if running is not None:
            running.cancel()

    async def _run(self, model: ConfiguredModel, quiet: float) -> None:
        await asyncio.sleep(quiet)
        async with self._turn:
            found = await run(model)
        before = self._analyses.get(model, ModelAnalysis())
        # A file that was part of the model may be the one to mend.
        found = before.without_results(found.error) if found.error else found
        self._analyses[model] = found
        del self._running[model]
        for path in {model.file, *before.files, *found.files}:
            self._saved.setdefault(path, _content(path))
            self._publish(path)
        self._refresh_hints()

    def _refresh_hints(self) -> None:
        """Have the editor ask for hints again, if it can."""
        workspace = self._server.client_capabilities.workspace
        if workspace is not None and workspace.inlay_hint is not None and workspace.inlay_hint.refresh_support:
            self._server.workspace_inlay_hint_refresh(None)

    def _publish(self, path: str) -> None:
        """Publish the diagnostics of a file, if it is open."""
        if path in self._opened:
            self._publish_to(self._opened[path], list(self._diagnostics(path)))

    def _publish_to(self, uri: str, diagnostics: Sequence[types.Diagnostic]) -> None:
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))

    def _diagnostics(self, path: str) -> Iterator[types.Diagnostic]:
        """Yield the diagnostics of a file, those that several models have once."""
        lines = self._saved.get(path, "").split("\n")
        errors = [self._errors[path]] if path in self._errors else []
        errors += [each.error for model, each in self._analyses.items() if model.file == path and each.error]
        for error in dict.fromkeys(errors):
            yield _diagnostic(1, lines, "error", error, "input")
        findings = [each for model, found in self._analyses.items() for each in _findings_in(path, model, found)]
        for line, each in dict.fromkeys(findings):
            yield _diagnostic(line, lines, each.level, each.message, each.code)


def _findings_in(path: str, model: ConfiguredModel, found: ModelAnalysis) -> Iterator[tuple[int, ModelFinding]]:
    """Yield the findings of a model that a file has a line of, at the innermost one; those without a line at the first.

    A line that calls the failing one names it.
    """
    for each in found.findings:
        lines = [line for file, line in each.places if file == path and line]
        if lines and each.places[0][0] != path:
            inner, number = each.places[0]
            yield lines[0], replace(each, message=f"{each.message} ({os.path.basename(inner)}:{number})")
        elif lines:
            yield lines[0], each
        elif path == model.file and not any(os.path.isfile(file) and line for file, line in each.places):
            yield 1, each


def _diagnostic(line: int, lines: Sequence[str], level: str, message: str, code: str) -> types.Diagnostic:
    indented = lines[min(line, len(lines)) - 1]
    column = len(indented) - len(indented.lstrip()) + 1
    where = rest_of_line(line, column, lines)
    return types.Diagnostic(where, message, SEVERITIES[level], code, source="shapesolve")


def _path(uri: str) -> str | None:
    """Return the path of a document, None for one that is no file."""
    path = to_fs_path(uri)
    return None if not path else os.path.realpath(path)


def _content(path: str) -> str:
    """Return the text of a file as it is saved; "" if it cannot be read."""
    try:
        with open(path, encoding="utf-8", newline="") as stream:
            return stream.read()
    except (OSError, ValueError):
        return ""
