"""``shapesolve contract`` on the command line."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from .conftest import Command

EXAMPLES = Path(__file__).parents[2] / "examples"
UNET = str(EXAMPLES / "unet.mlir")
NEVER = """\
func.func @f(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  %c = tensor.cast %x : tensor<2xf32> to tensor<?xf32>
  %d = tensor.cast %c : tensor<?xf32> to tensor<3xf32>
  return
}
"""


def test_a_contract_lists_its_conditions_and_the_lines_that_need_them(command: Command) -> None:
    result = command("contract", UNET)
    assert result.code == 0
    assert "safe exactly when all of these hold:" in result.out
    assert "1. arg0[2] % 4 == 0\n      needed by  tensor.concat (lines 113, 158)\n" in result.out
    verified = "187 checks of sizes, all proved under these 2 conditions; without any one of them, something fails"
    assert verified in result.unwrapped


def test_contract_with_failures_at_huge_sizes_is_not_empty(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "narrow.mlir"
    path.write_text(
        """\
func.func @f(%x: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %narrow = arith.index_cast %n : index to i32
  %wide = arith.index_cast %narrow : i32 to index
  %same = arith.cmpi eq, %wide, %n : index
  cf.assert %same, "too many"
  return
}
"""
    )
    result = command("contract", str(path))
    assert result.code == 0
    assert "   safe for all but huge sizes; in general, exactly when all of these hold:\n\n   1. x[0] <=" in result.out
    assert "huge sizes only" not in result.out


def test_contracts_may_let_arithmetic_wrap_around(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "sum.mlir"
    path.write_text(
        """\
func.func @f(%m: i64, %n: i64) {
  %s = arith.addi %m, %n : i64
  %ok = arith.cmpi sge, %s, %n : i64
  cf.assert %ok, "less"
  return
}
"""
    )
    usual = command("contract", str(path))
    assert usual.code == 0 and "1. m >= 0" in usual.out and "does not wrap: arith.addi (line 2)" in usual.unwrapped
    result = command("contract", str(path), "--check-wraps")
    assert result.code == 0 and "m + n <= 9223372036854775807" in result.out and "assumes" not in result.out


def test_options_for_other_commands_are_one_line(command: Command, tmp_path: Path) -> None:
    names = [f"%argument{each}" for each in range(9)]
    lines = [
        f"  %{each} = tensor.cast {name} : tensor<?xf32> to tensor<{each + 2}xf32>\n" for each, name in enumerate(names)
    ]
    arguments = ", ".join(f"{name}: tensor<?xf32>" for name in names)
    (tmp_path / "many.mlir").write_text(f"func.func @f({arguments}) {{\n{''.join(lines)}  return\n}}\n")
    result = command("contract", str(tmp_path / "many.mlir"), "--as", "assume")
    (line,) = result.out.splitlines()
    assert len(line) > 200 and "'argument8[0] == 10'" in line


@pytest.mark.exhaustive
@pytest.mark.parametrize("file", sorted(path.name for path in EXAMPLES.glob("*.mlir")))
def test_printed_facts_prove_everything(command: Command, file: str) -> None:
    result = command("contract", str(EXAMPLES / file), "--as", "assume")
    assert result.code == 0
    for line in result.out.splitlines():
        checked = command("check", str(EXAMPLES / file), "--no-execute", "-q", *shlex.split(line))
        assert checked.code == 0, checked.out


@pytest.mark.slow
@pytest.mark.parametrize(
    "extra", [(), ("--min-size", "1"), ("--max-size", "99"), ("--shape", "arg0=[N, 1, H, W]", "--assume", "N >= 2")]
)
def test_the_program_that_states_its_contract_is_proved(
    command: Command, tmp_path: Path, extra: tuple[str, ...]
) -> None:
    out = tmp_path / "out.mlir"
    assert command("contract", UNET, "-o", str(out), *extra).code == 0
    result = command("check", str(out), "-q")
    assert result.code == 0, result.out
    assert command("contract", UNET, "-o", str(out)).code == 2  # exists
    assert command("contract", str(out), "-o", str(out), "--force").code == 2  # is the input


@pytest.mark.process
def test_a_function_of_the_llvm_dialect_is_read_with_the_contract_that_it_states(
    command: Command, tmp_path: Path
) -> None:
    path, out = tmp_path / "quotient.mlir", tmp_path / "out.mlir"
    path.write_text(
        "llvm.func @f(%a: i64, %b: i64) -> i64 {\n  %r = llvm.udiv %a, %b : i64\n  llvm.return %r : i64\n}\n",
        encoding="utf-8",
    )
    assert command("contract", str(path), "-o", str(out)).code == 0
    assert (command("check", str(path)).code, command("check", str(out)).code) == (1, 0)


def test_data_requirements_are_printed(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "rows.mlir"
    path.write_text(
        """#id = affine_map<(d0) -> (d0)>
func.func @rows(%ids: tensor<?xi64>, %table: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %ids, %c0 : tensor<?xi64>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%ids : tensor<?xi64>) outs(%e : tensor<?xf32>) {
  ^bb0(%in: i64, %out: f32):
    %at = arith.index_cast %in : i64 to index
    %v = tensor.extract %table[%at] : tensor<?xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
""",
        encoding="utf-8",
    )
    result = command("contract", str(path))
    assert result.code == 3
    assert "whether it is safe depends on data:" in result.out
    needed = "depends on the data of %ids: needs 0 <= x < table[0] for each element x"
    assert f"line 10: tensor.extract: {needed}" in result.unwrapped
    (function,) = json.loads(command("contract", str(path), "--json").out)["functions"]
    assert {each["data"] for each in function["open"]} == {needed}


@pytest.mark.slow
def test_several_functions_each_get_their_own(command: Command, tmp_path: Path) -> None:
    out = tmp_path / "out.mlir"
    assert command("contract", str(EXAMPLES / "tosa_chain.mlir"), "-o", str(out)).code == 0
    assert command("check", str(out), "-q").code == 0
    again = command("contract", str(out), "--json")
    assert [each["conditions"] for each in json.loads(again.out)["functions"]] == [[], [], []]


@pytest.mark.slow
def test_a_contract_as_json_has_its_conditions_and_their_needs(command: Command) -> None:
    result = command("contract", UNET, "--json")
    document = json.loads(result.out)
    assert document["format"] == "shapesolve-contract"
    (function,) = document["functions"]
    assert function["exact"] is True
    first, second = function["conditions"]
    assert (first["text"], second["text"]) == ("arg0[2] % 4 == 0", "arg0[3] % 4 == 0")
    assert [each["location"]["line"] for each in first["needed_by"]] == [113, 158]
    assert first["witness"]["sizes"]["arg0[2]"] % 4 != 0
    assert function["summary_under_conditions"]["proved"] == 187


def test_output_on_standard_output(command: Command, add: Path) -> None:
    result = command("contract", str(add), "-o", "-")
    assert result.out.startswith("module {")
    assert 'shapesolve.assume = ["compatible(x[0], y[0])"]' in result.out
    assert "safe exactly when" in result.err


def test_contract_exits_with_1_if_no_sizes_are_safe_and_3_if_unknown(
    command: Command, add: Path, tmp_path: Path
) -> None:
    never, unknown = tmp_path / "never.mlir", tmp_path / "unknown.mlir"
    never.write_text(NEVER)
    unknown.write_text('func.func @f(%x: tensor<?xf32>) {\n  "my.op"(%x) : (tensor<?xf32>) -> ()\n  return\n}\n')
    assert command("contract", str(add)).code == 0
    result = command("contract", str(never))
    assert result.code == 1
    assert "safe for no sizes at all" in result.out
    assert "excludes each other or itself: tensor.cast (line 3)" in result.unwrapped
    result = command("contract", str(add), "--assume", "x[0] == 1", "--assume", "x[0] == 2")
    assert result.code == 3
    assert "the precondition admits no input" in result.out
    assert "proved" not in result.out
    result = command("contract", str(unknown))
    assert result.code == 3
    assert "what some operations demand is not known: my.op (line 2)" in result.unwrapped


def test_contract_refuses_bad_input_with_code_2(command: Command, add: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.mlir"
    broken.write_text("func.func @f(")
    for arguments in (
        ("contract", str(tmp_path / "missing.mlir")),
        ("contract", str(broken)),
        ("contract", str(add), "--function", "nobody"),
        ("contract", str(add), "--assume", "x[0] =="),
        ("contract", str(add), "--assume", "z[0] == 1"),
        ("contract", str(add), "--min-size", "-1"),
        ("contract", str(add), "--shape", "x=[A,B]"),
        ("contract", str(add), "--json", "--as", "assume"),
        ("contract", str(add), "-o", str(tmp_path)),
        ("contract",),
    ):
        result = command(*arguments)
        assert result.code == 2, arguments
        assert result.err
        assert "Traceback" not in result.err
    assert "1  some function is safe for no sizes at all" in command("contract", "--help").out


def test_contract_reads_a_program_from_standard_input(command: Command, add: Path) -> None:
    result = command("contract", "-", stdin=add.read_bytes())
    assert result.code == 0
    assert "compatible(x[0], y[0])" in result.out


@pytest.mark.slow
def test_contracts_are_printed_for_pytorch_and_jax(command: Command, add: Path) -> None:
    result = command("contract", UNET, "--as", "torch", "--shape", "arg0=[N, 1, H, W]")
    assert result.code == 0
    assert (
        '_H = Dim("_H")\n_W = Dim("_W")\nforward_dynamic_shapes = {\n    "arg0": {0: N, 2: 4*_H, 3: 4*_W},'
        in result.out
    )
    result = command("contract", str(add), "--as", "torch")
    assert "    torch._check((x.shape[0] == y.shape[0]) | (x.shape[0] == 1) | (y.shape[0] == 1))\n" in result.out
    result = command("contract", UNET, "--as", "jax")
    assert '"mod(arg0_2, 4) == 0",' in result.out and ">= 1" not in result.out
    assert "# not said: compatible(x[0], y[0])" in command("contract", str(add), "--as", "jax").out
    assert command("contract", UNET, "--as", "onnx").code == 2
    assert command("contract", UNET, "--as", "jax", "--json").code == 2
