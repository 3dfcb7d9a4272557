"""Formats for hosts and editors, and which findings count: codes, comments, baselines."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from cli.conftest import ADD, Command

from shapesolve.cli.ignore_comments import ignore_comments

TWO = """\
func.func @add(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @open(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "my.op"(%a) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = tosa.sub %0, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
"""
CODES = ["tosa-add-broadcast", "tosa-sub-broadcast", "unchecked"]


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("two.mlir")
    path.write_text(TWO)
    return path


def check(command: Command, *options: str) -> tuple[int, list[str]]:
    """The exit code, and the codes of the findings."""
    result = command("check", "--no-execute", "--format=concise", *options)
    return result.code, [line[line.rindex("[") + 1 : -1] for line in result.out.splitlines()]


def test_a_line_break_in_a_name_does_not_break_the_line(tmp_path: Path, command: Command) -> None:
    file = tmp_path / "two\nlines.mlir"
    file.write_text(ADD)
    for format_ in ("concise", "github"):
        (line,) = command("check", str(file), "--no-execute", "--format", format_).out.splitlines()
        assert "lines.mlir" in line and "tosa.add needs" in line


def test_the_concise_format_is_one_line_a_finding(two: Path, command: Command) -> None:
    result = command("check", str(two), "--no-execute", "--format", "concise")
    lines = result.out.splitlines()
    assert result.code == 1 and len(lines) == 3
    assert lines[0].startswith("two.mlir:2:8: error: ") and lines[0].endswith("  [tosa-add-broadcast]")
    assert lines[1].startswith("two.mlir:7:8: warning: ") and lines[1].endswith("  [tosa-sub-broadcast]")


SLICE = """\
func.func @head(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %0 = tensor.extract_slice %a[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


@pytest.mark.parametrize("form", ["full", "concise", "json", "sarif", "github", "gitlab", "junit"])
def test_every_format_states_all_that_an_operation_needs(form: str, tmp_path: Path, command: Command) -> None:
    file = tmp_path / "slice.mlir"
    file.write_text(SLICE)
    out = command("check", str(file), "--no-execute", "--format", form).out
    assert "0 <= n <= a[0]" in out.replace("&lt;", "<")
    assert form != "sarif" or "of the same cause" not in out  # both claims of it are stated


def test_annotations_of_github(two: Path, command: Command) -> None:
    Path("odd,%.mlir").write_text("func.func @f(")
    result = command("check", str(two), "odd,%.mlir", "--no-execute", "--format", "github")
    first, *_, last = result.out.splitlines()
    assert first.startswith("::error file=two.mlir,line=2,col=8,title=shapesolve tosa-add-broadcast::")
    assert first.endswith("%0Afails at x: 2, y: 3")
    assert last.startswith("::error file=odd%2C%25.mlir,line=1,col=13,title=shapesolve unusable::expected")
    assert result.code == 2


def test_code_quality_of_gitlab(two: Path, command: Command) -> None:
    result = command("check", str(two), str(two), "missing.mlir", "--no-execute", "--format", "gitlab")
    found = json.loads(result.out)
    assert [each["check_name"] for each in found] == [*CODES, *CODES, "unusable"]
    assert len({each["fingerprint"] for each in found}) == 7
    assert found[0]["location"] == {"path": "two.mlir", "lines": {"begin": 2}}
    assert found[0]["description"].endswith("; fails at x: 2, y: 3") and "fails at" not in found[1]["description"]
    assert [each["severity"] for each in found] == ["major", "minor", "minor"] * 2 + ["blocker"]
    two.write_text(f"// moved\n\n{TWO}")
    moved = json.loads(command("check", str(two), "--no-execute", "--format", "gitlab").out)
    assert [each["fingerprint"] for each in moved] == [each["fingerprint"] for each in found[:3]]
    assert moved[0]["location"]["lines"] == {"begin": 4}


def test_junit_counts_tests_failures_and_errors_by_file(two: Path, command: Command) -> None:
    Path("safe.mlir").write_text('func.func @"<&>"(%a: tensor<?xf32>) {\n  return\n}\n')
    result = command("check", ".", "missing.mlir", "--no-execute", "--format", "junit")
    suites = ElementTree.fromstring(result.out)
    counts = [(each.get("name"), each.get("tests"), each.get("failures"), each.get("errors")) for each in suites]
    assert counts == [("safe.mlir", "1", "0", "0"), ("two.mlir", "3", "3", "0"), ("missing.mlir", "1", "0", "1")]
    assert [each.get("type") for each in suites.iter("failure")] == CODES
    first, *_ = suites.iter("failure")
    assert (first.text or "").endswith("[tosa-add-broadcast]\nfails at x: 2, y: 3")
    assert [each.get("message") for each in suites.iter("error")] == ["there is no such file"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["json", "sarif"])
def test_documents_on_standard_output(two: Path, name: str, command: Command) -> None:
    by_option = command("check", str(two), "--no-execute", "--json=-" if name == "json" else "--sarif=-")
    assert command("check", str(two), "--no-execute", "--format", name) == by_option
    assert command("check", str(two), "--format", name, "--sarif=-").code == 2
    assert command("check", str(two), "--format", "github", "--json=-").code == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "codes", "code"),
    [
        (("--select", "tosa"), CODES[:2], 1),
        (("--select", "tosa-sub,unchecked"), CODES[1:], 3),
        (("--ignore", "tosa-add-broadcast"), CODES[1:], 3),
        (("--ignore", "tosa-add", "--ignore=tosa-sub,unchecked"), [], 0),
        (("--select", "tosa", "--ignore", "tosa-sub"), CODES[:1], 1),
        (("--ignore", "huge-sizes"), CODES, 1),
        (("--ignore", "unchecked", "--fail-on", "always"), CODES[:2], 0),
    ],
)
def test_findings_are_selected_by_code(
    options: tuple[str, ...], codes: list[str], code: int, two: Path, command: Command
) -> None:
    assert check(command, str(two), *options) == (code, codes)
    result = command("check", str(two), "--no-execute", "-q", *options)
    assert result.code == code
    assert ("left out: " in result.out) == (len(codes) < 3)
    assert "2 checks of sizes: 0 proved, 1 refuted, 1 undecided" in result.out


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tosa-ad", "Tosa", "tosa-add-broadcas", ""])
def test_a_code_that_nothing_has_is_an_error(name: str, two: Path, command: Command) -> None:
    result = command("check", str(two), "--select", name)
    assert result.code == 2 and "--select: " in result.err


@pytest.mark.slow
def test_huge_sizes_are_a_class(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "wrap.mlir"
    path.write_text("""\
func.func @wrap(%x: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %i = arith.index_cast %d : index to i32
  %j = arith.addi %i, %c1 : i32
  %ok = arith.cmpi sgt, %j, %i : i32
  cf.assert %ok, "does not wrap"
  return
}
""")
    assert check(command, str(path)) == (0, ["cf-assert-condition"])
    assert check(command, str(path), "--fail-on", "huge-sizes") == (1, ["cf-assert-condition"])
    assert check(command, str(path), "--select", "cf") == (1, ["cf-assert-condition"])
    assert check(command, str(path), "--check-wraps") == (1, ["cf-assert-condition"])
    assert check(command, str(path), "--ignore", "huge-sizes") == (0, [])
    assert check(command, str(path), "--assume", "x[0] >= 2147483647") == (1, ["cf-assert-condition"])
    result = command("check", str(path), "--no-execute")
    assert (result.code, "1 finding at huge sizes does not count" in result.out) == (0, True)
    assert command("check", str(path), "--no-execute", "--fail-on", "always,huge-sizes").code == 0
    (log,) = json.loads(command("check", str(path), "--no-execute", "--format", "sarif").out)["runs"]
    assert [each["level"] for each in log["results"]] == ["note"]
    document = json.loads(command("check", str(path), "--no-execute", "--json").out)
    assert (document["exit_code"], document["files"][0]["exit_code"]) == (0, 0)
    assert check(command, str(path), "--select", "huge-sizes") == (1, ["cf-assert-condition"])
    known = str(tmp_path / "known.json")
    assert command("baseline", str(path), "-o", known).code == 0
    assert check(command, str(path), "--baseline", known, "--fail-on", "huge-sizes") == (0, [])


AT_BOTH = """\
func.func @both(%x: tensor<?x?xi8> {shapesolve.shape = "[M, N]"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xi8>
  %n = tensor.dim %x, %c1 : tensor<?x?xi8>
  %all = arith.muli %m, %n : index
  %limit = arith.constant LIMIT : index
  %ok = arith.cmpi slt, %all, %limit : index
  cf.assert %ok, "few elements"
  return
}
"""


@pytest.mark.slow
@pytest.mark.parametrize(("limit", "code"), [(2**30, 0), (2**30 - 1, 1), (2**31, 0), (1000, 1)])
def test_only_what_is_proved_to_need_huge_sizes_does_not_count(
    limit: int, code: int, tmp_path: Path, command: Command
) -> None:
    """The sizes shown are huge in three cases; in the second, smaller ones fail too: 2^30 - 1 elements."""
    path = tmp_path / "both.mlir"
    path.write_text(AT_BOTH.replace("LIMIT", str(limit)))
    assert check(command, str(path)) == (code, ["cf-assert-condition"])


AT_LARGE_NUMBERS = """\
func.func @number(%x: TYPE) {
  %least = arith.constant -5 : TYPE
  %is_known = arith.cmpi sge, %x, %least : TYPE
  scf.if %is_known {
    %limit = arith.constant 2000000000 : TYPE
    %ok = arith.cmpi sle, %x, %limit : TYPE
    cf.assert %ok, "small"
  }
  return
}
func.func @element(%x: tensor<1xTYPE>) {
  %c0 = arith.constant 0 : index
  %n = tensor.extract %x[%c0] : tensor<1xTYPE>
  %limit = arith.constant 2000000000 : TYPE
  %ok = arith.cmpi sle, %n, %limit : TYPE
  cf.assert %ok, "small"
  return
}
"""


@pytest.mark.parametrize(
    ("type", "function", "code"),
    [
        ("index", "number", 0),
        ("i32", "number", 1),
        ("i64", "number", 1),
        ("index", "element", 1),
        ("i32", "element", 1),
    ],
)
def test_large_numbers_that_are_no_sizes_count(
    type: str, function: str, code: int, tmp_path: Path, command: Command
) -> None:
    """The largest integer of 32 bits is one that programs mark things with; no tensor has to be large for it."""
    path = tmp_path / "number.mlir"
    path.write_text(AT_LARGE_NUMBERS.replace("TYPE", type))
    assert check(command, str(path), "--function", function) == (code, ["cf-assert-condition"])


WRAPS = """\
func.func @wrap(%n: index, %m: index) {
  %c1 = arith.constant 1 : index
  %s = arith.addi %n, %c1 : index
  %ok = arith.cmpi sgt, %s, %n : index
  cf.assert %ok, "more"
  return
}
"""


@pytest.mark.slow
def test_what_wraps_is_a_class(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "wrap.mlir"
    path.write_text(WRAPS)
    assert check(command, str(path)) == (0, [])
    assert check(command, str(path), "--check-wraps") == (1, ["cf-assert-condition", "wraps"])
    assert check(command, str(path), "--check-wraps", "--ignore", "wraps") == (0, [])
    assert check(command, str(path), "--check-wraps", "--select", "wraps") == (1, ["cf-assert-condition", "wraps"])
    text = command("check", str(path), "--no-execute", "--check-wraps").out
    assert "wraps      only because arith.addi (line 3) wraps around" in text
    assert "can wrap   line 3: arith.addi wraps around at n = 9223372036854775807" in text
    assert "assumes" not in text


@pytest.mark.slow
def test_operations_that_can_wrap_count_where_that_is_asked_for(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "wrap.mlir"
    path.write_text(WRAPS.replace("sgt, %s, %n", "eq, %s, %s"))
    assert check(command, str(path), "--check-wraps") == (0, ["wraps"])
    assert check(command, str(path), "--check-wraps", "--fail-on", "wraps") == (1, ["wraps"])
    result = command("check", str(path), "--fail-on", "wraps")
    assert result.code == 2 and "--fail-on: nothing looks for operations that wrap without --check-wraps" in result.err
    result = command("check", str(path), "--check-wraps", "--certify", str(tmp_path / "proofs"))
    assert result.code == 2 and "--check-wraps: " in result.err


@pytest.mark.slow
def test_documents_say_what_wraps(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "wrap.mlir"
    path.write_text(WRAPS)
    result = command("check", str(path), "--no-execute", "--check-wraps", "--json", "-")
    (function,) = json.loads(result.out)["files"][0]["functions"]
    (operation,) = function["wrapping"]
    assert (operation["op"], operation["location"]["line"], operation["verdict"]) == ("arith.addi", 3, "refuted")
    assert operation["sizes"]["n"] == 2**63 - 1 and operation["reason"] is None
    assert [each["wraps"] for each in function["obligations"]] == ["arith.addi (line 3)"]
    result = command("check", str(path), "--no-execute", "--check-wraps", "--sarif", "-")
    (run,) = json.loads(result.out)["runs"]
    assert [(each["ruleId"], each["level"]) for each in run["results"]] == [
        ("cf-assert-condition", "error"),
        ("wraps", "note"),
    ]
    assert "only because arith.addi (line 3) wraps around" in run["results"][0]["message"]["text"]
    for name in ("wraps", "huge-sizes"):
        result = command("check", str(path), "--no-execute", "--check-wraps", "--sarif", "-", "--select", name)
        (run,) = json.loads(result.out)["runs"]
        assert [each["ruleId"] for each in run["results"]][:1] == ["cf-assert-condition"]


def test_ignore_comments_apply_to_their_line_or_the_next() -> None:
    text = """\
// shapesolve: ignore[a-b] for the next
// and more

  %0 = op // shapesolve: ignore[c, d-e] for this line
  %1 = op // shapesolve:ignore
  %2 = op // shapesolve: ignorenothing[x]
"""
    found = [(each.line, each.target, each.codes, each.reason) for each in ignore_comments(text)]
    assert found == [
        (1, 4, ("a-b",), "for the next"),
        (4, 4, ("c", "d-e"), "for this line"),
        (5, 5, (), ""),
    ]


@pytest.mark.slow
def test_comments_ignore_findings_and_unused_ones_are_reported(two: Path, command: Command) -> None:
    lines = TWO.splitlines()
    lines[1] += " // shapesolve: ignore[tosa-add] the caller pads"
    lines[5] = f"  // shapesolve: ignore[unchecked, tosa-mul]\n{lines[5]}"
    lines[2] += " // shapesolve: ignore"
    two.write_text("\n".join(lines))
    assert check(command, str(two)) == (3, ["tosa-sub-broadcast", "unused-ignore", "unused-ignore"])
    result = command("check", str(two), "--no-execute")
    assert "two.mlir:3:29: note: this comment names no code: write ignore[CODE]" in result.out
    assert "two.mlir:6:3: note: this comment ignores nothing: tosa-mul" in result.out
    assert "left out: 1 tosa-add-broadcast (by a comment), 1 unchecked (by a comment)" in result.out
    # Of one function alone it is not known which comments are needed.
    assert check(command, str(two), "-f", "open") == (3, ["tosa-sub-broadcast"])
    assert check(command, str(two), "--ignore", "unused-ignore") == (3, ["tosa-sub-broadcast"])


def test_a_comment_needs_to_cover_all_places_of_a_cause(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "twice.mlir"
    lines = ADD.splitlines()
    lines.insert(2, lines[1].replace("%0", "%1"))
    lines[1] += " // shapesolve: ignore[tosa-add]"
    path.write_text("\n".join(lines))
    once = check(command, str(path))
    assert once[1] in ([], ["tosa-add-broadcast"])
    lines[2] += " // shapesolve: ignore[tosa-add]"
    path.write_text("\n".join(lines))
    assert check(command, str(path))[0] == 0


@pytest.mark.slow
def test_a_baseline_leaves_new_findings(two: Path, command: Command) -> None:
    assert command("baseline", ".", "--no-execute").code == 0
    document = json.loads(Path("shapesolve-baseline.json").read_text())
    assert [(each["file"], each["code"], each["count"]) for each in document["findings"]] == [
        ("two.mlir", each, 1) for each in CODES
    ]
    known = "--baseline=shapesolve-baseline.json"
    assert check(command, str(two), known) == (0, [])
    two.write_text(f"// moved\n{TWO}")
    assert check(command, ".", known) == (0, [])
    two.write_text(TWO + ADD.replace("@add", "@more"))
    assert check(command, str(two), known) == (1, ["tosa-add-broadcast"])
    Path("other.mlir").write_text(TWO)
    assert check(command, "other.mlir", known) == (1, CODES)
    # It is written again without --force, and never where a file cannot be checked.
    assert command("baseline", ".", "--no-execute").code == 0
    Path("other.mlir").write_text("func.func @f(")
    assert command("baseline", ".", "--no-execute").code == 2
    assert check(command, "other.mlir", known) == (2, [])


@pytest.mark.parametrize("text", ["", "[]", '{"format": "shapesolve-check"}', '{"format": "shapesolve-baseline"}'])
def test_a_damaged_baseline_is_refused(text: str, two: Path, command: Command) -> None:
    Path("known.json").write_text(text)
    result = command("check", str(two), "--baseline", "known.json")
    assert result.code == 2 and result.err.startswith("error: --baseline: known.json")
