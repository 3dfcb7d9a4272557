"""Test that everything MLIR's generic form prints of an operation is among its attributes, where a rule can read it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from shapesolve.ir import bindings
from shapesolve.ir.bindings import Bindings
from shapesolve.ir.program import OpaqueAttribute, Operation
from shapesolve.ir.reader import read_text

ROOT = Path(__file__).parents[2]
FILES = sorted([*(ROOT / "tests" / "cases").rglob("*.mlir"), *(ROOT / "examples").glob("*.mlir")])


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_property_that_is_printed_is_read(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    module = bindings.ir().Module.parse(text, bindings.new_context())
    ours = list(read_text(text).operation.walk())
    theirs = list(_descendants(module.operation))
    assert [each.name for each in ours] == [_name(each) for each in theirs]
    for op, live in zip(ours, theirs, strict=True):
        missing = _printed_properties(live) - set(op.attributes)
        assert not missing, f"{op.name} at {op.location}: {missing}"


def _name(live: Bindings) -> str:
    """Return an operation's name; for an operator that torch-mlir does not register, the operator's name."""
    return live.attributes["name"].value if live.name == "torch.operator" else live.name


def _descendants(live: Bindings) -> Iterator[Bindings]:
    yield live
    for region in live.regions:
        for block in region.blocks:
            for op in block.operations:
                yield from _descendants(op.operation)


def _printed_properties(live: Bindings) -> set[str]:
    """The names in ``<{...}>``, taken apart by MLIR's own parser of dictionaries."""
    asm = live.get_asm(print_generic_op_form=True, assume_verified=True, use_local_scope=True, skip_regions=True)
    begin = re.search(r'"\([^)\n]*\)(?:\[[^\]\n]*\])? <\{', asm)
    if begin is None:
        return set()
    for end in re.finditer(r"\}>", asm[begin.end() :]):
        inside = asm[begin.end() - 1 : begin.end() + end.start() + 1]
        try:
            return {each.name for each in bindings.ir().Attribute.parse(inside, live.context)}
        except (RuntimeError, ValueError, bindings.ir().MLIRError):
            continue
    raise AssertionError(asm)


@pytest.mark.parametrize(
    ("written", "name", "value"),
    [
        ("affine.linearize_index disjoint [%i, %i] by (4, 8) : index", "disjoint", True),
        ("affine.linearize_index [%i, %i] by (4, 8) : index", "disjoint", False),
        ('affine.linearize_index disjoint [%i] by (4) {y.z = "}> ,", b = affine_map<(d0) -> (d0)>} : index',
         "disjoint", True),
        ('affine.linearize_index [%i] by (4) {y.z = "disjoint"} : index', "disjoint", False),
        ("arith.divsi %n, %n exact : i8", "isExact", True),
        ("arith.addi %n, %n overflow<nsw> : i8", "overflowFlags", OpaqueAttribute("#arith.overflow<nsw>")),
        ("llvm.add %n, %n overflow<nuw> : i8", "overflowFlags", OpaqueAttribute("#arith.overflow<nuw>")),
        ("llvm.or disjoint %n, %n : i8", "isDisjoint", True),
        ("memref.load %m[%i] {nontemporal = true} : memref<4xi8>", "nontemporal", True),
    ],
)  # fmt: skip
def test_a_property_has_its_value(written: str, name: str, value: object) -> None:
    op = _first_of(f"%0 = {written}")
    assert op.attributes[name] == value
    assert type(op.attributes[name]) is type(value)


def test_a_type_that_doubles_with_each_alias_does_not_stand_in_the_way() -> None:
    doubling = "".join(f"!t{level + 1} = tuple<!t{level}, !t{level}>\n" for level in range(60))
    op = _first_of(
        "%0 = affine.linearize_index disjoint [%i] by (4) {a = !t60} : index", f"!t0 = tuple<i1>\n{doubling}"
    )
    assert op.attributes["disjoint"] is True


def _first_of(line: str, before: str = "") -> Operation:
    text = f"{before}func.func @f(%i: index, %n: i8, %m: memref<4xi8>) {{\n{line}\nreturn }}"
    return read_text(text).functions["f"].body.blocks[0].operations[0]  # pyright: ignore[reportOptionalMemberAccess]
