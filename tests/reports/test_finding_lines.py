"""Findings in one line each, and the codes of clauses."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from shapesolve.diagnosis.diagnosis import diagnose
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.reports.finding_line import LONGEST_LINE, FindingLine, report_lines
from shapesolve.semantics.codes import OF_EVERY_OPERATION, clause_of, code, unused_words
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


def test_a_refutation() -> None:
    (line,) = lines(MATMUL)
    assert str(line) == "m.mlir:3:8: error: tosa.matmul needs w[1] == x[2]  [tosa-matmul-inner]"


def test_what_is_not_decided_has_its_reason() -> None:
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


def test_what_no_sizes_fulfill() -> None:
    (line,) = lines("""func.func @f() -> tensor<5xf32> {
  %c4 = arith.constant 4 : index
  %a = tensor.empty(%c4) : tensor<?xf32>
  %c = tensor.cast %a : tensor<?xf32> to tensor<5xf32>
  return %c : tensor<5xf32>
}""")
    assert line.code == "tensor-cast-extents"
    assert line.message.endswith(" for all sizes that get here")


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


def test_every_word_of_a_code_is_in_use() -> None:
    """A clause that is reworded keeps its code: its beginning has to be changed here, too."""
    assert unused_words(load_rules()) == []
