"""Programs of which a run tells what they compute: nothing that they depend on is undefined, or left to the compiler.

Runs notice what runtime checks do. They do not notice a branch on poison or on memory that was never written, what a
program promises about its arguments, or a loop without an end: what is compiled may then be anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from shapesolve.elements.context import READS, RULES, ElementContext, element_type, is_shaped
from shapesolve.elements.loops import PARALLEL_LOOPS
from shapesolve.elements.machine_integers import is_total_function
from shapesolve.elements.scalar_functions import SCALAR_FUNCTIONS, function_key, is_ieee_function, is_narrow
from shapesolve.elements.terms import (
    Access,
    Apply,
    Choice,
    Held,
    IterationRange,
    NotFollowed,
    Number,
    Reduction,
    TensorFunction,
    Term,
    Truth,
    Unspecified,
)
from shapesolve.ir.attributes import is_whole
from shapesolve.ir.program import (
    AffineExpression,
    AffineMap,
    Attribute,
    IntegerSet,
    Operation,
    ScalarType,
    ShapedType,
    Value,
)
from shapesolve.symbolic.dims import ONE

IsFunction = Callable[[object], bool]
"""Returns whether a function of floats is determined on the numbers of the runs."""

_MOST_STEPS = 2000
_DIALECTS = frozenset(["arith", "bufferization", "chlo", "linalg", "math", "shape", "stablehlo", "tensor", "tosa"])
"""Dialects whose undefined behavior is refuted before runs, or noticed by them."""
_AFFINE = ("apply", "for", "if", "load", "max", "min", "parallel", "store", "yield")
_MEMREF = ("alloc", "alloca", "cast", "collapse_shape", "copy", "dealloc", "dim", "expand_shape", "get_global", "load")
_SCF = ("for", "forall", "forall.in_parallel", "if", "parallel", "reduce", "reduce.return", "yield")
_OPERATIONS = frozenset(
    [
        *(f"affine.{each}" for each in _AFFINE),
        *(f"memref.{each}" for each in (*_MEMREF, "rank", "store", "subview")),
        *(f"scf.{each}" for each in _SCF),
        *("cf.assert", "func.return"),
    ]
)
_PLAIN = frozenset(
    [
        *(f"affine.{each}" for each in ("apply", "for", "if", "load", "max", "min", "store", "yield")),
        *(f"memref.{each}" for each in ("dim", "load", "rank", "store", "subview")),
        *(f"scf.{each}" for each in ("condition", "if", "while", "yield")),
        *(f"tensor.{each}" for each in ("cast", "dim", "extract", "extract_slice", "insert", "insert_slice", "rank")),
        *("arith.constant", "cf.assert", "func.return", "tensor.parallel_insert_slice"),
    ]
)
"""Operations in sequence that are determined if their operands are, and whose undefined behavior runs notice."""
_GROWING = frozenset(["arith.divf", "arith.mulf", "stablehlo.divide", "stablehlo.multiply"])
"""Functions that soon leave the floats that are exact where a loop applies them to what they return."""
_FROM_SIZES = frozenset(["arith.constant", "linalg.index", "memref.dim", "memref.rank", "tensor.dim", "tensor.rank"])
_OF_INDICES = frozenset(["affine.apply", "affine.max", "affine.min"])
LOOPS = frozenset(["affine.for", "affine.parallel", "scf.for", "scf.forall", "scf.parallel"])
_AFFINE_DIVISIONS = frozenset(["ceildiv", "floordiv", "mod"])
_STORES = frozenset(["affine.store", "memref.store", "tensor.insert"])
_UNCHECKED = frozenset(["vector.extract", "vector.load"])
"""Operations whose places no runtime check looks at."""
_HAND_ON_INDICES = frozenset(["affine.for", "scf.for", "scf.while"])
_BOUNDS_OF_FOR = 3
_HANDING_ON = frozenset(["scf.for", "scf.if"])
HandedOn = Mapping[Value, tuple[Value, ...]]


def is_determined(term: Term, source: ElementContext, is_function: IsFunction) -> bool:
    """Return whether an element of the source is one number, whatever the compiler does.

    What conditions and indices are made of is asked of the program, see `is_determined_program`.
    """
    is_ordered = is_function is is_ieee_function  # an infinite or zero sum depends on the order
    waiting, steps = [term], 0
    while waiting:
        steps += 1
        if steps > _MOST_STEPS:
            return False
        each = waiting.pop()
        match each:
            case Access():
                waiting.append(source.expand(each))
            case Held():
                waiting.append(source.held(each))
            case Apply():
                last = _computed(each.operands[-1], source) if each.operands else None
                if not is_function(each.key) and not is_total_function(each.key, last):
                    return False
                waiting += each.operands
            case Choice():
                waiting += (each.then, each.otherwise)
            case Reduction() if not is_ordered and not is_narrow(each.key):
                waiting += (each.body,) if each.initial is None else (each.initial, each.body)
            case Reduction() | Unspecified() | NotFollowed() | TensorFunction():
                return False
            case _:
                pass
    return True


def _computed(term: Term, source: ElementContext) -> Term:
    """Return how an element is computed, wherever it is moved from; or, after many moves, one that it is moved from."""
    for _ in range(_MOST_STEPS):
        match term:
            case Access():
                term = source.expand(term)
            case Held():
                term = source.held(term)
            case _:
                break
    return term


def is_determined_before(
    term: Term, source: ElementContext, is_function: IsFunction, is_last_function: IsFunction
) -> bool:
    """Return whether an element is a last function of determined ones, wherever it is moved from."""
    last = _computed(term, source)
    if not isinstance(last, Apply) or not is_last_function(last.key):
        return False
    return all(is_determined(each, source, is_function) for each in last.operands)


def is_determined_throughout(source: ElementContext, is_function: IsFunction) -> bool:
    """Return whether everything that the source computes is determined, so that a run of it tells each element.

    Each operation runs after the one before it, none makes poison or memory that was not written, and floats do not
    grow beyond the integers that they hold exactly. A run that returns has seen the end of every loop.
    """
    if any(isinstance(each.type, ShapedType) and each.type.is_injective is False for each in source.arguments):
        return False
    if _may_wrap_indices(source):
        return False
    return all(_is_plain(op, source, is_function) and _divides_by_constants(op) for op in source.places)


def _may_wrap_indices(source: ElementContext) -> bool:
    """Return whether indices are handed on in loops or memory, and multiplied, so that one may wrap after a few turns.

    Indices are taken not to wrap, so that what a run shows of one that does tells nothing.
    """
    counters = set(_counters(source))
    handed_on = (each for block, op in source.around.items() if op.name in _HAND_ON_INDICES for each in block.arguments)
    stored = (op.operands[0] for op in source.places if op.name in _STORES)
    kept = (*stored, *(each for each in handed_on if each not in counters))
    return any(element_type(each) == "index" for each in kept) and any(map(_multiplies_indices, source.places))


def _multiplies_indices(op: Operation) -> bool:
    if op.name == "arith.muli":
        return element_type(op.results[0]) == "index"
    return any(each.kind == "mul" for each in _affine_expressions(op))


def _is_plain(op: Operation, source: ElementContext, is_function: IsFunction) -> bool:
    """Return whether an operation is determined if its operands are, and runs at one point of the program."""
    if op.name in SCALAR_FUNCTIONS:
        key, _ = function_key(op, op.operands)
        may_grow = (op.name in _GROWING or is_narrow(key)) and source.places[op][0] in source.around
        is_determined_function = (is_function(key) and not may_grow) or is_total_function(key)
        return is_determined_function and all(is_whole(each) for each in op.attributes.values())
    if op.name == "scf.for":
        return _counts_to_its_end(op, source)
    if op.name in PARALLEL_LOOPS:
        ranges = [each for each in source.iterations.values() if each.op is op]
        counters = sum(not is_shaped(each) for each in op.regions[0].blocks[0].arguments)
        return len(ranges) == counters and all(_is_once(each) for each in ranges)
    if op.name == "scf.forall.in_parallel":
        written = [each.operands[1] for each in op.regions[0].blocks[0].operations]
        return len(set(written)) == len(written)
    return op.name in _PLAIN


def _divides_by_constants(op: Operation) -> bool:
    """Return whether the affine maps and sets of an operation divide by positive constants only.

    Division by anything else is undefined, which no runtime check notices.
    """
    divisors = (each.right for each in _affine_expressions(op) if each.kind in _AFFINE_DIVISIONS)
    return all(each is not None and each.kind == "constant" and each.value > 0 for each in divisors)


def _affine_expressions(op: Operation) -> Iterator[AffineExpression]:
    """Yield all subexpressions of the affine maps and sets of an operation."""
    given = [each.computed if isinstance(each, IntegerSet) else each for each in op.attributes.values()]
    waiting = [result for each in given if isinstance(each, AffineMap) for result in each.results]
    while waiting:
        each = waiting.pop()
        yield each
        waiting += [side for side in (each.left, each.right) if side is not None]


def _is_once(its: IterationRange) -> bool:
    trips = its.end - its.first
    return its.step is ONE and trips.is_constant and trips.constant <= 1


def is_determined_program(source: ElementContext, is_function: IsFunction) -> bool:
    """Return whether all conditions, indices and sizes of the source are determined, and its operations known ones."""
    if _may_wrap_indices(source):
        return False
    operations = list(source.places)
    freed = [op.operands[0] for op in operations if op.name == "memref.dealloc"]
    if len(set(freed)) != len(freed) or not all(map(_divides_by_constants, operations)):
        return False
    if not all(_is_known(op, source) for op in operations):
        return False
    found, handed_on = set(_counters(source)), dict(_handed_on(source))
    return all(
        _is_determined_scalar(value, source, is_function, found, handed_on)
        for op in operations
        for value in _depended_on(op, source)
    )


def _is_known(op: Operation, source: ElementContext) -> bool:
    if op.name == "memref.dealloc":
        maker = source.definitions.get(op.operands[0])
        return maker is not None and maker[0].name == "memref.alloc" and _block(maker[0], source) is _block(op, source)
    if op.name == "scf.for":
        return _counts_to_its_end(op, source)
    if op.name.startswith("vector."):
        is_unchecked = op.name in _UNCHECKED and any(map(_is_integer, op.operands))
        return op.name in RULES and not is_unchecked
    return op.name in _OPERATIONS or op.name.partition(".")[0] in _DIALECTS


def _counts_to_its_end(op: Operation, source: ElementContext) -> bool:
    """Return whether no data make a loop's step other than positive, or its counter wrap, which no run notices."""
    *_, step = bounds = op.operands[:_BOUNDS_OF_FOR]
    is_index = isinstance(step.type, ScalarType) and step.type.kind == "index"
    constants = [_constant(each, source) for each in bounds]
    open_bounds = [each for each, its in zip(bounds, constants, strict=True) if its is None]
    asked = [each for each in open_bounds if each is step or not is_index]
    return constants[-1] == 1 or all(_is_of_sizes(source.scalar(each), source) for each in asked)


def _constant(value: Value, source: ElementContext) -> Attribute | None:
    maker = source.definitions.get(value)
    return maker[0].attributes["value"] if maker is not None and maker[0].name == "arith.constant" else None


def _block(op: Operation, source: ElementContext) -> object:
    return source.places[op][0]


def _depended_on(op: Operation, source: ElementContext) -> Iterable[Value]:
    """Return the integers on which places, conditions and what runs depend, and those that a term does not show."""
    integers = [each for each in op.operands if _is_integer(each)]
    kind = op.name.rpartition(".")[2]
    if kind == "yield" or op.name.startswith("linalg."):
        return ()  # whoever uses the results is asked
    if op.name in SCALAR_FUNCTIONS:
        around = source.around.get(source.places[op][0])
        if around is not None and around.name.startswith("linalg."):  # terms show what is computed inside
            inside = {result for inner in around.walk() for result in inner.results if inner is not around}
            arguments = set(around.regions[0].blocks[0].arguments)
            return [each for each in integers if each not in inside and each not in arguments]
        is_shown = any(_is_number(each, source) for each in op.results)
        return () if is_shown else [each for each in integers if _is_number(each, source)]
    if op.name == "func.return" or op.name in _STORES:
        moved = op.operands if op.name == "func.return" else op.operands[:1]
        return [each for each in integers if each not in moved or _is_number(each, source)]
    return integers if op.name != "scf.for" else op.operands[:_BOUNDS_OF_FOR]


def _is_number(value: Value, source: ElementContext) -> bool:
    """Return whether terms have a scalar as a size or a condition."""
    return _is_integer(value) and isinstance(source.scalar(value), Number | Truth)


def _is_integer(value: Value) -> bool:
    return isinstance(value.type, ScalarType) and value.type.kind in ("index", "integer")


def _is_determined_scalar(
    value: Value, source: ElementContext, is_function: IsFunction, found: set[Value], handed_on: HandedOn
) -> bool:
    """Return whether a scalar is determined; note those that it is computed from, so that none is looked at twice."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if each in found:
            continue
        found.add(each)
        operands = handed_on.get(each)
        if operands is None:
            operands = _operands_if_determined(each, source, is_function)
        if operands is None:
            return False
        waiting += operands
    return True


def _operands_if_determined(value: Value, source: ElementContext, is_function: IsFunction) -> Iterable[Value] | None:
    """Return the scalars on which a scalar depends; None if it is not determined by them."""
    if value in source.arguments:
        return ()
    maker = source.definitions.get(value)
    if maker is None:
        return None
    op = maker[0]
    if op.name in _FROM_SIZES:
        return ()
    if op.name in _OF_INDICES:
        return op.operands
    may_be_size = op.name in READS or op.name.startswith("shape.")
    if may_be_size and _is_of_sizes(source.scalar(value), source):
        return ()
    if op.name in READS:
        return () if is_determined(Access(value), source, is_function) else None
    if op.name not in SCALAR_FUNCTIONS or not all(is_whole(each) for each in op.attributes.values()):
        return None
    key, _ = function_key(op, op.operands)
    return op.operands if is_function(key) or is_total_function(key) else None


def _is_of_sizes(term: Term, source: ElementContext) -> bool:
    """Return whether the solver knows a scalar by the sizes of arguments."""
    if not isinstance(term, Number | Truth):
        return False
    of = term.value if isinstance(term, Number) else term.holds
    return all(source.makers.get(each) is None for each in of.variables)


def _counters(source: ElementContext) -> Iterator[Value]:
    """Yield the variables that count the iterations of loops."""
    for block, op in source.around.items():
        if op.name in LOOPS:
            carried = 0 if op.name in ("affine.parallel", "scf.parallel") else len(op.results)
            yield from block.arguments[: len(block.arguments) - carried]


def _handed_on(source: ElementContext) -> Iterator[tuple[Value, tuple[Value, ...]]]:
    """Yield the integers that branches and loops hand on, with all that each may be."""
    for op in source.places:
        if op.name not in _HANDING_ON or not op.results or any(len(each.blocks) != 1 for each in op.regions):
            continue
        blocks = [each.blocks[0] for each in op.regions]
        handed_on = [block.operations[-1].operands for block in blocks]
        arguments: Sequence[Value] = op.results
        if op.name == "scf.for":
            handed_on.append(op.operands[_BOUNDS_OF_FOR:])
            arguments = blocks[0].arguments[1:]
        for result, argument, *values in zip(op.results, arguments, *handed_on, strict=True):
            if _is_integer(result):
                yield result, tuple(values)
                yield argument, tuple(values)
