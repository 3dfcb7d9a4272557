"""Theorems about meet (once called join) and its dual on extents, where `?` is the least information."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from shapesolve.records import value_record
from shapesolve.symbolic.dims import variable
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, disjunction, equal, equivalent, implies
from shapesolve.traits.inference_tables import DYNAMIC, UPSTREAM, TypeExtent, any_extent, infer_dim, pick
from shapesolve.traits.theorems.statement import COLUMN, Claim, Theorem, Topic, same

_D, _E, _F = (any_extent(name) for name in "def")
_X = variable("x")


@value_record
class _Known:
    """Information about an extent, with the formula that it is consistent."""

    extent: TypeExtent
    valid: Formula = TRUE

    def same(self, other: _Known) -> Formula:
        return equivalent(self.valid, other.valid) & implies(self.valid, self.extent.same(other.extent))


def meet(a: _Known, b: _Known) -> _Known:
    """Return the conjunction of two extents: `?` yields, equal numbers stay, different ones are an error.

    Errors stay errors.
    """
    d, e = a.extent, b.extent
    agree = disjunction((d.dynamic, e.dynamic, equal(d.size, e.size)))
    return _Known(pick(d.dynamic, e, d), conjunction((a.valid, b.valid, agree)))


def join(a: TypeExtent, b: TypeExtent) -> TypeExtent:
    """Return the common information of two extents, of which a value has either."""
    return pick(a.static & b.static & equal(a.size, b.size), a, DYNAMIC)


def _known(extent: TypeExtent) -> _Known:
    return _Known(extent)


_KD, _KE, _KF = _known(_D), _known(_E), _known(_F)


def _meet_is_and() -> Sequence[Claim]:
    met = meet(_KD, _KE)
    return same(equivalent(met.valid & met.extent.admits(_X), _D.admits(_X) & _E.admits(_X)))


def _distributes() -> Sequence[Claim]:
    one = meet(_KD, _known(join(_E, _F)))
    first, second = meet(_KD, _KE), meet(_KD, _KF)
    other = _known(join(first.extent, second.extent))
    return [Claim(one.same(other), (first.valid, second.valid))]


def _meet_is_inference() -> Sequence[Claim]:
    met, inferred = meet(_KD, _KE), infer_dim(_D, _E, UPSTREAM)
    return [Claim(met.extent.same(inferred.extent), (met.valid, inferred.fits))]


def _law(left: Callable[[], _Known], right: Callable[[], _Known]) -> Callable[[], Sequence[Claim]]:
    return lambda: same(left().same(right()))


_of_a_column = partial(Theorem, Topic.LATTICE, COLUMN)
THEOREMS = (
    _of_a_column(
        "meet-is-commutative",
        "The operands of shape.meet can be exchanged, errors included.",
        "for all d, e: meet(d, e) = meet(e, d)",
        lambda: same(meet(_KD, _KE).same(meet(_KE, _KD))),
    ),
    _of_a_column(
        "meet-is-associative",
        "It does not matter in which order three are met, errors included; unlike inference, even with a 0.",
        "for all d, e, f: meet(meet(d, e), f) = meet(d, meet(e, f))",
        _law(lambda: meet(meet(_KD, _KE), _KF), lambda: meet(_KD, meet(_KE, _KF))),
    ),
    _of_a_column(
        "meet-is-idempotent",
        "What is met with itself stays.",
        "for all d: meet(d, d) = d",
        _law(lambda: meet(_KD, _KD), lambda: _KD),
    ),
    _of_a_column(
        "unknown-is-neutral",
        "An unknown extent adds nothing.",
        "for all d: meet(d, ?) = d",
        _law(lambda: meet(_KD, _known(DYNAMIC)), lambda: _KD),
    ),
    _of_a_column(
        "meet-says-both",
        "A size is of the meet exactly where it is of both: nothing is lost and nothing is made up.",
        "for all d, e, x: x of meet(d, e) <=> x of d and x of e",
        _meet_is_and,
    ),
    _of_a_column(
        "join-is-safe",
        "A size of one type or the other is of their join.",
        "for all d, e, x: x of d or x of e => x of join(d, e)",
        lambda: same(implies(_D.admits(_X) | _E.admits(_X), join(_D, _E).admits(_X))),
    ),
    _of_a_column(
        "meet-and-join-absorb",
        "Meeting with what was joined, or joining with what was met, changes nothing.",
        "for all d, e: meet(d, join(d, e)) = d and (meet(d, e) valid => join(d, meet(d, e)) = d)",
        lambda: [
            Claim(meet(_KD, _known(join(_D, _E))).same(_KD)),
            Claim(join(_D, meet(_KD, _KE).extent).same(_D), (meet(_KD, _KE).valid,)),
        ],
    ),
    _of_a_column(
        "join-is-associative",
        "It does not matter in which order three are joined.",
        "for all d, e, f: join(join(d, e), f) = join(d, join(e, f))",
        lambda: same(join(join(_D, _E), _F).same(join(_D, join(_E, _F)))),
    ),
    _of_a_column(
        "meet-distributes-over-join",
        "Where both meets are valid, meeting a join is joining the meets.",
        "for all d, e, f: meet(d, join(e, f)) = join(meet(d, e), meet(d, f))",
        _distributes,
    ),
    _of_a_column(
        "meet-is-inference",
        "Where neither is an error, meet says what inference says.",
        "for all d, e: meet(d, e) = infer(d, e)",
        _meet_is_inference,
        "d = 1, e = ?",
        "A `?` that meets 1 is 1; a `?` that is broadcast with 1 can be anything.",
    ),
    _of_a_column(
        "meet-implies-inference",
        "Extents that meet without an error broadcast without one.",
        "for all d, e: meet(d, e) valid => infer(d, e) fits",
        lambda: [Claim(infer_dim(_D, _E, UPSTREAM).fits, (meet(_KD, _KE).valid,))],
    ),
)
