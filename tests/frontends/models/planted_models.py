"""Models with one shape bug each that shows for some sizes only, each declared by names and left to the exporter.

The line with the bug ends with ``# bug``. Each function here is what ``planted_models.py:NAME`` names.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.export import Dim
from torch.nn import functional


def declared(module: nn.Module, inputs: tuple[Any, ...], named: Any, *, automatic: bool) -> Any:
    """Return a model with its sizes by name, or with all of these left to the exporter."""
    if not automatic:
        return module.eval(), inputs, named
    free = tuple(dict.fromkeys(each, Dim.AUTO) if each else None for each in named)
    return module.eval(), inputs, free


class Cached(nn.Module):
    """Attention over a cache; the mask is made for the new tokens alone."""

    def forward(self, query: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
        scores = query @ keys.transpose(1, 2)
        mask = torch.zeros(query.shape[1], query.shape[1] + 4)
        return torch.softmax(scores + mask, -1)  # bug


def cached(*, automatic: bool = False) -> Any:
    b, t, s = Dim("B", min=1, max=8), Dim("T", min=1, max=64), Dim("S", min=1, max=128)
    named = ({0: b, 1: t}, {0: b, 1: s})
    return declared(Cached(), (torch.ones(2, 3, 8), torch.ones(2, 7, 8)), named, automatic=automatic)


class Strided(nn.Module):
    """Goes down by a convolution of stride 2 and comes up again."""

    def __init__(self) -> None:
        super().__init__()
        self.down = nn.Conv1d(4, 8, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose1d(8, 4, 2, stride=2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.up(self.down(x))  # bug


def strided(*, automatic: bool = False) -> Any:
    named = ({0: Dim("B", min=1, max=8), 2: Dim("L", min=2, max=256)},)
    return declared(Strided(), (torch.ones(2, 4, 16),), named, automatic=automatic)


class UNet(nn.Module):
    """Two levels with a skip."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(3, 4, 3, padding=1)
        self.second = nn.Conv2d(4, 4, 3, padding=1)
        self.last = nn.Conv2d(8, 1, 1)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        first = torch.relu(self.first(image))
        second = torch.relu(self.second(functional.max_pool2d(first, 2)))
        up = second.repeat_interleave(2, 2).repeat_interleave(2, 3)
        return self.last(torch.cat([first, up], 1))  # bug


def unet(*, automatic: bool = False) -> Any:
    named = ({2: Dim("H", min=4, max=256), 3: Dim("W", min=4, max=256)},)
    return declared(UNet(), (torch.ones(1, 3, 16, 12),), named, automatic=automatic)


class Pyramid(nn.Module):
    """Adds a coarse level to a fine one."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Conv2d(3, 4, 1)
        self.coarse = nn.Conv2d(3, 4, 3, stride=4, padding=1)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        coarse = self.coarse(image)
        wide = coarse.repeat_interleave(4, 2).repeat_interleave(4, 3)
        return self.fine(image) + wide  # bug


def pyramid(*, automatic: bool = False) -> Any:
    named = ({0: Dim("B", min=1, max=8), 2: Dim("H", min=4, max=256)},)
    return declared(Pyramid(), (torch.ones(2, 3, 16, 16),), named, automatic=automatic)


class Experts(nn.Module):
    """Routes tokens into equal groups."""

    def __init__(self) -> None:
        super().__init__()
        self.experts = nn.ModuleList(nn.Linear(8, 8) for _ in range(4))

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        groups = tokens.view(4, tokens.shape[0] // 4, 8)  # bug
        return torch.cat([expert(groups[number]) for number, expert in enumerate(self.experts)])


def experts(*, automatic: bool = False) -> Any:
    return declared(Experts(), (torch.ones(12, 8),), ({0: Dim("N", min=4, max=512)},), automatic=automatic)


class Graph(nn.Module):
    """Messages along edges, of which there are as many as nodes in the example."""

    def __init__(self) -> None:
        super().__init__()
        self.message = nn.Linear(8, 8)

    def forward(self, nodes: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        messages = self.message(nodes) * weights.unsqueeze(1)  # bug
        return messages.sum(0)


def graph(*, automatic: bool = False) -> Any:
    named = ({0: Dim("N", min=2, max=64)}, {0: Dim("E", min=2, max=64)})
    return declared(Graph(), (torch.ones(6, 8), torch.ones(6)), named, automatic=automatic)


class Patches(nn.Module):
    """Cuts an image into patches of 4."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Linear(48, 16)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        b, c, h, w = image.shape
        cut = image.reshape(b, c, h // 4, 4, w // 4, 4)  # bug
        return self.embed(cut.permute(0, 2, 4, 1, 3, 5).reshape(b, (h // 4) * (w // 4), 48))


def patches(*, automatic: bool = False) -> Any:
    named = ({0: Dim("B", min=1, max=8), 2: Dim("H", min=4, max=256), 3: Dim("W", min=4, max=256)},)
    return declared(Patches(), (torch.ones(2, 3, 16, 24),), named, automatic=automatic)


class Detection(nn.Module):
    """Anchors of a grid that is computed by hand, beside what the convolution gives."""

    def __init__(self) -> None:
        super().__init__()
        self.head = nn.Conv2d(3, 4, 3, stride=2, padding=1)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        found = self.head(image).flatten(2)
        anchors = torch.ones(1, 4, (image.shape[2] // 2) * (image.shape[3] // 2))
        return found + anchors  # bug


def detection(*, automatic: bool = False) -> Any:
    named = ({2: Dim("H", min=4, max=256), 3: Dim("W", min=4, max=256)},)
    return declared(Detection(), (torch.ones(1, 3, 16, 12),), named, automatic=automatic)


class Window(nn.Module):
    """Windows of 5, the last of which is left off by hand."""

    def forward(self, signal: torch.Tensor) -> torch.Tensor:
        frames = signal.unfold(1, 5, 3)
        wanted = torch.zeros(1, signal.shape[1] // 3 - 1, 1)
        return frames + wanted  # bug


def window(*, automatic: bool = False) -> Any:
    named = ({0: Dim("B", min=1, max=8), 1: Dim("L", min=12, max=512)},)
    return declared(Window(), (torch.ones(2, 24),), named, automatic=automatic)


class Short(nn.Module):
    """Takes another way for short sequences, which is wrong."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.shape[1] >= 8:
            return x[:, :8].sum(1)
        return x.sum(1) + torch.ones(7, 3).sum(0)  # bug


def short(*, automatic: bool = False) -> Any:
    named = ({0: Dim("B", min=1, max=8), 1: Dim("T", min=2, max=64)},)
    return declared(Short(), (torch.ones(2, 10, 4),), named, automatic=automatic)


class Positions(nn.Module):
    """A table of positions that is too short."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.ones(32, 8))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.table[: x.shape[1]]  # bug


def positions(*, automatic: bool = False) -> Any:
    named = ({0: Dim("B", min=1, max=8), 1: Dim("T", min=1, max=64)},)
    return declared(Positions(), (torch.ones(2, 6, 8),), named, automatic=automatic)


class Heads(nn.Module):
    """Splits what is fused into heads by the wrong extent."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        b, t, d = x.shape
        return x.reshape(b, t // 2, 2, d).sum(2)  # bug


def heads(*, automatic: bool = False) -> Any:
    named = ({0: Dim("B", min=1, max=8), 1: Dim("T", min=2, max=64)},)
    return declared(Heads(), (torch.ones(2, 6, 8),), named, automatic=automatic)


# Without a bug ---------------------------------------------------------------------------------------------------


class Attention(nn.Module):
    """Self-attention in heads."""

    def __init__(self) -> None:
        super().__init__()
        self.fused = nn.Linear(8, 24)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        b, t, _ = x.shape
        q, k, v = self.fused(x).view(b, t, 3, 2, 4).permute(2, 0, 3, 1, 4).unbind(0)
        weights = torch.softmax(q @ k.transpose(2, 3), -1)
        return (weights @ v).transpose(1, 2).reshape(b, t, 8)


def right_attention(*, automatic: bool = False) -> Any:
    named = ({0: Dim("B", min=1, max=8), 1: Dim("T", min=1, max=64)},)
    return declared(Attention(), (torch.ones(2, 6, 8),), named, automatic=automatic)


class Padded(nn.Module):
    """Pads to an even length first, by a branch."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.shape[1] % 2:
            x = functional.pad(x, (0, 0, 0, 1))
        return x.reshape(x.shape[0], x.shape[1] // 2, 2, 8).sum(2)


def right_padded(*, automatic: bool = False) -> Any:
    named = ({0: Dim("B", min=1, max=8), 1: Dim("T", min=1, max=64)},)
    return declared(Padded(), (torch.ones(2, 6, 8),), named, automatic=automatic)


class Checked(nn.Module):
    """States what it needs."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        torch._check(x.shape[1] % 2 == 0)
        return x.reshape(x.shape[0], x.shape[1] // 2, 2, 8).sum(2)


def right_checked(*, automatic: bool = False) -> Any:
    named = ({0: Dim("B", min=1, max=8), 1: Dim("T", min=1, max=64)},)
    return declared(Checked(), (torch.ones(2, 6, 8),), named, automatic=automatic)


class Cropped(nn.Module):
    """Crops what came up again to what it is added to."""

    def __init__(self) -> None:
        super().__init__()
        self.down = nn.Conv1d(4, 8, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose1d(8, 4, 2, stride=2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.up(self.down(x))[:, :, : x.shape[2]]


def right_cropped(*, automatic: bool = False) -> Any:
    named = ({0: Dim("B", min=1, max=8), 2: Dim("L", min=2, max=256)},)
    return declared(Cropped(), (torch.ones(2, 4, 16),), named, automatic=automatic)


class Pooled(nn.Module):
    """Whatever the image, a vector of fixed length."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        self.head = nn.Linear(4, 2)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        return self.head(torch.relu(self.conv(image)).mean((2, 3)))


def right_pooled(*, automatic: bool = False) -> Any:
    named = ({0: Dim("B", min=1, max=8), 2: Dim("H", min=1, max=256), 3: Dim("W", min=1, max=256)},)
    return declared(Pooled(), (torch.ones(2, 3, 16, 12),), named, automatic=automatic)


class Wide(nn.Module):
    """Reads a sequence backwards and joins both."""

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.cat([x, y.flip(1)], 1).sum(1)


def right_wide(*, automatic: bool = False) -> Any:
    b = Dim("B", min=1, max=8)
    named = ({0: b, 1: Dim("T", min=1, max=64)}, {0: b, 1: Dim("S", min=1, max=64)})
    return declared(Wide(), (torch.ones(2, 6, 8), torch.ones(2, 5, 8)), named, automatic=automatic)


class Windowed(nn.Module):
    """Attention inside of windows, for which only the width is padded."""

    def __init__(self, *, both: bool = False) -> None:
        super().__init__()
        self.both = both
        self.qkv = nn.Linear(16, 48)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        b, h, w, c = image.shape
        rows = (4 - h % 4) % 4 if self.both else 0
        image = functional.pad(image, (0, 0, 0, (4 - w % 4) % 4, 0, rows))
        down, across = image.shape[1] // 4, image.shape[2] // 4
        windows = image.view(b, down, 4, across, 4, c).transpose(2, 3)  # bug
        q, k, v = self.qkv(windows.reshape(-1, 16, c)).chunk(3, -1)
        mixed = torch.softmax(q @ k.transpose(1, 2), -1) @ v
        return mixed.view(b, down, across, 4, 4, c).transpose(2, 3).reshape(b, 4 * down, 4 * across, c)[:, :h, :w]


def windowed(*, automatic: bool = False) -> Any:
    named = ({0: Dim("B", min=1, max=8), 1: Dim("H", min=1, max=64), 2: Dim("W", min=1, max=64)},)
    return declared(Windowed(), (torch.ones(2, 8, 10, 16),), named, automatic=automatic)


def right_windowed(*, automatic: bool = False) -> Any:
    named = ({0: Dim("B", min=1, max=8), 1: Dim("H", min=1, max=64), 2: Dim("W", min=1, max=64)},)
    return declared(Windowed(both=True), (torch.ones(2, 7, 10, 16),), named, automatic=automatic)


class Masked(nn.Module):
    """Heads in groups that share keys; the mask was made for 64 tokens."""

    def __init__(self) -> None:
        super().__init__()
        self.q, self.kv = nn.Linear(32, 32), nn.Linear(32, 16)
        self.register_buffer("mask", torch.full((64, 64), float("-inf")).triu(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        b, t, _ = x.shape
        q = self.q(x).view(b, t, 8, 4).transpose(1, 2)
        k, v = (each.view(b, t, 2, 4).transpose(1, 2).repeat_interleave(4, 1) for each in self.kv(x).chunk(2, -1))
        scores = q @ k.transpose(2, 3) + self.mask[:t, :t]  # bug
        return (torch.softmax(scores, -1) @ v).transpose(1, 2).reshape(b, t, 32)


def masked(*, automatic: bool = False) -> Any:
    named = ({0: Dim("B", min=1, max=8), 1: Dim("T", min=2, max=256)},)
    return declared(Masked(), (torch.ones(2, 10, 32),), named, automatic=automatic)


class Recommender(nn.Module):
    """Bags of categories beside dense features; pairs of them interact. There is a bag for each offset."""

    def __init__(self) -> None:
        super().__init__()
        self.bags = nn.ModuleList(nn.EmbeddingBag(each, 4) for each in (10, 20))
        self.dense, self.top = nn.Linear(3, 4), nn.Linear(7, 1)
        self.register_buffer("pairs", torch.tril_indices(3, 3, offset=-1))

    def forward(self, dense: torch.Tensor, ids: torch.Tensor, offsets: torch.Tensor) -> torch.Tensor:
        x = torch.relu(self.dense(dense))
        bags = [bag(ids[number], offsets[number]) for number, bag in enumerate(self.bags)]
        each = torch.cat([x, *bags], 1).view(-1, 3, 4)  # bug
        products = torch.bmm(each, each.transpose(1, 2))[:, self.pairs[0], self.pairs[1]]
        return torch.sigmoid(self.top(torch.cat([x, products], 1)))


def bags(*, automatic: bool = False) -> Any:
    named = ({0: Dim("B", min=1, max=64)}, {1: Dim("N", min=1, max=512)}, {1: Dim("M", min=1, max=64)})
    zeros = [torch.zeros(2, each, dtype=torch.int64) for each in (9, 5)]
    return declared(Recommender(), (torch.ones(5, 3), *zeros), named, automatic=automatic)


class Reader(nn.Module):
    """A few latents read an image and the places of its pixels, which has as many rows as columns in the example."""

    def __init__(self, *, turned: bool) -> None:
        super().__init__()
        self.turned = turned
        self.latents = nn.Parameter(torch.ones(3, 8))
        self.kv = nn.Linear(5, 16)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        b, h, w, _ = image.shape
        down, across = (w, h) if self.turned else (h, w)
        axes = torch.linspace(-1, 1, down), torch.linspace(-1, 1, across)
        places = torch.stack(torch.meshgrid(*axes, indexing="ij"), -1)
        pixels = torch.cat([image, places.sin().expand(b, -1, -1, -1)], -1)  # bug
        k, v = self.kv(pixels.flatten(1, 2)).chunk(2, -1)
        return torch.softmax(self.latents.expand(b, -1, -1) @ k.transpose(1, 2), -1) @ v


def pixels(*, automatic: bool = False) -> Any:
    named = ({0: Dim("B", min=1, max=8), 1: Dim("H", min=1, max=64), 2: Dim("W", min=1, max=64)},)
    return declared(Reader(turned=True), (torch.ones(2, 6, 6, 3),), named, automatic=automatic)


def right_pixels(*, automatic: bool = False) -> Any:
    named = ({0: Dim("B", min=1, max=8), 1: Dim("H", min=1, max=64), 2: Dim("W", min=1, max=64)},)
    return declared(Reader(turned=False), (torch.ones(2, 6, 6, 3),), named, automatic=automatic)


class Wave(nn.Module):
    """Encodes a wave, and leaves out frames behind its end; how many frames there are is only right for some waves."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Conv1d(1, 4, 10, stride=5), nn.Conv1d(4, 4, 3, stride=2)
        self.nothing = nn.Parameter(torch.ones(4))

    def forward(self, wave: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        frames = self.second(torch.relu(self.first(wave.unsqueeze(1)))).transpose(1, 2)
        is_heard = torch.arange((wave.shape[1] - 5) // 10) < (lengths // 10 - 1).unsqueeze(1)
        return torch.where(is_heard.unsqueeze(-1), frames, self.nothing)  # bug


def frames(*, automatic: bool = False) -> Any:
    b = Dim("B", min=1, max=8)
    named = ({0: b, 1: Dim("L", min=40, max=16000)}, {0: b})
    return declared(Wave(), (torch.ones(2, 203), torch.tensor([200, 100])), named, automatic=automatic)


class Scan(nn.Module):
    """A state space as Mamba's: a causal convolution, and a scan in chunks of 4, for which the length is padded."""

    def __init__(self, *, wrong: bool) -> None:
        super().__init__()
        self.wrong = wrong
        self.into, self.out = nn.Linear(6, 16), nn.Linear(8, 6)
        self.conv = nn.Conv1d(8, 8, 4, groups=8, padding=3)
        self.steps, self.inputs, self.outputs = nn.Linear(8, 1), nn.Linear(8, 5), nn.Linear(8, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        b, t, _ = x.shape
        x, gate = self.into(x).chunk(2, -1)
        x = functional.silu(self.conv(x.transpose(1, 2))[..., :t].transpose(1, 2))
        x = functional.pad(x, (0, 0, 0, t % 4 if self.wrong else -t % 4))
        chunks = x.reshape(b, x.shape[1] // 4, 4, 8)  # bug
        passed = torch.cumsum(functional.softplus(self.steps(chunks)), 2)
        decay = torch.exp(passed.transpose(2, 3) - passed).tril()
        within = (self.outputs(chunks) @ self.inputs(chunks).transpose(2, 3)) * decay @ chunks
        states = self.inputs(chunks).transpose(2, 3) @ chunks
        before = torch.cumsum(states, 1) - states
        y = (within + self.outputs(chunks) @ before).flatten(1, 2)[:, :t]
        return self.out(y * functional.silu(gate))


def scanned(*, automatic: bool = False) -> Any:
    named = ({0: Dim("B", min=1, max=8), 1: Dim("T", min=1, max=256)},)
    return declared(Scan(wrong=True), (torch.ones(2, 10, 6),), named, automatic=automatic)


def right_scanned(*, automatic: bool = False) -> Any:
    named = ({0: Dim("B", min=1, max=8), 1: Dim("T", min=1, max=256)},)
    return declared(Scan(wrong=False), (torch.ones(2, 10, 6),), named, automatic=automatic)


class TimeMix(nn.Module):
    """Mixes over time as RWKV does, by a circulant of weights of the past, which a table holds or the length makes."""

    def __init__(self, places: int | None) -> None:
        super().__init__()
        self.table = None if places is None else nn.Parameter(torch.ones(6, places))
        self.rate = nn.Parameter(torch.ones(6, 1))
        self.key, self.value, self.receptance = nn.Linear(6, 6), nn.Linear(6, 6), nn.Linear(6, 6)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        t = x.shape[1]
        shifted = functional.pad(x, (0, 0, 1, -1))
        weights = self.rate * torch.arange(t) if self.table is None else self.table[:, :t]
        rows = functional.pad(torch.exp(-weights.flip(1)), (0, t)).tile(t)[:, :-t]
        mixed = rows.reshape(6, t, 2 * t - 1)[:, :, t - 1 :]  # bug
        keys = torch.exp(self.key(0.5 * (x + shifted)))
        summed = torch.einsum("cts,bsc->btc", mixed, keys * self.value(x))
        return torch.sigmoid(self.receptance(shifted)) * summed / torch.einsum("cts,bsc->btc", mixed, keys)


def decayed(*, automatic: bool = False) -> Any:
    named = ({0: Dim("B", min=1, max=8), 1: Dim("T", min=1, max=64)},)
    return declared(TimeMix(24), (torch.ones(2, 9, 6),), named, automatic=automatic)


def right_decayed(*, automatic: bool = False) -> Any:
    named = ({0: Dim("B", min=1, max=8), 1: Dim("T", min=1, max=64)},)
    return declared(TimeMix(None), (torch.ones(2, 9, 6),), named, automatic=automatic)


class Detector(nn.Module):
    """Queries look at the patches of an image, as DETR's do, but for the padded ones; the mask may have one more."""

    def __init__(self, *, cropped: bool) -> None:
        super().__init__()
        self.cropped = cropped
        self.body = nn.Sequential(nn.Conv2d(3, 8, 2, stride=2), nn.ReLU(), nn.Conv2d(8, 8, 2, stride=2))
        self.rows, self.columns = nn.Parameter(torch.ones(32, 4)), nn.Parameter(torch.ones(32, 4))
        self.queries = nn.Parameter(torch.ones(5, 8))
        self.keys, self.classes, self.boxes = nn.Linear(8, 8), nn.Linear(8, 3), nn.Linear(8, 4)

    def forward(self, image: torch.Tensor, is_padded: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        seen = self.body(image)
        h, w = seen.shape[2:]
        places = [self.columns[:w].unsqueeze(0).expand(h, -1, -1), self.rows[:h].unsqueeze(1).expand(-1, w, -1)]
        memory = seen.flatten(2).transpose(1, 2) + torch.cat(places, -1).flatten(0, 1)
        is_left_out = (is_padded[:, : 4 * h, : 4 * w] if self.cropped else is_padded)[:, ::4, ::4].flatten(1)
        scores = self.queries @ self.keys(memory).transpose(1, 2)
        scores = scores.masked_fill(is_left_out.unsqueeze(1), -1e9)  # bug
        found = torch.softmax(scores, -1) @ memory
        return self.classes(found), torch.sigmoid(self.boxes(found))


def queried(*, automatic: bool = False) -> Any:
    b, h, w = Dim("B", min=1, max=8), Dim("H", min=8, max=128), Dim("W", min=8, max=128)
    inputs = (torch.ones(2, 3, 16, 20), torch.zeros(2, 16, 20, dtype=torch.bool))
    return declared(Detector(cropped=False), inputs, ({0: b, 2: h, 3: w}, {0: b, 1: h, 2: w}), automatic=automatic)


def right_queried(*, automatic: bool = False) -> Any:
    b, h, w = Dim("B", min=1, max=8), Dim("H", min=8, max=128), Dim("W", min=8, max=128)
    inputs = (torch.ones(2, 3, 16, 20), torch.zeros(2, 16, 20, dtype=torch.bool))
    return declared(Detector(cropped=True), inputs, ({0: b, 2: h, 3: w}, {0: b, 1: h, 2: w}), automatic=automatic)


class Edges(nn.Module):
    """Graph attention; the weights of the edges are cut at the number of nodes, behind the example's indices."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(6, 8)
        self.score = nn.Linear(16, 1)

    def forward(self, nodes: torch.Tensor, edges: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        inner = self.inner(nodes)
        sources, targets = edges[0], edges[1]
        scores = self.score(torch.cat([inner[sources], inner[targets]], -1)).squeeze(-1)
        scores = scores * weights[: nodes.shape[0]]  # bug
        return torch.zeros_like(inner).index_add(0, targets, inner[sources] * scores.unsqueeze(-1))


def edges(*, automatic: bool = False) -> Any:
    n, e = Dim("N", min=1, max=100), Dim("E", min=0, max=1000)
    inputs = torch.ones(7, 6), torch.tensor([[6, 5, 6], [5, 6, 5]]), torch.ones(3)
    return declared(Edges(), inputs, ({0: n}, {1: e}, {0: e}), automatic=automatic)


class Rotated(nn.Module):
    """Grouped queries over a cache, with rotations from a table of 32 places; only the right one states its length."""

    def __init__(self, *, stated: bool) -> None:
        super().__init__()
        self.stated = stated
        self.queries, self.keys, self.out = nn.Linear(16, 16), nn.Linear(16, 16), nn.Linear(16, 16)
        angles = torch.outer(torch.arange(32), torch.tensor([1.0, 0.1]))
        self.register_buffer("cosines", angles.cos())
        self.register_buffer("sines", angles.sin())

    def rotate(self, x: torch.Tensor, start: int) -> torch.Tensor:
        end = start + x.shape[-2]
        cosines, sines = self.cosines[start:end], self.sines[start:end]
        a, b = x.chunk(2, -1)
        return torch.cat([a * cosines - b * sines, a * sines + b * cosines], -1)  # bug

    def forward(self, x: torch.Tensor, past: torch.Tensor) -> torch.Tensor:
        b, t, _ = x.shape
        start = past.shape[2]
        if self.stated:
            torch._check(start + t <= 32)
        queries = self.rotate(self.queries(x).view(b, t, 4, 4).transpose(1, 2), start)
        keys, values = self.keys(x).view(b, t, 2, 2, 4).permute(2, 0, 3, 1, 4).unbind(0)
        keys = torch.cat([past, self.rotate(keys, start)], 2)
        values = torch.cat([past, values], 2)
        mask = torch.ones(t, start + t, dtype=torch.bool).tril(start)
        mixed = functional.scaled_dot_product_attention(
            queries, keys.repeat_interleave(2, 1), values.repeat_interleave(2, 1), attn_mask=mask
        )
        return self.out(mixed.transpose(1, 2).reshape(b, t, 16))


def rotated(*, automatic: bool = False, stated: bool = False) -> Any:
    b, t, p = Dim("B", min=1, max=8), Dim("T", min=1, max=64), Dim("P", min=0, max=64)
    inputs = torch.ones(2, 5, 16), torch.ones(2, 2, 7, 4)
    return declared(Rotated(stated=stated), inputs, ({0: b, 1: t}, {0: b, 2: p}), automatic=automatic)


def right_rotated(*, automatic: bool = False) -> Any:
    return rotated(automatic=automatic, stated=True)


class Chunks(nn.Module):
    """A selective scan (Mamba) in chunks of 4 steps; only the right one pads the last chunk."""

    def __init__(self, *, padded: bool) -> None:
        super().__init__()
        self.padded = padded
        self.inward, self.out, self.parts = nn.Linear(8, 32), nn.Linear(16, 8), nn.Linear(16, 24)
        self.mix = nn.Conv1d(16, 16, 4, groups=16, padding=3)
        self.decay = nn.Parameter(torch.rand(16, 4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        b, t, _ = x.shape
        steps, gate = self.inward(x).chunk(2, -1)
        steps = functional.silu(self.mix(steps.transpose(1, 2))[..., :t].transpose(1, 2))
        widths, inputs, outputs = self.parts(steps).split([16, 4, 4], -1)
        if self.padded:
            added = (0, 0, 0, -t % 4)
            steps, widths, inputs, outputs = (functional.pad(each, added) for each in (steps, widths, inputs, outputs))
        widths = functional.softplus(widths)
        decays = (widths.unsqueeze(-1) * -self.decay).view(b, -1, 4, 16, 4).cumsum(2)  # bug
        states = ((widths * steps).unsqueeze(-1) * inputs.unsqueeze(2)).view(b, -1, 4, 16, 4)
        states = decays.exp() * (states * (-decays).exp()).cumsum(2)
        found = torch.einsum("bcnds,bcns->bcnd", states, outputs.view(b, -1, 4, 4)).reshape(b, -1, 16)
        return self.out(found[:, :t] * functional.silu(gate))


def chunks(*, automatic: bool = False, padded: bool = False) -> Any:
    named = ({0: Dim("B", min=1, max=8), 1: Dim("T", min=1, max=256)},)
    return declared(Chunks(padded=padded), (torch.ones(2, 12, 8),), named, automatic=automatic)


def right_chunks(*, automatic: bool = False) -> Any:
    return chunks(automatic=automatic, padded=True)


BUGS = (
    "cached", "strided", "unet", "pyramid", "experts", "graph", "patches", "detection", "window", "short",
    "positions", "heads", "windowed", "masked", "bags",
    "pixels", "frames", "scanned", "decayed", "queried",
    "edges", "rotated", "chunks",
)  # fmt: skip
RIGHT = (
    "right_attention", "right_padded", "right_checked", "right_cropped", "right_pooled", "right_wide", "right_windowed",
    "right_pixels", "right_scanned", "right_decayed", "right_queried",
    "right_rotated", "right_chunks",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    """Return the model of ``NAME_auto``: the one of ``NAME`` with all sizes left to the exporter."""
    base, separator, rest = name.partition("_auto")
    if not separator or rest or base not in globals():
        raise AttributeError(name)
    return lambda: globals()[base](automatic=True)
