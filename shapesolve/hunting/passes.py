"""Passes that a hunt tries, each on the program itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shapesolve.errors import InputError
from shapesolve.validation.pass_runs import PassRunner
from shapesolve.validation.pipelines import PassStep, split_pipeline

WHERE = "--passes"
MODULE, FUNCTION = "builtin.module", "func.func"

_OF_MODULES = """
canonicalize cse sccp inline mem2reg sroa trivial-dce remove-dead-values topological-sort control-flow-sink
loop-invariant-code-motion loop-invariant-subset-hoisting int-range-optimizations arith-int-range-narrowing
arith-unsigned-when-equivalent arith-expand reconcile-unrealized-casts
scf-for-loop-canonicalization scf-for-loop-peeling scf-for-loop-range-folding scf-for-loop-specialization
scf-for-to-while scf-forall-to-for scf-forall-to-parallel scf-parallel-for-to-nested-fors scf-parallel-loop-fusion
scf-parallel-loop-specialization convert-scf-to-cf lift-cf-to-scf lower-affine raise-scf-to-affine
affine-expand-index-ops affine-simplify-min-max affine-simplify-with-bounds affine-fold-memref-alias-ops
affine-loop-fusion affine-loop-unroll affine-loop-unroll-jam
convert-elementwise-to-linalg convert-tensor-to-linalg eliminate-empty-tensors empty-tensor-to-alloc-tensor
fold-tensor-subset-ops linalg-fold-into-elementwise linalg-fold-unit-extent-dims linalg-fuse-elementwise-ops
linalg-generalize-named-ops linalg-inline-scalar-operands linalg-specialize-generic-ops simplify-depthwise-conv
convert-linalg-to-loops convert-linalg-to-parallel-loops convert-linalg-to-affine-loops
scalarize-single-element-tensor-return reify-result-shapes resolve-ranked-shaped-type-result-dims
resolve-shaped-type-result-dims convert-shape-constraints convert-shape-to-std outline-shape-computation
one-shot-bufferize buffer-results-to-out-params drop-equivalent-buffer-results expand-realloc
expand-strided-metadata flatten-memref memref-expand normalize-memrefs generate-runtime-verification
memref-elide-reinterpret-cast ownership-based-buffer-deallocation
tosa-to-arith tosa-to-linalg tosa-to-linalg-named tosa-to-scf tosa-to-tensor
stablehlo-legalize-to-linalg stablehlo-refine-shapes stablehlo-compatibility-expander
"""
_OF_FUNCTIONS = """
shape-to-shape-lowering shape-legalize-to-stablehlo
affine-loop-coalescing affine-loop-invariant-code-motion affine-loop-normalize affine-loop-tile affine-parallelize
affine-raise-from-memref affine-scalrep affine-simplify-structures
buffer-hoisting buffer-loop-hoisting optimize-allocation-liveness promote-buffers-to-stack
chlo-legalize-to-stablehlo stablehlo-aggressive-simplification stablehlo-canonicalize-dynamism
tosa-infer-shapes tosa-layerwise-constant-fold tosa-make-broadcastable tosa-optional-decompositions
tosa-reduce-transposes lower-vector-mask lower-vector-multi-reduction
"""
DEFAULT_PASSES = ",".join([*_OF_MODULES.split(), *(f"{FUNCTION}({each})" for each in _OF_FUNCTIONS.split())])
"""Passes that change tensors, shapes, buffers, or the control flow around them, and keep to dialects with rules.

``remove-shape-constraints`` is not among them: it drops checks without proof, and is meant to.
"""


def hunted_passes(runner: PassRunner, passes: str | None) -> tuple[PassStep, ...]:
    """Return the passes of a list as separate steps.

    A pass may be written as in a pipeline, with options and the operation that it is anchored on, or by its name.

    Args:
        runner: Runs the passes.
        passes: The list, with commas; None for the default passes, of which those that the runner lacks are left out.

    Raises:
        InputError: The runner refuses a pass.
    """
    text = DEFAULT_PASSES if passes is None else passes
    is_anchored = text.lstrip().startswith(f"{MODULE}(")
    try:
        steps = split_pipeline(text if is_anchored else f"{MODULE}({text})")
        if not steps:
            raise InputError("there is no pass in it", excerpt=text)
        found = tuple(_accepted(runner, steps, is_default=passes is None))
    except InputError as error:
        raise InputError(error.message, where=WHERE, excerpt=error.excerpt) from None
    if not found:
        raise InputError(f"{runner.title} has none of the default passes", where=WHERE)
    return tuple(PassStep(number, each.name, each.pipeline) for number, each in enumerate(found, 1))


def _accepted(runner: PassRunner, steps: Sequence[PassStep], *, is_default: bool) -> Iterator[PassStep]:
    try:
        runner.steps(_joined(steps))
    except InputError:
        pass
    else:
        yield from steps
        return
    for step in steps:
        nested = PassStep(step.number, step.name, step.pipeline.replace(f"{MODULE}(", f"{MODULE}({FUNCTION}(") + ")")
        refusals: list[InputError] = []
        for each in (step, nested):
            try:
                runner.steps(each.pipeline)
            except InputError as refused:
                refusals.append(refused)
            else:
                yield each
                break
        if len(refusals) == 2 and not is_default:
            raise refusals[0]


def _joined(steps: Sequence[PassStep]) -> str:
    inside = ",".join(each.pipeline.removeprefix(f"{MODULE}(").removesuffix(")") for each in steps)
    return f"{MODULE}({inside})"
