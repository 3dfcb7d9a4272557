"""Test of random call graphs with true and false facts: a fact about a function does not justify calls inside of it."""

from __future__ import annotations

from typing import Any

import pytest
from fuzz.judging import OPERATIONS
from fuzz.machine import Ending, compiled
from fuzz.stated_ops import holds, named
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from shapesolve import prune
from shapesolve.options import Options

WAYS: dict[str, dict[str, bool]] = {"plain": {}, "fewest": {"fewest": True}, "entry": {"at_entry": True},
                                    "harden": {"harden": True}}  # fmt: skip
NUMBERS = range(-2, 6)
SIGNS = st.sampled_from(["eq", "ne", "slt", "sle", "sge", "sgt"])
OF = st.sampled_from(["%n", "%n", "%m", "%sum"])
NUMBER = st.sampled_from(["%c0", "%c1", "%c3", "%c4"])
CHECK = st.tuples(SIGNS, OF, NUMBER, SIGNS, OF, NUMBER)
FACTS = st.lists(
    st.builds("arg{} {} {}".format, st.sampled_from([0, 0, 1]), st.sampled_from(["<=", ">=", "!="]), st.integers(0, 4)),
    max_size=2,
    unique=True,
)
GIVEN = st.lists(st.tuples(st.sampled_from(["%n", "%c0", "%c1", "%c3", "%c4"]), st.sampled_from(["%n", "%m", "%c3"])),
                 min_size=1, max_size=2)  # fmt: skip
CONSTANTS = "".join(f"  %c{each} = arith.constant {each} : index\n" for each in (0, 1, 3, 4))


def function(name: str, checks: list[tuple[str, ...]], calls: list[tuple[str, str]], assumed: list[str]) -> str:
    """A function of %n and %m that makes calls and checks."""
    stated = ", ".join(f'"{each}"' for each in assumed)
    lines = [f"func.func @{name}(%n: index, %m: index) -> index attributes {{shapesolve.assume = [{stated}]}} {{"]
    lines += [CONSTANTS + "  %sum = arith.addi %n, %m : index"]
    lines += [f"  %r{at} = func.call @f({a}, {b}) : (index, index) -> index" for at, (a, b) in enumerate(calls)]
    for at, (sign, a, b, other, c, d) in enumerate(checks):
        lines += [f"  %p{at} = arith.cmpi {sign}, {a}, {b} : index", f"  %q{at} = arith.cmpi {other}, {c}, {d} : index",
                  f"  %o{at} = arith.ori %p{at}, %q{at} : i1", f'  cf.assert %o{at}, "{name} {at}"']  # fmt: skip
    return "\n".join([*lines, "  return %sum : index", "}"]) + "\n"


@pytest.mark.exhaustive
@examples(80)
@given(
    st.lists(CHECK, min_size=1, max_size=2),
    st.lists(CHECK, max_size=2),
    GIVEN,
    FACTS,
    FACTS,
    st.sampled_from([(), ("f",), ("g",)]),
)
def test_assumptions_on_one_function_change_no_other(
    checks: list[tuple[str, ...]],
    others: list[tuple[str, ...]],
    calls: list[tuple[str, str]],
    of_f: list[str],
    of_g: list[str],
    functions: tuple[str, ...],
) -> None:
    """A run that nothing is assumed against returns what it returned, and one that stopped stops."""
    assert len(OPERATIONS) > 1  # importing them makes them known to the interpreter
    text = function("f", checks, [], of_f) + function("g", others, calls, of_g)
    before = compiled(text)
    for way, options in WAYS.items():
        given_ways: dict[str, Any] = options
        after = compiled(prune(text, options=Options(execute=False, functions=functions), **given_ways).text)
        for name, assumed in (("f", of_f), ("g", of_g)):
            for vector in ((n, m) for n in NUMBERS for m in NUMBERS):
                if not all(holds(each, named(vector)) for each in assumed):
                    continue
                ours, theirs = before.run(name, vector), after.run(name, vector)
                assert theirs.ending is ours.ending, (way, name, vector)
                assert ours.ending is not Ending.RETURNED or theirs.results == ours.results
                assert way != "plain" or theirs.says == ours.says
