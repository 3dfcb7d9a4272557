"""Statements on tensors and buffers."""

from __future__ import annotations

from collections.abc import Callable

from shapesolve.program_generation.writing import Extent, Nothing, Shaped, Writer, tensor


def dim(w: Writer) -> None:
    """An extent, seldom one that does not exist."""
    name, type = w.shaped(lambda each: each.rank >= 1)
    w.extent(name, type, w.chance.randrange(type.rank))


def any_dim(w: Writer) -> None:
    """An extent at a computed position."""
    name, type = w.tensors()
    w.emit(f"tensor.dim {name}, {w.pick('index')} : {type}", "index")


def empty(w: Writer) -> None:
    """A new tensor of some sizes."""
    sizes = [w.size() for _ in range(w.chance.choice((1, 1, 2)))]
    type = tensor(*(number for _, number in sizes))
    made = w.emit(f"tensor.empty({w.operands(sizes)}) : {type}", type, "t")
    _about_result(w, made, type, [text for text, _ in sizes], [number for _, number in sizes])


def _about_result(w: Writer, value: str, type: Shaped, sizes: list[str], numbers: list[Extent]) -> None:
    """A check that a result's extent is what it was made with."""
    if not sizes or w.maybe(0.6):
        return
    axis = w.chance.randrange(type.rank)
    if axis < len(sizes) and numbers[axis] is None:
        seen = w.extent(value, type, axis)
        w.check(
            w.compare(
                seen, sizes[axis] if w.maybe(0.8) else w.pick("index"), "index", w.one_of("eq", "eq", "sle", "sge")
            )
        )


def cast(w: Writer) -> None:
    """Claims extents, or forgets them."""
    name, type = w.tensors()
    target = tensor(*(_claimed(w, extent) for extent in type.extents), element=type.element)
    if target == type:
        raise Nothing
    w.emit(f"tensor.cast {name} : {type} to {target}", target, "t")


def _claimed(w: Writer, extent: Extent) -> Extent:
    if extent is None:
        return w.chance.choice((1, 2, 3, 4)) if w.maybe(0.3) else None
    return None if w.maybe(0.6) else extent


def extract_slice(w: Writer) -> None:
    """A slice of a tensor of rank 1 or 2."""
    name, type = w.shaped(lambda each: each.container == "tensor" and each.rank in (1, 2) and each.element == "f32")
    offsets, sizes, strides = list[str](), list[tuple[str, Extent]](), list[str]()
    for axis in range(type.rank):
        offsets.append(w.chance.choice(("0", "0", "1", w.pick("index"))))
        sizes.append((w.extent(name, type, axis), None) if w.maybe(0.3) else w.size())
        strides.append(w.one_of("1", "1", "1", "2"))
    result = tensor(*(number for _, number in sizes))
    spelled = "[" + ", ".join(text for text, _ in sizes) + "]"
    made = w.emit(
        f"tensor.extract_slice {name}[{', '.join(offsets)}] {spelled} [{', '.join(strides)}] : {type} to {result}",
        result,
        "t",
    )
    _about_result(w, made, result, [text for text, _ in sizes], [number for _, number in sizes])


def insert_slice(w: Writer) -> None:
    """A tensor of rank 1 put into another."""
    name, type = w.shaped(lambda each: each.container == "tensor" and each.rank == 1 and each.element == "f32")
    into, whole = w.shaped(lambda each: each.container == "tensor" and each.rank == 1 and each.element == "f32")
    extent = w.extent(name, type, 0) if type.open and w.maybe(0.7) else w.pick("index")
    size = extent if type.open else str(type.extents[0])
    w.emit(
        f"tensor.insert_slice {name} into {into}[{w.chance.choice(('0', '1', w.pick('index')))}] [{size}] [1] : "
        f"{type} into {whole}",
        whole,
        "t",
    )


def concat(w: Writer) -> None:
    """Two or three tensors of one rank."""
    name, type = w.tensors()
    parts = [(name, type)]
    for _ in range(w.chance.choice((1, 1, 2))):
        parts.append(
            w.shaped(
                lambda each: each.container == "tensor" and each.rank == type.rank and each.element == type.element
            )
        )
    axis = w.chance.randrange(type.rank)
    extents: list[Extent] = []
    for number in range(type.rank):
        known = [each.extents[number] for _, each in parts]
        if number == axis:
            extents.append(None if None in known else sum(each for each in known if each is not None))
        else:
            stated = {each for each in known if each is not None}
            if len(stated) > 1:
                raise Nothing
            extents.append(stated.pop() if stated else None)
    result = tensor(*extents, element=type.element)
    given = ", ".join(each for each, _ in parts)
    types = ", ".join(str(each) for _, each in parts)
    made = w.emit(f"tensor.concat dim({axis}) {given} : ({types}) -> {result}", result, "t")
    if w.maybe(0.4) and result.extents[axis] is None:
        whole, part = w.extent(made, result, axis), w.extent(name, type, axis)
        w.check(w.compare(whole, part, "index", w.one_of("sge", "sge", "eq", "sgt")))


def pad(w: Writer) -> None:
    """Padding on both sides."""
    name, type = w.shaped(lambda each: each.container == "tensor" and each.rank in (1, 2) and each.element == "f32")
    low, high = ([w.chance.choice(("0", "1", "2", w.pick("index"))) for _ in type.extents] for _ in range(2))
    extents = [
        extent + int(before) + int(behind) if extent is not None and before.isdigit() and behind.isdigit() else None
        for extent, before, behind in zip(type.extents, low, high, strict=True)
    ]
    result, made, zero = tensor(*extents), w.name("t"), w.name("z")
    w.line(f"{zero} = arith.constant 0.0 : f32")
    counters = ", ".join(f"{w.name('i')}: index" for _ in type.extents)
    w.line(f"{made} = tensor.pad {name} low[{', '.join(low)}] high[{', '.join(high)}] {{")
    w.line(f"^bb0({counters}):")
    w.line(f"  tensor.yield {zero} : f32")
    w.line(f"}} : {type} to {result}")
    w.define(made, result)


def collapse(w: Writer) -> None:
    """All dimensions into one."""
    name, type = w.shaped(lambda each: each.container == "tensor" and each.rank >= 2 and each.element == "f32")
    count = 1
    for extent in type.extents:
        count *= extent if extent is not None else 1
    result = tensor(None if type.open else count)
    group = ", ".join(map(str, range(type.rank)))
    made = w.emit(f"tensor.collapse_shape {name} [[{group}]] : {type} into {result}", result, "t")
    if w.maybe(0.4) and type.open:
        whole, part = w.extent(made, result, 0), w.extent(name, type, 0)
        w.check(w.compare(whole, part, "index", w.one_of("sge", "uge", "ne")))


def expand(w: Writer) -> None:
    """One dimension into two."""
    name, type = w.shaped(
        lambda each: each.container == "tensor" and each.rank == 1 and each.open == 1 and each.element == "f32"
    )
    factor = w.chance.choice((2, 3, 1))
    size = w.extent(name, type, 0)
    by = w.constant(factor)
    outer = w.emit(f"arith.{w.one_of('divsi', 'ceildivsi', 'divui')} {size}, {by} : index", "index")
    result = tensor(None, factor)
    w.emit(f"tensor.expand_shape {name} [[0, 1]] output_shape [{outer}, {factor}] : {type} into {result}", result, "t")


def reshape(w: Writer) -> None:
    """A reshape by a tensor of sizes."""
    name, type = w.tensors()
    rank = w.chance.choice((1, 2))
    sizes = [w.pick("index") for _ in range(rank)]
    shape = w.name("s")
    w.line(f"{shape} = tensor.from_elements {', '.join(sizes)} : tensor<{rank}xindex>")
    w.define(shape, tensor(rank, element="index"))
    result = tensor(*[None] * rank, element=type.element)
    w.emit(f"tensor.reshape {name}({shape}) : ({type}, tensor<{rank}xindex>) -> {result}", result, "t")


def elements(w: Writer) -> None:
    """A tensor of numbers."""
    count = w.chance.choice((1, 2, 3))
    element = w.one_of("index", "index", "i32", "i8")
    values = ", ".join(w.pick(element) for _ in range(count))
    type = tensor(count, element=element)
    w.emit(f"tensor.from_elements {values} : {type}", type, "s")


def extract(w: Writer) -> None:
    """A number out of a tensor."""
    name, type = w.shaped(
        lambda each: each.container == "tensor" and each.rank == 1 and each.element in ("index", "i32", "i8")
    )
    place = w.constant(w.chance.choice((0, 0, 1, 2))) if w.maybe(0.8) else w.pick("index")
    w.emit(f"tensor.extract {name}[{place}] : {type}", type.element)


def insert(w: Writer) -> None:
    """A number put into a tensor."""
    name, type = w.shaped(
        lambda each: each.container == "tensor" and each.rank == 1 and each.element in ("index", "i32", "i8")
    )
    w.emit(f"tensor.insert {w.pick(type.element)} into {name}[{w.pick('index')}] : {type}", type, "s")


def elementwise(w: Writer) -> None:
    """linalg.add and its like on two tensors of one type."""
    name, type = w.tensors()
    other = w.pick(type)
    out = w.pick(type)
    w.emit(
        f"linalg.{w.one_of('add', 'sub', 'mul')} ins({name}, {other} : {type}, {type}) outs({out} : {type}) -> {type}",
        type,
        "t",
    )


def matmul(w: Writer) -> None:
    """A matrix product."""

    def fits(each: Shaped) -> bool:
        return each.container == "tensor" and each.rank == 2 and each.element == "f32"

    (a, at), (b, bt), (c, ct) = (w.shaped(fits) for _ in range(3))
    w.emit(f"linalg.matmul ins({a}, {b} : {at}, {bt}) outs({c} : {ct}) -> {ct}", ct, "t")


def generate(w: Writer) -> None:
    """A tensor computed element by element; the body may check something."""
    size, made, counter = w.pick("index"), w.name("t"), w.name("i")
    type = tensor(None, element="index")
    w.line(f"{made} = tensor.generate {size} {{")
    w.line(f"^bb0({counter}: index):")
    with w.inside((counter, "index")):
        if w.maybe(0.5):
            w.check(w.compare(counter, w.pick("index"), "index", w.one_of("slt", "sle", "ne")))
        w.line(f"tensor.yield {w.pick('index')} : index")
    w.line(f"}} : {type}")
    w.define(made, type)


# Buffers --------------------------------------------------------------------------------------------------------------


def alloc(w: Writer) -> None:
    """A new buffer with something stored in it."""
    size, element = w.size(), w.one_of("index", "index", "i32")
    if w.maybe(0.5):
        size = (str(w.chance.choice((1, 2, 3))), 1)
    number = int(size[0]) if size[0].isdigit() else None
    type = Shaped("memref", (number,), element)
    given = "" if number is not None else size[0]
    made = w.emit(f"memref.{w.one_of('alloc', 'alloca')}({given}) : {type}", type, "m")
    place = w.constant(0)
    w.line(f"memref.store {w.pick(element)}, {made}[{place}] : {type}")


def store(w: Writer) -> None:
    """A number put into a buffer."""
    name, type = w.number_buffer()
    place = w.constant(w.chance.choice((0, 0, 1))) if w.maybe(0.7) else w.pick("index")
    w.line(f"memref.store {w.pick(type.element)}, {name}[{place}] : {type}")


def load(w: Writer) -> None:
    """A number out of a buffer."""
    name, type = w.number_buffer()
    place = w.constant(w.chance.choice((0, 0, 0, 1))) if w.maybe(0.8) else w.pick("index")
    w.emit(f"memref.load {name}[{place}] : {type}", type.element)


def store_and_load(w: Writer) -> None:
    """A number through a buffer, and a check that it is the same."""
    name, type = w.number_buffer()
    place, value = w.constant(0), w.pick(type.element)
    w.line(f"memref.store {value}, {name}[{place}] : {type}")
    if w.maybe(0.4):
        store(w)
    back = w.emit(f"memref.load {name}[{place}] : {type}", type.element)
    w.check(w.compare(back, value, type.element, w.one_of("eq", "eq", "sle")))


def buffer_cast(w: Writer) -> None:
    """The same buffer under another type."""
    name, type = w.shaped(lambda each: each.container == "memref" and each.rank == 1)
    target = Shaped("memref", (_claimed(w, type.extents[0]),), type.element)
    if target == type:
        raise Nothing
    w.emit(f"memref.cast {name} : {type} to {target}", target, "m")


def copy(w: Writer) -> None:
    """One buffer's contents into another."""
    name, type = w.shaped(lambda each: each.container == "memref")
    other, target = w.shaped(
        lambda each: each.container == "memref" and each.rank == type.rank and each.element == type.element
    )
    if any(None not in pair and pair[0] != pair[1] for pair in zip(type.extents, target.extents, strict=True)):
        raise Nothing
    w.line(f"memref.copy {name}, {other} : {type} to {target}")


Statement = Callable[[Writer], None]
TENSORS: list[tuple[float, Statement]] = [
    (2.5, dim), (0.2, any_dim), (1.5, empty), (1.2, cast), (1.2, extract_slice), (0.6, insert_slice), (1.3, concat),
    (0.8, pad), (0.8, collapse), (0.7, expand), (0.4, reshape), (1, elements), (1, extract), (0.5, insert),
    (0.9, elementwise), (0.4, matmul), (0.5, generate), (0.8, alloc), (0.7, store), (0.7, load), (0.6, store_and_load),
    (0.4, buffer_cast), (0.3, copy),
]  # fmt: skip
