"""Test that some case refutes each clause of each rule, so that none is dead.

If one rule is that of several operations, one of them suffices. The refuted clauses are stated in the case files, and
`test_cases` tests that they are true.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
from support.case_files import read_case

from shapesolve.ir.reader import read_file
from shapesolve.semantics.registry import load_rules

CASES = sorted((Path(__file__).parents[1] / "cases").rglob("*.mlir"))

ONE_INDEX_EACH = "its indexing maps hold nothing but single loop indices"
MASK = "which elements a mask selects is not followed: it is undecided at best"
BEYOND_THE_END = "what the machine does beyond the end of a buffer is up to it"
CANNOT_FAIL = {
    ("affine.load", "C3"): BEYOND_THE_END,
    ("affine.store", "C3"): BEYOND_THE_END,
    ("linalg.add", "C2"): ONE_INDEX_EACH,
    ("linalg.div", "C2"): ONE_INDEX_EACH,
    ("linalg.copy", "C2"): ONE_INDEX_EACH,
    ("memref.reshape", "C1"): "what a buffer holds is never known, so that the clause is undecided at best",
    ("tensor.gather", "C2"): "MLIR's verifier wants the number of coordinates to be static, and compares it",
    ("tensor.scatter", "C2"): "MLIR's verifier wants the number of coordinates to be static, and compares it",
    ("torch.aten.as_strided", "C3"): "how much memory is behind a tensor is never known: it is undecided at best",
    ("torch.aten.conv_transpose1d", "C6"): "which library PyTorch calls is never known: it is undecided at best",
    ("torch.aten.conv_transpose1d", "C8"): "which library PyTorch calls is never known: it is undecided at best",
    ("onnx.AffineGrid", "C3"): "which runtime takes an image without elements is never known: it is undecided at best",
    ("onnx.Attention", "C8"): "which runtime takes a mask of fewer rows is never known: it is undecided at best",
    ("onnx.CenterCropPad", "C2"): "which runtime takes negative extents for 0 is never known: it is undecided at best",
    ("onnx.Compress", "C2"): "which runtime ignores truths without a part is never known: it is undecided at best",
    ("onnx.LSTM", "C5"): "a GRU alone claims it",
    **dict.fromkeys(
        (("onnx.LayerNormalization", "C2"), ("onnx.RMSNormalization", "C2")),
        "which runtime takes means of nothing is never known: it is undecided at best",
    ),
    ("onnx.OneHot", "C2"): "which runtime takes no classes is never known: it is undecided at best",
    ("onnx.Pad", "C4"): "which runtime reflects more than once is never known: it is undecided at best",
    ("onnx.RNN", "C5"): "a GRU alone claims it",
    ("torch.aten.masked_scatter", "C3"): "how often a mask is true is never known: it is undecided at best",
    ("vector.mask", "C1"): MASK,
    ("vector.mask", "C2"): MASK,
    ("vector.mask", "C3"): MASK,
}
"""Clauses that no program that MLIR accepts can be seen to fail, by one operation of the rule, and why."""


@cache
def _refuted() -> frozenset[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for path in CASES:
        clauses: defaultdict[int, set[str]] = defaultdict(set)
        for each in read_case(path).expectations:
            if each.what == "refuted" and not each.is_gap:
                clauses[each.line].add(each.clause)
        for op in read_file(str(path)).operation.walk() if clauses else ():
            found |= {(op.name, clause) for clause in clauses.get(op.location.line, ())}
    return frozenset(found)


def _clauses() -> dict[tuple[str, str, str], list[str]]:
    """The operations of each clause of each rule, by the rule's module and name and the clause's number."""
    found: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
    for rule in load_rules().rules():
        for clause in rule.clauses:
            if clause.startswith("C"):
                found[rule.module.rpartition(".")[2], rule.function.__name__, clause].append(rule.op)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("module", sorted({module for module, _, _ in _clauses()}))
def test_some_case_refutes_each_clause(module: str) -> None:
    alive = [
        (rule, clause, ops)
        for (its_module, rule, clause), ops in _clauses().items()
        if its_module == module and not any((op, clause) in CANNOT_FAIL for op in ops)
    ]
    dead = [(rule, clause, ops) for rule, clause, ops in alive if not {(op, clause) for op in ops} & _refuted()]
    assert not dead


@pytest.mark.slow
def test_claims_that_cannot_fail_do_not() -> None:
    known = {(op, clause) for (_, _, clause), ops in _clauses().items() for op in ops}
    assert CANNOT_FAIL.keys() <= known
    assert not CANNOT_FAIL.keys() & _refuted()
