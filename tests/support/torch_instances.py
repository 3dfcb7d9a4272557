"""Random calls of PyTorch's operators, as JSON: the operator's name and its operands.

A tensor is ``{"t": [2, 3]}``, of integers with ``"v": [0, 1, ..]``, of truth values with ``"b": true``, of complex
numbers with ``"c": true``, of bytes with ``"s": true``, of quantized numbers with ``"q": true``; all else is written as
it is. About a third of the calls is meant to be wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod
from typing import Any
from zlib import crc32

from support.dice import Dice, t
from support.torch_more import MORE
from support.torch_variants import Arguments, new_of_sizes, of_sizes, variants

Call = tuple[str, list[Any]]


def _of_two(dice: Dice) -> list[Any]:
    shape = dice.shape()
    pair = [t(shape), t(dice.broadcasting(shape))]
    return pair if dice.flag() else pair[::-1]


def _of_three(dice: Dice) -> list[Any]:
    shape = dice.shape()
    return [t(shape), t(dice.broadcasting(shape)), t(dice.broadcasting(shape))]


def _mask(dice: Dice, shape: list[int]) -> dict[str, Any]:
    return {"t": shape, "b": True}


def _masked(dice: Dice) -> list[Any]:
    shape = dice.shape()
    return [t(shape), _mask(dice, dice.broadcasting(shape))]


def _viewed(dice: Dice) -> list[Any]:
    shape = dice.shape()
    sizes = dice.factored(prod(shape))
    for at in range(len(sizes)):
        if dice.sometimes(0.3):
            sizes[at] = -1
        elif dice.sometimes(0.1):
            sizes[at] = dice.random.choice([-2, 0, 3])
    return [t(shape), sizes]


def _expanded(dice: Dice) -> list[Any]:
    shape = dice.shape()
    sizes = [dice.random.choice([each, each, -1, dice.size(), 2 if each == 1 else each]) for each in shape]
    more = [dice.random.choice([-1, 0, 1, 2, 3]) for _ in range(dice.random.choice([0, 0, 1, 2]))]
    return [t(shape), [*more, *sizes][1 if dice.sometimes(0.1) else 0 :], False]


def _sliced(dice: Dice) -> list[Any]:
    shape = dice.shape(least=1)
    ends = [None, 0, 1, 2, 3, 9, -1, -2, -9, 2**63 - 1]
    return [t(shape), dice.axis(shape), dice.random.choice(ends), dice.random.choice(ends), dice.random.randint(1, 3)]


def _slice_scattered(dice: Dice) -> list[Any]:
    shape, axis, start, end, step = _sliced(dice)
    extent = shape["t"][axis]
    source = list(shape["t"])
    source[axis] = len(range(extent)[start:end:step]) if dice.sometimes(0.8) else dice.size()
    return [shape, t(dice.disturbed(source, 0.1)), axis, start, end, step]


def _selected(dice: Dice) -> list[Any]:
    shape = dice.shape(least=1)
    return [t(shape), dice.axis(shape), dice.random.randint(-4, 4)]


def _select_scattered(dice: Dice) -> list[Any]:
    shape, axis, place = _selected(dice)
    rest = list(shape["t"])
    del rest[axis]
    return [shape, t(dice.disturbed(rest)), axis, place]


def _narrowed(dice: Dice) -> list[Any]:
    shape = dice.shape(least=1)
    return [t(shape), dice.axis(shape), dice.random.randint(-4, 4), dice.random.randint(-1, 4)]


def _joined(dice: Dice) -> list[Any]:
    shape = dice.shape(least=1)
    axis = dice.axis(shape)
    every: list[list[int]] = []
    for _ in range(dice.random.randint(1, 3)):
        each = dice.disturbed(shape, 0.1)
        each[axis] = dice.size()
        every.append([0] if dice.sometimes(0.15) else [dice.size()] if dice.sometimes(0.05) else each)
    return [[t(each) for each in every], axis]


def _stacked(dice: Dice) -> list[Any]:
    shape = dice.shape()
    every = [t(dice.disturbed(shape, 0.15)) for _ in range(dice.random.randint(1, 3))]
    return [every, dice.random.randint(-len(shape) - 1, len(shape))]


def _padded(dice: Dice) -> list[Any]:
    shape = dice.shape(least=1)
    pads = [dice.random.randint(-2, 3) for _ in range(2 * dice.random.randint(1, len(shape)))]
    return [t(shape), pads, 0]


def _mirrored(spatial: int) -> Arguments:
    def make(dice: Dice) -> list[Any]:
        shape = [dice.random.choice([0, 1, 2, 3, 4, 5]) for _ in range(spatial + dice.random.choice([0, 1, 1, 2, 2]))]
        return [t(shape), [dice.random.randint(-1, 3) for _ in range(2 * spatial)]]

    return make


def _factors(ranks: tuple[int, int]) -> Arguments:
    def make(dice: Dice) -> list[Any]:
        a = dice.shape(ranks[0])
        b = dice.shape(ranks[1])
        if b:
            b[-2 if len(b) > 1 else -1] = a[-1]
        if len(a) == 3:
            b[0] = a[0]
        a, b = dice.disturbed(a), dice.disturbed(b)
        return [t(a[1:] if dice.sometimes(0.05) else a), t(b)]

    return make


def _matmul(dice: Dice) -> list[Any]:
    a = dice.shape(most=4)
    b = dice.broadcasting(a[:-2]) + ([a[-1]] if a else []) + ([dice.size()] if dice.sometimes(0.8) else [])
    return [t(a), t(dice.disturbed(b))]


def _added(rank: int) -> Arguments:
    def make(dice: Dice) -> list[Any]:
        a, b = (each["t"] for each in _factors((rank, rank))(dice))
        result = [*a[:-1], *b[-1:]]
        return [t(dice.broadcasting(result)), t(a), t(b), 1, 1]

    return make


def _compared_rows(dice: Dice) -> list[Any]:
    batch, columns = dice.shape(most=2), dice.size()
    a, b = [*batch, dice.size(), columns], [*dice.broadcasting(batch), dice.size(), columns]
    return [t(a[-1:] if dice.sometimes(0.05) else a), t(dice.disturbed(b))]


def _paired(dice: Dice) -> list[Any]:
    return [t([*dice.shape(most=2), 2] if dice.sometimes(0.7) else dice.shape())]


def _linear(dice: Dice) -> list[Any]:
    shape, rows = dice.shape(least=1), dice.size()
    weight = [rows, shape[-1]]
    bias = dice.random.choice([None, t([rows]), t(dice.disturbed([rows], 0.5))])
    return [t(shape), t(dice.disturbed(weight)), bias]


def _attention(dice: Dice) -> list[Any]:
    batch, length, width, keys, values = dice.shape(most=2), *(dice.random.randint(1, 3) for _ in range(4))
    q, k, v = [*batch, length, width], [*dice.disturbed(batch, 0.2), keys, width], [*batch, keys, values]
    mask = t(dice.broadcasting([*batch, length, keys])) if dice.sometimes(0.4) else None
    return [t(q), t(dice.disturbed(k, 0.1)), t(dice.disturbed(v, 0.1)), mask, 0.0, False, None, False]


def _grouped_attention(dice: Dice) -> list[Any]:
    heads, groups = dice.random.choice([2, 4, 6]), dice.random.choice([1, 2, 2, 3, 4])
    length, width, keys = (dice.random.randint(1, 3) for _ in range(3))
    k = [2, groups, keys, width]
    return [t([2, heads, length, width]), t(k), t(k), None, 0.0, False, None, True]


def _folded(*tail: object) -> Arguments:
    def make(dice: Dice) -> list[Any]:
        shape = dice.shape()
        return [t(shape), dice.axes(shape), *(dice.flag() if each is bool else each for each in tail)]

    return make


def _along(*tail: object) -> Arguments:
    def make(dice: Dice) -> list[Any]:
        shape = dice.shape()
        return [t(shape), dice.axis(shape), *(dice.flag() if each is bool else each for each in tail)]

    return make


def _best(*tail: object) -> Arguments:
    def make(dice: Dice) -> list[Any]:
        shape = dice.shape()
        return [
            t(shape),
            dice.random.randint(-1, 4),
            dice.axis(shape),
            *(dice.flag() if e is bool else e for e in tail),
        ]

    return make


def _layer_norm(kind: str) -> Arguments:
    def make(dice: Dice) -> list[Any]:
        shape = dice.shape(least=1)
        sizes = dice.disturbed(shape[dice.random.randint(0, len(shape) - 1) :], 0.15)
        weight = dice.random.choice([None, t(sizes), t(dice.disturbed(sizes, 0.5))])
        bias = dice.random.choice([None, t(sizes)])
        if kind == "rms":
            return [t(shape), sizes, weight, 1e-5]
        return [t(shape), sizes, weight, bias, 1e-5, *([False] if kind == "whole" else [])]

    return make


def _group_norm(dice: Dice) -> list[Any]:
    groups = dice.random.choice([1, 2, 3])
    shape = [dice.size(), groups * dice.random.choice([1, 2]), *dice.shape(most=2)]
    channels = shape[1]
    weight = dice.random.choice([None, t([channels]), t(dice.disturbed([channels], 0.5))])
    return [t(dice.disturbed(shape, 0.3)), groups, weight, None, 1e-5, False]


def _native_group_norm(dice: Dice) -> list[Any]:
    image, groups, weight, bias, epsilon, _ = _group_norm(dice)
    batch, channels, *rest = image["t"]
    return [image, weight, bias, *dice.disturbed([batch, channels, prod(rest)], 0.1), groups, epsilon]


def _batch_norm(dice: Dice) -> list[Any]:
    shape = [dice.random.randint(2, 3), dice.random.randint(1, 3), *dice.shape(most=2)]
    vectors = [t(dice.disturbed([shape[1]], 0.1)) for _ in range(4)]
    return [t(shape), *vectors, dice.flag(), 0.1, 1e-5, False]


def _native_batch_norm(dice: Dice) -> list[Any]:
    """Draw as many weights as channels, which PyTorch assumes."""
    shape = dice.shape(least=2)
    return [t(shape), *(t([shape[1]]) for _ in range(4)), dice.flag(), 0.1, 1e-5]


def _convolution(spatial: int, kind: str) -> Arguments:
    def make(dice: Dice) -> list[Any]:
        random, groups = dice.random, dice.random.choice([1, 1, 2])
        inner, outer = random.randint(1, 2), random.randint(1, 2)
        image = [random.choice([1, 2, 3, 4, 5, 6]) for _ in range(spatial)]
        window = [random.randint(1, 3) for _ in range(spatial)]
        transposed = "transpose" in kind or (kind == "general" and dice.flag())
        shape = dice.disturbed([random.choice([0, 1, 2]), inner * groups, *image], 0.15)
        weight = [inner * groups, outer] if transposed else [outer * groups, inner]
        bias = random.choice([None, t([outer * groups]), t([random.randint(1, 4)])])
        strides, padding, gaps = ([random.randint(*b) for _ in range(spatial)] for b in ((1, 3), (0, 2), (1, 2)))
        more = [
            random.randint(0, max(max(s, g) - 1, 0)) if transposed else 0 for s, g in zip(strides, gaps, strict=True)
        ]
        head = [t(shape), t([*weight, *window]), bias, strides, padding]
        if "transpose" in kind:
            return [*head, more, groups, gaps]
        return [*head, gaps, groups] if kind == "direct" else [*head, gaps, transposed, more, groups]

    return make


def _pooled(spatial: int, average: bool) -> Arguments:
    def make(dice: Dice) -> list[Any]:
        random = dice.random
        shape = [random.choice([0, 1, 2]), random.choice([0, 1, 2, 3]), *(random.randint(0, 6) for _ in range(spatial))]
        shape = shape[1:] if dice.sometimes() else shape
        window = [random.randint(1, 3) for _ in range(spatial)]
        strides = random.choice([[], [random.randint(1, 3) for _ in range(spatial)]])
        padding = [random.randint(0, each // 2) for each in window]
        if average:
            tail: list[Any] = [dice.flag(), True] if spatial == 1 else [dice.flag(), True, None]
            return [t(shape), window, strides, padding, *tail]
        gaps = [random.randint(1, 2) for _ in range(spatial)]
        return [t(shape), window, strides, padding, gaps, dice.flag()]

    return make


def _adaptive(spatial: int) -> Arguments:
    def make(dice: Dice) -> list[Any]:
        shape = [dice.random.choice([0, 1, 2, 3]) for _ in range(spatial + dice.random.choice([1, 2, 2]))]
        return [t(shape), [dice.random.randint(1, 4) for _ in range(spatial)]]

    return make


def _upsampled(spatial: int, tail: list[Any]) -> Arguments:
    def make(dice: Dice) -> list[Any]:
        shape = [dice.random.choice([0, 1, 1, 2, 3]) for _ in range(spatial + 2)]
        return [t(shape), [dice.random.randint(0, 4) for _ in range(spatial)], *tail]

    return make


def _embedded(dice: Dice) -> list[Any]:
    rows = dice.size()
    return [t([rows, dice.size()]), dice.places(dice.shape(most=2), rows), -1, False, False]


def _bagged(dice: Dice) -> list[Any]:
    """Draw valid indices and offsets: PyTorch does not always check whether they are valid."""
    rows, count = dice.random.randint(1, 4), dice.random.randint(1, 4)
    begins = [0, *sorted(dice.random.randint(0, count) for _ in range(dice.random.randint(1, 2)))]
    offsets = {"t": [len(begins)], "v": begins}
    weights = t(dice.disturbed([count], 0.5)) if dice.sometimes(0.3) else None
    mode = dice.random.choice([0, 0, 1])
    numbers = {"t": [count], "v": [dice.random.randrange(rows) for _ in range(count)]}
    table, left_out = t([rows, dice.random.randint(1, 4)]), dice.random.randint(-1, rows - 1)
    return [table, numbers, offsets, False, mode, False, weights, dice.sometimes(), left_out]


def _classified(dice: Dice) -> list[Any]:
    classes = dice.random.choice([-1, 0, 1, 2, 3, 4, 4, 4])
    return [dice.places(dice.shape(most=2), classes if classes > 0 else 3), classes]


def _transformed(dice: Dice) -> list[Any]:
    shape = dice.shape()
    return [t(shape), dice.random.choice([None, None, 0, 1, 2, 3, 7, -1]), dice.axis(shape), None]


def _transformed_back(dice: Dice) -> list[Any]:
    given, *rest = _transformed(dice)
    return [{**given, "c": True}, *rest]


def _transformed_over_several(dice: Dice) -> list[Any]:
    shape = dice.shape()
    count = dice.random.randint(0, min(3, len(shape) + dice.sometimes(0.1)))
    axes = dice.random.choice([None, [dice.axis(shape) for _ in range(count)]])
    points = [dice.random.choice([-1, 1, 2, 3, 7, dice.random.randint(-2, 2)]) for _ in range(count)]
    if dice.sometimes(0.1):
        points.append(2)
    return [t(shape), dice.random.choice([None, points]), axes, None]


def _transformed_back_over_several(dice: Dice) -> list[Any]:
    given, *rest = _transformed_over_several(dice)
    return [{**given, "c": True}, *rest]


def _index_selected(dice: Dice) -> list[Any]:
    shape = dice.shape(least=1)
    axis = dice.axis(shape)
    return [t(shape), axis, dice.places(dice.shape(most=2 if dice.sometimes(0.1) else 1), shape[axis])]


def _gathered(dice: Dice) -> list[Any]:
    shape = dice.shape(least=1)
    axis = dice.axis(shape)
    numbers = [dice.random.randint(0, each + dice.sometimes(0.1)) for each in shape]
    numbers[axis] = dice.size()
    return [t(shape), axis, dice.places(numbers[1 if dice.sometimes(0.1) else 0 :], shape[axis]), False]


def _scattered(put: str) -> Arguments:
    def make(dice: Dice) -> list[Any]:
        source, axis, numbers, _ = _gathered(dice)
        larger = [each + dice.sometimes(0.3) - dice.sometimes(0.1) for each in numbers["t"]]
        value = 1.5 if put == "value" else t([max(each, 0) for each in larger])
        return [source, axis, numbers, value, *{"two": ["sum", True], "reduce": ["add"]}.get(put, [])]

    return make


def _places(dice: Dice, shape: list[int]) -> list[Any]:
    joint = dice.shape(most=2)
    listed: list[Any] = []
    for extent in shape[: dice.random.randint(1, len(shape))]:
        listed.append(None if dice.sometimes(0.3) else dice.places(dice.broadcasting(joint), extent))
    if all(each is None for each in listed):
        listed[0] = dice.places(joint, shape[0])
    return listed


def _indexed(dice: Dice) -> list[Any]:
    shape = dice.shape(least=1, most=4)
    return [t(shape), _places(dice, shape)]


def _put(dice: Dice) -> list[Any]:
    shape = dice.shape(least=1, most=3)
    return [t(shape), _places(dice, shape), t(dice.shape(most=2)), False]


def _arange(count: int) -> Arguments:
    def make(dice: Dice) -> list[Any]:
        numbers = [dice.random.randint(-5, 9) for _ in range(count)]
        return [*numbers, 4, None, None, False]

    return make


def _triangle(dice: Dice) -> list[Any]:
    rows, columns = (dice.random.randint(-1, 4) for _ in range(2))
    return [rows, columns, dice.random.randint(-6, 6), 4, None, None, None]


def _repeated_each(dice: Dice) -> list[Any]:
    shape = dice.shape(least=1)
    return [t(shape), dice.random.randint(-1, 3), None if dice.sometimes() else dice.axis(shape), None]


_BETWEEN = {"linear1d": 1, "bilinear2d": 2, "bicubic2d": 2, "trilinear3d": 3}


def _upsampled_either(spatial: int, middle: list[Any]) -> Arguments:
    """Draw sizes or scale factors."""

    def make(dice: Dice) -> list[Any]:
        image, sizes = _upsampled(spatial, [])(dice)
        if dice.flag():
            return [image, sizes, *middle, None]
        return [image, None, *middle, [dice.random.choice([0.5, 1.0, 1.5, 2.0]) for _ in range(spatial)]]

    return make


def _permuted(dice: Dice) -> list[Any]:
    shape = dice.shape()
    order = list(range(len(shape)))
    dice.random.shuffle(order)
    return [t(shape), [each - len(shape) if dice.sometimes() else each for each in order]]


def _two_axes(dice: Dice) -> list[Any]:
    shape = dice.shape(least=1)
    return [t(shape), dice.axis(shape), dice.axis(shape)]


def _flattened(dice: Dice) -> list[Any]:
    shape = dice.shape(least=1)
    first, last = sorted((dice.random.randrange(len(shape)), dice.random.randrange(len(shape))))
    return [t(shape), first, last - len(shape) if dice.flag() else last]


def _unflattened(dice: Dice) -> list[Any]:
    shape = dice.shape(least=1)
    axis = dice.axis(shape)
    sizes = dice.factored(shape[axis])
    if dice.sometimes(0.4):
        sizes[dice.random.randrange(len(sizes))] = dice.random.choice([-1, -1, 2])
    return [t(shape), axis, sizes]


def _repeated(dice: Dice) -> list[Any]:
    shape = dice.shape()
    count = max(len(shape) + dice.random.choice([0, 0, 1, -1]), 0)
    return [t(shape), [dice.random.choice([-1, 0, 1, 2, 3]) for _ in range(count)]]


def _split(dice: Dice) -> list[Any]:
    shape = dice.shape(least=1)
    return [t(shape), dice.random.randint(0, 3), dice.axis(shape)]


def _split_by_sizes(dice: Dice) -> list[Any]:
    shape = dice.shape(least=1)
    axis = dice.axis(shape)
    first = dice.random.randint(0, shape[axis])
    return [t(shape), dice.disturbed([first, shape[axis] - first], 0.3), axis]


def _unfolded(dice: Dice) -> list[Any]:
    shape = dice.shape(least=1)
    return [t(shape), dice.axis(shape), dice.random.randint(0, 4), dice.random.randint(1, 3)]


def _diagonal(dice: Dice) -> list[Any]:
    shape = dice.shape(least=2)
    a, b = dice.random.sample(range(len(shape)), 2)
    return [t(shape), dice.random.randint(-4, 4), a, b - len(shape)]


def _shuffled(dice: Dice) -> list[Any]:
    factor = dice.random.randint(1, 2)
    shape = [*dice.shape(most=1), *(dice.random.choice([0, 1, 2, 4]) for _ in range(3))]
    return [t(shape[1:] if dice.sometimes(0.05) else shape), factor]


def _copied(dice: Dice) -> list[Any]:
    shape = dice.shape()
    return [t(shape), t(dice.broadcasting(shape)), False]


def _sloped(dice: Dice) -> list[Any]:
    shape = dice.shape()
    features = shape[1] if len(shape) > 1 else 1
    return [t(shape), t(dice.random.choice([[1], [features], [features], dice.shape(1)]))]


_ONE = (
    "abs absolute acos acosh alias asin asinh atan atanh ceil celu clone cos cosh deg2rad detach elu erf erfinv exp "
    "exp2 expm1 fix floor frac gelu hardshrink hardsigmoid hardswish hardtanh isfinite isinf isnan isneginf isposinf "
    "leaky_relu log log10 log1p log2 log_sigmoid logical_not mish nan_to_num neg ones_like rad2deg reciprocal relu "
    "relu6 round rsqrt selu sgn sigmoid sign signbit silu sin sinh softplus softshrink special_expm1 sqrt square tan "
    "tanh trunc zeros_like"
)
_MORE_PAIRS = (
    "fmin copysign.Tensor heaviside logaddexp2 logical_or logical_xor ne.Tensor le.Tensor gt.Tensor floor_divide "
    "xlogy.Tensor max.other min.other isclose"
)
_PAIRS = "atan2 fmax logaddexp logical_and maximum minimum eq.Tensor lt.Tensor ge.Tensor mul.Tensor div.Tensor"

_BASIC: dict[str, Arguments] = {
    **dict.fromkeys(_ONE.split(), lambda dice: [t(dice.shape())]),
    **dict.fromkeys(_PAIRS.split(), _of_two),
    **dict.fromkeys(_MORE_PAIRS.split(), _of_two),
    "repeat_interleave.self_int": _repeated_each,
    **dict.fromkeys(["std.correction"], _folded(0, bool)),
    **dict.fromkeys(["add.Tensor", "sub.Tensor"], lambda dice: [*_of_two(dice), 1]),
    **dict.fromkeys(["pow.Tensor_Tensor", "fmod.Tensor", "remainder.Tensor"], _of_two),
    **dict.fromkeys(["add.Scalar", "sub.Scalar", "rsub.Scalar"], lambda dice: [t(dice.shape()), 2.5, 1]),
    **dict.fromkeys(["mul.Scalar", "div.Scalar", "gt.Scalar"], lambda dice: [t(dice.shape()), 2.5]),
    "where.self": lambda dice: [_mask(dice, (found := _of_three(dice))[0]["t"]), *found[1:]],
    "addcmul": lambda dice: [*_of_three(dice), 1],
    "lerp.Tensor": _of_three,
    "clamp.Tensor": _of_three,
    "masked_fill.Scalar": lambda dice: [*_masked(dice), 0.5],
    "masked_fill.Tensor": lambda dice: [*_masked(dice), t([] if dice.sometimes(0.7) else [1])],
    "copy": _copied,
    "prelu": _sloped,
    **dict.fromkeys(["view", "reshape", "_unsafe_view"], _viewed),
    "reshape_as": lambda dice: [
        t(a := dice.shape()),
        t(dice.factored(prod(a)) if dice.sometimes(0.8) else dice.shape()),
    ],
    "flatten.using_ints": _flattened,
    "unflatten.int": _unflattened,
    "unsqueeze": lambda dice: [t(a := dice.shape()), dice.random.randint(-len(a) - 1, len(a))],
    "squeeze": lambda dice: [t(dice.shape())],
    "squeeze.dims": lambda dice: [t(a := dice.shape()), dice.axes(a)],
    "squeeze.dim": lambda dice: [t(a := dice.shape()), dice.axis(a)],
    "expand": _expanded,
    "expand_as": lambda dice: [t(dice.broadcasting(a := dice.shape())), t(a)],
    "broadcast_to": lambda dice: _expanded(dice)[:2],
    "repeat": _repeated,
    "tile": _repeated,
    "permute": _permuted,
    "transpose.int": _two_axes,
    "movedim.int": _two_axes,
    "t": lambda dice: [t(dice.shape(most=2))],
    "numpy_T": lambda dice: [t(dice.shape())],
    "flip": lambda dice: [t(a := dice.shape()), dice.axes(a)],
    "roll": lambda dice: [t(a := dice.shape(least=1)), [1], [dice.axis(a)]],
    "triu": lambda dice: [t(dice.shape()), dice.random.randint(-2, 2)],
    "tril": lambda dice: [t(dice.shape()), dice.random.randint(-2, 2)],
    "slice.Tensor": _sliced,
    "slice_scatter": _slice_scattered,
    "select.int": _selected,
    "select_scatter": _select_scattered,
    "narrow": _narrowed,
    "unfold": _unfolded,
    "diagonal": _diagonal,
    "constant_pad_nd": _padded,
    **{f"{kind}_pad{rank}d": _mirrored(rank) for kind in ("reflection", "replication") for rank in (1, 2, 3)},
    "cat": _joined,
    "stack": _stacked,
    "split.Tensor": _split,
    "split_with_sizes": _split_by_sizes,
    "chunk": lambda dice: [t(a := dice.shape(least=1)), dice.random.randint(1, 4), dice.axis(a)],
    "unbind.int": lambda dice: [t(a := dice.shape(least=1)), dice.axis(a)],
    "mm": _factors((2, 2)),
    "bmm": _factors((3, 3)),
    "mv": _factors((2, 1)),
    "dot": _factors((1, 1)),
    "outer": lambda dice: [t(dice.shape(1)), t(dice.shape(2 if dice.sometimes(0.2) else 1))],
    "addmm": _added(2),
    "baddbmm": _added(3),
    "matmul": _matmul,
    "linear": _linear,
    "cdist": lambda dice: [*_compared_rows(dice), 2.0, None],
    "_pdist_forward": lambda dice: [t(dice.shape(2)), 2.0],
    "_cdist_forward": lambda dice: [*_compared_rows(dice), 2.0, None],
    "scaled_dot_product_attention": lambda dice: (_grouped_attention if dice.sometimes() else _attention)(dice),
    **dict.fromkeys(["sum", "mean", "prod", "any", "all", "max", "min"], lambda dice: [t(dice.shape())]),
    **dict.fromkeys(["sum.dim_IntList", "mean.dim"], _folded(bool, None)),
    **dict.fromkeys(["amax", "amin", "logsumexp", "any.dims"], _folded(bool)),
    **dict.fromkeys(["any.dim", "all.dim", "max.dim", "min.dim", "argmax", "argmin"], _along(bool)),
    "prod.dim_int": _along(bool, None),
    "var.dim": _folded(False, bool),
    "var.correction": _folded(0, bool),
    "var_mean.correction": _folded(0, bool),
    "linalg_vector_norm": lambda dice: [t(a := dice.shape()), 2, dice.axes(a), dice.flag(), None],
    "cumsum": _along(None),
    "softmax.int": _along(None),
    "_softmax": _along(False),
    "_log_softmax": _along(False),
    "sort": _along(bool),
    "topk": _best(bool, True),
    "kthvalue": _best(bool),
    "layer_norm": _layer_norm("whole"),
    "native_layer_norm": _layer_norm("native"),
    "rms_norm": _layer_norm("rms"),
    "group_norm": _group_norm,
    "native_group_norm": _native_group_norm,
    "batch_norm": _batch_norm,
    "native_batch_norm": _native_batch_norm,
    "_native_batch_norm_legit": _native_batch_norm,
    "_native_batch_norm_legit.no_stats": lambda dice: [*(given := _native_batch_norm(dice))[:3], *given[5:]],
    "_native_batch_norm_legit_no_training": lambda dice: [*(given := _native_batch_norm(dice))[:5], *given[6:]],
    **{f"conv{rank}d": _convolution(rank, "direct") for rank in (1, 2, 3)},
    "convolution": lambda dice: _convolution(dice.random.randint(1, 3), "general")(dice),
    "_convolution": lambda dice: [*_convolution(dice.random.randint(1, 3), "general")(dice), *[False] * 4],
    "conv_transpose1d": _convolution(1, "transpose"),
    "conv_transpose3d.input": _convolution(3, "transpose"),
    "conv_transpose2d.input": _convolution(2, "transpose"),
    **{f"max_pool{rank}d": _pooled(rank, False) for rank in (1, 2, 3)},
    **{f"max_pool{rank}d_with_indices": _pooled(rank, False) for rank in (1, 2, 3)},
    **{f"avg_pool{rank}d": _pooled(rank, True) for rank in (1, 2, 3)},
    **{f"adaptive_avg_pool{rank}d": _adaptive(rank) for rank in (1, 2, 3)},
    **{f"adaptive_max_pool{rank}d": _adaptive(rank) for rank in (1, 2, 3)},
    **{f"upsample_nearest{rank}d": _upsampled(rank, [None] * rank) for rank in (1, 2, 3)},
    **{f"_upsample_nearest_exact{rank}d": _upsampled(rank, [None] * rank) for rank in (1, 2, 3)},
    **{f"upsample_{way}": _upsampled(rank, [False, *[None] * rank]) for way, rank in _BETWEEN.items()},
    **{f"upsample_nearest{rank}d.vec": _upsampled_either(rank, []) for rank in (1, 2, 3)},
    **{f"_upsample_nearest_exact{rank}d.vec": _upsampled_either(rank, []) for rank in (1, 2, 3)},
    **{f"upsample_{way}.vec": _upsampled_either(rank, [False]) for way, rank in _BETWEEN.items()},
    "view_as_complex": _paired,
    "view_as_real": lambda dice: [{**t(dice.shape()), "c": True}],
    "pixel_shuffle": _shuffled,
    "pixel_unshuffle": _shuffled,
    "embedding": _embedded,
    "_embedding_bag": _bagged,
    "embedding_bag.padding_idx": _bagged,
    "one_hot": _classified,
    **dict.fromkeys(["fft_rfft", "fft_ihfft"], _transformed),
    **dict.fromkeys(["fft_fft", "fft_ifft", "fft_irfft", "fft_hfft"], _transformed_back),
    **dict.fromkeys(["fft_rfftn"], _transformed_over_several),
    **dict.fromkeys(["fft_fftn", "fft_ifftn", "fft_irfftn"], _transformed_back_over_several),
    "index_select": _index_selected,
    "gather": _gathered,
    "scatter.src": _scattered("src"),
    "scatter.value": _scattered("value"),
    "scatter_add": _scattered("src"),
    "scatter_reduce.two": _scattered("two"),
    "scatter.reduce": _scattered("reduce"),
    "index.Tensor": _indexed,
    "index_put": _put,
    "_index_put_impl": lambda dice: [*_put(dice), False],
    "arange": _arange(1),
    "arange.start": _arange(2),
    "arange.start_step": _arange(3),
    "tril_indices": _triangle,
    "triu_indices": _triangle,
    "bucketize.Tensor": lambda dice: [t(dice.shape()), t(dice.shape(most=1)), False, False],
    "zeros": of_sizes(6, None, None, False),
    "full": of_sizes(7, 4, None, None, False),
    "empty.memory_format": of_sizes(6, None, None, False, None),
    "new_zeros": new_of_sizes(6, None, None, False),
    "eye.m": lambda dice: [dice.random.randint(-1, 3), dice.random.randint(-1, 3), 6, None, None, False],
    "item": lambda dice: [{"t": (a := dice.shape(most=2)), "v": [dice.random.randint(0, 5) for _ in range(prod(a))]}],
}
CALLS = {**_BASIC, **variants(_BASIC), **MORE}
"""The operators without the beginning ``torch.aten.``, and how their operands are drawn."""


def calls(each: int, seed: int = 0, names: Iterable[str] = CALLS) -> Iterator[Call]:
    """Yield this many calls of each operator."""
    for name in names:
        dice = Dice(crc32(f"{seed} {name}".encode()))
        for _ in range(each):
            yield name, CALLS[name](dice)
