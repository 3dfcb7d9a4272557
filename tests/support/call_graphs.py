"""Random programs of private functions that call each other: in branches, in loops, twice on the same arguments."""

from __future__ import annotations

import random

FUNCTIONS = 5
"""Number of functions, each calling later ones; in some programs one calls an earlier one."""


class _Body:
    """The lines of one function, as they are drawn."""

    def __init__(self, draw: random.Random, number: int, is_recursive: bool) -> None:
        self.draw = draw
        self.number = number
        self.is_recursive = is_recursive
        self.lines: list[str] = []
        self.made = 0

    def name(self) -> str:
        self.made += 1
        return f"%v{self.made}"

    def statement(self, known: list[str], depth: int) -> None:
        """Return an operation on known values, or a region with some; its results become known."""
        a, b, result = self.draw.choice(known), self.draw.choice(known), self.name()
        match self.draw.choice(("call", "call", "call", "add", "check", "divide", "unknown", "branch", "loop")):
            case "call" if self.number + 1 < FUNCTIONS or self.is_recursive:
                first = 0 if self.is_recursive and self.draw.random() < 0.1 else min(self.number + 1, FUNCTIONS - 1)
                callee = self.draw.randrange(first, FUNCTIONS)
                if callee != self.number or self.is_recursive:
                    self.lines.append(f"{result} = func.call @f{callee}({a}, {b}) : (index, index) -> index")
                    known.append(result)
            case "add":
                self.lines.append(f"{result} = arith.addi {a}, %c1 : index")
                known.append(result)
            case "check":
                relation = self.draw.choice(("sge", "sle", "ne", "slt"))
                self.lines += [f"{result} = arith.cmpi {relation}, {a}, {b} : index", f'cf.assert {result}, "{result}"']
            case "divide":
                self.lines.append(f"{result} = arith.divsi {a}, {b} : index")
                known.append(result)
            case "unknown" if self.draw.random() < 0.3:
                self.lines.append(f'{result} = "my.op"({a}) : (index) -> index')
                known.append(result)
            case "branch" if depth:
                condition = self.name()
                self.lines.append(f"{condition} = arith.cmpi sgt, {a}, {b} : index")
                self.lines.append(f"{result} = scf.if {condition} -> (index) {{")
                for word in ("} else {", "}"):
                    inside = list(known)
                    for _ in range(2):
                        self.statement(inside, depth - 1)
                    self.lines += [f"scf.yield {inside[-1]} : index", word]
                known.append(result)
            case "loop" if depth:
                self.lines.append(f"scf.for {result} = %c0 to {a} step %c1 {{")
                inside = [*known, result] if self.draw.random() < 0.5 else list(known)
                for _ in range(2):
                    self.statement(inside, depth - 1)
                self.lines.append("}")
            case _:
                pass


def call_graph(seed: int) -> str:
    """A program with two functions that are entered from outside."""
    draw = random.Random(seed)
    is_recursive = draw.random() < 0.2
    functions: list[str] = []
    for number in range(FUNCTIONS):
        body, known = _Body(draw, number, is_recursive), ["%x", "%y"]
        for _ in range(4):
            body.statement(known, 2)
        visibility = "private " if number > 1 else ""
        functions.append(
            f"func.func {visibility}@f{number}(%x: index, %y: index) -> index {{\n%c0 = arith.constant 0 : index\n"
            "%c1 = arith.constant 1 : index\n" + "\n".join(body.lines) + f"\nreturn {known[-1]} : index\n}}"
        )
    return "\n".join(functions)
