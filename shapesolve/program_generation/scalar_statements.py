"""Statements on numbers: arithmetic of every width, casts, comparisons, checks."""

from __future__ import annotations

from collections.abc import Callable

from shapesolve.program_generation.writing import COMPARISONS, INTEGERS, Nothing, Writer

CHEAP = ("addi", "subi", "muli", "addi", "subi")
ARITH = (
    "divsi", "divui", "floordivsi", "ceildivsi", "ceildivui", "remsi", "remui", "maxsi", "minsi", "maxui", "minui",
    "andi", "ori", "xori", "shli", "shrsi", "shrui",
)  # fmt: skip
INDEX = (
    "add", "sub", "mul", "divs", "divu", "floordivs", "ceildivs", "ceildivu", "rems", "remu", "maxs", "mins", "maxu",
    "minu", "and", "or", "xor", "shl", "shrs", "shru",
)  # fmt: skip
WRAPS = ("overflow<nsw>", "overflow<nuw>", "overflow<nsw, nuw>")
PROMISES = {
    **dict.fromkeys(("addi", "subi", "muli", "shli", "trunci"), WRAPS),
    **dict.fromkeys(("divsi", "divui", "shrsi", "shrui"), ("exact",)),
    **dict.fromkeys(("extui", "index_castui"), ("nneg",)),
}
"""Promises that an operation may make."""
DIVISIONS = ("div", "rem", "floordiv", "ceildiv")


def arithmetic(w: Writer) -> None:
    """A binary operation; divisors are constants half of the time."""
    type = w.integer_type()
    name = w.one_of(*CHEAP) if w.maybe(0.5) else w.one_of(*ARITH)
    left, right = w.pick(type), w.pick(type)
    if name.startswith(DIVISIONS) and w.maybe(0.75):
        right = w.constant(w.chance.choice((1, 2, 2, 3, 4, -1, -2)), type)
    if name.startswith("sh") and w.maybe(0.85):
        right = w.constant(w.chance.choice((0, 1, 2, 3)), type)
    w.emit(f"arith.{name} {left}, {right}{_promise(w, name)} : {type}", type)


def _promise(w: Writer, name: str) -> str:
    """A flag, now and then."""
    if name in PROMISES and w.maybe(0.08):
        return f" {w.one_of(*PROMISES[name])}"
    return ""


def index_arithmetic(w: Writer) -> None:
    """The same in the index dialect."""
    name = w.one_of(*INDEX)
    left, right = w.pick("index"), w.pick("index")
    if name.startswith((*DIVISIONS, "sh")) and w.maybe(0.75):
        right = w.emit(f"index.constant {w.chance.choice((1, 2, 3))}", "index")
    w.emit(f"index.{name} {left}, {right}", "index")


def cast(w: Writer) -> None:
    """From one integer type to another."""
    source = w.integer_type()
    value = w.pick(source)
    if source == "index":
        target = w.one_of("i8", "i32", "i64")
        name = w.one_of("index_cast", "index_castui")
        w.emit(f"arith.{name} {value}{_promise(w, name)} : index to {target}", target)
        return
    if w.maybe(0.5):
        if w.maybe(0.3):
            w.emit(f"index.{w.one_of('casts', 'castu')} {value} : {source} to index", "index")
        else:
            name = w.one_of("index_cast", "index_castui")
            w.emit(f"arith.{name} {value}{_promise(w, name)} : {source} to index", "index")
        return
    widths = {"i8": 8, "i32": 32, "i64": 64}
    target = w.chance.choice([each for each in widths if each != source])
    name = w.one_of("extsi", "extui") if widths[target] > widths[source] else "trunci"
    w.emit(f"arith.{name} {value}{_promise(w, name)} : {source} to {target}", target)


def compare(w: Writer) -> None:
    """A comparison."""
    type = w.integer_type()
    left, right = w.pick(type), w.pick(type)
    if type == "index" and w.maybe(0.2):
        w.emit(f"index.cmp {w.chance.choice(COMPARISONS)}({left}, {right})", "i1", "p")
    else:
        w.compare(left, right, type)


def logic(w: Writer) -> None:
    """Connectives on comparisons."""
    w.emit(f"arith.{w.one_of('andi', 'ori', 'xori')} {w.pick('i1')}, {w.pick('i1')} : i1", "i1", "p")


def select(w: Writer) -> None:
    """One of two numbers."""
    type = w.integer_type()
    w.emit(f"arith.select {w.pick('i1')}, {w.pick(type)}, {w.pick(type)} : {type}", type)


def bit_counts(w: Writer) -> None:
    """Counting bits."""
    type = w.one_of("i8", "i32")
    w.emit(f"math.{w.one_of('ctpop', 'ctlz', 'cttz')} {w.pick(type)} : {type}", type)


def extended(w: Writer) -> None:
    """Sums and products in two words."""
    type = w.one_of("i8", "i32")
    left, right, low, high = w.pick(type), w.pick(type), w.name(), w.name()
    name = w.one_of("addui_extended", "mulsi_extended", "mului_extended")
    second = "i1" if name == "addui_extended" else type
    w.line(f"{low}, {high} = arith.{name} {left}, {right} : {type}{', i1' if second == 'i1' else ''}")
    w.define(low, type)
    w.define(high, second)


def random_check(w: Writer) -> None:
    """An assertion that may fail."""
    if w.maybe(0.25):
        w.check(w.pick("i1"))
        return
    type = "index" if w.maybe(0.7) else w.integer_type()
    left, right = w.pick(type), w.pick(type)
    predicate = w.one_of("sle", "sge", "eq", "ule", "slt") if w.maybe(0.7) else w.chance.choice(COMPARISONS)
    w.check(w.compare(left, right, type, predicate))


def algebraic_check(w: Writer) -> None:
    """An assertion of a law, sometimes with a mistake in it."""
    a, b = w.pick("index"), w.pick("index")
    k = w.constant(w.chance.choice((2, 3, 4)))
    off = w.maybe(0.25)

    def emitted(name: str, left: str, right: str) -> str:
        return w.emit(f"arith.{name} {left}, {right} : index", "index")

    law = w.chance.randrange(8)
    if law == 0:
        w.check(w.compare(emitted("subi", emitted("addi", a, b), b), a, "index", "sle" if off else "eq"))
    elif law == 1:
        w.check(w.compare(emitted("remsi", a, k), k, "index", "slt"))
    elif law == 2:
        w.check(w.compare(emitted("muli", emitted("floordivsi", a, k), k), a, "index", "slt" if off else "sle"))
    elif law == 3:
        w.check(w.compare(emitted("maxsi", a, b), b if off else a, "index", "sge"))
    elif law == 4:
        whole = emitted(
            "addi", emitted("muli", emitted("floordivsi", a, k), k), emitted("remsi" if off else "remui", a, k)
        )
        w.check(w.compare(whole, a, "index", "eq"))
    elif law == 5:
        w.check(w.compare(emitted("ceildivsi", a, k), emitted("divsi", emitted("addi", a, k), k), "index", "sle"))
    elif law == 6:
        w.check(
            w.compare(
                emitted("addi", emitted("minsi", a, b), emitted("maxsi", a, b)), emitted("addi", a, b), "index", "eq"
            )
        )
    else:
        w.check(w.compare(emitted("shrui", a, k) if off else emitted("divui", a, k), a, "index", "ule"))


def wrapping_check(w: Writer) -> None:
    """An assertion about narrow numbers."""
    type = w.one_of("i8", "i32", "i8")
    a, b = w.pick(type), w.pick(type)

    def emitted(name: str, left: str, right: str) -> str:
        return w.emit(f"arith.{name} {left}, {right} : {type}", type)

    law = w.chance.randrange(4)
    if law == 0:
        w.check(w.compare(emitted("subi", emitted("addi", a, b), b), a, type, "eq"))
    elif law == 1:
        w.check(w.compare(emitted("addi", a, b), a, type, w.one_of("sge", "uge")))
    elif law == 2:
        w.check(w.compare(emitted("maxui", a, b), b, type, w.one_of("uge", "sge")))
    else:
        w.check(w.compare(emitted("muli", a, a), w.constant(0, type), type, w.one_of("sge", "uge")))


def repeated_check(w: Writer) -> None:
    """A condition that is asked for twice."""
    condition = w.pick("i1")
    w.check(condition)
    if w.maybe(0.5):
        arithmetic(w)
    w.check(condition)


SCALARS: list[tuple[float, Callable[[Writer], None]]] = [
    (5, arithmetic),
    (1.5, index_arithmetic),
    (2, cast),
    (2, compare),
    (1, logic),
    (1.5, select),
    (0.5, bit_counts),
    (0.5, extended),
    (4, random_check),
    (2.5, algebraic_check),
    (1, wrapping_check),
    (0.7, repeated_check),
]

__all__ = ["INTEGERS", "SCALARS", "Nothing"]
