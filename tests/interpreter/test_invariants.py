"""Differential test of invariants and exit facts of random loops against a plain interpreter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.claims_at_sizes import trace_of
from support.examples import examples

from shapesolve.domain.fresh_variables import single_variable
from shapesolve.domain.values import Abstract
from shapesolve.interpreter.loops.invariants import numbers
from shapesolve.ir.program import Value
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, of_atom
from shapesolve.symbolic.evaluation import evaluate, holds
from shapesolve.trace.events import Enter, Fact, Leave, Trace

CARRIED = 4
"""Values 0 and 1 are numbers, 2 and 3 are tensors; all begin with the input `a`."""

Update = tuple[Callable[[int], str], Callable[[Sequence[int], int, int, int], int]]
"""Text that computes %y{j}, and what that is, of what is carried, the counter, an element of data, and `b`."""


def _number(text: str, value: Callable[[Sequence[int], int, int, int], int]) -> Update:
    return lambda j: f"%y{j} = {text.replace('$', str(j))} : index", value


def _grown(amount: str, value: Callable[[int, int], int]) -> Callable[[int], Update]:
    def update(j: int) -> Update:
        def text(j: int) -> str:
            return (
                f"%e{j} = tensor.empty({amount}) : tensor<?xf32>\n"
                f"%y{j} = tensor.concat dim(0) %x{j}, %e{j} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>"
            )

        return text, lambda x, i, d, b: x[j] + value(d, b)

    return update


def _cut(j: int) -> Update:
    text = (
        "%l$ = tensor.dim %x$, %c0 : tensor<?xf32>\n%m$ = affine.max affine_map<(d) -> (d - 1, 0)>(%l$)\n"
        "%y$ = tensor.extract_slice %x$[0] [%m$] [1] : tensor<?xf32> to tensor<?xf32>"
    )
    return lambda j: text.replace("$", str(j)), lambda x, i, d, b: max(x[j] - 1, 0)


NUMBERS: dict[str, Callable[[int], Update]] = {
    "kept": lambda j: _number("arith.addi %x$, %c0", lambda x, i, d, b: x[j]),
    "plus three": lambda j: _number("arith.addi %x$, %c3", lambda x, i, d, b: x[j] + 3),
    "minus three": lambda j: _number("arith.subi %x$, %c3", lambda x, i, d, b: x[j] - 3),
    "plus b": lambda j: _number("arith.addi %x$, %b", lambda x, i, d, b: x[j] + b),
    "plus data": lambda j: _number("arith.addi %x$, %d6", lambda x, i, d, b: x[j] + 6 * d),
    "the counter": lambda j: _number("arith.addi %i, %c0", lambda x, i, d, b: i),
    "plus the counter": lambda j: _number("arith.addi %x$, %i", lambda x, i, d, b: x[j] + i),
    "the other": lambda j: _number(f"arith.addi %x{1 - j}, %c0", lambda x, i, d, b: x[1 - j]),
    "the sum": lambda j: _number("arith.addi %x0, %x1", lambda x, i, d, b: x[0] + x[1]),
    "the extent": lambda j: (
        lambda j: f"%y{j} = tensor.dim %x2, %c0 : tensor<?xf32>",
        lambda x, i, d, b: x[2],
    ),
}
TENSORS: dict[str, Callable[[int], Update]] = {
    "kept": lambda j: (
        lambda j: f"%y{j} = tensor.cast %x{j} : tensor<?xf32> to tensor<?xf32>",
        lambda x, i, d, b: x[j],
    ),
    "grown by three": _grown("%c3", lambda d, b: 3),
    "grown by b": _grown("%b", lambda d, b: b),
    "grown by data": _grown("%d6", lambda d, b: 6 * d),
    "cut": _cut,
    "the other": lambda j: (
        lambda j: f"%y{j} = tensor.cast %x{5 - j} : tensor<?xf32> to tensor<?xf32>",
        lambda x, i, d, b: x[5 - j],
    ),
}


@dataclass(frozen=True)
class Loop:
    updates: tuple[str, str, str, str]
    lower: int
    step: int | None

    @property
    def chosen(self) -> list[Update]:
        return [(NUMBERS if j < 2 else TENSORS)[name](j) for j, name in enumerate(self.updates)]

    @property
    def text(self) -> str:
        body = "\n".join(text(j) for j, (text, _) in enumerate(self.chosen))
        step = "%s" if self.step is None else "%step"
        types = "index, index, tensor<?xf32>, tensor<?xf32>"
        return f"""
        func.func @f(%n: index, %a: index, %b: index, %s: index, %k: tensor<?xindex>) -> ({types}) {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c3 = arith.constant 3 : index
          %c6 = arith.constant 6 : index
          %lower = arith.constant {self.lower} : index
          %step = arith.constant {self.step or 1} : index
          %t = tensor.empty(%a) : tensor<?xf32>
          %r:4 = scf.for %i = %lower to %n step {step}
              iter_args(%x0 = %a, %x1 = %a, %x2 = %t, %x3 = %t) -> ({types}) {{
            %at = arith.subi %i, %lower : index
            %d = tensor.extract %k[%at] : tensor<?xindex>
            %d0 = arith.maxsi %d, %c0 : index
            %d6 = arith.muli %d0, %c6 : index
            {body}
            scf.yield %y0, %y1, %y2, %y3 : {types}
          }}
          return %r#0, %r#1, %r#2, %r#3 : {types}
        }}"""

    def run(self, inputs: Mapping[str, int], data: Sequence[int]) -> tuple[list[tuple[int, list[int]]], list[int]]:
        """The counter and what is carried at every iteration, and what is carried at the end."""
        carried = [inputs["a"]] * CARRIED
        seen: list[tuple[int, list[int]]] = []
        step = inputs["s"] if self.step is None else self.step
        for i in range(self.lower, inputs["n"], step):
            seen.append((i, carried))
            carried = [value(carried, i, data[i - self.lower], inputs["b"]) for _, value in self.chosen]
        return seen, carried


def loops() -> st.SearchStrategy[Loop]:
    number, tensor = st.sampled_from(sorted(NUMBERS)), st.sampled_from(sorted(TENSORS))
    updates = st.tuples(number, number, tensor, tensor)
    return st.builds(Loop, updates, st.sampled_from([0, 2, -1]), st.sampled_from([1, 2, 3, None]))


def single(value: Abstract) -> Dim:
    (number,) = numbers(value).values()
    return number


def bound(known: dict[Variable, int], values: Sequence[Abstract], really: Sequence[int]) -> None:
    """Bind the variables that stand for values, and see that every value is what it really is."""
    pairs = [(single(value), number) for value, number in zip(values, really, strict=True)]
    for size, number in pairs:
        variable = single_variable(size)
        if variable is not None:
            assert known.setdefault(variable, number) == number, f"{variable} is {known[variable]} and {number}"
            assert variable.lower is None or variable.lower <= number
    for size, number in pairs:
        assert evaluate(size, known) == number, size


@examples(60)
@given(
    loops(),
    st.fixed_dictionaries(
        {"n": st.integers(-2, 7), "a": st.integers(0, 5), "b": st.integers(0, 3), "s": st.integers(1, 4)}
    ),
    st.lists(st.integers(0, 3), min_size=10, max_size=10),
)
def test_loop_invariants_hold_in_concrete_runs(loop: Loop, inputs: dict[str, int], data: list[int]) -> None:
    trace = trace_of(loop.text)
    iterations, end = loop.run(inputs, data)
    for counter, carried in iterations:
        known = at_inputs(trace, inputs)
        enter = next(event for event in trace.events if isinstance(event, Enter))
        assert enter.condition is not None
        of_counter = single(trace.values[inside(trace)[0]])
        (variable,) = of_counter.variables
        known[variable] = counter if of_counter is of_atom(variable) else (counter - loop.lower) // (loop.step or 1)
        bound(known, [trace.values[each] for each in inside(trace)[1:]], carried)
        assert holds(enter.condition.formula, known), enter.condition.formula
    known = at_inputs(trace, inputs)
    assert trace.results is not None
    bound(known, trace.results, end)
    for fact in said_after(trace):
        assert holds(fact.formula, known), fact.formula


def at_inputs(trace: Trace, inputs: Mapping[str, int]) -> dict[Variable, int]:
    return {each: inputs[each.name] for each in trace.input_variables if each.name in inputs}


def inside(trace: Trace) -> Sequence[Value]:
    (loop,) = (op for op in trace.reached if op.name == "scf.for")
    return loop.regions[0].blocks[0].arguments


def said_after(trace: Trace) -> list[Fact]:
    """Return the exit facts about the loop's results."""
    end = max(at for at, each in enumerate(trace.events) if isinstance(each, Leave))
    return [each for each in trace.events[end:] if isinstance(each, Fact) and "every iteration" in each.because]


def ends(updates: tuple[str, str, str, str], lower: int = 0, step: int | None = 1) -> list[str]:
    trace = trace_of(Loop(updates, lower, step).text)
    assert trace.results is not None
    return [str(single(each)) for each in trace.results]


def test_numbers_that_grow_by_the_same_are_exact() -> None:
    trace = trace_of(Loop(("plus three", "plus b", "grown by three", "grown by b"), 0, 1).text)
    assert all(each.is_undefined for each in trace.approximations)  # what tensor.empty holds
    assert trace.results is not None
    assert [str(single(each)) for each in trace.results[:2]] == ["a + 3*max(0, n)", "b*max(0, n) + a"]
    for a, b, n in product(range(3), range(3), range(-1, 4)):
        known = at_inputs(trace, {"a": a, "b": b, "n": n, "s": 1})
        bound(known, trace.results, [a + 3 * max(0, n), a + b * max(0, n)] * 2)
        for extent in trace.results[2:]:  # nothing but that number fits what is said
            variable = single_variable(single(extent))
            assert variable is not None
            right = known[variable]
            fits = [k for k in range(20) if all(holds(f.formula, {**known, variable: k}) for f in said_after(trace))]
            assert fits == [right]


@pytest.mark.parametrize("updates", [("plus data", "plus data", "grown by data", "grown by data")])
def test_numbers_that_change_alike_stay_equal(updates: tuple[str, str, str, str]) -> None:
    first, second, third, fourth = ends(updates)
    assert first == second
    assert third == fourth
    assert len({first, third}) == 2


def test_numbers_that_change_differently_are_told_apart() -> None:
    assert len(set(ends(("plus data", "plus the counter", "grown by data", "cut")))) == 4


def test_changes_in_one_direction_and_by_multiples_are_kept() -> None:
    trace = trace_of(Loop(("plus data", "kept", "kept", "kept"), 0, 1).text)
    said = [str(fact.formula) for fact in said_after(trace)]
    assert any("% 6 == 0" in each for each in said), said
    assert any(">= a" in each or ">=" in each for each in said), said
