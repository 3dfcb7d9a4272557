"""Growth of the time per check with the number of checks in one function.

Four families of functions, each with N runtime checks that all follow from N facts stated as assumptions. Measured from
the file's text to the finished report, against an incremental z3 solver that holds every fact and is asked every check.

And fan-in: a chain of additions of many arguments, nearly all of which have to agree; measured with its diagnosis.

And programs of one kind in three sizes, each twice the last, from which a cost that grows faster than they do shows.

    python benchmarks/scaling.py [--checks 100 1000 10000] [--z3-seconds 60] [--fan-in 100] [--steps 40]
"""

from __future__ import annotations

import argparse
import cProfile
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import z3

from shapesolve.diagnosis.diagnosis import diagnose
from shapesolve.options import Options
from shapesolve.pipeline import check_file

Term = Any  # z3's own types do not follow operators
Sizes = Callable[[int], Term]
"""z3's name of the size of an argument."""


@dataclass(frozen=True)
class Family:
    """Facts as size-language text and z3 terms, and the check that each is followed by."""

    name: str
    fact: Callable[[int], str]
    z3_fact: Callable[[int, Sizes], Term]
    check: Callable[[int], list[str]]
    z3_check: Callable[[int, Sizes], Term]


def _compare(predicate: str, left: str, right: str, number: int) -> list[str]:
    return [
        f"  %ok{number} = arith.cmpi {predicate}, {left}, {right} : index",
        f'  cf.assert %ok{number}, "check {number}"',
    ]


def _equalities(i: int) -> list[str]:
    return _compare("eq", f"%d{i + 1}", f"%d{max(0, i - 7)}", i)


def _linear(i: int) -> list[str]:
    far = max(0, i - 3)
    return [f"  %up{i} = arith.addi %d{far}, %n{i + 1 - far} : index", *_compare("eq", f"%d{i + 1}", f"%up{i}", i)]


def _products(i: int) -> list[str]:
    return [
        f"  %l{i} = arith.muli %d{3 * i}, %d{3 * i + 1} : index",
        f"  %m{i} = arith.muli %l{i}, %d0 : index",
        f"  %r{i} = arith.muli %d0, %d{3 * i + 2} : index",
        *_compare("eq", f"%m{i}", f"%r{i}", i),
    ]


def _broadcasts(i: int) -> list[str]:
    return [
        f"  %b{i} = shape.broadcast %s{i}, %s{i + 1} : tensor<1xindex>, tensor<1xindex> -> tensor<1xindex>",
        f"  %w{i} = shape.cstr_broadcastable %b{i}, %s{i + 1} : tensor<1xindex>, tensor<1xindex>",
    ]


def _compatible(*sizes: Term) -> Term:
    pairs = [(a, b) for index, a in enumerate(sizes) for b in sizes[index + 1 :]]
    return z3.And(*(z3.Or(a == b, a == 1, b == 1) for a, b in pairs))


FAMILIES = (
    Family(
        "equalities",
        lambda i: f"a{i + 1}[0] == a{i}[0]",
        lambda i, d: d(i + 1) == d(i),
        _equalities,
        lambda i, d: d(i + 1) == d(max(0, i - 7)),
    ),
    Family(
        "linear",
        lambda i: f"a{i + 1}[0] == a{i}[0] + 1",
        lambda i, d: d(i + 1) == d(i) + 1,
        _linear,
        lambda i, d: d(i + 1) == d(max(0, i - 3)) + (i + 1 - max(0, i - 3)),
    ),
    Family(
        "products",
        lambda i: f"a{3 * i}[0] * a{3 * i + 1}[0] == a{3 * i + 2}[0]",
        lambda i, d: d(3 * i) * d(3 * i + 1) == d(3 * i + 2),
        _products,
        lambda i, d: d(3 * i) * d(3 * i + 1) * d(0) == d(0) * d(3 * i + 2),
    ),
    Family(
        "broadcasts",
        lambda i: f"broadcastable(a{i}, a{i + 1})",
        lambda i, d: _compatible(d(i), d(i + 1)),
        _broadcasts,
        lambda i, d: _compatible(z3.If(d(i) == 1, d(i + 1), d(i)), d(i + 1)),
    ),
)


def program(family: Family, checks: int) -> str:
    """The text of a function with that many checks."""
    count = 3 * checks if family.name == "products" else checks + 1
    arguments = ", ".join(f"%a{i}: tensor<?xf32>" for i in range(count))
    facts = ", ".join(f'"{family.fact(i)}"' for i in range(checks))
    lines = [f"func.func @f({arguments}) attributes {{shapesolve.assume = [{facts}]}} {{"]
    lines += [f"  %n{i} = arith.constant {i} : index" for i in range(5)]
    for i in range(count):
        if family.name == "broadcasts":
            lines.append(f"  %s{i} = shape.shape_of %a{i} : tensor<?xf32> -> tensor<1xindex>")
        else:
            lines.append(f"  %d{i} = tensor.dim %a{i}, %n0 : tensor<?xf32>")
    for i in range(checks):
        lines += family.check(i)
    return "\n".join([*lines, "  return", "}", ""])


def ours(family: Family, checks: int) -> tuple[float, int]:
    """Seconds from file to report, and how many of the checks were proved."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "checks.mlir"
        path.write_text(program(family, checks), encoding="utf-8")
        start = time.perf_counter()
        report = check_file(str(path), Options(execute=False))
        seconds = time.perf_counter() - start
    checked = [each for each in report.checked_obligations if each.obligation.kind.value == "check"]
    return seconds, sum(each.verdict.word == "proved" for each in checked)


def incremental_z3(family: Family, checks: int, limit: float) -> float | None:
    """Seconds of one z3 solver that holds all facts and is asked every check; None past the limit."""
    count = 3 * checks if family.name == "products" else checks + 1
    names: list[Term] = [z3.Int(f"d{i}") for i in range(count)]
    size = names.__getitem__
    solver: Term = z3.Solver()
    start = time.perf_counter()
    for name in names:
        solver.add(name >= 0)
    for i in range(checks):
        solver.add(family.z3_fact(i, size))
    for i in range(checks):
        left = limit - (time.perf_counter() - start)
        if left <= 0:
            return None
        solver.set("timeout", int(left * 1000) + 1)
        solver.push()
        solver.add(z3.Not(family.z3_check(i, size)))
        solver.check()
        solver.pop()
    return time.perf_counter() - start


def fan_in(arguments: int, operations: int) -> str:
    """The text of a function that adds its matrices one after the other, again and again."""
    matrix = "tensor<?x?xf32>"
    names = ", ".join(f"%a{i}: {matrix}" for i in range(arguments))
    lines = [f"func.func @f({names}) -> {matrix} {{"]
    for i in range(operations):
        total = f"%v{i - 1}" if i else "%a0"
        lines.append(f"  %v{i} = tosa.add {total}, %a{(i + 1) % arguments} : ({matrix}, {matrix}) -> {matrix}")
    return "\n".join([*lines, f"  return %v{operations - 1} : {matrix}", "}", ""])


def print_fan_in(arguments: int) -> None:
    """Print the seconds of the report and of its diagnosis, and the verdicts."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fan_in.mlir"
        path.write_text(fan_in(arguments, 20 * arguments), encoding="utf-8")
        start = time.perf_counter()
        report = check_file(str(path), Options(execute=False))
        checked = time.perf_counter() - start
        diagnose(report)
        diagnosed = time.perf_counter() - start - checked
    verdicts = Counter(each.verdict.word for each in report.checked_obligations)
    counts = ", ".join(f"{number} {word}" for word, number in verdicts.items())
    print(f"fan-in of {arguments} arguments: {checked:.2f} s, diagnosis {diagnosed:.2f} s: {counts}")


def largest_of(steps: int) -> str:
    """The text of a function that takes the largest of its arguments, one after the other."""
    names = ", ".join(f"%n{i}: index" for i in range(steps + 1))
    lines = [f"func.func @f({names}) {{", "  %v0 = arith.maxsi %n0, %n1 : index"]
    lines += [f"  %v{i} = arith.maxsi %v{i - 1}, %n{i + 1} : index" for i in range(1, steps)]
    lines += _compare("sge", f"%v{steps - 1}", f"%n{steps // 2}", 0)
    return "\n".join([*lines, "  return", "}", ""])


def functions(steps: int) -> str:
    """The text of that many functions, each of which fails where two matrices do not broadcast."""
    matrix = "tensor<?x?xf32>"
    return "".join(
        f"func.func @f{i}(%a: {matrix}, %b: {matrix}) -> {matrix} {{\n"
        f"  %c = tosa.add %a, %b : ({matrix}, {matrix}) -> {matrix}\n  return %c : {matrix}\n}}\n"
        for i in range(steps)
    )


KINDS: Mapping[str, Callable[[int], str]] = {"largest of": largest_of, "functions": functions}
"""Programs by number of steps."""


def print_growth(kind: str, steps: int) -> None:
    """Print the calls of Python functions, in thousands, for three sizes of a kind of program, with the diagnosis."""
    cells: list[str] = []
    for size in (steps, 2 * steps, 4 * steps):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "program.mlir"
            path.write_text(KINDS[kind](size), encoding="utf-8")
            with cProfile.Profile() as profile:
                diagnose(check_file(str(path), Options(execute=False)))
        cells.append(f"{size}: {sum(each.callcount for each in profile.getstats()) // 1000}")
    print(f"{kind}, thousand calls: {', '.join(cells)}")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checks", type=int, nargs="+", default=[100, 1000, 10000])
    parser.add_argument("--z3-seconds", type=float, default=60.0)
    parser.add_argument("--fan-in", type=int, default=100)
    parser.add_argument("--steps", type=int, default=40)
    arguments = parser.parse_args()
    ours(FAMILIES[0], 10)  # imports
    print(f"{'family':12} {'checks':>7} {'proved':>7} {'seconds':>8} {'ms/check':>9}   {'z3 seconds':>10} {'ratio':>7}")
    for family in FAMILIES:
        for checks in arguments.checks:
            seconds, proved = ours(family, checks)
            rival = incremental_z3(family, checks, arguments.z3_seconds)
            z3_text = f"> {arguments.z3_seconds:.0f}" if rival is None else f"{rival:.2f}"
            ratio = f"> {arguments.z3_seconds / seconds:.0f}x" if rival is None else f"{rival / seconds:.1f}x"
            per_check = 1000 * seconds / checks
            print(f"{family.name:12} {checks:7} {proved:7} {seconds:8.2f} {per_check:9.3f}   {z3_text:>10} {ratio:>7}")
    print_fan_in(arguments.fan_in)
    for kind in KINDS:
        print_growth(kind, arguments.steps)


if __name__ == "__main__":
    main()
