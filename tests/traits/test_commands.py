"""`shapesolve verify` and `shapesolve theorems` as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import shapesolve
from shapesolve.cli.main import main

PAGES = Path(__file__).parent / "pages"

MIXED = """\
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<3xf32>, %d: tensor<0xf32>) {
  %0 = "test.broadcastable"(%a, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<4xf32>
  %1 = tosa.add %c, %a : (tensor<3xf32>, tensor<?xf32>) -> tensor<2xf32>
  %2 = "test.broadcastable"(%d, %a) : (tensor<0xf32>, tensor<?xf32>) -> tensor<?xf32>
  %3 = "my.op"(%a, %a) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}
"""


@pytest.fixture
def mixed(tmp_path: Path) -> str:
    path = tmp_path / "mixed.mlir"
    path.write_text(MIXED)
    return str(path)


def test_verify_says_clause_condition_and_sizes(mixed: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", mixed]) == 1
    out = capsys.readouterr().out
    assert f"{mixed}:2:8: warning: test.broadcastable is accepted, but undefined at run time for some sizes\n" in out
    assert f"{mixed}:3:8: error: tosa.add is rejected (C8): " in out
    assert "3 is inferred, extent 0 of the result is 2" in out
    assert "undefined for every size" in out
    assert "fine exactly when (a[0] == 4 or b[0] == 4) and" in out
    assert "fine at    a: 4, b: 4\n   undefined  at a: 2, b: 2\n" in out
    assert out.endswith("2 accepted, 1 rejected by mlir-22\n")


def test_verify_shows_sizes_as_the_inputs_that_have_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A value that nothing is known of has its sigil, the result of a carrier the sizes of what it is made of."""
    path = tmp_path / "inner.mlir"
    path.write_text("""\
func.func @f(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>, %u: tensor<*xf32>) {
  %0 = "my.op"() : () -> tensor<?x4xf32>
  %1 = tosa.add %0, %y : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %2 = tosa.sub %1, %x : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %3 = tosa.add %u, %u : (tensor<*xf32>, tensor<*xf32>) -> tensor<2xf32>
  return
}
""")
    assert main(["verify", str(path), "--shape", "x=[N + 1, _]", "--assume", "N > 3"]) == 0
    out = capsys.readouterr().out
    assert "fine exactly when compatible(%0[0], y[0])\n   fine at    %0: 2x4, y: 2x4\n" in out
    assert "fine at    %0: 5x4, y: 5x4, x: 5x4\n" in out
    assert "fine at    u: 2\n   undefined  at u: " in out


def test_verify_prints_json(mixed: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", mixed, "--json", "--profile", "page-today", "--carrier", "my.op"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["format"], document["exit_code"]) == ("shapesolve-verify", 1)
    first, second, third, fourth = document["operations"]
    assert first["outcome"] == "accepted"
    assert "contradicts itself" in first["remarks"][0]
    assert first["at_run_time"]["works_at"] == {"a[0]": 4, "b[0]": 4}
    assert (second["line"], second["column"], second["clause"]) == (3, 8, "C8")
    assert third["outcome"] == "unspecified"
    assert third["at_run_time"]["condition"] == "a[0] <= 1"
    assert (fourth["operation"], fourth["at_run_time"]["kind"]) == ("my.op", "always fine")


@pytest.mark.parametrize(
    ("name", "profile", "code"),
    [
        ("correct_2_dynamic_sizes", "mlir-22", 0),
        ("incorrect_1_static_sizes_differ", "mlir-22", 1),
        ("incorrect_3_static_result_of_dynamic", "page-2023", 1),
        ("incorrect_3_static_result_of_dynamic", "mlir-24", 0),
        ("incorrect_5_result_is_not_repeated", "mlir-16", 0),
        ("correct_2_dynamic_sizes", "mlir-23", 2),
    ],
)
def test_verify_exit_codes(name: str, profile: str, code: int) -> None:
    assert main(["verify", str(PAGES / f"{name}.mlir"), "--profile", profile]) == code


def test_cases_open_on_the_page_are_undecided(tmp_path: Path) -> None:
    path = tmp_path / "zero.mlir"
    path.write_text("\n".join(line for line in MIXED.splitlines() if "%0 =" not in line and "%1 =" not in line))
    assert main(["verify", str(path), "--profile", "page-today"]) == 3


def test_a_missing_file_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "nowhere.mlir"]) == 2
    assert "there is no such file" in capsys.readouterr().err


def test_a_file_without_carriers_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "none.mlir"
    path.write_text("func.func @f() {\n  return\n}\n")
    assert main(["verify", str(path)]) == 3
    assert "nothing was checked: no operation carries the trait" in capsys.readouterr().out


CHAIN = """\
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<4xf32> {
  %0 = "test.broadcastable"(%a, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = "test.broadcastable"(%0, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""


@pytest.mark.parametrize(
    ("given", "kinds"),
    [
        ([], ["fine exactly when", "fine exactly when"]),
        (["--assume", "a[0] == b[0]"], ["always fine", "fine exactly when"]),
        (["--assume", "a[0] == 4", "--assume", "b[0] == 1"], ["always fine", "always fine"]),
        (["--shape", "a=[N]", "--shape", "b=[N]", "--assume", "N == 4"], ["always fine", "always fine"]),
        (
            ["--shape", "a=[N]", "--shape", "b=[N + 1]", "--min-size", "2"],
            ["undefined for every size", "fine exactly when"],
        ),
        (["--assume", "a[0] > a[0]"], ["undecided", "undecided"]),
    ],
)
def test_known_sizes_decide(
    given: list[str], kinds: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "chain.mlir"
    path.write_text(CHAIN)
    main(["verify", str(path), "--json", *given])
    operations = json.loads(capsys.readouterr().out)["operations"]
    assert [each["at_run_time"]["kind"] for each in operations] == kinds


def test_facts_in_a_file_and_in_attributes_decide(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, facts = tmp_path / "chain.mlir", tmp_path / "facts.toml"
    path.write_text(
        CHAIN.replace("-> tensor<4xf32> {", '-> tensor<4xf32> attributes {shapesolve.assume = ["a[0] == 4"]} {', 1)
    )
    assert main(["facts", str(path), "-o", str(facts)]) == 0
    facts.write_text(facts.read_text().replace("a[0] == 4", "b[0] == 1"))
    assert main(["verify", str(path), "--facts", str(facts), "--json"]) == 0
    operations = json.loads(capsys.readouterr().out)["operations"]
    assert [each["at_run_time"]["kind"] for each in operations] == ["always fine", "always fine"]


def test_requirements_in_a_file_of_facts_decide(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, facts = tmp_path / "chain.mlir", tmp_path / "facts.toml"
    path.write_text(CHAIN)
    facts.write_text('[f]\nrelations = ["a[0] == 4"]\nrequires = ["b[0] == 1"]\n')
    assert main(["verify", str(path), "--facts", str(facts), "--json"]) == 0
    operations = json.loads(capsys.readouterr().out)["operations"]
    assert [each["at_run_time"]["kind"] for each in operations] == ["always fine", "always fine"]
    facts.write_text('[nobody]\nrequires = ["b[0] == 1"]\n')
    assert main(["verify", str(path), "--facts", str(facts)]) == 2
    assert "`nobody`" in capsys.readouterr().err


def test_an_assumption_about_no_argument_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "chain.mlir"
    path.write_text(CHAIN)
    assert main(["verify", str(path), "--assume", "nobody[0] == 1"]) == 2
    assert "nobody" in capsys.readouterr().err


UNARY = "abs bitwise_not cast ceil clamp clz erf exp floor log logical_not negate reciprocal rsqrt sigmoid tanh"
BINARY = (
    "add arithmetic_right_shift bitwise_and bitwise_or bitwise_xor div equal greater greater_equal logical_and "
    "logical_left_shift logical_or logical_right_shift logical_xor maximum minimum mul pow sub"
)


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["page-2023", "page-today"])
@pytest.mark.parametrize(
    ("name", "operands"),
    [*((name, 1) for name in UNARY.split()), *((name, 2) for name in BINARY.split()), ("select", 3)],
)
def test_every_operation_of_the_rfc_carries_the_trait(name: str, operands: int, profile: str) -> None:
    assert len(UNARY.split()) + len(BINARY.split()) + 1 == 36
    arguments = ", ".join(f"%{number}: tensor<?xf32>" for number in range(operands))
    used = ", ".join(f"%{number}" for number in range(operands))
    types = ", ".join(["tensor<?xf32>"] * operands)

    def outcome(result: str) -> str:
        text = f'func.func @f({arguments}) {{\n  %r = "tosa.{name}"({used}) : ({types}) -> {result}\n  return\n}}\n'
        (operation,) = shapesolve.verify(text, profile=profile).operations
        return operation.outcome

    assert outcome("tensor<?xf32>") == "accepted"
    assert outcome("tensor<1x?xf32>") == "rejected"


def test_theorems_one_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["theorems", "maxui-is-broadcast"]) == 0
    out = capsys.readouterr().out
    assert "refuted at x = 0, y = 1, for all sizes" in out
    assert "1 theorems: 0 proved, 1 refuted, all as expected" in out


def test_theorems_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["theorems", "pairwise-is-joint", "--json"]) == 0
    (theorem,) = json.loads(capsys.readouterr().out)["theorems"]
    assert (theorem["outcome"], theorem["as_expected"]) == ("proved", True)


def test_an_unknown_theorem_is_bad_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["theorems", "no-such-theorem"]) == 2
    assert "there is no theorem" in capsys.readouterr().err
