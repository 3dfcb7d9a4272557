"""Control: functions, blocks, structured loops and branches, affine."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from fuzz.integer_ops import flags_of, raise_unsupported
from fuzz.machine import (
    TERMINATORS,
    Array,
    Block,
    Compiler,
    Ending,
    Env,
    Step,
    Stop,
    bits,
    handles,
    outside,
    place_of,
    row_major,
    signed,
    undefined,
    width_of,
)
from fuzz.stated_ops import any_results, holds, named

SEARCH = 1000
"""Fuel that a call of a function without a body takes."""
Leave = Callable[[Env], tuple[Block | None, tuple[Any, ...]]]


def spread(env: Env, slots: tuple[int, ...], values: tuple[Any, ...]) -> None:
    """Store the results of an operation."""
    for slot, value in zip(slots, values, strict=True):
        env[slot] = value


def _yields(c: Compiler, op: Any, block_of: Callable[[Any], Block]) -> Leave:
    slots = c.slots(op.operands)
    return lambda env: (None, tuple([env[slot] for slot in slots]))


def _return(c: Compiler, op: Any, block_of: Callable[[Any], Block]) -> Leave:
    function, place, leave = c.function, place_of(op), _yields(c, op, block_of)
    if function is None or not function.ensures:
        return leave
    entry = op.operation.parent.regions[0].blocks[0]
    arguments, ensures = c.slots(entry.arguments), function.ensures

    def checked(env: Env) -> tuple[Block | None, tuple[Any, ...]]:
        target, values = leave(env)
        names = named([env[slot] for slot in arguments], values)
        if not all(holds(text, names) for text in ensures):
            raise undefined(place, "what is ensured does not hold")
        return target, values

    return checked


TERMINATORS["func.return"] = _return
for _name in (
    "scf.yield", "scf.condition", "scf.reduce", "scf.forall.in_parallel", "affine.yield", "tensor.yield",
    "linalg.yield", "memref.alloca_scope.return", "shape.assuming_yield", "shape.yield", "stablehlo.return",
):  # fmt: skip
    TERMINATORS[_name] = _yields


def _branch(c: Compiler, op: Any, block_of: Callable[[Any], Block]) -> Leave:
    slots, target = c.slots(op.operands), block_of(op.operation.successors[0])
    return lambda env: (target, tuple([env[slot] for slot in slots]))


def _conditional_branch(c: Compiler, op: Any, block_of: Callable[[Any], Block]) -> Leave:
    condition, *rest = c.slots(op.operands)
    count = list(op.attributes["operandSegmentSizes"])[1]
    then, other = (block_of(each) for each in op.operation.successors)
    first, second = tuple(rest[:count]), tuple(rest[count:])

    def leave(env: Env) -> tuple[Block | None, tuple[Any, ...]]:
        if env[condition] + 0:
            return then, tuple([env[slot] for slot in first])
        return other, tuple([env[slot] for slot in second])

    return leave


def _switch(c: Compiler, op: Any, block_of: Callable[[Any], Block]) -> Leave:
    flag, *rest = c.slots(op.operands)
    width = width_of(op.operands[0].type)
    default_count = list(op.attributes["operandSegmentSizes"])[1]
    attributes = op.attributes
    values = [signed(int(each), width) for each in attributes["case_values"]] if "case_values" in attributes else []
    counts = list(attributes["case_operand_segments"])
    targets = [block_of(each) for each in op.operation.successors]
    default = tuple(rest[:default_count])
    starts = [default_count + sum(counts[:index]) for index in range(len(counts))]
    given = [tuple(rest[start : start + count]) for start, count in zip(starts, counts, strict=True)]

    def leave(env: Env) -> tuple[Block | None, tuple[Any, ...]]:
        for value, target, slots in zip(values, targets[1:], given, strict=True):
            if env[flag] + 0 == value:
                return target, tuple([env[slot] for slot in slots])
        return targets[0], tuple([env[slot] for slot in default])

    return leave


TERMINATORS["cf.br"] = _branch
TERMINATORS["cf.cond_br"] = _conditional_branch
TERMINATORS["cf.switch"] = _switch


@handles("cf.assert")
def _assert(c: Compiler, op: Any) -> Step:
    (p,), place, message = c.slots(op.operands), place_of(op), op.attributes["msg"].value

    def step(env: Env) -> None:
        if not env[p] + 0:
            raise Stop(Ending.ABORTED, place, message)

    return step


@handles("func.call")
def _call(c: Compiler, op: Any) -> Step:
    callee = c.machine.functions.get(op.attributes["callee"].value)
    if callee is None:
        raise_unsupported(op)
        raise AssertionError
    slots, results, machine, place = c.slots(op.operands), c.slots(op.results), c.machine, place_of(op)

    def step(env: Env) -> None:
        given = [env[slot] for slot in slots]
        names = named(given)
        if not all(holds(text, names) for text in callee.requires):
            raise undefined(place, "what is required does not hold")
        if callee.entry is None:
            machine.fuel -= SEARCH
            if machine.fuel < 0:
                raise outside("it runs for too long")
            spread(env, results, any_results(callee.name, callee.result_types, callee.ensures, given))
            return
        spread(env, results, machine.call(callee, given))

    return step


@handles("scf.if")
def _if(c: Compiler, op: Any) -> Step:
    (p,), results = c.slots(op.operands), c.slots(op.results)
    then = c.inline(op.regions[0])
    other = c.inline(op.regions[1]) if len(op.regions[1].blocks) else None

    def step(env: Env) -> None:
        if env[p] + 0:
            spread(env, results, then(env, ()))
        elif other is not None:
            spread(env, results, other(env, ()))

    return step


@handles("scf.execute_region", "memref.alloca_scope")
def _execute_region(c: Compiler, op: Any) -> Step:
    body, results = c.inline(op.regions[0]), c.slots(op.results)
    return lambda env: spread(env, results, body(env, ()))


@handles("scf.index_switch")
def _index_switch(c: Compiler, op: Any) -> Step:
    (flag,), results = c.slots(op.operands), c.slots(op.results)
    default, *cases = [c.inline(region) for region in op.regions]
    by_value = dict(zip(list(op.attributes["cases"]), cases, strict=True))
    return lambda env: spread(env, results, by_value.get(env[flag] + 0, default)(env, ()))


@handles("scf.for")
def _for(c: Compiler, op: Any) -> Step:
    lower, upper, step_by, *carried = c.slots(op.operands)
    body, results, place = c.inline(op.regions[0]), c.slots(op.results), place_of(op)
    width = width_of(op.operands[0].type)
    unsigned = "unsignedCmp" in op.attributes

    def step(env: Env) -> None:
        begin, end, by = env[lower] + 0, env[upper] + 0, env[step_by] + 0
        if unsigned:
            begin, end, by = bits(begin, width), bits(end, width), bits(by, width)
        if by <= 0:
            raise undefined(place, "the step of a loop is not positive")
        values = tuple([env[slot] for slot in carried])
        most = (1 << width) - 1 if unsigned else (1 << (width - 1)) - 1
        trips = max(0, -(-(end - begin) // by))
        if begin + trips * by > most and width == 64:
            raise outside("64-bit arithmetic wraps")
        if begin + trips * by > most:
            raise undefined(place, "the counter of a loop is not representable")
        for counter in range(begin, end, by):
            values = body(env, (signed(counter, width), *values))
        spread(env, results, values)

    return step


@handles("scf.while")
def _while(c: Compiler, op: Any) -> Step:
    slots, results = c.slots(op.operands), c.slots(op.results)
    before, after = (c.inline(region) for region in op.regions)

    def step(env: Env) -> None:
        values = tuple([env[slot] for slot in slots])
        while True:
            goes_on, *passed = before(env, values)
            if not goes_on + 0:
                spread(env, results, tuple(passed))
                return
            values = after(env, tuple(passed))

    return step


@handles("scf.parallel")
def _parallel(c: Compiler, op: Any) -> Step:
    lowers, uppers, steps, initial = list(op.attributes["operandSegmentSizes"])
    slots = c.slots(op.operands)
    if initial:
        raise_unsupported(op)
    body, place = c.inline(op.regions[0]), place_of(op)

    def step(env: Env) -> None:
        values = [env[slot] + 0 for slot in slots]
        bounds = list(zip(values[:lowers], values[lowers : lowers + uppers], values[-steps:], strict=True))
        if any(by <= 0 for _, _, by in bounds):
            raise undefined(place, "the step of a loop is not positive")

        def nest(rest: list[tuple[int, int, int]], counters: tuple[int, ...]) -> None:
            if not rest:
                body(env, counters)
                return
            for counter in range(*rest[0]):
                nest(rest[1:], (*counters, counter))

        nest(bounds, ())

    return step


# Affine ---------------------------------------------------------------------------------------------------------------


def affine_expression(expression: Any, dims: int) -> Callable[[list[int]], int]:
    """An affine expression as a function of its dimensions followed by its symbols."""
    from shapesolve.ir import bindings

    ir = bindings.ir()
    if isinstance(expression, ir.AffineConstantExpr):
        value = expression.value
        return lambda given: int(value)
    if isinstance(expression, ir.AffineDimExpr):
        position = expression.position
        return lambda given: int(given[position])
    if isinstance(expression, ir.AffineSymbolExpr):
        place = expression.position + dims
        return lambda given: int(given[place])
    whole = expression
    left, right = affine_expression(whole.lhs, dims), affine_expression(whole.rhs, dims)
    if isinstance(expression, ir.AffineAddExpr):
        return lambda given: left(given) + right(given)
    if isinstance(expression, ir.AffineMulExpr):
        return lambda given: left(given) * right(given)

    def divided(given: list[int]) -> tuple[int, int]:
        over, by = left(given), right(given)
        if by <= 0:
            raise ZeroDivisionError
        return over, by

    if isinstance(expression, ir.AffineModExpr):
        return lambda given: divided(given)[0] % divided(given)[1]
    if isinstance(expression, ir.AffineFloorDivExpr):
        return lambda given: divided(given)[0] // divided(given)[1]
    return lambda given: -(-divided(given)[0] // divided(given)[1])


def affine_map(live: Any) -> Callable[[list[int]], list[int]]:
    """An affine map as a function of its dimensions followed by its symbols."""
    results = [affine_expression(each, live.n_dims) for each in live.results]
    return lambda given: [each(given) for each in results]


def _applied(name: str, combined: Callable[[list[int]], int]) -> None:
    @handles(name)
    def make(c: Compiler, op: Any) -> Step:
        of, slots = affine_map(op.attributes["map"].value), c.slots(op.operands)
        r, place = c.slot(op.results[0]), place_of(op)

        def step(env: Env) -> None:
            try:
                env[r] = combined(of([env[slot] + 0 for slot in slots]))
            except ZeroDivisionError:
                raise undefined(place, "division of an affine map") from None
            if env[r] != signed(env[r], 64):
                raise outside("64-bit arithmetic wraps")

        return step


_applied("affine.apply", lambda values: values[0])
_applied("affine.min", min)
_applied("affine.max", max)


@handles("affine.for")
def _affine_for(c: Compiler, op: Any) -> Step:
    attributes = op.attributes
    lowers, uppers, _ = list(attributes["operandSegmentSizes"])
    slots, by = c.slots(op.operands), attributes["step"].value
    lower, upper = affine_map(attributes["lowerBoundMap"].value), affine_map(attributes["upperBoundMap"].value)
    body, results, place = c.inline(op.regions[0]), c.slots(op.results), place_of(op)

    def step(env: Env) -> None:
        values = [env[slot] for slot in slots]
        try:
            begin, end = max(lower(values[:lowers])), min(upper(values[lowers : lowers + uppers]))
        except ZeroDivisionError:
            raise undefined(place, "division of an affine map") from None
        carried = tuple(values[lowers + uppers :])
        for counter in range(begin, end, by):
            carried = body(env, (counter, *carried))
        spread(env, results, carried)

    return step


def _integer_set(attribute: Any) -> list[tuple[Callable[[list[int]], int], bool]]:
    """The constraints of a set: an expression, and whether it is 0 or only not negative."""
    from shapesolve.ir import bindings

    head, _, rest = str(attribute).removeprefix("affine_set<").removesuffix(">").partition(" : (")
    texts = rest.removesuffix(")").split(", ")
    sides = ", ".join(each.rpartition("==" if "==" in each else ">=")[0] for each in texts)
    map = bindings.ir().Attribute.parse(f"affine_map<{head} -> ({sides})>", attribute.context).value
    of = [affine_expression(each, map.n_dims) for each in map.results]
    return [(each, "==" in text) for each, text in zip(of, texts, strict=True)]


@handles("affine.parallel")
def _affine_parallel(c: Compiler, op: Any) -> Step:
    attributes = op.attributes
    if len(op.operands) or len(op.results):
        raise_unsupported(op)
    lower, upper = (affine_map(attributes[name].value)([]) for name in ("lowerBoundsMap", "upperBoundsMap"))
    steps, body = [int(each.value) for each in attributes["steps"]], c.inline(op.regions[0])
    if len(lower) != len(steps) or len(upper) != len(steps):
        raise_unsupported(op)

    def step(env: Env) -> None:
        for counters in product(*(range(*bounds) for bounds in zip(lower, upper, steps, strict=True))):
            body(env, counters)

    return step


@handles("affine.if")
def _affine_if(c: Compiler, op: Any) -> Step:
    constraints = _integer_set(op.attributes["condition"])
    slots, results, place = c.slots(op.operands), c.slots(op.results), place_of(op)
    then = c.inline(op.regions[0])
    other = c.inline(op.regions[1]) if len(op.regions[1].blocks) else None

    def step(env: Env) -> None:
        given = [env[slot] + 0 for slot in slots]
        try:
            found = [(of(given), exact) for of, exact in constraints]
        except ZeroDivisionError:
            raise undefined(place, "division of an affine set") from None
        if all(value == 0 if exact else value >= 0 for value, exact in found):
            spread(env, results, then(env, ()))
        elif other is not None:
            spread(env, results, other(env, ()))

    return step


@handles("affine.load", "affine.store")
def _affine_access(c: Compiler, op: Any) -> Step:
    from fuzz.buffer_ops import read, write

    stores = op.operation.name == "affine.store"
    slots, of = c.slots(op.operands), affine_map(op.attributes["map"].value)
    place, r = place_of(op), None if stores else c.slot(op.results[0])
    buffer, first = (slots[1], 2) if stores else (slots[0], 1)

    def step(env: Env) -> None:
        array: Array = env[buffer]
        try:
            indices = of([env[slot] + 0 for slot in slots[first:]])
        except ZeroDivisionError:
            raise undefined(place, "division of an affine map") from None
        if r is None:
            write(array, indices, env[slots[0]], place)
        else:
            env[r] = read(array, indices, place)

    return step


@handles("affine.delinearize_index")
def _delinearize(c: Compiler, op: Any) -> Step:
    linear, *sizes = c.slots(op.operands)
    static, results, place = list(op.attributes["static_basis"]), c.slots(op.results), place_of(op)

    def step(env: Env) -> None:
        waiting = iter(sizes)
        basis = [env[next(waiting)] + 0 if each == -(2**63) else each for each in static]
        if any(each <= 0 for each in basis):
            raise outside("a basis that is not positive")
        inner = basis[1:] if len(basis) == len(results) else basis
        rest, found = env[linear] + 0, []
        for size in reversed(inner):
            found.append(rest % size)
            rest //= size
        spread(env, results, (rest, *reversed(found)))
        if place == (-1, -1):
            raise AssertionError

    return step


@handles("affine.linearize_index")
def _linearize(c: Compiler, op: Any) -> Step:
    if flags_of(op):
        raise_unsupported(op)
    counts = list(op.attributes["operandSegmentSizes"])
    slots, static, r = c.slots(op.operands), list(op.attributes["static_basis"]), c.slot(op.results[0])

    def step(env: Env) -> None:
        values = [env[slot] + 0 for slot in slots]
        waiting = iter(values[counts[0] :])
        basis = [next(waiting) if each == -(2**63) else each for each in static]
        if any(each < 0 for each in basis):
            raise outside("a negative basis")
        indices = values[: counts[0]]
        shape = basis if len(basis) == len(indices) else [0, *basis]
        env[r] = sum(index * stride for index, stride in zip(indices, row_major(shape), strict=True))

    return step
