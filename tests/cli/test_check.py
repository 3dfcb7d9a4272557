"""Tests of `shapesolve check`: exit codes, output, and streams."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import ADD, Command

EXAMPLES = Path(__file__).parents[2] / "examples"
SAFE = """\
func.func @f(%x: tensor<?xf32>) {
  tosa.add %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}
"""
OPEN = """\
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) {
  %0 = "my.op"(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = tosa.add %0, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}
"""
NOTHING = "func.func @f(%x: f32) {\n  return\n}\n"


def written(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)


ALWAYS_FAILS = """\
func.func @f(%x: tensor<?x2xf32>, %y: tensor<?x3xf32>) {
  %a = tensor.cast %x : tensor<?x2xf32> to tensor<?x?xf32>
  %b = tensor.cast %y : tensor<?x3xf32> to tensor<?x?xf32>
  %0 = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "code"), [(SAFE, 0), (ADD, 0), ("nonsense", 2), (OPEN, 0), (NOTHING, 0), (ALWAYS_FAILS, 1)]
)
def test_exit_codes_of_guaranteed_failures(text: str, code: int, tmp_path: Path, command: Command) -> None:
    file = written(tmp_path / "a.mlir", text)
    result = command("check", file, "--no-execute", "--fail-on", "always", "--json")
    assert result.code == json.loads(result.out)["exit_code"] == code
    assert command("check", file, file, "--no-execute", "--fail-on", "always").code == code


@pytest.mark.parametrize(("text", "code"), [(SAFE, 0), (ADD, 1), ("nonsense", 2), (OPEN, 3), (NOTHING, 0)])
def test_check_exits_with_the_code_of_its_worst_verdict(text: str, code: int, tmp_path: Path, command: Command) -> None:
    assert command("check", written(tmp_path / "a.mlir", text), "--no-execute").code == code


@pytest.mark.parametrize(
    ("texts", "code"),
    [((SAFE, ADD), 1), ((OPEN, ADD), 1), ((SAFE, OPEN), 3), ((ADD, "nonsense"), 2), (("nonsense", SAFE), 2)],
)
def test_the_worst_file_decides(texts: tuple[str, ...], code: int, tmp_path: Path, command: Command) -> None:
    files = [written(tmp_path / f"{number}.mlir", text) for number, text in enumerate(texts)]
    assert command("check", *files, "--no-execute").code == code


@pytest.mark.parametrize(
    "line",
    [
        ("A", "-q", "B"),
        ("A", "--no-execute", "-q", "--", "B"),
        ("-q", "A", "-f", "f", "B", "-f", "f"),
        ("A", "--json=OUT", "B", "-q"),
    ],
)
def test_files_may_stand_between_options(line: tuple[str, ...], tmp_path: Path, command: Command) -> None:
    names = {"A": written(tmp_path / "a.mlir", SAFE), "B": written(tmp_path / "b.mlir", SAFE)}
    out = f"--json={tmp_path / 'out.json'}"
    result = command("check", *(names.get(each, out if each == "--json=OUT" else each) for each in line))
    assert result.code == 0
    assert result.out == "".join(f"{name}: 1 check of sizes: 1 proved\n" for name in names.values())


def test_a_value_may_stand_behind_options(tmp_path: Path, command: Command) -> None:
    text = SAFE.replace("  tosa", "  %y = tosa")
    assert "%y  [x[0]]" in command("shape-of", written(tmp_path / "a.mlir", text), "-v", "%y").out


def test_help_states_the_exit_codes(command: Command) -> None:
    of_check = "3  nothing is refuted, but something stays undecided"
    of_prune = "3  no check that stays is known to fail, but one is undecided"
    for line, words in (([], of_check), (["check"], of_check), (["prune"], of_prune), (["explain"], of_check)):
        result = command(*line, "--help")
        assert result.code == 0
        assert words in result.out


MAY_BE_LOADED_FOR_HELP = {
    "shapesolve",
    "shapesolve.cli.main",
    "shapesolve.cli",
    "shapesolve.cli.arguments",
    "shapesolve.cli.parser",
    "shapesolve.cli.options",
    "shapesolve.cli.shared_options",
    "shapesolve.cli.option_values",
    "shapesolve.cli.parsed_options",
    "shapesolve.cli.fail_on",
    "shapesolve.cli.finding_options",
    "shapesolve.cli.hunt_options",
    "shapesolve.cli.reduce",
    "shapesolve.cli.validate_options",
    "shapesolve.cli.environment",
    "shapesolve.frontends",
    "shapesolve.frontends.levels",
    "shapesolve.errors",
    "shapesolve.int64",
    "shapesolve.reports",
    "shapesolve.reports.json_versions",
    "shapesolve.solver",
    "shapesolve.solver.limits",
}
"""None of them imports anything but argparse that the interpreter has not imported already."""


@pytest.mark.process
@pytest.mark.parametrize("line", [["--help"], ["check", "--help"], ["--version"]])
def test_help_imports_next_to_nothing(line: list[str]) -> None:
    loaded = (
        "import sys, argparse, gettext, typing, shutil, locale, errno, io, os\n"
        "import textwrap, collections.abc, importlib; ours = set(sys.modules)\n"
        f"from shapesolve.cli.main import main; main({line}); print('LOADED', *set(sys.modules) - ours)"
    )
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert set(done.stdout.partition("LOADED")[2].split()) <= MAY_BE_LOADED_FOR_HELP


def test_version_prints_the_name_and_the_number(command: Command) -> None:
    result = command("--version")
    assert (result.code, result.out) == (0, "shapesolve 0.1.0\n")


def test_a_refutation_with_all_that_belongs_to_it(add: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(add.parent)
    result = command("check", "add.mlir", "--no-execute")
    assert (
        result.out
        == """\
add.mlir:2:8: error: tosa.add needs compatible(x[0], y[0])  [tosa-add-broadcast]
   fails at   x: 2, y: 3   (also x: 0)

   safe with  --assume 'compatible(x[0], y[0])'

   domain     every `?` is any size from 0 to 2^63-1; x[0] is extent 0 of x; compatible(a, b): a ==
              b, or one of them is 1

add.mlir: 1 check of sizes: 0 proved, 1 refuted
"""
    )


@pytest.mark.process
def test_an_execution_is_shown(add: Path, command: Command) -> None:
    out = command("check", str(EXAMPLES / "linear.mlir")).out
    assert "   run        stopped here" in out or "   run: stopped here" in out
    assert "SIGFPE" in out


@pytest.mark.slow
def test_suggested_conditions_make_it_safe(command: Command) -> None:
    unet = str(EXAMPLES / "unet.mlir")
    first = command("check", unet, "--no-execute", "--json")
    assert first.code == 1
    (function,) = json.loads(first.out)["files"][0]["functions"]
    assert function["suggestions_exact"] is True
    flags = [part for text in function["suggested_assumptions"] for part in ("--assume", text)]
    assert len(flags) == 4
    second = command("check", unet, "--no-execute", *flags)
    assert second.code == 0
    assert "187 checks of sizes: 187 proved" in second.out
    for number in (1, 3):  # and none of them could be left out
        fewer = [*flags[: number - 1], *flags[number + 1 :]]
        assert command("check", unet, "--no-execute", "--quiet", *fewer).code == 1


def test_an_unknown_operation_is_named(tmp_path: Path, command: Command) -> None:
    result = command("check", written(tmp_path / "a.mlir", OPEN), "--no-execute")
    assert "; not decided: " in result.out
    assert "my.op (line 2): no rule describes it" in result.out
    assert "   may fail   " in result.out


def test_a_function_without_obligations_is_reported(tmp_path: Path, command: Command) -> None:
    result = command("check", written(tmp_path / "a.mlir", NOTHING))
    assert "no checks of sizes found" in result.out
    assert "nothing was proved" in result.out.splitlines()[-1]


UNKNOWN = """\
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "my.scale"(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


def test_an_operation_without_a_rule_leaves_the_file_open(tmp_path: Path, command: Command) -> None:
    path = written(tmp_path / "a.mlir", UNKNOWN)
    result = command("check", path, "--json", str(tmp_path / "a.json"), "--sarif", str(tmp_path / "a.sarif"))
    assert result.code == 3
    assert ":2:8: warning: my.scale may fail and is not checked: no rule describes it  [unchecked]" in result.out
    assert result.out.splitlines()[-1].endswith("nothing was proved; 1 operation not checked, which may fail")
    document = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert document["exit_code"] == document["files"][0]["exit_code"] == 3
    (unchecked,) = document["files"][0]["functions"][0]["unchecked"]
    assert (unchecked["op"], unchecked["location"]["line"]) == ("my.scale", 2)
    (run,) = json.loads((tmp_path / "a.sarif").read_text(encoding="utf-8"))["runs"]
    assert [(each["ruleId"], each["level"]) for each in run["results"]] == [("unchecked", "warning")]
    assert "my.scale" in run["results"][0]["message"]["text"]
    assert command("check", path, "--quiet", "--assume", "x[0] == 3").code == 3


def test_proofs_elsewhere_do_not_hide_an_operation_without_a_rule(tmp_path: Path, command: Command) -> None:
    text = UNKNOWN.replace("  return", "  %1 = arith.addf %x, %x : tensor<?xf32>\n  %2 = tosa.add %x, %x : "
                           "(tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n  return")  # fmt: skip
    result = command("check", written(tmp_path / "a.mlir", text))
    assert result.code == 3
    assert "proved; 1 operation not checked, which may fail" in result.out


def test_nothing_to_check_is_no_open_question(tmp_path: Path, command: Command) -> None:
    assert command("check", written(tmp_path / "a.mlir", "func.func @f() {\n  return\n}\n")).code == 0


def test_unreachable_code_leaves_nothing_open(tmp_path: Path, command: Command) -> None:
    path = written(tmp_path / "a.mlir", UNKNOWN)
    result = command("check", path, "--assume", "x[0] == 3", "--assume", "x[0] == 4")
    assert result.code == 3  # because nothing was checked at all
    assert "NOTHING WAS CHECKED" in result.out and "operation not checked" not in result.out


def test_sizes_of_two_and_more(tmp_path: Path, command: Command) -> None:
    """A failure at size 0 or 1 says so, and is gone where sizes are larger."""
    text = """\
func.func @f(%x: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %q = arith.divsi %c8, %d : index
  return %q : index
}
"""
    path = written(tmp_path / "a.mlir", text)
    assert "fails only when some size is 0" in command("check", path, "--no-execute").out
    result = command("check", path, "--no-execute", "--min-size", "1")
    assert result.code == 0
    assert "any size from 1 to 2^63-1\n" in result.out


@pytest.mark.slow
def test_names_given_to_sizes_are_used(add: Path, command: Command) -> None:
    out = command("check", str(add), "--no-execute", "--shape", "x=[N]", "--shape", "y=[2*N]").out
    assert "fails at   x: 2, y: 4\n" in out
    assert "--assume 'N <= 1'" in out
    assert command("check", str(add), "--no-execute", "--shape", "x=[N]", "--shape", "y=[N]").code == 0


@pytest.mark.slow
def test_output_is_the_same_every_time(add: Path, command: Command) -> None:
    arguments = ("check", str(EXAMPLES / "transformer.mlir"), "--no-execute", "--verbose")
    assert command(*arguments) == command(*arguments)


@pytest.mark.slow
@pytest.mark.parametrize("columns", ["60", "80", "120"])
def test_lines_of_a_report_fit_into_the_columns_of_the_terminal(
    columns: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(EXAMPLES)
    monkeypatch.setenv("COLUMNS", columns)
    lines = command("check", "unet.mlir", "--no-execute").out.splitlines()
    for line in lines:
        assert len(line) <= int(columns) or "safe with" in line or line.startswith("unet.mlir:")
    assert max(map(len, lines)) > 0.8 * int(columns)


def test_color_always_adds_only_escape_sequences(add: Path, command: Command) -> None:
    plain = command("check", str(add), "--no-execute").out
    colored = command("check", str(add), "--no-execute", "--color", "always").out
    assert "\x1b[" not in plain
    assert "\x1b[1;31merror\x1b[0m" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain


def test_programs_that_no_condition_makes_safe(add: Path, command: Command) -> None:
    out = command("check", str(add), "--no-execute", "--assume", "x[0] == y[0] + 1", "--min-size", "2").out
    assert "safe for no sizes at all" in out
    assert "safe with" not in out and "check with" not in out


def test_quiet_and_verbose(command: Command) -> None:
    unet = str(EXAMPLES / "unet.mlir")
    quiet = command("check", unet, "--no-execute", "--quiet").out
    assert quiet == f"{unet}: 187 checks of sizes: 183 proved, 4 refuted (2 findings)\n"
    verbose = command("check", unet, "--no-execute", "--verbose").out
    assert verbose.count("   proved     line ") == 183


def test_dump_queries_writes_smt_lib_files(add: Path, tmp_path: Path, command: Command) -> None:
    command("check", str(add), "--no-execute", "--dump-queries", str(tmp_path / "queries"))
    texts = [path.read_text() for path in (tmp_path / "queries").glob("*.smt2")]
    assert texts
    assert all("(check-sat)" in text for text in texts)


def test_reports_are_written_to_files(add: Path, tmp_path: Path, command: Command) -> None:
    target, sarif = tmp_path / "r.json", tmp_path / "r.sarif"
    for _ in range(2):  # the second time replaces what the first has written
        result = command("check", str(add), "--no-execute", "--json", str(target), "--sarif", str(sarif))
        assert result.code == 1
        assert ": error: " in result.out
    assert json.loads(target.read_text())["exit_code"] == 1
    assert json.loads(sarif.read_text())["version"] == "2.1.0"
    assert {path.name for path in tmp_path.iterdir()} == {"add.mlir", "r.json", "r.sarif"}


@pytest.mark.process
def test_bytecode_is_checked_like_text(tmp_path: Path, command: Command) -> None:
    from shapesolve.ir import bindings

    module = bindings.ir().Module.parse(ADD, bindings.new_context())
    path = tmp_path / "a.mlirbc"
    with path.open("wb") as stream:
        module.operation.write_bytecode(stream)
    result = command("check", str(path), "--no-execute")
    assert result.code == 1
    assert ": error: tosa.add needs " in result.out
    assert command("explain", f"{path}:2", "--no-execute").code in (0, 1)


def test_a_claim_that_two_branches_share_is_one_cause(tmp_path: Path, command: Command) -> None:
    text = """\
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>, %c: i1) {
  scf.if %c {
    %0 = tosa.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  } else {
    %1 = tosa.sub %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  }
  return
}
"""
    out = command("check", written(tmp_path / "a.mlir", text), "--no-execute").out
    assert "2 refuted (1 finding)" in out
    assert "also       line 5: tosa.sub is safe if " in out


def test_a_progress_bar_only_on_a_terminal(add: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shapesolve.cli.progress.PATIENCE_SECONDS", 0.0)
    assert command("check", str(add), "--no-execute").err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert "add" in command("check", str(add), "--no-execute", "--color", "never").err


def test_names_may_be_new_in_expressions(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "a.mlir"
    path.write_text(
        "func.func @f(%n: tensor<i64>, %a: tensor<?x?x?xf32>, %b: tensor<?xf32>) {\n"
        "  %c1 = arith.constant 1 : index\n  %c2 = arith.constant 2 : index\n  %k = arith.constant 2 : index\n"
        "  %d = tensor.dim %a, %c1 : tensor<?x?x?xf32>\n  %r = arith.remui %d, %k : index\n"
        "  %z = arith.constant 0 : index\n  %even = arith.cmpi eq, %r, %z : index\n"
        '  cf.assert %even, "even"\n'
        "  %w = tensor.dim %a, %c2 : tensor<?x?x?xf32>\n  %m = tensor.dim %b, %z : tensor<?xf32>\n"
        '  %less = arith.cmpi ule, %m, %w : index\n  cf.assert %less, "less"\n  return\n}\n'
    )
    given = ("check", str(path), "--no-execute", "--shape", "a=[_, 2*h, max(h, w)]", "--shape", "b=[w]")
    assert command(*given, "--assume", "n.values[0] == h").code == 0
    assert command("check", str(path), "--no-execute", "--shape", "b=[w]").code == 1
    assert command("check", str(path), "--no-execute", "--shape", "a=[_, 2*h, max(h, w)]").code == 1
    assert command("check", str(path), "--shape", "a=[_, h w, 1]").code == 2
