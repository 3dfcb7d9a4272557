"""Statements of the dialects above: shape (on extent tensors), tosa, stablehlo."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from shapesolve.program_generation.writing import Extent, Nothing, Shaped, Writer, tensor


def _shape(w: Writer) -> tuple[str, Shaped]:
    name, type = w.tensors()
    result = tensor(type.rank, element="index")
    return w.emit(f"shape.shape_of {name} : {type} -> {result}", result, "s"), result


def shape_of(w: Writer) -> None:
    """The shape of a tensor, and one of its extents."""
    name, type = _shape(w)
    place = w.constant(w.chance.randrange(type.extents[0] or 1))
    w.emit(f"shape.get_extent {name}, {place} : {type}, index -> index", "index")


def shape_numbers(w: Writer) -> None:
    """The number of elements, the rank."""
    name, type = _shape(w)
    w.emit(f"shape.{w.one_of('num_elements', 'num_elements', 'rank')} {name} : {type} -> index", "index")


def shape_question(w: Writer) -> None:
    """Return whether shapes are equal, or broadcast."""
    (a, at), (b, bt) = _shape(w), _shape(w)
    word = w.one_of("is_broadcastable", "is_broadcastable", "shape_eq")
    answer = w.emit(f"shape.{word} {a}, {b} : {at}, {bt}", "i1", "p")
    if w.maybe(0.4):
        w.check(answer)


def shape_broadcast(w: Writer) -> None:
    """A broadcast behind its assertion."""
    (a, at), (b, bt) = _shape(w), _shape(w)
    rank = max(at.extents[0] or 0, bt.extents[0] or 0)
    witness, result = w.name("w"), w.name("s")
    type = tensor(rank, element="index")
    word = w.one_of("cstr_broadcastable", "cstr_broadcastable", "cstr_eq")
    w.line(f"{witness} = shape.{word} {a}, {b} : {at}, {bt}")
    w.line(f"{result} = shape.assuming {witness} -> ({type}) {{")
    with w.inside():
        inner = w.emit(f"shape.broadcast {a}, {b} : {at}, {bt} -> {type}", type, "s")
        if w.maybe(0.3):
            w.line(f"{w.name('w')} = shape.cstr_broadcastable {inner}, {a} : {type}, {at}")
        w.line(f"shape.assuming_yield {inner} : {type}")
    w.line("}")
    w.define(result, type)


def shape_require(w: Writer) -> None:
    """A condition as a witness."""
    w.checks += 1
    w.line(f'{w.name("w")} = shape.cstr_require {w.pick("i1")}, "check {w.checks}"')


def shape_size(w: Writer) -> None:
    """Arithmetic of the shape dialect."""
    w.emit(f"shape.{w.one_of('add', 'mul')} {w.pick('index')}, {w.pick('index')} : index, index -> index", "index")


# TOSA -----------------------------------------------------------------------------------------------------------------


def _joint(a: Extent, b: Extent) -> Extent:
    if a == b:
        return a
    if 1 in (a, b):
        return b if a == 1 else a
    if None in (a, b):
        return a if b is None else b
    raise Nothing


def _tosa(w: Writer, rank: int | None = None) -> tuple[str, Shaped]:
    """A tensor without a static extent of 0, of this rank, or of any but 0."""

    def fits(each: Shaped) -> bool:
        is_wanted = each.rank >= 1 if rank is None else each.rank == rank
        return each.container == "tensor" and each.element == "f32" and is_wanted and 0 not in each.extents

    return w.shaped(fits)


def tosa_add(w: Writer) -> None:
    """Two tensors of one rank, broadcast."""
    a, at = _tosa(w)
    b, bt = _tosa(w, at.rank)
    result = tensor(*(_joint(x, y) for x, y in zip(at.extents, bt.extents, strict=True)))
    made = w.emit(
        f"tosa.{w.one_of('add', 'sub', 'maximum', 'minimum', 'pow')} {a}, {b} : ({at}, {bt}) -> {result}", result, "t"
    )
    axis = w.chance.randrange(at.rank)
    if w.maybe(0.35) and result.extents[axis] is None and at.extents[axis] is None:
        w.check(w.compare(w.extent(made, result, axis), w.extent(a, at, axis), "index", w.one_of("eq", "sge", "ne")))


def tosa_unary(w: Writer) -> None:
    """The same shape."""
    a, at = _tosa(w)
    w.emit(f"tosa.{w.one_of('abs', 'exp', 'tanh', 'floor')} {a} : ({at}) -> {at}", at, "t")


def tosa_concat(w: Writer) -> None:
    """One after the other."""
    a, at = _tosa(w)
    b, bt = _tosa(w, at.rank)
    axis = w.chance.randrange(at.rank)
    extents: list[Extent] = []
    for number, (x, y) in enumerate(zip(at.extents, bt.extents, strict=True)):
        if number == axis:
            extents.append(None if x is None or y is None else x + y)
        elif x is not None and y is not None and x != y:
            raise Nothing
        else:
            extents.append(x if y is None else y)
    result = tensor(*extents)
    w.emit(f"tosa.concat {a}, {b} {{axis = {axis} : i32}} : ({at}, {bt}) -> {result}", result, "t")


def _const_shape(w: Writer, numbers: list[int]) -> str:
    name = w.name("k")
    listed = "dense<" + str(numbers) + ">"
    w.line(
        f"{name} = tosa.const_shape {{values = {listed} : tensor<{len(numbers)}xindex>}} : () -> "
        f"!tosa.shape<{len(numbers)}>"
    )
    return name


def tosa_reshape(w: Writer) -> None:
    """A reshape with at most one size left open."""
    a, at = _tosa(w)
    numbers = w.chance.choice(([-1], [1, -1], [-1, 2], [2, -1], [-1, 1, 1], [3, -1]))
    shape = _const_shape(w, list(numbers))
    result = tensor(*(None if each == -1 else each for each in numbers))
    if not at.open and prod(extent or 1 for extent in at.extents) % max(numbers):
        raise Nothing
    w.emit(f"tosa.reshape {a}, {shape} : ({at}, !tosa.shape<{len(numbers)}>) -> {result}", result, "t")


def tosa_slice(w: Writer) -> None:
    """A slice at constants."""
    a, at = _tosa(w)
    starts = [w.chance.choice((0, 0, 1)) for _ in at.extents]
    sizes = [w.chance.choice((1, 2)) for _ in at.extents]
    if any(
        extent is not None and start + size > extent
        for extent, start, size in zip(at.extents, starts, sizes, strict=True)
    ):
        raise Nothing
    s, t = _const_shape(w, starts), _const_shape(w, sizes)
    result = tensor(*sizes)
    k = f"!tosa.shape<{at.rank}>"
    w.emit(f"tosa.slice {a}, {s}, {t} : ({at}, {k}, {k}) -> {result}", result, "t")


def tosa_tile(w: Writer) -> None:
    """Several copies."""
    a, at = _tosa(w)
    times = [w.chance.choice((1, 2, 3)) for _ in at.extents]
    shape = _const_shape(w, times)
    result = tensor(
        *(None if extent is None else extent * each for extent, each in zip(at.extents, times, strict=True))
    )
    w.emit(f"tosa.tile {a}, {shape} : ({at}, !tosa.shape<{at.rank}>) -> {result}", result, "t")


def tosa_transpose(w: Writer) -> None:
    """Another order of dimensions."""
    a, at = _tosa(w)
    order = w.chance.sample(range(at.rank), at.rank)
    result = tensor(*(at.extents[axis] for axis in order))
    listed = ", ".join(map(str, order))
    w.emit(f"tosa.transpose {a} {{perms = array<i32: {listed}>}} : ({at}) -> {result}", result, "t")


def tosa_reduce(w: Writer) -> None:
    """One dimension becomes 1."""
    a, at = _tosa(w)
    axis = w.chance.randrange(at.rank)
    result = tensor(*(1 if number == axis else extent for number, extent in enumerate(at.extents)))
    w.emit(f"tosa.{w.one_of('reduce_sum', 'reduce_max')} {a} {{axis = {axis} : i32}} : ({at}) -> {result}", result, "t")


# StableHLO ------------------------------------------------------------------------------------------------------------


def hlo_binary(w: Writer) -> None:
    """Equal shapes are demanded."""
    a, at = w.tensors()
    b = w.pick(at)
    w.emit(f"stablehlo.{w.one_of('add', 'multiply', 'maximum')} {a}, {b} : {at}", at, "t")


def hlo_unary(w: Writer) -> None:
    """The same shape."""
    a, at = w.tensors()
    w.emit(f"stablehlo.{w.one_of('abs', 'exponential', 'negate')} {a} : {at}", at, "t")


def hlo_reshape(w: Writer) -> None:
    """A reshape by computed sizes."""
    a, at = w.tensors()
    rank = w.chance.choice((1, 2))
    shape = w.name("s")
    w.line(f"{shape} = tensor.from_elements {', '.join(w.pick('index') for _ in range(rank))} : tensor<{rank}xindex>")
    result = tensor(*[None] * rank)
    w.emit(f"stablehlo.dynamic_reshape {a}, {shape} : ({at}, tensor<{rank}xindex>) -> {result}", result, "t")


def hlo_broadcast(w: Writer) -> None:
    """A broadcast to computed sizes."""
    a, at = w.shaped(lambda each: each.container == "tensor" and each.element == "f32" and each.rank == 1)
    shape = w.name("s")
    w.line(f"{shape} = tensor.from_elements {w.pick('index')}, {w.pick('index')} : tensor<2xindex>")
    result = tensor(None, None)
    w.emit(
        f"stablehlo.dynamic_broadcast_in_dim {a}, {shape}, dims = [{w.chance.choice((0, 1))}] : "
        f"({at}, tensor<2xindex>) -> {result}",
        result,
        "t",
    )


def hlo_concatenate(w: Writer) -> None:
    """One after the other, of one type."""
    a, at = w.tensors()
    b, axis = w.pick(at), w.chance.randrange(at.rank)
    known = at.extents[axis]
    result = tensor(
        *(
            extent if number != axis else None if known is None else 2 * known
            for number, extent in enumerate(at.extents)
        )
    )
    w.emit(f"stablehlo.concatenate {a}, {b}, dim = {axis} : ({at}, {at}) -> {result}", result, "t")


def hlo_size(w: Writer) -> None:
    """An extent as a number of 32 bits."""
    a, at = w.tensors()
    scalar = w.name("s")
    w.line(f"{scalar} = stablehlo.get_dimension_size {a}, dim = {w.chance.randrange(at.rank)} : ({at}) -> tensor<i32>")
    w.emit(f"tensor.extract {scalar}[] : tensor<i32>", "i32")


Statement = Callable[[Writer], None]
SHAPES: list[tuple[float, Statement]] = [
    (0.7, shape_of), (0.5, shape_numbers), (0.7, shape_question), (0.7, shape_broadcast), (0.4, shape_require),
    (0.3, shape_size), (1.3, tosa_add), (0.3, tosa_unary), (0.5, tosa_concat), (0.6, tosa_reshape), (0.4, tosa_slice),
    (0.4, tosa_tile), (0.4, tosa_transpose), (0.3, tosa_reduce), (0.7, hlo_binary), (0.2, hlo_unary),
    (0.4, hlo_reshape), (0.5, hlo_broadcast), (0.4, hlo_concatenate), (0.4, hlo_size),
]  # fmt: skip
