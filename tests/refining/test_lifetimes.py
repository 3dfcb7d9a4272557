"""No program that may use memory which lives no more is shown to do what another does."""

from __future__ import annotations

import pytest

from shapesolve.options import Options
from shapesolve.reading.mlir_reader import read_text
from shapesolve.refining.refinement import refine_programs

ALLOC = "  %a = memref.alloc() : memref<4xindex>\n"
STACK = "  %a = memref.alloca() : memref<4xindex>\n"
FREE = "  memref.dealloc %a : memref<4xindex>\n"
LOAD = "  %v = memref.load %a[%c0] : memref<4xindex>\n"
WHOLE = "memref<4xindex> to memref<?xindex>"
VIEW = f"  %w = memref.cast %a : {WHOLE}\n"
FREE_VIEW = "  memref.dealloc %w : memref<?xindex>\n"
LOAD_VIEW = "  %v = memref.load %w[%c0] : memref<?xindex>\n"
RETURN = "  return %c0 : index"


def word(source: str, target: str, results: str = "index") -> str:
    texts = [
        f"func.func @f(%m: memref<4xindex>, %c: i1) -> {results} {{\n"
        f"  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n{body}\n}}"
        for body in (source, target)
    ]
    (found,) = refine_programs(read_text(texts[0]), read_text(texts[1]), Options(execute=False))
    return found.word


WRONG = {
    "a use afterwards": ALLOC + FREE + LOAD,
    "a use afterwards through a view": ALLOC + VIEW + FREE + LOAD_VIEW,
    "a use of a view's owner": ALLOC + VIEW + FREE_VIEW + LOAD,
    "freed twice": ALLOC + FREE + FREE,
    "freed twice through a view": ALLOC + VIEW + FREE + FREE_VIEW,
    "a buffer on the stack, freed": STACK + FREE + FREE,
    "an argument, freed": "  memref.dealloc %m : memref<4xindex>\n",
    "freed in a loop": ALLOC + "  scf.for %i = %c0 to %c1 step %c1 {\n" + FREE + "  }\n",
    "freed in a branch, used behind it": ALLOC + "  scf.if %c {\n" + FREE + "  }\n" + LOAD,
    "used in the next iteration": ALLOC + "  scf.for %i = %c0 to %c1 step %c1 {\n" + LOAD + FREE + "  }\n",
    "a tensor over it, used afterwards": ALLOC
    + "  %t = bufferization.to_tensor %a restrict : memref<4xindex> to tensor<4xindex>\n"
    + FREE
    + "  %v = tensor.extract %t[%c0] : tensor<4xindex>\n",
    "made anew, the old one used": "  %a = memref.alloc(%c1) : memref<?xindex>\n"
    "  %b = memref.realloc %a(%c1) : memref<?xindex> to memref<?xindex>\n"
    "  %v = memref.load %a[%c0] : memref<?xindex>\n",
    "freed by its owner's rules": ALLOC + "  bufferization.dealloc (%a : memref<4xindex>) if (%c)\n" + LOAD,
}


@pytest.mark.parametrize("case", WRONG)
def test_what_lives_no_more_is_not_used(case: str) -> None:
    assert word(RETURN, WRONG[case] + RETURN) == "undecided"
    assert word(WRONG[case] + RETURN, "  %x = arith.constant 1 : i8\n" + WRONG[case] + RETURN) == "undecided"


@pytest.mark.parametrize(
    "body",
    [
        ALLOC + LOAD + FREE,
        ALLOC + VIEW + LOAD_VIEW + FREE,
        ALLOC + "  scf.if %c {\n" + LOAD + "  }\n" + FREE,
        "  scf.for %i = %c0 to %c1 step %c1 {\n" + ALLOC + LOAD + FREE + "  }\n",
        STACK + LOAD,
        ALLOC,
    ],
)
def test_what_lives_is_used(body: str) -> None:
    assert word(RETURN, body + RETURN) == "proved"


def test_a_buffer_that_leaves_its_scope() -> None:
    give = "  return %a : memref<4xindex>"
    assert word(ALLOC + give, ALLOC + LOAD + give, "memref<4xindex>") == "proved"
    assert word(ALLOC + give, STACK + give, "memref<4xindex>") == "undecided"
    assert word(ALLOC + give, ALLOC + FREE + give, "memref<4xindex>") == "undecided"
