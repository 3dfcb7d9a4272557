"""Programs that take ranks and extents from shapes of unknown rank, cut and join them, fold them and choose."""

from __future__ import annotations

from typing import Any

from support.concrete_shapes import Machine
from support.unranked_programs import program

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
    open={"shape.to_extent_tensor 1": "only the first 4 and the last 4 extents are modeled"},
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
)
def joining_in_another_order(m: Machine, s: Any, t: Any) -> Any:
    m.cstr_eq(m.concat(s, t), m.concat(t, s))
    return ()


def _cut(number: int) -> str:
    return f"""
  %k = arith.constant {number} : index
  %h, %t = "shape.split_at"(%s, %k) : ({{S}}, index) -> ({{S}}, {{S}})
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
    approximated=True,  # where the ranks differ, which nothing that asks about it gets to
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
