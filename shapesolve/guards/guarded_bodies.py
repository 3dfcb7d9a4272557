"""Function bodies behind witnesses: a body runs only if all of them pass."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.guards.dialects import Insertion, NotExpressibleError
from shapesolve.ir.bindings import Bindings, ir
from shapesolve.rewriting.checks import ASSUMING, ASSUMING_ALL


def wrap(insertion: Insertion, function: Bindings, witnesses: Sequence[Bindings]) -> None:
    """Move what stands behind the witnesses, and before the return, into a `shape.assuming` of all of them.

    Raises:
        NotExpressibleError: The body has several blocks.
    """
    require_one_block(function)
    operations = [each.operation for each in function.regions[0].blocks[0].operations]
    first, last = operations.index(witnesses[-1].operation) + 1, operations[-1]
    passing = witnesses[0].results[0]
    if len(witnesses) > 1:
        several = [each.results[0] for each in witnesses]
        passing = insertion.put(last, ASSUMING_ALL, several, [passing.type]).results[0]
    returned = list(last.operands)
    around = insertion.put(last, ASSUMING, [passing], [each.type for each in returned], regions=1)
    with ir().InsertionPoint(around.regions[0].blocks.append()), around.location:
        end = ir().Operation.create("shape.assuming_yield", operands=returned)
    insertion.adopt(end)
    for each in operations[first:-1]:
        each.move_before(end)
    for position, result in enumerate(around.results):
        last.operands[position] = result


def require_one_block(function: Bindings) -> None:
    """Require a body of one block.

    Raises:
        NotExpressibleError: The body has several blocks.
    """
    if len(list(function.regions[0].blocks)) != 1:
        raise NotExpressibleError("its body has several blocks")
