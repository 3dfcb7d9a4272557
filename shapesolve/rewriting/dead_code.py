"""Erasing what only fed the checks that are gone.

Only what computes sizes, truths and shapes from such, has no effect, and was proved not to be undefined: whether an
operation may be undefined is something that later proofs may lean on, and so it stays.
"""

from __future__ import annotations

from collections.abc import Callable

from shapesolve.reading.program import Operation
from shapesolve.rewriting.surgery import Surgery

_ARITH = (
    "constant addi subi muli divsi divui ceildivsi ceildivui floordivsi remsi remui cmpi andi ori xori shli shrsi "
    "shrui select index_cast index_castui extsi extui trunci maxsi maxui minsi minui cmpf"
)
_INDEX = (
    "constant bool.constant add sub mul divs divu ceildivs ceildivu floordivs rems remu maxs maxu mins minu and or xor "
    "shl shrs shru cmp casts castu sizeof"
)
_SHAPE = (
    "shape_of const_shape const_size const_witness dim rank get_extent num_elements add mul div max min any concat "
    "split_at broadcast is_broadcastable shape_eq from_extents from_extent_tensor to_extent_tensor size_to_index "
    "index_to_size value_of with_shape value_as_shape"
)
_TENSOR = "dim rank extract from_elements cast empty splat extract_slice collapse_shape expand_shape"
_STABLEHLO = (
    "constant get_dimension_size compare add subtract multiply divide remainder maximum minimum and or not xor select "
    "reshape convert concatenate slice negate abs sign clamp iota"
)
_TOSA = (
    "const_shape dim add_shape sub_shape mul_shape max_shape min_shape div_ceil_shape div_floor_shape mod_shape "
    "exp2_shape log2_ceil_shape log2_floor_shape concat_shape slice_shape const"
)
ERASABLE = frozenset(
    f"{dialect}.{name}"
    for dialect, names in (
        ("arith", _ARITH),
        ("index", _INDEX),
        ("shape", _SHAPE),
        ("tensor", _TENSOR),
        ("stablehlo", _STABLEHLO),
        ("tosa", _TOSA),
        ("memref", "dim rank"),
        ("affine", "apply min max"),
    )
    for name in names.split()
)
"""Operations that compute, and do nothing else."""


def erase_dead_code(surgery: Surgery, is_harmless: Callable[[Operation], bool]) -> set[int]:
    """Erase what fed the operations that are gone and is of no use any more; the numbers of what was erased."""
    erased: set[int] = set()
    while surgery.feeding:
        number = surgery.feeding.pop()
        live = surgery.live.get(number)
        if live is None or live.name not in ERASABLE or len(live.regions):
            continue
        if any(True for result in live.results for _ in result.uses):
            continue
        if number >= 0 and not is_harmless(surgery.pictures[number]):
            continue
        erased.add(number)
        surgery.erase_unused(number)
    return erased
