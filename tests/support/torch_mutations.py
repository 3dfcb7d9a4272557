"""Calls of PyTorch's operators with one or two operands replaced by others that the schema accepts.

A generator of calls that always gives an operand the same way, or omits it, leaves a rule untested for its other forms.
Here every operand of the schema is given, and each is changed by its type: optional ones are given or omitted, lists
change their length, tensors their rank, numbers their sign.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any
from zlib import crc32

from support.dice import Dice, t
from support.torch_instances import CALLS, Call
from support.torch_oracle import NoCallError, Outcome, operator, outcome

_TEXTS = [
    [None, "trunc", "floor"],
    ["sum", "prod", "mean", "amax", "amin"],
    ["add", "multiply"],
    ["none", "tanh"],
    ["constant", "reflect", "replicate", "circular"],
    ["ij", "xy"],
    ["valid", "same"],
]
"""Groups of text operands that can replace each other."""

_KINDS = (
    "dtype layout device pin_memory memory_format generator out_int32 half_to_float upscale requires_grad norm path "
    "input_dtype"
)
_STAY = frozenset(_KINDS.split())
"""Operands that stay: they do not affect sizes, or select element types that the calls do not draw."""


_ENDS_THE_PROCESS = (
    "remainder.int",
    "native_batch_norm",
    *(f"_native_batch_norm_legit{kind}" for kind in ("", ".no_stats", "_no_training")),
    "_embedding_bag",
    "embedding_bag.padding_idx",
    "repeat_interleave.Tensor",
)
"""Operators in which PyTorch divides by 0 or accesses memory without checks, which ends the process."""


def changed_calls(each: int, seed: int, names: Iterable[str]) -> Iterator[Call]:
    """Yield this many changed calls of each operator. Their schemas come from PyTorch."""
    for name in names:
        if name not in _ENDS_THE_PROCESS:
            dice, wanted = Dice(crc32(f"{seed} {name}".encode())), operator(name)._schema.arguments
            for _ in range(each):
                yield name, varied(dice, CALLS[name](dice), wanted)


def changed(each: int, seed: int = 0, names: Iterable[str] = CALLS) -> Iterator[tuple[str, list[Any], Outcome]]:
    """Return changed calls with PyTorch's results, without those that match no schema."""
    for name, arguments in changed_calls(each, seed, names):
        if name.startswith("avg_pool") and len(arguments[3]) > len(arguments[1]):
            continue  # which torch-mlir makes of ONNX, and PyTorch does not take
        with contextlib.suppress(NoCallError):
            yield name, arguments, outcome(name, arguments)


def varied(dice: Dice, arguments: list[Any], wanted: Sequence[Any]) -> list[Any]:
    """The call with all operands of its schema, of which one or two are changed."""
    given = [*arguments, *(_default(each) for each in wanted[len(arguments) :])]
    open_ones = [at for at, each in enumerate(wanted) if each.name not in _STAY]
    for at in dice.random.sample(open_ones, min(len(open_ones), dice.random.choice([1, 1, 2]))):
        given[at] = _changed(dice, given[at], wanted[at])
    return given


def _default(argument: Any) -> Any:
    return argument.default_value if argument.has_default_value() else None


def _changed(dice: Dice, given: Any, argument: Any) -> Any:
    type = str(argument.type)
    optional = type.startswith("Optional[")
    kind = type[len("Optional[") : -1] if optional else type
    if optional and given is not None and dice.sometimes(0.3):
        return None
    if kind == "str":
        return dice.random.choice(next((each for each in _TEXTS if given in each), [given]))
    change = _CHANGES.get(kind)
    return given if change is None else change(dice, given)


def _tensor(dice: Dice, given: Any) -> Any:
    if given is None:
        return t(dice.shape())
    shape = list(given["t"])
    place = dice.random.randint(0, len(shape))
    match dice.random.choice(["less", "more", "other", "other", "one", "none", "scalar"]):
        case "less":
            del shape[place : place + 1]
        case "more":
            shape.insert(place, dice.random.choice([1, 1, dice.size()]))
        case "scalar":
            shape = []
        case how:
            shape[place : place + 1] = [{"one": 1, "none": 0}.get(how, dice.size())] if place < len(shape) else []
    if "v" in given:
        return dice.places(shape, max([*given["v"], 0]) + 1)
    return {**given, "t": shape}


def _integer(dice: Dice, given: Any) -> int:
    if isinstance(given, int) and abs(given) < 100 and dice.flag():
        return given + dice.random.choice([-1, 1])
    return dice.random.randint(-5, 5)


def _integers(dice: Dice, given: Any) -> list[int]:
    found = list(given or [])
    place = dice.random.randint(0, len(found))
    match dice.random.choice(["less", "more", "other", "other", "other", "one", "none", "twice"]):
        case "less":
            del found[place : place + 1]
        case "more":
            found.insert(place, dice.random.randint(-1, 3))
        case "one":
            found = found[:1]
        case "none":
            found = []
        case "twice":
            found = [*found, *found] if dice.flag() else [found[0] for _ in found]
        case _:
            found[place : place + 1] = [_integer(dice, found[place])] if place < len(found) else []
    return found


def _number(dice: Dice, given: Any) -> Any:
    return dice.random.choice(
        [0, 1, 2, -1, 3] if isinstance(given, int) else [0.0, 0.5, 1.0, 1.5, 2.0, -1.0, float("inf")]
    )


def _numbers(dice: Dice, given: Any) -> list[float]:
    found = list(given or [])
    if dice.flag() and found:
        return found[:-1]
    return [*found, 1.5] if dice.sometimes() else [dice.random.choice([0.0, 0.5, 1.5, -1.0]) for _ in found or "ab"]


def _tensors(dice: Dice, given: Any) -> list[Any]:
    found = list(given or [])
    number = next((each for each in found if each and "v" in each), None)
    place = dice.random.randint(0, len(found))
    match dice.random.choice(["less", "other", "other", "twice", "none"]):
        case "less":
            del found[place : place + 1]
        case "twice":
            found[place:place] = found[place : place + 1]
        case "none":
            found = []
        case _:
            found[place : place + 1] = [_tensor(dice, found[place] or number)] if place < len(found) else []
    return found


_CHANGES: dict[str, Callable[[Dice, Any], Any]] = {
    "Tensor": _tensor,
    "int": _integer,
    "SymInt": _integer,
    "bool": lambda dice, given: not given,
    "number": _number,
    "float": _number,
    "List[int]": _integers,
    "List[SymInt]": _integers,
    "List[float]": _numbers,
    "List[Tensor]": _tensors,
    "List[Optional[Tensor]]": _tensors,
}
