"""Random well-typed programs: functions that compute sizes, shapes and numbers, and check them.

The same seed gives the same module. Nothing here knows what is true: predicates are random, or relations that hold for
the sizes of an operation's result if it means what its description says (and sometimes are off by one).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

from shapesolve.ir import bindings
from shapesolve.program_generation.contract_statements import attributes, calling_itself, contract_of, without_body
from shapesolve.program_generation.control_statements import (
    CONTROL,
    Weighted,
    call,
    carrying_while,
    for_,
    graph,
    if_,
    statements,
    top_level_blocks,
)
from shapesolve.program_generation.float_statements import FLOAT_SIZES
from shapesolve.program_generation.image_statements import IMAGES
from shapesolve.program_generation.more_statements import MORE
from shapesolve.program_generation.scalar_statements import SCALARS
from shapesolve.program_generation.shape_statements import SHAPES
from shapesolve.program_generation.tensor_statements import TENSORS
from shapesolve.program_generation.vector_statements import VECTORS
from shapesolve.program_generation.writing import Callee, Nothing, Shaped, Type, Writer, tensor

Statement = Callable[[Writer], None]


def module(seed: int, functions: int) -> str:
    """A valid module of up to so many public functions `@f0`, `@f1`, ... and some private ones that they call.

    A few functions are not valid (MLIR sees that a constant slice is out of bounds); these are left out.
    """
    chance = random.Random(seed)
    texts: list[str] = []
    callees: list[Callee] = []
    for number in range(functions):
        if chance.random() < 0.25:
            text, callee = _function(chance, f"g{number}", callees[-2:], private=True)
            if _is_valid([*texts, text]):
                texts.append(text)
                callees.append(callee)
        if chance.random() < 0.1:
            made, callee = _with_a_contract(chance, f"h{number}")
            if _is_valid([*texts, *made]):
                texts += made
                callees.append(callee)
        texts.append(_function(chance, f"f{number}", callees[-2:], private=False)[0])
    if _is_valid(texts):
        return "\n".join(texts)
    kept: list[str] = []
    for text in texts:
        if _is_valid([*kept, text]):
            kept.append(text)
    return "\n".join(kept)


def _valid_functions(seed: str, functions: int, made_of: Weighted) -> str:
    chance = random.Random(seed)
    made = [_function(chance, f"f{number}", [], private=False, made_of=made_of)[0] for number in range(functions)]
    return "\n".join(text for text in made if _is_valid([text]))


def with_floats(seed: int, functions: int) -> str:
    """A valid module of functions that turn sizes into floats and floats into sizes."""
    return _valid_functions(f"floats {seed}", functions, WITH_FLOATS)


def with_loops(seed: int, functions: int) -> str:
    """A valid module of functions with nested loops and blocks between which control goes to and fro."""
    return _valid_functions(f"loops {seed}", functions, WITH_LOOPS)


def with_vectors(seed: int, functions: int) -> str:
    """A valid module of functions that read and write vectors."""
    return _valid_functions(f"vectors {seed}", functions, WITH_VECTORS)


def with_images(seed: int, functions: int) -> str:
    """A valid module of functions on images and tables, in TOSA."""
    return _valid_functions(f"images {seed}", functions, WITH_IMAGES)


def with_contracts(seed: int, functions: int) -> str:
    """A valid module of functions that call what states a contract and cannot be followed."""
    chance = random.Random(f"contracts {seed}")
    texts: list[str] = []
    callees: list[Callee] = []
    for number in range(functions):
        made, callee = _with_a_contract(chance, f"h{number}")
        if _is_valid([*texts, *made]):
            texts += made
            callees.append(callee)
        text, _ = _function(chance, f"f{number}", callees[-2:], private=False, made_of=WITH_CALLS)
        if _is_valid([*texts, text]):
            texts.append(text)
    return "\n".join(texts)


def _with_a_contract(chance: random.Random, name: str) -> tuple[list[str], Callee]:
    if chance.random() < 0.4:
        text, callee = without_body(chance, name)
        return [text], callee
    return calling_itself(chance, name)


@cache
def _context() -> bindings.Bindings:
    """Return the one context for all small questions: making it takes a hundred times as long as asking."""
    return bindings.new_context()


def _is_valid(texts: list[str]) -> bool:
    context = _context()
    handler = context.attach_diagnostic_handler(_swallow)
    try:
        with context:
            bindings.ir().Module.parse("\n".join(texts))
    except bindings.ir().MLIRError:
        return False
    finally:
        handler.detach()
    return True


def _swallow(diagnostic: Any) -> bool:
    return True


def _argument_type(chance: random.Random) -> Type:
    kind = chance.random()
    if kind < 0.62:
        rank = chance.choice((1, 1, 1, 2, 2, 3))
        extents = tuple(None if chance.random() < 0.85 else chance.choice((1, 1, 2, 3, 4)) for _ in range(rank))
        return tensor(*extents)
    if kind < 0.72:
        extents = tuple(
            None if chance.random() < 0.85 else chance.choice((1, 2, 3)) for _ in range(chance.choice((1, 1, 2)))
        )
        return Shaped("memref", extents, chance.choice(("f32", "index", "i32")))
    if kind < 0.76:
        return tensor(chance.choice((1, 2, 3)), element="index")
    return chance.choice(("index", "index", "index", "i8", "i8", "i32", "i32", "i64", "i1"))


def _function(
    chance: random.Random, name: str, callees: list[Callee], *, private: bool, made_of: Weighted | None = None
) -> tuple[str, Callee]:
    writer = Writer(chance, callees)
    types = [_argument_type(chance) for _ in range(chance.choice((1, 2, 2, 3)))]
    types = [each if not private or chance.random() < 0.4 else "index" for each in types]
    arguments = [(f"%a{position}", type) for position, type in enumerate(types)]
    for argument, type in arguments:
        writer.define(argument, type)
    _opening(writer, arguments)
    writer.left = chance.choice((3, 5, 8, 12, 16))
    statements(writer, made_of or chance.choices((STATEMENTS, WITH_FLOATS), (0.85, 0.15))[0])
    results = _results(writer)
    writer.line(
        f"return {', '.join(n for n, _ in results)} : {', '.join(str(t) for _, t in results)}" if results else "return"
    )
    given = ", ".join(f"{argument}: {type}" for argument, type in arguments)
    spelled = ", ".join(str(type) for _, type in results)
    result_types = [type for _, type in results]
    assumed = [] if private else _assumed(chance, types)
    if chance.random() < (0.2 if private else 0.04):
        states = contract_of(chance, types, result_types)
    else:
        states = attributes(assumed, (), "assume") if assumed else ""
    arrow = f" -> ({spelled})" if results else ""
    head = f"func.func {'private ' if private else ''}@{name}({given}){arrow}{states} {{"
    callee = Callee(name, tuple(types), tuple(result_types))
    return "\n".join([head, *writer.lines, "}"]), callee


def _assumed(chance: random.Random, types: list[Type]) -> list[str]:
    """Now and then, what callers guarantee."""
    claims: list[str] = []
    for number, type in enumerate(types):
        if isinstance(type, Shaped) and chance.random() < 0.1 and type.extents[0] is None:
            size = f"arg{number}[0]"
            claims.append(chance.choice((f"{size} >= 1", f"{size} % 2 == 0", f"{size} <= 4", f"{size} != 3")))
    return claims


def _opening(writer: Writer, arguments: list[tuple[str, Type]]) -> None:
    for number in writer.chance.sample(range(6), 3):
        writer.constant(number)
    for narrow in ("i8", "i32", "i64"):
        writer.constant(writer.chance.choice((0, 1, 2, 3, 5, 100, 127, -1, -128 if narrow == "i8" else -7)), narrow)
    for argument, type in arguments:
        if isinstance(type, Shaped):
            for axis in range(type.rank):
                if type.extents[axis] is None or writer.maybe(0.2):
                    writer.extent(argument, type, axis)
    if not writer.scope.get("index"):
        writer.constant(1)


def _results(writer: Writer) -> list[tuple[str, Type]]:
    found: list[tuple[str, Type]] = []
    for _ in range(writer.chance.choice((0, 1, 1, 2))):
        try:
            if writer.maybe(0.6):
                found.append(writer.shaped(lambda type: type.container == "tensor"))
            else:
                type = writer.chance.choice(("index", "index", "i8", "i32"))
                found.append((writer.pick(type), type))
        except Nothing:
            continue
    return found


STATEMENTS: list[tuple[float, Statement]] = [*SCALARS, *TENSORS, *SHAPES, *CONTROL, *MORE]
WITH_FLOATS: list[tuple[float, Statement]] = [*((8 * each, made) for each, made in FLOAT_SIZES), *SCALARS, *CONTROL]
WITH_VECTORS: list[tuple[float, Statement]] = [
    *((4 * each, made) for each, made in VECTORS),
    *SCALARS,
    *TENSORS,
    (4, if_),
]
WITH_IMAGES: list[tuple[float, Statement]] = [*((8 * each, made) for each, made in IMAGES), *SCALARS, *TENSORS]
WITH_CALLS: list[tuple[float, Statement]] = [*SCALARS, (9, call), (2, if_), (1, for_), (1, top_level_blocks)]
WITH_LOOPS: list[tuple[float, Statement]] = [*SCALARS, (6, for_), (6, carrying_while), (6, graph), (4, if_), (2, call)]
"""Kinds of statements that functions are made of, and how often."""
