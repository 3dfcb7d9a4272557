"""Reports in the words of a model: its own lines with the calls that lead there, and calls that raise."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from shapesolve.cli.main import main

pytest.importorskip("torch")

pytestmark = pytest.mark.frontends

MODEL = """\
import torch
from torch.export import Dim


def halves(x):
    b, t, e = x.shape
    return x.view(b, t // 2, 2, e)


class Block(torch.nn.Module):
    def split(self, x, *, extra=0):
        return halves(x) + extra

    def forward(self, x, more):
        return {"parts": self.split(x), "twice": more["y"] * 2}


def make():
    example = (torch.randn(2, 6, 8), {"y": torch.zeros(3, dtype=torch.int64)})
    return Block(), example, ({0: Dim.AUTO, 1: Dim.AUTO}, {"y": {0: Dim.AUTO}})
"""


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "parts.py"
    path.write_text(MODEL)
    return path


def test_lines_calls_and_what_pytorch_does(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["check", "parts.py:make", "--distrust", "--json", "a.json", "--reproducer", "run.py"])
    output = " ".join(capsys.readouterr().out.split())
    assert code == 1
    assert "[torch-aten-view-elements] in Block: return x.view(b, t // 2, 2, e)" in output and "parts.py:7" in output
    assert "raises RuntimeError: shape '[2, 1, 2, 8]' is invalid for input of size 48 (at parts.py:7)" in output
    call = 'make()[0](torch.ones(2, 3, 8), {"y": torch.ones('.replace('"', "'")
    assert f"reproduce {call}" in output
    main(["check", "parts.py:make", "--distrust", "--verbose", "--no-execute"])
    in_full = " ".join(capsys.readouterr().out.split())
    assert "called at parts.py:12: return halves(x) + extra called at parts.py:15: return" in in_full
    own = json.loads((model.parent / "a.json").read_text())["files"][0]["functions"][0]
    (refuted,) = (each for each in own["obligations"] if each["verdict"] == "refuted")
    assert refuted["model"]["callers"] == [{"file": "parts.py", "line": 12}, {"file": "parts.py", "line": 15}]
    run = subprocess.run(
        [sys.executable, "-c", f"import torch; from parts import make; {refuted['reproducer']}"],
        check=False,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1 and "is invalid for input of size 48" in run.stderr
    run = subprocess.run([sys.executable, "run.py"], check=False, capture_output=True, text=True)
    assert run.returncode == 1 and run.stderr.rstrip().endswith("is invalid for input of size 48")


def test_a_line_of_the_model_and_its_program(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "parts.py:7", "--distrust", "--no-execute"]) == 1
    output = " ".join(capsys.readouterr().out.split())
    assert ": error: view needs x[1] % 2 == 0 (unless x[0] is 0) [torch-aten-view-elements]" in output
    assert main(["explain", "parts.py:6", "--no-execute"]) == 0
    assert ": error: " not in capsys.readouterr().out
    assert main(["lower", "parts.py:make", "-o", "parts.mlir"]) == 0
    assert "torch.aten.view" in (model.parent / "parts.mlir").read_text()
    assert main(["check", "parts.py", "-q", "--no-execute", "--level", "torch"]) == 3  # a guard excludes it: not run
    assert capsys.readouterr().out.startswith("parts.py:make (torch): ")


def test_an_explanation_says_what_the_check_says(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Conditions of the exporter are no facts of `check`, so they are none of `explain`."""
    assert main(["check", "parts.py:make", "-q"]) == 1
    capsys.readouterr()
    assert main(["explain", "parts.py:7"]) == 1
    output = " ".join(capsys.readouterr().out.split())
    assert ": error: view needs" in output and "original the model itself, run by its framework, raises" in output


def test_no_execute_runs_nothing(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "parts.py:make", "--distrust", "--no-execute"]) == 1
    assert "original" not in capsys.readouterr().out


def test_every_extent_is_dynamic_unless_somebody_says_otherwise() -> None:
    code = "import shapesolve, torch; "
    code += "report = shapesolve.torch.check(torch.nn.Linear(8, 4), torch.randn(3, 5, 8)); "
    code += "print(report.exit_code, report.functions[0].trace.function.arguments[0].type)"
    run = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert run.stdout == "0 tensor<?x?x8xf32>\n", run.stderr


CHECKS = """
import shapesolve, torch
from torch.export import Dim

class Halve(torch.nn.Module):
    def forward(self, x):
        return x.reshape(x.shape[0], 2, -1)

class Padded(torch.nn.Module):
    def forward(self, x):
        if x.shape[1] % 2:
            x = torch.nn.functional.pad(x, (0, 1))
        return x.reshape(x.shape[0], 2, -1) if x.shape[0] else x

def check(module, **options):
    shapes = {"x": {0: Dim("B", min=1), 1: Dim.DYNAMIC}}
    return shapesolve.torch.check(module, (torch.ones(2, 4),), shapes, **options)
"""


def output_of(folder: Path, expression: str) -> str:
    path = folder / "checks.py"  # lines of a model are those of files
    path.write_text(CHECKS + expression)
    run = subprocess.run([sys.executable, path], check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_from_python_what_the_exporter_found_is_decided_as_by_the_command(tmp_path: Path) -> None:
    code = "report = check(Halve()); print(report.exit_code, [each.original for each in report.checked_obligations])"
    output = output_of(tmp_path, code)
    assert output.startswith("1 ") and "raises RuntimeError: shape '[2, 2, -1]' is invalid" in output
    assert output_of(tmp_path, "print(check(Halve(), trust_exporter=True).exit_code)") == "0\n"
    parts = "[(each.guard.shown, each.outside.value) for each in report.exporter if each.guard.is_branch]"
    output = output_of(tmp_path, f"report = check(Padded()); print(report.exit_code, {parts})")
    assert output == "0 [('x[1] % 2 == 0', 'returns')]\n"


def test_from_python_execute_false_runs_nothing(tmp_path: Path) -> None:
    code = "report = check(Padded(), options=shapesolve.Options(execute=False)); "
    code += "print({each.outside.value for each in report.exporter}, "
    code += "{each.original for each in report.checked_obligations}); "
    code += "print(report.exit_code, report.count(shapesolve.Refuted))"  # what a guard excludes is not refuted unseen
    assert output_of(tmp_path, code) == "{'not_run'} {''}\n3 0\n"


WRONG = """
import torch
from torch.export import Dim

class Add(torch.nn.Module):
    def forward(self, x, y):
        return x + y.sum()

def inputs():
    return torch.ones(3, 4), torch.ones(2)

def raises():
    torch.ones(3, 4) @ torch.ones(3, 4)
    return Add(), inputs()

def beyond():
    return Add(), inputs(), {"x": {0: Dim("B"), 5: Dim("T")}, "y": None}

def unknown():
    shapes = {"z": {0: Dim("B")}, "y": None}
    return Add(), inputs(), shapes

def clashing():
    return Add(), inputs(), {"x": {0: Dim("B", max=9)}, "y": {0: Dim("B", max=8)}}

def fewer():
    return Add(), (torch.ones(3, 4),)
"""


@pytest.mark.parametrize(
    ("name", "line", "part"),
    [
        ("raises", 13, "it raises RuntimeError: mat1 and mat2 shapes cannot be multiplied"),
        ("beyond", 17, "dynamic_shapes declares dimension 5 of an example input of shape [3, 4]"),
        ("unknown", 20, "its top-level keys must be the arg names ['x', 'y']"),
        ("clashing", 24, "Found different definitions Dim('B', min=0, max=9)"),
        ("fewer", 27, "missing 1 required positional argument: 'y'"),
    ],
)
def test_a_mistake_around_a_model_is_one_message_with_its_line(
    name: str, line: int, part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.py").write_text(WRONG)
    assert main(["check", f"wrong.py:{name}"]) == 2
    found = capsys.readouterr()
    assert found.err.startswith(f"error: wrong.py:{name}: wrong.py:{line}: ") and part in found.err
    assert not found.out


@pytest.mark.parametrize("source", ["wrong.py", "wrong.py:make"])
def test_a_model_file_that_is_no_python(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.py").write_text("def make():\n    return (1, 2\n")
    assert main(["check", source]) == 2
    assert "wrong.py:2: this is no valid Python: '(' was never closed\n" in capsys.readouterr().err


BRANCH = """
import torch
from torch.export import Dim

class Long(torch.nn.Module):
    def forward(self, x):
        return x + x if x.shape[0] > 4 else x.missing()

class Averages(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.adaptive_avg_pool1d(x, 4)

def short_fails():
    return Long(), (torch.ones(6),), {"x": {0: Dim("n", max=50)}}

def parts():
    return Averages(), (torch.ones(2, 8, 14),), {"x": {0: Dim("B", max=64), 2: Dim("T", min=8, max=512)}}
"""


def test_a_branch_that_was_not_taken_is_undecided_where_nothing_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "branch.py").write_text(BRANCH)
    assert main(["check", "branch.py:short_fails", "--no-execute", "--level", "torch"]) == 3
    output = " ".join(capsys.readouterr().out.split())
    assert "this export only admits n >= 5; branch.py:7" in output
    assert output.endswith("the export only admits n >= 5, and UNDECIDED is what the model does elsewhere")
    assert main(["check", "branch.py:short_fails", "--level", "torch"]) == 1
    assert "raises AttributeError" in capsys.readouterr().out


def test_an_export_that_fails_where_the_model_returns_is_narrower(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "branch.py").write_text(BRANCH)
    assert main(["check", "branch.py:parts", "--level", "torch"]) == 0
    output = " ".join(capsys.readouterr().out.split())
    assert "this export only admits T % 4 != 0; branch.py:11" in output
    assert "the model itself returns [" in output
    assert "branch.py:parts (torch): no size that its export admits makes it fail; " in output


PAIRS = """
import torch
from torch.nn import functional as F

class Pairs(torch.nn.Module):
    def forward(self, images, texts):
        logits = F.normalize(images, dim=-1) @ F.normalize(texts, dim=-1).t()
        return F.binary_cross_entropy_with_logits(logits, torch.eye(images.size(0)))

def make():
    shapes = {"images": {0: torch.export.Dim.DYNAMIC}, "texts": {0: torch.export.Dim.DYNAMIC}}
    return Pairs(), (torch.ones(4, 8), torch.ones(4, 8)), shapes
"""


def test_equalities_of_the_exporter_are_refuted_where_the_model_raises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pairs.py").write_text(PAIRS)
    assert main(["check", "pairs.py", "--level", "torch"]) == 1
    output = " ".join(capsys.readouterr().out.split())
    headline = "pairs.py:8: error: the model fails where images[0] == texts[0] is false [exporter-model-fails]"
    assert output.count(": error: ") == 1 and headline in output
    assert "raises ValueError: Target size" in output


BATCH_OF_ONE = """\
import torch
from torch.export import Dim


class Fours(torch.nn.Module):
    def forward(self, x):
        b, t = x.shape
        return x.view(b, t // 4, 4)


class Rows(torch.nn.Module):
    def forward(self, x):
        y = sum(x[row] for row in range(x.shape[0]))
        return y.view(x.shape[1] // 4, 4)


SIZES = {"x": {0: Dim("B", min=1, max=8), 1: Dim("T", max=64)}}


def make():
    return Fours(), (torch.zeros(1, 8),), SIZES


def rows():
    return Rows(), (torch.zeros(1, 8),), SIZES
"""


def test_a_declared_name_that_became_a_number_does_not_end_the_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fours.py").write_text(BATCH_OF_ONE)
    assert main(["check", "fours.py:rows"]) == 1
    output = " ".join(capsys.readouterr().out.split())
    assert "fours.py:14: error: view needs T % 4 == 0" in output
    assert "only admits B == 2: B was declared dynamic and is 2 in it" in output


def test_an_extent_of_1_that_has_a_name_is_no_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An example of one image is usual, and torch.export would take the 1 for a number."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fours.py").write_text(BATCH_OF_ONE)
    assert main(["check", "fours.py:make"]) == 1
    output = " ".join(capsys.readouterr().out.split())
    assert "fours.py:8: error: view needs T % 4 == 0" in output
    assert "only admits B == 1" not in output and "B was declared dynamic" not in output


WAVE = """\
import torch
from torch.export import Dim


class Wave(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList(torch.nn.Conv1d(4, 4, 2, dilation=each) for each in (1, 2, 4, 8))

    def forward(self, x):
        total, kept = 0, x.shape[-1] - 15
        for each in self.layers:
            y = torch.relu(each(x))
            total = total + y[:, :, -kept:]
            x = y + x[:, :, -y.shape[-1] :]
        return total


def make():
    return Wave(), (torch.ones(2, 4, 40),), {"x": {2: Dim("T", min=8, max=4096)}}
"""


def test_a_long_condition_has_the_form_to_which_the_facts_reduce_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "wave.py").write_text(WAVE)
    assert main(["check", f"{tmp_path / 'wave.py'}:make", "--level", "torch"]) == 1
    assert "safe with  --assume 'T >= 16'\n" in capsys.readouterr().out
