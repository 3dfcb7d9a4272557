"""Tests of loops and branches: preserved values, unmodeled ones, and runs."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pytest
from support.claims_at_sizes import trace_of

from shapesolve.domain.values import Tensor
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import evaluate, evaluate_shape, holds
from shapesolve.symbolic.formula_kinds import TRUE
from shapesolve.trace.events import Enter, Leave, Trace


def loop(carried: str, body: str, results: str, count: str = "%n") -> Trace:
    """A loop from 0 to ``count`` over tensors a and b of unknown size and an index z."""
    names = [part.split("=")[0].strip() for part in carried.split(",")]
    types = results.split(", ")
    returned = ", ".join(f"%r#{i}" for i in range(len(names))) if len(names) > 1 else "%r"
    many = f":{len(names)}" if len(names) > 1 else ""
    return trace_of(f"""
    func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index, %z: index) -> ({results}) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %r{many} = scf.for %i = %c0 to {count} step %c1 iter_args({carried}) -> ({", ".join(types)}) {{
        {body}
      }}
      return {returned} : {results}
    }}""")


def extent(trace: Trace, result: int = 0) -> Dim:
    assert trace.results is not None
    value = trace.results[result]
    assert isinstance(value, Tensor)
    return value.shape.extent(0)


def free(trace: Trace) -> frozenset[object]:
    return frozenset[object]().union(*(approximation.free for approximation in trace.approximations))


T = "tensor<?xf32>"
CONCAT = "%d = tensor.concat dim(0) %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>"


def test_loop_invariant_values_are_kept() -> None:
    trace = loop("%x = %a, %y = %b", f"scf.yield %x, %y : {T}, {T}", f"{T}, {T}")
    assert (str(extent(trace)), str(extent(trace, 1))) == ("a[0]", "b[0]")
    assert not trace.approximations


def test_swapped_tensors_are_followed() -> None:
    trace = loop("%x = %a, %y = %b", f"scf.yield %y, %x : {T}, {T}", f"{T}, {T}")
    assert not trace.approximations
    for n in range(-2, 6):
        sizes = {v: {"a[0]": 5, "b[0]": 7, "n": n}[v.name] for v in trace.input_variables if v.name != "z"}
        found = [evaluate(extent(trace, result), sizes) for result in range(2)]
        assert found == ([7, 5] if n > 0 and n % 2 else [5, 7])


def test_a_growing_tensor_is_followed_and_its_neighbour_kept() -> None:
    trace = loop("%x = %a, %y = %b", f"{CONCAT}\nscf.yield %d, %y : {T}, {T}", f"{T}, {T}")
    assert str(extent(trace)) == "b[0]*max(0, n) + a[0]"
    assert str(extent(trace, 1)) == "b[0]"
    assert not trace.approximations


def test_a_tensor_that_grows_by_what_is_computed_is_let_go_of_and_its_neighbour_kept() -> None:
    body = f"%e = tensor.concat dim(0) %x, %x : ({T}, {T}) -> {T}\nscf.yield %e, %y : {T}, {T}"
    trace = loop("%x = %a, %y = %b", body, f"{T}, {T}")
    assert extent(trace).variables <= free(trace)
    assert str(extent(trace, 1)) == "b[0]"


def test_a_rotation_of_many_settles() -> None:
    carried = ", ".join(f"%x{i} = {'%a' if i else '%b'}" for i in range(12))
    rotated = ", ".join(f"%x{(i + 1) % 12}" for i in range(12))
    types = ", ".join([T] * 12)
    trace = loop(carried, f"scf.yield {rotated} : {types}", types)
    assert all(extent(trace, i).variables <= free(trace) for i in range(12))


def test_a_chain_longer_than_the_trials_is_followed_one_by_one() -> None:
    # Each iteration moves the change one place on: x0 takes b, x1 takes x0, x2 takes x1, ...
    carried = ", ".join(f"%x{i} = %a" for i in range(12))
    yielded = ", ".join(["%b"] + [f"%x{i}" for i in range(11)])
    types = ", ".join([T] * 12)
    trace = loop(carried, f"scf.yield {yielded} : {types}", types)
    for n in range(-1, 14):
        sizes = {v: {"a[0]": 5, "b[0]": 7, "n": n}[v.name] for v in trace.input_variables if v.name != "z"}
        assert [evaluate(extent(trace, i), sizes) for i in range(12)] == [7 if n > i else 5 for i in range(12)]


def test_nested_loops_keep_what_neither_changes_and_follow_what_grows() -> None:
    inner = f"""
        %p:2 = scf.for %j = %c0 to %z step %c1 iter_args(%u = %x, %v = %y) -> ({T}, {T}) {{
          %w = arith.addf %u, %a : {T}
          %e = tensor.concat dim(0) %v, %u : ({T}, {T}) -> {T}
          scf.yield %w, %e : {T}, {T}
        }}
        scf.yield %p#0, %p#1 : {T}, {T}"""
    trace = loop("%x = %a, %y = %b", inner, f"{T}, {T}")
    assert str(extent(trace)) == "a[0]"
    for a, b, n, z in product(range(3), range(3), range(-1, 4), range(-1, 4)):
        sizes = {v: {"a[0]": a, "b[0]": b, "n": n, "z": z}[v.name] for v in trace.input_variables}
        assert evaluate(extent(trace, 1), sizes) == b + a * max(0, n) * max(0, z)
    (claim,) = (o for o in trace.obligations if o.op.name == "arith.addf")
    assert claim.claim is TRUE


def test_a_claim_inside_is_about_any_iteration() -> None:
    body = f"%w = arith.addf %x, %a : {T}\n{CONCAT}\nscf.yield %d, %y : {T}, {T}"
    trace = loop("%x = %a, %y = %b", body, f"{T}, {T}")
    (claim,) = (o for o in trace.obligations if o.op.name == "arith.addf")
    assert str(claim.claim) == "%i*b[0] == 0"  # x has a[0] + i*b[0] elements


@pytest.mark.parametrize("count", range(6))
def test_loops_are_followed_whether_their_count_is_known_or_not(count: int) -> None:
    body = f"{CONCAT}\n%t = arith.addi %s, %i : index\nscf.yield %d, %y, %t : {T}, {T}, index"
    trace = loop("%x = %a, %y = %b, %s = %z", body, f"{T}, {T}, index", "%n")
    assert not trace.approximations and trace.results is not None
    given = {v: {"a[0]": 5, "b[0]": 3, "n": count, "z": 10}[v.name] for v in trace.input_variables}
    assert evaluate(extent(trace), given) == 5 + 3 * count
    assert isinstance(trace.results[2], Dim)
    assert evaluate(trace.results[2], given) == 10 + sum(range(count))
    constant = trace_of(f"""
    func.func @f(%a: {T}, %b: {T}) -> ({T}, index) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %k = arith.constant {count} : index
      %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%x = %a, %s = %c0) -> ({T}, index) {{
        %d = tensor.concat dim(0) %x, %b : ({T}, {T}) -> {T}
        %t = arith.addi %s, %i : index
        scf.yield %d, %t : {T}, index
      }}
      return %r#0, %r#1 : {T}, index
    }}""")
    assert not constant.approximations
    assert constant.results is not None
    sizes = {variable: {"a[0]": 5, "b[0]": 3}[variable.name] for variable in constant.input_variables}
    tensor, total = constant.results
    assert isinstance(tensor, Tensor)
    assert isinstance(total, Dim)
    assert evaluate_shape(tensor.shape, sizes) == (5 + 3 * count,)
    assert evaluate(total, sizes) == sum(range(count))


def conditions(trace: Trace) -> tuple[Enter, Leave]:
    enter = next(event for event in trace.events if isinstance(event, Enter))
    leave = next(event for event in trace.events if isinstance(event, Leave))
    return enter, leave


@pytest.mark.parametrize("step", [1, 2, 3, None])
def test_the_counter_takes_exactly_the_numbers_of_the_loop(step: int | None) -> None:
    constant = f"%st = arith.constant {step} : index" if step else "%st = arith.addi %s, %s0 : index"
    trace = trace_of(f"""
    func.func @f(%lo: index, %hi: index, %s: index) {{
      %s0 = arith.constant 0 : index
      {constant}
      scf.for %i = %lo to %hi step %st {{
        %c = arith.cmpi eq, %i, %hi : index
        cf.assert %c, "seen"
      }}
      return
    }}""")
    enter, leave = conditions(trace)
    seen = next(o for o in trace.obligations if o.op.name == "cf.assert")
    assert enter.condition is not None
    assert leave.runs is not None
    formula = enter.condition.formula
    (counter,) = {v for v in (formula.variables | seen.claim.variables) if v.name not in ("lo", "hi", "s")}
    for lo, hi in product(range(-3, 4), repeat=2):
        steps = [step] if step else [1, 2, 3]
        for s in steps:
            known = {"lo": lo, "hi": hi, "s": s}
            taken: set[int] = set()
            for value in range(-4, 9):
                sizes = {v: known.get(v.name, value) for v in formula.variables | seen.claim.variables}
                if counter.lower is not None and value < counter.lower:
                    continue
                if holds(formula, sizes):
                    taken.add(lo + s * value if counter.name.endswith("round") else value)
            numbers = list(range(lo, hi, s))
            assert taken == set(numbers), (lo, hi, s)
            runs = {v: known[v.name] for v in leave.runs.variables}
            assert holds(leave.runs, runs) == bool(numbers)


def claims(trace: Trace, sizes: Mapping[str, int]) -> list[str]:
    return [
        f"{o.op.name} {o.clause}"
        for o in trace.obligations
        if not holds(o.claim, {v: sizes[v.name] for v in o.claim.variables})
    ]


def test_narrow_counters_must_not_wrap() -> None:
    trace = trace_of("""
    func.func @f(%lo: i8, %hi: i8, %s: i8) {
      scf.for %i = %lo to %hi step %s : i8 {
      }
      return
    }""")
    for lo, hi, s in product((-128, -3, 0, 100, 127), (-128, 0, 5, 120, 127), (-1, 0, 1, 2, 7, 100)):
        expected: list[str] = []
        if s < 1:
            expected.append("scf.for C1")
        elif lo < hi and lo + len(range(lo, hi, s)) * s > 127:
            expected.append("scf.for C2")
        got = claims(trace, {"lo": lo, "hi": hi, "s": s})
        assert got == expected or (s < 1 and got[:1] == expected), (lo, hi, s)


def test_a_while_loop_keeps_what_it_passes_through() -> None:
    trace = trace_of(f"""
    func.func @f(%a: {T}, %n: index) -> ({T}, index, {T}) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %r:3 = scf.while (%i = %c0, %x = %a) : (index, {T}) -> ({T}, index, {T}) {{
        %c = arith.cmpi slt, %i, %n : index
        scf.condition(%c) %x, %i, %a : {T}, index, {T}
      }} do {{
      ^bb0(%y: {T}, %j: index, %aa: {T}):
        %k = arith.addi %j, %c1 : index
        %d = tensor.concat dim(0) %y, %aa : ({T}, {T}) -> {T}
        %e = arith.addf %aa, %a : {T}
        scf.yield %k, %d : index, {T}
      }}
      return %r#0, %r#1, %r#2 : {T}, index, {T}
    }}""")
    assert str(extent(trace)) == "a[0]*max(0, n) + a[0]"
    assert str(extent(trace, 2)) == "a[0]"
    assert trace.results is not None
    assert str(trace.results[1]) == "max(0, n)"
    assert [o.claim for o in trace.obligations if o.op.name == "arith.addf"] == [TRUE]


def test_results_of_branches_have_what_both_branches_have() -> None:
    trace = trace_of(f"""
    func.func @f(%a: {T}, %b: {T}, %n: index) -> ({T}, {T}, index) {{
      %c1 = arith.constant 1 : index
      %c = arith.cmpi sgt, %n, %c1 : index
      %0 = scf.if %c -> {T} {{
        scf.yield %a : {T}
      }} else {{
        scf.yield %b : {T}
      }}
      %1 = scf.index_switch %n -> {T} case 2 {{ scf.yield %a : {T} }} case 5 {{ scf.yield %b : {T} }} default {{
        %e = scf.execute_region -> {T} {{ scf.yield %0 : {T} }}
        scf.yield %e : {T}
      }}
      %2 = scf.if %c -> index {{ scf.yield %n : index }} else {{ scf.yield %c1 : index }}
      return %0, %1, %2 : {T}, {T}, index
    }}""")
    assert trace.results is not None
    first, second, number = trace.results
    assert isinstance(first, Tensor)
    assert isinstance(second, Tensor)
    assert isinstance(number, Dim)
    for n in range(-1, 7):
        sizes = {v: {"a[0]": 10, "b[0]": 20, "n": n}[v.name] for v in trace.input_variables}
        branch = 10 if n > 1 else 20
        assert evaluate_shape(first.shape, sizes) == (branch,)
        assert evaluate_shape(second.shape, sizes) == ({2: 10, 5: 20}.get(n, branch),)
        assert evaluate(number, sizes) == max(n, 1)
    conditions = [e.condition.formula for e in trace.events if isinstance(e, Enter) and e.condition is not None]
    for n in range(-1, 7):  # exactly one of two branches and one of three cases runs
        sizes = {v: {"a[0]": 10, "b[0]": 20, "n": n}[v.name] for v in trace.input_variables}
        assert sum(holds(formula, sizes) for formula in conditions) == 3


def test_a_loop_all_at_once_keeps_the_shape_of_what_it_shares() -> None:
    trace = trace_of(f"""
    func.func @f(%a: {T}, %n: index) -> {T} {{
      %r = scf.forall (%i) in (%n) shared_outs(%o = %a) -> ({T}) {{
        %s = tensor.extract_slice %a[%i] [1] [1] : {T} to tensor<1xf32>
        scf.forall.in_parallel {{
          tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into {T}
        }}
      }}
      return %r : {T}
    }}""")
    assert str(extent(trace)) == "a[0]"
    assert not trace.approximations
