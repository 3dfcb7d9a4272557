"""Verification profiles: the pages and the versions of MLIR, as sets of independent switches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from shapesolve.errors import InputError
from shapesolve.records import value_record
from shapesolve.traits.inference_tables import PAGE_CODE, UPSTREAM, InferenceTable

CLAUSES: Mapping[str, str] = {
    "C1": "There is at least one operand and exactly one result.",
    "C2": "Operands and results are of a kind that the operation takes: tensors, or by the pages tensors or vectors.",
    "C3": "Tensors and vectors are not mixed.",
    "C4": "The inference table has a row for the extents that meet in a column.",
    "C5": "Static extents that meet in a column are equal, or one of them is 1.",
    "C6": "The result has the rank that is inferred (MLIR's trait: at least that rank).",
    "C7": "Where `?` is inferred, the result does not say a number.",
    "C8": "Where a number is inferred, the result says `?` or that number.",
    "C9": "No type says an extent of 0.",
    "C10": "All ranked operands have the same rank.",
    "C11": "The result has the rank of the operands.",
    "C12": "The element types are the same.",
    "C13": "All operands and results have the same shape; `?` is the same as anything.",
    "C14": "The operation exists.",
    "C15": "The operation's own shape inference gives a type that the result agrees with.",
    "C16": "The operation's own shape inference gives a type at all; where it does not, the tool crashes.",
}
"""Possible requirements on the types of an operation, by clause; a profile selects among them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Requirements on one operation, as independent switches."""

    table: InferenceTable | None = UPSTREAM  # None: operands are not compared
    counts: bool = False  # C1
    containers: frozenset[str] = frozenset({"tensor", "vector"})  # C2
    no_mix: bool = False  # C3
    vectors_broadcast: bool = True  # vectors take part in inference
    result_rank: str = "at least"  # C6: "equal", "at least"; "any" where it is not checked
    static_for_dynamic: bool = True  # C7 is not demanded
    any_for_one: bool = False  # C8 is not demanded where 1 is inferred
    result_extents: bool = True  # C8 is demanded at all
    no_zero: bool = False  # C9
    equal_ranks: bool = False  # C10, C11
    same_elements: str = ""  # C12: "" for no values, "operands", or "all"
    same_shape: bool = False  # C13
    result_is_operand: bool = False  # C15: the inferred type is that of the first operand, `?` being equal to `?` alone
    exists: bool = True  # C14
    infers_again: str = (
        ""  # C15: "quietly" where an inference that fails gives no type, "crashing" where it crashes, C16
    )
    taking_part: int | None = None  # only so many operands have a shape that matters; None: all
    may_mix: str = ""  # what to remark where tensors and vectors are mixed and that is accepted
    listed_as_incorrect: str = ""  # what to remark where `?` is inferred and the result says a number

    def requires(self, trait: str) -> bool:
        """Return whether the verifier requires of the operands what a trait of this name does."""
        broadcasts, has_one_shape = self.table is not None, self.same_shape
        return {"Broadcastable": broadcasts, "SameOperandsAndResultShape": has_one_shape}.get(trait, False)


@value_record
class Profile:
    """A named verifier.

    Attributes:
        words: Its description.
        default: The requirements on an operation that carries the trait.
        named: The requirements on some operations, by name.
        version: The version of the tool that it describes; None for a page.
    """

    name: str
    words: str
    default: Rules
    named: Mapping[str, Rules] = field(default_factory=dict[str, Rules])
    version: str | None = None

    def rules_for(self, operation: str) -> Rules:
        """Return the requirements on an operation that carries the trait."""
        return self.named.get(operation, self.default)

    def carriers_of(self, trait: str) -> tuple[str, ...]:
        """Return the operations that carry a trait, or that have a verifier of their own which requires the same."""
        found = {operation: self.rules_for(operation) for operation in sorted(CARRIERS)}
        return tuple(each for each, rules in found.items() if rules.exists and rules.requires(trait))


_TENSORS = frozenset({"tensor"})
_NOTHING = Rules(table=None, result_rank="any", containers=_TENSORS)
_ABSENT = replace(_NOTHING, exists=False)

ARITHMETIC = ("tosa.add", "tosa.sub", "tosa.maximum", "tosa.minimum", "tosa.pow")
BITWISE = (
    "tosa.arithmetic_right_shift",
    "tosa.bitwise_and",
    "tosa.bitwise_or",
    "tosa.bitwise_xor",
    "tosa.logical_left_shift",
    "tosa.logical_right_shift",
    "tosa.logical_and",
    "tosa.logical_or",
    "tosa.logical_xor",
)
COMPARISONS = ("tosa.equal", "tosa.greater", "tosa.greater_equal")
DIVISIONS = {"16": "tosa.div", "19": "tosa.int_div", "22": "tosa.intdiv"}
_UNARY_NAMES = ("abs bitwise_not cast ceil clamp clz erf exp floor log logical_not "
                "negate reciprocal rsqrt sigmoid tanh")  # fmt: skip
UNARY = tuple(f"tosa.{name}" for name in _UNARY_NAMES.split())

CARRIERS = frozenset(
    {"test.broadcastable", "tosa.mul", "tosa.select", *ARITHMETIC, *BITWISE, *COMPARISONS, *DIVISIONS.values(), *UNARY}
)
"""Operations that carry the trait in some version, or stand in for it there."""


def _operations(version: str, trait: Rules) -> dict[str, Rules]:
    """Return the rules of the operations of one version of MLIR; ``trait`` are those of the trait in it."""
    plain = replace(trait, containers=_TENSORS)
    tosa = replace(plain, no_zero=True, equal_ranks=True) if version == "22" else plain
    alike = tosa if version == "16" else replace(tosa, same_elements="all")
    compared = tosa if version == "16" else replace(tosa, same_elements="operands")
    rules = dict.fromkeys((*ARITHMETIC, *BITWISE), alike) | dict.fromkeys(COMPARISONS, compared)
    rules |= {name: alike if version == since else _ABSENT for since, name in DIVISIONS.items()}
    rules["test.broadcastable"] = replace(plain, counts=True)
    rules["tosa.select"] = _NOTHING if version == "16" else tosa
    rules["tosa.mul"] = alike
    rules |= _unary(version, alike, tosa)
    if version != "22":
        rules["tosa.equal"] = replace(compared, infers_again="crashing" if version == "16" else "quietly")
    if version == "22":
        rules["tosa.mul"] = replace(tosa, result_extents=False, result_rank="any", taking_part=2)
    return rules


def _unary(version: str, alike: Rules, free: Rules) -> dict[str, Rules]:
    """Return the rules of the unary operations of one version; ``free`` permits different element types."""
    if version == "16":
        same_type = replace(_NOTHING, same_shape=True, same_elements="all", result_is_operand=True)
        others = {"tosa.bitwise_not": alike, "tosa.logical_not": same_type, "tosa.erf": _ABSENT}
        return dict.fromkeys(UNARY, _NOTHING) | others
    if version == "19":
        others = {"tosa.cast": _NOTHING, "tosa.erf": _NOTHING, "tosa.sigmoid": free}
        return dict.fromkeys(UNARY, alike) | others
    same = replace(alike, table=None, result_rank="any", equal_ranks=False, same_shape=True)
    others = {"tosa.cast": replace(same, same_elements=""), "tosa.negate": replace(same, taking_part=1)}
    return dict.fromkeys(UNARY, same) | others


_MIXED = (
    "the page says that operands and result are tensors or vectors, and not that they are all of one kind; every "
    "version of MLIR refuses tensors with vectors"
)
_PAGE = Rules(table=PAGE_CODE, counts=True, result_rank="equal", may_mix=_MIXED)
_TRAIT = Rules(no_mix=True, vectors_broadcast=False)
_TRAIT_16 = replace(_TRAIT, any_for_one=True)
_CONTRADICTION = (
    "the page lists (?, ?) -> 4 under its incorrect uses, but its own rule accepts a static result where `?` is "
    "inferred: the page contradicts itself"
)


def _page(name: str, words: str, rules: Rules) -> Profile:
    """Return the profile of a page.

    Operands that TOSA's operations got later, for a shift and zero points, take no part in the shape.
    """
    later = {"tosa.mul": replace(rules, taking_part=2), "tosa.negate": replace(rules, taking_part=1)}
    return Profile(name, words, rules, later)


PROFILES: Mapping[str, Profile] = {
    profile.name: profile
    for profile in (
        _page("page-2023", "the Broadcastable page of mid-2023", replace(_PAGE, static_for_dynamic=False)),
        _page("page-today", "the Broadcastable page of today", replace(_PAGE, listed_as_incorrect=_CONTRADICTION)),
        Profile("mlir-16", "mlir-opt of LLVM 16", _TRAIT_16, _operations("16", _TRAIT_16), "16"),
        Profile("mlir-19", "mlir-opt of LLVM 19", _TRAIT, _operations("19", _TRAIT), "19"),
        Profile("mlir-22", "mlir-opt of LLVM 22, and MLIR as of LLVM 24", _TRAIT, _operations("22", _TRAIT), "22"),
    )
}
"""The profiles by name."""

_OTHER_NAMES = {"mlir-24": "mlir-22"}


def profile_named(name: str) -> Profile:
    """Return the profile of a name.

    Raises:
        InputError: There is no such profile.
    """
    found = PROFILES.get(_OTHER_NAMES.get(name, name))
    if found is None:
        raise InputError(f"there is no profile `{name}`; known are {', '.join(PROFILES)}", where="--profile")
    return found
