"""Work in processes that are forked for it."""

from __future__ import annotations

import os
import signal
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from time import monotonic, sleep

import pytest

from shapesolve.cli import worker_pool
from shapesolve.cli.checked_files import PRELOADED
from shapesolve.cli.worker_pool import CrashedWorker, map_in_processes

pytestmark = [
    pytest.mark.skipif(not worker_pool.can_fork_loaded, reason="forks"),
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
]


def test_modules_to_preload_exist() -> None:
    assert all(find_spec(name) for name in PRELOADED)


@pytest.mark.exhaustive
def test_results_come_in_order_whoever_is_first() -> None:
    def work(number: int, _: int) -> tuple[int, bytes]:
        sleep(0.2 if number == 0 else 0)
        return number, b"x" * (number * 100_000)

    assert list(map_in_processes(work, 8, 3)) == [(number, b"x" * (number * 100_000)) for number in range(8)]


@pytest.mark.exhaustive
def test_no_two_have_the_same_place_at_the_same_time(tmp_path: Path) -> None:
    def work(number: int, place: int) -> int:
        taken = tmp_path / str(place)
        taken.mkdir()
        sleep(0.02)
        taken.rmdir()
        return place

    assert set(map_in_processes(work, 12, 3)) == {0, 1, 2}


@pytest.mark.process
def test_a_process_that_dies_loses_its_own_result_alone() -> None:
    def work(number: int, _: int) -> int:
        if number == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        if number == 2:
            os._exit(0)
        if number == 3:
            raise ValueError("not caught")
        return number

    found = list(map_in_processes(work, 5, 2))
    assert (found[0], found[4]) == (0, 4)
    assert isinstance(found[1], CrashedWorker) and "the process was killed" in found[1].how
    assert isinstance(found[2], CrashedWorker) and isinstance(found[3], CrashedWorker)


@pytest.mark.slow
def test_work_is_done_in_process_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> int:
        raise OSError

    monkeypatch.setattr(os, "fork", refused)
    assert list(map_in_processes(lambda number, _: (number, os.getpid()), 3, 2)) == [(n, os.getpid()) for n in range(3)]


@pytest.mark.process
def test_who_does_not_want_the_rest_leaves_nothing_behind(tmp_path: Path) -> None:
    def work(number: int, _: int) -> int:
        if number:
            (tmp_path / str(os.getpid())).touch()
            sleep(300)
        return number

    with closing(map_in_processes(work, 3, 3)) as results:
        assert next(results) == 0
        end = monotonic() + 30
        while len(list(tmp_path.iterdir())) < 2 and monotonic() < end:
            sleep(0.02)
    for each in tmp_path.iterdir():
        with pytest.raises(ProcessLookupError):
            os.kill(int(each.name), 0)
