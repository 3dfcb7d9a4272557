"""Elements of loops that insert into a tensor, against an interpreter of such loops on small sizes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from support.refined_pairs import refined

from shapesolve.options import Options
from shapesolve.records import record
from shapesolve.refinement.outcome import Refinement

pytestmark = pytest.mark.slow

Cell = object
"""An element as an expression of the initial ones."""


@record
class Place:
    """The index ``factor * i + offset``, less than the size counted from its end if reversed."""

    factor: int
    offset: int
    from_end: bool = False

    def at(self, i: int, size: int) -> int:
        place = self.factor * i + self.offset
        return size - 1 - place if self.from_end else place

    def text(self, name: str) -> str:
        """Return operations that compute the index as ``%name``."""
        place = f"{self.factor} * i + {self.offset}"
        return (
            f"%{name} = affine.apply affine_map<(i)[s] -> ({f's - 1 - ({place})' if self.from_end else place})>(%i)[%m]"
        )


@record
class Loop:
    """A loop from ``lower`` to the size plus ``upper`` that writes ``rows`` elements at a place in each iteration.

    Attributes:
        reads: The tensor that is read (``a``, ``b``, or ``t`` for the one that is handed on), and where.
        initial: The tensor before the loop.
        skips: Whether iterations with an odd number write nothing.
    """

    lower: int
    upper: int
    step: int
    written: Place
    rows: int
    reads: str
    read: Place
    initial: str = "b"

    def text(self) -> str:
        """Return the program."""
        if self.rows == 1:
            body = f"""%x = tensor.extract %{self.reads}[%q] : tensor<?xf32>
    %y = arith.negf %x : f32
    %u = tensor.insert %y into %t[%p] : tensor<?xf32>"""
        else:
            few = f"tensor<{self.rows}xf32>"
            body = f"""%x = tensor.extract_slice %{self.reads}[%q] [{self.rows}] [1] : tensor<?xf32> to {few}
    %y = arith.negf %x : {few}
    %u = tensor.insert_slice %y into %t[%p] [{self.rows}] [1] : {few} into tensor<?xf32>"""
        return f"""func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {{
  %c0 = arith.constant 0 : index
  %lower = arith.constant {self.lower} : index
  %step = arith.constant {self.step} : index
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %n = tensor.dim %b, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %m, %n : index
  cf.assert %same, "as many"
  %upper = affine.apply affine_map<()[s] -> (s + {self.upper})>()[%m]
  %r = scf.for %i = %lower to %upper step %step iter_args(%t = %{self.initial}) -> (tensor<?xf32>) {{
    {self.written.text("p")}
    {self.read.text("q")}
    {body}
    scf.yield %u : tensor<?xf32>
  }}
  return %r : tensor<?xf32>
}}"""

    def result(self, size: int) -> list[Cell] | None:
        """Return the elements of the result; None if something is undefined."""
        given: dict[str, list[Cell]] = {name: [(name, place) for place in range(size)] for name in "ab"}
        handed_on = list(given[self.initial])
        for i in range(self.lower, size + self.upper, self.step):
            given["t"] = list(handed_on)
            to, start = self.written.at(i, size), self.read.at(i, size)
            for row in range(self.rows):
                if not (0 <= to + row < size and 0 <= start + row < size):
                    return None
                handed_on[to + row] = ("neg", given[self.reads][start + row])
        return handed_on


def drawn(chooser: random.Random) -> Loop:
    """Return a random loop, often one that writes each element once."""
    rows = chooser.choice((1, 1, 2, 3))
    step = chooser.choice((rows, rows, 1, 2))
    shift = chooser.choice((0, 0, 0, 1, -1))
    written = Place(chooser.choice((1, 1, 1, 2)), shift, chooser.random() < 0.1)
    read = chooser.choice((written, written, Place(1, chooser.choice((0, 1, -1)), chooser.random() < 0.3)))
    lower = chooser.choice((0, 0, 1, -1))
    upper = chooser.choice((0, 0, -1, 1 - rows))
    return Loop(lower, upper, step, written, rows, chooser.choice("aabt"), read, chooser.choice("ab"))


def related(loop: Loop, chooser: random.Random) -> Loop:
    """Return the loop with some things changed, which often does not matter."""
    others = drawn(chooser)
    changes: list[dict[str, object]] = [
        {"reads": others.reads},
        {"reads": "t" if loop.reads == loop.initial else loop.initial},
        {"lower": loop.lower - 1, "written": replace(loop.written, offset=loop.written.offset + 1)},
        {"lower": loop.lower - 1, "upper": loop.upper - 1,
         "written": replace(loop.written, offset=loop.written.offset + loop.written.factor),
         "read": replace(loop.read, offset=loop.read.offset + loop.read.factor)},
        {"read": others.read},
        {"initial": others.initial},
        {"step": others.step},
        {"rows": others.rows},
        {"upper": others.upper},
    ]  # fmt: skip
    for change in chooser.sample(changes, chooser.choice((1, 1, 2))):
        loop = replace(loop, **change)
    return loop


def compared(source: str, target: str) -> Refinement:
    return refined(source, target, Options(execute=False))


def differs(source: Loop, target: Loop, sizes: Sequence[int]) -> bool:
    """Return whether the target does not refine the source at some size."""
    results = ((source.result(size), target.result(size)) for size in sizes)
    return any(ours is not None and ours != theirs for ours, theirs in results)


def check_pairs(seed: int, number: int) -> tuple[int, int]:
    """Return how many of as many random pairs are proved with elements, and how many are right."""
    chooser = random.Random(seed)
    proved = right = 0
    for _ in range(number):
        source = drawn(chooser)
        target = related(source, chooser)
        if source.text() == target.text() or all(source.result(size) is None for size in range(2, 8)):
            continue
        found = compared(source.text(), target.text())
        is_wrong = differs(source, target, range(8))
        if found.word == "refuted":
            assert is_wrong, (source, target)
        if found.word == "proved" and not found.is_partial:
            assert not is_wrong, (source, target)
            proved += 1
        right += not is_wrong
    return proved, right


def test_verdicts_are_those_of_an_interpreter() -> None:
    check_pairs(1, 12)


@pytest.mark.exhaustive
def test_many_verdicts_are_those_of_an_interpreter() -> None:
    proved, right = check_pairs(2, 200)
    assert proved >= 5 and proved <= right


FRAME = """func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> RESULT {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
{body}
  return %r : RESULT
}}"""
TURNED = "%r = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]"
NEST = """%r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %e) -> (tensor<?x?xf32>) {
  %q = scf.for %j = %c0 to %m step %c1 iter_args(%s = %t) -> (tensor<?x?xf32>) {
    %x = tensor.extract %a[%j, %i] : tensor<?x?xf32>
    %u = tensor.insert %x into %s[%i, %j] : tensor<?x?xf32>
    scf.yield %u : tensor<?x?xf32>
  }
  scf.yield %q : tensor<?x?xf32>
}"""
NEGATED = """%g = tensor.empty(%m, %n) : tensor<?x?xf32>
%r = linalg.negf ins(%a : tensor<?x?xf32>) outs(%g : tensor<?x?xf32>) -> tensor<?x?xf32>"""
TILES = """%g = tensor.empty(%m, %n) : tensor<?x?xf32>
%r = scf.for %i = %c0 to %m step %c4 iter_args(%t = %g) -> (tensor<?x?xf32>) {
  %h = affine.min affine_map<(d)[s] -> (4, s - d)>(%i)[%m]
  %q = scf.for %j = %c0 to %n step %c4 iter_args(%s = %t) -> (tensor<?x?xf32>) {
    %w = affine.min affine_map<(d)[s] -> (4, s - d)>(%j)[%n]
    %x = tensor.extract_slice %a[%i, %j] [%h, %w] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
    %o = tensor.extract_slice %s[%i, %j] [%h, %w] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
    %y = linalg.negf ins(%x : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
    %u = tensor.insert_slice %y into %s[%i, %j] [%h, %w] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
    scf.yield %u : tensor<?x?xf32>
  }
  scf.yield %q : tensor<?x?xf32>
}"""
SUM = """%g = tensor.empty() : tensor<f32>
%h = linalg.fill ins(%zero : f32) outs(%g : tensor<f32>) -> tensor<f32>
%q = linalg.reduce { arith.addf } ins(%a : tensor<?x?xf32>) outs(%h : tensor<f32>) dimensions = [0, 1]
%r = tensor.extract %q[] : tensor<f32>"""
SUMS = """%r = scf.for %i = %c0 to %m step %c1 iter_args(%t = %zero) -> f32 {
  %q = scf.for %j = %c0 to %n step %c1 iter_args(%s = %t) -> f32 {
    %x = tensor.extract %a[%i, %j] : tensor<?x?xf32>
    %u = arith.addf %s, %x : f32
    scf.yield %u : f32
  }
  scf.yield %q : f32
}"""
MATRIX, SCALAR = "tensor<?x?xf32>", "f32"


def of_bodies(source: str, target: str, type: str) -> Refinement:
    ours, theirs = (FRAME.format(body=body).replace("RESULT", type) for body in (source, target))
    return compared(ours, theirs)


PAIRS = {
    "a nest": (TURNED, NEST, MATRIX),
    "tiles": (NEGATED, TILES, MATRIX),
    "a sum": (SUM, SUMS, SCALAR),
    "the order of a nest": (SUMS, SUMS.replace("%m", "%k").replace("%n", "%m").replace("%k", "%n")
                            .replace("[%i, %j]", "[%j, %i]"), SCALAR),
}  # fmt: skip
WRONG = {
    "a nest": [
        ("%j = %c0", "%j = %c1"),
        ("[%j, %i]", "[%c0, %i]"),
        ("%x into %s", "%x into %e"),
        ("step %c1", "step %c4"),
    ],
    "tiles": [
        ("%i = %c0", "%i = %c1"),
        ("(4, s - d)", "(3, s - d)"),
        ("%a[%i, %j]", "%a[%c0, %j]"),
        ("ins(%x", "ins(%o"),
    ],
    "a sum": [("%j = %c0", "%j = %c1"), ("addf", "mulf"), ("%s = %t", "%s = %zero"), ("[%i, %j]", "[%c0, %j]")],
}


@pytest.mark.parametrize("name", PAIRS)
def test_loops_are_what_they_compute(name: str) -> None:
    source, target, type = PAIRS[name]
    found = of_bodies(source, target, type)
    assert (found.word, found.left_out) == ("proved", ())
    if name != "the order of a nest":
        again = of_bodies(target, source, type)
        assert (again.word, again.left_out) == ("proved", ())


@pytest.mark.parametrize(("name", "change"), [(name, each) for name, changes in WRONG.items() for each in changes])
def test_other_loops_are_not(name: str, change: tuple[str, str]) -> None:
    source, target, type = PAIRS[name]
    assert change[0] in target
    found = of_bodies(source, target.replace(*change, 1), type)
    assert found.word != "proved" or found.not_compared


def test_an_unknown_step_is_reported() -> None:
    step = FRAME.replace("%b: tensor<?x?xf32>", "%step: index").format(body=NEST).replace("RESULT", MATRIX)
    source = FRAME.replace("%b: tensor<?x?xf32>", "%step: index").format(body=TURNED).replace("RESULT", MATRIX)
    found = compared(source, step.replace("step %c1 iter_args(%t", "step %step iter_args(%t"))
    assert [each.reason.endswith("its step is not known") for each in found.omissions] == [True]
