"""Programs that broadcast, compare and meet shapes of unknown rank."""

from __future__ import annotations

from typing import Any

from support.concrete_shapes import Machine
from support.unranked_programs import program

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
