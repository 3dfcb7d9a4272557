"""Operations that are proved not to overflow: never wrong at any sizes that fit in memory, and named where assumed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from math import prod
from typing import NamedTuple

import pytest

from shapesolve.api import check, prune
from shapesolve.checker.check import trace_of
from shapesolve.int64 import MAX_BYTES, MAX_SIZE, MIN_INDEX
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.solver import overflow_proofs as overflow_proofs_module
from shapesolve.solver.overflow_proofs import find_overflow_proofs
from shapesolve.trace.assumed_overflow import (
    OverflowProofs,
    assumption_texts,
    memory_words,
    modeling_assumptions,
    overflow_proofs,
)
from shapesolve.trace.events import Trace
from shapesolve.trace.trust import merged_assumptions

GENERAL = "index and i64 arithmetic does not wrap"
SIZES = (0, 1, 2, 3, 100, 2**20, 2**31, 2**44, 2**45, 2**46, 2**47, 2**47 + 1, 2**61, 2**62, 2**63 - 2, MAX_SIZE)
NUMBERS = (*SIZES, -1, -2, -(2**31), -(2**62), MIN_INDEX, MIN_INDEX + 1)
BYTES = {"f32": 4, "i8": 1, "f64": 8, "i1": 1}


def assumed(text: str) -> tuple[str, ...]:
    """Return what is assumed of the one function of a program."""
    return assumption_texts(check(text, execute=False).functions[0].trace)


def function(arguments: str, body: str) -> str:
    constants = "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index"
    return f"func.func @f({arguments}) {{\n{constants}\n{body}\n  return\n}}"


def test_one_extent_in_memory_can_grow():
    text = function("%a: tensor<?xf32>", "  %d = tensor.dim %a, %c0 : tensor<?xf32>\n  %s = arith.addi %d, %c1 : index")
    assert assumed(text) == ("no argument takes more than 2^47 bytes (--max-bytes)",)


def test_an_extent_beside_an_extent_of_0_is_not_bounded():
    text = function(
        "%a: tensor<?x?xf32>", "  %d = tensor.dim %a, %c0 : tensor<?x?xf32>\n  %s = arith.addi %d, %c1 : index"
    )
    assert assumed(text)[0] == f"{GENERAL} where an argument is empty: arith.addi (line 5)"


def test_the_number_of_elements_is_bounded():
    text = function(
        "%a: tensor<?x?xf32>",
        "  %d = tensor.dim %a, %c0 : tensor<?x?xf32>\n  %e = tensor.dim %a, %c1 : tensor<?x?xf32>\n"
        "  %s = arith.muli %d, %e : index",
    )
    assert assumed(text) == ("no argument takes more than 2^47 bytes (--max-bytes)",)


@pytest.mark.parametrize("type, limit", [("tensor<*xf32>", "2^47 bytes"), ("tensor<*xi4>", "")])
def test_the_number_of_elements_is_bounded_at_every_rank(type: str, limit: str):
    body = f"""  %s = shape.shape_of %a : {type} -> tensor<?xindex>
  %n = shape.num_elements %s : tensor<?xindex> -> index
  %m = arith.addi %n, %c1 : index"""
    bound = f"no argument takes more than {limit} (--max-bytes)"
    wraps = f"{GENERAL}: shape.num_elements (line 5), arith.addi (line 6)"
    assert assumed(function(f"%a: {type}", body)) == ((bound,) if limit else (wraps,))


def test_an_extent_of_a_tensor_of_any_rank_is_bounded_unless_another_one_is_0():
    text = function("%a: tensor<*xf32>", "  %d = tensor.dim %a, %c0 : tensor<*xf32>\n  %s = arith.addi %d, %c1 : index")
    assert assumed(text)[0] == f"{GENERAL} where an argument is empty: arith.addi (line 5)"


@pytest.mark.parametrize("type", ["memref<?xf32, strided<[?]>>", "tensor<?xi4>", 'tensor<?xf32, "sparse">'])
def test_arguments_that_share_memory_are_not_bounded(type: str):
    read = "memref" if type.startswith("memref") else "tensor"
    text = function(f"%a: {type}", f"  %d = {read}.dim %a, %c0 : {type}\n  %s = arith.addi %d, %c1 : index")
    assert assumed(text) == (f"{GENERAL}: arith.addi (line 5)",)


def test_a_remainder_by_a_number_of_any_sign_has_64_bits():
    rest = function("%i: index, %n: index", "  %r = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%i)[%n]")
    assert assumed(rest) == ()


def test_a_number_is_not_bounded_but_by_checks():
    free = function("%n: index", "  %s = arith.addi %n, %c1 : index")
    assert assumed(free) == (f"{GENERAL}: arith.addi (line 4)",)
    checked = function(
        "%n: index",
        '  %ok = arith.cmpi slt, %n, %c1 : index\n  cf.assert %ok, "few"\n  %s = arith.addi %n, %c1 : index',
    )
    assert assumed(checked) == ()


def test_a_check_behind_an_operation_proves_nothing_of_it():
    text = function(
        "%n: index",
        '  %s = arith.addi %n, %c1 : index\n  %ok = arith.cmpi slt, %n, %c1 : index\n  cf.assert %ok, "few"',
    )
    assert assumed(text) == (f"{GENERAL}: arith.addi (line 4)",)


def test_an_access_does_not_prove_its_own_index():
    text = function("%m: memref<10xf32>, %n: index", "  %v = affine.load %m[symbol(%n) + 5] : memref<10xf32>")
    assert assumed(text) == (f"{GENERAL}: affine.load (line 4)",)


def test_arithmetic_inside_a_map_counts():
    text = function("%n: index", "  %v = affine.apply affine_map<(d0) -> ((d0 * 3) floordiv 2)>(%n)")
    assert assumed(text) == (f"{GENERAL}: affine.apply (line 4)",)


def test_a_check_that_always_fails_proves_nothing():
    text = function(
        "%n: index", '  %no = arith.constant false\n  cf.assert %no, "never"\n  %s = arith.addi %n, %c1 : index'
    )
    assert assumed(text) == (f"{GENERAL}: arith.addi (line 6)",)


def test_facts_of_one_branch_do_not_hold_behind_it():
    text = function(
        "%n: index",
        "  %ok = arith.cmpi ult, %n, %c1 : index\n  scf.if %ok {\n    %s = arith.addi %n, %c1 : index\n  }\n"
        "  %t = arith.addi %n, %c1 : index",
    )
    assert assumed(text) == (f"{GENERAL}: arith.addi (line 8)",)


def test_a_counter_below_an_extent_is_bounded_and_a_sum_is_not():
    text = function(
        "%a: tensor<?xf32>",
        "  %d = tensor.dim %a, %c0 : tensor<?xf32>\n  %c4 = arith.constant 4 : index\n"
        "  %r = scf.for %i = %c0 to %d step %c4 iter_args(%s = %c0) -> index {\n"
        "    %k = arith.addi %i, %c4 : index\n    %t = arith.addi %s, %k : index\n    scf.yield %t : index\n  }",
    )
    assert assumed(text)[0] == f"{GENERAL}: arith.addi (line 8)"


def test_the_functions_of_a_file_share_one_line():
    one = "func.func @{}(%n: index) -> index {{\n  %s = arith.muli %n, %n : index\n  return %s : index\n}}\n"
    report = check(one.format("f") + one.format("g"), execute=False)
    (text,) = merged_assumptions(each for found in report.functions for each in modeling_assumptions(found.trace))
    assert str(text) == f"{GENERAL}: arith.muli (lines 2, 6)"


class Step(NamedTuple):
    """Operation on two earlier values."""

    name: str
    left: int
    right: int


class Program(NamedTuple):
    """Straight-line program: arguments with the place of their extents among the values, and operations in order."""

    text: str
    tensors: tuple[tuple[str, tuple[int, ...]], ...]
    numbers: tuple[int, ...]
    bounds: tuple[tuple[int, int], ...]  # a value, and the number that it is checked to be at most
    steps: tuple[Step, ...]
    first_line: int


OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "arith.addi": int.__add__,
    "arith.subi": int.__sub__,
    "arith.muli": int.__mul__,
    "arith.maxsi": max,
    "arith.minsi": min,
}


def random_program(seed: int) -> Program:
    choose = random.Random(seed)
    arguments: list[str] = []
    lines: list[str] = []
    tensors: list[tuple[str, tuple[int, ...]]] = []
    numbers: list[int] = []
    count = 0
    for index in range(choose.randint(1, 2)):
        element, rank = choose.choice(list(BYTES)), choose.randint(1, 3)
        type = f"tensor<{'?x' * rank}{element}>"
        arguments.append(f"%a{index}: {type}")
        places: list[int] = []
        for dimension in range(rank):
            lines += [
                f"%k{count} = arith.constant {dimension} : index",
                f"%v{count} = tensor.dim %a{index}, %k{count} : {type}",
            ]
            places.append(count)
            count += 1
        tensors.append((element, tuple(places)))
    bounds: list[tuple[int, int]] = []
    if choose.random() < 0.6:
        arguments.append(f"%v{count}: index")
        numbers.append(count)
        count += 1
    for place in range(count):
        if choose.random() < 0.3:
            most = choose.choice([3, 2**20, 2**40])
            predicate = "ule" if choose.random() < 0.7 else "sle"
            lines += [
                f"%m{place} = arith.constant {most} : index",
                f"%ok{place} = arith.cmpi {predicate}, %v{place}, %m{place} : index",
                f'cf.assert %ok{place}, "few"',
            ]
            bounds.append((place, most if predicate == "ule" else -most))
    first_line = len(lines) + 2
    steps: list[Step] = []
    for _ in range(choose.randint(1, 5)):
        step = Step(choose.choice(list(OPERATIONS)), choose.randrange(count), choose.randrange(count))
        lines.append(f"%v{count} = {step.name} %v{step.left}, %v{step.right} : index")
        steps.append(step)
        count += 1
    text = "\n".join([f"func.func @f({', '.join(arguments)}) {{", *lines, "return", "}"])
    return Program(text, tuple(tensors), tuple(numbers), tuple(bounds), tuple(steps), first_line)


def runs(program: Program, choose: random.Random, count: int) -> Iterator[list[int]]:
    """Yield values of extents and numbers that exist in memory and pass the checks."""
    for _ in range(count):
        values: dict[int, int] = {}
        for element, places in program.tensors:
            values.update((place, choose.choice(SIZES)) for place in places)
            if prod(values[place] for place in places) * BYTES[element] > MAX_BYTES:
                values[choose.choice(places)] = 0
        values.update((place, choose.choice(NUMBERS)) for place in program.numbers)
        if all((0 <= values[at] <= most) if most > 0 else values[at] <= -most for at, most in program.bounds):
            yield [values[place] for place in sorted(values)]


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 60, 10))
def test_proved_arithmetic_never_wraps(first: int):
    ran = proved_operations = 0
    for seed in range(first, first + 10):
        program = random_program(seed)
        trace = check(program.text, execute=False).functions[0].trace
        lines = {each.location.line for each in overflow_proofs(trace).assumed if each.location is not None}
        proved = [program.first_line + number not in lines for number in range(len(program.steps))]
        proved_operations += sum(proved)
        for values in runs(program, random.Random(seed), 400):
            ran += 1
            for step, is_proved in zip(program.steps, proved, strict=True):
                values.append(OPERATIONS[step.name](values[step.left], values[step.right]))
                if not MIN_INDEX <= values[-1] <= MAX_SIZE:
                    assert not is_proved, f"{step} of seed {seed} wraps for {values}\n{program.text}"
                    break  # what follows is proved only where this does not wrap
    assert ran > 100
    assert proved_operations > 5


def test_the_limit_on_memory_is_the_one_of_the_option():
    text = function("%a: tensor<?xi8>", "  %d = tensor.dim %a, %c0 : tensor<?xi8>\n  %s = arith.muli %d, %d : index")
    assert assumed(text)[0].startswith(GENERAL)
    program = read_text(text)
    trace = trace_of(program, program.functions["f"], Options(max_bytes=2**31))
    find_overflow_proofs(trace)
    assert overflow_proofs(trace).assumed == ()
    assert memory_words(trace) == "no argument takes more than 2^31 bytes (--max-bytes)"


def test_an_expanded_tensor_shares_memory():
    """`torch.zeros(1).expand(2**62)` takes four bytes."""
    type = "!torch.vtensor<[?],f32>"
    text = (
        f"func.func @f(%a: {type}) -> !torch.int {{\n  %int0 = torch.constant.int 0\n  %int2 = torch.constant.int 2\n"
        f"  %d = torch.aten.size.int %a, %int0 : {type}, !torch.int -> !torch.int\n"
        "  %s = torch.aten.mul.int %d, %int2 : !torch.int, !torch.int -> !torch.int\n  return %s : !torch.int\n}\n"
    )
    assert assumed(text) == (f"{GENERAL}: torch.aten.mul.int (line 5)",)


COUNTS = "  %d = tensor.dim %a, %c0 : tensor<?xf32>\n"
WRAPS = {
    "the opposite of the least number": ("%n: index", "  %s = arith.subi %c0, %n : index"),
    "below the least number": (
        "%n: index",
        '  %ok = arith.cmpi slt, %n, %c1 : index\n  cf.assert %ok, "few"\n  %s = arith.subi %n, %c1 : index',
    ),
    "a select": (
        "%a: tensor<?xf32>, %n: index, %p: i1",
        f"{COUNTS}  %x = arith.select %p, %n, %d : index\n  %s = arith.addi %x, %c1 : index",
    ),
    "a maximum": (
        "%a: tensor<?xf32>, %n: index",
        f"{COUNTS}  %x = arith.maxsi %n, %d : index\n  %s = arith.addi %x, %c1 : index",
    ),
    "a minimum": (
        "%a: tensor<?xf32>, %n: index",
        f"{COUNTS}  %x = arith.minsi %n, %d : index\n  %s = arith.subi %x, %c1 : index",
    ),
    "one of two numbers behind a branch": (
        "%a: tensor<?xf32>, %n: index, %p: i1",
        f"{COUNTS}  %x = scf.if %p -> index {{\n    scf.yield %d : index\n  }} else {{\n"
        "    scf.yield %n : index\n  }\n  %s = arith.addi %x, %c1 : index",
    ),
    "the counter at the end of a loop": (
        "%n: index",
        "  %c4 = arith.constant 4 : index\n  scf.for %i = %c0 to %n step %c4 {\n  }",
    ),
    "beyond the counter": (
        "%n: index",
        "  %c2 = arith.constant 2 : index\n  scf.for %i = %c0 to %n step %c1 {\n"
        "    %s = arith.addi %i, %c2 : index\n  }",
    ),
    "a sum that a loop carries": (
        "%a: tensor<?xf32>",
        f"{COUNTS}  %r = scf.for %i = %c0 to %d step %c1 iter_args(%x = %c1) -> index {{\n"
        "    %s = arith.addi %x, %x : index\n    scf.yield %s : index\n  }",
    ),
    "a check of the sum": (
        "%n: index",
        '  %s = arith.addi %n, %c1 : index\n  %ok = arith.cmpi slt, %s, %c1 : index\n  cf.assert %ok, "few"',
    ),
    "the extent of a tensor that is never made": (
        "%n: index",
        "  %e = tensor.empty(%n, %n) : tensor<?x?xf32>\n"
        "  %g = tensor.collapse_shape %e [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>\n"
        "  %d = tensor.dim %g, %c0 : tensor<?xf32>\n  %s = arith.addi %d, %c1 : index",
    ),
    "a product of extents of two arguments": (
        "%a: tensor<?xf32>, %b: tensor<?xf32>",
        f"{COUNTS}  %e = tensor.dim %b, %c0 : tensor<?xf32>\n  %s = arith.muli %d, %e : index",
    ),
}


@pytest.mark.parametrize("name", WRAPS)
def test_wrapping_arithmetic_is_named(name: str):
    assert assumed(function(*WRAPS[name]))[0].startswith(GENERAL)


def test_one_call_of_a_function_does_not_speak_for_another():
    text = (
        "func.func private @g(%n: index) -> index {\n  %c1 = arith.constant 1 : index\n"
        "  %s = arith.addi %n, %c1 : index\n  return %s : index\n}\n"
        + function(
            "%a: tensor<?xf32>, %n: index",
            f"{COUNTS}  %x = call @g(%d) : (index) -> index\n  %y = call @g(%n) : (index) -> index",
        )
    )
    (report,) = check(text, execute=False).functions
    assert assumption_texts(report.trace)[0] == f"{GENERAL}: arith.addi (line 3)"


def test_a_command_looks_for_proofs_once(monkeypatch: pytest.MonkeyPatch):
    searches: list[str] = []
    find = overflow_proofs_module._proofs

    def counted(trace: Trace, most_queries: int) -> OverflowProofs:
        searches.append(f"@{trace.function.name}, {most_queries} queries")
        return find(trace, most_queries)

    monkeypatch.setattr(overflow_proofs_module, "_proofs", counted)
    text = function(
        "%a: tensor<?x?xf32>, %b: tensor<?x?xf32>",
        "  %d = tensor.dim %a, %c1 : tensor<?x?xf32>\n  %e = tensor.dim %b, %c0 : tensor<?x?xf32>\n"
        '  %s = arith.addi %d, %e : index\n  %ok = arith.cmpi sge, %s, %d : index\n  cf.assert %ok, "more"',
    )
    check(text, execute=False)
    assert searches == ["@f, 32 queries"]
    assert "cf.assert" not in prune(text).text
    assert searches[1:] == ["@f, 0 queries"]
