"""`shapesolve prune`: what is written, where, and what is said."""

from __future__ import annotations

import json
from pathlib import Path

from shapesolve.ir.reader import read_text

from .conftest import Command

TWICE = """\
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tensor.dim %x, %c0 : tensor<?xf32>
  %b = tensor.dim %y, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %a, %b : index
  cf.assert %same, "first"
  %again = arith.cmpi eq, %b, %a : index
  cf.assert %again, "second"
  return
}
"""


def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.mlir"
    path.write_text(TWICE)
    return path


def test_the_second_check_goes_and_the_first_stays(tmp_path: Path, command: Command) -> None:
    path, target = source(tmp_path), tmp_path / "out.mlir"
    result = command("prune", str(path), "-o", str(target))
    assert result.code == 0
    assert command("prune", str(path), "-o", "-", "--fail-on", "kept").code == 1  # the first check can fail
    assert '"first"' in target.read_text()
    assert '"second"' not in target.read_text()
    assert read_text(target.read_text()).functions.keys() == {"f"}
    assert 'removed    line 8 ("second"), implied by line 6 (cf.assert)' in result.out
    assert 'line 6: cf.assert "first"' in result.out
    assert "2 checks, 1 removed, 1 kept" in result.unwrapped
    assert path.read_text() == TWICE


def test_the_pruned_program_goes_to_standard_output(tmp_path: Path, command: Command) -> None:
    result = command("prune", str(source(tmp_path)), "-o", "-")
    assert read_text(result.out).functions.keys() == {"f"}
    assert "1 removed" in " ".join(result.err.split())


def test_a_program_from_standard_input_is_pruned(tmp_path: Path, command: Command) -> None:
    result = command("prune", "-", "-o", str(tmp_path / "out.mlir"), stdin=TWICE.encode())
    assert "1 removed" in result.out
    assert '"second"' not in (tmp_path / "out.mlir").read_text()


def test_nothing_is_overwritten_unless_asked(tmp_path: Path, command: Command) -> None:
    path, target = source(tmp_path), tmp_path / "out.mlir"
    target.write_text("precious")
    assert command("prune", str(path), "-o", str(target)).code == 2
    assert target.read_text() == "precious"
    assert command("prune", str(path), "-o", str(target), "--force").code == 0
    assert '"first"' in target.read_text()


def test_prune_as_json_lists_each_check_with_its_verdict(tmp_path: Path, command: Command) -> None:
    result = command("prune", str(source(tmp_path)), "-o", str(tmp_path / "out.mlir"), "--json")
    document = json.loads(result.out)
    assert document["format"] == "shapesolve-prune"
    assert document["summary"]["operations"]["cf.assert"] == {"before": 2, "after": 1}
    assert [(each["message"], each["removed"], each["verdict"]) for each in document["checks"]] == [
        ("first", False, "refuted"),
        ("second", True, "proved"),
    ]


def test_assumptions_remove_more(tmp_path: Path, command: Command) -> None:
    result = command("prune", str(source(tmp_path)), "-o", "-", "--assume", "x[0] == y[0]")
    assert result.code == 0
    assert "cf.assert" not in result.out
    assert "2 removed, 0 kept" in result.unwrapped


def test_a_check_that_always_fails_is_kept_and_reported(tmp_path: Path, command: Command) -> None:
    result = command("prune", str(source(tmp_path)), "-o", "-", "--assume", "x[0] == y[0] + 1", "--fail-on=kept")
    assert result.code == 1
    assert '"first"' in result.out
    assert "ALWAYS FAILS" in result.err


def test_the_output_never_needs_the_flags_again(tmp_path: Path, command: Command) -> None:
    target = tmp_path / "out.mlir"
    command("prune", str(source(tmp_path)), "-o", str(target))
    assert command("prune", str(target), "-o", "-").out.count("cf.assert") == 1


def test_guards_at_the_entry_replace_checks(tmp_path: Path, command: Command) -> None:
    target = tmp_path / "out.mlir"
    result = command("prune", str(source(tmp_path)), "-o", str(target), "--at-entry")
    assert result.code == 0  # nothing that stays can fail but what was put in
    assert '"first: x[0] == y[0]"' in target.read_text()  # the author's words, and the condition
    assert '"first"' not in target.read_text()
    assert "inserted   x[0] == y[0], needed by cf.assert (line 6)" in result.out
    assert "2 checks, 2 removed, 0 kept, 1 inserted" in result.unwrapped


def test_at_the_entry_as_json_and_in_the_words_of_the_user(tmp_path: Path, command: Command) -> None:
    names = ("--shape", "x=[H]", "--shape", "y=[W]")
    result = command("prune", str(source(tmp_path)), "-o", "-", "--at-entry", "--as", "shape", "--json", *names)
    document = json.loads(result.err)
    (written,) = document["inserted"]
    assert (written["condition"], written["op"], written["function"]) == ("H == W", "shape.cstr_require", "f")
    assert [each["location"]["line"] for each in written["needed_by"]] == [6]
    assert document["open_in_output"] == []
    line = result.out.splitlines()[written["line_in_output"] - 1]
    assert "shape.cstr_require" in line
    assert '"first: H == W"' in line


def test_options_that_exclude_each_other(tmp_path: Path, command: Command) -> None:
    path, target = source(tmp_path), tmp_path / "out.mlir"
    for words, sentence in (
        (["--as", "cf"], "give --at-entry or --harden as well"),
        (["--harden", "--at-entry"], "give one of"),
        (["--fewest", "--harden"], "give it without --at-entry and --harden"),
        (["--harden", "--as", "shape"], "give cf or stablehlo"),
        (["--harden", "--trust-ub"], "nothing is trusted"),
        (["--at-entry", "--trust-ub"], "nothing is trusted"),
        (["--at-entry", "--max-size", "8"], "--max-size"),
        (["--at-entry", "--as", "tosa"], "--as"),
        (["--at-entry", "--function", "g"], "there is no function `g`"),
    ):
        result = command("prune", str(path), "-o", str(target), *words)
        assert result.code == 2
        assert sentence in result.err
        assert not target.exists()


CAST = """\
func.func @f(%x: tensor<?xf32>) -> tensor<4xf32> {
  %r = tensor.cast %x : tensor<?xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
"""


def test_a_check_before_what_may_be_undefined(tmp_path: Path, command: Command) -> None:
    path, target = tmp_path / "in.mlir", tmp_path / "out.mlir"
    path.write_text(CAST)
    result = command("prune", str(path), "-o", str(target), "--harden")
    assert result.code == 0
    assert 'cf.assert %0, "tensor.cast: the cast assumes extent 0 to be 4"' in target.read_text()
    assert "inserted   %x[0] == 4, needed by tensor.cast (line 2)" in result.out
    assert "in the output, nothing but its checks can fail" in result.unwrapped


HARD_FOR_LITTLE = """\
func.func @f(%m: memref<?x?xi32>, %x: tensor<?xf32>) -> tensor<?x1x1xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %d = memref.dim %m, %c0 : memref<?x?xi32>
  %e = tensor.dim %x, %c0 : tensor<?xf32>
  %rest = index.rems %e, %c2
  %up = arith.ceildivsi %d, %c4 : index
  %more = arith.addi %d, %c4 : index
  %down = arith.divsi %more, %c4 : index
  %p = arith.cmpi sle, %up, %down : index
  cf.assert %p, "rounded"
  %k = tosa.const_shape {values = dense<[-1, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %t = tosa.reshape %x, %k : (tensor<?xf32>, !tosa.shape<3>) -> tensor<?x1x1xf32>
  %r = scf.execute_region -> index {
    cf.cond_br %p, ^end(%c4 : index), ^copy(%up : index)
  ^never(%j: index):
    %u = tensor.empty(%rest) : tensor<?xf32>
    %s = tensor.dim %u, %c0 : tensor<?xf32>
    %q = arith.cmpi eq, %s, %rest : index
    cf.cond_br %q, ^end(%e : index), ^copy(%down : index)
  ^copy(%i: index):
    memref.copy %m, %m : memref<?x?xi32> to memref<?x?xi32>
    cf.cond_br %p, ^end(%down : index), ^end(%d : index)
  ^end(%l: index):
    scf.yield %l : index
  }
  return %t : tensor<?x1x1xf32>
}
"""


def test_a_budget_that_was_too_small_is_named_where_it_was(tmp_path: Path, command: Command) -> None:
    path, target = tmp_path / "in.mlir", tmp_path / "out.mlir"
    path.write_text(HARD_FOR_LITTLE)
    refused = command("prune", str(path), "-o", str(target), "--assume", "m[0] % 2 == 0", "--budget", "20")
    assert refused.code == 2
    assert "a budget of 20 may be too small" in refused.unwrapped
    assert not target.exists()
    assert command("prune", str(path), "-o", str(target), "--assume", "m[0] % 2 == 0").code == 0
    assert target.exists()


LEFT = """\
func.func @f(%x: tensor<?xf32>, %i: index, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %natural = arith.cmpi sge, %n, %n : index
  cf.assert %natural, "always"
  %one = tensor.extract %x[%i] : tensor<?xf32>
  %two = tensor.extract %x[%i] : tensor<?xf32>
  %t = tensor.empty() : tensor<2xf32>
  %three = tensor.extract %t[%c0] : tensor<2xf32>
  %four = tensor.extract %t[%n] : tensor<2xf32>
  return %four : f32
}
"""


def test_possibly_undefined_operations_of_the_output_are_reported(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "in.mlir"
    path.write_text(LEFT)
    result = command("prune", str(path), "-o", str(tmp_path / "out.mlir"))
    assert "1 check, 1 removed, 0 kept" in result.unwrapped
    assert (
        f"lines 5, 9 may be undefined for some sizes; prune leaves them as they are (shapesolve explain {path}:5)"
        in result.unwrapped
    )
    result = command("prune", str(path), "-o", str(tmp_path / "out.mlir"), "--force", "--json")
    found = json.loads(result.out)
    assert [each["line"] for each in found["possibly_undefined"]] == [5, 9]
    assert found["summary"]["possibly_undefined"] == 2


def test_a_program_that_is_always_defined_has_no_such_report(tmp_path: Path, command: Command) -> None:
    result = command("prune", str(source(tmp_path)), "-o", str(tmp_path / "out.mlir"))
    assert "may be undefined" not in result.unwrapped


def test_a_filter_reads_standard_input_and_writes_standard_output(command: Command) -> None:
    result = command("prune", "-", "-o", "-", stdin=TWICE.encode())
    assert result.code == 0
    assert '"first"' in result.out and '"second"' not in result.out
    assert read_text(result.out).functions.keys() == {"f"}
