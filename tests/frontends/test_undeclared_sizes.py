"""PyTorch models without declared sizes: what is dynamic, what the model fixes, and what remains a finding."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import shapesolve
from shapesolve.cli.main import main
from shapesolve.options import Options

torch: Any = pytest.importorskip("torch")

pytestmark = [pytest.mark.slow, pytest.mark.frontends]


class Halves(torch.nn.Module):
    """Needs an even length; the features are those of the layer."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(6, 6)

    def forward(self, x: Any) -> Any:
        x = self.layer(x)
        half = x.shape[1] // 2
        return x[:, :half] + x[:, half:]


class Grown(torch.nn.Module):
    """Appends to a cache of the same batch and features."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)

    def forward(self, x: Any, past: Any) -> Any:
        return torch.cat((past, self.layer(x)), 1)


class Attends(torch.nn.Module):
    """Attends to keys and values of one length and one batch."""

    def forward(self, x: Any, keys: Any, values: Any) -> Any:
        return torch.softmax(x @ keys.transpose(1, 2), -1) @ values


class Paired(torch.nn.Module):
    """Needs two equal lengths, and even ones."""

    def forward(self, x: Any, y: Any) -> Any:
        z = x * y
        half = z.shape[1] // 2
        return z[:, :half] + z[:, half:]


class Crossed(torch.nn.Module):
    """Needs sizes of one argument to be equal, which another argument has too."""

    def forward(self, x: Any, y: Any) -> Any:
        return x + x.transpose(0, 1) + y


class Convolves(torch.nn.Module):
    """Refuses an image without rows or columns."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Conv2d(1, 2, 3, padding=1)

    def forward(self, image: Any) -> Any:
        return self.layer(image).mean((2, 3))


class TwoRows(torch.nn.Module):
    """Writes the example's batch into the code."""

    def forward(self, x: Any) -> Any:
        return x.reshape(2, -1)


class Turned(torch.nn.Module):
    """Needs sizes of one tensor to be equal."""

    def forward(self, x: Any) -> Any:
        return x + x.transpose(0, 1)


def found(module: Any, *inputs: Any, **options: Any) -> shapesolve.Report:
    return shapesolve.torch.check(module.eval(), inputs, **options)


def stated_conditions(report: shapesolve.Report) -> dict[str, tuple[str, str]]:
    """Return the conditions of the exporter: what the model does outside, and where."""
    return {each.guard.shown: (each.outside.value, each.at) for each in report.exporter}


def test_a_bug_of_an_undeclared_size_is_found_and_features_are_none() -> None:
    report = found(Halves(), torch.randn(2, 4, 6))
    assert report.refuted
    assert "x[1] % 2 == 0" in report.text()
    assert stated_conditions(report)["x[2] == 6"] == ("not_declared", "for 7, 8 and 12")
    assert "fixed      x[2] == 6: not declared, and the model raises for 7, 8 and 12" in report.text()


class Strided(torch.nn.Module):
    """Halves an image and doubles it again, which needs even sizes, and refuses an empty image."""

    def __init__(self) -> None:
        super().__init__()
        self.down = torch.nn.Conv2d(2, 4, 3, stride=2, padding=1)
        self.up = torch.nn.ConvTranspose2d(4, 4, 2, stride=2)

    def forward(self, image: Any) -> Any:
        return self.up(self.down(image)) + image.mean(1, keepdim=True)


def test_further_needs_of_the_model_are_suggested_and_suffice() -> None:
    report = found(Strided(), torch.randn(1, 2, 8, 8))
    own = ["image[2] % 2 == 0 or image[2] == 1", "image[3] % 2 == 0 or image[3] == 1"]
    needed = ["image[1] == 2", "image[2] >= 1", "image[3] >= 1"]
    text = report.text()
    assert report.exit_code == 1
    pasted = [f"--assume '{each}'" for each in (*own, *needed)]
    assert "safe with " in text and all(text.count(each) == 1 for each in pasted)
    suggested = json.loads(report.to_json())["files"][0]["functions"][0]
    assert suggested["suggested_assumptions"] == suggested["sufficient_assumptions"] == [*own, *needed]
    line = r"unmodeled torch\.aten\.convolution: .*? \(\S*test_undeclared_sizes\.py:\d+ in \w+\)"
    assert re.search(line, " ".join(text.split()))
    pasted = found(Strided(), torch.randn(1, 2, 8, 8), options=Options(assumptions=(*own, *needed)))
    assert pasted.exit_code == 0


def test_the_contract_contains_what_the_model_needs_besides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "strided.py").write_text(
        "import torch\n\n\nclass Strided(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.layer = torch.nn.Conv2d(2, 4, 3, padding=1)\n\n    def forward(self, x):\n"
        "        y = self.layer(x)\n        return y[:, :2] + x\n\n\n"
        "def make():\n    return Strided(), (torch.zeros(2, 2, 8, 8),)\n"
    )
    path = str(tmp_path / "strided.py:make")
    assert main(["contract", path]) == 0
    out = capsys.readouterr().out
    assert "safe exactly when all of these hold" in out and "safe for all sizes" not in out
    assert "1. x[1] == 2\n      otherwise  the model itself raises for 3 and 4\n" in out
    assert "check with --assume 'x[1] == 2' --assume 'x[2] >= 1' --assume 'x[3] >= 1'" in out
    assert "under these 3 conditions" in out
    main(["sizes", path])
    out = " ".join(capsys.readouterr().out.split())
    assert "a bound that the model itself needs is reached: x[2] == 1" in out and "declared bound" not in out
    assert main(["contract", "--as", "assume", path]) == 0
    assert "--assume 'x[1] == 2' --assume 'x[2] >= 1' --assume 'x[3] >= 1'" in capsys.readouterr().out
    assert main(["contract", "--json", path]) == 0
    (function,) = json.loads(capsys.readouterr().out)["functions"]
    assert [each["text"] for each in function["undeclared"]] == ["x[1] == 2", "x[2] >= 1", "x[3] >= 1"]
    assert [each["raises"] for each in function["undeclared"]] == ["for 3 and 4", "for 0", "for 0"]


def test_an_equal_size_is_suggested_besides_and_is_enough() -> None:
    report = found(Paired(), torch.randn(4, 6), torch.randn(4, 6))
    suggested = json.loads(report.to_json())["files"][0]["functions"][0]
    assert {"y[0] == x[0]", "y[1] == x[1]"} <= set(suggested["suggested_assumptions"])
    options = Options(assumptions=tuple(suggested["suggested_assumptions"]))
    assert found(Paired(), torch.randn(4, 6), torch.randn(4, 6), options=options).exit_code == 0


def test_one_batch_of_two_arguments_is_no_finding() -> None:
    report = found(Grown(), torch.randn(2, 3, 4), torch.randn(2, 5, 4))
    assert not report.refuted and not report.fails_outside
    conditions = stated_conditions(report)
    assert conditions["x[2] == 4"][0] == conditions["past[2] == 4"][0] == "not_declared"
    assert conditions["past[0] == x[0]"] == ("not_declared", "where one of them alone is 3")
    assert report.exit_code == 0


def test_equal_sizes_of_arguments_are_a_condition_and_no_finding() -> None:
    report = found(Attends(), torch.randn(2, 3, 4), torch.randn(2, 5, 4), torch.randn(2, 5, 4))
    conditions = stated_conditions(report)
    assert conditions["values[1] == keys[1]"] == ("not_declared", "where one of them alone is 6")
    assert {each for each in conditions if "[0] == " in each} == {"keys[0] == x[0]", "values[0] == x[0]"}
    assert report.exit_code == 0 and not report.refuted and not report.fails_outside
    text = " ".join(report.text().split())
    assert "; only where 4 conditions above hold, which nothing declares and the model needs" in text
    assert "no size makes it fail, if it meets the conditions above; " in text


def test_equal_sizes_that_are_even_besides_are_both() -> None:
    report = found(Paired(), torch.randn(4, 6), torch.randn(4, 6))
    assert stated_conditions(report)["y[1] == x[1]"][0] == "not_declared"
    assert report.refuted and "x[1] % 2 == 0" in report.text()


def test_sizes_of_two_arguments_are_not_tied_where_two_of_one_must_be_equal() -> None:
    report = found(Crossed(), torch.randn(3, 3), torch.randn(3, 3))
    assert not any(outside == "not_declared" for outside, _ in stated_conditions(report).values())
    assert report.exit_code == 1


def test_an_empty_argument_that_the_model_refuses_is_no_finding() -> None:
    report = found(Convolves(), torch.randn(2, 1, 5, 6))
    conditions = stated_conditions(report)
    assert conditions["image[2] >= 1"] == conditions["image[3] >= 1"] == ("not_declared", "for 0")
    assert conditions["image[0] >= 1"][0] == "returns"
    assert report.exit_code == 0
    assert "not empty  image[2] >= 1: not declared, and the model raises for 0" in report.text()
    sentence = "what the model states and fixes is trusted: the model itself raises outside, wherever that was tried, "
    assert f"{sentence}but its lowering need not (--distrust): image[2] >= 1" in " ".join(report.text().split())
    distrusting = found(Convolves(), torch.randn(2, 1, 5, 6), options=Options(distrust=True))
    assert distrusting.refuted


def test_a_size_left_to_torch_export_need_not_be_0_either() -> None:
    shapes = {"image": {0: torch.export.Dim("B"), 2: torch.export.Dim.AUTO, 3: torch.export.Dim.AUTO(min=0, max=64)}}
    report = found(Convolves(), torch.randn(2, 1, 5, 6), dynamic_shapes=shapes)
    assert stated_conditions(report)["image[2] >= 1"] == ("not_declared", "for 0")
    of_each = (
        "nothing checks the former at run time, and where the latter was tried, the model itself raises (--distrust)"
    )
    assert of_each in " ".join(report.text().split())
    named = {"image": {0: torch.export.Dim("B"), 2: torch.export.Dim("H", min=0), 3: torch.export.Dim("W", min=0)}}
    report = found(Convolves(), torch.randn(2, 1, 5, 6), dynamic_shapes=named)
    assert report.refuted and all(outside != "not_declared" for outside, _ in stated_conditions(report).values())


def test_a_number_in_the_code_is_no_size_of_the_model() -> None:
    report = found(TwoRows(), torch.randn(2, 5))
    assert report.refuted
    assert all(outside != "not_declared" for outside, _ in stated_conditions(report).values())
    assert "reshape needs (x[0]*x[1]) % 2 == 0" in report.text()


def test_equal_sizes_of_one_argument_are_a_finding() -> None:
    report = found(Turned(), torch.randn(3, 3))
    assert report.refuted or report.fails_outside


def test_an_extent_of_one_in_the_example_is_dynamic() -> None:
    report = found(Halves(), torch.randn(1, 4, 6))
    assert "x[1] % 2 == 0" in report.text()
    assert "x[0]" not in stated_conditions(report)
    assert not any(condition.startswith("x[0] == ") for condition in stated_conditions(report))


def test_weights_that_hold_nothing_leave_the_exporters_numbers() -> None:
    with torch.device("meta"):
        module = Halves()
    report = found(module, torch.randn(2, 4, 6, device="meta"))
    assert stated_conditions(report)["x[2] == 6"] == ("not_declared", "")
    assert "fixed      x[2] == 6: not declared" in report.text()
    assert "the model itself raises" not in " ".join(report.text().split())


def test_implied_requirements_are_not_assumed_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``x[2] >= 1`` follows from what the convolution needs, ``x[1] == 2`` does not."""
    (tmp_path / "short.py").write_text(
        "import torch\n\n\ndef make():\n    return torch.nn.Conv1d(2, 4, 3), (torch.zeros(2, 2, 8),)\n"
    )
    assert main(["check", "--level", "torch", str(tmp_path / "short.py:make")]) == 1
    out = capsys.readouterr().out
    assert "not empty  input[2] >= 1: not declared" in out
    assert "safe with  --assume 'input[2] >= 3' --assume 'input[1] == 2'\n" in out


def test_static_inputs_have_no_dynamic_sizes() -> None:
    report = found(Halves(), torch.randn(2, 4, 6), dynamic_shapes={})
    assert not report.refuted
    assert "no size is dynamic" in report.text()


def test_the_command_takes_a_pair_as_the_function_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "halves.py").write_text(
        "import torch\n\n\nclass Halves(torch.nn.Module):\n    def forward(self, x):\n        half = x.shape[1] // 2\n"
        "        return x[:, :half] + x[:, half:]  # bug\n\n\n"
        "def make():\n    return Halves(), (torch.zeros(2, 4),)\n"
    )
    assert main(["check", str(tmp_path / "halves.py:make")]) == 1
    out = capsys.readouterr().out
    assert "halves.py:7: error: add needs x[1] % 2 == 0" in out
