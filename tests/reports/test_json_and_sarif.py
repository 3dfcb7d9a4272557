"""Tests of JSON and SARIF reports: complete, consistent with the text report, and of the documented form."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from email.message import Message
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from shapesolve.checker.report import Failure, Report
from shapesolve.diagnosis.diagnosis import Diagnosis, diagnose
from shapesolve.interpreter.inputs import scope_of
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_file, check_program
from shapesolve.reports.check_json import check_document
from shapesolve.reports.sarif import project_address, sarif_document, uri
from shapesolve.solver.verdicts import Refuted
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.parser import parse_formula

ROOT = Path(__file__).parents[2]
UNET = ROOT / "examples" / "unet.mlir"
EXAMPLES = sorted((ROOT / "examples").glob("*.mlir"))
QUIET = Options(execute=False)
FAILURE = Failure(
    "missing.mlir", "error: missing.mlir: there is no such file", "missing.mlir", "there is no such file", ""
)
MIXED = """\
func.func @open(%x: tensor<?xf32>, %y: tensor<?xf32>) {
  %0 = "my.op"(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = tosa.add %0, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}
func.func @never(%x: tensor<?xf32>) attributes {shapesolve.assume = ["x[0] >= 3", "x[0] <= 2"]} {
  %1 = tosa.add %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}
func.func @unranked(%x: tensor<*xf32>, %y: tensor<*xf32>) {
  %0 = shape.shape_of %x : tensor<*xf32> -> tensor<?xindex>
  %1 = shape.shape_of %y : tensor<*xf32> -> tensor<?xindex>
  %2 = shape.cstr_broadcastable %0, %1 : tensor<?xindex>, tensor<?xindex>
  return
}
"""


def mixed() -> Report:
    return check_program(read_text(MIXED, "mixed.mlir"), QUIET)


@cache
def report_on(path: Path) -> Report:
    return check_file(str(path), QUIET)


@cache
def documented(path: Path) -> Any:
    return document(report_on(path))


@cache
def logged(path: Path) -> Any:
    return sarif(report_on(path))


def _diagnosed(checked: Sequence[Report | Failure]) -> list[Diagnosis | Failure]:
    return [diagnose(each) if isinstance(each, Report) else each for each in checked]


def document(*checked: Report | Failure) -> Any:
    """Return the document after writing and reading it."""
    return json.loads(json.dumps(check_document(_diagnosed(checked), 2)))


def all_keys(value: Any) -> set[str]:
    if isinstance(value, dict):
        return {*value, *(key for each in value.values() for key in all_keys(each))}
    return {key for each in value for key in all_keys(each)} if isinstance(value, list) else set()


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_counts_are_those_of_the_report(path: Path) -> None:
    report = report_on(path)
    (file,) = documented(path)["files"]
    verdicts = Counter(each["verdict"] for f in file["functions"] for each in f["obligations"])
    assert sum(verdicts.values()) == len(report.checked_obligations) == file["summary"]["obligations"]
    for word in ("proved", "refuted", "undecided", "unreachable"):
        assert verdicts[word] == file["summary"][word]
    assert file["exit_code"] == report.exit_code


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_identities_are_unique_and_every_cause_names_them(path: Path) -> None:
    (file,) = documented(path)["files"]
    for function in file["functions"]:
        identities = [each["identity"] for each in function["obligations"]]
        assert len(set(identities)) == len(identities)
        caused = [identity for cause in function["findings"] for identity in cause["obligations"]]
        open_ones = [each["identity"] for each in function["obligations"] if each["verdict"] != "proved"]
        assert sorted(caused) == sorted(open_ones)


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_sizes_in_the_document_make_the_claim_in_it_false(path: Path) -> None:
    report = report_on(path)
    (file,) = documented(path)["files"]
    for function, there in zip(report.functions, file["functions"], strict=True):
        variables = {variable.name: variable for variable in function.trace.input_variables}
        for each in there["obligations"]:
            if each["verdict"] == "refuted":
                claim = parse_formula(each["claim"], scope_of(function.trace))
                sizes = {variables[name]: size for name, size in each["evidence"]["sizes"].items()}
                assert not holds(claim, sizes)


def test_the_readable_claim_means_the_same() -> None:
    (function,) = report_on(UNET).functions
    scope = scope_of(function.trace)
    (file,) = documented(UNET)["files"]
    variables = {variable.name: variable for variable in function.trace.input_variables}
    for each in file["functions"][0]["obligations"]:
        claim, readable = (parse_formula(each[key], scope) for key in ("claim", "readable_claim"))
        for h in range(12):
            sizes = {variables["arg0[0]"]: 1, variables["arg0[2]"]: h, variables["arg0[3]"]: 3 * h % 7}
            assert holds(claim, sizes) == holds(readable, sizes)


def test_a_file_that_could_not_be_read_has_its_place() -> None:
    good, bad = document(mixed(), FAILURE)["files"]
    assert bad == {
        "file": "missing.mlir",
        "exit_code": 2,
        "error": {"where": "missing.mlir", "message": "there is no such file", "excerpt": ""},
    }
    assert good["exit_code"] == 1


def test_every_kind_of_verdict() -> None:
    (file,) = document(mixed())["files"]
    functions = {each["name"]: each for each in file["functions"]}
    (undecided,) = [each for each in functions["open"]["obligations"] if each["verdict"] == "undecided"]
    assert undecided["evidence"]["undecided_reason"] == "approximation"
    assert "my.op" in undecided["evidence"]["reason"]
    assert undecided["evidence"]["candidate"]["sizes"]
    assert functions["open"]["approximations"][0]["requirements_known"] is False
    never = functions["never"]
    assert never["never_reached"] is True
    assert [fact["because"] for fact in never["contradiction"]] == [
        "shapesolve.assume: x[0] >= 3",
        "shapesolve.assume: x[0] <= 2",
    ]
    assert {each["verdict"] for each in never["obligations"]} == {"unreachable"}
    (ranks,) = [each for each in functions["unranked"]["obligations"] if each["verdict"] == "refuted"]
    assert all(isinstance(size, list) for size in ranks["evidence"]["sizes"].values())


@pytest.mark.process
def test_an_execution_is_in_the_document() -> None:
    report = check_file(str(ROOT / "examples" / "linear.mlir"), Options())
    (file,) = document(report)["files"]
    refuted = [each for each in file["functions"][0]["obligations"] if each["verdict"] == "refuted"]
    assert {each["execution"]["confirmation"] for each in refuted} == {"failed_here"}


@pytest.mark.process
def test_every_key_is_documented() -> None:
    text = (ROOT / "docs" / "json.md").read_text()
    documented = set(re.findall(r"`(\w+)`", text))
    found = all_keys(document(mixed(), check_file(str(ROOT / "examples" / "linear.mlir"), Options()), FAILURE))
    sizes = {name for name in found if "[" in name or name in ("x", "y")}
    assert found - sizes - documented == set()


# SARIF ---------------------------------------------------------------------------------------------------------------


def sarif(*checked: Report | Failure) -> Any:
    return json.loads(json.dumps(sarif_document(_diagnosed(checked))))


def check_form(log: Any) -> None:
    """Assert the requirements of SARIF 2.1.0 on the parts in use."""
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "shapesolve"
    identities = [rule["id"] for rule in driver["rules"]]
    assert len(set(identities)) == len(identities)
    assert all(rule["shortDescription"]["text"] for rule in driver["rules"])
    for rule in driver["rules"]:
        assert rule["help"]["text"].endswith(f"shapesolve rules {rule['id']}")
        assert rule["help"]["markdown"].startswith(f"**{rule['shortDescription']['text']}**")
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("none", "note", "warning", "error")
        assert result["message"]["text"]
        assert len(result["locations"]) == 1
        for location in (*result["locations"], *result.get("relatedLocations", ())):
            physical = location["physicalLocation"]
            assert re.fullmatch(r"[\w./:%-]+", physical["artifactLocation"]["uri"])
            assert physical["region"]["startLine"] >= 1
            assert physical["region"]["startColumn"] >= 1
        assert all(isinstance(each, str) for each in result["partialFingerprints"].values())
    for invocation in run["invocations"]:
        assert isinstance(invocation["executionSuccessful"], bool)


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_sarif_of_the_examples(path: Path) -> None:
    report, log = report_on(path), logged(path)
    check_form(log)
    lines = {result["locations"][0]["physicalLocation"]["region"]["startLine"] for result in log["runs"][0]["results"]}
    refuted = {j.obligation.location.line for j in report.checked_obligations if isinstance(j.verdict, Refuted)}
    assert lines <= refuted


def fixed(text: str, fix: Any) -> str:
    """The text with a fix's replacements made."""
    (change,) = fix["artifactChanges"]
    lines = text.splitlines(keepends=True)
    for each in change["replacements"]:
        region = each["deletedRegion"]
        assert (region["startLine"], region["startColumn"]) == (region["endLine"], region["endColumn"])
        line, column = region["startLine"] - 1, region["startColumn"] - 1
        lines[line] = lines[line][:column] + each["insertedContent"]["text"] + lines[line][column:]
    return "".join(lines)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["unet", "transformer", "linear"])
def test_a_fix_states_the_contract_so_that_nothing_fails(name: str) -> None:
    path = ROOT / "examples" / f"{name}.mlir"
    (run,) = logged(path)["runs"]
    fixes = {json.dumps(each["fixes"]) for each in run["results"] if each["level"] == "error"}
    assert len(fixes) == 1
    ((fix,),) = map(json.loads, fixes)
    assert all(each["properties"]["safeOnlyThen"] for each in run["results"])
    after = check_program(read_text(fixed(path.read_text(), fix)), QUIET)
    assert after.exit_code == 0


HEADS = """\
func.func @plain(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}
  func.func private @results(%a: tensor<?xf32> {my.x = "a{b"}, %b: tensor<?xf32>) // a { here
      -> (tensor<?xf32> {my.y = 1 : i32}) attributes {my.z = "}{"} {
    %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
func.func @empty(%attributes: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> attributes { } {
  %0 = tosa.add %attributes, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @assumes(%a: tensor<?xf32>, %b: tensor<?xf32>) attributes {shapesolve.assume = "a[0] == 3"} {
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}
"func.func"() <{function_type = (tensor<?xf32>, tensor<?xf32>) -> (), sym_name = "generic"}> ({
^bb0(%a: tensor<?xf32>, %b: tensor<?xf32>):
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  "func.return"() : () -> ()
}) : () -> ()
"""


def test_fixes_of_heads_of_functions(tmp_path: Path) -> None:
    path = tmp_path / "heads.mlir"
    path.write_text(HEADS)
    (run,) = sarif(check_file(str(path), QUIET))["runs"]
    assert all(each["properties"]["safeWhen"] for each in run["results"])
    text = HEADS
    for each in reversed(run["results"]):
        text = fixed(text, each["fixes"][0]) if "fixes" in each else text
    left = {function.name for function in check_program(read_text(text), QUIET).functions if function.name}
    assert left == {"plain", "results", "empty", "assumes", "generic"}
    refuted = [f.name for f in check_program(read_text(text), QUIET).functions
               if any(isinstance(j.verdict, Refuted) for j in f.checked_obligations)]  # fmt: skip
    assert refuted == ["assumes", "generic"]


@pytest.mark.parametrize(
    "stated, expected",
    [
        ([], None),
        (["Changelog, https://example.org/changes"], None),
        (["Homepage, https://example.org/", "Documentation, https://example.org/docs"], "https://example.org/docs"),
    ],
)
def test_addresses_are_those_of_the_package(
    stated: list[str], expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = Message()
    for each in stated:
        package["Project-URL"] = each

    def metadata(_name: str) -> Message:
        return package

    monkeypatch.setattr("importlib.metadata.metadata", metadata)
    project_address.cache_clear()
    driver = sarif(mixed())["runs"][0]["tool"]["driver"]
    project_address.cache_clear()
    assert driver.get("informationUri") == expected
    assert {rule.get("helpUri") for rule in driver["rules"]} == {expected}


def test_levels_and_rules() -> None:
    log = sarif(mixed(), FAILURE)
    check_form(log)
    (run,) = log["runs"]
    assert {(each["ruleId"], each["level"]) for each in run["results"]} == {
        ("tosa-add-broadcast", "warning"),
        ("tosa-add-broadcast", "note"),
        ("shape-cstr-broadcastable-broadcast", "error"),
        ("unchecked", "warning"),
    }
    assert run["invocations"][0]["executionSuccessful"] is False
    assert "there is no such file" in run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]


def test_a_fingerprint_survives_lines_added_above() -> None:
    def prints(text: str) -> list[str]:
        results = sarif(check_program(read_text(text, "m.mlir"), QUIET))["runs"][0]["results"]
        return [each["partialFingerprints"]["shapesolve/v1"] for each in results]

    assert prints("// one more line\n" + MIXED) == prints(MIXED)
    assert len(set(prints(MIXED))) == len(prints(MIXED))


def test_paths_become_escaped_uris(tmp_path: Path) -> None:
    assert uri("models/a b#1.mlir") == "models/a%20b%231.mlir"
    assert uri(str(tmp_path / "a.mlir")) == (tmp_path / "a.mlir").as_uri()
