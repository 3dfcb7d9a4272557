"""Equality of the results of two runs, and the parts of the behavior that are not compared.

Compared are how runs end, sizes, and integers as far as the rules model them. Sizes are the extents of tensors, and
what is used as one: numbers of type ``index``, ``!shape.size`` and ``!shape.shape``, and the elements of tensors of
``index`` and of ``!tosa.shape``. Contents are compared where both programs compute them alike (`value_numbering`).
Other contents are not (`left_out`), nor is the memory that is left behind where it is not written alike, nor which
check it is that ends a run, nor the effects of unknown callees.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping
from dataclasses import replace

from shapesolve.domain.values import Abstract, Size, Tensor, Witness
from shapesolve.ir.control_flow import called_function
from shapesolve.ir.program import Operation, ScalarType, ShapedType, Type, is_buffer
from shapesolve.records import record
from shapesolve.refinement.effects import effect_difference, printed_values, same_writes, unfollowed_calls
from shapesolve.refinement.outcome import Behavior, Compared, Ending, Omission, Part
from shapesolve.refinement.paired_interpreter import Interpretation
from shapesolve.semantics.effects import touches_buffers
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, equal, equivalent, implies
from shapesolve.symbolic.limits import TooLarge
from shapesolve.symbolic.shape_kinds import RankedShape, Shape
from shapesolve.symbolic.shapes import same_shape
from shapesolve.trace.events import Kind, Trace


@record
class Agreement:
    """A claim that some part of the results is the same.

    Attributes:
        words: The part.
        claim: The claim; None if there is none.
        reason_kind: Why there is no claim.
        compared: Both values of the part, if it is a number.
        otherwise: The difference of a target where the claim is false, in words.
        is_poison: Whether it says that a result is not poison in the target only.
        result: The position of the result that the part belongs to, if it is one.
        is_content: Whether the part counts as omitted if the claim is neither proved nor refuted.
    """

    words: str
    claim: Formula | None
    reason_kind: str = ""
    compared: Compared | None = None
    otherwise: str = ""
    is_content: bool = False
    is_poison: bool = False
    result: int | None = None

    @property
    def difference(self) -> Behavior:
        """The behavior of a target where the claim is false."""
        ending = Ending.UNDEFINED if self.is_poison else Ending.RETURNS
        return Behavior(ending, detail=self.otherwise or f"with a difference in {self.words}")


def _same_number(words: str, ours: Dim, theirs: Dim, otherwise: str = "") -> Agreement:
    return Agreement(words, equal(ours, theirs), compared=Compared(words, ours, theirs), otherwise=otherwise)


def _same_value(name: str, ours: Dim | Formula, theirs: Dim | Formula, *, is_content: bool) -> Agreement:
    words, otherwise = f"the value of {name}", f"another value of {name}"
    if isinstance(ours, Dim) and isinstance(theirs, Dim):
        return replace(_same_number(words, ours, theirs, otherwise), is_content=is_content)
    assert isinstance(ours, Formula) and isinstance(theirs, Formula)
    return Agreement(words, equivalent(ours, theirs), is_content=is_content, otherwise=otherwise)


def agreements(source: Interpretation, target: Interpretation) -> list[Agreement]:
    """Return what has to be equal for the results to have the same sizes; without a claim where it is too large.

    Numbers that are poison in the source may be anything in the target.
    """
    types = source.trace.function.result_types
    ours, theirs = source.trace.results, target.trace.results
    if ours is None or theirs is None or any(len(each) != len(types) for each in (ours, theirs)):
        return [Agreement("each result", None, "where the function returns is not known")]
    found: list[Agreement] = []
    for position, type in enumerate(types):
        try:
            found += _agreements_at(source, target, position, type)
        except TooLarge as limit:
            found.append(Agreement(f"result {position}", None, limit.message, result=position))
    try:
        found += _printed(source, target)
    except TooLarge as limit:
        found.append(Agreement("what is printed", None, limit.message))
    return found


def _agreements_at(source: Interpretation, target: Interpretation, position: int, type: Type) -> list[Agreement]:
    """Return what has to be equal for one result."""
    assert source.trace.results is not None and target.trace.results is not None
    found: list[Agreement] = []
    clean, cleaned = (_clean(each, position) for each in (source, target))
    name = f"result {position}"
    if cleaned is not TRUE:
        claim, otherwise = implies(clean, cleaned), f"in a result: {name} is poison"
        words = f"whether {name} is poison"
        found.append(Agreement(words, claim, otherwise=otherwise, is_poison=True, result=position))
    for each in _agreements(name, type, source.trace.results[position], target.trace.results[position]):
        is_number = isinstance(type, ScalarType)
        claim = each.claim if each.claim is None or not is_number else implies(clean, each.claim)
        found.append(replace(each, claim=claim, result=position))
    return found


def _printed(source: Interpretation, target: Interpretation) -> Iterator[Agreement]:
    """Yield that the numbers that both programs print are the same, one after the other."""
    for position, (ours, theirs) in enumerate(printed_values(source, target), 1):
        name = f"what is printed as number {position}"
        match source.trace.values.get(ours), target.trace.values.get(theirs):
            case Dim() as a, Dim() as b:
                yield replace(_same_number(name, a, b), is_content=True)
            case Formula() as a, Formula() as b:
                yield Agreement(name, equivalent(a, b), is_content=True)
            case Tensor(elements=a), Tensor(elements=b) if a and b and len(a) == len(b):
                pairs = [(x, y) for x, y in zip(a, b, strict=True) if isinstance(x, Dim) and isinstance(y, Dim)]
                if len(pairs) == len(a):
                    yield Agreement(name, conjunction(equal(x, y) for x, y in pairs), is_content=True)
            case _:
                pass


def _clean(interpretation: Interpretation, position: int) -> Formula:
    """Return when a result is not poison; where a function returns in several places, poison is a broken demand."""
    clean = interpretation.clean_results
    return TRUE if clean is None else clean[position]


def _agreements(name: str, type: Type, ours: Abstract, theirs: Abstract) -> Iterator[Agreement]:
    match ours, theirs:
        case Tensor(), Tensor():
            yield from _shapes(name, ours.shape, theirs.shape)
            if holds_sizes(type):
                yield _contents(name, ours, theirs)
        case Shape(), Shape():
            yield Agreement(f"the shape in {name}", same_shape(ours, theirs))
        case Size(), Size():
            same = implies(ours.valid, equal(ours.value, theirs.value))
            yield Agreement(f"the size in {name}", conjunction((equivalent(ours.valid, theirs.valid), same)))
        case Witness(), Witness():
            yield Agreement(f"whether the witness {name} passes", equivalent(ours.passing, theirs.passing))
        case (Dim(), Dim()) | (Formula(), Formula()):
            if isinstance(type, ScalarType):
                yield _same_value(name, ours, theirs, is_content=type.kind != "index")
        case _:
            if isinstance(type, ShapedType) or str(type).startswith("!shape."):
                yield Agreement(name, None, f"{name} is not modeled")


def holds_sizes(type: Type) -> bool:
    """Return whether the elements of a type are sizes."""
    if isinstance(type, ShapedType):
        return str(type.element) == "index" and type.container != "memref"
    return str(type).startswith("!tosa.shape")


def _shapes(name: str, ours: Shape, theirs: Shape) -> Iterator[Agreement]:
    if isinstance(ours, RankedShape) and isinstance(theirs, RankedShape) and len(ours.dims) == len(theirs.dims):
        for index, (a, b) in enumerate(zip(ours.dims, theirs.dims, strict=True)):
            words = f"extent {index} of {name}"
            yield _same_number(words, a, b, f"a result of another size: {words}")
    else:
        yield Agreement(f"the shape of {name}", same_shape(ours, theirs))


def _contents(name: str, ours: Tensor, theirs: Tensor) -> Agreement:
    words = f"what {name} holds"
    a, b = _held(ours), _held(theirs)
    if a is None or b is None:
        return Agreement(words, None, f"the elements of {name} are not followed")
    if ours.signs is not theirs.signs:
        return Agreement(words, None, f"whether {name} holds sizes is not known")
    return Agreement(words, same_shape(a, b))


def _held(tensor: Tensor) -> Shape | None:
    elements = tensor.elements
    if elements is not None and all(isinstance(each, Dim) for each in elements):
        return RankedShape.of(each for each in elements if isinstance(each, Dim))
    return tensor.spells


def left_out(
    source: Interpretation,
    target: Interpretation,
    compared: Collection[str],
    elements: Mapping[int, str],
    *,
    allow_lost_checks: bool,
    memory: str | None = None,
    writes_only_results: bool = False,
) -> tuple[Omission, ...]:
    """Return how two runs may differ though the target refines the source; ``compared`` values are not among them.

    Args:
        elements: For results whose elements were compared, "" if they are equal, else why that is not known.
        memory: "" if both leave the same in memory, else why that is not known.
        writes_only_results: Whether the target writes to no memory but its own and that of its results.
    """
    alike = equal_results(source, target)
    found = [
        Omission(Part.CONTENTS, f"{words} ({type})", elements.get(position, ""))
        for position, type in enumerate(source.trace.function.result_types)
        if position not in alike
        and elements.get(position) != ""
        and (words := _of_result(f"result {position}", type))
        and words not in compared
    ]
    ours, theirs = (any(map(touches_buffers, each.trace.positions)) for each in (source, target))
    is_moved = returns_other_buffers(source, alike)
    is_left = memory == "" if ours or is_moved else writes_only_results
    if is_moved and not is_left:
        found.append(Omission(Part.CONTENTS, "which buffers are returned, and what they hold", memory or ""))
    if (ours or theirs) and not is_left and not same_writes(source, target):
        found.append(Omission(Part.CONTENTS, "what buffers hold", memory or ""))
    if effect_difference(source, target):
        phrases = dict.fromkeys((*_of_calls(source), *_of_calls(target)))
        found.extend(Omission(Part.EFFECTS, words) for words in phrases)
    if not allow_lost_checks and len(_messages(source.trace) | _messages(target.trace)) > 1:
        found.append(Omission(Part.MESSAGES, "which check fails where one does, and its message"))
    return tuple(found)


def equal_results(source: Interpretation, target: Interpretation) -> set[int]:
    """Return the positions of results that both programs compute alike. A buffer's value excludes its contents."""
    ours, theirs = returned(source), returned(target)
    if ours is None or theirs is None or len(ours.operands) != len(theirs.operands):
        return set()
    return {
        position
        for position, (a, b) in enumerate(zip(ours.operands, theirs.operands, strict=True))
        if (number := source.value_number(a)) is not None
        and number == target.value_number(b)
        and _container(a.type) == _container(b.type)
    }


def returns_other_buffers(source: Interpretation, alike: Container[int]) -> bool:
    """Return whether a result may be another buffer, or another part of it, than in the source.

    ``alike`` holds the positions of the results that are the same in both programs.
    """
    types = source.trace.function.result_types
    return any(is_buffer(type) and position not in alike for position, type in enumerate(types))


def _container(type: Type) -> str:
    return type.container if isinstance(type, ShapedType) else ""


def returned(interpretation: Interpretation) -> Operation | None:
    """Return the only operation by which a function returns."""
    body = interpretation.trace.function.body
    is_one = body is not None and len(body.blocks) == 1 and interpretation.trace.results is not None
    return body.blocks[0].operations[-1] if body is not None and is_one else None


def _of_result(name: str, type: Type) -> str:
    if isinstance(type, ShapedType):
        return "" if holds_sizes(type) or type.container == "memref" else f"the elements of {name}"
    return f"the value of {name}" if isinstance(type, ScalarType) and type.kind != "index" else ""


def _of_calls(interpretation: Interpretation) -> Iterator[str]:
    for op in unfollowed_calls(interpretation):
        called = called_function(interpretation.program, op)
        assert called is not None
        yield f"whether @{called.name} is called, and what it does besides giving results"


def _messages(trace: Trace) -> set[tuple[str, str]]:
    """Return the checks of a program by operation and message."""
    return {(each.op.name, each.message) for each in trace.obligations if each.kind is Kind.CHECK}
