"""Tests of the representations of results: in a session, in a notebook, as text, JSON and a table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import shapesolve
from shapesolve import InputError, RefutedError, prove
from shapesolve.cli.main import main
from shapesolve.diagnosis.diagnosis import diagnose

PROGRAM = """
func.func @add(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = tosa.abs %0 : (tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("a<b.mlir").write_text(PROGRAM, encoding="utf-8")
    return "a<b.mlir"


def test_a_report_shows_what_the_command_shows(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    report = shapesolve.check(file, execute=False)
    assert repr(report).startswith("<Report a<b.mlir: ")
    assert "1 refuted" in repr(report)
    assert len(report.text(width=40).splitlines()) > len(report.text(width=120).splitlines())
    assert main(["check", file, "--no-execute", "--json"]) == 1
    assert json.loads(report.to_json()) == json.loads(capsys.readouterr().out)
    proved = shapesolve.check(file, assume="a[0] == b[0]", execute=False)
    assert "because" not in proved.text()
    assert len(proved.text(verbose=True)) > len(proved.text())


def test_results_show_themselves_in_one_line(file: str) -> None:
    report = shapesolve.check(file, execute=False)
    (function,), (refuted,) = report.functions, report.refuted
    assert repr(function) == "<FunctionReport @add: 1 refuted>"
    place = "a<b.mlir:3:8: tosa.add [tosa-add-broadcast]"
    assert repr(refuted).startswith(f"<CheckedObligation {place}: Refuted: a[0] = 2, b[0] = 3")
    assert repr(shapesolve.prune(file)) == "<PruneResult 0 checks: 0 removed, 0 kept, 0 inserted>"
    assert repr(shapesolve.refine(file, file)) == "(<Refinement of @add: proved>,)"
    assert repr(shapesolve.verify(file)) == "<JudgedFile a<b.mlir: 2 accepted by mlir-22>"
    assert repr(shapesolve.sizes(file, execute=False)).startswith("<SizesReport a<b.mlir: vectors of @add: ")
    assert repr(shapesolve.refine_types(file)) == "<RefineResult 0 types refined>"
    assert repr(shapesolve.shape_of(file)["add"][0]) == "<ValueShape a<b.mlir:2:1: %a: [a[0]]>"


def test_a_program_given_as_text_is_called_as_python_calls_it() -> None:
    report = shapesolve.check(PROGRAM, execute=False)
    assert repr(report).startswith("<Report <string>: ")
    assert report.text().startswith("<string>:3:8: error: ")
    assert repr(shapesolve.verify(PROGRAM)) == "<JudgedFile <string>: 2 accepted by mlir-22>"
    with pytest.raises(InputError, match=r"^<string>:2:1: "):
        shapesolve.check("\nfunc.fun @f()\n")


def test_a_report_as_html_escapes_what_it_shows(file: str) -> None:
    html = shapesolve.check(file, execute=False)._repr_html_()
    assert "a&lt;b.mlir" in html
    assert "<b.mlir" not in html
    assert html.count("<tr>") == 2
    assert "compatible(a[0], b[0])" in html
    assert "a: 2, b: 3" in html  # as the text of the report says it


def test_a_refuted_obligation_raises_and_a_safe_report_has_none(file: str) -> None:
    report = shapesolve.check(file, execute=False)
    (refuted,) = report.refuted
    assert refuted.verdict.is_refuted
    with pytest.raises(RefutedError, match=r"compatible\(a\[0\], b\[0\]\)"):
        report.raise_if_refuted()
    safe = shapesolve.check(file, assume="a[0] == b[0]", execute=False)
    assert safe.refuted == ()
    safe.raise_if_refuted()


def test_a_contract_shows_itself(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    contract = shapesolve.contract(file)
    assert repr(contract).endswith("add is safe exactly when all of these hold: compatible(a[0], b[0])>")
    assert main(["contract", file, "--json"]) == contract.exit_code
    assert json.loads(contract.to_json()) == json.loads(capsys.readouterr().out)
    assert "safe exactly when" in contract.text()
    assert "compatible" in contract._repr_html_()


@pytest.mark.slow
def test_reports_become_data_frames_with_a_row_per_obligation(file: str) -> None:
    pandas = pytest.importorskip("pandas")
    report = shapesolve.check(file, execute=False)
    table = report.to_dataframe()
    assert isinstance(table, pandas.DataFrame)
    assert len(table) == len(report.checked_obligations)
    assert list(table[table.verdict == "refuted"].line) == [3]
    assert list(shapesolve.contract(file).to_dataframe().condition) == ["compatible(a[0], b[0])"]


def test_findings_and_verdicts(file: str) -> None:
    (finding,) = diagnose(shapesolve.check(file, execute=False)).functions[0].findings
    assert repr(finding).startswith("<Finding a<b.mlir:3:8: tosa.add: Refuted: a[0] = 2, b[0] = 3")
    verdict = prove("N < 5")
    assert json.loads(verdict.to_json()) == {"verdict": "refuted", "text": "Refuted: N = 5", "sizes": {"N": 5}}
    assert verdict._repr_html_() == "<b>Refuted</b>: N = 5"
    assert "&gt;= 1" in prove("N >= 1", assuming="N >= 1")._repr_html_()


def test_the_old_name_of_the_checked_obligations_works_with_a_warning(file: str) -> None:
    report = shapesolve.check(file, execute=False)
    with pytest.warns(DeprecationWarning, match="Report.checked_obligations"):
        assert report.judgements == report.checked_obligations  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(AttributeError, match="'Report' object has no attribute 'findngs'"):
        _ = report.findngs  # pyright: ignore[reportAttributeAccessIssue]


def test_the_old_name_of_a_strategy_works_with_a_warning() -> None:
    verdict = prove("N >= 0")
    with pytest.warns(DeprecationWarning, match=r"Proved\.strategy"):
        assert verdict.rung == verdict.strategy  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(AttributeError, match="'Refuted' object has no attribute 'facts'"):
        _ = prove("N < 5").facts  # pyright: ignore[reportAttributeAccessIssue]
