"""Answers of the rules for PyTorch's operators to one call, with its extents as numbers or as variables."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

from support.torch_oracle import RAISES, Outcome

from shapesolve.domain.fresh_variables import FreshVariables
from shapesolve.domain.values import Abstract, ListValue, NoneValue, StringValue, Tensor, UnknownValue
from shapesolve.ir.program import Location, OpaqueType, Operation, ScalarType, ShapedType, Type, Value
from shapesolve.preconditions.stated_contracts import StatedContracts
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.registry import load_rules
from shapesolve.semantics.rule_errors import RuleFailure, apply_rule
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.evaluation import Assignment, evaluate, evaluate_shape, holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import truth
from shapesolve.symbolic.shape_kinds import RankedShape

NOT_SEEN = "not seen"
_RESULTS = {
    **dict.fromkeys(["topk", "kthvalue", "native_dropout", "nll_loss_forward", "nll_loss2d_forward"], 2),
    **dict.fromkeys(["native_group_norm", "native_batch_norm"], 3),
    **{f"_native_batch_norm_legit{kind}": 3 for kind in ("", ".no_stats", "_no_training")},
    **dict.fromkeys(["_embedding_bag", "embedding_bag.padding_idx"], 4),
}
"""Number of results, where a rule depends on that of the operator."""

_KINDS = {
    "v": ScalarType("integer", 64, "i64"),
    "b": ScalarType("integer", 1, "i1"),
    "s": ScalarType("integer", 8, "i8"),
    "q": ScalarType("integer", 8, "!torch.qint8"),
}
_FLOAT = ScalarType("float", 32, "f32")


class _Call:
    """The surroundings of one operation."""

    iteration = None
    aliased: frozenset[Value] = frozenset()
    contracts = StatedContracts({})

    def __init__(self, arguments: list[Any], *, symbolic: bool) -> None:
        self.values: dict[Value, Abstract] = {}
        self.unknowns = FreshVariables()
        self.sizes: dict[Variable, int] = {}
        self.distrusts = False
        self._symbolic = symbolic
        self.operands = tuple(self._operand(each, f"%{at}") for at, each in enumerate(arguments))

    def callee(self, op: Operation, symbol: object) -> None:
        return None

    def declaration(self, op: Operation, symbol: object) -> None:
        return None

    def kept(self, contract: object) -> None:
        return None

    @property
    def computes_sizes_exactly(self) -> bool:
        return False

    def wraps(self, op: Operation) -> bool:
        return False

    def provenance_of(self, value: Value) -> frozenset[str]:
        return frozenset()

    def producer(self, value: Value) -> None:
        return None

    def enclosing(self, op: Operation, name: str) -> None:
        return None

    def _operand(self, given: Any, name: str) -> Value:
        value, type = self._value(given, name)
        operand = Value(name, type, 1)
        self.values[operand] = value
        return operand

    def _value(self, given: Any, name: str) -> tuple[Abstract, Type]:
        match given:
            case dict():
                return self._tensor(given, name)
            case list():
                parts = [self._value(each, f"{name}.{at}") for at, each in enumerate(given)]
                return ListValue(tuple(each for each, _ in parts), tuple(each for _, each in parts)), OpaqueType("list")
            case bool():
                return truth(given), ScalarType("integer", 1, "!torch.bool")
            case int():
                return dim(given), ScalarType("integer", 64, "!torch.int")
            case float():
                return self._constant(given), ScalarType("float", 64, "!torch.float")
            case str():
                return StringValue(given), OpaqueType("!torch.str")
            case None:
                return NoneValue(), OpaqueType("!torch.none")
            case _:
                return UnknownValue(), OpaqueType("other")

    def _constant(self, given: float) -> Abstract:
        """Return the abstract value of a float constant."""
        rule = load_rules().get("torch.constant.float")
        assert rule is not None
        result = Value("%constant", ScalarType("float", 64, "!torch.float"), 1)
        op = Operation(rule.op, (), (result,), {"value": given}, (), (), Location("", 0, 0), 0)
        return apply_rule(rule, op, RuleContext(self)).results.values[0]

    def _tensor(self, given: dict[str, Any], name: str) -> tuple[Abstract, Type]:
        kind = next((_KINDS[each] for each in _KINDS if each in given), _FLOAT)
        extents = [self._extent(each, f"{name}[{at}]") for at, each in enumerate(given["t"])]
        elements = tuple(map(dim, given["v"])) if "v" in given and len(given["v"]) <= 64 else None
        return Tensor(RankedShape.of(extents), elements), ShapedType("tensor", (None,) * len(extents), kind)

    def _extent(self, size: int, name: str) -> Dim:
        if not self._symbolic:
            return dim(size)
        found = self.unknowns.size(name)
        self.sizes[next(iter(found.variables))] = size
        return found


def said(
    name: str, arguments: list[Any], known: Outcome, *, symbolic: bool, attributes: Mapping[str, Any] | None = None
) -> tuple[Outcome, str]:
    """Return the rule's answer as an `Outcome` or `NOT_SEEN`, and the clause that says so, or why nothing is seen.

    ``known`` gives the number of the results, and their ranks, which a program's types would say. A name that does
    not begin with ``onnx.`` is that of an operator of PyTorch's.
    """
    call = _Call(arguments, symbolic=symbolic)
    shapes = known if isinstance(known, list) else [None] * _RESULTS.get(name, 1)
    results = tuple(Value(f"%r{at}", _declared(each), 1) for at, each in enumerate(shapes))
    rule = load_rules().get(name if name.startswith("onnx.") else f"torch.aten.{name}")
    assert rule is not None, name
    op = Operation(rule.op, call.operands, results, attributes or {}, (), (), Location("", 0, 0), 0)
    try:
        semantics = apply_rule(rule, op, RuleContext(call))
    except RuleFailure:
        raise
    except UnknownValueError as reason:
        return NOT_SEEN, str(reason)
    open_ones = [
        claim for claim in semantics.requires.claims if claim.formula.variables & semantics.approximations.variables
    ]
    if open_ones and known == RAISES:
        return NOT_SEEN, open_ones[0].clause
    for claim in semantics.requires.claims:
        if claim not in open_ones and not _holds(claim.formula, call.sizes):
            return RAISES, claim.clause
    return [_shown(each, call.sizes) for each in semantics.results.values], ""


def _declared(shape: Any) -> Type:
    if isinstance(shape, list) and all(isinstance(each, int) for each in shape):
        return ShapedType("tensor", (None,) * len(shape), _FLOAT)
    return OpaqueType("result") if shape is not None else ShapedType("tensor", None, _FLOAT)


def _holds(formula: Formula, sizes: Assignment) -> bool:
    free = [each for each in formula.variables if each not in sizes]
    return holds(formula, {**sizes, **dict.fromkeys(free, 0)})


def _shown(value: Abstract, sizes: Assignment) -> Any:
    match value:
        case Tensor():
            return list(evaluate_shape(value.shape, sizes) or ())
        case ListValue():
            return [_shown(each, sizes) for each in value.items]
        case Dim():
            return evaluate(value, sizes)
        case Formula():
            return _holds(value, sizes)
        case _:
            return None


def is_small(arguments: list[Any]) -> bool:
    """Return whether all contents are followed."""
    return all(prod(each["t"]) <= 64 for each in arguments if isinstance(each, dict))
