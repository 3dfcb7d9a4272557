"""Fuzzing campaign: runs each kind of trial with one seed after the other and stores its findings."""

from __future__ import annotations

import json
import random
import re
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fuzz import cases, executing, formulas, instances, properties
from fuzz.changes import changed
from fuzz.graphs import with_graphs
from fuzz.judging import Diagnostic, Plan, Tally, examine
from fuzz.lowering import with_blocks
from fuzz.machine import Unsupported
from fuzz.narrow_programs import narrow

from shapesolve.errors import InputError
from shapesolve.gc_control import collector_paused
from shapesolve.ir import bindings
from shapesolve.program_generation.programs import (
    module,
    with_contracts,
    with_floats,
    with_images,
    with_loops,
    with_vectors,
)
from shapesolve.reducer import reduce

FUNCTIONS = 10
"""Number of programs in one module: they share the cost of parsing."""
REDUCTIONS = 150
"""Default number of candidates for the reduction of a finding."""
RAISES = "raises"
LOCATION = re.compile(r" loc\(#?loc\d*\)|^#loc.*\n", re.MULTILINE)
"""Pattern of MLIR locations. They are removed, so that verdicts are located by line and column of the file."""
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Finding:
    """A defect: the trial and seed that found it, and a text that shows it."""

    trial: str
    seed: int
    kind: str
    details: str
    text: str


Trial = Callable[[int, Counter[str]], list[Finding]]


def try_programs(seed: int, counts: Counter[str]) -> list[Finding]:
    """A random module: checked and run; often pruned, compared with its pruned form and with a change of itself."""
    return _tried("programs", seed, module(seed, FUNCTIONS), counts)


def try_contracts(seed: int, counts: Counter[str]) -> list[Finding]:
    """The same of a random module whose functions call what states a contract and cannot be followed."""
    return _tried("contracts", seed, with_contracts(seed, FUNCTIONS // 2), counts)


def try_floats(seed: int, counts: Counter[str]) -> list[Finding]:
    """The same of a random module in which floats are made of sizes."""
    return _tried("floats", seed, with_floats(seed, FUNCTIONS), counts)


def try_vectors(seed: int, counts: Counter[str]) -> list[Finding]:
    """The same of a random module in which vectors are read and written."""
    return _tried("vectors", seed, with_vectors(seed, FUNCTIONS), counts)


def try_narrow(seed: int, counts: Counter[str]) -> list[Finding]:
    """The same of a random module of narrow integers, affine expressions, nested witnesses and chains of views."""
    return _tried("narrow", seed, narrow(seed, FUNCTIONS // 2), counts)


def try_images(seed: int, counts: Counter[str]) -> list[Finding]:
    """The same of a random module on images and tables, in TOSA."""
    return _tried("images", seed, with_images(seed, FUNCTIONS), counts)


def try_loops(seed: int, counts: Counter[str]) -> list[Finding]:
    """The same of a random module of nested loops, and of blocks."""
    return _tried("loops", seed, with_loops(seed, FUNCTIONS), counts)


def try_lowered(seed: int, counts: Counter[str]) -> list[Finding]:
    """The same of such a module, of which MLIR has made blocks."""
    try:
        text = with_blocks(with_loops(seed, FUNCTIONS))
    except bindings.ir().MLIRError as error:
        counts[f"refused: {type(error).__name__}"] += 1
        return []
    return _tried("lowered", seed, text, counts)


def try_graphs(seed: int, counts: Counter[str]) -> list[Finding]:
    """The same of a random module of blocks between which control goes in any way."""
    return _tried("graphs", seed, with_graphs(seed, FUNCTIONS // 2), counts)


def try_examples(seed: int, counts: Counter[str]) -> list[Finding]:
    """An example with up to three changes."""
    chance = random.Random(seed)
    path = chance.choice(sorted((ROOT / "examples").glob("*.mlir")))
    text = changed(LOCATION.sub("", path.read_text(encoding="utf-8")), chance, chance.choice((1, 1, 2, 3)))
    return _tried("examples", seed, text, counts)


def try_cases(seed: int, counts: Counter[str]) -> list[Finding]:
    """A function of a case file, as it is or with up to two changes."""
    chance = random.Random(seed)
    _, _, text = chance.choice(cases.cases())
    return _tried("cases", seed, changed(text, chance, chance.choice((0, 1, 2))), counts)


def plan_of(seed: int, text: str) -> Plan:
    """Return the plan for the text of a seed."""
    chance = random.Random(f"plan {seed}")
    other = changed(text, chance, 2) if seed % 6 == 1 else None
    return Plan(seed, prune=seed % 6 == 0, refine=seed % 12 == 0, changed=other, contract=seed % 12 == 3)


def _tried(trial: str, seed: int, text: str, counts: Counter[str]) -> list[Finding]:
    plan = plan_of(seed, text)
    tally = Tally()
    try:
        with collector_paused():
            complaints = examine(text, plan, tally)
    except (InputError, Unsupported, bindings.ir().MLIRError) as error:
        counts[f"refused: {type(error).__name__}"] += 1
        return []
    except Exception as error:  # whatever it is, the seed is not to be lost, nor the hours that are left
        return [Finding(trial, seed, f"{RAISES} {type(error).__name__}", traceback.format_exc(), text)]
    counts.update(tally.counts)
    first: dict[str, Diagnostic] = {}
    for each in complaints:
        first.setdefault(each.kind, each)
    return [Finding(trial, seed, kind, f"@{each.function}: {each.details}", text) for kind, each in first.items()]


def try_formulas(seed: int, counts: Counter[str]) -> list[Finding]:
    """A hundred claims against all small sizes."""
    try:
        formulas.questions(seed, counts)
    except formulas.Wrong as wrong:
        return [Finding("formulas", seed, "wrong verdict", str(wrong), str(wrong))]
    return []


def try_execution(seed: int, counts: Counter[str]) -> list[Finding]:
    """One function of a small module, compiled and run by MLIR as well."""
    text = module(seed, 2)
    names = re.findall(r"^func.func @(\w+)", text, re.MULTILINE)
    if not names:
        return []
    try:
        details = executing.differences(text, names[-1], seed, counts)
    except Unsupported as unsupported:
        counts[f"refused: {unsupported}"] += 1
        return []
    return [Finding("execution", seed, "the interpreter differs from MLIR", details[0], text)] if details else []


def try_instances(seed: int, counts: Counter[str]) -> list[Finding]:
    """One operation at some static sizes."""
    details = instances.disagreements(seed, counts)
    return [Finding("instances", seed, "the rule differs from MLIR", details[0], "\n".join(details))] if details else []


def try_properties(seed: int, counts: Counter[str]) -> list[Finding]:
    """The property tests of one file, on other examples than those of the suite."""
    details = properties.failures(seed, counts)
    return [Finding("properties", seed, "a property fails", details.splitlines()[-1], details)] if details else []


TRIALS: Mapping[str, tuple[Trial, float]] = {
    "programs": (try_programs, 0.15),
    "properties": (try_properties, 0.05),
    "loops": (try_loops, 0.1),
    "lowered": (try_lowered, 0.05),
    "graphs": (try_graphs, 0.05),
    "contracts": (try_contracts, 0.1),
    "floats": (try_floats, 0.05),
    "vectors": (try_vectors, 0.05),
    "images": (try_images, 0.05),
    "narrow": (try_narrow, 0.05),
    "instances": (try_instances, 0.05),
    "formulas": (try_formulas, 0.1),
    "examples": (try_examples, 0.05),
    "cases": (try_cases, 0.05),
    "execution": (try_execution, 0.1),
}
"""Kinds of trials, each with its share of the time."""


def reduced(finding: Finding, attempts: int = REDUCTIONS) -> str:
    """The text of a finding, made smaller while the same kind of thing goes wrong."""
    if finding.trial in ("formulas", "execution", "instances", "properties") or finding.kind.startswith(RAISES):
        return finding.text
    plan = plan_of(finding.seed, finding.text)
    if plan.changed is not None and finding.kind == "proved to refine and differs":
        return finding.text
    kind = finding.kind
    smaller = Plan(plan.seed, 40, prune="prune" in kind, refine="refine" in kind, contract="contract" in kind)

    def still_fails(text: str) -> bool:
        try:
            return any(each.kind == finding.kind for each in examine(text, smaller))
        except (Unsupported, bindings.ir().MLIRError):
            return False

    return reduce(finding.text, still_fails, attempts=attempts)


@dataclass
class Campaign:
    """Trials until the time is up. ``folder`` keeps the next seed of each trial, the counts, and the findings."""

    folder: Path
    state: dict[str, dict[str, float]] = field(default_factory=dict[str, dict[str, float]])

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        kept = self.folder / "state.json"
        if kept.is_file():
            self.state = json.loads(kept.read_text(encoding="utf-8"))

    def next_trial(self, names: list[str]) -> str:
        """The trial that is furthest behind its part of the time."""
        return min(names, key=lambda name: self.state.get(name, {}).get("seconds", 0.0) / TRIALS[name][1])

    def run(self, name: str) -> list[Finding]:
        """Run a trial with one seed."""
        mine = self.state.setdefault(name, {"next seed": 0})
        seed, begun, counts = int(mine["next seed"]), time.monotonic(), Counter[str]()
        found = TRIALS[name][0](seed, counts)
        for what, number in counts.items():
            mine[what] = mine.get(what, 0) + number
        mine["seconds"] = mine.get("seconds", 0.0) + time.monotonic() - begun
        mine["next seed"] = seed + 1
        mine["findings"] = mine.get("findings", 0) + len(found)
        return found

    def save(self) -> None:
        """Save the state from which a later run continues."""
        (self.folder / "state.json").write_text(json.dumps(self.state, indent=2), encoding="utf-8")

    def keep(self, finding: Finding, text: str) -> Path:
        """Write a finding down."""
        path = self.folder / f"{finding.trial}-{finding.seed}-{finding.kind.replace(' ', '-')}.mlir"
        head = "\n".join(
            f"// {line}" for line in (f"{finding.kind}, seed {finding.seed}", *finding.details.splitlines())
        )
        path.write_text(f"{head}\n{text}\n", encoding="utf-8")
        return path
