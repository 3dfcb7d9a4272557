"""Test that a program which may use freed memory is not proved to refine another."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.refined_pairs import refined

from shapesolve.options import Options

ALLOC = "  %a = memref.alloc() : memref<4xindex>\n"
STACK = "  %a = memref.alloca() : memref<4xindex>\n"
FREE = "  memref.dealloc %a : memref<4xindex>\n"
LOAD = "  %v = memref.load %a[%c0] : memref<4xindex>\n"
WHOLE = "memref<4xindex> to memref<?xindex>"
OWNED = "  bufferization.dealloc (%a : memref<4xindex>) if (%c)\n"
NOT_OWNED = "  %no = arith.constant false\n  bufferization.dealloc (%a : memref<4xindex>) if (%no)\n"
VIEW = f"  %w = memref.cast %a : {WHOLE}\n"
FREE_VIEW = "  memref.dealloc %w : memref<?xindex>\n"
LOAD_VIEW = "  %v = memref.load %w[%c0] : memref<?xindex>\n"
RETURN = "  return %c0 : index"


BOX = "  %box = memref.alloc() : memref<memref<4xindex>>\n"
PUT = "  memref.store %a, %box[] : memref<memref<4xindex>>\n"
TAKE = "  %z = memref.load %box[] : memref<memref<4xindex>>\n  %v = memref.load %z[%c0] : memref<4xindex>\n"
KEEP = """
func.func private @keep(%x: memref<4xindex>, %box: memref<memref<4xindex>>) {
  memref.store %x, %box[] : memref<memref<4xindex>>
  return
}
"""
KEEP_AWAY = """
memref.global "private" @box : memref<memref<4xindex>>
func.func private @keep_away(%x: memref<4xindex>) {
  %b = memref.get_global @box : memref<memref<4xindex>>
  memref.store %x, %b[] : memref<memref<4xindex>>
  return
}
"""
CALL_KEEP_AWAY = "  func.call @keep_away(%a) : (memref<4xindex>) -> ()\n"
GLOBAL = "  %box = memref.get_global @box : memref<memref<4xindex>>\n"
CALL_KEEP = "  func.call @keep(%a, %box) : (memref<4xindex>, memref<memref<4xindex>>) -> ()\n"
CARRY = """\
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%y = %a) -> (memref<4xindex>) {
    memref.store %y, %box[] : memref<memref<4xindex>>
    scf.yield %y : memref<4xindex>
  }
"""


def word(source: str, target: str, results: str = "index", rules: tuple[str, ...] = ()) -> str:
    texts = [
        f"{KEEP}{KEEP_AWAY}func.func @f(%m: memref<4xindex>, %c: i1) -> {results} {{\n"
        f"  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n{body}\n}}"
        for body in (source, target)
    ]
    options = Options(execute=False, functions=("f",), rules=rules)
    found = refined(texts[0], texts[1], options)
    return found.word


WRONG = {
    "a use afterwards": ALLOC + FREE + LOAD,
    "a use afterwards through a view": ALLOC + VIEW + FREE + LOAD_VIEW,
    "a use of a view's owner": ALLOC + VIEW + FREE_VIEW + LOAD,
    "freed twice": ALLOC + FREE + FREE,
    "freed twice through a view": ALLOC + VIEW + FREE + FREE_VIEW,
    "a buffer on the stack, freed": STACK + FREE + FREE,
    "a buffer on the stack, freed once": STACK + FREE,
    "a buffer on the stack, made anew": "  %a = memref.alloca(%c1) : memref<?xindex>\n"
    "  %b = memref.realloc %a(%c1) : memref<?xindex> to memref<?xindex>\n",
    "a buffer on the stack, freed by its owner's rules": STACK + OWNED,
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
    "read from where it was kept": ALLOC + BOX + PUT + FREE + TAKE,
    "read from where a function kept it": ALLOC + BOX + CALL_KEEP + FREE + TAKE,
    "read from where a function kept it that was not told where": ALLOC + CALL_KEEP_AWAY + FREE + GLOBAL + TAKE,
    "read from where a loop kept what it carries": ALLOC + BOX + CARRY + FREE + TAKE,
    "freed by its owner's rules": ALLOC + OWNED + LOAD,
    "freed by its owner's rules, and by hand": ALLOC + OWNED + FREE,
    "freed by its owner's rules, twice": ALLOC + OWNED + OWNED,
    "freed by its owner's rules, twice at once": ALLOC
    + "  bufferization.dealloc (%a, %a : memref<4xindex>, memref<4xindex>) if (%c, %c)\n",
    "freed by its owner's rules, which retain a view of it": ALLOC
    + VIEW
    + "  %o = bufferization.dealloc (%a : memref<4xindex>) if (%c) retain (%w : memref<?xindex>)\n",
    "an argument, freed by its owner's rules": "  bufferization.dealloc (%m : memref<4xindex>) if (%c)\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("case", WRONG)
def test_freed_buffers_are_not_used(case: str) -> None:
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
        ALLOC + LOAD + OWNED,
        ALLOC + "  %o = bufferization.dealloc (%a : memref<4xindex>) if (%c) retain (%m : memref<4xindex>)\n",
        ALLOC + NOT_OWNED + LOAD + FREE,
        STACK + NOT_OWNED,
        "  %a = memref.alloc(%c1) : memref<?xindex>\n"
        "  %b = memref.realloc %a(%c1) : memref<?xindex> to memref<?xindex>\n"
        "  memref.dealloc %b : memref<?xindex>\n",
        ALLOC,
    ],
)
def test_using_a_live_buffer_is_proved(body: str) -> None:
    assert word(RETURN, body + RETURN) == "proved"


def test_a_buffer_that_leaves_its_scope() -> None:
    give = "  return %a : memref<4xindex>"
    assert word(ALLOC + give, ALLOC + LOAD + give, "memref<4xindex>") == "proved"
    assert word(ALLOC + give, STACK + give, "memref<4xindex>") == "undecided"
    assert word(ALLOC + give, ALLOC + FREE + give, "memref<4xindex>") == "undecided"


RULES = '''
from shapesolve.rules import OpSemantics, rule
from shapesolve.semantics.op_semantics import Memory


@rule("my.free", example="x.mlir")
def free(op, see):
    """Frees its first operands, and reads the last."""
    return OpSemantics(memory=Memory(frees=op.operands[:FREED]))
'''


@pytest.mark.parametrize(
    ("operands", "freed", "answer"),
    [
        ("%a, %m", 1, "proved"),
        ("%a, %a", 2, "undecided"),
        ("%a, %a", 1, "undecided"),
        ("%a, %w", 1, "undecided"),
    ],
)
def test_operations_that_free_what_they_read_are_not_followed(
    operands: str, freed: int, answer: str, tmp_path: Path
) -> None:
    path = tmp_path / "rules.py"
    path.write_text(RULES.replace("FREED", str(freed)), encoding="utf-8")
    types = "memref<4xindex>, " + ("memref<?xindex>" if "%w" in operands else "memref<4xindex>")
    body = ALLOC + VIEW + f'  "my.free"({operands}) : ({types}) -> ()\n'
    assert word(RETURN, body + RETURN, rules=(str(path),)) == answer
