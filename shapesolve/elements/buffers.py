"""Elements of buffers: the last operation that wrote them, found backwards from where they are read.

Buffers are told apart by the allocation or the argument that they are a view of. Allocations overlap nothing else, and
neither do out-parameters and the buffers of tensors; two other arguments may be the same memory, so a write to one of
them ends the search for an element of another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from shapesolve.elements.addresses import ALLOCATIONS
from shapesolve.elements.context import (
    VIEWS,
    ElementContext,
    NotFollowedError,
    as_dim,
    buffer_rule,
    element_rule,
    element_type,
)
from shapesolve.elements.loops import PARALLEL_LOOPS, Loop
from shapesolve.elements.moves import inside_slice, kept_dimensions, regrouped_back
from shapesolve.elements.scalar_functions import choice
from shapesolve.elements.structured import mapped, written
from shapesolve.elements.terms import Access, Choice, Held, Indices, Leaf, Term, Unspecified, are_same
from shapesolve.elements.vectors import transferred
from shapesolve.elements.views import REGROUPED, part, require_layout, viewed
from shapesolve.ir.program import AffineMap, Block, Operation, ShapedType, Value, is_buffer
from shapesolve.symbolic.dims import Dim, variable
from shapesolve.symbolic.formulas import at_least, conjunction, equal, implies, less_than
from shapesolve.symbolic.visitors import Instantiation

_BRANCHES = {"scf.if", "shape.assuming"}
_LOOPS = {"scf.for", "affine.for", *PARALLEL_LOOPS}
_LOADS = {"memref.load", "affine.load"}
_STORES = {"memref.store", "affine.store"}
_ENDS = {"scf.yield", "affine.yield", "linalg.yield", "shape.assuming_yield", "scf.forall.in_parallel"}


@element_rule("memref.load", "affine.load")
def load(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """The element that the buffer holds when it is read."""
    return Held(op.operands[0], accessed_place(op, op.operands[1:], ctx), op)


@element_rule("bufferization.to_tensor")
def to_tensor(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """The element that the buffer holds; nothing may write it afterwards."""
    if ctx.places[op][0] in ctx.around:
        raise NotFollowedError("whether its buffer is written afterwards is not followed")
    if may_be_written_behind(op, ctx):
        raise NotFollowedError("its buffer may be written afterwards")
    return Held(op.operands[0], indices, op)


def may_be_written_behind(op: Operation, ctx: ElementContext) -> bool:
    """Return whether the buffer of which an operation makes a tensor may be written where the tensor is used.

    What the tensor holds then is left open. That it is undefined was MLIR's text until 2023 (D144021 replaced the
    sentence in BufferizationOps.td). Since then `restrict` says that no other tensor has the memory, and nothing of
    stores to the buffer; one-shot-bufferize reads what they left.

    Raises:
        NotFollowedError: It is not known what the program writes.
    """
    block, position = ctx.places[op]
    later = [each for each, (its, _) in ctx.places.items() if its not in ctx.around]
    if block not in ctx.around and len(later) == len(block.operations):
        later = block.operations[position:]
    return any(_may_be_same(each, op.operands[0], ctx) for after in later for each in written_buffers(after, ctx))


@buffer_rule
def held(term: Held, ctx: ElementContext) -> Term:
    """Return what wrote an element last."""
    if term.value in ctx.handed_on:
        return Held(ctx.handed_on[term.value], term.indices, term.at)
    maker = ctx.definitions.get(term.value)
    if maker is not None and maker[0].name in VIEWS:
        return Held(maker[0].operands[0], viewed(maker[0], term.indices, ctx), term.at)
    if maker is not None and maker[0].name == "bufferization.to_buffer":
        _require_unwritten_tensors(ctx)
        return Access(maker[0].operands[0], term.indices)
    block, position = ctx.places[term.at]
    if root_of(term.value, ctx) is None:
        return _yielded(term, block, position, ctx)
    for op in reversed(block.operations[:position]):
        if maker is not None and op is maker[0]:
            return Unspecified()
        if any(_may_be_same(each, term.value, ctx) for each in written_buffers(op, ctx)):
            return _updated(op, term, ctx)
    return _found_at_entry(term, block, ctx)


def _found_at_entry(term: Held, block: Block, ctx: ElementContext) -> Term:
    """Return an element of a buffer that nothing in front of an operation in its block has written."""
    around = ctx.around.get(block)
    if around is not None and around.name in _LOOPS and term.at is not block.operations[0]:
        return Held(term.value, term.indices, block.operations[0])
    if around is not None and (around.name in _BRANCHES or around.indexing_maps is not None):
        is_structured = around.name not in _BRANCHES
        if is_structured and any(_may_be_same(each, term.value, ctx) for each in written_buffers(around, ctx)):
            raise NotFollowedError("it may read what it writes")
        return Held(term.value, term.indices, around)
    argument = ctx.arguments.get(term.value)
    if around is not None or argument is None:
        raise NotFollowedError("what it holds here is not followed")
    return Leaf(("argument", argument), term.indices)


def _yielded(term: Held, block: Block, position: int, ctx: ElementContext) -> Term:
    """Return an element of a buffer that a branch yields, if nothing is written since.

    Raises:
        NotFollowedError: It is another buffer, or something may have been written.
    """
    maker = ctx.definitions.get(term.value)
    if maker is None or maker[0].name not in _BRANCHES or maker[0] not in block.operations[:position]:
        raise NotFollowedError("which buffer it is is not followed")
    op, number = maker
    since = block.operations[block.operations.index(op) + 1 : position]
    if any(any(True for _ in written_buffers(each, ctx)) for each in since):
        raise NotFollowedError("which buffer it is is not followed")
    ends = [region.blocks[0].operations[-1] for region in op.regions]
    branches = [Held(end.operands[number], term.indices, end) for end in ends]
    return _of_branches(op, branches, term, ctx)


def _of_branches(op: Operation, branches: Sequence[Term], term: Held, ctx: ElementContext) -> Term:
    """Return an element by what it is behind each branch of an operation."""
    return branches[0] if len(branches) == 1 else choice(op.operands[0], branches, element_type(term.value), ctx)


def writes_only_results(ctx: ElementContext, returned: Sequence[Value]) -> bool:
    """Return whether a program writes only to its own allocations, out-parameters, and arguments that it returns."""
    try:
        roots = all_written(ctx)
    except NotFollowedError:
        return False
    given_back = returned_arguments(ctx, returned)
    return all(each is not None and (each in given_back or _is_allocated(each, ctx)) for each in roots)


def _is_allocated(root: Value, ctx: ElementContext) -> bool:
    maker = ctx.definitions.get(root)
    return maker is not None and maker[0].name in ALLOCATIONS


def returned_arguments(ctx: ElementContext, returned: Sequence[Value]) -> set[Value]:
    """Return the arguments that overlap nothing else, and in which a program leaves results."""
    roots = (root_of(each, ctx) for each in returned if is_buffer(each.type))
    return {each for each in roots if each in ctx.arguments and _is_own(each, ctx)}


def written_buffers(op: Operation, ctx: ElementContext) -> Iterator[Value]:
    """Yield the buffers that an operation may write to, and those whose life it ends.

    Raises:
        NotFollowedError: They are not known.
    """
    if not any(ctx.writes(inner) for inner in op.walk()) or op.name in _ENDS or op.name in ALLOCATIONS:
        return
    if op.name in _STORES or op.name in ("memref.copy", "vector.transfer_write"):
        yield op.operands[1]
    elif op.name == "memref.dealloc":
        yield op.operands[0]
    elif (first := first_output(op)) is not None:
        yield from op.operands[first:]
        yield from _written_inside(op, ctx)
    elif op.name in _LOOPS or op.name in _BRANCHES:
        yield from _written_inside(op, ctx)
    else:
        raise NotFollowedError(f"what {op.name} writes is not followed")


def _written_inside(op: Operation, ctx: ElementContext) -> Iterator[Value]:
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield from written_buffers(inner, ctx)


def _read_buffers(op: Operation) -> Sequence[Value]:
    """Return the buffers that an operation may read; not those of which it only changes its own elements."""
    if op.name in VIEWS or op.name == "memref.dim":
        return ()
    if op.name in _STORES or op.name == "vector.transfer_write":
        given: Sequence[Value] = ()
    elif op.name == "memref.copy":
        given = op.operands[:1]
    else:
        first = first_output(op)
        # what one output held may go to another
        given = op.operands if first is None or len(op.operands) - first > 1 else op.operands[:first]
    return [each for each in given if is_buffer(each.type)]


def first_output(op: Operation) -> int | None:
    """Return the number of operands of a structured operation before its outputs; None of another operation."""
    if op.indexing_maps is None:
        return None
    if len(op.segments) == 2:
        return op.segments[0]
    outputs = {"linalg.transpose": 1, "linalg.broadcast": 1, "linalg.map": 1, "linalg.reduce": len(op.operands) // 2}
    return len(op.operands) - outputs[op.name] if op.name in outputs else None


def accessed_place(op: Operation, indices: Sequence[Value], ctx: ElementContext) -> Indices:
    """Return the place of an access to one element."""
    places = tuple(map(ctx.size, indices))
    if not op.name.startswith("affine."):
        return places
    given = op.attributes.get("map")
    if not isinstance(given, AffineMap):
        raise NotFollowedError("its place is not known")
    return mapped(given, places)


def _require_unwritten_tensors(ctx: ElementContext) -> None:
    """Require that a program writes its own allocations only, so that the buffers of tensors keep what they hold.

    Raises:
        NotFollowedError: It may write others.
    """
    if not all(each is not None and _is_allocated(each, ctx) for each in all_written(ctx)):
        raise NotFollowedError("the buffer of a tensor may be written")


def all_written(ctx: ElementContext) -> set[Value | None]:
    """Return what the buffers that a program writes are views of; None is among them if that is not known.

    Raises:
        NotFollowedError: They are not known.
    """
    places = ctx.places.items()
    outermost = (op for op, (block, _) in places if block not in ctx.around and op is not block.operations[-1])
    return {root_of(each, ctx) for op in outermost for each in written_buffers(op, ctx)}


def root_of(value: Value, ctx: ElementContext) -> Value | None:
    """Return the allocation, argument or tensor's buffer that a buffer is a view of; None if that is not known."""
    while True:
        value = _initial(value, ctx)
        if isinstance(value.type, ShapedType) and value.type.is_injective is False:
            return None  # writing one element may change another
        if value in ctx.arguments:
            return value
        maker = ctx.definitions.get(value)
        if maker is None:
            return None
        if maker[0].name in ALLOCATIONS or maker[0].name == "bufferization.to_buffer":
            return value
        if maker[0].name not in VIEWS:
            return None
        value = maker[0].operands[0]


def _initial(value: Value, ctx: ElementContext) -> Value:
    """Return the buffer that a loop was given where it hands on the same one in each iteration."""
    return ctx.handed_on.get(value, value)


def _are_same_view(first: Value, second: Value, ctx: ElementContext) -> bool:
    """Return whether two buffers are the same part of one."""
    first, second = _initial(first, ctx), _initial(second, ctx)
    if first is second:
        return True
    makers = ctx.definitions.get(first), ctx.definitions.get(second)
    if makers[0] is None or makers[1] is None:
        return False
    ours, theirs = makers[0][0], makers[1][0]
    if not ours.name == theirs.name == "memref.subview" or first.type != second.type:
        return False
    parts = (tuple(place for each in part(op, ctx) for place in each) for op in (ours, theirs))
    return are_same(*parts) and _are_same_view(ours.operands[0], theirs.operands[0], ctx)


def _is_own(root: Value, ctx: ElementContext) -> bool:
    return root not in ctx.arguments or ctx.arguments[root] in ctx.own_arguments


def _may_be_same(first: Value, second: Value, ctx: ElementContext) -> bool:
    """Return whether two buffers may overlap."""
    roots = root_of(first, ctx), root_of(second, ctx)
    if roots[0] is None or roots[1] is None or roots[0] is roots[1]:
        return True
    return not any(_is_own(each, ctx) for each in roots if each is not None)


def _updated(op: Operation, term: Held, ctx: ElementContext) -> Term:
    """Return an element behind an operation that may have written it."""
    before = Held(term.value, term.indices, op)
    targets = list(written_buffers(op, ctx))
    if not all(
        root_of(each, ctx) is root_of(term.value, ctx) for each in targets if _may_be_same(each, term.value, ctx)
    ):
        raise NotFollowedError("another buffer may be the same memory")
    if op.name in _LOOPS:
        return _CarriedContents(op, term.value, ctx).element(term.indices)
    if op.name in _BRANCHES:
        branches = [
            Held(term.value, term.indices, region.blocks[0].operations[-1]) if region.blocks else before
            for region in op.regions
        ]
        return _of_branches(op, branches, term, ctx)
    own = [each for each in targets if _may_be_same(each, term.value, ctx)]
    if len(own) != 1 or op.name == "memref.dealloc":
        raise NotFollowedError("what it writes is not followed")
    found = _stored(op, own[0], term, before, ctx)
    if not ctx.only_places:
        return found
    is_elsewhere = isinstance(found, Choice) and found.otherwise is before
    return replace(found, then=Unspecified()) if isinstance(found, Choice) and is_elsewhere else Unspecified()


def _stored(op: Operation, target: Value, term: Held, before: Held, ctx: ElementContext) -> Term:
    """Return an element of a buffer behind an operation that writes a view of it."""
    if op.name == "vector.transfer_write":
        if _initial(target, ctx) is not term.value:
            raise NotFollowedError("it writes to a view")
        return transferred(op, term.indices, before, ctx)
    if op.name == "memref.copy" and _are_same_view(op.operands[0], op.operands[1], ctx):
        return before
    if op.name in _STORES:
        place = _in_root(target, accessed_place(op, op.operands[2:], ctx), ctx)
        here = conjunction(equal(a, b) for a, b in zip(term.indices, place, strict=True))
        return Choice(here, ctx.scalar(op.operands[0]), before)
    return _overwritten(op, target, term, before, ctx)


def _overwritten(op: Operation, target: Value, term: Held, before: Held, ctx: ElementContext) -> Term:
    """Return an element of a buffer of which an operation writes the whole of a view."""
    first = 1 if op.name == "memref.copy" else first_output(op)
    if first is None or target not in op.operands[first:]:  # its region writes another buffer
        raise NotFollowedError("what it writes is not followed")
    reads = op.operands[:first]
    if any(
        is_buffer(each.type) and _may_be_same(each, target, ctx) and not _reads_own_element(op, place, target)
        for place, each in enumerate(reads)
    ):
        raise NotFollowedError("it may read what it writes")
    view = _initial(target, ctx)  # what a loop hands on may be a view
    maker = ctx.definitions.get(view)
    while maker is not None and maker[0].name == "memref.cast":
        require_layout(maker[0], ctx)
        view = _initial(maker[0].operands[0], ctx)
        maker = ctx.definitions.get(view)

    def element(indices: Indices) -> Term:
        if op.name == "memref.copy":
            return Held(op.operands[0], indices, op)
        return written(op, first, op.operands[first:].index(target), indices, ctx)

    if maker is None or maker[0].name not in VIEWS:
        if view is not root_of(term.value, ctx):
            raise NotFollowedError("which part it writes is not followed")
        return element(term.indices)
    if root_of(term.value, ctx) is not _initial(maker[0].operands[0], ctx):
        raise NotFollowedError("a view of a view is not followed")
    if maker[0].name in REGROUPED:
        return element(regrouped_back(maker[0], term.indices, ctx))
    offsets, sizes, strides = part(maker[0], ctx)
    inside, wide = inside_slice(term.indices, offsets, sizes, strides)
    kept = kept_dimensions(maker[0].results[0], sizes)
    narrow = tuple(index for index, is_kept in zip(wide, kept, strict=True) if is_kept)
    return Choice(inside, element(narrow), before)


def _reads_own_element(op: Operation, place: int, target: Value) -> bool:
    """Return whether each iteration of a structured operation reads only the element of a buffer that it writes."""
    first = first_output(op)
    if op.indexing_maps is None or first is None or op.operands[place] is not target:
        return False
    if op.operands[first:].count(target) != 1:
        return False
    output = op.indexing_maps[op.operands.index(target, first)]
    writes_once = len(output.results) == output.dims and all(each.kind == "dim" for each in output.results)
    return writes_once and op.indexing_maps[place].results == output.results


def _in_root(value: Value, indices: Indices, ctx: ElementContext) -> Indices:
    """Return the place of an element in the buffer that a value is a view of."""
    value = _initial(value, ctx)
    while (maker := ctx.definitions.get(value)) is not None and maker[0].name in VIEWS:
        value, indices = _initial(maker[0].operands[0], ctx), viewed(maker[0], indices, ctx)
    return indices


class _CarriedContents(Loop):
    """The contents of a buffer, which the iterations of a loop hand on."""

    def __init__(self, op: Operation, buffer: Value, ctx: ElementContext) -> None:
        super().__init__(op, ctx)
        self._buffer = buffer
        self._targets = list(written_buffers(op, ctx))
        if self.is_parallel:
            self._require_no_race()

    def _require_no_race(self) -> None:
        """Require that no iteration reads what it wrote itself, which another one may have overwritten since.

        Raises:
            NotFollowedError: One may.
        """
        shared: list[Value] = []
        for inner in self.op.walk():
            if inner is self.op or inner.name in _BRANCHES:
                continue
            if inner.name in _LOOPS:
                shared += written_buffers(inner, self.ctx)
                continue
            is_shared = any(_may_be_same(each, other, self.ctx) for each in _read_buffers(inner) for other in shared)
            if is_shared and not self._reads_own_place(inner):
                raise NotFollowedError("an iteration may read what another one wrote")
            shared += [each for each in written_buffers(inner, self.ctx) if not self._is_private(each)]

    def _reads_own_place(self, op: Operation) -> bool:
        """Return whether an operation reads one element, which no iteration but its own may write."""
        if op.name not in _LOADS:
            return False
        buffer, *indices = op.operands
        inside = (each for each in self._inner_operations if each.name not in _LOOPS | _BRANCHES)
        root, ctx = root_of(buffer, self.ctx), self.ctx
        stores = [each for each in inside if any(_may_be_same(to, buffer, ctx) for to in written_buffers(each, ctx))]
        if any(each.name not in _STORES or root_of(each.operands[1], self.ctx) is not root for each in stores):
            return False
        read = _in_root(buffer, accessed_place(op, indices, self.ctx), self.ctx)
        places = [
            _in_root(each.operands[1], accessed_place(each, each.operands[2:], self.ctx), self.ctx) for each in stores
        ]
        counters = {each: its for each, its in self.ctx.iterations.items() if its.op in self._inner_operations}
        variables = {each for place in (read, *places) for index in place for each in index.variables} - set(counters)
        if root is None or any(self.ctx.makers.get(each) in self._inner_operations for each in variables):
            return False
        others = {each: variable(f"{self.ctx.fresh_index().name} of all", None, None) for each in counters}
        renamed = Instantiation(others)
        inside_ranges = conjunction(
            part
            for each, its in counters.items()
            for part in (at_least(as_dim(each), its.first), less_than(as_dim(each), its.end))
        )
        is_own = conjunction(equal(as_dim(each), others[each]) for each in self._ranges)
        return all(
            self.ctx.proves(implies(conjunction((inside_ranges, renamed.formula(inside_ranges), is_here)), is_own))
            for place in places
            for is_here in [conjunction(equal(a, renamed.size(b)) for a, b in zip(read, place, strict=True))]
        )

    def _is_private(self, buffer: Value) -> bool:
        """Return whether each iteration has a buffer of its own."""
        root = root_of(buffer, self.ctx)
        return root is not None and root in self._inside

    def is_carried(self, term: Term) -> bool:
        return isinstance(term, Held) and term.value is self._buffer and term.at is self.block.operations[0]

    def require_not_written(self, buffer: Value) -> None:
        if any(_may_be_same(each, buffer, self.ctx) for each in self._targets):
            raise NotFollowedError("an iteration may read what an earlier one wrote")

    def before(self, place: Indices) -> Term:
        return Held(self._buffer, place, self.op)

    def handed_on(self, place: Indices) -> Term:
        return Held(self._buffer, place, self.block.operations[-1])

    def stored(self, place: Indices) -> Term:
        """Return what an iteration hands on, unspecified where it stores anything."""
        outer, self.ctx.only_places = self.ctx.only_places, True
        try:
            return self.expanded(self.handed_on(place))
        finally:
            self.ctx.only_places = outer

    def starts(self, op: Operation, place: Indices) -> Iterator[tuple[Dim, Dim]]:
        yield from super().starts(op, place)
        maker = self.ctx.definitions.get(_initial(op.operands[1], self.ctx)) if op.name in _STORES else None
        if maker is None or maker[0].name not in REGROUPED:
            return
        with suppress(NotFollowedError):
            if _initial(maker[0].operands[0], self.ctx) is self._buffer:
                own = accessed_place(op, op.operands[2:], self.ctx)
                yield from zip(regrouped_back(maker[0], place, self.ctx), own, strict=True)

    def offsets(self, op: Operation) -> Sequence[Dim]:
        try:
            if op.name in _STORES and root_of(op.operands[1], self.ctx) is self._buffer:
                return _in_root(op.operands[1], accessed_place(op, op.operands[2:], self.ctx), self.ctx)
            if op.name == "vector.transfer_write" and _initial(op.operands[1], self.ctx) is self._buffer:
                return [self.ctx.size(each) for each in op.operands[2 : 2 + op.segments[2]]]
            if op.name == "memref.subview" and _initial(op.operands[0], self.ctx) is self._buffer:
                return part(op, self.ctx)[0]
        except NotFollowedError:
            pass
        return ()
