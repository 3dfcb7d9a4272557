"""Programs on which a hunt tries passes: the parts of the user's files, then generated ones without end."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from shapesolve.errors import InputError, unreadable
from shapesolve.program_generation import programs
from shapesolve.records import value_record

_SEPARATOR = re.compile(r"^// -----.*$", re.MULTILINE)
_GENERATORS: tuple[tuple[str, Callable[[int, int], str]], ...] = (
    ("sizes", programs.module),
    ("loops", programs.with_loops),
    ("sizes", programs.module),
    ("images", programs.with_images),
    ("sizes", programs.module),
    ("floats", programs.with_floats),
    ("vectors", programs.with_vectors),
)
_FUNCTIONS = 2
_STRIDE = 1_000_003
"""Distance of the seeds of two hunts: the programs of neighboring seeds are others."""


@value_record
class Sample:
    """One program.

    Attributes:
        name: The file with the number of its part, or the generator with its seed.
        text: The program, as MLIR.
    """

    name: str
    text: str


class Samples:
    """Programs by number, the same at every time.

    Args:
        files: The user's files.
        seed: The seed of the generated programs.
        generated: Whether programs are generated once the files are used up.

    Raises:
        InputError: A file cannot be read, or there is no program at all.
    """

    def __init__(self, files: Sequence[str], seed: int, *, generated: bool = True) -> None:
        self._given = [sample for file in files for sample in _parts(file)]
        self._seed = seed
        self._generated = generated
        if not self._given and not generated:
            raise InputError("there is no program: give files, or leave out --no-generate")

    @property
    def count(self) -> int | None:
        """The number of programs; None without end."""
        return None if self._generated else len(self._given)

    def __getitem__(self, number: int) -> Sample:
        if number < len(self._given):
            return self._given[number]
        index = number - len(self._given)
        name, generate = _GENERATORS[index % len(_GENERATORS)]
        seed = self._seed * _STRIDE + index
        return Sample(f"{name}-{seed}", generate(seed, _FUNCTIONS))


def _parts(file: str) -> list[Sample]:
    """Return the modules of a file, which ``// -----`` separates."""
    try:
        text = Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(unreadable(error), where=file) from None
    except UnicodeDecodeError:
        raise InputError("is no text", where=file) from None
    parts = [each for each in _SEPARATOR.split(text) if each.strip()]
    return [Sample(file if len(parts) == 1 else f"{file}:{number}", each) for number, each in enumerate(parts, 1)]
