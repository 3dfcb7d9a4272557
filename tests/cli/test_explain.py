"""`shapesolve explain`: everything about one place."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy
import pytest

from .conftest import Command

EXAMPLES = Path(__file__).parents[2] / "examples"
LINEAR = EXAMPLES / "linear.mlir"
CHAIN = EXAMPLES / "tosa_chain.mlir"


def test_a_counterexample_step_by_step(command: Command) -> None:
    out = command("explain", f"{LINEAR}:42", "--no-execute").out
    assert "divisor = 0   (4*arg0[0]*arg0[1])" in out
    assert "fails at   arg0: 0x1x8" in out
    assert "%dim_2 = 1   (tensor.dim, line 16)" in out
    assert "%14 = 0   (arith.muli, line 37)" in out
    assert "%cst" not in out  # has nothing to do with it
    names = [line.split(" = ")[0].split()[-1] for line in out.splitlines() if ", line " in line and " = " in line]
    assert names.index("%dim") < names.index("%9") < names.index("%14")


def test_claims_not_proved_come_first(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "slice.mlir"
    path.write_text("""\
func.func @f(%x: tensor<?xf32>, %n: index) -> tensor<8xf32> {
  %s = tensor.extract_slice %x[%n] [8] [1] : tensor<?xf32> to tensor<8xf32>
  return %s : tensor<8xf32>
}
""")
    out = command("explain", f"{path}:2", "--no-execute").out
    assert re.findall(r": (error|note): tensor.extract_slice", out) == ["error", "error", "note"]


@pytest.mark.slow
def test_the_steps_are_what_the_program_computes(command: Command) -> None:
    """The same arithmetic as unet's, done by hand on plain integers."""
    out = command("explain", f"{EXAMPLES / 'unet.mlir'}:113", "--no-execute", "--verbose").out
    first = next(each for each in re.split(r"^(?=\S+:\d+:\d+: )", out, flags=re.MULTILINE) if ": error: " in each)
    steps = dict(
        line.split("   (")[0].strip().removeprefix("steps").strip().split(" = ", 1)
        for line in first.splitlines()
        if ", line " in line and " = " in line
    )
    height = int(steps["%dim_10"])
    assert int(steps["%10"]) == numpy.floor_divide(height - 2, 2)
    assert int(steps["%25"]) == numpy.floor_divide(int(steps["%10"]) - 1, 2)
    assert int(steps["%45"]) == int(steps["%25"]) * 2 + 2
    assert steps["%51"] == f"tensor<{steps['%dim']}x8x{steps['%45']}x{steps['%48']}xf32>"


def test_the_facts_behind_a_proof(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "a.mlir"
    path.write_text("""\
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>) {
  %0 = tosa.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = tosa.sub %y, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}
""")
    result = command("explain", f"{path}:3", "--no-execute")
    assert result.code == 0
    assert ": proved  [tosa-sub-broadcast]" in result.out
    assert "line 2: tosa.add [tosa-add-broadcast]" in result.out


def test_a_column_selects_one_operation_of_a_line(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "a.mlir"
    path.write_text(
        "func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) {\n"
        "  %0 = tosa.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> "
        "%1 = tosa.sub %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n"
        "  return\n}\n"
    )
    assert command("explain", f"{path}:2:8", "--no-execute").code == 1
    second = path.read_text().splitlines()[1].index("tosa.sub") + 1
    result = command("explain", f"{path}:2:{second}", "--no-execute")
    assert result.code == 0
    assert "tosa.sub" in result.out
    assert "tosa.add:" not in result.out
    assert command("explain", f"{path}:2:3").unwrapped.startswith(f"{path}: nothing to prove at line 2, column 3")


@pytest.mark.slow
def test_explain_query_prints_smtlib_or_that_the_solver_was_not_asked(command: Command) -> None:
    out = command("explain", f"{CHAIN}:15", "--no-execute", "--query").out
    assert "(declare-fun |left[0]| () Int)" in out
    assert "(check-sat)" in out
    assert "the solver was not asked" in command("explain", f"{LINEAR}:14", "--no-execute", "--query").out


def test_the_printed_query_has_the_reported_answer(command: Command) -> None:
    """z3 itself, given what was printed, finds sizes where we did."""
    import z3

    out = command("explain", f"{CHAIN}:15", "--no-execute", "--query").out
    text = out[out.index("(set-option") : out.index("(check-sat)")]
    solver = z3.Solver()
    solver.from_string(text)
    assert solver.check() == z3.sat


@pytest.mark.process
def test_explain_prints_the_execution_that_failed(command: Command) -> None:
    assert "run        the execution failed at this operation" in command("explain", f"{LINEAR}:18").out


@pytest.mark.parametrize("place", ["a.mlir:1:2:3", "C:\\models\\a.mlir:7", "dir:1/a.mlir:7"])
def test_a_place_is_parsed_from_the_right_with_colons_in_the_path(place: str) -> None:
    from shapesolve.cli.explain import parse_place

    parsed = parse_place(place)
    expected = {
        "a.mlir:1:2:3": ("a.mlir:1", 2, 3),
        "C:\\models\\a.mlir:7": ("C:\\models\\a.mlir", 7, None),
        "dir:1/a.mlir:7": ("dir:1/a.mlir", 7, None),
    }
    assert (parsed.file, parsed.line, parsed.column) == expected[place]


ERROR = """\
func.func @f(%x: tensor<2xf32>, %y: tensor<3xf32>) -> !shape.shape {
  %a = shape.shape_of %x : tensor<2xf32> -> !shape.shape
  %b = shape.shape_of %y : tensor<3xf32> -> !shape.shape
  %m = shape.meet %a, %b, error = "two batches" : !shape.shape, !shape.shape -> !shape.shape
  return %m : !shape.shape
}
"""


@pytest.mark.parametrize(("place", "code"), [("4", 1), ("4:8", 1), ("3", 0), ("4:1", 0)])
def test_an_operation_whose_result_is_always_an_error(place: str, code: int, tmp_path: Path, command: Command) -> None:
    path = tmp_path / "error.mlir"
    path.write_text(ERROR)
    result = command("explain", f"{path}:{place}")
    assert result.code == code
    if code:
        assert '@f: ALWAYS AN ERROR: "two batches"' in result.out
        assert "%m = shape.meet %a, %b" in result.out
    else:
        assert "there is something at line 4" in result.out


PROOFS = """\
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %half = arith.divui %d, %c2 : index
  %twice = arith.muli %half, %c2 : index
  %up = arith.addi %twice, %c2 : index
  %ok = arith.cmpi sgt, %up, %d : index
  cf.assert %ok, "rounding up"
  %e = tensor.dim %y, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %e, %d : index
  cf.assert %same, "one length"
  cf.assert %same, "one length"
  return
}
"""


@pytest.fixture
def proofs(tmp_path: Path) -> Path:
    path = tmp_path / "proofs.mlir"
    path.write_text(PROOFS)
    return path


def test_a_proof_shows_the_claim_as_it_was_raised(proofs: Path, command: Command) -> None:
    result = command("explain", f"{proofs}:9")
    assert result.code == 0
    assert "proved impossible: the assertion" in result.out
    assert "claim      2*(x[0]//2) + 2 >= x[0] + 1" in result.out
    assert "%half = x[0]//2   (arith.divui, line 5)" in result.out


def test_a_proof_names_the_facts_that_imply_it(proofs: Path, command: Command) -> None:
    explanation = command("explain", f"{proofs}:13").out
    assert "by         bounds and equalities of the facts" in explanation
    assert "facts      line 12: cf.assert [cf-assert-condition]: x[0] == y[0]" in explanation


def test_a_file_alone_lists_all_obligations(proofs: Path, command: Command) -> None:
    result = command("explain", str(proofs), "--no-execute")
    assert result.code == 1
    rows = [line.split(maxsplit=3) for line in result.out.splitlines() if "cf-assert" in line]
    assert [row[0] for row in rows] == ["9:3", "12:3", "13:3"]
    assert [row[2] for row in rows] == ["proved", "refuted", "proved"]
    assert rows[1][3] == "fails at x: 2, y: 3"
    assert rows[2][3] == "from line 12"
    assert result.out.splitlines()[-2] == f"{proofs}: 6 checks of sizes: 5 proved, 1 refuted"


def test_explanations_as_json(proofs: Path, command: Command) -> None:
    at_line = json.loads(command("explain", f"{proofs}:9", "--json", "--no-execute").out)
    (one,) = at_line["obligations"]
    assert (at_line["format"], at_line["exit_code"], one["verdict"]) == ("shapesolve-explanation", 0, "proved")
    assert one["raised"] == "2*(x[0]//2) + 2 >= x[0] + 1"
    whole = json.loads(command("explain", str(proofs), "--json", "--no-execute").out)
    assert [each["identity"] for each in whole["obligations"] if each["op"] == "cf.assert"] == [
        "f/cf.assert.1/C1",
        "f/cf.assert.2/C1",
        "f/cf.assert.3/C1",
    ]
    refuted = next(each for each in whole["obligations"] if each["verdict"] == "refuted")
    assert [(step["name"], step["value"]) for step in refuted["steps"] if step["op"] == "tensor.dim"] == [
        ("%d", "2"),
        ("%e", "3"),
    ]


CALLED_TWICE = """func.func private @pick(%x: tensor<?xf32>, %i: index) -> f32 {
  %k = "my.op"(%i) : (index) -> index
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %r = arith.remui %k, %d : index
  %v = tensor.extract %x[%r] : tensor<?xf32>
  return %v : f32
}
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>, %i: index) -> f32 {
  %a = func.call @pick(%x, %i) : (tensor<?xf32>, index) -> f32
  %b = func.call @pick(%y, %i) : (tensor<?xf32>, index) -> f32
  %s = arith.addf %a, %b : f32
  return %s : f32
}
"""


def test_values_are_those_of_the_call_that_is_explained(tmp_path: Path, command: Command) -> None:
    """Only those of the last call are known, where `%k'2` is the second value of that name."""
    path = tmp_path / "called.mlir"
    path.write_text(CALLED_TWICE, encoding="utf-8")
    documents = json.loads(command("explain", f"{path}:6", "--json").out)["obligations"]
    first, last = documents
    assert first["values"] == [] and last["values"]
    assert {each["name"]: each["value"] for each in last["values"]}["%d"] == "y[0]"
    assert "'" not in json.dumps(last["values"])


UNROLLED = """func.func @f(%a: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %d) -> (index) {
    %q = arith.subi %s, %c1 : index
    %v = tensor.extract %a[%q] : tensor<?xf32>
    scf.yield %q : index
  }
  return
}
"""


def test_the_iteration_of_a_claim_is_named(tmp_path: Path, command: Command) -> None:
    file = tmp_path / "f.mlir"
    file.write_text(UNROLLED, encoding="utf-8")
    out = command("explain", f"{file}:8", "--no-execute").out
    parts = out.split("tensor.extract needs ")[1:]
    assert [part.split("  [")[0] for part in parts] == ["a[0] >= 1", "a[0] >= 2", "a[0] >= 3"]
    for number, part in enumerate(parts, 1):
        assert f"   iteration  {number} of 3 of scf.for (line 6)\n" in part
        # The trace has the values of the last iteration.
        assert ("%q = " in part) is (number == 3)
    assert "%q = -1   (arith.subi, line 7)" in parts[2] and "extent 0 of %a = 2" in parts[2]
    listed = command("explain", str(file), "--no-execute").out
    assert [line.rpartition(", ")[2] for line in listed.splitlines() if "fails at" in line] == [
        f"in iteration {number}" for number in (1, 2, 3)
    ]
    document = json.loads(command("explain", f"{file}:8", "--no-execute", "--json").out)
    assert [[each["number"] for each in claim["iterations"]] for claim in document["obligations"]] == [[1], [2], [3]]
