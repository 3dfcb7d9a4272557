"""The failures that docs/models.md shows: each is found by the command, happens when the lowered program runs, and is
put beside what PyTorch does."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapesolve.cli.main import main

pytest.importorskip("torch")

pytestmark = [pytest.mark.slow, pytest.mark.frontends]

MODELS = Path(__file__).parents[2] / "benchmarks" / "models"
FAILED = "stopped here"
OURS = "failing_models.py"


@pytest.mark.parametrize(
    ("model", "options", "code", "parts"),
    [
        (
            f"{OURS}:last_token",
            [],
            1,
            [
                "in LastToken: ",
                "return self.head(self.words(ids)[:, -1])",
                "fails at ids: 2x0 ",
                "raises IndexError",
            ],
        ),
        (
            f"{OURS}:positions",
            [],
            1,
            ["fails at x: 1x33x8 ", "T <= 64", "raises IndexError: index out of range in self"],
        ),
        (
            f"{OURS}:attention",
            ["--no-decompose"],
            0,
            ["needs B == 1", "returns [2, 2, 16]", "in attention: return self.attention"],
        ),
        (
            f"{OURS}:parts",
            ["--level", "linalg"],
            1,
            ["x: 1x8x8", "returns [1, 8, 4]"],
        ),
        (
            "vision_models.py:unet",
            ["--no-decompose", "--distrust", "--level", "linalg"],
            1,
            [
                "needs image[2] % 8 == 0",
                "raises RuntimeError: Sizes of tensors must match",
            ],
        ),
        (
            "transformer_models.py:bert",
            [],
            0,
            ["not your model (linalg)", "in model.embeddings.LayerNorm", "returns [2, 2, 64]"],
        ),
    ],
)
def test_a_planted_model_exits_with_its_code_and_message(
    model: str, options: list[str], code: int, parts: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    if model.startswith("transformer"):
        pytest.importorskip("transformers")
    ended = main(["check", f"{MODELS / model}", "--execute-original", *options])
    found = capsys.readouterr()
    text = " ".join(found.out.split())
    assert ended == code
    assert "original the model itself, run by its framework" in text
    raises = "run by its framework, raises" in text
    assert (FAILED in text) is not raises  # where the model itself raises, that is shown in place of the lowered run
    assert not [each for each in parts if each not in text]
