"""Differential test of stated effects against MLIR's dead code elimination.

MLIR must erase an unused instance of an operation if and only if its rule states that the operation has no observable
effect.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest

from shapesolve.ir import bindings
from shapesolve.ir.bindings import Bindings
from shapesolve.ir.reader import read_text
from shapesolve.semantics.registry import load_rules

CASES = Path(__file__).parents[1] / "cases"
MOST = 3
"""Largest number of tried instances of an operation; they differ in the rule's answer if possible."""

MORE = """func.func @more(%f: f32, %i: i32, %k: index, %b: i1, %v: vector<4xf32>, %w: vector<2x4xf32>,
                     %m: memref<*xf32>, %r: memref<4xf32>, %d: f64, %p: tensor<?x?xf32>, %z: complex<f32>) {{
{}
  return
}}
"""
_FLOATS = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cbrt",
    "cos",
    "cosh",
    "erfc",
    "exp2",
    "expm1",
    "log10",
    "log1p",
    "log2",
    "roundeven",
    "sin",
    "sinh",
    "tan",
    "trunc",
]
_COMPLEX = ["conj", "cos", "exp", "expm1", "log", "log1p", "neg", "rsqrt", "sign", "sin", "sqrt", "tan", "tanh"]
OTHERS = (
    *(f'"complex.{name}"(%z) : (complex<f32>) -> complex<f32>' for name in _COMPLEX),
    *(f'"complex.{name}"(%z) : (complex<f32>) -> f32' for name in ("abs", "angle", "im", "re")),
    *(f'"complex.{name}"(%z, %z) : (complex<f32>, complex<f32>) -> complex<f32>' for name in ("add", "atan2", "div")),
    *(f'"complex.{name}"(%z, %z) : (complex<f32>, complex<f32>) -> complex<f32>' for name in ("mul", "pow", "sub")),
    *(f'"complex.{name}"(%z, %z) : (complex<f32>, complex<f32>) -> i1' for name in ("eq", "neq")),
    '"complex.powi"(%z, %i) : (complex<f32>, i32) -> complex<f32>',
    "complex.create %f, %f : complex<f32>",
    "complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>",
    "complex.bitcast %z : complex<f32> to i64",
    *(f'"math.{name}"(%f) : (f32) -> f32' for name in _FLOATS),
    *(f'"math.{name}"(%f) : (f32) -> i1' for name in ("isfinite", "isinf", "isnan", "isnormal")),
    *(f'"math.{name}"(%i) : (i32) -> i32' for name in ("ctlz", "cttz")),
    "arith.bitcast %f : f32 to i32",
    "arith.extsi %i : i32 to i64",
    "arith.fptoui %f : f32 to i32",
    "arith.sitofp %i : i32 to f32",
    "arith.uitofp %i : i32 to f32",
    "arith.flush_denormals %f : f32",
    "index.bool.constant true",
    "index.castu %i : i32 to index",
    "index.maxu %k, %k",
    "index.mins %k, %k",
    "index.xor %k, %k",
    "memref.rank %m : memref<*xf32>",
    "memref.memory_space_cast %r : memref<4xf32> to memref<4xf32, 1>",
    "vector.bitcast %v : vector<4xf32> to vector<4xi32>",
    "vector.constant_mask [2] : vector<4xi1>",
    "vector.create_mask %k : vector<4xi1>",
    "vector.deinterleave %v : vector<4xf32> -> vector<2xf32>",
    "vector.extract %v[1] : f32 from vector<4xf32>",
    "vector.extract_strided_slice %v {offsets = [0], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>",
    "vector.fma %v, %v, %v : vector<4xf32>",
    "vector.from_elements %f, %f : vector<2xf32>",
    "vector.insert %f, %v[1] : f32 into vector<4xf32>",
    "vector.interleave %v, %v : vector<4xf32> -> vector<8xf32>",
    "vector.multi_reduction <add>, %w, %v [0] : vector<2x4xf32> to vector<4xf32>",
    "vector.outerproduct %v, %v : vector<4xf32>, vector<4xf32>",
    "vector.print %v : vector<4xf32>",
    "vector.reduction <add>, %v : vector<4xf32> into f32",
    "vector.shape_cast %w : vector<2x4xf32> to vector<8xf32>",
    "vector.shuffle %v, %v [0, 1] : vector<4xf32>, vector<4xf32>",
    "vector.step : vector<4xindex>",
    "vector.transpose %w, [1, 0] : vector<2x4xf32> to vector<4x2xf32>",
    "vector.vscale",
    "memref.prefetch %r[%k], read, locality<3>, data : memref<4xf32>",
    "affine.prefetch %r[0], read, locality<3>, data : memref<4xf32>",
    "ml_program.token",
    "linalg.fill_rng_2d ins(%d, %d, %i : f64, f64, i32) outs(%p : tensor<?x?xf32>) -> tensor<?x?xf32>",
)
"""Operations that no case holds, and that can be written on a line."""

UNTRIED = {
    "torch_c.from_builtin_tensor": "the bindings do not know the dialect",
    "torch_c.from_i64": "the bindings do not know the dialect",
    "torch_c.to_builtin_tensor": "the bindings do not know the dialect",
    "torch_c.to_i64": "the bindings do not know the dialect",
}
"""Statements that no instance is there for which could be taken out alone."""

UNREGISTERED = ("onnx.",)
"""Dialects that the bindings do not know: MLIR keeps every operation of them."""

KNOWN = {
    "bufferization.alloc_tensor": "kept as an allocation; a tensor that nobody uses is nothing to anybody",
    **{
        f"chlo.broadcast_{name}": "marked pure upstream; it is legalized to a witness that may fail"
        for name in ("add", "compare", "maximum", "multiply", "select")
    },
    "linalg.winograd_filter_transform": "nothing is said of it upstream",
    "shape.assuming": "upstream does not count that it stops where its witness does not pass",
    "shape.is_broadcastable": "not marked pure upstream; it compares shapes",
    "shape.meet": "not marked pure upstream; it computes a shape",
    "shape.reduce": "not marked pure upstream; it does what its region does",
    "stablehlo.cross-replica-sum": "marked pure upstream; other devices wait for what this one sends",
    "stablehlo.custom_call": "upstream believes the attribute `has_side_effect`; the rule believes only names it knows",
    "stablehlo.rng": "not marked pure upstream; what it would have drawn is missed by nobody",
    "tensor.pad": "upstream does not count that its region may stop",
    "tm_tensor.scan": "upstream does not count that its region may stop",
    "torch.prim.If": "not marked pure upstream; it does what its regions do",
    "torch.symbolic_int": "pure upstream; here it is what names stand for",
    "tosa.variable_read": "not marked upstream as only reading",
    "util.assume.int": "of a dialect that is not registered here; IREE marks it pure",
}
"""Operations for which MLIR and the rule differ, and the reason why that is sound."""


@lru_cache(maxsize=1)
def found() -> dict[str, dict[bool, set[bool]]]:
    """Return whether MLIR erased the instances, by operation and by the rule's answer (erasable or not)."""
    answers: dict[str, dict[bool, set[bool]]] = {}
    tried: dict[tuple[str, bool], int] = {}
    for path in sorted(CASES.rglob("*.mlir")):
        _try_file(path.read_text(encoding="utf-8"), answers, tried)
    _try_file(
        MORE.format("\n".join(f"  {_results(number, each)}{each}" for number, each in enumerate(OTHERS))),
        answers,
        tried,
    )
    return answers


def _results(number: int, text: str) -> str:
    count = (
        0
        if text.startswith(("vector.print", "memref.prefetch", "affine.prefetch"))
        else 2
        if text.startswith("vector.deinterleave")
        else 1
    )
    names = ", ".join(f"%r{number}_{index}" for index in range(count))
    return f"{names} = " if count else ""


def _try_file(text: str, answers: dict[str, dict[bool, set[bool]]], tried: dict[tuple[str, bool], int]) -> None:
    rules, ir = load_rules(), bindings.ir()
    with bindings.new_context() as context, ir.Location.unknown(context):
        module = ir.Module.parse(text)
        live = list(_operations(module.operation))
        pictures = list(read_text(text).operation.walk())
        assert [_name(each) for each in live] == [each.name for each in pictures]
        probes: list[tuple[str, bool]] = []
        for op, picture in zip(live, pictures, strict=True):
            if not _can_be_copied(op):
                continue
            declared = all(rules.effects(each).is_erasable for each in picture.walk())
            key = (picture.name, declared)
            if tried.get(key, 0) >= MOST:
                continue
            tried[key] = tried.get(key, 0) + 1
            copy = op.clone(ip=ir.InsertionPoint(op))
            copy.operation.attributes["probe"] = _number(len(probes))
            # What stands beside it is kept, and keeps what stands around it.
            ir.Operation.create("test.keep", attributes={"beside": _number(len(probes))}, ip=ir.InsertionPoint(op))
            probes.append(key)
        manager = bindings.passmanager().PassManager.parse("builtin.module(trivial-dce)")
        manager.enable_verifier(False)
        manager.run(module.operation)
        there = {(each, int(op.attributes[each].value)) for op in _operations(module.operation) for each in _marks(op)}
    for number, (name, declared) in enumerate(probes):
        if ("beside", number) in there:
            answers.setdefault(name, {}).setdefault(declared, set()).add(("probe", number) not in there)


def _name(op: Bindings) -> str:
    """The name that an operation goes by, also where its dialect knows no such operation and an attribute holds it."""
    return str(op.attributes["name"].value if op.name == "torch.operator" else op.name)


def _operations(op: Bindings) -> list[Bindings]:
    inner = (each.operation for region in op.regions for block in region.blocks for each in block.operations)
    return [op, *(below for each in inner for below in _operations(each))]


def _can_be_copied(op: Bindings) -> bool:
    """Return whether a second one may stand before it: it is no definition, and does not end a block."""
    if op.parent is None or "sym_name" in op.attributes or op.name == "func.func":
        return False
    return op != list(op.block.operations)[-1].operation


def _marks(op: Bindings) -> list[str]:
    return [each for each in ("probe", "beside") if each in op.attributes]


def _number(value: int) -> Bindings:
    ir = bindings.ir()
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)


def ends_of_blocks() -> set[str]:
    """Operations that end blocks in the cases: they cannot be taken out, whatever they do."""
    ends: set[str] = set()
    for path in CASES.rglob("*.mlir"):
        for op in read_text(path.read_text(encoding="utf-8")).operation.walk():
            ends |= {block.operations[-1].name for region in op.regions for block in region.blocks if block.operations}
    return ends


@pytest.mark.exhaustive
def test_every_statement_is_tried() -> None:
    rules = load_rules().rules()
    tried = {(rule.function, rule.effects) for rule in rules if rule.op in found() and rule.op not in UNTRIED}
    ends = ends_of_blocks()
    missing = {rule.op for rule in rules if (rule.function, rule.effects) not in tried} - ends
    assert missing == set(UNTRIED)


@pytest.mark.exhaustive
def test_unused_instances_are_erased_exactly_if_the_rule_says_so() -> None:
    rules = load_rules()
    registered = {op: each for op, each in found().items() if not op.startswith(UNREGISTERED)}
    answers = {op: each for op, each in registered.items() if op in rules and op not in UNTRIED}
    assert len(answers) > 450
    differ = {op for op, each in answers.items() if any(erased != {declared} for declared, erased in each.items())}
    assert differ == set(KNOWN)
