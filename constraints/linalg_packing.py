"""Tiled layouts."""

from __future__ import annotations

from shapesolve.language.dims import Dim, ceildiv
from shapesolve.language.formulas import at_least, divides, equal
from shapesolve.language.shapes import RankedShape
from shapesolve.reading.program import Operation
from shapesolve.walking.effects import on_values
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule
from shapesolve.walking.values import Tensor

from .operand_lists import integers_of, mixed, segment


@rule("linalg.pack", "tensor.pack", example="tests/cases/linalg/pack.mlir", effects=on_values)
def pack(op: Operation, see: RuleContext) -> Meaning:
    """A tensor cut into tiles, the tiles as inner dimensions.

    (C1) Every tile size is at least 1.
    (C2) The inner extents of the destination are the tile sizes.
    (C3) Every outer extent of the destination is the number of tiles, the last one counted even where it is not full.
    (C4) Without a padding value every tile is full: the tile size divides the extent.
    (R1) The result has the shape of the destination.
    """
    source, into = op.operands[:2]
    extents, packed = see.dims(source), see.dims(into)
    tiles = mixed(op, see, "static_inner_tiles", segment(op, 3))
    claims = _tiles(packed, tiles, into.name)
    tiled = dict(zip(integers_of(op, "inner_dims_pos"), tiles, strict=True))
    for place, dimension in enumerate(integers_of(op, "outer_dims_perm") or range(len(extents))):
        tile, extent = tiled.get(dimension), extents[dimension]
        wanted = extent if tile is None else ceildiv(extent, tile)
        shown = ((f"extent {place} of {into.name}", packed[place]), (f"extent {dimension} of {source.name}", extent))
        message = f"extent {place} of {into.name} is not the number of tiles"
        claims.append(Claim("C3", equal(packed[place], wanted), message, shown=shown))
        if tile is not None and not segment(op, 2):
            message = f"extent {dimension} of {source.name} is not made of full tiles"
            claims.append(Claim("C4", divides(tile, extent), message, shown=(*shown[1:], ("tile", tile))))
    results = (Tensor(RankedShape.of(packed)),) if op.results else ()
    return Meaning(results, claims=tuple(claims), bears=(into,))


@rule("linalg.unpack", "tensor.unpack", example="tests/cases/linalg/pack.mlir", effects=on_values)
def unpack(op: Operation, see: RuleContext) -> Meaning:
    """A tensor put together from tiles; what the last tiles hold beyond the destination is dropped.

    (C1) Every tile size is at least 1.
    (C2) The inner extents of the source are the tile sizes.
    (C3) Every outer extent of the source is the number of tiles that the destination needs.
    (R1) The result has the shape of the destination.
    """
    source, into = op.operands[:2]
    packed, extents = see.dims(source), see.dims(into)
    tiles = mixed(op, see, "static_inner_tiles", segment(op, 3) if len(op.segments) > 3 else segment(op, 2))
    claims = _tiles(packed, tiles, source.name)
    tiled = dict(zip(integers_of(op, "inner_dims_pos"), tiles, strict=True))
    for place, dimension in enumerate(integers_of(op, "outer_dims_perm") or range(len(extents))):
        tile, extent = tiled.get(dimension), extents[dimension]
        wanted = extent if tile is None else ceildiv(extent, tile)
        shown = ((f"extent {place} of {source.name}", packed[place]), (f"extent {dimension} of {into.name}", extent))
        message = f"extent {place} of {source.name} is not the number of tiles of {into.name}"
        claims.append(Claim("C3", equal(packed[place], wanted), message, shown=shown))
    results = (Tensor(RankedShape.of(extents)),) if op.results else ()
    return Meaning(results, claims=tuple(claims), bears=(into,))


def _tiles(packed: tuple[Dim, ...], tiles: tuple[Dim, ...], name: str) -> list[Claim]:
    claims = [Claim("C1", at_least(tile, 1), "a tile size is not positive", shown=(("tile", tile),)) for tile in tiles]
    outer = len(packed) - len(tiles)
    for number, tile in enumerate(tiles):
        shown = ((f"extent {outer + number} of {name}", packed[outer + number]), ("tile", tile))
        message = f"extent {outer + number} of {name} is not the tile size"
        claims.append(Claim("C2", equal(packed[outer + number], tile), message, shown=shown))
    return claims
