"""Differential test of the case files' functions, compiled and run by MLIR on random sizes, against the rules.

A case is alone in its text, so that another one that MLIR cannot lower does not hide it. The first claim that is false
at these sizes (evaluated, not decided) is compared with the operation at which the execution stops, and the sizes of
the results with those of the run.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from support.predicted_outcomes import disagreement, predicted

from shapesolve.checker.check import trace_of
from shapesolve.errors import InputError
from shapesolve.execution.execution import Execution, ExecutionLimits, Input, Outcome, arguments
from shapesolve.execution.runner import execute_many
from shapesolve.ir.program import ShapedType
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.trace.events import Fact, Kind, Trace

CASES = Path(__file__).parents[1] / "cases"
EXECUTED = Path(__file__).with_name("executed_cases.json")
"""Cases that were executed, with their operations where the execution was conclusive and agreed with the rules."""
FUNCTION = re.compile(r"^func\.func (?:public )?@(\w+).*?^\}$", re.MULTILINE | re.DOTALL)
VECTORS = 8


@cache
def cases() -> tuple[tuple[str, str, str], ...]:
    """Every function of the case files: the file, its name, and its text."""
    found: list[tuple[str, str, str]] = []
    for path in sorted(CASES.rglob("*.mlir")):
        text = path.read_text(encoding="utf-8")
        place = path.relative_to(CASES).as_posix()
        found += [(place, match[1], match[0]) for match in FUNCTION.finditer(text)]
    return tuple(found)


def run(place: str, name: str, text: str, seed: int, counts: Counter[str]) -> tuple[list[str], list[str]]:
    """Return the differences of a case's executions from the predictions, and its operations if it was executed."""
    try:
        program = read_text(text)
    except InputError:
        counts["cases that are not alone"] += 1
        return [], []
    trace = trace_of(program, program.functions[name], Options())
    if trace.approximations:
        counts["cases that are not predicted"] += 1
        return [], []
    tried: list[tuple[Mapping[Variable, int], tuple[Input, ...]]] = []
    chance = random.Random(seed)
    for _ in range(VECTORS):
        sizes = _sizes(trace, chance)
        given = arguments(trace, sizes)
        if _is_allowed(trace, sizes) and not isinstance(given, str):
            tried.append((sizes, given))
    limits = ExecutionLimits(timeout_seconds=10.0)
    runs = [given for _, given in tried]
    plain = execute_many(program.executable, name, runs, runtime_checks=False, limits=limits)
    checked = execute_many(program.executable, name, runs, runtime_checks=True, limits=limits)
    found: list[str] = []
    executed, shown = 0, False
    for (sizes, _), one, other in zip(tried, plain, checked, strict=True):
        if Outcome.NOT_EXECUTABLE in (one.outcome, other.outcome):
            counts["cases not executable"] += 1
            return found, []
        executed += 1
        try:
            difference = disagreement(trace, sizes, one, other)
        except AssertionError:  # more unknowns than can be tried
            return found, []
        if difference and not _is_silent(trace, sizes, other):
            found.append(f"{place} @{name} {dict(sizes)}: {difference}")
        shown |= bool(trace.function.result_types) or Outcome.ABORTED in (one.outcome, other.outcome)
    counts["cases executed"] += executed > 0
    counts["executions of cases"] += executed
    operations = sorted({op.name for op in program.operation.walk()} - {"builtin.module", "func.func"})
    return found, operations if shown and not found else []


def _is_silent(trace: Trace, sizes: Mapping[Variable, int], checked: Execution) -> bool:
    """Undefined behavior that nothing shows: few operations are verified at run time, and memory may end there."""
    certain = predicted(trace, sizes).certain
    return certain is not None and certain.obligation.kind is not Kind.CHECK and checked.outcome is not Outcome.ABORTED


def _sizes(trace: Trace, chance: random.Random) -> dict[Variable, int]:
    numbers = {each.name.lstrip("%") for each in trace.function.arguments if not isinstance(each.type, ShapedType)}
    base = chance.choice((0, 1, 2, 3, 4))
    return {
        each: chance.choice((base, base, 0, 1, 2, 3, 4, *((-1, 5) if each.name in numbers else ())))
        for each in trace.input_variables
    }


def _is_allowed(trace: Trace, sizes: Mapping[Variable, int]) -> bool:
    assumed = trace.events[: trace.assumed]
    try:
        return all(holds(each.formula, sizes) for each in assumed if isinstance(each, Fact))
    except KeyError:
        return False


def main() -> None:
    """Run the cases with operations that nothing else is compared with, those first that were never run."""
    from fuzz import compared

    parser = argparse.ArgumentParser(prog="fuzz.cases", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--all", action="store_true", help="also cases all of whose operations are compared already")
    given = parser.parse_args()
    kept: dict[str, list[str]] = json.loads(EXECUTED.read_text(encoding="utf-8")) if EXECUTED.is_file() else {}
    lacking = {op for op, oracles in compared.comparisons().items() if not oracles}
    counts, end = Counter[str](), time.monotonic() + 60 * given.minutes
    for place, name, text in cases():
        wanted = given.all or lacking & set(compared.OPERATION.findall(text))
        if f"{place} @{name}" in kept or not wanted or time.monotonic() > end:
            continue
        try:
            details, operations = run(place, name, text, 0, counts)
        except (TypeError, KeyError) as error:  # shapes of unknown rank have no single size
            counts[f"cases with {type(error).__name__}"] += 1
            continue
        for each in details[:1]:
            print(each, flush=True)
        kept[f"{place} @{name}"] = operations
        _write(kept)
    print(dict(counts))


def _write(kept: Mapping[str, list[str]]) -> None:
    EXECUTED.write_text(json.dumps(kept, indent=0, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
