"""Test that no rule raises an exception on any program that MLIR's verifier accepts.

Every operation of the cases is varied, and every variant that is still a program is interpreted: optional attributes
are removed, lists become empty, types lose their ranks or extents or get extents of 0. MLIR itself may crash on such a
variant, so all of this runs in a child process, which is started again behind the variant that killed it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.live_operations import captures, descendants

from shapesolve.execution import sandbox
from shapesolve.interpreter.function_interpreter import interpret
from shapesolve.interpreter.inputs import make_inputs
from shapesolve.ir import bindings
from shapesolve.ir.bindings import Bindings
from shapesolve.ir.reader import read_module
from shapesolve.preconditions.functions import entry_points
from shapesolve.semantics.registry import load_rules

pytestmark = pytest.mark.slow

CASES = Path(__file__).parents[1] / "cases"
MOST_DEATHS = 20
MEMORY = 4 << 30
"""Bytes of address space that a child may take: of some variants MLIR wants all that there is, and then dies anyway."""

STRUCTURE = {"sym_name", "function_type", "callee", "operandSegmentSizes", "resultSegmentSizes"} | {
    "indexing_maps",  # MLIR reads the entries of these two unseen, and dies
    "linalg.memoized_indexing_maps",
}
DEADLY_IF_EMPTY = {("stablehlo.all_to_all", "replica_groups")}
"""Attributes by which MLIR's verifier divides, without a look whether they are empty: every such variant kills it."""
INSTANCES = 3
"""Number of operations of one name that are varied."""

SHAPED = re.compile(r"^(tensor|memref)<(\*x|(?:(?:\d+|\?)x)*)(.*)>$")
RETYPED: dict[str, Callable[[str], str]] = {
    "as written": lambda extents: extents,
    "of unknown extents": lambda extents: re.sub(r"\d+x", "?x", extents),
    "of extents 0": lambda extents: re.sub(r"(\d+|\?)x", "0x", extents),
    "of extents 1": lambda extents: re.sub(r"(\d+|\?)x", "1x", extents),
    "without rank": lambda extents: "*x",
    "of rank 0": lambda extents: "",
    "of one dimension less": lambda extents: extents.partition("x")[2],
    "of one dimension more": lambda extents: f"?x{extents}",
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("dialect", sorted(each.name for each in CASES.iterdir()))
def test_no_rule_fails_on_an_odd_instance(dialect: str) -> None:
    start = walked = deaths = 0
    failures: dict[str, str] = {}
    while True:
        child = subprocess.run(
            [sys.executable, __file__, dialect, str(start)],
            capture_output=True,
            text=True,
            check=False,
            timeout=540,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        )
        reached = [json.loads(line) for line in child.stdout.splitlines() if line.endswith("}")]
        for each in reached:
            walked += "walked" in each
            for failure in each.get("failures", ()):
                failures.setdefault(failure, each["walked"])
        if child.returncode == 0:
            break
        assert child.returncode < 0, child.stderr  # a signal: MLIR has died
        start, deaths = max(each["at"] for each in reached) + 1, deaths + 1
        assert deaths <= MOST_DEATHS
    assert not failures, "\n\n".join(f"{failure}\n{where}" for failure, where in failures.items())
    assert walked


def _child(dialect: str, start: int) -> None:
    variants = _Variants(start)
    taken: Counter[str] = Counter()
    for path in sorted((CASES / dialect).glob("*.mlir")):
        context = bindings.new_context()
        with context, bindings.ir().Location.unknown(context):
            handler = context.attach_diagnostic_handler(_unprinted)
            for op in descendants(bindings.ir().Module.parse(path.read_text(encoding="utf-8")).operation):
                taken[op.name] += 1
                if taken[op.name] > INSTANCES or op.successors or captures(op):
                    continue
                for what, module in variants.of(op):
                    found = sorted(set(_failures(module)))
                    _tell(at=variants.at, walked=f"{what}:\n{module}" if found else op.name, failures=found)
            handler.detach()


def _unprinted(_: Bindings) -> bool:
    return True


def _tell(**fields: object) -> None:
    print(json.dumps(fields), flush=True)


def _failures(module: Bindings) -> Iterator[str]:
    program = read_module(module)
    for function in entry_points(program):
        trace = interpret(program, make_inputs(function), load_rules())
        yield from (each.reason for each in trace.approximations if "a defect of the rule" in each.reason)


class _Variants:
    """Numbers all variants of all operations; those before ``start`` are left out."""

    def __init__(self, start: int) -> None:
        self._start = start
        self.at = -1

    def of(self, op: Bindings) -> Iterator[tuple[str, Bindings]]:
        """Yield each variation and a program of the varied operation alone, with operands of unknown origin."""
        ir = bindings.ir()
        module = ir.Module.parse("func.func @alone() { return }")
        end = module.body.operations[0].regions[0].blocks[0].operations[0]
        alone = op.clone()
        with ir.InsertionPoint(end):
            sources = [ir.Operation.create("somewhere.else", results=[operand.type]) for operand in op.operands]
            ir.InsertionPoint(end).insert(alone)
        for index, source in enumerate(sources):
            alone.operands[index] = source.results[0]
        operands, results = [source.results[0] for source in sources], list(alone.results)
        for types in _retyped(operands, results):
            for change in _changed_attributes(alone):
                self.at += 1
                if self.at < self._start:
                    continue
                _tell(at=self.at)
                with _with_types((*operands, *results), types), _with_attribute(alone, *change):
                    if _is_valid(module):
                        yield f"{op.name} {change[0]} {change[1]}", module


def _retyped(operands: Sequence[Bindings], results: Sequence[Bindings]) -> Iterator[list[Bindings]]:
    """Types for all of the values: some shaped ones changed in one way, the others as they are."""
    values = (*operands, *results)
    own = [value.type for value in values]
    shaped = [index for index, type in enumerate(own) if SHAPED.match(str(type))]
    groups = [range(len(values)), range(len(operands)), range(len(operands), len(values)), *([each] for each in shaped)]
    seen: set[tuple[str, ...]] = set()
    for change in RETYPED.values():
        for other in (RETYPED["as written"], RETYPED["of unknown extents"]):
            for group in groups:
                types = [_changed(type, change if at in group else other) for at, type in enumerate(own)]
                spelled = tuple(map(str, types))
                if None not in types and spelled not in seen:
                    seen.add(spelled)
                    yield types


def _changed(type: Bindings, change: Callable[[str], str]) -> Bindings | None:
    shaped = SHAPED.match(str(type))
    if shaped is None:
        return type
    extents = change(shaped[2]) if shaped[2] != "*x" else "*x"
    try:
        return bindings.ir().Type.parse(f"{shaped[1]}<{extents}{shaped[3]}>")
    except bindings.ir().MLIRError:  # a layout of another rank
        return None


def _changed_attributes(op: Bindings) -> list[tuple[str, str, Bindings | None]]:
    """Return variants of one attribute: change, name, new value (None if removed); the first one is unchanged."""
    changes: list[tuple[str, str, Bindings | None]] = [("as it is", "", None)]
    for name in op.attributes:
        if name not in STRUCTURE:
            changes.append(("without", name, None))
            if (op.name, name) not in DEADLY_IF_EMPTY:
                changes += [("with empty", name, empty) for empty in _emptied(op.attributes[name])]
    return changes


@contextmanager
def _with_types(values: Sequence[Bindings], types: Sequence[Bindings]) -> Generator[None]:
    before = [value.type for value in values]
    for value, type in zip(values, types, strict=True):
        value.set_type(type)
    yield
    for value, type in zip(values, before, strict=True):
        value.set_type(type)


@contextmanager
def _with_attribute(op: Bindings, what: str, name: str, value: Bindings | None) -> Generator[None]:
    before = op.attributes[name] if name else None
    if value is not None:
        op.attributes[name] = value
    elif name:
        del op.attributes[name]
    yield
    if name:
        op.attributes[name] = before


def _is_valid(module: Bindings) -> bool:
    try:
        return module.operation.verify()
    except bindings.ir().MLIRError:
        return False


def _emptied(attribute: Bindings) -> Iterator[Bindings]:
    text = str(attribute)
    for pattern, empty in (
        (r"^array<(\w+): .*>$", r"array<\1>"),
        (r"^\[.*\]$", "[]"),
        (r"^dense<.*> : tensor<(?:\d+x)*(\w+)>$", r"dense<> : tensor<0x\1>"),
        (r"^dense<.*> : tensor<\d+x2x(\w+)>$", r"dense<> : tensor<0x2x\1>"),
    ):
        if re.match(pattern, text):
            yield bindings.ir().Attribute.parse(re.sub(pattern, empty, text))


if __name__ == "__main__":
    sandbox.limit(600, MEMORY, open_files=64)
    with bindings.without_dialect_classes():
        _child(sys.argv[1], int(sys.argv[2]))
