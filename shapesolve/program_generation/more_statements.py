"""Rarer statements: views of buffers, structured operations of other forms, parallel loops, more of each dialect."""

from __future__ import annotations

from collections.abc import Callable

from shapesolve.program_generation.control_statements import body
from shapesolve.program_generation.writing import Nothing, Shaped, Writer, tensor


def _float_tensor(w: Writer, rank: int) -> tuple[str, Shaped]:
    return w.shaped(lambda each: each.container == "tensor" and each.rank == rank and each.element == "f32")


def view(w: Writer) -> None:
    """A store through a view of a buffer, and a load from the buffer."""
    name, type = w.number_buffer()
    offset, size = w.one_of("0", "0", "1"), w.one_of("1", "2")
    kind = f"memref<{size}x{type.element}, strided<[1]{f', offset: {offset}' if offset != '0' else ''}>>"
    part, place, value = w.name("m"), w.constant(0), w.pick(type.element)
    w.line(f"{part} = memref.subview {name}[{offset}] [{size}] [1] : {type} to {kind}")
    w.line(f"memref.store {value}, {part}[{place}] : {kind}")
    back = w.emit(f"memref.load {name}[{w.constant(int(offset))}] : {type}", type.element)
    if w.maybe(0.5):
        w.check(w.compare(back, value, type.element, w.one_of("eq", "sle", "ne")))


def aliases(w: Writer) -> None:
    """A store through one name of a buffer, and a load through another."""
    name, type = w.number_buffer()
    other = Shaped("memref", (None if type.extents[0] is not None else w.chance.choice((1, 2, 3)),), type.element)
    again = w.emit(f"memref.cast {name} : {type} to {other}", other, "m")
    place = w.constant(w.chance.choice((0, 0, 1)))
    first, second = w.pick(type.element), w.pick(type.element)
    w.line(f"memref.store {first}, {name}[{place}] : {type}")
    w.line(f"memref.store {second}, {again}[{place}] : {other}")
    back = w.emit(f"memref.load {name}[{place}] : {type}", type.element)
    w.check(w.compare(back, w.one_of(first, second), type.element, w.one_of("eq", "sge")))


def buffer_reshape(w: Writer) -> None:
    """A buffer of two dimensions as one of one, or the other way."""
    name, type = w.shaped(lambda each: each.container == "memref" and each.rank == 2)
    if type.open == 0:
        raise Nothing
    result = Shaped("memref", (None,), type.element)
    w.emit(f"memref.collapse_shape {name} [[0, 1]] : {type} into {result}", result, "m")


def rank(w: Writer) -> None:
    """The number of dimensions."""
    name, type = w.shaped(lambda each: each.rank >= 1)
    w.emit(f"{type.container}.rank {name} : {type}", "index")


def splat(w: Writer) -> None:
    """The same number everywhere."""
    size, value = w.pick("index"), w.pick("index")
    type = tensor(None, element="index")
    made = w.emit(f"tensor.splat {value}[{size}] : {type}", type, "s")
    if w.maybe(0.5):
        w.check(w.compare(w.extent(made, type, 0), size, "index", w.one_of("eq", "sge", "sgt")))


def row(w: Writer) -> None:
    """A row of a matrix: a slice that leaves a dimension out."""
    name, type = _float_tensor(w, 2)
    size = w.extent(name, type, 1) if w.maybe(0.7) else w.pick("index")
    at = w.one_of("0", "1") if w.maybe(0.6) else w.pick("index")
    result = tensor(None)
    w.emit(f"tensor.extract_slice {name}[{at}, 0] [1, {size}] [1, 1] : {type} to {result}", result, "t")


def fill(w: Writer) -> None:
    """A tensor full of one number, or of another tensor."""
    name, type = w.tensors()
    zero = w.name("z")
    if w.maybe(0.5):
        w.line(f"{zero} = arith.constant 0.0 : f32")
        w.emit(f"linalg.fill ins({zero} : f32) outs({name} : {type}) -> {type}", type, "t")
    else:
        w.emit(f"linalg.copy ins({w.pick(type)} : {type}) outs({name} : {type}) -> {type}", type, "t")


def structured(w: Writer) -> None:
    """linalg.transpose, broadcast, reduce, and products with vectors."""
    kind = w.one_of("transpose", "broadcast", "reduce", "matvec", "dot", "conv_1d")
    if kind == "transpose":
        (a, at), (b, bt) = _float_tensor(w, 2), _float_tensor(w, 2)
        _static_agree(at.extents[::-1], bt.extents)
        made = w.name("t")
        w.line(f"{made} = linalg.transpose ins({a} : {at}) outs({b} : {bt}) permutation = [1, 0]")
        w.define(made, bt)
    elif kind == "broadcast":
        (a, at), (b, bt) = _float_tensor(w, 1), _float_tensor(w, 2)
        axis = w.chance.choice((0, 1))
        _static_agree(at.extents, (bt.extents[1 - axis],))
        made = w.name("t")
        w.line(f"{made} = linalg.broadcast ins({a} : {at}) outs({b} : {bt}) dimensions = [{axis}]")
        w.define(made, bt)
    elif kind == "reduce":
        (a, at), (b, bt) = _float_tensor(w, 2), _float_tensor(w, 1)
        axis = w.chance.choice((0, 1))
        _static_agree((at.extents[1 - axis],), bt.extents)
        made = w.name("t")
        w.line(f"{made} = linalg.reduce {{ arith.addf }} ins({a} : {at}) outs({b} : {bt}) dimensions = [{axis}]")
        w.define(made, bt)
    else:
        ranks = {"matvec": (2, 1, 1), "dot": (1, 1, 0), "conv_1d": (1, 1, 1)}[kind]
        if 0 in ranks:
            raise Nothing
        (a, at), (b, bt), (c, ct) = (_float_tensor(w, each) for each in ranks)
        if at.open + bt.open + ct.open < sum(ranks):
            raise Nothing
        w.emit(f"linalg.{kind} ins({a}, {b} : {at}, {bt}) outs({c} : {ct}) -> {ct}", ct, "t")


def _static_agree(first: tuple[int | None, ...], second: tuple[int | None, ...]) -> None:
    if any(None not in pair and pair[0] != pair[1] for pair in zip(first, second, strict=True)):
        raise Nothing


def constant_shape(w: Writer) -> None:
    """A listed shape, concatenated with another, and the product of its extents."""
    name, type = w.tensors()
    one, two = w.name("s"), w.name("s")
    w.line(f"{one} = shape.shape_of {name} : {type} -> tensor<{type.rank}xindex>")
    w.line(f"{two} = shape.const_shape [{w.chance.choice((0, 1, 2))}, {w.chance.choice((1, 3))}] : tensor<2xindex>")
    both = tensor(None, element="index")
    w.emit(f"shape.concat {one}, {two} : tensor<{type.rank}xindex>, tensor<2xindex> -> {both}", both, "s")
    w.emit(f"shape.num_elements {one} : tensor<{type.rank}xindex> -> index", "index")


def reduce_shape(w: Writer) -> None:
    """The product or sum of a shape's extents, one by one; the body may check something."""
    name, type = w.tensors()
    shape, start, result = w.name("s"), w.constant(w.chance.choice((0, 1))), w.name("r")
    i, d, x, y = w.name("i"), w.name("e"), w.name("x"), w.name("y")
    w.line(f"{shape} = shape.shape_of {name} : {type} -> tensor<{type.rank}xindex>")
    w.line(f"{result} = shape.reduce({shape}, {start}) : tensor<{type.rank}xindex> -> index {{")
    w.line(f"^bb0({i}: index, {d}: index, {x}: index):")
    with w.inside((i, "index"), (d, "index"), (x, "index")):
        if w.maybe(0.4):
            w.check(w.compare(d, w.pick("index"), "index", w.one_of("sge", "sle", "ne")))
        w.line(f"{y} = arith.{w.one_of('muli', 'addi')} {d}, {x} : index")
        w.line(f"shape.yield {y} : index")
    w.line("}")
    w.define(result, "index")


def tosa_matmul(w: Writer) -> None:
    """A batch of products."""

    def fits(each: Shaped) -> bool:
        return each.container == "tensor" and each.rank == 3 and each.element == "f32" and each.open == 3

    (a, at), (b, bt) = w.shaped(fits), w.shaped(fits)
    zero = w.name("z")
    w.line(f'{zero} = "tosa.const"() {{values = dense<0.0> : tensor<1xf32>}} : () -> tensor<1xf32>')
    one = "tensor<1xf32>"
    w.emit(f"tosa.matmul {a}, {b}, {zero}, {zero} : ({at}, {bt}, {one}, {one}) -> {tensor(None, None, None)}", at, "t")


def tosa_pad(w: Writer) -> None:
    """Padding by constants."""
    a, at = w.shaped(
        lambda each: each.container == "tensor" and each.element == "f32" and each.rank == 1 and each.open == 1
    )
    low, high = w.chance.choice((0, 1, 2)), w.chance.choice((0, 1))
    shape, zero = w.name("k"), w.name("z")
    listed = f"dense<[{low}, {high}]> : tensor<2xindex>"
    w.line(f"{shape} = tosa.const_shape {{values = {listed}}} : () -> !tosa.shape<2>")
    w.line(f'{zero} = "tosa.const"() {{values = dense<0.0> : tensor<1xf32>}} : () -> tensor<1xf32>')
    made = w.emit(f"tosa.pad {a}, {shape}, {zero} : ({at}, !tosa.shape<2>, tensor<1xf32>) -> {at}", at, "t")
    if w.maybe(0.4):
        w.check(w.compare(w.extent(made, at, 0), w.extent(a, at, 0), "index", w.one_of("sge", "sgt", "eq")))


def hlo_slice(w: Writer) -> None:
    """A slice at constants; what is cut off must be there."""
    a, at = w.shaped(
        lambda each: each.container == "tensor" and each.element == "f32" and each.rank == 1 and each.open == 1
    )
    start, size, by = w.chance.choice((0, 1)), w.chance.choice((0, 1, 2, 3)), w.chance.choice((1, 2))
    result = tensor(-(-size // by))
    text = f"stablehlo.slice {a} [{start}:{start + size}:{by}] : ({at}) -> {result}"
    w.emit(text, result, "t")


def hlo_numbers(w: Writer) -> None:
    """Scalars of 32 bits as tensors: what shape assertions are computed with."""
    a, b = w.pick("i32"), w.pick("i32")
    x, y, z, p = (w.name("s") for _ in range(4))
    scalar = "tensor<i32>"
    w.line(f"{x} = tensor.from_elements {a} : {scalar}")
    w.line(f"{y} = tensor.from_elements {b} : {scalar}")
    w.line(f"{z} = stablehlo.{w.one_of('add', 'subtract', 'multiply', 'maximum', 'minimum')} {x}, {y} : {scalar}")
    direction = w.one_of("EQ", "NE", "LT", "LE", "GT", "GE")
    w.line(f"{p} = stablehlo.compare {direction}, {z}, {w.one_of(x, y)}, SIGNED : ({scalar}, {scalar}) -> tensor<i1>")
    w.emit(f"tensor.extract {z}[] : {scalar}", "i32")
    flag = w.emit(f"tensor.extract {p}[] : tensor<i1>", "i1", "p")
    if w.maybe(0.4):
        w.check(flag)


def absolute(w: Writer) -> None:
    """A number without its sign, or a power of it."""
    type = w.one_of("i8", "i32")
    if w.maybe(0.6):
        w.emit(f"math.absi {w.pick(type)} : {type}", type)
        return
    exponent = w.constant(w.chance.choice((-1, 0, 1, 2, 3)), type) if w.maybe(0.7) else w.pick(type)
    w.emit(f"math.ipowi {w.pick(type)}, {exponent} : {type}", type)


def scope(w: Writer) -> None:
    """A region for buffers on the stack."""
    w.line("memref.alloca_scope {")
    with w.inside():
        body(w, 2)
    w.line("}")


def affine_parallel(w: Writer) -> None:
    """A loop in any order between constants."""
    if w.depth:
        raise Nothing
    counter = w.name("i")
    w.line(f"affine.parallel ({counter}) = (0) to ({w.chance.choice((0, 1, 3))}) {{")
    with w.inside((counter, "index")):
        body(w, 2)
    w.line("}")


def overwritten(w: Writer) -> None:
    """A buffer written in a branch or a loop, and read behind it."""
    name, type = w.number_buffer()
    place, value, other = w.constant(0), w.pick(type.element), w.pick(type.element)
    w.line(f"memref.store {value}, {name}[{place}] : {type}")
    if w.maybe(0.5):
        w.line(f"scf.if {w.pick('i1')} {{")
    else:
        one = w.constant(1)
        w.line(f"scf.for {w.name('i')} = {place} to {w.pick('index')} step {one} {{")
    with w.inside():
        w.line(f"memref.store {other}, {name}[{place}] : {type}")
    w.line("}")
    back = w.emit(f"memref.load {name}[{place}] : {type}", type.element)
    w.check(w.compare(back, w.one_of(value, other), type.element, w.one_of("eq", "sle", "sge")))


Statement = Callable[[Writer], None]
MORE: list[tuple[float, Statement]] = [
    (0.5, view), (0.6, aliases), (0.3, buffer_reshape), (0.2, rank), (0.4, splat), (0.6, row), (0.4, fill),
    (1, structured), (0.3, constant_shape), (0.4, reduce_shape), (0.3, tosa_matmul), (0.4, tosa_pad), (0.4, hlo_slice),
    (0.5, hlo_numbers), (0.2, absolute), (0.2, scope), (0.3, affine_parallel), (0.5, overwritten),
]  # fmt: skip
