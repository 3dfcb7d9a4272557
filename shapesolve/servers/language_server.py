"""The language server: diagnostics while typing, shapes on hover and as inlay hints, and changes.

One thread analyzes, for the solver's terms belong to one thread. An analysis starts when nothing was typed for
`QUIET_SECONDS`; it ends early, and its result is dropped, if the text has changed since.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import monotonic

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from shapesolve import __version__
from shapesolve.reports.finding_line import FindingLine
from shapesolve.servers.analysis import Analysis
from shapesolve.servers.analyzer import Analyzer, Outdated

QUIET_SECONDS = 0.1
PARTIAL_SECONDS = 0.4
"""Seconds after which diagnostics of the functions that are finished are published, and again after as many."""
SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}


class _Documents:
    """The analyses of open documents, each with the version of its text."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._analyses: dict[str, tuple[str, Analysis]] = {}
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._analyzers: dict[str, Analyzer] = {}
        self._outdated: dict[str, Event] = {}
        self._thread = ThreadPoolExecutor(1, "analysis")

    def text(self, uri: str) -> str:
        """Return the text of a document as it is now."""
        return self._server.workspace.get_text_document(uri).source

    async def analysis(self, uri: str) -> Analysis | None:
        """Return the analysis of the present text once it is finished; None if the text changes before."""
        waiting = self._waiting.get(uri)
        if waiting is not None:
            await asyncio.wait([waiting])  # not cancelled with the request
        text, found = self._analyses.get(uri, ("", None))
        return found if text == self.text(uri) else None

    def changed(self, uri: str, quiet: float) -> None:
        """Analyze a document once it stays unchanged for some seconds."""
        self._drop(uri)
        self._waiting[uri] = asyncio.get_running_loop().create_task(self._analyze(uri, quiet))

    def closed(self, uri: str) -> None:
        """Forget everything about a document."""
        self._drop(uri)
        self._analyzers.pop(uri, None)

    def _drop(self, uri: str) -> None:
        """Drop the analysis of a document, and end the one that is under way."""
        self._analyses.pop(uri, None)
        waiting = self._waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()
        outdated = self._outdated.pop(uri, None)
        if outdated is not None:
            outdated.set()

    async def _analyze(self, uri: str, quiet: float) -> None:
        await asyncio.sleep(quiet)
        document = self._server.workspace.get_text_document(uri)
        text, version = document.source, document.version
        outdated = self._outdated[uri] = Event()
        loop = asyncio.get_running_loop()
        analyzer = self._analyzers.setdefault(uri, Analyzer())

        def publish(found: Analysis) -> None:
            if not outdated.is_set() and self.text(uri) == text:
                self._server.text_document_publish_diagnostics(
                    types.PublishDiagnosticsParams(uri, _diagnostics(uri, text, found), version)
                )

        def analyze() -> Analysis | None:
            """Analyze in the thread of analyses, which may publish by the loop alone."""
            published, is_finished, last = monotonic(), False, None
            try:
                for last in analyzer.analyze(text, outdated.is_set):
                    # Shapes come after the last diagnostics.
                    if not is_finished and (last.is_checked or monotonic() - published > PARTIAL_SECONDS):
                        published, is_finished = monotonic(), last.is_checked
                        loop.call_soon_threadsafe(publish, last)
            except Outdated:
                return None
            return last

        found = await loop.run_in_executor(self._thread, analyze)
        if found is not None and self.text(uri) == text:
            self._analyses[uri] = text, found


def _diagnostics(uri: str, text: str, found: Analysis) -> list[types.Diagnostic]:
    lines = text.split("\n")
    examples: dict[tuple[int, int], str] = {}
    for each in found.counterexamples:
        examples.setdefault((each.line, each.column), each.text)
    diagnostics: list[types.Diagnostic] = []
    for each in found.findings:
        where = _range(each, lines)
        given = examples.get((each.line, each.column))
        related = (
            [types.DiagnosticRelatedInformation(types.Location(uri, where), f"fails at {given}")] if given else None
        )
        diagnostics.append(
            types.Diagnostic(
                where,
                each.message,
                SEVERITIES[each.level],
                each.code,
                source="shapesolve",
                related_information=related,
            )
        )
    return diagnostics


def _range(finding: FindingLine, lines: list[str]) -> types.Range:
    """Return the rest of the line from the column of a finding on."""
    line = min(max(finding.line, 1), max(len(lines), 1)) - 1
    end = len(lines[line].rstrip()) if lines else 0
    start = min(max(finding.column, 1) - 1, end)
    return types.Range(types.Position(line, start), types.Position(line, end))


def make_server() -> LanguageServer:
    """Return the server, ready to be started on some transport."""
    server = LanguageServer("shapesolve", __version__, types.TextDocumentSyncKind.Incremental)
    documents = _Documents(server)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        documents.changed(params.text_document.uri, 0)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        documents.changed(params.text_document.uri, QUIET_SECONDS)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: types.DidCloseTextDocumentParams) -> None:
        documents.closed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        uri, place = params.text_document.uri, params.position
        found = await documents.analysis(uri)
        shape = found and found.shape_at(documents.text(uri), place.line + 1, place.character + 1)
        if not shape:
            return None
        known = "".join(f"\n\nproved: {each}" for each in shape.known)
        text = f"```mlir\n{shape.name} : {shape.type}\n```\nshape `{shape.shape}`{known}"
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text))

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def hints(params: types.InlayHintParams) -> list[types.InlayHint]:
        uri = params.text_document.uri
        found = await documents.analysis(uri)
        first, last = params.range.start.line, params.range.end.line
        return [] if found is None else _hints(found, documents.text(uri).split("\n"), first, last)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
    async def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        uri = params.text_document.uri
        found = await documents.analysis(uri)
        return [] if found is None else _actions(uri, found, params)

    return server


def _hints(found: Analysis, lines: list[str], first: int, last: int) -> list[types.InlayHint]:
    """Return the shapes of dynamic results, behind the lines that make them."""
    by_line: dict[int, list[str]] = {}
    for _, values in found.shapes:
        for each in values:
            is_dynamic = "?" in each.type or "*" in each.type
            if each.op and is_dynamic and first <= each.location.line - 1 <= last:
                by_line.setdefault(each.location.line - 1, []).append(each.shape)
    return [
        types.InlayHint(
            types.Position(line, len(lines[line].rstrip())),
            ", ".join(shapes),
            types.InlayHintKind.Type,
            padding_left=True,
        )
        for line, shapes in sorted(by_line.items())
        if line < len(lines)
    ]


def _actions(uri: str, found: Analysis, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Return the changes for the function in which the selection stands: assume what it needs."""
    above = [first for first, _ in found.shapes if first - 1 <= params.range.end.line]
    actions: list[types.CodeAction] = []
    for each in found.changes:
        if not above or each.insertion.line < above[-1]:
            continue
        later = [first for first, _ in found.shapes if first > above[-1]]
        if later and each.insertion.line >= later[0]:
            continue
        place = types.Position(each.insertion.line - 1, each.insertion.column - 1)
        edit = types.TextEdit(types.Range(place, place), each.insertion.text)
        actions.append(
            types.CodeAction(
                f"Assume that callers of @{each.function} ensure {' and '.join(each.conditions)}",
                types.CodeActionKind.QuickFix,
                edit=types.WorkspaceEdit({uri: [edit]}),
                diagnostics=list(params.context.diagnostics),
            )
        )
    return actions
