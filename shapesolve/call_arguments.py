"""Arguments of the public functions: what they take, and the errors for what they do not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from shapesolve.options import Options
from shapesolve.symbolic.formula_kinds import Formula

Texts = str | Sequence[str]
"""One text, or several."""


def several(texts: Texts) -> tuple[str, ...]:
    """Return texts as a tuple, and a single text as a tuple of one.

    Raises:
        TypeError: The argument is neither.
    """
    is_mapping = isinstance(texts, Mapping)  # of which only the keys would be read
    if is_mapping or not isinstance(texts, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"a text or several are needed here, not {type(texts).__name__} {texts!r}")
    found = (texts,) if isinstance(texts, str) else tuple(texts)
    for text in found:
        if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise _not_a_text(text)
    return found


def _not_a_text(value: object) -> TypeError:
    hint = f"; write {str(value)!r}" if isinstance(value, Formula) else ""
    return TypeError(f"a text is needed here, not {type(value).__name__} {value!r}{hint}")


def chosen_options(
    options: Options | None, assume: Texts, shapes: Texts, functions: Texts, min_size: int, *, execute: bool = True
) -> Options:
    """Return the options if there are any, or else those that the arguments mean."""
    return checked_options(options) or Options(
        assumptions=several(assume),
        shapes=several(shapes),
        functions=several(functions),
        min_size=min_size,
        execute=execute,
    )


def check_switches(**switches: bool) -> None:
    """Refuse a switch that is neither on nor off.

    Raises:
        TypeError: A value is no bool.
    """
    for name, value in switches.items():
        if not isinstance(value, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"{name} is True or False, not {type(value).__name__} {value!r}")


def checked_options(options: Options | None) -> Options | None:
    """Return the options.

    Raises:
        TypeError: They are no `Options`.
    """
    if options is not None and not isinstance(options, Options):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"options are an Options, not {type(options).__name__}")
    return options
