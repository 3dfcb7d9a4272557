"""Test that property tests draw the same examples in every run, on every machine; `make fuzz` searches at random."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
PROPERTY = """
import hashlib, conftest
from hypothesis import given, settings, strategies as st
from support import strategies
LOADED
drawn = []

@given(st.integers(), st.text(), st.floats(), strategies.formulas)
def collect(a, b, c, d):
    drawn.append(repr((a, b, c, d)))

collect()
print(len(drawn), hashlib.sha256("".join(drawn).encode()).hexdigest())
"""


def examples_of(loaded: str, **variables: str) -> str:
    """The number of examples and their hash, in a process with such variables that has ``loaded`` something before."""
    environment = {key: value for key, value in os.environ.items() if key not in ("CI", "HYPOTHESIS_PROFILE")}
    done = subprocess.run(
        [sys.executable, "-c", PROPERTY.replace("LOADED", loaded)],
        env=environment | {"PYTHONPATH": str(TESTS), "PYTHONHASHSEED": "0"} | variables,
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.exhaustive
def test_examples_depend_on_nothing_but_the_test() -> None:
    """Examples depend neither on environment variables, nor on the order of hashes, nor on earlier imports."""
    usual = examples_of("")
    assert int(usual.split()[0]) >= 90
    assert examples_of("", CI="true") == usual
    imports = "import shapesolve.program_generation.programs, shapesolve.constraints"
    assert examples_of(imports, PYTHONHASHSEED="4711") == usual
    assert examples_of("", HYPOTHESIS_PROFILE="search") != usual
