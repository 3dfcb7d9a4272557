"""Bounds of the places of threads, against MLIR's own analysis of integer ranges."""

from __future__ import annotations

import pytest

from shapesolve.api import check
from shapesolve.ir import bindings
from shapesolve.semantics.registry import executable
from shapesolve.solver.verdicts import Proved

ASKED = [
    ("gpu.thread_id x", "gpu.thread_id x upper_bound 64", 64),
    ("gpu.block_id y", "gpu.block_id y upper_bound 1", 1),
    ("gpu.block_dim z", "gpu.block_dim z upper_bound 64", 65),
    ("gpu.grid_dim x", "gpu.grid_dim x upper_bound 7", 8),
    ("gpu.global_id x", "gpu.global_id x upper_bound 300", 300),
    ("gpu.lane_id", "gpu.lane_id upper_bound 32", 32),
    ("gpu.subgroup_id : index", "gpu.subgroup_id upper_bound 4 : index", 4),
    ("gpu.num_subgroups : index", "gpu.num_subgroups upper_bound 4 : index", 5),
    ("gpu.subgroup_size : index", "gpu.subgroup_size upper_bound 64 : index", 65),
    ("gpu.cluster_id x", "gpu.cluster_id x upper_bound 7", 7),
    ("gpu.cluster_dim y", "gpu.cluster_dim y upper_bound 7", 8),
    ("gpu.cluster_block_id z", "gpu.cluster_block_id z upper_bound 4", 4),
    ("gpu.cluster_dim_blocks x", "gpu.cluster_dim_blocks x upper_bound 4", 5),
]
"""Operations without a bound and with one, and the first number that is too large then."""


def program(asked: str, comparison: str, number: int) -> str:
    return (
        f"func.func @f() {{\n  %n = {asked}\n  %c = arith.constant {number} : index\n"
        f'  %is = arith.cmpi {comparison}, %n, %c : index\n  cf.assert %is, "bound"\n  return\n}}\n'
    )


def folds(text: str) -> bool:
    """Return whether MLIR's analysis finds that the comparison is true."""
    with bindings.new_context() as context:
        module = bindings.ir().Module.parse(text, context)
        bindings.passmanager().PassManager.parse("builtin.module(int-range-optimizations,canonicalize)").run(
            module.operation
        )
        return "cf.assert" not in str(module)


def is_proved(text: str) -> bool:
    checked = [
        each for each in check(text, execute=False).checked_obligations if each.obligation.op.name == "cf.assert"
    ]
    return [isinstance(each.verdict, Proved) for each in checked] == [True]


@pytest.mark.slow
@pytest.mark.parametrize(("bare", "bounded", "beyond"), ASKED, ids=lambda each: str(each).split()[0])
def test_bounds_are_those_of_mlir(bare: str, bounded: str, beyond: int) -> None:
    asked = [(bounded, "slt", beyond), (bounded, "slt", beyond - 1), (bounded, "sge", 0), (bounded, "sge", 1)]
    asked += [(bare, "slt", number) for number in (15, 16, 17, 128, 129, 2**32 - 1, 2**32, 2**64 - 1 >> 1)]
    asked += [(bare, "sge", 0), (bare, "sge", 1)]
    for each in asked:
        assert is_proved(program(*each)) == folds(program(*each)), each


def test_nothing_of_the_dialect_is_executed() -> None:
    assert "gpu" not in executable().dialects
