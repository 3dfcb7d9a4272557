"""Programs that compute on tensors of indices from arguments, executed before and after pruning.

They run on negative elements, too. Some of the tensors are taken for shapes on some of the ways: what is believed of
them there is believed nowhere else.
"""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from support.examples import examples
from support.pruned_programs import prune

from shapesolve.execution.execution import Execution, Input, ScalarInput, TensorInput
from shapesolve.execution.runner import execute_many

CONTENTS = ((-1,), (0, 2), (-2, 1), (1, -9), (3, 0), (2, 2))
TESTS = ("sge", "sgt", "slt", "sle", "ne", "eq")

Step = tuple[str, int, int, str]


@st.composite
def programs(draw: st.DrawFn) -> tuple[str, bool]:
    """A function of two tensors of indices and a truth value, and whether it takes one for a shape on some way."""
    kinds = ("assert", "assert", "assert", "if", "shape", "shape_on_one_way")
    step = st.tuples(st.sampled_from(kinds), st.integers(0, 1), st.integers(-1, 2), st.sampled_from(TESTS))
    lines = ["%sum0 = arith.constant 0 : index"]
    steps = draw(st.lists(step, min_size=2, max_size=6))
    for number, each in enumerate(steps):
        lines += _lines(each, number, draw(st.sampled_from(("%s", "%t"))))
    body = "\n".join(f"  {line}" for line in lines)
    text = (
        "func.func @f(%s: tensor<?xindex>, %t: tensor<?xindex>, %b: i1) -> index {\n"
        "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
        f"{body}\n  return %sum{len(steps)} : index\n}}\n"
    )
    return text, any("shape" in kind for kind, *_ in steps)


def _lines(step: Step, number: int, tensor: str) -> list[str]:
    kind, place, against, test = step
    read = [
        f"%i{number} = tensor.extract {tensor}[%c{place}] : tensor<?xindex>",
        f"%k{number} = arith.constant {against} : index",
        f"%q{number} = arith.cmpi {test}, %i{number}, %k{number} : index",
    ]
    add = [f"%sum{number + 1} = arith.addi %sum{number}, %v{number} : index"]
    shape = f"shape.get_extent {tensor}, %c{place} : tensor<?xindex>, index -> index"
    match kind:
        case "assert":
            same = f"%v{number} = arith.addi %i{number}, %k{number} : index"
            return [*read, f'cf.assert %q{number}, "number {number}"', same, *add]
        case "if":
            yields = (f"scf.yield %{name}{number} : index" for name in "ik")
            choice = f"%v{number} = scf.if %q{number} -> index {{ {' } else { '.join(yields)} }}"
            return [*read, choice, *add]
        case "shape":
            return [f"%v{number} = {shape}", *add]
        case _:
            taken = f"%e{number} = {shape}\n  scf.yield %e{number} : index"
            return [f"%v{number} = scf.if %b -> index {{ {taken} }} else {{ scf.yield %c0 : index }}", *add]


def _arguments() -> list[list[Input]]:
    pairs = product(CONTENTS, CONTENTS, (0, 1))
    return [[TensorInput((len(s),), s), TensorInput((len(t),), t), ScalarInput(b)] for s, t, b in pairs]


def _natural(arguments: list[Input]) -> bool:
    """Return whether all elements are sizes, and none is read beyond the end."""
    tensors = [each for each in arguments if isinstance(each, TensorInput)]
    return all(number >= 0 for each in tensors for number in each.values or ())


def _long(arguments: list[Input]) -> bool:
    return all(len(each.values or ()) == 2 for each in arguments if isinstance(each, TensorInput))


def _ran(text: str, runs: list[list[Input]]) -> list[Execution]:
    return execute_many(text, "f", runs, runtime_checks=False)


@pytest.mark.exhaustive
@given(programs())
@examples(30, HealthCheck.too_slow)
def test_a_pruned_program_does_the_same_on_negative_elements(program: tuple[str, bool]) -> None:
    text, takes_for_a_shape = program
    pruned = prune(text)
    believed = "a tensor holds sizes" in " ".join(pruned.notes)
    assert takes_for_a_shape or not believed
    runs = [each for each in _arguments() if _long(each) and (not believed or _natural(each))]
    before, after = _ran(text, runs), _ran(pruned.text, runs)
    for arguments, one, other in zip(runs, before, after, strict=True):
        assert (one.outcome, one.message, one.result_extents) == (other.outcome, other.message, other.result_extents), (
            text,
            pruned.text,
            arguments,
        )
