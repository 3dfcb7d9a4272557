"""Bounds that are stated of all elements of an integer tensor, compared with runs over all small contents."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shapesolve.api import check, prune
from shapesolve.errors import InputError
from shapesolve.execution.execution import arguments
from shapesolve.execution.protocol import TensorInput
from shapesolve.solver.verdicts import Proved, Refuted, Undecided

READ = """func.func @f(%ids: TYPE, %t: tensor<?xf32>, %i: index) -> f32 {
  %e = tensor.extract %ids[%i] : TYPE
  %k = arith.index_cast %e : i64 to index
  %v = tensor.extract %t[%k] : tensor<?xf32>
  return %v : f32
}
"""
LONG, SHORT = READ.replace("TYPE", "tensor<?xi64>"), READ.replace("TYPE", "tensor<2xi64>")
INSIDE = "0 <= ids.values < t[0]"


def verdicts(text: str, *assume: str) -> list[type]:
    """Return the kinds of the verdicts on the accesses of a program in which the first index is in range."""
    report = check(text, assume=["0 <= i < ids[0]", *assume], execute=False)
    return [type(each.verdict) for each in report.functions[0].checked_obligations]


@pytest.mark.parametrize("text", [LONG, SHORT])
@pytest.mark.parametrize("spelled", [INSIDE, "%ids.values >= 0 and t[0] > %ids.values", "0 <= arg0.values < arg1[0]"])
def test_an_element_lies_within_the_bounds_of_all(text: str, spelled: str) -> None:
    assert set(verdicts(text, spelled)) == {Proved}


def test_bounds_may_be_stated_one_by_one_and_the_closest_count() -> None:
    assert set(verdicts(LONG, "ids.values >= 0", "ids.values <= 10", "ids.values < t[0]")) == {Proved}
    assert set(verdicts(LONG, "ids.values == 3", "t[0] >= 4")) == {Proved}


def test_wider_bounds_prove_nothing() -> None:
    assert verdicts(LONG, "0 <= ids.values <= t[0]")[-1] is Undecided
    assert verdicts(SHORT, "0 <= ids.values <= t[0]")[-1] is Refuted


def test_a_tensor_between_whose_bounds_there_is_nothing_is_empty() -> None:
    text = """func.func @f(%ids: tensor<?xi64>, %t: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %ids, %c0 : tensor<?xi64>
  %m = tensor.dim %t, %c0 : tensor<?xf32>
  %none = arith.cmpi eq, %n, %c0 : index
  %rows = arith.cmpi ugt, %m, %c0 : index
  %ok = arith.ori %none, %rows : i1
  cf.assert %ok, "rows for ids"
  return
}
"""
    assert not prune(text).removed
    assert prune(text, assume=INSIDE).removed


def test_pruning_writes_down_what_its_output_is_proved_with() -> None:
    guarded = LONG.replace(
        "  %v =",
        """  %c0 = arith.constant 0 : index
  %rows = tensor.dim %t, %c0 : tensor<?xf32>
  %inside = arith.cmpi ult, %k, %rows : index
  cf.assert %inside, "row"
  %v =""",
    )
    inside = "0 <= i < ids[0]"
    assert not prune(guarded, assume=inside).removed
    result = prune(guarded, assume=[inside, INSIDE])
    assert [each.op for each in result.removed] == ["cf.assert"]
    assert f'"{INSIDE}"' in result.text
    assert verdicts(result.text)[-1] is Proved


@pytest.mark.parametrize(
    "type, text, message",
    [
        ("tensor<?xi64>", "ids.values % 2 == 0", "only bounds can be assumed, such as `0 <= ids.values < n`"),
        ("tensor<?xi64>", "2*ids.values <= t[0]", "only bounds can be assumed"),
        ("tensor<?xi64>", "ids.values >= 0 or t[0] == 0", "only bounds can be assumed"),
        ("tensor<?xi64>", "idz.values >= 0", "`idz.values` is not known"),
        ("tensor<?xf32>", "ids.values >= 0", "`ids.values` is not known"),
        ("tensor<?xindex>", "ids.values >= 0", "use one, such as `ids.values[0]`"),
    ],
)
def test_what_cannot_be_stated_of_all_elements_is_refused(type: str, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message.replace("[", r"\[").replace("*", r"\*")):
        check(f"func.func @f(%ids: {type}, %t: tensor<?xf32>) {{\n  return\n}}\n", assume=text, execute=False)


def test_a_report_names_the_option_and_the_option_decides() -> None:
    printed = check(LONG, assume="0 <= i < ids[0]", execute=False).text()
    assert f"if callers guarantee it: --assume '{INSIDE}'" in " ".join(printed.split())
    assert check(LONG, assume=["0 <= i < ids[0]", INSIDE], execute=False).refuted == ()


@given(
    low=st.integers(-2, 2),
    high=st.integers(-2, 3),
    rows=st.integers(0, 3),
    length=st.integers(0, 2),
    offset=st.integers(-1, 1),
)
def test_nothing_is_proved_that_some_contents_within_the_bounds_break(
    low: int, high: int, rows: int, length: int, offset: int
) -> None:
    """Every tensor of that length whose elements lie within the bounds is tried."""
    stated = [f"{low} <= ids.values", f"ids.values <= t[0] + {high}", f"t[0] == {rows}", f"ids[0] == {length}"]
    shifted = LONG.replace(
        "  %v =", f"  %d = arith.constant {offset} : index\n  %w = arith.addi %k, %d : index\n  %v ="
    )
    found = verdicts(shifted.replace("%t[%k]", "%t[%w]"), *stated)
    contents = list(product(range(low, rows + high + 1), repeat=length))
    breaks = any(not 0 <= each + offset < rows for values in contents for each in values)
    assert (found[-1] is Proved) <= (not breaks)
    if length and contents and not breaks:
        assert found[-1] is Proved


@pytest.mark.parametrize(
    "low, high, expected", [(5, 6, (6, 5, 5)), (-1, 2**40, (0, 0, 0)), (2**40, 2**41, (2**40,) * 3)]
)
def test_a_run_gets_contents_within_the_bounds(low: int, high: int, expected: tuple[int, ...]) -> None:
    report = check(LONG, assume=["ids[0] == 3", "t[0] == 0", f"{low} <= ids.values <= {high}"], execute=False)
    trace = report.functions[0].trace
    sizes = {each: 3 if each.name == "ids[0]" else 0 for each in trace.input_variables}
    given = arguments(trace, sizes)
    assert not isinstance(given, str)
    (ids, *_) = given
    assert isinstance(ids, TensorInput)
    assert ids.values == expected


def test_a_name_is_of_the_argument_that_bears_it_before_the_one_at_that_position() -> None:
    with pytest.raises(InputError, match=r"`arg1\.values` is not known"):
        check(
            "func.func @f(%arg1: tensor<?xf32>, %ids: tensor<?xi64>) {\n  return\n}\n",
            assume="arg1.values >= 0",
            execute=False,
        )
