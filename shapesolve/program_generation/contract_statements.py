"""Functions that state what they require and ensure: without a body, or calling themselves.

What they state is true of some of them, and of some not.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from shapesolve.program_generation.writing import Callee, Shaped, Type, tensor

VECTOR = tensor(None)
NUMBERS = (0, 1, 2, 3)


def sizes_of(types: Sequence[Type], stem: str) -> list[str]:
    """Return the subjects of claims: numbers, and open extents."""
    found: list[str] = []
    for number, type in enumerate(types):
        if isinstance(type, Shaped):
            found += [f"{stem}{number}[{axis}]" for axis, extent in enumerate(type.extents) if extent is None]
        elif type in ("index", "i8", "i32", "i64"):
            found.append(f"{stem}{number}")
    return found


def requirement(chance: random.Random, arguments: Sequence[Type]) -> str:
    """Return a random claim about the arguments; empty for none."""
    sizes = sizes_of(arguments, "arg")
    if not sizes:
        return ""
    a, b, k = chance.choice(sizes), chance.choice(sizes), chance.choice(NUMBERS)
    return chance.choice(
        (f"{a} >= {k}", f"{a} >= {k}", f"{a} <= {k + 3}", f"{a} % 2 == 0", f"{a} != {k}", f"{a} <= {b}", f"{a} == {b}",
         f"{a} >= 1 or {b} == 0", f"{a} + {b} >= {k}")
    )  # fmt: skip


def promise(chance: random.Random, arguments: Sequence[Type], results: Sequence[Type]) -> str:
    """Return a random claim about the results; empty for none."""
    made, sizes = sizes_of(results, "result"), sizes_of(arguments, "arg")
    if not made:
        return ""
    r, k = chance.choice(made), chance.choice(NUMBERS)
    a, other = chance.choice(sizes or ["2"]), chance.choice(made)
    return chance.choice(
        (f"{r} == {a}", f"{r} == {a} + {k}", f"{r} >= {a}", f"{r} <= {a}", f"{r} >= {k}", f"{r} % 2 == 0",
         f"{r} == 2*{a}", f"{r} == {a} // 2", f"{r} == max({a}, {k})", f"{r} <= {k} or {r} >= {a}", f"{r} <= {other}",
         f"{r} == {k}", f"{r} == {other} + 1", f"{r} != {a}")
    )  # fmt: skip


def attributes(requires: Sequence[str] | None, ensures: Sequence[str], word: str = "requires") -> str:
    """As a function's attributes."""

    def quoted(claims: Sequence[str]) -> str:
        return ", ".join(f'"{each}"' for each in claims if each)

    attributes = [] if requires is None else [f"shapesolve.{word} = [{quoted(requires)}]"]
    attributes += [f"shapesolve.ensures = [{quoted(ensures)}]"] if any(ensures) else []
    return f" attributes {{{', '.join(attributes)}}}" if attributes else ""


def contract_of(chance: random.Random, arguments: Sequence[Type], results: Sequence[Type]) -> str:
    """A random contract for a function with these types."""
    requires = [requirement(chance, arguments) for _ in range(chance.choice((0, 1, 1, 2)))]
    ensures = [promise(chance, arguments, results) for _ in range(chance.choice((0, 1, 1, 2)))]
    return attributes(None if chance.random() < 0.1 else requires, ensures)


def without_body(chance: random.Random, name: str) -> tuple[str, Callee]:
    """A declaration."""
    arguments: list[Type] = [chance.choice(("index", "index", VECTOR, "i8")) for _ in range(chance.choice((1, 1, 2)))]
    results: list[Type] = [chance.choice(("index", "index", VECTOR, "i8")) for _ in range(chance.choice((1, 1, 2)))]
    given, gives = ", ".join(map(str, arguments)), ", ".join(map(str, results))
    head = f"func.func private @{name}({given}) -> ({gives})"
    return head + contract_of(chance, arguments, results), Callee(name, tuple(arguments), tuple(results))


class _Lines:
    """The lines of a function, and names for its values."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._names = 0

    def add(self, text: str) -> str:
        self._names += 1
        self.lines.append(f"  %v{self._names} = {text}")
        return f"%v{self._names}"

    def constant(self, number: int, type: str) -> str:
        return self.add(f"arith.constant {number} : {type}")

    def binary(self, name: str, left: str, right: str, type: str) -> str:
        return self.add(f"arith.{name} {left}, {right} : {type}")


def calling_itself(chance: random.Random, name: str) -> tuple[list[str], Callee]:
    """A function that counts its first argument down, alone or in turns with another one."""
    type = chance.choice(("index", "index", "index", "i8", "i32"))
    arguments: list[Type] = [type, *([type] if chance.random() < 0.4 else [])]
    names = [name, f"{name}b"] if chance.random() < 0.25 else [name]
    contract = _likely_contract(chance, type)
    texts = [_counting(chance, each, names[number - 1], type, len(arguments), contract)
             for number, each in enumerate(names)]  # fmt: skip
    return texts, Callee(name, tuple(arguments), (type,))


def _likely_contract(chance: random.Random, type: str) -> str:
    if chance.random() < 0.35:
        return contract_of(chance, [type], [type])
    k = chance.choice(NUMBERS)
    ensures = chance.choice(
        (["result0 >= 0"], ["result0 >= arg0"], ["result0 == arg0"], [f"result0 >= {k}"], ["result0 % 2 == 0"],
         [f"result0 == arg0 + {k}"], ["result0 == 2*arg0"], ["result0 == max(arg0, 0)"], [f"result0 == {k}"],
         ["result0 >= arg0", "result0 % 2 == 0"], ["result0 == 0 or result0 == 1"], ["result0 <= arg0"],
         ["result0 == arg0 // 2"])
    )  # fmt: skip
    return attributes(chance.choice(([], ["arg0 >= 0"], ["arg0 >= 0"], ["arg0 >= 1"], ["arg0 <= 100"])), ensures)


def _counting(chance: random.Random, name: str, called: str, type: str, count: int, contract: str) -> str:
    w = _Lines()
    least, by = w.constant(chance.choice((0, 0, 1)), type), w.constant(chance.choice((1, 1, 2)), type)
    condition = w.add(f"arith.cmpi {chance.choice(('sle', 'sle', 'eq', 'ule'))}, %n, {least} : {type}")
    args = ", ".join(f"%{each}: {type}" for each in ("n", "m")[:count])
    head = f"func.func private @{name}({args}) -> {type}{contract} {{"
    base = chance.choice((least, "%n", w.constant(chance.choice(NUMBERS), type), "%m" if count == 2 else least))
    before = list(w.lines)
    w.lines.clear()
    if chance.random() < 0.2:
        bound = w.constant(chance.choice((-1, 0, 1)), type)
        w.lines.append(f'  cf.assert {w.add(f"arith.cmpi sge, %n, {bound} : {type}")}, "low {name}"')
    fewer = w.binary("subi", "%n", by, type) if chance.random() < 0.85 else w.binary("shrsi", "%n", by, type)
    passed = [fewer, chance.choice(("%m", fewer, w.binary("addi", "%m", by, type))) if count == 2 else ""][:count]
    types = ", ".join([type] * count)
    result = w.add(f"func.call @{called}({', '.join(passed)}) : ({types}) -> {type}")
    if chance.random() < 0.15:
        again = w.add(f"func.call @{called}({', '.join(reversed(passed))}) : ({types}) -> {type}")
        result = w.binary("addi", result, again, type)
    for _ in range(chance.choice((0, 1, 1, 2))):
        other = chance.choice((by, "%n", least, w.constant(chance.choice(NUMBERS), type)))
        result = w.binary(
            chance.choice(("addi", "addi", "addi", "maxsi", "minsi", "subi", "muli")), result, other, type
        )
    inner = list(w.lines)
    if chance.random() < 0.5:
        text = [*before, f"  %r = scf.if {condition} -> {type} {{", f"  scf.yield {base} : {type}", "  } else {",
                *inner, f"  scf.yield {result} : {type}", "  }", f"  return %r : {type}"]  # fmt: skip
    else:
        text = [*before, f"  cf.cond_br {condition}, ^low, ^high", "^low:", f"  return {base} : {type}", "^high:",
                *inner, f"  return {result} : {type}"]  # fmt: skip
    return "\n".join([head, *text, "}"])
