"""The inputs of a function: its arguments as unknown values, the names of their sizes, and the assumptions about them.

A data layout of the file that contradicts the width of `index` assumed here becomes a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from math import prod

from shapesolve.domain.fresh_variables import FreshVariables, variables_of
from shapesolve.domain.values import Abstract, Size, Tensor, as_size, element_lists, element_symbols
from shapesolve.errors import InputError, placed
from shapesolve.int64 import MAX_SIZE, as_power
from shapesolve.interpreter.element_bounds import ElementBounds
from shapesolve.interpreter.named_extents import (
    NamedArguments,
    nameable,
    of_stated_rank,
    require_other_names,
    statement_place,
)
from shapesolve.ir.analyses import program_analysis
from shapesolve.ir.assumptions import Preconditions, ShapeName, StatedAssumption
from shapesolve.ir.own_attributes import ASSUME, REQUIRES
from shapesolve.ir.program import (
    TYPES_WITH_ERRORS,
    Function,
    Location,
    OpaqueAttribute,
    Program,
    ScalarType,
    ShapedType,
    Value,
)
from shapesolve.preconditions.attributes import stated_preconditions
from shapesolve.preconditions.functions import argument_name, bare_name, positional, source_of, texts_about
from shapesolve.preconditions.stated_contracts import KeptContract, StatedContract, scope_of_values
from shapesolve.reasons import listed
from shapesolve.records import record
from shapesolve.semantics.registry import RuleRegistry
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import ONE, Dim, of_atom
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least, equal
from shapesolve.symbolic.integer_lists import IntegerList
from shapesolve.symbolic.limits import TooLarge
from shapesolve.symbolic.parser import errors_in, parse_formula
from shapesolve.symbolic.scope import Scope
from shapesolve.symbolic.segments import number_of_elements
from shapesolve.symbolic.shape_kinds import RankedShape, Shape
from shapesolve.trace.events import Fact, MemoryBound, Origin, OverflowAssumption, Source, Statement, Trace
from shapesolve.trace.trust import ModelingAssumption, TrustedStatements

FOLLOWED = 64
"""Modeled width of `index`, in bits."""

_INDEX = re.compile(r"(?<![\w.])index(?: = |, )(\d+)")


@program_analysis
def other_widths(program: Program) -> tuple[str, ...]:
    """State that `index` has 64 bits, where a data layout in the file says otherwise."""
    stated: dict[int, None] = {}
    for op in program.operation.walk():
        layout = op.attributes.get("dlti.dl_spec")
        if isinstance(layout, OpaqueAttribute):
            stated |= dict.fromkeys(int(width) for width in _INDEX.findall(layout.text))
    return tuple(
        f"index has {FOLLOWED} bits, though a data layout in the file says {width}"
        for width in stated
        if width != FOLLOWED
    )


_ASSUMED = "--assume"

MIN_SIZE = "--min-size"
"""Option that gives a least size, and source of the claims that state it size by size."""

ADMITTED = "the export only admits"
"""Origin of a condition that the exporter of a model added, where the model itself also returns outside of it."""


@record
class Inputs:
    """The arguments of a function and the facts that hold of them when it is called.

    Attributes:
        function: The function.
        values: The abstract values of its arguments.
        variables: The variables in them.
        facts: The assumptions.
        unknowns: The source of fresh variables.
        modeling: The modeling assumptions.
        distrust: Whether the program's statements about its inputs and about functions without a body are not trusted.
        proved: The functions that call themselves and are proved to keep their contracts.
        in_memory: Conditions that counterexamples should satisfy.
        wrapping: The operations, by name and location, whose 64-bit arithmetic wraps; that of others is assumed not to.
    """

    function: Function
    values: tuple[Abstract, ...]
    variables: tuple[Variable, ...]
    facts: tuple[Fact, ...]
    unknowns: FreshVariables
    modeling: tuple[ModelingAssumption, ...] = ()
    distrust: bool = False
    proved: Mapping[Function, KeptContract] = field(default_factory=dict[Function, KeptContract])
    in_memory: tuple[OverflowAssumption, ...] = ()
    wrapping: frozenset[tuple[str, Location]] = frozenset()

    def kept(self, contract: StatedContract) -> KeptContract | None:
        """Return the assumptions under which a function keeps its contract, or None if the contract is not trusted."""
        if contract.function.body is not None:
            return self.proved.get(contract.function)
        return None if self.distrust else KeptContract((contract.trusted,))


def _stated_beside(function: Function, text: str) -> StatedAssumption:
    """A claim that is given beside the program, by an option or in a file of facts."""
    by = source_of(text, _ASSUMED)
    origin = by if by in (_ASSUMED, MIN_SIZE, ADMITTED) else "--facts"
    return StatedAssumption(text, function.location, origin, stated_by=by)


def make_inputs(
    function: Function,
    *,
    assumptions: Sequence[str] = (),
    names: Sequence[ShapeName] = (),
    min_size: int = 0,
    max_size: int = MAX_SIZE,
    max_bytes: int | None = None,
    separate_names: bool = False,
    modeling: tuple[ModelingAssumption, ...] = (),
    distrust: bool = False,
    required_only: bool = False,
    proved: Mapping[Function, KeptContract] | None = None,
    asserted: Preconditions | None = None,
) -> Inputs:
    """Return the inputs of a function.

    Args:
        function: The function.
        assumptions: Conditions beside those that the file states.
        names: Names of extents beside those that the file states.
        min_size: The least size.
        max_size: The largest size.
        max_bytes: The most bytes of an argument of a counterexample.
        separate_names: Whether extents that share a name are equal by facts, not one variable.
        modeling: Modeling assumptions that are made already.
        distrust: Whether what the file states is not believed.
        required_only: Whether only what the function requires is assumed of what the file states.
        proved: The functions that keep their contracts, which are not followed where they are called.
        asserted: What the function states, where its own assertions say that.

    Raises:
        InputError: A text is not of the size language, or names no argument or size.
    """
    unknowns = FreshVariables()
    unknowns.largest = max_size
    preconditions = asserted or stated_preconditions(function)
    if required_only:
        preconditions = preconditions.required()
    elif distrust:
        preconditions = preconditions.distrusted()
    claims = (
        *preconditions.assumptions,
        *(_stated_beside(function, each) for each in texts_about(function, assumptions)),
    )
    believed = [] if distrust else _believed_valid(function, claims)
    plain = tuple(
        unknowns.of_type(argument.type, argument_name(function, index), contents=True, errors=argument not in believed)
        for index, argument in enumerate(function.arguments)
    )
    by_file = () if distrust else preconditions.shapes
    plain, of_rank = of_stated_rank(function, plain, (*by_file, *names), unknowns)
    require_other_names(function, names if preconditions.stated_by else (*preconditions.shapes, *names))
    named = NamedArguments(function, plain, unknowns, separate_names)
    for name in (*preconditions.shapes, *names):
        is_believed = not distrust or bool(name.stated_by)
        if name.argument is not None and (is_believed or nameable(named.values[name.argument]) is not None):
            named.add(name)
    for assumption in preconditions.assumptions:
        symbol = assumption.text.split()[0]
        if assumption.origin not in (ASSUME, REQUIRES) and symbol not in named.sizes:  # no argument bears it
            named.sizes[symbol] = unknowns.size(symbol)
    elements = ElementBounds(function, named.values, named.sizes)
    facts = [*named.facts, *_claimed(function, claims, _scope(function, named.values, named.sizes), elements)]
    values, room = elements.bounded()
    if room is not TRUE:
        why = "elements lie between the bounds that are assumed of them"
        facts.append(Fact(room, Source.ASSUMPTION, why, function.location))
    variables = tuple(dict.fromkeys(v for value in values for v in sorted(variables_of(value), key=lambda v: v.text)))
    facts.extend(_one_extent_a_dimension(function, values))
    if min_size > 0:
        facts.extend(_at_least(values, min_size, function))
    unknowns.largest = MAX_SIZE
    modeling = (*modeling, *of_rank)
    if preconditions.stated_by:
        modeling = (*modeling, _trusted(function, preconditions))
    if believed:
        modeling = (*modeling, _no_errors(function, believed))
    in_memory = () if max_bytes is None else tuple(_in_memory(function, values, max_bytes))
    return Inputs(function, values, variables, tuple(facts), unknowns, modeling, distrust, proved or {}, in_memory)


def _claimed(
    function: Function, claims: Sequence[StatedAssumption], scope: Scope, elements: ElementBounds
) -> Iterator[Fact]:
    """Yield the facts that claims in the size language state; what they state of elements is kept with these."""
    for each in claims:
        with placed(statement_place(function, each)):
            try:
                formula = parse_formula(each.text, scope)
            except InputError as error:
                formula = elements.stated(each.text, scope, error)
        statement = Statement(_origin_of(each), each.by or each.origin, each.text)
        yield Fact(formula, Source.ASSUMPTION, statement.words, each.location, statement=statement)


def _believed_valid(function: Function, claims: Sequence[StatedAssumption]) -> list[Value]:
    """Return the arguments of types with errors about whose errors no claim says anything."""
    found: list[Value] = []
    error_names: set[str] | None = None
    for index, argument in enumerate(function.arguments):
        if str(argument.type) not in TYPES_WITH_ERRORS:
            continue
        error_names = _names_of_errors(function, claims) if error_names is None else error_names
        if not error_names & {argument_name(function, index), f"arg{index}", bare_name(function, index)}:
            found.append(argument)
    return found


def _names_of_errors(function: Function, claims: Sequence[StatedAssumption]) -> set[str]:
    """Return the names of values whose errors some claims are about."""
    error_names: set[str] = set()
    for each in claims:
        with placed(statement_place(function, each)):
            error_names |= {name.lstrip("%") for name in errors_in(each.text)}
    return error_names


def _no_errors(function: Function, believed: Sequence[Value]) -> str:
    others = [each.name for each in function.arguments if str(each.type) in TYPES_WITH_ERRORS and each not in believed]
    but_for = f", except {listed(others)}," if others else ""
    return f"arguments of shape and size type{but_for} are no errors (--distrust)"


def _in_memory(function: Function, values: Sequence[Abstract], max_bytes: int) -> list[OverflowAssumption]:
    """Return the assumptions that no argument takes more bytes than these."""
    found: list[OverflowAssumption] = []
    for argument, value in zip(function.arguments, values, strict=True):
        if not isinstance(argument.type, ShapedType) or not isinstance(value, Tensor):
            continue
        element = argument.type.element
        each = max(1, element.width // 8) if isinstance(element, ScalarType) else 1
        try:
            extents = value.shape.dims if isinstance(value.shape, RankedShape) else (number_of_elements(value.shape),)
            fits = at_least(max_bytes // each, prod(extents, start=ONE))
        except TooLarge:  # so many dimensions are left as they are
            continue
        because = f"{argument.name} takes more than {as_power(max_bytes)} bytes (--max-bytes)"
        # Several integers of fewer than eight bits may share a byte.
        has_bytes = isinstance(element, ScalarType) and (element.width >= 8 or element.is_boolean)
        memory = MemoryBound(extents, max_bytes // each, max_bytes) if has_bytes else None
        memory = memory if argument.type.is_injective else None
        found.append(OverflowAssumption(fits, because, unlikely=True, memory=memory))
    return found


def _origin_of(assumption: StatedAssumption) -> Origin:
    if assumption.stated_by:
        return Origin.OPTION
    return Origin.REQUIREMENT if assumption.origin == REQUIRES else Origin.STATEMENT


def _trusted(function: Function, preconditions: Preconditions) -> TrustedStatements:
    """Collect what an exporter states, and who checks it."""
    shapes = [f"%{argument_name(function, s.argument)} is [{', '.join(s.names)}]" for s in preconditions.shapes
              if s.argument is not None]  # fmt: skip
    claims = [each.text for each in preconditions.assumptions]
    asserted_by = function.name if preconditions.is_asserted else ""
    return TrustedStatements(preconditions.stated_by, (*shapes, *claims), asserted_by=asserted_by)


@program_analysis
def _operation_names(program: Program) -> frozenset[str]:
    return frozenset(op.name for op in program.operation.walk())


def limited(program: Program, max_size: int, registry: RuleRegistry) -> tuple[int, tuple[str, ...]]:
    """Return the largest size that a program is checked for, with the reasons if that is less than ``max_size``."""
    reasons: tuple[str, ...] = ()
    for name in sorted(_operation_names(program)):
        found = registry.get(name)
        if found is not None and found.largest_size is not None and found.largest_size < max_size:
            max_size = found.largest_size
            reasons = (f"no size exceeds {max_size}, the most that {name} can tell",)
    return max_size, reasons


def _at_least(values: tuple[Abstract, ...], least: int, function: Function) -> list[Fact]:
    facts: dict[Formula, Fact] = {}
    statement = Statement(Origin.OPTION, MIN_SIZE, str(least))
    for value in values:
        if isinstance(value, Tensor) and isinstance(value.shape, RankedShape):
            for extent in value.shape.dims:
                if extent.is_constant:  # what a type says is not up to the caller
                    continue
                formula = at_least(extent, least)
                facts[formula] = Fact(
                    formula, Source.ASSUMPTION, f"{MIN_SIZE} {least}", function.location, statement=statement
                )
    return list(facts.values())


def _one_extent_a_dimension(function: Function, values: Sequence[Abstract]) -> list[Fact]:
    """Return that an index tensor of unknown length is as long as the shape that it holds has dimensions."""
    found: list[Fact] = []
    for argument, value in zip(function.arguments, values, strict=True):
        if isinstance(value, Tensor) and value.spells is not None and isinstance(value.shape, RankedShape):
            (length,) = value.shape.dims
            because = f"{argument.name} holds one number a dimension"
            found.append(Fact(equal(value.spells.rank, length), Source.TYPE, because, function.location))
    return found


def _scope(function: Function, values: tuple[Abstract, ...], named: Mapping[str, Dim]) -> Scope:
    own = [argument_name(function, index) for index, _ in enumerate(values)]
    numbered = [each.name if each.name.lstrip("%") != name else name
                for each, name in zip(function.arguments, own, strict=True)]  # fmt: skip
    # A chosen name comes before an argument's, and that before its position.
    called = [each for names in (own, positional(function), numbered) for each in zip(names, values, strict=True)]
    return scope_of_values(called, named)


def scope_of(trace: Trace) -> Scope:
    """Return the names that an assumption about this function may use."""
    sizes: dict[str, Dim] = {each.name: of_atom(each) for each in trace.input_variables if each.name.isidentifier()}
    shapes: dict[str, Shape] = {}
    valid: dict[str, Formula] = {}
    lists: dict[str, IntegerList] = {}
    own = [argument_name(trace.function, index) for index, _ in enumerate(trace.inputs)]
    taken: set[str] = set()
    # An argument's name comes before another one's position.
    names = (own, positional(trace.function))
    for name, value in (each for group in names for each in zip(group, trace.inputs, strict=True)):
        if name in taken:
            continue
        taken.add(name)
        if isinstance(value, Tensor):
            sizes.pop(name, None)
            shapes[name] = value.shape
            for each, held in element_symbols(name, value).items():
                shapes.setdefault(each, held)
            lists.update(element_lists(name, value))
        elif isinstance(value, Shape):
            sizes.pop(name, None)
            shapes[name] = value
        elif (number := as_size(value)) is not None:
            sizes.setdefault(name, number)
            if isinstance(value, Size):
                valid[name] = value.valid
    return Scope.closed(sizes, shapes, valid, lists)
