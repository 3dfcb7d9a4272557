"""Test that operations of the LLVM dialect are read as those that MLIR lowers to them, with the same flags."""

from __future__ import annotations

import pytest

from shapesolve import prune
from shapesolve.ir import bindings
from shapesolve.ir.program import Operation
from shapesolve.ir.reader import read_text

PASSES = "builtin.module(convert-math-to-llvm,convert-arith-to-llvm,convert-ub-to-llvm,convert-cf-to-llvm)"
BINARY = ("addi", "subi", "muli", "divsi", "divui", "remsi", "remui", "andi", "ori", "xori", "shli", "shrui", "shrsi")
EXTREMES = ("maxsi", "minsi", "maxui", "minui")
ON_FLOATS = ("addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf", "maxnumf", "minnumf")
PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
FLOAT_PREDICATES = ("oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno")
ROUNDED = ("sqrt", "absf", "ceil", "floor", "trunc", "round", "roundeven")
EXPONENTIAL = ("exp", "exp2", "log", "log2", "log10", "sin", "cos")
OVERFLOW = ("nsw", "nuw", "nsw, nuw")
FLAGGED = [
    *(
        f"arith.{each} %a, %b overflow<{flags}> : i32"
        for each in ("addi", "subi", "muli", "shli")
        for flags in OVERFLOW
    ),
    *(f"arith.{each} %a, %b exact : i32" for each in ("shrui", "shrsi")),
    *("arith.extui %a nneg : i32 to i64", "arith.uitofp %a nneg : i32 to f32"),
    *(f"arith.trunci %a overflow<{flags}> : i32 to i8" for flags in OVERFLOW),
    *("arith.addf %x, %y fastmath<nnan,ninf> : f32", "arith.mulf %x, %y fastmath<fast> : f32"),
]
ONE_BY_ONE = [
    *(f"arith.{each} %a, %b : i32" for each in (*BINARY, *EXTREMES)),
    *(f"arith.{each} %v, %w : vector<4xi32>" for each in (*BINARY, *EXTREMES)),
    *(f"arith.{each} %x, %y : f32" for each in ON_FLOATS),
    *(f"arith.cmpi {each}, %a, %b : i32" for each in PREDICATES),
    *(f"arith.cmpf {each}, %x, %y : f32" for each in FLOAT_PREDICATES),
    *("arith.extui %a : i32 to i64", "arith.extsi %a : i32 to i64", "arith.trunci %a : i32 to i8"),
    *("arith.sitofp %a : i32 to f32", "arith.uitofp %a : i32 to f32", "arith.fptosi %x : f32 to i32"),
    *("arith.fptoui %x : f32 to i32", "arith.extf %x : f32 to f64", "arith.truncf %x : f32 to f16"),
    *("arith.bitcast %a : i32 to f32", "arith.negf %x : f32", "arith.select %c, %a, %b : i32"),
    *("arith.select %c, %x, %y : f32", "arith.constant 7 : i32", "arith.constant true", "arith.constant -2.5 : f32"),
    *("arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>", "ub.poison : i32"),
    *(f"math.{each} %a : i32" for each in ("absi", "ctlz", "cttz", "ctpop")),
    *(f"math.{each} %x : f32" for each in (*ROUNDED, *EXPONENTIAL)),
    *("math.copysign %x, %y : f32", "math.fma %x, %y, %x : f32", "math.powf %x, %y : f32"),
    "math.fpowi %x, %a : f32, i32",
]
HEAD = "func.func @f(%a: i32, %b: i32, %c: i1, %x: f32, %y: f32, %v: vector<4xi32>, %w: vector<4xi32>) {\n"
CONTROL_FLOW = """\
  cf.switch %a : i32, [default: ^bb1(%a : i32), 42: ^bb1(%b : i32), 43: ^bb2]
^bb1(%q: i32):
  cf.cond_br %c, ^bb1(%q : i32), ^bb2
^bb2:
  cf.br ^bb3
^bb3:
  return
}
"""


def operations(statements: list[str], tail: str, passes: str = "") -> list[Operation]:
    """The operations of a function with these statements, after passes."""
    body = "".join(f"  %{number} = {each}\n" for number, each in enumerate(statements))
    with bindings.ir().Context():
        module = bindings.ir().Module.parse(HEAD + body + tail)
        if passes:
            bindings.passmanager().PassManager.parse(passes).run(module.operation)
            assert all(f" {dialect}." not in str(module) for dialect in ("arith", "math", "cf", "ub"))
        program = read_text(str(module))
    region = program.functions["f"].body
    assert region is not None
    return [op for block in region.blocks for op in block.operations]


def described(op: Operation) -> str:
    """The name, attributes and types of an operation; no flag is as good as none."""
    flags = {key: str(each) for key, each in op.attributes.items() if "<none>" not in str(each)}
    return f"{op.name} {sorted(flags.items())} {[str(each.type) for each in (*op.operands, *op.results)]}"


@pytest.mark.parametrize("statements", [FLAGGED, ONE_BY_ONE], ids=["flags", "all"])
def test_what_mlir_lowers_is_read_as_it_was(statements: list[str]) -> None:
    before, after = (operations(statements, CONTROL_FLOW, passes) for passes in ("", PASSES))
    assert [described(op) for op in after] == [described(op) for op in before]


@pytest.mark.parametrize(
    "kept",
    [
        "llvm.or disjoint %a, %b : i32",
        '"llvm.intr.ctlz"(%a) <{is_zero_poison = true}> : (i32) -> i32',
        '"llvm.intr.abs"(%a) <{is_int_min_poison = true}> : (i32) -> i32',
        "llvm.freeze %a : i32",
        "llvm.mlir.undef : i32",
        "llvm.select %c, %x, %x {fastmathFlags = #llvm.fastmath<nnan>} : i1, f32",
        "llvm.mlir.zero : !llvm.ptr",
    ],
)
def test_what_no_other_operation_computes_keeps_its_name(kept: str) -> None:
    first, *_ = operations([kept], "  return\n}\n")
    assert first.name.startswith("llvm.")


def test_a_loop_that_must_end_keeps_its_branch() -> None:
    hint, promise = (
        operations([], f"  llvm.br ^a\n^a:\n  llvm.br ^a {{loop_annotation = #llvm.loop_annotation<{each}>}}\n}}\n")
        for each in ("disableNonforced = true", "mustProgress = true")
    )
    assert [op.name for op in hint] == ["cf.br", "cf.br"]
    assert [op.name for op in promise] == ["cf.br", "llvm.br"]


def test_a_note_says_what_was_read() -> None:
    program = read_text(HEAD + "  %0 = llvm.add %a, %b : i32\n  %1 = llvm.mul %a, %b : i32\n  return\n}\n", "f.mlir")
    (note,) = [each for each in program.notes if "LLVM" in each]
    assert note.startswith("f.mlir:2") and note.endswith("`llvm.add` as `arith.addi`")


@pytest.mark.parametrize(
    "text",
    [
        "llvm.func @f(%p: !llvm.ptr) {\n  llvm.return\n}\n",
        "llvm.func @f(%a: i64 {llvm.noundef}) {\n  llvm.return\n}\n",
        'llvm.func @f(%a: i64) attributes {passthrough = ["noreturn"]} {\n  llvm.return\n}\n',
        "llvm.func @f(%a: i64, ...) {\n  llvm.return\n}\n",
        "llvm.func @f(%a: i64) -> i64\n",
        "llvm.func @f(%a: i64) -> i64 {\n  llvm.unreachable\n}\n",
    ],
)
def test_functions_of_which_more_is_said_keep_their_names(text: str) -> None:
    program = read_text("func.func @g() {\n  return\n}\n" + text)
    assert list(program.functions) == ["g"]
    plain = read_text("llvm.func @f(%a: i64, %x: f32) -> f32 {\n  llvm.return %x : f32\n}\n").functions["f"]
    assert [str(each.type) for each in plain.arguments] == ["i64", "f32"]
    assert (plain.operation.name, [str(each) for each in plain.result_types]) == ("func.func", ["f32"])


def test_checks_are_inserted_into_functions_of_numbers() -> None:
    """The declaration keeps its name, so it is no function of the program."""
    source = "llvm.func @g(i32) -> i32\nllvm.func @f(%a: i32, %b: i32) -> i32 {\n"
    source += "  %r = llvm.udiv %a, %b : i32\n  llvm.return %r : i32\n}\n"
    hardened = prune(source, harden=True).text
    assert "cf.assert" in hardened and "llvm.func @f(%a: i32, %b: i32)" in hardened
