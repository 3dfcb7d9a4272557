"""Pass pipeline from a module of any known dialect to the LLVM dialect.

The MLIR context is made before a program is known: that takes longer than lowering a small program, so a process that
waits for programs makes it beforehand, before it forks and before it gives up its rights; lazily loaded modules are
loaded then, too. It has no threads, for they would not survive a fork.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from shapesolve.execution import allow_list, entry_point
from shapesolve.execution.entry_point import Signature
from shapesolve.execution.execution import NotExecutableError, Place, describe_diagnostics
from shapesolve.execution.lowering import (
    llvm_operations,
    program_slicing,
    runtime_checks,
    shape_dialect,
    stablehlo,
    stablehlo_moves,
    target_legalization,
    wrong_folds,
)
from shapesolve.execution.lowering.builder import descendants, dialect_of
from shapesolve.execution.lowering.runtime_checks import CheckSite
from shapesolve.ir import bindings
from shapesolve.semantics.registry import Executable

R = TypeVar("R")

_TORCH = ("torchdynamo-export-to-torch-backend-pipeline", "torch-backend-to-linalg-on-tensors-backend-pipeline")
_INLINED = "inline{default-pipeline=}"
"""Inliner without its default canonicalization, which might remove operations that may fail."""

_CHLO = "func.func(chlo-legalize-to-stablehlo)"
_STABLEHLO = ("func.func(stablehlo-legalize-to-linalg)", "stablehlo-convert-to-signless", "reconcile-unrealized-casts")
_TOSA = (
    "tosa-to-scf",
    "func.func(tosa-optional-decompositions)",
    "func.func(tosa-to-linalg-named)",
    "func.func(tosa-to-linalg)",
    "func.func(tosa-to-tensor)",
    "func.func(tosa-to-arith)",
)
_SHAPE = ("func.func(shape-to-shape-lowering)", "convert-shape-to-std")
_BUFFERS = (
    "one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map "
    "allow-return-allocs-from-loops=true buffer-alignment=0}",
    "convert-bufferization-to-memref",
)
_LOOPS = ("convert-linalg-to-loops", "expand-strided-metadata")
_CONTROL_FLOW = ("lower-affine", "convert-scf-to-cf")
_VECTOR_LOOPS, _VECTOR_CODE = "convert-vector-to-scf", "convert-vector-to-llvm"
_VECTORS = frozenset(
    [
        *(f"vector.{each}" for each in ("broadcast", "constant_mask", "create_mask", "extract", "insert")),
        *(f"vector.{each}" for each in ("reduction", "step", "transfer_read", "transfer_write")),
    ]
)
"""Operations on vectors that these two passes lower."""
_WIDTHS = {"8", "16", "32", "64"}
_MACHINE = (
    # Before constants leave the arith dialect: dimensions asked for by a constant then need no stack in every turn.
    "finalize-memref-to-llvm{use-generic-functions=true}",
    "convert-complex-to-standard",
    "math-expand-ops{ops=clampf,fpowi,ipowi,roundeven}",  # no library has them, or not every one
    # Processors that lack instructions for narrow floats would call routines of the compiler's, which may be missing.
    "math-extend-to-supported-types{target-type=f32}",
    "arith-emulate-unsupported-floats{source-types=bf16,f16 target-type=f32}",
)
_CODE = (
    "arith-expand{include-bf16=true}",
    "convert-math-to-llvm",
    "convert-math-to-libm",
    "convert-complex-to-llvm",
    "convert-index-to-llvm",
    "convert-arith-to-llvm",
    "convert-func-to-llvm",
    "convert-cf-to-llvm",
    "convert-ub-to-llvm",
    "reconcile-unrealized-casts",
)


@dataclass(frozen=True)
class Lowered:
    """A module in the LLVM dialect, the way to call its function, and the sites of its assertions."""

    module: Any
    function: str
    signature: Signature
    sites: tuple[CheckSite, ...]
    constant_bytes: int = 0
    """Bytes of constants lowered to buffers, in addition to the program's own allocations."""


def lower(
    text: str | bytes,
    function: str,
    executable: Executable,
    *,
    with_checks: bool,
    announce: Callable[[str], None],
    zeros: bool = False,
    last: Place | None = None,
    first: Place | None = None,
    vectors: bool = False,
) -> Lowered:
    """Lower ``function`` of the module ``text``, without the symbols that it does not need.

    Args:
        text: MLIR text or bytecode.
        function: The name of the function.
        executable: The operations that may be executed.
        with_checks: Whether to verify operations while running.
        announce: Called with each step before it, so that a crash of MLIR can be located.
        zeros: Whether elided constants hold zeros instead of ones.
        last: Cut the function off after the operations in this place's line.
        first: Leave out loops in front of this place whose results are not used, ``with_checks`` those behind it, too.
        vectors: Whether to lower operations on vectors, which are not verified while running.

    Raises:
        NotExecutableError: An operation or pass cannot go on.
    """
    announce("parsing")
    with bindings.without_dialect_classes(), take():
        module = _parse(text)
        announce("looking at what may be executed")
        entry = entry_point.lift(module, function)
        is_cut = last is not None and _cut_off(module, entry, last, announce)
        entry = entry_point.isolate(module, entry)
        llvm_operations.replace_llvm_operations(module)
        allow_list.admit(module, executable)
        entry_point.expose(module, entry)
        announce("filling elided constants")
        program_slicing.fill_elided_constants(module, zeros=zeros)
        return _lower(module, entry, with_checks, announce, first, results_are_seen=not is_cut, vectors=vectors)


def _cut_off(module: Any, function: str, last: Place, announce: Callable[[str], None]) -> bool:
    """Cut the function off after a place, which may be in a callee. Return whether that was possible."""
    if program_slicing.cut_off(module, function, last):
        return True
    _Steps(module, announce).run(_INLINED)
    return program_slicing.cut_off(module, function, last)


def _parse(text: str | bytes) -> Any:
    ir = bindings.ir()
    try:
        return ir.Module.parse(text)
    except ir.MLIRError as error:
        raise NotExecutableError(f"the module does not parse: {describe_diagnostics(error)}") from None


def _lower(
    module: Any,
    function: str,
    with_checks: bool,
    announce: Callable[[str], None],
    first: Place | None,
    *,
    results_are_seen: bool,
    vectors: bool,
) -> Lowered:
    runtime_checks.remove_marks(module)
    ops_by_place = runtime_checks.original_ops(module)
    steps = _Steps(module, announce)
    steps.do("leaving out statements", lambda: _erase_statements(module))
    steps.do("avoiding wrong folds", lambda: wrong_folds.avoid_wrong_folds(module))
    _to_tensors(module, steps, with_checks)
    signature = entry_point.signature_of(module, function)
    if with_checks:
        # Of affine accesses no check is generated.
        steps.run("convert-elementwise-to-linalg", "linalg-generalize-named-ops", "lower-affine")
        steps.do("inserting runtime checks", lambda: runtime_checks.insert_checks(module, ops_by_place))
        steps.run("generate-runtime-verification", "cse", "sccp", "cse")
        steps.do("dropping repeated checks", lambda: runtime_checks.drop_repeated(module.operation))
    weights = 0
    if first is not None:
        until = None if with_checks else partial(program_slicing.is_at_or_behind, line=first[0])
        remove_unused_loops = partial(
            program_slicing.remove_unused_loops, until=until, results_are_seen=results_are_seen
        )
        weights = steps.do("leaving out what nothing looks at", lambda: remove_unused_loops(module, function))
    steps.run(*_BUFFERS)
    steps.do("writing copies as loops", lambda: target_legalization.lower_copies_to_loops(module))
    steps.run(*_LOOPS)
    has_vectors = vectors and "vector" in _dialects(module)
    if has_vectors:
        _require_known_vectors(module)
        steps.run(_VECTOR_LOOPS)
    sites = runtime_checks.report_failures(module, ops_by_place)
    steps.do("forgetting notes", lambda: allow_list.remove_discardable_attributes(module))
    steps.run(*_CONTROL_FLOW, *([_VECTOR_CODE] if has_vectors else ()), *_MACHINE)
    steps.do("rounding after each operation", lambda: target_legalization.forbid_excess_precision(module))
    steps.do(
        "writing conversions of floats as integer arithmetic",
        lambda: target_legalization.expand_f16_conversions(module),
    )
    steps.run(*_CODE)
    _require_llvm(module)
    allow_list.require_closed(module)
    return Lowered(module, function, signature, tuple(sites), weights)


class _Steps:
    """Runs passes and rewrites one by one."""

    def __init__(self, module: Any, announce: Callable[[str], None]) -> None:
        self._module = module
        self._announce = announce

    def run(self, *passes: str) -> None:
        """Run MLIR's own passes."""
        ir = bindings.ir()
        for each in passes:
            name = each.removeprefix("func.func(").rstrip(")").partition("{")[0]
            self._announce(name)
            manager = bindings.passmanager().PassManager.parse(f"builtin.module({each})", self._module.context)
            try:
                manager.run(self._module.operation)
            except ir.MLIRError as error:
                raise NotExecutableError(f"{name}: {describe_diagnostics(error)}") from None

    def do(self, name: str, rewrite: Callable[[], R]) -> R:
        """Run a rewrite, verify the module, and return the result of the rewrite."""
        ir = bindings.ir()
        self._announce(name)
        given = rewrite()
        try:
            self._module.operation.verify()
        except ir.MLIRError as error:
            raise NotExecutableError(f"{name}: {describe_diagnostics(error)}") from None
        return given


def _to_tensors(module: Any, steps: _Steps, with_checks: bool) -> None:
    dialects = _dialects(module)
    if "torch" in dialects:
        steps.run(*_TORCH)
        dialects = _dialects(module)
    if "chlo" in dialects:
        bindings.register_stablehlo_passes()
        steps.run(_CHLO)
        dialects = _dialects(module)
    if with_checks:
        steps.do("inserting source checks", lambda: runtime_checks.insert_source_checks(module))
    if "shape" in dialects:
        steps.do("asserting shape constraints", lambda: shape_dialect.assert_constraints(module))
    if "stablehlo" in dialects:
        steps.do(
            "lowering dynamic operations",
            lambda: stablehlo.make_dynamism_executable(module, runtime_checks=with_checks),
        )
        steps.do("lowering reverses and paddings", lambda: stablehlo_moves.make_moves_executable(module))
        steps.do(
            "lowering dynamic windows", lambda: stablehlo.make_windows_executable(module, runtime_checks=with_checks)
        )
        bindings.register_stablehlo_passes()
        steps.run(*_STABLEHLO)
    if "tosa" in dialects:
        steps.run(*_TOSA)
    if "tm_tensor" in dialects:
        steps.run(target_legalization.BUFFERS)
        steps.do("reading buffers as tensors", lambda: target_legalization.mark_unaliased_buffers(module))
        steps.run(target_legalization.LOOPS)
    # The other lowerings make operations of the shape dialect too.
    if "shape" in _dialects(module):
        steps.do("lowering shapes and sizes", lambda: shape_dialect.make_executable(module, runtime_checks=with_checks))
        steps.run(*_SHAPE)
    steps.do("widening shapes", lambda: shape_dialect.widen_reshape_operands(module))
    steps.run("convert-elementwise-to-linalg")


def _dialects(module: Any) -> set[str]:
    found = {dialect_of(op) for op in descendants(module.operation)}
    return found | {"shape" for op in descendants(module.operation) if "!shape." in str(op.attributes)}


def _require_known_vectors(module: Any) -> None:
    """Check that operations on vectors have a lowering that reads and writes the elements of buffers as others do.

    LLVM packs the elements of a vector: of narrow ones, other bits would be read than those of the buffer's elements.
    """
    ir = bindings.ir()
    for op in descendants(module.operation):
        if dialect_of(op) != "vector":
            continue
        types = [each.type for each in (*op.operands, *op.results)]
        buffers = [each for each in types if isinstance(each, ir.MemRefType | ir.UnrankedMemRefType)]
        is_packed = any(str(each.element_type)[1:] not in _WIDTHS for each in buffers)
        is_scalable = any(isinstance(each, ir.VectorType) and each.scalable for each in types)
        if op.name not in _VECTORS or is_packed or is_scalable:
            raise NotExecutableError(f"{allow_list.at(op)} is not executed")


def _require_llvm(module: Any) -> None:
    """Check that every operation is in the LLVM dialect. Casts of types remain around another that is not."""
    left = [op for op in descendants(module.operation) if dialect_of(op) != "llvm"]
    for op in sorted(left, key=lambda each: each.name == "builtin.unrealized_conversion_cast"):
        place = runtime_checks.place_of(op.location)
        where = f" (line {place[0]}, column {place[1]})" if place else ""
        raise NotExecutableError(f"{op.name}{where} has no executable form")


_made: list[Any] = []


def prepare() -> None:
    """Make a context for the next :func:`take`, if there is none."""
    if not _made:
        _made.append(_new())


def take() -> Any:
    """Return a context without any program."""
    return _made.pop() if _made else _new()


def _new() -> Any:
    context = bindings.new_context(threads=False)
    bindings.passmanager()
    bindings.execution_engine()
    bindings.register_stablehlo_passes()
    return context


_HAND_ON = {"util.assume.int"}
"""Operations whose results are their operands."""


def _erase_statements(module: Any) -> None:
    """Put the operands of statements in place of their results."""
    for op in list(descendants(module.operation)):
        if op.name in _HAND_ON:
            for result, operand in zip(op.results, op.operands, strict=True):
                result.replace_all_uses_with(operand)
            op.erase()
