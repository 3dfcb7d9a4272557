"""Operations that are compared with an independent implementation: the page docs/compared.md.

``python -m fuzz.compared`` (with ``tests`` on the path) prints the page; a test keeps it true. An operation counts
as compared where it occurs in a program of a test, or of the random trials, that does such a comparison.
"""

from __future__ import annotations

import ast
import json
import random
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from fuzz import cases, families, instances, judging
from fuzz.machine import HANDLERS, TERMINATORS
from support import onnx_calls, small_programs, torch_instances, torch_scalar_programs
from support.integer_oracles import INDEX_NAMES, REFERENCES

from shapesolve.program_generation.programs import module, with_vectors
from shapesolve.semantics.registry import load_rules

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "compared.md"
OPERATION = re.compile(r"(?<![\w.@%!#])[a-z]\w*\.[a-z]\w*")
SEEDS = 120
"""Number of random modules that are searched for operations."""

SOURCES: Mapping[str, tuple[str, ...]] = {
    "verifier": (
        "constraints/test_against_the_verifier.py",
        "constraints/test_windows_against_the_verifier.py",
        "constraints/test_tensor.py",
        "constraints/test_linalg.py",
    ),
    "folding": (
        "constraints/test_affine.py",
        "constraints/test_arith.py",
        "constraints/test_math_and_more.py",
        "constraints/test_shape_rules.py",
    ),
    "execution": (
        "constraints/test_execution_of_shapes.py",
        "constraints/test_execution_of_tensors.py",
        "constraints/test_buffers.py",
        "execution/test_dialects.py",
        "execution/test_tosa_control.py",
        "execution/test_types.py",
        "pruning/test_execution.py",
        "rfc/test_proposed.py",
    ),
    "numpy": (
        "constraints/test_elementwise.py",
        "constraints/test_stablehlo_integers.py",
        "constraints/test_tensor.py",
        "constraints/test_linalg.py",
        "constraints/test_wrapping.py",
    ),
    "checks": ("fuzz/test_runtime_verification.py",),
}
"""Test modules by the implementation that they compare with."""
WORDS = {
    "verifier": "MLIR's verifier on static sizes",
    "inference": "MLIR's type inference on static sizes",
    "folding": "MLIR's constant folding",
    "execution": "programs compiled and run by MLIR",
    "numpy": "numpy",
    "checks": "the checks that MLIR inserts to verify programs while they run",
    "integers": "plain Python on bits",
    "floats": "plain Python on floats",
    "onnx": "ONNX's shape inference and its reference implementation, where both say the same",
    "pytorch": "PyTorch on small sizes: a table of calls and of what it gave, and more calls where it is installed",
    "interpreter": "the interpreter of the random trials, written from the dialects' descriptions",
}
"""Description of each implementation on the page."""


def comparisons() -> dict[str, set[str]]:
    """Return the comparisons of each operation with a rule."""
    known = [each.op for each in load_rules().rules()]
    found: dict[str, set[str]] = {name: set() for name in sorted(known)}
    for oracle, names in _all():
        for name in names & found.keys():
            found[name].add(oracle)
    return found


def _all() -> Iterator[tuple[str, set[str]]]:
    for oracle, places in SOURCES.items():
        for place in places:
            yield oracle, _in_strings((TESTS / place).read_text(encoding="utf-8"))
    verifier = (TESTS / "constraints/test_against_the_verifier.py").read_text(encoding="utf-8")
    yield "verifier", {f"{dialect}.{op}" for dialect, op in re.findall(r"\b(stablehlo|tosa)\(\s*\"(\w+)\"", verifier)}
    yield "execution", set(OPERATION.findall("\n".join(each.text for each in small_programs.PROGRAMS.values())))
    integers = {f"arith.{name}" for name in REFERENCES} | {f"index.{name}" for name in INDEX_NAMES.values()}
    yield "integers", integers
    yield "folding", integers
    drawn = {kind(random.Random(seed)).op for kind in instances.KINDS for seed in range(SEEDS)}
    drawn |= {each[0] for family in (families.SAME_SHAPE, families.STRUCTURED) for each in family}
    yield "verifier", drawn - instances.UNVERIFIED
    yield "inference", {op for op in drawn if op.partition(".")[0] in instances.INFERENCES}
    listed = json.loads((TESTS / "constraints/static_instances.json").read_text(encoding="utf-8"))
    yield "verifier", {op for ops in listed.values() for op in ops}
    yield "onnx", {f"onnx.{name}" for name in onnx_calls.CALLS}
    yield "pytorch", {f"torch.aten.{name}" for name in torch_instances.CALLS}
    yield "floats", {f"torch.aten.{name}" for name in torch_scalar_programs.COMPUTED}
    tried = _random_operations()
    yield "interpreter", tried & (HANDLERS.keys() | TERMINATORS.keys())
    yield "execution", tried
    vectors = {op for seed in range(SEEDS // 4) for op in OPERATION.findall(with_vectors(seed, 4))}
    yield "interpreter", vectors & HANDLERS.keys()
    if cases.EXECUTED.is_file():
        yield "execution", {op for ops in json.loads(cases.EXECUTED.read_text(encoding="utf-8")).values() for op in ops}


@cache
def _random_operations() -> set[str]:
    """The operations of random programs, all of which are also compiled and run by MLIR in one of the trials."""
    assert judging
    texts = [module(seed, 8) for seed in range(SEEDS)]
    words = {"return": "func.return", "call": "func.call"}
    found = {op for text in texts for op in OPERATION.findall(text)}
    return found | {words[word] for text in texts for word in words if f" {word} " in text}


def _in_strings(text: str) -> set[str]:
    """Operations in the strings of a Python file that are no docstrings."""
    tree = ast.parse(text)
    prose = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return {
        op
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose
        for op in OPERATION.findall(node.value)
    }


def page() -> str:
    """The page."""
    found = comparisons()
    none = [op for op, oracles in found.items() if not oracles]
    lines = [
        "# What each operation is compared with",
        "",
        "After this page you know what the rule of each operation is compared with. "
        "`PYTHONPATH=tests python -m fuzz.compared` makes the page; a test keeps it true.",
        "",
        "A mistake in a rule would fool the proof, the counterexample and our own evaluation alike. So rules are "
        "compared with what we did not write, or wrote apart from the registry:",
        "",
        *(f"- {oracle}: {words}" for oracle, words in WORDS.items()),
        "",
        f"Of {len(found)} operations, {len(found) - len(none)} are compared with at least one of these, and "
        f"{sum(bool(oracles - {'interpreter'}) for oracles in found.values())} with something other than "
        "the interpreter.",
        "",
        "An operation is listed where it occurs in a program that such a test or trial tries. That says that its rule "
        "is put to a test, not that each of its clauses is.",
    ]
    for dialect in dict.fromkeys(op.partition(".")[0] for op in found):
        lines += ["", f"## {dialect}", "", "| operation | compared with |", "| --- | --- |"]
        for op, oracles in found.items():
            if op.partition(".")[0] == dialect:
                answered_by = ", ".join(oracle for oracle in WORDS if oracle in oracles)
                lines.append(f"| `{op}` | {answered_by or 'nothing yet'} |")
    lines += ["", "## Without a comparison", "", ", ".join(f"`{op}`" for op in none) or "None.", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(page())
