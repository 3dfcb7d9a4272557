"""The directory of ``check --certify``: nothing of the user's in it is ever lost."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from shapesolve.certifying.files import HEADER, Certificate
from shapesolve.certifying.manifest import NAME, is_manifest, manifest_text
from shapesolve.commands.writing import write
from shapesolve.errors import InputError

OPTION = "--certify"


def check_directory(directory: Path, *, force: bool) -> None:
    """Make the directory, or refuse it. Raises InputError.

    What holds nothing but certificates of ours may be used again; what holds anything else only with ``force``, which
    replaces certificates and leaves the rest as it is.
    """
    try:
        if directory.exists() and not directory.is_dir():
            raise InputError(f"{directory} is not a directory", where=OPTION)
        directory.mkdir(parents=True, exist_ok=True)
        foreign = None if force else next((each for each in _inside(directory) if not _is_ours(each)), None)
        if foreign is not None:
            name = foreign.relative_to(directory)
            raise InputError(
                f"{directory} holds {name}, which is no certificate; --force writes beside it", where=OPTION
            )
        if os.path.lexists(directory / NAME) and not is_manifest(directory / NAME):
            raise InputError(f"{directory} holds a {NAME} that is none of ours; it is never overwritten", where=OPTION)
        probe = directory / ".shapesolve-probe"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise InputError(f"{directory}: {error.strerror or error}", where=OPTION) from None
    except ValueError as error:  # a path with a null byte
        raise InputError(f"{str(directory)!r}: {error}", where=OPTION) from None


def write_certificates(directory: Path, groups: Sequence[tuple[str, Sequence[Certificate]]]) -> int:
    """Replace the certificates in a directory by others, and its manifest; how many certificates were written.

    Every group has the name of its own folder in it; the empty name is the directory itself.
    """
    written: list[tuple[str, Certificate]] = []
    try:
        (directory / NAME).unlink(missing_ok=True)  # first: what is interrupted has none
        for old in [each for each in _inside(directory) if _is_ours(each)]:
            old.unlink()
        for folder, certificates in groups:
            (directory / folder).mkdir(exist_ok=True)
            for path, certificate in _placed(directory / folder, certificates):
                write(str(path), certificate.text, OPTION)
                written.append((path.relative_to(directory).as_posix(), certificate))
        write(str(directory / NAME), manifest_text(written), OPTION)
    except OSError as error:
        raise InputError(f"{directory}: {error.strerror or error}", where=OPTION) from None
    return len(written)


def _placed(folder: Path, certificates: Sequence[Certificate]) -> Iterator[tuple[Path, Certificate]]:
    taken: set[str] = set()
    for certificate in certificates:
        stem, number, name = certificate.name.removesuffix(".smt2"), 1, certificate.name
        while name.lower() in taken or (folder / name).exists():
            number += 1
            name = f"{stem}.{number}.smt2"
        taken.add(name.lower())
        yield folder / name, certificate


def _inside(directory: Path) -> Iterator[Path]:
    """Whatever is in the directory and in its folders; a folder in a folder counts as a whole."""
    for each in sorted(directory.iterdir()):
        if each.is_dir() and not each.is_symlink():
            yield from sorted(each.iterdir())
        else:
            yield each


def _is_ours(path: Path) -> bool:
    if is_manifest(path):
        return True
    if path.suffix != ".smt2" or path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as stream:
        return stream.read(len(HEADER)) == HEADER.encode()
