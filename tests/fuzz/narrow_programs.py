"""Random functions that compute sizes in narrow integers and affine expressions, guarded by nested witnesses."""

from __future__ import annotations

import random
from collections.abc import Callable

from fuzz.graphs import is_valid

WIDTHS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64}
BINARY = (
    "addi", "addi", "subi", "muli", "divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui",
    "maxsi", "minsi", "maxui", "minui", "andi", "ori", "xori", "shli", "shrsi", "shrui",
)  # fmt: skip
PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
AFFINE = (
    "d0 floordiv {k}", "d0 ceildiv {k}", "d0 mod {k}", "(d0 - {c}) mod {k}", "(d0 - d1) floordiv {k}",
    "-d0 floordiv {k}", "-d0 mod {k}", "(d0 + d1) ceildiv {k}", "(d0 * {k} + {c}) floordiv {k}",
    "(d0 floordiv {k}) * {k} + d0 mod {k}", "d0 - (d0 ceildiv {k}) * {k}", "(d0 mod {k}) floordiv 2",
    "d0 * {k} - d1", "((d0 + {c}) floordiv {k}) mod {c}", "d0 + d1 - {c}",
)  # fmt: skip


class _Writer:
    """The statements of a function, and its values by type."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.lines: list[str] = []
        self.values: dict[str, list[str]] = {each: [] for each in (*WIDTHS, "i1")}
        self.number = 0

    def fresh(self) -> str:
        """A new name."""
        self.number += 1
        return f"%v{self.number - 1}"

    def add(self, type: str, text: str) -> str:
        """Write an operation with one result, which later ones may use."""
        name = self.fresh()
        self.lines.append(f"{name} = {text}")
        self.values[type].append(name)
        return name

    def any(self, type: str) -> str:
        """A value of the type, often one of the last; a constant where there is none."""
        known = self.values[type]
        if not known or self.chance.random() < 0.25:
            return self.constant(type)
        return self.chance.choice(known[-3:] if self.chance.random() < 0.5 else known)

    def constant(self, type: str) -> str:
        """A constant, often near a bound of a width."""
        if type == "i1":
            return self.add("i1", f"arith.constant {self.chance.choice(('true', 'false'))}")
        width = WIDTHS[type]
        half = 1 << (min(width, self.chance.choice((8, 8, 16, 32))) - 1)
        near = (half - 1, -half, 0, 1, -1, 2, 3, 4, 5, 7, 10) if width > 8 else (127, -128, 0, 1, -1, 2, 3, 5, 10)
        return self.add(type, f"arith.constant {self.chance.choice(near)} : {type}")

    def place(self) -> str:
        """An index that is often small, so that accesses are often in bounds."""
        if self.chance.random() < 0.5:
            return self.any("index")
        return self.add("index", f"arith.constant {self.chance.choice((0, 0, 1, 2))} : index")

    def inside(self, write: Callable[[], None]) -> list[str]:
        """The lines that are written; their values are not seen outside."""
        lines, values = self.lines, self.values
        self.lines, self.values = [], {type: list(known) for type, known in values.items()}
        write()
        written, self.lines, self.values = self.lines, lines, values
        return written


def _binary(w: _Writer) -> None:
    type = w.chance.choice(list(WIDTHS))
    name = w.chance.choice(BINARY)
    flags = w.chance.choice((" overflow<nsw>", " overflow<nuw>")) if name == "addi" and w.chance.random() < 0.1 else ""
    w.add(type, f"arith.{name} {w.any(type)}, {w.any(type)}{flags} : {type}")


def _cast(w: _Writer) -> None:
    source, target = w.chance.sample(list(WIDTHS), 2)
    if "index" in (source, target):
        name = w.chance.choice(("index_cast", "index_castui"))
    elif WIDTHS[source] > WIDTHS[target]:
        name = "trunci"
    else:
        name = w.chance.choice(("extsi", "extui"))
    w.add(target, f"arith.{name} {w.any(source)} : {source} to {target}")


def _compare(w: _Writer) -> str:
    type = w.chance.choice(list(WIDTHS))
    return w.add("i1", f"arith.cmpi {w.chance.choice(PREDICATES)}, {w.any(type)}, {w.any(type)} : {type}")


def _select(w: _Writer) -> None:
    type = w.chance.choice(list(WIDTHS))
    w.add(type, f"arith.select {_compare(w)}, {w.any(type)}, {w.any(type)} : {type}")


def _assert(w: _Writer) -> None:
    w.lines.append(f'cf.assert {_compare(w)}, "a{w.number}"')


def _expression(w: _Writer) -> str:
    return w.chance.choice(AFFINE).format(k=w.chance.choice((2, 3, 4, 7)), c=w.chance.choice((1, 2, 5, 9)))


def _affine(w: _Writer) -> None:
    kind = w.chance.choice(("apply", "min", "max"))
    count = 1 if kind == "apply" else w.chance.choice((1, 2, 3))
    results = ", ".join(_expression(w) for _ in range(count))
    w.add("index", f"affine.{kind} affine_map<(d0, d1) -> ({results})>({w.any('index')}, {w.any('index')})")


def _divided_by_symbol(w: _Writer) -> None:
    kind = w.chance.choice(("floordiv", "ceildiv", "mod"))
    w.add("index", f"affine.apply affine_map<(d0)[s0] -> (d0 {kind} s0)>({w.any('index')})[{w.any('index')}]")


def _assuming(w: _Writer, depth: int = 0) -> None:
    condition = _compare(w)
    witness = w.fresh()
    w.lines.append(f'{witness} = shape.cstr_require {condition}, "w{w.number}"')

    def body() -> None:
        for _ in range(w.chance.choice((1, 2))):
            w.chance.choice((_binary, _affine, _assert, _cast))(w)
        if depth < 2 and w.chance.random() < 0.5:
            _assuming(w, depth + 1)
        w.lines.append(f"shape.assuming_yield {w.any('index')} : index")

    written = w.inside(body)
    name = w.fresh()
    w.lines += [f"{name} = shape.assuming {witness} -> (index) {{", *(f"  {each}" for each in written), "}"]
    w.values["index"].append(name)


def _counted(w: _Writer) -> None:
    type = w.chance.choice(("i8", "i16", "index"))
    low, high, step = (
        w.any("index"),
        w.any("index"),
        w.add("index", f"arith.constant {w.chance.choice((1, 2, 3))} : index"),
    )
    start, index, carried = w.any(type), w.fresh(), w.fresh()

    def body() -> None:
        w.values["index"].append(index)
        w.values[type].append(carried)
        for _ in range(w.chance.choice((1, 1, 2))):
            w.chance.choice((_binary, _affine, _assert, _select))(w)
        stepped = w.add(type, f"arith.{w.chance.choice(('addi', 'subi', 'maxsi'))} {carried}, {w.any(type)} : {type}")
        w.lines.append(f"scf.yield {stepped} : {type}")

    written = w.inside(body)
    name = w.fresh()
    head = f"{name} = scf.for {index} = {low} to {high} step {step} iter_args({carried} = {start}) -> ({type}) {{"
    w.lines += [head, *(f"  {each}" for each in written), "}"]
    w.values[type].append(name)


def _views(w: _Writer) -> None:
    """Write a chain of views of a buffer, and a read through the last."""
    source, type = "%m", "memref<?xi32>"
    for _ in range(w.chance.choice((1, 2))):
        name = w.fresh()
        result = "memref<?xi32, strided<[?], offset: ?>>"
        stride = (
            w.place()
            if w.chance.random() < 0.3
            else w.add("index", f"arith.constant {w.chance.choice((1, 1, 2))} : index")
        )
        w.lines.append(f"{name} = memref.subview {source}[{w.place()}] [{w.place()}] [{stride}] : {type} to {result}")
        source, type = name, result
    size = w.add("index", f"memref.dim {source}, %c0 : {type}")
    at = w.place() if w.chance.random() < 0.5 else size
    w.add("i32", f"memref.load {source}[{at}] : {type}")


def _slice(w: _Writer) -> None:
    name = w.fresh()
    w.lines.append(
        f"{name} = tensor.extract_slice %t[{w.place()}] [{w.place()}] [{w.chance.choice((1, 2, 3))}]"
        " : tensor<?xf32> to tensor<?xf32>"
    )
    w.add("index", f"tensor.dim {name}, %c0 : tensor<?xf32>")


STATEMENTS = (
    _binary, _binary, _binary, _cast, _cast, _cast, _select, _assert, _assert, _affine, _affine, _divided_by_symbol,
    _assuming, _counted, _views, _slice,
)  # fmt: skip


def narrow(seed: int, functions: int) -> str:
    """Return a module of up to so many functions; those are left out that MLIR refuses."""
    chance = random.Random(f"narrow {seed}")
    return "\n".join(filter(is_valid, (_function(chance, number) for number in range(functions))))


def _function(chance: random.Random, number: int) -> str:
    w = _Writer(chance)
    w.values["i8"].append("%a")
    w.values["i16"].append("%b")
    w.values["i32"].append("%c")
    w.values["index"] += ["%n", "%c0", "%d"]
    for _ in range(chance.choice((4, 6, 9))):
        chance.choice(STATEMENTS)(w)
    _assert(w)
    lines = "\n".join(f"  {each}" for each in w.lines)
    arguments = "%t: tensor<?xf32>, %m: memref<?xi32>, %n: index, %a: i8, %b: i16, %c: i32"
    return f"""func.func @f{number}({arguments}) -> index {{
  %c0 = arith.constant 0 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
{lines}
  return {w.values["index"][-1]} : index
}}"""
