"""More models as in ``planted_models``: of speech, images and words, and a step of a search.

The line with the bug ends with ``# bug``. Each function here is what ``planted_perception_models.py:NAME`` names.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.export import Dim
from torch.nn import functional


class Conformer(nn.Module):
    """Attends in chunks of 8 frames behind a subsampling by 4; only the right one pads the last chunk."""

    def __init__(self, *, padded: bool) -> None:
        super().__init__()
        self.padded = padded
        self.first, self.second = nn.Conv2d(1, 8, 3, 2), nn.Conv2d(8, 8, 3, 2)
        self.inward = nn.Linear(32, 16)
        self.depth = nn.Conv1d(16, 16, 7, padding=3, groups=16)

    def forward(self, mel: torch.Tensor) -> torch.Tensor:
        y = self.second(functional.relu(self.first(mel[:, None])))
        b, c, t, f = y.shape
        y = self.inward(y.transpose(1, 2).reshape(b, t, c * f))
        if self.padded:
            y = functional.pad(y, (0, 0, 0, (8 - t % 8) % 8))
        chunks = y.unflatten(1, (-1, 8))  # bug
        y = (torch.softmax(chunks @ chunks.transpose(2, 3), -1) @ chunks).flatten(1, 2)
        return y + self.depth(y.transpose(1, 2)).transpose(1, 2)


def conformer(*, padded: bool = False) -> Any:
    sizes = {0: Dim("B", min=1, max=32), 1: Dim("T", min=16, max=3000)}
    return Conformer(padded=padded).eval(), (torch.ones(2, 67, 20),), (sizes,)


def right_conformer() -> Any:
    return conformer(padded=True)


class Contrast(nn.Module):
    """The loss of pairs of images and texts, each against all of the other kind."""

    def forward(self, images: torch.Tensor, texts: torch.Tensor) -> torch.Tensor:
        scores = functional.normalize(images, dim=-1) @ functional.normalize(texts, dim=-1).T
        right = torch.arange(images.shape[0])
        by_image = functional.cross_entropy(scores[:, : images.shape[0]], right)
        return by_image + functional.cross_entropy(scores.T, right)  # bug


def contrasted() -> Any:
    b, g = Dim("B", min=2, max=64), Dim("G", min=2, max=512)
    return Contrast(), (torch.randn(4, 16), torch.randn(4, 16)), ({0: b}, {0: g})


class Beam(nn.Module):
    """A step of a beam search; only the right one chooses among the words of all beams."""

    def __init__(self, *, of_all: bool) -> None:
        super().__init__()
        self.of_all = of_all

    def forward(self, scores: torch.Tensor, logits: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        total = scores[..., None] + torch.log_softmax(logits, -1)
        total = total.flatten(1) if self.of_all else total.amax(1)
        best, place = torch.topk(total, scores.shape[1])  # bug
        return best, place % logits.shape[2]


def beam(*, of_all: bool = False) -> Any:
    b, k, v = Dim("B", min=1, max=8), Dim("K", min=1, max=16), Dim("V", min=1, max=1000)
    inputs = torch.randn(2, 3), torch.randn(2, 3, 50)
    return Beam(of_all=of_all), inputs, ({0: b, 1: k}, {0: b, 1: k, 2: v})


def right_beam() -> Any:
    return beam(of_all=True)


class Boxes(nn.Module):
    """Reads a box of each image at 7 x 7 places between its pixels."""

    def forward(self, image: torch.Tensor, boxes: torch.Tensor) -> torch.Tensor:
        step = torch.linspace(-1, 1, 7)
        x = (boxes[:, 0, None] + step * boxes[:, 2, None])[:, None].expand(-1, 7, 7)
        y = (boxes[:, 1, None] + step * boxes[:, 3, None])[:, :, None].expand(-1, 7, 7)
        return functional.grid_sample(image, torch.stack((x, y), -1), align_corners=False).amax((2, 3))


def right_boxes() -> Any:
    n = Dim("N", min=1, max=64)
    sizes = {0: n, 2: Dim("H", min=2), 3: Dim("W", min=2)}
    return Boxes(), (torch.ones(2, 4, 9, 9), torch.ones(2, 4)), (sizes, {0: n})


class Tagger(nn.Module):
    """Reads words one after the other, and the three letters of each; the export has a fixed number of words."""

    def forward(self, words: torch.Tensor, letters: torch.Tensor) -> torch.Tensor:
        total = torch.zeros_like(words[:, 0])
        seen: list[torch.Tensor] = []
        for step in range(words.shape[1]):
            total = torch.tanh(total + words[:, step])
            seen.append(total)
        return torch.cat((torch.stack(seen, 1), letters.unfold(1, 3, 3).mean(-1)), -1)


def right_tagger() -> Any:
    b, t = Dim("B", min=1, max=4), Dim("T", min=1, max=64)
    return Tagger(), (torch.ones(2, 5, 8), torch.ones(2, 15, 4)), ({0: b, 1: t}, {0: b, 1: 3 * t})


class TopDown(nn.Module):
    """Adds levels of a pyramid from the smallest up: doubled, or resized to the next one."""

    def __init__(self, *, resized: bool) -> None:
        super().__init__()
        self.resized = resized
        self.stem = nn.ModuleList(nn.Conv2d(3 if i == 0 else 4, 4, 3, stride=2, padding=1) for i in range(3))

    def merge(self, top: torch.Tensor, side: torch.Tensor) -> torch.Tensor:
        if self.resized:
            return nn.functional.interpolate(top, size=side.shape[-2:]) + side
        return nn.functional.interpolate(top, scale_factor=2.0) + side  # bug: a side of odd extents

    def forward(self, image: torch.Tensor) -> list[torch.Tensor]:
        levels: list[torch.Tensor] = []
        for block in self.stem:
            image = block(image)
            levels.append(image)
        tops = levels[-1:]
        for side in levels[-2::-1]:
            tops.append(self.merge(tops[-1], side))
        return tops


def top_down(*, resized: bool = False) -> Any:
    sizes = {2: Dim("H", min=1, max=512), 3: Dim("W", min=1, max=512)}
    return TopDown(resized=resized), (torch.zeros(1, 3, 32, 48),), (sizes,)


def right_top_down() -> Any:
    return top_down(resized=True)


class Local(nn.Module):
    """Attends in blocks of four, each to itself and to the one before it."""

    def __init__(self, *, padded: bool) -> None:
        super().__init__()
        self.padded = padded
        self.qkv = nn.Linear(8, 24)

    @staticmethod
    def blocks(x: torch.Tensor) -> torch.Tensor:
        b, t, e = x.shape
        return x.reshape(b, t // 4, 4, e)  # bug: a rest is cut off

    @staticmethod
    def with_the_one_before(x: torch.Tensor) -> torch.Tensor:
        return torch.cat((nn.functional.pad(x, (0, 0, 0, 0, 1, 0))[:, :-1], x), 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        t = x.shape[1]
        if self.padded:
            x = nn.functional.pad(x, (0, 0, 0, (4 - t % 4) % 4))
        q, k, v = (self.blocks(each) for each in self.qkv(x).chunk(3, -1))
        scores = q @ self.with_the_one_before(k).transpose(-1, -2)
        return (scores.softmax(-1) @ self.with_the_one_before(v)).flatten(1, 2)[:, :t]


def local(*, padded: bool = False) -> Any:
    return Local(padded=padded), (torch.zeros(2, 12, 8),), ({0: Dim("B"), 1: Dim("T")},)


def right_local() -> Any:
    return local(padded=True)


BUGS = ("conformer", "contrasted", "beam", "top_down", "local")
RIGHT = ("right_conformer", "right_beam", "right_boxes", "right_tagger", "right_top_down", "right_local")
