"""Sources of libraries: files, and the program itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.library_programs import BINARY, USE, checked, library_text, verdicts, written

from shapesolve.domain.values import Tensor
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pruning.prune import prune_program

IN_FILE = "module attributes {{shape.lib = {listed}}} {{\n{libraries}{program}}}\n"
LIBRARY = library_text(BINARY, "my.op = @binary")
OTHER = library_text(BINARY, "my.more = @binary", "other")


@pytest.mark.covers("shape.function_library")
def test_a_library_may_stand_in_the_file() -> None:
    for listed in ("@lib", "[@lib]"):
        report = checked(IN_FILE.format(listed=listed, libraries=LIBRARY, program=USE))
        assert verdicts(report) == {"f/my.op.1/V1": "refuted"}
        assert not report.program.notes


def test_a_library_that_the_module_does_not_list_is_not_used() -> None:
    report = checked(IN_FILE.format(listed="[@other]", libraries=LIBRARY + OTHER, program=USE))
    assert not report.checked_obligations
    assert report.program.notes == ("model.mlir:2:1: the library @lib is not used: shape.lib does not list it",)


def test_a_rule_is_not_replaced_by_the_file() -> None:
    library = library_text(BINARY, "tosa.add = @binary, my.op = @binary")
    program = (
        USE
        + """func.func @g(%a: tensor<?xf32>, %b: tensor<1xf32>) -> tensor<?xf32> {
  %r = tosa.add %a, %b : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
    )
    report = checked(IN_FILE.format(listed="@lib", libraries=library, program=program))
    assert verdicts(report)["g/tosa.add.1/C1"] == "proved"  # by the built-in rule: @binary would refuse 1
    (note,) = report.program.notes
    assert "model.mlir:4:3: tosa.add keeps the rule that it has (shapesolve.constraints." in note


@pytest.mark.covers("inference.at_run_time")
def test_several_libraries_apply_to_one_program(tmp_path: Path) -> None:
    first, second = written(tmp_path, LIBRARY, "a.mlir"), written(tmp_path, OTHER, "b.mlir")
    program = USE + USE.replace("@f", "@g").replace("my.op", "my.more")
    found = verdicts(checked(program, first, second))
    assert found == {"f/my.op.1/V1": "refuted", "g/my.more.1/V1": "refuted"}


def test_same_names_in_two_libraries(tmp_path: Path) -> None:
    """Each function finds the callees of its own library."""

    def library(name: str, op: str, number: int) -> str:
        return library_text(
            f"""  func @f(%a: !shape.value_shape, %b: !shape.value_shape) -> tensor<2xindex> {{
    %0 = func.call @size() : () -> index
    %1 = tensor.from_elements %0, %0 : tensor<2xindex>
    return %1 : tensor<2xindex>
  }}
  func.func @size() -> index {{
    %0 = arith.constant {number} : index
    func.return %0 : index
  }}""",
            f"{op} = @f",
            name,
        )

    path = written(tmp_path, library("one", "my.op", 3) + library("two", "my.more", 4))
    program = USE + USE.replace("@f", "@g").replace("my.op", "my.more")
    results = [each.trace.results for each in checked(program, path).functions]
    assert [str(shape.shape) for (shape,) in filter(None, results) if isinstance(shape, Tensor)] == ["[3, 3]", "[4, 4]"]


def test_functions_of_a_library_are_no_entry_points() -> None:
    helper = (
        '  func.func @helper(%a: index) -> index {\n    cf.assert %false, "never"\n    func.return %a : index\n  }\n'
    )
    helper = helper.replace("    cf.assert", "    %false = arith.constant false\n    cf.assert")
    library = library_text(BINARY + helper, "my.op = @binary")
    report = checked(IN_FILE.format(listed="@lib", libraries=library, program=USE))
    assert [each.trace.function.name for each in report.functions] == ["f"]


def test_checks_in_a_library_are_not_pruned() -> None:
    body = """  func @f(%a: !shape.value_shape, %b: !shape.value_shape) -> !shape.shape {
    %s = shape_of %a : !shape.value_shape -> !shape.shape
    %w = cstr_eq %s, %s : !shape.shape, !shape.shape
    return %s : !shape.shape
  }"""
    text = IN_FILE.format(listed="@lib", libraries=library_text(body, "my.op = @f"), program=USE)
    assert prune_program(read_text(text), Options()).text == text
