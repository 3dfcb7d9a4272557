"""The `gpu` dialect on the host and inside of a launch: kernels, the places of threads, and device memory."""

from __future__ import annotations

from dataclasses import replace

from shapesolve.domain.fresh_variables import variables_of
from shapesolve.domain.values import Abstract, Tensor, UnknownValue
from shapesolve.ir.program import Operation
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import ANY_RESULT, ASKS_WHERE, PURE, READS, WRITES
from shapesolve.semantics.op_semantics import Approximations, Assumes, Claim, Memory, OpSemantics, Requires, Results
from shapesolve.semantics.regions import GenericIteration
from shapesolve.semantics.registry import ExternalEffect, rule
from shapesolve.symbolic.dims import ONE, ZERO, Dim, dim
from shapesolve.symbolic.formulas import at_least, less_than
from shapesolve.trace.trust import NO_WRAP

from .memref import same_shapes
from .transfer.control_flow import induction_variable, nested_loop_body
from .transfer.integers import word_result
from .transfer.shape_checks import each_non_negative
from .transfer.strided_slices import declared_extents, segment

KERNELS = "tests/cases/gpu/kernels.mlir"
LAUNCH = "tests/cases/gpu/launch.mlir"
MEMORY = "tests/cases/gpu/memory.mlir"
THREADS = "tests/cases/gpu/threads.mlir"

MOST_THREADS = 2**32 - 1
"""The greatest number of threads, blocks or subgroups in one dimension, whatever the device (MLIR's `kMaxDim`)."""
MOST_LANES = 128
"""The greatest number of threads of a subgroup, whatever the device (MLIR's `kMaxSubgroupSize`)."""

MOST_BLOCKS_OF_A_CLUSTER = 16
"""The greatest number of blocks of a cluster in one dimension, whatever the device (MLIR's `kMaxClusterDim`)."""

ARGUMENTS = ("gpu.block_id", "gpu.thread_id", "gpu.grid_dim", "gpu.block_dim")
"""The operations that give a group of three block arguments of a launch, in the order of the groups."""

COUNTS = (
    "gpu.block_dim",
    "gpu.cluster_dim",
    "gpu.cluster_dim_blocks",
    "gpu.grid_dim",
    "gpu.num_subgroups",
    "gpu.subgroup_size",
)
"""The operations that count; the others number what is counted, from 0."""

DEVICE = ExternalEffect("it works on a device")

TOKEN = "!gpu.async.token"

OTHER_THREADS = "what other threads give is not followed"
ASYNCHRONOUS = "it is asynchronous, and what runs at the same time is not followed"


@rule("gpu.launch", example=LAUNCH, effects=PURE, outside=DEVICE)
def launch(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Runs its region once for every thread of every block of a grid, in any order; if a size is not positive, never.

    A device may refuse a launch, and what stops a thread there does not stop the host: nothing that held in the region
    is believed behind it.
    (R1) Nothing is known of the token of an asynchronous launch.
    """
    if any(segment(op, 7 + number) for number in range(3)):
        raise UnknownValueError("clusters of blocks are not followed")
    sizes = [ctx.integer(segment(op, 1 + number)[0]) for number in range(6)]
    places, blocks = op.regions[0].blocks[0].arguments[:6], op.regions[0].blocks[0].arguments[12:]
    counters = [induction_variable(place, ZERO, size, ONE, ctx) for place, size in zip(places, sizes, strict=True)]
    memory = (ctx.unknown(each) for each in blocks)
    run = replace(nested_loop_body(op.regions[0], counters, *sizes, *memory), runs=None)
    return OpSemantics(_tokens(op), requires=Requires(unknown=_asynchronous(op)), regions=(run,))


def _asynchronous(op: Operation) -> str:
    return ASYNCHRONOUS if any(str(each.type) == TOKEN for each in op.results) else ""


@rule("gpu.terminator", "gpu.yield", example=LAUNCH, effects=PURE, outside=DEVICE)
def ends(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Ends a region."""
    return OpSemantics()


@rule("gpu.return", example=KERNELS, effects=PURE, outside=DEVICE)
def returns(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Ends a kernel, or a function of a device with its results.

    A kernel is checked for any arguments where nothing in its file launches one.
    """
    return OpSemantics()


@rule("gpu.barrier", example=THREADS, effects=READS | WRITES, outside=DEVICE)
def barrier(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Waits for the threads of the block.

    Demands that all of them get to it, which is known where it stands in the only block of a launch.
    """
    around = ctx.enclosing(op, "gpu.launch")
    blocks = () if around is None else around.regions[0].blocks
    is_for_all = len(blocks) == 1 and op in blocks[0].operations
    unknown = "" if is_for_all else "whether all threads of the block get to it is not followed"
    return OpSemantics(requires=Requires(unknown=unknown))


# Places of threads ----------------------------------------------------------------------------------------------------


@rule(
    "gpu.thread_id",
    "gpu.block_id",
    "gpu.block_dim",
    "gpu.grid_dim",
    example=LAUNCH,
    effects=READS | ASKS_WHERE,
    outside=DEVICE,
)
def place(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The number of the thread in its block or of the block in the grid, or how many there are, in one dimension.

    (C1) The number is below `upper_bound`, or how many there are at most that, if it is given.
    (R1) The result is what the launch around hands to its region; elsewhere a number below 2^32.
    """
    around = ctx.enclosing(op, "gpu.launch")
    if around is None:
        return _any_below(op, ctx, MOST_THREADS)
    result = _in_launch(op.name, op, around, ctx)
    return OpSemantics((result,), requires=_bounded(op, result))


@rule("gpu.global_id", example=LAUNCH, effects=READS | ASKS_WHERE, outside=DEVICE)
def global_id(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The number of the thread in the grid, in one dimension.

    (C1) The number is below `upper_bound`, if it is given.
    (R1) The result is the block's number times the size of a block plus the thread's number in it, where a launch is
    around; elsewhere any number, below `upper_bound` and not negative if that is given.
    """
    around = ctx.enclosing(op, "gpu.launch")
    if around is None:
        return _any_below(op, ctx, None)
    thread, block, threads = (
        _in_launch(name, op, around, ctx) for name in ("gpu.thread_id", "gpu.block_id", "gpu.block_dim")
    )
    result, fits = word_result(block * threads + thread)
    return OpSemantics((result,), requires=_bounded(op, result), assumes=Assumes((NO_WRAP,), fits))


@rule(
    "gpu.cluster_id",
    "gpu.cluster_dim",
    "gpu.cluster_block_id",
    "gpu.cluster_dim_blocks",
    example=THREADS,
    effects=READS | ASKS_WHERE,
    outside=DEVICE,
)
def cluster(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The number of the cluster or of the block in it, or how many there are, in one dimension.

    (R1) The result is below 2^32, or 16 for a block in its cluster, and below `upper_bound` if it is given; or at most
    that if it is how many there are.
    """
    return _any_below(op, ctx, MOST_BLOCKS_OF_A_CLUSTER if "block" in op.name else MOST_THREADS)


@rule("gpu.subgroup_id", "gpu.num_subgroups", example=THREADS, effects=READS | ASKS_WHERE, outside=DEVICE)
def subgroup(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The number of the subgroup in its block, or how many there are.

    (R1) The result is below 2^32, and below `upper_bound` if it is given, or at most that if it is how many there are.
    """
    return _any_below(op, ctx, MOST_THREADS)


@rule("gpu.lane_id", "gpu.subgroup_size", example=THREADS, effects=READS | ASKS_WHERE, outside=DEVICE)
def lane(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The number of the thread in its subgroup, or how many there are.

    (R1) The result is below 128, and below `upper_bound` if it is given, or at most that if it is how many there are.
    """
    return _any_below(op, ctx, MOST_LANES)


def _any_below(op: Operation, ctx: RuleContext, most: int | None) -> OpSemantics:
    """Return a number that hangs on the launch or the device.

    Asked for again, it is not known to be the same, so that no failure may follow from it.
    """
    stated = op.attributes.get("upper_bound")
    if isinstance(stated, int) and stated >= 1 and not ctx.distrusts:
        most = stated if most is None else min(most, stated)
    counts = op.name in COUNTS
    if most is None:
        result = ctx.fresh_integer(op.results[0])
    else:
        result = ctx.fresh(op.results[0].name, int(counts), most if counts else most - 1)
    reason = f"which {'size' if counts else 'place'} {op.name} gives hangs on the launch"
    return OpSemantics((result,), approximations=Approximations((reason,), result.variables))


def _in_launch(name: str, op: Operation, around: Operation, ctx: RuleContext) -> Dim:
    dimension = "xyz".find(str(getattr(op.attributes.get("dimension"), "text", ""))[-2:-1] or "?")
    if dimension < 0:
        raise UnknownValueError("its dimension cannot be read")
    argument = around.regions[0].blocks[0].arguments[3 * ARGUMENTS.index(name) + dimension]
    if ctx.seen(argument) is None:
        raise UnknownValueError("the launch around is not followed")
    return ctx.integer(argument)


def _bounded(op: Operation, result: Dim) -> tuple[Claim, ...]:
    bound = op.attributes.get("upper_bound")
    if not isinstance(bound, int):
        return ()
    holds = at_least(bound, result) if op.name in COUNTS else less_than(result, dim(bound))
    return (
        Claim("C1", holds, "the bound that is stated is exceeded", shown=(("bound", dim(bound)), ("value", result))),
    )


@rule(
    "gpu.all_reduce", example=THREADS, effects=READS | WRITES | ASKS_WHERE, outside=DEVICE
)  # MLIR erases the second only
@rule("gpu.subgroup_reduce", example=THREADS, effects=READS | ASKS_WHERE, outside=DEVICE)
def reduce(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Combines a value of all threads of a block, or of a subgroup.

    (R1) The result is any value of its type.
    """
    runs = tuple(
        GenericIteration(
            region=region,
            arguments=tuple(ctx.unknown(each) for each in region.blocks[0].arguments),
            approximate=OTHER_THREADS,
        )
        for region in op.regions
        if region.blocks
    )
    unknown = "whether all threads get to it is not followed" if op.attributes.get("uniform") else ""
    result = ctx.unknown(op.results[0])
    return OpSemantics(
        (result,),
        requires=Requires(unknown=unknown),
        regions=runs,
        approximations=Approximations((OTHER_THREADS,), variables_of(result)),
    )


@rule(
    "gpu.shuffle",
    "gpu.rotate",
    "gpu.subgroup_broadcast",
    "gpu.ballot",
    example=THREADS,
    effects=READS | ASKS_WHERE,
    outside=DEVICE,
)
def exchange(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Takes a value from another thread of the subgroup, or a bit from each of them.

    Demands that the other thread is one of the subgroup and gets to it, which is not followed.
    (R1) Each result is any value of its type.
    """
    results = tuple(map(ctx.unknown, op.results))
    return OpSemantics(
        results,
        requires=Requires(unknown="" if op.name == "gpu.ballot" else "which threads get to it is not followed"),
        approximations=Approximations((OTHER_THREADS,), variables_of(*results)),
    )


@rule("gpu.printf", example=THREADS, effects=WRITES, outside=DEVICE)
def printf(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Prints on the device."""
    return OpSemantics()


# Device memory --------------------------------------------------------------------------------------------------------


@rule("gpu.alloc", example=MEMORY, effects=ANY_RESULT, outside=DEVICE)
def alloc(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A new buffer on the device.

    (C1) Every size is at least 0.
    (R1) The result has these sizes.
    """
    extents = declared_extents(ctx, op.results[0], segment(op, 1))
    results = (Tensor.of(extents), *_tokens(op))
    return OpSemantics(
        Results(results, is_poison=True, shape_operands=()),
        requires=each_non_negative(extents),
        memory=Memory(allocates=True),
    )


@rule("gpu.dealloc", example=MEMORY, effects=WRITES, outside=DEVICE)
def dealloc(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Frees a buffer of the device. Demands nothing of sizes.

    (R1) Nothing is known of the token of an asynchronous one.
    """
    freed = tuple(each for each in op.operands if str(each.type) != TOKEN)
    return OpSemantics(_tokens(op), requires=Requires(unknown=_asynchronous(op)), memory=Memory(frees=freed))


@rule("gpu.memcpy", example=MEMORY, effects=READS | WRITES, outside=DEVICE)
def memcpy(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Copies the elements of its second buffer to its first.

    (C1) Both have the same shape.
    (R1) Nothing is known of the token of an asynchronous copy.
    """
    into, source = op.operands[-2:]
    return OpSemantics(_tokens(op), requires=Requires(same_shapes(source, into, ctx), unknown=_asynchronous(op)))


@rule("gpu.memset", example=MEMORY, effects=WRITES, outside=DEVICE)
def memset(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Writes a value to all elements of a buffer. Demands nothing of sizes.

    (R1) Nothing is known of the token of an asynchronous one.
    """
    return OpSemantics(_tokens(op), requires=Requires(unknown=_asynchronous(op)))


@rule("gpu.wait", example=MEMORY, effects=READS | WRITES, outside=DEVICE)
def wait(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Waits for asynchronous operations. Demands nothing of sizes.

    (R1) Nothing is known of the token.
    """
    return OpSemantics(_tokens(op))


def _tokens(op: Operation) -> tuple[Abstract, ...]:
    return tuple(UnknownValue() for each in op.results if str(each.type) == TOKEN)
