"""Statements that read vectors out of tensors and buffers and write them, whole or what a mask selects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from shapesolve.program_generation.writing import Shaped, Writer

ELEMENTS = ("f32", "index", "i32")


def _vector(*extents: int, element: str = "f32") -> Shaped:
    return Shaped("vector", extents, element)


def _lengths(type: Shaped) -> list[int]:
    return [extent for extent in type.extents if extent is not None]


def _places(w: Writer, name: str, type: Shaped, lengths: Mapping[int, int]) -> str:
    """An index for each dimension; most are checked to leave room for so many elements."""
    return ", ".join(_place(w, name, type, axis, lengths.get(axis, 1)) for axis in range(type.rank))


def _place(w: Writer, name: str, type: Shaped, axis: int, length: int) -> str:
    at = w.constant(w.chance.choice((0, 0, 0, 0, 1, 1, 2, -1))) if w.maybe(0.5) else w.pick("index")
    if w.maybe(0.75):
        zero, many, extent = w.constant(0), w.constant(length), w.extent(name, type, axis)
        end = w.emit(f"arith.addi {at}, {many} : index", "index")
        if w.maybe(0.7):
            w.check(w.compare(zero, at, "index", "sle"))
        w.check(w.compare(end, extent, "index", w.one_of("sle", "sle", "sle", "ule", "slt")))
    return at


def _map(rank: int, along: Sequence[str]) -> str:
    return f"affine_map<({', '.join(f'd{axis}' for axis in range(rank))}) -> ({', '.join(along)})>"


def _axes(w: Writer, rank: int, count: int) -> list[int]:
    return list(range(rank - count, rank)) if w.maybe(0.6) else w.chance.sample(range(rank), count)


def _marks(w: Writer, count: int) -> list[str]:
    return [w.one_of("true", "false") for _ in range(count)]


def transfer_read(w: Writer) -> None:
    """A vector of some dimensions, seldom repeated along one more."""
    name, type = w.shaped(lambda each: each.container != "vector" and each.element in ELEMENTS and 1 <= each.rank <= 3)
    axes = _axes(w, type.rank, w.chance.randint(1, type.rank))
    lengths, marks = [w.chance.choice((1, 2, 4)) for _ in axes], _marks(w, len(axes))
    along = [f"d{axis}" for axis in axes]
    at = _places(w, name, type, dict(zip(axes, lengths, strict=True)))
    if w.maybe(0.15):
        along, lengths, marks = [*along, "0"], [*lengths, 2], [*marks, "true"]
    result = _vector(*lengths, element=type.element)
    if type.element == "f32":
        padding = w.name("f")
        w.line(f"{padding} = arith.constant 0.0 : f32")
    else:
        padding = w.pick(type.element)
    options = f"{{in_bounds = [{', '.join(marks)}], permutation_map = {_map(type.rank, along)}}}"
    w.emit(f"vector.transfer_read {name}[{at}], {padding} {options} : {type}, {result}", result, "v")


def transfer_write(w: Writer) -> None:
    """A vector put into a tensor or a buffer."""
    vector, its = w.shaped(lambda each: each.container == "vector" and each.element in ELEMENTS and each.rank >= 1)
    name, type = w.shaped(
        lambda each: each.container != "vector" and each.element == its.element and its.rank <= each.rank <= 3
    )
    axes = _axes(w, type.rank, its.rank)
    at = _places(w, name, type, dict(zip(axes, _lengths(its), strict=True)))
    along = _map(type.rank, [f"d{axis}" for axis in axes])
    options = f"{{in_bounds = [{', '.join(_marks(w, its.rank))}], permutation_map = {along}}}"
    written = f"vector.transfer_write {vector}, {name}[{at}] {options} : {its}, {type}"
    if type.container == "tensor":
        w.emit(written, type, "t")
    else:
        w.line(written)


def mask(w: Writer) -> None:
    """A mask that is true below some numbers."""
    type = _vector(*(w.chance.choice((1, 2, 4)) for _ in range(w.chance.choice((1, 1, 1, 2)))), element="i1")
    if w.maybe(0.2):
        ends = ", ".join(str(w.chance.randint(1, length)) for length in _lengths(type))
        w.emit(f"vector.constant_mask [{ends}] : {type}", type, "m")
    else:
        w.emit(f"vector.create_mask {', '.join(w.pick('index') for _ in type.extents)} : {type}", type, "m")


def masked_access(w: Writer) -> None:
    """Write a load or store of the elements that a mask selects."""
    name, type = w.shaped(
        lambda each: each.container == "memref" and each.element in ("index", "i32") and each.rank > 0
    )
    selects, its = w.shaped(lambda each: each.container == "vector" and each.element == "i1" and each.rank == 1)
    vector = _vector(*_lengths(its), element=type.element)
    values = w.emit(f"vector.broadcast {w.pick(type.element)} : {type.element} to {vector}", vector, "v")
    at = _places(w, name, type, {type.rank - 1: w.chance.choice((1, *_lengths(its)))})
    word = w.one_of("maskedload", "maskedstore", "expandload", "compressstore")
    access = f"vector.{word} {name}[{at}], {selects}, {values} : {type}, {its}, {vector}"
    if word.endswith("load"):
        w.emit(f"{access} into {vector}", vector, "v")
    else:
        w.line(access)


def extract(w: Writer) -> None:
    """An element or a part, sometimes at a computed position."""
    name, type = w.shaped(lambda each: each.container == "vector" and each.rank >= 1)
    count = w.chance.randint(1, type.rank)
    at = ", ".join(_in_vector(w, length) for length in _lengths(type)[:count])
    result = _vector(*_lengths(type)[count:], element=type.element) if count < type.rank else type.element
    w.emit(f"vector.extract {name}[{at}] : {result} from {type}", result, "x")


def insert(w: Writer) -> None:
    """An element replaced."""
    name, type = w.shaped(lambda each: each.container == "vector" and each.rank >= 1 and each.element != "f32")
    at = ", ".join(_in_vector(w, length) for length in _lengths(type))
    w.emit(f"vector.insert {w.pick(type.element)}, {name}[{at}] : {type.element} into {type}", type, "v")


def _in_vector(w: Writer, length: int) -> str:
    return w.pick("index") if w.maybe(0.4) else str(w.chance.randrange(length))


def buffer(w: Writer) -> None:
    """A new buffer of integers."""
    sizes = [w.size() for _ in range(w.chance.choice((1, 1, 2)))]
    type = Shaped("memref", tuple(number for _, number in sizes), w.one_of("index", "i32"))
    w.emit(f"memref.alloc({w.operands(sizes)}) : {type}", type, "b")


VECTORS: list[tuple[float, Callable[[Writer], None]]] = [
    (5, transfer_read), (4, transfer_write), (4, mask), (5, masked_access), (2, extract), (1, insert), (2, buffer),
]  # fmt: skip
