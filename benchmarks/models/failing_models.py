"""Models that fail at sizes which their export admits, or excludes only by an unchecked fact.

docs/models.md shows how each of them fails. They are written as users write models.
"""

# pyright: basic, reportMissingImports=false

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.export import Dim


class LastToken(nn.Module):
    """Classifies a sequence by its last token."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(50, 16)
        self.head = nn.Linear(16, 4)

    def forward(self, ids: Tensor) -> Tensor:
        return self.head(self.words(ids)[:, -1])


def last_token() -> Any:
    """Token ids of any length up to 128: there is no last one of none."""
    return (
        LastToken().eval(),
        (torch.zeros(2, 5, dtype=torch.int64),),
        {"ids": {0: Dim("B", max=64), 1: Dim("T", max=128)}},
    )


class Positions(nn.Module):
    """Adds a learned position to every step."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(32, 8)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table(torch.arange(x.shape[1]))


def positions() -> Any:
    """Sequences of up to 64, with a table of 32: the exporter does not look into it."""
    return Positions().eval(), (torch.zeros(2, 6, 8),), {"x": {0: Dim("B", max=64), 1: Dim("T", max=64)}}


class SelfAttention(nn.Module):
    """PyTorch's own attention."""

    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(16, 2, batch_first=True)

    def forward(self, x: Tensor) -> Tensor:
        return self.attention(x, x, x, need_weights=False)[0]


def attention() -> Any:
    """Batches of sequences: what torch-mlir makes of them is right for one sequence only."""
    return SelfAttention().eval(), (torch.zeros(2, 6, 16),), {"x": {0: Dim("B", max=64), 1: Dim("T", min=1, max=128)}}


class Parts(nn.Module):
    """Averages a sequence over four parts."""

    def forward(self, x: Tensor) -> Tensor:
        return nn.functional.adaptive_avg_pool1d(x, 4)


def parts() -> Any:
    """Sequences of 8 to 512: of 14, with which they are exported, four parts overlap; of 8 they do not."""
    return Parts().eval(), (torch.zeros(2, 8, 14),), {"x": {0: Dim("B", max=64), 2: Dim("T", min=8, max=512)}}
