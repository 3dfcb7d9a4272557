"""End-to-end tests from a PyTorch model to a verdict in its own terms."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from shapesolve import Proved, api, prove
from shapesolve.cli.main import main
from shapesolve.errors import InputError
from shapesolve.options import Options

pytest.importorskip("torch")

pytestmark = pytest.mark.frontends

MODELS = Path(__file__).parent / "models" / "torch_models.py"


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main([*arguments])
    result = capsys.readouterr()
    assert result.err == ""
    return code, " ".join(result.out.split())


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of the block saved by torch.export.save, in a process of its own."""
    import subprocess
    import sys

    path = tmp_path_factory.mktemp("saved") / "block.pt2"
    code = f"import sys, torch; sys.path.insert(0, {str(MODELS.parent)!r}); import torch_models; "
    code += f"torch.export.save(torch_models.program(), {str(path)!r})"
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, capture_output=True)
    return path


def test_a_function_is_checked_in_the_models_words(capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = printed(capsys, "check", f"{MODELS}:block", "--level", "linalg")
    assert code == 1
    assert f"{MODELS} was run for the model that block makes" in shown
    # torch-mlir's rewriting of linear assumes a length of 1, which the export forbids.
    assert ": error: " in shown and "[tensor-cast-extents]" in shown
    assert "in attn.lin: q = self.lin(x).view(b, t, 3, 8)" in shown
    assert "needs T == 1" in shown
    assert "fails at any sizes" in shown
    assert "stopped here by a runtime check" in shown
    assert (
        "what dynamic_shapes declares is trusted, which nothing checks at run time (--distrust): "
        "%x is [B, T, 8], %y is [B, T + 1, 8]" in shown
    )


def test_demands_of_the_model_and_of_its_lowering(capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = printed(capsys, "check", f"{MODELS}:block", "--no-execute")
    own, lowered = shown.split("torch-mlir's lowering, not your model (linalg): ", 1)
    assert code == 0
    assert ": error: " not in own and "[tensor-cast-extents]" in lowered
    headline = lowered.rpartition("block (torch): ")[2]
    assert headline.startswith(
        "no size makes it fail; 10 checks of sizes: 10 proved torch-mlir's lowering, not your model (linalg): "
    )


def test_a_lowering_is_looked_at_where_the_model_is_safe(capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = printed(capsys, "check", f"{MODELS}:block", "--no-execute", "--no-decompose", "--distrust")
    assert code == 1
    own, lowered = shown.split("torch-mlir's lowering, not your model (linalg): note looked at for the sizes at which")
    assert "B == y[0] (unless T is 0)" in own
    assert "B == y[0]" not in lowered, "the model's own failures are not repeated"


def test_one_level_has_no_way_on(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shapesolve.frontends.open.BOTH", ("torch", "tosa"))
    code, shown = printed(capsys, "check", "--no-execute", f"{MODELS}:even")
    assert code == 0 and "even (torch): " in shown and "checks of sizes: " in shown
    assert "torch-mlir's lowering, not your model: torch-mlir cannot lower this model to tosa" in shown
    assert main(["check", "--no-execute", f"{MODELS}:even", "--fail-on", "model,lowering"]) == 2
    capsys.readouterr()


def test_queries_of_both_levels_are_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--no-execute", "--dump-queries", str(tmp_path), f"{MODELS}:block"])
    capsys.readouterr()
    assert {each.name for each in tmp_path.iterdir()} <= {"torch", "linalg"}


def test_whole_and_as_exported_it_is_safe(capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = printed(capsys, "check", f"{MODELS}:program", "--no-decompose")
    assert code == 0, shown
    assert "torch.export is trusted" in shown and "T >= 2" in shown


def test_without_the_exporters_facts_it_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = printed(capsys, "check", f"{MODELS}:block", "--no-decompose", "--distrust")
    assert code == 1
    assert "torch.export" not in shown
    assert "B == y[0]" in shown  # names without what they say


def test_a_saved_program(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = printed(capsys, "check", str(saved), "--no-decompose")
    assert code == 0, shown
    assert "T" not in shown.partition("is trusted")[2]  # names of dimensions are not in the file


def test_half_of_a_saved_program(saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = saved.read_bytes()
    for number, part in enumerate((data[: len(data) // 2], data.replace(b"graph_module", b"graph_modula"))):
        path = tmp_path / f"{number}.pt2"
        path.write_bytes(part)
        assert main(["check", str(path)]) == 2
        result = capsys.readouterr()
        assert result.err.startswith("error: ") and "Traceback" not in result.err


def test_a_derived_extent_is_a_fact() -> None:
    report = api.check(f"{MODELS}:even", options=Options(execute=False))
    assert report.exit_code == 0
    assert api.check(f"{MODELS}:even", options=Options(execute=False, distrust=True)).exit_code == 1


def test_operations_that_a_level_lacks_are_reported() -> None:
    with pytest.raises(InputError, match=r"cannot lower this model to tosa: it has no lowering of torch\.aten\."):
        api.read(f"{MODELS}:even", Options(level="tosa"))


def test_weights_are_left_out() -> None:
    program = api.read(f"{MODELS}:wide")
    assert program.text is not None
    assert "tensor<20000x2000xf32>" in program.text and len(program.text) < 10_000


@pytest.mark.parametrize(("level", "model"), [("torch", "even"), ("stablehlo", "even"), ("tosa", "wide")])
def test_a_model_is_read_at_each_level_in_its_dialect(level: str, model: str) -> None:
    program = api.read(f"{MODELS}:{model}", Options(level=level))
    assert any(op.name.startswith(f"{level}.") for op in program.operation.walk())


def test_json_and_sarif_speak_of_the_model(tmp_path: Path) -> None:
    documents = tmp_path / "a.json", tmp_path / "a.sarif"
    main(["check", f"{MODELS}:block", "--no-execute", "-q", "--json", str(documents[0]), "--sarif", str(documents[1])])
    report, log = (json.loads(each.read_text()) for each in documents)
    own, lowered = report["files"]
    assert (own["level"], lowered["level"]) == ("torch", "linalg") and own["summary"]["refuted"] == 0
    refuted = [each for each in lowered["functions"][0]["obligations"] if each["verdict"] == "refuted"]
    origins: list[Any] = [each["model"] for each in refuted]
    assert {Path(each["file"]).name for each in origins} == {"torch_models.py"}
    assert origins[0]["module"] == "attn.lin"
    line = MODELS.read_text().splitlines()[origins[0]["line"] - 1]
    assert line.strip() == "q = self.lin(x).view(b, t, 3, 8)"
    place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("torch_models.py")
    assert place["region"]["startLine"] == origins[0]["line"]
    assert (own["lowering"], lowered["lowering"], report["exit_code"]) == (False, True, 0)
    assert {each["level"] for each in log["runs"][0]["results"]} == {"note"}


def test_prune_and_contract_and_shape_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pruned = tmp_path / "pruned.mlir"
    code, shown = printed(capsys, "prune", f"{MODELS}:block", "--no-decompose", "-o", str(pruned))
    assert code == 0, shown
    assert "cf.assert" not in pruned.read_text()
    assert main(["check", str(pruned)]) == 0
    capsys.readouterr()
    assert main(["shape-of", f"{MODELS}:block", "--no-decompose"]) == 0
    assert "[B, T, 3, 8]" in capsys.readouterr().out
    code, shown = printed(capsys, "contract", f"{MODELS}:block", "--no-decompose", "--distrust")
    assert code in (0, 3) and "B == y[0]" in shown


def test_prune_names_no_line_of_a_lowered_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = printed(capsys, "prune", f"{MODELS}:block", "-o", str(tmp_path / "pruned.mlir"))
    assert code == 0 and "of the lowered program may be undefined for some sizes" in shown
    assert f"(shapesolve check {MODELS}:block)" in shown and "explain" not in shown


def test_the_users_file_is_never_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.py"
    path.write_text("def make(): ...")
    assert main(["prune", f"{path}:make", "-o", str(path), "--force"]) == 2
    assert "is the input; it is never overwritten" in capsys.readouterr().err


def test_the_model_itself_is_run_at_the_sizes_that_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = tmp_path / "a.json"
    arguments = ("check", f"{MODELS}:block", "--no-decompose", "--distrust", "--no-execute", "--execute-original")
    assert main([*arguments, "--json", str(document)]) == 1
    output = " ".join(capsys.readouterr().out.split())
    assert "original the model itself, run by its framework, raises RuntimeError: The size of tensor a" in output
    # Of a second input with two rows one is left, which PyTorch broadcasts; the program made for equal sizes stops.
    assert "original the model itself, run by its framework, returns [2, 2, 8]" in output
    obligations = json.loads(document.read_text())["files"][0]["functions"][0]["obligations"]
    assert {bool(each["original"]) for each in obligations if each["verdict"] == "refuted"} == {True}
    assert {each["original"] for each in obligations if each["verdict"] != "refuted"} == {None}


def test_constants_that_are_the_same_everywhere_are_kept() -> None:
    torch = pytest.importorskip("torch")
    from shapesolve.frontends.torch_import import _only_number

    assert _only_number(torch.full((1000, 1000), 0.5)) == 0.5
    assert _only_number(torch.full((3,), -3)) == -3
    assert _only_number(torch.tensor(True)) == 1
    assert _only_number(torch.tensor([1.0, 2.0])) is None
    assert _only_number(torch.full((2,), float("nan"))) is None
    assert _only_number(torch.zeros(0)) is None
    assert _only_number(torch.zeros(3, dtype=torch.complex64)) is None
    assert _only_number(torch.zeros(3, device="meta")) is None


def test_buffers_that_are_not_saved_are_constants(capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = printed(capsys, "check", f"{MODELS}:positions", "--no-execute")
    assert code == 0, shown
    assert "T <= 40" in shown


def test_a_lowering_that_fails_does_not_refute_what_depends_on_data(capsys: pytest.CaptureFixture[str]) -> None:
    """torch-mlir makes of the look-up a cast to a length of 1; that the ids are no rows does not follow."""
    code, shown = printed(capsys, "check", f"{MODELS}:words", "--level", "torch")
    assert code == 3, shown
    assert ": warning: " in shown and "depends on data" in shown and ": error: " not in shown
    assert "needs 0 <= x <= 99 for each element x" in shown


@pytest.mark.parametrize("level", ["torch", "linalg"])
def test_extents_that_the_export_settled_are_those_of_the_arguments(level: str) -> None:
    """torch-mlir writes `?` there, and inside of the program what they were found to be: another size would fail."""
    program = api.read(f"{MODELS}:settled", Options(level=level))
    assert program.text is not None
    (line,) = (each for each in program.text.splitlines() if "func.func" in each)
    assert ("%x: tensor<5x?xf32>" if level == "linalg" else "%x: !torch.vtensor<[5,?],f32>") in line


def test_a_tensor_in_two_places_of_the_example_stands_for_two(capsys: pytest.CaptureFixture[str]) -> None:
    """torch.export makes of it a program that never compares the two."""
    assert api.check(f"{MODELS}:twice", options=Options(level="torch")).exit_code == 1
    assert api.check(f"{MODELS}:twice_marked", options=Options(level="torch")).exit_code == 0
    _, shown = printed(capsys, "check", f"{MODELS}:twice_exported", "--level", "torch")
    assert "takes %x and %y_0 for one tensor, as its example gave one for both" in shown


@pytest.mark.parametrize("level", ["torch", "linalg"])
def test_a_size_may_stand_where_an_operator_takes_a_tensor(level: str) -> None:
    options = Options(level=level, execute=False, trust_exporter=True)  # that both batches are equal is found
    assert api.check(f"{MODELS}:beam", options=options).exit_code == 0


@pytest.mark.parametrize("level", ["torch", "linalg"])
def test_the_remainder_of_sizes_is_pythons(level: str) -> None:
    assert api.check(f"{MODELS}:blocks", options=Options(level=level, execute=False)).exit_code == 0


@pytest.mark.parametrize("level", ["torch", "linalg"])
def test_sizes_go_through_pythons_floats(level: str) -> None:
    """The importer has neither `torch.sym_float` nor `math.ceil` and `math.floor`."""
    report = api.check(f"{MODELS}:resampled", options=Options(level=level, execute=False))
    assert report.exit_code == 0


def test_rounded_up_sizes_are_known(capsys: pytest.CaptureFixture[str]) -> None:
    main(["shape-of", f"{MODELS}:resampled", "--level", "torch"])
    assert "[(I + 2)//3]" in capsys.readouterr().out


@pytest.mark.parametrize("level", ["torch", "linalg"])
def test_integer_facts_of_the_export_are_reported(level: str) -> None:
    report = api.check(f"{MODELS}:leading", options=Options(level=level, execute=False, trust_exporter=True))
    assert report.exit_code == 0
    assert not any("cannot be said" in note for note in report.program.notes)
    (function,) = report.functions
    shown = {fact.because.rpartition(": ")[2] for fact in function.assumptions}
    assert {"n >= 0", "n >= 0 and n_ >= n"} <= shown  # the extent is not the integer of that name


def test_facts_of_the_export_about_a_maximum_are_expressible() -> None:
    report = api.check(f"{MODELS}:tail", options=Options(level="torch", execute=False, trust_exporter=True))
    assert report.exit_code == 0
    assert not any("cannot be said" in note for note in report.program.notes)


@pytest.mark.parametrize("level", ["torch", "linalg"])
def test_sizes_are_rounded_as_python_rounds(level: str) -> None:
    """The importer has neither `round` nor `torch.sym_min` and `torch.sym_max`."""
    (values,) = api.shape_of(f"{MODELS}:rounded", options=Options(level=level)).values()
    length = values[-1].shape.removeprefix("[").removesuffix("]")
    for n, m in itertools.product(range(3, 16), (3, 9)):
        expected = min(round(n * 0.5), max(m, 6))
        assert isinstance(prove(f"{length} == {expected}", assuming=[f"N == {n}", f"M == {m}"]), Proved)


def test_normalising_by_groups_is_imported() -> None:
    """PyTorch rewrites it with `as_strided`, and the importer takes no sizes there."""
    for level in ("torch", "linalg"):
        report = api.check(f"{MODELS}:grouped", options=Options(level=level, execute=False))
        assert report.exit_code == 0


@pytest.mark.parametrize("model", ["biased", "indexed"])
@pytest.mark.parametrize("level", ["torch", "linalg"])
def test_weights_may_stand_in_lists(model: str, level: str) -> None:
    """The importer takes no tensors there; what a table of places holds is known all the same."""
    assert api.check(f"{MODELS}:{model}", options=Options(level=level, execute=False)).exit_code == 0


def test_an_operator_that_takes_programs_is_named() -> None:
    with pytest.raises(InputError, match="its importer does not know cond, which takes parts of the model"):
        api.check(f"{MODELS}:either", options=Options(level="torch"))


def test_conditions_of_a_decomposition_have_the_names_of_sizes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A saved program has no sources of its symbols: they are those of its arguments."""
    torch: Any = pytest.importorskip("torch")

    class Halves(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return x.view(x.shape[0], x.shape[1] // 2, -1, 8).flatten(1, 2)

    auto = torch.export.Dim.AUTO
    program = torch.export.export(Halves(), (torch.ones(2, 4, 8),), dynamic_shapes=({0: auto, 1: auto},))
    torch.export.save(program, tmp_path / "halves.pt2")
    code, shown = printed(capsys, "contract", str(tmp_path / "halves.pt2"))
    note = shown.partition("PyTorch's decomposition of this program admits only sizes with: ")[2].partition(" more ")[0]
    assert code == 0 and "x_0*x_1" in note and "s27" not in note and "s1" not in note
