"""The property tests of the suite, on random examples."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parents[1]
PROPERTY = re.compile(r"^@given\(", re.MULTILINE)
NO_TESTS = 5
"""Exit code of pytest if every test is deselected."""


@cache
def files() -> tuple[Path, ...]:
    """The files with property tests, in the order of their names."""
    found = sorted(TESTS.rglob("test_*.py"))
    return tuple(each for each in found if PROPERTY.search(each.read_text(encoding="utf-8")))


def failures(seed: int, counts: Counter[str]) -> str:
    """Return pytest's words on the tests of one file that fail on the examples of a seed; empty for none.

    The files take turns, so that every one is tried with one seed after the other.
    """
    path = files()[seed % len(files())]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", f"--hypothesis-seed={seed}", str(path)],
        env=os.environ | {"HYPOTHESIS_PROFILE": "search"},
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
    )
    counts["files"] += 1
    if done.returncode in (0, NO_TESTS):
        return ""
    return (done.stdout + done.stderr).strip() or f"pytest ended with {done.returncode}"
