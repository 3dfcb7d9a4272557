"""Runs of a model are evidence of one claim: what raises elsewhere, or for another condition, confirms nothing."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from shapesolve.cli.main import main

pytest.importorskip("torch")

pytestmark = [pytest.mark.slow, pytest.mark.frontends]

ROTARY = """\
import torch
from torch.export import Dim


class Rotary(torch.nn.Module):
    def forward(self, x):
        b, t, _, _ = x.shape
        table = torch.ones(2 * (t // 2), 1, 8)
        q = x * table
        q = q.flatten(2)
        return q.reshape(b, t, 16)


def make():
    return Rotary(), (torch.randn(2, 6, 2, 8),), ({0: Dim("B"), 1: Dim.AUTO},)
"""

JOINED = """\
import torch
from torch.export import Dim


class Joined(torch.nn.Module):
    def forward(self, x, y):
        h = x.reshape(x.shape[0], x.shape[1] // 2, 2).sum(-1)
        return torch.cat((h, y), 1)


def make():
    sizes = {0: Dim.AUTO, 1: Dim.AUTO}
    return Joined(), (torch.randn(4, 6), torch.randn(4, 5)), (sizes, sizes)
"""

EDGES = """\
import torch
from torch.export import Dim


class Edges(torch.nn.Module):
    def forward(self, nodes, edges, weight):
        sources = nodes[2 * edges[0]].sum(-1)
        sources = sources * weight[: nodes.shape[0]]
        return torch.zeros(nodes.shape[0]).index_add(0, edges[1], sources)


def make():
    n, e = Dim("N", min=1, max=100), Dim("E", max=1000)
    inputs = torch.randn(13, 6), torch.tensor([[6, 5, 6], [5, 6, 5]]), torch.randn(3)
    return Edges(), inputs, {"nodes": {0: n}, "edges": {1: e}, "weight": {0: e}}
"""

VALIDATED = """\
import torch
from torch.export import Dim


class Validated(torch.nn.Module):
    def validate(self, x):
        if not torch.compiler.is_compiling() and x.shape[1] % 4:
            raise ValueError("four frames make a step")

    def forward(self, x):
        self.validate(x)
        return x.reshape(x.shape[0], x.shape[1] // 3, 3, 8)


def make():
    return Validated(), (torch.randn(2, 12, 8),), ({0: Dim("B"), 1: Dim("T")},)
"""

BEAM = """\
import torch
from torch.export import Dim


class Beam(torch.nn.Module):
    def forward(self, scores, logits):
        total = scores[..., None] + torch.log_softmax(logits, -1)
        return torch.topk(total.amax(1), scores.shape[1])


def make():
    sizes = {0: Dim.AUTO, 1: Dim.AUTO}
    return Beam(), (torch.randn(2, 3), torch.randn(2, 3, 50)), (sizes, {**sizes, 2: Dim.AUTO})
"""

STEPS = """\
import torch
from torch.export import Dim


class Steps(torch.nn.Module):
    def __init__(self, stride):
        super().__init__()
        self.stride = stride

    def forward(self, words, letters):
        total = words[:, 0]
        for step in range(1, words.shape[1]):
            total = total + words[:, step]
        every = torch.zeros(1, words.shape[1], 1) + total[:, None]
        return every + letters.unfold(1, 3, self.stride).sum(-1)


def made(stride, t):
    size = Dim("T", min=1, max=64)
    inputs = torch.randn(2, t, 8), torch.randn(2, 3 * t, 8)
    return Steps(stride), inputs, {"words": {1: size}, "letters": {1: 3 * size}}


def right():
    return made(3, 5)


def wrong():
    return made(2, 1)
"""

PAIRS = """\
import torch
from torch.export import Dim
from torch.nn import functional


class Pairs(torch.nn.Module):
    def forward(self, images, texts):
        images, texts = functional.normalize(images, dim=-1), functional.normalize(texts, dim=-1)
        scores, right = images @ texts.T * 10, torch.arange(images.shape[0])
        loss = functional.cross_entropy(scores, right)
        return loss + functional.cross_entropy(scores.T, right)


def make():
    return Pairs(), (torch.randn(4, 16), torch.randn(4, 16)), ({0: Dim("B")}, {0: Dim("G")})
"""

CACHED = """\
import torch
from torch.export import Dim


class Cached(torch.nn.Module):
    def forward(self, x, past):
        rows = torch.cat([past, x], 1)[:, -16:]
        count = past.shape[1] + x.shape[1]
        scores = x @ rows.transpose(1, 2)
        return scores + torch.ones(count)


def make():
    p = Dim("P", min=2, max=40)
    return Cached(), (torch.ones(2, 3, 8), torch.ones(2, 5, 8)), ({0: Dim("B")}, {0: Dim("B"), 1: p})
"""

DISTANCES = """\
import torch
from torch.export import Dim


class Distances(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Parameter(torch.ones(2, 9))

    def forward(self, q, k):
        distance = torch.arange(q.shape[1])[:, None] - torch.arange(k.shape[1])
        return self.table[:, distance + 4]


def make():
    return Distances(), (torch.ones(2, 3), torch.ones(2, 4)), ({1: Dim("T", max=20)}, {1: Dim("U", max=9)})
"""

INVERTED = """\
import torch
from torch.export import Dim


class Inverted(torch.nn.Module):
    def forward(self, x):
        rows = torch.ones(x.shape[0]).cumsum(0).long() - 1
        return torch.linalg.inv_ex(x, check_errors=True)[0][rows]


def make():
    size = Dim("T", max=9)
    return Inverted(), (torch.eye(3),), ({0: size, 1: size},)
"""

TWO_INDICES = """\
import torch
from torch.export import Dim


class Chosen(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        rows, others = torch.ones(n).cumsum(0).long() - 1, torch.ones(n).cumsum(0).long() + 3 * (2 // n)
        return x[rows] + torch.ones(5)[others]


def make():
    return Chosen(), (torch.ones(3),), ({0: Dim("T", min=2, max=4)},)
"""


def words(out: str) -> str:
    return " ".join(out.split())


def executed(module: str, call: str) -> subprocess.CompletedProcess[str]:
    """Run a call of a model as a reader would who pastes it."""
    code = f"import torch; from {module} import make; {call}"
    return subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)


def test_an_error_of_another_line_confirms_no_claim(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rotary.py").write_text(ROTARY)
    assert main(["check", "rotary.py:make", "--level", "torch"]) == 1
    (first, *others) = words(capsys.readouterr().out).split(": error: ")[1:]
    assert first.startswith("mul needs ") and "not confirmed" not in first and "(at rotary.py:9)" in first
    flattened = [each for each in others if each.startswith("flatten ")]
    assert flattened
    for each in flattened:
        assert "original not confirmed for this claim: the model itself, run by its framework, raises" in each
        assert "(at rotary.py:11)" in each


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (CACHED, 10, "the model fails for some sizes where P <= 12 is false"),
        (DISTANCES, 12, "an element of the result of add (line 12) is out of the bounds"),
    ],
)
def test_the_line_that_raises_is_the_finding(
    text: str, line: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It raises behind what its export excludes, and a claim before it; or of integers that are not followed."""
    monkeypatch.chdir(tmp_path)
    Path("model.py").write_text(text)
    assert main(["check", "model.py", "--level", "torch"]) == 1
    (found,) = words(capsys.readouterr().out).split(": error: ")[1:]
    assert said in found and f"(at model.py:{line})" in found and "not confirmed" not in found
    call = re.search(r"reproduce (make\(\)\[0\]\(.*?\)\))", found)
    assert call is not None and executed("model", call[1]).returncode


@pytest.mark.parametrize(
    ("text", "error"), [(INVERTED, "input matrix is singular"), (TWO_INDICES, "index 5 is out of")]
)
def test_a_line_with_other_reasons_to_raise_refutes_no_claim(
    text: str, error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The index that is not followed is right: our own contents have no inverse, or another index is wrong."""
    monkeypatch.chdir(tmp_path)
    Path("model.py").write_text(text)
    assert main(["check", "model.py", "--level", "torch"]) == 3
    out = words(capsys.readouterr().out)
    assert ": error: " not in out and error in out


def test_a_condition_of_the_exporter_is_shown_with_its_own_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """``x[1] >= 4`` was called the reason of what ``cat`` raises for unequal batches."""
    monkeypatch.chdir(tmp_path)
    Path("joined.py").write_text(JOINED)
    assert main(["check", "joined.py:make", "--level", "torch"]) == 1
    out = words(capsys.readouterr().out)
    (finding,) = out.split("joined.py:8: error: ")[1:]
    assert finding.startswith("the model fails where x[0] == y[0] is false ")
    assert "Sizes of tensors must match except in dimension 1" in finding and "not confirmed" not in finding
    call = finding.split(" reproduce ")[1].split(" export ")[0]
    run = executed("joined", call)
    assert run.returncode == 1 and "Sizes of tensors must match except in dimension 1" in run.stderr


def test_indices_of_the_example_hide_no_failure_behind_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The example's indices are out of range where there are fewer nodes, which is before the claim on sizes."""
    monkeypatch.chdir(tmp_path)
    Path("edges.py").write_text(EDGES)
    assert main(["check", "edges.py:make", "--level", "torch"]) == 1
    (finding,) = words(capsys.readouterr().out).split(": error: ")[1:]
    assert finding.startswith("mul needs N >= E or N == 1 ") and "not confirmed" not in finding
    call = finding.split(" reproduce ")[1].split(" edges.py")[0]
    assert "torch.zeros(2, 3, dtype=torch.int64)" in call
    run = executed("edges", call)
    assert run.returncode == 1 and "must match the size of tensor b (2)" in run.stderr


def test_other_sizes_are_searched_where_the_model_raises_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """At the smallest sizes the model refuses its input at a line that no export shows."""
    monkeypatch.chdir(tmp_path)
    Path("validated.py").write_text(VALIDATED)
    assert main(["check", "validated.py:make", "--level", "torch"]) == 1
    finding, *_ = words(capsys.readouterr().out).split(": error: ")[1:]
    assert finding.startswith("reshape needs T % 3 == 0 ") and "not confirmed" not in finding
    assert "fails at x: 2x4x8 " in finding and "(at validated.py:12)" in finding
    call = finding.split(" reproduce ")[1].split(" safe ")[0]
    run = executed("validated", call)
    assert run.returncode == 1 and "shape '[2, 1, 3, 8]' is invalid" in run.stderr


def test_what_holds_for_the_exported_program_alone_is_not_said_of_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The program takes the beams of ``logits`` for those of ``scores``, which the model's ``topk`` is asked for."""
    monkeypatch.chdir(tmp_path)
    Path("beam.py").write_text(BEAM)
    assert main(["check", "beam.py:make", "--level", "torch"]) == 1
    page, _, export = words(capsys.readouterr().out).partition("beam.py:8: error: the model fails ")
    assert "topk needs logits[2] >= logits[1] " in page and "any scores" not in page
    assert "logits[1] == scores[1]" in page[page.index("safe with") :]
    assert export.startswith("for some sizes where logits[1] == scores[1] is false ")
    call = export.split(" reproduce ")[1].split(" not ")[0].split(" export ")[0]
    run = executed("beam", call)
    assert run.returncode == 1 and "selected index k out of range" in run.stderr


def test_a_size_that_the_export_fixes_in_one_place_is_fixed_in_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The right model was refuted with two letters a word, where ``letters`` is declared to have three."""
    monkeypatch.chdir(tmp_path)
    Path("steps.py").write_text(STEPS)
    assert main(["check", "steps.py:right", "--level", "torch"]) == 0
    assert "the export only admits T == 5" in words(capsys.readouterr().out)
    assert main(["check", "steps.py:wrong", "--level", "torch"]) == 1
    finding = words(capsys.readouterr().out).partition("steps.py:15: ")[2]
    assert finding.startswith("error: the model fails for some sizes where T == 1 is false [exporter-model-fails] ")
    assert "fails at words: 2x3x8, letters: 2x9x8 " in finding


def test_a_condition_of_the_exporter_is_shown_at_usual_sizes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An empty batch of images and one text were shown, at which a claim of the program had been tried.

    The lowering was said to fail where there are more images than texts, as the model itself does.
    """
    monkeypatch.chdir(tmp_path)
    Path("pairs.py").write_text(PAIRS)
    assert main(["check", "pairs.py:make"]) == 1
    finding = words(capsys.readouterr().out).partition("pairs.py:11: ")[2]
    assert finding.startswith("error: the model fails where B == G is false [exporter-model-fails] ")
    assert "fails at images: 2x16, texts: 3x16 " in finding
    assert re.search(r"not your model \(linalg\): (\d+) checks of sizes: \1 proved$", finding)


ROWS = """\
import torch
from torch.export import Dim


class Rows(torch.nn.Module):
    def forward(self, x):
        return x + x[:, :6].flip(1)


def make():
    return Rows(), (torch.zeros(2, 6),), {"x": {0: Dim("B", min=2), 1: Dim("N", max=64)}}
"""


def test_a_fixed_size_is_tried_on_both_sides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The model returns for all fewer rows than the export has: only those were run, and it ended in exit code 0."""
    monkeypatch.chdir(tmp_path)
    Path("rows.py").write_text(ROWS)
    assert main(["check", "rows.py:make", "--level", "torch"]) == 1
    finding = words(capsys.readouterr().out).partition("rows.py:7: ")[2]
    assert finding.startswith("error: the model fails for some sizes where N == 6 is false [exporter-model-fails] ")
    assert "fails at x: 2x7 " in finding


PLACES = """\
import torch
from torch.export import Dim


class Places(torch.nn.Module):
    def forward(self, x):
        h, w = x.shape[0] // 4, x.shape[1] // 4
        rows, columns = torch.ones(50, 3)[:h], torch.ones(50, 5)[:w]
        places = torch.cat((columns[None].repeat(h, 1, 1), rows[None].repeat(w, 1, 1)), -1)
        return x[::4, ::4].flatten()[:, None] + places.flatten(0, 1)


def make():
    h, w = Dim("H", max=50), Dim("W", max=50)
    return Places(), (torch.zeros(16, 16),), {"x": {0: 4 * h, 1: 4 * w}}
"""


def test_sizes_that_are_declared_in_multiples_tell_of_a_condition(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The line below was refuted instead, and the failure was one of ``H != 1`` at sizes that are not equal."""
    monkeypatch.chdir(tmp_path)
    Path("places.py").write_text(PLACES)
    assert main(["check", "places.py:make", "--level", "torch"]) == 1
    printed = words(capsys.readouterr().out)
    assert printed.count("error: ") == 1
    finding = printed.partition("places.py:9: ")[2]
    assert finding.startswith("error: the model fails where H == W is false [exporter-model-fails] ")
    assert "not confirmed" not in finding


CHUNKS = """\
import torch
from torch.export import Dim


class Chunks(torch.nn.Module):
    def forward(self, x):
        b, t, d = x.shape
        later = (x[:, 1:] + torch.ones(d)).sum(1)
        more = 4 - t % 4 if t > 4 else 0
        x = torch.nn.functional.pad(x, (0, 0, 0, more))
        return x.view(b, (t + more) // 4, 4, d), later


def make():
    return Chunks(), (torch.zeros(2, 6, 3),), {"x": {0: Dim("B", min=1, max=8), 1: Dim("T", min=1, max=64)}}
"""


def test_a_failure_is_shown_with_the_condition_that_alone_excludes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was shown with ``T != 2``, which excludes one of the sizes that the branch excludes."""
    monkeypatch.chdir(tmp_path)
    Path("chunks.py").write_text(CHUNKS)
    assert main(["check", "chunks.py:make", "--level", "torch"]) == 1
    finding = words(capsys.readouterr().out).partition("chunks.py:11: ")[2]
    assert finding.startswith("error: the model fails for some sizes where T >= 5 is false [exporter-model-fails] ")
    assert "not confirmed" not in finding
