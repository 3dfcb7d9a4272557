"""Facts beside a program: what is read, what is written, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapesolve import check
from shapesolve.cli.main import main
from shapesolve.errors import InputError
from shapesolve.ir.reader import read_file, read_text
from shapesolve.preconditions.attributes import stated_preconditions
from shapesolve.preconditions.fact_files import facts_text, load_facts

PROGRAM = """
func.func @forward(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tensor.dim %x, %c1 : tensor<?x?xf32>
  %u = tensor.dim %y, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %t, %u : index
  cf.assert %same, "lengths differ"
  %q = arith.divui %t, %u : index
  return %q : index
}
func.func @other(%z: tensor<?xf32>) {
  return
}
"""

FACTS = """
[forward]
relations = ["T % 8 == 0"]

[forward.arguments]
x = ["_", "T"]
arg1 = ["T"]

[forward.ranges]
T = { min = 1, max = 1_024 }
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "a.mlir"
    path.write_text(PROGRAM)
    return str(path)


def facts(tmp_path: Path, text: str) -> str:
    path = tmp_path / "a.shapes.toml"
    path.write_text(text)
    return str(path)


def test_a_fact_file_states_preconditions_and_shapes(tmp_path: Path) -> None:
    (found,) = load_facts(facts(tmp_path, FACTS))
    assert found.shapes == ("x=[_, T]", "arg1=[T]")
    assert found.assumptions == ("T >= 1", "T <= 1024", "T % 8 == 0")


@pytest.mark.process
def test_facts_are_assumed_of_their_function(program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = facts(tmp_path, FACTS)
    assert main(["check", program]) == 1
    capsys.readouterr()
    assert main(["check", program, "--facts", given]) == 0  # nothing is said of @other, which has no %x
    assert "T >= 1" in capsys.readouterr().out
    assert main(["contract", program, "--facts", given]) == 0


def test_a_pruned_program_states_the_facts_that_it_rests_on(program: str, tmp_path: Path) -> None:
    pruned = tmp_path / "pruned.mlir"
    assert main(["prune", program, "--facts", facts(tmp_path, FACTS), "-o", str(pruned)]) == 0
    text = pruned.read_text()
    assert "cf.assert" not in text and text.count("shapesolve.assume") == 1
    assert main(["check", str(pruned)]) == 0


def test_printed_facts_are_read_again(tmp_path: Path) -> None:
    text = (
        'func.func @"a b"(%x: tensor<?x?x8xf32> {shapesolve.shape = "[B, 2*T + 1, 8]"}, %y: tensor<?xf32> '
        '{shapesolve.shape = "[_]"}) attributes {shapesolve.assume = ["T >= 2", "T <= 128", "T >= 3", "B != 7"]} '
        "{ return }"
    )
    function = read_text(text).functions["a b"]
    printed = facts_text([(function, stated_preconditions(function))])
    (found,) = load_facts(facts(tmp_path, printed))
    assert found.function == "a b"
    assert found.shapes == ("x=[B, 2*T + 1, 8]", "y=[_]")
    assert sorted(found.assumptions) == sorted(["T >= 2", "T <= 128", "T >= 3", "B != 7"])


def test_the_command_prints_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.mlir"
    path.write_text('func.func @f(%x: tensor<?xf32> {shapesolve.shape = "[N]"}) { return }')
    assert main(["facts", str(path)]) == 0
    assert capsys.readouterr().out == '[f]\n\n[f.arguments]\nx = ["N"]\n'
    output = tmp_path / "a.shapes.toml"
    assert main(["facts", str(path), "-o", str(output)]) == 0
    assert main(["facts", str(path), "-o", str(output)]) == 2  # it exists
    assert main(["check", str(path), "--facts", str(output)]) == 0


def test_a_second_name_for_a_size_is_an_equality(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.mlir"
    named = PROGRAM.replace("%x: tensor<?x?xf32>", '%x: tensor<?x?xf32> {shapesolve.shape = "[B, T]"}')
    path.write_text(named.replace("%y: tensor<?xf32>", '%y: tensor<?xf32> {shapesolve.shape = "[T]"}'))
    assert main(["check", str(path), "-f", "forward", "--no-execute", "--min-size", "1", "--shape", "x=[B, N]"]) == 0
    assert "N == T" in capsys.readouterr().out


OPEN = """\
func.func @f(%x: tensor<?x8xf32>, %0: tensor<?xf32>, %x_0: index, %n: tensor<*xf32>, %s: tensor<3xf32>) {
  return
}
func.func private @g(%y: tensor<?xf32>) {
  return
}
"""


def test_a_program_that_states_nothing_gets_a_template(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, beside = tmp_path / "open.mlir", tmp_path / "open.toml"
    path.write_text(OPEN)
    assert main(["facts", str(path)]) == 0
    result = capsys.readouterr()
    assert "note: the program states nothing of sizes: this is a template" in result.err
    beside.write_text(result.out)
    assert load_facts(str(beside)) == ()
    lines = result.out.splitlines()
    active = "\n".join(line.removeprefix("#").strip() for line in lines[lines.index("# [f]") :])
    beside.write_text(active)
    (facts_of_f, *others) = load_facts(str(beside))
    assert facts_of_f.shapes == ("x=[x_0_, 8]", "0=[_0_0]") and [each.function for each in others] == ["g"]
    assert facts_of_f.assumptions == ("x_0_ >= 1", "x_0_ <= 4096", "_0_0 >= 1", "_0_0 <= 4096", "x_0_ == _0_0")
    assert main(["check", str(path), "--facts", str(beside), "--no-execute"]) == 0


def test_nothing_stated_and_nothing_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "closed.mlir"
    path.write_text("func.func @f(%x: tensor<3xf32>) {\n  return\n}\n")
    assert main(["facts", str(path)]) == 2
    assert "nothing is stated of the sizes of any argument, and none is open" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[f", "this is not TOML"),
        ("f = 3", "this is a table with the name of a function"),
        ("[f]\nrelation = []", "`relation` is not known here; did you mean `relations`?"),
        ("[f]\nrelations = [3]", "relations is a list of texts"),
        ("[f]\nrelations = 'x'", "relations is a list of texts"),
        ("[f]\narguments = 3", "arguments is a table"),
        ("[f.arguments]\nx = 8", "x is a list of sizes"),
        ("[f.arguments]\nx = [true]", "x is a list of sizes"),
        ("[f.ranges]\nT = 3", "T is a range"),
        ("[f.ranges]\nT = { min = -1 }", "T is a range"),
        ("[f.ranges]\nT = { least = 1 }", "T is a range"),
    ],
)
def test_malformed_fact_files_are_refused(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        load_facts(facts(tmp_path, text))
    assert words in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[gone.ranges]\nT = { min = 1 }", "facts are given of `gone`, and there is no such function"),
        ("[forward.arguments]\nw = ['T']", "has no argument `w`"),
        ("[forward.arguments]\nx = ['T']", "[forward]: x has rank 2, but 1 name was given: [T]"),
        ("[forward]\nrelations = ['T >=']", ".shapes.toml: [forward]: something is missing after `>=` T >="),
        ("[forward.arguments]\nx = ['T', '+']", ".shapes.toml: [forward]: %x: something is missing after `+`"),
        ("[forward]\nrelations = ['T >= 2']", "`T` is not known"),
    ],
)
def test_facts_that_do_not_fit_the_program(
    program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, words: str
) -> None:
    for command in (["check"], ["contract"], ["prune", "-o", str(tmp_path / "out.mlir")]):
        assert main([*command, program, "--facts", facts(tmp_path, text)]) == 2
        assert words in " ".join(capsys.readouterr().err.split())


def test_a_missing_file_and_distrust(program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", program, "--facts", str(tmp_path / "gone.toml")]) == 2
    assert "there is no such file" in capsys.readouterr().err
    assert main(["check", program, "--facts", facts(tmp_path, FACTS), "--distrust"]) == 2


CALLS = """
func.func private @helper(%x: tensor<?xf32>) -> tensor<?xf32>
func.func @main(%a: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %r = func.call @helper(%a) : (tensor<?xf32>) -> tensor<?xf32>
  %d = tensor.dim %r, %c0 : tensor<?xf32>
  %ok = arith.cmpi ne, %d, %c0 : index
  cf.assert %ok, "some"
  return %d : index
}
"""
CONTRACT = """
[helper]
requires = ["arg0[0] >= 2"]
ensures = ["result0[0] == arg0[0] - 1"]
"""


def test_contracts_of_functions_without_a_body(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, beside, out = tmp_path / "calls.mlir", facts(tmp_path, CONTRACT), tmp_path / "out.mlir"
    path.write_text(CALLS)
    assert main(["check", str(path), "--no-execute"]) == 3
    capsys.readouterr()
    assert main(["check", str(path), "--no-execute", "--facts", beside]) == 1
    output = " ".join(capsys.readouterr().out.split())
    assert "calls.mlir:5:8: error: func.call needs a[0] >= 2" in output
    assert "@helper is trusted, which nothing checks (--distrust): requires arg0[0] >= 2, ensures" in output
    assert "safe with --assume 'a[0] >= 2'" in output
    assert main(["check", str(path), "--no-execute", "--facts", beside, "-v"]) == 1
    output = " ".join(capsys.readouterr().out.split())
    assert "@helper requires arg0[0] >= 2; this call gives arg0[0] = %a[0]" in output
    assert main(["contract", str(path), "--facts", beside, "-o", str(out)]) == 0
    assert main(["check", str(out), "--no-execute"]) == 0
    assert 'shapesolve.ensures = ["result0[0] == arg0[0] - 1"]' in out.read_text()
    capsys.readouterr()
    assert main(["prune", str(path), "--facts", beside, "-o", str(tmp_path / "pruned.mlir")]) == 2
    assert "states its contracts itself" in capsys.readouterr().err
    assert main(["facts", str(out)]) == 0
    (again,) = load_facts(facts(tmp_path, capsys.readouterr().out))
    assert again.assumptions == ("a[0] >= 2",)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[helper]\nrequires = "x"', "requires is a list of texts"),
        ("[helper]\nensures = [1]", "ensures is a list of texts"),
        ('[helper]\nensures = [" "]', "ensures is a list of texts"),
        ('[nobody]\nensures = ["1 == 1"]', "the program has no function `nobody`"),
        ('[helper]\nensures = ["result0[0] =="]', "something is missing after `==`"),
        ('[helper]\nrequires = ["result0[0] == 1"]', "`result0` is not known"),
    ],
)
def test_contracts_that_are_nonsense(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, why: str) -> None:
    path = tmp_path / "calls.mlir"
    path.write_text(CALLS)
    assert main(["check", str(path), "--facts", facts(tmp_path, text)]) == 2
    assert why in capsys.readouterr().err


NESTED = """
module {
  func.func @f(%n: index) -> index {
    %c0 = arith.constant 0 : index
    %some = arith.cmpi sgt, %n, %c0 : index
    cf.assert %some, "some"
    return %n : index
  }
  module @inner {
    func.func @f(%n: index) -> index {
      %c0 = arith.constant 0 : index
      %some = arith.cmpi sgt, %n, %c0 : index
      cf.assert %some, "some"
      return %n : index
    }
    func.func @only(%n: index) -> index {
      %c0 = arith.constant 0 : index
      %some = arith.cmpi sgt, %n, %c0 : index
      cf.assert %some, "some"
      return %n : index
    }
  }
}
"""


@pytest.mark.parametrize(
    ("address", "proved"),
    [("@f", ["f"]), ("@inner::@f", ["inner::@f"]), ("@only", ["inner::@only"]), ("@inner::@only", ["inner::@only"])],
)
def test_facts_of_a_function_do_not_hold_in_another_module(address: str, proved: list[str]) -> None:
    report = check(NESTED, assume=[f"{address}: n >= 1"], execute=False)
    assert [each.name for each in report.functions if each.checked_obligations[0].verdict.word == "proved"] == proved


def test_an_ambiguous_function_name_is_refused() -> None:
    twice = NESTED.replace("module {", "module {\nmodule @outer {", 1).replace(
        "module @inner {", "}\nmodule @inner {", 1
    )
    with pytest.raises(InputError, match="facts are given of `f`"):
        check(twice, assume=["@f: n >= 1"], execute=False)


def test_arguments_that_are_sizes_and_shapes(tmp_path: Path) -> None:
    text = """
func.func @f(%n: !shape.size, %s: !shape.shape, %w: !shape.witness) -> index {
  %i = shape.size_to_index %n : !shape.size
  %r = shape.rank %s : !shape.shape -> !shape.size
  %j = shape.size_to_index %r : !shape.size
  %c2 = arith.constant 2 : index
  %e = arith.cmpi eq, %j, %c2 : index
  cf.assert %e, "a matrix"
  shape.assuming %w { shape.assuming_yield }
  return %i : index
}"""
    (tmp_path / "f.mlir").write_text(text)
    facts = tmp_path / "f.toml"
    facts.write_text('[f]\nrelations = ["w == 1", "n is not an error"]\n[f.arguments]\nn = "B"\ns = ["B", 8]\n')
    assert main(["check", str(tmp_path / "f.mlir"), "--facts", str(facts)]) == 0
    output = tmp_path / "out.mlir"
    assert main(["prune", str(tmp_path / "f.mlir"), "--facts", str(facts), "-o", str(output)]) == 0
    again = facts_text([(each, stated_preconditions(each)) for each in read_file(str(output)).functions.values()])
    assert 'n = "B"' in again and 's = ["B", 8]' in again


def test_the_template_names_arguments_that_are_sizes(tmp_path: Path) -> None:
    text = """
func.func @f(%n: !shape.size, %x: tensor<?xf32>) {
  %s = shape.shape_of %x : tensor<?xf32> -> !shape.shape
  %e = shape.num_elements %s : !shape.shape -> !shape.size
  %q = shape.div %e, %n : !shape.size, !shape.size -> !shape.size
  return
}"""
    (tmp_path / "f.mlir").write_text(text)
    facts = tmp_path / "f.toml"
    assert main(["facts", str(tmp_path / "f.mlir"), "-o", str(facts)]) == 0
    _, table = facts.read_text().split("# [f]\n")
    assert '# n = "n_size"\n' in table and "# n_size = {" in table
    facts.write_text("[f]\n" + "".join(f"{line.removeprefix('#').strip()}\n" for line in table.splitlines()))
    assert main(["check", str(tmp_path / "f.mlir"), "--no-execute"]) == 1
    assert main(["check", str(tmp_path / "f.mlir"), "--no-execute", "--facts", str(facts)]) == 0
