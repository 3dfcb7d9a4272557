"""Executed counterexamples, and when they change a verdict."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from shapesolve import check
from shapesolve.checker.check import trace_of
from shapesolve.checker.checked_obligation import CheckedObligation, Confirmation, Shown
from shapesolve.checker.confirmation import MOST_EXECUTED, confirmed
from shapesolve.checker.execution_evidence import Runs, confirmation
from shapesolve.checker.run_verdicts import DID_NOT_FAIL
from shapesolve.execution import runner
from shapesolve.execution.execution import Execution, Outcome
from shapesolve.execution.protocol import Request
from shapesolve.ir import bindings
from shapesolve.ir.program import Program
from shapesolve.ir.reader import read_file, read_module, read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, UndecidedReason, Verdict
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.named_sizes import NamedSizes
from shapesolve.trace.events import Obligation, Trace

CAST_TO_FIVE = """func.func @f(%a: tensor<?xf32>) -> tensor<5xf32> {
  %c = tensor.cast %a : tensor<?xf32> to tensor<5xf32>
  return %c : tensor<5xf32>
}
"""

BELOW_TWO = """func.func @f(%n: index) -> index {
  %c2 = arith.constant 2 : index
  %p = arith.cmpi ult, %n, %c2 : index
  cf.assert %p, "n must be below 2"
  return %n : index
}
"""

NEXT = (
    "%square = arith.muli %i, %i : index %word = arith.index_cast %square : index to i64 "
    "%float = arith.sitofp %word : i64 to f64 %root = math.sqrt %float : f64 "
    "%same = arith.fptosi %root : f64 to i64 %again = arith.index_cast %same : i64 to index "
    "%next = arith.addi %again, %c1 : index"
)
"""The number of the next turn, which the rules do not follow, for they do not follow roots."""

COUNTED = """func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %n = scf.for %i = %c0 to %BOUND step %c1 iter_args(%k = %c0) -> (index) {
    NEXT
    scf.yield %next : index
  }
  %m = arith.maxsi %n, %c0 : index
  %e = tensor.empty(%m) : tensor<?xf32>
  %c = tensor.cast %e : tensor<?xf32> to tensor<100xf32>
  %r = tensor.cast %c : tensor<100xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
""".replace("NEXT", NEXT)
"""Program whose loop yields its trip count, for which no rule finds a closed form."""


def judged(program: Program | str) -> list[CheckedObligation]:
    """Return the obligations of the program's only function that are not proved."""
    read = read_text(program) if isinstance(program, str) else program
    (function,) = check_program(read, Options()).functions
    return [each for each in function.checked_obligations if not isinstance(each.verdict, Proved)]


def only(program: Program | str) -> tuple[Verdict, Confirmation]:
    """The verdict on the only obligation that is not proved, and what was seen."""
    (checked_obligation,) = judged(program)
    assert checked_obligation.confirmation is not None
    return checked_obligation.verdict, checked_obligation.confirmation


def obliged(text: str, opname: str) -> tuple[Program, Trace, Obligation]:
    """A program, its trace, and the first obligation of an operation in it."""
    program = read_text(text)
    trace = trace_of(program, program.functions["f"], Options())
    return program, trace, next(each for each in trace.obligations if each.op.name == opname)


def sizes(trace: Trace, **numbers: int) -> Refuted:
    """A refutation with these sizes, ``a_0`` for ``a[0]``."""
    named = {variable.name.replace("[", "_").rstrip("]"): variable for variable in trace.input_variables}
    return Refuted("test", NamedSizes({named[name]: number for name, number in numbers.items()}))


# What is seen --------------------------------------------------------------------------------------------------------


@pytest.mark.process
def test_a_cast_that_goes_unnoticed_is_shown_by_a_runtime_check() -> None:
    verdict, seen = only(CAST_TO_FIVE)
    assert isinstance(verdict, Refuted)
    assert seen.shown is Shown.FAILED_HERE
    assert seen.text.startswith("with runtime checks: tensor.cast: size mismatch of dim 0; without them the program")
    assert seen.text.endswith(f"returned a result of size {next(iter(verdict.sizes.values()))} where its type says 5")
    assert seen.execution is not None and seen.execution.failing_location == (2, 8)


@pytest.mark.process
def test_an_assertion_fails_by_itself() -> None:
    verdict, seen = only(BELOW_TWO)
    assert isinstance(verdict, Refuted)
    assert (seen.shown, seen.text) == (Shown.FAILED_HERE, "n must be below 2")
    assert seen.execution is not None and not seen.execution.with_runtime_checks


@pytest.mark.process
def test_undefined_behavior_may_be_silent() -> None:
    shift = "func.func @f(%a: i32, %n: i32) -> i32 {\n  %c = arith.shli %a, %n : i32\n  return %c : i32\n}"
    verdict, seen = only(shift)
    assert isinstance(verdict, Refuted)
    assert seen.shown is Shown.NOTHING
    assert seen.text.startswith("some undefined behavior is silent: the program returned the number ")


GREATEST = """func.func @f(%a: !torch.vtensor<[?],f32>) -> !torch.vtensor<[],f32> {
  %c0 = torch.constant.int 0
  %l = torch.prim.ListConstruct %c0 : (!torch.int) -> !torch.list<int>
  %n = torch.constant.bool false
  %0 = torch.aten.amax %a, %l, %n : !torch.vtensor<[?],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[],f32>
  return %0 : !torch.vtensor<[],f32>
}"""
PARTS = """func.func @f(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[3],f32> {
  %c0 = torch.constant.int 0
  %c4 = torch.constant.int 4
  %0 = torch.aten.select.int %a, %c0, %c4 : !torch.vtensor<[?,3],f32>, !torch.int, !torch.int -> !torch.vtensor<[3],f32>
  return %0 : !torch.vtensor<[3],f32>
}"""


@pytest.mark.process
def test_a_check_of_the_language_may_be_left_out_of_what_it_is_lowered_to() -> None:
    verdict, seen = only(GREATEST)
    assert isinstance(verdict, Refuted)
    assert seen.shown is Shown.NOTHING
    assert seen.text.startswith("what it was lowered to does not check this: the program returned")


@pytest.mark.process
def test_an_operation_of_pytorch_fails_where_it_stands() -> None:
    verdict, seen = only(PARTS)
    assert isinstance(verdict, Refuted)
    assert seen.shown is Shown.FAILED_HERE
    assert "torch.aten.select.int" in seen.text


@pytest.mark.process
def test_a_crash_is_placed_by_runtime_checks_and_not_called_a_failure_of_this_operation() -> None:
    program, trace, obligation = obliged(
        """func.func @f(%a: memref<?xi64>, %i: index) -> i64 {
  %0 = memref.load %a[%i] : memref<?xi64>
  %1 = arith.shli %0, %0 : i64
  return %1 : i64
}""",
        "arith.shli",
    )
    (seen,) = confirmed(program, trace, (CheckedObligation(obligation, sizes(trace, a_0=2, i=2**40)),))
    assert seen.confirmation is not None
    assert seen.confirmation.shown is Shown.FAILED_ELSEWHERE
    assert seen.confirmation.text == "with runtime checks, it failed at line 2: memref.load: out-of-bounds access"


@pytest.mark.process
def test_a_failure_of_another_operation_says_where_and_whether_that_was_proved() -> None:
    text = """func.func @f(%a: tensor<?xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
  %d = tensor.cast %c : tensor<4xf32> to tensor<?xf32>
  %e = tensor.cast %d : tensor<?xf32> to tensor<5xf32>
  return %e : tensor<5xf32>
}"""
    program = read_text(text)
    trace = trace_of(program, program.functions["f"], Options())
    first, last = (each for each in trace.obligations if each.clause == "C2" and each.location.line in (3, 5))
    wrong = CheckedObligation(last, sizes(trace, a_0=3))
    for verdict, ending in (
        (sizes(trace, a_0=3), None),
        (Proved("test"), "contradicts the proof for that operation"),
    ):
        *_, seen = confirmed(program, trace, (CheckedObligation(first, verdict), wrong))
        assert seen.confirmation is not None
        assert seen.confirmation.shown is Shown.FAILED_ELSEWHERE
        assert seen.confirmation.text.startswith("with runtime checks, it failed at line 3: tensor.cast: size mismatch")
        if ending is None:
            assert isinstance(seen.verdict, Refuted)
        else:
            assert isinstance(seen.verdict, Undecided)
            assert seen.verdict.reason.endswith(ending)
            assert seen.verdict.candidate is wrong.verdict


TWO_CHECKS = """func.func @f(%n: index, %m: index) {
  %c2 = arith.constant 2 : index
  %p = arith.cmpi ult, %n, %c2 : index
  cf.assert %p, "n must be below 2"
  %q = arith.cmpi ult, %m, %c2 : index
  cf.assert %q, "m must be below 2"
  return
}
"""


def _predicted(at: int, other: Formula | None = None, **numbers: int) -> CheckedObligation:
    """Return the confirmed prediction that one of the checks fails; ``other`` is the claim of the other check."""
    program = read_text(TWO_CHECKS)
    trace = trace_of(program, program.functions["f"], Options())
    checks = [each for each in trace.obligations if each.op.name == "cf.assert"]
    claims = [FALSE if at == number else other or each.claim for number, each in enumerate(checks)]
    changed = {each: replace(each, claim=claim) for each, claim in zip(checks, claims, strict=True)}
    events = tuple(changed.get(each, each) if isinstance(each, Obligation) else each for each in trace.events)
    wrong, checks = replace(trace, events=events), list(changed.values())
    judged = [
        CheckedObligation(checks[0], Undecided(UndecidedReason.BUDGET, "test")),
        CheckedObligation(checks[1], Proved("test")),
    ]
    judged[at] = CheckedObligation(checks[at], sizes(wrong, **numbers))
    return confirmed(program, wrong, tuple(judged))[at]


@pytest.mark.process
def test_a_check_that_the_execution_got_past_is_no_longer_refuted() -> None:
    answer = _predicted(0, n=1, m=5)
    assert isinstance(answer.verdict, Undecided)
    assert answer.verdict.reason_kind is UndecidedReason.EXECUTION
    assert answer.verdict.reason.startswith(DID_NOT_FAIL)
    assert answer.verdict.reason.endswith("it failed at line 6 (cf.assert): m must be below 2")
    assert answer.verdict.candidate is not None


@pytest.mark.process
def test_an_unpredicted_earlier_failure_contradicts() -> None:
    answer = _predicted(1, other=TRUE, n=5, m=5)
    assert isinstance(answer.verdict, Undecided)
    assert (
        answer.verdict.reason
        == "predicted to fail here, but the execution failed before, where nothing was predicted to fail"
    )
    assert answer.confirmation is not None and answer.confirmation.shown is Shown.FAILED_ELSEWHERE


@pytest.mark.process
def test_a_cast_that_runtime_checks_let_pass_is_no_longer_refuted() -> None:
    program, trace, _ = obliged(CAST_TO_FIVE, "tensor.cast")
    obligation = next(each for each in trace.obligations if each.clause == "C2")
    false = replace(obligation, claim=FALSE)
    wrong = replace(trace, events=tuple(false if event is obligation else event for event in trace.events))
    (answer,) = confirmed(program, wrong, (CheckedObligation(false, sizes(wrong, a_0=5)),))
    assert isinstance(answer.verdict, Undecided)
    assert answer.verdict.reason == DID_NOT_FAIL


@pytest.mark.process
@pytest.mark.parametrize(
    "op, lines",
    [
        ("tensor.cast", "%c = tensor.cast %a : tensor<?xf32> to tensor<5xf32>"),
        ("tensor.concat", "%c = tensor.concat dim(0) %m, %n : (tensor<?x2xf32>, tensor<?x?xf32>) -> tensor<?x2xf32>"),
        (
            "tensor.insert_slice",
            "%c = tensor.insert_slice %a into %b[0][%k][1] : tensor<?xf32> into tensor<?xf32>",
        ),
    ],
)
def test_a_run_without_what_is_not_used_contradicts_nothing(op: str, lines: str) -> None:
    """MLIR removes the operation before the runtime checks are made, as it does a load without a use."""
    arguments = "%k: index, %a: tensor<?xf32>, %b: tensor<?xf32>, %m: tensor<?x2xf32>, %n: tensor<?x?xf32>"
    report = check(f"func.func @f({arguments}) {{\n{lines}\nreturn\n}}")
    refuted = [each for each in report.refuted if each.obligation.op.name == op]
    assert refuted
    assert not any(isinstance(each.verdict, Undecided) for each in report.checked_obligations)


def test_sizes_without_a_machine_to_hold_them_are_not_even_lowered_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def lowered(_: Request) -> list[Execution]:
        raise AssertionError

    monkeypatch.setattr(runner, "perform", lowered)
    text = """func.func @f(%a: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %m = arith.constant 4000000000 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %p = arith.cmpi slt, %d, %m : index
  cf.assert %p, "large"
  return
}"""
    verdict, seen = only(text)
    assert isinstance(verdict, Refuted)
    assert seen.shown is Shown.NOT_EXECUTED
    assert seen.text == "the arguments take 16,000,000,000 bytes, and the limit is 1,073,741,824"


def test_arguments_that_cannot_be_passed_are_not_executed() -> None:
    verdict, seen = only(BELOW_TWO.replace("(%n: index)", "(%n: index, %c: complex<f32>)"))
    assert isinstance(verdict, Refuted)
    assert (seen.shown, seen.text) == (Shown.NOT_EXECUTED, "%c: a value of type complex<f32> cannot be passed")


@pytest.mark.process
def test_shapes_and_sizes_are_passed_by_value() -> None:
    text = """func.func @f(%a: tensor<?xindex>, %b: !shape.shape, %c: tensor<*xf32>, %s: tensor<2xi32>) -> index {
  %w = shape.cstr_broadcastable %a, %b : tensor<?xindex>, !shape.shape
  %x = shape.shape_of %c : tensor<*xf32> -> tensor<?xindex>
  %y = shape.cstr_eq %x, %a : tensor<?xindex>, tensor<?xindex>
  %c1 = arith.constant 1 : index
  %e = tensor.extract %s[%c1] : tensor<2xi32>
  %f = arith.constant 77 : i32
  %p = arith.cmpi ne, %e, %f : i32
  cf.assert %p, "seventy-seven"
  return %c1 : index
}"""
    seen = judged(text)
    assert [each.obligation.location.line for each in seen] == [2, 4, 9]
    for each in seen:
        assert isinstance(each.verdict, Refuted)
        assert each.confirmation is not None and each.confirmation.shown is Shown.FAILED_HERE


# Where programs come from --------------------------------------------------------------------------------------------


@pytest.mark.process
def test_bytecode_live_modules_and_texts_with_locations_are_executed(tmp_path: Path) -> None:
    module = bindings.ir().Module.parse(CAST_TO_FIVE, bindings.new_context())
    with (tmp_path / "f.mlirbc").open("wb") as file:
        module.operation.write_bytecode(file)
    located = CAST_TO_FIVE.replace("tensor<5xf32>\n", 'tensor<5xf32> loc("model.py":70:3)\n', 1)
    assert "model.py" in located
    for program in (read_file(str(tmp_path / "f.mlirbc")), read_module(module), read_text(located)):
        verdict, seen = only(program)
        assert isinstance(verdict, Refuted)
        assert seen.shown is Shown.FAILED_HERE


# How often -----------------------------------------------------------------------------------------------------------


def test_equal_sizes_are_executed_once_and_only_so_many_are(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[bool, int]] = []

    def counted(asked: Request) -> list[Execution]:
        calls.append((asked.runtime_checks, len(asked.runs)))
        return [Execution(Outcome.RETURNED, (), "", None, asked.runtime_checks) for _ in asked.runs]

    monkeypatch.setattr(runner, "perform", counted)
    program, trace, obligation = obliged(CAST_TO_FIVE, "tensor.cast")
    repeated = tuple(CheckedObligation(obligation, sizes(trace, a_0=2)) for _ in range(3))
    various = tuple(CheckedObligation(obligation, sizes(trace, a_0=number)) for number in range(20))
    answers = confirmed(program, trace, repeated + various)
    assert [call for call in calls if call[1]] == [(False, MOST_EXECUTED), (True, MOST_EXECUTED)]
    shown = [each.confirmation.shown for each in answers if each.confirmation is not None]
    assert shown == [Shown.NOTHING] * (3 + MOST_EXECUTED) + [Shown.NOT_EXECUTED] * (20 - MOST_EXECUTED)


def test_proved_claims_are_not_executed(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(_: Request) -> list[Execution]:
        raise AssertionError("executed")

    monkeypatch.setattr(runner, "perform", never)
    program, trace, obligation = obliged(CAST_TO_FIVE, "tensor.cast")
    proved = (CheckedObligation(obligation, Proved("test")),)
    assert confirmed(program, trace, proved) == proved


# Verdicts that change ------------------------------------------------------------------------------------------------


@pytest.mark.process
def test_a_check_that_must_fail_and_does_not_is_no_longer_refuted() -> None:
    program, trace, obligation = obliged(BELOW_TWO, "cf.assert")
    false = replace(obligation, claim=FALSE)
    wrong = replace(trace, events=tuple(false if event is obligation else event for event in trace.events))
    (answer,) = confirmed(program, wrong, (CheckedObligation(false, sizes(trace, n=1)),))
    assert isinstance(answer.verdict, Undecided)
    assert answer.verdict.reason == DID_NOT_FAIL
    assert answer.verdict.candidate is not None
    assert answer.confirmation is not None and answer.confirmation.shown is Shown.NOTHING


@pytest.mark.process
def test_a_check_that_hangs_on_contents_stays_refuted_although_others_were_tried() -> None:
    """No execution can try the right contents, so one that returns is no evidence."""
    text = """func.func @f(%t: tensor<?xi32>, %i: index) {
  %c7 = arith.constant 7 : i32
  %v = tensor.extract %t[%i] : tensor<?xi32>
  %p = arith.cmpi ne, %v, %c7 : i32
  cf.assert %p, "seven"
  return
}"""
    program, trace, obligation = obliged(text, "cf.assert")
    (answer,) = confirmed(program, trace, (CheckedObligation(obligation, sizes(trace, t_0=1, i=0)),))
    assert isinstance(answer.verdict, Refuted)
    assert answer.confirmation is not None and answer.confirmation.shown is Shown.NOTHING


@pytest.mark.process
def test_a_candidate_that_fails_at_the_operation_is_refuted_by_execution() -> None:
    (checked_obligation,) = judged(COUNTED.replace("%BOUND", "%d"))
    assert checked_obligation.obligation.location.line == 12
    assert isinstance(checked_obligation.verdict, Refuted)
    assert checked_obligation.verdict.strategy == "execution"
    assert not checked_obligation.verdict.smallest
    assert checked_obligation.confirmation is not None and checked_obligation.confirmation.shown is Shown.FAILED_HERE
    assert checked_obligation.confirmation.text.endswith("; with tensors full of zeros too")


GATHERED = """#id = affine_map<(d0) -> (d0)>
func.func @f(%ids: tensor<100xi64>, %a: tensor<?xf32>) -> (tensor<100xi64>, tensor<5xf32>) {
  %k = arith.constant NUMBER : i64
  %e = tensor.empty() : tensor<100xi64>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%ids : tensor<100xi64>) outs(%e : tensor<100xi64>) {
  ^bb0(%in: i64, %out: i64):
    %p = arith.cmpi WANTED, %in, %k : i64
    cf.assert %p, "the data"
    linalg.yield %in : i64
  } -> tensor<100xi64>
  %c = tensor.cast %a : tensor<?xf32> to tensor<5xf32>
  return %g, %c : tensor<100xi64>, tensor<5xf32>
}"""
"""A wrong size behind a demand on data."""


@pytest.mark.process
@pytest.mark.parametrize(
    ("wanted", "number", "suffix"),
    [
        ("slt", 50, "; with tensors full of zeros too"),
        ("ne", 0, "; with %ids all 1"),
        ("slt", 1, "; with %ids all 0"),
    ],
)
def test_a_demand_on_data_that_some_data_meets_hides_no_wrong_size(wanted: str, number: int, suffix: str) -> None:
    data, cast = judged(GATHERED.replace("WANTED", wanted).replace("NUMBER", str(number)))
    assert isinstance(data.verdict, Undecided)
    assert cast.obligation.op.name == "tensor.cast" and isinstance(cast.verdict, Refuted)
    assert cast.confirmation is not None and cast.confirmation.shown is Shown.FAILED_HERE
    assert cast.confirmation.text.endswith(suffix)


EMBEDDED = """
func.func @f(%t: memref<?xf32>, %ids: memref<?xindex>, %out: memref<?xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %padding = arith.constant NUMBER : index
  %n = memref.dim %ids, %zero : memref<?xindex>
  %rows = memref.dim %t, %zero : memref<?xf32>
  scf.for %i = %zero to %n step %one {
    %id = memref.load %ids[%i] : memref<?xindex>
    %is_padding = arith.cmpi eq, %id, %padding : index
    scf.if %is_padding {
    } else {
      %inside = arith.cmpi ult, %id, %rows : index
      cf.assert %inside, "id out of range"
      %x = memref.load %t[%id] : memref<?xf32>
      memref.store %x, %out[%i] : memref<?xf32>
    }
  }
  return
}"""
"""A wrong size in a loop, in a branch on data, behind a demand on data."""


@pytest.mark.process
@pytest.mark.parametrize(("padding", "suffix"), [(-1, "with %ids all 0"), (1, "with %ids all 0")])
def test_neither_a_branch_on_data_nor_a_loop_hides_a_wrong_size(padding: int, suffix: str) -> None:
    found = {each.obligation.op.name: each for each in judged(EMBEDDED.replace("NUMBER", str(padding)))}
    assert isinstance(found["cf.assert"].verdict, Undecided)
    stored = found["memref.store"]
    assert isinstance(stored.verdict, Refuted) and stored.confirmation is not None
    assert stored.confirmation.contents == suffix


@pytest.mark.process
def test_a_branch_on_data_that_no_tried_data_takes_leaves_what_is_in_it_open() -> None:
    source = EMBEDDED.replace("NUMBER", "7").replace("eq, %id", "ne, %id")
    found = {each.obligation.op.name: each for each in judged(source)}
    assert isinstance(found["memref.store"].verdict, Undecided)


@pytest.mark.process
def test_a_demand_on_data_that_no_tried_data_meets_leaves_what_is_behind_it_open() -> None:
    _, cast = judged(GATHERED.replace("WANTED", "sgt").replace("NUMBER", "1"))
    assert isinstance(cast.verdict, Undecided) and cast.verdict.candidate is not None


@pytest.mark.process
def test_failures_with_some_data_only_refute_nothing() -> None:
    """The sizes do not say that the claim about the data is false, so data that break it say nothing of sizes."""
    data, _ = judged(GATHERED.replace("WANTED", "ne").replace("NUMBER", "1"))
    assert isinstance(data.verdict, Undecided)
    assert data.confirmation is not None and data.confirmation.shown is not Shown.FAILED_HERE


@pytest.mark.process
def test_a_failure_for_all_sizes_behind_a_demand_on_data_is_reported() -> None:
    wrong = GATHERED.replace("WANTED", "slt").replace("NUMBER", "50")
    text = wrong.replace(
        "%c = tensor.cast %a",
        "%c4 = arith.constant 4 : index\n  %n = tensor.empty(%c4) : tensor<?xf32>\n  %c = tensor.cast %n",
    )
    (function,) = check_program(read_text(text), Options()).functions
    failing = function.fails_for_all
    assert failing is not None and failing.obligation.op.name == "tensor.cast"
    assert isinstance(failing.verdict, Refuted) and failing.verdict.strategy == "execution" and failing.verdict.always


@pytest.mark.process
def test_a_candidate_that_passes_stays_undecided() -> None:
    verdict, seen = only(COUNTED.replace("%BOUND", "%c100"))
    assert isinstance(verdict, Undecided)
    assert verdict.reason_kind is UndecidedReason.APPROXIMATION
    assert seen.shown is Shown.NOTHING
    assert seen.text.startswith("not confirmed: the program returned a result of size 100")


@pytest.mark.process
@pytest.mark.parametrize(
    ("comparison", "type", "value"), [("cmpf olt", "f32", "0.25"), ("cmpf ogt", "f32", "0.25"), ("cmpi ne", "i32", "0")]
)
def test_contents_of_tensors_do_not_confirm(comparison: str, type: str, value: str) -> None:
    text = f"""func.func @f(%t: tensor<?x{type}>) {{
  %c0 = arith.constant 0 : index
  %h = arith.constant {value} : {type}
  %d = tensor.dim %t, %c0 : tensor<?x{type}>
  %e = arith.cmpi sgt, %d, %c0 : index
  cf.assert %e, "empty"
  %v = tensor.extract %t[%c0] : tensor<?x{type}>
  %q = arith.{comparison}, %v, %h : {type}
  cf.assert %q, "small"
  return
}}"""
    empty, small = judged(text)
    assert isinstance(empty.verdict, Refuted)
    assert isinstance(small.verdict, Undecided)
    assert small.confirmation is not None and small.confirmation.shown is Shown.NOTHING


SELECTED = """func.func @f(%x: !torch.vtensor<[?,4],f32>, %i: !torch.vtensor<[?],si64>) -> !torch.vtensor<[?,4],f32> {
  %int0 = torch.constant.int 0
  %r = torch.aten.index_select %x, %int0, %i
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.vtensor<[?],si64> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}
"""


@pytest.mark.parametrize(
    ("message", "refuted"), [("index must be smaller than dim size", True), ("the loops do not match", False)]
)
def test_lowering_of_an_operator_may_fail_in_its_own_way(
    message: str, refuted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(asked: Request) -> list[Execution]:
        run = Execution(Outcome.ABORTED, (), message, (3, 8), asked.runtime_checks, "torch.aten.index_select")
        return [run for _ in asked.runs]

    monkeypatch.setattr(runner, "perform", failing)
    verdict, _ = only(SELECTED)
    assert isinstance(verdict, Refuted) == refuted


@pytest.mark.process
def test_failed_claim_of_two_open_ones_is_not_guessed() -> None:
    loop = f"""  %j = scf.for %i = %c0 to %d step %c1 iter_args(%k = %c1) -> (index) {{
    {NEXT.replace("%next", "%above")}
    %next = arith.addi %above, %c1 : index
    scf.yield %next : index
  }}
"""
    text = COUNTED.replace("%BOUND", "%d").replace("tensor.empty(%m)", "tensor.empty(%m, %j)")
    text = text.replace("tensor<?xf32>", "tensor<?x?xf32>").replace("tensor<100xf32>", "tensor<100x100xf32>")
    text = text.replace("  %m =", f"{loop}  %m =")
    cast = [each for each in judged(text) if each.obligation.op.name == "tensor.cast"]
    assert len(cast) == 2
    for each in cast:
        assert isinstance(each.verdict, Undecided)
        assert each.confirmation is not None
        assert "which of its claims did is not known" in each.confirmation.text


FIRST = "%c = tensor.cast %e : tensor<?xf32> to tensor<100xf32>"
SECOND = "%c2 = tensor.cast %e2 : tensor<?xf32> to tensor<100xf32>"
ALWAYS_100 = """  %n2 = scf.for %i = %c0 to %c100 step %c1 iter_args(%k = %c0) -> (index) {
    NEXT
    scf.yield %next : index
  }
  %m2 = arith.maxsi %n2, %c0 : index
  %e2 = tensor.empty(%m2) : tensor<?xf32>
""".replace("NEXT", NEXT)


@pytest.mark.process
@pytest.mark.parametrize("casts", [f"{FIRST} {SECOND}", f"{SECOND} {FIRST}"], ids=["behind it", "before it"])
def test_failed_operation_of_two_on_a_line_is_not_guessed(casts: str) -> None:
    """The second cast is of 100 elements, whatever the sizes are; that the first one fails says nothing of it."""
    text = COUNTED.replace("%BOUND", "%d").replace(f"  {FIRST}\n", f"{ALWAYS_100}  {casts}\n")
    found = judged(text)
    assert [each.obligation.op.name for each in found] == ["tensor.cast"] * 2
    assert all(isinstance(each.verdict, Undecided) for each in found)


@pytest.mark.process
def test_failed_operation_of_two_at_one_location_is_not_guessed() -> None:
    """Exporters give all operations of a source line one location, so a message does not identify one of them."""
    checked = '%ok = arith.cmpi eq, %n, %c100 : index\n  cf.assert %ok, "first"'
    casts = f"{ALWAYS_100}  {checked}\n  {SECOND.replace('%c2 =', '%c =')}\n"
    ir = bindings.ir()
    with bindings.new_context() as context:
        where = ir.Location.file("one.py", 1, 1, context)
        module = ir.Module.parse(COUNTED.replace("%BOUND", "%d").replace(f"  {FIRST}\n", casts))
        for op in module.body.operations[0].regions[0].blocks[0].operations:
            if op.operation.name in ("cf.assert", "tensor.cast"):
                op.operation.location = where
        found = judged(read_module(module))
    assert [each.obligation.op.name for each in found] == ["cf.assert", "tensor.cast"]
    assert all(isinstance(each.verdict, Undecided) for each in found)


@pytest.mark.process
@pytest.mark.parametrize(("least", "refuted"), [(5, False), (1, True)])
def test_a_candidate_that_no_caller_may_give_does_not_refute(least: int, refuted: bool) -> None:
    program = read_text(COUNTED.replace("%BOUND", "%d"))
    trace = trace_of(program, program.functions["f"], Options(assumptions=(f"a[0] >= {least}",)))
    *_, cast = (each for each in trace.obligations if each.location.line == 12)
    candidate = Undecided(UndecidedReason.APPROXIMATION, "not followed", sizes(trace, a_0=3))
    (answer,) = confirmed(program, trace, (CheckedObligation(cast, candidate),))
    assert isinstance(answer.verdict, Refuted) == refuted


@pytest.mark.parametrize(
    ("failing_op", "shown"),
    [("torch.aten.view", Shown.LOWERING_FAILED), ("tosa.reshape", Shown.FAILED_ELSEWHERE)],
)
def test_lowering_of_torch_mlir_does_not_contradict_pytorch(failing_op: str, shown: Shown) -> None:
    """torch-mlir's view of `[b, t, 8]` is one of `[b, 1, 8]`, and ends before what PyTorch refuses."""
    program, _, obligation = obliged(CAST_TO_FIVE, "tensor.cast")
    run = Execution(Outcome.ABORTED, (), "size mismatch of dim 1", (1, 1), True, failing_op=failing_op)
    seen = confirmation(program.functions["f"], obligation.op, Runs(run, run), why_silent="")
    assert seen.shown is shown
    assert seen.text == f"with runtime checks, it failed at line 1 ({failing_op}): size mismatch of dim 1"
