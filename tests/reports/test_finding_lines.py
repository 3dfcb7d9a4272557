"""Findings in one line each, and the codes of clauses."""

from __future__ import annotations

import io
import re
from collections import Counter

import pytest

from shapesolve.cli.ignore_comments import covers
from shapesolve.diagnosis.diagnosis import diagnose
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.reports.check_text import print_report
from shapesolve.reports.finding_line import FindingLine, report_lines
from shapesolve.reports.page import LONGEST_LINE, Page
from shapesolve.semantics.codes import CODE_WORDS, OF_EVERY_OPERATION, clause_of, code
from shapesolve.semantics.registry import load_rules

FORM = re.compile(r"[^:]+(:\d+){0,2}: (error|warning|note): \S.*  \[[a-z0-9]+(-[a-z0-9]+)*\]")


def lines(text: str) -> list[FindingLine]:
    found = report_lines(diagnose(check_program(read_text(text, "m.mlir"), Options(execute=False))))
    assert all(FORM.fullmatch(str(each)) for each in found)
    return found


MATMUL = """func.func @f(%x: tensor<1x?x?xf32>, %w: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.matmul %x, %w, %z, %z
    : (tensor<1x?x?xf32>, tensor<1x?x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x?xf32>
  return %0 : tensor<1x?x?xf32>
}"""


def test_a_refutation_is_one_line_with_place_condition_and_code() -> None:
    (line,) = lines(MATMUL)
    assert str(line) == "m.mlir:3:8: error: tosa.matmul needs w[1] == x[2]  [tosa-matmul-inner]"


def test_undecided_findings_have_their_reason() -> None:
    found = lines("""func.func @f(%x: tensor<?xf32>) {
  %u = "my.op"() : () -> tensor<?xf32>
  %0 = tosa.add %u, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %v = "my.op"() : () -> tensor<?xf32>
  return
}""")
    assert [(each.level, each.code, each.line) for each in found] == [
        ("warning", "tosa-add-broadcast", 3),
        ("warning", "unchecked", 2),
    ]
    assert "; not decided: " in found[0].message and "my.op" in found[0].message
    assert found[1].message.startswith("my.op may fail and is not checked: ")
    assert found[1].message.endswith("(also line 4)")


def test_requirement_that_no_sizes_satisfy() -> None:
    (line,) = lines("""func.func @f() -> tensor<5xf32> {
  %c4 = arith.constant 4 : index
  %a = tensor.empty(%c4) : tensor<?xf32>
  %c = tensor.cast %a : tensor<?xf32> to tensor<5xf32>
  return %c : tensor<5xf32>
}""")
    assert line.code == "tensor-cast-extents"
    assert line.message.endswith(" whenever a run gets here")


SLICE = """func.func @f(%t: tensor<3xf32>, %n: index, %c: i1) {
  BEGIN
  %x = tensor.extract_slice %t[%n] [4] [1] : tensor<3xf32> to tensor<4xf32>
  END
  return
}"""


@pytest.mark.parametrize(
    ("begin", "end", "words"),
    [("", "", "fails whenever a run gets here"), ("scf.if %c {", "}", "is not known to be safe for any sizes")],
)
def test_claims_that_contradict_each_other_are_told_by_their_messages(begin: str, end: str, words: str) -> None:
    """Each claim holds for some sizes, and no sizes fulfill both, so that no condition on sizes is needed."""
    (line,) = lines(SLICE.replace("BEGIN", begin).replace("END", end))
    messages = "the offset in dimension 0 lies outside %t; or the slice runs past %t"
    assert line.message == f"tensor.extract_slice {words}: {messages}"


def test_their_messages_stand_below_where_the_line_has_no_room_for_them() -> None:
    name = "a_name_that_leaves_less_room_than_both_messages_need"
    program = read_text(SLICE.replace("BEGIN", "").replace("END", "").replace("%t", f"%{name}"), "m.mlir")
    text = " ".join(check_program(program, Options(execute=False)).text(width=100).split())
    assert f"what the offset in dimension 0 lies outside %{name}; or the slice runs past %{name} fails at" in text
    assert "needs false" not in text


def test_a_malformed_operation_is_so_whatever_the_sizes_are() -> None:
    program = read_text("""func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "my.op"(%a, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}""")
    options = Options(execute=False, carriers=("my.op=as-operand-7",))
    (line,) = report_lines(diagnose(check_program(program, options)))
    assert line.message == "my.op: there is no operand 7; the operation has 2"


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 30, 400])
def test_no_line_is_long(count: int) -> None:
    terms = "\n".join(f"  %s{n} = arith.muli %s{n - 1}, %m : index\n" for n in range(1, count))
    found = lines(f"""func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) {{
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?xf32>
  %s0 = tensor.dim %y, %c0 : tensor<?xf32>
{terms}  %c7 = arith.constant 7 : index
  %ok = arith.cmpi ne, %s{count - 1}, %c7 : index
  cf.assert %ok, "{"much too long " * count}"
  return
}}""")
    assert found and all(len(str(each)) <= LONGEST_LINE for each in found)


@pytest.mark.parametrize("length", [10, 60, 300])
def test_a_cut_line_says_that_it_is_not_decided(length: int) -> None:
    text = """func.func private @no_body_and_a_long_name(%x: index) -> index
func.func @f(%n: index, %t: tensor<?xf32>) {
  %a = func.call @no_body_and_a_long_name(%n) : (index) -> index
  %e = tensor.extract %t[%a] : tensor<?xf32>
  return
}"""
    program = read_text(text, f"{'d' * length}/m.mlir")
    found = report_lines(diagnose(check_program(program, Options(execute=False))))
    (line,) = (each for each in found if each.code == "tensor-extract-bounds")
    assert line.message.startswith("tensor.ex") and "; not decided: " in line.message


@pytest.mark.sweep
def test_each_clause_has_a_code_of_its_own_that_leads_back() -> None:
    registry = load_rules()
    clauses = [
        (rule.op, number, words)
        for rule in registry.rules()
        for number, words in (*rule.clauses.items(), *OF_EVERY_OPERATION.items())
    ]
    assert [each for each, count in Counter(code(*clause) for clause in clauses).items() if count > 1] == []
    for op, number, words in clauses[:: len(clauses) // 40]:
        found = clause_of(code(op, number, words), registry)
        assert found is not None and (found.op, found.clause, found.words) == (op, number, words)
    assert clause_of("tosa-matmul-c99", registry) is None


def test_a_clause_that_has_a_word_is_still_covered_by_its_number() -> None:
    load_rules()
    assert code("tosa.pad", "C1", "No amount is negative.") == "tosa-pad-negative-padding"
    assert covers("tosa-pad-c1", "tosa-pad-negative-padding") and covers("tosa-pad", "tosa-pad-negative-padding")
    assert not covers("tosa-pad-c2", "tosa-pad-negative-padding")
    assert not covers("tosa-pad-c99", "tosa-pad-negative-padding")


def test_every_word_of_a_code_is_in_use() -> None:
    """A clause that is reworded keeps its code: its beginning has to be changed here, too."""
    texts = [words for rule in load_rules().rules() for words in rule.clauses.values()]
    assert [word for word in CODE_WORDS if not any(text.startswith(word) for text in texts)] == []


def several(count: int) -> str:
    arguments = ", ".join(f"%x{n}: tensor<?x?xf32>" for n in range(2 * count))
    sums = "\n".join(
        f"  %{n} = tosa.add %x{2 * n}, %x{2 * n + 1} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>"
        for n in range(count)
    )
    return f"func.func @f({arguments}) {{\n{sums}\n  return\n}}"


@pytest.mark.process
def test_five_findings_fit_a_screen() -> None:
    stream = io.StringIO()
    report = check_program(read_text(several(5), "m.mlir"), Options())
    print_report(diagnose(report), Page(stream, width=80))
    shown = stream.getvalue().splitlines()
    assert sum(": error: " in line for line in shown) == 5
    assert len(shown) <= 50 and all(len(line) <= LONGEST_LINE for line in shown)


@pytest.mark.slow
def test_more_of_one_cause_are_folded_after_three() -> None:
    branches = "\n".join(
        f"  scf.if %c{n} {{\n    %{n} = tosa.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n  }}"
        for n in range(6)
    )
    flags = ", ".join(f"%c{n}: i1" for n in range(6))
    text = f"func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>, {flags}) {{\n{branches}\n  return\n}}"
    stream = io.StringIO()
    print_report(diagnose(check_program(read_text(text, "m.mlir"), Options(execute=False))), Page(stream, width=80))
    output = stream.getvalue()
    assert output.count(": error: ") == 1 and output.count(": tosa.add is safe if ") == 1 + 3
    assert "and 2 more; --verbose shows them" in output


def test_all_that_one_operation_needs_is_one_line() -> None:
    (line,) = lines("""func.func @f(%b: memref<?xf32>, %i: index, %n: index) -> memref<?xf32, strided<[1], offset: ?>> {
  %v = memref.subview %b[%i] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  return %v : memref<?xf32, strided<[1], offset: ?>>
}""")
    assert line.message == "memref.subview needs n >= 0, i >= 0, b[0] >= i + n"


PRODUCT = """func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}"""


BROADCAST = """func.func @f(%q: tensor<?x?x4xf32>, %mask: tensor<?x?xf32>, %s: tensor<3xindex>) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %q, %c0 : tensor<?x?x4xf32>
  %d1 = tensor.dim %q, %c1 : tensor<?x?x4xf32>
  %sh = tensor.from_elements %d0, %d1, %c1 : tensor<3xindex>
  %m = stablehlo.dynamic_broadcast_in_dim %mask, %sh, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xindex>)
    -> tensor<?x?x?xf32>
  return %m : tensor<?x?x?xf32>
}"""


WHOLE = (
    ": error: stablehlo.dynamic_broadcast_in_dim needs (mask[0] == 1 or mask[0] == q[0]), "
    "(mask[1] == 1 or mask[1] == q[1])  [stablehlo-dynamic-broadcast-in-dim-broadcast]"
)


@pytest.mark.slow
@pytest.mark.parametrize("length", range(1, 200, 7))
def test_a_condition_stands_in_a_line_as_a_whole_or_below_it(length: int) -> None:
    program = read_text(BROADCAST, "p" * length)
    diagnosis = diagnose(check_program(program, Options(execute=False)))
    (line,) = report_lines(diagnosis)
    parts = ["(mask[0] == 1 or mask[0] == q[0])", "(mask[1] == 1 or mask[1] == q[1])"]
    stream = io.StringIO()
    print_report(diagnosis, Page(stream, color="never", width=300))
    if line.is_complete:
        assert line.message.endswith(f" needs {', '.join(parts)}") and not line.is_cut
    else:
        assert "mask[" not in line.message
        (below,) = (each for each in stream.getvalue().splitlines() if each.startswith("   needs "))
        assert all(each in below for each in parts)
    assert line.is_complete == (len(str(line).partition(": ")[0]) + len(WHOLE) <= LONGEST_LINE)


def test_the_empty_tensor_comes_last() -> None:
    report = check_program(read_text(PRODUCT, "m.mlir"), Options(execute=False))
    diagnosis = diagnose(report)
    (line,) = report_lines(diagnosis)
    assert line.message == "linalg.matmul needs a[1] == b[0] (unless a[0], b[1] or a[1] is 0)"
    (function,) = diagnosis.functions
    assert function.suggestions.sufficient == ("a[1] == b[0]",)
    assert check_program(read_text(PRODUCT), Options(execute=False, assumptions=("a[1] == b[0]",))).exit_code == 0


def test_sufficient_conditions_are_consistent() -> None:
    options = Options(execute=False, assumptions=("a[1] == b[0] + 1",))
    (function,) = diagnose(check_program(read_text(PRODUCT), options)).functions
    assert function.suggestions.assumptions and not function.suggestions.sufficient


BRANCHES = """func.func @sometimes(%x: memref<?x?xf32>, %n: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to {} step %c1 {{
    memref.store %z, %x[{}] : memref<?x?xf32>
  }}
  return
}}"""


@pytest.mark.parametrize(
    ("end", "place", "sentence"),
    [
        ("%n", "%i, %c0", "memref.store is safe if x[0] >= n, x[1] >= 1"),  # nothing is stored where n is 0
        ("%c1", "%c0, %c0", "memref.store needs x[0] >= 1, x[1] >= 1"),
    ],
)
def test_sufficient_conditions_are_not_called_needs(end: str, place: str, sentence: str) -> None:
    stream = io.StringIO()
    report = check_program(read_text(BRANCHES.format(end, place), "m.mlir"), Options(execute=False))
    print_report(diagnose(report), Page(stream, width=100))
    assert sentence in stream.getvalue()


def test_any_size_is_said_only_of_sizes_that_get_to_the_operation() -> None:
    text = """func.func @f(%a: tensor<?xf32>, %n: index, %k: index) {
  %c2 = arith.constant 2 : index
  scf.for %i = %c2 to %n step %c2 {
    %e = tensor.extract %a[%k] : tensor<?xf32>
  }
  return
}"""
    stream = io.StringIO()
    print_report(diagnose(check_program(read_text(text, "m.mlir"), Options(execute=False))), Page(stream, width=80))
    assert "k = -1   (for any a, and any n that reaches this line)" in stream.getvalue()  # nothing fails where n <= 2


def test_undecided_claims_of_a_branch_need_not_hold_elsewhere() -> None:
    text = """func.func private @unknown(index) -> index
func.func @f(%a: tensor<?xf32>, %p: i1, %n: index) {
  %k = func.call @unknown(%n) : (index) -> index
  scf.if %p {
    %e = tensor.extract %a[%k] : tensor<?xf32>
  }
  return
}"""
    stream = io.StringIO()
    print_report(diagnose(check_program(read_text(text, "m.mlir"), Options(execute=False))), Page(stream, width=80))
    assert "tensor.extract is safe if 0 <= %k < a[0]; not decided" in stream.getvalue()


def printed(text: str) -> str:
    stream = io.StringIO()
    print_report(diagnose(check_program(read_text(text, "m.mlir"), Options(execute=False))), Page(stream, width=80))
    return stream.getvalue()


def test_a_condition_is_stated_once_with_sizes_for_each_part_of_it() -> None:
    out = printed("""func.func @window(%t: tensor<?xf32>, %n: index) -> tensor<?xf32> {
      %c0 = arith.constant 0 : index
      %d = tensor.dim %t, %c0 : tensor<?xf32>
      %last = arith.subi %d, %n : index
      %s = tensor.extract_slice %t[%last] [%n] [1] : tensor<?xf32> to tensor<?xf32>
      return %s : tensor<?xf32>
    }""")
    assert "tensor.extract_slice needs 0 <= n <= t[0]  [" in out
    assert "fails at   n = -1" in out and "and at     t: 2, n = 3" in out


def test_an_exception_for_empty_tensors_may_name_an_extent_of_the_condition() -> None:
    out = printed("""func.func @project(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %b = tensor.dim %x, %c0 : tensor<?x?xf32>
      %h = tensor.dim %x, %c1 : tensor<?x?xf32>
      %e = tensor.empty(%b, %h) : tensor<?x?xf32>
      %y = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
      return %y : tensor<?x?xf32>
    }""")
    assert "needs w[0] == x[1], w[1] == x[1] (unless x[0], w[1] or x[1] is 0)  [" in out
    assert "check with --assume 'w[0] == x[1]' --assume 'w[1] == x[1]'\n" in out


def test_only_restricted_sizes_get_here() -> None:
    out = printed("""func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>, %p: index, %q: index) {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %x, %c0 : tensor<?xf32>
      %m = tensor.dim %y, %c0 : tensor<?xf32>
      %b = arith.cmpi sgt, %p, %c0 : index
      scf.if %b {
        %e = arith.cmpi eq, %n, %m : index
        cf.assert %e, "same"
      }
      return
    }""")
    assert "(also x: 1; for any q, and any p that reaches this line)" in " ".join(out.split())


def test_of_many_arguments_the_size_that_differs_is_shown() -> None:
    arguments = ", ".join(f"%a{n}: tensor<?xf32>" for n in range(12))
    shapes = "\n".join(f"  %s{n} = shape.shape_of %a{n} : tensor<?xf32> -> tensor<1xindex>" for n in range(12))
    operands, types = ", ".join(f"%s{n}" for n in range(12)), ", ".join(["tensor<1xindex>"] * 12)
    check = f"  %w = shape.cstr_broadcastable {operands} : {types}"
    stream = io.StringIO()
    program = read_text(f"func.func @f({arguments}) {{\n{shapes}\n{check}\n  return\n}}", "m.mlir")
    print_report(diagnose(check_program(program, Options(execute=False))), Page(stream, width=100))
    (fails,) = (line for line in stream.getvalue().splitlines() if "fails at" in line)
    assert ": 3" in fails and fails.count(": 2") == 7 and "and 4 more" in fails


CUBES = """func.func @cubes(%a: index, %b: index, %c: index) {
  %c1 = arith.constant 1 : index
  %pa = arith.maxsi %a, %c1 : index
  %pb = arith.maxsi %b, %c1 : index
  %a2 = arith.muli %pa, %pa : index
  %a3 = arith.muli %a2, %pa : index
  %b2 = arith.muli %pb, %pb : index
  %b3 = arith.muli %b2, %pb : index
  %s = arith.addi %a3, %b3 : index
  %c2 = arith.muli %c, %c : index
  %c3 = arith.muli %c2, %c : index
  %ne = arith.cmpi ne, %s, %c3 : index
  cf.assert %ne, "the sum of two cubes of positive integers is no cube"
  return
}"""


def test_reason_that_does_not_fit_is_stated_as_its_kind_and_whole_below() -> None:
    report = check_program(read_text(CUBES, "m.mlir"), Options(execute=False, budget=20_000))
    (line,) = report_lines(diagnose(report))
    assert line.message.endswith("; not decided: it is not linear, and the budget was spent")
    assert len(str(line)) <= LONGEST_LINE
    stream = io.StringIO()
    print_report(diagnose(report), Page(stream, width=100))
    assert "   because    it is not linear, and the budget of 20,000 steps was spent\n" in stream.getvalue()


def test_four_sizes_of_an_empty_tensor_are_all_named() -> None:
    (line,) = lines("""func.func @f(%x: tensor<?x?x?x3xf32>, %k: tensor<5x5x3x?xf32>, %o: tensor<?x?x?x?xf32>) {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %k : tensor<?x?x?x3xf32>, tensor<5x5x3x?xf32>)
    outs(%o : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  return
}""")
    assert line.message.endswith("(unless x[0], o[1], o[2] or k[3] is 0)")
