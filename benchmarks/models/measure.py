"""One measurement of one exported program, in a process of its own: the answer is JSON on standard output.

python benchmarks/models/measure.py check|prune|fold FILE.mlir
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import shapesolve
from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.report import Report
from shapesolve.ir import bindings
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, Unreachable

FOLDED = "canonicalize,cse"
RANGES = "canonicalize,cse,func.func(int-range-optimizations),sccp,canonicalize,cse"
"""MLIR's own passes for removing checks: folding and integer ranges. They cannot use the exporter's facts."""

_CHECKS = ("cf.assert", "torch.runtime.assert")
_NAME = re.compile(r"%[\w#.\-]+(?:\[\d+\])?")


def check(file: str) -> dict[str, Any]:
    """Verdicts, the operations without a rule, and why what is undecided is so."""
    report = shapesolve.check(file)
    undecided = [each for each in report.checked_obligations if isinstance(each.verdict, Undecided)]
    fails = [each.fails_for_all for each in report.functions]
    return {
        "operations": sum(1 for _ in report.program.operation.walk()),
        "obligations": len(report.checked_obligations),
        "proved": report.count(Proved),
        "refuted": report.count(Refuted),
        "undecided": report.count(Undecided),
        "unreachable": report.count(Unreachable),
        "every call fails": any(each is not None for each in fails),
        "no rule": _without_a_rule(report),
        "reasons": Counter(_reason(each) for each in undecided),
        "refutations": Counter(
            _class(each) for each in report.checked_obligations if isinstance(each.verdict, Refuted)
        ),
    }


def _without_a_rule(report: Report) -> Counter[str]:
    return Counter(each.op for function in report.functions for each in function.unchecked)


def _class(checked_obligation: CheckedObligation) -> str:
    obligation = checked_obligation.obligation
    return f"{obligation.op.name} ({obligation.clause}): {_NAME.sub('%', obligation.message)}"


def _reason(checked_obligation: CheckedObligation) -> str:
    verdict = checked_obligation.verdict
    assert isinstance(verdict, Undecided)
    return f"{_class(checked_obligation)} | {_NAME.sub('%', verdict.reason)}"


def prune(file: str) -> dict[str, Any]:
    """Return the number of checks in the pruned program; the exporter's facts are believed."""
    result = shapesolve.prune(file)
    return {"checks": _checks(result.text), "kept": Counter(each.verdict for each in result.kept)}


def fold(file: str) -> dict[str, Any]:
    """Return the number of checks, and of those that MLIR's own passes leave."""
    with open(file, encoding="utf-8") as stream:
        text = stream.read()
    return {"checks": _checks(text), "folded": _checks(_run(FOLDED, text)), "ranges": _checks(_run(RANGES, text))}


def _run(pipeline: str, text: str) -> str:
    context = bindings.new_context()
    with context:
        module = bindings.ir().Module.parse(text)
        bindings.passmanager().PassManager.parse(f"builtin.module({pipeline})").run(module.operation)
        return str(module)


def _checks(text: str) -> int:
    """The operations that stop a program, and those whose results say whether it may go on."""
    context = bindings.new_context()
    module = bindings.ir().Module.parse(text, context)
    count = 0

    def visit(op: Any) -> Any:
        nonlocal count
        count += op.name in _CHECKS or op.name.startswith("shape.cstr_")
        return bindings.ir().WalkResult.ADVANCE

    module.operation.walk(visit, bindings.ir().WalkOrder.PRE_ORDER)
    return count


_JOBS: Mapping[str, Callable[[str], dict[str, Any]]] = {"check": check, "prune": prune, "fold": fold}


if __name__ == "__main__":
    json.dump(_JOBS[sys.argv[1]](sys.argv[2]), sys.stdout)
