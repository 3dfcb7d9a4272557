"""The cycle collector in a process that is a command's own."""

from __future__ import annotations

import subprocess
import sys

SEVERAL_FILES = """
import gc
from shapesolve.collecting import collect_seldom, collect_what_is_left, collector_paused

class Cycle:
    alive = 0

    def __init__(self):
        self.me = self
        Cycle.alive += 1

    def __del__(self):
        Cycle.alive -= 1

def file():
    with collector_paused():
        Cycle()
    return Cycle.alive

collect_seldom()
file()
left_alone = gc.get_freeze_count() > 0
collect_what_is_left()
print(Cycle.alive, left_alone, gc.isenabled())
"""


def test_what_was_made_for_a_file_is_looked_through_before_the_next_one() -> None:
    said = subprocess.run([sys.executable, "-c", SEVERAL_FILES], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["0", "True", "True"]
