"""The same program without the runtime checks that are proved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from shapesolve.errors import InputError
from shapesolve.language.atoms import MAX_SIZE
from shapesolve.options import Options
from shapesolve.pipeline import Progress, chosen, trace_of
from shapesolve.proving.verdicts import Proved
from shapesolve.reading import bindings
from shapesolve.reading.bindings import Bindings
from shapesolve.reading.crash_trial import parsed_bytecode, parsed_text, survives
from shapesolve.reading.file_content import load
from shapesolve.reading.mlir_reader import read_module, read_text
from shapesolve.reading.program import Location, Operation, Program
from shapesolve.reading.source_text import without_locations
from shapesolve.rewriting.checks import ASSUMING_ALL, check_name, checks_of, counted, message_of
from shapesolve.rewriting.correspondence import Correspondence
from shapesolve.rewriting.coverage import Coverage
from shapesolve.rewriting.dead_code import erase_dead_code
from shapesolve.rewriting.decisions import OPEN, Decision, Decisions, Evidence, decide
from shapesolve.rewriting.definedness import Definedness
from shapesolve.rewriting.outcome import CheckFate, PruneResult
from shapesolve.rewriting.printing import name_arguments, name_values, printed
from shapesolve.rewriting.reasons import Grounds
from shapesolve.rewriting.recording import check_recordable, record
from shapesolve.rewriting.replay import Replay, replay
from shapesolve.rewriting.reproof import Reproof
from shapesolve.rewriting.surgery import Surgery
from shapesolve.walking.obligations import Obligation

MOST_ROUNDS = 8
"""What one round removes may let the next one prove more."""


def prune_file(path: str, options: Options, progress: Progress | None = None) -> PruneResult:
    """Prune a file, text or bytecode ("-": the standard input); the output is text.

    Raises InputError for what cannot be read, PruneError where the output fails its own proof.
    """
    content = load(path)
    if content.text is not None:
        program = read_text(content.text, content.file)
        return prune_program(replace(program, notes=(*content.notes, *program.notes)), options, progress)
    if not survives(content.data):
        raise InputError("MLIR crashes on this bytecode: the file is damaged; write it again", where=content.file)
    context = bindings.new_context()
    try:
        module = parsed_bytecode(context, content.data)
    except (bindings.ir().MLIRError, ValueError) as error:
        raise InputError(f"MLIR cannot read this bytecode: {error}", where=content.file) from None
    read_module(module, content.file)
    text = printed(module, names=False, places=True)
    return prune_program(read_text(text, content.file), options, progress)


def prune_program(program: Program, options: Options, progress: Progress | None = None) -> PruneResult:
    """Prune a program that was read from text. Raises InputError and PruneError as `prune_file` does."""
    if program.text is None:
        raise InputError("only what was read from text can be pruned: print the module first", where=program.file)
    if options.max_size != MAX_SIZE:
        raise InputError("checks may only go for all sizes: write the bound as an assumption", where="--max-size")
    before = counted(program)
    first = _round(program, options, progress)
    fates, text, notes = dict(first.fates), first.text, [*program.notes, *first.notes]
    last, origins, places = first, first.origins, _places(program, first)
    written_down = replace(options, assumptions=(), shapes=(), min_size=0)
    for _ in range(MOST_ROUNDS - 1):
        if last.pruned is None:
            break
        found = places
        last = _round(last.pruned, written_down, None, lambda location, found=found: found.get(location, location))
        for number, fate in last.fates.items():
            origin = origins[number]
            if fate.removed and origin in fates:
                there = fates[origin]
                fates[origin] = replace(there, removed=True, verdict=fate.verdict, reason=fate.reason)
        if last.pruned is not None:
            text = last.text
            origins = tuple(origins[number] if number >= 0 else number for number in last.origins)
            places = _places(program, replace(last, origins=origins))
    after = counted(read_text(text, program.file))
    if text != program.text and "//" in program.text:
        notes.append("comments are not kept")
    return PruneResult(
        text,
        tuple(fates[number] for number in sorted(fates)),
        {name: (count, after.get(name, 0)) for name, count in before.items()},
        tuple(dict.fromkeys(notes)),
    )


@dataclass(frozen=True, slots=True)
class _Round:
    """One round: the new text, the program read from it (None: nothing was removed), and the fates by number.

    ``origins`` holds the number of each operation of the new program in the old one, negative for those made afresh.
    """

    text: str
    pruned: Program | None
    origins: tuple[int, ...]
    fates: Mapping[int, CheckFate]
    notes: tuple[str, ...]


def _places(original: Program, last: _Round) -> dict[Location, Location]:
    """The place in the original of every operation of the pruned program, by its place there."""
    if last.pruned is None:
        return {}
    pictures = list(original.operation.walk())
    return {
        op.location: pictures[number].location
        for op, number in zip(last.pruned.operation.walk(), last.origins, strict=True)
        if number >= 0
    }


def _round(
    program: Program,
    options: Options,
    progress: Progress | None,
    place: Callable[[Location], Location] = lambda location: location,
) -> _Round:
    assert program.text is not None
    functions = chosen(program, options.functions)
    check_recordable(functions, options)
    replays = [replay(trace_of(program, each, options), options, progress) for each in functions]
    coverage = Coverage(program, [each.trace for each in replays])
    grounds = Grounds(replays, place)
    definedness = None if options.trust_ub else Definedness(program, replays, coverage)
    decisions = decide(program, Evidence({each.trace: each for each in replays}, coverage, grounds, definedness))
    notes = _notes(replays, grounds)
    if decisions.is_empty and not _has_constant_witness(program):
        fates = _fates(program, decisions, set(), coverage, _trusting(replays, decisions, options))
        return _Round(program.text, None, (), fates, notes)
    surgery = Surgery(_live(program.text), program)
    surgery.open(decisions)
    recorded = [record(surgery.live[each.operation.number], each, options) for each in functions]
    named = name_arguments(surgery)
    opened, opened_order = printed(surgery.unnumbered(), names=named, places=False, generic=True), surgery.order()
    surgery.take_out()
    dead = erase_dead_code(surgery, lambda op: _is_defined(op, replays))
    origins = tuple(surgery.order())
    gone = (decisions.proved | decisions.passing | surgery.opened | dead) - set(origins)
    fates = _fates(program, decisions, gone | surgery.dropped, coverage, _trusting(replays, decisions, options))
    if not any(fate.removed for fate in fates.values()):
        return _Round(program.text, None, (), fates, notes)
    if any(recorded):
        notes = (*notes, "what was assumed is written down in the output (shapesolve.assume, shapesolve.shape)")
    if options.trust_ub:
        notes = (*notes, "operations are trusted not to be undefined (--trust-ub)")
    has_places = without_locations(program.text) is not None
    if not has_places:
        name_values(surgery)
    text = printed(surgery.unnumbered(), names=named or not has_places, places=has_places)
    reproof = Reproof(program, replays, options)
    pruned = reproof.read(text)
    taken = {number: truth for number, truth in decisions.taken.items() if number in surgery.opened}
    correspondence = Correspondence(program, pruned, origins, taken, gone)
    correspondence.check()
    reproof.check_gone(reproof.read(opened), opened_order)
    reproof.check_left(pruned, correspondence)
    return _Round(text, pruned, origins, fates, notes)


def _live(text: str) -> Bindings:
    return parsed_text(bindings.new_context(), text)


def _is_defined(op: Operation, replays: list[Replay]) -> bool:
    return any(op in each.trace.reached for each in replays) and all(each.is_defined(op) for each in replays)


def _has_constant_witness(program: Program) -> bool:
    return any(
        op.name == "shape.const_witness" and op.attributes.get("passing") is True for op in program.operation.walk()
    )


def _notes(replays: list[Replay], grounds: Grounds) -> tuple[str, ...]:
    notes: list[str] = []
    for each in replays:
        name = each.trace.function.name
        if each.contradiction:
            facts = grounds.words(each.contradiction)
            notes.append(f"@{name}: nothing is pruned, because no sizes satisfy what is assumed: {facts}")
        notes += [f"@{name} is modelled on the assumption that {words}" for words in each.trace.leans_on]
    return tuple(notes)


def _trusting(replays: list[Replay], decisions: Decisions, options: Options) -> Mapping[Operation, bool]:
    """Of the checks that stay: whether each would be proved if no operation before it were undefined."""
    if options.trust_ub:
        return {}
    stays = {op for op, each in decisions.all.items() if not each.goes and each.verdict in ("refuted", "undecided")}
    if not stays:
        return {}

    def worth_judging(obligation: Obligation) -> bool:
        return obligation.op in stays

    proved: dict[Operation, bool] = {}
    for each in replays:
        trusting = replay(each.trace, replace(options, trust_ub=True), worth_judging=worth_judging, ask=False)
        for op in stays:
            for judgement in trusting.checks(op):
                proved[op] = proved.get(op, True) and isinstance(judgement.verdict, Proved)
    return proved


def _fates(
    program: Program, decisions: Decisions, gone: set[int], coverage: Coverage, trusting: Mapping[Operation, bool]
) -> dict[int, CheckFate]:
    fates: dict[int, CheckFate] = {}
    for op in checks_of(program):
        decision = decisions.all.get(op) or _structural(op, op.number in gone)
        removed = op.number in gone
        verdict, reason = decision.verdict, decision.reason
        if removed and not decision.goes:
            reason = "it stands in a branch that is never taken"
        elif not removed and decision.goes:
            reason = "it was proved, but has a form that cannot be removed"
        elif not removed and trusting.get(op):
            reason += "; --trust-ub would remove it"
        function = coverage.function_of(op)
        name = check_name(op)
        assert name is not None
        identity = f"{function.name if function is not None else ''}/{op.name}#{op.number}"
        fates[op.number] = CheckFate(name, op.location, identity, message_of(op), removed, verdict, reason)
    return fates


def _structural(op: Operation, removed: bool) -> Decision:
    """An operation that only hands witnesses on."""
    which = "all its witnesses pass" if op.name == ASSUMING_ALL else "its witness passes"
    if removed:
        return Decision(True, "proved", which)
    missing = "not all its witnesses were proved" if op.name == ASSUMING_ALL else "its witness was not proved"
    return Decision(False, OPEN, missing)
