"""Tests of syntactic non-negativity, and of the sign invariants of loop-carried numbers, against concrete runs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.strategies import SIZES, arithmetic, assignments

from shapesolve import check
from shapesolve.interpreter.loops.iteration_spans import is_non_negative
from shapesolve.solver.verdicts import Proved, Refuted, Unreachable
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import ZERO, Dim, dim, floordiv
from shapesolve.symbolic.evaluation import evaluate
from shapesolve.symbolic.formulas import at_least
from shapesolve.symbolic.normal_forms import choose, maximum, minimum

H, M, N, W, Z = (SIZES[name] for name in "HMNWZ")

choices = st.tuples(arithmetic, arithmetic, arithmetic, arithmetic).map(
    lambda four: choose(at_least(four[0], four[1]), four[2], four[3])
)
sums = st.lists(st.tuples(st.integers(-3, 3), st.one_of(arithmetic, choices)), max_size=3).map(
    lambda terms: sum((part * factor for factor, part in terms), dim(0))
)


@given(sums, sums, assignments)
def test_sums_judged_non_negative_are_non_negative(size: Dim, premise: Dim, sizes: dict[Variable, Any]) -> None:
    if is_non_negative(size, premise):
        assert evaluate(premise, sizes) < 0 or evaluate(size, sizes) >= 0


@pytest.mark.parametrize(
    ("size", "premise"),
    [
        (H - floordiv(H, 2), ZERO),
        (N - floordiv(M + N, 2), N - M - 1),
        (floordiv(M + N, 2) - M, N - M - 1),
        (minimum(W + 2, N) - W, N - W - 1),
        (maximum(Z, W) - W, ZERO),
        (choose(at_least(Z, 1), floordiv(M + N, 2) + 1 - M, dim(0)), N - M - 1),
        (N - choose(at_least(Z, 1), N, floordiv(M + N, 2)), N - M - 1),
        (choose(at_least(Z, 1), W, N) - choose(at_least(Z, 1), W, N - 1), ZERO),
    ],
    ids=str,
)
def test_a_size_under_its_premise_is_non_negative(size: Dim, premise: Dim) -> None:
    assert is_non_negative(size, premise)


NUMBERS = ("%a", "%b", "%n", "%m")


def steps(chance: random.Random) -> tuple[list[str], list[str]]:
    """Lines of MLIR that make the next two numbers of %a and %b, and the same in Python, ``which`` being anything."""
    lines, python = list[str](), list[str]()

    def made(text: str, meaning: str) -> str:
        name = f"v{len(lines)}"
        lines.append(f"%{name} = {text}")
        python.append(f"{name} = {meaning}")
        return f"%{name}"

    known: list[str] = list(NUMBERS)
    for _ in range(chance.randint(2, 4)):
        x, y = chance.choice(known), chance.choice(known)
        p, q = x[1:], y[1:]
        drawn = chance.choice(
            [
                (f"arith.addi {x}, {y} : index", f"{p} + {q}"),
                (f"arith.addi {x}, %c1 : index", f"{p} + 1"),
                (f"arith.subi {x}, %c1 : index", f"{p} - 1"),
                (f"arith.floordivsi {x}, %c2 : index", f"{p} // 2"),
                (f"arith.floordivsi {x}, %c2 : index", f"{p} // 2"),
                (f"arith.minsi {x}, {y} : index", f"min({p}, {q})"),
                (f"arith.maxsi {x}, {y} : index", f"max({p}, {q})"),
                (f"arith.select %which, {x}, {y} : index", f"{p} if which else {q}"),
                (f"arith.select %which, {x}, {y} : index", f"{p} if which else {q}"),
            ]
        )
        known.append(made(*drawn))
    for name in ("a", "b"):
        chosen = chance.choice(known)
        lines.append(f"%next_{name} = arith.addi {chosen}, %c0 : index")
        python.append(f"next_{name} = {chosen[1:]}")
    return lines, python


def runs(python: list[str], first: tuple[int, int], n: int, m: int, goes_on: str) -> Iterator[tuple[int, int]]:
    """Yield the values of two carried numbers in all iterations, for every choice in each of them."""
    body = compile("\n".join(python), "body", "exec")
    seen, waiting = {first}, [first]
    while waiting and len(seen) < 200:
        a, b = waiting.pop()
        if not eval(goes_on, {"a": a, "b": b, "n": n, "m": m}):
            continue
        yield a, b
        for which in (False, True):
            values: dict[str, Any] = {"a": a, "b": b, "n": n, "m": m, "which": which, "min": min, "max": max}
            exec(body, values)
            after = values["next_a"], values["next_b"]
            if after not in seen and max(map(abs, after)) < 100:
                seen.add(after)
                waiting.append(after)


@pytest.mark.slow
@given(st.integers(0, 1 << 30))
def test_claims_about_carried_numbers_hold_in_every_iteration(seed: int) -> None:
    """For a loop on two numbers, a proved claim holds in every iteration, and a refuted one fails in one."""
    chance = random.Random(seed)
    lines, python = steps(chance)
    first = chance.choice((("n", "m"), ("m", "n"), ("0", "n"), ("n", "0")))
    operator, words = chance.choice((("<", "slt"), (">", "sgt"), ("<=", "sle")))
    left, right = chance.choice((("a", "b"), ("a", "n"), ("b", "m"), ("b", "0")))
    compared, with_ = chance.choice((("a", "n"), ("b", "m"), ("a", "b"), ("n", "b"), ("m", "a"), ("0", "a")))
    spelled = {"a": "%a", "b": "%b", "n": "%n", "m": "%m", "0": "%c0"}
    text = f"""func.func private @chance() -> i1 attributes {{shapesolve.requires = []}}
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = tensor.dim %y, %c0 : tensor<?xf32>
  %r:2 = scf.while (%a = {spelled[first[0]]}, %b = {spelled[first[1]]}) : (index, index) -> (index, index) {{
    %go = arith.cmpi {words}, {spelled[left]}, {spelled[right]} : index
    scf.condition(%go) %a, %b : index, index
  }} do {{
  ^bb0(%a: index, %b: index):
    %holds = arith.cmpi sge, {spelled[with_]}, {spelled[compared]} : index
    cf.assert %holds, "kept"
    %which = func.call @chance() : () -> i1
    {chr(10).join(lines)}
    scf.yield %next_a, %next_b : index, index
  }}
  return
}}"""
    (function,) = check(text, execute=False).functions
    (checked_obligation,) = (each for each in function.checked_obligations if each.obligation.op.name == "cf.assert")
    goes_on = f"{left} {operator} {right}"
    sizes = {each.text: each for each in function.trace.input_variables}
    for n, m in product(range(6), repeat=2):
        numbers = {"n": n, "m": m, "0": 0}
        begins = numbers[first[0]], numbers[first[1]]
        rounds = [{"a": a, "b": b} | numbers for a, b in runs(python, begins, n, m, goes_on)]
        fails = any(each[with_] < each[compared] for each in rounds)
        if isinstance(checked_obligation.verdict, Unreachable):
            assert not rounds, (n, m)
        elif isinstance(checked_obligation.verdict, Proved):
            assert not fails, (n, m)
        elif isinstance(checked_obligation.verdict, Refuted):
            shown = checked_obligation.verdict.sizes
            if (shown.get(sizes["x[0]"], 0), shown.get(sizes["y[0]"], 0)) == (n, m):
                assert fails, (n, m)
