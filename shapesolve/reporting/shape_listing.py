"""The shapes of a function's values: as text for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from shapesolve.contracts.cases import not_implied
from shapesolve.inferring.known_extents import Inferred, KnownExtent, is_open
from shapesolve.judging.judgement import Judgement
from shapesolve.language.dims import Dim
from shapesolve.language.formulas import FALSE, TRUE, negation
from shapesolve.language.shapes import Shape
from shapesolve.measuring import stage
from shapesolve.proving.verdicts import Proved, Unreachable
from shapesolve.reading.program import Function, Location, ScalarType, Value
from shapesolve.records import value_record
from shapesolve.walking.values import Abstract, Size, Tensor
from shapesolve.wording.page import Page
from shapesolve.wording.words import because, readable_claim, required

FORMAT, VERSION = "shapesolve-shapes", 1
WIDEST_NAME = 24
_BUDGET = 20_000


@value_record
class ValueShape:
    """One value: its name, its type, where it is made and by what, its shape (or number), and what is known of it."""

    name: str
    type: str
    op: str
    location: Location
    shape: str
    known: tuple[KnownExtent, ...] = ()


def value_shapes(inferred: Inferred) -> list[ValueShape]:
    """The values of a function that have a shape or are a size, in program order."""
    function = inferred.trace.function
    found = [_shape_of(inferred, each, "", function.location) for each in function.arguments]
    for op in function.operation.walk():
        found += [_shape_of(inferred, each, op.name, op.location) for each in op.results]
    return [each for each in found if each is not None]


def _shape_of(inferred: Inferred, value: Value, op: str, location: Location) -> ValueShape | None:
    abstract = inferred.trace.values.get(value)
    text = None if abstract is None else _text(value, abstract, inferred.extents.get(value))
    if text is None:
        return None
    known = tuple(each for each in inferred.known.get(value, ()) if is_open(value, each.position))
    return ValueShape(value.name, str(value.type), op, location, text, known)


def _text(value: Value, abstract: Abstract, extents: Sequence[Dim] | None) -> str | None:
    if isinstance(value.type, ScalarType) and (value.type.is_boolean or value.type.kind == "float"):
        return None
    match abstract:
        case Tensor():
            return f"[{', '.join(map(str, extents))}]" if extents is not None else _shape_text(abstract.shape)
        case Shape():
            return _shape_text(abstract)
        case Size():
            return _size_text(abstract)
        case Dim():
            return str(abstract)
        case _:
            return None


def _size_text(size: Size) -> str:
    if size.valid is TRUE:
        return str(size.value)
    return "invalid" if size.valid is FALSE else f"{size.value} (invalid where {readable_claim(negation(size.valid))})"


def _shape_text(shape: Shape) -> str:
    if shape.valid is FALSE:
        return "invalid"
    return str(shape) if shape.valid is TRUE else f"{shape} where {readable_claim(shape.valid)}"


def result_shapes(inferred: Inferred) -> list[str]:
    """The shapes of the results, ``?`` where nothing is known."""
    function = inferred.trace.function
    end = _end(function)
    shown: list[str] = []
    for index, abstract in enumerate(inferred.trace.results or ()):
        value = end[index] if index < len(end) else None
        text = None if value is None else _text(value, abstract, inferred.extents.get(value))
        shown.append(text if text is not None else "?")
    return shown


def _end(function: Function) -> tuple[Value, ...]:
    if function.body is None or len(function.body.blocks) != 1:
        return ()
    operations = function.body.blocks[0].operations
    return operations[-1].operands if operations else ()


def conditions(inferred: Inferred) -> list[Judgement]:
    """What is raised on the way and not proved: the shapes of what is made later are right where it holds."""
    return [each for each in inferred.judgements if not isinstance(each.verdict, Proved | Unreachable)]


# Text ----------------------------------------------------------------------------------------------------------------


@stage("report")
def print_shapes(inferred: Inferred, chosen: Sequence[ValueShape], page: Page, *, whole: bool, verbose: bool) -> None:
    """Print some values of one function; ``whole``: and what it returns, under which conditions."""
    page.line(f"@{inferred.trace.function.name}", "bold")
    if inferred.contradiction:
        page.field("assumed", f"no sizes satisfy: {'; '.join(map(because, inferred.contradiction))}", "magenta")
    widest = min(max((len(each.name) for each in chosen), default=0), WIDEST_NAME)
    for each in chosen:
        page.line(f"{each.name.ljust(widest)}  {each.shape}", indent=3)
        if verbose:
            for extent in each.known:
                page.paragraph(_reason(extent), indent=3 + widest + 2, hanging=3)
    if not whole:
        return
    results = [
        str(type) if isinstance(type, ScalarType) and text == "?" else text
        for type, text in zip(inferred.trace.function.result_types, result_shapes(inferred), strict=True)
    ]
    if results:
        page.field("returns", ", ".join(results))
    for label, judgement in zip(_labels("where"), _not_implied(conditions(inferred)), strict=False):
        obligation = judgement.obligation
        claim = required(obligation, judgement.verdict, inferred.trace)
        page.field(label, f"{claim}   (line {obligation.location.line}: {obligation.op.name} {obligation.clause})")
    for label, text in zip(_labels("unknown"), dict.fromkeys(_not_modelled(inferred)), strict=False):
        page.field(label, text)


def _not_implied(judgements: Sequence[Judgement]) -> list[Judgement]:
    """What is raised and does not follow from the rest that the same operation demands."""
    kept: list[Judgement] = []
    for _, group in groupby(judgements, key=lambda each: each.obligation.op):
        of_one = list(group)
        claims = set(not_implied([each.obligation.claim for each in of_one], (), _BUDGET))
        kept += [each for each in of_one if each.obligation.claim in claims]
    return kept


def _labels(first: str) -> Iterable[str]:
    yield first
    while True:
        yield ""


def _reason(extent: KnownExtent) -> str:
    words = "; ".join(dict.fromkeys(map(because, extent.facts))) or "what the operation computes"
    return f"extent {extent.position} is {extent.number} because of {words}"


def _not_modelled(inferred: Inferred) -> list[str]:
    return [
        f"{each.op} is not modelled: {each.reason} (line {each.location.line})"
        for each in inferred.trace.approximations
    ]


# JSON ----------------------------------------------------------------------------------------------------------------


def function_object(inferred: Inferred, chosen: Sequence[ValueShape]) -> dict[str, object]:
    """One function for programs."""
    return {
        "name": inferred.trace.function.name,
        "values": [_value_object(each) for each in chosen],
        "results": result_shapes(inferred),
        "where": [
            {
                "claim": str(each.obligation.claim),
                "op": each.obligation.op.name,
                "clause": each.obligation.clause,
                "line": each.obligation.location.line,
                "verdict": each.verdict.word,
            }
            for each in conditions(inferred)
        ],
        "contradiction": [because(each) for each in inferred.contradiction],
        "leans_on": list(inferred.trace.leans_on),
        "approximations": _not_modelled(inferred),
    }


def _value_object(value: ValueShape) -> dict[str, object]:
    return {
        "name": value.name,
        "type": value.type,
        "op": value.op or None,
        "line": value.location.line,
        "column": value.location.column,
        "shape": value.shape,
        "known": [
            {"extent": each.position, "number": each.number, "because": [because(fact) for fact in each.facts]}
            for each in value.known
        ],
    }
