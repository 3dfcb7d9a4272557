"""Configuration of a project: ``shapesolve.toml``, or the table ``[tool.shapesolve]`` of ``pyproject.toml``.

    min-size = 1
    assume = ["arg0[0] >= 1"]
    exclude = ["build/"]
    ignore = ["huge-sizes"]

    [per-file."models/*.mlir"]
    assume = ["x[0] % 8 == 0"]
    ignore = ["unchecked"]

A key is an option of ``check`` and is put before the options of the command line, so that these win or add to it.
``models`` is none: it names the models that the language server runs when it is told to, ``"FILE.py:FUNCTION"`` or
``{model = "FILE.py:MODULE", inputs = ["x=f32[B,8]"]}``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from shapesolve.cli.file_discovery import pattern_spec
from shapesolve.errors import InputError, unreadable
from shapesolve.records import value_record

OWN_FILE, SHARED_FILE = "shapesolve.toml", "pyproject.toml"
COMMANDS = ("check", "baseline")
OPTION, WITHOUT = "--config", "--no-config"

_LISTS = ("assume", "shape", "carrier", "exclude", "select", "ignore", "function")
_PATH_LISTS = ("facts", "library")
_NUMBERS = ("min-size", "max-size", "max-bytes", "budget", "seed", "jobs", "timeout")
_TEXTS = ("fail-on", "format", "level")
_PATHS = ("baseline",)
_SWITCHES_ON = ("distrust", "trust-exporter", "split-input-file", "exit-zero", "check-wraps")
_SWITCHES_OFF = {"execute": "--no-execute", "decompose": "--no-decompose", "gitignore": "--no-gitignore",
                 "cache": "--no-cache"}  # fmt: skip
_MODELS = "models"
_PER_FILE, _OF_FILES = "per-file", ("assume", "shape", "facts", "ignore")
_OF_CHECK = ("fail-on", "format", "baseline", "exit-zero", "cache", "check-wraps")
"""Keys that ``baseline`` has no option for."""
_MODEL = re.compile(r".+\.py:[A-Za-z_][\w.]*", re.DOTALL)
_KEYS = (*_LISTS, *_PATH_LISTS, *_NUMBERS, *_TEXTS, *_PATHS, *_SWITCHES_ON, *_SWITCHES_OFF, _MODELS, _PER_FILE)


@value_record
class PerFile:
    """Settings of the files that a pattern matches.

    Patterns are those of a .gitignore, relative to the directory of the configuration.

    Attributes:
        pattern: The pattern.
        assume, shape, facts, ignore: As the options of these names.
        places: The same as options of the command line, each with its line, for errors.
    """

    pattern: str
    assume: tuple[str, ...] = ()
    shape: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    places: tuple[tuple[str, str], ...] = ()

    def places_of(self, key: str) -> list[str]:
        """Return the line of each value of a key."""
        return [place for option, place in self.places if option.startswith(f"--{key}=")]


@value_record
class NamedModel:
    """A model for the editor.

    Attributes:
        source: ``FILE.py:FUNCTION``, relative to the directory of the configuration.
        inputs: The inputs of a module, as ``--inputs`` takes them.
    """

    source: str
    inputs: tuple[str, ...] = ()


@value_record
class Configuration:
    """Configuration: equivalent command line options, and settings of single files.

    Attributes:
        path: The file that it is in.
        options: Options by key.
        per_file: Settings of the files that patterns match.
        models: Models for the editor.
        places: The options, each with its line, for errors.
    """

    path: str
    options: tuple[tuple[str, str], ...]
    per_file: tuple[PerFile, ...]
    models: tuple[NamedModel, ...] = ()
    places: tuple[tuple[str, str], ...] = ()


def with_configuration(given: Sequence[str]) -> list[str]:
    """Return a command line with the options of the configuration behind its command.

    Raises:
        InputError: The configuration is not of the form above.
    """
    configuration = configuration_of(given)
    return list(given) if configuration is None else with_options(given, configuration)


def configuration_of(given: Sequence[str]) -> Configuration | None:
    """Return the configuration that counts for a command line; None if it has none, or takes none.

    Raises:
        InputError: The configuration is not of the form above.
    """
    place = _place_of_command(given)
    if place is None or given[place] not in COMMANDS or {"-h", "--help", WITHOUT} & set(given):
        return None
    path = next((each.partition("=")[2] for each in given if each.startswith(f"{OPTION}=")), None)
    if OPTION in given[:-1]:
        path = given[list(given).index(OPTION) + 1]
    try:
        path = path or find(Path.cwd())
    except FileNotFoundError:  # the working directory is gone: no configuration stands there
        path = None
    return None if path is None else read(path)


def with_options(given: Sequence[str], configuration: Configuration) -> list[str]:
    """Return a command line with the options of its configuration behind its command."""
    place = _place_of_command(given)
    if place is None:
        return list(given)
    skipped = () if given[place] == "check" else _OF_CHECK
    options = [option for key, option in configuration.options if key not in skipped]
    return [*given[: place + 1], f"{OPTION}={configuration.path}", *options, *given[place + 1 :]]


def _place_of_command(given: Sequence[str]) -> int | None:
    return next((number for number, each in enumerate(given) if not each.startswith("-")), None)


def find(directory: Path) -> str | None:
    """Return the configuration of a directory: the innermost one above it, inside of its repository."""
    for each in (directory, *directory.parents):
        for name in (OWN_FILE, SHARED_FILE):
            path = each / name
            if path.is_file() and (name == OWN_FILE or _has_table(path)):
                return os.path.relpath(path) if each == directory else str(path)
        if (each / ".git").exists():
            return None
    return None


def _has_table(path: Path) -> bool:
    """Return whether a ``pyproject.toml`` says something about shapesolve."""
    import tomllib

    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{unreadable(error)}; {WITHOUT} leaves it out", where=str(path)) from None
    if b"tool.shapesolve" in data or b"shapesolve" not in data:
        return b"tool.shapesolve" in data
    try:
        tool = tomllib.loads(data.decode("utf-8-sig")).get("tool")
    except (ValueError, RecursionError):  # others will say so
        return False
    return isinstance(tool, dict) and "shapesolve" in tool


def read(path: str) -> Configuration:
    """Return the configuration in a file.

    Raises:
        InputError: It cannot be read, or has a key or value that means nothing, with its line.
    """
    import tomllib

    try:
        text = Path(path).read_text("utf-8-sig")
        document = tomllib.loads(text)
    except OSError as error:
        raise InputError(unreadable(error), where=path) from None
    except UnicodeDecodeError:
        raise InputError("this is not UTF-8 text", where=path) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is not TOML: {error}", where=path) from None
    if Path(path).name == SHARED_FILE:
        tool = document.get("tool", {})
        found = cast("dict[str, object]", tool).get("shapesolve", {}) if isinstance(tool, dict) else tool
        if not isinstance(found, dict):
            raise InputError("tool.shapesolve is a table: [tool.shapesolve]", where=path)
        document = cast("dict[str, Any]", found)
    source = _Source(path, text)
    table = document
    options = tuple((key, option) for key, value in table.items() for option in _options(key, value, source))
    places = tuple((option, source.place(key)) for key, option in options)
    return Configuration(path, options, _per_file(table.get(_PER_FILE, {}), source), _models(table, source), places)


class _Source:
    """Text of a configuration, for the places of errors."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self._lines = text.splitlines()
        # Tables of other tools have keys of the same names.
        self._start = self._line_of(_TABLE, 0) or 0 if Path(path).name == SHARED_FILE else 0

    def error(self, key: str, message: str, *, within: str = "") -> InputError:
        """Return an error at the line of a key."""
        return InputError(message, where=self.place(key, within=within))

    def place(self, key: str, *, within: str = "") -> str:
        """Return the file and the line of a key, which stands in the table of a pattern if there is one."""
        start = self._line_of(_key_pattern(within), self._start) if within else self._start
        line = self._line_of(_key_pattern(key), max(0, (start or 1) - 1))
        return f"{self.path}:{line}" if line else self.path

    def _line_of(self, pattern: re.Pattern[str], start: int) -> int | None:
        numbers = range(start, len(self._lines))
        return next((number + 1 for number in numbers if pattern.match(self._lines[number])), None)

    def beside(self, name: str) -> str:
        """Return a path that is relative to the directory of the configuration."""
        return os.path.join(os.path.dirname(self.path), name)


_SHARED_TABLE = "tool.shapesolve"
_TABLE = re.compile(r"\s*\[\s*tool\s*\.\s*shapesolve\s*[\].]")


def _key_pattern(key: str) -> re.Pattern[str]:
    """Return a pattern of lines that begin with a key, or with a table that has it in its name."""
    return re.compile(rf"""\s*(\[[^\]]*)?["']?{re.escape(key)}["']?\s*(=|\]|\.)""")


def _options(key: str, value: object, source: _Source) -> Iterator[str]:
    """Yield the options of the command line that a key stands for."""
    option = f"--{key}"
    if key in (_MODELS, _PER_FILE):
        return
    if words := _refusal(key, value, source):
        raise source.error(key, words)
    if key in _LISTS or key in _PATH_LISTS:
        texts = _texts(key, value, source)
        yield from (f"{option}={source.beside(each) if key in _PATH_LISTS else each}" for each in texts)
    elif key in _NUMBERS:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise source.error(key, f"{key} is a number")
        yield f"{option}={value}"
    elif key in _TEXTS or key in _PATHS:
        if not isinstance(value, str) or not value:
            raise source.error(key, f"{key} is a text")
        yield f"{option}={source.beside(value) if key in _PATHS else value}"
    else:
        if not isinstance(value, bool):
            raise source.error(key, f"{key} is true or false")
        if key in _SWITCHES_OFF and not value:
            yield _SWITCHES_OFF[key]
        elif key in _SWITCHES_ON and value:
            yield option


def _refusal(key: str, value: object, source: _Source) -> str:
    """Return the reason why a key is refused; empty if it is one of a configuration."""
    if key == "rules":
        return "rules are run as Python, so a configuration cannot name them: give --rules yourself"
    if words := _misplaced(key, value, source):
        return words
    return "" if key in _KEYS else f"`{key}` is no option{_hint(key, _KEYS)}"


def _misplaced(key: str, value: object, source: _Source) -> str:
    """Return where the settings of a table belong that no configuration has; empty for what is no such table."""
    if not isinstance(value, dict):
        return ""
    top = f"in [{_SHARED_TABLE}]" if Path(source.path).name == SHARED_FILE else "at the top of the file"
    given = [str(each) for each in cast("dict[object, object]", value)]
    if key == "tool" and given == ["shapesolve"]:
        return f"[{_SHARED_TABLE}] is for {SHARED_FILE}: write its keys at the top of this file, without a table"
    if any(each in given for each in _OF_FILES) and any(each in key for each in "*./"):
        return f'did you mean [{_PER_FILE}."{key}"]?'
    if key in COMMANDS or all(each in _KEYS for each in given):
        shown = f" (`{given[0]}`)" if given else ""
        return f"`{key}` is no table of a configuration: write its keys{shown} {top}, for all commands"
    return ""


def _texts(key: str, value: object, source: _Source, *, within: str = "") -> tuple[str, ...]:
    texts = cast("list[object]", value) if isinstance(value, list) else [None]
    found = tuple(each for each in texts if isinstance(each, str) and each)
    if len(found) != len(texts):
        raise source.error(key, f'{key} is a list of texts: {key} = ["..."]', within=within)
    return found


def _models(table: Mapping[str, object], source: _Source) -> tuple[NamedModel, ...]:
    given = table.get(_MODELS, [])
    if not isinstance(given, list):
        raise source.error(_MODELS, f'{_MODELS} is a list: {_MODELS} = ["model.py:make"]')
    return tuple(_model(each, source) for each in cast("list[object]", given))


def _model(given: object, source: _Source) -> NamedModel:
    table = cast("dict[str, object]", given) if isinstance(given, dict) else {"model": given}
    name = table.get("model")
    if not isinstance(name, str) or not _MODEL.fullmatch(name) or not table.keys() <= {"model", "inputs"}:
        forms = '"model.py:make" or {model = "model.py:Net", inputs = ["x=f32[B,8]"]}'
        raise source.error(_MODELS, f"`{given}` is no model: write {forms}")
    return NamedModel(name, _texts("inputs", table.get("inputs", []), source))


def _per_file(given: object, source: _Source) -> tuple[PerFile, ...]:
    if not isinstance(given, dict):
        raise source.error(_PER_FILE, f'{_PER_FILE} has a table for each pattern: [{_PER_FILE}."models/*.mlir"]')
    found: list[PerFile] = []
    for pattern, table in cast("dict[str, object]", given).items():
        if not isinstance(table, dict):
            raise source.error(pattern, f"the settings of `{pattern}` are a table")
        try:
            pattern_spec([pattern])
        except InputError as error:
            raise source.error(pattern, error.message) from None
        settings: dict[str, tuple[str, ...]] = {}
        places: list[tuple[str, str]] = []
        for key, value in cast("dict[str, object]", table).items():
            if key not in _OF_FILES:
                words = f"`{key}` is no setting of single files{_hint(key, _OF_FILES)}"
                raise source.error(key, words, within=pattern)
            texts = _texts(key, value, source, within=pattern)
            settings[key] = tuple(map(source.beside, texts)) if key == "facts" else texts
            places += [(f"--{key}={each}", source.place(key, within=pattern)) for each in settings[key]]
        found.append(PerFile(pattern, **settings, places=tuple(places)))
    return tuple(found)


def _hint(key: str, known: Sequence[str]) -> str:
    from difflib import get_close_matches

    alike = get_close_matches(key, known, n=1)
    return f"; did you mean `{alike[0]}`?" if alike else f"; known are {', '.join(sorted(known))}"


def settings_of(file: str, configuration: Configuration | None) -> list[PerFile]:
    """Return the settings of a file in the order of the configuration."""
    if configuration is None or not configuration.per_file:
        return []
    base = os.path.dirname(os.path.abspath(configuration.path))
    try:
        relative = Path(os.path.relpath(os.path.abspath(file), base)).as_posix()
    except ValueError:  # on another drive
        return []
    return [each for each in configuration.per_file if pattern_spec([each.pattern]).match_file(relative)]


def places_in(error: str, configuration: Configuration | None, file: str | None = None) -> str:
    """Return which options of the configuration an error is about, with their lines; empty if it is about none.

    An error names the option (``--assume``) or the value, such as a file that does not exist. Of several values of an
    option those count that it names; of files, ``file`` is the one that was to be checked.
    """
    if configuration is None:
        return ""
    given = list(configuration.places)
    for each in settings_of(file, configuration) if file is not None else ():
        given += each.places
    named: list[tuple[str, str]] = []
    valued: list[tuple[str, str]] = []
    for option, place in given:
        name, _, value = option.partition("=")
        is_named = re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", error) is not None
        has_value = bool(value) and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", error) is not None
        if is_named:
            named.append((option, place))
        if has_value and (is_named or name[2:] in (*_PATH_LISTS, *_PATHS, "function")):
            valued.append((option, place))
    shown = [f"{option} stands in {place}" for option, place in (valued or named)[:3]]
    return f"{', '.join(shown)}; {WITHOUT} leaves the configuration out" if shown else ""


TEMPLATE: Mapping[str, str] = {
    "min-size = 1": "no size is 0",
    'assume = ["arg0[0] % 8 == 0"]': "what holds of the sizes of every function",
    'exclude = ["build/"]': "what to leave out of directories, as in a .gitignore",
    'ignore = ["huge-sizes"]': "codes of findings to leave out, as shapesolve check --format concise prints them",
    'fail-on = "refuted"': "or always, or undecided (the default)",
    'baseline = "shapesolve-baseline.json"': "findings that are known, as shapesolve baseline writes them",
}
"""Options of a new configuration, each with a comment."""


def template(*, shared: bool) -> str:
    """Return a configuration in which everything is commented out, as a table of pyproject.toml if it is ``shared``."""
    prefix = "tool.shapesolve." if shared else ""
    width = max(map(len, TEMPLATE)) + 2
    lines = ["[tool.shapesolve]"] if shared else []
    lines += ['# Options of shapesolve check; take away the "# " before what you want.']
    lines += [f"# {option:{width}}# {words}" for option, words in TEMPLATE.items()]
    lines += ["#", f'# [{prefix}{_PER_FILE}."models/*.mlir"]', '# facts = ["models.shapes.toml"]']
    return "\n".join(lines) + "\n"
