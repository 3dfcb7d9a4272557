"""Random calls of ONNX operators: operands, attributes and opset.

A tensor of floats is ``{"t": extents}``, one of integers that are known ``{"t": extents, "v": integers}``, an omitted
operand None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from random import Random
from typing import Any

Call = tuple[list[Any], dict[str, Any]]
Generator = Callable[[Random], Call]


def floats(*extents: int) -> dict[str, Any]:
    """Return an operand of floats."""
    return {"t": list(extents)}


def integers(*values: int) -> dict[str, Any]:
    """Return an operand that is a vector of known integers."""
    return {"t": [len(values)], "v": list(values)}


def extents(dice: Random, least: int = 0, most: int = 4, largest: int = 4) -> list[int]:
    """Return random extents, of which few are 0."""
    rank = dice.randint(least, most)
    return [dice.choice([0, 1, 1, *range(2, largest + 1), *range(2, largest + 1)]) for _ in range(rank)]


def similar(dice: Random, shape: list[int]) -> list[int]:
    """Return a shape that often broadcasts with another one, or is nearly it."""
    found = [dice.choice([each, each, each, 1, dice.randint(0, 4)]) for each in shape]
    return found[dice.choice([0, 0, 1]) :] if dice.random() < 0.8 else [dice.randint(1, 3), *found]


def unary(dice: Random) -> Call:
    return [floats(*extents(dice))], {}


def binary(dice: Random) -> Call:
    first = extents(dice)
    return [floats(*first), floats(*similar(dice, first))], {}


def three(dice: Random) -> Call:
    first = extents(dice)
    return [floats(*first), floats(*similar(dice, first)), floats(*similar(dice, first))], {}


def reshape(dice: Random) -> Call:
    first = extents(dice, 1)
    sizes = [dice.choice([0, -1, each, each, each, dice.randint(0, 6)]) for each in first]
    if dice.random() < 0.5:
        dice.shuffle(sizes)
    if dice.random() < 0.3:
        sizes = [*sizes[2:], -1]
    return [floats(*first), integers(*sizes)], dice.choice([{}, {}, {"allowzero": 1}])


def flatten(dice: Random) -> Call:
    first = extents(dice)
    return [floats(*first)], {"axis": dice.randint(-len(first), len(first))}


def transpose(dice: Random) -> Call:
    first = extents(dice, 1)
    order = list(range(len(first)))
    dice.shuffle(order)
    return [floats(*first)], dice.choice([{}, {"perm": order}])


def unsqueeze(dice: Random) -> Call:
    first = extents(dice, 0, 3)
    rank = len(first) + 2
    return [floats(*first), integers(*dice.sample(range(-rank, 0), 2))], {}


def squeeze(dice: Random) -> Call:
    first = [dice.choice([1, 1, 2]) for _ in range(dice.randint(1, 4))]
    if dice.random() < 0.3:
        return [floats(*first)], {}
    return [floats(*first), integers(*dice.sample(range(len(first)), dice.randint(1, len(first))))], {}


def expand(dice: Random) -> Call:
    first = extents(dice)
    return [floats(*first), integers(*similar(dice, first))], {}


def tile(dice: Random) -> Call:
    first = extents(dice, 1)
    return [floats(*first), integers(*(dice.randint(0, 3) for _ in first))], {}


def concat(dice: Random) -> Call:
    first = extents(dice, 1)
    axis = dice.randrange(len(first))
    others = [[dice.randint(0, 4) if at == axis else each for at, each in enumerate(first)] for _ in range(2)]
    if dice.random() < 0.3:
        others[-1] = similar(dice, first)
    return [floats(*first), *(floats(*each) for each in others)], {"axis": axis - dice.choice([0, len(first)])}


def split(dice: Random) -> Call:
    first = extents(dice, 1, largest=9)
    axis = dice.randrange(len(first))
    if dice.random() < 0.5:
        return [floats(*first)], {"axis": axis, "num_outputs": 3}
    sizes = [dice.randint(0, 3), dice.randint(0, 3)]
    sizes.append(dice.choice([first[axis] - sum(sizes), 1]))
    return [floats(*first), integers(*sizes)], {"axis": axis}


def slices(dice: Random) -> Call:
    first = extents(dice, 1)
    axes = dice.sample(range(len(first)), dice.randint(1, len(first)))
    bounds = [[dice.choice([-9, *range(-5, 6), 2**31 - 1, 2**63 - 1, -(2**63) + 1]) for _ in axes] for _ in range(2)]
    steps = [dice.choice([1, 1, 2, 3, -1, -2]) for _ in axes]
    return [floats(*first), *(integers(*each) for each in (*bounds, axes, steps))], {}


def pad(dice: Random) -> Call:
    first = extents(dice, 1, 3)
    pads = [dice.choice([0, 0, 1, 2, -1]) for _ in range(2 * len(first))]
    return [floats(*first), integers(*pads)], {"mode": dice.choice(["constant", "constant", "edge"])}


def gather(dice: Random) -> Call:
    first = [dice.randint(1, 4) for _ in range(dice.randint(1, 4))]  # of nothing, numpy takes whatever is asked for
    axis = dice.randrange(len(first))
    return [floats(*first), integers(*(dice.randint(-3, 3) for _ in range(dice.randint(0, 3))))], {"axis": axis}


def matmul(dice: Random) -> Call:
    batch, (n, m, k) = extents(dice, 0, 2), (dice.randint(0, 4) for _ in range(3))
    inner = dice.choice([m, m, m, m + 1])
    kinds = [
        ([n, m], [inner, k]),
        ([*batch, n, m], [*similar(dice, batch), inner, k]),
        ([m], [inner, k]),
        ([n, m], [inner]),
    ]
    left, right = dice.choice(kinds)
    return [floats(*left), floats(*right)], {}


def einsum(dice: Random) -> Call:
    """Sums of products; numpy broadcasts, as ONNX says its operator does."""
    sizes = {letter: dice.randint(1, 4) for letter in "abcd"}
    equation = dice.choice(["ab,bc->ac", "abc,acd->abd", "ab,ab->a", "ab->ba", "ab,bc", "abc->", "a...b,bc->a...c"])
    operands = []
    for term in equation.partition("->")[0].split(","):
        shape = [sizes[letter] for letter in term.replace("...", "d")]
        place = dice.randrange(len(shape))
        shape[place] = dice.choice([shape[place]] * 5 + [shape[place] + 1])
        operands.append(floats(*shape[: None if dice.random() < 0.95 else -1]))
    return operands, {"equation": equation}


def gemm(dice: Random) -> Call:
    n, m, k = (dice.randint(0, 4) for _ in range(3))
    over = [dice.randint(0, 1), dice.randint(0, 1)]
    a, b = [n, m], [dice.choice([m, m, m, m + 1]), k]
    operands = [floats(*(a[::-1] if over[0] else a)), floats(*(b[::-1] if over[1] else b))]
    if dice.random() < 0.6:
        operands.append(floats(*dice.choice([[k], [n, k], [1, k], [n, 1], [1], [k + 1]])))
    return operands, {"transA": over[0], "transB": over[1]}


def window(dice: Random, rank: int) -> dict[str, Any]:
    """Return random attributes of a window."""
    return {
        "strides": [dice.randint(1, 3) for _ in range(rank)],
        "pads": [dice.randint(0, 1) for _ in range(2 * rank)],
    }


def convolution(dice: Random) -> Call:
    rank, group = dice.randint(1, 2), dice.choice([1, 1, 2])
    channels = dice.randint(1, 2) * group
    image = [dice.randint(0, 7) for _ in range(rank)]
    weights = [dice.choice([group, 2 * group, 3]), dice.choice([channels // group] * 4 + [3])]
    weights += [dice.randint(1, 3) for _ in range(rank)]
    operands = [floats(dice.randint(0, 2), channels, *image), floats(*weights)]
    if dice.random() < 0.5:
        operands.append(floats(dice.choice([weights[0]] * 3 + [5])))
    how = window(dice, rank) if dice.random() < 0.8 else {"auto_pad": dice.choice(["SAME_UPPER", "VALID"])}
    return operands, {**how, "group": group, "dilations": [dice.randint(1, 2) for _ in range(rank)]}


def transposed(dice: Random) -> Call:
    rank, channels = dice.randint(1, 2), dice.randint(1, 2)
    image = [dice.randint(1, 4) for _ in range(rank)]
    weights = [channels, dice.randint(1, 2), *(dice.randint(1, 3) for _ in range(rank))]
    return [floats(1, channels, *image), floats(*weights)], window(dice, rank)


def pooling(dice: Random) -> Call:
    rank = dice.randint(1, 2)
    image = [dice.randint(0, 7) for _ in range(rank)]
    how = {**window(dice, rank), "kernel_shape": [dice.randint(2, 3) for _ in range(rank)]}
    return [floats(dice.randint(1, 2), dice.randint(1, 2), *image)], how | {"ceil_mode": dice.randint(0, 1)}


def image(dice: Random) -> Call:
    return [floats(*extents(dice, 3, 4))], {}


def reduction(dice: Random) -> Call:
    first = extents(dice, 1)
    operands = [floats(*first)]
    if dice.random() < 0.8:
        operands.append(integers(*dice.sample(range(-len(first), 0), dice.randint(0, len(first)))))
    return operands, {"keepdims": dice.randint(0, 1), "noop_with_empty_axes": dice.choice([0, 0, 1])}


def extreme(dice: Random) -> Call:
    first = extents(dice, 1)
    return [floats(*first)], {"axis": dice.randrange(-len(first), len(first)), "keepdims": dice.randint(0, 1)}


def along(dice: Random) -> Call:
    first = extents(dice, 1)
    return [floats(*first)], {"axis": dice.randrange(-len(first), len(first))}


def layers(dice: Random) -> Call:
    first = extents(dice, 1)
    axis = dice.randrange(len(first))
    parameters = dice.choice([first[axis:], first[axis:], first, [1], similar(dice, first[axis:])])
    return [floats(*first), floats(*parameters)], {"axis": axis}


def channels(dice: Random) -> Call:
    first = extents(dice, 3, 4)
    count = dice.choice([first[1]] * 4 + [2])
    return [floats(*first), floats(count), floats(first[1])], {}


def batches(dice: Random) -> Call:
    operands, _ = channels(dice)
    return [*operands, floats(operands[0]["t"][1]), floats(operands[0]["t"][1])], {}


def resize(dice: Random) -> Call:
    first = [dice.randint(1, 4) for _ in range(dice.randint(1, 3))]
    sizes = [dice.randint(1, 6) for _ in first]
    return [floats(*first), None, None, integers(*sizes)], {"mode": "nearest"}


def blocks(dice: Random) -> Call:
    return [floats(*(dice.choice([4, 4, 8, 2, 6]) for _ in range(4)))], {"blocksize": 2}


def filled(dice: Random) -> Call:
    return [integers(*extents(dice))], {}


def ranks(dice: Random) -> Call:
    first = extents(dice, 1)
    ends = [dice.randint(-5, 5) for _ in range(2)]
    return [floats(*first)], dice.choice([{}, {"start": ends[0]}, {"start": ends[0], "end": ends[1]}])


def greatest(dice: Random) -> Call:
    first = extents(dice, 1)
    return [floats(*first), integers(dice.randint(0, 3))], {"axis": dice.randrange(-len(first), len(first))}


def recurrent(gates: int) -> Generator:
    """Return a generator of calls of a layer with so many gates; neither oracle sees all wrong sizes."""

    def call(dice: Random) -> Call:
        directions, batch, size, hidden = (dice.randint(1, 2), *(dice.randint(1, 3) for _ in range(3)))
        first, state = [dice.randint(0, 3), batch, size], [directions, batch, hidden]
        attributes: dict[str, Any] = {"direction": "bidirectional" if directions == 2 else "reverse"}
        if dice.random() < 0.3:
            attributes["layout"] = 1
            first[:2], state[:2] = first[1::-1], state[1::-1]
        attributes["hidden_size"] = hidden
        shapes = [first, [directions, gates * hidden, size], [directions, gates * hidden, hidden]]
        given: list[Any] = [floats(*each) for each in shapes]
        if dice.random() < 0.7:
            given.append(dice.choice([None, floats(directions, 2 * gates * hidden)]))
            given += [None, floats(*state)] if dice.random() < 0.5 else []
        return given, attributes

    return call


def tuples(numbers: list[int], length: int) -> dict[str, Any]:
    """Return an operand that is a matrix of known integers, a tuple of a length in each row."""
    return {"t": [len(numbers) // length, length], "v": numbers}


def places(dice: Random) -> Call:
    """Tuples of places of a tensor, of which few lie outside, and sometimes one place too many."""
    first = [dice.randint(1, 4) for _ in range(dice.randint(1, 3))]
    length = dice.choice([*range(1, len(first) + 1)] * 4 + [len(first) + 1])
    ends = [*first, 1][:length]
    off = [0] * 12 + [5]
    numbers = [dice.randrange(-each, each) + dice.choice(off) for _ in range(dice.randint(1, 3)) for each in ends]
    return [floats(*first), tuples(numbers, length)], {}


def written_places(dice: Random) -> Call:
    (first, numbers), _ = places(dice)
    parts = [numbers["t"][0], *first["t"][numbers["t"][1] :]]
    return [first, numbers, floats(*parts)], {}


def squares(dice: Random) -> Call:
    first = [dice.randint(1, 3) for _ in range(dice.randint(2, 4))]
    return [floats(*first[:-1], dice.choice([first[-2]] * 4 + [first[-1]]))], {}


def groups(dice: Random) -> Call:
    count = dice.randint(1, 3)
    channels = count * dice.randint(1, 3)
    return [floats(*extents(dice, 1, 1), channels, 3), floats(channels), floats(channels)], {"num_groups": count}


def grid(dice: Random) -> Call:
    batch, grids = dice.randint(1, 2), [dice.randint(1, 4) for _ in range(2)]
    image = [batch, dice.randint(1, 2), *(dice.randint(1, 4) for _ in range(2))]
    return [floats(*image), floats(dice.choice([batch] * 3 + [3]), *grids, dice.choice([2, 2, 2, 3]))], {}


def crops(dice: Random) -> Call:
    first = extents(dice, 1, 3)
    axes = dice.sample(range(len(first)), dice.randint(1, len(first)))
    return [floats(*first), integers(*(dice.randint(0, 5) for _ in axes))], {"axes": axes}


def affine(dice: Random) -> Call:
    sides = dice.randint(2, 3)
    sizes = [dice.randint(1, 4) for _ in range(sides + 2)]
    maps = [dice.choice([sizes[0]] * 3 + [5]), sides, dice.choice([sides + 1] * 3 + [2])]
    return [floats(*maps), integers(*sizes)], {}


def columns(dice: Random) -> Call:
    """Columns of a window, sometimes one too many; neither oracle sees rows that are not divided."""
    rank = dice.randint(1, 2)
    image, block = [dice.randint(3, 6) for _ in range(rank)], [dice.randint(1, 2) for _ in range(rank)]
    gaps, how = [dice.randint(1, 2) for _ in range(rank)], window(dice, rank)
    count = prod(
        (image[at] + how["pads"][at] + how["pads"][rank + at] - gaps[at] * (block[at] - 1) - 1) // how["strides"][at]
        + 1
        for at in range(rank)
    )
    held = floats(dice.randint(1, 2), prod(block) * dice.randint(1, 2), count + dice.choice([0, 0, 0, 1]))
    return [held, integers(*image), integers(*block)], {**how, "dilations": gaps}


def four(dice: Random) -> Call:
    return [floats(*extents(dice, 4, 4))], {"size": 3}


def matrix(dice: Random) -> Call:
    return [floats(*extents(dice, 2, 2))], {}


def scalar(value: int) -> dict[str, Any]:
    """Return an operand that is a known integer without dimensions."""
    return {"t": [], "v": [value]}


def heads(dice: Random) -> Call:
    """Queries, keys and values in rank 4 or 3, of which few do not fit, sometimes with a mask or a past.

    The reference implementation broadcasts a batch of one and scores to a larger mask, and onnxruntime does not.
    """
    batch, groups, steps, keys, size, width = (dice.randint(1, 3) for _ in range(6))
    count, past = groups * dice.randint(1, 2), dice.randint(0, 2)
    off = [0] * 12 + [1]
    shapes = [[batch, count, steps, size], [batch, groups, keys, size], [batch, groups, keys, width]]
    place = dice.randrange(3)
    shapes[place] = [each + dice.choice(off) if each > 1 else each for each in shapes[place]]
    attributes: dict[str, Any] = {}
    if dice.random() < 0.4:
        attributes = {"q_num_heads": count, "kv_num_heads": groups}
        shapes = [[each[0], each[2], each[1] * each[3] + dice.choice(off)] for each in shapes]
    given: list[Any] = [floats(*each) for each in shapes]
    total = keys + (past if dice.random() < 0.5 else 0)
    whole = [batch, count, steps, total]
    mask = [each + dice.choice(off) if each > 1 else each for each in whole[dice.choice([0, 1, 2]) :]]
    given.append(floats(*mask) if dice.random() < 0.5 else None)
    if total > keys or (past and dice.random() < 0.2):
        given += [floats(batch, groups, past, size + dice.choice(off)), floats(batch, groups, past, width)]
    return given, attributes


def rotated(dice: Random) -> Call:
    """Tensors that are rotated by angles given for each step, of which few do not fit.

    The reference implementation broadcasts the angles of one step, and onnxruntime does not.
    """
    batch, count, steps, pairs = (dice.randint(1, 3) for _ in range(4))
    off = [0] * 10 + [1]
    angles = [batch, steps, pairs + dice.choice(off)]
    attributes: dict[str, Any] = {}
    first = [batch, count, steps + (dice.choice(off) if steps > 1 else 0), 2 * pairs]
    if dice.random() < 0.3:
        attributes["rotary_embedding_dim"] = 2 * pairs
        first[-1] += 2 * dice.randint(0, 1)
    if dice.random() < 0.4:
        attributes["num_heads"] = count
        first = [batch, first[2], count * first[3]]
    return [floats(*first), floats(*angles), floats(*angles)], attributes


def transform(dice: Random) -> Call:
    """Signals of numbers or complex numbers, along an axis, with or without a length."""
    first = [dice.randint(1, 5) for _ in range(dice.randint(1, 3))]
    how = dice.choice([{}, {"onesided": 1}, {"inverse": 1}])
    parts = dice.choice([1, 1, 2, 3]) if not how else 1
    length = scalar(dice.choice([1, 2, 5, 8])) if dice.random() < 0.4 else None
    along = scalar(dice.randrange(-len(first) - 1, -1)) if dice.random() < 0.5 or len(first) < 2 else None
    return [floats(*first, parts), length, along], how


def frames(dice: Random) -> Call:
    """Signals and the frames of them."""
    size, step = dice.randint(1, 4), dice.randint(1, 3)
    signal = [dice.randint(1, 2), dice.randint(1, 9), dice.choice([1, 1, 1, 2, 3])]
    window = floats(size) if dice.random() < 0.6 else None
    length = scalar(size) if window is None or dice.random() < 0.5 else None
    return [floats(*signal), scalar(step), window, length], {"onesided": dice.randint(0, 1)}


def classes(dice: Random) -> Call:
    """Predictions of classes, and the number of a class for each, sometimes for other predictions."""
    count, rest = dice.randint(1, 4), [dice.randint(1, 3) for _ in range(dice.randint(1, 3))]
    wanted = [each + dice.choice([0] * 12 + [1]) for each in rest]
    numbers = [dice.randrange(count) for _ in range(prod(wanted))]
    given: list[Any] = [floats(rest[0], count, *rest[1:]), {"t": wanted, "v": numbers}]
    if dice.random() < 0.4:
        given.append(floats(count + dice.choice([0, 0, 0, 1])))
    return given, {"reduction": dice.choice(["none", "mean", "sum"])}


_UNARY = (
    "Relu",
    "Sigmoid",
    "Tanh",
    "Exp",
    "Sqrt",
    "Neg",
    "Abs",
    "Erf",
    "Floor",
    "Identity",
    "LeakyRelu",
    "Elu",
    "Softplus",
)
CALLS: Mapping[str, Generator] = {
    **dict.fromkeys(_UNARY, unary),
    **dict.fromkeys(("Softplus", "HardSigmoid", "HardSwish", "Softsign", "Reciprocal"), unary),
    **dict.fromkeys(("Ceil", "Log", "Cos", "Sin", "Size"), unary),
    **dict.fromkeys(("Add", "Sub", "Mul", "Div", "Pow", "Equal", "Less", "GreaterOrEqual"), binary),
    **dict.fromkeys(("Max", "Min", "Sum", "Mean"), three),
    "Reshape": reshape, "Flatten": flatten, "Transpose": transpose, "Unsqueeze": unsqueeze, "Squeeze": squeeze,
    "Expand": expand, "Tile": tile, "Concat": concat, "Split": split, "Slice": slices, "Pad": pad, "Gather": gather,
    "MatMul": matmul, "Gemm": gemm, "Einsum": einsum, "Conv": convolution, "ConvTranspose": transposed,
    **dict.fromkeys(("MaxPool", "AveragePool"), pooling),
    **dict.fromkeys(("GlobalAveragePool", "GlobalMaxPool"), image),
    **dict.fromkeys((f"Reduce{each}" for each in ("Sum", "Mean", "Max", "Min", "Prod", "L2", "SumSquare")), reduction),
    **dict.fromkeys(("ArgMax", "ArgMin"), extreme),
    **dict.fromkeys(("Softmax", "LogSoftmax"), along),
    "LayerNormalization": layers, "InstanceNormalization": channels, "BatchNormalization": batches,
    "Resize": resize, "DepthToSpace": blocks, "SpaceToDepth": blocks, "ConstantOfShape": filled, "Shape": ranks,
    "GatherND": places, "ScatterND": written_places, "Det": squares, "GroupNormalization": groups, "GridSample": grid,
    "LRN": four, "EyeLike": matrix, "CenterCropPad": crops, "AffineGrid": affine, "Col2Im": columns,
    "Attention": heads, "RotaryEmbedding": rotated, "DFT": transform, "STFT": frames,
    **dict.fromkeys(("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"), classes),
    "TopK": greatest, "GRU": recurrent(3), "LSTM": recurrent(4), "RNN": recurrent(1),
}  # fmt: skip
"""A generator of random calls for each operator."""

_SINCE: Mapping[str, tuple[int, tuple[str, ...]]] = {
    **dict.fromkeys(("Squeeze", "Unsqueeze", "ReduceSum"), (13, ("axes",))),
    **dict.fromkeys((f"Reduce{each}" for each in ("Mean", "Max", "Min", "Prod", "L2", "SumSquare")), (18, ("axes",))),
    "Split": (13, ("split",)),
    "Pad": (11, ("pads",)),
    "Slice": (10, ("starts", "ends", "axes")),
    "Reshape": (14, ()),
}
"""The opset since which operators take lists of integers as operands, and the names of their attributes before."""
OLDER = tuple(_SINCE)
_NEW = ("num_outputs", "noop_with_empty_axes", "allowzero")


def older(name: str, call: Call) -> tuple[int, Call]:
    """Return a call as the opset before the last change of the operator's interface has it, and that opset."""
    (operands, attributes), (since, names) = call, _SINCE[name]
    kept = {key: each for key, each in attributes.items() if key not in _NEW}
    for at, key in enumerate(names, 1):
        if at < len(operands) and operands[at] is not None and operands[at]["v"]:  # an attribute cannot be empty
            kept[key] = operands[at]["v"]
    return since - 1, ([operands[0], *operands[1 + len(names) if names else 1 :]][: 1 if names else None], kept)
