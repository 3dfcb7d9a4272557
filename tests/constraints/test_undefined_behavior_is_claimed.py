"""Test that operations described as possibly undefined have a rule with requirements, or are listed here.

TOSA's remarks on overflow, operation by operation, are left out.
"""

from __future__ import annotations

import re

from support.described_operations import sentences

from shapesolve.semantics.registry import load_rules

SAID = re.compile(r"undefined|poison|\bUB\b|out.of.bounds|strictly positive", re.IGNORECASE)

LIFE = "when memory ends and who writes it is not followed here"
BELIEVED = "it is believed, and reports say so"
POISON = "it makes poison, which may be anything, of what is there"
DEMANDS_NOTHING = {
    "bufferization.clone": LIFE,
    "bufferization.dealloc_tensor": LIFE,
    "memref.get_global": LIFE,
    "memref.global": LIFE,
    "memref.assume_alignment": BELIEVED,
    "memref.collapse_shape": BELIEVED,
    "memref.distinct_objects": BELIEVED,
    "shape.any": "its result may be anything where the operands differ",
    "ub.poison": POISON,
    "vector.extract_strided_slice": POISON,
    "vector.shuffle": POISON,
}
"""Operations of which a description says so, and the rule demands nothing, and why."""


def test_documented_undefined_behavior_is_a_claim() -> None:
    named = {name for name, each in sentences().items() if not name.startswith("tosa.") and SAID.search(" ".join(each))}
    rules = [rule for rule in load_rules().rules() if rule.op in named]
    assert len(rules) > 50, "the classes that MLIR ships are not described any more"
    silent = {rule.op for rule in rules if not any(each.startswith("C") for each in rule.clauses)}
    assert silent == DEMANDS_NOTHING.keys()
