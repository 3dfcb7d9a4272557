"""Declared sizes of a PyTorch model (`dynamic_shapes`), apart from what torch.export finds."""

from __future__ import annotations

import linecache
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import count
from typing import Any, cast

from shapesolve.errors import InputError
from shapesolve.frontends.export_process import Facts
from shapesolve.frontends.shown_paths import relative
from shapesolve.frontends.torch_facts import argument_places, settled_extent, user_inputs
from shapesolve.frontends.torch_names import is_named, users_name
from shapesolve.frontends.torch_recording import Recording
from shapesolve.frontends.users_frames import Frame
from shapesolve.ir.declarations import Declarations, Guard, extent_symbol, shown_text
from shapesolve.preconditions.python_guards import condition_text, extent_of, identifier, normalized_claims, size_text

ORIGIN = "what dynamic_shapes declares"


def leaf_shapes(module: Any, arguments: tuple[Any, ...], keywords: dict[str, Any], shapes: Any) -> dict[int, Any]:
    """Return what is declared of each tensor, and of each number by its place from the first, by identity.

    Empty where the form of the declarations is not known: nothing is declared then.
    """
    found: dict[int, Any] = {}
    if shapes is None:
        return found
    helpers = import_module("torch.export.dynamic_shapes")

    def visit(_: Any, leaf: Any, declared: Any = None) -> None:
        if hasattr(leaf, "shape"):
            found[id(leaf)] = declared

    try:
        combined = helpers._combine_args(module, arguments, keywords)
        if isinstance(shapes, tuple | list):
            combined = list(combined.values()) if isinstance(shapes, list) else tuple(combined.values())
        helpers._tree_map_with_path(visit, combined, shapes, tree_name="inputs")
    except Exception:  # whatever the exporter says of it is said where it exports
        found.clear()
    return found


def check_dimensions(
    module: Any, arguments: tuple[Any, ...], keywords: dict[str, Any], shapes: Any, where: str
) -> None:
    """Check that every dimension of which a size is declared is one of the tensor's, and has such a size there.

    Raises:
        InputError: A dimension is not below the tensor's rank, where torch.export has no words of its own; or an
            example input has another size than is declared, for which torch.export refuses any model.
    """
    declared = leaf_shapes(module, arguments, keywords, shapes)
    roots: dict[tuple[object, ...], int] = {}
    for leaf in import_module("torch.utils._pytree").tree_leaves((arguments, keywords)):
        sizes, rank = declared.get(id(leaf)), len(getattr(leaf, "shape", ()))
        given: list[object] = [*cast("Mapping[object, object]", sizes)] if isinstance(sizes, Mapping) else []
        beyond = [each for each in given if not (isinstance(each, int) and 0 <= each < rank)]
        if beyond:
            extents = ", ".join(map(str, leaf.shape))
            message = f"dynamic_shapes declares dimension {beyond[0]!r} of an example input of shape [{extents}]"
            raise InputError(message, where=where)
        for dimension, size in cast("Mapping[int, object]", sizes).items() if isinstance(sizes, Mapping) else ():
            extent = int(leaf.shape[dimension])
            declares = _mismatch(size, extent, roots) if is_named(size) else ""
            if declares:
                place = f"dimension {dimension} of an example input of shape [{', '.join(map(str, leaf.shape))}]"
                raise InputError(f"dynamic_shapes declares {declares}, but {place} is {extent}", where=where)


def _mismatch(size: Any, extent: int, roots: dict[tuple[object, ...], int]) -> str:
    """Return what is declared of a size that the extent of an example input does not have; "" where it has it.

    Args:
        size: The declared size, with a name.
        roots: The names of the extents before with their limits, each with its size.
    """
    name, (least, most) = users_name(size), _bounds(size)
    if extent < least:
        return f"{name} >= {least}"
    if most is not None and extent > most:
        return f"{name} <= {most}"
    root, number = getattr(size, "root", size), extent
    if root is not size:
        try:
            offset = int(size.fn(0))
            factor = int(size.fn(1)) - offset
        except (AssertionError, TypeError, ValueError):
            return ""
        if not factor:
            return ""
        number, rest = divmod(extent - offset, factor)
        if rest or number < 0:
            return f"{name}"
    before = roots.setdefault((root.__name__, *_bounds(root)), number)
    return "" if before == number else f"{name}, where {users_name(root)} is {before} by the inputs before"


def automatic(shapes: Any) -> Any:
    """Return the declarations with every named size left to the exporter, within its range."""
    hint: Any = import_module("torch.export").Dim.AUTO
    if isinstance(shapes, Mapping):
        return {key: automatic(each) for key, each in shapes.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(shapes, tuple | list):
        parts = [automatic(each) for each in cast("Sequence[object]", shapes)]
        return parts if isinstance(shapes, list) else tuple(parts)
    if is_named(shapes):
        least, most = _bounds(shapes)
        return hint(min=least, max=most) if least or most is not None else hint
    if _is_hint(shapes) and shapes.type.name == "DYNAMIC":
        return hint(min=shapes.min, max=shapes.max) if shapes.min or shapes.max is not None else hint
    return shapes


def _is_hint(size: Any) -> bool:
    return type(size).__name__ == "_DimHint"


def _bounds(size: Any) -> tuple[int, int | None]:
    """Return the least and the most that a named size may be; None for no most."""
    try:
        least, most = size.min, size.max
        return (0 if least is None else max(int(least), 0)), (int(most) if _is_finite(most) else None)
    except (AssertionError, TypeError, ValueError, OverflowError):
        return 0, None


def _is_finite(most: Any) -> bool:
    return most is not None and type(most).__name__ != "IntInfinity" and int(most) < 2**62


class _Reader:
    """Translator of declared sizes to texts that collects the claims about their symbols."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.claims: dict[str, None] = {}
        self.taken: set[str] = set()

    def size(self, declared: Any, extent: int, argument: str, dimension: int) -> str:
        """Return an extent as a text over symbols."""
        if is_named(declared) and type(declared).__name__ != "_StaticDim":
            return self._named(declared)
        if _is_hint(declared) and declared.type.name != "STATIC":
            symbol = extent_symbol(argument, dimension)
            self._range(symbol, declared.min or 0, declared.max)
            return symbol
        return str(extent)

    def _named(self, declared: Any) -> str:
        root = getattr(declared, "root", None)
        if root is None or isinstance(root, int):
            name = self._name(str(declared.__name__), users_name(declared))
            self._range(name, *_bounds(declared))
            return name
        name = self._named(root)
        sympy = import_module("sympy")
        symbol = sympy.Symbol(name, integer=True, nonnegative=True)
        text = size_text(declared.fn(symbol), {name: name})
        return text or name

    def _name(self, given: str, shown: str) -> str:
        if given not in self.names:
            name = identifier(shown, frozenset(self.taken))
            if "__" in name:  # which is in symbols of extents alone
                plain = re.sub("__+", "_", identifier(shown)).rstrip("_")
                name = next(each for each in (f"{plain}_{n}" for n in count(2)) if each not in self.taken)
            self.names[given] = name
            self.taken.add(self.names[given])
        return self.names[given]

    def _range(self, name: str, least: int, most: int | None) -> None:
        if least > 0:
            self.claims[f"{name} >= {least}"] = None
        if most is not None and most < 2**62:
            self.claims[f"{name} <= {most}"] = None


def declarations_of(
    program: Any,
    leaves: Mapping[int, Any],
    found: Recording,
    refusal: str,
    *,
    can_run: bool,
    assumptions: Sequence[str] = (),
) -> tuple[Facts, Declarations, tuple[str, ...]]:
    """Return the declared facts for the program's arguments, all of it for the report, and guards without a text.

    Args:
        program: What torch.export returned.
        leaves: What is declared of each tensor, by identity.
        found: What torch.export found.
        refusal: Its words where it refused the declarations.
        can_run: Whether the model can be run.
        assumptions: Conditions over the names of declared sizes.
    """
    inputs = user_inputs(program)
    reader = _Reader()
    reader.taken.update(name for name, _ in inputs)
    shapes = _declared_shapes(program, inputs, leaves, reader)
    scalars = tuple(position for position, (_, value) in enumerate(inputs) if not hasattr(value, "shape"))
    texts = _texts_of_symbols(inputs, shapes)
    numbers = _settled_extents(inputs, shapes)
    stated = (_NAME.sub(lambda match: reader.names.get(match[0], match[0]), each) for each in assumptions)
    claims = (*reader.claims, *stated, *_checks(found, texts))
    integers = [inputs[position][0] for position in scalars]
    guards, inexpressible = _guards(found, texts, integers)
    settled = list(dict.fromkeys(_settled(found, texts, shapes[at][each], n) for (at, each), n in numbers.items()))
    frozen = {each.sides[0] for each in settled}
    symbols = dict.fromkeys(each for texts_ in shapes.values() for each in texts_ if each.isidentifier())
    free = [each for each in symbols if each not in integers and each not in frozen]
    traced = [Guard(f"{each} >= {least}") for each in free for least in (1, 2)]
    settled_texts = {each.text for each in settled}
    kept = [each for each in (*guards, *traced) if each.text not in settled_texts]
    places = argument_places(program)
    refusal = _in_declared_names(refusal, inputs, shapes)
    declarations = Declarations(shapes, scalars, claims, (*settled, *kept), places, refusal, can_run)
    tensors = {position: texts_ for position, texts_ in shapes.items() if position not in scalars}
    stated = _stated_shapes(tensors, numbers)
    sizes = {shapes[position][dimension]: each for (position, dimension), each in numbers.items()}
    claims = _with_numbers(claims, sizes, stated)
    facts = Facts(ORIGIN, tuple(name for name, _ in inputs), stated, _stated_claims(claims, integers))
    return facts, declarations, inexpressible


def _declared_shapes(
    program: Any, inputs: Sequence[tuple[str, Any]], leaves: Mapping[int, Any], reader: _Reader
) -> dict[int, tuple[str, ...]]:
    """Return the extents of each tensor as texts over symbols; of a number its name."""
    values = import_module("torch.utils._pytree").tree_leaves(program.example_inputs)
    wanted = [spec.arg for spec in program.graph_signature.input_specs if spec.kind.name == "USER_INPUT"]
    given = {each.name: value for each, value in zip(wanted, values, strict=False) if hasattr(each, "name")}
    shapes: dict[int, tuple[str, ...]] = {}
    for position, (name, value) in enumerate(inputs):
        if not hasattr(value, "shape"):
            shapes[position] = (name,)
            continue
        example = given.get(name)
        declared = leaves.get(id(example))
        extents = [_extent(value, example, each) for each in range(len(value.shape))]
        shapes[position] = tuple(
            reader.size(declared_at(declared, dimension), extent, name, dimension)
            for dimension, extent in enumerate(extents)
        )
    return shapes


def _settled_extents(
    inputs: Sequence[tuple[str, Any]], shapes: Mapping[int, tuple[str, ...]]
) -> dict[tuple[int, int], int]:
    """Return the extents, by argument and dimension, that are one number in the export and not declared as it."""
    return {
        (position, dimension): number
        for position, (_, value) in enumerate(inputs)
        for dimension, size in enumerate(getattr(value, "shape", ()))
        if (number := settled_extent(size)) is not None and not shapes[position][dimension].isdecimal()
    }


def _stated_shapes(
    tensors: Mapping[int, tuple[str, ...]], numbers: Mapping[tuple[int, int], int]
) -> dict[int, tuple[str, ...]]:
    """Return the shapes without what is a number in the export, unless its names stand elsewhere, or has no name.

    A number that is the size of a name that stands elsewhere says what that is.
    """
    places = [(position, at, text) for position, texts in tensors.items() for at, text in enumerate(texts)]
    open_names = {name for *at, text in places if tuple(at) not in numbers for name in _NAME.findall(text)}

    def is_left_out(position: int, dimension: int, text: str) -> bool:
        return "__" in text or ((position, dimension) in numbers and open_names.isdisjoint(_NAME.findall(text)))

    return {
        position: tuple("_" if is_left_out(position, at, text) else text for at, text in enumerate(texts))
        for position, texts in tensors.items()
    }


_SOURCE = re.compile(r"L\[\S*?\]\.size\(\)\[\d+\]")


def with_guards_of(declared: Declarations, program: Any, found: Recording) -> tuple[Declarations, tuple[str, ...]]:
    """Return the declarations with the guards of decomposing a program, and those of them without a text."""
    guards, inexpressible = guards_of(program, declared.shapes, found)
    known = {each.text for each in declared.guards}
    added = (each for each in guards if each.text not in known)
    return replace(declared, guards=(*declared.guards, *added)), inexpressible


def guards_of(
    program: Any, shapes: Mapping[int, tuple[str, ...]], found: Recording
) -> tuple[list[Guard], tuple[str, ...]]:
    """Return what was found of a program as conditions over the names of its extents, and what has no text."""
    inputs = user_inputs(program)
    texts = _texts_of_symbols(inputs, shapes)
    return _guards(found, texts, [name for name, value in inputs if not hasattr(value, "shape")])


def _in_declared_names(message: str, inputs: Sequence[tuple[str, Any]], shapes: Mapping[int, tuple[str, ...]]) -> str:
    """Return a message of the exporter with ``L['x'].size()[1]`` as ``T``, or ``x[1]`` where it has no name."""
    places = {name: position for position, (name, _) in enumerate(inputs)}

    def named(match: re.Match[str]) -> str:
        place = extent_of(match[0])
        texts = shapes[places[place[0]]] if place is not None and place[0] in places else ()
        text = texts[place[1]] if place is not None and place[1] < len(texts) else ""
        return shown_text(text) if text.isidentifier() else match[0]

    return _SOURCE.sub(named, message)


def _extent(value: Any, example: Any, dimension: int) -> int:
    number = settled_extent(value.shape[dimension])
    if number is not None:
        return number
    return int(example.shape[dimension]) if example is not None else 0


def _stated_claims(claims: Sequence[str], integers: Sequence[str]) -> tuple[str, ...]:
    plain = [each for each in claims if "__" not in each]
    return (*normalized_claims(plain, integers), *(shown_text(each) for each in claims if "__" in each))


_NAME = re.compile(r"\b[^\W\d]\w*")


def _with_numbers(
    claims: Sequence[str], sizes: Mapping[str, int], stated: Mapping[int, Sequence[str]]
) -> tuple[str, ...]:
    """Return the claims with the number for each name whose extents are all that number in the export.

    What is said of a name that stands in such extents alone, ``T`` of ``2*T + 1``, is left out: nothing else is of it.
    """
    named = {name for texts in stated.values() for each in texts for name in _NAME.findall(each)}
    fixed = {name: str(number) for name, number in sizes.items() if name.isidentifier() and name not in named}
    gone = {name for text in sizes for name in _NAME.findall(text)} - named - fixed.keys()
    kept = [each for each in claims if gone.isdisjoint(_NAME.findall(each))]
    return tuple(_NAME.sub(lambda match: fixed.get(match[0], match[0]), each) for each in kept)


def declared_at(declared: Any, dimension: int) -> Any:
    """Return what is declared of one dimension of a tensor, None if nothing is."""
    if isinstance(declared, Mapping):
        return declared.get(dimension)  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    if isinstance(declared, tuple | list):
        parts = cast("Sequence[object]", declared)
        return parts[dimension] if dimension < len(parts) else None
    return None


def _texts_of_symbols(inputs: Sequence[tuple[str, Any]], shapes: Mapping[int, tuple[str, ...]]) -> dict[str, str]:
    """Return each symbol of the exporter as a text over the declared ones."""
    places = {name: position for position, (name, _) in enumerate(inputs)}
    texts: dict[str, str] = {}
    for name, value in inputs:
        node = getattr(value, "node", None)
        if node is not None:
            texts[str(node.expr)] = name
    environment = environment_of(inputs)
    sources: Mapping[Any, Any] = getattr(environment, "var_to_sources", None) or {}
    for symbol, known in sources.items():
        for source in known:
            try:
                place = extent_of(source.name if isinstance(source.name, str) else source.name())
            except Exception:  # a source without a name
                continue
            if place is not None and place[0] in places:
                extents = shapes[places[place[0]]]
                if place[1] < len(extents):
                    text = extents[place[1]]
                    texts.setdefault(str(symbol), text if text.isidentifier() else f"({text})")
    # A saved program has no sources. Where there are some they come first: of two equal extents only one has a symbol.
    for position, (_, value) in enumerate(inputs):
        for size, text in zip(getattr(value, "shape", ()), shapes.get(position, ()), strict=False):
            node = getattr(size, "node", None)
            if node is not None and node.expr.is_Symbol and text.isidentifier() and text != "_":
                texts.setdefault(str(node.expr), text)
    return texts


def environment_of(inputs: Sequence[tuple[str, Any]]) -> Any:
    """Return what PyTorch holds of the sizes of a program with such inputs, None where it holds nothing."""
    for _, value in inputs:
        for owner in (getattr(value, "fake_mode", None), getattr(value, "node", None)):
            environment = getattr(owner, "shape_env", None)
            if environment is not None:
                return environment
    return None


def _settled(found: Recording, texts: Mapping[str, str], text: str, number: int) -> Guard:
    """Return that an extent is one number, with the line that made it one."""
    wanted = (f"{text} == {number}", f"{number} == {text}")
    lines = [(condition_text(each, texts), frame) for each, frame, _ in found.guards]
    frame = next((frame for source, frame in lines if source in wanted), None)
    if frame is None:  # by way of another size
        frame = next((frame for source, frame in lines if source and text in source and str(number) in source), None)
    return replace(_placed(wanted[0], frame), is_specialization=True)


def _checks(found: Recording, texts: Mapping[str, str]) -> list[str]:
    """Return what the model states by torch._check: where its own branches lead there, and no other check says so."""
    stated: dict[str, None] = {}
    for condition, before in found.checks:
        text = condition_text(condition, texts)
        premises = [condition_text(each, texts) for each in before]
        if text is None or None in premises:
            continue
        branches = [f"not ({each})" for each in premises if each not in stated]
        stated[" or ".join((*branches, f"({text})")) if branches else text] = None
    return list(stated)


def _guards(found: Recording, texts: Mapping[str, str], integers: Sequence[str]) -> tuple[list[Guard], tuple[str, ...]]:
    """Return the exporter's conditions, each once at its first line, and those without a text."""
    guards: dict[str, Guard] = {}
    inexpressible: dict[str, None] = {}
    for condition, frame, is_branch in found.guards:
        text = condition_text(condition, texts)
        if text is None:
            if not _is_of_data(condition):
                inexpressible[str(condition)] = None
            continue
        try:
            shortest = normalized_claims([text], integers)
        except InputError:
            inexpressible[str(condition)] = None
            continue
        for each in shortest:
            guards.setdefault(each, replace(_placed(each, frame), is_branch=is_branch))
    return list(guards.values()), tuple(inexpressible)


def _is_of_data(condition: Any) -> bool:
    return any(str(each).startswith(("u", "zuf")) for each in getattr(condition, "free_symbols", ()))


def _placed(text: str, frame: Frame | None) -> Guard:
    if frame is None:
        return Guard(text)
    file, line = frame
    return Guard(text, relative(file), line, linecache.getline(file, line).strip())
