"""Exhaustive test of verdicts on shapes of unknown rank against an independent evaluator, up to rank and extent 3."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from typing import cast

import pytest
from support import unranked_broadcasts, unranked_extents
from support.concrete_shapes import ANYTHING, Extents, Machine, Stopped, all_shapes
from support.unranked_programs import ShapeProgram, programs_of

from shapesolve.api import check
from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.report import FunctionReport
from shapesolve.domain.values import Abstract, Size, Tensor
from shapesolve.solver.verdicts import Proved, Refuted, Undecided
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import evaluate, evaluate_extents, evaluate_shape, holds
from shapesolve.symbolic.formula_kinds import And, Formula, Or
from shapesolve.symbolic.shape_kinds import Shape
from shapesolve.trace.events import Enter, Fact, Leave, Obligation, Trace

PLACE = re.compile(r'"?\b((?:shape\.|cf\.assert|tensor\.)\w*)')


@dataclass(frozen=True)
class Form:
    """Form of a shape program: the type of its arguments, and whether its types have an error state."""

    name: str
    argument: str
    opening: str
    shape: str
    size: str

    @property
    def error_free(self) -> bool:
        return self.size == "index"


FORMS = (
    Form("shapes", "%{0}: !shape.shape", "", "!shape.shape", "!shape.size"),
    Form(
        "tensors",
        "%{0}_tensor: tensor<*xf32>",
        "  %{0} = shape.shape_of %{0}_tensor : tensor<*xf32> -> !shape.shape",
        "!shape.shape",
        "!shape.size",
    ),
    Form(
        "extents of tensors",
        "%{0}_tensor: tensor<*xf32>",
        "  %{0} = shape.shape_of %{0}_tensor : tensor<*xf32> -> tensor<?xindex>",
        "tensor<?xindex>",
        "index",
    ),
    Form("extent tensors", "%{0}: tensor<?xindex>", "", "tensor<?xindex>", "index"),
)


@dataclass(frozen=True, eq=False)
class Case:
    """A program in one form."""

    program: ShapeProgram
    form: Form

    @property
    def text(self) -> str:
        program, form = self.program, self.form
        body = program.body
        numbers = sorted(set(re.findall(r"<(-?\d+)>", body)))
        constants: list[str] = []
        for number in numbers:
            name = f"%k{number}".replace("-", "m")
            made = f"arith.constant {number} : index" if form.error_free else f"shape.const_size {number}"
            constants.append(f"  {name} = {made}")
            body = body.replace(f"<{number}>", name)
        arguments = ", ".join(form.argument.format(each) for each in program.arguments)
        opening = [form.opening.format(each) for each in program.arguments if form.opening]
        types = ", ".join(program.returns.values())
        lines = [
            f"func.func @f({arguments}) -> ({types}) {{",
            *constants,
            *opening,
            body,
            f"  return {', '.join(program.returns)}{' : ' if types else ''}{types}",
            "}",
        ]
        return "\n".join(lines).replace("{S}", form.shape).replace("{Z}", form.size) + "\n"

    @property
    def places(self) -> dict[int, str]:
        """The operation of each line: "shape.meet 2" for the second one of the text."""
        found: dict[int, str] = {}
        for number, line in enumerate(self.text.split("\n"), 1):
            if match := PLACE.search(line.partition(" = ")[2] or line):
                op = match[1]
                found[number] = f"{op} {1 + sum(place.rpartition(' ')[0] == op for place in found.values())}"
        return found

    @property
    def shapes(self) -> Iterator[tuple[Extents, ...]]:
        """The program's inputs: all ranks and extents up to 3; for three shapes, extents up to 2 only."""
        count = len(self.program.arguments)
        return product(all_shapes(3, 3 if count < 3 else 2), repeat=count)


CASES = [
    Case(program, form)
    for program in programs_of(unranked_broadcasts, unranked_extents)
    for form in FORMS
    if program.only in ("", "no errors" if form.error_free else "errors")
]
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.program.name} of {case.form.name}")


@lru_cache(maxsize=2)
def meanings(program: ShapeProgram, error_free: bool) -> list[tuple[tuple[Extents, ...], tuple[object, ...] | str]]:
    """Return the program's results for all shapes, or the place where it stops."""
    found: list[tuple[tuple[Extents, ...], tuple[object, ...] | str]] = []
    for shapes in Case(program, FORMS[2] if error_free else FORMS[0]).shapes:
        try:
            found.append((shapes, tuple(program.meaning(Machine(error_free=error_free), *shapes))))
        except Stopped as stopped:
            found.append((shapes, stopped.place))
    return found


@cache
def outcomes(program: ShapeProgram, error_free: bool) -> dict[str, tuple[Extents, ...]]:
    """Return the places where the program stops, each with the first shapes of least rank that stop it there."""
    found: dict[str, tuple[Extents, ...]] = {}
    for shapes, outcome in meanings(program, error_free):
        if isinstance(outcome, str):
            known = found.get(outcome)
            if known is None or _rank(shapes) < _rank(known):
                found[outcome] = shapes
    return found


def _rank(shapes: Sequence[Extents]) -> int:
    return sum(map(len, shapes))


@cache
def report_of(case: Case) -> FunctionReport:
    (function,) = check(case.text, execute=False).functions
    return function


@pytest.mark.exhaustive
@each_case
def test_verdicts_on_unranked_shapes_agree_with_runs_at_small_ranks(case: Case) -> None:
    stops = outcomes(case.program, case.form.error_free)
    places = case.places
    assert stops.keys() <= set(places.values())
    problems: list[str] = []
    by_place: dict[str, list[CheckedObligation]] = {}
    for checked_obligation in report_of(case).checked_obligations:
        by_place.setdefault(places[checked_obligation.obligation.location.line], []).append(checked_obligation)
    for place in stops:
        if not by_place.get(place):
            problems.append(f"{place}: nothing is asked, but it fails for {stops[place]}")
    for place, checked_obligations in by_place.items():
        problems += [f"{place}: {problem}" for problem in _problems(case, place, checked_obligations, stops.get(place))]
    assert not problems, "\n".join([case.text, *problems])


SIGNS = ".signs"
"""Suffix of the variable of an argument that has rank 0 where the argument is taken for a shape."""


def _problems(
    case: Case, place: str, checked_obligations: list[CheckedObligation], failing: tuple[Extents, ...] | None
) -> Iterator[str]:
    verdicts = [checked_obligation.verdict for checked_obligation in checked_obligations]
    open_here = {**case.program.open, **({} if case.form.error_free else case.program.open_with_errors)}
    wanted = open_here.get(place)
    for verdict in verdicts:
        if isinstance(verdict, Undecided):
            if wanted is None or wanted not in verdict.reason:
                yield f"undecided, because {verdict.reason}"
        elif isinstance(verdict, Refuted):
            yield from _wrong_counterexample(case, place, verdict, failing)
        elif not isinstance(verdict, Proved):
            yield f"is {verdict.word}"
    decided = not any(isinstance(verdict, Undecided) for verdict in verdicts)
    if wanted is not None and decided:
        yield "is decided by now: it is open no longer"
    if failing is not None and all(isinstance(verdict, Proved) for verdict in verdicts):
        yield f"WRONGLY PROVED: it fails for {failing}"


def _wrong_counterexample(
    case: Case, place: str, verdict: Refuted, failing: tuple[Extents, ...] | None
) -> Iterator[str]:
    shapes = _shapes_of(case, verdict.sizes)
    try:
        is_assertion = place.startswith(("shape.cstr_", "cf."))
        case.program.meaning(Machine(error_free=case.form.error_free, in_order=is_assertion), *shapes)
        yield f"WRONGLY REFUTED: it does not stop for {shapes}"
    except Stopped as stopped:
        if stopped.place != place:
            yield f"WRONGLY REFUTED: for {shapes} it stops at {stopped.place}"
    if failing is not None and _rank(shapes) > _rank(failing):
        yield f"refuted by {shapes}, but {failing} is of a smaller rank"
    used = "\n".join(case.text.split("\n")[1 : next(line for line, name in case.places.items() if name == place)])
    for variable, size in verdict.sizes.items():
        name = variable.name[0]
        is_length = variable.name.endswith("[0]") and re.search(rf"%{name}\b", used)
        if is_length and size != len(shapes[case.program.arguments.index(name)]):
            yield f"refuted by {dict(verdict.sizes)}: no tensor has that many elements"


def _shapes_of(case: Case, sizes: Mapping[Variable, int | tuple[int, ...]]) -> tuple[Extents, ...]:
    shapes = ((variable.name, value) for variable, value in sizes.items() if isinstance(value, tuple))
    found = {name[0]: value for name, value in shapes if not (name.endswith(SIGNS) and value == ())}
    return tuple(found.get(name, ()) for name in case.program.arguments)


# The claims themselves ---------------------------------------------------------------------------------------------


@pytest.mark.exhaustive
@each_case
def test_claims_and_results_at_every_shape(case: Case) -> None:
    trace = report_of(case).trace
    assert bool(trace.approximations) == case.program.approximated
    if trace.approximations:
        return
    places = case.places
    inputs = _inputs(trace)
    wrong: list[str] = []
    truths = Truths()
    for shapes, wanted in meanings(case.program, case.form.error_free):
        values = {v: shapes[n] if is_symbol else len(shapes[n]) for v, n, is_symbol in inputs}
        values |= {v: () for v in values if v.name.endswith(SIGNS)}
        found = _run(trace, places, values, truths)
        if found != wanted and not (isinstance(wanted, tuple) and ANYTHING in wanted):
            wrong.append(f"{shapes}: {found} instead of {wanted}")
    assert not wrong, "\n".join([case.text, f"{len(wrong)} differ", *wrong[:10]])


def _inputs(trace: Trace) -> list[tuple[Variable, int, bool]]:
    """Return each input of a trace, the number of its shape, and whether it is the shape's symbol or length."""
    names = sorted({variable.name[0] for variable in trace.input_variables}, key="stu".index)
    return [(each, names.index(each.name[0]), not each.name.endswith("[0]")) for each in trace.input_variables]


class Truths:
    """Evaluator of formulas. Most parts are about one or two of three shapes, so their values there are cached."""

    def __init__(self) -> None:
        self._known: dict[Formula, tuple[tuple[Variable, ...], dict[tuple[int | Extents, ...], bool]]] = {}

    def holds(self, formula: Formula, values: Mapping[Variable, int | Extents]) -> bool:
        if isinstance(formula, And):
            return all(self.holds(part, values) for part in formula.parts)
        if isinstance(formula, Or):
            return any(self.holds(part, values) for part in formula.parts)
        found = self._known.get(formula)
        if found is None:
            found = self._known[formula] = (tuple(formula.variables), {})
        variables, truths = found
        place = tuple([values[each] for each in variables])
        truth = truths.get(place)
        if truth is None:
            truth = truths[place] = holds(formula, values)
        return truth


def _run(
    trace: Trace, places: Mapping[int, str], values: Mapping[Variable, int | Extents], truths: Truths
) -> tuple[object, ...] | str:
    """The place of the first claim that is false, or what the results are."""
    skipped = 0
    for event in trace.events:
        match event:
            case Enter(condition=condition):
                skipped += bool(skipped) or (condition is not None and not truths.holds(condition.formula, values))
            case Leave():
                skipped -= bool(skipped)
            case Obligation() if not skipped and not truths.holds(event.claim, values):
                return places[event.location.line]
            case Fact() if not skipped:
                assert truths.holds(event.formula, values), f"a fact is false: {event.formula}"
            case _:
                pass
    assert trace.results is not None
    return tuple(_concrete(result, values) for result in trace.results)


def _concrete(result: Abstract, values: Mapping[Variable, int | Extents]) -> object:
    match result:
        case Shape():
            return evaluate_shape(result, values)
        case Size(value=value, valid=valid):
            return evaluate(value, values) if holds(valid, values) else None
        case Tensor(elements=None, spells=Shape() as spelled):
            return evaluate_extents(spelled, values)
        case Tensor(elements=elements) if elements is not None:
            return tuple(evaluate(cast("Dim", element), values) for element in elements)
        case Dim():
            return evaluate(result, values)
        case Formula():
            return holds(result, values)
        case _:
            raise TypeError(f"no value for {result!r}")


# What is known of arguments ----------------------------------------------------------------------------------------


def test_an_extent_tensor_holds_one_extent_a_dimension() -> None:
    text = """
func.func @f(%s: tensor<?xindex>) -> index {
  %k = arith.constant 1 : index
  %d = shape.get_extent %s, %k : tensor<?xindex>, index -> index
  return %d : index
}
"""
    (known,) = check(text, assume=["s[0] >= 2"], execute=False).checked_obligations
    assert isinstance(known.verdict, Proved)
    (short,) = check(text, assume=["s[0] >= 1"], execute=False).checked_obligations
    assert isinstance(short.verdict, Refuted)
    lengths = {each.name: len(size) if isinstance(size, tuple) else size for each, size in short.verdict.sizes.items()}
    assert lengths == {"s[0]": 1, "s.extents": 1, "s.signs": 0}


@pytest.mark.parametrize("type", ["!shape.shape", "!shape.size"])
def test_unmodeled_operations_may_be_errors(type: str) -> None:
    use = "shape.to_extent_tensor %x : !shape.shape -> tensor<?xindex>"
    if type == "!shape.size":
        use = "shape.size_to_index %x : !shape.size"
    text = f'func.func @f() {{\n  %x = "some.operation"() : () -> {type}\n  %y = {use}\n  return\n}}\n'
    program = f"module {{\n{text}}}\n"
    (checked_obligation,) = [
        each
        for each in check(program, execute=False).checked_obligations
        if each.obligation.op.name.startswith("shape.")
    ]
    assert isinstance(checked_obligation.verdict, Undecided)
    assert "no rule describes it" in checked_obligation.verdict.reason
