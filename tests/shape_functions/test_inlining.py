"""Failures inside a shape function are reported at the operation of the user."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.library_programs import BINARY, USE, checked, library_text, verdicts, written

from shapesolve.cli.main import main
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.pruning.prune import prune_program
from shapesolve.solver.verdicts import Refuted, Undecided
from shapesolve.trace.events import Kind


def one_argument(body: str, result: str = "!shape.shape") -> str:
    return f"  func @f(%a: !shape.value_shape, %n: index) -> {result} {{\n{body}\n  }}\n"


CALL = """func.func @f(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %r = "my.op"(%a, %n) : (tensor<?xf32>, index) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


@pytest.mark.covers("inference.author_message")
def test_the_message_of_a_shape_function_is_the_message_of_the_claim(tmp_path: Path) -> None:
    report = checked(USE, written(tmp_path, library_text(BINARY, "my.op = @binary")))
    (checked_obligation,) = report.checked_obligations
    assert checked_obligation.obligation.message.startswith("the operands differ (@binary, ")
    assert checked_obligation.obligation.kind is Kind.UB
    assert isinstance(checked_obligation.verdict, Refuted)


@pytest.mark.covers("inference.location")
def test_a_claim_has_the_places_of_the_use_and_of_the_function(tmp_path: Path) -> None:
    path = written(tmp_path, library_text(BINARY, "my.op = @binary"))
    (checked_obligation,) = checked(USE, path).checked_obligations
    assert str(checked_obligation.obligation.location) == "model.mlir:2:8"
    assert f"{path}:6:10: shape.meet" in checked_obligation.obligation.message


def test_a_long_path_does_not_push_the_words_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deep = tmp_path / ("a_directory_with_a_long_name_" * 3)
    deep.mkdir()
    path, program = written(deep, library_text(BINARY, "my.op = @binary")), written(tmp_path, USE, "use.mlir")
    assert main(["check", program, "--library", path, "--no-execute"]) == 1
    assert "the operands differ" in " ".join(capsys.readouterr().out.split())


def test_an_error_without_words_is_told_by_the_operation_that_makes_it(tmp_path: Path) -> None:
    body = one_argument(
        """    %s = shape_of %a : !shape.value_shape -> !shape.shape
    %c2 = const_size 2
    %h, %t = "shape.split_at"(%s, %c2) : (!shape.shape, !shape.size) -> (!shape.shape, !shape.shape)
    %b = broadcast %h, %t : !shape.shape, !shape.shape -> !shape.shape
    return %b : !shape.shape"""
    )
    path = written(tmp_path, library_text(body, "my.op = @f"))
    (checked_obligation, *_) = checked(CALL, path).checked_obligations
    assert isinstance(checked_obligation.verdict, Refuted)
    assert checked_obligation.obligation.message == f"@f gives an error: shape.split_at in line 5 ({path}:2:3)"


@pytest.mark.covers("inference.understandable")
def test_each_error_has_its_words(tmp_path: Path) -> None:
    body = one_argument(
        """    %s = shape_of %a : !shape.value_shape -> !shape.shape
    %t = const_shape [2] : !shape.shape
    %m = meet %s, %t, error = "not two" : !shape.shape, !shape.shape -> !shape.shape
    %i = index_to_size %n
    %three = const_size 3
    %k = meet %i, %three, error = "not three" : !shape.size, !shape.size -> !shape.size
    %e = from_extents %k : !shape.size
    %r = concat %m, %e : !shape.shape, !shape.shape -> !shape.shape
    return %r : !shape.shape"""
    )
    text = CALL.replace("-> tensor<?xf32> {", "{").replace("index) -> tensor<?xf32>", "index) -> tensor<?x?xf32>")
    text = text.replace("return %r : tensor<?xf32>", "return")
    path = written(tmp_path, library_text(body, "my.op = @f"))
    report = checked(text, path, assumptions=("a[0] == 2",))
    words = {each.obligation.message.partition(" (@")[0]: each.verdict.word for each in report.checked_obligations}
    assert words["not two"] == "proved"
    assert words["not three"] == "refuted"


@pytest.mark.covers("inference.inlined_failures")
def test_requirements_of_a_shape_function_become_claims(tmp_path: Path) -> None:
    body = one_argument(
        """    %zero = arith.constant 0 : index
    %ok = arith.cmpi sgt, %n, %zero : index
    %w = cstr_require %ok, "the width is not positive"
    %i = index_to_size %n
    %r = from_extents %i : !shape.size
    return %r : !shape.shape"""
    )
    report = checked(CALL, written(tmp_path, library_text(body, "my.op = @f")))
    first, *_ = report.checked_obligations
    assert first.obligation.kind is Kind.CHECK
    assert first.obligation.message.startswith("the width is not positive (@f, ")
    assert first.verdict.word == "refuted"
    assert all(each.verdict.word == "proved" for each in report.checked_obligations[1:])


@pytest.mark.covers("inference.guaranteed_errors")
def test_an_inlined_check_fails_for_some_sizes_only(tmp_path: Path) -> None:
    path = written(tmp_path, library_text(BINARY, "my.op = @binary"))
    (some,) = checked(USE, path).checked_obligations
    assert isinstance(some.verdict, Refuted) and not some.verdict.always
    always = USE.replace("%a: tensor<?x?xf32>", "%a: tensor<2x?xf32>").replace(
        "%b: tensor<?x?xf32>", "%b: tensor<3x?xf32>"
    )
    always = always.replace("(tensor<?x?xf32>, tensor<?x?xf32>) ->", "(tensor<2x?xf32>, tensor<3x?xf32>) ->")
    first, *_ = checked(always, path).checked_obligations
    assert isinstance(first.verdict, Refuted) and first.verdict.always
    assert checked(USE.replace("(%a, %b) :", "(%a, %a) :"), path).exit_code == 0


def test_a_region_demands_nothing_where_it_does_not_run(tmp_path: Path) -> None:
    body = one_argument(
        """    %five = arith.constant 5 : index
    %large = arith.cmpi sge, %n, %five : index
    %k = scf.if %large -> index {
      %s = shape.shape_of %a : !shape.value_shape -> !shape.shape
      %c = shape.const_shape [7] : !shape.shape
      %same = shape.shape_eq %s, %c : !shape.shape, !shape.shape
      cf.assert %same, "seven where n is large"
      scf.yield %n : index
    } else {
      scf.yield %five : index
    }
    %e = tensor.from_elements %k : tensor<1xindex>
    return %e : tensor<1xindex>""",
        "tensor<1xindex>",
    )
    path = written(tmp_path, library_text(body, "my.op = @f"))
    inside, extent = checked(CALL, path).checked_obligations
    assert str(inside.obligation.claim) == "n <= 4 or a[0] == 7"
    assert (inside.verdict.word, extent.verdict.word) == ("refuted", "proved")
    assert checked(CALL, path, assumptions=("n <= 4",)).exit_code == 0
    assert checked(CALL, path, assumptions=("a[0] == 7",)).exit_code == 0
    assert checked(CALL, path, assumptions=("n <= 5",)).exit_code == 1


def test_unmodeled_operations_refute_nothing(tmp_path: Path) -> None:
    body = one_argument(
        """    %k = "other.op"(%n) : (index) -> index
    %zero = arith.constant 0 : index
    %ok = arith.cmpi sge, %k, %zero : index
    cf.assert %ok, "not negative"
    %i = index_to_size %k
    %r = from_extents %i : !shape.size
    return %r : !shape.shape"""
    )
    report = checked(CALL, written(tmp_path, library_text(body, "my.op = @f")))
    first, *_ = report.checked_obligations
    assert isinstance(first.verdict, Undecided)
    assert "other.op" in first.verdict.reason
    assert report.exit_code == 3


def test_a_negative_extent_is_a_refuted_claim(tmp_path: Path) -> None:
    body = one_argument(
        """    %e = tensor.from_elements %n : tensor<1xindex>
    return %e : tensor<1xindex>""",
        "tensor<1xindex>",
    )
    path = written(tmp_path, library_text(body, "my.op = @f"))
    assert verdicts(checked(CALL, path)) == {"f/my.op.1/V2": "refuted"}
    assert verdicts(checked(CALL, path, assumptions=("n >= 0",))) == {"f/my.op.1/V2": "proved"}


def test_functions_that_use_mapped_operations(tmp_path: Path) -> None:
    outer = """  func @outer(%a: !shape.value_shape, %b: !shape.value_shape) -> !shape.shape {
    %x = value_of %a : tensor<?x?xf32>
    %y = value_of %b : tensor<?x?xf32>
    %z = "my.inner"(%x, %y) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %r = shape_of %z : tensor<?x?xf32> -> !shape.shape
    return %r : !shape.shape
  }
"""
    path = written(tmp_path, library_text(BINARY + outer, "my.inner = @binary, my.op = @outer"))
    (checked_obligation,) = [each for each in checked(USE, path).checked_obligations if each.verdict.word != "proved"]
    assert checked_obligation.obligation.message.startswith("the operands differ (@binary, ")
    assert "@outer" in checked_obligation.obligation.message
    assert str(checked_obligation.obligation.location) == "model.mlir:2:8"


@pytest.mark.covers("inference.elided_checks")
def test_checks_that_a_shape_function_implies_are_pruned(tmp_path: Path) -> None:
    text = """func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = "my.op"(%a, %b) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %r, %c0 : tensor<?x?xf32>
  %same = arith.cmpi eq, %n, %m : index
  cf.assert %same, "as many rows as before"
  return %r : tensor<?x?xf32>
}
"""
    path = written(tmp_path, library_text(BINARY, "my.op = @binary"))
    same_sizes = ("a[0] == b[0]", "a[1] == b[1]")
    assert "cf.assert" in prune_program(read_text(text), Options(assumptions=same_sizes)).text
    pruned = prune_program(read_text(text), Options(assumptions=same_sizes, libraries=(path,)))
    assert "cf.assert" not in pruned.text and len(pruned.removed) == 1


@pytest.mark.parametrize("identical", [True, False])
def test_identities_are_stable(tmp_path: Path, identical: bool) -> None:
    path = written(tmp_path, library_text(BINARY, "my.op = @binary"))
    twice = USE.replace(
        "  return", '  %q = "my.op"(%r, %b) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>\n  return'
    )
    found = verdicts(check_program(read_text(twice if identical else USE), Options(libraries=(path,), execute=False)))
    assert found["f/my.op.1/V1"] == "refuted"
    assert found.get("f/my.op.2/V1") == ("proved" if identical else None)


LOOPS = {
    # The body demands of every number below n that the tensor has more elements.
    "every": (
        """    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s = shape_of %a : !shape.value_shape -> !shape.shape
    %e = get_extent %s, %z : !shape.shape, !shape.size -> !shape.size
    %x = size_to_index %e : !shape.size
    scf.for %i = %c0 to %n step %c1 {
      %ok = arith.cmpi slt, %i, %x : index
      cf.assert %ok, "n is too large"
    }
    return %s : !shape.shape""",
        ("n <= a[0]",),
        ("n <= a[0] + 1",),
    ),
    # A fold over a shape of known rank: its extents, one by one.
    "fold": (
        """    %s = shape_of %a : !shape.value_shape -> !shape.shape
    %r = reduce(%s, %z) : !shape.shape -> !shape.size {
      ^bb0(%i: index, %d: !shape.size, %acc: !shape.size):
        %sum = shape.add %acc, %d : !shape.size, !shape.size -> !shape.size
        shape.yield %sum : !shape.size
    }
    %x = size_to_index %r : !shape.size
    %ok = arith.cmpi sgt, %x, %n : index
    cf.assert %ok, "the sum is too small"
    return %s : !shape.shape""",
        ("n < a[0]",),
        ("n <= a[0]",),
    ),
}


@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_of_a_shape_function_is_decided_by_enough_assumptions(name: str, tmp_path: Path) -> None:
    body, enough, too_little = LOOPS[name]
    path = written(tmp_path, library_text(one_argument("    %z = const_size 0\n" + body), "my.op = @f"))
    assert checked(CALL, path, assumptions=enough).exit_code == 0
    assert checked(CALL, path, assumptions=too_little).exit_code in (1, 3)
    assert checked(CALL, path).exit_code in (1, 3)


def test_facts_of_a_region_hold_only_where_it_runs(tmp_path: Path) -> None:
    """The assertion in a loop that may not run at all is no fact for what follows."""
    body, *_ = LOOPS["every"]
    path = written(tmp_path, library_text(one_argument("    %z = const_size 0\n" + body), "my.op = @f"))
    text = CALL.replace(
        "  return",
        """  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %ok = arith.cmpi sgt, %d, %c0 : index
  cf.assert %ok, "not empty"
  return""",
    )
    assert verdicts(checked(text, path))["f/cf.assert.1/C1"] != "proved"
    assert verdicts(checked(text, path, assumptions=("a[0] >= 1",)))["f/cf.assert.1/C1"] == "proved"


@pytest.mark.parametrize(
    ("check", "words"),
    [
        ('cf.assert %wide, "the width is positive"', "(the width is positive (@f, lib.mlir:6:5: cf.assert))"),
        (
            '%w = cstr_require %wide, "the width is positive"',
            "(the width is positive (@f, lib.mlir:6:10: shape.cstr_require))",
        ),
        (
            "%t = shape.const_shape [4] : !shape.shape  %w = shape.cstr_eq %s, %t : !shape.shape, !shape.shape",
            "(the shapes are not equal (@f, lib.mlir:6:53: shape.cstr_eq))",
        ),
    ],
)
def test_a_check_of_a_library_is_reported_with_its_line(
    check: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Demands are "reported at the operation and name the line of the library", the author's words first."""
    monkeypatch.chdir(tmp_path)
    body = f"""  func @f(%s: !shape.shape, %n: index) -> !shape.shape {{
    %c1 = arith.constant 1 : index
    %wide = arith.cmpi sge, %n, %c1 : index
    // what is demanded of n and of s
    {check}
    return %s : !shape.shape
  }}"""
    Path("lib.mlir").write_text(library_text(body, "my.op = @f"))
    Path("f.mlir").write_text("""func.func @f(%a: tensor<?xf32>, %n: index) {
  %r = "my.op"(%a, %n) : (tensor<?xf32>, index) -> tensor<?xf32>
  return
}""")
    assert main(["check", "f.mlir", "--library", "lib.mlir", "--no-execute"]) == 1
    assert words in capsys.readouterr().out


def test_values_inside_a_function_are_not_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`any` of unequal shapes is undefined; what is needed is said of the arguments, in the program's names."""
    monkeypatch.chdir(tmp_path)
    body = """  func @either(%a: !shape.shape, %b: !shape.shape) -> !shape.shape {
    %inside = any %a, %b : !shape.shape, !shape.shape -> !shape.shape
    return %inside : !shape.shape
  }"""
    Path("lib.mlir").write_text(library_text(body, "my.op = @either"))
    Path("f.mlir").write_text("""func.func @f(%x: tensor<2x?xf32>, %y: tensor<?x3xf32>) {
  %r = "my.op"(%x, %y) : (tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  return
}""")
    assert main(["check", "f.mlir", "--library", "lib.mlir", "--no-execute"]) == 1
    checked_text = capsys.readouterr().out
    assert "holds when (x: [2, 3], y: [2, 3])" in checked_text
    assert main(["shape-of", "f.mlir", "--library", "lib.mlir"]) == 0
    assert "inside" not in checked_text + capsys.readouterr().out


@pytest.mark.parametrize(
    ("compared", "returned", "expected"),
    [
        ('meet %0, %1, error = "differ" : !shape.shape, !shape.shape -> !shape.shape', "%0", []),
        ('meet %0, %1, error = "differ" : !shape.shape, !shape.shape -> !shape.shape', "%2", ["refuted"]),
        ("cstr_eq %0, %1 : !shape.shape, !shape.shape", "%0", ["refuted"]),
    ],
)
def test_an_error_that_is_not_used_demands_nothing_and_an_assertion_does(
    compared: str, returned: str, expected: list[str], tmp_path: Path
) -> None:
    """The document: `join` is "returning an invalid shape"; "cstr operations represent runtime assertions"."""
    body = f"""  func @same(%a: !shape.value_shape, %b: !shape.value_shape) -> !shape.shape {{
    %0 = shape_of %a : !shape.value_shape -> !shape.shape
    %1 = shape_of %b : !shape.value_shape -> !shape.shape
    %2 = {compared}
    return {returned} : !shape.shape
  }}"""
    report = checked(USE, written(tmp_path, library_text(body, "my.op = @same")))
    assert [each.verdict.word for each in report.checked_obligations if each.verdict.word != "proved"] == expected
