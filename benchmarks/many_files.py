"""A folder of thousands of files in one run beside one process a file: seconds, and whether memory stays flat.

Generates files of about 100 lines of five kinds (linalg, tosa, memref with loops, shape, stablehlo), of which some can
fail. Checks the folder with ``-j N``, checks it again with everything in the cache, and a sample of the files by a
process each. Memory is the resident set of the whole process tree, read from /proc once a second.

    python benchmarks/many_files.py [--files 10000] [--jobs 2] [--sample 50] [--execute]
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

STEP = 500
"""Files after which the seconds and the memory so far are printed."""
LINES = 100
"""Approximate number of lines of each file."""

COMMAND = (sys.executable, "-m", "shapesolve", "check")


def linalg(number: int, dice: random.Random) -> str:
    """Return products of matrices in a row; the last one may have the wrong size."""
    type_ = "tensor<?x?xf32>"
    lines = [f"func.func @linalg{number}(%a: {type_}, %b: {type_}, %init: {type_}) -> {type_} {{"]
    value = "%a"
    for each in range(dice.randint(44, 48)):
        right = dice.choice(("%a", "%b"))
        lines.append(
            f"  %s{each} = linalg.add ins({value}, {right} : {type_}, {type_}) outs(%init : {type_}) -> {type_}"
        )
        lines.append(f"  %e{each} = linalg.exp ins(%s{each} : {type_}) outs(%init : {type_}) -> {type_}")
        value = f"%e{each}"
    lines.append(f"  %m = linalg.matmul ins({value}, %b : {type_}, {type_}) outs(%init : {type_}) -> {type_}")
    return "\n".join((*lines, f"  return %m : {type_}", "}", ""))


def _chain(head: str, returned: str, step: Callable[[int], str], last: str) -> str:
    """Return a function of operations in a row, each from the value before, ``%v0`` being an argument."""
    count = LINES - 5
    lines = [f"  %v{each + 1} = {step(each)}" for each in range(count)]
    end = (f"  %last = {last.replace('%v', f'%v{count}')}", f"  return %last : {returned}", "}", "")
    return "\n".join((f"{head} -> {returned} {{", *lines, *end))


def tosa(number: int, dice: random.Random) -> str:
    """Return element-wise operations of which some broadcast."""
    known, other = f"tensor<?x{number % 97 + 2}xf32>", "tensor<?x?xf32>"

    def step(each: int) -> str:
        if dice.random() < 0.1:
            return f"tosa.add %v{each}, %b : ({known}, {known}) -> {known}"
        return f"tosa.{dice.choice(('tanh', 'exp', 'abs', 'floor'))} %v{each} : ({known}) -> {known}"

    head = f"func.func @tosa{number}(%v0: {known}, %b: {known}, %c: {other})"
    return _chain(head, other, step, f"tosa.add %v, %c : ({known}, {other}) -> {other}")


def buffers(number: int, dice: random.Random) -> str:
    """Return loops over buffers; an offset may lead out of them."""
    lines = [
        f"func.func @buffers{number}(%from: memref<?xf32>, %to: memref<?xf32>) {{",
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
        "  %n = memref.dim %from, %c0 : memref<?xf32>",
    ]
    for each in range(14):
        offset = 1 if dice.random() < 0.05 else 0
        lines += [
            f"  %o{each} = arith.constant {offset} : index",
            "  scf.for %i = %c0 to %n step %c1 {",
            f"    %j = arith.addi %i, %o{each} : index",
            "    %x = memref.load %from[%j] : memref<?xf32>",
            "    memref.store %x, %to[%i] : memref<?xf32>",
            "  }",
        ]
    return "\n".join((*lines, "  return", "}", ""))


def shapes(number: int, dice: random.Random) -> str:
    """Return constraints on shapes, of which some are redundant."""
    names = ("%a", "%b", "%c", "%d")
    arguments = ", ".join(f"{name}: !shape.shape" for name in names)
    lines = [f"func.func @shapes{number}({arguments}) -> !shape.witness {{"]
    count = LINES - 5
    for each in range(count):
        kind = dice.choice(("broadcastable", "eq"))
        left, right = dice.sample(names, 2)
        lines.append(f"  %w{each} = shape.cstr_{kind} {left}, {right} : !shape.shape, !shape.shape")
    every = ", ".join(f"%w{each}" for each in range(count))
    return "\n".join((*lines, f"  %all = shape.assuming_all {every}", "  return %all : !shape.witness", "}", ""))


def stablehlo(number: int, dice: random.Random) -> str:
    """Return element-wise operations; one concatenation at the end."""
    type_ = f"tensor<?x{number % 61 + 4}xf32>"

    def step(each: int) -> str:
        if dice.random() < 0.3:
            return f"stablehlo.add %v{each}, %b : {type_}"
        return f"stablehlo.{dice.choice(('tanh', 'abs', 'floor'))} %v{each} : {type_}"

    head = f"func.func @stablehlo{number}(%v0: {type_}, %b: {type_})"
    return _chain(head, type_, step, f"stablehlo.concatenate %v, %b, dim = 0 : ({type_}, {type_}) -> {type_}")


KINDS: tuple[Callable[[int, random.Random], str], ...] = (linalg, tosa, buffers, shapes, stablehlo)


def resident(root: int) -> float:
    """Return the resident memory in MB of a process and its descendants, shared pages counted once (PSS)."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            parents.setdefault(parent, []).append(int(entry.name))
    total, waiting = 0, [root]
    while waiting:
        process = waiting.pop()
        waiting += parents.get(process, ())
        try:
            rolled = Path(f"/proc/{process}/smaps_rollup").read_text()
        except OSError:
            continue
        total += next((int(line.split()[1]) for line in rolled.splitlines() if line.startswith("Pss:")), 0)
    return total / 1024


def run(folder: Path, *options: str) -> tuple[float, list[float], int]:
    """Check a folder; return the seconds, the memory in MB once a second, and the number of files reported."""
    begun = time.monotonic()
    memory: list[float] = []
    with tempfile.TemporaryDirectory() as place:
        target, printed = Path(place) / "reports.json", Path(place) / "printed"
        with printed.open("wb") as out:
            command = (*COMMAND, ".", "--quiet", "--exit-zero", f"--json={target}", *options)
            process = subprocess.Popen(command, cwd=folder, stdout=out)
            reported_at = 0
            while process.poll() is None:
                memory.append(resident(process.pid))
                # A quiet report is one line a file.
                done = printed.read_bytes().count(b"\n") if len(memory) % 10 == 0 else 0
                if done >= reported_at + STEP:
                    reported_at = done - done % STEP
                    spent = time.monotonic() - begun
                    print(f"  {done} files: {spent:.0f} s, {max(memory[-60:]):.0f} MB", flush=True)
                time.sleep(1)
        seconds = time.monotonic() - begun
        if process.returncode:
            sys.exit(f"exit code {process.returncode}")
        return seconds, memory, _files_in(target)


def _files_in(document: Path) -> int:
    """Return the number of files in a document, which may be larger than the memory."""
    with document.open(encoding="utf-8") as lines:
        return sum(line == "    {\n" for line in lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sample", type=int, default=50)
    parser.add_argument("--execute", action="store_true", help="execute counterexamples (default: not)")
    given = parser.parse_args()
    execute = () if given.execute else ("--no-execute",)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(given.files):
            kind = KINDS[number % len(KINDS)]
            # Files are checked in the order of their names: with the number first, all parts of a run are alike.
            (folder / f"{number:05}{kind.__name__}.mlir").write_text(kind(number, random.Random(number)))
        for title in ("first run", "second run (all in the cache)"):
            seconds, memory, reported = run(folder, "-j", str(given.jobs), *execute)
            quarters = [
                max(memory[len(memory) * each // 4 : len(memory) * (each + 1) // 4] or [0.0]) for each in range(4)
            ]
            peaks = ", ".join(f"{each:.0f}" for each in quarters)
            print(
                f"{title}: {reported} files in {seconds:.1f} s, {1000 * seconds / given.files:.1f} ms a file; "
                f"memory at most {peaks} MB in its four quarters",
                flush=True,
            )
        files = random.Random(0).sample(sorted(folder.glob("*.mlir")), min(given.sample, given.files))
        begun = time.monotonic()
        for each in files:
            subprocess.run(
                (*COMMAND, each, "--no-cache", "--exit-zero", *execute), stdout=subprocess.DEVNULL, check=True
            )
        seconds = time.monotonic() - begun
        print(f"one process a file, one after another: {1000 * seconds / len(files):.1f} ms a file (of {len(files)})")


if __name__ == "__main__":
    main()
