"""The transformer block that transformer.py and transformer_stablehlo.py export."""

import math

import torch
from torch import Tensor, nn

WIDTH = 8
HEADS = 2


class EncoderBlock(nn.Module):
    """Pre-norm self-attention and an MLP, each with a residual, on [B, S, 8] with an additive mask and positions.

    The mask is [B, 1, S, S] and the positions are [B, S, 8], both given by the caller: nothing in the lowered file says
    that their sizes agree with the tokens, so each meeting point is checked when the program runs.
    """

    def __init__(self) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(WIDTH)
        self.query = nn.Linear(WIDTH, WIDTH)
        self.key = nn.Linear(WIDTH, WIDTH)
        self.value = nn.Linear(WIDTH, WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.norm2 = nn.LayerNorm(WIDTH)
        self.widen = nn.Linear(WIDTH, 2 * WIDTH)
        self.narrow = nn.Linear(2 * WIDTH, WIDTH)

    def heads(self, x: Tensor) -> Tensor:
        batch, length, _ = x.shape
        return x.view(batch, length, HEADS, WIDTH // HEADS).transpose(1, 2)

    def forward(self, tokens: Tensor, positions: Tensor, mask: Tensor) -> Tensor:
        x = tokens + positions
        normed = self.norm1(x)
        query, key, value = self.heads(self.query(normed)), self.heads(self.key(normed)), self.heads(self.value(normed))
        scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(WIDTH // HEADS)
        attended = torch.matmul(torch.softmax(scores + mask, dim=-1), value)
        batch, length, _ = x.shape
        x = x + self.out(attended.transpose(1, 2).reshape(batch, length, WIDTH))
        return x + self.narrow(torch.relu(self.widen(self.norm2(x))))
