"""Rules from a Python file."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support.library_programs import checked, verdicts, written

from shapesolve.cli.main import main
from shapesolve.semantics.registry import load_rules

WHERE = '''
from shapesolve import OpSemantics, rule
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.domain.values import Tensor

@rule("my.where", example="where.mlir")
def where(op, see):
    """The positions of the elements that are not zero.

    (R1) One row for each of them.
    """
    (n,) = see.dims(op.operands[0])
    count = see.fresh("count")
    rows = Tensor(RankedShape.of([count, 1]))
    return OpSemantics(results=(rows,), ensures=((count <= n, "at most one row an element"),))

@rule("my.read_from_file", example="read.mlir")
def read(op, see):
    """What a file holds.

    (R1) The result may have any shape of its type.
    """
    return OpSemantics(results=tuple(see.unknown(result) for result in op.results))
'''

PROGRAM = """func.func @f(%a: tensor<?xf32>) {
  %0 = "my.where"(%a) : (tensor<?xf32>) -> tensor<?x1xindex>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %0, %c0 : tensor<?x1xindex>
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %most = arith.cmpi sle, %n, %m : index
  cf.assert %most, "at most all"
  %less = arith.cmpi slt, %n, %m : index
  cf.assert %less, "not all"
  return
}
"""


@pytest.mark.covers("inference.upper_bounds")
@pytest.mark.covers("inference.at_most")
def test_bounds_that_a_rule_file_states_decide_a_check(tmp_path: Path) -> None:
    path = written(tmp_path, WHERE, "rules.py")
    found = verdicts(checked(PROGRAM, rules=(path,)))
    assert found["f/cf.assert.1/C1"] == "proved"
    assert found["f/cf.assert.2/C1"] == "refuted"
    assert verdicts(checked(PROGRAM))["f/cf.assert.1/C1"] == "undecided"


@pytest.mark.covers("inference.data_dependent")
def test_a_rule_describes_an_operation_that_reads_from_a_file(tmp_path: Path) -> None:
    path = written(tmp_path, WHERE, "rules.py")
    text = """func.func @f() {
  %0 = "my.read_from_file"() : () -> tensor<*xf32>
  %1 = "my.read_from_file"() : () -> tensor<?x4xf32>
  %2 = tosa.add %1, %1 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %3 = tensor.cast %0 : tensor<*xf32> to tensor<?x4xf32>
  return
}
"""
    report = checked(text, rules=(path,))
    assert not report.functions[0].approximations  # any file is possible: that is no gap in the model
    found = verdicts(report)
    assert found["f/tosa.add.1/C1"] == "proved"
    assert "refuted" in {word for identity, word in found.items() if "tensor.cast" in identity}


def test_rules_hold_for_one_run(tmp_path: Path) -> None:
    path = written(tmp_path, WHERE, "rules.py")
    before = len(load_rules())
    checked(PROGRAM, rules=(path,))
    assert len(load_rules()) == before and "my.where" not in load_rules()
    assert verdicts(checked(PROGRAM, rules=(path,)))["f/cf.assert.1/C1"] == "proved"  # twice in one process


RULE = '@rule("my.where", example="x.mlir")\ndef where(op, see):\n    {body}\n'

BAD = {
    "x = 1\ny = x / 0\n": r"rules.py:2: this file of rules cannot be run: ZeroDivisionError: division by zero",
    "def f(:\n": r"rules.py:1:7: this file of rules cannot be run: SyntaxError",
    "import nosuchmodule\n": r"rules.py:1: this file of rules cannot be run: ModuleNotFoundError",
    "raise SystemExit(0)\n": r"rules.py: this file of rules ends the process",
    "x = 1\n": r"rules.py: no rule is registered here",
    "from shapesolve import rule\n" + RULE.format(body="pass"): r"my.where in .*rules.py has no words",
    WHERE.replace("my.where", "tosa.add"): r"two rules for tosa.add: one in shapesolve.constraints",
}


@pytest.mark.parametrize("text", BAD)
def test_a_bad_rule_file_exits_with_2_and_its_reason(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, text, "rules.py")
    model = written(tmp_path, PROGRAM, "model.mlir")
    assert main(["check", model, "--rules", path, "--no-execute"]) == 2
    errors = capsys.readouterr().err
    assert re.search(BAD[text], errors), errors
    assert "Traceback" not in errors


FAILING = {
    "    return OpSemantics()": r"it gave 0 results, the operation has 1 \(rules.py:3\)",
    "    return 1 // 0": r"ZeroDivisionError: .* \(rules.py:6\)",
    "    return None": r"it returned a NoneType, which is no OpSemantics \(rules.py:3\)",
    "    return OpSemantics((1,))": r"a result is a int \(rules.py:3\)",
    "    return OpSemantics(requires=(True,), results=(UnknownValue(),))": r"a claim is a bool \(rules.py:3\)",
    "    return OpSemantics((UnknownValue(),), ())": r"TypeError: .* positional arguments? .* \(rules.py:6\)",
    "    return OpSemantics((UnknownValue(),), regions=op.regions or (1,))": r"a region is a int \(rules.py:3\)",
    "    return OpSemantics(Results(compute=lambda _: op.results[3]))": r"IndexError: .* \(rules.py:6\)",
    "    return OpSemantics(Results(compute=lambda _: ()))": r"it gave 0 results, the operation has 1 \(rules.py:3\)",
    "    return helper(op)\ndef helper(op): return see.dims(op)": r"NameError: .* \(rules.py:7\)",
    "    return OpSemantics((see.integer(None),))": r"KeyError: None \(rules.py:6, in semantics/context.py:\d+\)",
}


@pytest.mark.slow
@pytest.mark.parametrize("body", FAILING)
def test_a_rule_that_fails_leaves_its_operation_open(
    body: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    imports = (
        "from shapesolve.rules import OpSemantics, Results, rule\nfrom shapesolve.domain.values import UnknownValue\n"
    )
    rules = f'{imports}@rule("my.where", example="x.mlir")\ndef where(op, see):\n    """W."""\n{body}\n'
    model = written(tmp_path, PROGRAM, "model.mlir")
    assert main(["check", model, "--rules", written(tmp_path, rules, "rules.py"), "--no-execute", "--json"]) == 3
    errors = json.loads(capsys.readouterr().out)
    (function,) = errors["files"][0]["functions"]
    open_ones = [each for each in function["obligations"] if each["clause"] == "T4"]
    assert [each["verdict"] for each in open_ones] == ["undecided"]
    reasons = [each["reason"].replace(f"{tmp_path}/", "") for each in function["approximations"]]
    assert any("the rule for my.where failed" in each and re.search(FAILING[body], each) for each in reasons), reasons


def test_a_missing_rule_file_or_a_directory_exits_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = written(tmp_path, PROGRAM, "model.mlir")
    for path, words in (("missing.py", "there is no such file"), (str(tmp_path), "this is a directory")):
        assert main(["check", model, "--rules", path]) == 2
        assert words in capsys.readouterr().err


def test_help_says_that_it_runs_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--help"]) == 0
    assert "The file is run, with all code in it" in " ".join(capsys.readouterr().out.split())
