"""The language server, asked by a client in another process over standard input and output."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any

import pytest

pytest.importorskip("pygls")
from lsprotocol import types
from pygls.lsp.client import LanguageClient

from shapesolve import api
from shapesolve.solver.verdicts import Refuted

pytestmark = pytest.mark.process

URI = "file:///nowhere/add.mlir"
SERVER = "import sys; from shapesolve.cli.main import main; sys.exit(main())"
PROGRAM = """\
func.func @first(%a: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = tosa.abs %a : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

func.func @add(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


class Session:
    """A session with the server, which stores the diagnostics that it publishes."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.version = 1
        self.uri = URI

        def store(params: types.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(params)

        client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(store)

    async def open(self, text: str, uri: str = URI) -> list[types.Diagnostic]:
        self.uri = uri
        item = types.TextDocumentItem(uri, "mlir", self.version, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return await self.diagnostics()

    def change(self, text: str) -> None:
        self.version += 1
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self.version, URI),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    async def diagnostics(self) -> list[types.Diagnostic]:
        """Return the last diagnostics of the present text; on a busy machine those of some functions come before."""
        whole = types.Range(types.Position(0, 0), types.Position(10_000, 0))
        published = await asyncio.wait_for(self.published.get(), 60)
        document = types.TextDocumentIdentifier(self.uri)
        await self.client.text_document_inlay_hint_async(types.InlayHintParams(document, whole))  # waits for the end
        while not self.published.empty():
            published = self.published.get_nowait()
        assert published.version == self.version
        return list(published.diagnostics)


def in_session(
    talk: Callable[[Session], Awaitable[None]],
    general: types.GeneralClientCapabilities | None = None,
    folders: Sequence[types.WorkspaceFolder] | None = None,
) -> None:
    async def main() -> None:
        client = LanguageClient("tests", "1")
        session = Session(client)
        await client.start_io(sys.executable, "-c", SERVER, "lsp")
        given = types.InitializeParams(types.ClientCapabilities(general=general), workspace_folders=folders)
        await client.initialize_async(given)
        client.initialized(types.InitializedParams())
        await talk(session)
        await client.shutdown_async(None)
        client.exit(None)
        await asyncio.wait_for(client.stop(), 30)

    asyncio.run(main())


DOCUMENT = types.TextDocumentIdentifier(URI)


def test_diagnostics_shapes_and_changes() -> None:
    async def talk(session: Session) -> None:
        (found,) = await session.open(PROGRAM)
        assert found.severity is types.DiagnosticSeverity.Error
        assert found.source == "shapesolve"
        assert "compatible(a[0], b[0])" in found.message
        assert (found.range.start.line, found.range.start.character) == (6, 7)
        assert found.related_information is not None
        assert found.related_information[0].message == "fails at a: 2, b: 3"

        async def shape_at(line: int, character: int) -> str:
            place = types.HoverParams(DOCUMENT, types.Position(line, character))
            hover: Any = await session.client.text_document_hover_async(place)
            return "" if hover is None else hover.contents.value

        assert "shape `[a[0], 4]`" in await shape_at(2, 10)
        assert "shape `[broadcast(a[0], b[0])]`" in await shape_at(7, 10)
        assert "shape `[b[0]]`" in await shape_at(6, 21)
        assert await shape_at(8, 0) == ""

        whole = types.Range(types.Position(0, 0), types.Position(20, 0))
        hints = await session.client.text_document_inlay_hint_async(types.InlayHintParams(DOCUMENT, whole))
        assert [(each.position.line, each.label) for each in hints or ()] == [
            (1, "[a[0], 4]"),
            (6, "[broadcast(a[0], b[0])]"),
        ]

        asked = types.CodeActionParams(DOCUMENT, found.range, types.CodeActionContext([found]))
        action, hardening = list(await session.client.text_document_code_action_async(asked) or [])
        assert hardening.title.startswith("Insert a runtime check")
        assert isinstance(action, types.CodeAction)
        assert action.edit is not None
        (edit,) = list((action.edit.changes or {})[URI])
        lines = [str(each) for each in PROGRAM.split("\n")]
        place = edit.range.start
        lines[place.line] = lines[place.line][: place.character] + edit.new_text + lines[place.line][place.character :]
        session.change("\n".join(lines))
        assert await session.diagnostics() == []
        elsewhere = types.CodeActionParams(
            DOCUMENT, types.Range(types.Position(1, 0), types.Position(1, 0)), asked.context
        )
        assert not await session.client.text_document_code_action_async(elsewhere)

    in_session(talk)


GUARDED = """\
func.func @guarded(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %n, %m : index
  cf.assert %same, "lengths"
  %again = arith.cmpi ule, %n, %m : index
  cf.assert %again, "again"
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


def test_proofs_are_explained_and_their_facts_found() -> None:
    async def talk(session: Session) -> None:
        await session.open(GUARDED)
        on_add = types.Position(8, 10)
        hover: Any = await session.client.text_document_hover_async(types.HoverParams(DOCUMENT, on_add))
        assert "tosa.add" in hover.contents.value
        assert "proved" in hover.contents.value
        found: Any = await session.client.text_document_definition_async(types.DefinitionParams(DOCUMENT, on_add))
        assert [each.range.start.line for each in found] == [5]
        on_name = types.DefinitionParams(DOCUMENT, types.Position(8, 3))
        assert not await session.client.text_document_definition_async(on_name)

    in_session(talk)


async def resolved(session: Session, title: str, text: str) -> str:
    """Return the text after the whole-file change of that title."""
    whole = types.Range(types.Position(0, 0), types.Position(0, 0))
    asked = types.CodeActionParams(DOCUMENT, whole, types.CodeActionContext([]))
    offered = list(await session.client.text_document_code_action_async(asked) or [])
    (chosen,) = [each for each in offered if isinstance(each, types.CodeAction) and each.title.startswith(title)]
    assert chosen.edit is None
    action = await session.client.code_action_resolve_async(chosen)
    assert action.edit is not None
    return applied(action, text)


def applied(action: types.CodeAction, text: str) -> str:
    """Return a text after the one change of an action, if it has any, as an editor makes it."""
    assert action.edit is not None
    edits = (action.edit.changes or {})[URI]
    assert len(edits) < 2
    lines = [each.encode("utf-16-le") for each in text.split("\n")]
    for edit in edits:
        begin, end = edit.range.start, edit.range.end
        before = "\n".encode("utf-16-le").join([*lines[: begin.line], lines[begin.line][: 2 * begin.character]])
        behind = "\n".encode("utf-16-le").join([lines[end.line][2 * end.character :], *lines[end.line + 1 :]])
        text = before.decode("utf-16-le") + edit.new_text + behind.decode("utf-16-le")
    return text


def test_checks_are_removed_and_inserted_in_the_whole_file() -> None:
    async def talk(session: Session) -> None:
        await session.open(GUARDED)
        pruned = await resolved(session, "Remove the runtime checks", GUARDED)
        assert (pruned.count("cf.assert"), GUARDED.count("cf.assert")) == (1, 2)
        assert "lengths" in pruned
        session.change(pruned)
        (stays,) = await session.diagnostics()
        assert stays.message == "cf.assert needs a[0] == b[0] (lengths)"
        assert await resolved(session, "Remove the runtime checks", pruned) == pruned  # nothing is left to do
        session.change(PROGRAM)
        assert await session.diagnostics()
        hardened = await resolved(session, "Insert a runtime check", PROGRAM)
        assert hardened.count("cf.assert") == 1
        session.change(hardened)
        (inserted,) = await session.diagnostics()
        assert inserted.message.startswith("cf.assert needs compatible(a[0], b[0])")

    in_session(talk)


def test_only_the_last_of_several_edits_is_reported() -> None:
    async def talk(session: Session) -> None:
        (unreadable,) = await session.open("func.func @f() {\n  nonsense\n}\n")
        assert (unreadable.code, unreadable.range.start.line) == ("input", 1)
        for count in range(5):
            session.change("func.func @f() {\n" + "  nonsense\n" * count)
        session.change(PROGRAM)
        (found,) = await session.diagnostics()
        assert "compatible" in found.message
        assert session.published.empty()

    in_session(talk)


WIDE = """\
func.func @add(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %a = "my.op"() {n = "\u00e9\U0001f600\u00e9\U0001f600"} : () -> index \
%0 = tosa.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def at(line: int, character: int) -> types.Position:
    return types.Position(line, character)


@pytest.mark.parametrize("preferred", [None, [types.PositionEncodingKind.Utf8, types.PositionEncodingKind.Utf16]])
def test_columns_count_units_of_utf_16(preferred: list[types.PositionEncodingKind | str] | None) -> None:
    line = WIDE.split("\n")[1]
    start, value = line.index("tosa.add"), line.index("%x, %y")

    async def talk(session: Session) -> None:
        found = {each.code: each.range for each in await session.open(WIDE)}
        assert found["tosa-add-broadcast"] == types.Range(at(1, utf16(line[:start])), at(1, utf16(line)))
        for column, words in ((value, "%x : tensor<?xf32>"), (start, "tosa.add")):
            place = types.HoverParams(DOCUMENT, at(1, utf16(line[:column]) + 1))
            hover = await session.client.text_document_hover_async(place)
            assert hover is not None and words in str(hover.contents)
        whole = types.Range(at(0, 0), at(9, 0))
        hints = await session.client.text_document_inlay_hint_async(types.InlayHintParams(DOCUMENT, whole))
        assert [each.position for each in hints or ()] == [at(1, utf16(line))]

    in_session(talk, types.GeneralClientCapabilities(position_encodings=preferred))


SURROGATES = """\
// \U0001d48f is \U0001f600
func.func @add(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %t = arith.constant true
  cf.assert %t, "\U0001f600 not \U0001d48f"
  %0 = tosa.add %a, %b {n = "\U0001d48f\u00e9"} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> // \U0001f600
  return %0 : tensor<?xf32>
}
"""
BROKEN = SURROGATES.replace("tosa.add %a", "tosa.add %nothing")


def positions(text: str) -> Iterator[tuple[types.Position, str, int]]:
    """Yield every position of a text, in units of UTF-16, with its line and its column in characters."""
    lines = text.split("\n")
    for number, line in enumerate([*lines, ""]):
        for units in range(utf16(line) + 2):
            column = next((n for n in range(len(line) + 1) if utf16(line[: n + 1]) > units), len(line) + 1)
            yield at(number, units), line, column


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(SURROGATES, id="wide", marks=pytest.mark.exhaustive),
        pytest.param(SURROGATES.replace("\n", "\r\n"), id="crlf", marks=pytest.mark.exhaustive),
        pytest.param(BROKEN, id="broken"),
    ],
)
def test_questions_at_every_position(text: str) -> None:
    def expected(line: str, column: int) -> str | None:
        for words in (r"%[ab0]\b", r"tosa\.add|cf\.assert|arith\.constant|func\.func"):
            for each in re.finditer(words, line):
                if each.start() <= column <= each.end() and text is not BROKEN:
                    return each.group()
        return None

    async def talk(session: Session) -> None:
        client, context = session.client, types.CodeActionContext([])
        found = await session.open(text)
        assert [each.code for each in found] == ["input" if text is BROKEN else "tosa-add-broadcast"]
        actions: dict[str, tuple[types.CodeAction, set[int]]] = {}
        for place, line, column in positions(text):
            here, words = types.Range(place, place), expected(line, column)
            hover: Any = await client.text_document_hover_async(types.HoverParams(DOCUMENT, place))
            if words is None:
                assert hover is None, (place, hover)
            elif words[0] == "%":
                assert hover.contents.value.startswith(f"```mlir\n{words} : tensor<?xf32>"), place
            else:
                assert (words if words[0] in "tc" else f"nothing to prove at line {place.line + 1}") in str(hover), (
                    place
                )
            hints = await client.text_document_inlay_hint_async(types.InlayHintParams(DOCUMENT, here))
            shown = [(place.line, utf16(line.rstrip()), "[broadcast(a[0], b[0])]")]
            assert [(each.position.line, each.position.character, each.label) for each in hints or ()] == (
                shown if "tosa.add" in line and text is not BROKEN else []
            )
            asked = types.CodeActionParams(DOCUMENT, here, context)
            for each in await client.text_document_code_action_async(asked) or ():
                assert isinstance(each, types.CodeAction)
                actions.setdefault(each.title.partition(" ")[0], (each, set()))[1].add(place.line)
        everywhere = set(range(text.count("\n") + 2))
        offered = {"Assume": everywhere - {0}, "Remove": everywhere, "Insert": everywhere}
        assert {title: lines for title, (_, lines) in actions.items()} == ({} if text is BROKEN else offered)
        for title, (action, _) in actions.items():
            chosen = action if action.edit is not None else await client.code_action_resolve_async(action)
            after = applied(chosen, text)
            assert after != text
            assert after.count("\r\n") == (after.count("\n") if "\r" in text else 0)
            assert api.check(after, execute=False).count(Refuted) == (1 if title != "Assume" else 0)

    in_session(talk)


def test_answers_after_a_change_are_those_of_the_new_text() -> None:
    async def talk(session: Session) -> None:
        await session.open(SURROGATES)
        value = types.HoverParams(DOCUMENT, at(4, 2))
        assert "%0 : tensor" in str(await session.client.text_document_hover_async(value))
        session.change(f"// above\n{SURROGATES}")
        assert "%0" not in str(await session.client.text_document_hover_async(value))
        moved = types.HoverParams(DOCUMENT, at(5, 2))
        assert "%0 : tensor" in str(await session.client.text_document_hover_async(moved))
        session.change(BROKEN)
        assert await session.client.text_document_hover_async(value) is None

    in_session(talk)


def test_files_of_one_name_in_two_folders() -> None:
    one, two = (types.WorkspaceFolder(f"file:///nowhere/{each}", each) for each in ("one", "two"))

    async def talk(session: Session) -> None:
        client = session.client

        async def labels(folder: types.WorkspaceFolder) -> list[tuple[int, Any]]:
            document = types.TextDocumentIdentifier(f"{folder.uri}/add.mlir")
            asked = types.InlayHintParams(document, types.Range(at(0, 0), at(20, 0)))
            found = await client.text_document_inlay_hint_async(asked)
            return [(each.position.line, each.label) for each in found or ()]

        assert len(await session.open(PROGRAM, f"{one.uri}/add.mlir")) == 1
        assert await session.open(PROGRAM.replace("%a, %b :", "%a, %a :"), f"{two.uri}/add.mlir") == []
        first = [(1, "[a[0], 4]"), (6, "[broadcast(a[0], b[0])]")]
        second = [(1, "[a[0], 4]"), (6, "[a[0]]")]
        assert (await labels(one), await labels(two)) == (first, second)
        closed = types.TextDocumentIdentifier(f"{one.uri}/add.mlir")
        client.text_document_did_close(types.DidCloseTextDocumentParams(closed))
        assert (await labels(one), await labels(two)) == ([], second)

    in_session(talk, folders=[one, two])


def test_a_document_does_not_wait_for_all_functions_of_another() -> None:
    adding = PROGRAM.partition("\n\n")[2]
    large = "".join(adding.replace("@add", f"@add{number}").replace("?", "?x3") for number in range(40))
    uris = [f"file:///nowhere/{name}.mlir" for name in ("large", "small")]

    async def talk(session: Session) -> None:
        for uri, text in zip(uris, (large, PROGRAM), strict=True):
            item = types.TextDocumentItem(uri, "mlir", 1, text)
            session.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        found = dict.fromkeys(uris, 0)
        while not found[uris[1]]:
            published = await asyncio.wait_for(session.published.get(), 60)
            found[published.uri] = len(published.diagnostics)
        assert found[uris[0]] < 40

    in_session(talk)


def test_an_action_that_is_whole_is_resolved_as_it_is() -> None:
    async def talk(session: Session) -> None:
        (finding,) = await session.open(PROGRAM)
        asked = types.CodeActionParams(DOCUMENT, finding.range, types.CodeActionContext([finding]))
        found = await session.client.text_document_code_action_async(asked)
        (whole,) = [each for each in found or () if isinstance(each, types.CodeAction) and each.edit]
        assert await session.client.code_action_resolve_async(whole) == whole

    in_session(talk)


def test_a_line_that_splits_a_file_begins_another_module() -> None:
    part = PROGRAM.partition("\n\n")[2]
    asserted = 'func.func @add(%c: i1) {\n  %t = arith.constant true\n  cf.assert %t, ""\n  return\n}\n'
    text = f"{part}// -----\n{asserted}// -----\nfunc.func @add( \n"

    async def talk(session: Session) -> None:
        found = await session.open(text)
        assert sorted((each.range.start.line, each.code) for each in found) == [
            (1, "tosa-add-broadcast"),
            (11, "input"),
        ]
        changed = await resolved(session, "Remove the runtime checks that are proved, in the whole file", text)
        assert changed.startswith(f"{part}// -----\n") and changed.endswith("// -----\nfunc.func @add( \n")
        assert "cf.assert" not in changed
        hover = await session.client.text_document_hover_async(types.HoverParams(DOCUMENT, at(7, 4)))
        assert hover is not None and "cf.assert" in str(hover.contents) and "proved" in str(hover.contents)

    in_session(talk)


def test_a_closed_document_has_no_findings_and_no_answers() -> None:
    async def talk(session: Session) -> None:
        assert await session.open(PROGRAM)
        session.client.text_document_did_close(types.DidCloseTextDocumentParams(DOCUMENT))
        assert not (await asyncio.wait_for(session.published.get(), 60)).diagnostics
        session.change("func.func @f(")
        place, whole = at(5, 8), types.Range(at(0, 0), at(9, 0))
        client, context = session.client, types.CodeActionContext([])
        assert await client.text_document_hover_async(types.HoverParams(DOCUMENT, place)) is None
        assert not await client.text_document_definition_async(types.DefinitionParams(DOCUMENT, place))
        assert not await client.text_document_inlay_hint_async(types.InlayHintParams(DOCUMENT, whole))
        assert not await client.text_document_code_action_async(types.CodeActionParams(DOCUMENT, whole, context))
        assert session.published.empty()
        session.version = 7
        assert len(await session.open(PROGRAM)) == 1

    in_session(talk)


def test_characters_that_end_a_line_for_python_alone() -> None:
    async def talk(session: Session) -> None:
        text = "// a\u2028b\x0cc\x85d\n" + PROGRAM
        (found,) = await session.open(text)
        assert found.range.start.line == 7
        session.change(text.replace("%a, %b :", "%a, %a :"))
        assert await session.diagnostics() == []

    in_session(talk)


def test_a_session_ends_with_0() -> None:
    messages = [
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]
    bodies = [json.dumps({"jsonrpc": "2.0", **each}).encode() for each in messages]
    given = b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(each), each) for each in bodies)
    ended = subprocess.run(
        [sys.executable, "-c", SERVER, "lsp"], input=given, capture_output=True, check=False, timeout=60
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
