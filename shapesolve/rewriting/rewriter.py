"""The rewriter: opens a live module at what was proved, then erases the proved checks.

In between, the checks to be erased are only marked: that is the program in which they are proved once more. No pass of
MLIR is run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from shapesolve.ir.bindings import Bindings, ir
from shapesolve.ir.importer import operation_name
from shapesolve.ir.old_forms import may_be_named
from shapesolve.ir.program import Operation, Program, Value
from shapesolve.ir.reader import context_for, parsed_text
from shapesolve.rewriting.checks import (
    ASSUMING,
    ASSUMING_ALL,
    CONST_WITNESS,
    GUARD,
    LOOP,
    MARK,
    Edits,
    Fold,
    RewriteError,
)

NUMBER = "shapesolve.number"
"""Temporary attribute with an operation's number: a live operation's hash changes with its attributes."""


NEVER_TAKEN = "it stands in a branch that is never taken"
NO_DIFFERENCE = "it stands in a branch that makes no difference"
NEVER_RUNS = "it stands in a loop that never runs"


def pre_order(operation: Bindings) -> list[Bindings]:
    """Return an operation and all below it, in the order of a `Program`'s numbers."""
    found = [operation]  # in a list: each would pass through as many generators as it is deep
    _add_nested(operation, found)
    return found


def _add_nested(operation: Bindings, found: list[Bindings]) -> None:
    for region in operation.regions:
        for block in region.blocks:
            for child in block.operations:
                found.append(child.operation)
                _add_nested(child.operation, found)


class Rewriter:
    """One live module and its operations by number. New operations have negative numbers.

    Attributes:
        module: The live module.
        source_ops: The operations of the frozen IR, by number.
        live: The live operations, by number.
        opened: Numbers of the guards, assumptions and joined witnesses that were taken apart, and of the folds.
        dropped: For each operation inside a branch that does not run any more, the reason.
        marked: The checks to be erased, by number.
    """

    def __init__(self, module: Bindings, program: Program) -> None:
        self.module = module
        self.source_ops = list(program.operation.walk())
        self.live: dict[int, Bindings] = dict(enumerate(pre_order(module.operation)))
        names = [operation_name(each) for each in self.live.values()]
        if len(names) != len(self.source_ops) or not all(
            map(may_be_named, (each.name for each in self.source_ops), names)
        ):
            raise RewriteError("the operations of the module are not those that were read")
        self._word = ir().IntegerType.get_signless(64, module.context)
        for number, live in self.live.items():
            self._write_number(live, number)
        self.opened: set[int] = set()
        self.dropped: dict[int, str] = {}
        self.marked: dict[int, Bindings] = {}
        self.maybe_dead: list[int] = []
        """Numbers of operations that made operands of erased ones: they may be dead."""
        self._made = 0
        self._folds: dict[int, Fold] = {}

    @classmethod
    def of(cls, program: Program) -> Self:
        """Return a rewriter of a new live module of a program that was read from text."""
        assert program.text is not None
        return cls(parsed_text(context_for(program.text), program.text), program)

    # Moving and replacing --------------------------------------------------------------------------------------------

    def move_up(self, ops: Iterable[Operation], before: Operation) -> None:
        """Move those operations before another one that stand behind it, in the given order."""
        place = {number: position for position, number in enumerate(self.order())}
        target = self.live[before.number]
        for each in ops:
            if place[each.number] > place[before.number]:
                self.live[each.number].move_before(target)

    def insert_like(self, op: Operation, operands: list[Bindings], before: Operation) -> None:
        """Insert an operation like one of a single result, but of other operands, before another one."""
        self._make_like(op, operands, before)

    def replace_operands(self, op: Operation, operands: list[Bindings], before: Operation) -> None:
        """Give an operation of a single result other operands and a place before another one, or its own."""
        live = self.live[op.number]
        attributes = {name: live.attributes[name] for name in live.attributes if name != NUMBER}
        made = self._make_like(op, operands, before, attributes)
        live.results[0].replace_all_uses_with(made.results[0])
        self._erase(live)
        del self.live[self._made]
        self.live[op.number] = made
        self._write_number(made, op.number)

    def _make_like(
        self, op: Operation, operands: list[Bindings], before: Operation, attributes: dict[str, Bindings] | None = None
    ) -> Bindings:
        live = self.live[op.number]
        return self._make(self.live[before.number], live.name, operands, [live.results[0].type], attributes)

    # Opening ---------------------------------------------------------------------------------------------------------

    def open(self, edits: Edits) -> None:
        """Take apart what was proved; mark the checks to be erased."""
        for number, truth in sorted(edits.taken.items()):
            if number not in self.dropped:
                self._open_guard(number, truth)
        for number in sorted(edits.proved - self.dropped.keys()):
            self._mark(self.live[number])
            if len(self.live[number].results):
                self._replace_witness(self.live[number], edits.replacements.get(number, ()))
        for number in sorted(edits.passing - self.dropped.keys()):
            self._open_assuming(number, is_asked=True)
        while self._open_passing():
            pass
        for number, fold in edits.folds.items():
            if number in self.live and number not in self.dropped:
                self._mark(self.live[number], fold.alternative.number)
                self._folds[number] = fold

    def _open_guard(self, number: int, truth: bool) -> None:
        guard = self.live[number]
        taken, other = guard.regions if truth else reversed(list(guard.regions))
        blocks = list(taken.blocks)
        if len(blocks) > 1 or (blocks and not _fits(guard, blocks[0])):
            return
        self._drop(other, NEVER_TAKEN)
        self._insert_assertion(guard, truth)
        self._open(number, blocks[0] if blocks else None)

    def _drop(self, region: Bindings, because: str) -> None:
        """Note the operations that go with a region."""
        for block in region.blocks:
            for op in block.operations:
                self.dropped.update((_number(each), because) for each in pre_order(op.operation))
                self._note_operands(op.operation)

    def _insert_assertion(self, guard: Bindings, truth: bool) -> None:
        """Insert a marked assertion of what was proved of a condition."""
        condition = guard.operands[0]
        if not truth:
            boolean = ir().IntegerType.get_signless(1, guard.context)
            one = self._make(guard, "arith.constant", [], [boolean], {"value": ir().IntegerAttr.get(boolean, 1)})
            condition = self._make(guard, "arith.xori", [condition, one.results[0]], [boolean]).results[0]
        self._mark(self._make(guard, "cf.assert", [condition], [], {"msg": ir().StringAttr.get("", guard.context)}))

    def _open_assuming(self, number: int, *, is_asked: bool) -> bool:
        assuming = self.live[number]
        blocks = list(assuming.regions[0].blocks)
        if len(blocks) != 1 or not _fits(assuming, blocks[0]):
            return False
        if is_asked and not _passes(assuming.operands[0]):
            ghost = self._make(assuming, ASSUMING, [assuming.operands[0]], [], regions=1)
            with ir().InsertionPoint(ghost.regions[0].blocks.append()), assuming.location:
                end = ir().Operation.create("shape.assuming_yield")
            self._enter(end)
            self._mark(ghost)
        self._open(number, blocks[0])
        return True

    def _open_passing(self) -> bool:
        """Take apart operations whose witnesses are constant by now, or all the same; return whether there were any."""
        found = False
        for number, live in list(self.live.items()):
            if number in self.opened or number in self.dropped or MARK in live.attributes:
                continue
            if live.name == ASSUMING and _passes(live.operands[0]):
                found |= self._open_assuming(number, is_asked=False)
            elif live.name == ASSUMING_ALL and (joined := _joined(live)) is not None:
                if joined:
                    live.results[0].replace_all_uses_with(joined[0])
                else:
                    self._replace_witness(live)
                self._open(number, None)
                found = True
        return found

    def _open(self, number: int, block: Bindings | None) -> None:
        """Replace an operation by the contents of a block, and its results by what the block yields."""
        around = self.live[number]
        if block is not None:
            *body, end = [each.operation for each in block.operations]
            for each in body:
                each.move_before(around)
            for result, value in zip(list(around.results), list(end.operands), strict=True):
                result.replace_all_uses_with(value)
            self._erase(end)
        self.opened.add(number)
        self._erase(around)

    def _replace_witness(self, check: Bindings, replacements: Sequence[Operation] = ()) -> None:
        """Replace the witness of a check by those of other checks, or by one that passes if there are none."""
        type = check.results[0].type
        witnesses = [self.live[each.number].results[0] for each in replacements]
        if not witnesses:
            passing = {"passing": ir().BoolAttr.get(True, check.context)}
            made = self._make(check, CONST_WITNESS, [], [type], passing)
        elif len(witnesses) > 1:
            made = self._make(check, ASSUMING_ALL, witnesses, [type])
        else:
            made = None
        check.results[0].replace_all_uses_with(witnesses[0] if made is None else made.results[0])
        if made is not None:
            self.maybe_dead.append(_number(made))

    # Taking out ------------------------------------------------------------------------------------------------------

    def erase_marked(self) -> None:
        """Erase the marked checks, and replace each fold by its alternative."""
        for number, fold in sorted(self._folds.items()):
            if number in self.live:
                self._apply_fold(self.live[number], number, fold)
        for live in list(self.marked.values()):
            self._note_operands(live)
            self._erase(live)
        self.marked.clear()

    def _apply_fold(self, live: Bindings, number: int, fold: Fold) -> None:
        way = fold.alternative.number
        if live.name == GUARD:
            blocks = list(live.regions[way].blocks)
            self._drop(live.regions[1 - way], NO_DIFFERENCE)
            self._open(number, blocks[0] if blocks else None)
        elif live.name != LOOP:
            live.results[0].replace_all_uses_with(self._chosen(live, number, fold.alternative.gives))
            self._open(number, None)
        elif way:
            (block,) = live.regions[0].blocks
            for argument, value in zip(list(block.arguments), _initial_arguments(live), strict=True):
                argument.replace_all_uses_with(value)
            self._open(number, block)
        else:
            self._drop(live.regions[0], NEVER_RUNS)
            for result, value in zip(list(live.results), _initial_arguments(live)[1:], strict=True):
                result.replace_all_uses_with(value)
            self._open(number, None)

    def _chosen(self, choice: Bindings, number: int, gives: Value | int | None) -> Bindings:
        if isinstance(gives, Value):
            return choice.operands[self.source_ops[number].operands.index(gives)]
        type = choice.results[0].type
        made = self._make(choice, "arith.constant", [], [type], {"value": ir().IntegerAttr.get(type, gives)})
        return made.results[0]

    def order(self) -> list[int]:
        """Return the numbers of all operations in their present order."""
        return [_number(each) for each in pre_order(self.module.operation)]

    def unnumbered(self) -> Bindings:
        """Return a copy of the module without number attributes, for the printer."""
        copy = self.module.operation.clone()
        for each in pre_order(copy.operation):
            del each.attributes[NUMBER]
        return copy

    def erase_unused(self, number: int) -> None:
        """Erase an operation whose results are unused, and note what it used."""
        self._note_operands(self.live[number])
        self._erase(self.live[number])

    def _erase(self, operation: Bindings) -> None:
        self._note_operands(operation, below=False)
        if any(True for result in operation.results for _ in result.uses):
            raise RewriteError(f"{operation.name} would be erased, and is still used")
        for number in [_number(each) for each in pre_order(operation)]:
            self.live.pop(number)
            self.marked.pop(number, None)
        operation.erase()

    def _note_operands(self, operation: Bindings, *, below: bool = True) -> None:
        for each in pre_order(operation) if below else (operation,):
            for operand in each.operands:
                if hasattr(operand.owner, "operation"):  # not the argument of a block
                    self.maybe_dead.append(_number(operand.owner.operation))

    def _mark(self, operation: Bindings, way: int | None = None) -> None:
        """Mark a check to be erased, or a fold with the number of its alternative."""
        if way is not None:
            word = ir().IntegerType.get_signless(64, operation.context)
            operation.attributes[MARK] = ir().IntegerAttr.get(word, way)
            return
        operation.attributes[MARK] = ir().UnitAttr.get(operation.context)
        self.marked[_number(operation)] = operation

    def _make(
        self,
        before: Bindings,
        name: str,
        operands: list[Bindings],
        results: list[Bindings],
        attributes: dict[str, Bindings] | None = None,
        regions: int = 0,
    ) -> Bindings:
        made = ir().Operation.create(
            name,
            results=results,
            operands=operands,
            attributes=attributes or {},
            regions=regions,
            loc=before.location,
            ip=ir().InsertionPoint(before),
        )
        self._enter(made)
        return made

    def _enter(self, made: Bindings) -> None:
        self._made -= 1
        self.live[self._made] = made
        self._write_number(made, self._made)

    def _write_number(self, live: Bindings, number: int) -> None:
        live.attributes[NUMBER] = ir().IntegerAttr.get(self._word, number)


def _number(live: Bindings) -> int:
    return int(live.attributes[NUMBER].value)


def _initial_arguments(loop: Bindings) -> list[Bindings]:
    """Return the initial values of a loop body's arguments: the lower bound and the carried values."""
    lower, _, _, *carried = loop.operands
    return [lower, *carried]


def _fits(around: Bindings, block: Bindings) -> bool:
    """Return whether a block yields exactly the types of the results."""
    yielded = list(block.operations)[-1].operation.operands
    return [each.type for each in yielded] == [each.type for each in around.results]


def _joined(join: Bindings) -> list[Bindings] | None:
    """Return the one witness that a join waits for, or none; None if it waits for several."""
    waiting: list[Bindings] = []
    for each in join.operands:
        if not _passes(each) and each not in waiting:
            waiting.append(each)
    return waiting if len(waiting) < 2 else None


def _passes(witness: Bindings) -> bool:
    owner = witness.owner
    if not hasattr(owner, "operation") or owner.operation.name != CONST_WITNESS:
        return False
    return bool(owner.operation.attributes["passing"].value)
