"""Small programs over shapes of unknown rank, each beside what it does on plain tuples.

In the text ``{S}`` is the type of shapes, ``{Z}`` of sizes; ``<n>`` stands for the number n as an operand of type {Z}.
``open`` names the operations whose verdict stays open, with words of the reason: everything else must be decided. An
operation of ``open_with_errors`` is open where shapes and sizes may be errors, and decided where they cannot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from concrete_shapes import Machine

Step = Callable[..., Any]


@dataclass(frozen=True, eq=False)
class ShapeProgram:
    """``arguments`` are the names of the shapes; ``returns`` what is returned, with its type."""

    name: str
    arguments: str
    body: str
    meaning: Step
    returns: Mapping[str, str] = field(default_factory=dict[str, str])
    open: Mapping[str, str] = field(default_factory=dict[str, str])
    open_with_errors: Mapping[str, str] = field(default_factory=dict[str, str])
    approximated: bool = False
    only: str = ""
    """ "errors" or "no errors": the forms that the program is written for; both where it is empty."""


PROGRAMS: list[ShapeProgram] = []


def program(
    arguments: str,
    body: str,
    *,
    returns: Mapping[str, str] | None = None,
    open: Mapping[str, str] | None = None,
    open_with_errors: Mapping[str, str] | None = None,
    approximated: bool = False,
    only: str = "",
) -> Callable[[Step], Step]:
    """The decorated function is what the program does on tuples."""

    def register(meaning: Step) -> Step:
        PROGRAMS.append(
            ShapeProgram(
                meaning.__name__,
                arguments,
                body.strip("\n"),
                meaning,
                returns or {},
                open or {},
                open_with_errors or {},
                approximated or bool(open or open_with_errors),
                only,
            )
        )
        return meaning

    return register


# Broadcast ---------------------------------------------------------------------------------------------------------


@program(
    "st",
    """
  %x = shape.broadcast %s, %t : {S}, {S} -> {S}
  %y = shape.broadcast %t, %s : {S}, {S} -> {S}
  %q = shape.shape_eq %x, %y : {S}, {S}
  cf.assert %q, "the order does not matter"
""",
    returns={"%x": "{S}", "%q": "i1"},
)
def broadcast_commutes(m: Machine, s: Any, t: Any) -> Any:
    x, y = m.broadcast(s, t), m.broadcast(t, s)
    q = m.shape_eq(x, y)
    m.asserts(q)
    return x, q


@program(
    "stu",
    """
  %x = shape.broadcast %s, %t : {S}, {S} -> {S}
  %y = shape.broadcast %x, %u : {S}, {S} -> {S}
  %z = shape.broadcast %t, %u : {S}, {S} -> {S}
  %v = shape.broadcast %s, %z : {S}, {S} -> {S}
  %w = shape.cstr_eq %y, %v : {S}, {S}
""",
    returns={"%v": "{S}"},
)
def broadcast_associates(m: Machine, s: Any, t: Any, u: Any) -> Any:
    y = m.broadcast(m.broadcast(s, t), u)
    v = m.broadcast(s, m.broadcast(t, u))
    m.cstr_eq(y, v)
    return (v,)


@program(
    "s",
    """
  %x = shape.broadcast %s, %s : {S}, {S} -> {S}
  %w = shape.cstr_eq %x, %s : {S}, {S}
""",
    returns={"%x": "{S}"},
)
def broadcast_of_itself(m: Machine, s: Any) -> Any:
    x = m.broadcast(s, s)
    m.cstr_eq(x, s)
    return (x,)


@program(
    "s",
    """
  %c = shape.const_shape [] : !shape.shape
  %x = shape.broadcast %s, %c : {S}, !shape.shape -> !shape.shape
  %w = shape.cstr_eq %x, %s : !shape.shape, {S}
""",
    returns={"%x": "!shape.shape"},
    only="errors",
)
def broadcast_with_a_scalar(m: Machine, s: Any) -> Any:
    x = m.broadcast(s, ())
    m.cstr_eq(x, s)
    return (x,)


@program(
    "s",
    """
  %c = shape.const_shape [1] : tensor<1xindex>
  %q = shape.is_broadcastable %s, %c : {S}, tensor<1xindex>
  cf.assert %q, "1 fits everything"
  %x = shape.broadcast %s, %c : {S}, tensor<1xindex> -> {S}
  %w = shape.cstr_eq %x, %s : {S}, {S}
""",
    returns={"%x": "{S}"},
)
def one_fits_everything_but_lengthens_a_scalar(m: Machine, s: Any) -> Any:
    m.asserts(m.is_broadcastable(s, (1,)))
    x = m.broadcast(s, (1,))
    m.cstr_eq(x, s)
    return (x,)


@program(
    "s",
    """
  %c = shape.const_shape [0] : tensor<1xindex>
  %w = shape.cstr_broadcastable %s, %c : {S}, tensor<1xindex>
""",
)
def zero_fits_zero_and_one(m: Machine, s: Any) -> Any:
    m.cstr_broadcastable(s, (0,))
    return ()


@program(
    "s",
    """
  %c = shape.const_shape [3, 1] : tensor<2xindex>
  %w = shape.cstr_broadcastable %s, %c : {S}, tensor<2xindex>
  %x = shape.broadcast %s, %c : {S}, tensor<2xindex> -> {S}
  %r = shape.rank %x : {S} -> {Z}
  %e = shape.get_extent %x, <0> : {S}, {Z} -> {Z}
""",
    returns={"%x": "{S}", "%r": "{Z}", "%e": "{Z}"},
)
def broadcast_with_a_known_shape(m: Machine, s: Any) -> Any:
    m.cstr_broadcastable(s, (3, 1))
    x = m.broadcast(s, (3, 1))
    return x, m.rank(x), m.get_extent(x, 0)


@program(
    "st",
    """
  %w = shape.cstr_broadcastable %s, %t : {S}, {S}
  %x = shape.broadcast %s, %t : {S}, {S} -> {S}
  %e = shape.to_extent_tensor %x : {S} -> tensor<?xindex>
  %v = shape.cstr_broadcastable %x, %t, %s : {S}, {S}, {S}
  %y = shape.broadcast %x, %t : {S}, {S} -> {S}
  %u = shape.cstr_eq %x, %y : {S}, {S}
""",
)
def asserted_to_fit(m: Machine, s: Any, t: Any) -> Any:
    m.cstr_broadcastable(s, t)
    x = m.broadcast(s, t)
    m.to_extent_tensor(x)
    m.cstr_broadcastable(x, t, s)
    m.cstr_eq(x, m.broadcast(x, t))
    return ()


@program(
    "stu",
    """
  %v = shape.cstr_broadcastable %s, %t : {S}, {S}
  %w = shape.cstr_broadcastable %t, %u : {S}, {S}
  %x = shape.cstr_broadcastable %s, %u : {S}, {S}
""",
)
def fitting_does_not_carry_over(m: Machine, s: Any, t: Any, u: Any) -> Any:
    m.cstr_broadcastable(s, t)
    m.cstr_broadcastable(t, u)
    m.cstr_broadcastable(s, u)
    return ()


@program(
    "stu",
    """
  %w = shape.cstr_broadcastable %s, %t, %u : {S}, {S}, {S}
  %x = shape.cstr_broadcastable %u, %s : {S}, {S}
  %y = shape.broadcast %u, %t, %s : {S}, {S}, {S} -> {S}
""",
    returns={"%y": "{S}"},
)
def fitting_all_at_once_is_fitting_in_pairs(m: Machine, s: Any, t: Any, u: Any) -> Any:
    m.cstr_broadcastable(s, t, u)
    m.cstr_broadcastable(u, s)
    return (m.broadcast(u, t, s),)


@program(
    "stu",
    """
  %v = shape.cstr_broadcastable %s, %t : {S}, {S}
  %w = shape.cstr_broadcastable %t, %u : {S}, {S}
  %x = shape.cstr_broadcastable %s, %u : {S}, {S}
  %y = shape.cstr_broadcastable %s, %t, %u : {S}, {S}, {S}
""",
)
def fitting_in_pairs_is_fitting_all_at_once(m: Machine, s: Any, t: Any, u: Any) -> Any:
    m.cstr_broadcastable(s, t)
    m.cstr_broadcastable(t, u)
    m.cstr_broadcastable(s, u)
    m.cstr_broadcastable(s, t, u)
    return ()


# Equality and meet --------------------------------------------------------------------------------------------------


@program(
    "st",
    """
  %v = shape.cstr_eq %s, %t : {S}, {S}
  %w = shape.cstr_broadcastable %s, %t : {S}, {S}
  %q = shape.shape_eq %t, %s : {S}, {S}
  cf.assert %q, "equal"
  %m = shape.meet %s, %t : {S}, {S} -> {S}
  %e = shape.to_extent_tensor %m : {S} -> tensor<?xindex>
""",
    returns={"%m": "{S}"},
)
def equal_shapes_agree(m: Machine, s: Any, t: Any) -> Any:
    m.cstr_eq(s, t)
    m.cstr_broadcastable(s, t)
    m.asserts(m.shape_eq(t, s))
    met = m.meet(s, t)
    m.to_extent_tensor(met)
    return (met,)


@program(
    "st",
    """
  %m = shape.meet %s, %t, error = "s and t differ" : {S}, {S} -> {S}
  %e = shape.to_extent_tensor %m : {S} -> tensor<?xindex>
  %w = shape.cstr_eq %s, %t : {S}, {S}
""",
    returns={"%m": "{S}"},
)
def what_meets_is_equal(m: Machine, s: Any, t: Any) -> Any:
    met = m.meet(s, t)
    m.to_extent_tensor(met)
    m.cstr_eq(s, t)
    return (met,)


@program(
    "stu",
    """
  %x = shape.meet %s, %t : {S}, {S} -> {S}
  %y = shape.meet %x, %u : {S}, {S} -> {S}
  %z = shape.meet %t, %u : {S}, {S} -> {S}
  %v = shape.meet %s, %z : {S}, {S} -> {S}
  %q = shape.shape_eq %y, %v : {S}, {S}
  cf.assert %q, "meeting in another order"
""",
)
def meet_associates(m: Machine, s: Any, t: Any, u: Any) -> Any:
    y = m.meet(m.meet(s, t), u)
    v = m.meet(s, m.meet(t, u))
    m.asserts(m.shape_eq(y, v))
    return ()


@program(
    "s",
    """
  %c = shape.const_shape [2, 0] : tensor<2xindex>
  %m = shape.meet %s, %c : {S}, tensor<2xindex> -> {S}
  %d = shape.get_extent %m, <0> : {S}, {Z} -> {Z}
  %e = shape.to_extent_tensor %m : {S} -> tensor<2xindex>
""",
    returns={"%d": "{Z}"},
)
def meet_with_a_known_shape(m: Machine, s: Any) -> Any:
    met = m.meet(s, (2, 0))
    d = m.get_extent(met, 0)
    m.to_extent_tensor(met, 2)
    return (d,)


@program(
    "st",
    """
  %q = shape.shape_eq %s, %t : {S}, {S}
  %v = shape.cstr_require %q, "they are equal"
  %w = shape.cstr_eq %t, %s, %t : {S}, {S}, {S}
""",
)
def asked_then_required(m: Machine, s: Any, t: Any) -> Any:
    m.cstr_require(m.shape_eq(s, t))
    m.cstr_eq(t, s, t)
    return ()


@program(
    "st",
    """
  %w = shape.cstr_eq %s, %t : {S}, {S}
  %r = shape.assuming %w -> ({S}) {
    %x = shape.broadcast %s, %t : {S}, {S} -> {S}
    %v = shape.cstr_eq %x, %s : {S}, {S}
    shape.assuming_yield %x : {S}
  }
  %u = shape.cstr_eq %r, %t : {S}, {S}
""",
    returns={"%r": "{S}"},
)
def assuming_equality(m: Machine, s: Any, t: Any) -> Any:
    m.cstr_eq(s, t)
    x = m.broadcast(s, t)
    m.cstr_eq(x, s)
    m.cstr_eq(x, t)
    return (x,)


@program(
    "stu",
    """
  %v = shape.cstr_broadcastable %s, %t : {S}, {S}
  %w = shape.cstr_eq %t, %u : {S}, {S}
  %a = shape.assuming_all %v, %w
  %r = shape.assuming %a -> ({S}) {
    %x = shape.broadcast %s, %u : {S}, {S} -> {S}
    shape.assuming_yield %x : {S}
  }
  %e = shape.to_extent_tensor %r : {S} -> tensor<?xindex>
""",
    returns={"%r": "{S}"},
)
def assuming_two_at_once(m: Machine, s: Any, t: Any, u: Any) -> Any:
    m.cstr_broadcastable(s, t)
    m.cstr_eq(t, u)
    x = m.broadcast(s, u)
    m.to_extent_tensor(x)
    return (x,)


# Ranks and extents -------------------------------------------------------------------------------------------------


@program(
    "st",
    """
  %x = shape.broadcast %s, %t : {S}, {S} -> {S}
  %r = shape.rank %x : {S} -> {Z}
  %a = shape.rank %s : {S} -> {Z}
  %b = shape.rank %t : {S} -> {Z}
  %i = shape.size_to_index %a : {Z}
  %j = shape.size_to_index %b : {Z}
  %k = shape.size_to_index %r : {Z}
  %n = arith.maxsi %i, %j : index
  %p = arith.cmpi eq, %n, %k : index
  cf.assert %p, "the longer rank"
""",
    returns={"%k": "index"},
)
def rank_of_a_broadcast(m: Machine, s: Any, t: Any) -> Any:
    r, a, b = m.rank(m.broadcast(s, t)), m.rank(s), m.rank(t)
    i, j, k = m.size_to_index(a), m.size_to_index(b), m.size_to_index(r)
    m.asserts(max(i, j) == k)
    return (k,)


@program(
    "s",
    """
  %d = shape.get_extent %s, <1> : {S}, {Z} -> {Z}
  %i = shape.size_to_index %d : {Z}
  %c2 = arith.constant 2 : index
  %r = shape.rank %s : {S} -> {Z}
  %n = shape.size_to_index %r : {Z}
  %p = arith.cmpi sge, %n, %c2 : index
  cf.assert %p, "there is a second extent"
""",
    returns={"%d": "{Z}"},
)
def the_second_extent(m: Machine, s: Any) -> Any:
    d = m.get_extent(s, 1)
    m.size_to_index(d)
    m.asserts(m.size_to_index(m.rank(s)) >= 2)
    return (d,)


@program(
    "st",
    """
  %c = shape.const_shape [2, 3] : tensor<2xindex>
  %w = shape.cstr_eq %s, %c : {S}, tensor<2xindex>
  %d = shape.get_extent %s, <1> : {S}, {Z} -> {Z}
  %i = shape.size_to_index %d : {Z}
  %c3 = arith.constant 3 : index
  %p = arith.cmpi eq, %i, %c3 : index
  cf.assert %p, "the second extent is 3"
""",
)
def an_extent_of_what_is_equal(m: Machine, s: Any, t: Any) -> Any:
    m.cstr_eq(s, (2, 3))
    m.asserts(m.size_to_index(m.get_extent(s, 1)) == 3)
    return ()


@program(
    "s",
    """
  %e = shape.to_extent_tensor %s : {S} -> tensor<?xindex>
  %x = shape.from_extent_tensor %e : tensor<?xindex>
  %w = shape.cstr_eq %x, %s : !shape.shape, {S}
  %c0 = arith.constant 0 : index
  %n = tensor.dim %e, %c0 : tensor<?xindex>
  %r = shape.rank %s : {S} -> {Z}
  %k = shape.size_to_index %r : {Z}
  %p = arith.cmpi eq, %n, %k : index
  cf.assert %p, "one element for each extent"
""",
    returns={"%x": "!shape.shape", "%n": "index"},
)
def to_extents_and_back(m: Machine, s: Any) -> Any:
    e = m.to_extent_tensor(s)
    x = m.from_extent_tensor(e)
    m.cstr_eq(x, s)
    m.asserts(len(e) == m.size_to_index(m.rank(s)))
    return x, len(e)


@program(
    "s",
    """
  %e = shape.to_extent_tensor %s : {S} -> tensor<2xindex>
  %r = shape.rank %s : {S} -> {Z}
  %k = shape.size_to_index %r : {Z}
  %c2 = arith.constant 2 : index
  %p = arith.cmpi eq, %k, %c2 : index
  cf.assert %p, "the type said so"
  %c0 = arith.constant 0 : index
  %f = tensor.extract %e[%c0] : tensor<2xindex>
""",
    returns={"%f": "index"},
)
def the_type_says_the_rank(m: Machine, s: Any) -> Any:
    e = m.to_extent_tensor(s, 2)
    m.asserts(m.size_to_index(m.rank(s)) == 2)
    return (e[0],)


@program(
    "s",
    """
  %n = shape.num_elements %s : {S} -> {Z}
  %i = shape.size_to_index %n : {Z}
""",
    returns={"%n": "{Z}"},
    open_with_errors={"shape.size_to_index 1": "the rank of %s is not known"},
)
def number_of_elements(m: Machine, s: Any) -> Any:
    n = m.num_elements(s)
    m.size_to_index(n)
    return (n,)


@program(
    "s",
    """
  %c = shape.const_shape [2, 3] : tensor<2xindex>
  %w = shape.cstr_eq %s, %c : {S}, tensor<2xindex>
  %n = shape.num_elements %s : {S} -> {Z}
  %i = shape.size_to_index %n : {Z}
  %c6 = arith.constant 6 : index
  %p = arith.cmpi eq, %i, %c6 : index
  cf.assert %p, "six elements"
""",
    open={"cf.assert 1": "the rank of %s is not known"},
    open_with_errors={"shape.size_to_index 1": "the rank of %s is not known"},
)
def number_of_elements_of_what_is_equal(m: Machine, s: Any) -> Any:
    m.cstr_eq(s, (2, 3))
    m.asserts(m.size_to_index(m.num_elements(s)) == 6)
    return ()


@program(
    "st",
    """
  %x = shape.max %s, %t : {S}, {S} -> {S}
  %e = shape.to_extent_tensor %x : {S} -> tensor<?xindex>
""",
    only="errors",
    open={"shape.to_extent_tensor 1": "the rank of %s is not known"},
)
def the_greater_of_two_shapes(m: Machine, s: Any, t: Any) -> Any:
    m.to_extent_tensor(m.greater(s, t))
    return ()


# Cutting, joining, folding, choosing -------------------------------------------------------------------------------


@program(
    "st",
    """
  %x = shape.concat %s, %t : {S}, {S} -> {S}
  %a = shape.rank %s : {S} -> {Z}
  %b = shape.rank %t : {S} -> {Z}
  %r = shape.rank %x : {S} -> {Z}
  %n = shape.add %a, %b : {Z}, {Z} -> {Z}
  %i = shape.size_to_index %n : {Z}
  %k = shape.size_to_index %r : {Z}
  %p = arith.cmpi eq, %i, %k : index
  cf.assert %p, "the ranks add up"
""",
    returns={"%x": "{S}"},
    open={"cf.assert 1": "the rank of %s is not known"},
    open_with_errors={"shape.size_to_index 2": "the rank of %s is not known"},
)
def ranks_add_up(m: Machine, s: Any, t: Any) -> Any:
    x = m.concat(s, t)
    a, b, r = m.rank(s), m.rank(t), m.rank(x)
    n = m.add(a, b)
    m.asserts(m.size_to_index(n) == m.size_to_index(r))
    return (x,)


@program(
    "st",
    """
  %x = shape.concat %s, %t : {S}, {S} -> {S}
  %y = shape.concat %t, %s : {S}, {S} -> {S}
  %w = shape.cstr_eq %x, %y : {S}, {S}
""",
    open={"shape.cstr_eq 1": "the rank of %s is not known"},
)
def joining_in_another_order(m: Machine, s: Any, t: Any) -> Any:
    m.cstr_eq(m.concat(s, t), m.concat(t, s))
    return ()


def _cut(number: int) -> str:
    return f"""
  %h, %t = "shape.split_at"(%s, <{number}>) : ({{S}}, {{Z}}) -> ({{S}}, {{S}})
  %x = shape.concat %h, %t : {{S}}, {{S}} -> {{S}}
  %w = shape.cstr_eq %x, %s : {{S}}, {{S}}
  %e = shape.to_extent_tensor %h : {{S}} -> tensor<?xindex>
"""


for _number in (-3, -1, 0, 1, 2):

    def _cutting(m: Machine, s: Any, number: int = _number) -> Any:
        h, t = m.split_at(s, number)
        m.cstr_eq(m.concat(h, t), s)
        m.to_extent_tensor(h)
        return ()

    _cutting.__name__ = f"cut_at_{_number}".replace("-", "minus_")
    program(
        "s",
        _cut(_number),
        open={"shape.cstr_eq 1": "the rank of %h is not known"},
        open_with_errors={"shape.to_extent_tensor 1": "the rank of %s is not known"},
    )(_cutting)


@program(
    "s",
    """
  %p = shape.reduce(%s, <1>) : {S} -> {Z} {
    ^bb0(%i: index, %d: {Z}, %acc: {Z}):
      %next = shape.mul %acc, %d : {Z}, {Z} -> {Z}
      shape.yield %next : {Z}
  }
  %n = shape.num_elements %s : {S} -> {Z}
  %i = shape.size_to_index %p : {Z}
  %j = shape.size_to_index %n : {Z}
  %q = arith.cmpi eq, %i, %j : index
  cf.assert %q, "the product of the extents"
""",
    open={"cf.assert 1": "not followed"},
    open_with_errors={
        "shape.size_to_index 1": "not followed",
        "shape.size_to_index 2": "the rank of %s is not known",
    },
)
def folding_to_a_product(m: Machine, s: Any) -> Any:
    p = m.reduce(s, 1, lambda i, d, acc: acc * d)
    n = m.num_elements(s)
    m.asserts(m.size_to_index(p) == m.size_to_index(n))
    return ()


@program(
    "st",
    """
  %w = shape.cstr_eq %s, %t : {S}, {S}
  %x = shape.any %s, %t : {S}, {S} -> {S}
  %v = shape.cstr_eq %x, %s : {S}, {S}
""",
    returns={"%x": "{S}"},
    open={"shape.cstr_eq 2": "the shapes may differ in rank"},
)
def any_of_what_is_equal(m: Machine, s: Any, t: Any) -> Any:
    m.cstr_eq(s, t)
    x = m.any(s, t)
    m.cstr_eq(x, s)
    return (x,)


@program(
    "s",
    """
  %x = shape.any %s, %s : {S}, {S} -> {S}
  %v = shape.cstr_eq %x, %s : {S}, {S}
""",
    returns={"%x": "{S}"},
)
def any_of_itself(m: Machine, s: Any) -> Any:
    x = m.any(s, s)
    m.cstr_eq(x, s)
    return (x,)
