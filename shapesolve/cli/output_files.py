"""Output files: written completely or not at all, and never over a file of the user's.

The same holds for the directory of ``check --certify``.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from shapesolve.certificates.manifest import NAME, is_manifest, manifest_text
from shapesolve.certificates.writer import HEADER, Certificate
from shapesolve.errors import InputError
from shapesolve.frontends.open import file_of

STDOUT = "-"


def check_target(path: str, option: str, *, inputs: Iterable[str], ours: bytes = b"", force: bool = False) -> None:
    """Refuse to write where the user would lose a file.

    The inputs are never overwritten. Another existing file is replaced only with ``force``, or if it is empty or
    begins as one of shapesolve's own reports does (``ours``).

    Raises:
        InputError: The file would be lost.
    """
    if path == STDOUT:
        return
    target = Path(path)
    try:
        if target.is_dir():
            raise InputError(f"{path} is a directory; give a file in it", where=option)
        if not target.parent.is_dir():
            raise InputError(f"there is no directory {target.parent}", where=option)
        exists = _exists(target, option)
        for each in inputs:
            file = Path(file_of(each))
            if each != STDOUT and exists and file.exists() and target.samefile(file):
                raise InputError(f"{path} is the input; it is never overwritten", where=option)
        if exists and not target.is_file():
            if not force and not _is_null_device(target):
                raise InputError(f"{path} is not a regular file; --force writes to it", where=option)
            return
        if exists and not force and not _begins_with_header(target, ours):
            raise InputError(f"{path} exists already; --force replaces it", where=option)
        if not os.access(target.parent, os.W_OK):
            raise InputError(f"permission to write into {target.parent} is denied", where=option)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}", where=option) from None
    except ValueError as error:  # a path with a null byte
        raise InputError(f"{path!r}: {error}", where=option) from None


def _is_null_device(target: Path) -> bool:
    """Return whether what is written there is thrown away, as its name says: nothing can be lost."""
    return target.is_char_device() and os.path.samefile(target, os.devnull)


def _exists(target: Path, option: str) -> bool:
    if os.path.islink(os.path.realpath(target)):
        raise InputError(f"{target} is a symbolic link that leads back to itself", where=option)
    return target.exists()


def _begins_with_header(target: Path, ours: bytes) -> bool:
    if not ours:
        return False
    with target.open("rb") as stream:
        head = stream.read(400)
    return not head or ours in head


def write(path: str, content: str | bytes, option: str) -> None:
    """Write a file, or standard output for ``-``, completely or not at all.

    Raises:
        InputError: It cannot be written.
    """
    write_pieces(path, (content,), option)


def write_pieces(path: str, pieces: Iterable[str | bytes], option: str) -> None:
    """Write a file, or standard output for ``-``, piece by piece; a file completely or not at all.

    Raises:
        InputError: It cannot be written.
    """
    data = (each.encode("utf-8") if isinstance(each, str) else each for each in pieces)
    if path == STDOUT:
        _print(data)
        return
    target = Path(path)
    try:
        if target.exists() and not target.is_file():  # /dev/stderr, a named pipe
            with target.open("wb") as stream:
                stream.writelines(data)
            return
        _write_atomically(Path(os.path.realpath(target)), data)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}", where=option) from None


def _print(data: Iterable[bytes]) -> None:
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.writelines(each.decode("utf-8", "backslashreplace") for each in data)
        return
    sys.stdout.flush()
    buffer.writelines(data)
    buffer.flush()


def _write_atomically(target: Path, data: Iterable[bytes]) -> None:
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.writelines(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(mode)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


OPTION = "--certify"


def check_directory(directory: Path, *, force: bool) -> None:
    """Make the directory of certificates, or refuse it.

    A directory that holds nothing but shapesolve's certificates may be used again; any other one only with
    ``force``, which replaces certificates and leaves the other files.

    Raises:
        InputError: The directory is refused.
    """
    try:
        if directory.exists() and not directory.is_dir():
            raise InputError(f"{directory} is not a directory", where=OPTION)
        directory.mkdir(parents=True, exist_ok=True)
        foreign = None if force else next((each for each in _inside(directory) if not _is_certificate_file(each)), None)
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
    """Replace the certificates in a directory and its manifest, and return the number of certificates written.

    Every group has the name of its own folder; the empty name is the directory itself.
    """
    written: list[tuple[str, Certificate]] = []
    try:
        (directory / NAME).unlink(missing_ok=True)  # first: what is interrupted has none
        for old in [each for each in _inside(directory) if _is_certificate_file(each)]:
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
    """Yield the entries of the directory and of its folders; a folder in a folder is one entry."""
    for each in sorted(directory.iterdir()):
        if each.is_dir() and not each.is_symlink():
            yield from sorted(each.iterdir())
        else:
            yield each


def _is_certificate_file(path: Path) -> bool:
    if is_manifest(path):
        return True
    if path.suffix != ".smt2" or path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as stream:
        return stream.read(len(HEADER)) == HEADER.encode()
