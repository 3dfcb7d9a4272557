"""The language server: diagnostics while typing, shapes on hover and as inlay hints, and changes.

One thread analyzes, for the solver's terms belong to one thread; it takes turns between documents, a function each. An
analysis starts when nothing was typed for `QUIET_SECONDS`; it ends early, and its result is dropped, if the text has
changed since.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any, TypeVar, cast

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from shapesolve import __version__
from shapesolve.errors import InputError
from shapesolve.reports.finding_line import FindingLine
from shapesolve.servers.analysis import Analysis
from shapesolve.servers.analyzer import Analyzer
from shapesolve.servers.model_documents import Configured, ModelDocuments, is_python, no_models
from shapesolve.servers.requests import CHECKS, Rewriting, explain_line, locations_of_facts, rewritten
from shapesolve.servers.text_ranges import SEVERITIES, from_utf16, rest_of_line, shape_hint, to_utf16

Answer = TypeVar("Answer")

QUIET_SECONDS = 0.1
PARTIAL_SECONDS = 0.4
"""Seconds after which diagnostics of the functions that are finished are published, and again after as many."""

EXPLANATION_COLUMNS = 80
NOTHING_TO_DO: dict[Rewriting, str] = {
    "prune": "shapesolve: no runtime check is proved to hold for all sizes",
    "harden": "shapesolve: no runtime check can be inserted here",
}
_LINE_BREAK = re.compile(r"\r?\n")
_OPERATION = re.compile(r"(?<![%@#!.\w$])[a-z_]\w*(?:\.\w+)+")


class _Documents:
    """The analyses of open documents, each with the version of its text."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._analyses: dict[str, tuple[str, Analysis]] = {}
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._analyzers: dict[str, Analyzer] = {}
        self._thread = ThreadPoolExecutor(1, "analysis")
        self._open: set[str] = set()

    def text(self, uri: str) -> str:
        """Return the text of a document as it is now; nothing if it is not open."""
        return self._server.workspace.get_text_document(uri).source if uri in self._open else ""

    def column(self, uri: str, place: types.Position) -> int:
        """Return the column of a place in a document in characters, counted from 0."""
        lines = self.text(uri).split("\n")
        return from_utf16(lines[place.line], place.character) if place.line < len(lines) else 0

    async def analysis(self, uri: str) -> Analysis | None:
        """Return the analysis of the present text once it is finished; None if the text changes before."""
        waiting = self._waiting.get(uri)
        if waiting is not None:
            await asyncio.wait([waiting])  # not cancelled with the request
        text, found = self._analyses.get(uri, ("", None))
        return found if text == self.text(uri) else None

    async def answer(self, uri: str, work: Callable[[str], Answer]) -> Answer | None:
        """Return the answer to a request about a document's text, from the thread of analyses.

        It is None for a text that cannot be read, or that has changed meanwhile.
        """
        text = self.text(uri)
        try:
            found = await asyncio.get_running_loop().run_in_executor(self._thread, work, text)
        except InputError:
            return None
        return found if text == self.text(uri) else None

    def opened(self, uri: str) -> None:
        """Analyze a document that was opened."""
        self._open.add(uri)
        self.changed(uri, 0)

    def changed(self, uri: str, quiet: float) -> None:
        """Analyze a document once it stays unchanged for some seconds. One that is not open has no text."""
        if uri not in self._open:
            return
        self._drop(uri)
        self._waiting[uri] = asyncio.get_running_loop().create_task(self._analyze(uri, quiet))

    def closed(self, uri: str) -> None:
        """Forget everything about a document, in the editor too."""
        self._drop(uri)
        self._analyzers.pop(uri, None)
        self._open.discard(uri)
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def _drop(self, uri: str) -> None:
        """Drop the analysis of a document, and end the one that is under way after its present function."""
        self._analyses.pop(uri, None)
        waiting = self._waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()

    async def _analyze(self, uri: str, quiet: float) -> None:
        await asyncio.sleep(quiet)
        document = self._server.workspace.get_text_document(uri)
        text, version = document.source, document.version
        loop = asyncio.get_running_loop()
        analyzer = self._analyzers.setdefault(uri, Analyzer())

        def publish(found: Analysis) -> None:
            if self.text(uri) == text:
                self._server.text_document_publish_diagnostics(
                    types.PublishDiagnosticsParams(uri, _diagnostics(uri, text, found), version)
                )

        # Step by step, so that other documents and questions need not wait for the last function of this one.
        steps = analyzer.analyze(text)
        published, is_finished, last = monotonic(), False, None
        try:
            while (found := await loop.run_in_executor(self._thread, next, steps, None)) is not None:
                last = found
                # Shapes come after the last diagnostics.
                if not is_finished and (found.is_checked or monotonic() - published > PARTIAL_SECONDS):
                    published, is_finished = monotonic(), found.is_checked
                    publish(found)
        except Exception as error:  # else the editor would show what was found in an earlier text
            message = f"internal error, please report: {type(error).__name__}: {error}"
            publish(Analysis((FindingLine(uri, 1, 0, "error", message, "input"),)))
            return
        finally:
            self._thread.submit(steps.close)  # in the thread to which the solver's terms belong
        if last is not None and self.text(uri) == text:
            self._analyses[uri] = text, last


def _diagnostics(uri: str, text: str, found: Analysis) -> list[types.Diagnostic]:
    lines = text.split("\n")
    examples: dict[tuple[int, int], str] = {}
    for each in found.counterexamples:
        examples.setdefault((each.line, each.column), each.text)
    diagnostics: list[types.Diagnostic] = []
    for each in found.findings:
        where = rest_of_line(each.line, each.column, lines)
        given = examples.get((each.line, each.column))
        related = (
            [types.DiagnosticRelatedInformation(types.Location(uri, where), f"fails at {given}")] if given else None
        )
        diagnostics.append(
            types.Diagnostic(
                where, each.message, SEVERITIES[each.level], each.code, source="shapesolve", related_information=related
            )
        )
    return diagnostics


class _Protocol(LanguageServerProtocol):
    """Protocol in which columns count units of UTF-16, as every client can, whatever it prefers."""

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        if params.capabilities.general is not None:
            params.capabilities.general.position_encodings = None
        return (yield from super().lsp_initialize(params))


def make_server(configured: Configured = no_models) -> LanguageServer:
    """Return the server, ready to be started on some transport.

    Args:
        configured: The models that it may run. None are by default, so that nothing is executed.
    """
    # pygls would apply the changes of lines to what Python calls lines, of which a form feed ends one, say.
    server = LanguageServer("shapesolve", __version__, types.TextDocumentSyncKind.Full, protocol_cls=_Protocol)
    documents, models = _Documents(server), ModelDocuments(server, configured)
    _add_documents(server, documents, models)
    _add_questions(server, documents, models)
    _add_changes(server, documents)
    return server


def _add_documents(server: LanguageServer, documents: _Documents, models: ModelDocuments) -> None:
    """Analyze documents as they are opened and changed; Python files as they are opened and saved."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        uri = params.text_document.uri
        if is_python(uri):
            models.opened(uri)
        else:
            documents.opened(uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        if not is_python(params.text_document.uri):
            documents.changed(params.text_document.uri, QUIET_SECONDS)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: types.DidSaveTextDocumentParams) -> None:
        if is_python(params.text_document.uri):
            models.saved(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        if is_python(uri):
            models.closed(uri)
        else:
            documents.closed(uri)

    @server.feature(types.SHUTDOWN)
    async def ended(_: None) -> None:
        models.close()


def _add_questions(server: LanguageServer, documents: _Documents, models: ModelDocuments) -> None:
    """Answer what stands at a place: shapes, explanations, the facts of a proof."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        uri, place = params.text_document.uri, params.position
        if is_python(uri):
            return None
        found = await documents.analysis(uri)
        source, column = documents.text(uri), documents.column(uri, place)
        shape = found and found.shape_at(source, place.line + 1, column + 1)
        if not shape:
            if found is None or not _is_on_operation(source, place.line, column):
                return None
            text = await documents.answer(
                uri, lambda text: explain_line(text, place.line + 1, width=EXPLANATION_COLUMNS)
            )
            return (
                None
                if text is None
                else types.Hover(types.MarkupContent(types.MarkupKind.Markdown, f"```text\n{text.rstrip()}\n```"))
            )
        known = "".join(f"\n\nproved: {each}" for each in shape.known)
        text = f"```mlir\n{shape.name} : {shape.type}\n```\nshape `{shape.shape}`{known}"
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text))

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: types.DefinitionParams) -> list[types.Location]:
        uri, place = params.text_document.uri, params.position
        if is_python(uri) or not _is_on_operation(documents.text(uri), place.line, documents.column(uri, place)):
            return []
        lines = documents.text(uri).split("\n")
        found = await documents.answer(uri, lambda text: locations_of_facts(text, place.line + 1)) or []
        return [types.Location(uri, rest_of_line(each.line, each.column, lines)) for each in found]

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def hints(params: types.InlayHintParams) -> list[types.InlayHint]:
        uri = params.text_document.uri
        first, last = params.range.start.line, params.range.end.line
        if is_python(uri):
            return await models.hints(uri, first, last)
        found = await documents.analysis(uri)
        return [] if found is None else _hints(found, documents.text(uri).split("\n"), first, last)


def _add_changes(server: LanguageServer, documents: _Documents) -> None:
    """Offer changes of the text, and make those that take long once they are chosen."""

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(resolve_provider=True))
    async def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        uri = params.text_document.uri
        found = await documents.analysis(uri)
        if found is None:
            return []
        text = documents.text(uri)
        return [*_actions(uri, text.split("\n"), found, params), *_rewritings(uri, text, found)]

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def resolve(action: types.CodeAction) -> types.CodeAction:
        if action.data is None:  # its edit is there already; some clients ask all the same
            return action
        uri, how = cast("tuple[str, Rewriting]", action.data)
        source = documents.text(uri)
        after = await documents.answer(uri, lambda text: rewritten(text, how, is_partial=True))
        if after is None or after == source:
            message = types.ShowMessageParams(types.MessageType.Info, NOTHING_TO_DO[how])
            server.window_show_message(message)
            after = source
        if "\r\n" in source:  # a file keeps the ends of its lines
            after = _LINE_BREAK.sub("\r\n", after)
        action.edit = types.WorkspaceEdit({uri: [_edit(source, after)] if after != source else []})
        return action


def _is_on_operation(text: str, line: int, column: int) -> bool:
    """Return whether the name of an operation stands at a place, counted from 0 in characters."""
    lines = text.split("\n")
    names = _OPERATION.finditer(lines[line]) if line < len(lines) else ()
    return any(each.start() <= column <= each.end() for each in names)


def _edit(before: str, after: str) -> types.TextEdit:
    """Return the change of a text, on the lines that differ alone."""
    old, new = before.split("\n"), after.split("\n")
    first = next(
        (n for n, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), min(len(old), len(new))
    )
    most = min(len(old), len(new)) - first
    same = next((n for n in range(most) if old[-1 - n] != new[-1 - n]), most)
    where = types.Range(types.Position(first, 0), types.Position(len(old) - same, 0))
    text = "".join(f"{each}\n" for each in new[first : len(new) - same])
    if not same:  # the last line has no break behind it
        where = types.Range(where.start, types.Position(len(old) - 1, to_utf16(old[-1], len(old[-1]))))
        text = text[:-1]
    return types.TextEdit(where, text)


def _rewritings(uri: str, text: str, found: Analysis) -> list[types.CodeAction]:
    """Return the changes of the whole text, which are made once one is chosen; none if no part can be read."""
    offered: list[tuple[str, Rewriting]] = []
    if found.shapes and CHECKS.search(text):
        offered.append(("Remove the runtime checks that are proved, in the whole file", "prune"))
    if any(each.level == "error" and each.code != "input" for each in found.findings):
        offered.append(("Insert a runtime check before each operation that may fail, in the whole file", "harden"))
    return [types.CodeAction(title, types.CodeActionKind.SourceFixAll, data=(uri, how)) for title, how in offered]


def _hints(found: Analysis, lines: list[str], first: int, last: int) -> list[types.InlayHint]:
    """Return the shapes of dynamic results, behind the lines that make them."""
    by_line: dict[int, list[str]] = {}
    for _, values in found.shapes:
        for each in values:
            is_dynamic = "?" in each.type or "*" in each.type
            if each.op and is_dynamic and first <= each.location.line - 1 <= last:
                by_line.setdefault(each.location.line - 1, []).append(each.shape)
    return [shape_hint(line, lines, ", ".join(shapes)) for line, shapes in sorted(by_line.items()) if line < len(lines)]


def _actions(uri: str, lines: list[str], found: Analysis, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Return the changes for the function in which the selection stands: assume what it needs."""
    above = [first for first, _ in found.shapes if first - 1 <= params.range.end.line]
    actions: list[types.CodeAction] = []
    for each in found.changes:
        if not above or each.insertion.line < above[-1]:
            continue
        later = [first for first, _ in found.shapes if first > above[-1]]
        if later and each.insertion.line >= later[0]:
            continue
        line = each.insertion.line - 1
        place = types.Position(line, to_utf16(lines[line], each.insertion.column - 1))
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
