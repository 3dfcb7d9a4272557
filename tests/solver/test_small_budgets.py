"""Test that the process survives wherever the budget ends z3.

z3 5.4's step `factor` used freed memory where a budget ended it. `MALLOC_PERTURB_` makes glibc overwrite freed memory,
so that such a use shows at once; elsewhere the variable has no effect.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

ASKED = """
import shapesolve.solver.z3.strategies as strategies
from shapesolve import prove

once = strategies.StrategySequence._refuted_by_reals

asked = []  # the cores: the first is the claim's own, the others ask for smaller sizes, which there may not be

def often(self, core, budget):
    asked.append(list(core.values()))
    for each in range(1_000, 40_000, 500):
        assert not once(self, core, each) or asked[-1] != asked[0]
    return False

strategies.StrategySequence._refuted_by_reals = often
strategies.StrategySequence._check_cases = lambda self, budget: strategies.too_late()
prove({claim!r}, assuming=["x >= 1", "y >= 1", "z >= 1"])
print("alive")
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize("claim", ["x*x*x + y*y*y != z*z*z", "x*x*x + y*y*y + z*z*z != w*w*w + 3"])
def test_a_small_budget_for_reals_does_not_crash_the_process(claim: str) -> None:
    surroundings = {**os.environ, "MALLOC_PERTURB_": "85"}
    line = [sys.executable, "-c", ASKED.format(claim=claim)]
    result = subprocess.run(line, capture_output=True, text=True, env=surroundings, timeout=300, check=False)
    assert (result.returncode, result.stdout) == (0, "alive\n"), result.stderr
