"""Joining of shape constraints: one of ``%a, %b, %c`` in place of one of ``%a, %b`` and a later one of them and ``%c``.

The shape of a broadcast, or of its result, is no operand of the joined constraint, for its operands are: it may even
depend on the first of the constraints that are joined.

Two trials prove that a joined constraint says the same. Behind the last of those that it joins, it is redundant: so a
run that it stops would stop at one of them, with the same message, where nothing between them does more than compute.
Before the first of them, it makes all of them redundant. Then it takes the place of the last one, moves up, and the
others are pruned.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from shapesolve.ir.bindings import Bindings
from shapesolve.ir.control_flow import places_in
from shapesolve.ir.program import Location, Operation, Program, Value
from shapesolve.options import Options
from shapesolve.pruning.code_motion import CodeMotion, has_same_message
from shapesolve.pruning.entry_claims import EntryClaims
from shapesolve.pruning.result import InsertedCheck, Prepared, Prune
from shapesolve.pruning.straight_line import straight_lines
from shapesolve.reasons import listed
from shapesolve.records import value_record
from shapesolve.rewriting.checks import OF_MANY_SHAPES
from shapesolve.rewriting.edited_program import read_again, require_edited
from shapesolve.rewriting.rewriter import Rewriter
from shapesolve.shape_functions.registries import registry_for
from shapesolve.symbolic.atoms import Variable, variables_in

_MOST_OF_ANY = 4
"""Number of constraints in a row up to which all rows are tried; of longer rows, the longest one is."""


@value_record
class Join:
    """Constraints to be joined.

    Attributes:
        constraints: The constraints, in program order.
        shapes: The operands of the joined constraint: an operation that has the operand, and its position there.
        operand_ops: The operations that make them and move up before the first constraint, in program order.
    """

    constraints: tuple[Operation, ...]
    shapes: tuple[tuple[Operation, int], ...]
    operand_ops: tuple[Operation, ...]

    @property
    def first(self) -> Operation:
        """The constraint before which the joined one stands."""
        return self.constraints[0]

    @property
    def last(self) -> Operation:
        """The constraint that becomes the joined one."""
        return self.constraints[-1]

    @property
    def operands(self) -> list[Value]:
        """The operands of the joined constraint."""
        return [op.operands[position] for op, position in self.shapes]

    def note(self, place: Callable[[Operation], Location]) -> str:
        """Describe the join. ``place`` returns the location of an operation in the original."""
        lines = listed([str(place(each).line) for each in self.constraints])
        names = listed([each.name for each in self.operands])
        return f"one {self.first.name} of {names} replaces those of lines {lines}; a run that fails prints the same"


def find_joins(prepared: Prepared, kept: Collection[int], options: Options, prune: Prune) -> list[Join]:
    """Return joins that two trials prove, without a constraint in common: ``kept`` are the numbers of those that stay.

    Args:
        prune: Removes the redundant checks of a program into which others were inserted.
    """
    program = prepared.program
    lines = list(straight_lines(program, registry_for(program, options)))
    if not any(
        sum(op.number in kept and op.name == name for op in ops) > 1 for ops in lines for name in OF_MANY_SHAPES
    ):
        return []
    bare = replace(options, trust_ub=False)
    trials = list(_candidates(program, lines, kept, options))
    trials = _confirmed(trials, lambda left: _redundant_behind(program, left, bare, prune))
    apart: list[Join] = []
    for each in sorted(trials, key=lambda each: -len(each.constraints)):
        if not any(op in other.constraints for op in each.constraints for other in apart):
            apart.append(each)
    return _confirmed(apart, lambda left: _replacing(program, left, bare, prune))


def apply_joins(prepared: Prepared, joins: Sequence[Join]) -> Prepared:
    """Return the program with the joined constraints, ready to be pruned.

    Raises:
        RewriteError: The program differs otherwise, or MLIR rejects it.
    """
    program = prepared.program
    rewriter = Rewriter.of(program)
    for each in joins:
        rewriter.move_up(each.operand_ops, each.first)
        rewriter.replace_operands(each.last, _live_operands(rewriter, each), each.first)
    operands = {each.last.number: each.operands for each in joins}
    changed, order = require_edited(rewriter, program, "the program with joined constraints", operands=operands)
    return prepared.edited(changed, order, [each.note for each in joins])


def _confirmed(trials: list[Join], confirm: Callable[[list[Join]], list[Join]]) -> list[Join]:
    """Return the joins that are confirmed without the help of those that are not."""
    while trials:
        confirmed = confirm(trials)
        if len(confirmed) == len(trials):
            break
        trials = confirmed
    return trials


def _candidates(
    program: Program, lines: Sequence[Sequence[Operation]], kept: Collection[int], options: Options
) -> Iterator[Join]:
    registry = registry_for(program, options)
    claims = EntryClaims(program, options)
    for ops in lines:
        motion = CodeMotion(ops, places_in(program), claims, registry, silent=True)
        for name in OF_MANY_SHAPES:
            found = [
                place
                for place, op in enumerate(ops)
                if op.number in kept and op.name == name and claims.claims(op) is not None
            ]
            sizes = {place: variables_in(claims.claims(ops[place]) or ()) for place in found}
            following: list[int] = []
            for end in reversed(range(len(found))):
                rows = list(_rows(motion, found[: end + 1], sizes))
                tried = [row for row in rows if len(row) <= _MOST_OF_ANY]
                if rows and rows[-1] not in tried and rows[-1][0] not in following:
                    tried.append(rows[-1])
                following = rows[-1] if rows else []
                yield from (join for row in tried if (join := _join(motion, row)) is not None)


def _rows(motion: CodeMotion, found: Sequence[int], sizes: Mapping[int, frozenset[Variable]]) -> Iterator[list[int]]:
    """Yield the rows of constraints up to the last one that may say the same as one, from shorter to longer ones.

    ``sizes`` are the sizes that the claims of each are about.
    """
    start = motion.earliest(found[-1])
    for count in range(2, len(found) + 1):
        row = list(found[-count:])
        if row[0] < start:
            return
        if _may_be_one([motion.ops[each] for each in row], [sizes[each] for each in row]):
            yield row
        elif count >= _MOST_OF_ANY:
            return


def _may_be_one(ops: Sequence[Operation], sizes: Sequence[frozenset[Variable]]) -> bool:
    """Return whether it is worth asking if one constraint says the same as several.

    Of broadcasts, one compares each size with each other one. Equality is transitive, so a shape in common suffices.
    """
    if ops[0].name == "shape.cstr_eq":
        shared = [{value for other in ops if other is not op for value in other.operands} for op in ops]
        return all(not values.isdisjoint(op.operands) for op, values in zip(ops, shared, strict=True))
    union = frozenset[Variable]().union(*sizes)
    if union <= sizes[-1]:
        return True
    if len(ops) > _MOST_OF_ANY:
        return False
    return all(any(a in each and b in each for each in sizes) for a, b in combinations(union, 2))


def _join(motion: CodeMotion, found: Sequence[int]) -> Join | None:
    """Return the join of constraints at some positions; None if it cannot stand before the first of them."""
    constraints = tuple(motion.ops[each] for each in found)
    first = found[0]
    is_apart = any(not has_same_message(each, constraints[0]) for each in constraints)
    if is_apart or not all(motion.may_stand_before(first, each) for each in found):
        return None
    shapeless = [each for each in found if motion.entry_claims.may_be_no_shapes(motion.ops[each])]
    if any(motion.earliest(each) > first for each in shapeless):
        return None
    shapes: dict[Value, tuple[Operation, int]] = {}
    for op in constraints:
        for position, value in enumerate(op.operands):
            if value not in shapes and motion.operand_ops([value], first, ()) is not None:
                shapes[value] = op, position
    moved = motion.operand_ops(shapes, first, ())
    return Join(constraints, tuple(shapes.values()), moved) if moved is not None and len(shapes) > 1 else None


def _live_operands(rewriter: Rewriter, join: Join) -> list[Bindings]:
    return [rewriter.live[op.number].operands[position] for op, position in join.shapes]


def _redundant_behind(program: Program, trials: list[Join], options: Options, prune: Prune) -> list[Join]:
    """Return the joins that follow from the constraints that they join, and from each other."""
    rewriter, blocks = Rewriter.of(program), places_in(program).blocks
    for each in trials:
        block, position = blocks[each.last]
        rewriter.insert_like(each.last, _live_operands(rewriter, each), block.operations[position + 1])
    standing = {each.condition for each in prune(_ready(program, rewriter, trials), options).written}
    return [each for number, each in enumerate(trials) if str(number) not in standing]


def _replacing(program: Program, trials: list[Join], options: Options, prune: Prune) -> list[Join]:
    """Return the joins that make redundant what they join, where all of them stand."""
    rewriter = Rewriter.of(program)
    for each in trials:
        rewriter.move_up(each.operand_ops, each.first)
        rewriter.insert_like(each.last, _live_operands(rewriter, each), each.first)
    removed = {each.number for each in prune(_ready(program, rewriter, trials), options).removed}
    return [each for each in trials if all(op.number in removed for op in each.constraints)]


def _ready(program: Program, rewriter: Rewriter, trials: Sequence[Join]) -> Prepared:
    """Return the program with trials, whose conditions are their numbers."""
    inserted: Mapping[int, InsertedCheck] = {
        -1 - number: InsertedCheck("", str(number), "", ()) for number in range(len(trials))
    }
    return Prepared(program, *read_again(rewriter, program), inserted)
