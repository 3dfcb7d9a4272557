"""Random calls of operators of PyTorch that put several tensors together, or are told by texts what to do."""

from __future__ import annotations

from collections.abc import Callable
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


MORE: dict[str, Arguments] = {
    "einsum": _equation,
    "pad": _padded,
    "grid_sampler": _sampled(2, 3),
    "grid_sampler_2d": _sampled(2),
    "grid_sampler_3d": _sampled(3),
    "hstack": _beside,
    "column_stack": _beside,
    "meshgrid": _vectors(),
    "meshgrid.indexing": _vectors("ij", "xy"),
    "broadcast_tensors": _broadcasting,
    "tensor_split.sections": lambda dice: [t(a := dice.shape()), dice.random.randint(0, 4), dice.axis(a)],
}
