"""Our profiles against the real mlir-opt, on generated operations. Runs for the versions that are installed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

import pytest
from traits.mlir_opt import VERSIONS, Question, complaints, crashes, tool
from traits.observed import CLAUSES_OF_MESSAGES

from shapesolve.traits.inference_tables import shape_of_text
from shapesolve.traits.profiles import ARITHMETIC, BITWISE, COMPARISONS, DIVISIONS, UNARY, profile_named
from shapesolve.traits.verifier import ExtentRequirement, TypedValue, verify

EXTENTS = ("?", "0", "1", "2", "3")

pytestmark = [pytest.mark.mlir_opt, pytest.mark.slow]


@pytest.fixture(params=VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if tool(name) is None:
        pytest.skip(f"mlir-opt-{name} is not installed (Debian: mlir-{name}-tools)")
    return name


def _broken(version: str, question: Question) -> ExtentRequirement | None:
    operands = [TypedValue(shape_of_text(text), "tensor", question.element) for text in question.operands]
    if question.also:
        operands.append(TypedValue((), "tensor", question.element))
    result = TypedValue(shape_of_text(question.result), "tensor", question.result_element)
    return verify(operands, [result], profile_named(f"mlir-{version}").rules_for(question.op)).broken


def _compare(version: str, questions: Sequence[Question]) -> None:
    wrong: list[object] = []
    demands = [_broken(version, question) for question in questions]
    messages = complaints(version, questions, [broken is None for broken in demands])
    for question, broken, message in zip(questions, demands, messages, strict=True):
        if (broken is None) != (message is None):
            wrong.append((question, message, broken))
        elif broken is not None and message is not None:
            about = next((clauses for words, clauses in CLAUSES_OF_MESSAGES if words in message), None)
            if about is not None and broken.clause not in about:
                wrong.append((question, message, broken))
    assert not wrong, wrong[:5]


@cache
def _shapes() -> tuple[str, ...]:
    """Return all shapes of ranks 0 to 3 over the extents, and the unranked one."""
    ranked = ("x".join(parts) for rank in (1, 2, 3) for parts in product(EXTENTS, repeat=rank))
    return ("*", "()", *ranked)


def _sampled(op: str, count: int, operands: int, seed: int) -> Iterator[Question]:
    """Shapes that are near enough to each other to be accepted about every other time."""
    source = random.Random(seed)
    for _ in range(count):
        goal = [source.choice(EXTENTS[1:]) for _ in range(source.randrange(4))]
        shapes = [_near(source, goal) for _ in range(operands + 1)]
        yield Question(op, tuple(shapes[:-1]), shapes[-1])


def _near(source: random.Random, goal: Sequence[str]) -> str:
    if source.random() < 0.08:
        return source.choice(_shapes())
    kept = list(goal[source.randrange(len(goal) + 1) if source.random() < 0.3 else 0 :])
    parts = [source.choices((part, "?", "1", source.choice(EXTENTS)), (6, 3, 1, 0.5))[0] for part in kept]
    return "x".join(parts) or "()"


def test_all_pairs_of_one_column(version: str) -> None:
    _compare(version, [Question("test.broadcastable", (a, b), r) for a, b, r in product(EXTENTS, repeat=3)])


def test_all_triples_of_one_column(version: str) -> None:
    columns = product(EXTENTS, EXTENTS, EXTENTS, ("?", "0", "1", "2"))
    _compare(version, [Question("test.broadcastable", (a, b, c), r) for a, b, c, r in columns])


def test_one_operand_of_any_shape(version: str) -> None:
    source = random.Random(1)
    pairs = source.sample(list(product(_shapes(), repeat=2)), 1500)
    _compare(version, [Question("test.broadcastable", (a,), r) for a, r in pairs])


@pytest.mark.parametrize("operands", [2, pytest.param(3, marks=pytest.mark.exhaustive)])
def test_ranks_up_to_three(version: str, operands: int) -> None:
    questions = list(_sampled("test.broadcastable", 1500, operands, operands))
    accepted = sum(_broken(version, question) is None for question in questions)
    assert accepted > 300, "too few are accepted to say much"
    _compare(version, questions)


@pytest.mark.parametrize("operands", [2, 3])
def test_unranked_operands_are_accepted_as_by_mlir_opt(version: str, operands: int) -> None:
    few = ("*", "()", "?", "1", "2", "3", "0", "2x3", "?x3")
    _compare(version, [Question("test.broadcastable", shapes[:-1], shapes[-1]) for shapes in _of(few, operands + 1)])


def _of(few: Sequence[str], count: int) -> list[tuple[str, ...]]:
    every = list(product(few, repeat=count))
    return every if len(every) <= 800 else random.Random(5).sample(every, 800)


def _tosa(version: str, op: str, operands: tuple[str, ...], result: str) -> Question:
    element = "i32" if op in BITWISE or op in DIVISIONS.values() else "f32"
    element = "i1" if op.startswith("tosa.logical") and not op.endswith("shift") else element
    attributes = {"tosa.arithmetic_right_shift": " {round = false}"}.get(op, "")
    also = ""
    if op == "tosa.mul":
        attributes = {"16": " {shift = 0 : i32}", "19": " {shift = 0 : i8}"}.get(version, "")
        also = "tensor<1xi8>" if version == "22" else ""
    return Question(op, operands, result, element, "i1" if op in COMPARISONS else element, attributes, also)


def test_tosa_binary_operations(version: str) -> None:
    few = ("?", "0", "1", "2", "*", "2x?", "()")
    names = [*ARITHMETIC, *BITWISE, *COMPARISONS, DIVISIONS[version], "tosa.mul"]
    if version == "16":
        names.remove("tosa.equal")  # it crashes, and takes the rest of the questions along
    source = random.Random(7)
    shapes = list(product(few, repeat=3))
    chosen = [(name, *shape) for name in names for shape in source.sample(shapes, 90)]
    _compare(version, [_tosa(version, name, (a, b), result) for name, a, b, result in chosen])


def test_tosa_add_of_all_ranks(version: str) -> None:
    _compare(version, list(_sampled("tosa.add", 1000, 2, 11)))


def test_tosa_abs_is_accepted_as_by_mlir_opt(version: str) -> None:
    pairs = random.Random(3).sample(list(product(_shapes(), repeat=2)), 600)
    _compare(version, [Question("tosa.abs", (a,), r) for a, r in pairs])


@pytest.mark.parametrize("op", UNARY)
def test_tosa_unary_operations(version: str, op: str) -> None:
    few = ("?", "0", "1", "2", "3", "*", "2x?", "()", "2x2", "1x2")
    element = {"tosa.bitwise_not": "i32", "tosa.clz": "i32", "tosa.logical_not": "i1"}.get(op, "f32")
    attributes = also = ""
    if op == "tosa.clamp":
        old = " {min_int = 0 : i64, max_int = 1 : i64, min_fp = 0.0 : f32, max_fp = 1.0 : f32}"
        attributes = " {min_val = 0.0 : f32, max_val = 1.0 : f32}" if version == "22" else old
    if op == "tosa.negate" and version == "22":
        also = "tensor<1xf32>, tensor<1xf32>"
    results = (element, "i8" if op == "tosa.cast" else element)
    _compare(
        version,
        [
            Question(op, (a,), r, element, other, attributes, also)
            for a, r in product(few, repeat=2)
            for other in dict.fromkeys(results)
        ],
    )


def test_the_crashes_of_tosa_equal_in_16(version: str) -> None:
    if version != "16":
        return
    few = ("?", "1", "2", "*")
    questions = [_tosa("16", "tosa.equal", (a, b), r) for a, b, r in product(few, few, ("?", "2"))]
    survived: list[Question] = []
    for question in questions:
        broken = _broken("16", question)
        crashed = broken is not None and broken.clause == "C16"
        if crashed:
            assert crashes("16", question), question
        else:
            survived.append(question)  # it is asked about all of these at once, and does not crash
    _compare("16", survived)
