"""Differential test of rules against MLIR's verifier and type inference, on random static sizes.

The verifier must accept in types whatever sizes a rule accepts, and infer the same result sizes. Operations of the
cases get other attributes and `?` for extents, and then sizes in their place. Instances that the verifier accepts and a
rule rejects are listed. MLIR itself may crash on an attribute, so all of this runs in a child process, which is started
again behind the seed that killed it.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from support.claims_at_sizes import broken, is_modeled, result_shapes
from support.lone_operations import (
    Corpus,
    LoneOperation,
    of_shape,
    unknown_extents,
    with_extents,
    with_unknown_extents,
    written_extents,
)

from shapesolve.domain.values import Tensor
from shapesolve.execution import sandbox
from shapesolve.interpreter.function_interpreter import interpret
from shapesolve.interpreter.inputs import make_inputs
from shapesolve.ir import bindings
from shapesolve.ir.bindings import Bindings
from shapesolve.ir.reader import read_module
from shapesolve.semantics.registry import load_rules
from shapesolve.trace.events import Obligation, Trace

pytestmark = pytest.mark.slow

DIALECTS = {"stablehlo": range(900), "chlo": range(200), "tosa": range(900), "tm_tensor": range(100)}
"""Seeds for each."""
SIZES = range(5)
SAMPLES = 8
MOST_DEATHS = 20
MEMORY = 4 << 30
COMPARED = Path(__file__).with_name("static_instances.json")
"""The operations of each dialect that are compared: the page docs/compared.md names them."""

TESTS = str(Path(__file__).parents[1])


@pytest.mark.exhaustive
@pytest.mark.parametrize("dialect", DIALECTS)
def test_programs_that_a_rule_accepts_pass_the_verifier(dialect: str) -> None:
    seeds, deaths, compared = DIALECTS[dialect], 0, set[str]()
    wrong: dict[str, str] = {}
    while True:
        command = [sys.executable, __file__, dialect, str(seeds.start), str(seeds.stop)]
        paths = {**os.environ, "PYTHONPATH": TESTS}
        child = subprocess.run(command, capture_output=True, text=True, check=False, timeout=540, env=paths)
        answers = [json.loads(line) for line in child.stdout.splitlines() if line.endswith("}")]
        compared |= {each["compared"] for each in answers if each.get("compared")}
        for each in answers:
            for what, where in each.get("wrong", {}).items():
                wrong.setdefault(what, where)
        if child.returncode == 0:
            break
        assert child.returncode < 0, child.stderr  # a signal: MLIR has died
        seeds, deaths = range(max(each.get("seed", 0) for each in answers) + 1, seeds.stop), deaths + 1
        assert deaths <= MOST_DEATHS
    assert not wrong, "\n\n".join(f"{what}\n{where}" for what, where in wrong.items())
    listed = set(json.loads(COMPARED.read_text(encoding="utf-8"))[dialect])
    assert listed <= compared, f"not compared: {sorted(listed - compared)}, perhaps {sorted(compared - listed)}"


def _child(dialect: str, seeds: range) -> None:
    corpus = Corpus([dialect])
    for seed in seeds:
        print(json.dumps({"seed": seed}), flush=True)
        dice = random.Random(seed)
        op = dice.choice(corpus.by_name[dice.choice(sorted(corpus.by_name))])
        with op.context, bindings.ir().Location.unknown(op.context):
            wrong = _compared(op, dice)
        print(json.dumps({"compared": op.name if wrong is not None else "", "wrong": wrong or {}}), flush=True)


def _compared(op: Bindings, dice: random.Random) -> Mapping[str, str] | None:
    """Return the disagreements by instance, or None if no instance is conclusive."""
    lone = LoneOperation(op, dice)
    if any(type.startswith("tuple<") for type in lone.results):
        return None
    if dice.random() < 0.6:
        lone.change_attributes(dice)
    share = dice.choice((1, 0.7, 0.4))
    arguments = [with_unknown_extents(type, dice, share) for type in lone.arguments]
    results = [with_unknown_extents(type, dice, 1) for type in lone.results]
    if not lone.retype(arguments, results):
        results = lone.results
        if not lone.retype(arguments, results):
            return None
    text = str(lone.module)
    if op.name == "stablehlo.dynamic_pad" and "xui8>" in text:  # the verifier takes 200 for -56
        return None
    program = read_module(lone.module)
    trace = interpret(program, make_inputs(program.functions["alone"]), load_rules())
    names = unknown_extents(arguments)
    if not is_modeled(trace) or not _only_of_sizes(trace, names):
        return None
    takes_none = op.name.startswith(("stablehlo.", "chlo.")) and op.name not in NOT_EMPTY
    least = 0 if takes_none else 1  # docs/soundness.md says how the others differ there
    choices = sorted({size for size in (*written_extents(lone.arguments), *SIZES) if size >= least})
    wrong: dict[str, str] = {}
    for _ in range(SAMPLES if names else 1):
        usual = dice.choice(choices)
        sizes = {name: usual if dice.random() < 0.5 else dice.choice(choices) for name in names}
        types = with_extents(arguments, sizes)
        if min(written_extents(types), default=least) < least:
            continue
        for what in _differences(lone, trace, sizes, types, results):
            wrong.setdefault(what, f"{text}{types}")
    says_something = any(type.startswith("tensor<") for type in results)
    return wrong if says_something or wrong else None


def _differences(
    lone: LoneOperation, trace: Trace, sizes: Mapping[str, int], types: Sequence[str], results: Sequence[str]
) -> list[str]:
    shapes = result_shapes(trace, sizes)
    extents = {at: [max(extent, 0) for extent in shape] for at, shape in enumerate(shapes) if isinstance(shape, tuple)}
    if lone.op.name.startswith("tosa.") and any(0 in each for each in extents.values()):
        return []
    exact = [of_shape(type, extents[at]) if at in extents else type for at, type in enumerate(results)]
    accepted, claims = lone.retype(types, exact), broken(trace, sizes)
    if claims:
        return [f"{claim} is not what the verifier demands" for claim in claims if accepted and claim not in UNSEEN]
    if not accepted:
        return [f"{lone.op.name}: the verifier takes none of what the rule does"]
    found: list[str] = []
    for at, type in enumerate(exact):
        longer = of_shape(type, [*extents[at][:-1], extents[at][-1] + 1]) if extents.get(at) else type
        if longer != type and lone.op.name not in LOOSE and lone.retype(types, [*exact[:at], longer, *exact[at + 1 :]]):
            found.append(f"{lone.op.name}: the verifier takes other extents for result {at}, too")
    return found


def _only_of_sizes(trace: Trace, names: Sequence[str]) -> bool:
    """Return whether nothing but the unknown extents decides what is claimed, and how large the results are."""
    decided = [event.claim for event in trace.events if isinstance(event, Obligation)]
    shapes = [each.shape for each in trace.results or () if isinstance(each, Tensor)]
    return all(variable.name in names for each in (*decided, *shapes) for variable in each.variables)


UNSEEN = {
    *(f"chlo.broadcast_{name} C1" for name in ("add", "compare", "multiply", "select")),
    "stablehlo.custom_call C2",
    "stablehlo.einsum C1",
    "stablehlo.real_dynamic_slice C1",
    "stablehlo.reduce_scatter C1",
    "stablehlo.rng_bit_generator C1",
    "stablehlo.torch_index_select C1",
    "stablehlo.torch_index_select C2",
    "stablehlo.unary_einsum C1",
    "tm_tensor.scatter C3",
    *(f"tosa.{name} C1" for name in ("conv2d", "conv3d", "depthwise_conv2d", "transpose_conv2d")),
    "tosa.gather C2",
    "tosa.row_gather C2",
    "tosa.scatter C4",
    "tosa.scatter C5",
    "tosa.table C1",
}
"""Requirements of rules that the verifier does not check: on the values of indices, and those of a specification alone.
"""

NOT_EMPTY = {"stablehlo.all_gather", "stablehlo.reduce_scatter"}
"""Operations of which the verifier, but no specification, refuses what is empty."""

LOOSE = {
    *(f"stablehlo.{name}" for name in ("broadcast_in_dim", "custom_call", "dynamic_conv", "iota", "rng_bit_generator")),
    *(f"stablehlo.{name}" for name in ("einsum", "torch_index_select", "unary_einsum")),  # no shape is looked at
    *(f"stablehlo.{name}" for name in ("all_gather", "reduce_scatter")),  # any multiple will do
    "stablehlo.real_dynamic_slice",  # places that are constants are not looked at
    "stablehlo.set_dimension_size",  # nor is a size that is a constant
    *(f"tosa.{kind}_pool2d{form}" for kind in ("avg", "max") for form in ("", "_adaptive")),
    *(f"tosa.{name}" for name in ("conv2d", "conv3d", "depthwise_conv2d", "transpose_conv2d")),
    "tosa.identity",
    "tosa.resize",
    "tosa.slice",  # with a size of -1
    "tosa.tile",
}
"""Operations whose results may have what last extent the type says, or one that the verifier does not look at."""


if __name__ == "__main__":
    sandbox.limit(600, MEMORY, open_files=64)
    with bindings.without_dialect_classes():
        _child(sys.argv[1], range(int(sys.argv[2]), int(sys.argv[3])))
