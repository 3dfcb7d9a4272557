"""Windows that move over a dimension: how many places there are for them."""

from __future__ import annotations

from shapesolve.language.dims import ONE, Dim, DimLike, dim, floordiv
from shapesolve.language.extremes import choose, maximum
from shapesolve.language.formulas import FALSE, at_least, conjunction, equal


def dilated(size: Dim, dilation: DimLike) -> Dim:
    """A size after ``dilation - 1`` gaps were put between its elements; 0 stays 0."""
    if dim(dilation) is ONE:
        return size
    return choose(equal(size, 0), 0, (size - 1) * dilation + 1)


def window_places(room: Dim, window: Dim, stride: DimLike) -> Dim:
    """How many windows fit: 0 where the room is empty or the window is larger."""
    fitting = floordiv(room - window, dim(stride)) + 1
    if at_least(window, 1) is FALSE or window.bounds()[0] in (None, 0):
        return choose(conjunction((at_least(room, 1), at_least(room, window))), fitting, 0)
    return maximum(fitting, 0)


def padded(extent: Dim, low: DimLike, high: DimLike) -> Dim:
    """An extent with padding at both ends."""
    return extent + low + high
