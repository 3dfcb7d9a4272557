"""Statements on floats computed from sizes, and checks of the results."""

from __future__ import annotations

from collections.abc import Callable

from shapesolve.program_generation.writing import FLOATS, Nothing, Writer

TYPES = ("f32", "f32", "f64", "f16", "bf16")
NUMBERS = ("2.0", "0.5", "3.0", "0.1", "1.0", "0.25", "1.5", "-2.0", "0.0", "7.0", "100.0", "0.3333333")
WIDER = {"f16": ("f32", "f64"), "bf16": ("f32", "f64"), "f32": ("f64",), "f64": ()}
PREDICATES = ("oeq", "ogt", "oge", "olt", "ole", "one", "ueq", "ugt", "uge", "ult", "ule", "une", "ord", "uno")


def _float_type(w: Writer) -> str:
    known = [each for each in FLOATS if w.scope.get(each)]
    if not known:
        raise Nothing
    return w.chance.choice(known)


def float_of_size(w: Writer) -> None:
    """An index as a float."""
    narrow = w.one_of("i64", "i64", "i32")
    value = w.emit(f"arith.index_cast {w.pick('index')} : index to {narrow}", narrow)
    type = w.chance.choice(TYPES)
    w.emit(f"arith.{w.one_of('sitofp', 'sitofp', 'uitofp')} {value} : {narrow} to {type}", type, "f")


def float_of_integer(w: Writer) -> None:
    """An integer as a float."""
    source, type = w.one_of("i8", "i32", "i64", "i1"), w.chance.choice(TYPES)
    name = w.one_of("sitofp", "uitofp")
    promise = " nneg" if name == "uitofp" and w.maybe(0.2) else ""
    w.emit(f"arith.{name} {w.pick(source)}{promise} : {source} to {type}", type, "f")


def float_arithmetic(w: Writer) -> None:
    """A sum, product, quotient or extreme, with a constant most of the time."""
    type = _float_type(w)
    name = w.one_of("addf", "subf", "mulf", "divf", "mulf", "divf", "maximumf", "minimumf")
    left = w.pick(type)
    right = w.emit(f"arith.constant {w.chance.choice(NUMBERS)} : {type}", type, "k") if w.maybe(0.7) else w.pick(type)
    if w.maybe(0.15):
        left, right = right, left
    w.emit(f"arith.{name} {left}, {right} : {type}", type, "f")


def float_rounding(w: Writer) -> None:
    """To an integer, the other sign, or the absolute value."""
    type = _float_type(w)
    name = w.one_of("math.floor", "math.ceil", "math.round", "math.roundeven", "math.trunc", "math.absf", "arith.negf")
    w.emit(f"{name} {w.pick(type)} : {type}", type, "f")


def float_cast(w: Writer) -> None:
    """To a wider or a narrower type."""
    type = _float_type(w)
    if WIDER[type] and w.maybe(0.5):
        target = w.chance.choice(WIDER[type])
        w.emit(f"arith.extf {w.pick(type)} : {type} to {target}", target, "f")
        return
    narrower = [each for each in FLOATS if type in WIDER[each]]
    if not narrower:
        raise Nothing
    target = w.chance.choice(narrower)
    w.emit(f"arith.truncf {w.pick(type)} : {type} to {target}", target, "f")


def size_of_float(w: Writer) -> None:
    """A float as an index again."""
    type, narrow = _float_type(w), w.one_of("i64", "i64", "i32", "i8")
    value = w.emit(f"arith.{w.one_of('fptosi', 'fptosi', 'fptoui')} {w.pick(type)} : {type} to {narrow}", narrow)
    w.emit(f"arith.index_cast {value} : {narrow} to index", "index")


def float_comparison(w: Writer) -> None:
    """A comparison of floats."""
    type = _float_type(w)
    right = w.pick(type)
    if w.maybe(0.4):
        right = w.emit(f"arith.constant {w.chance.choice(NUMBERS)} : {type}", type, "k")
    w.emit(f"arith.cmpf {w.chance.choice(PREDICATES)}, {w.pick(type)}, {right} : {type}", "i1", "p")


def rounded_check(w: Writer) -> None:
    """A law of dividing by a float, as shape code has it, sometimes with a mistake in it."""
    type, by = w.chance.choice(TYPES), w.chance.choice((1, 2, 3, 4, 7))
    value = w.pick("index")
    word = w.emit(f"arith.index_cast {value} : index to i64", "i64")
    given = w.emit(f"arith.sitofp {word} : i64 to {type}", type, "f")
    if w.maybe(0.6):
        number = w.emit(f"arith.constant {by}.0 : {type}", type, "k")
        made = w.emit(f"arith.divf {given}, {number} : {type}", type, "f")
    else:
        number = w.emit(f"arith.constant {1 / by!r} : {type}", type, "k")
        made = w.emit(f"arith.mulf {given}, {number} : {type}", type, "f")
    how, same = w.chance.choice((("floor", "floordivsi"), ("ceil", "ceildivsi"), ("trunc", "divsi")))
    whole = w.emit(f"math.{how} {made} : {type}", type, "f")
    back = w.emit(f"arith.fptosi {whole} : {type} to i64", "i64")
    there = w.emit(f"arith.index_cast {back} : i64 to index", "index")
    size = w.constant(by)
    expected = w.emit(f"arith.{same} {value}, {size} : index", "index")
    w.check(w.compare(there, expected, "index", w.one_of("eq", "eq", "sle", "sge", "slt")))


FLOAT_SIZES: list[tuple[float, Callable[[Writer], None]]] = [
    (0.6, float_of_size),
    (0.2, float_of_integer),
    (1.2, float_arithmetic),
    (0.8, float_rounding),
    (0.3, float_cast),
    (0.9, size_of_float),
    (0.6, float_comparison),
    (0.4, rounded_check),
]
