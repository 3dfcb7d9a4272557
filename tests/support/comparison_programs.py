"""Small programs over three sizes, as trees: their MLIR text, and what they do, by an interpreter that knows no solver.

Predicates compare sizes with each other and with constants up to 3, so whatever two programs can differ in, they differ
in for sizes up to 6: three different sizes above 3 stand for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from hypothesis import strategies as st

SIZES = ("a0", "a1", "b0")
LARGEST = 6


@dataclass(frozen=True)
class Predicate:
    """A comparison: ``eq``, ``ne``, ``ult`` or ``ule`` of sizes or constants."""

    relation: str
    left: str | int
    right: str | int

    def holds(self, sizes: dict[str, int]) -> bool:
        left, right = (sizes[each] if isinstance(each, str) else each for each in (self.left, self.right))
        return {"eq": left == right, "ne": left != right, "ult": left < right, "ule": left <= right}[self.relation]


@dataclass(frozen=True)
class Check:
    """``cf.assert``."""

    predicate: Predicate


@dataclass(frozen=True)
class Demand:
    """A division by 1 or 0: undefined unless the predicate holds."""

    predicate: Predicate


@dataclass(frozen=True)
class Branch:
    """``scf.if``."""

    predicate: Predicate
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


Statement = Check | Demand | Branch


@dataclass(frozen=True)
class Tree:
    """A program: statements, and the size of the tensor that it returns (the first where the predicate holds)."""

    statements: tuple[Statement, ...]
    predicate: Predicate
    first: str
    second: str


def behavior(tree: Tree, sizes: dict[str, int]) -> object:
    """``undefined``, ``aborts``, or the size that is returned."""
    ended = _run(tree.statements, sizes)
    return ended if ended is not None else sizes[tree.first if tree.predicate.holds(sizes) else tree.second]


def _run(statements: Sequence[Statement], sizes: dict[str, int]) -> str | None:
    for each in statements:
        holds = each.predicate.holds(sizes)
        if isinstance(each, Branch):
            ended = _run(each.then if holds else each.otherwise, sizes)
            if ended is not None:
                return ended
        elif not holds:
            return "aborts" if isinstance(each, Check) else "undefined"
    return None


def text_of(tree: Tree) -> str:
    """The program as MLIR."""
    writer = _Writer()
    writer.statements(tree.statements, "  ")
    chosen = writer.predicate(tree.predicate, "  ")
    return "\n".join(
        (
            "func.func @f(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {",
            *(f"  %c{number} = arith.constant {number} : index" for number in range(4)),
            "  %a0 = tensor.dim %a, %c0 : tensor<?x?xf32>",
            "  %a1 = tensor.dim %a, %c1 : tensor<?x?xf32>",
            "  %b0 = tensor.dim %b, %c0 : tensor<?xf32>",
            *writer.lines,
            f"  %size = arith.select {chosen}, %{tree.first}, %{tree.second} : index",
            "  %result = tensor.empty(%size) : tensor<?xf32>",
            "  return %result : tensor<?xf32>",
            "}",
        )
    )


class _Writer:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self._count = 0

    def _new(self) -> str:
        self._count += 1
        return f"%v{self._count}"

    def predicate(self, predicate: Predicate, indent: str) -> str:
        name = self._new()
        left, right = (
            f"%{each}" if isinstance(each, str) else f"%c{each}" for each in (predicate.left, predicate.right)
        )
        self.lines.append(f"{indent}{name} = arith.cmpi {predicate.relation}, {left}, {right} : index")
        return name

    def statements(self, statements: Sequence[Statement], indent: str) -> None:
        for each in statements:
            holds = self.predicate(each.predicate, indent)
            match each:
                case Check():
                    self.lines.append(f'{indent}cf.assert {holds}, "check"')
                case Demand():
                    divisor, quotient = self._new(), self._new()
                    self.lines.append(f"{indent}{divisor} = arith.select {holds}, %c1, %c0 : index")
                    self.lines.append(f"{indent}{quotient} = arith.divui %a0, {divisor} : index")
                case Branch():
                    self.lines.append(f"{indent}scf.if {holds} {{")
                    self.statements(each.then, indent + "  ")
                    self.lines.append(f"{indent}}} else {{")
                    self.statements(each.otherwise, indent + "  ")
                    self.lines.append(f"{indent}}}")


@cache  # the checks that Hypothesis makes of a strategy cost more than drawing from it
def trees() -> st.SearchStrategy[Tree]:
    """Programs with a few statements, nested at most once."""
    operands = st.sampled_from((*SIZES, *SIZES, 0, 1, 2, 3))
    predicates = st.builds(Predicate, st.sampled_from(("eq", "ne", "ult", "ule")), operands, operands)
    simple = st.builds(Check, predicates) | st.builds(Demand, predicates)
    few = st.lists(simple, max_size=2).map(tuple)
    statements = simple | st.builds(Branch, predicates, few, few)
    sizes = st.sampled_from(SIZES)
    return st.builds(Tree, st.lists(statements, max_size=4).map(tuple), predicates, sizes, sizes)


def related(tree: Tree, draw: st.DataObject) -> Tree:
    """Another program that often does the same: some statement dropped, doubled or moved, or another result."""
    statements = list(tree.statements)
    other = draw.draw(trees())
    if statements:
        place = draw.draw(st.integers(0, len(statements) - 1))
        change = draw.draw(st.sampled_from(("keep", "drop", "double", "swap", "add")))
        if change == "drop":
            del statements[place]
        elif change == "double":
            statements.insert(draw.draw(st.integers(place, len(statements))), statements[place])
        elif change == "swap":
            statements[0], statements[place] = statements[place], statements[0]
        elif change == "add":
            statements[place:place] = other.statements[:1]
    if draw.draw(st.integers(0, 3)) == 0:
        return Tree(tuple(statements), other.predicate, other.first, other.second)
    return Tree(tuple(statements), tree.predicate, tree.first, tree.second)
