"""Tests of the documents of many files: written as if from one piece, from parts that wait on disk."""

from __future__ import annotations

import json
import tracemalloc
from argparse import Namespace
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from cli.conftest import ADD, Command
from cli.test_many_files import SAFE, write
from validation.test_command import FALSE_WITNESS

from shapesolve.cli import check, prune, spool, validate
from shapesolve.cli.arguments import parse_command_line
from shapesolve.cli.documents import Documents
from shapesolve.cli.rendered_report import RenderedReport
from shapesolve.cli.supervisor import Terminated
from shapesolve.errors import InputError
from shapesolve.reports.sarif import Part

QUOTED = 'func.func @"<elements>"(' + ADD.partition("(")[2]


@pytest.fixture(autouse=True)
def _on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "IN_MEMORY_BYTES", 100)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, a=ADD, b=SAFE, c="func.func @f(", d=QUOTED, e="module {\n}\n", f=ADD)
    return tmp_path


def _document(command: Command, *given: str) -> Any:
    text = command("check", "--no-execute", *given).out
    document = json.loads(text)
    assert text == json.dumps(document, indent=2) + "\n"
    return document


@pytest.mark.slow
def test_the_json_of_many_files_has_that_of_each(folder: Path, command: Command) -> None:
    whole = _document(command, ".", "--json=-")
    alone = [_document(command, name, "--json=-") for name in ("a.mlir", "b.mlir", "c.mlir", "d.mlir", "f.mlir")]
    assert whole["files"] == [file for each in alone for file in each["files"]]
    assert whole["exit_code"] == 2 and alone[1]["exit_code"] == 0
    assert {**whole, "files": [], "exit_code": 0} == {**alone[1], "files": []}


def test_the_earlier_version_of_the_json_is_written_in_parts_too(folder: Path, command: Command) -> None:
    (file,) = _document(command, "a.mlir", "--json=-", "--json-version", "1")["files"]
    document = _document(command, "a.mlir", "b.mlir", "--json=-", "--json-version", "1")
    assert document["version"] == 1 and document["files"][0] == file and "causes" in file["functions"][0]


def test_the_log_of_many_files_has_the_rules_of_all(folder: Path, command: Command) -> None:
    (run,) = _document(command, ".", "--format", "sarif")["runs"]
    rules = [each["id"] for each in run["tool"]["driver"]["rules"]]
    assert len(run["results"]) == 3
    assert all(rules[each["ruleIndex"]] == each["ruleId"] for each in run["results"])
    assert run["invocations"][0]["executionSuccessful"] is False
    assert _document(command, "b.mlir", "--format", "sarif")["runs"][0]["results"] == []


def test_formats_of_hosts_are_whole_documents(folder: Path, command: Command) -> None:
    entries = _document(command, ".", "--format", "gitlab")
    assert [each["location"]["path"] for each in entries] == ["a.mlir", "c.mlir", "d.mlir", "f.mlir"]
    assert _document(command, "b.mlir", "--format", "gitlab") == []
    suites = ElementTree.fromstring(command("check", ".", "--no-execute", "--format", "junit").out)
    assert [each.get("name") for each in suites] == ["a.mlir", "b.mlir", "c.mlir", "d.mlir", "f.mlir"]


def test_the_page_of_many_files_has_an_index(folder: Path, command: Command) -> None:
    command("check", ".", "--no-execute", "--html=page.html")
    page = Path("page.html").read_text(encoding="utf-8")
    for number, name in enumerate(("a.mlir", "b.mlir", "c.mlir", "d.mlir", "f.mlir")):
        assert f'<li><a href="#report-{number}">{name}: ' in page
        assert page.count(f'<section id="report-{number}">') == 1
    assert ">a.mlir: 1 check of sizes: 0 proved, 1 refuted</a></li>" in page
    assert page.endswith("</html>\n")


def _report(number: int) -> RenderedReport:
    """Return a report with a document of about 60 KB of objects that no two files share."""
    obligations = [{"claim": f"x{number}_{each} == {each}", "facts": [number, each]} for each in range(300)]
    results: list[dict[str, object]] = [
        {"ruleId": "code", "message": {"text": f"{number} {each}"}} for each in range(300)
    ]
    return RenderedReport(1, "", False, "", {"functions": obligations}, Part({"code": {"id": "code"}}, results), None)


def _peak(place: Path, files: int) -> int:
    """Return the most bytes that documents of so many files take."""
    arguments = Namespace(
        format="full", json=str(place / f"{files}.json"), sarif=str(place / f"{files}.sarif"), html=None, json_version=2
    )
    tracemalloc.start()
    try:
        with closing(Documents(arguments)) as found:
            for number in range(files):
                found.add(_report(number))
            found.write(1)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.exhaustive
def test_memory_does_not_grow_with_the_files(tmp_path: Path) -> None:
    few, many = _peak(tmp_path, 4), _peak(tmp_path, 64)
    assert many < 3 * few  # reports that are kept take 10 times as much; the collector comes when it likes
    assert len(json.loads((tmp_path / "64.json").read_text())["files"]) == 64
    assert len(json.loads((tmp_path / "64.sarif").read_text())["runs"][0]["results"]) == 64 * 300


def test_a_full_disk_is_an_error_of_the_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(spool.Spool("--json")) as empty:
        kept = empty

    def full(_: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kept, "_file", Namespace(write=full))
    with pytest.raises(InputError, match="No space left") as caught:
        kept.add("text")
    assert caught.value.where == "--json"


@pytest.mark.process
@pytest.mark.slow
def test_documents_of_validate_are_put_together_from_parts(folder: Path, command: Command) -> None:
    given = ("-p", "builtin.module(cse,canonicalize)", "--no-execute")
    write(folder, a=FALSE_WITNESS)
    ended = command("validate", "a.mlir", "c.mlir", "b.mlir", "--json", "--sarif=log.sarif", *given)
    document, log = json.loads(ended.out), json.loads(Path("log.sarif").read_text())
    assert ended.out == json.dumps(document, indent=2) + "\n"
    alone = [json.loads(command("validate", name, "--json", *given).out) for name in ("a.mlir", "c.mlir", "b.mlir")]
    assert document["files"] == [file for each in alone for file in each["files"]]
    assert (document["format"], document["exit_code"], ended.code) == ("shapesolve-validate", 2, 2)
    assert log["runs"][0]["invocations"][0]["executionSuccessful"] is False
    (result,) = json.loads(command("validate", "a.mlir", "--sarif=-", *given).out)["runs"][0]["results"]
    assert log["runs"][0]["results"] == [result]


@pytest.mark.slow
@pytest.mark.parametrize("version", ["1", "2"])
def test_documents_of_prune_are_put_together_from_parts(folder: Path, version: str, command: Command) -> None:
    given = ("--json", "--json-version", version)
    result = command("prune", "a.mlir", "c.mlir", "b.mlir", "-o", "all", *given)
    document = json.loads(result.out)
    alone = [
        json.loads(command("prune", name, "-o", f"all/{name}", "--force", *given).out) for name in ("a.mlir", "b.mlir")
    ]
    assert result.code == 2 and "c.mlir" in result.err
    assert result.out == json.dumps(document, indent=2) + "\n"
    assert document == {"format": "shapesolve-prune-files", "version": int(version), "files": alone}


@pytest.mark.process
@pytest.mark.parametrize(
    "given", [("validate", "-p", "builtin.module(cse)", "--json"), ("prune", "--json", "-o", "all")]
)
def test_an_interrupted_command_writes_what_is_done(
    folder: Path, given: tuple[str, ...], command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    for module in (prune, validate):
        monkeypatch.setattr(module, "collect_between_files", interrupted)
    result = command(*given, "b.mlir", "a.mlir")
    assert result.code == 130 and len(json.loads(result.out)["files"]) == 1


@pytest.mark.process
@pytest.mark.parametrize("format_", ["json", "sarif", "junit", "gitlab"])
@pytest.mark.parametrize("request_", [KeyboardInterrupt(), Terminated(15)])
def test_a_stopped_check_writes_what_is_done_and_says_that_it_is_not_complete(
    folder: Path,
    format_: str,
    request_: BaseException,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stop(*_: object) -> None:
        raise request_

    monkeypatch.setattr(check.FileProgress, "update", stop)
    arguments = parse_command_line(
        "0", ["check", "a.mlir", "b.mlir", "--no-execute", "--no-cache", "--format", format_]
    )
    with pytest.raises(type(request_)):
        check.run(arguments)
    out = capsys.readouterr().out
    match format_:
        case "json":
            found = json.loads(out)
            assert found["exit_code"] in (130, 143) and len(found["files"]) == 1
        case "sarif":
            invocation = json.loads(out)["runs"][0]["invocations"][0]
            assert not invocation["executionSuccessful"]
            assert "not complete" in invocation["toolExecutionNotifications"][0]["message"]["text"]
        case "junit":
            suites = ElementTree.fromstring(out)
            assert len(suites) == 2 and "not complete" in suites[1][0][0].attrib["message"]
        case _:
            *_, last = json.loads(out)
            assert "not complete" in last["description"] and last["severity"] == "blocker"
