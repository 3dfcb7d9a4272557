"""Tests of facts read from JAX's entry assertions in the text that JAX printed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from shapesolve import check, facts, prune
from shapesolve.checker.entry_assertions import with_entry_assertions
from shapesolve.checker.report import Report
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.preconditions.jax_assertions import asserted_at_entries, constraint_in, constraint_text, size_text
from shapesolve.solver.verdicts import Refuted

EXAMPLE = (Path(__file__).parents[2] / "examples" / "jax_assertions.mlir").read_text()
SPECIFIED = "Input shapes do not match the polymorphic shapes specification. "


def words(text: str) -> str:
    return f'{{error_message = "{text}", has_side_effect = true}}'


def program(attributes: str = "", argument: str = "", *, least: int = 1, lower: int = 1) -> str:
    """Rows of three that are taken apart; the first assertion checks ``least`` and says ``said``."""
    form = "'n' = {1} from specification 'n' for dimension args[0].shape[0] (= {1}), "
    return f"""func.func public @main(%x: tensor<?x?xf32> {argument}) -> tensor<?x3xf32> {attributes} {{
      %least = stablehlo.constant dense<{least}> : tensor<i64>
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %three = stablehlo.constant dense<3> : tensor<i32>
      %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
      %n = stablehlo.convert %rows : (tensor<i32>) -> tensor<i64>
      %columns = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
      %enough = stablehlo.compare GE, %n, %least, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.custom_call @shape_assertion(%enough, %n, %n)
        {words(f"{SPECIFIED}Expected value >= {lower} for dimension variable 'n'. {form}")}
        : (tensor<i1>, tensor<i64>, tensor<i64>) -> ()
      %left = stablehlo.remainder %columns, %three : tensor<i32>
      %even = stablehlo.compare EQ, %left, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.custom_call @shape_assertion(%even, %left, %n)
        {words(f"{SPECIFIED}Division had remainder {{0}} when computing the value of 'm'. {form}")}
        : (tensor<i1>, tensor<i32>, tensor<i64>) -> ()
      %m = stablehlo.divide %columns, %three : tensor<i32>
      %some = stablehlo.compare GT, %m, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.custom_call @shape_assertion(%some, %m, %n, %columns)
        {
        words(
            SPECIFIED
            + "Expected value >= 1 for dimension variable 'm'. "
            + form
            + "'m' = {0} from specification '3*m' for dimension args[0].shape[1] (= {2}), "
        )
    }
        : (tensor<i1>, tensor<i32>, tensor<i64>, tensor<i32>) -> ()
      %all = stablehlo.multiply %rows, %m : tensor<i32>
      %0 = stablehlo.reshape %all : (tensor<i32>) -> tensor<1xi32>
      %1 = stablehlo.reshape %three : (tensor<i32>) -> tensor<1xi32>
      %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %3 = stablehlo.dynamic_reshape %x, %2 : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x3xf32>
      return %3 : tensor<?x3xf32>
    }}"""


def verdicts(report: Report) -> Counter[tuple[str, str]]:
    return Counter((each.obligation.op.name, each.verdict.word) for each in report.checked_obligations)


def constraints_of(text: str) -> tuple[list[tuple[str, ...]], list[str]]:
    """The names of extents, by argument, and the claims."""
    (found,) = with_entry_assertions(read_text(text), Options()).asserted.values()
    return [each.names for each in found.shapes], [each.text for each in found.assumptions]


def test_names_forms_and_constraints() -> None:
    assert constraints_of(EXAMPLE) == ([("b", "2*s", "?"), ("s",)], ["b >= 1", "s >= 1", "s >= 4"])
    assert constraints_of(program()) == ([("n", "3*m")], ["n >= 1", "m >= 1"])


@pytest.mark.parametrize("text", [EXAMPLE, program()])
def test_they_are_what_the_entry_may_be_called_with(text: str) -> None:
    report = check(text, execute=False)
    assert all(
        each.verdict.word == "proved" for each in report.checked_obligations if "custom_call" in each.obligation.op.name
    )
    (leans,) = [each for each in report.functions[0].trace.modeling_texts if "jax.export" in each]
    assert "as do the assertions at the entry of @main (--distrust)" in leans


def test_they_are_facts_of_the_file() -> None:
    assert 'x = ["n", "3*m"]' in facts(program())


def test_jax_assertions_may_be_distrusted() -> None:
    distrusted = check_program(read_text(program()), Options(distrust=True, execute=False))
    assert verdicts(distrusted)["stablehlo.custom_call", "refuted"] == 3


def test_an_assertion_that_demands_more_than_its_words_say_is_a_finding() -> None:
    report = check(program(least=5), execute=False)
    (found,) = [
        e
        for e in report.checked_obligations
        if isinstance(e.verdict, Refuted) and "custom_call" in e.obligation.op.name
    ]
    assert found.obligation.claim.text == "n >= 5"


def test_other_assertions_are_findings() -> None:
    text = program().replace("Input shapes do not match", "The shapes of the inputs do not match")
    assert not asserted_at_entries(read_text(text)).asserted
    assert verdicts(check(text, execute=False))["stablehlo.custom_call", "refuted"] == 3


def test_a_size_may_be_called_as_an_argument_is() -> None:
    text = program().replace("%x", "%m")
    text = text.replace("%m = ", "%thirds = ").replace("%m, %zero", "%thirds, %zero").replace("%m, %n", "%thirds, %n")
    report = check(text.replace("%rows, %m ", "%rows, %thirds "), execute=False)
    assert verdicts(report)["stablehlo.custom_call", "proved"] == 3


STATED = '{shapesolve.shape = "[n, 3*m]"}'


@pytest.mark.slow
@pytest.mark.parametrize(
    ("claims", "is_asserted"), [('["n >= 1", "m >= 1"]', True), ('["n >= 1", "m >= 1", "n <= 64"]', False)]
)
def test_assertions_of_jax_are_checked_on_request(claims: str, is_asserted: bool) -> None:
    attributes = f'attributes {{shapesolve.assume = {claims}, shapesolve.stated_by = "jax.export"}}'
    report = check(program(attributes, STATED), execute=False)
    (leans,) = [each for each in report.functions[0].trace.modeling_texts if "jax.export" in each]
    assert ("as do the assertions" in leans, "nothing checks" in leans) == (is_asserted, not is_asserted)


@pytest.mark.parametrize("stated_by", ["jax.export", ""])
def test_pruning_keeps_what_makes_true_what_it_believes(stated_by: str) -> None:
    lower = 'shapesolve.assume = ["n >= 1", "m >= 1"], shapesolve.stated_by = "jax.export"'
    text = program(f"attributes {{{lower}}}", STATED) if stated_by else program()
    result = prune(text)
    assert result.text.count("@shape_assertion") == 3
    assert {each.verdict for each in result.kept} == ({"stated"} if stated_by else {"refuted"})


def test_pruning_takes_out_the_same_assertion_behind_it() -> None:
    twice = program().replace(
        "%left = ",
        """stablehlo.custom_call @shape_assertion(%enough)
        {error_message = "again", has_side_effect = true} : (tensor<i1>) -> ()
      %left = """,
    )
    assert prune(twice).text.count("@shape_assertion") == 3


def test_words_that_cannot_be_read_say_nothing() -> None:
    broken = program().replace("'3*m'", "'3*floor(m)!'").replace("(= {1})", "(= {9})")
    names, claims = constraints_of(broken)
    assert (names, claims) == ([], [])
    report = check(broken, execute=False)
    assert verdicts(report)["stablehlo.custom_call", "refuted"] == 3


def test_an_inexpressible_constraint_is_noted() -> None:
    text = program().replace(
        f"{SPECIFIED}Division had remainder {{0}} when computing the value of 'm'.",
        "Input shapes do not match the symbolic shape constraint frobnicate(n) >= 3. Expected nothing",
    )
    (note,) = asserted_at_entries(read_text(text)).notes
    assert note.endswith("cannot be written with sizes of the inputs is not used: frobnicate(n) >= 3")


NOT_CHECKED = {
    "a smaller least value": (program(least=1, lower=5), "n >= 5"),
    "what is always true": (
        program().replace("@shape_assertion(%enough", "@shape_assertion(%true").replace(
            "%zero =", "%true = stablehlo.constant dense<true> : tensor<i1>\n%zero ="
        ),
        "n >= 1",
    ),
    "another form": (program().replace("'3*m'", "'6*m'"), "%x[1] == 6*m"),
    "another extent": (program().replace("compare GE, %n, %least", "compare GE, %wide, %least").replace(
        "%enough =", "%wide = stablehlo.convert %columns : (tensor<i32>) -> tensor<i64>\n%enough ="), "n >= 1"),
    "behind what may fail before": (
        program(least=1, lower=1).replace(
            "%enough =",
            """%early = stablehlo.dynamic_reshape %x, %sizes : (tensor<?x?xf32>, tensor<1xi32>) -> tensor<?xf32>
      %enough =""",
        ).replace("%n = ", "%sizes = stablehlo.reshape %rows : (tensor<i32>) -> tensor<1xi32>\n      %n = "),
        "n >= 1",
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("what", NOT_CHECKED)
def test_words_are_not_believed_where_less_is_checked(what: str) -> None:
    text, lower = NOT_CHECKED[what]
    report = check(text, execute=False)
    assert any(f"say `{lower}` and do not check it" in note for note in report.program.notes)
    leans = [each for each in report.functions[0].trace.modeling_texts if "jax.export" in each]
    assert not any(lower in each for each in leans)
    assert lower not in facts(text)


def test_claims_that_fail_by_wrapping_alone_are_believed() -> None:
    """JAX computes a constraint on a product in 32 bits, and means the product."""
    constraint = program().replace(
        "%all = ",
        f"""%product = stablehlo.multiply %rows, %m : tensor<i32>
      %large = stablehlo.constant dense<64> : tensor<i32>
      %fits = stablehlo.compare LE, %product, %large, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.custom_call @shape_assertion(%fits, %product)
        {words("Input shapes do not match the symbolic shape constraint m*n <= 64. Expected something")}
        : (tensor<i1>, tensor<i32>) -> ()
      %all = """,
    )
    assert constraints_of(constraint)[1] == ["n >= 1", "m >= 1", "m*n <= 64"]


def test_programs_keep_what_they_are() -> None:
    before = read_text(program())
    after = asserted_at_entries(before)
    assert replace(after, asserted={}).operation is before.operation and not before.asserted


@pytest.mark.parametrize(
    ("text", "size"), [("n", "n"), ("2*n + 1", "2*n + 1"), ("floordiv(n, 2)", "n//2"), ("n^2", "n*n"),
                       ("mod(n, 4)", "n % 4"), ("max(n, m)", "max(m, n)")],
)  # fmt: skip
def test_sizes_in_the_words_of_jax(text: str, size: str) -> None:
    assert size_text(text) in (size, size.replace("n*n", "n^2"), size.replace("n*n", "n**2"))


def test_constraints_in_the_words_of_jax() -> None:
    assert constraint_text("mod(n, 7) == 0") == "(n % 7) == 0"
    assert constraint_text("n^2 <= m") == "(n*n) <= m"
    assert constraint_text("nonsense(") is None


def test_a_constraint_is_read_as_it_is_checked_where_it_names_what_another_settles() -> None:
    opening = "Input shapes do not match the symbolic shape constraint "
    found = constraint_in(f"{opening}a >= c. Expected 'a - 3' to be greater or equal to 0, but found {{0}}. Using ...")
    assert found is not None
    assert found.claim({"a", "c"}) == "a >= c"
    assert found.claim({"a"}) == "(a - 3) >= 0"
    assert found.claim({"b"}) is None and found.is_expressible
    equal = constraint_in(f"{opening}a == 2*c. Expected 'a - 6' to be equal to 0, but found {{0}}. Using ...")
    assert equal is not None and equal.claim({"a"}) == "(a - 6) == 0"
    assert constraint_in(f"{SPECIFIED}Expected value >= 1 for dimension variable 'a'.") is None
