"""Checks with arithmetic that wraps: right at extreme numbers, by machine arithmetic and by runs."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from shapesolve.api import check
from shapesolve.checker.checked_obligation import Shown
from shapesolve.checker.report import FunctionReport
from shapesolve.checker.wrapping import MOST_ASKED
from shapesolve.options import Options
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, Unreachable
from shapesolve.trace.assumed_overflow import assumption_texts

HALF, WHOLE = 2**63, 2**64
POSITIVE = (1, 2, 3, 7, 2**31, 2**32, 2**47, 2**61, 2**62, 2**62 - 1, HALF - 2, HALF - 1, 3037000500)
NUMBERS = (0, *POSITIVE, *(-each for each in POSITIVE), -HALF)
EXTENTS = (0, 1, 2, 3, 2**20, 2**31, 2**44, 2**45)

Binary = Callable[[int, int], int]


def wrapped(number: int) -> int:
    return (number + HALF) % WHOLE - HALF


def truncated(a: int, b: int) -> int:
    return abs(a) // b if a >= 0 else -(abs(a) // b)


ARITHMETIC: dict[str, Binary] = {
    "arith.addi": lambda a, b: wrapped(a + b),
    "arith.subi": lambda a, b: wrapped(a - b),
    "arith.muli": lambda a, b: wrapped(a * b),
    "arith.maxsi": max,
    "arith.minsi": min,
    "arith.maxui": lambda a, b: wrapped(max(a % WHOLE, b % WHOLE)),
    "arith.minui": lambda a, b: wrapped(min(a % WHOLE, b % WHOLE)),
}
BY_CONSTANTS: dict[str, Binary] = {
    "arith.divsi": truncated,
    "arith.remsi": lambda a, b: a - b * truncated(a, b),
    "arith.floordivsi": lambda a, b: a // b,
    "arith.ceildivsi": lambda a, b: -(-a // b),
    "arith.divui": lambda a, b: wrapped(a % WHOLE // b),
    "arith.remui": lambda a, b: wrapped(a % WHOLE % b),
    "arith.shli": lambda a, b: wrapped(a << b),
}
ORDER: dict[str, Callable[[int, int], bool]] = {
    "eq": int.__eq__,
    "sge": int.__ge__,
    "sgt": int.__gt__,
    "uge": lambda a, b: a % WHOLE >= b % WHOLE,
    "ugt": lambda a, b: a % WHOLE > b % WHOLE,
}


@dataclass
class Program:
    """Straight-line program on two numbers and the two extents of a tensor, its text and its meaning."""

    lines: list[str] = field(default_factory=list)
    steps: list[Callable[[list[int]], int | None]] = field(default_factory=list)
    count: int = 4

    @property
    def text(self) -> str:
        head = "func.func @f(%v0: index, %v1: index, %a: tensor<?x?xf32>) {"
        extents = [
            f"%d{n} = arith.constant {n} : index\n%v{n + 2} = tensor.dim %a, %d{n} : tensor<?x?xf32>" for n in (0, 1)
        ]
        return "\n".join([head, *extents, *self.lines, "return", "}"])

    def constant(self, number: int) -> int:
        return self._made(f"arith.constant {number} : index", lambda values: number)

    def binary(self, name: str, a: int, b: int) -> int:
        return self._made(f"{name} %v{a}, %v{b} : index", lambda values: ARITHMETIC[name](values[a], values[b]))

    def by_constant(self, name: str, a: int, number: int) -> int:
        by = self.constant(number)
        return self._made(f"{name} %v{a}, %v{by} : index", lambda values: BY_CONSTANTS[name](values[a], number))

    def claim(self, predicate: str, a: int, b: int) -> None:
        line = 6 + len(self.lines) + 1
        self.lines += [f"%c{line} = arith.cmpi {predicate}, %v{a}, %v{b} : index", f'cf.assert %c{line}, "{line}"']

        def failing_line(values: list[int]) -> int | None:
            return None if ORDER[predicate](values[a], values[b]) else line

        self.steps.append(failing_line)

    def _made(self, text: str, compute: Callable[[list[int]], int]) -> int:
        self.lines.append(f"%v{self.count} = {text}")

        def append(values: list[int]) -> None:
            values.append(compute(values))

        self.steps.append(append)
        self.count += 1
        return self.count - 1

    def first_failure(self, numbers: Sequence[int]) -> int | None:
        """Return the line of the first assertion that fails at some numbers, or None."""
        values = list(numbers)
        return next((line for step in self.steps if (line := step(values)) is not None), None)


def random_program(seed: int) -> Program:
    """Return a program whose claims mostly hold unless something wraps."""
    choose = random.Random(seed)
    program = Program()

    def any_value() -> int:
        return choose.randrange(program.count)

    for _ in range(choose.randint(0, 3)):
        match choose.randrange(3):
            case 0:
                name = choose.choice(list(BY_CONSTANTS))
                program.by_constant(name, any_value(), choose.choice([1, 2, 31, 62, 63]))
            case _:
                program.binary(choose.choice(list(ARITHMETIC)), any_value(), any_value())
    for _ in range(3):
        a, b, c = any_value(), any_value(), any_value()
        more = choose.choice(["eq", "sge", "sgt", "uge", "ugt"])
        match choose.randrange(6):
            case 0:
                program.claim(more, program.binary("arith.addi", a, program.constant(choose.choice([0, 1, 7]))), a)
            case 1:
                program.claim("eq", program.binary("arith.subi", program.binary("arith.addi", a, b), b), a)
            case 2:
                whole = program.binary("arith.muli", a, program.binary("arith.addi", b, c))
                parts = program.binary("arith.muli", a, b), program.binary("arith.muli", a, c)
                program.claim("eq", whole, program.binary("arith.addi", *parts))
            case 3:
                by = choose.choice([2, 3, 8])
                product = program.binary("arith.muli", a, program.constant(by))
                program.claim("eq", program.by_constant(choose.choice(["arith.divsi", "arith.divui"]), product, by), a)
            case 4:
                program.claim(choose.choice(["sge", "uge"]), program.binary("arith.muli", a, a), a)
            case _:
                program.claim(more, a, b)
    return program


def checked(text: str, *, execute: bool = False) -> FunctionReport:
    return check(text, options=Options(check_wraps=True, execute=execute)).functions[0]


@pytest.mark.exhaustive
@pytest.mark.parametrize("first", range(0, 40, 10))
def test_verdicts_are_right_at_extreme_numbers(first: int) -> None:
    by_wrapping = proofs = 0
    for seed in range(first, first + 10):
        program = random_program(seed)
        report = checked(program.text)
        leans = any("does not wrap" in each for each in assumption_texts(report.trace))
        proved: set[int] = set()
        for each in report.checked_obligations:
            line = each.obligation.location.line
            if isinstance(each.verdict, Proved | Unreachable):
                proved |= set() if leans else {line}
                proofs += not leans
            elif isinstance(each.verdict, Refuted):
                sizes = {variable.name: size for variable, size in each.verdict.sizes.items()}
                found = [sizes[name] for name in ("v0", "v1", "a[0]", "a[1]")]
                assert program.first_failure([n for n in found if isinstance(n, int)]) == line, (sizes, program.text)
                by_wrapping += bool(each.wraps)
        choose = random.Random(seed)
        for _ in range(300):
            extents = choose.choice(EXTENTS), choose.choice(EXTENTS)
            if extents[0] * extents[1] * 4 <= 2**47:
                numbers = (choose.choice(NUMBERS), choose.choice(NUMBERS), *extents)
                assert program.first_failure(numbers) not in proved, (numbers, program.text)
    assert by_wrapping > 0 and proofs > 10


SUM = """
func.func @f(%n: index, %m: index) {
  %s = arith.addi %n, %m : index
  %p = arith.muli %s, %n : index
  %c = arith.cmpi sge, %p, %s : index
  cf.assert %c, "more"
  return
}
"""


@pytest.mark.slow
def test_sizes_of_an_operation_make_it_the_first_to_wrap() -> None:
    (add, multiply) = checked(SUM).wrapping
    assert isinstance(add.verdict, Refuted) and isinstance(multiply.verdict, Refuted)
    n, m = ({each.name: size for each, size in add.verdict.sizes.items()}[name] for name in "nm")
    assert isinstance(n, int) and isinstance(m, int) and not -HALF <= n + m < HALF
    n, m = ({each.name: size for each, size in multiply.verdict.sizes.items()}[name] for name in "nm")
    assert isinstance(n, int) and isinstance(m, int) and -HALF <= n + m < HALF and not -HALF <= (n + m) * n < HALF


RUN = """
func.func @f(%n: index) {{
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = {} : index
  %c = arith.cmpi {} : index
  cf.assert %c, "it wraps"
  return
}}
"""


@pytest.mark.process
@pytest.mark.parametrize(
    ("value", "claim"),
    [
        ("arith.addi %n, %c1", "sgt, %x, %n"),
        ("arith.subi %n, %c1", "slt, %x, %n"),
        ("arith.muli %n, %n", "sge, %x, %n"),
        ("arith.shli %n, %c1", "eq, %x, %n"),
        ("math.absi %n", "sge, %x, %c1"),
    ],
)
def test_runs_fail_where_claims_fail_by_wrapping(value: str, claim: str) -> None:
    *_, found = checked(RUN.format(value, claim), execute=True).checked_obligations
    assert isinstance(found.verdict, Refuted)
    assert found.confirmation is not None and found.confirmation.shown is Shown.FAILED_HERE


def test_a_proof_that_is_lost_stays_one_under_the_assumption() -> None:
    text = """
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0) -> index {
    %y = arith.addi %x, %c1 : index
    scf.yield %y : index
  }
  %ok = arith.cmpi sge, %s, %c0 : index
  cf.assert %ok, "it counts up"
  return
}
"""
    report = checked(text)
    *_, found = report.checked_obligations
    assert isinstance(found.verdict, Proved)
    assumed = assumption_texts(report.trace)
    assert ("arith.addi" in " ".join(assumed)) is bool(report.wrapping)


def test_what_is_proved_not_to_wrap_is_not_listed() -> None:
    text = """
func.func @f(%a: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %s = arith.addi %n, %n : index
  return %s : index
}
"""
    assert checked(text).wrapping == ()


@pytest.mark.slow
def test_not_all_operations_of_a_long_function_are_asked() -> None:
    count = MOST_ASKED + 2
    lines = [f"  %v{n + 1} = arith.addi %v{n}, %n : index" for n in range(count)]
    text = "\n".join(["func.func @f(%n: index, %v0: index) {", *lines, "  return", "}"])
    found = checked(text).wrapping
    assert len(found) == count
    assert isinstance(found[0].verdict, Refuted) and isinstance(found[MOST_ASKED - 1].verdict, Refuted)
    assert isinstance(found[-1].verdict, Undecided)


def test_without_the_option_nothing_is_asked() -> None:
    report = check(SUM, execute=False).functions[0]
    assert report.wrapping == ()
    assert "index and i64 arithmetic does not wrap" in assumption_texts(report.trace)[0]
