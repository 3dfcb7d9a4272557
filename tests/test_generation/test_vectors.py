"""Vectors of sizes, compared with what plain Python says of each program at all small sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path

import pytest

import shapesolve
from shapesolve.cli.main import main
from shapesolve.test_generation.vectors import Expected, FunctionSizes

Named = Mapping[str, int]
Run = Callable[[Named], tuple[set[str], int | None]]
"""The branches that a call takes, as ``line:then`` and ``line:else``, and the line that fails."""

BRANCHES = """\
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.dim %b, %c0 : tensor<?xf32>
  %ok = arith.cmpi eq, %d, %e : index
  cf.assert %ok, "same"
  %p = arith.cmpi sgt, %d, %c4 : index
  %r = scf.if %p -> index {
    %h = arith.divui %d, %n : index
    scf.yield %h : index
  } else {
    scf.yield %c4 : index
  }
  return %r : index
}
"""


def run_branches(sizes: Named) -> tuple[set[str], int | None]:
    a, b, n = sizes["a[0]"], sizes["b[0]"], sizes["n"]
    if a != b:
        return set(), 7
    if a > 4:
        return {"9:the branch is taken"}, 10 if n == 0 else None
    return {"9:the branch is not taken"}, None


LOOP = """\
func.func @f(%a: tensor<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %q = arith.cmpi sgt, %i, %d : index
    scf.if %q {
      %r = arith.remui %d, %c3 : index
      %ok = arith.cmpi eq, %r, %c1 : index
      cf.assert %ok, "one more than threes"
    }
  }
  return
}
"""


def run_loop(sizes: Named) -> tuple[set[str], int | None]:
    a, n = sizes["a[0]"], sizes["n"]
    taken = {"6:the loop runs" if n > 0 else "6:the loop does not run"}
    for i in range(n):
        if i > a:
            if a % 3 != 1:
                return taken | {"8:the branch is taken"}, 11
            taken.add("8:the branch is taken")
    if n and "8:the branch is taken" not in taken:
        taken.add("8:the branch is not taken")
    return taken, None


BROADCAST = """\
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


def run_broadcast(sizes: Named) -> tuple[set[str], int | None]:
    a, b = sizes["a[0]"], sizes["b[0]"]
    return set(), None if a == b or 1 in (a, b) else 2


DEAD = """\
func.func @f(%n: index) -> index {
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %r = arith.remui %n, %c2 : index
  %p = arith.cmpi ugt, %r, %c5 : index
  %x = scf.if %p -> index {
    scf.yield %c2 : index
  } else {
    scf.yield %c5 : index
  }
  return %x : index
}
"""
PROGRAMS: dict[str, tuple[str, Run, tuple[str, ...]]] = {
    "branches": (BRANCHES, run_branches, ("a[0]", "b[0]", "n")),
    "loop": (LOOP, run_loop, ("a[0]", "n")),
    "broadcast": (BROADCAST, run_broadcast, ("a[0]", "b[0]")),
}


def sizes_of(text: str, *, execute: bool = False) -> FunctionSizes:
    (function,) = shapesolve.sizes(text, execute=execute).functions
    return function


def named(function: FunctionSizes, number: int) -> dict[str, int]:
    return {each.text: size for each, size in function.vectors[number].sizes.items() if isinstance(size, int)}


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_each_vector_does_what_is_claimed(name: str) -> None:
    text, run, _ = PROGRAMS[name]
    function = sizes_of(text)
    assert function.vectors and not function.open
    for number, vector in enumerate(function.vectors):
        taken, failing = run(named(function, number))
        assert (vector.expected is Expected.FAILS) == (failing is not None)
        if failing is not None:
            assert vector.failing is not None
            assert vector.failing.obligation.location.line == failing
        claimed = {f"{each.location.line}:{each.text}" for each in vector.covers if each.kind == "branch"}
        assert claimed <= taken
        for each in vector.covers:
            if each.kind == "guard" and each.text.endswith(" fails"):
                assert each.location.line == failing
            elif each.kind == "guard":
                assert failing is None or failing != each.location.line


@pytest.mark.parametrize("name", PROGRAMS)
def test_all_that_small_sizes_reach_is_covered(name: str) -> None:
    text, run, names = PROGRAMS[name]
    function = sizes_of(text)
    reached: set[str | int | None] = set()
    for sizes in product(range(7), repeat=len(names)):
        taken, failing = run(dict(zip(names, sizes, strict=True)))
        reached |= taken | {failing}
    covered: set[str | int | None] = set()
    for number, _ in enumerate(function.vectors):
        taken, failing = run(named(function, number))
        covered |= taken | {failing}
    assert covered == reached


@pytest.mark.slow
def test_borders_are_one_apart() -> None:
    """The branch at ``a > 4`` is tried at 5 and at 4, a broadcast at equal sizes and at each 1."""
    function = sizes_of(BRANCHES)
    assert {4, 5} <= {named(function, number)["a[0]"] for number, _ in enumerate(function.vectors)}
    function = sizes_of(BROADCAST)
    pairs = [tuple(named(function, number).values()) for number, _ in enumerate(function.vectors)]
    assert any(a == b and a > 1 for a, b in pairs)
    assert any(a == 1 != b for a, b in pairs)
    assert any(b == 1 != a for a, b in pairs)


def test_a_branch_without_sizes_is_proved_dead() -> None:
    function = sizes_of(DEAD)
    assert [(each.location.line, each.text) for each in function.impossible if each.kind == "branch"] == [
        (6, "the branch is taken")
    ]


@pytest.mark.process
def test_an_execution_agrees() -> None:
    function = sizes_of(BRANCHES, execute=True)
    assert not any(each.disagrees for each in function.vectors)
    assert {each.executed for each in function.vectors} >= {"returns", "fails: same"}


def test_declared_sizes_are_kept_and_bounds_are_tried(tmp_path: Path) -> None:
    (function,) = shapesolve.sizes(BROADCAST, assume=["b[0] == 2*a[0]", "a[0] <= 9"], execute=False).functions
    for number, _ in enumerate(function.vectors):
        sizes = named(function, number)
        assert sizes["b[0]"] == 2 * sizes["a[0]"] <= 18
    assert 9 in {named(function, number)["a[0]"] for number, _ in enumerate(function.vectors)}


def test_unknown_ranks_have_vectors() -> None:
    text = """\
func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>) {
  %x = shape.shape_of %a : tensor<*xf32> -> !shape.shape
  %y = shape.shape_of %b : tensor<*xf32> -> !shape.shape
  %w = shape.cstr_broadcastable %x, %y : !shape.shape, !shape.shape
  return
}
"""
    expected = {each.expected for each in sizes_of(text).vectors}
    assert expected == {Expected.RETURNS, Expected.FAILS}


def test_the_test_that_is_written_has_the_expected_results(tmp_path: Path) -> None:
    file, out = tmp_path / "f.mlir", tmp_path / "sizes_file.py"
    file.write_text(BROADCAST, encoding="utf-8")
    assert main(["sizes", str(file), "--pytest", "-o", str(out), "--no-execute"]) == 0
    space: dict[str, pytest.MarkDecorator] = {}
    exec(out.read_text(encoding="utf-8"), space)
    names, parameters = space["f_at_sizes"].args
    assert names == ("a", "b", "fails")
    for each in parameters:
        a, b, fails = each.values
        assert fails == (a != b and (1,) not in (a, b))


def test_what_an_operation_and_the_contract_need_is_told_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "f.mlir"
    file.write_text(BROADCAST, encoding="utf-8")
    contract, operation = "the contract's condition holds: a[0] == 1", "[tosa-add-broadcast] does not fail: a[0] == 1"
    for options, counts in (((), (1, 0)), (("--verbose",), (1, 1))):
        assert main(["sizes", str(file), "--no-execute", *options]) == 0
        out = " ".join(capsys.readouterr().out.split())
        assert (out.count(contract), out.count(operation)) == counts


@pytest.mark.process
def test_text_names_line_and_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "f.mlir"
    file.write_text(BRANCHES, encoding="utf-8")
    assert main(["sizes", str(file)]) == 0
    output = " ".join(capsys.readouterr().out.split())
    assert "expected fails at line 7: cf.assert [cf-assert-condition]" in output
    assert "run fails: same" in output
    assert "line 9: the branch is taken: a[0] >= 5" in output
