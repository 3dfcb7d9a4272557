"""Causes, pages and words: the parts of the report for people."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest

from shapesolve.checker.report import FunctionReport, Report
from shapesolve.deadline import Deadline
from shapesolve.diagnosis.diagnosis import diagnose
from shapesolve.diagnosis.findings import findings
from shapesolve.domain.values import Size, Tensor, UnknownValue, Witness
from shapesolve.ir.program import Location, OpaqueType, ScalarType, ShapedType
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.reports.check_json import function_object
from shapesolve.reports.check_text import print_report
from shapesolve.reports.page import Page, SourceLines, visible
from shapesolve.reports.phrases import domain_words, shortened
from shapesolve.reports.sarif import sarif_document
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, Unreachable
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import of_atom, variable
from shapesolve.symbolic.formulas import at_least, compatible
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.symbolic.shapes import unranked
from shapesolve.trace.concretization import value_at

QUIET = Options(execute=False)
ADD = "tosa.add %{}, %{} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>"


def checked(text: str) -> Report:
    return check_program(read_text(text, "m.mlir"), QUIET)


def function(text: str) -> FunctionReport:
    return checked(text).functions[0]


def printed(report: Report, **how: bool) -> str:
    stream = io.StringIO()
    print_report(diagnose(report), Page(stream, width=100), **how)
    return stream.getvalue()


# Causes --------------------------------------------------------------------------------------------------------------


def test_one_operation_with_several_failing_claims_is_one_cause() -> None:
    found = findings(
        function("""
func.func @f(%x: tensor<?x?x?xf32>, %y: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = tensor.concat dim(0) %x, %y : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}""")
    )
    (cause,) = found
    assert len(cause.checked_obligations) == 2
    assert isinstance(cause.verdict, Refuted)


@pytest.mark.slow
def test_an_unknown_operation_is_one_cause_for_all_that_lean_on_it() -> None:
    uses = "\n".join("  " + f"%r{number} = " + ADD.format("u", f"x{number}") for number in range(20))
    arguments = ", ".join(f"%x{number}: tensor<?xf32>" for number in range(20))
    report = function(f"""
func.func @f({arguments}) {{
  %u = "my.op"() : () -> tensor<?xf32>
{uses}
  return
}}""")
    (cause,) = findings(report)
    assert isinstance(cause.verdict, Undecided)
    assert len(cause.checked_obligations) == 20


def test_the_order_is_refuted_undecided_unreachable_then_by_place() -> None:
    report = function(f"""
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>, %d: tensor<?xf32>, %n: index) {{
  %zero = arith.constant 0 : index
  %never = arith.cmpi slt, %zero, %zero : index
  %big = arith.cmpi sgt, %n, %zero : index
  %small = arith.cmpi slt, %n, %zero : index
  scf.if %big {{
    scf.if %small {{
      %1 = {ADD.format("b", "c")}
    }}
  }}
  %2 = {ADD.format("a", "b")}
  %3 = {ADD.format("a", "c")}
  %u = "my.op"() : () -> tensor<?xf32>
  %0 = {ADD.format("u", "d")}
  return
}}""")
    found = findings(report)
    assert [type(each.verdict) for each in found] == [Refuted, Refuted, Undecided, Unreachable]
    assert found[0].first.obligation.location.line < found[1].first.obligation.location.line
    everything = [each for cause in found for each in cause.checked_obligations]
    unproved = [each for each in report.checked_obligations if not isinstance(each.verdict, Proved)]
    assert sorted(map(id, everything)) == sorted(map(id, unproved))


# The report ----------------------------------------------------------------------------------------------------------


def test_a_function_that_is_never_reached_is_shouted_about() -> None:
    text = printed(
        checked(
            "func.func @f(%x: tensor<?xf32>) attributes "
            '{shapesolve.assume = ["x[0] >= 3", "x[0] <= 2"]} {\n  %0 = ' + ADD.format("x", "x") + "\n  return\n}"
        )
    )
    assert "NOTHING WAS CHECKED" in text
    assert "x[0] >= 3" in text
    assert text.splitlines()[-1].endswith("UNREACHABLE, so nothing is proved of: @f")


FOUR_AS_FIVE = """func.func @wrong() -> tensor<5xf32> {
  %c4 = arith.constant 4 : index
  %a = tensor.empty(%c4) : tensor<?xf32>
  BEFORE
  %c = tensor.cast %a : tensor<?xf32> to tensor<5xf32>
  return %c : tensor<5xf32>
}"""


def test_unreachable_claims_behind_a_certain_failure_are_counted() -> None:
    behind = "  return %c"
    text = FOUR_AS_FIVE.replace("BEFORE", "").replace(
        behind, "  %d = " + ADD.format("c", "c").replace("?", "5") + f"\n{behind}"
    )
    report = checked(text)
    (result,) = report.functions
    never = [each for each in result.checked_obligations if each.verdict.word == "unreachable"]
    assert never
    short, long = printed(report), printed(report, verbose=True)
    assert "never reached" not in short and f"behind it  {len(never)} check" in short
    assert "never reached" in long and "behind it" not in long


def test_a_function_of_which_every_call_fails_is_shouted_about() -> None:
    report = checked(FOUR_AS_FIVE.replace("BEFORE", ""))
    text = printed(report)
    assert text.index("EVERY CALL FAILS: none of the sizes that are allowed gets past line 5:") < text.index(
        ": error: "
    )
    assert text.rstrip().endswith("; EVERY CALL FAILS of: @wrong")
    diagnosis = diagnose(report)
    (result,) = diagnosis.functions
    failing = function_object(result)["fails_for_all_sizes"]
    assert failing == "wrong/tensor.cast.1/C2"
    sarif: Any = sarif_document([diagnosis])
    assert sarif["runs"][0]["results"][0]["message"]["text"].startswith("Every call fails")


def test_every_call_fails_in_a_callee_and_the_call_is_named() -> None:
    text = """func.func private @of_length(%t: tensor<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %k = arith.cmpi eq, %d, %n : index
  cf.assert %k, "n long"
  return
}
func.func @f(%t: tensor<?xf32>) {
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  func.call @of_length(%t, %c4) : (tensor<?xf32>, index) -> ()
  func.call @of_length(%t, %c5) : (tensor<?xf32>, index) -> ()
  return
}"""
    words = " ".join(printed(checked(text)).split())
    assert (
        "EVERY CALL FAILS: none of the sizes that are allowed gets past line 5, where line 12 calls @of_length:"
        in words
    )


@pytest.mark.parametrize("before", ['"unknown.op"() : () -> ()', "func.call @unknown() : () -> ()"])
def test_not_every_call_fails_where_the_program_may_end_before(before: str) -> None:
    report = checked(FOUR_AS_FIVE.replace("BEFORE", before) + "\nfunc.func private @unknown()")
    assert all(each.fails_for_all is None for each in report.functions)
    assert "EVERY CALL" not in printed(report)


def test_not_every_call_fails_where_something_decides_whether_it_runs() -> None:
    text = """func.func @f(%p: i1) {
      scf.if %p {
        %false = arith.constant false
        cf.assert %false, "never true"
      }
      return
    }"""
    report = checked(text)
    assert "whenever a run gets here" in " ".join(printed(report).split())
    assert all(each.fails_for_all is None for each in report.functions)


def test_a_function_not_reached_in_time_is_one_sentence() -> None:
    program = read_text(
        f"func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) {{\n  %1 = {ADD.format('a', 'b')}\n  return\n}}"
    )
    report = check_program(program, Options(execute=False, deadline=Deadline.after(-1)))
    text = printed(report)
    assert (
        "the time limit of the command was reached before this function was looked at: 2 checks of sizes"
        in " ".join(text.split())
    )
    assert "not decided" not in text
    assert printed(report, verbose=True).count("not decided") == 2
    assert report.exit_code == 3


def test_sizes_of_every_kind_of_argument() -> None:
    report = checked("""
func.func @f(%x: tensor<?x4xf32>, %n: index, %c: i1, %s: !shape.shape, %t: tensor<2xi64>, %u: f32, %m: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x4xf32>
  %same = arith.cmpi eq, %d, %n : index
  cf.assert %same, "m"
  return
}""")
    assert "fails at   x: 2x4, n = 0   (also x: 1x4; for any c, s, t and m)" in printed(report)
    text = printed(report, verbose=True)
    assert re.search(
        r"fails at x: 2x4, n = \d+, c = (true|false), s = \[.*\], t: 2 = \[.*\],? ", " ".join(text.split())
    )
    assert "u: any f32" in text


def test_functions_of_a_file_are_reported_apart() -> None:
    one = "func.func @{}(%x: tensor<?xf32>, %y: tensor<?xf32>) {{\n  %0 = " + ADD.format("x", "y") + "\n  return\n}}\n"
    text = printed(checked(one.format("first") + one.format("second")))
    assert text.count(" --assume 'compatible(x[0], y[0])'\n") == 2
    assert text.index("@first") < text.index("@second")
    assert text.endswith("m.mlir: 2 checks of sizes: 0 proved, 2 refuted\n")


# Words ---------------------------------------------------------------------------------------------------------------

F32 = ScalarType("float", 32, "f32")
N = variable("N")
n = next(iter(N.variables))
U = unranked("u")
(u,) = U.variables


@pytest.mark.parametrize(
    ("type", "value", "shown"),
    [
        (ShapedType("tensor", (None, 2), F32), Tensor(RankedShape.of([N, 2])), "tensor<3x2xf32>"),
        (ShapedType("memref", None, F32), Tensor(U), "memref<4x5xf32>"),
        (ShapedType("tensor", (2,), ScalarType("index", 64, "index")), Tensor(RankedShape.of([2]), (N, N * N)),
         "tensor<2xindex> = [3, 9]"),
        (ScalarType("index", 64, "index"), N * 2 + 1, "7"),
        (ScalarType("integer", 1, "i1"), at_least(N, 4), "false"),
        (OpaqueType("!shape.shape"), RankedShape.of([N]), "[3]"),
        (OpaqueType("!shape.shape"), RankedShape.of([N], compatible((N, 2))), "an invalid shape"),
        (OpaqueType("!shape.size"), Size(N), "3"),
        (OpaqueType("!shape.size"), Size(N, at_least(N, 4)), "invalid"),
        (OpaqueType("!shape.witness"), Witness(at_least(N, 3)), "passing"),
        (F32, UnknownValue(), None),
        (ScalarType("index", 64, "index"), of_atom(Variable.of("other")), None),
    ],
)  # fmt: skip
def test_values_at_sizes(type: ShapedType | ScalarType | OpaqueType, value: Tensor, shown: str | None) -> None:
    assert value_at(type, value, {n: 3, u: (4, 5)}) == shown


def test_a_domain_of_sizes_is_printed_in_words() -> None:
    assert domain_words(0) == "every `?` is any size from 0 to 2^63-1"
    assert domain_words(2) == "every `?` is any size from 2 to 2^63-1"
    assert domain_words(1, 2**31 - 1) == "every `?` is any size from 1 to 2^31-1"
    assert domain_words(1, 4096) == "every `?` is any size from 1 to 4096"
    assert domain_words(1, 7) == "every `?` is any size from 1 to 7"


def test_a_long_text_is_shortened_in_its_middle() -> None:
    assert shortened("abc", 3) == "abc"
    assert shortened("a" * 50 + "b" * 50, 25) == "a" * 10 + " ... " + "b" * 10


def test_a_narrower_domain_is_printed_per_function() -> None:
    report = check_program(
        read_text((Path(__file__).parents[2] / "examples" / "jax_assertions.mlir").read_text()), QUIET
    )
    assert "every `?` is any size from 0 to 2^31-1" in printed(report)


# Pages ---------------------------------------------------------------------------------------------------------------


def page(width: int = 60) -> tuple[Page, io.StringIO]:
    stream = io.StringIO()
    return Page(stream, width=width), stream


def test_fields_are_wrapped_beside_their_label() -> None:
    there, stream = page(40)
    there.field("because", "one two three four five six seven eight nine ten")
    lines = stream.getvalue().splitlines()
    assert lines[0].startswith("   because    one")
    assert all(line.startswith(" " * 14) for line in lines[1:])
    assert all(len(line) <= 40 for line in lines)
    assert " ".join(stream.getvalue().split()) == "because one two three four five six seven eight nine ten"


def test_an_empty_field_and_a_long_label() -> None:
    there, stream = page()
    there.field("label", "")
    there.field("a very long label", "text")
    assert stream.getvalue() == "   label\n   a very long label text\n"


def test_control_characters_are_not_printed() -> None:
    assert visible("a\x1b[31m\x07b\u202ec") == "a\ufffd[31m\ufffdb\ufffdc"
    there, stream = page()
    there.line("\x1b]0;title\x07")
    assert "\x1b" not in stream.getvalue()


@pytest.mark.parametrize("column", [1, 5, 40, 150, 199, 200])
def test_the_caret_stands_under_its_column(column: int) -> None:
    line = "".join(chr(ord("a") + number % 26) for number in range(200))
    program = read_text(f"// {line}\nfunc.func @f() {{\n  return\n}}", "m.mlir")
    found = SourceLines(program).excerpt(Location("m.mlir", 1, column + 3), 60)
    assert found is not None
    shown, caret = found
    assert len(shown) <= 60
    assert shown[caret.index("^")] == line[column - 1]


def test_no_excerpt_of_another_file_or_beyond_the_end() -> None:
    source = SourceLines(read_text("func.func @f() {\n  return\n}\n", "m.mlir"))
    assert source.count == 3
    assert source.excerpt(Location("model.py", 1, 1), 60) is None
    assert source.excerpt(Location("m.mlir", 9, 1), 60) is None
    assert source.excerpt(Location("m.mlir", 0, 0), 60) is None
    assert source.excerpt(Location("m.mlir", 2, 3), 60) == ("return", "^")
    assert source.excerpt(Location("m.mlir", 2, 99), 60) == ("return", "      ^")


BEHIND_DATA = """func.func @f(%x: tensor<?xf32>, %i: tensor<?xi64>) -> f32 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %p = tensor.extract %i[%c0] : tensor<?xi64>
  %q = arith.index_cast %p : i64 to index
  %e = tensor.extract %x[%q] : tensor<?xf32>
  %t = tensor.empty() : tensor<2xf32>
  %r = tensor.extract %t[NUMBER] : tensor<2xf32>
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  return %r : f32
}"""


def test_every_call_fails_behind_a_demand_on_data() -> None:
    report = checked(BEHIND_DATA.replace("NUMBER", "%c3"))
    text = printed(report)
    assert text.index("EVERY CALL FAILS: none of the sizes that are allowed gets past line 8:") < text.index("m.mlir:")
    assert text.rstrip().endswith("; EVERY CALL FAILS of: @f")
    for number in ("%c0", "%q"):
        assert "EVERY CALL" not in printed(checked(BEHIND_DATA.replace("NUMBER", number)))
