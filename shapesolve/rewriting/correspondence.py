"""Correspondence of a pruned program with its original: the same operations and operands, only checks removed.

Works on the pruned text as it is read again, and shares no code with the rewriter.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from types import MappingProxyType

from shapesolve.ir.control_flow import places_in
from shapesolve.ir.program import WITNESS_TYPE, Operation, Program, Type, Value
from shapesolve.rewriting.checks import Fold, RewriteError, is_passing
from shapesolve.rewriting.same_attributes import has_same_attributes

ASSUMPTION_ATTRIBUTES = ("shapesolve.assume", "arg_attrs")
"""Attributes of functions in which assumptions may be recorded."""

_WITNESS = "a witness that passes"
_JOIN = "shape.assuming_all"
_YIELDING = ("scf.if", "scf.for", "shape.assuming")
_CONSTANT = "a constant"


Replacement = Value | str | tuple[str, int, Type] | tuple[Value, ...]
NO_FOLDS: Mapping[int, Fold] = MappingProxyType({})
NO_OPERANDS: Mapping[int, Sequence[Value]] = MappingProxyType({})
NO_REPLACEMENTS: Mapping[int, Sequence[Operation]] = MappingProxyType({})


def matched_values(op: Operation, origin: Operation) -> Iterator[tuple[Value, Value]]:
    """Yield the results of an operation and the arguments of its blocks, each with that of the original operation."""
    yield from zip(op.results, origin.results, strict=True)
    for region, other in zip(op.regions, origin.regions, strict=True):
        for block, same in zip(region.blocks, other.blocks, strict=True):
            yield from zip(block.arguments, same.arguments, strict=True)


def require_same_operations(
    original: Program,
    changed: Program,
    order: Sequence[int],
    what: str,
    *,
    erased: Container[int] = (),
    operands: Mapping[int, Sequence[Value]] = NO_OPERANDS,
) -> None:
    """Require that a changed program has each operation of the original once, with its attributes and operands.

    Args:
        order: For each operation of the changed program its number in the original.
        erased: Numbers of the operations that it does not have.
        operands: The operands that are expected instead of the original ones, by number.
        what: The changed program, in words.

    Raises:
        RewriteError: It differs otherwise.
    """
    source_ops, ops = list(original.operation.walk()), list(changed.operation.walk())
    if len(ops) != len(order) or sorted(order) != [op.number for op in source_ops if op.number not in erased]:
        raise RewriteError(f"{what} has lost operations")
    same: dict[Value, Value] = {}
    for op, number in zip(ops, order, strict=True):
        same.update(matched_values(op, source_ops[number]))
    for op, number in zip(ops, order, strict=True):
        source_op = source_ops[number]
        wanted = list(operands.get(number, source_op.operands))
        is_same = op.name == source_op.name and [same.get(each) for each in op.operands] == wanted
        if not is_same or not has_same_attributes(op, source_op):
            raise RewriteError(f"{source_op.location}: {source_op.name} is another one in {what}")


class Correspondence:
    """The original's operations by those of the pruned program.

    Attributes:
        original_of: The original's operation for each one of the pruned program that is not new.
        left_of: The inverse.
        folds: Folds of operations, by number.

    Args:
        origins: For each operation of the pruned program its number in the original; negative for new ones.
        taken: Guards that were taken apart, by number, with the value of their condition.
        erased: Numbers of the checks and dead code that were erased.
        folds: Folds of operations that are no guards, by number.
        replacements: The operations whose witnesses replace that of a removed check, by its number.
    """

    def __init__(
        self,
        original: Program,
        pruned: Program,
        origins: Sequence[int],
        taken: Mapping[int, bool],
        erased: set[int],
        folds: Mapping[int, Fold] = NO_FOLDS,
        replacements: Mapping[int, Sequence[Operation]] = NO_REPLACEMENTS,
    ) -> None:
        self._source_ops = list(original.operation.walk())
        self._pruned = list(pruned.operation.walk())
        if len(self._pruned) != len(origins):
            raise RewriteError("the pruned program does not read back as it was written")
        self._origins = origins
        self._taken = {**taken, **{number: not each.alternative.number for number, each in folds.items()}}
        self.folds = folds
        self._replacements = replacements
        self._erased = erased
        self._present = {number for number in origins if number >= 0}
        self._parents = _parents(original.operation)
        self.original_of = {
            op: self._source_ops[number] for op, number in zip(self._pruned, origins, strict=True) if number >= 0
        }
        self.left_of = {origin: op for op, origin in self.original_of.items()}
        self._makers = places_in(original).makers
        self._same: dict[Value, Replacement] = {}
        self._initial_arguments = {
            argument: value
            for op in self._source_ops
            if op.number in folds and op.name == "scf.for"
            for argument, value in zip(op.regions[0].blocks[0].arguments, _initial_arguments(op), strict=True)
        }

    def check(self) -> None:
        """Require that the pruned program is the original without its proved checks.

        Raises:
            RewriteError: It is not.
        """
        numbers = [number for number in self._origins if number >= 0]
        if numbers != sorted(set(numbers)):
            raise RewriteError("operations changed their order")
        for op in self._pruned:
            self._match_values(op)
        parents = _parents(self._pruned[0])
        for op in self._pruned:
            self._check_operation(op, parents.get(op))
        for source_op in self._source_ops:
            if source_op.number not in self._present and not self._may_be_missing(source_op):
                raise RewriteError(f"{source_op.location}: {source_op.name} is lost")

    def _match_values(self, op: Operation) -> None:
        origin = self.original_of.get(op)
        if origin is None:
            self._same[op.results[0]] = self._value_of_new_op(op)
            return
        if op.name != origin.name or len(op.regions) != len(origin.regions):
            raise RewriteError(f"{origin.location}: {origin.name} became {op.name}")
        self._same.update(matched_values(op, origin))

    def _check_operation(self, op: Operation, parent: Operation | None) -> None:
        origin = self.original_of.get(op)
        if origin is None:
            return
        where = f"{origin.location}: {origin.name}"
        if [self._same[each] for each in op.operands] != [self._replacement_of(each) for each in origin.operands]:
            raise RewriteError(f"{where} has other operands")
        if [each.type for each in op.results] != [each.type for each in origin.results]:
            raise RewriteError(f"{where} has other result types")
        if not has_same_attributes(op, origin, ASSUMPTION_ATTRIBUTES):
            raise RewriteError(f"{where} has other attributes")
        above = self._parents.get(origin)
        while above is not None and above.number not in self._present:
            above = self._parents.get(above)
        if (self.original_of[parent] if parent is not None else None) is not above:
            raise RewriteError(f"{where} stands in another region")

    def _replacement_of(self, value: Value) -> Replacement:
        """Return what an operand of the original must be in the pruned program."""
        if value in self._initial_arguments:
            return self._replacement_of(self._initial_arguments[value])
        maker = self._makers.get(value)
        if maker is None or maker.number in self._present:
            return value
        fold = self.folds.get(maker.number)
        if fold is not None and (chosen := fold.alternative.gives) is not None:
            return (_CONSTANT, chosen, value.type) if isinstance(chosen, int) else self._replacement_of(chosen)
        if maker.name == "scf.for" and fold is not None and not fold.alternative.number:
            return self._replacement_of(_initial_arguments(maker)[1 + maker.results.index(value)])
        if maker.name == "scf.for":
            return self._replacement_of(maker.regions[0].blocks[0].operations[-1].operands[maker.results.index(value)])
        if maker.name in _YIELDING:
            region = maker.regions[0 if self._taken.get(maker.number, True) else 1]
            return self._replacement_of(region.blocks[0].operations[-1].operands[maker.results.index(value)])
        if str(value.type) != WITNESS_TYPE:
            return value
        witnesses = tuple(each.results[0] for each in self._replacements.get(maker.number, ()))
        if any(self._makers[each].number not in self._present for each in witnesses):
            raise RewriteError(f"{maker.location}: what stands in for the witness of {maker.name} is gone too")
        if maker.name == _JOIN:
            return self._replacement_of_join(maker)
        return (witnesses[0] if len(witnesses) == 1 else witnesses) or _WITNESS

    def _replacement_of_join(self, join: Operation) -> Replacement:
        """Return the one witness that a join of the original, which is gone, waited for; or one that passes."""
        replacements = dict.fromkeys(map(self._replacement_of, join.operands))
        waiting = [each for each in replacements if each != _WITNESS and not self._is_passing(each)]
        if len(waiting) > 1:
            raise RewriteError(f"{join.location}: {join.name} is gone, and what it joined is not the same")
        return waiting[0] if waiting else _WITNESS

    def _is_passing(self, replacement: Replacement) -> bool:
        maker = self._makers.get(replacement) if isinstance(replacement, Value) else None
        return maker is not None and is_passing(maker)

    def _may_be_missing(self, source_op: Operation) -> bool:
        if source_op.number in self._erased:
            return True
        above = self._parents.get(source_op)
        if above is None or above.number in self._present:
            return False
        if self._is_left_out(source_op, above):
            return True
        last = any(source_op is block.operations[-1] for region in above.regions for block in region.blocks)
        return (last and above.name in _YIELDING) or self._is_dropped(above)

    def _is_left_out(self, source_op: Operation, above: Operation) -> bool:
        """Return whether an operation stands directly in a region that never runs any more."""
        if above.number not in self._taken:
            return False
        if above.name == "scf.for":
            return not self.folds[above.number].alternative.number
        return self._is_below(source_op, above, self._taken[above.number])

    def _is_below(self, source_op: Operation, guard: Operation, truth: bool) -> bool:
        """Return whether an operation stands directly in the branch that is never taken."""
        other = guard.regions[1 if truth else 0]
        return any(source_op is op for block in other.blocks for op in block.operations)

    def _is_dropped(self, source_op: Operation) -> bool:
        while (above := self._parents.get(source_op)) is not None:
            if self._is_left_out(source_op, above):
                return True
            source_op = above
        return False

    def _value_of_new_op(self, op: Operation) -> Replacement:
        """Return the replacement that a new operation computes: old values, a passing witness or a constant."""
        if op.name == _JOIN:
            originals = [self._same[each] for each in op.operands]
            return tuple(each for each in originals if isinstance(each, Value))
        return _value_of_new_op(op)


def _value_of_new_op(op: Operation) -> Replacement:
    """Return the passing witness or the constant that a new operation without operands makes."""
    if is_passing(op):
        return _WITNESS
    value = op.attributes.get("value")
    if op.name == "arith.constant" and isinstance(value, int):
        return (_CONSTANT, value, op.results[0].type)
    raise RewriteError(f"{op.name} is new")


def _initial_arguments(loop: Operation) -> tuple[Value, ...]:
    """Return the initial values of a loop body's arguments: the lower bound and the carried values."""
    return (loop.operands[0], *loop.operands[3:])


def _parents(operation: Operation) -> dict[Operation, Operation]:
    """Return the operation around each operation nested in this one."""
    around = [(op, region) for op in operation.walk() for region in op.regions]
    return {child: op for op, region in around for block in region.blocks for child in block.operations}
