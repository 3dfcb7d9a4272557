"""Tests of value numbering: computations that are equal in two programs, and others that must not be."""

from __future__ import annotations

import pytest

from shapesolve import refine
from shapesolve.ir.reader import read_text
from shapesolve.refinement.value_numbering import body_number, same_function


def same(first: str, second: str) -> bool:
    one, other = read_text(first), read_text(second)
    return same_function((one, one.functions["f"]), (other, other.functions["f"]))


BASE = "func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {{\n{}\n}}"
DIM = "  %c = arith.constant {} : index\n  %d = tensor.dim %{}, %c : tensor<?xf32>\n  return %d : index"


def test_names_and_places_do_not_count() -> None:
    renamed = "// moved\n\n" + BASE.format(DIM.format(0, "a")).replace("%d", "%size")
    assert same(BASE.format(DIM.format(0, "a")), renamed)


@pytest.mark.parametrize(
    "other",
    [
        DIM.format(1, "a"),
        DIM.format(0, "b"),
        "  %d = arith.constant 0 : index\n" + DIM.format(0, "a").replace("%d", "%e"),
    ],
)
def test_constants_operands_and_further_operations_count(other: str) -> None:
    assert not same(BASE.format(DIM.format(0, "a")), BASE.format(other))


LOOP = """func.func @f(%a: tensor<?xi1>, %b: {type}) -> {type} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  {outside}
  %r:2 = scf.while (%i = %c0, %x = %b) : (index, {type}) -> (index, {type}) {{
    %e = tensor.extract %a[%i] : tensor<?xi1>
    scf.condition(%e) %i, %x : index, {type}
  }} do {{
  ^bb0(%i: index, %x: {type}):
    %j = arith.addi %i, %c1 : index
    {inside}
    scf.yield %j, %k : index, {type}
  }}
  return %r#1 : {type}
}}"""
CONSTANTS = [
    ("index", "3 : index", "4 : index"),
    ("i1", "true", "false"),
    ("i8", "-3 : i8", "3 : i8"),
    ("f32", "2.5 : f32", "-2.5 : f32"),
    ("f32", "0.0 : f32", "-0.0 : f32"),
]


@pytest.mark.parametrize(("type", "number", "other"), CONSTANTS)
def test_a_constant_is_the_same_wherever_it_stands(type: str, number: str, other: str) -> None:
    outside, inside, changed = (
        LOOP.format(type=type, outside=out, inside=into)
        for out, into in (
            (f"%k = arith.constant {number}", ""),
            ("", f"%k = arith.constant {number}"),
            ("", f"%k = arith.constant {other}"),
        )
    )
    (found,) = refine(outside, inside, execute=False)
    assert (found.word, found.not_compared, found.identical) == ("proved", (), False)
    (found,) = refine(outside, changed, execute=False)
    assert found.word != "proved" or found.not_compared


def test_constants_too_long_to_be_kept_are_never_the_same() -> None:
    """The texts of long constants are cut, so two that differ in the middle look alike."""

    def program(middle: float) -> str:
        numbers = [1.0] * 300 + [middle] + [1.0] * 300
        return (
            "func.func @f() -> tensor<601xf32> {\n"
            f"  %c = arith.constant dense<{numbers}> : tensor<601xf32>\n  return %c : tensor<601xf32>\n}}"
        )

    assert not same(program(1.5), program(2.5))


def test_callees_count() -> None:
    def program(callee: str) -> str:
        return (
            "func.func @f(%n: index) -> index {\n  %r = func.call @g(%n) : (index) -> index\n  return %r : index\n}\n"
            "func.func private @g(%n: index) -> index {\n"
            f"  %r = arith.{callee} %n, %n : index\n  return %r : index\n}}"
        )

    assert same(program("addi"), program("addi"))
    assert not same(program("addi"), program("muli"))


@pytest.mark.parametrize("body", ["", " {\n  return %n : index\n}"], ids=["declared", "defined"])
@pytest.mark.parametrize("states", ['requires = ["arg0 >= 1"]', 'ensures = ["result0 >= arg0"]'])
def test_statements_of_callees_count(states: str, body: str) -> None:
    def program(states: str) -> str:
        inner = "func.func private @h(%n: index) -> index"
        inner += (f" attributes {{shapesolve.{states}}}" if states else "") + body
        return (
            "func.func @f(%n: index) -> index {\n  %r = func.call @g(%n) : (index) -> index\n  return %r : index\n}\n"
            "func.func private @g(%n: index) -> index {\n"
            f"  %r = func.call @h(%n) : (index) -> index\n  return %r : index\n}}\n{inner}"
        )

    assert same(program(states), program(states))
    assert not same(program(""), program(states))


def test_functions_of_several_blocks() -> None:
    def program(taken: str, other: str) -> str:
        return (
            f"func.func @f(%p: i1) {{\n  cf.cond_br %p, ^{taken}, ^{other}\n^one:\n  %c = arith.constant false\n"
            '  cf.assert %c, "one"\n  return\n^two:\n  return\n}'
        )

    assert same(program("one", "two"), program("one", "two"))
    assert not same(program("one", "two"), program("two", "one"))


def test_a_function_called_twice_is_numbered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions that call the next one twice have exponentially many call paths; one calls the first again."""
    digest = "shapesolve.refinement.value_numbering._digest"
    numbered: list[object] = []

    def count(text: object) -> str:
        numbered.append(text)
        return str(len(numbered))

    monkeypatch.setattr(digest, count)
    for last in ("return", "func.call @g20() : () -> ()\n  return"):
        text = f"func.func private @g0() {{\n  {last}\n}}\n"
        for level in range(1, 21):
            call = f"func.call @g{level - 1}() : () -> ()"
            text += f"func.func private @g{level}() {{\n  {call}\n  {call}\n  return\n}}\n"
        program = read_text(text)
        numbered.clear()
        assert body_number(program, program.functions["g20"])
        assert len(numbered) == 21


def test_a_number_does_not_depend_on_what_was_numbered_before() -> None:
    """@a and @b call each other: the number of each says where the other one calls it again."""
    text = """
func.func @a(%n: index) {
  func.call @b(%n) : (index) -> ()
  return
}
func.func @b(%n: index) {
  vector.print %n : index
  func.call @a(%n) : (index) -> ()
  return
}"""
    one, other = read_text(text), read_text(text)
    numbers = [body_number(one, one.functions[name]) for name in ("a", "b")]
    again = [body_number(other, other.functions[name]) for name in ("b", "a")]
    assert numbers == again[::-1]
    assert numbers[0] != numbers[1]


GLOBALS = {
    "a buffer": """memref.global "private" @g : memref<4xi32> = dense<VALUE>
func.func @f(%i: index) -> i32 {
  %g = memref.get_global @g : memref<4xi32>
  %r = memref.load %g[%i] : memref<4xi32>
  return %r : i32
}""",
    "a tensor of a buffer": """memref.global "private" constant @g : memref<4xi32> = dense<VALUE>
func.func @f() -> tensor<4xi32> {
  %g = memref.get_global @g : memref<4xi32>
  %r = bufferization.to_tensor %g restrict : memref<4xi32> to tensor<4xi32>
  return %r : tensor<4xi32>
}""",
    "a variable": """ml_program.global private mutable @g(dense<VALUE> : tensor<4xi32>) : tensor<4xi32>
func.func @f() -> tensor<4xi32> {
  %r = ml_program.global_load @g : tensor<4xi32>
  return %r : tensor<4xi32>
}""",
    "what a region makes": """llvm.mlir.global private constant @g() : i32 {
  %c = llvm.mlir.constant(VALUE : i32) : i32
  llvm.return %c : i32
}
func.func @f() -> i32 {
  %g = llvm.mlir.addressof @g : !llvm.ptr
  %r = llvm.load %g : !llvm.ptr -> i32
  return %r : i32
}""",
    "of another dialect": """llvm.mlir.global private constant @g(VALUE : i32) : i32
func.func @f() -> i32 {
  %g = llvm.mlir.addressof @g : !llvm.ptr
  %r = llvm.load %g : !llvm.ptr -> i32
  return %r : i32
}""",
    "in a callee": """memref.global "private" @g : memref<4xi32> = dense<VALUE>
func.func private @load(%i: index) -> i32 {
  %g = memref.get_global @g : memref<4xi32>
  %r = memref.load %g[%i] : memref<4xi32>
  return %r : i32
}
func.func @f(%i: index) -> i32 {
  %r = func.call @load(%i) : (index) -> i32
  return %r : i32
}""",
}


@pytest.mark.parametrize("name", GLOBALS)
def test_a_global_of_another_value_is_another(name: str) -> None:
    source, other = (GLOBALS[name].replace("VALUE", each) for each in "12")
    found, same = (
        next(each for each in refine(source, target, execute=False) if each.source.trace.function.name == "f")
        for target in (other, source.replace("%r", "%result"))
    )
    assert found.not_compared
    assert (same.word, same.not_compared) == ("proved", ())
