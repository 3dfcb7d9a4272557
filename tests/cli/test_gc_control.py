"""The cycle collector in a process that is a command's own."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.process

SEVERAL_FILES = """
import gc
from shapesolve import gc_control
from shapesolve.gc_control import collect_seldom, collect_between_files, collector_paused

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
left_alone = gc.get_freeze_count()
collect_between_files()
kept = Cycle.alive
gc_control._MANY = left_alone
collect_between_files()
print(left_alone > 0, kept, Cycle.alive, gc.isenabled())
"""


def test_objects_of_many_files_are_collected() -> None:
    result = subprocess.run([sys.executable, "-c", SEVERAL_FILES], capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["True", "1", "0", "True"]


ANSWERS = """
import gc
from shapesolve.gc_control import collect_seldom, collector_for_answers

class Cycle:
    alive = most = 0

    def __init__(self):
        self.me, self.more = self, [[] for _ in range(50)]
        Cycle.alive += 1
        Cycle.most = max(Cycle.most, Cycle.alive)

    def __del__(self):
        Cycle.alive -= 1

collect_seldom()
seldom = gc.get_threshold()
with collector_for_answers():
    for _ in range(1500):
        Cycle()
print(Cycle.most < 500, gc.get_threshold() == seldom)
"""


def test_answers_of_workers_are_collected_while_they_come() -> None:
    result = subprocess.run([sys.executable, "-c", ANSWERS], capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["True", "True"]
