"""Text of `prune`: removed checks first, then kept ones, then the counts, each stated once."""

from __future__ import annotations

import io

from support.pruned_programs import prune

from shapesolve.reports.page import Page
from shapesolve.reports.prune import print_pruning

NESTED = """func.func @add(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %sa = shape.shape_of %a : tensor<?x?xf32> -> tensor<2xindex>
  %sb = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  %w = shape.cstr_broadcastable %sa, %sb : tensor<2xindex>, tensor<1xindex>
  %r = shape.assuming %w -> (tensor<?x?xf32>) {
    %w2 = shape.cstr_broadcastable %sb, %sa : tensor<1xindex>, tensor<2xindex>
    %q = shape.assuming %w2 -> (tensor<?x?xf32>) {
      shape.assuming_yield %a : tensor<?x?xf32>
    }
    shape.assuming_yield %q : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}"""


def printed(text: str, *, verbose: bool = False) -> list[str]:
    stream = io.StringIO()
    print_pruning("m.mlir", "out.mlir", prune(text), Page(stream, width=120), verbose=verbose)
    return stream.getvalue().splitlines()


def test_removed_checks_come_first_and_the_counts_once() -> None:
    assert printed(NESTED) == [
        "m.mlir",
        "   removed    line 6, implied by line 4 (shape.cstr_broadcastable)",
        "   simplified 1 shape.assuming",
        "   kept       line 4: shape.cstr_broadcastable: it fails for a: 1x2, b: 3",
        "m.mlir: 2 checks, 1 removed, 1 kept (shape.assuming 2 -> 1); written to out.mlir",
    ]


def test_each_check_is_listed_verbosely() -> None:
    lines = printed(NESTED, verbose=True)
    assert "   removed    line 6: shape.cstr_broadcastable: implied by line 4 (shape.cstr_broadcastable)" in lines
    assert "   simplified line 7: shape.assuming: its witness passes" in lines
    assert "              line 5: shape.assuming: its witness is not proved to pass" in lines


def test_checks_with_one_reason_stand_together() -> None:
    guards = "\n".join(
        f"""  %r{each} = scf.if %p -> (index) {{
    scf.yield %n : index
  }} else {{
    scf.yield %m : index
  }}"""
        for each in range(3)
    )
    used = '  "my.use"(%r0, %r1, %r2) : (index, index, index) -> ()'
    text = f"func.func @f(%p: i1, %n: index, %m: index) {{\n{guards}\n{used}\n  return\n}}"
    (line,) = (each for each in printed(text) if "scf.if" in each)
    assert line.startswith("   kept       lines 2, 7, 12: scf.if: its condition may be true or false, and its branches")
