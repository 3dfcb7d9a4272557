"""Files on a fleet beside processes of this machine: what the engine costs, and whether a killed worker loses anything.

Generates small programs of which some are wrong, and checks them with ``-j N``, on N workers of a Dask cluster on this
machine, and there once more while one of the workers is killed in the middle. The three reports have to be equal.

    python benchmarks/fleet.py [--files 3000] [--workers 2] [--execute]
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


def program(number: int, dice: random.Random) -> str:
    """Return a program of two operations; about a third of them can fail."""
    left, right = dice.choice((("?", "?"), ("8", "?"), ("8", "8")))
    first, second, sum_ = (f"tensor<{each}x{number + 2}xf32>" for each in (left, right, "?"))
    return f"""func.func @f{number}(%a: {first}, %b: {second}) -> {sum_} {{
  %0 = tosa.add %a, %b : ({first}, {second}) -> {sum_}
  %1 = tosa.tanh %0 : ({sum_}) -> {sum_}
  return %1 : {sum_}
}}
"""


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
    given = parser.parse_args()
    more = () if given.execute else ("--no-execute",)
    dice = random.Random(32)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(given.files):
            (folder / f"f{number:05}.mlir").write_text(program(number, dice))
        alone, expected = check(folder, f"-j{given.workers}", *more)
        print(f"{given.files:,} files, -j {given.workers}: {alone:.1f} s, {1000 * alone / given.files:.1f} ms a file")
        with (
            distributed.LocalCluster(
                n_workers=given.workers, threads_per_worker=1, processes=True, dashboard_address=None
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            there = ("--scheduler", cluster.scheduler_address, *more)
            seconds, found = check(folder, *there)
            print(f"{given.workers} workers: {seconds:.1f} s, {seconds / alone:.2f} times; equal: {found == expected}")
            victim = next(iter(client.run(os.getpid).values()))
            killer = Timer(seconds / 2, os.kill, (victim, signal.SIGKILL))
            killer.start()
            seconds, found = check(folder, *there)
            files = [str(each["file"]) for each in found]
            print(
                f"one of them killed in the middle: {seconds:.1f} s; equal: {found == expected}; "
                f"lost: {given.files - len(set(files))}; twice: {len(files) - len(set(files))}"
            )
            memory = client.run(lambda: __import__("psutil").Process().memory_info().rss)
            print(f"memory of the workers: {', '.join(f'{each / 2**20:.0f} MB' for each in memory.values())}")


if __name__ == "__main__":
    main()
