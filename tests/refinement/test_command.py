"""``shapesolve refine``: what it prints, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shapesolve.cli.main import main

RFC = Path(__file__).parents[1] / "rfc"
SOURCE, TARGET = str(RFC / "proposed.mlir"), str(RFC / "proposed_lowered.mlir")
UNARY = """\
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {{
  %0 = tosa.{name} %a : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}}
"""


def test_refine_of_a_proved_pair_exits_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["refine", SOURCE, TARGET, "-f", "unary_dynamic"]) == 0
    assert "@unary_dynamic: proved: sizes, checks and elements refine" in capsys.readouterr().out


def test_parts_not_compared_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Elements are asked for unless only shapes are: the exit code says what was left out, as the headline does."""
    paths = [tmp_path / f"{name}.mlir" for name in ("floor", "ceil")]
    for path in paths:
        path.write_text(UNARY.format(name=path.stem), encoding="utf-8")
    asked = "@f: sizes and checks proved, contents not compared\n"
    proved = "@f: proved: sizes and checks refine; contents not compared"
    for options, code, words in (((), 3, asked), (("--shapes-only",), 0, proved)):
        assert main(["refine", *map(str, paths), "--no-execute", *options]) == code
        out = capsys.readouterr().out
        assert words in out and ("try        --shapes-only" in out) == (code == 3)


@pytest.mark.slow
def test_refuted_at_0_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["refine", SOURCE, TARGET, "-f", "all_dynamic"]) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "refuted, but proved for sizes >= 1" in out
    assert "a: 1, b: 0" in out
    assert "the target returned a tensor of size 1" in out
    assert main(["refine", SOURCE, TARGET, "-f", "all_dynamic", "--min-size", "1", "--shapes-only"]) == 0


BROADCAST = """func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = math.exp %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}
"""
LOOP = """#id = affine_map<(i) -> (i)>
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {{
  %0 = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}}
      ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%x : tensor<?xf32>) {{
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.{combine} %a, %b : f32
    %e = {function} : f32
    linalg.yield %e : f32
  }} -> tensor<?xf32>
  return %0 : tensor<?xf32>
}}
"""
PARTLY = "refuted, but for sizes >= 2, sizes and checks are proved; contents not compared"


@pytest.mark.process
@pytest.mark.parametrize(
    ("combine", "function", "options", "headline", "least"),
    [
        ("addf", "math.exp %s", (), "refuted, but proved for sizes >= 2", 2),
        ("addf", "math.exp2 %s", (), "refuted: the target does not refine the source", None),
        ("addf", "math.exp %s fastmath<fast>", (), PARTLY, None),
        ("mulf", "math.exp %s", ("--no-execute",), PARTLY, None),
        ("mulf", "math.exp %s", ("--shapes-only",), "refuted, but proved for sizes >= 2", 2),
    ],
)
def test_larger_sizes_are_proved_as_far_as_they_are_compared(
    combine: str,
    function: str,
    options: tuple[str, ...],
    headline: str,
    least: int | None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A lowering that computes other elements, and does not broadcast, is not said to be proved for larger sizes."""
    source, target = tmp_path / "source.mlir", tmp_path / "target.mlir"
    source.write_text(BROADCAST, encoding="utf-8")
    target.write_text(LOOP.format(combine=combine, function=function), encoding="utf-8")
    assert main(["refine", str(source), str(target), "--json", *options]) == 1
    (found,) = json.loads(capsys.readouterr().out)["functions"]
    assert (found["headline"], found["proved_from_size"]) == (f"@f: {headline}", least)


@pytest.mark.process
def test_other_elements_of_larger_sizes_come_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Elements are compared for larger sizes, too, if sizes of 0 and 1 are refuted, and come first."""
    source, target = tmp_path / "source.mlir", tmp_path / "target.mlir"
    source.write_text(BROADCAST.replace("math.exp", "arith.negf"), encoding="utf-8")
    target.write_text(LOOP.format(combine="mulf", function="arith.negf %s"), encoding="utf-8")
    assert main(["refine", str(source), str(target)]) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "proved" not in out
    assert out.index("returns other elements of result 0") < out.index("is undefined at line")


@pytest.mark.process
def test_an_option_is_listed_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("source", "target"):
        (tmp_path / name).write_text(BROADCAST, encoding="utf-8")
    assert main(["refine", str(tmp_path / "source"), str(tmp_path / "target"), "--min-size", "2"]) == 0
    assert capsys.readouterr().out.count("--min-size 2") == 1


def test_an_assumption_proves_a_pair_that_fails_without(capsys: pytest.CaptureFixture[str]) -> None:
    assumption = ["--assume", "a[0] != 0 and b[0] != 0"]
    assert main(["refine", SOURCE, TARGET, "-f", "all_dynamic", *assumption, "--shapes-only"]) == 0
    assert "proved" in capsys.readouterr().out


def test_assumptions_of_the_target_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A proof that rests on what only the target says of its arguments says so."""
    body = "{\n  %c0 = arith.constant 0 : index\n  %d = tensor.dim %x, %c0 : tensor<?xf32>\n  return %d : index\n}\n"
    source, target = tmp_path / "source.mlir", tmp_path / "target.mlir"
    stated = 'attributes {shapesolve.assume = "x[0] >= 2"}'
    source.write_text(f"func.func @f(%x: tensor<?xf32>) -> index {stated} {body}", encoding="utf-8")
    target.write_text(
        'func.func @f(%x: tensor<?xf32>) -> index attributes {shapesolve.assume = ["x[0] == 3", "x[0] >= 2"]} {\n'
        "  %c3 = arith.constant 3 : index\n  return %c3 : index\n}\n",
        encoding="utf-8",
    )
    assert main(["refine", str(source), str(target)]) == 0
    out = capsys.readouterr().out
    assert "assumed    line 1: shapesolve.assume: x[0] >= 2" in out
    assert "line 1: the target's shapesolve.assume: x[0] == 3" in out
    assert out.count("x[0] >= 2") == 1
    assert main(["refine", str(source), str(target), "--json"]) == 0
    (function,) = json.loads(capsys.readouterr().out)["functions"]
    assert [each["claim"] for each in function["assumptions"]] == ["x[0] >= 2", "x[0] == 3"]
    assert main(["refine", str(source), str(source), "--json", "--assume", "x[0] >= 5"]) == 0
    (function,) = json.loads(capsys.readouterr().out)["functions"]
    assert "x[0] >= 5" in [each["claim"] for each in function["assumptions"]]


def test_modeling_assumptions_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head = "func.func @f(%n: index) -> index {\n  %c2 = arith.constant 2 : index\n"
    source, target = tmp_path / "source.mlir", tmp_path / "target.mlir"
    source.write_text(f"{head}  %0 = arith.muli %n, %c2 : index\n  return %0 : index\n}}\n", encoding="utf-8")
    target.write_text(f"{head}  %0 = arith.addi %n, %n : index\n  return %0 : index\n}}\n", encoding="utf-8")
    wraps = "index and i64 arithmetic does not wrap"
    assert main(["refine", str(source), str(target)]) == 0
    ours, theirs = f"{wraps}: arith.muli (line 3)", f"{wraps}: arith.addi (line 3)"
    out = " ".join(capsys.readouterr().out.split())
    assert f" assumes {ours} (source); {theirs} (target) " in f"{out} "
    assert main(["refine", str(source), str(target), "--json"]) == 0
    (function,) = json.loads(capsys.readouterr().out)["functions"]
    assert function["model_assumptions"] == [
        {"assumption": ours, "sides": ["source"]},
        {"assumption": theirs, "sides": ["target"]},
    ]
    target.write_text("func.func @f(%n: index) -> index {\n  return %n : index\n}\n", encoding="utf-8")
    assert main(["refine", str(source), str(target), "--no-execute"]) == 1
    assert f" assumes {ours} (source) " in f"{' '.join(capsys.readouterr().out.split())} "


def test_refine_as_json_has_the_refuted_function(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["refine", SOURCE, TARGET, "-f", "all_dynamic", "--json", "--no-execute"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["format"], document["version"], document["exit_code"]) == ("shapesolve-refine", 2, 1)
    (function,) = document["functions"]
    assert (function["verdict"], function["proved_from_size"]) == ("refuted", 1)
    first = function["findings"][0]
    assert first["sizes"] == {"a[0]": 1, "b[0]": 0}
    assert (first["source"]["ending"], first["target"]["ending"]) == ("returns", "undefined")
    assert first["target"]["location"]["line"] > 1
    assert "executed" not in first
    (size,) = [each for each in function["findings"] if each.get("values")]
    assert size["question"] == "extent 0 of result 0 is the same"
    assert [(each["side"], each["value"]) for each in size["values"]] == [("source", 0), ("target", 1)]


@pytest.mark.process
def test_a_number_that_differs_is_given_for_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    up, down = tmp_path / "up.mlir", tmp_path / "down.mlir"
    text = """func.func @f(%x: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r = arith.ceildivui %n, %c3 : index
  return %r : index
}
"""
    up.write_text(text, encoding="utf-8")
    down.write_text(text.replace("ceildivui", "divui"), encoding="utf-8")
    assert main(["refine", str(up), str(down)]) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert f"refuted: the target {down} does not refine the source {up}" in out
    assert "returns another value of result 0" in out
    assert "where in the source it is 1 ((x[0] + 2)//3, line 5) in the target it is 0 (x[0]//3, line 5)" in out


@pytest.mark.process
def test_demands_of_the_lowering_alone_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "source.mlir", tmp_path / "target.mlir"
    head = "func.func @f(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {\n"
    add = "  %0 = tosa.add %x, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>\n"
    source.write_text(f"{head}{add}  return %0 : tensor<?x?xf32>\n}}\n", encoding="utf-8")
    target.write_text(f"{head}  return %x : tensor<?x?xf32>\n}}\n", encoding="utf-8")
    assert main(["refine", str(source), str(target), "--assume", "x[1] == 0 and y[1] == 1"]) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "the source, with runtime checks, was stopped at line 2" in out
    assert "(the lowering demands that; the operation itself does not)" in out


def test_a_function_that_the_target_lacks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    two = tmp_path / "two.mlir"
    two.write_text("func.func @f() {\n  return\n}\nfunc.func @g() {\n  return\n}\n", encoding="utf-8")
    other = tmp_path / "other.mlir"
    other.write_text(two.read_text(encoding="utf-8").replace("@g", "@h"), encoding="utf-8")
    assert main(["refine", str(two), str(other)]) == 2
    assert "--function NAME compares only that one" in capsys.readouterr().err


def test_refine_of_an_unknown_operation_exits_with_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd, plain = tmp_path / "odd.mlir", tmp_path / "plain.mlir"
    odd.write_text('func.func @f() {\n  "test.odd"() : () -> ()\n  return\n}\n', encoding="utf-8")
    plain.write_text("func.func @f() {\n  return\n}\n", encoding="utf-8")
    assert main(["refine", str(odd), str(plain)]) == 3
    assert "no difference was found, and no proof" in capsys.readouterr().out


def test_refine_of_a_lost_check_exits_with_1_unless_allowed(tmp_path: Path) -> None:
    checked, plain = tmp_path / "checked.mlir", tmp_path / "plain.mlir"
    checked.write_text('func.func @f(%p: i1) {\n  cf.assert %p, "p"\n  return\n}\n', encoding="utf-8")
    plain.write_text("func.func @f(%p: i1) {\n  return\n}\n", encoding="utf-8")
    assert main(["refine", str(checked), str(plain), "--no-execute"]) == 1
    assert main(["refine", str(checked), str(plain), "--allow-lost-checks"]) == 0


@pytest.mark.parametrize(("most", "code"), [("999999", 3), ("1000000", 1)])
def test_sizes_beyond_memory_are_no_difference(
    most: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    checked, plain = tmp_path / "checked.mlir", tmp_path / "plain.mlir"
    text = """func.func @f(%a: tensor<?xi8>) {
  %c0 = arith.constant 0 : index
  %most = arith.constant 1000000 : index
  %d = tensor.dim %a, %c0 : tensor<?xi8>
  %p = arith.cmpi ult, %d, %most : index
  cf.assert %p, "large"
  return
}
"""
    checked.write_text(text, encoding="utf-8")
    plain.write_text(text.replace('  cf.assert %p, "large"\n', ""), encoding="utf-8")
    assert main(["refine", str(checked), str(plain), "--no-execute", "--max-bytes", most]) == code
    assert ("(--max-bytes)" in capsys.readouterr().out) == (code == 3)


def test_refine_of_unusable_programs_exits_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["refine", SOURCE, str(tmp_path / "missing.mlir")]) == 2
    assert main(["refine", SOURCE, TARGET, "-f", "nobody"]) == 2
    assert main(["refine", str(RFC / "rejected.mlir"), TARGET]) == 2
    assert "broadcast-compatible" in capsys.readouterr().err
    assert main(["refine", "-", "-"]) == 2


PLACED = """func.func @f(%a: memref<?xf32>, %x: f32) {{
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %v = memref.reinterpret_cast %a to offset: [1], sizes: [2], strides: [2]
    : memref<?xf32> to memref<2xf32, strided<[2], offset: 1>>
  memref.store %x, {place}
  return
}}
"""


@pytest.mark.slow
def test_a_source_that_crashes_shows_no_sizes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A cast is taken to fit into the memory, which a buffer of fewer than four elements need not have."""
    source, target = tmp_path / "source.mlir", tmp_path / "target.mlir"
    source.write_text(PLACED.format(place="%v[%c1] : memref<2xf32, strided<[2], offset: 1>>"), encoding="utf-8")
    target.write_text(PLACED.format(place="%a[%c3] : memref<?xf32>"), encoding="utf-8")
    assert main(["refine", str(source), str(target)]) == 3
    assert "predicted to differ, but when executed the source: it crashed" in " ".join(capsys.readouterr().out.split())
    assert main(["refine", str(source), str(target), "--assume", "a[0] >= 4"]) == 0
