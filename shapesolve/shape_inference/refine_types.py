"""Type refinement: a number in the place of every `?` that is proved to be that number.

A refined type is only written where its operation and its users verify with it; where a user needs the old type, a
`tensor.cast` restores it. Function signatures stay, unless asked otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from shapesolve.checker.check import check_function
from shapesolve.errors import InputError, plural
from shapesolve.int64 import MAX_SIZE
from shapesolve.ir import bindings
from shapesolve.ir.bindings import Bindings, ir, verifies
from shapesolve.ir.program import Function, Location, Operation, Program, ShapedType, SymbolRef, Value
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.preconditions.functions import chosen
from shapesolve.records import value_record
from shapesolve.rewriting.checks import RewriteError
from shapesolve.rewriting.printer import written
from shapesolve.rewriting.rewriter import NUMBER, Rewriter
from shapesolve.shape_inference.known_extents import Inferred, KnownExtent, infer, is_open
from shapesolve.solver.verdicts import Proved, Unreachable
from shapesolve.statistics import stage
from shapesolve.trace.events import assumes

CAST = "tensor.cast"
_CALLS = ("func.call", "func.call_indirect", "builtin.unrealized_conversion_cast")


class RefineError(Exception):
    """The refined program is not as good as the original: a fault of shapesolve. Nothing is written."""


@value_record
class Refinement:
    """A value whose type was refined.

    Attributes:
        value: Its name.
        location: Where it is made.
        before, after: Both types.
        extents: The new numbers, with the facts that prove them.
    """

    value: str
    location: Location
    before: str
    after: str
    extents: tuple[KnownExtent, ...]


@value_record
class RefineResult:
    """The refined program.

    Attributes:
        text: The new text; the original text itself if nothing was refined.
        refinements: The refined values.
        inferred: The inferred shapes of each function.
        notes: Notes for the report.
    """

    text: str
    refinements: tuple[Refinement, ...]
    inferred: tuple[Inferred, ...]
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<RefineResult {plural(len(self.refinements), 'type')} refined>"


def refine_program(program: Program, options: Options, *, signatures: bool = False) -> RefineResult:
    """Refine the types of a program that was read from text.

    Args:
        signatures: Whether to refine the signatures of functions that nothing calls, too.

    Raises:
        InputError: The program has no text, or the assumptions cannot be read.
        RefineError: The check of the output fails.
    """
    if program.text is None:
        raise InputError("only what was read from text can be refined: print the module first", where=program.file)
    if options.contracts:
        raise InputError("what is written states its contracts itself, as attributes", where="--facts")
    if options.max_size != MAX_SIZE:
        raise InputError(
            "types may only be refined for all sizes: write the bound as an assumption", where="--max-size"
        )
    functions = chosen(program, options.functions)
    inferred = tuple(infer(program, each, options) for each in functions)
    called = {function.name for functions in program.symbols.mentions().values() for function in functions}
    left = {
        each.trace.function.name: "it is called, and nobody checks there what is assumed of it"
        for each in inferred
        if assumes(each.trace) and each.trace.function.name in called
    }
    while True:
        result = _refined(program, inferred, left, called if signatures else None)
        if not result.refinements:
            return result
        worse = _regressions(program, result, functions, options)
        if not worse:
            return result
        if worse.keys() <= left.keys():
            raise RefineError("; ".join(f"@{name}: {reason}" for name, reason in worse.items()))
        left = {**worse, **left}


@stage("rewrite")
@bindings.without_dialect_classes()
def _refined(
    program: Program, inferred: tuple[Inferred, ...], left: Mapping[str, str], called: set[str] | None
) -> RefineResult:
    """Return the program with all functions refined but those in ``left``, which gives the reasons."""
    assert program.text is not None
    notes = [f"@{name} is left as it is: {reason}" for name, reason in left.items()]
    taken = [each for each in inferred if each.trace.function.name not in left]
    wanted = {value: known for each in taken for value, known in each.known.items() if known}
    unchanged = RefineResult(program.text, (), inferred, tuple(notes))
    if not any(_dynamic(value, known) for value, known in wanted.items()):
        return unchanged
    rewriter = Rewriter.of(program)
    writer = _Writer(program, rewriter, wanted, called)
    for each in taken:
        writer.refine(each.trace.function)
    if not writer.refinements:
        return unchanged
    try:
        text = written(rewriter, program)
    except RewriteError as error:
        raise RefineError(f"MLIR does not accept the refined program: {error}") from error
    trusted = (found for each in taken for found in each.trace.trusted if found.is_unchecked)
    notes += map(str, dict.fromkeys(trusted))
    notes += ["comments are not kept"] if "//" in program.text else []
    return RefineResult(text, tuple(writer.refinements), inferred, tuple(notes))


def _dynamic(value: Value, known: Sequence[KnownExtent]) -> bool:
    is_ranked = isinstance(value.type, ShapedType) and value.type.extents is not None
    return is_ranked and any(is_open(value, each.position) for each in known)


# Writing -------------------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _Writer:
    """Tries the refined types of operands and results on every operation, in program order.

    Attributes:
        called: Functions whose signatures stay; None: all of them.
        refined: The live value of refined type, by the value that it replaces.
        casts: The inserted casts.
        refinements: The refinements so far.
    """

    program: Program
    rewriter: Rewriter
    wanted: Mapping[Value, tuple[KnownExtent, ...]]
    called: set[str] | None
    refined: dict[Value, Bindings] = field(default_factory=dict[Value, Bindings])
    casts: list[Bindings] = field(default_factory=list[Bindings])
    refinements: list[Refinement] = field(default_factory=list[Refinement])

    def refine(self, function: Function) -> None:
        """Refine one function."""
        live = self.rewriter.live[function.operation.number]
        open_signature = self.called is not None and function.name not in self.called and function.body is not None
        context = live.context
        handler = context.attach_diagnostic_handler(_discard_diagnostic)
        try:
            self._arguments(function, live, open_signature)
            for op in function.operation.walk():
                if op is not function.operation:
                    self._operation(op)
            if open_signature:
                self._results(function, live)
            self._erase_unused()
        finally:
            handler.detach()

    def _arguments(self, function: Function, live: Bindings, open_signature: bool) -> None:
        if not open_signature or function.body is None:
            return  # a cast of an argument would say nothing that its users can rely on before the function is entered
        block = live.regions[0].blocks[0]
        first = next(iter(block.operations))
        for value, argument in zip(function.arguments, list(block.arguments), strict=True):
            type = self._type(value, argument.type)
            if type is None:
                continue
            before = argument.type
            argument.set_type(type)
            self._cast_for_users(value, argument, before, ir().InsertionPoint(first), function.location)
        self._set_signature(live, block, None)

    def _results(self, function: Function, live: Bindings) -> None:
        """Return values of refined types, where every return of the function can."""
        if function.body is None or len(function.body.blocks) != 1:
            return
        end = function.body.blocks[0].operations[-1]
        live_end = self.rewriter.live[end.number]
        for position, value in enumerate(end.operands):
            if value in self.refined:
                live_end.operands[position] = self.refined[value]
        self._set_signature(live, live.regions[0].blocks[0], live_end)

    def _set_signature(self, live: Bindings, block: Bindings, end: Bindings | None) -> None:
        old = live.attributes["function_type"].value
        results = list(old.results) if end is None else [operand.type for operand in end.operands]
        arguments = [argument.type for argument in block.arguments]
        type = ir().FunctionType.get(arguments, results, live.context)
        live.attributes["function_type"] = ir().TypeAttr.get(type, live.context)

    # Operations ------------------------------------------------------------------------------------------------------

    def _operation(self, op: Operation) -> None:
        live = self.rewriter.live[op.number]
        positions = (
            [] if self._is_strict(op, live) else [i for i, each in enumerate(op.operands) if each in self.refined]
        )
        types = {i: type for i, each in enumerate(op.results) if (type := self._type(each, live.results[i].type))}
        made = {} if _has_symbol_reference(op) or _yields_dynamic_tensors(op) else types
        for use, make in ((True, True), (True, False), (False, True)):
            if (use and not positions) or (make and not made):
                continue
            if self._try_types(op, live, positions if use else [], made if make else {}):
                break
        self._cast_results(op, live, types)

    def _try_types(
        self, op: Operation, live: Bindings, positions: Sequence[int], types: Mapping[int, Bindings]
    ) -> bool:
        """Return whether the operation verifies with these refined operands and result types; undo them if not."""
        operands = {position: live.operands[position] for position in positions}
        before = {position: live.results[position].type for position in types}
        for position in positions:
            live.operands[position] = self.refined[op.operands[position]]
        for position, type in types.items():
            live.results[position].set_type(type)
        if verifies(live):
            after = _after(live)
            for position in types:
                self._cast_for_users(op.results[position], live.results[position], before[position], after, op.location)
            return True
        for position, operand in operands.items():
            live.operands[position] = operand
        for position, type in before.items():
            live.results[position].set_type(type)
        return False

    def _cast_results(self, op: Operation, live: Bindings, types: Mapping[int, Bindings]) -> None:
        """Cast a result that the operation does not allow refined itself, for the result's users."""
        for position, type in types.items():
            if op.results[position] not in self.refined:
                cast = self._cast(live.results[position], type, _after(live), live.location)
                self.refined[op.results[position]] = cast.results[0]

    def _cast_for_users(
        self, value: Value, live: Bindings, before: Bindings, where: Bindings, location: Location
    ) -> None:
        """Let all users keep the old type until they are tried with the new one."""
        uses = list(live.uses)
        cast = self._cast(live, before, where, live.location)
        for use in uses:
            use.owner.operands[use.operand_number] = cast.results[0]
        self.refined[value] = live
        known = [each for each in self.wanted[value] if _is_dynamic(before, each.position)]
        self.refinements.append(Refinement(value.name, location, str(before), str(live.type), tuple(known)))

    def _cast(self, value: Bindings, type: Bindings, where: Bindings, place: Bindings) -> Bindings:
        cast = ir().Operation.create(CAST, results=[type], operands=[value], loc=place, ip=where)
        cast.attributes[NUMBER] = ir().IntegerAttr.get(ir().IntegerType.get_signless(64, cast.context), -1)
        self.casts.append(cast)
        return cast

    def _erase_unused(self) -> None:
        for cast in reversed(self.casts):
            if not any(True for _ in cast.results[0].uses):
                cast.erase()
        self.casts.clear()

    def _type(self, value: Value, live: Bindings) -> Bindings | None:
        """Return the refined type of a value; None if there is nothing to refine."""
        known = self.wanted.get(value, ())
        if not known or not isinstance(value.type, ShapedType) or value.type.container != "tensor":
            return None
        if not _dynamic(value, known) or live.encoding is not None:
            return None
        shape = list(live.shape)
        for each in known:
            if _is_dynamic(live, each.position):
                shape[each.position] = each.number
        return ir().RankedTensorType.get(shape, live.element_type, loc=ir().Location.unknown(live.context))

    def _is_strict(self, op: Operation, live: Bindings) -> bool:
        """Return whether an operation's operands keep their types: others rely on them, or it is unknown."""
        if op.successors or op.name in _CALLS or _has_symbol_reference(op):
            return True
        if not live.context.is_registered_operation(op.name):
            return True
        block = live.block
        return list(block.operations)[-1].operation == live and not op.results


def _has_symbol_reference(op: Operation) -> bool:
    """Return whether an operation's types are those of a symbol, which its own verifier does not look at."""
    return any(isinstance(each, SymbolRef) for each in op.attributes.values())


def _yields_dynamic_tensors(op: Operation) -> bool:
    """Return whether an operation's results are what one of its regions yields, whose types stay."""
    ends = [block.operations[-1] for region in op.regions for block in region.blocks if block.operations]
    return any(_is_dynamic_tensor(operand) for end in ends for operand in end.operands)


def _is_dynamic_tensor(value: Value) -> bool:
    return isinstance(value.type, ShapedType) and (value.type.extents is None or None in value.type.extents)


def _is_dynamic(type: Bindings, position: int) -> bool:
    return bool(type.is_dynamic_dim(position))


def _discard_diagnostic(diagnostic: Bindings) -> bool:
    """Discard MLIR's diagnostics of a trial that fails."""
    return True


def _after(live: Bindings) -> Bindings:
    return ir().InsertionPoint.after(live)


# Checking ------------------------------------------------------------------------------------------------------------


def _regressions(
    program: Program, result: RefineResult, functions: Sequence[Function], options: Options
) -> Mapping[str, str]:
    """Return the functions of which more stays unproved than in the original, with the reasons.

    A refined extent is the same number as before, but what the interpreter knows of a loop depends on how it is
    written.
    """
    try:
        again = read_text(result.text, program.file)
    except InputError as error:
        raise RefineError(f"MLIR does not accept the refined program: {error}") from error
    worse: dict[str, str] = {}
    for function in functions:
        other = again.functions.get(function.name)
        if other is None:
            raise RefineError(f"@{function.name} is lost")
        before = _unproved(program, function, options)
        after = _unproved(again, other, options)
        names = [name for name, count in after.items() if count > before.get(name, 0)]
        if names:
            worse[function.name] = f"refined, it could not be proved to be as good ({', '.join(names)})"
    return worse


def _unproved(program: Program, function: Function, options: Options) -> Mapping[str, int]:
    """Return the number of unproved claims by operation name."""
    report = check_function(program, function, replace(options, execute=False))
    counts: dict[str, int] = {}
    for checked_obligation in report.checked_obligations:
        if not isinstance(checked_obligation.verdict, Proved | Unreachable):
            counts[checked_obligation.obligation.op.name] = counts.get(checked_obligation.obligation.op.name, 0) + 1
    return counts
