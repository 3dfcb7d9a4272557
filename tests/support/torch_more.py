"""Random calls of operators of PyTorch that put several tensors together, or are told by texts what to do."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from support.dice import Dice, t

Arguments = Callable[[Dice], list[Any]]

_EQUATIONS = (
    "ij,jk->ik ij,jk ii->i ii ij->ji ...ij,...jk->...ik i...->... bhqd,bhkd->bhqk i,j->ij ij,ij-> a,b,ab-> ...,...-> "
    "ij->ii ij->k -> ,-> iij,j->i aB i...j ...ij->ij bn,anm,bm->ba"
)


def _equation(dice: Dice) -> list[Any]:
    equation = dice.random.choice(_EQUATIONS.split())
    sizes: dict[str, list[int]] = {each: [dice.size(3)] for each in equation}
    rest = dice.shape(most=2)
    shapes: list[list[int]] = []
    for term in equation.split("->")[0].split(","):
        named = {**sizes, ".": dice.broadcasting(rest)}
        letters = term.replace("...", ".")
        shapes.append(dice.disturbed([each for letter in letters for each in named[letter]], 0.15))
    return [equation, [t(each) for each in shapes], None]


def _three(dice: Dice) -> list[Any]:
    rows, columns, outputs = dice.size(), [dice.size(), dice.size()], dice.size()
    a, w = dice.disturbed([rows, columns[0]], 0.3), dice.disturbed([outputs, *columns], 0.2)
    return [t(a), t(w), t([rows, columns[1]]), [1, 3], [0], [1, 2], [2, 3], 1]


def _beside(dice: Dice) -> list[Any]:
    shape = dice.shape()
    every = [dice.disturbed(shape, 0.3) for _ in range(dice.random.randint(1, 3))]
    for each in every:
        if len(each) > 1:
            each[1] = dice.size()
        elif dice.sometimes():
            each[:] = dice.random.choice([[], [1], [0], [3, 2]])
    return [[t(each) for each in every]]


def _vectors(*tail: str) -> Arguments:
    def make(dice: Dice) -> list[Any]:
        ranks = [dice.random.choice([0, 1, 1, 1, 1, 1]) for _ in range(dice.random.randint(1, 3))]
        return [[t(dice.shape(rank)) for rank in ranks], *([dice.random.choice(tail)] if tail else [])]

    return make


def _broadcasting(dice: Dice) -> list[Any]:
    shape = dice.shape()
    return [[t(dice.broadcasting(shape)) for _ in range(dice.random.randint(1, 3))]]


def _padded(dice: Dice) -> list[Any]:
    mode = dice.random.choice(["constant", "reflect", "replicate", "circular", "circular"])
    spatial = dice.random.randint(1, 3)
    shape = [dice.random.choice([0, 1, 2, 3, 4]) for _ in range(spatial + dice.random.choice([0, 1, 1, 1, 2, 2, 2]))]
    value = dice.random.choice([None, None, None, 0.0, 1.5])
    return [t(shape), [dice.random.randint(-2, 3) for _ in range(2 * spatial)], mode, value]


def _sampled(*spatial: int) -> Arguments:
    def make(dice: Dice) -> list[Any]:
        rank = dice.random.choice(spatial)
        image = [dice.size() for _ in range(rank + 2)]
        grid = [image[0], *(dice.size() for _ in range(rank)), rank]
        return [t(image), t(dice.disturbed(grid)), 0, 0, dice.flag()]

    return make


def _patched(dice: Dice) -> list[Any]:
    shape = [dice.random.choice([0, 1, 2, 3, 4, 5]) for _ in range(dice.random.choice([2, 3, 3, 4, 4, 4]))]
    numbers = [[dice.random.randint(low, high) for _ in "hw"] for low, high in ((1, 3), (1, 2), (0, 2), (1, 2))]
    return [t(shape), *numbers]


def _folded_patches(dice: Dice) -> list[Any]:
    sizes = [dice.random.randint(1, 4) for _ in "hw"]
    window, gaps, pads, steps = ([dice.random.randint(a, b) for _ in "hw"] for a, b in ((1, 2), (1, 2), (0, 1), (1, 2)))
    moves = zip(sizes, window, gaps, pads, steps, strict=True)
    places = [(e + 2 * pad - (size - 1) * gap - 1) // step + 1 for e, size, gap, pad, step in moves]
    shape = [dice.size(), window[0] * window[1] * dice.random.randint(1, 2), max(places[0] * places[1], 0)]
    return [t(dice.disturbed(shape)[dice.sometimes() :]), sizes, window, gaps, pads, steps]


def _strided(dice: Dice) -> list[Any]:
    sizes = [dice.size() for _ in range(dice.random.randint(0, 3))]
    return [t(dice.shape()), sizes, [dice.random.randint(-1, 3) if dice.sometimes() else 1 for _ in sizes], None]


def _told(*fits: tuple[int, int], tail: tuple[object, ...]) -> Arguments:
    """Predictions and numbers of classes, of ranks that fit."""

    def make(dice: Dice) -> list[Any]:
        rank, less = dice.random.choice(fits)
        shape = [dice.size() for _ in range(rank)]
        rest = [shape[0], *shape[2:]][:less] if rank > 1 else [1] * less
        classes = shape[min(rank, 2) - 1] if rank else 1
        wanted: dict[str, Any] = dice.places(dice.disturbed(rest, 0.1), classes)
        if "likely" in tail and dice.sometimes():
            wanted = t(dice.disturbed(shape, 0.1))
        weights = t(dice.disturbed([classes], 0.2)) if dice.sometimes() else None
        return [t(shape), wanted, weights, dice.random.randint(0, 2), dice.random.choice([-100, -100, 1]), *tail[1:]]

    return make


def _padded_by_text(spatial: int) -> Arguments:
    def make(dice: Dice) -> list[Any]:
        shape = [dice.size(), 2, *(dice.random.randint(0, 5) for _ in range(spatial))]
        weights = [dice.random.randint(1, 2), 2, *(dice.random.randint(1, 3) for _ in range(spatial))]
        bias = dice.random.choice([None, t(weights[:1]), t([dice.size()])])
        gaps = [dice.random.randint(1, 2) for _ in range(spatial)]
        steps = [1 + dice.sometimes() for _ in range(spatial)]
        padding = dice.random.choice(["valid", "same"])
        return [t(dice.disturbed(shape, 0.1)[dice.sometimes() :]), t(weights), bias, steps, padding, gaps, 1]

    return make


def _turned(dice: Dice) -> list[Any]:
    shape = dice.shape(least=1)
    axes = dice.random.sample(range(len(shape)), min(len(shape), 2))
    return [t(shape), dice.random.randint(-3, 3), axes]


def _angled(dice: Dice) -> list[Any]:
    shape = dice.shape(least=1)
    return [t(shape), t(dice.broadcasting(shape)), dice.axis(shape), 1e-8]


def _quantized(dice: Dice) -> list[Any]:
    zero = dice.random.choice([-129, -128, -1, 0, 127, 128, 255, 256, 2**31, 2**40])
    return [t(dice.shape()), dice.random.choice([0.5, 0.0]), zero, dice.random.choice([12, 13, 14])]


def _by_channel(kind: str) -> Arguments:
    def make(dice: Dice) -> list[Any]:
        shape = dice.shape(least=1)
        axis = dice.random.randrange(-1 if dice.sometimes() else 0, len(shape))
        scales = dice.disturbed([shape[axis]])
        zeros = dice.disturbed(scales)
        held = [
            dice.random.choice([-1, 0, 0, 1, 127, *([128] if dice.sometimes(0.1) else [])]) for _ in range(zeros[0])
        ]
        tail = [axis, dice.random.choice([12, 12, 13, 14])] if kind == "floats" else [axis]
        return [t(shape) if kind == "floats" else {"t": shape, "s": True}, t(scales), {"t": zeros, "v": held}, *tail]

    return make


_QUANTIZED: dict[str, Arguments] = {
    "quantize_per_tensor": _quantized,
    "quantize_per_channel": _by_channel("floats"),
    "_make_per_tensor_quantized_tensor": lambda dice: [{"t": dice.shape(), "s": True}, 0.5, dice.random.randint(-3, 3)],
    "_make_per_channel_quantized_tensor": _by_channel("integers"),
    **dict.fromkeys(
        ["int_repr", "dequantize.self", "dequantize.tensor"], lambda dice: [{"t": dice.shape(), "q": True}]
    ),
}


def _spectrum(dice: Dice) -> list[Any]:
    """Draw a batch dimension, since PyTorch's libraries differ without one."""
    points = dice.random.choice([0, 1, 2, 4, 5, 8])
    signal = [*([dice.random.randint(1, 2)] if dice.flag() else []), dice.random.randint(0, 12) + dice.flag() * points]
    width = dice.random.choice([None, points, points, points - 1])
    weights = t(dice.disturbed([points if width is None else max(width, 0)], 0.2)) if dice.flag() else None
    complex_ones = dice.random.choice([None, True, True, True, False])
    step = dice.random.choice([None, 1, 2, 3, 0])
    return [
        t(signal),
        points,
        step,
        width,
        weights,
        False,
        dice.random.choice([None, True, False]),
        complex_ones,
        dice.random.choice([None, None, True, False]),
    ]


def _counted(dice: Dice) -> list[Any]:
    bounds = dice.random.choice([[0, 1], [0.0, 0.0], [-1, 2.5], [2, 1], [1.0, 1.0000000001]])
    return [t(dice.shape()), dice.random.randint(-1, 4), *bounds]


def _repeated_places(dice: Dice) -> list[Any]:
    shape = dice.shape(1 if dice.sometimes(0.9) else None)
    lowest = [-1] if dice.sometimes(0.2) else []
    held: list[int] = [dice.random.choice([0, 1, 2, 3, *lowest]) for _ in range(prod(shape))]
    # PyTorch writes a result of a stated size before it looks whether an integer is negative.
    sizes = [None] if -1 in held else [None, sum(held), sum(held), dice.size()]
    return [{"t": shape, "v": held}, dice.random.choice(sizes)]


MORE: dict[str, Arguments] = {
    **_QUANTIZED,
    "stft": _spectrum,
    "histc": _counted,
    "repeat_interleave.Tensor": _repeated_places,
    "einsum": _equation,
    "_trilinear": _three,
    "pad": _padded,
    "grid_sampler": _sampled(2, 3),
    "grid_sampler_2d": _sampled(2),
    "grid_sampler_3d": _sampled(3),
    "im2col": _patched,
    "col2im": _folded_patches,
    "as_strided": _strided,
    "as_strided_copy": _strided,
    "nll_loss_forward": _told((1, 0), (1, 1), (2, 1), (2, 1), tail=("",)),
    "nll_loss2d_forward": _told((4, 3), tail=("",)),
    "cross_entropy_loss": _told((1, 0), (1, 1), (2, 1), (3, 2), (4, 3), tail=("likely", 0.0)),
    **{f"conv{rank}d.padding": _padded_by_text(rank) for rank in (1, 2, 3)},
    "_local_scalar_dense": lambda dice: [{"t": (a := dice.shape(most=2)), "v": [3] * prod(a)}],
    "masked_scatter": lambda dice: [t(a := dice.shape()), {"t": dice.broadcasting(a), "b": True}, t(dice.shape())],
    "native_dropout_backward": lambda dice: [t(a := dice.shape()), {"t": dice.broadcasting(a), "b": True}, 2.0],
    **dict.fromkeys(["atleast_1d", "atleast_2d", "trace"], lambda dice: [t(dice.shape())]),
    "diag": lambda dice: [t(dice.shape(least=1, most=2)), dice.random.randint(-4, 4)],
    "diag_embed": lambda dice: [t(a := dice.shape(least=1)), dice.random.randint(-2, 2), len(a) - 1, -1],
    "rot90": _turned,
    "channel_shuffle": lambda dice: [t(dice.shape(least=2, most=4)), dice.random.randint(1, 3)],
    "cosine_similarity": _angled,
    "_softmax_backward_data": lambda dice: [t(a := dice.shape()), t(dice.disturbed(a)), dice.axis(a), 6],
    "hstack": _beside,
    "column_stack": _beside,
    "meshgrid": _vectors(),
    "meshgrid.indexing": _vectors("ij", "xy"),
    "broadcast_tensors": _broadcasting,
    "tensor_split.sections": lambda dice: [t(a := dice.shape()), dice.random.randint(0, 4), dice.axis(a)],
}
