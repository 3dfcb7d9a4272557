"""Random functions of blocks between which control goes in any way: forwards, back, and into the middle of loops."""

from __future__ import annotations

import random

from shapesolve.errors import InputError
from shapesolve.ir.reader import read_text

ATTEMPTS = 12
OUTSIDE = ("%n", "%m", "%c0", "%c1", "%c2", "%d")
HEAD = """func.func @{name}(%a: tensor<?xf32>, %n: index, %m: index, %c: i1) -> index {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>"""


def with_graphs(seed: int, functions: int) -> str:
    """A valid module of such functions. Values of other blocks are used where MLIR's verifier allows it."""
    texts: list[str] = []
    for number in range(functions):
        for attempt in range(ATTEMPTS):
            chance = random.Random(f"graphs {seed} {number} {attempt}")
            text = _Function(chance, far=0.25 if attempt < ATTEMPTS - 1 else 0.0).text(f"f{number}")
            if is_valid(text):
                texts.append(text)
                break
    return "\n".join(texts)


def is_valid(text: str) -> bool:
    """Return whether MLIR reads a program."""
    try:
        read_text(text)
    except InputError:
        return False
    return True


class _Function:
    """``far`` is how often a block uses values of another one."""

    def __init__(self, chance: random.Random, far: float) -> None:
        self._chance, self._far = chance, far
        self._counts = [chance.randint(0, 2) for _ in range(chance.randint(2, 7))]  # arguments of each block
        self._back = chance.random() * 0.7
        self._made = 0
        self._elsewhere: list[str] = []

    def text(self, name: str) -> str:
        lines = [HEAD.format(name=name), f"  cf.br {self._way(0, OUTSIDE, back=False)}"]
        for number in range(len(self._counts)):
            lines += self._block(number)
        return "\n".join([*lines, "}"])

    def _way(self, least: int, values: tuple[str, ...] | list[str], *, back: bool) -> str:
        last = len(self._counts) - 1
        goes_back = back and self._chance.random() < self._back
        target = self._chance.randint(0 if goes_back else min(least, last), last)
        given = [self._chance.choice(values) for _ in range(self._counts[target])]
        return f"^b{target}({', '.join(given)} : {', '.join(['index'] * len(given))})" if given else f"^b{target}"

    def _block(self, number: int) -> list[str]:
        chance, own = self._chance, [f"%x{number}_{index}" for index in range(self._counts[number])]
        values, truths = [*OUTSIDE, *own * 3], list[str]()
        if self._elsewhere and chance.random() < self._far:
            values += [chance.choice(self._elsewhere)] * 3
        lines = [f"^b{number}({', '.join(f'{each}: index' for each in own)}):" if own else f"^b{number}:"]
        for _ in range(chance.randint(1, 4)):
            lines.append(self._statement(values, truths))
        self._elsewhere += values[len(OUTSIDE) :]
        return [line for line in (*lines, *self._end(number, values, truths)) if line]

    def _statement(self, values: list[str], truths: list[str]) -> str:
        chance, kind = self._chance, self._chance.random()
        self._made += 1
        name, one, other = f"%v{self._made}", chance.choice(values), chance.choice(values)
        if kind < 0.35:
            values += [name, name]
            operation = chance.choice(("addi", "addi", "addi", "subi", "minsi", "maxsi", "muli"))
            return f"  {name} = arith.{operation} {one}, {chance.choice((other, '%c1', '%c2'))} : index"
        if kind < 0.75:
            truths.append(name)
            relation = chance.choice(("slt", "slt", "sge", "eq", "ne", "ult", "sle"))
            return f"  {name} = arith.cmpi {relation}, {one}, {other} : index"
        if kind < 0.85:
            return f"  {name} = tensor.extract %a[{one}] : tensor<?xf32>"
        return f'  cf.assert {chance.choice(truths)}, "check {self._made}"' if truths else ""

    def _end(self, number: int, values: list[str], truths: list[str]) -> list[str]:
        chance, onwards = self._chance, self._way(number + 1, values, back=False)
        if number == len(self._counts) - 1:
            return [f"  return {chance.choice(values)} : index"]
        kind = chance.random()
        if kind < 0.75:
            ways = [onwards, self._way(number + 1, values, back=True)]
            chance.shuffle(ways)
            return [f"  cf.cond_br {chance.choice(truths or ['%c'])}, {ways[0]}, {ways[1]}"]
        if kind < 0.9:
            flag, other = f"%flag{number}", self._way(number + 1, values, back=True)
            cast = f"  {flag} = arith.index_cast {chance.choice(values)} : index to i32"
            return [cast, f"  cf.switch {flag} : i32, [default: {onwards}, 1: {other}]"]
        return [f"  cf.br {onwards}"]
