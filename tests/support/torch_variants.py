"""Random calls of operators of PyTorch that take what another one takes, or nearly so: copies, scalars, flags."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any

from support.dice import Dice, t

Arguments = Callable[[Dice], list[Any]]

_LIKE = {
    "abs": "contiguous alias_copy detach_copy lift_fresh_copy numel sym_numel dim size _shape_as_tensor zero real "
    "fliplr flipud rand_like randn_like empty_like bernoulli cpu var_mean var std logit",
    "adaptive_avg_pool2d": "_adaptive_avg_pool2d",
    "adaptive_avg_pool3d": "_adaptive_avg_pool3d",
    "addcmul": "addcdiv",
    "atan2": "clamp_max.Tensor clamp_min.Tensor complex polar float_power.Tensor_Tensor ldexp.Tensor",
    "cumsum": "cumprod",
    "diagonal": "diagonal_copy",
    "expand": "expand_copy",
    "gt.Scalar": "eq.Scalar ne.Scalar ge.Scalar le.Scalar lt.Scalar fmod.Scalar remainder.Scalar floor_divide.Scalar "
    "pow.Tensor_Scalar fill.Scalar clamp_max clamp_min clamp",
    "permute": "permute_copy",
    "narrow": "narrow_copy",
    "chunk": "unsafe_chunk",
    "max": "median",
    "max.dim": "median.dim mode",
    "select.int": "select_copy.int",
    "slice.Tensor": "slice_copy.Tensor",
    "softmax.int": "log_softmax.int _safe_softmax",
    "sort": "argsort",
    "split.Tensor": "split_copy.Tensor unsafe_split.Tensor",
    "split_with_sizes": "split.sizes split_with_sizes_copy",
    "squeeze": "squeeze_copy",
    "squeeze.dim": "squeeze_copy.dim",
    "squeeze.dims": "squeeze_copy.dims",
    "t": "t_copy",
    "transpose.int": "transpose_copy.int",
    "unbind.int": "unbind_copy.int",
    "unfold": "unfold_copy",
    "unsqueeze": "unsqueeze_copy",
    "var.dim": "std.dim var_mean.dim",
    "view": "view_copy",
    "view_as_complex": "view_as_complex_copy",
    "view_as_real": "view_as_real_copy",
    "zeros": "ones rand randn",
}
"""Operators with the same operands, by the operator that they share them with."""


def _whole(dice: Dice, shape: list[int]) -> dict[str, Any]:
    return dice.places(shape, 4)


def _whole_pair(dice: Dice) -> list[Any]:
    shape = dice.shape()
    pair = [_whole(dice, shape), _whole(dice, dice.broadcasting(shape))]
    return pair if dice.flag() else pair[::-1]


def _with(*tail: object) -> Arguments:
    def make(dice: Dice) -> list[Any]:
        return [t(dice.shape()), *tail]

    return make


def _pair_with(*tail: object) -> Arguments:
    def make(dice: Dice) -> list[Any]:
        shape = dice.shape()
        return [t(shape), t(dice.broadcasting(shape)), *tail]

    return make


def _losing(dice: Dice) -> list[Any]:
    shape = dice.shape()
    return [t(shape), t(dice.broadcasting(shape)), dice.random.randint(0, 2)]


def _any_two(*tail: object) -> Arguments:
    def make(dice: Dice) -> list[Any]:
        return [t(dice.shape()), t(dice.shape()), *tail]

    return make


def _numbers(count: int, least: int = -9) -> Arguments:
    def make(dice: Dice) -> list[Any]:
        return [dice.random.randint(least, 9) for _ in range(count)]

    return make


def _divided(dice: Dice) -> list[Any]:
    return [dice.random.randint(-9, 9), dice.random.choice([-3, -2, -1, 1, 2, 3])]


def _truths(count: int) -> Arguments:
    def make(dice: Dice) -> list[Any]:
        return [dice.flag() for _ in range(count)]

    return make


def of_sizes(*tail: object, head: tuple[object, ...] = ()) -> Arguments:
    """A list of sizes, some of them wrong, with operands before and behind."""

    def make(dice: Dice) -> list[Any]:
        return [*head, [dice.random.choice([-1, 0, 1, 2, 2, 3]) for _ in range(dice.random.randint(0, 3))], *tail]

    return make


def new_of_sizes(*tail: object) -> Arguments:
    """A tensor and a list of sizes that a new one gets."""

    def make(dice: Dice) -> list[Any]:
        return [t(dice.shape()), *of_sizes(*tail)(dice)]

    return make


def _chosen(first: str, second: str) -> Arguments:
    def make(dice: Dice) -> list[Any]:
        shape = dice.shape()
        condition = {"t": dice.broadcasting(shape), "b": True}
        return [condition, *(2.5 if each == "number" else t(dice.broadcasting(shape)) for each in (first, second))]

    return make


def _added_products(dice: Dice) -> list[Any]:
    batch, rows, inner, columns = (dice.size() for _ in range(4))
    shapes = [[batch, rows, inner], [batch, inner, columns]]
    return [t(dice.broadcasting([rows, columns])), *(t(dice.disturbed(each, 0.2)) for each in shapes), 1, 1]


def _listed(dice: Dice, shape: list[int]) -> list[Any]:
    joint = dice.shape(most=2)
    return [dice.places(dice.broadcasting(joint), each) for each in shape[: dice.random.randint(1, len(shape))]]


def _indexed(dice: Dice) -> list[Any]:
    shape = dice.shape(least=1, most=4)
    return [t(shape), _listed(dice, shape)]


def _put(dice: Dice) -> list[Any]:
    shape = dice.shape(least=1)
    return [t(shape), _listed(dice, shape), t(dice.shape(most=2)), False]


def _normed(dice: Dice) -> list[Any]:
    shape = dice.shape()
    return [t(shape), dice.random.choice([2.0, 1.0, -1.0, None]), dice.axes(shape), dice.flag()]


def _contiguous(shape: list[int]) -> list[int]:
    """The strides of a tensor that lies in memory in order."""
    return [prod(max(each, 1) for each in shape[at + 1 :]) for at in range(len(shape))]


def _strided(dice: Dice) -> list[Any]:
    shape = dice.shape()
    return [shape, _contiguous(shape), None, None, None, None]


def _one_integer(dice: Dice) -> list[Any]:
    return [{"t": [1] * dice.random.randint(0, 2), "v": [dice.random.randint(-3, 9)]}]


def _projected(dice: Dice) -> list[Any]:
    """The norm of each slice, of which there is one or two axes at most."""
    shape = dice.shape()
    return [t(shape), dice.axes(shape)[:2], dice.flag()]


_OWN: dict[str, Arguments] = {
    "addbmm": _added_products,
    **dict.fromkeys(["mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div"], _losing),
    "glu": lambda dice: [t(a := dice.shape()), dice.axis(a)],
    "aminmax": lambda dice: [t(a := dice.shape()), dice.random.choice([None, dice.axis(a)]), dice.flag()],
    **dict.fromkeys(["sigmoid_backward", "tanh_backward"], _pair_with()),
    "threshold_backward": _pair_with(0.5),
    "hardtanh_backward": _pair_with(-1.0, 1.0),
    "softplus_backward": _pair_with(1.0, 20.0),
    **{f"bitwise_{each}.Tensor": _whole_pair for each in ("and", "or", "xor", "left_shift", "right_shift")},
    **{f"bitwise_{each}.Scalar": lambda dice: [_whole(dice, dice.shape()), 3] for each in ("and", "or", "xor")},
    "randperm": lambda dice: [dice.random.randint(-2, 5), 4, None, None, None],
    "bitwise_not": lambda dice: [_whole(dice, dice.shape())],
    **dict.fromkeys(["cummax", "cummin"], lambda dice: [t(a := dice.shape()), dice.axis(a)]),
    "logcumsumexp": lambda dice: [t(a := dice.shape()), dice.axis(a)],
    "sym_size.int": lambda dice: [t(a := dice.shape(least=1)), dice.random.randint(-len(a) - 1, len(a))],
    "size.int": lambda dice: [t(a := dice.shape(least=1)), dice.random.randint(-len(a) - 1, len(a))],
    "div.Scalar_mode": _with(2.0, "floor"),
    "div.Tensor_mode": _pair_with("trunc"),
    "dropout": _with(0.5, False),
    "native_dropout": _with(0.5, False),
    "lerp.Scalar": _pair_with(0.5),
    "round.decimals": _with(2),
    "bernoulli.p": _with(0.5, None),
    "threshold": _with(0.5, 0.25),
    "uniform": _with(0.0, 1.0, None),
    "exponential": _with(1.0, None),
    "normal_functional": _with(0.0, 1.0, None),
    "empty_strided": _strided,
    "new_empty_strided": lambda dice: [t(dice.shape()), *_strided(dice)],
    "randn.generator": of_sizes(None, None, None, None, None),
    "tensor.int": lambda dice: [dice.random.randint(-9, 9), None, None, False],
    "fill.Tensor": lambda dice: [t(dice.shape()), t([] if dice.sometimes(0.7) else [1])],
    "pow.Scalar": lambda dice: [2.5, t(dice.shape())],
    "full_like": _with(1.5, None, None, None, None, None),
    "new_empty": new_of_sizes(None, None, None, None),
    "new_ones": new_of_sizes(None, None, None, None),
    "new_full": new_of_sizes(1.5, None, None, None, None),
    "randint": of_sizes(None, None, None, None, head=(5,)),
    "randint.low": of_sizes(None, None, None, None, head=(2, 5)),
    "eye": lambda dice: [dice.random.randint(-1, 4), None, None, None, None],
    "linspace": lambda dice: [0.0, 1.0, dice.random.randint(-1, 5), None, None, None, None],
    "scalar_tensor": lambda dice: [dice.random.randint(-9, 9), None, None, None, None],
    "to.dtype": _with(7, False, False, None),
    "_to_copy": _with(None, None, None, None, False, None),
    "_cast_Float": _with(False),
    "_cast_Long": _with(False),
    "type_as": _any_two(),
    "to.other": _any_two(False, False, None),
    "where.Scalar": lambda dice: [{"t": dice.shape(), "b": True}, 1.5, 2.5],
    "where.ScalarOther": _chosen("tensor", "number"),
    "where.ScalarSelf": _chosen("number", "tensor"),
    "index.Tensor_hacked_twin": _indexed,
    "index_put.hacked_twin": _put,
    "_unsafe_index_put.hacked_twin": _put,
    "norm.Scalar": lambda dice: [t(dice.shape()), dice.random.choice([2, 1.0, 0.0, -1.0])],
    "norm.ScalarOpt_dim": _normed,
    "count_nonzero": lambda dice: [t(a := dice.shape()), dice.random.choice([None, dice.axis(a)])],
    "count_nonzero.dim_IntList": lambda dice: [t(a := dice.shape()), dice.axes(a)],
    "frobenius_norm.dim": _projected,
    **dict.fromkeys(["add.int", "sub.int", "mul.int"], _numbers(2)),
    **dict.fromkeys(["eq.int", "ne.int", "ge.int", "gt.int", "le.int", "lt.int"], _numbers(2, -2)),
    **dict.fromkeys(["floordiv.int", "remainder.int"], _divided),
    "neg.int": _numbers(1),
    "Int.bool": _truths(1),
    "Bool.int": _numbers(1, 0),
    "__not__": _truths(1),
    "__and__.bool": _truths(2),
    "__or__.bool": _truths(2),
    "eq.bool": _truths(2),
    "len.Tensor": lambda dice: [t(dice.shape(least=1))],
    "Int.Tensor": _one_integer,
    **dict.fromkeys(["IntImplicit", "ScalarImplicit"], _one_integer),
}


def variants(calls: Mapping[str, Arguments]) -> dict[str, Arguments]:
    """Return the calls that `calls` does not hold, given how its operators are called."""
    return {**{name: calls[like] for like, names in _LIKE.items() for name in names.split()}, **_OWN}
