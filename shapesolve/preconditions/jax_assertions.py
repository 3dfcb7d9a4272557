"""JAX's own assertions at an entry as preconditions: names, forms, bounds and constraints of sizes.

Every program that ``jax.export`` makes for symbolic sizes begins with them. Their messages state the checked claims,
and their operands which extents these are about. So a text that JAX printed is as good as the module that it returns.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from shapesolve.ir.assumptions import UNNAMED, Preconditions, ShapeName, StatedAssumption
from shapesolve.ir.own_attributes import ASSUME, STATED_BY
from shapesolve.ir.program import Function, Operation, Program, ShapedType, Value
from shapesolve.preconditions.attributes import stated_preconditions
from shapesolve.preconditions.python_guards import claim_text, expression_text, identifier, normalized_claims, parsed
from shapesolve.records import value_record
from shapesolve.symbolic.parser import names_in, parse_size
from shapesolve.symbolic.scope import Scope

ORIGIN = "jax.export"
_OPENING = "Input shapes do not match the "
_CALL, _CALLED, _WORDS = "stablehlo.custom_call", "call_target_name", "error_message"
_EXTENT, _CONVERTED = "stablehlo.get_dimension_size", "stablehlo.convert"
_FORM = re.compile(r"from specification '([^']+)' for dimension .+? \(= \{(\d+)\}\)")
_SECOND_FORM = re.compile(r"inconsistency between dimension size .+? \(= \{(\d+)\}\) and the specification '([^']+)'")
_LEAST = re.compile(r"Expected value >= (\d+) for dimension variable '([^']+)'")
_CONSTRAINT = re.compile(
    r"do not match the symbolic shape constraint (?P<written>.+?)\. Expected "
    r"(?:'(?P<checked>[^']+)' to be (?P<least>greater or )?equal to 0)?"
)


def is_entry_assertion(op: Operation) -> bool:
    """Return whether JAX generated an operation to check the sizes that a program is called with."""
    words = op.attributes.get(_WORDS)
    is_assertion = op.name == _CALL and op.attributes.get(_CALLED) == "shape_assertion"
    return is_assertion and isinstance(words, str) and words.startswith(_OPENING)


def guards_of(program: Program) -> Iterator[Operation]:
    """Yield the assertions that check the preconditions stated by JAX."""
    for function in program.functions.values():
        if function.operation.attributes.get(STATED_BY) == ORIGIN:
            yield from filter(is_entry_assertion, _entry_block(function))


@value_record
class Constraint:
    """Constraint of JAX as ``written``, and the check of the program that enforces it, if known.

    They differ if another constraint defines a size: with ``c == 3``, ``a >= c`` is checked as ``a - 3 >= 0``.
    """

    written: str
    checked: str = ""

    @property
    def is_expressible(self) -> bool:
        """Return whether the size language can express it, given all names."""
        return any(text and constraint_text(text) is not None for text in (self.written, self.checked))

    def claim(self, names: Container[str]) -> str | None:
        """Return it in the size language over these names alone; None if it cannot be expressed."""
        for text in (self.written, self.checked):
            found = constraint_text(text) if text else None
            if found is not None and all(each in names for each in names_in(found)):
                return found
        return None


def constraint_in(words: str) -> Constraint | None:
    """Return the constraint that an assertion checks, from its message; None if it checks a form."""
    found = _CONSTRAINT.search(words)
    if found is None:
        return None
    checked = f"{found['checked']} {'>=' if found['least'] else '=='} 0" if found["checked"] else ""
    return Constraint(found["written"], checked)


def asserted_at_entries(program: Program, *, from_words: bool = True) -> Program:
    """Return the program with the preconditions that JAX's assertions check at the entries of its functions.

    If a function states preconditions itself, they count as checked if the assertions imply all of them. Preconditions
    that only the messages of the assertions state are included if ``from_words``.
    """
    found: dict[Function, Preconditions] = {}
    notes: list[str] = []
    for function in program.functions.values():
        assertions = [op for op in _entry_block(function) if is_entry_assertion(op)]
        if not assertions:
            continue
        reader = _Preconditions(function)
        for op in assertions:
            reader.take(op)
        asserted, own = reader.preconditions(), stated_preconditions(function)
        if not (own.shapes or own.assumptions):
            if from_words:
                found[function] = asserted
                notes += [unused_constraint_note(each) for each in reader.inexpressible]
        elif own.stated_by == ORIGIN and _covers(asserted, own):
            found[function] = replace(own, is_asserted=True)
    return replace(program, asserted=found, notes=(*program.notes, *notes)) if found else program


def unused_constraint_note(constraint: str) -> str:
    """Return the note about a constraint that is not used."""
    return f"a constraint of jax.export that cannot be written with sizes of the inputs is not used: {constraint}"


def size_text(text: str) -> str | None:
    """Translate a size from JAX's notation to the size language; None if it cannot be expressed."""
    node = parsed(text.replace("^", "**"))
    found = None if node is None else expression_text(node, _name)
    return None if found is None else str(parse_size(found, Scope.free()))


def constraint_text(text: str) -> str | None:
    """Translate a constraint from JAX's notation to the size language; None if it cannot be expressed."""
    return claim_text(text.replace("^", "**"), _name)


def _name(node: ast.expr) -> str | None:
    return identifier(node.id) if isinstance(node, ast.Name) else None


def _entry_block(function: Function) -> Sequence[Operation]:
    return function.body.blocks[0].operations if function.body is not None and function.body.blocks else ()


def _covers(asserted: Preconditions, own: Preconditions) -> bool:
    forms = {(each.argument, place): text for each in asserted.shapes for place, text in enumerate(each.names)}
    claims = {each.text for each in asserted.assumptions}
    return all(each.text in claims for each in own.assumptions) and all(
        text == UNNAMED or text.isdecimal() or forms.get((each.argument, place)) == text
        for each in own.shapes
        for place, text in enumerate(each.names)
    )


Extent = tuple[int, int]
"""The position of an argument, and the dimension."""


@dataclass(slots=True)
class _Preconditions:
    """Preconditions collected from the assertions of a function.

    Attributes:
        forms: The size expression of each extent.
        claims: The claims, each with the assertion that checks it.
        inexpressible: The constraints that the size language cannot express.
        measured: The extent of an argument that each value holds.
    """

    function: Function
    forms: dict[Extent, str] = field(default_factory=dict[Extent, str])
    claims: dict[str | Constraint, Operation] = field(default_factory=dict["str | Constraint", Operation])
    inexpressible: list[str] = field(default_factory=list[str])
    measured: Mapping[Value, Extent] = field(init=False)

    def __post_init__(self) -> None:
        self.measured = dict(_measured(self.function))

    def take(self, op: Operation) -> None:
        """Add the claims of one assertion. Its operands are the condition, and the numbers in its message."""
        words = op.attributes[_WORDS]
        assert isinstance(words, str)
        forms = [(int(place), text) for text, place in _FORM.findall(words)]
        forms += [(int(place), text) for place, text in _SECOND_FORM.findall(words)]
        for place, text in forms:
            extent = self.measured.get(op.operands[1 + place]) if 1 + place < len(op.operands) else None
            size = size_text(text)
            if extent is not None and size is not None:
                self.forms.setdefault(extent, size)
        for least, name in _LEAST.findall(words):
            self.claims.setdefault(f"{identifier(name)} >= {least}", op)
        constraint = constraint_in(words)
        if constraint is not None:
            self.claims.setdefault(constraint, op)

    def preconditions(self) -> Preconditions:
        """Return all preconditions, without claims over names that no argument has."""
        shapes = [
            ShapeName(position, names, value, self.function.location, ORIGIN)
            for position, value in enumerate(self.function.arguments)
            if (names := self._names(position, value.type)) and set(names) != {UNNAMED}
        ]
        borne = {name for shape in shapes for text in shape.names if text != UNNAMED for name in names_in(text)}
        claims = [
            StatedAssumption(text, op.location, ASSUME, ORIGIN)
            for claim, op in self._claims_over(borne)
            for text in normalized_claims([claim])
            if borne.issuperset(names_in(text))
        ]
        return Preconditions(tuple(claims), tuple(shapes), ORIGIN, is_asserted=True)

    def _claims_over(self, names: Container[str]) -> Iterator[tuple[str, Operation]]:
        """Yield the claims over some names, each with the assertion that checks it."""
        for claim, op in self.claims.items():
            text = claim.claim(names) if isinstance(claim, Constraint) else claim
            if text is not None:
                yield text, op
            elif isinstance(claim, Constraint) and not claim.is_expressible:
                self.inexpressible.append(claim.written)

    def _names(self, position: int, type: object) -> tuple[str, ...]:
        if not isinstance(type, ShapedType) or type.extents is None:
            return ()
        return tuple(
            UNNAMED if extent is not None else self.forms.get((position, place), UNNAMED)
            for place, extent in enumerate(type.extents)
        )


def _measured(function: Function) -> Iterator[tuple[Value, Extent]]:
    """Return the values that hold an extent of an argument."""
    positions = {value: position for position, value in enumerate(function.arguments)}
    found: dict[Value, Extent] = {}
    for op in _entry_block(function):
        dimension = op.attributes.get("dimension")
        if op.name == _EXTENT and op.operands[0] in positions and isinstance(dimension, int):
            found[op.results[0]] = positions[op.operands[0]], dimension
        elif op.name == _CONVERTED and op.operands[0] in found:
            found[op.results[0]] = found[op.operands[0]]
    return iter(found.items())
