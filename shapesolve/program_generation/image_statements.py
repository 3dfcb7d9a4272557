"""Statements on images and tables in TOSA: windows that move, samples between pixels, rows by index."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shapesolve.program_generation.writing import Extent, Nothing, Shaped, Writer, tensor

ONE = "tensor<1xf32>"


def image(w: Writer) -> None:
    """A new image or table; most extents are numbers."""
    rank = w.chance.choice((3, 4, 4, 4))
    _new(w, [w.chance.choice((1, 2, 3, 4, 5, 6)) if w.maybe(0.6) else None for _ in range(rank)])


def _new(w: Writer, extents: Sequence[Extent]) -> tuple[str, Shaped]:
    """A tensor of these extents, those that are open being sizes in scope."""
    type = tensor(*extents)
    return w.emit(f"tensor.empty({', '.join(w.pick('index') for _ in range(type.open))}) : {type}", type, "t"), type


def _image(w: Writer, rank: int = 4) -> tuple[str, Shaped]:
    return w.shaped(lambda each: each.container == "tensor" and each.element == "f32" and each.rank == rank)


def _zero(w: Writer) -> str:
    name = w.name("z")
    w.line(f'{name} = "tosa.const"() {{values = dense<0.0> : tensor<1xf32>}} : () -> {ONE}')
    return name


def _open(w: Writer, extent: Extent) -> Extent:
    return None if w.maybe(0.15) else extent


def _applied(
    w: Writer, what: str, operands: Sequence[tuple[str, str]], extents: Sequence[Extent], options: str
) -> None:
    """An operation on images, and often a check of what comes out."""
    result = tensor(*w.loosened(extents))
    names, types = (", ".join(each) for each in zip(*operands, strict=True))
    made = w.emit(f"tosa.{what} {names} {options} : ({types}) -> {result}", result, "t")
    if w.maybe(0.5):
        axis = w.chance.randrange(result.rank)
        w.check(w.compare(w.extent(made, result, axis), w.pick("index"), "index", w.one_of("eq", "sle", "sge")))


def _listed(name: str, values: Sequence[int]) -> str:
    return f"{name} = array<i64: {', '.join(map(str, values))}>"


class _Windows:
    """Windows along the inner dimensions of an image; where extents are known they nearly always fit exactly."""

    def __init__(self, w: Writer, extents: Sequence[Extent], *, gaps: bool) -> None:
        self.kernel: list[int] = []
        self.stride: list[int] = []
        self.gap: list[int] = []
        self.pad: list[int] = []
        self.places: list[Extent] = []
        for extent in extents:
            for _ in range(12):
                kernel, by = w.chance.choice((1, 2, 2, 3)), w.chance.choice((1, 1, 2, 3))
                gap = w.chance.choice((1, 1, 2)) if gaps else 1
                pad = [w.chance.choice((0, 0, 1)) if kernel > 1 else 0 for _ in range(2)]
                room = None if extent is None else extent - 1 + sum(pad) - (kernel - 1) * gap
                if room is None or (room >= 0 and room % by == 0):
                    break
            else:
                raise Nothing
            self.kernel.append(kernel)
            self.stride.append(by)
            self.gap.append(gap)
            self.pad += pad
            self.places.append(None if room is None else room // by + 1)


def convolution(w: Writer) -> None:
    """Windows that are multiplied by weights."""
    (name, type), by_channel = _image(w), w.maybe(0.4)
    windows, (batch, *inner, channels) = _Windows(w, type.extents[1:3], gaps=True), type.extents
    assert len(inner) == 2
    kernel, count = [_open(w, each) for each in windows.kernel], w.chance.choice((1, 2, 3))
    weights = _new(w, [*kernel, _open(w, channels), count] if by_channel else [count, *kernel, _open(w, channels)])
    made = count if not by_channel else None if channels is None else count * channels
    bias, zero = _new(w, [w.chance.choice((1, made))]), _zero(w)
    lists = (("pad", windows.pad), ("stride", windows.stride), ("dilation", windows.gap))
    options = f"{{{', '.join(_listed(*each) for each in lists)}, acc_type = f32}}"
    operands = [(name, str(type)), *((each, str(its)) for each, its in (weights, bias)), (zero, ONE), (zero, ONE)]
    what = "depthwise_conv2d" if by_channel else "conv2d"
    _applied(w, what, operands, [batch, *(None if None in kernel else each for each in windows.places), made], options)


def transposed(w: Writer) -> None:
    """Each pixel is spread over a window."""
    name, type = _image(w)
    kernel, stride = ([w.chance.choice((1, 2, 3)) for _ in range(2)] for _ in range(2))
    pad = [w.chance.choice([each for each in (0, 0, 1, -1, -2) if each > -kernel[axis // 2]]) for axis in range(4)]
    batch, *inner, channels = type.extents
    count = w.chance.choice((1, 2, 3))
    weights, bias, zero = (
        _new(w, [count, *kernel, _open(w, channels)]),
        _new(w, [w.chance.choice((1, count))]),
        _zero(w),
    )
    places: list[Extent] = [
        None if each is None else (each - 1) * stride[axis] + sum(pad[2 * axis : 2 * axis + 2]) + kernel[axis]
        for axis, each in enumerate(inner)
    ]
    if any(each is not None and each < 1 for each in places):
        raise Nothing
    options = f"{{{_listed('out_pad', pad)}, {_listed('stride', stride)}, acc_type = f32}}"
    operands = [(name, str(type)), *((each, str(its)) for each, its in (weights, bias)), (zero, ONE), (zero, ONE)]
    _applied(w, "transpose_conv2d", operands, [batch, *places, count], options)


def pool(w: Writer) -> None:
    """The mean or the greatest element of each window."""
    name, type = _image(w)
    windows, (batch, _, _, channels) = _Windows(w, type.extents[1:3], gaps=False), type.extents
    lists = (("kernel", windows.kernel), ("stride", windows.stride), ("pad", windows.pad))
    options = ", ".join(_listed(*each) for each in lists)
    operands = [(name, str(type))]
    if w.maybe(0.5):
        zero = _zero(w)
        operands, options = [*operands, (zero, ONE), (zero, ONE)], f"{options}, acc_type = f32"
    what = "max_pool2d" if len(operands) == 1 else "avg_pool2d"
    _applied(w, what, operands, [batch, *windows.places, channels], f"{{{options}}}")


def resized(w: Writer) -> None:
    """Samples between pixels."""
    name, type = _image(w)
    batch, *inner, channels = type.extents
    scale: list[int] = []
    offset: list[int] = []
    border: list[int] = []
    places: list[Extent] = []
    for extent in inner:
        n, d = w.chance.choice((1, 2, 3)), w.chance.choice((1, 1, 2))
        first, last = w.chance.choice((0, 0, -1, 1)), w.chance.choice((0, 0, n - 1, -1))
        room = None if extent is None else (extent - 1) * n - first + last
        if room is not None and (room < 0 or room % d):
            raise Nothing
        scale += [n, d]
        offset.append(first)
        border.append(last)
        places.append(None if room is None else room // d + 1)
    lists = [_shape(w, each) for each in (scale, offset, border)]
    operands = [(name, str(type)), *lists]
    _applied(w, "resize", operands, [batch, *places, channels], "{mode = NEAREST_NEIGHBOR}")


def _shape(w: Writer, values: Sequence[int]) -> tuple[str, str]:
    name, type = w.name("k"), f"!tosa.shape<{len(values)}>"
    listed = f"dense<{list(values)}> : tensor<{len(values)}xindex>"
    w.line(f"{name} = tosa.const_shape {{values = {listed}}} : () -> {type}")
    return name, type


def rows(w: Writer) -> None:
    """Rows of a table by index, read or replaced."""
    name, type = _image(w, 3)
    batch, count, width = type.extents
    if batch is None:
        raise Nothing
    many = w.chance.choice((1, 2, 3))
    most = w.chance.choice((2, 3)) if count is None else count
    is_scatter = w.maybe(0.4) and many <= most
    listed = [
        w.chance.sample(range(most), many) if is_scatter else [w.chance.randrange(most) for _ in range(many)]
        for _ in range(batch)
    ]
    at, its = w.name("i"), tensor(batch, many, element="i32")
    w.line(f'{at} = "tosa.const"() {{values = dense<{listed}> : {its}}} : () -> {its}')
    operands = [(name, str(type)), (at, str(its))]
    if not is_scatter:
        _applied(w, "gather", operands, [batch, many, width], "")
        return
    given, given_type = _new(w, [_open(w, batch), many, _open(w, width)])
    _applied(w, "scatter", [*operands, (given, str(given_type))], type.extents, "")


def argmax(w: Writer) -> None:
    """The places of the greatest elements."""
    name, type = _image(w, w.chance.choice((3, 4)))
    axis = w.chance.randrange(type.rank)
    result = tensor(*w.loosened([*type.extents[:axis], *type.extents[axis + 1 :]]), element="i32")
    w.emit(f"tosa.argmax {name} {{axis = {axis} : i32}} : ({type}) -> {result}", result, "t")


IMAGES: list[tuple[float, Callable[[Writer], None]]] = [
    (4, image), (4, convolution), (2, transposed), (4, pool), (3, resized), (6, rows), (1, argmax),
]  # fmt: skip
