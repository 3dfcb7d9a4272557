"""Models that the tests export. Each function here is what ``torch_models.py:NAME`` names on a command line."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch.export import Dim


class Heads(torch.nn.Module):
    """Splits heads, adds a shifted second input, joins them."""

    def __init__(self) -> None:
        super().__init__()
        self.lin = torch.nn.Linear(8, 24)
        self.register_buffer("table", torch.arange(40))

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        b, t, _ = x.shape
        q = self.lin(x).view(b, t, 3, 8)
        return q[:, :, 0] + y[:, 1:]


class Block(torch.nn.Module):
    """Module inside of another."""

    def __init__(self) -> None:
        super().__init__()
        self.attn = Heads()

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return self.attn(x, y)


def block() -> Any:
    """Return a model of two inputs whose lengths differ by one."""
    b, t = Dim("B", min=1, max=64), Dim("T", min=2, max=128)
    return Block(), (torch.zeros(2, 5, 8), torch.zeros(2, 6, 8)), {"x": {0: b, 1: t}, "y": {0: b, 1: t + 1}}


def program() -> Any:
    """The same, exported already."""
    model, inputs, shapes = block()
    return torch.export.export(model, inputs, dynamic_shapes=shapes)


class Wide(torch.nn.Module):
    """Forty million parameters and one that sizes are compared with."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.empty(20_000, 2_000))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x @ self.weight


def wide() -> Any:
    """Return a model with a weight too large to print."""
    return Wide(), (torch.zeros(2, 20_000),), {"x": {0: Dim("B")}}


class Halves(torch.nn.Module):
    """Adds the two halves of its input: wrong where the length is odd, which the export does not forbid."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        half = x.shape[0] // 2
        return x[:half] + x[half:]


def even() -> Any:
    """Return a model with a relation between sizes that the exporter states as a fact."""
    return Halves(), (torch.zeros(6),), {"x": {0: 2 * Dim("h", min=1, max=50)}}


def raises() -> Any:
    """Raise an error instead of returning a model."""
    raise ValueError("no weights here")


def number() -> Any:
    """Return a number instead of a model."""
    return 3


class Positions(torch.nn.Module):
    """Has a buffer that is not saved with the weights, as tables of positions mostly are."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("positions", torch.arange(40), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.positions[: x.shape[1]]


def positions() -> Any:
    """Sequences of up to 40."""
    return Positions(), (torch.zeros(2, 7),), {"x": {0: Dim("B", max=64), 1: Dim("T", max=40)}}


class Words(torch.nn.Module):
    """Looks rows up and multiplies them: its lowering takes a length for 1, at the place of the look-up."""

    def __init__(self) -> None:
        super().__init__()
        self.words = torch.nn.Embedding(100, 8)
        self.linear = torch.nn.Linear(8, 8)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return self.linear(self.words(ids))


def words() -> Any:
    """Return a model whose ids depend on data, not on sizes."""
    b, t = Dim("B", min=1, max=64), Dim("T", min=2, max=64)
    return Words(), (torch.zeros(2, 5, dtype=torch.int64),), {"ids": {0: b, 1: t}}


class Settled(torch.nn.Module):
    """Takes one length for a number, and compares the other with it."""

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.relu(x).view(-1, int(x.shape[0]) * 2) + y


def settled() -> Any:
    """Asked to find out what is dynamic, torch.export settles one length, and says nothing."""
    free = {0: Dim.AUTO, 1: Dim.AUTO}
    return Settled(), (torch.zeros(5, 8), torch.zeros(4, 10)), {"x": free, "y": free}


class Sum(torch.nn.Module):
    """Module that compares the lengths of two tensors."""

    def forward(self, x: torch.Tensor, y: list[torch.Tensor]) -> torch.Tensor:
        return x + y[0]


def twice(*, marked: bool = False) -> Any:
    """Return a model whose example has the same tensor in two places."""
    x, t, s = torch.zeros(5, 8), Dim("T", min=2, max=9), Dim("S", min=2, max=9)
    if not marked:
        return Sum(), (x, [x]), {"x": {0: t}, "y": [{0: s}]}
    shapes = torch.export.ShapesCollection()
    shapes[x] = {0: t}
    return Sum(), (x, [x]), shapes


def twice_marked() -> Any:
    """The same, with one name said of the tensor itself."""
    return twice(marked=True)


def twice_exported() -> Any:
    """The same, exported already, as PyTorch does it."""
    model, inputs, shapes = twice()
    return torch.export.export(model, inputs, dynamic_shapes=shapes)


class Blocks(torch.nn.Module):
    """Pads a sequence to a multiple of eight."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.pad(x, (0, (8 - x.shape[1] % 8) % 8))


def blocks() -> Any:
    """Return a model whose padding is a remainder of a size."""
    return Blocks(), (torch.zeros(2, 13),), {"x": {0: Dim("B", min=1, max=64), 1: Dim("T", min=1, max=256)}}


class Beam(torch.nn.Module):
    """Takes apart the places of the best of all hypotheses and words: tensors of integers by a size."""

    def forward(self, scores: torch.Tensor, words: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        batch, beams, vocabulary = words.shape
        places = (scores[..., None] + words).view(batch, -1).topk(beams, -1)[1]
        return places // vocabulary, places % vocabulary


def beam() -> Any:
    """Sizes stand where operators take tensors."""
    shapes = {"scores": {0: Dim.AUTO, 1: Dim.AUTO}, "words": {0: Dim.AUTO, 1: Dim.AUTO, 2: Dim.AUTO}}
    return Beam(), (torch.zeros(2, 3), torch.zeros(2, 3, 11)), shapes


class Leading(torch.nn.Module):
    """The first rows, as many as is asked for, each in as many pieces."""

    def forward(self, x: torch.Tensor, n: int) -> torch.Tensor:
        return x[:n].view(n, -1)


def leading() -> Any:
    """An extent that is called as the integer is, which the export compares with it."""
    return Leading(), (torch.zeros(5, 4), 3), {"x": {0: Dim("n")}, "n": Dim.DYNAMIC}


class Tail(torch.nn.Module):
    """Module that joins all rows but the first with as many rows of another tensor."""

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return x[1:-1] + y


def tail() -> Any:
    """An extent that the export states with the greater of two sizes."""
    auto = Dim.AUTO
    return Tail(), (torch.zeros(6, 4), torch.zeros(4, 4)), {"x": {0: auto}, "y": {0: auto}}


class Resampled(torch.nn.Module):
    """Sizes that go through Python's floats: an image half as large again, and one between the corners of another."""

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        larger = torch.nn.functional.interpolate(x, scale_factor=1.5, mode="bilinear")
        aligned = torch.nn.functional.interpolate(larger, size=y.shape[-2:], mode="bilinear", align_corners=True)
        return aligned, x.new_zeros(math.ceil(y.shape[2] / 3))


def resampled() -> Any:
    sides = {2: Dim("H", min=4, max=1024), 3: Dim("W", min=4, max=1024)}
    others = {2: Dim("I", min=4, max=1024), 3: Dim("J", min=4, max=1024)}
    return Resampled(), (torch.zeros(1, 2, 6, 8), torch.zeros(1, 2, 7, 9)), {"x": sides, "y": others}


class Rounded(torch.nn.Module):
    """Module that takes half the columns, rounded as Python rounds, but no more than another tensor has."""

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return x.new_zeros(torch.sym_min(round(x.shape[0] * 0.5), torch.sym_max(y.shape[0], 6)))


def rounded() -> Any:
    return Rounded(), (torch.zeros(9, 4), torch.zeros(7, 4)), {"x": {0: Dim("N", min=3)}, "y": {0: Dim("M", min=3)}}


class Grouped(torch.nn.Module):
    """Normalises channels in groups; the mean of each image stays."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = torch.nn.GroupNorm(4, 8)
        self.pool = torch.nn.AdaptiveAvgPool2d(1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.pool(self.norm(x).permute(0, 2, 3, 1).contiguous().permute(0, 3, 1, 2))


def grouped() -> Any:
    """Images of any number and sides."""
    shapes = {"x": {0: Dim("B", min=1, max=8), 2: Dim("H", min=2, max=64), 3: Dim("W", min=2, max=64)}}
    return Grouped().eval(), (torch.zeros(2, 8, 6, 7),), shapes


class Biased(torch.nn.Module):
    """Looks places up in a table by a table of places, and joins what is given to a weight."""

    def __init__(self) -> None:
        super().__init__()
        self.bias = torch.nn.Parameter(torch.zeros(9, 2))
        self.first = torch.nn.Parameter(torch.zeros(1, 2))
        self.register_buffer("places", torch.arange(9).view(3, 3).T.contiguous())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cat([self.first, x + self.bias[self.places.view(-1)].sum(0), self.first])


def biased() -> Any:
    """Any number of rows."""
    return Biased(), (torch.zeros(4, 2),), {"x": {0: Dim("N", min=1, max=64)}}


class Indexed(torch.nn.Module):
    """Looks up by a table of places as it is."""

    def __init__(self) -> None:
        super().__init__()
        self.bias = torch.nn.Parameter(torch.rand(9, 9))
        self.register_buffer("places", torch.arange(9).view(3, 3).T.contiguous())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.bias[self.places, self.places].sum()


def indexed() -> Any:
    """Any number of rows."""
    return Indexed(), (torch.zeros(4, 2),), {"x": {0: Dim("N", min=1, max=64)}}


class Either(torch.nn.Module):
    """Module with a branch on data."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x * 2, (x,))


def either() -> Any:
    """Any number of rows."""
    return Either(), (torch.zeros(4, 2),), {"x": {0: Dim("N", min=2, max=64)}}
