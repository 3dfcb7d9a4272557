"""Verification of every operation of a file that carries the trait, by a profile, with its runtime behavior.

Programs that MLIR's own verifier rejects are read all the same, for the verifier under test is this package's. The
names of the operations that carry the trait are replaced by the name of an unregistered operation, so that no verifier
looks at it. Every line and column stays what it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from shapesolve.domain.values import Tensor
from shapesolve.errors import InputError
from shapesolve.interpreter.inputs import make_inputs
from shapesolve.interpreter.named_extents import shape_names
from shapesolve.ir.input_files import STRING, load
from shapesolve.ir.program import Function, Location, Operation, Program, ShapedType, Type, Value
from shapesolve.ir.reader import RefusedText, accepted_or_none, read_file, read_text
from shapesolve.options import Options
from shapesolve.records import record, value_record
from shapesolve.shape_functions.carriers import DEFAULT, OPTION, carriers_in, parse_carrier
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.limits import TooLarge
from shapesolve.symbolic.shape_kinds import RankedShape, Shape
from shapesolve.symbolic.shapes import broadcast
from shapesolve.traits.inference_tables import TypeShape, shape_of_type
from shapesolve.traits.profiles import CARRIERS, Profile, Rules
from shapesolve.traits.runtime_behavior import Kind, RuntimeBehavior, runtime_behavior, runtime_shape
from shapesolve.traits.verifier import Effect, ExtentRequirement, TypedValue, Verification, verify

ACCEPTED = "accepted"


@value_record
class Judged:
    """Verification result of one operation.

    Attributes:
        runtime_behavior: Its runtime behavior; None if operands or results are no tensors.
        inputs: The names and shapes of the values whose sizes that depends on.
    """

    name: str
    operation: Operation
    verification: Verification
    runtime_behavior: RuntimeBehavior | None
    inputs: tuple[tuple[str, Shape], ...] = ()

    @property
    def location(self) -> Location:
        return self.operation.location

    @property
    def broken(self) -> ExtentRequirement | None:
        """The first requirement that is violated; None if the operation is accepted."""
        return self.verification.broken

    @property
    def outcome(self) -> str:
        """One of ``accepted``, ``rejected``, ``unspecified`` and ``crashed``."""
        return ACCEPTED if self.broken is None else self.broken.effect.value

    @property
    def is_settled(self) -> bool:
        """Return whether the profile accepts or rejects, and the runtime behavior of an accepted operation is known."""
        if self.broken is None:
            return self.runtime_behavior is None or self.runtime_behavior.kind is not Kind.UNDECIDED
        return self.broken.effect is not Effect.UNSPECIFIED


@value_record
class JudgedFile:
    """Verification results of all operations of a file that carry the trait, in their order.

    Attributes:
        refusals: An error for each function that MLIR refuses for other reasons than the trait.
    """

    source: DisguisedProgram
    profile: Profile
    operations: tuple[Judged, ...]

    @property
    def refusals(self) -> tuple[InputError, ...]:
        return self.source.refusals

    def __repr__(self) -> str:
        counts = Counter(each.outcome for each in self.operations)
        shown = ", ".join(f"{count} {word}" for word, count in counts.items()) or "no operation with the trait"
        return f"<JudgedFile {self.source.program.title}: {shown} by {self.profile.name}>"

    @property
    def exit_code(self) -> int:
        """0 if all are accepted; 1 if some are rejected; 3 if none is, but some are not settled, or there is none.

        2 if MLIR refuses a function.
        """
        if self.refusals:
            return 2
        if any(judged.broken is not None and judged.is_settled for judged in self.operations):
            return 1
        return 0 if self.operations and all(judged.is_settled for judged in self.operations) else 3


def verify_file(
    path: str, profile: Profile, *, also: Collection[str] = (), options: Options | None = None, in_part: bool = False
) -> JudgedFile:
    """Verify the operations of a file.

    Args:
        path: The file.
        profile: The verifier to imitate.
        also: Operations that carry the trait beside the known ones.
        options: Only options about sizes count.
        in_part: Leave out functions that MLIR refuses for other reasons than the trait, if it accepts others.

    Raises:
        InputError: MLIR cannot read the file, for other reasons than the trait.
    """
    also = _broadcastable(also, OPTION)
    return _judged(read_unverified(path, CARRIERS.union(also), in_part=in_part), profile, also, options)


def verify_text(text: str, profile: Profile, *, also: Collection[str] = ()) -> JudgedFile:
    """Verify the operations of a program given as text, like `verify_file`."""
    also = _broadcastable(also, OPTION)
    return _judged(read_unverified_text(text, STRING, CARRIERS.union(also)), profile, also, None)


def _broadcastable(carriers: Collection[str], where: str) -> frozenset[str]:
    """Return the operations that are declared to carry this trait. Raises InputError for another trait."""
    found = [parse_carrier(text, where) for text in carriers]
    for each in found:
        if each.trait != DEFAULT:
            message = f"verify judges the trait {DEFAULT} alone; {each.op}={each.trait} is for check and the others"
            raise InputError(message, where=where)
    return frozenset(each.op for each in found)


def _judged(source: DisguisedProgram, profile: Profile, also: Collection[str], options: Options | None) -> JudgedFile:
    stated = {each.op for each in carriers_in(source.program, ()) if each.trait == DEFAULT}
    carriers = CARRIERS.union(also, stated)
    shapes = _OperandShapes(source.program, options or Options())
    judged: list[Judged] = []
    for operation in source.program.operation.walk():
        name = source.name_at(operation.location.line, operation.location.column, operation.name)
        if name in carriers:
            judged.append(verify_operation(operation, name, profile, shapes))
    return JudgedFile(source, profile, tuple(judged))


def verify_operation(operation: Operation, name: str, profile: Profile, shapes: _OperandShapes) -> Judged:
    """Verify one operation, which its author called ``name``."""
    rules = profile.rules_for(name)
    operands = [_typed(value.type) for value in operation.operands]
    results = [_typed(value.type) for value in operation.results]
    return Judged(name, operation, verify(operands, results, rules), *_runtime_behavior(operation, rules, shapes))


def _typed(type: Type) -> TypedValue:
    if not isinstance(type, ShapedType):
        return TypedValue(None, "", str(type))
    return TypedValue(shape_of_type(type), type.container, str(type.element))


def _runtime_behavior(
    operation: Operation, rules: Rules, shapes: _OperandShapes
) -> tuple[RuntimeBehavior | None, tuple[tuple[str, Shape], ...]]:
    """Return the runtime behavior of an operation, and the values whose sizes it depends on."""
    operands = operation.operands[: rules.taking_part]
    if not operands or len(operation.results) != 1:
        return None, ()
    if not all(isinstance(value.type, ShapedType) for value in (*operands, *operation.results)):
        return None, ()
    found = [shapes.of(value, shape_of_type(value.type)) for value in operands]
    facts = dict.fromkeys([*shapes.facts_of(operation), *(fact for each in found for fact in each.facts)])
    (result,) = operation.results
    type = shape_of_type(result.type)
    behavior = runtime_behavior([each.shape for each in found], type, equal_ranks=rules.equal_ranks, facts=tuple(facts))
    shapes.define(result, type, found, None if behavior.kind is Kind.NEVER else behavior.condition)
    return behavior, tuple(dict.fromkeys(each for operand in found for each in operand.inputs))


_STAND_IN = "a.b"
_LEXEME = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|(?<![\w.$#%@!\-])[A-Za-z_][\w$]*(?:\.[\w$]+)+')
_CALL = re.compile(r"\s*\(")
_VALUE = r"%[\w$.\-#]+"
_OPERANDS = re.compile(rf"\s+({_VALUE}(?:\s*,\s*{_VALUE})*)[ \t]+(?=[:{{])")


@record
class DisguisedProgram:
    """A program with replaced operation names, and the original names by line and column.

    Attributes:
        refusals: An error for each function that is left out, because MLIR refuses it.
    """

    program: Program
    names: dict[tuple[int, int], str]
    refusals: tuple[InputError, ...] = ()

    def name_at(self, line: int, column: int, name: str) -> str:
        """Return the original name of an operation at a place."""
        return self.names.get((line, column), name)


def read_unverified(path: str, carriers: Collection[str], *, in_part: bool = False) -> DisguisedProgram:
    """Read the program in a file without verifying the named operations.

    Args:
        in_part: Leave out functions that MLIR refuses all the same, if it accepts others.

    Raises:
        InputError: The file cannot be read.
    """
    content = load(path)
    if content.text is None:
        return DisguisedProgram(read_file(path), {})
    return read_unverified_text(content.text, content.file, carriers, in_part=in_part)


def read_unverified_text(text: str, file: str, carriers: Collection[str], *, in_part: bool = False) -> DisguisedProgram:
    """Read the program in a text without verifying the named operations, like `read_unverified`."""
    try:
        read = read_text(text, file)
    except InputError as error:
        disguised, offsets = _disguise(text, carriers)
        if not offsets and not (in_part and isinstance(error, RefusedText)):
            raise
    else:
        disguised, offsets = ("", {}) if read.refused_text is None else _disguise(text, carriers)
        if not offsets:
            return DisguisedProgram(read, {})
    refusals: tuple[InputError, ...] = ()
    try:
        program = read_text(disguised, file)
    except InputError as error:
        accepted = accepted_or_none(error) if in_part and isinstance(error, RefusedText) else None
        if accepted is None or accepted.program is None:
            raise _undisguised_error(error, disguised, text) from None
        program = accepted.program
        refusals = tuple(_undisguised_error(each, disguised, text) for each in accepted.refusals)
    names = {_place(text, offset): name for offset, name in offsets.items()}
    return DisguisedProgram(replace(program, text=text, refused_text=None), names, refusals)


def _undisguised_error(error: InputError, disguised: str, text: str) -> InputError:
    return InputError(error.message, where=error.where, excerpt=_undisguised(error.excerpt, disguised, text))


def _undisguised(excerpt: str, disguised: str, text: str) -> str:
    """Return an excerpt with the original lines. Both texts have the same lines, equally long."""
    pairs = [(a, b) for a, b in zip(disguised.split("\n"), text.split("\n"), strict=True) if a != b]
    shown: list[str] = []
    for line in excerpt.split("\n"):
        seen = line.strip().removeprefix("...").removesuffix("...")
        found = next(((a, b) for a, b in pairs if len(seen) > 3 and seen in a), None)
        if found is not None:
            start = found[0].index(seen)
            line = line.replace(seen, found[1][start : start + len(seen)])
        shown.append(line)
    return "\n".join(shown)


def _place(text: str, offset: int) -> tuple[int, int]:
    start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, offset - start + 1


def _disguise(text: str, carriers: Collection[str]) -> tuple[str, dict[int, str]]:
    pieces: list[str] = []
    offsets: dict[int, str] = {}
    done = 0
    for start, end, name, written in _replacements(text, carriers):
        pieces += [text[done:start], written]
        offsets[start] = name
        done = end
    return "".join([*pieces, text[done:]]), offsets


def _replacements(text: str, carriers: Collection[str]) -> Iterator[tuple[int, int, str, str]]:
    """Yield the ranges of operation names (with operands in the custom form), the names, and their replacements."""
    for match in _LEXEME.finditer(text):
        lexeme = match[0]
        if lexeme.startswith('"') and lexeme[1:-1] in carriers and _CALL.match(text, match.end()):
            name = lexeme[1:-1]
            yield match.start(), match.end(), name, f'"{_placeholder(len(name))}"'
        elif lexeme in carriers:
            operands = _OPERANDS.match(text, match.end())
            if operands is not None:
                yield match.start(), operands.end(), lexeme, _generic(text, match, operands)


def _placeholder(length: int) -> str:
    return _STAND_IN.ljust(length, "b")


def _generic(text: str, name: re.Match[str], operands: re.Match[str]) -> str:
    """Return ``tosa.add %a, %b :`` as ``"a.b"(  %a, %b) :``: as long, every value where it was."""
    called = f'"{_STAND_IN}"('
    before = called.ljust(operands.start(1) - name.start())
    after = ")".ljust(operands.end() - operands.end(1))
    return before + operands[1] + after


@value_record
class _RuntimeShape:
    """The shape of a value.

    Attributes:
        facts: Formulas that hold wherever the value exists.
        inputs: The names and shapes of the values whose sizes it is made of.
    """

    shape: Shape
    facts: tuple[Formula, ...] = ()
    inputs: tuple[tuple[str, Shape], ...] = ()


class _OperandShapes:
    """The shapes of values of one program, as far as arguments and operations that carry the trait determine them."""

    def __init__(self, program: Program, options: Options) -> None:
        self._known: dict[Value, _RuntimeShape] = {}
        self._facts: dict[Operation, tuple[Formula, ...]] = {}
        for function in program.functions.values():
            if function.body is not None:
                self._enter(function, program, options)

    def _enter(self, function: Function, program: Program, options: Options) -> None:
        inputs = make_inputs(
            function,
            assumptions=options.assumptions,
            names=shape_names(function, options.shapes),
            min_size=options.min_size,
            max_size=options.max_size,
            distrust=options.distrust,
            asserted=program.asserted.get(function),
        )
        facts = tuple(fact.formula for fact in inputs.facts)
        if any(fact is not TRUE for fact in facts):
            for op in function.operation.walk():
                self._facts[op] = facts
        for argument, value in zip(function.arguments, inputs.values, strict=True):
            if isinstance(value, Tensor):
                name = argument.name.removeprefix("%")
                self._known[argument] = _RuntimeShape(value.shape, inputs=((name, value.shape),))

    def of(self, value: Value, type: TypeShape) -> _RuntimeShape:
        """Return the shape of an operand; one that nothing is known of gets sizes named after it: ``%0[0]``."""
        if value not in self._known:
            shape = runtime_shape(value.name, type)
            self._known[value] = _RuntimeShape(shape, inputs=((value.name, shape),))
        return self._known[value]

    def facts_of(self, operation: Operation) -> tuple[Formula, ...]:
        """Return what is assumed of the arguments of the function around an operation."""
        return self._facts.get(operation, ())

    def define(
        self, result: Value, type: TypeShape, operands: Sequence[_RuntimeShape], defined: Formula | None
    ) -> None:
        """Record the result of an operation that carries the trait and is defined under a condition.

        None: under no condition, so that nothing is recorded.
        """
        if defined is None:
            return
        try:
            shape = broadcast(*(operand.shape for operand in operands))
        except TooLarge:
            return
        facts = dict.fromkeys(fact for operand in operands for fact in operand.facts)
        if isinstance(shape, RankedShape):
            if type is not None and len(type) != len(shape.dims):
                return
            extents = type or (None,) * len(shape.dims)
            shape = RankedShape.of(
                dim if extent is None or extent.dynamic is TRUE else extent.size
                for dim, extent in zip(shape.dims, extents, strict=True)
            )
        elif type is not None:
            return
        inputs = dict.fromkeys(each for operand in operands for each in operand.inputs)
        self._known[result] = _RuntimeShape(shape, (*facts, defined), tuple(inputs))
