"""Laws in the style of what tools ask: TVM's simplifier, JAX, PyTorch's guards, MLIR's value bounds."""

from __future__ import annotations

from plain_terms import Term, any_of, both, differ, greatest, least, same
from questions_from_laws import Draft, Law, Maker, follows


def _divides(divisor: Term | int, of: Term) -> Term:
    return same(of % divisor, 0)


def _up(a: Term, by: Term | int) -> Term:
    """The quotient rounded up."""
    return (a + by - 1) // by


# TVM: quotients, remainders, minima and maxima, mostly by constants ----------------------------------------------


def _multiples_come_out(m: Maker) -> Draft:
    x, y, c, d = m.some(), m.some(), m.number(2, 9), m.number(2, 9)
    whole = x * (c * d) + y
    return m.choose(follows(same(whole // c, x * d + y // c)), follows(same(whole % c, y % c)))


def _nested_division(m: Maker) -> Draft:
    x, c, d = m.some(), m.number(2, 9), m.number(2, 9)
    return m.choose(
        follows(same(x // c // d, x // (c * d))),
        follows(same(x % (c * d) % c, x % c)),
        follows(same(x % (c * d) // c, x // c % d)),
        follows(same((x + c) // d // c, (x + c) // (c * d))),
    )


def _whole_and_rest(m: Maker) -> Draft:
    x, c = m.some(), m.number(2, 64)
    return m.choose(
        follows(same(x // c * c + x % c, x)),
        follows(same(x - x // c * c, x % c)),
        follows(_up(x, c) * c >= x),
        follows(_up(x, c) * c - x < c),
        follows(same(least(x // c * c, x), x // c * c)),
        follows(same(greatest(x // c * c + (c - 1), x), x // c * c + (c - 1))),
    )


def _fused_index(m: Maker) -> Draft:
    i, j, k = m.sizes(3)
    w, c = m.number(2, 12), m.number(2, 12)
    flat = (i * w + j) * c + k
    claims = (
        same(flat // (w * c), i),
        same(flat // c % w, j),
        same(flat % c, k),
        same(flat % (w * c), j * c + k),
        same(flat // c, i * w + j),
    )
    return follows(m.random.choice(claims), j < w, k < c)


def _extremes(m: Maker) -> Draft:
    x, y, z = m.some(), m.some(), m.size()
    a, b, c = m.number(1, 20), m.number(1, 20), m.number(2, 9)
    return m.choose(
        follows(same(least(x + a, x + b), x + min(a, b))),
        follows(same(greatest(x, y) + z, greatest(x + z, y + z))),
        follows(same(least(greatest(x, y), y), y)),
        follows(same(greatest(x * c, y * c), greatest(x, y) * c)),
        follows(same(least(x, y) + greatest(x, y), x + y)),
        follows(same(greatest(x // c, y // c), greatest(x, y) // c)),
        follows(same(least(least(x, a), b), least(x, min(a, b)))),
        follows(same(greatest(least(x, y), z), least(greatest(x, z), greatest(y, z)))),
    )


def _sums_of_remainders(m: Maker) -> Draft:
    x, y, c, d = m.some(), m.some(), m.number(2, 9), m.number(2, 9)
    return m.choose(
        follows(same((x * d + y) % c, (x % c * d + y) % c)),
        follows(same((x % c + y % c) % c, (x + y) % c)),
        follows(x // c + y // c <= (x + y) // c),
        follows((x + y) // c <= x // c + y // c + 1),
        follows(same((x + y) // c, x // c + y // c), _divides(c, x)),
        follows(greatest(x // c, y // c) <= (x + y) // c),
        follows(x // c <= y // c, x <= y),
    )


def _split_loops(m: Maker) -> Draft:
    n, o, i, c = m.size(), m.size(), m.size(), m.number(2, 32)
    return m.choose(
        follows(o * c + i < n, o < n // c, i < c),
        follows(o * c + i < n, o < _up(n, c), i < c, _divides(c, n)),
        follows(any_of(o * c + i < n, same(o, n // c)), o < _up(n, c), i < c),
        follows(same(least(n - o * c, c), c), o < n // c),
        follows(same((o * c + i) // c, o), i < c),
    )


TVM: tuple[Law, ...] = (
    _multiples_come_out,
    _nested_division,
    _whole_and_rest,
    _fused_index,
    _extremes,
    _sums_of_remainders,
    _split_loops,
)


# JAX: inequalities between dimensions that are at least 1 --------------------------------------------------------


def _products_of_dimensions(m: Maker) -> Draft:
    a, b, c = m.sizes(3)
    k = m.number(1, 9)
    return m.choose(
        follows(a * b + k >= b),
        follows(a * b >= a),
        follows(a * b * c >= a * c),
        follows(a * b + a >= 2 * a),
        follows((a + b) * (a + b) >= a * a + b * b + 2),
        follows(a * b >= k * b, a >= k),
        follows(a * b - a - b + 1 >= 0),
        follows(a * a + b * b >= 2 * a * b),
        follows(2 * a * b - a * b >= 1),
    )


def _rounded(m: Maker) -> Draft:
    a, b, k = m.size(), m.size(), m.number(2, 16)
    return m.choose(
        follows(a // b * b <= a),
        follows(a // b <= a),
        follows(a % b <= a),
        follows(a - a % k >= 0),
        follows(a // k >= 1, a >= k),
        follows(_up(a, k) <= a),
        follows(_up(a, b) >= 1),
        follows(_up(a, b) * b >= a),
        follows(_up(a, b) * b - a < b),
        follows(a // k * k >= a - (k - 1)),
        follows(same(b // k * k, b), _divides(k, b)),
        follows(b >= k, _divides(k, b)),
    )


def _padded(m: Maker) -> Draft:
    a, k = m.size(), m.number(2, 16)
    pad = (k - a % k) % k
    return m.choose(
        follows(_divides(k, a + pad)),
        follows(pad < k),
        follows(same((a + pad) // k, _up(a, k))),
        follows(same((a + pad) // k * k, a + pad)),
    )


def _windows(m: Maker) -> Draft:
    a, k, s = m.size(), m.number(1, 7), m.number(1, 4)
    out = (a - k) // s + 1
    return m.choose(
        follows(out >= 1, a >= k),
        follows(out <= a, a >= k),
        follows((out - 1) * s + k <= a, a >= k),
        follows(out * s + k > a, a >= k),
        follows(least(m.size(), a - k) <= a - k),
        follows(greatest(least(m.size(), a - k), 0) <= a - k, a >= k),
    )


def _stated_constraints(m: Maker) -> Draft:
    a, b, c, k = m.size(), m.size(), m.size(), m.number(2, 9)
    return m.choose(
        follows(a >= k * b, same(a // k, b)),
        follows(a <= k * b + k - 1, same(a // k, b)),
        follows(a + c >= b + c, same(a, greatest(b, c))),
        follows(same(a * k // c, b), same(a * k, b * c)),
        follows(b <= a, same(a, k * b - c), c <= b),
        follows(a >= b + c, same(a, b * c), b >= 2, c >= 2),
        follows(_divides(k, a + b), _divides(k, a), _divides(k, b)),
    )


JAX: tuple[Law, ...] = (_products_of_dimensions, _rounded, _padded, _windows, _stated_constraints)


# PyTorch: guards over s0, s1 with ranges -------------------------------------------------------------------------


def _divisibility_guards(m: Maker) -> Draft:
    a, b, k, j = m.size(), m.size(), m.one_of(2, 3, 4, 8), m.one_of(2, 3, 4)
    return m.choose(
        follows(_divides(k, a), _divides(k * j, a)),
        follows(same(a // k * k, a), _divides(k * j, a)),
        follows(_divides(k * j, a * b), _divides(k, a), _divides(j, b)),
        follows(_divides(k, a + b), _divides(k, a), _divides(k, b)),
        follows(_divides(k, a * b), _divides(k, a)),
        follows(same((a + k * b) % k, a % k)),
        follows(differ(a % (2 * j), j if j % 2 == 0 else 2), same(a % 2, 1), *([_divides(2, b)] if j % 2 else [])),
        follows(same(a // k * b * k, a * b), _divides(k, a)),
        follows(same(a // k % j, 0), _divides(k * j, a)),
    )


def _ranges(m: Maker) -> Draft:
    a, b, high, k = m.size(), m.size(), m.one_of(64, 128, 1024, 4096), m.one_of(8, 16, 32)
    return m.choose(
        follows(a * b <= high * 16, a <= high, b <= 16),
        follows(a // k <= high // k, a <= high),
        follows(same(least(a, high), a), a <= high),
        follows(same(greatest(a, 1), a)),
        follows(a * b > a),
        follows(both(a * b > b, differ(a, 1))),
        follows(a + b <= a * b),
        follows(any_of(a >= k, same(a // k, 0))),
    )


def _views(m: Maker) -> Draft:
    a, b, c, r = m.size(), m.size(), m.size(), m.number(2, 4)
    return m.choose(
        follows(same(a * b // a, b)),
        follows(same(a * b * c // (b * c), a)),
        follows(same(a, b), same(a * c, b * c)),
        follows(_divides(a, a * b * r)),
        follows(same((a // r) * (b // r) * (r * r), a * b), _divides(r, a), _divides(r, b)),
        follows(same(a // b, c), same(a, b * c)),
        follows(both(_divides(b, a), same(a // c, b)), same(a, b * c)),
        follows(same(a * b * r // b, a * r)),
        follows(differ(a * b, 0)),
    )


def _strides(m: Maker) -> Draft:
    a, k, j = m.size(), m.one_of(2, 4), m.one_of(2, 4)
    return m.choose(
        follows(same((a - 1) // 2 + 1, (a + 1) // 2)),
        follows(same((a - 1) // k // j, (a - 1) // (k * j))),
        follows(same(((a - 1) // 2 + 1) // 2, (a + 1) // 4)),
        follows(same((a + 2 - 3) // 2 + 1, a // 2), _divides(2, a)),
        follows(same(2 * (a // 2), a - a % 2)),
        follows((a - 1) // k + 1 <= a),
        follows(same(_up(_up(a, k), j), _up(a, k * j))),
    )


def _unbacked(m: Maker) -> Draft:
    a, b, c = m.size(), m.size(), m.size()
    return m.choose(
        follows(b <= a, same(b + c, a)),
        follows(same(c, a - b), same(b + c, a)),
        follows(both(b < a, c < a), same(b + c, a)),
        follows(same(least(b, a), b), same(b + c, a)),
        follows(same(greatest(a - b, 0), c), same(b + c, a)),
        follows(2 * b <= a, same(b + c, a), b <= c),
    )


PYTORCH: tuple[Law, ...] = (_divisibility_guards, _ranges, _views, _strides, _unbacked)


# MLIR: bounds of values in tiled loops ---------------------------------------------------------------------------


def _tiles(m: Maker) -> Draft:
    n, i, t = m.size(), m.size(), m.one_of(4, 8, 32, 64)
    tile = least(n - i, t)
    return m.choose(
        follows(i + tile <= n, i < n),
        follows(tile >= 1, i < n),
        follows(tile <= t),
        follows(same(tile, t), i < n, _divides(t, i), _divides(t, n)),
        follows(i + t <= n, i < n, _divides(t, i), _divides(t, n)),
        follows(same(least(tile, t + m.number(0, 9)), tile)),
        follows(same(n - greatest(n - t, 0), least(n, t))),
        follows(same(least(tile, t // 2), least(n - i, t // 2))),
    )


def _tiles_of_a_size(m: Maker) -> Draft:
    n, k, t = m.sizes(3)
    return m.choose(
        follows(k * t < n, k < _up(n, t), t >= 1),
        follows(least(n - k * t, t) >= 1, k < _up(n, t), t >= 1),
        follows(k * t + least(n - k * t, t) <= n, k * t <= n),
        follows(same(least(n - k * t, t), t), k < n // t, t >= 1),
        follows(_up(n, t) * t < n + t, t >= 1),
        follows(n - _up(n, t) * t + t >= 1, t >= 1),
        follows(same(_up(n, t), n // t), _divides(t, n), t >= 1),
    )


def _two_levels(m: Maker) -> Draft:
    n, i, j, t, u = m.size(), m.size(), m.size(), m.one_of(16, 32, 64), m.one_of(2, 4, 8)
    outer = least(n - i, t)
    inner = least(outer - j, u)
    return m.choose(
        follows(i + j < n, i < n, j < outer),
        follows(i + j + inner <= n, i < n, j < outer),
        follows(both(inner >= 1, inner <= u), i < n, j < outer),
        follows(same(inner, least(n - i - j, least(t - j, u)))),
    )


def _linear_indices(m: Maker) -> Draft:
    i, j, h, w = m.sizes(4)
    return m.choose(
        follows(i * w + j < h * w, i < h, j < w),
        follows(i // w < h, i < h * w, w >= 1),
        follows(i % w < w, i < h * w, w >= 1),
        follows(same((i * w + j) // w, i), j < w),
        follows(same((i * w + j) % w, j), j < w),
        follows(same(i // w * w + i % w, i), w >= 1),
    )


def _slices(m: Maker) -> Draft:
    n, offset, count, stride = m.sizes(4)
    k = m.number(2, 4)
    return m.choose(
        follows(offset + (count - 1) * stride < n, offset + count * stride <= n, count >= 1, stride >= 1),
        follows(offset + (_up(n - offset, stride) - 1) * stride < n, offset < n, stride >= 1),
        follows(offset + (_up(n - offset, k) - 1) * k < n, offset < n),
        follows(offset + count * k <= n, same(count, (n - offset) // k), offset <= n),
        follows(same(_up(n, k) * k % k, 0)),
        follows(_up(n, k) * k - n <= k - 1),
    )


MLIR: tuple[Law, ...] = (_tiles, _tiles_of_a_size, _two_levels, _linear_indices, _slices)
