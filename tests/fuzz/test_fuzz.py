"""A fixed portion of the random trials, and that they notice what is wrong."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

import pytest
from fuzz.campaign import TRIALS, Campaign, reduced
from fuzz.changes import changed
from fuzz.judging import Plan, Tally, examine
from fuzz.machine import Array, Ending, Machine, Place, compiled

from shapesolve.ir.reader import read_text
from shapesolve.program_generation.programs import module
from shapesolve.rewriting.checks import RewriteError

KNOWN = {"refuted and does not fail"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_verdicts_on_random_programs_are_what_happens(seed: int) -> None:
    """A module in which nothing ever returns says little, so it is not the last that is tried."""
    tally = Tally()
    for number in range(seed, seed + 40, 4):
        text = module(2000 + number, 4)
        again = changed(text, random.Random(number))
        plan = Plan(number, 16, prune=number == 0, refine=number == 0, changed=again)
        assert not [each for each in examine(text, plan, tally) if each.kind not in KNOWN]
        if tally.counts["vectors returned"] > 0:
            break
    assert tally.counts["programs"] >= 3
    assert tally.counts["vectors returned"] > 0


@pytest.mark.exhaustive
def test_claims_are_decided_as_all_small_sizes_say() -> None:
    counts = Counter[str]()
    assert TRIALS["formulas"][0](11, counts) == []
    assert counts["claims"] >= 50


def test_the_same_seed_gives_the_same_program() -> None:
    assert module(5, 2) == module(5, 2) != module(6, 2)
    assert read_text(module(5, 2)).functions


def test_a_campaign_goes_on_where_it_ended(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    first = Campaign(folder)
    first.state["formulas"] = {"next seed": 7, "claims": 3}
    first.save()
    assert Campaign(folder).state["formulas"]["next seed"] == 7


PROGRAM = """
func.func @f(%a: tensor<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %p = arith.cmpi slt, %n, %d : index
  cf.assert %p, "too far"
  %q = arith.divsi %d, %n : index
  return %q : index
}"""


def test_the_interpreter_stops_at_checks_and_at_undefined_behavior() -> None:
    machine = compiled(PROGRAM)
    assert machine.run("f", [Array((6,)), 4]).results == (1,)
    failed = machine.run("f", [Array((2,)), 4])
    assert (failed.ending, failed.place, failed.words) == (Ending.ABORTED, (6, 3), "too far")
    assert machine.run("f", [Array((2,)), 0]).ending is Ending.UNDEFINED
    assert machine.run("f", [Array((2,)), -3]).results == (0,)


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [("arith.constant true", "proved and fails"), ("arith.cmpi sge, %d, %c0 : index", "pruned differs")],
)
def test_a_wrong_verdict_is_noticed(wrong: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter runs another program than the one that was judged."""
    import fuzz.judging as judging

    judged = PROGRAM.replace("arith.cmpi slt, %n, %d : index", wrong)
    run = [PROGRAM, PROGRAM] if kind == "proved and fails" else [judged, PROGRAM]

    def another(text: str, watched: Iterable[Place] = ()) -> Machine:
        return compiled(run.pop(0), watched)

    monkeypatch.setattr(judging, "compiled", another)
    assert kind in {each.kind for each in examine(judged, Plan(0))}


def test_exceptions_are_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    import fuzz.judging as judging

    def refuses(*_: object) -> object:
        raise RewriteError("not proved")

    monkeypatch.setattr(judging, "prune_program", refuses)
    assert {each.kind for each in examine(PROGRAM, Plan(0))} == {"pruned is refused"}

    def fails(*_: object) -> object:
        raise KeyError("lost")

    monkeypatch.setattr(judging, "check_program", fails)
    (found,) = TRIALS["programs"][0](3, Counter[str]())
    assert found.kind == "raises KeyError"
    assert "lost" in found.details
    assert reduced(found) == found.text


@pytest.mark.parametrize("seed", range(12))
def test_rules_demand_of_random_instances_what_mlir_demands(seed: int) -> None:
    counts = Counter[str]()
    assert TRIALS["instances"][0](seed, counts) == []
    assert counts["instances"] > 0
