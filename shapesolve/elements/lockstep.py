"""Memory that two programs change in the same steps, whatever of it overlaps: a lockstep simulation.

Where arguments may be the same memory, what a load finds cannot be traced to the store that wrote it. But if every step
of one program that changes memory (a store, a copy, a loop or branch around some) is matched by a step of the other at
the same place, memory is the same in both before each of them: by induction over the steps, and over the iterations of
loops. So two loads between the same steps find the same at the same address.

The iterations of a parallel loop may run in any order, so a target that runs them one by one does what its source may.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count

from shapesolve.elements.addresses import ALLOCATIONS, address, base
from shapesolve.elements.buffers import accessed_place, first_output
from shapesolve.elements.context import ElementContext, NotFollowedError, as_dim, element_type
from shapesolve.elements.loops import PARALLEL_LOOPS
from shapesolve.elements.scalar_functions import Body
from shapesolve.elements.sides import ElementSide
from shapesolve.elements.structured import mapped, operand_elements, trip_count
from shapesolve.elements.terms import Held, Indices, IterationRange, Leaf, Term
from shapesolve.ir.program import Block, Operation, ScalarType, Value, is_buffer
from shapesolve.records import record
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import ONE, ZERO, Dim, variable
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, equal, less_than, negation

_STORES = {"memref.store", "affine.store"}
_SERIAL_LOOPS = {"scf.for", "affine.for"}
_LOOPS = _SERIAL_LOOPS | PARALLEL_LOOPS
_ENDS = {"scf.yield", "affine.yield", "scf.reduce", "scf.forall.in_parallel", "func.return"}
_MOST_STEPS = 100

Place = tuple[object, Dim]
"""The buffer of an element, by a key that both programs share, and its distance from where the buffer begins."""


class Lockstep:
    """Matches the steps of two programs.

    Args:
        sides: The programs.
        is_equal: Returns whether two scalars, of the source and of the target, are shown to be equal under a condition.
        proves: Returns whether a claim is proved under a condition.
    """

    def __init__(
        self,
        sides: tuple[ElementSide, ElementSide],
        is_equal: Callable[[Term, Term, Formula], bool],
        proves: Callable[[Formula, Formula], bool],
    ) -> None:
        self._sides = sides
        self._is_equal = is_equal
        self._proves = proves
        self._memories = _Memory(sides[0].context), _Memory(sides[1].context)
        self._numbers = count()
        self._steps = 0

    def difference(self) -> str:
        """Return "" if both programs change memory in the same steps, else why that is not known.

        From then on the elements of buffers are those of the common memory, until ``leave``.
        """
        for side, memory in zip(self._sides, self._memories, strict=True):
            side.context.memory = memory
        blocks = tuple(each.context.places[each.end][0] for each in self._sides)
        try:
            for memory, block in zip(self._memories, blocks, strict=True):
                memory.require_one_block(block)
            self._match_blocks((blocks[0], blocks[1]), TRUE)
            if not all(map(self._is_returned_alike, *(each.returned for each in self._sides))):
                return "the returned buffers may be other memory"
        except NotFollowedError as found:
            return str(found)
        return ""

    def leave(self) -> None:
        """Have the elements of buffers followed to what wrote them again."""
        for side in self._sides:
            side.context.memory = None

    def _is_returned_alike(self, ours: Value, theirs: Value) -> bool:
        if not is_buffer(ours.type) or not is_buffer(theirs.type):
            return is_buffer(ours.type) == is_buffer(theirs.type)
        return self._is_same_buffer((ours, theirs), TRUE)

    def _is_same_buffer(self, values: tuple[Value, Value], inside: Formula) -> bool:
        """Return whether two buffers have the same elements at the same places."""
        extents = [each.context.extents(value) for each, value in zip(self._sides, values, strict=True)]
        if len(extents[0]) != len(extents[1]):
            return False
        number = next(self._numbers)
        indices = tuple(variable(f"place {place} of buffer {number}", 0) for place in range(len(extents[0])))
        (ours, first), (theirs, second) = (
            memory.place(value, indices) for memory, value in zip(self._memories, values, strict=True)
        )
        same = (equal(first, second), *(equal(a, b) for a, b in zip(*extents, strict=True)))
        return ours == theirs and self._proves(conjunction(same), inside)

    # Blocks ------------------------------------------------------------------------------------------------------

    def _match_blocks(self, blocks: tuple[Block, Block], inside: Formula) -> Formula:
        """Match the steps of two blocks, and return what holds behind them besides."""
        number = next(self._numbers)
        ours, theirs = (memory.enter(block, number) for memory, block in zip(self._memories, blocks, strict=True))
        self._steps += len(ours)
        if len(ours) != len(theirs) or self._steps > _MOST_STEPS:
            raise NotFollowedError("the programs change memory in other steps")
        found = inside
        for pair in zip(ours, theirs, strict=True):
            found = conjunction((found, self._match(pair, found)))
        return found

    def _match(self, ops: tuple[Operation, Operation], inside: Formula) -> Formula:
        ours, theirs = ops
        if ours.name in _STORES and theirs.name in _STORES:
            self._match_stores(ops, inside)
        elif ours.name in _LOOPS and theirs.name in _LOOPS:
            return self._match_loops(ops, inside)
        elif ours.indexing_maps is not None and theirs.indexing_maps is not None:
            self._match_structured(ops, inside)
        elif ours.indexing_maps is not None and theirs.name in _LOOPS:
            self._match_lowered(ours, theirs, inside)
        elif ours.name == theirs.name == "memref.copy":
            if not all(self._is_same_buffer(pair, inside) for pair in zip(ours.operands, theirs.operands, strict=True)):
                raise NotFollowedError("the programs may copy other buffers")
        elif ours.name == theirs.name == "scf.if":
            self._match_branches(ops, inside)
        else:
            raise NotFollowedError(f"whether {theirs.name} changes memory as {ours.name} does is not followed")
        return TRUE

    def _match_stores(self, ops: tuple[Operation, Operation], inside: Formula) -> None:
        ours, theirs = (memory.stored_at(op) for memory, op in zip(self._memories, ops, strict=True))
        terms = [memory.context.scalar(op.operands[0]) for memory, op in zip(self._memories, ops, strict=True)]
        self._require_same_store((ours, theirs), (terms[0], terms[1]), inside)

    def _match_branches(self, ops: tuple[Operation, Operation], inside: Formula) -> None:
        if not self._are_equal((ops[0].operands[0], ops[1].operands[0]), inside):
            raise NotFollowedError("the programs may take other branches")
        holds = self._sides[0].context.truth(ops[0].operands[0])
        conditions = (TRUE, TRUE) if holds is None else (holds, negation(holds))
        for condition, ours, theirs in zip(conditions, ops[0].regions, ops[1].regions, strict=True):
            if len(ours.blocks) != len(theirs.blocks):
                raise NotFollowedError("the programs change memory in other steps")
            for pair in zip(ours.blocks, theirs.blocks, strict=True):
                self._match_blocks(pair, conjunction((inside, condition)))

    # Structured operations ---------------------------------------------------------------------------------------

    def _match_structured(self, ops: tuple[Operation, Operation], inside: Formula) -> None:
        """Match two structured operations that make the same iterations."""
        number = next(self._numbers)
        ours, theirs = (_Structured(op, memory, number) for memory, op in zip(self._memories, ops, strict=True))
        if len(ours.extents) != len(theirs.extents) or len(ours.outputs) != len(theirs.outputs):
            raise NotFollowedError("the programs run other iterations")
        if any(its and not own for own, its in zip(ours.are_parallel, theirs.are_parallel, strict=True)):
            raise NotFollowedError("the target may run the iterations in another order")
        pairs = zip(ours.extents, theirs.extents, strict=True)
        if not self._proves(conjunction(equal(first, second) for first, second in pairs), inside):
            raise NotFollowedError("the programs may run other iterations")
        loops = [variable(f"iteration {place} of {number}", 0) for place in range(len(ours.extents))]
        bounds = (less_than(each, extent) for each, extent in zip(loops, ours.extents, strict=True))
        within = conjunction((inside, *bounds))
        for (ours_at, first), (theirs_at, second) in zip(ours.stores(loops), theirs.stores(loops), strict=True):
            self._require_same_store((ours_at, theirs_at), (first, second), within)

    def _match_lowered(self, op: Operation, lowered: Operation, inside: Formula) -> None:
        """Match a structured operation with the loops that make its iterations one after the other."""
        number = next(self._numbers)
        ours, theirs = _Structured(op, self._memories[0], number), _Nest(lowered, self._memories[1])
        while len(theirs.counters) < len(ours.extents):
            if theirs.carried or not theirs.extend():
                raise NotFollowedError("the programs run other loops")
        if theirs.carried or len(theirs.counters) != len(ours.extents):
            raise NotFollowedError("the programs run other loops")
        within = inside
        for extent, is_parallel, its in zip(ours.extents, ours.are_parallel, theirs.counters, strict=True):
            within = self._in_iteration((ZERO, extent, ONE), its, within, may_be_parallel=is_parallel)
        stores = self._memories[1].enter(theirs.block, number)
        if len(stores) != len(ours.outputs) or any(each.name not in _STORES for each in stores):
            raise NotFollowedError("the programs change memory in other steps")
        loops = [as_dim(each.variable) for each in theirs.counters]
        for store, (place, term) in zip(stores, ours.stores(loops), strict=True):
            other = self._memories[1].context.scalar(store.operands[0])
            self._require_same_store((place, self._memories[1].stored_at(store)), (term, other), within)

    def _require_same_store(self, places: tuple[Place, Place], terms: tuple[Term, Term], inside: Formula) -> None:
        (ours, first), (theirs, second) = places
        if ours != theirs or not self._proves(equal(first, second), inside):
            raise NotFollowedError("the programs may store at other places")
        if not self._is_equal(*terms, inside):
            raise NotFollowedError("the programs may store other elements")

    def _are_equal(self, values: tuple[Value, Value], inside: Formula) -> bool:
        ours, theirs = (memory.context.scalar(value) for memory, value in zip(self._memories, values, strict=True))
        return values[0].type == values[1].type and self._is_equal(ours, theirs, inside)

    # Loops -------------------------------------------------------------------------------------------------------

    def _match_loops(self, ops: tuple[Operation, Operation], inside: Formula) -> Formula:
        """Match two loops, or nests of loops that make the same iterations."""
        ours, theirs = (_Nest(op, memory) for memory, op in zip(self._memories, ops, strict=True))
        while len(ours.counters) != len(theirs.counters):
            smaller = min(ours, theirs, key=lambda each: len(each.counters))
            if ours.carried or theirs.carried or not smaller.extend():
                raise NotFollowedError("the programs run other loops")
        within = inside
        for own, its in zip(ours.counters, theirs.counters, strict=True):
            within = self._in_iteration(own.bounds, its, within, may_be_parallel=own.is_parallel)
            within = conjunction((within, equal(as_dim(own.variable), as_dim(its.variable))))
        if len(ours.carried) != len(theirs.carried):
            raise NotFollowedError("the loops hand on other values")
        carried = list(zip(ours.carried, theirs.carried, strict=True))
        number = next(self._numbers)
        behind: list[Formula] = []
        for place, (first, second) in enumerate(carried):
            if not self._are_equal((first.initial, second.initial), inside):
                raise NotFollowedError("the loops hand on other values")
            within = conjunction((within, self._named_alike((first.argument, second.argument), ("in", number, place))))
            behind.append(self._named_alike((first.result, second.result), ("behind", number, place)))
        within = self._match_blocks((ours.block, theirs.block), within)
        if not all(self._are_equal((first.yielded, second.yielded), within) for first, second in carried):
            raise NotFollowedError("the loops hand on other values")
        return conjunction(behind)

    def _in_iteration(
        self, bounds: tuple[Dim, Dim, Dim], theirs: _Counter, inside: Formula, *, may_be_parallel: bool
    ) -> Formula:
        """Return what holds in one iteration of a loop of the target, which makes those that the source makes."""
        if theirs.is_parallel and not may_be_parallel:
            raise NotFollowedError("the target may run the iterations in another order")
        pairs = zip(bounds, theirs.bounds, strict=True)
        if not self._proves(conjunction(equal(first, second) for first, second in pairs), inside):
            raise NotFollowedError("the programs may run other iterations")
        number, (first, end, _) = as_dim(theirs.variable), bounds
        return conjunction((inside, at_least(number, first), less_than(number, end)))

    def _named_alike(self, values: tuple[Value, Value], key: object) -> Formula:
        """Give two scalars that are equal one name; return that they are, where they are known as sizes are."""
        ours, theirs = (each.context.index(value) for each, value in zip(self._sides, values, strict=True))
        if ours is not None and theirs is not None:
            return equal(ours, theirs)
        for memory, value in zip(self._memories, values, strict=True):
            memory.names[value] = Leaf(key)
        return TRUE


class _Memory:
    """The memory of one program between its steps."""

    def __init__(self, context: ElementContext) -> None:
        self.context = context
        self.names: dict[Value, Term] = {}
        self._when: dict[Operation, tuple[int, int]] = {}
        self._allocations: dict[Value, object] = {}

    def require_one_block(self, block: Block) -> None:
        """Require that a function has no other block.

        Raises:
            NotFollowedError: It has.
        """
        ctx = self.context
        if block in ctx.around or any(each is not block for each, _ in ctx.places.values() if each not in ctx.around):
            raise NotFollowedError("its blocks are not followed")

    def steps(self, block: Block) -> Iterator[Operation]:
        """Yield the operations of a block that may change memory; new memory and the end of its life change none."""
        for op in block.operations:
            if op.name in ALLOCATIONS or op.name in _ENDS or self._frees(op):
                continue
            if any(map(self.context.writes, op.walk())):
                yield op

    def enter(self, block: Block, number: int) -> list[Operation]:
        """Return the steps of a block, and keep between which of them each of its other operations stands."""
        steps = list(self.steps(block))
        done = allocated = 0
        for op in block.operations:
            self._when[op] = number, done
            if op.name in ALLOCATIONS:
                self._allocations[op.results[0]] = ("allocation", number, allocated, element_type(op.results[0]))
                allocated += 1
            elif done < len(steps) and op is steps[done]:
                done += 1
            else:
                self._when.update(dict.fromkeys(op.walk(), (number, done)))
        return steps

    def element(self, held: Held) -> Term:
        """Return an element of the memory that both programs have when an operation is about to run.

        Raises:
            NotFollowedError: It is not known when or where that is.
        """
        when = self._when.get(held.at)
        if when is None:
            raise NotFollowedError("when it runs is not followed")
        buffer, distance = self.place(held.value, held.indices)
        return Leaf(("memory", when, buffer), (distance,))

    def place(self, value: Value, indices: Indices) -> Place:
        """Return where an element of a buffer lies.

        Raises:
            NotFollowedError: That is not known.
        """
        root, distance = address(value, indices, self.context)
        position = self.context.arguments.get(root)
        key = self._allocations.get(root) if position is None else ("argument", position, element_type(root))
        if key is None:
            raise NotFollowedError("which buffer it is is not followed")
        return key, distance

    def stored_at(self, store: Operation) -> Place:
        """Return where a store puts its element."""
        return self.place(store.operands[1], accessed_place(store, store.operands[2:], self.context))

    def enter_structured(self, op: Operation, number: int) -> None:
        """Have a structured operation read what an iteration of it finds."""
        self._when[op] = number, 0

    def _frees(self, op: Operation) -> bool:
        """Return whether an operation ends the life of a buffer that the program allocated."""
        return op.name == "memref.dealloc" and base(op.operands[0], self.context) not in self.context.arguments


class _Structured:
    """A structured operation on buffers, each iteration of which reads its operands and then writes its outputs."""

    def __init__(self, op: Operation, memory: _Memory, number: int) -> None:
        self._op, self._memory = op, memory
        maps = op.indexing_maps or ()
        first = first_output(op)
        if first is None or op.results or not maps or len(maps) != len(op.operands):
            raise NotFollowedError("its iterations are not followed")
        if any(memory.context.writes(inner) for inner in op.walk() if inner is not op):
            raise NotFollowedError("its body changes memory")
        if any(each.symbols for each in maps) or len(op.regions[0].blocks[0].arguments) != len(op.operands):
            raise NotFollowedError("its iterations are not followed")
        self.outputs = op.operands[first:]
        self._maps = maps[first:]
        self.extents = [trip_count(op, each, memory.context) for each in range(maps[0].dims)]
        memory.enter_structured(op, number)

    @property
    def are_parallel(self) -> list[bool]:
        """Truth of each dimension's iterations running in any order."""
        stated = self._op.attributes.get("iterator_types")
        if stated is not None:
            kinds = stated if isinstance(stated, tuple) else ()
            return ["parallel" in str(each) for each in kinds] or [False] * len(self.extents)
        written = {result.value for each in self._maps for result in each.results if result.kind == "dim"}
        return [each in written for each in range(len(self.extents))]

    def stores(self, loops: list[Dim]) -> Iterator[tuple[Place, Term]]:
        """Yield where an iteration writes, and what."""
        ctx = self._memory.context
        arguments = self._op.regions[0].blocks[0].arguments
        elements = dict(zip(arguments, operand_elements(self._op, loops, ctx), strict=True))
        body = Body(self._op.regions[0], elements, ctx, loops)
        for buffer, its, value in zip(self.outputs, self._maps, body.yielded, strict=True):
            yield self._memory.place(buffer, mapped(its, loops)), body.term(value)


@record
class _Counter:
    """The number of an iteration of a loop, from its first to its end by its step."""

    variable: Variable
    range: IterationRange
    is_parallel: bool

    @property
    def bounds(self) -> tuple[Dim, Dim, Dim]:
        return self.range.first, self.range.end, self.range.step


@record
class _Carried:
    """A scalar that a loop hands on from one iteration to the next."""

    argument: Value
    initial: Value
    yielded: Value
    result: Value


class _Nest:
    """A loop, or loops of which each stands alone in the body of the one around it."""

    def __init__(self, op: Operation, memory: _Memory) -> None:
        self._memory = memory
        self.counters: list[_Counter] = []
        self._add(op)
        self.carried = list(self._carried(op))

    def extend(self) -> bool:
        """Add the loop in the body; return whether there is one, and nothing else in it changes memory."""
        steps = list(self._memory.steps(self.block))
        if len(steps) != 1 or steps[0].name not in _LOOPS or steps[0].results:
            return False
        self._add(steps[0])
        return True

    def _add(self, op: Operation) -> None:
        if "unsignedCmp" in op.attributes or len(op.regions[0].blocks) != 1:
            raise NotFollowedError("its iterations are not followed")
        self.block = op.regions[0].blocks[0]
        is_parallel = op.name in PARALLEL_LOOPS
        found = [
            _Counter(each, its, is_parallel) for each, its in self._memory.context.iterations.items() if its.op is op
        ]
        if len(found) != (len(self.block.arguments) if is_parallel else 1) or (is_parallel and op.results):
            raise NotFollowedError("its iterations are not followed")
        self.counters += found

    def _carried(self, op: Operation) -> Iterator[_Carried]:
        if not op.results:
            return
        given: Sequence[Value] = op.operands[len(op.operands) - len(op.results) :]
        yielded = self.block.operations[-1].operands
        for argument, initial, its, result in zip(self.block.arguments[1:], given, yielded, op.results, strict=True):
            if argument in self._memory.context.handed_on:
                continue  # the same buffer in each iteration
            if not isinstance(argument.type, ScalarType):
                raise NotFollowedError("what a loop hands on is not followed")
            yield _Carried(argument, initial, its, result)
