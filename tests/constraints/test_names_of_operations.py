"""Test that the engine names no operation: facts about one belong to its rule.

Exceptions are listed with their reasons. A file that names no operation any more must be removed from the list.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from support.parsed_sources import parsed

import shapesolve
from shapesolve.semantics.registry import load_rules

PACKAGE = Path(shapesolve.__file__).parent

ALLOWED = {
    "api.py": "the terms that checks are written in unless one says otherwise",
    "checker/execution_evidence.py": "what MLIR's messages say of the operations that fail",
    "checker/rival_claims.py": "what MLIR's runtime verification asks of slices beyond their claims, and says of them",
    "checker/size_dependence.py": "what loops, branches and shapes of results depend on, which rules do not say",
    "cli/options.py": "the terms that checks can be written in",
    "contracts/export_conditions.py": "the name of an exporter, which is no operation",
    "diagnosis/data_requirements.py": "which operation reads one element of an argument",
    "diagnosis/fixes.py": "edits the text of a function's head",
    "elements/": "which element of an operand stands where in a result: rules speak of sizes",
    "execution/": "lowers and runs operations; its checks are an oracle of their own, on purpose",
    "frontends/": "what exporters write, and the dialects that they can be asked for",
    "guards/": "a writer of IR: checks in the terms of a dialect",
    "hunting/": "operations that every program has, and that tell no cause from another",
    "ir/control_flow.py": "what a call is whose function is named",
    "ir/copies.py": "what a module is, around functions whose bodies are replaced",
    "ir/counted_loops.py": "a writer of IR: loops that count, in place of others",
    "ir/data_flow.py": "which operations look at the shapes of tensors only: rules do not say so",
    "ir/diagnostics.py": "how operations were spelled before",
    "ir/foreign_spellings.py": "an operation in the form of a dialect that is not registered",
    "ir/importer.py": "what a function is",
    "ir/inlining.py": "what a call is that a body takes the place of, and what lives as long as it",
    "ir/llvm_forms.py": "the operations that those of the LLVM dialect are read as",
    "ir/old_forms.py": "how operations were spelled before, and what MLIR refuses of them",
    "ir/old_spellings.py": "how operations were spelled before",
    "ir/reader.py": "texts that crash MLIR's parser",
    "ir/repeated_values.py": "a writer of IR: loops that hand on each value once",
    "ir/structured_programs.py": "what a function is whose blocks are structured",
    "ir/structuring.py": "a writer of IR: regions in place of blocks and branches",
    "preconditions/attributes.py": "what an exporter wrote down of its arguments",
    "preconditions/functions.py": "what a function and a call of it are: where a program can be entered",
    "preconditions/jax_assertions.py": "how JAX writes an assertion on shapes",
    "preconditions/stated_contracts.py": "what a function is that states a contract",
    "program_generation/": "a generator of programs: it writes operations",
    "pruning/joining.py": "a writer of IR: makes witnesses of more shapes",
    "pruning/narrowing.py": "a writer of IR: makes witnesses of fewer shapes",
    "reducer.py": "a writer of IR: keeps functions whole",
    "refinement/element_results.py": "an attribute of arguments that MLIR's bufferization reads, which is no operation",
    "refinement/element_runs.py": "data that becomes an index, which rules do not tell from sizes",
    "refinement/effects.py": "an operation that prints, whose value no rule speaks of",
    "refinement/outcome.py": "the terminator that hands over a function's results, whose makers are named",
    "refinement/poison.py": "which operand of a terminator decides where control goes, which no rule says",
    "refinement/refine.py": "the loops of a program, of which there are more where more is structured",
    "refinement/value_numbering.py": "constants that are the same wherever they stand",
    "refinement/undefined_contents.py": "who reads only the shape of its operand, and who stores one element",
    "reports/exporter_text.py": "the names of exporters, which are no operations",
    "reports/torch_contract.py": "functions of PyTorch in Python, which are no operations",
    "rewriting/checks.py": "kinds of rewrites of structure",
    "rewriting/correspondence.py": "shares nothing with the writer that it checks",
    "rewriting/rewriter.py": "a writer of IR: makes assertions and witnesses",
    "servers/playground.py": "the names of its files, which are no operations",
    "shape_functions/declarations.py": "the form of a library in the shape dialect",
    "shape_inference/refine_types.py": "a writer of IR: casts between types, and leaves calls alone",
    "validation/pipelines.py": "the name of a whole module, at which passes run",
    "validation/watching.py": "the name of a whole module, at which passes run",
    "traits/": "verifiers of MLIR, version by version",
}
"""Files, and folders, in which operations are named, and why."""

UNMISTAKABLE = ["arith", "bufferization", "linalg", "ml_program", "scf", "stablehlo", "tosa"]
"""Dialects whose names are no other words: whoever has them in a table tells operations apart by their dialects."""


@cache
def dialects() -> set[str]:
    return {rule.op.partition(".")[0] for rule in load_rules().rules()} | {"acc", "chlo", "llvm", "quant"}


def names_in(source: str) -> list[str]:
    """The operations, or dialects, that constants of a module name, one or many in a text; not those in sentences."""
    operation = re.compile(rf"({'|'.join(sorted(dialects()))})\.[a-z_][a-z0-9_.]*|{'|'.join(UNMISTAKABLE)}")
    found: list[str] = []
    for text in _constants(parsed(source)):
        words = text.split()
        names = [word for word in words if operation.fullmatch(word)]
        found += names if 2 * len(names) > len(words) else []
    return found


def _constants(tree: ast.AST) -> Iterator[str]:
    read = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in read:
            yield node.value


def reason_for(path: str) -> str | None:
    return next((place for place in ALLOWED if path == place or (place.endswith("/") and path.startswith(place))), None)


@cache
def named() -> dict[str, list[str]]:
    """The names by file of the engine."""
    files = [path for path in sorted(PACKAGE.rglob("*.py")) if path.relative_to(PACKAGE).parts[0] != "constraints"]
    assert len(files) > 150
    found = {path.relative_to(PACKAGE).as_posix(): names_in(path.read_text(encoding="utf-8")) for path in files}
    return {path: names for path, names in found.items() if names}


@pytest.mark.sweep
def test_operations_are_named_where_there_is_a_reason() -> None:
    assert {path: names for path, names in named().items() if reason_for(path) is None} == {}


@pytest.mark.slow
def test_every_reason_is_needed() -> None:
    assert {reason_for(path) for path in named()} == set(ALLOWED)


@pytest.mark.parametrize(
    "source",
    [
        'if op.name == "linalg.generic": pass',
        'NAMES = "tensor.dim tensor.rank".split()',
        'PURE = frozenset(("arith", "scf"))',
        'BY = {"shape.add": 1}',
        'if op.name.startswith("llvm.intr."): pass',
        'def f():\n    """Words."""\n    return ("memref.alloc",)',
    ],
)
def test_operation_names_in_code_are_found(source: str) -> None:
    assert names_in(source)


def test_words_in_prose_are_no_operation_names() -> None:
    assert names_in('"""tensor.dim in a docstring"""\nx = "the shape. A tensor"\ny = "index"\n') == []
