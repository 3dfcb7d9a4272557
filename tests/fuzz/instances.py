"""Random instances of operations with static sizes from 0 to 4, against MLIR's verifier and its type inference.

An instance is written twice: with `?` for every size, where the rule says what it demands of them and what comes out,
and with numbers, where MLIR's verifier takes it or not, and MLIR infers the result's type where the operation can.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from fuzz import families
from support.claims_at_sizes import broken, is_modeled, result_shapes, trace_of
from support.written_programs import Written

from shapesolve.ir import bindings

LARGEST = 4
Chance = random.Random


@dataclass(frozen=True)
class Instance:
    """``text`` in which sizes are written as ``(n)`` and those of the result as ``(r0)``, ``(r1)``, ...

    ``least`` is the smallest size that a type of the dialect may state. ``seen`` says whether the verifier looks at
    everything that the rule demands; where it does not, it may accept more, and never less.
    """

    op: str
    text: str
    least: int = 0
    seen: bool = True


def _type(prefix: str, rank: int, element: str = "f32") -> str:
    return f"tensor<{''.join(f'({prefix}{axis})x' for axis in range(rank))}{element}>"


def _one(op: str, operands: list[str], result: str, attributes: str = "", head: Iterable[str] = ()) -> str:
    names = [f"%{chr(97 + number)}" for number in range(len(operands))]
    given = ", ".join(f"{name}: {type}" for name, type in zip(names, operands, strict=True))
    shapes = [line.split(" = ")[0].strip() for line in head]
    kinds = [line.rpartition("-> ")[2] for line in head]
    body = "\n".join(f"  {line}" for line in head)
    used, types = ", ".join([*names, *shapes]), ", ".join([*operands, *kinds])
    return (
        f"func.func @f({given}) -> {result} {{\n{body}\n"
        f'  %0 = "{op}"({used}) {attributes} : ({types}) -> {result}\n  return %0 : {result}\n}}'
    )


def _const_shape(name: str, numbers: list[int]) -> str:
    values = f"{{values = dense<{numbers}> : tensor<{len(numbers)}xindex>}}"
    return f'%{name} = "tosa.const_shape"() {values} : () -> !tosa.shape<{len(numbers)}>'


def _elementwise(chance: Chance) -> Instance:
    rank = chance.choice((1, 2, 3))
    if chance.random() < 0.5:
        op = chance.choice(("tosa.add", "tosa.sub", "tosa.maximum", "tosa.minimum", "tosa.pow"))
        return Instance(op, _one(op, [_type("n", rank), _type("m", rank)], _type("r", rank)), 1)
    op = chance.choice(
        ("stablehlo.add", "stablehlo.multiply", "stablehlo.maximum", "stablehlo.atan2", "stablehlo.power")
    )
    return Instance(op, _one(op, [_type("n", rank), _type("m", rank)], _type("r", rank)))


def _compared(chance: Chance) -> Instance:
    rank = chance.choice((1, 2, 3))
    op = chance.choice(("tosa.greater", "tosa.greater_equal", "tosa.equal"))
    return Instance(op, _one(op, [_type("n", rank), _type("m", rank)], _type("r", rank, "i1")), 1)


def _select(chance: Chance) -> Instance:
    rank = chance.choice((1, 2))
    if chance.random() < 0.5:
        operands = [_type("n", rank, "i1"), _type("m", rank), _type("p", rank)]
        return Instance("tosa.select", _one("tosa.select", operands, _type("r", rank)), 1)
    operands = [_type("n", rank, "i1"), _type("m", rank), _type("p", rank)]
    return Instance("stablehlo.select", _one("stablehlo.select", operands, _type("r", rank)))


def _unary(chance: Chance) -> Instance:
    rank = chance.choice((1, 2, 3))
    names = ("tosa.abs", "tosa.exp", "tosa.tanh", "tosa.log", "tosa.ceil", "tosa.sigmoid", "tosa.rsqrt", "tosa.erf")
    more = (
        "stablehlo.abs",
        "stablehlo.cosine",
        "stablehlo.sqrt",
        "stablehlo.tanh",
        "stablehlo.negate",
        "stablehlo.ceil",
    )
    op = chance.choice((*names, *more))
    return Instance(op, _one(op, [_type("n", rank)], _type("r", rank)), 1 if op in names else 0)


def _concat(chance: Chance) -> Instance:
    rank, count = chance.choice((1, 2, 3)), chance.choice((1, 2, 3))
    axis = chance.randrange(rank)
    operands = [_type(chr(110 + number) if number < 3 else "z", rank) for number in range(count)]
    op, attributes, least = chance.choice(
        (
            ("tosa.concat", f"{{axis = {axis} : i32}}", 1),
            ("stablehlo.concatenate", f"{{dimension = {axis} : i64}}", 0),
            ("tensor.concat", f"{{dim = {axis} : i64}}", 0),
        )
    )
    return Instance(op, _one(op, operands, _type("r", rank), attributes), least)


def _transpose(chance: Chance) -> Instance:
    rank = chance.choice((1, 2, 3, 4))
    order = ", ".join(map(str, chance.sample(range(rank), rank)))
    if chance.random() < 0.5:
        text = _one("tosa.transpose", [_type("n", rank)], _type("r", rank), f"{{perms = array<i32: {order}>}}")
        return Instance("tosa.transpose", text, 1)
    attributes = f"{{permutation = array<i64: {order}>}}"
    return Instance(
        "stablehlo.transpose", _one("stablehlo.transpose", [_type("n", rank)], _type("r", rank), attributes)
    )


def _reduce(chance: Chance) -> Instance:
    rank = chance.choice((1, 2, 3))
    axis = chance.randrange(rank)
    op = chance.choice(("tosa.reduce_sum", "tosa.reduce_max", "tosa.reduce_min", "tosa.reduce_product"))
    return Instance(op, _one(op, [_type("n", rank)], _type("r", rank), f"{{axis = {axis} : i32}}"), 1)


def _scaled(chance: Chance) -> Instance:
    """Operations with constants beside their tensors: a shift, or what stands for zero."""
    rank = chance.choice((1, 2, 3))
    if chance.random() < 0.5:
        shift = '%z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>'
        text = _one("tosa.mul", [_type("n", rank), _type("m", rank)], _type("r", rank), "", [shift])
        return Instance("tosa.mul", text, 1)
    zero = '%z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>'
    text = _one("tosa.negate", [_type("n", rank)], _type("r", rank), "", [zero, zero.replace("%z", "%y")])
    return Instance("tosa.negate", text, 1)


def _reduce_flags(chance: Chance) -> Instance:
    rank = chance.choice((1, 2, 3))
    op = chance.choice(("tosa.reduce_all", "tosa.reduce_any"))
    attributes = f"{{axis = {chance.randrange(rank)} : i32}}"
    return Instance(op, _one(op, [_type("n", rank, "i1")], _type("r", rank, "i1"), attributes), 1)


def _sorted(chance: Chance) -> Instance:
    rank = chance.choice((1, 2))
    order = (
        "({\n  ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
        '    %l = "stablehlo.compare"(%x, %y) {comparison_direction = #stablehlo<comparison_direction LT>} : '
        "(tensor<f32>, tensor<f32>) -> tensor<i1>\n    stablehlo.return %l : tensor<i1>\n  })"
    )
    attributes = f"{order} {{dimension = {chance.randrange(rank)} : i64, is_stable = true}}"
    return Instance("stablehlo.sort", _one("stablehlo.sort", [_type("n", rank)], _type("r", rank), attributes))


def _mapped(chance: Chance) -> Instance:
    rank = chance.choice((1, 2))
    sum_of = (
        "({\n  ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n    %s = stablehlo.add %x, %y : tensor<f32>\n"
        "    stablehlo.return %s : tensor<f32>\n  })"
    )
    attributes = f"{sum_of} {{dimensions = array<i64: {_listed(range(rank))}>}}"
    text = _one("stablehlo.map", [_type("n", rank), _type("m", rank)], _type("r", rank), attributes)
    return Instance("stablehlo.map", text)


def _repeated(chance: Chance) -> Instance:
    rank, more = chance.choice((1, 2)), [chance.choice((1, 2, 3)) for _ in range(chance.choice((1, 2)))]
    attributes = f"{{broadcast_sizes = array<i64: {_listed(more)}>}}"
    text = _one("stablehlo.broadcast", [_type("n", rank)], _type("r", rank + len(more)), attributes)
    return Instance("stablehlo.broadcast", text)


def _argmax(chance: Chance) -> Instance:
    rank = chance.choice((2, 3))
    axis = chance.randrange(rank)
    text = _one("tosa.argmax", [_type("n", rank)], _type("r", rank - 1, "i32"), f"{{axis = {axis} : i32}}")
    return Instance("tosa.argmax", text, 1)


def _reverse(chance: Chance) -> Instance:
    rank = chance.choice((1, 2, 3))
    axis = chance.randrange(rank)
    if chance.random() < 0.5:
        text = _one("tosa.reverse", [_type("n", rank)], _type("r", rank), f"{{axis = {axis} : i32}}")
        return Instance("tosa.reverse", text, 1)
    text = _one("stablehlo.reverse", [_type("n", rank)], _type("r", rank), f"{{dimensions = array<i64: {axis}>}}")
    return Instance("stablehlo.reverse", text)


def _matmul(chance: Chance) -> Instance:
    point = '%z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>'
    lines = [point, point.replace("%z", "%y")]
    return Instance("tosa.matmul", _one("tosa.matmul", [_type("n", 3), _type("m", 3)], _type("r", 3), "", lines), 1)


def _pad(chance: Chance) -> Instance:
    rank = chance.choice((1, 2))
    low, high = ([chance.choice((0, 1, 2)) for _ in range(rank)] for _ in range(2))
    if chance.random() < 0.5:
        amounts = [each for pair in zip(low, high, strict=True) for each in pair]
        value = '%z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>'
        lines = [_const_shape("s", amounts), value]
        return Instance("tosa.pad", _one("tosa.pad", [_type("n", rank)], _type("r", rank), "", lines), 1)
    gaps = [chance.choice((0, 0, 1, 2)) for _ in range(rank)]
    low = [each - chance.choice((0, 0, 1)) for each in low]
    attributes = (
        f"{{edge_padding_low = array<i64: {_listed(low)}>, edge_padding_high = array<i64: {_listed(high)}>, "
        f"interior_padding = array<i64: {_listed(gaps)}>}}"
    )
    text = _one("stablehlo.pad", [_type("n", rank)], _type("r", rank), attributes).replace('"(%a)', '"(%a, %v)')
    text = text.replace(") ->", ", %v: tensor<f32>) ->", 1).replace(
        f": ({_type('n', rank)})", f": ({_type('n', rank)}, tensor<f32>)"
    )
    return Instance("stablehlo.pad", text)


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def _slice(chance: Chance) -> Instance:
    rank = chance.choice((1, 2, 3))
    starts = [chance.choice((0, 0, 1, 2)) for _ in range(rank)]
    sizes = [chance.choice((1, 2, 3)) for _ in range(rank)]
    if chance.random() < 0.4:
        lines = [_const_shape("s", starts), _const_shape("t", sizes)]
        return Instance("tosa.slice", _one("tosa.slice", [_type("n", rank)], _type("r", rank), "", lines), 1)
    limits = [start + size for start, size in zip(starts, sizes, strict=True)]
    strides = [chance.choice((1, 1, 2, 3)) for _ in range(rank)]
    attributes = (
        f"{{start_indices = array<i64: {_listed(starts)}>, limit_indices = array<i64: {_listed(limits)}>, "
        f"strides = array<i64: {_listed(strides)}>}}"
    )
    return Instance("stablehlo.slice", _one("stablehlo.slice", [_type("n", rank)], _type("r", rank), attributes))


def _tile(chance: Chance) -> Instance:
    rank = chance.choice((1, 2))
    line = _const_shape("s", [chance.choice((1, 2, 3)) for _ in range(rank)])
    return Instance("tosa.tile", _one("tosa.tile", [_type("n", rank)], _type("r", rank), "", [line]), 1)


def _gather(chance: Chance) -> Instance:
    operands = [_type("n", 3), _type("m", 2, "i32")]
    return Instance("tosa.gather", _one("tosa.gather", operands, _type("r", 3)), 1)


def _dot(chance: Chance) -> Instance:
    left, right = chance.choice((2, 3)), chance.choice((2, 3))
    batches = chance.choice((0, 1))
    mine, theirs = chance.sample(range(left), batches + 1), chance.sample(range(right), batches + 1)
    numbers = (
        f"lhs_batching_dimensions = [{_listed(mine[:batches])}], "
        f"rhs_batching_dimensions = [{_listed(theirs[:batches])}], "
        f"lhs_contracting_dimensions = [{mine[-1]}], rhs_contracting_dimensions = [{theirs[-1]}]"
    )
    rank = left + right - 2 - batches
    attributes = f"{{dot_dimension_numbers = #stablehlo.dot<{numbers}>}}"
    text = _one("stablehlo.dot_general", [_type("n", left), _type("m", right)], _type("r", rank), attributes)
    return Instance("stablehlo.dot_general", text)


def _linalg(chance: Chance) -> Instance:
    op, ranks, elements = chance.choice(families.STRUCTURED)
    letters = iter("nmpqsuvw")
    types = [
        _type(next(letters), rank, element) if rank >= 0 else element
        for rank, element in zip(ranks, elements, strict=True)
    ]
    names = [f"%{letter}" for letter in "abcdegh"[: len(types)]]
    given = ", ".join(f"{name}: {type}" for name, type in zip(names, types, strict=True))
    ins, kinds, out = ", ".join(names[:-1]), ", ".join(types[:-1]), types[-1]
    text = (
        f"func.func @f({given}) -> {out} {{\n  %0 = {op} ins({ins} : {kinds}) outs({names[-1]} : {out}) -> {out}\n"
        f"  return %0 : {out}\n}}"
    )
    return Instance(op, text)


def _same_shape(chance: Chance) -> Instance:
    """An operation on one, two or three tensors whose shapes are all the same."""
    op, elements, result, attributes = chance.choice(families.SAME_SHAPE)
    rank = chance.choice((1, 2, 3))
    operands = [_type(letter, rank, element) for letter, element in zip("nmp", elements, strict=False)]
    return Instance(op, _one(op, operands, _type("r", rank, result), attributes), int(op.startswith("tosa.")))


KINDS: tuple[Callable[[Chance], Instance], ...] = (
    _elementwise, _compared, _select, _unary, _concat, _transpose, _reduce, _argmax, _reverse, _matmul, _pad, _slice,
    _tile, _gather, _dot, _linalg, _linalg, _linalg, _same_shape, _same_shape, _same_shape, _scaled, _reduce_flags,
    _sorted, _mapped, _repeated,
)  # fmt: skip
EMPTY_IS_FREE = "linalg."
"""Prefix of operations whose instances with a size of 0 are not compared: the verifier requires too much (loops that do
not run) or too little (an empty result)."""
DEMANDS_OF_DATA = ("math.clampf",)
"""Operations whose requirements on tensor contents are not modeled."""

UNVERIFIED = {"tosa.tile", "tosa.gather"}
"""Operations for which this verifier accepts more than the rule requires."""
SAMPLES = 12


def disagreements(seed: int, counts: Counter[str]) -> list[str]:
    """Return the differences between the rule and MLIR on the instance of a seed."""
    chance = random.Random(seed)
    return described_instance(chance.choice(KINDS)(chance), chance, counts)


def described_instance(instance: Instance, chance: Chance, counts: Counter[str]) -> list[str]:
    """Return the differences between the rule and MLIR on an instance, at some sizes."""
    written = Written(instance.op, instance.text)
    trace = trace_of(written.dynamic())
    if not is_modeled(trace) and instance.op not in DEMANDS_OF_DATA:
        return [f"{instance.op} is not modeled: {trace.approximations}"]
    found: list[str] = []
    for _ in range(SAMPLES):
        sizes = _sizes(written, chance, instance.least)
        claims = broken(trace, written.inputs(sizes))
        (result,) = result_shapes(trace, written.inputs(sizes))
        assert isinstance(result, tuple)
        if instance.least and any(extent < instance.least for extent in result):
            continue  # not a type
        if instance.op.startswith(EMPTY_IS_FREE) and 0 in sizes.values():
            continue
        computed = {f"r{index}": max(extent, 0) for index, extent in enumerate(result)}
        static = written.static({**sizes, **computed})
        is_accepted = accepted(static)
        counts["instances"] += 1
        counts[f"instances {'accepted' if is_accepted else 'refused'}"] += 1
        if is_accepted and claims and instance.op not in UNVERIFIED:
            found.append(f"{instance.op} {sizes}: MLIR accepts it, and the rule breaks {claims}")
        if not is_accepted and not claims:
            found.append(f"{instance.op} {sizes} -> {result}: MLIR refuses it, and the rule breaks nothing")
        if is_accepted and not claims:
            inferred = inferred_shape(re.sub(r"\(r\d+\)x", "?x", _open(written, sizes)), instance.op)
            counts["instances inferred"] += inferred is not None
            if inferred is not None and inferred != result:
                found.append(f"{instance.op} {sizes}: MLIR infers {inferred}, the rule {result}")
    return found


def _open(written: Written, sizes: dict[str, int]) -> str:
    """The text with numbers for the sizes of the operands only."""
    return re.sub(r"\((\w+)\)x", lambda size: f"{sizes[size[1]]}x" if size[1] in sizes else size[0], written.text)


def _sizes(written: Written, chance: Chance, least: int) -> dict[str, int]:
    """Sizes that often agree: otherwise hardly anything would be accepted."""
    few = chance.sample(range(least, LARGEST + 1), 2)
    same = chance.random() < 0.5
    by_axis: dict[str, int] = {}
    sizes: dict[str, int] = {}
    for name in written.names:
        number = chance.choice(few) if chance.random() < 0.8 else chance.randint(least, LARGEST)
        sizes[name] = by_axis.setdefault(name[1:], number) if same and chance.random() < 0.9 else number
    return sizes


def inferred_shape(text: str, op: str) -> tuple[int, ...] | None:
    """The shape that MLIR infers for the operation whose result's sizes are left open; None where it infers none."""
    ir = bindings.ir()
    inference = INFERENCES.get(op.partition(".")[0])
    if inference is None:
        return None
    with _context(), ir.Location.unknown():
        module = ir.Module.parse(text.replace("@f(", "@main("))
        bindings.passmanager().PassManager.parse(f"builtin.module({inference})").run(module.operation)
        found = [
            each.results[0].type
            for function in module.body.operations
            for each in function.regions[0].blocks[0].operations
            if each.operation.name == op
        ]
        if len(found) != 1 or any(extent < 0 for extent in found[0].shape):
            return None
        return tuple(found[0].shape)


INFERENCES = {"tosa": "func.func(tosa-infer-shapes)", "stablehlo": "stablehlo-refine-shapes"}


@cache
def _context() -> Any:
    """Return the context of all instances, since creating one is the largest cost."""
    bindings.register_stablehlo_passes()
    context = bindings.new_context()
    context.attach_diagnostic_handler(_swallow)
    return context


def _swallow(diagnostic: Any) -> bool:
    return True


def accepted(text: str) -> bool:
    """Return whether MLIR's verifier takes the module."""
    with _context():
        try:
            bindings.ir().Module.parse(text)
        except bindings.ir().MLIRError:
            return False
    return True
