"""Test that every program refines itself, without the shortcut for identical programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapesolve.ir.reader import read_file
from shapesolve.options import Options
from shapesolve.preconditions.functions import entry_points
from shapesolve.refinement.refine import refine_functions

CASES = Path(__file__).parents[1] / "cases"

NOT_FOLLOWED = {
    ("arith/wrapping.mlir", "flag_on_a_difference"): "the check fails only for sizes for which a sum wraps around",
    ("arith/wrapping.mlir", "a_product_that_wraps_inside"): "arithmetic wraps around for all sizes that get there",
    ("arith/wrapping.mlir", "a_loop_whose_counter_wraps"): "arithmetic wraps around for all sizes that get there",
    ("cf/loops.mlir", "left_from_the_body"): "how often the loop runs is not known",
    ("cf/loops.mlir", "two_ways_in"): "control gets into a loop by two ways, which is not followed",
    ("gpu/memory.mlir", "asynchronous"): "what runs at the same time is not followed",
    ("gpu/launch.mlir", "one_block_an_element"): "whether a launch takes place is not known",
    ("gpu/launch.mlir", "rounded_up"): "whether a launch takes place is not known",
    ("gpu/launch.mlir", "sizes_that_may_be_negative"): "whether a launch takes place is not known",
    ("gpu/launch.mlir", "a_bound_of_numbers"): "whether a launch takes place is not known",
    ("gpu/launch.mlir", "a_bound_of_how_many"): "whether a launch takes place is not known",
    ("gpu/launch.mlir", "a_bound_of_all_numbers"): "whether a launch takes place is not known",
    ("gpu/launch.mlir", "memory_of_the_block"): "whether a launch takes place is not known",
    ("gpu/launch.mlir", "memory_of_the_thread"): "whether a launch takes place is not known",
    ("gpu/threads.mlir", "subgroups"): "whether a launch takes place is not known",
    ("memref/alloc.mlir", "longer"): "whether an argument may be freed is not followed",
    ("shape/errors.mlir", "asserted_of_any_shape"): "any of unequal shapes may be either",
    ("shape/reduce_unranked.mlir", "used_in_the_body"): "what a fold has before an extent of any rank is not followed",
    (
        "shape/reduce_unranked.mlir",
        "false_until_an_extent_is_0",
    ): "what a fold has before an extent of any rank is not followed",
    (
        "shape/unranked.mlir",
        "any_of_unequal_shapes",
    ): "any of unequal shapes may be either, and be the other one next time",
    ("tensor/generate.mlir", "run_at_a_position"): "elements are not followed where the body may stop the program",
    (
        "tensor/generate.mlir",
        "run_at_the_only_position",
    ): "elements are not followed where the body may stop the program",
    ("tensor/generate.mlir", "perhaps_not_run"): "elements are not followed where the body may stop the program",
    ("tm_tensor/scan.mlir", "two"): "whether the region of a scan runs is not known",
    ("vector/type_cast.mlir", "alias"): "contents behind a write through a cast buffer are not followed",
    ("tosa/control.mlir", "repeated"): "a value that changes from iteration to iteration is not followed",
}
"""Functions of which too little is known for the questions; that both are the same is seen all the same."""


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", sorted(CASES.glob("*/*.mlir")), ids=lambda path: str(path.relative_to(CASES)))
def test_every_case_refines_itself(path: Path) -> None:
    source, target = read_file(str(path)), read_file(str(path))
    for function in entry_points(source):
        pair = ((source, function), (target, target.functions[function.name]))
        asked = refine_functions(*pair, Options(execute=False), look_for_identity=False)
        key = (str(path.relative_to(CASES)), function.name)
        assert asked.word == ("undecided" if key in NOT_FOLLOWED else "proved"), function.name
        assert not asked.identical
        assert refine_functions(*pair, Options(execute=False)).word == "proved"
