"""Test that every option of an operation occurs in some case; a rule may ignore an option that no case has.

The options are those that MLIR's own Python classes list. If one rule is that of several operations, one of them
suffices. An option is covered if the cases have it with two values, one of which may be its absence.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from support.described_operations import options

from shapesolve.ir import bindings
from shapesolve.semantics.registry import load_rules

CASES = sorted((Path(__file__).parents[1] / "cases").rglob("*.mlir"))
FLOATS = "which floats come out; none is followed with it"
HINT = "a hint for compilers"
NAMES = "what something is called, and what is said of it to others"
CONTENTS = "what is in a vector or a buffer; that is not followed"
PLACE = "where memory is, and who reads and writes it"
DEMANDS_NOTHING = {
    **dict.fromkeys(("fastmath", "roundingmode", "nan_mode", "local_bound"), FLOATS),
    **dict.fromkeys(("branch_weights", "mapping", "no_inline", "nofold", "nontemporal"), HINT),
    **dict.fromkeys(("arg_attrs", "doc", "library_call", "res_attrs", "sym_visibility"), NAMES),
    **dict.fromkeys(("cast", "constant", "initial_value", "kind"), CONTENTS),
    **dict.fromkeys(("invariant", "memory_space", "read_only", "restrict", "writable"), PLACE),
    "memref.global alignment": PLACE,
    "tensor.scatter unique": "it has to be there",
    "ub.poison value": "what is undefined; it is all taken for that",
    "vector.outerproduct acc": CONTENTS,
    **dict.fromkeys(("vector.print source", "vector.print punctuation", "vector.print stringLiteral"), CONTENTS),
}
"""Options, some of one operation only, that demand nothing of sizes and say nothing of them, and why."""


@cache
def _values() -> dict[tuple[str, str], set[str]]:
    """The values of each option of each operation in the cases, as they are written."""
    ir = bindings.ir()
    found: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for path in CASES:
        with bindings.new_context():
            module = ir.Module.parse(path.read_text(encoding="utf-8"))
            module.operation.walk(partial(_note, found=found))
    return found


def _note(op: Any, found: defaultdict[tuple[str, str], set[str]]) -> Any:
    ir = bindings.ir()
    for option in options().get(op.name, ()):
        value = getattr(op.opview, option, None)
        given = isinstance(value, ir.Value)
        found[op.name, option].add("given" if given else str(value or None))
    return ir.WalkResult.ADVANCE


def _untried() -> list[str]:
    """The options of each rule that its cases have with fewer than two values."""
    values: defaultdict[tuple[str, str, str], set[str]] = defaultdict(set)
    where: dict[tuple[str, str, str], str] = {}
    for rule in load_rules().rules():
        for option in options().get(rule.op, ()):
            key = (rule.module, rule.function.__name__, option)
            values[key] |= _values().get((rule.op, option), set())
            where.setdefault(key, rule.op)
    named = [f"{where[key]} {key[2]}" for key, seen in values.items() if len(seen) < 2]
    return [each for each in named if each not in DEMANDS_NOTHING and each.partition(" ")[2] not in DEMANDS_NOTHING]


@pytest.mark.exhaustive
def test_every_option_stands_in_a_case() -> None:
    assert sum(map(len, options().values())) > 200, "the classes that MLIR ships list no options any more"
    assert not (forgotten := _untried()), forgotten
