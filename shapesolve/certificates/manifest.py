"""Manifest of a directory of certificates: it lists the files that were written, so that a missing one is noticed."""

from __future__ import annotations

import hashlib
import json
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import cast

from shapesolve.certificates.writer import Certificate
from shapesolve.errors import InputError, unreadable
from shapesolve.records import value_record

NAME = "shapesolve-manifest.json"
FORMAT, VERSION = "shapesolve-certificates", 1
KINDS = {True: "proof", False: "lemmas"}
LARGEST = 50_000_000


@value_record
class Entry:
    """One file of a manifest.

    Attributes:
        name: path below the directory, with "/"
        is_proof: a proof, or else lemmas
        questions: number of its ``check-sat``
        sha256: hash of its bytes, in hexadecimal digits
    """

    name: str
    is_proof: bool
    questions: int
    sha256: str


def hash_of(content: bytes) -> str:
    """Return the SHA-256 of a file's bytes."""
    return hashlib.sha256(content).hexdigest()


def manifest_text(written: Iterable[tuple[str, Certificate]]) -> str:
    """Return the manifest of certificates, by their paths below the directory."""
    entries = [_entry_of(name, each) for name, each in sorted(written, key=lambda pair: pair[0])]
    document = {
        "format": FORMAT,
        "version": VERSION,
        "proofs": sum(entry.is_proof for entry in entries),
        "lemmas": sum(entry.questions for entry in entries if not entry.is_proof),
        "files": [
            {"name": entry.name, "kind": KINDS[entry.is_proof], "questions": entry.questions, "sha256": entry.sha256}
            for entry in entries
        ],
    }
    return json.dumps(document, indent=1) + "\n"


def _entry_of(name: str, certificate: Certificate) -> Entry:
    text = certificate.text
    return Entry(name, certificate.is_proof, text.count("\n(check-sat)"), hash_of(text.encode("utf-8")))


def is_manifest(path: Path) -> bool:
    """Return whether a file is a manifest of ours, by its beginning."""
    if path.name != NAME or path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as stream:
        return f'"format": "{FORMAT}"'.encode() in stream.read(200)


def read_bounded(path: Path, kind: str) -> bytes:
    """Return the bytes of a regular file of at most `LARGEST` bytes; kind names what it should be in errors.

    Raises:
        OSError: the file cannot be read.
        InputError: it is a device, a pipe or a socket, which may never end, or it is too large.
    """
    found = path.stat()
    mode = found.st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        linked = f": it links to {path.resolve()}" if path.is_symlink() else ""
        raise InputError(f"{kind} is a regular file, and this is not one{linked}", where=str(path))
    content = b""
    if found.st_size <= LARGEST:
        with path.open("rb") as stream:
            content = stream.read(LARGEST + 1)  # one that grows, or states no size, is bounded too
    if max(found.st_size, len(content)) > LARGEST:
        raise InputError(f"this file is too large for {kind}: the limit is {LARGEST:,} bytes", where=str(path))
    return content


def read_manifest(directory: Path) -> list[Entry]:
    """Return the files that a directory must hold.

    Raises:
        InputError: the manifest is not there, or is none.
    """
    path = directory / NAME
    try:
        document = json.loads(read_bounded(path, "a manifest").decode("utf-8"))
    except FileNotFoundError:
        raise InputError(
            f"{directory} has no {NAME}, and without it a missing proof would not be noticed; "
            f"write the certificates again: shapesolve check FILE --certify {directory}"
        ) from None
    except OSError as error:
        raise InputError(unreadable(error), where=str(path)) from None
    except (ValueError, RecursionError):
        raise _damaged(path) from None
    return _entries(document, path)


def _entries(document: object, path: Path) -> list[Entry]:
    fields = _object(document, path)
    if fields.get("format") != FORMAT:
        raise _damaged(path)
    if fields.get("version") != VERSION:
        raise InputError(
            f"this is a manifest of another version; this shapesolve reads version {VERSION}", where=str(path)
        )
    files = fields.get("files")
    if not isinstance(files, list):
        raise _damaged(path)
    entries = [_entry(each, path) for each in cast("list[object]", files)]
    proofs = sum(entry.is_proof for entry in entries)
    lemmas = sum(entry.questions for entry in entries if not entry.is_proof)
    if (fields.get("proofs"), fields.get("lemmas")) != (proofs, lemmas):
        raise InputError(
            "the numbers of proofs and lemmas that this manifest states are not those of its files", where=str(path)
        )
    if len({entry.name for entry in entries}) != len(entries):
        raise _damaged(path)
    return entries


def _entry(value: object, path: Path) -> Entry:
    fields = _object(value, path)
    name, kind = fields.get("name"), fields.get("kind")
    questions, digest = fields.get("questions"), fields.get("sha256")
    if not (isinstance(name, str) and name.endswith(".smt2") and isinstance(digest, str)):
        raise _damaged(path)
    if kind not in KINDS.values() or not isinstance(questions, int) or questions < 1:
        raise _damaged(path)
    return Entry(name, kind == KINDS[True], questions, digest)


def _object(value: object, path: Path) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise _damaged(path)
    return cast("dict[str, object]", value)


def _damaged(path: Path) -> InputError:
    return InputError("this is not a manifest that check --certify wrote", where=str(path))
