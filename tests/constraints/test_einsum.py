"""Rules for operations that StableHLO's verifier takes with any shapes, against their lowering to linalg."""

from __future__ import annotations

import random
from itertools import product

import pytest
from support.claims_at_sizes import broken, result_shapes, shared_context, trace_of

from shapesolve.ir import bindings

SUMS = ["ij,jk->ki", "bij,bjk->bik", "ij,kl->ilkj", "ij,ij->", "ii,ij->j", "i,i->i", "ij,jk->i", ",ij->ji"]


def _type(extents: tuple[int, ...] | list[int] | str) -> str:
    return f"tensor<{''.join(f'{each}x' for each in extents)}f32>"


def _swallow(_: bindings.Bindings) -> bool:
    return True


def _lowers(text: str) -> bool:
    context = shared_context()
    handler = context.attach_diagnostic_handler(_swallow)
    try:
        with context:
            module = bindings.ir().Module.parse(text)
            manager = bindings.passmanager().PassManager.parse("builtin.module(stablehlo-legalize-to-linalg)")
            manager.run(module.operation)
            assert "stablehlo" not in str(module)
    except bindings.ir().MLIRError:
        return False
    finally:
        handler.detach()
    return True


def _einsum(letters: str, first: str, second: str, result: str) -> str:
    return (
        f'func.func @f(%a: {first}, %b: {second}) -> {result} {{\n  %0 = stablehlo.einsum %a, %b, config = "{letters}"'
        f" : ({first}, {second}) -> {result}\n  return %0 : {result}\n}}"
    )


@pytest.mark.slow
@pytest.mark.parametrize("letters", SUMS)
def test_sums_of_products_are_lowered_where_no_claim_is_broken(letters: str) -> None:
    inputs, _, outputs = letters.partition("->")
    first, second = inputs.split(",")
    text = _einsum(letters, _type("?" * len(first)), _type("?" * len(second)), _type("?" * len(outputs)))
    trace = trace_of(text)
    assert not trace.approximations
    samples = list(product((1, 2, 3), repeat=len(first + second)))
    outcomes: set[bool] = set()
    for sample in random.Random(letters).sample(samples, min(40, len(samples))):
        a, b = sample[: len(first)], sample[len(first) :]
        sizes = {f"a[{i}]": size for i, size in enumerate(a)} | {f"b[{i}]": size for i, size in enumerate(b)}
        (result,) = result_shapes(trace, sizes)
        assert isinstance(result, tuple)
        is_right = not broken(trace, sizes)
        assert _lowers(_einsum(letters, _type(a), _type(b), _type(result))) == is_right, (a, b, result)
        if is_right and result:
            wrong = (result[0] + 1, *result[1:])
            assert not _lowers(_einsum(letters, _type(a), _type(b), _type(wrong))), (a, b, wrong)
        outcomes.add(is_right)
    has_pairs = len(set(first + second)) < len(first + second)
    assert outcomes == ({True, False} if has_pairs else {True})


def _select(a: str, i: str, result: str, along: int, batches: int) -> str:
    return (
        f"func.func @f(%a: {a}, %i: {i}) -> {result} {{\n"
        f'  %0 = "stablehlo.torch_index_select"(%a, %i) <{{dim = {along} : i64, batch_dims = {batches} : i64}}>'
        f" : ({a}, {i}) -> {result}\n  return %0 : {result}\n}}"
    )


@pytest.mark.slow
@pytest.mark.parametrize(("along", "batches"), [(0, 0), (1, 0), (1, 1), (2, 1), (-1, 0), (-2, -1)])
def test_lookups_by_index_are_lowered_where_the_batches_are_equal(along: int, batches: int) -> None:
    rank = 4 - batches % 2  # the operand has three dimensions, the indices two
    trace = trace_of(_select("tensor<?x?x?xf32>", "tensor<?x?xi32>", f"tensor<{'?x' * rank}f32>", along, batches))
    outcomes: set[bool] = set()
    for a, i in product(product((2, 3), (2, 4), (3, 5)), product((2, 3), (1, 4))):
        sizes = {f"a[{n}]": size for n, size in enumerate(a)} | {f"i[{n}]": size for n, size in enumerate(i)}
        (result,) = result_shapes(trace, sizes)
        assert isinstance(result, tuple)
        is_right = not [each for each in broken(trace, sizes) if each.endswith("C1")]
        text = _select(_type(a), _type(i).replace("f32", "i32"), _type(result), along, batches)
        assert _lowers(text) == is_right, (a, i, result)
        outcomes.add(is_right)
    assert outcomes == ({True, False} if batches else {True})
