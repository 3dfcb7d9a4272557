"""Transformers and networks for images in plain PyTorch, as people write them, with random weights.

Each function is what ``shapesolve check benchmarks/models/plain_models.py:decoder`` names. The environment variable
MODEL_LAYERS is the number of layers (2 where it is not set).

`decoder` and `encoder` apply ``nn.Linear`` to ``[B, T, E]``, which torch-mlir by default decomposes into views of
``[B*T, E]``; its lowering of these to linalg takes ``T`` for 1, where the exporter states that it is at least 2.
`decoder_batched` and `encoder_batched` are the same models with the linear layers as products of batches of matrices,
which need no such view, and nothing contradicts.
"""

# pyright: basic, reportMissingImports=false

from __future__ import annotations

import math
import os
from typing import Any

import torch
from torch import Tensor, nn
from torch.export import Dim
from torch.nn import functional

LAYERS = int(os.environ.get("MODEL_LAYERS", "2"))
WIDTH, HEADS, WORDS, LONGEST = 32, 4, 100, 128


class Affine(nn.Module):
    """A linear layer over the last dimension of ``[B, T, E]``, PyTorch's or a product of ``batched`` matrices."""

    def __init__(self, into: int, out: int, *, batched: bool) -> None:
        super().__init__()
        self.linear, self.batched = nn.Linear(into, out), batched

    def forward(self, x: Tensor) -> Tensor:
        if not self.batched:
            return self.linear(x)
        weight = self.linear.weight.t()
        return torch.bmm(x, weight.expand(x.shape[0], *weight.shape)) + self.linear.bias


class Attention(nn.Module):
    """Several heads, made by ``view`` and ``transpose``."""

    def __init__(self, *, causal: bool, batched: bool) -> None:
        super().__init__()
        self.all, self.out = Affine(WIDTH, 3 * WIDTH, batched=batched), Affine(WIDTH, WIDTH, batched=batched)
        self.causal = causal

    def forward(self, x: Tensor) -> Tensor:
        b, t, e = x.shape
        q, k, v = (self._heads(each, b, t) for each in self.all(x).split(WIDTH, dim=2))
        scores = q @ k.transpose(-2, -1) / math.sqrt(WIDTH // HEADS)
        if self.causal:
            scores = scores.masked_fill(torch.ones(t, t, dtype=torch.bool).triu(1), float("-inf"))
        mixed = functional.softmax(scores, dim=-1) @ v
        return self.out(mixed.transpose(1, 2).contiguous().view(b, t, e))

    def _heads(self, x: Tensor, b: int, t: int) -> Tensor:
        return x.view(b, t, HEADS, WIDTH // HEADS).transpose(1, 2)


class Layer(nn.Module):
    """Attention and two linear layers, each beside what came in, normalised before."""

    def __init__(self, *, causal: bool, batched: bool) -> None:
        super().__init__()
        self.before_attention, self.before_rest = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attention = Attention(causal=causal, batched=batched)
        self.wide, self.narrow = Affine(WIDTH, 4 * WIDTH, batched=batched), Affine(4 * WIDTH, WIDTH, batched=batched)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attention(self.before_attention(x))
        return x + self.narrow(functional.gelu(self.wide(self.before_rest(x))))


class Decoder(nn.Module):
    """Like GPT-2: token ids ``[B, T]`` to logits."""

    def __init__(self, *, batched: bool) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, WIDTH), nn.Embedding(LONGEST, WIDTH)
        self.layers = nn.ModuleList(Layer(causal=True, batched=batched) for _ in range(LAYERS))
        self.last, self.head = nn.LayerNorm(WIDTH), Affine(WIDTH, WORDS, batched=batched)

    def forward(self, ids: Tensor) -> Tensor:
        x = self.words(ids) + self.places(torch.arange(ids.shape[1]))
        for layer in self.layers:
            x = layer(x)
        return self.head(self.last(x))


class Encoder(nn.Module):
    """States ``[B, T, E]`` to states."""

    def __init__(self, *, batched: bool) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer(causal=False, batched=batched) for _ in range(LAYERS))

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x)
        return x


class Patches(nn.Module):
    """Like ViT: images ``[B, 3, H, W]`` in patches, with places that are resized to as many as there are."""

    PATCH, SIDE = 4, 8

    def __init__(self) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, WIDTH, self.PATCH, self.PATCH)
        self.places = nn.Parameter(torch.randn(1, WIDTH, self.SIDE, self.SIDE))
        self.layers = nn.ModuleList(Layer(causal=False, batched=False) for _ in range(LAYERS))
        self.first = nn.Parameter(torch.randn(1, 1, WIDTH))
        self.last, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 10)

    def forward(self, image: Tensor) -> Tensor:
        x = self.patches(image)
        places = functional.interpolate(self.places, size=x.shape[-2:], mode="bicubic", align_corners=False)
        x = (x + places).flatten(2).transpose(1, 2)
        x = torch.cat([self.first.expand(x.shape[0], -1, -1), x], 1)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.last(x)[:, 0])


def resized(x: Tensor, height: int, width: int) -> Tensor:
    """Resize ``[B, C, H, W]`` bilinearly, by places computed in floats, as interpolation is usually written."""
    for dim, wanted in ((2, height), (3, width)):
        has = x.shape[dim]
        place = ((torch.arange(wanted, dtype=torch.float32) + 0.5) * (has / wanted) - 0.5).clamp(min=0)
        low = place.to(torch.int64).clamp(max=has - 1)
        part = (place - low).view(-1, *[1] * (3 - dim))
        x = x.index_select(dim, low) * (1 - part) + x.index_select(dim, (low + 1).clamp(max=has - 1)) * part
    return x


class Segments(nn.Module):
    """Like LR-ASPP: features at two strides, weighed by those of the whole image, joined and resized to the image."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, WIDTH, 3, 2, 1)
        self.low = nn.ModuleList(nn.Conv2d(WIDTH, WIDTH, 3, 1, 1) for _ in range(LAYERS))
        self.down = nn.Conv2d(WIDTH, WIDTH, 3, 2, 1)
        self.high = nn.ModuleList(nn.Conv2d(WIDTH, WIDTH, 3, 1, 2, dilation=2) for _ in range(LAYERS))
        self.weigh, self.first, self.second = nn.Conv2d(WIDTH, WIDTH, 1), nn.Conv2d(WIDTH, 4, 1), nn.Conv2d(WIDTH, 4, 1)

    def forward(self, image: Tensor) -> Tensor:
        x = self.stem(image)
        for each in self.low:
            x = x + functional.relu(each(x))
        high = self.down(x)
        for each in self.high:
            high = high + functional.relu(each(high))
        whole = torch.sigmoid(self.weigh(functional.adaptive_avg_pool2d(high, 1)))
        joined = self.first(x) + self.second(resized(high * whole, x.shape[2], x.shape[3]))
        return resized(joined, image.shape[2], image.shape[3])


def _ids() -> Any:
    b, t = Dim("B", min=1, max=64), Dim("T", min=2, max=LONGEST)
    return (torch.zeros(2, 7, dtype=torch.int64),), ({0: b, 1: t},)


def _states() -> Any:
    b, t = Dim("B", min=1, max=64), Dim("T", min=2, max=LONGEST)
    return (torch.zeros(2, 7, WIDTH),), ({0: b, 1: t},)


def decoder() -> Any:
    """The decoder whose lowering contradicts what its exporter states."""
    return Decoder(batched=False).eval(), *_ids()


def decoder_batched() -> Any:
    """The decoder without the contradiction."""
    return Decoder(batched=True).eval(), *_ids()


def encoder() -> Any:
    """The encoder whose lowering contradicts what its exporter states."""
    return Encoder(batched=False).eval(), *_states()


def encoder_batched() -> Any:
    """The encoder without the contradiction."""
    return Encoder(batched=True).eval(), *_states()


def patches() -> Any:
    """Images of all sizes."""
    b, h, w = Dim("B", min=1, max=64), Dim("h", min=2, max=64), Dim("w", min=2, max=64)
    return Patches().eval(), (torch.zeros(2, 3, 32, 40),), ({0: b, 2: 4 * h, 3: 4 * w},)


def segments() -> Any:
    """Images of all sizes from 5 on."""
    b, h, w = Dim("B", min=1, max=64), Dim("H", min=5, max=1024), Dim("W", min=5, max=1024)
    return Segments().eval(), (torch.zeros(2, 3, 33, 40),), ({0: b, 2: h, 3: w},)
