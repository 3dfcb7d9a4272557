"""Files on a fleet beside processes of this machine: what the engine costs, and whether a killed worker loses anything.

Generates small programs of which some are wrong, and checks them with ``-j N``, on N workers of a Dask cluster on this
machine, and there once more while one of the workers is killed in the middle. The three reports have to be equal, and
to be what the programs were made for. With ``--kill-after`` only the last of the three is done.

    python benchmarks/fleet.py [--files 3000] [--workers 2] [--execute] [--kill-after SECONDS]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from threading import Timer
from typing import Any

distributed: Any = import_module("distributed")  # it has no types


def program(number: int, dice: random.Random) -> tuple[str, int]:
    """Return a program of two operations, and the exit code of its check; two thirds of them can fail."""
    left, right = dice.choice((("?", "?"), ("8", "?"), ("8", "8")))
    first, second, sum_ = (f"tensor<{each}x{number + 2}xf32>" for each in (left, right, "?"))
    text = f"""func.func @f{number}(%a: {first}, %b: {second}) -> {sum_} {{
  %0 = tosa.add %a, %b : ({first}, {second}) -> {sum_}
  %1 = tosa.tanh %0 : ({sum_}) -> {sum_}
  return %1 : {sum_}
}}
"""
    return text, int(right == "?")


def check(folder: Path, *options: str) -> tuple[float, list[dict[str, object]]]:
    """Check a folder; return the seconds and the reports of the files."""
    begun = time.monotonic()
    command = [sys.executable, "-m", "shapesolve", "check", ".", "--no-cache", "--exit-zero", "--json=-", *options]
    run = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    seconds = time.monotonic() - begun
    if run.returncode:
        sys.exit(run.stderr.decode())
    return seconds, json.loads(run.stdout)["files"]


def main() -> None:
    """Measure, compare and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, default=3000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--execute", action="store_true", help="execute counterexamples, too")
    parser.add_argument("--kill-after", type=float, help="kill a worker after so many seconds of the only run")
    given = parser.parse_args()
    more = () if given.execute else ("--no-execute",)
    dice = random.Random(32)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made: dict[str, int] = {}
        for number in range(given.files):
            text, made[f"f{number:05}.mlir"] = program(number, dice)
            (folder / f"f{number:05}.mlir").write_text(text)
        expected: list[dict[str, object]] | None = None
        alone, kill_after = 0.0, given.kill_after
        if kill_after is None:
            alone, expected = check(folder, f"-j{given.workers}", *more)
            spent = 1000 * alone / given.files
            print(f"{given.files:,} files, -j {given.workers}: {alone:.1f} s, {spent:.1f} ms a file", flush=True)
        with (
            distributed.LocalCluster(
                n_workers=given.workers, threads_per_worker=1, processes=True, dashboard_address=None
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            there = ("--scheduler", cluster.scheduler_address, *more)
            if kill_after is None:
                seconds, found = check(folder, *there)
                times = seconds / alone
                print(f"{given.workers} workers: {seconds:.1f} s, {times:.2f} times; equal: {found == expected}")
                kill_after = seconds / 2
            victim = next(iter(client.run(os.getpid).values()))
            killer = Timer(kill_after, os.kill, (victim, signal.SIGKILL))
            killer.start()
            seconds, found = check(folder, *there)
            files = [str(each["file"]) for each in found]
            wrong = sum(each["exit_code"] != made[str(each["file"])] for each in found)
            equal = "" if expected is None else f"equal: {found == expected}; "
            print(
                f"one of them killed after {kill_after:.0f} s: {seconds:.1f} s for {len(files):,} files; {equal}"
                f"lost: {given.files - len(set(files))}; twice: {len(files) - len(set(files))}; wrong: {wrong}"
            )
            memory = client.run(lambda: __import__("psutil").Process().memory_info().rss)
            print(f"memory of the workers: {', '.join(f'{each / 2**20:.0f} MB' for each in memory.values())}")


if __name__ == "__main__":
    main()
