"""Input files of a command line that names files, directories and patterns.

Directories are searched as ruff and git do: files with the suffix of a program or a model, but for hidden directories
and for what a ``.gitignore`` leaves out. The patterns of a ``.gitignore`` are those of git, which neither `fnmatch` nor
`glob` implements: ``pathspec`` does, and is imported only where a directory is searched.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from shapesolve.errors import InputError, unreadable
from shapesolve.ir.input_files import check_name
from shapesolve.records import value_record

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SUFFIXES = (".mlir", ".mlirbc", ".pt2", ".onnx")
"""Suffixes of the files that a directory is searched for."""

IGNORE_FILES = (".gitignore", ".git/info/exclude")
_NEVER_SEARCHED = ("__pycache__", "node_modules", "site-packages")
_WILDCARDS = "*?["
_STARS = re.compile(r"\\.|(\*{2,})")
_MOST_STARS = 10
"""Stars of a pattern that may match any part of one name: the time of matching grows with the power of their number."""
_LONGEST_SHOWN = 60


@value_record
class Source:
    """Input of a command.

    Attributes:
        name: The file or model.
        searched: Whether a directory or pattern led to it, so that the command line does not name it itself.
        root: The directory that was searched, or the file's own.
    """

    name: str
    searched: bool = False
    root: str = ""

    @property
    def relative(self) -> str:
        """The path of the file below the directory that was searched."""
        return os.path.relpath(self.name, self.root or os.path.dirname(self.name) or ".")


def find_sources(names: Sequence[str], exclude: Sequence[str] = (), *, gitignore: bool = True) -> list[Source]:
    """Return the inputs that a command line names, directories and patterns replaced by the files in them.

    The files of a directory or pattern come in the order of their names, and none of them twice.

    Args:
        names: Files, models, directories and glob patterns (``**`` matches directories of any depth).
        exclude: Patterns as in a .gitignore, relative to the current directory, of files to leave out.
        gitignore: Whether to respect .gitignore files.

    Raises:
        InputError: A directory has no input, or a pattern matches none.
    """
    found: list[Source] = []
    seen = {os.path.abspath(each) for each in names}
    for name in names:
        check_name(name)
        searched = _searched(name, exclude, gitignore=gitignore)
        if searched is None:
            found.append(Source(name))
            continue
        files = list(searched)
        if not files:
            kinds = f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
            reason = f"there is no {kinds} file in it" if os.path.isdir(name) else "no file matches"
            raise InputError(f"{reason}{_left_out(name, exclude, gitignore=gitignore)}", where=name)
        for each in files:
            if os.path.abspath(each) not in seen:
                seen.add(os.path.abspath(each))
                found.append(Source(each, searched=True, root=_root(name)))
    return found


def _root(name: str) -> str:
    """Return a directory, or the innermost directory that a pattern names without a wildcard."""
    path = Path(name)
    while any(each in str(path) for each in _WILDCARDS):
        path = path.parent
    return str(path)


def _left_out(name: str, exclude: Sequence[str], *, gitignore: bool) -> str:
    """Return a remark on the files that patterns leave out, if there are any."""
    count = len(list(_searched(name, (), gitignore=False) or ())) if gitignore or exclude else 0
    if not count:
        return ""
    noun = "one file is" if count == 1 else f"{count} files are"
    return f"; {noun} left out by .gitignore or --exclude (--no-gitignore takes the former)"


def _searched(name: str, exclude: Sequence[str], *, gitignore: bool) -> Iterator[str] | None:
    """Return the files of a directory or pattern; None for the name of one input."""
    try:
        path = Path(name)
        if path.is_dir():
            return _files_in(path, _Filter(path, exclude, gitignore=gitignore))
        if not any(each in name for each in _WILDCARDS) or path.exists():
            return None
    except (OSError, ValueError):  # a name that is too long, or with a null byte: reading it reports that
        return None
    return _matching(name, exclude, gitignore=gitignore)


def _matching(pattern: str, exclude: Sequence[str], *, gitignore: bool) -> Iterator[str]:
    from glob import iglob

    suffix = Path(pattern).suffix
    named = bool(suffix) and not any(each in suffix for each in _WILDCARDS)
    filters: dict[Path, _Filter] = {}
    for each in sorted(iglob(pattern, recursive=True)):
        path = Path(each)
        if path.is_dir() or _is_no_file(path) or not (named or path.suffix.lower() in SUFFIXES):
            continue
        if path.parent not in filters:
            filters[path.parent] = _Filter(path.parent, exclude, gitignore=gitignore)
        if not filters[path.parent].leaves_out(path):
            yield each


def _files_in(directory: Path, chosen: _Filter) -> Iterator[str]:
    try:
        entries = sorted(os.scandir(directory), key=lambda each: each.name)
    except OSError as error:
        raise InputError(unreadable(error), where=str(directory)) from None
    for entry in entries:
        path = directory / entry.name
        if _is_directory(entry):
            is_hidden = entry.name.startswith(".") or entry.name in _NEVER_SEARCHED
            # A link to a directory may lead back here.
            if not is_hidden and not entry.is_symlink() and not chosen.leaves_out(path, is_directory=True):
                yield from _files_in(path, chosen)
        elif _is_input(path) and not chosen.leaves_out(path):
            yield str(path)


def _is_input(path: Path) -> bool:
    """Return whether a path that is no directory is an input of a directory."""
    return path.suffix.lower() in SUFFIXES and not path.name.startswith(".") and not _is_no_file(path)


def _is_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads back to itself: reading it reports that
        return False


def _is_no_file(path: Path) -> bool:
    """Return whether a path is a pipe, a socket or a device, whose reading may never end. A broken link is none."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False


class _Filter:
    """Files to leave out: those of the .gitignore files that apply to a directory, and those of ``exclude``."""

    def __init__(self, root: Path, exclude: Sequence[str], *, gitignore: bool) -> None:
        self._root = Path(os.path.abspath(root))
        self._exclude = list(exclude)
        self._gitignore = gitignore
        self._specs: dict[Path, tuple[GitIgnoreSpec, ...]] = {}
        self._top: Path | None = None
        # Patterns above the root do not count where they leave out the root, which was asked for.
        if gitignore and self._is_ignored(self._root, is_directory=True):
            self._top = self._root

    def leaves_out(self, path: Path, *, is_directory: bool = False) -> bool:
        """Return whether a file, or all of a directory, is left out."""
        target = Path(os.path.abspath(path))
        if self._excluded is not None and _decision(self._excluded, target, Path.cwd(), is_directory):
            return True
        return self._gitignore and self._is_ignored(target, is_directory)

    @cached_property
    def _excluded(self) -> GitIgnoreSpec | None:
        return pattern_spec(self._exclude) if self._exclude else None

    def _is_ignored(self, target: Path, is_directory: bool) -> bool:
        for directory in target.parents:  # the innermost .gitignore that has a pattern for the file decides
            if self._top is not None and not directory.is_relative_to(self._top):
                return False
            for spec in self._ignore_files(directory):
                decided = _decision(spec, target, directory, is_directory)
                if decided is not None:
                    return decided
            if (directory / ".git").exists():
                return False
        return False

    def _ignore_files(self, directory: Path) -> tuple[GitIgnoreSpec, ...]:
        if directory not in self._specs:
            files = [directory / each for each in IGNORE_FILES]
            self._specs[directory] = tuple(_read(each) for each in files if each.is_file())
        return self._specs[directory]


def _read(path: Path) -> GitIgnoreSpec:
    """Return the patterns of a file, but for those that mean nothing: git, too, matches nothing with them."""
    try:
        lines = path.read_text("utf-8", errors="surrogateescape").splitlines()
    except OSError:
        lines = []
    try:
        return pattern_spec(lines)
    except InputError:
        return pattern_spec([each for each in lines if _is_pattern(each)])


def _is_pattern(line: str) -> bool:
    try:
        pattern_spec([line])
    except InputError:
        return False
    return True


def pattern_spec(patterns: Sequence[str]) -> GitIgnoreSpec:
    """Return patterns of a `.gitignore` compiled.

    Raises:
        InputError: One is none, or could take exponential time to match.
    """
    from pathspec import GitIgnoreSpec

    plain = [_STARS.sub(_fewer_stars, each) for each in patterns]
    for each in plain:
        if max(part.count("*") for part in each.split("/")) > _MOST_STARS:
            shown = each if len(each) <= _LONGEST_SHOWN else f"{each[:_LONGEST_SHOWN]}..."
            reason = f"`{shown}` has more than {_MOST_STARS} separate `*` between two `/`"
            raise InputError(reason, where="a pattern of files to leave out")
    try:
        return GitIgnoreSpec.from_lines(plain)
    except (ValueError, re.error) as error:
        raise InputError(f"{error}", where="a pattern of files to leave out") from None


def _fewer_stars(found: re.Match[str]) -> str:
    """Return `*` for several, or `**` where they are all that stands between two `/`; what is escaped stays."""
    if found[1] is None:
        return found[0]
    text, (start, end) = found.string, found.span()
    is_alone = (start == 0 or text[start - 1] in "/!") and (end == len(text) or text[end] == "/")
    return "**" if is_alone else "*"


def _decision(spec: GitIgnoreSpec, target: Path, base: Path, is_directory: bool) -> bool | None:
    """Return whether patterns leave out a file, None if none is about it."""
    if not target.is_relative_to(base) or target == base:
        return None
    relative = target.relative_to(base).as_posix() + ("/" if is_directory else "")
    return spec.check_file(relative).include
