"""The same program without the runtime checks that are proved."""

from __future__ import annotations

from dataclasses import replace

from shapesolve.deadline import TIME_LIMIT
from shapesolve.errors import InputError
from shapesolve.language.atoms import MAX_SIZE
from shapesolve.libraries.layering import rulebook_for
from shapesolve.options import Options
from shapesolve.pipeline import Progress
from shapesolve.proving.remembering import Answers
from shapesolve.pruning.checks import counted
from shapesolve.pruning.one_round import Round, prune_once
from shapesolve.pruning.outcome import PruneError, PruneResult
from shapesolve.pruning.printing import printed
from shapesolve.reading import bindings
from shapesolve.reading.crash_trial import parsed_bytecode, survives
from shapesolve.reading.file_content import load
from shapesolve.reading.mlir_reader import read_module, read_text
from shapesolve.reading.program import Location, Program

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
    text = printed(module, read_module(module, content.file).operation, places=True)
    return prune_program(read_text(text, content.file), options, progress)


def prune_program(program: Program, options: Options, progress: Progress | None = None) -> PruneResult:
    """Prune a program that was read from text. Raises InputError and PruneError as `prune_file` does."""
    if program.text is None:
        raise InputError("only what was read from text can be pruned: print the module first", where=program.file)
    if options.max_size != MAX_SIZE:
        raise InputError("checks may only go for all sizes: write the bound as an assumption", where="--max-size")
    options = replace(options, answers=options.answers or Answers())
    rulebook = rulebook_for(program, options)
    before = counted(program, rulebook)
    first = prune_once(program, options, progress)
    fates, text, notes = dict(first.fates), first.text, [*program.notes, *first.notes]
    last, origins, places = first, first.origins, _places(program, first)
    written_down = replace(options, assumptions=(), shapes=(), min_size=0)
    for _ in range(MOST_ROUNDS - 1):
        if last.pruned is None or options.deadline.passed:
            break
        found = places
        try:
            last = prune_once(
                last.pruned, written_down, None, lambda place, found=found: found.get(place, place), last.contradictory
            )
        except PruneError:
            if options.deadline.passed:  # what the rounds before wrote is proved
                break
            raise
        for number, fate in last.fates.items():
            origin = origins[number]
            if fate.removed and origin in fates:
                there = fates[origin]
                fates[origin] = replace(there, removed=True, verdict=fate.verdict, reason=fate.reason)
        if last.pruned is not None:
            text = last.text
            origins = tuple(origins[number] if number >= 0 else number for number in last.origins)
            places = _places(program, replace(last, origins=origins))
    if options.deadline.passed:
        notes.append(f"{TIME_LIMIT}: more checks might go")
    after = counted(read_text(text, program.file), rulebook)
    if text != program.text and "//" in program.text:
        notes.append("comments are not kept")
    return PruneResult(
        text,
        tuple(fates[number] for number in sorted(fates)),
        {name: (count, after.get(name, 0)) for name, count in before.items()},
        tuple(dict.fromkeys(notes)),
    )


def _places(original: Program, last: Round) -> dict[Location, Location]:
    """The place in the original of every operation of the pruned program, by its place there."""
    if last.pruned is None:
        return {}
    pictures = list(original.operation.walk())
    return {
        op.location: pictures[number].location
        for op, number in zip(last.pruned.operation.walk(), last.origins, strict=True)
        if number >= 0
    }
