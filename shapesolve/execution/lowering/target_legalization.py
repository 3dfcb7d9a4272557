"""Legalization for the target: ``f16`` conversions on integers, copies as loops, torch-mlir's structured operations.

A processor without instructions for ``f16`` calls a routine of the compiler's, which need not be loaded. Once MLIR has
moved arithmetic on narrow floats to ``f32``, the conversions are all that is left, and for ``f16`` MLIR has no form of
its own (for ``bf16`` it has: ``arith-expand``). For copies of buffers MLIR would call a library function that need not
be there.
"""

from __future__ import annotations

from typing import Any

from shapesolve.execution.lowering.builder import Builder, descendants
from shapesolve.ir import bindings

_HALF = "f16"
_BELOW, _ABOVE, _FROM = 6, 8, 9  # the predicates of arith.cmpi on unsigned numbers: less, greater, at least


def expand_f16_conversions(module: Any) -> None:
    """Replace every ``arith.extf`` from and ``arith.truncf`` to ``f16`` by integer arithmetic with the same result.

    What is wider than ``f32`` is rounded to that first.
    """
    for op in list(descendants(module.operation)):
        if op.name not in ("arith.extf", "arith.truncf"):
            continue
        kind = (op.operands[0] if op.name == "arith.extf" else op.results[0]).type
        if _element(kind) != _HALF:
            continue
        convert = _Conversion(op, kind)
        made = convert.widened() if op.name == "arith.extf" else convert.narrowed()
        op.results[0].replace_all_uses_with(made)
        op.erase()


def forbid_excess_precision(module: Any) -> None:
    """Let every conversion of floats round: drop the flags that allow to contract one with its inverse.

    MLIR's passes that move arithmetic to a wider type put ``contract`` on their conversions. A quotient of ``bf16``
    would then keep the precision of ``f32`` until it is stored, and its floor be another number.
    """
    attribute = bindings.ir().Attribute
    for op in list(descendants(module.operation)):
        if op.name in ("arith.extf", "arith.truncf") and "fastmath" in op.attributes:
            op.attributes["fastmath"] = attribute.parse("#arith.fastmath<none>", module.context)


def _element(kind: Any) -> str:
    return str(kind.element_type if isinstance(kind, bindings.ir().VectorType) else kind)


class _Conversion:
    """One conversion, of a float or of a vector of them."""

    def __init__(self, op: Any, kind: Any) -> None:
        self._op = op
        self._build = Builder(op)
        self._kind = str(kind)

    def widened(self) -> Any:
        """Build the wider float.

        Exponent and mantissa move into place; a product corrects the exponent, of denormal numbers too.
        """
        bits = self._to("arith.extui", self._to("arith.bitcast", self._op.operands[0], "i16"), "i32")
        magnitude = self._with("andi", bits, 0x7FFF)
        placed = self._with("shli", magnitude, 13)
        scale = self._to("arith.bitcast", self._number(0x77800000), "f32")  # 2 to the power of 112
        product = self._pair("mulf", self._to("arith.bitcast", placed, "f32"), scale, "f32")
        finite = self._to("arith.bitcast", product, "i32")
        special = self._with("ori", placed, 0x7F800000)
        is_special = self._compare(_FROM, magnitude, 0x7C00)
        sign = self._with("shli", self._with("andi", bits, 0x8000), 16)
        whole = self._pair("ori", self._choose(is_special, special, finite), sign, "i32")
        return self._from_single(self._to("arith.bitcast", whole, "f32"))

    def narrowed(self) -> Any:
        """Build the narrower float, rounded to nearest, ties to even."""
        bits = self._to("arith.bitcast", self._single(self._op.operands[0]), "i32")
        sign = self._with("andi", bits, -0x80000000)
        magnitude = self._pair("xori", bits, sign, "i32")
        odd = self._with("andi", self._with("shrui", magnitude, 13), 1)
        rounded = self._pair("addi", self._with("addi", magnitude, 0xFFF - (112 << 23)), odd, "i32")
        normal = self._with("shrui", rounded, 13)
        half = self._to("arith.bitcast", self._number(0x3F000000), "f32")
        shifted = self._pair("addf", self._to("arith.bitcast", magnitude, "f32"), half, "f32")
        denormal = self._with("subi", self._to("arith.bitcast", shifted, "i32"), 0x3F000000)
        is_denormal = self._compare(_BELOW, magnitude, 0x38800000)
        is_large = self._compare(_FROM, magnitude, 0x47800000)
        is_nan = self._compare(_ABOVE, magnitude, 0x7F800000)
        large = self._choose(is_nan, self._number(0x7E00), self._number(0x7C00))
        finite = self._choose(is_denormal, denormal, normal)
        whole = self._pair("ori", self._choose(is_large, large, finite), self._with("shrui", sign, 16), "i32")
        return self._build.value("arith.bitcast", [self._to("arith.trunci", whole, "i16")], self._kind)

    def _single(self, value: Any) -> Any:
        return value if _element(value.type) == "f32" else self._to("arith.truncf", value, "f32")

    def _from_single(self, value: Any) -> Any:
        wanted = self._op.results[0].type
        return value if _element(wanted) == "f32" else self._build.value("arith.extf", [value], wanted)

    def _type(self, element: str) -> str:
        return self._kind.replace(_HALF, element)

    def _number(self, value: int) -> Any:
        wrapped = (value + (1 << 31)) % (1 << 32) - (1 << 31)
        kind = self._type("i32")
        spelled = f"{wrapped} : i32" if kind == "i32" else f"dense<{wrapped}> : {kind}"
        return self._build.value("arith.constant", [], kind, {"value": spelled})

    def _to(self, name: str, value: Any, element: str) -> Any:
        return self._build.value(name, [value], self._type(element))

    def _pair(self, name: str, left: Any, right: Any, element: str) -> Any:
        return self._build.value(f"arith.{name}", [left, right], self._type(element))

    def _with(self, name: str, value: Any, number: int) -> Any:
        return self._pair(name, value, self._number(number), "i32")

    def _compare(self, predicate: int, value: Any, number: int) -> Any:
        attributes: dict[str, Any] = {"predicate": f"{predicate} : i64"}
        return self._build.value("arith.cmpi", [value, self._number(number)], self._type("i1"), attributes)

    def _choose(self, condition: Any, left: Any, right: Any) -> Any:
        return self._build.value("arith.select", [condition, left, right], self._type("i32"))


def lower_copies_to_loops(module: Any) -> None:
    """Replace every ``memref.copy`` between ranked buffers by a structured operation, to be turned into loops."""
    ir = bindings.ir()
    for op in [each for each in descendants(module.operation) if each.name == "memref.copy"]:
        source, target = op.operands
        if not isinstance(source.type, ir.MemRefType):
            continue
        rank = len(source.type.shape)
        loops = ", ".join(f"d{loop}" for loop in range(rank))
        straight = f"affine_map<({loops}) -> ({loops})>"
        parallel = ", ".join(["#linalg.iterator_type<parallel>"] * rank)
        generic = Builder(op).build(
            "linalg.generic",
            [source, target],
            [],
            {
                "indexing_maps": f"[{straight}, {straight}]",
                "iterator_types": f"[{parallel}]",
                "operandSegmentSizes": "array<i32: 1, 1>",
            },
            regions=1,
        )
        element = source.type.element_type
        body = generic.regions[0].blocks.append(element, element, arg_locs=[op.location] * 2)
        with ir.InsertionPoint(body), op.location:
            ir.Operation.create("linalg.yield", operands=[body.arguments[0]])
        op.erase()


BUFFERS = "func.func(tm-tensor-bufferize)"
LOOPS = "func.func(tm-tensor-to-loops)"


def mark_unaliased_buffers(module: Any) -> None:
    """Mark the buffers that the operations fill as not aliased, as bufferization requires.

    They are allocated for this, and each is filled before it is read as a tensor.
    """
    ir = bindings.ir()
    for op in [each for each in descendants(module.operation) if each.name == "bufferization.to_tensor"]:
        allocated = op.operands[0].owner
        if allocated.name != "memref.alloc":
            continue
        op.attributes["restrict"] = ir.UnitAttr.get(module.context)
        filling = [use.owner for use in op.operands[0].uses if use.owner.name.startswith("tm_tensor.")]
        if filling:
            op.move_after(filling[0])
