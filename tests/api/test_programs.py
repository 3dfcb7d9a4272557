"""Checking programs from Python: paths, text and live modules."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapesolve import InputError, Options, Proved, Refuted, check, explain, prune
from shapesolve.ir import bindings

PROGRAM = """
func.func @add(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %da = tensor.dim %a, %c0 : tensor<?xf32>
  %db = tensor.dim %b, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %da, %db : index
  cf.assert %same, "sizes differ"
  %again = arith.cmpi eq, %db, %da : index
  cf.assert %again, "sizes differ, as before"
  %sum = arith.addf %a, %b : tensor<?xf32>
  return %sum : tensor<?xf32>
}
"""


def verdicts(source: object) -> list[str]:
    return [each.verdict.word for each in check(source, execute=False).checked_obligations]


@pytest.mark.process
@pytest.mark.covers("inference.constraints")
def test_a_program_as_text_has_its_failing_line_refuted_and_confirmed() -> None:
    report = check(PROGRAM)
    (refuted,) = (each for each in report.checked_obligations if isinstance(each.verdict, Refuted))
    assert refuted.obligation.location.line == 7
    assert refuted.confirmation is not None
    assert "sizes differ" in refuted.confirmation.text
    assert report.count(Proved) == len(report.checked_obligations) - 1
    assert report.exit_code == 1


def test_a_path_gives_the_same_verdicts_as_its_text(tmp_path: Path) -> None:
    path = tmp_path / "add.mlir"
    path.write_text(PROGRAM, encoding="utf-8")
    assert verdicts(path) == verdicts(str(path)) == verdicts(PROGRAM)


def test_a_live_module_has_the_verdicts_of_its_text() -> None:
    with bindings.new_context():
        module = bindings.ir().Module.parse(PROGRAM)
        assert verdicts(module) == verdicts(PROGRAM)


def test_an_assumption_of_equal_sizes_proves_the_program() -> None:
    report = check(PROGRAM, assume=["a[0] == b[0]"], execute=False)
    assert report.exit_code == 0


def test_prune_keeps_the_check_that_the_other_follows_from() -> None:
    text = prune(PROGRAM).text
    assert text.count("cf.assert") == 1
    assert '"sizes differ"' in text


def test_prune_takes_a_live_module() -> None:
    with bindings.new_context():
        assert prune(bindings.ir().Module.parse(PROGRAM)).text.count("cf.assert") == 1


@pytest.mark.covers("inference.symbolic_equality")
def test_explain_names_the_fact() -> None:
    (checked_obligation,) = explain(PROGRAM, 9, execute=False)
    assert isinstance(checked_obligation.verdict, Proved)
    assert [fact.location.line for fact in checked_obligation.verdict.facts if fact.location] == [7]


def test_explain_without_a_line_lists_all_decisions() -> None:
    everything = explain(PROGRAM, execute=False)
    assert list(map(repr, everything)) == list(map(repr, check(PROGRAM, execute=False).checked_obligations))
    at_line = [each for each in everything if each.obligation.location.line == 9]
    assert list(map(repr, at_line)) == list(map(repr, explain(PROGRAM, 9, execute=False)))


def test_pruning_takes_the_sizes_that_callers_guarantee() -> None:
    text = """func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  %ok = arith.cmpi eq, %n, %m : index
  cf.assert %ok, "sizes differ"
  return
}"""
    assert "cf.assert" in (prune(text).text or "")
    assert "cf.assert" not in (prune(text, shapes=["a=[N]", "b=[N]"]).text or "")


def test_a_missing_file_name_or_function_is_an_input_error() -> None:
    with pytest.raises(InputError):
        check("there/is/no/such.mlir")
    with pytest.raises(InputError):
        check(PROGRAM, assume=["c[0] == 1"])
    with pytest.raises(InputError):
        check(PROGRAM, options=Options(functions=("sub",)))
