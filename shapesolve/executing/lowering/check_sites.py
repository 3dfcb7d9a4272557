"""Turn every ``cf.assert`` into a call that says which assertion failed.

MLIR's own lowering prints the message to a stream that may never be flushed and calls ``abort``; a number handed to a
function of ours arrives whatever happens to the streams.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shapesolve.executing.execution import Outcome, Place
from shapesolve.executing.failures import clean_assertion, place_of
from shapesolve.executing.lowering.operations import Builder, descendants
from shapesolve.reading import bindings

#: The function that a failing assertion calls with its number.
REPORTER = "shapesolve_report_failed_check"

#: Opens the message of a check whose failure means that execution cannot follow the program any further.
BEYOND_EXECUTION = "not executable: "

_CONSTANTS = frozenset(("arith.constant", "index.bool.constant"))


@dataclass(frozen=True)
class CheckSite:
    """One assertion of the lowered program."""

    outcome: Outcome
    message: str
    place: Place | None
    op: str


def original_ops(module: Any) -> dict[Place, str]:
    """The operation that stands at each place of the text, as the user wrote it."""
    names: dict[Place, str] = {}
    for op in descendants(module.operation):
        place = place_of(op.location)
        if place is not None:
            names.setdefault(place, str(op.name))
    return names


def report_failures(module: Any, ops_by_place: dict[Place, str]) -> list[CheckSite]:
    """Rewrite all assertions of ``module``; their numbers are positions in the list returned.

    Expects structured control flow to be legal still: each becomes an ``scf.if`` around the call.
    """
    ir = bindings.ir()
    assertions = [op for op in descendants(module.operation) if op.name == "cf.assert"]
    if not assertions:
        return []
    sites: list[CheckSite] = []
    for assertion in assertions:
        sites.append(_site(assertion, ops_by_place))
        _replace(assertion, len(sites) - 1)
    with ir.InsertionPoint.at_block_begin(module.body), module.operation.location:
        declaration = f"func.func private @{REPORTER}(i64)"
        ir.Operation.parse(declaration, context=module.context).clone()
    return sites


def drop_repeated(operation: Any) -> None:
    """Take away the assertions below ``operation`` that always hold, and those of what was asserted before.

    Each would become a branch, and runtime verification writes ten where one says something.
    """
    _drop_repeated(operation, frozenset())


def _drop_repeated(operation: Any, before: frozenset[Any]) -> None:
    """``before``: the conditions that hold wherever the operation is run."""
    for region in operation.regions:
        for block in region.blocks:
            hold = set(before)
            for op in [each.operation for each in block.operations]:
                if op.name != "cf.assert":
                    _drop_repeated(op, frozenset(hold) if op.regions else before)
                elif op.operands[0] in hold or _is_true(op.operands[0]):
                    op.erase()
                else:
                    hold.add(op.operands[0])


def _is_true(condition: Any) -> bool:
    maker = condition.owner.operation if hasattr(condition.owner, "operation") else None
    return maker is not None and maker.name in _CONSTANTS and str(maker.attributes["value"]) == "true"


def _site(assertion: Any, ops_by_place: dict[Place, str]) -> CheckSite:
    message = str(assertion.attributes["msg"].value)
    place = place_of(assertion.location)
    original = ops_by_place.get(place, "") if place else ""
    if message.startswith(BEYOND_EXECUTION):
        return CheckSite(Outcome.NOT_EXECUTABLE, message.removeprefix(BEYOND_EXECUTION), place, original)
    return CheckSite(Outcome.ABORTED, clean_assertion(message, original), place, original)


def _replace(assertion: Any, number: int) -> None:
    ir = bindings.ir()
    builder = Builder(assertion)
    failed = builder.value("arith.xori", [assertion.operands[0], builder.boolean(True)], "i1")
    branch = builder.build("scf.if", [failed], regions=2)
    body = branch.regions[0].blocks.append()
    with ir.InsertionPoint(body), assertion.location:
        end = ir.Operation.create("scf.yield")
    inside = Builder(end)
    which = inside.value("arith.constant", [], "i64", {"value": f"{number} : i64"})
    inside.build("func.call", [which], [], {"callee": f"@{REPORTER}"})
    assertion.erase()
